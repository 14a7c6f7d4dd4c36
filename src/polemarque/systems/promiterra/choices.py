"""Whom a troop can attack, invade, challenge, divide for and merge with, as things stand."""

from __future__ import annotations

from collections.abc import Collection

from polemarque.api.boards import Cell
from polemarque.systems.promiterra.ground import Field
from polemarque.systems.promiterra.state import Person, Troop, War

DIVISIONS = 9
"""How often a person may lead a new troop in one war: each is named after him."""


def targets(war: War, seat: str, cell: Cell, reach: int) -> tuple[str, ...]:
    """Hostile troops that can be attacked from a cell: adjacent ones, and with a range of two or
    more those within it that are not barricaded (PR-5.5, PR-5.6, PR-7.1).
    """
    distance = war.board.grid.distance
    found = []
    for enemy in war.enemies_of(seat):
        away = distance(cell, enemy.cell)
        if away == 1 or (1 < away <= reach and not enemy.barricaded):
            found.append(enemy.id)
    return tuple(found)


def invadable(field: Field, cell: Cell) -> tuple[Cell, ...]:
    """Adjacent empty fortified cells that its side does not defend (PR-7.4)."""
    near = field.war.board.grid.neighbours(cell)
    return tuple([other for other in near if field.closed_fort(other)])


def duellists(war: War, seat: str, challenged: Collection[str]) -> tuple[str, ...]:
    """Hostile troops whose leader can be challenged, at any distance (PR-7.6).

    challenged: those whom the army challenges this turn already; by `once` not a second time.
    """
    spared = challenged if war.options.challenges == "once" else ()
    return tuple([enemy.id for enemy in war.enemies_of(seat) if enemy.id not in spared])


def founders(war: War, troop: Troop) -> tuple[str, ...]:
    """Persons of a troop who could lead another one (PR-7.7)."""
    return tuple(
        [
            person.id
            for person in war.people
            if person.troop == troop.id and person.id != troop.leader and new_troop_id(war, person)
        ]
    )


def new_troop_id(war: War, person: Person) -> str:
    """What the troop that a person founds is called, "" if he has founded all he may."""
    names = [f"{person.id}-{number}" for number in range(1, DIVISIONS + 1)]
    return next((name for name in names if name not in war.troops), "")


def division_cells(field: Field, cell: Cell) -> tuple[Cell, ...]:
    """Adjacent free cells for a new troop, closed forts left out (PR-7.7)."""
    near = field.war.board.grid.neighbours(cell)
    return tuple([other for other in near if field.free(other) and not field.closed_fort(other)])


def mergeable(field: Field, troop: Troop) -> tuple[str, ...]:
    """Own troops of one type beside a troop, as far as moves are decided, that have not attacked
    this turn (PR-7.8).
    """
    war, adjacent = field.war, field.war.board.grid.adjacent
    here = field.at[troop.id]
    return tuple(
        [
            other.id
            for other in war.troops_of(field.seat)
            if other.type == troop.type
            and other.id not in war.attacked
            and adjacent(here, field.at[other.id])
        ]
    )
