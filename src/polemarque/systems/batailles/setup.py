"""How a battle is set up (BC-1.1): two sides, each of one army or of several allied ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec

from polemarque.api import Next, NotAllowed, Refusal, convert, then
from polemarque.api.files import Datum, Finding, Lines, in_order, read_toml
from polemarque.systems.batailles.options import Options
from polemarque.systems.batailles.phase_values import (
    OUT_OF_ACTION,
    SIDES,
    STRATEGY_MOST,
    SideCode,
    out_of_action,
)
from polemarque.systems.batailles.state import Battle, Side, Unit
from polemarque.systems.batailles.unit_losses import sides_meet

Count = Annotated[int, msgspec.Meta(ge=0, le=100_000)]
Figure = Annotated[int, msgspec.Meta(ge=-1000, le=1000)]
"""What is added to a score."""

Names = Annotated[tuple[str, ...], msgspec.Meta(max_length=60)]

PM = 50
"""The PM of an army of which nothing is said."""

MOST_PM, MOST_UNITS = 1_000_000, 500
"""Of a side, its allies among it: far beyond what stands on a table."""


class UnitSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit: its name, its PM, what it adds to morale; `names` by language, over its name."""

    name: str
    pm: Count
    bonus: Figure = 0
    names: dict[str, str] = {}


Units = Annotated[tuple[UnitSetup, ...], msgspec.Meta(max_length=MOST_UNITS)]


class ArmySetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An allied army.  Its leader is a player of its side (BC-1.1).

    pm, unit_bonus: totals, for an army whose units are not listed.
    """

    name: str
    leader: str = ""
    pm: Count | None = None
    unit_bonus: Figure = 0
    units: Units = ()


class SideSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A side: the army of its commander-in-chief, and its allies.

    names:           what readers call it, by language, over its name.
    morale, command: base morale and command score of the commander-in-chief.
    players:         names of the other players, leaders of allied armies not among them.
    pm, unit_bonus:  totals, for an army whose units are not listed.
    ordered:         the units stand in the order in which they take losses: nobody is asked.
    rerolls, bonus:  of its war priests (PA-3): dice to roll again, points for a score.
    priests:         how many they are: each is spent on a die or on a point; None: enough for all.
    strategy:        what its first change of strategy adds to its score, where nobody says
                     otherwise (BC-3.4).
    called:          language -> name -> what readers call that people, person or unit of the side.
    """

    name: str = ""
    commander: str = ""
    morale: Figure = 10
    command: Figure = 2
    players: Names = ()
    pm: Count | None = None
    unit_bonus: Figure = 0
    units: Units = ()
    allies: Annotated[tuple[ArmySetup, ...], msgspec.Meta(max_length=60)] = ()
    ordered: bool = False
    rerolls: Count = 0
    bonus: Count = 0
    priests: Count | None = None
    strategy: Annotated[int, msgspec.Meta(ge=-STRATEGY_MOST, le=STRATEGY_MOST)] = 0
    names: dict[str, str] = {}
    called: dict[str, dict[str, str]] = {}


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A battle: its two sides."""

    a: SideSetup = SideSetup()
    b: SideSetup = SideSetup()


def begin(setup: Setup, seats: tuple[str, ...], options: Mapping[str, Any]) -> Next[Battle]:
    """The battle before its first phase.

    Raises NotAllowed on an army given both ways (BC-1.1), on a side out of action (BC-3.3) and on
    one beyond all measure.
    """
    a, b = (
        side_of(code, given, seat)
        for code, given, seat in zip(SIDES, (setup.a, setup.b), seats, strict=True)
    )
    return Battle(a, b, convert(options, Options)), [then(sides_meet)]


def side_of(code: SideCode, given: SideSetup, seat: str) -> Side:
    """A side from its set-up."""
    usual = 0 if given.allies else PM  # only a side that says nothing at all is given an army
    own = _units(code, given.name or given.commander or seat, given.pm, given, usual)
    allied = [unit for army in given.allies for unit in _units(code, army.name, army.pm, army, 0)]
    units = tuple([unit for unit in (*own, *allied) if unit.pm])
    pm = sum([unit.pm for unit in units])
    if len(units) > MOST_UNITS or pm > MOST_PM:
        raise NotAllowed(
            "batailles.too_large", rule="BC-1.1", part=code, legal=(f"≤ {MOST_PM} PM",),
            units=MOST_UNITS, pm=MOST_PM,
        )  # fmt: skip
    names = distinct([unit.name for unit in units])
    leaders = [army.leader or army.name for army in given.allies]
    if out_of_action(pm):
        raise NotAllowed(
            "batailles.out_of_action", rule="BC-3.3", part=code, legal=(f"> {OUT_OF_ACTION} PM",),
            pm=pm, least=OUT_OF_ACTION + 1,
        )  # fmt: skip
    return Side(
        seat=seat,
        name=given.name,
        base=given.morale,
        command=given.command,
        units=tuple(
            [Unit(name, u.pm, u.bonus, u.names) for name, u in zip(names, units, strict=True)]
        ),
        start=pm,
        commander=given.commander,
        players=distinct([*given.players, *leaders]),
        armies=tuple([army.name for army in given.allies]),
        ordered=given.ordered,
        rerolls=given.rerolls,
        bonus=given.bonus,
        priests=given.priests,
        worth=given.strategy,
        names=given.names,
        called=given.called,
    ).spending()


def _units(
    code: SideCode, name: str, pm: int | None, army: SideSetup | ArmySetup, usual: int
) -> Iterable[UnitSetup]:
    """The units of an army; one given as totals is a single unit of its own name.

    usual: PM of an army that gives neither totals nor units.
    """
    if not army.units:
        return (UnitSetup(name, usual if pm is None else pm, army.unit_bonus),)
    if pm is not None or army.unit_bonus:
        raise NotAllowed(
            "batailles.listed_or_totals", rule="BC-1.1", part=name, legal=("units", "pm"),
            side=code,
        )  # fmt: skip
    return army.units


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """The names, those that come again numbered: Phalanx, Phalanx 2."""
    names = tuple(names)
    given = set(names)
    found: dict[str, None] = {}
    reached: dict[str, int] = {}
    for name in names:
        called, number = name, reached.get(name, 1)
        while called in found or (number > 1 and called in given):
            number += 1
            called = f"{name} {number}"
        reached[name] = number
        found[called] = None
    return tuple(found)


SEATS = ("A", "B")


def check(path: Path) -> tuple[Finding, ...] | None:
    """Everything that is wrong with a set-up or a file of scenarios; None if it is neither.

    Codes: ``batailles.setup`` (message: what the set-up's type says), and those of the refusals
    of `begin`, with their data.
    """
    read = read_toml(path)
    if isinstance(read, Finding):
        return None
    raw, text = read
    lines = Lines(text)
    if _looks_like_setup(raw):
        return _check_setup(path, lines, "", raw)
    if not raw or not all(_looks_like_setup(each) for each in raw.values()):
        return None
    return in_order(
        finding for name, each in raw.items() for finding in _check_setup(path, lines, name, each)
    )


def _looks_like_setup(raw: Any) -> bool:
    return isinstance(raw, dict) and bool(raw) and all(key in SIDES for key in raw)


def _check_setup(
    path: Path, lines: Lines, name: str, raw: Mapping[str, Any]
) -> tuple[Finding, ...]:
    try:
        begin(convert(raw, Setup), SEATS, {})
    except msgspec.ValidationError as fault:
        data: dict[str, Datum] = {"misread": str(fault)}
        return (Finding(str(path), lines.of(name) if name else 1, name, "batailles.setup", data),)
    except Refusal as refusal:
        side = str(refusal.data.get("side", refusal.part))
        steps = (name, side) if name else (side,)
        data = {"part": refusal.part, "pm": refusal.data.get("pm", 0)}
        data["units"] = refusal.data.get("units", 0)
        return (Finding(str(path), lines.of(*steps), ".".join(steps), refusal.code, data),)
    return ()
