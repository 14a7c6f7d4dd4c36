"""Briefs as both campaigns hand them over, and battles fought alone with random answers."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from polemarque.kernel.battle_brief import Brief, Report, fitted, resolver
from polemarque.kernel.events import Event
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.records.keyed_dice import Seeded
from polemarque.kernel.request import Request
from polemarque.kernel.run import Runner
from polemarque.systems.atlantide.battle_brief import brief as atlantide_brief
from polemarque.systems.atlantide.setup.catalogue import load_catalogue
from polemarque.systems.atlantide.state import Battle, War
from polemarque.systems.atlantide.troops import Army
from polemarque.systems.mare_nostrum.chapters.battle import brief as mare_nostrum_brief
from polemarque.systems.mare_nostrum.state import Campaign
from tests.systems.atlantide.wars import war
from tests.systems.mare_nostrum.realms import HOMES, fleet, realm, specialist

SYSTEMS = ("batailles", "promiterra", "thucidide")
"""The resolvers that are battle systems."""


# Atlantide ---------------------------------------------------------------------------------------


def sample(people: str, place: str, entered: int = 0) -> Army:
    """The first sample army of a people."""
    lists = load_catalogue().peoples[people]
    units, heroes = [], []
    for number, (profile, count) in enumerate(
        ((e.profile, e.count) for e in lists.sample[0].units), 1
    ):
        found = lists.by_key[profile]
        if found.is_character:
            heroes.append(found.character(number))
        else:
            unit = found.unit(number, count)
            units.append(replace(unit, die=2) if unit.warband != "no" else unit)
    return Army(tuple(units), tuple(heroes), place, entered=entered)


def met(a: str = "mycenaeans", b: str = "", place: str = "m2", **options: Any) -> War:
    """A, who has come last, meets B on his land."""
    other = b or list(load_catalogue().peoples)[1]
    state = war(A=sample(a, place, entered=2), B=sample(other, place, entered=1))
    state = state.changed("A", next_id=50).changed("B", next_id=50)
    return replace(state, options=replace(state.options, **options))


def atlantide(name: str, state: War | None = None, place: str = "m2", **battle: Any) -> Brief:
    """The brief of a battle of Atlantide."""
    fought = Battle(place, "A", "B", scenario="pitched_battle", **battle)
    return atlantide_brief(state or met(place=place), fought, name)


# Mare Nostrum ------------------------------------------------------------------------------------


def invaded(**options: Any) -> Campaign:
    """A's army stands in the home of B, whose army awaits it with the Sacred Guard."""
    campaign = realm("AB", **options)
    return campaign.army_changed("A1", place=HOMES["B"], came=HOMES["A"])


def duel(campaign: Campaign, field: str, *pair: str) -> Brief:
    """The brief of two pieces that fight on a field."""
    attacker, defender = [campaign.piece(one) for one in pair]
    return mare_nostrum_brief(campaign, field, (attacker, defender), 1)


def mare_nostrum(name: str, campaign: Campaign | None = None) -> Brief:
    """The brief of an invasion of B's home."""
    return duel(campaign or invaded(resolver=name), HOMES["B"], "A1", "B1")


def at_sea(name: str) -> Brief:
    """The brief of a battle of two fleets."""
    campaign = realm("AB", resolver=name)
    zone = campaign.atlas.zones[0].id
    campaign = fleet(fleet(campaign, "A", zone), "B", zone)
    return duel(campaign, zone, "AF7", "BF7")


def with_priest(campaign: Campaign, seat: str) -> Campaign:
    """The campaign with a priest of War in a seat's first army."""
    return specialist(campaign, seat, "priest", god="war", joins=f"{seat}1")


# Fighting alone ----------------------------------------------------------------------------------


class Alone:
    """One battle, opened from its brief and fought to its end by random answers and dice."""

    def __init__(self, brief: Brief, seed: int = 0) -> None:
        self.brief = brief
        self.events: list[Event] = []
        self.rng = random.Random(seed)
        self.dice = Seeded(seed)
        self.runner = Runner(resolver(brief.resolver).open(brief), self.events.append)

    @property
    def request(self) -> Request:
        """The open question."""
        assert isinstance(self.runner.pending, Request)
        return self.runner.pending

    def step(self, *, absent: bool = False) -> None:
        """One throw or one answer: at random, or what the rules say for who is absent."""
        pending = self.runner.pending
        if isinstance(pending, RollRequest):
            fell = self.dice.throw(pending.roll, pending.key, (pending.decision, (), ()))
            self.runner.fall(pending.roll.check(fell))
            return
        seat = self.request.missing[0]
        options = self.request.options(seat)
        value = self.request.absent(seat) if absent else options.sample(self.rng)
        self.runner.say(seat, options.take(value))

    def restarted(self) -> Alone:
        """The same battle in another process, half-way through."""
        saved = encode_position(self.runner.position)
        self.runner = Runner(decode_position(saved), self.events.append)
        assert encode_position(self.runner.position) == saved
        return self

    def to_the_end(self, most: int = 20_000, *, absent: bool = False) -> Alone:
        """Fight it out, with a restart now and then."""
        for number in range(most):
            if self.runner.over:
                return self
            self.step(absent=absent)
            if number % 40 == 7:
                self.restarted()
        raise AssertionError(f"{self.brief.resolver}: no end")

    @property
    def report(self) -> Report:
        """What it gives back; it fits its brief."""
        assert self.runner.over
        return fitted(
            self.brief, resolver(self.brief.resolver).report(self.brief, self.runner.state)
        )

    def told(self, rule: str, kind: str) -> list[dict[str, Any]]:
        """The figures of the events of a rule and kind."""
        return [e.data for e in self.events if (e.rule, e.kind) == (rule, kind)]
