"""Chances beside acts: those of consult, from where the troop will stand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.kernel.agenda import rules_of
from polemarque.kernel.request import Fact
from polemarque.odds.beside_options import exact
from polemarque.odds.consult import consult_odds
from polemarque.systems.promiterra import SYSTEM
from polemarque.systems.promiterra.chapters.declaring import (
    attack_told,
    duel_told,
    invasion_told,
    told_with_others,
)
from polemarque.systems.promiterra.ground import Field
from polemarque.systems.promiterra.state import War
from tests.systems.promiterra.wars import field, setup, troop, war_of

RULES = rules_of(SYSTEM.package, SYSTEM.edition)
GIVEN = setup(
    [troop("light", 9, "Ann", "c3"), troop("bows", 6, "Abe", "d3")],
    [troop("light", 4, "Bob", "c5"), troop("light", 3, "Ben", "h8")],
    board=field(fortification={"c5": 2, "c4": 3}),
)


def at_war(**options: Any) -> War:
    return replace(war_of(GIVEN, **options), playing="A", turn=1)


def told(war: War, attacker: str, cell: str, target: str) -> tuple[str, dict[str, Fraction]]:
    fact = attack_told(war, war.troops[attacker], cell, target)
    assert fact is not None
    return fact.key, {name: exact(figure, RULES) for name, figure in fact.data.items()}


def of_both(ours: tuple[int, ...], theirs: tuple[int, ...], riposte: bool) -> dict[str, Fraction]:
    """What consult says.   ours, theirs: units, attack, defence, fortification."""
    names = "units", "attack", "defence", "fort"
    figures = [dict(zip(names, each, strict=True)) for each in (ours, theirs)]
    inputs = {"attacker": figures[0], "defender": figures[1], "riposte": riposte}
    found = dict.fromkeys(("losses", "gone", "riposte", "lost"), Fraction(0))
    for each in consult_odds("PR-5.3", inputs).outcomes:
        lost = each.result["defender_losses"]
        found["losses"] += Fraction(each.p) * lost
        found["gone"] += Fraction(each.p) * (lost == theirs[0])
        found["riposte"] += Fraction(each.p) * each.result["attacker_losses"]
        found["lost"] += Fraction(each.p) * (each.result["attacker_losses"] == ours[0])
    return found


def test_PR_5_3_a_melee_is_told_with_its_riposte_and_the_walls_of_both() -> None:
    """From the wall of 3 at c4: that of c5, lower, does not count, and c4's does (PR-7.3)."""
    key, chances = told(at_war(), "A1", "c4", "B1")
    assert key == "fought"
    assert chances == of_both((9, 2, 2, 3), (4, 2, 2, 2), True)


def together(war: War, at: dict[str, str], troop: str) -> Fact | None:
    """What is told beside B1 for a troop, the others having declared to attack it."""
    where = Field(war, "A")
    where.at.update(at)
    where.aims["B1"] = [one for one in at if one != troop]
    return told_with_others(war, war.troops[troop], where, "B1")


def test_PR_5_7_several_that_attack_together_are_told_as_consult_adds_them_up() -> None:
    war = at_war()
    fact = together(war, {"A1": "c4", "A2": "b5"}, "A2")
    assert fact is not None
    assert (fact.key, fact.data["troops"]) == ("joint_fought", ["A1"])
    names = "units", "attack", "defence", "fort"
    light, bows, foe = (
        dict(zip(names, each, strict=True)) for each in ((9, 2, 2, 3), (6, 3, 1, 0), (4, 2, 2, 2))
    )
    asked = {"attackers": [light, bows], "defender": foe}
    losses, gone = Fraction(0), Fraction(0)
    for each in consult_odds("PR-5.7", asked).outcomes:
        losses += Fraction(each.p) * each.result["defender_losses"]
        gone += Fraction(each.p) * (each.result["defender_losses"] == 4)
    assert chance(fact, "losses") == losses
    assert chance(fact, "gone") == gone
    worst = of_both((6, 3, 1, 0), (4, 2, 2, 2), True)
    assert [chance(fact, name) for name in ("riposte", "lost")] == [worst["riposte"], worst["lost"]]


def test_PR_5_7_who_shoots_attacks_apart() -> None:
    fact = together(at_war(), {"A2": "d3", "A1": "c4"}, "A1")
    assert fact is not None and fact.key == "fought"


def test_PR_5_5_who_shoots_is_not_answered() -> None:
    key, chances = told(at_war(), "A2", "d3", "B1")
    assert key == "attack"
    wanted = of_both((6, 3, 1, 0), (4, 2, 2, 2), False)
    assert chances == {name: wanted[name] for name in ("losses", "gone")}


def test_nothing_is_said_where_priests_are_about_or_where_it_would_take_long() -> None:
    war = at_war()
    ann = war.troops["A1"]
    assert attack_told(war.with_army("B", rerolls=1), ann, "c4", "B1") is None
    every = at_war(dice="all")
    assert attack_told(every, ann, "c4", "B1") is not None
    assert attack_told(every.changed("B1", units=500), ann, "c4", "B1") is None
    assert attack_told(war.changed("B1", units=500), ann, "c4", "B1") is not None


def chance(fact: Fact | None, name: str) -> Fraction:
    assert fact is not None
    return exact(fact.data[name], RULES)


def test_PR_7_4_an_invasion() -> None:
    assert chance(invasion_told(at_war(), "c4"), "enters") == Fraction(3, 6)
    assert chance(invasion_told(at_war(), "c5"), "enters") == Fraction(4, 6)


@pytest.mark.parametrize(("ours", "theirs"), [(0, 0), (2, 1), (0, 5)])
def test_PR_7_6_a_duel_by_every_pair_of_dice_that_is_not_a_tie(ours: int, theirs: int) -> None:
    war = at_war()
    skills = {war.troops["A1"].leader: ours, war.troops["B1"].leader: theirs}
    persons = {
        code: replace(person, skill=skills.get(code, person.skill))
        for code, person in war.persons.items()
    }
    war = replace(war, persons=persons)
    gaps = [a + ours - b - theirs for a, b in product(range(1, 7), repeat=2)]
    won = Fraction(sum(gap > 0 for gap in gaps), sum(gap != 0 for gap in gaps))
    assert chance(duel_told(war, "A1", "B1"), "won") == won
    assert chance(duel_told(war, "A1", "B1", challenged=True), "won") == 1 - won


def test_PR_7_6_a_duel_that_players_settle_has_no_chance() -> None:
    assert duel_told(at_war(duel="entered"), "A1", "B1") is None
