"""Answers in the reader's words: on cards and letters, at the terminal, in tables of answers.

The answer to a sheet is a dispatch: sentences in the words of its system.  ``dispatch.move`` says
the part ``move.A1``, ``dispatch.move.stay`` says it where it is answered ``stay``, and
``dispatch.line.usual`` where the answer is the one that nothing needs to be said for;
``dispatch_and.aim`` goes on with the sentence of a part about the same thing.  Pieces that are told
the same are told together: `which` they are, in a list, and how many (`count`).  `word` is the
answer, of a way where it ends (`via` what), and `said` is the answer in words.  The text "-" leaves
its part out; a part without a text is told by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, NamedTuple, Protocol

from polemarque.kernel.dice import Counts
from polemarque.kernel.files.sentence_templates import SINGULAR, figure, in_line, join, plainly
from polemarque.kernel.request import Amount, Fact, OneOf, Options, Path, SeveralOf, Sheet

NONE = "—"
"""What is told where nothing was answered."""


class Speaker(Protocol):
    """Says words in the reader's language."""

    @property
    def lang(self) -> str:
        """Which language that is."""
        ...

    def say(self, key: str, /, **data: Any) -> str:
        """A text, filled in."""
        ...

    def sentence(self, key: str, /, **data: Any) -> str | None:
        """A text of the system that asks, filled in; None if it has none."""
        ...

    def label(self, family: str, word: Any) -> str:
        """A word of a family of texts, or the word itself where no text has it."""
        ...

    def part(self, name: str) -> str:
        """What a part of a sheet is called."""
        ...

    def whose(self, head: str, code: str) -> str:
        """What the part ``head.code`` of a sheet is about, by name; "" where nothing has one."""
        ...

    def fact(self, fact: Fact) -> str:
        """What is told beside an option."""
        ...


def told(options: Options | None, value: Any, speaker: Speaker) -> str:
    """An answer in the reader's words; a dash stands for none."""
    if isinstance(value, Mapping):
        parts = _asked_in(options, value, speaker) if isinstance(options, Sheet) else []
        return dispatch(parts, speaker) or _listed(parts, value, speaker)
    if isinstance(options, OneOf):
        return word_told(options.label, value, speaker)
    if isinstance(options, Path) and options.stay and not value:
        return speaker.say("ask.stay")
    if isinstance(value, Counts):
        return counts_told(value)
    if isinstance(value, (tuple, list)):
        if isinstance(options, SeveralOf):
            options = OneOf(options.words, options.label)
        each = [told(options, part, speaker) for part in value]
        apart = any(["," in one for one in each])
        return (in_line(each, speaker.lang) if apart else ", ".join(each)) or NONE
    if isinstance(options, Path):
        return speaker.label("place", value)
    if isinstance(value, bool):
        return speaker.say(f"ask.{str(value).lower()}")
    if isinstance(value, int):
        unit = options.unit if isinstance(options, Amount) else ""
        family = "unit.one" if SINGULAR[speaker.lang](value) else "unit"
        return f"{figure(value)} {speaker.label(family, unit)}" if unit else figure(value)
    return str(value) if value not in ("", None) else NONE


def counts_told(fell: Counts) -> str:
    """A long roll in words: how often each face came up."""
    return ", ".join([f"{n} × {face}" for face, n in enumerate(fell.of, 1) if n])


def label_of(family: str, word: Any, speaker: Speaker) -> str:
    """What a word, or several in one, is called."""
    if isinstance(word, (tuple, list)):
        return " ".join(label_of(family, part, speaker) for part in word)
    return speaker.label(family, word)


def word_told(family: str, word: Any, speaker: Speaker) -> str:
    """A word of a list; yes and no where it has no text of its own for them."""
    said = label_of(family, word, speaker)
    plain = isinstance(word, bool) and said.lower() == str(word).lower()
    return (speaker.say(f"ask.{said.lower()}") if plain else said) or NONE


# A sheet, part by part ----------------------------------------------------------------------------


class Answered(NamedTuple):
    """A part of a sheet, what could be answered to it, and what was."""

    part: str
    options: Options
    value: Any


def _asked_in(sheet: Sheet, value: Mapping[str, Any], speaker: Speaker) -> list[Answered]:
    """The parts of a sheet as it was filled, in the order in which they are told."""
    filling = sheet.fill()
    said, asked = None, {}
    with suppress(StopIteration):
        while True:
            part, options = filling.send(said)
            if part not in value:
                break
            said = value[part]
            asked[part] = Answered(part, options, said)
    return [asked[part] for part in by_place(sheet, asked, speaker)]


def about(part: str) -> str:
    """What a part of a sheet is about, ``.A`` for ``price.A``; of others, the part itself."""
    _, dot, tail = part.partition(".")
    return dot + tail if dot else f" {part}"


