"""Agreements of edition 2026-11: one to a partner and turn, of one point, accepted or refused."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace

from polemarque.api import (
    Amount,
    Filling,
    OneOf,
    Options,
    Reasoned,
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
    ACCEPT_OR_REFUSE,
    END_WORDS,
    FREE_WORDS,
    HIGHEST,
    KINDS,
    KNOWN_WORDS,
    LONGEST,
    PEACE_WORDS,
    PUBLIC_ONLY,
    REFUSE_ONLY,
    SHOWN_WORDS,
    refusing,
)
from polemarque.systems.atlantide.agreements import (
    FORBIDDEN,
    PLACED,
    Agreement,
    Proposal,
    number_of,
    refusal,
)
from polemarque.systems.atlantide.chapters.broken_agreements import (
    breaks,
    may_break,
    nothing_broken,
    present,
)
from polemarque.systems.atlantide.chapters.diplomacy import end_called, takes_effect
from polemarque.systems.atlantide.state import War

Parts: TypeAlias = Generator[tuple[str, Options], Any, Any]

NO_SUCH_KIND = refusing("AT-4.2", **{kind: f"agreement.{kind}" for kind in FORBIDDEN})
ALL_KINDS = Reasoned(KINDS, "agreement_kind", why=NO_SUCH_KIND)
KINDS_WITHOUT_TAX = Reasoned(
    tuple([kind for kind in KINDS if kind != "tax"]), "agreement_kind", why=NO_SUCH_KIND
)
GIVE_OR_ASK = OneOf(("grant", "ask"), "agreement_role")
GRANT_ONLY = OneOf(("grant",), "agreement_role")
ASK_ONLY = OneOf(("ask",), "agreement_role")
ASK_FOR_LOOT = Reasoned(("ask",), "agreement_role", why=refusing("AT-4.4", grant="agreement.loot"))


@script("AT-4.1")
def offers_are_made(war: War) -> Step[War]:
    """Everybody writes offers, sealed; the sheet also breaks agreements and calls for the end."""
    sheets = yield from ask_each(
        present(war),
        lambda seat: _offer_sheet(war, seat),
        absent=lambda seat: {**nothing_broken(war, seat), "end": "no", "to": ()},
    )
    war = yield from breaks(war, sheets)
    war = yield from end_called(war, sheets)
    offered = tuple(
        [
            Proposal(seat, agreement)
            for seat, sheet in sheets.items()
            for agreement in _offers(war, seat, sheet)
        ]
    )
    if not offered:
        return war, []
    for offer in offered:
        yield from tell(
            "AT-4.1", "offered", to=offer.agreement.parties, seat=offer.by, other=offer.to,
            **described(offer.agreement),
        )  # fmt: skip
    return replace(war, proposals=offered, talked=True), [then(offers_are_answered)]


def described(agreement: Agreement) -> dict[str, Any]:
    """An agreement as the figures of an event."""
    shows = agreement.text if agreement.kind == "intelligence" else ""
    return {
        "number": agreement.id,
        "what": agreement.kind,
        "grantor": agreement.grantor,
        "beneficiary": agreement.beneficiary,
        "places": agreement.territories,
        "price": agreement.price,
        "payer": agreement.payer,
        "last_turn": agreement.last_turn,
        "public": agreement.public,
        "peace": agreement.peace,
        "shows": shows,
        "text": "" if shows else agreement.text,
    }


def _offer_sheet(war: War, seat: str) -> Sheet:
    """Whom he offers something, and to each of them one agreement."""
    others = tuple([code for code in present(war) if code != seat])

    def fill() -> Filling:
        yield from may_break(war, seat)
        yield "end", END_WORDS
        partners = yield "to", SeveralOf(others, label="seat")
        budget = war.loot(seat)
        for partner in partners:
            lands = (bool(war.lands_of(seat)), bool(war.lands_of(partner)))
            budget -= yield from _offer_parts(war, seat, partner, budget, lands)

    return Sheet(fill)


def _offer_parts(war: War, seat: str, partner: str, budget: int, lands: tuple[bool, bool]) -> Parts:
    """The parts of one offer; gives the loot that `seat` would pay for it.

    lands: whether `seat`, and `partner`, holds any territory.
    """
    kind = yield f"kind.{partner}", ALL_KINDS if any(lands) else KINDS_WITHOUT_TAX
    role = yield f"role.{partner}", _roles(kind, budget, lands)
    grantor, beneficiary = (seat, partner) if role == "grant" else (partner, seat)
    if kind in PLACED:
        named = war.lands_of(beneficiary) if kind == "tax" else war.board.ids
        yield f"places.{partner}", SeveralOf(named, least=1, label="territory")
    elif kind == "intelligence":
        yield f"shows.{partner}", SHOWN_WORDS
    elif kind == "text":
        yield f"words.{partner}", FREE_WORDS
    if kind in ("passage", "stationing"):
        yield f"peace.{partner}", PEACE_WORDS
    paying = (grantor if kind == "loot" else beneficiary) == seat
    least = 1 if kind == "loot" else 0
    most = budget if paying else HIGHEST
    price = least
    if least < most:
        price = yield f"price.{partner}", Amount(least, most, unit="loot")
    yield f"known.{partner}", PUBLIC_ONLY if price and kind != "loot" else KNOWN_WORDS
    if kind not in ("intelligence", "loot"):
        yield f"until.{partner}", Amount(war.turn, war.turn + LONGEST, unit="turn")
    return price if paying else 0


def _roles(kind: str, budget: int, lands: tuple[bool, bool]) -> Options:
    """Who grants: without loot nobody gives any, without land nobody is let collect taxes."""
    if kind == "loot":
        return GIVE_OR_ASK if budget > 0 else ASK_FOR_LOOT
    mine, theirs = lands
    if kind == "tax" and not (mine and theirs):
        return GRANT_ONLY if theirs else ASK_ONLY
    return GIVE_OR_ASK


def _offers(war: War, seat: str, sheet: Mapping[str, Any]) -> Iterator[Agreement]:
    """The agreements a filled sheet offers: parties, territories, price, last turn (AT-4.5)."""
    for partner in sheet["to"]:
        kind = sheet[f"kind.{partner}"]
        granting = sheet[f"role.{partner}"] == "grant"
        yield Agreement(
            id=number_of(war, seat, partner),
            kind=kind,
            grantor=seat if granting else partner,
            beneficiary=partner if granting else seat,
            last_turn=sheet.get(f"until.{partner}", war.turn),
            territories=sheet.get(f"places.{partner}", ()),
            price=sheet.get(f"price.{partner}", int(kind == "loot")),
            public=sheet[f"known.{partner}"] == "public",
            peace=sheet.get(f"peace.{partner}") == "yes",
            text=sheet.get(f"shows.{partner}", "") or sheet.get(f"words.{partner}", ""),
        )


@script("AT-4.4")
def offers_are_answered(war: War) -> Step[War]:
    """Everybody accepts or refuses what was offered to him; loot changes hands at once."""
    offers = war.proposals
    sheets = yield from ask_each(
        present(war),
        lambda seat: _answer_sheet(war, seat),
        absent=lambda seat: {_part(offer): "refuse" for offer in offers if offer.to == seat},
    )
    for offer in offers:
        accepted = sheets.get(offer.to, {}).get(_part(offer)) == "accept"
        why = refusal(war, offer.agreement.kind, offer.agreement) if accepted else "declined"
        if why:
            yield from tell(
                "AT-4.4", "declined", to=offer.agreement.parties, seat=offer.to, other=offer.by,
                what=offer.agreement.kind, why=why,
            )  # fmt: skip
        else:
            war = yield from _agreed(war, offer.agreement)
    return replace(war, proposals=()), []


def _part(offer: Proposal) -> str:
    return f"offer.{offer.by}"


def _answer_sheet(war: War, seat: str) -> Sheet:
    """Accept or refuse, offer by offer; what he has offered to pay himself is held back."""

    def fill() -> Filling:
        budget = war.loot(seat) - sum(
            [o.agreement.price for o in war.proposals if o.by == seat == o.agreement.payer]
        )
        for offer in war.proposals:
            if offer.to != seat:
                continue
            cost = offer.agreement.price if offer.agreement.payer == seat else 0
            said = yield _part(offer), ACCEPT_OR_REFUSE if cost <= budget else REFUSE_ONLY
            if said == "accept":
                budget -= cost

    return Sheet(fill)


def _agreed(war: War, agreement: Agreement) -> Rule[War]:
    """An agreement that both have made: paid, written down, told to whom it concerns (AT-4.5)."""
    war = war.agreeing(agreement)
    facts = described(agreement)
    told = None if agreement.public else agreement.parties
    yield from tell("AT-4.5", "agreed", to=told, **facts)
    return (yield from takes_effect(war, agreement))
