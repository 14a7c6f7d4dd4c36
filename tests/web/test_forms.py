"""Every kind of option as a form, without a script: what is legal comes back, the rest is kept."""

from __future__ import annotations

import re
from html import escape
from typing import Any

import pytest

from polemarque.kernel.dice import D6, D10, LONG, Counts, Roll, total
from polemarque.kernel.request import Amount, Fact, OneOf, Path, SeveralOf, Text, each_at
from polemarque.web.forms import Sealed, Unfinished, dice_form, form_of, read_dice
from polemarque.web.forms import posted_of as typed
from polemarque.web.forms.fields import Radios, Select
from tests.web.asked import WORDS, French, again, field_of, sealed, unfinished
from tests.web.browser import faults, read, rendered

# One of ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words", [(1, "1", True, "true", ("a", 2), ("a", "2"), 'a"b', "", "-", "null"), ("x", "y")]
)
def test_every_word_comes_back_as_the_word_it_is(words: tuple[Any, ...]) -> None:
    options = OneOf(words)
    for word in words:
        back = sealed(options, again(form_of(options, WORDS, draft=typed(options, word, WORDS))))
        assert back == word
        assert type(back) is type(word)


def test_few_words_are_radios_and_many_a_list() -> None:
    few = field_of(form_of(OneOf(("take", "hold"), "aim"), WORDS, label="Que faire ?"))
    assert type(few) is Radios
    assert [choice.label for choice in few.choices] == ["prendre", "tenir"]
    assert few.label == "Que faire ?"
    assert not any(choice.chosen for choice in few.choices)
    many = field_of(form_of(OneOf(tuple(range(7))), WORDS))
    assert type(many) is Select
    assert many.prompt
    assert "<select" in rendered(form_of(OneOf(tuple(range(7))), WORDS))


def test_words_of_one_name_are_told_apart() -> None:
    form = form_of(OneOf(("B", "sparta", "x"), "seat"), WORDS)
    assert [choice.label for choice in field_of(form).choices] == ["Sparte", "sparta", "x"]
    twice = OneOf(("Sparte", "B"), "seat")
    labels = [choice.label for choice in field_of(form_of(twice, WORDS)).choices]
    assert labels == ["Sparte (Sparte)", "Sparte (B)"]


def test_nothing_chosen_is_said_and_nothing_else_chosen_for_one() -> None:
    options = OneOf(("take", "hold"), "aim")
    form = unfinished(options, again(form_of(options, WORDS, default="hold")), default="hold")
    assert field_of(form).error
    assert form.notice


def test_a_word_that_is_no_longer_legal_is_named_by_its_label() -> None:
    form = unfinished(OneOf(("hold", "x"), "aim"), {"a": "take"})
    assert "prendre" in field_of(form).error
    assert "take" not in field_of(form).error


# Several, amounts, ways, texts -------------------------------------------------------------------


def test_several_of() -> None:
    options = SeveralOf(("take", "hold", 3), 1, 2, "aim")
    assert sealed(options, {"a": ["", "3", "take"]}) == ("take", 3)
    for wrong in ([""], ["", "take", "hold", "3"]):
        form = unfinished(options, {"a": wrong})
        assert field_of(form).error
        assert again(form)["a"] == wrong
    assert not field_of(form_of(options, WORDS, draft={"a": [""]})).error, "nothing is sealed yet"
    open_ended = unfinished(SeveralOf(("x", "y", "z"), 2), {"a": ["", "x"]})
    assert "de 2 à 3" in field_of(open_ended).error
    strange = unfinished(options, {"a": ["", "take", "sack"]})
    assert "sack" in field_of(strange).note
    assert sealed(options, again(strange)) == ("take",)
    assert sealed(SeveralOf(("x",)), again(form_of(SeveralOf(("x",)), WORDS))) == ()


@pytest.mark.parametrize(
    ("written", "number"),
    [("50", 50), (" +50 ", 50), ("1 000", 1000), ("1\u202f000", 1000), ("−50", -50)],
)  # fmt: skip
def test_amounts_as_people_write_them(written: str, number: int) -> None:
    assert sealed(Amount(-50, 1000, 50), {"a": written}) == number


@pytest.mark.parametrize("wrong", ["", "7", "1050", "many", "1.5", "9" * 40, "²", "\x00", "--5"])
def test_amounts_that_are_none_are_kept_as_they_were_typed(wrong: str) -> None:
    form = unfinished(Amount(0, 1000, 50, "po"), {"a": wrong})
    assert field_of(form).error
    assert field_of(form).typed == wrong
    assert 'aria-invalid="true"' in rendered(form)
    assert again(form)["a"] == [wrong]


