"""`polemarque run`: bots play a game to its end, and its papers are written."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from polemarque.bots.play import play_game
from polemarque.bots.registry import STEADY
from polemarque.cli.common import (
    INTERRUPTED,
    Command,
    json_option,
    lang,
    print_json,
    reason_of,
    say,
)
from polemarque.cli.new_game import ROLLED, DiceBy, GameOptions, game_options, header_of
from polemarque.cli.progress import Interruptible, Tick, progress
from polemarque.cli.records import (
    BY_PROGRAM,
    Held,
    commit,
    give_words,
    keep_seeds,
    make_folder,
    new_journal,
    put,
    replayed,
    summary,
    take_up,
)
from polemarque.cli.seating import Seating, bots_of, keep_seating, kept_seating, seating_file
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.events import Event, EventLog
from polemarque.kernel.files.texts import MissingText
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import COMMITTED, Journal
from polemarque.kernel.system import TURN_LIMIT

if TYPE_CHECKING:
    from polemarque.report.boards.film import Step
    from polemarque.report.labels import Names

RECORD = "game.json"
OUT = Path("out")
"""Where games go without --out: a folder of their system's name in here."""


@click.command(cls=Command, help="run.help")
@game_options
@click.option("--bots", default="", metavar="NAME,…", help="run.bots")
@click.option("--dice", type=click.Choice([ROLLED, COMMITTED]), default=ROLLED, help="run.dice_by")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="run.out")
@click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="run.resume")
@json_option
def command(
    typed: GameOptions,
    bots: str,
    dice: DiceBy,
    out: Path | None,
    resume: Path | None,
    as_json: bool,
) -> int:
    """Play a game to its end with bots only."""
    if resume is None:
        told = EventLog()
        header = header_of(typed, limited=True, dice=dice)
        header, chains = commit(header) if dice == COMMITTED else (header, None)
        players = bots_of(header.seats, bots, header.system)
        game = Game(header, publish=told.append, withdraw=told.withdraw)
        path = (out or OUT / header.system) / RECORD
        journal = new_journal(path, game, sync=False, replacing=True)
        _keep_bots(path, players)
        if chains is not None:
            keep_seeds(path, chains)
            game.hold(chains)
    else:
        if typed != GameOptions():
            raise NotAllowed("resume.header", part=resume)
        path = resume
        held = Held(path)
        game, told = _resumed(held)
        players = _same_bots(path, game, bots)
        journal = held.journal(game, sync=False)
    if game.chains is not None:
        give_words(game)
    if not _play(game, players, journal, as_json=as_json):
        print(say("run.interrupted", file=str(path)), file=sys.stderr)
        return INTERRUPTED
    written = write_papers(out or path.parent, game, told, lang())
    if as_json:
        print_json(summary(game, told))
    else:
        _show(game, told, [path, *written])
    return 0


def _play(game: Game, players: dict[str, str], journal: Journal, *, as_json: bool) -> bool:
    """Play to the end; whether it was reached.  The record is whole then, else resumable."""
    limit = game.header.options.get(TURN_LIMIT, 0)
    try:
        with Interruptible() as wish, progress(say("run.playing"), shown=not as_json) as tick:
            play_game(
                game, players, stop=lambda _: wish.asked, on_step=lambda g: _shown(g, limit, tick)
            )
            if game.over:
                journal.close()
    finally:
        if not game.over:
            journal.abandon()
    return game.over


def _shown(game: Game, limit: int, tick: Tick) -> None:
    if limit:
        tick(game.runner.period - 1, limit)
    else:
        tick(len(game.entries), 0)


def _resumed(held: Held) -> tuple[Game, EventLog]:
    """The game of an interrupted record (or of a whole one: only its papers are written again)."""
    dice = held.record.header.dice
    if dice not in {*BY_PROGRAM, COMMITTED}:
        raise NotAllowed("run.dice", part=dice)
    with progress(say("run.reading")) as tick:
        game, told = replayed(held.record, on_step=tick)
    take_up(held.path, game)
    return game, told


def _same_bots(path: Path, game: Game, bots: str) -> dict[str, str]:
    """The bots that play on: those asked for, else those that played before, else all steady."""
    seating = kept_seating(path)
    if bots or seating is None:
        return bots_of(game.header.seats, bots, game.header.system)
    fresh = bots_of(game.header.seats, "", game.header.system)
    return fresh | {seat: name for seat, name in seating.bots.items() if seat in fresh}


def _keep_bots(path: Path, players: dict[str, str]) -> None:
    """Remember who plays, where it is not what a resumed game assumes."""
    if set(players.values()) == {STEADY}:
        seating_file(path).unlink(missing_ok=True)
    else:
        keep_seating(path, Seating(bots=players))


