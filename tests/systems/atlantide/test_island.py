"""AT-1.2: kingdoms, territories, Atlantis in the middle; and maps one can read."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

import networkx as nx
import pytest
from msgspec.structs import replace

from polemarque.bots.play import play_game
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.files.sentence_templates import curved
from polemarque.kernel.files.texts import Catalogue
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import decode_position, encode_position
from polemarque.maps.provinces import MapRefused, Province, ProvinceMap
from polemarque.systems.atlantide.setup.island import (
    ISLAND,
    ISLANDS,
    Terrain,
    chart_of,
    check_island,
    island_faults,
    load_island,
    shipped_board,
)
from polemarque.systems.atlantide.tables import DATA

BOOK = [
    "azues",
    "mestor",
    "gadirus",
    "diaprepes",
    "euamon",
    "mneseus",
    "autochthon",
    "elaspissus",
    "ampheres",
]
ROOT = Path(__file__).resolve().parents[3]
SOURCE = ISLAND.read_text(encoding="utf-8")

PROVINCES = load_island().provinces
KEPT_BY_THE_WAVE = {"gadirus", "euamon", "autochthon", "mestor", "diaprepes"}
OUTER = {"atlantide": set(BOOK), "wave": KEPT_BY_THE_WAVE}


def sides(province: Province) -> set[frozenset[tuple[float, float]]]:
    shape = province.polygon
    return {frozenset(side) for side in zip(shape, (*shape[1:], shape[0]), strict=True)}


@pytest.fixture(params=OUTER)
def island(request: pytest.FixtureRequest) -> ProvinceMap:
    """Each of the shipped islands."""
    return load_island(ISLANDS[request.param])


def test_every_shipped_island_is_tested() -> None:
    assert ISLANDS.keys() == OUTER.keys()
    assert [load_island(path).id for path in ISLANDS.values()] == [*ISLANDS]


def test_the_shipped_islands_have_no_findings() -> None:
    assert not any(check_island(path) for path in ISLANDS.values())


def test_kingdoms_and_territories_are_those_of_the_book(island: ProvinceMap) -> None:
    sizes = Counter(province.kingdom for province in island.provinces)
    assert sizes == {"atlantis": 5} | dict.fromkeys(OUTER[island.id], 3)


def test_each_kingdom_has_one_city_and_that_of_atlantis_is_the_city_of_atlantis(
    island: ProvinceMap,
) -> None:
    cities = [(p.kingdom, p.city) for p in island.provinces if p.city != "none"]
    outer = [(kingdom, "royal") for kingdom in OUTER[island.id]]
    assert sorted(cities) == sorted([("atlantis", "atlantis"), *outer])


def test_the_kingdom_of_atlantis_is_mountains_inland_and_all_others_touch_the_sea(
    island: ProvinceMap,
) -> None:
    heart = island.by_kingdom["atlantis"]
    assert {p.terrain for p in heart} == {"mountains"}
    assert not any(p.coastal for p in heart)
    assert {p.kingdom for p in island.provinces if p.coastal} == OUTER[island.id]


def test_the_mountains_close_around_the_city_of_atlantis(island: ProvinceMap) -> None:
    city = next(p for p in island.provinces if p.city == "atlantis")
    assert {island.by_id[n].kingdom for n in city.neighbours} == {"atlantis"}
    assert len(city.neighbours) == 4


def test_adjacency_is_symmetric_and_connected_also_within_each_kingdom(
    island: ProvinceMap,
) -> None:
    for province in island.provinces:
        assert all(province.id in island.neighbours(other) for other in province.neighbours)
    graph = nx.Graph((p.id, other) for p in island.provinces for other in p.neighbours)
    assert len(graph) == len(island.provinces)
    assert nx.is_connected(graph)
    for lands in island.by_kingdom.values():
        assert nx.is_connected(graph.subgraph([p.id for p in lands]))


def test_outer_kingdoms_have_like_numbers_of_foreign_borders(island: ProvinceMap) -> None:
    counts = [
        sum(
            island.by_id[n].kingdom != kingdom
            for p in island.by_kingdom[kingdom]
            for n in p.neighbours
        )
        for kingdom in OUTER[island.id]
    ]
    assert max(counts) - min(counts) <= 2


def test_every_terrain_of_the_rules_is_there_and_no_other(island: ProvinceMap) -> None:
    assert {p.terrain for p in island.provinces} == set(get_args(Terrain))


def test_neighbours_are_exactly_those_who_share_a_side(island: ProvinceMap) -> None:
    shapes = {province.id: sides(province) for province in island.provinces}
    for province in island.provinces:
        touching = {o for o in shapes if o != province.id and shapes[o] & shapes[province.id]}
        assert touching == set(province.neighbours)


def test_no_side_belongs_to_more_than_two_and_the_coast_is_what_has_one(
    island: ProvinceMap,
) -> None:
    uses = Counter(side for province in island.provinces for side in sides(province))
    assert set(uses.values()) == {1, 2}
    for province in island.provinces:
        assert province.coastal == any(uses[side] == 1 for side in sides(province))


def test_no_border_is_so_short_that_it_could_be_taken_for_a_corner(island: ProvinceMap) -> None:
    shapes = {province.id: sides(province) for province in island.provinces}
    for province in island.provinces:
        for other in province.neighbours:
            shared = [tuple(side) for side in shapes[province.id] & shapes[other]]
            length = sum(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in shared)
            assert length >= 24, (province.id, other)


def test_labels_stand_on_their_own_land(island: ProvinceMap) -> None:
    for province in island.provinces:
        (x, y), odd = province.label, False
        shape = province.polygon
        for (x0, y0), (x1, y1) in zip(shape, (*shape[1:], shape[0]), strict=True):
            if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
                odd = not odd
        assert odd, province.id


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_names_are_all_different_and_stand_in_sentences(island: ProvinceMap, lang: str) -> None:
    assert len({p.names[lang] for p in island.provinces}) == len(island.provinces)
    said = Catalogue.load(DATA)
    for province in island.provinces:
        in_words = said.say(lang, f"land.{province.id}")
        name = curved(province.names[lang])
        assert in_words.lower().endswith(name.lower().removeprefix("les ").removeprefix("the "))


DRAWN = "5086ef06687c9c95a19cc6b72e241dfd732166e3f01da05d9d64335c787f204d"
"""Of the script and of what it has drawn, when that was last compared: it takes half a minute."""


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_files_are_what_their_script_draws(tmp_path: Path) -> None:
    script = ROOT / "docs/maps/make_island.py"
    digest = sha256()
    for path in (script, script.with_name("shaping.py"), *ISLANDS.values()):
        digest.update(path.read_bytes())
    if digest.hexdigest() == DRAWN:
        return
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True)
    for path in ISLANDS.values():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()
    raise AssertionError(f"they are: write DRAWN = {digest.hexdigest()!r}")


# The small island ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4])
def test_a_campaign_after_the_wave_ends_with_its_eighth_turn(seats: int) -> None:
    header = new_header("atlantide", scenario="wave", seats=seats, seed=1)
    assert header.options["turn_limit"] == 8
    assert header.setup["map"] == "wave"
    game = Game(header)
    play_game(game, dict.fromkeys(header.seats, "steady"))
    assert (game.state.over, game.state.turn) == (True, 8)
    assert [*game.state.lands] == [p.id for p in load_island(ISLANDS["wave"]).provinces]
    held = {seat: len(game.state.lands_of(seat)) for seat in header.seats}
    assert all(held[seat] == max(held.values()) for seat in game.state.winners)


def test_the_number_of_its_turns_can_be_chosen_otherwise() -> None:
    header = new_header("atlantide", scenario="wave", options={"turn_limit": 3})
    assert header.options["turn_limit"] == 3
    assert new_header("atlantide", scenario="trio").options["turn_limit"] == 0


def test_it_has_no_room_for_more_players_than_kingdoms() -> None:
    with pytest.raises(NotAllowed, match=r"setup\.kingdoms"):
        Game(new_header("atlantide", scenario="wave", seats=6))


def test_an_island_that_nobody_ships_is_refused() -> None:
    with pytest.raises(NotUnderstood, match=r"setup\.island") as refused:
        Game(new_header("atlantide", setup={"map": "lemuria"}))
    assert refused.value.legal == tuple(ISLANDS)


# A club's own map ---------------------------------------------------------------------------------


def changed(tmp_path: Path, *changes: tuple[str, str, str]) -> Path:
    """The island with (after, old, new) replaced."""
    text = SOURCE
    for after, old, new in changes:
        start = text.index(after)
        assert old in text[start:]
        text = text[:start] + text[start:].replace(old, new, 1)
    path = tmp_path / "ours.toml"
    path.write_text(text, encoding="utf-8")
    return path


def line_after(path: Path, after: str, needle: str) -> int:
    text = path.read_text(encoding="utf-8")
    return text.count("\n", 0, text.index(needle, text.index(after))) + 1


FAULTS = {
    "city": ('id = "gadeira"', '"royal"', '"atlantis"', "map.city_kind", "city = "),
    "atlantis": (
        'id = "three_rings"', '"atlantis"\nterrain', '"royal"\nterrain', "map.city_kind", "city = ",
    ),
    "terrain": ('id = "mount_atlas"', '"mountains"', '"forest"', "map.terrain_fixed", "terrain = "),
    "coast": ('id = "mount_atlas"', "false", "true", "map.not_inland", "coastal = "),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTS)
def test_what_the_rules_forbid_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    after, old, new, code, needle = FAULTS[case]
    path = changed(tmp_path, (after, old, new))
    found = [(f.line, f.code) for f in check_island(path)]
    assert found == [(line_after(path, after, needle), code)]
    with pytest.raises(MapRefused):
        load_island(path)


def test_a_territory_of_another_kingdom_is_counted(tmp_path: Path) -> None:
    path = changed(tmp_path, ('id = "dolphin_bay"', '"ampheres"', '"gadirus"'))
    found = {(f.code, f.data["id"], f.data["count"]) for f in check_island(path)}
    assert found == {("map.kingdom_size", "gadirus", 4), ("map.kingdom_size", "ampheres", 2)}


def test_a_landlocked_kingdom_is_told(tmp_path: Path) -> None:
    shores = [p.id for p in PROVINCES if p.kingdom == "euamon" and p.coastal]
    path = changed(
        tmp_path, *((f'id = "{name}"', "coastal = true", "coastal = false") for name in shores)
    )
    assert [(f.code, f.data["id"]) for f in check_island(path)] == [("map.landlocked", "euamon")]


def test_a_kingdom_the_rules_do_not_know_is_told(tmp_path: Path) -> None:
    text = SOURCE.replace('"euamon"', '"evemon"')
    path = tmp_path / "ours.toml"
    path.write_text(text, encoding="utf-8")
    found = {(f.code, f.data["id"]) for f in check_island(path)}
    assert found == {("map.kingdom_extra", "evemon")}


def part_of_the_island(*kept: str) -> dict[str, Any]:
    """The island without all other kingdoms."""
    content = tomllib.loads(SOURCE)
    content["kingdom"] = [kingdom for kingdom in content["kingdom"] if kingdom["id"] in kept]
    content["territory"] = [land for land in content["territory"] if land["kingdom"] in kept]
    there = {land["id"] for land in content["territory"]}
    for land in content["territory"]:
        land["neighbours"] = [place for place in land["neighbours"] if place in there]
    return content


def test_a_smaller_island_has_fewer_kingdoms() -> None:
    assert island_faults(part_of_the_island("atlantis", "gadirus", "ampheres", "azues")) == ()
    alone = island_faults(part_of_the_island("atlantis", "gadirus"))
    assert [(f.code, f.data["id"]) for f in alone] == [("map.kingdom_missing", "azues")]
    headless = island_faults(part_of_the_island("gadirus", "ampheres", "euamon"))
    assert [(f.code, f.data["id"]) for f in headless] == [("map.kingdom_missing", "atlantis")]


def test_the_shapes_of_a_clubs_island_stay_with_its_campaign() -> None:
    island = part_of_the_island("atlantis", "gadirus", "ampheres", "diaprepes")
    saved = encode_position(Game(new_header("atlantide", seats=3, setup={"map": island})).position)
    chart = chart_of(decode_position(saved).state.board)
    assert chart is not None
    assert chart.by_id["gadeira"].polygon == load_island().by_id["gadeira"].polygon
    assert encode_position(decode_position(saved)) == saved


def test_a_campaign_can_be_played_on_a_smaller_island() -> None:
    island = part_of_the_island("atlantis", "gadirus", "ampheres", "diaprepes")
    header = new_header(
        "atlantide", seats=3, setup={"map": island}, options={"turn_limit": 4}, seed=1
    )
    game = Game(header)
    play_game(game, dict.fromkeys(header.seats, "steady"))
    assert game.over
    assert len(game.state.lands) == 14
    with pytest.raises(NotAllowed, match=r"setup\.kingdoms"):
        Game(new_header("atlantide", seats=4, setup={"map": island}, seed=1))


def test_a_word_the_rules_do_not_know_is_told(tmp_path: Path) -> None:
    path = changed(tmp_path, ("terrains = ", '"forest"', '"forest", "marsh"'))
    assert [(f.code, f.data["word"]) for f in check_island(path)] == [("map.vocabulary", "marsh")]


def test_a_map_of_bad_form_is_told_as_such_only(tmp_path: Path) -> None:
    path = changed(tmp_path, ('id = "gadeira"', '"plains"', '"swamp"'))
    assert [f.code for f in check_island(path)] == ["map.terrain"]


def test_a_club_may_redraw_and_rename(tmp_path: Path) -> None:
    path = changed(tmp_path, ('id = "gadeira"', 'fr = "Gadeira"', 'fr = "Cadix"'))
    assert load_island(path).by_id["gadeira"].names["fr"] == "Cadix"


def test_distances_are_kept_once_they_are_whole() -> None:
    """The shipped board is one for all campaigns, which threads of a club play at once."""
    board, start = replace(shipped_board()), shipped_board().ids[0]
    read: list[int] = []

    class Interrupted(dict[str, tuple[str, ...]]):
        def __getitem__(self, place: str) -> tuple[str, ...]:
            if not read:
                read.append(0)
                read.append(len(board.distances(start)))  # as another thread would just now
            return super().__getitem__(place)

    vars(board)["neighbours"] = Interrupted(board.neighbours)
    assert len(board.distances(start)) == len(board.ids)
    assert read[1:] == [len(board.ids)]


def test_the_shipped_island_is_read_once() -> None:
    assert load_island() is load_island()


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_what_the_rules_forbid_can_be_said(lang: str) -> None:
    import polemarque.maps

    catalogue = Catalogue.load(Path(polemarque.maps.__file__).parent / "data")
    codes = {
        "kingdom_missing", "kingdom_extra", "kingdom_size", "city_kind",
        "terrain_fixed", "landlocked", "not_inland", "vocabulary",
    }  # fmt: skip
    for code in codes:
        assert catalogue.has(lang, f"check.map.{code}.reason")
        assert catalogue.has(lang, f"check.map.{code}.hint")
