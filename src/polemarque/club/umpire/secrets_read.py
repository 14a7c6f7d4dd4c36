"""What umpires read of others' secrets: each kind is entered once a turn, for everybody to see.

An umpire who plays no seat may read everything but sealed answers, and one who plays is shown what
their office asks of them.  Both are trusted with it, and the record says that they have looked:
who, when, and at what kind of thing.  Pages that hold no secret, as where all lies open, enter
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from django.db import transaction

from polemarque.club.campaigns.session import LiveCampaign, read_lock, write_lock
from polemarque.club.models import Campaign, Given, Person
from polemarque.club.people.roles import Visit
from polemarque.club.transfer.models import is_here, outing_of
from polemarque.club.umpire.acts import today
from polemarque.kernel.records.record import LOOKS, Looked, Moved

STORY, BATTLES, ANSWERS, CHANGES, RECORD, ACCOUNT = LOOKS
"""Kinds of what is read."""


def look(visit: Visit, *kinds: str) -> None:
    """Enter what an umpire is about to read with other eyes than those of a seat.

    To be called before the page is made.  Nothing is entered of anyone who reads as a seat, of what
    holds no secret, nor once the game is over.
    """
    if visit.eye is None:
        look_as_umpire(visit, *kinds)


def look_as_umpire(visit: Visit, *kinds: str) -> None:
    """The same of what is shown to an umpire though they play."""
    campaign = visit.campaign
    with read_lock(campaign) as table:
        due = [kind for kind in kinds if _due(visit, table, kind)]
    if not due or kept_for_later(visit, due):
        return
    with write_lock(campaign) as table:
        for kind in due:
            if _due(visit, table, kind):
                _enter(campaign, table, visit.person, kind)


def _enter(campaign: Campaign, table: LiveCampaign, person: Person | None, kind: str) -> None:
    table.game.enter(Looked(kind, table.game.runner.period, today()))
    row = table.put(campaign)[-1]
    Given.objects.create(campaign=campaign, entry=row, person=person, once=uuid4().hex)


@transaction.atomic
def kept_for_later(visit: Visit, kinds: Sequence[str]) -> bool:
    """Whether a campaign is away, so that a reading is kept to be entered at its end; of one that
    was sent home from here nothing is entered here any more."""
    campaign = Campaign.objects.select_for_update().get(pk=visit.campaign.pk)
    outing = outing_of(campaign)
    if outing is None:
        return not is_here(campaign)
    outing.looked += [[visit.person.pk, kind] for kind in kinds]
    outing.save(update_fields=["looked"])
    return True


def enter_kept(campaign: Campaign, table: LiveCampaign, looked: Sequence[tuple[int, str]]) -> None:
    """Enter what umpires have read while a campaign was away; nothing once the game is over.

    To be called within the transaction by which it comes back.
    """
    for number, kind in [] if table.game.over else looked:
        _enter(campaign, table, Person.objects.filter(pk=number).first(), kind)


def _due(visit: Visit, table: LiveCampaign, kind: str) -> bool:
    """Whether a reading is to be entered: it is the first of its kind in the turn, and secret."""
    if table.game.over or not _secret(table, kind):
        return False
    now = (kind, table.game.runner.period)
    numbers = [
        number
        for number, each in enumerate(table.game.entries, 1)
        if isinstance(each, Looked) and (each.what, each.period) == now
    ]
    outing = outing_of(visit.campaign)
    if outing is not None and [visit.person.pk, kind] in outing.looked:
        return False
    mine = Given.objects.filter(campaign=visit.campaign, person=visit.person)
    return not mine.filter(entry__number__in=numbers).exists()


def _secret(table: LiveCampaign, kind: str) -> bool:
    """Whether there is anything of that kind that somebody may not know."""
    game = table.game
    if kind == STORY:
        return any(event.audience is not None for event in table.told)
    if kind == BATTLES:
        return any(runner.audience is not None for runner in game.runner.within())
    if kind == ACCOUNT:
        return True
    return not game.system.public_course


def lookers(campaign: Campaign, table: LiveCampaign) -> dict[int, str]:
    """Who has read something, or moved the campaign, by the number of the entry that says so."""
    numbers = [n for n, e in enumerate(table.game.entries, 1) if isinstance(e, (Looked, Moved))]
    given = Given.objects.filter(campaign=campaign, person__isnull=False)
    rows = given.filter(entry__number__in=numbers)
    return {each.entry.number: str(each.person) for each in rows.select_related("entry", "person")}
