"""All that Polémarque asks of a system, the cases, and one whole game that is kept.

Every seat may see the whole state.
"""

from pathlib import Path

from beacons import SYSTEM
from polemarque.testing import case_tests, contract, golden_tests

TestContract = contract(SYSTEM, secrets=None)
TestCases = case_tests(SYSTEM)
TestGoldens = golden_tests(SYSTEM, folder=Path(__file__).parent / "goldens")
