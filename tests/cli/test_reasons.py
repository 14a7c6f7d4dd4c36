"""What the operating system refuses is said in the reader's language."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from polemarque.cli import common
from polemarque.cli.common import reason_of, run, say
from polemarque.cli.seating import kept_seating, seating_file
from polemarque.kernel.errors import NotUnderstood

NOT_FOUND = {"fr": "introuvable", "en": "not found"}


@pytest.mark.parametrize("lang", NOT_FOUND)
@pytest.mark.parametrize(
    "words",
    [
        ("replay", "{file}"),
        ("check", "{file}"),
        ("consult", "--batch", "{file}"),
        ("sheet", "{file}"),
    ],
    ids=lambda words: words[0],
)
def test_a_file_that_is_not_there(words, lang, tmp_path: Path, capsys):
    missing = str(tmp_path / "none.json")
    status = run(["--lang", lang, *[word.format(file=missing) for word in words]])
    said = capsys.readouterr().err
    assert status == common.REFUSED
    assert missing in said
    assert NOT_FOUND[lang] in said
    assert "No such file" not in said


def test_a_reason_without_words_of_ours_is_told_in_the_system_s():
    assert reason_of(OSError(errno.EXDEV, "Not that way")) == "Not that way"
    assert reason_of(OSError("quite odd")) == "quite odd"
    assert reason_of(ValueError("no JSON")) == "no JSON"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--host", "nowhere.invalid"), "ce nom n’est celui d’aucune machine"),
        (("--host", "192.0.2.1"), "cette machine n’a pas cette adresse"),
    ],
    ids=("name", "address"),
)
def test_an_address_that_cannot_be_had(words, reason, tmp_path: Path, capfd):
    status = run(["--lang", "fr", "serve", "--data", str(tmp_path / "club"), *words])
    assert status == common.REFUSED
    assert reason in capfd.readouterr().err
    assert not list(tmp_path.iterdir())


def test_so_are_those_of_the_papers_kept_beside_a_record(tmp_path: Path):
    record = tmp_path / "game.json"
    seating_file(record).mkdir()
    with pytest.raises(NotUnderstood) as refused:
        kept_seating(record)
    assert refused.value.data["reason"] == say("os.EISDIR")
