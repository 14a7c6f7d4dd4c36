"""Agreements between players (AT-4): what they name, when they hold, and which are refused.

An agreement is between a *grantor*, who lets something happen, and a *beneficiary*, who profits.
The beneficiary pays the price; in a loot transfer the grantor gives it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

import msgspec

if TYPE_CHECKING:
    from polemarque.systems.atlantide.state import War

AgreementKind = Literal[
    "passage", "stationing", "supply", "tax", "intelligence", "loot", "text"
]  # fmt: skip
"""AT-4.1: army passage and stationing, supply passage, tax tolerance, intelligence, loot, text."""

PEACEFUL: tuple[AgreementKind, ...] = ("passage", "stationing")
"""Kinds that let two armies stand together without a battle (AT-7.5)."""

PLACED: tuple[AgreementKind, ...] = ("passage", "stationing", "supply", "tax")
"""Kinds that name territories (AT-4.5)."""

AT_ONCE: tuple[AgreementKind, ...] = ("intelligence", "loot")
"""Kinds that are done as soon as they are agreed."""

FORBIDDEN = ("troops", "joint_attack")
"""What AT-4.2 gives as examples of agreements against the rules."""


class Agreement(msgspec.Struct, frozen=True, omit_defaults=True):
    """One agreement.

    id:          number within the campaign.
    territories: what it covers.
    price:       loot paid when it is made; a payment made stays made (AT-4.5).
    last_turn:   last turn on which it holds.
    public:      whether all know it; otherwise both parties do.
    peace:       the beneficiary may not attack the grantor's land that it names (AT-9.8).
    declared:    turn in which the grantor last declared a supply passage to all (AT-6.2), or 0.
    text:        free words without effect, or what intelligence shows.
    deal:        number of the agreement of which this is a point, and with which it stands and
                 falls; 0 of one that is alone.
    """

    id: int
    kind: AgreementKind
    grantor: str
    beneficiary: str
    last_turn: int
    territories: tuple[str, ...] = ()
    price: int = 0
    public: bool = False
    peace: bool = False
    declared: int = 0
    text: str = ""
    deal: int = 0

    @property
    def bond(self) -> int:
        """The number by which it is broken: with all points of the agreement."""
        return self.deal or self.id

    @property
    def parties(self) -> tuple[str, str]:
        """Grantor and beneficiary."""
        return self.grantor, self.beneficiary

    @property
    def payer(self) -> str:
        """Who gives the loot, if any: the beneficiary, but the grantor of a loot transfer."""
        return self.grantor if self.kind == "loot" else self.beneficiary

    def other(self, seat: str) -> str:
        """The party that `seat` is not."""
        return self.beneficiary if seat == self.grantor else self.grantor

    def between(self, a: str, b: str) -> bool:
        """Whether these two are its parties, either way round."""
        return (self.grantor == a and self.beneficiary == b) or (
            self.grantor == b and self.beneficiary == a
        )


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """An agreement that one party offers to the other."""

    by: str
    agreement: Agreement

    @property
    def to(self) -> str:
        """Who accepts or refuses."""
        return self.agreement.other(self.by)


class Offer(msgspec.Struct, frozen=True):
    """What one player offers another: all its points, or none.  It has one at least."""

    by: str
    to: str
    points: tuple[Agreement, ...]

    @property
    def public(self) -> bool:
        """Whether all would know it."""
        return self.points[0].public

    @property
    def last_turn(self) -> int:
        """Last turn on which it holds; 0 where it is done as soon as it is agreed."""
        lasting = [point.last_turn for point in self.points if point.kind not in AT_ONCE]
        return max(lasting, default=0)

    def paid_by(self, seat: str) -> int:
        """The loot that a seat gives."""
        return sum([point.price for point in self.points if point.payer == seat])


def offers_in(proposals: Iterable[Proposal]) -> tuple[Offer, ...]:
    """Offers that wait for an answer, each with its points; nobody has two for the same player."""
    found: dict[tuple[str, str], list[Agreement]] = {}
    for each in proposals:
        found.setdefault((each.by, each.to), []).append(each.agreement)
    return tuple([Offer(by, to, tuple(points)) for (by, to), points in found.items()])


def deals(agreements: Iterable[Agreement]) -> tuple[tuple[Agreement, ...], ...]:
    """Agreements, each with all its points."""
    found: dict[int, list[Agreement]] = {}
    for each in agreements:
        found.setdefault(each.bond, []).append(each)
    return tuple([tuple(points) for points in found.values()])


def number_of(war: War, seat: str, partner: str) -> int:
    """The number of an agreement: turn, who offers, to whom.  It tells nothing of others."""
    codes = tuple(war.seats)
    return war.turn * 100 + codes.index(seat) * 10 + codes.index(partner)


def own_land(war: War, kind: str, grantor: str, beneficiary: str) -> tuple[str, tuple[str, ...]]:
    """Whose land an agreement of that kind is about, and all of it.

    Taxes are collected on the beneficiary's land; the army on it is the grantor's.
    """
    owner = beneficiary if kind == "tax" else grantor
    return owner, war.lands_of(owner)


def territories_named(war: War, kind: str, grantor: str, beneficiary: str) -> tuple[str, ...]:
    """The territories that an agreement can name: the grantor's, then others that he can occupy.

    That is where his army stands, and land of no player, where it may stand later.
    """
    owner, lands = own_land(war, kind, grantor, beneficiary)
    if owner == beneficiary:
        return lands
    army = war.army(grantor)
    camp = (army.place,) if army is not None and army.place not in lands else ()
    free = [place for place in war.lands_of(None) if place not in camp]
    return (*lands, *camp, *free)


def sentences(war: War, point: Agreement) -> Iterator[tuple[str, dict[str, Any]]]:
    """The sentences in which a point is told, by key: its own, and of its price where it has one.

    whole: it covers all land of the player whose land it is about.
    """
    grantor, beneficiary = point.parties
    parties = {"grantor": grantor, "beneficiary": beneficiary}
    if point.kind in PLACED:
        _, lands = own_land(war, point.kind, grantor, beneficiary)
        whole = len(lands) > 1 and {*lands} == {*point.territories}
        places = () if whole else point.territories
        yield point.kind, {**parties, "places": places, "whole": whole, "peace": point.peace}
    elif point.kind != "loot":
        yield point.kind, {**parties, "text": point.text}
    if point.price:
        payer = point.payer
        yield "loot", {"grantor": payer, "beneficiary": point.other(payer), "loot": point.price}


def granted(
    war: War, kinds: tuple[AgreementKind, ...], grantor: str, beneficiary: str, place: str
) -> Agreement | None:
    """The first agreement in force of those kinds that grants something there, or None."""
    for agreement in war.agreements:
        if (
            agreement.kind in kinds
            and agreement.grantor == grantor
            and agreement.beneficiary == beneficiary
            and agreement.last_turn >= war.turn
            and place in agreement.territories
        ):
            return agreement
    return None


def stand_together(war: War, a: str, b: str, place: str) -> bool:
    """Whether two armies may share a territory without a battle, by anybody's leave (AT-7.5)."""
    return bool(war.agreements) and (
        granted(war, PEACEFUL, a, b, place) is not None
        or granted(war, PEACEFUL, b, a, place) is not None
    )


