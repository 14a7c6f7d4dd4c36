"""What Typst makes (the extra ``export``), with its own fonts only: the report tree on paper, as
PDF, and a drawing as a picture."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import msgspec

from polemarque.kernel.errors import NotAllowed
from polemarque.report.documents.document import (
    Block,
    Document,
    Line,
    Paragraph,
    Picture,
    Section,
    Table,
    Verbatim,
)

_TEMPLATE = Path(__file__).parents[1] / "data" / "page.typ"

_ALONE = b"""#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg", width: 720pt)"""

EXTRA = "pip install 'polemarque[export]'"
"""What brings Typst."""


def printable() -> bool:
    """Whether Typst is there, without which nothing is printed."""
    return find_spec("typst") is not None


@lru_cache(maxsize=8)  # a mail that cannot be sent is made again at each try
def png(svg: str) -> bytes:
    """A drawing that needs nothing around it as a picture, 1080 pixels wide: the same bytes for it
    on any machine.  Raises NotAllowed without Typst."""
    typst = _typst()
    made: bytes = typst.compile(
        _ALONE, format="png", ppi=108, sys_inputs={"svg": svg},
        font_paths=typst.Fonts(include_system_fonts=False),
    )  # fmt: skip
    return made


def _typst() -> Any:
    try:
        import typst
    except ImportError:
        raise NotAllowed("export.typst", part="typst", legal=(EXTRA,)) from None
    return typst


def pdf(document: Document, *, apart: bool = False) -> bytes:
    """The document as a tagged PDF (PDF/UA-1): the same bytes for it on any machine.

    apart: every section of the first rank begins a page.   Raises NotAllowed without Typst.
    """
    typst, report = _typst(), report_of(document, apart=apart)

    def printed(*standards: Literal["ua-1"]) -> bytes:
        made: bytes = typst.compile(
            _TEMPLATE.read_bytes(),
            format="pdf",
            font_paths=typst.Fonts(include_system_fonts=False),
            sys_inputs={"report": msgspec.json.encode(report).decode()},
            pdf_standards=[*standards],
            timestamp=0,
        )
        return made

    try:
        return printed("ua-1")
    except typst.TypstError:
        # Somebody's words hold a sign that the fonts lack: it is printed as an empty box, which
        # the standard for accessible papers does not allow.
        return printed()


def report_of(document: Document, *, apart: bool = False) -> dict[str, Any]:
    """A document as the template reads it."""
    return {
        "title": document.title,
        "lang": document.lang,
        "apart": apart,
        "blocks": [_plain(block) for block in document.blocks],
    }


def _plain(block: Block) -> dict[str, Any]:
    """A block as the template reads it; everything a reader is told is a string."""
    if isinstance(block, Section):
        inner = [_plain(below) for below in block.blocks]
        return {"type": "section", "title": block.title, "blocks": inner}
    if isinstance(block, (Table, Picture)):
        kind = "table" if isinstance(block, Table) else "picture"
        return {"type": kind, **msgspec.to_builtins(block)}
    if isinstance(block, Verbatim):
        return {"type": "verbatim", "lines": list(block.lines)}
    assert isinstance(block, (Line, Paragraph))
    told: dict[str, Any] = {"type": "line", "spans": msgspec.to_builtins(block.spans), "why": None}
    if isinstance(block, Line) and block.why is not None:
        why = block.why
        said = " ".join(why.sentences())
        told["why"] = {"label": "" if why.bare else why.label, "said": said} if said else None
    return told
