"""A small game to search in: two captains take one to three pebbles in turn; the last one wins.

It has all that a search must respect: sealed bids for the first turn, a secret (whose purse is
heavier begins after equal bids), and a die (a gust may carry a pebble off).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from polemarque.bots.search.playout import SearchModel
from polemarque.bots.search.tree import Search
from polemarque.kernel.agenda import Rule, ask, ask_each, roll, script, tell
from polemarque.kernel.dice import D6, total
from polemarque.kernel.request import Amount
from polemarque.kernel.system import Standing, System, add_system

MOST = 3
GUST = 6


class Heap(msgspec.Struct, frozen=True):
    """purse: secret.   player: whose turn it is.   winner: who took the last pebble."""

    pebbles: int
    windy: bool
    purse: dict[str, int]
    turn: int = 0
    player: str = ""
    winner: str = ""


class Setup(msgspec.Struct, frozen=True):
    pebbles: int = 12
    windy: bool = False
    purse: dict[str, int] = {}


@script("PEB-1")
def bid(heap: Heap) -> Rule[Any]:
    """Who bids more begins."""
    bids = yield from ask_each(("A", "B"), Amount(0, 3), absent=0)
    first = max("AB", key=lambda seat: (bids[seat], heap.purse[seat]))
    yield from tell("PEB-1", "begins", seat=first)
    return msgspec.structs.replace(heap, player=first), [("PEB-2",)]


@script("PEB-2")
def take(heap: Heap) -> Rule[Any]:
    """He takes; then, on a windy day, a six carries another pebble off."""
    seat = heap.player
    taken = yield from ask(seat, Amount(1, min(MOST, heap.pebbles)), absent=1)
    left = heap.pebbles - taken
    if heap.windy and left:
        die = yield from roll(1, D6, read=total, why="gust")
        left -= int(die == GUST)
    other = "B" if seat == "A" else "A"
    over = left == 0
    heap = msgspec.structs.replace(
        heap, pebbles=left, turn=heap.turn + 1, player=other, winner=seat if over else ""
    )
    return heap, [] if over else [("PEB-2",)]


def view(heap: Heap, seat: str) -> dict[str, Any]:
    return {
        "pebbles": heap.pebbles, "windy": heap.windy, "turn": heap.turn, "player": heap.player,
        "purse": heap.purse.get(seat), "winner": heap.winner,
    }  # fmt: skip


def supposed(view: Any, seat: str, _premises: Any) -> Heap:
    """The heap, where the other's purse is as one's own."""
    purse = dict.fromkeys("AB", view["purse"])
    return Heap(view["pebbles"], view["windy"], purse, view["turn"], view["player"], view["winner"])


PEBBLES = add_system(
    System(
        name="pebbles",
        edition="1",
        titles={"fr": "Les cailloux", "en": "Pebbles"},
        seats=("A", "B"),
        least=2,
        options=(),
        state=Heap,
        setup=Setup,
        begin=lambda setup, seats, options: (
            Heap(setup.pebbles, setup.windy, setup.purse or {"A": 4, "B": 5}),
            [("PEB-1",)],
        ),
        period=lambda heap: heap.turn,
        view=view,
        standing=lambda heap: Standing(
            bool(heap.winner), (heap.winner,) if heap.winner else (), (("A",), ("B",))
        ),
        data=Path(),
        playable=False,
        public_course=True,
        supposed=supposed,
    )
)


GROUNDS = SearchModel(
    "pebbles",
    worth=lambda heap, seat: float(heap.winner == seat) if heap.winner else 0.5,
    horizon=lambda heap: heap.turn + 20,
    guide="random",
    searched=frozenset(("PEB-1", "PEB-2")),
)

SEARCH = Search(GROUNDS)
