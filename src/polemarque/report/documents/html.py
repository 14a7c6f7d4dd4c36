"""HTML: one page that stands alone, in the quiet manner of a printed book, by day and by night."""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

from polemarque.report.documents.document import (
    Block,
    Document,
    Line,
    Paragraph,
    Picture,
    Section,
    Span,
    Table,
    Verbatim,
)

_DATA = Path(__file__).parents[1] / "data"
_TAGS = {"": ("", ""), "em": ("<em>", "</em>"), "strong": ("<strong>", "</strong>")}


@cache
def asset(name: str) -> str:
    """What stands in a file of the data."""
    return (_DATA / name).read_text(encoding="utf-8").strip()


def html(document: Document) -> str:
    """The whole page; every reason is folded below its line."""
    body = "\n".join(_block(block, 2) for block in document.blocks)
    return lone_page(document.title, document.lang, body, asset("page.css"))


def lone_page(title: str, lang: str, body: str, style: str, scripts: str = "") -> str:
    """A page that needs nothing beside it, with its title as heading.   title: as plain text."""
    title = escape(title)
    return f"""<!doctype html>
<html lang="{escape(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
{scripts}</body>
</html>
"""


def _block(block: Block, depth: int) -> str:
    if isinstance(block, Section):
        level = min(depth, 6)
        inner = "\n".join(_block(below, depth + 1) for below in block.blocks)
        return f"<section>\n<h{level}>{escape(block.title)}</h{level}>\n{inner}\n</section>"
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Verbatim):
        said = escape("\n".join(block.lines))
        return f'<div class="table"><pre>{said}</pre></div>'
    if isinstance(block, Picture):
        caption = f"<figcaption>{escape(block.caption)}</figcaption>\n" if block.caption else ""
        return (
            f'<figure>\n<div role="img" aria-label="{escape(block.alt)}">{block.svg}</div>\n'
            f"{caption}</figure>"
        )
    if isinstance(block, Paragraph):
        return f'<p class="aside">{_spans(block.spans)}</p>'
    return _line(block)


def _line(line: Line) -> str:
    said = f"<p>{_spans(line.spans)}</p>"
    if line.why is None:
        return said
    if line.why.bare:
        return f"<p>{_spans(line.spans)} <small>{escape(line.why.cited)}</small></p>"
    sentences = "\n".join(f"<li>{escape(said)}</li>" for said in line.why.sentences())
    summary = f"<summary>{escape(line.why.label)}</summary>"
    return f"{said}\n<details>\n{summary}\n<ul>\n{sentences}\n</ul>\n</details>"


def _table(table: Table) -> str:
    caption = f"<caption>{escape(table.caption)}</caption>\n" if table.caption else ""
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows
    )
    return (
        f'<div class="table"><table>\n{caption}<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table></div>"
    )


def _spans(spans: tuple[Span, ...]) -> str:
    return "".join(
        f"{_TAGS[span.style][0]}{escape(span.text)}{_TAGS[span.style][1]}" for span in spans
    )
