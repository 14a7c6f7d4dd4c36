"""Chapter « La bataille » (AT-8): who meets whom, strategies, scenario, and who resolves it.

What a battle leaves behind is told in `aftermath`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Annotated

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D3,
    D6,
    QUIET,
    Call,
    ChanceOf,
    Fact,
    Filling,
    Item,
    Next,
    OneOf,
    Rule,
    Step,
    Sum,
    ask,
    ask_each,
    ask_umpire,
    battles,
    bonus,
    call,
    convert,
    explain,
    faces,
    item,
    procedure,
    roll,
    script,
    sheet_parts,
    tell,
    then,
    total,
)
from polemarque.systems.atlantide.agreements import stand_together
from polemarque.systems.atlantide.battle_brief import WHO, brief, force_of, forces, warbands
from polemarque.systems.atlantide.chapters.simulation import Simulated, simulate
from polemarque.systems.atlantide.movement import battles_due
from polemarque.systems.atlantide.setup.options import TABLE, ways
from polemarque.systems.atlantide.state import Battle, Guest, War
from polemarque.systems.atlantide.strength import bare, force_total, tell_force
from polemarque.systems.atlantide.tables import DATA, TABLES

FORCES = {"weak": -6, "weaker": -3, "even": 0, "stronger": 3, "strong": 6}
"""The other army's force, less one's own, for which a battle by the table is told.  One below 0 is
left out, unless it is one's own: only what is left of an army that nobody leads has that."""

STRATEGIES = ("frontal", "defence", "rapid", "flank", "wait")


class Scenario(msgspec.Struct, frozen=True):
    """A square of the scenario table, seen from A (AT-8.2).

    by:    the side that surprises, ambushes, attacks the camp or blocks; None where nobody does.
    walls: the side that places 24 paces of walls before deployment.
    """

    scenario: str
    by: str | None = None
    walls: str | None = None
    formations: bool = True


SCENARIOS = TABLES.matrix("AT-8.2", Scenario)


# Who fights (AT-7.5, AT-8.11) --------------------------------------------------------------------


@script("AT-8/phase")
def battle_phase(war: War) -> Next[War]:
    """Armies that met and have no agreement fight: all battles of the turn, side by side."""
    fought = tuple([_facing(war, Battle(*due)) for due in battles_due(war)])
    if not fought:
        return war, []
    each = range(len(fought))
    items: list[Item] = []
    for number in each:
        items.append(then(armies_meet, number))
        absent = [side for side in (0, 1) if war.seats[fought[number].sides[side]].absent]
        items += [then(somebody_plays_his_part, number, side) for side in absent]
        if not absent and war.options.other_resolver == "agreed":
            items.append(then(players_agree_on_a_resolver, number))
        items += [
            then(guests_join, number),
            then(strategies_are_written, number),
            then(battlefield, number),
        ]
    items += [
        then(battles_are_fought),
        *[item("AT-8.6", number) for number in each],
        item("AT-8.12"),
    ]
    return replace(war, battles=fought), items


def _facing(war: War, battle: Battle) -> Battle:
    """The battle with its attacker first: who entered last; but who alone is absent defends.

    Looked at when armies meet and again when they fight, for a player may go or come back.
    """
    absent = [war.seats[seat].absent for seat in battle.sides]
    first, last = [army.entered if (army := war.army(seat)) else 0 for seat in battle.sides]
    turns = absent[0] if absent[0] != absent[1] else last > first
    return battle.turned() if turns else battle


def with_battle(war: War, number: int, battle: Battle) -> War:
    """The war with one of this turn's battles replaced."""
    fought = war.battles
    return replace(war, battles=(*fought[:number], battle, *fought[number + 1 :]))


@script("AT-7.5")
def armies_meet(war: War, number: int) -> Step[War]:
    """Two armies stand together at the end of the phase, and no agreement keeps them apart."""
    battle = war.battles[number]
    yield from tell(
        "AT-7.5", "meet", place=battle.place, attacker=battle.attacker, defender=battle.defender
    )
    return war, []


