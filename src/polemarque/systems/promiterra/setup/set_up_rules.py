"""What a set-up holds, and what is wrong with one or with a catalogue (PR-1, PR-2, PR-7.4).

A game that begins is refused for the first of them; `polemarque check` names them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec

from polemarque.api import NotAllowed
from polemarque.api.boards import Board, Cell
from polemarque.api.files import Step
from polemarque.systems.promiterra.setup.catalogue import ArmyList, Catalogue, Some
from polemarque.systems.promiterra.state import FORTS, NOBODY
from polemarque.systems.promiterra.stats import LIMITS, beyond_limits

SEATS = ("A", "B", "C", "D", "E", "F", "G", "H")
"""The seats of a war, in the order of its armies."""

Count = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Few = msgspec.Meta(max_length=100)
"""More than any army has of anything."""


class PersonSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A leader or another character.

    career, experience: 12 points are full mastery (PR-1.9).   skill: for duels (PR-7.6).
    actions:            war actions that he knows beside those of his career (PR-1.8).
    """

    name: str
    career: str = ""
    experience: Count = 0
    skill: Annotated[int, msgspec.Meta(ge=-1000, le=1000)] = 0
    actions: Annotated[tuple[str, ...], Few] = ()


class TroopSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A troop.

    unit:   key of its kind in the army's list.   units: how many.
    leader: a name, or a whole person.            others: further characters (PR-1.2).
    cell:   where it stands; "" if its player deploys it (PR-2.4).
    name:   by language, over that of its kind.   unwell: health problems (PR-4.2e).
    """

    unit: str
    units: Some
    leader: str | PersonSetup
    others: Annotated[tuple[str | PersonSetup, ...], Few] = ()
    cell: Cell = ""
    name: dict[str, str] = {}
    unwell: bool = False


class ArmySetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An army.

    army:      key of its list.
    alliance:  those of the same one are allies; "": its own seat, so that others may name that.
    troops:    none for the sample army of its list.
    commander: name of a person; "" for the first troop's leader (PR-1.2).
    zone:      where it may deploy: an edge of the board or cells; "" for any edge (PR-2.4).
    holds:     fortified cells that it defends (PR-7.4).
    first:     whether its alliance plays first (PR-2.4).
    rerolls:   rolls that its priests can have made again (PA-4).
    """

    army: str
    alliance: str = ""
    troops: Annotated[tuple[TroopSetup, ...], Few] = ()
    commander: str = ""
    name: dict[str, str] = {}
    zone: Literal["", "south", "north", "west", "east"] | tuple[Cell, ...] = ""
    holds: tuple[Cell, ...] = ()
    first: bool = False
    rerolls: Count = 0


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A war.

    board:     a table as in a board file; {} for an empty plain.
    armies:    one a seat, allied ones in the order in which they play; () for sample armies.
    alliances: what readers call them, by code and language.
    catalogue: lists, war actions and careers that go over ours.
    """

    board: dict[str, Any] = {}
    armies: Annotated[tuple[ArmySetup, ...], Few] = ()
    alliances: dict[str, dict[str, str]] = {}
    catalogue: Catalogue = Catalogue()


SHARE = 3
"""Special troops are at most one part in so many (PR-1.5)."""

SHARES = ("units", "value")
"""What that is counted in, by the variants of `special_share`."""

STRONGEST = 4
"""The highest level of fortification (PR-2.3)."""

Legal = Sequence[object]


class Fault(msgspec.Struct, frozen=True):
    """One fault.

    code:  of the refusal and of the finding, after ``promiterra.``.
    part:  what is wrong.   legal: what would be right.
    where: steps into the set-up or the catalogue.
    data:  further figures for the message.
    """

    code: str
    rule: str
    part: object
    legal: tuple[str, ...] = ()
    where: tuple[Step, ...] = ()
    data: dict[str, Any] = {}

    @property
    def refusal(self) -> NotAllowed:
        """The fault as a refusal."""
        return NotAllowed(
            f"promiterra.{self.code}", rule=self.rule, part=self.part, legal=self.legal, **self.data
        )


def fault(code: str, rule: str, part: object, legal: Legal, *where: Step, **data: Any) -> Fault:
    """A fault, what is legal as words."""
    return Fault(code, rule, part, tuple([str(word) for word in legal]), where, data)


def catalogue_faults(given: Catalogue, whole: Catalogue) -> Iterator[Fault]:
    """Faults of a catalogue; whole: with what stands behind it."""
    for at, army in enumerate(given.army):
        yield from _list_faults(army, at)
    for at, career in enumerate(given.career):
        for action in career.actions:
            if action not in whole.actions:
                yield fault("no_action", "PR-1.8", action, tuple(whole.actions), "career", at)


def _list_faults(army: ArmyList, at: int) -> Iterator[Fault]:
    special = [kind.key for kind in army.unit if kind.type == "special"]
    if len(special) > 1:
        yield fault("two_specials", "PR-1.10", army.key, special, "army", at)
    for number, kind in enumerate(army.unit):
        beyond = beyond_limits(kind.stats)
        if beyond is not None:
            yield fault(
                "beyond", "PR-1.6", getattr(kind.stats, beyond), (LIMITS[beyond],),
                "army", at, "unit", number, beyond, stat=beyond, unit=kind.key,
            )  # fmt: skip
    troops = sample_of(army)
    yield from troop_faults(army, troops, ("army", at, "sample"))
    for share in SHARES:
        yield from share_faults(army, troops, share, ("army", at, "sample"))


def sample_of(army: ArmyList) -> tuple[TroopSetup, ...]:
    """The sample army of a list, as a set-up has it."""
    return tuple([TroopSetup(unit=s.unit, units=s.units, leader=s.leader) for s in army.sample])


def troop_faults(
    army: ArmyList, troops: Sequence[TroopSetup], where: tuple[Step, ...]
) -> Iterator[Fault]:
    """Troops of a kind that their list does not have (PR-1.3)."""
    known = [kind.key for kind in army.unit]
    for number, troop in enumerate(troops):
        if troop.unit not in known:
            yield fault(
                "no_kind", "PR-1.3", troop.unit, known, *where, number, "unit", army=army.key
            )


def share_faults(
    army: ArmyList, troops: Sequence[TroopSetup], share: str, where: tuple[Step, ...]
) -> Iterator[Fault]:
    """Special troops beyond a third of an army, in units or in value (PR-1.5)."""
    weights = []
    for troop in troops:
        kind = army.kind(troop.unit)
        if kind is not None:
            each = kind.value if share == "value" else 1
            weights.append((kind.type, troop.units * each))
    whole = sum([weight for _, weight in weights])
    special = sum([weight for kind, weight in weights if kind == "special"])
    if special * SHARE > whole:
        yield fault(
            "special_share", "PR-1.5", special, (f"0-{whole // SHARE}",), *where,
            army=army.key, whole=whole, most=whole // SHARE, counted=share,
        )  # fmt: skip


class Scrutiny:
    """Everything that can be said against the armies of a set-up, on a board that is sound.

    shares: the variants of `special_share` by which it is looked at.
    """

    def __init__(
        self, setup: Setup, lists: Catalogue, board: Board, shares: Sequence[str] = SHARES
    ) -> None:
        self.setup = setup
        self.lists = lists
        self.board = board
        self.shares = shares
        self.forts: Mapping[Cell, int] = board.marks.get(FORTS, {})

    def faults(self) -> Iterator[Fault]:
        """Every fault, in the order of the set-up."""
        for cell, level in self.forts.items():
            if not 0 <= level <= STRONGEST:
                yield fault(
                    "fort", "PR-2.3", level, (f"0-{STRONGEST}",), "board", "marks", FORTS, cell,
                    cell=cell,
                )  # fmt: skip
        given = self.setup.catalogue
        yield from (
            msgspec.structs.replace(one, where=("catalogue", *one.where))
            for one in catalogue_faults(given, self.lists)
        )
        for at, army in enumerate(self.setup.armies):
            yield from self.army(army, ("armies", at))
        yield from self.places()
        yield from self.alliances()

    def alliances(self) -> Iterator[Fault]:
        """No alliance has the code that means nobody; not all armies are of one."""
        for at, army in enumerate(self.setup.armies):
            if army.alliance == NOBODY:
                yield fault("alliance", "PR-1.1", NOBODY, (), "armies", at, "alliance")
        armies = zip(SEATS, self.setup.armies, strict=False)
        sides = [army.alliance or seat for seat, army in armies]
        if len(set(sides)) == 1:
            yield fault("one_side", "PR-1.1", sides[0], (), "armies")

    def army(self, army: ArmySetup, where: tuple[Step, ...]) -> Iterator[Fault]:
        """One army: its list, its troops, its people, its commander."""
        kinds = self.lists.armies.get(army.army)
        if kinds is None:
            yield fault("no_list", "PR-1.10", army.army, list(self.lists.armies), *where, "army")
            return
        troops = army.troops or sample_of(kinds)
        if not troops:
            yield fault("no_troops", "PR-1.2", army.army, (), *where)
        inside = (*where, "troops")
        yield from troop_faults(kinds, troops, inside)
        for share in self.shares:
            yield from share_faults(kinds, troops, share, inside)
        yield from self.people(army, troops, where)
        for number, cell in enumerate(army.holds):
            if not self.forts.get(cell):
                legal = list(self.forts)
                yield fault("holds", "PR-7.4", cell, legal, *where, "holds", number)

    def people(
        self, army: ArmySetup, troops: Sequence[TroopSetup], where: tuple[Step, ...]
    ) -> Iterator[Fault]:
        """Its people bear different names, and one of the leaders commands (PR-1.2)."""
        named: set[str] = set()
        for number, troop in enumerate(troops):
            place = (*where, "troops", number)
            for given in (troop.leader, *troop.others):
                one = PersonSetup(given) if isinstance(given, str) else given
                if one.name in named:
                    yield fault("same_name", "PR-1.2", one.name, (), *place, army=army.army)
                named.add(one.name)
                if one.career and one.career not in self.lists.careers:
                    yield fault("no_career", "PR-1.9", one.career, list(self.lists.careers), *place)
                for action in one.actions:
                    if action not in self.lists.actions:
                        yield fault("no_action", "PR-1.8", action, list(self.lists.actions), *place)
        leaders = [t.leader if isinstance(t.leader, str) else t.leader.name for t in troops]
        if army.commander and army.commander not in leaders:
            yield fault(
                "no_commander", "PR-1.2", army.commander, leaders, *where, "commander",
                army=army.army,
            )  # fmt: skip

    def places(self) -> Iterator[Fault]:
        """Troops stand on the board, one in a cell (PR-2.2)."""
        taken: set[Cell] = set()
        ground = self.board.grid
        last = ground.cell(ground.columns, ground.rows)
        for at, army in enumerate(self.setup.armies):
            for number, troop in enumerate(army.troops):
                where = ("armies", at, "troops", number, "cell")
                if troop.cell and troop.cell not in ground:
                    yield fault(
                        "off_board", "PR-2.2", troop.cell, (f"a1-{last}",), *where, last=last
                    )
                elif troop.cell and troop.cell in taken:
                    yield fault("two_in_cell", "PR-2.2", troop.cell, (), *where)
                taken.add(troop.cell)
            zone = army.zone if isinstance(army.zone, tuple) else ()
            for number, cell in enumerate(zone):
                if cell not in ground:
                    yield fault("zone", "PR-2.4", cell, (f"a1-{last}",), "armies", at, "zone",
                                number)  # fmt: skip
