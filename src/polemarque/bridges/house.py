"""What all bridges have in common: texts, ledger, how a battle begins and ends, shares of units."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from polemarque.api import Item, Rulebook, Step, System, script, tell, then
from polemarque.api.battle import Brief, BriefLeader, BriefUnit, Fate, Loss, Position, Report, Side
from polemarque.api.files import Finding
from polemarque.api.texts import LANGUAGES, texts_in

DATA = Path(__file__).parent / "data"
"""Texts, and one file of figures for each pair of a campaign and a battle system."""

EDITION = "2026-11"

Called = dict[str, dict[str, dict[str, str]]]
"""What readers call units, leaders and troops of one battle: by language, family and code."""


def no_set_up(*_: Any) -> Any:
    """Bridges and tables are opened from a brief, never from a set-up."""
    raise NotImplementedError("a battle of a campaign is opened from its brief")


def _checked(path: Path) -> Sequence[Finding] | None:
    from polemarque.bridges.pairs import check

    return check(path)


BRIDGES = Rulebook(
    name="bridges",
    titles={"fr": "Passerelles", "en": "Bridges"},
    data=DATA,
    check=_checked,
    written=__name__,
)
"""Where the words and the rules of PA are found."""


@script("PA-6/opened")
def battle_opens(
    state: Any, rule: str, system: str, place: str, attacker: str, defender: str, called: Called
) -> Step[Any]:
    """A battle of a campaign begins: who, where, by which rules, and what readers call its units.

    Anyone who tells the campaign's story has these names from nowhere else.
    """
    yield from tell(
        rule, "opened", system=system, place=place, attacker=attacker, defender=defender,
        called=called,
    )  # fmt: skip
    return state, []


HANDED_OVER, LIVE = "PA-1", "PA-6"
"""By which rule a battle begins: it is handed over to the table, or opens on a board of its own."""


def opened(
    brief: Brief, system: System, state: Any, agenda: Sequence[Item], rule: str = LIVE
) -> Position:
    """The position in which a battle begins; the rules answer for a side that is absent."""
    attacker, defender = brief.sides
    begins = then(
        battle_opens, rule, system.name, brief.place, attacker.seat, defender.seat,
        _called(system, state),
    )  # fmt: skip
    return Position(
        system.name,
        system.edition,
        state,
        (begins, *agenda),
        absent=tuple([side.seat for side in brief.sides if side.absent]),
    )


def _called(system: System, state: Any) -> Called:
    """Names of the battle's own, and of its system where no text has it."""
    called: Called = {}
    for lang in LANGUAGES:
        called[lang] = {f: dict(c) for f, c in system.names_inside(state, lang).items()}
        if not texts_in(DATA).has(lang, f"battle_system.{system.name}"):
            called[lang]["battle_system"] = {system.name: system.titles.get(lang, system.name)}
    return called if system.names is not None or any(called.values()) else {}


def reported(
    brief: Brief, winner: int | None, losses: Sequence[Loss], fates: Sequence[Fate] = (),
    spent: Sequence[str] = (),
) -> Report:  # fmt: skip
    """The report of a battle that has ended: nobody has won it but whom its own rules say."""
    return Report(
        brief.id, winner, tuple(losses), tuple(fates), tuple(spent), {"decided": "declared"}
    )


def index_of(brief: Brief, seat: str | None) -> int | None:
    """The side of a seat, 0 or 1; None for nobody."""
    return next((n for n, side in enumerate(brief.sides) if side.seat == seat), None)


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


class Piece(msgspec.Struct, frozen=True):
    """Figures of one unit that fight together.

    unit: id in the brief, "" for those in no list there (guests, lone characters).
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
        BriefUnit(**{name: value for name, value in guest.items() if name in fields})
        for guest in side.rights.get("guests", ())
    )


def pieces_of(
    side: Side, guests: Sequence[BriefUnit], kind: Callable[[BriefUnit], str], *, apart: bool
) -> list[Piece]:
    """What a side fights with: its units, then those guests; `kind` says what each is there."""
    own = [(unit, unit.id) for unit in side.units] + [(guest, "") for guest in guests]
    return [piece for unit, code in own for piece in _pieces(unit, code, kind, apart=apart)]


def _pieces(
    unit: BriefUnit, code: str, kind: Callable[[BriefUnit], str], *, apart: bool
) -> list[Piece]:
    """A unit that has figures as one piece, or each figure apart."""
    if not unit.figures:
        return []
    if not apart:
        return [Piece(code, kind(unit), unit.figures, unit.points, unit)]
    return [Piece(code, kind(unit), 1, unit.points // unit.figures, unit)] * unit.figures


def bodyguard(leader: BriefLeader, kind: Callable[[BriefUnit], str]) -> Piece:
    """A character of an army that has nobody else."""
    source = BriefUnit(
        leader.id, leader.name, "character", 1, leader.points, leader.profile, leader.names
    )
    return Piece("", kind(source), 1, leader.points, source)


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


class Priest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a war priest is worth in a battle: the right that is spent, and what it gives."""

    right: str = ""
    rerolls: int = 0
    bonus: int = 0

    def with_side(self, side: Side) -> int:
        """How many of them a side has, 0 or 1."""
        return int(bool(self.right) and self.right in side.rights.get("once", ()))

    def spent(self, brief: Brief, left: Mapping[str, int]) -> list[str]:
        """The rights of those sides that had one, and of it have nothing left."""
        held = [side.seat for side in brief.sides if self.with_side(side)]
        return [f"{seat}.{self.right}" for seat in held if not left[seat]]
