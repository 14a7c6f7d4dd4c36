"""What an author tests a rule system with.  It needs pytest: ``pip install polemarque pytest``.

A test module of two lines has every promise of a system tested, and another line all its cases::

    from ford import SYSTEM
    from polemarque.testing import case_tests, contract

    TestContract = contract(SYSTEM, secrets=None)
    TestCases = case_tests(SYSTEM)

`golden_tests` compares whole games with files that were read when they were written.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polemarque.kernel.agenda import forget_rules
from polemarque.kernel.battle_brief import forget_resolvers
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.files.plugins import look_again
from polemarque.kernel.system import System, add_system, find_system, forget_system

if TYPE_CHECKING:
    from polemarque.testing.contract_tests import Contract

__all__ = ["Secrets", "case_tests", "contract", "forget", "golden_tests"]

Secrets = Callable[[Any, str, random.Random], Any]
"""(state, seat, chance) -> the same state, but for what that seat may not know, changed at random.

The seat "" is somebody who has no seat."""


def contract(system: System, *, secrets: Secrets | None) -> type[Contract]:
    """The tests of everything that a system owes, as a class for a test module.

    Its name in that module begins with ``Test``.  A system that is not installed is made known.

    secrets: what a seat may not know; None where every seat may see the whole state.
    """
    _shows_what_was_compared("contract_tests")
    from polemarque.testing.contract_tests import tests_of

    _known(system)
    return tests_of(system, secrets)


def case_tests(system: System, folder: Path | None = None) -> type[Any]:
    """The cases of a system as a class for a test module, one test a case.

    folder: where they lie; by default in ``cases``, beside the folder of the system's data.
    """
    import pytest

    from polemarque.testing.run_cases import read_cases, run_case

    _known(system)
    files = sorted((folder or system.data.parent / "cases").glob("*.case"))
    cases = [case for file in files for case in read_cases(file)]

    class TestCases:
        """Each case of the system holds."""

        @pytest.mark.parametrize("case", cases, ids=[case.id for case in cases])
        def test_case(self, case: Any) -> None:
            run_case(case)

    return TestCases


def golden_tests(*systems: System, folder: Path) -> type[Any]:
    """The golden playthroughs of systems as a class for a test module, one test a scenario.

    folder: where they are kept.  ``python -m polemarque.testing.goldens SYSTEM FOLDER`` writes them
    there, to be read before a commit: a change in them is a change of what the rules do.
    """
    _shows_what_was_compared("goldens")
    from polemarque.testing.goldens import tests_of

    for system in systems:
        _known(system)
    return tests_of(systems, folder)


def _shows_what_was_compared(tests: str) -> None:
    """Have a failure of these tests show it, as one of the author's own does."""
    import pytest

    if (name := f"{__name__}.{tests}") not in sys.modules:
        pytest.register_assert_rewrite(name)


def _known(system: System) -> None:
    """Make a system known that is not installed."""
    try:
        find_system(system.name)
    except NotUnderstood:
        add_system(system)


def forget(package: str) -> None:
    """Forget the rules, systems and resolvers of a package, as if it had never been imported.

    For tests that load one package twice, or two of the same name.  Its modules stay imported.
    """
    forget_rules(package)
    forget_system(package)
    forget_resolvers(package)
    look_again()
