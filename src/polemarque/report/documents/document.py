"""A report as a tree: what is said, before anybody decides how it looks.

Every writer (text, Markdown, BBCode, HTML) renders this one tree, so that all of them say the same.
All strings are plain: escaping is the writers' business, wording that of the tree's builder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Literal, TypeAlias

import msgspec

Style = Literal["", "strong", "em"]


class Span(msgspec.Struct, frozen=True):
    """A run of words in one style."""

    text: str
    style: Style = ""


class Citation(msgspec.Struct, frozen=True):
    """A rule that is cited: its id and its title ("" where the ledger gives none)."""

    rule: str
    title: str = ""

    def __str__(self) -> str:
        return f"{self.rule} {self.title}" if self.title else self.rule


class Why(msgspec.Struct, frozen=True):
    """What a line owes to its reader: where each of its numbers comes from.

    label:   the question it answers ("Pourquoi ?").
    rules:   the rules that were applied, the line's own first.
    reasons: sums with their parts, table rows: one sentence each.
    dice:    what was rolled and how it fell: one sentence a roll.
    """

    label: str
    rules: tuple[Citation, ...]
    reasons: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()

    @property
    def cited(self) -> str:
        """The rules as a reference."""
        return f"({' · '.join(map(str, self.rules))})" if self.rules else ""

    @property
    def bare(self) -> bool:
        """Whether there is nothing to say beside the rules: they can then stand in the line."""
        return not self.reasons and not self.dice

    def sentences(self) -> tuple[str, ...]:
        """Everything it says, in order, the rules last."""
        return (*self.reasons, *self.dice, *filter(None, (self.cited,)))


class Line(msgspec.Struct, frozen=True):
    """One sentence or a few, with the reasons of their numbers."""

    spans: tuple[Span, ...]
    why: Why | None = None


class Paragraph(msgspec.Struct, frozen=True):
    """Words without reasons: an introduction, a remark."""

    spans: tuple[Span, ...]


class Table(msgspec.Struct, frozen=True):
    """Figures in columns; every row has as many cells as the head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""


class Picture(msgspec.Struct, frozen=True):
    """A drawing (an SVG element, safe to put into a page) and the words that stand for it."""

    svg: str
    alt: str
    caption: str = ""


class Verbatim(msgspec.Struct, frozen=True):
    """Lines that stand as they are: an order form to be copied, a board drawn in letters."""

    lines: tuple[str, ...]


class Section(msgspec.Struct, frozen=True):
    """A heading and what stands below it, smaller sections included, in reading order.

    anchor: the id by which a page leads to it, or "".
    """

    title: str
    blocks: tuple[Block, ...] = ()
    anchor: str = ""


Block: TypeAlias = Line | Paragraph | Table | Picture | Verbatim | Section


class Document(msgspec.Struct, frozen=True):
    """A whole report; `lang` is its language, for hyphenation and screen readers."""

    title: str
    lang: str
    blocks: tuple[Block, ...] = ()


def line(text: str, why: Why | None = None) -> Line:
    """A line of plain words."""
    return Line((Span(text),), why)


def paragraph(text: str, style: Style = "") -> Paragraph:
    """A paragraph of plain words."""
    return Paragraph((Span(text, style),))


def joined(spans: tuple[Span, ...]) -> str:
    """The words of spans without their styles."""
    return "".join(span.text for span in spans)


Leaf: TypeAlias = Line | Paragraph | Table | Picture | Verbatim


def walk(document: Document) -> Iterator[tuple[int, str | Leaf]]:
    """Headings (as text) and blocks in reading order, each with its depth: 1 for the title."""
    yield 1, document.title
    yield from _walk(document.blocks, 1)


def _walk(blocks: tuple[Block, ...], depth: int) -> Iterator[tuple[int, str | Leaf]]:
    for block in blocks:
        if isinstance(block, Section):
            yield depth + 1, block.title
            yield from _walk(block.blocks, depth + 1)
        else:
            yield depth, block


def said(document: Document) -> Iterator[str]:
    """Every string a reader is told, in reading order: the same in every format."""
    for _, block in walk(document):
        if isinstance(block, str):
            yield block
        elif isinstance(block, Table):
            yield from filter(None, (block.caption, *block.head))
            for row in block.rows:
                yield from filter(None, row)
        elif isinstance(block, Picture):
            yield from filter(None, (block.alt, block.caption))
        elif isinstance(block, Verbatim):
            yield from filter(None, block.lines)
        else:
            yield joined(block.spans)
            if isinstance(block, Line) and block.why is not None:
                if not block.why.bare:
                    yield block.why.label
                yield from block.why.sentences()


# Columns -----------------------------------------------------------------------------------------


_FIGURE = re.compile(r"([+\-−]?\d[\d\s/%,.\u202f\u00a0]*)?")


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines of text, the first one the head; columns of figures stand to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    right = [all(map(_FIGURE.fullmatch, column[1:])) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True)]
        ).rstrip()
        for row in rows
    ]
    return [lines[0], "  ".join("─" * width for width in widths), *lines[1:]]


def digest(what: str | Block | Document) -> str:
    """What tells a text, or a part of a story, from others, in 16 hexadecimal digits."""
    text = what.encode() if isinstance(what, str) else msgspec.json.encode(what)
    return blake2b(text, digest_size=8).hexdigest()
