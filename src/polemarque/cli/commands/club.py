"""The club in the browser, from one process and one file, and what is done with that file."""

from __future__ import annotations

import faulthandler
import os
import socket
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import rich_click as click

from polemarque.cli.common import (
    DONE,
    NO,
    Command,
    broken_plugins,
    json_option,
    lang,
    print_json,
    reason_of,
    say,
)
from polemarque.kernel.errors import NotAllowed, NotUnderstood

if TYPE_CHECKING:
    from polemarque.club.models import Campaign
    from polemarque.club.transfer.models import Stay
    from polemarque.club.transfer.package import Parcel

LATER = 75
"""Exit status by which a mail server tries again (EX_TEMPFAIL of sysexits.h)."""

MAIL_SETTINGS = ("POLEMARQUE_MAIL", "POLEMARQUE_ADDRESS", "POLEMARQUE_BOX")
"""All that orders by mail need to be said of a club."""

OUTSIDE = {"mail_box", "clock", "unkept"}
"""Faults of a club that lie not in its file."""

NO_SUCH_HOST = (socket.EAI_NONAME, socket.EAI_AGAIN, socket.EAI_FAIL)

FOLDER = Path("polemarque-data")
"""Where the club's data are kept if nothing else is said."""

data_option = click.option(
    "--data", type=click.Path(path_type=Path), default=FOLDER, metavar="DIR", help="serve.data"
)
port_option = click.option(
    "--port", type=click.IntRange(1, 65535), default=8000, metavar="N", help="serve.port"
)


def prepared(data: Path) -> None:
    """Make Django ready for a folder.

    Raises NotAllowed without the pages, or without a folder, NotUnderstood on what a club says of
    itself and cannot be (see `web.environment`).
    """
    try:
        from polemarque.web.server import prepare

        prepare(data)
    except ModuleNotFoundError as lacking:
        raise NotAllowed("serve.no_web", part=lacking.name or "") from None
    except OSError as fault:
        raise NotAllowed("file.unwritable", part=data, reason=reason_of(fault)) from None


def opened(data: Path) -> None:
    """Make Django ready for a club that is there already; raises NotAllowed where there is none."""
    from polemarque.web.server import DATABASE

    if not (data / DATABASE).exists():  # to look would make one
        raise NotAllowed("serve.no_club", part=data)
    prepared(data)


def up_to_date(data: Path) -> None:
    """Bring the tables up to date; where that changes any, keep a copy first and say so.

    Raises NotAllowed if the copy cannot be written: then nothing is changed.
    """
    from polemarque.web.server import kept_before, migrate

    kept = kept_before(data)
    if kept is not None:
        click.echo(say("serve.kept", file=str(kept)), err=True)
    migrate()


@click.command(cls=Command, help="serve.help")
@port_option
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="serve.host")
@data_option
@click.option("--demo/--no-demo", default=True, help="serve.demo")
def serve(port: int, host: str, data: Path, demo: bool) -> None:
    """Bring the tables up to date, say where the club is, and serve it."""
    faulthandler.enable()  # a crash below Python leaves word of where it was
    from polemarque.web.environment import ADDRESSES, bracketed, mail_is_lost
    from polemarque.web.server import address, first_token, listening, run

    try:
        door = listening(host, port)
    except (OSError, UnicodeError) as fault:
        part = f"{bracketed(host)}:{port}"
        raise NotAllowed("serve.door", part=part, reason=_why(fault)) from None
    prepared(data)
    from polemarque.club.campaigns.demonstration import demonstrate
    from polemarque.club.server.backup import hold

    held = hold(data)
    if mail_is_lost(os.environ):
        click.echo(say("serve.mail_lost", address=ADDRESSES[0]), err=True)
    up_to_date(data)
    _check_room(data)
    if demo:
        demonstrate(lang())
    here = address(host, port)
    click.echo(say("serve.open", address=here + "/"))
    token = first_token()
    if token:
        click.echo(say("serve.invitation", address=f"{here}/invitation/{token}/"))
    click.echo(say("serve.end"))
    with closing(held):
        run(door)


def _check_room(data: Path) -> None:
    """Raises NotAllowed where nothing could be kept."""
    from polemarque.club.server.backup import unkept

    if reason := unkept():
        raise NotAllowed("backup.failed", part=data, reason=reason, original="")


def _why(fault: OSError | UnicodeError) -> str:
    """Why an address cannot be had, without what it was at."""
    if isinstance(fault, UnicodeError) or fault.errno in NO_SUCH_HOST:
        return say("os.unknown_host")
    return reason_of(fault).partition(" (while ")[0]


@click.command(cls=Command, help="tick.help")
@data_option
def tick(data: Path) -> None:
    """Do once what `serve` does by itself as time goes by."""
    opened(data)
    from polemarque.club.campaigns.bot_processes import end_all
    from polemarque.web.ticking import clockwork, go_round

    up_to_date(data)
    try:
        go_round(clockwork())
    finally:
        end_all()
    click.echo(say("tick.done"))


