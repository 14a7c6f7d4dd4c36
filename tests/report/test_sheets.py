"""Campaign sheets: the annex's items for every seat and turn, private to each seat; and PDF."""

from __future__ import annotations

import random
import re
import sys
from functools import cache
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

from polemarque.bots.play import play_game
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.files.texts import LANGUAGES
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Header
from polemarque.report import sheets as room
from polemarque.report.documents import pdf as paper
from polemarque.report.documents.document import Document, Section, Table, line, paragraph, said
from polemarque.report.documents.pdf import pdf
from polemarque.report.documents.writers import FORMATS, write
from polemarque.report.labels import catalogue_of
from polemarque.report.narrator import Voice
from polemarque.report.sheets import seat_name, sheets
from polemarque.systems.atlantide.state import Conquered, SheetRow, Waiting, War
from tests.contract.secrets import SECRETS
from tests.report.test_writers import document as nasty
from tests.systems.atlantide.wars import army, general, slingers, spearmen, war

HEADER = new_header("atlantide", seats=3)

ANNEX = {
    "fr": ("Événement", "Diplomatie", "Butin", "Ravitaillé", "Mouvement", "Bataille", "Conquête",
           "Notes"),
    "en": ("Event", "Diplomacy", "Loot", "Supplied", "Movement", "Battle", "Conquest", "Notes"),
}  # fmt: skip

HEAD = {
    "fr": ("Joueur", "Peuple", "Royaume", "Butin courant", "Points d’armée", "Force de combat",
           "Initiative", "Territoires possédés"),
    "en": ("Player", "People", "Kingdom", "Current loot", "Army points", "Combat force",
           "Initiative", "Territories owned"),
}  # fmt: skip

FULL = SheetRow(
    turn=1, event="our_spy", diplomacy=("agreed:passage:B", "broken:passage:A"), taxes=85, spent=50,
    fortresses=("m1", "m2"), supplied=False, supply="mutiny", left="m1", arrived="m2",
    strategy="flank", scenario="ambush", result="winner", conquest="m2",
    conquest_result="crushed", notes="Ruse\nde  guerre",
)  # fmt: skip


@cache
def campaign() -> Game:
    """Three turns of a campaign of three, played at random."""
    header = new_header("atlantide", scenario="trio", seed=5, options={"turn_limit": 3})
    game = Game(header)
    play_game(game, dict.fromkeys(header.seats, "random"))
    assert game.over
    return game


def of_game(lang: str, seat: str | None = None) -> Document:
    game = campaign()
    return sheets(game.header, game.state, lang, None, seat, period=game.runner.period)


def three(**fields: Any) -> War:
    """A campaign of three on the small island."""
    return replace(war(A="m1", B="a1", C="e1"), **fields)


def filled(state: War, lang: str = "fr", seat: str | None = "A", **people: str) -> Document:
    return sheets(HEADER, state, lang, {"seat": people}, seat, period=state.turn)


def section(document: Document, *titles: str) -> Section:
    """A section by the titles that lead to it."""
    found: Any = document
    for title in titles:
        found = next(b for b in found.blocks if isinstance(b, Section) and b.title == title)
    assert isinstance(found, Section)
    return found


def table(of: Section) -> Table:
    found = next(block for block in of.blocks if isinstance(block, Table))
    assert all(len(row) == len(found.head) for row in found.rows)
    return found


def cells(of: Section) -> list[tuple[str, ...]]:
    return [tuple(cell.replace("\xa0", " ") for cell in row) for row in table(of).rows]


# What is on it -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_player_and_turn_has_the_annexs_items(lang: str) -> None:
    game = campaign()
    document = of_game(lang)
    book = Voice(game.header, lang, game.system.names(game.state, lang)).own  # type: ignore[misc]
    for seat in game.header.seats:
        own = section(document, seat_name(book, seat))
        head = tuple(item for item, _ in table(own).rows)
        assert head == HEAD[lang]
        for turn in (1, 2, 3):
            block = section(own, f"{'Tour' if lang == 'fr' else 'Turn'} {turn}")
            items = [item for item, _ in table(block).rows if item]
            assert tuple(items) == ANNEX[lang]


