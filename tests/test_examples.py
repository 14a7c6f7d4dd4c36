"""The example systems: strangers' packages that work in every door, as what `new system` writes."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from polemarque.cli.common import run
from polemarque.kernel.files.texts import Catalogue
from polemarque.kernel.system import find_system
from polemarque.odds.consult import find_question
from tests.strangers import installed, lay_out
from tests.web import conftest
from tests.web.people import browser
from tests.web.world import world

nothing_in_memory = conftest.nothing_in_memory

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
RULES = {"rapids": "RAPIDS-2", "beacons": "BEACON-2", "my_river": "MYRIVER-2"}
"""System -> a rule that can be asked alone.  The last one is newly written."""


@pytest.fixture(params=RULES)
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A folder of each, installed; the working folder is another."""
    name, home = request.param, tmp_path / "there" / request.param
    if (EXAMPLES / name).exists():
        shutil.copytree(EXAMPLES / name, home, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        assert run(["new", "system", name, str(home)]) == 0
    lay_out(home)
    with installed(home), pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        yield home


def test_its_own_tests_pass(project: Path) -> None:
    outside = {name: value for name, value in os.environ.items() if not name.startswith("DJANGO")}
    path = os.pathsep.join((str(project), str(ROOT / "src")))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", "."],
        cwd=project, env={**outside, "PYTHONPATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\d\d passed in", done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_every_command_knows_it(
    project: Path, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = project.name
    for words in (
        ["run", name, "--seed", "1", "--out", "game"],
        ["consult", RULES[name], "--odds"],
        ["study", name, "--games", "4", "--workers", "1", "--out", "study"],
        ["cases", name],
        ["rules", name, "--coverage"],
        *([["check"]] if lang == "fr" else []),  # it looks at all there is: once is enough
    ):
        assert run([*words, "--lang", lang]) == 0, (words, capsys.readouterr())
    shown = capsys.readouterr()
    assert not shown.err
    told = Path("game/chronicle.md").read_text(encoding="utf-8")
    assert RULES[name].partition("-")[0] in told


@pytest.mark.django_db
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_its_seat_page_says_everything_in_words(project: Path, lang: str) -> None:
    made = world(system=project.name, seats=2)
    answer = made.browser("commander", lang=lang).get(f"/c/{made.campaign.code}/seat/A/")
    assert answer.status_code == 200
    page = unescape(answer.content.decode())
    (seen,) = re.findall(r'<pre class="plate-told"[^>]*>(.*?)</pre>', page, re.DOTALL)
    texts = Catalogue.load(find_system(project.name).data)
    for key in texts.keys(lang):
        if key.startswith("view."):
            assert texts.say(lang, key) in seen, key
    assert texts.say(lang, f"ask.{RULES[project.name][:-1]}1") in page


@pytest.mark.django_db
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_its_rules_and_what_can_be_asked_have_their_words(project: Path, lang: str) -> None:
    rule, client = RULES[project.name], browser(lang=lang)
    prefix, texts = rule.partition("-")[0], Catalogue.load(find_system(project.name).data)
    book = unescape(client.get(f"/rules/{project.name}/").content.decode())
    assert f'<h2 id="{prefix}">{texts.say(lang, f"rules.chapter.{prefix}")}</h2>' in book
    assert client.get(f"/rules/{project.name}/{rule}/").status_code == 200
    form = unescape(client.get(f"/consult/{rule}/").content.decode())
    _, question = find_question(rule)
    for name in question.inputs.__struct_fields__:
        assert texts.say(lang, f"input.{name}") in form


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.iterdir()))
def test_it_imports_what_every_stranger_may(name: str) -> None:
    for file in (EXAMPLES / name).rglob("*.py"):
        found: set[str] = set()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                found.add(str(node.module))
            elif isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
        ours = {module for module in found if module.split(".")[0] == "polemarque"}
        assert {".".join(module.split(".")[:2]) for module in ours} <= {
            "polemarque.api", "polemarque.testing",
        }  # fmt: skip
