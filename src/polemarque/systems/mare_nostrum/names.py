"""What readers call seats, places, mercenaries and pieces of one campaign."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from polemarque.api.battle import untold_titles
from polemarque.api.texts import Catalogue
from polemarque.systems.mare_nostrum.chapters.dice import resistance
from polemarque.systems.mare_nostrum.setup.options import CAMPAIGN
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import DATA

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
    strangers = untold_titles(CAMPAIGN, _texts(), lang)
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


# What a seat is asked about, while it is asked ---------------------------------------------------


@cache
def _texts() -> Catalogue:
    return Catalogue.load(DATA)


def own_names(campaign: Campaign, _: str, lang: str, public: Families) -> Families:
    """Pieces with what and where they are now, provinces with what an invader meets there.

    For questions alone: a chronicle is read at other moments, when pieces stand elsewhere.
    """
    texts = _texts().naming(public)
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
