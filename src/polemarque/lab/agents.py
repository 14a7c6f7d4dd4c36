"""Who plays beside or after learning: a policy as a bot, and opponents of any grade.

Reading this module needs the extra `lab`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from polemarque.api.bots import Asked, Bot
from polemarque.kernel.position import encode
from polemarque.kernel.request import Chooser, Options
from polemarque.lab.answer_menus import choosing, under
from polemarque.lab.encoding import Encoding, Observation

Policy = Callable[[Observation, Chooser], int]
"""The action for an observation.  All chance that it needs comes from the chooser, so that a game
which is taken up again goes on alike."""


class Agent:
    """A policy that plays as a bot does, by the same observations as in the environments.

    encoding: the one that it has learnt with.
    unasked:  likewise: rules to whose questions it answers as an absent player.
    """

    def __init__(
        self, policy: Policy, encoding: Encoding | None = None, unasked: Collection[str] = ()
    ) -> None:
        self._policy, self._unasked = policy, unasked
        self._encoding = encoding or Encoding()

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """See Bot.  Raises ValueError on an action that the mask does not allow."""
        if under(asked.rule, self._unasked):
            return asked.absent()
        encoding = self._encoding
        answer = choosing(options, encoding.choices)
        try:
            menu, seen = next(answer), encoding.seen(encode(view))
            while True:
                action = int(self._policy(encoding.observation(seen, asked.key, menu), chooser))
                if not 0 <= action < len(menu.choices):
                    raise ValueError(f"{asked.rule}: there is no choice {action}")
                menu = answer.send(action)
        except StopIteration as made:
            return made.value


FINE = 2**20
"""How finely the share of a `Clumsy` is told."""


class Clumsy:
    """A bot that now and then answers at random: an opponent between two grades.

    skilled: who answers otherwise.   often: the share of answers at random, from 0 to 1.
    """

    def __init__(self, skilled: Bot, often: float) -> None:
        self._skilled, self._often = skilled, often

    def choose(self, view: Any, options: Options, asked: Asked, chooser: Chooser) -> Any:
        """See Bot."""
        if chooser.randrange(0, FINE) < self._often * FINE:
            return options.sample(chooser)
        return self._skilled.choose(view, options, asked, chooser)
