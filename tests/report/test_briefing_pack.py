"""The hand-over pack: whole for every system, made of what its seat may see, and short."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.kernel.game import Game, new_header
from polemarque.report.briefing_pack import Known, handover
from polemarque.report.documents.document import (
    Citation,
    Document,
    Line,
    Section,
    Span,
    Verbatim,
    Why,
    line,
    walk,
)
from polemarque.report.documents.pdf import pdf, printable
from polemarque.report.documents.writers import FORMATS, write
from polemarque.systems.atlantide.agreements import Agreement, Proposal
from polemarque.systems.mare_nostrum.pieces import Treaty
from tests.contract.secrets import SECRETS

SYSTEMS = ("atlantide", "mare_nostrum", "thucidide", "promiterra", "batailles")


def played(system: str, answers: int = 25) -> Game:
    game = Game(new_header(system, seed=3))
    rng = Random(3)
    game.settle()
    for _ in range(answers):
        if game.requests():
            request = game.requests()[0]
            seat = request.missing[0]
            game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
            game.settle()
    return game


def packed(game: Game, state: Any = None, lang: str = "en", **known: Any) -> Document:
    stands = game.state if state is None else state
    return handover(game.header, stands, "A", lang, None, Known(**known), period=1)


def titles(told: Document) -> list[str]:
    return [block.title for block in told.blocks if isinstance(block, Section)]


def under(told: Document, title: str) -> str:
    """What stands under a heading of the first rank, as text."""
    (found,) = [b for b in told.blocks if isinstance(b, Section) and b.title == title]
    return write(Document("", "en", found.blocks), "text")


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_has_a_pack_in_every_format(system: str, lang: str) -> None:
    told = packed(played(system), lang=lang, asked=["Something."])
    agreements = system in ("atlantide", "mare_nostrum")
    assert len(titles(told)) == 5 + agreements
    for form in FORMATS:
        assert "Something." in write(told, form)
    if printable():
        assert pdf(told).startswith(b"%PDF")


@pytest.mark.parametrize("system", ["thucidide", "promiterra", "batailles"])
def test_where_there_is_no_sheet_the_board_is_told(system: str) -> None:
    told = packed(played(system))
    (board,) = [block for _, block in walk(told) if isinstance(block, Verbatim)]
    assert len(board.lines) > 3
    for form in ("text", "html", "bbcode"):
        for said in board.lines[2:6]:
            assert said.strip()[:8].replace("&", "&amp;") in write(told, form)


@pytest.mark.parametrize("system", sorted(set(SECRETS) & set(SYSTEMS)))
def test_what_the_seat_may_not_see_changes_no_word(system: str) -> None:
    game = played(system)
    if game.over:
        pytest.skip("it is over")
    first = packed(game)
    for number in range(5):
        hidden = SECRETS[system](game.state, "A", Random(number))
        assert packed(game, hidden) == first


def test_agreements_in_force_are_told_to_those_who_know_of_them() -> None:
    game = played("atlantide")
    turn = game.state.turn
    state = replace(
        game.state,
        agreements=(
            Agreement(1, "passage", "A", "B", turn, ("dryas",)),
            Agreement(2, "supply", "B", "C", turn),
            Agreement(3, "tax", "B", "C", turn, public=True),
            Agreement(4, "text", "B", "A", turn, text="no more elephants"),
            Agreement(5, "stationing", "A", "C", turn - 1),
        ),
        proposals=(Proposal("B", Agreement(0, "loot", "B", "A", turn + 1, price=3)),),
    )
    said = under(packed(game, state), "Agreements and treaties in force")
    told = [each for each in said.split("\n\n") if each.strip()]
    assert len(told) == 4, told
    assert "no more elephants" in said and "cross Dryas" in said
    none = replace(game.state, agreements=(), proposals=())
    assert under(packed(game, none), "Agreements and treaties in force").strip() == "Nothing."


def test_treaties_and_wars_of_mare_nostrum_are_told() -> None:
    game = played("mare_nostrum", 0)
    one, other, third = game.header.seats[:3]
    treaties = (Treaty("alliance", one, other), Treaty("alliance", other, third))
    assert one == "A"
    said = under(
        packed(game, replace(game.state, treaties=treaties)), "Agreements and treaties in force"
    )
    assert said.lower().count("alliance") == 1


def test_secrets_are_told_apart() -> None:
    told = packed(played("atlantide"), sealed=["AT-8.1. Frontal."], left=["Always no."])
    said = under(told, "What the others do not know")
    assert "Sealed: AT-8.1. Frontal." in said and "it alone knows" in said
    assert "Always no." in under(told, "Answers left in advance")
    assert "Nothing: all that" in under(packed(played("batailles")), "What the others do not know")


def test_long_turns_are_cut_the_older_the_shorter_and_say_so() -> None:
    game = played("atlantide")

    def turn(name: str, lines: int) -> Document:
        told = tuple([line(f"{name} {n}.") for n in range(lines)])
        return Document("", "en", (Section(name, told),))

    said = under(packed(game, turns=[turn(name, 99) for name in "PQRS"]), "The last turns")
    assert [said.count(f"{name} ") for name in "PQRS"] == [30, 20, 10, 10]
    assert said.count("The rest is in the chronicle.") == 4
    exact = [turn("P", 30), turn("Q", 20)]
    assert "The rest" not in under(packed(game, turns=exact), "The last turns")


def test_what_is_secret_in_the_last_turns_is_said_to_be_marked() -> None:
    game = played("batailles", 3)
    marked = Line((Span("It rained."), Span(" On you.", "em")))
    for spoken, expected in ((marked, True), (line("It rained."), False)):
        turn = Document("", "en", (Section("Turn", (Section("Phase", (spoken,)),)),))
        said = under(packed(game, turns=[turn]), "What the others do not know")
        assert ("in italics" in said) == expected and ("Nothing" in said) != expected


def test_reasons_are_left_to_the_chronicle() -> None:
    why = Why("Why?", (Citation("AT-1"),), ("2 + 2 = 4",))
    turn = Document("", "en", (Section("Turn", (line("It rained.", why),)),))
    said = under(packed(played("atlantide", 5), turns=[turn]), "The last turns")
    assert "It rained." in said and "2 + 2" not in said
