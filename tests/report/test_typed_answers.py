"""What people type is understood by number, word, label or beginning; dice in several ways."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.kernel.dice import D6, D10, LONG, Counts, Roll, total
from polemarque.kernel.errors import DiceRefused, NotAllowed, NotUnderstood
from polemarque.kernel.files.sentence_templates import parse, plainly
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.kernel.request import Amount, Fact, Filling, OneOf, Path, SeveralOf, Sheet, Text
from polemarque.report.labels import catalogue_of
from polemarque.report.order_forms.told_answers import told
from polemarque.report.order_forms.typed_answers import offer, read_answer, roll_typed

LABELS = {"choice.continue": "continuer", "choice.withdraw": "se retirer", "choice.wait": "tenir",
          "piece.A1": "la Première", "piece.A2": "la Deuxième", "piece.A3": "la Troisième",
          "place.hill": "la colline", "place.ford": "le gué", "unit.gold": "pièces"}  # fmt: skip


SENTENCES = {
    "dispatch.move": "{which} {count|part|partent} pour {word:place}", "dispatch.move.stay": "-",
    "dispatch_and.aim": "{count|prend|prennent} la place", "dispatch.line.usual": "-",
    "dispatch.line": "{word} d'abord", "dispatch.carts": "-",
    "dispatch.load": "un chariot de {word}",
}  # fmt: skip


class French:
    """A speaker of a few words."""

    lang = "fr"

    def say(self, key: str, /, **data: Any) -> str:
        if key == "ask.told":
            return f"{data['part']} : {data['said']}"
        said = {"ask.all": "tous", "ask.stay": "rester", "ask.true": "oui"}
        return said.get(key, f"{key} {data}")

    def label(self, family: str, word: Any) -> str:
        return LABELS.get(f"{family}.{word}", str(word))

    def sentence(self, key: str, /, **data: Any) -> str | None:
        text = SENTENCES.get(key)
        return None if text is None else parse(text).fill("fr", data, lambda key: LABELS[key])

    def part(self, name: str) -> str:
        return name

    def whose(self, _: str, code: str) -> str:
        return LABELS.get(f"piece.{code}", "")

    def fact(self, fact: Fact) -> str:
        return f"{fact.data['price']} PO"


CHOICE = OneOf(("continue", "withdraw", "wait"), "choice")
SPEAKER = French()


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("1", "continue"), ("3", "wait"), ("continue", "continue"), ("Continuer", "continue"),
        ("se retirer", "withdraw"), ("SE RET", "withdraw"), ("withd", "withdraw"), ("ten", "wait"),
        (" wait ", "wait"), ("(3)", "wait"), ("3.", "wait"), ("n° 3", "wait"), ("*3", "wait"),
        ("3 = tenir", "wait"), ("3 = tenir, 12 PO", "wait"),
    ],
)  # fmt: skip
def test_one_of(typed: str, word: str) -> None:
    assert read_answer(CHOICE, typed, SPEAKER) == word


@pytest.mark.parametrize("typed", ["", "0", "4", "w", "x", "-1", "²"])
def test_one_of_refuses_what_is_nothing_or_two_things(typed: str) -> None:
    with pytest.raises(NotAllowed) as refused:
        read_answer(CHOICE, typed, SPEAKER)
    assert "se retirer" in refused.value.legal


def test_a_number_with_another_name_behind_it_is_refused() -> None:
    for typed in ("3 = continuer", "3 = tenir bon", "3 ou 1", "9 = tenir"):
        with pytest.raises(NotAllowed):
            read_answer(CHOICE, typed, SPEAKER)


def test_a_name_is_known_without_its_article() -> None:
    pieces, places = OneOf(("A1", "A2", "A3"), "piece"), OneOf(("hill", "ford"), "place")
    assert read_answer(pieces, "deux", SPEAKER) == "A2"
    assert read_answer(places, "Gué", SPEAKER) == "ford"
    with pytest.raises(NotAllowed):
        read_answer(pieces, "ème", SPEAKER)


def test_numbers_among_options_mean_themselves() -> None:
    assert read_answer(OneOf((3, 1, 2)), "1", SPEAKER) == 1
    with pytest.raises(NotAllowed):
        read_answer(OneOf((30, 31)), "3", SPEAKER)


def test_several_of() -> None:
    options = SeveralOf(("continue", "withdraw", "wait"), 0, 2, "choice")
    assert read_answer(options, "3 1", SPEAKER) == ("continue", "wait")
    assert read_answer(options, "se retirer, tenir", SPEAKER) == ("withdraw", "wait")
    assert read_answer(options, "se retirer et tenir", SPEAKER) == ("withdraw", "wait")
    both = SeveralOf(("a et b", "c", "d"))
    assert read_answer(both, "a et b, c et d", SPEAKER) == ("a et b", "c", "d")
    assert read_answer(options, "-", SPEAKER) == read_answer(options, "0", SPEAKER) == ()
    for wrong in ("tous", "1 1", "9", "1,2,3"):
        with pytest.raises(NotAllowed):
            read_answer(options, wrong, SPEAKER)
    assert read_answer(SeveralOf(("a", "b")), "tous", SPEAKER) == ("a", "b")


def test_amount() -> None:
    assert read_answer(Amount(0, 100, 50), "50", SPEAKER) == 50
    for wrong, kind in (("7", NotAllowed), ("many", NotUnderstood), ("1.5", NotUnderstood),
                        ("1" * 20, NotUnderstood)):  # fmt: skip
        with pytest.raises(kind):
            read_answer(Amount(0, 100, 50), wrong, SPEAKER)


def test_path() -> None:
    ways = Path({"ford": ("ford",), "hill": ("ford", "hill")}, legal=lambda way: way[-1] == "sea")
    for typed in ("hill", "2", "la colline", "ford > hill", "le gué, la colline", "la col"):
        assert read_answer(ways, typed, SPEAKER) == ("ford", "hill"), typed
    assert read_answer(ways, "ford sea", SPEAKER) == ("ford", "sea")
    assert read_answer(ways, "-", SPEAKER) == read_answer(ways, "rester", SPEAKER) == ()
    with pytest.raises(NotAllowed):
        read_answer(ways, "moon", SPEAKER)
    with pytest.raises(NotAllowed):
        read_answer(Path({"ford": ("ford",)}, stay=False), "-", SPEAKER)


def test_what_is_offered_is_understood_by_its_number_and_told_in_words() -> None:
    assert [line.split()[0] for line in offer(CHOICE, SPEAKER)] == ["1", "2", "3"]
    for options in (Amount(0, 5), Text(), SeveralOf(("a",)), Path({"ford": ("ford",)})):
        assert offer(options, SPEAKER)
    assert told(CHOICE, "wait", SPEAKER) == "tenir"
    assert told(None, {"x": (1, 2), "y": ()}, SPEAKER) == "x : 1, 2\u202f; y : —"
    assert told(None, Counts((20, 0, 1)), SPEAKER) == "20 × 1, 1 × 3"
    assert told(None, {}, SPEAKER) == told(None, "", SPEAKER) == told(None, None, SPEAKER) == "—"
    assert told(None, {"x": {"y": True}, "z": {}}, SPEAKER) == "x : (y : oui)\u202f; z : —"
    assert told(OneOf((True, False)), True, SPEAKER) == "oui"
    assert told(Amount(0, 2000, unit="gold"), 1000, SPEAKER) == "1000 pièces"
    assert told(SeveralOf(("wait",), label="choice"), ("wait",), SPEAKER) == "tenir"
    ways = Path({"hill": ("ford", "hill")})
    assert told(ways, (), SPEAKER) == "rester" and told(ways, ("ford",), SPEAKER) == "le gué"


def test_a_sheet_is_told_part_by_part_in_the_words_of_each() -> None:
    def fill() -> Filling:
        first = yield "deed", CHOICE
        if first == "wait":
            yield "with", SeveralOf(("wait", "continue"), label="choice")
        yield "stake", Amount(-3, 3)

    said = {"deed": "wait", "with": ("continue", "wait"), "stake": -2}
    assert (
        told(Sheet(fill), said, SPEAKER)
        == "deed : tenir\u202f; with : continuer, tenir\u202f; stake : −2"
    )
    before = {"deed": "withdraw", "stake": 1, "old": "wait"}
    assert (
        told(Sheet(fill), before, SPEAKER) == "deed : se retirer\u202f; stake : 1\u202f; old : wait"
    )
    assert plainly("  L’Été_chaud ") == "l'ete chaud"


def test_a_sheet_is_a_dispatch_where_its_system_has_sentences() -> None:
    goals, aim = OneOf(("stay", "hill", "ford"), "place"), OneOf(("take", "raid"), "aim")

    def fill() -> Filling:
        for piece in ("A1", "A2", "A3"):
            if (yield f"move.{piece}", goals) == "hill":
                yield f"aim.{piece}", aim
        yield "line", OneOf(("usual", "other"))

    hill = {"move.A1": "hill", "aim.A1": "take", "move.A2": "stay", "line": "usual"}
    both = "La Première et la Troisième partent pour la colline et prennent la place."
    assert told(Sheet(fill), {**hill, "move.A3": "hill", "aim.A3": "take"}, SPEAKER) == both
    assert told(Sheet(fill), {**hill, "move.A3": "ford", "line": "other"}, SPEAKER) == (
        "La Première part pour la colline et prend la place. La Troisième part pour le gué."
        " Other d'abord."
    )
    still = {"move.A1": "stay", "move.A2": "stay", "move.A3": "stay", "line": "usual"}
    assert told(Sheet(fill), still, SPEAKER) == "ask.no_order {}"


def test_a_number_whose_details_are_not_answered_yet_is_told() -> None:
    def fill() -> Filling:
        for n in range((yield "carts", Amount(0, 2))):
            yield f"load.{n}", OneOf(("wine", "oil"))
        yield "line", OneOf(("usual", "other"))

    rest = {"line": "usual"}
    assert told(Sheet(fill), {"carts": 0, **rest}, SPEAKER) == "ask.no_order {}"
    assert told(Sheet(fill), {"carts": 1}, SPEAKER) == "Carts : 1."
    full = {"carts": 1, "load.0": "oil", **rest}
    assert told(Sheet(fill), full, SPEAKER) == "Un chariot de oil."


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("campaign", ["atlantide", "mare_nostrum"])
def test_every_part_of_a_sheet_of_a_campaign_is_told_in_a_sentence(
    campaign: str, lang: str
) -> None:
    texts = catalogue_of(campaign)
    keys = [key.split(".") for key in texts.keys(lang)]
    said = {key[1] for key in keys if key[0] in ("dispatch", "dispatch_and")}
    of_forms = {"plan_when", "plan_otherwise", "plan_lapsed"}  # lines of a form: in no answer
    assert {key[1] for key in keys if key[0] == "part"} - of_forms <= said


def roll(count: int, sides: int) -> Roll:
    return Roll(count, sides, total, "why")


@pytest.mark.parametrize("typed", ["3 5 2", "3,5,2", "352", "3+5+2", "35 2", "1x3 5 1x2"])
def test_faces(typed: str) -> None:
    assert roll_typed(roll(3, D6), typed) == (3, 5, 2)


@pytest.mark.parametrize(
    "typed", ["", "3 5", "3 5 2 1", "3 5 7", "3 5 0", "a b c", "3 5 -2", "999999x1"]
)
def test_faces_that_cannot_be(typed: str) -> None:
    with pytest.raises(DiceRefused):
        roll_typed(roll(3, D6), typed)


def test_absurd_numbers_are_refused_and_no_more() -> None:
    long = "9" * 5000
    with pytest.raises(NotAllowed):
        read_answer(CHOICE, long, SPEAKER)
    for typed in (long, f"3x{long}", f"{long}x3", "²x3", "3x²"):
        with pytest.raises(DiceRefused):
            roll_typed(roll(1, D10), typed)


def test_faces_of_large_dice_and_long_rolls() -> None:
    assert roll_typed(roll(2, D10), "10 3") == (10, 3)
    assert roll_typed(roll(LONG + 1, D6), f"{LONG}x6 1") == Counts((1, 0, 0, 0, 0, LONG))


# Facts -----------------------------------------------------------------------------------------


def test_an_option_is_shown_with_its_fact_and_typed_without() -> None:
    bread = OneOf(("none", "loaf"), fact={"loaf": Fact("p", {"price": 3})}.get)
    assert offer(bread, SPEAKER) == ["1  none", "2  loaf, 3 PO"]
    assert read_answer(bread, "loaf", SPEAKER) == "loaf"
    with pytest.raises(NotAllowed):
        read_answer(bread, "loaf, 3 PO", SPEAKER)
    ways = Path({"d4": ("d4",)}, fact=lambda way: Fact("p", {"price": len(way)}))
    assert offer(ways, SPEAKER) == ["1  d4, 1 PO", "-  rester, 0 PO"]


def test_of_few_amounts_each_tells_its_fact_and_of_many_one_and_the_most() -> None:
    def price(count: int) -> Fact | None:
        return Fact("p", {"price": 3 * count}) if count else None

    few = [f"{n} : {3 * n} PO" for n in (1, 2)]
    assert offer(Amount(0, 2, fact=price), SPEAKER)[1:] == few
    many = [f"{n} : {3 * n} PO" for n in (1, 40)]
    assert offer(Amount(0, 40, fact=price), SPEAKER)[1:] == many


def test_a_fact_decides_nothing_and_no_form_is_known_by_it() -> None:
    plain, told = OneOf(("x", "y")), OneOf(("x", "y"), fact=lambda _: Fact("p", {"price": 3}))
    assert told.describe() == plain.describe()
    assert told.take("x") == plain.take("x")
