"""Campaigns of enormous figures, kept before such were refused: they hold up nobody."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from polemarque.club.campaigns import bot_turns, house_files, session
from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.house_files import read_setup
from polemarque.club.campaigns.session import read_lock
from polemarque.club.clock.deadlines import deadline, overdue
from polemarque.club.models import LONGEST_PACE, Campaign
from polemarque.kernel import run
from polemarque.kernel.errors import NotUnderstood
from tests.club.people import asked, campaign, person

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(60)]


def test_rolls_that_are_too_large_leave_the_campaign_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = campaign("batailles", held=0)
    session._tables.clear()
    monkeypatch.setattr(run, "MOST_DICE", 0)
    assert not all([let_play(made) for _ in range(4)])  # it goes on up to the dice, and no further
    made.refresh_from_db()
    with read_lock(made) as table:
        assert (table.game.digest, table.count) == (made.head, made.count)


def test_a_set_up_that_is_no_more_read_is_shown_as_faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_turns, "BREATH", 0)
    huge, played = campaign("batailles", held=0), campaign("batailles", held=0)
    assert huge.header is not None
    raw = bytes(huge.header)
    header = raw.replace(b'"pm":', b'"pm":1000000000000000', 1)
    assert header != raw
    Campaign.objects.filter(pk=huge.pk).update(header=header)
    session._tables.clear()
    bot_turns.Automation().round()
    assert Campaign.objects.get(pk=played.pk).count > played.count
    assert Campaign.objects.get(pk=huge.pk).count == huge.count
    client = Client(headers={"accept-language": "en"})
    client.force_login(person("zoe"))
    assert "cannot open it" in client.get("/").content.decode()


def test_a_pace_beyond_all_dates_is_the_longest() -> None:
    made = campaign("batailles")
    made.pace = 999_999_999
    keys = [asked(made, "A")]
    assert deadline(made, keys) == made.asked + timedelta(hours=LONGEST_PACE)
    assert not overdue(made, keys)


def test_tables_too_deep_for_a_check_are_no_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(house_files, "setup_faults", deep)
    with pytest.raises(NotUnderstood, match=r"setup\.unreadable"):
        read_setup("a = 1", "batailles")
