"""What a game of the first edition is played by, where a later one has brought variants."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.kernel.game import new_header, opening

FORMER = {
    "thucidide": {
        "evaded": "each",
        "steady": "ordinary",
        "withdrawn": "spent",
        "spared": "element",
    },
    "promiterra": {"challenges": "any", "captured": "weak"},
}
"""The readings of 2026-11, by the options that 2026-11.2 has brought."""


@pytest.mark.parametrize("system", FORMER)
def test_a_game_of_the_first_edition_has_its_readings(system: str) -> None:
    header = new_header(system)
    options = {name: v for name, v in header.options.items() if name not in FORMER[system]}
    assert len(options) == len(header.options) - len(FORMER[system])
    old: Any = opening(replace(header, edition="2026-11", options=options)).state
    new: Any = opening(replace(header, options=options)).state
    assert {name: getattr(old.options, name) for name in FORMER[system]} == FORMER[system]
    assert new == opening(header).state
    assert new.options != old.options
