"""« Après la bataille » (AT-8.6 to AT-8.9, AT-8.13): who won, who comes back, who must go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D6,
    Filling,
    Item,
    Modifier,
    Rule,
    SeveralOf,
    Step,
    Sum,
    Text,
    ask_each,
    call,
    explain,
    procedure,
    roll,
    script,
    sheet_parts,
    tell,
    then,
    total,
)
from polemarque.api.battle import Report
from polemarque.systems.atlantide.battle_brief import Hired, hired
from polemarque.systems.atlantide.chapters.battle import with_battle
from polemarque.systems.atlantide.chapters.broken_agreements import lapses
from polemarque.systems.atlantide.chapters.casualty_recovery import (
    RULES,
    Fate,
    after_battle,
    casualties_of,
)
from polemarque.systems.atlantide.losses import choose_point_losses
from polemarque.systems.atlantide.state import Battle, War
from polemarque.systems.atlantide.troops import Army, Duty, figures, unit_worth, without

QUARTER, UNIT_STANDARD, ARMY_STANDARD, GENERAL = 100, 100, 200, 100
"""Victory points: a table quarter held, standards captured, and the general on top (AT-8.6)."""

STRUCK_DOWN = ("killed", "duel", "captured")
"""Fates of a leader that AT-8.9 asks a die for, or none."""

NOTE = 120
"""Longest note on what a unit or character has learnt (AT-8.12)."""


class Recovered(msgspec.Struct, frozen=True):
    """Whether a character killed in battle comes back."""

    recovered: bool


# Who won (AT-8.6) --------------------------------------------------------------------------------


def points_for(
    units: Iterable[int],
    characters: Iterable[int],
    general: int | None,
    quarters: int,
    standards: int,
    *,
    army_standard: bool,
) -> Sum:
    """Victory points by the table of AT-8.6.

    units, characters, general: points of each enemy unit destroyed, fleeing or having fled, of each
    character killed, fleeing or having fled, and of the general if he is one of them.
    """
    parts = [Modifier(points, "unit_broken", "AT-8.6") for points in units]
    parts += [Modifier(points, "character_lost", "AT-8.6") for points in characters]
    if general is not None:
        parts.append(Modifier(general + GENERAL, "general_lost", "AT-8.6"))
    taken = (
        (quarters * QUARTER, "quarters"),
        (standards * UNIT_STANDARD, "unit_standards"),
        (army_standard * ARMY_STANDARD, "army_standard"),
    )
    parts += [Modifier(points, reason, "AT-8.6") for points, reason in taken if points]
    return Sum(tuple(parts))


def victory_points(
    seat: str,
    foe: str,
    enemies: Army,
    counts: Mapping[str, Any],
    fates: Mapping[str, str],
    guests: Sequence[Hired] = (),
) -> Sum:
    """A side's victory points from the return sheet.

    enemies: the enemy's army as it came to the battle.   guests: the enemy's mercenaries.
    counts:  "broken.foe.unit", "quarters.seat", "standards.seat", "army_standard.seat".
    fates:   "foe.character" -> alive, killed, duel or fled.
    """
    worth = {str(unit.id): unit_worth(unit) for unit in enemies.units}
    worth |= {guest.id: Fraction(guest.points) for guest in guests if not guest.leader}
    leaders = [g.points for g in guests if g.leader and _broken(counts, foe, g.id)]
    lost = [c for c in enemies.characters if fates.get(f"{foe}.{c.id}", "alive") != "alive"]
    general = next((c.points for c in lost if c.general), None)
    return points_for(
        _rounded_once([points for unit, points in worth.items() if _broken(counts, foe, unit)]),
        [*[c.points for c in lost if not c.general], *leaders],
        general,
        counts.get(f"quarters.{seat}", 0),
        counts.get(f"standards.{seat}", 0),
        army_standard=counts.get(f"army_standard.{seat}") == "yes",
    )


def _rounded_once(exact: Iterable[Fraction]) -> list[int]:
    """Whole points for each unit: together their exact sum, rounded down once (AT-1.15)."""
    told: list[int] = []
    due = Fraction(0)
    for points in exact:
        due += points
        told.append(floor(due) - sum(told))
    return told


def _broken(counts: Mapping[str, Any], foe: str, unit: str) -> bool:
    return bool(counts.get(f"broken.{foe}.{unit}") == "yes")


@script("AT-8.6")
def battle_is_decided(war: War, number: int) -> Step[War]:
    """The scenario's own victory rules decide, or victory points do."""
    battle = war.battles[number]
    report = _report(battle)
    winner = None if report.winner is None else battle.sides[report.winner]
    if report.facts.get("decided") == "points":
        winner = yield from _points_decide(war, battle, report)
    if winner is None:
        yield from tell("AT-8.13", "nobody", place=battle.place, scenario=battle.scenario)
    else:
        yield from tell(
            "AT-8.6", "won", place=battle.place, winner=winner, scenario=battle.scenario
        )
    last = max(battle.sides, key=lambda seat: war.army_of(seat).entered)  # it leaves (AT-8.13)
    items: list[Item] = []
    for seat in battle.sides:
        fate: Fate = "draw" if winner is None else "winner" if seat == winner else "loser"
        leaves = fate == "loser" or (winner is None and seat == last)
        war = war.noted(seat, result=fate)
        items.append(then(side_counts_its_losses, number, seat, fate, leaves))
    if winner is not None:
        items.append(then(winner_takes_the_land, number, winner))
    return war, items


