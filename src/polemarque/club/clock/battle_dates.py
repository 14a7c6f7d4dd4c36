"""Battles on the table: who fights whom, whom that holds up, and the date that both sides agree on.

A date is proposed by the one who commands a side, or by an umpire, and holds once the people of
both sides have agreed; where only one side has people an umpire speaks for the other.  Nothing of
it is in the record, and it is dropped with its battle.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import msgspec
from django.db import transaction
from django.utils import timezone

from polemarque.club.campaigns.session import COURSE, LiveCampaign, read_lock
from polemarque.club.clock.models import LONGEST_WHERE, Meeting, Notice, put_out
from polemarque.club.models import COMMANDER, Campaign, Holder, Person, Pulse
from polemarque.club.people.roles import Visit, speakers
from polemarque.kernel.battle_brief import Brief
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.game import Game
from polemarque.kernel.request import UMPIRE
from polemarque.kernel.run import Runner

ON_TABLE = "tabletop"
"""The system of battles that are fought with figures (PA-2)."""

FARTHEST = timedelta(days=365)
"""How far ahead a date may lie."""


class Date(msgspec.Struct, frozen=True):
    """When a battle is fought.   number: of its row.

    where, by: in which place, and who proposed it; "" for anyone who neither fights nor umpires.
    """

    number: int
    at: datetime
    where: str = ""
    by: str = ""


class Booked(msgspec.Struct, frozen=True):
    """A battle on the table as one reader may know of it.

    sides:    the seats that fight, attacker first.
    agreed:   the date that holds, or None, for everybody.   proposed: one that waits for somebody's
              word, for those alone who fight or umpire.
    speaks:   for whom the reader has a say: seats, and "umpire".
    awaited:  whose word the proposed date waits for.
    may_agree, may_strike: what the reader can do about them.
    """

    path: str
    place: str
    sides: tuple[str, str]
    agreed: Date | None = None
    proposed: Date | None = None
    speaks: tuple[str, ...] = ()
    awaited: tuple[str, ...] = ()
    may_agree: bool = False
    may_strike: bool = False


def open_battles(game: Game) -> list[tuple[Brief, Runner]]:
    """The battles that are not over, however they are fought, those inside battles included."""
    return [
        (brief, inner)
        for runner in game.runner.within()
        for brief, inner in runner.branches
        if not inner.over
    ]


def on_the_table(table: LiveCampaign) -> list[tuple[Brief, Runner]]:
    """Those of them that are fought with figures, or wait for what came of that."""
    found = open_battles(table.game)
    return [(brief, inner) for brief, inner in found if inner.system.name == ON_TABLE]


def held_up(table: LiveCampaign) -> list[str]:
    """The seats that nothing is asked of before the open battles are over: all wait for all.

    It follows from who fights, which is known to everybody, not from who has answered.
    """
    battles = open_battles(table.game)
    busy = {side.seat for brief, _ in battles for side in brief.sides}
    busy |= {seat for request in table.game.course.requests() for seat in request.seats}
    return [seat for seat in table.game.header.seats if seat not in busy] if battles else []


def booked(visit: Visit, table: LiveCampaign) -> list[Booked]:
    """The battles on the table, each with its date."""
    battles = on_the_table(table)
    if not battles:
        return []
    rows = list(visit.campaign.meetings.select_related("by"))
    return [_booked(visit, brief, inner.path, rows) for brief, inner in battles]


def _booked(visit: Visit, brief: Brief, path: str, rows: list[Meeting]) -> Booked:
    agreed = next((row for row in rows if row.path == path and row.agreed), None)
    proposed = next((row for row in rows if row.path == path and not row.agreed), None)
    sides = (brief.sides[0].seat, brief.sides[1].seat)
    inside = visit.umpire or any(seat in visit.seats for seat in sides)
    speaks = tuple([seat for seat in sides if visit.commands(seat)]) + (UMPIRE,) * visit.umpire
    words = proposed.words if proposed and inside else needed(visit.campaign, sides)
    awaited = [word for word in needed(visit.campaign, sides) if word not in words]
    return Booked(
        path, brief.place, sides,
        _dated(agreed, inside), _dated(proposed, inside) if inside else None,
        speaks, tuple(awaited),
        may_agree=bool(set(awaited) & set(speaks)),
        may_strike=visit.neutral and agreed is not None,
    )  # fmt: skip


def _dated(meeting: Meeting | None, inside: bool) -> Date | None:
    if meeting is None:
        return None
    if not inside:
        return Date(meeting.pk, meeting.at)
    return Date(meeting.pk, meeting.at, meeting.where, str(meeting.by))


def needed(campaign: Campaign, sides: tuple[str, str]) -> tuple[str, ...]:
    """Whose word a date needs: that of the sides that people command, and an umpire's for one
    that nobody does."""
    held = Holder.objects.filter(seat__campaign=campaign, seat__code__in=sides, role=COMMANDER)
    people = set(held.values_list("seat__code", flat=True))
    return tuple([seat for seat in sides if seat in people]) + (UMPIRE,) * (len(people) < 2)


# What people do ----------------------------------------------------------------------------------


def propose_date(visit: Visit, path: str, at: datetime, where: str) -> Meeting:
    """Propose when, and where, a battle is fought, in place of what was proposed before.

    Raises NotAllowed to who has no say, NotUnderstood on an hour that has passed or is too far
    away or on too many words, OutOfDate if the battle is over.
    """
    now = timezone.now()
    if not now < at <= now + FARTHEST:
        raise NotUnderstood("meeting.when", legal=(FARTHEST.days,))
    if len(where) > LONGEST_WHERE or not where.isprintable():
        raise NotUnderstood("meeting.where", legal=(LONGEST_WHERE,))
    with _having_a_say(visit, path) as (battle, rows):
        same = next((row for row in rows if (row.at, row.where) == (at, where)), None)
        if same is not None and (same.agreed or set(battle.speaks) <= set(same.words)):
            return same  # sent twice
        if same is None:
            visit.campaign.meetings.filter(path=path, agreed=None).delete()
            same = Meeting(campaign=visit.campaign, path=path, at=at, where=where, by=visit.person)
        _say(visit, battle, same)
    return same


def agree(visit: Visit, path: str, known: int) -> Meeting:
    """Agree to the date that is proposed.   known: the one that was read.

    Raises NotAllowed to who has no say, OutOfDate if another, or none, is proposed by now.
    """
    with _having_a_say(visit, path) as (battle, rows):
        meeting = next((row for row in rows if row.pk == known), None)
        if meeting is None:
            raise OutOfDate("meeting.other")
        if not meeting.agreed:
            _say(visit, battle, meeting)
    return meeting


def refuse(visit: Visit, path: str, known: int) -> None:
    """Refuse, or take back, the date that is proposed.  Raises as `agree`."""
    with _having_a_say(visit, path) as (_, rows):
        if all(row.pk != known or row.agreed for row in rows):
            raise OutOfDate("meeting.other")
        visit.campaign.meetings.filter(pk=known).delete()


def strike(visit: Visit, path: str, known: int) -> None:
    """Strike a date that was agreed on: the campaign's pace holds again.

    Raises NotAllowed to all but an umpire who plays no seat, OutOfDate as `agree`.
    """
    if not visit.neutral:
        raise NotAllowed("meeting.not_yours")
    with _having_a_say(visit, path) as (_, rows):
        if all(row.pk != known or not row.agreed for row in rows):
            raise OutOfDate("meeting.other")
        visit.campaign.meetings.filter(pk=known).delete()


@contextmanager
def _having_a_say(visit: Visit, path: str) -> Iterator[tuple[Booked, list[Meeting]]]:
    """A battle of which somebody may say when it is fought, and its dates, kept still.

    Raises OutOfDate if it is over, NotAllowed to who has no say.
    """
    campaign = visit.campaign
    with read_lock(campaign) as table, transaction.atomic():
        Campaign.objects.select_for_update().get(pk=campaign.pk)
        battles = booked(visit, table)
        campaign.meetings.exclude(path__in=[each.path for each in battles]).delete()
        battle = next((each for each in battles if each.path == path), None)
        if battle is None:
            raise OutOfDate("meeting.no_battle")
        if not battle.speaks:
            raise NotAllowed("meeting.not_yours")
        yield battle, list(campaign.meetings.filter(path=path))
        Pulse.objects.create(campaign=campaign, kind=COURSE)


def _say(visit: Visit, battle: Booked, meeting: Meeting) -> None:
    """Take somebody's word on a date; the last that is needed puts it in place of another."""
    meeting.words = [*dict.fromkeys([*meeting.words, *battle.speaks])]
    if set(needed(visit.campaign, battle.sides)) <= set(meeting.words):
        visit.campaign.meetings.filter(path=battle.path).exclude(agreed=None).delete()
        meeting.agreed = timezone.now()
    meeting.save()
    _tell(visit, battle, meeting)


def _tell(visit: Visit, battle: Booked, meeting: Meeting) -> None:
    """Tell those whose word a date needs, except the one who has just given it: once that it is
    proposed, those it waits for; once that it holds, all of them."""
    words = needed(visit.campaign, battle.sides)
    if not meeting.agreed:
        words = tuple([word for word in words if word not in meeting.words])
    put_out(
        visit.campaign, speakers(visit.campaign, words) - {visit.person},
        "battles.mail_agreed" if meeting.agreed else "battles.mail",
        f"{_news_of(meeting)}{'agreed' if meeting.agreed else 'proposed'}",
        place=battle.place, date=meeting.at.isoformat(), where=meeting.where,
    )  # fmt: skip


def _news_of(meeting: Meeting) -> str:
    return f"meeting.{meeting.pk}."


def forget_dates(person: Person) -> None:
    """Tell nobody any more of the dates that a person proposed, as their account goes: what was to
    be told says where, in their words."""
    for meeting in person.meetings.all():
        news = Notice.objects.filter(key__startswith=_news_of(meeting))
        news.update(data={}, sent=timezone.now())
