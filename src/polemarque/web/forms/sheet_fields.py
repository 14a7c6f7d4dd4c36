"""A sheet as fields: filled part by part as far as it goes, long ones in groups."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any

import msgspec
from msgspec import UNSET

from polemarque.kernel.errors import Refusal
from polemarque.kernel.files.sentence_templates import in_line
from polemarque.kernel.request import Amount, Options, SeveralOf, Sheet
from polemarque.report.order_forms.told_answers import Answered, about, by_place, dispatch
from polemarque.report.order_forms.typed_answers import cost_of, fact_at
from polemarque.web.forms.fields import Counted, Field, Group, Item, Number, Radios, Told, Within
from polemarque.web.forms.input_names import OTHER, part_name
from polemarque.web.forms.widgets import Filled, Slot, Widgets, say

SHORT = 8
"""A sheet of no more parts than this is shown without groups."""

LONG = 24
"""Of a sheet with more parts than this, groups in which nothing presses are folded away."""

ALIKE = 3
"""At least this many parts alike, one after another, make a group."""

MANY = "…"
"""Stands for the unit, place or number that the label of each part of a group names."""

Typed = Mapping[str, tuple[str, ...]]


class Filling:
    """Fills the fields of one form, and knows which of what was typed it has used."""

    def __init__(self, widgets: Widgets, typed: Typed) -> None:
        self._widgets = widgets
        self._typed = typed
        self._used: set[str] = set()

    def question(self, options: Options, name: str, label: str, default: Any) -> Filled:
        """The whole question, a sheet as one field `Within`."""
        return self._fill(options, self._slot(name, label, default, lone=True))

    def kept(self) -> tuple[tuple[str, str], ...]:
        """What was typed for parts that are not there at present."""
        left = [each for each in self._typed.items() if each[0] not in self._used]
        return tuple([(name, value) for name, values in left for value in values])

    def _slot(self, name: str, label: str, default: Any, *, lone: bool = False) -> Slot:
        self._used |= {name, name + OTHER}
        return Slot(
            name=name, label=label, typed=self._typed.get(name),
            other=next(iter(self._typed.get(name + OTHER, ())), ""), default=default, lone=lone,
        )  # fmt: skip

    def _fill(self, options: Options, slot: Slot) -> Filled:
        if isinstance(options, Sheet):
            return self._sheet(options, slot)
        return self._widgets.fill(options, slot)

    def _sheet(self, sheet: Sheet, slot: Slot) -> Filled:
        """The parts of a sheet, up to the first that has no answer yet; and of those behind it,
        which go on from its quietest answer, what somebody has filled in already.
        """
        default = slot.default if isinstance(slot.default, dict) else {}
        parts: dict[str, Field] = {}
        answered: list[Answered] = []
        sent, full = True, True
        filling = sheet.fill()
        with suppress(StopIteration):
            part, options = next(filling)
            while True:
                name = part_name(slot.name, part)
                if full or self._seen(name):
                    label = _capital(self._widgets.speaker.part(part))
                    usual = options.quiet() if sheet.proposes else UNSET
                    proposed = default.get(part, usual)
                    if callable(proposed):
                        proposed = proposed(options)
                    filled = self._fill(options, self._slot(name, label, proposed))
                    parts[part] = filled.field
                    sent, value = sent and filled.sent, filled.value
                else:
                    value = UNSET
                if value is UNSET:
                    full, value = False, options.quiet()
                else:
                    answered.append(Answered(part, options, value))
                part, options = filling.send(value)
        given = {one.part: one.value for one in answered}
        robbed = False
        if sheet.purse is not None:
            parts = {part: self._roomy(sheet, answered, part, one) for part, one in parts.items()}
            parts, robbed = self._with_unpaid(sheet, slot, parts, answered, told=full)
        field = self._within(slot, parts, sheet, answered)
        if full and not robbed:
            told = tuple([self._widgets.speaker.fact(one) for one in sheet.remarks(given)])
            return Filled(msgspec.structs.replace(field, remarks=told), given, sent=sent)
        return Filled(field, UNSET, sent=False)

    def _seen(self, name: str) -> bool:
        return name in self._typed or any(one.startswith(f"{name}/") for one in self._typed)

    def _with_unpaid(
        self, sheet: Sheet, slot: Slot, parts: Mapping[str, Field], answered: Sequence[Answered],
        *, told: bool,
    ) -> tuple[dict[str, Field], bool]:  # fmt: skip
        """The parts with those that the purse pays no more, and whether one of them was chosen.

        told: also those of which nothing was chosen.
        """
        assert sheet.purse is not None
        held, speaker = sheet.purse(), self._widgets.speaker
        left = held.holds - held.due - sum([cost_of(one.options, one.value) for one in answered])
        found, robbed = list(parts.items()), False
        offered = dict(sheet.quietly())
        for part in reversed([part for part in offered if part not in parts]):
            options, name = offered[part], part_name(slot.name, part)
            label = _capital(speaker.part(part))
            filled = self._widgets.fill(
                options, Slot(name=name, label=label, typed=self._typed.get(name))
            )
            chosen = filled.value not in (UNSET, options.quiet())
            costs = _price(options, filled.value) if chosen else _cheapest(options)
            if costs <= left or not (told or chosen):
                continue
            said = say(speaker, "forms.unpaid", price=costs, left=left)
            field: Field = Told(name=name, label=label, said=said, values=())
            if chosen:
                robbed, field = True, _unpaid(filled.field, said)
                self._used.add(name)
            after = list(offered)[list(offered).index(part) + 1 :]
            at = [n for n, (other, _) in enumerate(found) if other in after]
            found.insert(at[0] if at else len(found), (part, field))
        return dict(found), robbed

    def _roomy(self, sheet: Sheet, answered: Sequence[Answered], part: str, field: Field) -> Field:
        """A number with no more than leaves enough for what is chosen after it."""
        if not isinstance(field, Number) or not field.costs:
            return field
        given = {one.part: one.value for one in answered}
        if part not in given:
            return field
        after = answered[list(given).index(part) + 1 :]
        if not any([cost_of(one.options, one.value) for one in after]):
            return field
        idle = [one.part for one in after if one.value == one.options.quiet()]
        given = {each: value for each, value in given.items() if each not in idle}
        amounts = range(given[part], field.most + 1, field.step)
        fits = bisect_left(amounts, True, 1, key=lambda n: not _stands(sheet, {**given, part: n}))
        if fits == len(amounts):
            return field
        most = amounts[fits - 1]
        hint = say(self._widgets.speaker, "forms.room", most=most)
        return msgspec.structs.replace(field, most=most, hint=hint)

    def _within(
        self, slot: Slot, parts: Mapping[str, Field], sheet: Sheet, answered: Sequence[Answered]
    ) -> Within:
        order = by_place(sheet, parts, self._widgets.speaker)
        parts = {part: parts[part] for part in order}
        answered = sorted(answered, key=lambda one: order.index(one.part))
        parted = [field.said for field in parts.values() if field.said]
        said = in_line(parted, self._widgets.speaker.lang)
        items = tuple(self._groups(parts)) if len(parts) > SHORT else tuple(parts.values())
        purse = None
        if sheet.purse is not None:
            held = sheet.purse()
            named = self._widgets.label("purse", held.named)
            words = {
                key: say(self._widgets.speaker, f"forms.purse.{key}")
                for key in ("due", "spent", "left")
            }
            spent = sum([cost_of(one.options, one.value) for one in answered])
            purse = Counted(named, words, held.holds, held.due, spent)
        return Within(
            name=slot.name, label=slot.label, said=said or MANY, items=items, purse=purse,
            dispatch=dispatch(answered, self._widgets.speaker) if slot.lone else "",
        )  # fmt: skip

    # Groups --------------------------------------------------------------------------------------

    def _groups(self, parts: Mapping[str, Field]) -> Iterator[Item]:
        """Parts about one thing together (``kind.A role.A``), and alike (``unit.1 unit.2``)."""
        folded = len(parts) > LONG
        bunched = [list(each) for _, each in groupby(parts, about)]
        for head, run in groupby(
            bunched, lambda each: each[0].split(".")[0] if len(each) == 1 else None
        ):
            bunches = list(run)
            if head is None:
                for names in bunches:
                    yield self._group(names, parts, self._whose(names), folded=folded)
            elif "." in bunches[0][0] and len(bunches) >= ALIKE:
                label = _capital(self._widgets.speaker.part(f"{head}.{MANY}"))
                names = [each[0] for each in bunches]
                yield self._group(names, parts, label, folded=folded)
            else:
                yield from (parts[each[0]] for each in bunches)

    def _group(
        self, names: Sequence[str], parts: Mapping[str, Field], legend: str, *, folded: bool
    ) -> Group:
        fields = [parts[name] for name in names]
        said = ", ".join([field.said for field in fields if field.said])
        return Group(
            name=f"{fields[0].name}-group", legend=legend, said=said, items=tuple(fields),
            opened=not folded or any([field.pressing for field in fields]),
        )  # fmt: skip

    def _whose(self, names: Sequence[str]) -> str:
        """What the parts of a group are about: a seat, a unit, a place; else what the first is."""
        speaker, (head, _, tail) = self._widgets.speaker, names[0].partition(".")
        return _capital(speaker.whose(head, tail) or speaker.part(names[0]))


def _stands(sheet: Sheet, given: Mapping[str, Any]) -> bool:
    """Whether a sheet still asks for all that is given, and takes it."""
    try:
        asked = sheet.filled(
            lambda part, options: options.take(given[part]) if part in given else options.quiet()
        )
    except Refusal:
        return False
    return given.keys() <= asked.keys()


def _price(options: Options, value: Any) -> int:
    """What an answer costs, or, where that follows from parts behind it, costs at least."""
    values = value if isinstance(options, SeveralOf) else (value,)
    facts = [fact for one in values if (fact := fact_at(options, one)) is not None]
    return sum([fact.costs or fact.data.get("price", 0) for fact in facts])


def _cheapest(options: Options) -> int:
    """The least that anything of a part costs; 0 where nothing of it costs anything."""
    if isinstance(options, Amount):
        prices = [_price(options, options.least + options.step)]
    elif isinstance(options, SeveralOf):
        prices = [_price(options, (word,)) for word in options.words]
    else:
        prices = []
    return min(prices, default=0)


def _unpaid(field: Field, said: str) -> Field:
    """The field of what was chosen and cannot be paid: it can be taken back, and costs nothing."""
    if isinstance(field, Number):
        most = max(field.least, int(field.typed))
        field = msgspec.structs.replace(field, most=most, costs=())
    elif isinstance(field, Radios):
        free = tuple([msgspec.structs.replace(one, costs=0) for one in field.choices])
        field = msgspec.structs.replace(field, choices=free)
    return msgspec.structs.replace(field, hint="", said="", note="", error=said)


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:]


def blamed(items: Sequence[Item], part: str, error: str) -> tuple[tuple[Item, ...], bool]:
    """The fields with an error beside that part, and whether it is there."""
    changed: list[Item] = []
    found = False
    for item in items:
        if not found and isinstance(item, (Group, Within)):
            inside, found = blamed(item.items, part, error)
            item = msgspec.structs.replace(item, items=inside)
            if found and isinstance(item, Group):
                item = msgspec.structs.replace(item, opened=True)
        elif not found and isinstance(item, Field) and item.name.endswith(part_name("", part)):
            found = True
            item = msgspec.structs.replace(item, error=error, note="")
        changed.append(item)
    return tuple(changed), found
