"""The law of an attack of which every die is rolled (`dice=all`), in whole numbers.

Every unit of the attacker costs the target one of its own with the same probability, whatever the
others do, so that losses are one binomial; and an attack and its riposte are independent (PR-5.3).
What `strikes` plays die by die is therefore known at once, for armies far too large to be
enumerated.  The tests hold it against the enumeration of `strikes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd

import msgspec
from msgspec.structs import replace

from polemarque.api import Call, Chances, Part
from polemarque.systems.promiterra.chapters.strikes import Fighter, counting_fort, strike
from polemarque.systems.promiterra.setup.options import DiceRule

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
        means: dict[int, Fraction] = {}
        rest = Fraction(self.units * self.hits * scale, self.of)
        if self.takes < self.of:
            saved = Fraction(self.hits - self.takes, self.of - self.takes)
            for lost, weight in enumerate(weights[:-1]):
                means[lost] = lost + (self.units - lost) * saved
                rest -= weight * means[lost]
        if weights[-1]:
            means[self.cap] = rest / weights[-1]
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
