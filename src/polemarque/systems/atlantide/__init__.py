"""Atlantide: the WAB campaign on the island of Atlantis."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import get_args

from polemarque.api import Standing, System
from polemarque.api.battle import BriefWords, untold_titles
from polemarque.api.files import Finding, read_toml
from polemarque.api.texts import texts_in
from polemarque.systems.atlantide.adjust import adjust, faults
from polemarque.systems.atlantide.battle_brief import catalogue_of
from polemarque.systems.atlantide.chapters import (  # noqa: F401  (they register their rules)
    aftermath,
    battle,
    broken_agreements,
    conquest,
    diplomacy,
    divine,
    ending,
    marches,
    provisions,
    reinforcements,
    simulation,
    taxes_and_purchases,
    turn,
)
from polemarque.systems.atlantide.chapters.turn import SEQUENCE, phase_of, standings
from polemarque.systems.atlantide.consult import QUESTIONS
from polemarque.systems.atlantide.past import edition_2026_11  # noqa: F401  (so does this)
from polemarque.systems.atlantide.setup.catalogue import load_catalogue
from polemarque.systems.atlantide.setup.catalogue_checks import check_catalogue
from polemarque.systems.atlantide.setup.island import Terrain, check_island, is_shipped
from polemarque.systems.atlantide.setup.opening import Setup, begin, scenario_faults, setup_faults
from polemarque.systems.atlantide.setup.options import CAMPAIGN, CHOICES, SEATS
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.supposed_state import OPEN, PREMISES, conditions, supposed, wishes
from polemarque.systems.atlantide.tables import DATA
from polemarque.systems.atlantide.troops import Kind
from polemarque.systems.atlantide.views import asked_with, own_names, view


def standing(war: War) -> Standing:
    """How the campaign stands (AT-1.11)."""
    out = tuple([seat for seat in war.seats if seat not in war.in_play()])
    return Standing(war.over, war.winners, standings(war), out)


_ARTICLE = re.compile(r"(?:Les?|La|The)(?= )|L(?=['\u2019])")


def _in_sentences(people: str) -> str:
    """What a player calls a people, its article small: « aux Myriens », from Les Myriens."""
    found = _ARTICLE.match(people)
    return found[0].lower() + people[found.end() :] if found else people


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
        code: _in_sentences(seat.people) or governors.get(seat.catalogue, code)
        for code, seat in war.seats.items()
    }
    seats = {
        code: f"{name} {code}" if list(called.values()).count(name) > 1 and name != code else name
        for code, name in called.items()
    }
    strangers = untold_titles(CAMPAIGN, texts_in(DATA), lang)
    # In a sentence the territories of our islands have an article, which the text catalogue knows.
    in_words = {} if is_shipped(war.board) else {"land": places}
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
    """The checks of a map, an army catalogue, a set-up with either, scenarios; None for others."""
    read = read_toml(path)
    if isinstance(read, Finding):
        return (read,)
    content, text = read
    if "territory" in content or "kingdom" in content:
        return check_island(path)
    if "people" in content or "mercenaries" in content or "units" in content:
        return check_catalogue(path)
    found = scenario_faults(content, str(path), text)
    return setup_faults(content, str(path), text) if found is None else found


SYSTEM = System(
    name=CAMPAIGN,
    edition="2026-11.2",
    past=("2026-11",),
    titles={"fr": "Atlantide", "en": "Atlantis"},
    seats=SEATS,
    least=2,
    options=CHOICES,
    state=War,
    setup=Setup,
    begin=begin,
    period=attrgetter("turn"),
    phase=phase_of,
    opening=lambda war: war.opening,
    view=view,
    standing=standing,
    data=DATA,
    bots=("polemarque.bots.atlantide.bot",),
    kernels="polemarque.odds.atlantide",
    drawings=(
        "polemarque.report.systems.atlantide_pictures",
        "polemarque.report.systems.atlantide_sheet",
    ),
    scenarios=tomllib.loads((DATA / "scenarios.toml").read_text(encoding="utf-8")),
    adjust=adjust,
    faults=faults,
    phases=SEQUENCE,
    questions=QUESTIONS,
    check=check,
    names=names,
    own_names=own_names,
    supposed=supposed,
    premises=PREMISES,
    conditions=conditions,
    public_items=OPEN,
    wishes=wishes,
    asked_with=asked_with,
    resolvers=("atlantide_table",),
    brief_words=lambda: BriefWords(get_args(Kind), get_args(Terrain)),
    turns=12,
    endless=True,
)
