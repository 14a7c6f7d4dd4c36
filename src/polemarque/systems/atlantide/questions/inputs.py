"""What all questions of consult have in common: how their inputs are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

Options = Mapping[str, Any]
Count = Annotated[int, msgspec.Meta(ge=0)]
"""A whole number from 0."""

Leadership = int | Literal["none"]
"""The general's Leadership, or "none" without a general."""


class Inputs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every question's inputs have in common: nothing unknown is accepted."""


def leadership_of(given: Leadership) -> int | None:
    """The Leadership as the sums read it: None without a general."""
    return None if given == "none" else given
