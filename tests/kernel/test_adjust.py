"""Values of an umpire's act, as the systems read them."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.kernel.adjust import fits, formed, number, pattern_of, truth, word
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.files.texts import KERNEL_TEXTS, LANGUAGES, Catalogue


def test_what_fits_is_taken() -> None:
    assert number(0, 0, 3) == 0 and number(3, 0, 3) == 3 and number(-7) == -7
    assert number(10**9, 0) == 10**9
    assert word("b", ("a", "b")) == "b"
    assert truth(False) is False


@pytest.mark.parametrize("value", ["1", True, 1.0, None, [1]])
def test_what_is_no_whole_number_is_not_understood(value: Any) -> None:
    with pytest.raises(NotUnderstood, match=r"act\.number"):
        number(value, 0, 3, beyond=NotAllowed)


@pytest.mark.parametrize(
    ("value", "bounds", "legal"),
    [(4, (0, 3), ("0-3",)), (-1, (0, 3), ("0-3",)), (-1, (0, None), ("0-",))],
)
def test_a_number_beyond_its_bounds_is_refused_as_the_system_says(
    value: int, bounds: tuple[int, int | None], legal: tuple[str, ...]
) -> None:
    for kind in (NotUnderstood, NotAllowed):
        with pytest.raises(kind) as refused:
            number(value, *bounds, name="tokens", beyond=kind)
        assert (refused.value.code, refused.value.legal) == ("act.number", legal)
        with pytest.raises(kind, match=r"act\.word"):
            word(value, ("a", "b"), beyond=kind)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_messages_name_what_is_adjusted_where_it_is_known(lang: str) -> None:
    say = Catalogue.load(KERNEL_TEXTS).say
    for code in ("number", "word", "truth"):
        named = say(lang, f"error.act.{code}", name="pm", part="x", legal=("0-3",))
        plain = say(lang, f"error.act.{code}", name="", part="x", legal=("0-3",))
        assert named.startswith("pm") and named.endswith(plain)


def test_the_form_of_a_name() -> None:
    assert fits("loot.A", "loot.SEAT") and fits("B.tokens", "A.tokens") and fits("end", "end")
    assert fits("loot.A", "loot"), "a system may name the first words alone"
    assert not fits("loot", "loot.SEAT") and not fits("loot.", "loot.SEAT")
    assert not fits("gold.A", "loot.SEAT")
    patterns = ("loot.SEAT", "figures.SEAT.NUMBER", "end")
    assert pattern_of("figures.A.7", patterns) == "figures.SEAT.NUMBER"
    assert pattern_of("figures.A", patterns) == ""
    assert formed("end", patterns) == "end" and formed("loot.", patterns) == "loot."
    with pytest.raises(NotUnderstood, match=r"act\.form") as refused:
        formed("loot", patterns)
    assert refused.value.legal == ("loot.SEAT",)
