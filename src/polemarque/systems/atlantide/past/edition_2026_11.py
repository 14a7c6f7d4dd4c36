"""Edition 2026-11: an umpire who plays answers alone, armies are counted before everybody, and
kingdoms and places are chosen one seat after the other; agreements, and how they are broken."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from msgspec.structs import replace

from polemarque.api import (
    UMPIRE,
    Amount,
    Filling,
    Item,
    Next,
    OneOf,
    Options,
    Reasoned,
    Rule,
    SeveralOf,
    Sheet,
    Step,
    ask,
    ask_each,
    item,
    script,
    sheet_parts,
    tell,
    then,
)
from polemarque.systems.atlantide.adjust import gods_judge
from polemarque.systems.atlantide.agreements import (
    FORBIDDEN,
    PEACEFUL,
    PLACED,
    Agreement,
    Proposal,
    number_of,
    refusal,
)
from polemarque.systems.atlantide.battle_brief import WHO, force_of
from polemarque.systems.atlantide.chapters.battle import (
    faced,
    forces_are_picked,
    handed_over,
    part_is_played,
    resolver_of,
    tell_side,
)
from polemarque.systems.atlantide.chapters.broken_agreements import (
    Kinds,
    breaks,
    cut_off,
    may_break,
    nothing_broken,
    present,
)
from polemarque.systems.atlantide.chapters.conquest import FEW, attacked, over
from polemarque.systems.atlantide.chapters.diplomacy import (
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
    end_called,
    refusing,
    takes_effect,
)
from polemarque.systems.atlantide.chapters.ending import won
from polemarque.systems.atlantide.chapters.provisions import declared_to_all, undeclared
from polemarque.systems.atlantide.chapters.reinforcements import (
    arrived,
    arriving,
    homes,
    units_join,
    warbands_roll,
)
from polemarque.systems.atlantide.chapters.turn import ENTRIES, turn_begins
from polemarque.systems.atlantide.losses import choose_losses
from polemarque.systems.atlantide.setup.opening import (
    army_is_counted,
    city_or_first,
    colony,
    free_kingdoms,
    order_told,
    settled,
    standing_at,
)
from polemarque.systems.atlantide.setup.options import TABLE
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.strength import army_force
from polemarque.systems.atlantide.supply import FIRST_TURN
from polemarque.systems.atlantide.troops import figures, without


def asks_alone(options: OneOf, *, absent: str, subject: str, **_: Any) -> Rule[str]:
    """Ask the umpire, and nobody else whom it touches."""
    word: str = yield from ask(UMPIRE, options, absent=absent, subject=subject)
    return word


@script("AT-1.4")
def kingdoms_are_chosen(war: War, places: dict[str, str]) -> Step[War]:
    """One seat after the other picks a kingdom, then places an army, openly."""
    given = tuple([code for code in war.in_play() if war.seats[code].kingdom])
    choosing = tuple([code for code in war.in_play() if code not in given])
    order = yield from order_told(choosing)
    items: list[Item] = [then(player_picks_a_kingdom, seat) for seat in order]
    for seat in (*given, *order):
        items += [then(army_is_placed, seat, places.get(seat, "")), then(warbands_roll, seat)]
        items.append(then(army_is_counted, seat))
    return war, [*items, then(turn_begins)]


@script("AT-1.4/kingdom")
def player_picks_a_kingdom(war: War, seat: str) -> Step[War]:
    """One of the kingdoms that are left."""
    if war.seats[seat].given_up:
        return war, []
    free = free_kingdoms(war)
    kingdom = free[0]
    if len(free) > 1:
        kingdom = yield from ask(seat, OneOf(free, "kingdom"), absent=kingdom)
    yield from tell("AT-1.4", "kingdom", seat=seat, kingdom=kingdom)
    return settled(war, seat, kingdom), []


@script("AT-1.4/place")
def army_is_placed(war: War, seat: str, place: str) -> Step[War]:
    """On one of the territories of his colony."""
    if war.seats[seat].given_up:
        return war, []
    if not place:
        options = OneOf(colony(war, seat), "territory")
        place = yield from ask(seat, options, absent=city_or_first(war, seat))
    yield from tell("AT-1.4", "placed", seat=seat, place=place)
    return standing_at(war, seat, place), []


@script("AT-1.11")
def campaign_is_won(war: War) -> Step[War]:
    """The umpire says how a tie is broken."""
    return (yield from won(war, asks_alone))


@script("AT-1.13")
def guests_join(war: War, number: int) -> Step[War]:
    """The umpire says on which side guests join, if they do."""
    place = war.battles[number].place
    who = OneOf(tuple(WHO), "guests")
    joined = WHO[(yield from asks_alone(who, absent="none", subject=place))]
    return (yield from forces_are_picked(war, number, joined)) if joined else (war, [])


@script("AT-2.4/deputy")
def somebody_plays_his_part(war: War, number: int, side: int) -> Step[War]:
    """The umpire names the deputy where there are several."""
    return (yield from part_is_played(war, number, side, asks_alone))


@script("AT-8.10")
def battles_are_fought(war: War) -> Step[War]:
    """The book's own table compares what everybody reads of both armies, row by row."""
    war = faced(war)
    for battle in war.battles:
        if resolver_of(war, battle) == TABLE:
            for seat in battle.sides:
                yield from tell_side(battle, seat, force_of(war, battle, seat))
    return (yield from handed_over(war))


