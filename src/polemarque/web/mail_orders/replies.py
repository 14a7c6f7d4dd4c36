"""Orders that come by mail: whose they are, what they say, and what their sender is told.

The last line of each form in a mail carries a mark that only the club can make, for one person,
seat and form.  A reply counts if its mark holds and its sender is that person's confirmed address.
What is told goes to that address alone, through the outbox: it is put there in the transaction of
the answer.
"""

from __future__ import annotations

import hashlib
import logging
import re
from base64 import b32encode
from collections.abc import Sequence
from datetime import timedelta
from email import message_from_bytes
from email.message import Message
from email.policy import Compat32
from email.utils import parseaddr
from html.parser import HTMLParser
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from polemarque.club.campaigns.session import LiveCampaign, forget, read_lock
from polemarque.club.clock.models import MailBox, Notice, ReadMail, put_out
from polemarque.club.clock.news import MAILED
from polemarque.club.models import COMMANDER, RUNNING, Campaign, Holder, Person, Receipt
from polemarque.club.orders.answers import leave_ahead, open_requests, seal
from polemarque.club.orders.forced_answers import awaited
from polemarque.club.orders.standing_orders import wish_for
from polemarque.club.people.roles import Visit, visit_of
from polemarque.kernel.errors import OutOfDate, Refusal
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import Leave
from polemarque.kernel.request import Request
from polemarque.kernel.standing_orders import WISH
from polemarque.report.documents.writers import write
from polemarque.report.order_forms.form import order_form
from polemarque.report.order_forms.paper import RULE
from polemarque.report.order_forms.read_back import FilledForm, frames, warning
from polemarque.report.order_forms.rest_of_turn import rest_paper
from polemarque.web.environment import Box
from polemarque.web.i18n import refusal_text, say
from polemarque.web.mail_orders.boxes import letters
from polemarque.web.mails import wants
from polemarque.web.pages.campaign.order_forms import (
    Orders,
    in_words,
    orders_in,
    papers_of,
    wish_requests,
)
from polemarque.web.questions import words_of, words_on

log = logging.getLogger(__name__)

MOST_A_DAY = 40
"""Mails of one person that are read in a day: two programs that answer each other soon stop."""

MOST_FORMS = 20
"""Marks and forms of one mail that are looked at."""

LONGEST_HEADER, MOST_NESTED, MOST_LINES = 2000, 10, 20_000
"""Characters of a header that are read; parts in parts, and lines, of a mail that is: what more of
them takes grows with their square, or is a second a mail.  A picture of the largest mail has fewer
lines."""

LONGEST_HTML = 400_000
"""Characters of a page that are read: there are four for each of a form's."""

_ASIDE = re.compile(r"<!--.*?(?:--!?>|\Z)|<[!?][^<>]*>?", re.DOTALL)
"""What a page says to programs: a parser looks for the end of each that is never closed."""

_CHARSETS = re.compile(r"(us-)?ascii|latin-?1|iso-8859-([1-9]|1[013456])|(cp|windows-)1252")
_MARK = re.compile(r"\bPLM-(\d{1,12})-([A-Z2-7]{26})\b")
_SALT = "polemarque.web.mail_orders"


def _mark(holder: Holder, code: str) -> str:
    """The mark of a form for the person of a seat, at their present address."""
    person, seat = holder.person, holder.seat
    of = "|".join([str(holder.pk), str(person.pk), person.email, seat.code, code])
    signed = salted_hmac(_SALT, f"{seat.campaign.code}|{of}", algorithm="sha256").digest()
    return f"PLM-{holder.pk}-{b32encode(signed[:16]).decode().rstrip('=')}"


def writes_orders(person: Person) -> bool:
    """Whether a person gets order forms by mail: they have asked for them, at a confirmed address,
    and the club reads what comes back."""
    if not (settings.BOX.read and person.forms and wants(person)):
        return False
    found = EmailAddress.objects.filter(user=person, email__iexact=person.email, verified=True)
    return bool(found.exists())


