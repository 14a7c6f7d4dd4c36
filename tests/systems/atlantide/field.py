"""A table at which battles are fought too, with the dice and answers that they ask for."""

from __future__ import annotations

from typing import Any

from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.request import Request
from polemarque.kernel.run import Runner
from tests.systems.atlantide.table import Table


class Field(Table):
    """Like `Table`, with everything that is open in the battles of the turn."""

    def _settle(self) -> None:
        while True:
            self.runner.settle_battles()
            throws = [(r, p) for r, p in self.runner.open() if isinstance(p, RollRequest)]
            if not throws or not self.left:  # without dice a roll stays open
                break
            runner, throw = throws[0]
            count = throw.roll.count
            fell, self.left = tuple(self.left[:count]), self.left[count:]
            runner.fall(throw.roll.check(fell))
        saved = encode_position(self.runner.position)
        assert encode_position(Runner(decode_position(saved)).position) == saved

    def _open(self, seat: str = "") -> tuple[Runner, Request]:
        """The first open question (to that seat)."""
        for runner, pending in self.runner.open():
            if isinstance(pending, Request) and (seat in pending.missing if seat else True):
                return runner, pending
        raise AssertionError(f"{seat or 'nobody'} is not asked")

    @property
    def request(self) -> Request:
        """The open question, in a battle or outside."""
        return self._open()[1]

    def asked(self, seat: str) -> str:
        """The rule that asks a seat, or "" if none does."""
        for _, pending in self.runner.open():
            if isinstance(pending, Request) and seat in pending.missing:
                return pending.rule
        return ""

    def options(self, seat: str) -> Any:
        """What a seat may answer."""
        return self._open(seat)[1].options(seat)

    def say(self, seat: str, value: Any) -> Field:
        """An answer, as its options take it."""
        runner, request = self._open(seat)
        runner.say(seat, request.options(seat).take(value))
        self._settle()
        return self

    def roll(self, *dice: int) -> Field:
        """These dice fall next."""
        self.left += dice
        self._settle()
        return self

    def until(self, rule: str) -> Field:
        """Everybody says nothing until that rule asks."""
        while self.request.rule != rule:
            self.silent()
        return self

    def silent(self, *seats: str) -> Field:
        """What the rules answer for these seats (for all who are asked)."""
        for seat in seats or self.request.missing:
            _, request = self._open(seat)
            self.say(seat, request.absent(seat))
        return self

    def to_the_end(self) -> Field:
        """Everybody says nothing from here on."""
        while not self.runner.over:
            self.silent()
        return self
