"""What all commands share: their language, their options, their help, and how a refusal is said.

A command is a `command` of a module in `commands`, made with `cls=Command`; its help and that
of its options are keys of the text catalogues.  It raises `Refusal` for whatever is refused, and
returns its exit status, or None for 0.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from errno import errorcode
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import click
from click.exceptions import Abort, ClickException, Exit, UsageError

from polemarque.kernel.errors import KernelFault, NotUnderstood, Refusal, harmless, shortened
from polemarque.kernel.files.findings import CheckFailed

if TYPE_CHECKING:
    from polemarque.kernel.files.texts import Catalogue

CLUB = ("serve", "tick", "mail", "backup", "restore", "take", "bring", "health", "password")
"""The commands of a club: functions of `commands.club`."""

COMMANDS = (
    "consult", "run", "study", "play", "amend", "orders", "replay", "verify", "export", "luck",
    "new", "rules", "cases", "chronicle", "sheet", "check", *CLUB,
)  # fmt: skip
"""All commands, in the order in which help lists them; each has a module of its name, or `club`."""

DONE, NO, REFUSED, BROKEN, INTERRUPTED = 0, 1, 2, 3, 130
"""Exit statuses: done; the answer is no; refused; a fault of the program; interrupted."""

TEXTS = (Path(__file__).parent / "data",)
"""The folder of the commands' own texts, as one of those that a reader is told from."""

TRACE = "POLEMARQUE_TRACE"
"""Set to anything, it shows the traceback of a fault of the program."""

COMPLETE = "_POLEMARQUE_COMPLETE"
"""Set by a shell that asks how a command line may go on."""

LONGEST_FAULT = 300
"""Characters of such a fault in the one line that tells of it."""


class Fault(Refusal):
    """The program is at fault: what is told, like a refusal, where nobody was refused anything."""

    kind = "fault"


POSTED = ("bbcode", "md")
"""As `writers` has them: the formats that are cut into posts."""

# Language --------------------------------------------------------------------------------------

_chosen: list[str] = []


def lang() -> str:
    """The reader's language: that of `--lang`, else of the locale."""
    return _chosen[-1] if _chosen else locale_language(os.environ)


def locale_language(environ: Mapping[str, str]) -> str:
    """French where the locale is French, English anywhere else."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            return "fr" if environ[name].lower().startswith("fr") else "en"
    return "en"


def _asked_for(arguments: Sequence[str]) -> str:
    """The language of `--lang` on a command line that has not been read yet."""
    for place, word in enumerate(arguments):
        name, _, value = word.partition("=")
        if name == "--lang":
            value = value or "".join(arguments[place + 1 : place + 2])
            if value in {"fr", "en"}:
                return value
    return ""


def _choose(_: Any, __: Any, value: str | None) -> None:
    if value is not None:
        _chosen.append(value)


@cache
def catalogue(*folders: Path) -> Catalogue:
    """The kernel's, the odds' and the commands' texts, and those of further folders."""
    from polemarque.kernel.files.texts import KERNEL_TEXTS, Catalogue
    from polemarque.odds.wording import DATA as ODDS_TEXTS

    return Catalogue.load(KERNEL_TEXTS, ODDS_TEXTS, *TEXTS, *folders)


def say(key: str, /, **data: Any) -> str:
    """One of the commands' own texts, in the reader's language."""
    return catalogue().say(lang(), key, **data)


def broken_plugins() -> None:
    """Tell which plugins are installed and cannot be used, each with its first reason."""
    import polemarque.bots.registry
    import polemarque.kernel.battle_brief  # noqa: F401 (each has a group of plugins)
    from polemarque.kernel.files.plugins import broken

    for plugin in broken():
        why = plugin.why(catalogue(), lang())
        click.echo(say("cli.plugin", name=plugin.name, why=why), err=True)


def reason_of(fault: Exception) -> str:
    """Why something failed; of what the operating system refuses, in the reader's words.

    In its own where we have none.
    """
    if not isinstance(fault, OSError):
        return str(fault)
    key = f"os.{errorcode.get(fault.errno or 0, '')}"
    return say(key) if catalogue().has(lang(), key) else fault.strerror or str(fault)


def refusal_text(refusal: Refusal, *folders: Path) -> str:
    """A refusal in the reader's words; `folders` hold further texts."""
    from polemarque.report.game_words import refusal_text as told

    return told(refusal, lang(), *TEXTS, *folders)


# Options that several commands have --------------------------------------------------------------


_LANG: dict[str, Any] = {
    "type": click.Choice(["fr", "en"]), "expose_value": False, "is_eager": True,
    "callback": _choose, "help": "cli.lang",
}  # fmt: skip


lang_option = click.option("--lang", **_LANG)
"""`--lang fr|en` of a group of commands; read by `lang()`."""

json_option = click.option("--json", "as_json", is_flag=True, help="cli.json")
"""`--json`, given to the command as `as_json`."""


class Command(click.Command):
    """A command whose help texts are keys of the catalogue, looked up when help is shown; it takes
    `--lang`."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.params.append(click.Option(["--lang"], **_LANG))

    def get_help(self, ctx: click.Context) -> NoReturn:
        """Print it, in letters of its own, and end."""
        from polemarque.cli.help import help_of

        click.echo(help_of(self, ctx), file=bare(sys.stdout))
        ctx.exit()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See click; what nothing takes is refused in the reader's language."""
        ctx.allow_extra_args = True
        rest = super().parse_args(ctx, args)
        if ctx.args:
            raise NotUnderstood("cli.extra", part=ctx.args[0], command=ctx.command_path)
        return rest