def forms_for(visit: Visit, table: LiveCampaign, seat: str, lang: str) -> list[str]:
    """The order forms of all that a seat is asked and has not answered, each with its mark."""
    holder = Holder.objects.filter(
        seat__campaign=visit.campaign, seat__code=seat, person=visit.person, role=COMMANDER
    ).first()
    if holder is None:
        return []
    said, codes = list[str](), list[str]()
    asked = _asked(visit.campaign, table, seat)
    for request in [*asked, *(wish_requests(table, seat) if asked else ())]:
        words = words_on(visit, table, request.keys[seat], lang)
        codes.append(order_form(table.game, request, seat, words).code)
        said += papers_of(visit, table, seat, [request], lang, "text")
    if asked and (rest := rest_paper(table.game, seat, words_of(visit, table, lang))) is not None:
        said.append(write(rest[0], "text"))
        codes += rest[1]
    for code in codes:
        last = f"{RULE} {code} {RULE}"
        marked = f"{RULE} {code} {_mark(holder, code)} {RULE}"
        said = [each.replace(last, marked) for each in said]
    return [say(lang, "replies.how"), *[each.strip() for each in said]] if said else []


def send_forms(person: Person, lang: str) -> str:
    """Have somebody sent the forms of all that their seats are asked now; what they are told of it:
    that they come, that they were sent within the hour, or that there are none.

    lang: their language, if they have chosen none.
    """
    told = "replies.next"
    held = Holder.objects.filter(person=person, role=COMMANDER, seat__campaign__stage=RUNNING)
    for holder in held.select_related("seat__campaign"):
        campaign, seat = holder.seat.campaign, holder.seat.code
        with read_lock(campaign) as table:
            asked = [str(each.keys[seat]) for each in _asked(campaign, table, seat)]
        if not asked:
            continue
        of = hashlib.sha256("|".join(asked).encode()).hexdigest()[:20]
        name = f"{seat}.{timezone.now():%Y%m%d%H}.{of}"  # once, however often asked for in an hour
        with transaction.atomic():
            _tell(campaign, person, seat, name, [say(person.lang or lang, "replies.wanted")])
        row = Notice.objects.get(campaign=campaign, person=person, key=f"{MAILED}.{name}")
        if row.sent is None:
            told = "replies.coming"
        elif told == "replies.next":
            told = "replies.sent"
    return told


def _asked(campaign: Campaign, table: LiveCampaign, seat: str) -> list[Request]:
    return [each for each in awaited(campaign, table, seat) if seat not in each.answered]


# Reading -----------------------------------------------------------------------------------------


def read_box(box: Box) -> int:
    """Take the orders of a box, so many of its mails as are read in a round; how many that were.

    A box that cannot be read is named to the umpires and in `polemarque health`, and tried again.
    Raises OSError then.
    """
    number = 0
    try:
        for raw in letters(box):
            take_mail(raw)
            number += 1
    except OSError as fault:
        _note(type(fault).__name__ if fault.errno else str(fault) or type(fault).__name__)
        raise
    _note("")
    return number


def _note(why: str) -> None:
    MailBox.objects.update_or_create(pk=1, defaults={"why": why[:120], "at": timezone.now()})


def take_mail(raw: bytes) -> None:
    """Take the orders that a mail holds, and put out what its sender is told.

    A mail that is forged, no reply to a form, or written by a program changes nothing, and is not
    answered.  One that breaks off is logged without a word of it, and stops no other.
    """
    try:
        if raw.lower().count(b"multipart/") > MOST_NESTED or len(raw.splitlines()) > MOST_LINES:
            return
        message = message_from_bytes(raw, policy=_Short())
        if not _by_a_program(message):
            _take(message, _known_by(message, raw))
    except DatabaseError:
        raise
    except Exception as fault:  # noqa: BLE001 - a traceback in the log may quote an answer
        log.error("a mail with orders could not be read: %s", type(fault).__name__)


