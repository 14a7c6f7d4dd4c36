"""`polemarque amend`: what an umpire does to a game, with what it changes for whom."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import rich_click as click

from polemarque.cli.common import TEXTS, Command, json_option, lang, print_json, say
from polemarque.cli.progress import progress
from polemarque.cli.records import Held, finish, replayed, said_keys
from polemarque.cli.seating import called_beside
from polemarque.kernel.acts import Effect, UmpireAct, enact
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.game import Game, replay
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.position import faces_of_record, plain
from polemarque.kernel.records.record import COMMITTED, Adjust, Adopt, Answer, Replace
from polemarque.kernel.request import DICE, Key, Text

if TYPE_CHECKING:
    from polemarque.kernel.dice import Faces
    from polemarque.report.act_effects import Group

MOST = 15
"""At most this many changes are told of a seat, and keys of a kind; --json gives all of them."""


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
    held = Held(file)
    with progress(say("run.reading"), shown=not as_json) as tick:
        game, _ = replayed(held.record, on_step=tick)
    if game.header.dice == COMMITTED:
        game.salt_secrets()  # as `play` does: without a salt an export could not hide the act
    acts: list[UmpireAct] = []
    if replaced is not None:
        key = _key(game, replaced[0])
        typed = replaced[1]
        value = _faces(game, key, typed) if key.seat == DICE else _value(typed)
        acts.append(Replace(key, reason, date, value=value))
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
    told = None if as_json else Told(game, file)  # by the names as they were
    # A playing umpire is told of their own seat alone.
    effect = enact(game, acts[0], (game.header.umpire,) if game.header.umpire else None)
    if not preview:
        _write(held, game)
    if told is None:
        print_json(_figures(game, effect) | {"written": not preview})
    else:
        told.show(effect, game)
        print(say("amend.previewed" if preview else "amend.written", file=str(file)))
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


def _faces(game: Game, key: Key, typed: str) -> Faces:
    """Faces as a record holds them, or as people type what they threw: ``3 5 2``, ``40x6``."""
    from polemarque.report.order_forms.typed_answers import roll_typed

    if typed.startswith(("[", "{")):
        return faces_of_record(_value(typed))
    then = replay(game.header.freed, game.effective[: game.course.find(key)])
    _, throw = then.course.asked(key)
    assert isinstance(throw, RollRequest)
    return roll_typed(throw.roll, typed)


def _figures(game: Game, effect: Effect) -> dict[str, Any]:
    """What an act has changed, and how the game stands, as plain data."""
    return {
        "digest": game.digest,
        "entries": len(game.entries),
        "changes": effect.changes,
        "rules": effect.rules,
        "left_over": [str(key) for key in effect.left],
        "open": [str(key) for key in game.runner.open_keys()],
    }


def _write(held: Held, game: Game) -> None:
    """The record with the act in it; whole only if the game is over."""
    journal = held.journal(game)
    if game.over:
        finish(journal, held.path)
    else:
        journal.abandon()


class Told:
    """What an act changes, in words and by the names of the game before it."""

    def __init__(self, game: Game, file: Path) -> None:
        from polemarque.report.act_effects import Teller
        from polemarque.report.game_words import Words
        from polemarque.report.labels import with_code
        from polemarque.report.narrator import Voice

        called = called_beside(file)
        self._words = Words(game.header, lang(), TEXTS, called, state=game.state)
        book = Voice(game.header, lang(), called, game.state).own
        self._names = {seat: with_code(book.name(seat), seat) for seat in game.header.seats}
        self._teller = Teller(game, lang(), called, MOST)

    def show(self, effect: Effect, game: Game) -> None:
        """Print it, and what is open in the game now."""
        for group in self._teller.groups(effect.changes, self._names):
            _show_group(group)
        for seat, differences in effect.changes.items():
            if not differences:
                print(say("amend.seat", seat=self._names[seat], n=0))
        if effect.rules:
            print(say("amend.rules", rules=list(effect.rules)))
        self._show_keys("amend.left_over", game, effect.left)
        self._show_keys("replay.open", game, game.runner.open_keys())

    def _show_keys(self, text: str, game: Game, keys: Iterable[Key]) -> None:
        every = said_keys(self._words, game, keys, self._names)
        for key in every[:MOST]:
            print(say(text, key=key))
        if len(every) > MOST:
            print(say("amend.more", n=len(every) - MOST))


def _show_group(group: Group) -> None:
    """What changes for a seat, or for all; a dash stands for what is not there."""
    print(say("amend.seat", seat=group.seat, n=len(group.rows) + group.more))
    for row in group.rows:
        before, after = row.before or "—", row.after or "—"
        print(say("amend.changed", what=row.what, before=before, after=after))
    if group.more:
        print(say("amend.more", n=group.more))
