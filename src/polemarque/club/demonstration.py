"""A campaign for a newcomer: programs have played some turns of it, and leave him a seat."""

from __future__ import annotations

from django.db import transaction

from polemarque.bots.play import play_game
from polemarque.club.models import SHOW_TITLES, Campaign, Holder, Person, Seat
from polemarque.club.muster import Plan, begin, make
from polemarque.club.tables import forget, writing
from polemarque.kernel.game import Game

SYSTEM, SEATS, TURNS = "atlantide", 4, 4
"""What is shown, and in which turn it stands."""


def demonstrate(lang: str) -> Campaign:
    """The demonstration, made and played up to where it stands if there is none yet."""
    found = Campaign.objects.filter(show=True).first()
    return found if found is not None else _made(lang)


@transaction.atomic
def _made(lang: str) -> Campaign:
    """All of it or nothing: half of one would be taken for it ever after."""
    plan = Plan(SYSTEM, seats=SEATS)
    seats = plan.header().seats
    bots = dict.fromkeys(seats, "steady")
    campaign = make(SHOW_TITLES[lang], plan, None, bots=bots, public=True)
    Campaign.objects.filter(pk=campaign.pk).update(show=True)
    begin(campaign)

    def there(game: Game) -> bool:
        return game.runner.period >= TURNS

    try:
        with writing(campaign) as table:
            play_game(table.game, bots, stop=there)
    finally:
        forget(campaign)
    campaign.seats.filter(code=seats[0]).update(bot="")
    return campaign


@transaction.atomic
def give_seat(person: Person) -> bool:
    """Put a newcomer into the seat that the programs have left, if nobody has it yet.

    Of newcomers who come at once one has it: a transaction waits for the other before it looks.
    """
    free = Seat.objects.filter(campaign__show=True, bot="", holders=None).first()
    if free is not None:
        Holder.objects.create(seat=free, person=person)
    return free is not None
