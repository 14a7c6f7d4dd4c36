"""`polemarque orders`: a game played by posts and mails, with order forms that are filled in."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from polemarque.cli.common import POSTED, REFUSED, TEXTS, Command, lang, say
from polemarque.cli.progress import progress
from polemarque.cli.records import (
    Held,
    check_place,
    finish,
    give_words,
    keep_receipt,
    put,
    read_bytes,
    replayed,
    said_keys,
    take_up,
)
from polemarque.cli.seating import Seating, called_beside, kept_seating
from polemarque.kernel.errors import NotAllowed, NotUnderstood, NotYourTurn, shortened
from polemarque.kernel.records.record import COMMITTED, Answer, Leave
from polemarque.kernel.request import Request
from polemarque.kernel.standing_orders import WISH

if TYPE_CHECKING:
    from polemarque.kernel.game import Game
    from polemarque.report.game_words import Words
    from polemarque.report.order_forms.read_back import FilledForm
    from polemarque.report.order_forms.rest_of_turn import RestRead

FORMATS = ("text", "md", "bbcode", "html")
"""As `writers` has them; named here so that help needs no report."""

STDIN = "-"
"""The file that is what is typed, or piped in."""


@click.command(cls=Command, help="orders.help")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--seat", default="", help="orders.seat")
@click.option("--all", "everybody", is_flag=True, help="orders.all")
@click.option("--read", "post", metavar="POST", help="orders.read")
@click.option("--preview", is_flag=True, help="orders.preview")
@click.option("--sure", is_flag=True, help="orders.sure")
@click.option("--until", default="", metavar="TEXT", help="orders.due")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", help="chronicle.format"
)
@click.option("--split", type=click.IntRange(min=200), help="chronicle.split")
@click.option("--out", type=click.Path(path_type=Path), help="chronicle.out")
def command(
    file: Path,
    seat: str,
    everybody: bool,
    post: str | None,
    preview: bool,
    sure: bool,
    until: str,
    form: str,
    split: int | None,
    out: Path | None,
) -> int:
    """Write the order forms of a seat, or read one that was filled in."""
    if split is not None and form not in POSTED:
        raise NotAllowed("chronicle.split", part=form, legal=POSTED)
    held = Held(file)
    with progress(say("run.reading")) as tick:
        game, _ = replayed(held.record, on_step=tick)
    if everybody and (seat or post is not None):
        raise NotAllowed("orders.all", part="--all", legal=("--out", "--until", "--format"))
    if post is not None:
        return _read(held, game, seat, _post(post), preview=preview, sure=sure)
    if preview:
        raise NotAllowed("orders.preview", part="--preview", legal=("--read",))
    if out is not None:
        check_place(out)
    whose = awaited(game, kept_seating(file)) if everybody else [seat]
    if not whose:
        raise NotYourTurn("orders.nobody")
    for each in whose:
        pages = _papers(file, game, each, until, form, split)
        if out is None:
            click.echo("\n".join(pages), nl=False)
            continue
        own = out.with_stem(f"{out.stem}-{each}") if everybody else out
        # A seat "a" and a seat "a-2" have no file in common: each of theirs ends in a number.
        numbered = len(pages) > 1 or (everybody and split is not None)
        for number, page in enumerate(pages, 1):
            paper = own.with_stem(f"{own.stem}-{number}") if numbered else own
            put(paper, page)
            if everybody or numbered:
                click.echo(say("orders.put", seat=each, file=str(paper)))
    return 0


def awaited(game: Game, seating: Seating | None) -> list[str]:
    """The people's seats that are awaited, in order.   seating: who sits where; None: people."""
    bots = seating.bots if seating is not None else {}
    waiting = {seat for request in game.requests() for seat in request.missing}
    return sorted(waiting - bots.keys())


def _asked(game: Game, seat: str, requests: Sequence[Request]) -> Sequence[Request]:
    """What is asked of a seat, and its wishes.  Raises NotYourTurn, naming the seats awaited, and
    NotUnderstood for a seat that is not there."""
    waiting = sorted({each for request in game.requests() for each in request.missing})
    if not seat:
        raise NotUnderstood("orders.whose", legal=waiting)
    if seat not in (*game.header.seats, *waiting):
        raise NotUnderstood("seat.unknown", part=seat, legal=game.header.seats)
    if not requests:
        raise NotYourTurn("answer.not_asked", part=seat, legal=waiting)
    wishes = game.wish_request(seat)
    return [*requests, wishes] if wishes else requests


def _words(file: Path, game: Game, language: str) -> Words:
    from polemarque.report.game_words import Words

    return Words(game.header, language, TEXTS, called_beside(file), state=game.state)


def _papers(
    file: Path, game: Game, seat: str, until: str, form: str, split: int | None
) -> list[str]:
    """The order forms of all that is asked of a seat, and of the rest of its turn."""
    from polemarque.report.documents.writers import posts, write
    from polemarque.report.order_forms.paper import order_paper
    from polemarque.report.order_forms.rest_of_turn import rest_paper

    pages: list[str] = []
    words = _words(file, game, lang())
    rest = rest_paper(game, seat, words) if seat in game.header.seats else None
    asked = game.requests(seat)
    papers = []
    for number, request in enumerate(_asked(game, seat, asked) if asked or not rest else ()):
        words.turn_to(game, request.keys[seat])
        papers.append(order_paper(game, request, seat, words, until, board=not number))
    for paper in [*papers, *([rest[0]] if rest else [])]:
        cut = posts(paper, split, form) if split else None
        pages += [f"{each}\n" for each in cut] if cut else [write(paper, form)]
    return pages


