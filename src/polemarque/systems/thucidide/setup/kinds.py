"""Kinds of units (TH-F3): what a scenario names, and what is read from data/units.toml."""

from __future__ import annotations

from typing import Annotated

import msgspec

from polemarque.api import convert
from polemarque.systems.thucidide.figures import Arm, UnitFigures, Weight
from polemarque.systems.thucidide.tables import document

Factor = Annotated[int, msgspec.Meta(le=999)]


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of unit; the fields are explained in data/units.toml."""

    name: dict[str, str]
    arm: Arm
    weight: Weight
    shooting: Factor = 0
    reach: Factor = 0
    assault: Factor = 0
    melee: Factor = 0
    elements: Factor | None = None
    dismounted: str = ""
    formations: tuple[str, ...] = ()

    def figures(self, key: str) -> UnitFigures:
        """What a unit of this kind is worth."""
        return UnitFigures(
            key, self.arm, self.weight, self.shooting, self.reach, self.assault, self.melee
        )


KINDS = convert(document("units.toml")["kind"], dict[str, Kind])
"""Every kind we ship, by its key."""

ELEMENTS = convert(document("units.toml")["elements"], dict[Arm, int])
"""Elements a unit begins with, by its arm."""


def elements_of(kind: Kind) -> int:
    """Elements a unit of that kind begins with."""
    return ELEMENTS[kind.arm] if kind.elements is None else kind.elements
