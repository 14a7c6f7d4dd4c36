"""Checks of a set-up file: of the map and the army catalogue that it holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from polemarque.api.checkers import held
from polemarque.api.files import Finding, in_order
from polemarque.systems.atlantide.setup.catalogue_checks import content_faults
from polemarque.systems.atlantide.setup.island import island_faults
from polemarque.systems.atlantide.setup.opening import Setup

_FIELDS = frozenset([field.encode_name for field in msgspec.structs.fields(Setup)])
_MAP = frozenset(["territory", "kingdom"])
_CATALOGUE = frozenset(["units", "people", "mercenaries"])


def setup_faults(content: Mapping[str, Any], file: str, text: str) -> tuple[Finding, ...] | None:
    """What is wrong with the map and the catalogue of a set-up; None if it holds neither.

    Whatever else it gives is refused when the campaign begins, by the variants that are chosen.
    """
    island, lists = held(content, "map", _MAP), held(content, "catalogue", _CATALOGUE)
    if not content.keys() <= _FIELDS or not (island or lists):
        return None
    findings: list[Finding] = []
    if island:
        findings += island_faults(island, file, text, ("map",))
    if lists:
        findings += content_faults(lists, file, text, ("catalogue",))
    return in_order(findings)
