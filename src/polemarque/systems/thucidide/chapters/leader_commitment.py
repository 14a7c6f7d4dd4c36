"""Leaders who commit themselves (TH-8.2), and the moments at which they may (TH-8.3).

A sub-general or an officer gives himself to a unit in his influence range and is removed; the unit
has one effect of it.  What he could do at a moment is found by plain functions of the board, so
that nobody is asked where there is nothing to do.
"""

from __future__ import annotations

import msgspec

from polemarque.api import PASS, Filling, OneOf, Rule, Sheet, Step, ask, script, tell, then, window
from polemarque.systems.thucidide.chapters.activation import (
    STOPS,
    anyone_activated,
    unit_activated_on_top,
)
from polemarque.systems.thucidide.chapters.army_wide_orders import (
    can_be_forced,
    unit_forced_by_a_leader,
)
from polemarque.systems.thucidide.chapters.attack import attack_orders, given
from polemarque.systems.thucidide.chapters.combat import fight_of, fighting, losses
from polemarque.systems.thucidide.chapters.defence import EVASION, can_evade, defence_orders, evaded
from polemarque.systems.thucidide.chapters.manoeuvre_orders import (
    direct_orders,
    enemies_within,
    give_direct,
)
from polemarque.systems.thucidide.chapters.retreat import BREAKTHROUGH, Beaten
from polemarque.systems.thucidide.combat_dice import COMBAT
from polemarque.systems.thucidide.movement import Held
from polemarque.systems.thucidide.orders import (
    COMMITTING,
    LOSSES,
    ORDERS,
    Moment,
    asks_of,
    obeys,
    stopped,
)
from polemarque.systems.thucidide.state import Battle, Leader, Unit
from polemarque.systems.thucidide.targets import lone_leaders_beside, prey

FORCED_MARCH = "marche_forcee"

MARCHING: tuple[Moment, ...] = (
    "command", "before_move", "after_move", "movement_end", "between_combats",
)  # fmt: skip
"""The moments of the command and movement phases, and between combats; the others are of one."""

BEFORE_THE_ROLL: tuple[Moment, ...] = ("declared", "attack_order", "defence_order")
ANSWERING: tuple[Moment, ...] = ("attack_order", "defence_order")


class Commitment(msgspec.Struct, frozen=True):
    """What a leader could give himself for.

    effect: "spare" a loss, two more "dice", "activate" it, "rally" it, or the code of an order.
    """

    leader: str
    unit: str
    effect: str


def choices(battle: Battle, seat: str, moment: Moment) -> tuple[Commitment, ...]:
    """Everything the leaders of a seat could commit themselves to at a moment."""
    leaders = [one for one in battle.leaders_of(seat) if one.rank in COMMITTING]
    if not leaders:
        return ()
    if moment == LOSSES and not asks_of(battle, seat) and not loses(battle, seat):
        return ()
    held = battle.by_cell()
    found = []
    for code, near in _within_influence(battle, leaders, held).items():
        for effect in _effects(battle, battle.units[code], moment, held):
            found += [Commitment(leader, code, effect) for leader in near]
    return tuple(found)


def _within_influence(battle: Battle, leaders: list[Leader], held: Held) -> dict[str, list[str]]:
    """Unit -> codes of those of these leaders who could commit themselves to it."""
    found: dict[str, list[str]] = {}
    for leader in leaders:
        for cell in (leader.cell, *battle.board.grid.within(leader.cell, leader.influence)):
            unit = held.get(cell)
            if unit is not None and obeys(unit, leader):
                found.setdefault(unit.code, []).append(leader.code)
    return found


def _effects(battle: Battle, unit: Unit, moment: Moment, held: Held) -> list[str]:
    """What a leader could do for a unit at a moment, no matter which leader."""
    own = unit.seat == battle.active
    found = _marching(battle, unit, held) if moment in MARCHING else _fighting(battle, unit, moment)
    if own and _can_be_activated(battle, unit, held):
        found.append("activate")
    if unit.elements < unit.start and not enemies_within(battle, unit, COMBAT.leaders.rally):
        found.append("rally")
    return found


