"""What a seat may see (AT-2.3), built from nothing else.

Public: the map, owners, fortresses, where armies stand, results of events and supply, sums of
battles and conquests.  Private: lists, points, loot, waiting units, sealed strategies, secret
agreements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from polemarque.api import UMPIRE
from polemarque.api.texts import Catalogue, curved, texts_in
from polemarque.systems.atlantide.agreements import (
    AT_ONCE,
    Agreement,
    Proposal,
    deals,
    offers_in,
    sentences,
)
from polemarque.systems.atlantide.battle_brief import Hired, hired
from polemarque.systems.atlantide.chapters.broken_agreements import own_agreements
from polemarque.systems.atlantide.chapters.diplomacy import POINTS
from polemarque.systems.atlantide.chapters.turn import WINDOWS
from polemarque.systems.atlantide.setup.catalogue import Catalogue as ArmyLists
from polemarque.systems.atlantide.setup.catalogue import Sample
from polemarque.systems.atlantide.setup.island import Board
from polemarque.systems.atlantide.setup.options import Options
from polemarque.systems.atlantide.state import Battle, JournalEntry, Land, Seat, SheetRow, War
from polemarque.systems.atlantide.strength import force_total, initiative_total
from polemarque.systems.atlantide.tables import DATA
from polemarque.systems.atlantide.troops import Army, Unit, army_points, figures


class Camp(msgspec.Struct, frozen=True, omit_defaults=True):
    """An army as everybody sees it: where it is, where it came from, how it fares.

    duty:  "beaten", "crushed" or "leave", "" without a duty to go (AT-7.6).
    general_ld, army_ld, roll_change: what events and want of supply change this turn.
    """

    place: str
    start: str | None = None
    start_closed: bool = False
    duty: str = ""
    supplied: bool = True
    unsupplied: int = 0
    entered: int = 0
    general_ld: int = 0
    army_ld: int = 0
    roll_change: int = 0
    negotiated: bool = False
    attacked: bool = False


class Rival(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player as everybody sees him."""

    people: str
    catalogue: str
    kingdom: str
    camp: Camp | None = None
    absent: bool = False
    eliminated: int = 0
    returned: bool = False
    given_up: bool = False


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """The campaign as one seat knows it.

    rivals:     every seat, one's own included, as all see it.
    own:        all of one's own; None for a spectator or the umpire's guests.
    agreements: one's own, and those that are public.
    proposals:  offered by oneself or to oneself.
    sheets:     one's own campaign sheet.
    catalogue:  the army catalogue given in the set-up, as in `War`.
    """

    seat: str
    turn: int
    phase: str
    options: Options
    board: Board
    lands: dict[str, Land]
    rivals: dict[str, Rival]
    own: Seat | None = None
    agreements: tuple[Agreement, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    battles: tuple[Battle, ...] = ()
    sheets: tuple[SheetRow, ...] = ()
    journal: tuple[JournalEntry, ...] = ()
    talked: bool = False
    ending: bool = False
    over: bool = False
    winners: tuple[str, ...] = ()
    catalogue: ArmyLists | None = None


def view(war: War, seat: str) -> View:
    """What `seat` may see (AT-2.3); a code that is no seat sees what is public."""
    return View(
        seat=seat,
        turn=war.turn,
        phase=war.phase,
        options=war.options,
        board=war.board,
        lands=war.lands,
        rivals={code: _rival(holder) for code, holder in war.seats.items()},
        own=war.seats.get(seat),
        agreements=tuple([a for a in war.agreements if a.public or seat in a.parties]),
        proposals=tuple([p for p in war.proposals if seat in p.agreement.parties]),
        battles=tuple([_battle(battle, seat) for battle in war.battles]),
        sheets=war.sheets.get(seat, ()),
        journal=war.journal,
        talked=war.talked,
        ending=war.ending,
        over=war.over,
        winners=war.winners,
        catalogue=war.catalogue,
    )


def _battle(battle: Battle, seat: str) -> Battle:
    """Who met whom and how; what it cost unit by unit is known to the two sides only."""
    report = battle.report if seat in battle.sides else None
    return replace(battle, report=report, counted=())


def _rival(holder: Seat) -> Rival:
    return Rival(
        holder.people, holder.catalogue, holder.kingdom, _camp(holder), holder.absent,
        holder.eliminated, holder.returned, holder.given_up,
    )  # fmt: skip


def _camp(holder: Seat) -> Camp | None:
    army = holder.army
    if army is None:
        return None
    return Camp(
        army.place, army.start, army.start_closed, army.duty.kind if army.duty else "",
        army.supplied, army.unsupplied, army.entered, army.general_ld, army.army_ld,
        army.roll_change, army.negotiated, army.attacked,
    )  # fmt: skip


class SheetHeader(msgspec.Struct, frozen=True):
    """The head of a player's campaign sheet (AT-11.1), as it stands; without army 0 and 0."""

    people: str
    catalogue: str
    kingdom: str
    loot: int
    army_points: int
    combat_force: int
    initiative: int
    territories: tuple[str, ...]


def sheet_header(war: War, seat: str) -> SheetHeader:
    """The head of a seat's campaign sheet."""
    holder = war.seats[seat]
    army = holder.army
    return SheetHeader(
        holder.people, holder.catalogue, holder.kingdom, holder.loot,
        army_points(army) if army else 0, force_total(army) if army else 0,
        initiative_total(army) if army else 0, war.lands_of(seat),
    )  # fmt: skip


Families = Mapping[str, Mapping[str, str]]


def own_names(war: War, seat: str, lang: str, public: Families) -> Families:
    """Family ("member", "agreement") -> number -> what it is; "offer" -> who makes it -> all of it.

    "list.<people>" are the lists ready to play, told to who has no army.
    Units of other seats are named where they face the seat in battle, as `<seat>.<number>`; the
    umpire is told of everybody; so are mercenaries of a battle.
    public: the names that everybody uses.
    """
    texts = texts_in(DATA).naming(public)
    say = partial(texts.say, lang)
    seats = war.seats if seat == UMPIRE else (seat,)
    agreements = {
        str(points[0].bond): deal_said(war, points, say)
        for points in deals(war.agreements)
        if seat == UMPIRE or seat in points[0].parties
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
    arming = any(code in war.seats and war.seats[code].army is None for code in seats)
    lists = _lists(war.lists, texts, lang) if arming else {}
    offers = {
        offer.by: say(
            "offer_said", seat=offer.by, terms=deal_said(war, offer.points, say),
            public=offer.public,
        )
        for offer in offers_in(war.proposals)
        if offer.to in seats
    }  # fmt: skip
    if war.phase == "diplomacy":
        members |= {
            f"{other}.{word}": say(f"bargain.{word}", seat=other)
            for other in war.seats
            for word in POINTS
        }
    return {
        "agreement": agreements,
        "offer": offers,
        "wish": wish_names(war, seat, say) if seat in war.seats else {},
        "member": members,
        **lists,
    }


ABOUT_BATTLE = ("AT-1.13", "AT-2.4/deputy", "AT-8.1", "AT-8.5", "AT-8.10/resolver")
"""Scripts that ask about the battle whose number they begin with."""


def asked_with(war: War, rule: str, args: tuple[Any, ...], _: str) -> dict[str, Any]:
    """How much a seat is to lose, and of how many figures; or of which battle it is asked."""
    if rule == "AT-3.2":
        seat, lost = args[:2]
        return {"figures": lost, "army": figures(war.army_of(seat))}
    if rule == "AT-8.7/losses":
        number, seat = args[:2]
        battle = war.battles[number]
        assert battle.report is not None
        points = battle.report.facts.get("points", (0, 0))[battle.sides.index(seat)]
        return {"points": points, "army": figures(war.army_of(seat))}
    number = args[0] if args else None
    if rule in ABOUT_BATTLE and isinstance(number, int):
        battle = war.battles[number]
        return {"place": battle.place, "attacker": battle.attacker, "defender": battle.defender}
    return {}


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


def _lists(lists: ArmyLists, texts: Catalogue, lang: str) -> dict[str, dict[str, str]]:
    """Of each people: its lists ready to play, with what is in them, and one's own; of any people,
    their numbers."""
    most = max([len(people.sample) for people in lists.people], default=0)
    samples = {f"sample_{n}": texts.say(lang, "list.sample", number=n) for n in range(1, most + 1)}
    return {
        "list": samples,
        **{
            f"list.{people.key}": {
                **{
                    f"sample_{number}": texts.say(
                        lang, "sample_said", name=curved(sample.called(lang)),
                        units=[_line(key, counts, texts, lang) for key, counts in _sorts(sample)],
                    )
                    for number, sample in enumerate(people.sample, 1)
                },
                "own": texts.say(lang, "list.own"),
            }
            for people in lists.people
        },
    }  # fmt: skip


def _sorts(sample: Sample) -> Iterator[tuple[str, list[int]]]:
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


def deal_said(war: War, points: Sequence[Agreement], say: Callable[..., str]) -> str:
    """An agreement, or an offer, in a line: its points, and until when it holds.

    say: gives a text of the game, in the reader's language.
    """
    told = [
        say(f"AT-4.1.{key}", **facts).rstrip(".")
        for point in points
        for key, facts in sentences(war, point)
    ]
    last = max([point.last_turn for point in points if point.kind not in AT_ONCE], default=0)
    return say("deal_said", points=" ; ".join(told), last_turn=last)


def wish_names(war: War, seat: str, say: Callable[..., str]) -> Mapping[str, str]:
    """What the wishes of a seat are called.   say: gives a text, in the reader's language."""
    called = {f"arrive.{place}": say("wish.arrive", place=place) for place in war.lands_of(seat)}
    for points in deals(own_agreements(war, seat)):
        number, deal = points[0].bond, deal_said(war, points, say)
        for moment in ("next", *WINDOWS):
            called[f"break.{number}.{moment}"] = say(f"wish.break_{moment}", deal=deal)
        called[f"hold.{number}"] = say("wish.hold", deal=deal)
    return called
