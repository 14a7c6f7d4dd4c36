"""Sentences with blanks: singular and plural, lists, elisions, French spacing."""

from enum import StrEnum
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemarque.kernel.files.sentence_templates import (
    TemplateFault,
    as_it_is,
    attach,
    in_line,
    join,
    parse,
    typographic,
    unbroken,
)
from polemarque.kernel.files.texts import Catalogue

NARROW, FULL = "\u202f", "\u00a0"
WORDS = {
    "ground.plains": "plaine",
    "ground.forest": "forêt",
    "ground.none": "nulle part",
    "flag.true": "oui",
    "flag.false": "non",
}


def said(text: str, lang: str = "en", /, **data: Any) -> str:
    return Catalogue({lang: {**WORDS, "it": text}}).say(lang, "it", **data)


class Ground(StrEnum):
    PLAINS = "plains"
    FOREST = "forest"


# --- blanks --------------------------------------------------------------------------------------


def test_a_text_without_blanks_says_itself() -> None:
    assert said("Nothing | to fill.") == "Nothing | to fill."


def test_a_blank_takes_its_value() -> None:
    assert said("{who} loses {n}, {part} of it.", who="Solon", n=-3, part=Fraction(1, 2)) == (
        "Solon loses −3, 1/2 of it."
    )


def test_a_label_takes_the_word_of_its_family() -> None:
    assert said("the {g:ground}", g="plains") == "the plaine"
    assert said("the {g:ground}", g=Ground.FOREST) == "the forêt"
    assert said("{g:ground}, {f:flag}", g=None, f=False) == "nulle part, non"


def test_equal_members_of_a_list_are_said_once_with_their_number() -> None:
    mixed = ["plains", "forest", "plains", "plains"]
    assert said("{#g:ground}", "fr", g=mixed) == "plaine (3) et forêt"
    assert said("{#g:ground}", "fr", g=["plains", "forest"]) == "plaine et forêt"
    assert said("{g:ground}", "fr", g=["plains", "plains"]) == "plaine et plaine"
    assert said("{#g:ground}", g="plains") == "plaine"


def test_the_word_itself_of_an_enum() -> None:
    assert said("{g}", g=Ground.FOREST) == "forest"


@pytest.mark.parametrize(("n", "signed"), [(2, "+2"), (-1, "−1"), (0, "0")])
def test_a_plus_shows_the_sign(n: int, signed: str) -> None:
    assert said("{+n}", n=n) == signed


def test_a_hat_puts_a_capital() -> None:
    assert said("{^g:ground}!", g="forest") == "Forêt!"
    assert said("{^who}", who="évandre") == "Évandre"
    assert said("{^who}", who="") == ""


@pytest.mark.parametrize(
    ("n", "french", "english"),
    [
        (0, "perte", "losses"),
        (1, "perte", "loss"),
        (-1, "perte", "loss"),
        (2, "pertes", "losses"),
        (-2, "pertes", "losses"),
        (Fraction(3, 2), "perte", "losses"),
        (21, "pertes", "losses"),
        ([], "perte", "losses"),
        (["a"], "perte", "loss"),
        (("a", "b"), "pertes", "losses"),
    ],
)
def test_singular_and_plural(n: Any, french: str, english: str) -> None:
    assert said("{n|perte|pertes}", "fr", n=n) == french
    assert said("{n|loss|losses}", "en", n=n) == english


@pytest.mark.parametrize(("n", "told"), [(0, "aucune"), (1, "une seule"), (2, "2 pertes")])
def test_none_has_a_form_of_its_own(n: int, told: str) -> None:
    assert said("{n|aucune|une seule|{n} pertes}", "fr", n=n) == told


@pytest.mark.parametrize("nothing", [None, 0, "", False, (), []])
def test_an_optional_part_is_left_out_where_there_is_no_value(nothing: Any) -> None:
    assert said("Over{?who|, won by {who}}.", who=nothing) == "Over."
    assert said("{?who|won|drawn}", who=nothing) == "drawn"


def test_an_optional_part_is_said_where_there_is_a_value() -> None:
    assert said("Over{?who|, won by {who}}.", who="Solon") == "Over, won by Solon."
    assert said("{?who|won|drawn}", who=True) == "won"


def test_forms_hold_blanks_in_any_depth() -> None:
    text = "{?a|{n|one {a:ground}|{n} of {?b|{b}|none}}|–}"
    assert said(text, a="plains", n=1, b="") == "one plaine"
    assert said(text, a="plains", n=4, b="") == "4 of none"
    assert said(text, a="plains", n=4, b="x") == "4 of x"
    assert said(text, a=0, n=4, b="x") == "–"


