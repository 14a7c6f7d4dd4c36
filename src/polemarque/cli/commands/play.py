"""`polemarque play`: a game at one terminal, people and bots mixed, saved with every answer."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import rich_click as click

from polemarque.cli.common import INTERRUPTED, TEXTS, Command, lang, say
from polemarque.cli.new_game import (
    ROLLED,
    DiceBy,
    GameOptions,
    game_options,
    header_of,
    seating_options,
)
from polemarque.cli.progress import progress
from polemarque.cli.records import (
    Held,
    commit,
    finish,
    keep_seeds,
    new_journal,
    replayed,
    summary,
    take_up,
)
from polemarque.cli.seating import (
    Seating,
    called_beside,
    default_names,
    keep_seating,
    kept_seating,
    people_and_bots,
)
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.events import EventLog
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import COMMITTED, TYPED, Header, Journal

if TYPE_CHECKING:
    from polemarque.cli.hotseat import HotSeat


@click.command(cls=Command, help="play.help")
@game_options
@seating_options
@click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="play.resume")
def command(
    typed: GameOptions,
    given: Sequence[str],
    people: int | None,
    bots: str,
    dice: DiceBy | None,
    save: Path | None,
    resume: Path | None,
) -> int:
    """Play at the terminal."""
    if resume is None:
        begun = begin(typed, given, people, bots, dice or ROLLED, save)
        return _play(
            _table(begun.game, begun.seating, begun.told, begun.path), begun.journal, begun.path
        )
    if save or typed != GameOptions():
        raise NotAllowed("resume.header", part=resume)
    held = Held(resume)
    with progress(say("run.reading")) as tick:
        game, told = replayed(held.record, on_step=tick)
    take_up(resume, game)
    seating = _resumed_seating(resume, game.header, given, people, bots)
    journal = held.journal(game)
    keep_seating(resume, seating)
    return _play(_table(game, seating, told, resume), journal, resume)


class Begun(NamedTuple):
    """A game that has just begun, its file and those who play it."""

    game: Game
    seating: Seating
    told: EventLog
    journal: Journal
    path: Path


def begin(
    typed: GameOptions, given: Sequence[str], people: int | None, bots: str, dice: DiceBy,
    save: Path | None, *, everybody: bool = False,
) -> Begun:  # fmt: skip
    """Begin a game in a file of its own, its seating and seeds beside it.

    everybody: all seats are people.   Raises NotAllowed if the file is taken.
    """
    header = header_of(typed, limited=False, dice=dice)
    seating = _seating(header, given, len(header.seats) if everybody else people, bots)
    header, chains = commit(header) if dice == COMMITTED else (header, None)
    header = msgspec.structs.replace(header, umpire=seating.playing_umpire(header.seats))
    told = EventLog()
    game = Game(header, publish=told.append, withdraw=told.withdraw)
    path = save or _free(header.system)
    journal = new_journal(path, game, sync=True, replacing=False)
    keep_seating(path, seating)
    if chains is not None:
        keep_seeds(path, chains)
        game.hold(chains)
    return Begun(game, seating, told, journal, path)


def _free(system: str) -> Path:
    """A file in this folder that no other game has taken."""
    number = 1
    path = Path(f"{system}.game.json")
    while path.exists():
        number += 1
        path = Path(f"{system}-{number}.game.json")
    return path


def _seating(header: Header, given: Sequence[str], people: int | None, bots: str) -> Seating:
    called = default_names(header.seats)
    return people_and_bots(header.seats, given, people, bots, header.system, called)


def _resumed_seating(
    path: Path, header: Header, given: Sequence[str], people: int | None, bots: str
) -> Seating:
    """Those who played before, unless others are named now."""
    before = kept_seating(path)
    if before is None:
        return _seating(header, given, people, bots)
    if given or people is not None or bots:
        seating = _seating(header, given, people, bots)
        return msgspec.structs.replace(seating, club=before.club)
    return before


def _table(game: Game, seating: Seating, told: EventLog, path: Path) -> HotSeat:
    from polemarque.cli.hotseat import HotSeat
    from polemarque.cli.prompts import Terminal
    from polemarque.report.game_words import Words

    return HotSeat(
        game, seating, Terminal(), Words(game.header, lang(), TEXTS, state=game.state),
        told=told, where=str(path), typed=game.header.dice == TYPED,
    )  # fmt: skip


def _play(table: HotSeat, journal: Journal, path: Path) -> int:
    """Play until the game is over or left; the record is whole in the first case only."""
    from polemarque.cli.commands.run import summary_lines
    from polemarque.cli.prompts import Aside, Left

    try:
        table.welcome()
        table.play()
        finish(journal, path)
    except Aside:
        journal.abandon()
        table.terminal.show(say("play.left", file=str(path)))
        return 0
    except (Left, KeyboardInterrupt):
        journal.abandon()
        print("\n" + say("play.interrupted", file=str(path)), file=sys.stderr)
        return INTERRUPTED
    finally:
        if not table.game.over:
            journal.abandon()
    table.farewell()
    for line in summary_lines(table.game, summary(table.game, table.told), called_beside(path)):
        table.terminal.show(line)
    table.terminal.show(say("play.over", file=str(path)))
    return 0
