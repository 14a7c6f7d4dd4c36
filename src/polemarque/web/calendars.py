"""A person's calendar, as programs for calendars subscribe to one: by when they are to answer, and
when battles are fought on the table (RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import seat_names
from polemarque.club.clock.battle_dates import booked
from polemarque.club.clock.deadlines import deadlines
from polemarque.club.models import RUNNING, Campaign, Person
from polemarque.club.people.roles import Visit, visit_of
from polemarque.club.umpire.dashboard import unanswered
from polemarque.web.i18n import say
from polemarque.web.links import absolute
from polemarque.web.questions import words_of

WIDTH = 74
"""Octets of a line, at most: what is longer goes on in the next, after a space."""

TOLD = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": None})


def calendar_of(person: Person, lang: str) -> str:
    """The calendar, as its address answers."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Polemarque//FR",
        "X-WR-CALNAME:Polémarque",
    ]
    involved = Q(seats__holders__person=person) | Q(umpires__person=person)
    for campaign in Campaign.objects.filter(involved, stage=RUNNING).distinct().order_by("pk"):
        for event in _events(visit_of(campaign, person), lang):
            lines += event
    return "".join([_folded(line) for line in (*lines, "END:VCALENDAR")])


def _events(visit: Visit, lang: str) -> Iterator[list[str]]:
    campaign = visit.campaign
    way = {name: absolute(None, reverse(name, kwargs={"code": campaign.code}))
           for name in ("campaign", "battles")}  # fmt: skip
    with read_lock(campaign) as table:
        names = seat_names(table.game, lang)
        for seat in filter(visit.commands, visit.seats):
            limits = deadlines(campaign, unanswered(campaign, table, seat)).values()
            for limit in sorted({limit for limit in limits if limit is not None}):
                said = say(lang, "calendar.due", campaign=campaign.title, seat=names[seat])
                yield _event(f"{campaign.code}.{seat}", limit, said, way["campaign"])
        dated = [(one, one.agreed) for one in booked(visit, table) if one.agreed is not None]
        own = words_of(visit, table, lang).voice.own if dated else None
        for one, date in dated:
            assert own is not None
            sides = [own.name(seat) for seat in one.sides]
            said = say(lang, "calendar.battle", place=own.name(one.place), sides=sides)
            yield _event(
                f"{campaign.code}.b{date.number}", date.at, said, way["battles"], date.where
            )


def _event(name: str, at: datetime, said: str, link: str, where: str = "") -> list[str]:
    host = str(settings.ADDRESS).partition("://")[2] or "localhost"
    found = [
        "BEGIN:VEVENT", f"UID:{name}.{int(at.timestamp())}@{host.partition(':')[0]}",
        f"DTSTAMP:{_hour(timezone.now())}", f"DTSTART:{_hour(at)}",
        f"SUMMARY:{said.translate(TOLD)}",
    ]  # fmt: skip
    if where:
        found.append(f"LOCATION:{where.translate(TOLD)}")
    if settings.ADDRESS:
        found.append(f"URL:{link}")
    return [*found, "END:VEVENT"]


def _hour(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _folded(line: str) -> str:
    """A line as it is sent, cut between letters."""
    found, now = "", ""
    for letter in line:
        if len((now + letter).encode()) > WIDTH:
            found, now = f"{found}{now}\r\n ", ""
        now += letter
    return f"{found}{now}\r\n"
