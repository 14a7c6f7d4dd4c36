"""`polemarque bring FILE`: a campaign brought back from the hall, or taken in there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from polemarque.cli.common import Command, lang_option, reason_of, say
from polemarque.cli.serve import data_option, opened
from polemarque.kernel.errors import NotUnderstood

if TYPE_CHECKING:
    from polemarque.club.cargo import Parcel


@click.command(cls=Command, help="bring.help")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--code", default="", metavar="CODE", help="bring.code")
@data_option
@lang_option
def command(file: Path, code: str, data: Path) -> None:
    """Take back what has come home; with its code, take in what has left another club."""
    opened(data)
    from polemarque.club.cargo import OUT, read_parcel
    from polemarque.club.models import Campaign
    from polemarque.web.server import migrate

    try:
        raw = file.read_bytes()
    except OSError as fault:
        raise NotUnderstood("file.unreadable", part=file, reason=reason_of(fault)) from None
    migrate()
    parcel = read_parcel(raw)
    if parcel.way == OUT and not code and not Campaign.objects.filter(code=parcel.campaign):
        raise NotUnderstood("bring.code", part=file.name)
    if parcel.way == OUT and code:
        _take_in(parcel, code)
    else:
        _take_back(parcel)


def _take_back(parcel: Parcel) -> None:
    from polemarque.club.homecoming import bring, prove_here
    from polemarque.club.models import Campaign

    found = Campaign.objects.filter(code=parcel.campaign).first()
    if found is None:
        raise NotUnderstood("hall.unknown", part=parcel.campaign)
    outing = bring(found, parcel, None, prove_here)
    new = (outing.returned or 0) - outing.number
    click.echo(say("bring.done", campaign=found.title, n=new))


def _take_in(parcel: Parcel, code: str) -> None:
    from polemarque.club.homecoming import prove_here
    from polemarque.club.hosting import take_in
    from polemarque.club.muster import open_doors, token_of

    found = take_in(parcel, code, None, prove_here)
    click.echo(say("bring.taken", campaign=found.title))
    for door in open_doors(found):
        link = f"/invitation/{token_of(door)}/"
        click.echo(say("bring.link", seat=door.seat, link=link))
