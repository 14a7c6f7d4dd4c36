"""Accounts: made by invitation only, their mails at the club's own address, and who may sign in.

Wrong passwords are counted for each account, and so are the accounts that one address tries.
Browsers in which an account has signed in before are counted by themselves: nobody else can shut
its owner out.
"""

import secrets
from collections.abc import Iterator

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.ratelimit import consume, respond_429
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from polemarque.club.models import Person
from polemarque.web.links import absolute

BROWSER = "browser"
"""The cookie by which a browser is known in which somebody has signed in."""

YEAR = 60 * 60 * 24 * 365
MOST_PEOPLE = 4
"""So many people a browser is known to, those who signed in last."""


class Closed(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth, without its sign-up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: `pages.invitation` makes accounts."""
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: str) -> None:
        """Look at no password where too many were wrong.  Raises ImmediateHttpResponse."""
        for action, key in self._counted(request, credentials["username"]):
            if not consume(request, action=action, key=key, dry_run=True):
                raise ImmediateHttpResponse(respond_429(request))

    def authentication_failed(self, request: HttpRequest, **credentials: str) -> None:
        """Count a wrong password."""
        for action, key in self._counted(request, credentials["username"]):
            consume(request, action=action, key=key)

    def _counted(self, request: HttpRequest, username: str) -> Iterator[tuple[str, str]]:
        """Where a password for that name is counted if it is wrong, as (action, key).

        The actions are those of the setting ``ACCOUNT_RATE_LIMITS``.
        """
        name = username.lower()
        token, people = _browser(request)
        if people and Person.objects.filter(pk__in=people, username__iexact=name).exists():
            yield "sign_in_known", f"{token} {name}"
            return
        here = f"{self.get_client_ip(request)} {name}"
        yield "sign_in_here", here
        yield "sign_in_name", name
        if consume(request, action="sign_in_first", key=here, dry_run=True):
            yield "sign_in_address", ""
            yield "sign_in_first", here

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Where a forgotten password is chosen again."""
        uid, _, token = key.partition("-")
        return absolute(self.request, _way(uid, token))

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address; who waits for order forms by mail gets those of what is asked."""
        from polemarque.web.mail_orders.replies import send_forms, writes_orders

        done = bool(super().confirm_email(request, email_address))
        reader = Person.objects.get(pk=email_address.user_id)
        if done and writes_orders(reader):
            send_forms(reader, "fr")
        return done

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: object) -> str:
        """Where a mail address is confirmed."""
        key = emailconfirmation.key  # type: ignore[attr-defined]
        return absolute(request, reverse("account_confirm_email", kwargs={"key": key}))


def _browser(request: HttpRequest) -> tuple[str, list[int]]:
    """By what a browser is known, and who has signed in there; "" and nobody in a new one."""
    try:
        token, people = signing.loads(request.COOKIES.get(BROWSER, ""), salt=BROWSER, max_age=YEAR)
    except signing.BadSignature:
        return "", []
    return token, people


def know_browser(request: HttpRequest, answer: HttpResponse, person: Person) -> None:
    """Know the browser again in which somebody is signed in."""
    token, people = _browser(request)
    if person.pk in people:
        return
    known = (token or secrets.token_hex(16), [*people, person.pk][-MOST_PEOPLE:])
    answer.set_cookie(
        BROWSER, signing.dumps(known, salt=BROWSER), max_age=YEAR, httponly=True, samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
    )  # fmt: skip


def password_way(person: Person) -> str:
    """The address at which somebody chooses a new password: good once, and for three days."""
    return _way(user_pk_to_url_str(person), default_token_generator.make_token(person))


def _way(uid: str, token: str) -> str:
    parts = {"uidb36": uid, "key": token}
    return reverse("account_reset_password_from_key", kwargs=parts)
