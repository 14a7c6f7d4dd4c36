"""The battles in which a reader is a guest, as lines of the first page."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from django.db import DatabaseError
from django.urls import reverse

from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import public_names
from polemarque.club.models import RUNNING, Guest, Person
from polemarque.club.people.guests import battle_of
from polemarque.club.people.roles import Visit, visit_of
from polemarque.report.labels import Book
from polemarque.web.i18n import say
from polemarque.web.todo import pressing_on

log = logging.getLogger(__name__)

MOST_BATTLES = 10
"""At most this many of them are listed, the newest."""


@dataclass(frozen=True)
class GuestLine:
    """A battle in which the reader commands a side as a guest (see parts/contents.html)."""

    guest: Guest
    page: str
    below: tuple[str, ...]
    due: str = ""
    over: bool = True

    @property
    def words(self) -> str:
        """The title of the campaign."""
        return self.guest.campaign.title

    @property
    def url(self) -> str:
        """Where it is fought."""
        return reverse("guest", kwargs={"code": self.guest.campaign.code, "path": self.guest.path})


def guest_lines(reader: Person, lang: str) -> list[GuestLine]:
    """The battles in which somebody is a guest, newest first, those that are over last."""
    rows = Guest.objects.filter(person=reader, campaign__stage=RUNNING).order_by("-pk")
    lines = [_line_or_fault(row, lang) for row in rows.select_related("campaign")[:MOST_BATTLES]]
    return sorted(lines, key=lambda line: line.over)


def _line_or_fault(row: Guest, lang: str) -> GuestLine:
    """Such a battle; one of a campaign that cannot be opened hides no other."""
    try:
        return _line(visit_of(row.campaign, row.person), row, lang)
    except DatabaseError:
        raise
    except Exception:
        log.exception("campaign %s cannot be told", row.campaign.code)
        return GuestLine(row, "", (say(lang, "home.unreadable"),))


def _line(visit: Visit, row: Guest, lang: str) -> GuestLine:
    with read_lock(row.campaign) as table:
        names = public_names(table, lang, visit.people)
        place = say(lang, "guest.title", place=Book(table.game.system, lang, names).name(row.place))
        if battle_of(table.game, row) is None:
            return GuestLine(row, say(lang, "home.over"), (place,))
        due = pressing_on(visit.as_guest(row.path), table, lang)
        return GuestLine(row, "", (place,), due, over=False)
