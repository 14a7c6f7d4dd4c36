"""How a war is set up (PR-1, PR-2): its board, its armies, and what is already held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from polemarque.api import Item, Next, NotAllowed, NotUnderstood, then
from polemarque.api.boards import Board, BoardRefused, Cell, Link, grid, read_board
from polemarque.systems.promiterra.chapters.deployment import order_of_play
from polemarque.systems.promiterra.chapters.turn import armies_meet, next_turn
from polemarque.systems.promiterra.ground import COSTS
from polemarque.systems.promiterra.names import side_of
from polemarque.systems.promiterra.setup.army_building import Muster
from polemarque.systems.promiterra.setup.catalogue import shipped
from polemarque.systems.promiterra.setup.options import Options
from polemarque.systems.promiterra.setup.set_up_rules import SHARES, Scrutiny
from polemarque.systems.promiterra.setup.setup_file import ArmySetup, Setup
from polemarque.systems.promiterra.setup.zones import with_zones
from polemarque.systems.promiterra.state import Army, War

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
    readings = Options.of(options)
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