@pytest.mark.parametrize(
    ("words", "french", "english"),
    [
        ([], "", ""),
        (["a"], "a", "a"),
        (["a", "b"], "a et b", "a and b"),
        (("a", "b", "c"), "a, b et c", "a, b and c"),
    ],
)
def test_lists_are_joined(words: Any, french: str, english: str) -> None:
    assert said("{w}", "fr", w=words) == french
    assert said("{w}", "en", w=words) == english


def test_a_list_takes_the_word_of_each() -> None:
    assert said("{w:ground}", "fr", w=["plains", "forest"]) == "plaine et forêt"
    assert said("{de~w}", "fr", w=["Solon", "Hésiode"]) == "de Solon et d’Hésiode"


@given(st.lists(st.text("abc", min_size=1), min_size=2))
def test_a_joined_list_holds_its_words_in_order(words: list[str]) -> None:
    *front, last = words
    assert join(words, "en") == ", ".join(front) + " and " + last
    assert join(words, "fr") == ", ".join(front) + " et " + last


@pytest.mark.parametrize(
    ("word", "name", "told"),
    [
        ("de", "Hésiode", "d’Hésiode"),
        ("de", "Solon", "de Solon"),
        ("de", "Évandre", "d’Évandre"),
        ("de", "Œdipe", "d’Œdipe"),
        ("de", "Ys", "d’Ys"),
        ("de", "Yannis", "de Yannis"),
        ("de", "Hannibal", "d’Hannibal"),
        ("de", "Hamilcar", "d’Hamilcar"),
        ("de", "hoplites", "d’hoplites"),
        ("de", "héros", "de héros"),
        ("de", "héroïne", "d’héroïne"),
        ("de", "harceleurs", "de harceleurs"),
        ("de", "Huns", "de Huns"),
        ("de", "huit", "de huit"),
        ("de", "onze", "de onze"),
        ("de", "11", "de 11"),
        ("de", "le bois", "du bois"),
        ("de", "les marais", "des marais"),
        ("de", "la plaine", "de la plaine"),
        ("de", "l'île", "de l'île"),
        ("De", "le bois", "Du bois"),
        ("de", "Le Goff", "de Le Goff"),
        ("à", "le bois", "au bois"),
        ("à", "les portes", "aux portes"),
        ("à", "Azues", "à Azues"),
        ("à", "la plaine", "à la plaine"),
        ("que", "Ampheres", "qu’Ampheres"),
        ("la", "armée", "l’armée"),
        ("avec", "Ampheres", "avec Ampheres"),
        ("de", "", "de "),
    ],
)
def test_french_words_are_elided_and_contracted(word: str, name: str, told: str) -> None:
    assert attach(word, name, "fr") == told


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("sword", "a sword"),
        ("army", "an army"),
        ("unit", "a unit"),
        ("unarmed man", "an unarmed man"),
        ("hour", "an hour"),
        ("hero", "a hero"),
        ("European", "a European"),
    ],
)
def test_english_articles(name: str, told: str) -> None:
    assert said("{a~it}", "en", it=name) == told


def test_other_english_words_stay() -> None:
    assert said("{of~who}", "en", who="Ampheres") == "of Ampheres"


def test_braces_and_bars_can_be_shown() -> None:
    assert said(r"\{n\} is {?n|\{a\|b\}|\\} |", n=1) == r"{n} is {a|b} |"
    assert said(r"{?n|x|\\}", n=0) == "\\"


# --- what cannot be said -------------------------------------------------------------------------


@pytest.mark.parametrize("value", [None, True, 1.5, {"a": 1}, {1}, object()])
def test_a_value_that_is_no_word_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="value") as refused:
        said("{value}", value=value)
    assert "it (en)" in refused.value.__notes__[0]


@pytest.mark.parametrize("value", ["3", None, True, 1.5])
def test_only_numbers_and_lists_are_singular_or_plural(value: Any) -> None:
    with pytest.raises(TypeError):
        said("{n|one|many}", n=value)


def test_a_figure_may_be_called_lang_or_key() -> None:
    assert said("{lang} {key} {self}", lang="a", key="b", self="c") == "a b c"


BAD = [
    ("a {b", "texts.braces"),
    ("a {b|c", "texts.braces"),
    ("a {b|c{d}|e", "texts.braces"),
    ("a } b", "texts.braces"),
    ("{a}}", "texts.braces"),
    ("{", "texts.braces"),
    ("{}", "texts.blank"),
    ("{two words}", "texts.blank"),
    ("{ a }", "texts.blank"),
    ("{1a}", "texts.blank"),
    ("{a:}", "texts.blank"),
    ("{a:b|x|y}", "texts.blank"),
    ("{a|only}", "texts.blank"),
    ("{a|1|2|3|4}", "texts.blank"),
    ("{?a}", "texts.blank"),
    ("{?a|1|2|3}", "texts.blank"),
    ("{?a:b|1|2}", "texts.blank"),
    ("{+a:b}", "texts.blank"),
    ("{{a}}", "texts.blank"),
]


