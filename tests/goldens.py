"""Golden playthroughs of ours: ``python -m tests.goldens`` writes them anew, to be read before a
commit."""

from __future__ import annotations

from pathlib import Path

from polemarque.kernel.system import System, find_system, system_names
from polemarque.testing.goldens import write

FOLDER = Path(__file__).parent / "goldens"


def ours() -> list[System]:
    """Our systems; a test's toy has no goldens."""
    found = [find_system(name) for name in system_names()]
    return [each for each in found if each.module.startswith("polemarque.")]


if __name__ == "__main__":
    print(*write(ours(), FOLDER), sep="\n")
