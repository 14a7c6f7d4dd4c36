"""Maps and boards on pages: drawn from what a seat sees, each place a button that says itself."""

from __future__ import annotations

import random
import re
from collections import OrderedDict
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from polemarque.bots.play import play_game
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import find_system
from polemarque.maps.boards import Board
from polemarque.report import pictures
from polemarque.report.boards.board_view import SeenBoard, seen_board
from polemarque.report.boards.draw_scene import Sheet
from polemarque.report.documents import interactive_svg as drawn
from polemarque.report.labels import introduced, names_of
from polemarque.report.pictures import board_told
from polemarque.report.systems import atlantide_pictures
from polemarque.systems.mare_nostrum.setup.atlas import load_atlas
from tests.contract.secrets import OPEN, SECRETS
from tests.report.fields import scene

SVG = "{http://www.w3.org/2000/svg}"
PLAYED = {
    "atlantide": ("trio", 120),
    "mare_nostrum": ("trio", 120),
    "thucidide": ("tutorial", 40),
    "promiterra": ("siege", 40),
}
BOTH = pytest.mark.parametrize("lang", ["fr", "en"])
EVERY = pytest.mark.parametrize("system", PLAYED)
SPECTATOR = ""


@cache
def played(system: str) -> Game:
    scenario, answers = PLAYED[system]
    known = find_system(system).scenarios
    name = scenario if scenario in known else next(iter(known))
    game = Game(new_header(system, scenario=name, seed=4))
    bots = dict.fromkeys(game.header.seats, "random")
    play_game(game, bots, stop=lambda game: len(game.entries) > answers)
    return game


def seen(system: str, lang: str = "fr", seat: str = "A", **more: object) -> SeenBoard:
    game = played(system)
    view = game.system.view(game.state, seat)
    more.setdefault("names", names_of(game.system, game.state, lang))
    board = seen_board(system, view, lang, **more)  # type: ignore[arg-type]
    assert board is not None
    return board


def places(board: SeenBoard) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(board.svg)
    return [group for group in root.iter(f"{SVG}g") if group.get("data-place") is not None]


# What it is --------------------------------------------------------------------------------------


@EVERY
@BOTH
def test_every_place_is_a_button_that_says_what_is_there(system: str, lang: str) -> None:
    board = seen(system, lang)
    found = places(board)
    assert [one.get("data-place") for one in found] == list(board.places)
    assert [one.get("aria-label") for one in found] == list(board.places.values())
    assert {one.get("role") for one in found} == {"button"}
    assert [one.get("tabindex") for one in found] == ["0"] + ["-1"] * (len(found) - 1)
    assert all("{" not in label and label.strip() for label in board.places.values())
    assert len(set(board.places.values())) == len(board.places)


@EVERY
def test_each_button_has_a_shape_that_is_drawn(system: str) -> None:
    board = seen(system)
    ids = set(re.findall(r' id="([^"]*)"', board.svg))
    for place in places(board):
        (hit,) = [one for one in place if one.get("class") == "hit"]
        assert str(hit[0].get("href")).removeprefix("#") in ids
        assert hit.findtext(f"{SVG}title") == place.get("aria-label")


@EVERY
def test_the_drawing_has_no_style_of_its_own_and_no_fixed_size(system: str) -> None:
    board = seen(system)
    root = ElementTree.fromstring(board.svg)
    assert root.tag == f"{SVG}svg"
    assert (root.get("role"), root.get("width"), root.get("height")) == ("group", None, None)
    assert not list(root.iter(f"{SVG}style"))
    assert not [one for one in root.iter() if one.get("style") is not None]
    assert not [one for one in root.iter() for name in one.attrib if name.startswith("on")]
    assert board.style.count("{") == board.style.count("}") > 10


@EVERY
def test_its_name_and_how_to_use_it_are_told(system: str) -> None:
    board = seen(system, "en", prefix="x-")
    root = ElementTree.fromstring(board.svg)
    texts = {one.get("id"): one.text for one in root.iter() if one.get("id")}
    assert texts[root.get("aria-labelledby")]
    assert f"{len(board.places)} places" in str(texts[root.get("aria-describedby")])
    assert board.told is not None
    assert board.told.board


@EVERY
def test_only_the_places_are_read_aloud(system: str) -> None:
    root = ElementTree.fromstring(seen(system).svg)
    layers = [one for one in root if one.tag == f"{SVG}g"]
    hidden = [one.get("aria-hidden") for one in layers if one.get("class") != "places"]
    assert hidden == ["true"] * 4


def test_names_lie_over_the_places_that_are_dimmed() -> None:
    """Half a name would be grey where it reaches over the border of a place that is lit."""
    for system, name in (("atlantide", "Myrine"), ("mare_nostrum", "Massalie")):
        root = ElementTree.fromstring(seen(system).svg)
        layers = [one for one in root if one.tag == f"{SVG}g"]
        written = [n for n, one in enumerate(layers) if name in "".join(one.itertext())]
        places = next(n for n, one in enumerate(layers) if one.get("class") == "places")
        assert written[-1] > places, (system, written)


