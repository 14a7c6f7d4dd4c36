"""`polemarque tick`: once what `serve` does as time goes by, whether it is served or not."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.forked import run
from tests.web.served import RUN, environment, fill


@pytest.mark.slow
def test_the_rules_answer_once_for_the_absent_though_nothing_is_served(tmp_path: Path) -> None:
    fill(tmp_path, {"system": "atlantide", "seats": 3, "people": {"A": "ann", "B": "bob"}})
    file = tmp_path / "polemarque.sqlite3"
    with closing(sqlite3.connect(file)) as club, club:
        before = (datetime.now(UTC) - timedelta(days=3)).strftime("%Y-%m-%d %H:%M:%S")
        club.execute(
            "UPDATE club_campaign SET pace = 24, clock = ?, asked = ?, opened = ?",
            ('{"law": true}', before, "{}"),
        )
    assert ticked(tmp_path).returncode == 0
    first = absent(file)
    assert first > 0
    assert ticked(tmp_path).returncode == 0
    assert absent(file) == first, "what is asked since has a day"


def ticked(data: Path) -> subprocess.CompletedProcess[str]:
    words = ("--data", str(data), "--lang", "en")
    return run(RUN, "tick", *words, env=environment(data), timeout=120)


def absent(file: Path) -> int:
    """How many answers the rules have given for the absent."""
    with closing(sqlite3.connect(file)) as club:
        rows = club.execute("SELECT count(*) FROM club_reply WHERE absent")
        return int(rows.fetchone()[0])
