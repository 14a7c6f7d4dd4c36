"""Chapter « Conquête » (AT-9): passage, assault, and what the army finds there."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D3,
    D6,
    Call,
    ChanceOf,
    Fact,
    Filling,
    Item,
    MeanOf,
    Next,
    Reasoned,
    Rule,
    Step,
    Sum,
    again,
    ask,
    bonus,
    call,
    explain,
    procedure,
    roll,
    script,
    sheet_parts,
    tally,
    tell,
    then,
    total,
)
from polemarque.systems.atlantide import purchases
from polemarque.systems.atlantide.agreements import forbids_attack
from polemarque.systems.atlantide.chapters.broken_agreements import lapses
from polemarque.systems.atlantide.chapters.diplomacy import refusing
from polemarque.systems.atlantide.chapters.divine import figures_are_lost
from polemarque.systems.atlantide.chapters.reinforcements import slaves_join
from polemarque.systems.atlantide.chapters.turn import one_after_another
from polemarque.systems.atlantide.movement import start_open
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.strength import (
    Ground,
    army_force,
    attack_force,
    bare,
    conquest_refusal,
    ground_of,
    negotiates,
    passage_modifiers,
    tell_force,
)
from polemarque.systems.atlantide.tables import TABLES
from polemarque.systems.atlantide.troops import Duty, figures

DICE = {"": (0, D6), "D3": (1, D3), "D6": (1, D6), "2D6": (2, D6)}
"""Losses as the tables write them: how many dice of how many faces."""


class ConquestRow(msgspec.Struct, frozen=True):
    """A row of the conquest table; `_held` cells replace theirs on a player's land."""

    outcome: str
    loot: int = 0
    modifier: int = 0
    losses: str = ""
    losses_held: str = ""
    loot_held: int = 0

    def losses_on(self, ground: Ground) -> tuple[int, int]:
        """The loss dice: how many, of how many faces."""
        return DICE[self.losses_held if ground.player_held and self.losses_held else self.losses]

    def loot_on(self, ground: Ground) -> int:
        """Loot won (or lost, on a player's land)."""
        return self.loot_held if ground.player_held and self.loot_held else self.loot


class Negotiated(msgspec.Struct, frozen=True):
    """Whether the Atlanteans let the army stay this turn."""

    passage: bool


class Assault(msgspec.Struct, frozen=True):
    """How an assault ended: taken, beaten, crushed or destroyed; figures lost are not capped."""

    result: str
    rounds: int = 0
    loot: int = 0
    figures_lost: int = 0


PASSAGE = TABLES.table("AT-9.2", Negotiated)
CONQUEST = TABLES.table("AT-9.5", ConquestRow)

UNDECIDED = "undecided"
"""The outcome after which the defence is rolled again."""

DESTROYED = "destroyed"
"""An assault that has cost the last figure."""

FEW = 30
"""An army loses more figures than that before it is decided in less than one assault in five
thousand: the odds of a larger one leave that out, which would take seconds to work out."""

AGREED = "conquest.agreement"
"""Why an army may not attack although, by all that is public, it might (AT-9.8)."""


# Before a territory (AT-9.1, AT-9.8) -------------------------------------------------------------


@script("AT-9/phase")
def conquest_phase(war: War) -> Next[War]:
    """Armies that may attack or must negotiate do so in the order of AT-2.2."""
    return war, [
        then(one_after_another, "AT-9.1", tuple([s for s in war.in_play() if concerned(war, s)]))
    ]


def concerned(war: War, seat: str) -> bool:
    """Whether a seat's army, by all that is public, negotiates or could attack where it stands.

    An agreement that forbids attacking may be secret: its player is asked all the same.
    """
    return negotiates(war, seat) or conquest_refusal(war, seat) in ("", AGREED)


class Orders(msgspec.Struct, frozen=True):
    """What an army does before a territory, and with what bribe.

    The absent player negotiates without one, or stays, and never attacks (AT-2.4).
    """

    act: str
    bribe: int = 0


@script("AT-9.1")
def army_before_a_territory(war: War, seat: str) -> Step[War]:
    """On Atlantean land: negotiate a passage, or attack.  On a player's: attack, or stay."""
    army = war.seats[seat].army
    if army is None or not concerned(war, seat):
        return war, []
    orders = Orders("passage" if negotiates(war, seat) else "stay")
    words: tuple[str, ...] = (orders.act,)
    if not conquest_refusal(war, seat):
        words = (*words, "attack")
    if not war.seats[seat].absent:
        orders = yield from ask(seat, _orders(war, seat, words), absent=orders, subject=army.place)
    if orders.act == "stay":
        yield from tell("AT-9.8", "stays", seat=seat, place=army.place)
        return war.noted(seat, conquest=army.place, conquest_result="stays"), []
    what = army_negotiates if orders.act == "passage" else army_attacks
    return war, [then(what, seat, orders.bribe)]


