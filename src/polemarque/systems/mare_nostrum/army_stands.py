"""What an army is made of (MN-2.2, MN-3.3): its stands, its Sacred Guard, what it loses."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from polemarque.api.battle import BriefUnit
from polemarque.systems.mare_nostrum.lookups import age
from polemarque.systems.mare_nostrum.pieces import LOST, OWN, STANDS, Army
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import FIGURES

GUARD = "guard"
"""The Sacred Guard as a unit of a battle brief."""

GUARD_NAMES = {"fr": "Garde sacrée", "en": "Sacred Guard"}

HIRED = "hired_"
"""How the ids of mercenary units begin; the kind follows."""


def has_guard(campaign: Campaign, army: Army) -> bool:
    """Whether the Sacred Guard stands with an army now, as a stand more (MN-2.2).

    Once lost it is lost for its owner, whichever army would have it next (MN-B.4).
    """
    holder = campaign.seats[army.owner]
    if holder.guard_lost or army.place not in campaign.lands:
        return False
    if campaign.options.sacred_guard == "territory":
        return army.id == holder.guard and campaign.owner(army.place) == army.owner
    if army.place != holder.home:
        return False
    if campaign.options.sacred_guard == "first":
        return army.id == holder.guard
    at_home = [one.id for one in campaign.armies_at(holder.home, army.owner)]
    return army.id == (holder.guard if holder.guard in at_home else min(at_home, key=age))


def units(campaign: Campaign, army: Army) -> tuple[BriefUnit, ...]:
    """An army's stands as a battle reads them: one unit an element type, mercenaries apart."""
    own = campaign.lists.list[army.list]
    count: dict[str, int] = {}
    kinds: dict[str, str] = {}
    for place, stand in enumerate(army.stands):
        if stand == LOST:
            continue
        unit = own.elements[place] if stand == OWN else HIRED + stand
        kinds[unit] = unit if stand == OWN else campaign.lists.mercenary[stand].element
        count[unit] = count.get(unit, 0) + 1
    if has_guard(campaign, army):
        kinds[GUARD], count[GUARD] = own.guard, 1
    listed = []
    for unit, number in count.items():
        worth, names = number * FIGURES.stand_price, _names(campaign, unit, kinds[unit])
        kind = campaign.lists.element[kinds[unit]].in_battle
        listed.append(BriefUnit(unit, unit, kind, number, worth, names=names))
    return tuple(listed)


def _names(campaign: Campaign, unit: str, kind: str) -> dict[str, str]:
    if unit == GUARD:
        return GUARD_NAMES
    if unit.startswith(HIRED):
        return campaign.lists.mercenary[unit.removeprefix(HIRED)].names
    return campaign.lists.element[kind].names


def mercenaries(army: Army) -> tuple[str, ...]:
    """The kinds of mercenaries present in an army, one word a stand."""
    return tuple([stand for stand in army.stands if stand not in (OWN, LOST)])


def after_losses(campaign: Campaign, army: Army, lost: Mapping[str, int]) -> Army:
    """An army after a battle: so many stands lost of each unit, the last of the list first."""
    own = campaign.lists.list[army.list].elements
    left = list(army.stands)
    owed = dict(lost)
    for place in reversed(range(STANDS)):
        stand = left[place]
        unit = own[place] if stand == OWN else HIRED + stand
        if stand != LOST and owed.get(unit, 0):
            owed[unit] -= 1
            left[place] = LOST
    return replace(army, stands=tuple(left))


def fallen(campaign: Campaign, army: Army) -> Campaign:
    """The campaign after an army was destroyed in war, with the Sacred Guard if it had it.

    army: as it stood, on a border in no province (MN-4.3).
    """
    if has_guard(campaign, army):
        campaign = campaign.changed(army.owner, guard_lost=True)
    return campaign.without_army(army.id)


def with_mercenaries(army: Army, hired: tuple[str, ...]) -> Army:
    """An army with mercenaries in place of the last stands of its list (MN-3.3)."""
    own = army.stands[: STANDS - len(hired)]
    return replace(army, stands=(*own, *hired))
