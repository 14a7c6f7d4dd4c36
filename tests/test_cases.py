"""Every case of every rule: see polemarque.report.case_files for how they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemarque.testing.run_cases import Case, read_cases, run_case
from tests.kernel import toy

assert toy.TOY


ROOT = Path(__file__).resolve().parent


def case_files(folder: Path = ROOT) -> list[Path]:
    """Every case file below a folder."""
    return sorted(folder.glob("**/cases/*.case"))


def every_case() -> list[Case]:
    return [case for path in case_files() for case in read_cases(path)]


@pytest.mark.parametrize("case", every_case(), ids=lambda case: case.id)
def test_case(case: Case) -> None:
    run_case(case)


def test_case_ids_are_unique() -> None:
    ids = [case.id for case in every_case()]
    assert len(ids) == len(set(ids))


def test_cases_stand_in_the_file_of_their_rule() -> None:
    for path in case_files(ROOT / "systems"):
        for case in read_cases(path):
            assert case.rule == path.stem or case.rule.startswith(f"{path.stem}."), case.place
