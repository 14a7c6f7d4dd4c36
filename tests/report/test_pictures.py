"""Drawings: well-formed, alone on the page, and the figures they show are told beside them."""

from __future__ import annotations

import itertools
from xml.etree import ElementTree

import pytest

from polemarque.kernel.events import Event
from polemarque.kernel.game import new_header
from polemarque.report import pictures
from polemarque.report.chronicle import chronicle
from polemarque.report.documents.document import Picture, Table, walk
from polemarque.report.documents.interactive_svg import curves
from polemarque.report.narrator import Voice

SVG = "{http://www.w3.org/2000/svg}"


def battle(ended: bool) -> list[Event]:
    """Three phases, and the toll if it is over."""
    told = [
        Event("BC-3.5", "phase", {"number": n, "pm_a": 62 - n, "pm_b": 74 - 2 * n, "name_a": "",
                                  "name_b": ""}, period=n)
        for n in (1, 2, 3)
    ]  # fmt: skip
    tolls = [
        Event("BC-3.5", "toll", {"side": side, "name": "", "phases": 3, "left": left, "start": 80,
                                 "lost": 1}, period=3)
        for side, left in (("a", 40), ("b", 0))
    ]  # fmt: skip
    return told + tolls if ended else told


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_battle_ends_with_its_course_drawn_and_told(lang: str) -> None:
    document = chronicle(new_header("batailles"), battle(ended=True), lang)
    drawn = [block for _, block in walk(document) if isinstance(block, (Picture, Table))]
    picture, table = drawn
    assert isinstance(picture, Picture)
    assert isinstance(table, Table)
    assert len(ElementTree.fromstring(picture.svg).findall(f"{SVG}polyline")) == 2
    assert [row[1:] for row in table.rows] == [
        ("61", "72"), ("60", "70"), ("59", "68"), ("40", "0")
    ]  # fmt: skip
    assert picture.alt


def test_a_battle_that_goes_on_is_drawn_so_far() -> None:
    book = Voice(new_header("batailles"), "en").own
    _, table = pictures.chart("batailles", battle(ended=False), book)
    assert isinstance(table, Table)
    assert len(table.rows) == 3
    assert pictures.chart("batailles", [], book) == ()


def test_a_system_without_drawings_has_none() -> None:
    assert pictures.picture("nobody", None, "fr") is None
    assert pictures.picture("no/such.name", None, "fr") is None


def test_a_stranger_can_register_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(pictures.draws_board, "strange", None)  # so that it is taken out again
    pictures.draws_board("strange")(lambda state, lang, names: f"<svg>{state}{lang}</svg>")
    assert pictures.picture("strange", 3, "fr") == "<svg>3fr</svg>"


def test_curves_are_well_formed_and_their_names_apart() -> None:
    svg = curves({"<A> & co": [5, 5], "B" * 40: [5, 4], "C": [0, 4]}, ["1", "<2>"])
    texts = ElementTree.fromstring(svg).findall(f"{SVG}text")
    said = {text.text: text.get("y") for text in texts}
    assert {"<A> & co", "B" * 17 + "…", "C", "<2>"} <= set(said)
    heights = sorted(float(said[name] or 0) for name in ("<A> & co", "B" * 17 + "…", "C"))
    assert all(b - a >= 15 for a, b in itertools.pairwise(heights))


@pytest.mark.parametrize("values", [[0], [1, 2], [999, 1], [7], [12345, 0]])
def test_every_value_is_within_the_drawing(values: list[int]) -> None:
    root = ElementTree.fromstring(curves({"x": values}, [str(n) for n in range(len(values))]))
    for dot in root.findall(f"{SVG}circle"):
        assert 0 <= float(dot.get("cy", "-1")) <= 240
        assert 0 <= float(dot.get("cx", "-1")) <= 560
