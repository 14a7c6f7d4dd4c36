"""The voice of a chronicle: events in words, and the reasons of their numbers.

A system tells ``tell("AT-9.5", "taken", seat=…, place=…)`` and says the sentence in its catalogue::

    ["AT-9.5"]
    taken = "{^seat:seat} prend {place:place}."

Besides, under keys of its own choice or by these rules, all looked up in the system's texts first:

``roll.<why>``             what a roll is for
``faces.<why>``            what the faces of its dice show, from 1 on, with commas between them
``modifier.<reason>``      one part of a sum; {n} is how many equal parts were put together
``sum.<rule>``             what a sum of that rule's modifiers is called (else the rule's title)
``why.<rule>.<kind>``      a sentence of reasons, filled from the event's data: a table's row, say
``option.<name>``          a variant (or ``option.<name>.title``), and ``option.<name>.<value>``
``phase.<rule>``           the heading of a phase of the turn, one of the system's `phases`
``several.<rule>.<kind>``  one sentence for several events alike that follow each other: {items} are
                           all of them, as ``item.<rule>.<kind>`` says each, {count} how many;
                           without {items}, the one figure in which they differ is a list.  Other
                           figures in it have to be the same in all
``several.<rule>``         the same for all kinds of a rule that have an item and no such sentence
``item.<rule>.<kind>``     one event of several, in the sentence and before its reasons

A reason ``morale@a`` is the part "morale" of the sum of a seat or side ``a``: sums of several
people told in one event are kept apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from polemarque.kernel.events import EVERYBODY, Audience, Event, Modifier, Thrown
from polemarque.kernel.files.texts import MissingText
from polemarque.kernel.new_game import opening
from polemarque.kernel.records.record import Header
from polemarque.kernel.system import find_rulebook, find_system, rulebook_names, system_names
from polemarque.report.documents.document import Citation, Why
from polemarque.report.labels import (
    Book,
    Names,
    catalogue_of,
    ledger_of,
    merged,
    names_of,
    told_apart,
)


class Voice:
    """Says the events of one game in one language.

    names: family -> code -> name, over those that the system itself gives.
    state: how the game stands, whose names are used; None: as it began.
    """

    def __init__(
        self, header: Header, lang: str, names: Names | None = None, state: Any = None
    ) -> None:
        self.header = header
        self.lang = lang
        system = find_system(header.system)
        known = opening(header).state if state is None else state
        given = names_of(system, known, lang, names)
        called = merged(given, {"seat": told_apart(given.get("seat", {}))})
        texts = catalogue_of(system.name)
        bare = {seat: seat for seat in header.seats if not texts.has(lang, f"seat.{seat}")}
        self._names: Names = {**called, "seat": {**bare, **called.get("seat", {})}}
        self._books: dict[tuple[str, str], Book] = {}
        self._called: dict[str, Names] = {}
        """By path, what a battle inside the game calls its units: it said so when it began."""
        self._known: dict[str, Audience] = {}
        """By path, who may know of a battle that has a heading of its own."""
        self.own = self.book(header.system)

    def book(self, name: str, path: str = "") -> Book:
        """The book of a system, with the names of this game; of a battle inside it, its own too."""
        called = self._called.get(path, {})
        where = (name, path if called else "")
        if where not in self._books:
            names = merged(self._names, called)
            forces = (called if path else names).get("force", {})
            self._books[where] = Book(find_rulebook(name), self.lang, names, forces)
        return self._books[where]

    def begin_battle(self, event: Event) -> Book:
        """The book of a battle told under a heading of its own, which begins with this event."""
        self._known[battle_of(event)] = event.audience
        if begins_battle(event):
            self.book_of(event)
            return self.book(event.data["system"], event.path)
        return self.book_of(event)

    def known_to(self, event: Event) -> Audience:
        """Who may know of the battle whose heading an event stands under, as that heading says."""
        return self._known.get(battle_of(event), EVERYBODY)

    def book_of(self, event: Event) -> Book:
        """The book an event is told from: another system's for a battle inside a campaign."""
        key = f"{event.rule}.{event.kind}"
        if self.own.has(key) or not event.path:
            return self.own
        if begins_battle(event):
            self._called[event.path] = event.data.get("called", {}).get(self.lang, {})
        for name in dict.fromkeys((*system_names(hidden=True), *rulebook_names())):
            if catalogue_of(name).has(self.lang, key):
                return self.book(name, event.path)
        return self.own

    def sentence(self, *events: Event) -> str:
        """What happened, in words: one event, or several alike.

        Raises MissingText where the system has no sentence.
        """
        event, book = events[0], self.book_of(events[0])
        if len(events) == 1:
            said = book.say(f"{event.rule}.{event.kind}", **figures(event, book))
            return said[:1].upper() + said[1:]
        key = self._several(event)
        more: dict[str, Any] = {"count": len(events)}
        if "items" in book.catalogue.names(self.lang, key):
            more["items"] = [
                book.say(f"item.{each.rule}.{each.kind}", **figures(each, book)) for each in events
            ]
        else:
            (differing,) = _differing(*events) or ("",)
            more[differing] = [each.data.get(differing) for each in events]
        said = book.say(key, **{**figures(event, book), **more})
        return said[:1].upper() + said[1:]

    def _several(self, event: Event) -> str:
        """The key of the sentence that can tell an event with others, "" if there is none."""
        book, name = self.book_of(event), f"{event.rule}.{event.kind}"
        if book.has(f"several.{name}"):
            return f"several.{name}"
        whole = book.has(f"several.{event.rule}") and book.has(f"item.{name}")
        return f"several.{event.rule}" if whole else ""

    def alike(self, event: Event, *others: Event) -> bool:
        """Whether one sentence can tell an event with others that are alike: what it says once is
        true of each."""
        first = others[0]
        if (event.rule, event.audience, event.path) != (first.rule, first.audience, first.path):
            return False
        key = self._several(event)
        if not key or key != self._several(first):
            return False
        names = self.book_of(event).catalogue.names(self.lang, key)
        if "items" in names:
            return names.isdisjoint(_differing(event, first))
        return len(_differing(event, *others)) == 1

    def runs(self, events: Sequence[Event]) -> list[list[Event]]:
        """Events in order, those together that one sentence tells."""
        runs: list[list[Event]] = []
        for event in events:
            if runs and self.alike(event, *runs[-1]):
                runs[-1].append(event)
            else:
                runs.append([event])
        return runs

    def thread(self, event: Event) -> str | None:
        """What an event belongs to: "" for nothing, None if its text lacks figures of it.

        A battle's threads are its own, though a campaign around it may have some of that name.
        """
        book = self.book_of(event)
        chapter = event.rule.partition(".")[0]
        for part in (f"{event.rule}.{event.kind}", event.rule, chapter):
            key = f"thread.{part}"
            if book.has(key):
                try:
                    said = book.say(key, **figures(event, book))
                except MissingText:
                    return None
                return f"{book.system.name}: {said}" if said else ""
        return ""

    def why(self, *events: Event) -> Why:
        """Where the numbers of an event come from, or of several that are told together."""
        book = self.book_of(events[0])
        rules = dict.fromkeys(
            [
                rule.partition("/")[0]
                for event in events
                for rule in (event.rule, *(m.rule for m in event.modifiers))
            ]
        )
        cited = tuple([Citation(rule, _title(book, rule)) for rule in rules if rule])
        label = book.say("why.label")
        if len(events) == 1:
            return Why(label, cited, *self._reasons(events[0]))
        told = Counter(f"{event.rule}.{event.kind}" for event in events)
        said = [
            each
            for event in events
            for each in self._reasons_of(event, several=told[f"{event.rule}.{event.kind}"] > 1)
        ]
        return Why(label, cited, tuple(said))

    def _reasons(self, event: Event) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Sums and remarks, and dice."""
        book = self.book_of(event)
        about = event.data.values()
        rolls = _together([thrown for thrown in event.dice if thrown.faces])
        thrown = tuple([_dice(book, roll, about) for roll in rolls])
        return (*_sums(book, event.modifiers), *_remarks(book, event)), thrown

    def _reasons_of(self, event: Event, *, several: bool) -> Iterator[str]:
        """The reasons of an event in a paragraph, under its name if there are several alike."""
        sums, dice = self._reasons(event)
        key = f"item.{event.rule}.{event.kind}"
        book = self.book_of(event)
        if several and (sums or dice) and book.has(key):
            item = book.say(key, **figures(event, book))
            yield book.say("why.of", item=item, said=" ".join((*sums, *dice)))
        else:
            yield from (*sums, *dice)


def figures(event: Event, book: Book) -> dict[str, Any]:
    """What the sentence of an event is filled with: its data, and the period it was told in.

    An event ``option`` with the name and value of a variant has both as readers call them.
    """
    data = {"period": event.period, **event.data}
    if book.called:
        data = {name: _called(value, book.called) for name, value in data.items()}
    if event.kind == "option" and {"name", "value"} <= event.data.keys():
        name, value = event.data["name"], event.data["value"]
        data |= {"option": book.option(name), "setting": book.option_value(name, value)}
    return data


def _title(book: Book, rule: str) -> str:
    """A rule's title, where it is another system's too: bridges have rules of their own."""
    if title := book.title(rule):
        return title
    rows = [ledger_of(name).get(rule) for name in system_names(hidden=True)]
    return next((row.title.get(book.lang, "") for row in rows if row), "")


def battle_of(event: Event) -> str:
    """The path of the battle of the game in which an event happened, "" for the game itself."""
    return event.path.partition(".")[0]


def begins_battle(event: Event) -> bool:
    """Whether a battle inside a campaign begins with an event (PA-1, PA-6)."""
    return event.kind == "opened" and event.rule in {"PA-1", "PA-6"}


def _called(value: Any, words: Mapping[str, str]) -> Any:
    """A figure with names in the reader's language in place of the battle's own."""
    if isinstance(value, str):
        return words.get(value, value)
    if isinstance(value, (list, tuple)):
        return [_called(each, words) for each in value]
    return value


def codes(event: Event) -> set[str]:
    """The words of an event's figures: seats, places, pieces…"""
    return set(_words(event.data.values()))