@sheet_parts
def _orders(war: War, seat: str, words: tuple[str, ...]) -> Filling:
    """What to do, and the bribe: it is named before the die (AT-5.6)."""
    why = refusing("AT-9.8", attack=conquest_refusal(war, seat))
    acts = Reasoned(words, "conquest", why=why, fact=lambda act: told_of(war, seat, act, 0))
    act = yield "act", acts
    if act in ("passage", "attack"):
        told = partial(told_of, war, seat, act)
        yield "bribe", purchases.bribe(war, seat, fact=told)


def told_of(war: War, seat: str, act: str, bribe: int) -> Fact | None:
    """What a negotiation or an assault may come to with that bribe."""
    if act == "passage":
        return Fact("passage", {"granted": _granted(war, seat, bribe), "bribe": bribe})
    if act != "attack":
        return None
    place = war.army_of(seat).place
    return Fact("assault", {**_stormed(war, seat, place, bribe), "bribe": bribe})


def goal_told(war: War, seat: str, way: tuple[str, ...]) -> Fact | None:
    """What waits for an army where it marches: a passage or an assault, both without a bribe.

    None on its own land, and for one that has a duty to go (AT-7.6) or may not attack (AT-9.8).
    """
    army = war.army_of(seat)
    place = way[-1] if way else army.place
    owner = war.owner(place)
    if army.duty is not None or owner == seat:
        return None
    if owner is None:
        granted = {"granted": _granted(war, seat, 0)}
        return Fact("atlantean_goal", {**_stormed(war, seat, place, 0), **granted})
    if forbids_attack(war, owner, seat, place):
        return None
    return Fact("players_goal", _stormed(war, seat, place, 0))


def _granted(war: War, seat: str, bribe: int) -> ChanceOf:
    """Whether the Atlanteans let his army pass."""
    asked = Call(negotiate.rule, (bribe, war.army_of(seat).leadership))
    return ChanceOf(asked, lambda negotiated: bool(negotiated.passage))


def _stormed(war: War, seat: str, place: str, bribe: int) -> dict[str, ChanceOf | MeanOf]:
    """What an assault may come to: his own army's affair, on ground that everybody knows."""
    army = war.army_of(seat)
    force = attack_force(bare(army_force(army).total), bribe).total
    asked = Call(assault.rule, (force, ground_of(war, place, seat), figures(army)))
    taken = ChanceOf(asked, lambda fought: bool(fought.result == "taken"))
    return {"taken": taken, "lost": MeanOf(asked, "figures_lost")}


# A passage (AT-9.2) ------------------------------------------------------------------------------


@procedure("AT-9.2/passage")
def negotiate(loot: int, general_ld: int | None) -> Rule[Negotiated]:
    """D6, +1 per 50 loot spent, the general's modifier; 5 or more succeeds."""
    modifiers = passage_modifiers(loot, general_ld)
    yield from explain(modifiers)
    die = yield from roll(1, D6, read=total, why="passage")
    return PASSAGE.row(die + modifiers.total)


@script("AT-9.2")
def army_negotiates(war: War, seat: str, bribe: int) -> Step[War]:
    """Success: it may stay this turn.  Failure: it withdraws to its start, or attacks.

    It must attack if it cannot withdraw there (AT-7.7).
    """
    army = war.army_of(seat)
    war = war.paying(seat, bribe)
    result = yield from call(negotiate, bribe, army.leadership)
    if result.passage:
        yield from tell("AT-9.2", "granted", seat=seat, place=army.place, bribe=bribe)
        war = war.noted(seat, conquest=army.place, conquest_result="passage")
        return war.army_changed(seat, negotiated=True), []
    yield from tell("AT-9.2", "refused", seat=seat, place=army.place, bribe=bribe)
    words: tuple[str, ...] = ("withdraw", "attack")
    if not start_open(war, seat):
        yield from tell("AT-7.7", "closed", to=(seat,), seat=seat, place=army.start or "")
        words = ("attack",)
    orders = Orders(words[0])
    if not war.seats[seat].absent:
        orders = yield from ask(seat, _orders(war, seat, words), absent=orders, subject=army.place)
    if orders.act == "attack":
        return war, [then(army_attacks, seat, orders.bribe)]
    assert army.start is not None
    war = war.moved(seat, army.start)
    yield from tell("AT-9.2", "withdraws", seat=seat, place=army.start)
    war = war.noted(seat, conquest=army.place, conquest_result="withdrawn")
    return (yield from slaves_join(war, seat)), []


# An assault (AT-9.3 to AT-9.7) -------------------------------------------------------------------


