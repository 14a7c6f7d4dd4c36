"""Tables: every total has exactly one row, or the file is refused and the fault shown."""

from collections.abc import Sequence
from dataclasses import FrozenInstanceError
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polemarque.kernel.files.tables import (
    MARGIN,
    WIDEST,
    Matrix,
    OffTable,
    Shelf,
    Table,
    TableError,
    check_table,
    load_matrix,
    load_table,
)
from tests.kernel.table_files import (
    CONQUEST,
    MATRIX,
    WORDLESS,
    WORDS,
    Assault,
    Numbered,
    Scenario,
    Square,
    catalogue,
    found,
    with_rows,
    write,
)

# --- a table in use ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("total", "row"),
    [
        (5, Assault("taken", 200)),
        (4, Assault("taken", 100, "D3")),
        (3, Assault("taken", 100, "D3")),
        (2, Assault(None, 0, "D3", True, 1)),
        (0, Assault(None, 0, "D3", True)),
        (-1, Assault(None, 0, "D3", True, -1)),
        (-3, Assault("beaten", 0, "D6")),
        (-5, Assault("crushed", -50, "2D6")),
        (10_000_000, Assault("taken", 200)),
        (-10_000_000, Assault("crushed", -50, "2D6")),
    ],
)
def test_a_total_finds_its_row(tmp_path: Path, total: int, row: Assault) -> None:
    assert load_table(write(tmp_path, CONQUEST), Assault).row(total) == row


def test_a_table_says_what_it_is(tmp_path: Path) -> None:
    table = load_table(write(tmp_path, CONQUEST), Assault)
    assert (table.rule, table.roll, table.die) == ("AT-9.5", "attack - defence", "")
    assert [(m.when, m.amount, m.each) for m in table.modifiers] == [
        ("forest", 1, False),
        ("bribe", 1, True),
    ]
    assert table.span == (None, None)
    assert [(band.low, band.high) for band in table.bands] == [
        (None, -5), (-4, -3), (-2, -1), (0, 0), (1, 2), (3, 4), (5, None)
    ]  # fmt: skip
    assert table.band(-3).row == Assault("beaten", 0, "D6")
    assert (table.band(-3).low, table.band(-3).high) == (-4, -3)


def test_a_table_cannot_be_changed(tmp_path: Path) -> None:
    table = load_table(write(tmp_path, CONQUEST), Assault)
    with pytest.raises(FrozenInstanceError):
        table.rule = "AT-1"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        table.row(0).loot = 3  # type: ignore[misc]


def test_beyond_a_closed_end_there_is_no_row(tmp_path: Path) -> None:
    text = (
        'rule = "X"\ndie = "D6"\nrows = [{ from = 4, to = 6, n = 1 }, { from = 1, to = 3, n = 0 }]'
    )
    table = load_table(write(tmp_path, text), Numbered)
    assert table.span == (1, 6)
    assert [table.row(total).n for total in range(1, 7)] == [0, 0, 0, 1, 1, 1]
    for total in (0, 7, -1000, 1000):
        with pytest.raises(OffTable, match=f"X: no row for {total}"):
            table.row(total)


def test_a_gap_outside_what_can_come_up_is_no_row(tmp_path: Path) -> None:
    text = 'rule = "X"\ndie = "D3"\nrows = [{ from = 1, to = 3, n = 0 }, { from = 6, n = 1 }]'
    table = load_table(write(tmp_path, text), Numbered)
    with pytest.raises(OffTable):
        table.row(5)
    assert table.row(6).n == 1


def test_fractions_are_the_only_type_of_ones_own(tmp_path: Path) -> None:
    class Row(msgspec.Struct, frozen=True):
        share: Fraction

    text = 'rule = "X"\nrows = [\n{ to = 3, share = "1/3" },\n%s]'
    good = write(tmp_path, text % "{ from = 4, share = 2 },\n")
    table = load_table(good, Row)
    assert table.row(0).share == Fraction(1, 3)
    assert table.row(9).share == 2
    for wrong in ('"1/0"', '"many"', "true"):
        bad = write(tmp_path, text % f"{{ from = 4, share = {wrong} }},\n")
        assert found(check_table(bad, Row)) == [(4, "table.bad_cell")]


def test_a_row_type_is_a_frozen_struct_without_bounds(tmp_path: Path) -> None:
    class Loose(msgspec.Struct):
        n: int

    class Bound(msgspec.Struct, frozen=True):
        at: int

    path = write(tmp_path, CONQUEST)
    for row_type in (Loose, Bound, dict):
        with pytest.raises(TypeError):
            load_table(path, row_type)


