"""`polemarque replay`: play a record again, every entry checked, to its end or to one entry."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import rich_click as click

from polemarque.cli.common import (
    NO,
    TEXTS,
    TRACE,
    Command,
    json_option,
    lang,
    print_json,
    refuse,
    say,
)
from polemarque.cli.progress import progress
from polemarque.cli.records import read_bytes, replayed, said_keys, summary
from polemarque.kernel.errors import NotAllowed, OutOfDate, Refusal
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Record, read_record, write_entry
from polemarque.kernel.records.verifier import FAULTS


@click.command(cls=Command, help="replay.help")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", type=click.IntRange(min=0), metavar="N", help="replay.at")
@json_option
def command(file: Path, at: int | None, as_json: bool) -> int:
    """Play a record again."""
    raw = read_bytes(file)
    try:
        record = read_record(raw)
    except Refusal as refusal:
        refuse(refusal, as_json=as_json)
        return NO
    if at is not None and at > len(record.entries):
        raise NotAllowed("replay.at", part=at, legal=(f"0-{len(record.entries)}",))
    try:
        with progress(say("run.reading"), shown=not as_json) as tick:
            game, told = replayed(record, most=at, on_step=tick)
    except FAULTS as fault:
        if os.environ.get(TRACE):
            raise
        told_why = fault if isinstance(fault, Refusal) else OutOfDate("verify.fault", part=fault)
        refuse(told_why, as_json=as_json)
        return NO
    figures = summary(game, told)
    if as_json:
        print_json(
            figures
            if at is None
            else figures | {"open": [str(key) for key in game.runner.open_keys()]}
        )
    else:
        _show(game, record, figures, at, file)
    return 0


def _show(game: Game, record: Record, figures: dict[str, Any], at: int | None, file: Path) -> None:
    from polemarque.cli.commands.run import summary_lines
    from polemarque.cli.seating import called_beside
    from polemarque.report.game_words import Words
    from polemarque.report.outline import outlined

    called = called_beside(file)
    if at is not None:
        print(say("replay.secret"))
    for line in summary_lines(game, figures, called):
        print(line)
    if at is None:
        print(say("replay.holds"))
        return
    if at:
        entry = write_entry(record.entries[at - 1], record.header.version)
        print(say("replay.entry", number=at, entry=entry.decode()))
    words = Words(game.header, lang(), TEXTS, called, state=game.state)
    for key in said_keys(words, game, game.runner.open_keys()):
        print(say("replay.open", key=key))
    for line in outlined(game.state, words.voice.own):
        print(line)