def _report(battle: Battle) -> Report:
    assert battle.report is not None
    return battle.report


def _fates(report: Report) -> dict[str, str]:
    return {fate.leader: fate.fate for fate in report.fates}


def _points_decide(war: War, battle: Battle, report: Report) -> Rule[str | None]:
    """Both sides' victory points; equal points are a battle without a winner (AT-8.13)."""
    fates, won = _fates(report), {}
    for seat, foe in (battle.sides, battle.sides[::-1]):
        guests = hired(war, battle, foe)
        points = victory_points(seat, foe, war.army_of(foe), report.facts["counts"], fates, guests)
        won[seat] = points.total
        yield from explain(points)
        yield from tell("AT-8.6", "points", place=battle.place, seat=seat, points=points.total)
    a, b = battle.sides
    if won[a] == won[b]:
        return None
    return a if won[a] > won[b] else b


# What it cost (AT-8.7 to AT-8.9) -----------------------------------------------------------------


@script("AT-8.7/losses")
def side_counts_its_losses(war: War, number: int, seat: str, fate: Fate, leaves: bool) -> Step[War]:
    """What the battle cost one side: by the table in points, else figures, part of whom return.

    Characters struck down are still with the army until their die has fallen (AT-8.9).
    """
    battle, army = war.battles[number], war.army_of(seat)
    report = _report(battle)
    fallen: dict[int, str] = {}
    if report.facts.get("decided") == "table":
        points = report.facts["points"][battle.sides.index(seat)]
        loss = yield from choose_point_losses(war, seat, points)
        heroes = {hero.id for hero in army.characters}
        fallen = {member: "killed" for member, _ in loss if member in heroes}
        left = without(army, tuple([pair for pair in loss if pair[0] not in heroes]))
        after, toll = after_battle(left, (), fate)
        gone = sum([lost for _, lost in loss])
        if gone or points:
            yield from tell("AT-8.11", "losses", to=(seat,), seat=seat, points=points, figures=gone)
    else:
        fates = _fates(report)
        fallen = {
            hero.id: fates[f"{seat}.{hero.id}"]
            for hero in army.characters
            if fates.get(f"{seat}.{hero.id}") in STRUCK_DOWN
        }
        casualties = casualties_of(army, seat, report)
        after, toll = after_battle(army, casualties, fate)
        gone = sum([each.killed + each.left for each in casualties])
        back = figures(after) - figures(army) + gone
        yield from tell(RULES[fate], "back", to=(seat,), seat=seat, figures=back, lost=gone)
    if leaves:
        after = replace(after, duty=Duty("beaten", toll))
    battle = replace(battle, counted=(*battle.counted, seat))
    known = (seat,) if report.facts.get("decided") == "table" else battle.sides
    items: list[Item] = [
        then(character_was_struck_down, seat, hero.id, fallen[hero.id] == "duel", known)
        for hero in army.characters
        if hero.id in fallen
    ]
    war = with_battle(war, number, battle).with_army(seat, after)
    return war, [*items, then(side_must_go, seat, battle.place, leaves)]