class _Short(Compat32):
    """Headers as they are written, and no more of one than is read."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, said = super().header_source_parse(sourcelines)
        return name, said[:LONGEST_HEADER]


def _known_by(message: Message, raw: bytes) -> bytes:
    return _header(message, "Message-ID").encode(errors="replace") or raw


def _header(message: Message, name: str) -> str:
    return str(message.get(name, "")).strip()


def _sender(message: Message) -> str:
    return parseaddr(_header(message, "From"))[1].lower()


def _by_a_program(message: Message) -> bool:
    return (
        _header(message, "Auto-Submitted").lower() not in {"", "no"}
        or _header(message, "Precedence").lower() in {"bulk", "junk", "list", "auto_reply"}
        or any(each in message for each in ("List-Id", "X-Autoreply", "X-Auto-Response-Suppress"))
        or _header(message, "Return-Path") == "<>"
        or message.get_content_type() == "multipart/report"
        or _sender(message).partition("@")[0] in {"mailer-daemon", "postmaster"}
    )


def _take(message: Message, known: bytes) -> None:
    post = text_of(message)
    found = _whose(post)
    if not found:
        return
    person, campaign, seat = found[0].person, found[0].seat.campaign, found[0].seat.code
    name = hashlib.sha256(b"%d|%s" % (person.pk, known)).hexdigest()
    if ReadMail.objects.filter(name=name).exists():
        return
    lately = timezone.now() - timedelta(days=1)
    if ReadMail.objects.filter(person=person, at__gt=lately).count() >= MOST_A_DAY:
        return
    lang = person.lang or "fr"
    try:
        with read_lock(campaign), transaction.atomic():
            row, new = ReadMail.objects.get_or_create(name=name, defaults={"person": person})
            if not new:
                return
            if _sender(message) != person.email.lower():
                said = [say(lang, "replies.sender")]
            elif len(found) > 1:
                said = [say(lang, "replies.seats")]
            else:
                said = _answer(visit_of(campaign, person), seat, post, row, lang)
            _tell(campaign, person, seat, name, said)
    except BaseException as fault:
        forget(campaign)  # it may hold in memory what is not on the disk
        if isinstance(fault, Exception) and not isinstance(fault, DatabaseError):
            with transaction.atomic():
                ReadMail.objects.create(name=name, person=person)
                _tell(campaign, person, seat, name, [say(lang, "replies.broken")])
        raise


def _tell(campaign: Campaign, person: Person, seat: str, name: str, said: list[str]) -> None:
    put_out(campaign, [person], MAILED, f"{MAILED}.{name}", lines=said, seat=seat)


def _whose(post: str) -> list[Holder]:
    """Whose order forms stand in a mail, by their marks: a person in one seat, or in several.

    None if a mark does not hold, or a form has none, or a campaign is not played.
    """
    marks = dict.fromkeys(_MARK.findall(post))
    try:
        codes = [frame.code for frame in frames(post)] if marks else []
    except Refusal:
        return []
    if not codes or max(len(marks), len(codes)) > MOST_FORMS:
        return []
    numbers = {int(number) for number, _ in marks}
    rows = Holder.objects.select_related("person", "seat__campaign").order_by("pk")
    found = list(rows.filter(pk__in=numbers, role=COMMANDER))
    people = {holder.person for holder in found}
    if len(found) != len(numbers) or len(people) != 1 or not writes_orders(found[0].person):
        return []
    given = [f"PLM-{number}-{rest}" for number, rest in marks]
    of: list[Holder] = []
    for code in codes:
        made = [
            one
            for one in found
            if any([constant_time_compare(_mark(one, code), each) for each in given])
        ]
        if not made or made[0].seat.campaign.stage != RUNNING:
            return []
        of += made
    return list(dict.fromkeys(of))


def _answer(visit: Visit, seat: str, post: str, row: ReadMail, lang: str) -> list[str]:
    """Enter what a mail answers, all of it or nothing; what its sender is told of it."""
    campaign = visit.campaign
    with read_lock(campaign) as table:
        try:
            read = _read(visit, table, seat, post, lang)
        except Refusal as refusal:
            return [say(lang, "replies.refused"), refusal_text(lang, refusal)]
        told = [in_words(visit, table, one, lang) for one in read.now]
        faults = [line for each in told for line in each.faults]
        if faults:
            return [say(lang, "replies.refused"), *faults]
        rest = read.rest
        if not read.now and not rest.ahead:
            return [say(lang, "replies.refused"), *rest.unused]
        of_rest = [*rest.told, *rest.warned, *rest.unused]
        warned = rest.warned or any(
            [
                warning(one, table.game, words_on(visit, table, one.form.key, lang))
                for one in read.now
            ]
        )
        if warned and not _meant(row, read):
            understood = [line for each in told for line in each.understood]
            return [say(lang, "replies.sure"), *understood, *of_rest]
    said, kept = list[str](), list[str]()
    ahead = rest.ahead
    for number, (one, each) in enumerate(zip(read.now, told, strict=True)):
        try:
            receipt = _keep(visit, seat, one, f"{row.name[:56]}-{number}", ahead)
        except Refusal as refusal:
            return [*(said or [say(lang, "replies.refused")]), *kept, refusal_text(lang, refusal)]
        said += [*([] if said else [say(lang, "replies.taken")]), *each.understood]
        if one.form.key.rule != WISH:
            ahead, kept = (), of_rest
        if receipt is not None:
            said.append(say(lang, "replies.receipt", digest=receipt.groups))
    if ahead:
        leave_ahead(campaign, ahead)
    return [*(said or [say(lang, "replies.taken")]), *of_rest]


def _keep(
    visit: Visit, seat: str, one: FilledForm, once: str, ahead: Sequence[Leave]
) -> Receipt | None:  # fmt: skip
    """Enter an answer with those in advance, or leave wishes alone.  Raises Refusal."""
    if one.form.key.rule == WISH:
        wish_for(visit.campaign, seat, one.value)
        return None
    return seal(
        visit.campaign, visit.person, seat, one.form.key, one.value, once=once, ahead=ahead
    )  # fmt: skip


def _read(visit: Visit, table: LiveCampaign, seat: str, post: str, lang: str) -> Orders:
    """What stands in a mail.  Raises as `orders_in`; OutOfDate on what is answered already."""
    wishes = wish_requests(table, seat)
    asked = [*open_requests(table.game, seat), *wishes]
    found = orders_in(visit, table, seat, asked, post, lang)
    owed = [each.keys[seat] for each in (*_asked(visit.campaign, table, seat), *wishes)]
    for one in found.now:
        if one.form.key not in owed:
            raise OutOfDate("replies.answered", rule=one.form.key.rule)
    return found


def _meant(row: ReadMail, read: Orders) -> bool:
    """Whether the very same orders were sent back to their sender before; from now on they were."""
    orders = [(str(one.form.key), one.value) for one in read.now]
    of = encode((row.person_id, [one.form.code for one in read.now], orders, read.rest.ahead))
    row.meant = hashlib.sha256(of).hexdigest()
    row.save(update_fields=["meant"])
    return (
        ReadMail.objects.filter(person=row.person_id, meant=row.meant).exclude(pk=row.pk).exists()
    )


# The words of a mail -----------------------------------------------------------------------------


def text_of(message: Message) -> str:
    """What a mail says, as plain text, "" if nothing: of what is written in HTML, its words."""
    parts = [part for part in message.walk() if part.get_content_disposition() != "attachment"]
    types = [part.get_content_type() for part in parts]
    kind = next((each for each in ("text/plain", "text/html") if each in types), "")
    if not kind:
        return ""
    body = parts[types.index(kind)]
    raw: Any = body.get_payload(decode=True)
    charset = body.get_content_charset("")
    said = raw.decode(charset if _CHARSETS.fullmatch(charset) else "utf-8", errors="replace")
    if kind == "text/plain":
        return str(said)
    reader = _Html()
    said = _ASIDE.sub("", said[:LONGEST_HTML])
    reader.feed(re.sub(r"<(?![^<>]*>)", "&lt;", said))  # what is never closed is read for ever
    reader.close()
    return "".join(reader.said)


class _Html(HTMLParser):
    """The words of a page, with a line for each block."""

    LINES = ("br", "p", "div", "tr", "li", "pre", "blockquote", "h1", "h2", "h3", "table", "ul")
    UNSEEN = ("style", "script", "head", "title")

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._unseen = ""
        self._kept = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in self.UNSEEN:
            self._unseen = self._unseen or tag
        if tag in self.LINES:
            self.said.append("\n")
        self._kept += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        if tag == self._unseen:
            self._unseen = ""
        if tag in self.LINES and tag != "br":
            self.said.append("\n")
        self._kept -= tag == "pre"

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.said.append(data if self._kept > 0 else re.sub(r"\s+", " ", data))
