"""What a person types, and what it means: answers and dice, read and shown.

Nothing here asks or prints.  Words are understood by their number in the list, by their name in the
record, by their name in the reader's language, or by any beginning of either that fits one alone;
accents and capitals do not matter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from polemarque.kernel.dice import LONG, Counts, Faces, Roll
from polemarque.kernel.errors import DiceRefused, NotAllowed, NotUnderstood
from polemarque.kernel.files.sentence_templates import AND, figure, plainly
from polemarque.kernel.request import (
    Amount,
    Fact,
    OneOf,
    Options,
    Path,
    Purse,
    SeveralOf,
    Text,
    WithFacts,
    price,
)
from polemarque.report.order_forms.told_answers import Speaker, word_told

MANY, SHORT = 10, 12
"""A list of more names than so many, none longer than so many characters, is put in columns."""

WIDTH, GAP = 78, 3
"""Characters of a line, and between columns."""

LONGEST = 9
"""Digits of the longest number that is understood."""

MOST_TIMES = 99_999
"""Dice that are typed at once, as in ``4x6``."""

NOTHING = ("-", "0")
"""What is typed for an empty list or for staying."""


_NUMBERED = re.compile(r"[*(#]*(?:n[°o]\.? ?)?(\d+) ?(?:[.)!]*|= ?(.+))")
"""The number of a choice; behind an equals sign what it stands for."""

_ARTICLE = re.compile(r"\A(?:l'|(?:le|la|les|un|une|the|an?) )")
"""At the beginning of a name, plainly written."""


def whole(typed: str, longest: int = LONGEST) -> int | None:
    """A number from 0 as it is typed; None if it is none, or has more digits than may be meant.

    Its length is looked at first: Python reads no number of thousands of digits, were they all 0.
    """
    short = len(typed) <= longest and typed.isascii() and typed.isdigit()
    return int(typed) if short else None


class Names:
    """The words of one question, each with its number and its name in the reader's language.

    listed: the words by their numbers where a list that was made before gives them, as an order
            form does; it may hold words that are no longer possible.
    """

    def __init__(
        self,
        words: Sequence[Any],
        family: str,
        speaker: Speaker,
        listed: Sequence[Any] | None = None,
    ) -> None:
        self.words = tuple(words)
        self.labels = _told_apart(self.words, family, speaker)
        self._said = partial(word_told, family, speaker=speaker)
        names = (*map(str, self.words), *self.labels)
        self._plain = [
            (word, {plainly(str(word)), plainly(label)})
            for word, label in zip(self.words, self.labels, strict=True)
        ]
        self.numbered = not any(name.isdigit() for name in names)
        """Numbers are not numbered: what is typed is the number itself."""
        self._listed = self.words if listed is None else tuple(listed)

    def lines(self, labels: Sequence[str] = ()) -> list[str]:
        """The list as it is shown, a line a word.   labels: what the words are called there."""
        labels = labels or self.labels
        if not self.numbered:
            return [", ".join(labels)]
        width = len(str(len(self.words)))
        return [f"{n:>{width}}  {label}" for n, label in enumerate(labels, 1)]

    def rows(self, labels: Sequence[str]) -> list[str]:
        """The same; a long list of short names has several in a line."""
        lines = self.lines(labels)
        widest = max(map(len, lines), default=0)
        if len(lines) <= MANY or widest > SHORT:
            return lines
        across = WIDTH // (widest + GAP)
        padded = [line.ljust(widest + GAP) for line in lines]
        rows = range(0, len(padded), across)
        return ["".join(padded[first : first + across]).rstrip() for first in rows]

    def find(self, typed: str) -> Any:
        """The word that was typed.  Raises NotAllowed naming those there are, and what a number
        stands for that is none of them."""
        exact = self.exactly(typed)
        if len(exact) == 1:
            return exact[0]
        number = self._number(typed) if self.numbered and not exact else None
        if number and number <= len(self._listed):
            word = self._listed[number - 1]
            if word in self.words:
                return word
            said = self._said(word)
            raise NotAllowed("answer.numbered", part=typed, legal=self.labels, said=said)
        wanted = plainly(typed)
        begun = [
            word
            for word, names in self._plain
            if wanted and not exact and any(_begins(name, wanted) for name in names)
        ]
        if len(begun) == 1 and not wanted.isdigit():
            return begun[0]
        raise NotAllowed("answer.one_of", part=typed, legal=self.labels)

    def _number(self, typed: str) -> int | None:
        """The number of a word as people write it: 3, (3), n° 3, or copied with its name."""
        found = _NUMBERED.fullmatch(plainly(typed))
        number = whole(found[1]) if found else None
        if found is None or not found[2] or not number or number > len(self._listed):
            return number
        name = plainly(self._said(self._listed[number - 1]))
        with_fact = found[2].startswith(f"{name},")
        return number if found[2] == name or with_fact else None

    def exactly(self, typed: str) -> list[Any]:
        """The words of that very name: none, one, or two if one is named as the record has
        another."""
        wanted = plainly(typed)
        return [word for word, names in self._plain if wanted in names]

    def typed(self, word: Any) -> str:
        """What stands for a word, such that `find` finds it: its name if that is enough."""
        label = self.labels[self.words.index(word)]
        number = str(self._listed.index(word) + 1) if word in self._listed else ""
        ways = (label, str(word), number)
        return next((way for way in ways if way and self._finds(way, word)), label)

    def _finds(self, typed: str, word: Any) -> bool:
        try:
            return ";" not in typed and bool(self.find(typed) == word)
        except NotAllowed:
            return False


def _begins(name: str, wanted: str) -> bool:
    """Whether a name begins so, with its article or without."""
    return name.startswith(wanted) or _ARTICLE.sub("", name, count=1).startswith(wanted)


def _told_apart(words: Sequence[Any], family: str, speaker: Speaker) -> tuple[str, ...]:
    """What words are called, the word itself behind a name that several bear."""
    labels = [word_told(family, word, speaker) for word in words]
    borne = Counter(map(plainly, labels))
    return tuple(
        f"{label} ({word})" if borne[plainly(label)] > 1 else label
        for word, label in zip(words, labels, strict=True)
    )


def read_answer(
    options: Options, typed: str, speaker: Speaker, listed: Sequence[Any] | None = None
) -> Any:
    """The answer that a line means, as the options take it.  (A sheet is read part by part.)

    listed: see `Names`.   Raises NotUnderstood or NotAllowed, as the options do.
    """
    typed = typed.strip()
    if isinstance(options, OneOf):
        value = Names(options.words, options.label, speaker, listed).find(typed)
    elif isinstance(options, SeveralOf):
        value = _several(options, typed, speaker, listed)
    elif isinstance(options, Amount):
        value = _number(typed, options)
    elif isinstance(options, Path):
        value = _way(options, typed, speaker, listed)
    else:
        value = typed
    return options.take(value)


def answer_typed(
    options: Options, value: Any, speaker: Speaker, listed: Sequence[Any] | None = None
) -> str:
    """What somebody would have typed for an answer, such that `read_answer` reads it again.

    A text loses the blanks around it, as it does there.
    """
    if isinstance(options, OneOf):
        return Names(options.words, options.label, speaker, listed).typed(value)
    if isinstance(options, SeveralOf):
        names = Names(options.words, options.label, speaker, listed)
        said = "; ".join([names.typed(word) for word in value]) or NOTHING[0]
        alone = len(value) == 1 and _several(options, said, speaker, listed) != list(value)
        return f"{said};" if alone else said
    if isinstance(options, Path):
        return _way_typed(options, tuple(value), speaker, listed)
    return str(value)


def _several(
    options: SeveralOf, typed: str, speaker: Speaker, listed: Sequence[Any] | None
) -> list[Any]:
    bare, names = plainly(typed), Names(options.words, options.label, speaker, listed)
    if bare in NOTHING and bare not in map(str, options.words):
        return []
    if bare == plainly(speaker.say("ask.all")):
        return list(options.words)
    return [names.find(part) for part in _parts(typed, names, f" {AND[speaker.lang]} ")]


def _parts(typed: str, names: Names, last: str) -> list[str]:
    """Several words apart: by semicolons, else by commas and `last`, else by blanks; a name holds
    any.   last: the word before the last of a list."""
    if ";" in typed:
        cut = typed.split(";")
    elif names.exactly(typed):
        cut = [typed]
    elif "," in typed or last in typed:
        cut = [
            part
            for each in typed.split(",")
            for part in ([each] if names.exactly(each) else each.split(last))
        ]
    else:
        cut = typed.split()
    return [part.strip() for part in cut if part.strip()]


def _number(typed: str, options: Amount) -> int:
    bare = typed.replace("−", "-")
    if re.fullmatch(r"[+-]?[0-9]{1,3}(\s[0-9]{3})+", bare):  # with blanks between thousands
        bare = "".join(bare.split())
    if not re.fullmatch(r"[+-]?[0-9]{1,12}", bare):
        raise options.refused(NotUnderstood, "answer.number", typed)
    return int(bare)


IN_FULL = ">"
"""Before a way that is typed place by place, and between its places."""


def _way(
    options: Path, typed: str, speaker: Speaker, listed: Sequence[Any] | None
) -> tuple[Any, ...]:
    names = Names(tuple(options.ways), "place", speaker, listed)
    stay = {*NOTHING, plainly(speaker.say("ask.stay"))}
    if options.stay and plainly(typed) in stay:
        return ()
    if not typed.startswith(IN_FULL):
        with suppress(NotAllowed):
            place = names.find(typed)
            return options.ways.get(place, (place,))
    parts = [part.strip() for part in re.split(r"[>→,;]", typed) if part.strip()]
    if len(parts) == 1 and not typed.startswith(IN_FULL):
        parts = parts[0].split()
    return tuple(_place(names, part) for part in parts)


def _place(names: Names, typed: str) -> Any:
    """A place on a way typed in full, by its whole name, or taken as it stands: a beginning might
    be that of another."""
    exact = names.exactly(typed)
    return exact[0] if len(exact) == 1 else typed


def _way_typed(
    options: Path, way: tuple[str, ...], speaker: Speaker, listed: Sequence[Any] | None
) -> str:
    """A way as `_way` reads it: its last place if it is the cheapest way there."""
    if not way:
        return NOTHING[0]
    names = Names(tuple(options.ways), "place", speaker, listed)
    if options.ways.get(way[-1]) == way:
        label = names.typed(way[-1])
        if not label.startswith(IN_FULL) and _way(options, label, speaker, listed) == way:
            return label
    return IN_FULL + " " + f" {IN_FULL} ".join(way)


def offer(options: Options, speaker: Speaker) -> list[str]:
    """What may be answered, as lines to show."""
    if isinstance(options, (OneOf, SeveralOf)):
        names = Names(options.words, options.label, speaker)
        named = zip(names.words, names.labels, strict=True)
        lines = names.rows([with_fact(options, *each, speaker) for each in named])
        if isinstance(options, OneOf):
            return lines
        most = len(options.words) if options.most is None else options.most
        bounds = speaker.say("ask.several", least=options.least, most=most)
        return [*lines, " ".join([bounds, *limit_told(options, speaker)])]
    if isinstance(options, Amount):
        unit = speaker.label("unit", options.unit) if options.unit else ""
        bounds = speaker.say(
            "ask.amount", least=options.least, most=options.most, step=options.step,
            stepped=options.step > 1, unit=unit,
        )  # fmt: skip
        return [bounds, *facts_of_amount(options, speaker)]
    if isinstance(options, Path):
        return _offer_ways(options, speaker)
    if isinstance(options, Text):
        return [speaker.say("ask.text", most=options.most)]
    return []


def _offer_ways(options: Path, speaker: Speaker) -> list[str]:
    names = Names(tuple(options.ways), "place", speaker)
    lines = []
    for line, way in zip(names.lines(), options.ways.values(), strict=True):
        by = " > ".join(speaker.label("place", place) for place in way)
        line = noted(options, way, f"{line}  ({by})" if len(way) > 1 else line, speaker)
        lines.append(with_fact(options, way, line, speaker))
    if options.stay:
        stay = noted(options, (), speaker.say("ask.stay"), speaker)
        stay = with_fact(options, (), stay, speaker)
        lines.append(f"{'-'.rjust(len(str(len(lines) or 1)))}  {stay}")
    return lines


def noted(options: Path, way: tuple[str, ...], said: str, speaker: Speaker) -> str:
    """What a way is called, with the note on what it leads to."""
    note = options.note(way) if options.note is not None else ""
    return f"{said}, {speaker.label('way', note)}" if note else said


# Facts -----------------------------------------------------------------------------------------

FEW = 6
"""Amounts of which each tells its fact; of more, the least that is something, and the most."""


def limit_told(options: SeveralOf, speaker: Speaker) -> list[str]:
    """Why no more words can be chosen, as a sentence; [] where all can."""
    limited = options.limit and options.most is not None and options.most < len(options.words)
    return [speaker.label("limit", options.limit)] if limited else []


def fact_at(options: Options, value: Any) -> Fact | None:
    """The fact of one of the options, or None."""
    fact = options.fact if isinstance(options, WithFacts) else None
    return fact(value) if fact is not None else None


def fact_of(options: Options, value: Any, speaker: Speaker) -> str:
    """What is told beside one of the options, "" for nothing."""
    fact = fact_at(options, value)
    return "" if fact is None else speaker.fact(fact)


def with_fact(options: Options, value: Any, said: str, speaker: Speaker) -> str:
    """What one of the options is called, with its fact behind it."""
    fact = fact_of(options, value, speaker)
    return f"{said}, {fact}" if fact else said


def facts_of_amount(options: Amount, speaker: Speaker) -> list[str]:
    """Some amounts, each with its fact; of those that are paid, one tells the price of all, and the
    most what more than its price is to be told of it."""
    values: Sequence[int] = range(options.least, options.most + 1, options.step)
    some = values[len(values) > 1 and not values[0]]
    if some == 1 and (cost := cost_of(options, some)):
        each = speaker.say("ask.each", said=speaker.fact(price(cost)))
        last = fact_at(options, values[-1])
        if last is None or last.key == "price":
            return [each]
        return [each, speaker.say("ask.told", part=figure(values[-1]), said=speaker.fact(last))]
    if cost_of(options, some):
        values = (some,)
    elif len(values) > FEW:
        values = (some, values[-1])
    facts = {figure(each): fact_of(options, each, speaker) for each in values}
    return [speaker.say("ask.told", part=each, said=fact) for each, fact in facts.items() if fact]


def cost_of(options: Options, value: Any) -> int:
    """What an answer takes from the purse of its sheet."""
    values = value if isinstance(options, SeveralOf) else (value,)
    facts = [fact_at(options, one) for one in values]
    return sum([one.costs for one in facts if one is not None])


def purse_told(purse: Purse, spent: int, speaker: Speaker) -> str:
    """What a purse holds, what is taken from it, and what is left."""
    return speaker.say(
        "ask.purse", named=speaker.label("purse", purse.named), holds=purse.holds, due=purse.due,
        spent=spent, left=purse.holds - purse.due - spent,
    )  # fmt: skip


# Dice ------------------------------------------------------------------------------------------


def roll_typed(roll: Roll, typed: str) -> Faces:
    """The faces a person typed: ``3 5 2``, ``3,5,2``, ``352`` (dice of at most nine faces), and
    ``4x6`` for four sixes.  Raises DiceRefused naming what is wrong, as the roll does.
    """
    tokens = re.split(r"[\s,;+]+", typed.strip())
    shown = [face for token in tokens if token for face in _faces(roll, token)]
    fell = roll.check(tuple(shown))
    if roll.count > LONG and not isinstance(fell, Counts):
        return Counts(tuple([fell.count(face) for face in range(1, roll.sides + 1)]))
    return fell


def _faces(roll: Roll, token: str) -> Iterable[int]:
    often, cross, shown = token.lower().partition("x")
    times, face = whole(often), whole(shown)
    if cross and times is not None and face is not None and times <= MOST_TIMES:
        return [face] * times
    if roll.sides <= 9 and len(token) > 1 and token.isascii() and token.isdigit():
        return [int(digit) for digit in token]
    one = whole(token)
    if one is None:
        raise DiceRefused(
            "dice.face", part=token, die=f"D{roll.sides}", why=roll.why, count=roll.count
        )
    return [one]
