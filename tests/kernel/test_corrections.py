"""Undo, corrections and umpire's acts where they could lose or invent something."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from polemarque.kernel.agenda import Rule, ask_each, battles, script
from polemarque.kernel.battle_brief import Brief, Report, Resolver, Side, register_resolver
from polemarque.kernel.dice import Counts
from polemarque.kernel.errors import (
    DiceRefused,
    KernelFault,
    NotAllowed,
    NotUnderstood,
    OutOfDate,
)
from polemarque.kernel.events import Event, EventLog
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.position import (
    Position,
    decode_position,
    encode_position,
)
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import (
    Adjust,
    Answer,
    Chain,
    Replace,
    read_entry,
    read_record,
    write_entry,
    write_record,
)
from polemarque.kernel.request import OneOf, Path, Request, Sheet, Text
from polemarque.kernel.run import Runner
from tests.kernel import archers, toy

assert archers.ARCHERS

QUIET: dict[str, Any] = {"wine": 0, "bread": 0, "friends": [], "way": []}


def started(seats: int = 2, **more: Any) -> Game:
    game = Game(new_header("toy", seats=seats, seed=more.pop("seed", 5), **more))
    game.settle()
    return game


def say(game: Game, *said: tuple[str, Any]) -> None:
    for seat, value in said:
        game.answer(seat, value)
    game.settle()


def dice(game: Game) -> list[Any]:
    return [e.value for e in game.effective if isinstance(e, Answer) and e.key.seat == "dice"]


def test_a_refused_correction_changes_nothing_and_is_not_written() -> None:
    game = started()
    say(game, ("A", "storm"), ("B", "wait"))
    before, count = encode_position(game.position), len(game.entries)
    with pytest.raises(NotAllowed):
        game.enter(Replace(game.entries[0].key, "oops", value="sing"))
    assert encode_position(game.position) == before and len(game.entries) == count
    assert replay(game.header, game.entries).state == game.state


def test_undo_in_the_middle_of_a_correction_keeps_what_waits() -> None:
    game = started()
    say(game, ("A", "storm"), ("B", "wait"), ("A", "cry"), ("A", 2))
    fell = dice(game)
    game.enter(Replace(game.effective[0].key, "annulled", annul=True))
    game.undo("B")
    say(game, ("A", "storm"), ("B", "wait"))
    assert dice(game) == fell, "a die that had fallen was rolled again"


def test_a_seat_is_told_whether_it_has_an_answer_to_take_back() -> None:
    game = started()
    assert not game.course.has_own("A")
    say(game, ("A", "storm"))
    assert game.course.has_own("A") and not game.course.has_own("B")
    game.undo("A")
    assert not game.course.has_own("A")


def test_an_adjustment_stays_where_it_was_given_when_earlier_answers_are_corrected() -> None:
    game = started(setup={"days": 2})
    say(game, ("A", "wait"), ("B", "wait"), ("A", QUIET), ("B", QUIET))
    game.enter(Adjust("gold.A", 50, "pay of the second day"))
    say(game, ("A", "wait"), ("B", "wait"), ("A", {**QUIET, "wine": 8, "song": ""}), ("B", QUIET))
    assert game.state.gold["A"] == 42
    mine = next(e for e in game.entries if e.key.rule == "TOY-4" and e.key.seat == "B")
    game.enter(Replace(mine.key, "typing error", value={**QUIET, "bread": 1}))
    assert game.state.gold == {"A": 42, "B": 9}
    assert replay(game.header, game.entries).state == game.state


def test_an_adjustment_whose_moment_does_not_come_again_waits_and_is_listed() -> None:
    game = started(setup={"days": 2})
    say(game, ("A", "wait"), ("B", "wait"), ("A", QUIET), ("B", QUIET))
    game.enter(Adjust("gold.A", 50, "pay of the second day"))
    mine = next(e for e in game.entries if isinstance(e, Answer) and e.key.rule == "TOY-4")
    game.enter(Replace(mine.key, "asked again", annul=True))
    assert game.state.day == 1 and game.state.gold["A"] == 10
    say(game, ("A", QUIET))
    assert game.state.day == 2 and game.state.gold["A"] == 50


def test_dice_are_kept_only_if_what_they_depended_on_is_unchanged() -> None:
    game = started(dice="", seed=None)
    say(game, ("A", "storm"), ("B", "wait"), ("A", "cry"), ("A", 2))
    bribe = next(e for e in game.effective if isinstance(e, Answer) and e.value == 2)
    fallen = {e.key: e.value for e in game.effective if e.key.seat == "dice"}
    game.enter(Replace(bribe.key, "typing error", value=3))
    assert game.throws() or not dice(game), "the roll of another decision must be rolled anew"
    assert any(e.key in fallen for e in game.left_over)


def test_an_umpire_does_not_replace_dice_that_a_seed_made() -> None:
    game = started()
    say(game, ("A", "storm"), ("B", "wait"), ("A", "cry"), ("A", 0))
    die = next(e for e in game.effective if e.key.seat == "dice")
    with pytest.raises(NotAllowed, match="seeded_die"):
        game.enter(Replace(die.key, "because", value=(6,)))


def test_a_replaced_sealed_answer_is_gone_for_good() -> None:
    game = started()
    for value in ("storm", "wait"):
        game.answer("A", value)
    game.answer("B", "wait")
    intent = game.effective[0]
    assert isinstance(intent, Answer) and intent.value == "wait"
    game.enter(Replace(intent.key, "asked again", annul=True))
    assert "A" in game.requests()[0].missing
    game.answer("A", "storm")
    assert game.requests("A")[0].ask.subject == "cry"


def test_a_seat_does_not_undo_the_umpire() -> None:
    game = started()
    say(game, ("A", "storm"), ("B", "wait"), ("A", "cry"))
    cry = game.effective[-1]
    game.enter(Replace(cry.key, "he said otherwise", value="hurrah"))
    with pytest.raises(NotAllowed):
        game.undo("A")


@script("TOY-22")
def spy(day: toy.Day) -> Rule[Any]:
    yield from toy.ask("A", OneOf(("north", "south")), absent="north")
    yield from toy.tell("TOY-22", "seen", to=("A",), reveals=True, enemy=7)
    yield from toy.ask("B", OneOf(("yes", "no")), absent="no")
    return day, []


def test_no_undo_behind_a_reveal() -> None:
    game = started()
    game.course.start = msgspec.structs.replace(game.course.start, agenda=(("TOY-22",),))
    game.runner = Runner(game.course.start)
    game.answer("A", "north")
    with pytest.raises(NotAllowed, match="reveal"):
        game.undo("A")


# What bears on dice ------------------------------------------------------------------------------


class Pen(msgspec.Struct, frozen=True):
    seats: tuple[str, ...] = ("A", "B")


def _sheet() -> Any:
    yield "number", OneOf((1, 2, 9))
    yield "inner", Sheet(_inner)
    yield "note", Text(30)


def _inner() -> Any:
    yield "word", Text(30)
    yield "flag", OneOf(("up", "down"))


@script("TOY-20")
def both_write(day: toy.Day) -> Rule[Any]:
    yield from ask_each(day.seats, lambda _: Sheet(_sheet), absent={})
    yield from toy.roll(3, 100, read=toy.total, why="ink")
    return day, []


def written(*answers: tuple[str, dict[str, Any]], restart: bool = False) -> Any:
    game = started()
    game.runner = Runner(msgspec.structs.replace(
        game.position, agenda=(("TOY-20",),), frames=(), asked=()))  # fmt: skip
    for seat, value in answers:
        game.answer(seat, value)
        if restart:
            game.runner = Runner(decode_position(encode_position(game.position)))
    game.settle()
    return dice(game)


def page(number: int, note: str = "", word: str = "", flag: str = "up") -> dict[str, Any]:
    return {"number": number, "inner": {"word": word, "flag": flag}, "note": note}


def test_texts_never_enter_a_die_sealed_nested_replaced_or_restarted() -> None:
    plain = written(("A", page(1)), ("B", page(2)))
    assert written(("A", page(1, "note")), ("B", page(2, word="nested"))) == plain
    assert written(("A", page(1, "note")), ("B", page(2)), restart=True) == plain
    assert written(("A", page(9, "first")), ("A", page(1)), ("B", page(2))) == plain


def test_every_seats_sealed_answer_bears_on_the_die() -> None:
    rolls = {str(written(("A", page(1, "x")), ("B", page(n, flag=f))))
             for n in (1, 2, 9) for f in ("up", "down")}  # fmt: skip
    assert len(rolls) == 6


# Live battles ------------------------------------------------------------------------------------


@script("TOY-21")
def twice(day: toy.Day, resolver: str) -> Rule[Any]:
    a, b = day.seats[:2]
    brief = Brief("b", resolver, "ford", (Side(a, a, (), ()), Side(b, b, (), ())))
    yield from battles(brief)
    yield from battles(brief, msgspec.structs.replace(brief, id="c"))
    return day, []


register_resolver(
    Resolver(
        "toy_instant",
        open=lambda brief: Position("duel", "1", toy.Duel("A", "B", "A"), ()),
        report=lambda _, duel: Report("", 0),
        system="duel",
    )
)


def test_battles_that_are_over_at_once_do_not_stop_the_game() -> None:
    game = started()
    runner = Runner(msgspec.structs.replace(
        game.position, agenda=(("TOY-21", "toy_instant"),), frames=(), asked=()))  # fmt: skip
    assert runner.over


def test_every_key_of_a_game_is_its_own() -> None:
    game = started()
    game.runner = Runner(msgspec.structs.replace(
        game.position, agenda=(("TOY-21", "toy_duel"),), frames=(), asked=()))  # fmt: skip
    rng = random.Random(1)
    while not game.over:
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
    keys = [entry.key for entry in game.effective]
    assert len(set(keys)) == len(keys)
    paths = {key.path for key in keys}
    assert paths == {"1-b", "1-b~2", "1-c"}


def test_a_seat_asked_twice_at_once_is_a_fault() -> None:
    with pytest.raises(KernelFault, match="twice"):
        list(ask_each(("A", "A"), OneOf(("x",)), absent="x"))


# The doors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [None, 6, "6", (None,), {}, (1.0,), (True,), ("6",)])
def test_faces_that_are_no_faces_are_refused(wrong: Any) -> None:
    game = started()
    say_until_roll = (("A", "storm"), ("B", "wait"), ("A", "cry"), ("A", 0))
    for seat, value in say_until_roll:
        game.answer(seat, value)
    with pytest.raises(DiceRefused):
        game.enter(Answer(game.throws()[0].key, wrong))


def test_answers_are_taken_in_their_own_type() -> None:
    with pytest.raises(NotAllowed):
        OneOf((1, 2)).take(True)
    with pytest.raises(NotAllowed):
        OneOf((1, 2)).take(1.0)
    with pytest.raises(NotUnderstood):
        Path({"a": ("a",)}).take([["a"]])
    with pytest.raises(NotUnderstood):
        Text().take("\udcff")
    assert Text().take("\x1b[2JÀ\x9b\r\n\ttable") == "[2JÀ\r\n\ttable"


def test_a_game_whose_dice_come_from_elsewhere_does_not_roll_by_itself() -> None:
    game = Game(new_header("toy", seats=2, dice="typed"))
    for seat, value in (("A", "storm"), ("B", "wait"), ("A", "cry"), ("A", 0)):
        game.answer(seat, value)
    before = len(game.entries)
    game.settle()
    (throw,) = game.throws()
    assert len(game.entries) == before
    with pytest.raises(OutOfDate, match="needs_source"):
        game.rolled(throw)


@script("TOY-23")
def takes_a_pen(day: toy.Day, pen: Pen) -> Rule[Any]:
    yield from toy.ask(pen.seats[0], OneOf(("yes",)), absent="yes")
    return day, []


def test_agenda_arguments_come_back_as_what_they_were() -> None:
    game = started()
    position = msgspec.structs.replace(
        game.position, agenda=(("TOY-23", Pen(("B",))),), frames=(), asked=()
    )
    again = decode_position(encode_position(position))
    assert again.agenda == position.agenda
    assert isinstance(Runner(again).pending, Request)


def test_a_line_written_otherwise_than_we_write_it_is_refused_though_its_chain_is_right() -> None:
    game = started()
    say(game, ("A", "wait"), ("B", "wait"))
    lines = write_record(game.header, game.entries).split(b"\n")
    lines[1] = lines[1].replace(b",", b", ", 1)
    chain = Chain(game.header)
    for line in lines[1:-2]:
        chain.add(line[:-1])
    lines[-2] = b'{"end":{"entries":%d,"head":"%s"}}]}' % (len(game.entries), chain.head.encode())
    with pytest.raises(OutOfDate, match="changed"):
        read_record(b"\n".join(lines))


# What was told -----------------------------------------------------------------------------------


def heard(**more: Any) -> tuple[Game, EventLog]:
    told = EventLog()
    game = Game(new_header("toy", seats=2, seed=5, **more), publish=told.append,
                withdraw=told.withdraw)  # fmt: skip
    game.settle()
    return game, told


def as_replayed(game: Game) -> list[Event]:
    """The events of a game that goes the same way without any undo or correction."""
    told: list[Event] = []
    replay(game.header, game.effective, publish=told.append)
    return told


def test_an_undone_answer_withdraws_what_it_told() -> None:
    game, told = heard()
    say(game, ("A", "wait"), ("B", "wait"))
    before = list(told)
    say(game, ("A", {**QUIET, "wine": 3, "song": ""}))
    assert len(told) == len(before) + 1
    game.undo("A")
    assert told == before == as_replayed(game)
    say(game, ("A", QUIET))
    assert told[-1].data["wine"] == 0 and told == as_replayed(game)


def test_a_correction_withdraws_from_the_first_event_that_differs_and_tells_the_rest_anew() -> None:
    told, withdrawn = EventLog(), []

    def withdraw(standing: int) -> None:
        withdrawn.append(standing)
        told.withdraw(standing)

    game = Game(new_header("toy", seats=2, seed=5), publish=told.append, withdraw=withdraw)
    say(
        game, ("A", "wait"), ("B", "wait"), ("A", QUIET), ("B", QUIET), ("A", "wait"), ("B", "wait")
    )
    first = next(e for e in game.effective if isinstance(e, Answer) and e.key.rule == "TOY-4")
    game.enter(Replace(first.key, "he drank", value={**QUIET, "wine": 2, "song": "la"}))
    assert withdrawn == [1], "the reveal of the first day stands, the rest is told again"
    assert [e.data["wine"] for e in told if e.kind == "waited"] == [2, 0]
    assert told == as_replayed(game)
    say(game, ("A", QUIET))
    assert told == as_replayed(game), "a live game goes on where the correction left it"


def test_a_correction_that_changes_nothing_told_withdraws_nothing() -> None:
    game, told = heard()
    say(game, ("A", "wait"), ("B", "wait"), ("A", QUIET))
    before = list(told)
    answer = game.effective[-1]
    assert isinstance(answer, Answer)
    game.enter(Replace(answer.key, "bread is not told", value={**QUIET, "bread": 1}))
    assert told == before


def shot(dice: str = "free") -> Game:
    """A hundred archers have shot, with dice that an umpire may replace."""
    game = Game(msgspec.structs.replace(new_header("archers"), dice=dice))
    game.enter(Answer(game.throws()[0].key, Counts((20, 10, 10, 10, 10, 40))))
    game.answer("A", "good")
    return game


@pytest.mark.parametrize("dice", ["free", "typed"])
def test_a_long_roll_is_replaced_and_its_record_plays_again(dice: str) -> None:
    game = shot(dice)
    assert game.state.hits == 30
    game.enter(Replace(game.entries[0].key, "misread", value=Counts((0, 5, 0, 0, 0, 95))))
    assert game.state.hits == 5 and game.over
    record = read_record(game.record)
    assert record.entries == tuple(game.entries) and prove(game.record).holds
    again = replay(record.header, record.entries)
    assert again.state == game.state and again.digest == game.digest


@pytest.mark.parametrize(
    "value",
    [Counts((0, 5, 0, 0, 0, 94)), Counts((0, 100)), Counts(()), Counts((-1, 0, 0, 0, 0, 101)),
     (7,) * 100, "6" * 100, {"of": (0, 5, 0, 0, 0, 95)}, 5, None],
)  # fmt: skip
def test_a_long_roll_is_not_replaced_by_what_it_cannot_be(value: Any) -> None:
    game = shot()
    before = game.record, encode_position(game.position)
    with pytest.raises(DiceRefused):
        game.enter(Replace(game.entries[0].key, "misread", value=value))
    assert (game.record, encode_position(game.position)) == before


@pytest.mark.parametrize("value", [b'{"of":"x"}', b'{"of":[1.5]}', b'{"of":[1],"n":2}', b'"x"'])
def test_a_line_in_which_dice_are_replaced_by_no_faces_is_not_read(value: bytes) -> None:
    line = write_entry(Replace(shot().entries[0].key, "misread", value=Counts((1,))))
    assert b'{"of":[1]}' in line and read_entry(line)
    with pytest.raises(NotUnderstood):
        read_entry(line.replace(b'{"of":[1]}', value))