@EVERY
def test_boards_of_a_page_do_not_share_ids(system: str) -> None:
    ids = []
    for prefix in ("one-", "two-"):
        svg = seen(system, prefix=prefix).svg
        own = re.findall(r' id="([^"]*)"', svg)
        assert len(own) == len(set(own)) > 5
        assert all(name.startswith(prefix) for name in own)
        used = re.findall(r'(?:href="#|url\(#|aria-labelledby="|aria-describedby=")([^")]*)', svg)
        assert set(used) <= set(own)
        ids.append(set(own))
    assert ids[0].isdisjoint(ids[1])


@EVERY
def test_whoever_stands_on_the_board_says_where(system: str) -> None:
    board, game = seen(system), played(system)
    root = ElementTree.fromstring(board.svg)
    found = {
        one.get("data-piece"): one.get("data-at") for one in root.iter() if one.get("data-piece")
    }
    assert found == standing(game)
    for one in root.iter():
        if at := one.get("data-at"):
            assert at in board.places


def standing(game: Game) -> dict[str, str]:
    """Where pieces that have a name are, by the state."""
    state, system = game.state, game.header.system
    if system == "atlantide":
        return {code: seat.army.place for code, seat in state.seats.items() if seat.army}
    if system == "mare_nostrum":
        armies = {one.id: one.place for one in state.armies.values() if one.place in state.lands}
        others = [*state.fleets.values(), *state.caravans.values()]
        return armies | {one.id: one.place for one in others}
    if system == "thucidide":
        both = [*state.units.values(), *state.leaders.values()]
        return {one.code: one.cell for one in both if one.cell}
    return {one.id: one.cell for one in state.troops.values() if one.cell}


def test_a_label_tells_owner_and_army() -> None:
    game = played("atlantide")
    names = names_of(game.system, game.state, "en")
    board = seen("atlantide", "en")
    for code, seat in game.state.seats.items():
        if seat.army is not None:
            assert names["seat"][code].split()[-1] in board.places[seat.army.place].split("army")[1]


def test_a_label_of_the_sea_tells_who_is_there() -> None:
    board, game = seen("mare_nostrum", "en"), played("mare_nostrum")
    atlas = load_atlas()
    assert list(board.places) == [one.id for one in (*atlas.provinces, *atlas.zones)]
    for army in game.state.armies.values():
        if army.place in board.places:
            assert f"army {army.id} of " in board.places[army.place]
    for place, land in game.state.lands.items():
        assert ("free city" in board.places[place]) == (land.owner is None)


def test_a_cell_tells_its_terrain_and_who_stands_there() -> None:
    board, game = seen("thucidide"), played("thucidide")
    field: Board = game.state.board
    assert list(board.places) == list(field.grid.cells)
    for unit in game.state.units.values():
        if unit.cell:
            assert board.places[unit.cell].startswith(f"{unit.cell} · ")
            assert f"/{unit.start} éléments" in board.places[unit.cell]


# What it does not tell ---------------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["A", "B", SPECTATOR])
@pytest.mark.parametrize("system", [one for one in PLAYED if one in SECRETS])
def test_what_a_seat_may_not_know_leaves_every_byte_as_it_is(system: str, seat: str) -> None:
    game = played(system)
    names = names_of(game.system, game.state, "fr")
    before = seen_board(system, game.system.view(game.state, seat), "fr", names, seat=seat)
    for seed in range(5):
        other = SECRETS[system](game.state, seat, random.Random(seed))
        assert other != game.state
        view = game.system.view(other, seat)
        assert seen_board(system, view, "fr", names, seat=seat) == before


@EVERY
def test_all_see_the_same_drawing(system: str) -> None:
    assert set(PLAYED) <= OPEN | set(SECRETS)
    drawn = {
        (seen(system, seat=seat).svg, seen(system, seat=seat).style)
        for seat in ("A", "B", SPECTATOR)
    }
    assert len(drawn) == 1


@pytest.mark.parametrize("resolver", ["thucidide", "promiterra", "batailles"])
def test_a_battle_inside_a_campaign_is_drawn_likewise(resolver: str) -> None:
    header = new_header("atlantide", scenario="duel", seed=6, options={"resolver": resolver})
    game = Game(header)
    bots = dict.fromkeys(header.seats, "steady")
    play_game(game, bots, stop=lambda game: len(tuple(game.runner.within())) > 1)
    _, battle = game.runner.within()
    names = names_of(battle.system, battle.state, "fr", names_of(game.system, game.state, "fr"))
    board = seen_board(resolver, battle.system.view(battle.state, "A"), "fr", names)
    assert board is not None
    field = ["b", "a"] if resolver == "batailles" else list(battle.state.board.grid.cells)
    assert list(board.places) == field and board.told is not None
    assert len(places(board)) == len(board.places)


