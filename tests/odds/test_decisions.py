"""What chance decided in a game: each decision is found once, and its odds are right."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from polemarque.bots.play import play_game
from polemarque.kernel.agenda import Call, ask, call, explain, procedure, roll, script, tell
from polemarque.kernel.dice import Roll, at_most, total
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.records.record import Answer, Replace
from polemarque.kernel.request import DICE, OneOf, Request
from polemarque.odds.decisions import RARE, Decision, Odds, Reckoner, decisions
from tests.kernel import toy

assert toy.TOY


def played(system: str, seed: int = 5, most: int = 99, **options: Any) -> Game:
    game = Game(new_header(system, seed=seed, options=options))
    bots = dict.fromkeys(game.header.seats, "steady")
    play_game(game, bots, seed=seed, stop=lambda game: game.runner.period >= most)
    return game


def of(what: Call | Roll, value: Any, **more: Any) -> Decision:
    return Decision("X", "", "~", what, value, (), **more)


def odds(what: Call | Roll, value: Any) -> Odds:
    found = Reckoner().odds(of(what, value))
    assert found is not None
    return found


# Odds --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fell", "p", "tail"),
    [(7, Fraction(6, 36), 1), (2, Fraction(1, 36), Fraction(2, 36)),
     (11, Fraction(2, 36), Fraction(6, 36)), (12, Fraction(1, 36), Fraction(2, 36))],
)  # fmt: skip
def test_two_dice_by_hand(fell: int, p: Fraction, tail: Fraction) -> None:
    found = odds(Roll(2, 6, total, "x"), fell)
    assert (found.p, found.tail) == (p, tail)


def test_how_often_something_rare_happens_is_counted_by_hand() -> None:
    # 2 and 12 have a tail of 2/36, 3 and 11 of 6/36: only the first two are under one in ten.
    assert odds(Roll(2, 6, total, "x"), 7).rare == Fraction(2, 36)
    assert odds(Roll(2, 6, total, "x"), 12).is_rare
    assert not odds(Roll(2, 6, total, "x"), 11).is_rare
    # One die of ten faces, read as a hit on 1: exactly one in ten is rare.
    hit = Roll(1, 10, at_most(1), "x")
    assert (odds(hit, 1).tail, odds(hit, 1).rare) == (RARE, RARE)
    assert odds(Roll(1, 6, total, "x"), 1).rare == 0


def test_what_cannot_be_is_a_fault_and_what_cannot_be_reckoned_is_none() -> None:
    from polemarque.kernel.errors import KernelFault

    with pytest.raises(KernelFault):
        odds(Roll(2, 6, total, "x"), 13)
    assert Reckoner().odds(of(Roll(32, 6, toy_faces(), "x"), ())) is None
    asked_twice = of(Call("AT-8.11", (10, 10, False)), None, choices=None)
    assert Reckoner().odds(asked_twice) is None


def toy_faces() -> Any:
    from polemarque.kernel.dice import faces

    return faces


# Following a game --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "most"),
    [("batailles", 99), ("promiterra", 99), ("thucidide", 99), ("mare_nostrum", 3),
     ("atlantide", 4)],
)  # fmt: skip
def test_every_die_in_force_belongs_to_one_decision_that_could_so_happen(
    system: str, most: int
) -> None:
    game = played(system, most=most)
    rolls = [e for e in game.effective if isinstance(e, Answer) and e.key.seat == DICE]
    found = decisions(game)
    assert found
    assert sum(len(each.dice) for each in found) == len(rolls)
    reckoner = Reckoner()
    known = [each for each in map(reckoner.odds, found) if each is not None]
    assert all(0 < each.p <= each.tail <= 1 for each in known)
    assert len(known) > len(found) * 0.9


def test_battles_inside_a_campaign_are_followed_side_by_side() -> None:
    game = played("atlantide", seed=1, most=6, resolver="promiterra")
    found = decisions(game)
    assert {"", *[each.path for each in found]} != {""}
    reckoner = Reckoner()
    assert [each for each in found if each.path and reckoner.odds(each) is not None]


def test_the_number_of_rare_decisions_is_what_chance_makes_it() -> None:
    """Over many seeded games, a departure of five standard deviations would be a wrong law."""
    rare, expected, spread = 0, 0.0, 0.0
    reckoner = Reckoner()
    for seed in range(16):
        for each in map(reckoner.odds, decisions(played("mare_nostrum", seed=seed, most=3))):
            if each is not None:
                p = float(each.rare)
                rare, expected, spread = rare + each.is_rare, expected + p, spread + p * (1 - p)
    assert expected > 20
    assert abs(rare - expected) < 5 * spread**0.5


def test_what_a_correction_left_aside_decided_nothing() -> None:
    game = Game(new_header("toy", seats=2, seed=5))
    for seat, value in (("A", "storm"), ("B", "wait"), ("A", "cry"), ("A", 0)):
        game.answer(seat, value)
    game.settle()
    assert decisions(game)
    game.enter(Replace(game.entries[0].key, "he waited", value="wait"))
    assert not decisions(game)


# What is told ------------------------------------------------------------------------------------


@procedure("ODD-1")
def two(least: int) -> Any:
    yield from explain(toy_sum())
    first = yield from roll(1, 6, read=total, why="x")
    if first >= least:
        return first
    return first + (yield from roll(1, 6, read=total, why="x"))


def toy_sum() -> Any:
    from polemarque.kernel.events import bonus

    return bonus("ODD-1", 1, "x")


def followed(*said: Any, answers: Any = None) -> list[Any]:
    """What a follower finds in a game whose one script says these things."""
    from polemarque.kernel.position import Position
    from polemarque.kernel.run import Runner
    from polemarque.odds.decisions import _Follower

    name = f"ODD-{len(SCRIPTS) + 10}"
    SCRIPTS.append(name)

    @script(name)
    def told(state: Any) -> Any:
        for each in said:
            yield from each()
        return state, []

    follower = _Follower()
    runner = Runner(
        Position("toy", "", Game(new_header("toy", seats=2)).state, ((name,),)),
        follower.hear, watcher=follower,
    )  # fmt: skip
    while isinstance(pending := runner.pending, (RollRequest, Request)):
        if isinstance(pending, RollRequest):
            runner.fall((3,))
        else:
            runner.say("A", answers[pending.ask.subject])
    return [each.done() for each in follower.found]


SCRIPTS: list[str] = []


def die() -> Any:
    yield from roll(1, 6, read=total, why="x")


def secret() -> Any:
    yield from roll(1, 6, read=total, why="y", owner="A")


def procedure_called() -> Any:
    yield from call(two, 5)


def told_to_all() -> Any:
    yield from tell("ODD-1", "told")


def told_to_a() -> Any:
    yield from tell("ODD-1", "told", to=["A"])


def test_a_procedure_is_one_decision_with_all_its_dice_and_the_figures_it_began_with() -> None:
    (found,) = followed(procedure_called, told_to_all)
    assert (found.rule, found.what.args, found.value, len(found.dice)) == ("ODD-1", (5,), 6, 2)
    assert found.told == (0,)


def test_each_decision_knows_the_event_that_showed_its_dice() -> None:
    found = followed(told_to_all, die, procedure_called, told_to_all, die, told_to_a)
    assert [each.told for each in found] == [(1,), (1,), (2,)]


def test_dice_that_no_event_shows_whole_are_told_by_none() -> None:
    found = followed(secret, told_to_all, die, told_to_all, secret, told_to_a, die)
    assert [each.told for each in found] == [(), (1,), (2,), ()]


@procedure("ODD-3")
def compared() -> Any:
    """Two scores, each told as it falls, are compared; what follows is told within."""
    yield from tell("ODD-3", "begins")
    first = yield from call(score_told)
    second = yield from call(score_told)
    yield from tell("ODD-3", "compared")
    yield from call(consequence)
    return first - second


@procedure("ODD-4")
def score_told() -> Any:
    score = yield from roll(1, 6, read=total, why="x")
    yield from tell("ODD-4", "score")
    return score


@procedure("ODD-5")
def consequence() -> Any:
    yield from tell("ODD-5", "loss")
    return 0


def test_what_a_procedure_came_to_is_told_by_what_sums_up_its_parts_and_by_what_follows() -> None:
    (found,) = followed(told_to_all, lambda: call(compared), told_to_all)
    assert found.told == (2, 3)  # the scores, as they fell
    assert found.outcome == (1, 4, 5)  # that it began, the comparison, and the loss
    plain = followed(die, procedure_called, told_to_all, secret, told_to_all)
    assert [each.outcome for each in plain] == [(0,), (0,), ()]


def chosen() -> Any:
    yield from call(asking, 3)


@procedure("ODD-2")
def asking(sides: int) -> Any:
    """A choice on the way: whether to throw a second die."""
    again = yield from ask("A", OneOf(("yes", "no")), absent="no", subject="again")
    first = yield from roll(1, 6, read=total, why="x")
    return first if again == "no" else first + (yield from roll(1, 6, read=total, why="x"))


def test_odds_are_those_of_what_was_answered_on_the_way() -> None:
    (found,) = followed(chosen, told_to_all, answers={"again": "yes"})
    assert found.choices == {"again": "yes"}
    known = Reckoner().odds(found)
    assert known is not None and known.p == Fraction(5, 36)  # two dice that show 3 each
    (found,) = followed(chosen, told_to_all, answers={"again": "no"})
    known = Reckoner().odds(found)
    assert known is not None and known.p == Fraction(1, 6)
