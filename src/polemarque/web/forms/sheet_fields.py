"""A sheet as fields: filled part by part as far as it goes, long ones in groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any

import msgspec
from msgspec import UNSET

from polemarque.kernel.files.sentence_templates import in_line
from polemarque.kernel.request import Options, Sheet
from polemarque.report.order_forms.told_answers import Answered, about, by_place, dispatch
from polemarque.report.order_forms.typed_answers import cost_of
from polemarque.web.forms.fields import Counted, Field, Group, Item, Within
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
        field = self._within(slot, parts, sheet, answered)
        if full:
            told = tuple([self._widgets.speaker.fact(one) for one in sheet.remarks(given)])
            return Filled(msgspec.structs.replace(field, remarks=told), given, sent=sent)
        return Filled(field, UNSET, sent=False)

    def _seen(self, name: str) -> bool:
        return name in self._typed or any(one.startswith(f"{name}/") for one in self._typed)

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
