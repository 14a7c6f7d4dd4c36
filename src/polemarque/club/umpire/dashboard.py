"""The umpire's desk: who owes an answer, their word to the late, and what they answer.

Whatever an umpire who plays may not know yet is kept from them here as on every other door: until
they have sealed, who is ready, how many questions are open and since when.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from django.db import IntegrityError, transaction
from django.utils import timezone

from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.session import COURSE, SEALED, LiveCampaign, write_lock
from polemarque.club.campaigns.visibility import (
    HIDDEN,
    LATE,
    READY,
    Standing,
    awaited_first,
    hides_readiness,
    playing_seats,
)
from polemarque.club.clock.deadlines import late, overdue, pressing
from polemarque.club.clock.models import Absence, put_out
from polemarque.club.clock.news import PROMPTED
from polemarque.club.clock.timetable import Clock, checked, clock_of, gives_no_less
from polemarque.club.models import (
    FIRST_PACE,
    LONGEST_PACE,
    MUSTER,
    Campaign,
    Person,
    Pulse,
    Reminder,
)
from polemarque.club.orders.answers import given_before, put_down
from polemarque.club.orders.forced_answers import awaited, spare
from polemarque.club.orders.standing_orders import settle
from polemarque.club.people.roles import Visit
from polemarque.club.transfer.models import check_here
from polemarque.kernel.errors import NotAllowed, NotUnderstood, NotYourTurn, OutOfDate
from polemarque.kernel.records.record import Answer
from polemarque.kernel.request import Key, Request

NOTHING, OPEN, GIVEN, FINAL = "nothing", "open", "given", "final"
"""How far a seat is: nothing is asked of it, so nothing can be missing; nothing is given yet; an
answer is given, which it may still replace; an answer is given that is final."""


class Owing(msgspec.Struct, frozen=True):
    """What a seat owes.

    state:    as `reading.Standing` has it.   far: NOTHING, OPEN, GIVEN or FINAL; "" if hidden.
    questions: keys of those that it has not answered.   since: when the first was put to it.
    reminded: when it was last reminded of them, or None.
    may_remind: whether it can be reminded now.   away: when its commander is away next.
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


def owing(visit: Visit, table: LiveCampaign, ready: Iterable[Standing]) -> list[Owing]:
    """What each seat owes, as far as the umpire who looks may know.   ready: how they stand."""
    blind = hides_readiness(visit, table)
    found = []
    for each in ready:
        if each.state == HIDDEN or (blind and not each.mine and each.state != LATE):
            found.append(
                Owing(
                    each.seat, each.name, each.who, each.bot, each.state, "", away=each.away
                )
            )  # fmt: skip
            continue
        questions = unanswered(visit.campaign, table, each.seat)
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


def _far(visit: Visit, table: LiveCampaign, seat: str, state: str, questions: Sequence[Key]) -> str:
    if questions:
        return OPEN
    if state != READY:
        return NOTHING
    return FINAL if seat in playing_seats(visit, table) else GIVEN


def unanswered(campaign: Campaign, table: LiveCampaign, seat: str) -> list[Key]:
    """The keys of the questions that a seat has to answer."""
    return [request.keys[seat] for request in awaited(campaign, table, seat)]


# The late ----------------------------------------------------------------------------------------


def standing_reminder(campaign: Campaign, table: LiveCampaign, seat: str) -> Reminder | None:
    """The last reminder of a seat that is still to be heeded: it has answered nothing since."""
    last = Reminder.objects.filter(campaign=campaign, seat=seat).order_by("-pk").first()
    if last is None or not awaited(campaign, table, seat):
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
    with write_lock(campaign) as table:
        _check_late(visit, table, seat)
        if campaign.seats.filter(code=seat).exclude(bot="").exists():
            raise NotAllowed("desk.program", part=seat)
        if not pressing(campaign, unanswered(campaign, table, seat)):
            raise NotAllowed("desk.date_to_come", part=seat)
        try:
            with transaction.atomic():
                made = Reminder.objects.create(campaign=campaign, seat=seat, number=table.count)
        except IntegrityError:
            raise NotAllowed("desk.reminded", part=seat) from None
        Pulse.objects.create(campaign=campaign, kind=COURSE)
        held = {"holdings__seat__campaign": campaign, "holdings__seat__code": seat}
        people = list(Person.objects.filter(**held))
        put_out(campaign, people, PROMPTED, f"reminded.{made.pk}", seat=seat)
    return people


