"""Maps of provinces: ways against networkx, and every fault told with its place."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemarque.kernel.files.texts import Catalogue
from polemarque.maps.provinces import (
    MapRefused,
    Province,
    ProvinceMap,
    check_map,
    load_map,
)

# Four territories in a square, a-b / d-c, in two kingdoms.
SOUND = """\
[map]
id = "square"
name = { fr = "Carré", en = "Square" }
size = [20, 20]
stadia = 5
terrains = ["plains", "forest"]
cities = ["none", "royal"]

[[kingdom]]
id = "north"
name = { fr = "Nord", en = "North" }

[[kingdom]]
id = "south"
name = { fr = "Sud", en = "South" }

[[territory]]
id = "a"
kingdom = "north"
name = { fr = "Alpha", en = "Alfa" }
city = "royal"
terrain = "plains"
coastal = true
label = [5, 5]
neighbours = ["b", "d"]
polygon = [[0, 0], [10, 0], [10, 10], [0, 10]]

[[territory]]
id = "b"
kingdom = "north"
name = { fr = "Bravo", en = "Bravo" }
city = "none"
terrain = "forest"
coastal = true
label = [15, 5]
neighbours = ["a", "c"]
polygon = [[10, 0], [20, 0], [20, 10], [10, 10]]

[[territory]]
id = "c"
kingdom = "south"
name = { fr = "Charlie", en = "Charlie" }
city = "royal"
terrain = "plains"
coastal = true
label = [15, 15]
neighbours = ["b", "d"]
polygon = [[10, 10], [20, 10], [20, 20], [10, 20]]

