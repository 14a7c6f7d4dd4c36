"""Victory (MN-F8): looked at when every turn ends."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.kernel.agenda import Item, Rule, explain, script, tell
from polemarque.systems.mare_nostrum.scores import VICTORY, Score, points, ranking, sudden_winner
from polemarque.systems.mare_nostrum.state import Campaign


@script("MN-F8")
def somebody_has_won(campaign: Campaign) -> Rule[tuple[Campaign, list[Item]]]:
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
    """Points, and who has most."""
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

    Whoever has won stands first, whoever was eliminated last: the later, the better.
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
