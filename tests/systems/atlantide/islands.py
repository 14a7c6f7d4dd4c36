"""Random small islands with armies and agreements, for properties and brute-force twins."""

from __future__ import annotations

from hypothesis import strategies as st
from msgspec.structs import replace

from polemarque.systems.atlantide.agreements import Agreement
from polemarque.systems.atlantide.setup.island import Board, Place
from polemarque.systems.atlantide.setup.options import Options
from polemarque.systems.atlantide.state import Land, Seat, War
from polemarque.systems.atlantide.troops import Duty
from tests.systems.atlantide.wars import army

SEATS = ("A", "B", "C", "D")
KINGDOMS = ("k0", "k1", "k2", "k3")


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Four kingdoms of two or three territories each, one city a kingdom, borders at random."""
    ids = [f"t{number:02}" for number in range(draw(st.integers(8, 12)))]
    homes = {name: KINGDOMS[number % 4] for number, name in enumerate(ids)}
    edges = draw(
        st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(ids)), min_size=6, max_size=24)
    )
    beside = {name: [] for name in ids}
    for a, b in edges:
        if a != b and b not in beside[a]:
            beside[a].append(b)
            beside[b].append(a)
    city = {0: "royal", 1: "royal", 2: "royal", 3: "atlantis"}
    return Board(
        tuple(
            Place(name, name, homes[name], city.get(n, "none"), "plains", tuple(beside[name]))
            for n, name in enumerate(ids)
        )
    )


@st.composite
def wars(draw: st.DrawFn) -> War:
    """A war in the middle of a turn: anything may belong to anybody, at most two armies a place."""
    island = draw(boards())
    owner = st.sampled_from((None, *SEATS))
    terrain = st.sampled_from(("plains", "river_plains", "forest"))
    lands = {name: Land(draw(terrain), draw(owner)) for name in island.ids}
    seats, crowd = {}, []
    for number, code in enumerate(SEATS):
        force = None
        free = [name for name in island.ids if crowd.count(name) < 2]
        if draw(st.integers(0, 9)):
            place = draw(st.sampled_from(free))
            crowd.append(place)
            duty = draw(st.sampled_from((None, None, None, "beaten", "crushed", "leave")))
            force = army(
                place,
                duty=Duty(duty) if duty else None,
                start=draw(st.sampled_from((None, *island.ids))),
                start_closed=draw(st.booleans()),
                may_move=draw(st.integers(0, 4)) > 0,
                passing=draw(st.booleans()),
                entered=number + 1,
            )
        absent = draw(st.integers(0, 6)) == 0
        seats[code] = Seat(code, kingdom=KINGDOMS[number], army=force, absent=absent)
    state = War(Options(), lands, seats, island)
    for _ in range(draw(st.integers(0, 5))):
        state = draw(st.just(_agreed(state, draw)))
    options = Options(
        passage=draw(st.sampled_from(("one", "through"))),
        refuge=draw(st.sampled_from(("held", "since"))),
        supply_city=draw(st.sampled_from(("capital", "any", "own"))),
    )
    return replace(state, options=options)


def _agreed(state: War, draw: st.DrawFn) -> War:
    pair = draw(st.permutations(SEATS))
    places = draw(st.lists(st.sampled_from(state.board.ids), min_size=1, max_size=4, unique=True))
    kind = draw(st.sampled_from(("passage", "stationing", "supply", "tax")))
    declared = draw(st.integers(0, 1))
    return state.agreeing(Agreement(0, kind, pair[0], pair[1], 1, tuple(places), declared=declared))
