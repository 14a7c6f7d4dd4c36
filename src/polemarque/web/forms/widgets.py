"""One widget for each kind of option: what was typed is read, and what stands there is shown.

A widget never asks twice what is known.  It takes what was typed if that is legal, else what the
rules answer for the absent if *that* is legal, else the answer that does nothing, else none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from operator import itemgetter
from pathlib import Path as Folder
from typing import Any, Protocol

import msgspec
from msgspec import UNSET

from polemarque.kernel.errors import Refusal
from polemarque.kernel.files.sentence_templates import plainly
from polemarque.kernel.files.texts import Catalogue, MissingText
from polemarque.kernel.request import Amount, OneOf, Options, Path, SeveralOf, Text
from polemarque.report.order_forms import told_answers, typed_answers
from polemarque.web.forms.fields import (
    FEW,
    Choice,
    Field,
    Number,
    Radios,
    Select,
    Ticks,
    Told,
    Way,
    Writing,
)
from polemarque.web.forms.input_names import OTHER, STAY, code, coded
from polemarque.web.forms.paths import read_way, way_typed

TEXTS = Folder(__file__).parents[1] / "texts" / "forms"
"""The texts of forms."""

SAID_MOST = 12
"""What would be legal is said in a refusal if it is no more than this."""

LONG = 20
"""A list of more words than so many is set in groups, and shows the best first."""

COUNTED_MOST = 500
"""Amounts of one field of which the page knows what each costs."""

NAMED_MOST = 120
"""Characters of what was sent that are said again."""


class Speaker(told_answers.Speaker, Protocol):
    """What a form needs of `report.words.Words`."""

    def refusal(self, refusal: Refusal) -> str:
        """A refusal as a sentence."""
        ...

    def terms(self, said: str) -> Sequence[tuple[str, str]]:
        """The terms that stand in a text, each with what it means."""
        ...


@cache
def texts() -> Catalogue:
    """The texts of forms."""
    return Catalogue.load(TEXTS)


def say(speaker: Speaker, key: str, /, **data: Any) -> str:
    """A text of the forms, in the reader's language."""
    return texts().say(speaker.lang, key, **data)


UNREAD: tuple[Any, Refusal | None] = (UNSET, None)
"""Nothing was sent: no answer, and nothing to refuse."""


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """The place of one answer in a form.

    typed:   what was sent for it; None if it was not shown before.
    other:   what was typed in full in place of a choice.
    default: what the rules answer for the absent, or UNSET.
    lone:    it is the whole question: nothing is chosen in advance.
    """

    name: str
    label: str
    typed: tuple[str, ...] | None = None
    other: str = ""
    default: Any = UNSET
    lone: bool = False

    @property
    def sent(self) -> str:
        """The one value that was sent, "" if none was."""
        return next((value for value in reversed(self.typed or ()) if value), "")


class Filled(msgspec.Struct, frozen=True):
    """A field, the answer that stands in it (UNSET: none), and whether that is what was sent."""

    field: Field
    value: Any
    sent: bool