OPEN = (Ground("plains"), Ground("plains", player_held=True))
"""What odds take for all Atlantean grounds, and for all that players hold."""


def alike(attack: int, ground: Ground, left: int | None = None) -> tuple[Any, ...]:
    """The figures for which the odds of an assault are worked out.

    Of a ground only its strength counts, and whether a player holds it; of figures see `FEW`.
    """
    plain = OPEN[ground.player_held]
    few = left if left is not None and left <= FEW else None
    return attack - ground.strength + plain.strength, plain, few


@procedure("AT-9.5", odds=alike)
def assault(attack: int, ground: Ground, left: int | None = None) -> Rule[Assault]:
    """Assault a territory until it is decided, or no figure is left to go on.

    attack: combat force plus bribe and earlier rounds' modifiers, in points (AT-9.3).
    ground: what defends, in points beyond the dice (AT-9.4).
    left: figures that the army still has; None to go on whatever is lost.
    Tallies rounds and figures lost; figures lost on the way do not weaken the attack.
    """
    defence = yield from roll(2, D6, read=total, why="defence")
    row = CONQUEST.row(attack - ground.strength - defence)
    count, sides = row.losses_on(ground)
    lost = yield from roll(count, sides, read=total, why="figures_lost")
    yield from tally(rounds=1, figures_lost=lost)
    if row.outcome == UNDECIDED:
        if left is not None:
            left -= lost
            if left <= 0:
                return Assault(DESTROYED)
        yield from explain(bonus("AT-9.3", row.modifier, UNDECIDED))
        return again(attack + row.modifier, ground, left)  # type: ignore[no-any-return]
    return Assault(row.outcome, loot=row.loot_on(ground))


@script("AT-9.3", edition="2026-11.2")
def army_attacks(war: War, seat: str, bribe: int) -> Step[War]:
    """Its player reads what the army counts for; everybody else its sum (AT-2.3)."""
    army = war.army_of(seat)
    counted = army_force(army)
    yield from tell_force(seat, counted)
    war, fought = yield from attacked(war, seat, bribe, bare(counted.total), figures(army))
    lost = fought.figures_lost
    losing = [then(figures_are_lost, seat, lost, "conquest")] if lost else []
    return war, [*losing, *over(seat, fought)]


def attacked(
    war: War, seat: str, bribe: int, force: Sum, left: int | None
) -> Rule[tuple[War, Assault]]:
    """The bribe is named before the first die and serves the whole conquest; then figures are lost.

    force: combat force, with the reasons that everybody reads.
    left:  figures after whose loss the assault ends; None: it goes on to its decision.
    """
    army = war.army_of(seat)
    war = war.paying(seat, bribe)
    force, ground = attack_force(force, bribe), ground_of(war, army.place, seat)
    yield from explain(force)
    yield from tell("AT-9.3", "force", seat=seat, place=army.place, force=force.total, bribe=bribe)
    yield from explain(ground.defence)
    fought = yield from call(assault, force.total, ground, left)
    result = DESTROYED if fought.figures_lost >= figures(army) else fought.result
    yield from tell(
        "AT-9.5", result, seat=seat, place=army.place, rounds=fought.rounds,
        loot=fought.loot, figures=fought.figures_lost, force=force.total,
        defence=ground.strength, paid=fought.loot < 0,
    )  # fmt: skip
    war = war.army_changed(seat, attacked=True)
    war = war.noted(seat, conquest=army.place, conquest_result=result)
    if fought.loot < 0:  # what he has, if that is less
        war = war.paying(seat, min(-fought.loot, war.loot(seat)))
    return war, replace(fought, result=result)


def over(seat: str, fought: Assault) -> list[Item]:
    """What follows an assault that left somebody alive."""
    alive = fought.result != DESTROYED
    return [then(assault_is_over, seat, fought.result, max(fought.loot, 0))] if alive else []


@script("AT-9.7")
def assault_is_over(war: War, seat: str, result: str, loot: int) -> Step[War]:
    """A territory taken joins the colony; a beaten army must go next turn (AT-7.6).

    The loot is hidden Atlantean wealth, never the defender's (AT-9.6).
    """
    army = war.seats[seat].army
    if army is None:  # an umpire has taken away the rest of it
        return war, []
    if result != "taken":
        return war.army_changed(seat, duty=Duty("leave" if result == "beaten" else "crushed")), []
    loser = war.owner(army.place) or ""
    yield from tell("AT-9.7", "taken", seat=seat, place=army.place, loser=loser)
    yield from tell("AT-9.6", "loot", seat=seat, place=army.place, loot=loot)
    return (yield from lapses(war, war.earning(seat, loot).taken(army.place, seat))), []