def test_a_row_is_told_in_words_french() -> None:
    document = filled(three(sheets={"A": (FULL,)}), B="Zoé")
    assert cells(section(document, "A", "Tour 1")) == [
        ("Événement", "espion infiltré"),
        ("Diplomatie", "droit de passage, avec Zoé (B)"),
        ("", "droit de passage, rompu par A"),
        ("Butin", "impôts 85 · renforts 50 · forteresses M1 et M2"),
        ("Ravitaillé", "non · mutinerie"),
        ("Mouvement", "M1 → M2"),
        ("Bataille", "contournement · embuscade · victoire"),
        ("Conquête", "M2 · écrasé"),
        ("Notes", "Ruse de guerre"),
    ]


def test_a_row_is_told_in_words_english() -> None:
    document = filled(three(sheets={"A": (FULL,)}), "en")
    rows = dict(cells(section(document, "A", "Turn 1")))
    assert rows["Loot"] == "taxes 85 · reinforcements 50 · fortresses M1 and M2"
    assert rows["Movement"] == "M1 → M2"
    assert rows["Battle"].endswith("victory")


@pytest.mark.parametrize(
    ("row", "item", "entry"),
    [
        (SheetRow(1), "Événement", "—"),
        (SheetRow(1), "Ravitaillé", "—"),
        (SheetRow(1, supplied=True), "Ravitaillé", "oui"),
        (SheetRow(1, left="m1", arrived="m1"), "Mouvement", "reste à M1"),
        (SheetRow(1, left="m1"), "Mouvement", "M1, armée détruite"),
        (SheetRow(1, taxes=5), "Butin", "impôts 5 · renforts 0 · forteresses aucune"),
        (SheetRow(1, result="draw"), "Bataille", "sans vainqueur"),
        (SheetRow(1, conquest="m2", conquest_result="withdrawn"), "Conquête",
         "M2 · passage refusé, retrait"),
    ],
)  # fmt: skip
def test_what_did_not_happen_is_a_dash(row: SheetRow, item: str, entry: str) -> None:
    document = filled(three(sheets={"A": (row,)}))
    assert dict(cells(section(document, "A", "Tour 1")))[item] == entry


@pytest.mark.parametrize(
    ("place", "lang", "stays", "total"),
    [
        ("nereid_cape", "fr", "reste au Cap des Néréides", "Au Cap des Néréides. "),
        ("scylla_teeth", "fr", "reste aux Dents de Scylla", "Aux Dents de Scylla. "),
        ("dolphin_bay", "fr", "reste à la Baie des Dauphins", "À la Baie des Dauphins. "),
        ("azais", "fr", "reste à Azaïs", "À Azaïs. "),
        ("triton_wood", "en", "stays at Triton’s Wood", "At Triton’s Wood. "),
        ("mount_atlas", "en", "stays at Mount Atlas", "At Mount Atlas. "),
    ],
)
def test_a_place_stands_in_a_sentence_with_its_article(
    place: str, lang: str, stays: str, total: str
) -> None:
    state = campaign().state
    row = SheetRow(1, left=place, arrived=place)
    state = replace(state, sheets={**state.sheets, "A": (row,)})
    document = filled(state.with_army("A", army(place, spearmen(1))), lang)
    texts = [text.replace("\xa0", " ") for text in said(document)]
    assert stays in texts
    assert any(text.startswith(total) for text in texts)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("result", [each for each in get_args(Conquered) if each])
def test_however_a_conquest_ends_there_is_a_word_for_it(result: str, lang: str) -> None:
    assert catalogue_of("atlantide").has(lang, f"sheet.atlantide.conquered.{result}")


