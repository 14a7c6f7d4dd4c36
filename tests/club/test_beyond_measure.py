"""Campaigns of enormous figures, kept before such were refused: they hold up nobody."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from polemarque.club import clerk, setups, tables
from polemarque.club.clerk import let_play
from polemarque.club.due import deadline, overdue
from polemarque.club.models import LONGEST_PACE, Campaign
from polemarque.club.setups import read_setup
from polemarque.club.tables import reading
from polemarque.kernel import engine
from polemarque.kernel.errors import NotUnderstood
from tests.club.people import campaign, person

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(60)]


def test_rolls_that_are_too_large_leave_the_campaign_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = campaign("batailles", held=0)
    tables._tables.clear()
    monkeypatch.setattr(engine, "MOST_DICE", 0)
    assert not all([let_play(made) for _ in range(4)])  # it goes on up to the dice, and no further
    made.refresh_from_db()
    with reading(made) as table:
        assert (table.game.digest, table.count) == (made.head, made.count)


def test_a_set_up_that_is_no_more_read_is_shown_as_faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clerk, "BREATH", 0)
    huge, played = campaign("batailles", held=0), campaign("batailles", held=0)
    assert huge.header is not None
    raw = bytes(huge.header)
    header = raw.replace(b'"pm":', b'"pm":1000000000000000', 1)
    assert header != raw
    Campaign.objects.filter(pk=huge.pk).update(header=header)
    tables._tables.clear()
    clerk.Clerk().round()
    assert Campaign.objects.get(pk=played.pk).count > played.count
    assert Campaign.objects.get(pk=huge.pk).count == huge.count
    client = Client(headers={"accept-language": "en"})
    client.force_login(person("zoe"))
    assert "cannot open it" in client.get("/").content.decode()


def test_a_pace_beyond_all_dates_is_the_longest() -> None:
    made = campaign("batailles")
    made.pace = 999_999_999
    assert deadline(made, []) == made.asked + timedelta(hours=LONGEST_PACE)
    assert not overdue(made, [])


def test_tables_too_deep_for_a_check_are_no_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(setups, "setup_faults", deep)
    with pytest.raises(NotUnderstood, match=r"setup\.unreadable"):
        read_setup("a = 1", "batailles")
