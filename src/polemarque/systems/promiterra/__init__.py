"""Promiterra, chapter 6 (PR): wars of armies, troop by troop, on a board."""

from __future__ import annotations

import tomllib
from operator import attrgetter
from typing import Any

from polemarque.kernel.system import System
from polemarque.systems.promiterra import (
    actions,
    declaring,
    deployment,
    duels,
    ending,
    fighting,
    loyalty,
    moving,
    together,
    turn,
    war_actions,
)
from polemarque.systems.promiterra.adjust import adjust, faults
from polemarque.systems.promiterra.checks import check
from polemarque.systems.promiterra.consult import QUESTIONS
from polemarque.systems.promiterra.forms import SEATS, Setup
from polemarque.systems.promiterra.naming import names
from polemarque.systems.promiterra.options import CHOICES
from polemarque.systems.promiterra.setup import begin
from polemarque.systems.promiterra.state import War
from polemarque.systems.promiterra.tables import DATA
from polemarque.systems.promiterra.views import standing, view

CHAPTERS = (
    deployment, turn, war_actions, loyalty, declaring, moving, fighting, together, actions, duels,
    ending,
)  # fmt: skip
"""The modules whose import registers every script and procedure."""

SCENARIOS = ("skirmish", "siege", "coalition", "colossus", "hosts")
"""The shipped set-ups, the first one the default."""


def _scenario(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / "scenarios" / f"{name}.toml").read_text(encoding="utf-8"))


SYSTEM = System(
    name="promiterra",
    edition="2026-11",
    titles={"fr": "Promiterra", "en": "Promiterra"},
    seats=SEATS,
    least=2,
    options=CHOICES,
    state=War,
    setup=Setup,
    begin=begin,
    period=attrgetter("turn"),
    view=view,
    standing=standing,
    data=DATA,
    scenarios={name: _scenario(name) for name in SCENARIOS},
    adjust=adjust,
    faults=faults,
    questions=QUESTIONS,
    check=check,
    names=names,
    public_course=True,
    turns=30,
)