# An absent player's part (AT-2.4) ----------------------------------------------------------------


@script("AT-2.4/deputy", edition="2026-11.2")
def somebody_plays_his_part(war: War, number: int, side: int) -> Step[War]:
    """The umpire names the deputy; if the umpire plays, those in question and the opponent do."""
    return (yield from part_is_played(war, number, side, ask_umpire))


def part_is_played(war: War, number: int, side: int, asks: Callable[..., Rule[str]]) -> Step[War]:
    """One of the other players, not his opponent, plays an absent player's part in the battle.

    asks: how it is asked who does, where there are several.
    With nobody left the rules answer for the absent.
    """
    battle = war.battles[number]
    seat = battle.sides[side]
    others = tuple(
        code
        for code in war.in_play()
        if not war.seats[code].absent and code not in (*battle.sides, *battle.deputies)
    )
    if not others:
        return war, []
    deputy = others[0]
    if len(others) > 1:
        foe = battle.sides[not side]
        deputy = yield from asks(
            OneOf(others, "seat"),
            absent=deputy,
            subject=f"{battle.place}:{seat}",
            touches=others if war.seats[foe].absent else (foe, *others),
        )
    yield from tell("AT-2.4", "deputy", seat=seat, deputy=deputy, place=battle.place)
    attacker, defender = battle.deputies
    deputies = (attacker, deputy) if side else (deputy, defender)
    return with_battle(war, number, replace(battle, deputies=deputies)), []


def voices(war: War, battle: Battle) -> dict[str, str]:
    """Who is asked for which side: its player, or his deputy while he is absent."""
    spoken = {}
    for seat, deputy in zip(battle.sides, battle.deputies, strict=True):
        voice = deputy if war.seats[seat].absent else seat
        if voice:
            spoken[voice] = seat
    return spoken


def ask_sides(
    war: War, battle: Battle, options: Callable[[str], OneOf], absent: Callable[[str], str]
) -> Rule[tuple[str, str]]:
    """Ask both sides, sealed: what attacker and defender say."""
    spoken = voices(war, battle)
    said = yield from ask_each(
        tuple(spoken),
        lambda voice: options(spoken[voice]),
        absent=lambda voice: absent(spoken[voice]),
        subject=battle.place,
    )
    by_side = {spoken[voice]: word for voice, word in said.items()}
    attacker, defender = battle.sides
    return by_side.get(attacker, absent(attacker)), by_side.get(defender, absent(defender))


# Guests (AT-1.13) --------------------------------------------------------------------------------


@script("AT-1.13", edition="2026-11.2")
def guests_join(war: War, number: int) -> Step[War]:
    """Club members in no seat may join: the umpire says on which side, each side picks a force.

    Both sides agree on it if the umpire plays; nobody is asked in a campaign without guests.
    """
    battle = war.battles[number]
    if war.options.guests == "none":
        return war, []
    joined = yield from ask_umpire(
        OneOf(tuple(WHO), "guests"),
        absent="none",
        subject=battle.place,
        touches=voices(war, battle),
    )
    if WHO[joined]:
        return (yield from forces_are_picked(war, number, WHO[joined]))
    yield from tell("AT-1.13", "none", place=battle.place)
    return war, []


def forces_are_picked(war: War, number: int, joined: tuple[int, ...]) -> Step[War]:
    """Each side picks a force; where no guest has joined it, it comes without its leader."""
    battle = war.battles[number]
    offered = forces(war)
    picked = yield from ask_sides(
        war, battle, lambda _: OneOf(offered, "guest_force"), lambda _: offered[0]
    )
    guests = []
    for side, (seat, force) in enumerate(zip(battle.sides, picked, strict=True)):
        bands = warbands(war, force)
        dice = yield from roll(bands, D3, read=faces, why="warband", whom=(seat,) * bands)
        guests.append(Guest(seat, force, side in joined, dice))
        yield from tell("AT-1.13", "guests", seat=seat, force=force, leader=guests[-1].leader)
    return with_battle(war, number, replace(battle, guests=tuple(guests))), []


