"""All that Polémarque asks of a system, and the cases, one test each."""

from __future__ import annotations

import random

from msgspec.structs import replace
from polemarque.testing import case_tests, contract

from rapids import SYSTEM, March


def other_rope(march: March, seat: str, chance: random.Random) -> March:
    """The same march with other ropes of those whose ropes `seat` cannot know."""
    captains = {
        code: captain if code == seat else replace(captain, rope=chance.randrange(5))
        for code, captain in march.captains.items()
    }
    return replace(march, captains=captains)


TestContract = contract(SYSTEM, secrets=other_rope)
TestCases = case_tests(SYSTEM)
