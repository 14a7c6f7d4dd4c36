"""The umpire's desk: who owes an answer, his word to the late, and what he answers himself.

Whatever an umpire who plays may not know yet is kept from him here as on every other door: until he
has sealed, who is ready, how many questions are open and since when.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec
from django.db import IntegrityError, transaction

from polemarque.club.ahead import settle
from polemarque.club.answers import given_before, put_down
from polemarque.club.clerk import let_play
from polemarque.club.due import deadline, overdue, pressing
from polemarque.club.models import LONGEST_PACE, Campaign, Person, Pulse, Reminder
from polemarque.club.outings import check_here
from polemarque.club.reading import HIDDEN, READY, hides_readiness, playing_seats, readiness
from polemarque.club.roles import Visit
from polemarque.club.tables import COURSE, SEALED, Table, reading, writing
from polemarque.club.timing import Absence
from polemarque.kernel.errors import NotAllowed, NotUnderstood, NotYourTurn, OutOfDate
from polemarque.kernel.record import Answer
from polemarque.kernel.request import Key, Request

NOTHING, OPEN, GIVEN, FINAL = "nothing", "open", "given", "final"
"""How far a seat is: nothing is asked of it, so nothing can be missing; nothing is given yet; an
answer is given, which it may still replace; an answer is given that is final."""


class Owing(msgspec.Struct, frozen=True):
    """What a seat owes.

    state:    as `reading.Standing` has it.   far: NOTHING, OPEN, GIVEN or FINAL; "" if hidden.
    questions: keys of those that it has not answered.   since: when the first was put to it.
    reminded: when it was last reminded of them, or None.
    may_remind: whether it can be reminded now.   away: when whoever commands it is away next.
    """

    seat: str
    name: str
    who: str
    bot: str
    state: str
    far: str
    questions: Sequence[Key] = ()
    since: datetime | None = None
    reminded: datetime | None = None
    may_remind: bool = False
    away: Absence | None = None


def owing(visit: Visit, table: Table, lang: str) -> list[Owing]:
    """What each seat owes, as far as the umpire who looks may know."""
    blind = hides_readiness(visit, table)
    found = []
    for each in readiness(visit, table, lang):
        if each.state == HIDDEN or (blind and not each.mine):
            found.append(
                Owing(
                    each.seat, each.name, each.who, each.bot, each.state, "", away=each.away
                )
            )  # fmt: skip
            continue
        questions = unanswered(table, each.seat)
        last = standing_reminder(visit.campaign, table, each.seat)
        found.append(
            Owing(
                each.seat, each.name, each.who, each.bot, each.state,
                _far(visit, table, each.seat, each.state, questions), questions,
                min([visit.campaign.open_since(key) for key in questions], default=None),
                last.at if last else None,
                may_remind=not each.bot and not each.mine
                and bool(pressing(visit.campaign, questions))
                and (last is None or last.number < table.count),
                away=each.away,
            )
        )  # fmt: skip
    return found


def _far(visit: Visit, table: Table, seat: str, state: str, questions: Sequence[Key]) -> str:
    if questions:
        return OPEN
    if state != READY:
        return NOTHING
    return FINAL if seat in playing_seats(visit, table) else GIVEN


def unanswered(table: Table, seat: str) -> list[Key]:
    """The keys of the questions that are open to a seat and that it has not answered."""
    return [request.keys[seat] for request in table.game.requests(seat)]


# The late ----------------------------------------------------------------------------------------


def standing_reminder(campaign: Campaign, table: Table, seat: str) -> Reminder | None:
    """The last reminder of a seat that is still to be heeded: it has answered nothing since."""
    last = Reminder.objects.filter(campaign=campaign, seat=seat).order_by("-pk").first()
    if last is None or not table.game.requests(seat):
        return None
    since = table.game.entries[last.number :]
    heeded = any(isinstance(entry, Answer) and entry.key.seat == seat for entry in since)
    return None if heeded else last


def remind(visit: Visit, seat: str) -> list[Person]:
    """Remind a seat of what it owes; its people.

    Raises NotAllowed where the umpire may not know, where a program plays, or if it was reminded
    already and nothing has happened since, or owes the sheet of a battle alone whose hour is to
    come; NotYourTurn if it owes nothing.
    """
    campaign = visit.campaign
    with writing(campaign) as table:
        _check_late(visit, table, seat)
        if campaign.seats.filter(code=seat).exclude(bot="").exists():
            raise NotAllowed("desk.program", part=seat)
        if not pressing(campaign, unanswered(table, seat)):
            raise NotAllowed("desk.date_to_come", part=seat)
        try:
            with transaction.atomic():
                Reminder.objects.create(campaign=campaign, seat=seat, number=table.count)
        except IntegrityError:
            raise NotAllowed("desk.reminded", part=seat) from None
        Pulse.objects.create(campaign=campaign, kind=COURSE)
    return list(Person.objects.filter(holdings__seat__campaign=campaign, holdings__seat__code=seat))


def _check_late(visit: Visit, table: Table, seat: str) -> None:
    """Raises what stands against doing anything about a seat that has not answered."""
    if seat not in table.game.header.seats:
        raise NotUnderstood("seat.unknown", part=seat, legal=table.game.header.seats)
    if hides_readiness(visit, table):
        raise NotAllowed("desk.seal_first", part=seat)
    if not table.game.requests(seat):
        raise NotYourTurn("desk.owes_nothing", part=seat)


def set_pace(visit: Visit, hours: int) -> None:
    """Give everybody so many hours for each question, from 0 (no limit) to `LONGEST_PACE`.

    It holds for open questions too: more hours are an extension.  Raises NotUnderstood on another
    number; NotAllowed to an umpire who plays where it would leave his opponents less time, or no
    date at all: without one he could act for the absent at once.
    """
    if not 0 <= hours <= LONGEST_PACE:
        raise NotUnderstood("desk.bad_pace", part=hours, legal=(f"0-{LONGEST_PACE}",))
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=visit.campaign.pk)
        check_here(campaign)
        now = campaign.pace
        if not visit.neutral and hours != now and not 0 < now < hours:
            raise NotAllowed("desk.pace", part=hours, legal=(str(now),))
        Campaign.objects.filter(pk=campaign.pk).update(pace=hours)
        Pulse.objects.create(campaign=campaign, kind=COURSE)


# The absent --------------------------------------------------------------------------------------


def may_answer_absent(visit: Visit, key: Key) -> bool:
    """Whether an umpire need not wait: one who plays does until the answer is late."""
    campaign = visit.campaign
    return visit.neutral or deadline(campaign, [key]) is None or overdue(campaign, [key])


def absent_question(visit: Visit, table: Table, key: Key) -> Request:
    """The question that the rules could answer for an absent seat.

    Raises NotAllowed to an umpire who plays and has yet to seal, or who will not wait until the
    answer is late; NotYourTurn or OutOfDate if the seat has answered or the question is not open.
    """
    _check_late(visit, table, key.seat)
    _, request = table.game.runner.find(key)
    if not isinstance(request, Request) or key.seat not in request.missing:
        raise OutOfDate("desk.answered", rule=key.rule, part=key.seat)
    if not may_answer_absent(visit, key):
        raise NotAllowed("desk.not_late", rule=key.rule, part=key.seat)
    return request


def answer_absent(visit: Visit, key: Key, once: str) -> None:
    """Answer one question of a seat as its rules do for an absent player.

    once: names the filled form: sent again it is not taken again.  Raises as `absent_question`.
    """
    campaign = visit.campaign
    with reading(campaign) as table:
        if given_before(campaign, once):
            return
        sealed = absent_question(visit, table, key).sealed
    with writing(campaign, SEALED if sealed else COURSE) as table:
        if given_before(campaign, once):
            return
        request = absent_question(visit, table, key)
        table.game.enter(Answer(key, request.absent(key.seat), "absent"))
        put_down(campaign, table, visit.person, once, sealing=False)
        settle(campaign, table)
    let_play(campaign)
