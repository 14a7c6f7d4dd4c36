"""`polemarque password NAME`: a link by which somebody chooses a new password."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from polemarque.cli.common import Command, lang_option, say
from polemarque.cli.serve import data_option, opened, port_option
from polemarque.kernel.errors import NotUnderstood


@click.command(cls=Command, help="password.help")
@click.argument("name")
@port_option
@data_option
@lang_option
def command(name: str, port: int, data: Path) -> None:
    """Print the link: whoever has it has the account."""
    opened(data)
    from polemarque.club.models import Person
    from polemarque.web.accounts import password_way
    from polemarque.web.server import address

    person = Person.objects.filter(username__iexact=name).first()
    if person is None:
        raise NotUnderstood("password.nobody", part=name)
    click.echo(say("password.link", address=address("localhost", port) + password_way(person)))
