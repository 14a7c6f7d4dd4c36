"""Several people at the same moment, on connections of their own to a database on the disk."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread

import pytest
from django.db import connections

from polemarque.club.demonstration import give_seat
from polemarque.club.models import MEMBER, Campaign, Entry, Holder, Person, Seeds
from polemarque.club.muster import Plan, accept, begin, invite, make, open_door
from polemarque.club.tables import reading
from polemarque.kernel.errors import Refusal


@pytest.fixture
def campaign(on_the_disk: None) -> Campaign:
    bots = {"A": "steady", "B": "steady"}
    return make("Au gué", Plan("batailles", "ford"), person("zoe"), bots=bots)


def person(name: str) -> Person:
    return Person.objects.create_user(name, password="x")


def at_once(do: Callable[[int], object], times: int = 4) -> list[str]:
    """Do something so many times at the same moment; the codes of what was refused."""
    ready, codes = Barrier(times), []

    def run(number: int) -> None:
        ready.wait()
        try:
            do(number)
        except Refusal as refusal:
            codes.append(refusal.code)
        finally:
            connections.close_all()

    threads = [Thread(target=run, args=(number,)) for number in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return codes


def test_of_several_with_one_link_one_comes_in(campaign: Campaign) -> None:
    token = invite(campaign, None, seat="B")
    people = [person(f"p{number}") for number in range(4)]
    assert at_once(lambda number: accept(token, people[number])) == ["invitation.used"] * 3
    assert campaign.seats.get(code="B").holders.count() == 1


def test_of_several_links_to_one_seat_one_leads_there(campaign: Campaign) -> None:
    tokens = [invite(campaign, None, seat="B") for _ in range(4)]
    people = [person(f"p{number}") for number in range(4)]
    codes = at_once(lambda number: accept(tokens[number], people[number]))
    assert codes == ["seat.taken"] * 3
    assert campaign.seats.get(code="B").holders.count() == 1
    assert campaign.invitations.filter(used=None).count() == 3


def test_of_newcomers_who_come_at_once_one_has_the_seat_that_is_shown(campaign: Campaign) -> None:
    Campaign.objects.update(show=True)
    campaign.seats.filter(code="A").update(bot="")
    people = [person(f"p{number}") for number in range(4)]
    for _ in range(5):
        given: list[bool] = []
        assert at_once(lambda number, to=given: to.append(give_seat(people[number]))) == []
        assert sorted(given) == [False, False, False, True]
        assert Holder.objects.count() == 1
        Holder.objects.all().delete()


def test_umpires_who_click_at_once_make_one_link(campaign: Campaign) -> None:
    zoe = Person.objects.get()
    assert at_once(lambda _: open_door(campaign, zoe, "B", MEMBER)) == []
    assert campaign.invitations.count() == 1


def test_umpires_who_start_at_once_begin_it_once(campaign: Campaign) -> None:
    codes = at_once(lambda _: begin(Campaign.objects.get(pk=campaign.pk)))
    assert codes == ["muster.begun"] * 3
    campaign.refresh_from_db()
    with reading(campaign) as table:
        assert table.count == campaign.count == Entry.objects.count() > 0
    assert Seeds.objects.count() == 1
