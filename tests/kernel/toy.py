"""A toy system that uses every part of the kernel: two to four captains quarrel over a ford.

Each day they write an intent (sealed), share out pay on a sheet, storm a gate (a procedure with
rounds, tallies and an explanation), may react, and, if two clash, fight duels: live battles inside
the position, several at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from polemarque.kernel.agenda import (
    Rule,
    again,
    ask,
    ask_each,
    battles,
    call,
    explain,
    procedure,
    roll,
    script,
    tally,
    tell,
    window,
)
from polemarque.kernel.battle_brief import Brief, Report, Resolver, Side, register_resolver
from polemarque.kernel.dice import D6, total
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.events import bonus
from polemarque.kernel.position import Position
from polemarque.kernel.request import Amount, OneOf, SeveralOf, Sheet, Text
from polemarque.kernel.request import Path as Way
from polemarque.kernel.system import Choice, Standing, System, add_system

INTENTS = ("storm", "wait", "duel")


class Day(msgspec.Struct, frozen=True):
    day: int
    last: int
    seats: tuple[str, ...]
    gold: dict[str, int]
    secret: dict[str, str]
    place: dict[str, str]

    def paid(self, seat: str, amount: int) -> Day:
        return msgspec.structs.replace(self, gold={**self.gold, seat: self.gold[seat] + amount})


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    gold: int = 10
    days: int = 3


class Gate(msgspec.Struct, frozen=True):
    opened: bool
    rounds: int = 0
    hurt: int = 0


@procedure("TOY-2")
def storm(strength: int) -> Rule[Gate]:
    """Storm a gate until it opens (strength + D6 of 6 or more) or strength runs out."""
    yield from explain(bonus("TOY-2", strength, "strength"))
    die = yield from roll(1, D6, read=total, why="storm")
    yield from tally(rounds=1, hurt=int(die == 1))
    if die + strength >= 6:
        return Gate(True)
    if strength <= 0:
        return Gate(False)
    return again(strength - 1)


@script("TOY-1")
def day_begins(day: Day) -> Rule[Any]:
    """Everybody writes an intent; then each is carried out."""
    intents = yield from ask_each(day.seats, OneOf(INTENTS, "intent"), absent="wait")
    yield from tell("TOY-1", "revealed", intents=intents)
    rivals = tuple(seat for seat in day.seats if intents[seat] == "duel")
    items: list[Any] = [("TOY-3", seat) for seat in day.seats if intents[seat] == "storm"]
    items += [("TOY-4", seat) for seat in day.seats if intents[seat] == "wait"]
    if len(rivals) > 1:
        items.append(("TOY-5", rivals))
    return day, [*items, ("TOY-6",)]


@script("TOY-3")
def captain_storms(day: Day, seat: str) -> Rule[Any]:
    """He says a word, bribes, storms; a rival may react."""
    yield from ask(seat, Text(50), absent="", subject="cry")
    bribe = yield from ask(seat, lambda s: Amount(0, max(day.gold[s], 0), unit="gold"), absent=0)
    gate = yield from call(storm, min(bribe, 3))
    rivals = [s for s in day.seats if s != seat]
    played = yield from window(
        rivals, lambda s: ("mock",) if day.gold[s] else (),
        moment="stormed", stakes=lambda _: ("loss",) if gate.opened else (),
    )  # fmt: skip
    yield from tell("TOY-3", "stormed", seat=seat, opened=gate.opened, rounds=gate.rounds)
    if played is not None:
        rival, _ = played
        yield from tell("TOY-3", "mocked", to=(seat, rival), seat=rival)
    gain = 5 if gate.opened else 0
    return day.paid(seat, gain - bribe), []


@script("TOY-4")
def captain_waits(day: Day, seat: str) -> Rule[Any]:
    """He fills in a sheet: how much he spends, on what, and where he goes."""

    def sheet() -> Any:
        left = max(day.gold[seat], 0)
        wine = yield "wine", Amount(0, left)
        left -= wine
        yield "bread", Amount(0, left)
        if wine:
            yield "song", Text(20)
        yield "friends", SeveralOf(tuple(s for s in day.seats if s != seat))
        yield "way", Way({"ford": ("ford",), "hill": ("ford", "hill")})

    spent = yield from ask(seat, lambda _: Sheet(sheet), absent={
        "wine": 0, "bread": 0, "friends": (), "way": ()
    })  # fmt: skip
    day = day.paid(seat, -spent["wine"] - spent["bread"])
    if spent["way"]:
        day = msgspec.structs.replace(day, place={**day.place, seat: spent["way"][-1]})
    yield from tell("TOY-4", "waited", to=(seat,), seat=seat, wine=spent["wine"])
    return day, []


@script("TOY-5")
def captains_duel(day: Day, rivals: tuple[str, ...]) -> Rule[Any]:
    """Rivals fight in pairs, all duels side by side; a winner takes one gold."""
    pairs = list(zip(rivals[::2], rivals[1::2], strict=False))
    briefs = [
        Brief(f"d{n}", "toy_duel", "ford", (Side(a, a, (), ()), Side(b, b, (), ())))
        for n, (a, b) in enumerate(pairs, 1)
    ]
    reports = yield from battles(*briefs)
    for (a, b), report in zip(pairs, reports, strict=True):
        winner, loser = (a, b) if report.winner == 0 else (b, a)
        day = day.paid(winner, 1).paid(loser, -1)
        yield from tell("TOY-5", "duel", winner=winner, loser=loser)
    return day, []


@script("TOY-6")
def day_ends(day: Day) -> Any:
    """Night falls."""
    after = msgspec.structs.replace(day, day=day.day + 1)
    return after, [("TOY-1",)] if after.day <= day.last else []


def begin(setup: Setup, seats: tuple[str, ...], options: Any) -> Any:
    gold = dict.fromkeys(seats, setup.gold)
    secret = {s: f"{options['password']}-{s}" for s in seats}
    return Day(1, setup.days, seats, gold, secret, dict.fromkeys(seats, "camp")), [("TOY-1",)]


def view(day: Day, seat: str) -> Any:
    return {"day": day.day, "place": day.place, "gold": day.gold.get(seat),
            "secret": day.secret.get(seat)}  # fmt: skip


def supposed(view: Any, seat: str, premises: Any) -> Day:
    """Others are as rich, and have no password; the war goes on."""
    seats = tuple(view["place"])
    secret = {other: view["secret"] if other == seat else "" for other in seats}
    gold = dict.fromkeys(seats, view["gold"])
    return Day(view["day"], view["day"] + 9, seats, gold, secret, view["place"])


def adjust(day: Day, name: str, value: Any) -> Day:
    seat = name.removeprefix("gold.")
    if seat not in day.gold or not isinstance(value, int):
        raise NotUnderstood("adjust.name", part=name, legal=[f"gold.{s}" for s in day.gold])
    return msgspec.structs.replace(day, gold={**day.gold, seat: value})


def faults(day: Day) -> list[str]:
    return [f"gold of {s}" for s, n in day.gold.items() if n > 1000]


TOY = add_system(
    System(
        name="toy", edition="1", titles={"fr": "Jouet", "en": "Toy"}, seats=("A", "B", "C", "D"),
        least=2, options=(Choice("password", "TOY-1", ("sesame", "plugh"), "sesame"),),
        state=Day, setup=Setup, begin=begin, period=lambda day: day.day, view=view,
        standing=lambda day: Standing(day.day > day.last, (), (day.seats,)), data=Path(),
        scenarios={"ford": {"seats": 3}, "long": {"days": 6, "seats": 4}},
        adjust=adjust, faults=faults, resolvers=("toy_duel",), ends_at_once=False, stakes=("loss",),
        supposed=supposed, conditions=lambda view, seat, subject: {"purse": view["gold"]},
        public_items=frozenset({"TOY-1", "TOY-3", "TOY-4", "TOY-5", "TOY-6"}),
    )
)  # fmt: skip


class Duel(msgspec.Struct, frozen=True):
    a: str
    b: str
    winner: str = ""
    bout: int = 1


@script("DUEL-1")
def bout(duel: Duel) -> Rule[Any]:
    """Both choose a guard, sealed; the higher die wins, a tie is another bout."""
    guards = yield from ask_each((duel.a, duel.b), OneOf(("high", "low")), absent="low")
    a = yield from roll(1, D6, read=total, why="a")
    b = yield from roll(1, D6, read=total, why="b")
    a += guards[duel.a] == "high"
    yield from tell("DUEL-1", "bout", a=a, b=b)
    if a == b:
        return msgspec.structs.replace(duel, bout=duel.bout + 1), [("DUEL-1",)]
    return msgspec.structs.replace(duel, winner=duel.a if a > b else duel.b), []


def adjust_duel(duel: Duel, name: str, value: Any) -> Duel:
    return msgspec.structs.replace(duel, **{name: value})


def faults_of_duel(duel: Duel) -> list[str]:
    return [] if duel.winner in ("", duel.a, duel.b) else ["winner"]


DUEL = add_system(
    System(
        name="duel", edition="1", titles={"fr": "Duel", "en": "Duel"}, seats=("a", "b"), least=2,
        options=(), state=Duel, setup=Setup,
        begin=lambda s, seats, o: (Duel(*seats), [("DUEL-1",)]), period=lambda duel: duel.bout,
        view=lambda duel, seat: duel, standing=lambda d: Standing(bool(d.winner)), data=Path(),
        adjust=adjust_duel, faults=faults_of_duel,
    )
)  # fmt: skip

register_resolver(
    Resolver(
        "toy_duel",
        open=lambda brief: Position(
            "duel", "1", Duel(brief.sides[0].seat, brief.sides[1].seat), (("DUEL-1",),)
        ),
        report=lambda _, duel: Report("", 0 if duel.winner == duel.a else 1),
        system="duel",
    )
)
