"""Chapter « Après une phase » (BC-3): morale, who can go on, what sides choose, the next phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    Amount,
    Call,
    ChanceOf,
    Fact,
    Filling,
    Item,
    Next,
    OneOf,
    Rule,
    Step,
    Text,
    ask,
    ask_each,
    ask_umpire,
    item,
    script,
    sheet_parts,
    tell,
    then,
)
from polemarque.api.adjusting import in_force
from polemarque.systems.batailles.lent_priests import priests_bless
from polemarque.systems.batailles.outcome import still_counts
from polemarque.systems.batailles.phase_values import (
    SIDES,
    STRATEGY_MOST,
    SideCode,
    Verdict,
    other,
    out_of_action,
)
from polemarque.systems.batailles.state import Battle, Ending
from polemarque.systems.batailles.unit_losses import rout, without_lost_units

CHOICES = ("continue", "withdraw", "negotiate", "strategy")
"""What a side may choose after a phase (BC-3.4)."""

AGAIN = ("continue", "withdraw", "strategy")
"""What is left to choose once a negotiation was refused."""

WORDS, REASON = 1000, 200
"""The most characters of a strategy, and of the umpire's reason."""

Choice = dict[str, Any]


@script("BC-3.1")
def morale_changes(battle: Battle) -> Next[Battle]:
    """What the phase has done to the morale of both sides."""
    fate = battle.last
    assert fate is not None
    battle = battle.changed("a", change=battle.a.change + fate.morale_a)
    return battle.changed("b", change=battle.b.change + fate.morale_b), []


@script("BC-3.2")
def streak(battle: Battle) -> Next[Battle]:
    """A win counts towards the next pair, unless it completed one; a tie counts for nobody."""
    fate = battle.last
    assert fate is not None
    counts = still_counts(fate.winner, battle.previous, battle.options)
    return replace(battle, previous=counts), []


@script("BC-3.3")
def sides_out_of_action(battle: Battle) -> Next[Battle]:
    """A side with 2 PM or less must withdraw, even from a phase it won."""
    fate = battle.last
    assert fate is not None
    out = {"a": fate.out_a, "b": fate.out_b}
    return battle, [then(bloodless, {code: "BC-3.3" for code in SIDES if out[code]})]


@script("BC-3.6")
def bloodless(battle: Battle, leaving: dict[str, str]) -> Step[Battle]:
    """A phase in which nobody loses PM is the last: its loser withdraws, on a tie both do."""
    fate = battle.last
    assert fate is not None
    if not fate.loss_a and not fate.loss_b:
        losers = [code for code in SIDES if code != fate.winner]
        leaving = dict.fromkeys(losers, "BC-3.6")  # whom nothing has cost is not out of action
        side = battle.side(losers[0]).name if fate.winner else ""
        yield from tell("BC-3.6", "last", tie=fate.winner is None, side=losers[0], name=side)
    return battle, [then(rout, leaving)]


@script("BC-3.4")
def sides_choose(battle: Battle) -> Step[Battle]:
    """Each side seals one choice; a withdrawal ends the battle, a negotiation goes to the other."""
    seats = {side.seat: code for code, side in battle.sides()}
    sealed = yield from ask_each(
        seats,
        lambda seat: choice_sheet(battle, seats[seat], CHOICES),
        absent={"choice": "continue"},
        warns=doubtful,
    )
    chosen = {seats[seat]: sealed[seat] for seat in seats}
    yield from tell_choices(battle, chosen)
    leaving = [code for code in SIDES if chosen[code]["choice"] == "withdraw"]
    askers = [code for code in SIDES if chosen[code]["choice"] == "negotiate"]
    if leaving:
        return battle, [then(field_is_left, dict.fromkeys(leaving, "BC-3.4"))]
    if len(askers) == 2:
        return battle, [then(agreed)]
    if askers:
        return battle, [then(negotiation, askers[0], chosen[other(askers[0])])]
    return battle, onward(chosen)


def doubtful(_: str, choice: Choice) -> str:
    """A word for a choice that may be a slip: a retreat, or a strategy without words."""
    if choice["choice"] == "strategy" and not choice.get("words", "").strip():
        return "wordless"
    return "withdraw" if choice["choice"] == "withdraw" else ""


@sheet_parts
def choice_sheet(battle: Battle, code: SideCode, words: Sequence[str]) -> Filling:
    """One choice of a side; a change of strategy is put in words for the report."""

    def told(choice: str) -> Fact | None:
        return next_told(battle, code) if choice == "continue" else None

    choice = yield "choice", OneOf(tuple(words), "choice", fact=told)
    if choice == "strategy":
        yield "words", Text(WORDS)


def tell_choices(battle: Battle, chosen: Mapping[SideCode, Choice]) -> Rule[None]:
    """What both sides have sealed, now that it is open."""
    if all(chosen[code]["choice"] == "continue" for code in SIDES):
        yield from tell("BC-3.4", "fight_on")
        return
    for code in SIDES:
        yield from tell_choice(battle, code, chosen[code])


def tell_choice(battle: Battle, code: SideCode, choice: Choice) -> Rule[None]:
    """What a side has chosen."""
    yield from tell(
        "BC-3.4", choice["choice"], side=code, name=battle.side(code).name,
        words=choice.get("words", ""),
    )  # fmt: skip


def onward(chosen: dict[Any, Choice]) -> list[Item]:
    """Both fight on: changes of strategy are judged, and the next phase begins."""
    changes: list[Item] = [
        then(strategy, code, chosen[code].get("words", ""))
        for code in SIDES
        if chosen[code]["choice"] == "strategy"
    ]
    return [*changes, then(next_phase)]


