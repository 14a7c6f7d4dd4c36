"""What all questions of the campaign that can be asked alone have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

Options = Mapping[str, Any]
"""The campaign's options, by name."""

Count = Annotated[int, msgspec.Meta(ge=0)]
"""A whole number from 0."""


class Inputs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every question's inputs have in common: nothing unknown is accepted."""
