"""Random games of every scenario: what must hold after every answer."""

from __future__ import annotations

import random

import pytest

from polemarque.kernel.system import find_system
from polemarque.systems.promiterra.adjust import faults
from polemarque.systems.promiterra.state import War

SYSTEM = find_system("promiterra")
GAMES = [(name, seed) for seed in range(4) for name in SYSTEM.scenarios]


def options(seed: int) -> dict[str, str]:
    """Any variants."""
    rng = random.Random(seed)
    return {each.name: rng.choice(each.values) for each in SYSTEM.options if not each.number}


class Watch:
    """Looks at a war after each answer; remembers how many units there were."""

    def __init__(self) -> None:
        self.units: int | None = None

    def __call__(self, war: War) -> None:
        assert not faults(war)
        if self.units is None:
            self.units = sum(troop.units for troop in war.troops.values())
        # Nobody is born: divisions and mergers move units, losses are counted.
        assert sum(troop.units + troop.lost for troop in war.troops.values()) == self.units
        stand = [troop.cell for troop in war.present if troop.cell]
        assert len(stand) == len(set(stand))
        assert all(cell in war.board.grid for cell in stand)
        led = [troop.leader for troop in war.present]
        assert len(led) == len(set(led))


@pytest.mark.parametrize(("scenario", "seed"), GAMES)
def test_a_random_game_is_sound_at_every_step(scenario: str, seed: int) -> None:
    game = played_one(scenario, seed)
    ending = game.state.ending
    assert ending is not None and ending.done


def played_one(scenario: str, seed: int):  # type: ignore[no-untyped-def]
    from tests.systems.promiterra.wars import played

    return played(scenario, seed, Watch(), options(seed))


@pytest.mark.parametrize("seats", range(2, 9))
def test_sample_armies_meet_without_a_scenario(seats: int) -> None:
    from polemarque.kernel.errors import NotAllowed
    from polemarque.kernel.game import Game, new_header

    given = {"board": {}, "armies": []}
    header = new_header("promiterra", seats=seats, setup=given, seed=1)
    if seats > 4:  # a board has four edges
        with pytest.raises(NotAllowed):
            Game(header)
        return
    game = Game(header)
    assert len(game.state.armies) == seats
