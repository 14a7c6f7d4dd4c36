"""What a set-up holds, as it is written in a scenario file."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from polemarque.api.boards import Cell
from polemarque.systems.promiterra.setup.catalogue import Catalogue, Some

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
