"""All that is wrong with the inputs of a rule, at once."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import pytest

from polemarque.kernel.system import Question
from polemarque.odds.inputs import MOST, faults_of


class Unit(msgspec.Struct):
    kind: Literal["foot", "horse"]
    ws: Annotated[int, msgspec.Meta(ge=1, le=6)] = 3


def asked(force: int, units: list[Unit], name: str | None = None, ready: bool = False) -> None:
    """Nothing comes of it."""


ASKED = Question("T-1", asked)


@pytest.mark.parametrize(
    ("raw", "places"),
    [
        ({"force": 1, "units": []}, []),
        ({}, ["force, units"]),
        ({"force": "x"}, ["units", "force"]),
        ({"force": "x", "units": [{"kind": "boat", "ws": 9}, {"ws": 0}], "ready": 3},
         ["force", "units[0].kind", "units[0].ws", "units[1].ws", "units[1].kind", "ready"]),
        ({"force": 1, "units": [{"kind": "foot", "wings": 2}], "x": 1}, ["x", "units[0].wings"]),
        ({"force": 1, "units": "none", "name": 4}, ["units", "name"]),
    ],
)  # fmt: skip
def test_each_is_told_once(raw: dict[str, object], places: list[str]) -> None:
    before = str(raw)
    assert sorted(str(fault.part) for fault in faults_of(ASKED, raw)) == sorted(places)
    assert str(raw) == before, "what was given stays as it was"


def test_there_is_an_end() -> None:
    units = [{"kind": "boat"}] * 500
    assert len(faults_of(ASKED, {"force": 1, "units": units})) == MOST
