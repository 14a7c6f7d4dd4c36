"""Wars for tests: two armies of a few kinds on a plain, and random games."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from polemarque.kernel.agenda import Item, registered
from polemarque.kernel.game import Game, new_header
from polemarque.systems.promiterra.state import War

UNITS = [
    {"key": "light", "fr": "la troupe légère", "en": "the light troop", "type": "melee",
     "movement": 2, "attack": 2, "defence": 2, "loyalty": 7, "value": 10},
    {"key": "bows", "fr": "la troupe d'archers", "en": "the archers", "type": "missile",
     "movement": 2, "range": 4, "attack": 3, "defence": 1, "loyalty": 7, "value": 10},
    {"key": "beast", "fr": "la bête", "en": "the beast", "type": "special",
     "movement": 2, "attack": 3, "defence": 3, "loyalty": 9, "value": 20,
     "ability": {"fear": True}},
]  # fmt: skip
"""Kinds of units."""

CATALOGUE = {"army": [{"key": "test", "fr": "l'armée", "en": "the army", "unit": UNITS}]}


def field(side: int = 8, **marks: dict[str, int]) -> dict[str, Any]:
    """A board of squares, all of it plain, with these marks."""
    return {
        "id": "field",
        "name": {"fr": "Le champ", "en": "The field"},
        "shape": "square",
        "terrain": "\n".join(["." * side] * side),
        "legend": {".": "plain"},
        "marks": marks,
    }


def troop(unit: str, units: int, leader: str, cell: str = "", **more: Any) -> dict[str, Any]:
    """A troop of a set-up."""
    return {"unit": unit, "units": units, "leader": leader, "cell": cell, **more}


def setup(*armies: list[dict[str, Any]], board: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A set-up of these armies, the first one playing first."""
    return {
        "board": board or {},
        "catalogue": CATALOGUE,
        "armies": [
            {"army": "test", "first": not number, "troops": troops}
            for number, troops in enumerate(armies)
        ],
    }


def game_of(given: Mapping[str, Any], **options: Any) -> Game:
    """A game of a set-up."""
    return Game(
        new_header("promiterra", seats=len(given["armies"]), setup=given, options=options, seed=1)
    )


def war_of(given: Mapping[str, Any], **options: Any) -> War:
    """The war of a set-up, before its first turn."""
    state: War = game_of(given, **options).state
    return state


def ran(rule: str, war: War, *args: Any) -> tuple[War, list[Item], list[Any]]:
    """A script that neither asks nor rolls: the war after it, what comes next, what it said."""
    said: list[Any] = []
    running = registered(rule).run(war, *args)
    try:
        while True:
            said.append(next(running))
    except StopIteration as end:
        after, items = end.value
        return after, items, said


def played(
    scenario: str, seed: int, look: Callable[[War], None], options: Mapping[str, Any]
) -> Game:
    """A random game, looked at after each answer."""
    game = Game(new_header("promiterra", scenario=scenario, seed=seed, options=options))
    game.settle()
    rng = random.Random(seed)
    for _ in range(5000):
        if game.over:
            return game
        request = rng.choice(game.requests())
        seat = rng.choice(request.missing)
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
        look(game.state)
    raise AssertionError(f"{scenario}, seed {seed}: no end")
