"""The beacons: two to four fleets, sealed orders, five islands."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path as File
from typing import Any, Literal

import msgspec
from msgspec.structs import replace
from polemarque.api import (
    D6,
    Choice,
    Next,
    Path,
    Question,
    Rule,
    Standing,
    Step,
    System,
    ask_each,
    bonus,
    by_place,
    call,
    explain,
    procedure,
    roll,
    script,
    tell,
    then,
    total,
)
from polemarque.api.boards import load_board, reachable

DATA = File(__file__).parent / "data"
BOARD = load_board(DATA / "islands.toml", terrains=["sea", "island"])
ISLANDS = tuple(cell for cell in BOARD.grid.cells if BOARD.terrain_of(cell) == "island")
HARBOURS = {number: cell for cell, number in BOARD.marks["harbour"].items()}
REACH = {"fair": 3, "foul": 2}
SEASONS = 8


class Fleet(msgspec.Struct, frozen=True):
    """Where a fleet is, where it goes when it is beaten, and its ships."""

    at: str
    harbour: str
    ships: int


class Sea(msgspec.Struct, frozen=True):
    """The state.   beacons: island -> the seat that lit it last."""

    fleets: dict[str, Fleet]
    reach: int
    beacons: dict[str, str] = {}
    season: int = 1

    def put(self, seat: str, fleet: Fleet) -> Sea:
        """The same sea with another fleet of a seat."""
        return replace(self, fleets={**self.fleets, seat: fleet})


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a set-up may change."""

    ships: int = 3


def courses(sea: Sea, seat: str) -> Path:
    """Where a fleet may sail: it may pass through the harbours of others, and not stop there."""
    fleet = sea.fleets[seat]
    closed = set(HARBOURS.values()) - {fleet.harbour}
    ways = reachable(
        BOARD.grid, fleet.at, sea.reach, lambda here, there: 1, lambda cell: cell not in closed
    )
    return Path({cell: way.path for cell, way in ways.items()})


@script("BEACON-1")
def season_begins(sea: Sea) -> Step[Sea]:
    """All sail at once; then those that have met fight."""
    sailed = yield from ask_each(sea.fleets, lambda seat: courses(sea, seat), absent=())
    for seat, way in sailed.items():
        fleet = replace(sea.fleets[seat], at=way[-1] if way else sea.fleets[seat].at)
        sea = sea.put(seat, fleet)
        yield from tell("BEACON-1", "sailed" if way else "stayed", seat=seat, at=fleet.at)
    fights = [then(fleets_meet, *pair) for pair in combinations(sea.fleets, 2)]
    return sea, [*fights, then(beacons_are_lit), then(season_ends)]


class Clash(msgspec.Struct, frozen=True):
    """How a fight ends."""

    winner: Literal["ours", "theirs", "none"]


@procedure("BEACON-2")
def clash(ours: int = 3, theirs: int = 3) -> Rule[Clash]:
    """One fight, by the ships of both."""
    totals = []
    for side, ships in (("ours", ours), ("theirs", theirs)):
        yield from explain(bonus("BEACON-2", ships, "ships"))
        die = yield from roll(1, D6, read=total, why=side)
        totals.append(die + ships)
    if totals[0] == totals[1]:
        return Clash("none")
    return Clash("ours" if totals[0] > totals[1] else "theirs")


@script("BEACON-2/fight")
def fleets_meet(sea: Sea, seat: str, rival: str) -> Step[Sea]:
    """Two fleets fight where they are in one cell; the beaten one goes home."""
    one, other = sea.fleets[seat], sea.fleets[rival]
    if one.at != other.at:
        return sea, []
    fought = yield from call(clash, one.ships, other.ships)
    if fought.winner == "none":
        yield from tell("BEACON-2", "drawn", seat=seat, rival=rival)
        return sea, []
    winner, loser = (seat, rival) if fought.winner == "ours" else (rival, seat)
    beaten = sea.fleets[loser]
    left = max(beaten.ships - 1, 1)
    yield from tell("BEACON-2", "won", seat=winner, rival=loser, ships=left)
    return sea.put(loser, replace(beaten, at=beaten.harbour, ships=left)), []


@script("BEACON-3")
def beacons_are_lit(sea: Sea) -> Step[Sea]:
    """A fleet alone on an island lights the beacon."""
    lit = dict(sea.beacons)
    for island in ISLANDS:
        there = [seat for seat, fleet in sea.fleets.items() if fleet.at == island]
        if len(there) == 1 and lit.get(island) != there[0]:
            lit[island] = there[0]
            yield from tell("BEACON-3", "lit", seat=there[0], at=island)
    return replace(sea, beacons=lit), []


@script("BEACON-4")
def season_ends(sea: Sea) -> Step[Sea]:
    """The next season, or the end."""
    sea = replace(sea, season=sea.season + 1)
    if standing(sea).over:
        yield from tell("BEACON-4", "over")
        return sea, []
    yield from tell("BEACON-4", "season", season=sea.season)
    return sea, [then(season_begins)]


def begin(setup: Setup, seats: tuple[str, ...], options: Mapping[str, Any]) -> Next[Sea]:
    """Every fleet in its harbour."""
    homes = [HARBOURS[number] for number in range(1, len(seats) + 1)]
    fleets = {seat: Fleet(home, home, setup.ships) for seat, home in zip(seats, homes, strict=True)}
    return Sea(fleets, REACH[options["wind"]]), [then(season_begins)]


def view(sea: Sea, seat: str) -> dict[str, Any]:
    """Everybody sees the whole sea; only orders are sealed."""
    fleets = {code: {"at": each.at, "ships": each.ships} for code, each in sea.fleets.items()}
    return {"season": sea.season, "fleets": fleets, "beacons": sea.beacons}


def names(sea: Sea, lang: str) -> dict[str, dict[str, str]]:
    """Open water is called by its cell; islands and harbours have their names in the texts."""
    named = {*ISLANDS, *HARBOURS.values()}
    return {"place": {cell: cell for cell in BOARD.grid.cells if cell not in named}}


def standing(sea: Sea) -> Standing:
    """Most beacons."""
    lit = {seat: [*sea.beacons.values()].count(seat) for seat in sea.fleets}
    places = by_place(lit)
    over = sea.season > SEASONS or max(lit.values()) == len(ISLANDS)
    return Standing(over, places[0] if sea.beacons else (), places)


SYSTEM = System(
    name="beacons",
    edition="1",
    titles={"fr": "Les feux", "en": "The beacons"},
    seats=("A", "B", "C", "D"),
    least=2,
    options=(Choice("wind", "BEACON-1", ("fair", "foul"), "fair"),),
    state=Sea,
    setup=Setup,
    begin=begin,
    period=lambda sea: sea.season,
    view=view,
    standing=standing,
    data=DATA,
    names=names,
    questions=(Question("BEACON-2", clash),),
)
