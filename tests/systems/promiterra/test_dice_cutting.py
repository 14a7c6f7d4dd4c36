"""The table of dice (PR-6.1), copied from the book a second time, row by row."""

from __future__ import annotations

import itertools

import pytest

from polemarque.systems.promiterra.chapters.dice_cutting import CUTTING, Cut, cut, left_after

BOOK = """
1 1        38-42 8*5     300-339 10*32     5000-5999 10*550
2 2        43-47 9*5     340-379 10*36     6000-6999 10*650
3 3        48-52 10*5    380-419 10*40     7000-7999 10*750
4 4        53-55 9*6     420-459 10*44     8000-8999 10*850
5 5        56-64 10*6    460-499 10*48     9000-9999 10*950
6 6        65-74 10*7    500-559 10*53     10000-11999 10*1100
7 7        75-84 10*8    560-619 10*59     12000-13999 10*1300
8 8        85-94 10*9    620-699 10*66     14000-15999 10*1500
9 9        95-104 10*10  700-799 10*75     16000-17999 10*1700
10 10      105-114 10*11 800-899 10*85     18000-19999 10*1900
11 11      115-124 10*12 900-999 10*95     20000-24999 10*2250
12 12      125-134 10*13 1000-1199 10*110  25000-29999 10*2750
13 13      135-144 10*14 1200-1399 10*130  30000-34999 10*3250
14 14      145-152 10*15 1400-1599 10*150  35000-39999 10*3750
15 15      153-159 10*16 1600-1799 10*170  40000-44999 10*4250
16-17 8*2  160-179 10*17 1800-1999 10*190  45000-49999 10*4750
18-19 9*2  180-199 10*19 2000-2499 10*225  50000-59999 10*5500
20-22 7*3  200-219 10*21 2500-2999 10*275  60000-69999 10*6500
23-25 8*3  220-239 10*23 3000-3499 10*325  70000-79999 10*7500
26-28 9*3  240-259 10*25 3500-3999 10*375  80000-89999 10*8500
29-32 10*3 260-279 10*27 4000-4499 10*425  90000-99999 10*9500
33-37 7*5  280-299 10*29 4500-4999 10*475  100000-9999999 10*10000
"""


def rows() -> list[tuple[int, int, Cut]]:
    """First and last number of units of each row, and its dice."""
    words = BOOK.split()
    found = []
    for units, dice in zip(words[::2], words[1::2], strict=True):
        first, _, last = units.partition("-")
        count, _, times = dice.partition("*")
        found.append((int(first), int(last or first), Cut(int(count), int(times or 1))))
    return sorted(found, key=lambda row: row[0])


def test_the_book_has_no_gap() -> None:
    ends = [(first, last) for first, last, _ in rows()]
    assert ends[0][0] == 1
    assert all(after[0] == before[1] + 1 for before, after in itertools.pairwise(ends))


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row[0]}-{row[1]}")
def test_every_row(row: tuple[int, int, Cut]) -> None:
    first, last, dice = row
    for units in {first, (first + last) // 2, last}:
        assert cut(units, "cut") == dice
        assert cut(units, "all") == Cut(units, 1)


def test_there_are_no_more_rows() -> None:
    assert len(CUTTING.bands) == len(rows()) + 1  # that of nothing


def test_nothing_is_rolled_for_nothing() -> None:
    assert cut(0, "cut").dice == cut(0, "all").dice == 0


@pytest.mark.parametrize("hits", [*range(1, 400), 999, 5000, 99_999, 100_000, 123_456])
def test_a_perfect_defence_leaves_nothing_and_one_failure_never_more_than_there_was(
    hits: int,
) -> None:
    thrown = cut(hits, "cut")
    assert left_after(hits, thrown.dice, thrown) == 0
    left = [left_after(hits, saved, thrown) for saved in range(thrown.dice)]
    assert left[0] == hits
    assert all(0 <= after <= before for before, after in itertools.pairwise(left))
