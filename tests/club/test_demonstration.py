"""A newcomer finds a campaign that is under way, and a seat in it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from polemarque.api.bots import fill
from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.demonstration import TURNS, demonstrate, give_seat
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import Campaign
from polemarque.club.people.roles import visit_of
from polemarque.club.server.backup import health
from polemarque.kernel.request import Path as Way
from polemarque.systems.atlantide.supply import is_supplied
from tests.club.people import person

pytestmark = pytest.mark.django_db


def test_it_is_made_once_and_waits_for_its_player() -> None:
    made = demonstrate("fr")
    assert demonstrate("en") == made
    assert Campaign.objects.count() == 1
    free = made.seats.get(bot="").code
    while let_play(made):
        pass
    with read_lock(made) as table:
        assert table.game.runner.period >= TURNS
        asked = table.game.requests()
        assert asked  # programs seal once the people have
        assert all(free in request.missing for request in asked)
    assert not health().faults


@pytest.mark.parametrize("number", range(4))
def test_its_player_begins_soundly_and_first_moves_an_army(number: int) -> None:
    made = demonstrate("fr")  # of its own dice each time
    seat = made.seats.get(bot="").code
    with read_lock(made) as table:
        (request,) = table.game.requests()
        assert (request.rule, request.missing) == ("AT-7.2", (seat,))
        goals: list[str] = []

        def part(_: str, inner: Any) -> Any:
            if isinstance(inner, Way):
                goals.extend(inner.ways)
            return inner.sample(Random(1))

        fill(request.options(seat), part)
        war = table.game.state
    assert len(goals) > 1  # territories to be chosen on the map
    land = {code: len(war.lands_of(code)) for code in war.seats}
    assert land[seat] > min(land.values()) and land[seat] * 4 >= sum(land.values())
    assert is_supplied(war, seat) and war.seats[seat].army is not None


def test_the_first_who_comes_has_the_seat_and_others_watch() -> None:
    made = demonstrate("fr")
    first, second = person("first"), person("second")
    assert give_seat(first)
    assert not give_seat(second)
    assert visit_of(made, first).commands(made.seats.get(bot="").code)
    assert visit_of(made, second).watches
    assert not visit_of(made, second).seats
