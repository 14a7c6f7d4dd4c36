"""All modules of a club, loaded once in the process from which `tests.forked` forks others."""

from __future__ import annotations

import gc
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

from polemarque import systems  # noqa: E402 - Django is ready now
from polemarque.kernel.game import Game, new_header  # noqa: E402
from polemarque.report.boards.board_view import seen_board  # noqa: E402
from polemarque.report.labels import names_of  # noqa: E402
from polemarque.web.i18n import catalogue  # noqa: E402

OURS = [each.name for each in pkgutil.walk_packages(polemarque.__path__, "polemarque.")]
for name in (*OURS, *OTHERS):
    if name not in LATE:
        with suppress(ImportError):  # what is not installed
            importlib.import_module(name)

catalogue()
for found in pkgutil.iter_modules(systems.__path__):  # texts are read and maps drawn once a process
    game = Game(new_header(found.name, seed=1))
    seen_board(found.name, game.view(""), "en", names_of(game.system, game.state, "en"))

gc.collect()
gc.freeze()
