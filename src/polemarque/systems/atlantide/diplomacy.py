"""Chapter « Diplomatie » (AT-4): who offers what to whom, and who accepts.

Two sealed steps: everybody writes offers, then, if there are any, everybody answers those made to
him.  Haggling goes on between people before that, as long as they like.  That there was talk is
seen by all; who talked, and of what, by the two parties only, unless an agreement is public.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace

from polemarque.kernel.agenda import Item, Rule, ask_each, script, tell
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.request import (
    Amount,
    Filling,
    OneOf,
    Options,
    Reasoned,
    SeveralOf,
    Sheet,
    Text,
)
from polemarque.systems.atlantide.agreements import (
    FORBIDDEN,
    PLACED,
    Agreement,
    Proposal,
    refusal,
)
from polemarque.systems.atlantide.army import points_of
from polemarque.systems.atlantide.breaking import (
    breaks,
    may_break,
    nothing_broken,
    own_agreements,
    present,
)
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.troops import Character, Unit

LONGEST = 20
"""Most turns that an agreement can last beyond this one: five years."""

HIGHEST = 10_000
"""Most loot that can be asked of another player, whose means one does not know."""

WORDS = 500
"""Longest free text of an agreement."""

KINDS = ("passage", "stationing", "supply", "tax", "intelligence", "loot", "text")
SHOWN = ("loot", "army", "waiting", "agreements")
"""What intelligence can show: one private thing, as it stands (AT-2.3)."""

Parts: TypeAlias = Generator[tuple[str, Options], Any, Any]


def refusing(rule: str, **codes: str) -> Callable[[str], NotAllowed | None]:
    """Why a rule refuses each of these words, by the code of the refusal."""
    return lambda word: NotAllowed(codes[word], rule=rule) if word in codes else None


# What can be answered to the parts of an offer; all of it is the same for everybody.
END_WORDS = OneOf(("no", "yes"), "end_campaign")
NO_SUCH_KIND = refusing("AT-4.2", **{kind: f"agreement.{kind}" for kind in FORBIDDEN})
ALL_KINDS = Reasoned(KINDS, "agreement_kind", why=NO_SUCH_KIND)
KINDS_WITHOUT_TAX = Reasoned(
    tuple([kind for kind in KINDS if kind != "tax"]), "agreement_kind", why=NO_SUCH_KIND
)
GIVE_OR_ASK = OneOf(("grant", "ask"), "agreement_role")
GRANT_ONLY = OneOf(("grant",), "agreement_role")
ASK_ONLY = OneOf(("ask",), "agreement_role")
ASK_FOR_LOOT = Reasoned(("ask",), "agreement_role", why=refusing("AT-4.4", grant="agreement.loot"))
SHOWN_WORDS = OneOf(SHOWN, "intelligence")
FREE_WORDS = Text(WORDS)
PEACE_WORDS = OneOf(("no", "yes"), "peace")
KNOWN_WORDS = OneOf(("secret", "public"), "agreement_known")
PUBLIC_ONLY = Reasoned(
    ("public",), "agreement_known", why=refusing("AT-4.1", secret="agreement.must_be_public")
)
ACCEPT_OR_REFUSE = OneOf(("accept", "refuse"), "agreement_answer")
REFUSE_ONLY = Reasoned(
    ("refuse",), "agreement_answer", why=refusing("AT-4.4", accept="agreement.loot")
)


@script("AT-4/phase")
def diplomacy_phase(war: War) -> tuple[War, list[Item]]:
    """A first round of offers; nobody has anything to say to himself alone."""
    if len(war.in_play()) < 2:
        return war, []
    return replace(war, ending=False), [("AT-4.1",)]


# Offers ------------------------------------------------------------------------------------------


@script("AT-4.1")
def offers_are_made(war: War) -> Rule[tuple[War, list[Item]]]:
    """Everybody writes offers, sealed; the sheet also breaks agreements and calls for the end."""
    sheets = yield from ask_each(
        present(war),
        lambda seat: _offer_sheet(war, seat),
        absent=lambda seat: _no_offer(war, seat),
    )
    war = yield from breaks(war, sheets)
    war = yield from _end_called(war, sheets)
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
    return replace(war, proposals=offered, talked=True), [("AT-4.4",)]


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


def _end_called(war: War, sheets: Mapping[str, Mapping[str, Any]]) -> Rule[War]:
    """If all in play wish the campaign to end, they will vote when the turn ends (AT-1.10)."""
    wishes = [sheet["end"] == "yes" for sheet in sheets.values()]
    if not all(wishes) or len(wishes) < len(war.in_play()):
        return war
    yield from tell("AT-1.10", "called")
    return replace(war, ending=True)


def _no_offer(war: War, seat: str) -> dict[str, Any]:
    return {**nothing_broken(war, seat), "end": "no", "to": ()}


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


def number_of(war: War, seat: str, partner: str) -> int:
    """The number of an agreement: turn, who offers, to whom.  It tells nothing of others."""
    codes = tuple(war.seats)
    return war.turn * 100 + codes.index(seat) * 10 + codes.index(partner)


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


# Answers -----------------------------------------------------------------------------------------


@script("AT-4.4")
def offers_are_answered(war: War) -> Rule[tuple[War, list[Item]]]:
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
    if agreement.kind in ("intelligence", "loot"):
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
