"""The clock of a campaign: dates, days off, pauses, the absent, votes; each thing once."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from polemarque.club.campaigns import session
from polemarque.club.campaigns.session import read_lock
from polemarque.club.clock.clockwork import Clockwork, answer_for_absent
from polemarque.club.clock.deadlines import MISSES, deadline, limits, paused
from polemarque.club.clock.models import DOWN, Beat, Pause, Reply, Vote
from polemarque.club.clock.pauses import END, PAUSE, RESUME, beat, umpire_pauses, vote
from polemarque.club.clock.timetable import LEAST, Clock, checked, due, moment
from polemarque.club.models import COMMANDER, OVER, Campaign, Holder
from polemarque.club.people.roles import visit_of
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.records.record import Adjust, Answer
from tests.club.people import asked, battle_on_the_table, campaign, kept, person

PARIS = ZoneInfo("Europe/Paris")
HOUR = timedelta(hours=1)


def at(day: int, hour: int = 12, month: int = 3) -> datetime:
    """An hour of Paris, in March 2026 if nothing else is said: the third is a Tuesday."""
    return datetime(2026, month, day, hour, tzinfo=PARIS)


TWICE_A_WEEK = Clock((1, 4), "21:00", "Europe/Paris")


# The calendar ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opened", "wanted"),
    [
        (at(1), at(3, 21)),
        (at(3, 9), at(3, 21)),  # twelve hours before
        (at(3, 10), at(6, 21)),  # eleven: the next date
        (at(3, 22), at(6, 21)),
        (at(7), at(10, 21)),
    ],
)
def test_a_question_is_due_on_the_next_date_that_leaves_twelve_hours(
    opened: datetime, wanted: datetime
) -> None:
    assert due(TWICE_A_WEEK, 0, opened, []) == wanted


def test_a_date_left_out_or_in_an_absence_is_the_next_one() -> None:
    holiday = Clock((1, 4), "21:00", "Europe/Paris", off=(date(2026, 3, 3),))
    assert due(holiday, 0, at(1), []) == at(6, 21)
    assert due(TWICE_A_WEEK, 0, at(1), [(at(2), at(7))]) == at(10, 21)
    assert due(TWICE_A_WEEK, 0, at(1), [(at(3, 20), at(3, 23))]) == at(6, 21)


def test_no_hour_runs_on_weekends_and_days_left_out() -> None:
    """The sixth is a Friday."""
    hours = Clock(zone="Europe/Paris", weekends=True, off=(date(2026, 3, 10),))
    assert due(hours, 24, at(6), []) == at(9)
    assert due(hours, 48, at(6), []) == at(11)
    assert due(hours, 24, at(7), []) == at(10, 0), "put on a Saturday"
    assert due(hours, 24, at(6), [(at(9, 0), at(10, 0))]) == at(11), "and Monday away"
    assert due(Clock(), 0, at(6), []) is None


def test_hours_that_daylight_saving_leaves_out_and_repeats() -> None:
    """In Paris two o'clock is three on 29 March 2026, and three is two once more on 25 October."""
    gap, twice = date(2026, 3, 29), date(2026, 10, 25)
    assert moment(gap, time(2, 30), PARIS) == datetime(2026, 3, 29, 1, tzinfo=UTC)
    assert moment(gap, time(3), PARIS) == datetime(2026, 3, 29, 1, tzinfo=UTC)
    assert moment(gap, time(1, 59), PARIS) == datetime(2026, 3, 29, 0, 59, tzinfo=UTC)
    assert moment(twice, time(2, 30), PARIS) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert moment(twice, time(3), PARIS) == datetime(2026, 10, 25, 2, tzinfo=UTC)
    beirut = ZoneInfo("Asia/Beirut")  # midnight itself is left out
    assert moment(date(2026, 3, 29), time(0), beirut) == datetime(2026, 3, 28, 22, tzinfo=UTC)


