"""What the club keeps of a person: given to them as plain data, and erased with their account.

A record knows seats and not people: it stays as it is, and so does every digest.  What goes is who
gave its entries, who held a seat, and all else that names the person.
"""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import transaction
from django.utils import timezone

from polemarque.club.campaigns.session import BY_POST, COURSE, forget
from polemarque.club.clock.battle_dates import forget_dates
from polemarque.club.messages.messages import forget_hand
from polemarque.club.models import (
    COMMANDER,
    MUSTER,
    OVER,
    Campaign,
    Given,
    Holder,
    Invitation,
    Person,
    Pulse,
    Seat,
)
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.records.record import Answer, Looked, Moved, read_entry
from polemarque.kernel.request import DICE


def kept_of(person: Person) -> dict[str, Any]:
    """All that the club keeps of a person, for them alone: their account, their part in each
    campaign with what they have answered and not sent yet, when they are away, and how soon they
    answered."""
    mail = person.emailaddress_set.values_list("email", flat=True)  # type: ignore[attr-defined]
    return {
        "account": {
            "name": person.username,
            "called": person.called,
            "mail": sorted({person.email, *mail} - {""}),
            "lang": person.lang,
            "theme": person.theme,
            "mails": person.mails,
            "forms": person.forms,
            "made": person.date_joined,
            "signed_in": person.last_login,
        },
        "campaigns": [_part(person, campaign) for campaign in parts_of(person)],
        "absences": list(person.absences.values("since", "until", "made")),
    }


WAYS = (
    "seats__holders__person", "umpires__person", "watchers__person", "guests__person",
    "given__person", "replies__person", "drafts__person", "proposals__by", "meetings__by",
    "invitations__by", "namings__named", "namings__before", "voices__by", "voices__named",
    "votes__by", "letters__person", "outings__by", "outings__ended_by", "stays__sent_by",
)  # fmt: skip
"""How a campaign's rows lead to people."""


def parts_of(person: Person) -> list[Campaign]:
    """The campaigns in which anything is kept of somebody, the oldest first."""
    # One by one: all at once would join every row of a campaign with every other.
    found = {
        number
        for way in WAYS
        for number in Campaign.objects.filter(**{way: person}).values_list("pk", flat=True)
    }
    return list(Campaign.objects.filter(pk__in=found).order_by("pk"))


def _part(person: Person, campaign: Campaign) -> dict[str, Any]:
    """What is kept of a person in one campaign.

    given: each entry of the record that they gave, by its kind where its words are another's.
    acts:  those that they have proposed as its umpire.
    """
    held = Holder.objects.filter(seat__campaign=campaign, person=person)
    given = Given.objects.filter(campaign=campaign, person=person).order_by("entry__number")
    header = msgspec.json.decode(bytes(campaign.header)) if campaign.header is not None else {}
    return {
        "title": campaign.title,
        "code": campaign.code,
        "seats": dict(held.values_list("seat__code", "role")),
        "umpire": list(campaign.umpires.filter(person=person).values("seen")),
        "watches": campaign.watchers.filter(person=person).exists(),
        "guest": list(campaign.guests.filter(person=person).values("path", "seat")),
        "given": [
            {"at": at, "entry": _own_words(bytes(body), header.get("version", 1))}
            for at, body in given.values_list("entry__at", "entry__body")
        ],
        "acts": [
            {"made": made, "done": done, "act": msgspec.json.decode(bytes(body))}
            for made, done, body in campaign.proposals.filter(by=person)
            .order_by("pk")
            .values_list("made", "done", "entry")
        ],
        "evenings": list(campaign.outings.filter(by=person).values("at", "ended")),
        "drafts": list(campaign.drafts.filter(person=person).values("key", "fields", "at")),
        "replies": list(
            campaign.replies.filter(person=person).values("key", "asked", "at", "due", "absent")
        ),
        "dates": list(campaign.meetings.filter(by=person).values("path", "at", "where", "made")),
        "links": list(campaign.invitations.filter(by=person).values("seat", "role", "made")),
        "letters": list(
            campaign.letters.filter(person=person).values("voice", "among", "at", "text")
        ),
        "votes": list(campaign.votes.filter(by=person).values("seat", "what")),
        "voices": list(campaign.voices.filter(by=person).values("seat", "named__username")),
    }


def _own_words(line: bytes, version: int) -> Any:
    """An entry as its giver has it: whole where they answered, threw, read or moved; of what the
    rules answered for the absent, and of acts, to which they may have consented without seeing all
    of them, no more than the kind.  How many entries stand before it would tell who had sealed."""
    entry = read_entry(line, version)
    if isinstance(entry, Answer):
        whole = entry.by in {"", BY_POST} or entry.key.seat == DICE
        return msgspec.json.decode(line) if whole else {"kind": entry.by}
    whole = isinstance(entry, (Looked, Moved))
    return msgspec.json.decode(line) if whole else {"kind": entry.__struct_config__.tag}


def left_alone(person: Person) -> list[Campaign]:
    """The campaigns that nobody would umpire without them."""
    umpired = Campaign.objects.filter(umpires__person=person).order_by("pk")
    return [one for one in umpired if not one.umpires.exclude(person=person).exists()]


def check_may_close(person: Person) -> None:
    """Raises NotAllowed while somebody alone umpires a campaign that has not begun."""
    waiting = [one.title for one in left_alone(person) if one.stage == MUSTER]
    if waiting:
        raise NotAllowed("leaving.muster", part=", ".join(waiting))


def close_account(person: Person) -> None:
    """Take an account away, and all that names the person.

    The seats that they alone held are free; where they alone umpired a campaign that is played, the
    seats may name another at once if it is old enough (`umpire_vote`).  Raises NotAllowed while
    they alone umpire one that has not begun: it would wait for ever, and they can call it off.
    """
    with transaction.atomic():
        person = Person.objects.select_for_update().get(pk=person.pk)
        check_may_close(person)
        now, parts = timezone.now(), parts_of(person)
        for campaign in parts:
            # An act of nobody's would wait for ever, or be done without the consent that it needs.
            campaign.proposals.filter(by=person, done=None).update(done=now)
            Pulse.objects.create(campaign=campaign, kind=COURSE)
        Invitation.objects.filter(by=person, used=None).delete()
        forget_dates(person)
        forget_hand(person)
        person.delete()
    for campaign in parts:  # what was worked out for readers names them
        forget(campaign)


def left_free(person: Person) -> list[Seat]:
    """The seats of campaigns that are not over which nobody would command without them."""
    own = Seat.objects.filter(
        holders__person=person, holders__role=COMMANDER, bot="", campaign__show=False
    )
    shared = Holder.objects.filter(role=COMMANDER).exclude(person=person).values("seat")
    found = own.exclude(pk__in=shared).exclude(campaign__stage=OVER)
    return list(found.select_related("campaign"))
