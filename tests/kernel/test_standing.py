"""Who shares a place, and who is out: what is read of a game that is not over."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from polemarque.bots.play import play_game
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.new_game import opening
from polemarque.kernel.system import Standing, by_place, find_system

OURS = ("atlantide", "batailles", "mare_nostrum", "promiterra", "thucidide")


def short(name: str) -> dict[str, int]:
    """Options by which a game ends soon, where its rules set no end."""
    return {"turn_limit": 3} if find_system(name).turns else {}


def test_equal_merits_share_a_place_in_the_order_given() -> None:
    assert by_place({"A": 1, "B": 3, "C": 1}) == (("B",), ("A", "C"))
    assert by_place({}) == ()


def test_the_ranking_is_the_places_in_one_line() -> None:
    assert Standing(False, (), (("C",), ("B", "A"))).ranking == ("C", "B", "A")
    assert Standing(False).ranking == ()


@pytest.mark.parametrize("name", OURS)
def test_every_seat_has_a_place_from_the_opening_to_the_end(name: str) -> None:
    header = new_header(name, seed=2, options=short(name))
    game = Game(header)
    seen = []

    def look(_: object = None) -> None:
        standing = game.system.standing(game.state)
        seen.append(standing)
        assert sorted(standing.ranking) == sorted(header.seats)

    look()
    play_game(game, dict.fromkeys(header.seats, "steady"), on_step=look)
    look()
    assert seen[-1].over


@pytest.mark.parametrize("name", ["atlantide", "mare_nostrum", "thucidide"])
def test_nobody_leads_before_anybody_has_done_anything(name: str) -> None:
    header = new_header(name, seed=1)
    standing = find_system(name).standing(opening(header).state)
    assert standing.places == (header.seats,)


@pytest.mark.parametrize("name", ["atlantide", "mare_nostrum"])
def test_whoever_was_eliminated_is_out(name: str) -> None:
    system = find_system(name)
    state = opening(new_header(name, seed=1)).state
    assert system.standing(state).out == ()
    if name == "atlantide":
        state = state.eliminated("B")
    else:
        seats = {**state.seats, "B": replace(state.seats["B"], eliminated=1)}
        state = replace(state, seats=seats)
    assert system.standing(state).out == ("B",)


def test_a_battle_knows_no_elimination() -> None:
    state = opening(new_header("batailles", seed=1)).state
    assert find_system("batailles").standing(state).out is None
