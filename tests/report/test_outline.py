"""What a seat sees as a list: called as the system's texts and the game's names have it."""

from __future__ import annotations

import pytest

from polemarque.kernel.system import find_system
from polemarque.report.labels import Book
from polemarque.report.outline import outlined

NAMES = {"seat": {"A": "Léonidas", "B": "Xerxès"}, "place": {"gate": "les Portes"}}


def said(value: object, lang: str = "en") -> list[str]:
    return list(outlined(value, Book(find_system("thucidide"), lang, NAMES)))


@pytest.mark.parametrize(("lang", "head"), [("fr", "camp\u00a0:"), ("en", "camp:")])
def test_colons_are_those_of_the_language(lang: str, head: str) -> None:
    assert said({"camp": {"x": [1, 2]}}, lang)[0] == head
    assert said({"camp": 1}, lang) == [f"{head} 1"]


def test_seats_places_and_words_are_called_by_their_names() -> None:
    assert said({"at": "gate", "gold": {"A": 3, "B": 0}}) == [
        "at: les Portes", "gold:", "  Léonidas: 3", "  Xerxès: 0",
    ]  # fmt: skip


def test_a_word_is_looked_up_in_the_family_of_its_field() -> None:
    texts = Book(find_system("thucidide"), "fr", {"weather": {"rain": "pluie"}})
    value = {"weather": "rain", "hours": [{"weather": "rain"}], "next": {"weather": ["rain"]}}
    assert list(outlined(value, texts)) == [
        "weather\u00a0: pluie", "hours\u00a0:", "  - weather\u00a0: pluie",
        "next\u00a0:", "  weather\u00a0: pluie",
    ]  # fmt: skip


def test_what_has_no_text_is_printed_without_underscores() -> None:
    assert said({"old_wall": "half_down", "n": None, "open": True, "m": [[1], []]}) == [
        "old wall: half down", "n: -", "open: yes", "m:", "  - 1", "  - -",
    ]  # fmt: skip
