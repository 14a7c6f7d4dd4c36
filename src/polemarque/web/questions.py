"""Questions as pages show them, and what is posted in answer: the same for seats and umpires."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import msgspec
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone

from polemarque.club.campaigns.question_keys import LONGEST_KEY, key_text, read_key
from polemarque.club.campaigns.session import LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import (
    Eye,
    boards,
    hides_readiness,
    period_shown,
    playing_seats,
    public_names,
    seats_in,
)
from polemarque.club.models import Campaign, Draft, Receipt
from polemarque.club.orders.answers import given_before, open_requests, seal, settles_alone
from polemarque.club.orders.forced_answers import spared_seats
from polemarque.club.orders.plans import DRAFT
from polemarque.club.orders.standing_orders import Lasting
from polemarque.club.people.roles import Visit
from polemarque.club.trust.receipts import receipt_of, standing_receipt
from polemarque.kernel.agenda import PASS
from polemarque.kernel.beginner_notes import lesson_of, note_of
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate, Refusal
from polemarque.kernel.position import encode
from polemarque.kernel.records.commitment import is_salt
from polemarque.kernel.records.record import Answer
from polemarque.kernel.rehearsal import planned_for
from polemarque.kernel.request import UMPIRE, Key, OneOf, Request, Sheet, Text
from polemarque.report.game_words import Words
from polemarque.report.order_forms.told_answers import told
from polemarque.web.access import ClubRequest
from polemarque.web.forms import Form, Sealed, Unfinished, draft_of, form_of, read_form
from polemarque.web.i18n import TEXTS, refusal_text, say
from polemarque.web.pages.umpire.return_table import laid_out

WORDS = 48
"""At most this many questions of a table have their words kept."""

LONGEST_ONCE = 64
"""Characters of what a filled form is known by."""

NOT_OPEN = "answer.not_open"
"""The refusal of an answer to a question that is not open any more."""

DRAFTS = 40
"""At most this many drafts of one person are kept in a campaign."""

LARGEST_DRAFT = 2**18
"""Characters of a filled form, names of its fields included: no form of ours comes near."""


@dataclass(frozen=True)
class Question:
    """A question as a page shows it.

    rule, title: of the rule that asks.   said: what is asked.   figures: what decides it, in lines.
    sealed: whether its answer stays hidden until all are in.
    final:  whether it is sealed for good, since an umpire plays the seat.
    last:   whether its answer is revealed at once: nobody else is awaited, as far as it may know.
    given:  the answer of this seat that stands already, in words, or "".
    receipt, receipt_url: of that answer, if it is sealed, and the address of its file.
    note:   what the set-up's lesson says beside it, or "".
    hidden: what the form carries unseen: the question's key, what makes the filled form known
            again, and the digest of the answer that stands.
    ahead:  how its answer may be left in advance; None before the first turn, where all is asked
            once, and for a guest of one battle.
    spared: whether it leaves nothing to decide, and is sealed for the seat.
    absent: what is answered for a seat that says nothing, in words, or "".
    """

    rule: str
    title: str
    said: str
    figures: Sequence[str]
    form: Form
    sealed: bool
    final: bool
    last: bool
    given: str
    receipt: Receipt | None
    receipt_url: str
    note: str
    hidden: dict[str, str]
    ahead: Ahead | None
    spared: bool
    absent: str


@dataclass(frozen=True)
class Ahead:
    """How an answer may be left in advance.

    chosen: one of `TERMS`.   stakes: (word, in words, whether chosen) of what may be excepted.
    """

    chosen: str
    stakes: Sequence[tuple[str, str, bool]]
    template: str = "forms/ahead.html"


ONCE, THIS_TURN, ALWAYS = "once", "turn", "always"

TERMS = (ONCE, THIS_TURN, ALWAYS)
"""For how long an answer is left: for this question, for this turn, until it is revoked."""


def named(key: str) -> str:
    """How the names of the inputs of a question's form begin: a page may have several forms."""
    return "q" + hashlib.sha256(key.encode()).hexdigest()[:8]


