"""The data files of bridges: each pair has one, and every fault is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemarque.bridges.house import BRIDGES, DATA
from polemarque.bridges.pairs import check, forms
from polemarque.cli.file_checks import check_file
from polemarque.kernel.files.findings import hint, reason
from polemarque.kernel.files.texts import KERNEL_TEXTS, LANGUAGES, Catalogue
from polemarque.maps.grid import grid

CAMPAIGNS = ("atlantide", "mare_nostrum")
FILES = [DATA / f"{campaign}_{name}.toml" for campaign in CAMPAIGNS for name in forms()]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_pair_has_a_file_without_fault(path: Path) -> None:
    assert check(path) == ()
    assert check_file(path) == ()
    figures = [line for line in path.read_text(encoding="utf-8").splitlines() if " = " in line]
    bare = [line for line in figures if line.split(" = ")[1][:1].isdigit() and "#" not in line]
    bare = [line for line in bare if not line.startswith(("rerolls", "bonus"))]
    assert not bare, "each figure has a word why"


FAULTS = [
    ("mare_nostrum_batailles", 'campaign = "mare_nostrum"', 'campaign = "rome"', "campaign"),
    ("mare_nostrum_batailles", 'resolver = "batailles"', 'resolver = "chess"', "resolver"),
    ("mare_nostrum_batailles", "stand = 5 ", 'stand = "five" ', "form"),
    ("mare_nostrum_batailles", "stand = 5 ", "stand = 0 ", "word"),
    ("mare_nostrum_promiterra", 'kind = "spears"', 'kind = "spoons"', "kind"),
    ("mare_nostrum_promiterra", "attack = 6", "attack = 7", "word"),
    ("mare_nostrum_promiterra", 'w = "light_forest"', 'w = "jungle"', "board"),
    ("mare_nostrum_thucidide", 'is = "hoplites"', 'is = "hobbits"', "word"),
    ("mare_nostrum_thucidide", "ssssfssfssss", "ssssfssf", "board"),
    ("atlantide_promiterra", "[[1, 1], [2, 2]", "[[2, 1], [1, 2]", "rows"),
    ("atlantide_promiterra", "movement = [{ of", "speed = [{ of", "word"),
    ("atlantide_thucidide", 'river_plains = """', 'meadows = """', "board"),
    ("atlantide_thucidide", 'villages = "t"', 'villages = "T"', "word"),
    ("atlantide_thucidide", "{ ld = 0,", "{ ld = 9,", "rows"),
    ("atlantide_thucidide", '{ kind = "skirmishers", is', '{ kind = "cavalry", is', "kind"),
]


@pytest.mark.parametrize(("name", "good", "bad", "code"), FAULTS)
def test_every_fault_is_named(tmp_path: Path, name: str, good: str, bad: str, code: str) -> None:
    text = (DATA / f"{name}.toml").read_text(encoding="utf-8")
    assert good in text
    file = tmp_path / "mine.toml"
    file.write_text(text.replace(good, bad, 1), encoding="utf-8")
    findings = check(file)
    assert findings and f"bridge.{code}" in [finding.code for finding in findings]
    words = Catalogue.load(KERNEL_TEXTS, DATA)
    for lang in LANGUAGES:
        for finding in findings:
            assert reason(finding, words, lang) and hint(finding, words, lang)


def test_other_files_are_no_bridges(tmp_path: Path) -> None:
    file = tmp_path / "table.toml"
    file.write_text("rows = []\n", encoding="utf-8")
    assert check(file) is None
    assert BRIDGES.check is not None and BRIDGES.check(file) is None


def test_boards_have_the_size_that_the_rules_say() -> None:
    assert grid("square", 16, 12).cells and grid("hex", 12, 9).cells
