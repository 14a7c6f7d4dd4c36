"""The combat that is being fought, as the state keeps it between two of its steps (TH-F5)."""

from __future__ import annotations

from typing import Literal

import msgspec

from polemarque.api import always

Throw = Literal["attack", "riposte", "ambush"]
"""Which dice of a combat are thrown: the attacker's, the defender's answer, or, from an ambush,
that answer before the attack (TH-7.6)."""


class Fight(msgspec.Struct, frozen=True, omit_defaults=True):
    """One combat: one unit against one.

    attacker, target: codes of the two units, no matter who throws.
    shooting:  it is fought from afar.   pursuit: it is a pursuit (TH-F7).
    assault:   the attacker throws his assault figure, not his melee figure (TH-F3).
    ordered:   he has given his attack order (TH-6);   orders: attack orders in force.
    answered:  the defender has given his defence order (TH-7);   answers: those in force.
    committed, returned: leaders given for dice of the attack, of the answer (TH-8.2).
    throw:     whose dice are on the table;   stood: where the unit they hit stood.
    hits, flags: what they show, `sure` being the flags of a hit that was evaded (TH-7.1).
    evaded:    hits of the attack that were evaded.
    paid:      tokens that the attacker has paid for his attack order.
    spared:    losses that leaders take upon themselves (TH-8.2).
    pushed:    a unit of this combat has had to fall back, whether it could or not (TH-F6).
    riposted:  the defender has had his riposte.
    emptied:   the hex that the defender left, pushed back or destroyed; "" if he holds it.
    """

    attacker: str
    target: str
    shooting: bool = False
    pursuit: bool = False
    assault: bool = False
    ordered: bool = False
    orders: tuple[str, ...] = ()
    answered: bool = False
    answers: tuple[str, ...] = ()
    committed: int = 0
    returned: int = 0
    throw: Throw = always("attack")
    stood: str = ""
    hits: int = 0
    flags: int = 0
    sure: int = 0
    evaded: int = 0
    paid: int = 0
    spared: int = 0
    pushed: bool = False
    riposted: bool = False
    emptied: str = ""

    @property
    def roller(self) -> str:
        """The unit that throws."""
        return self.attacker if self.throw == "attack" else self.target

    @property
    def struck(self) -> str:
        """The unit at which dice are thrown."""
        return self.target if self.throw == "attack" else self.attacker
