"""Short mails of the club to one person, where it sends any."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from django.core.mail import send_mail
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

from polemarque.club.campaigns.session import read_lock
from polemarque.club.clock.models import Notice, forget, put_back, take_out, waiting
from polemarque.club.models import Person
from polemarque.club.people.roles import Visit
from polemarque.web.i18n import say
from polemarque.web.links import absolute
from polemarque.web.questions import words_of

DAILY, NEVER = "daily", "none"
"""How somebody wants mails who does not want each as it comes."""


def mail(person: Person, text: str, title: str, link: str, lang: str, **more: Any) -> bool:
    """Send somebody a text by mail, if they have an address and want any; whether it was sent.

    text:  family of its subject and body, told with the campaign's title, their name and the link.
    lang:  their language, if they have chosen none.   more: what else it is told with.
    A mail that cannot be sent undoes nothing.
    """
    if not wants(person):
        return False
    data = {"campaign": title, "name": str(person), "link": link, **more}
    lang = person.lang or lang
    subject, body = (say(lang, f"{text}_{part}", **data) for part in ("subject", "body"))
    return bool(send_mail(subject, body, None, [person.email], fail_silently=True))


def wants(person: Person) -> bool:
    """Whether somebody can be written to, and has not asked for no mails."""
    return bool(settings.MAIL and person.email and person.mails != NEVER)


PAGES = {"battles.mail": "battles", "battles.mail_agreed": "battles", "letters.mail": "letters"}
"""News that people make, told at once: each with the page of its campaign at which one looks."""


def send_waiting(request: HttpRequest | None, visit: Visit, lang: str) -> None:
    """Send what people of a campaign have for each other and waits to be sent, each once (see
    `put_out`).

    lang: the language of those who have chosen none.
    What cannot be sent is left for later; who has no address is told by the pages alone.
    """
    for notice in waiting(visit.campaign):
        if notice.text in PAGES and take_out(notice):
            way = reverse(PAGES[notice.text], kwargs={"code": visit.campaign.code})
            if _sent(visit, notice, absolute(request, way), lang):
                forget(notice)
            else:
                put_back(notice, "SMTP")


def _sent(visit: Visit, notice: Notice, link: str, lang: str) -> bool:
    """Whether there is no more to be done about a notice."""
    person = notice.person
    if person is None or not wants(person):
        return True
    lang = person.lang or lang
    data = {name: _told(visit, name, value, lang) for name, value in notice.data.items()}
    return mail(person, notice.text, visit.campaign.title, link, lang, **data)


def _told(visit: Visit, name: str, value: str, lang: str) -> str:
    """What a notice is told with, for its reader: `place` by its name, `date` by their calendar."""
    if name == "place":
        with read_lock(visit.campaign) as table:
            return words_of(visit, table, lang).voice.own.name(value)
    if name == "date":
        with override(lang):
            return date_format(timezone.localtime(datetime.fromisoformat(value)), "DATETIME_FORMAT")
    return value
