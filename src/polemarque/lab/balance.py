"""Whether a game that is planned would be level: bots play it in a process apart.

One such study is made at a time, by a process that yields to all others.  A few are kept, in
memory: who asks again after a restart has it made again, to the same figures.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable
from threading import Lock, Thread
from time import monotonic
from typing import Any

import msgspec

from polemarque.bots.play import load_bots
from polemarque.bots.registry import STEADY
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.kernel.new_game import opening
from polemarque.kernel.records.record import Header
from polemarque.lab.games import Failed, Played, StudyPlan, attempt
from polemarque.lab.report import Findings, report
from polemarque.lab.significance import recommended
from polemarque.lab.statistics import all_figures
from polemarque.odds.worker_process import Gone, NotBegun, TooSlow, Worker, called
from polemarque.report.documents.document import Document

log = logging.getLogger(__name__)

LASTS = 900.0
"""Seconds for which a study is made at most; it then tells of the games that there are."""

LIMIT = 120
"""Seconds for one game, or for the report."""

BEGIN = 60.0
"""Seconds for the process to begin."""

KEPT = 8
"""Studies that are kept, the newest."""


class Balance:
    """A study: `done` of `wished` games are played while it is `going`.

    told: the report by language, once it has been made; none if it could not be, or if not one game
    came to its end in `limit` seconds.   played, failed: games that did, and that broke off.
    broke: the report did; the log says why.
    """

    limit = LIMIT

    def __init__(self, plan: StudyPlan, scenario: str) -> None:
        self.wished = recommended(len(plan.header.seats))
        self.done = 0
        self.played = self.failed = 0
        self.going, self.broke = True, False
        self.told: dict[str, Document] = {}
        self._plan, self._scenario = plan, scenario

    def make(self) -> None:
        """Play, and write the report.  A game that takes too long is left out."""
        worker = Worker(_prepare, called)
        until = monotonic() + LASTS
        games: list[Played] = []
        try:
            while self.done < self.wished and monotonic() < until:
                game = _asked(worker, attempt, self._plan, self.done)
                if isinstance(game, Played):
                    games.append(game)
                self.failed += isinstance(game, (Failed, Gone))
                self.done, self.played = self.done + 1, len(games)
            told = _asked(worker, _told, self._plan, self._scenario, games) if games else {}
            self.broke = isinstance(told, Gone)
            self.told = told if isinstance(told, dict) else {}
        finally:
            worker.end()
            self.going = False


def _asked(worker: Worker, work: Callable[..., Any], *given: Any) -> Any:
    """What the process makes of it; None if that takes too long, what ended it if anything did."""
    try:
        return worker.ask((work, given), LIMIT, BEGIN)
    except (NotBegun, TooSlow):
        return None
    except Gone as gone:
        log.warning("a study of balance broke off: %s", gone)
        return gone


_kept: dict[str, Balance] = {}
_one = Lock()


def begin(header: Header, scenario: str) -> str:
    """Begin to study a game; the key of its study, which may be there already.

    scenario: what it is called.  Raises Refusal on a game that cannot be played, and NotAllowed
    (balance.busy) while another study is made.
    """
    opening(header)
    plan = StudyPlan(header, dict.fromkeys(header.seats, STEADY))
    key = hashlib.sha256(msgspec.json.encode((plan, scenario))).hexdigest()[:16]
    with _one:
        found = _kept.get(key)
        if found is None or not (found.going or found.told):
            if any(each.going for each in _kept.values()):
                raise NotAllowed("balance.busy")
            _kept[key] = made = Balance(plan, scenario)
            for old in [*_kept][:-KEPT]:
                del _kept[old]
            Thread(target=made.make, name="balance", daemon=True).start()
    return key


def study(key: str) -> Balance | None:
    """The study of that key, if it is still kept."""
    return _kept.get(key)


# In the process apart ----------------------------------------------------------------------------


def _prepare() -> None:
    if hasattr(os, "nice"):
        os.nice(10)
    load_bots()


def _told(plan: StudyPlan, scenario: str, games: list[Played]) -> dict[str, Document]:
    """What the games say, by language."""
    found = Findings((plan,), scenario, 0, all_figures([games], [plan]))
    return {lang: report(found, lang) for lang in LANGUAGES}
