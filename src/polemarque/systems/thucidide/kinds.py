"""Kinds of units (TH-F3): what a scenario names, and what is read from data/units.toml."""

from __future__ import annotations

import msgspec

from polemarque.kernel.conversion import convert
from polemarque.systems.thucidide.figures import Arm, Figures, Weight
from polemarque.systems.thucidide.tables import document


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of unit; the fields are explained in data/units.toml."""

    name: dict[str, str]
    arm: Arm
    weight: Weight
    shooting: int = 0
    reach: int = 0
    assault: int = 0
    melee: int = 0
    elements: int | None = None
    dismounted: str = ""
    formations: tuple[str, ...] = ()

    def figures(self, key: str) -> Figures:
        """What a unit of this kind is worth."""
        return Figures(
            key, self.arm, self.weight, self.shooting, self.reach, self.assault, self.melee
        )


KINDS = convert(document("units.toml")["kind"], dict[str, Kind])
"""Every kind we ship, by its key."""

ELEMENTS = convert(document("units.toml")["elements"], dict[Arm, int])
"""Elements a unit begins with, by its arm."""


def elements_of(kind: Kind) -> int:
    """Elements a unit of that kind begins with."""
    return ELEMENTS[kind.arm] if kind.elements is None else kind.elements