def _show(game: Game, told: Sequence[Event], files: Sequence[Path]) -> None:
    figures, limit = summary(game, told), game.header.options.get(TURN_LIMIT)
    for line in summary_lines(game, figures):
        print(line)
    if figures["turns"] == limit:
        print(say("run.limit", turns=limit))
    print(say("run.files", files=[str(file) for file in files]))


def summary_lines(game: Game, figures: dict[str, Any], people: Names | None = None) -> list[str]:
    """The summary of a game for people; `people`: the names they gave."""
    from polemarque.report.labels import with_code
    from polemarque.report.narrator import Voice

    book = Voice(game.header, lang(), people, game.state).own
    given = (people or {}).get("seat", {})

    def named(seat: str) -> str:
        """A seat's own name is told with its code, unless a player has given one."""
        return book.name(seat) if seat in given else with_code(book.name(seat), seat)

    standing = game.system.standing(game.state)
    counted = {name: figures[name] for name in ("turns", "entries", "events")}
    return [
        say("summary.title", system=book.system_title, over=game.over, **counted),
        say(
            "summary.result",
            winners=[named(seat) for seat in standing.winners],
            ranking=[named(seat) for seat in standing.ranking],
        ),
        say("summary.digest", digest=figures["digest"]),
    ]


# Papers ------------------------------------------------------------------------------------------

CHRONICLE = "chronicle.md"
POSTED = "chronicle.public.md"
"""The chronicle that everybody may read; all other papers are the umpire's."""
MAP = "map.svg"
REPLAY = "replay.html"
TURNS = "turns"
"""The folder of the maps, one a turn: ``turns/03.svg``."""


def write_papers(folder: Path, game: Game, events: Sequence[Event], lang: str) -> list[Path]:
    """Write the chronicle and, where the system has them, the map, the replay and each turn's map.

    Gives what was written.
    A stranger's system whose words are not all there has no chronicle, and that is said.
    """
    from polemarque.report.boards.film import steps_of
    from polemarque.report.chronicle import chronicle, for_umpire
    from polemarque.report.documents.writers import write
    from polemarque.report.labels import names_of
    from polemarque.report.pictures import picture

    make_folder(folder)
    written = []
    try:
        tellings = [
            chronicle(game.header, events, lang, seat=eye, acts=game.entries, state=game.state)
            for eye in (None, "")
        ]
        whole, open_to_all = tellings
        told = {CHRONICLE: for_umpire(whole, game.header.system), POSTED: open_to_all}
        papers = {name: write(story, "md") for name, story in told.items()}
    except MissingText as lacking:
        print(say("run.no_chronicle", key=lacking.key), file=sys.stderr)
    else:
        for name, paper in papers.items():
            written.append(folder / name)
            put(written[-1], paper)
    names = names_of(game.system, game.state, lang)
    drawn = picture(game.header.system, game.state, lang, names)
    if drawn is None:
        return written
    written.append(folder / MAP)
    put(written[-1], drawn)
    steps = steps_of(game.header, game.entries)
    written += _replay(folder, game, steps, lang)
    return written + _turns(folder / TURNS, game, steps, lang)


def _replay(folder: Path, game: Game, steps: Sequence[Step], lang: str) -> list[Path]:
    """The page on which a battle can be looked at step by step, for systems that are filmed."""
    from polemarque.report.boards.film import filmed
    from polemarque.report.boards.replay_page import replay_page

    try:
        made = filmed(game.header, steps, lang)
    except MissingText:  # said of the chronicle already
        return []
    if made is None:
        return []
    put(folder / REPLAY, replay_page(made, lang, for_umpire=True))
    return [folder / REPLAY]


def _turns(folder: Path, game: Game, steps: Sequence[Step], lang: str) -> list[Path]:
    """The map as each turn left it; those of an earlier game are taken away."""
    from polemarque.report.boards.film import turns_of
    from polemarque.report.labels import names_of
    from polemarque.report.pictures import picture

    make_folder(folder)
    _clear(folder)
    turns = turns_of(game.header, steps)
    width = len(str(max(turns, default=0)))
    for turn, state in turns.items():
        drawn = picture(game.header.system, state, lang, names_of(game.system, state, lang))
        if drawn is not None:
            put(folder / f"{turn:0{width}}.svg", drawn)
    return [folder]


def _clear(folder: Path) -> None:
    """Take away maps of turns.  Raises NotAllowed."""
    for old in folder.glob("*.svg"):
        if old.stem.isdigit():
            try:
                old.unlink()
            except OSError as fault:
                raise NotAllowed("file.unwritable", part=old, reason=reason_of(fault)) from None