# Strategies and scenario (AT-8.1 to AT-8.3) ------------------------------------------------------


@script("AT-8.1")
def strategies_are_written(war: War, number: int) -> Step[War]:
    """Each side writes its strategy; both are revealed together."""
    battle = war.battles[number]
    barred = dict(zip(battle.sides, battle.previous or ("", ""), strict=True))
    chosen = yield from ask_sides(
        war,
        battle,
        lambda seat: OneOf(tuple([s for s in STRATEGIES if s != barred[seat]]), "strategy"),
        lambda seat: "frontal" if barred[seat] == "defence" else "defence",
    )
    square = SCENARIOS.cell(*chosen)
    seats = {"a": battle.attacker, "b": battle.defender}
    by, walls = seats.get(square.by or "", ""), seats.get(square.walls or "", "")
    yield from tell(
        "AT-8.1", "revealed", place=battle.place, attacker=battle.attacker,
        defender=battle.defender, strategies=list(chosen),
    )  # fmt: skip
    yield from tell(
        "AT-8.2", square.scenario, place=battle.place, by=by, walls=walls,
        formations=square.formations,
    )  # fmt: skip
    if square.scenario == "none":
        return war, [then(no_battle, number, chosen)]
    battle = replace(
        battle, strategies=chosen, scenario=square.scenario, by=by or None, walls=walls or None,
        formations=square.formations,
    )  # fmt: skip
    return _scenario_noted(with_battle(war, number, battle), battle), []


@script("AT-8.3")
def no_battle(war: War, number: int, chosen: tuple[str, str]) -> Step[War]:
    """Both pick again, each something else; after five times (an option) they simply fight."""
    battle = war.battles[number]
    refused = battle.refused + 1
    if 0 < war.options.no_battle_limit <= refused:
        battle = replace(battle, strategies=chosen, scenario="pitched_battle", refused=refused)
        yield from tell("AT-8.3", "limit", place=battle.place, times=refused)
        return _scenario_noted(with_battle(war, number, battle), battle), []
    yield from tell("AT-8.3", "again", place=battle.place)
    battle = replace(battle, previous=chosen, refused=refused)
    return with_battle(war, number, battle), [then(strategies_are_written, number)]


def _scenario_noted(war: War, battle: Battle) -> War:
    for seat, strategy in zip(battle.sides, battle.strategies or ("", ""), strict=True):
        war = war.noted(seat, strategy=strategy, scenario=battle.scenario)
    return war


# The battlefield (AT-8.4) ------------------------------------------------------------------------


@script("AT-8.4/draw")
def battlefield(war: War, number: int) -> Step[War]:
    """A player is drawn for sectors 1, 3 and 5; the book's own table needs no battlefield."""
    battle = war.battles[number]
    if resolver_of(war, battle) == TABLE:
        return war, []
    die = yield from roll(1, D6, read=total, why="draw")
    first, second = battle.sides if die <= 3 else battle.sides[::-1]
    yield from tell("AT-8.4", "draw", place=battle.place, seat=first, other=second)
    return war, [then(sectors_are_rolled, number, first, second)]


# Who resolves it (AT-8.10) -----------------------------------------------------------------------


@script("AT-8.10/resolver")
def players_agree_on_a_resolver(war: War, number: int) -> Step[War]:
    """The campaign's option resolves it, unless the two players agree on another (PA-2)."""
    battle = war.battles[number]
    usual = war.options.resolver
    one, other = yield from ask_sides(
        war,
        battle,
        lambda seat: OneOf(
            (usual, *[way for way in ways() if way != usual]),
            "option.resolver",
            fact=partial(resolver_told, war, battle, seat),
        ),
        lambda _: usual,
    )
    if one != other or one == usual:
        return war, []
    yield from tell("AT-8.10", "agreed", place=battle.place, resolver=one)
    return with_battle(war, number, replace(battle, resolver=one)), []


