"""Whole addresses, for anyone who is not at the page: in mails, and to be handed on."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from polemarque.club.campaigns.lobby import token_of
from polemarque.club.models import Invitation


def absolute(request: HttpRequest | None, way: str) -> str:
    """The whole address of a page: at the club's own address, or where the reader has called it.

    Only the first can be sent by mail: what a reader says of where they are may be anything.
    """
    if settings.ADDRESS or request is None:
        return settings.ADDRESS + way
    return request.build_absolute_uri(way)


def link_of(request: HttpRequest, invitation: Invitation) -> dict[str, Any]:
    """An invitation's number and link."""
    way = reverse("invitation", kwargs={"token": token_of(invitation)})
    return {"number": invitation.pk, "url": absolute(request, way)}
