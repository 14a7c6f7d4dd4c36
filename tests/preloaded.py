"""All modules of a club, loaded once in the process from which `tests.forked` forks others."""

from __future__ import annotations

import importlib
import os
import pkgutil
from contextlib import suppress

import django

import polemarque
from tests import forked

LATE = ("polemarque.__main__", "polemarque.web.asgi", "polemarque.web.urls")
"""What does something when it is loaded, or reads the settings of its club."""

OTHERS = (
    "allauth.account.views", "django.core.management.commands.migrate", "uvicorn.lifespan.on",
    "uvicorn.loops.auto", "uvicorn.protocols.http.auto",
)  # fmt: skip
"""What a server loads besides when it starts."""

assert forked

os.environ["DJANGO_SETTINGS_MODULE"] = "polemarque.web.settings"
django.setup()
OURS = [each.name for each in pkgutil.walk_packages(polemarque.__path__, "polemarque.")]
for name in (*OURS, *OTHERS):
    if name not in LATE:
        with suppress(ImportError):  # what is not installed
            importlib.import_module(name)
