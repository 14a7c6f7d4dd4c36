"""A table at which a few agenda items are played with scripted dice: for tests of the scripts."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from polemarque.kernel.agenda import Item
from polemarque.kernel.errors import Refusal
from polemarque.kernel.events import Event
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.position import Position, decode_position, encode_position
from polemarque.kernel.request import Request
from polemarque.kernel.run import Runner
from polemarque.systems.atlantide import SYSTEM
from polemarque.systems.atlantide.state import War


class Table:
    """Items played on a war.  Every question survives a save, a load and a restart."""

    def __init__(self, war: War, *items: Item, dice: tuple[int, ...] = ()) -> None:
        self.events: list[Event] = []
        self.left = list(dice)
        position = Position("atlantide", SYSTEM.edition, war, items, period=war.turn)
        self.runner = Runner(position, self.events.append)
        self._settle()

    def _settle(self) -> None:
        while isinstance(self.runner.pending, RollRequest):
            count = self.runner.pending.roll.count
            fell, self.left = tuple(self.left[:count]), self.left[count:]
            self.runner.fall(self.runner.pending.roll.check(fell))
        saved = encode_position(self.runner.position)
        assert encode_position(Runner(decode_position(saved)).position) == saved

    @property
    def war(self) -> War:
        """The war as it stands."""
        state: War = self.runner.state
        return state

    @property
    def request(self) -> Request:
        """The open question."""
        assert isinstance(self.runner.pending, Request), "nobody is asked"
        return self.runner.pending

    @property
    def over(self) -> bool:
        """Whether all items are done, and all dice used."""
        return self.runner.over and not self.left

    def say(self, seat: str, value: Any) -> Table:
        """An answer, as its options take it."""
        taken = self.request.options(seat).take(value)
        self.runner.say(seat, taken)
        self._settle()
        return self

    def silent(self, *seats: str) -> Table:
        """What the rules answer for these seats (for all who are asked)."""
        for seat in seats or self.request.seats:
            self.say(seat, self.request.absent(seat))
        return self

    def refused(self, seat: str, value: Any) -> Refusal:
        """The refusal of an answer."""
        with pytest.raises(Refusal) as refusal:
            self.request.options(seat).take(value)
        return refusal.value

    def told(self, rule: str, kind: str = "") -> list[dict[str, Any]]:
        """The figures of every event of a rule (of that kind)."""
        return [e.data for e in self.events if e.rule == rule and kind in ("", e.kind)]

    def event(self, rule: str, kind: str) -> Event:
        """The one event of that rule and kind."""
        (found,) = [e for e in self.events if e.rule == rule and e.kind == kind]
        return found

    def seen_by(self, seat: str) -> bytes:
        """What a seat sees of state, question and events, as bytes."""
        seen = [SYSTEM.view(self.war, seat), [e for e in self.events if e.seen_by(seat)]]
        if isinstance(self.runner.pending, Request) and seat in self.runner.pending.seats:
            seen.append(self.runner.pending.options(seat).describe())
        return msgspec.json.encode(seen)
