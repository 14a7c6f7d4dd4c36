"""Packages of strangers: what cannot be used is named with its reason, and hurts nothing else; two
that give their rules the same ids are both played."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from polemarque.bots.play import play_game
from polemarque.bots.registry import bot, bot_names
from polemarque.cli.common import run
from polemarque.kernel.battle_brief import resolvers_for
from polemarque.kernel.errors import DiceRefused, NotAllowed, NotUnderstood
from polemarque.kernel.events import Event
from polemarque.kernel.files import plugins
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.system import find_system, rulebook_names, system_names
from polemarque.odds.consult import consult, consult_odds, questions
from polemarque.report import pictures, sheets
from polemarque.report.boards import film
from polemarque.report.boards.board_view import seen_board
from polemarque.report.chronicle import chronicle
from polemarque.report.documents.writers import write
from polemarque.report.pictures import board_told, picture
from tests.strangers import FORD, installed, package
from tests.web import conftest
from tests.web.people import browser, person
from tests.web.world import world

nothing_in_memory = conftest.nothing_in_memory

OURS = ("atlantide", "batailles", "mare_nostrum", "promiterra", "thucidide")
RULED = """
from pathlib import Path
import msgspec
from polemarque.kernel.files.tables import Shelf
class Row(msgspec.Struct, frozen=True):
    men: int
