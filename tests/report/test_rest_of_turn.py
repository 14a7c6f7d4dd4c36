"""The rest of a turn on one form: what is filled in is left in advance, what cannot be is told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from polemarque.bots.play import play_game
from polemarque.cli.common import TEXTS
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import encode_position
from polemarque.kernel.records.record import Leave
from polemarque.report.documents.writers import posts, write
from polemarque.report.game_words import Words
from polemarque.report.order_forms import rest_of_turn
from polemarque.report.order_forms.form import OrderForm
from polemarque.report.order_forms.read_back import frames
from polemarque.report.order_forms.rest_of_turn import (
    RestRead,
    foreseen,
    form_ahead,
    read_rest,
    rest_paper,
)
from tests.filled_orders import fill_in, typed_answers

SEAT = "B"


@cache
def played(system: str, scenario: str, turn: int) -> Game:
    """A game in which seat B is asked the first question of a turn."""
    game = Game(new_header(system, scenario=scenario, seed=4))
    bots = dict.fromkeys(game.header.seats, "steady")
    play_game(
        game, bots,
        stop=lambda g: g.runner.period == turn and not g.system.opening(g.state)
        and bool(g.requests(SEAT)),
    )  # fmt: skip
    return game


def island() -> Game:
    """A campaign of Atlantide; B is asked for its offers (AT-4.1)."""
    return played("atlantide", "wave", 2)


def words_of(game: Game, lang: str = "en") -> Words:
    return Words(game.header, lang, TEXTS, state=game.state)


def paper_of(game: Game, lang: str = "en", form: str = "text") -> str:
    paper = rest_paper(game, SEAT, words_of(game, lang))
    assert paper is not None
    return "\n\n".join(posts(paper[0], 2000)) if form == "posts" else write(paper[0], form)


def forms_of(game: Game) -> dict[str, OrderForm]:
    """The forms of what is to come, by rule; what other answers lead to among them."""
    found: dict[str, OrderForm] = {}

    def see(_: Any, step: Any, request: Any) -> None:
        form = form_ahead(game.header, step, request, words_of(game))
        found.setdefault(step.key.rule, form)

    assert foreseen(game, SEAT, {}, see, see)
    return found


def read(game: Game, post: str, given: Mapping[Any, Any] | None = None) -> RestRead:
    return read_rest(
        game, SEAT, frames(post), given or {}, words_of(game),
        lambda lang: words_of(game, lang or "en"),
    )  # fmt: skip


def written(game: Game, rule: str, *lines: str) -> str:
    """The frame of one question, with these lines in it."""
    code = forms_of(game)[rule].code
    return "\n".join([f"=== Polémarque {code} · en · +2/{rule} ===", *lines, f"=== {code} ==="])


def by_rule(found: RestRead) -> dict[str, Leave]:
    return {each.rule: each for each in found.ahead}


def test_the_form_holds_what_comes_what_may_be_done_to_one_and_what_other_answers_lead_to() -> None:
    game = island()
    before = encode_position(game.position)
    paper = paper_of(game)
    assert encode_position(game.position) == before
    rules = re.findall(r"· \+2/([A-Z0-9.-]+)", paper)
    assert rules[:2] == ["AT-5.2", "AT-7.2"] and "AT-8.1" in rules and "AT-4.1" not in rules
    assert "If you are attacked: AT-8.1" in paper
    assert "wherever it is" in paper and "AT-9.1" in rules, "who marches may come to foreign land"
    assert paper.count("*1 = in any case") == 1, "conditions are listed once"
    assert "if nothing has changed for your army" in paper
    french = paper_of(game, "fr")
    assert "Si l’on vous attaque" in french and "dans tous les cas" in french


@pytest.mark.parametrize("form", ["text", "md", "bbcode", "posts"])
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_what_is_filled_in_is_left_in_advance_with_its_condition(form: str, lang: str) -> None:
    game, forms = island(), forms_of(island())
    ways = next(each for each in forms["AT-7.2"].parts if each.at == ("way",)).options.ways  # type: ignore[union-attr]
    march = {"act": "move", "way": next(iter(ways.values()))}
    strategy = forms["AT-8.1"].options.words[0]  # type: ignore[union-attr]
    paper, words = paper_of(game, lang, form), words_of(game, lang)

    def see(head: Any, step: Any, _: Any) -> None:
        nonlocal paper
        meant = {"AT-7.2": march, "AT-8.1": strategy}.get(step.key.rule)
        if meant is not None:
            words.turn_to(head.game, step.key)
            asked = forms[step.key.rule]
            before, code, after = paper.partition(asked.code)
            inside, last, rest = after.partition(asked.code)
            filled = fill_in(f"{inside}=== {last}", asked, typed_answers(asked, meant, words))
            paper = before + code + filled.removesuffix(last).removesuffix("=== ") + last + rest

    foreseen(game, SEAT, {}, see)
    at = paper.index(forms["AT-7.2"].code)
    named = {
        "fr": ("quand répondre ainsi", "sinon, ou si ce n’est plus permis"),
        "en": ("when to answer so", "otherwise, or if it isn’t allowed any more"),
    }[lang]
    for name, number in zip(named, ("3", "2"), strict=True):
        blank = re.compile(rf"{re.escape(name)}[^\n]* ?: ____").search(paper, at)
        assert blank, paper[at:]
        paper = f"{paper[: blank.start()]}{name}: {number}{paper[blank.end() :]}"
    found_ = read(game, f"> Bonjour\n{paper}\n-- \nMarc")
    left = by_rule(found_)
    assert not found_.unused and set(left) == {"AT-7.2", "AT-8.1"}
    assert left["AT-7.2"].value == march and left["AT-7.2"].otherwise == "absent"
    assert set(left["AT-7.2"].when) == {"around"} and left["AT-7.2"].until == 2
    assert left["AT-8.1"].value == strategy and left["AT-8.1"].subject == "*"
    assert not left["AT-8.1"].when and not left["AT-8.1"].otherwise


def test_a_blank_form_leaves_nothing_and_the_rules_alone_can_be_chosen() -> None:
    game = island()
    assert read(game, paper_of(game)) == RestRead((), (), (), ())
    found = read(game, written(game, "AT-8.7/losses", "if it isn't allowed any more: 2"))
    (left,) = found.ahead
    assert left.otherwise == "absent" and not found.unused
    assert "The rules answer" in found.told[0]
    found = read(game, written(game, "AT-8.7/losses", "if it isn't allowed any more: 1"))
    assert not found.ahead and "was left blank" in " ".join(found.unused)


def test_an_answer_to_what_other_answers_lead_to_holds_wherever_it_comes() -> None:
    game = island()
    left = by_rule(read(game, written(game, "AT-9.1", "1: 2", "2: 0")))["AT-9.1"]
    assert (left.subject, left.value) == ("*", {"act": "attack", "bribe": 0})


def test_what_cannot_be_used_is_told_line_by_line_and_the_rest_is_kept() -> None:
    game = island()
    post = "\n".join(
        [
            written(game, "AT-7.2", "1: march", "3: Rome"),
            written(game, "AT-8.1", "1: 2"),
            written(game, "AT-5.2", "the rest as proposed: yes", "when to answer so: never"),
            "=== Polémarque "
            + forms_of(game)["AT-8.1"].code[:5]
            + "000000 · en · +2/AT-8.1:B#1 ===",
            "1: 3",
        ]
    )
    found = read(game, post)
    assert set(by_rule(found)) == {"AT-8.1"}
    lines = post.split("\n")
    assert any(f"Line {lines.index('3: Rome') + 1}, “3: Rome”" in one for one in found.unused)
    assert any("“when to answer so: never”" in one for one in found.unused)
    assert any("out of date" in one for one in found.unused)
    assert sum("You are asked" in one for one in found.unused) == 2


def test_an_army_that_goes_elsewhere_makes_later_lines_useless_and_loses_nothing_else() -> None:
    game = played("mare_nostrum", "quartet", 1)
    forms = forms_of(game)
    levy, admin = forms["MN-2.6"], forms["MN-F5/phase"]
    number = {part.at: part.number for part in admin.parts}
    diplomats = f"{number[('diplomat',)]}: 2"
    post = "\n".join(
        [
            f"=== Polémarque {levy.code} · en · +1/MN-2.6:B#1 ===", "1: 1",
            "the rest as proposed: yes", f"=== {levy.code} ===",
            f"=== Polémarque {admin.code} · en · +1/MN-F5/phase:B#1 ===",
            f"{number[('caravans',)]}: 1", diplomats,
            "the rest as proposed: yes", f"=== {admin.code} ===",
        ]
    )  # fmt: skip
    found = read(game, post)
    left = by_rule(found)
    assert left["MN-2.6"].value["armies"] == 1, "an army takes all the gold but for a caravan's"
    assert left["MN-F5/phase"].value["caravans"] == 1
    (useless,) = found.unused
    assert f"“{diplomats}”" in useless


def test_a_form_is_capped_and_names_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    game = island()
    whole = paper_of(game)
    assert "For want of room" not in whole
    monkeypatch.setattr(rest_of_turn, "MOST_FORMS", 2)
    short = paper_of(game)
    assert short.count("=== Polémarque") == 2 and "Strategy" in short.split("For want of room")[1]
    monkeypatch.setattr(rest_of_turn, "MOST_FORMS", 12)
    monkeypatch.setattr(rest_of_turn, "MOST_LINES", 30)
    assert len(re.findall(r"^(?:===|·|\d)", paper_of(game), re.MULTILINE)) <= 30


def test_what_stands_is_told_and_an_empty_frame_leaves_it() -> None:
    game = Game(island().header)
    for entry in island().entries:
        game.enter(entry)
    for left in read(game, written(game, "AT-8.1", "1: 2")).ahead:
        game.enter(left)
    paper = paper_of(game)
    assert "Planned already: " in paper and "Only if you are attacked" in paper
    assert not read(game, paper).ahead and len(game.standing_orders) == 1


def test_where_nothing_can_be_foreseen_there_is_no_form() -> None:
    game = Game(new_header("promiterra", scenario="coalition", seed=1))
    game.settle()
    assert game.requests()[0].rule == "PR-2.4/deploy"
    assert rest_paper(game, game.header.seats[0], words_of(game)) is None
