"""A campaign of another club, played here for an evening: taken in by its file, and sent home."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
from django.db import transaction
from django.utils import timezone

from polemarque.bots.registry import STEADY, bot_names
from polemarque.club.campaigns.lobby import UMPIRE_ROLE, CampaignPlan
from polemarque.club.campaigns.session import COURSE, write_lock
from polemarque.club.models import (
    COMMANDER,
    LONGEST_NAME,
    RUNNING,
    SUCCESSOR,
    Campaign,
    Holder,
    Invitation,
    Person,
    Pulse,
    Seat,
    Seeds,
    Umpire,
)
from polemarque.club.transfer.models import Stay, stay_of
from polemarque.club.transfer.outgoing import unfinished
from polemarque.club.transfer.package import BACK, Cargo, Parcel, bare, opened
from polemarque.club.transfer.returning import add, check_continues, check_seeds, prove_apart
from polemarque.club.transfer.validate import head_of
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.position import plain
from polemarque.kernel.records.record import Header

CODE = re.compile(r"[-\w]{1,16}", re.ASCII)
"""What a campaign's code can be: it stands in addresses."""


def take_in(
    parcel: Parcel, code: str, person: Person | None,
    prove: Callable[[Cargo], None] = prove_apart,
) -> Campaign:  # fmt: skip
    """Take a campaign in that has left its club; anyone who brings it umpires it here.

    person: None where the club's operator does it: an invitation for an umpire is made then.
    Each seat that people play has an invitation.  A campaign that has been here before goes on with
    what has come since.  Raises Refusal, and then nothing has changed: anybody may hand anything
    in, so it is proved before it is kept.
    """
    if parcel.way == BACK:
        raise NotAllowed("hall.way_home")
    cargo = opened(parcel, code)
    prove(cargo)
    with transaction.atomic():
        found = Campaign.objects.select_for_update().filter(code=parcel.campaign).first()
        here = _made(parcel, cargo) if found is None else _gone_on(found, parcel, cargo, person)
        Stay.objects.create(
            campaign=here, mark=parcel.mark, code=bare(code), number=len(cargo.lines)
        )
        _let_in(here, person)
        Pulse.objects.create(campaign=here, kind=COURSE)
    return here


def _made(parcel: Parcel, cargo: Cargo) -> Campaign:
    """Raises NotUnderstood where the parts of a cargo do not go together."""
    try:
        header = convert(plain(msgspec.json.decode(cargo.header)), Header)
        plan = convert(cargo.plan, CampaignPlan)
    except msgspec.ValidationError:
        raise NotUnderstood("hall.no_file") from None
    if (header.campaign, header.system) != (parcel.campaign, plan.system) or (
        set(cargo.seats) != set(header.seats)
    ):
        raise NotUnderstood("hall.no_file")
    name = cargo.name.strip()
    if not (CODE.fullmatch(parcel.campaign) and name and name.isprintable()):
        raise NotUnderstood("hall.no_file")
    if len(cargo.at) != len(cargo.lines):
        raise NotUnderstood("hall.no_file")
    made = Campaign.objects.create(
        code=parcel.campaign, name=name[:LONGEST_NAME], plan=cargo.plan, stage=RUNNING,
        header=cargo.header.encode(), count=len(cargo.lines), head=head_of(cargo),
    )  # fmt: skip
    known = bot_names(header.system)
    for seat, bot in cargo.seats.items():
        program = bot if not bot or bot in known else STEADY
        Seat.objects.create(campaign=made, code=seat, bot=program)
    add(made, cargo, 0, min(cargo.at))
    return made


def _gone_on(campaign: Campaign, parcel: Parcel, cargo: Cargo, person: Person | None) -> Campaign:
    """The copy that is here from an evening before, with what has come since.

    A person who has read the whole record could make such a file, and would umpire by it.  What
    they cannot have read are the seeds; where dice are typed there are none, and an umpire brings
    it.
    """
    stay = stay_of(campaign)
    if stay is None:
        raise NotAllowed("hall.home", part=cargo.name)
    if stay.mark == parcel.mark:
        raise NotAllowed("hall.here", part=cargo.name)
    try:
        check_continues(campaign, campaign.count, cargo)
    except OutOfDate:
        raise NotAllowed("hall.forked", part=cargo.name) from None
    kept = Seeds.objects.filter(campaign=campaign).first()
    check_seeds(kept, cargo)
    brings = person is None or campaign.umpires.filter(person=person).exists()
    if kept is None and not brings:
        raise NotAllowed("hall.umpire_here", part=cargo.name)
    add(campaign, cargo, campaign.count, min(cargo.at))
    campaign.count, campaign.head, campaign.stage = len(cargo.lines), head_of(cargo), RUNNING
    campaign.asked, campaign.opened = timezone.now(), {}
    campaign.save()
    return campaign


def _let_in(campaign: Campaign, person: Person | None) -> None:
    """An umpire, and a link for each seat that nobody here plays."""
    if person is None:
        Invitation.objects.create(campaign=campaign, role=UMPIRE_ROLE)
    elif Holder.objects.filter(seat__campaign=campaign, person=person).exists():
        raise NotAllowed("hall.party_here", part=campaign.title)
    else:
        Umpire.objects.get_or_create(campaign=campaign, person=person)
    unused = campaign.invitations.filter(used=None, role=SUCCESSOR)
    for seat in campaign.seats.filter(bot=""):
        there = seat.holders.filter(role=COMMANDER).exists()
        if not there and not unused.filter(seat=seat.code, by=person).exists():
            Invitation.objects.create(campaign=campaign, seat=seat.code, role=SUCCESSOR, by=person)


def send_home(campaign: Campaign, person: Person | None) -> Stay:
    """Send a campaign home: it is shut here for good, and its file can be had.

    Raises NotAllowed if it is at home here, or something has to be settled first; Away if it was
    sent already.
    """
    with write_lock(campaign) as table:
        stay = stay_of(campaign)
        if stay is None:
            raise NotAllowed("hall.not_guest", part=campaign.title)
        for refusal in unfinished(campaign, table):
            if refusal.code != "desk.over":
                raise refusal
        stay.sent, stay.sent_by = timezone.now(), person
        stay.save(update_fields=["sent", "sent_by"])
        Pulse.objects.create(campaign=campaign, kind=COURSE)
    return stay
