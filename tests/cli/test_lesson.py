"""The tutorial at the terminal: what it is about, and a note beside each question."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemarque.cli.common import INTERRUPTED
from polemarque.kernel.beginner_notes import lesson_of
from polemarque.kernel.files.sentence_templates import typographic
from polemarque.systems.thucidide.setup.opening import scenarios
from tests.cli.desk import polemarque

TYPED = "1\n1\n1 2 3\n1\n\n1\n1\nd5\n\n"
"""No order; Nicias and the hoplites; those of the left to d5."""

ASKED = ("TH-3.5", "TH-2.2", "TH-F8", "TH-F8")


@pytest.mark.parametrize(
    ("lang", "head"), [("fr", "Leçon\N{NO-BREAK SPACE}: "), ("en", "Lesson: ")]
)
def test_a_note_stands_beside_each_question(tmp_path: Path, lang: str, head: str) -> None:
    done = polemarque(
        "play", "thucidide", "tutorial", "--seed", 1, "--bots", "random",
        "--save", tmp_path / "g.json", "--lang", lang, typist=TYPED,
    )  # fmt: skip
    assert done.status == INTERRUPTED
    setup = scenarios()["tutorial"]
    assert typographic(setup["introduction"][lang].strip(), lang) in done.out
    assert "'" not in done.out.partition("\n")[2]
    said = [line.removeprefix(head) for line in done.out.splitlines() if line.startswith(head)]
    notes = [note for note in lesson_of(setup) if note.rule in ASKED]
    assert said == [note.printed(lang) for note in notes[: len(ASKED)]]


def test_it_goes_on_where_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    first = polemarque(
        "play", "thucidide", "tutorial", "--save", path, "--lang", "en", typist="1\n"
    )
    again = polemarque("play", "--resume", path, "--lang", "en", typist="")
    assert "Lesson: " in again.out
    assert first.out.rsplit("Lesson: ", 1)[1].splitlines()[0] in again.out
    told = scenarios()["tutorial"]["introduction"]["en"].strip()
    assert typographic(told, "en") not in again.out
