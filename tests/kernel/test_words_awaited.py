"""Until every seat has given its word nothing is answered: not by dice, nor by what was left."""

from __future__ import annotations

from polemarque.kernel.game import committed_game, new_header
from polemarque.kernel.records.commitment import new_chains
from polemarque.kernel.records.record import Answer, Leave, Word
from tests.kernel import archers, toy

assert toy.TOY and archers.ARCHERS


def test_an_answer_left_in_advance_waits_for_the_words() -> None:
    header = new_header("toy", seats=2)
    game = committed_game(header, new_chains(header.seats))
    for early in (Leave("A", "TOY-1", "storm"), Word("A", "owl")):
        game.enter(early)
        game.settle()
        assert game.entries[-1].__class__ is early.__class__, "nothing was answered"
    game.enter(Word("B", "olive"))
    game.settle()
    last = game.entries[-1]
    assert isinstance(last, Answer) and (last.value, last.by) == ("storm", "standing")


def test_dice_wait_for_the_words() -> None:
    header = new_header("archers")
    game = committed_game(header, new_chains(header.seats))
    game.settle()
    assert game.throws() and not game.entries
    game.enter(Word("A", "owl"))
    game.settle()
    assert not game.throws() and game.state.hits >= 0
