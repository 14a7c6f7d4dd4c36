"""`python -m polemarque` is the command line."""

from __future__ import annotations

import subprocess
import sys

import pytest

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


def test_importing_the_package_loads_none_of_its_rooms() -> None:
    program = (
        "import sys, polemarque; from polemarque import __all__ as names\n"
        "print([each for each in sys.modules if each.startswith(('polemarque.', 'msgspec'))])\n"
        "print([name for name in names if getattr(polemarque, name).__name__ != name])\n"
        "print(sorted(set(names) - set(dir(polemarque))), 'django' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["[]", "[]", "[] False"]
    assert set(polemarque._WHERE) == set(polemarque.__all__)
    with pytest.raises(AttributeError, match="'nothing'"):
        _ = polemarque.nothing
