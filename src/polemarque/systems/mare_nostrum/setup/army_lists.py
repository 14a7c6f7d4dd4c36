"""What an army is made of: kinds of stand, army lists, mercenaries (MN-2.2, MN-2.3, MN-3.3).

The lists stand in ``data/army_lists.toml``.  Twelve stands and the guard: what each kind can do in
a battle is the battle systems' business.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec

from polemarque.api import convert
from polemarque.api.checkers import Forms, Steps
from polemarque.api.files import CheckFailed, Datum, Finding, Step, examined_file, in_order

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
    content, findings = examined(ARMY_LISTS if path is None else path)
    if findings:
        raise ListsRefused(findings)
    return _built(content)


def read_lists(document: Mapping[str, Any]) -> ArmyLists:
    """The lists that a set-up gives as plain data.  Raises ListsRefused with every fault."""
    findings = content_faults(dict(document))
    if findings:
        raise ListsRefused(findings)
    return _built(document)


def check_lists(path: Path | str) -> tuple[Finding, ...]:
    """Everything that is wrong with a file of lists, in its order; none if it can be loaded.

    The codes are listed in `army_checks`.
    """
    return examined(path)[1]


def _built(content: Mapping[str, Any]) -> ArmyLists:
    """The lists that a file's content describes; the content must be free of findings."""
    tables = {"elements": "element", "lists": "list", "mercenaries": "mercenary"}
    rows = {
        field: [{"names": row["name"], **row} for row in content[table]]
        for field, table in tables.items()
    }
    return convert(rows, ArmyLists)


_NAMED = {"key": "text", "name": "names"}
FIELDS = {
    "element": {**_NAMED, "fights_as": "text?"},
    "list": {**_NAMED, "stands": "counts", "guard": "text"},
    "mercenary": {**_NAMED, "element": "text"},
}
"""What each table of a file of lists must have, and of which kind."""


@cache
def our_kinds() -> tuple[str, ...]:
    """The kinds of stand of the shipped lists: those that battle systems know (MN-2.3)."""
    rows = tomllib.loads(ARMY_LISTS.read_text(encoding="utf-8"))["element"]
    return tuple([row["key"] for row in rows])


def examined(path: Path | str) -> tuple[dict[str, Any], tuple[Finding, ...]]:
    """The content of a file of lists ({} if it cannot be read) and everything wrong with it."""
    return examined_file(path, content_faults)


def content_faults(
    content: dict[str, Any], file: str = "", text: str = "", within: Steps = ()
) -> tuple[Finding, ...]:
    """Everything that is wrong with lists given as plain data, as a set-up may.

    file, text, within: the file that holds them, its text, and where in it; none: without lines.
    """
    return in_order(_Checker(file, content, text, within).findings())


class _Checker(Forms):
    prefix = "armies"
    fields = FIELDS
    head = ""
    required = ("element", "list")
    identifier = "key"

    def findings(self) -> Iterator[Finding]:
        """Every fault, in no order."""
        yield from self.form()
        yield from self.identifiers()
        yield from self.names()
        yield from self.elements()
        yield from self.in_battle()
        yield from self.counts()

    def elements(self) -> Iterator[Finding]:
        """Elements that the file does not declare."""
        known = [row.get("key", "") for row in self.rows("element")]
        for kind, row, steps, place in self.tables():
            uses: list[tuple[Step, ...]] = []
            if kind == "list":
                uses = [("stands", word) for word in self.good(kind, row, "stands") or ()]
                uses.append(("guard",))
            elif kind == "mercenary":
                uses = [("element",)]
            for at in uses:
                word = at[1] if len(at) > 1 else self.good(kind, row, str(at[0]))
                if word is not None and word not in known:
                    data: dict[str, Datum] = {"word": word, "known": ", ".join(known)}
                    yield self.fault(
                        "armies.element", *steps, *at, place=place, id=row.get("key", ""), **data
                    )

    def in_battle(self) -> Iterator[Finding]:
        """Elements that no battle system would know."""
        for number, row in enumerate(self.rows("element")):
            field = "fights_as" if "fights_as" in row else "key"
            word = self.good("element", row, field)
            if word is None or word in our_kinds():
                continue
            name = row.get("key", "")
            data: dict[str, Datum] = {"id": name, "word": word, "known": ", ".join(our_kinds())}
            place = f"element {name or number + 1}"
            yield self.fault("armies.fights_as", "element", number, field, place=place, **data)

    def counts(self) -> Iterator[Finding]:
        """Armies of more or fewer than twelve stands."""
        for number, row in enumerate(self.rows("list")):
            stands = self.good("list", row, "stands")
            if stands is None:
                continue
            name, at = row.get("key", ""), ("list", number, "stands")
            place = f"list {name or number + 1}"
            for word, count in stands.items():
                if count < 1:
                    data: dict[str, Datum] = {"id": name, "word": word, "count": count}
                    yield self.fault("armies.count", *at, word, place=place, **data)
            if (total := sum(stands.values())) != STANDS:
                data = {"id": name, "count": total, "wanted": STANDS}
                yield self.fault("armies.stands", *at, place=place, **data)