@pytest.mark.parametrize(("text", "code"), BAD)
def test_malformed_texts_are_refused(text: str, code: str) -> None:
    with pytest.raises(TemplateFault) as fault:
        parse(text)
    assert fault.value.code == code
    assert fault.value.near


@given(st.text(alphabet="ab{}|\\?:~+^ ", max_size=25))
def test_any_text_is_read_or_refused_as_a_fault(text: str) -> None:
    try:
        template = parse(text)
    except TemplateFault:
        return
    data = dict.fromkeys(template.names(), 1)
    assert isinstance(template.fill("fr", data, lambda key: key), str)


@given(st.text(alphabet=st.characters() | st.sampled_from("{}|\\")))
def test_any_text_can_be_written_by_escaping(text: str) -> None:
    escaped = "".join("\\" + char if char in "{}|\\" else char for char in text)
    assert as_it_is(text).fill("en", {}, lambda key: key) == text
    assert parse(escaped).fill("en", {}, lambda key: key) == text


def test_a_malformed_text_names_itself() -> None:
    with pytest.raises(TemplateFault) as fault:
        said("{")
    assert fault.value.__notes__ == ["in the text it (en)"]


# --- as it is printed ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plain", "spaced"),
    [
        ("Quoi ? Oui !", f"Quoi{NARROW}? Oui{NARROW}!"),
        ("un ; deux : trois", f"un{NARROW}; deux{FULL}: trois"),
        ("« Halte ! »", f"«{FULL}Halte{NARROW}!{FULL}»"),
        ("«Halte»", f"«{FULL}Halte{FULL}»"),
        ("50 % de pertes", f"50{FULL}% de pertes"),
        ("Quoi ?!", f"Quoi{NARROW}?!"),
        ("« {who} » : {n} {?n|!|?}", f"«{FULL}{{who}}{FULL}»{FULL}: {{n}} {{?n|!|?}}"),
        ("à 12:30, http://a.b/?c=1 ; fin", f"à 12:30, http://a.b/?c=1{NARROW}; fin"),
        ("a != b, option :x et -- ?page=2", "a != b, option :x et -- ?page=2"),
        ("**Pourquoi ?** [b]Là :[/b]", f"**Pourquoi{NARROW}?** [b]Là{FULL}:[/b]"),
        ("Pourquoi?", "Pourquoi?"),
        ("{g:ground}", "{g:ground}"),
    ],
)
def test_french_spacing(plain: str, spaced: str) -> None:
    assert typographic(plain, "fr") == spaced


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize(
    ("plain", "printed"),
    [
        ("l'île d'Ys", "l’île d’Ys"),
        ("{seat:seat}'s men, the soldiers' pay", "{seat:seat}’s men, the soldiers’ pay"),
        ("l’île", "l’île"),
        ("5' and 'on", "5' and 'on"),
    ],
)
def test_apostrophes_are_curved(lang: str, plain: str, printed: str) -> None:
    assert typographic(plain, lang) == printed


@given(st.text(alphabet=f"ab «»:;!?%=/{NARROW}{FULL}\n", max_size=40))
def test_french_spacing_is_settled_at_once_and_touches_only_spaces(text: str) -> None:
    spaced = typographic(text, "fr")
    assert typographic(spaced, "fr") == spaced

    def bare(said: str) -> str:
        return said.replace(" ", "").replace(NARROW, "").replace(FULL, "")

    assert bare(spaced) == bare(text)


def test_values_are_said_as_they_are() -> None:
    assert said("« {who} »", "fr", who="a : b ?") == f"«{FULL}a : b ?{FULL}»"


def test_remarks_on_a_line_are_parted_as_a_language_prints_it() -> None:
    assert in_line(["un", "deux"], "fr") == "un\u202f; deux" == typographic("un ; deux", "fr")
    assert in_line(["one", "two"], "en") == "one; two"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("30 PO, 4 POMMES", "30\u00a0PO, 4 POMMES"),
        ("30 gp, 4 apples", "30\u00a0gp, 4 apples"),
        ("8 PM sur 9 PM", "8\u00a0PM sur 9\u00a0PM"),
        ("route ouverte 85 %", "route ouverte 85\u00a0%"),
        ("(≈ 2 tours)", "(≈\u00a02 tours)"),
        ("PO 30", "PO 30"),
    ],
)
def test_no_line_ends_between_a_number_and_its_unit(text: str, printed: str) -> None:
    assert unbroken(text) == printed == unbroken(printed)
