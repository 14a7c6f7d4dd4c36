"""The server is killed twenty times under twenty players: nothing is lost or doubled."""

from __future__ import annotations

import sqlite3
import threading
import time
from http.client import HTTPException
from pathlib import Path
from random import Random
from typing import Any

import pytest

from polemarque.cli import common
from tests.web.served import PATIENCE, Forms, Server, Visitor, fill

KILLS = 20
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
        self.acknowledged: list[str] = []
        """The digest of each receipt, "" of an answer that was not sealed."""
        self.faults: list[str] = []
        self._random = Random(path)

    def run(self) -> None:
        while not self.ended.is_set():
            try:
                time.sleep(0.1 if self._turn() else 0.5)
            except (OSError, HTTPException):
                time.sleep(0.05)  # the server is down: look again

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
                self.acknowledged.append(headers["Location"].partition("receipt=")[2])
            elif status not in {409, 422}:
                self.faults.append(f"{self.path}: {status} {page[:200]}")
            return True
        return True


@pytest.mark.timeout(600)
def test_no_acknowledged_answer_is_lost_or_doubled(tmp_path: Path) -> None:
    made: Any = fill(tmp_path, *WARS)
    server = Server(tmp_path, "--no-demo").start()
    ended = threading.Event()
    players = [
        Player(
            Visitor(server, made["people"][name]), f"/c/{code}/seat/{seat}/", ended
        )
        for war, code in zip(WARS, made["campaigns"], strict=True)
        for seat, name in war["people"].items()
    ]  # fmt: skip
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
    acknowledged = [once for player in players for once in player.acknowledged]
    assert len(acknowledged) > KILLS
    with sqlite3.connect(tmp_path / "polemarque.sqlite3") as kept:
        given = [once for (once,) in kept.execute("SELECT once FROM club_given")]
        kept_receipts = {digest for (digest,) in kept.execute("SELECT digest FROM club_receipt")}
    assert {digest for digest in acknowledged if digest} <= kept_receipts
    assert len(given) >= len(acknowledged)
    assert len(given) == len(set(given))
    assert common.run(["health", "--data", str(tmp_path)]) == common.DONE