@pytest.mark.parametrize(
    "wrong",
    [
        Clock(hour="25:00"), Clock(hour="soon"), Clock(zone="Europe/Ys"), Clock(zone="../etc"),
        Clock(days=(7,)), Clock(days=(5, 6), weekends=True), Clock(grace=-1), Clock(remind=9999),
        Clock(off=tuple(date(2026, 1, 1) + timedelta(days=n) for n in range(61))),
    ],
)  # fmt: skip
def test_what_no_clock_has_is_refused(wrong: Clock) -> None:
    with pytest.raises(NotUnderstood):
        checked(wrong)


# A campaign's limits -----------------------------------------------------------------------------


def timed(seats: int = 3, *, hours: int = 24, ago: int = 0, **clock: Any) -> Campaign:
    """A campaign whose open questions were put so many hours ago."""
    made = campaign("atlantide", seats=seats)
    Campaign.objects.filter(pk=made.pk).update(pace=hours, clock=clock)
    return opened(made, ago)


def opened(made: Campaign, ago: int) -> Campaign:
    then = timezone.now() - timedelta(hours=ago)
    Campaign.objects.filter(pk=made.pk).update(asked=then, opened={}, turned=then)
    made.refresh_from_db()
    return made


def answers(made: Campaign) -> list[Answer]:
    with read_lock(made) as table:
        return [e for e in table.game.entries if isinstance(e, Answer) and e.by == "absent"]


pytestmark = pytest.mark.django_db


def test_the_rules_answer_after_grace_where_the_campaign_chose_so_and_once() -> None:
    made = timed(law=True, grace=6, ago=29)
    assert answer_for_absent(made) == 0, "in its grace"
    opened(made, 31)
    seats = {key.seat for key in _asked(made)}
    assert answer_for_absent(made) == len(seats) > 0
    assert {each.key.seat for each in answers(made)} == seats
    given = len(answers(made))
    session._tables.clear()  # a restart
    assert answer_for_absent(Campaign.objects.get(pk=made.pk)) == 0
    assert len(answers(made)) == given
    assert Reply.objects.filter(absent=True).count() == len(seats)


def _asked(made: Campaign) -> list[Any]:
    with read_lock(made) as table:
        return [r.keys[s] for r in table.game.course.requests() for s in r.missing]


def test_a_campaign_that_waits_waits() -> None:
    made = timed(ago=9999)
    Clockwork().round()
    assert not answers(made)


def test_a_clock_set_back_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    made = timed(law=True, ago=25)
    real = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: real - timedelta(hours=3))
    Clockwork().round()
    assert not answers(made)
    monkeypatch.undo()
    Clockwork().round()
    assert answers(made)


def test_one_date_holds_for_a_turn_but_never_less_than_twelve_hours() -> None:
    made = timed(turn=True)
    key, now = _asked(made)[0], timezone.now()
    made.turned, made.asked = now - 20 * HOUR, now
    limit = limits(made, [key])[key].due
    assert limit == now + LEAST
    made.asked = now - 15 * HOUR
    assert limits(made, [key])[key].due == now + 4 * HOUR


def test_whoever_takes_a_seat_over_has_the_whole_time() -> None:
    made = timed(ago=23)
    key, now = asked(made, "B"), timezone.now()
    Holder.objects.filter(seat__campaign=made, seat__code="B").update(since=now)
    limit = deadline(made, [key])
    assert limit is not None and abs(limit - now - 24 * HOUR) < HOUR / 60
    assert deadline(made, [asked(made, "A")]) == made.asked + 24 * HOUR


def missed(made: Campaign, seat: str, *absent: bool) -> None:
    who = Holder.objects.get(seat__campaign=made, seat__code=seat, role=COMMANDER).person
    for number, each in enumerate(absent):
        Reply.objects.create(
            campaign=made, seat=seat, person=who, key=f"{seat}{number}", absent=each,
            asked=timezone.now(),
        )  # fmt: skip


