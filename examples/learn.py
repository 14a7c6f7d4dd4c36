"""Teach a program to play with MaskablePPO, then count what it wins, from both seats.

pip install 'polemarque[lab]' sb3-contrib
python examples/learn.py batailles leuctra --steps 15000
python examples/learn.py thucidide tutorial --steps 300000 --shaped
"""

from __future__ import annotations

import argparse
from typing import Any

import gymnasium
import numpy as np
from gymnasium.wrappers import TimeLimit
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

from polemarque.lab.environments import gym

LONGEST = 400
"""Choices after which a game is cut short: a program that always does what it holds best may call
for reactions again and again, which changes nothing.  Beginners make 30 to 90 in a battle."""


class Masked(gymnasium.Wrapper):
    """What MaskablePPO wants: a plain vector to see, and the mask by a method of this name."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.observation_space = env.observation_space["observation"]

    def reset(self, **how: Any) -> tuple[Any, dict[str, Any]]:
        """See gymnasium.Env."""
        seen, info = self.env.reset(**how)
        self.mask = seen["action_mask"].astype(bool)
        return seen["observation"], info

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """See gymnasium.Env."""
        seen, reward, over, cut, info = self.env.step(int(action))
        self.mask = seen["action_mask"].astype(bool)
        return seen["observation"], reward, over, cut, info

    def action_masks(self) -> Any:
        """Which actions can be taken; of a game that is over, all (nobody takes one)."""
        return self.mask if self.mask.any() else np.ones_like(self.mask)


def played(model: Any, env: Masked, games: int) -> float:
    """What the model wins of a game's one point, in the mean; nothing in one that is cut short.

    It chooses by chance, as it has learned to: what seems best alone may lead round in a circle.
    """
    points = 0.0
    for seed in range(10_000, 10_000 + games):
        seen, _ = env.reset(seed=seed)
        over = cut = False
        while not (over or cut):
            action, _ = model.predict(seen, action_masks=env.action_masks())
            seen, reward, over, cut, _ = env.step(action)
        points += reward if over else 0
    return points / games


def main() -> None:
    """Learn in both seats at once; print the mean reward of each, before and after."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("system")
    parser.add_argument("scenario")
    parser.add_argument("--against", default="random")
    parser.add_argument("--steps", type=int, default=15_000)
    parser.add_argument("--games", type=int, default=100, help="played in each seat to count")
    parser.add_argument("--shaped", action="store_true", help="reward what a standing gains")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()

    def seat(name: str, *, shaped: bool = False) -> Masked:
        table = {"seat": name, "against": asked.against, "shaped": shaped}
        return Masked(TimeLimit(gym(asked.system, asked.scenario, **table), LONGEST))

    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([lambda name=name: seat(name, shaped=asked.shaped) for name in "AB"]),
        policy_kwargs={"net_arch": [128, 128]},
        n_steps=512,
        seed=asked.seed,
        device="cpu",
    )
    for when, steps in (("before", 0), ("after", asked.steps)):
        if steps:
            model.learn(steps)
        won = {name: played(model, seat(name), asked.games) for name in "AB"}
        print(f"{when} {model.num_timesteps} steps:", *(f"{n} {p:.3f}" for n, p in won.items()))


if __name__ == "__main__":
    main()
