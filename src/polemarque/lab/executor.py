"""Games played in chunks: in this process, in processes of its own, or on a Dask cluster.

Who plays which game, and in which order they come back, changes nothing in any of them.
"""

from __future__ import annotations

import hashlib
import logging
import signal
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from concurrent.futures import ProcessPoolExecutor as Processes
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import polemarque
from polemarque.kernel.errors import NotAllowed
from polemarque.lab.games import Failed, Played, StudyPlan, attempt
from polemarque.odds.worker_process import end_with_parent

AHEAD = 2
"""Chunks that each worker has before it, so that none waits for the next."""

LASTS = 1.0
"""Seconds that the games of one chunk should take: less is spent on handing them over than on
playing, and an interruption waits no longer than for two such chunks."""

MOST = 64
"""Games in a chunk at most."""

WATCH = 0.2
"""Seconds after which somebody who wishes to stop is heard, whatever is being played."""

REACHED = 10
"""Seconds within which a scheduler must answer, and have a worker."""

PLAYING = ("api", "bots", "bridges", "kernel", "lab", "maps", "odds", "systems")
"""The rooms of the program on which the figures of a study depend."""

Outcome = Played | Failed

Chunk = Sequence[tuple[StudyPlan, int]]
"""Games to be played one after the other: the plan and the seed of each."""

Done = tuple[float, list[Outcome]]
"""What comes of a chunk: the seconds that it took, and its games in order."""


class Job(NamedTuple):
    """One game: the number of its plan, and its seed."""

    plan: int
    seed: int


Take = Callable[[Job, Outcome], None]
"""Called with each game that has been played, in whatever order."""

Stop = Callable[[], bool]
"""Whether to begin no further game."""


class Executor(NamedTuple):
    """Who plays.

    submit: begins a chunk.   ahead: how many chunks it has before it, at most.
    result: what comes of a chunk that is done; any fault but `died` ends the study.
    died:   what it raises of a chunk whose process has died.
    """

    submit: Callable[[Chunk], Future[Done]]
    ahead: Callable[[], int]
    result: Callable[[Future[Done]], Done] = Future.result
    died: type[Exception] = BrokenExecutor


Opener = Callable[[], AbstractContextManager[Executor]]
"""Begins an executor, which ends with its context; one whose process has died is begun again."""


def in_process() -> AbstractContextManager[Executor]:
    """This process itself: a chunk has been played when it has been submitted."""

    def submit(chunk: Chunk) -> Future[Done]:
        done: Future[Done] = Future()
        done.set_result(_play(chunk))
        return done

    return nullcontext(Executor(submit, lambda: 1))


@contextmanager
def pool(workers: int) -> Iterator[Executor]:
    """So many processes on this machine."""
    with Processes(workers, mp_context=get_context("spawn"), initializer=_begin) as processes:
        yield Executor(lambda chunk: processes.submit(_play, chunk), lambda: AHEAD * workers)


@contextmanager
def dask(workers: int, scheduler: str = "") -> Iterator[Opener]:
    """The workers of a Dask scheduler; without its address, so many processes on this machine.

    Workers may come and go.  Raises NotAllowed, at the beginning or later: study.no_dask if Dask
    is not installed, study.scheduler if no scheduler with a worker is there, study.worker if a
    worker has another version of the program, or none.
    """
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise NotAllowed("study.no_dask") from None

    class Reached(Client):  # type: ignore[misc]
        """Closed at once if it reaches no scheduler: else the garbage collector would do it, within
        any code that runs then, and might wait for ever for a lock which that code holds."""

        def start(self, **given: object) -> None:
            try:
                super().start(**given)
            except BaseException:
                self.close()
                self._loop_runner.stop()
                raise

    for name in ("distributed.client", "tornado", "asyncio"):  # what matters is told by us
        logging.getLogger(name).setLevel(logging.CRITICAL)
    here = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": None,
            "silence_logs": logging.CRITICAL}  # fmt: skip
    there = {"address": scheduler, "timeout": REACHED}
    told = _faults(scheduler)
    try:
        begun = Reached(**(there if scheduler else here))
    except Exception as fault:  # noqa: BLE001 - what answers there may be anything
        raise NotAllowed("study.scheduler", part=scheduler, reason=str(fault)) from None
    with begun as client:
        told(client.wait_for_workers)(1, REACHED)
        nothing = [client.submit(_play_as_there, version(), (), workers=[each], pure=False)
                   for each in told(client.nthreads)()]  # fmt: skip
        told(client.gather)(nothing)
        submit = partial(client.get_executor(pure=False).submit, _play_as_there, version())

        def ahead() -> int:
            threads: int = sum(client.nthreads().values())
            return AHEAD * max(threads, 1)

        executor = Executor(told(submit), told(ahead), told(Future.result), KilledWorker)
        yield lambda: nullcontext(executor)


