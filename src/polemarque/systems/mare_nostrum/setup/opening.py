"""How a campaign begins (MN-F1, MN-2.1), or is taken over from a table in the middle.

Without a set-up each player begins in a home city of the map with 50 PO, one army, a protector god
and one priest.  A set-up may give another map or other army lists, who lives where, and any piece,
province or treaty of a campaign that has begun elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    Next,
    NotAllowed,
    NotUnderstood,
    Step,
    always,
    as_read,
    convert,
    script,
    tell,
    then,
)
from polemarque.api.checkers import held
from polemarque.api.files import CheckFailed, Finding
from polemarque.systems.mare_nostrum.adjust import RICHEST, faults
from polemarque.systems.mare_nostrum.chapters.turn import phases_from
from polemarque.systems.mare_nostrum.lookups import age
from polemarque.systems.mare_nostrum.pieces import (
    OWN,
    STANDS,
    Army,
    Band,
    Caravan,
    Fleet,
    Land,
    Route,
    Siege,
    Specialist,
    Treaty,
    Year,
)
from polemarque.systems.mare_nostrum.setup import army_lists, atlas_checks
from polemarque.systems.mare_nostrum.setup.army_lists import ArmyLists, load_lists, read_lists
from polemarque.systems.mare_nostrum.setup.atlas import Atlas, load_atlas, read_atlas
from polemarque.systems.mare_nostrum.setup.options import Options
from polemarque.systems.mare_nostrum.state import PHASES, Campaign, Seat
from polemarque.systems.mare_nostrum.tables import GODS, IMPROVEMENTS, RESOURCES, temple_of

TEMPLE = "temple"
BUILT = (*[kind for kind in IMPROVEMENTS if kind != TEMPLE], *[temple_of(god) for god in GODS])
"""What can stand in a province: a temple has a god."""


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a set-up: nothing unknown is accepted."""


def named(ids: Iterable[str], form: str, example: str) -> None:
    """Refuse ids that are not of a form, a regular expression: later ones count on from them."""
    for one in ids:
        if re.fullmatch(form, one) is None:
            raise NotUnderstood("setup.id", part=one, legal=(example,))


def one_of(word: str, legal: Iterable[str], code: str, rule: str) -> str:
    """The word, if it is one of the legal ones.  Raises NotUnderstood under that code."""
    if word not in legal:
        raise NotUnderstood(code, rule=rule, part=word, legal=legal)
    return word


def within(value: int, least: int, most: int, part: str) -> int:
    """The number, if it is from `least` to `most`.  Raises NotUnderstood."""
    if not least <= value <= most:
        raise NotUnderstood("setup.number", part=part, legal=(f"{least}-{most}",))
    return value


class GivenCaravan(Given, frozen=True):
    """A caravan by its id: its good and where that is from.

    place: where it is, "" at the origin.   destination, hires: as it was told.
    """

    resource: str
    origin: str
    place: str = ""
    destination: str = ""
    hires: bool = False


class GivenRoute(Given, frozen=True):
    """A trade route by its id: its good, both ends, and the turn in which it was opened."""

    resource: str
    origin: str
    destination: str
    opened: int = 1


def with_trade(
    campaign: Campaign, caravans: Mapping[str, GivenCaravan], routes: Mapping[str, GivenRoute]
) -> Campaign:
    """The campaign with caravans and routes.  Raises NotUnderstood on a wrong good or place."""
    atlas = campaign.atlas
    given: list[GivenCaravan | GivenRoute] = [*caravans.values(), *routes.values()]
    for one in given:
        one_of(one.resource, RESOURCES, "setup.resource", "MN-F3")
        one_of(one.origin, atlas.by_id, "setup.province", "MN-F3")
        nowhere = ("",) if isinstance(one, GivenCaravan) else ()
        one_of(one.destination, (*nowhere, *atlas.by_id), "setup.province", "MN-F3")
    going = {
        key: Caravan(
            key, key[0], one.resource, one.origin, one.destination,
            one_of(one.place or one.origin, atlas.places, "setup.province", "MN-F3"), one.hires,
        )
        for key, one in sorted(caravans.items())
    }  # fmt: skip
    opened = {
        key: Route(key, key[0], one.resource, one.origin, one.destination, one.opened)
        for key, one in sorted(routes.items())
    }
    return replace(campaign, caravans=going, routes=opened)


