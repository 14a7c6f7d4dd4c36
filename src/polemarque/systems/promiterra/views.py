"""What a seat may see of a war.  All is declared aloud: nothing is secret but sealed answers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from polemarque.api import Event, Premise, Standing, Thrown, by_place, item
from polemarque.api.boards import Board
from polemarque.api.texts import attach, signed, texts_in
from polemarque.systems.promiterra.current_stats import stats, value_of
from polemarque.systems.promiterra.ground import DIVISIONS
from polemarque.systems.promiterra.setup.catalogue import WarAction, shipped
from polemarque.systems.promiterra.setup.options import Options
from polemarque.systems.promiterra.state import (
    NOBODY,
    Army,
    Effect,
    Ending,
    Order,
    Person,
    Troop,
    War,
    rank,
)
from polemarque.systems.promiterra.stats import STATS, Change, Stats
from polemarque.systems.promiterra.tables import DATA


class TroopView(msgspec.Struct, frozen=True, omit_defaults=True):
    """A troop: what it is, and its statistics as they count now (PR-1.6)."""

    troop: Troop
    stats: Stats
    fort: int = 0


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """The war.  you: the seat's own code, "" for a spectator.   values: of the armies (PR-1.7).

    The rest is the war's own, under the same names.
    """

    you: str
    round: int
    turn: int
    playing: str
    board: Board
    armies: dict[str, Army]
    values: dict[str, int]
    troops: dict[str, TroopView]
    persons: dict[str, Person]
    holders: dict[str, str]
    effects: tuple[Effect, ...]
    orders: tuple[Order, ...]
    ending: Ending | None
    options: Options
    actions: dict[str, WarAction] = {}
    alliances: dict[str, dict[str, str]] = {}
    order: tuple[str, ...] = ()
    queue: tuple[str, ...] = ()
    first: str = ""
    moved: tuple[str, ...] = ()
    attacked: tuple[str, ...] = ()
    stirred: bool = False
    quiet: int = 0
    coming: dict[str, Any] = {}


def view(war: War, seat: str) -> View:
    """The war as `seat` sees it; all see the same."""
    return View(
        you=seat if seat in war.armies else "",
        round=war.round,
        turn=war.turn,
        playing=war.playing,
        board=war.board,
        armies=war.armies,
        values={code: value_of(war, (code,)) for code in war.armies},
        troops={
            code: TroopView(troop, stats(war, troop), war.fort(troop.cell))
            for code, troop in war.troops.items()
        },
        persons=war.persons,
        holders=war.holders,
        effects=war.effects,
        orders=war.orders,
        ending=war.ending,
        options=war.options,
        actions=war.actions,
        alliances=war.alliances,
        order=war.order,
        queue=war.queue,
        first=war.first,
        moved=war.moved,
        attacked=war.attacked,
        stirred=war.stirred,
        quiet=war.quiet,
        coming=war.coming,
    )


CHALLENGED = "challenged"
"""A hostile leader challenges one's own to a duel."""

PREMISES = {CHALLENGED: Premise(begins=(item("PR-7"),))}
"""What can be supposed of others: it comes about before one's own next turn."""


def supposed(view: View, seat: str, premises: Mapping[str, Any]) -> War:
    """The war that a view shows: nothing in it is secret."""
    same = {name: getattr(view, name) for name in War.__struct_fields__ if name != "troops"}
    war = War(troops={code: shown.troop for code, shown in view.troops.items()}, **same)
    return _challenged(war, seat) if premises.get(CHALLENGED) else war


def _challenged(war: War, seat: str) -> War:
    """The war in the turn before the army's own, when the ablest hostile leader challenges its
    least able one; the same war where there is none.
    """

    def skill(troop: Troop) -> int:
        return war.persons[troop.leader].skill

    own = sorted(war.troops_of(seat), key=skill)
    foes = sorted(war.enemies_of(seat), key=skill, reverse=True)
    if not own or not foes or not war.fighting:
        return war
    order = Order(foes[0].id, act="duel", target=own[0].id)
    return replace(war, turn=war.turn - 1, playing=foes[0].army, orders=(order,), attacked=())


def conditions(view: View, seat: str, subject: str) -> dict[str, Any]:
    """How things stand for the troop that a question is about, or for one's own army.

    army: where it stands, and with how many units.
    near: the same, and which other troops can march up to it and strike, with how many.
    """
    war = supposed(view, seat, {})
    own = [t for t in war.troops_of(seat) if t.id == subject] or war.troops_of(seat)
    far = war.board.grid.distance
    stands = [f"{troop.id}:{troop.cell}:{troop.units}" for troop in own]
    near = [
        f"{troop.id}:{troop.cell}:{troop.units}"
        for troop in war.enemies_of(seat)
        if any(far(troop.cell, one.cell) <= view.troops[troop.id].stats.movement + 1 for one in own)
    ]
    return {"army": stands, "near": [*stands, *near]}


def standing(war: War) -> Standing:
    """The winners first, then by the value that each army still has on the field."""
    won = war.ending.winner if war.ending else ""
    values = {seat: value_of(war, (seat,)) for seat in war.armies}
    places = by_place(
        {seat: (war.alliance_of(seat) == won, values[seat]) for seat in sorted(war.armies)}
    )
    first = [seat for place in places for seat in place if war.alliance_of(seat) == won]
    winners = tuple(first) if won not in ("", NOBODY) else ()
    return Standing(war.over, winners, places)


def thrower(event: Event, thrown: Thrown) -> str:
    """The seat of the troop that hits or saves in a clash, or that takes a test alone."""
    strikes, _, what = thrown.why.partition("_")
    sides = ("attacker", "target") if strikes == "attack" else ("target", "attacker")
    clashes = strikes in ("attack", "riposte") and what
    named = sides[0 if what == "hits" else 1] if clashes else "troop"
    return rank(str(event.data.get(named, "")) or " ")[0].strip()


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
    texts, ability = texts_in(DATA), troop.ability
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
    called, texts = public.get("troop", {}), texts_in(DATA)
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
