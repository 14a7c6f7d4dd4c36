"""A turn of a battle planned in one go: played as planned, or asked where it comes otherwise."""

from __future__ import annotations

import re
from itertools import combinations
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.api.bots import Asked
from polemarque.bots.play import play_game
from polemarque.bots.registry import STEADY, bot
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.position import encode_position
from polemarque.kernel.records.record import Adjust, Answer, Withdraw, read_entry, write_entry
from polemarque.kernel.rehearsal import Likeliest, Planned, Rehearsal, moment, planned_by
from polemarque.kernel.request import Request
from polemarque.kernel.standing_orders import withdrawal
from polemarque.report.documents.writers import write
from polemarque.report.game_words import Words
from polemarque.report.order_forms.read_back import frames
from polemarque.report.order_forms.rest_of_turn import read_rest, rest_paper
from tests.contract.secrets import SECRETS

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
    options, runner = request.options(seat), game.runner.at(request.path)
    view = runner.system.view(runner.state, seat)
    return options.take(bot(STEADY, runner.system.name).choose(view, options, asked, Random(1)))


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
    foreseen = [step for step in rehearsal.answered if not step.premise]
    assert [(each.key, each.by) for each in given] == [(x.key, "standing") for x in foreseen]
    assert [each.value for each in given] == [step.planned.value for step in foreseen]


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


# What others may do -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "rule", "premise", "answer"),
    [
        ("thucidide", "TH-7/order", "attacked", "none"),
        ("promiterra", "PR-7.6/challenge", "challenged", "accept"),
    ],
)
def test_what_one_does_if_attacked_holds_in_the_enemys_turn_and_no_longer(
    system: str, rule: str, premise: str, answer: str
) -> None:
    for after in range(2, 9):
        game, seat = battle(system, RULES[system], after=after)
        turn, rehearsal = game.runner.period, planned(game, seat)
        reactions = [step for step in rehearsal.answered if step.premise]
        assert {step.premise for step in reactions} <= {premise}
        reacts = [replace(x, planned=replace(x.planned, value=answer))
                  for x in reactions if x.key.rule == rule]  # fmt: skip
        rehearsal.leave(game, reacts)
        assert [left.until for left in planned_by(game, seat)] == [turn + 1] * len(reacts)
        everybody = dict.fromkeys(game.header.seats, STEADY)
        play_game(game, everybody, stop=lambda g, end=turn + 1: g.runner.period > end)
        given = [each for each in game.effective if getattr(each, "by", "") == "standing"]
        if given:
            assert {(each.key.rule, each.key.seat, each.value) for each in given} == {
                (rule, seat, answer)
            }
            assert not planned_by(game, seat)
            return
    raise AssertionError("nobody was attacked")


# A campaign's battle ------------------------------------------------------------------------------

CAMPAIGNS: dict[str, dict[str, Any]] = {
    "atlantide": {"seats": 2, "seed": 1, "options": {"resolver": "thucidide"}},
    "mare_nostrum": {
        "seats": 4, "seed": 2, "options": {"resolver": "thucidide"},
        "setup": {"wars": list(combinations("ABCD", 2))},
    },
}  # fmt: skip


def fought(system: str) -> tuple[Game, str, str]:
    """A campaign in which a battle is fought; whom a turn of it asks first, and where it is."""
    header = new_header(system, **CAMPAIGNS[system])
    game = Game(header)

    def asks(game: Game) -> bool:
        within = [inner.period for _, inner in game.runner.branches]
        return any(within) and {each.rule for each in game.requests()} == {"TH-3.5"}

    play_game(game, dict.fromkeys(header.seats, STEADY), stop=asks)
    request = game.requests()[0]
    return game, request.missing[0], request.path


@pytest.mark.parametrize("system", CAMPAIGNS)
def test_a_turn_of_a_campaigns_battle_is_planned_for_that_battle_alone(system: str) -> None:
    game, seat, path = fought(system)
    strangers = {*game.header.seats} - {x.seat for x in game.runner.branches[0][0].sides}
    assert all(moment(game, stranger) is None for stranger in strangers)
    rehearsal = planned(game, seat)
    assert path and {step.key.path for step in rehearsal.answered} == {path}
    first, *ahead = rehearsal.answered
    game.answer(seat, first.planned.value, first.key)
    rehearsal.leave(game, ahead)
    left = planned_by(game, seat)
    assert left and {each.path for each in left} == {path}
    assert {read_entry(write_entry(each)) == each for each in left} == {True}
    turn, before = rehearsal.period, len(game.effective)
    play_game(
        game, dict.fromkeys(game.header.seats, STEADY),
        stop=lambda g: (inner := g.runner.at(path)) is None or inner.period > turn + 1,
    )  # fmt: skip
    own = [each for each in game.effective[before:] if getattr(each, "by", "") == "standing"]
    keys = [each.key for each in own]
    assert [key for key in keys if key.period == turn], "its first answers come as planned"
    assert all(key.path == path and key.period <= turn + 1 for key in keys)
    assert not planned_by(game, seat)
    again = replay(game.header, game.entries)
    assert again.digest == game.digest and again.standing_orders == game.standing_orders


def test_a_plan_of_one_battle_leaves_that_of_another_alone() -> None:
    game, seat, path = fought("atlantide")
    rehearsal = planned(game, seat)
    rehearsal.leave(game, rehearsal.answered)
    own = planned_by(game, seat)
    elsewhere = [replace(left, path=f"{path}x") for left in own]
    for left in elsewhere:
        game.enter(left)
    rehearsal.leave(game, rehearsal.answered)
    assert own and planned_by(game, seat) == own
    assert [left for left in game.standing_orders if left.path != path] == elsewhere
    for left in own:
        game.enter(withdrawal(left))
    assert game.standing_orders == elsewhere
    assert replay(game.header, game.entries).standing_orders == elsewhere
    game.enter(Withdraw(seat, own[0].rule, own[0].subject))  # as a record has it since ever
    assert game.standing_orders == [left for left in elsewhere if left.rule != own[0].rule]


def test_a_plan_of_a_battle_reads_no_secret_of_the_campaign() -> None:
    game, seat, _ = fought("atlantide")
    begin, rng = moment(game, seat), Random(3)
    assert begin is not None and begin.branches
    brief = begin.branches[0].brief
    assert not any(side.units or side.leaders for side in brief.sides) and not brief.facts
    true = game.state
    for _ in range(5):
        game.runner.state = SECRETS["atlantide"](true, seat, rng)
        other = moment(game, seat)
        assert other is not None and encode_position(other) == encode_position(begin)


def test_a_form_holds_the_questions_to_come_in_a_battle_for_that_battle_alone() -> None:
    game, seat, path = fought("atlantide")

    def words(_: str) -> Words:
        return Words(game.header, "en", state=game.state)

    paper = rest_paper(game, seat, words(""))
    assert paper is not None
    text = re.sub(r"(the rest as proposed.*?): ____", r"\1: yes", write(paper[0], "text"), count=1)
    given = {each.keys[seat]: each.absent(seat) for each in game.requests(seat)}
    (left,) = read_rest(game, seat, frames(text), given, words(""), words).ahead
    assert (left.rule, left.path, left.until) == ("TH-2.2", path, game.runner.at(path).period)
