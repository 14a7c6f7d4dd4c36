"""War priests of PA-4 and PA-5: what is asked, what is rolled again, and that they are spent."""

from __future__ import annotations

from typing import Any

from polemarque.kernel.agenda import Again, Call, Rule, registered
from polemarque.kernel.dice import Roll, Scripted
from polemarque.kernel.request import Ask
from polemarque.odds.run_once import run_procedure
from polemarque.systems.promiterra.chapters.lent_priests import (
    clash_with_priests,
    strike_with_priests,
    without,
)
from polemarque.systems.promiterra.chapters.strikes import Fighter, strike
from polemarque.systems.thucidide.chapters.combat import combat_dice_with_priests
from polemarque.systems.thucidide.combat_dice import combat_dice

LIGHT, HEAVY = Fighter(10, 2, 2), Fighter(5, 3, 3)


def test_PA_4_without_a_word_the_priests_procedure_is_the_plain_one() -> None:
    faces = [1, 2, 2, 3, 3, 4, 4, 5, 6, 6, 1, 3, 5]
    plain = run_procedure(
        lambda: strike.run(10, 2, HEAVY, 0, "cut", "attack"), Scripted(faces), rule="PR-5.3"
    )
    assert plain.value.losses == 1
    blessed = _struck(faces, ["keep", "keep"])
    assert (blessed.losses, blessed.spent) == (1, ())


def test_PA_4_all_dice_of_one_roll_are_thrown_again() -> None:
    first = [1, 2, 2, 3, 3, 4, 4, 5, 6, 6]
    again = [1, 1, 1, 1, 1, 6, 6, 6, 6, 6]
    blessed = _struck([*first, *again, 1, 3, 5, 6, 6], ["reroll"])
    assert (blessed.losses, blessed.spent) == (3, ("A",))  # 5 hits, 2 saves


def test_PA_4_a_priest_is_good_for_one_roll() -> None:
    assert without(("A", "A", "B"), ("A",)) == ("A", "B")
    ran = _clashed([6] * 10 + [1] * 10 + [6] * 10 + [6] * 5, ["reroll"])
    assert ran.spent == ("A",)


def _struck(faces: list[int], answers: list[str]) -> Any:
    def rule() -> Rule[Any]:
        return strike_with_priests.run(10, 2, HEAVY, 0, "cut", "attack", ("A",))

    return _value(rule, faces, answers)


def _clashed(faces: list[int], answers: list[str]) -> Any:
    def rule() -> Rule[Any]:
        return clash_with_priests.run(LIGHT, HEAVY, True, "all", ("A",))

    return _value(rule, faces, answers)


def test_PA_5_one_die_of_one_combat_is_thrown_again() -> None:
    def rule() -> Rule[Any]:
        return combat_dice_with_priests.run(3, "infantry", "melee", False, False, ("A",))

    blessed = _value(rule, [1, 4, 2, 1], ["2"])
    assert (blessed.thrown.hits, blessed.thrown.flags, blessed.spent) == (2, 1, ("A",))
    kept = _value(rule, [1, 4, 2], ["keep"])
    plain = run_procedure(
        lambda: combat_dice.run(3, "infantry", "melee", False, False), Scripted([1, 4, 2]),
        rule="TH-F2",
    )  # fmt: skip
    assert kept.thrown == plain.value and kept.spent == ()


def _value(rule: Any, faces: list[int], answers: list[str]) -> Any:
    """The value of a procedure that asks: its generators are driven by hand."""
    dice, left = list(faces), list(answers)
    value = _drive(rule(), dice, left)
    assert not dice and not left
    return value


def _drive(running: Any, dice: list[int], answers: list[str]) -> Any:
    given: Any = None
    while True:
        try:
            said = running.send(given)
        except StopIteration as end:
            return end.value
        given = None
        if type(said) is Roll:
            faces, dice[:] = tuple(dice[: said.count]), dice[said.count :]
            given = said.read.of(said.check(faces))
        elif type(said) is Ask:
            options: Any = said.options
            given = options.take(answers.pop(0))
        elif type(said) is Call:
            args = said.args
            given = Again(args)
            while type(given) is Again:
                given = _drive(registered(said.rule).run(*given.args), dice, answers)
