"""A process apart that answers one question at a time, and is ended when it takes too long.

Nobody waits for ever, and what it does wrong harms nobody else: it is started at need, kept, and
replaced once it has ended, by itself or by force.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from typing import Any

MEMORY = 1 << 30
"""Bytes that such a process may use, where the machine can be told so."""

READY = "ready"


class NotBegun(Exception):
    """The process is still beginning; the question was not put to it."""


class TooSlow(Exception):
    """The answer took longer than it may: the process was ended."""


class Gone(Exception):
    """The process has ended before it answered; the message says why, as far as it is known."""

    @property
    def kind(self) -> str:
        """What ended it, without what it said: that may hold paths, which no page shows."""
        return str(self).partition(":")[0]


class Worker:
    """A process, and the line on which it is asked.  The asker sees to it that nobody else asks.

    prepare: called in the process before it is ready.
    answer:  called there with each question; what it gives back is the answer.
    What either raises ends the process, and the asker hears of it as `Gone`.
    Both are functions of a module, and find there all that they need.
    """

    def __init__(self, prepare: Callable[[], object], answer: Callable[[Any], Any]) -> None:
        self._prepare, self._answer = prepare, answer
        self._begun = threading.Lock()
        self._process: Any = None
        self._line: Connection | None = None
        self._ready = False
        self._unbegun = ""

    def begin(self) -> None:
        """Start the process, if there is none, and do not wait for it."""
        with self._begun:
            if self._process is not None and self._process.is_alive():
                return
            if self._line is not None:
                self._line.close()
            # Threads may hold anything when a process is forked: this one begins again.
            context = get_context("spawn")
            self._line, theirs = context.Pipe()
            told = (theirs, self._prepare, self._answer)
            process = context.Process(target=_answer_all, args=told, daemon=True)
            self._process, self._ready, self._unbegun = None, False, ""
            try:
                process.start()
                self._process = process
            except OSError as fault:  # killed before it is told what to do: gone for who asks
                self._unbegun = _named(fault)
            theirs.close()

    def end(self) -> None:
        """End the process; anyone who waits for it hears that it is gone."""
        with self._begun:
            if self._process is not None:
                self._process.kill()
                self._process.join()
                self._process = None

    def ask(self, question: Any, limit: float, begin: float) -> Any:
        """The answer.

        limit: seconds within which it must come.   begin: seconds to wait for a process that is
        beginning.  Raises NotBegun; TooSlow or Gone, and the next question starts another process.
        """
        self.begin()
        line = self._line
        assert line is not None
        try:
            if not self._ready:
                if not line.poll(begin):
                    raise NotBegun
                self._ready = _heard(line) == READY
            line.send(question)
            if line.poll(limit):
                return _heard(line)
        except (EOFError, OSError):
            raise Gone(self._unbegun or self._ended()) from None
        except Gone:
            self.end()
            raise
        self.end()
        raise TooSlow

    def _ended(self) -> str:
        """How a process ended that has closed its line."""
        process = self._process
        if process is not None:
            process.join(1)
        self.end()
        return f"exit status {process.exitcode}" if process is not None else "ended"


def called(asked: tuple[Callable[..., Any], tuple[Any, ...]]) -> Any:
    """The answer of a process that is asked to call a function of a module with what is given."""
    work, given = asked
    return work(*given)


def _heard(line: Connection) -> Any:
    said = line.recv()
    if isinstance(said, Gone):
        raise said
    return said


def _named(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}"


def _answer_all(
    line: Connection, prepare: Callable[[], object], answer: Callable[[Any], Any]
) -> None:
    """Answer what comes until nobody asks any more.  Runs in the process apart."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    spare_memory()
    try:
        prepare()
        line.send(READY)
        while True:
            line.send(answer(line.recv()))
    except (EOFError, ConnectionError):  # the asker has ended, or has been killed
        return
    except Exception as fault:
        line.send(Gone(_named(fault)))
        raise


def end_with_parent() -> None:
    """See to it that this process does not outlive its parent, which may be killed."""
    threading.Thread(target=_end_after_parent, daemon=True).start()


def _end_after_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def spare_memory() -> None:
    """Let a question fail for want of memory before the machine does."""
    try:
        import resource
    except ImportError:  # not a Unix
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
