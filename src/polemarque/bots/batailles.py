"""The steady captain of Batailles classiques: fights on while there is hope, saves what is left.

It computes what both sides may expect of the next phase: its score is certain but for the dice, of
which 3.5 each is the mean.  Ahead or even it fights on; behind it offers terms now and then; it
leaves the field when only a very lucky throw could still help.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

from polemarque.api import Amount, OneOf, Options, Sheet
from polemarque.api.bots import Asked, Bot, Chooser, fill

MEAN, VARIANCE = 3.5, 35 / 12
"""Of one D6."""

HOPELESS = 2.0
"""How many standard deviations behind a side gives up."""

WEAK = 0.6
"""With less than this share of what it brought, it gives up or offers terms."""

PARLEY = 3
"""Behind, it offers terms every so many phases."""

LOW, HIGH = 2, 5
"""A die of its own so low, or of the enemy so high, is worth rolling again."""


class Steady:
    """See the module."""

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """See Bot."""
        if isinstance(options, Amount):
            return options.most  # all its power, all its priests' blessings
        if isinstance(options, OneOf):
            return self._terms(view, options) if options.label == "negotiation" else asked.absent()
        if isinstance(options, Sheet):
            part, first = next(iter(options.fill()))
            if part == "choice":
                choice = self._choice(view, first, asked)
                return {"choice": choice, **({"words": ""} if choice == "strategy" else {})}
            if part == "order":
                return self._order(view, options)
            if part == "use":
                return self._reroll(view, options)
        return asked.absent()

    def _choice(self, view: Mapping[str, Any], options: Options, asked: Asked) -> str:
        """Continue, withdraw, negotiate, or the change of strategy that the set-up gives it."""
        ahead, spread = outlook(view)
        weak = _weak(view)
        if weak and ahead < -HOPELESS * spread:
            return "withdraw"
        offered = isinstance(options, OneOf) and "negotiate" in options.words
        if offered and weak and ahead < 0 and asked.key.period % PARLEY == 0:
            return "negotiate"
        if ahead < 0 and view["sides"][view["you"]]["worth"] > 0:
            return "strategy"
        return "continue"

    def _terms(self, view: Mapping[str, Any], options: OneOf) -> Any:
        """Terms are welcome to a side that is weak, or expects to lose the next phase by far."""
        ahead, spread = outlook(view)
        gladly = ahead < -spread or (ahead < 0 and _weak(view))
        return "accept" if gladly and "accept" in options.words else "refuse"

    def _order(self, view: Mapping[str, Any], options: Sheet) -> dict[str, Any]:
        """Units without a bonus take losses first, those with the largest last."""
        units = view["sides"][view["you"]]["units"]
        wanted = [unit["name"] for unit in sorted(units, key=lambda unit: unit["bonus"])]
        if wanted == [unit["name"] for unit in units]:
            return {"order": "listed"}

        def answer(part: str, each: Options) -> Any:
            if part == "order":
                return "chosen"
            assert isinstance(each, OneOf)
            return next(name for name in wanted if name in each.words)

        return fill(options, answer)

    def _reroll(self, view: Mapping[str, Any], options: Sheet) -> dict[str, Any]:
        """Its own lowest die again if it is low, the enemy's highest if it is high."""
        mine = view["you"]
        for side, pick in ((mine, min), ("b" if mine == "a" else "a", max)):
            wish = _named_die(options, side, pick)
            if wish and (wish["face"] <= LOW if side == mine else wish["face"] >= HIGH):
                return wish
        return {"use": "keep"}


def _named_die(options: Sheet, side: str, pick: Any) -> dict[str, Any] | None:
    """The sheet that names a PM die of a side, the one `pick` picks; None if it has none."""

    def answer(part: str, each: Options) -> Any:
        assert isinstance(each, OneOf)
        wanted = {"use": "reroll", "of": side, "dice": "power"}
        if part == "face":
            return pick(each.words)
        return wanted[part] if wanted.get(part) in each.words else each.words[0]

    wish = fill(options, answer)
    return wish if wish.get("of") == side and "face" in wish else None


def _weak(view: Mapping[str, Any]) -> bool:
    mine: Mapping[str, Any] = view["sides"][view["you"]]
    return bool(mine["pm"] < WEAK * mine["start"])


def outlook(view: Mapping[str, Any]) -> tuple[float, float]:
    """How far ahead the seat expects to be in the next phase, and the spread of that."""
    expected, dice = {}, 0
    for code, side in view["sides"].items():
        tens = -(-side["pm"] // 10) if view["options"]["pm_dice"] == "ceil" else side["pm"] // 10
        count = tens + len(side["players"])
        dice += count
        expected[code] = MEAN * count + side["morale"] + side["command"]
    mine = view["you"]
    ahead = expected[mine] - expected["b" if mine == "a" else "a"]
    return ahead, sqrt(VARIANCE * dice)


BOTS: dict[str, Bot] = {"steady": Steady()}
"""The bots of this system."""
