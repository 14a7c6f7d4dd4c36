"""What loot buys, and where it arrives (AT-5.2 to AT-5.4, AT-1.14, AT-10.2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from polemarque.systems.atlantide.purchases import (
    affordable_refill,
    fortress_refusal,
    fortress_sites,
    joined,
    muster_places,
    refill,
    refill_price,
    reorganisation_refusal,
)
from polemarque.systems.atlantide.state import Waiting
from polemarque.systems.atlantide.troops import Army, Duty, figures
from tests.systems.atlantide.wars import (
    agreed,
    army,
    chosen,
    general,
    hero,
    owned,
    slingers,
    spearmen,
    war,
)

# Fortresses (AT-5.3) ------------------------------------------------------------------------------


def test_a_fortress_stands_on_own_land_twice_at_most() -> None:
    state = war(A="m1", B="a1")
    assert fortress_sites(state, "A") == ("m1", "m2", "m3")
    twice = state.fortified("m2").fortified("m2")
    assert twice.lands["m2"].fortresses == 2
    assert fortress_refusal(twice, "A", "m2") == "fortress.two"
    assert fortress_sites(twice, "A") == ("m1", "m3")


@pytest.mark.parametrize(
    ("place", "code"), [("a1", "fortress.not_own"), ("h1", "fortress.not_own")]
)
def test_not_on_others_land(place, code) -> None:
    assert fortress_refusal(war(A="m1", B="a1"), "A", place) == code


def test_not_where_an_enemy_army_stands_even_by_agreement() -> None:
    state = agreed(war(A="m1", B="m2"), "stationing", "A", "B", "m2")
    assert fortress_refusal(state, "A", "m2") == "fortress.enemy_army"
    retreating = war(A="m1", B=army("m2", duty=Duty("beaten")))
    assert fortress_refusal(retreating, "A", "m2") == ""


def test_not_without_fifty_loot() -> None:
    poor = war(A="m1", B="a1").paying("A", 201)
    assert fortress_refusal(poor, "A", "m1") == "fortress.loot"
    assert fortress_sites(poor, "A") == ()
    assert fortress_refusal(poor.earning("A", 1), "A", "m1") == ""


# Filling up (AT-5.2) ------------------------------------------------------------------------------


def test_single_figures_cost_their_worth_rounded_up() -> None:
    book = spearmen(1, 10, 16, points=111)  # 6.9375 a figure
    assert [refill_price(book, n) for n in (0, 1, 2, 6)] == [0, 7, 14, 42]


def test_a_unit_is_filled_up_to_its_full_count_what_is_bought_counted() -> None:
    state = war(A=army("m1", spearmen(figures=12)), B="a1")
    seat, unit = state.seats["A"], state.seats["A"].army.units[0]
    assert affordable_refill(seat, unit, 250) == 8
    assert affordable_refill(seat, unit, 31) == 4  # 7.75 each
    assert affordable_refill(seat, unit, 30) == 3
    waiting = replace(seat, waiting=(Waiting("bought", 1, None, (refill(unit, 5),)),))
    assert affordable_refill(waiting, unit, 250) == 3


@given(st.integers(1, 30), st.integers(1, 400), st.integers(0, 300))
def test_what_is_affordable_can_be_paid_and_one_more_cannot(full, points, loot) -> None:
    unit = spearmen(1, 1, full, points=points)
    seat = war(A=army("m1", unit), B="a1").seats["A"]
    number = affordable_refill(seat, unit, loot)
    assert refill_price(unit, number) <= loot
    assert number == full - 1 or refill_price(unit, number + 1) > loot


def test_units_join_and_fill_up() -> None:
    force = army("m1", spearmen(1, 12))
    after = joined(force, (refill(spearmen(1), 5), slingers(4)), (hero(),))
    assert [(unit.id, unit.figures) for unit in after.units] == [(1, 17), (4, 10)]
    assert [character.id for character in after.characters] == [9, 8]


def test_what_passes_the_full_count_makes_a_unit_of_its_own() -> None:
    full = spearmen(1, 18, warband="yes", die=3)
    after = joined(army("m1", full), (refill(full, 5),), (), 30)
    assert [(unit.id, unit.figures, unit.die) for unit in after.units] == [(1, 20, 3), (30, 3, 0)]


@given(st.lists(st.integers(1, 20), max_size=6))
def test_nobody_is_lost_on_joining(coming) -> None:
    force = army("m1", spearmen(1, 12))
    after = joined(force, [refill(spearmen(1), number) for number in coming])
    assert figures(after) == figures(force) + sum(coming)
    assert len({unit.id for unit in after.units}) == len(after.units)


# Places -------------------------------------------------------------------------------------------


def test_a_new_army_forms_in_the_royal_city() -> None:
    assert muster_places(war(A=None, B="a1"), "A") == ("m1",)


def test_without_the_city_in_any_territory() -> None:
    lost = owned(war(A=None, B="a1"), "B", "m1")
    assert muster_places(lost, "A") == ("m2", "m3")
    elsewhere = owned(lost, "A", "e1")
    assert muster_places(chosen(elsewhere, supply_city="own"), "A") == ("m2", "m3", "e1")
    assert muster_places(elsewhere, "A") == ("e1",)


def test_it_waits_where_an_enemy_army_stands() -> None:
    assert muster_places(war(A=None, B="m1"), "A") == ()
    retreating = war(A=None, B=army("m1", duty=Duty("beaten")))
    assert muster_places(retreating, "A") == ("m1",)


def test_it_waits_where_two_armies_are() -> None:
    crowd = war(A=None, B=army("m1", duty=Duty("beaten")), C=army("m1", duty=Duty("beaten")))
    assert muster_places(crowd, "A") == ()


def test_with_no_land_there_is_no_place() -> None:
    assert muster_places(owned(war(A=None, B="a1"), "B", "m1", "m2", "m3"), "A") == ()


@pytest.mark.parametrize(
    ("force", "code"),
    [
        (None, "reorganise.no_army"),
        (army("m1"), ""),
        (army("m2"), "reorganise.no_city"),
        (army("a1"), "reorganise.no_city"),
        (army("h1"), "reorganise.no_city"),
        (army("m1", duty=Duty("leave")), "reorganise.duty"),
        (Army((spearmen(),), (), "m1"), ""),
    ],
)
def test_where_an_army_may_reorganise(force, code) -> None:
    assert reorganisation_refusal(war(A=force, B="a2"), "A") == code


def test_any_royal_city_he_owns_will_do() -> None:
    state = owned(war(A=Army((spearmen(),), (general(),), "h1"), B="a2"), "A", "h1")
    assert reorganisation_refusal(state, "A") == ""
