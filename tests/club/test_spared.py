"""What leaves a seat nothing to decide is sealed for it: when, once, and without telling."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from polemarque.bots.play import play_game
from polemarque.club.campaigns import session
from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, sit_down
from polemarque.club.campaigns.session import read_lock, write_lock
from polemarque.club.campaigns.visibility import HIDDEN, IDLE, LATE, READY, WAITING, readiness
from polemarque.club.clock.response_times import reliability
from polemarque.club.models import Campaign, Person, Receipt, Seat, Watcher
from polemarque.club.orders.answers import posted_requests, seal
from polemarque.club.orders.forced_answers import WITHIN, awaited, choose, next_moment
from polemarque.club.people.roles import visit_of
from polemarque.club.trust.proofs import exported, folds
from polemarque.club.umpire.dashboard import absent_question, remind, set_pace
from polemarque.kernel.errors import NotAllowed, NotYourTurn
from polemarque.kernel.game import Game, replay
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import Adjust, Answer
from polemarque.kernel.request import Key
from tests.club.people import person

pytestmark = pytest.mark.django_db

SHEET = "AT-5.2"
"""How loot is spent: asked of all, and there is one answer without loot."""


def asks(game: Game) -> bool:
    game.settle()
    return any(request.rule == SHEET for request in game.requests())


def spending(people: int = 3, poor: str = "A", playing: str = "") -> Campaign:
    """A campaign of three seats at its first sheet of loot, which leaves those in `poor` no choice.

    Its dice are committed, so that some events leave even them one: then it is made again.
    """
    for _ in range(20):
        made = _spending(people, poor, playing)
        with read_lock(made) as table:
            (request,) = table.game.requests()
            if set(request.spared("ABC")) == set(poor):
                return made
    raise AssertionError("the dice never fell so")


def _spending(people: int, poor: str, playing: str) -> Campaign:
    plan = CampaignPlan("atlantide", "", 3, {})
    codes = "ABC"
    made = make(
        "Loot", plan, person(playing.lower() or "zoe"), bots=dict.fromkeys(codes[people:], "steady")
    )
    for code in codes[:people]:
        sit_down(made, code, person(code.lower()))
    Watcher.objects.create(campaign=made, person=person("wat"))
    begin(made)
    with write_lock(made) as table:
        play_game(table.game, dict.fromkeys(codes, "steady"), seed=1, stop=asks)
        for seat in poor:
            table.game.enter(Adjust(f"loot.{seat}", 0, "stolen"))
    made.refresh_from_db()
    return made


def key_of(made: Campaign, seat: str) -> Key:
    with read_lock(made) as table:
        return next(
            request.keys[seat]
            for request in table.game.course.requests()
            if request.rule == SHEET and seat in request.seats
        )


def answer(made: Campaign, seat: str) -> Receipt | None:
    """The seat keeps its loot."""
    key = key_of(made, seat)
    with read_lock(made) as table:
        _, request = table.game.runner.find(key)
        value = request.options(seat).quiet()  # type: ignore[union-attr]
    return seal(made, person(seat.lower()), seat, key, value, once=f"{seat}1")


def given(made: Campaign) -> dict[str, str]:
    """Seat -> by whom its sheet was answered, in order."""
    with read_lock(made) as table:
        return {
            e.key.seat: e.by
            for e in table.game.entries
            if isinstance(e, Answer) and e.key.rule == SHEET
        }


def stand(made: Campaign, who: Person) -> dict[str, str]:
    made.refresh_from_db()
    with read_lock(made) as table:
        return {each.seat: each.state for each in readiness(visit_of(made, who), table, "en")}


def later(made: Campaign, **more: int) -> None:
    """The open questions were put so much earlier."""
    Campaign.objects.filter(pk=made.pk).update(asked=timezone.now() - timedelta(**more), opened={})
    made.refresh_from_db()


def test_it_is_sealed_with_the_last_answer_of_those_who_decide() -> None:
    made = spending()
    answer(made, "B")
    assert list(given(made)) == ["B"], "C has a choice"
    answer(made, "C")
    assert given(made) == {"B": "", "A": "only", "C": ""}, "as if it had been there before the last"
    with read_lock(made) as table:
        assert replay(table.game.header, table.game.entries).digest == table.game.digest
        assert prove(table.game.record).holds


def test_all_pages_hear_of_the_last_answer_and_of_none_before() -> None:
    made = spending()
    answer(made, "B")
    assert made.pulses.order_by("-pk")[0].kind == session.SEALED
    answer(made, "C")
    assert made.pulses.order_by("-pk")[0].kind == session.COURSE


def test_programs_begin_when_it_is_sealed() -> None:
    made = spending(2)
    answer(made, "B")
    let_play(made, 5)
    assert list(given(made))[:3] == ["A", "B", "C"]


def test_where_nobody_decides_it_is_sealed_at_a_moment_within_the_hour() -> None:
    made = spending(2, poor="AB")
    later(made, seconds=-WITHIN)  # the first second may be drawn: it has not begun yet
    assert not let_play(made, 1) and not given(made), "not even the program has answered"
    with read_lock(made) as table:
        moment = next_moment(made, table)
    assert moment is not None and timedelta() <= moment - made.asked < timedelta(seconds=WITHIN)
    session._tables.clear()  # the server is started again
    with read_lock(made) as table:
        assert next_moment(made, table) == moment
    later(made, seconds=WITHIN)
    let_play(made, 5)
    assert [*given(made).items()][:3] == [("A", "only"), ("B", "only"), ("C", "")]


def test_moments_are_not_all_the_same() -> None:
    drawn = set()
    for _ in range(3):
        made = spending(2, poor="AB")
        with read_lock(made) as table:
            moment = next_moment(made, table)
        assert moment is not None
        drawn.add(round((moment - made.asked).total_seconds()))
    assert len(drawn) > 1


def test_one_who_plays_alone_does_not_wait() -> None:
    made = spending(1)
    let_play(made, 5)
    assert given(made)["A"] == "only"


def test_a_seat_that_wants_to_be_asked_is_awaited() -> None:
    made = spending()
    choose(made, "A", spared=False)
    answer(made, "B")
    answer(made, "C")
    assert "A" not in given(made)
    with read_lock(made) as table:
        assert awaited(made, table, "A")
    answer(made, "A")
    assert given(made)["A"] == ""


def test_nobody_awaits_it_and_nobody_is_told_who_has_answered() -> None:
    made = spending()
    with read_lock(made) as table:
        assert not awaited(made, table, "A") and awaited(made, table, "B")
        assert not posted_requests(made, table, "A")
    before = exported(visit_of(made, person("c")), "public")
    answer(made, "B")
    assert stand(made, person("c")) == {"A": HIDDEN, "B": HIDDEN, "C": WAITING}
    assert stand(made, person("wat")) == {"A": HIDDEN, "B": HIDDEN, "C": HIDDEN}
    assert stand(made, person("a")) == {"A": IDLE, "B": HIDDEN, "C": HIDDEN}
    assert stand(made, person("zoe")) == {"A": READY, "B": READY, "C": WAITING}
    visit = visit_of(made, person("c"))
    with read_lock(made) as table:
        assert not [fold for fold in folds(visit, table, 50) if fold.seat == "B"]
    assert exported(visit, "public") == before
    answer(made, "C")
    with read_lock(made) as table:
        told = [fold.seat for fold in folds(visit, table, 50) if fold.rule == SHEET]
    assert told == ["C"], "when the others sealed would tell who had a choice"


def test_after_its_time_whoever_is_late_is_told() -> None:
    made = spending(playing="B")
    set_pace(visit_of(made, person("b")), 24 * 7)
    answer(made, "B")
    umpire = visit_of(made, person("b"))
    for seat in "AC":
        with pytest.raises(NotAllowed, match=r"desk\.untold"):
            remind(umpire, seat)
    Campaign.objects.filter(pk=made.pk).update(paced=None)
    later(made, days=8)
    assert stand(made, person("b"))["C"] == LATE and stand(made, person("b"))["A"] == HIDDEN
    umpire = visit_of(made, person("b"))
    remind(umpire, "C")
    with pytest.raises(NotAllowed, match=r"desk\.untold"):
        remind(umpire, "A")


def test_nobody_is_absent_for_it() -> None:
    made = spending()
    visit, before = visit_of(made, person("zoe")), reliability(made)["A"]
    with read_lock(made) as table, pytest.raises(NotYourTurn):
        absent_question(visit, table, key_of(made, "A"))
    answer(made, "B")
    answer(made, "C")
    assert reliability(made)["A"] == before, "it counts neither for nor against anybody"


def test_every_seat_is_spared_until_it_says_otherwise() -> None:
    assert set(Seat.objects.filter(campaign=spending()).values_list("spared", flat=True)) == {True}
