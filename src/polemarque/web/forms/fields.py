"""What a form is made of, as plain data in the reader's words: the templates only set it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import ClassVar

import msgspec

from polemarque.kernel.files.sentence_templates import figure


class Markup(str):
    """HTML that is set as it stands: whatever a reader wrote in it has been escaped."""

    __slots__ = ()

    def __html__(self) -> Markup:
        """What templates ask of a text that needs no escaping."""
        return self


class Choice(msgspec.Struct, frozen=True, gc=False):
    """One word that can be chosen: its value in the form, what it is called, whether it is.

    fact: what is told of it in advance, "" for nothing.
    way:  codes of the places on the way there, parted by blanks; "" where it is one step or none.
    costs: what it takes from the purse.
    group: under which words a long list has it; "" for none.
    """

    value: str
    label: str
    chosen: bool
    fact: str = ""
    way: str = ""
    costs: int = 0
    group: str = ""


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One answer, or one part of a sheet.

    name:  of its inputs; it is the id of its control, or of the fieldset around several.
    hint:  what is legal.
    error: why what was sent is refused.
    note:  what has been changed, and why.
    said:  the answer in words, as it stands; "" where there is none yet.
    """

    template: ClassVar[str]
    css: ClassVar[str] = "part"

    name: str
    label: str
    hint: str = ""
    error: str = ""
    note: str = ""
    said: str = ""

    @property
    def described(self) -> str:
        """The ids of what describes the control, as ``aria-describedby`` has them."""
        said = {"hint": self.hint, "error": self.error, "note": self.note}
        return " ".join([f"{self.name}-{which}" for which, text in said.items() if text])

    @property
    def pressing(self) -> bool:
        """Whether it must be looked at: something is refused, was changed, or is still asked."""
        return bool(self.error or self.note or not self.said)


class Told(Field, frozen=True, kw_only=True):
    """A part that leaves no choice: told, not asked.  `values` go with the form all the same."""

    template = "forms/told.html"
    css = "part told"
    values: tuple[str, ...] = ("",)


class Radios(Field, frozen=True, kw_only=True):
    """One of few words.  `places`: they are places of the map."""

    template = "forms/radios.html"
    choices: tuple[Choice, ...]
    places: bool = False


class Select(Radios, frozen=True, kw_only=True):
    """One of many words.  `prompt`: said where none is chosen yet.

    best, every: what the first of a list in groups are called, and all of it; "" where it has none.
    """

    template = "forms/select.html"
    prompt: str = ""
    best: str = ""
    every: str = ""

    @property
    def told(self) -> str | None:
        """The fact of what is chosen, which a closed list cuts short; None where none has one."""
        chosen = [choice.fact for choice in self.choices if choice.chosen]
        return "".join(chosen) if any([choice.fact for choice in self.choices]) else None

    @property
    def options(self) -> Markup:
        """All ``<option>`` elements: there are thousands in a page, too many for a template."""
        first = (Choice("", self.prompt, True),) if self.prompt else ()
        grouped = [choice for choice in self.choices if choice.group] if self.best else []
        loose = [choice for choice in self.choices if not (grouped and choice.group)]
        groups = {self.best: [_option(choice, choice.group) for choice in grouped[:BEST]]}
        for choice in grouped[BEST:]:
            groups.setdefault(choice.group, []).append(_option(choice))
        said = [_option(choice) for choice in (*first, *loose)]
        said += [
            f'<optgroup label="{escape(name)}">{"".join(each)}</optgroup>'
            for name, each in groups.items()
            if each
        ]
        return Markup("".join(said))


BEST = 8
"""The first of a long list in groups, which a page shows before the others."""


def _option(choice: Choice, group: str = "") -> str:
    """An ``<option>``.   group: that to which one of the best belongs."""
    chosen = " selected" if choice.chosen else ""
    said, fact = escape(choice.label), escape(choice.fact)
    by = f' data-way="{escape(choice.way)}"' if choice.way else ""
    told = f' data-fact-at="{len(choice.label)}">{said}, {fact}' if fact else f">{said}"
    costs = f' data-costs="{choice.costs}"' if choice.costs else ""
    costs += f' data-group="{escape(group)}"' if group else ""
    return f'<option value="{escape(choice.value)}"{chosen}{by}{costs}{told}</option>'


