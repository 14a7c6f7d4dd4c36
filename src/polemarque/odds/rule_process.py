"""Rules asked in a process apart: one that takes too long is ended, and nobody waits for it.

A page must answer soon whatever is asked of it, and some questions are long: exact odds of many
dice, a million units.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from polemarque.kernel.errors import NotUnderstood, Refusal
from polemarque.odds.consult import (
    FAULTS,
    ConsultAnswer,
    OddsAnswer,
    PartsAnswer,
    consult,
    consult_odds,
    consult_parts,
    questions,
)
from polemarque.odds.worker_process import Gone, NotBegun, TooSlow, Worker

log = logging.getLogger(__name__)

LIMIT = 1.0
"""Seconds within which a rule must answer."""

BEGIN = 5.0
"""Seconds for which a question waits while the process begins."""

ABREAST = 2
"""At most this many are asked or wait at once: a server's threads are few, and others want them."""


class TooLong(Refusal):
    """The answer would take too long."""

    kind = "too_large"


class RuleProcess:
    """A process that answers for a rule, one question at a time.

    limit: seconds within which a question must be answered.
    begin: seconds for which it waits while the process begins.
    """

    def __init__(self, limit: float = LIMIT, begin: float = BEGIN) -> None:
        self._limit, self._begin = limit, begin
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(ABREAST)
        self._worker = Worker(_prepare, _answer)

    @staticmethod
    @cache
    def the() -> RuleProcess:
        """The one that all pages share."""
        return RuleProcess()

    def begin(self) -> None:
        """Start the process, if there is none, and do not wait for it."""
        self._worker.begin()

    def end(self) -> None:
        """End the process."""
        self._worker.end()

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

    def parts(
        self, rule: str, inputs: Mapping[str, Any], options: Mapping[str, Any]
    ) -> PartsAnswer:
        """As `odds.consult.consult_parts`; also raises TooLong."""
        answer = self._asked(("parts", rule, dict(inputs), dict(options)))
        assert isinstance(answer, PartsAnswer)
        return answer

    def _asked(self, request: tuple[Any, ...]) -> Any:
        if not self._places.acquire(blocking=False):
            raise TooLong("odds.busy", rule=request[1])
        try:
            answer = self._in_turn(request)
        finally:
            self._places.release()
        if isinstance(answer, Refusal):
            raise answer
        return answer

    def _in_turn(self, request: tuple[Any, ...]) -> Any:
        """The answer, once those before have theirs."""
        if not self._lock.acquire(timeout=2 * self._limit):
            return TooLong("odds.busy", rule=request[1])
        try:
            return self._worker.ask(request, self._limit, self._begin)
        except NotBegun:
            return TooLong("odds.busy", rule=request[1])
        except TooSlow:
            self._worker.begin()  # for the next question
            return TooLong("odds.too_long", rule=request[1], part=f"{self._limit:g}")
        except Gone as gone:
            self._worker.begin()
            log.warning("%s broke off: %s", request[1], gone)
            return NotUnderstood("consult.fault", rule=request[1], part=gone.kind)
        finally:
            self._lock.release()


def _prepare() -> None:
    """Load all systems before the clock runs."""
    for _ in questions():
        pass


def _answer(request: tuple[Any, ...]) -> Any:
    """The answer to one question, or its refusal."""
    kind, rule, *rest = request
    try:
        if kind == "consult":
            return consult(rule, *rest)
        return consult_odds(rule, *rest) if kind == "odds" else consult_parts(rule, *rest)
    except Refusal as refusal:
        return refusal
    except MemoryError:
        return TooLong("odds.too_long", rule=rule, part=f"{LIMIT:g}")
    except FAULTS as fault:
        return NotUnderstood("consult.fault", rule=rule, part=repr(fault))
