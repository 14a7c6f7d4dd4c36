"""`polemarque chronicle`: the game told in every format, for the umpire or for one seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from polemarque.cli.common import run
from polemarque.report.documents.writers import FORMATS
from tests.cli import tales
from tests.report import tale

Told = Callable[..., str]


@pytest.fixture(autouse=True)
def _spring() -> Iterator[None]:
    with tale.told_of():
        yield


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    def command(*arguments: object, status: int = 0) -> str:
        assert run(["chronicle", *map(str, arguments)]) == status
        shown = capsys.readouterr()
        return shown.err if status else shown.out

    return command


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_game_is_told_in_every_format(tmp_path: Path, told: Told, form: str, lang: str) -> None:
    text = told(tales.record(tmp_path), "--format", form, "--lang", lang)
    assert ("Jour 2" if lang == "fr" else "Day 2") in text
    assert ("Pourquoi" if lang == "fr" else "Why") in text


def test_a_seats_edition_holds_no_secret_of_another(tmp_path: Path, told: Told) -> None:
    path = tales.record(tmp_path)
    assert "B garde" in told(path, "--for", "umpire", "--lang", "fr")
    edition = told(path, "--for", "A", "--lang", "fr")
    assert "B garde" not in edition
    assert "Hésiode garde" in edition
    assert "C" in told(path, "--for", "C", status=2)


def test_players_are_named_as_they_sat(tmp_path: Path, told: Told) -> None:
    path = tales.record(tmp_path)
    tales.seated(path, A="Zoé", umpire="Max")
    text = told(path, "--lang", "fr")
    assert text.count("Zoé") == text.count("Hésiode (Zoé)") == 1  # their seat has a name, and acts
    assert "Hésiode court vers" in text


def test_a_correction_is_told_as_it_stands_and_listed_at_the_end(
    tmp_path: Path, told: Told
) -> None:
    plain = told(tales.record(tmp_path), "--for", "umpire", "--lang", "fr")
    other = tales.record(tmp_path, "other.json", correct=True)
    text = told(other, "--for", "umpire", "--lang", "fr")
    assert text != plain
    assert text.count("garde") == plain.count("garde")
    assert text.rstrip().endswith("(TA-1.1) remplacée\u00a0: mal compris")


def test_a_game_that_is_not_over_is_told_so_far(tmp_path: Path, told: Told) -> None:
    path = tales.record(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]))
    text = told(path, "--lang", "fr")
    assert "Jour 1" in text
    assert "Jour 2" not in text


def test_it_is_written_to_a_file(tmp_path: Path, told: Told) -> None:
    path, out = tales.record(tmp_path), tmp_path / "story.html"
    assert told(path, "--format", "html", "--out", out, "--lang", "fr") == ""
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "cannot" in told(path, "--out", path / "way.txt", "--lang", "en", status=2)


def test_a_pdf_of_the_edition_is_written_to_a_file_only(tmp_path: Path, told: Told) -> None:
    path = tales.record(tmp_path)
    assert "--out" in told(path, "--format", "pdf", status=2)
    whole, edition = tmp_path / "whole.pdf", tmp_path / "edition.pdf"
    assert told(path, "--format", "pdf", "--out", whole) == ""
    assert told(path, "--format", "pdf", "--out", edition, "--for", "A") == ""
    assert whole.read_bytes()[:4] == edition.read_bytes()[:4] == b"%PDF"
    assert whole.read_bytes() != edition.read_bytes()


def test_posts_are_cut_to_the_length_of_a_forum(tmp_path: Path, told: Told) -> None:
    path, out = tales.record(tmp_path), tmp_path / "post.txt"
    told(path, "--format", "bbcode", "--split", 400, "--out", out, "--lang", "fr")
    posts = [p.read_text(encoding="utf-8") for p in sorted(tmp_path.glob("post-*.txt"))]
    assert len(posts) > 2
    assert all(len(post) <= 401 for post in posts)
    assert f"(1/{len(posts)})" in posts[0]
    assert "bbcode" in told(path, "--split", 400, status=2)


def test_what_is_no_record_is_refused_in_one_line(tmp_path: Path, told: Told) -> None:
    (tmp_path / "x.json").write_text("{}", encoding="utf-8")
    assert told(tmp_path / "x.json", status=2).count("\n") == 1
    assert told(tmp_path / "none.json", status=2).count("\n") == 1