@script("BC-3.4/negotiate")
def negotiation(battle: Battle, asker: SideCode, others: Choice) -> Step[Battle]:
    """The other side accepts, and the battle ends; or refuses, and the asker chooses again."""
    code = other(asker)
    side, asking = battle.side(code), battle.side(asker)
    answer = yield from ask(side.seat, OneOf(("accept", "refuse"), "negotiation"), absent="refuse")
    yield from tell("BC-3.4", answer, side=code, name=side.name)
    if answer == "accept":
        return battle, [then(agreed)]
    again = yield from ask(
        asking.seat,
        choice_sheet(battle, asker, AGAIN),
        absent={"choice": "continue"},
        subject="refused",
        warns=doubtful,
    )
    yield from tell_choice(battle, asker, again)
    if again["choice"] == "withdraw":
        return battle, [then(field_is_left, {asker: "BC-3.4"})]
    return battle, onward({asker: again, code: others})


class Judged(msgspec.Struct, frozen=True):
    """What a change of strategy adds to the next score, and why."""

    modifier: int
    reason: str = ""


@script("BC-3.4/strategy", edition="2026-11.2")
def strategy(battle: Battle, code: SideCode, words: str) -> Step[Battle]:
    """The umpire says what a change adds to the next score; both sides do if the umpire plays, or
    by the variant `sides`.  Where nobody says it, or they differ, a first one has the set-up's.
    """
    side = battle.side(code)
    usual = Judged(side.worth)
    battle = battle.changed(code, worth=0)
    if battle.options.strategy == "umpire":
        judged = yield from ask_umpire(strategy_sheet(), absent=usual, subject=side.seat)
    else:
        seats = (battle.a.seat, battle.b.seat)
        said = yield from ask_each(seats, strategy_sheet(), absent=usual, subject=side.seat)
        first, second = (said[seat] for seat in seats)
        judged = first if first.modifier == second.modifier else usual
    yield from tell(
        "BC-3.4", "modifier", side=code, name=side.name, modifier=judged.modifier,
        reason=judged.reason, words=words,
    )  # fmt: skip
    return battle.changed(code, strategy=judged.modifier), []


@sheet_parts
def strategy_sheet() -> Filling:
    """A modifier, and why."""
    modifier = yield "modifier", Amount(-STRATEGY_MOST, STRATEGY_MOST)
    if modifier:
        yield "reason", Text(REASON)


@script("BC-3.4/field")
def field_is_left(battle: Battle, leaving: dict[str, str]) -> Step[Battle]:
    """One side withdraws and the other holds the field; both do, and nobody does."""
    stay = [code for code in SIDES if code not in leaving]
    winner = stay[0] if stay else None
    name = battle.side(winner).name if winner else ""
    yield from tell("BC-3.4", "held" if winner else "nobody", side=winner, name=name)
    yield from tell_toll(battle)
    return replace(battle, ending=Ending(winner, "withdrawal", leaving)), []


@script("BC-3.4/agreed")
def agreed(battle: Battle) -> Step[Battle]:
    """A negotiation was accepted: the battle ends without winner."""
    yield from tell("BC-3.4", "agreed")
    yield from tell_toll(battle)
    return replace(battle, ending=Ending(None, "agreement")), []


def tell_toll(battle: Battle) -> Rule[None]:
    """What the whole battle has cost each side (BC-3.5)."""
    for code, side in battle.sides():
        yield from tell(
            "BC-3.5", "toll", side=code, name=side.name, phases=battle.phase, left=side.pm,
            start=side.start, lost=side.start - side.pm,
        )  # fmt: skip


@script("BC-3.5/next")
def next_phase(battle: Battle) -> Next[Battle]:
    """The next phase: units that were lost are counted out."""
    for code, side in battle.sides():
        battle = battle.with_side(code, without_lost_units(side))
    return replace(battle, phase=battle.phase + 1), [then(phase_opens)]


@script("BC-3.5")
def phase_opens(battle: Battle) -> Step[Battle]:
    """A phase begins: both sides as they stand, changes of options, then whatever they put in."""
    a, b = battle.a, battle.b
    yield from tell(
        "BC-3.5", "phase", number=battle.phase, name_a=a.name, name_b=b.name, pm_a=a.pm, pm_b=b.pm
    )
    options = yield from in_force("BC-3.5", battle.options, battle.coming)
    battle = replace(battle, options=options, coming={})
    items: list[Item] = [item("BC-2.8/engage")] if battle.options.engage == "chosen" else []
    if a.bonus or b.bonus:
        items.append(then(priests_bless))
    return battle, [*items, item("BC-2.1/phase")]


MOST = 15_000
"""With more PM than this on both sides together the law takes too long to stand beside a choice."""


def next_told(battle: Battle, code: SideCode) -> Fact | None:
    """How probably a side wins or loses the next phase, if both do nothing but fight on.

    None where that depends on what sides will choose: priests, or the PM they put in (BC-2.8).
    """
    spare = any([side.bonus or side.rerolls for _, side in battle.sides()])
    if spare or battle.options.engage == "chosen":
        return None
    for each, side in battle.sides():
        battle = battle.with_side(each, without_lost_units(side))
    a, b = [battle.force(each) for each in SIDES]
    if a.pm + b.pm > MOST or out_of_action(a.pm) or out_of_action(b.pm):
        return None
    scores = Call("BC-2.1/scores", (a, b, battle.options.pm_dice))

    def crushed(verdict: Verdict) -> bool:
        return verdict.winner == other(code) and verdict.row.outcome == "crushing"

    return Fact(
        "next_phase",
        {
            "won": ChanceOf(scores, lambda verdict: bool(verdict.winner == code)),
            "lost": ChanceOf(scores, lambda verdict: bool(verdict.winner == other(code))),
            "crushed": ChanceOf(scores, crushed),
        },
    )