def checked_bands(
    bands: Mapping[str, Band], atlas: Atlas, seats: Collection[str]
) -> dict[str, Band]:
    """Bands by id: brigands on land, pirates at sea.  Raises NotUnderstood."""
    named(bands, "b[1-9][0-9]{0,5}", "b1, b2")
    for band in bands.values():
        element = atlas.by_id if band.kind == "brigands" else atlas.zone_by_id
        one_of(band.place, element, "setup.province", "MN-9.1")
        one_of(band.owner, ("", *seats), "seat.unknown", "MN-9.2")
    return {key: replace(bands[key], id=key) for key in sorted(bands)}


def next_band(bands: Iterable[str]) -> int:
    """The number of the next band."""
    return max([age(band) for band in bands], default=0) + 1


def checked_treaties(
    treaties: tuple[Treaty, ...], atlas: Atlas, seats: Collection[str]
) -> tuple[Treaty, ...]:
    """Treaties between two seats, or of a free city with one.  Raises NotUnderstood."""
    parties = (*seats, *atlas.by_id)
    for treaty in treaties:
        one_of(treaty.one, parties, "setup.party", "MN-F6")
        others = [party for party in parties if party != treaty.one]
        one_of(treaty.other, others, "setup.party", "MN-F6")
    return treaties


TREASURY = 50
"""PO at the start (MN-F1)."""


Pieces = msgspec.Meta(max_length=500)
"""More than a map holds of any kind."""


class Player(Given, frozen=True):
    """A player: his home ("" the next of the map) and first home, PO, god, mercenaries."""

    home: str = ""
    origin: str = ""
    treasury: int = TREASURY
    god: str = ""
    mercenaries: tuple[str, ...] = ()


class GivenLand(Given, frozen=True):
    """A province: who controls it, what is built beside the map's, who besieges it since when."""

    owner: str | None = None
    improvements: tuple[str, ...] = ()
    siege: Siege | None = None


class GivenArmy(Given, frozen=True):
    """An army by its id, whose first letter is its owner's code.

    place: province, or the id of a fleet.   base, list: "" those of the place.
    mercenaries: kinds in place of its last stands.
    """

    place: str
    base: str = ""
    list: str = ""
    exhausted: int = 0
    mercenaries: tuple[str, ...] = ()


class GivenFleet(Given, frozen=True):
    """A fleet by its id: its zone, and the zone where it appeared ("" the same)."""

    place: str
    base: str = ""


class GivenSpecialist(Given, frozen=True):
    """A priest, engineer or diplomat by his id: whom he is with ("" he waits at home)."""

    kind: str
    god: str = ""
    joins: str = ""


class Setup(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"atlas": "map"},
):
    """What is given before the campaign; all of it may be left out.

    atlas, lists: content of a club's own map and army lists ("map" in a record); None: ours.
    players:      by seat.   lands: by province.   armies, fleets, specialists, caravans, routes,
                  bands: by id; armies and specialists in place of those everybody begins with.
    phase:        the phase with which play begins.
    """

    atlas: dict[str, Any] | None = None
    lists: dict[str, Any] | None = None
    players: dict[str, Player] = {}
    lands: dict[str, GivenLand] = {}
    armies: Annotated[dict[str, GivenArmy], Pieces] | None = None
    fleets: Annotated[dict[str, GivenFleet], Pieces] = {}
    specialists: Annotated[dict[str, GivenSpecialist], Pieces] | None = None
    caravans: Annotated[dict[str, GivenCaravan], Pieces] = {}
    routes: Annotated[dict[str, GivenRoute], Pieces] = {}
    bands: Annotated[dict[str, Band], Pieces] = {}
    treaties: Annotated[tuple[Treaty, ...], Pieces] = ()
    wars: Annotated[tuple[tuple[str, str], ...], Pieces] = ()
    turn: int = 1
    phase: str = always(PHASES[0])