@dataclass(frozen=True)
class Asked:
    """One open question of a seat, with what its form needs."""

    visit: Visit
    table: LiveCampaign
    seat: str
    request: Request
    words: Words
    places: Collection[str]

    @property
    def key(self) -> Key:
        """The question's key."""
        return self.request.keys[self.seat]

    @property
    def named(self) -> str:
        """How the names of its inputs begin."""
        return named(key_text(self.key))

    @property
    def default(self) -> Any:
        """What its form proposes: the answer that stands, else that of a plan whose condition
        fails, else that of an absent player."""
        standing, request = self.request.answered, self.request
        if self.seat == UMPIRE and not settles_alone(self.visit, request):
            return request.otherwise(self.seat)
        planned = planned_for(self.table.game, self.key)
        if planned is not None and self.seat not in standing:
            with suppress(Refusal):
                return request.options(self.seat).take(planned.value)
        return standing.get(self.seat, request.proposed(self.seat))

    @property
    def said(self) -> str:
        """What is asked; the title of the rule where its system leaves it at that."""
        question = self.words.question(self.key) or self.words.title(self.key.rule)
        return question.partition("\n")[0]

    def form(self, draft: Mapping[str, list[str]] | None) -> Form:
        """The form, with what was typed so far."""
        return form_of(
            self.request.options(self.seat), self.words, draft=draft, default=self.default,
            named=self.named, places=self.places, label=self.said,
        )  # fmt: skip

    def read(self, posted: QueryDict) -> Sealed | Unfinished:
        """What was sent: the answer, or the form again if it lacks anything or was to be worked
        out."""
        if posted.get("do") != "seal":
            return Unfinished(self.form(draft_of(posted, self.named)))
        read = read_form(
            self.request.options(self.seat), self.words, dict(posted.lists()),
            default=self.default, named=self.named, places=self.places, label=self.said,
        )  # fmt: skip
        return self._once_more(read, posted) if isinstance(read, Sealed) else read

    def _once_more(self, read: Sealed, posted: QueryDict) -> Sealed | Unfinished:
        """The answer; or, where it may hurt, the form that asks whether it is meant."""
        warning = self.words.warning(self.request.rule, self.request.warning(self.seat, read.value))
        sure = hashlib.sha256(encode(read.value)).hexdigest()
        if not warning or posted.get("sure") == sure:
            return read
        button = say(self.words.lang, "forms.sure")
        form = self.form(draft_of(posted, self.named))
        return Unfinished(
            msgspec.structs.replace(form, notice=warning, sure=sure, seal=button, send=button)
        )

    def shown(self, form: Form, posted: QueryDict | None = None) -> Question:
        """The question for the page.   posted: how its answer was to be left, if it was sent."""
        key, request, words = self.key, self.request, self.words
        form = laid_out(form, self.table.game.runner.find(key)[0], words)
        hidden = {"key": key_text(key), "once": secrets.token_hex(16)}
        standing = standing_receipt(self.visit.campaign, key)
        if standing:
            hidden["standing"] = standing.digest
        if form.sure:
            hidden["sure"] = form.sure
        given = request.answered.get(self.seat)
        return Question(
            key.rule.partition("/")[0], words.title(key.rule), *self._said, form,
            request.sealed,
            request.sealed and self.seat in playing_seats(self.visit, self.table), self._last,
            "" if given is None else told(request.options(self.seat), given, words),
            standing, receipt_address(self.visit, self.seat, standing.digest) if standing else "",
            self._note, hidden, self._ahead(posted) if self._lasts else None, self._spared,
            self._absent,
        )  # fmt: skip

    @property
    def _absent(self) -> str:
        """What the rules answer for a seat that says nothing; a sheet shows it itself."""
        options = self.request.options(self.seat)
        if self.seat == UMPIRE or isinstance(options, (Sheet, Text)):
            return ""
        return told(options, self.request.absent(self.seat), self.words)

    @property
    def _said(self) -> tuple[str, Sequence[str]]:
        """What is asked, with what alone an umpire may answer who plays; its figures, and what has
        befallen the seat since the last turn began."""
        said, *figures = self.words.question(self.key).splitlines() or [""]
        lately = takewhile(
            lambda event: event.outer_period >= self.key.outer_period - 1, reversed(self.table.told)
        )
        here = [each for each in lately if each.path == self.key.path and each.seen_by(self.seat)]
        figures += self.words.recalled(self.key, reversed(here))
        request = self.request
        if self.seat != UMPIRE or settles_alone(self.visit, request):
            return said, figures
        otherwise = told(request.options(UMPIRE), request.otherwise(UMPIRE), self.words)
        said = f"{said} {say(self.words.lang, 'desk.plays', otherwise=otherwise)}".lstrip()
        return said, figures

    @property
    def _note(self) -> str:
        """What the set-up's lesson says beside the question; "" if nothing."""
        lesson = lesson_of(self.table.game.header.setup)
        if not lesson:
            return ""
        given = [one.key for one in self.table.game.effective if isinstance(one, Answer)]
        earlier = [key for key in given if key != self.key]
        note = note_of(lesson, self.key, earlier)
        return note.printed(self.words.lang) if note else ""

    @property
    def _last(self) -> bool:
        """Whether nobody else is awaited as far as the seat may know; programs answer at once."""
        hidden = hides_readiness(self.visit, self.table)
        others = set(self.request.keys if hidden else self.request.missing) - {self.seat}
        people = self.visit.campaign.seats.filter(code__in=others, bot="")
        return self.request.sealed and not people.exists()

    @property
    def _spared(self) -> bool:
        spares = self.request.ask.spares
        return spares and bool(self.request.spared(spared_seats(self.visit.campaign) & {self.seat}))

    @property
    def _lasts(self) -> bool:
        """Whether its answer may be left in advance: a guest's would hold in other battles too."""
        once = self.request.ask.once or self.visit.within
        return bool(period_shown(self.table.game)) and not once

    def _ahead(self, posted: QueryDict | None) -> Ahead:
        """A window can be passed until something is at stake there."""
        options = self.request.options(self.seat)
        passes = isinstance(options, OneOf) and PASS in options.words
        known = self.table.game.system_at(self.key.path).stakes if passes else ()
        term = posted.get("term", ONCE) if posted else ONCE
        but = posted.getlist("unless") if posted else []
        return Ahead(
            term if term in TERMS else ONCE,
            [(one, self.words.label("stake", one), one in but) for one in known],
        )


