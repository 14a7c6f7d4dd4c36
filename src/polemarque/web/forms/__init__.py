"""Questions as forms: one widget for each kind of option, the same for every system.

`form_of` makes of the options of a question, and of what somebody has typed so far, plain data that
the templates under ``forms/`` render.  `read_form` reads what was sent: the answer, or the same
form again with everything typed kept and each refusal beside its part.  `read_dice` does so for
dice thrown on a table, and `posted_of` gives what a form with that answer would send.  Nothing here
knows Django, nor any system.
"""

from polemarque.web.forms.dice import dice_form, read_dice
from polemarque.web.forms.fields import Form
from polemarque.web.forms.prefill import posted_of
from polemarque.web.forms.read_form import Sealed, Unfinished, draft_of, form_of, read_form

__all__ = [
    "Form",
    "Sealed",
    "Unfinished",
    "dice_form",
    "draft_of",
    "form_of",
    "posted_of",
    "read_dice",
    "read_form",
]
