"""A question as a form, and the form that was sent as an answer.

A sheet is always as full as can be, so without any script two buttons are enough: one works the
sheet out with what was typed so far, the other seals.  Sealed is only what was seen: a form in
which a part is new, changed or refused comes back, and nothing of it has been taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Protocol

import msgspec
from msgspec import UNSET

from polemarque.kernel.errors import Refusal
from polemarque.kernel.request import Options, Sheet
from polemarque.web.forms.fields import Fault, Field, Form, Group, Item, Radios, Within
from polemarque.web.forms.input_names import Posted, normal
from polemarque.web.forms.sheet_fields import Filling, blamed
from polemarque.web.forms.widgets import Filled, Speaker, Widgets, say

NAMED = "a"
"""The name of a form's inputs, where a page has one form only."""


class Sealed(msgspec.Struct, frozen=True):
    """A form that was read: its answer, as the options took it."""

    value: Any


class Unfinished(msgspec.Struct, frozen=True):
    """A form that could not be read: the same again, with what is to be looked at."""

    form: Form


class Many(Protocol):
    """What was posted, as Django has it (`QueryDict`)."""

    def lists(self) -> Any:
        """Pairs of a name and the list of its values."""
        ...


def draft_of(posted: Many, named: str = NAMED) -> dict[str, list[str]]:
    """What was typed into a form, as plain data to be kept."""
    typed = {name: [str(value) for value in values] for name, values in posted.lists()}
    return {name: list(values) for name, values in normal(typed, named).items()}


def form_of(
    options: Options, words: Speaker, *, draft: Posted | None = None, default: Any = None,
    named: str = NAMED, label: str = "", places: Collection[str] = (),
) -> Form:  # fmt: skip
    """The form of a question.

    words:   of the game and the question (`report.words.Words`).
    draft:   what was typed so far, by the names of the inputs.
    default: what the rules answer for an absent player (`Request.absent`).
    named:   how the names of the inputs begin, where a page has several forms.
    label:   what is asked, for a question that is no sheet.
    places:  codes of the places on the map or board that is shown beside it.
    Raises TypeError on a kind of option that the kernel does not know.
    """
    filling = Filling(Widgets(words, places, strict=False), normal(draft or {}, named))
    filled = filling.question(options, named, label or say(words, "forms.answer"), default)
    return _form(filled, filling, words, options, notice="forms.look")


def read_form(
    options: Options, words: Speaker, posted: Posted, *, default: Any = None,
    named: str = NAMED, label: str = "", places: Collection[str] = (),
) -> Sealed | Unfinished:  # fmt: skip
    """The answer that was sent, or the form again.  For the rest see `form_of`.

    It is sealed only if the sheet is complete and every part of it was sent and is legal as it was
    sent.  `Options.take` is the last judge.
    """
    widgets = Widgets(words, places, strict=True)
    filling = Filling(widgets, normal(posted, named))
    filled = filling.question(options, named, label or say(words, "forms.answer"), default)
    if filled.sent and filled.value is not UNSET:
        try:
            return Sealed(options.take(filled.value))
        except Refusal as refusal:
            filled = _refused(filled, refusal, words)
    return Unfinished(_form(filled, filling, words, options, notice="forms.refused"))


def _refused(filled: Filled, refusal: Refusal, words: Speaker) -> Filled:
    """The form with a refusal of the whole beside the part it concerns, or beside everything."""
    said, field = words.refusal(refusal), filled.field
    if isinstance(field, Within):
        items, found = blamed(field.items, str(refusal.data.get("in_part", "")), said)
        if found:
            return Filled(msgspec.structs.replace(field, items=items), filled.value, sent=False)
    return Filled(msgspec.structs.replace(field, error=said), filled.value, sent=False)


def _form(
    filled: Filled, filling: Filling, words: Speaker, options: Options, *, notice: str
) -> Form:
    """The form of what was filled.  `notice`: the text for answers that are to be looked at."""
    field, complete = filled.field, filled.value is not UNSET
    items: tuple[Item, ...] = field.items if isinstance(field, Within) else (field,)
    pressing = [each for each in _fields(items) if each.error or each.note]
    errors = [each for each in pressing if each.error]
    if isinstance(field, Within) and field.error:
        told = field.error
    elif errors:
        told = say(words, notice, n=len(errors))
    else:
        told = say(words, "forms.grown") if pressing else ""
    sheet = isinstance(options, Sheet)
    faults = [
        Fault(each.name, say(words, "forms.fault", where=each.label, said=each.error or each.note))
        for each in pressing
        if sheet
    ]
    return Form(
        name=field.name, items=items, sheet=sheet, complete=complete, kept=filling.kept(),
        purse=field.purse if isinstance(field, Within) else None,
        dispatch=field.dispatch if isinstance(field, Within) else "",
        remarks=field.remarks if isinstance(field, Within) else (),
        fields=say(words, "forms.fields"), terms=tuple(words.terms(_written(field))),
        explains=say(words, "forms.terms"),
        lead="" if items else say(words, "forms.nothing"),
        lead_sealed="" if items else say(words, "forms.nothing_sealed"),
        lacking=_lacking(items, words) if sheet and not complete else "",
        notice=told, faults=tuple(faults),
        work_out=say(words, "forms.work_out" if complete else "forms.next"),
        seal=say(words, "forms.seal"), send=say(words, "forms.send"),
    )  # fmt: skip


def _lacking(items: Sequence[Item], words: Speaker) -> str:
    """What is still to be answered: the first part that has no answer."""
    wanted = next(field for field in _fields(items) if not field.said and field.pressing)
    return say(words, "forms.lacking", what=wanted.label)


ENOUGH = 20
"""Choices of a list in which terms are looked for: the others say the like."""


def _written(item: Item) -> str:
    """What a form says of a question or a part of it, each thing once."""
    said: dict[str, None] = {}
    for field in _fields((item,)):
        said |= dict.fromkeys((field.label, field.said))
        if isinstance(field, Radios):
            some = field.choices[:ENOUGH]
            said |= dict.fromkeys([f"{one.label}. {one.fact}" for one in some])
    label = item.legend if isinstance(item, Group) else item.label
    return ". ".join([label, *said])


def _fields(items: Sequence[Item]) -> Iterator[Field]:
    """All fields, those in groups and in sheets within too."""
    for item in items:
        if isinstance(item, (Group, Within)):
            yield from _fields(item.items)
        else:
            yield item
