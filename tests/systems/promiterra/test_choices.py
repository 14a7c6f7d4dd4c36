"""What is offered: ways against brute force, and counts of first answers in pinned positions."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import OneOf, Path, Sheet
from polemarque.kernel.system import Choice
from polemarque.systems.promiterra.current_stats import stats
from polemarque.systems.promiterra.ground import Field, targets
from polemarque.systems.promiterra.setup.options import CHOICES
from polemarque.systems.promiterra.state import War

COSTS = {
    **dict.fromkeys(("road", "plain", "town", "thin_snow"), 1),
    **dict.fromkeys(("light_forest", "desert", "hill", "stream", "deep_snow"), 2),
    **dict.fromkeys(("dense_forest", "mountain", "marsh", "river"), 3),
}
"""The book's list, copied a second time."""

SCENARIOS = ("skirmish", "siege", "coalition", "colossus", "hosts")


def opened(scenario: str, turns: int = 0, **options: Any) -> Game:
    """A game whose players have deployed and then said nothing for some turns."""
    game = Game(new_header("promiterra", scenario=scenario, seed=7, options=options))
    game.settle()
    asked = -1
    while asked < turns:
        request = game.requests()[0]
        asked += request.rule == "PR-3.3"
        if asked < turns:
            game.absent(request.missing[0])
            game.settle()
    return game


def cheapest(war: War, troop: str, minimum: bool) -> set[str]:
    """Cells that a troop can reach, by relaxing all steps until nothing changes."""
    was = war.troops[troop]
    side = war.alliance_of(was.army)
    points = stats(war, was).movement
    ground = war.board.grid
    enemies = {t.cell for t in war.present if war.alliance_of(t.army) != side}
    stand = {t.cell for t in war.present}
    shut = {
        cell
        for cell in war.board.marks.get("fortification", {})
        if cell not in stand and war.holders.get(cell) != side
    }
    least = {was.cell: 0}
    changed = True
    while changed:
        changed = False
        for here, spent in list(least.items()):
            for cell in ground.cells:
                if (
                    max(
                        abs(ground.column(here) - ground.column(cell)),
                        abs(ground.row(here) - ground.row(cell)),
                    )
                    != 1
                    or cell in enemies | shut
                ):
                    continue
                cost = 1 if war.board.road(here, cell) else COSTS[war.board.terrain_of(cell)]
                if spent + cost <= points and spent + cost < least.get(cell, 99):
                    least[cell] = spent + cost
                    changed = True
    found = set(least)
    if minimum:
        found |= {c for c in ground.neighbours(was.cell) if c not in enemies | shut}
    return found - stand


@pytest.mark.parametrize("minimum", ["yes", "no"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_ways_are_those_of_brute_force(scenario: str, minimum: str) -> None:
    war = opened(scenario, minimum_step=minimum).state
    for seat in war.armies:
        field = Field(war, seat)
        for troop in war.troops_of(seat):
            points = stats(war, troop).movement
            ways = field.ways(troop.id, points)
            assert set(ways) == cheapest(war, troop.id, minimum == "yes")
            assert all(field.legal(troop.id, points, way) for way in ways.values())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_targets_are_hostile_and_in_reach(scenario: str) -> None:
    war = opened(scenario).state
    for troop in war.present:
        reach = 9
        found = targets(war, troop.army, troop.cell, reach)
        for other in war.present:
            away = war.board.grid.distance(troop.cell, other.cell)
            hostile = war.hostile(troop.army, other.army)
            assert (other.id in found) == (hostile and 1 <= away <= reach)


def firsts(game: Game) -> tuple[int, int]:
    """How many moves the first troop has, and how many moves with an act."""
    request = game.requests()[0]
    sheet = request.options(request.missing[0])
    assert isinstance(sheet, Sheet)
    moves, answers = 0, {"end": "fight_on", "order": "listed"}
    ways = options_after(sheet, answers)
    assert isinstance(ways, Path)
    first = next(iter(game.state.troops_of(request.missing[0]))).id
    pairs = 0
    for way in ((), *ways.ways.values()):
        moves += 1
        acts = options_after(sheet, {**answers, f"move.{first}": way})
        assert isinstance(acts, OneOf)
        pairs += len(acts.words)
    return moves, pairs


def options_after(sheet: Sheet, answers: dict[str, Any]) -> Any:
    """The options of the first part that has no answer."""
    filling = sheet.fill()
    part, options = next(filling)
    while part in answers:
        part, options = filling.send(answers[part])
    return options


@pytest.mark.parametrize(
    ("scenario", "turns", "counts"),
    [("skirmish", 0, (13, 39)), ("siege", 1, (20, 96)), ("coalition", 2, (38, 119))],
)
def test_first_answers_are_as_many_as_ever(
    scenario: str, turns: int, counts: tuple[int, int]
) -> None:
    assert firsts(opened(scenario, turns)) == counts


# Options -----------------------------------------------------------------------------------------

LEDGER = pathlib.Path(__file__).resolve().parents[3] / "docs" / "rules" / "promiterra.md"


@pytest.mark.parametrize("option", CHOICES, ids=lambda option: option.name)
def test_every_option_stands_in_the_row_of_its_rule(option: Choice) -> None:
    rows = LEDGER.read_text(encoding="utf-8").splitlines()
    (row,) = [row for row in rows if row.startswith(f"- **{option.rule}** ")]
    assert f"`{option.name}`" in row