def _words(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _words(value)
        elif value and isinstance(value, str):
            yield value


def _differing(first: Event, *others: Event) -> list[str]:
    """The figures that are not the same in all of some events."""
    return [
        name
        for name in dict.fromkeys((*first.data, *(n for other in others for n in other.data)))
        if any(other.data.get(name) != first.data.get(name) for other in others)
    ]


def _remarks(book: Book, event: Event) -> Iterator[str]:
    """What a system itself says of the reasons: a table's row, a comparison."""
    for key in (f"why.{event.rule}.{event.kind}", f"why.{event.rule}"):
        if book.has(key):
            yield book.say(key, **figures(event, book))
            return


# Sums -------------------------------------------------------------------------------------------


def _sums(book: Book, modifiers: Sequence[Modifier]) -> Iterator[str]:
    """Modifiers by the rule and the side they belong to, each group a sum."""

    def belongs(part: Modifier) -> tuple[str, str]:
        return part.rule, part.reason.partition("@")[2]

    for (rule, whom), group in groupby(modifiers, belongs):
        parts = list(group)
        what = book.say(f"sum.{rule}") if book.has(f"sum.{rule}") else book.title(rule) or rule
        said = list(_parts(book, parts))
        alone = "why.same" if said == [what] else "why.one"
        yield book.say(
            "why.sum" if len(parts) > 1 else alone,
            what=what,
            whom=book.name(whom) if whom else "",
            total=sum(part.amount for part in parts),
            parts=", ".join(said),
        )


def _parts(book: Book, parts: Sequence[Modifier]) -> Iterator[str]:
    """Each part in words; equal ones are told once, with their number; one alone has no amount."""
    merged: dict[str, dict[int, int]] = {}
    for part in parts:
        amounts = merged.setdefault(part.reason.partition("@")[0], {})
        amounts[part.amount] = amounts.get(part.amount, 0) + 1
    for reason, amounts in merged.items():
        if len(amounts) > 1 and set(amounts.values()) == {1}:
            said = book.say(f"modifier.{reason}", n=len(amounts), amount=sum(amounts))
            yield book.say("why.part", reason=said, amount=list(amounts))
            continue
        yield from _amounts(book, reason, amounts, alone=len(parts) == 1)


def _amounts(book: Book, reason: str, amounts: Mapping[int, int], *, alone: bool) -> Iterator[str]:
    """One reason with each amount it has, equal ones told once."""
    for amount, times in amounts.items():
        key = f"modifier.{reason}"
        said = book.say(key, n=times, amount=amount * times)
        if alone:
            yield said
        elif times == 1 or "n" in book.catalogue.names(book.lang, key):
            yield book.say("why.part", reason=said, amount=amount * times)
        else:
            yield book.say("why.part_times", reason=said, amount=amount, times=times)


# Dice -------------------------------------------------------------------------------------------


def _together(rolls: Sequence[Thrown]) -> list[Thrown]:
    """Rolls in order; single dice that follow each other for one reason are one roll."""

    def kind(roll: Thrown) -> tuple[Any, ...]:
        return roll.sides, roll.why, bool(roll.whom), len(roll.faces) == 1 and not roll.counted

    merged: list[Thrown] = []
    for (*_, single), alike in groupby(rolls, kind):
        group = list(alike)
        if single:
            faces = tuple([face for roll in group for face in roll.faces])
            whom = tuple([name for roll in group for name in roll.whom])
            group = [msgspec.structs.replace(group[0], faces=faces, whom=whom)]
        merged += group
    return merged


def _dice(book: Book, thrown: Thrown, about: Collection[Any]) -> str:
    """One roll: what for, and how each die fell (by name, or by face where it was long).

    about: the figures of the event: dice that all belong to the one it names need no name.
    """
    count = sum(thrown.faces) if thrown.counted else len(thrown.faces)
    why = book.say(f"roll.{thrown.why}", n=count, sides=thrown.sides)
    shown = _faces_shown(book, thrown)
    if thrown.counted:
        faces = [
            book.say("why.die_counted", times=times, face=shown(face))
            for face, times in enumerate(thrown.faces, 1)
            if times
        ]
        return book.say("why.dice_counted", why=why, n=count, faces=", ".join(faces))
    alone = set(thrown.whom[:1]) if len(set(thrown.whom)) == 1 else set()
    if thrown.whom and not any(whom in about for whom in alone):
        return book.say("why.dice_whom", why=why, faces=", ".join(_by_name(book, thrown)))
    return book.say("why.dice", why=why, n=count, faces=", ".join(map(shown, thrown.faces)))


def _faces_shown(book: Book, thrown: Thrown) -> Callable[[int], str]:
    """How a face is told: by its number, and by what it shows where the dice are not numbered."""
    key = f"faces.{thrown.why}"
    if not book.has(key):
        return str
    shown = book.say(key).split(", ")
    return lambda face: book.say("why.face_shown", face=face, shown=shown[face - 1])


LONG_LIST = 9
"""More names than this, with a die each, are put together by face."""


def _by_name(book: Book, thrown: Thrown) -> Iterator[str]:
    """Each name with its dice; where there are very many names, each face with its names."""
    dice: dict[str, list[int]] = {}
    for whom, face in zip(thrown.whom, thrown.faces, strict=True):
        dice.setdefault(whom, []).append(face)
    if len(dice) <= LONG_LIST or any(len(faces) > 1 for faces in dice.values()):
        for whom, faces in dice.items():
            yield book.say("why.die_whom", whom=book.name(whom), face=faces)
        return
    for face in sorted({face for (face,) in dice.values()}):
        names = [book.name(whom) for whom, (own,) in dice.items() if own == face]
        yield book.say("why.face_whom", whom=names, face=face)
