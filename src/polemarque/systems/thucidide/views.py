"""What a seat may see of a battle, who is ahead, and what readers call everybody.

All is public in this game: the board, units, leaders, tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec.structs import replace

from polemarque.api import Event, Premise, Standing, Sum, Thrown, by_place, item
from polemarque.api.texts import texts_in
from polemarque.systems.thucidide.chapters.army_wide_orders import forcible, rallying
from polemarque.systems.thucidide.chapters.combat import declared
from polemarque.systems.thucidide.chapters.command import COMMANDS, command_price
from polemarque.systems.thucidide.chapters.manoeuvre_orders import army_price
from polemarque.systems.thucidide.chapters.turn import counted, wiped
from polemarque.systems.thucidide.orders import ARMY, ORDERS, codes, cost
from polemarque.systems.thucidide.setup.scenario import KINDS, RANK_FIGURES
from polemarque.systems.thucidide.state import Battle, Fight, Leader, Unit
from polemarque.systems.thucidide.tables import DATA

NEAR = 2
"""Within so many hexes an enemy is near."""


def view(battle: Battle, seat: str) -> dict[str, Any]:
    """The battle as `seat` sees it; anyone who is of neither side sees the same, without `you`."""
    return {
        "you": seat if seat in battle.sides else None,
        "turn": battle.turn,
        "active": battle.active,
        "phase": battle.phase,
        "acting": battle.acting,
        "second": battle.second,
        "limit": battle.limit,
        "at_limit": battle.at_limit,
        "board": battle.board,
        "sides": battle.sides,
        "lost": {code: battle.lost(code) for code in battle.sides},
        "units": battle.units,
        "leaders": battle.leaders,
        "fight": battle.fight,
        "ending": battle.ending,
        "options": battle.options,
        "coming": battle.coming,
    }


ATTACKED = "attacked"
"""The enemy attacks one of one's own units."""

PREMISES = {ATTACKED: Premise(begins=(item("TH-6/order"),))}
"""What can be supposed of the enemy: it comes about in his turn."""


def supposed(view: Mapping[str, Any], seat: str, premises: Mapping[str, Any]) -> Battle:
    """The battle that a view shows: nothing in it is secret."""
    battle = Battle(**{name: view[name] for name in Battle.__struct_fields__})
    return _attacked(battle, seat) if premises.get(ATTACKED) else battle


def _attacked(battle: Battle, seat: str) -> Battle:
    """The battle in the turn before one's own, when the nearest enemy unit attacks hand to hand;
    the same battle where none can.
    """
    enemy, grid, held = battle.enemy_of(seat), battle.board.grid, battle.by_cell()
    foes = [foe for foe in battle.units_of(enemy) if foe.figures.melee]
    ways = [
        (grid.distance(foe.cell, cell), foe.code, unit.code, cell)
        for unit in battle.units_of(seat)
        for cell in grid.neighbours(unit.cell)
        for foe in foes
        if held.get(cell, foe) == foe
    ]
    if not ways or battle.over:
        return battle
    _, foe, unit, cell = min(ways)
    battle = wiped(battle).unit(foe, cell=cell)
    battle = replace(battle, turn=battle.turn - 1, active=enemy, phase="combat")
    return replace(battle, fight=declared(battle, foe, unit, pursuit=False))


def conditions(view: Mapping[str, Any], seat: str, subject: str) -> dict[str, Any]:
    """How things stand for the unit that a question is about, for a leader's units, or for all.

    unit: where they stand, and with how many elements.
    near: the same, and which enemies stand within `NEAR` hexes of them, with how many.
    """
    battle = supposed(view, seat, {})
    units = [
        unit for unit in battle.units_of(seat) if subject in (unit.code, unit.marks.by)
    ] or battle.units_of(seat)
    far = battle.board.grid.distance
    stands = [f"{unit.code}:{unit.cell}:{unit.elements}" for unit in units]
    foes = [
        f"{foe.code}:{foe.cell}:{foe.elements}"
        for foe in battle.units_of(battle.enemy_of(seat))
        if any(far(foe.cell, unit.cell) <= NEAR for unit in units)
    ]
    return {"unit": stands, "near": [*stands, *foes]}


def standing(battle: Battle) -> Standing:
    """Who has won; before that, the side that has destroyed more in proportion comes first."""
    over = battle.ending is not None
    first = battle.ending.winner if battle.ending else counted(battle)
    places = by_place({seat: seat == first for seat in sorted(battle.sides)})
    return Standing(over, (first,) if over and first else (), places)


def names(battle: Battle, lang: str) -> Mapping[str, Mapping[str, str]]:
    """Families "seat", "unit", "leader", "mover" for units and leaders alike, and "kind".

    While two units fight, "attacker" and "target" say of either who attacks whom.
    """
    units = {code: unit_name(unit, lang) for code, unit in battle.units.items()}
    leaders = {code: leader_name(one, lang) for code, one in battle.leaders.items()}
    seats = {code: side.names[lang] for code, side in battle.sides.items() if lang in side.names}
    return {
        "seat": seats, "unit": units, "leader": leaders, "mover": {**units, **leaders},
        "kind": _kinds(lang), **_fighting(battle, units),
    }  # fmt: skip


