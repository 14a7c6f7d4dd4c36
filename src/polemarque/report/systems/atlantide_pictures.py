"""Atlantide: the island as it stands, as a map to print, and how everybody stands on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from polemarque.kernel.events import Event
from polemarque.kernel.files.sentence_templates import counted
from polemarque.report.documents.document import Block, Table
from polemarque.report.documents.interactive_svg import Drawn, drawn_once
from polemarque.report.island.drawing import draw_island
from polemarque.report.labels import Book, Names, catalogue_of, introduced
from polemarque.report.pictures import (
    BoardTold,
    Card,
    Seen,
    Went,
    draws_balance,
    draws_board,
    draws_view,
    tells_board,
    tells_moves,
    tells_pieces,
)
from polemarque.systems.atlantide.chapters.turn import campaign_points, standings
from polemarque.systems.atlantide.setup.island import Board, chart_of
from polemarque.systems.atlantide.state import Land, Seat
from polemarque.systems.atlantide.strength import force_total, initiative_total
from polemarque.systems.atlantide.troops import Army, army_points
from polemarque.systems.atlantide.views import Camp, View


@draws_board("atlantide")
def island(war: Any, lang: str, names: Names) -> str | None:
    """Who holds what, where armies stand, and the terrain that was rolled.

    None where the shapes of a club's own map are not known.
    """
    armies = {code: seat.army.place if seat.army else "" for code, seat in war.seats.items()}
    drawn = _drawn(war.board, war.turn, war.lands, armies, lang, names)
    return None if drawn is None else drawn.on_paper()


@draws_view("atlantide")
def island_seen(view: View, lang: str, names: Names, period: int | None = None) -> Seen | None:
    """The same from what a seat sees: where armies stand is public, what they are is not."""
    camps = {code: rival.camp.place if rival.camp else "" for code, rival in view.rivals.items()}
    turn = view.turn if period is None else period
    drawn = _drawn(view.board, turn, view.lands, camps, lang, names)
    island = chart_of(view.board)
    if drawn is None or island is None:
        return None
    middles = {place.id: place.label for place in island.provinces}
    return Seen(drawn, _Teller(view, lang, names, turn).places(), middles)


@tells_moves("atlantide")
def went(event: Event, view: View) -> Went | None:
    """Marches, and armies that leave after a battle or a passage (AT-7.6)."""
    forced = event.rule == "AT-7.6"
    if not forced and (event.rule, event.kind) != ("AT-7.3", "moves"):
        return None
    seat, start, place = (event.data[name] for name in ("seat", "start", "place"))
    side, path = list(view.rivals).index(seat), (*event.data.get("via", ()), place)
    return Went(seat, seat, side, path, start, forced=forced)


@tells_pieces("atlantide")
def army_cards(view: View, lang: str, names: Names) -> dict[str, Card]:
    """Every army as all see it; of one's own all that is in it."""
    teller = _Teller(view, lang, names, view.turn)
    return {
        seat: teller.card(seat, rival.camp) for seat, rival in view.rivals.items() if rival.camp
    }


def _drawn(
    board: Board, turn: int, lands: Mapping[str, Land], armies: Mapping[str, str],
    lang: str, names: Names,
) -> Drawn | None:  # fmt: skip
    """The island; `armies` says where each seat's army is, "" for none.   turn: 0 to set up."""
    island = chart_of(board)
    if island is None:
        return None
    called = names.get("seat", {})
    seats = {code: called.get(code, code) for code in armies}
    moment = catalogue_of("atlantide").say(lang, "board.atlantide.moment", turn=turn)

    def draw() -> Drawn:
        return draw_island(
            island,
            {place: land.owner for place, land in lands.items()},
            [(code, place) for code, place in armies.items() if place],
            {place: land.fortresses for place, land in lands.items()},
            seats,
            lang,
            people=introduced(names, seats),
            title=f"{island.names[lang]} · {moment}",
            terrains={place: land.terrain for place, land in lands.items()},
        )

    given = (board.island, board.chart, turn, lands, armies, introduced(names, seats), lang)
    return drawn_once(("atlantide", *given), draw)


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
        rows.append((book.introduced(code), people, str(len(war.lands_of(code))), *shown))
    columns = ("player", "people", "territories", "loot", "army_points", "total")
    caption = book.say("balance.atlantide.caption", turn=war.turn, over=war.over)
    return (Table(tuple(map(say, columns)), tuple(rows), caption),)


