"""Mare Nostrum: the sea as it stands, as a map to print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from polemarque.kernel.events import Event
from polemarque.kernel.files.sentence_templates import plainly
from polemarque.report.documents.interactive_svg import Drawn, drawn_once
from polemarque.report.labels import Names, catalogue_of, introduced
from polemarque.report.pictures import (
    BoardTold,
    Card,
    Seen,
    Went,
    Zone,
    draws_board,
    draws_view,
    tells_board,
    tells_moves,
    tells_pieces,
)
from polemarque.report.sea.chart_data import Mark, Shown, ShownArmy, ShownFleet
from polemarque.report.sea.drawing import draw_sea
from polemarque.systems.mare_nostrum.lookups import age
from polemarque.systems.mare_nostrum.pieces import LOST, OWN, Army, Caravan, Fleet, Specialist
from polemarque.systems.mare_nostrum.reach import army_ways, fleet_ways
from polemarque.systems.mare_nostrum.setup.atlas import Atlas, load_atlas
from polemarque.systems.mare_nostrum.state import FIRST_YEAR, TURNS_A_YEAR
from polemarque.systems.mare_nostrum.tables import RESOURCES
from polemarque.systems.mare_nostrum.views import View, supposed

Mover = TypeVar("Mover", Army, Fleet, Caravan)

SEASONS = {
    "fr": ("printemps", "été", "automne", "hiver"),
    "en": ("spring", "summer", "autumn", "winter"),
}
WHEN = {
    "fr": "tour {turn} · {season} {year} avant notre ère",
    "en": "turn {turn} · {season} {year} BC",
}


@draws_board("mare_nostrum")
def sea(campaign: Any, lang: str, names: Names) -> str | None:
    """Who controls what, where armies and fleets are, and what is besieged, cut or pillaged."""
    return _drawn(campaign.atlas, campaign, lang, names, campaign.turn).on_paper()


@draws_view("mare_nostrum")
def sea_seen(view: View, lang: str, names: Names, period: int | None = None) -> Seen:
    """The same from what a seat sees."""
    turn = period or view.turn
    teller = _Teller(view, lang, names, turn)
    atlas = teller.atlas
    middles = {one.id: one.site for one in atlas.provinces} | {z.id: z.label for z in atlas.zones}
    return Seen(_drawn(atlas, view, lang, names, turn), teller.places(), middles)


MOVES = (("MN-4.1", "marches"), ("MN-4.2", "lands"), ("MN-4.1", "sails"))
"""Events of pieces that go where they were ordered, all at once."""


@tells_moves("mare_nostrum")
def went(event: Event, view: View) -> Went | None:
    """Armies and fleets that went by this turn's orders."""
    if (event.rule, event.kind) not in MOVES:
        return None
    seat, piece, start, place = (event.data[name] for name in ("seat", "piece", "start", "place"))
    return Went(piece, seat, list(view.seats).index(seat), (place,), start, together=True)


@tells_pieces("mare_nostrum")
def piece_cards(view: View, lang: str, names: Names) -> dict[str, Card]:
    """Armies, fleets and caravans: all that stands open on the table."""
    return _Teller(view, lang, names, view.turn).cards()


def _drawn(atlas: Atlas, campaign: Any, lang: str, names: Names, turn: int) -> Drawn:
    """The sea as a campaign, or a view of one, has it.   turn: the one that it is said to show."""
    texts = catalogue_of("mare_nostrum")
    used = {good for province in atlas.provinces for good in province.resources}
    what, under = shown(campaign, names), when(turn, lang)
    goods = {key: texts.say(lang, f"resource.{key}") for key in RESOURCES if key in used}
    own = None if atlas is load_atlas() else atlas
    given = ("mare_nostrum", own, what, under, lang)
    return drawn_once(given, lambda: draw_sea(atlas, what, lang, under=under, goods=goods))


def when(turn: int, lang: str) -> str:
    """A turn with its season and year; the first is spring of 300 BC (MN-F1)."""
    year, season = divmod(max(turn, 1) - 1, TURNS_A_YEAR)
    return WHEN[lang].format(turn=turn, season=SEASONS[lang][season], year=FIRST_YEAR - year)


def shown(campaign: Any, names: Names) -> Shown:
    """A campaign, or a view of one, as neutral data; what fleets carry is shown on them."""
    called = names.get("seat", {})
    lands = campaign.lands
    aboard = {army.place for army in campaign.armies.values()}
    return Shown(
        names={code: called.get(code, code) for code in campaign.seats},
        people=introduced(names, campaign.seats),
        owners={place: land.owner for place, land in lands.items()},
        homes={code: seat.home for code, seat in campaign.seats.items() if seat.home},
        armies=tuple(
            [
                ShownArmy(army.owner, army.place, army.exhausted, army.id)
                for army in campaign.armies.values()
                if army.place in lands
            ]
        ),
        fleets=tuple(
            [
                ShownFleet(fleet.owner, fleet.place, fleet.id in aboard, fleet.id)
                for fleet in campaign.fleets.values()
            ]
        ),
        caravans=tuple([(one.owner, one.place, one.id) for one in campaign.caravans.values()]),
        bands=tuple([(band.kind, band.place) for band in campaign.bands.values()]),
        routes=tuple(
            [(one.owner, one.origin, one.destination) for one in campaign.routes.values()]
        ),
        sieges={
            place: max(1, campaign.turn - land.siege.begun)
            for place, land in lands.items()
            if land.siege is not None
        },
        marks={place: _marks(land) for place, land in lands.items() if land.marked},
        fortresses=tuple([p for p, land in lands.items() if "fortress" in land.improvements]),
        arsenals=tuple([p for p, land in lands.items() if "arsenal" in land.improvements]),
    )


