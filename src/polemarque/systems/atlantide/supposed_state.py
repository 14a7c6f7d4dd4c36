"""What a player supposes of what he cannot see: where rehearsals of his turn begin.

Others' armies are supposed to be as strong as his own, and to have no loot; nobody else has made a
secret agreement, and others' battles have cost nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from msgspec.structs import replace

from polemarque.api import Premise, Wishes, item
from polemarque.api.battle import Report
from polemarque.systems.atlantide.agreements import stand_together
from polemarque.systems.atlantide.chapters.broken_agreements import wishes_to_break
from polemarque.systems.atlantide.chapters.provisions import convoys_to_hold
from polemarque.systems.atlantide.chapters.reinforcements import arrivals
from polemarque.systems.atlantide.chapters.turn import WINDOWS
from polemarque.systems.atlantide.setup.island import shipped_board
from polemarque.systems.atlantide.state import Battle, Seat, War
from polemarque.systems.atlantide.troops import Army, Duty, DutyKind, Unit, figures
from polemarque.systems.atlantide.views import Camp, Rival, View

ATTACKED = "attacked"
"""Another player's army attacks one's own."""

PREMISES = {ATTACKED: Premise(item("AT-2.1/phase", "battles"))}
"""What can be supposed of others: it comes about when everybody has moved."""

OPEN = frozenset(
    (
        "AT-1.10", "AT-1.13", "AT-2.1/phase", "AT-2.2", "AT-2.4/deputy", "AT-4.1", "AT-4.4",
        "AT-4.4/counter", "AT-5.1", "AT-5.2", "AT-6.1", "AT-6.2", "AT-7.1", "AT-7.1/tied", "AT-7.2",
        "AT-7.3", "AT-7.5", "AT-8.1", "AT-8.3", "AT-8.4/draw", "AT-8.4/sectors", "AT-8.5", "AT-8.6",
        "AT-8.7", "AT-8.7/losses", "AT-8.8", "AT-8.8/destroyed", "AT-8.10", "AT-8.10/resolver",
        "AT-8.12", "AT-9.1",
    )
)  # fmt: skip
"""Rules that stand on the agenda with nothing in them but what all may know.

Left out are those that wait there only by somebody's secret: who reorganises, what is spent on food
or on a bribe, which units are to come, whose character has fallen.
"""

SOMEBODY = Unit(1, "runaway_slaves", "infantry", 1, 1, ws=3, toughness=3, ld=7, points=1)
"""What an army is supposed to be for a player who has none of his own to compare."""


def supposed(view: View, seat: str, premises: Mapping[str, Any]) -> War:
    """A campaign that looks to this seat exactly as its view."""
    own = view.own
    like = own.army if own is not None else None
    seats = {
        code: own if own is not None and code == seat else _seat(code, rival, like)
        for code, rival in view.rivals.items()
    }
    entered = [each.army.entered for each in seats.values() if each.army is not None]
    war = War(
        options=view.options,
        lands=view.lands,
        seats=seats,
        own_board=None if view.board is shipped_board() else view.board,
        turn=view.turn,
        phase=view.phase,
        agreements=view.agreements,
        battles=tuple([_supposed_fought(battle, seat) for battle in view.battles]),
        sheets={seat: view.sheets} if view.sheets else {},
        journal=view.journal,
        moves=max(entered, default=0),
        over=view.over,
        winners=view.winners,
        catalogue=view.catalogue,
        proposals=view.proposals,
        talked=view.talked,
        ending=view.ending,
    )
    return _attacked(war, seat) if premises.get(ATTACKED) else war


def _supposed_fought(battle: Battle, seat: str) -> Battle:
    """A battle of others with a report, drawn and without losses: once it is fought it has one."""
    if seat in battle.sides or battle.report is not None:
        return battle
    report = Report("", None, facts={"decided": "table", "points": (0, 0)})
    return replace(battle, report=report)


def _seat(code: str, rival: Rival, like: Army | None) -> Seat:
    """Another player, with an army like one's own where everybody sees his."""
    return Seat(
        code, rival.people, rival.catalogue, rival.kingdom, loot=0,
        army=None if rival.camp is None else _army(rival.camp, like), absent=rival.absent,
        eliminated=rival.eliminated, returned=rival.returned, given_up=rival.given_up,
    )  # fmt: skip


def _army(camp: Camp, like: Army | None) -> Army:
    units, characters = (like.units, like.characters) if like is not None else ((SOMEBODY,), ())
    return Army(
        units, characters, camp.place, camp.start, camp.start_closed, camp.unsupplied,
        camp.supplied, Duty(cast(DutyKind, camp.duty)) if camp.duty else None, entered=camp.entered,
        general_ld=camp.general_ld, army_ld=camp.army_ld, roll_change=camp.roll_change,
        negotiated=camp.negotiated, attacked=camp.attacked,
    )  # fmt: skip


def _attacked(war: War, seat: str) -> War:
    """The campaign once the nearest army that may fight one's own has marched on it.

    The same campaign where there is none, where two armies are there already, or without an army.
    """
    army = war.army(seat)
    if army is None or len(war.armies_at(army.place)) > 1:
        return war
    distances = war.board.distances(army.place)
    foes = [
        code
        for code in war.in_play()
        if code != seat and not war.seats[code].absent and (theirs := war.army(code)) is not None
        and theirs.duty is None and not stand_together(war, seat, code, army.place)
    ]  # fmt: skip
    if not foes:
        return war
    foe = min(foes, key=lambda code: distances.get(war.army_of(code).place, len(distances)))
    return war.moved(foe, army.place)


def conditions(view: View, seat: str, _subject: str = "") -> dict[str, Any]:
    """How things stand for one's own army, as everybody or its player sees them.

    army:   where it stands, with how many figures, whether it may move and is supplied, and whose
            armies stand there too.   around: the same, and whose armies stand beside it.
    """
    own = view.own
    army = own.army if own is not None else None
    if army is None:
        return {"army": (), "around": ()}
    camps = {code: r.camp.place for code, r in view.rivals.items() if r.camp and code != seat}
    beside = view.board.neighbours[army.place]
    stands = (
        army.place, figures(army), army.may_move, army.supplied,
        *[code for code, place in camps.items() if place == army.place],
    )  # fmt: skip
    near = [f"{code}:{place}" for code, place in camps.items() if place in beside]
    return {"army": stands, "around": (*stands, *near)}


ASKING = "2026-11"
"""The edition that asks instead."""


def wishes(war: War, seat: str, edition: str) -> Mapping[str, Wishes]:
    """What a seat in play can wish for, by the rule that will read it."""
    if edition == ASKING or war.opening or seat not in war.in_play():
        return {}
    found = {
        "AT-4.3": Wishes(wishes_to_break(war, seat, ("next", *WINDOWS))),
        "AT-6.2": Wishes(convoys_to_hold(war, seat)),
        "AT-10.1": Wishes(arrivals(war, seat), single=True),
    }
    return {rule: each for rule, each in found.items() if each.words}
