"""What a bot is, and how one is found by its name.

A bot is asked exactly what a person is asked: it gets what its seat may see, the options of the
question, and which question it is.  It keeps nothing between two questions, and all its chance
comes from the chooser it is handed, so that the same game gives the same answers again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module, util
from typing import Any, Protocol, runtime_checkable

import msgspec

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.plugins import entry_points, load
from polemarque.kernel.position import Position
from polemarque.kernel.request import Chooser, Key, Options, Sheet

GROUP = "polemarque.bots"
"""Entry points of strangers' bots, named ``<system>.<bot>``."""

STEADY = "steady"
"""The name of the bot that plays sensibly; every system of ours has one."""

RANDOM = "random"
"""The name of the bot that picks any legal answer."""


def _unknown() -> None:
    """No moment is known."""


class Asked(msgspec.Struct, frozen=True):
    """A question as a bot knows it: not the request itself, which holds what others have sealed.

    key:    period, path, rule, seat, subject and number.
    absent: gives what the rules answer for an absent player.
    moment: gives where the rules stand, for a bot that plays on in its head: a position without its
            state and without what others have sealed.  None where the system's rules keep secrets
            in what runs (see `System.public_course`).
    """

    key: Key
    absent: Callable[[], Any]
    moment: Callable[[], Position | None] = _unknown

    @property
    def seat(self) -> str:
        """Who is asked."""
        return self.key.seat

    @property
    def rule(self) -> str:
        """The rule that asks."""
        return self.key.rule


class Bot(Protocol):
    """A player that is a program."""

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """An answer that `options` take."""
        ...


@runtime_checkable
class Tunable(Protocol):
    """A bot that can be told how much effort to spend."""

    def tuned(self, effort: str) -> Bot:
        """The bot that spends so much.  Raises NotUnderstood."""
        ...


def fill(sheet: Sheet, answer: Callable[[str, Options], Any]) -> dict[str, Any]:
    """A sheet filled part by part with what `answer(part, options)` gives."""
    filled: dict[str, Any] = {}
    filling = sheet.fill()
    try:
        part, options = next(filling)
        while True:
            filled[part] = value = options.take(answer(part, options))
            part, options = filling.send(value)
    except StopIteration:
        return filled


def usual(options: Options, asked: Asked, chooser: Chooser) -> Any:
    """What the rules answer for an absent player, where it can be answered; else anything."""
    try:
        return options.take(asked.absent())
    except (NotAllowed, NotUnderstood):
        return options.sample(chooser)


@cache
def bot(name: str, system: str) -> Bot:
    """The bot of that name for a system, looked for when first asked for.

    A system without a `steady` bot of its own is played by `random`.  A bot that can be tuned takes
    its effort after a colon: "mcts:200", "mcts:1.5s".
    Raises NotUnderstood naming the bots there are.
    """
    plain, _, effort = name.partition(":")
    if effort:
        tunable = bot(plain, system)
        if not isinstance(tunable, Tunable):
            raise NotUnderstood("bot.unknown", part=name, legal=bot_names(system))
        return tunable.tuned(effort)
    found = _known(system).get(name)
    target = entry_points(GROUP).get(f"{system}.{name}")
    if found is None and target is not None:
        found = load(target)
    if found is None:
        raise NotUnderstood("bot.unknown", part=name, legal=bot_names(system))
    return found


@cache
def bot_names(system: str) -> tuple[str, ...]:
    """Names of the bots that can play a system, `steady` first."""
    strangers = [
        point.removeprefix(f"{system}.")
        for point in entry_points(GROUP)
        if point.startswith(f"{system}.")
    ]
    return tuple(dict.fromkeys([*_known(system), *sorted(strangers)]))


def _known(system: str) -> dict[str, Bot]:
    """Our own bots for a system: those of its modules ``<system>`` and ``search_<system>`` here."""
    from polemarque.bots.random_bot import RandomBot

    anybody = RandomBot()
    bots: dict[str, Bot] = {STEADY: anybody, RANDOM: anybody}
    for module in (f"polemarque.bots.{system}", f"polemarque.bots.search_{system}"):
        if system.isidentifier() and util.find_spec(module) is not None:
            own: dict[str, Bot] = getattr(import_module(module), "BOTS", {})
            bots |= own
    return bots
