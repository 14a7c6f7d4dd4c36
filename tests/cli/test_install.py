"""The program as others get it: from a wheel in an empty environment, and by uvx from a folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from polemarque import __version__
from tests.web.served import PATIENCE, free_port

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
BESIDE = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def environment() -> dict[str, str]:
    """Without what would lead back into this checkout or to somebody's club."""
    outside = ("PYTHON", "VIRTUAL_ENV", "POLEMARQUE_", "DJANGO_", "COLUMNS")
    return {k: v for k, v in os.environ.items() if not k.startswith(outside)}


def tool(name: str) -> str:
    """A program of the extra `test`: uv, or uvx."""
    found = shutil.which(name, path=BESIDE)
    assert found, f"{name} is missing: pip install -e '.[test]'"
    return found


def done(*words: object, cwd: Path) -> str:
    """What a command says that has to succeed."""
    end = subprocess.run(
        list(map(str, words)),
        check=False,
        cwd=cwd,
        env=environment(),
        text=True,
        capture_output=True,
    )
    assert end.returncode == 0, end.stdout + end.stderr
    return end.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`polemarque`, from a wheel, in an environment that holds only what the wheel asks for."""
    place = tmp_path_factory.mktemp("installed")
    done(tool("uv"), "build", "--quiet", "--wheel", "--out-dir", place, ROOT, cwd=place)
    (wheel,) = place.glob("*.whl")
    done(tool("uv"), "venv", "--quiet", "--python", sys.executable, place / "empty", cwd=place)
    folder = place / "empty" / ("Scripts" if sys.platform == "win32" else "bin")
    pip = [tool("uv"), "pip", "install", "--quiet", "--python", folder / "python"]
    done(*pip, "--constraint", ROOT / "constraints.txt", wheel, cwd=place)
    return folder / "polemarque"


@contextmanager
def serving(*words: object, cwd: Path) -> Iterator[str]:
    """A club that a command serves; where it is."""
    port = free_port()
    command = [*map(str, words), "serve", "--port", str(port), "--data", str(cwd / "club")]
    with (cwd / "log.txt").open("w") as log:
        process = subprocess.Popen(
            command, cwd=cwd, env=environment(), stdout=log, stderr=log, start_new_session=True
        )
        try:
            until = time.monotonic() + PATIENCE
            while not _open(port):
                assert process.poll() is None, (cwd / "log.txt").read_text()
                assert time.monotonic() < until, "the server does not answer"
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            with suppress(ProcessLookupError):  # it has ended, and its log says why
                os.killpg(process.pid, 2)
            process.wait(PATIENCE)


def _open(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/", timeout=PATIENCE):
            return True
    except OSError:
        return False


def page(address: str) -> str:
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        assert answer.status == 200
        read: bytes = answer.read()
        return read.decode()


def test_an_installed_program_runs_tells_cases_and_serves(installed: Path, tmp_path: Path) -> None:
    assert done(installed, "--version", cwd=tmp_path).strip() == __version__
    english = ("--lang", "en")
    told = done(installed, "rules", "atlantide", "AT-9.5", *english, cwd=tmp_path)
    here = done(sys.executable, "-m", "polemarque", "rules", "atlantide", "AT-9.5", *english,
                cwd=ROOT)  # fmt: skip
    cases = told.partition("Cases")[2].splitlines()[1:]
    assert len(cases) > 5 and cases == here.partition("Cases")[2].splitlines()[1:]
    game = ("run", "batailles", "--seed", "3", "--out", "out", *english)
    done(installed, *game, cwd=tmp_path)
    assert any((tmp_path / "out").glob("*.json"))
    with serving(installed, cwd=tmp_path) as address:
        assert "AT-9.5" in page(f"{address}/rules/atlantide/") and page(f"{address}/")


SEATED = """
import sys
from pathlib import Path
from polemarque.cli.commands.club import prepared, up_to_date
prepared(Path("club"))
up_to_date(Path("club"))
from django.test import Client
from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, sit_down
from polemarque.club.models import Person
for name in sys.argv[1:]:
    person = Person.objects.create_user(name, password="thalassa-thalassa", called=name)
    made = make(name, CampaignPlan(name, "", 2, {}), person, bots={"B": "steady"})
    sit_down(made, "A", person)
    begin(made)
    client = Client(HTTP_HOST="localhost")
    client.force_login(person)
    page = client.get(f"/c/{made.code}/seat/A/")
    assert page.status_code == 200 and b'class="plate-told"' in page.content, (name, page)
"""
"""A club in which everybody who is called as a system is at a campaign of it, and sees the seat."""


def test_systems_of_strangers_work_where_they_are_installed(
    installed: Path, tmp_path: Path
) -> None:
    rules = {"rapids": "RAPIDS-2", "beacons": "BEACON-2", "old_gate": "OLDGATE-2"}
    done(installed, "new", "system", "old_gate", "written/old_gate", cwd=tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "written", dirs_exist_ok=True)
    folders = [tmp_path / "written" / name for name in rules]
    python = installed.with_name("python")
    pip = [tool("uv"), "pip", "install", "--quiet", "--python", python]
    done(*pip, "--constraint", ROOT / "constraints.txt", "pytest", *folders, cwd=tmp_path)
    for folder, (name, rule) in zip(folders, rules.items(), strict=True):
        tests = shutil.copytree(folder / "tests", tmp_path / f"tests_of_{name}")
        assert " passed" in done(python, "-m", "pytest", "-q", "-W", "error", tests, cwd=tmp_path)
        cases = done(installed, "cases", name, "--lang", "en", cwd=tmp_path)
        assert cases.rstrip().endswith(" hold, 0 fail.")
        done(installed, "run", name, "--out", f"out/{name}", cwd=tmp_path)
        assert "%" in done(installed, "consult", rule, "--odds", cwd=tmp_path)
        done(installed, "study", name, "--games", "4", cwd=tmp_path)
    done(python, "-c", SEATED, *rules, cwd=tmp_path)


def test_uvx_serves_from_a_folder(tmp_path: Path) -> None:
    with serving(tool("uvx"), "--from", ROOT, "polemarque", cwd=tmp_path) as address:
        assert "</html>" in page(f"{address}/")
