"""What is said of whoever lent a side, of what its guest has answered or not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from polemarque.club.clock.models import Reply
from polemarque.club.clock.response_times import reliability
from polemarque.club.models import Campaign, Guest
from polemarque.club.people.guests import send_home
from polemarque.club.people.roles import visit_of
from polemarque.club.umpire.dashboard import answer_absent
from tests.web.lent import battle_key, fighting, lent
from tests.web.test_guests import answered
from tests.web.world import World

pytestmark = pytest.mark.django_db


def open_for(there: World, hours: int) -> None:
    """The questions, to be answered within a day, were put so many hours ago."""
    Campaign.objects.filter(pk=there.campaign.pk).update(
        pace=24, asked=timezone.now() - timedelta(hours=hours), opened={}
    )
    there.campaign.refresh_from_db()


def counted(there: World) -> tuple[int, int, int]:
    """Of the lender: in time, late, absent."""
    kept = reliability(there.campaign)["A"]
    return kept.in_time, kept.late, kept.absent


def absent(there: World) -> None:
    """The rules answer what the battle asks of the lent side."""
    umpire = visit_of(there.fresh(), there.people["umpire"])
    answer_absent(umpire, battle_key(there), "form")


@pytest.mark.parametrize("hours", [1, 30])
def test_what_the_guest_answers_is_neither_credit_nor_fault_of_the_lender(hours: int) -> None:
    there = fighting()
    open_for(there, 0)
    lent(there)
    Guest.objects.update(came=timezone.now() - timedelta(hours=hours))
    open_for(there, hours)
    answered(there, "guest")
    assert counted(there) == (0, 0, 0)
    row = Reply.objects.get(person=there.people["guest"])
    assert row.late == (hours > 24)


def test_what_the_rules_answer_while_a_guest_has_the_side_is_no_miss_of_the_lender() -> None:
    there = fighting()
    lent(there)
    Guest.objects.update(came=timezone.now() - timedelta(hours=20))
    open_for(there, 30)
    absent(there)
    assert counted(there) == (0, 0, 0)


def test_what_the_lender_answers_himself_is_his() -> None:
    there = fighting()
    lent(there)
    open_for(there, 1)
    answered(there, "commander")
    assert counted(there) == (1, 0, 0)


@pytest.mark.parametrize("misses", [False, True])
def test_no_side_is_lent_to_be_rid_of_a_question_that_is_late(misses: bool) -> None:
    there = fighting()
    open_for(there, 30)
    lent(there)
    if misses:
        absent(there)
    else:
        answered(there, "guest")
    assert counted(there) == ((0, 0, 1) if misses else (0, 1, 0))


def test_a_side_that_was_taken_back_is_its_commanders_again() -> None:
    there = fighting()
    lent(there)
    open_for(there, 30)
    host = visit_of(there.fresh(), there.people["commander"])
    send_home(host, Guest.objects.get().pk)
    absent(there)
    assert counted(there) == (0, 0, 1)
