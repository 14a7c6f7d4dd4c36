"""The cards of pieces with their zones, and what others did last on a board."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.bots.play import play_game
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header
from polemarque.report.boards.board_view import seen_board
from polemarque.report.labels import names_of
from polemarque.report.pictures import Card, cards, last_moves
from polemarque.systems.atlantide.troops import army_points
from polemarque.systems.mare_nostrum.pieces import Specialist
from polemarque.systems.mare_nostrum.reach import army_ways
from tests.contract.secrets import SECRETS


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


SIX = "mare_nostrum"


def test_MN_2_7_where_all_go_at_once_all_that_others_did_is_drawn() -> None:
    """Whoever's pieces were told first: orders are revealed together."""
    game, told = begun(SIX, SIX)
    seats = game.header.seats
    play_game(game, dict.fromkeys(seats, "steady"), stop=lambda now: now.state.turn == 4)
    went = [e for e in told if e.kind in ("marches", "lands", "sails")]
    last = [e for e in went if e.period == max(one.period for one in went)]
    assert len({e.data["seat"] for e in last}) > 1
    for seat in seats:
        drawn = {(one.piece, one.start, one.path) for one in
                 last_moves(SIX, reversed(told), game.view(seat), seat)}  # fmt: skip
        others = [e.data for e in last if e.data["seat"] != seat]
        assert drawn == {(e["piece"], e["start"], (e["place"],)) for e in others}
    names = names_of(game.system, game.state, "fr")
    board = seen_board(SIX, game.view("A"), "fr", names, seat="A", newest=reversed(told))
    assert board is not None and board.moved
    assert board.svg.count('<path d="M', board.svg.index('class="last"')) > 0


def test_MN_2_2_a_piece_of_the_sea_has_a_card_with_where_it_can_go() -> None:
    game, _ = begun(SIX, SIX)
    play_game(
        game, dict.fromkeys(game.header.seats, "steady"), stop=lambda now: now.state.turn == 4
    )
    state = game.state
    names = names_of(game.system, state, "en")
    told = cards(SIX, game.view("A"), "en", names)
    assert set(told) == {*state.armies, *state.fleets, *state.caravans}
    army = next(one for one in state.armies.values() if army_ways(state, one))
    facts = dict(told[army.id].facts)
    assert facts["Strength"].startswith(f"{army.strength} stands of 12")
    assert facts["Place"] == names["place"][state.whereabouts(army)]
    places = [place for place in army_ways(state, army) if place not in state.fleets]
    assert zone(told[army.id], "Can go to") == tuple(places)
    board = seen_board(SIX, game.view("A"), "en", names, seat="A")
    assert board is not None and names["place"][places[0]] in board.cards
    assert places[0] not in re.sub("<[^>]*>", " ", board.cards), "a name and no code"


def test_AT_2_3_of_ones_own_army_all_is_on_its_card_of_others_what_all_see() -> None:
    game, _ = begun("atlantide", "trio")
    seats = game.header.seats
    play_game(game, dict.fromkeys(seats, "steady"), stop=lambda now: now.state.turn == 3)
    army = game.state.seats["A"].army
    assert army is not None
    own = dict(card_of(game, "A").facts)
    assert own["Army points"] == str(army_points(army))
    assert own["Loot"] == str(game.state.seats["A"].loot)
    assert set(dict(card_of(game, "A", seat="B").facts)) <= {"Place", "Came from", "Without supply"}
    others = SECRETS["atlantide"](game.state, "B", Random(5))
    view, changed = (game.system.view(state, "B") for state in (game.state, others))
    names = names_of(game.system, game.state, "en")
    assert cards("atlantide", view, "en", names) == cards("atlantide", changed, "en", names)


def test_AT_7_3_what_others_marched_since_ones_own_march_is_drawn() -> None:
    game, told = begun("atlantide", "trio")
    play_game(game, dict.fromkeys("ABC", "steady"), stop=lambda now: now.state.turn == 4)
    marched = [e for e in told if (e.rule, e.kind) == ("AT-7.3", "moves")]
    last = max(n for n, e in enumerate(told) if e in marched and e.data["seat"] == "A")
    since = [e.data for e in told[last:] if e in marched and e.data["seat"] != "A"]
    seen = last_moves("atlantide", reversed(told), game.view("A"), "A")
    assert since
    assert [(e["seat"], e["place"]) for e in since] == [
        (one.piece, one.path[-1]) for one in seen if not one.forced
    ]


def test_BC_1_3_a_unit_in_line_tells_its_power_and_what_its_side_is_worth() -> None:
    game, _ = begun("batailles", "plataea")
    names = names_of(game.system, game.state, "en")
    board = seen_board("batailles", game.view("A"), "en", names, seat="A")
    assert board is not None
    told = cards("batailles", game.view("A"), "en", names)
    assert set(re.findall(r'data-piece="(.*?)"', board.svg)) == set(told)
    side, (code, card) = game.state.b, next(iter(told.items()))
    assert code == "a.0"
    unit, facts = side.units[1], dict(told["b.1"].facts)
    assert facts["Power"] == f"{unit.pm} PM"
    assert facts["Adds to morale"] == f"+{unit.bonus}"
    assert facts["Order of losses"] == f"2 of {len(side.units)}"
    assert (facts["Morale of its side"], facts["Command"]) == (
        str(side.morale.total), str(side.command)
    )  # fmt: skip
    assert card.owner != told["b.1"].owner


@pytest.mark.parametrize(
    ("lang", "told"), [("fr", "le prêtre AS9 (dieu de la Guerre)"), ("en", "AS9 (")]
)
def test_MN_2_9_the_card_of_an_army_names_the_priest_who_is_with_it(lang: str, told: str) -> None:
    game, _ = begun(SIX, SIX)
    names = names_of(game.system, game.state, lang)
    priest = Specialist("AS9", "A", "priest", god="war", joins="A1")
    there = game.state.with_specialist(priest)
    company = {"fr": "Accompagnée de", "en": "With it"}[lang]
    bare = cards(SIX, game.view("B"), lang, names)["A1"]
    assert company not in dict(bare.facts)
    card = cards(SIX, game.system.view(there, "B"), lang, names)["A1"]
    assert told in dict(card.facts)[company]
    assert priest.god not in dict(card.facts)[company], "a name and no code"
