"""Atlantide: the island as it stands, as a map to print."""

from __future__ import annotations

from typing import Any

from polemarque.report.island_svg import draw_island
from polemarque.report.pictures import draws_board
from polemarque.report.voice import Names
from polemarque.systems.atlantide.island import load_island


@draws_board("atlantide")
def island(war: Any, lang: str, names: Names) -> str | None:
    """Who holds what, where armies stand, and the terrain that was rolled.

    None for a club's own map whose territories are not those of the drawn island.
    """
    drawn = load_island()
    if tuple(war.lands) != tuple(drawn.by_id):
        return None
    seats = dict(names.get("seat", {})) or {code: code for code in war.seats}
    armies = [
        (code, seat.army.place) for code, seat in war.seats.items() if seat.army is not None
    ]
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
