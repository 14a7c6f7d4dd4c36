"""The texts, the ledger and the names from which a reader is told a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from polemarque.kernel.ledger import Row, ledger_path, read_ledger
from polemarque.kernel.system import Rulebook, System, find_rulebook, kept
from polemarque.kernel.templates import curved
from polemarque.kernel.texts import KERNEL_TEXTS, Catalogue

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
    """What the keys of a system's texts begin with, up to the first point."""
    return frozenset([key.partition(".")[0] for key in catalogue_of(name).keys(lang)])


@kept
def ledger_of(name: str) -> Mapping[str, Row]:
    """The rows of a system's ledger that can be read."""
    return read_ledger(ledger_path(find_rulebook(name)))[0]


def names_of(system: System, state: Any, lang: str, over: Names | None = None) -> Names:
    """What readers call seats and places as a game stands.

    over: the players' own names, which go over the system's.
    """
    given = system.names(state, lang) if system.names else {}
    printed = {
        family: {code: curved(name) for code, name in codes.items()}
        for family, codes in given.items()
    }
    return merged(printed, over or {})


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
