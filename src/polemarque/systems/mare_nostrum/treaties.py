"""Treaties and who may speak to whom (MN-F6): pure functions of the campaign."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.systems.mare_nostrum.pieces import Treaty
from polemarque.systems.mare_nostrum.state import Campaign

KINDS = ("commercial", "non_aggression", "alliance", "passage")
"""What two players may agree on; passage is granted by one to the other."""

CITY_KINDS = ("commercial", "passage")
"""What a free city may agree to."""


def treaties_of(campaign: Campaign, seat: str) -> tuple[Treaty, ...]:
    """The treaties a seat is a party to, oldest first."""
    return tuple([treaty for treaty in campaign.treaties if seat in (treaty.one, treaty.other)])


def other_party(treaty: Treaty, seat: str) -> str:
    """With whom a seat has a treaty."""
    return treaty.other if treaty.one == seat else treaty.one


def in_force(campaign: Campaign, kind: str, grantor: str, seat: str) -> bool:
    """Whether a seat has this already: passage from the grantor, or a treaty both ways."""
    return kind in kinds_in_force(campaign, grantor, seat)


def kinds_in_force(campaign: Campaign, grantor: str, seat: str) -> tuple[str, ...]:
    """What a seat has already: passage from the grantor, and treaties both ways."""
    return tuple(
        [
            t.kind
            for t in campaign.treaties
            if (t.one == grantor and t.other == seat)
            or (t.one == seat and t.other == grantor and t.kind != "passage")
        ]
    )


def agreed(campaign: Campaign, kind: str, grantor: str, seat: str) -> Campaign:
    """The campaign with a treaty more; between two players it ends their war (MN-4.4), and the
    sieges that they lay to one another.
    """
    treaty = Treaty(kind, grantor, seat, campaign.turn)  # type: ignore[arg-type]
    campaign = replace(campaign, treaties=(*campaign.treaties, treaty))
    if grantor not in campaign.seats:
        return campaign
    for place in sieges_between(campaign, grantor, seat):
        campaign = campaign.land_changed(place, siege=None)
    pair = campaign.pair(grantor, seat)
    return replace(campaign, wars=tuple([war for war in campaign.wars if war != pair]))


def sieges_between(campaign: Campaign, one: str, other: str) -> tuple[str, ...]:
    """The provinces of one of two seats that the other besieges, in the map's order."""
    lands = campaign.lands
    return tuple(
        [
            place
            for place in campaign.atlas.by_id
            if (siege := lands[place].siege) is not None
            and {siege.by, lands[place].owner} == {one, other}
        ]
    )


def denounced(campaign: Campaign, seat: str, partner: str, kinds: tuple[str, ...]) -> Campaign:
    """The campaign without a seat's treaties of these kinds with a partner, passage both ways."""
    kept = [
        treaty
        for treaty in campaign.treaties
        if {treaty.one, treaty.other} != {seat, partner} or treaty.kind not in kinds
    ]
    return replace(campaign, treaties=tuple(kept))


def may_write(campaign: Campaign, seat: str) -> tuple[str, ...]:
    """Players to whom a seat may write: everybody, or by `talk=mission` those it has heard from."""
    others = campaign.others(seat)
    if campaign.options.talk == "free":
        return others
    return tuple([other for other in others if campaign.pair(seat, other) in campaign.channels])


def heard(campaign: Campaign, one: str, other: str) -> Campaign:
    """The campaign after a seat received another's envoy: from now on the two may write."""
    pair = campaign.pair(one, other)
    if campaign.options.talk == "free" or pair in campaign.channels:
        return campaign
    return replace(campaign, channels=(*campaign.channels, pair))
