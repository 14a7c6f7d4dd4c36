"""Boards of our systems: pictures from states, texts from views, films from records."""

from __future__ import annotations

from functools import cache
from typing import get_args
from xml.etree import ElementTree

import pytest

from polemarque.bots.play import play_game
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import find_system
from polemarque.report.boards.film import film, moves_between, steps_of, turns_of
from polemarque.report.boards.pieces import Piece, short_labels
from polemarque.report.boards.replay_page import replay_page
from polemarque.report.labels import names_of
from polemarque.report.pictures import BoardTold, board_told, picture
from polemarque.report.systems.promiterra_pictures import SYMBOLS, strength_of
from polemarque.report.systems.thucidide_pictures import symbol_of
from polemarque.systems.promiterra.setup.catalogue import TroopType
from polemarque.systems.thucidide.setup.scenario import KINDS

BATTLES = {"thucidide": "tutorial", "promiterra": "skirmish"}
CAMPAIGNS = {"atlantide": "duel", "mare_nostrum": "duel"}
EVERY = {**BATTLES, **CAMPAIGNS}
ANSWERS = 60


@cache
def played(system: str) -> Game:
    game = Game(new_header(system, scenario=EVERY[system], seed=4))
    bots = dict.fromkeys(game.header.seats, "random")
    play_game(game, bots, stop=lambda game: len(game.entries) > ANSWERS)
    return game


def told_to(game: Game, seat: str, lang: str) -> BoardTold:
    names = names_of(game.system, game.state, lang)
    told = board_told(game.header.system, game.view(seat), lang, names)
    assert told is not None
    return told


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("system", BATTLES)
def test_everybody_on_the_board_is_drawn_and_told(system: str, lang: str) -> None:
    game = played(system)
    state = game.state
    names = names_of(game.system, state, lang)
    drawn = picture(system, state, lang, names)
    assert drawn is not None
    ElementTree.fromstring(drawn)
    family, standing = ("mover", [*state.units.values(), *state.leaders.values()]) if (
        system == "thucidide"
    ) else ("troop", list(state.troops.values()))  # fmt: skip
    told = told_to(game, "A", lang)
    for one in standing:
        code = getattr(one, "code", "") or one.id
        name = names[family][code]
        assert (f'id="bp-{code}"' in drawn) == bool(one.cell)
        assert (f"{name} [" in told.rest) == bool(one.cell)
    assert "{" not in told.board + told.rest


@pytest.mark.parametrize("system", EVERY)
def test_the_same_view_is_told_the_same_and_every_seat_gets_its_own(system: str) -> None:
    game = played(system)
    first, again = told_to(game, "A", "fr"), told_to(game, "A", "fr")
    assert first == again
    spectator = told_to(game, "nobody", "fr")
    assert len(spectator.board.splitlines()) <= len(first.board.splitlines())


def test_the_army_of_another_is_not_told() -> None:
    game = played("atlantide")
    loot = {code: seat.loot for code, seat in game.state.seats.items()}
    assert f": {loot['A']} de butin" in told_to(game, "A", "fr").board.replace("\u00a0", " ")
    assert "de butin" not in told_to(game, "nobody", "fr").board


def test_a_campaign_says_who_holds_what_and_what_is_near() -> None:
    game = played("mare_nostrum")
    told = told_to(game, "A", "en")
    seats = game.state.seats
    assert all(f": {seat.treasury} gp, " in told.board for seat in seats.values())
    near = [army for army in game.state.armies_of("A") if army.place in game.state.lands]
    for army in near:
        place = game.state.atlas.by_id[army.place]
        assert f"Around {place.names['en']}:" in told.rest
        assert all(
            f"  {game.state.atlas.by_id[other].names['en']}: " in told.rest
            for other in place.neighbours
        )


# Films -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", BATTLES)
def test_a_battle_becomes_a_page_with_a_frame_for_each_event(system: str) -> None:
    game = played(system)
    made = film(game.header, game.entries, "fr")
    assert made is not None
    steps = steps_of(game.header, game.entries)
    assert len(made.frames) == len(steps)
    assert all(frame.line for frame in made.frames)
    assert any(frame.arrows for frame in made.frames)
    assert len({frame.heading for frame in made.frames}) > 1
    last = {piece.id: piece.cell for piece in made.frames[-1].pieces}
    state = game.state
    people = state.troops if system == "promiterra" else {**state.units, **state.leaders}
    assert last == {code: one.cell for code, one in people.items() if one.cell}
    assert "<script" in replay_page(made, "fr")


@pytest.mark.parametrize("system", CAMPAIGNS)
def test_a_campaign_has_no_film(system: str) -> None:
    assert film(played(system).header, played(system).entries, "fr") is None


@pytest.mark.parametrize("system", EVERY)
def test_each_turn_has_its_last_state(system: str) -> None:
    game = played(system)
    period = find_system(system).period
    turns = turns_of(game.header, steps_of(game.header, game.entries))
    assert list(turns) == sorted(turns)
    assert all(period(state) == turn for turn, state in turns.items())
    assert turns[max(turns)] == game.state


def test_who_moves_with_a_unit_has_no_arrow_of_his_own() -> None:
    def standing(cell: str, alone: str) -> tuple[Piece, ...]:
        return (
            Piece("unit", cell, 0, "infantry"),
            Piece("with", cell, 0, "officer"),
            Piece("alone", alone, 1, "general"),
        )

    before, after = standing("a1", "c3"), standing("a2", "c4")
    assert [arrow.path for arrow in moves_between(before, after)] == [("a1", "a2"), ("c3", "c4")]
    assert moves_between(before, before) == ()


# Signs -------------------------------------------------------------------------------------------


def test_every_kind_has_a_sign() -> None:
    assert set(SYMBOLS) == set(get_args(TroopType))
    signs = {key: symbol_of(kind.figures(key)) for key, kind in KINDS.items()}
    assert signs["hoplites"] == "infantry"
    assert signs["archers"] == "missile"
    assert signs["peltasts"] == "light_infantry"
    assert signs["light_cavalry"] == "light_cavalry"
    assert signs["elephants"] == "elephants"


@pytest.mark.parametrize(
    ("units", "said"), [(0, "0"), (350, "350"), (9999, "9999"), (10000, "10k"), (26999, "26k")]
)
def test_a_strength_has_room_on_its_counter(units: int, said: str) -> None:
    assert strength_of(units) == said


def test_labels_tell_pieces_apart() -> None:
    names = {
        "1": "les hoplites de gauche",
        "2": "les hoplites du centre",
        "3": "la bande d'archers",
        "A7": "les triaires A7",
        "5": "la légion (1)",
        "6": "la légion (2)",
        "7": "",
    }
    assert short_labels(names) == {
        "1": "Gau", "2": "Cen", "3": "Arc", "A7": "A7", "5": "Lé1", "6": "Lé2", "7": "7",
    }  # fmt: skip


def test_a_hundred_of_one_name_are_still_apart() -> None:
    labels = short_labels({str(n): "les cavaliers" for n in range(100)}).values()
    assert len(set(labels)) == 100
    assert max(map(len, labels)) == 3
