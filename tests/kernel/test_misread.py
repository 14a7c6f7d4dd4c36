"""What msgspec says of data, in the reader's language."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.files.findings import Finding, hint, reason
from polemarque.kernel.files.texts import KERNEL_TEXTS, Catalogue
from polemarque.kernel.files.validation_messages import misread
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import find_system
from polemarque.report.game_words import refusal_text, texts_of

TEXTS = Catalogue.load(KERNEL_TEXTS)


class Unit(msgspec.Struct, forbid_unknown_fields=True):
    count: Annotated[int, Meta(ge=1, le=5)] = 1
    pairs: Annotated[int, Meta(multiple_of=2)] = 2
    name: Annotated[str, Meta(min_length=1, max_length=3)] = "a"
    cells: Annotated[tuple[int, ...], Meta(max_length=2)] = ()
    at: tuple[int, int] = (1, 2)
    arm: Literal["foot", "horse"] = "foot"
    worth: int | None = None
    code: Annotated[str, Meta(pattern="^x")] = "x"
    notes: dict[str, int] = {}


class Army(msgspec.Struct):
    seat: str
    units: tuple[Unit, ...] = ()


def said_of(raw: Any, lang: str) -> str:
    """What is said of data that are no army; the message is msgspec's own."""
    with pytest.raises(msgspec.ValidationError) as fault:
        msgspec.convert(raw, Army)
    return misread(str(fault.value), TEXTS, lang).replace("\u00a0", " ").replace("\u202f", " ")


def unit(**fields: Any) -> dict[str, Any]:
    return {"seat": "A", "units": [fields]}


@pytest.mark.parametrize(
    ("raw", "french", "english"),
    [
        ([], "Il faut une table, et non une liste.", "It must be a table, not a list."),
        ({}, "Il manque « seat ».", "“seat” is missing."),
        ({"seat": 1}, "seat : il faut un texte, et non un nombre entier.",
         "seat: it must be a text, not a whole number."),
        (unit(worth="x"), "units[0].worth : il faut un nombre entier ou rien, et non un texte.",
         "units[0].worth: it must be a whole number or nothing, not a text."),
        (unit(count=0), "units[0].count : il faut 1 au moins.",
         "units[0].count: it must be 1 at least."),
        (unit(count=9), "units[0].count : il faut 5 au plus.",
         "units[0].count: it must be 5 at most."),
        (unit(pairs=3), "units[0].pairs : il faut un multiple de 2.",
         "units[0].pairs: it must be a multiple of 2."),
        (unit(name=""), "units[0].name : il faut un texte de longueur 1 au moins.",
         "units[0].name: it must be a text of length 1 at least."),
        (unit(name="abcd"), "units[0].name : il faut un texte de longueur 3 au plus.",
         "units[0].name: it must be a text of length 3 at most."),
        (unit(cells=[1, 2, 3]), "units[0].cells : il faut une liste de longueur 2 au plus.",
         "units[0].cells: it must be a list of length 2 at most."),
        (unit(at=[1]), "units[0].at : il faut une liste de longueur 2.",
         "units[0].at: it must be a list of length 2."),
        (unit(arm="boat"), "units[0].arm : « boat » n’est pas permis.",
         "units[0].arm: “boat” isn’t allowed."),
        (unit(code="a"), "units[0].code : il faut un texte de la forme ^x.",
         "units[0].code: it must be a text of the form ^x."),
        (unit(notes={1: 2}), "units[0].notes : il faut un texte, et non un nombre entier.",
         "units[0].notes: it must be a text, not a whole number."),
        (unit(speed=1), "units[0] : « speed » n’est pas un champ connu.",
         "units[0]: “speed” isn’t a known field."),
    ],
)  # fmt: skip
def test_each_form_of_message_is_said_in_both_languages(
    raw: Any, french: str, english: str
) -> None:
    assert said_of(raw, "fr") == french
    assert said_of(raw, "en") == english


def test_a_form_that_is_not_known_is_said_plainly_with_its_place() -> None:
    odd = "Some day it will say otherwise - at `$.units[3].name`"
    assert misread(odd, TEXTS, "fr").startswith("units[3].name")
    assert "Some day" not in misread(odd, TEXTS, "fr") + misread("Quite odd", TEXTS, "fr")


@pytest.mark.parametrize(
    ("lang", "words"), [("fr", "il faut une liste, et non"), ("en", "it must be a list, not")]
)
@pytest.mark.parametrize(
    ("system", "setup"),
    [("thucidide", {"a": {"units": 3}}), ("promiterra", {"armies": 3}),
     ("batailles", {"a": {"units": 3}})],
)  # fmt: skip
def test_a_set_up_of_another_form_is_refused_in_the_readers_words(
    system: str, setup: dict[str, Any], lang: str, words: str
) -> None:
    with pytest.raises(NotUnderstood) as refused:
        Game(new_header(system, setup=setup))
    said = refusal_text(refused.value, lang)
    assert words in said and "Expected" not in said


@pytest.mark.parametrize(("lang", "place"), [("fr", "unité archers"), ("en", "unit archers")])
def test_a_finding_names_its_place_in_the_readers_words(lang: str, place: str) -> None:
    texts = texts_of(find_system("atlantide").data)
    data = {"field": "po", "misread": "Expected `int`, got `str`"}
    finding = Finding("c.toml", 1, "unit archers", "catalogue.type", data)
    assert place in reason(finding, texts, lang)
    assert "Expected" not in hint(finding, texts, lang)
