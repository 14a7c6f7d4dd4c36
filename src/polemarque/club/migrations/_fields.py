"""Fields that most tables of the club have, as its migrations write them.

Migrations that have been applied somewhere stay as they are: so do these.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

CAMPAIGN, PERSON = "club.campaign", settings.AUTH_USER_MODEL

ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))  # fmt: skip

Field = tuple[str, models.ForeignKey[Any, Any]]


def of(name: str, to: str, related: str | None = None, **more: Any) -> Field:
    """A reference whose row goes with what it names."""
    return name, models.ForeignKey(to, models.CASCADE, related_name=related, **more)


def outliving(name: str, to: str, related: str | None = None) -> Field:
    """A reference whose row stays, naming nothing, when what it names goes."""
    return name, models.ForeignKey(to, models.SET_NULL, related_name=related, null=True)
