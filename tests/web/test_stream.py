"""What open pages hear: that there is something new, and nothing of what they may not know."""

from __future__ import annotations

import asyncio

import pytest
from django.db import DatabaseError

from polemarque.club.answers import seal
from polemarque.club.models import Campaign, Pulse
from polemarque.club.muster import Plan, begin, make, take_seat
from polemarque.club.reading import heard
from polemarque.club.roles import visit_of
from polemarque.club.tables import Table, reading
from polemarque.web import stream
from tests.club.people import asked, person, some_answer

pytestmark = pytest.mark.django_db


def played() -> Campaign:
    """Zoe umpires and plays A; ben plays B."""
    made = make("A test", Plan("atlantide", seats=3), person("zoe"), bots={"C": "steady"})
    take_seat(made, "B", person("ben"))
    return made


def test_who_sits_down_after_he_began_to_listen_hears_no_more_than_he_may() -> None:
    made = played()
    listens = visit_of(made, person("zoe"))
    assert not listens.seats
    take_seat(made, "A", person("zoe"))
    begin(made)
    before = heard(visit_of(made, person("zoe")), _table(made))
    seal(made, person("ben"), "B", asked(made, "B"), some_answer(made, "B"), once="b")
    assert stream._missed(listens, before) == before
    assert stream._missed(visit_of(made, person("ben")), before) > before
    seal(made, person("zoe"), "A", asked(made, "A"), some_answer(made, "A"), once="a")
    assert stream._missed(listens, before) > before


def test_marks_do_not_tell_what_came_between() -> None:
    made = played()
    first = Pulse.objects.create(campaign=made, kind="course")
    Pulse.objects.create(campaign=made, kind="ready", at=first.at)
    last = Pulse.objects.create(campaign=made, kind="course", at=first.at)
    assert last.pk == first.pk + 2
    assert last.mark == first.mark
    assert Pulse.marked(first.mark) == first.at


def _table(made: Campaign) -> Table:
    with reading(made) as table:
        return table


def test_the_poller_goes_on_after_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    def newest() -> int:
        looked.append(1)
        if len(looked) < 3:
            raise DatabaseError
        return 0

    async def three_looks() -> None:
        poller = stream.Poller()
        poller.start()
        while len(looked) < 4:
            await asyncio.sleep(0.01)
        await poller.end()

    monkeypatch.setattr(stream, "OFTEN", 0)
    monkeypatch.setattr(stream, "_newest", newest)
    asyncio.run(asyncio.wait_for(three_looks(), 20))
    assert len(looked) >= 4


def test_nobody_who_has_left_is_kept() -> None:
    async def come_and_go() -> dict[int, object]:
        poller = stream.Poller()
        queue = poller.listen(7)
        poller.leave(7, queue)
        return dict(poller._listeners)

    assert asyncio.run(come_and_go()) == {}
