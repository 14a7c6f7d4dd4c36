"""What `learn.py` is worth, on request: `pytest examples/test_learn.py` (a quarter of an hour)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FLOORS = [
    (("batailles", "leuctra", "--steps", "15000"), 0.95),
    (("thucidide", "tutorial", "--steps", "300000", "--shaped"), 0.60),
]


@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("what", "floor"), FLOORS)
def test_a_program_learns_to_beat_chance_from_both_seats(
    what: tuple[str, ...], floor: float
) -> None:
    """The mean of both seats reaches the floor."""
    script = Path(__file__).with_name("learn.py")
    done = subprocess.run(
        [sys.executable, script, *what], capture_output=True, text=True, check=True
    )
    after = done.stdout.splitlines()[-1].split()
    won = [float(word) for word in after if word.startswith(("0.", "1."))]
    assert len(won) == 2, done.stdout
    assert sum(won) / 2 >= floor, done.stdout
