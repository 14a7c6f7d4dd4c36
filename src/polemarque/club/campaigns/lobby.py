"""Making a campaign, letting people in, and beginning it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.core import signing
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from polemarque.bots.registry import check_bot
from polemarque.club.campaigns.session import COURSE, forget, read_lock, write_lock
from polemarque.club.models import (
    COMMANDER,
    GUEST,
    LONGEST_NAME,
    MEMBER,
    MUSTER,
    OVER,
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
    Watcher,
    new_code,
)
from polemarque.club.people.guests import guests_of, welcome
from polemarque.club.people.roles import playing_umpire
from polemarque.club.people.seat_handover import let_in_before, succeed
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate, Refusal
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.game import Game
from polemarque.kernel.new_game import new_header, opening
from polemarque.kernel.position import encode
from polemarque.kernel.records.commitment import WORD, committed_header, new_chains, new_word
from polemarque.kernel.records.record import COMMITTED, TYPED, Header, Word
from polemarque.kernel.system import find_system

SALT = "polemarque.invitation"
UMPIRE_ROLE = "umpire"
DOORS = frozenset(
    {
        (True, ""), (True, MEMBER), (True, SUCCESSOR), (True, GUEST),
        (False, UMPIRE_ROLE), (False, ""),
    }
)  # fmt: skip
"""What an invitation to a campaign may be for: (a seat is named, role)."""


class CampaignPlan(msgspec.Struct, frozen=True):
    """What is chosen when a campaign is made.

    dice: COMMITTED (by the server, to be checked by everybody) or TYPED (real ones).
    setup: a club's own set-up, over the scenario's.
    """

    system: str
    scenario: str = ""
    seats: int = 0
    options: dict[str, Any] = {}
    dice: str = COMMITTED
    setup: dict[str, Any] = {}

    def header(self) -> Header:
        """The header of the game that is planned.  Raises Refusal."""
        return new_header(
            self.system, scenario=self.scenario, seats=self.seats or None, setup=self.setup,
            options=self.options, dice=TYPED if self.dice == TYPED else "",
        )  # fmt: skip


def plan_of(campaign: Campaign) -> CampaignPlan:
    """What was chosen for a campaign."""
    return convert(campaign.plan, CampaignPlan)


@transaction.atomic
def make(
    title: str, plan: CampaignPlan, umpire: Person | None, *,
    bots: Mapping[str, str] | None = None, own: Sequence[str] = (),
    pace: int = 0, public: bool = False, code: str = "",
) -> Campaign:  # fmt: skip
    """A campaign whose seats are to be filled.

    bots: seat -> program.   umpire: who makes it, or None for one that nobody umpires.
    own:  the seats that the umpire plays.   code: its name in addresses, or a new one.
    Raises Refusal on a plan that cannot be played.
    """
    header = plan.header()
    opening(header)  # a bad set-up is refused here, not when six people have come
    for seat, name in (bots or {}).items():
        _named(header, seat)
        check_bot(name, plan.system)
    if own and plan.dice == TYPED:
        raise NotAllowed("muster.typed", part=own[0])
    campaign = Campaign.objects.create(
        name=title, plan=msgspec.to_builtins(plan), pace=pace, public=public,
        code=code or new_code(),
    )  # fmt: skip
    for seat in header.seats:
        Seat.objects.create(campaign=campaign, code=seat, bot=(bots or {}).get(seat, ""))
    if umpire is not None:
        Umpire.objects.create(campaign=campaign, person=umpire)
        for seat in own:
            _named(header, seat)
            sit_down(campaign, seat, umpire)
    return campaign


def _named(header: Header, code: str) -> None:
    """Raises NotUnderstood on a seat that the game does not have."""
    if code not in header.seats:
        raise NotUnderstood("seat.unknown", part=code, legal=header.seats)


# Seats -------------------------------------------------------------------------------------------


def sit_down(campaign: Campaign, code: str, person: Person, role: str = COMMANDER) -> None:
    """Put a person into a seat; a program that played it makes room.

    Raises NotUnderstood on no seat of the campaign, NotAllowed if somebody commands it already,
    and once it is played to a person who would command it.
    """
    seat = campaign.seat(code)
    if seat.holders.filter(person=person, role__in=(COMMANDER, role)).exists():
        raise NotAllowed("seat.yours", part=code)
    if role == COMMANDER:
        _still_mustering(campaign)
        if seat.holders.filter(role=COMMANDER).exists():
            raise NotAllowed("seat.taken", part=code)
        Seat.objects.filter(pk=seat.pk).update(bot="")
    Holder.objects.update_or_create(seat=seat, person=person, defaults={"role": role})
    Pulse.objects.create(campaign=campaign, kind=COURSE)


@transaction.atomic
def take_seat(campaign: Campaign, code: str, person: Person) -> None:
    """An umpire, who needs no invitation, sits down.  Raises as `sit_down`."""
    sit_down(_mustering(campaign), code, person)


@transaction.atomic
def clear_seat(campaign: Campaign, code: str) -> None:
    """Empty a seat of its people, its program and its word.  Raises NotUnderstood, NotAllowed."""
    seat = _mustering(campaign).seat(code)
    seat.holders.all().delete()
    Seat.objects.filter(pk=seat.pk).update(bot="", word="")
    Pulse.objects.create(campaign=campaign, kind=COURSE)


@transaction.atomic
def put_program(campaign: Campaign, code: str, name: str) -> None:
    """Have a program play a seat.  Raises NotUnderstood, and NotAllowed where somebody sits."""
    campaign = _mustering(campaign)
    seat = campaign.seat(code)
    check_bot(name, plan_of(campaign).system)
    if seat.holders.filter(role=COMMANDER).exists():
        raise NotAllowed("seat.taken", part=code)
    Seat.objects.filter(pk=seat.pk).update(bot=name)
    Pulse.objects.create(campaign=campaign, kind=COURSE)


@transaction.atomic
def put_programs(campaign: Campaign, name: str) -> None:
    """Have a program play each free seat; a link to one stays good.  Raises NotUnderstood."""
    campaign = _mustering(campaign)
    check_bot(name, plan_of(campaign).system)
    for code in empty_seats(campaign):
        put_program(campaign, code, name)


@transaction.atomic
def give_word(campaign: Campaign, code: str, word: str) -> None:
    """What a seat mixes into committed dice; "" for a random one.  Raises Refusal."""
    seat = _mustering(campaign).seat(code)
    Seat.objects.filter(pk=seat.pk).update(word=WORD.take(word.strip()))


@transaction.atomic
def call_off(campaign: Campaign) -> None:
    """Give up a campaign that has not begun: nothing is left of it, and its links open nothing.

    Raises NotAllowed once it has begun: what was played stays.
    """
    _mustering(campaign).delete()


def _mustering(campaign: Campaign) -> Campaign:
    """The campaign as it stands, kept so until the transaction ends.  Raises NotAllowed."""
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    _still_mustering(campaign)
    return campaign


def _still_mustering(campaign: Campaign) -> None:
    if campaign.stage != MUSTER:
        raise NotAllowed("muster.begun", part=campaign.title)


# Invitations -------------------------------------------------------------------------------------


def invite(campaign: Campaign | None, by: Person | None, seat: str = "", role: str = "") -> str:
    """A new link's secret part: it lets one person in, once."""
    made = Invitation.objects.create(campaign=campaign, by=by, seat=seat, role=role)
    return token_of(made)


