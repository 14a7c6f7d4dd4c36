"""The map of the sea: sound XML, every name once, and powers one can tell without colours."""

from __future__ import annotations

from xml.etree import ElementTree

import msgspec
import pytest

from polemarque.kernel.files.sentence_templates import curved
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import find_system
from polemarque.report.island.geometry import overlap
from polemarque.report.island.glyphs import COLOURS, folded, marks
from polemarque.report.pictures import picture
from polemarque.report.sea.chart_data import Lettering, Shown, ShownArmy, ShownFleet
from polemarque.report.sea.drawing import draw_sea
from polemarque.report.sea.outlines import ABROAD, outlines_of, spots, within
from polemarque.report.sea.pieces import RHYTHMS, good, signs
from polemarque.report.systems.mare_nostrum_pictures import when
from polemarque.systems.mare_nostrum.setup.atlas import Atlas, load_atlas, read_atlas
from polemarque.systems.mare_nostrum.tables import RESOURCES

SEA = load_atlas()
SVG = "{http://www.w3.org/2000/svg}"
NAMES = dict(zip("ABCDEFGH", (SEA.by_id[home].capital["fr"] for home in SEA.homes), strict=False))
HOMES = dict(zip("ABCDEFGH", SEA.homes, strict=False))
FULL = Shown(
    names=NAMES,
    owners={home: seat for seat, home in HOMES.items()} | {"etruria": "A", "samnium": None},
    homes=HOMES,
    armies=(ShownArmy("A", "latium"), ShownArmy("B", "sicilia", 1), ShownArmy("B", "sicilia", 2)),
    fleets=(ShownFleet("A", "tyrrhenum"), ShownFleet("B", "tyrrhenum", carrying=True)),
    caravans=(("A", "etruria", "AC1"), ("B", "africum", "BC1")),
    bands=(("brigands", "phrygia"), ("pirates", "creticum")),
    routes=(("A", "latium", "massalia"), ("B", "africa", "turdetania")),
    sieges={"sicilia": 3},
    marks={"apulia": ("pillaged",), "phoenice": ("blockaded", "cut")},
)


def drawn(
    shown: Shown = FULL, lang: str = "fr", lettering: Lettering | None = None, atlas: Atlas = SEA
) -> ElementTree.Element:
    return ElementTree.fromstring(draw_sea(atlas, shown, lang, lettering=lettering).on_paper())


def texts(element: ElementTree.Element) -> list[str]:
    """What each text element says, its lines joined."""
    return [" ".join(t.itertext()) for t in element.iter(f"{SVG}text")]


def groups(element: ElementTree.Element, key: str) -> dict[str, ElementTree.Element]:
    """Groups by the value of an attribute."""
    return {str(g.get(key)): g for g in element.iter(f"{SVG}g") if g.get(key) is not None}


@pytest.mark.parametrize("lettering", ["fr", "en", "ancient"])
def test_every_place_bears_its_name(lettering: Lettering) -> None:
    picture = drawn(lang="en", lettering=lettering)
    named, cities = groups(picture, "data-province"), groups(picture, "data-city")
    for province in SEA.provinces:
        assert curved(province.names[lettering]) in " ".join(texts(named[province.id]))
        assert texts(cities[province.id]) == [curved(province.capital[lettering])]
    for zone in SEA.zones:
        assert " ".join(texts(groups(picture, "data-zone")[zone.id])) == curved(
            zone.names[lettering]
        )


BROADEST = 0.66
"""Of a size of type: DejaVu Serif in bold, the broadest face that a machine is likely to have."""


