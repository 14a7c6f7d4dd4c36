"""Thucidide (TH): two armies on a board of hexes, commanded by their leaders."""

from __future__ import annotations

from operator import attrgetter

from polemarque.api import System
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
from polemarque.systems.thucidide.views import (
    PREMISES,
    conditions,
    names,
    own_names,
    standing,
    supposed,
    thrower,
    view,
)

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
    view=view,
    standing=standing,
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
    names=names,
    own_names=own_names,
    thrower=thrower,
    public_course=True,
    supposed=supposed,
    premises=PREMISES,
    conditions=conditions,
    stakes=leader_commitment.STAKES,
)
