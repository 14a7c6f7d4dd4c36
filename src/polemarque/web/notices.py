"""Mails that tell people how their campaigns go: one for all that is new, made as it is sent.

What a mail says is read with the eyes of its reader, in their language, and as things stand when it
is sent: a question that is answered by then is not told of any more.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from smtplib import SMTPException, SMTPRecipientsRefused
from typing import Any, NamedTuple

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

from polemarque.club.campaigns.question_keys import read_key
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import map_alone, public_names, seat_names, story_of
from polemarque.club.clock.deadlines import deadline
from polemarque.club.clock.models import Notice, forget, put_back, take_out, waiting
from polemarque.club.clock.news import (
    BACK,
    BATTLE,
    BEGUN,
    ENDED,
    MAILED,
    PROMPTED,
    REMINDER,
    REVEAL,
    TURN,
)
from polemarque.club.models import Campaign, Person
from polemarque.club.orders.forced_answers import awaited
from polemarque.club.orders.taking_back import asked_back
from polemarque.club.people.roles import Visit, visit_of
from polemarque.kernel.request import Key
from polemarque.report.documents.pdf import png, printable
from polemarque.report.documents.writers import text
from polemarque.web.i18n import say
from polemarque.web.links import absolute
from polemarque.web.mail_orders.replies import forms_for, writes_orders
from polemarque.web.mails import DAILY, NEVER, PAGES, send_waiting
from polemarque.web.questions import words_of
from polemarque.web.todo import title_of

log = logging.getLogger(__name__)

MORNING = 7
"""The hour from which on the mail of a day is sent."""

LONGEST = 4000
"""Characters of what has changed, at most: the rest is on the page."""

STOP = "unsubscribe"

AT_ONCE = (REMINDER, MAILED, PROMPTED)
"""What waits for no mail of the day."""


def deliver(campaign: Campaign | None = None) -> None:
    """Send all that waits and can be sent, of one campaign or of all: one mail to each of its
    readers."""
    by_person: dict[Person, list[Notice]] = defaultdict(list)
    for notice in waiting(campaign) if settings.MAIL else ():
        if notice.person is not None:
            by_person[notice.person].append(notice)
    for person, rows in by_person.items():
        for notice in {row.campaign_id: row for row in rows if row.text in PAGES}.values():
            send_waiting(None, visit_of(notice.campaign, person), "fr")
        chosen = [row for row in _now(person, rows) if row.text not in PAGES and take_out(row)]
        for group in _letters(person, chosen):
            if not _delivered(person, group):
                return  # there is no mail server: the others wait as well


def _letters(person: Person, rows: Sequence[Notice]) -> list[list[Notice]]:
    """Some news of one reader by the mails in which they go: those with order forms have one for
    each seat, so that a reply is of one game and seat.

    What somebody took who was killed may have been sent: it goes again by itself, under the name
    that it had, so that nothing new is taken for a copy.
    """
    forms = writes_orders(person)
    of: dict[object, list[Notice]] = defaultdict(list)
    firsts = {row.campaign_id: _seat_of(row) for row in reversed(rows) if _seat_of(row)}
    for row in rows:
        seat = _seat_of(row) or firsts.get(row.campaign_id)
        of[(row.campaign_id, seat) if forms else 0, bool(row.tries and not row.why)].append(row)
    return list(of.values())


def _seat_of(row: Notice) -> str:
    """The seat that news is of, "" for a campaign's own."""
    asked = row.data.get("asked")
    return read_key(asked).seat if asked else str(row.data.get("seat", ""))


def _delivered(person: Person, chosen: Sequence[Notice]) -> bool:
    """Send one mail; False if there is no mail server."""
    if chosen:
        try:
            _send(person, chosen)
        except SMTPRecipientsRefused:
            _back(chosen, "the address is refused")
        except (OSError, SMTPException) as fault:
            _back(chosen, type(fault).__name__)
            return False
        except Exception:
            log.exception("a mail could not be written")
            _back(chosen, "it could not be written")
        else:
            for row in chosen:
                forget(row)
    return True


