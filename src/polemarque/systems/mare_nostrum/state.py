"""The whole state of a Mare Nostrum campaign, and how it changes: always into a new `Campaign`.

Provinces, seats and pieces are small dictionaries that are copied, never changed in place, and
always in the order of their keys (see `put`): a state read back from its JSON then behaves as the
one that was written.  What lists provinces does so in the map file's order.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from polemarque.api import always
from polemarque.api.maps import Holdings, Latest
from polemarque.systems.mare_nostrum.lookups import (
    ARMIES_AT,
    ARMIES_OF,
    BANDS_AT,
    COMPANIONS,
    FLEETS_OF,
    SPECIALISTS_OF,
    TREATIES,
)
from polemarque.systems.mare_nostrum.pieces import (
    LOST,
    OWN,
    UNTOUCHED,
    Army,
    Band,
    Caravan,
    Field,
    Fleet,
    Land,
    Mission,
    Orders,
    Piece,
    Route,
    Siege,
    Specialist,
    Treaty,
    Year,
)
from polemarque.systems.mare_nostrum.setup.army_lists import ArmyLists, load_lists
from polemarque.systems.mare_nostrum.setup.atlas import Atlas, load_atlas
from polemarque.systems.mare_nostrum.setup.options import Options

PHASES = ("commercial", "diplomatic", "military", "administrative", "acclamation")
"""The phases of a turn, in order; the last one only on the fourth turn of a year (MN-F1)."""

MOST_PEOPLE = 20
"""Greatest demographic factor."""

TURNS_A_YEAR = 4
FIRST_YEAR = 300
"""Before our era."""


T = TypeVar("T")


def put(pieces: dict[str, T], key: str, value: T) -> dict[str, T]:
    """A dictionary with a value more, or in place of what it was; keys stay in order."""
    if key in pieces:
        return {**pieces, key: value}
    more = {**pieces, key: value}
    return {name: more[name] for name in sorted(more)}


def without(pieces: dict[str, T], key: str) -> dict[str, T]:
    """A dictionary without a value, if it was there."""
    left = dict(pieces)
    left.pop(key, None)
    return left


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """One player.

    home:        his seat of government; "" once he has none.
    origin:      the home city he began with; it gives his name and nationality.
    treasury:    in PO, never below 0.
    god:         domain of his protector god.
    mercenaries: kinds hired and in garrison at home, in the order in which they came (MN-3.2).
    guard:       the army that has the Sacred Guard when it stands where the rule wants (MN-2.2).
    guard_lost:  whether his Sacred Guard was lost in this military phase (MN-B.4).
    next_id:     number of his next piece.
    lets_pass:   seats whose caravans his fleets let through (MN-8.2).
    happiness:   last index of his acclamation, in per cent (MN-F7).
    absent:      his player does not play this turn.
    eliminated:  turn of his elimination, 0 if he is in play.
    """

    code: str
    home: str
    origin: str
    treasury: int
    god: str = ""
    regime: str = ""
    mercenaries: tuple[str, ...] = ()
    guard: str = ""
    guard_lost: bool = False
    next_id: int = 1
    lets_pass: tuple[str, ...] = ()
    year: Year = always(Year())
    happiness: int = 100
    absent: bool = False
    eliminated: int = 0


def _in_play(seats: dict[str, Seat]) -> tuple[str, ...]:
    return tuple([seat.code for seat in seats.values() if not seat.eliminated])


_HOLDINGS, _IN_PLAY = Holdings(), Latest(_in_play)


class Campaign(msgspec.Struct, frozen=True, omit_defaults=True):
    """The campaign as it stands.

    own_atlas, own_lists: the map and the army lists given in the set-up; None: the shipped ones
               (see `atlas` and `lists`).
    turn, phase: from 1; one of `PHASES`, or "" before the first.
    wars:      pairs of seats at war, each pair in seat order (MN-4.4).
    orders:    this turn's movement orders by seat, once revealed (MN-2.7).
    fields:    places where this turn's combats are going on (MN-7.7).
    standoffs: pairs of armies that left a province to nobody -> the last turn of it (MN-7.7).
    channels:  pairs of seats that may write to one another under `talk=mission` (MN-F6).
    ordered:   options that the umpire has changed from the next turn on.
    """

    own_atlas: Atlas | None
    options: Options
    seats: dict[str, Seat]
    lands: dict[str, Land]
    armies: dict[str, Army] = {}
    fleets: dict[str, Fleet] = {}
    specialists: dict[str, Specialist] = {}
    caravans: dict[str, Caravan] = {}
    routes: dict[str, Route] = {}
    bands: dict[str, Band] = {}
    treaties: tuple[Treaty, ...] = ()
    missions: tuple[Mission, ...] = ()
    wars: tuple[tuple[str, str], ...] = ()
    turn: int = 1
    phase: str = ""
    orders: dict[str, Orders] = {}
    fields: dict[str, Field] = {}
    standoffs: dict[str, int] = {}
    next_band: int = 1
    next_battle: int = 1
    over: bool = False
    winners: tuple[str, ...] = ()
    channels: tuple[tuple[str, str], ...] = ()
    ordered: dict[str, Any] = {}
    own_lists: ArmyLists | None = None

    # What is true ------------------------------------------------------------------------------

    @property
    def atlas(self) -> Atlas:
        """The map this campaign is played on (MN-F9)."""
        return load_atlas() if self.own_atlas is None else self.own_atlas

    @property
    def lists(self) -> ArmyLists:
        """The army lists this campaign is played with (MN-2.3)."""
        return load_lists() if self.own_lists is None else self.own_lists

    @property
    def year(self) -> int:
        """The year of play, from 1."""
        return (self.turn - 1) // TURNS_A_YEAR + 1

    @property
    def year_ends(self) -> bool:
        """Whether this is the last turn of a year."""
        return self.turn % TURNS_A_YEAR == 0

    def in_play(self) -> tuple[str, ...]:
        """Seats that are not eliminated."""
        return _IN_PLAY.of(self.seats)

    def others(self, seat: str) -> tuple[str, ...]:
        """Seats in play, but this one."""
        return tuple([other for other in self.in_play() if other != seat])

    def owner(self, province: str) -> str | None:
        """The seat that controls a province; None: independent.  KeyError for a sea zone."""
        return self.lands[province].owner

    def demographic(self, province: str) -> int:
        """Its demographic factor, 1 to 20: the map's, and what events have changed (MN-F5)."""
        factor = self.atlas.by_id[province].demographic + self.lands[province].people
        return max(1, min(MOST_PEOPLE, factor))

    def lands_of(self, seat: str | None) -> tuple[str, ...]:
        """Provinces a seat controls (None: the independent ones), in the map's order."""
        return _HOLDINGS.of(self.atlas.ids, self.lands).get(seat, ())

    def armies_of(self, seat: str) -> tuple[Army, ...]:
        """A seat's armies."""
        return ARMIES_OF.of(self.armies).get(seat, ())

    def piece(self, code: str) -> Piece:
        """The army or war fleet of that code."""
        army = self.armies.get(code)
        return self.fleets[code] if army is None else army

    def fleets_of(self, seat: str) -> tuple[Fleet, ...]:
        """A seat's fleets."""
        return FLEETS_OF.of(self.fleets).get(seat, ())

    def specialists_of(self, seat: str) -> tuple[Specialist, ...]:
        """A seat's specialists."""
        return SPECIALISTS_OF.of(self.specialists).get(seat, ())

    def pieces_of(self, seat: str) -> tuple[Piece, ...]:
        """A seat's armies, then its fleets."""
        return (*self.armies_of(seat), *self.fleets_of(seat))

    def armies_at(self, place: str, seat: str | None = None) -> tuple[Army, ...]:
        """Armies in a province or aboard a fleet; of one seat, if one is named."""
        there = ARMIES_AT.of(self.armies).get(place, ())
        return there if seat is None else tuple([army for army in there if army.owner == seat])

    def bands_at(self, place: str) -> tuple[Band, ...]:
        """Bands in a place, no matter who raised them."""
        return BANDS_AT.of(self.bands).get(place, ())

    def fleets_at(self, zone: str, seat: str | None = None) -> tuple[Fleet, ...]:
        """Fleets in a sea zone; of one seat, if one is named."""
        return tuple(
            fleet
            for fleet in self.fleets.values()
            if fleet.place == zone and seat in (None, fleet.owner)
        )

    def cargo(self, fleet: str) -> Army | None:
        """The army that a fleet carries (MN-4.2)."""
        return next(iter(self.armies_at(fleet)), None)

    def aboard(self, army: Army) -> bool:
        """Whether an army is aboard a fleet."""
        return army.place in self.fleets

    def whereabouts(self, army: Army) -> str:
        """The province of an army, or the sea zone of the fleet that carries it."""
        fleet = self.fleets.get(army.place)
        return army.place if fleet is None else fleet.place

    def companions(self, piece: str) -> tuple[Specialist, ...]:
        """Specialists with an army or a caravan."""
        return COMPANIONS.of(self.specialists).get(piece, ())

    def has(self, army: str, kind: str, god: str = "") -> Specialist | None:
        """The specialist of that kind with an army (of that god, if one is named), or None."""
        for one in self.companions(army):
            if one.kind == kind and god in ("", one.god):
                return one
        return None

    def besieging(self, army: Army) -> bool:
        """Whether an army stands in a province that its owner besieges."""
        land = self.lands.get(army.place)
        return land is not None and land.siege is not None and land.siege.by == army.owner

    # Treaties and wars (MN-4.4) ----------------------------------------------------------------

    def treaty(self, kind: str, one: str, other: str) -> bool:
        """Whether two parties have a treaty of that kind, no matter who proposed it."""
        kinds = TREATIES.of(self.treaties)
        return kind in kinds.get((one, other), ()) or kind in kinds.get((other, one), ())

    def allies(self, one: str, other: str) -> bool:
        """Whether two seats are allied."""
        return self.treaty("alliance", one, other)

    def partners(self, one: str, other: str) -> bool:
        """Whether a non-aggression treaty or an alliance stands between two seats."""
        return (
            one == other
            or self.treaty("non_aggression", one, other)
            or self.treaty("alliance", one, other)
        )

    def enemies(self, one: str, other: str) -> bool:
        """Enemies: two seats without non-aggression or alliance between them."""
        return not self.partners(one, other)

    def passage(self, grantor: str, seat: str) -> bool:
        """Whether a seat's armies may enter another's provinces: his ally's, or by his leave."""
        granted = TREATIES.of(self.treaties).get((grantor, seat), ())
        return "passage" in granted or self.allies(grantor, seat)

    def at_war(self, one: str, other: str) -> bool:
        """Whether two seats are at war."""
        return self.pair(one, other) in self.wars

    def pair(self, one: str, other: str) -> tuple[str, str]:
        """Two seats, in seat order."""
        return (one, other) if one < other else (other, one)

    def hostile(self, one: str, other: str) -> Campaign:
        """The campaign after a fight, siege, pillage or blockade between two seats.

        They are at war; treaties that forbade it are over.  The caller tells it (MN-4.4).
        """
        if self.at_war(one, other):
            return self
        wars = (*self.wars, self.pair(one, other))
        return replace(self.estranged(one, other), wars=wars)

    def estranged(self, one: str, other: str) -> Campaign:
        """The campaign without any treaty between two seats."""
        kept = tuple([t for t in self.treaties if {t.one, t.other} != {one, other}])
        return replace(self, treaties=kept) if len(kept) < len(self.treaties) else self

    # Seats and money ---------------------------------------------------------------------------

    def changed(self, seat: str, **fields: Any) -> Campaign:
        """The campaign with fields of a seat replaced."""
        seats = self.seats
        return replace(self, seats={**seats, seat: replace(seats[seat], **fields)})

    def governed_from(self, seat: str, place: str) -> Campaign:
        """The campaign with a seat's home in another province, for every rule (MN-6.8, MN-6.13).

        Treasury and garrisoned mercenaries follow, and so do the specialists who wait at home; the
        constitution is that of the new seat.
        """
        campaign = self
        for one in self.specialists.values():
            if one.owner == seat and one.place:
                campaign = campaign.with_specialist(replace(one, place=place))
        return campaign.changed(seat, home=place, regime=self.atlas.by_id[place].regime)

    def paying(self, seat: str, amount: int) -> Campaign:
        """The campaign after a seat paid.  Raises ValueError if it cannot: ask before."""
        left = self.seats[seat].treasury - amount
        if left < 0:
            raise ValueError(f"{seat} lacks {-left} PO")
        return self.changed(seat, treasury=left) if amount else self

    def earning(self, seat: str, amount: int) -> Campaign:
        """The campaign after a seat was paid."""
        if not amount:
            return self
        return self.changed(seat, treasury=self.seats[seat].treasury + amount)

    def counted(self, seat: str, **more: int) -> Campaign:
        """The campaign with the seat's record of the year raised: victories, provinces, routes."""
        year = self.seats[seat].year
        raised = {name: getattr(year, name) + amount for name, amount in more.items()}
        return self.changed(seat, year=replace(year, **raised))

    def numbered(self, seat: str, letter: str = "") -> tuple[Campaign, str]:
        """A new id for a piece of a seat: letter "" army, F fleet, S specialist, C caravan,
        R route.
        """
        number = self.seats[seat].next_id
        return self.changed(seat, next_id=number + 1), f"{seat}{letter}{number}"

    # Pieces ------------------------------------------------------------------------------------

    def with_army(self, army: Army) -> Campaign:
        """The campaign with an army in place of what it was, or new."""
        return replace(self, armies=put(self.armies, army.id, army))

    def army_changed(self, army: str, **fields: Any) -> Campaign:
        """The campaign with fields of an army replaced."""
        return self.with_army(replace(self.armies[army], **fields))

    def at_field(self, field: str) -> Field:
        """How combats stand at a place (MN-7.7)."""
        return self.fields.get(field, UNTOUCHED)

    def field_changed(self, field: str, **changes: Any) -> Campaign:
        """The campaign with what is known of a place of combats replaced."""
        return replace(
            self, fields={**self.fields, field: replace(self.at_field(field), **changes)}
        )

    def without_army(self, army: str) -> Campaign:
        """The campaign after an army was destroyed or disbanded; its specialists share its fate.

        A siege that nobody lays any more is over (MN-6.11).
        """
        gone = self.armies[army]
        armies = without(self.armies, army)
        left = self.specialists
        if any([one.joins == army for one in left.values()]):
            left = {key: one for key, one in left.items() if one.joins != army}
        return replace(self, armies=armies, specialists=left).without_idle_siege(gone.place)

    def without_idle_siege(self, place: str) -> Campaign:
        """The campaign without the siege of a province where no besieger stands any more."""
        land = self.lands.get(place)
        if land is None or land.siege is None or self.armies_at(place, land.siege.by):
            return self
        return self.land_changed(place, siege=None)

    def with_fleet(self, fleet: Fleet) -> Campaign:
        """The campaign with a fleet in place of what it was, or new."""
        return replace(self, fleets=put(self.fleets, fleet.id, fleet))

    def fleet_changed(self, fleet: str, **fields: Any) -> Campaign:
        """The campaign with fields of a fleet replaced."""
        return self.with_fleet(replace(self.fleets[fleet], **fields))

    def without_fleet(self, fleet: str) -> Campaign:
        """The campaign after a fleet was sunk or disbanded, with the army it carried (MN-8.1)."""
        carried = self.cargo(fleet)
        campaign = self if carried is None else self.without_army(carried.id)
        return replace(campaign, fleets=without(campaign.fleets, fleet))

    def with_specialist(self, one: Specialist) -> Campaign:
        """The campaign with a specialist in place of what he was, or new."""
        return replace(self, specialists=put(self.specialists, one.id, one))

    def without_specialist(self, one: str) -> Campaign:
        """The campaign after a specialist was spent or died."""
        return replace(self, specialists=without(self.specialists, one))

    def with_band(self, band: Band) -> Campaign:
        """The campaign with a band in place of what it was, or new."""
        return replace(self, bands=put(self.bands, band.id, band))

    def without_band(self, band: str) -> Campaign:
        """The campaign after a band was destroyed."""
        return replace(self, bands=without(self.bands, band))

    # Provinces ---------------------------------------------------------------------------------

    def land_changed(self, place: str, **fields: Any) -> Campaign:
        """The campaign with fields of a province replaced."""
        lands = self.lands
        return replace(self, lands={**lands, place: replace(lands[place], **fields)})

    def taken(self, place: str, seat: str) -> Campaign:
        """The campaign after a province came under a seat's control; a siege of it is over.

        Counted for the year's acclamation.  Marks of this turn stay: it was pillaged (MN-1.2).
        Treaties of a free city end with its freedom.
        """
        return self.held(place, seat).counted(seat, provinces=1)

    def held(self, place: str, seat: str | None) -> Campaign:
        """The campaign with a province in a seat's hands, or nobody's (None); as `taken`, but that
        it counts for nothing.
        """
        given = self.land_changed(place, owner=seat, siege=None)
        kept = tuple([t for t in self.treaties if place not in (t.one, t.other)])
        return replace(given, treaties=kept) if len(kept) < len(self.treaties) else given

    def besieged(self, place: str, seat: str) -> Campaign:
        """The campaign with a siege laid this turn (MN-6.3)."""
        return self.land_changed(place, siege=Siege(seat, self.turn))

    def refilled(self) -> Campaign:
        """The campaign with every lost stand back, mercenaries as ordinary ones (MN-B.4)."""
        armies = {
            key: replace(
                army, stands=tuple([OWN if stand == LOST else stand for stand in army.stands])
            )
            if LOST in army.stands
            else army
            for key, army in self.armies.items()
        }
        return replace(self, armies=armies)

    def guards_back(self) -> Campaign:
        """The campaign with the Sacred Guards that were lost this phase (MN-B.4)."""
        seats = {
            code: replace(seat, guard_lost=False) if seat.guard_lost else seat
            for code, seat in self.seats.items()
        }
        return replace(self, seats=seats)
