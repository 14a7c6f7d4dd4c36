"""Help pages: rich, in the reader's language, and loaded only when one is shown."""

from __future__ import annotations

from copy import copy
from typing import Any

import click
import rich_click

from polemarque.cli.common import catalogue, lang, say


def help_of(command: click.Command, ctx: click.Context) -> str:
    """The help of a command or of the whole group, its texts looked up in the catalogue."""
    twin = _twin(command, ctx)
    own = twin.get_help_option(ctx)
    if own is not None:
        own.help = say("cli.help_option")
    page = rich_click.RichContext(twin, info_name=ctx.info_name, parent=ctx.parent)
    formatter = page.make_formatter()
    formatter.config.options_panel_title = say("cli.panel.options")
    formatter.config.commands_panel_title = say("cli.panel.commands")
    twin.format_help(page, formatter)
    return formatter.getvalue().rstrip("\n")


class _InOrder(rich_click.RichGroup):
    """A group that lists its commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """See click."""
        return list(self.commands)


def _twin(command: click.Command, ctx: click.Context) -> Any:
    """A command like this one, in rich letters and with its texts said."""
    told = _told(command.help)
    params = [_told_param(param) for param in command.params]
    if not isinstance(command, click.Group):
        return rich_click.RichCommand(name=command.name, params=params, help=told)
    group = _InOrder(
        name=command.name, params=params, help=told,
        invoke_without_command=command.invoke_without_command,
    )  # fmt: skip
    for name in command.list_commands(ctx):
        inner = command.get_command(ctx, name)
        if inner is not None:
            group.add_command(rich_click.RichCommand(name=name, help=_told(inner.help)))
    return group


def _told_param(param: click.Parameter) -> click.Parameter:
    if not isinstance(param, click.Option):
        return param
    twin = copy(param)
    twin.help = _told(param.help)
    return twin


def _told(key: str | None) -> str | None:
    """The text of a key; what is no key stays as it is."""
    if key is None or not catalogue().has(lang(), key):
        return key
    return catalogue().say(lang(), key)
