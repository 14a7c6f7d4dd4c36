"""Who a person is in a campaign, and what they may therefore see."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import msgspec
from django.db.models import Q, QuerySet

from polemarque.club.models import COMMANDER, Campaign, Holder, Person, Pulse
from polemarque.kernel.request import UMPIRE, Key

Called = Mapping[str, Mapping[str, str]]
"""What people are called, as a family of names for readers: {"player": {seat: name}}."""


@dataclass(frozen=True)
class Visit:
    """A person in a campaign.

    seats:   the seats they are in, each with their role there.
    umpire:  whether they umpire it.
    watches: whether they may watch it although they have no part in it.
    guest:   path of a battle inside it -> the seat whose side they command there, and only there.
    within:  path of the battle to which all that they read and answer is confined, "" for none.
    pulse:   number of the newest pulse before `campaign` was read, None where nobody has asked.
    """

    campaign: Campaign
    person: Person
    seats: Mapping[str, str] = field(default_factory=dict)
    umpire: bool = False
    watches: bool = False
    guest: Mapping[str, str] = field(default_factory=dict)
    within: str = ""
    pulse: int | None = None

    @property
    def inside(self) -> bool:
        """Whether they may see anything of the campaign at all."""
        return bool(self.seats) or self.umpire or self.watches

    @property
    def plays(self) -> str:
        """The first seat that they command, or "": an umpire who has one is a playing umpire."""
        return next((seat for seat, role in self.seats.items() if role == COMMANDER), "")

    @cached_property
    def neutral(self) -> bool:
        """Whether they are an umpire without a seat, who may see everything but what is sealed.

        None is beside an umpire who plays: they might be that player's second account.  The seats
        trust whom they have named since.
        """
        if not self.umpire or self.seats:
            return False
        begun = msgspec.json.decode(self.campaign.header or b"{}")
        return not begun.get("umpire") or self.campaign.namings.exists()

    def commands(self, seat: str) -> bool:
        """Whether they may seal for a seat."""
        return self.seats.get(seat) == COMMANDER

    def as_guest(self, path: str) -> Visit:
        """The same person as a guest of a battle: they read it with its seat's eyes."""
        seats = {self.guest[path]: COMMANDER}
        return Visit(self.campaign, self.person, seats, within=path, pulse=self.pulse)

    @property
    def pulses(self) -> QuerySet[Pulse]:
        """The pulses of all that they may have read, newest first: an open page hears the later."""
        pulses = self.campaign.pulses.order_by("-pk")
        return pulses if self.pulse is None else pulses.filter(pk__lte=self.pulse)

    def reaches(self, key: Key) -> bool:
        """Whether a question, or a throw, is where they read and answer."""
        return not self.within or key.path == self.within

    @property
    def eye(self) -> str | None:
        """Through which seat's eyes they read: None for all there is, "" for what is public."""
        return None if self.neutral else next(iter(self.seats), "")

    @cached_property
    def umpired(self) -> frozenset[str]:
        """The seats that umpires of the campaign command."""
        return umpired_seats(self.campaign)

    @cached_property
    def people(self) -> Called:
        """What the people of the campaign are called: a page asks for it many times."""
        return called(self.campaign)


def visit_of(campaign: Campaign, person: Person, pulse: int | None = None) -> Visit:
    """Who a person is in a campaign.   pulse: the newest before the campaign was read."""
    held = Holder.objects.filter(seat__campaign=campaign, person=person).order_by("seat__pk")
    seats = {holder.seat.code: holder.role for holder in held.select_related("seat")}
    umpire = campaign.umpires.filter(person=person).exists()
    guest = dict(campaign.guests.filter(person=person).values_list("path", "seat"))
    watches = campaign.public or campaign.show
    if not (seats or umpire or watches):
        watches = campaign.watchers.filter(person=person).exists()
    return Visit(campaign, person, seats, umpire, watches, guest, pulse=pulse)


def called(campaign: Campaign) -> Called:
    """What the people of a campaign are called, as a family of names for readers."""
    names = names_in(campaign)
    held = Holder.objects.filter(seat__campaign=campaign, role=COMMANDER)
    return {"player": {s: names[who] for s, who in held.values_list("seat__code", "person")}}


def names_in(campaign: Campaign) -> dict[int, str]:
    """What each of the people of a campaign is called there, by the person's number.

    Two of the same name are told apart, the one whose account is newer by a figure after it.
    """
    somebody = (
        Q(holdings__seat__campaign=campaign)
        | Q(umpirings__campaign=campaign)
        | Q(guestings__campaign=campaign)
    )
    taken: set[str] = set()
    names: dict[int, str] = {}
    people = Person.objects.filter(somebody).only("username", "called")
    for person in people.distinct().order_by("pk"):
        name, number = str(person), 1
        while _heard(name) in taken:
            number += 1
            name = f"{person} ({number})"
        taken.add(_heard(name))
        names[person.pk] = name
    return names


def _heard(name: str) -> str:
    """A name as it is told from others: not by its letters' case or form, nor by its spaces."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def playing_umpire(campaign: Campaign) -> str:
    """The seat that an umpire of the campaign plays, or ""."""
    first = _umpired(campaign).first()
    return first.seat.code if first else ""


def umpired_seats(campaign: Campaign) -> frozenset[str]:
    """The seats that umpires of the campaign command now."""
    return frozenset([holder.seat.code for holder in _umpired(campaign)])


def _umpired(campaign: Campaign) -> QuerySet[Holder]:
    umpires = campaign.umpires.values_list("person", flat=True)
    held = Holder.objects.filter(seat__campaign=campaign, person__in=umpires, role=COMMANDER)
    return held.order_by("seat__pk").select_related("seat")


def speakers(campaign: Campaign, words: Iterable[str]) -> set[Person]:
    """Who speaks for some seats, and for "umpire": who commands them, and who umpires."""
    asked = set(words)
    commands = Person.objects.filter(
        holdings__seat__campaign=campaign, holdings__seat__code__in=asked, holdings__role=COMMANDER
    )
    umpires = Person.objects.filter(umpirings__campaign=campaign)
    return {*commands, *(umpires if UMPIRE in asked else ())}
