"""Links that let one person in, once: with a new account, or into an account's campaigns."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from secrets import token_hex
from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.demonstration import give_seat
from polemarque.club.campaigns.lobby import UMPIRE_ROLE, accept, begin_duel, invitation_of, plan_of
from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import seat_names as played_names
from polemarque.club.models import GUEST, RUNNING, SUCCESSOR, Invitation, Person
from polemarque.kernel.errors import OutOfDate, Refusal
from polemarque.kernel.records.commitment import WORD
from polemarque.kernel.records.record import COMMITTED
from polemarque.web.access import ClubRequest, anyone, page, see_other
from polemarque.web.i18n import refusal_text, say
from polemarque.web.pages.lobby.new_campaign import seat_names

LOG = logging.getLogger(__name__)

CALLED, NAME = 60, 150
"""Most characters of a shown name and of an account's."""


@page(anyone, post=True)
@never_cache
@sensitive_post_parameters("password")
def invitation(request: ClubRequest, token: str) -> HttpResponse:
    """What a link is for; to anyone who takes it, it opens.

    A link that was used, withdrawn or forged says so, and nothing of what it was for.
    """
    try:
        found = invitation_of(token)
    except Refusal as refusal:
        return _closed(request, refusal)
    reader = request.user if isinstance(request.user, Person) else None
    sent = request.POST if request.method == "POST" else {}
    form = Entering(request.lang, sent, without_account=_without_account(found))
    if request.method == "POST":
        try:
            person = form.enter(token, reader)
        except OutOfDate as refusal:
            return _closed(request, refusal)
        if person is not None:
            return _let_in(request, found, person)
    context = {"form": form, "invitation": found, "token": token, **_about(request, found)}
    return render(request, "muster/invitation.html", context, status=422 if form.errors else 200)


def _closed(request: ClubRequest, refusal: Refusal) -> HttpResponse:
    """The page of a link that opens nothing: gone, or never there."""
    used = isinstance(refusal, OutOfDate)
    return render(request, "muster/closed.html", {"used": used}, status=410 if used else 404)


def _let_in(request: ClubRequest, found: Invitation, person: Person) -> HttpResponse:
    if not isinstance(request.user, Person):
        login(request, person)
        request.session.save()  # who has no password is known by it alone, whatever fails below
    lang = request.lang
    messages.success(request, say(lang, "muster.welcome", name=str(person)))
    if found.campaign is None:
        if give_seat(person):
            messages.info(request, say(lang, "muster.demonstration"))
        return see_other("home")
    if found.seat and not found.role:
        try:
            if begin_duel(found.campaign):
                let_play(found.campaign)
        except DatabaseError:  # the seat is taken all the same, and the page offers to begin
            LOG.exception("a duel could not begin")
    if not person.has_usable_password():
        messages.info(request, say(lang, "muster.no_password"))
    if found.role == GUEST:
        return see_other("guest", code=found.campaign.code, path=found.path)
    if found.seat and found.campaign.stage == RUNNING:
        return see_other("seat", code=found.campaign.code, seat=found.seat)
    return see_other("campaign", code=found.campaign.code)


def _about(request: ClubRequest, found: Invitation) -> dict[str, Any]:
    """What an invitation is for, in words."""
    lang = request.lang
    if found.campaign is None:
        return {"kind": "account"}
    plan = plan_of(found.campaign)
    names = seat_names(plan, lang)
    if found.seat and found.campaign.stage == RUNNING:  # its people may have been chosen meanwhile
        with read_lock(found.campaign) as table:
            played = played_names(table.game, lang)
        names |= {code: name for code, name in played.items() if name != code}
    kind = found.role or ("seat" if found.seat else "watch")
    return {
        "kind": kind,
        "seat": names.get(found.seat, found.seat),
        "campaign": found.campaign,
        "without_account": _without_account(found),
        "with_word": kind == "seat" and plan.dice == COMMITTED,
        "longest": WORD.most,
    }


def _without_account(found: Invitation) -> bool:
    """Whether a shown name is enough to come in: for a seat, a battle, or to watch."""
    return found.campaign is not None and found.role not in {UMPIRE_ROLE, SUCCESSOR}


# Who comes ---------------------------------------------------------------------------------------


class Entering:
    """What a newcomer has filled in, and what is wrong with it; the password is never shown again.

    errors: field -> sentence; "form" for the whole.
    """

    def __init__(self, lang: str, sent: Mapping[str, str], *, without_account: bool) -> None:
        self.lang = lang
        self.errors: dict[str, str] = {}
        self.called = sent.get("called", "").strip()
        self.name = sent.get("username", "").strip()
        self.word = sent.get("word", "")
        self._password = sent.get("password", "")
        self._name_alone = without_account and not self.name and not self._password

    def enter(self, token: str, reader: Person | None) -> Person | None:
        """Let in the reader, or the account that is made for them; None if anything is refused.

        Account and entry stand or fall together.  Raises OutOfDate if the link is used by now.
        """
        person = reader or self._newcomer()
        if person is None:
            return None
        try:
            with transaction.atomic():
                if person is not reader:
                    person.save()
                accept(token, person, self.word)
        except IntegrityError:  # somebody took the name just now
            self.errors["username"] = say(self.lang, "muster.name_taken")
        except OutOfDate:
            raise
        except Refusal as refusal:
            field = "word" if refusal.code.startswith("answer.") else "form"
            self.errors[field] = refusal_text(self.lang, refusal)
        return None if self.errors else person

    def _newcomer(self) -> Person | None:
        """A new account, not saved yet; None if a field is refused.

        A shown name alone makes an account without a password, known by this browser.
        """
        self._check_names()
        if self._name_alone:
            free = f"{slugify(self.called)[:40] or 'guest'}-{token_hex(3)}"
            person = Person(username=free, called=self.called, lang=self.lang)
            person.set_unusable_password()
            return None if self.errors else person
        person = Person(username=self.name, called=self.called, lang=self.lang)
        try:
            validate_password(self._password, person)
        except ValidationError as fault:
            self.errors["password"] = " ".join(fault.messages)
        if self.errors:
            return None
        person.set_password(self._password)
        return person

    def _check_names(self) -> None:
        if not self.called or len(self.called) > CALLED or not self.called.isprintable():
            self.errors["called"] = say(self.lang, "muster.bad_called", most=CALLED)
        if self._name_alone:
            return
        if not _is_account_name(self.name):
            self.errors["username"] = say(self.lang, "muster.bad_name")
        elif Person.objects.filter(username__iexact=self.name).exists():
            self.errors["username"] = say(self.lang, "muster.name_taken")


def _is_account_name(name: str) -> bool:
    try:
        UnicodeUsernameValidator()(name)
    except ValidationError:
        return False
    return 0 < len(name) <= NAME
