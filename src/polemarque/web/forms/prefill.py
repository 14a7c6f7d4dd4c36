"""An answer as the form that gives it would send it: to fill a form with what came another way."""

from __future__ import annotations

from typing import Any

from polemarque.kernel.request import OneOf, Options, Path, SeveralOf, Sheet
from polemarque.report.order_forms.told_answers import Speaker
from polemarque.web.forms.input_names import OTHER, STAY, code, part_name
from polemarque.web.forms.paths import way_typed
from polemarque.web.forms.read_form import NAMED


def posted_of(
    options: Options, value: Any, words: Speaker, named: str = NAMED
) -> dict[str, list[str]]:
    """The inputs of a form and what stands in them, for an answer that its options took.

    `read_form` reads that answer from them again.   named: how their names begin.
    """
    if isinstance(options, Sheet):
        fields: dict[str, list[str]] = {}

        def put(part: str, inner: Options) -> Any:
            fields.update(posted_of(inner, value[part], words, part_name(named, part)))
            return value[part]

        options.filled(put)
        return fields
    if isinstance(options, OneOf):
        return {named: [code(value)]}
    if isinstance(options, SeveralOf):
        return {named: ["", *map(code, value)]}
    if isinstance(options, Path):
        if not value or options.ways.get(value[-1]) == value:
            return {named: [code(value[-1]) if value else STAY], named + OTHER: [""]}
        return {named: [""], named + OTHER: [way_typed(options, value, words)]}
    return {named: [str(value)]}
