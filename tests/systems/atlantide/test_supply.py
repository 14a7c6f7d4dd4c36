"""Supply (AT-6.1 to AT-6.3, AT-10.2)."""

from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from msgspec.structs import replace

from polemarque.systems.atlantide.state import Land
from polemarque.systems.atlantide.supply import is_supplied, supply_chain, want_modifiers
from polemarque.systems.atlantide.troops import Duty
from tests.systems.atlantide.islands import SEATS, wars
from tests.systems.atlantide.wars import agreed, army, chosen, owned, war


def test_the_chain_leads_to_the_royal_city() -> None:
    assert supply_chain(war(A="m3", B="a1"), "A") == ("m3", "m2", "m1")
    assert supply_chain(war(A="m1", B="a1"), "A") == ("m1",)
    assert supply_chain(war(A=None, B="a1"), "A") is None


def test_the_land_under_the_army_need_be_neither_his_nor_free() -> None:
    assert supply_chain(war(A="e2", B="a1"), "A") == ("e2", "m2", "m1")
    assert supply_chain(war(A="m3", B="m3"), "A") == ("m3", "m2", "m1")


def test_every_land_after_it_must_be_his() -> None:
    assert supply_chain(war(A="e1", B="a1"), "A") is None
    assert supply_chain(owned(war(A="e1", B="a1"), "A", "e2"), "A") == ("e1", "e2", "m2", "m1")
    assert not is_supplied(owned(war(A="m3", B="a1"), "B", "m2"), "A")
    assert not is_supplied(owned(war(A="m3", B="a1"), None, "m2"), "A")


def test_an_enemy_army_cuts_it_agreement_or_not() -> None:
    cut = war(A="m3", B="m2")
    assert not is_supplied(cut, "A")
    assert not is_supplied(agreed(cut, "stationing", "A", "B", "m2"), "A")
    assert not is_supplied(war(A="m3", B="m1"), "A")


def test_a_beaten_army_blocks_nothing_but_one_beaten_in_a_conquest_does() -> None:
    assert is_supplied(war(A="m3", B=army("m2", duty=Duty("beaten"))), "A")
    assert not is_supplied(war(A="m3", B=army("m2", duty=Duty("crushed"))), "A")
    assert not is_supplied(war(A="m3", B=army("m2", duty=Duty("leave"))), "A")


def test_a_declared_passage_lets_the_convoy_pass_an_army() -> None:
    state = war(A="m3", B="m2")
    assert is_supplied(agreed(state, "supply", "B", "A", "m2", declared=1), "A")
    assert not is_supplied(agreed(state, "supply", "B", "A", "m2"), "A")
    assert not is_supplied(agreed(state, "supply", "B", "A", "m3", declared=1), "A")
    assert not is_supplied(agreed(state, "supply", "A", "B", "m2", declared=1), "A")


def test_a_declared_passage_opens_land() -> None:
    # From a1 the way leads over B's a1-a2-a3 and the Atlantean heart, or over C's e3 and e2.
    state = war(A="a1", B="a2", C="e1")
    assert not is_supplied(state, "A")
    opened = agreed(state, "supply", "C", "A", "e2", "e3", declared=1)
    assert supply_chain(opened, "A") == ("a1", "e3", "e2", "m2", "m1")


def test_the_land_and_the_army_on_it_are_each_opened_by_their_own() -> None:
    state = war(A="e3", B="e2", C="e1")
    by_c = agreed(state, "supply", "C", "A", "e2", declared=1)
    assert not is_supplied(by_c, "A")
    assert is_supplied(agreed(by_c, "supply", "B", "A", "e2", declared=1), "A")


def test_nobody_can_open_atlantean_land() -> None:
    state = agreed(war(A="h1", B="a1"), "supply", "B", "A", "h2", "h1", declared=1)
    assert not is_supplied(state, "A")


def test_a_lost_city_leaves_the_army_unsupplied_even_in_it() -> None:
    state = chosen(owned(war(A="m1", B="a1"), "B", "m1"), supply_city="own")
    assert supply_chain(state, "A") is None
    held = owned(state, "A", "e1", "e2")
    assert supply_chain(held, "A") is None
    # m1 is under the army, so it need not be his.
    assert supply_chain(chosen(held, supply_city="any"), "A") == ("m1", "m2", "e2", "e1")


