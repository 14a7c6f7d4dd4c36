"""Chapter « Diplomatie » (AT-4): who offers what to whom, and who accepts.

Sealed steps, for everybody at once: offers; if there are any, the answers to them; if an answer is
another offer, the answers to that one.  Nothing is offered a fourth time.  That there was talk is
seen by all; who talked, and of what, by the two parties only, unless an agreement is public.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, TypeAlias, get_args

from msgspec.structs import replace

from polemarque.api import (
    QUIET,
    Amount,
    Filling,
    Next,
    NotAllowed,
    OneOf,
    Options,
    Reasoned,
    Rule,
    SeveralOf,
    Step,
    Text,
    ask_each,
    script,
    sheet_parts,
    tell,
    then,
)
from polemarque.systems.atlantide.agreements import (
    AT_ONCE,
    FORBIDDEN,
    PLACED,
    Agreement,
    AgreementKind,
    Offer,
    Proposal,
    number_of,
    offers_in,
    own_land,
    refused_offer,
    sentences,
    territories_named,
)
from polemarque.systems.atlantide.chapters.broken_agreements import (
    breaks,
    may_break,
    own_agreements,
    present,
)
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.troops import Character, Unit, points_of

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
        present(war), lambda seat: _offer_sheet(war, seat), absent=QUIET, proposes=usual_terms(war)
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


@sheet_parts
def _offer_sheet(war: War, seat: str) -> Filling:
    others = tuple([code for code in present(war) if code != seat])
    yield from may_break(war, seat)
    yield "end", END_WORDS
    partners = yield "to", SeveralOf(others, label="seat")
    budget = war.loot(seat)
    for partner in partners:
        budget -= yield from offer_parts(war, seat, partner, budget)


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


@sheet_parts
def _answer_sheet(war: War, seat: str, *, counters: bool) -> Filling:
    """Answers, offer by offer; what he has offered to pay himself is held back."""
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
    return {
        "profiles": [member.profile for member in (*characters, *units)],
        "figures": [*[1 for _ in characters], *[unit.figures for unit in units]],
        "points": points_of(units, characters),
    }


# What an offer is written of ----------------------------------------------------------------------


LONGEST = 20
"""Most turns that an agreement can last beyond this one: five years."""

HIGHEST = 10_000
"""Most loot that can be asked of another player, whose means one does not know."""

WORDS = 500
"""Longest free text of an agreement."""

KINDS: tuple[AgreementKind, ...] = get_args(AgreementKind)
POINTS = (
    *[f"grant_{kind}" for kind in KINDS],
    *[f"ask_{kind}" for kind in KINDS if kind != "text"],
)
"""Every point that an offer can have: what is granted, what is asked."""

SHOWN = ("loot", "army", "waiting", "agreements")
"""What intelligence can show: one private thing, as it stands (AT-2.3)."""

Parts: TypeAlias = Generator[tuple[str, Options], Any, Any]


def refusing(rule: str, **codes: str) -> Callable[[str], NotAllowed | None]:
    """Why a rule refuses each of these words, by the code of the refusal."""
    return lambda word: NotAllowed(codes[word], rule=rule) if word in codes else None


# What can be answered to the parts of an offer; all of it is the same for everybody.
END_WORDS = OneOf(("no", "yes"), "end_campaign")
SHOWN_WORDS = OneOf(SHOWN, "intelligence")
FREE_WORDS = Text(WORDS)
PEACE_WORDS = OneOf(("no", "yes"), "peace")
KNOWN_WORDS = OneOf(("secret", "public"), "agreement_known")
PUBLIC_ONLY = Reasoned(
    ("public",), "agreement_known", why=refusing("AT-4.1", secret="agreement.must_be_public")
)
CANNOT_PAY = refusing("AT-4.4", accept="agreement.loot")
ACCEPT_OR_REFUSE = OneOf(("accept", "refuse"), "agreement_answer")
REFUSE_ONLY = Reasoned(("refuse",), "agreement_answer", why=CANNOT_PAY)
ANY_ANSWER = OneOf(("accept", "refuse", "counter"), "agreement_answer")
NOT_AS_IT_IS = Reasoned(("refuse", "counter"), "agreement_answer", why=CANNOT_PAY)


def answers_to(*, counters: bool, payable: bool) -> OneOf:
    """What may be answered to an offer: whether by another one, and whether he can pay it."""
    if counters:
        return ANY_ANSWER if payable else NOT_AS_IT_IS
    return ACCEPT_OR_REFUSE if payable else REFUSE_ONLY


class Points(SeveralOf, frozen=True, kw_only=True):
    """Several points of an offer; of some of the others `why` knows what forbids them."""

    why: Callable[[str], NotAllowed | None]

    def take(self, value: Any) -> tuple[Any, ...]:
        """See Options."""
        for word in value if isinstance(value, (list, tuple)) else ():
            refused = self.why(word) if isinstance(word, str) and word not in self.words else None
            if refused is not None:
                raise refused.about(word, self.words)
        return super().take(value)


def offer_parts(war: War, seat: str, partner: str, budget: int) -> Parts:
    """The parts of an offer; gives the loot that `seat` would pay for it."""
    points = yield f"points.{partner}", _points(war, seat, partner, budget)
    paid = 0
    for word in points:
        paid += yield from _point_parts(war, seat, partner, word, budget)
    kinds = {word.partition("_")[2] for word in points}
    traded = "loot" in kinds and len(kinds) > 1
    yield f"known.{partner}", PUBLIC_ONLY if traded else KNOWN_WORDS
    if not kinds <= {*AT_ONCE}:
        yield f"until.{partner}", Amount(war.turn, last_possible(war))
    return paid


def _points(war: War, seat: str, partner: str, budget: int) -> Points:
    """Points that can be offered: what is on the map to be granted, and loot that is there."""
    words = []
    for word in POINTS:
        role, _, kind = word.partition("_")
        grantor, other = (seat, partner) if role == "grant" else (partner, seat)
        if kind in PLACED and not territories_named(war, kind, grantor, other):
            continue
        if word != "grant_loot" or budget > 0:
            words.append(word)
    forbidden = {
        word: f"agreement.{kind}"
        for kind in FORBIDDEN
        for word in (kind, f"grant_{kind}", f"ask_{kind}")
    }

    def why(word: str) -> NotAllowed | None:
        if word == "grant_loot":
            return NotAllowed("agreement.loot", rule="AT-4.4")
        return refusing("AT-4.2", **forbidden)(word)

    return Points(tuple(words), least=1, label="agreement_point", why=why)


def _point_parts(war: War, seat: str, partner: str, word: str, budget: int) -> Parts:
    """The parts of one point; gives the loot that `seat` would pay for it."""
    role, _, kind = word.partition("_")
    grantor, beneficiary = (seat, partner) if role == "grant" else (partner, seat)
    tail = f"{partner}.{word}"
    if kind in PLACED:
        where = "named"
        owner, lands = own_land(war, kind, grantor, beneficiary)
        if lands:
            whose = "mine" if owner == seat else "theirs"
            where = yield f"where.{tail}", OneOf(("all", "named"), f"agreement_where.{whose}")
        if where == "named":
            named = territories_named(war, kind, grantor, beneficiary)
            yield f"lands.{tail}", SeveralOf(named, least=1, label="territory")
    if kind in ("passage", "stationing"):
        yield f"promise.{tail}", PEACE_WORDS
    elif kind == "intelligence":
        yield f"shown.{tail}", SHOWN_WORDS
    elif kind == "text":
        yield f"wording.{tail}", FREE_WORDS
    elif kind == "loot":
        paying = role == "grant"
        sum_ = yield f"sum.{tail}", Amount(1, budget if paying else HIGHEST, unit="loot")
        return sum_ if paying else 0
    return 0


def last_possible(war: War) -> int:
    """The last turn on which an agreement can hold: the campaign's, if that has one."""
    longest = war.turn + LONGEST
    limit = war.options.turn_limit
    return max(war.turn, min(longest, limit)) if limit else longest


