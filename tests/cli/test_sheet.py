"""`polemarque sheet`: campaign sheets in five formats, for the umpire or for one seat."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import pytest

from polemarque.bots.play import play_game
from polemarque.cli.commands.sheet import FORMATS, PDF
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import write_record
from polemarque.report.documents.writers import FORMATS as WRITTEN
from tests.cli.desk import polemarque
from tests.cli.tales import seated


@cache
def record(system: str = "atlantide") -> bytes:
    """A short game of random bots."""
    options = {"turn_limit": 2} if system == "atlantide" else {}
    game = Game(new_header(system, seed=7, options=options))
    play_game(game, dict.fromkeys(game.header.seats, "random"))
    return write_record(game.header, game.entries)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "game.json"
    file.write_bytes(record())
    return file


def sheet(*words: object, lang: str = "fr") -> str:
    done = polemarque("sheet", *words, "--lang", lang)
    assert (done.status, done.err) == (0, "")
    return done.out.replace("\xa0", " ")


def refused(*words: object, lang: str = "en") -> str:
    done = polemarque("sheet", *words, "--lang", lang)
    assert done.status == 2
    assert done.err.count("\n") == 1
    return done.err


def test_formats_are_those_of_the_report_room_and_pdf() -> None:
    assert (*WRITTEN, PDF) == FORMATS


@pytest.mark.parametrize("form", WRITTEN)
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_umpires_copy_in_every_format(path: Path, form: str, lang: str) -> None:
    text = sheet(path, "--for", "umpire", "--format", form, lang=lang)
    assert text.count("Ravitaillé" if lang == "fr" else "Supplied") == 2 * 4  # turns, seats
    assert ("Journal de la campagne" if lang == "fr" else "Journal of the campaign") in text


def test_a_seats_sheet_is_its_own_only(path: Path) -> None:
    seated(path, A="Zoé", B="Max")
    text = sheet(path, "--for", "A")
    assert text.startswith("Feuille de campagne : le Mycénien A (Zoé)\n")
    assert "Joueur" in text
    assert text.count("Butin courant") == 1
    assert "\nle Mycénien B (Max)\n" in sheet(path, "--for", "umpire")
    assert "Z" in refused(path, "--for", "Z")


def test_the_campaign_as_it_was_after_some_entries(path: Path) -> None:
    assert "Ravitaillé" not in sheet(path, "--for", "umpire", "--at", 0)
    assert "Pas d’armée." in sheet(path, "--for", "umpire", "--at", 0)
    whole = path.read_bytes().count(b"\n") - 2
    assert sheet(path, "--at", whole) == sheet(path)
    assert f"0-{whole}" in refused(path, "--at", whole + 1)


def test_a_game_that_is_not_over_has_sheets_so_far(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    done = polemarque("sheet", path, "--for", "umpire", "--lang", "fr")
    assert done.status == 0 and done.out.count("Ravitaillé") == 4
    assert "n’a pas de dernière ligne" in done.err


def test_it_is_written_to_a_file(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "sheets.html"
    assert sheet(path, "--format", "html", "--out", out) == ""
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_pdf_is_written_to_a_file_only(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("typst", reason="the extra `export` is not installed")
    assert "--out" in refused(path, "--format", "pdf")
    out = tmp_path / "sheets.pdf"
    assert sheet(path, "--format", "pdf", "--out", out, "--for", "B") == ""
    assert out.read_bytes().startswith(b"%PDF")
    assert "written" in refused(path, "--format", "pdf", "--out", path / "no" / "way.pdf")
    assert not list(tmp_path.glob("*.new"))


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_without_typst_it_says_how_to_get_it(
    path: Path, tmp_path: Path, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    said = refused(path, "--format", "pdf", "--out", tmp_path / "x.pdf", lang=lang)
    assert "pip install 'polemarque[export]'" in said
    assert not (tmp_path / "x.pdf").exists()


def test_a_battle_has_none(tmp_path: Path) -> None:
    file = tmp_path / "battle.json"
    file.write_bytes(record("batailles"))
    assert "batailles" in refused(file)


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "none.json")
