"""The voice of a chronicle: events in words, and the reasons of their numbers.

A system tells ``tell("AT-9.5", "taken", seat=…, place=…)`` and says the sentence in its catalogue::

    ["AT-9.5"]
    taken = "{^seat:seat} prend {place:place}."

Besides, under keys of its own choice or by these rules, all looked up in the system's texts first:

``roll.<why>``             what a roll is for
``modifier.<reason>``      one part of a sum; {n} is how many equal parts were put together
``sum.<rule>``             what a sum of that rule's modifiers is called (else the rule's title)
``why.<rule>.<kind>``      a sentence of reasons, filled from the event's data: a table's row, say
``option.<name>``          a variant (or ``option.<name>.title``), and ``option.<name>.<value>``
``phase.<rule>``           the heading of a phase of the turn, one of the system's `phases`

A reason ``morale@a`` is the part "morale" of the sum of a seat or side ``a``: sums of several
people told in one event are kept apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from polemarque.kernel.events import Event, Modifier, Thrown
from polemarque.kernel.game import opening
from polemarque.kernel.ledger import Row, ledger_path, read_ledger
from polemarque.kernel.record import Header
from polemarque.kernel.system import System, find_system, system_names
from polemarque.kernel.texts import KERNEL_TEXTS, Catalogue
from polemarque.report.tree import Citation, Why

REPORT_TEXTS = Path(__file__).parent / "data"
"""The texts that all chronicles share."""

Names = Mapping[str, Mapping[str, str]]
"""Family of texts ("seat", "place"…) -> code -> name."""


@cache
def catalogue_of(name: str) -> Catalogue:
    """The texts of a system over the chronicle's and the kernel's own."""
    data = find_system(name).data
    own = (data,) if (data / "texts.fr.toml").exists() else ()
    return Catalogue.load(KERNEL_TEXTS, REPORT_TEXTS, *own)


@cache
def ledger_of(name: str) -> Mapping[str, Row]:
    """The rows of a system's ledger that can be read."""
    return read_ledger(ledger_path(find_system(name)))[0]


class Book:
    """The texts and the ledger of one system, with the names of one game."""

    def __init__(self, system: System, lang: str, names: Names) -> None:
        self.system = system
        self.lang = lang
        self.catalogue = catalogue_of(system.name).naming(names)

    def has(self, key: str) -> bool:
        """Whether there is such a text."""
        return self.catalogue.has(self.lang, key)

    def say(self, key: str, **data: Any) -> str:
        """A text.  Raises MissingText."""
        return self.catalogue.say(self.lang, key, **data)

    def title(self, rule: str) -> str:
        """A rule's title, "" if the ledger has none."""
        row = ledger_of(self.system.name).get(rule.partition("/")[0])
        return row.title.get(self.lang, "") if row else ""

    def name(self, code: str) -> str:
        """A seat's or person's name, or the code itself."""
        return self._or_bare(f"seat.{code}", code)

    def option(self, name: str) -> str:
        """What an option is about."""
        return self._or_bare(f"option.{name}", self._or_bare(f"option.{name}.title", name))

    def option_value(self, name: str, value: object) -> str:
        """What a value of an option means."""
        return self._or_bare(f"option.{name}.{value}", str(value))

    def _or_bare(self, key: str, bare: str) -> str:
        return self.say(key) if self.has(key) else bare

    @property
    def system_title(self) -> str:
        """The system's title."""
        return self.system.titles.get(self.lang, self.system.name)


