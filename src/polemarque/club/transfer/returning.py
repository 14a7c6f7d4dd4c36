"""A campaign that comes back from the hall: looked over whole, then added in one transaction.

It is taken only if its record continues the very one that left.  All of it is played again, every
roll made once more from the seeds that this club has kept, and every receipt held against it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.utils import timezone

from polemarque.club.campaigns.session import reopening
from polemarque.club.models import Campaign, Entry, Person, Receipt, Seeds
from polemarque.club.server.subprocesses import apart
from polemarque.club.transfer.models import Outing, hour
from polemarque.club.transfer.outgoing import BROUGHT, end
from polemarque.club.transfer.package import OUT, Cargo, Parcel, opened
from polemarque.club.transfer.validate import proved
from polemarque.kernel.errors import NotAllowed, OutOfDate

LIMIT = 180.0
"""Seconds in which a record has to be proved that comes back: it does so once an evening."""


def prove_apart(cargo: Cargo) -> None:
    """Raises what is wrong with a cargo, found out in a process apart; NotAllowed if it takes too
    long, or while something else is proved."""
    apart("verify", proved, cargo, limit=LIMIT)


def prove_here(cargo: Cargo) -> None:
    """The same here and now, as long as it takes.  Raises Refusal."""
    refusal = proved(cargo)
    if refusal is not None:
        raise refusal


def bring(
    campaign: Campaign, parcel: Parcel, person: Person | None,
    prove: Callable[[Cargo], None] = prove_apart,
) -> Outing:  # fmt: skip
    """Take a campaign back with what was played in the hall, and open it again.

    Raises Refusal, and then nothing has changed: the file is none of this outing's, was brought
    already or called back, was changed, or holds another course of the game or a false one.
    """
    outing = awaited(campaign, parcel)
    cargo = opened(parcel, outing.code)
    check_continues(campaign, outing.number, cargo)
    kept = Seeds.objects.filter(campaign=campaign).first()
    check_seeds(kept, cargo)
    prove(cargo)
    with reopening(campaign) as table:
        outing = awaited(campaign, parcel)  # of two who bring it at once, one finds it brought
        if (table.count, table.head) != (outing.number, outing.head):
            raise OutOfDate("hall.differs", part=outing.number)
        add(campaign, cargo, outing.number, outing.at)
        table.catch_up(campaign)
        end(campaign, table, outing, BROUGHT, person)
    return outing


def awaited(campaign: Campaign, parcel: Parcel) -> Outing:
    """The outing that a file ends.  Raises NotAllowed if it can end none."""
    outing = Outing.objects.filter(campaign=campaign, mark=parcel.mark).first()
    if outing is None or parcel.campaign != campaign.code:
        raise NotAllowed("hall.other", part=campaign.title)
    if outing.ended is not None:
        code = "hall.recalled" if outing.returned is None else "hall.brought"
        raise NotAllowed(code, part=str(outing.ended_by or ""), at=hour(outing.ended))
    if parcel.way == OUT:
        raise NotAllowed("hall.not_played", part=campaign.title)
    return outing


def check_continues(campaign: Campaign, number: int, cargo: Cargo) -> None:
    """Raises OutOfDate where a cargo does not begin with the first entries of a campaign here.

    number: so many of them.
    """
    assert campaign.header is not None
    if cargo.header != bytes(campaign.header).decode():
        raise OutOfDate("hall.differs", part=0)
    if len(cargo.lines) < number or len(cargo.at) != len(cargo.lines):
        raise OutOfDate("hall.short", part=len(cargo.lines), legal=(number,))
    ours = campaign.entries.filter(number__lte=number).values_list("body", flat=True)
    for place, body in enumerate(ours, 1):
        if cargo.lines[place - 1].encode() != bytes(body):
            raise OutOfDate("hall.differs", part=place)


def check_seeds(kept: Seeds | None, cargo: Cargo) -> None:
    """Raises OutOfDate on other seeds than those that are kept here, and further ones."""
    last, further = (kept.last, kept.further) if kept is not None else (None, [])
    if cargo.seeds != last or cargo.further[: len(further)] != further:
        raise OutOfDate("hall.seeds")


# The rows ----------------------------------------------------------------------------------------


def add(campaign: Campaign, cargo: Cargo, after: int, since: datetime) -> None:
    """Add the rows of a cargo that come after so many entries, within a transaction.

    since: a clock in the hall may be wrong: nothing was entered there before, nor is to come.
    """
    now = timezone.now()
    times = [min(max(at, since), now) for at in cargo.at]
    Entry.objects.bulk_create(
        Entry(campaign=campaign, number=number, body=line.encode(), at=at)
        for number, (line, at) in enumerate(zip(cargo.lines, times, strict=True), 1)
        if number > after
    )
    for kept in cargo.receipts:
        found = Receipt.objects.filter(campaign=campaign, number=kept.number, digest=kept.digest)
        if kept.number > after:
            Receipt.objects.create(
                campaign=campaign, seat=kept.seat, key=kept.key, digest=kept.digest,
                body=kept.body.encode(), number=kept.number, at=min(max(kept.at, since), now),
                replaced=kept.replaced,
            )  # fmt: skip
        elif kept.replaced:
            found.filter(replaced=False).update(replaced=True)
    if cargo.seeds is not None:
        Seeds.objects.update_or_create(
            campaign=campaign, defaults={"last": cargo.seeds, "further": cargo.further}
        )
