"""What is written in the military phase: a seat's movement orders, and the fields of combat."""

from __future__ import annotations

import msgspec

STAY = "stay"
"""The order of an army or fleet that stays where it is."""


EVERYWHERE = ""
"""In the edition 2026-11, the one place for which an order to fight was given."""

Wishes = dict[str, tuple[str, ...]]
"""By place, or by seat: the seats whom somebody would fight."""


class Orders(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's movement orders of one turn (MN-2.7), revealed with everybody's.

    moves:     piece -> where it goes: a province, a zone, or the fleet it embarks on.
    pillages:  armies that would rather pillage than take control or lay siege (MN-5.2, MN-6.3),
               where that is ordered in advance.
    attacks:   army -> the province where it stays and that it attacks (MN-5.4).
    plunders, cuts: army -> the province where it is in garrison, and goes on pillaging or cuts the
               trade routes (MN-6.10).
    fights:    place -> seats whom he fights if he meets them there or on its border (MN-7.5), where
               that is ordered in advance; `EVERYWHERE` in the edition 2026-11.
    lines:     place -> his armies or fleets there in the order in which they fight (MN-7.4).
    chases:    armies and fleets that try to intercept the bands they meet (MN-9.1).
    blockades: fleet -> port (MN-8.3).
    joins:     specialist -> army he joins, or "" to leave his (MN-2.9).
    guard:     army that has the Sacred Guard at home; "": as before (MN-2.2).
    resolver:  how he would have this turn's battles fought (PA-2).
    """

    moves: dict[str, str] = {}
    pillages: tuple[str, ...] = ()
    attacks: dict[str, str] = {}
    plunders: dict[str, str] = {}
    cuts: dict[str, str] = {}
    fights: Wishes = {}
    lines: dict[str, tuple[str, ...]] = {}
    chases: tuple[str, ...] = ()
    blockades: dict[str, str] = {}
    joins: dict[str, str] = {}
    guard: str = ""
    resolver: str = ""


HOLD = Orders()
"""The orders of who says nothing: stay, defend, buy nothing (MN-1.3)."""


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place where combats are going on (MN-7.7): a province, a zone, or a border "a|b".

    wishes:  seat -> those whom it has decided to fight there (MN-7.5).
    line:    the seats that fight there, first to fight first (MN-7.5); None before the first meet.
    settled: pairs of pieces that have fought already and both stayed (MN-B.3).
    steady:  exhausted pieces that have found the strength to fight this time (MN-7.2).
    victors: armies that have won there without leave, and stand as invaders (MN-7.7).
    """

    wishes: Wishes = {}
    line: tuple[str, ...] | None = None
    settled: tuple[tuple[str, str], ...] = ()
    steady: tuple[str, ...] = ()
    victors: tuple[str, ...] = ()


UNTOUCHED = Field()
"""A place where nobody has met yet."""
