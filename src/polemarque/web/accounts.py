"""Accounts: made by invitation only."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class Closed(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth, without its sign-up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Never: `pages.invitation` makes accounts."""
        return False