def begin(setup: Setup, seats: tuple[str, ...], options: Mapping[str, Any]) -> Next[Campaign]:
    """The campaign before its first question.  Raises Refusal on a bad set-up."""
    own_lists, atlas = None, load_atlas()
    if setup.lists is not None:
        own_lists = _sound(partial(read_lists, as_read(setup.lists)), "setup.lists", "MN-2.3")
    lists = own_lists or load_lists()
    if setup.atlas is not None:
        atlas = _sound(partial(read_atlas, as_read(setup.atlas), lists), "setup.map", "MN-F9")
    _check_supplies(atlas, lists)
    _check_seats(setup, seats)
    homes = _homes(atlas, setup, seats)
    players = {seat: setup.players.get(seat, Player()) for seat in seats}
    campaign = Campaign(
        own_atlas=None if setup.atlas is None else atlas,
        own_lists=own_lists,
        options=convert(options, Options),
        seats={seat: _seat(atlas, lists, seat, homes[seat], players[seat]) for seat in seats},
        lands=_lands(atlas, setup, homes),
        turn=within(setup.turn, 1, 1000, "turn"),
        bands=checked_bands(setup.bands, atlas, seats),
        treaties=checked_treaties(setup.treaties, atlas, seats),
        wars=_wars(setup, seats),
        next_band=next_band(setup.bands),
    )
    campaign = with_trade(campaign, setup.caravans, setup.routes)
    campaign = _with_pieces(campaign, setup)
    one_of(setup.phase, PHASES, "setup.phase", "MN-F1")
    if unsound := faults(campaign):
        raise NotAllowed("setup.unsound", part="; ".join(unsound))
    return campaign, [then(everybody_begins), *phases_from(campaign, setup.phase)]


@script("MN-2.1")
def everybody_begins(campaign: Campaign) -> Step[Campaign]:
    """What everybody has at the start, for all to read."""
    for code, seat in campaign.seats.items():
        armies = [army.id for army in campaign.armies_of(code)]
        yield from tell(
            "MN-2.1", "begins", seat=code, place=seat.home, gold=seat.treasury, god=seat.god,
            pieces=armies,
        )  # fmt: skip
    return campaign, []


# Maps and lists ----------------------------------------------------------------------------------


T = TypeVar("T")


def _sound(read: Callable[[], T], code: str, rule: str) -> T:
    """A club's own map or lists.  Raises NotUnderstood on their first fault."""
    try:
        return read()
    except CheckFailed as refused:
        fault = refused.findings[0]
        raise NotUnderstood(code, rule=rule, part=fault, fault=fault) from None


def _check_supplies(atlas: Atlas, lists: ArmyLists) -> None:
    """A map, ours too, may name no list or mercenaries that the club's lists do not have."""
    for province in atlas.provinces:
        one_of(province.army_list, lists.list, "setup.list", "MN-2.3")
        if province.mercenaries:
            one_of(province.mercenaries, lists.mercenary, "setup.mercenaries", "MN-3.1")


# Seats and provinces -----------------------------------------------------------------------------


def _check_seats(setup: Setup, seats: tuple[str, ...]) -> None:
    pieces = (*(setup.armies or ()), *setup.fleets, *(setup.specialists or ()))
    pieces += (*setup.caravans, *setup.routes)
    codes = [*setup.players, *[piece[:1] for piece in pieces]]
    codes += [land.owner for land in setup.lands.values() if land.owner is not None]
    for seat in codes:
        one_of(seat, seats, "seat.unknown", "MN-F1")
    named(pieces, "[A-H][CFRS]?[1-9][0-9]{0,5}", "A1, AF2, AS3, AC4, AR5")


