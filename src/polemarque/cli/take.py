"""`polemarque take CAMPAIGN FILE`: a campaign taken to the hall for an evening, or sent home."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from polemarque.cli.common import Command, lang_option, say
from polemarque.cli.serve import data_option, opened

if TYPE_CHECKING:
    from polemarque.club.models import Campaign


@click.command(cls=Command, help="take.help")
@click.argument("campaign")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@lang_option
def command(campaign: str, file: Path, data: Path) -> None:
    """Shut the campaign here, and write the file that it travels in.

    One that is out already, or was sent home, has its file written again.
    """
    opened(data)
    from polemarque.club.hall import file_of, take
    from polemarque.club.hosting import send_home
    from polemarque.club.keeping import put_file
    from polemarque.club.outings import outing_of, stay_of
    from polemarque.web.server import migrate

    migrate()
    found = _named(campaign)
    stay = stay_of(found)
    if stay is not None:
        put_file(file, lambda: file_of(stay if stay.sent else send_home(found, None)))
        click.echo(say("take.sent", file=str(file)))
        return
    put_file(file, lambda: file_of(outing_of(found) or take(found, None)))
    outing = outing_of(found)
    assert outing is not None
    click.echo(say("take.done", file=str(file)))
    click.echo(say("take.code", code=outing.code))


def _named(code: str) -> Campaign:
    """The campaign of that code.  Raises NotUnderstood."""
    from polemarque.club.models import MUSTER, Campaign
    from polemarque.kernel.errors import NotUnderstood

    found = Campaign.objects.filter(code=code).exclude(stage=MUSTER).first()
    if found is None:
        raise NotUnderstood("hall.unknown", part=code)
    return found
