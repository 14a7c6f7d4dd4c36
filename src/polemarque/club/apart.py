"""Long work in a process apart: a long record, or one made to do harm, holds no page up for long.

One piece is done at a time, so that whoever asks for it leaves the server to those who play.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock
from typing import TypeVar

from polemarque.kernel.errors import NotAllowed, Refusal
from polemarque.odds.worker import spare_memory

T = TypeVar("T")

LIMIT = 20.0
"""Seconds within which it must be done; the command line takes as long as it takes."""

WAIT = 0.3
"""Seconds for which one piece of work waits while another is done: pages have few threads."""

_one = Lock()


def apart(
    what: str,
    work: Callable[..., T | Refusal],
    *given: object,
    limit: float = LIMIT,
    wait: float = WAIT,
) -> T:
    """What `work`, a function of a module that raises nothing, makes of what it is given.

    Raises the refusal that it gives back, and NotAllowed: "<what>.busy" if other work waits,
    "<what>.too_slow" if it would take too long.
    """
    if not _one.acquire(timeout=wait):
        raise NotAllowed(f"{what}.busy")
    try:
        answer = _asked(what, work, given, limit)
    finally:
        _one.release()
    if isinstance(answer, Refusal):
        raise answer
    return answer


def _asked(
    what: str, work: Callable[..., T | Refusal], given: tuple[object, ...], limit: float
) -> T | Refusal:
    # Threads may hold anything when a process is forked: this one begins anew.
    context = get_context("spawn")
    line, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, work, given), daemon=True)
    process.start()
    theirs.close()
    try:
        if not line.poll(limit):
            return NotAllowed(f"{what}.too_slow", part=f"{limit:g}")
        answer: T | Refusal = line.recv()
        return answer
    except EOFError:  # it has ended, for want of memory for instance
        return NotAllowed(f"{what}.too_slow", part=f"{limit:g}")
    finally:
        line.close()
        process.kill()
        process.join()


def _work(line: Connection, work: Callable[..., object], given: tuple[object, ...]) -> None:
    """Work, and send what came of it.  Runs in the process apart."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    spare_memory()
    answer = work(*given)
    with suppress(ConnectionError):  # whoever asked has been killed
        line.send(answer)
