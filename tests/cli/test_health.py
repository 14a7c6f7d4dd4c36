"""`polemarque health` where there is no club yet."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_a_club_that_is_not_there_is_refused_and_not_made(tmp_path: Path) -> None:
    data = tmp_path / "club"
    done = subprocess.run(
        [sys.executable, "-m", "polemarque", "health", "--data", str(data), "--lang", "en"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "polemarque.sqlite3 cannot be read" in done.stderr
    assert not (data / "polemarque.sqlite3").exists()
