"""The turn (MN-F1): its phases in order, and what the umpire has changed from this turn on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from polemarque.api import Item, Next, Rule, Step, Sum, bonus, explain, item, script, tell, then
from polemarque.api.adjusting import in_force
from polemarque.systems.mare_nostrum.asking_seats import choose
from polemarque.systems.mare_nostrum.chapters.meetings import border_fights, land_fights, sea_fights
from polemarque.systems.mare_nostrum.chapters.military import (
    everything_moves,
    exhaustion_wears_off,
    interceptions,
    losses_are_made_good,
    orders_are_written,
    relieved,
    war_weighs_on_trade,
)
from polemarque.systems.mare_nostrum.chapters.purchases import purchases_are_made
from polemarque.systems.mare_nostrum.chapters.siege import (
    blockades,
    garrisons_pillage,
    sieges_are_tested,
)
from polemarque.systems.mare_nostrum.lookups import age
from polemarque.systems.mare_nostrum.state import FIRST_YEAR, PHASES, Campaign
from polemarque.systems.mare_nostrum.tables import FRAME

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


VICTORY = FRAME.victory


class Score(msgspec.Struct, frozen=True):
    """What counts for a player at the end: numbers of things, and his treasury in PO."""

    provinces: int
    armies: int
    improvements: int
    treasury: int


def points(score: Score, others: Sequence[int]) -> Sum:
    """A player's points; `others` are the treasuries of all other players.

    Treasuries tied first have the first's points each and nobody the second's; treasuries tied
    second have the second's each.
    """
    reasons = bonus("MN-F8", score.provinces * VICTORY.province, "provinces")
    reasons += bonus("MN-F8", score.armies * VICTORY.army, "armies")
    reasons += bonus("MN-F8", score.improvements * VICTORY.improvement, "improvements")
    richer = [treasury for treasury in others if treasury > score.treasury]
    if not richer:
        return reasons + bonus("MN-F8", VICTORY.richest, "richest")
    # Two who are richer share the first place: then nobody is second.
    return reasons + bonus("MN-F8", VICTORY.second if len(richer) == 1 else 0, "second")


def sudden_winner(treasuries: Mapping[str, int]) -> str:
    """The player whose treasury is at least that of all others together; "" if none or several."""
    whole = sum(treasuries.values())
    rich = [seat for seat, treasury in treasuries.items() if 2 * treasury >= whole]
    return rich[0] if len(rich) == 1 else ""


def ranking(scores: Mapping[str, Score]) -> tuple[tuple[str, ...], ...]:
    """Players from the first to the last; those of one group share their place.

    More points, then more provinces, then the greater treasury.
    """
    groups: dict[tuple[int, int, int], list[str]] = {}
    for seat, score in scores.items():
        others = [other.treasury for code, other in scores.items() if code != seat]
        merit = (points(score, others).total, score.provinces, score.treasury)
        groups.setdefault(merit, []).append(seat)
    return tuple([tuple(groups[merit]) for merit in sorted(groups, reverse=True)])


@script("MN-F8")
def somebody_has_won(campaign: Campaign) -> Step[Campaign]:
    """All others eliminated, the greatest treasury at a year's end, or the last year's points."""
    left = campaign.in_play()
    if len(left) < 2:
        yield from tell("MN-F8", "alone" if left else "nobody", seats=left)
        return _ended(campaign, left), []
    rich = sudden_winner({seat: campaign.seats[seat].treasury for seat in left})
    if rich and campaign.year_ends and _sudden_allowed(campaign):
        money = campaign.seats[rich].treasury
        yield from tell("MN-F8", "treasury", seats=(rich,), money=money)
        return _ended(campaign, (rich,)), []
    if not _last_turn(campaign):
        return campaign, []
    return (yield from _counted(campaign)), []


def _last_turn(campaign: Campaign) -> bool:
    """Whether the last year ends, or the campaign was to last no longer than this turn (MN-F1)."""
    options = campaign.options
    if options.turn_limit and campaign.turn >= options.turn_limit:
        return True
    return campaign.year_ends and campaign.year >= options.years


def _sudden_allowed(campaign: Campaign) -> bool:
    """Whether a treasury can win already, by the variant `sudden_win`."""
    any_year = campaign.options.sudden_win == "any_year"
    return any_year or campaign.year >= VICTORY.sudden_year


def _ended(campaign: Campaign, winners: tuple[str, ...]) -> Campaign:
    return replace(campaign, over=True, winners=winners)


def _counted(campaign: Campaign) -> Rule[Campaign]:
    scores = final_scores(campaign)
    for seat, score in scores.items():
        others = [other.treasury for code, other in scores.items() if code != seat]
        reasons = points(score, others)
        yield from explain(reasons)
        yield from tell("MN-F8", "points", seat=seat, points=reasons.total)
    winners = ranking(scores)[0]
    yield from tell("MN-F8", "won", seats=winners)
    return _ended(campaign, winners)


def final_scores(campaign: Campaign) -> dict[str, Score]:
    """What counts for each seat in play, as it stands."""
    found = {}
    for seat in campaign.in_play():
        lands = campaign.lands_of(seat)
        built = sum([len(campaign.lands[place].improvements) for place in lands])
        armies = len(campaign.armies_of(seat))
        found[seat] = Score(len(lands), armies, built, campaign.seats[seat].treasury)
    return found


def standings(campaign: Campaign) -> tuple[tuple[str, ...], ...]:
    """Seats from the first to the last, as it stands; those of one group share their place.

    The winners stand first, the eliminated last: the later, the better.
    """
    groups = ranking(final_scores(campaign))
    if campaign.over and campaign.winners:
        rest = [tuple([s for s in group if s not in campaign.winners]) for group in groups]
        groups = (campaign.winners, *[group for group in rest if group])
    out: dict[int, list[str]] = {}
    for seat in campaign.seats.values():
        if seat.eliminated:
            out.setdefault(seat.eliminated, []).append(seat.code)
    return (*groups, *[tuple(out[turn]) for turn in sorted(out, reverse=True)])


@script("MN-6.12")
def homes_are_looked_at(campaign: Campaign) -> Next[Campaign]:
    """At the end of the combats: seats that have lost their home province, in seat order."""
    return campaign, [
        then(home_is_lost, seat)
        for seat in campaign.in_play()
        if campaign.owner(campaign.seats[seat].home) != seat
    ]


@script("MN-6.8")
def home_is_lost(campaign: Campaign, seat: str) -> Step[Campaign]:
    """The government moves to a province he controls; without one he is eliminated.

    It stays if the umpire has given the home back meanwhile.
    """
    home = campaign.seats[seat].home
    if campaign.owner(home) == seat:
        return campaign, []
    places = campaign.lands_of(seat)
    if not places:
        yield from tell("MN-6.12", "eliminated", seat=seat, place=home)
        after = eliminated(campaign, seat)
        for besieged in campaign.atlas.by_id:
            yield from relieved(campaign, after, besieged)
        return after, []
    place = yield from choose(campaign, seat, places, "place")
    yield from tell("MN-6.8", "moves", seat=seat, start=home, place=place)
    return campaign.governed_from(seat, place), []


def eliminated(campaign: Campaign, seat: str) -> Campaign:
    """The campaign without a seat's pieces, trade and treaties; its treasury is lost (MN-6.12).

    Another's army aboard one of its fleets is lost with it; bands that it led are nobody's.
    """
    for fleet in campaign.fleets_of(seat):
        campaign = campaign.without_fleet(fleet.id)
    for army in campaign.armies_of(seat):
        campaign = campaign.without_army(army.id)
    kept = {
        "specialists": campaign.specialists,
        "caravans": campaign.caravans,
        "routes": campaign.routes,
    }
    left = {
        name: {key: one for key, one in pieces.items() if one.owner != seat}  # type: ignore[attr-defined]
        for name, pieces in kept.items()
    }
    bands = {
        key: replace(band, owner="") if band.owner == seat else band
        for key, band in campaign.bands.items()
    }
    diplomats = left["specialists"]
    campaign = replace(
        campaign,
        **left,
        bands=bands,
        treaties=tuple([t for t in campaign.treaties if seat not in (t.one, t.other)]),
        missions=tuple([m for m in campaign.missions if m.diplomat in diplomats and m.to != seat]),
        wars=tuple([war for war in campaign.wars if seat not in war]),
        channels=tuple([pair for pair in campaign.channels if seat not in pair]),
    )
    return campaign.changed(
        seat, eliminated=campaign.turn, home="", treasury=0, mercenaries=(), lets_pass=()
    )
