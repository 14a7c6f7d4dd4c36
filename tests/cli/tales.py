"""A record of the small system of the report's tests, and the command line run on it."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec

from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Replace, write_record


def play(seed: int = 1, correct: bool = False, **options: object) -> Game:
    """A game of the spring, played to its end at random."""
    game = Game(new_header("tale", seed=seed, options=options))
    rng = random.Random(seed)
    _to_the_end(game, rng)
    if correct:  # what the new answer changes is rolled and asked again
        first = next(e for e in game.effective if e.key.seat == "A")
        game.enter(Replace(first.key, "mal compris", value=(first.value + 1) % 4))
        _to_the_end(game, rng)
    return game


def _to_the_end(game: Game, rng: random.Random) -> None:
    game.settle()
    while not game.over:
        request = game.requests()[0]
        game.answer(request.missing[0], request.options(request.missing[0]).sample(rng))
        game.settle()


def record(folder: Path, name: str = "game.json", **more: object) -> Path:
    game = play(**more)  # type: ignore[arg-type]
    path = folder / name
    path.write_bytes(write_record(game.header, game.entries))
    return path


def seated(path: Path, **people: str) -> None:
    """Keep the names of the players beside the record."""
    paper = path.with_name(path.name.removesuffix(".json") + ".seats.json")
    paper.write_bytes(msgspec.json.encode({"people": people}))