def by_place(sheet: Sheet, parts: Iterable[str], speaker: Speaker) -> list[str]:
    """Parts as a player looks for them: those of one kind that follow each other by the name of the
    place (`Sheet.where`), in one place by their numbers; those about one thing stay together.
    """

    def stands(bunch: list[str]) -> tuple[str, list[tuple[int, str]]]:
        numbers = re.findall(r"\d+|\D+", bunch[0])
        named = plainly(speaker.label("place", sheet.where(bunch[0])))
        return named, [(int(one) if one.isdecimal() else 0, one) for one in numbers]

    told: list[str] = []
    bunches = [list(each) for _, each in groupby(parts, about)]
    for _, run in groupby(bunches, lambda bunch: bunch[0].partition(".")[0]):
        found = list(run)
        placed = any([sheet.where(bunch[0]) for bunch in found])
        told += [
            part for bunch in (sorted(found, key=stands) if placed else found) for part in bunch
        ]
    return told


def _listed(parts: Sequence[Answered], value: Mapping[str, Any], speaker: Speaker) -> str:
    """What was answered, each part by its name."""
    known = {one.part: one.options for one in parts}
    order = [*known, *(part for part in value if part not in known)]
    said = [_part_told(part, known.get(part), value[part], speaker) for part in order]
    return in_line(said, speaker.lang) or NONE


def _part_told(part: str, options: Options | None, value: Any, speaker: Speaker) -> str:
    said = told(options, value, speaker)
    within = isinstance(value, Mapping) and value
    return speaker.say("ask.told", part=speaker.part(part), said=f"({said})" if within else said)


# The dispatch -------------------------------------------------------------------------------------

OPENS, GOES_ON = "dispatch", "dispatch_and"
"""Families of texts: of parts that begin a sentence, and of those that go on with one."""

NOTHING = "-"
"""The text of what needs no words."""


class _Clause(NamedTuple):
    """What one part adds to a sentence, by a text of `family`."""

    family: str
    head: str
    word: Any
    via: tuple[Any, ...]
    said: str
    usual: bool

    def text(self, codes: Sequence[str], speaker: Speaker) -> str | None:
        """The clause about these, "" if it says nothing; None if there is no text for it."""
        which = [speaker.whose(self.head, code) or code for code in codes if code]
        data = {"word": self.word, "via": list(self.via), "said": self.said}
        key = f"{self.family}.{self.head}"
        keys = [f"{key}.{self.word}"] if isinstance(self.word, str) and self.word else []
        keys += [f"{key}.usual", key] if self.usual else [key]
        said = (speaker.sentence(key, which=which, count=len(codes), **data) for key in keys)
        return next(("" if one == NOTHING else one for one in said if one is not None), None)


_Sentence = tuple[_Clause, ...]


def dispatch(parts: Iterable[Answered], speaker: Speaker) -> str:
    """What parts of a sheet order, as sentences; "" if their system has no sentence for any."""
    about: dict[tuple[str, int], _Sentence] = {}
    latest: dict[str, tuple[str, int]] = {}
    rest, spoken = [], False
    parts = list(parts)
    for n, (part, options, value) in enumerate(parts):
        code = part.partition(".")[2]
        begun = latest.get(code)
        for family in (GOES_ON, OPENS) if begun else (OPENS,):
            clause = _clause(family, part, options, value, speaker)
            text = clause.text([code], speaker)
            if text is not None:
                break
        else:
            rest.append(_part_told(part, options, value, speaker))
            continue
        spoken = True
        if text and family == GOES_ON and begun:
            about[begun] += (clause,)
        elif text:
            latest[code] = code, len(about)
            about[latest[code]] = (clause,)
        elif _bare(parts, n):
            rest.append(_part_told(part, options, value, speaker))
    if not spoken:
        return ""
    said = [*_together(about, speaker), *rest]
    return " ".join([f"{one[:1].upper()}{one[1:]}." for one in said]) or speaker.say("ask.no_order")


def _bare(parts: Sequence[Answered], n: int) -> bool:
    """Whether a number or a list is begun whose details, which tell it, are not answered yet."""
    part, options, value = parts[n]
    counts = isinstance(options, (Amount, SeveralOf)) and "." not in part and bool(value)
    return counts and not any(["." in one.part for one in parts[n + 1 : n + 2]])


def read_over(options: Options, value: Any, speaker: Speaker) -> list[str]:
    """What somebody reads once more before a sheet is sent: its dispatch, and its remarks."""
    if not isinstance(options, Sheet):
        return []
    said = [
        dispatch(_asked_in(options, value, speaker), speaker),
        *map(speaker.fact, options.remarks(value)),
    ]
    return [line for line in said if line]


def _clause(family: str, part: str, options: Options, value: Any, speaker: Speaker) -> _Clause:
    way = tuple(value) if isinstance(options, Path) else ()
    word = (way[-1] if way else "") if isinstance(options, Path) else value
    head = part.partition(".")[0]
    usual = options.quiet() == value
    return _Clause(family, head, word, way[:-1], told(options, value, speaker), usual)


def _together(about: Mapping[tuple[str, int], _Sentence], speaker: Speaker) -> list[str]:
    """The sentences, those that say the same of several things as one."""
    codes: dict[_Sentence, list[str]] = {}
    for (code, _), sentence in about.items():
        codes.setdefault(sentence, []).append(code)
    return [
        join([clause.text(them, speaker) or "" for clause in sentence], speaker.lang)
        for sentence, them in codes.items()
    ]
