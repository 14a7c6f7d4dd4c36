"""Procedures and questions made up for the odds and for consult: sums, rounds, ties, tallies.

The system is known only while the fixture `reckoner` lives, so that the contract suite, which runs
over every system there is, does not take it for a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pytest

from polemarque.kernel import system as systems
from polemarque.kernel.agenda import (
    ANY_RULES,
    Rule,
    Rules,
    again,
    ask,
    call,
    explain,
    procedure,
    roll,
    tally,
)
from polemarque.kernel.dice import D3, D6, at_most, faces, total, total_and
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.events import bonus
from polemarque.kernel.files.plugins import look_again
from polemarque.kernel.request import Amount
from polemarque.kernel.system import Choice, Question, Standing, System, add_system
from polemarque.odds.enumeration import Law, results
from polemarque.odds.outcomes import Spread, ranked


class Number(msgspec.Struct, frozen=True):
    total: int


@procedure("RK-1")
def summed(count: int, sides: int) -> Rule[Number]:
    """A sum of dice."""
    return Number((yield from roll(count, sides, read=total, why="sum")))


class Score(msgspec.Struct, frozen=True):
    score: int
    feats: int = 0


@procedure("RK-2")
def score(base: int, pm: int, players: int) -> Rule[Score]:
    """Dice, and dice whose sixes are counted apart."""
    dice = yield from roll(pm, D6, read=total, why="pm")
    more, sixes = yield from roll(players, D6, read=total_and(6), why="players")
    yield from tally(feats=sixes)
    return Score(base + dice + more)


class Phase(msgspec.Struct, frozen=True):
    winner: str | None
    loss: int = 0
    gap: int = 0
    feats_a: int = 0
    feats_b: int = 0


@procedure("RK-3")
def phase(a: tuple[int, int, int], b: tuple[int, int, int]) -> Rule[Phase]:
    """Two scores, and a loss die where they are close."""
    mine, theirs = (yield from call(score, *a)), (yield from call(score, *b))
    gap = mine.score - theirs.score
    yield from tally(gap=abs(gap), feats_a=mine.feats, feats_b=theirs.feats)
    if gap == 0:
        return Phase(None)
    lost = 5
    if abs(gap) < 6:
        lost = yield from roll(1, D6, read=total, why="loss")
    return Phase("a" if gap > 0 else "b", lost)


class Assault(msgspec.Struct, frozen=True):
    result: str
    rounds: int = 0
    lost: int = 0


@procedure("RK-4")
def assault(attack: int, defence: int) -> Rule[Assault]:
    """Rounds until it is decided; an undecided one moves the attack."""
    dice = yield from roll(2, D6, read=total, why="defence")
    gap = attack - defence - dice
    lost = yield from roll(1, D3, read=total, why="lost")
    yield from tally(rounds=1, lost=lost)
    if -2 <= gap <= 2:
        return again(attack + (gap > 0) - (gap < 0), defence)
    return Assault("taken" if gap > 0 else "beaten")


class Won(msgspec.Struct, frozen=True):
    winner: str
    throws: int = 0


@procedure("RK-5")
def duel(edge: int) -> Rule[Won]:
    """The higher die wins; ties are rolled again."""
    a = yield from roll(1, D6, read=total, why="strike", whom=("a",))
    b = yield from roll(1, D6, read=total, why="strike", whom=("b",))
    yield from explain(bonus("RK-5", edge, "edge"))
    yield from tally(throws=2)
    if a + edge == b:
        return again(edge)
    return Won("a" if a + edge > b else "b")


class Hits(msgspec.Struct, frozen=True):
    losses: int
    hits: int = 0


@procedure("RK-6")
def volley(dice: int, attack: int, defence: int) -> Rule[Hits]:
    """Hits, then saves against them."""
    hits = yield from roll(dice, D6, read=at_most(attack), why="hits")
    yield from tally(hits=hits)
    saved = yield from roll(hits, D6, read=at_most(defence), why="saves")
    return Hits(hits - saved)


class Ruin(msgspec.Struct, frozen=True):
    rich: bool
    rounds: int = 0


@procedure("RK-7")
def ruin(coins: int, enough: int) -> Rule[Ruin]:
    """A fair game for a coin a round, until one has all or nothing."""
    won = yield from roll(1, 2, read=total, why="coin")
    yield from tally(rounds=1)
    coins += 1 if won == 2 else -1
    if coins in (0, enough):
        return Ruin(coins > 0)
    return again(coins, enough)


@procedure("RK-8")
def risked(most: int) -> Rule[Number]:
    """Somebody chooses how many dice to risk."""
    stake = yield from ask("umpire", Amount(0, most), absent=1, subject="stake")
    return Number((yield from roll(stake, D6, read=total, why="risk")))


@procedure("RK-9")
def listed(count: int) -> Rule[Number]:
    """All the faces, one by one: for few dice only."""
    fell = yield from roll(count, D6, read=faces, why="list")
    return Number(max(fell))


@procedure("RK-10")
def one_by_one(count: int) -> Rule[Number]:
    """Roll after roll in one run: paths without end."""
    added = 0
    for _ in range(count):
        added += yield from roll(1, D6, read=total, why="one")
    return Number(added)


@procedure("RK-11")
def boastful(count: int) -> Rule[Number]:
    """Reads a tally, which no rule may."""
    won = yield from call(score, 0, 0, count)
    return Number(1 if won.feats > 1 else 0)


@procedure("RK-12")
def endless(turn: int) -> Rule[Number]:
    """Goes round for ever."""
    yield from roll(1, D6, read=total, why="turn")
    return again(1 - turn)


@procedure("RK-13")
def inward(turn: int) -> Rule[Number]:
    """Calls itself with the same figures."""
    yield from roll(1, D6, read=total, why="turn")
    return (yield from call(inward, turn))


@procedure("RK-15")
def seldom_read(limit: int) -> Rule[Hits]:
    """Rolls that only some ways look at, the first after the second."""
    first = yield from roll(2, D6, read=total, why="first")
    second = yield from roll(1, D6, read=total, why="second")
    third = yield from roll(1, D3, read=total, why="third")
    yield from tally(hits=first - 2 * third)
    if second > limit:
        yield from tally(hits=first)
        return Hits(second)
    if second == 1:
        return Hits(0 if f"{first}" == "7" else third)
    return Hits(first + 1)


# Questions ---------------------------------------------------------------------------------------


class Army(msgspec.Struct, frozen=True):
    base: int
    pm: int
    players: int = 0


def _listed(most: int) -> Rule[Any]:
    return listed.run(most)


def _summed(n: Annotated[int, msgspec.Meta(ge=0)], sides: Literal[3, 6] = 6) -> Rule[Any]:
    return summed.run(n, sides)


def _assault(attack: int, defence: int = 0) -> Rule[Any]:
    return assault.run(attack, defence)


def _duel(edge: int = 0) -> Rule[Any]:
    return duel.run(edge)


def _phase(
    a: Army,
    b: Army,
    kind: Literal["open", "hidden"] = "open",
    note: str | None = None,
    *,
    options: Mapping[str, Any],
) -> Rule[Any]:
    if a.pm < 1:
        raise NotAllowed("option.value", rule="RK-3", part="pm", name="pm", legal=("1",))
    first, second = (msgspec.structs.astuple(army) for army in (a, b))
    fought = yield from call(phase, first, second)
    result = msgspec.structs.asdict(fought)
    if options["mercy"] == "always":
        result["loss"] = 0
    return result


def _plain(units: tuple[Army, ...], lead: int | Literal["none"], brave: bool) -> dict[str, int]:
    return {"armies": len(units), "pm": sum(army.pm for army in units)}


QUESTIONS = (
    Question("RK-1", _summed, example={"n": 3}),
    Question(
        "RK-3", _phase, tallies=("gap", "feats_a", "feats_b"),
        example={"a": {"base": 1, "pm": 2}, "b": {"base": 1, "pm": 2}},
    ),
    Question(
        "RK-4", _assault,
        tallies=("rounds", "lost"), example={"attack": 9},
    ),
    Question("RK-5", _duel, ("throws",), {}, "each"),
    Question("RK-8", risked, example={"most": 3},
             choices=("stake", "RK-8")),
    Question("RK-9", _listed, example={"most": 2}),
    Question("RK-14", _plain, example={"units": [], "lead": "none", "brave": True}),
)  # fmt: skip

SYSTEM = System(
    name="reckoner", edition="1", titles={"fr": "Calculs", "en": "Reckoner"}, seats=("A",),
    least=1, options=(
        Choice("mercy", "RK-3", ("never", "always"), "never"),
        Choice("limit", "RK-3", (0, 5), 3, number=True),
    ),
    state=Number, setup=Number, begin=lambda *_: (Number(0), []), period=lambda _: 1,
    view=lambda *_: None, standing=lambda _: Standing(True), data=Path(__file__).parent / "data",
    questions=QUESTIONS,
)  # fmt: skip


@pytest.fixture
def reckoner() -> Iterator[System]:
    """The toy system, known for one test."""
    add_system(SYSTEM)
    yield SYSTEM
    del systems._ADDED[SYSTEM.name]
    look_again()


def law_of(
    begin: Callable[[], Any], *, tallies: Sequence[str] = (), rule: str = "",
    rules: Rules = ANY_RULES,
) -> Law:  # fmt: skip
    """The exact law of what `begin` begins, as fractions."""
    ends, scale, met = results(begin, tallies=tallies, rule=rule, rules=rules, choices={})
    return Law(ranked(Spread(lambda: (ends, scale)).outcomes), met)
