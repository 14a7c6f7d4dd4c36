"""Guests of one battle: a side lent to somebody who has no other part in the campaign.

A battle that is fought inside a campaign asks the seats of its two sides.  Who commands one of them
lends its side by a link; for a player who is away an umpire who plays no seat may, and that is
entered, as all their doors into seats are.  The guest answers what that battle asks of the seat
and nothing else; who commands the seat may still answer too, and takes the side back at will.
The record knows seats alone: of a guest it says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction

from polemarque.club.campaigns.session import COURSE, LiveCampaign, read_lock
from polemarque.club.clock.battle_dates import ON_TABLE, open_battles
from polemarque.club.models import (
    COMMANDER,
    RUNNING,
    Campaign,
    Guest,
    Invitation,
    Person,
    Pulse,
    Seat,
)
from polemarque.club.people.roles import Visit
from polemarque.kernel.battle_brief import Brief
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Replace
from polemarque.kernel.run import Runner


def may_lend(visit: Visit, seat: str) -> bool:
    """Whether somebody may lend a seat's side in a battle, or take it back."""
    if visit.campaign.stage != RUNNING or visit.campaign.show:
        return False
    return visit.neutral or visit.commands(seat)


# Battles -----------------------------------------------------------------------------------------


def battles(game: Game, seat: str) -> Iterator[tuple[Brief, Runner]]:
    """The open battles in which a seat has a side that a guest can command.

    Of those on the table nothing is asked but the campaign's report.
    """
    for brief, inner in open_battles(game):
        if inner.system.name != ON_TABLE and seat in [one.seat for one in brief.sides]:
            yield brief, inner


def battle_at(game: Game, seat: str, path: str, place: str = "") -> tuple[Brief, Runner] | None:
    """The open battle at a path in which a seat has a side, or None.

    place: where it has to be fought; "" wherever it is.
    """
    found = ((b, r) for b, r in battles(game, seat) if r.path == path)
    return next(((b, r) for b, r in found if place in ("", b.place)), None)


def battle_of(game: Game, guest: Guest) -> tuple[Brief, Runner] | None:
    """The battle of a guest while it is fought, or None."""
    return battle_at(game, guest.seat, guest.path, guest.place)


def guest_of(visit: Visit) -> Guest:
    """The person who reads as a guest (see `Visit.as_guest`), as the rows have them."""
    return Guest.objects.get(campaign=visit.campaign, person=visit.person, path=visit.within)


def guests_of(campaign: Campaign, table: LiveCampaign) -> dict[tuple[str, str], Guest]:
    """The guests of the battles that are fought now, by seat and path."""
    rows = campaign.guests.select_related("person")
    return {(g.seat, g.path): g for g in rows if battle_of(table.game, g) is not None}


def may_recall(guest: Guest, table: LiveCampaign) -> bool:
    """Whether a guest may still read what was told of their battle, which is over.

    Where an answer was corrected since they came, another battle may have had its path.
    """
    return not any(isinstance(each, Replace) for each in table.game.entries[guest.number :])


# Coming and going --------------------------------------------------------------------------------


def lent(campaign: Campaign, seat: str, path: str) -> str:
    """Where a battle is fought in which a seat's side can be lent.

    Raises NotUnderstood on no seat of the campaign; NotAllowed if a program plays it, if there is
    no such battle (any more), or if it has a guest already.
    """
    row = _seat(campaign, seat)
    with read_lock(campaign) as table:
        found = battle_at(table.game, row.code, path)
        if found is None:
            raise NotAllowed("guest.over", part=path[:100])
        if (seat, path) in guests_of(campaign, table):
            raise NotAllowed("guest.taken", part=seat)
    return found[0].place


def welcome(invitation: Invitation, person: Person) -> None:
    """Give a seat's side in one battle to a person.  To be called within a transaction.

    Raises as `lent`; NotAllowed if they command the seat already, and where an umpire made the
    link, while what the seat has sealed there waits for others: nobody reads it before.
    """
    campaign = invitation.campaign
    assert campaign is not None
    seat = _seat(campaign, invitation.seat)
    commands = seat.holders.filter(role=COMMANDER)
    if commands.filter(person=person).exists():
        raise NotAllowed("seat.yours", part=seat.code)
    with read_lock(campaign) as table:
        found = battle_at(table.game, seat.code, invitation.path, invitation.place)
        if campaign.stage != RUNNING or found is None:
            raise NotAllowed("guest.over", part=campaign.title)
        guests = guests_of(campaign, table)
        if (seat.code, invitation.path) in guests:
            raise NotAllowed("guest.taken", part=seat.code)
        asked = [r for r in table.game.course.requests() if r.path == invitation.path]
        waits = any(seat.code in each.answered for each in asked)
        if waits and not commands.filter(person=invitation.by).exists():
            raise NotAllowed("guest.sealed", part=seat.code)
        number = table.count
    # A path that a correction has given to another battle may still have guests of the first.
    here = [each.pk for each in guests.values()]
    campaign.guests.filter(path=invitation.path).exclude(pk__in=here).delete()
    Guest.objects.create(
        campaign=campaign, person=person, seat=seat.code, path=invitation.path,
        place=invitation.place, number=number,
    )  # fmt: skip
    Pulse.objects.create(campaign=campaign, kind=COURSE)


@transaction.atomic
def send_home(visit: Visit, number: int) -> None:
    """Take a side back from a guest, who has no part in the battle any more.

    Raises NotAllowed for a person who may not lend it.
    """
    guest = visit.campaign.guests.filter(pk=number).first()
    if guest is None:  # gone already
        return
    if not may_lend(visit, guest.seat):
        raise NotAllowed("invitation.not_yours", part=guest.seat)
    guest.delete()
    Pulse.objects.create(campaign=visit.campaign, kind=COURSE)


def _seat(campaign: Campaign, code: str) -> Seat:
    """A seat that people play, kept as it is until a transaction ends.

    Raises NotUnderstood, NotAllowed.
    """
    seat = campaign.seats.filter(code=code).first()
    if seat is None:
        raise NotUnderstood("seat.unknown", part=code)
    if seat.bot:
        raise NotAllowed("guest.program", part=code)
    return seat