def _marching(battle: Battle, unit: Unit, held: Held) -> list[str]:
    """Manoeuvre orders, in one's own command or movement phase.

    A unit that is not activated is forced to march, where the variant of TH-5.2 allows it, once the
    activations are done: before that nobody knows that it will not be.
    """
    if unit.seat != battle.active:
        return []
    found = list(direct_orders(battle, unit))
    if battle.phase == "movement" and can_be_forced(battle, unit, held):
        found.append(FORCED_MARCH)
    return found


def _fighting(battle: Battle, unit: Unit, moment: Moment) -> list[str]:
    """What helps a unit in the combat that is being fought."""
    fight = fight_of(battle)
    if moment == LOSSES:
        return _after_the_roll(battle, unit)
    if moment == "riposte":
        return ["dice"] if unit.code == fight.target else []
    if "retraite" in fight.answers:  # the attack will find nobody: no dice, nothing to help
        return []
    if unit.code == fight.attacker and moment in BEFORE_THE_ROLL:
        return ["dice", *attack_orders(battle)]
    if unit.code == fight.target and moment in ANSWERING:
        return defence_orders(battle)
    return []


def _after_the_roll(battle: Battle, unit: Unit) -> list[str]:
    """After a roll, before its losses, whom it concerns (TH-8.2).

    « Ignorer une perte » and Évasion are for the unit that is hit; Percée is for an attacker who
    has hit, two dice are for one who was ambushed and has still to throw.
    """
    fight = fight_of(battle)
    attacks, hits = unit.code == fight.attacker, fight.hits + fight.flags + fight.sure > 0
    melee = fight.throw == "attack" and not fight.shooting
    possible = {
        "spare": unit.code == fight.struck and at_stake(battle) > 0,
        EVASION: unit.code == fight.target and can_evade(battle),
        BREAKTHROUGH: attacks and melee and hits and BREAKTHROUGH not in fight.orders,
        "dice": attacks and fight.throw == "ambush",
    }
    return [effect for effect, is_so in possible.items() if is_so]


def loses(battle: Battle, seat: str) -> bool:
    """Whether the roll would cost a unit of a seat an element (TH-8.3)."""
    fight = battle.fight
    return fight is not None and battle.units[fight.struck].seat == seat and at_stake(battle) > 0


def at_stake(battle: Battle) -> int:
    """Elements that the roll would cost as it stands: hits, and steps that cannot be made.

    It supposes that its owner ignores all the flags he may; losses spared already do not count.
    """
    fight = fight_of(battle)
    unit = battle.units[fight.struck]
    if not unit.stands:
        return 0
    reading = battle.options.spared
    by_hits, spared = losses(fight.hits, unit.elements, fight.spared, reading)
    left = unit.elements - by_hits
    if not left or not fight.flags + fight.sure:
        return by_hits
    beaten = Beaten(battle)
    back = beaten.back(beaten.flags - beaten.most)
    blocked = back.hexes - max([len(way) for way in back.ways().values()], default=0)
    by_steps, _ = losses(blocked, left, spared, reading)
    return by_hits + by_steps


def _can_be_activated(battle: Battle, unit: Unit, held: Held) -> bool:
    """Whether it is not activated yet; in the combat phase it must have somebody to attack.

    After a Reconnaissance only as the one unit that its wording allows (TH-4.1, TH-3.2).
    """
    if unit.marks.by or not unit.marks.fights:
        return False
    if battle.sides[unit.seat].scouting and anyone_activated(battle):
        return False
    if battle.phase != "combat":
        return True
    return bool(prey(battle, unit, held) or lone_leaders_beside(battle, unit, held))


# The window (TH-8.3) -----------------------------------------------------------------------------


@script("TH-8.3")
def moment_comes(battle: Battle, moment: Moment) -> Step[Battle]:
    """The active player first; a commitment opens the window again, to the other as well."""
    played = yield from window(
        stopped(battle, moment), lambda seat: able(battle, seat, moment),
        moment=moment, label="mover", stakes=lambda seat: stakes(battle, seat),
    )  # fmt: skip
    if played is None:
        return battle, []
    _, leader = played
    return battle, [then(leader_commits_himself, leader, moment), then(moment_comes, moment)]


def able(battle: Battle, seat: str, moment: Moment) -> tuple[str, ...]:
    """Leaders of a seat who are worth a question: of the attacked unit only, if it likes that."""
    found = choices(battle, seat, moment)
    if battle.sides[seat].stops == "attacked" and not loses(battle, seat):
        target = fight_of(battle).target
        found = tuple([one for one in found if one.unit == target])
    return tuple(dict.fromkeys([one.leader for one in found]))


