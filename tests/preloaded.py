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

from django.conf import settings  # noqa: E402 - Django is ready now
from django.db.migrations.loader import MigrationLoader  # noqa: E402
from django.template.loader import get_template  # noqa: E402

from polemarque import systems  # noqa: E402
from polemarque.cli.common import TEXTS as OF_COMMANDS  # noqa: E402
from polemarque.kernel.files.texts import LANGUAGES  # noqa: E402
from polemarque.kernel.game import Game, new_header  # noqa: E402
from polemarque.report.boards.board_view import seen_board  # noqa: E402
from polemarque.report.game_words import texts_of  # noqa: E402
from polemarque.report.labels import ledger_of, names_of  # noqa: E402
from polemarque.web.i18n import catalogue  # noqa: E402
from polemarque.web.questions import TEXTS as OF_PAGES  # noqa: E402

OURS = [each.name for each in pkgutil.walk_packages(polemarque.__path__, "polemarque.")]
for name in (*OURS, *OTHERS):
    if name not in LATE:
        with suppress(ImportError):  # what is not installed
            importlib.import_module(name)

# Read, drawn and compiled once for all: a server's first page costs half as much then.
catalogue()
texts_of(*OF_COMMANDS)
texts_of(*OF_PAGES)
for found in pkgutil.iter_modules(systems.__path__):
    game = Game(new_header(found.name, seed=1))
    ledger_of(found.name)
    for lang in LANGUAGES:
        seen_board(found.name, game.view(""), lang, names_of(game.system, game.state, lang))
MigrationLoader(None)
(TEMPLATES,) = settings.TEMPLATES[0]["DIRS"]
for page in TEMPLATES.rglob("*.html"):
    get_template(str(page.relative_to(TEMPLATES)))

gc.collect()
gc.freeze()
