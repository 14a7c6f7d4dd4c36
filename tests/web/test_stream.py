"""What open pages hear: that there is something new, and nothing of what they may not know."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.contrib.sessions.backends.db import SessionStore
from django.db import DatabaseError

from polemarque.club.campaigns.lobby import CampaignPlan, begin, clear_seat, make, take_seat
from polemarque.club.campaigns.session import SEALED, LiveCampaign, read_lock
from polemarque.club.campaigns.visibility import heard
from polemarque.club.models import Campaign, Person, Pulse
from polemarque.club.orders.answers import seal
from polemarque.club.people.roles import Visit, visit_of
from polemarque.web import access, stream
from tests.club.people import asked, person, some_answer
from tests.web.people import browser

pytestmark = pytest.mark.django_db


def played() -> Campaign:
    """Zoe umpires and plays A; ben plays B."""
    made = make("A test", CampaignPlan("atlantide", seats=3), person("zoe"), bots={"C": "steady"})
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
    assert missed(listens, before) == before
    assert missed(visit_of(made, person("ben")), before) > before
    seal(made, person("zoe"), "A", asked(made, "A"), some_answer(made, "A"), once="a")
    assert missed(listens, before) > before


def missed(visit: Visit, mark: int) -> int:
    """The mark of what a browser hears first that was away since that one."""
    return stream._missed(visit, mark)[1]


def test_marks_do_not_tell_what_came_between() -> None:
    made = played()
    first = Pulse.objects.create(campaign=made, kind="course")
    Pulse.objects.create(campaign=made, kind="ready", at=first.at)
    last = Pulse.objects.create(campaign=made, kind="course", at=first.at)
    assert last.pk == first.pk + 2
    assert last.mark == first.mark
    assert Pulse.marked(first.mark) == first.at


def _table(made: Campaign) -> LiveCampaign:
    with read_lock(made) as table:
        return table


@pytest.mark.parametrize("begun", [False, True])
def test_a_page_that_is_made_while_something_happens_hears_of_it(
    begun: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have read the campaign before: what it shows is older than that."""
    made = played()
    if begun:
        take_seat(made, "A", person("zoe"))
        begin(made)
    happened = list[Pulse]()

    def meanwhile(campaign: Campaign, user: Person, *more: int) -> Visit:
        happened.append(Pulse.objects.create(campaign=made, kind="course"))
        return visit_of(campaign, user, *more)

    monkeypatch.setattr(access, "visit_of", meanwhile)
    page = browser(person("ben")).get(f"/c/{made.code}/", follow=True)
    (mark,) = {int(each) for each in re.findall(r'data-heard="(\d+)"', page.content.decode())}
    assert mark < happened[-1].mark


