"""The steady marshal of Promiterra: wins against chance, ends his wars, and reckons rightly."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.api.bots import Asked
from polemarque.bots.play import Chance, play_game
from polemarque.bots.promiterra.bot import best_duel, served
from polemarque.bots.promiterra.evaluation import AttackPlan, Outlook, blow, duel_won, failing
from polemarque.bots.registry import bot
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import Key, Options
from polemarque.kernel.system import find_system
from polemarque.systems.promiterra.state import War
from polemarque.systems.promiterra.stats import Change
from polemarque.systems.promiterra.views import view
from tests.systems.promiterra import wars

SYSTEM = find_system("promiterra")
VARIANTS = [
    (choice.name, value)
    for choice in SYSTEM.options
    if not choice.number and choice.name != "grid"
    for value in choice.values[1:]
]


def game_of(scenario: str, seed: int, **options: Any) -> Game:
    return Game(new_header("promiterra", scenario=scenario, seed=seed, options=options))


@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_ten_wars_against_chance_end(scenario: str) -> None:
    """Who wins is measured by `make bots`; here they only have to be played."""
    for seed in range(10):
        game = game_of(scenario, seed)
        side = sorted({army.alliance for army in game.state.armies.values()})[seed % 2]
        play_game(game, {
            seat: "steady" if game.state.alliance_of(seat) == side else "random"
            for seat in game.header.seats
        })  # fmt: skip
        assert game.over


@pytest.mark.parametrize("scenario", SYSTEM.scenarios)
def test_wars_of_marshals_end_without_a_turn_limit(scenario: str) -> None:
    for seed in range(3):
        game = game_of(scenario, seed)
        play_game(game, dict.fromkeys(game.header.seats, "steady"))
        assert game.over
        assert game.state.ending.cause == "alone"


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: f"{variant[0]}={variant[1]}")
def test_he_answers_every_question_of_every_variant(variant: tuple[str, Any]) -> None:
    for scenario in ("skirmish", "coalition"):
        game = game_of(scenario, 5, turn_limit=6, **{variant[0]: variant[1]})
        play_game(game, dict.fromkeys(game.header.seats, "steady"))
        assert game.over


# What he reckons with ----------------------------------------------------------------------------


def test_blows_follow_the_books_own_example_on_average() -> None:
    assert blow(10, 2, 3, 0) == pytest.approx(10 * 2 / 6 * 3 / 6)
    assert blow(60, 4, 4, 3) == pytest.approx(60 * 4 / 6 * 2 / 6 * 3 / 6)
    assert blow(5, 0, 3, 0) == 0


def test_chances_of_loyalty_and_duels_are_exact() -> None:
    assert failing(2) == pytest.approx(35 / 36)
    assert failing(7) == pytest.approx(15 / 36)
    assert failing(11) == pytest.approx(1 / 36)
    assert duel_won(0) == pytest.approx(1 / 2)
    assert duel_won(6) == 1
    assert duel_won(2) == pytest.approx(1 - duel_won(-2))


def field(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> War:
    return wars.war_of(wars.setup(ours, theirs))


def outlook(war: War, seat: str = "A") -> Outlook:
    return Outlook(view(war, seat))


def test_an_attack_is_worth_more_together_and_from_afar() -> None:
    war = field(
        [wars.troop("light", 40, "Un", "d4"), wars.troop("bows", 30, "Deux", "d2")],
        [wars.troop("light", 40, "Trois", "d5")],
    )
    seen = outlook(war)
    foot, bows = seen.mine
    (enemy,) = seen.enemies
    alone, helped = AttackPlan(), AttackPlan()
    helped.add(enemy.troop.id, 0, melee=True)
    assert seen.attack(foot, "d4", enemy, helped) > seen.attack(foot, "d4", enemy, alone)
    assert not seen.answered(bows, "d2", enemy)
    assert seen.attack(bows, "d2", enemy, alone) > 0
    assert seen.danger(foot, "d4", alone) > seen.danger(foot, "a1", alone)


def test_a_commander_is_worth_more_than_his_troop() -> None:
    war = field(
        [wars.troop("light", 20, "Un", "a1"), wars.troop("light", 20, "Deux", "b1")],
        [wars.troop("light", 20, "Trois", "d8")],
    )
    seen = outlook(war)
    head, other = seen.mine
    assert seen.worth(head, 20, 20) > seen.worth(other, 20, 20)
    assert seen.worth(other, 30, 20) == seen.worth(other, 20, 20)
    assert not best_duel(seen, head, ())


def test_fear_is_avoided_and_loyalty_given_where_it_is_tested() -> None:
    war = field(
        [wars.troop("light", 20, "Un", "d4"), wars.troop("light", 20, "Deux", "a1")],
        [wars.troop("beast", 9, "Trois", "d5"), wars.troop("light", 20, "Quatre", "h8")],
    )
    seen = outlook(war)
    near, far = seen.mine
    assert seen.dread(near, "d4", AttackPlan()) > 0 == seen.dread(near, "a2", AttackPlan())
    assert (seen.tests(near), seen.tests(far)) == (1, 0)
    assert served(seen, near, Change(loyalty=2)) > 0 == served(seen, far, Change(loyalty=2))


def test_the_same_war_gives_the_same_declaration() -> None:
    game = game_of("skirmish", 2)
    play_game(game, dict.fromkeys(game.header.seats, "steady"), stop=lambda g: g.state.turn == 4)
    (request,) = game.requests()
    (seat,) = request.missing
    options: Options = request.options(seat)
    key: Key = request.keys[seat]
    asked = Asked(key, (), lambda: request.absent(seat))
    steady, chance = bot("steady", "promiterra"), Chance(1)
    answers = [
        steady.choose(view(game.state, seat), options, asked, chance.of(key)) for _ in range(2)
    ]
    assert answers[0] == answers[1] == options.take(answers[0])
