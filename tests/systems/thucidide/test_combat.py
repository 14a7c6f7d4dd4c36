"""Combat: what holds in every battle, whatever the dice, the orders and the leaders do."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import decode_position, encode_position
from polemarque.odds.consult import consult, consult_odds
from polemarque.systems.thucidide import SYSTEM
from polemarque.systems.thucidide.chapters.retreat import FallingBack
from polemarque.systems.thucidide.combat_dice import (
    Strike,
    combat_reading,
    ignoring,
    may_ignore,
    strike_dice,
)
from polemarque.systems.thucidide.setup.opening import begin
from polemarque.systems.thucidide.setup.scenario import KINDS, Setup
from polemarque.systems.thucidide.state import Battle
from polemarque.systems.thucidide.tables import ARMS, TERRAINS

RANKS = ("general", "sub_general", "officer", "officer")


PASSIVE = {"none", "end", "done"}
"""Words by which a player does less than he could."""


def _words(value: Any) -> list[Any]:
    said = value.values() if isinstance(value, dict) else [value]
    return [word for word in said if isinstance(word, str)]


def close_quarters(seed: int) -> dict[str, Any]:
    """Two armies of any kinds, thrown among each other on the board of the crossing."""
    rng = random.Random(seed)
    board = begin(Setup(), ("A", "B"), SYSTEM.options_from({}))[0].board
    rows = {"a": range(3, 7), "b": range(4, 8)}
    free = [c for c in board.grid.cells if 3 <= board.grid.row(c) <= 7]
    rng.shuffle(free)
    sides: dict[str, Any] = {}
    for side in ("a", "b"):
        units: list[dict[str, Any]] = []
        while len(units) < 8:
            kind = rng.choice(list(KINDS))
            cell = next(
                cell
                for cell in free
                if board.grid.row(cell) in rows[side]
                and KINDS[kind].arm not in TERRAINS[board.terrain_of(cell)].closed
            )
            free.remove(cell)
            units.append({"kind": kind, "at": cell})
        leaders = [
            {"rank": rank, "at": units[place]["at"], "influence": 1}
            for place, rank in enumerate(RANKS)
        ]
        sides[side] = {"units": units, "leaders": leaders, "tokens": rng.choice((0, 4, 20))}
    return {**sides, "limit": 8}


def new_battle(seed: int, events: list[Event]) -> Game:
    rng = random.Random(seed)
    options = {choice.name: rng.choice(choice.values) for choice in SYSTEM.options}
    header = new_header("thucidide", seed=seed, setup=close_quarters(seed), options=options)
    game = Game(header, publish=events.append)
    game.settle()
    return game


def played(seed: int, events: list[Event]) -> Iterator[Battle]:
    """A battle of random answers, though of players who want to fight: its states."""
    game, rng = new_battle(seed, events), random.Random(seed)
    yield game.state
    while not game.over:
        request = game.requests()[0]
        seat = request.missing[0]
        answers = [request.options(seat).sample(rng) for _ in range(3)]
        keen = [value for value in answers if not PASSIVE & set(_words(value))]
        game.answer(seat, (keen or answers)[0], request.keys[seat])
        game.settle()
        yield game.state


@pytest.mark.parametrize("seed", range(30))
def test_no_unit_is_more_or_less_than_it_can_be(seed: int) -> None:
    events: list[Event] = []
    gone: set[str] = set()
    for battle in played(seed, events):
        assert not SYSTEM.faults(battle)
        held = [unit.cell for unit in battle.units.values() if unit.cell]
        assert len(held) == len(set(held))
        for unit in battle.units.values():
            assert 0 <= unit.elements <= unit.start
            assert (unit.elements == 0) == (unit.fate == "destroyed") == (not unit.cell)
            assert unit.code not in gone or not unit.cell
            gone |= {unit.code} if unit.fate else set()
        assert all(side.tokens >= 0 for side in battle.sides.values())
        assert all(bool(one.cell) == (not one.fate) for one in battle.leaders.values())
    assert any(event.rule == "TH-F2" for event in events)


@pytest.mark.parametrize("seed", range(30, 50))
def test_dice_show_no_more_than_was_thrown_and_their_number_is_explained(seed: int) -> None:
    events: list[Event] = []
    for _ in played(seed, events):
        pass
    for event in events:
        if event.rule == "TH-F2":
            data = event.data
            assert data["count"] >= 1
            assert data["hits"] + data["flags"] + data["letters"] <= data["count"]
            assert sum(part.amount for part in event.modifiers) == data["count"]
            assert sum(len(thrown.faces) for thrown in event.dice) == data["count"]
        if (event.rule, event.kind) == ("TH-F4", "ignored"):
            assert sum(part.amount for part in event.modifiers) == event.data["flags"]


@pytest.mark.parametrize("seed", range(50, 60))
def test_a_general_never_gives_himself_and_who_does_is_gone(seed: int) -> None:
    events: list[Event] = []
    ranks: dict[str, str] = {}
    last: Battle | None = None
    for battle in played(seed, events):
        for code, leader in battle.leaders.items():
            if leader.cell:
                ranks[code] = leader.rank
        last = battle
    assert last is not None
    for event in events:
        if (event.rule, event.kind) == ("TH-8.2", "commits"):
            code = event.data["leader"]
            assert ranks[code] != "general"
            assert last.leaders[code].fate == "committed"


def test_a_saved_battle_lists_everybody_in_the_same_order() -> None:
    setup = close_quarters(7)
    setup["a"]["units"] += [{"kind": "archers", "at": cell} for cell in ("a1", "b1", "c1")]
    game = Game(new_header("thucidide", seed=7, setup=setup))
    saved = decode_position(encode_position(game.position)).state
    assert list(saved.units) == list(game.state.units)
    assert list(saved.leaders) == list(game.state.leaders)
    assert "A01" in saved.units
    assert "B1" in saved.units


# Ways back ---------------------------------------------------------------------------------------


def all_ways(back: FallingBack) -> set[tuple[str, ...]]:
    """Every way back as the rule has it, by trying all of them."""
    battle, unit = back.battle, back.unit
    held = battle.by_cell()
    grid, edge = battle.board.grid, battle.sides[unit.seat].edge
    enemies = {one.cell for one in battle.leaders.values() if one.cell and one.seat != unit.seat}

    def enters(cell: str) -> bool:
        terrain = TERRAINS[battle.board.terrain_of(cell)]
        other = held.get(cell)
        passes = other is None or (
            other.seat == unit.seat and (other.figures.is_light or unit.figures.is_light)
        )
        return terrain.admits(unit.figures) and passes and cell not in enemies

    found: set[tuple[str, ...]] = set()

    def walk(way: tuple[str, ...]) -> None:
        here = way[-1] if way else unit.cell
        if way and here not in held:
            found.add(way)
        if len(way) < back.hexes:
            for cell in grid.neighbours(here):
                nearer = grid.rows_from(cell, edge) < grid.rows_from(here, edge)
                if nearer and enters(cell):
                    walk((*way, cell))

    walk(())
    longer = {way[:n] for way in found for n in range(len(way))}
    return found - longer


@given(st.integers(0, 10**6), st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_a_unit_falls_back_as_far_as_it_can_and_no_other_way(seed: int, hexes: int) -> None:
    state = new_battle(seed, []).state
    for unit in state.units.values():
        back = FallingBack(state, unit, hexes)
        ways = all_ways(back)
        assert set(back.ways()) == {way[-1] for way in ways}
        assert set(back.ways().values()) <= ways
        assert all(back.legal(way) for way in ways)
        shorter = {way[:-1] for way in ways} - ways
        assert not any(back.legal(way) for way in shorter)


# Figures -----------------------------------------------------------------------------------------

STRIKES = st.builds(
    Strike,
    value=st.integers(0, 8),
    factor=st.sampled_from(("shooting", "assault", "melee")),
    arm=st.sampled_from(ARMS),
    orders=st.sets(st.sampled_from(("allant", "berserks"))).map(tuple),
    committed=st.integers(0, 3),
    caltrops=st.booleans(),
    ground=st.integers(-3, 2),
    target_ground=st.integers(-3, 2),
    hexes=st.integers(0, 2),
)


@given(STRIKES)
def test_dice_never_fall_below_one_but_for_a_factor_of_nothing(strike: Strike) -> None:
    dice = strike_dice(strike).total
    assert (dice == 0) == (strike.value == 0)
    plain = msgspec.structs.replace(strike, orders=(), committed=0)
    assert dice >= strike_dice(plain).total


@given(st.integers(0, 9), st.booleans(), st.booleans(), st.booleans(), st.integers(0, 9))
def test_no_more_flags_are_ignored_than_there_are(
    flags: int, supported: bool, influenced: bool, holds: bool, wanted: int
) -> None:
    orders = ("tenir",) if holds else ()
    support = "TH-F4" if supported else ""
    reasons = may_ignore(
        flags, 2, support=support, influenced=influenced, orders=orders, steady="ordinary"
    )
    assert 0 <= reasons.total <= flags
    assert reasons.total == flags or not holds
    assert reasons.total <= supported + influenced or holds
    some = min(wanted, reasons.total)
    assert ignoring(some, reasons).total == some


@pytest.mark.parametrize("arm", ARMS)
def test_one_face_hits_each_arm_and_one_more_when_advantages_do(arm: Any) -> None:
    shown = [combat_reading(arm, False).of((face,)) for face in range(1, 7)]
    assert sum(hits for hits, _, _ in shown) == 1
    assert sum(flags for _, flags, _ in shown) == sum(letters for _, _, letters in shown) == 1
    assert sum(combat_reading(arm, True).of((face,))[0] for face in range(1, 7)) == 2


def test_the_number_of_typed_dice_needs_not_be_given() -> None:
    asked = {"target": "cavalry", "kind": "melee"}
    answer = consult("TH-F2", asked, dice=[2, 2, 4])
    assert answer.result == {"hits": 2, "flags": 1, "letters": 0}
    assert answer.inputs == asked


def test_odds_of_combat_dice_are_exact() -> None:
    asked = {"target": "cavalry", "kind": "melee", "count": 2, "supported": True}
    odds = consult_odds("TH-F2", asked)
    two_hits = [one.p for one in odds.outcomes if one.result["hits"] == 2]
    assert two_hits == ["1/9"]