class Called(msgspec.Struct, frozen=True):
    """When a seat is asked from now on, and the leader who commits himself at once."""

    stops: str
    commits: str = PASS


@script("TH-8.3/call")
def leaders_are_called(battle: Battle, seat: str, moment: Moment) -> Step[Battle]:
    """At a question of its own a seat opens the window, or says when to be asked from now on."""
    now = battle.sides[seat].stops
    leaders = dict.fromkeys([one.leader for one in choices(battle, seat, moment)])

    def fill() -> Filling:
        if leaders:
            yield "commits", OneOf((PASS, *leaders), "mover")
        yield "stops", OneOf((now, *[word for word in STOPS if word != now]), "stops")

    said = yield from ask(seat, Sheet(fill), absent=Called(now), subject=moment)
    battle = battle.side(seat, stops=said.stops)
    if said.commits == PASS:
        return battle, []
    return battle, [then(leader_commits_himself, said.commits, moment), then(moment_comes, moment)]


ATTACKED, LOSING = "attacked", "losing_element"

STAKES = (ATTACKED, LOSING)
"""What can be at stake for a seat: one of its units is attacked, or about to lose an element."""


def stakes(battle: Battle, seat: str) -> tuple[str, ...]:
    """What is at stake for a seat, so that it can pass until then."""
    fight = battle.fight
    if fight is None:
        return ()
    attacked = (ATTACKED,) if battle.units[fight.target].seat == seat else ()
    return (*attacked, LOSING) if loses(battle, seat) else attacked


# The commitment (TH-8.2) -------------------------------------------------------------------------


class Chosen(msgspec.Struct, frozen=True):
    """For which unit a leader commits himself, and to what effect."""

    unit: str
    effect: str


@script("TH-8.2")
def leader_commits_himself(battle: Battle, code: str, moment: Moment) -> Step[Battle]:
    """He says to which unit and for what, and is removed; it costs no token."""
    leader = battle.leaders[code]
    offers = [one for one in choices(battle, leader.seat, moment) if one.leader == code]
    if not offers:  # the umpire has changed what he could do
        return battle, []
    chosen = Chosen(offers[0].unit, offers[0].effect)
    if len(offers) > 1:
        sheet = Sheet(lambda: _commitment(offers))
        chosen = yield from ask(leader.seat, sheet, absent=chosen, subject=code)
    unit, effect = chosen.unit, chosen.effect
    yield from tell("TH-8.2", "commits", seat=leader.seat, leader=code, unit=unit, effect=effect)
    battle = battle.leader(code, fate="committed", cell="")
    if effect == "activate":
        return battle, [then(unit_activated_on_top, unit)]
    if effect == FORCED_MARCH and not battle.units[unit].marks.by:
        return battle, [then(unit_forced_by_a_leader, unit)]
    return (yield from _done(battle, battle.units[unit], effect)), []


def _commitment(offers: list[Commitment]) -> Filling:
    units = tuple(dict.fromkeys([one.unit for one in offers]))
    unit = yield "unit", OneOf(units, "mover")
    yield "effect", OneOf(tuple([o.effect for o in offers if o.unit == unit]), "order")


def _done(battle: Battle, unit: Unit, effect: str) -> Rule[Battle]:
    """The battle with what a leader has done for a unit."""
    if effect == "rally":
        lost = unit.start - unit.elements
        yield from tell("TH-8.2", "rallies", seat=unit.seat, unit=unit.code, elements=lost)
        return battle.unit(unit.code, elements=unit.start)
    if effect == "spare":
        return fighting(battle, spared=fight_of(battle).spared + 1)
    if effect == "dice":
        fight = fight_of(battle)
        if unit.code == fight.attacker:
            return fighting(battle, committed=fight.committed + 1)
        return fighting(battle, returned=fight.returned + 1)
    if effect == EVASION and fight_of(battle).hits:
        return (yield from evaded(battle))
    if ORDERS[effect].family == "manoeuvre":
        return (yield from give_direct(battle, unit, effect))
    yield from tell(ORDERS[effect].rule, effect, seat=unit.seat, unit=unit.code, tokens=0)
    return given(battle, effect, unit)
