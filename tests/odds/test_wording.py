"""The texts of consult and of the odds: whole in both languages, and none lacking."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import polemarque.odds
from polemarque.cli.common import catalogue
from polemarque.kernel.errors import DiceRefused, NotAllowed, NotUnderstood
from polemarque.kernel.files.texts import KERNEL_TEXTS, LANGUAGES, check_texts
from polemarque.kernel.game import new_header
from polemarque.kernel.new_game import opening
from polemarque.odds.wording import (
    DATA,
    catalogue_of,
    decimal,
    mean,
    percent,
    refusal_text,
    sayable,
    word,
)
from polemarque.report.game_words import refusal_text as told

ODDS = Path(polemarque.odds.__file__).parent
CODE = re.compile(r'(?:NotUnderstood|NotAllowed|DiceRefused|TooLarge)\(\s*"([a-z_.]+)"')


def test_the_texts_are_sound():
    assert not check_texts(DATA, KERNEL_TEXTS)


def test_every_refusal_has_its_text():
    sources = [*ODDS.glob("*.py"), ODDS.parent / "cli" / "commands" / "consult.py"]
    codes = {code for path in sources for code in CODE.findall(path.read_text(encoding="utf-8"))}
    assert {"consult.missing", "odds.too_large", "consult.face"} <= codes
    texts = catalogue()
    keys = {f"error.{code}" for code in codes}
    assert not [key for key in keys for lang in LANGUAGES if not texts.has(lang, key)]


def test_refusals_name_their_rule_and_their_part():
    refusal = DiceRefused("dice.face", rule="XX-1", part=7, die="D6", why="hits", count=2)
    assert refusal_text(catalogue_of(), "en", refusal).startswith("XX-1: ")
    assert "D6" in refusal_text(catalogue_of(), "fr", refusal)
    assert "strange.code" in refusal_text(catalogue_of(), "en", NotAllowed("strange.code"))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("system", "setup"),
    [
        ("atlantide", {"map": {"map": {"id": "x"}}}),
        ("atlantide", {"catalogue": {"people": [{"key": "folk"}]}}),
        ("mare_nostrum", {"map": {"map": {"id": "x"}}}),
        ("mare_nostrum", {"lists": {"list": []}}),
        ("thucidide", {"board": {"shape": "round"}}),
        ("promiterra", {"board": {"shape": "round"}}),
    ],
)
def test_a_fault_of_a_set_up_is_said_in_words(system: str, setup: Any, lang: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        opening(new_header(system, setup=setup))
    said = told(refused.value, lang)
    assert not re.search(r"\b(map|board|catalogue|armies)\.[a-z]+|:0:", said), said


def test_words_that_no_catalogue_has_are_readable():
    assert word(catalogue_of(), "fr", "roll", "figures_lost", n=1) == "figures lost"
    assert sayable([1, True, None, "a", (2,)]) == [1, "True", "None", "a", [2]]


@pytest.mark.parametrize(
    ("p", "french", "english"),
    [
        (Fraction(1, 3), "33 %", "33%"),
        (Fraction(1, 30), "3,3 %", "3.3%"),
        (Fraction(1, 300), "0,33 %", "0.33%"),
        (Fraction(299, 300), "99,7 %", "99.7%"),
        (Fraction(1, 10**6), "< 0,01 %", "< 0.01%"),
        (1 - Fraction(1, 10**6), "> 99,99 %", "> 99.99%"),
        (0, "0 %", "0%"),
        (1, "100 %", "100%"),
        (Fraction(1, 10**400), "< 0,01 %", "< 0.01%"),
    ],
)
def test_a_chance_is_never_said_to_be_none_or_certain_when_it_is_not(
    p: Fraction, french: str, english: str
) -> None:
    assert (percent(p, "fr"), percent(p, "en")) == (french, english)


def test_means_have_two_places_and_a_sign_that_is_a_minus() -> None:
    assert (mean(Fraction(-7, 2), "fr"), mean(3, "en")) == ("−3,50", "3.00")
    assert (decimal(3, "fr"), decimal(3, "en"), decimal(2.5, "en")) == ("3", "3", "2.50")
