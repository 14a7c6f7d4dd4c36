"""`polemarque health`: whether the club's file is as it should be."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from polemarque.cli.common import DONE, NO, Command, json_option, lang_option, print_json, say
from polemarque.cli.serve import data_option, opened


@click.command(cls=Command, help="health.help")
@data_option
@json_option
@lang_option
def command(data: Path, as_json: bool) -> int:
    """Look the database over; the exit status says whether it is sound."""
    opened(data)
    from polemarque.club.keeping import health

    found = health()
    if as_json:
        print_json(found)
    else:
        click.echo(say("health.counts", campaigns=found.campaigns, entries=found.entries))
        for code, part in found.faults:
            click.echo(say(f"health.{code}", part=part))
        click.echo(say("health.sound" if not found.faults else "health.unsound"))
    return NO if found.faults else DONE
