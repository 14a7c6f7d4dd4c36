"""The ledger against papers, source and tests, with every kind of hole planted and found."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from polemarque.kernel.files.findings import CheckFailed
from polemarque.kernel.files.rule_ledger import (
    Hole,
    cases_in,
    cases_of,
    cited_rules,
    coverage,
    docs_of,
    find_code,
    is_rule_id,
    ledger_ids,
    ledger_path,
    read_ledger,
    where,
)
from polemarque.kernel.system import System
from tests.kernel import toy

DOCS = """# XX — an invented book

Book: none. Code name: `planted`.

## XX-1 A chapter that is no rule
- **XX-1.1** A rule with everything.
- **XX-1.2** A rule. *Variant* `mud`: `dry` | `deep`; like **XX-9.9** of another book.
- **XX-1.3** *Example (must be a test)*: 3 and 4 make 7.
- **XX-F4** A figure.
- A line without id.
- **variant** Not an id.
"""

LEDGER = """
["XX-1.1"]
title = { fr = "Une règle", en = "A rule" }
text = { fr = "Il y a une règle.", en = "There is a rule." }
code = "chapter.rule"
cases = "tests/cases/XX-1.1.case"

["XX-1.2"]
title = { fr = "Boue", en = "Mud" }
text = { fr = "De la boue.", en = "Some mud." }
code = "chapter.Thing.method"

["XX-1.3"]
title = { fr = "Exemple", en = "Example" }
text = { fr = "3 et 4 font 7.", en = "3 and 4 make 7." }
kind = "example"

["XX-F4"]
title = { fr = "Un chiffre", en = "A figure" }
text = { fr = "C'est un chiffre.", en = "It is a figure." }
code = "deep.inner.TABLE"
"""

CHAPTER = '''"""Chapter XX-9.1, told in prose, which does not count."""

from __future__ import annotations

MUD = "XX-1.2"


def begin(setup, seats, options):
    return None, []


def rule():
    """XX-9.2 neither."""
    return ("XX-1.1/reveal", "not XX-9.3 at all")


class Thing:
    def method(self):
        return MUD
'''

CASES = """# a comment
XX-1.1.a  First example of the book
  given   nothing
  expect  nothing