@pytest.mark.parametrize("system", [*PLAYED, "batailles"])
def test_a_spectator_is_nobody_and_sees_what_all_see(system: str) -> None:
    game = Game(new_header(system, seed=1))
    view = game.system.view(game.state, SPECTATOR)
    you = view.get("you") if isinstance(view, dict) else getattr(view, "you", None)
    assert not you
    assert getattr(view, "own", None) is None
    assert not getattr(view, "writes_to", ())


# Who has none ------------------------------------------------------------------------------------


def test_a_system_without_a_drawing_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(new_header("batailles", seed=1))
    pictures.find_drawings("batailles")
    monkeypatch.delitem(pictures.draws_view, "batailles")
    board = seen_board("batailles", game.view("A"), "fr")
    assert board is not None and board.svg == "" and not board.places
    assert board.told == board_told("batailles", game.view("A"), "fr")


def test_a_battle_on_the_table_has_no_board() -> None:
    assert seen_board("tabletop", {"place": "gate"}, "fr") is None


def test_a_name_cannot_break_out_of_the_drawing() -> None:
    game = played("atlantide")
    name = 'A" onload="x <script>url(#a) href="#b" id="c'
    names = {**names_of(game.system, game.state, "fr"), "seat": dict.fromkeys("ABC", name)}
    board = seen_board("atlantide", game.view("A"), "fr", names)
    assert board is not None
    root = ElementTree.fromstring(board.svg)
    assert "<script" not in board.svg
    assert not [one for one in root.iter() if one.get("onload")]
    assert name in [text.text for text in root.iter(f"{SVG}text")]


@EVERY
@BOTH
def test_the_legend_alone_names_the_people_after_their_side(system: str, lang: str) -> None:
    game = played(system)
    own = names_of(game.system, game.state, lang)["seat"]
    called = names_of(game.system, game.state, lang, {"player": {"A": "Ann", "B": "Bea"}})
    assert called["seat"] == own
    board = seen(system, lang, names=called)
    told = "".join(ElementTree.fromstring(board.svg).itertext())
    for seat, person in (("A", "Ann"), ("B", "Bea")):
        assert told.count(f"({person})") == told.count(f"{own[seat]} ({person})") == 1
    assert not [said for said in board.places.values() if "(Ann)" in said or "(Bea)" in said]


def test_two_of_one_people_are_told_apart() -> None:
    game = Game(new_header("atlantide", seed=4, seats=3))
    play_game(game, dict.fromkeys(game.header.seats, "random"), stop=lambda g: len(g.entries) > 40)
    people = {"player": dict.fromkeys("ABC", "Ann")}
    legend = introduced(names_of(game.system, game.state, "fr", people), "ABC")
    assert len({*legend.values()}) == 3
    assert all(said.endswith(" (Ann)") for said in legend.values())


@pytest.mark.parametrize(
    ("typed", "told"),
    [("Le Myrien", "le Myrien"), ("L'Eubéen", "l\u2019Eubéen"), ("Léthos", "Léthos"),
     ("the Myrian", "the Myrian"), ("The Myrian", "the Myrian")],
)  # fmt: skip
def test_the_article_of_a_people_is_small_within_a_sentence(typed: str, told: str) -> None:
    game = played("atlantide")
    war = game.state.changed("A", people=typed)
    assert names_of(game.system, war, "fr")["seat"]["A"] == told


def test_a_map_is_light_enough_for_a_page() -> None:
    assert len(seen("mare_nostrum").svg.encode()) < 400_000
    assert len(seen("atlantide").svg.encode()) < 250_000


# Drawn once ---------------------------------------------------------------------------------------


def test_a_map_is_drawn_once_for_all_who_see_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    first = seen("atlantide")
    made, draw = [], atlantide_pictures.draw_island

    def drawn(*given: Any, **more: Any) -> Any:
        made.append(given)
        return draw(*given, **more)

    monkeypatch.setattr(atlantide_pictures, "draw_island", drawn)
    assert seen("atlantide", seat="B").svg == first.svg and not made
    game = played("atlantide")
    names = {**names_of(game.system, game.state, "en"), "seat": dict.fromkeys("ABC", "Somebody")}
    seen("atlantide", "en", names=names)
    assert made


def test_only_the_latest_drawings_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn, "_kept", OrderedDict())
    made = []
    sheet = Sheet(scene(), "fr").drawn()

    def draw() -> drawn.Drawn:
        made.append(sheet)
        return sheet

    for given in [*range(drawn.KEPT), 0, "one more", 0, 1]:
        assert drawn.drawn_once(given, draw) is sheet
    assert len(made) == drawn.KEPT + 2
    assert len(drawn._kept) == drawn.KEPT
