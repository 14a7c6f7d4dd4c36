"""The campaign sheet of Mare Nostrum: government, provinces, forces, trade, treaties.

All stands open on this table but sealed orders: a sheet says nothing that others may not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from polemarque.kernel.events import Event
from polemarque.kernel.files.sentence_templates import plainly
from polemarque.report.briefing_pack import sums_up, tells_agreements
from polemarque.report.documents.document import Block, Line, Section, Span, Table, paragraph
from polemarque.report.labels import Book
from polemarque.report.narrator import Voice
from polemarque.report.sheets import fills_open_sheet, fills_sheet, seat_name
from polemarque.report.systems.mare_nostrum_pictures import when
from polemarque.systems.mare_nostrum.army_stands import has_guard, mercenaries
from polemarque.systems.mare_nostrum.caravans import routes_of
from polemarque.systems.mare_nostrum.chapters.acclamation import happiness_of
from polemarque.systems.mare_nostrum.chapters.commercial import route_pays
from polemarque.systems.mare_nostrum.lookups import age
from polemarque.systems.mare_nostrum.pieces import Army, Fleet, Route
from polemarque.systems.mare_nostrum.reach import distance_of, dues
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import RESOURCES, local_market

NOTHING = "—"
"""Stands where there is nothing to say."""


@fills_open_sheet("mare_nostrum")
@fills_sheet("mare_nostrum")
def sheet(campaign: Campaign, seat: str, voice: Voice) -> Sequence[Block]:
    """A seat's sheet, as the campaign stands."""
    page = _Sheet(campaign, seat, voice)
    return (
        page.head(),
        page.happiness(),
        page.section("provinces", page.provinces()),
        page.section("forces", page.forces()),
        page.section("specialists", page.specialists()),
        page.section("trade", page.trade()),
        page.section("treaties", page.treaties()),
    )


@sums_up("mare_nostrum")
def summary(campaign: Campaign, seat: str, voice: Voice) -> Sequence[Block]:
    """The sheet without its treaties, which are told by themselves, and without empty tables."""
    page = _Sheet(campaign, seat, voice)
    tables = {
        "provinces": page.provinces(), "forces": page.forces(),
        "specialists": page.specialists(), "trade": page.trade(),
    }  # fmt: skip
    held = [page.section(name, table) for name, table in tables.items() if table.rows]
    return (page.head(), page.happiness(), *held)


@tells_agreements("mare_nostrum")
def agreements(campaign: Campaign, seat: str, voice: Voice) -> Sequence[Block]:
    """Treaties and wars of the seat."""
    table = _Sheet(campaign, seat, voice).treaties()
    return (table,) if table.rows else ()


