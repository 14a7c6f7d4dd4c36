"""The turn (MN-F1): its phases in order, and what the umpire has changed from this turn on."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.api import Item, Next, Step, item, script, tell, then
from polemarque.api.adjusting import in_force
from polemarque.systems.mare_nostrum.chapters.brigands_and_pirates import interceptions
from polemarque.systems.mare_nostrum.chapters.meetings import border_fights, land_fights, sea_fights
from polemarque.systems.mare_nostrum.chapters.military import (
    everything_moves,
    exhaustion_wears_off,
    losses_are_made_good,
    orders_are_written,
    war_weighs_on_trade,
)
from polemarque.systems.mare_nostrum.chapters.purchases import purchases_are_made
from polemarque.systems.mare_nostrum.chapters.siege import (
    blockades,
    garrisons_pillage,
    sieges_are_tested,
)
from polemarque.systems.mare_nostrum.chapters.victory import homes_are_looked_at, somebody_has_won
from polemarque.systems.mare_nostrum.lookups import age
from polemarque.systems.mare_nostrum.state import FIRST_YEAR, PHASES, Campaign

ENTRIES = {
    "commercial": "MN-F2/phase",
    "diplomatic": "MN-F6/phase",
    "military": "MN-1.1",
    "administrative": "MN-F5/phase",
    "acclamation": "MN-F7/phase",
}
"""The first item of each phase."""

SEQUENCE = tuple([entry.partition("/")[0] for entry in ENTRIES.values()])
"""The sequence of play, by the rules of its phases."""


def phase_of(campaign: Campaign) -> str:
    """The rule of the phase that runs, one of `SEQUENCE`; "" before the first one of a turn."""
    return ENTRIES[campaign.phase].partition("/")[0] if campaign.phase else ""


@script("MN-F1")
def turn_begins(campaign: Campaign) -> Step[Campaign]:
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
    return [*[then(phase_begins, one) for one in left], then(somebody_has_won), then(turn_ends)]


def phases_from(campaign: Campaign, phase: str) -> list[Item]:
    """The agenda of a campaign that begins with a phase: the whole turn, or what is left of it."""
    return [then(turn_begins)] if phase == PHASES[0] else rest_of_turn(campaign, phase)


@script("MN-F1/phase")
def phase_begins(campaign: Campaign, phase: str) -> Next[Campaign]:
    """A phase begins."""
    return replace(campaign, phase=phase), [item(ENTRIES[phase])]


@script("MN-1.1")
def military_phase(campaign: Campaign) -> Next[Campaign]:
    """Orders, movement, combats, purchases; then what was lost for the phase comes back."""
    return campaign, [
        then(orders_are_written),
        then(everything_moves),
        then(exhaustion_wears_off),
        then(combats_step),
        then(purchases_are_made),
        then(losses_are_made_good),
    ]


@script("MN-1.3")
def combats_step(campaign: Campaign) -> Next[Campaign]:
    """Interceptions, borders, sea zones, provinces, blockades, sieges, garrisons, eliminations."""
    return campaign, [
        then(interceptions),
        then(border_fights),
        then(sea_fights),
        then(land_fights),
        then(blockades),
        then(sieges_are_tested),
        then(garrisons_pillage),
        then(homes_are_looked_at),
        then(war_weighs_on_trade),
    ]


@script("MN-F1/next")
def turn_ends(campaign: Campaign) -> Next[Campaign]:
    """The next turn, unless MN-F8 has ended the campaign."""
    if campaign.over:
        return campaign, []
    return replace(campaign, turn=campaign.turn + 1, phase=""), [then(turn_begins)]
