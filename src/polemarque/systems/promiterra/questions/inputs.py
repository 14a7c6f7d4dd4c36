"""What all questions of consult have in common: how their inputs are read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

Options = Mapping[str, Any]

Count = Annotated[int, msgspec.Meta(ge=0)]
"""A whole number from 0."""

Name = Annotated[str, msgspec.Meta(min_length=1)]
"""A name, whatever it is: only not none at all."""

Attack = Annotated[int, msgspec.Meta(ge=0, le=6)]
Defence = Annotated[int, msgspec.Meta(ge=0, le=5)]
"""Statistics within their limits (PR-1.6)."""

Fort = Annotated[int, msgspec.Meta(ge=0, le=4)]
"""A level of fortification, 0 for none (PR-2.3)."""


class Inputs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every question's inputs have in common: nothing unknown is accepted."""