class _Sheet:
    """Fills the tables of one seat's sheet."""

    def __init__(self, campaign: Campaign, seat: str, voice: Voice) -> None:
        self.campaign, self.seat, self.voice = campaign, seat, voice
        self.book: Book = voice.own
        self.holder = campaign.seats[seat]
        self.lands = campaign.lands_of(seat)

    # Head ----------------------------------------------------------------------------------------

    def head(self) -> Table:
        """Who governs what, and with how much money."""
        holder, year = self.holder, self.holder.year
        income = sum([local_market(self.campaign.atlas, place) for place in self.lands])
        hired = [self.book.say(f"mercenary.{kind}") for kind in holder.mercenaries]
        cells = {
            "when": when(self.campaign.turn, self.voice.lang),
            "player": seat_name(self.book, self.seat),
            "government": self.book.word("place", holder.home),
            "god": self.book.word("god", holder.god),
            "treasury": self._money(holder.treasury),
            "income": self._money(income),
            "routes": self._money(sum(map(self._paid, routes_of(self.campaign, self.seat)))),
            "happiness": self._say("percent", index=holder.happiness),
            "year": self._say(
                "year_so_far", victories=year.victories, provinces=year.provinces,
                routes=year.routes,
            ),
            "mercenaries": ", ".join(hired),
        }  # fmt: skip
        head = (self.book.say("sheet.item"), self.book.say("sheet.entry"))
        rows = [(self._say(key), said or NOTHING) for key, said in cells.items()]
        return Table(head, tuple(rows))

    def happiness(self) -> Line:
        """What the index would be now, with its reasons, told as the chronicle tells it."""
        index = happiness_of(self.campaign, self.seat)
        data = {"seat": self.seat, "index": index.total}
        event = Event("MN-F7", "index", data, index.parts)
        return Line((Span(self._say("index_now", index=index.total)),), self.voice.why(event))

    # Tables --------------------------------------------------------------------------------------

    def section(self, name: str, table: Table) -> Section:
        """A table under its heading, or a word that there is nothing."""
        body = table if table.rows else paragraph(self._say("none"), "em")
        return Section(self._say(name), (body,))

    def provinces(self) -> Table:
        """Each province: its city, its people, what it yields and bears."""
        rows = []
        for place in self.lands:
            province, land = self.campaign.atlas.by_id[place], self.campaign.lands[place]
            marks = {
                "besieged": land.siege is not None, "pillaged": land.pillaged, "cut": land.cut,
                "blockaded": land.taxed_off,
            }  # fmt: skip
            rows.append(
                (
                    self.book.word("place", place),
                    province.capital[self.voice.lang],
                    str(self.campaign.demographic(place)),
                    self._list("resource", province.resources),
                    self._money(local_market(self.campaign.atlas, place)),
                    ", ".join(map(self._built, land.improvements)),
                    ", ".join([self._say(mark) for mark, borne in marks.items() if borne]),
                )
            )
        columns = ("place", "capital", "people", "resources", "market", "built", "marks")
        return self._table(columns, sorted(rows, key=lambda row: plainly(row[0])))

    def forces(self) -> Table:
        """Armies and fleets: where they are, how strong, what they cost away from their base."""
        due = {one.piece: one.cost.total for one in dues(self.campaign, self.seat)}
        rows = [self._army(army, due) for army in self.campaign.armies_of(self.seat)]
        rows += [
            (
                one.id,
                self._say("fleet"),
                self.book.word("place", one.place),
                "",
                *self._far(one, due),
            )
            for one in self.campaign.fleets_of(self.seat)
        ]
        rows.sort(key=lambda row: (plainly(row[2]), age(row[0])))
        return self._table(("piece", "troops", "where", "state", "base", "upkeep"), rows)

    def specialists(self) -> Table:
        """Priests, engineers, diplomats, and where they wait or whom they are with."""
        rows = [
            (
                one.id,
                self.book.word("specialist", one.kind),
                self.book.word("god", one.god),
                one.joins or self.book.word("place", one.place),
            )
            for one in self.campaign.specialists.values()
            if one.owner == self.seat
        ]
        return self._table(("piece", "kind", "of_god", "where"), rows)

    def trade(self) -> Table:
        """Caravans on their way and open routes."""
        rows = [
            (
                caravan.id,
                self.book.word("resource", caravan.resource),
                self.book.word("place", caravan.origin),
                self.book.word("place", caravan.destination),
                self.book.word("place", caravan.place),
                "",
            )
            for caravan in self.campaign.caravans.values()
            if caravan.owner == self.seat
        ]
        rows += [
            (
                route.id,
                self.book.word("resource", route.resource),
                self.book.word("place", route.origin),
                self.book.word("place", route.destination),
                self._say("route_open"),
                self._money(self._paid(route)),
            )
            for route in routes_of(self.campaign, self.seat)
        ]
        return self._table(("piece", "resource", "from", "to", "where", "pays"), rows)

    def _paid(self, route: Route) -> int:
        """What a route brings a turn, in PO: 0 while it is cut, or its source besieged."""
        pays = route_pays(self.campaign, route)
        return RESOURCES[route.resource].value if pays else 0

    def treaties(self) -> Table:
        """Treaties and wars of the seat."""
        rows = [
            (self.book.word("treaty", treaty.kind), self._other(treaty.one, treaty.other))
            for treaty in self.campaign.treaties
            if self.seat in (treaty.one, treaty.other)
        ]
        rows += [
            (self._say("war"), self._other(*pair))
            for pair in self.campaign.wars
            if self.seat in pair
        ]
        return self._table(("treaty", "with"), rows)

    # Cells ---------------------------------------------------------------------------------------

    def _army(self, army: Army, due: dict[str, int]) -> tuple[str, ...]:
        own = self.campaign.lists.list[army.list]
        guard = has_guard(self.campaign, army)
        hired = ", ".join(
            [self.book.word("mercenary", kind) for kind in dict.fromkeys(mercenaries(army))]
        )
        state = self._say(
            "army_state", strength=army.strength, guard=guard, exhausted=army.exhausted, hired=hired
        )
        where = self.book.word("place", self.campaign.whereabouts(army))
        if army.place in self.campaign.fleets:
            where = self._say("aboard", piece=army.place, where=where)
        return (army.id, own.names[self.voice.lang], where, state, *self._far(army, due))

    def _far(self, piece: Army | Fleet, due: dict[str, int]) -> tuple[str, str]:
        far = distance_of(self.campaign, piece.id)
        base = self._say("base_far", place=piece.base, far=far)
        return base, self._money(due[piece.id]) if piece.id in due else ""

    def _built(self, improvement: str) -> str:
        kind, _, god = improvement.partition(":")
        said = self.book.word("improvement", kind)
        return self._say("temple_of", temple=said, god=god) if god else said

    def _other(self, one: str, other: str) -> str:
        party = other if one == self.seat else one
        return self.book.word("party", party)

    def _table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
        head = tuple([self._say(f"column.{column}") for column in columns])
        return Table(head, tuple([tuple([cell or NOTHING for cell in row]) for row in rows]))

    def _list(self, family: str, words: Iterable[str]) -> str:
        return ", ".join([self.book.word(family, word) for word in words])

    def _money(self, amount: int) -> str:
        return self._say("money", amount=amount)

    def _say(self, key: str, **data: Any) -> str:
        return self.book.say(f"sheet.mare_nostrum.{key}", **data)