@script("AT-9.3")
def army_attacks(war: War, seat: str, bribe: int) -> Step[War]:
    """Everybody reads what the army counts for; figures lost are named before it goes on.

    An army of more than 30 figures is not counted down: its assault goes on to the end.
    """
    army = war.army_of(seat)
    left = there if (there := figures(army)) <= FEW else None
    war, fought = yield from attacked(war, seat, bribe, army_force(army), left)
    lost = yield from choose_losses(war, seat, fought.figures_lost, "conquest")
    return war.with_army(seat, without(war.army_of(seat), lost)), over(seat, fought)


# Agreements ---------------------------------------------------------------------------------------


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
        Proposal(seat, agreement)
        for seat, sheet in sheets.items()
        for agreement in _offers(war, seat, sheet)
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


@sheet_parts
def _offer_sheet(war: War, seat: str) -> Filling:
    others = tuple([code for code in present(war) if code != seat])
    yield from may_break(war, seat)
    yield "end", END_WORDS
    partners = yield "to", SeveralOf(others, label="seat")
    budget = war.loot(seat)
    for partner in partners:
        lands = (bool(war.lands_of(seat)), bool(war.lands_of(partner)))
        budget -= yield from _offer_parts(war, seat, partner, budget, lands)


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


@sheet_parts
def _answer_sheet(war: War, seat: str) -> Filling:
    """Accept or refuse, offer by offer; what he has offered to pay himself is held back."""
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


def _agreed(war: War, agreement: Agreement) -> Rule[War]:
    """An agreement that both have made: paid, written down, told to whom it concerns (AT-4.5)."""
    war = war.agreeing(agreement)
    facts = described(agreement)
    told = None if agreement.public else agreement.parties
    yield from tell("AT-4.5", "agreed", to=told, **facts)
    return (yield from takes_effect(war, agreement))


# Breaking an agreement ----------------------------------------------------------------------------


WINDOWS = ("loot", "movement", "battles", "conquest")
"""Phases that begin with a question about breaking agreements (AT-4.3).

Those of diplomacy, supply and reinforcements ask it on a sheet of their own.  Nothing that divine
events do depends on an agreement: breaking one then is breaking it at the next phase.
"""


@script("AT-2.1/phase")
def phase_begins(war: War, phase: str) -> Next[War]:
    """A phase: what the gods are to judge, agreements broken, then the phase itself."""
    items: list[Item] = [then(gods_judge, dispute) for dispute in war.disputes]
    if phase in WINDOWS:
        items.append(then(agreements_may_be_broken))
    return replace(war, phase=phase, disputes=()), [*items, item(ENTRIES[phase])]


@script("AT-4.3")
def agreements_may_be_broken(war: War) -> Step[War]:
    """At the start of a phase: whom it can concern is asked."""
    return (yield from _window(war, concerned(war), ())), []


@script("AT-4.3/after_move")
def broken_after_a_move(war: War) -> Step[War]:
    """Variant `any_time`: passage and stationing also right after any army's move."""
    return (yield from _window(war, war.in_play(), PEACEFUL)), []


def _window(war: War, seats: Iterable[str], kinds: Kinds) -> Rule[War]:
    if not war.talked:
        return war
    sheets = yield from ask_each(
        present(war, seats),
        lambda seat: Sheet(lambda: _only_breaking(war, seat, kinds)),
        absent=lambda seat: nothing_broken(war, seat, kinds),
        spares=True,
    )
    return (yield from breaks(war, sheets))


def _only_breaking(war: War, seat: str, kinds: Kinds) -> Generator[tuple[str, Options], Any, None]:
    yield from may_break(war, seat, kinds)


def concerned(war: War) -> tuple[str, ...]:
    """Seats for whom breaking an agreement can change the phase that begins, by public facts.

    Loot: an army on another player's land, and that player (taxes).  Battles: armies that stand
    together.  Conquest: an army on another player's land, that player, and whoever stands where
    another army came from.  Movement: everybody.
    """
    if war.phase == "loot":
        return _on_others_land(war) if war.turn >= FIRST_TURN else ()
    if war.phase == "battles":
        return _together(war)
    if war.phase == "conquest":
        return (*_on_others_land(war), *_in_the_way(war))
    return war.in_play()


