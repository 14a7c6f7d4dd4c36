"""What the club keeps of somebody: given to him as plain data, and taken away with his account.

A record knows seats and not people: it stays as it is, and so does every digest.  What goes is who
gave its entries, who held a seat, and all else that names him.
"""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Q

from polemarque.club.models import (
    COMMANDER,
    MUSTER,
    OVER,
    Campaign,
    Given,
    Holder,
    Person,
    Pulse,
    Seat,
)
from polemarque.club.parley import forget_hand
from polemarque.club.tables import COURSE, forget
from polemarque.kernel.errors import NotAllowed


def kept_of(person: Person) -> dict[str, Any]:
    """All that the club keeps of a person, for him alone: his account, his part in each campaign
    with what he has answered and not sent yet, when he is away, and how soon he answered."""
    return {
        "account": {
            "name": person.username,
            "called": person.called,
            "mail": sorted({person.email, *_addresses(person)} - {""}),
            "lang": person.lang,
            "theme": person.theme,
            "made": person.date_joined,
            "signed_in": person.last_login,
        },
        "campaigns": [_part(person, campaign) for campaign in parts_of(person)],
        "absences": list(person.absences.values("since", "until", "made")),
    }


def _addresses(person: Person) -> list[str]:
    return list(person.emailaddress_set.values_list("email", flat=True))  # type: ignore[attr-defined]


def parts_of(person: Person) -> list[Campaign]:
    """The campaigns in which anything is kept of somebody, the oldest first."""
    part = (
        Q(seats__holders__person=person)
        | Q(umpires__person=person)
        | Q(watchers__person=person)
        | Q(guests__person=person)
        | Q(given__person=person)
        | Q(replies__person=person)
        | Q(drafts__person=person)
        | Q(meetings__by=person)
        | Q(invitations__by=person)
        | Q(namings__named=person)
        | Q(namings__before=person)
        | Q(voices__by=person)
        | Q(letters__person=person)
        | Q(voices__named=person)
    )
    found = Campaign.objects.filter(part).values("pk")
    return list(Campaign.objects.filter(pk__in=found).order_by("pk"))


def _part(person: Person, campaign: Campaign) -> dict[str, Any]:
    """What is kept of him in one campaign.   given: each entry of the record that he gave."""
    held = Holder.objects.filter(seat__campaign=campaign, person=person)
    given = Given.objects.filter(campaign=campaign, person=person).order_by("entry__number")
    return {
        "title": campaign.title,
        "code": campaign.code,
        "seats": dict(held.values_list("seat__code", "role")),
        "umpire": list(campaign.umpires.filter(person=person).values("seen")),
        "watches": campaign.watchers.filter(person=person).exists(),
        "guest": list(campaign.guests.filter(person=person).values("path", "seat")),
        "given": [
            {"number": number, "at": at, "entry": msgspec.json.decode(bytes(body))}
            for number, at, body in given.values_list("entry__number", "entry__at", "entry__body")
        ],
        "drafts": list(campaign.drafts.filter(person=person).values("key", "fields", "at")),
        "replies": list(
            campaign.replies.filter(person=person).values("key", "asked", "at", "due", "absent")
        ),
        "dates": list(campaign.meetings.filter(by=person).values("path", "at", "where", "made")),
        "links": list(campaign.invitations.filter(by=person).values("seat", "role", "made")),
        "letters": list(
            campaign.letters.filter(person=person).values("voice", "among", "at", "text")
        ),
        "voices": list(campaign.voices.filter(by=person).values("seat", "named__username")),
    }


def left_alone(person: Person) -> list[Campaign]:
    """The campaigns that nobody would umpire if he went."""
    umpired = Campaign.objects.filter(umpires__person=person).order_by("pk")
    return [one for one in umpired if not one.umpires.exclude(person=person).exists()]


def close_account(person: Person) -> None:
    """Take an account away, and whatever names him.

    The seats that he alone held are free; where he alone umpired a campaign that is played, the
    seats may name another at once if it is old enough (`club.naming`).  Raises NotAllowed while
    he alone umpires one that has not begun: it would wait for ever, and he can call it off.
    """
    with transaction.atomic():
        person = Person.objects.select_for_update().get(pk=person.pk)
        waiting = [one.title for one in left_alone(person) if one.stage == MUSTER]
        if waiting:
            raise NotAllowed("leaving.muster", part=", ".join(waiting))
        parts = parts_of(person)
        for campaign in parts:
            campaign.invitations.filter(by=person, used=None).delete()
            Pulse.objects.create(campaign=campaign, kind=COURSE)
        forget_hand(person)
        person.delete()
    for campaign in parts:  # what was worked out for readers names him
        forget(campaign)


def left_free(person: Person) -> list[Seat]:
    """The seats of campaigns that are not over which nobody would command if he went."""
    own = Seat.objects.filter(
        holders__person=person, holders__role=COMMANDER, bot="", campaign__show=False
    )
    shared = Holder.objects.filter(role=COMMANDER).exclude(person=person).values("seat")
    found = own.exclude(pk__in=shared).exclude(campaign__stage=OVER)
    return list(found.select_related("campaign"))
