"""A turn planned in one go: what is kept, when it answers, and when the seat is asked after all."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.kernel import rehearsal
from polemarque.kernel.dice import D6, Roll, at_most, total
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.records.record import (
    Adjust,
    Answer,
    Leave,
    Withdraw,
    read_entry,
    write_entry,
)
from polemarque.kernel.rehearsal import Likeliest, Planned, Rehearsal, moment
from polemarque.kernel.request import Key
from tests.kernel.toy import TOY

SPENDS = {"wine": 0, "bread": 2, "friends": (), "way": ("ford",)}


def toy_game() -> Game:
    game = Game(new_header(TOY.name, scenario="ford", seed=1))
    game.settle()
    return game


def planned(game: Game, seat: str, *answers: Any, **more: Any) -> Rehearsal:
    """A plan of so many answers, each in its turn.   more: what all of them have."""
    begin = moment(game, seat)
    assert begin is not None
    plan: list[Planned] = []
    for value in answers:
        step = Rehearsal(game, seat, begin, plan).open
        assert step is not None
        plan.append(Planned(step.key, value, **more))
    return Rehearsal(game, seat, begin, plan)


def leave(game: Game, rehearsal: Rehearsal) -> None:
    assert rehearsal.open is None
    for left in [step.leave() for step in rehearsal.answered]:
        game.enter(left)
    game.settle()


def by_of(game: Game, seat: str) -> list[tuple[str, Any, str]]:
    return [
        (e.key.rule, e.value, e.by)
        for e in game.effective
        if isinstance(e, Answer) and e.key.seat == seat
    ]


def test_a_planned_turn_needs_no_second_visit() -> None:
    game = toy_game()
    rehearsal = planned(game, "A", "wait", SPENDS)
    assert [step.key.rule for step in rehearsal.steps] == ["TOY-1", "TOY-4"]
    leave(game, rehearsal)
    game.answer("B", "wait")
    game.answer("C", "duel")
    game.settle()
    while game.runner.period == 1:
        assert not game.requests("A"), "all that A is asked was planned"
        game.absent(game.requests()[0].missing[0])
        game.settle()
    assert by_of(game, "A") == [("TOY-1", "wait", "standing"), ("TOY-4", SPENDS, "standing")]
    assert game.state.gold["A"] == 8 and game.state.place["A"] == "ford"
    assert game.requests("A"), "a plan ends with its turn"
    again = replay(game.header, game.entries)
    assert again.digest == game.digest and again.standing_orders == game.standing_orders


@pytest.mark.parametrize(
    ("otherwise", "answered"),
    [("", []), ("absent", [("TOY-4", {**SPENDS, "bread": 0, "way": ()}, "standing")])],
)
def test_where_a_condition_fails_the_seat_is_asked_or_the_rules_answer(
    otherwise: Any, answered: list[Any]
) -> None:
    game = toy_game()
    rehearsal = planned(game, "A", "wait", SPENDS, when=("purse",), otherwise=otherwise)
    game.enter(Adjust("gold.A", 9, "a thief"))
    game.answer("A", "wait")
    leave(game, rehearsal)
    for seat in ("B", "C"):
        game.answer(seat, "wait")
    game.settle()
    assert by_of(game, "A")[1:] == answered
    assert bool(game.requests("A")) == (not answered)


def test_a_condition_that_holds_lets_the_answer_through() -> None:
    game = toy_game()
    leave(game, planned(game, "A", "wait", SPENDS, when=("purse",)))
    for seat in ("B", "C"):
        game.answer(seat, "wait")
    game.settle()
    assert by_of(game, "A")[1:] == [("TOY-4", SPENDS, "standing")]


@pytest.mark.parametrize(
    ("planned_sheet", "said"),
    [
        ({**SPENDS, "song": "io"}, SPENDS),
        ({k: v for k, v in SPENDS.items() if k != "bread"}, {**SPENDS, "bread": 0}),
        ({k: v for k, v in {**SPENDS, "song": "io"}.items() if k != "way"}, None),
    ],
)
def test_a_sheet_may_have_a_part_more_or_less_than_was_foreseen_but_not_both(
    planned_sheet: Any, said: Any
) -> None:
    game = toy_game()
    game.enter(Leave("A", "TOY-4", planned_sheet, "*", 1, number=1))
    for seat in ("A", "B", "C"):
        game.answer(seat, "wait")
    game.settle()
    assert [value for rule, value, _ in by_of(game, "A") if rule == "TOY-4"] == [said] * bool(said)


def test_what_no_longer_fits_a_plan_is_asked_again() -> None:
    game = toy_game()
    begin = moment(game, "A")
    assert begin is not None
    steps = planned(game, "A", "wait", SPENDS).steps
    first, second = [step.planned for step in steps]
    assert first is not None and second is not None
    other = Rehearsal(game, "A", begin, [Planned(first.key, "duel"), second])
    assert [step.key.rule for step in other.steps] == ["TOY-1"], "who duels does not wait"
    bad = Rehearsal(game, "A", begin, [first, Planned(second.key, {**SPENDS, "bread": 99})])
    assert bad.open is not None and bad.open.key == second.key


def test_a_rehearsal_knows_what_its_seat_has_sealed_and_nothing_of_the_others() -> None:
    game = toy_game()
    game.answer("B", "duel")
    unseen = moment(game, "A")
    game.answer("B", "storm")
    assert unseen is not None and moment(game, "A") == unseen
    game.answer("A", "wait")
    rehearsal = planned(game, "A", SPENDS)
    assert [step.key.rule for step in rehearsal.answered] == ["TOY-4"]


def test_an_answer_is_kept_for_one_question_of_a_name_and_revoked_alone_or_with_all() -> None:
    game = toy_game()
    for number, value in ((1, "wait"), (2, "storm"), (3, "duel"), (0, "wait")):
        game.enter(Leave("A", "TOY-1", value, "*", 1, number=number))
    for number, left in ((3, [1, 2, 0]), (0, [1, 2])):
        game.enter(Withdraw("A", "TOY-1", number=number))
        assert [each.number for each in game.standing_orders] == left
        with pytest.raises(NotUnderstood):
            game.enter(Withdraw("A", "TOY-1", number=number))
    game.settle()
    assert by_of(game, "A") == [("TOY-1", "wait", "standing")]
    game.enter(Withdraw("A", "TOY-1"))
    assert not game.standing_orders


def test_a_plan_of_more_answers_than_it_holds_says_that_it_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = toy_game()
    whole = planned(game, "A", "wait", SPENDS)
    assert not whole.full and len(whole.steps) == 2
    begin = moment(game, "A")
    assert begin is not None
    given = [step.planned for step in whole.steps if step.planned]
    stale = [Planned(Key(1, "", "TOY-9", "A", "", n), "wait") for n in range(1, 100)]
    again = Rehearsal(game, "A", begin, [*stale, *given])
    assert again.steps == whole.steps, "what no longer fits takes nobody's place"
    monkeypatch.setattr(rehearsal, "MOST_ANSWERS", 1)
    short = Rehearsal(game, "A", begin, given)
    assert short.full and short.open is None and len(short.steps) == 1


def test_a_planned_answer_is_read_as_it_was_written_and_an_older_one_is_written_as_before() -> None:
    left = Leave("A", "TOY-4", SPENDS, "", 1, number=1, when={"purse": ("a", 10)})
    assert read_entry(write_entry(left)) == left
    assert write_entry(Leave("A", "TOY-1", "wait")) == (
        b'{"type":"leave","seat":"A","rule":"TOY-1","value":"wait"}'
    )
    assert write_entry(Withdraw("A", "TOY-1")) == b'{"type":"withdraw","seat":"A","rule":"TOY-1"}'
    revoked = Withdraw("A", "TOY-1", number=0)
    assert read_entry(write_entry(revoked)) == revoked


def test_dice_fall_the_likeliest_way_and_differently_when_they_are_repeated() -> None:
    source, key = Likeliest(), Key(1, "", "TOY-2", "dice", "storm")
    for count, sum_of in ((1, 4), (2, 7), (4, 14), (6, 21)):
        fell = source.throw(Roll(count, D6, total, "storm"), key)
        assert total.of(fell) == sum_of
    assert at_most(2).of(source.throw(Roll(6, D6, at_most(2), "storm"), key)) == 2
    again = Key(1, "", "TOY-2", "dice", "storm", 2)
    roll = Roll(6, D6, total, "storm")
    assert source.throw(roll, again) == source.throw(roll, again) != source.throw(roll, key)
    assert Likeliest(1).throw(roll, key) != Likeliest(2).throw(roll, key)


def test_nothing_is_planned_where_nothing_is_supposed() -> None:
    game = Game(new_header("duel"))
    assert moment(game, "a") is None
    assert moment(toy_game(), "Z") is None
