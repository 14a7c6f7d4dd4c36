"""What an umpire may adjust, and what must always hold of a campaign.

Names are as in `LEGAL`: ``treasury.A``, ``owner.latium``, ``place.A1`` (an army or a fleet),
``exhausted.A1``, ``stands.A1`` (stands present), ``built.latium`` (all that is built there),
``siege.latium`` (who lays it, or nobody), ``absent.C``, ``option.recovery`` (from the next turn
on) and ``end`` (the winners).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from polemarque.api import NotUnderstood
from polemarque.api.adjusting import formed, number, ordered, truth
from polemarque.systems.mare_nostrum.pieces import LOST, OWN, STANDS, Army, Siege
from polemarque.systems.mare_nostrum.setup.options import CHOICES
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import IMPROVEMENTS, kind_of

NOBODY = (None, "", "nobody")
"""What is written for an independent province, or for no siege."""

RICHEST = 10_000
"""No more is given to a treasury, in PO: all that it pays for is bought at one go, one by one."""

LEGAL = (
    "treasury.SEAT", "owner.LAND", "place.PIECE", "exhausted.ARMY", "stands.ARMY", "built.LAND",
    "siege.LAND", "absent.SEAT", "option.NAME", "end",
)  # fmt: skip
"""What can be adjusted, as it is written."""


def adjust(campaign: Campaign, name: str, value: Any) -> Campaign:
    """The campaign after an umpire's adjustment; `faults` has the last word.

    Raises NotUnderstood on an unknown name or value.
    """
    what, _, whom = formed(name, LEGAL).partition(".")
    act = ADJUSTABLE.get(what)
    if act is None:
        raise NotUnderstood("act.unknown", part=name, legal=LEGAL)
    return act(campaign, whom, value)


def _known(word: Any, legal: Iterable[str], code: str) -> str:
    if not isinstance(word, str) or word not in legal:
        raise NotUnderstood(code, part=word, legal=legal)
    return word


def _army(campaign: Campaign, whom: str) -> Army:
    return campaign.armies[_known(whom, campaign.armies, "act.piece")]


def _treasury(campaign: Campaign, whom: str, value: Any) -> Campaign:
    seat = _known(whom, campaign.seats, "seat.unknown")
    return campaign.changed(seat, treasury=number(value, 0, RICHEST))


def _owner(campaign: Campaign, whom: str, value: Any) -> Campaign:
    """Who controls a province: a seat, or nobody; a siege of it is over, and so are the treaties of
    a city that is free no more.
    """
    place = _known(whom, campaign.lands, "act.province")
    seat = None if value in NOBODY else _known(value, campaign.seats, "seat.unknown")
    return campaign if seat == campaign.owner(place) is None else campaign.held(place, seat)


def _place(campaign: Campaign, whom: str, value: Any) -> Campaign:
    """Where an army stands (a province, or a fleet that carries it), or a fleet."""
    if whom in campaign.fleets:
        zone = _known(value, campaign.atlas.zone_by_id, "act.zone")
        return campaign.fleet_changed(whom, place=zone, came="")
    here = _army(campaign, whom).place
    place = _known(value, (*campaign.lands, *campaign.fleets), "act.province")
    return campaign.army_changed(whom, place=place, came="").without_idle_siege(here)


def _exhausted(campaign: Campaign, whom: str, value: Any) -> Campaign:
    _army(campaign, whom)
    return campaign.army_changed(whom, exhausted=number(value, 0, 2))


def _stands(campaign: Campaign, whom: str, value: Any) -> Campaign:
    """Stands of an army present, its Sacred Guard not counted: the first of its list."""
    army, present = _army(campaign, whom), number(value, 1, STANDS)
    whole = tuple([OWN if stand == LOST else stand for stand in army.stands])
    return campaign.army_changed(whom, stands=whole[:present] + (LOST,) * (STANDS - present))


def _built(campaign: Campaign, whom: str, value: Any) -> Campaign:
    """All that is built in a province; a temple as "temple:<god>" (MN-F5)."""
    place = _known(whom, campaign.lands, "act.province")
    if not isinstance(value, (list, tuple)):
        raise NotUnderstood("answer.list", part=value, legal=IMPROVEMENTS)
    for one in value:
        _known(kind_of(str(one)), IMPROVEMENTS, "act.improvement")
    return campaign.land_changed(place, improvements=tuple([str(one) for one in value]))


def _siege(campaign: Campaign, whom: str, value: Any) -> Campaign:
    place = _known(whom, campaign.lands, "act.province")
    if value in NOBODY:
        return campaign.land_changed(place, siege=None)
    seat = _known(value, campaign.seats, "seat.unknown")
    return campaign.land_changed(place, siege=Siege(seat, campaign.turn))


def _absent(campaign: Campaign, whom: str, value: Any) -> Campaign:
    seat = _known(whom, campaign.seats, "seat.unknown")
    return campaign.changed(seat, absent=truth(value))


def _end(campaign: Campaign, _: str, value: Any) -> Campaign:
    if not isinstance(value, (list, tuple)):
        raise NotUnderstood("answer.list", part=value, legal=campaign.seats)
    winners = tuple([_known(code, campaign.seats, "seat.unknown") for code in value])
    return replace(campaign, over=True, winners=winners)


ADJUSTABLE: dict[str, Callable[[Campaign, str, Any], Campaign]] = {
    "treasury": _treasury,
    "owner": _owner,
    "place": _place,
    "exhausted": _exhausted,
    "stands": _stands,
    "built": _built,
    "siege": _siege,
    "absent": _absent,
    "option": lambda campaign, name, value: replace(
        campaign, ordered=ordered(campaign.ordered, CHOICES, name, value)
    ),
    "end": _end,
}
"""What the umpire may adjust, by the first word of its name."""


def faults(campaign: Campaign) -> Sequence[str]:
    """What is wrong with a campaign, as short texts; empty if it is sound."""
    return [
        *_seat_faults(campaign),
        *_land_faults(campaign),
        *_army_faults(campaign),
        *_fleet_faults(campaign),
        *_specialist_faults(campaign),
    ]


def _seat_faults(campaign: Campaign) -> list[str]:
    found = []
    for code, seat in campaign.seats.items():
        if seat.treasury < 0:
            found.append(f"MN-2.8 treasury of {code}")
        if seat.eliminated and (campaign.armies_of(code) or campaign.fleets_of(code)):
            found.append(f"MN-6.12 pieces of {code}, who is out")
        if not seat.eliminated and seat.home not in campaign.lands:
            found.append(f"MN-6.13 home of {code}")
    return found


def _land_faults(campaign: Campaign) -> list[str]:
    found = []
    for place, land in campaign.lands.items():
        if land.owner is not None and land.owner not in campaign.in_play():
            found.append(f"MN-6.12 owner of {place}")
        siege = land.siege
        if siege is not None and (
            land.owner in (None, siege.by) or not campaign.armies_at(place, siege.by)
        ):
            found.append(f"MN-6.3 siege of {place}")
    return found


def _army_faults(campaign: Campaign) -> list[str]:
    found = []
    carried: list[str] = []
    for key, army in campaign.armies.items():
        if army.place not in campaign.lands and army.place not in campaign.fleets:
            found.append(f"MN-4.1 place of {key}")
        if army.place in carried:
            found.append(f"MN-4.2 two armies aboard {army.place}")
        if army.place in campaign.fleets:
            carried.append(army.place)
        if len(army.stands) != STANDS:
            found.append(f"MN-2.2 stands of {key}")
        elif not army.strength:
            found.append(f"MN-B.4 no stands in {key}")
    return found


def _fleet_faults(campaign: Campaign) -> list[str]:
    zones = campaign.atlas.zone_by_id
    return [f"MN-4.1 zone of {key}" for key, f in campaign.fleets.items() if f.place not in zones]


def _specialist_faults(campaign: Campaign) -> list[str]:
    known = (*campaign.armies, *campaign.caravans)
    return [
        f"MN-2.9 company of {key}"
        for key, one in campaign.specialists.items()
        if one.joins and one.joins not in known
    ]