def test_who_keeps_missing_is_waited_for_no_longer_than_twelve_hours() -> None:
    made = timed(hours=96, law=True, grace=24)
    missed(made, "A", *[True] * MISSES)
    missed(made, "B", True, True, True, False)
    missed(made, "C", False, True, True)
    found = {key.seat: limit for key, limit in limits(made, _asked(made)).items()}
    for seat, limit in found.items():
        wanted = LEAST if seat == "A" else 96 * HOUR
        assert limit.due == made.asked + wanted, seat
        assert limit.last == made.asked + (LEAST if seat == "A" else 120 * HOUR)
    made.clock = {"grace": 24}
    assert limits(made, [asked(made, "A")])[asked(made, "A")].due == made.asked + 96 * HOUR


def test_a_battle_on_a_table_waits_for_people() -> None:
    made = kept(battle_on_the_table(4))
    Campaign.objects.filter(pk=made.pk).update(pace=1, clock={"law": True})
    opened(made, 500)
    waits = {key for key in _asked(made) if key.path}
    answer_for_absent(made)
    assert waits <= set(_asked(made)) and waits


# Pauses and votes --------------------------------------------------------------------------------


def test_no_time_runs_in_a_pause() -> None:
    made = timed(ago=23, law=True)
    key, visit = asked(made, "A"), visit_of(made, person("zoe"))
    umpire_pauses(visit, stop=True)
    with pytest.raises(NotAllowed):
        umpire_pauses(visit, stop=True)
    assert deadline(made, [key]) is None
    Pause.objects.update(at=timezone.now() - 10 * HOUR)
    umpire_pauses(visit, stop=False)
    limit = deadline(made, [key])
    assert limit is not None and abs(limit - timezone.now() - 11 * HOUR) < HOUR / 60


def test_more_than_half_of_the_seats_pause_and_go_on() -> None:
    made = timed(4)
    for seat, wanted in zip("ABC", (False, False, True), strict=True):
        assert vote(visit_of(made, person(seat.lower())), seat, PAUSE) is wanted
    assert paused(made) and not Vote.objects.exists()
    a = visit_of(made, person("a"))
    assert not vote(a, "A", RESUME) and not vote(a, "A", RESUME), "given, and taken back"
    assert not Vote.objects.exists()
    with pytest.raises(NotUnderstood):
        vote(a, "A", PAUSE)
    with pytest.raises(NotAllowed):
        vote(a, "B", RESUME)


def test_two_thirds_of_the_seats_end_a_campaign_without_a_winner() -> None:
    made = campaign("batailles")
    assert not vote(visit_of(made, person("a")), "A", END)
    assert vote(visit_of(made, person("b")), "B", END)
    made.refresh_from_db()
    assert made.stage == OVER
    with read_lock(made) as table:
        assert [e.name for e in table.game.entries if isinstance(e, Adjust)] == [END]
    with pytest.raises(NotAllowed):
        vote(visit_of(made, person("a")), "A", END)


@pytest.mark.parametrize("system", ["atlantide", "mare_nostrum", "promiterra", "thucidide"])
def test_every_system_can_be_ended_by_vote(system: str) -> None:
    made = campaign(system)
    with read_lock(made) as table:
        seats = table.game.header.seats
    for seat in seats:
        vote(visit_of(made, person(seat.lower())), seat, END)
    Campaign.objects.filter(pk=made.pk).update(pace=1, clock={"law": True})
    for _ in range(20):  # until the rules let it end
        Clockwork().round()
        made.refresh_from_db()
        if made.stage == OVER:
            return
        opened(made, 99)
    raise AssertionError("never")


def test_time_for_which_the_club_was_down_is_given_back() -> None:
    made = timed(ago=23, law=True)
    beat()
    Beat.objects.update(at=timezone.now() - 20 * HOUR)
    beat()
    assert Pause.objects.get().by == DOWN
    opened(made, 30)
    assert answer_for_absent(made) == 0, "ten hours of them were no time"
    beat()
    assert Pause.objects.count() == 1


def test_a_clock_that_ran_ahead_answers_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    made, real = timed(law=True), timezone.now()
    Clockwork().round()
    monkeypatch.setattr(timezone, "now", lambda: real + timedelta(days=400))
    Clockwork().round()
    assert not answers(made)
    monkeypatch.undo()
    Clockwork().round()
    assert not answers(made) and not Pause.objects.exists()
