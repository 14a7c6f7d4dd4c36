"""Papers: booklets and reference cards made from the data, so that no figure can differ."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from polemarque.kernel.files.texts import LANGUAGES
from polemarque.kernel.records.record import Answer
from polemarque.kernel.system import find_rulebook, rulebook_names
from polemarque.report import rulebook_papers
from polemarque.report.documents.document import said
from polemarque.report.rulebook_papers import PAPERS, check_paper, paper, papers_of, played, printed

PRINTED = [(book, kind) for book in rulebook_names() for kind in papers_of(book)]
FRAME = find_rulebook("mare_nostrum")

ALLOWED = re.compile(
    r"\b[A-Z]{2}-[A-Z]?\d*(?:\.\d+)*"  # the id of a rule
    r"|\b\d?D\d+\b"  # a die
    r"|\bby \d+:"  # columns of a table
    r"|(?m:^!.*$)"  # where on the map, which turn
    r"|\bA1\b"  # an army by its code
)
SHOWN = ("frame", "frame_tables", "improvements", "resources", "regimes", "war")
"""Data files of which every figure stands in the booklet."""

OTHER = 77_000
"""This figure and those after it are nowhere."""


def words(book: str, kind: str, lang: str) -> str:
    return "\n".join(said(paper(book, kind, lang)))


@pytest.mark.parametrize(("book", "kind"), PRINTED)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_papers_are_sound_and_hold_no_figure_of_their_own(book: str, kind: str, lang: str) -> None:
    path = find_rulebook(book).data / PAPERS / f"{kind}.{lang}.md"
    assert check_paper(path, find_rulebook(book)) == ()
    text = path.read_text(encoding="utf-8")
    while re.search(r"\{[^{}]*\}", text):
        text = re.sub(r"\{[^{}]*\}", "", text)
    assert re.findall(r".*\d.*", ALLOWED.sub("", text)) == []
    assert words(book, kind, lang)


def test_the_same_stands_in_both_languages() -> None:
    for book, kind in PRINTED:
        folder = find_rulebook(book).data / PAPERS
        french, english = (
            re.sub(r"\b(fr|en)\}", "xx}", (folder / f"{kind}.{lang}.md").read_text("utf-8"))
            for lang in LANGUAGES
        )
        order = r"![a-z]+(?: [\d.]+| [A-Z](?=\s)| [A-Z]+-\w+)*(?=\s|$)"
        blank = re.compile(rf"\{{[?+^]?([a-z_.A-Z0-9-]+)|^(#+|\||{order})", re.MULTILINE)
        assert sorted(map(str, blank.findall(french))) == sorted(map(str, blank.findall(english)))


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of Mare Nostrum, for a club to change; the example, which is slow, is left out."""
    folder = tmp_path_factory.mktemp("club") / "data"
    shutil.copytree(FRAME.data, folder)
    for path in (folder / PAPERS).glob("*.md"):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"(?m)^!.*$", "", text), encoding="utf-8")
    return folder


def figures() -> Iterator[tuple[str, int]]:
    """Each figure of the files that the booklet shows, by its number in the file."""
    for name in SHOWN:
        text = (FRAME.data / f"{name}.toml").read_text(encoding="utf-8")
        yield from ((name, n) for n, _ in enumerate(found_in(text)))


def found_in(text: str) -> list[re.Match[str]]:
    return list(re.finditer(r"(?m)(?<!#)(?<=[a-z] = )-?\d+", re.sub(r"#.*", hidden, text)))


def hidden(remark: re.Match[str]) -> str:
    return " " * len(remark[0])


def test_every_figure_of_the_frame_is_in_the_booklet(copied: Path) -> None:
    """Every tenth figure at once, each changed to one that nothing else has."""
    assert len(list(figures())) > 200
    missing = []
    for first in range(10):
        wanted = {}
        for name in SHOWN:
            path = copied / f"{name}.toml"
            text = path.read_text(encoding="utf-8")
            for number, found in reversed([*enumerate(found_in(text))][first::10]):
                other = str(OTHER + 10 * number + SHOWN.index(name))
                wanted[other] = (name, text[: found.end()].splitlines()[-1])
                text = f"{text[: found.start()]}{other}{text[found.end() :]}"
            path.write_text(text, encoding="utf-8")
        for lang in LANGUAGES:
            told = " ".join(said(printed(FRAME, copied, "booklet", lang)))
            missing += [(lang, *wanted[other]) for other in wanted if other not in told]
        for name in SHOWN:
            shutil.copyfile(FRAME.data / f"{name}.toml", copied / f"{name}.toml")
    assert missing == []


def test_a_changed_figure_replaces_the_old_one(copied: Path) -> None:
    path = copied / "frame.toml"
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace("treaty = 20", "treaty = 35"), encoding="utf-8")
    told = list(said(printed(FRAME, copied, "booklet", "fr")))
    path.write_text(before, encoding="utf-8")
    assert "+35" in told
    assert "+20" not in told


