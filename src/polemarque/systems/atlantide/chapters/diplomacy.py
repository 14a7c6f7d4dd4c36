"""Chapter « Diplomatie » (AT-4): who offers what to whom, and who accepts.

Sealed steps, for everybody at once: offers; if there are any, the answers to them; if an answer is
another offer, the answers to that one.  Nothing is offered a fourth time.  That there was talk is
seen by all; who talked, and of what, by the two parties only, unless an agreement is public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from polemarque.api import (
    QUIET,
    Filling,
    Next,
    Rule,
    SeveralOf,
    Sheet,
    Step,
    ask_each,
    script,
    tell,
    then,
)
from polemarque.systems.atlantide.agreement_offers import (
    END_WORDS,
    answers_to,
    offer_parts,
    offered_points,
    usual_terms,
)
from polemarque.systems.atlantide.agreements import (
    AT_ONCE,
    Agreement,
    Offer,
    Proposal,
    offers_in,
    refused_offer,
    sentences,
)
from polemarque.systems.atlantide.army import points_of
from polemarque.systems.atlantide.chapters.broken_agreements import (
    breaks,
    may_break,
    own_agreements,
    present,
)
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.troops import Character, Unit

EDITION = "2026-11.2"


@script("AT-4/phase")
def diplomacy_phase(war: War) -> Next[War]:
    """A first round of offers; nobody has anything to say to himself alone."""
    if len(war.in_play()) < 2:
        return war, []
    return replace(war, ending=False), [then(offers_are_made)]


# Offers ------------------------------------------------------------------------------------------


@script("AT-4.1", edition=EDITION)
def offers_are_made(war: War) -> Step[War]:
    """Everybody writes offers, sealed; the sheet also breaks agreements and calls for the end.

    An offer has one point or several: all of them are agreed, or none.
    """
    sheets = yield from ask_each(
        present(war),
        lambda seat: _offer_sheet(war, seat),
        absent=QUIET,
        proposes=usual_terms(war),
    )
    war = yield from breaks(war, sheets)
    war = yield from end_called(war, sheets)
    offered = [
        Offer(seat, partner, offered_points(war, seat, partner, sheet))
        for seat, sheet in sheets.items()
        for partner in sheet["to"]
    ]
    if not offered:
        return war, []
    for offer in offered:
        yield from _told("AT-4.1", "proposes", war, offer)
    return replace(_waiting(war, offered), talked=True), [then(offers_are_answered)]


def end_called(war: War, sheets: Mapping[str, Mapping[str, Any]]) -> Rule[War]:
    """If all in play wish the campaign to end, they will vote when the turn ends (AT-1.10)."""
    wishes = [sheet["end"] == "yes" for sheet in sheets.values()]
    if not all(wishes) or len(wishes) < len(war.in_play()):
        return war
    yield from tell("AT-1.10", "called")
    return replace(war, ending=True)


def _offer_sheet(war: War, seat: str) -> Sheet:
    """Whom he offers something, and to each of them an agreement."""
    others = tuple([code for code in present(war) if code != seat])

    def fill() -> Filling:
        yield from may_break(war, seat)
        yield "end", END_WORDS
        partners = yield "to", SeveralOf(others, label="seat")
        budget = war.loot(seat)
        for partner in partners:
            budget -= yield from offer_parts(war, seat, partner, budget)

    return Sheet(fill)


def _waiting(war: War, offers: Sequence[Offer]) -> War:
    """The war with these offers, and no others, to be answered."""
    points = [Proposal(offer.by, point) for offer in offers for point in offer.points]
    return replace(war, proposals=tuple(points))


def _told(rule: str, kind: str, war: War, offer: Offer) -> Rule[None]:
    """Tell an offer or an agreement, point by point, to whom it concerns."""
    to = None if kind == "concludes" and offer.public else (offer.by, offer.to)
    yield from tell(
        rule, kind, to=to, seat=offer.by, other=offer.to, count=len(offer.points),
        last_turn=offer.last_turn, public=offer.public,
    )  # fmt: skip
    for point in offer.points:
        for said, facts in sentences(war, point):
            yield from tell("AT-4.1", said, to=to, **facts)


# Answers -----------------------------------------------------------------------------------------


@script("AT-4.4", edition=EDITION)
def offers_are_answered(war: War) -> Step[War]:
    """Everybody accepts, refuses, or makes another offer instead; loot changes hands at once."""
    war, sheets = yield from _answers(war, counters=True)
    countered = [
        Offer(offer.to, offer.by, offered_points(war, offer.to, offer.by, sheets[offer.to], 1))
        for offer in offers_in(war.proposals)
        if sheets.get(offer.to, {}).get(_part(offer)) == "counter"
    ]
    war = yield from _settled(war, sheets)
    for offer in countered:
        yield from _told("AT-4.4", "counters", war, offer)
    return _waiting(war, countered), [then(counter_offers_are_answered)] if countered else []


@script("AT-4.4/counter")
def counter_offers_are_answered(war: War) -> Step[War]:
    """Those whose offer was answered by another one accept that or refuse it: the talk ends."""
    war, sheets = yield from _answers(war, counters=False)
    return replace((yield from _settled(war, sheets)), proposals=()), []


def _answers(war: War, *, counters: bool) -> Rule[tuple[War, dict[str, Any]]]:
    """The sealed answers to all offers that still stand.

    Everybody who is there is asked, so that being asked tells nothing of who was offered anything.
    """
    war = yield from _withdrawn(war)
    if not war.proposals:
        return war, {}
    sheets = yield from ask_each(
        present(war),
        lambda seat: _answer_sheet(war, seat, counters=counters),
        absent=lambda seat: {_part(o): "refuse" for o in offers_in(war.proposals) if o.to == seat},
        proposes=usual_terms(war),
        spares=True,
    )
    return war, sheets


def _withdrawn(war: War) -> Rule[War]:
    """The war without offers of, or to, somebody who is there no more: the other one hears it."""
    there, standing = present(war), []
    for offer in offers_in(war.proposals):
        if {offer.by, offer.to} <= {*there}:
            standing.append(offer)
        else:
            yield from tell(
                "AT-4.4", "withdrawn", to=(offer.by, offer.to), seat=offer.by, other=offer.to
            )
    return _waiting(war, standing)


def _settled(war: War, sheets: Mapping[str, Mapping[str, Any]]) -> Rule[War]:
    """What was accepted is agreed, as long as the payer has the loot; the rest is refused."""
    for offer in offers_in(war.proposals):
        said = sheets.get(offer.to, {}).get(_part(offer), "refuse")
        why = refused_offer(war, offer) if said == "accept" else ""
        if said == "accept" and not why:
            war = yield from _concluded(war, offer)
        elif said != "counter":
            yield from tell(
                "AT-4.4", "refuses", to=(offer.by, offer.to), seat=offer.to, other=offer.by, why=why
            )
    return war


def _part(offer: Offer) -> str:
    return f"offer.{offer.by}"


def _answer_sheet(war: War, seat: str, *, counters: bool) -> Sheet:
    """Answers, offer by offer; what he has offered to pay himself is held back."""

    def fill() -> Filling:
        offers = offers_in(war.proposals)
        budget = war.loot(seat) - sum([o.paid_by(seat) for o in offers if o.by == seat])
        for offer in offers:
            if offer.to != seat:
                continue
            cost = offer.paid_by(seat)
            said = yield _part(offer), answers_to(counters=counters, payable=cost <= budget)
            if said == "accept":
                budget -= cost
            elif said == "counter":
                budget -= yield from offer_parts(war, seat, offer.by, budget)

    return Sheet(fill)


def _concluded(war: War, offer: Offer) -> Rule[War]:
    """An agreement that both have made: paid, written down, told to whom it concerns (AT-4.5)."""
    yield from _told("AT-4.5", "concludes", war, offer)
    for point in offer.points:
        war = war.agreeing(point)
    for point in sorted(offer.points, key=lambda point: point.kind != "loot"):
        war = yield from takes_effect(war, point)
    return war


def takes_effect(war: War, agreement: Agreement) -> Rule[War]:
    """What an agreement, or a point of one, does at once; both parties' sheets keep it."""
    if agreement.kind in AT_ONCE:
        war = war.broken((agreement.id,))  # it is done: nothing of it lasts
    if agreement.kind == "intelligence":
        seen = private_thing(war, agreement.grantor, agreement.text)
        yield from tell(
            "AT-2.3", agreement.text, to=(agreement.beneficiary,), reveals=True,
            seat=agreement.grantor, **seen,
        )  # fmt: skip
    for party, other in (agreement.parties, agreement.parties[::-1]):
        lines = (*war.row(party).diplomacy, f"agreed:{agreement.kind}:{other}")
        war = war.noted(party, diplomacy=lines)
    return war


def private_thing(war: War, seat: str, what: str) -> dict[str, Any]:
    """One private thing of a seat, as it stands (AT-2.3): figures for the event that shows it."""
    holder = war.seats[seat]
    if what == "loot":
        return {"loot": holder.loot}
    if what == "agreements":
        own = own_agreements(war, seat)
        others = [agreement.other(seat) for agreement in own]
        return {"kinds": [a.kind for a in own], "others": others}
    if what == "army":
        army = holder.army
        return _troops(army.units, army.characters) if army else _troops((), ())
    units = tuple([unit for waiting in holder.waiting for unit in waiting.units])
    return _troops(units, tuple([c for waiting in holder.waiting for c in waiting.characters]))


def _troops(units: tuple[Unit, ...], characters: tuple[Character, ...]) -> dict[str, Any]:
    """Units and characters as an event lists them: profiles, and figures in the same order."""
    return {
        "profiles": [member.profile for member in (*characters, *units)],
        "figures": [*[1 for _ in characters], *[unit.figures for unit in units]],
        "points": points_of(units, characters),
    }