def test_the_head_says_how_the_player_stands() -> None:
    state = three(turn=4)
    state = state.changed("A", loot=35, people="Les Purs", catalogue="trojans")
    document = filled(state, A="Zoé")
    rows = [(item, entry) for item, entry in cells(section(document, "Zoé (A)"))]
    points = 7 * 20 + 15 + 120
    assert rows[:5] == [
        ("Joueur", "Zoé (A)"), ("Peuple", "Les Purs · Troyens"), ("Royaume", "mestor"),
        ("Butin courant", "35"), ("Points d’armée", str(points)),
    ]  # fmt: skip
    assert rows[-1] == ("Territoires possédés", "M1, M2, M3")
    assert document.title.replace("\xa0", " ") == "Feuille de campagne : Zoé (A)"
    assert any("Tour 4" in text for text in said(document))


def test_the_army_is_listed_with_its_experience_and_its_reasons() -> None:
    note = "Charge\tsans peur"
    force = army("m1", spearmen(1, figures=13), slingers(2, warband="yes", die=3), lead=False)
    force = replace(
        force,
        units=(force.units[0], replace(force.units[1], note=note)),
        characters=(general(),),
    )
    state = three().with_army("A", force)
    own = section(filled(state), "A", "Armée")
    assert cells(own) == [
        ("general, général", "1", "120", "8", "—"),
        ("spearmen", "13/20", "100", "7", "—"),
        ("slingers (D3 de horde : 3)", "10", "40", "6", "Charge sans peur"),
    ]
    assert "260 points" in table(own).caption.replace("\xa0", " ")
    told = " ".join(said(Document("", "fr", (own,))))
    assert "(AT-1.5" in told and "(AT-1.8" in told and "Leadership" in told


def test_without_an_army_and_with_units_on_their_way() -> None:
    state = three().changed(
        "A", army=None,
        waiting=(
            Waiting("bought", 2, None, (spearmen(3),)),
            Waiting("slaves", 2, "m2", (slingers(4, figures=7),), (general(5),)),
        ),
    )  # fmt: skip
    document = filled(state)
    assert "Pas d’armée." in list(said(document))
    assert cells(section(document, "A", "Renforts en attente")) == [
        ("spearmen", "20", "achetés", "—"),
        ("general", "1", "esclaves en fuite", "M2"),
        ("slingers", "7/10", "esclaves en fuite", "M2"),
    ]


def test_the_journal_is_everybodys() -> None:
    state = three().journalled("umpire", "Le fleuve\ndéborde").journalled("gods", "Pont: 4")
    state = state.journalled("B", "Nous protestons")
    for seat in ("A", None):
        journal = section(filled(state, seat=seat, B="Zoé"), "Journal de la campagne")
        told = [text.replace("\xa0", " ") for text in said(Document("", "fr", journal.blocks))]
        assert [text for text in told if text] == [
            "Tour 1, l’arbitre : Le fleuve déborde",
            "Tour 1, les dieux : Pont: 4",
            "Tour 1, Zoé : Nous protestons",
        ]
    empty = section(filled(three()), "Journal de la campagne")
    assert "Rien n’y est écrit." in said(Document("", "fr", empty.blocks))


# Whose it is -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_a_seats_sheet_holds_nothing_that_the_seat_cannot_see(seed: int) -> None:
    game = campaign()
    for seat in game.header.seats:
        changed = SECRETS["atlantide"](game.state, seat, random.Random(seed))
        document = sheets(game.header, changed, "fr", None, seat, period=3)
        assert document == of_game("fr", seat)


def test_the_umpires_copy_holds_every_sheet_in_order() -> None:
    whole = of_game("fr")
    each = [of_game("fr", seat).blocks[1] for seat in campaign().header.seats]
    assert list(whole.blocks[1:-1]) == each


def test_an_unknown_seat_and_a_system_without_sheets_are_refused() -> None:
    with pytest.raises(NotUnderstood, match=r"seat\.unknown"):
        sheets(HEADER, three(), "fr", None, "Z")
    battle = new_header("batailles")
    with pytest.raises(NotAllowed, match=r"sheet\.none"):
        sheets(battle, None, "fr")


