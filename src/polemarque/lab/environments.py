"""Games as environments in which agents learn: PettingZoo's for many, Gymnasium's for one.

Any system that is installed can be played, by its name.  Reading this module needs the extra `lab`.
See docs/environments.md.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import gymnasium
import numpy as np
from gymnasium.spaces import Dict, Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv

from polemarque.api.bots import Bot
from polemarque.bots.registry import STEADY, bot, bot_names
from polemarque.bots.search.playout import Worth
from polemarque.bots.search.tree import Search
from polemarque.kernel.files.plugins import entry_points
from polemarque.kernel.game import Game
from polemarque.kernel.new_game import new_header
from polemarque.kernel.records.record import Header
from polemarque.kernel.system import GROUP, find_system
from polemarque.lab.encoding import Encoding, Observation
from polemarque.lab.env_core import Sitting

Bots = Mapping[str, str | Bot]
"""Seat -> bot, or the name of one."""


class GameSpec(NamedTuple):
    """All that a game is played by but its seed; see `aec`."""

    system: str
    scenario: str
    seats: int | None
    setup: Mapping[str, Any] | None
    options: Mapping[str, Any]
    unasked: Collection[str]
    encoding: Encoding
    start: int
    worth: Worth | None
    lang: str

    def header(self, seed: int) -> Header:
        """The header of a game.  Raises Refusal."""
        return new_header(
            self.system, seats=self.seats, setup=self.setup, scenario=self.scenario,
            options=find_system(self.system).limited(self.options, self.scenario), seed=seed,
        )  # fmt: skip

    def sitting(
        self, seed: int | None, rng: np.random.Generator, seats: Sequence[str], bots: Bots
    ) -> Sitting:
        """A game with that seed; if none is given, it is drawn."""
        header = self.header(int(rng.integers(2**31)) if seed is None else seed)
        return Sitting(
            header, seats, bots, self.encoding, self.unasked, start=self.start, worth=self.worth
        )

    def invited(self, bots: Bots) -> Bots:
        """These bots.  Raises NotUnderstood on a name that nobody bears in the system."""
        for player in bots.values():
            if isinstance(player, str):
                bot(player, self.system)
        return bots


def aec(
    system: str,
    scenario: str = "",
    *,
    seats: int | None = None,
    setup: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    bots: Bots | None = None,
    unasked: Collection[str] = (),
    encoding: Encoding | None = None,
    start: int = 0,
    shaped: bool = False,
    lang: str = "en",
) -> Arena:
    """A game whose seats are agents, but for those that are given to bots.

    scenario: name of a shipped one, the system's first by default; `setup` goes over it.
    seats:    how many there are; the scenario's number by default.
    options:  of the system.  One that sets no end by itself gets its default number of turns.
    bots:     who plays the seats that are no agents.
    unasked:  rules, with all that is under them, whose questions agents are spared: they get the
              answer of an absent player.  So can diplomacy be left out.
    start:    the period in which agents begin; until then `steady` bots play for them.
    shaped:   whether each step is rewarded by what the standing of the seat gains (see `Sitting`),
              as the searching bot of the system judges it from the whole state.
    lang:     in which `render` speaks, "fr" or "en".
    Raises Refusal on anything that the system does not know, and ValueError on bots for a seat that
    there is not, or for all of them, and on `shaped` where no bot judges; its `reset` does so on a
    `start` that is no period, or that the game does not reach.
    """
    room = encoding or Encoding()
    worth = worth_of(system) if shaped else None
    table = GameSpec(
        system, scenario, seats, setup, options or {}, unasked, room, start, worth, lang
    )
    return Arena(table, bots or {})


def gym(
    system: str,
    scenario: str = "",
    *,
    seat: str = "",
    against: str | Bot = STEADY,
    seats: int | None = None,
    setup: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    unasked: Collection[str] = (),
    encoding: Encoding | None = None,
    start: int = 0,
    shaped: bool = False,
    lang: str = "en",
) -> Solo:
    """A game of which one seat is the agent, the first by default; `against` plays all others.

    The rest as for `aec`.  Raises as `aec` does.
    """
    room = encoding or Encoding()
    worth = worth_of(system) if shaped else None
    table = GameSpec(
        system, scenario, seats, setup, options or {}, unasked, room, start, worth, lang
    )
    return Solo(table, seat, against)


def worth_of(system: str) -> Worth:
    """How the searching bot of a system judges a state.  Raises ValueError if it has none."""
    for name in bot_names(system):
        if isinstance(found := bot(name, system), Search):
            return found.grounds.worth
    raise ValueError(f"no bot of {system} says what a state is worth: shaped=False")


def register() -> None:
    """Make every installed system known to ``gymnasium.make``, as ``polemarque/<system>-v0``."""
    for name in entry_points(GROUP):
        way = f"{__name__}:{gym.__name__}"
        gymnasium.register(f"polemarque/{name}-v0", way, kwargs={"system": name})


class Arena(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A game between agents, who are called as their seats.

    An agent answers what its seat is asked, one choice at a time (see `choices`).  Each sees only
    its own view and its own question: where all seal an answer, it is asked as if it were the
    first.  The one point of a game is given at its end: to the winner, in equal parts to several,
    or to all seats where nobody wins.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "polemarque", "render_modes": ["ansi"], "render_fps": 1, "is_parallelizable": False,
    }  # fmt: skip
    render_mode = "ansi"

    def __init__(self, table: GameSpec, bots: Bots) -> None:
        super().__init__()
        seats = table.header(0).seats
        for seat in bots:
            _known(seat, seats)
        self.possible_agents = [seat for seat in seats if seat not in bots]
        if not self.possible_agents:
            raise ValueError("every seat is a bot's: there is no agent")
        self.agents: list[str] = []
        self.infos: dict[str, dict[str, Any]] = {}
        self._table, self._bots = table, table.invited(bots)
        self._spaces = {seat: table.encoding.space() for seat in self.possible_agents}
        self._actions = {seat: table.encoding.actions() for seat in self.possible_agents}
        self._rng, _ = np_random()

    @property
    def game(self) -> Game:
        """The game that is played, with its record."""
        return self._sitting.game

    def observation_space(self, agent: str) -> Dict:
        """The same space for every agent: see `Encoding`."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """As many actions as a menu may have choices; the action mask says how many it has."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game, with dice and bots by the seed, as `polemarque run --seed` has them.

        Without one its seed is drawn, by the last one that was given.
        """
        if seed is not None:
            self._rng, _ = np_random(seed)
        self._sitting = self._table.sitting(seed, self._rng, self.possible_agents, self._bots)
        self.agents = self.possible_agents[:]
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self._go_on()

    def step(self, action: int | None) -> None:
        """Make the next choice of the agent whose turn it is; None for one whose game is over.

        Raises ValueError, changing nothing, on an action that its mask does not allow.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has a choice to make")
        self._cumulative_rewards[agent] = 0.0
        self._sitting.choose(int(action))
        self._go_on()

    def _go_on(self) -> None:
        """Turn to whom is asked next, or end."""
        sitting = self._sitting
        self.rewards = {agent: sitting.reward(agent) for agent in self.agents}
        self._accumulate_rewards()
        if sitting.seat is not None:
            self.agent_selection = sitting.seat
            # Only who is asked chooses by what it sees: nobody else's view is written out.
            self.infos = {agent: {} for agent in self.agents}
            self.infos[sitting.seat] = sitting.info(sitting.seat)
            return
        self.infos = {agent: sitting.info(agent) for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def observe(self, agent: str) -> Observation:
        """See `Encoding`; an agent that is not asked can do nothing."""
        return self._sitting.observe(agent)

    def close(self) -> None:
        """There is nothing to let go of."""

    def render(self) -> str:
        """The board and what has happened since the last time, as far as everybody may know."""
        return self._sitting.text(self._table.lang)


class Solo(gymnasium.Env[Observation, int]):
    """One seat of a game; rewards as in `Arena`.

    An action that the mask does not allow changes nothing: the question stays, and the information
    says ``illegal``.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": ["ansi"],
        "render_fps": 1,
    }
    render_mode = "ansi"

    def __init__(self, table: GameSpec, seat: str, against: str | Bot) -> None:
        seats = table.header(0).seats
        self.seat = _known(seat, seats) if seat else seats[0]
        self._bots = table.invited({other: against for other in seats if other != self.seat})
        self._table = table
        self.observation_space = table.encoding.space()  # type: ignore[assignment]
        self.action_space = table.encoding.actions()  # type: ignore[assignment]

    @property
    def game(self) -> Game:
        """The game that is played, with its record."""
        return self._sitting.game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new game: see `Arena.reset`."""
        super().reset(seed=seed)
        self._sitting = self._table.sitting(seed, self.np_random, (self.seat,), self._bots)
        return self._shown()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make the next choice."""
        sitting = self._sitting
        legal = sitting.may(int(action))
        if legal:
            sitting.choose(int(action))
        observation, info = self._shown()
        if not legal:
            info["illegal"] = True
        return observation, sitting.reward(self.seat), sitting.seat is None, False, info

    def _shown(self) -> tuple[Observation, dict[str, Any]]:
        observation = self._sitting.observe(self.seat)
        info = self._sitting.info(self.seat)
        return observation, {**info, "action_mask": observation["action_mask"].copy()}

    def render(self) -> str:
        """See `Arena.render`."""
        return self._sitting.text(self._table.lang)


def _known(seat: str, seats: tuple[str, ...]) -> str:
    if seat not in seats:
        raise ValueError(f"there is no seat {seat!r}: {', '.join(seats)}")
    return seat


register()