def test_few_steps_of_an_amount_are_listed_each_with_its_fact() -> None:
    options = Amount(0, 250, 50, "po", fact=lambda n: Fact("p", {"price": n}) if n else None)
    form = form_of(options, WORDS)
    field = field_of(form)
    assert [(c.value, c.fact) for c in field.choices[:2]] == [("0", ""), ("50", "50 PO")]
    assert "checked" not in rendered(form), "the whole question: nothing is chosen in advance"
    assert sealed(options, {"a": ["", "250"]}) == 250
    assert field_of(unfinished(options, {"a": [""]})).error
    assert not isinstance(field_of(form_of(Amount(0, 300, 50), WORDS)), Radios)
    assert not isinstance(field_of(form_of(Amount(0, 3), WORDS)), Radios), "counted by one"
    bought = Amount(0, 4, 2, fact=each_at(10))
    assert not isinstance(field_of(form_of(bought, WORDS)), Radios), "the purse tells what it costs"


WAYS = Path(
    {"sparta": ("sparta",), "argos": ("sparta", "argos")}, legal=lambda way: way[-1] == "ithaca"
)


def test_ways_are_shown_and_others_typed() -> None:
    way = field_of(form_of(WAYS, WORDS))
    assert [choice.label for choice in way.choices][1:] == [
        "Sparte",
        "Argos (par Sparte, 2 étapes)",
    ]
    assert way.places
    assert sealed(WAYS, again(form_of(WAYS, WORDS))) == ()
    assert sealed(WAYS, {"a": "argos"}) == ("sparta", "argos")
    for other in ("Sparte > ithaca", "sparta → ithaca", "sparta, ithaca", "sparta ithaca"):
        assert sealed(WAYS, {"a": "argos", "a:way": other}) == ("sparta", "ithaca"), other
    assert sealed(WAYS, {"a": "-", "a:way": "argos"}) == ("sparta", "argos")
    wrong = unfinished(WAYS, {"a": "argos", "a:way": "argos > sparta"})
    assert field_of(wrong).typed == "argos > sparta"
    assert again(wrong) == {"a": ["argos"], "a:way": ["argos > sparta"]}
    assert sealed(WAYS, {**again(wrong), "a:way": [""]}) == ("sparta", "argos")


def test_a_way_that_is_kept_is_read_again() -> None:
    for way in ((), ("sparta", "argos"), ("argos", "ithaca"), ("ithaca",)):
        draft = typed(WAYS, way, WORDS)
        assert sealed(WAYS, again(form_of(WAYS, WORDS, draft=draft))) == way
        assert sealed(WAYS, again(form_of(WAYS, WORDS, default=way))) == way


def test_texts() -> None:
    options = Text(200)
    form = form_of(options, WORDS, draft={"a": "\n<b> à demain\r\n"})
    assert sealed(options, again(form)) == "\n<b> à demain\n"
    long = unfinished(options, {"a": "x" * 201})
    assert field_of(long).error
    assert again(long)["a"] == ["x" * 201]
    assert sealed(Text(20), again(form_of(Text(20), WORDS))) == ""


def test_a_stranger_s_kind_of_option_is_a_programmer_s_error() -> None:
    with pytest.raises(TypeError, match="object"):
        form_of(object(), WORDS)  # type: ignore[arg-type]


# Dice ------------------------------------------------------------------------------------------


def test_dice_of_a_table() -> None:
    roll = Roll(3, D6, total, "why")
    html = rendered(dice_form(roll, WORDS))
    assert 'name="dice"' in html and not faults(read(html))
    assert read_dice(roll, WORDS, {"dice": "3 5 2"}) == Sealed((3, 5, 2))
    long = read_dice(Roll(LONG + 1, D6, total, "why"), WORDS, {"dice": f"{LONG}x6 1"})
    assert long == Sealed(Counts((1, 0, 0, 0, 0, LONG)))
    for wrong in ("", "3 5", "3 5 11", "<b>", "9" * 5000):
        got = read_dice(Roll(3, D10, total, "why"), WORDS, {"dice": wrong})
        assert isinstance(got, Unfinished), wrong
        assert field_of(got.form, "dice").error
        assert escape(wrong) in rendered(got.form)


