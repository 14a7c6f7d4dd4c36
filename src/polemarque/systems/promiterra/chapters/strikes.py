"""Chapter « Attaques » in figures (PR-5.1 to PR-5.3, PR-7.2, PR-7.3): hits, saves, riposte."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Literal

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D6,
    Call,
    Chances,
    ClosedForm,
    Part,
    Rule,
    at_most,
    call,
    procedure,
    tally,
)
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
        (Strike(lost), w, {name: (n, w) for name, n in zip(names, tallied, strict=True)})
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


FACES = 6

MOST = 4_000
"""With more units than this, weights are longer than anybody reads."""


class Strain(msgspec.Struct, frozen=True):
    """Units that attack a target, each for itself, in ways out of `of`.

    takes: to hit, and to be saved from neither by the target nor by its fortification.
    hits:  to hit.
    """

    units: int
    takes: int
    hits: int
    of: int
    most: int

    @property
    def cap(self) -> int:
        """The most units that the target can lose (PR-6.4)."""
        return min(self.units, self.most) if self.takes else 0

    @property
    def size(self) -> int:
        """How many different losses there can be."""
        return 1 if self.takes in {0, self.of} else self.cap + 1

    @property
    def scale(self) -> int:
        """What all weights add up to."""
        scale: int = (self.of // gcd(self.takes, self.of)) ** self.units
        return scale

    def weights(self) -> list[int]:
        """The weights of 0, 1, 2… units lost."""
        common = gcd(self.takes, self.of)
        ways, others = self.takes // common, (self.of - self.takes) // common
        if not others:
            return [0] * self.cap + [1]
        weight, left, found = others**self.units, self.units, []
        for lost in range(1, self.cap + 1):
            found.append(weight)
            weight = weight * left * ways // (lost * others)
            left -= 1
        found.append(self.scale - sum(found))
        return found

    def chances(self) -> Chances:
        """Losses with their weights, and the mean of hits where they happen."""
        weights, scale = self.weights(), self.scale
        means: dict[int, tuple[int, int]] = {}
        saved, unhurt = self.hits - self.takes, self.of - self.takes
        rest = self.units * self.hits * scale * (unhurt or 1)
        if unhurt:
            for lost, weight in enumerate(weights[:-1]):
                hits = lost * unhurt + (self.units - lost) * saved
                means[lost] = hits, unhurt
                rest -= weight * hits * self.of
        if weights[-1]:
            means[self.cap] = rest, weights[-1] * self.of * (unhurt or 1)
        return Chances({lost: n for lost, n in enumerate(weights) if n}, scale, means)


def strain(attacker: Fighter, target: Fighter) -> Strain:
    """One half of a clash: hits, the target's saves, and those of a fortification that counts."""
    fort = counting_fort(target.fort, attacker.fort)
    through = (FACES - target.defence) * (FACES - fort)
    return Strain(
        units=attacker.units,
        takes=attacker.attack * through,
        hits=attacker.attack * FACES * FACES,
        of=FACES**3,
        most=target.units,
    )


def strike_part(
    result: str, tally: str, attacker: Fighter, target: Fighter, dice: DiceRule
) -> Part:
    """One half of a clash as odds take it: enumerated if its dice are cut (PR-6.1), or too many
    even for their weights to be written.
    """
    if dice == "all" and attacker.units <= MOST:
        known = strain(attacker, target)
        return Part(result, tally, known.chances, size=known.size)
    called = strike_call(attacker, target, dice)
    return Part(result, tally, called, fields=("losses", "hits" if tally else ""))


def strike_call(attacker: Fighter, target: Fighter, dice: DiceRule) -> Call:
    """One half of a clash as it is played."""
    fort = counting_fort(target.fort, attacker.fort)
    return Call(strike.rule, (attacker.units, attacker.attack, target, fort, dice, "attack"))


def strikes_part(
    result: str, attackers: Sequence[Fighter], target: Fighter, dice: DiceRule
) -> Part:
    """What several cost one target together (PR-5.7), as odds take it.

    Where every die is rolled, units that take one of its own alike are one troop of them all.
    """
    if dice == "cut" or any(one.units > MOST for one in attackers):
        terms = tuple([strike_call(one, target, dice) for one in attackers])
        return Part(result, "", terms, fields=("losses", ""), most=target.units)
    alike: dict[int, Strain] = {}
    for one in attackers:
        each = strain(one, target)
        before = alike.get(each.takes)
        alike[each.takes] = replace(each, units=each.units + before.units) if before else each
    laws = tuple([each.chances for each in alike.values()])
    return Part(result, "", laws, most=target.units)
