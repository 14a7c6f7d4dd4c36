"""Where programs think: in processes apart, so that neither pages nor tables wait for them.

There are two: one for programs that answer at once, one for those that think as long as they are
told to, so that the quick never stand in line behind the slow.
"""

from __future__ import annotations

from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from functools import cache

from polemarque.bots.play import Task, Thought, load_bots, think
from polemarque.odds.worker_process import Gone, NotBegun, TooSlow, Worker

LIMIT = 20.0
"""Seconds within which a thought must have come."""

BEGIN = 60.0
"""Seconds for which a thought waits while its process begins: programs are in no hurry."""

SLOW, ENDED, BROKE = "slow", "ended", "broke"
"""Why a program has not answered: it took too long, its process ended, it broke off."""


class Failed(Exception):
    """A thought that did not come.   why: SLOW, or ENDED, of which its `__cause__` says more."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class ThinkerProcess:
    """A process that thinks about one task after the other.   limit: seconds for each."""

    def __init__(self, limit: float = LIMIT) -> None:
        self._limit = limit
        self._worker = Worker(load_bots, think)
        self._line = ThreadPoolExecutor(max_workers=1, thread_name_prefix="thinker")

    def begin(self) -> None:
        """Start the process before it is needed, and do not wait for it."""
        self._worker.begin()

    def submit(self, task: Task) -> Future[Thought]:
        """Begin to think; what comes of it, or Failed.  Raises CancelledError once it has ended."""
        try:
            return self._line.submit(self._thought, task)
        except RuntimeError:
            raise CancelledError from None

    def _thought(self, task: Task) -> Thought:
        try:
            thought: Thought = self._worker.ask(task, self._limit, BEGIN)
        except (TooSlow, NotBegun):
            self._worker.begin()  # for the next thought
            raise Failed(SLOW) from None
        except Gone as gone:
            raise Failed(ENDED) from gone
        return thought

    def end(self) -> None:
        """Stop thinking; a waiter hears that it has Failed, or was cancelled."""
        self._line.shutdown(wait=False, cancel_futures=True)
        self._worker.end()


@cache
def quick() -> ThinkerProcess:
    """Where programs think that answer at once."""
    return ThinkerProcess()


@cache
def patient() -> ThinkerProcess:
    """Where programs think that take their time; begun when the first one does."""
    return ThinkerProcess()


def end_all() -> None:
    """End the processes, with the server."""
    for thinker in (quick, patient):
        if thinker.cache_info().currsize:
            thinker().end()
