"""Board files: what they say, and every fault told with its line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec
import pytest

from polemarque.cli.file_checks import check_file
from polemarque.kernel.files.findings import hint, reason
from polemarque.kernel.files.texts import Catalogue
from polemarque.maps import board_checks
from polemarque.maps.board_checks import FIELDS, board_faults
from polemarque.maps.boards import (
    Board,
    BoardRefused,
    build_board,
    check_board,
    load_board,
    read_board,
)
from polemarque.maps.grid import grid

SOUND = '''\
[board]
id = "ford"
name = { fr = "Le gué", en = "The ford" }
shape = "hex"
terrain = """
. . w w
 . h . =
. . . .
"""
roads = ["a1 a2 a3", "d2 d1"]

[board.legend]
"." = "plain"
w = "wood"
h = "hill"
"=" = "ford"

[board.marks]
fortification = { b2 = 1, d3 = 4 }
'''

WORDS = Catalogue.load(Path(board_checks.__file__).parent / "data")
TERRAINS = ("plain", "wood", "hill", "ford")


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "board.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_sound_board_has_no_findings_and_loads(tmp_path: Path) -> None:
    path = written(tmp_path, SOUND)
    assert check_board(path, TERRAINS) == ()
    ford = load_board(path)
    assert ford.names == {"fr": "Le gué", "en": "The ford"}
    assert ford.grid is grid("hex", 4, 3)
    assert [c for c in ford.grid.cells if ford.terrain_of(c) == "wood"] == ["c3", "d3"]
    assert ford.terrain_of("b2") == "hill"
    assert ford.terrain_of("d2") == "ford"
    assert ford.roads == (("a1", "a2"), ("a2", "a3"), ("d1", "d2"))
    assert ford.road("a3", "a2")
    assert ford.road("a2", "a3")
    assert not ford.road("a1", "a3")
    assert ford.mark("fortification", "d3") == 4
    assert ford.mark("fortification", "a1") == 0
    assert ford.mark("height", "a1") == 0
    with pytest.raises(KeyError):
        ford.terrain_of("z9")


@pytest.mark.parametrize(
    "terrain",
    ['"""\n..ww\n.h.=\n....\n"""', '"""..ww\n  .h.=\n\n....   """', "'''\n..ww\n.h.=\n....'''",
     '"..ww\\n.h.=\\n...."'],
)  # fmt: skip
def test_blanks_are_for_the_eye(tmp_path: Path, terrain: str) -> None:
    text = re.sub(r'""".*"""', lambda _: terrain, SOUND, flags=re.DOTALL)
    assert load_board(written(tmp_path, text)) == load_board(written(tmp_path, SOUND))


def test_a_board_is_plain_data(tmp_path: Path) -> None:
    board = load_board(written(tmp_path, SOUND))
    assert msgspec.json.decode(msgspec.json.encode(board), type=Board) == board


def test_a_board_may_stand_in_a_scenario_or_a_set_up() -> None:
    document = tomllib.loads(SOUND)
    assert read_board(document) == build_board(document["board"])
    text = "[[scenario]]\nid = 1\n\n" + SOUND.replace("[board", "[scenario.board")
    text = text.replace(" . h", " . x")
    scenario = tomllib.loads(text)["scenario"][0]
    found = board_faults(scenario, "s.toml", text, within=("scenario", 0))
    assert [(f.file, f.line, f.code) for f in found] == [("s.toml", 10, "board.character")]
    with pytest.raises(BoardRefused) as refused:
        read_board(scenario, "club.toml")
    assert [(f.file, f.line) for f in refused.value.findings] == [("club.toml", 0)]


# What is replaced and by what; the code, the words on whose line it is told, and its data.
FAULTS = {
    "no id": ('id = "ford"\n', "", "board.missing_field", "[board]", {"field": "id"}),
    "unknown field": ('shape = "hex"', 'shape = "hex"\nwind = 3', "board.unknown_field", "wind",
                      {"field": "wind"}),
    "wrong kind": ('["a1 a2 a3", "d2 d1"]', '"a1 a2"', "board.type", "roads",
                   {"field": "roads", "wanted": "texts"}),
    "wrong legend": ('"." = "plain"', '"." = 1', "board.type", "[board.legend]",
                     {"field": "legend", "wanted": "words"}),
    "mark without a number": ("b2 = 1", "b2 = true", "board.type", "[board.marks]",
                              {"field": "marks", "wanted": "marks"}),
    "slug": ('id = "ford"', 'id = "Le gué"', "board.slug", "id =", {"id": "Le gué"}),
    "slug of a mark": ("fortification", "Mur", "board.slug", "Mur", {"id": "Mur"}),
    "no English": (', en = "The ford"', "", "board.translation", "name",
                   {"id": "ford", "language": "en"}),
    "shape": ('"hex"', '"round"', "board.shape", "shape", {"word": "round"}),
    "short row": (" . h . =", " . h .", "board.ragged", " . h .\n",
                  {"row": 2, "count": 3, "wanted": 4}),
    "long row": (". . . .\n", ". . . . .\n", "board.ragged", ". . . . .\n",
                 {"row": 3, "count": 5, "wanted": 4}),
    "unknown character": (" . h . =", " . h x =", "board.character", " . h x =",
                          {"character": "x", "row": 2, "column": 3}),
    "long key": ('w = "wood"', 'w = "wood"\nwood = "wood"', "board.key", "wood =",
                 {"character": "wood"}),
    "blank key": ('w = "wood"', 'w = "wood"\n" " = "wood"', "board.key", '" " =',
                  {"character": " "}),
    "unknown terrain": ('"hill"', '"hil"', "board.terrain", "h = ",
                        {"word": "hil", "known": "plain, wood, hill, ford"}),
    "mark off the board": ("b2 = 1", "b9 = 1", "board.cell", "b9 = 1",
                           {"cell": "b9", "last": "d3"}),
    "road off the board": ('"d2 d1"', '"d2 e2"', "board.cell", "roads",
                           {"cell": "e2", "last": "d3"}),
    "road that leaps": ("a1 a2 a3", "a1 a3", "board.apart", "roads", {"a": "a1", "b": "a3"}),
    "road to nowhere": ("d2 d1", "d2", "board.short", "roads", {"way": "d2"}),
    "no ground": (". . w w\n . h . =\n. . . .\n", " \n", "board.empty", "terrain", {}),
    "too wide": (". . w w\n . h . =\n. . . .\n", "." * 53 + "\n", "board.size", "terrain",
                 {"columns": 53, "rows": 1, "most_columns": 52, "most_rows": 99}),
    "too tall": (". . w w\n . h . =\n. . . .\n", ".\n" * 100, "board.size", "terrain",
                 {"columns": 1, "rows": 100, "most_columns": 52, "most_rows": 99}),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTS)
def test_a_planted_fault_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    old, new, code, at, data = FAULTS[case]
    text = SOUND.replace(old, new, 1)
    assert text != SOUND
    path = written(tmp_path, text)
    line = text.count("\n", 0, text.index(at)) + 1
    findings = check_board(path, TERRAINS)
    assert [(f.file, f.line, f.data) for f in findings if f.code == code] == [
        (str(path), line, data)
    ], findings
    with pytest.raises(BoardRefused) as refused:
        load_board(path, TERRAINS)
    assert refused.value.findings == findings
    for finding in findings:
        for lang in ("fr", "en"):
            assert reason(finding, WORDS, lang)
            assert hint(finding, WORDS, lang)


def test_all_faults_are_told_at_once_and_in_order(tmp_path: Path) -> None:
    text = SOUND.replace('"hex"', '"round"').replace('w = "wood"', "").replace("a1 a2", "a2")
    found = check_board(written(tmp_path, text))
    assert [f.code for f in found] == ["board.shape", "board.character", "board.character"]
    assert [f.line for f in found] == [4, 6, 6]


def test_a_file_without_a_board_is_refused(tmp_path: Path) -> None:
    for text in ("", "board = 3\n", "[[board]]\n"):
        assert {f.code for f in check_board(written(tmp_path, text))} == {"board.no_table"}
    assert [f.code for f in check_board(tmp_path / "none.toml")] == ["file.missing"]


def test_check_knows_a_board_by_its_table(tmp_path: Path) -> None:
    assert check_file(written(tmp_path, SOUND)) == ()
    path = written(tmp_path, SOUND.replace(" . h", " . x"))
    assert check_file(path) == check_board(path) != ()


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_code_of_the_checks_can_be_said(lang: str) -> None:
    source = Path(board_checks.__file__).read_text(encoding="utf-8")
    codes = set(re.findall(r'"(board\.[a-z_]+)"', source))
    shared = ("no_table", "missing_field", "unknown_field", "type", "slug", "translation")
    codes |= {f"board.{code}" for code in shared}
    assert len(codes) > 15
    assert all(WORDS.has(lang, f"check.{c}.{part}") for c in codes for part in ("reason", "hint"))
    assert all(WORDS.has(lang, f"map.kind.{kind.rstrip('?')}") for kind in FIELDS.values())