class Commands(click.Group):
    """Commands whose help texts are keys of the catalogue; of an unknown one, it says which are."""

    get_help = Command.get_help

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """See click."""
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-"):
            raise NotUnderstood("cli.no_command", part=args[0], legal=known)
        return super().resolve_command(ctx, args)


class _Lazy(Commands):
    """The group of all commands: a command's module is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """See click."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """See click."""
        if cmd_name not in COMMANDS:
            return None
        module, name = ("club", cmd_name) if cmd_name in CLUB else (cmd_name, "command")
        found: click.Command = getattr(import_module(f"polemarque.cli.commands.{module}"), name)
        found.name = cmd_name
        return found


@click.group(cls=_Lazy, invoke_without_command=True, help="cli.help")
@click.version_option(package_name="polemarque", message="%(version)s", help="cli.version")
@lang_option
@click.pass_context
def polemarque(ctx: click.Context) -> None:
    """Without a command, show the help."""
    if ctx.invoked_subcommand is None:
        ctx.get_help()


# Running -----------------------------------------------------------------------------------------


class _Harmless:
    """A stream that makes what is written `harmless`."""

    def __init__(self, stream: TextIO) -> None:
        self.bare = stream

    def write(self, text: str) -> int:
        """See `TextIO`."""
        return self.bare.write(harmless(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bare, name)


def bare(stream: TextIO) -> TextIO:
    """The stream that takes what is written as it is: for what we have made harmless ourselves."""
    return getattr(stream, "bare", stream)


def run(arguments: Sequence[str], command: click.Command = polemarque) -> int:
    """Run a command line and return its exit status; nothing it does ends in a traceback."""
    as_json = "--json" in arguments
    kept = len(_chosen)
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = [_Harmless(bare(stream)) for stream in streams]
    asked = _asked_for(arguments)
    if asked:
        _chosen.append(asked)
    try:
        if COMPLETE in os.environ:
            command.main(list(arguments), "polemarque")
        with command.make_context("polemarque", list(arguments)) as ctx:
            status = command.invoke(ctx)
        sys.stdout.flush()
        return status if isinstance(status, int) else DONE
    except Refusal as refusal:
        return refuse(refusal, as_json=as_json)
    except Exit as end:
        return end.exit_code
    except UsageError as fault:
        return refuse(_misused(fault), as_json=as_json)
    except ClickException as fault:
        return refuse(NotUnderstood("cli.usage", message=fault.format_message()), as_json=as_json)
    except (KeyboardInterrupt, Abort):
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone; nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as fault:
        # The last net: nobody is shown a traceback who has not asked for it.
        if os.environ.get(TRACE):
            raise
        return _broken(fault, as_json=as_json)
    finally:
        del _chosen[kept:]
        sys.stdout, sys.stderr = streams


def refuse(
    refusal: Refusal, *, as_json: bool = False, said: str = "", rule: str | None = None
) -> int:
    """Say a refusal: one line on standard error, with `as_json` also an object on standard output.

    said: the sentence, if it is already known.   rule: the rule that was asked, if not the one
    that refuses.  Returns the exit status of refusals.
    """
    line = " ".join((said or refusal_text(refusal)).split("\n"))
    line = line.encode(errors="replace").decode()  # what was typed may be no text at all
    if as_json:
        print_json({"rule": rule or refusal.rule or None, "error": line, "kind": refusal.kind})
    print(line, file=sys.stderr)
    return REFUSED


def _broken(fault: Exception, *, as_json: bool) -> int:
    """Say that the program, or a file that it needs, is at fault: one line, and how to see more."""
    if isinstance(fault, CheckFailed):
        return refuse(NotUnderstood("cli.data", message=str(fault)), as_json=as_json)
    told = shortened(fault if isinstance(fault, KernelFault) else repr(fault), LONGEST_FAULT)
    refuse(Fault("cli.fault", message=told, trace=TRACE), as_json=as_json)
    return BROKEN


def print_json(value: Any) -> None:
    """One JSON document on one line of standard output, in UTF-8 whatever the terminal's."""
    import msgspec

    sys.stdout.flush()
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")
    sys.stdout.buffer.flush()


def _misused(fault: UsageError) -> Refusal:
    """A usage error of click as a refusal of ours."""
    from click.exceptions import BadOptionUsage, BadParameter, MissingParameter, NoSuchOption

    name = fault.ctx.command_path if fault.ctx is not None else "polemarque"
    if isinstance(fault, NoSuchOption):
        return NotUnderstood("cli.no_option", part=fault.option_name, command=name)
    if isinstance(fault, BadOptionUsage):
        return NotUnderstood("cli.no_value", part=fault.option_name)
    if isinstance(fault, (MissingParameter, BadParameter)) and fault.param is not None:
        shown = fault.param.get_error_hint(fault.ctx)
        if isinstance(fault, MissingParameter):
            return NotUnderstood("cli.missing", part=shown, command=name)
        return NotUnderstood("cli.value", part=shown, command=name, legal=_shapes(fault.param.type))
    return NotUnderstood("cli.usage", message=fault.format_message())


def _shapes(kind: Any) -> tuple[str, ...]:
    """What may be written for a parameter of click, in no language: words, or a span of numbers."""
    if isinstance(kind, click.Tuple):
        return (" ".join([shape for one in kind.types for shape in _shapes(one) or ("…",)]),)
    if isinstance(kind, click.Choice):
        return tuple(map(str, kind.choices))
    if isinstance(kind, click.IntRange):
        return (f"≥ {kind.min}" if kind.max is None else f"{kind.min}-{kind.max}",)
    return ("N",) if kind is click.INT else ()
