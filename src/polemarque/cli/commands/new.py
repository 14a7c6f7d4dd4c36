"""`polemarque new`: a game for correspondents, or the package of a rule system.

The package works before a line is changed.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import rich_click as click

from polemarque.cli.common import Command, Commands, lang_option, reason_of, say
from polemarque.cli.new_game import ROLLED, DiceBy, GameOptions, game_options, seating_options
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.files.plugins import entry_points
from polemarque.kernel.system import GROUP

EXAMPLE = "rapids"
"""The example that is copied, names replaced: the folder, the package and the system in it."""

PACKAGE = Path(__file__).resolve().parents[2]
HOMES = (PACKAGE / "examples", PACKAGE.parents[1] / "examples")
"""Where it lies: in an installed program, in a checkout."""

NAME = re.compile(r"(?=(?:.*[a-z]){3})[a-z][a-z0-9_]{1,28}[a-z0-9]")
"""At least three letters: the rule ids of what is shipped begin with two."""


@click.group(cls=Commands, invoke_without_command=True, help="new.help")
@lang_option
@click.pass_context
def command(ctx: click.Context) -> None:
    """Without a kind of thing, show the help."""
    if ctx.invoked_subcommand is None:
        ctx.get_help()


@command.command(cls=Command, help="new.game")
@game_options
@seating_options
def game(
    typed: GameOptions, given: Sequence[str], people: int | None, bots: str,
    dice: DiceBy | None, save: Path | None,
) -> None:  # fmt: skip
    """Begin a game up to its first questions, and say how their order forms are had."""
    from polemarque.bots.play import play_game
    from polemarque.cli.commands.orders import awaited
    from polemarque.cli.commands.play import begin
    from polemarque.cli.records import finish, give_words
    from polemarque.kernel.records.record import COMMITTED

    everybody = not given and people is None and not bots
    dice = dice or (COMMITTED if typed.seed is None else ROLLED)  # who plays apart can check them
    begun = begin(typed, given, people, bots, dice, save, everybody=everybody)
    game, path = begun.game, begun.path
    try:
        if game.header.dice == COMMITTED:
            give_words(game)
        play_game(game, begun.seating.bots, umpire=False)
        if game.over:
            finish(begun.journal, path)
    finally:
        if not game.over:
            begun.journal.abandon()
    click.echo(say("new.begun", file=str(path), seats=awaited(game, begun.seating)))


@command.command(cls=Command, help="new.system")
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(path_type=Path), metavar="[DIR]")
def system(name: str, folder: Path | None) -> None:
    """Write the package and say how it is used."""
    if not NAME.fullmatch(name):
        plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:30]
        legal = plain if NAME.fullmatch(plain) else "my_ford"
        raise NotUnderstood("new.name", part=name, legal=(legal,))
    home = folder or Path(name)
    if home.exists() or home.is_symlink():
        raise NotAllowed("new.exists", part=home)
    if keyword.iskeyword(name) or name in entry_points(GROUP) or find_spec(name) is not None:
        raise NotAllowed("new.taken", part=name, legal=(f"my_{name}"[:30],))
    try:
        _write(home, replacements(name))
    except OSError as fault:
        raise NotAllowed("file.unwritable", part=home, reason=reason_of(fault)) from None
    click.echo(say("new.written", folder=str(home), name=name, rule=f"{_prefix(name)}-2"))


def _write(home: Path, words: dict[str, str]) -> None:
    """Copy the example, with other words in its texts and in the names of its files."""
    source = next(each / EXAMPLE for each in HOMES if (each / EXAMPLE).is_dir())
    for path in sorted(source.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            written = home / replaced(path.relative_to(source).as_posix(), words)
            written.parent.mkdir(parents=True, exist_ok=True)
            text = replaced(path.read_text(encoding="utf-8"), words)
            written.write_text(text, encoding="utf-8", newline="\n")


def replacements(name: str) -> dict[str, str]:
    """What stands in the example -> what stands in its place."""
    title = name.replace("_", " ").capitalize()
    return {
        "The rapids": title,
        "the rapids": title,
        "Les rapides": title,
        EXAMPLE.upper(): _prefix(name),
        EXAMPLE: name,
    }


def replaced(text: str, words: dict[str, str]) -> str:
    """A text with all words replaced, in one go."""
    return re.sub("|".join(words), lambda found: words[found[0]], text)


def _prefix(name: str) -> str:
    return re.sub(r"[^A-Z]", "", name.upper())
