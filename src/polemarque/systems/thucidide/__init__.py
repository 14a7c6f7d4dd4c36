"""Thucidide (TH): two armies on a board of hexes, commanded by their leaders."""

from __future__ import annotations

from operator import attrgetter

from polemarque.api import System
from polemarque.systems.thucidide import views
from polemarque.systems.thucidide.adjust import adjust, faults
from polemarque.systems.thucidide.chapters import (  # noqa: F401  (they register their rules)
    activation,
    army_wide_orders,
    attack,
    combat,
    command,
    defence,
    leader_commitment,
    moves,
    retreat,
    turn,
)
from polemarque.systems.thucidide.consult import QUESTIONS
from polemarque.systems.thucidide.past import edition_2026_11  # noqa: F401  (so does this)
from polemarque.systems.thucidide.setup.opening import begin, check, scenarios
from polemarque.systems.thucidide.setup.options import CHOICES
from polemarque.systems.thucidide.setup.scenario import Setup
from polemarque.systems.thucidide.state import Battle
from polemarque.systems.thucidide.tables import DATA, SEATS

SYSTEM = System(
    name="thucidide",
    edition="2026-11.2",
    past=("2026-11",),
    titles={"fr": "Thucidide", "en": "Thucydides"},
    seats=SEATS,
    least=2,
    options=CHOICES,
    state=Battle,
    setup=Setup,
    begin=begin,
    alternates=True,
    period=attrgetter("turn"),
    view=views.view,
    standing=views.standing,
    data=DATA,
    bots=("polemarque.bots.thucidide.bot", "polemarque.bots.search.thucidide"),
    drawings=("polemarque.report.systems.thucidide_pictures",),
    scenarios=scenarios(),
    adjust=adjust,
    faults=faults,
    phases=tuple(turn.SEQUENCE.values()),
    phase=turn.phase_of,
    questions=QUESTIONS,
    check=check,
    names=views.names,
    own_names=views.own_names,
    thrower=views.thrower,
    public_course=True,
    supposed=views.supposed,
    premises=views.PREMISES,
    conditions=views.conditions,
    stakes=leader_commitment.STAKES,
)