def resolver_told(war: War, battle: Battle, seat: str, resolver: str) -> Fact | None:
    """How its army fares by the book's own table: the other's force is its secret (AT-2.3).

    So a row for each of some forces, from one that it hardly loses against to one that it hardly
    beats; guests and absence, which are still to come, are left out.   None for who is absent, as
    somebody else answers.
    """
    if resolver != TABLE or war.seats[seat].absent:
        return None
    return Fact("table", _against(war, seat, attacks=seat == battle.attacker))


def met_told(war: War, seat: str, way: tuple[str, ...]) -> Fact | None:
    """What an army meets where another's stands that may fight it (AT-7.5), if that one stays.

    Its force is its player's secret: there is a row for some, as in `resolver_told`.  None where
    nobody stands whom it would fight, and for an army that has a duty to go (AT-7.6).
    """
    army = war.army_of(seat)
    place = way[-1] if way else army.place
    there = [code for code in war.armies_at(place) if code != seat]
    foe = next((code for code in there if not stand_together(war, seat, code, place)), None)
    if foe is None or army.duty is not None:
        return None
    absent = war.seats[foe].absent
    if war.options.resolver != TABLE and not absent:
        return Fact("met", {"foe": foe})  # on a table, or by another system: no law of ours
    attacks = bool(way) or absent or army.entered > war.army_of(foe).entered
    figures = _against(war, seat, attacks=attacks, absent=absent)
    return Fact("met_by_table", {"foe": foe, **figures})


def _against(
    war: War, seat: str, *, attacks: bool, absent: bool = False
) -> dict[str, ChanceOf | int | None]:
    """How an army fares by the book's own table against some forces (AT-8.11).

    absent: whether the other's player, who defends then, is.
    """
    own = force_total(war.army_of(seat))
    figures: dict[str, ChanceOf | int | None] = {"own": own}
    for name, more in FORCES.items():
        other = own + more
        if other < min(own, 0):
            figures |= {f"force_{name}": None, name: None}
            continue
        figures[f"force_{name}"] = other
        asked = Call(simulate.rule, (own, other, absent) if attacks else (other, own, False))
        side = "attacker" if attacks else "defender"
        figures[name] = ChanceOf(asked, partial(_won_by, side))
    return figures


def _won_by(side: str, result: Simulated) -> bool:
    return result.winner == side


def resolver_of(war: War, battle: Battle) -> str:
    """Who resolves it: what both agreed on, the campaign's option; the table for an absent one."""
    if any(war.seats[seat].absent for seat in battle.sides):
        return TABLE
    return battle.resolver or war.options.resolver


@script("AT-8.10", edition="2026-11.2")
def battles_are_fought(war: War) -> Step[War]:
    """The book's own table compares sums: each player reads his own row by row (AT-2.3)."""
    war = faced(war)
    for battle in war.battles:
        if resolver_of(war, battle) == TABLE:
            counted = {seat: force_of(war, battle, seat) for seat in battle.sides}
            for seat, force in counted.items():
                yield from tell_force(seat, force)
            for seat, force in counted.items():
                yield from tell_side(battle, seat, bare(force.total))
    return (yield from handed_over(war))


def faced(war: War) -> War:
    """Who is absent now is the defender, no matter who was when the armies met (AT-8.11)."""
    return replace(war, battles=tuple([_facing(war, battle) for battle in war.battles]))


def tell_side(battle: Battle, seat: str, force: Sum) -> Rule[None]:
    """What a side brings to the book's own table, with the reasons that everybody reads."""
    yield from explain(force)
    yield from tell("AT-8.10", "force", place=battle.place, seat=seat, force=force.total)


def handed_over(war: War) -> Step[War]:
    """Every battle of the turn goes with its brief; all reports come back together."""
    briefs = [brief(war, battle, resolver_of(war, battle)) for battle in war.battles]
    reports = yield from battles(*briefs)
    for number, report in enumerate(reports):
        war = with_battle(war, number, replace(war.battles[number], report=report))
    return war, []


SECTORS = (1, 2, 3, 4, 5, 6)
"""1-2-3 over 4-5-6, each about 60 cm square."""

POORER = (2, 5)
"""The middle sectors: -1; all others +1 (AT-8.4)."""


