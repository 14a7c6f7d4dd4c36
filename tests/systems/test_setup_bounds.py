"""Set-ups that no game begins with, or that would cost more than any table holds, are refused."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.new_game import opening
from polemarque.kernel.position import plain
from polemarque.kernel.system import find_system, system_names

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


@pytest.mark.parametrize("system", system_names())
@pytest.mark.parametrize("seats", ["A", [1], {"a": 1}, True, 1.5, None])
def test_a_number_of_seats_is_a_number(system: str, seats: Any) -> None:
    with pytest.raises(NotAllowed) as refused:
        new_header(system, setup={"seats": seats})
    assert refused.value.code == "seats.count" and refused.value.legal


@pytest.mark.parametrize("system", system_names())
def test_what_no_set_up_gives_is_told_with_all_that_one_may(system: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        opening(new_header(system, setup={"moon": 1}))
    assert (refused.value.code, refused.value.part) == ("setup.field", "moon")
    assert set(refused.value.legal) == set(find_system(system).setup.__struct_encode_fields__)


@pytest.mark.parametrize("system", system_names())
def test_a_set_up_holds_no_signs_that_a_terminal_obeys(system: str) -> None:
    field = find_system(system).setup.__struct_encode_fields__[0]
    for bad in ("\x1b[2J", {"\x9b": 1}, [{"name": ("Evil\x07",)}]):
        with pytest.raises(NotUnderstood) as refused:
            opening(new_header(system, setup={field: bad}))
        assert refused.value.code == "setup.signs" and refused.value.part.isprintable()
    with pytest.raises(NotUnderstood) as refused:
        opening(new_header(system, setup={"moon": "one line\n\tand another"}))
    assert refused.value.code == "setup.field"
