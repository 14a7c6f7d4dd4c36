"""A club with one campaign, and everybody who could come to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from django.test import Client

from polemarque.bots.play import play_game
from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, sit_down, token_of
from polemarque.club.campaigns.session import read_lock, write_lock
from polemarque.club.models import MEMBER, Campaign, Invitation, Person, Receipt, Umpire, Watcher
from polemarque.club.orders.answers import seal
from polemarque.kernel.game import Game
from polemarque.kernel.request import Key, Request
from tests.web.people import browser

ROLES = (
    "anonymous", "stranger", "guest", "watcher", "adviser", "commander", "rival", "umpire",
    "playing",
)  # fmt: skip
"""Nobody known; an account without a part; the guest of one battle; a spectator; who advises seat
A; who commands it; who commands seat B; an umpire without a seat; the umpire of another campaign,
who commands seat A."""


@dataclass
class World:
    """One campaign of three seats, A to C, and its people; C is played by a program.

    playing: its umpire commands seat A, and nobody else does.
    """

    campaign: Campaign
    people: dict[str, Person] = field(default_factory=dict)

    def browser(self, role: str, **more: Any) -> Client:
        return browser(self.people.get(role), **more)

    def fresh(self) -> Campaign:
        return Campaign.objects.get(pk=self.campaign.pk)

    @property
    def head(self) -> str:
        return self.fresh().head


def person(name: str) -> Person:
    found, _ = Person.objects.get_or_create(username=name, defaults={"called": name.title()})
    return found


def world(
    *, begun: bool = True, playing: bool = False, turns: int = 0, system: str = "atlantide",
    seats: int = 3, options: dict[str, Any] | None = None, scenario: str = "",
) -> World:  # fmt: skip
    """A club in which the campaign is mustered, has begun, or has gone on (see `play_on`)."""
    plan = CampaignPlan(system, scenario, seats, options or {})
    codes = plan.header().seats
    names = [role for role in ROLES if role not in {"anonymous", "playing"}]
    people = {name: person(name) for name in names}
    made = make("Au gué", plan, people["umpire"], bots=dict.fromkeys(codes[2:], "steady"))
    sit_down(made, codes[0], people["umpire" if playing else "commander"])
    sit_down(made, codes[0], people["adviser"], MEMBER)
    sit_down(made, codes[1], people["rival"])
    Watcher.objects.create(campaign=made, person=people["watcher"])
    if playing:
        people["playing"] = people["umpire"]
    there = World(made, people)
    if begun:
        begin(made)
    if turns:
        play_on(there, turns)
    made.refresh_from_db()
    return there


def with_second(there: World) -> World:
    """The same with another umpire, who has no seat."""
    there.people["second"] = person("second")
    Umpire.objects.create(campaign=there.campaign, person=there.people["second"])
    return there


def play_on(there: World, until: int | Callable[[Game], bool]) -> None:
    """Have programs play all seats up to that turn, or until something is so."""

    def reached(game: Game) -> bool:
        game.settle()
        return game.runner.period >= until if isinstance(until, int) else until(game)

    with write_lock(there.campaign) as table:
        bots = dict.fromkeys(table.game.header.seats, "steady")
        play_game(table.game, bots, seed=1, stop=reached)


def open_key(there: World, seat: str) -> Key:
    """The first question that is open to a seat, answered or not."""
    with read_lock(there.campaign) as table:
        found = next(r for r in table.game.course.requests() if seat in r.seats)
        return found.keys[seat]


def answers_to(there: World, key: Key, how_many: int) -> list[Any]:
    """So many different answers to an open question."""
    found: list[Any] = []
    with read_lock(there.campaign) as table:
        _, request = table.game.runner.find(key)
        assert isinstance(request, Request)
        for number in range(400):
            answer = request.options(key.seat).sample(Random(number))
            if answer not in found:
                found.append(answer)
            if len(found) == how_many:
                return found
    raise AssertionError(f"{key} has not so many answers")


def sealed(there: World, seat: str, who: str, number: int = 0) -> Receipt:
    """Have somebody seal an answer for a seat, by the service."""
    key = open_key(there, seat)
    value = answers_to(there, key, number + 1)[number]
    receipt = seal(there.campaign, there.people[who], seat, key, value, once=f"{seat}{number}")
    assert receipt is not None
    return receipt


def invitation(there: World, seat: str = "", role: str = "") -> str:
    """The secret part of a link that nobody has used."""
    return token_of(Invitation.objects.create(campaign=there.campaign, seat=seat, role=role))
