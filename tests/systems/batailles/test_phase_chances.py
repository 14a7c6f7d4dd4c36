"""Chances beside the choice to fight on: those of a whole phase, as consult has them (BC-3.4)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.kernel.agenda import rules_of
from polemarque.kernel.game import Game, new_header
from polemarque.odds.beside_options import exact
from polemarque.odds.consult import consult_odds
from polemarque.report.game_words import Words
from polemarque.report.order_forms.typed_answers import fact_of
from polemarque.systems.batailles import SYSTEM
from polemarque.systems.batailles.after import next_told
from polemarque.systems.batailles.state import Battle

RULES = rules_of(SYSTEM.package, SYSTEM.edition)


def after_a_phase(**options: str) -> Game:
    game = Game(new_header("batailles", scenario="leuctra", seed=4, options=options))
    game.settle()
    while not game.requests() or game.requests()[0].rule != "BC-3.4":
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.absent(seat), request.keys[seat])
        game.settle()
    return game


def force(battle: Battle, code: Any) -> dict[str, int]:
    side = battle.force(code)
    assert not side.strategy and not side.blessing
    return {
        "pm": side.pm, "morale": side.morale, "command": side.command, "players": side.players
    }  # fmt: skip


def test_the_chances_of_the_next_phase_are_those_of_consult() -> None:
    battle = after_a_phase().state
    outcomes = consult_odds("BC-2.1", {"a": force(battle, "a"), "b": force(battle, "b")}).outcomes
    for code, foe in (("a", "b"), ("b", "a")):
        fact = next_told(battle, code)  # type: ignore[arg-type]
        assert fact is not None

        def asked(winner: str, *rows: str) -> Fraction:
            found = [each for each in outcomes if each.result["winner"] == winner]
            kept = [each for each in found if not rows or each.result["outcome"] in rows]
            return sum((Fraction(each.p) for each in kept), Fraction(0))

        told = {name: exact(figure, RULES) for name, figure in fact.data.items()}
        wanted = {"won": asked(code), "lost": asked(foe), "crushed": asked(foe, "crushing")}
        assert told == wanted
        assert told["crushed"] < told["lost"]


def test_nothing_is_said_where_more_is_still_to_be_chosen() -> None:
    battle = after_a_phase().state
    assert next_told(battle.with_side("b", battle.b.spending(bonus=-1)), "a") is None
    host = tuple([replace(unit, pm=9_000) for unit in battle.a.units])
    assert next_told(battle.changed("a", units=host), "a") is None
    assert next_told(after_a_phase(engage="chosen").state, "a") is None


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_it_stands_beside_fighting_on_and_nothing_else(lang: str) -> None:
    game = after_a_phase()
    (request,) = game.requests()
    words = Words(game.header, lang)
    words.turn_to(game, request.keys["A"])
    _, options = next(request.options("A").fill())  # type: ignore[union-attr]
    told = {word: fact_of(options, word, words) for word in options.words}
    assert "%" in told.pop("continue")
    assert not any(told.values())


def test_what_the_other_side_has_sealed_moves_no_chance() -> None:
    """The answer that waits is a secret until both are in (BC-3.4)."""
    said = []
    for choice in ({"choice": "withdraw"}, {"choice": "continue"}):
        game = after_a_phase()
        (request,) = game.requests()
        game.answer("B", choice, request.keys["B"])
        (request,) = game.requests()
        words = Words(game.header, "en")
        words.turn_to(game, request.keys["A"])
        _, options = next(request.options("A").fill())  # type: ignore[union-attr]
        said.append(fact_of(options, "continue", words))
    assert said[0] == said[1] != ""
