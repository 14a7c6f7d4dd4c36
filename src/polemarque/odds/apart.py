"""Rules asked in a process apart: one that takes too long is ended, and nobody waits for it.

A page must answer soon whatever is asked of it, and some questions are long: exact odds of many
dice, a million units.  The process is started at need, kept, and replaced once it has been ended.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from polemarque.kernel.errors import NotUnderstood, Refusal
from polemarque.odds.consult import (
    FAULTS,
    ConsultAnswer,
    OddsAnswer,
    consult,
    consult_odds,
    questions,
)

LIMIT = 1.0
"""Seconds within which a rule must answer."""

BEGIN = 5.0
"""Seconds for which a question waits while the process begins."""

MEMORY = 1 << 30
"""Bytes that the process may use, where the machine can be told so."""

READY = "ready"


class TooLong(Refusal):
    """The answer would take too long."""

    kind = "too_large"


class Apart:
    """A process that answers for a rule, one question at a time.

    limit: seconds within which a question must be answered.
    begin: seconds for which it waits while the process begins.
    """

    def __init__(self, limit: float = LIMIT, begin: float = BEGIN) -> None:
        self._limit, self._begin = limit, begin
        self._lock = threading.Lock()
        self._begun = threading.Lock()
        self._process: Any = None
        self._line: Connection | None = None
        self._ready = False

    @staticmethod
    @cache
    def the() -> Apart:
        """The one that all pages share."""
        return Apart()

    def begin(self) -> None:
        """Start the process, if there is none, and do not wait for it."""
        with self._begun:
            if self._process is not None and self._process.is_alive():
                return
            # Threads may hold anything when a process is forked: this one begins anew.
            context = get_context("spawn")
            self._line, theirs = context.Pipe()
            self._process = context.Process(target=_answer_all, args=(theirs,), daemon=True)
            self._ready = False
            self._process.start()
            theirs.close()

    def end(self) -> None:
        """End the process."""
        with self._begun:
            if self._process is not None:
                self._process.kill()
                self._process.join()
                self._process = None
            if self._line is not None:
                self._line.close()
                self._line = None

    def consult(
        self, rule: str, inputs: Mapping[str, Any], dice: Sequence[int] | None,
        options: Mapping[str, Any], seed: str | None, lang: str,
    ) -> ConsultAnswer:  # fmt: skip
        """As `odds.consult.consult`; also raises TooLong."""
        typed = None if dice is None else list(dice)
        answer = self._asked(("consult", rule, dict(inputs), typed, dict(options), seed, lang))
        assert isinstance(answer, ConsultAnswer)
        return answer

    def odds(self, rule: str, inputs: Mapping[str, Any], options: Mapping[str, Any]) -> OddsAnswer:
        """As `odds.consult.consult_odds`; also raises TooLong."""
        answer = self._asked(("odds", rule, dict(inputs), dict(options)))
        assert isinstance(answer, OddsAnswer)
        return answer

    def _asked(self, request: tuple[Any, ...]) -> Any:
        if not self._lock.acquire(timeout=2 * self._limit):
            raise TooLong("odds.busy", rule=request[1])
        try:
            answer = self._exchanged(request)
        finally:
            self._lock.release()
        if isinstance(answer, Refusal):
            raise answer
        return answer

    def _exchanged(self, request: tuple[Any, ...]) -> Any:
        """Send a question and wait for its answer, no longer than the limit."""
        self.begin()
        line = self._line
        assert line is not None
        try:
            if not self._ready:
                if not line.poll(self._begin):
                    return TooLong("odds.busy", rule=request[1])
                self._ready = line.recv() == READY
            line.send(request)
            if line.poll(self._limit):
                return line.recv()
        except (EOFError, OSError):
            pass  # it has ended, for want of memory for instance
        self.end()
        self.begin()  # for the next question
        return TooLong("odds.too_long", rule=request[1], part=f"{self._limit:g}")


def _answer_all(line: Connection) -> None:
    """Answer what comes until nobody asks any more.  Runs in the process apart."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    spare_memory()
    for _ in questions():
        pass  # all systems are loaded before the clock runs
    line.send(READY)
    while True:
        try:
            request = line.recv()
        except EOFError:
            return
        line.send(_answer(request))


def _answer(request: tuple[Any, ...]) -> Any:
    """The answer to one question, or its refusal."""
    kind, rule, *rest = request
    try:
        return consult(rule, *rest) if kind == "consult" else consult_odds(rule, *rest)
    except Refusal as refusal:
        return refusal
    except MemoryError:
        return TooLong("odds.too_long", rule=rule, part=f"{LIMIT:g}")
    except FAULTS as fault:
        return NotUnderstood("consult.fault", rule=rule, part=repr(fault))


def spare_memory() -> None:
    """Let a question fail for want of memory before the machine does."""
    try:
        import resource
    except ImportError:  # not a Unix
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))
