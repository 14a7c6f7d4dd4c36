"""The house around the code: import law, papers, and nothing of anybody's machine in any file."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from polemarque.kernel.files.rule_ledger import ledger_path, read_ledger, where
from polemarque.kernel.system import find_rulebook, rulebook_names

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "polemarque"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

LONGEST_FILE = 800
LEDGERS = {
    "atlantide.md",
    "batailles-classiques.md",
    "mare-nostrum.md",
    "passerelles.md",
    "promiterra.md",
    "thucidide.md",
}
# Spelt so that this very file does not match.
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:work|root|home|Users)/|[A-Z]:\\Users")
REGISTRY = re.compile("|".join(("pypi[.]org", "python" + "hosted", "--(extra-)?index" + "-url")))


def house_files() -> list[Path]:
    """Every file that is, or would be, committed."""
    if (ROOT / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        found = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        names = found.stdout.decode().split("\0")
        return [ROOT / name for name in names if name and (ROOT / name).is_file()]
    folders = ("src", "tests", "docs", "bench", ".ci")
    deep = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    return [path for path in (*ROOT.glob("*"), *deep) if path.is_file() and path.suffix != ".pyc"]


def matches(pattern: re.Pattern[str]) -> list[str]:
    """Where a pattern occurs in the house's text, as file:line."""
    places = []
    for path in house_files():
        text = path.read_bytes().decode("utf-8", errors="replace")
        for number, line in enumerate(text.splitlines(), 1):
            if pattern.search(line):
                places.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}")
    return places


