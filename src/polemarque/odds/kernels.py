"""Kernels: whole rules played so many times over, on bare whole numbers.

With the extra `fast` numba compiles them at their first call, else they run as they stand: to the
same figures.  A kernel knows no figure of a rule: all come with it, from the system's own tables
and functions.  Its dice fall in the order in which the rule asks for them.  All take

    plays, state   how many times the rule is played, and the state of the generator
    given          the figures of the case; after them tables, if there are any
    book           where results are counted, each under a whole number that stands for it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

from polemarque.kernel.dice import D6

try:
    import numba
    import numpy as np

    COMPILED = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
except ImportError:
    COMPILED = False

F = TypeVar("F", bound=Callable[..., Any])

Ints: TypeAlias = list[int]
"""Whole numbers in a row: a list, or an array for compiled kernels."""

Book: TypeAlias = tuple[Ints, Ints, Ints, Ints]
"""Slots that find the row of a result, and the number of rows after them; then of each row its
result, how often it came, and the sums of its tallies, one after another.
"""

ROWS = 1 << 16
SLOTS = 2 * ROWS
"""Results that a book has room for, and where it looks for them: both powers of two."""

QUICK: dict[str, Any] = {"nogil": True, "forceinline": True, "_nrt": False}
"""Kernels make no arrays: not to count who uses one saves half of the time."""


def compiled(function: F) -> F:
    """The function compiled where numba is there, else as it stands."""
    if not COMPILED:
        return function
    try:
        return numba.njit(cache=True, **QUICK)(function)  # type: ignore[no-any-return]
    except RuntimeError:  # there is no folder in which it could be kept
        return numba.njit(**QUICK)(function)  # type: ignore[no-any-return]


def ints(numbers: Iterable[int]) -> Ints:
    """Numbers as kernels take them."""
    return np.array([*numbers], np.int64) if COMPILED else [*numbers]  # type: ignore[return-value]


def new_book(tallies: int) -> Book:
    """An empty book of results with so many tallies each."""
    sizes = SLOTS + 1, ROWS, ROWS, ROWS * tallies
    each = [np.zeros(size, np.int64) if COMPILED else [0] * size for size in sizes]
    return tuple(each)  # type: ignore[return-value]


# Dice --------------------------------------------------------------------------------------------

M32 = 0xFFFFFFFF

BLOCK = 8
"""So many D6 are read from one word of 32 bits."""

SPAN = D6**BLOCK
AGAIN = (M32 + 1) % SPAN
"""Words that would favour a face are drawn again: one in 4,681."""


@compiled
def word(state: Ints) -> int:
    """32 bits of xoshiro128++ (D. Blackman and S. Vigna, 2019), whose state is four words."""
    a, b, c, d = state[0], state[1], state[2], state[3]
    mixed = (a + d) & M32
    found = (((mixed << 7) | (mixed >> 25)) + a) & M32
    c ^= a
    d ^= b
    state[0] = a ^ d
    state[1] = b ^ c
    state[2] = c ^ ((b << 9) & M32)
    state[3] = ((d << 11) | (d >> 21)) & M32
    return found


@compiled
def sixes(state: Ints, count: int, needed: int) -> tuple[int, int]:
    """So many D6: their total, and how many show at most `needed`.

    A word, read as a fraction, has the faces less 1 as its digits to base 6.
    """
    total = fell = 0
    while count > 0:
        left = word(state)
        while (left * SPAN) & M32 < AGAIN:
            left = word(state)
        for _ in range(min(count, BLOCK)):
            left *= D6
            face = (left >> 32) + 1
            left &= M32
            total += face
            fell += face <= needed
        count -= BLOCK
    return total, fell


@compiled
def thrown(state: Ints, count: int, sides: int) -> int:
    """The total of so many dice of any number of faces."""
    if sides == D6:
        return sixes(state, count, 0)[0]
    total = count
    for _ in range(count):
        left = word(state) * sides
        while left & M32 < sides and left & M32 < (M32 + 1) % sides:
            left = word(state) * sides
        total += left >> 32
    return total


# What is kept of them ----------------------------------------------------------------------------


@compiled
def row_of(key: int, book: Book) -> int:
    """Count a result once more, and give its row."""
    slots, keys, counts, _ = book
    at = key & (SLOTS - 1)
    while slots[at] and keys[slots[at] - 1] != key:
        at = (at + 1) & (SLOTS - 1)
    if not slots[at]:
        keys[slots[SLOTS]] = key
        slots[SLOTS] += 1
        slots[at] = slots[SLOTS]
    row = slots[at] - 1
    counts[row] += 1
    return row


@compiled
def row_at(total: int, rows: Ints) -> int:
    """The row for a total, whose ends are open: `rows` has the first, then the row of each."""
    return rows[max(1, min(total - rows[0] + 1, len(rows) - 1))]


# Promiterra (PR-5.3) -----------------------------------------------------------------------------


@compiled
def cut(count: int, rows: Ints, cells: Ints) -> tuple[int, int]:
    """How many dice so many units or hits roll, and what a success counts for (PR-6.1).

    rows: as of `row_at`; none where all of them roll.   cells: both of each row.
    """
    if len(rows) == 0:
        return count, 1
    row = row_at(count, rows)
    return cells[2 * row], cells[2 * row + 1]


@compiled
def saved(state: Ints, hits: int, level: int, rows: Ints, cells: Ints) -> int:
    """Hits that a roll of saves leaves."""
    count, each = cut(hits, rows, cells)
    stopped = sixes(state, count, level)[1]
    return 0 if stopped == count else max(hits - stopped * each, 0)


@compiled
def strike(
    state: Ints, given: Ints, a: int, b: int, units: int, rows: Ints, cells: Ints
) -> tuple[int, int]:
    """Hits of so many units of one troop, before and after the saves of the other.

    a, b: where in `given` they stand: units, attack, defence and fortification that counts.
    """
    count, each = cut(units, rows, cells)
    hits = sixes(state, count, given[a + 1])[1] * each
    left = saved(state, hits, given[b + 2], rows, cells)
    if given[b + 3]:
        left = saved(state, left, given[b + 3], rows, cells)
    return hits, left


@compiled
def exchanges(plays: int, state: Ints, given: Ints, rows: Ints, cells: Ints, book: Book) -> None:
    """Attacks with their riposte (PR-5.3).

    given: both troops, and whether there is a riposte.   A result is the defender's losses times
    (the attacker's units + 1) and the attacker's losses; tallies are the hits of both.
    """
    most_a, most_b, sums = given[0], given[4], book[3]
    for _ in range(plays):
        hits, to_b = strike(state, given, 0, 4, most_a, rows, cells)
        back = to_a = 0
        if given[8]:
            back, to_a = strike(state, given, 4, 0, most_b, rows, cells)
        row = row_of(min(to_b, most_b) * (most_a + 1) + min(to_a, most_a), book)
        sums[2 * row] += hits
        sums[2 * row + 1] += back


@compiled
def fights(plays: int, state: Ints, given: Ints, rows: Ints, cells: Ints, book: Book) -> None:
    """Two troops that attack in turn, with full riposte, until one is left or none.

    given: both troops.   A result is 0 where the first is left, 1 the second, 2 nobody.
    """
    for _ in range(plays):
        a, b, turn = given[0], given[4], 0
        while a and b:
            to_a = 0
            if turn:
                to_a = strike(state, given, 4, 0, b, rows, cells)[1]
            to_b = strike(state, given, 0, 4, a, rows, cells)[1]
            if not turn:
                to_a = strike(state, given, 4, 0, b, rows, cells)[1]
            a, b, turn = max(a - to_a, 0), max(b - to_b, 0), 1 - turn
        row_of(0 if a else 1 if b else 2, book)


# Atlantide (AT-8.11, AT-9.5) ---------------------------------------------------------------------


@compiled
def simulations(plays: int, state: Ints, given: Ints, book: Book) -> None:
    """Battles by the table (AT-8.11).

    given: by how much the attacker is ahead before the dice.   A result is the difference of the
    totals, the defender's taken from the attacker's.
    """
    for _ in range(plays):
        gap = 0
        while not gap:
            gap = given[0] + sixes(state, 2, 0)[0]
            gap -= sixes(state, 2, 0)[0]
        row_of(gap, book)


@compiled
def assaults(plays: int, state: Ints, given: Ints, rows: Ints, cells: Ints, book: Book) -> None:
    """Assaults of a territory until they are decided (AT-9.5).

    given:  attack less defence before the dice; figures of the army, -1 for no end of them.
    rows:   as of `row_at`.
    cells:  of each row: whether it decides, its modifier, its loss dice and their faces.
    A result is the row that decided, or -1 where no figure was left; tallies are the rounds and
    the figures lost.
    """
    sums = book[3]
    for _ in range(plays):
        ahead, left, rounds, lost, end = given[0], given[1], 0, 0, -2
        while end == -2:
            rounds += 1
            row = row_at(ahead - sixes(state, 2, 0)[0], rows)
            fell = thrown(state, cells[4 * row + 2], cells[4 * row + 3])
            lost += fell
            if cells[4 * row]:
                end = row
            elif 0 <= left <= lost:
                end = -1
            ahead += cells[4 * row + 1]
        row = row_of(end, book)
        sums[2 * row] += rounds
        sums[2 * row + 1] += lost


# Batailles classiques (BC-2, BC-3) ---------------------------------------------------------------


@compiled
def phases(plays: int, state: Ints, given: Ints, rows: Ints, ranged: Ints, book: Book) -> None:
    """Phases, as far as they are dice (BC-2.1).

    given:  dice of PM, of players and the fixed part of a's score, then of b's; the face that is
            a feat of arms.
    rows:   as of `row_at`, by the gap.   ranged: of each row, whether the winner's loss is rolled.
    A result is 7 times (3 times the row, and 1 if a wins, 2 if b does), and the loss die; tallies
    are both scores, their gap, and the feats of arms of both.
    """
    sums, below = book[3], given[6] - 1
    for _ in range(plays):
        score_a = given[2] + sixes(state, given[0], 0)[0]
        shown_a, plain_a = sixes(state, given[1], below)
        score_b = given[5] + sixes(state, given[3], 0)[0]
        shown_b, plain_b = sixes(state, given[4], below)
        score_a, score_b = score_a + shown_a, score_b + shown_b
        gap = score_a - score_b
        verdict = row_at(abs(gap), rows)
        die = sixes(state, 1, 0)[0] if gap and ranged[verdict] else 0
        row = row_of(7 * (3 * verdict + (1 if gap > 0 else 2 if gap else 0)) + die, book)
        sums[5 * row] += score_a
        sums[5 * row + 1] += score_b
        sums[5 * row + 2] += abs(gap)
        sums[5 * row + 3] += given[1] - plain_a
        sums[5 * row + 4] += given[4] - plain_b


@compiled
def battles(
    plays: int,
    state: Ints,
    given: Ints,
    rows: Ints,
    due: Ints,
    by_pm: Ints,
    moods: Ints,
    book: Book,
) -> None:
    """Battles fought on to BC-3.3 or BC-3.6, by both sides and with all that they have.

    given:  PM and players of a, then of b; by how much a's morale and command exceed b's.
    rows:   as of `row_at`, by the gap.
    due:    of each row: what the loser loses, what the winner does, whether a die less 1 is added.
    by_pm:  of each number of PM: its dice, what it may lose, what it may cost a loser and a
            winner, whether it is out of action.
    moods:  three times the winner (0 for none, 1 for a, 2 for b) and whose win counts: by how much
            a's morale then grows beside b's, and whose win counts.
    A result is 0 where a holds the field, 1 b, 2 nobody.
    """
    for _ in range(plays):
        a, b, ahead, counts = given[0], given[2], given[4], 0
        beaten_a = beaten_b = 0
        while not beaten_a and not beaten_b:
            gap = ahead + sixes(state, by_pm[5 * a], 0)[0] + sixes(state, given[1], 0)[0]
            gap -= sixes(state, by_pm[5 * b], 0)[0] + sixes(state, given[3], 0)[0]
            winner = 1 if gap > 0 else 2 if gap else 0
            row = 3 * row_at(abs(gap), rows)
            paid = due[row + 1]
            if winner and due[row + 2]:
                paid += sixes(state, 1, 0)[0] - 1
            to_a, to_b = (paid if winner == 1 else due[row]), (paid if winner == 2 else due[row])
            to_a = min(to_a, by_pm[5 * a + 1], by_pm[5 * b + (3 if winner == 1 else 2)])
            to_b = min(to_b, by_pm[5 * b + 1], by_pm[5 * a + (3 if winner == 2 else 2)])
            a, b = a - to_a, b - to_b
            mood = 2 * (3 * winner + counts)
            ahead, counts = ahead + moods[mood], moods[mood + 1]
            beaten_a, beaten_b = by_pm[5 * a + 4], by_pm[5 * b + 4]
            if not to_a and not to_b:
                beaten_a, beaten_b = int(winner != 1), int(winner != 2)
        row_of(0 if not beaten_a else 1 if not beaten_b else 2, book)
