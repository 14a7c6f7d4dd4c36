"""The cards of pieces with their zones, and what others did last on a board."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.bots.play import play_game
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header
from polemarque.report.boards.board_view import seen_board
from polemarque.report.labels import names_of
from polemarque.report.pictures import Card, cards, last_moves


def begun(system: str, scenario: str) -> tuple[Game, list[Event]]:
    told: list[Event] = []
    game = Game(new_header(system, scenario=scenario, seed=2), publish=told.append)
    game.settle()
    return game, told


def card_of(game: Game, code: str, lang: str = "en", seat: str = "A") -> Card:
    names = names_of(game.system, game.state, lang)
    return cards(game.header.system, game.view(seat), lang, names)[code]


def zone(card: Card, name: str) -> tuple[str, ...]:
    return next(each.places for each in card.zones if each.name == name)


def test_a_unit_has_its_figures_and_what_its_orders_cost_beside_its_leader() -> None:
    """Hippothontis stands in Arimnestos' influence, the Plataeans do not (TH-3.4)."""
    game, _ = begun("thucidide", "marathon")
    away, near = dict(card_of(game, "A01").facts), dict(card_of(game, "A02").facts)
    assert away["Elements"] == near["Elements"] == "4 of 4"
    assert away["Movement"] == "2 hexes, 1 if it fights"
    assert "Charge! 3" in away["Attack orders, in tokens"].replace("\N{NARROW NO-BREAK SPACE}", "")
    assert "Charge! 2" in near["Attack orders, in tokens"].replace("\N{NARROW NO-BREAK SPACE}", "")
    assert "Mount" not in away["Manoeuvres, in tokens"], "hoplites have no horses"


def test_zones_are_those_of_the_rules() -> None:
    """A unit shoots as far as it reaches, not at what touches it, and not through units (TH-F9)."""
    game, _ = begun("thucidide", "marathon")
    board = game.state.board.grid
    unit = game.state.units["B03"]
    card = card_of(game, "B03")
    shots = zone(card, "Shoots")
    far = {board.distance(unit.cell, cell) for cell in shots}
    assert far == set(range(2, unit.figures.reach + 1))
    assert set(zone(card, "Hand to hand")) == set(board.neighbours(unit.cell))
    behind = game.state.units["B10"].cell  # a friend stands there, and others before it
    assert behind not in zone(card, "Moves, then fights") + zone(card, "Moves only")
    leader = next(one for one in game.state.leaders.values() if one.seat == "A")
    influence = zone(card_of(game, leader.code), "Influence")
    assert {board.distance(leader.cell, cell) for cell in influence} == {1}
    assert leader.influence == 1


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_all_of_a_troop_is_known_before_it_is_placed(lang: str) -> None:
    game, _ = begun("promiterra", "skirmish")
    names = names_of(game.system, game.state, lang)
    told = cards("promiterra", game.view("A"), lang, names)
    assert set(told) == set(game.state.troops), "the enemy's too"
    for code, troop in game.state.troops.items():
        said = " ".join(value for _, value in told[code].facts)
        person = game.state.persons[troop.leader]
        assert person.name in said
        assert str(troop.base.value) in said
        assert not told[code].zones
        assert told[code].notes, "that it is still to be placed"


def test_what_others_did_last_is_drawn_until_one_moves_oneself() -> None:
    game, told = begun("thucidide", "marathon")
    play_game(game, {"A": "steady", "B": "steady"}, stop=lambda now: now.state.turn == 3)
    moves = [event for event in told if event.rule == "TH-F8" and event.period == 2]
    assert moves
    for event in moves:
        assert event.data["seat"] == "B"
    seen = last_moves("thucidide", reversed(told), game.view("A"), "A")
    went = {(one.piece, one.start, one.path) for one in seen if one.kind == "move"}
    expected = {(e.data["unit"], e.data["start"], (*e.data["via"], e.data["place"])) for e in moves}
    assert expected <= went
    assert all(one.seat == "B" for one in seen)
    own = replace(moves[0], data={**moves[0].data, "seat": "A", "unit": "A01"}, period=3)
    assert not last_moves("thucidide", reversed([*told, own]), game.view("A"), "A")


def test_arrows_lead_over_the_cells_of_the_way() -> None:
    game, told = begun("thucidide", "marathon")
    play_game(game, {"A": "steady", "B": "steady"}, stop=lambda now: now.state.turn == 3)
    names = names_of(game.system, game.state, "fr")

    def shown(newest: Any) -> Any:
        return seen_board("thucidide", game.view("A"), "fr", names, seat="A", newest=newest)

    plain, with_moves = shown(()), shown(reversed(told))
    assert not plain.moved
    assert 'class="last"' not in plain.svg
    assert with_moves.moved
    assert 'class="last"' in with_moves.svg
    assert plain.cards == with_moves.cards
