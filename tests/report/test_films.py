"""Films: what stands after each event, the page that shows it, and who may make one."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.bots.play import play_game
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Undo
from polemarque.kernel.system import System
from polemarque.report.boards import film as board_film
from polemarque.report.boards.draw_scene import Sheet, places
from polemarque.report.boards.film import Film, Frame, Step, film, films, frames_told, steps_of
from polemarque.report.boards.pieces import Arrow, Piece
from polemarque.report.boards.replay_page import replay_page
from polemarque.report.narrator import Voice
from tests.report.fields import scene


def races() -> Game:
    game = Game(new_header("tale", seed=1))
    play_game(game, {"A": "random", "B": "random"})
    return game


def test_every_event_has_the_state_before_and_after_it(spring: System) -> None:
    game = races()
    steps = steps_of(game.header, game.entries)
    assert [step.event.kind for step in steps] == [
        "breath", "runs", "breath", "runs", "night", "breath", "runs", "breath", "runs", "night"
    ]  # fmt: skip
    assert [(step.before.day, step.after.day) for step in steps if step.event.kind == "night"] == [
        (1, 2), (2, 3)
    ]  # fmt: skip
    assert steps[-1].after == game.state


def test_what_was_undone_is_not_in_the_film(spring: System) -> None:
    game = Game(new_header("tale", seed=1))
    game.answer("A", 2)
    game.enter(Undo("A"))
    game.answer("A", 3)
    told = [step.event.data for step in steps_of(game.header, game.entries)]
    assert told == [{"seat": "A", "breath": 3}]


def on_board(race: Any) -> tuple[Piece, ...]:
    return (Piece("runner", f"a{race.day}", 0, "officer", "Run"),)


def test_a_stranger_can_film_his_games(spring: System, monkeypatch: pytest.MonkeyPatch) -> None:
    game = races()
    assert film(game.header, game.entries, "fr") is None
    monkeypatch.setitem(board_film.films, "tale", None)  # so that it is taken out again

    @films("tale")
    def tale(header: Any, steps: Any, voice: Voice) -> Film:
        def arrows(step: Step) -> tuple[Arrow, ...]:
            ran = step.before.day != step.after.day
            return (Arrow(("a1", "a2"), 0),) if ran else ()

        return Film(scene(), frames_told(steps, voice, on_board, arrows))

    made = film(game.header, game.entries, "fr")
    assert made is not None
    first = made.frames[1]
    assert first.line.startswith("Hésiode")
    assert (
        first.why
        == Voice(game.header, "fr").why(steps_of(game.header, game.entries)[1].event).sentences()
    )
    assert len(first.why) > 1
    assert first.heading == Voice(game.header, "fr").own.say("chronicle.period", period=1)
    assert [frame.pieces[0].cell for frame in made.frames] == ["a1"] * 4 + ["a2"] * 5 + ["a3"]
    assert [bool(frame.arrows) for frame in made.frames] == ([False] * 4 + [True]) * 2


# The page -----------------------------------------------------------------------------------------


def story() -> Film:
    """A piece moves, is hurt, is gone and comes again."""
    given = scene()
    one, *others = given.pieces
    rest = tuple(others)
    moved, hurt = replace(one, cell="f1"), replace(one, cell="f1", strength="9")
    march = (Arrow((one.cell, "f1"), 0, title="x < y"),)
    frames = (
        Frame("Il va & vient.", ("(TH-1 <Marche>)",), (moved, *rest), march, "Tour 1"),
        Frame("Il souffre.", ("Dés : 5.", "(TH-2)"), (hurt, *rest), (), "Tour 1"),
        Frame("Il meurt.", (), rest, (), "Tour 2"),
        Frame("</script><b>Il revient.", (), (*rest, moved), (), "Tour 2"),
    )
    return Film(replace(given, arrows=()), frames)


def data_of(page: str) -> dict[str, Any]:
    (found,) = re.findall(r'id="film-data">(.*?)</script>', page, re.DOTALL)
    return dict(json.loads(found))


def standing(data: dict[str, Any], step: int) -> dict[int, list[Any]]:
    """What the script puts on the board: all changes up to a step."""
    where: dict[int, list[Any]] = {}
    for changes, _ in data["frames"][: step + 1]:
        for piece, *rest in changes:
            if rest:
                where[piece] = rest
            else:
                del where[piece]
    return where


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_each_step_shows_what_stands_then(lang: str) -> None:
    made = story()
    data = data_of(replay_page(made, lang))
    sheet = Sheet(made.scene, lang)
    for step, pieces in enumerate((made.scene.pieces, *(frame.pieces for frame in made.frames))):
        wanted = set()
        for each in places(pieces):
            x, y = sheet.layout.at(each.piece.cell)
            wanted.add((round(x + each.dx, 1), round(y + each.dy, 1), each.piece.cell))
        shown = {
            (x, y, data["words"][words].partition(" ")[0])
            for x, y, _, words in standing(data, step).values()
        }
        assert shown == wanted


def test_only_what_changes_is_kept() -> None:
    data = data_of(replay_page(story(), "fr"))
    # The leader he leaves behind is drawn in full from then on.
    assert [len(changes) for changes, _ in data["frames"][1:]] == [2, 1, 1, 1]
    assert [bool(arrows) for _, arrows in data["frames"]] == [False, True, False, False, False]


class Reader(HTMLParser):
    """Gathers what a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in {"meta", "input", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_page_stands_alone_and_can_be_used_without_eyes_or_mouse(lang: str) -> None:
    page = replay_page(story(), lang)
    reader = Reader()
    reader.feed(page)
    assert not reader.open
    links = [
        v
        for _, attrs in reader.tags
        for k, v in attrs.items()
        if k in ("href", "src", "xlink:href")
    ]
    assert links
    assert all(link and link.startswith("#") for link in links)
    assert not re.search(r"@import|url\((?!#)|fetch\(|XMLHttp", page)
    assert ("html", {"lang": lang}) in reader.tags
    for tag, attrs in reader.tags:
        if tag == "button":
            assert attrs.get("aria-label")
        if tag == "input":
            assert attrs.get("aria-label")
    assert any(attrs.get("aria-live") == "polite" for _, attrs in reader.tags)
    ids = [attrs["id"] for _, attrs in reader.tags if attrs.get("id")]
    assert len(set(ids)) == len(ids)


def test_every_id_that_the_script_asks_for_is_there() -> None:
    page = replay_page(story(), "fr")
    script = page.rpartition("<script>")[2]
    asked = set(re.findall(r'\$\("(\w+)"\)', script)) | {"first", "back", "on", "last", "data"}
    assert len(asked) > 8
    assert all(f'id="film-{name}"' in page for name in asked)


def test_the_story_stands_in_the_page_with_its_reasons() -> None:
    page = replay_page(story(), "fr")
    assert "Il va &amp; vient." in page
    assert "(TH-1 &lt;Marche&gt;)" in page
    assert page.count("<h3>Tour 1</h3>") == page.count("<h3>Tour 2</h3>") == 1
    assert "&lt;/script&gt;&lt;b&gt;Il revient." in page
    assert page.count("</script>") == 2
    assert page.index("Avant le premier pas") < page.index("Il va")


def test_the_legend_has_all_that_the_film_ever_shows() -> None:
    made = story()
    late = Piece("late", "f3", 1, "camelry", "Dro")
    empty = replace(made.scene, pieces=())
    page = replay_page(Film(empty, (Frame("Il arrive.", (), (late,)),)), "fr")
    assert ">chameaux</text>" in page


def test_a_film_without_frames_is_a_page() -> None:
    data = data_of(replay_page(Film(scene(), ()), "en"))
    assert len(data["frames"]) == 1
    assert len(standing(data, 0)) == len(scene().pieces)


def test_a_long_film_stays_small() -> None:
    given = scene()
    one, *rest = given.pieces
    cells = given.board.grid.cells
    frames = tuple(
        Frame(f"Pas {n}.", (), (replace(one, cell=cells[n % len(cells)]), *rest))
        for n in range(1000)
    )
    page = replay_page(Film(given, frames), "fr")
    assert len(page) - len(replay_page(Film(given, ()), "fr")) < 150 * len(frames)
