"""Games in worker processes: each result is handed over as soon as it is there.

Who plays which game, and in which order they come back, changes nothing in any of them.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from time import monotonic
from typing import NamedTuple

from polemarque.lab.games import Failed, Played, StudyPlan, attempt

AHEAD = 2
"""Parcels of games that each worker has before it, so that none waits for the next."""

PARCEL = 0.5
"""Seconds that the games of one parcel should take: less is spent on handing them over than on
playing, and an interruption waits no longer than for two such parcels."""

MOST = 64
"""Games in a parcel at most."""

WATCH = 0.2
"""Seconds after which somebody who wishes to stop is heard, whatever is being played."""

Outcome = Played | Failed


class Job(NamedTuple):
    """One game: the number of its plan, and its seed."""

    plan: int
    seed: int


Take = Callable[[Job, Outcome], None]
"""Called with each game that has been played, in whatever order."""

Stop = Callable[[], bool]
"""Whether to begin no further game."""


def play_all(
    plans: Sequence[StudyPlan], jobs: Iterable[Job], workers: int, take: Take, stop: Stop
) -> None:
    """Play these games, with one worker in this process itself, else in processes of their own.

    A game that fails is handed over as `Failed`.  Where a process dies, the games that it may have
    been playing are played again one by one, so that only the one that kills is lost; where not one
    of them lives, no process would, and all others are handed over as failed.
    """
    waiting = deque(jobs)
    if workers == 1:
        while waiting and not stop():
            job = waiting.popleft()
            take(job, attempt(plans[job.plan], job.seed))
        return
    shift = _Shift(plans, workers, take, stop)
    while waiting and not stop():
        before = shift.taken
        lost = shift.together(waiting)
        shift.one_by_one(lost)
        if lost and shift.taken == before and not stop():
            while waiting:
                job = waiting.popleft()
                take(job, Failed(job.seed, ""))


class _Shift:
    """The workers of one study."""

    def __init__(self, plans: Sequence[StudyPlan], workers: int, take: Take, stop: Stop) -> None:
        self.plans, self.workers = plans, workers
        self.stop = stop
        self.taken = 0
        """Games that were played to their end."""
        self._take = take
        self._spent = _Pace()

    def together(self, waiting: deque[Job]) -> list[Job]:
        """Play until nothing waits, somebody stops, or a process dies: those it may have had."""
        lost: list[Job] = []
        flying: dict[Future[list[Outcome]], list[Job]] = {}
        with self._pool(self.workers) as pool:
            while flying or (waiting and not lost and not self.stop()):
                if not lost and not self.stop():
                    self._send(pool, waiting, flying)
                else:
                    self._call_back(flying, waiting)
                if not flying:
                    break
                done, _ = wait(flying, timeout=WATCH, return_when=FIRST_COMPLETED)
                for future in done:
                    parcel = flying.pop(future)
                    try:
                        outcomes = future.result()
                    except BrokenProcessPool:
                        lost += parcel
                    else:
                        self._hand_over(parcel, outcomes)
        return lost

    def _send(
        self,
        pool: ProcessPoolExecutor,
        waiting: deque[Job],
        flying: dict[Future[list[Outcome]], list[Job]],
    ) -> None:
        while waiting and len(flying) < AHEAD * self.workers:
            size = min(self._spent.size, -(-len(waiting) // (AHEAD * self.workers)))
            parcel = [waiting.popleft() for _ in range(size)]
            try:
                flying[pool.submit(_play_parcel, parcel)] = parcel
            except BrokenProcessPool:
                waiting.extendleft(reversed(parcel))
                return

    @staticmethod
    def _call_back(flying: dict[Future[list[Outcome]], list[Job]], waiting: deque[Job]) -> None:
        for future in [each for each in flying if each.cancel()]:
            waiting.extendleft(reversed(flying.pop(future)))

    def one_by_one(self, jobs: Iterable[Job]) -> None:
        """Play games that a dead process may have had, one at a time: who dies now is known."""
        left = deque(jobs)
        while left and not self.stop():
            with self._pool(1) as pool:
                while left and not self.stop():
                    job = left.popleft()
                    try:
                        self._hand_over([job], pool.submit(_play_parcel, [job]).result())
                    except BrokenProcessPool:
                        self._take(job, Failed(job.seed, ""))
                        break

    def _hand_over(self, parcel: Sequence[Job], outcomes: Sequence[Outcome]) -> None:
        for job, outcome in zip(parcel, outcomes, strict=True):
            self.taken += isinstance(outcome, Played)
            self._take(job, outcome)
        self._spent.add(len(parcel))

    def _pool(self, workers: int) -> ProcessPoolExecutor:
        self._spent = _Pace(workers)
        return ProcessPoolExecutor(
            workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(self.plans,)
        )


class _Pace:
    """How many games a worker plays in the time that a parcel should take."""

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers
        self._games = 0
        self._began = 0.0

    def add(self, games: int) -> None:
        """So many more have come back.  The first parcel is not counted: processes begin slowly."""
        if not self._began:
            self._began = monotonic()
            return
        self._games += games

    @property
    def size(self) -> int:
        """Games for the next parcel."""
        if not self._games:
            return 1
        each = (monotonic() - self._began) * self._workers / self._games
        return max(1, min(MOST, int(PARCEL / max(each, 1e-6))))


# In a worker -------------------------------------------------------------------------------------

_PLANS: list[StudyPlan] = []


def _begin(plans: Sequence[StudyPlan]) -> None:
    """A worker begins: anyone who interrupts talks to its parent, and it does not outlive that
    one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _PLANS[:] = plans
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play_parcel(parcel: Sequence[Job]) -> list[Outcome]:
    return [attempt(_PLANS[job.plan], job.seed) for job in parcel]