XX-1.1.b  Another
XX-1.3    The sum
"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A house with a system in which nothing is missing."""
    files = {
        "docs/rules/planted.md": DOCS,
        "docs/rules/other.md": "# Other\nCode name: `other`.\n- **YY-1.1** x\n",
        "planted_xx/__init__.py": "",
        "planted_xx/chapter.py": CHAPTER,
        "planted_xx/deep/__init__.py": "",
        "planted_xx/deep/inner.py": "A = 1\nTABLE: int = 3\n",
        "planted_xx/ledger.toml": LEDGER,
        "planted_xx/data/table.toml": 'rule = "XX-F4"\nrows = []\n',
        "planted_xx/data/texts.fr.toml": '["XX-9.4"]\nkind = "XX-9.5"\n',
        "tests/cases/XX-1.1.case": CASES,
        "tests/sub/test_mud.py": '"""Nothing."""\n\ndef test_mud():\n    "See (XX-1.2)."\n',
        "tests/sub/test_f.py": "def test_XX_F4_is_a_figure():\n    pass\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("planted_xx")]:
        del sys.modules[name]


def planted(house: Path) -> System:
    from importlib import import_module

    begin = import_module("planted_xx.chapter").begin
    return replace(toy.DUEL, name="planted", begin=begin, data=house / "planted_xx" / "data")


def holes(house: Path) -> list[Hole]:
    return coverage(planted(house), house / "docs" / "rules", house / "tests")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_whole_ledger_has_no_hole(house: Path) -> None:
    assert holes(house) == []


def test_an_id_of_the_papers_without_a_row(house: Path) -> None:
    edit(house / "docs/rules/planted.md", "- A line", "- **XX-1.10** New.\n- A line")
    assert holes(house) == [
        Hole("XX-1.10", "row"), Hole("XX-1.10", "citation"), Hole("XX-1.10", "case")
    ]  # fmt: skip


def test_a_row_that_the_papers_do_not_know(house: Path) -> None:
    edit(house / "docs/rules/planted.md", "- **XX-F4** A figure.\n", "")
    assert holes(house) == [Hole("XX-F4", "rule", "planted.md")]


@pytest.mark.parametrize("code", ["chapter.rules", "nowhere.rule", "chapter.Thing.none"])
def test_code_that_is_not_there(house: Path, code: str) -> None:
    edit(house / "planted_xx/ledger.toml", "chapter.rule", code)
    assert holes(house) == [Hole("XX-1.1", "code", code)]


def test_code_that_is_not_named(house: Path) -> None:
    edit(house / "planted_xx/ledger.toml", 'code = "chapter.rule"\n', "")
    assert holes(house) == [Hole("XX-1.1", "code")]


def test_code_that_cannot_be_imported(house: Path) -> None:
    edit(house / "planted_xx/deep/inner.py", "A = 1", "import nothing_of_that_name")
    assert holes(house) == [Hole("XX-F4", "code", "deep.inner.TABLE")]


def test_a_rule_that_nothing_cites(house: Path) -> None:
    edit(house / "planted_xx/chapter.py", 'MUD = "XX-1.2"', 'MUD = "XX-1.20 is XX-1.2"')
    assert holes(house) == [Hole("XX-1.2", "citation")]
    edit(house / "planted_xx/data/table.toml", "rule", "# rule")
    assert holes(house)[1:] == [Hole("XX-F4", "citation")]


def test_a_rule_that_nothing_tests(house: Path) -> None:
    edit(house / "tests/cases/XX-1.1.case", "XX-1.3 ", "XX-1.30 ")
    edit(house / "tests/sub/test_mud.py", "XX-1.2", "XX-1.22")
    assert holes(house) == [Hole("XX-1.2", "case"), Hole("XX-1.3", "case")]


def test_a_file_of_cases_that_is_not_there(house: Path) -> None:
    edit(house / "planted_xx/ledger.toml", "XX-1.1.case", "XX-1.1.cases")
    assert holes(house) == [Hole("XX-1.1", "case", "tests/cases/XX-1.1.cases")]


def test_a_title_or_text_without_one_of_its_languages(house: Path) -> None:
    edit(house / "planted_xx/ledger.toml", ', en = "Mud"', "")
    edit(house / "planted_xx/ledger.toml", 'fr = "3 et 4 font 7."', 'fr = " "')
    assert holes(house) == [Hole("XX-1.2", "title", "en"), Hole("XX-1.3", "text", "fr")]
    _, findings = read_ledger(house / "planted_xx/ledger.toml")
    assert [(f.line, f.place, f.code, f.data["language"]) for f in findings] == [
        (9, "XX-1.2", "ledger.language", "en"), (15, "XX-1.3", "ledger.language", "fr")
    ]  # fmt: skip


def test_a_ledger_that_cannot_be_read_is_refused_with_its_line(house: Path) -> None:
    edit(house / "planted_xx/ledger.toml", 'kind = "example"', 'kind = "sample"')
    with pytest.raises(CheckFailed) as refused:
        holes(house)
    (finding,) = refused.value.findings
    assert (finding.line, finding.place, finding.code) == (13, "XX-1.3", "ledger.row")
    (house / "planted_xx/ledger.toml").unlink()
    with pytest.raises(CheckFailed, match=r"file\.missing"):
        holes(house)


def test_rows_are_read_in_order(house: Path) -> None:
    rows, wrong = read_ledger(ledger_path(planted(house)))
    assert not wrong
    assert list(rows) == ["XX-1.1", "XX-1.2", "XX-1.3", "XX-F4"]
    assert rows["XX-1.2"].title["en"] == "Mud"
    assert rows["XX-1.3"].kind == "example"


def test_papers_are_found_by_the_code_name_they_give(house: Path) -> None:
    folder = house / "docs" / "rules"
    paper = docs_of(planted(house), folder)
    assert paper == folder / "planted.md"
    assert ledger_ids(paper) == ("XX-1.1", "XX-1.2", "XX-1.3", "XX-F4")
    assert docs_of(replace(planted(house), name="plant"), folder) is None


def test_code_is_found_with_its_file_and_line(house: Path) -> None:
    system = planted(house)
    assert system.package == "planted_xx"
    assert find_code(system, "chapter.rule")() == ("XX-1.1/reveal", "not XX-9.3 at all")
    assert where(system, "chapter.rule") == (house / "planted_xx/chapter.py", 12)
    assert where(system, "chapter.Thing.method")[1] == 18
    assert where(system, "deep.inner.TABLE") == (house / "planted_xx/deep/inner.py", 2)
    assert where(system, "chapter.annotations")[1] == 0
    with pytest.raises(ImportError):
        where(system, "nowhere.rule")


def test_prose_is_no_citation(house: Path) -> None:
    assert cited_rules(planted(house)) == {"XX-1.1", "XX-1.2", "XX-F4"}


def test_cases_have_their_titles(house: Path) -> None:
    assert cases_in(house / "tests/cases/XX-1.1.case")["XX-1.1.b"] == "Another"
    assert cases_of("XX-1.1", house / "tests") == {
        "XX-1.1.a": "First example of the book", "XX-1.1.b": "Another"
    }  # fmt: skip


@pytest.mark.parametrize("word", ["AT-1.2", "BC-2.10", "MN-F3", "PA-3", "MN-B.1", "TH-5.5"])
def test_what_is_a_rule_id(word: str) -> None:
    assert is_rule_id(word)


@pytest.mark.parametrize("word", ["AT", "AT-", "at-1.2", "AT-1.", "AT-1.2/x", "AT-1.2.c", "A-B C"])
def test_what_is_none(word: str) -> None:
    assert not is_rule_id(word)
