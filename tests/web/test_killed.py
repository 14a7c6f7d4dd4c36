"""The server is killed ten times under twenty players: nothing is lost or doubled."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import Counter
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any

import pytest

from polemarque.kernel.position import encode
from polemarque.kernel.records.record import Answer, read_entry
from tests.forked import run
from tests.web.served import PATIENCE, RUN, Forms, Server, Visitor, environment, fill

pytestmark = pytest.mark.slow

KILLS = 10
WARS: tuple[dict[str, Any], ...] = (
    {"system": "atlantide", "seats": 9, "people": {s: f"at-{s}" for s in "ABCDEFGHI"}},
    {"system": "atlantide", "seats": 9, "people": {s: f"is-{s}" for s in "ABCDEFGHI"}},
    {"system": "batailles", "seats": 2, "people": {"A": "ba-A", "B": "ba-B"}},
)
"""Twenty players at three tables."""


class Player(threading.Thread):
    """Answers whatever is asked of a seat with what its form proposes, again and again."""

    def __init__(self, visitor: Visitor, path: str, ended: threading.Event) -> None:
        super().__init__(daemon=True)
        self.visitor, self.path, self.ended = visitor, path, ended
        self.acknowledged: list[tuple[str, str]] = []
        """The key of each question, and the digest of the receipt, "" if nothing was sealed."""
        self.faults: list[str] = []
        self.finished = False
        self._random = Random(path)

    def run(self) -> None:
        while not self.ended.is_set():
            try:
                time.sleep(0.2 if self._turn() else 1.5)
            except (OSError, HTTPException):
                time.sleep(0.25)  # the server is down: look again
        self.finished = True

    def _turn(self) -> bool:
        status, page, _ = self.visitor.get(self.path)
        if status != 200:
            self.faults.append(f"{self.path}: {status}")
            return False
        questions = [fields for action, fields in Forms(page).forms if action.endswith("/answer/")]
        fresh = [fields for fields in questions if not dict(fields).get("standing")]
        if not fresh:
            return False
        fields = [*self._random.choice(fresh), ("do", "seal")]
        for _ in range(3):  # somebody who is not sure whether it went through sends it again
            try:
                status, page, headers = self.visitor.post(self.path + "answer/", fields)
            except (OSError, HTTPException):
                time.sleep(0.3)
                continue
            if status == 303:
                receipt = headers["Location"].partition("receipt=")[2]
                self.acknowledged.append((dict(fields)["key"], receipt))
            elif status not in {409, 422}:
                self.faults.append(f"{self.path}: {status} {page[:200]}")
            return True
        return True


@pytest.mark.timeout(900)
def test_no_acknowledged_answer_is_lost_or_doubled(tmp_path: Path) -> None:
    made: Any = fill(tmp_path, *WARS)
    server = Server(tmp_path, "--no-demo").start()
    ended = threading.Event()
    players = {
        Player(Visitor(server, made["people"][name]), f"/c/{code}/seat/{seat}/", ended): code
        for war, code in zip(WARS, made["campaigns"], strict=True)
        for seat, name in war["people"].items()
    }
    for player in players:
        player.start()
    chance = Random(1)
    for _ in range(KILLS):
        time.sleep(chance.uniform(0.2, 1.2))
        server.kill()
        server.start()
    until = time.monotonic() + PATIENCE
    while sum(len(p.acknowledged) for p in players) <= KILLS and time.monotonic() < until:
        time.sleep(0.2)  # the last start was a while ago: everybody plays on
    ended.set()
    for player in players:
        player.join(60)
    server.end()
    assert not [fault for player in players for fault in player.faults]
    assert all([player.finished for player in players])
    kept = Kept(tmp_path / "polemarque.sqlite3")
    acknowledged = [
        (code, *once) for player, code in players.items() for once in player.acknowledged
    ]
    assert len(acknowledged) > KILLS
    assert {(code, key) for code, key, _ in acknowledged} <= set(kept.answers), "lost"
    assert {one for one in acknowledged if one[2]} <= set(kept.receipts), "a receipt is lost"
    assert set(kept.answers.values()) == {1}, "doubled"
    assert set(kept.receipts.values()) == {1}, "a receipt is doubled"
    told = run(RUN, "health", "--data", str(tmp_path), env=environment(tmp_path))
    assert told.returncode == 0, told.stdout + told.stderr


class Kept:
    """What is on the disk, each with how often it is there.

    answers:  (campaign, key of the question).
    receipts: (campaign, key of the question, digest).
    """

    def __init__(self, file: Path) -> None:
        with sqlite3.connect(file) as kept:
            rows = kept.execute(
                "SELECT code, body FROM club_entry e JOIN club_campaign c ON c.id = e.campaign_id"
            )
            entries = [(code, read_entry(body)) for code, body in rows]
            self.receipts = Counter(
                kept.execute(
                    "SELECT code, key, digest"
                    " FROM club_receipt r JOIN club_campaign c ON c.id = r.campaign_id"
                )
            )
        self.answers = Counter(
            (code, encode(entry.key).decode())
            for code, entry in entries
            if isinstance(entry, Answer)
        )