def test_without_any_city_the_richest_territory_supplies() -> None:
    lost = owned(war(A="m1", B="a1"), "B", "m1")
    assert supply_chain(lost, "A") == ("m1", "m2")  # m2 and m3 are plains: the first of equals
    rich = lost.with_land("m3", Land("river_plains", "A"))
    assert supply_chain(rich, "A") == ("m1", "m2", "m3")
    assert supply_chain(chosen(rich, supply_city="any"), "A") is None
    assert supply_chain(owned(rich, "A", "e1", "e2"), "A") == ("m1", "m2", "e2", "e1")
    assert supply_chain(owned(lost, "B", "m2", "m3"), "A") is None  # no land is left


def test_an_army_in_its_city_is_supplied_beside_an_enemy() -> None:
    assert supply_chain(war(A="m1", B="m1"), "A") == ("m1",)


@pytest.mark.parametrize(
    ("earlier", "loot", "variant", "added"),
    [
        (0, 0, "earlier", 0),
        (2, 0, "earlier", -2),
        (0, 0, "including", -1),
        (2, 0, "including", -3),
        (0, 49, "earlier", 0),
        (1, 149, "earlier", 1),
    ],
)
def test_what_is_added_to_the_die_of_want(earlier, loot, variant, added) -> None:
    assert want_modifiers(earlier, loot, variant).total == added


# The same by brute force --------------------------------------------------------------------------


TAX = {"river_plains": 15, "plains": 10, "forest": 5, "mountains": 5}
"""The book's taxes."""


def chain_by_the_book(state, seat):
    """Length of the shortest chain, read off the ledger with a graph library; None: no chain."""
    holder = state.seats[seat]
    if holder.army is None:
        return None

    def convoys(grantor, place):
        return any(
            a.kind == "supply" and a.grantor == grantor and a.beneficiary == seat
            and a.declared == 1 and place in a.territories
            for a in state.agreements
        )  # fmt: skip

    def open_to_him(place):
        owner = state.lands[place].owner
        if not (owner == seat or (owner and convoys(owner, place))):
            return False
        for other in state.seats.values():
            if other.code == seat or other.army is None or other.army.place != place:
                continue
            beaten = other.army.duty is not None and other.army.duty.kind == "beaten"
            if not beaten and not convoys(other.code, place):
                return False
        return True

    cities = [
        place.id
        for place in state.board.places
        if place.city != "none"
        and state.lands[place.id].owner == seat
        and (place.kingdom == holder.kingdom or state.options.supply_city != "own")
    ]
    if not cities and state.options.supply_city == "capital":
        held = [place for place, land in state.lands.items() if land.owner == seat]
        held.sort(key=lambda place: -TAX[state.lands[place].terrain])  # stable: the first of equals
        cities = held[:1]
    here = holder.army.place
    graph = nx.Graph()
    graph.add_node(here)
    graph.add_nodes_from(place for place in state.board.ids if open_to_him(place))
    for place in state.board.places:
        graph.add_edges_from(
            (place.id, other) for other in place.neighbours if place.id in graph and other in graph
        )
    lengths = nx.single_source_shortest_path_length(graph, here)
    return min((lengths[city] for city in cities if city in lengths), default=None)


@given(wars())
def test_the_chain_is_the_book_s(state) -> None:
    for seat in SEATS:
        chain = supply_chain(state, seat)
        assert (None if chain is None else len(chain) - 1) == chain_by_the_book(state, seat)
        if chain is not None:
            steps = pairwise(chain)
            assert all(b in state.board.neighbours[a] for a, b in steps)
            assert chain[0] == state.army(seat).place
            assert state.owner(chain[-1]) == seat


@given(wars())
def test_one_army_less_never_cuts_a_chain(state) -> None:
    for seat in SEATS:
        for other in SEATS:
            if other != seat and is_supplied(state, seat):
                gone = state.with_seat(replace(state.seats[other], army=None))
                assert is_supplied(gone, seat)
