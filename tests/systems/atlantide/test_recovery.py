"""After a battle (AT-8.7, AT-8.8, AT-8.13)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from polemarque.kernel.errors import NotAllowed
from polemarque.systems.atlantide.chapters.casualty_recovery import (
    Casualty,
    after_battle,
    figures_after,
    remnant,
)
from polemarque.systems.atlantide.troops import Army, Duty, Toll
from tests.systems.atlantide.wars import army, slingers, spearmen


@pytest.mark.parametrize(
    ("fate", "killed", "left", "back"),
    [
        ("winner", 4, 3, 2 + 3),
        ("winner", 5, 3, 2 + 3),
        ("loser", 8, 4, 2 + 2),
        ("loser", 7, 5, 1 + 2),
        ("loser", 2, 1, 0),  # each fraction is rounded down by itself
        ("draw", 8, 4, 2 + 2),
    ],
)
def test_who_comes_back(fate, killed, left, back) -> None:
    assert figures_after(20, killed, left, fate) == 20 - killed - left + back


def test_a_battle_is_counted_unit_by_unit() -> None:
    before = army("m1", spearmen(1), slingers(2), slingers(3))
    casualties = (Casualty(1, killed=8, left=4), Casualty(2, killed=10))
    after, tolls = after_battle(before, casualties, "loser")
    # 20-12+2+2; 10-10+2; untouched.
    assert [unit.figures for unit in after.units] == [12, 2, 10]
    assert tolls == (Toll(1, 8, 4, 8, 12), Toll(2, 10, 0, 0, 2), Toll(3, 0, 0, 10, 10))


def test_a_unit_wiped_out_is_gone_but_its_toll_is_kept() -> None:
    before = army("m1", spearmen(1), slingers(2, figures=3))
    after, tolls = after_battle(before, (Casualty(2, killed=3),), "loser")
    assert [unit.id for unit in after.units] == [1]
    assert tolls[1] == Toll(2, 3, 0, 0, 0)


@pytest.mark.parametrize(
    "casualties",
    [
        (Casualty(1, killed=21),),
        (Casualty(1, killed=11, left=10),),
        (Casualty(1, killed=-1),),
        (Casualty(1, killed=1), Casualty(1, killed=1)),
        (Casualty(6, killed=1),),
    ],
)
def test_impossible_casualties_are_refused(casualties) -> None:
    with pytest.raises(NotAllowed, match=r"battle\.casualties"):
        after_battle(army("m1"), casualties, "winner")


# Destroyed (AT-8.8) -------------------------------------------------------------------------------


def beaten(before, casualties) -> Army:
    after, tolls = after_battle(before, casualties, "loser")
    return replace(after, duty=Duty("beaten", tolls))


def test_the_lost_battle_is_counted_again() -> None:
    force = beaten(army("m1", spearmen(1)), (Casualty(1, killed=8, left=4),))
    # None of 8 killed, 25% of 4 that left, 50% of 8 survivors.
    assert [unit.figures for unit in remnant(force)] == [0 + 1 + 4]


def test_without_a_battle_everybody_present_is_a_survivor() -> None:
    crushed = army("m1", spearmen(1, figures=15), slingers(2, figures=1), duty=Duty("crushed"))
    assert [(unit.id, unit.figures) for unit in remnant(crushed)] == [(1, 7)]


def test_who_joined_after_the_battle_is_a_survivor_and_who_died_stays_dead() -> None:
    force = beaten(army("m1", spearmen(1)), (Casualty(1, killed=8, left=4),))  # 12 left, 5 saved
    joined = replace(force, units=(spearmen(1, figures=16), slingers(4, figures=7)))
    assert [unit.figures for unit in remnant(joined)] == [5 + 2, 3]
    decimated = replace(force, units=(spearmen(1, figures=3),))
    assert [unit.figures for unit in remnant(decimated)] == [3]


@given(st.integers(1, 40), st.data())
def test_nobody_gains_by_a_worse_fate(figures, data) -> None:
    killed = data.draw(st.integers(0, figures))
    left = data.draw(st.integers(0, figures - killed))
    won, lost, drawn = (
        figures_after(figures, killed, left, fate) for fate in ("winner", "loser", "draw")
    )
    assert 0 <= lost == drawn <= won <= figures
    before = army("m1", spearmen(1, figures, 40))
    saved = sum(u.figures for u in remnant(beaten(before, (Casualty(1, killed, left),))))
    assert 0 <= saved <= lost
