"""What marches: units, characters, and the army that holds them (AT-1.9, AT-1.14, AT-1.15).

All frozen and hashable, so that figures computed from a tuple of units can be kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Literal

import msgspec
from msgspec.structs import replace

from polemarque.api import NotAllowed, always

Kind = Literal[
    "infantry",
    "light_infantry",
    "skirmishers",
    "cavalry",
    "light_cavalry",
    "heavy_chariot",
    "light_chariot",
    "elephant",
    "artillery",
    "character",
]
"""What AT-1.5 and AT-1.8 tell apart."""

Warband = Literal["no", "yes", "fanatic"]
"""Whether a unit's force has a D3 in it (AT-1.5)."""


class Named(msgspec.Struct, frozen=True, gc=False, cache_hash=True, omit_defaults=True):
    """Whatever has a number in its seat.

    id:      number within its seat, never used twice by different members; losses name it.
    profile: key of its catalogue profile.
    """

    id: int
    profile: str


class Member(Named, frozen=True, gc=False, cache_hash=True, omit_defaults=True, kw_only=True):
    """What units and characters have in common; its figures are given by name.

    ws, toughness, ld: statistics that the campaign reads (Ld before any change of the turn).
    points:    army points of the character, or of the whole unit at its full count.
    """

    ws: int
    toughness: int
    ld: int
    points: int


class Unit(Member, frozen=True, gc=False, cache_hash=True, omit_defaults=True):
    """A unit as it stands; its points include its command group.

    kind:      what AT-1.5 and AT-1.8 count it as.
    full:      figures of the whole unit (at least 1).
    figures:   figures left (0 to full); a chariot, an elephant, a gun is one figure.
    warband:   "" for what is none; as in the catalogue else (AT-1.6).
    die:       a warband's D3, 1 to 3, for as long as it lasts (AT-1.6); 0: none, or not rolled yet.
    traits:    words of the catalogue without effect in the program, such as "hatred" (AT-3.1).
    note:      experience, written by its owner or the umpire (AT-8.12).
    """

    kind: Kind
    full: int
    figures: int
    warband: Literal["", "yes", "fanatic"] = ""
    die: int = 0
    traits: tuple[str, ...] = ()
    note: str = ""


class Character(Member, frozen=True, gc=False, cache_hash=True, omit_defaults=True):
    """The general or another character: one figure (AT-1.15).

    mount: "foot", "horse", "chariot", "camel" or "elephant"; without effect in the program.
    note:  experience (AT-8.12).
    """

    general: bool = False
    mount: str = always("foot")
    note: str = ""


class Toll(msgspec.Struct, frozen=True, gc=False):
    """What one unit paid in a battle, kept because AT-8.8 may count it again.

    killed, left, survivors: figures killed, that left the table, and still standing at its end.
    after: figures of the unit once those who came back (AT-8.8) were added.
    """

    unit: int
    killed: int
    left: int
    survivors: int
    after: int


DutyKind = Literal["beaten", "crushed", "leave"]
"""Beaten in battle (AT-7.6 a), crushed in a conquest (b), or to leave after a lost one (c)."""


class Duty(msgspec.Struct, frozen=True, omit_defaults=True):
    """A duty to go (AT-7.6).

    toll: of a beaten army, what the battle cost it.
    """

    kind: DutyKind
    toll: tuple[Toll, ...] = ()


