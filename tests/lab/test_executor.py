"""Games in worker processes: the same whoever plays them, and one that kills takes no other."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from math import log2
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from threading import enumerate as threads
from typing import NamedTuple

import distributed
import pytest
from msgspec.structs import replace

from polemarque.bots.play import Question, play_game
from polemarque.cli.common import REFUSED
from polemarque.cli.new_game import GameOptions, header_of
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import OneOf
from polemarque.lab import executor
from polemarque.lab.executor import Job, Opener, Outcome, dask, in_process, play_all, pool
from polemarque.lab.games import Failed, Played, StudyPlan, attempt, header_with, play
from tests.cli.desk import polemarque

pytestmark = pytest.mark.slow

BOT = '''
"""A bot that breaks off now and then: by a fault, or with the whole process."""
import os

from polemarque.api.bots import usual


class Deadly:
    def choose(self, view, options, asked, chooser):
        if os.environ["DEADLY"] == "always" or chooser.randrange(0, 30) == 0:
            if os.environ["DEADLY"] == "raise":
                raise RuntimeError("deadly")
            os._exit(9)
        return usual(options, asked, chooser)


BOT = Deadly()
'''


def plan(system: str = "batailles", bot: str = "steady", **options: object) -> StudyPlan:
    header = new_header(system, options=options)
    return StudyPlan(header, dict.fromkeys(header.seats, bot))


TWO = partial(pool, 2)


def outcomes(
    plans: list[StudyPlan], games: int, opener: Opener,
    then: Callable[[int], object] = lambda n: None,
) -> dict[Job, Outcome]:  # fmt: skip
    """then: told of how many games have come back, after each."""
    found: dict[Job, Outcome] = {}
    jobs = [Job(number, seed) for seed in range(games) for number in range(len(plans))]

    def take(job: Job, outcome: Outcome) -> None:
        assert job not in found
        found[job] = outcome
        then(len(found))

    play_all(plans, jobs, opener, take, lambda: False)
    assert sorted(found) == sorted(jobs)
    return found


def test_games_are_the_same_whoever_plays_them() -> None:
    plans = [plan(), plan(rout="zero"), plan("atlantide", turn_limit=2)]
    here, there = outcomes(plans, 6, in_process), outcomes(plans, 6, TWO)
    assert here == there
    assert all(isinstance(each, Played) for each in here.values())


def test_a_game_is_that_of_run_with_its_seed() -> None:
    typed = GameOptions("atlantide", "duel", turns=3)
    header = header_of(typed, limited=True)
    game = play(StudyPlan(header, dict.fromkeys(header.seats, "steady")), 17)
    assert header_with(StudyPlan(header, {}), 17) == header_of(
        replace(typed, seed=17), limited=True
    )
    assert (game.turns, game.seed) == (3, 17)


def test_an_interrupted_study_begins_no_further_game() -> None:
    for opener in (in_process, TWO):
        found: dict[Job, Outcome] = {}
        play_all(
            [plan()], [Job(0, n) for n in range(500)], opener, found.__setitem__,
            lambda found=found: len(found) >= 3,
        )  # fmt: skip
        assert 3 <= len(found) < 500


def test_a_game_that_fails_is_told_with_its_seed() -> None:
    failed = attempt(plan(bot="nobody"), 5)
    assert isinstance(failed, Failed)
    assert failed.seed == 5
    assert failed.reason.startswith("NotUnderstood: ")


@pytest.fixture
def deadly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StudyPlan:
    """A plan whose bot is installed where worker processes find it."""
    (tmp_path / "deadly_bot.py").write_text(BOT)
    installed = tmp_path / "deadly_bot-1.dist-info"
    installed.mkdir()
    (installed / "entry_points.txt").write_text(
        "[polemarque.bots]\nbatailles.deadly = deadly_bot:BOT\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return plan(bot="deadly")


def test_a_process_that_dies_takes_no_other_game_with_it(
    deadly: StudyPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEADLY", "raise")
    told = outcomes([deadly], 12, TWO)
    fatal = {job for job, outcome in told.items() if isinstance(outcome, Failed)}
    assert 0 < len(fatal) < 12
    assert {told[job] for job in fatal} == {
        Failed(job.seed, "RuntimeError: deadly") for job in fatal
    }
    monkeypatch.setenv("DEADLY", "exit")
    died = outcomes([deadly], 12, TWO)
    assert {job: died[job] for job in fatal} == {job: Failed(job.seed, "") for job in fatal}
    assert {j: o for j, o in died.items() if j not in fatal} == {
        j: o for j, o in told.items() if j not in fatal
    }


def test_where_no_process_lives_no_game_is_left_out_in_silence(
    deadly: StudyPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEADLY", "always")
    died = outcomes([deadly], 30, TWO)
    assert died == {job: Failed(job.seed, "") for job in died}


# A cluster ---------------------------------------------------------------------------------------


class Cluster(NamedTuple):
    """Two worker processes of Dask on this machine, as `--executor dask` begins them."""

    opener: Opener
    address: str


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with dask(2) as opener:
        yield Cluster(opener, distributed.default_client().scheduler.address)


def test_a_worker_of_a_cluster_that_is_killed_changes_nothing(cluster: Cluster) -> None:
    plans = [plan(), plan(rout="zero")]
    workers = distributed.default_client().run(os.getpid)
    assert len({*workers.values()} - {os.getpid()}) == 2

    def kill(games: int) -> None:
        if games == 6:
            os.kill(min(workers.values()), signal.SIGKILL)

    killed = outcomes(plans, 120, cluster.opener, kill)
    assert killed == outcomes(plans, 120, in_process)
    assert all(isinstance(each, Played) for each in killed.values())
    assert {*distributed.default_client().run(os.getpid).values()} != {*workers.values()}


def test_a_study_on_a_cluster_has_the_figures_of_one_in_process(
    cluster: Cluster, tmp_path: Path
) -> None:
    words = ("study", "batailles", "--games", 9, "--bots", "steady,random", "--json")
    there = polemarque(
        *words, "--executor", "dask", "--scheduler", cluster.address, "--out", tmp_path / "there"
    )
    here = polemarque(*words, "--workers", 1, "--out", tmp_path / "here")
    assert there.status == 0 and there.out == here.out


def refused(out: Path, *words: object) -> tuple[str, str]:
    """What is said in French and in English; nothing is begun."""
    said = []
    for lang in ("fr", "en"):
        done = polemarque("study", "batailles", *words, "--out", out, "--lang", lang)
        assert done.status == REFUSED and len(done.err.splitlines()) == 1, done
        said.append(done.err)
    assert not (out / "games.jsonl").exists()
    return said[0], said[1]


def test_a_worker_with_another_version_is_refused(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = executor.version()
    monkeypatch.setattr(executor, "version", lambda: "0.0.9 abcdefab")
    told = refused(tmp_path, "--executor", "dask", "--scheduler", cluster.address)
    assert "ouvrier" in told[0] and "worker" in told[1]
    assert all(f"0.0.9 abcdefab / {ours}" in each for each in told)


def test_a_worker_that_comes_later_with_another_version_is_refused(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = executor.version()
    asked = iter([ours, ours, "0.0.9 abcdefab"])  # of each worker that is there, then of the games
    monkeypatch.setattr(executor, "version", lambda: next(asked))
    with dask(1, cluster.address) as opener, pytest.raises(NotAllowed) as told:
        outcomes([plan()], 1, opener)
    assert (told.value.code, told.value.part) == ("study.worker", f"0.0.9 abcdefab / {ours}")


@pytest.fixture
def none_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every client that a test begins is closed when it ends, and no thread of its runs on."""
    begun: list[distributed.Client] = []
    start = distributed.Client.start

    def noted(client: distributed.Client, **given: object) -> None:
        begun.append(client)
        start(client, **given)

    monkeypatch.setattr(distributed.Client, "start", noted)
    before = {*threads()}
    yield
    assert begun and {client.status for client in begun} == {"closed"}
    assert not [thread for thread in {*threads()} - before if thread.name == "IO loop"]


