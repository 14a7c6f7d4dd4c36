"""What a troop keeps, passes on and loses when it merges (PR-7.8) or divides (PR-7.7)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.kernel.agenda import Tell
from polemarque.kernel.events import Modifier
from polemarque.systems.promiterra.chapters.declaring import Declaration
from polemarque.systems.promiterra.current_stats import stats
from polemarque.systems.promiterra.ground import Field
from polemarque.systems.promiterra.setup.catalogue import Ability
from polemarque.systems.promiterra.state import Effect, Order, War
from polemarque.systems.promiterra.stats import Change
from tests.systems.promiterra.wars import ran, setup, troop, war_of

GIVEN = setup(
    [
        troop("light", 9, "Ann", "c3", others=["Al"]),
        troop("light", 4, "Abe", "c4", others=["Ada", "Axel"]),
    ],
    [troop("light", 7, "Bob", "g6")],
)

MERGER = Order("A2", act="merger", target="A1", leader="A-3", cell="c3")
"""Abe's four join Ann's nine, and Abe leads."""

DIVISION = Order("A1", act="division", leader="A-2", units=3, cell="d3")
"""Al leaves Ann with three of nine."""


def at_war() -> War:
    """A's first turn."""
    return replace(war_of(GIVEN), playing="A", turn=1)


def done(rule: str, war: War, order: Order) -> tuple[War, list[str]]:
    """The war after an order, and what was told."""
    after, _, said = ran(rule, war, order)
    return after, [each.kind for each in said if isinstance(each, Tell)]


def merged(war: War, order: Order = MERGER) -> War:
    """The war after a merger that succeeds."""
    after, told = done("PR-7.8", war, order)
    assert told == ["merges"]
    return after


def divided(war: War) -> War:
    """The war after a division that succeeds."""
    after, told = done("PR-7.7", war, DIVISION)
    assert told == ["divides"]
    return after


# Mergers -----------------------------------------------------------------------------------------


def test_PR_8_4_units_lost_before_a_merger_are_counted_once() -> None:
    war = at_war().changed("A1", lost=2).changed("A2", lost=5)
    after = merged(war)
    assert (after.troops["A1"].lost, after.troops["A2"].lost) == (7, 0)
    assert (after.troops["A1"].units, after.troops["A2"].units) == (13, 0)


@pytest.mark.parametrize("bearer", ["A1", "A2"])
@pytest.mark.parametrize("mark", ["bled", "unwell", "refused"])
def test_marks_of_either_troop_stay_on_the_whole(mark: str, bearer: str) -> None:
    after = merged(at_war().changed(bearer, **{mark: True}))
    assert getattr(after.troops["A1"], mark)
    assert not getattr(merged(at_war()).troops["A1"], mark)


@pytest.mark.parametrize(
    ("larger", "smaller", "refusing", "whole"),
    [
        (7, 7, (), 7),
        (7, 7, ("A2",), 6),
        (7, 7, ("A1",), 6),
        (7, 7, ("A1", "A2"), 6),
        (7, 8, ("A2",), 7),
        (7, 9, ("A2",), 7),
        (9, 7, ("A1",), 7),
    ],
)
def test_PR_7_6_the_weaker_loyalty_stands_with_what_a_refusal_has_cost(
    larger: int, smaller: int, refusing: tuple[str, ...], whole: int
) -> None:
    war = at_war()
    for code, loyalty in (("A1", larger), ("A2", smaller)):
        base = replace(war.troops[code].base, loyalty=loyalty)
        war = war.changed(code, base=base, refused=code in refusing)
    after = merged(war)
    assert stats(after, after.troops["A1"]).loyalty == whole


@pytest.mark.parametrize(
    ("larger", "gift", "smaller", "whole"),
    [(4, 9, 6, 6), (4, 1, 6, 5), (4, -9, 2, 0), (4, 0, 6, 4), (6, 3, 6, 6)],
)
def test_PR_7_8_what_an_ability_changes_is_compared_within_the_limits(
    larger: int, gift: int, smaller: int, whole: int
) -> None:
    war = at_war()
    for code, attack, more in (("A1", larger, gift), ("A2", smaller, 0)):
        was = war.troops[code]
        base, ability = replace(was.base, attack=attack), Ability(change=Change(attack=more))
        war = war.changed(code, base=base, ability=ability)
    for code in ("A1", "A2"):
        after = merged(war.changed(code, units=20))
        assert stats(after, after.troops[code]).attack == whole