def _back(rows: Iterable[Notice], why: str) -> None:
    for row in rows:
        row.refresh_from_db()
        put_back(row, why)


def _now(person: Person, rows: Sequence[Notice]) -> list[Notice]:
    """What is sent now: who wants one mail a day has reminders at once, and all else together."""
    if person.mails != DAILY:
        return list(rows)
    today = timezone.localdate()
    sent = Notice.objects.filter(person=person, sent__date=today)
    had = sent.exclude(text__in=AT_ONCE).exists()
    if had or timezone.localtime().hour < MORNING:
        return [row for row in rows if row.text in AT_ONCE]
    return list(rows)


def _send(person: Person, rows: Sequence[Notice]) -> None:
    """Raises what sending raises."""
    if not settings.MAIL or not person.email or person.mails == NEVER or not person.is_active:
        return
    lang = person.lang or "fr"
    by_campaign: dict[Campaign, list[Notice]] = defaultdict(list)
    for row in rows:
        by_campaign[row.campaign].append(row)
    with override(lang):
        parts = [part for c, r in by_campaign.items() if (part := _part(person, c, r, lang))]
    if not parts:
        return
    subject = parts[0].subject if len(parts) == 1 else say(lang, "news.several", n=len(parts))
    stop = absolute(None, reverse("stop_mails", kwargs={"token": stop_token(person)}))
    foot = say(lang, "news.foot", stop=stop, settings=absolute(None, reverse("settings")))
    body = "\n\n".join(
        [say(lang, "news.hello", name=str(person)), *[part.words for part in parts], foot]
    )
    first = rows[0]
    mail = EmailMessage(
        subject, body + "\n", None, [person.email],
        headers={
            "Message-ID": f"<{first.campaign.code}.{first.pk}@{_host()}>",
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )  # fmt: skip
    for part in parts:
        _attach(mail, part)
    mail.send()


def _attach(mail: EmailMessage, part: Part) -> None:
    """Put the map of a campaign beside the words; without it the mail goes all the same."""
    try:
        if part.drawing:
            mail.attach(f"{part.code}.png", png(part.drawing), "image/png")
    except Exception:
        log.exception("the map of a mail could not be drawn")


def _host() -> str:
    return str(settings.ADDRESS).partition("://")[2].partition(":")[0] or "localhost"


def stop_token(person: Person) -> str:
    """What the link carries by which a person stops these mails without signing in."""
    return signing.dumps(person.pk, salt=STOP)


def stop_mails(token: str) -> Person | None:
    """Whose mails a link stops, or None if it is none of ours."""
    try:
        number = signing.loads(token, salt=STOP)
    except signing.BadSignature:
        return None
    return Person.objects.filter(pk=number).first()


# What a mail says --------------------------------------------------------------------------------


class Part(NamedTuple):
    """What is new in one campaign.   drawing: the map as its reader sees it, "" for none."""

    code: str
    subject: str
    words: str
    drawing: str


def _part(
    person: Person, campaign: Campaign, rows: Sequence[Notice], lang: str
) -> Part | None:  # fmt: skip
    """What is new in one campaign; None if nothing is any more."""
    visit = visit_of(campaign, person)
    if not visit.inside:
        return None
    kinds = {row.text for row in rows}
    with read_lock(campaign) as table:
        asked = _asked(visit, table, [r for r in rows if r.text in {TURN, REMINDER}])
        prompted = _prompted(visit, table, [r for r in rows if r.text == PROMPTED])
        said = [say(lang, f"news.{kind}") for kind in (ENDED, BEGUN) if kind in kinds]
        said += _battles(visit, table, [r for r in rows if r.text == BATTLE], lang)
        said += [line for row in rows if row.text == MAILED for line in row.data["lines"]]
        wish = asked_back(campaign, table) if BACK in kinds else None
        if wish is not None and not wish.refused:
            said.append(say(lang, "news.back"))
        if REVEAL in kinds:
            said.append(say(lang, "news.reveal"))
        said += [say(lang, "desk.mail_told")] if prompted else []
        asked |= prompted
        for seat, keys in asked.items():
            said += _questions(campaign, table, seat, keys, lang)
        if not said:
            return None
        seats = [*asked, *[row.data["seat"] for row in rows if row.text == MAILED]]
        eye = next((seat for seat in [*seats, *visit.seats] if seat in visit.seats), "")
        told = bool(kinds - {MAILED})
        story = _changed(visit, table, eye, lang) if told else ""
        names = public_names(table, lang, visit.people)
        drawing = map_alone(table, eye, lang, names) if told and printable() else ""
        wanted = dict.fromkeys(seats[:1]) if writes_orders(person) else ()
        forms = [form for seat in wanted for form in forms_for(visit, table, seat, lang)]
    kind = next((k for k in (ENDED, BEGUN) if k in kinds), "")
    kind = kind or (MAILED if MAILED in kinds else "")
    urgent = prompted or REMINDER in kinds
    kind = kind or (REMINDER if asked and urgent else TURN if asked else "")
    subject = say(lang, f"news.subject_{kind or 'other'}", campaign=campaign.title)
    back = [row.data["seat"] for row in rows if row.text == BACK]
    seat = next((seat for seat in [*asked, *back] if seat in visit.seats), "")
    way = (
        reverse("seat", kwargs={"code": campaign.code, "seat": seat}) if seat
        else reverse("campaign", kwargs={"code": campaign.code})
    )  # fmt: skip
    words = [campaign.title, *said, absolute(None, way)]
    if story:
        words.append(say(lang, "news.changed") + "\n\n" + story)
    return Part(campaign.code, subject, "\n\n".join([*words, *forms]), drawing)


def _asked(visit: Visit, table: LiveCampaign, rows: Sequence[Notice]) -> dict[str, list[Key]]:
    """By seat of the reader's, the questions of some notices that it has not answered yet."""
    found: dict[str, list[Key]] = defaultdict(list)
    still = {r.keys[seat] for r in table.game.course.requests() for seat in r.missing}
    for row in rows:
        key = read_key(row.data["asked"])
        if key in still and visit.commands(key.seat) and key not in found[key.seat]:
            found[key.seat].append(key)
    return {seat: keys for seat, keys in found.items() if keys}


def _prompted(
    visit: Visit, table: LiveCampaign, rows: Sequence[Notice]
) -> dict[str, list[Key]]:  # fmt: skip
    """By seat of the reader's, the questions of which an umpire has reminded it."""
    seats = dict.fromkeys([seat for row in rows if (seat := row.data["seat"]) in visit.seats])
    owed = {seat: awaited(visit.campaign, table, seat) for seat in seats}
    return {seat: [r.keys[seat] for r in requests] for seat, requests in owed.items() if requests}


def _questions(
    campaign: Campaign, table: LiveCampaign, seat: str, keys: Sequence[Key], lang: str
) -> list[str]:
    limit = deadline(campaign, keys)
    titles = list(dict.fromkeys([title_of(key.rule, lang) for key in keys]))
    name = seat_names(table.game, lang).get(seat, seat)
    until = _hour(limit) if limit else ""
    return [say(lang, "news.turn", seat=name, what=titles, until=until)]


def _hour(at: datetime) -> str:
    local = timezone.localtime(at)
    return f"{date_format(local, 'DATETIME_FORMAT')} ({local.tzname()})"


def _battles(
    visit: Visit, table: LiveCampaign, rows: Sequence[Notice], lang: str
) -> list[str]:  # fmt: skip
    own: Any = words_of(visit, table, lang).voice.own
    return [say(lang, "news.battle", place=own.name(row.data["place"])) for row in rows]


def _changed(visit: Visit, table: LiveCampaign, eye: str, lang: str) -> str:
    """What the reader's own edition tells of the turn that runs, and of the one before it if
    nothing is told of this one yet."""
    period = table.game.runner.period
    for turn in (period, period - 1):
        told = story_of(table, turn, eye, lang, visit.people)
        if turn >= 0 and told.blocks:
            said = text(told).strip()
            return said if len(said) <= LONGEST else said[:LONGEST].rsplit("\n", 1)[0] + "\n…"
    return ""
