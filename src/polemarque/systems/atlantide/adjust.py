"""What an umpire may adjust (AT-11.2), and what must always hold of a campaign.

Names are as in `LEGAL`: ``loot.A``, ``owner.halia``, ``place.B``, ``figures.A.7``,
``fortresses.gadeira``, ``absent.C``, ``given_up.D``, ``note.A.7`` (experience), ``notes.A`` (on the
campaign sheet), ``option.passage`` (from the next turn on), ``journal``, ``judgement`` (a D6 when
the next phase begins) and ``end`` (the winners).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from polemarque.api import (
    D6,
    UMPIRE,
    NotAllowed,
    NotUnderstood,
    Rule,
    Step,
    call,
    procedure,
    roll,
    script,
    tell,
    total,
)
from polemarque.api.adjusting import formed, number, ordered, truth
from polemarque.systems.atlantide.chapters.casualty_recovery import Casualty, casualties_of
from polemarque.systems.atlantide.movement import CROWD
from polemarque.systems.atlantide.purchases import FORTRESSES
from polemarque.systems.atlantide.setup.options import CHOICES
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.troops import Army

ATLANTEAN = "atlantis"
"""What is written for the Atlanteans as owners of a territory."""

LEGAL = (
    "loot.SEAT", "owner.LAND", "place.SEAT", "figures.SEAT.NUMBER", "fortresses.LAND",
    "absent.SEAT", "given_up.SEAT", "note.SEAT.NUMBER", "option.NAME", "notes.SEAT", "journal",
    "judgement", "end",
)  # fmt: skip
"""What can be adjusted, as it is written."""


def adjust(war: War, name: str, value: Any) -> War:
    """The war after an umpire's adjustment; `faults` has the last word.

    Raises NotUnderstood on an unknown name or value, NotAllowed where a rule is against it.
    """
    what, _, whom = formed(name, LEGAL, "AT-11.2").partition(".")
    act = ADJUSTABLE.get(what)
    if act is None:
        raise NotUnderstood("act.unknown", rule="AT-11.2", part=name, legal=LEGAL)
    after = act(war, whom, value)
    _battles_still_stand(war, after)
    return after


def _battles_still_stand(war: War, after: War) -> None:
    """Refuse to take an army, or its dead, out of a battle (AT-11.2).

    It is there until the battles are over, for its land may still pass to who beat it.  Until its
    losses are counted it stays where it fights, and a unit keeps the figures that it is to lose.
    """
    if war.phase != "battles":
        return
    for battle in war.battles:
        for side in battle.sides:
            before, now = war.army(side), after.army(side)
            if before is not None and now is None:
                raise NotAllowed("act.battles_first", rule="AT-1.16", part=side)
            if before is None or now is None or side in battle.counted:
                continue
            if now.place != before.place:
                raise NotAllowed("act.in_battle", rule="AT-7.5", part=side)
            for lost in casualties_of(before, side, battle.report) if battle.report else ():
                _dead_are_there(side, before, now, lost)


def _dead_are_there(side: str, before: Army, now: Army, lost: Casualty) -> None:
    due = lost.killed + lost.left
    if now.figures_of(lost.unit) < due:
        full = next(unit.full for unit in before.units if unit.id == lost.unit)
        raise NotAllowed(
            "act.dead_due", rule="AT-8.7", part=f"{side}.{lost.unit}", legal=(f"{due}-{full}",)
        )


def _seat(war: War, code: Any) -> str:
    if not isinstance(code, str) or code not in war.seats:
        raise NotUnderstood("seat.unknown", part=code, legal=war.seats)
    return code


def _territory(war: War, place: Any) -> str:
    if not isinstance(place, str) or place not in war.lands:
        raise NotUnderstood("act.territory", rule="AT-1.2", part=place, legal=war.lands)
    return place


def _text(value: Any, rule: str = "AT-11.2") -> str:
    if not isinstance(value, str):
        raise NotUnderstood("act.text", rule=rule, part=value)
    return value


def _army(war: War, code: str) -> Army:
    army = war.seats[_seat(war, code)].army
    if army is None:
        raise NotAllowed("act.no_army", rule="AT-1.14", part=code)
    return army


def _member(war: War, whom: str) -> tuple[str, Army, int]:
    """A unit or character by "seat.number"."""
    code, _, number = whom.partition(".")
    army = _army(war, code)
    members = {str(member.id): member.id for member in (*army.units, *army.characters)}
    if number not in members:
        raise NotUnderstood("act.unit", part=whom, legal=members)
    return code, army, members[number]


def _owner(war: War, whom: str, value: Any) -> War:
    """Who holds a territory: a seat in play, or the Atlanteans (AT-1.12, AT-1.16)."""
    place = _territory(war, whom)
    if value in (None, "", ATLANTEAN):
        return war.freed(place)
    seat = _seat(war, value)
    if seat not in war.in_play():
        raise NotAllowed("act.out", rule="AT-1.12", part=seat, legal=(*war.in_play(), ATLANTEAN))
    return war.taken(place, seat)


def _fortresses(war: War, whom: str, value: Any) -> War:
    place = _territory(war, whom)
    land = replace(war.lands[place], fortresses=number(value, 0, FORTRESSES))
    return war.with_land(place, land)


def _place(war: War, whom: str, value: Any) -> War:
    """Where an army stands: it has left where it was, so that no duty to go is left of it (AT-7.6),
    and entered there last (AT-8.11); it has no territory of departure then (AT-7.7).
    """
    seat, place = _seat(war, whom), _territory(war, value)
    _army(war, seat)
    return war.moved(seat, place).army_changed(seat, start=None, start_closed=False)


def _figures(war: War, whom: str, value: Any) -> War:
    code, army, which = _member(war, whom)
    units = []
    for unit in army.units:
        if unit.id == which:
            unit = replace(unit, figures=number(value, 0, unit.full))
        if unit.figures:
            units.append(unit)
    characters = tuple([c for c in army.characters if c.id != which or number(value, 0, 1) == 1])
    return war.with_army(code, replace(army, units=tuple(units), characters=characters))


def _note(war: War, whom: str, value: Any) -> War:
    code, army, which = _member(war, whom)
    note = _text(value, "AT-8.12")
    units = tuple([replace(u, note=note) if u.id == which else u for u in army.units])
    heroes = tuple([replace(c, note=note) if c.id == which else c for c in army.characters])
    return war.with_army(code, replace(army, units=units, characters=heroes))


def _given_up(war: War, whom: str, value: Any) -> War:
    """A seat nobody takes over: its land is Atlantean again (AT-1.16)."""
    code = _seat(war, whom)
    if war.seats[code].given_up or not truth(value):
        raise NotAllowed("act.given_up", rule="AT-1.16", part=code)
    return war.abandoned(code)


def _end(war: War, _: str, value: Any) -> War:
    if not isinstance(value, (list, tuple)):
        raise NotUnderstood("answer.list", rule="AT-1.10", part=value, legal=war.seats)
    winners = tuple([_seat(war, code) for code in value])
    return replace(war, over=True, winners=winners)


ADJUSTABLE: dict[str, Callable[[War, str, Any], War]] = {
    "loot": lambda war, whom, n: war.changed(_seat(war, whom), loot=number(n, 0, 1_000_000)),
    "owner": _owner,
    "place": _place,
    "figures": _figures,
    "fortresses": _fortresses,
    "absent": lambda war, whom, value: war.changed(_seat(war, whom), absent=truth(value)),
    "given_up": _given_up,
    "note": _note,
    "option": lambda war, name, value: replace(
        war, ordered=ordered(war.ordered, CHOICES, name, value)
    ),
    "notes": lambda war, whom, said: war.noted(_seat(war, whom), notes=_text(said, "AT-11.1")),
    "journal": lambda war, _, said: war.journalled(UMPIRE, _text(said)),
    "judgement": lambda war, _, said: replace(war, disputes=(*war.disputes, _text(said))),
    "end": _end,
}
"""What the umpire may adjust, by the first word of its name."""


class Judged(msgspec.Struct, frozen=True):
    """What the gods said."""

    die: int


@procedure("AT-11.2/die")
def judgement_of_the_gods() -> Rule[Judged]:
    """A D6 that settles a dispute."""
    return Judged((yield from roll(1, D6, read=total, why="judgement")))


@script("AT-11.2")
def gods_judge(war: War, dispute: str) -> Step[War]:
    """The die is rolled before everybody and written into the journal."""
    judged = yield from call(judgement_of_the_gods)
    yield from tell("AT-11.2", "judged", dispute=dispute, die=judged.die)
    return war.journalled("gods", f"{dispute}: {judged.die}"), []


def faults(war: War) -> Sequence[str]:
    """What is wrong with a campaign, as short texts; empty if it is sound."""
    found: list[str] = []
    for place, land in war.lands.items():
        if land.owner is not None and land.owner not in war.seats:
            found.append(f"AT-1.2 owner of {place}")
        if not 0 <= land.fortresses <= FORTRESSES or (land.fortresses and land.owner is None):
            found.append(f"AT-5.3 fortresses of {place}")
        if len(war.armies_at(place)) > CROWD:
            found.append(f"AT-7.5 armies at {place}")
    for code, seat in war.seats.items():
        if seat.loot < 0:
            found.append(f"AT-5.5 loot of {code}")
        if seat.army is not None:
            found += _army_faults(war, code, seat.army)
        if (seat.given_up or seat.eliminated) and seat.army is not None:
            found.append(f"AT-1.12 army of {code}, who is out")
        if (seat.given_up or seat.eliminated) and war.lands_of(code):
            found.append(f"AT-1.12 land of {code}, who is out")
    parties = {party for agreement in war.agreements for party in agreement.parties}
    found += [
        f"AT-4.5 agreement of {party}" for party in sorted(parties) if party not in war.in_play()
    ]
    return found


def _army_faults(war: War, code: str, army: Army) -> list[str]:
    found: list[str] = []
    members = [member.id for member in (*army.units, *army.characters)]
    if army.gone:
        found.append(f"AT-1.15 nobody in the army of {code}")
    if army.place not in war.lands:
        found.append(f"AT-1.2 place of {code}")
    if len(set(members)) < len(members) or max(members, default=0) >= war.seats[code].next_id:
        found.append(f"AT-1.9 numbers in the army of {code}")
    if sum(1 for character in army.characters if character.general) > 1:
        found.append(f"AT-1.9 generals of {code}")
    found += [
        f"AT-1.15 figures of {code}.{unit.id}"
        for unit in army.units
        if not 0 < unit.figures <= unit.full
    ]
    return found
