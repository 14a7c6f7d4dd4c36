"""`polemarque luck`: the faces of a game against what dice show, and the odds of its decisions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from polemarque.cli.common import Command, json_option, lang, print_json, say
from polemarque.cli.records import eye_of, for_option
from polemarque.kernel.errors import NotAllowed

if TYPE_CHECKING:
    from polemarque.report.dice_odds import Chances, Weighed
    from polemarque.report.luck import Kind, Luck
    from polemarque.report.narrator import Voice

MOST_RARE = 10
"""At most this many rare decisions are named before the others."""


@click.command(cls=Command, help="luck.help")
@click.argument("file", type=click.Path(path_type=Path))
@for_option
@click.option("--odds", "with_odds", is_flag=True, help="luck.odds_help")
@json_option
def command(file: Path, reader: str, with_odds: bool, as_json: bool) -> int:
    """Say how the dice fell."""
    from polemarque.cli.progress import progress
    from polemarque.cli.records import load_as_is, replayed
    from polemarque.cli.seating import called_beside
    from polemarque.report.dice_odds import Chances, narrator, weighed
    from polemarque.report.luck import luck, luck_told, of_nobody
    from polemarque.report.narrator import Voice

    record = load_as_is(file)
    eye = eye_of(reader, record.header)
    game, told = replayed(record)
    if eye is None:
        found = luck(record.header, record.entries)
    else:
        found = luck_told(record.header, [event for event in told if event.seen_by(eye)])
    chances = None
    if with_odds and not (eye is None or game.over or game.system.public_course):
        raise NotAllowed("luck.running", part=reader)
    if with_odds:
        with progress(say("luck.reckoning"), shown=not as_json) as tick:
            chances = Chances(weighed(game, tick), told)
        chances = chances if eye is None else chances.seen_by(eye)
    nobodys = of_nobody(found)
    if as_json:
        said: dict[str, Any] = {
            "dice": record.header.dice,
            "luck": [_plain(each) for each in found],
            "nobody": [_plain_kind(kind) for kind in nobodys],
        }
        print_json(said if chances is None else said | _plain_odds(chances))
        return 0
    voice = Voice(record.header, lang(), called_beside(file), game.state)
    print(say(f"luck.source.{record.header.dice}"))
    for each in found:
        print(_luck(each, voice))
    if nobodys:
        print(say("luck.nobody", kinds=[_kind(kind) for kind in nobodys]))
    if chances is not None:
        _show(chances, narrator(record.header, lang(), chances, called_beside(file), game.state))
    return 0


def _luck(each: Luck, voice: Voice) -> str:
    """The dice of one seat, or all, in a line."""
    from polemarque.report.labels import with_code

    who = with_code(voice.own.name(each.seat), each.seat) if each.seat else say("luck.all")
    kinds = [_kind(kind) for kind in each.kinds]
    said = say("luck.dice", who=who, kinds=kinds) if kinds else say("luck.none", who=who)
    return said + " " + say(f"luck.{each.verdict}")


def _kind(kind: Kind) -> str:
    """Dice with as many faces: how many, and what they show."""
    from polemarque.odds.wording import mean

    return say(
        "luck.kind", dice=kind.dice, sides=kind.sides,
        mean=mean(kind.total / kind.dice, lang()),
        expected=mean(kind.expected / kind.dice, lang()),
    )  # fmt: skip


def _show(chances: Chances, voice: Voice) -> None:
    """Every decision beside its odds, the rarest first and then all in order."""
    from polemarque.odds.wording import mean

    rarity = chances.rarity
    print()
    print(
        say(
            "luck.rarity", n=rarity.decisions, rare=rarity.rare,
            expected=mean(rarity.expected, lang()),
        )
        + " " + say(f"luck.rare_{rarity.verdict}")
    )  # fmt: skip
    for title, rows in (("rarest", chances.rarest[:MOST_RARE]), ("all", chances.weighed)):
        if rows:
            print(f"\n{say(f'luck.odds_{title}')}")
        for each in rows:
            print(_line(chances, each, voice))


def _line(chances: Chances, each: Weighed, voice: Voice) -> str:
    """A decision: its chance, that of anything as rare, when it was, and what happened."""
    from polemarque.odds.wording import percent
    from polemarque.report.dice_odds import headline

    said = "".join([span.text for span in headline(chances, each, voice).spans])
    period = chances.period(each)
    odds = each.odds
    p, tail = (percent(odds.p, lang()), percent(odds.tail, lang())) if odds else ("–", "–")
    return f"{p:>9} {tail:>9}  {period:>3}  {said}"


def _plain(each: Luck) -> dict[str, Any]:
    return {
        "seat": each.seat or None,
        "dice": each.dice,
        "kinds": [_plain_kind(kind) for kind in each.kinds],
        "chance": each.chance,
        "verdict": each.verdict,
    }


def _plain_kind(kind: Kind) -> dict[str, Any]:
    return {
        "sides": kind.sides, "dice": kind.dice, "total": kind.total,
        "expected": str(kind.expected),
    }  # fmt: skip


def _plain_odds(chances: Chances) -> dict[str, Any]:
    rarity = chances.rarity
    return {
        "rarity": {
            "decisions": rarity.decisions, "rare": rarity.rare, "expected": str(rarity.expected),
            "chance": rarity.chance, "verdict": rarity.verdict,
        },
        "decisions": [
            {
                "rule": each.rule,
                "path": each.path,
                "dice": [list(thrown.faces) for thrown in each.dice],
                "p": str(each.odds.p) if each.odds else None,
                "tail": str(each.odds.tail) if each.odds else None,
            }
            for each in chances.weighed
        ],
    }  # fmt: skip
