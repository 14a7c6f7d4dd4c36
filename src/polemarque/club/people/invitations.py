"""Who may let further people into a campaign, and help one who has lost a password."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q, QuerySet

from polemarque.club.campaigns.lobby import close_door, empty_seats, open_door, open_doors
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import (
    GUEST,
    MEMBER,
    MUSTER,
    RUNNING,
    SUCCESSOR,
    Campaign,
    Invitation,
    Person,
)
from polemarque.club.people.guests import guests_of, lent, may_lend
from polemarque.club.people.roles import Visit, visit_of
from polemarque.club.people.seat_handover import let_into_seat, may_hand_over
from polemarque.club.umpire.secrets_read import ACCOUNT, look_as_umpire
from polemarque.kernel.errors import NotAllowed


def may_invite(visit: Visit, seat: str, role: str) -> bool:
    """Whether somebody may hand out links of that kind (see `models.Invitation`).

    While seats are filled an umpire may hand out all of them.  Once there are secrets, who commands
    a seat lets in at will, and an umpire who plays lets in nobody who would see more than they do.
    A seat that is played changes hands as `seat_handover` says, and is lent for one battle as
    `guests` says.
    """
    if role == SUCCESSOR:
        return bool(seat) and may_hand_over(visit, seat)
    if role == GUEST:
        return bool(seat) and may_lend(visit, seat)
    if seat and role == MEMBER and visit.commands(seat):
        return True
    if not visit.umpire:
        return False
    return visit.campaign.stage == MUSTER or visit.neutral or not (seat or role)


def invite_to(visit: Visit, seat: str, role: str, path: str = "") -> Invitation:
    """A link that nobody has used, made if there is none.   path: of a guest's battle.

    That an umpire lets somebody into a seat is entered in a campaign that runs.  Raises NotAllowed
    if they may not hand it out, and as `lobby.open_door` and, of a guest, `guests.lent` do.
    """
    if not may_invite(visit, seat, role):
        raise NotAllowed("invitation.not_yours", part=seat or role)
    place = lent(visit.campaign, seat, path) if role == GUEST else ""
    if seat:
        let_into_seat(visit, seat)
    at = {"path": path, "place": place} if place else {}
    return open_door(visit.campaign, visit.person, seat=seat, role=role, **at)


@transaction.atomic
def invite_to_free_seats(visit: Visit) -> None:
    """A link for each seat that nobody plays, where there is none yet.  Raises as `invite_to`."""
    for seat in empty_seats(visit.campaign):
        invite_to(visit, seat, "")


def withdraw(visit: Visit, number: int) -> None:
    """Withdraw a link of a kind that a person may hand out."""
    if any(door.pk == number for door in doors_of(visit)):
        close_door(visit.campaign, number)


def doors_of(visit: Visit) -> Sequence[Invitation]:
    """The links that somebody may hand out and nobody has used.

    Once there are secrets an umpire has no link to a seat that its commander has made: through it
    they would let somebody in without an entry.
    """
    return tuple([
        door
        for door in open_doors(visit.campaign)
        if may_invite(visit, door.seat, door.role)
        and (
            visit.campaign.stage == MUSTER
            or not door.seat
            or visit.commands(door.seat)
            or door.by == visit.person
        )
    ])  # fmt: skip


def may_renew(visit: Visit, person: Person) -> bool:
    """Whether an umpire may make a link by which somebody chooses a new password.

    That link gives the account.  So it is for umpires who play no seat, of people who
    have no part anywhere but in campaigns that they umpire so: by it they learn no more than they
    may read (see `entrusted`).
    """
    if not visit.neutral or person == visit.person:
        return False
    parts = list(_parts(person).distinct())
    here = any(each.pk == visit.campaign.pk for each in parts)
    return here and all(visit_of(each, visit.person).neutral for each in parts)


def _parts(person: Person) -> QuerySet[Campaign]:
    """The campaigns in which somebody has a place; demonstrations apart."""
    return Campaign.objects.filter(show=False).filter(
        Q(seats__holders__person=person)
        | Q(umpires__person=person)
        | Q(watchers__person=person)
        | Q(guests__person=person)
    )


def entrusted(visit: Visit, person: Person) -> None:
    """Enter, in each campaign that runs, that an umpire makes a link to somebody's account.

    Raises NotAllowed while what that person's seats have sealed waits for others: nobody reads it
    before.
    """
    running = [*_parts(person).filter(stage=RUNNING).distinct()]
    for campaign in running:
        own = set(campaign.seats.filter(holders__person=person).values_list("code", flat=True))
        with read_lock(campaign) as table:
            own |= {g.seat for g in guests_of(campaign, table).values() if g.person == person}
            if any(own & set(each.answered) for each in table.game.course.requests()):
                raise NotAllowed("people.sealed", part=str(person))
    for campaign in running:
        look_as_umpire(visit_of(campaign, visit.person), ACCOUNT)
