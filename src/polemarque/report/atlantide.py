"""Atlantide: the island as it stands, as a map to print, and how everybody stands on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polemarque.report.island_svg import draw_island
from polemarque.report.pictures import draws_balance, draws_board
from polemarque.report.tree import Block, Table
from polemarque.report.voice import Book, Names
from polemarque.systems.atlantide.island import load_island
from polemarque.systems.atlantide.ranking import campaign_points, standings


@draws_board("atlantide")
def island(war: Any, lang: str, names: Names) -> str | None:
    """Who holds what, where armies stand, and the terrain that was rolled.

    None for a club's own map whose territories are not those of the drawn island.
    """
    drawn = load_island()
    if tuple(war.lands) != tuple(drawn.by_id):
        return None
    seats = dict(names.get("seat", {})) or {code: code for code in war.seats}
    armies = [(code, seat.army.place) for code, seat in war.seats.items() if seat.army is not None]
    turn = {"fr": "tour", "en": "turn"}[lang]
    return draw_island(
        drawn,
        {place: land.owner for place, land in war.lands.items()},
        armies,
        {place: land.fortresses for place, land in war.lands.items()},
        {code: seats.get(code, code) for code in war.seats},
        lang,
        title=f"{drawn.names[lang]} · {turn} {war.turn}",
        terrains={place: land.terrain for place, land in war.lands.items()},
    )


@draws_balance("atlantide")
def ranked(war: Any, book: Book, reader: str | None) -> Sequence[Block]:
    """Everybody, best first, by what decides (AT-1.11); loot and army are their owner's secret."""

    def say(key: str) -> str:
        return book.say(f"balance.atlantide.{key}")

    rows = []
    ranking = [seat for group in standings(war) for seat in group]
    if reader is not None and not war.over:  # their order would tell what is secret
        ranking = sorted(war.seats, key=lambda code: (-len(war.lands_of(code)), code))
    for code in ranking:
        seat, points = war.seats[code], campaign_points(war.seats[code])
        secret = (str(seat.loot), str(points - seat.loot), str(points))
        shown = secret if reader in {None, code} else (say("unknown"),) * len(secret)
        people = book.say(f"people.{seat.catalogue}") if seat.catalogue else ""
        rows.append((book.name(code), people, str(len(war.lands_of(code))), *shown))
    columns = ("player", "people", "territories", "loot", "army_points", "total")
    caption = book.say("balance.atlantide.caption", turn=war.turn, over=war.over)
    return (Table(tuple(map(say, columns)), tuple(rows), caption),)