class Ticks(Radios, frozen=True, kw_only=True):
    """Several words, each with a box.

    every: what ticking all is called; "" where not all may be, or they are few.
    """

    template = "forms/ticks.html"
    every: str = ""

    @property
    def many(self) -> bool:
        """Whether they are set in columns."""
        return len(self.choices) > FEW


class Number(Field, frozen=True, kw_only=True):
    """A whole number, as it was typed; from `least` to `most` by `step`.

    facts: what is told of some numbers.   costs: of each, what it takes from the purse.
    """

    template = "forms/number.html"
    typed: str
    least: int
    most: int
    step: int
    facts: tuple[str, ...] = ()
    costs: tuple[int, ...] = ()
    unit: str = ""
    less: str = ""
    more: str = ""

    @property
    def keys(self) -> str:
        """Which keyboard a telephone shows: that of digits has no minus."""
        return "text" if self.least < 0 else "numeric"


class Way(Select, frozen=True, kw_only=True):
    """A way on the map: to one of the places listed, or typed in full (`typed`, named `other`).

    other: "" where the listed ways are all there is.
    """

    template = "forms/way.html"
    other: str = ""
    other_label: str = ""
    other_hint: str = ""
    typed: str = ""


class Writing(Field, frozen=True, kw_only=True):
    """Free words of at most `most` characters."""

    template = "forms/writing.html"
    typed: str
    most: int

    @property
    def long(self) -> bool:
        """Whether they want more than a line."""
        return self.most > LINE

    @property
    def pressing(self) -> bool:
        """See Field: no words are words too."""
        return bool(self.error or self.note)


class Dice(Field, frozen=True, kw_only=True):
    """The faces of dice thrown on a table, as they were typed."""

    template = "forms/dice.html"
    typed: str


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """Parts of a long sheet that belong together, folded away where nothing presses.

    said: the answers in short, read while it is folded.
    """

    template: ClassVar[str] = "forms/group.html"
    css: ClassVar[str] = "part"

    name: str
    legend: str
    said: str
    items: tuple[Item, ...]
    opened: bool


class Counted(msgspec.Struct, frozen=True):
    """A purse by its name, and what its sheet takes from it as it stands.

    words: what is due, spent and left is called.
    """

    named: str
    words: Mapping[str, str]
    holds: int
    due: int
    spent: int

    @property
    def left(self) -> int:
        """What is left of it."""
        return self.holds - self.due - self.spent

    @property
    def left_told(self) -> str:
        """The same as it is printed."""
        return figure(self.left)


class Within(Field, frozen=True, kw_only=True):
    """A sheet, the whole question or a part of one.

    dispatch: what it orders as it stands, in sentences.   remarks: what is told of it when full.
    """

    template = "forms/within.html"
    items: tuple[Item, ...]
    purse: Counted | None = None
    dispatch: str = ""
    remarks: tuple[str, ...] = ()


Item = Field | Group
"""What stands in a form, in order."""

FEW = 6
"""Words that are shown at once; more of them are a list to open, or set in columns."""

LINE = 100
"""Characters for which one line is enough."""


class Fault(msgspec.Struct, frozen=True):
    """Something to look at in a form, and the id of where it is."""

    at: str
    said: str


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """A question as a form.

    sheet:    its parts follow from each other: it can be worked out before it is sealed.
    complete: every part has an answer.
    kept:     name and value of what was typed for parts that are not there at present.
    lead, lead_sealed: what is said where there is nothing to decide, of an answer that is sealed.
    lacking:  what is still to be answered before it can be sent; "" where nothing is.
    notice:   what is wrong with the form as a whole; "" where nothing is.
    work_out, seal, send: the words on the buttons.
    sure:     of an answer that is asked once more, what it is known by.
    purse:    what pays for it.
    dispatch, remarks: as `Within` has them.
    fields:   what the fields of a sheet are called where they are folded away.
    terms:    terms that stand in it, each with what it means; `explains`: what says so.
    """

    name: str
    items: tuple[Item, ...]
    sheet: bool
    complete: bool
    kept: tuple[tuple[str, str], ...] = ()
    lead: str = ""
    lead_sealed: str = ""
    lacking: str = ""
    notice: str = ""
    faults: tuple[Fault, ...] = ()
    work_out: str = ""
    seal: str = ""
    send: str = ""
    sure: str = ""
    purse: Counted | None = None
    dispatch: str = ""
    remarks: tuple[str, ...] = ()
    fields: str = ""
    terms: tuple[tuple[str, str], ...] = ()
    explains: str = ""
