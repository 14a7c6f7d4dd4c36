"""Chapter « Après une phase » (BC-3): morale, who can go on, what sides choose, the next phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from polemarque.kernel.agenda import Item, Rule, ask, ask_each, script, tell
from polemarque.kernel.request import UMPIRE, Amount, Filling, OneOf, Sheet, Text
from polemarque.kernel.variants import in_force
from polemarque.systems.batailles.figures import SIDES, SideCode, other
from polemarque.systems.batailles.outcome import still_counts
from polemarque.systems.batailles.sides import without_lost_units
from polemarque.systems.batailles.state import Battle, Ending

CHOICES = ("continue", "withdraw", "negotiate", "strategy")
"""What a side may choose after a phase (BC-3.4)."""

AGAIN = ("continue", "withdraw", "strategy")
"""What is left to choose once a negotiation was refused."""

STRATEGY_MOST = 20
"""The most an umpire adds to a score, or takes from it, for a change of strategy."""

WORDS, REASON = 1000, 200
"""The most characters of a strategy, and of the umpire's reason."""

Choice = dict[str, Any]


# Morale, and who can go on -----------------------------------------------------------------------


@script("BC-3.1")
def morale_changes(battle: Battle) -> tuple[Battle, list[Item]]:
    """What the phase has done to the morale of both sides."""
    fate = battle.last
    assert fate is not None
    battle = battle.changed("a", change=battle.a.change + fate.morale_a)
    return battle.changed("b", change=battle.b.change + fate.morale_b), []


@script("BC-3.2")
def streak(battle: Battle) -> tuple[Battle, list[Item]]:
    """A win counts towards the next pair, unless it completed one; a tie counts for nobody."""
    fate = battle.last
    assert fate is not None
    counts = still_counts(fate.winner, battle.previous, battle.options)
    return replace(battle, previous=counts), []


@script("BC-3.3")
def out_of_action(battle: Battle) -> tuple[Battle, list[Item]]:
    """A side with 2 PM or less must withdraw, even from a phase it won."""
    fate = battle.last
    assert fate is not None
    out = {"a": fate.out_a, "b": fate.out_b}
    return battle, [("BC-3.6", {code: "BC-3.3" for code in SIDES if out[code]})]


@script("BC-3.6")
def bloodless(battle: Battle, leaving: dict[str, str]) -> Rule[tuple[Battle, list[Item]]]:
    """A phase in which nobody loses PM is the last: its loser withdraws, on a tie both do."""
    fate = battle.last
    assert fate is not None
    if not fate.loss_a and not fate.loss_b:
        losers = [code for code in SIDES if code != fate.winner]
        leaving = dict.fromkeys(losers, "BC-3.6")  # whom nothing has cost is not out of action
        side = battle.side(losers[0]).name if fate.winner else ""
        yield from tell("BC-3.6", "last", tie=fate.winner is None, side=losers[0], name=side)
    return battle, [("BC-1.3/rout", leaving)]


# What both sides choose --------------------------------------------------------------------------


@script("BC-3.4")
def sides_choose(battle: Battle) -> Rule[tuple[Battle, list[Item]]]:
    """Each side seals one choice; a withdrawal ends the battle, a negotiation goes to the other."""
    seats = {side.seat: code for code, side in battle.sides()}
    sealed = yield from ask_each(seats, choice_sheet(CHOICES), absent={"choice": "continue"})
    chosen = {seats[seat]: sealed[seat] for seat in seats}
    yield from tell_choices(battle, chosen)
    leaving = {code: "BC-3.4" for code in SIDES if chosen[code]["choice"] == "withdraw"}
    askers = [code for code in SIDES if chosen[code]["choice"] == "negotiate"]
    if leaving:
        return battle, [("BC-3.4/field", leaving)]
    if len(askers) == 2:
        return battle, [("BC-3.4/agreed",)]
    if askers:
        return battle, [("BC-3.4/negotiate", askers[0], chosen[other(askers[0])])]
    return battle, onward(chosen)


