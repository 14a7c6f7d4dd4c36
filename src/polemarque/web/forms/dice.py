"""Dice thrown on a table, typed into a form."""

from __future__ import annotations

from polemarque.kernel.dice import Faces, Roll
from polemarque.kernel.errors import DiceRefused
from polemarque.report.order_forms.typed_answers import roll_typed
from polemarque.web.forms.fields import Dice, Form
from polemarque.web.forms.input_names import Posted, normal
from polemarque.web.forms.read_form import Sealed, Unfinished
from polemarque.web.forms.widgets import Speaker, say

NAMED = "dice"
"""The name of the input."""

SHOWN, LONGEST = 12, 20_000
"""Dice in the example; characters that are read."""


def dice_form(roll: Roll, words: Speaker, posted: Posted | None = None) -> Form:
    """The form in which the faces of a roll are typed."""
    return _form(roll, words, _typed(posted or {}), "")


def read_dice(roll: Roll, words: Speaker, posted: Posted) -> Sealed | Unfinished:
    """The faces that were typed (`Sealed.value`, a `Faces`), or the form again with the refusal."""
    typed = _typed(posted)
    try:
        fell: Faces = roll_typed(roll, typed)
    except DiceRefused as refusal:
        return Unfinished(_form(roll, words, typed, words.refusal(refusal)))
    return Sealed(fell)


def _typed(posted: Posted) -> str:
    return " ".join(normal(posted, NAMED).get(NAMED, ()))[:LONGEST]


def _form(roll: Roll, words: Speaker, typed: str, error: str) -> Form:
    example = " ".join([str(n % roll.sides + 1) for n in range(2, 2 + min(roll.count, SHOWN))])
    if roll.count > SHOWN:
        example = f"{roll.count - 2}x{roll.sides - 1} 2x{roll.sides}"
    hint = say(words, "forms.dice", count=roll.count, sides=roll.sides, example=example)
    label = say(words, "forms.faces")
    field = Dice(name=NAMED, label=label, hint=hint, error=error, typed=typed)
    return Form(
        name=NAMED, items=(field,), sheet=False, complete=True,
        notice=say(words, "forms.refused", n=1) if error else "", send=say(words, "forms.send"),
    )  # fmt: skip