def test_a_stranger_can_register_sheets(monkeypatch: pytest.MonkeyPatch, spring: Any) -> None:
    for kept in (room.fills_sheet, room.keeps_journal):
        monkeypatch.setitem(kept, "tale", None)  # so that it is taken out again
    del room.keeps_journal["tale"]
    room.fills_sheet("tale")(lambda state, seat, voice: (line(f"sheet of {seat}"),))
    header: Header = new_header("tale")
    state = Game(header).state
    assert "sheet of B" in said(sheets(header, state, "en", None, "B"))
    room.keeps_journal("tale")(lambda state, voice: (line("a day passed"),))
    document = sheets(header, state, "en", period=1)
    assert [block.title for block in document.blocks if isinstance(block, Section)] == [
        "Hésiode (A)", "B", "Journal of the campaign"
    ]  # fmt: skip


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_format_has_it(form: str, lang: str) -> None:
    text = write(of_game(lang), form)
    assert all(item in text for item in ANNEX[lang])
    assert "{" not in text or form == "html"
    assert "None" not in text


# On paper ----------------------------------------------------------------------------------------


def test_a_pdf_needs_typst_and_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(NotAllowed, match=r"export\.typst") as refused:
        pdf(nasty())
    assert refused.value.legal == ("pip install 'polemarque[export]'",)


class TestPaper:
    """With Typst, which comes with `.[dev]`."""

    typst = pytest.importorskip("typst", reason="the extra `export` is not installed")

    def test_the_same_document_is_the_same_paper(self) -> None:
        one = pdf(of_game("fr"), apart=True)
        assert one.startswith(b"%PDF-1.7")
        assert one == pdf(of_game("fr"), apart=True)
        assert b"pdfuaid" in one

    def test_every_seat_begins_a_page(self) -> None:
        assert pages(pdf(of_game("en"), apart=True)) > pages(pdf(of_game("en", "A"), apart=True))
        short = Document("T", "en", (Section("A", (line("a"),)), Section("B", (line("b"),))))
        assert pages(pdf(short)) == 1
        assert pages(pdf(short, apart=True)) == 2

    def test_nothing_that_is_said_becomes_typst(self) -> None:
        document = Document("#let x = 1", "fr", (
            Section("*gras* _it_ $x$ @lien <a>", (
                Table(("#a", "b"), (("`c`", "= d"), ("\\e", "// f")), "/* g"),
            )),
        ))  # fmt: skip
        report = msgspec.json.encode(paper.report_of(document)).decode()
        shown = "".join(
            self.typst.query(paper._TEMPLATE.read_bytes(), element, sys_inputs={"report": report})
            for element in ("heading", "table")
        )
        told = {node for node in texts_of(shown) if node}
        assert {"#let x = 1", "*gras* _it_ $x$ @lien <a>", "#a", "`c`", "= d", "\\e"} <= told

    def test_all_that_a_report_may_hold_is_printed(self) -> None:
        assert pages(pdf(nasty())) >= 1

    def test_a_sign_that_no_font_has_does_not_spoil_the_paper(self) -> None:
        odd = Document("Jeu", "fr", (paragraph("Zoé \U0001f600 龍 \x07"),))
        assert pdf(odd).startswith(b"%PDF")


def pages(raw: bytes) -> int:
    """How many pages a PDF says it has."""
    found = re.search(rb"/Type/Pages/Count (\d+)", raw)
    assert found is not None
    return int(found[1])


def texts_of(shown: str) -> list[str]:
    """Every piece of text that Typst says an element holds."""
    found = []

    def look(value: Any) -> None:
        if isinstance(value, dict):
            if value.get("func") == "text":
                found.append(value["text"])
            for part in value.values():
                look(part)
        elif isinstance(value, list):
            for part in value:
                look(part)

    for chunk in shown.replace("][", "]\n\x00[").split("\x00"):
        look(msgspec.json.decode(chunk))
    return found
