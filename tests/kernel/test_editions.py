"""Editions: a game keeps the rules it began with, its battles too, until the umpire moves it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemarque.kernel.acts import enact
from polemarque.kernel.agenda import Rule, ask, battles, call, procedure, roll, script, tell
from polemarque.kernel.battle_brief import Brief, Report, Resolver, Side, register_resolver
from polemarque.kernel.dice import D6, total
from polemarque.kernel.editions import changed_rules, fighting_system
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.events import EventLog
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.position import Position, decode_position, encode_position
from polemarque.kernel.records.record import (
    Adjust,
    Adopt,
    Answer,
    Header,
    Replace,
    read_record,
    write_record,
)
from polemarque.kernel.request import Amount, OneOf
from polemarque.kernel.run import Runner
from polemarque.kernel.system import Standing, System, add_system

# A ferry and its brawls, in two editions: the second asks for more, and reckons otherwise. --------


class Ferry(msgspec.Struct, frozen=True):
    day: int = 1
    toll: int = 0
    won: int = 0


@script("FERRY-1")
def toll_of_old(ferry: Ferry) -> Rule[Any]:
    paid = yield from ask("A", OneOf(("pay", "swim")), absent="swim")
    yield from tell("FERRY-1", "paid", amount=int(paid == "pay"))
    return msgspec.structs.replace(ferry, toll=ferry.toll + int(paid == "pay")), [("FERRY-2",)]


@script("FERRY-1", edition="2")
def toll(ferry: Ferry) -> Rule[Any]:
    paid = yield from ask("A", Amount(0, 9), absent=0)
    yield from tell("FERRY-1", "paid", amount=paid)
    return msgspec.structs.replace(ferry, toll=ferry.toll + paid), [("FERRY-2",)]


@script("FERRY-2")
def brawl(ferry: Ferry) -> Rule[Any]:
    sides = (Side("A", "A", (), ()), Side("B", "B", (), ()))
    (report,) = yield from battles(Brief("b", "ferry_brawl", "ferry", sides))
    after = msgspec.structs.replace(ferry, day=ferry.day + 1, won=ferry.won + report.facts["won"])
    return after, [("FERRY-1",)] if after.day <= 3 else []


class Brawl(msgspec.Struct, frozen=True):
    edition: str
    won: int | None = None


@procedure("BRAWL-2")
def blow_of_old() -> Rule[int]:
    return (yield from roll(1, D6, read=total, why="blow"))


@procedure("BRAWL-2", edition="2")
def blow() -> Rule[int]:
    return 100 + (yield from roll(1, D6, read=total, why="blow"))


@script("BRAWL-1")
def brawl_is_fought(state: Brawl) -> Rule[Any]:
    yield from ask("B", OneOf(("hit", "duck")), absent="duck")
    return msgspec.structs.replace(state, won=(yield from call(blow_of_old))), []


class Setup(msgspec.Struct, frozen=True):
    pass


def systems(newest: str = "2", past: tuple[str, ...] = ("1",)) -> None:
    shared: dict[str, Any] = {
        "edition": newest, "past": past, "least": 2, "options": (), "setup": Setup,
        "titles": {"fr": "Bac", "en": "Ferry"}, "data": Path(), "view": lambda state, seat: state,
        "playable": False,
    }  # fmt: skip
    add_system(System(
        name="ferry", seats=("A", "B"), state=Ferry, period=lambda f: f.day,
        begin=lambda setup, seats, options: (Ferry(), [("FERRY-1",)]),
        standing=lambda f: Standing(f.day > 3), resolvers=("ferry_brawl",),
        adjust=lambda f, name, value: msgspec.structs.replace(f, **{name: value}), **shared,
    ))  # fmt: skip
    add_system(System(
        name="brawl", seats=(), state=Brawl, period=lambda _: 1, begin=lambda *_: None,
        standing=lambda b: Standing(b.won is not None), **shared,
    ))  # fmt: skip


systems()
register_resolver(
    Resolver(
        "ferry_brawl",
        open=lambda brief: Position("brawl", "2", Brawl(brief.edition), (("BRAWL-1",),)),
        report=lambda _, brawl: Report("", 0, facts={"won": brawl.won}),
        system="brawl",
    )
)


def began(edition: str, brawls: str = "") -> Game:
    """A game that began under an edition."""
    header = new_header("ferry", seed=1)
    assert (header.edition, header.editions) == ("2", {"ferry_brawl": "2"})
    editions = {"ferry_brawl": brawls or edition}
    return Game(msgspec.structs.replace(header, edition=edition, editions=editions))


def day(game: Game, toll: Any) -> None:
    game.answer("A", toll)
    game.answer("B", "hit")
    game.settle()


def holds(game: Game) -> None:
    record = read_record(write_record(game.header, game.entries))
    twin = replay(record.header, record.entries)
    assert encode_position(twin.position) == encode_position(game.position)
    saved = encode_position(game.position)
    assert encode_position(Runner(decode_position(saved)).position) == saved


# What a game began with --------------------------------------------------------------------------


def test_a_game_keeps_its_edition_and_so_do_its_battles() -> None:
    old, new = began("1"), began("2")
    day(old, "pay")
    day(new, 9)
    assert old.state.toll == 1 and old.state.won <= 6
    assert new.state.toll == 9 and new.state.won > 100
    holds(old)
    holds(new)


def test_a_battle_has_the_edition_pinned_for_it_whatever_the_campaigns() -> None:
    game = began("2", brawls="1")
    game.answer("A", 3)
    ((brief, runner),) = game.runner.branches
    assert brief.edition == runner.edition == runner.state.edition == "1"
    holds(game)
    game.answer("B", "duck")
    game.settle()
    assert game.state.won <= 6


def test_an_edition_that_plays_no_more_or_not_yet_is_refused() -> None:
    header = new_header("ferry")
    for wrong in ({"edition": "3"}, {"edition": "0"}, {"editions": {"ferry_brawl": "3"}}):
        with pytest.raises(OutOfDate, match=r"record\.edition") as refused:
            Game(msgspec.structs.replace(header, **wrong))
        assert refused.value.legal == ("2", "1")


def test_a_resolver_that_is_not_here_is_missed_when_a_battle_wants_it() -> None:
    header = new_header("ferry")
    game = Game(msgspec.structs.replace(header, editions={**header.editions, "nobody": "1"}))
    day(game, 1)
    assert game.runner.editions == {"ferry_brawl": "2", "nobody": "1"}
    with pytest.raises(NotUnderstood, match=r"battle\.resolver"):
        fighting_system("nobody")


def test_a_record_without_editions_of_battles_still_plays_by_the_resolvers_own() -> None:
    game = Game(Header("ferry", "2", ("A", "B"), seed="1", dice="seeded"))
    day(game, 1)
    assert game.state.won > 100


# Moving to a newer one ---------------------------------------------------------------------------


def test_the_umpire_moves_a_running_game_from_where_it_stands() -> None:
    game = began("1")
    told = EventLog()
    game = Game(game.header, publish=told.append, withdraw=told.withdraw)
    day(game, "pay")
    before = game.state
    act = Adopt("2", "we all agreed")
    assert changed_rules(game.system, "1", "2") == ("BRAWL-2", "FERRY-1", "FERRY-3")
    twin = replay(game.header, game.entries)
    assert enact(twin, act).changes == {"A": [], "B": []}
    game.enter(act)
    assert game.state == before and game.runner.edition == "2"
    assert isinstance(game.requests("A")[0].options("A"), Amount)
    day(game, 7)
    assert game.state.toll == 8
    assert game.runner.editions == {"ferry_brawl": "1"}, "its battles are another matter"
    holds(game)
    again = EventLog()
    replay(game.header, game.entries, publish=again.append, withdraw=again.withdraw)
    assert again == told


def test_battles_opened_later_are_moved_by_an_act_of_their_own() -> None:
    game = began("1")
    game.answer("A", "swim")
    with pytest.raises(OutOfDate, match="not_between_items"):
        game.enter(Adopt("2", "too late for this brawl", resolver="ferry_brawl"))
    game.answer("B", "hit")
    game.settle()
    first = game.state.won
    assert first <= 6
    game.enter(Adopt("2", "from now on", resolver="ferry_brawl"))
    day(game, "swim")
    assert game.state.won - first > 100 and game.runner.edition == "1"
    holds(game)


def test_only_a_newer_edition_that_there_is_can_be_adopted() -> None:
    game = began("2")
    for act in (Adopt("1", "back"), Adopt("3", "not written"), Adopt("2", "the same"),
                Adopt("2", "the same", resolver="ferry_brawl")):  # fmt: skip
        with pytest.raises(NotAllowed, match=r"act\.edition"):
            game.enter(act)
    assert not game.entries


def test_rules_that_cannot_read_the_position_are_not_adopted() -> None:
    game = began("1")
    odd = msgspec.structs.replace(game.position, agenda=(("FERRY-1", "too", "many"),), frames=(),
                                  asked=())  # fmt: skip
    game.runner = Runner(msgspec.structs.replace(odd, agenda=(("FERRY-3", 4),)))
    with pytest.raises(NotAllowed, match="edition_unfit"):
        game.enter(Adopt("2", "no"))
    assert not game.entries


@script("FERRY-3")
def waits(ferry: Ferry, hours: int) -> Rule[Any]:
    yield from ask("A", Amount(0, hours), absent=0)
    return ferry, []


@script("FERRY-3", edition="2")
def waits_for(ferry: Ferry, whom: str) -> Rule[Any]:
    yield from ask("A", OneOf((whom,)), absent=whom)
    return ferry, []


def test_a_correction_of_something_earlier_keeps_the_move_where_it_was_made() -> None:
    game = began("1")
    day(game, "pay")
    game.enter(Adopt("2", "we all agreed"))
    day(game, 7)
    game.enter(Adjust("toll", 50, "a gift"))
    first = game.effective[0]
    assert isinstance(first, Answer)
    game.enter(Replace(first.key, "he swam", value="swim"))
    assert game.state.toll == 50 and game.runner.edition == "2" and game.state.day == 3
    assert not game.left_over
    holds(game)
