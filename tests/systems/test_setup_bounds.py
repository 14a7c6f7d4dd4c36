"""Set-ups that would cost more than any table holds are refused before anything is reckoned."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import plain
from polemarque.kernel.system import find_system

TROOP = {"unit": "hoplites", "units": 20, "leader": "X"}
HORDE = {**TROOP, "units": 10**18}
LIST = {"key": "own", "fr": "x", "en": "x", "unit": []}
SIDE = plain(find_system("thucidide").scenarios["crossing"]["a"])


@pytest.mark.parametrize(
    ("system", "setup"),
    [
        ("promiterra", {"armies": [{"army": "greeks", "troops": [HORDE]}] * 2}),
        ("promiterra", {"armies": [{"army": "greeks", "troops": [TROOP] * 101}] * 2}),
        ("promiterra", {"armies": [{"army": "greeks", "rerolls": 10**18}] * 2}),
        (
            "promiterra",
            {"catalogue": {"army": [{**LIST, "sample": [HORDE]}]}},
        ),
        ("thucidide", {"limit": 10**6}),
        ("thucidide", {"a": {**SIDE, "level": 10**18}}),
        ("thucidide", {"a": {**SIDE, "activations": [1] * 301}}),
        ("thucidide", {"a": {**SIDE, "units": [{"kind": "x", "at": "a1", "elements": 10**18}]}}),
        (
            "thucidide",
            {"kind": {"x": {"name": {}, "arm": "infantry", "weight": "heavy", "melee": 10**18}}},
        ),
        ("mare_nostrum", {"fleets": {f"AF{n}": {"place": "x"} for n in range(1, 502)}}),
        ("mare_nostrum", {"fleets": {"AF" + "1" * 5000: {"place": "x"}}}),
        ("mare_nostrum", {"bands": {"b" + "1" * 5000: {"id": "", "kind": "pirates", "place": ""}}}),
        ("mare_nostrum", {"wars": [["A", "B"]] * 501}),
        ("atlantide", {"players": {"A": {"catalogue": "greeks", "army": [["x", 1]] * 61}}}),
    ],
)  # fmt: skip
def test_it_is_not_read(system: str, setup: dict[str, Any]) -> None:
    with pytest.raises(NotUnderstood) as refused:
        Game(new_header(system, setup=setup))
    assert refused.value.code in {"setup.unreadable", "setup.id"}
