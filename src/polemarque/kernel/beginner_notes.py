"""What a beginner is told: the preface of a scenario, and notes beside the questions of a game.

Both are data that a set-up may bring, whatever its system::

    name = { fr = "…", en = "…" }              # its title
    date = { fr = "…", en = "…" }              # when and where
    introduction = { fr = "…", en = "…" }      # what it is about, and how it is won

    [[lesson]]
    rule = "TH-2.2"                            # the question it stands beside
    seat = "A"
    text = { fr = "…", en = "…" }

The rules do not know of them.  A note is looked up by the keys of questions and by nothing else, so
that terminal, page and replay show the same one beside the same question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from polemarque.kernel.agenda import registered_rules
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.files.sentence_templates import typographic
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.kernel.request import Key

PREFACE = ("name", "date", "introduction")
"""Keys of a set-up that are read before a game, each a text by language."""


class Note(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A few sentences beside one question: what to do, and why.

    rule:    rule id that asks, in full: TH-F8, TH-6/order.
    text:    by language.
    seat, period, subject: of the question, as in its key; left out: any.
    """

    rule: str
    text: dict[str, str]
    seat: str = ""
    period: int = 0
    subject: str = ""

    def printed(self, lang: str) -> str:
        """The text as it is printed in a language."""
        return typographic(self.text[lang], lang)

    def fits(self, key: Key) -> bool:
        """Whether it is meant for that question."""
        return (
            self.rule == key.rule
            and self.seat in ("", key.seat)
            and self.period in (0, key.period)
            and self.subject in ("", key.subject)
        )


def note_of(lesson: Iterable[Note], key: Key, answered: Iterable[Key]) -> Note | None:
    """The note to show beside a question, or None.

    Each note is shown once: a question takes the first of the list that fits it and that no earlier
    question of the same seat has taken.

    answered: keys of the questions answered so far, in order.
    """
    left = [note for note in lesson if note.seat in ("", key.seat)]
    for earlier in answered:
        if earlier.seat == key.seat:
            taken = next((note for note in left if note.fits(earlier)), None)
            if taken is not None:
                left.remove(taken)
    return next((note for note in left if note.fits(key)), None)


def lesson_of(setup: Mapping[str, Any]) -> tuple[Note, ...]:
    """The notes that a set-up brings, in their order; () if it brings none."""
    return convert(setup.get("lesson", ()), tuple[Note, ...])


def preface_of(setup: Mapping[str, Any], lang: str) -> Iterator[str]:
    """Title, date and introduction of a set-up as printed, as far as it has them in a language."""
    for field in PREFACE:
        text = setup.get(field)
        if isinstance(text, Mapping) and lang in text:
            yield typographic(str(text[lang]).strip(), lang)


class LessonFault(msgspec.Struct, frozen=True):
    """What is wrong with a note: `number` of it from 0, which `field`, and what would do."""

    number: int
    field: str
    part: str
    legal: tuple[str, ...]


def lesson_faults(lesson: Iterable[Note], seats: Iterable[str]) -> Iterator[LessonFault]:
    """Notes that could never be shown, or not in every language."""
    rules, seated = registered_rules(), tuple(seats)
    for number, note in enumerate(lesson):
        if note.rule not in rules:
            family = note.rule.partition("-")[0] + "-"
            near = tuple([rule for rule in rules if rule.startswith(family)])
            yield LessonFault(number, "rule", note.rule, near)
        if note.seat not in ("", *seated):
            yield LessonFault(number, "seat", note.seat, seated)
        for lang in LANGUAGES:
            if not note.text.get(lang, "").strip():
                yield LessonFault(number, "text", lang, tuple(LANGUAGES))
