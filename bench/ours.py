"""Our side of the comparison: random Atlantide campaigns of 15 turns and 4 players.

Every answer goes through the door that people's answers go through: checked against its options,
written into the record; every die stands in the record.
"""

from __future__ import annotations

import gc
import random
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from polemarque.bots.play import play_game
from polemarque.kernel import dice
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.records.record import read_record
from polemarque.kernel.request import DICE
from polemarque.kernel.run import Runner
from polemarque.kernel.system import find_system
from polemarque.odds import kernels, rolls
from polemarque.odds.consult import consult_odds, consult_sample
from polemarque.odds.promiterra import exchange
from polemarque.odds.sampling import generator_state
from polemarque.systems.atlantide.chapters.conquest import CONQUEST
from polemarque.systems.promiterra.chapters.strikes import Fighter, strain

TURNS, SEATS, PHASES = 15, 4, 8
SHORT = {"atlantide": {"turn_limit": 12}}
"""Options of a default game: what `polemarque run` gives it."""


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
    options = {"turn_limit": turns}
    return finished("atlantide", seed, seats=SEATS, options=options)


def steady_beside_random(system: str, seed: int) -> float:
    """How many times the seconds of a random bot's decision one of a steady bot takes, with what the
    rules do then: a whole default game of each."""
    took = {}
    for name in ("steady", "random"):
        game = Game(new_header(system, seed=seed, options=SHORT.get(system, {})))
        start = time.perf_counter()
        play_game(game, dict.fromkeys(game.header.seats, name))
        took[name] = (time.perf_counter() - start) / decisions(game)
    return took["steady"] / took["random"]


def finished(system: str, seed: int, **more: Any) -> Game:
    """A game of any system, played by random bots to its end, the chain of its record linked."""
    game = Game(new_header(system, seed=seed, **more))
    chooser = Quick(seed)
    game.settle()
    while not game.over:
        for request in game.requests():
            for seat in request.missing:
                game.answer(seat, request.options(seat).sample(chooser), request.keys[seat])
        game.settle()
    assert game.digest
    return game


def campaign(seed: int) -> Played:
    """The figures of one random campaign."""
    start = time.perf_counter()
    game = played(seed)
    took = time.perf_counter() - start
    return Played(took, game.state.turn * PHASES, decisions(game))


def decisions(game: Game) -> int:
    """How many answers of seats a game took: chance apart."""
    return sum(1 for entry in game.entries if entry.key.seat != DICE)


def decisions_per_second(system: str, seed: int, least: float = 1.0) -> float:
    """Random decisions a second over whole games of every scenario of a system, in turn."""
    scenarios = tuple(find_system(system).scenarios)
    done, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < least:
        for scenario in scenarios:
            seed += 1
            done += decisions(finished(system, seed, scenario=scenario))
    return done / passed


def mare_nostrum(seed: int) -> float:
    """Seconds of one random campaign of Mare Nostrum, first scenario, to its end."""
    start = time.perf_counter()
    finished("mare_nostrum", seed)
    return time.perf_counter() - start


def lookups_per_second(row: Callable[[int], object] = CONQUEST.row, least: float = 0.2) -> float:
    """Rows a second that a table gives, asked as a script asks it: by each total of two dice."""
    done, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < least:
        for total in range(2, 13):
            row(total)
        done += 11
    return done / passed


def fighters(units: int, against: int) -> tuple[Fighter, Fighter]:
    """The two troops of E5 and E6: attack 3, defence 2 and 3."""
    return Fighter(units, 3, 2), Fighter(against, 3, 3)


class Joint(NamedTuple):
    """What an attack and its riposte cost: weights by the defender's losses, then by the
    attacker's, out of `scale`.
    """

    weights: list[list[int]]
    scale: int


def clash(units: int, against: int) -> Joint:
    """The exact joint law of both losses of one attack and its riposte (PR-5.3), all dice rolled."""
    one, other = fighters(units, against)
    there, back = strain(one, other), strain(other, one)
    suffered = back.weights()
    return Joint([[a * b for b in suffered] for a in there.weights()], there.scale * back.scale)


def strikes(units: int, against: int) -> tuple[list[int], list[int]]:
    """The two laws of its losses apart: weights by losses."""
    one, other = fighters(units, against)
    return strain(one, other).weights(), strain(other, one).weights()


KEPT = (dice._law, dice._total_law, rolls.rolled, rolls.mean_of)
"""Laws of dice that one question leaves to the next."""


def odds(*question: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """Every outcome of a rule with its probability, as a user asks for them: a first answer."""
    for law in KEPT:
        law.cache_clear()
    for outcome in consult_odds(*question).outcomes:
        yield outcome.result, outcome.p


def exchanged(units: int, against: int) -> list[dict[int, float]]:
    """The two laws as a program gets them: the fixed API, read to the end."""
    a, d = ({"units": n, "attack": 3, "defence": level} for n, level in ((units, 2), (against, 3)))
    return [dict(law.items()) for law in exchange(a, d, dice="all").values()]


def sampled(*question: Any, plays: int, seed: int) -> list[tuple[dict[str, Any], str]]:
    """The same, estimated."""
    answer = consult_sample(*question, n=plays, seed=seed)
    return [(outcome.result, outcome.p) for outcome in answer.outcomes]


def long_roll(dice: int, seed: int) -> int:
    """One roll of so many D6: what the generator of samples can do."""
    return kernels.sixes(kernels.ints(generator_state(seed)), dice, 3)[1]


def fork(game: Game) -> Runner:
    """A copy that can be played on."""
    return Runner(game.position)


def saved(game: Game) -> bytes:
    """The whole record, and the position it leads to."""
    return game.record + encode_position(game.position)


def write_and_read(game: Game) -> object:
    """Write record and position, and read both back, every entry and every type checked.

    The head of the record's chain is known from playing (`finished`); reading links it anew.
    """
    record, position = game.record, encode_position(game.position)
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
