"""A seat that changes hands while its campaign is played.

A seat's commander hands it to somebody else, and advises it from then on: to a substitute while
away, to a successor for good.  For a commander who does not come back an umpire who plays no seat
finds somebody, or a program; that they let somebody into a seat is entered as a reading of its
secrets.  The seat of a playing umpire stays theirs: the record says that it seals first.
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from polemarque.bots.registry import check_bot
from polemarque.club.campaigns.session import COURSE, read_lock
from polemarque.club.models import (
    COMMANDER,
    MEMBER,
    RUNNING,
    Campaign,
    Holder,
    Invitation,
    Person,
    Pulse,
    Seat,
)
from polemarque.club.people.roles import Visit, visit_of
from polemarque.club.umpire.secrets_read import ACCOUNT, look_as_umpire
from polemarque.kernel.errors import NotAllowed


def may_hand_over(visit: Visit, seat: str) -> bool:
    """Whether somebody may hand out a link by which a seat gets another commander."""
    if visit.campaign.stage != RUNNING or visit.campaign.show:
        return False
    return visit.neutral or (visit.commands(seat) and not visit.umpire)


def succeed(invitation: Invitation, person: Person) -> None:
    """Give the seat of such a link to a person.  To be called within a transaction.

    A commander who handed the seat over advises it now; others who commanded it have no part in it
    any more.  Links to the seat that nobody has used are void.  Raises NotAllowed if the campaign
    is not played, if they command the seat already, and where not its commander but an umpire made
    the link, while what the seat has sealed waits for others: nobody reads it before.
    """
    campaign = invitation.campaign
    assert campaign is not None
    if campaign.stage != RUNNING:
        raise NotAllowed("invitation.none", part=campaign.title)
    seat = campaign.seat(invitation.seat)
    before = seat.holders.filter(role=COMMANDER)
    if before.filter(person=person).exists():
        raise NotAllowed("seat.yours", part=seat.code)
    own = before.filter(person=invitation.by)
    if not own.exists():
        _check_nothing_sealed(campaign, seat)
    own.update(role=MEMBER)
    before.delete()
    Seat.objects.filter(pk=seat.pk).update(bot="")
    commands = {"role": COMMANDER}
    Holder.objects.update_or_create(  # who advised it has no more time for what is open
        seat=seat, person=person, defaults=commands,
        create_defaults={**commands, "since": timezone.now()},
    )  # fmt: skip
    campaign.guests.filter(seat=seat.code, person=person).delete()
    campaign.invitations.filter(seat=seat.code, used=None).delete()
    Pulse.objects.create(campaign=campaign, kind=COURSE)


@transaction.atomic
def give_to_program(visit: Visit, code: str, program: str) -> None:
    """Have a program play a seat from now on, in place of who commands it; its advisers stay.

    Raises NotAllowed to all but an umpire who plays no seat of a campaign that is played, and as
    `succeed` while what was sealed waits; NotUnderstood on a seat or program that is not there.
    """
    campaign = Campaign.objects.select_for_update().get(pk=visit.campaign.pk)
    if not visit.neutral or not may_hand_over(visit, code):
        raise NotAllowed("invitation.not_yours", part=code)
    seat = campaign.seat(code)
    check_bot(program, campaign.plan["system"])
    _check_nothing_sealed(campaign, seat)
    seat.holders.filter(role=COMMANDER).delete()
    Seat.objects.filter(pk=seat.pk).update(bot=program)
    campaign.guests.filter(seat=code).delete()  # it answers before they do
    campaign.invitations.filter(seat=code, used=None).delete()
    Pulse.objects.create(campaign=campaign, kind=COURSE)


def let_into_seat(visit: Visit, seat: str) -> None:
    """Enter that an umpire lets somebody into a seat: it might be a second account.

    Nothing is entered of commanders who let people into their own seats.
    """
    if visit.campaign.stage == RUNNING and visit.umpire and not visit.commands(seat):
        look_as_umpire(visit, ACCOUNT)


def let_in_before(campaign: Campaign) -> None:
    """The same, as a campaign begins, of those who were let in to advise while it was filled."""
    doors = campaign.invitations.filter(role=MEMBER, by__isnull=False).select_related("by")
    for door in doors.order_by("pk"):
        assert door.by is not None
        let_into_seat(visit_of(campaign, door.by), door.seat)


def _check_nothing_sealed(campaign: Campaign, seat: Seat) -> None:
    """Raises NotAllowed while people have sealed for a seat what waits for others."""
    if not seat.holders.filter(role=COMMANDER).exists():
        return
    with read_lock(campaign) as table:
        if any(seat.code in each.answered for each in table.game.course.requests()):
            raise NotAllowed("people.sealed_seat", part=seat.code)
