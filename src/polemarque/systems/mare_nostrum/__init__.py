"""Mare Nostrum: a campaign of the Mediterranean in 300 BC."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

from polemarque.kernel.battle import BriefWords
from polemarque.kernel.checks import Finding, read_toml
from polemarque.kernel.system import Standing, System
from polemarque.systems.mare_nostrum import (  # noqa: F401  (they register their rules)
    acclamation,
    administrative,
    bands,
    battle,
    commercial,
    diplomacy,
    elimination,
    fleets,
    happenings,
    invasion,
    military,
    missions,
    purchases,
    retreat,
    siege,
    turn,
    victory,
)
from polemarque.systems.mare_nostrum.adjust import adjust, faults
from polemarque.systems.mare_nostrum.army_lists import check_lists, load_lists
from polemarque.systems.mare_nostrum.atlas import TERRAINS, check_atlas
from polemarque.systems.mare_nostrum.consult import QUESTIONS
from polemarque.systems.mare_nostrum.names import names, own_names
from polemarque.systems.mare_nostrum.options import CAMPAIGN, USUAL, choices
from polemarque.systems.mare_nostrum.setup import Setup, begin
from polemarque.systems.mare_nostrum.setup_checks import setup_faults
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import DATA
from polemarque.systems.mare_nostrum.victory import standings
from polemarque.systems.mare_nostrum.views import view

EDITION = "2026-11"


def standing(campaign: Campaign) -> Standing:
    """How the campaign stands (MN-F8)."""
    playing = campaign.in_play()
    out = tuple([seat for seat in campaign.seats if seat not in playing])
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
    edition=EDITION,
    titles={"fr": "Mare Nostrum", "en": "Mare Nostrum"},
    seats=("A", "B", "C", "D", "E", "F", "G", "H"),
    least=2,
    options=choices(),
    state=Campaign,
    setup=Setup,
    begin=begin,
    period=attrgetter("turn"),
    view=view,
    standing=standing,
    data=DATA,
    scenarios={
        "mare_nostrum": {"seats": 6},
        "duel": {"seats": 2},
        "quartet": {"seats": 4},
        "grand": {"seats": 8},
    },
    adjust=adjust,
    faults=faults,
    phases=("MN-F2", "MN-F6", "MN-1", "MN-F4", "MN-F7"),
    questions=QUESTIONS,
    check=check,
    names=names,
    own_names=own_names,
    resolvers=(USUAL,),
    brief_words=lambda: BriefWords(tuple(load_lists().element), TERRAINS),
    turns=12,
)
