"""Leaders without a unit, captured ones, and who takes the general's place (TH-F11, TH-F12)."""

from __future__ import annotations

from polemarque.api import OneOf, Rule, Step, ask, script, tell, then
from polemarque.api.boards import Cell, reachable
from polemarque.systems.thucidide.combat_dice import COMBAT
from polemarque.systems.thucidide.state import Battle, Leader
from polemarque.systems.thucidide.tables import FRAME, RANKS, ground

LEAST_LEVEL = FRAME.armies.least_level
"""No army's command level falls below it."""


def captured(battle: Battle, code: str) -> Battle:
    """The battle after a leader's capture; without its general an army has no command order."""
    leader = battle.leaders[code]
    battle = battle.leader(code, fate="captured", cell="")
    return battle.side(leader.seat, headless=True) if leader.rank == "general" else battle


def given_back(battle: Battle, code: str) -> Battle:
    """The battle once the umpire has given a side its leader back.

    With its general it has a head again, and he has not been captured.
    """
    leader = battle.leaders[code]
    general = leader.rank == "general"
    return battle.side(leader.seat, headless=False) if general else battle


def heir(battle: Battle, seat: str) -> Leader:
    """The highest leader left, of whatever contingent; of equals the first listed."""
    return min(battle.leaders_of(seat), key=lambda one: RANKS.index(one.rank))


def succeeded(battle: Battle, seat: str) -> Rule[Battle]:
    """The battle once the place of a captured general is filled, at the end of a player-turn.

    The new one has the ranges of the old, and the army a command level less.  There is somebody: an
    army without leaders has lost (`verdict`).
    """
    if not battle.sides[seat].headless:
        return battle
    new = heir(battle, seat)
    old = next(
        one for one in battle.leaders.values()
        if one.seat == seat and one.rank == "general" and not one.cell
    )  # fmt: skip
    level = max(battle.sides[seat].level - 1, LEAST_LEVEL)
    yield from tell("TH-F12", "succeeds", seat=seat, leader=new.code, level=level)
    battle = battle.leader(new.code, rank="general", command=old.command, influence=old.influence)
    return battle.side(seat, level=level, headless=False)


def destroyed(battle: Battle, code: str) -> Step[Battle]:
    """A unit without elements is destroyed (TH-F6); gives what its leaders have to do."""
    unit = battle.units[code]
    yield from tell("TH-F6", "destroyed", seat=unit.seat, unit=code, at=unit.cell)
    leaders = [one for one in battle.leaders_at(unit.cell) if one.seat == unit.seat]
    battle = battle.unit(code, elements=0, cell="", fate="destroyed", broken=unit.elements)
    return battle, [then(leader_flees, leader.code) for leader in leaders]


def refuges(battle: Battle, leader: Leader) -> tuple[str, ...]:
    """Friendly units that a leader reaches by a way free of enemies, nearest first (TH-F11)."""
    held, board = battle.by_cell(), battle.board
    enemies = {one.cell for one in battle.leaders_of(battle.enemy_of(leader.seat))}
    enemies |= {cell for cell, unit in held.items() if unit.seat != leader.seat}

    def step(_: Cell, cell: Cell) -> int | None:
        return None if cell in enemies or ground(board, cell).impassable else 1

    ways = reachable(
        board.grid, leader.cell, COMBAT.leaders.flight, step,
        lambda cell: cell in held and held[cell].seat == leader.seat,
    )  # fmt: skip
    return tuple([held[cell].code for cell in ways])


@script("TH-F11")
def leader_flees(battle: Battle, code: str) -> Step[Battle]:
    """Dice never hit him: he goes to a friendly unit at once, or he is captured."""
    leader = battle.leaders[code]
    units = refuges(battle, leader)
    if not units:
        yield from tell("TH-F11", "captured", seat=leader.seat, leader=code, at=leader.cell)
        return captured(battle, code), []
    chosen = units[0]
    if len(units) > 1:
        chosen = yield from ask(leader.seat, OneOf(units, "mover"), absent=units[0], subject=code)
    yield from tell("TH-F11", "flees", seat=leader.seat, leader=code, unit=chosen)
    return battle.leader(code, cell=battle.units[chosen].cell), []


@script("TH-F11/capture")
def lone_leaders_are_seized(battle: Battle, unit: str, cell: Cell) -> Step[Battle]:
    """An activated unit lays hands on the leaders of a hex, instead of fighting; they may flee."""
    seized = [one.code for one in battle.leaders_at(cell)]
    seat = battle.units[unit].seat
    yield from tell("TH-F5", "seized", seat=seat, unit=unit, leaders=seized, at=cell)
    return battle, [then(leader_flees, code) for code in seized]
