"""All formats say the same, and nothing that is said becomes a mark in any of them."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest

from polemarque.report.documents.bbcode import WORD_JOINER, bbcode
from polemarque.report.documents.document import (
    Citation,
    Document,
    Line,
    Paragraph,
    Picture,
    Section,
    Span,
    Table,
    Verbatim,
    Why,
    line,
    paragraph,
    said,
)
from polemarque.report.documents.pdf import report_of
from polemarque.report.documents.writers import FORMATS, WIDTH, posts, write

NASTY = (
    "<script>alert('x')</script> & <b>",
    "[b]gras[/b] [url=x]y[/url] [*] [Tour 3]",
    "*étoiles* _soulignés_ `code` ~~rayé~~ | barre",
    "# titre",
    "1. premier",
    "12) second",
    "- tiret",
    "+ plus",
    "> citation",
    "===",
    "a\\b [lien](adresse) ![image](x) &amp; &lt;",
    "« Où ça ? »\u202f; 100\u00a0%",
    "$x$ & 5 < 6 > 4",
)


def document() -> Document:
    why = Why(
        "Pourquoi ?", (Citation("AT-9.5", "Résultat [x]"), Citation("AT-9.4")),
        ("Force 13 (infanterie +12, héros +1).", "Écart -1 : <indécis>."),
        ("Défense : dés (3, 4).",),
    )  # fmt: skip
    long = "Une très longue phrase qui raconte la bataille. " * 30
    return Document(
        "La guerre d'<Hésiode>", "fr",
        (
            paragraph("Deux camps.", "em"),
            Section("Tour 1", (
                *(line(text) for text in NASTY),
                Section("Conquête [phase]", (line("L'assaut.", why), line(long, why))),
                line("Après la bataille.", Why("Pourquoi ?", (Citation("AT-8.1", "La [b]"),))),
                Table(("camp", "PM"), (("A|B", "12"), ("<C>", "-3"), ("", "0")), "Pertes [PM]"),
            )),
            Section("Tour 2", (
                Line((Span("Fin "), Span("de [b]", "strong"), Span(" la ", "em"), Span("guerre."))),
                Paragraph((Span("Adieu."),)),
                Picture("<svg viewBox='0 0 1 1'></svg>", "Deux courbes & un axe", "Figure [1]"),
            )),
        ),
    )  # fmt: skip


class Reader(HTMLParser):
    """What a browser would show, and whether all tags are closed in order."""

    VOID = ("meta",)

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        self.shown += [value for name, value in attrs if name == "aria-label"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"style", "title"} & set(self.open):
            self.shown.append(data)


def shown_by_html(page: str) -> str:
    reader = Reader()
    reader.feed(page)
    assert not reader.open
    return " ".join(reader.shown)


def shown_by_markdown(text: str) -> str:
    """The words of our own small part of Markdown; marks that are not escaped are dropped."""
    lines = [re.sub(r"^(#+ |> )", "", one) for one in text.splitlines() if one != "| --- | --- |"]
    text = " ".join(lines)
    text = re.sub(r"(?<!\\)[*|]", " ", text)
    return re.sub(r"\\([\\`*_\[\]<>&|~$#+=.)-])", r"\1", text)


def shown_by_bbcode(text: str) -> str:
    text = re.sub(r"\[spoiler=([^\]]*)\]", r" \1 ", text)
    text = re.sub(r"\[/?(b|i|u|code|spoiler)\]", "", text)
    return text.replace(WORD_JOINER, "")


SHOWN = {
    "text": lambda text: text,
    "md": shown_by_markdown,
    "bbcode": shown_by_bbcode,
    "html": shown_by_html,
}


def plain(text: str) -> str:
    """Letters and figures only; what draws lines or spaces is no content."""
    return re.sub(r"[\s═─·|]+", "", text)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_says_all_of_it_in_order(form: str) -> None:
    whole, at = plain(SHOWN[form](write(document(), form))), 0
    for words in said(document()):
        wanted = plain(words)
        found = whole.find(wanted, at)
        assert found >= 0, f"{form} does not say {words!r} after {whole[max(0, at - 60) : at]!r}"
        at = found + len(wanted)


def test_html_stands_alone_and_nothing_in_it_is_live() -> None:
    page = write(document(), "html")
    reader = Reader()
    reader.feed(page)
    assert set(reader.seen) <= {
        "html", "head", "meta", "title", "style", "body", "main", "section", "h1", "h2", "h3", "p",
        "em", "strong", "details", "summary", "ul", "li", "div", "table", "caption", "thead", "tr",
        "th", "tbody", "small", "td", "figure", "figcaption", "svg",
    }  # fmt: skip
    assert '<html lang="fr">' in page
    assert "http" not in page
    assert "prefers-color-scheme" in page
    assert page.count("<details>") == 2
    assert page.count("Pourquoi ?</summary>") == 2
    assert "&lt;script&gt;" in page
    assert unescape("&lt;script&gt;") not in page


def test_no_bracket_of_the_story_is_a_tag() -> None:
    text = write(document(), "bbcode")
    tags = re.findall(r"\[[A-Za-z/*!][^\]]*\]", text)
    known = re.compile(r"\[/?(b|i|u|code|spoiler)\]|\[spoiler=Pourquoi \?\]")
    assert tags
    assert all(known.fullmatch(tag) for tag in tags)
    assert balanced(text)


def balanced(text: str) -> bool:
    opened: list[str] = []
    for close, tag in re.findall(r"\[(/?)(b|i|u|code|spoiler)(?:=[^\]]*)?\]", text):
        if not close:
            opened.append(tag)
        elif not opened or opened.pop() != tag:
            return False
    return not opened


@pytest.mark.parametrize("limit", [200, 333, 1000, 100_000])
def test_posts_are_short_enough_and_whole_and_say_everything(limit: int) -> None:
    parts = posts(document(), limit)
    assert all(len(part) <= limit for part in parts)
    assert all(map(balanced, parts))
    assert (len(parts) == 1) == (limit == 100_000)
    rest = [re.sub(r"\n\n\[i\]\(\d+/\d+\)\[/i\]$", "", part) for part in parts]
    label = plain("Pourquoi ?")
    everything = plain(" ".join(map(shown_by_bbcode, rest))).replace(label, "")
    assert everything == plain(shown_by_bbcode(write(document(), "bbcode"))).replace(label, "")


def test_markdown_posts_are_short_enough_and_close_what_they_open() -> None:
    rows = tuple((f"row {n}", "x" * 20) for n in range(40))
    told = Document("Orders", "en", (Table(("name", "what"), rows), Verbatim(("line",) * 200)))
    parts = posts(told, 400, "md")
    assert all(len(part) <= 400 for part in parts)
    assert all(part.count("```") % 2 == 0 for part in parts)
    rest = [re.sub(r"\n\n\*\(\d+/\d+\)\*$", "", part) for part in parts]
    tabled = [part for part in rest if "| row" in part]
    assert all("| name | what |\n| --- | --- |\n| row" in part for part in tabled)
    assert "\n".join(rest).count("| row") == 40 and "\n".join(rest).count("line") == 200


def test_reasons_have_the_tag_of_the_forum_or_are_left_out() -> None:
    why = Why("Why?", (Citation("AT-9.5", "Result"),), ("Force 13.",))
    told = Document("x", "fr", (line("It falls", why),))
    assert "[hide=" in bbcode(told, "hide") and "[/hide]" in bbcode(told, "hide")
    assert "[spoiler" in bbcode(told)
    assert bbcode(told, "").endswith("[/b]\n\nIt falls\n")


def test_a_word_longer_than_a_post_is_cut() -> None:
    parts = posts(Document("x", "fr", (line("m" * 1000),)), 200)
    assert all(len(part) <= 200 for part in parts)
    assert "".join(parts).count("m") == 1000
    with pytest.raises(ValueError, match="too short"):
        posts(Document("x", "fr"), 50)


def test_markdown_keeps_each_line_a_paragraph() -> None:
    text = write(document(), "md")
    for words, escaped in (
        ("# titre", "\\# titre"), ("1. premier", "1\\. premier"), ("- tiret", "\\- tiret"),
        ("===", "\\==="), ("12) second", "12\\) second"), ("+ plus", "\\+ plus"),
    ):  # fmt: skip
        assert f"\n\n{escaped}\n\n" in text
        assert f"\n\n{words}\n" not in text
    assert "\n\n> *Pourquoi ?* Force 13" in text
    assert "Fin **de \\[b\\]** *la* guerre." in text
    assert "\\<script\\>" in text
    assert "\\`code\\`" in text


def test_text_is_narrow_and_sets_its_reasons_in() -> None:
    lines = write(document(), "text").splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert lines[1] == "═" * len(lines[0])
    assert any(one.startswith("    Pourquoi ? Force 13") for one in lines)
    assert "A|B   12" in lines
    assert "<C>   -3" in lines


def test_a_table_too_broad_for_text_is_a_list_again() -> None:
    """Two columns beside one another, as a booklet sets them, are told one after the other."""
    head = ("D100", "Event", "D100", "Event")
    rows = (("1", "flood " * 8, "3", "fire " * 8), ("2", "plague " * 8, "", ""))
    table = Table(head, rows)
    told = write(Document("x", "en", (table,)), "text")
    starts = [line.split()[:3] for line in told.splitlines() if " – " in line]
    assert starts == [["1", "–", "flood"], ["2", "–", "plague"], ["3", "–", "fire"]]
    assert "Event" not in told  # a row of two cells says that by its first
    assert max(map(len, told.splitlines())) <= WIDTH
    three = Table(("Who", "Loot", "Lands"), (("A", "5", "rhiza " * 20),))
    assert "A · Loot – 5 · Lands – rhiza" in write(Document("x", "en", (three,)), "text")


def test_an_empty_document_has_a_title_in_every_format() -> None:
    for form in FORMATS:
        assert "Rien" in write(Document("Rien", "fr"), form)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(KeyError):
        write(document(), "pdf")


def test_lines_to_be_copied_stand_as_they_are_in_every_format() -> None:
    lines = ("=== <b> ===", "1. a: ____", "", "```", "· [b]x[/b]")
    document = Document("Orders", "en", (Verbatim(lines),))
    assert "\n".join(lines) in write(document, "text")
    assert "\n````\n" + "\n".join(lines) + "\n````\n" in write(document, "md")
    assert "[code]=== <b> ===\n1. a: ____" in write(document, "bbcode")
    assert "[b]x" not in write(document, "bbcode")
    assert "<pre>=== &lt;b&gt; ===\n1. a: ____\n\n```\n" in write(document, "html")
    assert report_of(document)["blocks"] == [{"type": "verbatim", "lines": list(lines)}]
    assert list(said(document)) == ["Orders", *filter(None, lines)]
    pieces = posts(Document("Orders", "en", (Verbatim(("line",) * 200),)), 400)
    assert len(pieces) > 2 and all(p.count("[code]") == p.count("[/code]") == 1 for p in pieces[1:])
