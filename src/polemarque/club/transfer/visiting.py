"""A campaign of another club, played here for an evening: taken in by its file, and sent home.

So is a game that was played in a file of its own: its stay has no code, and it goes home as a file.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping

import msgspec
from django.db import transaction
from django.utils import timezone

from polemarque.bots.registry import STEADY, bot_names
from polemarque.club.campaigns.lobby import UMPIRE_ROLE, CampaignPlan, give_words
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
from polemarque.club.transfer.package import BACK, OUT, Cargo, Parcel, bare, opened
from polemarque.club.transfer.returning import (
    add,
    check_continues,
    check_seeds,
    prove_apart,
    prove_here,
)
from polemarque.club.transfer.validate import head_of
from polemarque.club.umpire.acts import check_running
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.new_game import opening
from polemarque.kernel.position import encode, plain
from polemarque.kernel.records.commitment import Chains
from polemarque.kernel.records.entries import write_lines
from polemarque.kernel.records.record import COMMITTED, Header, Record

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
    return _taken_in(parcel, cargo, bare(code), person)


def take_in_file(
    name: str, record: Record, chains: Chains | None, bots: Mapping[str, str]
) -> Campaign:
    """Take a game in that was played in a file; an invitation for an umpire is made.

    name: of the campaign.   chains: the seeds kept beside the file, None where it has none.
    bots: seat -> program.
    A game that was here before, and went back to its file, goes on with what has come since.
    Raises Refusal, and then nothing has changed: dice that are not committed, a game that is over
    or here already, another course of it, or a record that cannot be proved.
    """
    header = record.header
    if header.dice != COMMITTED or chains is None:
        raise NotAllowed("hall.uncommitted", part=name)
    if record.complete:
        raise NotAllowed("desk.over", part=name)
    opening(header)  # which says what is missing here: its system, its edition
    plan = CampaignPlan(
        header.system, seats=len(header.seats), options=header.options, setup=header.setup
    )
    lines = write_lines(record.entries, header.version).splitlines()
    last, *further = Seeds.said(chains)
    cargo = Cargo(
        name, msgspec.to_builtins(plan), encode(header).decode(), [each.decode() for each in lines],
        [timezone.now()] * len(lines), {seat: bots.get(seat, "") for seat in header.seats},
        last, further, [],
    )  # fmt: skip
    prove_here(cargo)
    parcel = Parcel(1, OUT, header.campaign, secrets.token_hex(16), len(lines), "")
    with transaction.atomic():
        here = _taken_in(parcel, cargo, "", None)
        with write_lock(here) as table:  # the file may end in the middle of a throw
            give_words(here, table.game)
            table.game.settle()
            check_running(table)
    return here


def _taken_in(parcel: Parcel, cargo: Cargo, code: str, person: Person | None) -> Campaign:
    with transaction.atomic():
        found = Campaign.objects.select_for_update().filter(code=parcel.campaign).first()
        here = _made(parcel, cargo) if found is None else _gone_on(found, parcel, cargo, person)
        Stay.objects.create(campaign=here, mark=parcel.mark, code=code, number=len(cargo.lines))
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
    if stay.mark == parcel.mark or not (stay.code or stay.sent):
        raise _here(campaign, cargo)
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


def _here(campaign: Campaign, cargo: Cargo) -> NotAllowed:
    """That a campaign is here, and from which entry on the file that was brought is another."""
    entry, differs, more = 0, 0, max(0, len(cargo.lines) - campaign.count)
    try:
        check_continues(campaign, min(campaign.count, len(cargo.lines)), cargo)
    except OutOfDate as refusal:
        entry, differs = int(refusal.part), 1
    return NotAllowed("hall.here", part=campaign.title, entry=entry, differs=differs, more=more)


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
