"""Programs think in processes apart; one that does not answer stops nobody."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from threading import Thread

import pytest
from django.db import connections
from msgspec.structs import replace

from polemarque.bots import play
from polemarque.bots.play import Task, Thought, load_bots, think, thinks_long
from polemarque.club.campaigns import bot_processes, bot_turns
from polemarque.club.campaigns.bot_processes import ENDED, SLOW, Failed, ThinkerProcess
from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import Campaign, Lapse
from polemarque.club.orders.answers import seal
from polemarque.club.server.backup import health
from polemarque.kernel.position import encode_position
from polemarque.kernel.records.record import Answer
from polemarque.odds.worker_process import Worker
from tests.club.people import asked, campaign, person, some_answer
from tests.club.thinking import AtOnce, ponder

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def process() -> Iterator[ThinkerProcess]:
    thinker = ThinkerProcess()
    yield thinker
    thinker.end()


def task_of(made: Campaign) -> Task:
    with read_lock(made) as table:
        return Task(encode_position(table.game.position), bot_turns.bots_of(made))


def waiting() -> Campaign:
    """A campaign whose one program is asked, everybody else having sealed."""
    made = campaign("atlantide", seats=3, held=2)
    for seat in ("A", "B"):
        assert seal(made, person(seat), seat, asked(made, seat), some_answer(made, seat), once=seat)
    return made


def answers_of(made: Campaign, seat: str) -> list[str]:
    """By whom each answer of a seat was given: "" for itself."""
    with read_lock(made) as table:
        given = [each for each in table.game.entries if isinstance(each, Answer)]
        return [each.by for each in given if each.key.seat == seat]


def test_a_process_apart_thinks_what_would_be_thought_here(process: ThinkerProcess) -> None:
    made = campaign("batailles", held=0)
    task = replace(task_of(made), most=1)  # of more, either may run out of time
    there, here = process.submit(task).result(60), think(task)
    assert [each.key for each in there.answers] == [each.key for each in here.answers]
    assert there.answers and not there.fault


def test_a_task_goes_on_until_people_or_dice_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "ABREAST", 60.0)
    made = campaign("atlantide", seats=4, held=0)
    thought = think(task_of(made))
    assert {each.key.seat for each in thought.answers} == {"A", "B", "C", "D"}
    assert not think(task_of(campaign("atlantide", seats=3, held=1))).answers


def test_a_process_that_is_killed_is_replaced(process: ThinkerProcess) -> None:
    task = task_of(campaign("batailles", held=0))
    process.submit(task).result(60)
    process._worker._process.kill()
    process._worker._process.join()
    assert process.submit(task).result(60).answers


def test_one_that_is_killed_while_it_thinks_has_failed(process: ThinkerProcess) -> None:
    process._worker = Worker(load_bots, ponder)
    thought = process.submit(Task(b"{}", {}))
    until = time.monotonic() + 60
    while not process._worker._ready and time.monotonic() < until:
        time.sleep(0.05)
    assert process._worker._ready and not thought.done()
    process._worker._process.kill()
    with pytest.raises(Failed) as failed:
        thought.result(40)
    assert failed.value.why == ENDED and str(failed.value.__cause__) == "exit status -9"
    process._limit = 0.2
    with pytest.raises(Failed) as failed:
        process.submit(Task(b"{}", {})).result(40)
    assert failed.value.why == SLOW


def test_nothing_is_thought_once_the_server_ends() -> None:
    thinker = ThinkerProcess()
    thinker.end()
    with pytest.raises(CancelledError):
        thinker.submit(Task(b"{}", {}))


class Failing:
    """A process that never answers what `fails` says."""

    def __init__(self, fails: Callable[[Task], bool]) -> None:
        self.fails = fails

    def submit(self, task: Task) -> Future[Thought]:
        if not self.fails(task):
            return AtOnce().submit(task)
        done: Future[Thought] = Future()
        done.set_exception(Failed(ENDED))
        return done


def test_the_steady_program_stands_in_for_one_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failing = Failing(lambda task: "stranger" in task.bots.values())
    monkeypatch.setattr(bot_processes, "quick", lambda: failing)
    made = campaign("atlantide", seats=3, held=2)
    made.seats.filter(code="C").update(bot="stranger")
    for seat in ("A", "B"):
        seal(made, person(seat), seat, asked(made, seat), some_answer(made, seat), once=seat)
    while let_play(made):
        pass
    assert answers_of(made, "C") and set(answers_of(made, "C")) == {""}
    lapse = Lapse.objects.first()
    assert lapse is not None
    assert (lapse.seat, lapse.program, lapse.why, lapse.by) == ("C", "stranger", ENDED, "steady")
    assert not health().faults


def test_a_random_program_is_answered_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    thought_of: list[Task] = []
    monkeypatch.setattr(bot_processes, "quick", lambda: Failing(thought_of.append))  # type: ignore[arg-type]
    made = campaign("atlantide", seats=3, held=2)
    made.seats.filter(code="C").update(bot="random")
    for seat in ("A", "B"):
        seal(made, person(seat), seat, asked(made, seat), some_answer(made, seat), once=seat)
    while let_play(made):
        pass
    assert answers_of(made, "C") and set(answers_of(made, "C")) == {""}
    assert not thought_of and not Lapse.objects.exists()


def test_if_that_does_not_either_the_rules_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    failing = Failing(lambda task: True)
    monkeypatch.setattr(bot_processes, "quick", lambda: failing)
    made = waiting()
    while let_play(made):
        pass
    assert answers_of(made, "C") and set(answers_of(made, "C")) == {"absent"}
    assert set(Lapse.objects.values_list("program", "why", "by")) == {("steady", ENDED, "")}


class Kept:
    """A process that thinks until it is told to be done."""

    def __init__(self) -> None:
        self.tasks: list[tuple[Task, Future[Thought]]] = []

    def submit(self, task: Task) -> Future[Thought]:
        self.tasks.append((task, Future()))
        return self.tasks[-1][1]


@pytest.mark.usefixtures("on_the_disk")
def test_the_table_is_free_while_a_program_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept()
    monkeypatch.setattr(bot_processes, "quick", lambda: kept)
    made = campaign("atlantide", seats=3, held=1)
    key = asked(made, "A")
    seal(made, person("a"), "A", key, some_answer(made, "A"), once="first")
    assert let_play(made, 0.01) and len(kept.tasks) == 1
    with read_lock(made) as table:
        other = some_other(table.game.entries[-1], made)
    done: list[object] = []

    def replaces() -> None:
        from polemarque.club.orders.answers import standing_receipt

        own = Campaign.objects.get(pk=made.pk)
        digest = standing_receipt(own, key)
        assert digest is not None
        done.append(seal(own, person("a"), "A", key, other, once="two", standing=digest.digest))
        connections.close_all()

    elsewhere = Thread(target=replaces)
    elsewhere.start()
    elsewhere.join(20)
    assert done and done[0] is not None
    stale, thought = kept.tasks[0]
    thought.set_result(think(stale))
    let_play(made, 0.01)
    assert len(kept.tasks) == 2  # what was thought of an older position is not entered
    assert not answers_of(made, "C")
    fresh, thought = kept.tasks[1]
    assert fresh.position != stale.position
    thought.set_result(think(fresh))
    let_play(made, 0.0)
    assert answers_of(made, "C")


def some_other(given: object, made: Campaign) -> object:
    """Another legal answer than the one that was given."""
    from random import Random

    assert isinstance(given, Answer)
    with read_lock(made) as table:
        _, request = table.game.runner.find(given.key)
        options = request.options(given.key.seat)  # type: ignore[union-attr]
        tried = (options.sample(Random(number)) for number in range(200))
        return next(each for each in tried if each != given.value)


def test_only_programs_that_can_be_told_how_long_think_long() -> None:
    assert thinks_long("mcts", "thucidide") and thinks_long("mcts", "promiterra")
    assert not thinks_long("steady", "thucidide") and not thinks_long("nobody", "thucidide")
