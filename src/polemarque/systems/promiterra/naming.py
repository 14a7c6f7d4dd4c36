"""What readers call troops and people: names that belong to one war."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from polemarque.kernel.templates import attach, signed
from polemarque.systems.promiterra.catalogue import WarAction, shipped
from polemarque.systems.promiterra.choices import DIVISIONS
from polemarque.systems.promiterra.state import Person, War
from polemarque.systems.promiterra.stats import STATS

WORDS = {
    "fr": ("mouvement", "portée", "attaque", "défense", "loyauté", "valeur"),
    "en": ("movement", "range", "attack", "defence", "loyalty", "value"),
}
"""Statistics by language, in the order of `STATS`."""


def troop_of(person: str) -> dict[str, str]:
    """The name of a troop that was divided from another, by language: its leader's (PR-7.7)."""
    return {
        "fr": f"la troupe {attach('de', person, 'fr')}",
        "en": f"{person}{'’' if person.endswith('s') else '’s'} troop",
    }


def side_of(army: Mapping[str, str]) -> dict[str, str]:
    """The name of an alliance that has none of its own, by language: after its first army."""
    return {"fr": f"le camp {attach('de', army['fr'], 'fr')}", "en": f"the side of {army['en']}"}


def with_effect(action: WarAction, lang: str) -> str:
    """A war action and what it adds: « furie (attaque +2, défense −1) »."""
    words = [
        f"{word} {signed(getattr(action.change, name))}"
        for name, word in zip(STATS, WORDS[lang], strict=True)
        if getattr(action.change, name)
    ]
    named: str = getattr(action, lang)
    return f"{named} ({', '.join(words)})" if words else named


def names(war: War, lang: str) -> Mapping[str, Mapping[str, str]]:
    """What readers call armies, alliances, troops, people and war actions of this war, what its
    abilities in words say, and our own lists, kinds of troops ("kind") and careers.

    Troops that a division may make are named beforehand, each after who would lead it.
    """
    troops = {troop.id: troop.names[lang] for troop in war.roster}
    people = {person.id: person.name for person in war.people}
    founded = {
        f"{person.id}-{number}": _founded(person, number, lang)
        for person in war.people
        for number in range(1, DIVISIONS + 1)
    }
    troops = {**founded, **troops}
    sides = {code: named[lang] for code, named in war.alliances.items()}
    return {
        "seat": {seat: army.names[lang] for seat, army in war.armies.items()},
        "alliance": sides,
        "side": sides,
        "troop": troops,
        "person": people,
        "member": {**troops, **people},
        "ability": {troop.id: troop.ability.text.get(lang, "") for troop in war.roster},
        "war_action": {key: with_effect(action, lang) for key, action in war.actions.items()},
        **_listed(lang),
    }


@cache
def _listed(lang: str) -> Mapping[str, Mapping[str, str]]:
    """Our own catalogue; a set-up's own lists, kinds and careers are known by their keys."""
    ours = shipped()
    lists = {army.key: getattr(army, lang) for army in ours.army}
    kinds = {kind.key: getattr(kind, lang) for army in ours.army for kind in army.unit}
    return {
        "kind": {**lists, **kinds},
        "career": {one.key: getattr(one, lang) for one in ours.career},
    }


def _founded(person: Person, number: int, lang: str) -> str:
    name = troop_of(person.name)[lang]
    return name if number == 1 else f"{name} ({number})"
