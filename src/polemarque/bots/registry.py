"""How a bot is found by its name, and the one that plays anything at random.

What a bot is stands in `polemarque.api.bots`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from polemarque.api import Options
from polemarque.api.bots import Asked, Bot, Chooser, Tunable
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.files.plugins import Plugins, companion, finding, kept
from polemarque.kernel.system import find_system, system_names

if TYPE_CHECKING:
    from polemarque.kernel.files.findings import Finding


class RandomBot:
    """Uniform among the options; a sheet part by part."""

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """See Bot."""
        return options.sample(chooser)


GROUP = "polemarque.bots"
"""Entry points of strangers' bots, named ``<system>.<bot>``."""

STEADY = "steady"
"""The name of the bot that plays sensibly; every system of ours has one."""

RANDOM = "random"
"""The name of the bot that picks any legal answer."""


@kept
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
    found: Bot | None = _known(system).get(name) or BOTS.find(f"{system}.{name}")
    if found is None:
        raise NotUnderstood("bot.unknown", part=name, legal=bot_names(system))
    return found


def _bot_faults(name: str, found: Any) -> Iterator[Finding]:
    if not callable(getattr(found, "choose", None)) or isinstance(found, type):
        yield finding(name, "contract", field="choose", given=repr(found)[:80], wanted="Bot")


BOTS = Plugins(GROUP, _bot_faults)


@kept
def bot_names(system: str) -> tuple[str, ...]:
    """Names of the bots that can play a system, `steady` first."""
    strangers = [
        point.removeprefix(f"{system}.") for point in BOTS.names() if point.startswith(f"{system}.")
    ]
    return tuple(dict.fromkeys([*_known(system), *sorted(strangers)]))


def check_bot(name: str, system: str) -> None:
    """Raises NotUnderstood on a name that no bot of a system has; with an effort it is none."""
    names = bot_names(system)
    if name not in names:
        raise NotUnderstood("bot.unknown", part=name, legal=names)


def _known(system: str) -> dict[str, Bot]:
    """The bots that any system has, and over them those of the modules that it names."""
    anybody = RandomBot()
    bots: dict[str, Bot] = {STEADY: anybody, RANDOM: anybody}
    for module in find_system(system).bots if system in system_names(hidden=True) else ():
        bots |= getattr(companion(module), "BOTS", {})
    return bots
