"""Chapter « Éléments de départ » (AT-1): island, lists, kingdoms, and where armies stand.

A set-up may give any of it in advance; what it leaves open is rolled, or asked of the players.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, get_args

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D6,
    D100,
    Filling,
    Item,
    Next,
    NotAllowed,
    NotUnderstood,
    OneOf,
    Refusal,
    Rule,
    Step,
    always,
    as_read,
    ask_each,
    bonus,
    call,
    convert,
    explain,
    faces,
    procedure,
    roll,
    script,
    sheet_parts,
    tell,
    then,
    total,
)
from polemarque.api.checkers import held
from polemarque.api.files import Datum, Finding, Lines, in_order
from polemarque.api.maps import MapRefused
from polemarque.systems.atlantide.chapters.reinforcements import warbands_roll
from polemarque.systems.atlantide.chapters.turn import Groups, Order, rolled_off, turn_begins
from polemarque.systems.atlantide.setup.catalogue import ArmyList, Catalogue, build
from polemarque.systems.atlantide.setup.catalogue_checks import content_faults
from polemarque.systems.atlantide.setup.island import (
    FIRST,
    ISLANDS,
    Board,
    Terrain,
    board_of,
    island_faults,
    island_of,
    shipped_board,
)
from polemarque.systems.atlantide.setup.lists import (
    LONGEST,
    enlist_sheet,
    listed,
    muster,
    ready_list,
)
from polemarque.systems.atlantide.setup.options import SEATS, Options
from polemarque.systems.atlantide.state import POINTS_AT_START, Land, Seat, Waiting, War
from polemarque.systems.atlantide.strength import army_force, army_initiative, tell_force
from polemarque.systems.atlantide.tables import TABLES
from polemarque.systems.atlantide.troops import Army, points_of


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is given of a player before the campaign; the rest is asked of him.

    people:    the name of his people.      catalogue: key of the people whose units he fields.
    army:      his list: a profile and its figures, line by line.
    kingdom:   his kingdom.                 place: the territory where his army stands.
    """

    people: str = ""
    catalogue: str = ""
    army: Annotated[ArmyList, msgspec.Meta(max_length=LONGEST)] = ()
    kingdom: str = ""
    place: str = ""


class Setup(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True,
    rename={"island": "map"},
):  # fmt: skip
    """What is given before the campaign; all of it may be left out.

    name, introduction: of the scenario, by language (see `kernel.tutorial`).
    island:    a shipped map by its name, or the content of a club's own, in the form of the shipped
               ones ("map" in a record).
    catalogue: the content of a club's own army catalogue, likewise.
    players:   by seat.
    terrain:   main terrain by territory, not to be rolled (AT-1.3).
    """

    name: dict[str, str] = {}
    introduction: dict[str, str] = {}
    island: dict[str, Any] | str = always(FIRST)
    catalogue: dict[str, Any] | None = None
    players: dict[str, Player] = {}
    terrain: dict[str, Terrain] = {}


class Country(msgspec.Struct, frozen=True):
    """The main terrain of a territory."""

    terrain: Terrain


TERRAINS = TABLES.table("AT-1.3", Country)
HEART_TERRAIN: Terrain = "mountains"
"""What the kingdom of Atlantis is, on every map (AT-1.3)."""


def begin(setup: Setup, seats: tuple[str, ...], options: Mapping[str, Any]) -> Next[War]:
    """The campaign before anything is rolled or asked.  Raises Refusal on a bad set-up."""
    own_board = None if setup.island == FIRST else _board(setup.island)
    board = own_board or shipped_board()
    catalogue = None if setup.catalogue is None else _catalogue(setup.catalogue)
    lands = {place.id: Land(setup.terrain.get(place.id, place.terrain)) for place in board.places}
    war = War(
        own_board=own_board,
        options=convert(options, Options),
        lands=lands,
        seats={seat: Seat(seat) for seat in seats},
        catalogue=catalogue,
    )
    _check(war, setup)
    for seat, player in setup.players.items():
        war = _given(war, seat, player)
    places = {seat: player.place for seat, player in setup.players.items() if player.place}
    items: list[Item] = []
    if war.options.terrain == "rolled":
        left = [p for p in board.ids if not board.in_heart(p) and p not in setup.terrain]
        items.append(then(terrain_is_rolled, tuple(left)))
    return war, [*items, then(peoples_and_lists), then(kingdoms_are_chosen, places)]


