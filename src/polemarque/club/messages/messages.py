"""What seats write to each other, out of the game: letters, read by those alone they are for.

A letter is from a voice to others; voices are the seats that people command, and the campaign's
umpires together.  All who command or advise a seat read what it is sent.  Umpires read what is
written to them, and a letter that a seat which has it shows them; a player whom the seats have
named umpire nothing of before, as it was meant for somebody who is no party.  Nothing of it enters
a record, and nothing tells others that anybody has written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils import timezone

from polemarque.club.clock.models import put_out
from polemarque.club.messages.models import LONGEST_LETTER, Complaint, DoorShut, Letter, LetterRead
from polemarque.club.models import COMMANDER, OVER, Campaign, Holder, Person
from polemarque.club.people.roles import Visit, speakers, visit_of
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.request import UMPIRE

KEPT = timedelta(days=90)
"""How long after the last entry of a campaign that is over its letters are kept."""

MOST = 40
"""Letters that somebody may write within an `HOUR` in one campaign."""

HOUR = timedelta(hours=1)


class Exchange(msgspec.Struct, frozen=True):
    """Letters among the same voices, as one reader has them.

    among: all of them.   unread: how many letters the reader has not seen yet.   at: when the last
           came.
    """

    among: tuple[str, ...]
    unread: int
    at: datetime


def among_of(voices: Iterable[str]) -> str:
    """The voices of an exchange as rows and addresses carry them: each once, in order."""
    return ",".join(sorted(set(voices)))


def voices(campaign: Campaign) -> tuple[str, ...]:
    """Who can be written to: the seats that people command, and the umpires if there are any."""
    held = Holder.objects.filter(seat__campaign=campaign, seat__bot="", role=COMMANDER)
    seats = held.order_by("seat__pk").values_list("seat__code", flat=True)
    return (*dict.fromkeys(seats), *((UMPIRE,) if campaign.umpires.exists() else ()))


def own_voices(visit: Visit) -> tuple[str, ...]:
    """For whom a person may write: the seats that they command, and the umpires if they are one;
    for nobody as the guest of one battle."""
    if visit.within:
        return ()
    own = tuple([seat for seat in visit.seats if visit.commands(seat)])
    return own + (UMPIRE,) * visit.umpire


def ears(visit: Visit) -> frozenset[str]:
    """Whose letters a person reads: those of all their seats, and of the umpires if they are one; a
    guest of one battle none."""
    if visit.within:
        return frozenset()
    return frozenset([*visit.seats, *((UMPIRE,) if visit.umpire else ())])


class _Row(NamedTuple):
    """A letter but for its words.   number: that of its row.   person: whose hand it is."""

    among: str
    number: int
    person: int | None
    at: datetime


def _heard(visit: Visit, among: Sequence[str] | None = None) -> list[_Row]:
    """Every letter that a reader has, the oldest first.   among: of these exchanges alone."""
    if not ears(visit):
        return []
    has, kept = _reads(visit), visit.campaign.letters.all()
    rows = kept if among is None else kept.filter(among__in=among)
    told = map(_Row._make, rows.values_list("among", "pk", "person", "at"))
    return [row for row in told if has(row.among, row.at)]


def _reads(visit: Visit) -> Callable[[str, datetime], bool]:
    """Whether a reader has what was written among some voices at some time."""
    own, since = ears(visit), _since(visit)
    parts: dict[str, frozenset[str]] = {}

    def has(among: str, at: datetime) -> bool:
        if among not in parts:
            parts[among] = own & frozenset(among.split(","))
        as_whom = parts[among]
        return bool(as_whom - {UMPIRE}) or (bool(as_whom) and (since is None or at >= since))

    return has


def _since(visit: Visit) -> datetime | None:
    """From when on an umpire reads what umpires are sent, or None; a player since being named."""
    if not (visit.umpire and visit.seats):
        return None
    named = visit.campaign.namings.filter(named=visit.person).order_by("-pk").first()
    return named.at if named is not None else None


def _seen(visit: Visit) -> dict[str, int]:
    """Up to which letter a person has read each exchange."""
    rows = visit.campaign.letters_read.filter(person=visit.person)
    return dict(rows.values_list("among", "upto"))


def exchanges(visit: Visit) -> list[Exchange]:
    """The exchanges that a reader has a part in, the one with the newest letter first."""
    seen = _seen(visit)
    found: dict[str, list[_Row]] = {}
    for row in _heard(visit):
        found.setdefault(row.among, []).append(row)
    told = [
        Exchange(
            tuple(among.split(",")),
            sum(_is_new(visit, row, seen) for row in rows),
            rows[-1].at,
        )
        for among, rows in found.items()
    ]
    return sorted(told, key=lambda one: one.at, reverse=True)


def _is_new(visit: Visit, row: _Row, seen: dict[str, int]) -> bool:
    return row.number > seen.get(row.among, 0) and row.person != visit.person.pk


def unread(visit: Visit) -> int:
    """How many letters somebody has not read yet.

    Every page of a campaign asks: of exchanges without a new one no letter is looked at.
    """
    own = ears(visit)
    if not own:
        return 0
    seen = _seen(visit)
    theirs = visit.campaign.letters.exclude(person=visit.person).order_by()
    last = theirs.values_list("among").annotate(last=Max("pk"))
    new = [a for a, upto in last if upto > seen.get(a, 0) and own & set(a.split(","))]
    return sum(_is_new(visit, row, seen) for row in _heard(visit, new)) if new else 0


def letters(visit: Visit, among: str) -> list[Letter]:
    """The letters of one exchange, the oldest first; the reader has read them now.

    Raises NotAllowed for a person who has no part in it.
    """
    if not ears(visit) & set(among.split(",")):
        raise NotAllowed("letters.not_yours")
    has = _reads(visit)
    kept = visit.campaign.letters.filter(among=among).select_related("person")
    rows = [row for row in kept if has(row.among, row.at)]
    if rows:
        LetterRead.objects.update_or_create(
            campaign=visit.campaign, person=visit.person, among=among,
            defaults={"upto": rows[-1].pk},
        )  # fmt: skip
    return rows


# Writing -----------------------------------------------------------------------------------------


def write_letter(visit: Visit, voice: str, to: Sequence[str], text: str, once: str) -> Letter:
    """Write a letter; anyone who speaks for those it is for, and had read all before it, is told.

    to: the other voices.   once: names the filled form: sent twice it is written once, and filled
    in otherwise, from a page gone back to, it is another letter.
    Raises NotAllowed where the umpires let nobody write, for a voice that is not theirs, to a seat
    that takes nothing from it, and on too many letters; NotUnderstood on nobody, on who cannot be
    written to, and on a text that is empty, too long or not to be printed.
    """
    campaign, once = visit.campaign, _known_by(visit, voice, to, text, once)
    sent = campaign.letters.filter(once=once).first()
    if sent is not None:
        return sent
    if voice not in own_voices(visit):
        raise NotAllowed("letters.not_your_voice", part=voice)
    if not campaign.letters_open and UMPIRE not in {voice, *to}:
        raise NotAllowed("letters.closed", part=campaign.title)
    able = voices(campaign)
    others = set(to) - {voice}
    wrong = next((one for one in to if one not in able), None)
    if wrong is not None or not others:
        legal = [one for one in able if one != voice]
        raise NotUnderstood("letters.to", part=wrong or "", legal=legal)
    _check_doors(campaign, voice, others, able)
    text = _printable(text)
    own = campaign.letters.filter(person=visit.person, at__gt=timezone.now() - HOUR)
    if own.count() >= MOST:
        raise NotAllowed("letters.many", legal=(MOST,))
    told = [
        one
        for one in speakers(campaign, others) - {visit.person}
        if not unread(visit_of(campaign, one))
    ]
    try:
        with transaction.atomic():
            sent = Letter.objects.create(
                campaign=campaign, voice=voice, among=among_of([voice, *others]),
                person=visit.person, text=text, once=once,
            )  # fmt: skip
            put_out(campaign, told, "letters.mail", f"letter.{sent.pk}")
    except IntegrityError:  # sent twice at once
        return campaign.letters.get(once=once)
    return sent


def _known_by(visit: Visit, voice: str, to: Sequence[str], text: str, once: str) -> str:
    filled = (once, visit.person.pk, voice, among_of(to), text)
    return hashlib.sha256(msgspec.json.encode(filled)).hexdigest()


def _check_doors(campaign: Campaign, voice: str, others: set[str], able: Sequence[str]) -> None:
    """Raises NotAllowed if one of those it is for takes nothing from its writer.

    What is for everybody comes to everybody, where that is more than one.
    """
    if others == set(able) - {voice} and len(others) > 1:
        return
    shut = campaign.doors_shut.filter(seat__in=others, against=voice).first()
    if shut is not None:
        raise NotAllowed("letters.shut", part=shut.seat)


def _printable(text: str) -> str:
    """A letter as it is kept: its lines, without what stands idle around them."""
    lines = [line.rstrip() for line in text.strip().splitlines()]
    if not lines or sum(map(len, lines)) + len(lines) > LONGEST_LETTER:
        raise NotUnderstood("letters.text", legal=(LONGEST_LETTER,))
    if not all(line.replace("\t", " ").isprintable() for line in lines):
        raise NotUnderstood("letters.text", legal=(LONGEST_LETTER,))
    return "\n".join(lines)


# Peace and order ---------------------------------------------------------------------------------


def shut_door(visit: Visit, seat: str, against: str, *, shut: bool) -> None:
    """Take no more letters from a voice, but those to everybody; or take them again.

    Raises NotAllowed to all but who commands the seat, NotUnderstood on the umpires, whom nobody
    shuts out, and on who is not there.
    """
    if not visit.commands(seat):
        raise NotAllowed("letters.not_your_voice", part=seat)
    able = [one for one in voices(visit.campaign) if one not in {seat, UMPIRE}]
    if against not in able and shut:
        raise NotUnderstood("letters.to", part=against, legal=able)
    rows = visit.campaign.doors_shut.filter(seat=seat, against=against)
    if shut:
        DoorShut.objects.get_or_create(campaign=visit.campaign, seat=seat, against=against)
    else:
        rows.delete()


def doors_shut_by(visit: Visit) -> list[tuple[str, str]]:
    """(seat, whom it shuts out), of the seats that a person commands."""
    own = [seat for seat in visit.seats if visit.commands(seat)]
    rows = visit.campaign.doors_shut.filter(seat__in=own).order_by("pk")
    return list(rows.values_list("seat", "against"))


def show_umpires(visit: Visit, number: int) -> None:
    """Show the umpires a letter that one has been sent.

    Raises NotAllowed on one that was not, and to anyone who commands no seat that has it.
    """
    row = visit.campaign.letters.filter(pk=number).first()
    among = row.among.split(",") if row is not None else []
    mine = next((seat for seat in among if visit.commands(seat)), None)
    if row is None or mine is None or row.voice == mine:
        raise NotAllowed("letters.not_yours")
    Complaint.objects.get_or_create(letter=row, seat=mine)


def complaints(visit: Visit) -> list[Complaint]:
    """What the umpires were shown and have not done with, the oldest first; for umpires."""
    rows = Complaint.objects.filter(letter__campaign=visit.campaign, settled=None)
    since = _since(visit)
    if since is not None:
        rows = rows.filter(at__gte=since)
    return list(rows.select_related("letter").order_by("pk")) if visit.umpire else []


@transaction.atomic
def settle_complaint(visit: Visit, number: int, *, strike: bool) -> None:
    """Have done with a letter that was shown: strike it for all who have it, or leave it.

    Raises NotAllowed to all but umpires without a seat.
    """
    row = next((row for row in complaints(visit) if row.pk == number), None)
    if row is None:
        raise NotAllowed("letters.not_yours")
    if not visit.neutral:
        raise NotAllowed("letters.neutral", part=row.letter.voice)
    now = timezone.now()
    row.letter.complaints.filter(settled=None).update(settled=now)
    if strike:
        Letter.objects.filter(pk=row.letter.pk).update(struck=now)


def open_letters(visit: Visit, *, opened: bool) -> None:
    """Let seats write to each other, or to the umpires alone.

    Raises NotAllowed to all but umpires without a seat.
    """
    if not visit.umpire:
        raise NotAllowed("letters.not_yours")
    if not visit.neutral:
        raise NotAllowed("letters.neutral", part=visit.campaign.title)
    Campaign.objects.filter(pk=visit.campaign.pk).update(letters_open=opened)


def forget_hand(person: Person) -> None:
    """Take the words out of all that a person has written, as their account goes."""
    Letter.objects.filter(person=person).update(text="", person=None)


def throw_away() -> int:
    """Throw away the letters of campaigns that have long been over; how many there were."""
    last = Campaign.objects.filter(stage=OVER).annotate(last=Max("entries__at"))
    old = last.filter(Q(last__lt=timezone.now() - KEPT) | Q(last=None)).values("pk")
    LetterRead.objects.filter(campaign__in=old).delete()
    letters = Letter.objects.filter(campaign__in=old)
    number = letters.count()
    letters.delete()
    return number
