"""Another umpire in the place of one who is silent, named by the seats.

An umpire gives a sign of life by opening a page of the campaign.  After `SILENCE` without one from
any of its umpires, who commands a seat has a voice for it, and changes it until more than half of
the seats that people hold name the same person.  That person then umpires in the place of those who
were silent, who may go on watching.  Any sign of life before that ends it.

It is no matter of the record, which knows seats and not people: nothing of the game changes by it,
and what the new umpire reads of others' secrets is entered at that time.  One who plays has the
limits of a playing umpire, whatever seat the record names.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from polemarque.club.campaigns.session import COURSE
from polemarque.club.models import (
    COMMANDER,
    RUNNING,
    Campaign,
    Holder,
    Naming,
    Person,
    Pulse,
    Umpire,
    Voice,
    Watcher,
)
from polemarque.club.people.roles import Visit
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.records.record import TYPED

SILENCE = timedelta(days=14)
"""How long umpires may say nothing, before the seats may name another; and for how long everybody
is told of it."""

OFTEN = timedelta(hours=1)
"""A sign of life is not written down again before that, unless somebody has named another."""


def sign_of_life(visit: Visit) -> None:
    """Note that an umpire has opened a page: nobody is named in their place any more."""
    now = timezone.now()
    rows = Umpire.objects.filter(campaign=visit.campaign, person=visit.person)
    if rows.filter(seen__gt=now - OFTEN, campaign__voices=None).exists():
        return
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=visit.campaign.pk)
        if rows.update(seen=now):
            campaign.voices.all().delete()


def silent_since(campaign: Campaign) -> datetime | None:
    """Since when no umpire of a campaign that is played has given a sign of life, if that is so
    long that another may be named, else None.  Where nobody umpires: since it was made."""
    if campaign.stage != RUNNING or campaign.show:
        return None
    last = max(campaign.umpires.values_list("seen", flat=True), default=campaign.made)
    return last if timezone.now() - last >= SILENCE else None


def seats_of_people(campaign: Campaign) -> dict[str, int]:
    """The seats that people hold, each with its commander's number."""
    held = Holder.objects.filter(seat__campaign=campaign, seat__bot="", role=COMMANDER)
    return dict(held.order_by("seat__pk").values_list("seat__code", "person"))


def nameable(campaign: Campaign) -> list[Person]:
    """Who can be named: people who watch, and those who command one seat.

    Not who umpires, advises a seat or is a guest in a battle; nor where dice are typed who plays:
    an umpire there has to be no party.
    """
    held = Counter(seats_of_people(campaign).values())
    plays = [] if campaign.plan.get("dice") == TYPED else [who for who in held if held[who] == 1]
    watches = campaign.watchers.exclude(person__in=list(held)).values_list("person", flat=True)
    found = Person.objects.filter(pk__in=[*plays, *watches], is_active=True)
    advises = Holder.objects.filter(seat__campaign=campaign).exclude(role=COMMANDER)
    found = found.exclude(pk__in=advises.values("person"))
    found = found.exclude(pk__in=campaign.guests.values("person"))
    return list(found.exclude(pk__in=campaign.umpires.values("person")).order_by("pk"))


def voices_of(campaign: Campaign) -> dict[str, int]:
    """Whom each seat names, of the voices that still count: its commander's, for somebody who can
    be named."""
    held, able = seats_of_people(campaign), {one.pk for one in nameable(campaign)}
    return {
        voice.seat: voice.named_id
        for voice in campaign.voices.order_by("pk")
        if held.get(voice.seat) == voice.by_id and voice.named_id in able
    }


def wanted(campaign: Campaign) -> int:
    """How many voices name an umpire: more than half of the seats that people hold."""
    return len(seats_of_people(campaign)) // 2 + 1


@transaction.atomic
def give_voice(visit: Visit, seat: str, number: int) -> bool:
    """Give a seat's voice to a person, by their number; whether they umpire from now on.

    Raises NotAllowed for a person who does not command the seat, and where an umpire has given a
    sign of life; NotUnderstood on somebody who cannot be named.
    """
    campaign = Campaign.objects.select_for_update().get(pk=visit.campaign.pk)
    if not visit.commands(seat) or visit.umpire:
        raise NotAllowed("naming.not_yours", part=seat)
    if silent_since(campaign) is None:
        raise NotAllowed("naming.not_silent", part=campaign.title)
    named = next((one for one in nameable(campaign) if one.pk == number), None)
    if named is None:
        raise NotUnderstood("naming.nobody", part=number)
    given = {"named": named, "by": visit.person}
    Voice.objects.update_or_create(campaign=campaign, seat=seat, defaults=given)
    voices = list(voices_of(campaign).values()).count(named.pk)
    enough = voices >= wanted(campaign)
    if enough:
        _name(campaign, named, voices)
    Pulse.objects.create(campaign=campaign, kind=COURSE)
    return enough


def _name(campaign: Campaign, named: Person, voices: int) -> None:
    """Put somebody in the place of the umpires, who were all silent."""
    held = seats_of_people(campaign)
    for before in [row.person for row in campaign.umpires.select_related("person")]:
        Naming.objects.create(
            campaign=campaign, named=named, before=before, voices=voices, seats=len(held)
        )
        if before.pk not in held.values():
            Watcher.objects.get_or_create(campaign=campaign, person=before)
    if not campaign.umpires.exists():
        Naming.objects.create(campaign=campaign, named=named, voices=voices, seats=len(held))
    campaign.umpires.all().delete()
    campaign.voices.all().delete()
    campaign.watchers.filter(person=named).delete()
    # What the old ones have handed out lets nobody in: who plays would let in who sees more.
    campaign.invitations.filter(used=None, by__isnull=False).exclude(
        by__in=list(held.values())
    ).delete()
    campaign.proposals.filter(done=None).update(done=timezone.now())
    Umpire.objects.create(campaign=campaign, person=named)


def lately_named(campaign: Campaign) -> list[Naming]:
    """Who was named so lately that everybody is to be told; one row for each who was replaced."""
    rows = campaign.namings.filter(at__gt=timezone.now() - SILENCE)
    return list(rows.select_related("named", "before").order_by("-pk"))