@transaction.atomic
def open_door(
    campaign: Campaign, by: Person, seat: str = "", role: str = "", path: str = "", place: str = ""
) -> Invitation:
    """The invitation of that kind that nobody has used yet: made if there is none.

    seat, role, path, place: see `models.Invitation`.  Raises NotUnderstood, NotAllowed where it
    would be void.
    """
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    if (bool(seat), role) not in DOORS:
        raise NotUnderstood("invitation.kind", part=role)
    if seat:
        held = campaign.seat(seat).holders.filter(role=COMMANDER).exists()
        if not role:
            _still_mustering(campaign)
            if held:
                raise NotAllowed("seat.taken", part=seat)
    kind = {"seat": seat, "role": role, "path": path, "place": place}
    unused = campaign.invitations.filter(**kind, used=None)
    if seat and campaign.stage != MUSTER:  # by whom it is decides what it opens
        unused = unused.filter(by=by)
    return unused.first() or Invitation.objects.create(campaign=campaign, by=by, **kind)


def close_door(campaign: Campaign, number: int) -> None:
    """Withdraw an invitation that nobody has used; one that is not there is withdrawn already."""
    campaign.invitations.filter(pk=number, used=None).delete()


def open_doors(campaign: Campaign) -> Sequence[Invitation]:
    """The invitations that nobody has used, oldest first."""
    return tuple(campaign.invitations.filter(used=None).order_by("pk"))


def token_of(invitation: Invitation) -> str:
    """The secret part of an invitation's link."""
    return signing.Signer(salt=SALT).sign(invitation.secret)