def in_passage(war: War, seat: str, place: str) -> bool:
    """Whether an army that enters there owes it to a passage right, so that it must go on (AT-7.4).

    The right comes from anyone who holds the territory or has an army in it; a stationing right of
    the same player makes up for it.  Own land is nobody's to let pass.
    """
    owner = war.owner(place)
    if not war.agreements or owner == seat:
        return False
    for host in war.seats:
        if (
            (host == owner or host in war.armies_at(place))
            and granted(war, ("passage",), host, seat, place) is not None
            and granted(war, ("stationing",), host, seat, place) is None
        ):
            return True
    return False


def tolerates_tax(war: War, occupier: str, owner: str, place: str) -> bool:
    """Whether the army's player lets the owner collect there (AT-4.1)."""
    return granted(war, ("tax",), occupier, owner, place) is not None


def lets_convoy(war: War, grantor: str, beneficiary: str, place: str) -> bool:
    """Whether a supply passage declared this turn opens the grantor's land or army (AT-6.2)."""
    return bool(war.agreements) and any(
        agreement.kind == "supply"
        and agreement.grantor == grantor
        and agreement.beneficiary == beneficiary
        and agreement.declared == war.turn <= agreement.last_turn
        and place in agreement.territories
        for agreement in war.agreements
    )


def forbids_attack(war: War, owner: str, attacker: str, place: str) -> bool:
    """Whether an agreement forbids attacking that land of the owner's (AT-9.8)."""
    return bool(war.agreements) and any(
        agreement.peace
        and agreement.between(owner, attacker)
        and agreement.last_turn >= war.turn
        and place in agreement.territories
        for agreement in war.agreements
    )


def refusal(war: War, kind: str, agreement: Agreement) -> str:
    """Why an agreement is refused (AT-4.2, AT-4.4, AT-4.5), as a code; "" if it may be made.

    kind: what the players wrote, since AT-4.2 names kinds that no agreement can be of.
    """
    if kind in FORBIDDEN:
        return f"agreement.{kind}"
    if kind != agreement.kind:
        return "agreement.kind"
    grantor, beneficiary = agreement.parties
    if grantor == beneficiary or not {grantor, beneficiary} <= set(war.in_play()):
        return "agreement.parties"
    if agreement.last_turn < war.turn:
        return "agreement.last_turn"
    return _refused_place(war, agreement) or _refused_price(war, agreement)


def refused_offer(war: War, offer: Offer) -> str:
    """Why an offer is refused although it was accepted, as a code; "" if it may be made."""
    for seat in (offer.by, offer.to):
        if seat in war.seats and offer.paid_by(seat) > war.loot(seat):
            return "agreement.loot"
    return next(filter(None, [refusal(war, point.kind, point) for point in offer.points]), "")


def _refused_place(war: War, agreement: Agreement) -> str:
    if agreement.kind in PLACED and not agreement.territories:
        return "agreement.no_territory"
    if any(place not in war.lands for place in agreement.territories):
        return "agreement.territory"
    # Taxes are collected on the beneficiary's land; the army on it is the grantor's.
    if agreement.kind == "tax" and any(
        war.owner(place) != agreement.beneficiary for place in agreement.territories
    ):
        return "agreement.not_his_land"
    return ""


def _refused_price(war: War, agreement: Agreement) -> str:
    if agreement.price < 0 or (agreement.kind == "loot" and not agreement.price):
        return "agreement.price"
    if agreement.price and agreement.kind != "loot" and not agreement.public:
        return "agreement.must_be_public"
    if agreement.price > war.seats[agreement.payer].loot:
        return "agreement.loot"
    return ""
