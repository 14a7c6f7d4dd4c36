"""Batailles classiques in words: its sides at a terminal, its first question, names by language."""

from __future__ import annotations

import re
from typing import Any

import pytest

from polemarque.bots.play import play_game
from polemarque.kernel.events import EventLog
from polemarque.kernel.game import Game, new_header
from polemarque.report.chronicle import chronicle
from polemarque.report.documents.writers import write
from polemarque.report.game_words import Words
from polemarque.report.labels import names_of
from polemarque.report.pictures import BoardTold, board_seen, board_told

CODES = re.compile(r"\b(none|None|floor|ceil|pairs|intent|score_[ab]|loss_[ab])\b")


def begun(scenario: str = "leuctra", **options: Any) -> Game:
    game = Game(new_header("batailles", scenario=scenario, seed=3, options=options))
    game.settle()
    return game


def told_of(game: Game, lang: str) -> BoardTold:
    names = names_of(game.system, game.state, lang)
    told = board_told("batailles", game.view("A"), lang, names)
    assert told is not None
    return told


@pytest.mark.parametrize(
    ("lang", "first", "last"),
    [("fr", "Phalange (36 PM, moral +1)", "Bataillon sacré (6 PM, moral +3)"),
     ("en", "Phalanx (36 PM, morale +1)", "Sacred Band (6 PM, morale +3)")],
)  # fmt: skip
def test_who_is_asked_for_the_order_of_losses_reads_his_own_list(
    lang: str, first: str, last: str
) -> None:
    game = begun()
    (request,) = game.requests()
    words = Words(game.header, lang)
    words.turn_to(game, request.keys["A"])
    question = words.question(request.keys["A"])
    assert 0 < question.index(first) < question.index(last)
    words.turn_to(game, request.keys["B"])
    other = words.question(request.keys["B"])
    assert first not in other and "(34 PM)" in other


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("scenario", ["leuctra", "plataea"])
def test_both_sides_are_told_whole_and_in_words(scenario: str, lang: str) -> None:
    game = begun(scenario)
    play_game(game, dict.fromkeys("AB", "steady"), stop=lambda game: game.state.phase == 3)
    told = told_of(game, lang)
    said = f"{told.board}\n{told.rest}"
    called = names_of(game.system, game.state, lang)["force"]
    for _, side in game.state.sides():
        people = (side.name, side.commander, *side.players, *side.armies)
        standing = [unit for unit in side.units if unit.pm]
        for name in (*people, *[unit.name for unit in standing]):
            assert called.get(name, name) in said, name
        for unit in standing:
            assert f"({unit.pm} PM" in said
        assert str(side.start) in said
    assert game.state.last is not None and str(game.state.last.score_a) in told.rest
    assert not CODES.search(said)
    if lang == "fr":
        assert not re.search(r"\w:", said)


def test_a_side_tells_what_it_holds_back_and_what_its_priests_can_do() -> None:
    game = begun(engage="chosen", winner_losses="most")
    plain = told_of(game, "fr")
    assert plain.rest == (
        "Variantes\u00a0: pertes du vainqueur\u00a0: au plus haut · "
        "troupes engagées\u00a0: au choix de chaque camp, en secret."
    )
    view = game.view("A")
    view["sides"]["a"] |= {"engaged": 31, "strategy": -2, "rerolls": 1}
    names = names_of(game.system, game.state, "fr")
    told = board_told("batailles", view, "fr", names)
    assert told is not None
    new = set(told.board.splitlines()) - set(plain.board.splitlines())
    assert len(new) == 3 and all(any(n in line for line in new) for n in ("31", "−2", "un dé"))


def test_the_end_says_who_holds_the_field() -> None:
    game = begun("ford")
    play_game(game, dict.fromkeys("AB", "steady"), seed=1)
    winner = game.state.ending.winner
    held = {"a": "Cleitos", "b": "Dracon"}[winner]
    assert f"{held} tient le terrain" in told_of(game, "fr").board.splitlines()[0]


def test_a_scenario_calls_everybody_as_the_reader_does_also_those_who_are_lost() -> None:
    game = Game(new_header("batailles", seed=3), publish=(events := EventLog()).append)
    play_game(game, dict.fromkeys("AB", "steady"), seed=3)
    assert len(game.state.a.units) < 4  # a unit was lost, and is told of none the less
    said = {
        lang: write(chronicle(game.header, events, lang, state=game.state), "text")
        for lang in ("fr", "en")
    }
    for raw in ("Thebai", "Kleombrotos", "Peltastai", "Hieros Lochos", "Symmachoi"):
        assert raw not in said["fr"] and raw not in said["en"], raw
    for word in ("Thèbes", "Sparte", "Cléombrote", "Pélopidas", "Peltastes"):
        assert word in said["fr"], word
    for word in ("Thebes", "Sparta", "Cleombrotus", "Pelopidas", "Peltasts"):
        assert word in said["en"], word


def test_a_side_of_ones_own_bears_the_names_that_it_was_given() -> None:
    own = {"name": "Thebai", "units": [{"name": "Phalanx", "pm": 30}, {"name": "Socii", "pm": 9}]}
    game = Game(new_header("batailles", setup={"a": own}))
    game.settle()
    board = told_of(game, "fr").board
    assert "Thebai" in board and "Phalanx (30 PM)" in board and "Cléombrote" in board


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_lines_of_battle_are_drawn_as_broad_as_their_power(lang: str) -> None:
    game = begun()
    names = names_of(game.system, game.state, lang)
    seen = board_seen("batailles", game.view("A"), lang, names)
    assert seen is not None
    drawn = re.findall(
        r'<rect x="[^"]+" y="[^"]+" width="([^"]+)"[^>]*fill-opacity', seen.drawn.pieces
    )
    powers = [unit.pm for _, side in game.state.sides() for unit in side.units]
    scale = float(drawn[0]) / powers[0]
    assert [float(broad) for broad in drawn] == pytest.approx(
        [pm * scale for pm in powers], abs=0.2
    )
    assert [*seen.labels] == ["b", "a"]  # as they stand, from above
    for code, side in game.state.sides():
        assert f"{side.pm} PM" in seen.labels[code]
        for unit in side.units:
            assert names["force"].get(unit.name, unit.name) in seen.labels[code]