@pytest.mark.usefixtures("none_is_left")
def test_a_scheduler_that_is_not_there_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "REACHED", 0.2)
    for address in ("tcp://127.0.0.1:9", "nowhere", "smoke://signal:1"):
        told = refused(tmp_path, "--executor", "dask", "--scheduler", address)
        assert all(address in each and "docs/lab.md" in each for each in told)
    told = refused(tmp_path, "--scheduler", "tcp://127.0.0.1:9")
    assert all("--executor dask" in each for each in told)


class _Web(StreamRequestHandler):
    def handle(self) -> None:
        self.request.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@pytest.mark.usefixtures("none_is_left")
def test_a_server_that_is_no_scheduler_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "REACHED", 2)
    with ThreadingTCPServer(("127.0.0.1", 0), _Web) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        address = f"tcp://127.0.0.1:{other.server_address[1]}"
        told = refused(tmp_path, "--executor", "dask", "--scheduler", address)
        other.shutdown()
    assert all(address in each and "docs/lab.md" in each for each in told)


def test_without_dask_it_is_said_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert all("polemarque[cluster]" in each for each in refused(tmp_path, "--executor", "dask"))


# What is taken down of a game --------------------------------------------------------------------


def test_choices_and_rows_are_those_of_the_game() -> None:
    """Looked at from outside: events as they were told, answers with the options that they had."""
    made = plan("atlantide", turn_limit=4)
    told: list[Event] = []
    sizes: list[int] = []

    def asked(question: Question) -> None:
        if question.seat != "umpire" and isinstance(
            options := question.request.options(question.seat), OneOf
        ):
            sizes.append(len(options.words))

    game = Game(header_with(made, 5), publish=told.append)
    play_game(game, made.bots, on_question=asked)
    played = play(made, 5)
    assert played.digest == game.digest
    omens = Counter(
        f"{event.data['seat']} AT-3.1 {event.kind}"
        for event in told
        if event.rule == "AT-3.1" and event.dice and event.period < 4
    )
    assert omens
    assert {row: n for row, n in played.rows.items() if " AT-3.1 " in row} == omens
    assert sum(size > 1 for size in sizes) <= played.free
    assert played.bits > sum(map(log2, sizes)) - 0.01
    uncounted = play(made, 6)
    assert (uncounted.free, uncounted.bits) == (0, 0) and uncounted.rows


def test_standings_questions_and_battles_are_those_of_the_game() -> None:
    """Looked at from outside: battles as their paths name them, answers as the record has them."""
    made = plan("atlantide", turn_limit=9, resolver="batailles")
    seed = 0
    played = play(made, seed)
    paths: set[str] = set()
    game = Game(header_with(made, seed), publish=lambda event: paths.add(event.path.split(".")[0]))
    play_game(game, made.bots)
    assert played.digest == game.digest
    assert played.entries == len(game.entries)
    assert played.winners == game.system.standing(game.state).winners
    battles = [int(path.split("-")[0]) for path in paths if path]
    assert battles
    assert list(played.battles) == [battles.count(turn) for turn in range(played.turns + 1)]
    asked = [entry.key for entry in game.entries if entry.key.seat == "B"]  # type: ignore[union-attr]
    assert sum(played.questions["B"]) == len(asked)
    assert any(key.path and key.period != key.outer_period for key in asked)
    for turn in range(10):
        there = [key for key in asked if key.outer_period == turn]
        assert played.questions["B"][turn] == len(there)
    assert len(played.places) == played.turns == 9
    assert played.places[-1] == game.system.standing(game.state).places
    assert played.out is not None and len(played.out) == 9
