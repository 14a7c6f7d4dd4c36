"""What a random umpire does in a fuzzed game: he replaces answers, adjusts, moves to an edition.

Values are legal ones, which the question or the system says itself, and nonsense.  What is refused
must have changed nothing; what is taken must leave a game that can be played on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from polemarque.kernel import editions
from polemarque.kernel.adjust import stands_for
from polemarque.kernel.dice import LONG, Faces, counted
from polemarque.kernel.errors import Refusal
from polemarque.kernel.game import Game, replay
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.records.record import Act, Adjust, Adopt, Answer, Replace
from polemarque.kernel.run import Runner

NONSENSE = (
    None, True, -7, 1.5, 10**30, "", "no such word", ("x", "x"), (("x",), {}), {"no": "part"},
    {"of": (1, 2)},
)  # fmt: skip

PROBE = ("no", "such", "value")
"""What nothing takes: a system's refusal of it says what would be legal."""

LATER = ".1"
"""What makes of an edition a newer one, by which nothing is different."""


@contextmanager
def later_editions() -> Iterator[None]:
    """Every system has one edition more for a while, so that there is one to move to."""
    known = editions.known
    editions.known = lambda system: (system.edition + LATER, *known(system))
    try:
        yield
    finally:
        editions.known = known


def umpires_act(game: Game, rng: Random) -> Replace | Act | None:
    """Anything an umpire may try at this moment, or None where there is nothing to replace."""
    kind = rng.choice(("adjust", "adjust", "adjust", "replace", "replace", "adopt"))
    if kind == "adopt":
        return _adopt(game, rng)
    return _adjust(game, rng) if kind == "adjust" else _replace(game, rng)


# Replacing ---------------------------------------------------------------------------------------


def _replace(game: Game, rng: Random) -> Replace | None:
    """Another answer, one's own or the dice's, in the place of one that is in force."""
    given = [(n, e) for n, e in enumerate(game.effective) if isinstance(e, Answer)]
    if not given:
        return None
    at, answer = rng.choice(given)
    if rng.random() < 0.2:
        return Replace(answer.key, "nonsense", value=rng.choice(NONSENSE))
    then = replay(game.header.freed, game.effective[:at])
    _, pending = then.course.asked(answer.key)
    if isinstance(pending, RollRequest):
        value: Any = _fallen(pending, rng)
    else:
        value = pending.options(answer.key.seat).sample(rng)
    return Replace(answer.key, "a mistake", value=value)


def _fallen(throw: RollRequest, rng: Random) -> Faces:
    """Faces of a roll as a person reads them off the table."""
    faces = [rng.randint(1, throw.roll.sides) for _ in range(throw.roll.count)]
    return tuple(faces) if len(faces) <= LONG else counted(faces, throw.roll.sides)


# Adopting ----------------------------------------------------------------------------------------


def _adopt(game: Game, rng: Random) -> Adopt:
    """The game's rules, or those of battles to come; now and then an edition that is none."""
    resolver = rng.choice(("", *game.runner.editions))
    now = game.runner.editions.get(resolver, "") if resolver else game.runner.edition
    newer = now if now.endswith(LATER) else now + LATER
    return Adopt(rng.choice((newer, newer, newer, now, "", "9")), "newer rules", resolver=resolver)


# Adjusting ---------------------------------------------------------------------------------------


def _adjust(game: Game, rng: Random) -> Adjust | None:
    """Anything that a system says can be adjusted, in the game or in a battle inside it."""
    runner = rng.choice(list(game.runner.within()))
    forms = _refused(runner, "")
    if forms is None:  # a toy
        return None
    name = _name(runner, forms.legal, rng)
    value = _value(runner, name, rng) if rng.random() < 0.75 else rng.choice(NONSENSE)
    return Adjust(name, value, "a mistake", path=runner.path)


def _name(runner: Runner, forms: Sequence[str], rng: Random) -> str:
    """A name of one of the forms that can be adjusted; sometimes of something that is not there."""
    if rng.random() < 0.03:
        return rng.choice(("", ".", "no.such.name", "end.", "option"))
    steps = rng.choice(forms).split(".")
    named: list[str] = []
    for step in steps:
        words = _words(runner, step, named) if stands_for(step) else [step]
        named.append(rng.choice(words or ["nobody"]))
    if len(named[0]) == 1 and rng.random() < 0.5:  # a side's letter stands for the other's as well
        named[0] = chr(ord(named[0]) + 1)
    return ".".join(named)


Words = Callable[[Any], Iterable[Any]]

WORDS: dict[str, Words] = {
    "SEAT": lambda war: war.seats,
    "LAND": lambda war: war.lands,
    "PIECE": lambda war: (*war.armies, *war.fleets),
    "ARMY": lambda war: war.armies,
    "TROOP": lambda war: war.troops,
    "CELL": lambda war: war.holders,
    "CODE": lambda battle: (*battle.units, *battle.leaders),
}
"""By the word that stands for them in a form, the names that a state knows."""


def _words(runner: Runner, step: str, named: list[str]) -> list[str]:
    """What may stand in a name for a word of its form."""
    state = runner.state
    if step == "NUMBER":
        army = state.seats[named[-1]].army
        return [str(one.id) for one in (*army.units, *army.characters)] if army else []
    if step == "NAME" and named[-1] == "option":
        return [choice.name for choice in runner.system.options]
    if step == "NAME":
        return [unit.name for side in (state.a, state.b) for unit in side.units]
    return [str(word) for word in WORDS[step](state)]


def _value(runner: Runner, name: str, rng: Random) -> Any:
    """A value that the system itself says is legal, or a text where it names none."""
    refusal = _refused(runner, name)
    if refusal is None or not refusal.legal:
        return rng.randint(-3, 30) if refusal and refusal.code == "act.number" else "a word"
    legal = list(refusal.legal)
    if refusal.code == "answer.list" or name.endswith(".order"):
        several = [rng.choice(legal) for _ in range(rng.randrange(3))]
        return tuple(dict.fromkeys(several))
    if legal == ["true", "false"]:
        return rng.random() < 0.5
    word = rng.choice(legal)
    between = re.fullmatch(r"(-?\d*)-(-?\d*)", word)
    if between is None:
        return rng.choice((word, word, None))
    low, high = int(between[1] or 0), int(between[2] or 20)
    return rng.choice((low, min(low + 3, high), rng.randint(low, high), high, high + 1))


def _refused(runner: Runner, name: str) -> Refusal | None:
    """How a system refuses a value that cannot be; None where it looks at no value."""
    adjust = runner.system.adjust
    if adjust is not None:
        try:
            adjust(runner.state, name, PROBE)
        except Refusal as refusal:
            return refusal
        except TypeError:  # a toy's
            return None
    return None
