"""`polemarque chronicle FILE`: a game, or one turn of it, told so that one wants to read it."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from polemarque.cli.common import POSTED, Command, lang
from polemarque.cli.records import eye_of, for_option

PDF = "pdf"
FORMATS = ("text", "md", "bbcode", "html", PDF)
"""As `writers` has them, and PDF; named here so that help needs no report."""


SPOILER, NO_SPOILER = "spoiler", "none"
TAGS = (SPOILER, "hide", "hidden", NO_SPOILER)
"""Tags by which forums fold what is in them, and none for those that have none."""


@click.command(cls=Command, help="chronicle.help")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", help="chronicle.format"
)
@for_option
@click.option("--turn", type=click.IntRange(min=0), metavar="N", help="chronicle.turn")
@click.option("--out", type=click.Path(path_type=Path), help="chronicle.out")
@click.option("--split", type=click.IntRange(min=200), help="chronicle.split")
@click.option("--spoiler", type=click.Choice(TAGS), help="chronicle.spoiler")
def command(
    file: Path, form: str, reader: str, turn: int | None, out: Path | None, split: int | None,
    spoiler: str | None,
) -> None:  # fmt: skip
    """Read a record, play it again, and tell it."""
    from polemarque.cli.records import check_place, load_as_is, put, replayed
    from polemarque.cli.seating import called_beside
    from polemarque.kernel.errors import NotAllowed
    from polemarque.report.chronicle import chronicle, chronicle_of_turn, for_umpire
    from polemarque.report.documents.bbcode import bbcode
    from polemarque.report.documents.pdf import pdf
    from polemarque.report.documents.writers import posts, write

    if split is not None and form not in POSTED:
        raise NotAllowed("chronicle.split", part=form, legal=POSTED)
    if spoiler is not None and form != "bbcode":
        raise NotAllowed("chronicle.spoiler", part=form, legal=("bbcode",))
    tag = {None: SPOILER, NO_SPOILER: ""}.get(spoiler, spoiler or "")
    if form == PDF and out is None:
        raise NotAllowed("sheet.pdf", part=form, legal=("--out",))
    record = load_as_is(file)
    eye = eye_of(reader, record.header)
    game, events = replayed(record)
    names = called_beside(file)
    if turn is None:
        told = chronicle(
            game.header, events, lang(), names, eye, acts=game.entries, state=game.state
        )
    else:
        turns = {event.outer_period for event in events} | {game.runner.period}
        if turn not in turns:
            raise NotAllowed("chronicle.turn", part=turn, legal=(f"{min(turns)}-{max(turns)}",))
        told = chronicle_of_turn(game.header, events, turn, lang(), names, eye, state=game.state)
    if eye is None:
        told = for_umpire(told, game.header.system)
    if form == PDF and out is not None:
        put(out, pdf(told), public=eye == "")
        return
    if split:
        pages = [f"{post}\n" for post in posts(told, split, form, tag)]
    else:
        pages = [bbcode(told, tag) if form == "bbcode" else write(told, form)]
    if out is None:
        click.echo("\n".join(pages), nl=False)
        return
    check_place(out)
    for number, page in enumerate(pages, 1):
        target = out if len(pages) == 1 else out.with_stem(f"{out.stem}-{number}")
        put(target, page, public=eye == "")
