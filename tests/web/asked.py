"""A reader of few words, and forms as he sends them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from polemarque.kernel.errors import Refusal
from polemarque.kernel.request import Fact, Options
from polemarque.report.game_words import refusal_text
from polemarque.web.forms import Form, Sealed, Unfinished, read_form
from polemarque.web.forms.fields import Field, Within
from tests.web.browser import read, rendered, sent

LABELS = {
    "place.ithaca": "Ithaque", "place.sparta": "Sparte", "place.argos": "Argos",
    "aim.take": "prendre", "aim.hold": "tenir", "unit.po": "PO", "seat.B": "Sparte",
}  # fmt: skip


class French:
    """A speaker of a few words."""

    lang = "fr"

    def say(self, key: str, /, **data: Any) -> str:
        return f"{key} {data}"

    def label(self, family: str, word: Any) -> str:
        said = str(word).lower() if isinstance(word, bool) else str(word)
        return LABELS.get(f"{family}.{said}", said)

    def sentence(self, _: str, /, **data: Any) -> str | None:
        return None

    def part(self, name: str) -> str:
        return f"partie {name}"

    def whose(self, head: str, code: str) -> str:
        return LABELS.get(f"seat.{code}", "")

    def terms(self, said: str) -> list[tuple[str, str]]:
        return [("terme", "sens")] if "Ithaque" in said else []

    def fact(self, fact: Fact) -> str:
        return f"{fact.data['price']} PO" if "price" in fact.data else fact.key

    def refusal(self, refusal: Refusal) -> str:
        return refusal_text(refusal, "fr")


WORDS = French()


def unfinished(options: Options, posted: Any, **more: Any) -> Form:
    got = read_form(options, WORDS, posted, **more)
    assert isinstance(got, Unfinished)
    return got.form


def sealed(options: Options, posted: Any, **more: Any) -> Any:
    got = read_form(options, WORDS, posted, **more)
    assert isinstance(got, Sealed), [fault.said for fault in got.form.faults]
    return got.value


def fields_of(items: Any) -> Iterator[Field]:
    for item in items:
        if isinstance(item, Field) and not isinstance(item, Within):
            yield item
        else:
            yield from fields_of(item.items)


def field_of(form: Form, name: str = "a") -> Any:
    (found,) = [each for each in fields_of(form.items) if each.name == name]
    return found


def again(form: Form) -> dict[str, list[str]]:
    """What a browser sends of the form as it was shown."""
    return sent(read(rendered(form)))
