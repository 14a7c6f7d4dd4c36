"""Dates of battles on the table: who agrees, who reads them, and what becomes of lateness."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from polemarque.bridges.tabletop import blank
from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import readiness
from polemarque.club.clock.battle_dates import agree, booked, held_up, propose_date, refuse, strike
from polemarque.club.clock.deadlines import deadline, overdue
from polemarque.club.clock.models import Meeting
from polemarque.club.models import Campaign, Holder, Person, Umpire, Watcher
from polemarque.club.orders.answers import seal
from polemarque.club.people.roles import Visit, visit_of
from polemarque.club.umpire.dashboard import may_answer_absent, owing, remind
from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate
from tests.club.people import asked, battle_on_the_table, kept, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Campaign:
    found = kept(battle_on_the_table())
    Campaign.objects.filter(pk=found.pk).update(pace=24)
    found.refresh_from_db()
    return found


def visit(made: Campaign, name: str) -> Visit:
    return visit_of(made, person(name))


def path(made: Campaign) -> str:
    with read_lock(made) as table:
        return table.game.runner.branches[0][1].path


def soon(days: float = 10) -> datetime:
    return timezone.now() + timedelta(days=days)


def open_for(made: Campaign, hours: int) -> None:
    """The questions were put so many hours ago."""
    Campaign.objects.filter(pk=made.pk).update(
        asked=timezone.now() - timedelta(hours=hours), opened={}
    )
    made.refresh_from_db()


def only(made: Campaign, name: str) -> Any:
    with read_lock(made) as table:
        (found,) = booked(visit(made, name), table)
    return found


def test_a_date_holds_once_the_other_side_has_agreed(made: Campaign) -> None:
    at = soon()
    put = propose_date(visit(made, "a"), path(made), at, "club hall")
    assert put.agreed is None and only(made, "b").may_agree and not only(made, "a").may_agree
    assert only(made, "b").awaited == ("B",) and only(made, "zoe").awaited == ("B",)
    with pytest.raises(OutOfDate, match=r"meeting\.other"):
        agree(visit(made, "b"), path(made), put.pk + 1)
    agree(visit(made, "b"), path(made), put.pk)
    found = only(made, "a")
    assert found.proposed is None and (found.agreed.at, found.agreed.where) == (at, "club hall")
    agree(visit(made, "b"), path(made), put.pk)  # the same click twice
    assert Meeting.objects.count() == 1


def test_the_date_that_holds_stands_until_both_agree_on_another(made: Campaign) -> None:
    first = propose_date(visit(made, "a"), path(made), soon(3), "")
    agree(visit(made, "b"), path(made), first.pk)
    other = propose_date(visit(made, "b"), path(made), soon(5), "")
    assert only(made, "a").agreed.number == first.pk
    assert only(made, "a").proposed.number == other.pk
    with pytest.raises(OutOfDate):
        refuse(visit(made, "a"), path(made), first.pk)
    agree(visit(made, "a"), path(made), other.pk)
    assert [row.pk for row in Meeting.objects.all()] == [other.pk]
    assert propose_date(visit(made, "a"), path(made), other.at, "").pk == other.pk
    assert Meeting.objects.count() == 1


def test_a_second_proposal_takes_the_place_of_the_first(made: Campaign) -> None:
    first = propose_date(visit(made, "a"), path(made), soon(3), "")
    propose_date(visit(made, "b"), path(made), soon(4), "")
    with pytest.raises(OutOfDate):
        agree(visit(made, "b"), path(made), first.pk)
    (row,) = Meeting.objects.all()
    assert row.words == ["B"] and row.agreed is None
    # Who proposes what the other has proposed has agreed to it.
    assert propose_date(visit(made, "a"), path(made), row.at, "").agreed


def test_an_umpire_proposes_and_both_sides_agree(made: Campaign) -> None:
    put = propose_date(visit(made, "zoe"), path(made), soon(), "")
    agree(visit(made, "a"), path(made), put.pk)
    assert only(made, "a").agreed is None and only(made, "a").awaited == ("B",)
    agree(visit(made, "b"), path(made), put.pk)
    with pytest.raises(NotAllowed):
        strike(visit(made, "a"), path(made), put.pk)
    strike(visit(made, "zoe"), path(made), put.pk)
    assert not Meeting.objects.exists()


def test_an_umpire_speaks_for_a_side_without_people(made: Campaign) -> None:
    Holder.objects.filter(seat__code="B").delete()
    put = propose_date(visit(made, "a"), path(made), soon(), "")
    assert put.agreed is None and only(made, "a").awaited == ("umpire",)
    agree(visit(made, "zoe"), path(made), put.pk)
    assert only(made, "a").agreed is not None


def test_others_have_no_say_and_read_the_hour_alone(made: Campaign) -> None:
    Watcher.objects.create(campaign=made, person=person("eve"))
    put = propose_date(visit(made, "a"), path(made), soon(), "at my door")
    assert only(made, "eve").proposed is None and only(made, "eve").awaited == ()
    for act in (agree, refuse):
        with pytest.raises(NotAllowed, match="not_yours"):
            act(visit(made, "eve"), path(made), put.pk)
    with pytest.raises(NotAllowed, match="not_yours"):
        propose_date(visit(made, "eve"), path(made), soon(), "")
    agree(visit(made, "b"), path(made), put.pk)
    seen = only(made, "eve").agreed
    assert (seen.at, seen.where, seen.by) == (put.at, "", "")


@pytest.mark.parametrize("days", [-1, 0, 366])
def test_an_hour_that_cannot_be_is_refused(made: Campaign, days: int) -> None:
    with pytest.raises(NotUnderstood, match=r"meeting\.when"):
        propose_date(visit(made, "a"), path(made), soon(days), "")
    for where in ("x" * 121, "a\nb"):
        with pytest.raises(NotUnderstood, match=r"meeting\.where"):
            propose_date(visit(made, "a"), path(made), soon(), where)
    with pytest.raises(OutOfDate):
        propose_date(visit(made, "a"), "1-nowhere", soon(), "")
    assert not Meeting.objects.exists()


def test_nobody_is_late_before_the_day_after_the_date(made: Campaign) -> None:
    key = asked(made, "A")
    open_for(made, 30)
    assert overdue(made, [key])
    at = soon(1)
    put = propose_date(visit(made, "a"), path(made), at, "")
    assert overdue(made, [key]), "a proposal alone gives no time"
    agree(visit(made, "b"), path(made), put.pk)
    assert deadline(made, [key]) == at + timedelta(hours=24) and not overdue(made, [key])
    Campaign.objects.filter(pk=made.pk).update(pace=500)
    made.refresh_from_db()
    assert deadline(made, [key]) == at + timedelta(hours=24), "rather than the pace"
    Campaign.objects.filter(pk=made.pk).update(pace=0)
    made.refresh_from_db()
    assert deadline(made, [key]) == at + timedelta(hours=24)
    Meeting.objects.update(at=timezone.now() - timedelta(hours=25))
    assert overdue(made, [key])


def test_a_date_of_before_the_question_counts_no_more(made: Campaign) -> None:
    put = propose_date(visit(made, "a"), path(made), soon(1), "")
    agree(visit(made, "b"), path(made), put.pk)
    Meeting.objects.update(at=made.asked - timedelta(hours=1))
    key = asked(made, "A")
    assert deadline(made, [key]) == made.asked + timedelta(hours=24)


def test_nobody_is_reminded_before_the_hour(made: Campaign) -> None:
    zoe = visit(made, "zoe")

    def may_remind() -> set[str]:
        with read_lock(made) as table:
            owings = owing(zoe, table, readiness(zoe, table, "en"))
            return {each.seat for each in owings if each.may_remind}

    assert may_remind() == {"A", "B"}
    put = propose_date(visit(made, "a"), path(made), soon(), "")
    agree(visit(made, "b"), path(made), put.pk)
    assert may_remind() == set()
    with pytest.raises(NotAllowed, match=r"desk\.date_to_come"):
        remind(zoe, "A")
    Meeting.objects.update(at=timezone.now() - timedelta(minutes=1))
    assert may_remind() == {"A", "B"}
    remind(zoe, "A")


def test_an_umpire_who_plays_waits_for_the_date_where_there_is_no_pace(made: Campaign) -> None:
    Campaign.objects.filter(pk=made.pk).update(pace=0)
    Umpire.objects.create(campaign=made, person=person("a"))
    made.refresh_from_db()
    key = asked(made, "B")
    assert not may_answer_absent(visit(made, "a"), key), "without a limit nothing is late"
    assert may_answer_absent(visit(made, "zoe"), key)
    put = propose_date(visit(made, "a"), path(made), soon(), "")
    agree(visit(made, "b"), path(made), put.pk)
    assert not may_answer_absent(visit(made, "a"), key)
    with pytest.raises(NotAllowed):
        strike(visit(made, "a"), path(made), put.pk)
    Meeting.objects.update(at=timezone.now() - timedelta(hours=25))
    Campaign.objects.filter(pk=made.pk).update(asked=timezone.now() - timedelta(days=9))
    made.refresh_from_db()
    assert may_answer_absent(visit(made, "a"), key)


def test_dates_go_with_their_battle_and_with_whoever_proposed_them(made: Campaign) -> None:
    where = path(made)
    put = propose_date(visit(made, "a"), where, soon(), "")
    agree(visit(made, "b"), where, put.pk)
    Person.objects.get(username="a").delete()
    assert not Meeting.objects.exists()
    with read_lock(made) as table:
        sheet = blank(table.game.runner.branches[0][0]) | {"result": "attacker"}
    for seat in "AB":
        key = asked(made, seat)
        seal(made, person(seat.lower()), seat, key, sheet, once=seat)
    with read_lock(made) as table:
        assert booked(visit(made, "zoe"), table) == [] and held_up(table) == []
    with pytest.raises(OutOfDate, match="no_battle"):
        propose_date(visit(made, "zoe"), where, soon(), "")


def test_all_who_do_not_fight_wait_for_the_battles() -> None:
    made = kept(battle_on_the_table(4))
    with read_lock(made) as table:
        fighting = {side.seat for brief, _ in table.game.runner.branches for side in brief.sides}
        waiting = [seat for seat in "ABCD" if seat not in fighting]
        assert waiting and held_up(table) == waiting