def asked(
    visit: Visit, table: LiveCampaign, seat: str, request: Request, eye: Eye, lang: str
) -> Asked:
    """An open question, the game's names and boards as this moment has them.

    eye: through which seat's eyes the board is seen that stands beside it.
    """
    key = request.keys[seat]
    words = words_on(visit, table, key, lang)
    seen = boards(table, eye, lang, public_names(table, lang, visit.people))
    places = next((each.board.places for each in seen if each.path == key.path), ())
    return Asked(visit, table, seat, request, words, places)


def questions(
    visit: Visit, table: LiveCampaign, seat: str, eye: Eye, lang: str, posted: Mapping[str, Form],
    sent: QueryDict | None = None,
) -> list[Question]:  # fmt: skip
    """All that is asked of a seat.

    posted: key -> the form that was sent and not taken.   sent: what was sent with it.
    """
    rows = Draft.objects.filter(campaign=visit.campaign, person=visit.person)
    drafts: dict[str, Any] = dict(rows.values_list("key", "fields"))
    shown = []
    for request in open_requests(table.game, seat):
        if not visit.reaches(request.keys[seat]):
            continue
        one = asked(visit, table, seat, request, eye, lang)
        text = key_text(one.key)
        if text in posted:
            shown.append(one.shown(posted[text], sent))
        else:
            shown.append(one.shown(one.form(drafts.get(text))))
    return shown


# Answers -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Taken:
    """An answer that was taken, with its receipt if it was sealed."""

    receipt: Receipt | None


def receipt_address(visit: Visit, seat: str, digest: str) -> str:
    """The address of a receipt's file, for a seat or for a guest of one battle."""
    where = {"code": visit.campaign.code, "digest": digest}
    if visit.within:
        return reverse("guest_receipt", kwargs={**where, "path": visit.within})
    return reverse("receipt", kwargs={**where, "seat": seat})


def after(done: Taken) -> str:
    """How the address of the page ends on which one goes on after an answer: at its receipt, which
    takes the focus itself, or else at what is asked next."""
    return f"?receipt={done.receipt.digest}" if done.receipt else "#asked-title"


@dataclass(frozen=True)
class NotTaken:
    """What was sent and not taken: forms to show again by their key, and the status to say so."""

    forms: Mapping[str, Form]
    status: int


def take(
    request: ClubRequest, visit: Visit, seat: str, eye: Eye
) -> Taken | NotTaken | HttpResponse:
    """Take what was posted in answer to a question of a seat; nothing that was typed is lost.

    A page that works a form out as it is typed gets that form alone.  What was refused is said in
    a message, or beside its field.  Raises Http404 on the question of another seat, or of another
    battle than a guest's.
    """
    lang, posted = request.lang, request.POST
    campaign, text = visit.campaign, posted.get("key", "")
    once, key = _once(posted), None
    try:
        _check_size(posted)
        key = read_key(text)
        if key.seat != seat or not visit.reaches(key):
            raise Http404
        read = _read(request, visit, seat, key, eye, once)
        if isinstance(read, (HttpResponse, Taken)):
            return read
        if isinstance(read, Unfinished):
            status = 422 if posted.get("do") == "seal" else 200
            return NotTaken({key_text(key): read.form}, status)
        receipt = seal(
            campaign, visit.person, seat, key, read.value, once=once,
            salt=_salt(posted), standing=posted.get("standing", ""),
            lasting=None if visit.within else _lasting(posted, key),
        )  # fmt: skip
    except Refusal as refusal:
        if key is not None:
            _keep(visit, key, posted)
        messages.error(request, _refused(campaign, key, refusal, lang))
        return NotTaken({}, 409 if isinstance(refusal, OutOfDate) else 422)
    if receipt is None:
        messages.success(request, say(lang, "seat.taken"))
    return Taken(receipt)


