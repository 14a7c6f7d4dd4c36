"""A turn of a battle planned in one go: played as planned, or asked where it comes otherwise."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from polemarque.api.bots import Asked
from polemarque.bots.play import play_game
from polemarque.bots.registry import STEADY, bot
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Adjust, Answer
from polemarque.kernel.rehearsal import Likeliest, Planned, Rehearsal, moment
from polemarque.kernel.request import Request

BATTLES: dict[str, dict[str, Any]] = {
    "thucidide": {"scenario": "tutorial"},
    "promiterra": {"scenario": "skirmish"},
    "batailles": {"scenario": "cannae", "options": {"engage": "chosen"}},
}


def battle(system: str, rule: str, *, after: int = 3) -> tuple[Game, str]:
    """A battle of some turns that asks a seat by that rule next; dice fall the likeliest way."""
    header = new_header(system, dice="free", **BATTLES[system])
    game = Game(header, Likeliest())

    def asks(game: Game) -> bool:
        return game.runner.period > after and any(each.rule == rule for each in game.requests())

    play_game(game, dict.fromkeys(header.seats, STEADY), stop=asks)
    return game, game.requests()[0].missing[0]


def says(game: Game, request: Request, seat: str) -> Any:
    """What a steady player answers."""
    asked = Asked(request.keys[seat], lambda: request.absent(seat))
    options = request.options(seat)
    player = bot(STEADY, game.system.name)
    return options.take(player.choose(game.view(seat), options, asked, Random(1)))


def planned(game: Game, seat: str, **more: Any) -> Rehearsal:
    """The rest of the turn as that player plans it.   more: of each answer."""
    begin, plan = moment(game, seat), list[Planned]()
    assert begin is not None
    while True:
        rehearsal = Rehearsal(game, seat, begin, plan)
        step, request = rehearsal.open, rehearsal.request
        if step is None or request is None:
            assert not rehearsal.broken
            return rehearsal
        plan.append(Planned(step.key, says(rehearsal.game, request, seat), step.premise, **more))


def play_turn(game: Game, seat: str) -> list[Answer]:
    """Let the others be absent to the end of the turn, or until the seat is asked; what it gave."""
    turn, before = game.runner.period, len(game.effective)
    game.settle()
    while game.runner.period == turn and not game.over and not game.requests(seat):
        game.absent(game.requests()[0].missing[0])
        game.settle()
    given = [each for each in game.effective[before:] if isinstance(each, Answer)]
    return [each for each in given if each.key.seat == seat]


RULES = {"thucidide": "TH-2.2", "promiterra": "PR-3.3", "batailles": "BC-2.8/engage"}


@pytest.mark.parametrize("system", BATTLES)
def test_a_planned_turn_of_a_battle_is_played_as_planned(system: str) -> None:
    game, seat = battle(system, RULES[system])
    turn, rehearsal = game.runner.period, planned(game, seat)
    assert len(rehearsal.answered) > (system != "promiterra")
    rehearsal.leave(game, rehearsal.answered)
    given = play_turn(game, seat)
    assert game.runner.period > turn
    assert [(each.key, each.by) for each in given] == [
        (step.key, "standing") for step in rehearsal.answered
    ]
    assert [each.value for each in given] == [step.planned.value for step in rehearsal.answered]


@pytest.mark.parametrize(
    ("system", "when", "blow", "left"),
    [
        ("thucidide", "unit", "unit.{seat}1.elements", 1),
        ("promiterra", "army", "units.{seat}1", 1),
        ("batailles", "lead", "b.pm", 60),
    ],
)
@pytest.mark.parametrize("tied", [True, False])
def test_a_condition_that_fails_asks_the_seat(
    system: str, when: str, blow: str, left: int, tied: bool
) -> None:
    game, seat = battle(system, RULES[system])
    rehearsal = planned(game, seat, when=(when,) if tied else ())
    rehearsal.leave(game, rehearsal.answered)
    game.enter(Adjust(blow.format(seat=seat), left, "a thunderbolt"))
    given = play_turn(game, seat)
    assert bool(given) != tied and (not tied or game.requests(seat))


def test_a_march_of_a_unit_that_is_gone_is_asked_again() -> None:
    game, seat = battle("thucidide", "TH-F8")
    rehearsal = planned(game, seat)
    marches = rehearsal.answered[0].planned.value["who"]
    rehearsal.leave(game, rehearsal.answered)
    game.enter(Adjust(f"unit.{marches}.elements", 0, "struck by lightning"))
    assert play_turn(game, seat) == [] and game.requests(seat)[0].rule == "TH-F8"


def test_orders_to_a_troop_that_has_fled_are_asked_again() -> None:
    game, seat = battle("promiterra", "PR-3.3")
    rehearsal = planned(game, seat)
    rehearsal.leave(game, rehearsal.answered)
    lost = next(part for part in rehearsal.answered[0].planned.value if part.startswith("act."))
    game.enter(Adjust(f"fate.{lost.partition('.')[2]}", "fled", "panic"))
    assert play_turn(game, seat) == [] and game.requests(seat)[0].rule == "PR-3.3"


def test_more_than_a_side_has_left_is_asked_again() -> None:
    game, seat = battle("batailles", "BC-2.8/engage")
    rehearsal = planned(game, seat)
    rehearsal.leave(game, rehearsal.answered)
    code = game.state.code_of(seat)
    game.enter(Adjust(f"{code}.pm", rehearsal.answered[0].planned.value - 1, "a plague"))
    assert play_turn(game, seat) == [] and game.requests(seat)[0].rule == "BC-2.8/engage"