def invitation_of(token: str) -> Invitation:
    """The invitation that a link stands for.

    Raises NotAllowed if there is none, OutOfDate if it was used already.
    """
    try:
        secret = signing.Signer(salt=SALT).unsign(token)
    except signing.BadSignature:
        raise NotAllowed("invitation.none", part=token[:20]) from None
    found = Invitation.objects.filter(secret=secret).select_related("campaign", "by").first()
    if found is None:
        raise NotAllowed("invitation.none", part=token[:20])
    if found.used is not None:
        raise OutOfDate("invitation.used", part=token[:20])
    return found


@transaction.atomic
def accept(token: str, person: Person, word: str = "") -> Invitation:
    """Let a person in by an invitation, which is used then; `word`: that of the seat's new holder.

    Raises NotAllowed, OutOfDate; then the person is not let in, and the invitation may be used
    still.
    """
    invitation = invitation_of(token)
    # Of two who come at once, one finds it used.
    taken = Invitation.objects.filter(pk=invitation.pk, used=None)
    if not taken.update(used=timezone.now()):
        raise OutOfDate("invitation.used", part=token[:20])
    campaign = invitation.campaign
    if campaign is None:
        return invitation
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    _check_sides(campaign, invitation, person)
    if invitation.role == UMPIRE_ROLE:
        if not Umpire.objects.get_or_create(campaign=campaign, person=person)[1]:
            raise NotAllowed("invitation.needless", part=campaign.title)
    elif invitation.role == SUCCESSOR:
        succeed(invitation, person)
    elif invitation.role == GUEST:
        welcome(invitation, person)
    elif invitation.seat:
        sit_down(campaign, invitation.seat, person, invitation.role or COMMANDER)
        if word and not invitation.role:
            give_word(campaign, invitation.seat, word)
    elif not Watcher.objects.get_or_create(campaign=campaign, person=person)[1]:
        raise NotAllowed("invitation.needless", part=campaign.title)
    return invitation


def _check_sides(campaign: Campaign, invitation: Invitation, person: Person) -> None:
    """An umpire advises no seat: they would know its orders, and yet be taken for no party.  Once
    it is played nobody changes sides: the record says which seat an umpire plays.

    Raises NotAllowed.
    """
    seated = Holder.objects.filter(seat__campaign=campaign, person=person)
    umpires = campaign.umpires.filter(person=person).exists()
    advises = seated.filter(role=MEMBER).exists()
    if (umpires and invitation.role == MEMBER) or (advises and invitation.role == UMPIRE_ROLE):
        raise NotAllowed("invitation.adviser", part=campaign.title)
    if campaign.stage == MUSTER or not (invitation.role or invitation.seat):
        return
    with read_lock(campaign) as table:
        guests = guests_of(campaign, table).values()
    elsewhere = [each for each in guests if each.person == person and each.seat != invitation.seat]
    if umpires or elsewhere or seated.exclude(seat__code=invitation.seat).exists():
        raise NotAllowed("invitation.party", part=campaign.title)


# Beginning ---------------------------------------------------------------------------------------


def empty_seats(campaign: Campaign) -> Sequence[str]:
    """The seats that neither people nor a program play."""
    free = campaign.seats.filter(bot="").exclude(holders__role=COMMANDER)
    return tuple(free.values_list("code", flat=True))


def hindrances(campaign: Campaign) -> list[Refusal]:
    """Why a campaign cannot begin yet, each as the refusal that `begin` would give."""
    found: list[Refusal] = []
    empty = empty_seats(campaign)
    if empty:
        found.append(NotAllowed("muster.empty", part=", ".join(empty), legal=empty))
    if plan_of(campaign).dice == TYPED:
        # Somebody who is no party has to type them.
        playing = playing_umpire(campaign)
        if playing:
            found.append(NotAllowed("muster.typed", part=playing))
        elif not campaign.umpires.exists():
            found.append(NotAllowed("muster.nobody", part=campaign.title))
    umpired, others = _commanded(campaign)
    if len(umpired) > 1 and others:
        # The record knows one seat of a playing umpire: a second one could look before it seals.
        found.append(NotAllowed("muster.umpires", part=", ".join(umpired)))
    return found


def _commanded(campaign: Campaign) -> tuple[list[str], list[str]]:
    """The seats that umpires command, and those that other people do."""
    umpires = set(campaign.umpires.values_list("person", flat=True))
    held = Holder.objects.filter(seat__campaign=campaign, role=COMMANDER).order_by("seat__pk")
    pairs = list(held.values_list("seat__code", "person"))
    return (
        [code for code, person in pairs if person in umpires],
        [code for code, person in pairs if person not in umpires],
    )


