"""Every word of the pages, in the reader's language, and which language that is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.timesince import timesince

from polemarque.club.models import Person
from polemarque.kernel.errors import Refusal
from polemarque.kernel.files.plugins import broken
from polemarque.kernel.files.texts import LANGUAGES, Catalogue
from polemarque.kernel.system import find_system, system_names
from polemarque.odds.wording import refusal_text as told
from polemarque.report.game_words import SHARED
from polemarque.web.access import ClubRequest

HERE = Path(__file__).parent
TEXTS = tuple(sorted(path.parent for path in (HERE / "texts").rglob("texts.fr.toml")))
"""The folders of the pages' own texts."""

COOKIE = "lang"


@cache
def catalogue(*more: Path) -> Catalogue:
    """The texts of the pages over those that every door has."""
    return Catalogue.load(*SHARED, *TEXTS, *more)


def say(lang: str, key: str, /, **data: Any) -> str:
    """One text.  Raises MissingText."""
    return catalogue().say(lang, key, **data)


def elapsed(since: datetime) -> str:
    """How long ago something was, in the language of the page; "" for less than a minute."""
    past = timezone.now() - since >= timedelta(minutes=1)
    return timesince(since, depth=1) if past else ""


def spoken(time: timedelta) -> str:
    """How long something takes, in the language of the page: at least a minute."""
    now = timezone.now()
    return timesince(now - max(time, timedelta(minutes=1)), now, depth=1)


def program_name(lang: str, name: str) -> str:
    """What a program that plays is called; one that we do not know by its own name."""
    key = f"muster.program.{name}"
    return say(lang, key) if catalogue().has(lang, key) else name


def broken_plugins(request: ClubRequest) -> list[dict[str, str]]:
    """What is installed and cannot be used, with the reason, for those who have an account."""
    if not request.user.is_authenticated:
        return []
    lang = request.lang
    return [{"name": each.name, "why": each.why(catalogue(), lang)} for each in broken()]


def refusal_text(lang: str, refusal: Refusal, system: str = "") -> str:
    """A refusal as a sentence; one of a system's own is said in that system's words."""
    names = (system,) if system else system_names()
    folders = [find_system(name).data for name in names]
    with_texts = [folder for folder in folders if (folder / "texts.fr.toml").exists()]
    return told(catalogue(*with_texts), lang, refusal)


# Which language ----------------------------------------------------------------------------------


def lang_of(request: HttpRequest) -> str:
    """The reader's language: as they have chosen, else as their browser asks, else French."""
    chosen = request.user.lang if isinstance(request.user, Person) else ""
    chosen = chosen or request.COOKIES.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    asked = translation.get_language_from_request(request).partition("-")[0]
    return asked if asked in LANGUAGES else LANGUAGES[0]


def language(get_response: Callable[[HttpRequest], HttpResponse]) -> Any:
    """Middleware: the page's own words and those of Django are in the reader's language."""

    def answered(request: HttpRequest) -> HttpResponse:
        lang = lang_of(request)
        cast(ClubRequest, request).lang = lang
        with translation.override(lang):
            response = get_response(request)
        response.headers.setdefault("Content-Language", lang)
        return response

    return answered


def frame(request: HttpRequest) -> dict[str, Any]:
    """What every template may use: the language, the other one, and who reads.

    Of a request to a name that is not the club's neither language nor reader is looked for.
    """
    lang = getattr(request, "lang", LANGUAGES[0])
    user = getattr(request, "user", None)
    reader = user if isinstance(user, Person) else None
    return {
        "lang": lang,
        "other_lang": next(other for other in LANGUAGES if other != lang),
        "reader": reader,
        "theme": reader.theme if reader else request.COOKIES.get("theme", ""),
    }
