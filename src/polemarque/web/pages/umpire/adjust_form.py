"""What an umpire adjusts, chosen in words and part by part: what kind of thing, whose, which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from polemarque.club.umpire.acts import Adjustable, adjustable
from polemarque.kernel.adjust import pattern_of, stands_for
from polemarque.kernel.run import Runner
from polemarque.report.labels import Book
from polemarque.web.i18n import catalogue, say
from polemarque.web.pages.umpire.acts import explained

PUBLIC = frozenset({"SEAT", "LAND"})
"""What words of patterns stand for that everybody knows: seats, and places of the map."""

FAMILIES = ("unit", "leader", "troop", "person", "force", "improvement", "troop_fate", "alliance")
"""Kinds of names that what is adjusted may have, besides those of seats and places."""


@dataclass(frozen=True)
class Part:
    """A part of what is adjusted.   options: (code, in words); none where it is to be written."""

    label: str
    options: Sequence[tuple[str, str]]
    chosen: str


@dataclass(frozen=True)
class Thing:
    """What is adjusted, as far as it is chosen.

    neutral: the umpire is offered all there is; one who is a party, what everybody knows: seats,
             places and options, but no pieces, which may be secret.
    kind:    the pattern of its name, or "".   given: what was chosen for the words in it that
             stand for others, in order.
    """

    runner: Runner
    book: Book
    neutral: bool
    kind: str
    given: Sequence[str]

    @classmethod
    def of(cls, runner: Runner, book: Book, name: str, *, neutral: bool) -> Thing:
        """The thing of a name, which may be wrong."""
        kind = pattern_of(name, adjustable(runner).names)
        steps = zip(name.split("."), kind.split("."), strict=False)
        return cls(runner, book, neutral, kind, [step for step, of in steps if _open(of)])

    @property
    def kinds(self) -> list[tuple[str, str]]:
        """All kinds of things that can be adjusted, in words."""
        return [(each, self._kind(each)) for each in adjustable(self.runner).names]

    def _kind(self, pattern: str) -> str:
        said = explained(self.runner.system.name, pattern, self.book.lang)
        return re.split(r"\s*[:;]", said)[0].removesuffix(".") or pattern

    @property
    def parts(self) -> list[Part]:
        """What has been chosen of it, and what is to be chosen next."""
        found: list[Part] = []
        done: list[str] = []
        given = iter(self.given)
        for step in self.kind.split(".") if self.kind else ():
            if not _open(step):
                done.append(step)
                continue
            options, chosen = self._options(step, done), next(given, "").strip()
            if options and chosen not in dict(options):
                chosen = ""
            found.append(Part(self._label(step), options, chosen))
            if not chosen:
                break
            done.append(chosen)
        return found

    @property
    def name(self) -> str:
        """Its name, once all of it is chosen; until then ""."""
        parts = self.parts
        steps = self.kind.split(".")
        if not self.kind or len(parts) < sum(map(_open, steps)) or not all(p.chosen for p in parts):
            return ""
        chosen = iter([part.chosen for part in parts])
        return ".".join([next(chosen) if _open(step) else step for step in steps])

    @property
    def value(self) -> Adjustable:
        """What its value can be, as far as this umpire may know."""
        public = {step for step in self.kind.split(".") if stands_for(step)} <= PUBLIC
        known = self.neutral or public or self.kind == "option.NAME"
        return adjustable(self.runner, self.name) if self.name and known else Adjustable()

    @property
    def bounds(self) -> tuple[str, str] | None:
        """Between which numbers its value lies; None if it is no number."""
        ranges = [re.fullmatch(r"(\d*)-(\d*)", each) for each in self.value.values]
        return (ranges[0][1], ranges[0][2]) if len(ranges) == 1 and ranges[0] else None

    @property
    def values(self) -> list[tuple[str, str]]:
        """The values to choose from, in words; none where one is to be written."""
        return [] if self.bounds else [(each, self._value(each)) for each in self.value.values]

    def _value(self, word: str) -> str:
        lang, key = self.book.lang, f"desk.winner.{word}"
        if self.kind == "option.NAME":
            return self.book.option_value(self.given[0], word)
        if word in {"true", "false"}:
            return say(lang, f"desk.is_so.{word}")
        named = self._called(word)
        return say(lang, key) if named == word and catalogue().has(lang, key) else named

    def _options(self, step: str, done: Sequence[str]) -> list[tuple[str, str]]:
        """What a word of the pattern can stand for; of two sides the pattern names the first."""
        if not stands_for(step):
            return [(side, self._called(side)) for side in (step, chr(ord(step) + 1))]
        if not (self.neutral or step in PUBLIC or self.kind == "option.NAME"):
            return []
        names = adjustable(self.runner, ".".join(done) + ".").names
        codes = dict.fromkeys([each.split(".", len(done))[-1] for each in names])
        if self.kind == "option.NAME":
            return [(code, self.book.option(code)) for code in codes]
        return [(code, self._called(code)) for code in codes]

    def _label(self, step: str) -> str:
        lang, key = self.book.lang, f"desk.part_of.{step.lower()}"
        if not stands_for(step):
            return say(lang, "desk.part_of.seat")
        if step == "NAME":
            key = f"desk.part_of.{self.kind.split('.')[0]}"
        return say(lang, key if catalogue().has(lang, key) else "desk.part_of.piece")

    def _called(self, code: str) -> str:
        """A piece, seat, place or word by its name."""
        if code.isdigit():
            return say(self.book.lang, "desk.numbered", number=code)
        for family in FAMILIES:
            if self.book.has(f"{family}.{code}"):
                return self.book.say(f"{family}.{code}")
        return self.book.name(code)


def _open(step: str) -> bool:
    """Whether a step of a pattern is to be chosen: SEAT, or the letter of a side."""
    return stands_for(step) or len(step) == 1
