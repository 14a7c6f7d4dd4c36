"""The texts, the ledger and the names from which a reader is told a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from polemarque.kernel.errors import harmless
from polemarque.kernel.files.plugins import kept
from polemarque.kernel.files.rule_ledger import LedgerRow, ledger_path, read_ledger
from polemarque.kernel.files.sentence_templates import curved, typographic
from polemarque.kernel.files.texts import KERNEL_TEXTS, LANGUAGES, Catalogue
from polemarque.kernel.system import Rulebook, System, find_rulebook
from polemarque.maps.boards import Board

REPORT_TEXTS = Path(__file__).parent / "data"
"""The texts that all chronicles share."""

NAMED = ("seat", "place", "territory", "profile", "side", "member")
"""Families in which those are looked for whom dice and sums belong to, in order."""

Names = Mapping[str, Mapping[str, str]]
"""Family of texts ("seat", "place"…) -> code -> name."""


@kept
def catalogue_of(name: str) -> Catalogue:
    """The texts of a system over the chronicle's and the kernel's own."""
    data = find_rulebook(name).data
    own = (data,) if (data / "texts.fr.toml").exists() else ()
    return Catalogue.load(KERNEL_TEXTS, REPORT_TEXTS, *own)


@kept
def _families(name: str, lang: str) -> frozenset[str]:
    return frozenset([key.partition(".")[0] for key in catalogue_of(name).keys(lang)])


@kept
def ledger_of(name: str) -> Mapping[str, LedgerRow]:
    """The rows of a system's ledger that can be read."""
    return read_ledger(ledger_path(find_rulebook(name)))[0]


def names_of(system: System, state: Any, lang: str, over: Names | None = None) -> Names:
    """What readers call seats and places as a game stands.

    over: names that go over the system's.  Its family "player" holds seat -> person: a person's
    name is that of a seat to which the system gives none.
    """
    given = system.names(state, lang) if system.names else {}
    printed = {
        family: {code: curved(harmless(name)) for code, name in codes.items()}
        for family, codes in given.items()
    }
    names, texts = merged(printed, over or {}), catalogue_of(system.name)
    if players := names.get("player"):
        seats = names.setdefault("seat", {})
        for seat, person in players.items():
            if seats.get(seat, seat) == seat and not texts.has(lang, f"seat.{seat}"):
                seats[seat] = person
    return names


def scenario_title(system: System, name: str, lang: str) -> str:
    """What a scenario is called: as texts have it, or its set-up; else its code, readable."""
    setup, texts = system.scenarios.get(name, {}), catalogue_of(system.name)
    board = setup.get("board")
    named = setup.get("name") or (board.get("name") if isinstance(board, Mapping) else None)
    if texts.has(lang, f"scenario.{name}"):
        return texts.say(lang, f"scenario.{name}")
    if isinstance(named, Mapping) and named.get(lang):
        return typographic(named[lang], lang)
    return texts.say(lang, "scenario.book") if name == system.name else name.replace("_", " ")


def introduced(names: Names, seats: Iterable[str]) -> dict[str, str]:
    """Seats with the person who plays each, as a legend or a table says once: Rome (Ann)."""
    called, players = names.get("seat", {}), names.get("player", {})
    return {seat: with_player(called.get(seat, seat), players.get(seat, "")) for seat in seats}


def with_player(name: str, person: str) -> str:
    """A seat by its name, with its person: Rome (Ann); the name alone where it is the person's."""
    return f"{name} ({person})" if person and person != name else name


def with_code(name: str, seat: str) -> str:
    """A seat by its name, with its code, if the name does not end in it: Player A, Solon (A)."""
    return name if name.rsplit(" ", maxsplit=1)[-1] in {seat, f"({seat})"} else f"{name} ({seat})"


def told_apart(seats: Mapping[str, str]) -> dict[str, str]:
    """Names of seats, with the code behind those that several bear."""
    borne = Counter(seats.values())
    return {
        seat: with_code(name, seat) if borne[name] > 1 else name for seat, name in seats.items()
    }


def merged(below: Names, above: Names) -> dict[str, dict[str, str]]:
    """Names, with others over them."""
    families = dict.fromkeys((*below, *above))
    return {family: {**below.get(family, {}), **above.get(family, {})} for family in families}


class Book:
    """The texts and the ledger of one rulebook, with the names of one game.

    called: what words of events are called in this language, where they are no codes.
    """

    def __init__(
        self, system: Rulebook, lang: str, names: Names, called: Mapping[str, str] | None = None
    ) -> None:
        self.called = called or {}
        self.system = system
        self.lang = lang
        self.catalogue = catalogue_of(system.name).naming(names)

    def has(self, key: str) -> bool:
        """Whether there is such a text."""
        return self.catalogue.has(self.lang, key)

    def tells(self, family: str) -> bool:
        """Whether there is any text of a family."""
        return family in _families(self.system.name, self.lang)

    def say(self, key: str, **data: Any) -> str:
        """A text.  Raises MissingText."""
        return self.catalogue.say(self.lang, key, **data)

    def title(self, rule: str) -> str:
        """A rule's title, "" if the ledger has none."""
        row = ledger_of(self.system.name).get(rule.partition("/")[0])
        return row.title.get(self.lang, "") if row else ""

    def name(self, code: str) -> str:
        """A seat's, person's or place's name, or the code itself."""
        for family in NAMED:
            if self.has(f"{family}.{code}"):
                return self.say(f"{family}.{code}")
        return code

    def word(self, family: str, code: str) -> str:
        """A word of a family of texts; a code that has none is said as it is, "" as nothing."""
        return self._or_bare(f"{family}.{code}", code) if code else code

    def introduced(self, seat: str) -> str:
        """A seat's name with its person, as a table says once: Rome (Ann)."""
        return with_player(self.name(seat), self._or_bare(f"player.{seat}", ""))

    def option(self, name: str) -> str:
        """What an option is about."""
        return self._or_bare(f"option.{name}", self._or_bare(f"option.{name}.title", name))

    def option_value(self, name: str, value: object) -> str:
        """What a value of an option means."""
        return self._or_bare(f"option.{name}.{value}", str(value))

    def variants(self, values: Mapping[str, Any]) -> str:
        """The options that are not as they are by default, with what was chosen; "" for none."""
        chosen = [
            self.say(
                "chronicle.option",
                option=self.option(choice.name),
                value=self.option_value(choice.name, value),
            )
            for choice in self.system.options
            if (value := values.get(choice.name, choice.default)) != choice.default
        ]
        return self.say("chronicle.options", choices=" · ".join(chosen)) if chosen else ""

    def _or_bare(self, key: str, bare: str) -> str:
        return self.say(key) if self.has(key) else bare

    @property
    def system_title(self) -> str:
        """The system's title."""
        return self.system.titles.get(self.lang, self.system.name)


@cache
def _catalogue() -> Catalogue:
    return Catalogue.load(KERNEL_TEXTS, REPORT_TEXTS)


def said(lang: str, key: str, **data: object) -> str:
    """A text of the report's own.  Raises ValueError on a language that we do not speak."""
    if lang not in LANGUAGES:
        raise ValueError(f"no words in the language {lang!r}")
    return _catalogue().say(lang, key, **data)


def terrain_words(board: Board, lang: str) -> dict[str, str]:
    """What readers call the board's terrains and marks; the bare word where we have no text."""
    words = dict.fromkeys((*board.terrain.values(), *board.marks))
    return {
        word: said(lang, f"board.terrain.{word}")
        if _catalogue().has(lang, f"board.terrain.{word}")
        else word.replace("_", " ")
        for word in words
    }
