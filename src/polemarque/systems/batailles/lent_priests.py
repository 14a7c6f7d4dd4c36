"""War priests (PA-3): a campaign may lend a side a die to roll again, or a point for its score."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D6,
    Amount,
    Filling,
    OneOf,
    Rule,
    Step,
    again,
    ask,
    ask_each,
    call,
    faces,
    procedure,
    roll,
    script,
    sheet_parts,
    tell,
    total,
)
from polemarque.systems.batailles.options import Options
from polemarque.systems.batailles.outcome import (
    FEAT,
    compared,
    consequences,
    fought,
    power_dice,
    tell_players,
    tell_score,
)
from polemarque.systems.batailles.phase_values import SIDES, Engagement, Force, SideCode
from polemarque.systems.batailles.state import Battle


class Dice(msgspec.Struct, frozen=True):
    """A side's dice as they lie on the table: those of its PM, and its players' in their order."""

    power: tuple[int, ...] = ()
    players: tuple[int, ...] = ()

    @property
    def all(self) -> tuple[int, ...]:
        """Every die, those of the PM first."""
        return self.power + self.players

    def with_die(self, place: int, face: int) -> Dice:
        """The dice with the one at `place` of `all` showing `face`."""
        shown = (*self.all[:place], face, *self.all[place + 1 :])
        cut = len(self.power)
        return Dice(shown[:cut], shown[cut:])


class Holder(msgspec.Struct, frozen=True):
    """A side whose priest can have a die rolled again: who answers for it, and how often."""

    side: SideCode
    seat: str
    left: int


class Thrown(msgspec.Struct, frozen=True):
    """The dice of a phase, and how many of them each side has had rolled again."""

    a: Dice
    b: Dice
    spent_a: int = 0
    spent_b: int = 0

    def dice(self, side: SideCode) -> Dice:
        """One side's dice."""
        return self.a if side == "a" else self.b

    def rolled_again(self, by: SideCode, of: SideCode, place: int, face: int) -> Thrown:
        """The dice after a side had one of them rolled again."""
        dice = self.dice(of).with_die(place, face)
        after = replace(self, a=dice) if of == "a" else replace(self, b=dice)
        if by == "a":
            return replace(after, spent_a=after.spent_a + 1)
        return replace(after, spent_b=after.spent_b + 1)


class Blessed(msgspec.Struct, frozen=True):
    """A phase fought with priests about, and the re-rolls each side has spent."""

    fate: Engagement
    spent_a: int
    spent_b: int


def holders(battle: Battle) -> tuple[Holder, ...]:
    """The sides that have a re-roll left."""
    return tuple(
        [Holder(code, side.seat, side.rerolls) for code, side in battle.sides() if side.rerolls]
    )


@script("BC-2.1/bonus")
def priests_bless(battle: Battle) -> Step[Battle]:
    """Before a phase's dice a priest may be spent for a point of score."""
    left = {side.seat: side.bonus for _, side in battle.sides() if side.bonus}
    spent = yield from ask_each(
        left, lambda seat: Amount(0, left[seat]), absent=lambda seat: left[seat]
    )
    for code, side in battle.sides():
        points = spent.get(side.seat, 0)
        if points:
            battle = battle.with_side(code, replace(side.spending(bonus=points), blessing=points))
            yield from tell("PA-3", "blessing", side=code, name=side.name, points=points)
    return battle, []


