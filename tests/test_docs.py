"""What the papers say is there: their code runs, and nothing a reader needs is left out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from polemarque.cli.common import COMMANDS, run
from polemarque.kernel.system import GROUP, find_system
from polemarque.report.labels import catalogue_of

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
CLUB, KERNEL, SYSTEMS = DOCS / "club.md", DOCS / "kernel.md", DOCS / "systems.md"
API, ENVIRONMENTS = DOCS / "api.md", DOCS / "environments.md"

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# ([\w./-]+)")
"""A block that begins with a comment naming a file is that file."""

OURS = sorted(point.name for point in entry_points(group=GROUP))


def read(paper: Path) -> str:
    return paper.read_text(encoding="utf-8")


def laid_out(paper: Path, folder: Path) -> Path:
    """The blocks of a paper as files: those with a name, and other Python in one, line for line.

    What stands under the name of a file that is there already is left: it is a part of that file.
    """
    text = read(paper)
    lines = [""] * (text.count("\n") + 1)
    for block in FENCE.finditer(text):
        kind, code = block.groups()
        named = NAMED.fullmatch(code.split("\n", 1)[0])
        if kind == "python" and not named:
            first = text.count("\n", 0, block.start(2))
            lines[first : first + code.count("\n")] = code.splitlines()
        elif kind in {"python", "toml"} and named and not (folder / "ford" / named[1]).exists():
            path = folder / named[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(code, encoding="utf-8")
    script = folder / f"{paper.stem}.py"
    script.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return script


@pytest.fixture
def ford(tmp_path: Path) -> Path:
    """The package that the paper on systems has its reader write."""
    assert run(["new", "system", "ford", str(tmp_path / "ford")]) == 0
    return tmp_path / "ford"


@pytest.mark.parametrize("paper", [API, KERNEL, SYSTEMS, ENVIRONMENTS], ids=lambda path: path.name)
def test_its_code_runs(paper: Path, tmp_path: Path, ford: Path) -> None:
    script = laid_out(paper, tmp_path)
    path = os.pathsep.join((str(tmp_path), str(ford), str(ROOT / "src")))
    environ = {**os.environ, "PYTHONPATH": path, "LANG": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=tmp_path, env=environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{paper.name}, at the line of the traceback:\n{done.stderr}"


def test_what_the_paper_shows_of_the_written_package_is_in_it(ford: Path) -> None:
    shown = [
        (ford / named[1], code.split("\n", 1)[1])
        for _, code in FENCE.findall(read(SYSTEMS))
        if (named := NAMED.match(code)) and named[1].startswith("ford/")
    ]
    assert len(shown) == 2
    for file, code in shown:
        assert code in file.read_text(encoding="utf-8"), file.name
    chapter = read(SYSTEMS).split("\n## A system\n")[1].split("\n## ")[0]
    named = " ".join(re.findall(r"^\| (`.*?) \|", chapter, re.MULTILINE))
    for path in ford.rglob("*"):
        if path.is_file() and path.name != "README.md" and path.suffix != ".pyc":
            where = path.relative_to(ford).as_posix()
            where = "ford/cases/*.case" if path.suffix == ".case" else where
            assert f"`{where}`" in named, where


@pytest.mark.parametrize("paper", [API, KERNEL, SYSTEMS], ids=lambda path: path.name)
def test_every_block_says_what_it_is(paper: Path) -> None:
    kinds = [kind for kind, _ in FENCE.findall(read(paper))]
    assert set(kinds) <= {"python", "toml", "sh"}
    assert kinds.count("python") >= 5


@pytest.mark.parametrize("paper", [KERNEL, CLUB], ids=lambda path: path.name)
def test_every_folder_of_a_room_is_described(paper: Path) -> None:
    room = ROOT / "src/polemarque" / paper.stem
    inner = {path.parent.name for path in room.glob("*/__init__.py")} - {"migrations"}
    described = re.findall(rf"^[|] `{paper.stem}/(\w+)/` [|] \w", read(paper), re.MULTILINE)
    assert described == sorted(inner)


def test_every_command_is_described() -> None:
    table = read(SYSTEMS).split("## The commands")[1]
    assert re.findall(r"^\| `polemarque (\w+)", table, re.MULTILINE) == [*COMMANDS]


@pytest.mark.parametrize("name", OURS)
def test_every_system_has_its_heading_and_every_option_its_row(name: str) -> None:
    system = find_system(name)
    text = read(SYSTEMS)
    assert f"\n### `{name}`: {system.titles['fr']}" in text
    chapter = text.split(f"\n### `{name}`")[1].split("\n#")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([A-Z]+-[A-Z]?[\d.]+) \| (.+?) \|", chapter, re.MULTILINE)
    wanted = [
        (choice.name, choice.rule, values_of(choice.values, choice.default, choice.number))
        for choice in system.options
    ]
    assert rows == wanted
    for scenario in system.scenarios:
        assert f"`{scenario}`" in chapter


def values_of(values: tuple[object, ...], default: object, number: bool) -> str:
    """An option's values as the paper has them, the default first."""
    if number:
        return f"**{default}**, {values[0]} to {values[1]}"
    rest = [str(value) for value in values if value != default]
    return ", ".join([f"**{default}**", *rest])


def test_every_system_has_both_languages() -> None:
    for name in OURS:
        assert catalogue_of(name).keys("fr") == catalogue_of(name).keys("en")


@pytest.mark.parametrize("name", ["guide.md", "guide.fr.md"])
def test_the_guide_names_what_stands_on_the_pages(name: str) -> None:
    lang = "fr" if name == "guide.fr.md" else "en"
    files = (ROOT / "src/polemarque/web/texts").glob(f"*/texts.{lang}.toml")
    texts = "\n".join(path.read_text(encoding="utf-8") for path in files)
    # A label is a text by itself, or one that goes on with something filled in.
    labels = {said.strip() for said in re.findall(r'= "([^"{]+)', texts)}
    bold = re.findall(r"\*\*(.+?)\*\*", read(DOCS / name), re.DOTALL)
    named = [" ".join(words.split()) for words in bold]
    assert len(named) > 10
    assert [label for label in named if label not in labels] == []


def test_the_guides_are_twins() -> None:
    def bones(name: str) -> tuple[int, int, list[str]]:
        text = read(DOCS / name).replace("FICHIER", "FILE")
        commands = [line.split("  #")[0] for line in text.splitlines() if line[:4] == "    "]
        return text.count("\n## "), text.count("**"), [each.strip() for each in commands]

    assert bones("guide.md") == bones("guide.fr.md")


@pytest.mark.parametrize("paper", sorted(DOCS.glob("*.md")), ids=lambda path: path.name)
def test_links_lead_somewhere(paper: Path) -> None:
    targets = [t for t in re.findall(r"\]\(([^)#]+)", read(paper)) if "://" not in t]
    assert not [target for target in targets if not (paper.parent / target).exists()]
