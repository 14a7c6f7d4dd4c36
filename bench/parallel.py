"""P: games of bots by several workers beside one, by a pool and by Dask; and by hundreds, simulated."""

from __future__ import annotations

import heapq
import random
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

from polemarque.kernel.game import new_header
from polemarque.lab import executor
from polemarque.lab.games import Failed, StudyPlan

SYSTEMS = ("atlantide", "batailles", "mare_nostrum", "promiterra", "thucidide")
SHORT = {"atlantide": {"turn_limit": 12}, "mare_nostrum": {"turn_limit": 12}}


def plan(system: str) -> StudyPlan:
    header = new_header(system, options=SHORT.get(system, {}))
    return StudyPlan(header, dict.fromkeys(header.seats, "steady"))


def played(system: str, many: int, opener: executor.Opener) -> tuple[float, dict[Any, Any]]:
    """Seconds from the first game to the last, workers included that begin, and the games."""
    found: dict[Any, Any] = {}
    jobs = [executor.Job(0, seed) for seed in range(many)]
    start = time.perf_counter()
    executor.play_all([plan(system)], jobs, opener, found.__setitem__, lambda: False)
    return time.perf_counter() - start, found


@contextmanager
def clusters(workers: int) -> Iterator[dict[str, executor.Opener]]:
    """The executors of several processes by name; Dask's is there already, and counts its chunks."""
    with executor.dask(workers) as dask:
        yield {"pool": partial(executor.pool, workers), "dask": dask}


def efficiencies(rounds: int, many: int, workers: int) -> Iterator[tuple[str, str, list[float]]]:
    """Name, what it is, and its efficiency: 1 if so many workers take a so manieth of the time.

    The games are compared first.  The last rows are those of all systems together.
    """
    alone: dict[str, list[float]] = {}
    with clusters(workers) as openers:
        together: dict[str, list[float]] = {name: [0.0] * rounds for name in openers}
        for system in SYSTEMS:
            took: dict[str, list[float]] = {name: [] for name in openers}
            alone[system] = []
            for turn in range(rounds):
                seconds, here = played(system, many, executor.in_process)
                alone[system].append(seconds)
                for name, opener in openers.items():
                    spent, there = played(system, many, opener)
                    assert there == here, f"{system}: other games by {name}"
                    took[name].append(spent)
                    together[name][turn] += spent
            for name, times in took.items():
                yield (f"{name} {system}", f"{many} games of steady bots by {workers} workers, per worker",
                       [a / b / workers for a, b in zip(alone[system], times, strict=True)])  # fmt: skip
        for name, times in together.items():
            of = [sum(each) for each in zip(*alone.values(), strict=True)]
            yield (name, f"{many} games of each system by {workers} workers, per worker",
                   [a / b / workers for a, b in zip(of, times, strict=True)])  # fmt: skip


def handing_over(chunks: int = 300) -> float:
    """Seconds of processor time that Dask's client and scheduler spend on a chunk of short games."""
    with executor.dask(1) as opener, opener() as dask:
        chunk = [(plan("batailles"), 0)]
        start = time.process_time()
        for futures in [[dask.submit(chunk) for _ in range(20)] for _ in range(chunks // 20)]:
            for future in futures:
                dask.result(future)
        return (time.process_time() - start) / chunks


def simulated(workers: int, cost: float, seconds: float = 60.0, each: float = 0.15) -> float:
    """The efficiency of so many workers by a clock that is only counted.

    cost: seconds for which whoever deals out the chunks is busy with one.   seconds: how long the
    study would take at best.   each: seconds of a game on an average; they spread as a campaign's do.
    """
    chooser = random.Random(workers)
    lengths = [
        each * chooser.lognormvariate(-0.045, 0.3) for _ in range(int(workers * seconds / each))
    ]
    clock, number = 0.0, 0
    free = [(0.0, worker) for worker in range(workers)]
    ending: list[tuple[float, int, Future[executor.Done], executor.Done]] = []

    def submit(chunk: executor.Chunk) -> Future[executor.Done]:
        nonlocal clock, number
        clock, number = clock + cost, number + 1
        at, worker = heapq.heappop(free)
        spent = sum(lengths[seed] for _, seed in chunk)
        heapq.heappush(free, (max(at, clock) + spent, worker))
        future: Future[executor.Done] = Future()
        done = (spent, [Failed(seed, "") for _, seed in chunk])
        heapq.heappush(ending, (max(at, clock) + spent, number, future, done))
        return future

    def wait(*_: object, **__: object) -> Any:
        nonlocal clock
        at, _number, future, done = heapq.heappop(ending)
        clock = max(clock, at)
        future.set_result(done)
        return type("", (), {"done": {future}})

    true_wait, executor.wait = executor.wait, wait
    try:
        jobs = [executor.Job(0, seed) for seed in range(len(lengths))]
        opened = executor.Executor(submit, lambda: executor.AHEAD * workers)
        executor.play_all(
            [plan("batailles")], jobs, lambda: nullcontext(opened), lambda j, o: None, lambda: False
        )
    finally:
        executor.wait = true_wait
    return sum(lengths) / workers / clock