@procedure("BC-2.1/priests")
def engagement_with_priests(
    a: Force, b: Force, options: Options, previous: str, holding: tuple[Holder, ...]
) -> Rule[Blessed]:
    """A phase whose dice may be rolled again before the scores are compared."""
    ours = yield from call(dice_lie, "a", a, options.pm_dice)
    theirs = yield from call(dice_lie, "b", b, options.pm_dice)
    fell = yield from call(rolled_again, Thrown(ours, theirs), a, b, holding)
    score_a = yield from tell_score("a", a, sum(fell.a.power), sum(fell.a.players))
    score_b = yield from tell_score("b", b, sum(fell.b.power), sum(fell.b.players))
    verdict = yield from compared(score_a, score_b, a, b)
    row, winner = verdict.row, verdict.winner
    costs = yield from call(consequences, a, b, row, winner, options, previous, None)
    fate = replace(
        fought(verdict, costs), score_a=score_a, score_b=score_b, gap=abs(score_a - score_b),
        feats_a=fell.a.players.count(FEAT), feats_b=fell.b.players.count(FEAT),
    )  # fmt: skip
    return Blessed(fate, fell.spent_a, fell.spent_b)


@procedure("BC-2.1/dice")
def dice_lie(side: SideCode, force: Force, pm_dice: str) -> Rule[Dice]:
    """A side's dice, each face to be seen."""
    count = power_dice(force.engaged, pm_dice)
    power = yield from roll(count, D6, read=faces, why=f"power_{side}")
    if count:
        yield from tell("BC-2.1", "power", side=side, name=force.name, n=count, power=sum(power))
    shown = yield from roll(force.players, D6, read=faces, why=f"players_{side}", whom=force.names)
    yield from tell_players(side, force.name, force.players, sum(shown), shown.count(FEAT))
    return Dice(power, shown)


class Wish(msgspec.Struct, frozen=True):
    """To keep the dice, or which die to roll again: its side, kind, and face or player."""

    use: str
    of: SideCode = "a"
    dice: str = ""
    face: int = 0
    player: str = ""


@procedure("BC-2.1/reroll")
def rolled_again(fell: Thrown, a: Force, b: Force, holding: tuple[Holder, ...]) -> Rule[Thrown]:
    """Each priest in turn: one die of either side again, until he keeps them or has done enough."""
    if not holding or not _sides_with_dice(fell):
        return fell
    holder, *others = holding
    forces = {"a": a, "b": b}
    wish = yield from ask(holder.seat, _wishes(fell, forces), absent=Wish("keep"), subject="reroll")
    if wish.use == "keep":
        return again(fell, a, b, tuple(others))  # type: ignore[no-any-return]
    of, player = wish.of, wish.player
    place = _place_of(fell.dice(of), forces[of], wish)
    old = fell.dice(of).all[place]
    whom = (player,) if player else ()
    new = yield from roll(1, D6, read=total, why="reroll", whom=whom)
    yield from tell(
        "PA-3", "reroll", side=holder.side, name=forces[holder.side].name, of=of,
        of_name=forces[of].name, old=old, new=new, player=player,
    )  # fmt: skip
    fell = fell.rolled_again(holder.side, of, place, new)
    still = (replace(holder, left=holder.left - 1),) if holder.left > 1 else ()
    return again(fell, a, b, (*still, *others))  # type: ignore[no-any-return]


def _sides_with_dice(fell: Thrown) -> tuple[SideCode, ...]:
    return tuple([side for side in SIDES if fell.dice(side).all])


@sheet_parts
def _wishes(fell: Thrown, forces: Mapping[str, Force]) -> Filling:
    """Keep the dice, or name one: a side, then a player's die or the face of a PM die."""
    use = yield "use", OneOf(("keep", "reroll"), "priest")
    if use == "keep":
        return
    of = yield "of", OneOf(_sides_with_dice(fell), "side")
    dice = fell.dice(of)
    kinds = (("power",) if dice.power else ()) + (("players",) if dice.players else ())
    kind = yield "dice", OneOf(kinds, "priest_dice")
    if kind == "power":
        yield "face", OneOf(tuple(sorted(set(dice.power))))
    else:
        yield "player", OneOf(forces[of].names)


def _place_of(dice: Dice, force: Force, wish: Wish) -> int:
    """Where the die that was named lies among all dice of its side."""
    if wish.dice == "power":
        return dice.power.index(wish.face)
    return len(dice.power) + force.names.index(wish.player)
