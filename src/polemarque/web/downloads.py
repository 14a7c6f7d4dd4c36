"""Papers to be taken away: a document in one of the formats, as a file."""

from __future__ import annotations

from django.http import HttpResponse

from polemarque.report.documents.document import Document
from polemarque.report.documents.pdf import pdf, printable
from polemarque.report.documents.writers import FORMATS, write

TYPES = {"text": "text/plain", "md": "text/markdown", "bbcode": "text/plain", "html": "text/html"}
ENDINGS = {"text": "txt", "bbcode": "txt"}


def formats() -> tuple[str, ...]:
    """In which a paper may be had; as PDF where Typst is there."""
    return (*FORMATS, "pdf") if printable() else FORMATS


def taken_away(told: Document, form: str, name: str, *, apart: bool = False) -> HttpResponse | None:
    """The document as a file of that name, or None for no format that there is.

    apart: every section of the first rank begins a page of the PDF.
    """
    if form not in formats():
        return None
    name = f"{name}.{ENDINGS.get(form, form)}"
    if form == "pdf":
        return as_file(pdf(told, apart=apart), name, "application/pdf")
    return as_file(write(told, form), name, f"{TYPES[form]}; charset=utf-8")


def as_file(content: str | bytes, name: str, kind: str = "application/json") -> HttpResponse:
    """An answer that a browser keeps as a file of that name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=headers)