def begin(campaign: Campaign) -> None:
    """Begin a campaign: its record is opened, words are given, and the first questions asked.

    Invitations to command a seat are void from then on, and where an umpire plays all that are for
    a seat, or to umpire.  Raises NotAllowed if it has begun
    already, or with the first of its `hindrances`; then nothing has changed.
    """
    try:
        with transaction.atomic():
            _begin(_mustering(campaign))
    except BaseException:
        forget(campaign)
        raise
    campaign.refresh_from_db()


def begin_duel(campaign: Campaign) -> bool:
    """Begin a game of two seats of which its maker plays one, once both are filled.

    Nobody else is waited for then.  Whether it has begun.
    """
    if campaign.stage != MUSTER or not is_duel(campaign) or hindrances(campaign):
        return False
    try:
        begin(campaign)
    except Refusal:  # somebody has changed something meanwhile: the page says what is missing
        return False
    return True


def is_duel(campaign: Campaign) -> bool:
    """Whether two seats play, and umpires command one of them."""
    return campaign.seats.count() == 2 and len(_commanded(campaign)[0]) == 1


def may_rematch(campaign: Campaign) -> bool:
    """Whether it is a duel that is over, and somebody plays each of its seats still."""
    return campaign.stage == OVER and is_duel(campaign) and not hindrances(campaign)


@transaction.atomic
def rematch(campaign: Campaign) -> Campaign:
    """The same duel with its seats swapped, begun; there is one, however often it is asked for.

    Raises NotAllowed unless it `may_rematch`; then nothing is made.
    """
    campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
    # Its name in addresses follows from that of the first: so the second to ask finds it.
    code = salted_hmac("polemarque.rematch", campaign.code).hexdigest()[:12]
    found = Campaign.objects.filter(code=code).first()
    if found is not None:
        return found
    if not may_rematch(campaign):
        raise NotAllowed("muster.no_rematch", part=campaign.title)
    seats = list(campaign.seats.all())
    swapped = {seat.code: other.code for seat, other in zip(seats, seats[::-1], strict=True)}
    held = Holder.objects.filter(seat__campaign=campaign, role=COMMANDER)
    people = {swapped[each.seat.code]: each.person for each in held}
    own = swapped[playing_umpire(campaign)]
    made = make(
        _numbered(campaign.name), plan_of(campaign), people.pop(own), own=[own],
        bots={swapped[seat.code]: seat.bot for seat in seats if seat.bot},
        pace=campaign.pace, public=campaign.public, code=code,
    )  # fmt: skip
    made.clock = campaign.clock
    made.save(update_fields=["clock"])
    for seat, person in people.items():
        sit_down(made, seat, person)
    begin(made)
    return made


def _numbered(name: str) -> str:
    """What the next game of the same name is called: "Marathon (2)", then "Marathon (3)"."""
    found = re.fullmatch(r"(.+) \((\d{1,3})\)", name)
    stem, number = (found[1], int(found[2])) if found else (name, 1)
    last = f" ({number + 1})"
    return stem[: LONGEST_NAME - len(last)] + last


def _begin(campaign: Campaign) -> None:
    for refusal in hindrances(campaign):
        raise refusal
    header = msgspec.structs.replace(
        plan_of(campaign).header(), umpire=playing_umpire(campaign), campaign=campaign.code
    )
    if header.dice != TYPED:
        chains = new_chains(header.seats)
        header = committed_header(header, chains)
        Seeds.objects.create(campaign=campaign, last=Seeds.said(chains)[0])
    campaign.header, campaign.stage = encode(header), RUNNING
    campaign.asked = timezone.now()
    campaign.save()
    unused = campaign.invitations.filter(used=None)
    unused.filter(role="").exclude(seat="").delete()
    if header.umpire:  # who plays lets in nobody who would see more
        unused.exclude(role="").delete()
    with write_lock(campaign) as table:
        if table.game.committed:
            give_words(campaign, table.game)
        table.game.settle()
    let_in_before(campaign)


def give_words(campaign: Campaign, game: Game) -> None:
    """Each word that is still to come, a playing umpire's first; random where nobody typed one."""
    typed = dict(campaign.seats.values_list("code", "word"))
    awaited = game.commitment.words_awaited
    for seat in sorted(awaited, key=lambda seat: seat != game.header.umpire):
        game.enter(Word(seat, typed.get(seat) or new_word()))


def system_title(plan: CampaignPlan, lang: str) -> str:
    """What the system of a plan is called."""
    return find_system(plan.system).titles[lang]
