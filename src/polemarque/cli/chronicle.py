"""`polemarque chronicle FILE`: a game told so that one wants to read it."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from polemarque.cli.common import Command, lang, lang_option

FORMATS = ("text", "md", "bbcode", "html")
"""As `report.writers` has them; named here so that help needs no report."""


@click.command(cls=Command, help="chronicle.help")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", help="chronicle.format"
)
@click.option("--seat", help="chronicle.seat")
@click.option("--out", type=click.Path(path_type=Path), help="chronicle.out")
@click.option("--split", type=click.IntRange(min=200), help="chronicle.split")
@lang_option
def command(file: Path, form: str, seat: str | None, out: Path | None, split: int | None) -> None:
    """Read a record, play it again, and tell it."""
    from polemarque.cli.records import load_as_is, put, replayed
    from polemarque.cli.seating import called_beside
    from polemarque.kernel.errors import NotAllowed, NotUnderstood
    from polemarque.report.bbcode import posts
    from polemarque.report.chronicle import chronicle
    from polemarque.report.writers import write

    if split is not None and form != "bbcode":
        raise NotAllowed("chronicle.split", part=form, legal=("bbcode",))
    record = load_as_is(file)
    if seat is not None and seat not in record.header.seats:
        raise NotUnderstood("seat.unknown", part=seat, legal=record.header.seats)
    game, events = replayed(record)
    told = chronicle(
        record.header, events, lang(), called_beside(file), seat,
        acts=game.entries, state=game.state,
    )  # fmt: skip
    pages = [f"{post}\n" for post in posts(told, split)] if split else [write(told, form)]
    if out is None:
        click.echo("\n".join(pages), nl=False)
        return
    for number, page in enumerate(pages, 1):
        target = out if len(pages) == 1 else out.with_stem(f"{out.stem}-{number}")
        put(target, page)
