"""Order of play, the end, who leads (AT-1.10 to AT-1.12, AT-2.2)."""

import pytest
from hypothesis import given
from msgspec.structs import replace

from polemarque.systems.atlantide.chapters.turn import (
    campaign_points,
    end_reached,
    is_out,
    leaders,
    may_return,
    order_groups,
    return_cities,
    standings,
    tied,
)
from polemarque.systems.atlantide.state import Waiting
from polemarque.systems.atlantide.troops import Army
from tests.systems.atlantide.islands import SEATS, wars
from tests.systems.atlantide.wars import army, chosen, general, owned, slingers, spearmen, war


def test_players_act_in_decreasing_initiative_ties_together_without_army_last() -> None:
    quick = Army((spearmen(), slingers()), (general(),), "m1")
    assert order_groups(war(A="m1", B="a1", C="e1")) == (("A", "B", "C"),)
    assert order_groups(war(A="m1", B=None, C=quick)) == (("C",), ("A",), ("B",))
    assert order_groups(war(A=None, B=None, C="e1")) == (("C",), ("A", "B"))


def test_this_turn_s_leadership_counts() -> None:
    assert order_groups(war(A=army("m1", army_ld=-1), B="a1")) == (("B",), ("A",))


def test_who_is_tied() -> None:
    assert tied({"A": 90, "B": 85, "C": 90, "D": 80}) == ("A", "C")
    assert tied({"A": 90, "B": 85}) == ()


# Eliminated (AT-1.12) -----------------------------------------------------------------------------


def test_eliminated_is_no_territory_no_army_none_to_come() -> None:
    landless = owned(war(A=None, B="a1"), "B", "m1", "m2", "m3")
    assert is_out(landless, "A")
    assert not is_out(war(A=None, B="a1"), "A")
    assert not is_out(owned(war(A="m1", B="a1"), "B", "m1", "m2", "m3"), "A")
    coming = landless.changed("A", waiting=(Waiting("returned", 2, None, (spearmen(),)),))
    assert not is_out(coming, "A")


def test_where_an_eliminated_player_may_come_back() -> None:
    state = war(A="m1", B="a1")
    assert return_cities(state) == ("e1",)
    assert return_cities(state.moved("A", "e1")) == ()
    assert return_cities(owned(state, "A", "e1")) == ()
    assert return_cities(owned(state, None, "m1", "m2", "m3").moved("A", "m2")) == ("m1", "e1")
    assert return_cities(chosen(state, return_="none")) == ()


def test_the_earliest_eliminated_come_first_and_once_only() -> None:
    state = war(A=None, B=None, C="e1").changed("A", eliminated=4).changed("B", eliminated=2)
    assert may_return(state) == ("B", "A")
    assert may_return(state.changed("B", returned=True)) == ("A",)
    assert may_return(state.changed("B", given_up=True)) == ("A",)


# The end (AT-1.10) --------------------------------------------------------------------------------


def test_why_a_campaign_ends() -> None:
    state = war(A="m1", B="a1")
    assert end_reached(state) == ""
    assert end_reached(state.eliminated("B")) == "alone"
    assert end_reached(owned(state, "A", *state.board.ids)) == "all_land"
    limited = chosen(state, turn_limit=2)
    assert end_reached(limited) == ""
    assert end_reached(replace(limited, turn=2)) == "turn_limit"


# The winner (AT-1.11) -----------------------------------------------------------------------------


def test_most_territories() -> None:
    state = owned(war(A="m1", B="a1", C="e1"), "B", "h1")
    assert leaders(state) == leaders(state, SEATS[:3])
    assert leaders(state).seats == ("B",)
    assert leaders(state).by == "territories"


def test_then_the_city_of_atlantis_among_the_tied_only() -> None:
    state = owned(owned(war(A="m1", B="a1", C="e1"), "B", "h1"), "A", "h2")
    assert leaders(state).seats == ("B",)
    assert leaders(state).by == "atlantis"
    # C holds the city, but is not among the tied: the next criterion decides.
    poor = owned(owned(state, "C", "h1"), None, "e1", "e2", "e3")
    rich = owned(poor, None, "h2").earning("A", 1)
    assert leaders(rich).seats == ("A",)
    assert leaders(rich).by == "points"


def test_then_loot_and_army_points_then_a_roll_off() -> None:
    level = war(A="m1", B="a1", C="e1")
    assert leaders(level).seats == ("A", "B", "C")
    assert leaders(level).by == "roll_off"
    assert leaders(level.paying("C", 1)).seats == ("A", "B")
    assert leaders(level.earning("B", 1)).seats == ("B",)


def test_waiting_units_count_and_points_are_rounded_once() -> None:
    # Two thirds of 10 in the army and two thirds of 10 on their way: 13, not 12.
    third = spearmen(1, 2, 3, points=10)
    state = war(A=Army((third,), (), "m1"), B="a1")
    state = state.changed("A", loot=7, waiting=(Waiting("bought", 1, "m1", (third,)),))
    assert campaign_points(state.seats["A"]) == 7 + 13


def test_the_eliminated_do_not_win_but_have_their_place() -> None:
    state = owned(war(A="m1", B="a1", C=None), None, "e1", "e2", "e3")
    state = owned(state, "B", "h2").eliminated("C")
    assert leaders(state).seats == ("B",)
    assert standings(state) == (("B",), ("A",), ("C",))


@given(wars())
def test_everybody_has_one_place_and_the_first_leads(state) -> None:
    groups = standings(state)
    assert sorted(seat for group in groups for seat in group) == list(SEATS)
    assert groups[0] == leaders(state).seats
    counts = [len(state.lands_of(seat)) for group in groups for seat in group]
    assert counts == sorted(counts, reverse=True)


@pytest.mark.parametrize("seat", ["A", "B"])
def test_nobody_in_play_is_nobody_s_victory(seat) -> None:
    state = war(A=None, B=None).eliminated("A").eliminated("B")
    assert leaders(state).seats == ()
    assert end_reached(state) == "alone"
