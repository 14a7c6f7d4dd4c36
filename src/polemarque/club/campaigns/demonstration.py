"""A campaign for a newcomer: programs have played some turns of it, and leave one seat free."""

from __future__ import annotations

from django.db import transaction

from polemarque.bots.play import play_game
from polemarque.club.campaigns.lobby import CampaignPlan, begin, make
from polemarque.club.campaigns.session import forget, write_lock
from polemarque.club.models import SHOW_TITLES, Campaign, Holder, Person, Seat
from polemarque.kernel.game import Game
from polemarque.systems.atlantide.supply import is_supplied

SYSTEM, SEATS, TURNS, MOVING = "atlantide", 4, 4, "AT-7.2"
"""What is shown, from which turn on, and the question that its player meets first."""


def demonstrate(lang: str) -> Campaign:
    """The demonstration, made and played up to where it stands if there is none yet."""
    found = Campaign.objects.filter(show=True).first()
    return found if found is not None else _made(lang)


@transaction.atomic
def _made(lang: str) -> Campaign:
    """All of it or nothing: half of one would be taken for it ever after."""
    plan = CampaignPlan(SYSTEM, seats=SEATS)
    seats = plan.header().seats
    bots = dict.fromkeys(seats, "steady")
    campaign = make(SHOW_TITLES[lang], plan, None, bots=bots, public=True)
    Campaign.objects.filter(pk=campaign.pk).update(show=True)
    begin(campaign)
    try:
        with write_lock(campaign) as table:
            play_game(table.game, bots, stop=lambda game: bool(_sound(game)))
            free = _sound(table.game)
    finally:
        forget(campaign)
    campaign.seats.filter(code=free).update(bot="")
    return campaign


def _sound(game: Game) -> str:
    """The seat that a newcomer can take up where the game stands, or "".

    It is about to move its army, which is supplied and in no fight, and it holds no less land than
    an equal share of what the players hold.
    """
    asked = [request for request in game.requests() if request.rule == MOVING]
    if game.runner.period < TURNS or not asked:
        return ""
    (seat,) = asked[0].missing
    war = game.state
    army = war.seats[seat].army
    others = [each.army for code, each in war.seats.items() if code != seat and each.army]
    land = {code: len(war.lands_of(code)) for code in war.seats}
    sound = (
        army.supplied
        and is_supplied(war, seat)  # still, after those who moved before
        and all(other.place != army.place for other in others)
        and land[seat] * len(land) >= sum(land.values())
        and land[seat] > min(land.values())
    )
    return seat if sound else ""


@transaction.atomic
def give_seat(person: Person) -> bool:
    """Put a newcomer into the seat that the programs have left, if nobody has it yet.

    Of newcomers who come at once one has it: a transaction waits for the other before it looks.
    """
    free = Seat.objects.filter(campaign__show=True, bot="", holders=None).first()
    if free is not None:
        Holder.objects.create(seat=free, person=person)
    return free is not None
