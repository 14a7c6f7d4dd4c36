"""`polemarque restore FILE`: a club put back from its copy."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from polemarque.cli.common import Command, lang_option, say
from polemarque.cli.serve import data_option, prepared


@click.command(cls=Command, help="restore.help")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@lang_option
def command(file: Path, data: Path) -> None:
    """Put a copy where no database is yet, and bring it up to date."""
    prepared(data)
    from polemarque.club.keeping import put_back
    from polemarque.web.server import DATABASE, migrate

    put_back(file, data / DATABASE)
    migrate()
    click.echo(say("restore.done", folder=str(data)))
