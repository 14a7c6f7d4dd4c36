"""Writers: one report tree as text, Markdown, BBCode or HTML, all saying the same."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from polemarque.report.documents.bbcode import SPOILER, bbcode, bbcode_parts
from polemarque.report.documents.document import (
    Document,
    Leaf,
    Line,
    Paragraph,
    Picture,
    Span,
    Table,
    Verbatim,
    columns,
    joined,
    walk,
)
from polemarque.report.documents.html import html
from polemarque.report.documents.posts import Part, Run, packed

WIDTH = 78
"""Columns of the text format."""

Cells: TypeAlias = tuple[str, ...]


def write(document: Document, form: str) -> str:
    """The document in one of `FORMATS`.  Raises KeyError on an unknown one."""
    return _WRITERS[form](document)


POSTED = ("bbcode", "md")
"""The formats of which posts are made."""


def posts(
    document: Document, limit: int, form: str = "bbcode", spoiler: str = SPOILER
) -> list[str]:
    """The document in posts of at most `limit` characters, each with whole tags and its number.

    form:    one of `POSTED`.
    spoiler: in BBCode the tag around the reasons, "" to leave them out.
    Raises ValueError if `limit` is below `LEAST_POST`.
    """
    if form == "md":
        return packed(_markdown_parts(document), limit, ("*", "*"))
    return packed(bbcode_parts(document, spoiler), limit, ("[i]", "[/i]"))


# Text ----------------------------------------------------------------------------------------


def text(document: Document) -> str:
    """Plain text of `WIDTH` columns; reasons are set in."""
    parts = [
        _heading(depth, block) if isinstance(block, str) else _text(block)
        for depth, block in walk(document)
    ]
    return "\n\n".join(parts) + "\n"


def _heading(depth: int, title: str) -> str:
    if depth > 2:
        return f"{'·' * (depth - 2)} {title}"
    return f"{title}\n{'═─'[depth - 1] * min(len(title), WIDTH)}"


def _text(block: Leaf) -> str:
    if isinstance(block, Table):
        grid = columns((block.head, *block.rows))
        if max(map(len, chain(*block.rows)), default=0) > WIDTH // 2 and len(grid[1]) > WIDTH:
            grid = [_wrap(entry, hang="  ") for entry in _entries(block.head, block.rows)]
        return "\n".join([*([block.caption] if block.caption else []), *grid])
    if isinstance(block, Verbatim):
        return "\n".join(block.lines)
    if isinstance(block, Picture):
        return _wrap("\n".join(filter(None, (f"[{block.alt}]", block.caption))))
    said = joined(block.spans)
    why = block.why if isinstance(block, Line) else None
    if why is None or why.bare:
        return _wrap(f"{said} {why.cited if why else ''}".rstrip())
    return _wrap(said) + "\n" + _wrap(" ".join([why.label, *why.sentences()]), "    ")


def _entries(head: Cells, rows: Sequence[Cells]) -> Iterator[str]:
    """The rows of a table that is too broad for columns: each cell behind what it is.

    A row of two cells says that by its first.
    A list that was set in several columns, whose heads stand again, is one list once more.
    """
    sizes = range(1, len(head) + 1)
    size = next(n for n in sizes if len(head) % n == 0 and head == head[:n] * (len(head) // n))
    for at in range(0, len(head), size):
        for row in rows:
            first, *cells = row[at : at + size]
            if first or any(cells):
                named = zip(head[1:size], cells, strict=True)
                told = cells if size == 2 else [f"{name} – {cell}" for name, cell in named]
                yield (" – " if size == 2 else " · ").join([first, *told])


def _wrap(said: str, margin: str = "", hang: str = "") -> str:
    """Lines of at most `WIDTH` columns; no-break spaces and hyphens are respected."""
    return "\n".join(
        textwrap.fill(
            part, WIDTH, initial_indent=margin, subsequent_indent=margin + hang,
            break_long_words=False, break_on_hyphens=False,
        )
        for part in said.split("\n")
    )  # fmt: skip


# Markdown ------------------------------------------------------------------------------------


def markdown(document: Document) -> str:
    """Markdown (CommonMark, with tables as GitHub has them); reasons as a quotation below."""
    return "\n\n".join(map(str, _markdown_parts(document))) + "\n"


def _markdown_parts(document: Document) -> Iterator[Part]:
    for depth, block in walk(document):
        if isinstance(block, str):
            yield Part((Run(f"{'#' * min(depth, 6)} {escape_markdown(block)}"),))
        elif isinstance(block, Table):
            head, *rows = [
                "| " + " | ".join(map(escape_markdown, row)) + " |"
                for row in (block.head, *block.rows)
            ]
            if block.caption:
                yield Part((Run(f"*{escape_markdown(block.caption)}*"),))
            opening = f"{head}\n|" + " --- |" * len(block.head) + "\n" * bool(rows)
            yield Part((Run("\n".join(rows)),), opening, between="\n")
        elif isinstance(block, Verbatim):
            said = "\n".join(block.lines)
            fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", said))])
            yield Part((Run(said),), f"{fence}\n", f"\n{fence}", between="\n")
        else:
            yield Part((Run(_markdown(block)),))


def _markdown(block: Line | Paragraph | Picture) -> str:
    if isinstance(block, Picture):
        shown = filter(None, (block.alt, block.caption))
        return "\n\n".join(f"*{escape_markdown(part)}*" for part in shown)
    said = _markdown_spans(block.spans)
    why = block.why if isinstance(block, Line) else None
    if why is None:
        return said
    sentences = " ".join(map(escape_markdown, why.sentences()))
    if why.bare:
        return f"{said} *{sentences}*" if sentences else said
    return f"{said}\n\n> *{escape_markdown(why.label)}* {sentences}"


def _markdown_spans(spans: tuple[Span, ...]) -> str:
    marks = {"": "", "em": "*", "strong": "**"}
    said = []
    for span in spans:
        # A mark must stand against a word, or it is no mark.
        bare, mark = span.text.strip(" "), marks[span.style]
        before, _, after = span.text.partition(bare) if bare else (span.text, "", "")
        said.append(f"{before}{mark}{escape_markdown(bare)}{mark}{after}" if bare else before)
    return "".join(said)


_INLINE = re.compile(r"([\\`*_\[\]<>&|~$])")
_BLOCK = re.compile(r"^(\s*)([#+=-]|\d+(?=[.)]))", re.MULTILINE)


def escape_markdown(said: str) -> str:
    """Plain words for Markdown: nothing in them is a mark, and they stay one paragraph."""
    said = _INLINE.sub(r"\\\1", " ".join(said.split("\n")))
    return _BLOCK.sub(_escape_start, said)


def _escape_start(found: re.Match[str]) -> str:
    """A list's number is escaped behind it (1\\.), any other mark before it."""
    space, mark = found.groups()
    return f"{space}{mark}\\" if mark.isdigit() else f"{space}\\{mark}"


_WRITERS: dict[str, Callable[[Document], str]] = {
    "text": text,
    "md": markdown,
    "bbcode": bbcode,
    "html": html,
}

FORMATS = tuple(_WRITERS)
"""Names of the formats."""
