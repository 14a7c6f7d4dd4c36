"""Batailles classiques (BC): two sides, phase after phase, until one leaves the field."""

from __future__ import annotations

import tomllib
from operator import attrgetter

from polemarque.api import System
from polemarque.systems.batailles import (  # noqa: F401  (they register their rules)
    after,
    lent_priests,
    phase,
    unit_losses,
    views,
)
from polemarque.systems.batailles.adjust import adjust, faults
from polemarque.systems.batailles.consult import QUESTIONS
from polemarque.systems.batailles.options import CHOICES
from polemarque.systems.batailles.past import edition_2026_11  # noqa: F401  (rules)
from polemarque.systems.batailles.setup import Setup, begin, check
from polemarque.systems.batailles.state import Battle
from polemarque.systems.batailles.tables import DATA

SYSTEM = System(
    name="batailles",
    edition="2026-11.2",
    past=("2026-11",),
    titles={"fr": "Batailles classiques", "en": "Classical battles"},
    seats=("A", "B"),
    least=2,
    options=CHOICES,
    state=Battle,
    setup=Setup,
    begin=begin,
    period=attrgetter("phase"),
    view=views.view,
    standing=views.standing,
    data=DATA,
    bots=("polemarque.bots.batailles",),
    kernels="polemarque.odds.batailles",
    drawings=("polemarque.report.systems.batailles_pictures",),
    scenarios=tomllib.loads((DATA / "scenarios.toml").read_text(encoding="utf-8")),
    adjust=adjust,
    faults=faults,
    questions=QUESTIONS,
    check=check,
    names=views.names,
    own_names=views.own_names,
    asked_with=views.asked_with,
    thrower=views.thrower,
    supposed=views.supposed,
    conditions=views.conditions,
    public_items=frozenset("*"),
)
