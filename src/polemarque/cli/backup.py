"""`polemarque backup FILE`: the whole club as one file, taken while it is served."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from polemarque.cli.common import Command, lang_option, say
from polemarque.cli.serve import data_option, opened


@click.command(cls=Command, help="backup.help")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@lang_option
def command(file: Path, data: Path) -> None:
    """Copy the club's database."""
    opened(data)
    from polemarque.club.keeping import copy_of
    from polemarque.web.server import DATABASE

    copy_of(data / DATABASE, file)
    click.echo(say("backup.done", file=str(file), size=file.stat().st_size // 1024))
