"""A player with an order form in front of him: he fills in the blanks and sends it back."""

from __future__ import annotations

import re
from typing import Any

from polemarque.report.game_words import Words
from polemarque.report.order_forms.form import At, OrderForm, filled
from polemarque.report.order_forms.paper import BLANK, MORE, listed, part_code
from polemarque.report.order_forms.typed_answers import answer_typed


def typed_answers(form: OrderForm, value: Any, words: Words) -> dict[At, str]:
    """What he types for each part of an answer, parts that the form did not foresee too."""
    parts = {part.at: part for part in form.parts}
    typed: dict[At, str] = {}

    def answer(at: At, options: Any) -> Any:
        said = value
        for name in at:
            said = said[name]
        numbers = listed(parts[at], words) if at in parts else ()
        typed[at] = answer_typed(options, said, words, numbers)
        return said

    filled(form.options, answer)
    return typed


def fill_in(paper: str, form: OrderForm, typed: dict[At, str]) -> str:
    """The paper, in whatever format, with every blank of an answered part filled in."""
    left, numbers = dict(typed), {part.number: part.at for part in form.parts if part.number}
    lines = []
    for line in paper.split("\n"):
        number = re.match(r"(\d+(?:/\w+)?)[.: ].*" + re.escape(BLANK), line)
        at = numbers.get(number.group(1)) if number else None
        if at is not None and at in left:
            line = line.replace(BLANK, left.pop(at).replace("\n", f"\n{MORE} "))
        if re.match(rf"=== {form.code}\b", line):
            called = {at: number for number, at in numbers.items()}
            lines += [
                f"{called.get(at) or part_code(at)}: {said}" for at, said in left.items() if at
            ]
        lines.append(line)
    return "\n".join(lines)
