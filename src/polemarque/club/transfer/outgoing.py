"""An evening in the hall: a campaign taken to another club's machine, and called back from there.

The club that it leaves is shut for it until it comes back (see `returning`) or is called back; the
copy in the hall (see `visiting`) is shut once it is sent home.  So at every moment one copy at most
is played, and what comes back can only be the record that left, gone on.
"""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils import timezone

from polemarque.club.campaigns.session import LiveCampaign, reopening, write_lock
from polemarque.club.models import Campaign, Given, Person, Seeds, TypedDice
from polemarque.club.orders.standing_orders import left_by
from polemarque.club.people.roles import Visit
from polemarque.club.transfer.models import Outing, Stay, outing_of, stay_of
from polemarque.club.transfer.package import BACK, OUT, Cargo, KeptReceipt, new_code, packed
from polemarque.club.umpire.acts import check_running, open_proposals, today
from polemarque.club.umpire.secrets_read import enter_kept
from polemarque.kernel.errors import NotAllowed, Refusal
from polemarque.kernel.records.record import Moved

TAKEN, BROUGHT, RECALLED = "taken", "brought", "recalled"
"""How a campaign changes its place, as its record says it (see `kernel.entries.MOVES`)."""


def take(campaign: Campaign, visit: Visit | None) -> Outing:
    """Take a campaign out of its club; it is shut here from then on, and its file can be had.

    visit: of the umpire who takes it, None for the club's operator, who could read all of it
    anyway.  Raises Away if it is out already, or the first of its `hindrances`.
    """
    with write_lock(campaign) as table:
        for refusal in hindrances(campaign, table, visit):
            raise refusal
        person = visit.person if visit is not None else None
        _moved(campaign, table, TAKEN, person)
        return Outing.objects.create(
            campaign=campaign, mark=secrets.token_hex(16), code=new_code(), number=table.count,
            head=table.head, by=person,
        )  # fmt: skip


def hindrances(campaign: Campaign, table: LiveCampaign, visit: Visit | None) -> list[Refusal]:
    """Why a campaign cannot be taken out now, each as the refusal that `take` would give.

    Anyone who takes it runs it for an evening, and could read all that its file holds.  So it is
    for an umpire who plays no seat, at a moment when nothing waits that people have sealed or left
    in advance.
    """
    if visit is not None and not visit.neutral:
        return [NotAllowed("hall.party")]
    if campaign.show or stay_of(campaign) is not None:
        return [NotAllowed("hall.guest")]
    found = unfinished(campaign, table)
    if visit is not None and (waiting := secrets_of_people(campaign, table)):
        found.append(NotAllowed("hall.waits", part=", ".join(waiting), legal=waiting))
    return found


def unfinished(campaign: Campaign, table: LiveCampaign) -> list[Refusal]:
    """What has to be settled before a campaign changes its place: it is in no record."""
    found: list[Refusal] = []
    if TypedDice.objects.filter(campaign=campaign).exists():
        found.append(NotAllowed("hall.dice"))
    if open_proposals(campaign):
        found.append(NotAllowed("hall.acts"))
    try:
        check_running(table)
    except NotAllowed as refusal:
        found.append(refusal)
    return found


def secrets_of_people(campaign: Campaign, table: LiveCampaign) -> list[str]:
    """The seats of which something waits that nobody else may know: sealed, or left in advance."""
    people = campaign.seats.filter(bot="").values_list("code", flat=True)
    sealed = {seat for request in table.game.course.requests() for seat in request.answered}
    return [seat for seat in people if seat in sealed or left_by(table.game, seat)]


def recall(campaign: Campaign, person: Person | None) -> None:
    """Call a campaign back: it is played here again, and its file is void.

    Raises NotAllowed if it is not out.
    """
    with reopening(campaign) as table:
        outing = outing_of(campaign)
        if outing is None:
            raise NotAllowed("hall.not_out", part=campaign.title)
        end(campaign, table, outing, RECALLED, person)


def end(
    campaign: Campaign, table: LiveCampaign, outing: Outing, what: str, person: Person | None
) -> None:
    """End an outing, within the transaction by which the campaign is opened again.

    what: BROUGHT or RECALLED.
    """
    outing.ended, outing.ended_by = timezone.now(), person
    outing.returned = table.count if what == BROUGHT else None
    outing.save(update_fields=["ended", "ended_by", "returned"])
    _moved(campaign, table, what, person)
    enter_kept(campaign, table, outing.looked)


def _moved(campaign: Campaign, table: LiveCampaign, what: str, person: Person | None) -> None:
    table.game.enter(Moved(what, today()))
    row = table.put(campaign)[-1]
    Given.objects.create(campaign=campaign, entry=row, person=person, once=secrets.token_hex(16))


# The file ----------------------------------------------------------------------------------------


def file_of(trip: Outing | Stay) -> bytes:
    """The file of a campaign that is out, or of one that was sent home: the same as often as it is
    asked for, but for its seal.  Raises NotAllowed where the campaign could go on meanwhile."""
    with transaction.atomic():  # what is entered once it is called back is in no file
        trip.refresh_from_db(fields=["ended" if isinstance(trip, Outing) else "sent"])
        return _file_of(trip)


def _file_of(trip: Outing | Stay) -> bytes:
    campaign = trip.campaign
    if isinstance(trip, Outing):
        if trip.ended is not None:
            raise NotAllowed("hall.not_out", part=campaign.title)
        return packed(_cargo(campaign), OUT, campaign.code, trip.mark, trip.code)
    if trip.sent is None:
        raise NotAllowed("hall.not_sent", part=campaign.title)
    return packed(_cargo(campaign), BACK, campaign.code, trip.mark, trip.code)


def _cargo(campaign: Campaign) -> Cargo:
    assert campaign.header is not None
    rows = list(campaign.entries.values_list("body", "at"))
    seeds = Seeds.objects.filter(campaign=campaign).first()
    return Cargo(
        name=campaign.name,
        plan=campaign.plan,
        header=bytes(campaign.header).decode(),
        lines=[bytes(body).decode() for body, _ in rows],
        at=[at for _, at in rows],
        seats=dict(campaign.seats.values_list("code", "bot")),
        seeds=seeds.last if seeds is not None else None,
        further=seeds.further if seeds is not None else [],
        receipts=[
            KeptReceipt(
                kept.seat, kept.key, kept.digest, bytes(kept.body).decode(), kept.number, kept.at,
                kept.replaced,
            )
            for kept in campaign.receipts.all()
        ],
    )  # fmt: skip
