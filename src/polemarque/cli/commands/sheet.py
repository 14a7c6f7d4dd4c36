"""`polemarque sheet FILE`: the campaign sheets of a game, on screen or on paper."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from polemarque.cli.common import Command, lang
from polemarque.cli.records import eye_of, for_option

PDF = "pdf"
FORMATS = ("text", "md", "bbcode", "html", PDF)
"""As `writers` has them, and PDF; named here so that help needs no report."""


@click.command(cls=Command, help="sheet.help")
@click.argument("file", type=click.Path(path_type=Path))
@for_option
@click.option("--battles", is_flag=True, help="sheet.battles")
@click.option("--at", type=click.IntRange(min=0), metavar="N", help="sheet.at")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="sheet.format")
@click.option("--out", type=click.Path(path_type=Path), help="sheet.out")
def command(
    file: Path, reader: str, battles: bool, at: int | None, form: str, out: Path | None
) -> None:
    """Read a record, play it again, and fill in its sheets, or the dossiers of its open battles."""
    from polemarque.cli.records import load_as_is, put, replayed
    from polemarque.cli.seating import called_beside
    from polemarque.kernel.errors import NotAllowed
    from polemarque.report.chronicle import for_umpire
    from polemarque.report.documents.pdf import pdf
    from polemarque.report.documents.writers import write
    from polemarque.report.sheets import sheets
    from polemarque.report.tabletop_dossier import dossiers

    if form == PDF and out is None:
        raise NotAllowed("sheet.pdf", part=form, legal=("--out",))
    record = load_as_is(file)
    if at is not None and at > len(record.entries):
        raise NotAllowed("replay.at", part=at, legal=(f"0-{len(record.entries)}",))
    eye = eye_of(reader, record.header)
    game, _ = replayed(record, most=at)
    names = called_beside(file)
    if battles:
        filled = dossiers(game.header, game.runner, lang(), names, eye)
    else:
        filled = sheets(game.header, game.state, lang(), names, eye, period=game.runner.period)
    if eye is None:
        filled = for_umpire(filled, game.header.system)
    if out is None:
        click.echo(write(filled, form), nl=False)
    elif form == PDF:
        put(out, pdf(filled, apart=True))
    else:
        put(out, write(filled, form))
