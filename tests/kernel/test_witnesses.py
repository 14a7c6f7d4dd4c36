"""Who may see a battle inside a game: its two sides, and whom the campaign admits besides."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.kernel.battle_brief import Brief, Side
from polemarque.kernel.events import Event, EventLog, both
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.records.export import Everybody, Hidden, OneSeat, Operator, export, parts_for
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import Answer
from polemarque.kernel.request import DICE
from polemarque.kernel.run import Runner
from tests.kernel import toy

assert toy.TOY


def brief(**more: Any) -> Brief:
    return Brief("d1", "toy_duel", "ford", (Side("A", "A", (), ()), Side("B", "B", (), ())), **more)


def two_duels() -> tuple[Game, EventLog]:
    """A fights B, and C fights D; the first has thrown both dice of its first bout."""
    told = EventLog()
    header = new_header("toy", seats=4, dice="free")
    game = Game(header, publish=told.append, withdraw=told.withdraw)
    game.salt_secrets()
    for seat in "ABCD":
        game.answer(seat, "duel")
    for seat in "AB":
        game.answer(seat, "low")
    game.settle()
    return game, told


def fell(game: Game) -> list[int]:
    """The places in the record of the dice of the first duel."""
    return [
        number
        for number, entry in enumerate(game.entries)
        if isinstance(entry, Answer) and entry.key.path == "1-d1" and entry.key.seat == DICE
    ]


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        (None, None, None),
        (None, ("A",), ("A",)),
        (("A", "B"), None, ("A", "B")),
        (("A", "B"), ("C", "B"), ("B",)),
        (("A",), ("B",), ()),
    ],
)
def test_who_is_in_two_audiences(one: Any, other: Any, shared: Any) -> None:
    assert both(one, other) == shared


def test_a_battle_is_seen_by_its_sides_and_by_whom_the_campaign_admits() -> None:
    assert brief().audience == ("A", "B")
    assert brief(witnesses=("D", "A")).audience == ("A", "B", "D")
    assert brief(witnesses=None).audience is None
    assert [brief().seen_by(seat) for seat in ("A", "C", "")] == [True, False, False]
    assert brief(witnesses=None).seen_by("")


def test_what_happens_in_a_battle_is_told_to_nobody_else() -> None:
    _, told = two_duels()
    bouts = [event for event in told if event.path == "1-d1"]
    assert bouts and all(event.audience == ("A", "B") for event in bouts)
    assert any(event.audience is None for event in told if not event.path)


def test_a_saved_battle_is_still_told_to_nobody_else() -> None:
    game, _ = two_duels()
    heard: list[Event] = []
    runner = Runner(decode_position(encode_position(game.position)), heard.append)
    inner = runner.at("1-d2")
    assert inner is not None and inner.audience == ("C", "D")
    for seat in "CD":
        inner.say(seat, "low")
    for face in (2, 5):
        inner.fall((face,))
    assert heard and {event.audience for event in heard if event.path} == {("C", "D")}


def test_others_have_no_view_of_a_battle() -> None:
    game, _ = two_duels()
    assert set(game.views("A")) == {"", "1-d1"} and set(game.views("D")) == {"", "1-d2"}
    assert set(game.views("")) == {""}


def test_dice_of_a_battle_are_salted_and_kept_from_others() -> None:
    game, _ = two_duels()
    places = fell(game)
    assert len(places) >= 2
    for number in places:
        entry = game.entries[number]
        assert isinstance(entry, Answer) and len(entry.salt) == 64
    for reader, shown in (
        (Everybody(), False), (OneSeat("C"), False), (OneSeat("B"), True), (Operator(), True),
    ):  # fmt: skip
        parts = parts_for(game.header, game.entries, reader)
        assert [isinstance(parts[number], Hidden) for number in places] == [not shown] * len(places)
        assert prove(export(game.header, game.entries, reader)).holds


def test_a_roll_of_the_campaign_itself_needs_no_salt() -> None:
    game, _ = two_duels()
    outer = [e for e in game.entries if isinstance(e, Answer) and not e.key.path]
    assert all(not entry.salt for entry in outer if entry.key.seat == DICE)
