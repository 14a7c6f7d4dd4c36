"""Drawings of boards: sound XML, every cell and piece found by its id, sides told apart."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from polemarque.maps.boards import Board
from polemarque.report.boards.draw_scene import draw_scene, places
from polemarque.report.boards.glyphs import GLYPHS, GROUND_SIGNS, outline
from polemarque.report.boards.ground import MARGIN, Layout, look_of, looks, watercourses
from polemarque.report.boards.pieces import SIDES, SYMBOLS, Arrow, Piece
from polemarque.report.labels import terrain_words
from tests.report.fields import FIELD, VALLEY, board, scene

SVG = "{http://www.w3.org/2000/svg}"
BOTH = pytest.mark.parametrize("text", [VALLEY, FIELD], ids=["hex", "square"])


def drawn(text: str = VALLEY, lang: str = "fr") -> ElementTree.Element:
    return ElementTree.fromstring(draw_scene(scene(text), lang).on_paper())


def by_id(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    return {str(each.get("id")): each for each in root.iter() if each.get("id")}


def title(element: ElementTree.Element) -> str:
    return str(element.findtext(f"{SVG}title"))


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


@BOTH
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_cell_has_an_id_and_says_what_it_is(text: str, lang: str) -> None:
    on, ids = board(text), by_id(drawn(text, lang))
    words = terrain_words(on, lang)
    for cell in on.grid.cells:
        said = title(ids[f"b-{cell}"])
        assert said.startswith(f"{cell} · {words[on.terrain_of(cell)]}")
        assert ids[f"b-{cell}"].get("data-cell") == cell


def test_a_cell_tells_its_marks() -> None:
    assert title(by_id(drawn())["b-e4"]) == "e4 · bourg, fortification 3"
    assert title(by_id(drawn())["b-b4"]) == "b4 · bois, height 2"


@BOTH
def test_every_piece_has_an_id_and_says_what_it_is(text: str) -> None:
    given, ids = scene(text), by_id(drawn(text))
    for piece in given.pieces:
        group = ids[f"bp-{piece.id}"]
        assert group.get("data-piece") == piece.id
        assert title(group).startswith(f"{piece.cell} · {given.sides[piece.side]} · ")
        if piece.id != "chief":
            assert {piece.label[:3], piece.strength} <= set(texts(group))
    assert title(ids["bp-p0"]).endswith("infanterie Inf 0")


def test_a_title_of_its_own_stands_for_a_piece() -> None:
    given = scene()
    only = replace(given, pieces=(Piece("x", "a1", 0, "engine", title="le bélier & sa troupe"),))
    root = ElementTree.fromstring(draw_scene(only, "fr").on_paper())
    assert title(by_id(root)["bp-x"]) == "a1 · Athènes · le bélier & sa troupe"


@BOTH
def test_nothing_is_used_that_is_not_there(text: str) -> None:
    svg = draw_scene(scene(text), "en").on_paper()
    ids = set(by_id(ElementTree.fromstring(svg)))
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', svg))
    assert used
    assert {a or b for a, b in used} <= ids


@BOTH
def test_a_sign_that_is_put_down_is_styled_by_itself(text: str) -> None:
    """Browsers style what is put down elsewhere without what stands around it there."""
    for name, element in by_id(drawn(text)).items():
        if name.startswith("brd-") and element.tag == f"{SVG}g":
            assert element.get("class") == "brd"


def test_the_legend_has_what_is_on_the_board_and_no_more() -> None:
    said = texts(drawn(lang="en"))
    assert {"Sides", "Pieces", "Terrain", "Works", "Movements", "<Perse>", "camelry", "river",
            "castle (4)", "attack"} <= set(said)  # fmt: skip
    assert not {"desert", "dense forest"} & set(said)
    bare = replace(scene(), pieces=(), arrows=())
    said = texts(ElementTree.fromstring(draw_scene(bare, "en").on_paper()))
    assert not {"Pieces", "Movements", "camelry"} & set(said)


def test_long_names_in_the_legend_go_on_below_and_push_down_what_follows() -> None:
    name, other = "the principality of the Isles", "Anna"

    def legend_of(*sides: str) -> ElementTree.Element:
        named = replace(scene(), sides=sides, pieces=(), arrows=())
        return ElementTree.fromstring(draw_scene(named, "en").on_paper())

    def heights(root: ElementTree.Element) -> dict[str, float]:
        each = root.iter(f"{SVG}text")
        return {"".join(text.itertext()): float(text.get("y", "0")) for text in each}

    (long,) = [
        text for text in legend_of(name, other).iter(f"{SVG}text")
        if "".join(text.itertext()) == name
    ]  # fmt: skip
    lines = [long.text or "", *[line.text or "" for line in long.iter(f"{SVG}tspan")]]
    assert len(lines) == 2 and all(len(line.strip()) <= 22 for line in lines)
    below = heights(legend_of(name, other))[other] - heights(legend_of("Isles", other))[other]
    assert below == 15


def test_a_terrain_that_we_do_not_know_keeps_its_word() -> None:
    assert "blue grass" in texts(drawn(FIELD))
    named = replace(scene(FIELD), terrains={"blue_grass": "herbe bleue"})
    assert "herbe bleue" in texts(ElementTree.fromstring(draw_scene(named, "fr").on_paper()))


def test_rows_and_columns_are_written_on_both_rims() -> None:
    said = texts(drawn())
    for name in "abcdef":
        assert said.count(name) == 2
    for row in "12345":
        assert said.count(row) >= 2


@BOTH
def test_cells_lie_side_by_side_inside_the_margins(text: str) -> None:
    on = board(text)
    layout = Layout(on.grid)
    for cell in on.grid.cells:
        x, y = layout.at(cell)
        for dx, dy in layout.corners:
            assert MARGIN - 0.01 <= x + dx <= layout.width - MARGIN + 0.01
            assert MARGIN - 0.01 <= y + dy <= layout.height - MARGIN + 0.01
        near = [name for name, _ in layout.around(cell) if name is not None]
        assert sorted(near) == sorted(on.grid.neighbours(cell))
        for name, (dx, dy) in layout.around(cell):
            if name is not None:
                assert layout.at(name) == pytest.approx((x + dx, y + dy))


def test_sides_differ_without_colour() -> None:
    assert len({outline(side) for side in range(SIDES)}) == SIDES
    assert outline(0) == outline(SIDES)


def test_a_leader_stands_beside_his_unit_and_over_it() -> None:
    pieces = (Piece("g", "a1", 0, "general"), Piece("u", "a1", 0, "infantry"),
              Piece("o", "b1", 0, "officer"))  # fmt: skip
    assert [(each.piece.id, each.beside) for each in places(pieces)] == [
        ("u", False), ("g", True), ("o", False)
    ]  # fmt: skip
    crowd = places([replace(pieces[1], id=str(n)) for n in range(3)])
    assert all((a.dx, a.dy) != (b.dx, b.dy) for a, b in pairwise(crowd))


def test_every_symbol_and_every_terrain_can_be_drawn() -> None:
    assert set(GLYPHS) == set(SYMBOLS)
    for drawing in (*GLYPHS.values(), *GROUND_SIGNS.values()):
        ElementTree.fromstring(f"<g>{drawing}</g>")
    for word, look in looks().items():
        assert look.fill, word
        assert len(look.text) == 3, word
        assert set(look.signs) <= set(GROUND_SIGNS)
        assert look.signs or not look.count
        assert look.count <= 7
    assert look_of("nowhere") is looks()[""]


def test_water_flows_through_shared_sides_and_off_the_board() -> None:
    text = '[board]\nid = "b"\nname = { fr = "b", en = "b" }\nshape = "hex"\n'
    river = board(text + 'terrain = ".~.\\n.~.\\n.~."\nlegend = { "." = "plain", "~" = "river" }')
    layout = Layout(river.grid)
    ways = re.findall(
        r'd="M([\d.]+),([\d.]+)Q[^ ]+ ([\d.]+),([\d.]+)"', watercourses(river, layout)
    )
    assert len(ways) == 6
    ends = {(round(float(x)), round(float(y))) for way in ways for x, y in (way[:2], way[2:])}
    (ax, ay), (bx, by) = layout.at("b3"), layout.at("b2")
    assert (round((ax + bx) / 2), round((ay + by) / 2)) in ends
    assert len(ends) == 4  # two sides within, two on the rim
    dry = board(text + 'terrain = "..."\nlegend = { "." = "plain" }')
    assert watercourses(dry, Layout(dry.grid)) == ""


@pytest.mark.parametrize("change", [
    {"pieces": (Piece("x", "z9", 0, "infantry"),)},
    {"pieces": (Piece("x", "a1", 4, "infantry"),)},
    {"arrows": (Arrow(("a1", "z9"), 0),)},
    {"arrows": (Arrow(("a1", "a2"), -1),)},
])  # fmt: skip
def test_what_cannot_be_drawn_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"no (cell|side)"):
        draw_scene(replace(scene(), **change), "fr")


def test_a_language_that_we_do_not_speak_is_refused() -> None:
    with pytest.raises(ValueError, match="language"):
        draw_scene(scene(), "la")


@BOTH
def test_the_same_scene_gives_the_same_drawing(text: str) -> None:
    assert draw_scene(scene(text), "fr") == draw_scene(scene(text), "fr")


def test_an_arrow_to_nowhere_is_not_drawn() -> None:
    still = replace(scene(), arrows=(Arrow(("a1",), 0),))
    assert 'class="arrow"' not in draw_scene(still, "fr").on_paper()


def test_a_large_board_is_drawn_whole() -> None:
    grid_of = "\\n".join(["." * 52] * 40)
    text = (
        '[board]\nid = "b"\nname = { fr = "b", en = "b" }\nshape = "square"\n'
        f'terrain = "{grid_of}"\nlegend = {{ "." = "plain" }}'
    )
    large: Board = board(text)
    drawn = draw_scene(replace(scene(), board=large, arrows=()), "en")
    root = ElementTree.fromstring(drawn.on_paper())
    assert len([key for key in by_id(root) if key.startswith("b-")]) == 52 * 40
