"""An answer given choice by choice: any question becomes a run of short lists to pick from.

A sheet is gone through part by part, a selection word by word, and a list or a range longer than
`most` by digits: first which stretch of it, then which stretch of that.  Every word, amount, way
and selection that the options list has exactly one run of choices that leads to it; what leaves no
choice is not asked.  Two kinds of answers cannot be reached: free texts stay empty (they decide
nothing), and a path goes the way that is listed for its end, not another that the rules take too.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from math import comb, log2
from typing import Any

import msgspec

from polemarque.kernel.request import Amount, OneOf, Options, Path, SeveralOf, Sheet, Text


class Menu(msgspec.Struct, frozen=True):
    """What is to be picked next.

    parts:   names of the sheet's part, and of the part of the sheet in it; () outside of sheets.
    said:    part -> answer, of the parts before it, and what is picked so far of its own.
    choices: first and last of what each choice stands for, twice the same where that is one thing:
             a word, a number, the end of a way, or None for "nothing more", "stay".
    """

    parts: tuple[str, ...]
    said: Mapping[str, Any]
    choices: Sequence[tuple[Any, Any]]


Choosing = Generator[Menu, int, Any]
"""An answer in the making: it yields menus, is sent what was picked, and returns the answer."""


def under(rule: str, rules: Collection[str]) -> bool:
    """Whether a rule is one of those or part of one: AT-4.1 and AT-4.3/after_move are of AT-4."""
    return any(rule == each or rule.startswith((f"{each}.", f"{each}/")) for each in rules)


def choosing(options: Options, most: int) -> Choosing:
    """The answer to a question, made of choices of at most `most` (2 or more) at a time.

    Raises TypeError on options of no kind that is known here.
    """
    return _answer(options, most, (), {})


def bits(options: Options, answer: Any) -> float:
    """How many answers a question leaves, as a power of two: 1 for two, 0 for a single one.

    Of a sheet it is the sum over its parts along the answer that was given.  A path counts by its
    end, free words not at all.  Raises TypeError on options of no kind that is known here.
    """
    if isinstance(options, Sheet):
        total, filling = 0.0, options.fill()
        try:
            part, inner = next(filling)
            while True:
                total += bits(inner, answer[part])
                part, inner = filling.send(answer[part])
        except StopIteration:
            return total
    if isinstance(options, SeveralOf):
        of = len(options.words)
        top = of if options.most is None else min(options.most, of)
        return log2(sum([comb(of, n) for n in range(options.least, top + 1)]))
    if isinstance(options, OneOf):
        return log2(len(options.words))
    if isinstance(options, Amount):
        return log2(len(range(options.least, options.most + 1, options.step)))
    if isinstance(options, Path):
        return log2(len(options.ways) + options.stay)
    if isinstance(options, Text):
        return 0.0
    raise TypeError(f"options of an unknown kind: {options!r}")


def _answer(
    options: Options, most: int, parts: tuple[str, ...], said: Mapping[str, Any]
) -> Choosing:
    if isinstance(options, Sheet):
        return (yield from _filled(options, most, parts, said))
    if isinstance(options, SeveralOf):
        return (yield from _several(options, most, parts, said))
    if isinstance(options, OneOf):
        return options.words[(yield from _picked(options.words, most, parts, said))]
    if isinstance(options, Amount):
        amounts = range(options.least, options.most + 1, options.step)
        return amounts[(yield from _picked(amounts, most, parts, said))]
    if isinstance(options, Path):
        ends = (*([None] if options.stay else []), *options.ways)
        end = ends[(yield from _picked(ends, most, parts, said))]
        return () if end is None else options.ways[end]
    if isinstance(options, Text):
        return ""
    raise TypeError(f"options of an unknown kind: {options!r}")


def _picked(
    offered: Sequence[Any], most: int, parts: tuple[str, ...], said: Mapping[str, Any]
) -> Generator[Menu, int, int]:
    """Which of those offered is picked, as its index."""
    left = range(len(offered))
    while len(left) > 1:
        width = 1
        while len(left) > width * most:
            width *= most
        stretches = [left[first : first + width] for first in range(0, len(left), width)]
        ends = tuple([(offered[each[0]], offered[each[-1]]) for each in stretches])
        left = stretches[(yield Menu(parts, said, ends))]
    return left[0]


def _several(
    options: SeveralOf, most: int, parts: tuple[str, ...], said: Mapping[str, Any]
) -> Choosing:
    """One word after another, in the list's order, until enough are picked."""
    words, first = options.words, 0
    top = len(words) if options.most is None else options.most
    taken: list[Any] = []
    while len(taken) < top and first < len(words):
        lacking = options.least - len(taken)
        enough = () if lacking > 0 else (None,)
        # Behind the one that is picked there must be words enough for the others.
        offered = (*enough, *words[first : len(words) - max(lacking - 1, 0)])
        so_far = {**said, parts[-1] if parts else "": tuple(taken)} if taken else said
        at = yield from _picked(offered, most, parts, so_far)
        if enough and at == 0:
            break
        first += at - len(enough)
        taken.append(words[first])
        first += 1
    return tuple(taken)


def _filled(sheet: Sheet, most: int, parts: tuple[str, ...], said: Mapping[str, Any]) -> Choosing:
    filled: dict[str, Any] = {}
    filling = sheet.fill()
    try:
        part, options = next(filling)
        while True:
            before = {**said, **filled} if said else filled
            filled[part] = value = yield from _answer(options, most, (*parts, part), before)
            part, options = filling.send(value)
    except StopIteration:
        return filled
