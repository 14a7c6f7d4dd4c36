"""Chapter « Attaques » in figures (PR-5.1 to PR-5.3, PR-7.2, PR-7.3): hits, saves, riposte."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import msgspec

from polemarque.api import D6, ClosedForm, Rule, at_most, call, procedure, tally
from polemarque.systems.promiterra.chapters.dice_cutting import cut, left_after, successes
from polemarque.systems.promiterra.setup.options import DiceRule

Blow = Literal["attack", "riposte"]
"""Which half of a clash: only the words of its dice depend on it."""


class Fighter(msgspec.Struct, frozen=True):
    """A troop as it fights: units, statistics after their limits, level of fortification."""

    units: int
    attack: int
    defence: int
    fort: int = 0


class Strike(msgspec.Struct, frozen=True):
    """What one attack costs its target, capped by what it had (PR-6.4).  The rest are tallies.

    hits:      before saves, and not capped.
    saved:     hits that the target's own saves removed.
    sheltered: hits that its fortification removed.
    """

    losses: int
    hits: int = 0
    saved: int = 0
    sheltered: int = 0


class Clash(msgspec.Struct, frozen=True, kw_only=True):
    """An attack and its riposte.  All but the losses are tallies, as in `Strike`."""

    hits: int = 0
    saved: int = 0
    sheltered: int = 0
    defender_losses: int
    riposte_hits: int = 0
    riposte_saved: int = 0
    riposte_sheltered: int = 0
    attacker_losses: int = 0

    @property
    def attack(self) -> Strike:
        """The attack alone."""
        return Strike(self.defender_losses, self.hits, self.saved, self.sheltered)

    @property
    def riposte(self) -> Strike:
        """The riposte alone."""
        return Strike(
            self.attacker_losses, self.riposte_hits, self.riposte_saved, self.riposte_sheltered
        )


def tallies(struck: Strike, half: str = "") -> dict[str, int]:
    """The tallies of one half of a `Clash`; half: "riposte_" for the second."""
    return {
        f"{half}hits": struck.hits,
        f"{half}saved": struck.saved,
        f"{half}sheltered": struck.sheltered,
    }


def counting_fort(own: int, other: int) -> int:
    """The level that defends `own` against `other`: the higher alone counts, equals cancel."""
    return own if own > other else 0


@procedure("PR-5.1")
def hits_rolled(units: int, attack: int, dice: DiceRule, blow: Blow) -> Rule[int]:
    """One D6 a unit, or as many as PR-6.1 says; each at most `attack` is a hit."""
    thrown = cut(units, dice)
    struck = yield from successes(thrown.dice, attack, f"{blow}_hits")
    return struck * thrown.multiplier


@procedure("PR-5.2")
def hits_left(hits: int, defence: int, dice: DiceRule, blow: Blow) -> Rule[int]:
    """One D6 a hit; each at most `defence` removes one.  Gives the hits that remain."""
    thrown = cut(hits, dice)
    saved = yield from successes(thrown.dice, defence, f"{blow}_saves")
    return left_after(hits, saved, thrown)


@procedure("PR-7.2")
def hits_left_by_fort(hits: int, level: int, dice: DiceRule, blow: Blow) -> Rule[int]:
    """The second roll of a troop on a fortified cell, against the hits that remain."""
    thrown = cut(hits, dice)
    saved = yield from successes(thrown.dice, level, f"{blow}_fort_saves")
    return left_after(hits, saved, thrown)


Ways = dict[tuple[int, int, int], int]
"""Hits, those past the target's own saves, those left at last -> ways."""


def strike_law(
    units: int, attack: int, target: Fighter, fort: int, dice: DiceRule, _: Blow
) -> ClosedForm | None:
    """The same from the laws of its rolls, where there are few dice whatever the units (PR-6.1)."""
    if dice == "all":
        return None
    thrown = cut(units, dice)
    rolled = at_most(attack).law(thrown.dice, D6).items()
    ways: Ways = {(n * thrown.multiplier,) * 3: w for n, w in rolled}
    ways, saves = _saved(ways, target.defence, own=True)
    ways, walls = _saved(ways, fort, own=False) if fort else (ways, 0)
    sums: dict[int, list[int]] = {}
    for (hits, past, left), w in ways.items():
        row = sums.setdefault(min(left, target.units), [0] * 4)
        for at, n in enumerate((1, hits, hits - past, past - left)):
            row[at] += n * w
    names = ("hits", "saved", "sheltered")
    return [
        (Strike(lost), w, {name: Fraction(n, w) for name, n in zip(names, tallied, strict=True)})
        for lost, (w, *tallied) in sums.items()
    ], D6 ** (thrown.dice + saves + walls)


def _saved(ways: Ways, level: int, *, own: bool) -> tuple[Ways, int]:
    """What a roll of saves leaves, and the dice of which the ways are more: the most it has."""
    rolls = {left: cut(left, "cut") for *_, left in ways}
    most = max([roll.dice for roll in rolls.values()])
    laws = {dice: at_most(level).law(dice, D6).items() for dice in {r.dice for r in rolls.values()}}
    found: Ways = {}
    for (hits, past, left), w in ways.items():
        roll = rolls[left]
        w *= D6 ** (most - roll.dice)
        for saved, n in laws[roll.dice]:
            rest = left_after(left, saved, roll)
            end = (hits, rest if own else past, rest)
            found[end] = found.get(end, 0) + w * n
    return found, most


@procedure("PR-5.3/strike", law=strike_law)
def strike(
    units: int, attack: int, target: Fighter, fort: int, dice: DiceRule, blow: Blow
) -> Rule[Strike]:
    """Hits of so many units, then the target's own saves, then those of its fortification.

    fort: the level that counts, 0 for none: then it is not rolled (PR-7.3).
    """
    hits = yield from call(hits_rolled, units, attack, dice, blow)
    past = left = yield from call(hits_left, hits, target.defence, dice, blow)
    if fort:
        left = yield from call(hits_left_by_fort, past, fort, dice, blow)
    yield from tally(hits=hits, saved=hits - past, sheltered=past - left)
    return Strike(min(left, target.units))


@procedure("PR-5.7/toll")
def toll(attackers: tuple[Fighter, ...], target: Fighter, dice: DiceRule) -> Rule[Strike]:
    """What several cost one target together; it saves attack by attack.

    A battle rolls the same strikes one by one; this adds them up for who declares them.
    """
    if not attackers:
        return Strike(0)
    first, *others = attackers
    fort = counting_fort(target.fort, first.fort)
    blow = yield from call(strike, first.units, first.attack, target, fort, dice, "attack")
    rest = yield from call(toll, tuple(others), target, dice)
    return Strike(min(blow.losses + rest.losses, target.units))


@procedure("PR-5.3")
def clash(attacker: Fighter, defender: Fighter, riposte: bool, dice: DiceRule) -> Rule[Clash]:
    """An attack, and the riposte of all the units that the defender had before it.

    Tallies hits and saves of both.  Losses are for the caller to take, both at once.
    """
    defence = counting_fort(defender.fort, attacker.fort)
    blow = yield from call(
        strike, attacker.units, attacker.attack, defender, defence, dice, "attack"
    )
    yield from tally(**tallies(blow))
    if not riposte:
        return Clash(defender_losses=blow.losses)
    cover = counting_fort(attacker.fort, defender.fort)
    back = yield from call(
        strike, defender.units, defender.attack, attacker, cover, dice, "riposte"
    )
    yield from tally(**tallies(back, "riposte_"))
    return Clash(defender_losses=blow.losses, attacker_losses=back.losses)