def test_every_event_good_and_province_is_named() -> None:
    data = {
        name: tomllib.loads((FRAME.data / f"{name}.toml").read_text(encoding="utf-8"))
        for name in ("resources", "mediterranean", "improvements", "texts.fr", "frame_tables")
    }
    told = words("mare_nostrum", "booklet", "fr").replace("\u2019", "'")
    wanted = [one["name"]["fr"] for one in data["mediterranean"]["province"]]
    texts = data["texts.fr"]
    wanted += [texts["resource"][one["key"]] for one in data["resources"]["resource"]]
    wanted += [texts["improvement"][one["key"]] for one in data["improvements"]["improvement"]]
    events = data["frame_tables"]["tables"]["MN-F5"]["rows"]
    wanted += [texts["event"][one["event"]] for one in events]
    assert [word for word in wanted if word.replace("\u2019", "'") not in told] == []


def test_the_example_is_played_as_it_is_written() -> None:
    """No answer of the example is refused: the rules would answer for the absent in its place."""
    path = FRAME.data / PAPERS / "example.toml"
    wanted = tomllib.loads(path.read_text(encoding="utf-8"))["answer"]
    entries = [e for e in played(FRAME.name, path).game.entries if isinstance(e, Answer)]
    given = {(e.key.seat, e.key.rule, e.key.period) for e in entries if e.by != "absent"}
    assert [one for one in wanted if (one["seat"], one["rule"], one["turn"]) not in given] == []


@pytest.mark.parametrize(
    ("line", "code", "what"),
    [
        ("Prix : {frame.trade.nothing} PO.", "paper.figure", "nothing"),
        ("{nofile.price}", "paper.figure", "nofile"),
        ("{option.nothing}", "paper.figure", "nothing"),
        ("{code.state.NOTHING}", "paper.figure", "NOTHING"),
        ("{text.god.nothing}", "paper.figure", "god.nothing"),
        ("| a | b |\neach resources.nothing: | {key} | {value} |", "paper.figure", "nothing"),
        ("| a |\neach resources.resource: | {worth} |", "paper.figure", "worth"),
        ("| a | b |\n| c |", "paper.order", "c"),
        ("!picture 1 2", "paper.order", "!picture"),
        ("!matrix", "paper.order", "!matrix"),
        ("## {frame.trade.nothing}", "paper.figure", "nothing"),
    ],
)
def test_what_cannot_be_printed_is_named_with_its_line(
    tmp_path: Path, line: str, code: str, what: str
) -> None:
    shutil.copytree(FRAME.data, tmp_path / "data")
    path = tmp_path / "data" / PAPERS / "booklet.fr.md"
    path.write_text(f"# Titre\n\nUn mot.\n\n{line}\n", encoding="utf-8")
    (finding,) = check_paper(path, FRAME)
    assert (finding.file, finding.line, finding.code) == (str(path), 5, code)
    assert what in str(finding.data["what"])


def test_a_broken_blank_is_named(tmp_path: Path) -> None:
    shutil.copytree(FRAME.data, tmp_path / "data")
    path = tmp_path / "data" / PAPERS / "booklet.fr.md"
    path.write_text("# Titre\n\n{frame.trade.own\n", encoding="utf-8")
    (finding,) = check_paper(path, FRAME)
    assert (finding.line, finding.code) == (3, "texts.braces")


@pytest.mark.parametrize(("book", "kind"), PRINTED)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_papers_have_the_length_they_promise(book: str, kind: str, lang: str) -> None:
    typst = pytest.importorskip("typst")
    from polemarque.report.documents import pdf

    report = pdf.msgspec.json.encode(pdf.report_of(paper(book, kind, lang))).decode()
    pages = typst.compile(
        pdf._TEMPLATE.read_bytes(), format="png", ppi=8, sys_inputs={"report": report},
        font_paths=typst.Fonts(include_system_fonts=False),
    )  # fmt: skip
    count = len(pages) if isinstance(pages, list) else 1
    least, most = {"booklet": (8, 12), "card": (1, 1)}[kind]
    assert least <= count <= most


def test_french_is_printed_as_french() -> None:
    for book, kind in PRINTED:
        told = words(book, kind, "fr")
        assert not re.search(r"[^\s\u00a0\u202f][;!?](?=\s|$)|[^\s\u00a0\u202f:]:(?=\s|$)", told)
        assert not re.search(r"\b(nul|nulle|vaut|se lit)\b|'", told), (book, kind)


def test_unknown_papers_are_refused_with_those_there_are() -> None:
    with pytest.raises(rulebook_papers.NotUnderstood) as refused:
        paper("mare_nostrum", "novel", "fr")
    assert "booklet" in refused.value.legal


@pytest.mark.parametrize(
    ("name", "content"), [("card.fr.md", b"# \xff"), ("example.toml", b"scenario = ")]
)
def test_an_unreadable_paper_or_example_is_one_fault(
    tmp_path: Path, name: str, content: bytes
) -> None:
    shutil.copytree(FRAME.data, tmp_path / "data")
    folder = tmp_path / "data" / PAPERS
    (folder / name).write_bytes(content)
    assert [one.code for one in check_paper(folder / "card.fr.md", FRAME)] == ["paper.unreadable"]
