"""What a set-up gives of the frame: caravans, routes, improvements, bands, treaties (MN-F)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgspec.structs import replace

from polemarque.systems.mare_nostrum.atlas import Atlas
from polemarque.systems.mare_nostrum.given import Given, named, one_of
from polemarque.systems.mare_nostrum.lookup import age
from polemarque.systems.mare_nostrum.pieces import Band, Caravan, Route, Treaty
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.wares import GODS, IMPROVEMENTS, RESOURCES, temple_of

TEMPLE = "temple"
BUILT = (*[kind for kind in IMPROVEMENTS if kind != TEMPLE], *[temple_of(god) for god in GODS])
"""What can stand in a province: a temple has a god."""


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