def _board(island: dict[str, Any] | str) -> Board:
    """The board of a map.  Raises NotUnderstood on its first fault, or on an unknown name."""
    if isinstance(island, str):
        if island not in ISLANDS:
            raise NotUnderstood("setup.island", rule="AT-1.2", part=island, legal=ISLANDS)
        return shipped_board(island)
    try:
        return board_of(island_of(as_read(island)))
    except MapRefused as refused:
        fault = refused.findings[0]
        raise NotUnderstood("setup.map", rule="AT-1.2", part=fault, fault=fault) from None


def _catalogue(content: dict[str, Any]) -> Catalogue:
    """A club's own army catalogue.  Raises NotUnderstood on its first fault."""
    content = as_read(content)
    findings = content_faults(content)
    if findings:
        fault = findings[0]
        raise NotUnderstood("setup.catalogue", rule="AT-1.9", part=fault, fault=fault)
    return build(content)


def _check(war: War, setup: Setup) -> None:
    """Refuse a set-up that names what is not there, or that gives one kingdom twice."""
    kingdoms = _choosable(war.board)
    if len(war.seats) > len(kingdoms):
        raise NotAllowed("setup.kingdoms", rule="AT-1.2", part=len(war.seats), legal=kingdoms)
    for place, terrain in setup.terrain.items():
        if place not in war.lands:
            raise NotUnderstood("setup.territory", rule="AT-1.3", part=place, legal=war.lands)
        if war.board.in_heart(place) and terrain != HEART_TERRAIN:
            raise NotAllowed("setup.terrain", rule="AT-1.3", part=place, legal=(HEART_TERRAIN,))
    for seat, player in setup.players.items():
        if seat not in war.seats:
            raise NotUnderstood("seat.unknown", rule="AT-1.1", part=seat, legal=war.seats)
        if player.catalogue and player.catalogue not in war.lists.peoples:
            legal = war.lists.peoples
            raise NotUnderstood("setup.people", rule="AT-1.9", part=player.catalogue, legal=legal)
        if player.kingdom and player.kingdom not in kingdoms:
            raise NotAllowed("setup.kingdom", rule="AT-1.2", part=player.kingdom, legal=kingdoms)
        own = war.board.kingdoms.get(player.kingdom, ())
        if player.place and player.place not in own:
            raise NotAllowed("setup.place", rule="AT-1.4", part=player.place, legal=own)
    taken = [player.kingdom for player in setup.players.values() if player.kingdom]
    for kingdom in taken:
        if taken.count(kingdom) > 1:
            free = [one for one in kingdoms if one not in taken]
            raise NotAllowed("setup.kingdom_twice", rule="AT-1.4", part=kingdom, legal=free)


def _choosable(board: Board) -> tuple[str, ...]:
    """The kingdoms a player can choose: all but that of Atlantis (AT-1.2)."""
    return tuple([kingdom for kingdom in board.capitals if kingdom != board.heart])


def _given(war: War, seat: str, player: Player) -> War:
    """A player with what is given of him.  Raises Refusal on a bad list."""
    war = war.changed(seat, people=player.people, catalogue=player.catalogue)
    if player.army:
        if not player.catalogue:
            raise NotUnderstood("setup.people", rule="AT-1.9", legal=war.lists.peoples)
        war = enlisted_for(war, seat, player.army)
    return settled(war, seat, player.kingdom) if player.kingdom else war


# The island (AT-1.3) -----------------------------------------------------------------------------


@procedure("AT-1.3")
def main_terrain(royal_city: bool) -> Rule[Country]:
    """The main terrain of a territory, by a D6; a royal city lowers it."""
    modifier = bonus("AT-1.3", -1 if royal_city else 0, "royal_city")
    yield from explain(modifier)
    die = yield from roll(1, D6, read=total, why="terrain")
    return TERRAINS.row(die + modifier.total)


@script("AT-1.3/island")
def terrain_is_rolled(war: War, places: tuple[str, ...]) -> Step[War]:
    """A die a territory; the kingdom of Atlantis is mountains."""
    board = war.board
    fell = yield from roll(len(places), D6, read=faces, why="terrain", whom=places)
    lands = dict(war.lands)
    for place, die in zip(places, fell, strict=True):
        terrain = TERRAINS.row(die - board.is_city(place)).terrain
        lands[place] = replace(lands[place], terrain=terrain)  # a kingdom may be given already
    found: dict[str, Any] = {
        terrain: [place for place in board.ids if lands[place].terrain == terrain]
        for terrain in get_args(Terrain)
    }
    yield from tell("AT-1.3", "terrain", **found)
    return replace(war, lands=lands), []


# Peoples and lists (AT-1.1, AT-1.9) --------------------------------------------------------------


