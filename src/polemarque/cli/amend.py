"""`polemarque amend`: what an umpire does to a game, with what it changes for whom."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import rich_click as click

from polemarque.cli.common import Command, json_option, lang, lang_option, print_json, say
from polemarque.cli.progress import progress
from polemarque.cli.records import load, new_journal, replayed
from polemarque.cli.replay import open_keys
from polemarque.cli.seating import called_beside
from polemarque.kernel.differences import Difference, changed_views
from polemarque.kernel.editions import changes
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.game import Game
from polemarque.kernel.position import plain
from polemarque.kernel.record import Adjust, Adopt, Answer, Replace
from polemarque.kernel.request import Key, Text

Act = Replace | Adjust | Adopt


@click.command(cls=Command, help="amend.help")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", "replaced", type=(int, str), metavar="N VALUE", help="amend.replace")
@click.option("--annul", type=int, metavar="N", help="amend.annul")
@click.option("--adjust", "adjusted", type=(str, str), metavar="NAME VALUE", help="amend.adjust")
@click.option("--battle", default="", metavar="PATH", help="amend.battle")
@click.option("--adopt", metavar="EDITION", help="amend.adopt")
@click.option("--resolver", default="", metavar="NAME", help="amend.resolver")
@click.option("--reason", default="", metavar="TEXT", help="amend.reason")
@click.option("--date", default="", metavar="DATE", help="amend.date")
@click.option("--preview", is_flag=True, help="amend.preview")
@json_option
@lang_option
def command(
    file: Path,
    replaced: tuple[int, str] | None,
    annul: int | None,
    adjusted: tuple[str, str] | None,
    battle: str,
    adopt: str | None,
    resolver: str,
    reason: str,
    date: str,
    preview: bool,
    as_json: bool,
) -> int:
    """Do one act of the umpire in a record."""
    with progress(say("run.reading"), shown=not as_json) as tick:
        game, _ = replayed(load(file, interrupted=True), on_step=tick)
    acts: list[Act] = []
    if replaced is not None:
        key = _key(game, replaced[0])
        acts.append(Replace(key, reason, date, value=_value(replaced[1])))
    if annul is not None:
        acts.append(Replace(_key(game, annul), reason, date, annul=True))
    if adjusted is not None:
        acts.append(Adjust(adjusted[0], _value(adjusted[1]), reason, date, path=battle))
    if adopt is not None:
        acts.append(Adopt(adopt, reason, date, resolver))
    if len(acts) != 1:
        raise NotUnderstood("amend.one", part=len(acts), legal=WAYS)
    if not reason:
        raise NotUnderstood("amend.reason")
    for words in (reason, date):
        Text().take(words)
    said = _done(game, acts[0])
    if not preview:
        _write(file, game)
    if as_json:
        print_json(said | {"written": not preview})
    else:
        _show(said, file, _names(game, file), written=not preview)
    return 0


WAYS = ("--replace", "--annul", "--adjust", "--adopt")


def _key(game: Game, number: int) -> Key:
    """The key of the answer that entry `number` holds, counted from 1."""
    entries = game.entries
    if not 1 <= number <= len(entries):
        raise NotAllowed("replay.at", part=number, legal=(f"1-{len(entries)}",))
    entry = entries[number - 1]
    if not isinstance(entry, Answer):
        raise NotAllowed("amend.no_answer", part=number)
    return entry.key


def _value(typed: str) -> Any:
    """JSON, or the word itself."""
    try:
        return plain(msgspec.json.decode(typed))
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return typed


def _done(game: Game, act: Act) -> dict[str, Any]:
    """Do it; what it has changed for each seat (a playing umpire is told of his own alone)."""
    seats = (game.header.umpire,) if game.header.umpire else game.header.seats
    rules = changes(game.runner, act) if isinstance(act, Adopt) else ()
    before = {seat: game.views(seat) for seat in seats}
    game.enter(act)
    after = {seat: changed_views(was, game.views(seat)) for seat, was in before.items()}
    return {
        "digest": game.digest,
        "entries": len(game.entries),
        "changes": after,
        "rules": rules,
        "left_over": [str(each.key) for each in game.left_over if isinstance(each, Answer)],
        "open": open_keys(game),
    }


def _write(file: Path, game: Game) -> None:
    """The record with the act in it; whole only if the game is over."""
    journal = new_journal(file, game, game.entries, sync=True, replacing=True)
    if game.over:
        journal.close()
    else:
        journal.abandon()


def _names(game: Game, file: Path) -> dict[str, str]:
    """What readers call each seat, with its code."""
    from polemarque.report.book import with_code
    from polemarque.report.voice import Voice

    book = Voice(game.header, lang(), called_beside(file), game.state).own
    return {seat: with_code(book.name(seat), seat) for seat in game.header.seats}


def _show(said: Mapping[str, Any], file: Path, names: Mapping[str, str], *, written: bool) -> None:
    changed: Mapping[str, list[Difference]] = said["changes"]
    for seat, differences in changed.items():
        print(say("amend.seat", seat=names[seat], n=len(differences)))
        for each in differences:
            place = f"{each.path} {each.place}".strip()
            before, after = _figure(each.before), _figure(each.after)
            print(say("amend.changed", place=place, before=before, after=after))
    if said["rules"]:
        print(say("amend.rules", rules=list(said["rules"])))
    for key in said["left_over"]:
        print(say("amend.left_over", key=key))
    for key in said["open"]:
        print(say("replay.open", key=key))
    print(say("amend.written" if written else "amend.previewed", file=str(file)))


def _figure(value: Any) -> str:
    """A figure of a view as `--adjust` would be given it; a dash for none."""
    if value is None or value == "":
        return "—"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