def written(element: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """The room of each line of a text that does not slope."""
    size = float(element.get("font-size", "0"))
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[element.get("text-anchor", "start")]
    boxes = []
    for line in [*element.iter(f"{SVG}tspan")] or [element]:
        x, y = float(line.get("x", "0")), float(line.get("y", "0"))
        reach = (BROADEST * size + float(element.get("letter-spacing", "0"))) * len(line.text or "")
        left = x - before * reach
        boxes.append((left, y - 0.75 * size, left + reach, y + 0.22 * size))
    return boxes


@pytest.mark.parametrize("lettering", ["fr", "en", "ancient"])
def test_no_flag_covers_a_letter(lettering: Lettering) -> None:
    owned = {place.id: "ABCDEFGH"[n % 8] for n, place in enumerate(SEA.provinces)}
    picture = drawn(msgspec.structs.replace(FULL, owners=owned), lettering=lettering)
    provinces = groups(picture, "data-province")
    kinds = [groups(picture, f"data-{kind}").values() for kind in ("province", "city", "zone")]
    texts = [text for kind in kinds for group in kind for text in group.findall(f"{SVG}text")]
    names = [box for text in texts if not text.get("transform") for box in written(text)]
    assert len(names) >= 2 * len(SEA.provinces)
    met = []
    for code, group in provinces.items():
        (flag,) = (g for g in group.iter(f"{SVG}g") if g.get("class") == "banner")
        x, foot = map(float, str(flag.get("transform"))[len("translate(") : -1].split())
        assert foot > 0, "a flag stands where its group puts it"
        cloth = (x - 7, foot - 22, x + 8, foot)
        met += [code for name in names if overlap(cloth, name)]
    assert met == []


@pytest.mark.parametrize(("lang", "words"), [
    ("fr", ("Puissances", "Cités", "Ressources", "Arsenal", "Route commerciale", "stades")),
    ("en", ("Powers", "Cities", "Resources", "Arsenal", "Trade route", "stadia")),
])  # fmt: skip
def test_the_legend_speaks_the_language(lang: str, words: tuple[str, ...]) -> None:
    picture = drawn(lang=lang)
    assert set(words) <= set(texts(picture))
    assert set(NAMES.values()) <= set(texts(picture))
    assert picture.get("lang") == lang


def test_powers_differ_by_colour_hatching_letter_and_dashes() -> None:
    picture = drawn()
    lands = {str(g.get("id")): g for g in picture.iter(f"{SVG}g") if g.get("class") == "land"}
    assert len(lands) == len(SEA.provinces)
    looks = set()
    for seat, home in HOMES.items():
        land = lands[f"sea-p-{home}"]
        assert land.get("data-owner") == seat
        fills = [u.get("fill") for u in land.iter(f"{SVG}use")]
        hatching = [u.get("stroke") for u in land.iter(f"{SVG}use") if u.get("stroke")]
        looks.add((tuple(fills), tuple(hatching)))
    assert len(looks) == len(HOMES)
    assert lands["sea-p-samnium"].get("data-owner") is None
    assert len(set(RHYTHMS)) == len(RHYTHMS) == len(COLOURS)


def test_what_happens_to_pieces_shows_in_their_shape() -> None:
    picture = drawn()
    pieces = next(g for g in picture.iter(f"{SVG}g") if g.get("class") == "pieces")
    kinds = [g.get("class") for g in pieces.iter(f"{SVG}g") if g.get("class")]
    assert kinds.count("army") == 3
    assert kinds.count("fleet") == 2
    assert kinds.count("caravan") == 2
    assert kinds.count("siege") == 1
    said = texts(pieces)
    assert "I" in said and "II" in said and "3" in said  # exhaustion, and turns of siege
    marks = {u.get("href") for u in pieces.iter(f"{SVG}use")}
    assert marks == {"#sea-pillaged", "#sea-blockaded", "#sea-cut", "#sea-brigands", "#sea-pirates"}
    fresh = ElementTree.tostring(drawn(Shown(names=NAMES, armies=(ShownArmy("A", "latium"),))))
    tired = ElementTree.tostring(drawn(Shown(names=NAMES, armies=(ShownArmy("A", "latium", 1),))))
    assert fresh != tired


def test_several_caravans_of_one_owner_are_one_sign_with_their_number() -> None:
    pieces = next(
        g
        for g in drawn(Shown(names=NAMES, caravans=(("A", "etruria", "AC1"),) * 7)).iter(f"{SVG}g")
        if g.get("class") == "pieces"
    )
    assert [g.get("class") for g in pieces.iter(f"{SVG}g") if g.get("class")] == [
        "pieces",
        "caravan",
    ]
    assert "7" in texts(pieces)


def test_pieces_stand_in_their_place_or_off_its_coast() -> None:
    """The cheapest spot of every place is no other province's."""
    shapes = outlines_of(SEA)
    for place in SEA.places:
        price, spot = min(spots(SEA, shapes, place)[1:])
        assert price < ABROAD, place
        others = [p for p in SEA.by_id if p != place and within(spot, shapes.provinces[p])]
        assert not others, (place, others)


def test_whatever_is_used_is_there_and_ids_are_given_once() -> None:
    picture = drawn()
    ids = [e.get("id") for e in picture.iter() if e.get("id")]
    assert len(set(ids)) == len(ids)
    used = {str(u.get("href")).removeprefix("#") for u in picture.iter(f"{SVG}use")}
    assert used <= set(ids)


def test_signs_carry_their_style_with_them() -> None:
    """A browser styles what `use` repeats without looking at what stands around it."""
    for group in drawn().iter(f"{SVG}g"):
        if str(group.get("id")).startswith(("isl-", "sea-")) and group.get("class") != "land":
            assert "isl" in str(group.get("class")).split(), group.get("id")


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_campaign_is_drawn_from_its_state(lang: str) -> None:
    game = Game(new_header("mare_nostrum", seed=1))
    names = find_system("mare_nostrum").names
    assert names is not None
    svg = picture("mare_nostrum", game.state, lang, names(game.state, lang))
    assert svg is not None
    said = texts(ElementTree.fromstring(svg))
    assert {"fr": "blé", "en": "wheat"}[lang] in said
    assert when(game.state.turn, lang) in said
    assert svg.count('class="army"') == len(game.state.armies) + len(game.state.seats) + 2


def test_the_same_campaign_is_drawn_the_same() -> None:
    assert draw_sea(SEA, FULL, "fr") == draw_sea(SEA, FULL, "fr")


def test_names_keep_their_places_whoever_moves() -> None:
    def placed(shown: Shown) -> dict[str, str]:
        cities = groups(drawn(shown), "data-zone")
        return {name: ElementTree.tostring(g, encoding="unicode") for name, g in cities.items()}

    assert placed(FULL) == placed(Shown(names=NAMES))


def test_every_resource_has_a_sign_of_its_own() -> None:
    assert {good(name) for name in RESOURCES} == set(RESOURCES)
    strokes = [signs()["goods"][name] for name in RESOURCES]
    assert len(set(strokes)) == len(strokes)
    assert good("unobtainium") == "other"


def test_a_map_without_outlines_is_drawn_as_discs() -> None:
    tiny = read_atlas({
        "map": {"id": "two", "name": {"fr": "Deux", "en": "Two", "ancient": "Duo"},
                "size": [300, 200], "homes": ["a", "b"], "cultures": ["greek"],
                "regimes": ["league"]},
        "zone": [{"id": "sea", "name": {"fr": "Mer", "en": "Sea", "ancient": "Mare"},
                  "neighbours": [], "label": [150, 100]}],
        "province": [
            {"id": one, "name": {"fr": one, "en": one, "ancient": one}, "demographic": 8,
             "capital": {"fr": one, "en": one, "ancient": one}, "resources": ["wine"],
             "army_list": "hoplite", "culture": "greek", "regime": "league", "zones": ["sea"],
             "neighbours": [], "site": [x, 60], "label": [x, 90], "protector": "war",
             "deity": {"fr": "Arès", "en": "Ares", "ancient": "Ares"}}
            for one, x in (("a", 60), ("b", 240))
        ],
    })  # fmt: skip
    assert not outlines_of(tiny).beyond
    shown = Shown(names={"A": "Anne"}, owners={"a": "A"}, fleets=(ShownFleet("A", "sea"),))
    picture = drawn(shown, atlas=tiny)
    assert len([g for g in picture.iter(f"{SVG}g") if g.get("class") == "fleet"]) == 1


@pytest.mark.parametrize(("shown", "words"), [
    (Shown(names=NAMES, owners={"atlantis": "A"}), "atlantis"),
    (Shown(names=NAMES, fleets=(ShownFleet("A", "latium"),)), "latium"),
    (Shown(names=NAMES, caravans=(("A", "nowhere", "AC1"),)), "nowhere"),
    (Shown(names=NAMES, armies=(ShownArmy("Z", "latium"),)), "'Z'"),
    (Shown(names=NAMES, routes=(("A", "latium", "hadriaticum"),)), "hadriaticum"),
])  # fmt: skip
def test_nothing_is_left_out_in_silence(shown: Shown, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        draw_sea(SEA, shown, "fr")
    with pytest.raises(ValueError, match="language"):
        draw_sea(SEA, FULL, "la")


def test_long_names_are_folded_at_their_middle() -> None:
    assert folded("Sardaigne et Corse") == ["Sardaigne", "et Corse"]
    assert folded("Latium") == ["Latium"]


def test_turns_have_seasons() -> None:
    assert when(1, "fr") == "tour 1 · printemps 300 avant notre ère"
    assert when(6, "en") == "turn 6 · summer 299 BC"


def test_on_a_page_what_stands_in_many_places_is_drawn_once() -> None:
    armies = tuple([ShownArmy("A", place.id) for place in SEA.provinces])
    shown = drawn_on_page(msgspec.structs.replace(FULL, armies=armies))
    ids = [e.get("id") for e in shown.iter() if e.get("id")]
    assert len(set(ids)) == len(ids)
    used = {str(u.get("href")).removeprefix("#") for u in shown.iter(f"{SVG}use")}
    assert used <= set(ids)
    groups = [g for g in shown.iter(f"{SVG}g") if g.get("class") == "army"]
    own = [g for g in groups if [*g.iter(f"{SVG}use")]]
    assert len(own) >= len(armies)
    assert len({use.get("href") for g in own for use in g.iter(f"{SVG}use")}) == 1
    (sign,) = {str(use.get("href")) for g in own for use in g.iter(f"{SVG}use")}
    (drawing,) = [e for e in shown.iter() if f"#{e.get('id')}" == sign]
    assert set(str(drawing.get("class")).split()) == {"isl", "sea"}
    assert texts(drawing) == [marks(NAMES)["A"]]


def drawn_on_page(shown: Shown) -> ElementTree.Element:
    return ElementTree.fromstring(draw_sea(SEA, shown, "fr").on_page({}, "b-"))