@script("AT-1.1")
def peoples_and_lists(war: War) -> Step[War]:
    """Everybody names his people and writes his list, sealed."""
    asked = tuple([code for code in war.in_play() if not war.seats[code].waiting])
    sheets = yield from ask_each(
        asked,
        lambda seat: enlist_sheet(war, war.seats[seat]),
        absent=lambda seat: ready_list(war, war.seats[seat]),
    )
    for code, sheet in sheets.items():
        seat = war.seats[code]
        people = sheet.get("people", seat.people)
        war = war.changed(code, people=people, catalogue=sheet.get("catalogue", seat.catalogue))
        war = enlisted_for(war, code, listed(war.lists.peoples[war.seats[code].catalogue], sheet))
    for code in war.in_play():
        seat = war.seats[code]
        army = seat.waiting[0]
        yield from tell("AT-1.1", "people", seat=code, people=seat.people, catalogue=seat.catalogue)
        points = points_of(army.units, army.characters)
        yield from tell("AT-1.9", "list", to=(code,), seat=code, points=points)
    return war, []


def enlisted_for(war: War, seat: str, entries: ArmyList) -> War:
    """The war with a list mustered for a seat; it waits for its place.  Raises Refusal (AT-1.9)."""
    holder = war.seats[seat]
    people = war.lists.peoples[holder.catalogue]
    units, characters = muster(people, entries, POINTS_AT_START, holder.next_id)
    waiting = Waiting("bought", war.turn, None, units, characters)
    return war.changed(seat, waiting=(waiting,), next_id=holder.next_id + len(entries))


# Kingdoms and placement (AT-1.4) -----------------------------------------------------------------


@procedure("AT-1.4/order")
def order_of_choice(groups: Groups) -> Rule[Order]:
    """Everybody rolls D100, the highest picks first; the tied roll again among themselves."""
    return (yield from rolled_off(groups, D100, "choice"))


@script("AT-1.4", edition="2026-11.2")
def kingdoms_are_chosen(war: War, places: dict[str, str]) -> Step[War]:
    """The dice say who picks a kingdom first; everybody ranks them, then places an army."""
    given = tuple([code for code in war.in_play() if war.seats[code].kingdom])
    choosing = tuple([code for code in war.in_play() if code not in given])
    order = yield from order_told(choosing)
    items: list[Item] = [then(kingdoms_are_picked, order)] if order else []
    return war, [*items, then(armies_are_placed, (*given, *order), places), then(turn_begins)]


def order_told(choosing: tuple[str, ...]) -> Rule[tuple[str, ...]]:
    """The order in which these seats pick a kingdom, told to all."""
    if not choosing:
        return ()
    order: tuple[str, ...] = (yield from call(order_of_choice, (choosing,))).seats
    yield from tell("AT-1.4", "order", seats=order)
    return order


@script("AT-1.4/wishes")
def kingdoms_are_picked(war: War, order: tuple[str, ...]) -> Step[War]:
    """Everybody ranks the kingdoms, sealed; in the order of the dice each has the first one free.

    Nobody ranks more than could be taken before it is his turn.  Where all wishes are taken, or
    none is left to say, the first free kingdom of the map is his.
    """
    order = tuple([seat for seat in order if not war.seats[seat].given_up])
    free = free_kingdoms(war)
    asked = order if len(free) > 1 else ()
    wishes = yield from ask_each(
        asked,
        lambda seat: _ranking(free, order.index(seat) + 1),
        absent={"wish.1": ANY},
        undecided=("wish.1",),
    )
    for seat in order:
        free = free_kingdoms(war)
        wished = [wish for wish in wishes.get(seat, {}).values() if wish in free]
        kingdom = (*wished, *free)[0]
        yield from tell("AT-1.4", "kingdom", seat=seat, kingdom=kingdom)
        war = settled(war, seat, kingdom)
    return war, []


ANY = "any"
"""No wish: whichever kingdom is left."""


@sheet_parts
def _ranking(free: tuple[str, ...], most: int) -> Filling:
    """Kingdoms by preference, as many as are needed; "any" ends the list."""
    left = [*free]
    for number in range(1, min(most, len(free) - 1) + 1):
        wish = yield f"wish.{number}", OneOf((ANY, *left), "kingdom")
        if wish == ANY:
            return
        left.remove(wish)


def free_kingdoms(war: War) -> tuple[str, ...]:
    """The kingdoms that nobody has, Atlantis excepted."""
    taken = [seat.kingdom for seat in war.seats.values()]
    return tuple([kingdom for kingdom in _choosable(war.board) if kingdom not in taken])