@click.command(cls=Command, help="mail.help")
@click.argument("source", required=False, default="")
@data_option
def mail(source: str, data: Path) -> int:
    """Read orders that have arrived by mail, and answer them."""
    opened(data)
    from django.conf import settings
    from django.db import DatabaseError

    from polemarque.club.campaigns.bot_processes import end_all
    from polemarque.web.environment import PIPE, Box
    from polemarque.web.mail_orders.boxes import LARGEST
    from polemarque.web.mail_orders.replies import read_box, take_mail
    from polemarque.web.notices import deliver

    box = Box(folder=source) if source else settings.BOX
    if not (settings.BOX.read and settings.MAIL):  # nobody is sent a form, so no reply counts
        unset = [name for name in MAIL_SETTINGS if not os.environ.get(name, "").strip()]
        raise NotAllowed("mail.unset", legal=unset)
    if box.folder not in ("", PIPE, "-") and not Path(box.folder, "new").is_dir():
        raise NotUnderstood("mail.folder", part=box.folder)
    number = 1
    try:
        up_to_date(data)
        if source == "-":
            raw = sys.stdin.buffer.read(LARGEST + 1)
            number = int(len(raw) <= LARGEST)
            if number:
                take_mail(raw)
        else:
            number = read_box(box)
        deliver()
    except (OSError, DatabaseError) as fault:
        click.echo(say("mail.down", why=reason_of(fault) or type(fault).__name__), err=True)
        return LATER if source == "-" else NO
    finally:
        end_all()
    click.echo(say("mail.done", n=number))
    return DONE


