"""Accounts: made by invitation only, and their mails at the club's own address."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.http import HttpRequest
from django.urls import reverse

from polemarque.club.models import Person
from polemarque.web.links import absolute


class Closed(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth, without its sign-up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: `pages.invitation` makes accounts."""
        return False

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Where a forgotten password is chosen anew."""
        uid, _, token = key.partition("-")
        return absolute(self.request, _way(uid, token))

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: object) -> str:
        """Where a mail address is confirmed."""
        key = emailconfirmation.key  # type: ignore[attr-defined]
        return absolute(request, reverse("account_confirm_email", kwargs={"key": key}))


def password_way(person: Person) -> str:
    """The address at which somebody chooses a new password: good once, and for three days."""
    return _way(user_pk_to_url_str(person), default_token_generator.make_token(person))


def _way(uid: str, token: str) -> str:
    parts = {"uidb36": uid, "key": token}
    return reverse("account_reset_password_from_key", kwargs=parts)