def _wars(setup: Setup, seats: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    for one, other in setup.wars:
        one_of(one, seats, "seat.unknown", "MN-4.4")
        one_of(other, [seat for seat in seats if seat != one], "seat.unknown", "MN-4.4")
    return tuple(sorted({(min(pair), max(pair)) for pair in setup.wars}))


def _homes(atlas: Atlas, setup: Setup, seats: tuple[str, ...]) -> dict[str, str]:
    """Everybody's home: as given, else the map's homes in order.  Raises Refusal on one twice."""
    given = {seat: player.home for seat, player in setup.players.items() if player.home}
    free = [home for home in atlas.homes if home not in given.values()]
    for home in given.values():
        one_of(home, atlas.by_id, "setup.home", "MN-F1")
        if list(given.values()).count(home) > 1:
            raise NotAllowed("setup.home_twice", rule="MN-F1", part=home, legal=free)
    if len(free) < len(seats) - len(given):
        raise NotAllowed("setup.homes", rule="MN-F1", part=len(seats), legal=atlas.homes)
    return {seat: given[seat] if seat in given else free.pop(0) for seat in seats}


def _seat(atlas: Atlas, lists: ArmyLists, code: str, home: str, player: Player) -> Seat:
    province = atlas.by_id[home]
    for kind in player.mercenaries:
        one_of(kind, lists.mercenary, "setup.mercenaries", "MN-3.2")
    treasury = within(player.treasury, 0, RICHEST, f"treasury.{code}")
    return Seat(
        code=code,
        home=home,
        origin=one_of(player.origin or home, atlas.by_id, "setup.home", "MN-6.13"),
        treasury=treasury,
        god=one_of(player.god or province.protector or "sky", GODS, "setup.god", "MN-F1"),
        regime=province.regime,
        mercenaries=player.mercenaries,
        year=Year(treasury),
    )


def _lands(atlas: Atlas, setup: Setup, homes: Mapping[str, str]) -> dict[str, Land]:
    """Every province, with what the map builds there; homes are their owners'."""
    for place, land in setup.lands.items():
        one_of(place, atlas.by_id, "setup.province", "MN-F9")
        if land.siege is not None:
            one_of(land.siege.by, homes, "seat.unknown", "MN-6.3")
            within(land.siege.begun, 1, setup.turn, f"siege.{place}")
    owners = {home: seat for seat, home in homes.items()}
    lands = {}
    for province in atlas.provinces:
        built = [kind for kind in ("arsenal", "fortress") if getattr(province, kind)]
        given = setup.lands.get(province.id, GivenLand())
        lands[province.id] = Land(
            owner=given.owner or owners.get(province.id),
            improvements=(
                *built,
                *[one_of(k, BUILT, "setup.improvement", "MN-F5") for k in given.improvements],
            ),
            siege=given.siege,
        )
    return dict(sorted(lands.items()))


# Pieces ------------------------------------------------------------------------------------------


def _with_pieces(campaign: Campaign, setup: Setup) -> Campaign:
    for key, fleet in setup.fleets.items():
        zone = one_of(fleet.place, campaign.atlas.zone_by_id, "setup.zone", "MN-4.1")
        base = one_of(fleet.base or zone, campaign.atlas.zone_by_id, "setup.zone", "MN-F4")
        campaign = campaign.with_fleet(Fleet(key, key[0], base, zone))
    if setup.armies is None:
        for seat in campaign.seats.values():
            campaign = _starting_army(campaign, seat)
    for key, army in (setup.armies or {}).items():
        campaign = campaign.with_army(_army(campaign, key, army))
    if setup.specialists is None:
        for seat in campaign.seats.values():
            campaign, number = campaign.numbered(seat.code, "S")
            priest = Specialist(number, seat.code, "priest", seat.god, place=seat.home)
            campaign = campaign.with_specialist(priest)
    for key, one in (setup.specialists or {}).items():
        campaign = campaign.with_specialist(_specialist(campaign, key, one))
    for code in campaign.seats:
        armies = campaign.armies_of(code)
        oldest = min([army.id for army in armies], key=age, default="")
        campaign = campaign.changed(code, guard=oldest)
    return _numbers_after(campaign)


def _starting_army(campaign: Campaign, seat: Seat) -> Campaign:
    campaign, number = campaign.numbered(seat.code)
    army_list = campaign.atlas.by_id[seat.home].army_list
    return campaign.with_army(Army(number, seat.code, army_list, seat.home, seat.home))


def _army(campaign: Campaign, key: str, given: GivenArmy) -> Army:
    known = (*campaign.lands, *campaign.fleets)
    place = one_of(given.place, known, "setup.province", "MN-4.1")
    base = given.base or (campaign.seats[key[0]].home if place in campaign.fleets else place)
    province = campaign.atlas.by_id[one_of(base, campaign.lands, "setup.province", "MN-2.5")]
    army_list = given.list or province.army_list
    one_of(army_list, campaign.lists.list, "setup.list", "MN-2.3")
    for kind in given.mercenaries:
        one_of(kind, campaign.lists.mercenary, "setup.mercenaries", "MN-3.3")
    hired = given.mercenaries[:STANDS]
    return Army(
        id=key,
        owner=key[0],
        list=army_list,
        base=base,
        place=place,
        stands=((OWN,) * (STANDS - len(hired)) + hired),
        exhausted=within(given.exhausted, 0, 2, f"exhausted.{key}"),
    )


def _specialist(campaign: Campaign, key: str, given: GivenSpecialist) -> Specialist:
    owner = key[0]
    kind = one_of(given.kind, ("priest", "engineer", "diplomat"), "setup.specialist", "MN-2.9")
    if given.joins:
        own = [army.id for army in campaign.armies_of(owner)]
        one_of(given.joins, own, "setup.piece", "MN-2.9")
    place = "" if given.joins else campaign.seats[owner].home
    god = given.god or (campaign.seats[owner].god if kind == "priest" else "")
    one_of(god, ("", *GODS), "setup.god", "MN-2.9")
    return Specialist(key, owner, kind, god, given.joins, place)  # type: ignore[arg-type]


def _numbers_after(campaign: Campaign) -> Campaign:
    """Later pieces are numbered after those that are given."""
    for code, seat in campaign.seats.items():
        pieces = (*campaign.armies, *campaign.fleets, *campaign.specialists)
        pieces += (*campaign.caravans, *campaign.routes)
        numbers = [age(piece) for piece in pieces if piece[0] == code]
        campaign = campaign.changed(code, next_id=max([seat.next_id, *[n + 1 for n in numbers]]))
    return campaign


# What is wrong with a set-up file -----------------------------------------------------------------


_FIELDS = frozenset([field.encode_name for field in msgspec.structs.fields(Setup)])
_MAP = frozenset(["province", "zone"])
_LISTS = frozenset(army_lists.FIELDS)


def setup_faults(content: Mapping[str, Any], file: str, text: str) -> tuple[Finding, ...] | None:
    """What is wrong with the lists of a set-up, else with its map; None if it holds neither.

    Whatever else it gives is refused when the campaign begins, by the variants that are chosen.
    """
    atlas, lists = held(content, "map", _MAP), held(content, "lists", _LISTS)
    if not content.keys() <= _FIELDS or not (atlas or lists):
        return None
    if lists:
        findings = army_lists.content_faults(lists, file, text, ("lists",))
        if findings or not atlas:
            return findings
    own = read_lists(lists) if lists else None
    return atlas_checks.content_faults(atlas, own, file, text, ("map",))
