"""A process for rules asked alone that is given time, however busy the machine is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from polemarque.odds.rule_process import RuleProcess

PATIENT = 60.0


@contextmanager
def patient_process() -> Iterator[RuleProcess]:
    """One with an hour-glass that no short question empties."""
    asked = RuleProcess(limit=PATIENT, begin=PATIENT)
    try:
        yield asked
    finally:
        asked.end()
