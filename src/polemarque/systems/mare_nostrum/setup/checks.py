"""Checks of a set-up file: of the map and the army lists that it holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from polemarque.api.checkers import held
from polemarque.api.files import Finding
from polemarque.systems.mare_nostrum.setup import army_list_checks, atlas_checks
from polemarque.systems.mare_nostrum.setup.army_lists import read_lists
from polemarque.systems.mare_nostrum.setup.opening import Setup

_FIELDS = frozenset([field.encode_name for field in msgspec.structs.fields(Setup)])
_MAP = frozenset(["province", "zone"])
_LISTS = frozenset(army_list_checks.FIELDS)


def setup_faults(content: Mapping[str, Any], file: str, text: str) -> tuple[Finding, ...] | None:
    """What is wrong with the lists of a set-up, else with its map; None if it holds neither.

    Whatever else it gives is refused when the campaign begins, by the variants that are chosen.
    """
    atlas, lists = held(content, "map", _MAP), held(content, "lists", _LISTS)
    if not content.keys() <= _FIELDS or not (atlas or lists):
        return None
    if lists:
        findings = army_list_checks.content_faults(lists, file, text, ("lists",))
        if findings or not atlas:
            return findings
    own = read_lists(lists) if lists else None
    return atlas_checks.content_faults(atlas, own, file, text, ("map",))
