"""How a war is set up (PR-1, PR-2): its board, its armies, and what is already held."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from polemarque.api import Item, Next, NotAllowed, NotUnderstood, Refusal, convert, then
from polemarque.api.boards import Board, BoardRefused, Cell, Link, grid, read_board
from polemarque.api.checkers import board_faults
from polemarque.api.files import Datum, Finding, Lines, Step, in_order, read_toml
from polemarque.systems.promiterra.chapters.deployment import order_of_play, with_zones
from polemarque.systems.promiterra.chapters.turn import armies_meet, next_turn
from polemarque.systems.promiterra.ground import COSTS
from polemarque.systems.promiterra.setup.catalogue import (
    MASTERY,
    ArmyList,
    Catalogue,
    Kind,
    shipped,
)
from polemarque.systems.promiterra.setup.options import Options
from polemarque.systems.promiterra.setup.set_up_rules import (
    SEATS,
    SHARES,
    ArmySetup,
    Fault,
    PersonSetup,
    Scrutiny,
    Setup,
    TroopSetup,
    catalogue_faults,
    sample_of,
)
from polemarque.systems.promiterra.state import Army, Person, Troop, War
from polemarque.systems.promiterra.stats import NO_CHANGE
from polemarque.systems.promiterra.views import side_of

PLAIN = {
    "id": "plain",
    "name": {"fr": "La plaine", "en": "The plain"},
    "shape": "square",
    "terrain": "\n".join(["." * 12] * 8),
    "legend": {".": "plain"},
}
"""The board of a war of which nothing is said."""

AGENDA: list[Item] = [then(armies_meet), then(order_of_play), then(next_turn)]
"""How every war begins."""


def begin(setup: Setup, seats: tuple[str, ...], options: Mapping[str, Any]) -> Next[War]:
    """The war before anybody has deployed.

    Raises NotUnderstood on a bad board, and NotAllowed on armies that the rules forbid.
    """
    readings = convert(options, Options)
    war = war_of(setup, seats, readings, (readings.special_share,))
    return war, AGENDA


def war_of(
    setup: Setup, seats: tuple[str, ...], readings: Options, shares: Sequence[str] = SHARES
) -> War:
    """The same, its special troops counted in each of these ways (PR-1.5)."""
    lists = setup.catalogue.over(shipped())
    if not setup.armies:
        standard = tuple([ArmySetup(army.key) for army in lists.army[: len(seats)]])
        setup = msgspec.structs.replace(setup, armies=standard)
    armies = setup.armies
    if len(armies) != len(seats):
        raise NotAllowed(
            "promiterra.armies", rule="PR-1.1", part=len(seats), legal=(len(armies),),
            armies=len(armies),
        )  # fmt: skip
    board = board_of(setup.board or PLAIN, readings.grid)
    for found in Scrutiny(setup, lists, board, shares).faults():
        raise found.refusal
    musters = [Muster(lists, seat, army) for seat, army in zip(seats, armies, strict=True)]
    persons = {person.id: person for muster in musters for person in muster.persons}
    known = {action for person in persons.values() for action in person.actions}
    sides = dict(zip(seats, armies, strict=True))
    war = War(
        board=board,
        armies={muster.seat: muster.army for muster in musters},
        troops={troop.id: troop for muster in musters for troop in muster.troops},
        persons=persons,
        actions={key: action for key, action in lists.actions.items() if key in known},
        options=readings,
    )
    war = msgspec.structs.replace(
        war,
        alliances=alliances_of(setup, war.armies),
        holders=_holders(war, sides),
        first=next((war.alliance_of(seat) for seat, army in sides.items() if army.first), ""),
    )
    return with_zones(war, {seat: army.zone for seat, army in sides.items()})


def board_of(table: Mapping[str, Any], shape: str) -> Board:
    """The board of a set-up, its cells as the variant `grid` has them (PR-2.2).

    Raises NotUnderstood on a bad table, NotAllowed on a board of hexes that is played with squares.
    """
    try:
        read = read_board({"board": table}, terrains=tuple(COSTS))
    except BoardRefused as refused:
        first = refused.findings[0]
        raise NotUnderstood(
            "promiterra.board", rule="PR-2.1", part=first.place, legal=COSTS, fault=first
        ) from None
    if shape == "square8":
        if read.grid.shape == "hex":
            raise NotAllowed("promiterra.hex_board", rule="PR-2.2", part="hex", legal=("grid=hex",))
        return read
    ground = grid("hex", read.grid.columns, read.grid.rows)
    roads: tuple[Link, ...] = tuple([(a, b) for a, b in read.roads if ground.adjacent(a, b)])
    return msgspec.structs.replace(read, grid=ground, roads=roads)


def _holders(war: War, armies: Mapping[str, ArmySetup]) -> dict[Cell, str]:
    """The alliances that defend fortified cells: those named, then those that stand there."""
    held = {cell: war.alliance_of(seat) for seat, army in armies.items() for cell in army.holds}
    for troop in war.present:
        if war.fort(troop.cell):
            held[troop.cell] = war.alliance_of(troop.army)
    return held


def alliances_of(setup: Setup, armies: Mapping[str, Army]) -> dict[str, dict[str, str]]:
    """What readers call each alliance: its own name, or that of its only army, or its first army's
    side.
    """
    found: dict[str, dict[str, str]] = {}
    for army in armies.values():
        alone = [each.alliance for each in armies.values()].count(army.alliance) == 1
        named = setup.alliances.get(army.alliance, {})
        usual = army.names if alone else side_of(army.names)
        found.setdefault(army.alliance, {**usual, **named})
    return found


LISTS = ("army", "action", "career")
"""The tables of a catalogue."""


def check(path: Path) -> tuple[Finding, ...] | None:
    """Everything that is wrong with a set-up or a catalogue; None if it is neither.

    Codes: ``promiterra.setup`` (message: what the type says), those of boards, and those of
    `scrutiny`, with the rule that is broken and what would be legal.
    """
    read = read_toml(path)
    if isinstance(read, Finding):
        return None
    raw, text = read
    file = _File(path, raw, text)
    if isinstance(raw.get("armies"), list):
        return in_order(file.setup())
    if raw and all(key in LISTS and isinstance(raw[key], list) for key in raw):
        return in_order(file.catalogue())
    return None


class _File:
    def __init__(self, path: Path, raw: Mapping[str, Any], text: str) -> None:
        self.path = str(path)
        self.raw = raw
        self.text = text
        self.lines = Lines(text)

    def catalogue(self) -> Iterator[Finding]:
        """A catalogue, over our own."""
        given = self._read(self.raw, Catalogue)
        if isinstance(given, Finding):
            yield given
            return
        yield from map(self._finding, catalogue_faults(given, given.over(shipped())))

    def setup(self) -> Iterator[Finding]:
        """A set-up: its board first, then its armies, then whether a game begins with it."""
        plain = {key: value for key, value in self.raw.items() if key != "seats"}
        given = self._read(plain, Setup)
        if isinstance(given, Finding):
            yield given
            return
        if given.board:
            faults = board_faults(self.raw, self.path, self.text, tuple(COSTS))
            if faults:
                yield from faults
                return
        table = given.board or PLAIN
        shape: Literal["hex", "square8"] = "hex" if table["shape"] == "hex" else "square8"
        lists = given.catalogue.over(shipped())
        found = list(Scrutiny(given, lists, board_of(table, shape)).faults())
        yield from map(self._finding, found)
        if not found:
            yield from self._begun(given, Options(grid=shape))

    def _begun(self, given: Setup, readings: Options) -> Iterator[Finding]:
        """Whatever else keeps a game from beginning."""
        seats = self.raw.get("seats")
        count = seats if isinstance(seats, int) else len(given.armies)
        try:
            war_of(given, SEATS[:count], readings)
        except Refusal as refusal:
            named = {k: v for k, v in refusal.data.items() if isinstance(v, (str, int))}
            data: dict[str, Datum] = {**_said(refusal.rule, refusal.part, refusal.legal), **named}
            yield Finding(self.path, self.lines.of("armies"), "armies", refusal.code, data)

    def _read(self, raw: Any, kind: type[Any]) -> Any:
        """The content as its type has it, or what is wrong with its form."""
        try:
            return convert(raw, kind)
        except msgspec.ValidationError as wrong:
            steps = _steps(str(wrong))
            where = ".".join(map(str, steps))
            data: dict[str, Datum] = {"misread": str(wrong)}
            return Finding(self.path, self.lines.of(*steps), where, "promiterra.setup", data)

    def _finding(self, fault: Fault) -> Finding:
        data: dict[str, Datum] = {**_said(fault.rule, fault.part, fault.legal), **fault.data}
        place = ".".join(map(str, fault.where))
        code = f"promiterra.{fault.code}"
        return Finding(self.path, self.lines.of(*fault.where), place, code, data)


def _said(rule: str, part: object, legal: tuple[str, ...]) -> dict[str, Datum]:
    return {"rule": rule, "part": str(part), "legal": ", ".join(legal)}


def _steps(message: str) -> tuple[Step, ...]:
    """The place that a message of the reader names: `$.armies[0].troops[2].units`."""
    _, mark, path = message.partition("`$")
    if not mark:
        return ()
    words = path.rstrip("`").replace("[", ".").replace("]", "").split(".")
    return tuple([int(word) if word.isdigit() else word for word in words if word])


LANGUAGES = ("fr", "en")


class Muster:
    """The troops and people of one army (PR-1.2); what could be wrong, `scrutiny` has looked at."""

    def __init__(self, lists: Catalogue, seat: str, given: ArmySetup) -> None:
        self.lists = lists
        self.seat = seat
        self.list = lists.armies[given.army]
        self.troops: list[Troop] = []
        self.persons: list[Person] = []
        for troop in given.troops or sample_of(self.list):
            self._enlist(troop)
        self.troops = _numbered(self.troops)
        commander = {person.name: person.id for person in self.persons}.get(given.commander)
        self.army = Army(
            seat=seat,
            names={**_both(self.list), **given.name},
            kind=self.list.key,
            alliance=given.alliance or seat,
            commander=commander or self.troops[0].leader,
            rerolls=given.rerolls,
        )

    def _enlist(self, given: TroopSetup) -> None:
        """One troop with its people."""
        kind = self.list.kind(given.unit)
        assert kind is not None
        troop = f"{self.seat}{len(self.troops) + 1}"
        leader = self._person(given.leader, troop, led=True)
        for other in given.others:
            self._person(other, troop, led=False)
        self.troops.append(
            Troop(
                id=troop,
                army=self.seat,
                kind=kind.key,
                names={**_both(kind), **given.name},
                type=kind.type,
                base=kind.stats,
                units=given.units,
                start=given.units,
                leader=leader,
                cell=given.cell,
                ability=kind.ability,
                unwell=given.unwell,
            )
        )

    def _person(self, given: str | PersonSetup, troop: str, *, led: bool) -> str:
        one = PersonSetup(given) if isinstance(given, str) else given
        career = self.lists.careers.get(one.career)
        learnt = career.actions if career else ()
        masters = career is not None and one.experience >= MASTERY
        person = Person(
            id=f"{self.seat}-{len(self.persons) + 1}",
            name=one.name,
            army=self.seat,
            troop=troop,
            skill=one.skill,
            actions=tuple(dict.fromkeys((*learnt, *one.actions))),
            mastery=career.mastery if career and masters else NO_CHANGE,
            career=one.career,
            led=led,
        )
        self.persons.append(person)
        return person.id


def _both(named: ArmyList | Kind) -> dict[str, str]:
    return {lang: getattr(named, lang) for lang in LANGUAGES}


def _numbered(troops: list[Troop]) -> list[Troop]:
    """Troops of one name are numbered, in every language."""
    for lang in LANGUAGES:
        names = [troop.names[lang] for troop in troops]
        for at, troop in enumerate(troops):
            if names.count(names[at]) > 1:
                troop.names[lang] = f"{names[at]} ({names[: at + 1].count(names[at])})"
    return troops