@tells_board("atlantide")
def island_told(view: View, lang: str, names: Names, period: int | None = None) -> BoardTold | None:
    """What a seat sees: who has how much and stands where, its own army, and what is around it."""
    teller = _Teller(view, lang, names, view.turn if period is None else period)
    lines = [teller.title(), *map(teller.rival, view.rivals)]
    if view.own is not None:
        lines += teller.own(view.own)
    return BoardTold("\n".join(lines), "\n".join(teller.kingdoms()))


class _Teller:
    """Says one seat's view line by line."""

    def __init__(self, view: View, lang: str, names: Names, turn: int) -> None:
        self.view, self.lang, self.turn = view, lang, turn
        self.texts = catalogue_of("atlantide").naming(names)

    def title(self) -> str:
        """The turn."""
        return self._say("title", moment=self._say("moment", turn=self.turn))

    def rival(self, seat: str) -> str:
        """One player, as all see them."""
        rival, lands = self.view.rivals[seat], self.view.lands.values()
        held = sum(1 for land in lands if land.owner == seat)
        return self._say(
            "seat", seat=seat, lands=held, place=rival.camp.place if rival.camp else "",
            eliminated=bool(rival.eliminated), absent=rival.absent,
        )  # fmt: skip

    def own(self, seat: Seat) -> Iterator[str]:
        """What only the seat itself knows, and the territories around its army."""
        army = seat.army
        yield self._say(
            "own", loot=seat.loot, army=army is not None,
            points=army_points(army) if army else 0, force=force_total(army) if army else 0,
            initiative=initiative_total(army) if army else 0,
        )  # fmt: skip
        if army is not None:
            yield self._say("here", what=self._territory(army.place))
            yield self._say("around")
            for place in self.view.board.neighbours[army.place]:
                yield f"  {self._territory(place)}"

    def card(self, seat: str, camp: Camp) -> Card:
        """An army: where it is and came from, how it fares; one's own with its figures."""
        data: dict[str, Any] = {"place": camp.place}
        holder = self.view.own if seat == self.view.seat else None
        if holder is not None and holder.army is not None:
            army = holder.army
            data |= {"force": force_total(army), "initiative": initiative_total(army)}
            data |= {"points": army_points(army), "troops": self._troops(army), "loot": holder.loot}
        data |= {"came": camp.start, "unsupplied": camp.unsupplied}
        facts = [
            (self._say(f"card.{name}"), self._say(f"card_said.{name}", **data))
            for name, value in data.items()
            if value
        ]
        state = self._say(
            "state", beaten=camp.duty in ("beaten", "crushed"), leaves=camp.duty == "leave",
            negotiated=camp.negotiated, attacked=camp.attacked, general_ld=camp.general_ld,
            army_ld=camp.army_ld, roll_change=camp.roll_change,
        )  # fmt: skip
        name = self._say("called", seat=seat)
        owner = self.texts.say(self.lang, f"seat.{seat}")
        return Card(name, owner, "", tuple(facts), tuple(filter(None, [state.strip()])))

    def _troops(self, army: Army) -> str:
        """Everybody in an army, those alike counted."""
        say = partial(self.texts.say, self.lang, "member_said", number=0)
        said = [say(profile=one.profile, figures=0) for one in army.characters]
        said += [say(profile=unit.profile, figures=unit.figures) for unit in army.units]
        return " · ".join(counted(said))

    def places(self) -> dict[str, str]:
        """Every territory, kingdom by kingdom."""
        kingdoms = self.view.board.kingdoms.values()
        return {place: self._territory(place) for places in kingdoms for place in places}

    def kingdoms(self) -> Iterator[str]:
        """Every kingdom with its territories and who holds them."""
        for kingdom, places in self.view.board.kingdoms.items():
            held = [
                self._say("held", place=place, owner=self.view.lands[place].owner or "")
                for place in places
            ]
            yield self._say("kingdom", kingdom=kingdom, places=", ".join(held))

    def _territory(self, place: str) -> str:
        land = self.view.lands[place]
        here = [
            seat
            for seat, rival in self.view.rivals.items()
            if rival.camp and rival.camp.place == place
        ]
        return self._say(
            "territory", place=place, terrain=land.terrain, owner=land.owner or "",
            city=self.view.board.by_id[place].city, royal=self.view.board.is_city(place),
            fortresses=land.fortresses, armies=here,
        )  # fmt: skip

    def _say(self, key: str, **data: Any) -> str:
        return self.texts.say(self.lang, f"board.atlantide.{key}", **data)
