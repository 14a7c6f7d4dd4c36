"""Questions to the umpire where the umpire plays: the seats that they touch settle them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemarque.kernel.agenda import Rule, ask, ask_umpire, script, tell
from polemarque.kernel.errors import NotAllowed, NotYourTurn
from polemarque.kernel.events import EventLog
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.records.record import Replace
from polemarque.kernel.request import UMPIRE, Amount, Filling, OneOf, Request, Sheet, Text
from polemarque.kernel.run import Runner
from polemarque.kernel.system import Standing, System, add_system


class Pier(msgspec.Struct, frozen=True):
    toll: int = 0
    touched: str = ""
    over: bool = False


def toll_sheet() -> Sheet:
    def fill() -> Filling:
        yield "toll", Amount(-9, 9)
        yield "why", Text(40)

    return Sheet(fill)


@script("PIER-1")
def toll(pier: Pier) -> Rule[Any]:
    said = yield from ask_umpire(
        lambda _: toll_sheet(),
        absent={"toll": 1, "why": ""},
        otherwise={"toll": 0, "why": ""},
        touches=[seat for seat in "ABC" if seat in pier.touched],
    )
    yield from tell("PIER-1", "toll", amount=said["toll"], why=said["why"])
    return msgspec.structs.replace(pier, toll=said["toll"]), [("PIER-2",)]


@script("PIER-2")
def leaves(pier: Pier) -> Rule[Any]:
    yield from ask("A", OneOf(("leave",)), absent="leave")
    return msgspec.structs.replace(pier, over=True), []


SYSTEM = add_system(
    System(
        name="pier",
        edition="1",
        titles={"fr": "Quai", "en": "Pier"},
        seats=("A", "B", "C"),
        least=3,
        options=(),
        state=Pier,
        setup=Pier,
        begin=lambda setup, seats, options: (setup, [("PIER-1",)]),
        period=lambda _: 1,
        view=lambda pier, seat: {"toll": pier.toll},
        data=Path(__file__).parent,
        standing=lambda pier: Standing(pier.over),
        playable=False,
    )
)


def pier(umpire: str = "A", touched: str = "") -> tuple[Game, EventLog]:
    told = EventLog()
    header = msgspec.structs.replace(new_header("pier", setup={"touched": touched}), umpire=umpire)
    return Game(header, publish=told.append, withdraw=told.withdraw), told


def figure(amount: int, why: str = "") -> dict[str, Any]:
    return {"toll": amount, "why": why}


def test_a_neutral_umpire_is_asked_alone() -> None:
    game, _ = pier(umpire="", touched="AB")
    (request,) = game.requests()
    assert request.seats == (UMPIRE,)
    game.answer(UMPIRE, figure(7))
    assert game.state.toll == 7


def test_an_umpire_who_plays_is_not_asked_as_umpire() -> None:
    game, _ = pier(touched="AB")
    (request,) = game.requests()
    assert request.seats == ("A", "B") and request.sealed
    with pytest.raises(NotYourTurn):
        game.answer(UMPIRE, figure(-9))
    game.answer("A", figure(-9))
    assert game.state.toll == 0 and request.missing == ("B",)
    with pytest.raises(NotAllowed) as final:
        game.answer("A", figure(9))
    assert final.value.code == "answer.final"


@pytest.mark.parametrize(
    ("said", "toll"),
    [((5, 5), 5), ((-9, 5), 0), ((-9, 9), 0), ((0, 0), 0)],
)
def test_equal_answers_hold_and_nothing_else(said: tuple[int, int], toll: int) -> None:
    game, told = pier(touched="AB")
    for seat, amount in zip("AB", said, strict=True):
        game.answer(seat, figure(amount, f"so says {seat}"))
    assert game.state.toll == told[-1].data["amount"] == toll


def test_words_need_not_be_equal() -> None:
    game, told = pier(touched="AB")
    game.answer("B", figure(5, "floods"))
    game.answer("A", figure(5, "storms"))
    assert told[-1].data == {"amount": 5, "why": "storms"}


def test_all_settle_it_where_no_seat_is_named() -> None:
    game, _ = pier(umpire="C")
    for seat, amount in zip("ABC", (5, 5, 4), strict=True):
        game.answer(seat, figure(amount))
    assert game.state.toll == 0


def test_one_seat_alone_settles_nothing() -> None:
    game, _ = pier(touched="A")
    game.answer("A", figure(9))
    assert game.state.toll == 0


def test_who_is_absent_agrees_to_nothing_but_what_holds_without_agreement() -> None:
    game, _ = pier(touched="AB")
    game.answer("A", figure(1))  # what an absent umpire would say, not an absent seat
    game.absent("B")
    assert game.state.toll == 0


def test_a_correction_of_one_answer_settles_it_anew() -> None:
    game, _ = pier(touched="AB")
    game.answer("A", figure(5))
    game.answer("B", figure(-2))
    key = next(done.key for done in game.effective if done.key.seat == "B")
    game.enter(Replace(key, reason="a slip", value=figure(5)))
    assert game.state.toll == 5


@pytest.mark.parametrize("said", [(5, 5), (5, 4)])
def test_it_goes_on_from_any_saved_position(said: tuple[int, int]) -> None:
    """Saved before, between and after the two answers, the position leads to the same game."""
    game, _ = pier(touched="AB")
    runner = Runner(decode_position(encode_position(game.position)))
    for seat, amount in zip("AB", said, strict=True):
        game.answer(seat, figure(amount))
        assert isinstance(runner.pending, Request)
        runner.say(seat, runner.pending.options(seat).take(figure(amount)))
        runner = Runner(decode_position(encode_position(runner.position)))
        assert encode_position(runner.position) == encode_position(game.position)
    again = replay(game.header, game.entries)
    assert (again.digest, again.state) == (game.digest, game.state)
