"""The map of the island: sound XML, every name once, and owners one can tell without colours."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from polemarque.kernel.files.sentence_templates import curved
from polemarque.kernel.new_game import new_header, opening
from polemarque.report.island.drawing import AREA, draw_island
from polemarque.report.island.furniture import OFF_COAST, OPEN_SEA, PITCH
from polemarque.report.island.geometry import laid_out, offshore
from polemarque.report.island.glyphs import COLOURS, marks
from polemarque.report.pictures import picture
from polemarque.systems.atlantide.setup.island import ISLANDS, load_island

ISLAND = load_island()
SVG = "{http://www.w3.org/2000/svg}"
PEOPLES = "Athènes Argos Sparte Samos Thèbes Troie Tyr Memphis Mycènes".split()  # noqa: SIM905
NAMES = {f"seat{n}": name for n, name in enumerate(PEOPLES)}
OUTER = [kingdom.id for kingdom in ISLAND.kingdoms if kingdom.id != "atlantis"]
OWNERS = {
    land.id: seat
    for seat, kingdom in zip(NAMES, OUTER, strict=True)
    for land in ISLAND.by_kingdom[kingdom]
}
ARMIES = [(seat, next(p for p, s in OWNERS.items() if s == seat)) for seat in NAMES]


def full(lang: str = "fr", **changes: object) -> ElementTree.Element:
    given = {"owners": OWNERS, "armies": ARMIES, "fortresses": {"gadeira": 2}, "names": NAMES}
    return ElementTree.fromstring(draw_island(ISLAND, lang=lang, **(given | changes)).on_paper())  # type: ignore[arg-type]


def texts(element: ElementTree.Element) -> list[str]:
    """What each text element says, its lines joined."""
    return [" ".join(t.itertext()) for t in element.iter(f"{SVG}text")]


def lands(element: ElementTree.Element) -> Iterator[tuple[str, ElementTree.Element]]:
    for group in element.iter(f"{SVG}g"):
        if group.get("class") == "land":
            yield str(group.get("id")).removeprefix("isl-t-"), group


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_all_names_are_written_once_in_either_language(lang: str) -> None:
    said = texts(full(lang))
    for province in ISLAND.provinces:
        assert said.count(curved(province.names[lang])) == 1, province.id


@pytest.mark.parametrize(("lang", "words"), [
    ("fr", ("Cité royale", "Forêt", "Rois atlantes", "Peuples", "stades")),
    ("en", ("Royal city", "Forest", "Atlantean kings", "Peoples", "stadia")),
])  # fmt: skip
def test_the_legend_speaks_the_language(lang: str, words: tuple[str, ...]) -> None:
    drawn = full(lang)
    assert set(words) <= set(texts(drawn))
    assert drawn.get("lang") == lang


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_kingdom_is_named_along_its_coast(lang: str) -> None:
    groups = [g for g in full(lang).iter(f"{SVG}g") if g.get("class") == "kingdom"]
    assert [g.get("aria-label") for g in groups] == [k.names[lang] for k in ISLAND.kingdoms]
    for group, kingdom in zip(groups, ISLAND.kingdoms, strict=True):
        letters = "".join(texts(group)).replace(" ", "")
        assert letters == kingdom.names[lang].upper().replace(" ", "")


def test_each_owner_has_a_colour_a_hatching_and_a_letter_of_his_own() -> None:
    drawn = full()
    seen: dict[str, set[tuple[str, str]]] = {seat: set() for seat in NAMES}
    for place, group in lands(drawn):
        source = ElementTree.tostring(group, encoding="unicode")
        assert group.get("data-owner") == OWNERS.get(place)
        hatching = re.findall(r'stroke="url\(#(isl-h\d+)\)"', source)
        colour = [c for c in COLOURS if f'fill="{c}"' in source]
        if place in OWNERS:
            seen[OWNERS[place]].add((hatching[0], colour[0]))
        else:
            assert not hatching
            assert not colour
    assert all(len(looks) == 1 for looks in seen.values())
    hatchings, colours = zip(*(looks for each in seen.values() for looks in each), strict=True)
    assert len(set(hatchings)) == len(set(colours)) == len(NAMES)
    tiles = {p.get("id"): p for p in drawn.iter(f"{SVG}pattern")}
    drawings = [ElementTree.tostring(tiles[h], encoding="unicode") for h in hatchings]
    shapes = [re.sub("#[0-9a-f]{6}", "", drawing.split(">", 1)[1]) for drawing in drawings]
    assert len(set(shapes)) == len(NAMES)


def test_each_owned_territory_has_a_banner_with_its_owners_letter() -> None:
    letters = marks(NAMES)
    found = {}
    for group in full().iter(f"{SVG}g"):
        if place := group.get("data-territory"):
            found[place] = [texts(g) for g in group.iter(f"{SVG}g") if g.get("class") == "banner"]
    expected = {p.id: [[letters[OWNERS[p.id]]]] if p.id in OWNERS else [] for p in ISLAND.provinces}
    assert found == expected


def test_armies_are_shields_with_letters_and_fortresses_are_towers() -> None:
    letters = marks(NAMES)
    armies = [("seat0", "gadeira"), ("seat3", "gadeira"), ("seat1", "dryas")]
    drawn = full(armies=armies, fortresses={"gadeira": 2, "dryas": 1, "halia": 0})
    groups = {g.get("data-territory"): g for g in drawn.iter(f"{SVG}g") if g.get("data-territory")}
    shields: dict[str | None, list[list[str]]] = {}
    for group in drawn.iter(f"{SVG}g"):
        if group.get("data-piece"):
            shields.setdefault(group.get("data-at"), []).append(texts(group))
    towers = {}
    for place, group in groups.items():
        count = sum(use.get("href") == "#isl-tower" for use in group.iter(f"{SVG}use"))
        if count:
            towers[place] = count
    a, d, b = (letters[seat] for seat in ("seat0", "seat3", "seat1"))
    assert shields == {"gadeira": [[a], [d]], "dryas": [[b]]}
    assert towers == {"gadeira": 2, "dryas": 1}


def test_letters_differ_even_when_names_begin_alike() -> None:
    given = marks({"a": "Athènes", "b": "Argos", "c": "A", "d": "", "e": "Aa"})
    assert given["a"] == "A"
    assert given["b"] == "R"
    assert len(set(given.values())) == 5


def test_cities_have_their_signs() -> None:
    drawn = full()
    for group in drawn.iter(f"{SVG}g"):
        if place := group.get("data-territory"):
            signs = {str(use.get("href")).removeprefix("#isl-") for use in group.iter(f"{SVG}use")}
            city = ISLAND.by_id[place].city
            assert (city in signs) == (city != "none")


def test_names_that_are_not_xml_are_made_so() -> None:
    names = NAMES | {"seat0": 'A < B & "C"\x00\ud800'}
    title = "<script>&'\"\x07"
    said = texts(full(names=names, title=title))
    assert 'A < B & "C"' in said
    assert "<script>&'\"" in said


def test_terrain_may_be_that_of_the_campaign() -> None:
    mountains = re.compile(r'href="#isl-(m\d|volcano)"')
    terrains = {p.id: "plains" for p in ISLAND.provinces}
    bare = draw_island(ISLAND, {}, [], {}, {}, "fr", terrains=terrains).on_paper()
    legend = len(mountains.findall(draw_island(ISLAND, {}, [], {}, {}, "fr").on_paper()))
    assert len(mountains.findall(bare)) == 2 < legend  # those of the legend


def test_hills_and_rivers_keep_their_places_when_armies_come() -> None:
    def ground(svg: str) -> set[str]:
        return set(
            re.findall(r'<use href="#isl-(?:m|t|g)\d" [^>]*>', svg.split('class="ground"')[1])
        )

    empty = draw_island(ISLAND, {}, [], {}, {}, "fr").on_paper()
    crowded = draw_island(ISLAND, OWNERS, ARMIES, {}, NAMES, "fr").on_paper()
    river = re.compile(r'<g clip-path="[^"]*" fill="none" stroke="#5b8296".*?</g>')
    assert river.findall(empty) == river.findall(crowded)
    assert river.findall(empty)
    assert ground(crowded) <= ground(empty)


def test_the_drawing_is_small_self_contained_and_always_the_same() -> None:
    first = draw_island(ISLAND, OWNERS, ARMIES, {}, NAMES, "fr").on_paper()
    assert first == draw_island(ISLAND, OWNERS, ARMIES, {}, NAMES, "fr").on_paper()
    assert len(first.encode()) < 400_000
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|@import|<image|<script", first)
    assert "nan" not in first
    ids = re.findall(r' id="([^"]+)"', first)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="|url\()#([\w-]+)', first)) <= set(ids)


def test_names_do_not_run_into_each_other() -> None:
    boxes = []
    for text in full().iter(f"{SVG}text"):
        spans = list(text.iter(f"{SVG}tspan"))
        if spans:
            half = max(len(s.text or "") for s in spans) * 12.5 * 0.27
            ys = [float(str(s.get("y"))) for s in spans]
            x = float(str(spans[0].get("x")))
            boxes.append((x - half, min(ys) - 10, x + half, max(ys) + 3))
    assert len(boxes) == 32
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert not (a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3])


@pytest.mark.parametrize("bad", [
    {"owners": {"nowhere": "seat0"}}, {"owners": {"gadeira": "nobody"}},
    {"armies": [("nobody", "gadeira")]}, {"armies": [("seat0", "nowhere")]},
    {"fortresses": {"nowhere": 1}}, {"lang": "la"}, {"terrains": {"nowhere": "plains"}},
])  # fmt: skip
def test_what_cannot_be_drawn_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"no (legend|territory|name)"):
        full(**bad)  # type: ignore[arg-type]


# Any island of any author ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ISLANDS)
def test_names_of_kingdoms_keep_clear_of_every_shore(name: str) -> None:
    island = load_island(ISLANDS[name])
    layout = laid_out(island, AREA)
    shores = [p for border in layout.borders if border.other is None for p in border.points]
    shores += [p for islet in layout.islets for p in islet]
    for kingdom in island.kingdoms:
        width = PITCH * len(kingdom.names["fr"])
        curve = offshore(layout, kingdom.id, width, OFF_COAST, OPEN_SEA) or []
        assert bool(curve) == (kingdom.id != "atlantis")
        assert all(math.dist(p, q) >= OFF_COAST for p in curve for q in shores), kingdom.id


def test_a_clubs_own_island_is_drawn_with_its_own_shapes_and_names() -> None:
    content = tomllib.loads(ISLANDS["wave"].read_text(encoding="utf-8"))
    content["map"]["name"] = {"fr": "Notre île", "en": "Our isle"}
    for land in content["territory"]:
        land["polygon"] = [[x, content["map"]["size"][1] - y] for x, y in land["polygon"][::-1]]
        land["label"][1] = content["map"]["size"][1] - land["label"][1]
    theirs, ours = (
        opening(new_header("atlantide", scenario="wave", setup=setup, options={"terrain": "map"}))
        for setup in ({"map": content}, {})
    )
    drawn, shipped = (picture("atlantide", each.state, "fr") for each in (theirs, ours))
    assert drawn is not None and "Notre île" in drawn and "après la vague" not in drawn
    assert shipped is not None and "après la vague" in curved(shipped)
    outline = re.compile(r'id="isl-s-gadeira" d="([^"]+)"')
    flipped, upright = (outline.findall(svg)[0] for svg in (drawn, shipped))
    assert flipped != upright


def test_the_small_island_is_drawn_without_territories_of_the_large_one() -> None:
    header = new_header("atlantide", scenario="wave")
    drawn = picture("atlantide", opening(header).state, "fr")
    assert drawn is not None and "Prés salés" in drawn and "Halia" not in drawn