[[territory]]
id = "d"
kingdom = "south"
name = { fr = "Delta", en = "Delta" }
city = "none"
terrain = "plains"
coastal = true
label = [5, 15]
neighbours = ["c", "a"]
polygon = [[0, 10], [10, 10], [10, 20], [0, 20]]
"""


def line_of(text: str, needle: str, after: str = "") -> int:
    """The line of a needle that stands after another one."""
    start = text.index(after)
    return text.count("\n", 0, text.index(needle, start)) + 1


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "square.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_sound_map_has_no_findings_and_loads(tmp_path: Path) -> None:
    path = written(tmp_path, SOUND)
    assert check_map(path) == ()
    square = load_map(path)
    assert [p.id for p in square.provinces] == ["a", "b", "c", "d"]
    assert square.neighbours("d") == ("c", "a")
    assert square.by_id["a"].names == {"fr": "Alpha", "en": "Alfa"}
    assert [p.id for p in square.by_kingdom["south"]] == ["c", "d"]


# What is replaced, after which words, by what; the code; the words on whose line it is told.
FAULTS = {
    "unknown neighbour": (
        '["b", "d"]', 'id = "a"', '["b", "d", "z"]',
        "map.unknown_neighbour", '"z"',
    ),
    "own neighbour": (
        '["b", "d"]', 'id = "a"', '["b", "d", "a"]',
        "map.own_neighbour", '"d", "a"]',
    ),
    "named twice": (
        '["b", "d"]', 'id = "a"', '["b", "d", "b"]',
        "map.neighbour_twice", '"d", "b"]',
    ),
    "asymmetric": ('["a", "c"]', 'id = "b"', '["a", "c", "d"]', "map.asymmetric", '"c", "d"]'),
    "terrain": ('"forest"', 'id = "b"', '"swamp"', "map.terrain", '"swamp"'),
    "city": ('"none"', 'id = "b"', '"hamlet"', "map.city", '"hamlet"'),
    "kingdom": ('kingdom = "north"', 'id = "b"', 'kingdom = "west"', "map.kingdom", '"west"'),
    "two cities": ('"none"', 'id = "b"', '"royal"', "map.cities", '[[kingdom]]\nid = "north"'),
    "no city": ('"royal"', 'id = "c"', '"none"', "map.cities", '[[kingdom]]\nid = "south"'),
    "no French": ('fr = "Delta", ', 'id = "d"', "", "map.translation", '{ en = "Delta"'),
    "blank English": ('en = "South"', "", 'en = " "', "map.translation", 'en = " "'),
    "short outline": (
        "[[0, 0], [10, 0], [10, 10], [0, 10]]", "", "[[0, 0], [10, 0], [0, 0]]", "map.polygon",
        "[[0, 0], [10, 0], [0, 0]]",
    ),
    "off the paper": ("[20, 20], [10, 20]", "", "[25, 20], [10, 20]", "map.outside", "[25, 20]"),
    "label off the paper": ("[15, 15]", "", "[15, 99]", "map.outside", "[15, 99]"),
    "no size": ("size = [20, 20]", "", "size = [20, 0]", "map.size", "size = [20, 0]"),
    "no scale": ("stadia = 5", "", "stadia = 0", "map.stadia", "stadia = 0"),
    "missing field": (
        "coastal = true\n", 'id = "c"', "",
        "map.missing_field", '[[territory]]\nid = "c"',
    ),
    "unknown field": (
        "coastal = true\n", 'id = "c"', "coastal = true\nport = 1\n",
        "map.unknown_field", "port",
    ),
    "wrong kind": ("coastal = true", 'id = "c"', 'coastal = "yes"', "map.type", '"yes"'),
    "slug": ('id = "square"', "", 'id = "Le Carré"', "map.slug", "Le Carré"),
    "syntax": ("label = [5, 5]", "", "label = [5 5]", "toml.syntax", "label = [5 5]"),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTS)
def test_a_planted_fault_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    old, after, new, code, at = FAULTS[case]
    start = SOUND.index(after)
    text = SOUND[:start] + SOUND[start:].replace(old, new, 1)
    assert text != SOUND
    path = written(tmp_path, text)
    line = line_of(text, at)
    found = [(f.file, f.line) for f in check_map(path) if f.code == code]
    assert (str(path), line) in found, check_map(path)
    with pytest.raises(MapRefused) as refused:
        load_map(path)
    assert isinstance(refused.value, ValueError)
    assert refused.value.findings == check_map(path)


def test_an_id_used_twice_is_told_where_it_is_used_again(tmp_path: Path) -> None:
    text = SOUND.replace('id = "d"', 'id = "c"')
    path = written(tmp_path, text)
    first = line_of(text, 'id = "c"')
    second = line_of(text, 'id = "c"', after="label = [15, 15]")
    found = [f for f in check_map(path) if f.code == "map.duplicate"]
    assert [(f.line, f.data["first"]) for f in found] == [(second, first)]


def test_a_territory_without_neighbours_is_told_once(tmp_path: Path) -> None:
    text = SOUND.replace('neighbours = ["c", "a"]', "neighbours = []")
    text = text.replace('"b", "d"]', '"b"]')
    found = check_map(written(tmp_path, text))
    assert [(f.code, f.line) for f in found] == [("map.isolated", line_of(text, "neighbours = []"))]


def test_pieces_of_a_map_are_told_apart(tmp_path: Path) -> None:
    text = SOUND
    for old, new in (
        ('["b", "d"]\npolygon = [[0, 0]', '["b"]\npolygon = [[0, 0]'),
        ('["a", "c"]', '["a"]'),
        ('["b", "d"]', '["d"]'),
        ('["c", "a"]', '["c"]'),
    ):
        text = text.replace(old, new)
    found = check_map(written(tmp_path, text))
    assert [(f.code, f.data["id"], f.data["count"]) for f in found] == [
        ("map.disconnected", "c", 2)
    ]
    assert found[0].line == line_of(text, '[[territory]]\nid = "c"')


def test_all_faults_are_told_at_once_and_in_order(tmp_path: Path) -> None:
    text = SOUND
    for old, after, new, *_ in (FAULTS["no scale"], FAULTS["terrain"], FAULTS["wrong kind"]):
        start = text.index(after)
        text = text[:start] + text[start:].replace(old, new, 1)
    found = check_map(written(tmp_path, text))
    assert [f.code for f in found] == ["map.stadia", "map.terrain", "map.type"]
    assert [f.line for f in found] == sorted(f.line for f in found)


def test_a_missing_file_is_a_finding_and_a_refusal(tmp_path: Path) -> None:
    assert [f.code for f in check_map(tmp_path / "none.toml")] == ["file.missing"]
    with pytest.raises(MapRefused):
        load_map(tmp_path / "none.toml")


@pytest.mark.parametrize("text", ["", "map = 3\n", "territory = 1\nkingdom = [2]\n", "[[map]]\n"])
def test_a_file_of_another_form_is_refused_not_crashed_on(tmp_path: Path, text: str) -> None:
    assert "map.no_table" in {f.code for f in check_map(written(tmp_path, text))}


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_code_of_the_checks_can_be_said(lang: str) -> None:
    from polemarque.maps import province_checks, table_schema

    files = [Path(module.__file__) for module in (table_schema, province_checks)]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    catalogue = Catalogue.load(files[0].parent / "data")
    codes = {f"map.{c}" for c in re.findall(r'"(?:map|\{self\.prefix\})\.([a-z_]+)"', source)}
    assert len(codes) > 15
    assert all(
        catalogue.has(lang, f"check.{c}.{part}") for c in codes for part in ("reason", "hint")
    )
    assert all(catalogue.has(lang, f"map.kind.{kind}") for kind in table_schema.KINDS)


# Ways ---------------------------------------------------------------------------------------------


def graph_map(edges: dict[str, list[str]]) -> ProvinceMap:
    """A map of which only the graph matters."""
    provinces = [
        Province(name, "k", {}, "none", "plains", True, (0, 0), tuple(near), ())
        for name, near in edges.items()
    ]
    return ProvinceMap("g", {}, (1, 1), 1, (), tuple(provinces))


@st.composite
def graphs(draw: st.DrawFn) -> ProvinceMap:
    names = [f"p{n}" for n in range(draw(st.integers(1, 9)))]
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    near: dict[str, list[str]] = {name: [] for name in names}
    for a, b in chosen:
        near[a].append(b)
        near[b].append(a)
    return graph_map(near)


@given(graphs(), st.data())
def test_ways_agree_with_networkx(island: ProvinceMap, data: st.DataObject) -> None:
    names = list(island.by_id)
    start = data.draw(st.sampled_from(names))
    closed = data.draw(st.sets(st.sampled_from(names)))
    graph = nx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from((p.id, n) for p in island.provinces for n in p.neighbours)
    allowed = graph.subgraph([n for n in names if n == start or n not in closed])
    lengths = nx.single_source_shortest_path_length(allowed, start)

    def passable(place: str) -> bool:
        return place not in closed

    reached = island.within(start, passable)
    assert len(set(reached)) == len(reached)
    assert set(reached) == set(lengths)
    assert [lengths[place] for place in reached] == sorted(lengths.values())


def test_the_start_need_not_be_passable() -> None:
    island = graph_map({"a": ["b"], "b": ["a"]})
    assert island.within("a", lambda _: False) == ("a",)


def test_an_unknown_start_is_an_error() -> None:
    with pytest.raises(KeyError):
        graph_map({"a": []}).within("z", lambda _: True)


def test_a_map_is_plain_data() -> None:
    island = graph_map({"a": ["b"], "b": ["a"]})
    assert island.adjacency["a"] == ("b",)
    assert msgspec.json.decode(msgspec.json.encode(island), type=ProvinceMap) == island
