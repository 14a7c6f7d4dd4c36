"""What readers call troops and people: names that belong to one war."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec.structs import asdict

from polemarque.api.texts import Catalogue, attach, signed
from polemarque.systems.promiterra.choices import DIVISIONS
from polemarque.systems.promiterra.current_stats import stats
from polemarque.systems.promiterra.setup.catalogue import WarAction, shipped
from polemarque.systems.promiterra.state import Person, Troop, War
from polemarque.systems.promiterra.stats import STATS, Change, Stats
from polemarque.systems.promiterra.tables import DATA

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
    words = effect_of(action.change, lang)
    named: str = getattr(action, lang)
    return f"{named} ({', '.join(words)})" if words else named


def effect_of(change: Change, lang: str) -> list[str]:
    """What a change adds to each statistic: « attaque +2 », « défense −1 »."""
    return [
        f"{word} {signed(getattr(change, name))}"
        for name, word in zip(STATS, WORDS[lang], strict=True)
        if getattr(change, name)
    ]


def figures_of(troop: Troop, worth: Stats, leader: Person | None, lang: str) -> str:
    """All that is decided by about a troop: type, strength, statistics, ability, leader (PR-1.6).

    worth: its statistics as they count now.
    """
    texts, ability = _texts(), troop.ability
    able = [*effect_of(ability.change, lang), ability.text.get(lang, "")]
    if ability.no_riposte:
        able.append(texts.say(lang, "board.promiterra.no_riposte"))
    return texts.say(
        lang, "board.promiterra.figures", type=troop.type, units=troop.units, start=troop.start,
        **asdict(worth), ability=", ".join(filter(None, able)),
        leader=leader.name if leader else "", skill=leader.skill if leader else 0,
        mastery=", ".join(effect_of(leader.mastery, lang)) if leader else "",
    )  # fmt: skip


def own_names(
    war: War, seat: str, lang: str, public: Mapping[str, Mapping[str, str]]
) -> dict[str, dict[str, str]]:
    """Questions that show what they are decided by: figures before deployment, a line a troop."""
    asked: dict[str, str] = {}
    called, texts = public.get("troop", {}), _texts()
    waiting = (
        [troop for troop in war.troops_of(seat) if not troop.cell] if seat in war.armies else []
    )
    if waiting:
        told = [
            texts.say(
                lang,
                "board.promiterra.waits",
                name=called.get(troop.id, troop.id),
                figures=figures_of(troop, stats(war, troop), war.persons.get(troop.leader), lang),
            )
            for troop in waiting
        ]
        asked["PR-2.4/deploy"] = "\n".join([texts.say(lang, "ask.PR-2.4/deploy"), *told])
    return {"ask": asked}


def asked_with(war: War, rule: str, args: tuple[Any, ...], _: str) -> dict[str, Any]:
    """Who challenges whom, and the skill of both, for the answer to a challenge (PR-7.6)."""
    if rule != "PR-7.6/challenge":
        return {}
    leaders = [war.troops[args[0].troop].leader, war.troops[args[0].target].leader]
    one, other = (war.persons[leader] for leader in leaders)
    return {
        "leader": leaders[0], "skill": one.skill, "other": leaders[1], "against": other.skill,
    }  # fmt: skip


@cache
def _texts() -> Catalogue:
    return Catalogue.load(DATA)


def names(war: War, lang: str) -> Mapping[str, Mapping[str, str]]:
    """What readers call armies, alliances, troops, people and war actions of this war, what its
    abilities in words say, and our own lists, kinds of troops ("kind") and careers.

    Troops that a division may make are named in advance, each after who would lead it.
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
