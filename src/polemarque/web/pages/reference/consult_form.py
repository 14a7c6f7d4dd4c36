"""The form of a rule asked alone: what its address says, and the fields it is shown as.

The address is the whole request, so that it can be shared: ``?combat_force=13&loot=0&dice=4+2``.
Options of the system are ``option.<name>``; parts of objects have dots in their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any
from urllib.parse import urlencode

import msgspec
from django.http import QueryDict

from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.system import Question, System
from polemarque.odds.consult import options_read
from polemarque.odds.fields import Field, fields_of, gather, spread
from polemarque.odds.inputs import faces_typed, faults_of, is_whole, whole
from polemarque.report.rulebook import variant
from polemarque.web.forms.whole_numbers import whole as whole_number
from polemarque.web.pages.reference.rule_labels import RuleWords

OPTION = "option."
INPUT = "input."
"""Before the name of an input that is called as one of these."""

OWN = frozenset({"dice", "seed", "odds", "parts", "format", "more", "ask"})
"""What an address says beside inputs and options."""

LONG = 200
"""Characters of a seed."""

MOST_FIELDS, MOST_ROWS = 400, 100
"""At most this many fields of an address are read, and rows; of more, the first ones are shown."""

TOO_MANY = frozenset({"consult.most_fields", "consult.most_rows"})
"""What more than these is refused with."""


class Typed:
    """What an address says, read but not yet judged.

    inputs:  by name, with dots for parts; as typed.   options: likewise.
    count:   how many fields there are; those over the number are left out.
    """

    def __init__(self, query: QueryDict) -> None:
        self.twice = next((name for name, values in query.lists() if len(values) > 1), "")
        self.count = len(query)
        given = dict(islice(query.items(), MOST_FIELDS))
        self.dice = str(given.get("dice", "")).strip()
        self.seed = str(given.get("seed", "")).strip()[:LONG]
        self.odds = bool(given.get("odds"))
        self.parts = bool(given.get("parts"))
        self.json = given.get("format") == "json"
        self.more = str(given.get("more", ""))
        self.asked = bool(given)
        self.options: dict[str, str] = {}
        self.inputs: dict[str, str] = {}
        for name, value in given.items():
            if name.startswith(OPTION):
                self.options[name.removeprefix(OPTION)] = str(value).strip()
            elif name not in OWN:
                self.inputs[name.removeprefix(INPUT)] = str(value)


class Request(msgspec.Struct, frozen=True):
    """What is asked of a rule.  faces: None where they are to be rolled."""

    inputs: dict[str, Any]
    options: dict[str, Any]
    faces: tuple[int, ...] | None


def read(question: Question, typed: Typed) -> Request:
    """What is asked.  Raises NotUnderstood, DiceRefused, and NotAllowed on too much at once."""
    if typed.twice:
        raise NotUnderstood("consult.twice", rule=question.rule, part=typed.twice)
    if typed.count > MOST_FIELDS:
        raise _too_many("consult.most_fields", question, typed.count, MOST_FIELDS)
    inputs = gather(fields_of(question), typed.inputs)
    rows = _rows_of(inputs)
    if rows > MOST_ROWS:
        raise _too_many("consult.most_rows", question, rows, MOST_ROWS)
    options: dict[str, Any] = {
        name: whole(text) if is_whole(text) else text
        for name, text in typed.options.items()
        if text
    }
    faces = tuple(faces_typed(typed.dice)) if typed.dice else None
    return Request(inputs, options, faces)


def _too_many(code: str, question: Question, count: int, most: int) -> NotAllowed:
    return NotAllowed(code, rule=question.rule, part=count, legal=(most,))


def _rows_of(inputs: Mapping[str, Any]) -> int:
    """How many objects stand in lists, and in lists within them."""
    rows, waiting = 0, [*inputs.values()]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            waiting += value.values()
        elif isinstance(value, list):
            rows += sum([isinstance(one, Mapping) for one in value])
            waiting += value
    return rows


def address(question: Question, asked: Request, dice: str = "", *more: tuple[str, str]) -> str:
    """The query of a request in its shortest form."""
    typed = spread(fields_of(question), asked.inputs)
    pairs = [(_named(name), text) for name, text in typed.items()]
    pairs += [(f"{OPTION}{name}", str(value)) for name, value in asked.options.items()]
    pairs += [("dice", dice)] if dice else []
    pairs += more
    return urlencode(pairs or [("ask", "1")])


def _named(name: str) -> str:
    return f"{INPUT}{name}" if name.partition(".")[0] in OWN else name


# What is shown -----------------------------------------------------------------------------------


class Choice(msgspec.Struct, frozen=True):
    """One of the words of a field."""

    value: str
    words: str
    chosen: bool


class Control(msgspec.Struct, frozen=True):
    """A field as the template sets it.

    name: in the address.   id: in the page.   within: fields of an object; rows: of a list of them.
    """

    name: str
    id: str
    kind: str
    label: str
    hint: str = ""
    value: str = ""
    error: str = ""
    required: bool = False
    whole: bool = False
    choices: tuple[Choice, ...] = ()
    within: tuple[Control, ...] = ()
    rows: tuple[tuple[Control, ...], ...] = ()

    @property
    def described(self) -> str:
        """Ids of what describes it."""
        ids = [f"{self.id}-hint"] if self.hint else []
        return " ".join([*ids, *([f"{self.id}-error"] if self.error else [])])


class Form:
    """The fields of a rule with what was typed into them, and what is wrong with it.

    errors: by name in the address.   say: (key, **data) -> one of the page's texts.
    """

    def __init__(
        self, system: System, question: Question, typed: Typed, words: RuleWords, say: Any,
        errors: Mapping[str, str],
    ) -> None:  # fmt: skip
        self._words, self._say, self._errors = words, say, errors
        self._typed = self._tidy(question, typed)
        self._more = typed.more
        self.fields = tuple(self._controls(fields_of(question), "", free=False))
        self.options = tuple(self._options(system, question, typed))
        every = _all((*self.fields, *self.options))
        self._labels = {control.name: control.label for control in every}
        self.options_open = any(option.error for option in self.options) or any(
            typed.options.values()
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all fields there are, options included, in the order of the page."""
        return tuple(self._labels)

    def label(self, name: str) -> str:
        """What a field is called."""
        return self._labels.get(name, name)

    @staticmethod
    def _tidy(question: Question, typed: Typed) -> Mapping[str, str]:
        """What was typed with blank rows left out, as its answer numbers them."""
        fields = fields_of(question)
        try:
            told = spread(fields, gather(fields, typed.inputs))
        except NotUnderstood:
            return typed.inputs
        return dict(islice(told.items(), MOST_FIELDS))

    def _controls(self, fields: Sequence[Field], above: str, *, free: bool) -> Iterator[Control]:
        for field in fields:
            name = f"{above}{field.name}"
            if field.kind == "group":
                yield self._box(
                    field, name, within=tuple(self._controls(field.within, f"{name}.", free=False))
                )
            elif field.kind == "rows":
                yield self._box(field, name, rows=tuple(self._rows(field, name)))
            else:
                yield self._control(field, name, free=free)

    def _rows(self, field: Field, name: str) -> Iterator[tuple[Control, ...]]:
        """The rows that were typed, and one to be filled in where there is none or one is asked."""
        start = f"{name}."
        parts = [t[len(start) :].partition(".")[0] for t in self._typed if t.startswith(start)]
        found = {number for part in parts if (number := whole_number(part)) is not None}
        numbers = sorted(found)[:MOST_ROWS]
        if not numbers or (self._more == name and len(numbers) < MOST_ROWS):
            numbers.append(max(numbers, default=-1) + 1)
        for number in numbers:
            yield tuple(self._controls(field.within, f"{start}{number}.", free=True))

    def _box(self, field: Field, name: str, **inside: Any) -> Control:
        label, error = self._words.label(field.name), self._errors.get(_named(name), "")
        return Control(
            _named(name), field_id(name), field.kind, label, error=error, required=field.required,
            **inside,
        )  # fmt: skip

    def _control(self, field: Field, name: str, *, free: bool) -> Control:
        """A field of one value.  free: in a row, where nothing at all may be typed."""
        value = self._typed.get(name, "")
        return Control(
            _named(name), field_id(name),
            kind="word" if field.kind == "flag" else field.kind,
            label=self._words.label(field.name),
            hint=self._hint(field),
            value=value,
            error=self._errors.get(_named(name), ""),
            required=field.required and field.kind != "flag" and not free,
            whole=field.kind == "number",
            choices=tuple(self._choices(field, value, free=free)),
        )  # fmt: skip

    def _choices(self, field: Field, value: str, *, free: bool) -> Iterator[Choice]:
        words = ("false", "true") if field.kind == "flag" else field.words
        if not words:
            return
        unset = field.default in (msgspec.UNSET, None)
        standing = "" if unset else _plain(field.default)
        chosen = value or ("" if free else standing)
        if free or field.default is None or (unset and field.kind != "flag"):
            yield Choice("", self._blank(field), chosen == "")
        for word in words:
            if field.kind == "flag":
                yield Choice(word, self._say(f"forms.{word}"), chosen == word)
            else:
                yield Choice(word, self._words.value(field.name, word), chosen == word)
        if value and value not in words:
            yield Choice(value, value, chosen=True)

    def _blank(self, field: Field) -> str:
        """What it says where nothing is chosen."""
        if field.required:
            return str(self._say("consult.choose"))
        standing = field.default if field.default is None else self._standing(field)
        return str(self._say("consult.standing", standing=standing))

    def _standing(self, field: Field) -> str:
        return self._words.value(field.name, field.default) if _plain(field.default) else ""

    def _hint(self, field: Field) -> str:
        """What may be typed, where the field does not show it, and what stands for nothing."""
        parts = []
        if field.kind == "number" and field.shape != "N":
            low, _, high = field.shape.partition("..")
            parts.append(self._say("consult.bounds", low=low, high=high))
        elif field.kind == "free":
            parts.append(self._say("consult.shape", shape=shape_said(field.shape, self._say)))
        elif field.kind == "list":
            words = field.shape.strip("[]").partition(",")[0]
            parts.append(self._say("consult.list", shape=words if "|" in words else ""))
        if not field.required and field.kind not in {"word", "flag"}:
            parts.append(self._say("consult.standing", standing=self._standing(field)))
        return " ".join(parts)

    def _options(self, system: System, question: Question, typed: Typed) -> Iterator[Control]:
        known = options_read(question.rule)
        for choice in known:
            said = variant(system, choice, self._words.lang)
            name = f"{OPTION}{choice.name}"
            value = typed.options.get(choice.name, "")
            choices = [Choice(v, words, (value or said.default) == v) for v, words in said.values]
            if value and said.values and value not in dict(said.values):
                choices.append(Choice(value, value, chosen=True))
            bounds = self._say("consult.bounds", low=str(said.low), high=str(said.high))
            yield Control(
                name, field_id(name),
                kind="number" if said.number else "word",
                label=said.title,
                hint=bounds if said.number else "",
                value=value or (said.default if said.number else ""),
                error=self._errors.get(name, ""),
                whole=said.number,
                choices=tuple(choices),
            )  # fmt: skip


