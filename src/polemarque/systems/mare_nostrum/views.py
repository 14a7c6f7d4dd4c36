"""What a seat may see, and may suppose: everything but sealed sheets, which the kernel keeps.

On the table of Mare Nostrum all stands open: the map, pieces, treasuries, treaties.  Only orders
are secret, and only until they are revealed (MN-2.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from polemarque.api.battle import untold_titles
from polemarque.api.texts import Catalogue, texts_in
from polemarque.systems.mare_nostrum.chapters.dice import resistance
from polemarque.systems.mare_nostrum.chapters.diplomacy import may_write
from polemarque.systems.mare_nostrum.pieces import (
    Army,
    Band,
    Caravan,
    Field,
    Fleet,
    Land,
    Mission,
    Orders,
    Route,
    Specialist,
    Treaty,
)
from polemarque.systems.mare_nostrum.setup.army_lists import ArmyLists
from polemarque.systems.mare_nostrum.setup.atlas import Atlas
from polemarque.systems.mare_nostrum.setup.opening import next_band
from polemarque.systems.mare_nostrum.setup.options import CAMPAIGN, Options
from polemarque.systems.mare_nostrum.state import Campaign, Seat
from polemarque.systems.mare_nostrum.tables import DATA


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """The campaign as one seat knows it; `orders` are those of this turn, once revealed, `fields`
    and `standoffs` as in `Campaign`.

    writes_to: seats he may write to (MN-F6, `talk`).
    atlas, lists: None where they are the shipped ones.
    """

    seat: str
    turn: int
    phase: str
    options: Options
    seats: dict[str, Seat]
    lands: dict[str, Land]
    armies: dict[str, Army]
    fleets: dict[str, Fleet]
    specialists: dict[str, Specialist]
    caravans: dict[str, Caravan]
    routes: dict[str, Route]
    bands: dict[str, Band]
    treaties: tuple[Treaty, ...]
    missions: tuple[Mission, ...]
    wars: tuple[tuple[str, str], ...]
    orders: dict[str, Orders]
    fields: dict[str, Field] = {}
    standoffs: dict[str, int] = {}
    writes_to: tuple[str, ...] = ()
    atlas: Atlas | None = None
    lists: ArmyLists | None = None
    over: bool = False
    winners: tuple[str, ...] = ()


def view(campaign: Campaign, seat: str) -> View:
    """What `seat` may see; a code that is no seat sees the same, and writes to nobody."""
    return View(
        seat=seat,
        turn=campaign.turn,
        phase=campaign.phase,
        options=campaign.options,
        seats=campaign.seats,
        lands=campaign.lands,
        armies=campaign.armies,
        fleets=campaign.fleets,
        specialists=campaign.specialists,
        caravans=campaign.caravans,
        routes=campaign.routes,
        bands=campaign.bands,
        treaties=campaign.treaties,
        missions=campaign.missions,
        wars=campaign.wars,
        orders=campaign.orders,
        fields=campaign.fields,
        standoffs=campaign.standoffs,
        writes_to=may_write(campaign, seat) if seat in campaign.seats else (),
        atlas=campaign.own_atlas,
        lists=campaign.own_lists,
        over=campaign.over,
        winners=campaign.winners,
    )


SHOWN = tuple([name for name in View.__struct_fields__ if name in Campaign.__struct_fields__])
"""What stands in a view as it does in the campaign."""


def supposed(view: View, seat: str, _premises: Mapping[str, Any]) -> Campaign:
    """The campaign as this seat sees it."""
    campaign = Campaign(
        own_atlas=view.atlas, own_lists=view.lists, next_band=next_band(view.bands),
        **{name: getattr(view, name) for name in SHOWN},
    )  # fmt: skip
    if view.options.talk == "free":
        return campaign
    heard = tuple(sorted([campaign.pair(seat, other) for other in view.writes_to]))
    return msgspec.structs.replace(campaign, channels=heard)


def conditions(view: View, seat: str, _subject: str = "") -> dict[str, Any]:
    """How things stand for one's own armies and fleets, as everybody sees them.

    army:   where each stands and with what strength, and which pieces of others stand there too.
    around: the same, and which stand in the provinces and sea zones beside.
    """
    campaign = supposed(view, seat, {})
    own = [piece for piece in campaign.pieces_of(seat) if piece.place not in campaign.fleets]
    others = [piece for other in campaign.others(seat) for piece in campaign.pieces_of(other)]
    here = {piece.place for piece in own}
    beside = {there for place in here for there in campaign.atlas.around[place]}
    stands = [
        f"{piece.id}:{piece.place}:{piece.strength if isinstance(piece, Army) else 1}"
        for piece in campaign.pieces_of(seat)
    ]
    with_them = [f"{piece.id}:{piece.place}" for piece in others if piece.place in here]
    near = [f"{piece.id}:{piece.place}" for piece in others if piece.place in beside - here]
    return {"army": (*stands, *with_them), "around": (*stands, *with_them, *near)}


Families = Mapping[str, Mapping[str, str]]
"""Family -> code -> name."""

NUMBERS = range(2, 31)
"""Numbers of mercenary units of one kind, after the first."""


def names(campaign: Campaign, lang: str) -> Families:
    """Family -> code -> name.

    A seat bears the name of the city it began with; pieces bear their ids, "A3", since names are
    those of one moment and pieces come and go.
    """
    atlas = campaign.atlas
    seats = {code: atlas.by_id[seat.origin].capital[lang] for code, seat in campaign.seats.items()}
    places = {province.id: province.names[lang] for province in atlas.provinces}
    places |= {zone.id: zone.names[lang] for zone in atlas.zones}
    kinds = {one.key: one.names[lang] for one in campaign.lists.mercenaries}
    elements = {one.key: one.names[lang] for one in campaign.lists.elements}
    goals = {**places, **{fleet: fleet for fleet in campaign.fleets}}
    hired = {f"{key}.{n}": f"{name} ({n})" for key, name in kinds.items() for n in NUMBERS}
    # In a sentence our own places have an article, which the text catalogue knows.
    in_words = {} if campaign.own_atlas is None else {"land": places}
    strangers = untold_titles(CAMPAIGN, texts_in(DATA), lang)
    by_strangers = {"resolver": strangers, "option.resolver": strangers} if strangers else {}
    return {
        **in_words,
        **by_strangers,
        "seat": seats,
        "place": places,
        "party": {**seats, **places},
        "mercenary": kinds,
        "hired": kinds | hired,
        "element": elements,
        "army_list": {one.key: one.names[lang] for one in campaign.lists.lists},
        "order": goals,
        "refuge": goals,
        "contender": seats,
    }


def own_names(campaign: Campaign, _: str, lang: str, public: Families) -> Families:
    """Pieces with what and where they are now, provinces with what an invader meets there.

    For questions alone: a chronicle is read at other moments, when pieces stand elsewhere.
    """
    texts = texts_in(DATA).naming(public)
    pieces = _pieces(campaign, texts, lang)
    goals = {**public["order"], **_goals(campaign, texts, lang), **pieces}
    return {
        "member": pieces,
        "land": {**public.get("land", {}), **{fleet: pieces[fleet] for fleet in campaign.fleets}},
        "piece": pieces,
        "order": goals,
        "refuge": {**public["refuge"], **pieces},
    }


def asked_with(campaign: Campaign, _rule: str, args: tuple[Any, ...], _: str) -> dict[str, str]:
    """The army and the province that a question is about, "" where it is about none."""
    named = [one for one in args if isinstance(one, str)]
    return {
        "piece": next((one for one in named if one in campaign.armies), ""),
        "place": next((one for one in named if one in campaign.lands), ""),
    }


def _goals(campaign: Campaign, texts: Catalogue, lang: str) -> dict[str, str]:
    """Provinces with the resistance of those without a master (MN-5.1), and else their masters."""
    goals = {}
    for place, land in campaign.lands.items():
        reasons = resistance(
            campaign.demographic(place), fortress=land.fortress, engineer=False, war_priest=False
        )
        goals[place] = texts.say(
            lang, "goal", place=place, owner=campaign.owner(place), resistance=reasons.total
        )
    return goals


def _pieces(campaign: Campaign, texts: Catalogue, lang: str) -> dict[str, str]:
    """Id of a piece -> what and where it is now."""
    pieces = {
        army.id: texts.say(lang, "piece_said.army", piece=army.id, place=campaign.whereabouts(army))
        for army in campaign.armies.values()
    }
    for fleet in campaign.fleets.values():
        pieces[fleet.id] = texts.say(lang, "piece_said.fleet", piece=fleet.id, place=fleet.place)
    for one in campaign.specialists.values():
        pieces[one.id] = texts.say(
            lang, "piece_said.specialist", piece=one.id, specialist=one.kind, god=one.god
        )
    for caravan in campaign.caravans.values():
        pieces[caravan.id] = texts.say(
            lang, "piece_said.caravan", piece=caravan.id, resource=caravan.resource,
            place=caravan.place,
        )  # fmt: skip
    for route in campaign.routes.values():
        pieces[route.id] = texts.say(
            lang, "piece_said.route", resource=route.resource, origin=route.origin,
            destination=route.destination,
        )  # fmt: skip
    return pieces
