"""What goes out to programs that fetch it: a campaign's feed, a person's calendar."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from datetime import datetime
from xml.etree import ElementTree as Xml

from django.http import Http404, HttpResponse
from django.urls import reverse

from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import periods_told, story_of
from polemarque.club.models import Campaign, Person
from polemarque.kernel.records.record import Answer
from polemarque.report.documents.writers import text
from polemarque.web.access import ClubRequest, PersonRequest, anyone, page, person, see_other
from polemarque.web.calendars import calendar_of
from polemarque.web.links import absolute
from polemarque.web.pages.campaign.campaign import when
from polemarque.web.pages.campaign.public import NOBODY, opened

ATOM = "http://www.w3.org/2005/Atom"
UNSAID = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML may hold."""

LATEST = 20
"""So many turns are told, the latest first."""


@page(anyone)
def feed(request: ClubRequest, code: str) -> HttpResponse:
    """The public chronicle by turns that are over, for anybody, if the umpire has opened it.

    Nobody's name is in it but those of seats.
    """
    campaign, lang = opened(code), request.lang
    root = Xml.Element("feed", xmlns=ATOM, attrib={"xml:lang": lang})
    _put(root, "id", f"urn:polemarque:{code}")
    _put(root, "title", campaign.title)
    here = absolute(request, reverse("feed", kwargs={"code": code}))
    Xml.SubElement(root, "link", rel="self", href=here)
    author = Xml.SubElement(root, "author")
    _put(author, "name", "Polémarque")
    with read_lock(campaign) as table:
        turns = list(_turns(campaign, table))
        updated = turns[0][1] if turns else campaign.made
        _put(root, "updated", updated.isoformat())
        for turn, at in turns:
            entry = Xml.SubElement(root, "entry")
            _put(entry, "id", f"urn:polemarque:{code}:{turn}")
            _put(entry, "title", when(table.game.header.system, turn, lang))
            _put(entry, "updated", at.isoformat())
            told = Xml.SubElement(entry, "content", type="text")
            told.text = UNSAID.sub("", text(story_of(table, turn, "", lang, NOBODY)))
    body = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return HttpResponse(body, content_type="application/atom+xml; charset=utf-8")


def _put(into: Xml.Element, name: str, said: str) -> None:
    Xml.SubElement(into, name).text = UNSAID.sub("", said)


def _turns(campaign: Campaign, table: LiveCampaign) -> Iterator[tuple[int, datetime]]:
    """The turns that are over and of which everybody is told something, each with when its last
    answer was given; the latest first."""
    game, last = table.game, {}
    for number, entry in enumerate(game.entries, 1):
        if isinstance(entry, Answer):
            last[entry.key.outer_period] = number
    over = [turn for turn in periods_told(table, "") if turn < game.runner.period or game.over]
    found = [turn for turn in over if turn in last][-LATEST:]
    rows = campaign.entries.filter(number__in=[last[turn] for turn in found])
    at = dict(rows.values_list("number", "at"))
    yield from [(turn, at[last[turn]]) for turn in reversed(found)]


# A person's calendar -----------------------------------------------------------------------------


@page(anyone)
def calendar(request: ClubRequest, token: str) -> HttpResponse:
    """The calendar of the person who gave the address away."""
    owner = Person.objects.filter(calendar=token, is_active=True).exclude(calendar="").first()
    if owner is None:
        raise Http404
    told = calendar_of(owner, owner.lang or request.lang)
    answer = HttpResponse(told, content_type="text/calendar; charset=utf-8")
    answer["Cache-Control"] = "private, no-store"
    return answer


@page(person, get=False, post=True)
def calendar_set(request: PersonRequest) -> HttpResponse:
    """Give one's calendar a new address, or take it away; one that it had before is void."""
    address = secrets.token_hex(16) if request.POST.get("do") == "open" else ""
    Person.objects.filter(pk=request.user.pk).update(calendar=address)
    return see_other("settings")