# --- files of several tables ---------------------------------------------------------------------

SEVERAL = """\
[tables."A-1"]
rows = [{ to = 3, n = 1 }, { from = 4, n = 2 }]
[tables."A-2"]
rule = "A-2"
rows = [{ to = 0, n = 3 }, { from = 1, n = 4 }]
"""


def test_several_tables_share_a_file(tmp_path: Path) -> None:
    path = write(tmp_path, SEVERAL)
    assert load_table(path, Numbered, "A-1").row(4).n == 2
    assert load_table(path, Numbered, "A-2").row(4).n == 4
    assert check_table(path, Numbered) == ()
    for rule in ("", "A-3"):
        with pytest.raises(TableError) as refused:
            load_table(path, Numbered, rule)
        assert found(refused.value.findings) == [(0, "table.not_found")]


def test_faults_of_one_of_several_tables_have_their_place(tmp_path: Path) -> None:
    path = write(tmp_path, SEVERAL.replace("from = 1, n = 4", "from = 2, n = 4"))
    (finding,) = check_table(path)
    assert (finding.file, finding.line, finding.code) == (str(path), 5, "table.gap")
    assert finding.place == "tables.A-2.rows[1]"
    assert load_table(path, Numbered, "A-1").row(0).n == 1  # the other one is sound
    with pytest.raises(TableError):
        load_table(path, Numbered, "A-2")


# --- properties ----------------------------------------------------------------------------------

Bounds = tuple[int | None, int | None]

ends = st.integers(-8, 8)


@st.composite
def any_bounds(draw: st.DrawFn) -> Bounds:
    low = draw(st.none() | ends)
    high = draw(ends if low is None else st.none() | st.integers(low, 9))
    return low, high


def as_row(number: int, bounds: Bounds) -> str:
    low, high = bounds
    if low == high:
        return f"at = {low}, n = {number}"
    said = [f"from = {low}"] if low is not None else []
    said += [f"to = {high}"] if high is not None else []
    return ", ".join([*said, f"n = {number}"])


def rows_for(total: int, rows: Sequence[Bounds]) -> list[int]:
    """The naive twin: numbers of all rows that are for `total`."""
    return [
        number
        for number, (low, high) in enumerate(rows)
        if (low is None or low <= total) and (high is None or total <= high)
    ]


@st.composite
def whole_tables(draw: st.DrawFn) -> tuple[list[Bounds], Bounds]:
    """Rows that share all totals out, in any order, and the ends of the table."""
    cuts = draw(st.lists(st.integers(-60, 60), min_size=1, max_size=8, unique=True))
    cuts = [*sorted(cuts)]
    low, high = draw(st.none() | st.just(cuts[0] - 3)), draw(st.none() | st.just(cuts[-1] + 3))
    starts: list[int | None] = [low, *cuts]
    stops: list[int | None] = [*(cut - 1 for cut in cuts), high]
    rows = list(zip(starts, stops, strict=True))
    return draw(st.permutations(rows)), (low, high)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("desk")


@settings(deadline=None)
@given(st.lists(any_bounds(), min_size=1, max_size=5), st.none() | st.tuples(ends, ends))
def test_every_total_has_exactly_one_row_iff_there_is_no_finding(
    desk: Path, rows: list[Bounds], ends: tuple[int, int] | None
) -> None:
    declared = None if ends is None else (min(ends), max(ends))
    head = f"range = [{declared[0]}, {declared[1]}]" if declared else ""
    path = write(desk, with_rows(*(as_row(*row) for row in enumerate(rows)), head=head))
    codes = {finding.code for finding in check_table(path, Numbered)}

    totals = range(-30, 31)  # beyond every bound that is drawn, so infinity is covered too
    possible = range(declared[0], declared[1] + 1) if declared else totals
    idle = [n for n in range(len(rows)) if not any(n in rows_for(t, rows) for t in possible)]
    shared = any(len(rows_for(total, rows)) > 1 for total in totals)
    empty = any(not rows_for(total, rows) for total in possible)
    assert bool(codes) == bool(shared or empty or idle)
    assert ("table.overlap" in codes) == shared
    assert bool(codes & {"table.gap", "table.below", "table.above"}) == empty
    assert ("table.unreachable" in codes) == bool(idle)