def test_PR_1_2_everybody_of_the_smaller_troop_stands_in_the_whole() -> None:
    after = merged(at_war())
    assert {person.troop for person in after.people if person.army == "A"} == {"A1"}
    assert after.troops["A1"].leader == "A-3"


@pytest.mark.parametrize(("named", "stays", "goes"), [("A1", "A1", "A2"), ("A2", "A2", "A1")])
def test_with_equal_numbers_either_name_may_stay(named: str, stays: str, goes: str) -> None:
    war = at_war().changed("A1", units=4)
    after = merged(war, replace(MERGER, named=named))
    assert (after.troops[stays].fate, after.troops[goes].fate) == ("present", "merged")


def test_PR_7_1_a_barricade_ends_with_the_merger() -> None:
    after = merged(at_war().changed("A1", barricaded=True).changed("A2", barricaded=True))
    assert not after.troops["A1"].barricaded
    assert not after.troops["A2"].barricaded


def test_war_actions_on_the_larger_troop_hold_for_the_whole_the_others_end() -> None:
    shout = Effect("A", "A-1", "cry", "A1")
    war = replace(at_war(), effects=(shout, replace(shout, troop="A2")))
    after = merged(war)
    present = {each.id for each in after.present}
    assert [effect for effect in after.effects if effect.troop in present] == [shout]


@pytest.mark.parametrize(
    "changes",
    [{"cell": "c1"}, {"type": "missile"}, {"army": "B"}, {"fate": "fled", "cell": ""}],
)
def test_a_merger_that_cannot_be_made_any_more_is_lost(changes: dict[str, Any]) -> None:
    war = at_war().changed("A1", **changes)
    assert done("PR-7.8", war, MERGER) == (war, ["lost_act"])


def test_PR_7_9_starting_units_are_added() -> None:
    assert merged(at_war()).troops["A1"].start == 13


# Divisions ---------------------------------------------------------------------------------------


def test_PR_8_4_units_lost_before_a_division_stay_with_the_old_troop() -> None:
    after = divided(at_war().changed("A1", lost=2))
    assert (after.troops["A1"].lost, after.troops["A-2-1"].lost) == (2, 0)
    assert (after.troops["A1"].units, after.troops["A-2-1"].units) == (6, 3)


@pytest.mark.parametrize("mark", ["bled", "unwell", "refused"])
def test_the_new_troop_keeps_the_marks_of_the_old_one(mark: str) -> None:
    after = divided(at_war().changed("A1", **{mark: True}))
    assert getattr(after.troops["A-2-1"], mark)
    assert getattr(after.troops["A1"], mark)


def test_war_actions_hold_for_both_parts() -> None:
    war = replace(at_war(), effects=(Effect("A", "A-1", "cry", "A1"),))
    assert [effect.troop for effect in divided(war).effects] == ["A1", "A-2-1"]


def test_the_new_troop_is_not_behind_the_barricade_of_the_old_one() -> None:
    after = divided(at_war().changed("A1", barricaded=True))
    assert not after.troops["A-2-1"].barricaded
    assert after.troops["A1"].barricaded


@pytest.mark.parametrize(("units", "offered"), [(1, False), (2, True)])
def test_one_unit_cannot_be_divided(units: int, offered: bool) -> None:
    war = at_war().changed("A1", units=units)
    acts = Declaration(war, "A").acts(Field(war, "A"), war.troops["A1"], ())
    assert ("division" in acts) == offered


def test_the_leader_of_a_new_troop_stands_in_it_and_has_led() -> None:
    founder = divided(at_war()).persons["A-2"]
    assert (founder.troop, founder.led) == ("A-2-1", True)


def test_PR_7_9_the_shares_are_cited() -> None:
    def cited(rule: str, order: Order) -> list[Modifier]:
        _, _, (said, *_) = ran(rule, at_war(), order)
        return list(said.sum.parts)

    assert cited("PR-7.7", DIVISION) == [
        Modifier(3, "new_troop", "PR-7.9"), Modifier(6, "old_troop", "PR-7.9")
    ]  # fmt: skip
    assert cited("PR-7.8", MERGER) == [
        Modifier(9, "kept_troop", "PR-7.9"), Modifier(4, "joining_troop", "PR-7.9")
    ]  # fmt: skip
