"""One game in the head: from a position supposed from a view, with dice of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from random import Random
from typing import Any

from msgspec.structs import replace

from polemarque.api import UMPIRE, Options, Sheet
from polemarque.api.bots import Asked, Key, Position
from polemarque.bots.registry import STEADY, bot
from polemarque.kernel.dice import LONG, Faces, Roll, counted
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.position import encode
from polemarque.kernel.request import Request
from polemarque.kernel.run import Runner
from polemarque.kernel.system import find_system

Worth = Callable[[Any, str], float]
"""(state, seat) -> what the state is worth to the seat, from 0, lost, to 1, won."""

Horizon = Callable[[Any], int]
"""(state) -> the last period that is played in the head; what comes then is estimated."""


@dataclass(frozen=True)
class SearchModel:
    """What the search has to know of a system beside its rules and what it supposes.

    system:   its name.
    guide:    name of the bot whose answers are tried first, and which plays on for everybody.
    searched: rules whose questions are worth a search; the guide answers the others alone.
    dull:     rules whose questions in the head get the answer of an absent player.
    bending:  rules whose forms the guide can fill with some parts decided for it.
    kept:     parts of forms, by their names before the first dot, that are never varied.
    trifle:   a spread of worth, from 0 to 1, for which no question is searched to the end.
    """

    system: str
    worth: Worth
    horizon: Horizon
    guide: str = STEADY
    searched: frozenset[str] = frozenset()
    dull: frozenset[str] = frozenset()
    bending: frozenset[str] = frozenset()
    kept: frozenset[str] = frozenset()
    trifle: float = 0.0


def supposed(moment: Position, view: Any, seat: str) -> Position:
    """The whole position of a moment: the rest is as the seat supposes it."""
    suppose = find_system(moment.system).supposed
    assert suppose is not None, "a system whose battles are searched says what a seat supposes"
    return replace(moment, state=suppose(view, seat, {}))


class Lots(Random):
    """A chooser that knows how often it was drawn from."""

    draws = 0

    def random(self) -> float:
        """See Random."""
        self.draws += 1
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        """See Random."""
        self.draws += 1
        return super().getrandbits(k)


class Question:
    """A question of the seat that thinks, as it comes up in its head."""

    def __init__(self, runner: Runner, request: Request, seat: str, chooser: Lots) -> None:
        self.runner = runner
        self.request = request
        self.seat = seat
        self.chooser = chooser

    @property
    def name(self) -> tuple[str, str]:
        """What it is known by however the dice fell: its rule and its subject."""
        return self.request.rule, self.request.ask.subject

    @property
    def key(self) -> Key:
        """Its key, the same as in the game for the question that is being thought about."""
        return self.request.keys[self.seat]

    @property
    def place(self) -> bytes:
        """A digest of all that the answer can depend on: the state, what runs, who is asked."""
        position = self.runner.position
        asked = (position.state, position.frames, self.seat, self.name)
        return blake2b(encode(asked), digest_size=16).digest()

    @cached_property
    def options(self) -> Options:
        """What may be answered."""
        return self.request.options(self.seat)

    def guided(self, grounds: SearchModel) -> Any:
        """What is answered without thinking."""
        if self.seat == UMPIRE or self.key.rule in grounds.dull:
            return self.options.take(self.request.absent(self.seat))
        return self.guide(self.options, grounds.guide)

    def guide(self, options: Options, name: str) -> Any:
        """What a bot answers to these options, or to narrower ones."""
        request, seat, system = self.request, self.seat, self.runner.system
        asked = Asked(self.key, lambda: request.absent(seat))
        said = bot(name, system.name).choose(self.view, options, asked, self.chooser)
        return said if isinstance(options, Sheet) else options.take(said)  # `fill` takes by parts

    @cached_property
    def view(self) -> Any:
        """What the seat sees."""
        return self.runner.system.view(self.runner.state, self.seat)


class Playout:
    """A game that goes on in the head of a seat until it is over or past a period.

    position: whole, its state supposed.   path: of the battle, if it is one inside a campaign.
    luck:     seed of all its chance: with equal luck equal rolls fall alike.
    """

    def __init__(self, position: Position, path: str, until: int, luck: int) -> None:
        self.runner = Runner(position, path=path)
        self.until = until
        self.luck = luck
        self._chooser = Lots(luck)

    def next(self) -> Question | None:
        """Roll dice up to the next question; None when nothing more is to be played."""
        root = self.runner
        while True:
            if root.period > self.until:
                return None
            found = next(iter(root.open()), None)
            if found is None:
                return None
            runner, pending = found
            if isinstance(pending, Request):
                return Question(runner, pending, pending.missing[0], self._chooser)
            runner.fall(self._thrown(pending))
            if root.branches:
                root.settle_battles()

    def answer(self, question: Question, value: Any) -> None:
        """Give an answer that the options have taken or made."""
        question.runner.say(question.seat, value)
        if self.runner.branches:
            self.runner.settle_battles()

    def _thrown(self, throw: RollRequest) -> Faces:
        """Faces by the name of the roll, so that one answer's dice do not shift another's."""
        key = throw.key
        rng = Random(f"{self.luck}|{key.period}|{key.rule}|{key.subject}|{key.number}")
        return fell(throw.roll, rng)


def fell(roll: Roll, rng: Random) -> Faces:
    """How dice fall."""
    shown = rng.choices(range(1, roll.sides + 1), k=roll.count)
    return tuple(shown) if roll.count <= LONG else counted(shown, roll.sides)
