"""The pages of a campaign: where things stand on them, and where they lead."""

from __future__ import annotations

import pytest

from polemarque.club.tables import writing
from polemarque.web.says import say
from tests.web.people import by_id, page, said, way
from tests.web.world import World, play_on, sealed, world

pytestmark = pytest.mark.django_db


def offers_undo(there: World, role: str = "commander", seat: str = "A") -> bool:
    client, address = there.browser(role), way("seat", there.campaign, seat=seat)
    return way("undo", there.campaign, seat=seat) in said(client.get(address))


def test_only_who_has_answered_is_offered_to_take_his_answer_back() -> None:
    there = world()
    assert not offers_undo(there)
    sealed(there, "A", "commander")
    assert offers_undo(there) and not offers_undo(there, "adviser")
    assert not offers_undo(there, "rival", "B")
    with writing(there.campaign) as table:
        table.game.undo("A")
    assert not offers_undo(there)


def test_an_umpire_who_plays_does_not_learn_from_it_that_others_have_answered() -> None:
    there = world(playing=True)
    before = offers_undo(there, "playing")
    sealed(there, "B", "rival")
    assert offers_undo(there, "playing") is before is True


def test_reasons_lead_to_the_pages_of_their_rules() -> None:
    there = world(turns=2)
    shown = said(there.browser("commander").get(way("chronicle", there.campaign)))
    assert 'href="/rules/atlantide/AT-1.3/"' in shown


def test_each_chapter_of_a_chronicle_has_an_address() -> None:
    there = world(turns=3)
    shown = there.browser("commander").get(way("chronicle", there.campaign))
    (ways,) = [n for n in page(shown).all("nav") if n.attrs.get("class") == "chapters"]
    links = ways.all("a")
    assert [a.said for a in links][:3] == ["Setting up", "Turn 1", "Turn 2"]
    for link in links:
        (heading,) = by_id(shown, link.attrs["href"].removeprefix("#"))
        assert heading.said == link.said


def test_a_past_turn_says_what_its_board_shows_and_is_titled_once() -> None:
    there = world(turns=3)
    shown = page(there.browser("commander").get(way("turn", there.campaign, number="2")))
    assert [e.said for e in shown.all("figcaption")] == ["Turn 2 ends, turn 3 begins"]
    assert [h.said for h in shown.all("h1", "h2") if h.said == "Turn 2"] == ["Turn 2"]


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_programs_are_called_by_their_names(lang: str) -> None:
    there = world(turns=1)
    client = there.browser("watcher", lang=lang)
    shown = page(client.get(way("campaign", there.campaign)))
    (badge,) = [e for e in shown.all("span") if e.attrs.get("class") == "badge"]
    assert say(lang, "muster.program.steady") in badge.said


def test_a_game_that_is_over_awaits_nobody() -> None:
    there = world(system="batailles", seats=2)
    play_on(there, lambda game: game.over)
    shown = page(there.browser("commander").get(way("seat", there.campaign, seat="A")))
    assert say("en", "table.played") in [h.said for h in shown.all("h2")]
    assert not [e for e in shown.all("span") if e.attrs.get("class", "").startswith("state")]
