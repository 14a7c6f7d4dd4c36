"""What is kept of how soon people answer, and what is said of it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from polemarque.club.campaigns.lobby import CampaignPlan, make, sit_down
from polemarque.club.clock.models import Reply
from polemarque.club.clock.response_times import Record, everywhere, reliability
from polemarque.club.models import Campaign, Holder, Person
from polemarque.club.orders.answers import seal
from polemarque.club.orders.taking_back import take_back
from polemarque.club.people.roles import visit_of
from polemarque.club.umpire.dashboard import answer_absent
from tests.club.people import asked, campaign, person, some_answer
from tests.web.people import browser, said, way

pytestmark = pytest.mark.django_db


def open_for(made: Campaign, hours: int, pace: int = 24) -> None:
    Campaign.objects.filter(pk=made.pk).update(
        pace=pace, asked=timezone.now() - timedelta(hours=hours), opened={}
    )
    made.refresh_from_db()


def answered(made: Campaign, seat: str, number: int = 0) -> None:
    key, value = asked(made, seat), some_answer(made, seat, number)
    seal(made, person(seat.lower()), seat, key, value, once=f"{seat}{number}")


def counted(made: Campaign, seat: str) -> tuple[int, int, int, int]:
    kept = reliability(made)[seat]
    return kept.in_time, kept.late, kept.absent, kept.free


def test_answers_are_counted_as_they_came() -> None:
    made = campaign("atlantide", seats=4)
    open_for(made, 10)
    answered(made, "A")
    open_for(made, 30)
    answered(made, "B")
    answer_absent(visit_of(made, person("zoe")), asked(made, "C"), "form")
    assert counted(made, "A") == (1, 0, 0, 0)
    assert counted(made, "B") == (0, 1, 0, 0)
    assert counted(made, "C") == (0, 0, 1, 0)
    assert counted(made, "D") == (0, 0, 0, 0)
    row = Reply.objects.get(seat="A")
    assert abs(row.at - row.asked - timedelta(hours=10)) < timedelta(minutes=1)


def test_a_person_is_counted_in_all_campaigns() -> None:
    for _ in range(2):
        made = campaign("atlantide", seats=3)
        open_for(made, 30)
        answered(made, "A")
    kept = everywhere([person("a").pk, person("b").pk])
    assert kept.keys() == {person("a").pk} and kept[person("a").pk].late == 2
    assert counted(made, "A") == (0, 1, 0, 0)
    desk = said(browser(person("zoe")).get(way("desk", made)))
    assert "In all their campaigns: 0 in time, 2 late, 0 for the absent." in desk


def test_an_umpire_reads_it_while_seats_are_filled_and_nobody_else() -> None:
    made = campaign("atlantide", seats=3)
    open_for(made, 30)
    answered(made, "A")
    new = make("Another", CampaignPlan("batailles"), person("zoe"))
    sit_down(new, "A", person("a"))
    words = "0 in time, 1 late"
    assert words in said(browser(person("zoe")).get(way("campaign", new)))
    assert words not in said(browser(person("a")).get(way("campaign", new)))


def test_without_a_limit_nobody_is_in_time_or_late() -> None:
    made = campaign("atlantide", seats=3)
    open_for(made, 1000, pace=0)
    answered(made, "A")
    assert counted(made, "A") == (0, 0, 0, 1)


def test_a_question_counts_once_by_its_first_answer() -> None:
    made = campaign("atlantide", seats=3)
    open_for(made, 10)
    answered(made, "A")
    take_back(made, "A")
    open_for(made, 30)
    answered(made, "A", 1)
    assert counted(made, "A") == (1, 0, 0, 0)


def test_programs_are_not_counted() -> None:
    made = campaign("atlantide", seats=3, held=1)
    answered(made, "A")
    assert {row.seat for row in Reply.objects.all()} == {"A"}


def kept(made: Campaign, seat: str, *hours: int, given: int = 24) -> None:
    """Replies that took so many hours."""
    now = timezone.now()
    for number, taken in enumerate(hours):
        Reply.objects.create(
            campaign=made, seat=seat, person=person(seat.lower()), key=f"{seat}{number}",
            asked=now, at=now + timedelta(hours=taken), due=now + timedelta(hours=given),
        )  # fmt: skip


def test_what_somebody_usually_takes() -> None:
    made = campaign("atlantide", seats=4)
    kept(made, "A", 1, 2)
    kept(made, "B", 1, 20, 5)
    kept(made, "C", 1, 18, 30)
    found = reliability(made)
    assert found["A"].usual is None and not found["A"].slow, "two are too few"
    assert (found["B"].usual, found["B"].slow) == (timedelta(hours=5), False)
    assert (found["C"].usual, found["C"].slow) == (timedelta(hours=18), True)
    assert (found["C"].in_time, found["C"].late) == (2, 1)


def test_a_new_commander_begins_anew_and_an_account_takes_its_replies_along() -> None:
    made = campaign("atlantide", seats=3)
    kept(made, "A", 1, 2, 3)
    Holder.objects.filter(seat__code="A").update(person=person("ann"))
    assert reliability(made)["A"] == Record()
    Holder.objects.filter(seat__code="A").update(person=person("a"))
    assert counted(made, "A") == (3, 0, 0, 0)
    Person.objects.get(username="a").delete()
    assert not Reply.objects.exists()
