"""What a seat calls what only its own questions name: its units and its agreements, by number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from polemarque.kernel.request import UMPIRE
from polemarque.kernel.templates import curved
from polemarque.kernel.texts import Catalogue
from polemarque.systems.atlantide.agreements import Agreement, Proposal
from polemarque.systems.atlantide.catalogue import Catalogue as ArmyLists
from polemarque.systems.atlantide.catalogue import Profile, Sample
from polemarque.systems.atlantide.guests import Hired, hired
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.tables import DATA
from polemarque.systems.atlantide.troops import Army, Unit

Families = Mapping[str, Mapping[str, str]]


@cache
def _texts() -> Catalogue:
    return Catalogue.load(DATA)


def own_names(war: War, seat: str, lang: str, public: Families) -> Families:
    """Family ("member", "agreement") -> number -> what it is; "offer" -> who makes it -> all of it.

    "for_sale" are profiles with their price; and who is asked what to buy is told what he has.
    "list.<people>" are the lists ready to play, told to who has no army.
    Units of other seats are named where they face the seat in battle, as `<seat>.<number>`; the
    umpire is told of everybody; so are mercenaries of a battle.
    public: the names that everybody uses.
    """
    texts = _texts().naming(public)
    seats = war.seats if seat == UMPIRE else (seat,)
    agreements = {
        str(agreement.id): _agreement(agreement, texts, lang)
        for agreement in war.agreements
        if seat == UMPIRE or seat in agreement.parties
    }
    members: dict[str, str] = {}
    for code in seats:
        for holder, army in _facing(war, code):
            for number, said in _members(army, texts, lang):
                members[f"{holder}.{number}"] = said
                if holder == seat:
                    members[number] = said
    members |= {
        f"{side}.{guest.id}": _guest(guest, texts, lang)
        for battle in war.battles
        if seat in (UMPIRE, *battle.sides)
        for side in battle.sides
        for guest in hired(war, battle, side)
    }
    prices = {key: _price(profile, texts, lang) for key, profile in war.lists.profiles.items()}
    prices["end"] = texts.say(lang, "profile.end")
    questions = {}
    if seat in war.seats:
        questions["AT-5.2"] = texts.say(lang, "ask_loot", loot=war.loot(seat))
    arming = any(code in war.seats and war.seats[code].army is None for code in seats)
    lists = _lists(war.lists, texts, lang) if arming else {}
    offers = {offer.by: _offer(offer, texts, lang) for offer in war.proposals if offer.to in seats}
    return {
        "agreement": agreements,
        "offer": offers,
        "member": members,
        "for_sale": prices,
        "ask": questions,
        **lists,
    }


def _facing(war: War, seat: str) -> Iterator[tuple[str, Army]]:
    """The army of a seat, and those that stand where it stands."""
    own = war.seats[seat].army if seat in war.seats else None
    if own is not None:
        yield seat, own
        for holder in war.seats.values():
            if holder.army is not None and holder.code != seat and holder.army.place == own.place:
                yield holder.code, holder.army


def _members(army: Army, texts: Catalogue, lang: str) -> Iterator[tuple[str, str]]:
    """Number and name of everybody in an army; units alike are told apart by their number."""
    everybody = (*army.characters, *army.units)
    profiles = [member.profile for member in everybody]
    for member in everybody:
        yield str(member.id), texts.say(
            lang, "member_said", profile=member.profile,
            figures=member.figures if isinstance(member, Unit) else 0,
            number=member.id if profiles.count(member.profile) > 1 else 0,
        )  # fmt: skip


def _guest(guest: Hired, texts: Catalogue, lang: str) -> str:
    """A mercenary unit or leader of a battle, told apart by its number on its side (AT-1.13)."""
    return texts.say(
        lang, "member_said", profile=guest.profile, number=int(guest.id.rpartition("_")[2]),
        figures=0 if guest.leader else guest.figures,
    )  # fmt: skip


def _price(profile: Profile, texts: Catalogue, lang: str) -> str:
    """A profile with what a figure of it costs, and its command group; points are loot."""
    return texts.say(
        lang, "price_said", profile=profile.key, points=profile.points,
        several=profile.size[1] > 1, command=profile.command,
    )  # fmt: skip


def _lists(lists: ArmyLists, texts: Catalogue, lang: str) -> dict[str, dict[str, str]]:
    """Of each people: its lists ready to play, with what is in them, and one's own."""
    return {
        f"list.{people.key}": {
            **{
                f"sample_{number}": texts.say(
                    lang, "sample_said", name=curved(sample.called(lang)),
                    points=lists.points(sample.units),
                    units=[_line(key, counts, texts, lang) for key, counts in _sorts(sample)],
                )
                for number, sample in enumerate(people.sample, 1)
            },
            "own": texts.say(lang, "list.own"),
        }
        for people in lists.people
    }  # fmt: skip


def _sorts(sample: Sample) -> Iterator[tuple[str, list[int]]]:
    """Each profile of a list, with the figures of each unit of it."""
    counts: dict[str, list[int]] = {}
    for entry in sample.units:
        counts.setdefault(entry.profile, []).append(entry.count)
    yield from counts.items()


def _line(profile: str, counts: Sequence[int], texts: Catalogue, lang: str) -> str:
    figures = sum(counts)
    alone = figures == len(counts)  # characters, or one of a kind
    return texts.say(
        lang, "sample_line", profile=profile, figures=0 if alone else figures, units=len(counts)
    )


def _agreement(agreement: Agreement, texts: Catalogue, lang: str) -> str:
    return texts.say(
        lang, "agreement_said", what=agreement.kind, grantor=agreement.grantor,
        beneficiary=agreement.beneficiary, places=agreement.territories,
        last_turn=agreement.last_turn,
    )  # fmt: skip


def _offer(offer: Proposal, texts: Catalogue, lang: str) -> str:
    deal = offer.agreement
    return texts.say(
        lang, "offer_said", seat=offer.by, what=deal.kind, grantor=deal.grantor,
        beneficiary=deal.beneficiary, places=deal.territories, price=deal.price,
        payer=deal.payer, peace=deal.peace, last_turn=deal.last_turn, public=deal.public,
    )  # fmt: skip
