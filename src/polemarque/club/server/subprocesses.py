"""Long work in a process apart: a long record, or one made to do harm, holds no page up for long.

One piece is done at a time, and nobody waits for it: a page that waits holds one of the few threads
of the pages, which are for those who play.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from polemarque.kernel.errors import NotAllowed, Refusal
from polemarque.odds.worker_process import Gone, NotBegun, TooSlow, Worker, called

log = logging.getLogger(__name__)

T = TypeVar("T")

LIMIT = 20.0
"""Seconds within which it must be done, once its process has begun, which may take as long; the
command line takes as long as it takes."""

_one = Lock()


def apart(what: str, work: Callable[..., T | Refusal], *given: object, limit: float = LIMIT) -> T:
    """What `work`, a function of a module, makes of what it is given.

    Raises the refusal that it gives back, and NotAllowed: "<what>.busy" while other work is done,
    "<what>.too_slow" if it would take too long, "<what>.broke_off" with the kind of fault if it
    fails, of which the log says more.
    """
    if not _one.acquire(blocking=False):
        raise NotAllowed(f"{what}.busy")
    try:
        return by_itself(what, work, *given, limit=limit)
    finally:
        _one.release()


def by_itself(what: str, work: Callable[..., T | Refusal], *given: object, limit: float) -> T:
    """The same, whatever else is done: the caller sees to it that it is not too much at once."""
    answer = _asked(what, work, given, limit)
    if isinstance(answer, Refusal):
        raise answer
    return answer


def _asked(
    what: str, work: Callable[..., T | Refusal], given: tuple[object, ...], limit: float
) -> T | Refusal:
    # A process for this piece of work alone: whatever it leaves behind ends with it.
    worker = Worker(_prepare, called)
    try:
        answer: T | Refusal = worker.ask((work, given), limit, begin=limit)
        return answer
    except (NotBegun, TooSlow):
        return NotAllowed(f"{what}.too_slow", part=f"{limit:g}")
    except Gone as gone:
        log.warning("%s broke off: %s", what, gone)
        return NotAllowed(f"{what}.broke_off", part=gone.kind)
    finally:
        worker.end()


def _prepare() -> None:
    """Nothing: what the work needs is loaded with it."""
