"""Worth, points and losses (AT-1.15, AT-3.2, AT-8.11)."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemarque.kernel.errors import NotAllowed
from polemarque.systems.atlantide.troops import (
    Army,
    army_points,
    figures,
    loss_of_figures,
    loss_of_points,
    without,
)
from tests.systems.atlantide.oracle import (
    exact_points,
    fault_in_figures,
    fault_in_points,
    figure_worth,
)
from tests.systems.atlantide.test_strength import armies
from tests.systems.atlantide.wars import general, hero, slingers, spearmen


def force(*units, heroes=()) -> Army:
    return Army(units, (general(), *heroes), "m1")


def test_a_figure_is_worth_its_share_of_the_whole_unit() -> None:
    # 16 spearmen of the book cost 111 points, command group included.
    assert figure_worth(spearmen(full=16, figures=3, points=111)) == Fraction(111, 16)


@given(armies())
def test_points_are_the_exact_worth_rounded_down(army) -> None:
    assert army_points(army) == int(exact_points(army))


def test_points_are_rounded_down_once() -> None:
    # Two thirds of 10, twice: 13 together, 12 if each unit were rounded.
    pair = (spearmen(1, 2, 3, points=10), spearmen(2, 2, 3, points=10))
    assert army_points(Army(pair, (), "m1")) == 13
    assert army_points(force(spearmen(), heroes=(hero(),))) == 155 + 120 + 70


def test_figures_count_characters() -> None:
    assert figures(force(spearmen(), slingers(), heroes=(hero(),))) == 20 + 10 + 2


# Figures (AT-3.2) ---------------------------------------------------------------------------------


def test_cheapest_figures_die_first() -> None:
    assert loss_of_figures(force(spearmen(), slingers()), 3) == ((2, 3),)
    assert loss_of_figures(force(spearmen(), slingers()), 13) == ((2, 10), (1, 3))


def test_equals_die_in_list_order() -> None:
    assert loss_of_figures(force(spearmen(4), spearmen(3)), 25) == ((4, 20), (3, 5))


def test_characters_die_last() -> None:
    small = force(slingers(figures=2), heroes=(hero(points=5),))
    assert loss_of_figures(small, 3) == ((2, 2), (8, 1))


def test_a_loss_takes_no_more_than_there_is() -> None:
    lost = loss_of_figures(force(slingers(figures=2)), 12)
    assert lost == ((2, 2), (9, 1))
    assert without(force(slingers(figures=2)), lost).gone


def test_a_unit_at_no_figures_is_gone_and_the_others_keep_their_order() -> None:
    before = force(spearmen(1), slingers(2), spearmen(3))
    after = without(before, ((2, 10), (3, 1)))
    assert [(unit.id, unit.figures) for unit in after.units] == [(1, 20), (3, 19)]
    assert before.units[1].figures == 10


@pytest.mark.parametrize("loss", [((1, 21),), ((1, -1), (2, 4)), ((1, 1), (1, 2)), ((5, 3),)])
def test_nobody_loses_what_he_has_not(loss) -> None:
    with pytest.raises(NotAllowed, match=r"loss\.figures"):
        without(force(spearmen(), slingers()), loss)


@pytest.mark.parametrize(
    ("loss", "fault"),
    [
        (((1, 2),), "count"),
        (((1, 4),), "count"),
        (((1, 21),), "figures"),
        (((1, -1), (2, 4)), "figures"),
        (((1, 1), (1, 2)), "figures"),
        (((5, 3),), "figures"),
        (((9, 1), (1, 2)), ""),
    ],
)
def test_the_oracle_judges_choices_of_three_figures(loss, fault) -> None:
    assert fault_in_figures(force(spearmen(), slingers()), 3, loss) == fault


@given(armies(), st.integers(0, 60))
def test_figures_are_conserved(before, count) -> None:
    lost = loss_of_figures(before, count)
    assert not fault_in_figures(before, count, lost)
    after = without(before, lost)
    assert figures(after) == max(0, figures(before) - count)
    assert all(unit.figures > 0 for unit in after.units)
    # A character falls only when every unit has.
    assert len(after.characters) == len(before.characters) or not after.units


# Points (AT-8.11) ---------------------------------------------------------------------------------


def test_whole_figures_go_until_their_worth_reaches_the_loss() -> None:
    # 111/16 a figure: seven are worth 48.6, eight 55.5.
    book = force(spearmen(1, 16, 16, points=111))
    assert loss_of_points(book, 50) == ((1, 8),)
    # Slingers first, 40 points in all; then two of the spearmen for the last 10.
    assert loss_of_points(force(spearmen(1, 16, 16, points=111), slingers()), 50) == (
        (2, 10),
        (1, 2),
    )


def test_a_loss_reached_exactly_takes_no_figure_more() -> None:
    assert loss_of_points(force(slingers()), 20) == ((2, 5),)
    assert loss_of_points(force(slingers()), 0) == ()


def test_characters_pay_only_when_nobody_else_is_left() -> None:
    small = force(slingers(), heroes=(hero(points=30),))
    assert loss_of_points(small, 40) == ((2, 10),)
    assert loss_of_points(small, 50) == ((2, 10), (8, 1))
    assert loss_of_points(small, 400) == ((2, 10), (8, 1), (9, 1))


@pytest.mark.parametrize(
    ("loss", "fault"),
    [
        (((2, 4),), "short"),
        (((2, 6),), "too_much"),
        (((2, 5), (1, 1)), "too_much"),  # the slingers alone were 20
        (((2, 4), (1, 1)), ""),  # 16 + 7.75: the spearman was the last to go
        (((2, 3), (1, 1)), "short"),  # 12 + 7.75 = 19.75
        (((9, 1),), "character"),
        ((), "short"),
    ],
)
def test_the_oracle_judges_choices_of_twenty_points(loss, fault) -> None:
    assert fault_in_points(force(spearmen(), slingers()), 20, loss) == fault


@given(armies(), st.integers(0, 900))
def test_a_loss_of_points_is_whole_and_least(before, cost) -> None:
    lost = loss_of_points(before, cost)
    assert not fault_in_points(before, cost, lost)
    after = without(before, lost)
    paid = exact_points(before) - exact_points(after)
    assert paid >= cost or after.gone
    assert len(after.characters) == len(before.characters) or not after.units
    if lost:  # one figure less of the last to pay would not have been enough
        last, number = lost[-1]
        spared = without(before, (*lost[:-1], (last, number - 1)))
        assert exact_points(before) - exact_points(spared) < cost