@contextmanager
def _faults(scheduler: str) -> Iterator[None]:
    """Faults of a cluster, told as refusals."""
    try:
        yield
    except (ImportError, AttributeError, RuntimeError) as fault:  # another version lacks a name
        raise NotAllowed("study.worker", part=" ".join(str(fault).split())) from None
    except (OSError, ValueError, CancelledError) as fault:
        raise NotAllowed("study.scheduler", part=scheduler, reason=str(fault)) from None


def play_all(
    plans: Sequence[StudyPlan], jobs: Iterable[Job], opener: Opener, take: Take, stop: Stop
) -> None:
    """Play these games.

    A game that fails is handed over as `Failed`.  Where a process dies, the games that it may have
    been playing are played again one by one, so that only the one that kills is lost; where not one
    of them lives, no process would, and all others are handed over as failed.
    """
    waiting = deque(jobs)
    shift = _Shift(plans, opener, take, stop)
    while waiting and not stop():
        before = shift.taken
        suspects = deque(shift.play(waiting))
        died = bool(suspects)
        while suspects and not stop():
            for job in shift.play(suspects, alone=True):
                take(job, Failed(job.seed, ""))
        if died and shift.taken == before and not stop():
            while waiting:
                job = waiting.popleft()
                take(job, Failed(job.seed, ""))


class _Shift:
    """What is known of the games of one study while they are played."""

    def __init__(self, plans: Sequence[StudyPlan], opener: Opener, take: Take, stop: Stop) -> None:
        self._plans, self._opener, self._take, self._stop = plans, opener, take, stop
        self._games, self._seconds = 0, 0.0
        self.taken = 0
        """Games that were played to their end."""

    def play(self, waiting: deque[Job], *, alone: bool = False) -> list[Job]:
        """Play until nothing waits, somebody stops, or a process dies: those it may have had.

        alone: one at a time, so that who dies is known.
        """
        lost: list[Job] = []
        flying: dict[Future[Done], list[Job]] = {}
        done: Collection[Future[Done]] | None = None
        with self._opener() as executor:
            while True:
                if lost or self._stop():
                    for future in [each for each in flying if each.cancel()]:
                        waiting.extendleft(reversed(flying.pop(future)))
                elif done is None or done:  # to ask a cluster how many there are takes a while
                    self._send(executor, waiting, flying, 1 if alone else executor.ahead())
                if not flying:
                    return lost
                done = wait(flying, timeout=WATCH, return_when=FIRST_COMPLETED).done
                for future in done:
                    jobs = flying.pop(future)
                    try:
                        self._hand_over(jobs, *executor.result(future))
                    except executor.died:
                        lost += jobs

    def _send(
        self, executor: Executor, waiting: deque[Job], flying: dict[Future[Done], list[Job]],
        ahead: int,
    ) -> None:  # fmt: skip
        while waiting and len(flying) < ahead:
            pace = LASTS * self._games / max(self._seconds, 1e-6)
            size = max(1, min(int(pace), MOST, len(waiting) // ahead)) if ahead > 1 else 1
            jobs = [waiting.popleft() for _ in range(size)]
            try:
                future = executor.submit([(self._plans[job.plan], job.seed) for job in jobs])
            except executor.died:
                waiting.extendleft(reversed(jobs))
                return
            flying[future] = jobs

    def _hand_over(self, jobs: Sequence[Job], seconds: float, outcomes: Sequence[Outcome]) -> None:
        for job, outcome in zip(jobs, outcomes, strict=True):
            self.taken += isinstance(outcome, Played)
            self._take(job, outcome)
        self._games += len(jobs)
        self._seconds += seconds


@cache
def version() -> str:
    """What plays, in short: the program's version, and a digest of what the figures depend on."""
    whole = hashlib.sha256()
    home = Path(polemarque.__file__).parent
    for room in PLAYING:
        for path in sorted((home / room).rglob("*.*")):
            if path.suffix in (".py", ".toml"):
                whole.update(path.relative_to(home).as_posix().encode() + path.read_bytes())
    return f"{polemarque.__version__} {whole.hexdigest()[:8]}"


# In a worker -------------------------------------------------------------------------------------


def _begin() -> None:
    """A worker begins: anyone who interrupts talks to its parent, and it does not outlive that
    one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def _play(chunk: Chunk) -> Done:
    began = monotonic()
    outcomes = [attempt(plan, seed) for plan, seed in chunk]
    return monotonic() - began, outcomes


def _play_as_there(there: str, chunk: Chunk) -> Done:
    """The same, if this is the version of the program that asks for it."""
    if there != version():
        raise RuntimeError(f"{there} / {version()}")
    return _play(chunk)
