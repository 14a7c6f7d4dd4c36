"""Chances beside the choices of a player: passage, assault, and want of supply."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.kernel.agenda import rules_of
from polemarque.kernel.new_game import new_header
from polemarque.kernel.position import encode
from polemarque.kernel.request import Fact
from polemarque.odds.beside_options import exact, figures_told
from polemarque.odds.consult import consult_odds
from polemarque.report.game_words import Words
from polemarque.systems.atlantide import SYSTEM
from polemarque.systems.atlantide.chapters.battle import resolver_told
from polemarque.systems.atlantide.chapters.conquest import goal_told, told_of
from polemarque.systems.atlantide.chapters.marches import way_told
from polemarque.systems.atlantide.chapters.provisions import want_told
from polemarque.systems.atlantide.state import Battle, War
from polemarque.systems.atlantide.strength import force_total, ground_of
from polemarque.systems.atlantide.troops import Duty
from tests.systems.atlantide.wars import agreed, army, owned, slingers, spearmen, war

RULES = rules_of(SYSTEM.package, SYSTEM.edition)


def before(**more) -> War:
    """A before a territory, from m2; B far away."""
    return war(A=army("e2", start="m2", entered=1, **more), B="a1")


def chance(fact: Fact | None, name: str) -> Fraction:
    assert fact is not None
    return exact(fact.data[name], RULES)


def asked(rule: str, inputs: dict[str, Any], holds: Callable[[dict[str, Any]], bool]) -> Fraction:
    return sum(
        (Fraction(o.p) for o in consult_odds(rule, inputs).outcomes if holds(o.result)), Fraction(0)
    )


@pytest.mark.parametrize("bribe", [0, 50, 100, 400])
@pytest.mark.parametrize("lead", [True, False])
def test_AT_9_2_the_chance_of_a_passage_is_that_of_consult(bribe: int, lead: bool) -> None:
    fact = told_of(before(lead=lead), "A", "passage", bribe)
    inputs = {"loot": bribe, "general_ld": 8 if lead else "none"}
    assert chance(fact, "granted") == asked("AT-9.2", inputs, lambda fate: fate["passage"])


def test_AT_9_2_a_bribe_of_200_is_sure() -> None:
    """D6, +1 per 50, 5 or more: no die is too low; without a bribe some are."""
    assert chance(told_of(before(), "A", "passage", 200), "granted") == 1
    assert 0 < chance(told_of(before(), "A", "passage", 0), "granted") < 1


def test_AT_9_5_the_chance_of_an_assault_is_that_of_consult() -> None:
    """Of an army too large to be worn down: consult asks for no number of figures."""
    large = army("e2", *[spearmen(number) for number in range(11, 19)], start="m2", entered=1)
    state = war(A=large, B="a1")
    ground = ground_of(state, "e2", "A")
    inputs = {
        "combat_force": force_total(large), "loot": 100, "terrain": ground.terrain,
        "capital": ground.capital, "capital_conquered": ground.capital_conquered,
        "atlantis": ground.atlantis, "player_held": False, "fortresses": 0,
    }  # fmt: skip
    fact = told_of(state, "A", "attack", 100)
    taken = chance(fact, "taken")
    assert taken == asked("AT-9.5", inputs, lambda fate: fate["result"] == "taken")
    assert 0 < taken < 1
    assert taken > chance(told_of(state, "A", "attack", 0), "taken")


def test_nothing_is_said_of_staying() -> None:
    assert told_of(before(), "A", "stay", 0) is None
    assert told_of(before(), "A", "withdraw", 0) is None


def test_AT_7_2_a_goal_tells_what_would_be_told_there() -> None:
    """On the march the chances are those that stand beside the choice once it has arrived."""
    start = war(A=army("m2", start="m2", entered=1), B="a1")
    there = start.moved("A", "e2")
    for goal, state in ((("e2",), start), ((), there)):
        fact = goal_told(state, "A", goal)
        for name, act in (("taken", "attack"), ("granted", "passage")):
            assert chance(fact, name) == chance(told_of(there, "A", act, 0), name)
    assert goal_told(start, "A", ("m3",)) is None  # his own


def test_AT_9_8_of_a_players_land_nothing_is_told_that_an_agreement_forbids() -> None:
    start = owned(war(A=army("m2", start="m2", entered=1), B="a1"), "B", "e2")
    fact = goal_told(start, "A", ("e2",))
    assert fact is not None and fact.key == "players_goal"
    bound = agreed(start, "stationing", "B", "A", "e2", peace=True)
    assert goal_told(bound, "A", ("e2",)) is None
    leaving = start.army_changed("A", duty=Duty("leave"))
    assert goal_told(leaving, "A", ("e2",)) is None


@pytest.mark.parametrize("unsupplied", [0, 1, 3])
def test_AT_6_3_what_want_may_do_is_what_consult_says(unsupplied: int) -> None:
    state = war(A=army("h2", unsupplied=unsupplied), B="a1")
    inputs = {"earlier_turns": unsupplied, "loot": 50}
    fact = want_told(state, "A", 50)
    halted = asked("AT-6.3", inputs, lambda fate: not fate["moves"])
    assert chance(fact, "halted") == halted
    unharmed = {"ld": 0, "deserters": 0, "moves": True}
    assert chance(fact, "spared") == asked("AT-6.3", inputs, lambda fate: fate == unharmed)


@pytest.mark.parametrize("seat", ["A", "B"])
def test_AT_8_11_a_battle_by_the_table_is_told_for_forces_it_may_meet(
    seat: str,
) -> None:
    many = [spearmen(figures=16)] * 5
    state = war(A=army("e2", *many), B=army("e2", *many, lead=False))
    battle = Battle("e2", attacker="A", defender="B")
    fact = resolver_told(state, battle, seat, "table")
    assert fact is not None
    own = fact.data["own"]
    assert own == force_total(state.army_of(seat))
    winner = "attacker" if seat == "A" else "defender"
    for row in ("weak", "weaker", "even", "stronger", "strong"):
        other = fact.data[f"force_{row}"]
        forces = (own, other) if seat == "A" else (other, own)
        names = ("attacker_force", "defender_force", "defender_absent")
        inputs = dict(zip(names, (*forces, False), strict=True))
        assert chance(fact, row) == asked("AT-8.11", inputs, lambda fate: fate["winner"] == winner)
    assert chance(fact, "even") == Fraction(1, 2)
    assert resolver_told(state, battle, seat, "wab") is None
    assert resolver_told(state.changed(seat, absent=True), battle, seat, "table") is None
    rival = army("e2", spearmen(), slingers(), lead=False)
    other_war = state.changed("B" if seat == "A" else "A", army=rival)
    assert resolver_told(other_war, battle, seat, "table").data.keys() == fact.data.keys()
    assert figures_told(resolver_told(other_war, battle, seat, "table").data, RULES, "en") == (
        figures_told(fact.data, RULES, "en")
    )


def meeting(**more: Any) -> War:
    """A in m2, B in e2 beside it."""
    return war(A=army("m2", start="m2", entered=2), B=army("e2", start="e2", entered=1, **more))


@pytest.mark.parametrize("absent", [False, True])
def test_AT_7_5_a_way_to_another_army_tells_a_row_for_each_force_it_may_meet(absent: bool) -> None:
    own_army = army("m2", *[spearmen()] * 3, start="m2", entered=2)
    state = meeting(lead=False).changed("A", army=own_army).changed("B", absent=absent)
    fact = way_told(state, "A", ("e2",))
    assert fact is not None and fact.key == "met_by_table" and fact.data["foe"] == "B"
    own = fact.data["own"]
    assert own == force_total(state.army_of("A"))
    for row in ("weak", "even", "strong"):
        inputs = {"attacker_force": own, "defender_force": fact.data[f"force_{row}"],
                  "defender_absent": absent}  # fmt: skip
        won = asked("AT-8.11", inputs, lambda fate: fate["winner"] == "attacker")
        assert chance(fact, row) == won


def test_AT_7_5_no_force_below_0_is_told_but_ones_own() -> None:
    for force in (-2, 0, 4, 6):
        units = [spearmen()] * ((force + 2) // 2) or [slingers()]
        state = meeting().changed("A", army=army("m2", *units, lead=False))
        fact = way_told(state, "A", ("e2",))
        assert fact is not None and fact.data["own"] == force
        for lang, first in (("en", "against a force of"), ("fr", "contre une force de")):
            said = Words(new_header("atlantide"), lang).fact(fact)
            assert (f"{first} {force}," in said.replace("\u2212", "-")) == (force < 6), said
            battle = Battle("e2", attacker="A", defender="B")
            said = Words(new_header("atlantide"), lang).fact(
                resolver_told(state, battle, "A", "table")
            )
            assert "None" not in said and said.count("%") == {-2: 3, 0: 3, 4: 4, 6: 5}[force], said


def test_AT_7_5_no_secret_of_the_army_it_may_meet_moves_what_is_told() -> None:
    one = meeting()
    rival = army("e2", spearmen(figures=5), slingers(), start="e2", entered=1, lead=False)
    two = one.changed("B", army=rival, loot=5000)
    said = []
    for state in (one, two):
        fact = way_told(state, "A", ("e2",))
        assert fact is not None
        said.append(encode((fact.key, figures_told(fact.data, RULES, "en"))))
    assert said[0] == said[1]


def test_AT_7_5_no_battle_is_told_of_where_none_is_due() -> None:
    state = meeting()
    assert way_told(agreed(state, "stationing", "B", "A", "e2"), "A", ("e2",)).key != "met_by_table"
    assert way_told(state.army_changed("A", duty=Duty("leave")), "A", ("e2",)) is None
    other = way_told(state, "A", ("m3",))
    assert other is None or not other.key.startswith("met")
    on_a_table = replace(state, options=replace(state.options, resolver="wab"))
    fact = way_told(on_a_table, "A", ("e2",))
    assert fact == Fact("met", {"foe": "B"}), "nobody can enumerate what happens there"


def test_no_secret_of_another_moves_a_chance() -> None:
    """Only what everybody sees of B counts, and his loot and his list are not seen (AT-2.3)."""
    rival = army("a1", spearmen(figures=5), slingers(), lead=False)
    state = before()
    other = war(A=state.army_of("A"), B=rival)
    other = other.changed("B", loot=5000)
    for act, bribe in (("passage", 0), ("attack", 0), ("attack", 50)):
        one, two = told_of(state, "A", act, bribe), told_of(other, "A", act, bribe)
        assert one is not None and two is not None
        said = [figures_told(fact.data, RULES, "en") for fact in (one, two)]
        assert encode(said[0]) == encode(said[1])
