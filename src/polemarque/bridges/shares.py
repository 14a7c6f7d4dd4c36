"""Plain arithmetic of conversions: shares, joins and what is left; no dice, no state."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from polemarque.kernel.battle import BriefUnit, Loss, Side


def shared_out(total: int, weights: Sequence[int]) -> list[int]:
    """A whole number shared out in proportion, nothing lost: each share is rounded as the sum so
    far is rounded down.  No share exceeds its weight if `total` does not exceed their sum.
    """
    whole, shares, before, met = sum(weights), [], 0, 0
    for weight in weights:
        met += weight
        now = total * met // whole if whole else 0
        shares.append(now - before)
        before = now
    return shares


def rounded_up(number: int, by: int) -> int:
    """A quotient rounded up."""
    return -(-number // by)


# Units of a brief as pieces of a battle ----------------------------------------------------------


class Piece(msgspec.Struct, frozen=True):
    """Figures of one unit that fight together.

    unit: id in the brief, "" for whoever is in no list there (guests, lone characters).
    kind: what it is in the battle system.   worth: for who leads whom.
    """

    unit: str
    kind: str
    figures: int
    worth: int
    source: BriefUnit


Group = tuple[Piece, ...]
"""Pieces that make one troop or unit of the battle."""


def guests_of(side: Side) -> tuple[BriefUnit, ...]:
    """A side's mercenaries of this one battle as units (AT-1.13)."""
    fields = BriefUnit.__struct_fields__
    return tuple(
        [
            BriefUnit(**{name: value for name, value in guest.items() if name in fields})
            for guest in side.rights.get("guests", ())
        ]
    )


def figures_of(group: Group) -> int:
    """All figures of a group."""
    return sum([piece.figures for piece in group])


def worth_of(group: Group) -> int:
    """What a group is worth in points."""
    return sum([piece.worth for piece in group])


def grouped(pieces: Sequence[Piece], most: int) -> tuple[Group, ...]:
    """At most so many groups: the smallest joins the next of its kind, else the next of any."""
    groups: list[Group] = [(piece,) for piece in pieces]
    while len(groups) > most:
        by_size = sorted(range(len(groups)), key=lambda n: (figures_of(groups[n]), n))
        small, host = _pair(groups, by_size)
        groups[host] = (*groups[host], *groups[small])
        del groups[small]
    return tuple(groups)


def _pair(groups: Sequence[Group], by_size: Sequence[int]) -> tuple[int, int]:
    """The smallest group that has another of its kind, and the next of that kind."""
    for at, small in enumerate(by_size):
        for host in by_size[at + 1 :]:
            if groups[host][0].kind == groups[small][0].kind:
                return small, host
    return by_size[0], by_size[1]


def lost_by_piece(seat: str, group: Group, killed: int, left: int) -> list[Loss]:
    """A group's losses shared out over its units; what is in no list loses nothing."""
    figures = [piece.figures for piece in group]
    dead = shared_out(killed, figures)
    gone = shared_out(left, [there - lost for there, lost in zip(figures, dead, strict=True)])
    return [
        Loss(f"{seat}.{piece.unit}", dead[n], gone[n])
        for n, piece in enumerate(group)
        if piece.unit
    ]


def together(losses: Sequence[Loss]) -> list[Loss]:
    """Losses of one unit as one, in order; those of nobody left out."""
    by_unit: dict[str, Loss] = {}
    for loss in losses:
        old = by_unit.get(loss.unit, Loss(loss.unit))
        by_unit[loss.unit] = Loss(loss.unit, old.killed + loss.killed, old.left + loss.left)
    return [loss for loss in by_unit.values() if loss.killed or loss.left]


# Rights ------------------------------------------------------------------------------------------


class Priest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a war priest is worth in a battle: the right that is spent, and what it gives."""

    right: str = ""
    rerolls: int = 0
    bonus: int = 0

    def with_side(self, side: Side) -> int:
        """How many of them a side has, 0 or 1."""
        return int(bool(self.right) and self.right in side.rights.get("once", ()))

    def spent_by(self, side: Side, left: int) -> list[str]:
        """The right, if there was one and nothing of it is left."""
        return [f"{side.seat}.{self.right}"] if self.with_side(side) and not left else []
