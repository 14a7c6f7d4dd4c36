"""The papers of a finished game, beside its record: chronicle, maps, replay."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from polemarque.cli.common import reason_of, say
from polemarque.cli.records import make_folder, put
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game
from polemarque.kernel.texts import MissingText

if TYPE_CHECKING:
    from polemarque.report.board_film import Step

CHRONICLE = "chronicle.md"
MAP = "map.svg"
REPLAY = "replay.html"
TURNS = "turns"
"""The folder of the maps, one a turn: ``turns/03.svg``."""


def write_papers(folder: Path, game: Game, events: Sequence[Event], lang: str) -> list[Path]:
    """Write the chronicle and, where the system has them, the map, the replay and each turn's map.

    Gives what was written.
    A stranger's system whose words are not all there has no chronicle, and that is said.
    """
    from polemarque.report.board_film import steps_of
    from polemarque.report.book import names_of
    from polemarque.report.chronicle import chronicle
    from polemarque.report.pictures import picture
    from polemarque.report.writers import write

    make_folder(folder)
    written = []
    try:
        story = chronicle(game.header, events, lang, acts=game.entries, state=game.state)
        told = write(story, "md")
    except MissingText as lacking:
        print(say("run.no_chronicle", key=lacking.key), file=sys.stderr)
    else:
        written.append(folder / CHRONICLE)
        put(written[-1], told)
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
    from polemarque.report.board_film import filmed
    from polemarque.report.replay_page import replay_page

    try:
        made = filmed(game.header, steps, lang)
    except MissingText:  # said of the chronicle already
        return []
    if made is None:
        return []
    put(folder / REPLAY, replay_page(made, lang))
    return [folder / REPLAY]


def _turns(folder: Path, game: Game, steps: Sequence[Step], lang: str) -> list[Path]:
    """The map as each turn left it; those of an earlier game are taken away."""
    from polemarque.report.board_film import turns_of
    from polemarque.report.book import names_of
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