def _marks(land: Any) -> tuple[Mark, ...]:
    marks: tuple[tuple[bool, Mark], ...] = (
        (land.pillaged, "pillaged"),
        (land.taxed_off, "blockaded"),
        (land.cut, "cut"),
    )
    return tuple([mark for suffered, mark in marks if suffered])


@tells_board("mare_nostrum")
def sea_told(view: View, lang: str, names: Names, period: int | None = None) -> BoardTold | None:
    """What a seat sees: everybody's realm in a line or two, and what is around its own armies."""
    teller = _Teller(view, lang, names, period or view.turn)
    rest = [*teller.around(), *teller.trade(), *teller.others()]
    return BoardTold("\n".join([teller.title(), *teller.realms()]), "\n".join(rest))


class _Teller:
    """Says one seat's view line by line."""

    def __init__(self, view: View, lang: str, names: Names, turn: int) -> None:
        self.view, self.lang, self.turn = view, lang, turn
        self.atlas = view.atlas or load_atlas()
        self.texts = catalogue_of("mare_nostrum").naming(names)

    def title(self) -> str:
        """The turn with its season."""
        return self._say("title", when=when(self.turn, self.lang))

    def realms(self) -> Iterator[str]:
        """Each seat: its money, its provinces, its pieces."""
        for code, seat in self.view.seats.items():
            own = sorted([p for p, land in self.view.lands.items() if land.owner == code],
                         key=self._named)  # fmt: skip
            armies = [army for army in self._by_place(self.view.armies) if army.owner == code]
            fleets = [fleet for fleet in self._by_place(self.view.fleets) if fleet.owner == code]
            yield self._say(
                "seat", seat=code, money=seat.treasury, lands=len(own),
                places=", ".join([self._land(place) for place in own]),
                eliminated=bool(seat.eliminated), happiness=seat.happiness,
            )  # fmt: skip
            if armies or fleets:
                pieces = [self._army(army) for army in armies]
                pieces += [self._say("fleet", piece=f.id, place=f.place) for f in fleets]
                yield self._say("pieces", pieces=" · ".join(pieces))

    def around(self) -> Iterator[str]:
        """The provinces next to those in which the seat has armies."""
        bases = {self._where(a) for a in self.view.armies.values() if self._mine(a.owner)}
        for place in sorted(self.atlas.by_id.keys() & bases, key=self._named):
            yield self._say("around", place=place)
            for other in sorted(self.atlas.by_id[place].neighbours, key=self._named):
                yield f"  {self._province(other)}"
            zones = self.atlas.by_id[place].zones
            if zones:
                yield "  " + self._say("zones", places=zones)

    def places(self) -> dict[str, str]:
        """Every province, then every sea zone, with whose it is and who is there."""
        here: dict[str, list[str]] = {}
        for place, words in self._pieces():
            here.setdefault(place, []).append(words)
        told = {code: ", ".join(words) for code, words in here.items()}
        lands = [place.id for place in self.atlas.provinces]
        zones = [zone.id for zone in self.atlas.zones]
        return {
            **{place: self._spot(place, told.get(place, "")) for place in lands},
            **{zone: self._say("water", place=zone, here=told.get(zone, "")) for zone in zones},
        }

    def _spot(self, place: str, here: str) -> str:
        land = self.view.lands[place]
        return self._say(
            "spot", land=self._land(place), owner=land.owner or "", fortress=land.fortress,
            here=here,
        )  # fmt: skip

    def _pieces(self) -> Iterator[tuple[str, str]]:
        """Where each piece is, and what it is; an army aboard is told with its fleet."""
        aboard = {army.place for army in self.view.armies.values()}
        for army in self.view.armies.values():
            yield army.place, self._say(
                "army_here", piece=army.id, seat=army.owner, strength=army.strength,
                exhausted=army.exhausted,
            )  # fmt: skip
        for ship in self.view.fleets.values():
            carrying = ship.id in aboard
            yield (
                ship.place,
                self._say("fleet_here", piece=ship.id, seat=ship.owner, carrying=carrying),
            )
        for caravan in self.view.caravans.values():
            yield caravan.place, self._say("caravan_here", piece=caravan.id, seat=caravan.owner)
        for band in self.view.bands.values():
            yield band.place, self._say("band_here", what=band.kind)

    def cards(self) -> dict[str, Card]:
        """A card for each piece, with where it can go."""
        campaign, cards = supposed(self.view, self.view.seat, {}), {}
        for army in self.view.armies.values():
            hired = [word for word in army.stands if word not in (OWN, LOST)]
            facts = self._facts(
                place=self._where(army), aboard=army.place in self.view.fleets,
                strength=army.strength, hired=hired, exhausted=army.exhausted, list=army.list,
                base=army.base, came=army.came, company=campaign.companions(army.id),
            )  # fmt: skip
            cards[army.id] = self._card("army", army, facts, army_ways(campaign, army))
        for fleet in self.view.fleets.values():
            aboard = [army.id for army in self.view.armies.values() if army.place == fleet.id]
            facts = self._facts(place=fleet.place, base=fleet.base, came=fleet.came, armies=aboard)
            cards[fleet.id] = self._card("fleet", fleet, facts, fleet_ways(campaign, fleet))
        for cart in self.view.caravans.values():
            facts = self._facts(
                place=cart.place, goods=cart.resource, goal=cart.destination,
                company=campaign.companions(cart.id),
            )  # fmt: skip
            cards[cart.id] = self._card("caravan", cart, facts, ())
        return cards

    def _facts(
        self, company: Sequence[Specialist] = (), **data: Any
    ) -> tuple[tuple[str, str], ...]:
        """What a card tells, each under its name; `aboard` and `hired` are told with others."""
        say = partial(self.texts.say, self.lang, "piece_said.specialist")
        data["company"] = [say(piece=one.id, specialist=one.kind, god=one.god) for one in company]
        told = {"aboard": False, "hired": (), **data}
        names = [name for name in data if name not in ("aboard", "hired") and data[name]]
        return tuple(
            [(self._say(f"card.{name}"), self._say(f"card_said.{name}", **told)) for name in names]
        )

    def _card(
        self, kind: str, piece: Army | Fleet | Caravan, facts: tuple[tuple[str, str], ...],
        ways: Sequence[str],
    ) -> Card:  # fmt: skip
        owner = self.texts.say(self.lang, f"seat.{piece.owner}")
        zone = Zone(
            self._say("card.ways"), tuple([way for way in ways if way in self.atlas.around])
        )
        return Card(
            self._say(f"called.{kind}", piece=piece.id), owner, piece.id, facts, (), (zone,)
        )

    def trade(self) -> Iterator[str]:
        """The seat's caravans and routes."""
        for caravan in self._by_place(self.view.caravans):
            if self._mine(caravan.owner):
                yield self._say(
                    "caravan", piece=caravan.id, resource=caravan.resource, place=caravan.place,
                    destination=caravan.destination,
                )  # fmt: skip
        for route in self.view.routes.values():
            if self._mine(route.owner):
                yield self._say(
                    "route", resource=route.resource, origin=route.origin,
                    destination=route.destination,
                )  # fmt: skip

    def others(self) -> Iterator[str]:
        """Treaties and wars, brigands and pirates."""
        for treaty in self.view.treaties:
            yield self._say("treaty", what=treaty.kind, one=treaty.one, other=treaty.other)
        for one, other in self.view.wars:
            yield self._say("war", one=one, other=other)
        for band in self.view.bands.values():
            yield self._say("band", what=band.kind, place=band.place)

    def _named(self, place: str) -> str:
        """What a place is called, as lists in the reader's language have it in order."""
        return plainly(self.texts.say(self.lang, f"place.{place}"))

    def _by_place(self, pieces: Mapping[str, Mover]) -> list[Mover]:
        """Pieces by the names of their places, in one place the oldest first."""
        return sorted(
            pieces.values(),
            key=lambda one: (self._named(self._where(one)), age(one.id)),
        )

    def _mine(self, owner: str) -> bool:
        return owner == self.view.seat

    def _where(self, piece: Army | Fleet | Caravan) -> str:
        fleet = self.view.fleets.get(piece.place)
        return piece.place if fleet is None else fleet.place

    def _army(self, army: Army) -> str:
        return self._say(
            "army", piece=army.id, place=self._where(army), strength=army.strength,
            exhausted=army.exhausted, aboard=army.place in self.view.fleets,
        )  # fmt: skip

    def _land(self, place: str) -> str:
        land = self.view.lands[place]
        return self._say(
            "land", place=place, besieger=land.siege.by if land.siege else "",
            pillaged=land.pillaged, cut=land.cut, blockaded=land.taxed_off,
        )  # fmt: skip

    def _province(self, place: str) -> str:
        land, province = self.view.lands[place], self.atlas.by_id[place]
        factor = max(1, province.demographic + land.people)
        here = [army.id for army in self.view.armies.values() if army.place == place]
        return self._say(
            "province", place=place, owner=land.owner or "", factor=factor,
            fortress=land.fortress, goods=province.resources, armies=here,
        )  # fmt: skip

    def _say(self, key: str, **data: Any) -> str:
        return self.texts.say(self.lang, f"board.mare_nostrum.{key}", **data)
