"""Short games of every system, for environments, and agents that need not learn."""

from __future__ import annotations

from typing import Any

from polemarque.kernel.files.plugins import entry_points
from polemarque.kernel.request import Chooser
from polemarque.kernel.system import GROUP, TURN_LIMIT, find_system
from polemarque.lab.agents import Agent
from polemarque.lab.encoding import Observation
from polemarque.lab.environments import Arena
from tests.kernel import toy

SYSTEMS = [*sorted(entry_points(GROUP)), toy.TOY.name]

ROUNDS = {"promiterra": 3}
"""Turns of a short game, where two are too few for anybody to meet."""


def short(system: str, **options: Any) -> dict[str, Any]:
    """Options by which a game of the system ends soon."""
    known = {choice.name for choice in find_system(system).options}
    return {**({TURN_LIMIT: ROUNDS.get(system, 2)} if TURN_LIMIT in known else {}), **options}


def number_of(observation: Observation) -> int:
    """Some number that hangs on all of an observation."""
    return sum(observation["observation"].tobytes())


def whimsical(observation: Observation, chooser: Chooser | None = None) -> int:
    """An action as an observation has it: no chance in it, and every kind of choice made."""
    return number_of(observation) % int(observation["action_mask"].sum())


def play(env: Arena, seed: int) -> int:
    """A whole game by whims; how many choices it took."""
    env.reset(seed=seed)
    steps = 0
    for agent in env.agent_iter():
        observation, _, over, _, _ = env.last()
        assert env.observation_space(agent).contains(observation)
        env.step(None if over else whimsical(observation))
        steps += not over
    return steps


BOT = Agent(whimsical)
"""The same whims as a bot."""
