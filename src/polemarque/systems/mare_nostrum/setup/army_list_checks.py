"""Checks of a file of army lists: every fault, each with its file, line and place.

Codes, with their data: those of `read_toml`, those of `maps.forms` after ``armies.``, and

armies.element (id, word, known)    an element that the file does not declare
armies.fights_as (id, word, known)  an element that fights as none of ours
armies.count (id, word, count)      a number of stands that is not above 0
armies.stands (id, count, wanted)   an army that is not of twelve stands
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from polemarque.api.checkers import Forms, Steps
from polemarque.api.files import Datum, Finding, Step, examined_file, in_order
from polemarque.systems.mare_nostrum.setup.army_lists import ARMY_LISTS, STANDS

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
    """Looks at the content of one file of lists."""

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
