"""Helpers of the tests: small battles, played with given dice and answers."""

from __future__ import annotations

import random
from typing import Any

from polemarque.kernel.dice import Scripted
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header

EVEN = {"pm": 20, "morale": 6, "command": 1}


class Played:
    """A battle with the events it told.  Answers go to the seat's open question."""

    def __init__(
        self, a: Any = EVEN, b: Any = EVEN, dice: tuple[int, ...] = (), **options: Any
    ) -> None:
        self.events: list[Event] = []
        header = new_header("batailles", setup={"a": a, "b": b}, options=options)
        self.game = Game(header, Scripted(dice), publish=self.events.append)
        self.game.settle()

    def say(self, seat: str, value: Any) -> Played:
        self.game.answer(seat, value)
        self.game.settle()
        return self

    def choose(self, a: str, b: str) -> Played:
        return self.say("A", {"choice": a}).say("B", {"choice": b})

    def told(self, rule: str, kind: str = "") -> list[Event]:
        return [e for e in self.events if e.rule == rule and kind in ("", e.kind)]

    @property
    def state(self) -> Any:
        return self.game.state


def random_game(seed: int, publish: Any = None) -> Game:
    """A game of any scenario by any variants, not begun yet."""
    from polemarque.kernel.system import find_system

    rng = random.Random(seed)
    system = find_system("batailles")
    options = {
        c.name: rng.randint(*c.values) if c.number else rng.choice(c.values) for c in system.options
    }
    scenario = rng.choice(list(system.scenarios))
    setup = {}
    if rng.random() < 0.4:  # war priests, and armies that meet on equal terms
        sides = system.scenarios[scenario]
        setup = {
            code: {**sides[code], "rerolls": rng.randrange(3), "bonus": rng.randrange(3)}
            for code in ("a", "b")
        }
    header = new_header("batailles", scenario=scenario, setup=setup, options=options, seed=seed)
    return Game(header, publish=publish)


def answer(game: Game, rng: random.Random) -> None:
    """One random answer, fighting on more often than not."""
    request = rng.choice(game.requests())
    seat = rng.choice(request.missing)
    value = request.options(seat).sample(rng)
    if request.rule == "BC-3.4" and rng.random() < 0.8:
        value = {"choice": "continue"}
    game.answer(seat, value, request.keys[seat])
