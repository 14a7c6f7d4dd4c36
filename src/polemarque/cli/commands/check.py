"""`polemarque check [FILE…]`: what is wrong with data files, and where."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from polemarque.cli.common import (
    DONE,
    NO,
    REFUSED,
    Command,
    catalogue,
    lang,
    refusal_text,
    refuse,
    say,
)

if TYPE_CHECKING:
    from polemarque.kernel.files.findings import Finding
    from polemarque.kernel.files.texts import Catalogue


@click.command(cls=Command, help="check.help")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
def command(files: tuple[Path, ...]) -> int:
    """Without files: all that is shipped."""
    from polemarque.cli.file_checks import check_all, shipped
    from polemarque.kernel.errors import Refusal

    checked = found = unread = 0
    words = cache(all_words)  # read at the first finding, once for all files
    for _, verdict in check_all(files) if files else shipped():
        if isinstance(verdict, Refusal):
            unread += 1
            refuse(verdict)
        else:
            checked += 1
            found += len(verdict)
            for line in told(verdict, words):
                click.echo(line)
    if checked:
        click.echo(say("check.summary", files=checked, findings=found, unread=unread))
    if unread:
        return REFUSED
    return NO if found else DONE


def told(findings: Iterable[Finding], words: Callable[[], Catalogue]) -> Iterable[str]:
    """Findings as lines: file:line: place: reason — hint, the place once."""
    from msgspec.structs import replace

    from polemarque.cli.file_checks import refusal_of
    from polemarque.kernel.files.findings import place_told

    for finding in findings:
        refusal = refusal_of(finding)
        if refusal is not None:
            finding = replace(finding, data={"said": refusal_text(refusal)})
        where = f"{_near(finding.file)}:{finding.line}" if finding.line else _near(finding.file)
        said = _said(finding, words())
        place = place_told(finding.place, words(), lang())
        named = not place or re.match(rf"{re.escape(place)}\s*:", said)
        yield ": ".join([where, said] if named else [where, place, said])


def _said(finding: Finding, words: Catalogue) -> str:
    """Reason and hint; the bare code where a stranger's system has no words for it."""
    from polemarque.kernel.files.findings import hint, reason
    from polemarque.kernel.files.texts import MissingText

    try:
        return f"{reason(finding, words, lang())} — {hint(finding, words, lang())}"
    except MissingText:
        figures = ", ".join(f"{name} {value}" for name, value in finding.data.items())
        return f"{finding.code} ({figures})" if figures else finding.code


def all_words() -> Catalogue:
    """The texts of all rooms and of every system, for what any check says.

    A catalogue that cannot be read is one of the things that are checked: it is left out.
    """
    from polemarque.cli.file_checks import PACKAGE, TEXTS, systems
    from polemarque.kernel.files.texts import Catalogue, TextsRefused

    rooms = [page.parent for page in sorted(PACKAGE.rglob(TEXTS[0]))]
    strangers = [one.data for one in systems() if (one.data / TEXTS[0]).is_file()]
    sound = []
    for folder in dict.fromkeys((*rooms, *strangers)):
        try:
            Catalogue.load(folder)
        except TextsRefused:
            continue
        sound.append(folder)
    return catalogue(*sound)


def _near(file: str) -> str:
    """A path as one would type it from here."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_absolute() and here in path.parents else file
