"""Table files that the tests of the tables share."""

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from textwrap import dedent
from typing import Literal

import msgspec

from polemarque.kernel.files.findings import Finding, hint, reason
from polemarque.kernel.files.texts import KERNEL_TEXTS, LANGUAGES, Catalogue

CONQUEST = """\
rule = "AT-9.5"
roll = "attack - defence"
words = { outcome = "outcome" }
modifiers = [{ when = "forest", amount = 1 }, { when = "bribe", amount = 1, each = true }]
rows = [
  { from = 5,            outcome = "taken",   loot = 200 },
  { from = 3,  to = 4,   outcome = "taken",   loot = 100, losses = "D3" },
  { from = 1,  to = 2,   undecided = true, modifier = 1,  losses = "D3" },
  { at = 0,              undecided = true,                losses = "D3" },
  { from = -2, to = -1,  undecided = true, modifier = -1, losses = "D3" },
  { from = -4, to = -3,  outcome = "beaten",  losses = "D6" },
  { to = -5,             outcome = "crushed", losses = "2D6", loot = -50 },
]
"""


class Assault(msgspec.Struct, frozen=True):
    outcome: Literal["taken", "beaten", "crushed"] | None = None
    loot: int = 0
    losses: str = ""
    undecided: bool = False
    modifier: int = 0


class Numbered(msgspec.Struct, frozen=True):
    """A row that knows only its number."""

    n: int


class Scenario(StrEnum):
    PITCHED = "pitched"
    AMBUSH = "ambush"


class Square(msgspec.Struct, frozen=True):
    scenario: Scenario
    by: Literal["a", "b"] | None = None


def write(folder: Path, text: str, name: str = "table.toml") -> Path:
    path = folder / name
    path.write_text(dedent(text), encoding="utf-8")
    return path


def found(findings: Iterable[Finding]) -> list[tuple[int, str]]:
    """(line, code) of findings; each must be sayable in both languages."""
    kernel = Catalogue.load(KERNEL_TEXTS)
    shown = []
    for finding in findings:
        for lang in LANGUAGES:
            assert reason(finding, kernel, lang)
            assert hint(finding, kernel, lang)
        shown.append((finding.line, finding.code))
    return shown


MATRIX = """\
rule = "M-1"
words = { rows = "side", columns = "side", scenario = "scenario" }
rows = ["frontal", "rapid"]
columns = ["frontal", "rapid"]
[cells.frontal]
frontal = { scenario = "pitched" }
rapid = { scenario = "ambush", by = "a" }
[cells.rapid]
frontal = { scenario = "ambush", by = "b" }
rapid = { scenario = "pitched" }
"""
WORDLESS = MATRIX.replace('scenario = "scenario"', 'scenario = "scenario", by = ""')


def with_rows(*rows: str, head: str = "") -> str:
    """A table of these rows, the first of them on line 4."""
    return f'rule = "X"\n{head}\nrows = [\n' + "".join(f"  {{ {row} }},\n" for row in rows) + "]\n"


def catalogue(*keys: str, english: bool = True) -> Catalogue:
    texts = dict.fromkeys(keys, "x")
    return Catalogue({"fr": texts, "en": texts if english else {}})


WORDS = [
    "outcome.taken", "outcome.beaten", "outcome.crushed",
    "AT-9.5.roll", "AT-9.5.when.forest", "AT-9.5.when.bribe",
]  # fmt: skip
