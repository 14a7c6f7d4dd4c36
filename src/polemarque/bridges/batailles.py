"""The resolver `batailles` (PA-3): armies become military power, losses come back in proportion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from polemarque.api.battle import (
    LAND,
    SEA,
    Brief,
    BriefUnit,
    Loss,
    Position,
    Report,
    Resolver,
    Side,
    register_resolver,
)
from polemarque.api.texts import LANGUAGES
from polemarque.bridges.house import Priest, guests_of, opened, reported, shared_out
from polemarque.bridges.pairs import Fault, figures_for, figures_of, form_of
from polemarque.systems.batailles import SYSTEM
from polemarque.systems.batailles.phase_values import SIDES
from polemarque.systems.batailles.setup import Setup, SideSetup, UnitSetup, begin, distinct
from polemarque.systems.batailles.state import Battle

NAME = "batailles"

FIRST = LANGUAGES[0]
"""The language in which a battle names its units."""

FLEET = "fleet"
"""The kind of a unit that is a fleet."""


@form_of(NAME, "PA-3")
class Conversion(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What an army of the campaign is worth here.

    stand:   PM of one figure;   points: army points that make one PM, where the list counts points.
    fleet:   PM of a fleet.
    morale:  base morale, where the brief's rights say no leadership.
    command: command score, before the general's modifier that they say.
    guard:   added to it where they say that the Sacred Guard is there.
    least:   PM that every side has.   priest: what a war priest gives.
    """

    stand: int = 0
    points: int = 0
    fleet: int = 0
    morale: int
    command: int
    guard: int = 0
    least: int
    priest: Priest = Priest()

    def faults(self, *_: tuple[str, ...]) -> Iterator[Fault]:
        """What is wrong: power comes from figures or from points, not both."""
        if bool(self.stand) == bool(self.points):
            yield Fault(("stand",), "word", "stand, points", "stand | points")


def power(figures: Conversion, side: Side) -> dict[str, int]:
    """PM of each unit by its id, mercenaries of this battle included; every side has the least.

    Where points count, characters' are shared out among the units; without any they are the side.
    """
    units, whole = (*side.units, *guests_of(side)), 0
    if figures.points:
        whole = points_of(side) // figures.points
        shares = shared_out(whole, [unit.points for unit in units])
    else:
        shares = [figures.fleet if u.kind == FLEET else u.figures * figures.stand for u in units]
    found = dict(zip([unit.id for unit in units], shares, strict=True)) or {"": 0}
    lacking = max(figures.least, whole) - sum(found.values())
    if lacking > 0:
        found[next(iter(found))] += lacking
    return found


def points_of(side: Side) -> int:
    """Points of a side, mercenaries included: its army's as the campaign has rounded them, once,
    where it says them.
    """
    own = sum([unit.points for unit in side.units]) + sum([one.points for one in side.leaders])
    army: int = side.rights.get("points", own)
    return army + sum([guest.points for guest in guests_of(side)])


def side_setup(figures: Conversion, side: Side) -> SideSetup:
    """A side as the battle begins with it."""
    units = {unit.id: unit for unit in (*side.units, *guests_of(side))}
    strong = {unit: pm for unit, pm in power(figures, side).items() if pm}
    called = names(side, tuple(strong))
    rights, priest = side.rights, figures.priest
    count = priest.with_side(side)
    guard = figures.guard if rights.get("guard") else 0
    spoken = numbered([units[unit].names if unit in units else side.names for unit in strong])
    return SideSetup(
        name=side_name(side),
        names=side.names,
        morale=rights.get("leadership", figures.morale),
        command=figures.command + rights.get("command", 0) + guard,
        units=tuple(
            UnitSetup(called[unit], pm, names=said)
            for (unit, pm), said in zip(strong.items(), spoken, strict=True)
        ),
        rerolls=count * priest.rerolls,
        bonus=count * priest.bonus,
        priests=count,
    )


def side_name(side: Side) -> str:
    """The name by which the battle knows a side; readers of other languages see their own."""
    return side.names.get(FIRST) or side.name or f"{side.seat}."


def names(side: Side, units: tuple[str, ...]) -> dict[str, str]:
    """Id of a unit -> its name in the battle, no two alike."""
    words: Mapping[str, str] = {
        unit.id: unit.names.get(FIRST, unit.name) for unit in (*side.units, *guests_of(side))
    }
    found = distinct([words.get(unit, side_name(side)) for unit in units])
    return dict(zip(units, found, strict=True))


def numbered(named: list[dict[str, str]]) -> list[dict[str, str]]:
    """Names by language, those that come again numbered as names in a battle are."""
    langs = dict.fromkeys([lang for each in named for lang in each])
    by_lang = {lang: distinct([each.get(lang, "") for each in named]) for lang in langs}
    return [{lang: by_lang[lang][n] for lang in each if each[lang]} for n, each in enumerate(named)]


def open_battle(brief: Brief) -> Position:
    """The battle of a brief before its first phase."""
    figures = figures_for(brief, NAME)
    a, b = [side_setup(figures, side) for side in brief.sides]
    seats = (brief.sides[0].seat, brief.sides[1].seat)
    state, agenda = begin(Setup(a, b), seats, SYSTEM.options_from({}, brief.edition))
    return opened(brief, SYSTEM, state, agenda)


def losses_of(side: Side, before: Mapping[str, int], after: Mapping[str, int]) -> list[Loss]:
    """Figures lost in proportion to the PM, rounded down; one at least if any PM was lost.

    before, after: PM by unit; one that an umpire has given more has lost nothing.
    """
    lost = {unit: max(0, pm - after.get(unit, 0)) for unit, pm in before.items()}
    countable = [unit for unit in side.units if not unit.profile.get("whole")]
    figures = {u.id: u.figures * lost.get(u.id, 0) // before.get(u.id, 1) for u in countable}
    if any(lost.values()) and not any(figures.values()):
        worst = _worst(countable, lost)
        if worst is not None:
            figures[worst.id] = 1
    return [Loss(f"{side.seat}.{unit}", killed) for unit, killed in figures.items() if killed]


def _worst(units: list[BriefUnit], lost: Mapping[str, int]) -> BriefUnit | None:
    """Who has lost most PM of those that have figures; the first of several, None of none."""
    there = [unit for unit in units if unit.figures]
    return max(there, key=lambda unit: lost.get(unit.id, 0), default=None)


def report(brief: Brief, battle: Battle) -> Report:
    """What the battle gives back to the campaign."""
    figures = figures_for(brief, NAME)
    losses: list[Loss] = []
    priests: dict[str, int] = {}
    for code, side in zip(SIDES, brief.sides, strict=True):
        left = battle.side(code)
        before = {unit: pm for unit, pm in power(figures, side).items() if pm}
        called = names(side, tuple(before))
        standing = {unit.name: unit.pm for unit in left.units}
        after = {unit: standing.get(called[unit], 0) for unit in before}
        losses += losses_of(side, before, after)
        priests[side.seat] = left.priests or 0
    winner = battle.ending.winner if battle.ending else None
    spent = figures.priest.spent(brief, priests)
    return reported(brief, None if winner is None else SIDES.index(winner), losses, (), spent)


def grounds(campaign: str) -> tuple[str, ...]:
    """Where it can fight a campaign's battles, if the two have a file; at sea if it has fleets."""
    figures: Conversion | None = figures_of(campaign, NAME)
    if figures is None:
        return ()
    return (LAND, SEA) if figures.fleet else (LAND,)


BATAILLES = register_resolver(
    Resolver(NAME, open=open_battle, report=report, system=NAME, grounds=grounds)
)
"""The resolver, as the entry point names it."""
