"""Troops beyond the most dice that one roll of the kernel has."""

from __future__ import annotations

from msgspec.structs import asdict

from polemarque.kernel.dice import MOST_DICE
from polemarque.kernel.records.keyed_dice import Seeded
from polemarque.odds.run_once import run_procedure
from polemarque.systems.promiterra.chapters.dice_cutting import rolls_of
from polemarque.systems.promiterra.chapters.trials import conditions
from tests.systems.promiterra.wars import game_of, setup, troop

STILL = {"end": "fight_on", "plan": "confirm"}


def test_so_many_dice_are_rolled_in_as_many_rolls_as_it_takes() -> None:
    for count in (0, 1, MOST_DICE, MOST_DICE + 1, 3 * MOST_DICE, 3 * MOST_DICE + 7):
        rolls = list(rolls_of(count))
        assert sum(rolls) == count
        assert max(rolls) <= MOST_DICE
        assert count == 0 or 0 not in rolls


def test_a_merged_troop_of_more_than_a_million_ripostes_and_bleeds() -> None:
    host = [troop("light", 900_000, name, f"c{row}") for row, name in ((3, "Ann"), (4, "Al"))]
    foe = [troop("light", 1_000_000, name, f"d{row}") for row, name in ((3, "Bob"), (4, "Bea"))]
    game = game_of(setup(host, foe), dice="all")
    merge = {
        "order": "listed", "move.A1": [], "act.A1": "merger", "partner.A1": "A2",
        "leader.A1": "A-1", "new_cell.A1": "c4", "named.A1": "A1",
        "move.A2": [], "act.A2": "none",
    }  # fmt: skip
    game.answer("A", {**STILL, **merge})
    attack = {
        f"{part}.{code}": word
        for code in ("B1", "B2")
        for part, word in (("move", []), ("act", "attack"), ("target", "A1"))
    }
    game.answer("B", {**STILL, "order": "listed", **attack})
    game.settle()
    units = game.state.troops["A1"].units
    assert units == 1_800_000
    game.answer("A", {"riposte.B1": units})
    game.settle()
    assert game.state.troops["B1"].lost > 0
    assert game.state.troops["A1"].lost > 0
    assert game.requests(), "the war goes on"


def test_the_lost_of_such_a_troop_are_all_accounted_for() -> None:
    lost = 2 * MOST_DICE + 500_000
    ran = run_procedure(lambda: conditions.run(lost), Seeded(1), rule="PR-8.4")
    assert sum(asdict(ran.value).values()) == lost
    assert [sum(thrown.faces) for thrown in ran.dice] == list(rolls_of(lost))
