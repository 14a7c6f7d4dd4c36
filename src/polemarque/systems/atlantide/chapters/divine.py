"""Chapter « Événements » (AT-3): what the gods send each player."""

from __future__ import annotations

from typing import Literal

import msgspec

from polemarque.api import (
    D6,
    Next,
    OneOf,
    Rule,
    Step,
    Sum,
    ask,
    bonus,
    call,
    explain,
    procedure,
    roll,
    script,
    tell,
    then,
    total,
)
from polemarque.systems.atlantide.chapters.reinforcements import slaves_join
from polemarque.systems.atlantide.losses import choose_losses
from polemarque.systems.atlantide.state import Waiting, War
from polemarque.systems.atlantide.tables import TABLES
from polemarque.systems.atlantide.troops import Unit, without

Event = Literal[
    "eruption", "bad_omen", "enemy_spy", "none", "our_spy", "good_omen", "slaves"
]  # fmt: skip

OMENS: dict[Event, int] = {"bad_omen": -1, "good_omen": 1}
"""What an omen adds to the general's Leadership this turn."""

SPIES: dict[Event, int] = {"enemy_spy": -1, "our_spy": 1}
"""What spies add to the army's initiative rolls this turn."""

SLAVE_POINTS = 5


class DivineRow(msgspec.Struct, frozen=True):
    """A row of the table of events: D6 that say how many figures, and figures besides."""

    event: Event
    dice: int = 0
    figures: int = 0


class Sent(msgspec.Struct, frozen=True):
    """What the gods sent, and how many figures it concerns."""

    event: Event
    figures: int


EVENTS = TABLES.table("AT-3.1", DivineRow)


@script("AT-3/phase")
def events_phase(war: War) -> Next[War]:
    """Every player rolls, an absent one too (AT-2.4)."""
    return war, [then(gods_look_at_a_player, seat) for seat in war.in_play()]


@procedure("AT-3.1/table")
def divine_event() -> Rule[Sent]:
    """2D6 on the table of events, then a D6 where figures are concerned."""
    row = EVENTS.row((yield from roll(2, D6, read=total, why="event")))
    figures = yield from roll(row.dice, D6, read=total, why="event_figures")
    return Sent(row.event, figures + row.figures)


@script("AT-3.1")
def gods_look_at_a_player(war: War, seat: str) -> Step[War]:
    """What they send him; omens and spies last for the turn."""
    if seat not in war.in_play():
        return war, []
    sent = yield from call(divine_event)
    army = war.seats[seat].army
    if army is not None and army.general is not None and sent.event in OMENS:
        yield from explain(omen(OMENS[sent.event]))
    yield from tell("AT-3.1", sent.event, seat=seat, figures=sent.figures)
    war = war.noted(seat, event=sent.event)
    if sent.event == "slaves":
        return war, [then(slaves_run_away, seat, sent.figures)]
    if army is None:
        return war, []
    if sent.event in OMENS:
        return war.army_changed(seat, general_ld=army.general_ld + OMENS[sent.event]), []
    if sent.event in SPIES:
        return war.army_changed(seat, roll_change=army.roll_change + SPIES[sent.event]), []
    return war, [then(figures_are_lost, seat, sent.figures, "eruption")] if sent.figures else []


def omen(change: int) -> Sum:
    """A change of the general's Leadership, and what it does to the initiative (AT-3.3)."""
    return bonus("AT-3.1", change, "leadership") + bonus("AT-3.3", 10 * change, "initiative")


@script("AT-3.2")
def figures_are_lost(war: War, seat: str, figures: int, why: str) -> Step[War]:
    """Figures die or desert, of units of their owner's choice; a unit without any is gone."""
    army = war.seats[seat].army
    if army is None:
        return war, []
    loss = yield from choose_losses(war, seat, figures, why)
    after = without(army, loss)
    lost = sum([number for _, number in loss])
    yield from tell("AT-3.2", why, to=(seat,), seat=seat, figures=lost)
    if after.gone:
        yield from tell("AT-1.15", "gone", seat=seat, place=army.place)
    return war.with_army(seat, after), []


@script("AT-3.3")
def slaves_run_away(war: War, seat: str, figures: int) -> Step[War]:
    """A unit of skirmishers appears in a territory he holds, and joins where his army stands."""
    held = war.lands_of(seat)
    holder = war.seats[seat]
    if not held:
        yield from tell("AT-3.3", "void", seat=seat)
        return war, []
    place = (war.royal_cities(seat) or held)[0]
    if holder.army is not None and holder.army.place in held:
        place = holder.army.place
    if len(held) > 1 and not holder.absent:
        place = yield from ask(seat, OneOf(held, "territory"), absent=place)
    unit = runaway_slaves(holder.next_id, figures)
    waiting = Waiting("slaves", war.turn, place, (unit,))
    war = war.changed(seat, waiting=(*holder.waiting, waiting), next_id=holder.next_id + 1)
    yield from tell("AT-3.3", "appear", to=(seat,), seat=seat, place=place, figures=figures)
    return (yield from slaves_join(war, seat)), []


def runaway_slaves(number: int, figures: int) -> Unit:
    """The unit of the table of events: daggers, javelins, bucklers, and hatred."""
    return Unit(
        number, "runaway_slaves", "skirmishers", ws=2, toughness=3, ld=5,
        points=SLAVE_POINTS * figures, full=figures, figures=figures, traits=("hatred",),
    )  # fmt: skip