def usual_terms(war: War) -> dict[str, Any]:
    """What a form proposes for the terms of an offer: all of one's land, secret, for this turn."""
    usual: dict[str, Any] = {}
    for partner in war.seats:
        usual |= {f"known.{partner}": "secret", f"until.{partner}": war.turn}
        for word in POINTS:
            usual |= {f"where.{partner}.{word}": "all", f"promise.{partner}.{word}": "no"}
    return usual


def offered_points(
    war: War, seat: str, partner: str, sheet: Mapping[str, Any], counter: int = 0
) -> tuple[Agreement, ...]:
    """The points that a filled sheet offers to a partner; they bear the number of the agreement.

    counter: 1 if it is the answer to another offer.
    """
    deal = number_of(war, seat, partner) * 10 + counter
    points = []
    for number, word in enumerate(sheet[f"points.{partner}"], 1):
        role, _, name = word.partition("_")
        kind: AgreementKind = name
        tail = f"{partner}.{word}"
        grantor, beneficiary = (seat, partner) if role == "grant" else (partner, seat)
        lands: tuple[str, ...] = sheet.get(f"lands.{tail}", ())
        if sheet.get(f"where.{tail}") == "all":
            lands = own_land(war, kind, grantor, beneficiary)[1]
        points.append(
            Agreement(
                id=deal * 100 + number, deal=deal, kind=kind, grantor=grantor,
                beneficiary=beneficiary, last_turn=sheet.get(f"until.{partner}", war.turn),
                territories=lands, price=sheet.get(f"sum.{tail}", 0),
                public=sheet[f"known.{partner}"] == "public",
                peace=sheet.get(f"promise.{tail}") == "yes",
                text=sheet.get(f"shown.{tail}", "") or sheet.get(f"wording.{tail}", ""),
            )
        )  # fmt: skip
    return tuple(points)
