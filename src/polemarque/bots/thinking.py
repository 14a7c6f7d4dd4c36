"""Bots that think where nobody waits for them: a position goes in, their next answers come out.

It is plain data both ways, so that it can be done in another process.  The position is whole, but
what a bot is handed of it is as ever: what its seat may see, the options, and the question.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

import msgspec

from polemarque.bots.base import STEADY, Tunable, bot, bot_names
from polemarque.bots.play import Chance, answer_of, next_question
from polemarque.kernel.errors import Refusal
from polemarque.kernel.position import decode_position
from polemarque.kernel.record import Answer
from polemarque.kernel.request import Request
from polemarque.kernel.run import Runner
from polemarque.kernel.system import system_names

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
    """The answer's value as the options take it.  Raises Refusal."""
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