# Facts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [OneOf, SeveralOf])
@pytest.mark.parametrize("count", [2, 9])
def test_the_fact_of_a_word_stands_after_it_and_on_its_control(kind: Any, count: int) -> None:
    options = kind(tuple(range(count)), fact=lambda n: Fact("p", {"price": 5 * n}) if n else None)
    page = rendered(form_of(options, WORDS, draft={"a": ["", "1"]}))
    assert page.count("data-fact=") + page.count("data-fact-at=") == count - 1
    assert re.search(r'value="1"[^>]* data-fact(="5 PO"|-at="1">1, 5 PO<)', page)
    assert re.search(r'"[^§]*1(,| <span class="fact">) ?5 PO', page)
    assert sealed(options, {"a": ["", "1"]}) == (1 if kind is OneOf else (1,))


def test_the_fact_of_what_is_chosen_stands_beneath_a_list_that_cuts_it_short() -> None:
    options = OneOf(tuple(range(9)), fact=lambda n: Fact("p", {"price": 5 * n}) if n else None)
    for chosen, told in ((1, "5 PO"), (0, "")):
        form = form_of(options, WORDS, draft=typed(options, chosen, WORDS))
        said = re.findall(r'<output class="fact" for="(.*?)">(.*?)</output>', rendered(form))
        assert said == [(field_of(form).name, told)]
    bare = rendered(form_of(OneOf(tuple(range(9))), WORDS))
    assert "<output" not in bare


def test_the_facts_of_ways_and_amounts() -> None:
    way = Path({"sparta": ("sparta",)}, fact=lambda way: Fact("p", {"price": len(way)}))
    assert 'data-fact-at="6">Sparte, 1 PO</option>' in rendered(form_of(way, WORDS))
    page = rendered(form_of(Amount(0, 1, fact=lambda n: Fact("p", {"price": 4 * n})), WORDS))
    assert "4 PO" in page


class Grouped(French):
    def fact(self, fact: Fact) -> str:
        return f"rang {fact.rank}"


def test_a_long_list_shows_the_best_first_and_the_others_in_groups() -> None:
    words = tuple(range(30))
    options = OneOf(words, fact=lambda n: Fact("p", group="ab"[n % 2], rank=-n) if n else None)
    page = rendered(form_of(options, Grouped(), draft={"a": ["3"]}))
    first, best, *rest = page.split("<optgroup")
    assert 'value="0"' in first and "data-group" not in first, "what has no group stands outside"
    assert re.findall(r'value="(\d+)"', best) == [str(n) for n in range(29, 21, -1)]
    assert [each.partition('"')[2][0] for each in rest] == ["b", "a"], "by their best"
    assert re.findall(r'value="(\d+)"', rest[0]) == [str(n) for n in range(21, 0, -2)]
    assert re.findall('data-group="(.)"', page) == [*"babababa"], "of the best alone"
    assert page.count("<option") == 30 and page.count(" selected") == 1
    short = OneOf(words[:20], fact=options.fact)
    field = field_of(form_of(short, Grouped()))
    assert [c.value for c in field.choices] == [str(n) for n in range(19, -1, -1)]
    assert "optgroup" not in rendered(form_of(short, Grouped()))


def test_terms_are_explained_at_the_question_without_a_script() -> None:
    page = rendered(form_of(OneOf(("ithaca", "argos"), "place"), WORDS))
    assert re.search("<details[^>]*><summary>[^<]*terme</summary>.*<dd>sens</dd>", page, re.DOTALL)
    assert "<details" not in rendered(form_of(OneOf(("sparta", "argos"), "place"), WORDS))


def test_why_no_more_can_be_ticked_is_said() -> None:
    words = tuple(range(9))
    limited = field_of(form_of(SeveralOf(words, most=2, limit="purse"), WORDS))
    assert limited.hint.endswith(" purse")
    assert "purse" not in field_of(form_of(SeveralOf(words, most=9, limit="purse"), WORDS)).hint


def test_boxes_that_may_all_be_ticked_can_be_ticked_at_once() -> None:
    words = tuple(range(9))
    assert "data-tick-all" in rendered(form_of(SeveralOf(words), WORDS))
    assert "data-tick-all" not in rendered(form_of(SeveralOf(words, most=8), WORDS))


def test_many_places_to_tick_are_in_the_order_of_their_names() -> None:
    words = ("sparta", "z3", "ithaca", "z2", "argos", "z1", "z4")
    options = SeveralOf(words, label="place")
    field = field_of(form_of(options, WORDS))
    assert [c.label for c in field.choices] == [
        "Argos",
        "Ithaque",
        "Sparte",
        "z1",
        "z2",
        "z3",
        "z4",
    ]
    assert sealed(options, {"a": ["", "argos", "sparta"]}) == ("sparta", "argos"), "as in the list"
    few = field_of(form_of(SeveralOf(words[:3], label="place"), WORDS))
    assert [choice.label for choice in few.choices] == ["Sparte", "z3", "Ithaque"]
