"""Absences: no time runs against whoever has announced one, from when he has; who reads of it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import readiness
from polemarque.club.clock.deadlines import (
    announce,
    announced,
    away,
    come_back,
    deadline,
    overdue,
    span,
)
from polemarque.club.clock.models import Absence
from polemarque.club.clock.timetable import stretched
from polemarque.club.models import Campaign, Holder, Person, Umpire, Watcher
from polemarque.club.people.roles import visit_of
from polemarque.club.umpire.dashboard import may_answer_absent
from polemarque.kernel.errors import NotUnderstood
from tests.club.people import asked, campaign, person

pytestmark = pytest.mark.django_db


def day(number: int, hour: int = 0) -> datetime:
    """An hour of March 2026."""
    return datetime(2026, 3, number, hour, tzinfo=UTC)


def absence(since: int, until: int, made: datetime | None = None) -> Absence:
    """From one day of March 2026 to another."""
    return Absence(
        since=date(2026, 3, since), until=date(2026, 3, until),
        made=made or datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("absences", "due"),
    [
        ([], day(3)),
        ([(1, 1)], day(3)),  # he came back before it was put
        ([(3, 9)], day(3)),  # it was due as he left
        ([(2, 2)], day(4)),
        ([(2, 9)], day(11)),
        ([(1, 5)], day(7)),  # put while he was away: he has his day from his return
        ([(2, 2), (4, 5)], day(4)),  # due as he leaves again
        ([(4, 4), (2, 3)], day(6)),
    ],
)
def test_the_time_of_a_question_stands_still(
    absences: list[tuple[int, int]], due: datetime
) -> None:
    """It is put as the second of March begins, to be answered within a day."""
    assert stretched(day(2), timedelta(days=1), [span(absence(*each)) for each in absences]) == due


def test_an_absence_counts_from_when_it_was_announced() -> None:
    given = timedelta(days=2)
    assert stretched(day(2), given, [span(absence(3, 9, made=day(5)))]) == day(4), (
        "it was late by then"
    )
    announced_late = span(absence(3, 9, made=day(3, 12)))
    assert stretched(day(2), given, [announced_late]) == day(4) + timedelta(days=6, hours=12)


def test_what_an_absence_and_an_evening_in_the_hall_share_counts_once() -> None:
    away, hall = span(absence(3, 4)), (day(4, 12), day(6))
    given = timedelta(days=2)
    assert stretched(day(2), given, [hall, away]) == day(7)
    assert stretched(day(2), given, [away, away]) == stretched(day(2), given, [away]) == day(6)


def test_days_that_cannot_be_are_refused() -> None:
    ann, today = person("ann"), timezone.localdate()
    for since, until in ((-1, 3), (3, 2), (0, 366)):
        with pytest.raises(NotUnderstood, match=r"away\.days"):
            announce(ann, today + timedelta(days=since), today + timedelta(days=until))
    with pytest.raises(NotUnderstood, match=r"away\.long"):
        announce(ann, today, today + timedelta(days=30))
    announce(ann, today, today + timedelta(days=29))
    with pytest.raises(NotUnderstood, match=r"away\.long"):
        announce(ann, today + timedelta(days=30), today + timedelta(days=30))
    assert Absence.objects.count() == 1


def test_days_that_touch_are_one_absence() -> None:
    ann, today = person("ann"), timezone.localdate()

    def on(days: int) -> date:
        return today + timedelta(days=days)

    announce(ann, on(4), on(5))
    announce(ann, on(9), on(9))
    announce(person("ben"), on(6), on(6))
    announce(ann, on(6), on(7))
    assert [(each.since, each.until) for each in announced(ann)] == [(on(4), on(7)), (on(9), on(9))]


def test_whoever_is_back_early_has_been_away() -> None:
    ann, ben, today = person("ann"), person("ben"), timezone.localdate()
    begun = announce(ann, today, today + timedelta(days=5))
    come_back(ben, begun.pk)
    assert announced(ann), "another's"
    Absence.objects.update(since=today - timedelta(days=2))
    come_back(ann, begun.pk)
    (kept,) = Absence.objects.all()
    assert kept.until == today - timedelta(days=1) and announced(ann) == []
    later = announce(ann, today + timedelta(days=3), today + timedelta(days=5))
    come_back(ann, later.pk)
    assert Absence.objects.count() == 1
    come_back(ann, kept.pk)
    assert Absence.objects.count() == 1, "what is past stands"


def paced(made: Campaign, hours_ago: int) -> None:
    Campaign.objects.filter(pk=made.pk).update(
        pace=24, asked=timezone.now() - timedelta(hours=hours_ago), opened={}
    )
    made.refresh_from_db()


def test_nobody_is_late_while_he_is_away() -> None:
    made = campaign("atlantide", seats=3)
    keys = {seat: asked(made, seat) for seat in "ABC"}
    paced(made, 10)
    today = timezone.localdate()
    announce(person("b"), today, today + timedelta(days=3))
    Absence.objects.update(since=today - timedelta(days=2), made=timezone.now())
    paced(made, 30)
    assert overdue(made, [keys["A"]]) and overdue(made, [keys["A"], keys["B"]])
    Absence.objects.update(made=timezone.now() - timedelta(hours=10))
    assert not overdue(made, [keys["B"]])
    limit = deadline(made, [keys["B"]])
    assert limit is not None and limit.date() >= today + timedelta(days=4)
    Umpire.objects.create(campaign=made, person=person("a"))
    assert may_answer_absent(visit_of(made, person("a")), keys["C"])
    assert not may_answer_absent(visit_of(made, person("a")), keys["B"])
    assert may_answer_absent(visit_of(made, person("zoe")), keys["B"]), "a neutral one decides"
    Holder.objects.filter(seat__code="B").update(person=person("ann"))
    assert overdue(made, [keys["B"]]), "it is the commander's absence, not the seat's"


def test_who_reads_of_an_absence() -> None:
    made = campaign("atlantide", seats=3)
    today = timezone.localdate()
    announce(person("b"), today, today + timedelta(days=1))
    announce(person("b"), today + timedelta(days=3), today + timedelta(days=4))
    announce(person("c"), today + timedelta(days=15), today + timedelta(days=16))
    Watcher.objects.create(campaign=made, person=person("eve"))

    def read(name: str) -> dict[str, date]:
        found = away(visit_of(made, person(name)))
        return {seat: each.since for seat, each in found.items()}

    assert read("a") == read("zoe") == {"B": today}
    assert read("eve") == {}
    Person.objects.get(username="b").delete()
    assert not Absence.objects.filter(since=today).exists()


def asked_of_absences(made: Campaign) -> int:
    """How often the table of absences is read to say how all seats stand."""
    with CaptureQueriesContext(connection) as captured, read_lock(made) as table:
        readiness(visit_of(made, person("zoe")), table, "en")
    return len([each for each in captured if '"club_absence"."since"' in each["sql"]])


def test_how_often_absences_are_read_does_not_grow_with_the_seats() -> None:
    found = []
    for seats in (2, 4):
        made = campaign("atlantide", seats=seats)
        Campaign.objects.filter(pk=made.pk).update(pace=24)
        made.refresh_from_db()
        for holder in Holder.objects.filter(seat__campaign=made):
            announce(holder.person, timezone.localdate(), timezone.localdate())
        found.append(asked_of_absences(made))
    assert found[0] == found[1] > 0
