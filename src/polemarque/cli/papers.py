"""The papers of a finished game: its chronicle and its map, beside its record."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from polemarque.cli.common import say
from polemarque.cli.records import make_folder, put
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game
from polemarque.kernel.texts import MissingText

if TYPE_CHECKING:
    from polemarque.report.voice import Names

CHRONICLE = "chronicle.md"
MAP = "map.svg"


def write_papers(
    folder: Path, game: Game, events: Sequence[Event], lang: str, people: Names | None = None
) -> list[Path]:
    """Write the chronicle, and the map where the system has one; gives what was written.

    people: the players' own names (see `seating.called_beside`).
    A stranger's system whose words are not all there has no chronicle, and that is said.
    """
    from polemarque.report.chronicle import chronicle
    from polemarque.report.pictures import picture
    from polemarque.report.voice import names_of
    from polemarque.report.writers import write

    written = []
    make_folder(folder)
    try:
        story = chronicle(game.header, events, lang, people, acts=game.entries, state=game.state)
        told = write(story, "md")
    except MissingText as lacking:
        print(say("run.no_chronicle", key=lacking.key), file=sys.stderr)
    else:
        written.append(folder / CHRONICLE)
        put(written[-1], told)
    names = names_of(game.system, game.state, lang, people)
    drawn = picture(game.header.system, game.state, lang, names)
    if drawn is not None:
        written.append(folder / MAP)
        put(written[-1], drawn)
    return written
