"""Mare Nostrum: a campaign of the Mediterranean in 300 BC."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

from polemarque.api import Standing, System
from polemarque.api.battle import BriefWords
from polemarque.api.files import Finding, read_toml
from polemarque.systems.mare_nostrum import views
from polemarque.systems.mare_nostrum.adjust import adjust, faults
from polemarque.systems.mare_nostrum.chapters import (  # noqa: F401  (they register their rules)
    acclamation,
    administrative,
    battle,
    commercial,
    diplomacy,
    event_effects,
    invasion,
    meetings,
    military,
    purchases,
    siege,
    turn,
)
from polemarque.systems.mare_nostrum.chapters.turn import SEQUENCE, phase_of, standings
from polemarque.systems.mare_nostrum.consult import QUESTIONS
from polemarque.systems.mare_nostrum.past import edition_2026_11  # noqa: F401  (so does this)
from polemarque.systems.mare_nostrum.setup.army_lists import check_lists, load_lists
from polemarque.systems.mare_nostrum.setup.atlas import TERRAINS, check_atlas
from polemarque.systems.mare_nostrum.setup.opening import Setup, begin, setup_faults
from polemarque.systems.mare_nostrum.setup.options import CAMPAIGN, CHOICES, USUAL
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import DATA


def standing(campaign: Campaign) -> Standing:
    """How the campaign stands (MN-F8)."""
    out = tuple([seat for seat in campaign.seats if seat not in campaign.in_play()])
    return Standing(campaign.over, campaign.winners, standings(campaign), out)


def check(path: Path) -> Sequence[Finding] | None:
    """The checks of a club's own map or army lists, alone or in a set-up; None for other files."""
    read = read_toml(path)
    if isinstance(read, Finding):
        return (read,)
    content, text = read
    if "province" in content:
        return check_atlas(path)
    if "list" in content and "element" in content:
        return check_lists(path)
    return setup_faults(content, str(path), text)


SYSTEM = System(
    name=CAMPAIGN,
    edition="2026-11.2",
    past=("2026-11",),
    titles={"fr": "Mare Nostrum", "en": "Mare Nostrum"},
    seats=("A", "B", "C", "D", "E", "F", "G", "H"),
    least=2,
    options=CHOICES,
    state=Campaign,
    setup=Setup,
    begin=begin,
    period=attrgetter("turn"),
    view=views.view,
    standing=standing,
    data=DATA,
    bots=("polemarque.bots.mare_nostrum.bot",),
    drawings=(
        "polemarque.report.systems.mare_nostrum_pictures",
        "polemarque.report.systems.mare_nostrum_sheet",
    ),
    scenarios={
        "mare_nostrum": {"seats": 6},
        "duel": {"seats": 2},
        "quartet": {"seats": 4},
        "grand": {"seats": 8},
    },
    adjust=adjust,
    faults=faults,
    phases=SEQUENCE,
    phase=phase_of,
    questions=QUESTIONS,
    check=check,
    names=views.names,
    own_names=views.own_names,
    asked_with=views.asked_with,
    supposed=views.supposed,
    conditions=views.conditions,
    public_items=frozenset("*"),
    resolvers=(USUAL,),
    brief_words=lambda: BriefWords(tuple(load_lists().element), TERRAINS),
    turns=12,
)
