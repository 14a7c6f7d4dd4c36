"""Programs think beside the real server: killed again and again, they stop no table."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.web.served import Server, Visitor, fill, serving

pytestmark = pytest.mark.slow

PATIENCE = 120
KILLS = 3


def children(server: Server) -> list[int]:
    """The processes that a server has begun."""
    assert server.process is not None
    tasks = Path(f"/proc/{server.process.pid}/task")
    return [int(n) for each in tasks.iterdir() for n in (each / "children").read_text().split()]


def standing(data: Path) -> tuple[str, int]:
    """How far the campaign is: its stage, and the number of entries."""
    with closing(sqlite3.connect(data / "polemarque.sqlite3")) as there:
        stage, count = there.execute("SELECT stage, count FROM club_campaign").fetchone()
        return stage, count


@pytest.mark.timeout(300)
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found in /proc")
def test_a_campaign_of_programs_is_played_out_although_their_process_is_killed(
    tmp_path: Path,
) -> None:
    fill(tmp_path, {"system": "thucidide", "scenario": "tutorial", "umpire": "ulysse"})
    with serving(tmp_path, "--no-demo") as server:
        until, kills, seen = time.monotonic() + PATIENCE, 0, 0
        while standing(tmp_path)[0] != "over":
            assert time.monotonic() < until, server.log.read_text()
            count = standing(tmp_path)[1]
            if kills < KILLS and count > seen:
                for child in children(server):
                    with suppress(ProcessLookupError):
                        os.kill(child, signal.SIGKILL)
                kills, seen = kills + 1, count
            status, _, _ = Visitor(server, {}).get("/health/")
            assert status == 200
            time.sleep(0.05)
        assert kills == KILLS
        assert Visitor(server, {}).get("/health/")[0] == 200
