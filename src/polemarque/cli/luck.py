"""`polemarque luck`: the faces of a game against what dice show on the average."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from polemarque.cli.common import Command, json_option, lang, lang_option, print_json, say


@click.command(cls=Command, help="luck.help")
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@lang_option
def command(file: Path, as_json: bool) -> int:
    """Say how the dice fell."""
    from polemarque.cli.records import load_as_is, replayed
    from polemarque.cli.seating import called_beside
    from polemarque.report.book import with_code
    from polemarque.report.luck import luck
    from polemarque.report.voice import Voice

    record = load_as_is(file)
    found = luck(record.header, record.entries)
    if as_json:
        print_json({
            "dice": record.header.dice,
            "luck": [
                {"seat": each.seat or None, "dice": each.dice, "total": each.total,
                 "expected": str(each.expected), "chance": each.chance, "verdict": each.verdict}
                for each in found
            ],
        })  # fmt: skip
        return 0
    game, _ = replayed(record)
    book = Voice(record.header, lang(), called_beside(file), game.state).own
    print(say(f"luck.source.{record.header.dice}"))
    for each in found:
        who = with_code(book.name(each.seat), each.seat) if each.seat else say("luck.all")
        mean = _decimal(each.total, each.dice)
        expected = _decimal(float(each.expected), each.dice)
        print(say("luck.dice", who=who, dice=each.dice, mean=mean, expected=expected)
              + " " + say(f"luck.{each.verdict}"))  # fmt: skip
    return 0


def _decimal(total: float, dice: int) -> str:
    """A mean face with two places, as the reader's language writes it."""
    said = f"{total / dice:.2f}" if dice else "0"
    return said.replace(".", ",") if lang() == "fr" else said
