"""The turn (MN-F1): its phases in order, and what the umpire has changed from this turn on."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.kernel.agenda import Item, Rule, script, tell
from polemarque.kernel.variants import in_force
from polemarque.systems.mare_nostrum.lookup import age
from polemarque.systems.mare_nostrum.state import FIRST_YEAR, PHASES, Campaign

ENTRIES = {
    "commercial": "MN-F2/phase",
    "diplomatic": "MN-F6/phase",
    "military": "MN-1.1",
    "administrative": "MN-F5/phase",
    "acclamation": "MN-F7/phase",
}
"""The first item of each phase."""


@script("MN-F1")
def turn_begins(campaign: Campaign) -> Rule[tuple[Campaign, list[Item]]]:
    """A turn: its phases, the acclamation if it ends a year, and who has won (MN-F8)."""
    year = FIRST_YEAR + 1 - campaign.year
    yield from tell("MN-F1", "turn", turn=campaign.turn, year=year)
    options = yield from in_force("MN-F1", campaign.options, campaign.ordered)
    chosen_before = campaign.options.sacred_guard == "home" != options.sacred_guard
    campaign = replace(campaign, options=options, ordered={})
    if chosen_before:
        campaign = _with_the_first_armies(campaign)
    return campaign, rest_of_turn(campaign, PHASES[0])


def _with_the_first_armies(campaign: Campaign) -> Campaign:
    """The Sacred Guards given back to the armies that began the campaign: another may have been
    chosen while that was the rule (MN-2.2).
    """
    for seat in campaign.in_play():
        began = [army.id for army in campaign.armies_of(seat) if not army.created]
        campaign = campaign.changed(seat, guard=min(began, key=age, default=""))
    return campaign


def rest_of_turn(campaign: Campaign, phase: str) -> list[Item]:
    """The phases of this turn from one of them on, and its end."""
    phases = PHASES if campaign.year_ends else PHASES[:-1]
    left = phases[phases.index(phase) :] if phase in phases else ()
    return [*[("MN-F1/phase", one) for one in left], ("MN-F8",), ("MN-F1/next",)]


def phases_from(campaign: Campaign, phase: str) -> list[Item]:
    """The agenda of a campaign that begins with a phase: the whole turn, or what is left of it."""
    return [("MN-F1",)] if phase == PHASES[0] else rest_of_turn(campaign, phase)


@script("MN-F1/phase")
def phase_begins(campaign: Campaign, phase: str) -> tuple[Campaign, list[Item]]:
    """A phase begins."""
    return replace(campaign, phase=phase), [(ENTRIES[phase],)]


@script("MN-F1/next")
def turn_ends(campaign: Campaign) -> tuple[Campaign, list[Item]]:
    """The next turn, unless MN-F8 has ended the campaign."""
    if campaign.over:
        return campaign, []
    return replace(campaign, turn=campaign.turn + 1, phase=""), [("MN-F1",)]
