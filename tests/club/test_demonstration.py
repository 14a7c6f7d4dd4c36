"""A newcomer finds a campaign that is under way, and a seat in it."""

from __future__ import annotations

import pytest

from polemarque.club.clerk import let_play
from polemarque.club.demonstration import TURNS, demonstrate, give_seat
from polemarque.club.keeping import health
from polemarque.club.models import Campaign
from polemarque.club.roles import visit_of
from polemarque.club.tables import reading
from tests.club.people import person

pytestmark = pytest.mark.django_db


def test_it_is_made_once_and_waits_for_its_player() -> None:
    made = demonstrate("fr")
    assert demonstrate("en") == made
    assert Campaign.objects.count() == 1
    while let_play(made):
        pass
    with reading(made) as table:
        assert table.game.runner.period == TURNS
        asked = table.game.requests()
        assert asked  # programs seal once the people have
        assert all("A" in request.missing for request in asked)
    assert not health().faults


def test_the_first_who_comes_has_the_seat_and_others_watch() -> None:
    made = demonstrate("fr")
    first, second = person("first"), person("second")
    assert give_seat(first)
    assert not give_seat(second)
    assert visit_of(made, first).commands("A")
    assert visit_of(made, second).watches
    assert not visit_of(made, second).seats