class Elements(msgspec.Struct, frozen=True):
    """How many elements of terrain a sector gets."""

    elements: int


class Offered(msgspec.Struct, frozen=True):
    """An element that a main terrain offers; `most` in the whole field, 0 for any number."""

    ground: str
    most: int = 0


COUNTS = TABLES.table("AT-8.4", Elements)


@cache
def elements_offered() -> dict[str, dict[str, Offered]]:
    """Elements by main terrain (AT-8.5)."""
    raw = tomllib.loads((DATA / "elements.toml").read_text(encoding="utf-8"))
    return convert(raw, dict[str, dict[str, Offered]])


def sector_modifier(sector: int) -> Sum:
    """-1 in the middle sectors, +1 in the others (AT-8.4)."""
    return bonus("AT-8.4", -1 if sector in POORER else 1, "sector")


@procedure("AT-8.4")
def elements_of_sector(sector: Annotated[int, msgspec.Meta(ge=1, le=6)]) -> Rule[Elements]:
    """How many elements lie in a sector, 1 to 6 (a total of 7 counts as 6)."""
    modifier = sector_modifier(sector)
    yield from explain(modifier)
    die = yield from roll(1, D6, read=total, why="elements")
    return COUNTS.row(die + modifier.total)


@script("AT-8.4/sectors")
def sectors_are_rolled(war: War, number: int, first: str, second: str) -> Step[War]:
    """A die a sector says how many elements it gets."""
    counts = []
    for sector in SECTORS:
        found = yield from call(elements_of_sector, sector)
        counts.append(found.elements)
    yield from tell("AT-8.4", "counts", place=war.battles[number].place, counts=counts)
    return war, [then(elements_are_chosen, number, first, second, tuple(counts))]


@script("AT-8.5")
def elements_are_chosen(
    war: War, number: int, first: str, second: str, counts: tuple[int, ...]
) -> Step[War]:
    """Each chooses the elements of his sectors, openly, one after the other.

    Both may agree to begin again.
    """
    battle = war.battles[number]
    terrain, place = war.lands[battle.place].terrain, battle.place
    laid: dict[str, str] = {}
    for seat, his in ((first, SECTORS[::2]), (second, SECTORS[1::2])):
        parts = [f"sector.{s}.{n}" for s in his for n in range(1, counts[s - 1] + 1)]
        sheet = _elements_sheet(terrain, parts, _rare_left(terrain, laid))
        if parts:
            laid |= yield from ask(seat, sheet, absent=QUIET, subject=place)
    sectors = tuple([_in_sector(laid, sector) for sector in SECTORS])
    yield from tell("AT-8.5", "laid", place=place, sectors=[list(sector) for sector in sectors])
    again = yield from ask_each(
        (first, second), OneOf(("keep", "again"), "terrain_again"), absent="keep",
        subject=f"{place}:again", once=True,
    )  # fmt: skip
    if set(again.values()) == {"again"}:
        yield from tell("AT-8.5", "again", place=place)
        return war, [then(sectors_are_rolled, number, first, second)]
    fought = war.battles
    battle = replace(battle, sectors=sectors)
    return replace(war, battles=(*fought[:number], battle, *fought[number + 1 :])), []


def _in_sector(laid: Mapping[str, str], sector: int) -> tuple[str, ...]:
    return tuple([what for part, what in laid.items() if part.startswith(f"sector.{sector}.")])


def _rare_left(terrain: str, laid: Mapping[str, str]) -> dict[str, int]:
    """What the field may have few of only, and how many more (a bridge, two fords)."""
    there = list(laid.values())
    return {
        name: what.most - there.count(name)
        for name, what in elements_offered()[terrain].items()
        if what.most
    }


@sheet_parts
def _elements_sheet(terrain: str, parts: list[str], rare: Mapping[str, int]) -> Filling:
    left = dict(rare)
    for part in parts:
        words = [name for name in elements_offered()[terrain] if left.get(name, 1)]
        name = yield part, OneOf(tuple(words), "element")
        if name in left:
            left[name] -= 1
