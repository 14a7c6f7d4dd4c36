"""A system of secrets: every day sealed orders, then bribes and what each one's spy sees."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from polemarque.kernel.agenda import Rule, ask, ask_each, roll, script, tell
from polemarque.kernel.dice import D6, total
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.commitment import OPEN, Chains, committed_header
from polemarque.kernel.records.export import Everybody, OneSeat, Operator, Reader, export
from polemarque.kernel.records.record import Adjust, Answer, Leave, Replace, Withdraw, Word
from polemarque.kernel.request import Amount, OneOf
from polemarque.kernel.system import Standing, System, add_system

ORDERS = ("hold", "march", "sail")


class Ring(msgspec.Struct, frozen=True):
    day: int
    last: int
    seats: tuple[str, ...]
    gold: dict[str, int]


class Setup(msgspec.Struct, frozen=True):
    days: int = 3


@script("SPY-1")
def day_begins(ring: Ring) -> Rule[Any]:
    orders = yield from ask_each(ring.seats, OneOf(ORDERS), absent="hold")
    for seat, order in orders.items():
        yield from tell("SPY-1", "ordered", to=(seat,), order=order)
    return ring, [*(("SPY-2", seat) for seat in ring.seats), ("SPY-3",)]


@script("SPY-2")
def bribes(ring: Ring, seat: str) -> Rule[Any]:
    bribe = yield from ask(seat, Amount(0, 5), absent=0)
    seen = yield from roll(1, D6, read=total, why=f"spy of {seat}", owner=seat)
    yield from tell("SPY-2", "seen", to=(seat,), seen=seen)
    gold = {**ring.gold, seat: ring.gold[seat] - bribe}
    return msgspec.structs.replace(ring, gold=gold), []


@script("SPY-3")
def day_ends(ring: Ring) -> Rule[Any]:
    sky = yield from roll(2, D6, read=total, why="sky")
    yield from tell("SPY-3", "sky", sky=sky)
    after = msgspec.structs.replace(ring, day=ring.day + 1)
    return after, [("SPY-1",)] if after.day <= after.last else []


def adjust(ring: Ring, name: str, value: Any) -> Ring:
    return msgspec.structs.replace(ring, gold={**ring.gold, name.removeprefix("gold."): value})


add_system(
    System(
        name="spies", edition="2", past=("1",), titles={"fr": "Espions", "en": "Spies"},
        seats=("A", "B", "C"), least=2, options=(), state=Ring, setup=Setup,
        begin=lambda setup, seats, o: (
            Ring(1, setup.days, seats, dict.fromkeys(seats, 20)), [("SPY-1",)]
        ),
        period=lambda ring: ring.day, view=lambda ring, seat: {"gold": ring.gold.get(seat)},
        standing=lambda ring: Standing(ring.day > ring.last, (), (ring.seats,)), data=Path(),
        adjust=adjust, playable=False,
    )
)  # fmt: skip

CHAINS = Chains({o: f"secret of {o}".encode() for o in (OPEN, "A", "B", "C", "umpire")}, 9)


def salts(name: str) -> Any:
    """Salts that are the same again."""
    numbers = count(1)
    return lambda: f"{next(numbers):08x}".ljust(64 - len(name), "0") + name


def started(umpire: str = "", **more: Any) -> Game:
    """A committed game of three, with its words."""
    header = new_header("spies", seats=3)
    header = msgspec.structs.replace(header, campaign="c", umpire=umpire, **more)
    game = Game(committed_header(header, CHAINS))
    game.hold(CHAINS)
    game.salt_secrets(salts("5a17"))
    for seat in sorted(game.header.seats, key=lambda seat: seat != umpire):
        game.enter(Word(seat, f"word of {seat}"))
    return game


def say(game: Game, *said: tuple[str, Any]) -> Game:
    """Answers, one after the other, and whatever follows from them."""
    for seat, value in said:
        game.answer(seat, value)
        game.settle()
    return game


DAY = (("A", "march"), ("B", "hold"), ("C", "sail"), ("A", 1), ("B", 2), ("C", 3))

READERS: tuple[Reader, ...] = (Everybody(), OneSeat("A"), OneSeat("B"), Operator())


def made(game: Game, reader: Reader) -> bytes:
    """What a reader may have of a game."""
    return export(game.header, game.entries, reader)


def busy(bribe: int = 2, order: str = "hold") -> Game:
    """A game with every kind of entry, in its third day; B's secrets are as said."""
    game = started()
    day = [(seat, order if value == "hold" else value) for seat, value in DAY]
    day = [(seat, bribe if value == 2 else value) for seat, value in day]
    game.enter(Leave("B", "SPY-2", bribe, unless=("never",)))
    game.enter(Withdraw("B", "SPY-2"))
    game.enter(Leave("B", "SPY-9", order))
    say(game, *day)
    game.enter(Adjust("gold.B", bribe, "a find", date="day 2"))
    say(game, *day)
    first = next(e for e in game.entries if isinstance(e, Answer) and e.value == bribe)
    game.enter(Replace(first.key, "misheard", value=bribe - 1))
    game.settle()
    say(game, ("A", "march"))
    game.undo("A")
    say(game, ("A", "sail"), ("B", order))
    return game


def over() -> Game:
    """A game that is over."""
    game = say(started(), *DAY, *DAY, *DAY)
    assert game.over
    return game