Shelf(Path(__file__).parent / "data").table("GAP-1", Row)
"""
TABLE = (
    'rule = "GAP-1"\ndie = "1D6"\nrows = [{ from = 1, to = 2, men = 1 }, { from = 4, men = 0 }]\n'
)

BROKEN = {
    "askew": ("def f(:\n", "plugin.broken", "SyntaxError: invalid syntax"),
    "astray": ("import no_such_module\n", "plugin.broken", "No module named 'no_such_module'"),
    "angry": ("x = 1\nraise RuntimeError('angry')\n", "plugin.broken", "RuntimeError: angry"),
    "gone": ("raise SystemExit('gone')\n", "plugin.broken", "SystemExit: gone"),
    "empty": ("", "plugin.broken", "AttributeError"),
    "gap": (RULED, "table.gap", "3"),
    "number": ("SYSTEM = 7\n", "plugin.contract", "System is int"),
    "listed": (
        FORD.format(name="listed", depth=3).replace('seats=("A", "B")', 'seats=["A", "B"]'),
        "plugin.contract", "seats is ['A', 'B']",
    ),
    "other": (FORD.format(name="another", depth=3), "plugin.contract", "name is another"),
    "mute": (
        FORD.format(name="mute", depth=3).replace('"en": "Ford mute"', '"de": "Furt"'),
        "plugin.contract", "titles is fr, de",
    ),
    "crowd": (
        FORD.format(name="crowd", depth=3).replace("least=2", "least=3"),
        "plugin.contract", "least is 3",
    ),
    "garbled": (FORD.format(name="garbled", depth=3), "toml.syntax", ""),
}  # fmt: skip
"""Name -> source, the code of its fault, and what is said of it."""

TRIED = "tried"
SLOW = {"asleep": "import time\ntime.sleep(60)\n", "endless": "while True: pass\n"}
"""Name -> source of what never ends; it counts in the file TRIED how often it is loaded."""


@pytest.fixture
def strangers(tmp_path: Path) -> Iterator[None]:
    for name, (source, _, _) in BROKEN.items():
        package(tmp_path, name, source)
    garbled = [("garbled", f"texts.{lang}.toml", "x = \n") for lang in ("fr", "en")]
    for name, file, text in [("gap", "gap.toml", TABLE), *garbled]:
        (tmp_path / name / "data").mkdir(exist_ok=True)
        (tmp_path / name / "data" / file).write_text(text, encoding="utf-8")
    package(tmp_path, "thief", FORD.format(name="atlantide", depth=3), point="atlantide")
    package(tmp_path, "sound", FORD.format(name="sound", depth=3))
    package(tmp_path, "book", "SYSTEM = 1\n", "polemarque.rulebooks")
    package(tmp_path, "duellist", "SYSTEM = 1\n", "polemarque.resolvers")
    package(tmp_path, "fool", "SYSTEM = 1\n", "polemarque.bots", "sound.fool")
    with installed(tmp_path):
        yield


@pytest.fixture
def told(strangers: None) -> dict[str, tuple[str, str]]:
    """Name -> code and reason of everything that is left out."""
    from polemarque.web.i18n import catalogue

    return {
        each.name: (each.findings[0].code, each.why(catalogue(), "en")) for each in plugins.broken()
    }


def test_each_is_named_with_its_reason(told: dict[str, tuple[str, str]]) -> None:
    for name, (_, code, said) in BROKEN.items():
        assert told[name][0] == code, name
        assert said in told[name][1], name
    assert told["atlantide"] == (
        "plugin.taken", "thief gives its plugin a name that polemarque already uses."
    )  # fmt: skip
    assert {"book", "duellist", "sound.fool"} <= {*told}
    assert "sound" not in told


def test_where_it_broke_is_told(strangers: None) -> None:
    found = {each.name: each.findings[0] for each in plugins.broken()}
    for name, line in (("askew", 1), ("astray", 1), ("angry", 2)):
        where = Path(found[name].file)
        assert (where.parent.name, where.name, found[name].line) == (name, "__init__.py", line)


def test_the_others_are_listed_and_ours_stay_ours(strangers: None) -> None:
    assert set(system_names()) & ({*BROKEN, *OURS, "sound"}) == {*OURS, "sound"}
    assert find_system("atlantide").module.startswith("polemarque.")
    assert "book" not in rulebook_names()
    assert "duellist" not in resolvers_for("atlantide")
    assert bot_names("sound") == ("steady", "random")
    for name in ("askew", "listed"):
        with pytest.raises(NotUnderstood) as refused:
            find_system(name)
        assert (refused.value.code, refused.value.part) == ("plugin.broken", name)
    with pytest.raises(NotUnderstood) as refused:
        bot("fool", "sound")
    assert refused.value.code == "plugin.broken"


def tries(file: Path) -> int:
    """How often it was loaded; on a busy machine the first time may be told late."""
    until = time.monotonic() + 30
    while not (file.exists() and file.read_text()) and time.monotonic() < until:
        time.sleep(0.05)
    return len(file.read_text())


def test_those_that_never_end_are_named_and_stopped_and_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from polemarque.web.i18n import catalogue

    monkeypatch.setattr(plugins, "LIMIT", 0.5)
    for name, source in SLOW.items():
        tried = f"with open({str(tmp_path / name / TRIED)!r}, 'a') as f: f.write('.')\n"
        package(tmp_path, name, f"{tried}{source}")
    plugins.broken()  # ours are loaded by now: what is added has everything looked at again
    with installed(tmp_path):
        assert {*OURS} <= {*system_names()} and not {*SLOW} & {*system_names()}
        for name in SLOW:
            with pytest.raises(NotUnderstood) as refused:
                find_system(name)
            assert (refused.value.code, refused.value.part) == ("plugin.broken", name)
        assert {each.name: each.findings[0].code for each in plugins.broken()} == dict.fromkeys(
            SLOW, "plugin.slow"
        )
        assert all("did not load in" in each.why(catalogue(), "en") for each in plugins.broken())
        for name in SLOW:
            assert tries(tmp_path / name / TRIED) == 1
        for thread in threading.enumerate():
            if thread.name == "loading endless":
                thread.join(30)
                assert not thread.is_alive()


@pytest.mark.django_db
def test_the_pages_go_on(strangers: None) -> None:
    client = browser(person("zoe"))
    for address in ("/rules/", "/new/", "/consult/"):
        answer = client.get(address)
        assert answer.status_code == 200
        said = unescape(answer.content.decode())
        assert "RuntimeError: angry" in said and "No module named 'no_such_module'" in said
        assert "RuntimeError: angry" not in Client().get(address).content.decode()
    assert client.get("/new/sound/").status_code == 200
    assert client.get("/new/askew/").status_code == 404
    assert client.get("/rules/askew/").status_code == 404
    health = Client().get("/health/").json()
    assert health["sound"] is True
    assert health["plugins"] == len({*BROKEN, "atlantide", "book", "duellist", "sound.fool"})


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_terminal_names_them(
    strangers: None, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rules", "--lang", lang]) == 0
    shown = capsys.readouterr()
    assert "(atlantide)" in shown.out and "(sound)" in shown.out
    assert re.search(r" angry .*RuntimeError: angry", shown.err)
    assert run(["check", "--lang", lang]) == 1
    assert "RuntimeError: angry" in capsys.readouterr().out


# Two with the same rule ids ----------------------------------------------------------------------


def faces_that_count(rule: str) -> set[int]:
    """Faces of a first die after which none is rolled again."""
    counted = set()
    for face in range(1, 7):
        try:
            consult(rule, {"depth": 3}, [face])
        except DiceRefused:
            continue
        counted.add(face)
    return counted


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[None]:
    """Two systems whose rules have the same ids, and dice that go on at another depth."""
    for name, depth in (("brook", 2), ("river", 5)):
        package(tmp_path, name, FORD.format(name=name, depth=depth))
        (tmp_path / name / "data").mkdir()
        row = '["CHP-2"]\ntitle = { fr = "{0}", en = "{0}" }\ntext = { fr = "x", en = "x" }\n'
        ledger = tmp_path / name / "ledger.toml"
        ledger.write_text(row.replace("{0}", f"Into the {name}"), encoding="utf-8")
    with installed(tmp_path):
        yield


def test_both_are_played_by_their_own_rules(twins: None) -> None:
    for name, depth in (("brook", 2), ("river", 5)):
        game = Game(new_header(name, seed=1))
        play_game(game, {"A": "random", "B": "random"})
        assert game.over
        assert replay(game.header, game.entries).state == game.state
        short = Game(new_header(name, seed=1))
        with pytest.raises(NotAllowed):
            short.answer("A", depth + 1)
        short.answer("A", depth)
        saved = encode_position(short.position)
        assert decode_position(saved) == short.position


def test_both_are_asked_alone(twins: None) -> None:
    # The brook rolls again on a 2, the river on a 5.
    assert faces_that_count("CHP-2") == faces_that_count("brook:CHP-2") == {1, 3, 4, 5, 6}
    assert faces_that_count("river:CHP-2") == {1, 2, 3, 4, 6}
    assert {question.rule for _, question in questions()} > {"CHP-2", "AT-9.5"}
    likeliest = {name: consult_odds(f"{name}:CHP-2").outcomes[0] for name in ("brook", "river")}
    assert {name: (each.result["across"], each.p) for name, each in likeliest.items()} == {
        "brook": (True, "3/5"), "river": (False, "3/5"),
    }  # fmt: skip


@pytest.mark.django_db
def test_both_have_their_pages(twins: None) -> None:
    client = Client()
    page = client.get("/consult/").content.decode()
    assert 'href="/consult/CHP-2/"' in page and 'href="/consult/river:CHP-2/"' in page
    assert "Into the river" in client.get("/consult/river:CHP-2/").content.decode()
    for name in ("brook", "river"):
        assert f"Into the {name}" in client.get(f"/rules/{name}/CHP-2/").content.decode()


# What a system brings along ----------------------------------------------------------------------

BROUGHT = """
from polemarque.bots.registry import RandomBot
BOTS = {"steady": RandomBot(), "bold": RandomBot()}
"""
DRAWN = """
from polemarque.report.pictures import BoardTold, draws_board, tells_board
@draws_board("lake")
def draw(state, lang, names): return "<svg/>"
@tells_board("lake")
def tell(view, lang, names, period): return BoardTold(f"water {view['water']}")
"""
LEDGER = """
["CHP-1"]
title = { fr = "Le tour", en = "The turn" }
text = { fr = "On traverse.", en = "One crosses." }
code = "turn"
["CHP-2"]
title = { fr = "Traverser", en = "To cross" }
text = { fr = "Un dé.", en = "One die." }
code = "cross"
"""


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package of one file that brings a bot, drawings, texts and a ledger."""
    source = FORD.format(name="lake", depth=3).replace(
        "least=2,", 'least=2, bots=("lake.bots",), drawings=("lake.drawings",),'
    )
    home = package(tmp_path, "lake", source)
    (home / "bots.py").write_text(BROUGHT, encoding="utf-8")
    (home / "drawings.py").write_text(DRAWN, encoding="utf-8")
    (home / "ledger.toml").write_text(LEDGER, encoding="utf-8")
    (home / "data").mkdir()
    for lang, about in (("fr", "Un lac."), ("en", "A lake.")):
        words = f'[system]\nabout = "{about}"\nlength = "1 h"\n'
        (home / "data" / f"texts.{lang}.toml").write_text(words, encoding="utf-8")
    for module in (film, pictures, sheets):
        for name, value in vars(module).items():
            if name.isupper() and name[0] == "_" and isinstance(value, dict):
                monkeypatch.setitem(value, "lake", None)  # so that it is taken out again
                del value["lake"]
    with installed(tmp_path):
        yield home