class Widgets:
    """Makes the fields of one form.

    speaker: the words of the game, in the reader's language.
    places:  codes of the places on the map or board, for fields that name them.
    strict:  the form was sent to be sealed: what lacks is said.
    """

    def __init__(self, speaker: Speaker, places: Collection[str], *, strict: bool) -> None:
        self.speaker = speaker
        self.places = frozenset(places)
        self.strict = strict
        self._say = partial(say, speaker)
        self._labels: dict[tuple[str, type, str], str] = {}

    def fill(self, options: Options, slot: Slot) -> Filled:
        """The field of one answer that is no sheet.  Raises TypeError on a kind of a stranger's."""
        if isinstance(options, OneOf):
            return self._one_of(options, slot)
        if isinstance(options, SeveralOf):
            return self._several_of(options, slot)
        if isinstance(options, Amount):
            return self._amount(options, slot)
        if isinstance(options, Path):
            return self._path(options, slot)
        if isinstance(options, Text):
            return self._text(options, slot)
        raise TypeError(f"no widget for {type(options).__name__}")

    # Words ---------------------------------------------------------------------------------------

    def label(self, family: str, word: Any) -> str:
        """What a word is called."""
        at = (family, type(word), word if isinstance(word, str) else code(word))
        if at not in self._labels:
            self._labels[at] = self._called(family, word)
        return self._labels[at]

    def _called(self, family: str, word: Any) -> str:
        if isinstance(word, (tuple, list)):
            return " ".join([self.label(family, part) for part in word])
        said = self.speaker.label(family, word)
        if isinstance(word, bool) and said == str(word).lower():
            return self._say(f"forms.{said}")
        return said

    def _names(self, family: str, codes: Mapping[str, Any]) -> dict[str, str]:
        """What words are called, by value; the word itself behind a name that several bear."""
        names = {value: self.label(family, word) for value, word in codes.items()}
        borne = Counter(names.values())
        if len(borne) == len(names):
            return names
        return {
            value: f"{name} ({codes[value]})" if borne[name] > 1 else name
            for value, name in names.items()
        }

    def _of_places(self, family: str, words: Collection[Any]) -> bool:
        """Whether words are places of the map."""
        if family == "place":
            return True
        known = sum([isinstance(word, str) and word in self.places for word in words])
        return known > 0 and 2 * known >= len(words)

    def _choices(
        self, options: Options, codes: Mapping[str, Any], names: Mapping[str, str],
        chosen: Collection[str],
    ) -> tuple[Choice, ...]:  # fmt: skip
        """What can be chosen, each with its fact, way and cost.   codes, names: by value.

        Many are in the order of their ranks.
        """
        ways = isinstance(options, Path)
        found: list[tuple[int | Fraction, Choice]] = []
        for c, name in names.items():
            word, fact = codes[c], typed_answers.fact_at(options, codes[c])
            way = " ".join(word) if ways and len(word) > 1 else ""
            if fact is None:
                found.append((0, Choice(c, name, c in chosen, way=way)))
                continue
            group = self.speaker.label("group", fact.group) if fact.group else ""
            said, costs = self.speaker.fact(fact), fact.costs
            found.append((fact.rank, Choice(c, name, c in chosen, said, way, costs, group)))
        if len(found) > FEW:
            found.sort(key=itemgetter(0))
        return tuple([choice for _, choice in found])

    # What was typed ------------------------------------------------------------------------------

    def _take(self, options: Options, value: Any) -> tuple[Any, Refusal | None]:
        try:
            return options.take(value), None
        except Refusal as refusal:
            return UNSET, refusal

    def _fallback(self, options: Options, *tried: Any) -> Any:
        """The first of some answers that is legal, or UNSET."""
        for value in tried:
            if value is not UNSET:
                taken, refusal = self._take(options, value)
                if refusal is None:
                    return taken
        return UNSET

    def _remarks(
        self, slot: Slot, value: Any, error: str, *, empty: bool = False
    ) -> dict[str, str]:
        """What is said of what was sent: the error and the note of a field.

        error: why it is refused, or "".   empty: nothing was chosen where something must be.
        """
        if error:
            return {"error": error}
        if self.strict and slot.typed is None:  # it was not asked yet: nobody did anything wrong
            return {"note": self._say("forms.left" if value is UNSET else "forms.unseen")}
        if self.strict and empty:
            return {"error": self._say("forms.missing")}
        return {}

    def _refused(self, refusal: Refusal | None, family: str, was: Iterable[Any]) -> str:
        """A refusal of words with their names; the list that the field shows is not said again.

        was: the words that were sent.
        """
        if refusal is None:
            return ""
        ways = [word if isinstance(word, tuple) else (word,) for word in was]
        parts = {" ".join(map(str, way)): self.label(family, way) for way in ways}
        listed = refusal.code == "answer.several_of"
        part = ", ".join(parts.values()) if listed else parts.get(refusal.part, refusal.part)
        shown = refusal.code.startswith("answer.") or len(refusal.legal) > SAID_MOST
        legal = [self.label(family, word) for word in (() if shown else refusal.legal)]
        named = type(refusal)(
            refusal.code, rule=refusal.rule, part=part, legal=legal, **refusal.data
        )
        try:
            return self.speaker.refusal(named)
        except MissingText:  # a text of a stranger's looks the word up itself
            return self.speaker.refusal(refusal)

    def _changed(self, family: str, was: Iterable[str]) -> str:
        """That words which were sent are possible no more."""
        named = ", ".join([self.label(family, each) for each in was])
        short = named if len(named) <= NAMED_MOST else f"{named[:NAMED_MOST]}…"
        return self._say("forms.changed", was=short)

    # Kinds ---------------------------------------------------------------------------------------

    def _one_of(self, options: OneOf, slot: Slot) -> Filled:
        codes = coded(options.words)
        names = self._names(options.label, codes)
        value, refusal = (
            self._take(options, codes.get(slot.sent, slot.sent)) if slot.sent else UNREAD
        )
        legal = value is not UNSET
        if not legal:
            only = options.words[0] if len(codes) == 1 else UNSET
            value = self._fallback(options, UNSET if slot.lone else slot.default, only)
        chosen = "" if value is UNSET else code(value)
        remarks = self._remarks(
            slot, value, self._refused(refusal, options.label, [slot.sent]), empty=not slot.sent
        )
        if refusal is not None and value is not UNSET:
            remarks["note"] = self._changed(options.label, [slot.sent])
        common = {"name": slot.name, "label": slot.label, "said": names.get(chosen, ""), **remarks}
        field: Field
        if len(codes) == 1:
            field = Told(**common, values=(chosen,))
            return Filled(field, value, sent=legal)
        choices = self._choices(options, codes, names, {chosen})
        places = self._of_places(options.label, options.words)
        if len(codes) <= FEW:
            field = Radios(**common, choices=choices, places=places)
        else:
            grouped = len(codes) > LONG and any([choice.group for choice in choices])
            field = Select(
                **common, choices=choices, places=places,
                prompt="" if chosen else self._say("forms.choose"),
                best=self._say("forms.best") if grouped else "",
                every=self._say("forms.every") if grouped else "",
            )  # fmt: skip
        return Filled(field, value, sent=legal)

    def _several_of(self, options: SeveralOf, slot: Slot) -> Filled:
        codes = coded(options.words)
        names = self._names(options.label, codes)
        places = self._of_places(options.label, options.words)
        if places and len(names) > FEW:
            names = dict(sorted(names.items(), key=lambda each: plainly(each[1])))
        typed = list(dict.fromkeys(filter(None, slot.typed or ())))
        value, refusal = (
            self._take(options, [codes.get(each, each) for each in typed])
            if slot.typed is not None
            else UNREAD
        )
        legal = value is not UNSET
        left = [codes[each] for each in typed if each in codes]
        if not legal:
            tried = UNSET if slot.typed is None else left
            only = options.words if options.least == len(codes) else UNSET
            value = self._fallback(options, tried, slot.default, (), only)
        strange = [each for each in typed if each not in codes]
        if not typed and not self.strict:
            refusal = None  # nothing is ticked yet: that is no fault before it is sealed
        remarks = self._remarks(
            slot, value, self._refused(refusal, options.label, strange or typed)
        )
        if strange:
            remarks["note"] = self._changed(options.label, strange)
        ticked = set(typed) if slot.typed is not None else {code(each) for each in value or ()}
        said = [names[code(each)] for each in value or ()]
        common = {"name": slot.name, "label": slot.label, **remarks}
        if value is not UNSET:
            common["said"] = ", ".join(said) or self._say("forms.none")
        most = len(codes) if options.most is None else min(options.most, len(codes))
        if most == 0 or options.least == len(codes):
            return Filled(Told(**common, values=("", *map(code, value or ()))), value, sent=legal)
        may_all = most == len(codes) > FEW and (places or not options.least)
        field = Ticks(
            **common, hint=self._how_many(options, most),
            choices=self._choices(options, codes, names, ticked),
            places=places,
            every=self._say("forms.tick_all") if may_all else "",
        )  # fmt: skip
        return Filled(field, value, sent=legal)

    def _how_many(self, options: SeveralOf, most: int) -> str:
        least, there = options.least, len(options.words)
        if least == most:
            said = self._say("forms.exactly", n=most)
        elif least:
            said = self._say("forms.several", least=least, most=most)
        else:
            said = (
                self._say("forms.any") if most == there else self._say("forms.at_most", most=most)
            )
        return " ".join([said, *typed_answers.limit_told(options, self.speaker)])

    def _amount(self, options: Amount, slot: Slot) -> Filled:
        typed = slot.sent.strip()
        value, refusal = self._take(options, number(typed)) if typed else UNREAD
        legal = value is not UNSET
        amounts = range(options.least, options.most + 1, options.step)
        lone, told = len(amounts) == 1, typed_answers.fact_at(options, options.most)
        listed = options.step > 1 and len(amounts) <= FEW and told is not None and not told.costs
        if not legal:
            given = UNSET if listed and slot.lone else slot.default
            quiet = UNSET if listed and slot.lone else 0
            value = self._fallback(options, given, quiet, options.least if lone else UNSET)
        unit = self.speaker.label("unit", options.unit) if options.unit else ""
        error = self.speaker.refusal(refusal) if refusal else ""
        remarks = self._remarks(slot, value, error, empty=slot.typed is not None and not typed)
        said = "" if value is UNSET else f"{value} {unit}".strip()
        if refusal is not None and value is not UNSET and not slot.lone:
            remarks["note"] = self._say("forms.replaced", said=said)
        common: dict[str, Any] = {"name": slot.name, "label": slot.label, "said": said, **remarks}
        if lone:
            return Filled(Told(**common, values=(str(value),)), value, sent=legal)
        if listed:
            chosen = "" if value is UNSET else str(value)
            codes = {str(amount): amount for amount in amounts}
            names = {
                c: told_answers.told(options, amount, self.speaker) for c, amount in codes.items()
            }
            choices = self._choices(options, codes, names, {chosen})
            return Filled(Radios(**common, choices=choices), value, sent=legal)
        hint = self._say(
            "forms.amount", least=options.least, most=options.most, step=options.step,
            stepped=options.step > 1,
        )  # fmt: skip
        shown = typed if slot.typed is not None or value is UNSET else str(value)
        field = Number(
            **common, hint=hint, typed=shown, unit=unit,
            least=options.least, most=options.most, step=options.step,
            facts=tuple(typed_answers.facts_of_amount(options, self.speaker)),
            costs=_costs(options),
            less=self._say("forms.less"), more=self._say("forms.more"),
        )  # fmt: skip
        return Filled(field, value, sent=legal)

    def _path(self, options: Path, slot: Slot) -> Filled:
        codes: dict[str, Any] = {STAY: ()} if options.stay else {}
        codes |= {code(place): way for place, way in options.ways.items()}
        other = slot.other.strip()
        asked = codes.get(slot.sent, slot.sent)
        if other:
            asked = read_way(options, other, self.speaker)
        value, refusal = self._take(options, asked) if other or slot.sent else UNREAD
        legal = value is not UNSET
        if not legal:
            only = next(iter(codes.values())) if len(codes) == 1 else UNSET
            stay = () if options.stay else UNSET
            value = self._fallback(options, slot.default, stay, only)
        listed = next((each for each, way in codes.items() if way == value), "")
        error = self._refused(refusal, "place", [asked if isinstance(asked, tuple) else slot.sent])
        empty = slot.typed is not None and not (slot.sent or other)
        remarks = self._remarks(slot, value, error, empty=empty)
        said = self._way_said(value)
        if refusal is not None and value is not UNSET and not slot.lone:
            remarks["note"] = self._say("forms.replaced", said=said)
        common = {"name": slot.name, "label": slot.label, "said": said, **remarks}
        if len(codes) == 1 and options.legal is None:
            return Filled(Told(**common, values=(listed,)), value, sent=legal)
        if not other and value is not UNSET and not listed:
            other = way_typed(options, value, self.speaker)
        shown = slot.sent if refusal is not None and slot.sent in codes else listed
        free = options.legal is not None
        ways = {
            c: typed_answers.noted(options, way, self._way_said(way), self.speaker)
            for c, way in codes.items()
        }
        field = Way(
            **common, places=True,
            choices=self._choices(options, codes, ways, {shown}),
            prompt="" if shown else self._say("forms.choose"),
            other=slot.name + OTHER if free else "", typed=other if free else "",
            other_label=self._say("forms.other") if free else "",
            other_hint=self._say("forms.other_hint") if free else "",
        )  # fmt: skip
        return Filled(field, value, sent=legal)

    def _way_said(self, way: Any) -> str:
        if way is UNSET:
            return ""
        if not way:
            return self._say("forms.stay")
        place = self.label("place", way[-1])
        if len(way) == 1:
            return place
        by = " → ".join([self.label("place", each) for each in way[:-1]])
        return self._say("forms.way", place=place, by=by, steps=len(way))

    def _text(self, options: Text, slot: Slot) -> Filled:
        typed = (slot.typed or ("",))[-1].replace("\r\n", "\n")
        value, refusal = self._take(options, typed) if slot.typed is not None else UNREAD
        legal = value is not UNSET
        if not legal:
            value = self._fallback(options, slot.default, "")
        field = Writing(
            name=slot.name, label=slot.label, said=value, most=options.most,
            typed=value if slot.typed is None else typed,
            hint=self._say("forms.text", most=options.most),
            **self._remarks(slot, value, self.speaker.refusal(refusal) if refusal else ""),
        )  # fmt: skip
        return Filled(field, value, sent=legal)


def _costs(options: Amount) -> tuple[int, ...]:
    """What each amount takes from the purse; () where none does, or there are too many."""
    amounts = range(options.least, options.most + 1, options.step)
    if options.fact is None or len(amounts) > COUNTED_MOST:
        return ()
    costs = tuple([typed_answers.cost_of(options, amount) for amount in amounts])
    return costs if any(costs) else ()


def number(typed: str) -> int | str:
    """A whole number as people write it, with blanks between thousands; else what was typed."""
    bare = "".join(typed.split()).replace("−", "-")
    digits = bare.removeprefix("-").removeprefix("+")
    if digits.isascii() and digits.isdigit() and len(digits) <= typed_answers.LONGEST:
        return -int(digits) if bare.startswith("-") else int(digits)
    return typed
