"""Promiterra, chapter 6 (PR): wars of armies, troop by troop, on a board."""

from __future__ import annotations

import tomllib
from operator import attrgetter

from polemarque.api import System
from polemarque.systems.promiterra import views
from polemarque.systems.promiterra.adjust import adjust, faults
from polemarque.systems.promiterra.chapters import (  # noqa: F401  (they register their rules)
    declaring,
    deployment,
    ending,
    fighting,
    loyalty,
    other_actions,
    turn,
)
from polemarque.systems.promiterra.consult import QUESTIONS
from polemarque.systems.promiterra.past import edition_2026_11  # noqa: F401  (so does this)
from polemarque.systems.promiterra.setup.opening import begin, check
from polemarque.systems.promiterra.setup.options import CHOICES
from polemarque.systems.promiterra.setup.set_up_rules import SEATS, Setup
from polemarque.systems.promiterra.state import War
from polemarque.systems.promiterra.tables import DATA

SYSTEM = System(
    name="promiterra",
    edition="2026-11.2",
    past=("2026-11",),
    titles={"fr": "Promiterra", "en": "Promiterra"},
    seats=SEATS,
    least=2,
    options=CHOICES,
    state=War,
    setup=Setup,
    begin=begin,
    ends_at_once=False,  # pursuit follows
    period=attrgetter("turn"),
    view=views.view,
    standing=views.standing,
    data=DATA,
    bots=("polemarque.bots.promiterra.bot", "polemarque.bots.search.promiterra"),
    kernels="polemarque.odds.promiterra",
    drawings=("polemarque.report.systems.promiterra_pictures",),
    scenarios={
        name: tomllib.loads((DATA / "scenarios" / f"{name}.toml").read_text(encoding="utf-8"))
        for name in ("skirmish", "siege", "coalition", "colossus", "hosts")
    },
    adjust=adjust,
    faults=faults,
    questions=QUESTIONS,
    check=check,
    names=views.names,
    own_names=views.own_names,
    asked_with=views.asked_with,
    thrower=views.thrower,
    public_course=True,
    supposed=views.supposed,
    premises=views.PREMISES,
    conditions=views.conditions,
    turns=30,
)