class Voice:
    """Says the events of one game in one language.

    names: family -> code -> name, over those that the system itself gives.
    """

    def __init__(self, header: Header, lang: str, names: Names | None = None) -> None:
        self.header = header
        self.lang = lang
        system = find_system(header.system)
        given = system.names(opening(header).state, lang) if system.names else {}
        merged = _merged(given, names or {})
        texts = catalogue_of(system.name)
        bare = {seat: seat for seat in header.seats if not texts.has(lang, f"seat.{seat}")}
        self._names: Names = {**merged, "seat": {**bare, **merged.get("seat", {})}}
        self._books: dict[str, Book] = {}
        self.own = self.book(header.system)

    def book(self, name: str) -> Book:
        """The book of a system, with the names of this game."""
        if name not in self._books:
            self._books[name] = Book(find_system(name), self.lang, self._names)
        return self._books[name]

    def book_of(self, event: Event) -> Book:
        """The book an event is told from: another system's for a battle inside a campaign."""
        key = f"{event.rule}.{event.kind}"
        if self.own.has(key) or not event.path:
            return self.own
        for name in system_names(hidden=True):
            if catalogue_of(name).has(self.lang, key):
                return self.book(name)
        return self.own

    def sentence(self, event: Event) -> str:
        """What happened, in words.  Raises MissingText where the system has none."""
        book = self.book_of(event)
        data = {"period": event.period, **event.data}
        return book.say(f"{event.rule}.{event.kind}", **data)

    def why(self, event: Event) -> Why:
        """Where the numbers of an event come from."""
        book = self.book_of(event)
        rules = dict.fromkeys(
            [rule.partition("/")[0] for rule in (event.rule, *(m.rule for m in event.modifiers))]
        )
        return Why(
            label=book.say("why.label"),
            rules=tuple([Citation(rule, book.title(rule)) for rule in rules if rule]),
            reasons=(*_sums(book, event.modifiers), *_remarks(book, event)),
            dice=tuple([_dice(book, thrown) for thrown in event.dice if thrown.faces]),
        )


def _merged(below: Names, above: Names) -> dict[str, dict[str, str]]:
    families = dict.fromkeys((*below, *above))
    return {family: {**below.get(family, {}), **above.get(family, {})} for family in families}


def _remarks(book: Book, event: Event) -> Iterator[str]:
    """What a system itself says of the reasons: a table's row, a comparison."""
    for key in (f"why.{event.rule}.{event.kind}", f"why.{event.rule}"):
        if book.has(key):
            yield book.say(key, **{"period": event.period, **event.data})
            return


# Sums -------------------------------------------------------------------------------------------


def _sums(book: Book, modifiers: Sequence[Modifier]) -> Iterator[str]:
    """Modifiers by the rule and the side they belong to, each group a sum."""

    def belongs(part: Modifier) -> tuple[str, str]:
        return part.rule, part.reason.partition("@")[2]

    for (rule, whom), group in groupby(modifiers, belongs):
        parts = list(group)
        what = book.say(f"sum.{rule}") if book.has(f"sum.{rule}") else book.title(rule) or rule
        yield book.say(
            "why.sum" if len(parts) > 1 else "why.one",
            what=what,
            whom=book.name(whom) if whom else "",
            total=sum(part.amount for part in parts),
            parts=", ".join(_parts(book, parts)),
        )


def _parts(book: Book, parts: Sequence[Modifier]) -> Iterator[str]:
    """Each part in words; equal ones are told once, with their number; one alone has no amount."""
    merged: dict[tuple[str, int], int] = {}
    for part in parts:
        alike = part.reason.partition("@")[0], part.amount
        merged[alike] = merged.get(alike, 0) + 1
    for (reason, amount), times in merged.items():
        key = f"modifier.{reason}"
        said = book.say(key, n=times, amount=amount * times)
        if len(parts) == 1:
            yield said
        elif times == 1 or "n" in book.catalogue.names(book.lang, key):
            yield book.say("why.part", reason=said, amount=amount * times)
        else:
            yield book.say("why.part_times", reason=said, amount=amount, times=times)


# Dice -------------------------------------------------------------------------------------------


def _dice(book: Book, thrown: Thrown) -> str:
    """One roll: what for, and how each die fell (by name, or by face where it was long)."""
    count = sum(thrown.faces) if thrown.counted else len(thrown.faces)
    why = book.say(f"roll.{thrown.why}", n=count, sides=thrown.sides)
    if thrown.counted:
        faces = [
            book.say("why.die_counted", times=times, face=face)
            for face, times in enumerate(thrown.faces, 1)
            if times
        ]
        return book.say("why.dice_counted", why=why, n=count, faces=", ".join(faces))
    if thrown.whom:
        named = [
            book.say("why.die_whom", whom=book.name(whom), face=face)
            for whom, face in zip(thrown.whom, thrown.faces, strict=True)
        ]
        return book.say("why.dice_whom", why=why, faces=", ".join(named))
    return book.say("why.dice", why=why, n=count, faces=", ".join(map(str, thrown.faces)))
