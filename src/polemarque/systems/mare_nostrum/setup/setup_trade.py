"""How a set-up is read, and what it gives of the frame (MN-F): caravans, routes, treaties."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

import msgspec
from msgspec.structs import replace

from polemarque.api import NotUnderstood
from polemarque.systems.mare_nostrum.lookups import age
from polemarque.systems.mare_nostrum.pieces import Band, Caravan, Route, Treaty
from polemarque.systems.mare_nostrum.setup.atlas import Atlas
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.trade_data import GODS, IMPROVEMENTS, RESOURCES, temple_of

TEMPLE = "temple"
BUILT = (*[kind for kind in IMPROVEMENTS if kind != TEMPLE], *[temple_of(god) for god in GODS])
"""What can stand in a province: a temple has a god."""


class Given(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a set-up: nothing unknown is accepted."""


def named(ids: Iterable[str], form: str, example: str) -> None:
    """Refuse ids that are not of a form, a regular expression: later ones count on from them."""
    for one in ids:
        if re.fullmatch(form, one) is None:
            raise NotUnderstood("setup.id", part=one, legal=(example,))


def one_of(word: str, legal: Iterable[str], code: str, rule: str) -> str:
    """The word, if it is one of the legal ones.  Raises NotUnderstood under that code."""
    if word not in legal:
        raise NotUnderstood(code, rule=rule, part=word, legal=legal)
    return word


def within(value: int, least: int, most: int, part: str) -> int:
    """The number, if it is from `least` to `most`.  Raises NotUnderstood."""
    if not least <= value <= most:
        raise NotUnderstood("setup.number", part=part, legal=(f"{least}-{most}",))
    return value


class GivenCaravan(Given, frozen=True):
    """A caravan by its id: its good and where that is from.

    place: where it is, "" at the origin.   destination, hires: as it was told.
    """

    resource: str
    origin: str
    place: str = ""
    destination: str = ""
    hires: bool = False


class GivenRoute(Given, frozen=True):
    """A trade route by its id: its good, both ends, and the turn in which it was opened."""

    resource: str
    origin: str
    destination: str
    opened: int = 1


def with_trade(
    campaign: Campaign, caravans: Mapping[str, GivenCaravan], routes: Mapping[str, GivenRoute]
) -> Campaign:
    """The campaign with caravans and routes.  Raises NotUnderstood on a wrong good or place."""
    atlas = campaign.atlas
    given: list[GivenCaravan | GivenRoute] = [*caravans.values(), *routes.values()]
    for one in given:
        one_of(one.resource, RESOURCES, "setup.resource", "MN-F3")
        one_of(one.origin, atlas.by_id, "setup.province", "MN-F3")
        nowhere = ("",) if isinstance(one, GivenCaravan) else ()
        one_of(one.destination, (*nowhere, *atlas.by_id), "setup.province", "MN-F3")
    going = {
        key: Caravan(
            key, key[0], one.resource, one.origin, one.destination,
            one_of(one.place or one.origin, atlas.places, "setup.province", "MN-F3"), one.hires,
        )
        for key, one in sorted(caravans.items())
    }  # fmt: skip
    opened = {
        key: Route(key, key[0], one.resource, one.origin, one.destination, one.opened)
        for key, one in sorted(routes.items())
    }
    return replace(campaign, caravans=going, routes=opened)


def checked_improvements(improvements: Iterable[str]) -> tuple[str, ...]:
    """What is built in a province, in order.  Raises NotUnderstood on what cannot be built."""
    return tuple([one_of(kind, BUILT, "setup.improvement", "MN-F5") for kind in improvements])


def checked_bands(
    bands: Mapping[str, Band], atlas: Atlas, seats: Collection[str]
) -> dict[str, Band]:
    """Bands by id: brigands on land, pirates at sea.  Raises NotUnderstood."""
    named(bands, "b[1-9][0-9]{0,5}", "b1, b2")
    for band in bands.values():
        element = atlas.by_id if band.kind == "brigands" else atlas.zone_by_id
        one_of(band.place, element, "setup.province", "MN-9.1")
        one_of(band.owner, ("", *seats), "seat.unknown", "MN-9.2")
    return {key: replace(bands[key], id=key) for key in sorted(bands)}


def next_band(bands: Iterable[str]) -> int:
    """The number of the next band."""
    return max([age(band) for band in bands], default=0) + 1


def checked_treaties(
    treaties: tuple[Treaty, ...], atlas: Atlas, seats: Collection[str]
) -> tuple[Treaty, ...]:
    """Treaties between two seats, or of a free city with one.  Raises NotUnderstood."""
    parties = (*seats, *atlas.by_id)
    for treaty in treaties:
        one_of(treaty.one, parties, "setup.party", "MN-F6")
        others = [party for party in parties if party != treaty.one]
        one_of(treaty.other, others, "setup.party", "MN-F6")
    return treaties
