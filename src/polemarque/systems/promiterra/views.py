"""What a seat may see of a war.  All is declared aloud: nothing is secret but sealed answers."""

from __future__ import annotations

from typing import Any

import msgspec

from polemarque.api import Event, Standing, Thrown, by_place
from polemarque.api.boards import Board
from polemarque.systems.promiterra.current_stats import stats, value_of
from polemarque.systems.promiterra.setup.catalogue import WarAction
from polemarque.systems.promiterra.setup.options import Options
from polemarque.systems.promiterra.state import (
    NOBODY,
    Army,
    Effect,
    Ending,
    Order,
    Person,
    Troop,
    War,
    rank,
)
from polemarque.systems.promiterra.stats import Stats


class TroopView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A troop: what it is, and its statistics as they count now (PR-1.6)."""

    troop: Troop
    stats: Stats
    fort: int = 0


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """The war.  you: the seat's own code, "" for a spectator.   values: of the armies (PR-1.7).

    The rest is the war's own, under the same names.
    """

    you: str
    round: int
    turn: int
    playing: str
    board: Board
    armies: dict[str, Army]
    values: dict[str, int]
    troops: dict[str, TroopView]
    persons: dict[str, Person]
    holders: dict[str, str]
    effects: tuple[Effect, ...]
    orders: tuple[Order, ...]
    ending: Ending | None
    options: Options
    actions: dict[str, WarAction] = {}
    alliances: dict[str, dict[str, str]] = {}
    order: tuple[str, ...] = ()
    queue: tuple[str, ...] = ()
    first: str = ""
    moved: tuple[str, ...] = ()
    attacked: tuple[str, ...] = ()
    stirred: bool = False
    quiet: int = 0
    coming: dict[str, Any] = {}


def view(war: War, seat: str) -> View:
    """The war as `seat` sees it; all see the same."""
    return View(
        you=seat if seat in war.armies else "",
        round=war.round,
        turn=war.turn,
        playing=war.playing,
        board=war.board,
        armies=war.armies,
        values={code: value_of(war, (code,)) for code in war.armies},
        troops={
            code: TroopView(troop, stats(war, troop), war.fort(troop.cell))
            for code, troop in war.troops.items()
        },
        persons=war.persons,
        holders=war.holders,
        effects=war.effects,
        orders=war.orders,
        ending=war.ending,
        options=war.options,
        actions=war.actions,
        alliances=war.alliances,
        order=war.order,
        queue=war.queue,
        first=war.first,
        moved=war.moved,
        attacked=war.attacked,
        stirred=war.stirred,
        quiet=war.quiet,
        coming=war.coming,
    )


def standing(war: War) -> Standing:
    """The winners first, then by the value that each army still has on the field."""
    won = war.ending.winner if war.ending else ""
    values = {seat: value_of(war, (seat,)) for seat in war.armies}
    places = by_place(
        {seat: (war.alliance_of(seat) == won, values[seat]) for seat in sorted(war.armies)}
    )
    first = [seat for place in places for seat in place if war.alliance_of(seat) == won]
    winners = tuple(first) if won not in ("", NOBODY) else ()
    return Standing(war.over, winners, places)


def thrower(event: Event, thrown: Thrown) -> str:
    """The seat of the troop that hits or saves in a clash, or that takes a test alone."""
    strikes, _, what = thrown.why.partition("_")
    sides = ("attacker", "target") if strikes == "attack" else ("target", "attacker")
    clashes = strikes in ("attack", "riposte") and what
    named = sides[0 if what == "hits" else 1] if clashes else "troop"
    return rank(str(event.data.get(named, "")) or " ")[0].strip()
