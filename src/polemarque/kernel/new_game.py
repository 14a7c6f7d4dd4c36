"""How a game begins: its header, its first position, and where its dice come from."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from polemarque.kernel.dice import LONG, Faces, Roll, Source, counted
from polemarque.kernel.editions import check_editions, pinned
from polemarque.kernel.errors import OBEYED, NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.position import Position
from polemarque.kernel.records.keyed_dice import Seeded
from polemarque.kernel.records.record import COMMITTED, FREE, SEEDED, TYPED, VERSION, Dice, Header
from polemarque.kernel.system import find_system


class Unseeded:
    """Dice from the machine's own random source; only the record says how they fell."""

    def throw(self, roll: Roll, where: Any, decision: Any) -> Faces:
        """Faces for `roll`; a long roll comes as counts."""
        fell = tuple([secrets.randbelow(roll.sides) + 1 for _ in range(roll.count)])
        return fell if roll.count <= LONG else counted(fell, roll.sides)


def new_header(
    system: str,
    *,
    seats: int | None = None,
    setup: Mapping[str, Any] | None = None,
    scenario: str = "",
    options: Mapping[str, Any] | None = None,
    seed: int | str | None = None,
    dice: Dice | Literal[""] = "",
) -> Header:
    """The header of a new game; raises Refusal on anything the system does not know.

    scenario: name of a shipped set-up, the system's first one by default; `setup` goes over it.
    """
    rules = find_system(system)
    if scenario and scenario not in rules.scenarios:
        raise NotUnderstood("scenario.unknown", part=scenario, legal=rules.scenarios)
    name = scenario or next(iter(rules.scenarios), "")
    given = {**rules.scenarios.get(name, {}), **(setup or {})}
    if (obeyed := _obeyed(setup)) is not None:  # a scenario comes with the system, as its code does
        raise NotUnderstood("setup.signs", part=repr(obeyed)[1:-1])
    count = seats if seats is not None else given.pop("seats", rules.least)
    for said in ("seats", "turns"):
        given.pop(said, None)
    if type(count) is not int or not rules.least <= count <= len(rules.seats):
        raise NotAllowed(
            "seats.count", part=count, legal=(f"{rules.least}-{len(rules.seats)}",)
        )  # fmt: skip
    return Header(
        system=system,
        edition=rules.edition,
        seats=rules.seats[:count],
        setup=given,
        options=rules.options_from({**rules.settled(name), **(options or {})}),
        editions=pinned(rules),
        dice=dice or (FREE if seed is None else SEEDED),
        seed="" if seed is None else str(seed),
        version=VERSION,
    )


def opening(header: Header) -> Position:
    """The position in which a game begins.

    Raises Refusal on a bad set-up, another edition, or anchors of dice that are not committed.
    """
    rules = find_system(header.system)
    check_editions(header)
    if (header.dice == COMMITTED) != bool(header.anchor or header.anchors):
        raise NotUnderstood("anchor.left", part=header.dice)
    if not rules.least <= len(header.seats) or header.seats != rules.seats[: len(header.seats)]:
        legal = (f"{rules.least}-{len(rules.seats)}",)
        raise NotAllowed("seats.count", part=len(header.seats), legal=legal)
    fields = rules.setup.__struct_encode_fields__
    for name in header.setup:
        if name not in fields:
            raise NotUnderstood("setup.field", part=name, legal=fields)
    try:
        setup = convert(header.setup, rules.setup)
    except msgspec.ValidationError as fault:
        raise NotUnderstood("setup.unreadable", part=fault, misread=str(fault)) from None
    options = rules.options_from(header.options, header.edition)
    state, agenda = rules.begin(setup, header.seats, options)
    return Position(
        header.system,
        header.edition,
        state,
        tuple(agenda),
        editions=header.editions,
        judges=header.seats if header.umpire else (),
    )


def _obeyed(value: Any) -> str | None:
    """A text in a set-up with signs that a terminal obeys: it may be a stranger's."""
    inside = [value]
    for each in inside:  # which grows as it is walked
        if isinstance(each, str):
            if OBEYED.search(each):
                return each
        elif isinstance(each, dict):
            inside += [*each, *each.values()]
        elif isinstance(each, (list, tuple)):
            inside += each
    return None


class NoSource:
    """Dice that somebody else has to say: a person, or who holds the committed seeds."""

    def throw(self, roll: Roll, where: Any, decision: Any) -> Faces:
        """Raises OutOfDate: the faces come from elsewhere, as an entry."""
        raise OutOfDate("dice.needs_source", part=where)


class OnTheTable(NoSource):
    """Dice that people throw: the game waits for them at every roll."""


def source_of(header: Header) -> Source:
    """The dice source that a header names; typed and committed dice need more than a header."""
    if header.dice == SEEDED:
        return Seeded(header.seed, header.campaign)
    if header.dice == TYPED:
        return OnTheTable()
    return Unseeded() if header.dice == FREE else NoSource()