class Army(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's one army (AT-1.14).

    place:        territory it stands in.
    start:        territory it left by its last move, None if it has not moved since it was placed;
    start_closed: whether another player has conquered that territory since (AT-7.7).
    unsupplied:   consecutive turns without supply up to now (AT-6.3).
    supplied:     result of this turn's supply phase.
    duty:         duty to go at the next movement (AT-7.6).
    passing:      entered by a passage right, so it must leave at its next move (AT-7.4).
    entered:      the war's count of moves when it last entered a territory: higher is later.

    For this turn only, put back by `new_turn`:
    general_ld:   change of the general's Leadership by an event (AT-3.1).
    army_ld:      change of everybody's Leadership for want of supply (AT-6.4).
    roll_change:  change of its initiative rolls by an event (AT-3.1).
    may_move:     False when it refuses to move (AT-6.3) or reorganises (AT-5.4).
    negotiated:   a passage negotiated with the Atlanteans stands (AT-9.2).
    attacked:     it has tried its one conquest (AT-9.7).
    """

    units: tuple[Unit, ...]
    characters: tuple[Character, ...]
    place: str
    start: str | None = None
    start_closed: bool = False
    unsupplied: int = 0
    supplied: bool = True
    duty: Duty | None = None
    passing: bool = False
    entered: int = 0
    general_ld: int = 0
    army_ld: int = 0
    roll_change: int = 0
    may_move: bool = True
    negotiated: bool = False
    attacked: bool = False

    @property
    def general(self) -> Character | None:
        """The general, or None when he is dead."""
        for character in self.characters:
            if character.general:
                return character
        return None

    @property
    def leadership(self) -> int | None:
        """The general's Leadership this turn, every change added up (AT-3.3); None without him."""
        general = self.general
        return None if general is None else general.ld + self.general_ld + self.army_ld

    @property
    def beaten(self) -> bool:
        """Whether it was beaten in battle and has not retreated yet: it hinders nobody (AT-8.8)."""
        return self.duty is not None and self.duty.kind == "beaten"

    @property
    def gone(self) -> bool:
        """Whether no figure is left."""
        return not self.units and not self.characters

    @property
    def figures_by_id(self) -> dict[int, int]:
        """Figures by the number of a unit or character."""
        return {
            **{unit.id: unit.figures for unit in self.units},
            **{character.id: 1 for character in self.characters},
        }

    def figures_of(self, member: int) -> int:
        """Figures of the unit or character with that number; 0 if there is none."""
        for unit in self.units:
            if unit.id == member:
                return unit.figures
        return int(any(character.id == member for character in self.characters))

    def new_turn(self) -> Army:
        """The army with what lasted for one turn put back (the supply result stays to be read)."""
        return msgspec.structs.replace(
            self, general_ld=0, army_ld=0, roll_change=0,
            may_move=True, negotiated=False, attacked=False,
        )  # fmt: skip

    def rolled(self, unit: int, die: int) -> Army:
        """The army with a warband's D3 written down (AT-1.6)."""
        return msgspec.structs.replace(
            self,
            units=tuple(
                [msgspec.structs.replace(u, die=die) if u.id == unit else u for u in self.units]
            ),
        )

    def to_roll(self) -> tuple[int, ...]:
        """Warbands whose D3 has not been rolled, in list order (AT-1.6)."""
        return tuple([unit.id for unit in self.units if unit.warband and not unit.die])


Loss = tuple[tuple[int, int], ...]
"""Who loses how many figures: (unit or character number, figures), each named once."""


def common(units: Iterable[Unit]) -> int:
    """A number by which every figure's worth is whole: quicker to count with than fractions."""
    return lcm(*[unit.full for unit in units])


def unit_worth(unit: Unit) -> Fraction:
    """What is left of a unit, exact, in army points: a figure is worth its share (AT-1.15)."""
    return Fraction(unit.points * unit.figures, unit.full)


@lru_cache(maxsize=8192)
def points_of(units: tuple[Unit, ...], characters: tuple[Character, ...] = ()) -> int:
    """Army points of units and characters together, rounded down once (AT-1.15)."""
    whole = sum([character.points for character in characters])
    by = common(units)
    return whole + sum([u.points * u.figures * (by // u.full) for u in units]) // by


def army_points(army: Army) -> int:
    """An army's points, general included, rounded down once (AT-1.15)."""
    return points_of(army.units, army.characters)


def figures(army: Army) -> int:
    """All figures of an army; each character is one."""
    return sum([unit.figures for unit in army.units]) + len(army.characters)


@lru_cache(maxsize=8192)
def cheapest_first(units: tuple[Unit, ...], characters: tuple[Character, ...]) -> tuple[int, ...]:
    """Everybody's number in the order of a default loss (AT-3.2, AT-1.15).

    Units by the worth of a figure, then characters by their points; equals in list order.
    """
    by = common(units)
    ordered = sorted(units, key=lambda unit: unit.points * (by // unit.full))
    heroes = sorted(characters, key=lambda character: character.points)
    return (*[unit.id for unit in ordered], *[character.id for character in heroes])


def loss_of_figures(army: Army, count: int) -> Loss:
    """`count` figures, cheapest first, characters last (AT-3.2).

    A loss greater than the army takes all there is.
    """
    loss: list[tuple[int, int]] = []
    for member in cheapest_first(army.units, army.characters):
        if count <= 0:
            break
        taken = min(count, army.figures_of(member))
        if taken:
            loss.append((member, taken))
            count -= taken
    return tuple(loss)


def loss_of_points(army: Army, cost: int) -> Loss:
    """Whole figures, cheapest first, until their worth reaches `cost` army points (AT-8.11).

    Characters pay only when no other figure is left; an army worth less loses everything.
    """
    units = {unit.id: unit for unit in army.units}
    heroes = {character.id: character.points for character in army.characters}
    loss: list[tuple[int, int]] = []
    owed, parts = cost, 1  # what is owed is owed / parts: whole numbers are quicker than fractions
    for member in cheapest_first(army.units, army.characters):
        if owed <= 0:
            break
        if member in heroes:
            loss.append((member, 1))
            owed -= heroes[member] * parts
            continue
        unit = units[member]
        taken = min(unit.figures, -(-owed * unit.full // (parts * unit.points)))
        loss.append((member, taken))
        owed, parts = owed * unit.full - taken * unit.points * parts, parts * unit.full
    return tuple(loss)


def without(army: Army, loss: Loss) -> Army:
    """The army after a loss; a unit at 0 figures is gone, its warband die with it (AT-3.2, AT-1.6).

    Raises NotAllowed if the army has not those figures.
    """
    if not loss:
        return army
    lost: dict[int, int] = {}
    for member, number in loss:
        there = army.figures_of(member)
        if not 0 <= number <= there or member in lost:
            raise NotAllowed("loss.figures", rule="AT-3.2", part=member, legal=(f"0-{there}",))
        lost[member] = number
    units = []
    for unit in army.units:
        left = unit.figures - lost.get(unit.id, 0)
        if left:
            units.append(unit if left == unit.figures else replace(unit, figures=left))
    characters = tuple([c for c in army.characters if not lost.get(c.id)])
    return replace(army, units=tuple(units), characters=characters)
