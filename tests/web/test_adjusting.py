"""Adjusting by an umpire who plays: names are offered, nonsense is refused, and all is told."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.bots.play import play_game
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import Campaign, Proposal
from polemarque.club.umpire.acts import act_of, adjustable
from polemarque.kernel.adjust import heads_of
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import find_system, system_names
from polemarque.report.game_words import Words
from polemarque.systems.atlantide.adjust import ADJUSTABLE as ATLANTIDE
from polemarque.systems.mare_nostrum.adjust import ADJUSTABLE as MARE_NOSTRUM
from polemarque.web.pages.umpire.acts import explained
from polemarque.web.pages.umpire.adjust_form import Thing
from tests.club.people import campaign, person
from tests.web.browser import Element
from tests.web.desks import (
    adjusting,
    confirmed,
    fields,
    forms_to,
    offered,
    played,
    seal_for,
    seal_for_zoe,
)
from tests.web.people import browser, by_id, page, way

pytestmark = pytest.mark.django_db

OURS = sorted(set(system_names()) & {
    "atlantide", "batailles", "mare_nostrum", "promiterra", "thucidide",
})  # fmt: skip


@pytest.mark.parametrize("system", OURS)
def test_every_form_of_a_name_says_what_it_adjusts(system: str) -> None:
    runner = Game(new_header(system, seed=1)).runner
    patterns = adjustable(runner).names
    assert any("." in pattern for pattern in patterns)
    for lang in LANGUAGES:
        assert all(explained(system, pattern, lang) for pattern in patterns)
    for head in heads_of([pattern for pattern in patterns if "." in pattern]):
        refusal = _refused(find_system(system).adjust, runner.state, head)
        assert refusal.legal[0].startswith(f"{head}."), "the form is said"


def _refused(adjust: Any, state: Any, name: str) -> Any:
    with pytest.raises(Exception, match=r"act\.") as refused:
        adjust(state, name, 5)
    return refused.value


@pytest.mark.parametrize(
    ("system", "known"), [("atlantide", ATLANTIDE), ("mare_nostrum", MARE_NOSTRUM)]
)
def test_the_forms_are_those_of_all_that_can_be_adjusted(system: str, known: Any) -> None:
    patterns = adjustable(Game(new_header(system, seed=1)).runner).names
    assert heads_of(patterns) == set(known)


@pytest.mark.parametrize("system", OURS)
def test_all_that_can_be_adjusted_is_chosen_in_words(system: str) -> None:
    """By lists alone: only a fortified cell is written, where there is none to choose."""
    game = Game(new_header(system, seed=1))
    play_game(game, dict.fromkeys(game.header.seats, "steady"), stop=later)
    book = Words(game.header, "fr", state=game.state).voice.own
    for kind, said_so in Thing(game.runner, book, True, "", ()).kinds:
        assert "." not in said_so and not said_so.isupper()
        thing = Thing(game.runner, book, True, kind, ())
        while not thing.name and (options := thing.parts[-1].options):
            assert all(words for _, words in options)
            given = [part.chosen for part in thing.parts[:-1]]
            thing = Thing(game.runner, book, True, kind, [*given, options[0][0]])
        assert thing.name or kind == "holder.CELL"
        assert Thing.of(game.runner, book, thing.name, neutral=True).name == thing.name
        words = [said_so for _, said_so in thing.values]
        assert not {"true", "false", "nobody", "none"} & set(words)


def later(game: Game) -> bool:
    return game.runner.period >= 2


def test_an_umpire_who_plays_is_offered_what_everybody_knows() -> None:
    zoe, made = browser(person("zoe")), played()

    def part(number: int, kind: str, *chosen: str) -> dict[str, str]:
        address = way("adjust", made)
        return offered(zoe.get(address, {"kind": kind, "part": chosen}), f"part-{number}")

    assert list(part(1, "loot.SEAT")) == ["A", "B", "C"]
    assert part(1, "owner.LAND")["triton_wood"] == "Triton’s Wood"
    assert "passage" in part(1, "option.NAME")
    assert list(part(1, "figures.SEAT.NUMBER")) == ["A", "B", "C"]
    assert part(2, "figures.SEAT.NUMBER", "B") == {}, "pieces are written"
    assert "value" in forms_of(zoe, made, kind="end") and "value" in forms_of(zoe, made, name="end")


def forms_of(client: Any, made: Campaign, **query: str) -> set[str]:
    """The names of the controls of the page."""
    shown = page(client.get(way("adjust", made), query))
    return {each.attrs.get("name", "") for each in shown.all("select", "input", "textarea")}


@pytest.mark.parametrize(
    ("query", "typed", "done"),
    [
        ({"kind": "loot.SEAT", "part": ["B"]}, {"value": "7"}, ("loot.B", 7)),
        ({"kind": "owner.LAND", "part": ["triton_wood"]}, {}, ("owner.triton_wood", "A")),
        ({"kind": "absent.SEAT", "part": ["C"]}, {"value": "false"}, ("absent.C", False)),
        ({"kind": "end"}, {"value": ["A", "C"]}, ("end", ("A", "C"))),
    ],
)
def test_what_is_chosen_is_what_is_proposed(query: Any, typed: Any, done: Any) -> None:
    made = campaign("atlantide", seats=3)
    zoe, address = browser(person("zoe")), way("adjust", made)
    (form,) = forms_to(zoe.get(address, query), address)
    assert zoe.post(address, {**fields(form), "reason": "so", **typed}).status_code == 303
    act = act_of(Proposal.objects.get())
    assert (act.name, act.value) == done


NONSENSE = [
    ("zzz", "1"), ("loot", "1"), ("loot.Z", "1"), ("loot.C", "abc"), ("owner.triton_wood", "Z"),
    ("owner.nowhere", "B"), ("place.B", "nowhere"), ("absent.B", "3"), ("option.none", "1"),
    ("journal", "5"), ("end", '["Z"]'), ("figures.B", "1"),
]  # fmt: skip


def tried(made: Campaign, name: str, value: str) -> tuple[int, str]:
    response = adjusting(browser(person("zoe")), made, name=name, value=value, reason="so")
    errors = [each for which in ("name", "value") for each in by_id(response, f"{which}-error")]
    return response.status_code, " ".join(each.said for each in errors)


def test_nonsense_is_refused_at_once_and_in_the_same_words_whatever_is_hidden() -> None:
    made = played()
    before = [tried(made, *each) for each in NONSENSE]
    assert {status for status, _ in before} == {422} and all(text for _, text in before)
    assert not Proposal.objects.exists()
    seal_for(made, "B")
    assert [tried(made, *each) for each in NONSENSE] == before, "who has sealed is not told"
    seal_for_zoe(made, "A")
    assert [tried(made, *each) for each in NONSENSE] == before


def test_what_may_hang_on_secrets_is_refused_to_nobody_who_may_not_look() -> None:
    made = played()
    for name, value in (("figures.B.1", "1"), ("figures.B.999", "1"), ("loot.C", "5")):
        assert tried(made, name, value)[0] == 303


# What those are told who are asked for their consent ---------------------------------------------


def put(made: Campaign, name: str, value: str) -> dict[str, str]:
    """What the seats are told of an act that is put to them, in French; it is dropped then."""
    sent_on = adjusting(browser(person("zoe")), made, name=name, value=value, reason="Oubli")
    confirmed(browser(person("zoe")), sent_on["Location"])
    told = {}
    for seat in ("B", "C"):
        shown = page(browser(person(seat.lower()), lang="fr").get(way("seat", made, seat=seat)))
        (slip,) = [e for e in shown.all("section") if e.attrs.get("class") == "slip"]
        told[seat] = first_paragraph(slip)
    Proposal.objects.all().delete()
    return told


def first_paragraph(slip: Element) -> str:
    return " ".join(slip.all("p")[0].said.split())


def test_who_is_asked_for_consent_is_told_what_is_proposed() -> None:
    made = played()
    owner = put(made, "owner.triton_wood", "B")
    assert owner["B"] == owner["C"]
    assert owner["B"].replace("\xa0", " ").endswith(": Bois de Triton = b")
    assert put(made, "loot.A", "500")["C"].endswith("zoe = 500"), "his own: all is told"


def test_a_figure_that_a_third_seat_hides_is_told_to_that_seat_alone() -> None:
    told = put(played(), "loot.B", "55")
    assert told["B"].endswith(": b = 55")
    assert ": b" in told["C"].replace("\xa0", " ") and "55" not in told["C"]


def test_what_is_impossible_now_is_told_too() -> None:
    made = played()
    seal_for(made, "B")
    told = put(made, "owner.triton_wood", "B")
    assert "Bois de Triton = b" in told["C"]


# The answers that stand, in words ----------------------------------------------------------------


def listed(made: Campaign, lang: str) -> list[list[str]]:
    """Question and answer of each row."""
    shown = page(browser(person("zoe"), lang=lang).get(way("corrections", made)))
    rows = [row for row in shown.all("tr") if row.all("td")]
    return [[row.all("th")[0].said, row.all("td")[2].said.strip()] for row in rows]


def answered(made: Campaign, rounds: int) -> Campaign:
    for number in range(rounds):
        with read_lock(made) as table:
            open_now = [s for r in table.game.requests() for s in r.missing]
        for seat in open_now:
            seal_for(made, seat, number)
    return made


@pytest.mark.parametrize("lang", LANGUAGES)
def test_answers_are_listed_in_the_words_of_their_questions(lang: str) -> None:
    made = answered(campaign("atlantide", seats=3), 6)
    rows = listed(made, lang)
    assert len(rows) > 6
    for question, answer in rows:
        assert not question.strip().endswith("·") and answer, question
        assert "_" not in answer and "-" not in answer.split(), answer
    several = [answer for _, answer in rows if answer.count(". ") > 1]
    assert several, "an answer of several parts"
    you = ("Vous ", "Votre ") if lang == "fr" else ("You ", "Your ")
    assert all(answer.startswith(you) for answer in several), several
    replies = [answer for _, answer in rows if "offer" in answer or "offre" in answer]
    assert replies and not any(answer.endswith("…") for answer in replies)


def test_a_chapter_that_asks_has_its_title() -> None:
    made = campaign("thucidide")
    with read_lock(made) as table:
        header = table.game.header
    game = Game(header.freed)
    game.settle()
    words = Words(header, "fr")
    words.turn_to(game, next(iter(game.requests()[0].keys.values())))
    assert (words.title("TH-7/order"), words.title("TH-6/order")) == (
        "Ordres de défense", "Ordres d’attaque",
    )  # fmt: skip
    assert words.title("TH-99") == ""


def test_a_sealed_answer_is_told_in_words() -> None:
    made = campaign("atlantide", seats=3)
    seal_for(made, "A")
    shown = page(browser(person("a"), lang="fr").get(way("seat", made, seat="A")))
    (told,) = {e.said for e in shown.all("p") if e.attrs.get("class") == "dispatch"}
    assert told.startswith("Vous ") and "_" not in told
