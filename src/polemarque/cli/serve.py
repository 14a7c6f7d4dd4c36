"""`polemarque serve`: the club in the browser, from one process and one file."""

from __future__ import annotations

import faulthandler
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import rich_click as click

from polemarque.cli.common import Command, lang, lang_option, reason_of, say
from polemarque.kernel.errors import NotAllowed

F = TypeVar("F", bound=Callable[..., Any])

NO_SUCH_HOST = (socket.EAI_NONAME, socket.EAI_AGAIN, socket.EAI_FAIL)

FOLDER = Path("polemarque-data")
"""Where the club's data are kept if nothing else is said."""


def data_option(command: F) -> F:
    """`--data DIR`."""
    return click.option(
        "--data", type=click.Path(path_type=Path), default=FOLDER, metavar="DIR", help="serve.data"
    )(command)  # fmt: skip


def port_option(command: F) -> F:
    """`--port N`."""
    return click.option(
        "--port", type=click.IntRange(1, 65535), default=8000, metavar="N", help="serve.port"
    )(command)  # fmt: skip


def prepared(data: Path) -> None:
    """Make Django ready for a folder.

    Raises NotAllowed without the pages, or without a folder, NotUnderstood on what a club says of
    itself and cannot be (see `web.surroundings`).
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


@click.command(cls=Command, help="serve.help")
@port_option
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="serve.host")
@data_option
@click.option("--demo/--no-demo", default=True, help="serve.demo")
@lang_option
def command(port: int, host: str, data: Path, demo: bool) -> None:
    """Bring the tables up to date, say where the club is, and serve it."""
    faulthandler.enable()  # a crash below Python leaves word of where it was
    from polemarque.web.server import address, first_token, listening, migrate, run
    from polemarque.web.surroundings import bracketed

    try:
        door = listening(host, port)
    except (OSError, UnicodeError) as fault:
        part = f"{bracketed(host)}:{port}"
        raise NotAllowed("serve.door", part=part, reason=_why(fault)) from None
    prepared(data)
    from polemarque.club.demonstration import demonstrate

    migrate()
    if demo:
        demonstrate(lang())
    here = address(host, port)
    click.echo(say("serve.open", address=here + "/"))
    token = first_token()
    if token:
        click.echo(say("serve.invitation", address=f"{here}/invitation/{token}/"))
    click.echo(say("serve.end"))
    run(door)


def _why(fault: OSError | UnicodeError) -> str:
    """Why an address cannot be had, without what it was at."""
    if isinstance(fault, UnicodeError) or fault.errno in NO_SUCH_HOST:
        return say("os.unknown_host")
    return reason_of(fault).partition(" (while ")[0]