def _refused(campaign: Campaign, key: Key | None, refusal: Refusal, lang: str) -> str:
    """Why nothing was taken; of a question that is closed, where the seat's answer went."""
    if key is None or refusal.code != NOT_OPEN:
        return refusal_text(lang, refusal)
    kept = standing_receipt(campaign, key)
    return say(lang, "error.page.closed", number=kept.number if kept else 0)


def _check_size(posted: QueryDict) -> None:
    """Raises NotAllowed on more than any form of ours holds: it would be kept as a draft."""
    size = sum([len(text) for texts in posted.lists() for text in (texts[0], *texts[1])])
    if size > LARGEST_DRAFT:
        raise NotAllowed("page.too_large", part=size, most=LARGEST_DRAFT // 1024)


def _once(posted: QueryDict) -> str:
    """What a filled form is known by: the same if it is sent again as it was."""
    text = posted.get("key", "")
    filled = (posted.get("once", ""), text, draft_of(posted, named(text)))
    return hashlib.sha256(msgspec.json.encode(filled, order="sorted")).hexdigest()


def _read(
    request: ClubRequest, visit: Visit, seat: str, key: Key, eye: Eye, once: str
) -> Sealed | Unfinished | Taken | HttpResponse:
    """What a filled form says, or that it was taken before; what is not complete becomes a draft.

    Raises OutOfDate if its question is not open any more.
    """
    lang = request.lang
    with read_lock(visit.campaign) as table:
        awaited = any(key == each.keys[seat] for each in table.game.requests(seat))
        kept = None if awaited else given_before(visit.campaign, once)
        if kept is not None:
            messages.info(request, say(lang, "seat.taken_already"))
            return Taken(receipt_of(kept))
        _, found = table.game.runner.find(key)
        assert isinstance(found, Request)
        one = asked(visit, table, seat, found, eye, lang)
        read = one.read(request.POST)
        if isinstance(read, Sealed):
            return read
        _keep(visit, key, request.POST)
        if request.headers.get("X-Form") is None:
            return read
        shown = one.shown(read.form, request.POST)
    context = {"form": shown.form, "hidden": shown.hidden, "sealed": shown.sealed,
               "ahead": shown.ahead, "action": request.path}  # fmt: skip
    return render(request, "forms/form.html", context)


def _keep(visit: Visit, key: Key, posted: QueryDict) -> None:
    keep(visit, key, draft_of(posted, named(key_text(key))))


def keep(visit: Visit, key: Key, fields: Mapping[str, list[str]]) -> None:
    """Keep what stands in the form of a question; of many drafts the newest, and plans."""
    text, mine = key_text(key), Draft.objects.filter(campaign=visit.campaign, person=visit.person)
    if len(text) > LONGEST_KEY:
        return
    Draft.objects.update_or_create(
        campaign=visit.campaign, person=visit.person, key=text,
        defaults={"fields": fields, "at": timezone.now()},
    )  # fmt: skip
    old = mine.exclude(key__startswith=DRAFT).order_by("-at").values_list("pk", flat=True)[DRAFTS:]
    Draft.objects.filter(pk__in=list(old)).delete()


def _salt(posted: QueryDict) -> str:
    """The browser's own salt, if it made one."""
    salt = posted.get("salt", "")
    return salt if is_salt(salt) else ""


def _lasting(posted: QueryDict, key: Key) -> Lasting | None:
    """For how long the answer is to be left; None for this once.  Raises NotUnderstood."""
    term = posted.get("term", ONCE)
    if term not in TERMS:
        raise NotUnderstood("leave.term", rule=key.rule, part=term, legal=TERMS)
    if term == ONCE:
        return None
    return Lasting(key.outer_period if term == THIS_TURN else 0, tuple(posted.getlist("unless")))


def words_of(visit: Visit, table: LiveCampaign, lang: str) -> Words:
    """The words of a game for a reader of its pages."""
    return Words(table.game.header, lang, TEXTS, visit.people, state=table.game.state)


def words_on(visit: Visit, table: LiveCampaign, key: Key, lang: str) -> Words:
    """The words of an open question, or of a throw: to be read, and turned to no other.

    Raises OutOfDate if it is not open.
    """

    def turned() -> Words:
        words = words_of(visit, table, lang)
        words.turn_to(table.game, key)
        return words

    at = (table.moment, key, lang, seats_in(visit.people))
    return table.once("words", at, turned, WORDS)


# Forms that are sent once ------------------------------------------------------------------------


def new_once() -> str:
    """What makes a filled form known again."""
    return secrets.token_hex(16)


def once_of(request: ClubRequest) -> str:
    """What the filled form that was sent is known by."""
    return request.POST.get("once", "")[:LONGEST_ONCE] or new_once()
