"""The texts of consult and of the odds: whole in both languages, and none lacking."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import polemarque.odds
from polemarque.cli.common import catalogue
from polemarque.kernel.errors import DiceRefused, NotAllowed, NotUnderstood
from polemarque.kernel.game import new_header
from polemarque.kernel.opening import opening
from polemarque.kernel.texts import KERNEL_TEXTS, LANGUAGES, check_texts
from polemarque.odds.words import DATA, catalogue_of, refusal_text, sayable, word
from polemarque.report.words import refusal_text as told

ODDS = Path(polemarque.odds.__file__).parent
CODE = re.compile(r'(?:NotUnderstood|NotAllowed|DiceRefused|TooLarge)\(\s*"([a-z_.]+)"')


def test_the_texts_are_sound():
    assert not check_texts(DATA, KERNEL_TEXTS)


def test_every_refusal_has_its_text():
    sources = [*ODDS.glob("*.py"), ODDS.parent / "cli" / "consult.py"]
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
