"""Random games: any system, played from its first question to its end by chance alone."""

from __future__ import annotations

import random
from typing import Any

from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import Request
from polemarque.kernel.system import TURN_LIMIT, find_system

MOST_STEPS = 6000
"""A game that has not ended after so many answers never will."""

TURNS = 4
"""Turns of a game that has a limit."""


def scenario_of(name: str, seed: int) -> str:
    """One of the scenarios of a system, "" where it has none."""
    scenarios = list(find_system(name).scenarios) or [""]
    return scenarios[seed % len(scenarios)]


def random_options(name: str, rng: random.Random) -> dict[str, Any]:
    """Any variant may be chosen; a number stays at its default so that games end soon."""
    return {
        choice.name: choice.default if choice.number else rng.choice(choice.values)
        for choice in find_system(name).options
    } | {c.name: TURNS for c in find_system(name).options if c.name == TURN_LIMIT}


def new_game(name: str, seed: int, publish: Any = None) -> Game:
    """A game of that system under random options, ready for its first answer."""
    options = random_options(name, random.Random(seed))
    header = new_header(name, seed=seed, scenario=scenario_of(name, seed), options=options)
    game = Game(header, publish=publish)
    game.settle()
    return game


def step(game: Game, rng: random.Random) -> tuple[Request, str, Any]:
    """One random answer; what was asked and answered."""
    requests = game.requests()
    assert requests, f"dead end: nobody is asked before {game.position.agenda[:1]}"
    request = rng.choice(requests)
    seat = rng.choice(request.missing)
    value = request.options(seat).sample(rng)
    game.answer(seat, value, request.keys[seat])
    game.settle()
    return request, seat, value


def played(name: str, seed: int, publish: Any = None) -> Game:
    """A game played to its end.  Raises AssertionError if it never ends, or nobody is asked."""
    game = new_game(name, seed, publish)
    rng = random.Random(seed)
    for _ in range(MOST_STEPS):
        if game.over:
            return game
        step(game, rng)
    raise AssertionError(f"{name}, seed {seed}: no end after {MOST_STEPS} answers")
