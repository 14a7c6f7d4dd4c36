"""Umpire's acts inside an open live battle: replace, annul, adjust, declare."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from polemarque.kernel import battle_brief
from polemarque.kernel.acts import enact
from polemarque.kernel.battle_brief import Loss, Report
from polemarque.kernel.errors import KernelFault, NotAllowed, OutOfDate
from polemarque.kernel.events import Event, EventLog
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.position import encode_position
from polemarque.kernel.records.record import Adjust, Answer, Replace, read_record, write_record
from tests.kernel import toy

assert toy.DUEL


def two_duels() -> tuple[Game, EventLog]:
    """Four captains, two duels open side by side."""
    told = EventLog()
    game = Game(new_header("toy", seats=4, seed=5), publish=told.append, withdraw=told.withdraw)
    for seat in "ABCD":
        game.answer(seat, "duel")
    assert {r.path for r in game.requests()} == {"1-d1", "1-d2"}
    return game, told


def holds(game: Game, told: EventLog) -> None:
    """The record, read again, leads to the very same game and tells the same."""
    record = read_record(write_record(game.header, game.entries))
    again = EventLog()
    twin = replay(record.header, record.entries, publish=again.append, withdraw=again.withdraw)
    assert encode_position(twin.position) == encode_position(game.position)
    assert twin.digest == game.digest and again == told
    straight: list[Event] = []
    replay(game.header, game.effective, publish=straight.append)
    assert straight == told


def fight(game: Game) -> None:
    """Both duels to their end."""
    while game.runner.branches:
        for request in game.requests():
            game.answer(request.missing[0], "low", request.keys[request.missing[0]])
            break
        game.settle()


def guards(game: Game, path: str) -> list[Answer]:
    return [e for e in game.effective if isinstance(e, Answer)
            and e.key.path == path and e.key.rule == "DUEL-1" and e.key.seat != "dice"]  # fmt: skip


def test_a_winner_is_declared_in_one_battle_while_the_other_goes_on() -> None:
    game, told = two_duels()
    game.enter(Adjust("winner", "B", "A has left the club", path="1-d1"))
    assert {r.path for r in game.requests()} == {"1-d2"}
    holds(game, told)
    game.enter(Adjust("winner", "C", "D too", path="1-d2"))
    assert not game.runner.branches and game.state.gold == {"A": 9, "B": 11, "C": 11, "D": 9}
    assert [e.data["winner"] for e in told if e.kind == "duel"] == ["B", "C"]
    holds(game, told)


def test_an_act_in_a_battle_is_checked_by_the_battles_own_system() -> None:
    game, _ = two_duels()
    before, count = encode_position(game.position), len(game.entries)
    with pytest.raises(NotAllowed, match="unsound"):
        game.enter(Adjust("winner", "C", "of another duel", path="1-d1"))
    with pytest.raises(OutOfDate, match="no_battle") as refused:
        game.enter(Adjust("winner", "A", "which one?", path="1-d3"))
    assert refused.value.legal == ("1-d1", "1-d2")
    with pytest.raises(OutOfDate, match="not_between_items"):
        game.enter(Adjust("gold.A", 50, "the campaign waits for its battles"))
    game.answer("A", "high")
    with pytest.raises(OutOfDate, match="not_between_items"):
        game.enter(Adjust("winner", "A", "a guard is sealed", path="1-d1"))
    game.undo("A")
    assert encode_position(game.position) == before and len(game.entries) == count + 2


def test_an_adjustment_begins_the_open_question_anew_on_the_new_state() -> None:
    game, told = two_duels()
    game.enter(Adjust("bout", 3, "two bouts were fought by hand", path="1-d2"))
    (asked,) = [r for r in game.requests() if r.path == "1-d2"]
    assert asked.keys["C"].period == 3
    assert game.entries[-1].at.path == "1-d2"
    holds(game, told)


def test_a_sealed_answer_is_annulled_and_then_a_result_declared() -> None:
    game, told = two_duels()
    game.answer("A", "high")
    game.answer("C", "high")
    sealed = guards(game, "1-d1")[0]
    game.enter(Replace(sealed.key, "he has gone home", annul=True))
    assert "A" in next(r for r in game.requests() if r.path == "1-d1").missing
    assert game.requests("C") == [], "the other duel keeps its sealed guard"
    game.enter(Adjust("winner", "B", "by default", path="1-d1"))
    holds(game, told)


def test_an_answer_in_a_battle_is_replaced_and_the_battle_runs_anew_from_there() -> None:
    game, told = two_duels()
    game.answer("A", "low")
    game.answer("B", "low")
    game.settle()
    first = guards(game, "1-d1")[0]
    game.enter(Replace(first.key, "he meant high", value="high"))
    game.settle()
    assert guards(game, "1-d1")[0].by == "umpire"
    holds(game, told)
    fight(game)
    holds(game, told)


def test_a_correction_before_the_battle_keeps_what_was_done_in_it() -> None:
    game, told = two_duels()
    game.enter(Adjust("winner", "B", "by default", path="1-d1"))
    game.answer("C", "high")
    intent = game.effective[0]
    assert isinstance(intent, Answer)
    game.enter(Replace(intent.key, "said again", value="duel"))
    assert {r.path for r in game.requests()} == {"1-d2"} and not game.left_over
    game.answer("D", "low")
    game.settle()
    fight(game)
    assert game.state.gold["B"] == 11
    holds(game, told)


def test_an_act_in_a_battle_that_is_never_fought_is_listed_as_left_over() -> None:
    game, told = two_duels()
    act = Adjust("winner", "B", "by default", path="1-d1")
    game.enter(act)
    for seat in "AB":
        intent = next(e for e in game.effective if isinstance(e, Answer) and e.key.seat == seat)
        game.enter(Replace(intent.key, "he stormed", value="storm"))
    while game.state.day == 1 and not game.over:
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.absent(seat), request.keys[seat])
        game.settle()
    assert [e.reason for e in game.left_over if isinstance(e, Adjust)] == ["by default"]
    holds(game, told)


def test_an_act_in_a_battle_is_previewed_in_the_battles_own_view() -> None:
    game, _ = two_duels()
    twin = replay(game.header, game.entries)
    seen = enact(twin, Adjust("bout", 2, "one was fought", path="1-d1")).changes
    for seat in "AB":
        changed: list[Any] = [(d.path, d.place, d.before, d.after) for d in seen[seat]]
        assert changed == [("1-d1", "bout", 1, 2)]
    assert seen["C"] == seen["D"] == []
    assert not [e for e in game.entries if isinstance(e, Adjust)]


def test_a_report_that_is_refused_after_an_act_is_a_fault_and_no_refusal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A refusal says that nothing has changed; the act stands in the record by then."""
    strange = msgspec.structs.replace(
        battle_brief.resolver("toy_duel"),
        report=lambda brief, state: Report("", 0, (Loss("A.nobody", 1),)),
    )
    monkeypatch.setitem(battle_brief._RESOLVERS, "toy_duel", strange)
    game = Game(new_header("toy", seats=2, seed=1))
    for seat in "AB":
        game.answer(seat, "duel")
    with pytest.raises(KernelFault):
        game.enter(Adjust("winner", "A", "he slipped", path="1-d1"))
