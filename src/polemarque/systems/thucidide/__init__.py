"""Thucidide (TH): two armies on a board of hexes, commanded by their leaders."""

from __future__ import annotations

from operator import attrgetter

from polemarque.kernel.system import System
from polemarque.systems.thucidide import (
    activation,
    advance,
    attack,
    combat,
    command,
    commitment,
    defence,
    flight,
    massed,
    moves,
    priest,
    retreat,
    turn,
    withdrawal,
)
from polemarque.systems.thucidide.adjust import adjust, faults
from polemarque.systems.thucidide.consult import QUESTIONS
from polemarque.systems.thucidide.figures import SEATS
from polemarque.systems.thucidide.options import CHOICES
from polemarque.systems.thucidide.scenario import Setup
from polemarque.systems.thucidide.setup import begin, scenarios
from polemarque.systems.thucidide.setup_checks import check
from polemarque.systems.thucidide.state import Battle
from polemarque.systems.thucidide.tables import DATA
from polemarque.systems.thucidide.views import names, standing, view

CHAPTERS = (
    turn, activation, command, moves, massed,
    combat, priest, attack, defence, retreat, advance, withdrawal, flight, commitment,
)  # fmt: skip
"""The modules whose import registers every script and procedure."""

SYSTEM = System(
    name="thucidide",
    edition="2026-11",
    titles={"fr": "Thucidide", "en": "Thucydides"},
    seats=SEATS,
    least=2,
    options=CHOICES,
    state=Battle,
    setup=Setup,
    begin=begin,
    period=attrgetter("turn"),
    view=view,
    standing=standing,
    data=DATA,
    scenarios=scenarios(),
    adjust=adjust,
    faults=faults,
    phases=("TH-2.2", "TH-2.3", "TH-F5", "TH-F1"),
    questions=QUESTIONS,
    check=check,
    names=names,
    public_course=True,
    stakes=commitment.STAKES,
)
