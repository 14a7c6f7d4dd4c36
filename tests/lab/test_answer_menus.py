"""Every answer that options list is reached by exactly one run of short menus."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations
from math import log2
from typing import Any

import pytest

from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import Amount, OneOf, Options, Path, SeveralOf, Sheet, Text
from polemarque.lab.answer_menus import Choosing, Menu, bits, choosing, under
from tests.lab.games import SYSTEMS, short


def all_runs(options: Options, most: int) -> Iterator[tuple[list[int], Any]]:
    """Every run of choices there is, with the answer it leads to."""
    open_runs: list[list[int]] = [[]]
    while open_runs:
        run = open_runs.pop()
        answer = choosing(options, most)
        try:
            menu = next(answer)
            for picked in run:
                menu = answer.send(picked)
        except StopIteration as made:
            yield run, made.value
            continue
        assert 2 <= len(menu.choices) <= most, "a menu has a choice, and room for it"
        open_runs += [[*run, picked] for picked in range(len(menu.choices))]


def driven(answer: Choosing, pick: Callable[[Menu], int]) -> Any:
    """The answer that is made by those picks."""
    try:
        menu = next(answer)
        while True:
            menu = answer.send(pick(menu))
    except StopIteration as made:
        return made.value


def budget() -> Any:
    """Wine and bread from four coins; whoever has wine says with whom, and who is left sings."""
    wine = yield "wine", Amount(0, 4, 2)
    yield "bread", Amount(0, 4 - wine)
    if wine:
        friends = yield "friends", SeveralOf(("A", "B", "C"), 1, 2)
        yield "song", Text(20)

        def inner() -> Any:
            yield "singer", OneOf(tuple(s for s in "ABC" if s not in friends))

        yield "then", Sheet(inner)


def budgets() -> Iterator[dict[str, Any]]:
    for wine, bread in [(w, b) for w in (0, 2, 4) for b in range(5 - w)]:
        if not wine:
            yield {"wine": wine, "bread": bread}
            continue
        for friends in [f for n in (1, 2) for f in combinations("ABC", n)]:
            for singer in sorted({*"ABC"} - {*friends}):
                yield {
                    "wine": wine, "bread": bread, "friends": friends, "song": "",
                    "then": {"singer": singer},
                }  # fmt: skip


WORDS = tuple("abcdefghijk")
WAYS = {"x": ("w", "x"), "w": ("w",), "z": ("y", "z")}

CASES: dict[str, tuple[Options, list[Any]]] = {
    "words": (OneOf(WORDS), [*WORDS]),
    "one word": (OneOf(("only",)), ["only"]),
    "truth": (OneOf((False, True)), [False, True]),
    "amount": (Amount(-3, 40), [*range(-3, 41)]),
    "steps": (Amount(5, 51, 10), [5, 15, 25, 35, 45]),
    "any": (SeveralOf(WORDS[:5]), [c for n in range(6) for c in combinations(WORDS[:5], n)]),
    "some": (
        SeveralOf(WORDS[:6], 2, 4),
        [c for n in (2, 3, 4) for c in combinations(WORDS[:6], n)],
    ),
    "all": (SeveralOf(WORDS, len(WORDS)), [WORDS]),
    "none": (SeveralOf(()), [()]),
    "ways": (Path(WAYS), [(), *WAYS.values()]),
    "forced ways": (Path(WAYS, stay=False), [*WAYS.values()]),
    "text": (Text(9), [""]),
    "sheet": (Sheet(budget), [*budgets()]),
}


@pytest.mark.parametrize("most", [2, 3, 5, 64])
@pytest.mark.parametrize("case", CASES)
def test_each_listed_answer_has_one_run_of_choices(case: str, most: int) -> None:
    options, listed = CASES[case]
    reached = [answer for _, answer in all_runs(options, most)]
    assert sorted(map(repr, reached)) == sorted(map(repr, listed))
    for answer in reached:
        assert options.take(answer) == answer


def test_what_leaves_no_choice_is_not_asked() -> None:
    for case in ("one word", "all", "none", "text"):
        assert [run for run, _ in all_runs(CASES[case][0], 4)] == [[]]


@pytest.mark.parametrize("wanted", [0, 1, 63, 64, 65, 4095, 4096, 123_456_789, 10**9])
def test_a_long_range_takes_as_many_choices_as_it_has_digits(wanted: int) -> None:
    menus: list[Menu] = []

    def between(menu: Menu) -> int:
        menus.append(menu)
        (found,) = [n for n, (low, high) in enumerate(menu.choices) if low <= wanted <= high]
        return found

    assert driven(choosing(Amount(0, 10**9), 64), between) == wanted
    assert len(menus) <= 5  # 64 to the power of 5 is beyond it


def test_options_of_no_known_kind_are_refused() -> None:
    with pytest.raises(TypeError, match="unknown kind"):
        next(choosing(object(), 8))  # type: ignore[arg-type]


def test_a_rule_is_under_itself_and_what_it_is_part_of() -> None:
    for rule in ("AT-4", "AT-4.1", "AT-4.3/after_move", "AT-4/phase"):
        assert under(rule, ["MN-F6", "AT-4"])
    assert not under("AT-41", ["AT-4"])
    assert not under("AT-4", ["AT-4.1"])
    assert not under("AT-4", ())


# Questions of real games -------------------------------------------------------------------------


def picked(menu: Menu, options: Options, value: Any) -> int:
    """The choice that leads to the answer: the one between whose ends it lies."""
    if isinstance(options, SeveralOf):
        taken = menu.said.get(menu.parts[-1] if menu.parts else "", ())
        target = value[len(taken)] if len(taken) < len(value) else None
        order = [None, *options.words].index
    elif isinstance(options, Path):
        target = value[-1] if value else None
        order = [None, *options.ways].index
    elif isinstance(options, OneOf):
        target, order = value, options.words.index
    else:
        assert isinstance(options, Amount)
        target, order = value, int
    (found,) = [
        n
        for n, (low, high) in enumerate(menu.choices)
        if order(low) <= order(target) <= order(high)
    ]
    return found


def reached(options: Options, wanted: Any, most: int) -> Any:
    """The answer to which those choices lead that the wanted one needs."""
    parts: dict[str, tuple[Options, Any]] = {}
    if isinstance(options, Sheet):
        filling = options.fill()
        try:
            part, each = next(filling)
            while True:
                parts[part] = each, wanted[part]
                part, each = filling.send(wanted[part])
        except StopIteration:
            pass

    def pick(menu: Menu) -> int:
        assert len(menu.choices) <= most
        for part in [*parts][: [*parts].index(menu.parts[-1])] if parts else ():
            assert menu.said[part] == wanted[part], "what was answered before is said"
        each, value = parts[menu.parts[-1]] if menu.parts else (options, wanted)
        return picked(menu, each, value)

    return driven(choosing(options, most), pick)


@pytest.mark.parametrize("system", SYSTEMS)
def test_whatever_could_be_sampled_in_a_game_is_reached(system: str) -> None:
    rng = random.Random(system)
    asked = 0
    for seed in range(4):
        game = Game(new_header(system, seed=seed, options=short(system)))
        game.settle()
        while not game.over and asked < 120:
            request = game.requests()[0]
            seat = request.missing[0]
            options = request.options(seat)
            value = options.sample(rng)
            for most in (2, 5, 64):
                assert reached(options, value, most) == value
            game.answer(seat, value, request.keys[seat])
            game.settle()
            asked += 1
    assert asked > 10


def test_how_many_answers_a_question_leaves_is_how_many_runs_lead_to_one() -> None:
    for options in (
        OneOf(("only",)), OneOf(tuple("abcde")), SeveralOf(tuple("ABCD"), 1, 3), SeveralOf(("A",)),
        Amount(3, 17, 2), Path({"x": ("x",), "y": ("x", "y")}), Path({"x": ("x",)}, stay=False),
        Text(20),
    ):  # fmt: skip
        answers = [answer for _, answer in all_runs(options, 4)]
        assert bits(options, answers[0]) == pytest.approx(log2(len(answers)))
    answer = {"wine": 2, "bread": 1, "friends": ("A",), "song": "", "then": {"singer": "B"}}
    # 0, 2 or 4 of wine; 0 to 2 of bread; one or two of three friends; either of those left
    assert bits(Sheet(budget), answer) == pytest.approx(log2(3 * 3 * 6 * 2))
