"""War priests (PA-4): a campaign may lend an army a roll to be made again, all its dice at once.

Every roll of an attack or a riposte can be, hits and saves alike.  An army without priests about
fights by the plain procedures of `strikes`.
"""

from __future__ import annotations

import msgspec

from polemarque.api import OneOf, Rule, again, ask, call, procedure, tally, tell
from polemarque.systems.promiterra.chapters.dice_cutting import cut, left_after, successes
from polemarque.systems.promiterra.chapters.strikes import (
    Blow,
    Clash,
    Fighter,
    Strike,
    clash,
    counting_fort,
    strike,
    tallies,
)
from polemarque.systems.promiterra.setup.options import DiceRule
from polemarque.systems.promiterra.state import War

Holders = tuple[str, ...]
"""Seats whose priests can have a roll made again, each as often as they can."""


class Came(msgspec.Struct, frozen=True):
    """The successes of a roll, and the seats whose priests had it made again."""

    successes: int
    spent: Holders = ()


class BlessedStrike(Strike, frozen=True):
    """What one attack costs, and the seats whose priests were spent on it."""

    spent: Holders = ()


class BlessedClash(msgspec.Struct, frozen=True):
    """An attack and its riposte, and the seats whose priests were spent on them."""

    fought: Clash
    spent: Holders = ()


def holders(war: War) -> Holders:
    """Who can have rolls made again, the army that plays first."""
    seats = (war.playing, *[seat for seat in war.order if seat != war.playing])
    return tuple([seat for seat in seats for _ in range(war.armies[seat].rerolls)])


def without(holding: Holders, spent: Holders) -> Holders:
    """The holders once some of them have been spent."""
    left = list(holding)
    for seat in spent:
        left.remove(seat)
    return tuple(left)


def _spent(war: War, spent: Holders) -> War:
    for seat in spent:
        war = war.with_army(seat, rerolls=war.armies[seat].rerolls - 1)
    return war


def fought_out(
    war: War, attacker: Fighter, defender: Fighter, *, riposte: bool
) -> Rule[tuple[War, Clash]]:
    """An attack and its riposte, with whatever priests there are."""
    holding, dice = holders(war), war.options.dice
    if not holding:
        return war, (yield from call(clash, attacker, defender, riposte, dice))
    blessed = yield from call(clash_with_priests, attacker, defender, riposte, dice, holding)
    return _spent(war, blessed.spent), blessed.fought


def struck_out(
    war: War, units: int, attack: int, target: Fighter, fort: int, blow: Blow
) -> Rule[tuple[War, Strike]]:
    """One strike, with whatever priests there are."""
    holding, dice = holders(war), war.options.dice
    if not holding:
        return war, (yield from call(strike, units, attack, target, fort, dice, blow))
    blessed = yield from call(strike_with_priests, units, attack, target, fort, dice, blow, holding)
    return _spent(war, blessed.spent), Strike(blessed.losses, **tallies(blessed))


@procedure("PR-5.3/priests")
def clash_with_priests(
    attacker: Fighter, defender: Fighter, riposte: bool, dice: DiceRule, holding: Holders
) -> Rule[BlessedClash]:
    """`clash`, whose rolls may be made again."""
    fort = counting_fort(defender.fort, attacker.fort)
    blow = yield from call(
        strike_with_priests, attacker.units, attacker.attack, defender, fort, dice, "attack",
        holding,
    )  # fmt: skip
    if not riposte:
        return BlessedClash(Clash(defender_losses=blow.losses, **tallies(blow)), blow.spent)
    cover = counting_fort(attacker.fort, defender.fort)
    back = yield from call(
        strike_with_priests, defender.units, defender.attack, attacker, cover, dice, "riposte",
        without(holding, blow.spent),
    )  # fmt: skip
    fought = Clash(
        defender_losses=blow.losses, attacker_losses=back.losses,
        **tallies(blow), **tallies(back, "riposte_"),
    )  # fmt: skip
    return BlessedClash(fought, (*blow.spent, *back.spent))


@procedure("PR-5.3/strike_priests")
def strike_with_priests(
    units: int, attack: int, target: Fighter, fort: int, dice: DiceRule, blow: Blow,
    holding: Holders,
) -> Rule[BlessedStrike]:  # fmt: skip
    """`strike`, whose rolls may be made again."""
    thrown = cut(units, dice)
    came = yield from call(throw, thrown.dice, attack, f"{blow}_hits", holding)
    spent = came.spent
    hits = left = came.successes * thrown.multiplier
    saves = [(target.defence, "saves"), *([(fort, "fort_saves")] if fort else [])]
    removed = []
    for level, kind in saves:
        thrown, before = cut(left, dice), left
        came = yield from call(throw, thrown.dice, level, f"{blow}_{kind}", without(holding, spent))
        left, spent = left_after(left, came.successes, thrown), (*spent, *came.spent)
        removed.append(before - left)
    yield from tally(hits=hits, saved=removed[0], sheltered=sum(removed[1:]))
    return BlessedStrike(min(left, target.units), spent=spent)


@procedure("PR-5.1/throw")
def throw(count: int, needed: int, why: str, holding: Holders) -> Rule[Came]:
    """Dice of which each at most `needed` succeeds; priests may have all of them rolled again."""
    came = yield from successes(count, needed, why)
    waiting = tuple(dict.fromkeys(holding)) if count else ()
    return (yield from call(all_again, came, count, needed, why, waiting, ()))


@procedure("PR-5.1/reroll")
def all_again(
    came: int, count: int, needed: int, why: str, waiting: Holders, spent: Holders
) -> Rule[Came]:
    """Each priest in turn: let the roll stand, or have all its dice rolled again."""
    if not waiting:
        return Came(came, spent)
    seat, *others = waiting
    word = yield from ask(seat, OneOf(("keep", "reroll"), "priest"), absent="keep", subject=why)
    if word == "keep":
        return again(came, count, needed, why, tuple(others), spent)  # type: ignore[no-any-return]
    new = yield from successes(count, needed, why)
    yield from tell("PA-4", "reroll", seat=seat, n=count, old=came, new=new)
    return again(new, count, needed, why, tuple(others), (*spent, seat))  # type: ignore[no-any-return]
