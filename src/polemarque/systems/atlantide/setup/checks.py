"""Checks of a set-up file: of the map and the army catalogue that it holds; and of scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from polemarque.api import Refusal, convert
from polemarque.api.checkers import held
from polemarque.api.files import Datum, Finding, Lines, in_order
from polemarque.systems.atlantide.setup.catalogue_checks import content_faults
from polemarque.systems.atlantide.setup.island import island_faults
from polemarque.systems.atlantide.setup.opening import Setup, begin
from polemarque.systems.atlantide.setup.options import SEATS

_FIELDS = frozenset([field.encode_name for field in msgspec.structs.fields(Setup)])
_MAP = frozenset(["territory", "kingdom"])
_CATALOGUE = frozenset(["units", "people", "mercenaries"])


class _Scenario(Setup, frozen=True, kw_only=True):
    """A set-up with what a game has if nobody chooses: its seats, and its last turn (0: none)."""

    seats: Annotated[int, msgspec.Meta(ge=2, le=len(SEATS))]
    turns: Annotated[int, msgspec.Meta(ge=0)] = 0


def scenario_faults(content: Mapping[str, Any], file: str, text: str) -> tuple[Finding, ...] | None:
    """What is wrong with a file of scenarios, which all say their seats; None for another file.

    Code: ``atlantide.scenario`` (misread, part, legal), of one with which no campaign can begin.
    """
    if not content or not all(isinstance(e, dict) and "seats" in e for e in content.values()):
        return None
    findings, lines = [], Lines(text)
    for name, each in content.items():
        try:
            scenario = convert(each, _Scenario)
            begin(scenario, SEATS[: scenario.seats], {})
        except (msgspec.ValidationError, Refusal) as fault:
            part, legal = (fault.part, fault.legal) if isinstance(fault, Refusal) else ("", ())
            data: dict[str, Datum] = {"misread": str(fault), "part": part}
            data["legal"] = ", ".join(legal)
            findings.append(Finding(file, lines.of(name), name, "atlantide.scenario", data))
    return in_order(findings)


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
