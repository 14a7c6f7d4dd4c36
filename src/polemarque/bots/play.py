"""Letting bots play, from question to question, until somebody else is asked or the game ends."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from functools import cached_property
from random import Random
from time import monotonic
from typing import Any, NamedTuple, cast

import msgspec

from polemarque.api import UMPIRE, NotAllowed, Refusal, system_names
from polemarque.api.bots import Asked, Bot, Key, Position, Tunable
from polemarque.bots.registry import STEADY, bot, bot_names
from polemarque.kernel.game import Game
from polemarque.kernel.position import decode_position
from polemarque.kernel.records.record import Answer
from polemarque.kernel.request import Request
from polemarque.kernel.run import Runner
from polemarque.kernel.system import TURN_LIMIT

Watch = Callable[[Game], None]
"""Called after each answer of a bot."""


class Chance:
    """The bots' own randomness: a function of a seed and of the question's key, nothing else.

    So a bot answers a question the same way whether the game runs through or was resumed before it,
    and whatever was asked in between.
    """

    def __init__(self, seed: int | str | None = None) -> None:
        self._seed = str(seed) if seed not in (None, "") else secrets.token_hex(16)

    def of(self, key: Key) -> Random:
        """The chooser for one question."""
        return cast(Random, _Unseeded(self._seed, key))


class _Unseeded:
    """A chooser, seeded when it is first drawn from: to seed one takes longer than many an answer,
    and steady bots seldom draw."""

    def __init__(self, seed: str, key: Key) -> None:
        self._of = seed, key

    @cached_property
    def _random(self) -> Random:
        seed, key = self._of
        return Random(f"{seed}|{key}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # asked for by what copies or pickles, before there is a seed
            raise AttributeError(name)
        return getattr(self._random, name)


def play_game(
    game: Game,
    bots: Mapping[str, str | Bot],
    *,
    seed: int | str | None = None,
    stop: Callable[[Game], bool] | None = None,
    on_step: Watch | None = None,
    on_question: Callable[[Question], None] | None = None,
    umpire: bool = True,
    spare: bool = True,
) -> None:
    """Settle chance and let the bots answer, until the game is over or only others are asked.

    bots: seat -> bot, or the name of one.  A name is looked up for the system that asks, so that
          the battles inside a campaign find their own bot; see `_player`.
    seed: of the bots' own choices; the game's seed if it has one.
    stop: asked before each answer; True leaves the game where it is.
    on_step: called after each answer.   on_question: before it, with what is asked.
    umpire: whether the umpire's questions get the rules' own answer here, as if absent.
    spare: whether people are spared what leaves them nothing to decide.

    A question to several seats waits until only bots are missing: people seal first.
    Raises NotAllowed where bots have all the seats of a game that no rule ends, without a `stop`.
    """
    system = game.system
    alone = stop is None and bots.keys() >= {*game.header.seats}
    if alone and system.never_ends(game.header.options):
        legal = (f"{TURN_LIMIT}={system.turns}",)
        raise NotAllowed("game.endless", part=system.name, legal=legal)
    chance = Chance(seed if seed is not None else game.header.seed)
    seats = frozenset([*bots, *([UMPIRE] if umpire else [])])
    while stop is None or not stop(game):
        game.settle()
        found = next_question(game.runner, seats)
        if found is None:
            if spare and game.spare([seat for seat in game.header.seats if seat not in bots]):
                continue
            return
        if on_question is not None:
            on_question(found)
        game.enter(answer_of(found, bots.get(found.seat), chance))
        if on_step is not None:
            on_step(game)


class Question(NamedTuple):
    """An open question to a seat, and the game or battle that asks it."""

    runner: Runner
    request: Request
    seat: str


def next_question(runner: Runner, seats: frozenset[str]) -> Question | None:
    """The first open question whose answers are only awaited from `seats`, in a game or in the
    battles inside it."""
    for within, pending in runner.open():
        if isinstance(pending, Request):
            missing = pending.missing
            if missing and seats.issuperset(missing):
                return Question(within, pending, missing[0])
    return None


def answer_of(question: Question, player: str | Bot | None, chance: Chance) -> Answer:
    """What a bot answers; None for what the rules answer for an absent player."""
    runner, request, seat = question
    key = request.keys[seat]
    if player is None:
        return Answer(key, request.absent(seat), "absent")
    player = _player(player, runner.system.name, inside=bool(key.path))
    asked = Asked(key, lambda: request.absent(seat), lambda: moment_of(runner))
    view = runner.system.view(runner.state, seat)
    return Answer(key, player.choose(view, request.options(seat), asked, chance.of(key)))


def _player(player: str | Bot, system: str, *, inside: bool) -> Bot:
    """Who answers a question of a system; `inside` a live battle, of another system than the game.

    There a bot that is known to the game alone leaves its seat to the battle's steady bot.
    """
    if isinstance(player, str):
        known = not inside or player.partition(":")[0] in bot_names(system)
        return bot(player if known else STEADY, system)
    return bot(STEADY, system) if inside else player


def moment_of(runner: Runner) -> Position | None:
    """Where the rules of a running game stand: no state, nothing sealed; see `Asked`."""
    if not runner.system.public_course:
        return None
    return msgspec.structs.replace(runner.position, state=None, waiting={}, branches=())


# In a process apart ------------------------------------------------------------------------------

# It is plain data both ways: a whole position goes in, answers come out.  A bot is handed of it
# what its seat may see, the options, and the question.

ABREAST = 0.2
"""Seconds after which no further question is begun."""


class Task(msgspec.Struct, frozen=True):
    """Questions to think about.

    position: as `encode_position` writes it.   bots: seat -> name of its bot.
    nobody:   seats whose questions the rules answer.   most: so many answers and no more.
    """

    position: bytes
    bots: Mapping[str, str]
    nobody: frozenset[str] = frozenset()
    most: int = 100


class Thought(msgspec.Struct, frozen=True):
    """What came of a task: answers in the order in which they can be given, each after the other.

    fault: what broke off after the last of them, or "".
    """

    answers: tuple[Answer, ...]
    fault: str = ""


def think(task: Task) -> Thought:
    """Answer the open questions of bots, and those that follow without dice and without people.

    Whatever a bot does wrong is its fault, and told as such: this raises nothing.
    """
    answers: list[Answer] = []
    until = monotonic() + ABREAST
    try:
        runner = Runner(decode_position(task.position))
        seats, chance = frozenset(task.bots) | task.nobody, Chance()
        while len(answers) < task.most and (not answers or monotonic() < until):
            question = next_question(runner, seats)
            if question is None:
                break
            given = answer_of(question, task.bots.get(question.seat), chance)
            given = msgspec.structs.replace(given, value=_taken(question.request, given))
            answers.append(given)
            question.runner.say(question.seat, given.value)
            if runner.branches:
                runner.settle_battles()
    except Exception as fault:  # noqa: BLE001 - a stranger's program may break off in any way
        return Thought(tuple(answers), repr(fault)[:200])
    return Thought(tuple(answers))


def _taken(request: Request, answer: Answer) -> object:
    return request.options(answer.key.seat).take(answer.value)


def thinks_long(name: str, system: str) -> bool:
    """Whether a bot of that name thinks as long as it is told to."""
    try:
        return isinstance(bot(name, system), Tunable)
    except Refusal:  # it is not installed any more
        return False


def load_bots() -> None:
    """Load the steady bot of every system, before anybody waits for one."""
    for system in system_names(hidden=True):
        if STEADY in bot_names(system):
            bot(STEADY, system)