# What comes back --------------------------------------------------------------------------------


def _post(name: str) -> str:
    """What somebody has sent, in whatever letters their mail is written."""
    raw = sys.stdin.buffer.read() if name == STDIN else read_bytes(Path(name))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def _read(held: Held, game: Game, seat: str, post: str, *, preview: bool, sure: bool) -> int:
    """Tell what was understood, and enter it; if anything is refused, nothing is entered."""
    from polemarque.report.order_forms.read_back import warning

    file = held.path
    readings, rest = _readings(file, game, seat, post)
    words = _words(file, game, lang())
    refused = warned = False
    for reading in readings:
        words.turn_to(game, reading.form.key)
        refused = _show(reading, words, game) or refused
        if said := warning(reading, game, words):
            print(f"  {said}")
            warned = True
    for line in (*rest.told, *rest.warned) if not refused else ():
        print(line)
    for line in rest.unused if not refused else ():
        print(line, file=sys.stderr)
    warned = warned or bool(rest.warned)
    if refused or not (readings or rest.ahead):
        print(say("orders.refused", file=str(file)), file=sys.stderr)
        return REFUSED
    if preview:
        print(say("amend.previewed", file=str(file)))
        return 0
    if warned and not sure:
        print(say("orders.unsure", file=str(file)), file=sys.stderr)
        return REFUSED
    new = [one for one in readings if not _stands(game, seat, one)]
    if not new and not rest.ahead:
        print(say("orders.known", file=str(file)))
        return 0
    _enter(held, game, seat, new, rest.ahead)
    print(say("amend.written", file=str(file)))
    for key in said_keys(_words(file, game, lang()), game, game.runner.open_keys()):
        print(say("replay.open", key=key))
    return 0


def _readings(
    file: Path, game: Game, seat: str, post: str
) -> tuple[list[FilledForm], RestRead]:  # fmt: skip
    """Every order form in a post, as it was read, and the rest of the turn; a sealed answer may be
    sent again.

    Raises NotUnderstood if there is none, OutOfDate or NotYourTurn as `check_frame`.
    """
    from polemarque.report.order_forms.read_back import frames, read_open
    from polemarque.report.order_forms.rest_of_turn import read_rest

    found = frames(post)
    open_now = [request for request in game.course.requests() if seat in request.seats]
    asked = _asked(game, seat, open_now) if open_now or not found or not found[0].ahead else ()
    if not found:
        raise NotUnderstood("orders.no_frame", part=shortened(post.strip().split("\n")[0]))

    def speak(language: str) -> Words:
        return _words(file, game, language or lang())

    readings = read_open(game, seat, asked, found, speak)
    given = {reading.form.key: reading.value for reading in readings if not reading.faults}
    return readings, read_rest(game, seat, found, given, speak(""), speak)


def _show(reading: FilledForm, words: Words, game: Game) -> bool:
    """Print what was understood and what was not; whether anything was refused."""
    from polemarque.report.order_forms.read_back import tell, tell_fault

    (head,) = said_keys(words, game, [reading.form.key])
    lines = tell(reading, words)
    print(say("orders.understood", what=head) if lines else head)
    for line in lines:
        print(f"  {line}")
    for fault in reading.faults:
        print(tell_fault(fault, words), file=sys.stderr)
    return bool(reading.faults)


def _stands(game: Game, seat: str, reading: FilledForm) -> bool:
    """Whether a seat has given that very answer already."""
    if reading.form.key.rule == WISH:
        return bool(reading.value == reading.form.absent)
    _, asked = game.course.asked(reading.form.key)
    return isinstance(asked, Request) and asked.answered.get(seat, ...) == reading.value


def _enter(
    held: Held, game: Game, seat: str, readings: Sequence[FilledForm], ahead: Sequence[Leave]
) -> None:  # fmt: skip
    """Enter answers by the door of any answer, those in advance, and what follows: dice, and what
    programs answer."""
    from polemarque.bots.play import play_game

    file = held.path
    seating = kept_seating(file)
    take_up(file, game)
    journal = held.journal(game)
    try:
        if game.header.dice == COMMITTED:
            give_words(game)
        for reading in sorted(readings, key=lambda one: one.form.key.rule != WISH):
            if reading.form.key.rule == WISH:
                game.wish_for(seat, reading.value)
                continue
            _, asked = game.course.asked(reading.form.key)
            game.answer(seat, reading.value, reading.form.key)
            given = game.entries[-1]
            if game.chains is not None and isinstance(asked, Request) and asked.sealed:
                assert isinstance(given, Answer)
                print(say("play.receipt", file=str(keep_receipt(file, game, given))))
        for left in ahead:
            game.enter(left)
        play_game(game, seating.bots if seating else {}, umpire=False)
        if game.over:
            finish(journal, file)
    finally:
        if not game.over:
            journal.abandon()
