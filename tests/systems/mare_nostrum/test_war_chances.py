"""Chances beside orders: invasion, siege, interception, blockade (MN-2.7)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from polemarque.kernel.agenda import rules_of
from polemarque.kernel.game import new_header
from polemarque.kernel.option_chances import ChanceOf
from polemarque.kernel.request import Fact, OneOf
from polemarque.odds.beside_options import exact
from polemarque.odds.consult import consult_odds
from polemarque.report.game_words import Words
from polemarque.systems.mare_nostrum import SYSTEM
from polemarque.systems.mare_nostrum.chapters.order_sheet import (
    blockade_told,
    chase_told,
    order_sheet,
)
from polemarque.systems.mare_nostrum.pieces import STAY, Siege
from polemarque.systems.mare_nostrum.state import Campaign
from tests.systems.mare_nostrum.realms import owning, realm, specialist

RULES = rules_of(SYSTEM.package, SYSTEM.edition)


def beside(campaign: Campaign, part: str, word: str, **said: str) -> dict[str, Fraction] | None:
    """The chances beside one word of A's sheet, the first word of all other parts said."""
    filling, answer = order_sheet(campaign, "A", ("tabletop",)).fill(), None
    wanted = {name.replace("_", ".", 1): value for name, value in said.items()}
    while True:
        name, options = filling.send(answer)
        if name == part:
            assert word in options.words and options.fact is not None
            fact = options.fact(word)
            told = fact.data.items() if fact else ()
            found = {k: exact(f, RULES) if isinstance(f, ChanceOf) else f for k, f in told}
            return found if fact else None
        first = options.words[0] if isinstance(options, OneOf) else ()
        answer = wanted.get(name, first)


def asked(campaign: Campaign, place: str, *, engineer: bool = False, priest: bool = False):
    """What is told beside an invasion, as consult has it; what resists, if somebody lessens it."""
    inputs = {
        "demographic": campaign.demographic(place), "fortress": campaign.lands[place].fortress,
        "engineer": engineer, "war_priest": priest,
    }  # fmt: skip
    outcomes = consult_odds("MN-5.1", inputs).outcomes
    success = sum(Fraction(each.p) for each in outcomes if each.result["success"])
    needed = outcomes[0].result["resistance"] if engineer or priest else 0
    return {"success": success, "resistance": needed}


def free_neighbour(campaign: Campaign) -> str:
    home = campaign.seats["A"].home
    near = campaign.atlas.neighbours_of(home)
    return next(place for place in near if campaign.owner(place) is None)


def test_MN_5_1_beside_a_free_province_stands_its_invasion():
    campaign = realm()
    place = free_neighbour(campaign)
    assert beside(campaign, "move.A1", place) == asked(campaign, place)


def test_MN_2_9_who_is_ordered_to_join_counts_and_who_is_not_does_not():
    campaign = realm()
    place = free_neighbour(campaign)
    campaign = campaign.land_changed(place, improvements=("fortress",))
    campaign = specialist(campaign, "A", "engineer")
    plain, helped = asked(campaign, place), asked(campaign, place, engineer=True)
    assert plain != helped
    assert beside(campaign, "move.A1", place) == plain
    assert beside(campaign, "move.A1", place, join_AS6="A1") == helped
    campaign = specialist(campaign, "A", "priest", number=7, god="war", joins="A1")
    blessed = asked(campaign, place, priest=True)
    assert blessed != plain
    assert beside(campaign, "move.A1", place) == blessed


def test_beside_a_players_province_stands_what_defends_it_and_no_chance():
    campaign = realm()
    place = free_neighbour(campaign)
    held = owning(campaign, "B", place).land_changed(place, improvements=("fortress",))
    told = {"fortress": True, "besieges": False, "pieces": [], "stands": 0}
    assert beside(held, "move.A1", place) == told
    army = held.armies["B1"]
    there = held.army_changed("B1", place=place)
    told |= {"pieces": ["B1"], "stands": army.strength}
    assert beside(there, "move.A1", place) == told
    assert beside(campaign, "move.A1", STAY) is None


def test_MN_5_4_an_attack_from_garrison():
    campaign = realm()
    place = free_neighbour(campaign)
    campaign = campaign.army_changed("A1", place=place)
    assert beside(campaign, "garrison.A1", "attack") == asked(campaign, place)
    assert beside(campaign, "garrison.A1", "hold") is None


@pytest.mark.parametrize(("turn", "tenths"), [(1, None), (2, 1), (4, 3)])
def test_MN_6_4_a_siege_falls_on_a_die_up_to_its_turns(turn, tenths):
    campaign = realm(turn=turn)
    place = free_neighbour(campaign)
    campaign = owning(campaign, "B", place).army_changed("A1", place=place)
    campaign = campaign.land_changed(place, siege=Siege("A", 1))
    wanted = None if tenths is None else {"falls": Fraction(tenths, 10)}
    assert beside(campaign, "move.A1", STAY) == wanted


def test_MN_9_1_at_home_a_hunter_has_better_chances():
    campaign = realm()
    home, away = campaign.seats["A"].home, free_neighbour(campaign)
    for place, controlled in ((home, True), (away, False)):
        outcomes = consult_odds("MN-9.1", {"controlled": controlled}).outcomes
        wanted = {each.result["outcome"]: Fraction(each.p) for each in outcomes}
        fact = chase_told(campaign, "A", place)("yes")
        assert fact is not None
        assert exact(fact.data["destroyed"], RULES) == wanted.get("destroyed", 0)
        assert exact(fact.data["panics"], RULES) == wanted.get("panics", 0)
    assert chase_told(campaign, "A", home)("no") is None


def test_MN_8_3_a_blockade():
    fact = blockade_told("dax")
    outcomes = consult_odds("MN-8.3").outcomes
    assert fact is not None
    cut = sum(Fraction(each.p) for each in outcomes if each.result["routes_cut"])
    assert exact(fact.data["cut"], RULES) == cut
    assert blockade_told("none") is None


@pytest.mark.parametrize(
    ("lang", "only", "able"),
    [
        ("fr", "forteresse : sans ingénieur, pillage seulement ; sans armée", "siège possible"),
        ("en", "fortress: without an engineer, pillage only; no army", "a siege is possible"),
    ],
)
def test_MN_6_3_a_goal_with_a_fortress_says_what_the_army_can_win(lang, only, able):
    campaign = realm()
    place = free_neighbour(campaign)
    bare = owning(campaign, "B", place)
    walled = bare.land_changed(place, improvements=("fortress",))
    helped = specialist(walled, "A", "engineer", joins="A1")
    ours = walled.land_changed(place, siege=Siege("A", 1))
    words = Words(new_header("mare_nostrum"), lang)

    def told(one: Campaign) -> str:
        said = words.fact(Fact("defended", beside(one, "move.A1", place) or {}))
        return said.translate({0x202F: " ", 0xA0: " ", 0x2019: "'"})

    assert only in told(walled)
    for one in (helped, ours):
        assert able in told(one) and only not in told(one)
    assert able not in told(bare) and only not in told(bare)
