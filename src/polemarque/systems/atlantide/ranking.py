"""Order of play, who is still in, the end, and who leads (AT-1.10 to AT-1.12, AT-2.2)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from polemarque.systems.atlantide.state import Seat, Waiting, War
from polemarque.systems.atlantide.strength import initiative_total
from polemarque.systems.atlantide.troops import Army, points_of


class Leaders(msgspec.Struct, frozen=True):
    """Who leads, and what decided it.

    seats:  one, or those whom a roll-off has to part (AT-1.11); none if nobody is in.
    by:     the last criterion that parted anybody: "territories", "atlantis", "points",
            or "roll_off" where none is left.
    """

    seats: tuple[str, ...]
    by: str


# Order of play -----------------------------------------------------------------------------------


def order_groups(war: War) -> tuple[tuple[str, ...], ...]:
    """Seats in play by decreasing initiative (AT-2.2); a group of several is tied and rolls off.

    Players without an army come last, as one group if there are several.
    """
    armed: dict[int, tuple[str, ...]] = {}
    bare: tuple[str, ...] = ()
    for code in war.in_play():
        army = war.seats[code].army
        if army is None:
            bare = (*bare, code)
        else:
            number = initiative_total(army)
            armed[number] = (*armed.get(number, ()), code)
    groups = [armed[number] for number in sorted(armed, reverse=True)]
    return (*groups, bare) if bare else tuple(groups)


def tied(numbers: dict[str, int]) -> tuple[str, ...]:
    """Seats whose number is not theirs alone, in the order given (AT-7.1)."""
    values = list(numbers.values())
    return tuple([seat for seat, number in numbers.items() if values.count(number) > 1])


# Still in ----------------------------------------------------------------------------------------


def is_out(war: War, seat: str) -> bool:
    """Whether a seat is eliminated: no territory, no army, none to come (AT-1.12, AT-1.14)."""
    holder = war.seats[seat]
    return holder.army is None and not holder.waiting and not war.lands_of(seat)


def return_cities(war: War) -> tuple[str, ...]:
    """Royal cities where an eliminated player may come back (AT-1.12), in the board's order.

    Atlantean, free of armies, and not that of Atlantis.
    """
    if war.options.return_ == "none":
        return ()
    return tuple(
        [
            city
            for kingdom, city in war.board.capitals.items()
            if kingdom != war.board.heart
            and war.lands[city].owner is None
            and not war.armies_at(city)
        ]
    )


def may_return(war: War) -> tuple[str, ...]:
    """Eliminated players who may still come back, earliest first; equals in order of their codes.

    Each once only; equals roll D100 for who chooses first (AT-1.12).
    """
    out = [s for s in war.seats.values() if s.eliminated and not s.returned and not s.given_up]
    return tuple([seat.code for seat in sorted(out, key=lambda s: (s.eliminated, s.code))])


# The end -----------------------------------------------------------------------------------------


def end_reached(war: War) -> str:
    """Why the campaign ends with this turn, or "" (AT-1.10): looked at when a turn ends.

    "all_land" for one player who holds everything, "alone" for one still in (or nobody),
    "turn_limit" for the limit of the options.  A unanimous vote is the script's to ask.
    """
    playing = war.in_play()
    if any(len(war.lands_of(seat)) == len(war.board.places) for seat in playing):
        return "all_land"
    if len(playing) <= 1:
        return "alone"
    limit = war.options.turn_limit
    return "turn_limit" if limit and war.turn >= limit else ""


def campaign_points(seat: Seat) -> int:
    """Loot plus army points, waiting units included, rounded down once (AT-1.11, AT-10.3)."""
    forces: list[Army | Waiting] = [*seat.waiting]
    if seat.army is not None:
        forces.append(seat.army)
    units = tuple([unit for force in forces for unit in force.units])
    characters = tuple([one for force in forces for one in force.characters])
    return seat.loot + points_of(units, characters)


def leaders(war: War, among: tuple[str, ...] | None = None) -> Leaders:
    """Who leads among those in play: most territories, city of Atlantis, loot and points (AT-1.11).

    Each criterion is read among those still tied; if none of them holds the city of Atlantis, the
    next one decides.
    """
    left = war.in_play() if among is None else among
    criteria: tuple[tuple[str, Callable[[str], int]], ...] = (
        ("territories", lambda seat: len(war.lands_of(seat))),
        ("atlantis", lambda seat: _holds_atlantis(war, seat)),
        ("points", lambda seat: campaign_points(war.seats[seat])),
    )
    for name, measure in criteria:
        values = {seat: measure(seat) for seat in left}
        best = max(values.values(), default=0)
        left = tuple([seat for seat in left if values[seat] == best])
        if len(left) <= 1:
            return Leaders(left, name)
    return Leaders(left, "roll_off")


def standings(war: War) -> tuple[tuple[str, ...], ...]:
    """Everybody, best first, by the criteria of AT-1.11; a group of several is level."""
    left = tuple(war.seats)
    groups = []
    while left:
        best = leaders(war, left).seats
        groups.append(best)
        left = tuple([seat for seat in left if seat not in best])
    return tuple(groups)


def _holds_atlantis(war: War, seat: str) -> int:
    city = war.board.atlantis
    return int(bool(city) and war.lands[city].owner == seat)