def _on_others_land(war: War) -> tuple[str, ...]:
    """Players whose army stands on another's land, and those whose land it is."""
    seats: list[str] = []
    for code, seat in war.seats.items():
        owner = war.lands[seat.army.place].owner if seat.army else None
        if owner not in (None, code):
            seats += [code, str(owner)]
    return tuple(seats)


def _together(war: War) -> tuple[str, ...]:
    places = [seat.army.place for seat in war.seats.values() if seat.army]
    return tuple([s.code for s in war.seats.values() if s.army and places.count(s.army.place) > 1])


def _in_the_way(war: War) -> tuple[str, ...]:
    """Players whose army stands where another one started, and the other ones."""
    seats: list[str] = []
    for code, seat in war.seats.items():
        if seat.army and seat.army.start:
            there = [other for other in war.armies_at(seat.army.start) if other != code]
            seats += [code, *there] if there else []
    return tuple(seats)


@script("AT-6.2")
def convoys_are_let_through(war: War) -> Step[War]:
    """Agreements are broken, and supply passages declared in public by those who grant them."""
    sheets = yield from ask_each(
        present(war),
        lambda seat: _convoys(war, seat),
        absent=lambda seat: {**nothing_broken(war, seat), **nothing_declared(war, seat)},
        spares=True,
    )
    war = yield from breaks(war, sheets)
    return (yield from declares(war, sheets)), []


def declares(war: War, sheets: Mapping[str, Mapping[str, Any]]) -> Rule[War]:
    """Tell everybody of the supply passages that these sheets declare; they hold this turn."""
    declared = [
        agreement
        for seat, sheet in sheets.items()
        for agreement in undeclared(war, seat)
        if agreement.bond in sheet.get("declare", ())
    ]
    return (yield from declared_to_all(war, declared))


@sheet_parts
def _convoys(war: War, seat: str) -> Filling:
    broken = yield from may_break(war, seat)
    yield from may_declare(war, seat, broken)


def may_declare(
    war: War, seat: str, broken: tuple[int, ...]
) -> Generator[tuple[str, Options], Any, None]:
    """The part of a sheet in which a seat declares supply passages, those just broken apart."""
    grants = tuple([a.bond for a in undeclared(war, seat) if a.bond not in broken])
    if grants:
        yield "declare", SeveralOf(grants, label="agreement")


def nothing_declared(war: War, seat: str) -> dict[str, Any]:
    """The answer of an absent player: he declares nothing."""
    return {"declare": ()} if undeclared(war, seat) else {}


@script("AT-10/phase")
def reinforcement_phase(war: War) -> Next[War]:
    """Everybody says where what he bought arrives; then it joins, seat by seat."""
    return war, [then(where_units_arrive), *[then(units_join, seat) for seat in war.in_play()]]


@script("AT-10.1")
def where_units_arrive(war: War) -> Step[War]:
    """Bought units arrive in one of his territories; agreements may be broken before (AT-4.3).

    Whoever has a choice of territories is asked, buyer or not: what one buys is secret (AT-2.3).
    Everybody is, if an army is cut off: supply is looked at anew, so a supply passage can be broken
    now, or declared (AT-6.2) if no army was cut off before it moved.
    """
    choosing = [code for code in war.in_play() if len(war.lands_of(code)) > 1]
    everybody = war.talked and cut_off(war)
    sheets = yield from ask_each(
        present(war, None if everybody else choosing),
        lambda seat: _arrival_sheet(war, seat),
        absent=lambda seat: {
            **nothing_broken(war, seat),
            **nothing_declared(war, seat),
            **_default_place(war, seat),
        },
        spares=True,
    )
    war = yield from breaks(war, sheets)
    war = yield from declares(war, sheets)
    for code in war.in_play():
        if not arriving(war.seats[code]) or not war.lands_of(code):
            continue
        place = sheets.get(code, {}).get("place") or homes(war, code)[0]
        war = arrived(war, code, place)
        yield from tell("AT-10.1", "arrive", to=(code,), seat=code, place=place)
    return war, []


@sheet_parts
def _arrival_sheet(war: War, seat: str) -> Filling:
    broken = yield from may_break(war, seat)
    yield from may_declare(war, seat, broken)
    if arriving(war.seats[seat]) and len(war.lands_of(seat)) > 1:
        yield "place", OneOf(war.lands_of(seat), "territory")


def _default_place(war: War, seat: str) -> dict[str, Any]:
    """His royal city, or the first of his territories (AT-2.4)."""
    if not arriving(war.seats[seat]) or len(war.lands_of(seat)) < 2:
        return {}
    return {"place": homes(war, seat)[0]}