def _all(controls: Sequence[Control]) -> Iterator[Control]:
    for control in controls:
        yield control
        yield from _all(control.within)
        for row in control.rows:
            yield from _all(row)


def field_id(name: str) -> str:
    """The id of a field in the page."""
    return "f-" + re.sub(r"[^A-Za-z0-9]+", "-", name.removeprefix(INPUT))


def _plain(value: Any) -> str:
    """A default as it would be typed; "" for nothing at all."""
    if value is None or value in ((), []):
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def shape_said(shape: str, say: Any) -> str:
    """What may be typed, from the notation of the command line to words."""
    if shape.startswith("{"):
        return shape
    said = []
    for way in shape.split("|"):
        low, dots, high = way.partition("..")
        if way == "N" or (dots and not low.startswith("[")):
            said.append(str(say("consult.whole", low=low if dots else "", high=high)))
        else:
            said.append(str(say("consult.words")) if way.startswith("[…") else way)
    return f" {say('consult.or')} ".join(said)


# Refusals ----------------------------------------------------------------------------------------


def faults_in(system: System, question: Question, typed: Typed) -> list[Refusal]:
    """Everything that is wrong with what was typed, of its inputs, options and dice.

    None of it where the whole is refused, as too much at once is, nor what the rule itself refuses.
    """
    fields = fields_of(question)
    unread = [name for name, text in typed.inputs.items() if not _reads(fields, name, text)]
    found: list[Refusal] = [
        NotUnderstood("consult.json", rule=question.rule, part=name) for name in unread
    ]
    inputs = {name: text for name, text in typed.inputs.items() if name not in unread}
    wrong = faults_of(question, gather(fields, inputs))
    found += [each for each in wrong if each.part not in unread]
    for name, text in typed.options.items():
        if text:
            try:
                system.options_from({name: whole(text) if is_whole(text) else text})
            except Refusal as refusal:
                found.append(refusal)
    try:
        faces_typed(typed.dice)
    except Refusal as refusal:
        found.append(refusal)
    return found


def _reads(fields: Sequence[Field], name: str, text: str) -> bool:
    try:
        gather(fields, {name: text})
    except NotUnderstood:
        return False
    return True


def places(refusal: Refusal, names: set[str]) -> list[str]:
    """The names of the fields that a refusal concerns; none where it concerns the whole."""
    if refusal.kind == "dice" or refusal.code.startswith("dice.") or "dice" in refusal.code:
        return ["dice"]
    if refusal.code.startswith("option."):
        wanted = [f"{OPTION}{refusal.data.get('name', refusal.part)}"]
    else:
        wanted = [_named(re.sub(r"\[(\d+)\]", r".\1", part)) for part in refusal.part.split(", ")]
    found = []
    for name in wanted:
        while name and name not in names:
            name = name.rpartition(".")[0]
        found += [name] if name else []
    return found
