"""A stage on which a few agenda items are played with scripted dice: for tests of the scripts."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.kernel.agenda import Item
from polemarque.kernel.errors import Refusal
from polemarque.kernel.events import Event
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.position import Position, decode_position, encode_position
from polemarque.kernel.request import Request
from polemarque.kernel.run import Runner
from polemarque.systems.mare_nostrum import SYSTEM
from polemarque.systems.mare_nostrum.adjust import adjust, faults
from polemarque.systems.mare_nostrum.state import Campaign


class Stage:
    """Items played on a campaign.  Every question survives a save, a load and a restart."""

    def __init__(self, campaign: Campaign, *items: Item, dice: tuple[int, ...] = ()) -> None:
        self.events: list[Event] = []
        self.left = list(dice)
        position = Position(
            "mare_nostrum", SYSTEM.edition, campaign, items, period=campaign.turn
        )  # fmt: skip
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
    def campaign(self) -> Campaign:
        """The campaign as it stands."""
        state: Campaign = self.runner.state
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

    def say(self, seat: str, **parts: Any) -> Stage:
        """A filled sheet, as its options take it: `to_AC3` stands for the part "to.AC3"."""
        sheet = {part.replace("_", ".", 1): value for part, value in parts.items()}
        return self.answer(seat, sheet)

    def answer(self, seat: str, value: Any) -> Stage:
        """An answer, as its options take it."""
        self.runner.say(seat, self.request.options(seat).take(value))
        self._settle()
        return self

    def silent(self, *seats: str) -> Stage:
        """What the rules answer for these seats (for all who are asked); legal like any answer."""
        for seat in seats or self.request.missing:
            self.answer(seat, self.request.absent(seat))
        return self

    def act(self, name: str, value: Any) -> Stage:
        """An umpire's adjustment before the open question is answered; the game stays sound."""
        after = adjust(self.campaign, name, value)
        assert not faults(after)
        self.runner.change(after)
        self._settle()
        return self

    def refused(self, seat: str, **parts: Any) -> Refusal:
        """The refusal of a sheet."""
        sheet = {part.replace("_", ".", 1): value for part, value in parts.items()}
        with pytest.raises(Refusal) as refusal:
            self.request.options(seat).take(sheet)
        return refusal.value

    def told(self, rule: str, kind: str = "") -> list[dict[str, Any]]:
        """The figures of every event of a rule (of that kind)."""
        return [e.data for e in self.events if e.rule == rule and kind in ("", e.kind)]

    def event(self, rule: str, kind: str) -> Event:
        """The one event of that rule and kind."""
        (found,) = [e for e in self.events if (e.rule, e.kind) == (rule, kind)]
        return found
