"""What the figures and words of a rule are called, for the pages that show rules.

A system names the inputs and results of its rules in its texts, ``input.<name>``; where it does
not, the pages' own texts do, ``consult.word.<rule>.<name>`` before ``consult.word.<name>``.  A word
that is chosen, such as a terrain, is looked up under the name of the figure: ``terrain.forest``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from polemarque.kernel.files.sentence_templates import figure
from polemarque.kernel.files.texts import Catalogue, MissingText
from polemarque.kernel.system import find_rulebook
from polemarque.report.labels import catalogue_of
from polemarque.web.i18n import catalogue

FAMILIES = {"target": "arm", "a": "strategy", "b": "strategy", "result": "assault"}
"""Names of figures whose words are those of another."""


class RuleWords:
    """Says what a rule of a book speaks of, in one language."""

    def __init__(self, book: str, lang: str, rule: str = "") -> None:
        self.lang, self._rule = lang, rule
        self._own: Catalogue = catalogue_of(book)
        self.title = find_rulebook(book).titles.get(lang, book)
        """The title of the book."""
        self._shared = catalogue()

    def label(self, name: str) -> str:
        """What an input, a result or a column is called; of a list's parts, ``losses[0]`` is 1."""
        name, listed, place = name.partition("[")
        said = self._label(name) or readable(name)
        return f"{said} {int(place.removesuffix(']')) + 1}" if listed else said

    def column(self, name: str) -> str:
        """What a column of a table is called, or a word in one of its cells."""
        if name in {"true", "false"}:
            return self.value("", name == "true")
        return self._label(name) or self._word("", name)

    def _label(self, name: str) -> str:
        return (
            self._said(self._shared, f"consult.word.{self._rule}.{name}")
            or self._said(self._own, f"input.{name}")
            or self._said(self._shared, f"consult.word.{name}")
        )

    def value(self, name: str, value: Any) -> str:
        """A value in words."""
        if value is None:
            return "—"
        if isinstance(value, bool):
            return self._shared.say(self.lang, "forms.true" if value else "forms.false")
        if isinstance(value, int):
            return figure(value)
        if isinstance(value, Mapping):
            parts = (f"{self.label(part)} {self.value(part, v)}" for part, v in value.items())
            return ", ".join(parts)
        if isinstance(value, (list, tuple)):
            return ", ".join(self.value(name, part) for part in value) or "—"
        return self._word(name, str(value))

    def modifier(self, reason: str, amount: int) -> str:
        """The reason of one part of a sum; whose sum it is stands behind a sign in it."""
        reason, _, whose = reason.partition("@")
        said = self._said(self._own, f"modifier.{reason}", n=1, amount=amount) or readable(reason)
        return f"{said} ({self.label(whose)})" if whose else said

    def roll(self, why: str, count: int, sides: int) -> str:
        """What a roll is for."""
        return self._said(self._own, f"roll.{why}", n=count, sides=sides) or readable(why)

    def own(self, key: str) -> str:
        """A text of the book's own, "" where it has none."""
        return self._said(self._own, key)

    def _word(self, name: str, word: str) -> str:
        family = FAMILIES.get(name, name)
        return (
            self._said(self._shared, f"consult.value.{self._rule}.{word}")
            or self._said(self._own, f"{name}.{word}")
            or self._said(self._own, f"{family}.{word}")
            or self._said(self._shared, f"consult.value.{name}.{word}")
            or self._said(self._shared, f"consult.value.{word}")
            or readable(word)
        )

    def _said(self, texts: Catalogue, key: str, **data: Any) -> str:
        """A text that needs no more than these figures, "" if there is none."""
        if not texts.has(self.lang, key):
            return ""
        try:
            return texts.say(self.lang, key, **data)
        except MissingText:
            return ""


def readable(word: str) -> str:
    """A code as a person reads it."""
    return word.replace("_", " ")


@cache
def rule_words(book: str, lang: str, rule: str = "") -> RuleWords:
    """The words of a rule; kept, for they are constant."""
    return RuleWords(book, lang, rule)
