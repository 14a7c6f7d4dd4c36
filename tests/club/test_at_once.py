"""Several people at the same moment, on connections of their own to a database on the disk."""

from __future__ import annotations

from collections.abc import Callable
from threading import Barrier, Thread

import pytest
from django.db import connections

from polemarque.club.campaigns.demonstration import give_seat
from polemarque.club.campaigns.lobby import CampaignPlan, accept, begin, invite, make, open_door
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import MEMBER, Campaign, Entry, Holder, Person, Seeds
from polemarque.club.orders.answers import seal
from polemarque.club.transfer.models import outing_of
from polemarque.club.transfer.outgoing import file_of, recall, take
from polemarque.club.transfer.package import opened, read_parcel
from polemarque.club.transfer.returning import bring, prove_here
from polemarque.kernel.errors import Refusal
from polemarque.kernel.records.record import Moved
from tests.club.people import asked, some_answer
from tests.club.people import campaign as campaign_of
from tests.club.people import person as person_of
from tests.club.transfers import evening


@pytest.fixture
def campaign(on_the_disk: None) -> Campaign:
    bots = {"A": "steady", "B": "steady"}
    return make("Au gué", CampaignPlan("batailles", "ford"), person("zoe"), bots=bots)


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
    with read_lock(campaign) as table:
        assert table.count == campaign.count == Entry.objects.count() > 0
    assert Seeds.objects.count() == 1


def test_an_answer_comes_before_a_campaign_leaves_or_is_refused(on_the_disk: None) -> None:
    home = campaign_of("mare_nostrum", seats=4)
    given = {seat: (asked(home, seat), some_answer(home, seat)) for seat in "ABCD"}

    def do(number: int) -> None:
        if number == 2:
            take(Campaign.objects.get(pk=home.pk), None)
            return
        seat = "ABCD"[number]
        key, value = given[seat]
        seal(Campaign.objects.get(pk=home.pk), person_of(seat.lower()), seat, key, value, once=seat)

    codes = at_once(do)
    assert set(codes) <= {"hall.out"}
    outing = outing_of(home)
    assert outing is not None
    assert home.receipts.count() == 3 - len(codes)
    assert all([kept.number < outing.number for kept in home.receipts.all()])
    cargo = opened(read_parcel(file_of(outing)), outing.code)
    assert len(cargo.lines) == outing.number == Campaign.objects.get(pk=home.pk).count


def test_of_two_who_bring_one_evening_back_one_is_told_that_it_is_there(on_the_disk: None) -> None:
    home = campaign_of("batailles")
    raw = evening(take(home, None), 3)
    parcel = read_parcel(raw)
    codes = at_once(
        lambda _: bring(Campaign.objects.get(pk=home.pk), parcel, None, prove_here), times=3
    )
    assert codes == ["hall.brought"] * 2
    with read_lock(Campaign.objects.get(pk=home.pk)) as table:
        assert [e.what for e in table.game.entries if isinstance(e, Moved)] == ["taken", "brought"]


def test_of_calling_back_and_bringing_one_is_done(on_the_disk: None) -> None:
    home = campaign_of("batailles")
    parcel = read_parcel(evening(take(home, None), 3))

    def do(number: int) -> None:
        there = Campaign.objects.get(pk=home.pk)
        if number:
            recall(there, None)
        else:
            bring(there, parcel, None, prove_here)

    (code,) = at_once(do, times=2)
    assert code in {"hall.recalled", "hall.not_out"}
    assert home.outings.get().ended is not None
    assert (home.outings.get().returned is None) == (code == "hall.recalled")