def test_who_begins_to_listen_while_the_pulses_are_read_hears_what_comes_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody listened before; they have looked for what they missed already."""
    made, poller, queues = played(), stream.Poller(), list[asyncio.Queue[Pulse | None]]()
    newest, after = stream._newest, stream._after

    def meanwhile() -> None:
        queues.append(poller.listen(made.pk))
        Pulse.objects.create(campaign=made, kind="course")

    last = newest()
    monkeypatch.setattr(stream, "_newest", lambda: (meanwhile(), newest())[1])
    monkeypatch.setattr(stream, "_after", lambda number: (meanwhile(), after(number))[1])
    async_to_sync(poller._look)(last)
    assert queues[0].qsize() == 1


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
    monkeypatch.setattr(stream, "_after", lambda last: [looked.append(last)][1:])
    asyncio.run(asyncio.wait_for(three_looks(), 20))
    assert len(looked) >= 4


def session_of(who: Person) -> str:
    client = browser(who)
    return str(client.session.session_key)


def test_who_signs_out_or_loses_his_part_hears_no_more() -> None:
    made = played()
    ben = person("ben")
    listens, session = visit_of(made, ben), session_of(ben)
    assert stream._still(listens, session)
    assert not stream._still(listens, session_of(person("zoe")))
    assert not stream._still(listens, "")
    clear_seat(made, "B")
    assert not stream._still(listens, session)
    take_seat(made, "B", ben)
    assert stream._still(listens, session)
    SessionStore(session).flush()
    assert not stream._still(listens, session)
    again = session_of(ben)
    ben.set_password("lance-de-frene")
    ben.save()
    assert not stream._still(listens, again)


def heard_by(who: Visit, pulses: list[Pulse], patch: pytest.MonkeyPatch, since: int) -> list[int]:
    """The marks that an open page hears of these pulses, its person being signed in."""
    poller, session = stream.Poller(), session_of(who.person)
    patch.setattr(stream.Poller, "the", lambda: poller)

    async def listen() -> list[bytes]:
        listening = stream._stream(who, since, session)
        first = await anext(listening)
        (queue,) = poller._listeners[who.campaign.pk]
        for pulse in [*pulses, None]:  # and then the server ends
            queue.put_nowait(pulse)
        return [first, *[each async for each in listening]]

    retry, *said = async_to_sync(listen)()
    assert retry == b"retry: 2000\n\n"
    marks = [int(each.decode().splitlines()[0].removeprefix("id: ")) for each in said]
    assert said == [stream._event(mark) for mark in marks]
    return marks


def test_an_open_page_of_an_umpire_who_plays_hears_of_no_sealed_answer_before_his_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = played()
    take_seat(made, "A", person("zoe"))
    begin(made)
    zoe, ben = visit_of(made, person("zoe")), visit_of(made, person("ben"))
    before = heard(zoe, _table(made))
    seal(made, person("ben"), "B", asked(made, "B"), some_answer(made, "B"), once="b")
    told = list(made.pulses.filter(at__gt=Pulse.marked(before)).order_by("pk"))
    assert told and {pulse.kind for pulse in told} == {SEALED}
    assert heard_by(zoe, told, monkeypatch, before) == []
    later = Pulse.objects.create(campaign=made, kind="course")
    assert heard_by(zoe, [*told, later], monkeypatch, before) == [later.mark]
    new = Pulse.objects.create(campaign=made, kind=SEALED)
    assert heard_by(ben, [*told, later, new], monkeypatch, later.mark) == [new.mark]


def test_a_clock_that_is_set_back_silences_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    made = played()
    ben = visit_of(made, person("ben"))
    first = Pulse.objects.create(campaign=made, kind="course")
    back = first.at - timedelta(minutes=2)
    second, third = [
        Pulse.objects.create(campaign=made, kind="course", at=back + timedelta(seconds=n))
        for n in (0, 1)
    ]
    assert missed(ben, first.mark) == third.mark
    assert missed(ben, second.mark) == third.mark and missed(ben, third.mark) == third.mark
    assert heard_by(ben, [first, second, third], monkeypatch, first.mark) == [third.mark]
    last = Pulse(pk=third.pk + 1, campaign=made, kind="course", at=back)
    assert heard_by(ben, [second, third, last], monkeypatch, third.mark) == [last.mark]


@pytest.mark.parametrize("silent", [True, False])
def test_a_stream_ends_with_its_listener(monkeypatch: pytest.MonkeyPatch, silent: bool) -> None:
    made = played()
    poller = stream.Poller()
    monkeypatch.setattr(stream.Poller, "the", lambda: poller)
    monkeypatch.setattr(stream, "PING", 0.01 if silent else 60.0)
    left = iter([True, True, False])
    monkeypatch.setattr(stream, "_still", lambda *_: next(left) if silent else False)

    async def heard_until_the_end() -> list[bytes]:
        listening = stream._stream(visit_here, None, "")
        first = await anext(listening)
        for queue in poller._listeners[made.pk]:
            if not silent:
                queue.put_nowait(Pulse(campaign=made, kind="course"))
        return [first, *[each async for each in listening]]

    visit_here = visit_of(made, person("ben"))
    said = asyncio.run(asyncio.wait_for(heard_until_the_end(), 20))
    assert said == [b"retry: 2000\n\n", *[b": still here\n\n"] * (2 if silent else 0)]
    assert not poller._listeners


def test_nobody_who_has_left_is_kept() -> None:
    async def come_and_go() -> dict[int, object]:
        poller = stream.Poller()
        queue = poller.listen(7)
        poller.leave(7, queue)
        return dict(poller._listeners)

    assert asyncio.run(come_and_go()) == {}
