"""Atlantide: the WAB campaign on the island of Atlantis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import get_args

from polemarque.kernel.battle import BriefWords, untold_titles
from polemarque.kernel.checks import Finding, read_toml
from polemarque.kernel.system import Standing, System
from polemarque.kernel.texts import Catalogue
from polemarque.systems.atlantide import (  # noqa: F401  (they register their rules)
    aftermath,
    battle,
    battlefield,
    breaking,
    conquest,
    diplomacy,
    divine,
    ending,
    loot,
    moving,
    provisions,
    reinforcements,
    simulation,
    turn,
)
from polemarque.systems.atlantide.adjust import adjust, faults
from polemarque.systems.atlantide.board import Terrain
from polemarque.systems.atlantide.catalogue import load_catalogue
from polemarque.systems.atlantide.catalogue_checks import check_catalogue
from polemarque.systems.atlantide.consult import QUESTIONS
from polemarque.systems.atlantide.guests import catalogue_of
from polemarque.systems.atlantide.island import check_island, shipped_board
from polemarque.systems.atlantide.options import CAMPAIGN, choices
from polemarque.systems.atlantide.own_names import own_names
from polemarque.systems.atlantide.ranking import standings
from polemarque.systems.atlantide.setup import Setup, begin
from polemarque.systems.atlantide.setup_checks import setup_faults
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.tables import DATA
from polemarque.systems.atlantide.troops import Kind
from polemarque.systems.atlantide.views import view

EDITION = "2026-11"


def standing(war: War) -> Standing:
    """How the campaign stands (AT-1.11)."""
    playing = war.in_play()
    out = tuple([seat for seat in war.seats if seat not in playing])
    return Standing(war.over, war.winners, standings(war), out)


@cache
def _texts() -> Catalogue:
    return Catalogue.load(DATA)


def names(war: War, lang: str) -> Mapping[str, Mapping[str, str]]:
    """What readers call seats, territories, kingdoms, peoples and units of this game."""
    lists = war.lists
    profiles = {**load_catalogue().profiles, **lists.profiles}  # slaves and guests may be shipped
    peoples = {people.key: getattr(people, lang) for people in lists.people}
    places = {place.id: place.names.get(lang, place.name) for place in war.board.places}
    kingdoms = {
        kingdom: war.board.titles.get(kingdom, {}).get(lang, kingdom)
        for kingdom in war.board.kingdoms
    }
    governors = {
        people.key: people.governor.get(lang, getattr(people, lang)) for people in lists.people
    }
    called = {
        code: seat.people or governors.get(seat.catalogue, code) for code, seat in war.seats.items()
    }
    seats = {
        code: f"{name} {code}" if list(called.values()).count(name) > 1 and name != code else name
        for code, name in called.items()
    }
    strangers = untold_titles(CAMPAIGN, _texts(), lang)
    # In a sentence our own territories have an article, which the text catalogue knows.
    in_words = {} if war.board == shipped_board() else {"land": places}
    return {
        **in_words,
        **({"option.resolver": strangers} if strangers else {}),
        "seat": seats,
        "place": places,
        "territory": places,
        "kingdom": kingdoms,
        "people": peoples,
        "profile": {key: getattr(profile, lang) for key, profile in profiles.items()},
        "guest_force": {force.key: getattr(force, lang) for force in catalogue_of(war).mercenaries},
    }


def check(path: Path) -> Sequence[Finding] | None:
    """The checks of a club's own map or army catalogue, alone or in a set-up; None for others."""
    read = read_toml(path)
    if isinstance(read, Finding):
        return (read,)
    content, text = read
    if "territory" in content or "kingdom" in content:
        return check_island(path)
    if "people" in content or "mercenaries" in content or "units" in content:
        return check_catalogue(path)
    return setup_faults(content, str(path), text)


SYSTEM = System(
    name=CAMPAIGN,
    edition=EDITION,
    titles={"fr": "Atlantide", "en": "Atlantis"},
    seats=("A", "B", "C", "D", "E", "F", "G", "H", "I"),
    least=2,
    options=choices(),
    state=War,
    setup=Setup,
    begin=begin,
    period=attrgetter("turn"),
    opening=lambda war: war.opening,
    view=view,
    standing=standing,
    data=DATA,
    scenarios={
        "atlantide": {"seats": 4},
        "duel": {"seats": 2},
        "trio": {"seats": 3},
        "grand": {"seats": 9},
    },
    adjust=adjust,
    faults=faults,
    phases=("AT-3", "AT-4", "AT-5", "AT-6", "AT-7", "AT-8", "AT-9", "AT-10"),
    questions=QUESTIONS,
    check=check,
    names=names,
    own_names=own_names,
    resolvers=("atlantide_table",),
    brief_words=lambda: BriefWords(get_args(Kind), get_args(Terrain)),
    turns=12,
)