@procedure("AT-8.9")
def character_recovers(
    toughness: Annotated[int, msgspec.Meta(ge=0)], duel: bool
) -> Rule[Recovered]:
    """He comes back on D6 ≤ Toughness; killed in a duel he is dead."""
    if duel:
        return Recovered(False)
    die = yield from roll(1, D6, read=total, why="recovery")
    return Recovered(die <= toughness)


@script("AT-8.9/character")
def character_was_struck_down(
    war: War, seat: str, number: int, duel: bool, known: tuple[str, ...]
) -> Step[War]:
    """One character killed in the battle: back with the army, or dead.

    known: who saw him fall; in a battle on the table both sides did.
    """
    army = war.army_of(seat)
    hero = next(hero for hero in army.characters if hero.id == number)
    result = yield from call(character_recovers, hero.toughness, duel)
    kind = "back" if result.recovered else "duel" if duel else "dead"
    yield from tell("AT-8.9", kind, to=known, seat=seat, name=hero.profile)
    if result.recovered:
        return war, []
    left = tuple([other for other in army.characters if other.id != number])
    return war.army_changed(seat, characters=left), []


@script("AT-8.8")
def side_must_go(war: War, seat: str, place: str, leaves: bool) -> Step[War]:
    """Those who lost must leave in the next turn's movement, if anybody is left to go."""
    if war.seats[seat].army is None:
        yield from tell("AT-8.7", "annihilated", seat=seat, place=place)
    elif leaves:
        yield from tell("AT-8.8", "must_retreat", seat=seat, place=place)
    return war, []


@script("AT-8.7")
def winner_takes_the_land(war: War, number: int, winner: str) -> Step[War]:
    """The loser's land passes to the winner, unless a variant wants a conquest for it."""
    battle = war.battles[number]
    loser = battle.defender if winner == battle.attacker else battle.attacker
    if war.owner(battle.place) != loser or war.options.contested != "gained":
        return war, []
    yield from tell("AT-8.7", "gained", seat=winner, place=battle.place, loser=loser)
    return (yield from lapses(war, war.taken(battle.place, winner))), []


# What was learnt (AT-8.12) -----------------------------------------------------------------------


@script("AT-8.12")
def experience_is_noted(war: War) -> Step[War]:
    """Those who fought may write what their troops have learnt; the words have no effect."""
    fought = [seat for battle in war.battles for seat in battle.sides]
    there = [s for s in fought if war.seats[s].army is not None and not war.seats[s].absent]
    sheets = yield from ask_each(
        there, lambda seat: _experience_sheet(war.army_of(seat)), absent={"learnt": ()}
    )
    for seat, sheet in sheets.items():
        if sheet["learnt"]:
            war = war.with_army(seat, _noted(war.army_of(seat), sheet))
            yield from tell("AT-8.12", "noted", to=(seat,), seat=seat, count=len(sheet["learnt"]))
    return war, []


@sheet_parts
def _experience_sheet(army: Army) -> Filling:
    members = tuple([member.id for member in (*army.characters, *army.units)])
    learnt = yield "learnt", SeveralOf(members, label="member")
    for member in learnt:
        yield f"note.{member}", Text(NOTE)


def _noted(army: Army, sheet: Mapping[str, Any]) -> Army:
    units = tuple([replace(u, note=sheet.get(f"note.{u.id}", u.note)) for u in army.units])
    heroes = [replace(c, note=sheet.get(f"note.{c.id}", c.note)) for c in army.characters]
    return replace(army, units=units, characters=tuple(heroes))
