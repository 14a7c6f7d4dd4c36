"""Every case of the case files, the book's own examples first."""

from __future__ import annotations

import pytest

from polemarque.kernel.ledger import load_ledger
from polemarque.kernel.system import find_system
from tests.systems.batailles.casebook import CASES, all_cases, cases_of, run

BY_NAME = {case.name: case for case in all_cases()}


@pytest.mark.parametrize("name", BY_NAME)
def test_case(name: str) -> None:
    run(BY_NAME[name])


def test_every_rule_of_the_ledger_has_its_own_file_of_cases() -> None:
    for rule in load_ledger(find_system("batailles")):
        cases = list(cases_of(CASES / f"{rule}.case"))
        assert cases
        assert all(case.name.startswith(f"{rule}.") for case in cases)


def test_no_two_cases_have_the_same_id() -> None:
    assert len(BY_NAME) == len(all_cases())