@settings(deadline=None)
@given(whole_tables())
def test_a_sound_table_looks_up_like_its_naive_twin(
    desk: Path, drawn: tuple[list[Bounds], Bounds]
) -> None:
    rows, (low, high) = drawn
    least, most = -999 if low is None else low, 999 if high is None else high
    head = f"range = [{least}, {most}]"
    path = write(desk, with_rows(*(as_row(*row) for row in enumerate(rows)), head=head))
    table = load_table(path, Numbered)
    assert table.span == (low, high)
    for total in range(-60 - 2 * MARGIN, 60 + 2 * MARGIN):
        twin = rows_for(total, rows)
        if twin:
            assert [table.row(total).n] == twin
            band = table.band(total)
            assert (band.low, band.high) == rows[band.row.n]
        else:
            with pytest.raises(OffTable):
                table.row(total)


def test_a_table_wider_than_what_is_spread_out(tmp_path: Path) -> None:
    rows = [(1, 15), (16, 3 * WIDEST), (3 * WIDEST + 1, 100_000), (100_001, None)]
    text = with_rows(*(as_row(*row) for row in enumerate(rows)), head="range = [1, 999999]")
    table = load_table(write(tmp_path, text), Numbered)
    for cut in (1, 15, 16, WIDEST, WIDEST + 1, 3 * WIDEST, 100_000, 100_001, 10**9):
        for total in (cut, cut + 1):
            assert [table.row(total).n] == rows_for(total, rows)
    with pytest.raises(OffTable):
        table.row(0)


# --- matrices ------------------------------------------------------------------------------------


def test_a_matrix_is_read_by_two_words(tmp_path: Path) -> None:
    matrix = load_matrix(write(tmp_path, MATRIX), Square)
    assert (matrix.rule, matrix.rows, matrix.columns) == (
        "M-1", ("frontal", "rapid"), ("frontal", "rapid")
    )  # fmt: skip
    assert matrix.cell("frontal", "rapid") == Square(Scenario.AMBUSH, "a")
    assert matrix.cell("rapid", "frontal") == Square(Scenario.AMBUSH, "b")
    assert matrix.cell("rapid", "rapid") == Square(Scenario.PITCHED)
    for words in (("rapid", "flank"), ("flank", "rapid")):
        with pytest.raises(OffTable, match="flank"):
            matrix.cell(*words)


def test_a_matrix_of_plain_cells(tmp_path: Path) -> None:
    text = """\
    [tables."M-2"]
    rows = ["a"]
    columns = ["x", "y"]
    [tables."M-2".cells.a]
    x = 1
    y = 2
    """
    path = write(tmp_path, text)
    matrix: Matrix[int] = load_matrix(path, int, "M-2")
    assert (matrix.cell("a", "x"), matrix.cell("a", "y")) == (1, 2)
    with pytest.raises(TableError) as refused:
        load_table(path, Numbered, "M-2")
    assert found(refused.value.findings) == [(0, "table.not_found")]
    with pytest.raises(TableError):
        load_matrix(path, bool, "M-2")


# --- matrices and shelves ------------------------------------------------------------------------


def shelf_of(tmp_path: Path, **files: str) -> Shelf:
    for name, text in files.items():
        write(tmp_path, text, name + ".toml")
    return Shelf(tmp_path)


def test_a_shelf_finds_tables_by_their_rule(tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path, conquest=CONQUEST, several=SEVERAL, battle=WORDLESS)
    write(tmp_path, '["AT-9.5"]\ntaken = "pris"\n', "texts.fr.toml")
    write(tmp_path, '# A-1 is told of here\nname = "A-1"\n', "island.toml")
    conquest: Table[Assault] = shelf.table("AT-9.5", Assault)
    assert conquest.row(5).loot == 200
    assert shelf.table("A-2", Numbered).row(1).n == 4
    assert shelf.matrix("M-1", Square).cell("rapid", "rapid").scenario == "pitched"
    assert shelf.path("A-1").name == "several.toml"
    assert shelf.check() == ()


def test_a_shelf_refuses_what_is_not_there_or_there_twice(tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path, one=CONQUEST, two=CONQUEST)
    for rule, code in (("A-1", "table.not_found"), ("AT-9.5", "table.two_files")):
        with pytest.raises(TableError) as refused:
            shelf.table(rule, Assault)
        assert found(refused.value.findings) == [(0, code)]
        assert refused.value.findings[0].place == rule
    shelf = shelf_of(tmp_path, three='rule = "B-1"\nrows = [\n')
    with pytest.raises(TableError) as refused:
        shelf.table("B-1", Numbered)
    assert [f.code for f in refused.value.findings] == ["toml.syntax"]


def test_a_shelf_checks_what_was_taken_from_it(tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path, conquest=CONQUEST)
    shelf.table("AT-9.5", Assault)
    findings = shelf.check(catalogue(*WORDS[1:]))
    assert {(f.line, f.code) for f in findings} == {(6, "table.no_text"), (7, "table.no_text")}