def choice_sheet(words: Sequence[str]) -> Sheet:
    """One choice; a change of strategy is put in words for the report."""

    def fill() -> Filling:
        choice = yield "choice", OneOf(tuple(words), "choice")
        if choice == "strategy":
            yield "words", Text(WORDS)

    return Sheet(fill)


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
        ("BC-3.4/strategy", code, chosen[code].get("words", ""))
        for code in SIDES
        if chosen[code]["choice"] == "strategy"
    ]
    return [*changes, ("BC-3.5/next",)]


@script("BC-3.4/negotiate")
def negotiation(battle: Battle, asker: SideCode, others: Choice) -> Rule[tuple[Battle, list[Item]]]:
    """The other side accepts, and the battle ends; or refuses, and the asker chooses again."""
    code = other(asker)
    side, asking = battle.side(code), battle.side(asker)
    answer = yield from ask(side.seat, OneOf(("accept", "refuse"), "negotiation"), absent="refuse")
    yield from tell("BC-3.4", answer, side=code, name=side.name)
    if answer == "accept":
        return battle, [("BC-3.4/agreed",)]
    again = yield from ask(
        asking.seat, choice_sheet(AGAIN), absent={"choice": "continue"}, subject="refused"
    )
    yield from tell_choice(battle, asker, again)
    if again["choice"] == "withdraw":
        return battle, [("BC-3.4/field", {asker: "BC-3.4"})]
    return battle, onward({asker: again, code: others})


@script("BC-3.4/strategy")
def strategy(battle: Battle, code: SideCode, words: str) -> Rule[tuple[Battle, list[Item]]]:
    """The umpire says what a change of strategy adds to the next score, if anything."""
    side = battle.side(code)
    judged = yield from ask(UMPIRE, strategy_sheet(), absent={"modifier": 0}, subject=side.seat)
    modifier = judged["modifier"]
    if modifier:
        yield from tell(
            "BC-3.4", "modifier", side=code, name=side.name, modifier=modifier,
            reason=judged.get("reason", ""), words=words,
        )  # fmt: skip
    return battle.changed(code, strategy=modifier), []


def strategy_sheet() -> Sheet:
    """A modifier, and why."""

    def fill() -> Filling:
        modifier = yield "modifier", Amount(-STRATEGY_MOST, STRATEGY_MOST)
        if modifier:
            yield "reason", Text(REASON)

    return Sheet(fill)


# The end, or the next phase ----------------------------------------------------------------------


@script("BC-3.4/field")
def field_is_left(battle: Battle, leaving: dict[str, str]) -> Rule[tuple[Battle, list[Item]]]:
    """One side withdraws and the other holds the field; both do, and nobody does."""
    stay = [code for code in SIDES if code not in leaving]
    winner = stay[0] if stay else None
    name = battle.side(winner).name if winner else ""
    yield from tell("BC-3.4", "held" if winner else "nobody", side=winner, name=name)
    yield from tell_toll(battle)
    return replace(battle, ending=Ending(winner, "withdrawal", leaving)), []


@script("BC-3.4/agreed")
def agreed(battle: Battle) -> Rule[tuple[Battle, list[Item]]]:
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
def next_phase(battle: Battle) -> tuple[Battle, list[Item]]:
    """The next phase: units that were lost are counted out."""
    for code, side in battle.sides():
        battle = battle.with_side(code, without_lost_units(side))
    return replace(battle, phase=battle.phase + 1), [("BC-3.5",)]


@script("BC-3.5")
def phase_opens(battle: Battle) -> Rule[tuple[Battle, list[Item]]]:
    """A phase begins: both sides as they stand, changes of options, then whatever they put in."""
    a, b = battle.a, battle.b
    yield from tell(
        "BC-3.5", "phase", number=battle.phase, name_a=a.name, name_b=b.name, pm_a=a.pm, pm_b=b.pm
    )
    options = yield from in_force("BC-3.5", battle.options, battle.coming)
    battle = replace(battle, options=options, coming={})
    items: list[Item] = [("BC-2.8/engage",)] if battle.options.engage == "chosen" else []
    if a.bonus or b.bonus:
        items.append(("BC-2.1/bonus",))
    return battle, [*items, ("BC-2.1/phase",)]
