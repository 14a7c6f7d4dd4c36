"""An order form that is filled in and sent back says what its player meant, or is refused."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, ClassVar

import msgspec
import pytest

from polemarque.cli.common import TEXTS
from polemarque.kernel.errors import NotAllowed, NotUnderstood, NotYourTurn, OutOfDate, Refusal
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import encode
from polemarque.kernel.request import (
    Amount,
    Fact,
    Filling,
    OneOf,
    Path,
    Request,
    SeveralOf,
    Sheet,
    Text,
)
from polemarque.kernel.run import Runner
from polemarque.report.documents.writers import posts, write
from polemarque.report.game_words import Words
from polemarque.report.order_forms.form import OrderForm, campaign_code, order_form
from polemarque.report.order_forms.paper import frame, order_paper
from polemarque.report.order_forms.read_back import (
    FilledForm,
    check_frame,
    frames,
    read_order,
    tell,
    tell_fault,
)
from polemarque.testing.random_games import new_game, step
from tests.contract.secrets import SECRETS
from tests.contract.test_contract import TRIED
from tests.filled_orders import fill_in, typed_answers

POST = 10_000


def words_on(game: Game, request: Request, seat: str, lang: str) -> Words:
    words = Words(game.header, lang, TEXTS)
    words.turn_to(game, request.keys[seat])
    return words


def asked_in(game: Game, rng: random.Random, steps: int) -> Iterator[tuple[Request, str, Any]]:
    """Random questions of a random game, each with a random answer, as it is played on."""
    for _ in range(steps):
        if game.over:
            return
        request = rng.choice(game.requests())
        seat = rng.choice(request.missing)
        yield request, seat, request.options(seat).sample(rng)
        step(game, rng)


FORMS = ("text", "md", "bbcode", "posts")


def written(document: Any, form: str) -> str:
    """A paper in a format; in posts, the pieces one after another, as somebody pastes them."""
    return "\n\n".join(posts(document, 2000)) if form == "posts" else write(document, form)


@pytest.mark.parametrize("name", sorted(TRIED))
@pytest.mark.parametrize("seed", range(3))
def test_a_filled_form_reads_back_as_it_was_meant(name: str, seed: int) -> None:
    game, rng = new_game(name, seed), random.Random(seed)
    read = 0
    for request, seat, value in asked_in(game, rng, 25):
        lang, kind = rng.choice(("fr", "en")), rng.choice(FORMS)
        words = words_on(game, request, seat, lang)
        form = order_form(game, request, seat, words)
        paper = written(order_paper(game, request, seat, words), kind)
        sent = fill_in(paper, form, typed_answers(form, value, words))
        (found,) = frames(sent)
        assert (found.code, found.lang) == (form.code, lang)
        assert check_frame(found, [form], campaign_code(game.header), seat) is form
        reading = read_order(form, found, words)
        assert not reading.faults, [tell_fault(fault, words) for fault in reading.faults]
        assert encode(reading.value) == encode(value), f"{form.key} in {lang}, {kind}"
        read += 1
    assert read


@pytest.mark.parametrize("name", sorted(TRIED))
def test_a_form_left_blank_with_the_rest_as_proposed_is_the_absent_player_s_answer(
    name: str,
) -> None:
    game, rng = new_game(name, 7), random.Random(7)
    met = 0
    for request, seat, _ in asked_in(game, rng, 15):
        absent = request.options(seat).take(request.absent(seat))
        if not isinstance(absent, dict) or len(absent) < 2:
            continue
        met += 1
        words = words_on(game, request, seat, "fr")
        form = order_form(game, request, seat, words)
        lines = [
            line.replace("____", "Oui") if line.startswith("le reste") else line
            for line in frame(form, words)
        ]
        reading = read_order(form, frames("\n".join(lines))[0], words)
        assert not reading.faults
        assert encode(reading.value) == encode(absent)
    assert met or name in {"batailles", "toy"}


@pytest.mark.parametrize("name", sorted(SECRETS))
def test_a_form_holds_nothing_that_its_seat_may_not_see(name: str) -> None:
    game, rng = new_game(name, 5), random.Random(5)
    compared, met = 0, Counter[str]()
    for _ in range(50):
        if game.over:
            break
        here = game.runner
        pending = here.pending
        rule = pending.rule if isinstance(pending, Request) else ""
        met[rule] += 1
        # The same question comes for each seat that answers it: a few times are enough.
        seats = pending.missing if isinstance(pending, Request) and met[rule] <= 3 else ()
        for seat in seats:
            words = words_on(game, pending, seat, "fr")
            mine = written(order_paper(game, pending, seat, words, board=True), "text")
            other = SECRETS[name](game.state, seat, rng)
            there = None
            with suppress(Refusal):  # where what was answered so far fits that state
                there = Runner(msgspec.structs.replace(game.position, state=other, waiting={}))
            if there is None or not isinstance(there.pending, Request):
                continue
            game.runner = there
            words = words_on(game, there.pending, seat, "fr")
            theirs = written(order_paper(game, there.pending, seat, words, board=True), "text")
            game.runner = here
            assert mine == theirs
            compared += 1
        step(game, rng)
    assert compared > 10


# What people write ------------------------------------------------------------------------------


class Speaking(Words):
    """The words of a game that knows a hill, a ford and a few deeds."""

    SAID: ClassVar = {
        "place.hill": "la Colline", "place.ford": "le Gué", "deed.storm": "à l’assaut",
        "deed.stay": "tenir", "deed.retreat": "se retirer", "part.deed": "que faire",
        "part.gold": "or dépensé", "part.aim": "objectif : la porte", "part.way": "chemin",
        "part.with": "avec qui", "part.cry": "cri", "deed.stand": "tenir",
    }  # fmt: skip

    def label(self, family: str, word: Any) -> str:
        return self.SAID.get(f"{family}.{word}") or super().label(family, word)


def deeds() -> Filling:
    """A sheet with a part that depends on an earlier one, and one answer that is the only one."""
    deed = yield "deed", OneOf(("storm", "stay", "retreat"), "deed")
    if deed == "storm":
        yield "aim", OneOf(("hill", "ford"), "place")
    yield "gold", Amount(0, 2000, 50)
    yield "with", SeveralOf(("A", "B", "C"), 0, 2, "seat")
    yield "way", Path({"ford": ("ford",), "hill": ("ford", "hill")})
    yield "guard", OneOf(("all",))
    yield "cry", Text(200)


GAME = Game(new_header("toy", seed=1))
ABSENT = {"deed": "stay", "gold": 50, "with": (), "way": (), "guard": "all", "cry": ""}


def form_of(
    options: Any, absent: Any = None, seat: str = "A", words: Words | None = None
) -> OrderForm:
    """The form of a question of our own, put where the toy asks its first."""
    request = GAME.requests()[0]
    ask = msgspec.structs.replace(request.ask, options=options, absent=absent)
    asked = Request(ask, request.rule, request.path, request.keys, request.missing)
    return order_form(GAME, asked, seat, words or WORDS)


WORDS = Speaking(GAME.header, "fr", TEXTS)
WORDS.turn_to(GAME, GAME.requests()[0].keys["A"])
SHEET = form_of(Sheet(deeds), ABSENT)

WHOLE = """que faire : tenir
or dépensé : 100
avec qui : A ; C
chemin : la Colline
cri : Rome !"""
MEANT = {"deed": "stay", "gold": 100, "with": ("A", "C"), "way": ("ford", "hill"),
         "guard": "all", "cry": "Rome !"}  # fmt: skip


def read(body: str, form: OrderForm = SHEET, words: Words = WORDS) -> FilledForm:
    (found,) = frames(f"=== Polémarque {form.code} · fr ===\n{body}\n=== {form.code} ===")
    return read_order(form, found, words)


def plain(said: str) -> str:
    """What is told, with plain blanks."""
    return said.replace("\u00a0", " ").replace("\u202f", " ")


def refused(reading: FilledForm) -> list[tuple[int, str]]:
    """The line (in the frame's body, from 1) and the code of each refusal."""
    return [(max(fault.line - 1, 0), fault.refusal.code) for fault in reading.faults]


def test_the_form_lists_every_part_with_its_choices_once() -> None:
    lines = [plain(line) for line in frame(SHEET, WORDS)]
    assert lines[0] == f"=== Polémarque {SHEET.code} · fr · 1/TOY-1:A#1 ==="
    assert lines[-1] == f"=== {SHEET.code} ==="
    assert "1. que faire : ____" in lines
    assert "· 1 = à l’assaut · *2 = tenir · 3 = se retirer" in lines
    assert lines.index("2 : ____") < lines.index("3. or dépensé (0 à 2000 de 50 en 50, *50) : ____")
    assert "· 2. objectif : la porte (si 1 = 1)" in lines
    assert not any("guard" in line for line in lines)  # there is nothing to choose
    assert all(len(line) <= 78 for line in lines)


def test_a_plain_reply_is_understood_and_told_in_words() -> None:
    reading = read(WHOLE)
    assert not reading.faults and reading.value == MEANT
    said = [plain(line) for line in tell(reading, WORDS)]
    assert said[0] == "Que faire : tenir"
    assert "Or dépensé : 100" in said and "Chemin : le Gué, la Colline" in said
    assert "Guard : all (rien d’autre n’est possible)" in said


@pytest.mark.parametrize(
    "body",
    [
        ("> > QUE FAIRE: TENIR\n>or depense :100\n> Avec Qui:c;a\n>\n> chemin:la colline\n"
        "> cri: Rome !"),
        ("[b]3. or dépensé :[/b] 100\n4 = C, A\n\n\n1) que faire : 2\n"
        "[color=red]5. chemin[/color] : 1\n[i]cri :[/i] Rome !"),
        ("- **que faire** : **tenir**\n* or dépensé : 100\n* avec qui : A, C\n5: ford > hill\n"
        "cri : Rome !"),
        ("1: tenir\n· tout ceci explique\n3: 100 \u2060\n4: a c\n5: le gué > la colline\n"
        "7: Rome !\n(1/2)"),
        ("que\u00a0faire\u00a0: __tenir__\n3: 100\n4: a;c\n5: la col\n7: Rome !\n6: all\n"
        "2: ____"),
        WHOLE + "\n" + WHOLE,
    ],
)  # fmt: skip
def test_what_forums_mails_and_people_make_of_it_is_understood(body: str) -> None:
    reading = read(body)
    assert not reading.faults, [tell_fault(fault, WORDS) for fault in reading.faults]
    assert reading.value == MEANT


def test_only_what_stands_in_the_frame_is_read() -> None:
    code = SHEET.code
    post = (
        f"Bonjour ! que faire : se retirer\n[quote=Arbitre]=== Polémarque {code.lower()} · fr ===\n"
        f"1. que faire : ____\n[/quote]\n=== POLEMARQUE {code} ===\n{WHOLE}\n=== {code} ===\n"
        "-- \nOr : 3"
    )
    (found,) = frames(post)
    assert read_order(SHEET, found, WORDS).value == MEANT
    assert not frames("que faire : tenir")


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        (WHOLE.replace("tenir", "fuir"), [(1, "answer.one_of")]),
        (WHOLE.replace("tenir", ""), [(0, "orders.blank")]),
        (WHOLE.replace("tenir", "..."), [(0, "orders.blank")]),
        (WHOLE.replace("tenir", "9"), [(1, "answer.one_of")]),
        (WHOLE.replace("tenir", "0"), [(1, "answer.one_of")]),
        (WHOLE.replace("100", "75"), [(2, "answer.amount")]),
        (WHOLE.replace("100", "cent"), [(2, "answer.number")]),
        (WHOLE.replace("100", "1 2"), [(2, "answer.number")]),
        (WHOLE.replace("A ; C", "A ; D"), [(3, "answer.one_of")]),
        (WHOLE.replace("A ; C", "A ; B ; C"), [(3, "answer.how_many")]),
        (WHOLE.replace("la Colline", "la mer"), [(4, "answer.no_way")]),
        (WHOLE + "\nque faire : se retirer", [(6, "orders.twice")]),
        (WHOLE + "\nmerci à tous", [(6, "orders.no_part")]),
        (WHOLE + "\nbutin : 3", [(6, "orders.no_part")]),
        (WHOLE + "\n2: la Colline", [(6, "orders.not_asked")]),
        (WHOLE + "\n8: 3", [(6, "orders.no_part")]),
        (WHOLE + "\n3. que faire : tenir", [(6, "orders.no_part")]),
        (WHOLE + "\nle reste comme proposé : peut-être", [(6, "answer.one_of")]),
        (WHOLE.replace("tenir", "à l’assaut"), [(0, "orders.blank")]),
        ("bonjour\n" + WHOLE.replace("100", "75"), [(1, "orders.no_part"), (3, "answer.amount")]),
        ("", [(0, "orders.blanks")]),
        ("1 : 2\n3 : 100", [(0, "orders.blank")] * 2),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_refused_line_by_line(
    body: str, faults: list[tuple[int, str]]
) -> None:
    assert refused(read(body)) == faults


def test_a_refusal_says_what_was_read_and_what_would_be_legal() -> None:
    (fault,) = read(WHOLE.replace("tenir", "fuir")).faults
    said = plain(tell_fault(fault, WORDS))
    assert "Ligne 2" in said and "que faire : fuir" in said and "à l’assaut, tenir" in said
    (fault,) = read(WHOLE.replace("la Colline", "la mer")).faults
    assert "la Colline" in tell_fault(fault, WORDS) and "hill" not in tell_fault(fault, WORDS)
    (fault,) = read(WHOLE.replace("tenir", "à l’assaut")).faults
    assert "objectif : la porte" in tell_fault(fault, WORDS)
    (fault,) = read("").faults
    said = plain(tell_fault(fault, WORDS))
    assert "4 rubriques" in said and "que faire, or dépensé, avec qui et chemin" in said


def test_of_a_long_list_of_choices_the_beginning_is_told() -> None:
    form = form_of(OneOf(tuple([f"w{n}" for n in range(40)])))
    (fault,) = read("1: x", form).faults
    said = plain(tell_fault(fault, WORDS))
    assert said.endswith("w22 ; w23 ; …")


def test_the_rest_as_proposed_is_said_and_told() -> None:
    reading = read("que faire : à l’assaut\nle reste comme proposé : oui")
    assert reading.value == {**ABSENT, "deed": "storm", "aim": "hill"}
    assert "Or dépensé : 50 (comme proposé)" in map(plain, tell(reading, WORDS))
    assert read("le reste comme proposé : non").faults
    both = read("que faire : à l’assaut\nle reste : oui\nle reste : non").faults
    assert [(each.line, each.refusal.code) for each in both] == [(4, "orders.twice")]


@pytest.mark.parametrize(
    "line", ["le reste : oui", "Reste comme proposé : OUI !", "reste : oui.", "LE RESTE = Oui"]
)
def test_the_rest_as_proposed_is_understood_as_people_write_it(line: str) -> None:
    assert read(f"que faire : à l’assaut\n{line}").value == {
        **ABSENT, "deed": "storm", "aim": "hill"
    }  # fmt: skip


def test_lists_that_have_few_words_in_common_are_told_apart() -> None:
    def fill() -> Filling:
        yield "with", OneOf(("stay", "A", "B"), "deed")
        yield "deed", OneOf(("stay", "storm", "retreat", "C", "D"), "deed")

    form = form_of(Sheet(fill), {})
    lines = [plain(line) for line in frame(form, WORDS)]
    assert "· *1 = tenir · 2 = à l’assaut · 3 = se retirer · 4 = C · 5 = D" in lines
    assert not any("choix de" in line for line in lines)


def test_a_part_that_is_asked_after_another_is_read_in_any_order() -> None:
    body = "2: le gué\n" + WHOLE.replace("tenir", "1")
    reading = read(body)
    assert not reading.faults and reading.value == {**MEANT, "deed": "storm", "aim": "ford"}


def test_a_text_of_several_lines_keeps_its_words() -> None:
    reading = read(WHOLE + "\n| que faire : rien\n|\n|  fin")
    assert reading.value["cry"] == "Rome !\nque faire : rien\n\n fin"


def test_words_of_one_name_are_told_apart_by_the_form_and_never_taken_for_each_other() -> None:
    form = form_of(OneOf(("stay", "stand"), "deed"), "stay")
    assert "· *1 = tenir (stay) · 2 = tenir (stand)" in frame(form, WORDS)
    assert refused(read("réponse : tenir", form)) == [(1, "answer.one_of")]
    assert read("réponse : stand", form).value == "stand"
    assert read("1 : 2", form).value == "stand"


def test_the_form_tells_the_facts_of_words_ways_and_amounts_and_is_known_by_none() -> None:
    class Pricing(Speaking):
        def fact(self, fact: Fact) -> str:
            return f"{fact.data['price']} PO"

    def sheet(price: Callable[[Any], Fact | None] | None) -> OrderForm:
        def fill() -> Filling:
            yield "with", SeveralOf(("A", "B"), fact=price)
            yield "way", Path({"ford": ("ford",), "hill": ("ford", "hill")}, fact=price)
            yield "gold", Amount(0, 2, fact=price)

        return form_of(Sheet(fill))

    form = sheet(lambda value: Fact("price", {"price": 7}))
    words = Pricing(GAME.header, "fr", TEXTS)
    words.turn_to(GAME, form.key)
    told = plain(" ".join(frame(form, words)))
    for line in ("A, 7 PO", "la Colline, 7 PO", "1 : 7 PO", "2 : 7 PO"):
        assert line in told
    assert form.code == sheet(None).code


def test_parts_of_one_name_are_known_by_their_numbers() -> None:
    class Alike(Speaking):
        def part(self, name: str) -> str:
            return "or"

    def fill() -> Filling:
        yield "mine", Amount(0, 9)
        yield "yours", Amount(0, 9)

    form, words = form_of(Sheet(fill), {}), Alike(GAME.header, "fr", TEXTS)
    words.turn_to(GAME, form.key)
    assert refused(read("or : 3\nyours : 4", form, words)) == [
        (1, "orders.no_part"),
        (0, "orders.blank"),
    ]
    assert read("2: 4\n1: 3", form, words).value == {"mine": 3, "yours": 4}
    assert read("mine: 3\nor (yours): 4", form, words).value == {"mine": 3, "yours": 4}


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_pieces_go_by_the_names_of_their_places_and_there_by_number(lang: str) -> None:
    """As on pages, in the language of the form; what is written behind its numbers is read so."""
    stand = {"X10": "hill", "X9": "hill", "X2": "ford"}

    class Placed(Speaking):
        def label(self, family: str, word: Any) -> str:
            if family == "place" and self.lang == "en":
                return {"hill": "Height", "ford": "Crossing"}.get(word, word)
            return super().label(family, word)

    def fill() -> Filling:
        yield "deed", OneOf(("stay", "storm"), "deed")
        for piece in stand:
            goal = yield f"to.{piece}", OneOf(("stay", "hill", "ford"), "place")
            if goal != "stay":
                yield f"gold.{piece}", Amount(0, 9)

    sheet = Sheet(fill, where=lambda part: stand.get(part.partition(".")[2], ""))
    words = Placed(GAME.header, lang, TEXTS)
    words.turn_to(GAME, GAME.requests()[0].keys["A"])
    form = form_of(sheet, {}, words=words)
    pieces = {"fr": ["X9", "X10", "X2"], "en": ["X2", "X9", "X10"]}[lang]
    bunches = [(f"to.{piece}", f"gold.{piece}") for piece in pieces]
    assert [part.at for part in form.parts] == [
        ("deed",), *[(part,) for bunch in bunches for part in bunch]
    ]  # fmt: skip
    number = {part.at: part.number for part in form.parts}
    sent = f"{number[('to.X2',)]}: 2\n{number[('gold.X2',)]}: 7\n{words.say('orders.rest')}: "
    read_so = read(sent + words.say("ask.true"), form, words)
    assert read_so.value == {
        "deed": "stay", "to.X10": "stay", "to.X9": "stay", "to.X2": "hill", "gold.X2": 7,
    }  # fmt: skip


def test_numbers_are_those_of_the_form_whatever_the_list_has_become() -> None:
    def fill() -> Filling:
        first = yield "deed", OneOf(("stay", "storm", "retreat"), "deed")
        left = [word for word in ("stay", "storm", "retreat") if word != first]
        yield "then", OneOf(tuple(left), "deed")

    form = form_of(Sheet(fill), {"deed": "stay", "then": "storm"})
    assert read("1: 1\n2: 2", form).value == {"deed": "stay", "then": "storm"}
    assert read("1: 2\n2: 1", form).value == {"deed": "storm", "then": "stay"}
    reading = read("1: 1\n2: 1", form)
    assert refused(reading) == [(2, "answer.numbered")]
    said = plain(tell_fault(reading.faults[0], WORDS))
    assert "« tenir »" in said and "à l’assaut et se retirer" in said and "stay" not in said


def peoples() -> Filling:
    """Another list of units for each people, which is asked for after a second answer."""
    whose = yield "people", OneOf(("greeks", "romans"), "people")
    own = yield "own", OneOf((False, True))
    if own:
        names = {"greeks": ("hoplites", "peltasts", "slingers"), "romans": ("hastati", "slingers")}
        unit = yield "unit", OneOf(names[whose], "troop")
        yield "figures", Amount(1, 9)
        if unit == "hoplites":
            yield "cry", Text(20)


def test_numbers_of_another_choice_s_list_are_refused_by_name_and_names_are_read() -> None:
    class Trooping(Speaking):
        SAID: ClassVar = Speaking.SAID | {
            "troop.hoplites": "Hoplites", "troop.peltasts": "Peltastes",
            "troop.slingers": "Frondeurs, à pied", "troop.hastati": "Hastati",
            "people.greeks": "Grecs", "people.romans": "Romains", "part.unit": "unité",
        }  # fmt: skip

    form = form_of(Sheet(peoples), {"people": "greeks", "own": False})
    words = Trooping(GAME.header, "fr", TEXTS)
    words.turn_to(GAME, form.key)
    lines = plain(" ".join(frame(form, words))).replace(" · ", " ")
    assert "unité (si 2 = 2, numéros seulement si 1 = 1, sinon noms)" in lines
    assert lines.count("sinon noms") == 1
    reading = read("1: Romains\n2: oui\n3: 1\n4: 2\n", form, words)
    assert refused(reading) == [(3, "answer.numbered")]
    said = plain(tell_fault(reading.faults[0], words))
    assert "« Hoplites »" in said and "Hastati ; Frondeurs, à pied" in said
    assert "hoplites" not in said and "hastati" not in said
    assert not any("Unité" in line for line in tell(reading, words))
    assert read("1: 2\n2: oui\n3: 3\n4: 2", form, words).value["unit"] == "slingers"
    assert read("1: 2\n2: oui\n3: hastati\n4: 2", form, words).value["unit"] == "hastati"


def test_lists_that_any_people_has_are_told_by_no_code() -> None:
    game = new_game("atlantide", 1)
    request = game.requests("A")[0]
    for lang in ("fr", "en"):
        words = words_on(game, request, "A", lang)
        lines = frame(order_form(game, request, "A", words), words)
        assert not any("sample" in line or "points" in line for line in lines[:10])
        assert any(re.search(r"\*1 = [^·]+ 1 · 2 = [^·]+ 2\b", line) for line in lines)


def test_what_follows_from_a_refused_line_is_not_told_as_understood() -> None:
    form = form_of(Sheet(peoples), {"people": "greeks", "own": False})
    reading = read("1: 2\n2: oui\n3: 1\nle reste comme proposé : oui", form)
    told = [plain(line) for line in tell(reading, WORDS)]
    assert reading.faults and told and not any("comme proposé" in line for line in told)


def test_sheets_within_sheets_are_asked_for_as_one() -> None:
    def inner() -> Filling:
        yield "gold", Amount(0, 5)

    def outer() -> Filling:
        yield "with", Sheet(inner)
        yield "gold", Amount(0, 9)

    form = form_of(Sheet(outer), {"with": {"gold": 1}, "gold": 2})
    assert read("avec qui / or dépensé : 5\nor dépensé : 9", form).value == {
        "with": {"gold": 5}, "gold": 9
    }  # fmt: skip
    reading = read("le reste comme proposé : oui", form)
    assert reading.value == {"with": {"gold": 1}, "gold": 2}


def posted(form: OrderForm, body: str) -> str:
    return f"=== Polémarque {form.code} · fr ===\n{body}\n=== {form.code} ==="


def test_of_several_forms_those_that_are_blank_are_left_out() -> None:
    blank, other = posted(SHEET, "\n".join(frame(SHEET, WORDS)[1:-1])), form_of(Amount(0, 9))
    written = posted(other, "réponse : 3")
    assert [each.code for each in frames(f"{blank}\n{written}\n{blank}")] == [other.code]
    assert [each.code for each in frames(blank)] == [SHEET.code]
    both = [blank, posted(other, "réponse : ...")]
    assert [each.code for each in frames("\n".join(both))] == [SHEET.code, other.code]


@pytest.mark.parametrize("quoted", [False, True])
def test_a_form_without_its_last_line_says_so_and_blames_no_signature(quoted: bool) -> None:
    code = SHEET.code
    post = f"=== Polémarque {code} · fr ===\n{WHOLE}\nAmicalement\nMarc : consul\n"
    post += f"> === Polémarque {code} · fr ===\n> 1 : ____\n> === {code} ===" if quoted else ""
    (found,) = frames(post)
    reading = read_order(SHEET, found, WORDS)
    assert refused(reading) == [(0, "orders.unclosed")]
    assert f"=== {code} ===" in tell_fault(reading.faults[0], WORDS)
    (found,) = frames(post.replace("que faire", "faire"))
    assert refused(read_order(SHEET, found, WORDS)) == [
        (1, "orders.no_part"), (0, "orders.blank"), (0, "orders.unclosed"),
    ]  # fmt: skip
    (found,) = frames(f"=== Polémarque {code} · fr ===\n{WHOLE}")
    assert not read_order(SHEET, found, WORDS).faults, "nothing is in doubt"


# Which form it is -------------------------------------------------------------------------------


def test_a_form_of_another_question_campaign_or_seat_is_refused_with_the_reason() -> None:
    game = Game(new_header("toy", seed=3))
    here = campaign_code(game.header)
    words = words_on(game, game.requests()[0], "A", "fr")
    first = order_form(game, game.requests()[0], "A", words)
    (found,) = frames("\n".join(frame(first, words)))
    theirs = order_form(game, game.requests()[0], "B", words)
    with pytest.raises(NotYourTurn) as wrong_seat:
        check_frame(found, [theirs], here, "B")
    assert (wrong_seat.value.code, wrong_seat.value.part) == ("orders.other_seat", "A")

    other = Game(new_header("toy", seed=4))
    forms = [order_form(other, other.requests()[0], "A", words)]
    with pytest.raises(OutOfDate) as elsewhere:
        check_frame(found, forms, campaign_code(other.header), "A")
    assert elsewhere.value.code == "orders.other_campaign"

    for seat in game.header.seats:
        game.answer(seat, "wait")
    game.settle()
    now = [order_form(game, request, "A", words) for request in game.requests("A")]
    with pytest.raises(OutOfDate) as late:
        check_frame(found, now, here, "A")
    assert late.value.code == "orders.closed"


def test_a_form_whose_choices_have_changed_is_out_of_date_and_others_answers_change_none() -> None:
    game = Game(new_header("toy", seed=3))
    request = game.requests()[0]
    words = words_on(game, request, "A", "fr")
    before = order_form(game, request, "A", words)
    game.answer("B", "duel")
    assert order_form(game, game.requests()[0], "A", words) == before
    first, then = form_of(OneOf(("stay", "storm"))), form_of(OneOf(("storm", "stay")))
    assert first.key == then.key and first.code != then.code
    (found,) = frames("\n".join(frame(first, WORDS)))
    with pytest.raises(OutOfDate) as changed:
        check_frame(found, [then], campaign_code(GAME.header), "A")
    assert changed.value.code == "orders.changed"


def test_refusals_are_of_the_kinds_that_the_kernel_knows() -> None:
    kinds = {type(fault.refusal) for fault in read("que faire : fuir\nmerci").faults}
    assert kinds == {NotAllowed, NotUnderstood}


def test_a_name_that_is_also_the_code_of_another_part_is_refused() -> None:
    class Crossed(Speaking):
        def part(self, name: str) -> str:
            return {"mine": "yours", "yours": "other"}[name]

    def fill() -> Filling:
        yield "mine", Amount(0, 9)
        yield "yours", Amount(0, 9)

    form, words = form_of(Sheet(fill), {}), Crossed(GAME.header, "fr", TEXTS)
    words.turn_to(GAME, form.key)
    assert (1, "orders.two_parts") in refused(read("yours : 3\n2 : 4", form, words))
    assert read("1. yours : 3\nother : 4", form, words).value == {"mine": 3, "yours": 4}


def test_of_two_names_of_which_one_begins_the_other_the_longer_is_meant() -> None:
    class Long(Speaking):
        def part(self, name: str) -> str:
            return {"mine": "or", "yours": "or : tout"}[name]

    def fill() -> Filling:
        yield "mine", Amount(0, 9)
        yield "yours", Amount(0, 9)

    form, words = form_of(Sheet(fill), {}), Long(GAME.header, "fr", TEXTS)
    words.turn_to(GAME, form.key)
    assert read("or : tout : 4\nor : 3", form, words).value == {"mine": 3, "yours": 4}


def test_a_post_of_any_shape_is_read_or_refused_at_once() -> None:
    for body in ("[b " * 9000, "a:" * 9000, "3: " + "1;" * 9000, "7: " + "> " * 9000, "x\n" * 2900,
                 "| y\n" * 2900, "=" * 9000, "[quote=" * 4000):  # fmt: skip
        begun = time.process_time()
        assert read(body).faults
        assert time.process_time() - begun < 5
    for long in ("x" * 100_001, "\n" * 3000):
        with pytest.raises(NotUnderstood) as refusal:
            frames(long)
        assert refusal.value.code == "orders.long"


def test_what_is_asked_once_more_shares_a_number_and_is_told_once() -> None:
    def fill() -> Filling:
        count = yield "count", Amount(0, 3)
        for n in range(1, count + 1):
            yield f"deed.{n}", OneOf(("stay", "storm", "retreat"), "deed")

    form = form_of(Sheet(fill), {"count": 0})
    assert [part.number for part in form.parts] == ["1", "2", "2/2", "2/3"]
    lines = [plain(line) for line in frame(form, WORDS)]
    assert sum("à l’assaut" in line for line in lines) == 1
    assert any("2/2" in line and "2/3" in line for line in lines)
    reading = read("1: 2\n2: 2\n2/2: 3", form)
    assert not reading.faults
    assert reading.value == {"count": 2, "deed.1": "storm", "deed.2": "retreat"}


def test_a_list_that_is_nearly_another_tells_only_what_differs() -> None:
    places = tuple("mnopqrtu")

    def fill() -> Filling:
        yield "one", OneOf(places, "deed")
        yield "two", OneOf((*places[1:], "storm"), "deed")

    form = form_of(Sheet(fill), {"one": "m", "two": "n"})
    second = form.parts[1]
    assert (second.like, second.lacking, second.words[-1]) == ("1", ("m",), "storm")
    assert refused(read("1: n\n2: m", form)) == [(2, "answer.one_of")]
    assert read("1: n\n2: storm", form).value == {"one": "n", "two": "storm"}
