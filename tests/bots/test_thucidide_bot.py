"""The steady general of Thucidide: wins against chance, ends his battles, and reckons rightly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from polemarque.api.bots import Asked
from polemarque.bots.play import Chance, play_game
from polemarque.bots.registry import bot
from polemarque.bots.thucidide import evaluation
from polemarque.bots.thucidide.evaluation import Field, battle_of
from polemarque.bots.thucidide.threats import ADVANTAGE, PLAIN, harm, outlook_on
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import find_system
from polemarque.odds.consult import consult_odds
from polemarque.systems.thucidide import movement
from polemarque.systems.thucidide.state import Battle
from polemarque.systems.thucidide.views import view

SYSTEM = find_system("thucidide")
VARIANTS = [
    (choice.name, value) for choice in SYSTEM.options if not choice.number
    for value in choice.values[1:]
]  # fmt: skip


def game_of(scenario: str, seed: int, publish: Any = None, **options: Any) -> Game:
    header = new_header("thucidide", scenario=scenario, seed=seed, options=options)
    return Game(header, publish=publish)


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_ten_battles_against_chance_end(scenario: str) -> None:
    """Who wins is measured by `make bots`; here they only have to be played."""
    for seed in range(10):
        game = game_of(scenario, seed)
        bots = ("steady", "random") if seed % 2 else ("random", "steady")
        play_game(game, dict(zip(game.header.seats, bots, strict=True)))
        assert game.over


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: f"{variant[0]}={variant[1]}")
def test_he_answers_every_question_of_every_variant(variant: tuple[str, Any]) -> None:
    for scenario in ("crossing", "breakout"):
        game = game_of(scenario, 5, **{variant[0]: variant[1]})
        play_game(game, dict.fromkeys(game.header.seats, "steady"))
        assert game.over


@pytest.mark.parametrize("scenario", ["crossing", "breakout", "issus"])
def test_what_has_been_reckoned_before_changes_nothing(
    scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moves and outlooks are kept by all that they depend on: without that, the same battle."""

    def played() -> str:
        game = game_of(scenario, 4)
        play_game(game, dict.fromkeys(game.header.seats, "steady"))
        return game.digest

    kept = played()
    monkeypatch.setattr(movement, "_moves", movement._moves.__wrapped__)
    monkeypatch.setattr(evaluation, "outlook_on", outlook_on.__wrapped__)
    assert played() == kept


def test_battles_are_lively() -> None:
    told: Counter[str] = Counter()
    for scenario in ("ford", "clash", "magnesia"):
        game = game_of(
            scenario, 1, publish=lambda event: told.update([f"{event.rule}/{event.kind}"])
        )
        play_game(game, dict.fromkeys(game.header.seats, "steady"))
    wanted = ("TH-F6/destroyed", "TH-F6/retreats", "TH-F4/ignored", "TH-F7/follows",
              "TH-6.1/allant", "TH-7.3/defense")  # fmt: skip
    assert all(told[kind] for kind in wanted), told


# What he reckons with ----------------------------------------------------------------------------


@pytest.mark.parametrize("dice", [1, 3, 5])
@pytest.mark.parametrize("supported", [False, True])
def test_the_law_of_a_throw_is_the_rules_own(dice: int, supported: bool) -> None:
    inputs = {"count": dice, "target": "infantry", "kind": "melee", "supported": supported,
              "berserks": False}  # fmt: skip
    outcomes = consult_odds("TH-F2", inputs).outcomes
    hits = sum([Fraction(each.p) * each.result["hits"] for each in outcomes])
    assert harm(dice, ADVANTAGE if supported else PLAIN, 99, 0).lost == pytest.approx(float(hits))


def test_harm_is_capped_and_adds_up() -> None:
    sure = harm(0, PLAIN, 3, 0)
    assert (sure.lost, sure.killed, sure.pushed, sure.kept) == (0, 0, 0, 0)
    one = harm(1, PLAIN, 1, 0)
    assert (one.lost, one.killed) == pytest.approx((1 / 6, 1 / 6))
    assert (one.pushed, one.kept) == pytest.approx((1 / 6, 1 / 6))
    assert harm(6, ADVANTAGE, 2, 1).lost < 2
    assert harm(4, PLAIN, 3, 9).pushed == 0


def field(scenario: str, seat: str = "A", **cells: str) -> Field:
    """A scenario's first moment, with some units elsewhere."""
    battle: Battle = game_of(scenario, 1).state
    for code, cell in cells.items():
        battle = battle.unit(code, cell=cell)
    return Field(battle, seat)


def test_a_view_is_the_battle() -> None:
    battle = game_of("cannae", 3).state
    again = battle_of(view(battle, "A"))
    assert msgspec.to_builtins(again) == msgspec.to_builtins(battle)


def test_support_and_terrain_count_in_an_attack() -> None:
    alone = field("crossing", A1="e6", B1="e7", A2="a1", A3="a2")
    helped = field("crossing", A1="e6", B1="e7", A2="d6", A3="f6")
    for seen, supported in ((alone, False), (helped, True)):
        assert seen.supported(seen.battle.units["A1"]) == supported
    promise = [
        seen.strike(seen.battle.units["A1"], "e6", seen.battle.units["B1"], "melee")
        for seen in (alone, helped)
    ]
    assert promise[0] < promise[1]
    seen = field("crossing", B1="e6")
    hoplites, foe = seen.battle.units["A1"], seen.battle.units["B1"]
    assert seen.dice(hoplites, "e5", foe, "melee") < seen.dice(hoplites, "e7", foe, "melee")


def test_danger_is_where_the_enemy_can_strike() -> None:
    seen = field("crossing")
    unit = seen.battle.units["A1"]
    assert seen.danger(unit, "a1", 0) < seen.danger(unit, "f6", 0)


def test_an_officer_gives_himself_only_for_a_whole_unit() -> None:
    told: list[Event] = []
    for seed in range(6):
        game = game_of("clash", seed, publish=told.append)
        play_game(game, dict.fromkeys(game.header.seats, "steady"))
    commits = [event for event in told if (event.rule, event.kind) == ("TH-8.2", "commits")]
    assert commits
    assert all(event.data["effect"] == "spare" for event in commits)
    assert len(commits) < len([event for event in told if event.kind == "destroyed"])


def test_the_same_battle_gives_the_same_answer() -> None:
    game = game_of("ford", 2)
    play_game(game, {"A": "steady", "B": "steady"}, stop=lambda g: g.state.turn == 4)
    (request,) = game.requests()
    (seat,) = request.missing
    key, options = request.keys[seat], request.options(seat)
    asked = Asked(key, lambda: request.absent(seat))
    steady, chance = bot("steady", "thucidide"), Chance(1)
    answers = [
        steady.choose(view(game.state, seat), options, asked, chance.of(key)) for _ in range(2)
    ]
    assert answers[0] == answers[1] == options.take(answers[0])
