"""Combat force and initiative (AT-1.5 to AT-1.8)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from polemarque.systems.atlantide.strength import (
    Troop,
    army_force,
    army_initiative,
    combat_force,
    dice_wanted,
    force_total,
    general_bonus,
    initiative,
    initiative_total,
)
from polemarque.systems.atlantide.troops import Army, Unit
from tests.systems.atlantide.wars import army, general, hero, slingers, spearmen

BOOK = (
    Troop("character"),
    Troop("character"),
    Troop("light_chariot"),
    Troop("infantry", 3, "yes", dice=(1,)),
    Troop("infantry", 3, "yes", dice=(3,)),
    Troop("light_infantry", 3),
    Troop("light_infantry", 3),
    Troop("skirmishers"),
)
"""The Mycenaean army of AT-1.7."""


def test_at_1_7_the_book_s_army_is_worth_ten() -> None:
    force = combat_force(BOOK, 8)
    assert force.total == 10
    said = [(part.reason, part.amount) for part in force.parts]
    assert said == [
        ("character", 1), ("character", 1), ("light_chariot", 2),
        ("infantry", 2), ("warband", -1), ("infantry", 2), ("warband", 1),
        ("light_infantry", 1), ("light_infantry", 1), ("skirmishers", 0), ("general", 0),
    ]  # fmt: skip
    assert {part.rule for part in force.parts} == {"AT-1.5"}


def test_at_1_8_the_book_s_army_has_initiative_120() -> None:
    speed = initiative(BOOK, 8)
    assert speed.total == 120
    assert [part.amount for part in speed.parts] == [80, 10, 10, 20]


@pytest.mark.parametrize(
    ("kind", "ws", "each"),
    [
        ("infantry", 5, 3), ("infantry", 4, 3), ("infantry", 3, 2), ("infantry", 2, 1),
        ("infantry", 0, 1), ("light_infantry", 4, 2), ("light_infantry", 3, 1),
        ("light_infantry", 2, 1), ("cavalry", 4, 3), ("cavalry", 3, 2), ("cavalry", 1, 2),
        ("light_cavalry", 5, 1), ("heavy_chariot", 0, 3), ("light_chariot", 0, 2),
        ("elephant", 0, 2), ("artillery", 0, 2), ("character", 0, 1),
    ],
)  # fmt: skip
def test_at_1_5_each_row(kind, ws, each) -> None:
    assert combat_force([Troop(kind, ws, count=4)], 8).total == 4 * each


@pytest.mark.parametrize(("units", "force"), [(1, 0), (2, 0), (3, 1), (5, 1), (6, 2)])
def test_skirmishers_count_by_three_in_all(units, force) -> None:
    one_line = combat_force([Troop("skirmishers", count=units)], 8).total
    spread = combat_force([Troop("skirmishers")] * units, 8).total
    assert one_line == spread == force


@pytest.mark.parametrize(
    ("ld", "force"), [(None, -2), (0, -1), (6, -1), (7, -1), (8, 0), (9, 1), (10, 2), (12, 2)]
)
def test_the_general_s_row(ld, force) -> None:
    assert general_bonus(ld) == force
    assert combat_force([], ld).total == force


@pytest.mark.parametrize(
    ("warband", "die", "adds"),
    [("yes", 1, -1), ("yes", 2, 0), ("yes", 3, 1), ("fanatic", 1, 0), ("fanatic", 3, 2)],
)
def test_a_warband_s_die_comes_on_top_of_its_type(warband, die, adds) -> None:
    assert combat_force([Troop("infantry", 2, warband, dice=(die,))], 8).total == 1 + adds
    # Skirmishers too small for a point of force still roll.
    assert combat_force([Troop("skirmishers", 2, warband, dice=(die,))], 8).total == adds


def test_a_line_of_several_warbands_rolls_one_die_each() -> None:
    line = Troop("infantry", 3, "fanatic", count=3, dice=(1, 2, 3))
    assert dice_wanted(line) == 3
    assert combat_force([line], 8).total == 3 * 2 + (0 + 1 + 2)


def test_characters_never_roll() -> None:
    chieftain = Troop("character", 5, "yes", count=2, dice=(3, 3))
    assert dice_wanted(chieftain) == 0
    assert combat_force([chieftain], 8).total == 2


def test_a_force_may_be_negative() -> None:
    assert combat_force([], None).total == -2


@pytest.mark.parametrize(("best", "speed"), [(None, 50), (7, 70), (10, 100)])
def test_at_1_8_without_a_general(best, speed) -> None:
    assert initiative([], None, best).total == speed


def test_initiative_counts_units_by_kind() -> None:
    troops = [
        Troop("light_infantry", count=2), Troop("light_cavalry", count=3),
        Troop("skirmishers", count=4), Troop("infantry", 4), Troop("cavalry", 4),
        Troop("elephant", count=2),
    ]  # fmt: skip
    assert initiative(troops, 9).total == 90 + 20 + 60 + 80


# Armies in the field ------------------------------------------------------------------------------


def test_elephants_and_guns_count_by_the_piece_left() -> None:
    pair = spearmen(1, 2, 2, kind="elephant")
    assert force_total(army("m1", pair)) == 4
    assert force_total(army("m1", replace(pair, figures=1))) == 2
    assert force_total(army("m1", replace(pair, kind="artillery"))) == 4


def test_a_unit_counts_while_it_has_a_figure() -> None:
    assert force_total(army("m1", spearmen(figures=1))) == 2


def test_the_general_is_no_character_beside_himself() -> None:
    force = Army((spearmen(),), (general(ld=9), hero()), "m1")
    assert force_total(force) == 2 + 1 + 1


def test_an_army_s_warband_keeps_its_die() -> None:
    force = army("m1", spearmen(warband="yes"), slingers(warband="fanatic"))
    assert force.to_roll() == (1, 2)
    rolled = force.rolled(1, 1).rolled(2, 3)
    assert rolled.to_roll() == ()
    assert force_total(rolled) == 2 - 1 + 2


@pytest.mark.parametrize(
    ("event", "supply", "ld"), [(0, 0, 9), (-1, 0, 8), (1, -1, 9), (-1, -1, 7)]
)
def test_at_3_3_leadership_changes_add_up(event, supply, ld) -> None:
    force = Army((spearmen(),), (general(ld=9),), "m1", general_ld=event, army_ld=supply)
    assert force.leadership == ld
    assert initiative_total(force) == 10 * ld
    assert force_total(force) == 2 + general_bonus(ld)
    assert force.new_turn().leadership == 9


def test_without_a_general_the_best_character_leads_at_his_leadership_of_the_turn() -> None:
    leaderless = Army((slingers(),), (hero(ld=7), hero(7, ld=8)), "m1", general_ld=1, army_ld=-1)
    # An event changes the general alone; hunger lowers every character.
    assert initiative_total(leaderless) == 70 + 20
    assert force_total(leaderless) == 2 - 2
    assert initiative_total(Army((slingers(),), (), "m1")) == 50 + 20


KINDS = (
    "infantry", "light_infantry", "skirmishers", "cavalry", "light_cavalry", "heavy_chariot",
    "light_chariot", "elephant", "artillery",
)  # fmt: skip


@st.composite
def armies(draw: st.DrawFn) -> Army:
    units = []
    for number in range(1, draw(st.integers(0, 8)) + 1):
        warband = draw(st.sampled_from(("no", "yes", "fanatic")))
        die = 0 if warband == "no" else draw(st.integers(0, 3))
        full = draw(st.integers(1, 30))
        units.append(
            Unit(
                number, "x", draw(st.sampled_from(KINDS)), full, draw(st.integers(1, full)),
                warband, die, ws=draw(st.integers(1, 6)), toughness=3, ld=7,
                points=draw(st.integers(full, 300)),
            )
        )  # fmt: skip
    leaders = [general(90, draw(st.integers(5, 10)))] if draw(st.booleans()) else []
    heroes = [hero(100 + n, draw(st.integers(5, 10))) for n in range(draw(st.integers(0, 3)))]
    return Army(
        tuple(units), (*leaders, *heroes), "m1",
        general_ld=draw(st.integers(-1, 1)), army_ld=draw(st.integers(-1, 0)),
    )  # fmt: skip


@given(armies())
def test_the_bare_number_is_the_explained_one(force) -> None:
    assert force_total(force) == army_force(force).total
    assert initiative_total(force) == army_initiative(force).total


@given(armies())
def test_guests_are_counted_with_the_army_s_own(force) -> None:
    own = sum(1 for unit in force.units if unit.kind == "skirmishers")
    guests = (Troop("skirmishers", count=2), Troop("character"))
    assert army_force(force, guests).total - force_total(force) == (own + 2) // 3 - own // 3 + 1