def _check_late(visit: Visit, table: LiveCampaign, seat: str) -> None:
    """Raises what stands against doing anything about a seat that has not answered."""
    if seat not in table.game.header.seats:
        raise NotUnderstood("seat.unknown", part=seat, legal=table.game.header.seats)
    if awaited_first(visit, table):
        raise NotAllowed("desk.seal_first", part=seat)
    owed = unanswered(visit.campaign, table, seat)
    if hides_readiness(visit, table) and not late(visit.campaign, owed):
        raise NotAllowed("desk.untold", part=seat)
    if not owed:
        raise NotYourTurn("desk.owes_nothing", part=seat)


def set_pace(visit: Visit, hours: int) -> None:
    """Give everybody so many hours for each question, from 0 (no limit) to `LONGEST_PACE`.

    Raises as `set_clock`.
    """
    set_clock(visit, hours, clock_of(visit.campaign))


def set_clock(visit: Visit, hours: int, clock: Clock) -> None:
    """Say how much time everybody has: so many hours, from 0 (no limit) to `LONGEST_PACE`, or as a
    calendar.

    It holds for open questions too: more time is an extension; a first limit, and that the rules
    answer for the absent, count from now.
    Raises NotUnderstood on what is no time; NotAllowed where an umpire plays a campaign that has
    begun and it would leave opponents less time, but for a first limit of `FIRST_PACE` or more, or
    takes the limit away.
    """
    if not 0 <= hours <= LONGEST_PACE:
        raise NotUnderstood("desk.bad_pace", part=hours, legal=(f"0-{LONGEST_PACE}",))
    clock = checked(clock)
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=visit.campaign.pk)
        check_here(campaign)
        before = clock_of(campaign)
        if not visit.neutral and campaign.stage != MUSTER:
            _check_more(campaign.pace, hours)
            if not gives_no_less(before, clock):
                raise NotAllowed("clock.party")
        if not (campaign.pace or before.days) or (clock.law and not before.law):
            campaign.paced = timezone.now()
        campaign.pace, campaign.clock = hours, msgspec.to_builtins(clock)
        campaign.save(update_fields=["pace", "paced", "clock"])
        Pulse.objects.create(campaign=campaign, kind=COURSE)


def _check_more(now: int, hours: int) -> None:
    """Raises NotAllowed where the hours of an umpire who plays would be less time for others."""
    least = now or FIRST_PACE
    if hours != now and hours < least:
        first = "" if now else str(least)
        raise NotAllowed("desk.pace", part=hours, legal=(str(least),), first=first)


# The absent --------------------------------------------------------------------------------------


def may_answer_absent(visit: Visit, key: Key) -> bool:
    """Whether an umpire need not wait: one who plays does until the answer is late.

    Where there is no limit no answer is ever late, so an umpire who plays acts for nobody.
    """
    return visit.neutral or overdue(visit.campaign, [key])


def absent_question(visit: Visit, table: LiveCampaign, key: Key) -> Request:
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
    with write_lock(campaign) as table:
        if given_before(campaign, once):
            return
        request = absent_question(visit, table, key)
        if request.sealed:
            table.kind = SEALED
        spare(campaign, table, key)
        table.game.enter(Answer(key, request.absent(key.seat), "absent"))
        put_down(campaign, table, visit.person, once, None)
        settle(campaign, table)
    let_play(campaign)
