"""The steady governor of Mare Nostrum: legal under every variant, sensible, better than chance."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from polemarque.bots.mare_nostrum.economy import Market, spare
from polemarque.bots.mare_nostrum.evaluation import Outlook, duels
from polemarque.bots.mare_nostrum.orders import MarchPlan
from polemarque.bots.play import play_game
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import find_system
from polemarque.systems.mare_nostrum.setup.options import ways
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.views import view


def campaign(scenario: str, seed: int, count: Counter[str] | None = None, **options: Any) -> Game:
    """A new campaign; `count` is told how often each thing happens."""

    def publish(event: Event) -> None:
        if count is not None:
            count[f"{event.rule}/{event.kind}"] += 1

    header = new_header("mare_nostrum", scenario=scenario, seed=seed, options=options)
    return Game(header, publish=publish)


def begun(**setup: Any) -> Campaign:
    """A campaign of two seats as it begins, with what is given: Rome is A, Carthage B."""
    header = new_header("mare_nostrum", scenario="duel", seed=1, setup=setup)
    state = Game(header).state
    assert isinstance(state, Campaign)
    return state


def seen(state: Campaign, seat: str = "A") -> Outlook:
    """How a seat looks at it."""
    return Outlook(view(state, seat))


# Whole campaigns ---------------------------------------------------------------------------------


def test_steady_beats_random_in_a_large_majority_of_campaigns() -> None:
    won = 0
    for seed in range(12):
        game = campaign("mare_nostrum", seed, years=4)
        codes = game.header.seats
        steady = codes[seed % len(codes)]
        play_game(game, {code: "steady" if code == steady else "random" for code in codes})
        assert game.over
        won += game.state.winners == (steady,)
    assert won >= 11


@pytest.mark.slow
def test_campaigns_of_steady_governors_tell_a_story() -> None:
    for seed in range(2):
        count: Counter[str] = Counter()
        game = campaign("mare_nostrum", seed, count)
        play_game(game, dict.fromkeys(game.header.seats, "steady"))
        assert game.over
        assert game.state.turn >= 20
        assert count["MN-B.1/won"] >= 20
        assert count["MN-5.2/taken"] >= 40
        assert count["MN-6.2/taken"] >= 20
        assert count["MN-6.3/siege"]
        assert count["MN-F3/opened"] >= 100
        assert count["MN-F7/falls"] == 0
        assert count["MN-F4/army_disbanded"] <= 5
        held = [len(game.state.lands_of(code)) for code in game.header.seats]
        assert max(held) >= 12


VARIANTS = [
    (choice.name, value)
    for choice in find_system("mare_nostrum").options
    for value in choice.values
    if not choice.number and value not in ways()
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: f"{variant[0]}={variant[1]}")
def test_it_answers_every_question_of_every_variant(variant: tuple[str, Any]) -> None:
    for seed, scenario in enumerate(("duel", "quartet")):
        game = campaign(scenario, seed, years=2, **{variant[0]: variant[1]})
        codes = game.header.seats
        play_game(game, {code: "random" if code == "B" else "steady" for code in codes})
        assert game.over


@pytest.mark.parametrize("resolver", ways())
def test_battles_inside_are_fought_by_the_bots_of_their_own_system(resolver: str) -> None:
    count: Counter[str] = Counter()
    game = campaign("quartet", 4, count, years=1, resolver=resolver)
    play_game(game, dict.fromkeys(game.header.seats, "steady"))
    assert game.over


# What it reckons with ----------------------------------------------------------------------------


def test_the_odds_of_a_row_of_duels() -> None:
    assert duels(1, 1) == pytest.approx(0.5)
    assert duels(2, 1) == pytest.approx(0.75)
    assert duels(2, 1) + duels(1, 2) == pytest.approx(1)
    assert duels(0, 1) == 0


def test_the_odds_of_an_invasion_are_the_book_s() -> None:
    outlook = seen(begun())
    army = outlook.armies[0]
    assert outlook.success(army, "picenum") == pytest.approx(0.7)  # 6 people: 4, on a D10
    assert outlook.success(army, "etruria") == pytest.approx(0.6)  # 11: 5


def test_an_army_at_home_sets_out_and_a_threatened_capital_keeps_it() -> None:
    outlook = seen(begun())
    assert set(MarchPlan(outlook).moves.values()) <= set(outlook.targets)
    assert MarchPlan(outlook).moves
    threatened = begun(armies={"A1": {"place": "latium"}, "B1": {"place": "campania"}})
    orders = MarchPlan(seen(threatened))
    assert "A1" not in orders.moves or orders.moves["A1"] == "campania"


def test_a_besieged_province_is_relieved() -> None:
    state = begun(
        lands={"campania": {"owner": "A", "siege": {"by": "B", "begun": 1}}},
        armies={"A1": {"place": "latium"}, "B1": {"place": "campania"}},
        wars=[["A", "B"]],
    )
    assert MarchPlan(seen(state)).moves == {"A1": "campania"}


def test_a_besieger_stays() -> None:
    state = begun(
        lands={"africa": {"siege": {"by": "A", "begun": 1}}},
        armies={"A1": {"place": "africa"}, "B1": {"place": "emporia"}},
        wars=[["A", "B"]],
    )
    assert MarchPlan(seen(state)).moves == {}


def test_no_army_goes_where_it_cannot_be_paid() -> None:
    state = begun()
    assert MarchPlan(seen(state)).moves
    assert MarchPlan(seen(state.changed("A", treasury=0))).moves == {}


def test_two_caravans_do_not_seek_the_same_route() -> None:
    cargoes = Market(seen(begun(players={"A": {"treasury": 500}}))).cargoes(4)
    assert len(cargoes) == 4


def test_a_treasury_that_wins_the_year_is_kept() -> None:
    rich = begun(turn=8, players={"A": {"treasury": 400}})
    assert seen(rich).near_victory
    assert spare(seen(rich)) == 0
    assert seen(rich, "B").near_defeat
    early = begun(turn=4, players={"A": {"treasury": 400}})
    assert not seen(early).near_victory
    assert spare(seen(early)) > 0
