"""Long work: its progress shown, and its interruption made harmless."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType, TracebackType
from typing import Any

from polemarque.cli.common import bare
from polemarque.kernel.errors import harmless

Tick = Callable[[int, int], None]
"""Called with (done, in all); in all is 0 where nobody knows."""

QUIET = 0.3
"""Work shorter than this many seconds shows nothing."""

OFTEN = 0.1
"""Seconds between two pictures."""


@contextmanager
def progress(what: str, *, shown: bool = True) -> Iterator[Tick]:
    """A bar on standard error, if that is a terminal and `shown`; gone when the work is done."""
    if not shown or not sys.stderr.isatty():
        yield _unseen
        return
    bar = _Bar(what)
    try:
        yield bar.tick
    finally:
        bar.close()


def _unseen(done: int, total: int) -> None:
    """Nobody watches."""


class _Bar:
    """A bar that appears only when the work turns out to be long."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._next = monotonic() + QUIET
        self._progress: Any = None
        self._task: Any = None

    def tick(self, done: int, total: int) -> None:
        """How far the work is."""
        now = monotonic()
        if now < self._next:
            return
        self._next = now + OFTEN
        if self._progress is None:
            from rich.console import Console
            from rich.progress import Progress

            self._progress = Progress(console=Console(file=bare(sys.stderr)), transient=True)
            self._task = self._progress.add_task(harmless(self._what), total=total or None)
            self._progress.start()
        self._progress.update(self._task, completed=done, total=total or None)

    def close(self) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()


class Interruptible:
    """While inside, Ctrl-C and a request to terminate only set `asked`: the work ends between two
    steps.  A second Ctrl-C is obeyed at once.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interruptible:
        for which in (signal.SIGINT, signal.SIGTERM):
            self._before[which] = signal.signal(which, self._heard)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for which, handler in self._before.items():
            signal.signal(which, handler)

    def _heard(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
