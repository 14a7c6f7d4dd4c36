"""The odds of what dice decided: who may read them, when, and what stands there."""

from __future__ import annotations

import re
from datetime import timedelta
from importlib.resources import files
from threading import Event
from typing import Any

import pytest
from django.utils import timezone

from polemarque.club.campaigns.session import read_lock
from polemarque.club.people.roles import Visit, visit_of
from polemarque.club.server.subprocesses import by_itself
from polemarque.club.trust import dice_odds
from polemarque.club.trust.dice_odds import chances_told
from polemarque.club.umpire.secrets_read import STORY
from polemarque.kernel.errors import OutOfDate
from polemarque.kernel.records.record import Looked
from polemarque.report.dice_odds import Chances
from tests import chance
from tests.web.people import said, way
from tests.web.world import World, play_on, world

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(300)]


@pytest.fixture(autouse=True)
def all_play_the_same_campaigns() -> None:
    """Odds are then worked out once for each."""
    chance.begin("odds")


LATER = "as soon as the game is over"
SHORT = {"turn_limit": 2}


def page(there: World, role: str, **asked: Any) -> str:
    answer = there.browser(role).get(way("odds", there.campaign), asked)
    assert answer.status_code == 200
    return said(answer)


def rows(text: str) -> int:
    return len(re.findall(r"<tr><td", text))


def ended() -> World:
    there = world(options=SHORT)
    play_on(there, lambda game: game.over)
    return there


def test_where_figures_may_be_secret_nobody_who_plays_reads_odds_before_the_end() -> None:
    there = world(turns=2)
    for role in ("watcher", "commander", "adviser", "rival"):
        text = page(there, role)
        assert LATER in text and not rows(text), role
        assert LATER in said(there.browser(role).get(way("trust", there.campaign)))
    assert rows(page(there, "umpire"))


def test_an_umpire_who_plays_reads_none_either() -> None:
    there = world(turns=2, playing=True)
    assert LATER in page(there, "playing")


def test_the_reading_of_a_neutral_umpire_is_entered() -> None:
    there = world(turns=2)
    page(there, "umpire")
    with read_lock(there.campaign) as table:
        secret = any(event.audience is not None for event in table.told)
        looked = [e.what for e in table.game.entries if isinstance(e, Looked)]
    assert secret and looked == [STORY]


def test_after_the_end_everybody_reads_all_of_them() -> None:
    there = ended()
    found = {role: page(there, role, turn=1) for role in ("watcher", "rival", "umpire")}
    assert len({rows(text) for text in found.values()}) == 1
    assert rows(found["watcher"]) > 5
    assert LATER not in said(there.browser("watcher").get(way("trust", there.campaign)))


def test_a_battle_in_the_open_tells_its_odds_as_it_goes() -> None:
    there = world(system="thucidide", seats=2, scenario="clash", turns=3)
    text = page(there, "watcher")
    assert rows(text) and "%" in text
    assert rows(text) == rows(page(there, "commander"))


def test_each_turn_has_its_page_and_others_are_not_there() -> None:
    there = ended()
    client = there.browser("rival")
    first, last = page(there, "rival", turn=1), page(there, "rival")
    assert first != last and f"{way('odds', there.campaign)}?turn=1" in last
    for turn in ("9", "-1", "x", "1e3", "²", "9" * 5000):
        assert client.get(way("odds", there.campaign), {"turn": turn}).status_code == 404, turn


def test_they_are_reckoned_once_for_all_who_read(monkeypatch: pytest.MonkeyPatch) -> None:
    there = ended()
    page(there, "watcher")
    monkeypatch.setattr(dice_odds, "by_itself", lambda *_, **__: pytest.fail("reckoned again"))
    page(there, "rival")


def test_a_reckoning_that_takes_too_long_is_refused_and_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = ended()
    monkeypatch.setattr(dice_odds, "by_itself", by_itself)
    monkeypatch.setattr(dice_odds, "LIMIT", 0.001)
    answer = there.browser("watcher").get(way("odds", there.campaign))
    assert answer.status_code == 503
    assert "polemarque luck RECORD --odds" in said(answer)


def test_while_they_are_worked_out_the_page_says_so_and_comes_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there, go_on, begun = ended(), Event(), []

    def slow(*words: Any, **more: Any) -> Any:
        begun.append(words)
        go_on.wait(200)
        return by_itself(*words, **more)

    monkeypatch.setattr(dice_odds, "by_itself", slow)
    monkeypatch.setattr(dice_odds, "AT_ONCE", 0.1)
    address = way("odds", there.campaign) + "?turn=1"
    shown = [there.browser(role).get(address) for role in ("watcher", "rival", "watcher")]
    for answer in shown:
        assert answer.status_code == 202
        assert "still being worked out" in said(answer) and "data-again" in said(answer)
        assert f'href="{address}"' in said(answer), "without scripts there is a link"
        assert not rows(said(answer))
    assert len(begun) == 1, "once, however many ask"
    go_on.set()
    with dice_odds._one:  # held until it is done
        pass
    assert rows(page(there, "watcher", turn=1)) > 5


def test_nothing_is_worked_out_for_who_may_not_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    there = world(turns=2)
    monkeypatch.setattr(dice_odds, "by_itself", lambda *_, **__: pytest.fail("worked out"))
    assert LATER in page(there, "rival")
    with read_lock(there.campaign) as table:
        assert "odds" not in table.memory


def test_what_the_reckoning_refuses_is_told_and_does_not_go_on_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    there = ended()

    def refuses(*_: Any, **__: Any) -> Any:
        raise OutOfDate("page.answered_meanwhile")

    monkeypatch.setattr(dice_odds, "by_itself", refuses)
    answer = there.browser("watcher").get(way("odds", there.campaign))
    assert answer.status_code == 503 and 'role="alert"' in said(answer)


def test_a_seat_is_told_of_dice_that_it_has_seen_alone() -> None:
    there = ended()
    with read_lock(there.campaign) as table:
        numbers = {n for n, event in enumerate(table.told) if not event.seen_by("")}
    visit: Visit = visit_of(there.fresh(), there.people["umpire"])
    whole = chances_told(visit)
    assert isinstance(whole, Chances)
    kept = {number for each in whole.seen_by("").weighed for number in each.told}
    every = {number for each in whole.weighed for number in each.told}
    assert every & numbers and not kept & numbers


def test_a_page_that_asks_by_itself_is_no_sign_of_life_of_an_umpire() -> None:
    there = world(turns=2)
    long_ago = timezone.now() - timedelta(days=20)
    there.campaign.umpires.update(seen=long_ago)
    client = there.browser("umpire")
    client.get(way("odds", there.campaign), headers={"X-Live": "1"})
    assert there.campaign.umpires.get().seen == long_ago
    script = files("polemarque.web") / "static" / "again.js"
    assert '"X-Live"' in script.read_text(encoding="utf-8")