def settled(war: War, seat: str, kingdom: str) -> War:
    """The war with a whole kingdom as a seat's colony (AT-1.1)."""
    lands = dict(war.lands)
    for place in war.board.kingdoms[kingdom]:
        lands[place] = replace(lands[place], owner=seat)
    return replace(war, lands=lands).changed(seat, kingdom=kingdom)


@script("AT-1.4/places")
def armies_are_placed(war: War, seats: tuple[str, ...], places: dict[str, str]) -> Step[War]:
    """Each on a territory of his colony: all at once, sealed, where the set-up does not say."""
    seats = tuple([seat for seat in seats if not war.seats[seat].given_up])
    asked = [seat for seat in seats if seat not in places]
    said = yield from ask_each(
        asked,
        lambda seat: OneOf(colony(war, seat), "territory"),
        absent=lambda seat: city_or_first(war, seat),
    )
    places = {**places, **said}
    for seat in seats:
        yield from tell("AT-1.4", "placed", seat=seat, place=places[seat])
        war = standing_at(war, seat, places[seat])
    items: list[Item] = []
    for seat in seats:
        items += [then(warbands_roll, seat), then(army_is_counted, seat)]
    return war, items


def colony(war: War, seat: str) -> tuple[str, ...]:
    """Where an army can be placed; an umpire may have given the land away."""
    return war.lands_of(seat) or war.board.kingdoms[war.seats[seat].kingdom]


def city_or_first(war: War, seat: str) -> str:
    """His royal city, else the first of his territories."""
    city, places = war.board.capitals[war.seats[seat].kingdom], colony(war, seat)
    return city if city in places else places[0]


def standing_at(war: War, seat: str, place: str) -> War:
    """The war with the army that waited standing there."""
    mustered = war.seats[seat].waiting[0]
    army = Army(mustered.units, mustered.characters, place)
    return war.changed(seat, army=army, waiting=())


@script("AT-1.5")
def army_is_counted(war: War, seat: str) -> Step[War]:
    """Its combat force and its initiative, for its player alone."""
    army = war.seats[seat].army
    if army is None:  # the seat has been given up (AT-1.16)
        return war, []
    yield from tell_force(seat, army_force(army))
    initiative = army_initiative(army)
    yield from explain(initiative)
    yield from tell("AT-1.8", "initiative", to=(seat,), seat=seat, initiative=initiative.total)
    return war, []


# What is wrong with a file ------------------------------------------------------------------------


_FIELDS = frozenset([field.encode_name for field in msgspec.structs.fields(Setup)])
_MAP = frozenset(["territory", "kingdom"])
_CATALOGUE = frozenset(["units", "people", "mercenaries"])


class _Scenario(Setup, frozen=True, kw_only=True):
    """A set-up with what a game has if nobody chooses: its seats, and its last turn (0: none)."""

    seats: Annotated[int, msgspec.Meta(ge=2, le=len(SEATS))]
    turns: Annotated[int, msgspec.Meta(ge=0)] = 0


def scenario_faults(content: Mapping[str, Any], file: str, text: str) -> tuple[Finding, ...] | None:
    """What is wrong with a file of scenarios, which all say their seats; None for another file.

    Code: ``atlantide.scenario`` (misread, part, legal), of one with which no campaign can begin.
    """
    if not content or not all(isinstance(e, dict) and "seats" in e for e in content.values()):
        return None
    findings, lines = [], Lines(text)
    for name, each in content.items():
        try:
            scenario = convert(each, _Scenario)
            begin(scenario, SEATS[: scenario.seats], {})
        except (msgspec.ValidationError, Refusal) as fault:
            part, legal = (fault.part, fault.legal) if isinstance(fault, Refusal) else ("", ())
            data: dict[str, Datum] = {"misread": str(fault), "part": part}
            data["legal"] = ", ".join(legal)
            findings.append(Finding(file, lines.of(name), name, "atlantide.scenario", data))
    return in_order(findings)


def setup_faults(content: Mapping[str, Any], file: str, text: str) -> tuple[Finding, ...] | None:
    """What is wrong with the map and the catalogue of a set-up; None if it holds neither.

    Whatever else it gives is refused when the campaign begins, by the variants that are chosen.
    """
    island, lists = held(content, "map", _MAP), held(content, "catalogue", _CATALOGUE)
    if not content.keys() <= _FIELDS or not (island or lists):
        return None
    findings: list[Finding] = []
    if island:
        findings += island_faults(island, file, text, ("map",))
    if lists:
        findings += content_faults(lists, file, text, ("catalogue",))
    return in_order(findings)