@pytest.mark.django_db
def test_its_bots_its_drawings_and_its_words_are_found_as_ours_are(lake: Path) -> None:
    assert bot_names("lake") == ("steady", "random", "bold")
    assert picture("lake", None, "en") == "<svg/>"
    told = board_told("lake", {"water": 2}, "en")
    assert told is not None and told.board == "water 2"
    page = browser(person("zoe"), lang="fr").get("/new/").content.decode()
    assert "Un lac." in page
    assert "Campagne : des peuples" in unescape(page).replace("\xa0", " ")


def test_modules_that_break_are_told_and_the_system_is_played(lake: Path) -> None:
    (lake / "bots.py").write_text("raise RuntimeError('tired')\n", encoding="utf-8")
    (lake / "drawings.py").write_text("import no_such_module\n", encoding="utf-8")
    assert bot_names("lake") == ("steady", "random")
    assert picture("lake", None, "en") is None
    assert {each.name for each in plugins.broken()} == {"lake.bots", "lake.drawings"}


RAISING = """
from polemarque.report.boards.film import films
from polemarque.report.pictures import (
    draws_balance, draws_board, draws_chart, draws_view, tells_board, tells_moves, tells_pieces,
)
from polemarque.report.sheets import fills_open_sheet, fills_sheet, keeps_journal

def fail(*given):
    raise RuntimeError("out of ink")

for register in (
    films, draws_balance, draws_board, draws_chart, draws_view, tells_board, tells_moves,
    tells_pieces,
    fills_open_sheet, fills_sheet, keeps_journal,
):
    register("lake")(fail)
"""
SEES = {"fr": "profondeur de l’eau\u00a0:", "en": "depth of the water:"}


