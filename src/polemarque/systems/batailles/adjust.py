"""What an umpire may adjust between two steps of a battle, and what a sound battle is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from polemarque.api import NotAllowed, NotUnderstood
from polemarque.api.adjusting import formed, number, ordered, word
from polemarque.systems.batailles.options import CHOICES
from polemarque.systems.batailles.phase_values import OUT_OF_ACTION, SIDES, SideCode
from polemarque.systems.batailles.setup import MOST_PM
from polemarque.systems.batailles.state import Battle, Ending, Side
from polemarque.systems.batailles.unit_losses import in_order

ENDS = ("a", "b", "nobody")
PREVIOUS = ("a", "b", "none")

LEGAL = (
    "a.pm", "a.morale", "a.command", "a.unit.NAME", "a.order", "a.strategy", "a.rerolls", "a.bonus",
    "previous", "end", "option.NAME",
)  # fmt: skip
"""What can be adjusted; of side a as of side b."""


def adjust(battle: Battle, name: str, value: Any) -> Battle:
    """The battle with one thing adjusted.  Raises NotUnderstood or NotAllowed.

    `<side>.pm` takes from the units or gives to the last of them in their order; `<side>.morale` is
    total morale; `<side>.order` names the units that take losses first; `previous` is the side
    whose last win still counts (BC-3.2); `end` declares who holds the field; `option.<name>`
    changes an option from the next phase on.
    """
    head, _, rest = formed(name, LEGAL).partition(".")
    if head == "end":
        winner = word(value, ENDS, name=name)
        return replace(battle, ending=Ending(None if winner == "nobody" else winner, "declared"))
    if head == "previous":
        return replace(battle, previous=word(value, PREVIOUS, name=name))
    if head == "option":
        return replace(battle, coming=ordered(battle.coming, CHOICES, rest, value))
    code = next((code for code in SIDES if code == head), None)
    if code is None:
        raise NotUnderstood("act.unknown", part=name, legal=LEGAL)
    return battle.with_side(code, _side(battle.side(code), name, rest, value))


def _side(side: Side, name: str, what: str, value: Any) -> Side:
    if what.startswith("unit."):
        return _unit(side, name, what.removeprefix("unit."), value)
    if what == "order":
        return _ordered(side, name, value)
    figures: dict[str, Callable[[int], Side]] = {
        "pm": lambda n: _with_pm(side, n),
        "morale": lambda n: replace(side, change=side.change + n - side.morale.total),
        **{
            field: lambda n, field=field: replace(side, **{field: n})  # type: ignore[misc]
            for field in ("command", "strategy")
        },
        "rerolls": lambda n: _with_priests(replace(side, rerolls=n)),
        "bonus": lambda n: _with_priests(replace(side, bonus=n)),
    }
    if what not in figures:
        raise NotUnderstood("act.unknown", part=name, legal=LEGAL)
    return figures[what](number(value, name=name))


def _with_pm(side: Side, pm: int) -> Side:
    """More goes to the last unit that stands, less is taken as losses are."""
    if pm <= side.pm:
        return side.losing(side.pm - pm)
    last = max([place for place, unit in enumerate(side.units) if unit.pm], default=0)
    grown = replace(side.units[last], pm=side.units[last].pm + pm - side.pm)
    return replace(side, units=(*side.units[:last], grown, *side.units[last + 1 :]))


def _with_priests(side: Side) -> Side:
    """As many priests as what they have left wants, where they are counted: none without any."""
    return side if side.priests is None else replace(side, priests=max(side.rerolls, side.bonus))


def _unit(side: Side, name: str, unit: str, value: Any) -> Side:
    if unit not in [each.name for each in side.units]:
        legal = [each.name for each in side.units]
        raise NotUnderstood("act.unknown", part=name, legal=legal)
    pm = number(value, name=name)
    units = [replace(each, pm=pm) if each.name == unit else each for each in side.units]
    return replace(side, units=tuple(units))


def _ordered(side: Side, name: str, value: Any) -> Side:
    known = [unit.name for unit in side.units]
    if not isinstance(value, (list, tuple)) or any(not isinstance(unit, str) for unit in value):
        raise NotUnderstood("act.word", part=value, legal=known, name=name)
    if any(unit not in known for unit in value) or len(set(value)) != len(value):
        raise NotAllowed("act.word", part=value, legal=known, name=name)
    return in_order(side, tuple(value))


def faults(battle: Battle) -> list[str]:
    """What is wrong with a battle, as the names of the figures, with the rule they break."""
    found = [fault for code, side in battle.sides() for fault in _faults(battle, code, side)]
    if battle.phase < 0:
        found.append("phase < 0 (BC-3.5)")
    return found


def _faults(battle: Battle, code: SideCode, side: Side) -> list[str]:
    found = [f"{code}.unit.{unit.name} < 0 (BC-1.3)" for unit in side.units if unit.pm < 0]
    if not battle.over and side.pm <= OUT_OF_ACTION:
        found.append(f"{code}.pm ≤ {OUT_OF_ACTION} (BC-3.3)")
    if side.pm > MOST_PM:
        found.append(f"{code}.pm > {MOST_PM} (BC-1.1)")
    if side.engaged is not None and not 0 <= side.engaged <= side.pm:
        found.append(f"{code}.engaged > {code}.pm (BC-2.8)")
    spent = {"rerolls": side.rerolls, "bonus": side.bonus}
    found += [f"{code}.{name} < 0 (PA-3)" for name, left in spent.items() if left < 0]
    return found
