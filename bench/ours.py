"""Our side of the comparison: random Atlantide campaigns of 15 turns and 4 players.

Every answer goes through the door that people's answers go through: checked against its options,
written into the record; every die stands in the record.
"""

from __future__ import annotations

import gc
import random
import time
import tracemalloc
from typing import NamedTuple

from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.record import read_record, write_record
from polemarque.kernel.request import DICE
from polemarque.kernel.run import Runner

TURNS, SEATS, PHASES = 15, 4, 8


class Quick(random.Random):
    """Picks one of a list by one multiplication: the bot is not what is measured."""

    def choice(self, seq):
        return seq[int(self.random() * len(seq))]

    def randrange(self, start, stop, step=1):
        return start + step * int(self.random() * ((stop - start + step - 1) // step))


class Played(NamedTuple):
    """A random campaign: how long it took, and how much was done."""

    seconds: float
    phases: int
    orders: int


def played(seed: int, turns: int = TURNS) -> Game:
    """A campaign of random bots, played to the limit of turns or to its end before."""
    header = new_header("atlantide", seats=SEATS, seed=seed, options={"turn_limit": turns})
    game = Game(header)
    chooser = Quick(seed)
    game.settle()
    while not game.over:
        for request in game.requests():
            for seat in request.missing:
                game.answer(seat, request.options(seat).sample(chooser), request.keys[seat])
        game.settle()
    return game


def campaign(seed: int) -> Played:
    """The figures of one random campaign."""
    start = time.perf_counter()
    game = played(seed)
    took = time.perf_counter() - start
    orders = sum(1 for entry in game.entries if entry.key.seat != DICE)
    return Played(took, game.state.turn * PHASES, orders)


def fork(game: Game) -> Runner:
    """A copy that can be played on."""
    return Runner(game.position)


def saved(game: Game) -> bytes:
    """The whole record, and the position it leads to."""
    return write_record(game.header, game.entries) + encode_position(game.position)


def write_and_read(game: Game) -> object:
    """Write record and position, and read both back, every entry and every type checked."""
    record, position = write_record(game.header, game.entries), encode_position(game.position)
    return read_record(record), decode_position(position)


def memory(seed: int) -> float:
    """Bytes that a finished campaign holds, record included."""
    played(seed)  # what is loaded once for all games is not this game's
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = played(seed + 1)
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return after - before


def answers_per_second(seed: int, least: float = 0.5) -> float:
    """Entries a second when a recorded game is applied again: each checked, logged, resolved."""
    recorded = played(seed)
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < least:
        game = Game(recorded.header)
        for entry in recorded.entries:
            game.enter(entry)
        done += len(recorded.entries)
    return done / (time.perf_counter() - start)
