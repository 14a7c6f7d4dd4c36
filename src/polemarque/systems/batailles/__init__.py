"""Batailles classiques (BC): two sides, phase after phase, until one leaves the field."""

from __future__ import annotations

import tomllib
from operator import attrgetter

from polemarque.kernel.system import System
from polemarque.systems.batailles import after, phase, priest, sides
from polemarque.systems.batailles.acts import adjust, faults
from polemarque.systems.batailles.checks import check
from polemarque.systems.batailles.consult import QUESTIONS
from polemarque.systems.batailles.options import CHOICES
from polemarque.systems.batailles.setup import Setup, begin
from polemarque.systems.batailles.state import Battle
from polemarque.systems.batailles.tables import DATA
from polemarque.systems.batailles.views import names, own_names, standing, view

CHAPTERS = (sides, phase, priest, after)
"""The modules whose import registers every script and procedure."""

SYSTEM = System(
    name="batailles",
    edition="2026-11",
    titles={"fr": "Batailles classiques", "en": "Classical battles"},
    seats=("A", "B"),
    least=2,
    options=CHOICES,
    state=Battle,
    setup=Setup,
    begin=begin,
    period=attrgetter("phase"),
    view=view,
    standing=standing,
    data=DATA,
    scenarios=tomllib.loads((DATA / "scenarios.toml").read_text(encoding="utf-8")),
    adjust=adjust,
    faults=faults,
    phases=("BC-2.1", "BC-3.1", "BC-3.4"),
    questions=QUESTIONS,
    check=check,
    names=names,
    own_names=own_names,
)