@click.command(cls=Command, help="backup.help")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
def backup(file: Path, data: Path) -> None:
    """Copy the club's database."""
    opened(data)
    from polemarque.club.server.backup import copy_of
    from polemarque.web.server import DATABASE

    copy_of(data / DATABASE, file)
    click.echo(say("backup.done", file=str(file), size=file.stat().st_size // 1024))


@click.command(cls=Command, help="restore.help")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
def restore(file: Path, data: Path) -> None:
    """Put a copy where no database is yet, and bring it up to date."""
    prepared(data)
    from polemarque.club.server.backup import put_back
    from polemarque.web.server import DATABASE, migrate

    put_back(file, data / DATABASE)
    migrate()
    click.echo(say("restore.done", folder=str(data)))


@click.command(cls=Command, help="take.help")
@click.argument("campaign")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
def take(campaign: str, file: Path, data: Path) -> None:
    """Shut the campaign here, and write the file that it travels in.

    One that is out already, or was sent home, has its file written again.
    """
    opened(data)
    from polemarque.club.server.backup import put_file
    from polemarque.club.transfer.models import outing_of, stay_of
    from polemarque.club.transfer.outgoing import file_of, take
    from polemarque.club.transfer.visiting import send_home

    up_to_date(data)
    found = _named(campaign)
    stay = stay_of(found)
    if stay is not None and not stay.code:
        _take_to_file(found, stay, file)
        click.echo(say("take.file", file=str(file)))
        return
    if stay is not None:
        put_file(file, lambda: file_of(stay if stay.sent else send_home(found, None)))
        click.echo(say("take.sent", file=str(file)))
        return
    put_file(file, lambda: file_of(outing_of(found) or take(found, None)))
    outing = outing_of(found)
    assert outing is not None
    click.echo(say("take.done", file=str(file)))
    click.echo(say("take.code", code=outing.code))


def _take_to_file(found: Campaign, stay: Stay, file: Path) -> None:
    """Shut a campaign that came from a file, and write that file, its seeds and seating beside it.

    A file of the same game, which this one continues, gives way.  Raises NotAllowed on any other,
    also one that went on by itself, and then nothing has changed.
    """
    from django.db import transaction

    from polemarque.cli.records import (
        begins,
        keep_seeds,
        kept_chains,
        load,
        make_folder,
        put,
        seeds_file,
    )
    from polemarque.cli.seating import Seating, default_names, keep_seating, kept_seating
    from polemarque.club.campaigns.session import read_lock
    from polemarque.club.models import Seeds
    from polemarque.club.transfer.visiting import send_home

    with transaction.atomic():  # a file that cannot be written leaves the campaign open
        if not stay.sent:
            send_home(found, None)
        with read_lock(found) as table:
            game = table.game
        chains = Seeds.objects.get(campaign=found).chains
        if begins(file):
            old = load(file, interrupted=True)
            if old.header != game.header:
                raise NotAllowed("backup.exists", part=file)
            if [*old.entries] != game.entries[: len(old.entries)]:
                raise NotAllowed("take.went_on", part=file, campaign=found.code)
        elif file.exists():
            raise NotAllowed("backup.exists", part=file)
        elif seeds_file(file).exists() and [*kept_chains(file).last] != [*chains.last]:
            raise NotAllowed("backup.exists", part=seeds_file(file))  # not of one ended half-way
        bots = dict(found.seats.exclude(bot="").values_list("code", "bot"))
        before = kept_seating(file) or Seating()
        names = {**default_names(game.header.seats), **before.people}
        people = {seat: name for seat, name in names.items() if seat not in bots}
        make_folder(file.parent)
        keep_seeds(file, chains)
        keep_seating(file, Seating(people, bots))
        put(file, game.record)


def _named(code: str) -> Campaign:
    """The campaign of that code.  Raises NotUnderstood."""
    from polemarque.club.models import MUSTER, Campaign

    found = Campaign.objects.filter(code=code).exclude(stage=MUSTER).first()
    if found is None:
        raise NotUnderstood("hall.unknown", part=code)
    return found


@click.command(cls=Command, help="bring.help")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--code", default="", metavar="CODE", help="bring.code")
@data_option
def bring(file: Path, code: str, data: Path) -> None:
    """Take back what has come home; with its code, take in what has left another club.

    A game that was played in a file is taken in as it stands.
    """
    opened(data)
    from polemarque.cli.records import FIRST, read_bytes
    from polemarque.club.models import Campaign
    from polemarque.club.transfer.package import OUT, read_parcel

    raw = read_bytes(file)
    up_to_date(data)
    if raw.startswith(FIRST):
        _take_in_game(file)
        return
    parcel = read_parcel(raw)
    if parcel.way == OUT and not code and not Campaign.objects.filter(code=parcel.campaign):
        raise NotUnderstood("bring.code", part=file.name)
    if parcel.way == OUT and code:
        _take_in(parcel, code)
    else:
        _take_back(parcel)


def _take_back(parcel: Parcel) -> None:
    from polemarque.club.models import Campaign
    from polemarque.club.transfer.returning import bring, prove_here

    found = Campaign.objects.filter(code=parcel.campaign).first()
    if found is None:
        raise NotUnderstood("hall.unknown", part=parcel.campaign)
    outing = bring(found, parcel, None, prove_here)
    new = (outing.returned or 0) - outing.number
    click.echo(say("bring.done", campaign=found.title, n=new))


def _take_in(parcel: Parcel, code: str) -> None:
    from polemarque.club.transfer.returning import prove_here
    from polemarque.club.transfer.visiting import take_in

    _tell_links(take_in(parcel, code, None, prove_here))


def _take_in_game(file: Path) -> None:
    from polemarque.cli.records import kept_chains, load
    from polemarque.cli.seating import Seating, default_names, keep_seating, kept_seating
    from polemarque.club.models import Campaign
    from polemarque.club.transfer.models import is_here
    from polemarque.club.transfer.visiting import take_in_file
    from polemarque.kernel.records.record import COMMITTED

    record = load(file, interrupted=True)
    seating = kept_seating(file)
    here = Campaign.objects.filter(code=record.header.campaign).first()
    if seating and seating.club and not (here and is_here(here)):  # another file has come back
        raise NotAllowed("bring.left", part=file, campaign=seating.club)
    name = file.name.removesuffix(".json").removesuffix(".game")
    chains = kept_chains(file) if record.header.dice == COMMITTED else None
    found = take_in_file(name, record, chains, seating.bots if seating else {})
    _tell_links(found)
    click.echo(say("bring.file", code=found.code))
    before = seating or Seating(default_names(record.header.seats))
    keep_seating(file, msgspec.structs.replace(before, club=found.code))


def _tell_links(found: Campaign) -> None:
    from polemarque.club.campaigns.lobby import open_doors, token_of

    click.echo(say("bring.taken", campaign=found.title))
    for door in open_doors(found):
        link = f"/invitation/{token_of(door)}/"
        click.echo(say("bring.link", seat=door.seat, link=link))


@click.command(cls=Command, help="health.help")
@data_option
@json_option
def health(data: Path, as_json: bool) -> int:
    """Look the database over; the exit status says whether it is sound."""
    opened(data)
    from polemarque.club.server.backup import health

    found = health()
    if as_json:
        print_json(found)
    else:
        click.echo(say("health.counts", campaigns=found.campaigns, entries=found.entries))
        for code, part in found.faults:
            click.echo(say(f"health.{code}", part=part))
        broken_plugins()
        inside = {code for code, _ in found.faults} - OUTSIDE
        word = "unsound" if inside else "file_sound" if found.faults else "sound"
        click.echo(say(f"health.{word}"))
    return NO if found.faults else DONE


@click.command(cls=Command, help="password.help")
@click.argument("name")
@port_option
@data_option
def password(name: str, port: int, data: Path) -> None:
    """Print the link: it gives the account."""
    opened(data)
    from polemarque.club.models import Person
    from polemarque.web.accounts import password_way
    from polemarque.web.server import address

    person = Person.objects.filter(username__iexact=name).first()
    if person is None:
        raise NotUnderstood("password.nobody", part=name)
    click.echo(say("password.link", address=address("localhost", port) + password_way(person)))