def imported(path: Path) -> set[str]:
    """Top names of the modules that a file imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module or "")
    return {name if name.startswith("polemarque") else name.split(".")[0] for name in names}


def test_imports_go_one_way() -> None:
    # In a process of its own: the linter switches off every logger there is.
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [linter, "--no-cache"], check=False, cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_kernel_imports_only_the_standard_library_and_msgspec() -> None:
    # mypy brings `typing_extensions` with it, under TYPE_CHECKING: no running program loads it.
    assert "\nfrom typing_extensions" not in (SOURCE / "kernel/agenda.py").read_text("utf-8")
    own = {"msgspec", "polemarque", "typing_extensions", *sys.stdlib_module_names}
    strangers = {
        f"{path.name}: {name}"
        for path in (SOURCE / "kernel").rglob("*.py")
        for name in imported(path)
        if name not in own and not name.startswith("polemarque.kernel")
    }
    assert not strangers


def test_types_are_worked_out_in_one_place() -> None:
    """Two threads that ask msgspec for a new type at once end the process: see `decoding`."""
    asked = re.compile(r"msgspec[.](convert|\w+[.]Decoder)[(]|[.]decode[(].*\btype=")
    named = re.compile(r"from msgspec\S* import .*\b(convert|Decoder|decode|json|toml|yaml)\b")
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.name != "decoding.py" and ("msgspec" in text or ".decode(" in text):
            code = ast.unparse(ast.parse(text))
            found = asked.search(code) or named.search(code)
            assert not found, f"{path}: use polemarque.kernel.files.decoding"


def test_every_own_system_is_registered_and_kept_apart() -> None:
    rooms = {f"polemarque.systems.{path.parent.name}" for path in SOURCE.glob("systems/*/*.py")}
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    apart = next(contract for contract in contracts if contract["type"] == "independence")
    assert set(apart["modules"]) == rooms
    registered = PROJECT["project"]["entry-points"]["polemarque.systems"]
    assert {target.split(":")[0] for target in registered.values()} == rooms


def test_systems_bridges_and_bots_import_the_kernel_through_the_api_alone() -> None:
    """The few exceptions are named in the contract; all of them belong to the room of bots."""
    contracts = PROJECT["tool"]["importlinter"]["contracts"]
    law = next(contract for contract in contracts if contract["id"] == "api")
    excepted = {line.split(" -> ")[0] for line in law["ignore_imports"]}
    assert all(name.startswith("polemarque.bots.") for name in excepted)
    inner = re.compile(r"polemarque[.](kernel|maps)\b")
    offenders = {
        ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
        for room in ("systems", "bridges", "bots")
        for path in (SOURCE / room).rglob("*.py")
        if any(inner.match(name) for name in imported(path))
    }
    assert offenders == excepted


def test_the_installed_package_is_this_one() -> None:
    # A stale installation would find other systems than pyproject.toml names.
    found = {point.name: point.value for point in entry_points(group="polemarque.systems")}
    assert PROJECT["project"]["entry-points"]["polemarque.systems"].items() <= found.items()


def test_no_machine_path_in_any_file() -> None:
    assert not matches(MACHINE_PATH)


def test_no_registry_address_in_any_file() -> None:
    assert not matches(REGISTRY)


def test_constraints_hold_names_and_exact_versions_only() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    shape = re.compile(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*( ; python_version [<>=]+ '[0-9.]+')?")
    assert not [pin for pin in pins if not shape.fullmatch(pin)]
    assert "://" not in "\n".join(lines)


def test_every_dependency_is_pinned() -> None:
    def normal(name: str) -> str:
        return re.sub(r"[-_.]+", "-", name).lower()

    extras = PROJECT["project"]["optional-dependencies"]
    wanted = [*PROJECT["project"]["dependencies"], *extras["test"], *extras["dev"]]
    names = {normal(re.split(r"[<>=\[;]", want)[0]) for want in wanted} - {"polemarque"}
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    pinned = {normal(line.split("==")[0]) for line in constraints.splitlines() if "==" in line}
    assert names <= pinned


@pytest.mark.parametrize("name", ["README.md", "README.fr.md"])
def test_readme_leads_with_the_two_commands(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    title, *rest = [line.strip() for line in text.splitlines() if line.strip()]
    assert title == "# Polémarque"
    assert [line.split("#")[0].strip() for line in rest[:2]] == ["make run", "make test"]


@pytest.mark.parametrize("name", ["README.md", "README.fr.md"])
def test_readmes_name_whose_rules_these_are(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    (section,) = [each for each in text.split("\n## ") if each.startswith(("Whose", "À qui"))]
    said = dict(re.findall(r"^\| \*\*(.+)\*\* \| (.+) \|$", section, flags=re.MULTILINE))
    assert sorted(said) == sorted(
        ["Thucidide", "Atlantide", "Mare Nostrum", "Promiterra", "Batailles classiques"]
    )
    assert "© Vincent Herelle 2021" in said["Thucidide"]
    assert all(name in said["Atlantide"] for name in ("Phil Yates", "Jervis Johnson"))


def test_readmes_are_twins() -> None:
    def bones(name: str) -> tuple[int, list[str], list[str]]:
        text = (ROOT / name).read_text(encoding="utf-8").replace("FICHIER", "FILE")
        text = re.sub(r'"[^"\n]*"', '""', text)  # words of the reader's own language
        commands = [line.split("  #")[0] for line in text.splitlines() if line[:4] == "    "]
        links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "README" not in link]
        links = [link.replace(".fr.md", ".md") for link in links]
        return text.count("\n## "), [command.strip() for command in commands], links

    assert bones("README.md") == bones("README.fr.md")


@pytest.mark.parametrize("paper", sorted(path.name for path in ROOT.glob("*.md")))
def test_links_between_papers_lead_somewhere(paper: str) -> None:
    text = (ROOT / paper).read_text(encoding="utf-8")
    targets = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
    assert not [target for target in targets if not (ROOT / target).exists()]


def test_make_targets_named_in_papers_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE))
    papers = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("*.md"))
    lines = re.findall(r"(?:^    |`)make ([a-z ]+)", papers, flags=re.MULTILINE)
    named = {target for line in lines for target in line.split("  ")[0].split()}
    assert {"run", "test"} <= named <= targets


def test_no_rule_of_today_asks_an_umpire_alone() -> None:
    """An umpire who plays would decide alone what touches an opponent: see `ask_umpire`."""
    alone = re.compile(r"\bask\(\s*UMPIRE\b")
    found = [
        str(path.relative_to(ROOT))
        for path in SOURCE.rglob("*.py")
        if "past" not in path.parts and alone.search(path.read_text(encoding="utf-8"))
    ]
    assert not found


def test_source_files_stay_short() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in SOURCE.rglob("*.py")
        if "migrations" not in path.parts  # written by Django
    }
    assert not {name: length for name, length in lengths.items() if length > LONGEST_FILE}


def test_licence_is_there() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert text.startswith("MIT License")
    assert "2026 Polémarque contributors" in text


def test_all_ledgers_are_there() -> None:
    assert {path.name for path in (ROOT / "docs" / "rules").glob("*.md")} >= LEDGERS


def test_glossary_rows_are_whole_and_said_once() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for chapter in text.split("\n## ")[1:]:
        rows = [line.strip("| ").split(" | ") for line in chapter.splitlines() if line[:1] == "|"]
        assert all(len(row) == 3 and all(row) for row in rows if not row[0].startswith("-"))
        terms = [row[0] for row in rows]
        assert len(terms) == len(set(terms))


def test_ci_is_executable() -> None:
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100


def test_no_folder_is_crowded() -> None:
    for folder in {path.parent for path in SOURCE.rglob("*.py")} - {SOURCE / "club/migrations"}:
        modules = [path.stem for path in folder.glob("*.py") if path.stem != "__init__"]
        assert len(modules) <= 25, folder


BOOKS = [name for name in rulebook_names() if ledger_path(find_rulebook(name)).exists()]


@pytest.mark.parametrize("book", BOOKS)
def test_the_code_that_a_row_of_a_ledger_names_is_written_there_and_names_the_rule(
    book: str,
) -> None:
    """Every row, whether the register has a script of its rule or not: so what moved is found."""
    of = find_rulebook(book)
    stale = []
    for rule, row in read_ledger(ledger_path(of))[0].items():
        if row.code:
            path, line = where(of, row.code)
            named = re.search(rf"{re.escape(rule)}(?!\.?\d)", path.read_text(encoding="utf-8"))
            if not (line and named):
                stale.append(f"{rule}: {row.code}")
    assert not stale
