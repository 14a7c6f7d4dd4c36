"""What an army is made of: kinds of stand, army lists, mercenaries (MN-2.2, MN-2.3, MN-3.3).

The lists stand in ``data/army_lists.toml``.  Twelve stands and the guard: what each kind can do in
a battle is the battle systems' business.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec

from polemarque.api import convert
from polemarque.api.files import CheckFailed, Finding

ARMY_LISTS = Path(__file__).parents[1] / "data" / "army_lists.toml"
"""The project's own lists."""

STANDS = 12
"""Stands of an army without its guard (MN-2.2)."""


class ListsRefused(CheckFailed, ValueError):
    """A file of army lists that cannot be used.  `findings` say why."""


class Element(msgspec.Struct, frozen=True):
    """A kind of stand; `names` by language.

    fights_as: of a club's own kind, the kind of ours as which it fights; "" for one of ours.
    """

    key: str
    names: dict[str, str]
    fights_as: str = ""

    @property
    def in_battle(self) -> str:
        """The kind that battle systems know it as."""
        return self.fights_as or self.key


class ArmyList(msgspec.Struct, frozen=True):
    """An army: the number of its stands by element, twelve in all, and what its guard is."""

    key: str
    names: dict[str, str]
    stands: dict[str, int]
    guard: str

    @property
    def elements(self) -> tuple[str, ...]:
        """The element of each of the twelve stands, in the file's order."""
        return tuple([element for element, count in self.stands.items() for _ in range(count)])


class Mercenary(msgspec.Struct, frozen=True):
    """A kind of mercenaries: what one stand of it is."""

    key: str
    names: dict[str, str]
    element: str


class ArmyLists(msgspec.Struct, frozen=True, dict=True):
    """A whole file of lists, in its order; look-ups are made when first used."""

    elements: tuple[Element, ...]
    lists: tuple[ArmyList, ...]
    mercenaries: tuple[Mercenary, ...]

    @cached_property
    def element(self) -> dict[str, Element]:
        """Element by key."""
        return {one.key: one for one in self.elements}

    @cached_property
    def list(self) -> dict[str, ArmyList]:
        """Army list by key."""
        return {one.key: one for one in self.lists}

    @cached_property
    def mercenary(self) -> dict[str, Mercenary]:
        """Kind of mercenaries by key."""
        return {one.key: one for one in self.mercenaries}


@cache
def load_lists(path: Path | str | None = None) -> ArmyLists:
    """The lists of a file, or the shipped ones; read once, so a changed file is not seen again.

    Raises ListsRefused, with everything that is wrong with the file.
    """
    from polemarque.systems.mare_nostrum.setup.army_list_checks import examined

    content, findings = examined(ARMY_LISTS if path is None else path)
    if findings:
        raise ListsRefused(findings)
    return _built(content)


def read_lists(document: Mapping[str, Any]) -> ArmyLists:
    """The lists that a set-up gives as plain data.  Raises ListsRefused with every fault."""
    from polemarque.systems.mare_nostrum.setup.army_list_checks import content_faults

    findings = content_faults(dict(document))
    if findings:
        raise ListsRefused(findings)
    return _built(document)


def check_lists(path: Path | str) -> tuple[Finding, ...]:
    """Everything that is wrong with a file of lists, in its order; none if it can be loaded.

    The codes are listed in `army_checks`.
    """
    from polemarque.systems.mare_nostrum.setup.army_list_checks import examined

    return examined(path)[1]


def _built(content: Mapping[str, Any]) -> ArmyLists:
    """The lists that a file's content describes; the content must be free of findings."""
    tables = {"elements": "element", "lists": "list", "mercenaries": "mercenary"}
    rows = {
        field: [{"names": row["name"], **row} for row in content[table]]
        for field, table in tables.items()
    }
    return convert(rows, ArmyLists)
