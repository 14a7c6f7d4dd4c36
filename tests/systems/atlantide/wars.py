"""Small islands and armies for the tests of what Atlantide computes."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from polemarque.systems.atlantide.agreements import Agreement
from polemarque.systems.atlantide.setup.island import Board, Place
from polemarque.systems.atlantide.setup.options import Options
from polemarque.systems.atlantide.state import Land, Seat, War
from polemarque.systems.atlantide.troops import Army, Character, Unit

# Two colonies, a third kingdom, and the heart; capitals end in 1.
#
#   m1 - m2 - m3 - h2 - a3 - a2 - a1
#         |         |              |
#        e2 - e1   h1 (Atlantis)   |
#         |                        |
#        e3 ---------------------- +
EDGES = (
    ("m1", "m2"), ("m2", "m3"), ("m3", "h2"), ("h2", "a3"), ("a3", "a2"), ("a2", "a1"),
    ("m2", "e2"), ("e2", "e1"), ("e2", "e3"), ("e3", "a1"), ("h2", "h1"),
)  # fmt: skip
KINGDOMS = {"m": "mestor", "a": "azues", "e": "euamon", "h": "atlantis"}
IDS = ("m1", "m2", "m3", "a1", "a2", "a3", "e1", "e2", "e3", "h1", "h2")


def board() -> Board:
    """The island drawn above; all plains, but the heart is mountains."""
    places = []
    for name in IDS:
        beside = [b if a == name else a for a, b in EDGES if name in (a, b)]
        city = "none" if name[1] != "1" else ("atlantis" if name == "h1" else "royal")
        terrain = "mountains" if name[0] == "h" else "plains"
        kingdom = KINGDOMS[name[0]]
        places.append(Place(name, name.upper(), kingdom, city, terrain, tuple(beside)))
    return Board(tuple(places))


def spearmen(number: int = 1, figures: int = 20, full: int = 20, **more: Any) -> Unit:
    """Infantry of WS 3 at 7 points a figure and 15 for its command group."""
    facts: dict[str, Any] = {
        "kind": "infantry", "ws": 3, "toughness": 3, "ld": 7, "points": 7 * full + 15,
    }  # fmt: skip
    return Unit(number, "spearmen", full=full, figures=figures, **{**facts, **more})


def slingers(number: int = 2, figures: int = 10, full: int = 10, **more: Any) -> Unit:
    """Skirmishers at 4 points a figure."""
    facts: dict[str, Any] = {
        "kind": "skirmishers", "ws": 2, "toughness": 3, "ld": 6, "points": 4 * full,
    }  # fmt: skip
    return Unit(number, "slingers", full=full, figures=figures, **{**facts, **more})


def general(number: int = 9, ld: int = 8, points: int = 120) -> Character:
    """A general of Leadership 8."""
    return Character(number, "general", True, ws=5, toughness=4, ld=ld, points=points)


def hero(number: int = 8, ld: int = 8, points: int = 70) -> Character:
    """A character who is not the general."""
    return Character(number, "hero", ws=5, toughness=4, ld=ld, points=points)


def army(place: str, *units: Unit, lead: bool = True, **more: Any) -> Army:
    """An army of those units (spearmen by default), with a general unless told otherwise."""
    return Army(units or (spearmen(),), (general(),) if lead else (), place, **more)


def war(**armies: str | Army | None) -> War:
    """Seat A in Mestor, B in Azues (or fewer, or C in Euamon), an army each where it is said.

    A name alone is the territory of a plain army; None is a seat without one.
    """
    homes = {"A": "mestor", "B": "azues", "C": "euamon"}
    island = board()
    seats = {}
    owners = {}
    for code in sorted(armies):
        there = armies[code]
        force = army(there) if isinstance(there, str) else there
        seats[code] = Seat(code, kingdom=homes[code], army=force, next_id=10)
        owners.update(dict.fromkeys(island.kingdoms[homes[code]], code))
    lands = {place.id: Land(place.terrain, owners.get(place.id)) for place in island.places}
    return War(Options(), lands, seats, island)


def owned(state: War, seat: str | None, *places: str) -> War:
    """The war with those territories in a seat's hands, and nothing else changed."""
    for place in places:
        state = state.with_land(place, replace(state.lands[place], owner=seat))
    return state


def agreed(state: War, kind: Any, grantor: str, beneficiary: str, *places: str, **more: Any) -> War:
    """The war with one agreement more, in force this turn."""
    terms = {"last_turn": state.turn, **more}
    return state.agreeing(Agreement(0, kind, grantor, beneficiary, territories=places, **terms))


def chosen(state: War, **options: Any) -> War:
    """The war with options replaced."""
    return replace(state, options=replace(state.options, **options))
