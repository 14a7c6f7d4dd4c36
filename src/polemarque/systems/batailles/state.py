"""The whole state of a battle, and how it changes: always into a new `Battle`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from polemarque.api import Sum, always, bonus
from polemarque.systems.batailles.options import Options
from polemarque.systems.batailles.phase_values import Engagement, Force, SideCode


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit, or an army that was given as totals; at 0 PM it is gone (BC-1.3).

    names: what readers call it, by language, where its name is not for all of them.
    """

    name: str
    pm: int
    bonus: int = 0
    names: dict[str, str] = {}


class Side(msgspec.Struct, frozen=True, omit_defaults=True):
    """One side as it stands.

    seat:      who answers for it.
    name:      what readers call it, "" for a side without a name.
    commander: of all its armies; his `base` morale and `command` count alone (BC-1.1).
    players:   names of those who roll beside him, leaders of allied armies included.
    units:     of all its armies, in the order in which they take losses (BC-1.3).
    start:     its PM when the battle began.
    armies:    names of its allied armies.
    ordered:   its owner gave the order of losses in advance: he is not asked.
    change:    morale won and lost so far (BC-3).
    engaged:   PM it puts into this phase, None for all (BC-2.8).
    strategy:  what a change of strategy adds to its next score (BC-3.4).
    worth:     what its first one adds by the set-up, where nobody says otherwise.
    rerolls, bonus: what its war priests have left (PA-3);  blessing: spent on this phase's score.
    priests:   those that are left, each good for a die or a point; None: enough for all.
    names:     what readers call it, by language, where its name is not for all of them.
    called:    the same for everybody in it: language -> name -> what readers call him, or it.
    """

    seat: str
    name: str
    base: int
    command: int
    units: tuple[Unit, ...]
    start: int
    commander: str = ""
    players: tuple[str, ...] = ()
    armies: tuple[str, ...] = ()
    ordered: bool = False
    change: int = 0
    engaged: int | None = None
    strategy: int = 0
    worth: int = 0
    rerolls: int = 0
    bonus: int = 0
    blessing: int = 0
    priests: int | None = None
    names: dict[str, str] = {}
    called: dict[str, dict[str, str]] = {}

    @property
    def pm(self) -> int:
        """Its military power, all units together."""
        return sum([unit.pm for unit in self.units])

    @property
    def morale(self) -> Sum:
        """Total morale (BC-1.2).  A lost unit's bonus still counts until the next phase."""
        return (
            bonus("BC-1.2", self.base, "base_morale")
            + bonus("BC-1.2", self.bonuses, "unit_bonuses")
            + bonus("BC-1.2", self.change, "won_and_lost")
        )

    @property
    def bonuses(self) -> int:
        """What its units add to morale."""
        return sum([unit.bonus for unit in self.units])

    def spending(self, *, rerolls: int = 0, bonus: int = 0) -> Side:
        """This side after priests were spent: a priest spent on one has nothing for the other."""
        left = replace(self, rerolls=self.rerolls - rerolls, bonus=self.bonus - bonus)
        if self.priests is None:
            return left
        priests = self.priests - rerolls - bonus
        return replace(
            left, rerolls=min(left.rerolls, priests), bonus=min(left.bonus, priests),
            priests=priests,
        )  # fmt: skip

    def losing(self, pm: int) -> Side:
        """This side after losses, taken from its units in their order (BC-1.3)."""
        units = []
        for unit in self.units:
            taken = min(pm, unit.pm)
            pm -= taken
            units.append(replace(unit, pm=unit.pm - taken) if taken else unit)
        return replace(self, units=tuple(units))


class Ending(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a battle ended.

    winner: who holds the field, or None.
    left:   who left it, and by which rule.
    cause:  "withdrawal", "agreement" (BC-3.4), or "declared" by the umpire.
    """

    winner: SideCode | None
    cause: Literal["withdrawal", "agreement", "declared"]
    left: dict[str, str] = {}


class Battle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A battle as it stands.

    phase:    the phase that is being fought, from 1; 0 before the first.
    previous: who won the phase before, if that win still counts towards a pair (BC-3.2).
    last:     the phase that was fought last.
    coming:   options that change with the next phase.
    """

    a: Side
    b: Side
    options: Options
    phase: int = 0
    previous: Literal["a", "b", "none"] = always("none")
    last: Engagement | None = None
    ending: Ending | None = None
    coming: dict[str, Any] = {}

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.ending is not None

    def side(self, code: SideCode) -> Side:
        """One side."""
        return self.a if code == "a" else self.b

    def sides(self) -> tuple[tuple[SideCode, Side], ...]:
        """Both sides with their codes, in order."""
        return ("a", self.a), ("b", self.b)

    def code_of(self, seat: str) -> SideCode | None:
        """The side a seat answers for."""
        return next((code for code, side in self.sides() if side.seat == seat), None)

    def changed(self, code: SideCode, **fields: Any) -> Battle:
        """The battle with fields of a side replaced."""
        return self.with_side(code, replace(self.side(code), **fields))

    def with_side(self, code: SideCode, side: Side) -> Battle:
        """The battle with a side in place of what it was."""
        return replace(self, a=side) if code == "a" else replace(self, b=side)

    def force(self, code: SideCode) -> Force:
        """A side as it goes into this phase."""
        side = self.side(code)
        return Force(
            pm=side.pm,
            engaged=side.pm if side.engaged is None else side.engaged,
            morale=side.morale.total,
            command=side.command,
            players=len(side.players),
            bonuses=side.bonuses,
            change=side.change,
            strategy=side.strategy,
            blessing=side.blessing,
            name=side.name,
            names=side.players,
        )
