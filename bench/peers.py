"""The peers, each in its own idiom: diplomacy, OpenSpiel's Python games, boardgame.io."""

from __future__ import annotations

import copy
import gc
import json
import random
import shutil
import subprocess
import time
import tracemalloc
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent


class Played(NamedTuple):
    """A random game: how long it took, and how much was done."""

    game: Any
    seconds: float
    phases: int
    orders: int


def diplomacy_game(seed: int, most: int = 120) -> Played:
    """A random legal game of diplomacy on the standard map, of at most `most` phases."""
    from diplomacy import Game

    rng = random.Random(seed)
    game = Game()
    phases = orders = 0
    start = time.perf_counter()
    while not game.is_game_done and phases < most:
        possible = game.get_all_possible_orders()
        for power in game.powers:
            chosen = [
                rng.choice(possible[place])
                for place in game.get_orderable_locations(power)
                if possible[place]
            ]
            game.set_orders(power, chosen)
            orders += len(chosen)
        game.process()
        phases += 1
    return Played(game, time.perf_counter() - start, phases, orders)


def fork(game: Any) -> Any:
    """A copy that can be played on."""
    return copy.deepcopy(game)


def saved(game: Any) -> str:
    """The saved game as diplomacy writes it."""
    from diplomacy.utils.export import to_saved_game_format

    return json.dumps(to_saved_game_format(game))


def write_and_read(game: Any) -> Any:
    """Write the saved game, and read it back as data."""
    return json.loads(saved(game))


def memory(seed: int) -> float:
    """Bytes that a finished game holds."""
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    kept = diplomacy_game(seed).game
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return after - before


def openspiel_moves(seed: int, least: float = 0.5) -> float:
    """Random moves a second of OpenSpiel's tic-tac-toe written in Python."""
    import pyspiel
    from open_spiel.python.games import tic_tac_toe  # registers the game

    assert tic_tac_toe
    game = pyspiel.load_game("python_tic_tac_toe")
    rng = random.Random(seed)
    moves, start = 0, time.perf_counter()
    while time.perf_counter() - start < least:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
    return moves / (time.perf_counter() - start)


def icepool_clash(units: int, against: int) -> Any:
    """The joint law of both losses in icepool: hits, saves, losses capped; the two independent."""
    from icepool import tupleize

    return tupleize(*_icepool_losses(units, against))


def icepool_strikes(units: int, against: int) -> Any:
    """The two laws apart, the two rolls of a die thinned by hand into one: a skilled user's way."""
    from icepool import coin

    one = (units @ coin(3 * 3, 36)).map(lambda lost: min(lost, against))
    other = (against @ coin(3 * 4, 36)).map(lambda lost: min(lost, units))
    return one, other


def _icepool_losses(units: int, against: int) -> tuple[Any, Any]:
    from icepool import coin

    one = ((units @ coin(3, 6)) @ coin(3, 6)).map(lambda lost: min(lost, against))
    other = ((against @ coin(3, 6)) @ coin(4, 6)).map(lambda lost: min(lost, units))
    return one, other


def icepool_cut_clash(units: int, against: int) -> Any:
    """The joint law of both losses with dice that are cut, by the table and the rounding of ours."""
    from icepool import coin, tupleize

    from polemarque.systems.promiterra.chapters.dice_cutting import cut, left_after

    def losses(many: int, attack: int, defence: int, most: int) -> Any:
        thrown = cut(many, "cut")

        def past(struck: int) -> Any:
            hits = struck * thrown.multiplier
            saves = cut(hits, "cut")
            saved = saves.dice @ coin(defence, 6)
            return saved.map(lambda n: min(left_after(hits, n, saves), most))

        return (thrown.dice @ coin(attack, 6)).map(past)

    return tupleize(losses(units, 3, 3, against), losses(against, 3, 2, units))


def icepool_phase(dice: int, against: int) -> Any:
    """Who wins a phase of Batailles classiques, by which row: no losses, no feats, no means."""
    from icepool import d6

    def verdict(gap: int) -> tuple[str, str]:
        far = abs(gap)
        row = "tie" if not far else "narrow" if far < 6 else "clear" if far < 11 else "crushing"
        return row, "a" if gap > 0 else "b" if gap else ""

    return ((dice @ d6) - (against @ d6)).map(verdict)


def icepool_simulation(ahead: int) -> Any:
    """The difference of a simulated battle (AT-8.11), ties rolled again."""
    from icepool import d6

    return (ahead + 2 @ d6 - 2 @ d6).reroll([0], depth="inf")


def icepool_assault(force: int, strength: int) -> Any:
    """How an assault ends (AT-9.5): no rounds, no figures lost."""
    from icepool import Die, d6

    def went(before: tuple[str, int]) -> Any:
        return before if before[0] else (2 @ d6).map(lambda n: row(before[1], n))

    def row(before: int, shown: int) -> tuple[str, int]:
        gap = before - strength - shown
        if gap >= 3:
            return "taken", 200 if gap >= 5 else 100
        if gap <= -3:
            return "beaten" if gap >= -4 else "crushed", 0
        return "", before + (gap > 0) - (gap < 0)

    return Die([("", force)]).map(went, repeat="inf", star=False)


def outcomes(die: Any) -> Iterator[tuple[Any, Fraction]]:
    """Every outcome of a die of icepool with its probability."""
    scale = die.denominator()
    for outcome, weight in die.items():
        yield outcome, Fraction(weight, scale)


def dyce_strikes(units: int, against: int) -> Any:
    """The same in dyce: two laws apart, thinned by hand."""
    from dyce import H

    one = (units @ H({0: 27, 1: 9})).apply(min, against)
    other = (against @ H({0: 24, 1: 12})).apply(min, units)
    return one, other


def boardgame_moves() -> float | None:
    """Moves a second of boardgame.io's client reducer, or None where npm cannot bring it."""
    npm, folder = shutil.which("npm"), Path("out/boardgame.io")
    if npm is None:
        return None
    if not (folder / "node_modules" / "boardgame.io").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--silent", "--no-audit", "--no-fund", "boardgame.io@0.50.2"]
        if subprocess.run(command, cwd=folder, check=False).returncode:
            return None
    script = (HERE / "boardgame.cjs").resolve()
    said = subprocess.run(
        ["node", str(script)], cwd=folder, check=True, capture_output=True, text=True,
        env={"NODE_ENV": "production", "PATH": str(Path(npm).parent), "NODE_PATH": "node_modules"},
    )  # fmt: skip
    return float(said.stdout.strip().splitlines()[-1])
