"""MN-F9: the shipped map of 300 BC, and what the checks say of a club's own."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import msgspec
import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemarque.kernel.files.findings import Finding
from polemarque.kernel.files.texts import Catalogue
from polemarque.maps.provinces import MapRefused
from polemarque.report.sea.outlines import outlines_of
from polemarque.systems.mare_nostrum.setup import army_lists, atlas_checks
from polemarque.systems.mare_nostrum.setup.army_lists import (
    ARMY_LISTS,
    STANDS,
    ListsRefused,
    check_lists,
    load_lists,
    read_lists,
)
from polemarque.systems.mare_nostrum.setup.atlas import (
    MEDITERRANEAN,
    Atlas,
    check_atlas,
    load_atlas,
    read_atlas,
)
from polemarque.systems.mare_nostrum.tables import CULTURES, REGIMES, local_market

MAPS = Path(__file__).parent / "maps"
TINY = (MAPS / "tiny.toml").read_text(encoding="utf-8")
SEA = load_atlas()
SMALL = load_atlas(MAPS / "tiny.toml")
LANGUAGES = ("fr", "en", "ancient")


# --- the map of 300 BC ---------------------------------------------------------------------------


def test_the_map_is_as_large_as_the_rule_wants() -> None:
    assert check_atlas(MEDITERRANEAN) == ()
    assert len(SEA.provinces) >= 48
    assert len(SEA.zones) >= 13
    assert len(SEA.homes) >= 8


def test_every_place_is_named_in_three_ways_and_no_two_alike() -> None:
    for lang in LANGUAGES:
        said = [p.names[lang] for p in SEA.provinces] + [z.names[lang] for z in SEA.zones]
        assert len(set(said)) == len(said), lang
        cities = [(p.names[lang], p.capital[lang]) for p in SEA.provinces]
        assert all(city for _, city in cities)


def test_homes_are_ports_with_a_god_and_live_about_equally_well() -> None:
    for home in SEA.homes:
        province = SEA.by_id[home]
        assert province.port and province.arsenal
        assert province.protector and set(province.deity) == set(LANGUAGES)
        assert 8 <= province.demographic <= 14
        assert 10 <= local_market(SEA, home) <= 13
    assert {local_market(SEA, home) for home in SEA.homes[:8]} == {12}
    assert not any(p.protector for p in SEA.provinces if p.id not in SEA.homes)


def test_the_first_eight_homes_do_not_touch() -> None:
    for number, home in enumerate(SEA.homes[:8]):
        assert not set(SEA.homes[:number]) & set(SEA.by_id[home].neighbours), home


def test_cultures_and_regimes_are_those_of_the_rules() -> None:
    assert {p.culture for p in SEA.provinces} <= set(CULTURES.rows)
    assert {p.regime for p in SEA.provinces} <= set(REGIMES)


def test_lists_and_mercenaries_are_all_used_and_known() -> None:
    lists = load_lists()
    assert {p.army_list for p in SEA.provinces} == set(lists.list)
    assert {p.mercenaries for p in SEA.provinces} - {""} == set(lists.mercenary)


def test_all_seas_hang_together_and_every_coast_can_be_reached() -> None:
    seas = SEA.sea_distances(SEA.zones[0].id)
    assert set(seas) == set(SEA.zone_by_id)
    assert set(SEA.distances(SEA.homes[0])) == set(SEA.places)
    assert all(SEA.coasts[zone.id] for zone in SEA.zones)


def sides(shapes: tuple[tuple[tuple[float, float], ...], ...]) -> dict[frozenset[object], float]:
    """Sides of outlines with their lengths."""
    found = {}
    for shape in shapes:
        for a, b in zip(shape, (*shape[1:], shape[0]), strict=True):
            found[frozenset((a, b))] = ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5
    return found


def test_neighbours_are_those_whose_outlines_share_a_border() -> None:
    """No neighbours without a common line; no long common line without being neighbours."""
    drawn = outlines_of(SEA)
    edges = {name: sides(shapes) for name, shapes in (drawn.provinces | drawn.zones).items()}
    for number, one in enumerate(SEA.places):
        for other in SEA.places[:number]:
            common = sum(edges[one][side] for side in edges[one].keys() & edges[other].keys())
            if SEA.adjacent(one, other):
                assert common > 3, (one, other, common)
            else:
                assert common < 24, (one, other, common)


def test_cities_stand_in_their_provinces_and_ports_at_the_sea() -> None:
    drawn = outlines_of(SEA)
    for province in SEA.provinces:
        corners = [corner for shape in drawn.provinces[province.id] for corner in shape]
        near = min(abs(x - province.site[0]) + abs(y - province.site[1]) for x, y in corners)
        assert near < (60 if province.port else 250), (province.id, near)


# --- looking things up ---------------------------------------------------------------------------


def test_neighbours_of_both_kinds() -> None:
    assert SMALL.neighbours_of("borea") == ("alba", "corva", "dax")
    assert SMALL.neighbours_of("mid") == ("west", "east")
    assert SMALL.around["borea"] == ("alba", "corva", "dax", "mid")
    assert SMALL.around["mid"] == ("borea", "gaza", "ilva", "west", "east")
    assert SMALL.provinces_of("west") == ("alba", "faro")
    assert SMALL.zones_of("dax") == ()
    assert not SMALL.by_id["dax"].coastal


def test_distances_by_land_and_sea_count_every_place_entered() -> None:
    assert SMALL.distance("alba", "alba") == 0
    assert SMALL.distance("alba", "faro") == 2  # over the zone west
    assert SMALL.distance("dax", "helos") == 4
    assert SMALL.sea_distance("west", "east") == 2
    assert SMALL.next_steps("alba", "helos") == ("borea", "west")
    assert SMALL.next_steps("helos", "helos") == ()
    with pytest.raises(KeyError):
        SMALL.distance("nowhere", "alba")


@given(st.sampled_from(SEA.places), st.sampled_from(SEA.places))
def test_distances_agree_with_networkx(start: str, end: str) -> None:
    graph = nx.Graph((a, b) for a, near in SEA.around.items() for b in near)
    far = SEA.distance(start, end)
    assert far == nx.shortest_path_length(graph, start, end)
    assert far == SEA.distance(end, start)
    steps = SEA.next_steps(start, end)
    assert all(SEA.distance(step, end) == far - 1 for step in steps)
    assert bool(steps) == (start != end)
    ways = [*nx.all_shortest_paths(graph, start, end)]
    passed = {place for place in SEA.places if SEA.on_the_way(place, start, end)}
    assert passed == {place for way in ways for place in way}
    if start in SEA.zone_by_id and end in SEA.zone_by_id:
        assert SEA.sea_distance(start, end) >= far  # type: ignore[operator]


def test_an_atlas_is_plain_data() -> None:
    assert msgspec.json.decode(msgspec.json.encode(SEA), type=Atlas) == SEA


# --- what can be wrong with a map ----------------------------------------------------------------


def line_of(text: str, words: str, after: str = "") -> int:
    """The line on which words stand, after others."""
    return text[: text.index(words, text.index(after))].count("\n") + 1


# What is replaced, after which words, by what; the code; the words on whose line it is told.
FAULTS = {
    "one-sided border": ('["borea"]', 'id = "alba"', "[]", "map.asymmetric", '["alba", "corva"'),
    "unknown neighbour": ('["borea"]', 'id = "alba"', '["borea", "z"]', "map.unknown_neighbour",
                          '"z"'),
    "one-sided sea": ('["mid"]', 'id = "west"', "[]", "map.asymmetric", '["west", "east"]'),
    "unknown zone": ('["west"]', "zones", '["wets"]', "map.unknown_zone", '"wets"'),
    "zone twice": ('["west"]', "zones", '["west", "west"]', "map.zone_twice", '"west", "west"'),
    "resource": ('"wheat", "wine"', 'id = "alba"', '"wheat", "cola"', "map.word", '"cola"'),
    "army list": ('"roman"', "", '"martian"', "map.word", '"martian"'),
    "mercenaries": ('"celts"', "", '"robots"', "map.word", '"robots"'),
    "culture": ('"latin"\n', 'id = "alba"', '"elvish"\n', "map.word", '"elvish"'),
    "regime": ('"republic"\n', 'id = "alba"', '"anarchy"\n', "map.word", '"anarchy"'),
    "protector": ('"war"', "", '"cats"', "map.word", '"cats"'),
    "port inland": ("demographic = 4", "", "demographic = 4\nport = true", "map.port",
                    "port = true\nresources"),
    "arsenal inland": ("demographic = 4", "", "demographic = 4\narsenal = true", "map.arsenal",
                       "arsenal = true\nresources"),
    "factor": ("demographic = 16", "", "demographic = 21", "map.factor", "demographic = 21"),
    "not whole": ("demographic = 16", "", "demographic = 1.5", "map.type", "demographic = 1.5"),
    "no home": ('homes = ["alba", "faro", "corva", "helos"]', "", 'homes = ["alba"]', "map.homes",
                'homes = ["alba"]'),
    "unknown home": ('"helos"]', "homes", '"hades"]', "map.unknown_home", '"hades"'),
    "home twice": ('"helos"]', "homes", '"alba"]', "map.home_twice", 'homes = ["alba"'),
    "godless home": ('protector = "sea"\n', "", "", "map.protector_missing",
                     '[[province]]\nid = "helos"'),
    "no ancient name": (', ancient = "Alba" }', "", " }", "map.translation", '{ fr = "Albe"'),
    "no French city": ('{ fr = "Le Phare", ', "", "{ ", "map.translation", 'en = "The Beacon"'),
    "same id": ('id = "ilva"', "", 'id = "mid"', "map.duplicate", 'id = "mid"\nname = { fr = "I'),
    "label off the sheet": ("label = [200, 110]", "", "label = [200, 999]", "map.outside", "999"),
    "alone": ('neighbours = []\nzones = ["mid"]', "", "neighbours = []", "map.isolated",
              "neighbours = []\nsite = [200, 120]"),
    "unknown field": ("port = true", "", "harbour = true", "map.unknown_field", "harbour"),
    "missing field": ('army_list = "roman"\n', "", "", "map.missing_field",
                      '[[province]]\nid = "alba"'),
    "size": ("size = [400, 300]", "", "size = [400, 0]", "map.size", "size"),
}  # fmt: skip


def planted(case: str, source: str = TINY) -> tuple[str, str, int]:
    """A map with a fault, the code it should have, and its line."""
    old, after, new, code, at = FAULTS[case]
    start = source.index(after)
    text = source[:start] + source[start:].replace(old, new, 1)
    assert text != source
    return text, code, line_of(text, at)


@pytest.mark.parametrize("case", FAULTS)
def test_a_planted_fault_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    text, code, line = planted(case)
    path = tmp_path / "map.toml"
    path.write_text(text, encoding="utf-8")
    found = check_atlas(path)
    assert (code, line) in {(f.code, f.line) for f in found}, found
    with pytest.raises(MapRefused) as refused:
        load_atlas(path)
    assert refused.value.findings == found
    with pytest.raises(MapRefused) as plain:
        read_atlas(tomllib.loads(text))
    assert code in {f.code for f in plain.value.findings}


def test_pieces_of_a_map_are_told_apart(tmp_path: Path) -> None:
    text = TINY.replace('zones = ["mid"]\nsite = [200, 120]', 'zones = ["lake"]\nsite = [200, 120]')
    lake = '[[zone]]\nid = "lake"\nname = { fr = "Lac", en = "Lake", ancient = "Lacus" }\n'
    path = tmp_path / "map.toml"
    path.write_text(text + lake + "neighbours = []\nlabel = [9, 9]\n", encoding="utf-8")
    told = [(f.code, f.data["id"], f.data["count"]) for f in check_atlas(path)]
    assert told == [("map.disconnected", "lake", 2)]


def test_a_missing_file_and_nonsense_are_refused_not_crashed_on(tmp_path: Path) -> None:
    assert [f.code for f in check_atlas(tmp_path / "none.toml")] == ["file.missing"]
    path = tmp_path / "map.toml"
    for text in ("", "map = 3\n", "province = 1\nzone = [2]\n", "[[map]]\n"):
        path.write_text(text, encoding="utf-8")
        assert "map.no_table" in {f.code for f in check_atlas(path)}, text


# --- army lists ----------------------------------------------------------------------------------


def test_armies_are_of_twelve_stands_of_known_kinds() -> None:
    lists = load_lists()
    for army in lists.lists:
        assert len(army.elements) == STANDS
        assert {*army.elements, army.guard} <= set(lists.element)
    assert lists.list["roman"].elements.count("blades") == 6


LIST_FAULTS = {
    "too many": ("blades = 6", "blades = 7", "armies.stands", "stands = { cavalry = 2, blades = 7"),
    "none of them": ("blades = 6", "blades = 6, horde = 0", "armies.count", "horde = 0"),
    "unknown stand": ("blades = 6", "lasers = 6", "armies.element", "lasers = 6"),
    "unknown guard": ('guard = "blades"', 'guard = "lasers"', "armies.element", 'guard = "lasers"'),
    "unknown hireling": ('element = "bows"', 'element = "guns"', "armies.element", '"guns"'),
    "unknown in battle": ('key = "horde"', 'key = "mob"', "armies.fights_as", 'key = "mob"'),
    "fights as nobody": ('key = "horde"\n', 'key = "horde"\nfights_as = "mob"\n',
                         "armies.fights_as", 'fights_as = "mob"'),
    "same key": ('key = "pikes"', 'key = "spears"', "armies.duplicate",
                 'key = "spears"\nname = { fr = "phalange'),
    "no English": (', en = "spearmen in phalanx"', "", "armies.translation", '"hoplites et l'),
    "wrong kind": ("blades = 6", 'blades = "six"', "armies.type", 'blades = "six"'),
    "bad key": ('key = "roman"', 'key = "S.P.Q.R."', "armies.slug", "S.P.Q.R."),
    "missing": ('guard = "blades"\n', "", "armies.missing_field", '[[list]]\nkey = "roman"'),
    "unknown": ('guard = "blades"\n', 'guard = "blades"\nmorale = 3\n', "armies.unknown_field",
                "morale"),
}  # fmt: skip


@pytest.mark.parametrize("case", LIST_FAULTS)
def test_a_fault_in_army_lists_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    old, new, code, at = LIST_FAULTS[case]
    text = ARMY_LISTS.read_text(encoding="utf-8")
    text = text.replace(old, new, 1)
    path = tmp_path / "lists.toml"
    path.write_text(text, encoding="utf-8")
    found = check_lists(path)
    assert (code, line_of(text, at)) in {(f.code, f.line) for f in found}, found
    with pytest.raises(ListsRefused):
        load_lists(path)
    with pytest.raises(ListsRefused):
        read_lists(tomllib.loads(text))


def test_a_map_may_come_with_lists_of_its_own() -> None:
    document = tomllib.loads(TINY.replace('"roman"', '"martian"'))
    lists = tomllib.loads(
        ARMY_LISTS.read_text(encoding="utf-8").replace('key = "roman"', 'key = "martian"')
    )
    assert read_atlas(document, read_lists(lists)).by_id["alba"].army_list == "martian"


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_code_can_be_said(lang: str) -> None:
    rooms = [Path(army_lists.__file__).parents[1], Path(Finding.__module__.replace(".", "/"))]
    texts = Catalogue.load(rooms[0] / "data")
    maps = Catalogue.load(rooms[0].parents[1] / "maps" / "data")
    for module, told in ((army_lists, texts), (atlas_checks, maps)):
        source = Path(module.__file__).read_text(encoding="utf-8")
        codes = set(re.findall(r'"((?:armies|map)\.[a-z_]+)"', source))
        assert len(codes) >= 3
        for code in codes:
            for part in ("reason", "hint"):
                assert told.has(lang, f"check.{code}.{part}"), code
