"""What holds of any figures: losses, limits, mergers, divisions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from polemarque.kernel.records.keyed_dice import Seeded
from polemarque.odds.run_once import run_procedure
from polemarque.systems.promiterra.chapters.other_actions import starting_share
from polemarque.systems.promiterra.chapters.strikes import Clash, Fighter, clash, counting_fort
from polemarque.systems.promiterra.stats import (
    LIMITS,
    STATS,
    Change,
    Changes,
    Stats,
    current,
    reasons,
)

FIGHTERS = st.builds(
    Fighter,
    units=st.integers(0, 120_000) | st.integers(0, 40),
    attack=st.integers(0, 6),
    defence=st.integers(0, 5),
    fort=st.integers(0, 4),
)
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["ability", "mastery", "war_action", "war_action"]),
        st.builds(Change, **{name: st.integers(-9, 9) for name in STATS}),
    ),
    max_size=5,
)
BASES = st.builds(
    Stats,
    movement=st.integers(1, 9),
    range=st.integers(1, 9),
    attack=st.integers(0, 6),
    defence=st.integers(0, 5),
    loyalty=st.integers(2, 11),
    value=st.integers(1, 99),
)


def fought(a: Fighter, b: Fighter, riposte: bool, seed: int) -> tuple[Clash, list[str]]:
    """A clash with rolled dice, and what they were rolled for."""
    ran = run_procedure(lambda: clash.run(a, b, riposte, "cut"), Seeded(seed), rule="PR-5.3")
    return ran.value, [thrown.why for thrown in ran.dice]


@given(FIGHTERS, FIGHTERS, st.booleans(), st.integers(0, 999))
def test_losses_are_within_the_units_and_dice_in_the_order_of_the_rule(
    a: Fighter, b: Fighter, riposte: bool, seed: int
) -> None:
    result, whys = fought(a, b, riposte, seed)
    assert 0 <= result.defender_losses <= b.units
    assert 0 <= result.attacker_losses <= a.units
    assert riposte or result.attacker_losses == 0
    order = [
        f"{blow}_{kind}"
        for blow in ("attack", "riposte")
        for kind in ("hits", "saves", "fort_saves")
    ]
    assert whys == sorted(whys, key=order.index)
    assert len(whys) == len(set(whys))
    assert ("attack_fort_saves" in whys) <= (b.fort > a.fort)
    assert ("riposte_fort_saves" in whys) <= (a.fort > b.fort)


@given(st.integers(0, 4), st.integers(0, 4))
def test_at_most_one_fortification_counts_and_equal_ones_cancel(a: int, b: int) -> None:
    counted = (counting_fort(a, b), counting_fort(b, a))
    assert counted in {(max(a, b), 0), (0, max(a, b)), (0, 0)}
    assert any(counted) == (a != b)


@given(BASES, CHANGES, st.sampled_from(["same", "any"]))
def test_statistics_are_within_limits_and_their_reasons_add_up(
    base: Stats, changes: Changes, stacking: str
) -> None:
    now = current(base, changes, stacking)  # type: ignore[arg-type]
    for name in STATS:
        number = getattr(now, name)
        assert LIMITS[name].allows(number)
        assert reasons(name, base, changes, stacking).total == number  # type: ignore[arg-type]


@given(BASES, CHANGES, st.randoms(use_true_random=False))
def test_the_order_of_changes_does_not_matter(base: Stats, changes: Changes, rng: object) -> None:
    shuffled = list(changes)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    for stacking in ("same", "any"):
        assert current(base, changes, stacking) == current(base, shuffled, stacking)  # type: ignore[arg-type]


@given(BASES, BASES)
def test_a_merger_takes_the_weaker_of_each(a: Stats, b: Stats) -> None:
    whole = a.weakest(b)
    assert whole == b.weakest(a)
    assert all(getattr(whole, n) == min(getattr(a, n), getattr(b, n)) for n in STATS)


@given(st.integers(1, 10_000), st.integers(2, 10_000), st.data())
def test_starting_units_are_split_whole(more: int, units: int, data: st.DataObject) -> None:
    part = data.draw(st.integers(1, units - 1))
    start = units + more
    new = starting_share(start, part, units)
    assert part <= new <= start - (units - part)
