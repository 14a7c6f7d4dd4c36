"""What changed between two views, figure by figure."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from polemarque.kernel.acts import Difference, differences


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    figures: int = 20
    marks: tuple[str, ...] = ()


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    units: dict[str, Unit]
    loot: int = 250
    duty: Unit | None = None


def test_a_usual_figure_is_told_where_there_is_another() -> None:
    usual, other = View({"a": Unit("x")}), View({"a": Unit("x", 17, ("tired",))}, 9)
    there = [
        Difference("units.a.figures", 20, 17), Difference("loot", 250, 9),
        Difference("units.a.marks.0", None, "tired"),
    ]  # fmt: skip
    assert differences(usual, other) == there
    back = {(one.place, one.after, one.before) for one in differences(other, usual)}
    assert back == {(one.place, one.before, one.after) for one in there}


def test_of_what_comes_or_goes_whole_no_usual_figure_is_told() -> None:
    few, more = View({"a": Unit("x")}), View({"a": Unit("x"), "b": Unit("y", marks=("tired",))})
    assert differences(few, more) == [
        Difference("units.b.name", None, "y"), Difference("units.b.marks.0", None, "tired"),
    ]  # fmt: skip
    assert [one.after for one in differences(more, few)] == [None, None]
    assert differences(few, replace(few, duty=Unit("z"))) == [Difference("duty.name", None, "z")]


def test_views_that_are_alike_do_not_differ() -> None:
    assert differences(View({}), View({})) == [] == differences(None, None)
    assert differences(None, View({"a": Unit("x")})) == [Difference("units.a.name", None, "x")]