def _fighting(battle: Battle, units: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    fight = battle.fight
    if fight is None:
        return {"attacker": {}, "target": {}}
    both = (fight.attacker, fight.target)
    roles = (("attacker", fight.attacker), ("target", fight.target))
    return {role: dict.fromkeys(both, units.get(code, code)) for role, code in roles}


@cache
def _kinds(lang: str) -> Mapping[str, str]:
    return {key: kind.name[lang] for key, kind in KINDS.items()}


def unit_name(unit: Unit, lang: str) -> str:
    """Its own name, or that of its kind with its code: les hoplites A2."""
    if lang in unit.names:
        return unit.names[lang]
    kind = KINDS.get(unit.figures.kind)
    return f"{kind.name[lang] if kind else unit.figures.kind} {unit.code}"


def leader_name(leader: Leader, lang: str) -> str:
    """His own name, or his rank with his code: le sous-général AS1."""
    return leader.names.get(lang) or f"{RANK_FIGURES[leader.rank].name[lang]} {leader.code}"


def thrower(event: Event, _: Thrown) -> str:
    """The seat whose unit throws, or ""."""
    return str(event.data.get("seat", ""))


FOR_ITS_UNITS = ("en_avant", "serrer_masse")
"""Orders that a leader gives all those he has activated (TH-5.3, TH-5.4)."""

SECOND_PHASE = "second_assaut"
"""The manoeuvre order that is given the army itself (TH-5.5)."""

FOR_A_UNIT = tuple([one for one in codes("manoeuvre") if one not in (*FOR_ITS_UNITS, SECOND_PHASE)])
"""Manoeuvre orders that go to one unit."""

Families = Mapping[str, Mapping[str, str]]


def own_names(battle: Battle, seat: str, lang: str, public: Families) -> Families:
    """A seat's orders with their due prices, and its units with those of a rally and a march.

    Families "offer", "rallied" and "forced".   public: the names that all may know.
    """
    if seat not in battle.sides:
        return {}
    said = _Said(battle, lang, public)
    if battle.fight is not None:
        return {"offer": dict(said.in_combat(seat, battle.fight))}
    if seat != battle.active:
        return {}
    return {
        "offer": dict(said.in_turn(seat)),
        "rallied": {code: said.named(code, "ralliement") for code in rallying(battle)},
        "forced": {code: said.named(code, "marche_forcee") for code in forcible(battle)},
    }


class _Said:
    """Prices in the words of one language, as a battle stands."""

    def __init__(self, battle: Battle, lang: str, public: Families) -> None:
        self._battle = battle
        self._lang = lang
        self._public = public

    def in_combat(self, seat: str, fight: Fight) -> Iterator[tuple[str, str]]:
        """Orders to a seat's unit in a combat, as ``<unit>.<order>``, each in words."""
        for unit in self._battle.units_of(seat):
            if unit.code in (fight.attacker, fight.target):
                yield from self._of_unit(unit, (*codes("attack"), *codes("defence")))

    def in_turn(self, seat: str) -> Iterator[tuple[str, str]]:
        """Command and manoeuvre orders of a seat, as ``<whose>.<order>``, each in words."""
        battle = self._battle
        for code in COMMANDS:
            yield f"{ARMY}.{code}", self._whole(code, command_price(battle, code))
        second = army_price(SECOND_PHASE, battle.general_of(seat))
        yield f"{ARMY}.{SECOND_PHASE}", self._whole(SECOND_PHASE, second)
        for code, able in (("ralliement", rallying(battle)), ("marche_forcee", forcible(battle))):
            if able:
                units = [battle.units[each] for each in able]
                yield f"{ARMY}.{code}", self._among(code, units)
        for leader in battle.leaders.values():  # one who has given himself left units behind
            for code in FOR_ITS_UNITS if leader.seat == seat else ():
                yield f"{leader.code}.{code}", self._whole(code, army_price(code, leader))
        for unit in battle.units_of(seat):
            yield from self._of_unit(unit, FOR_A_UNIT)

    def named(self, unit: str, code: str) -> str:
        """A unit by its name, with what an order costs it."""
        name = self._public.get("unit", {}).get(unit, unit)
        return self._priced(name, code, self._battle.units[unit])

    def _of_unit(self, unit: Unit, offered: Sequence[str]) -> Iterator[tuple[str, str]]:
        for code in offered:
            if ORDERS[code].suits(unit.figures.arm):
                yield f"{unit.code}.{code}", self._priced(self._does(code), code, unit)

    def _priced(self, said: str, code: str, unit: Unit) -> str:
        due = cost(self._battle, code, unit).total
        if not ORDERS[code].each:
            return self._say("one", said=said, tokens=due)
        more = cost(self._battle, code, unit, 2).total - due
        return self._say(code, said=said, tokens=due, more=more)

    def _among(self, code: str, units: Sequence[Unit]) -> str:
        """An order whose unit is still to be chosen."""
        alike = {self._priced(self._does(code), code, one) for one in units}
        if len(alike) == 1:
            return alike.pop()
        due = [cost(self._battle, code, one).total for one in units]
        return self._say(
            "several", said=self._does(code), least=min(due), most=max(due), each=ORDERS[code].each
        )

    def _whole(self, code: str, due: Sum) -> str:
        return self._say("one", said=self._does(code), tokens=due.total)

    def _does(self, code: str) -> str:
        return texts_in(DATA).say(self._lang, f"offer.{code}")

    def _say(self, how: str, **data: Any) -> str:
        return texts_in(DATA).say(self._lang, f"priced.{how}", **data)
