"""`python -m polemarque` is the command line."""

from __future__ import annotations

import subprocess
import sys

import polemarque


def test_the_package_can_be_run_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "polemarque", "--version"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, polemarque.__version__, "")


def test_a_refusal_has_the_same_status_there() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "polemarque", "consult", "XX-9.9"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