@pytest.fixture
def raising(lake: Path) -> None:
    """All that the lake draws raises, once it is used."""
    (lake / "drawings.py").write_text(RAISING, encoding="utf-8")
    for lang, said in (("fr", "profondeur de l'eau"), ("en", "depth of the water")):
        file = lake / "data" / f"texts.{lang}.toml"
        told = f'[view]\nwater = "{said}"\n["CHP-1"]\ncrossed = "-"\n[roll]\ncross = "-"\n'
        file.write_text(file.read_text(encoding="utf-8") + told, encoding="utf-8")


def test_drawings_that_raise_are_named_and_a_list_stands_in_their_place(
    raising: None, caplog: pytest.LogCaptureFixture
) -> None:
    events: list[Event] = []
    game = Game(new_header("lake", seed=1), publish=events.append)
    play_game(game, {"A": "random", "B": "random"})
    assert picture("lake", game.state, "en") is None
    board = seen_board("lake", game.view("A"), "en")
    assert board is not None and board.svg == ""
    assert board.told is not None and board.told.board.startswith(SEES["en"])
    assert film.film(game.header, game.entries, "en") is None
    written = write(chronicle(game.header, events, "en", state=game.state), "md")
    assert "Ford lake" in written
    for seat in ("A", "", None):
        filled = write(sheets.sheets(game.header, game.state, "en", seat=seat), "text")
        assert SEES["en"] in filled
    (named,) = [each for each in plugins.broken() if each.name == "lake.drawings"]
    assert named.findings[0].data["message"] == "RuntimeError: out of ink"
    assert Path(named.findings[0].file).name == "drawings.py"
    assert [record.getMessage() for record in caplog.records] == [
        "a drawing of lake has failed: lake.drawings"
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_pages_of_a_system_that_draws_nothing_list_what_is_seen(raising: None, lang: str) -> None:
    made = world(system="lake", seats=2)
    for role, address in (
        ("commander", f"/c/{made.campaign.code}/seat/A/"), ("watcher", f"/c/{made.campaign.code}/"),
    ):  # fmt: skip
        answer = made.browser(role, lang=lang).get(address)
        assert answer.status_code == 200
        said = unescape(answer.content.decode())
        assert re.search(rf'<pre class="plate-told"[^>]*>{SEES[lang]}', said)
        assert "<svg" not in said.partition('class="plate"')[2].partition("</figure>")[0]


@pytest.mark.slow
def test_a_package_of_one_file_has_its_code_found_and_lacks_nothing(
    lake: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rules", "lake", "CHP-2", "--lang", "en"]) == 0
    line = (lake / "__init__.py").read_text(encoding="utf-8").split("def cross")[0].count("\n") + 1
    assert re.search(rf"Written in cross \(.*__init__\.py:{line}\)", capsys.readouterr().out)
    assert run(["rules", "lake", "--coverage", "--lang", "en"]) == 0
    assert "Nothing is missing." in capsys.readouterr().out
    ledger = lake / "ledger.toml"
    ledger.write_text(LEDGER.replace('"cross"', '"swim"'), encoding="utf-8")
    assert run(["rules", "lake", "--coverage", "--lang", "en"]) == 1
