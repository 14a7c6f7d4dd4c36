"""What somebody may read of a campaign: everything here is told through one seat's eyes.

An *eye* is a seat's code, "" for what everybody may see, or None for an umpire who plays no seat.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.utils import timezone

from polemarque.club.models import RUNNING, Campaign
from polemarque.club.roles import Visit, called
from polemarque.club.tables import READY as SEALED
from polemarque.club.tables import Table
from polemarque.kernel.battle import Brief
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game
from polemarque.kernel.record import Answer, digest
from polemarque.kernel.run import Runner
from polemarque.report.book import Book, Names, catalogue_of, names_of
from polemarque.report.chronicle import chronicle, episode
from polemarque.report.dossier import open_briefs
from polemarque.report.seen import SeenBoard, seen_board
from polemarque.report.sheets import has_sheets, sheets
from polemarque.report.tree import Document

IDLE, WAITING, LATE, READY, HIDDEN = "idle", "waiting", "late", "ready", "hidden"
"""How a seat stands: nothing is asked of it; its answer is awaited, in time or late; it has sealed;
whoever reads may not know."""

Eye = str | None

KEPT = 24
"""So many readings of a table's story, and so many of its boards, are kept."""


class Standing(msgspec.Struct, frozen=True):
    """How one seat stands.

    name: what its system calls it.   who: its person, or "".   bot: the program that plays it,
    or "".   mine: it is the reader's.
    """

    seat: str
    name: str
    state: str
    who: str = ""
    bot: str = ""
    mine: bool = False


class Placed(msgspec.Struct, frozen=True):
    """A board on a page.   path: "" for the game's own, or that of a battle inside it."""

    path: str
    system: str
    board: SeenBoard


def public_names(campaign: Campaign, table: Table, lang: str) -> Names:
    """What readers call seats, places and pieces as the game stands."""
    return names_of(table.game.system, table.game.state, lang, called(campaign))


def readiness(visit: Visit, table: Table, lang: str) -> list[Standing]:
    """Who is awaited and who has sealed; an umpire who plays learns it once he has sealed."""
    game = table.game
    names = seat_names(game, lang)
    requests = game.course.requests()
    waited = LATE if overdue(visit.campaign) else WAITING
    states = {seat: READY for request in requests for seat in request.answered}
    states |= {seat: waited for request in requests for seat in request.missing}
    if hides_readiness(visit, table):
        states = {seat: state if seat in visit.seats else HIDDEN for seat, state in states.items()}
    bots = dict(visit.campaign.seats.values_list("code", "bot"))
    people = called(visit.campaign)["seat"]
    return [
        Standing(
            seat, names.get(seat, seat), states.get(seat, IDLE), people.get(seat, ""),
            bots.get(seat, ""), seat in visit.seats,
        )
        for seat in game.header.seats
    ]  # fmt: skip


def seat_names(game: Game, lang: str) -> dict[str, str]:
    """What the system of a game calls its seats."""
    texts, own = catalogue_of(game.header.system), names_of(game.system, game.state, lang)
    said = {
        seat: texts.say(lang, f"seat.{seat}") if texts.has(lang, f"seat.{seat}") else seat
        for seat in game.header.seats
    }
    return {**said, **own.get("seat", {})}


def hides_readiness(visit: Visit, table: Table) -> bool:
    """Whether who is ready is kept from a reader: an umpire who plays and has yet to seal."""
    return visit.umpire and any([table.game.requests(seat) for seat in visit.seats])


def known_entries(visit: Visit, table: Table) -> int:
    """How many entries of the record a reader may know of.

    An umpire who plays and has yet to seal knows of none from the first sealed answer on to a
    question that is put to him too: their number and the head of their chain would tell him that
    somebody was ready.
    """
    if not hides_readiness(visit, table):
        return table.count
    keys = {
        key
        for request in table.game.course.requests()
        if request.sealed and visit.seats.keys() & set(request.missing)
        for key in request.keys.values()
    }
    given = enumerate(table.game.entries)
    return next((n for n, e in given if isinstance(e, Answer) and e.key in keys), table.count)


def known_head(visit: Visit, table: Table) -> str:
    """The head of the chain of the entries that a reader may know of."""
    count = known_entries(visit, table)
    if count == table.count:
        return table.head
    heads: dict[int, str] = table.memory.setdefault("heads", {})
    if count not in heads:
        heads[count] = digest(table.game.header, table.game.entries[:count])
    return heads[count]


def heard(visit: Visit, table: Table) -> int:
    """The mark of the newest pulse that a reader may have heard, 0 where there is none."""
    pulses = visit.campaign.pulses.order_by("-pk")
    if hides_readiness(visit, table):
        pulses = pulses.exclude(kind=SEALED)
    newest = pulses.first()
    return newest.mark if newest is not None else 0


def deadline(campaign: Campaign) -> datetime | None:
    """By when the questions that are open ought to be answered, if there is a limit at all."""
    if not campaign.pace or campaign.stage != RUNNING:
        return None
    return campaign.asked + timedelta(hours=campaign.pace)


def overdue(campaign: Campaign) -> bool:
    """Whether the questions that are open have been open for longer than they ought to be."""
    limit = deadline(campaign)
    return limit is not None and timezone.now() > limit


# Boards ------------------------------------------------------------------------------------------


def sees_battle(brief: Brief, eye: Eye) -> bool:
    """Whether a reader may look at the field of a battle that is fought inside a campaign.

    Whoever the campaign admits may, and an umpire who plays no seat.  Others know that it is
    fought, and what the chronicle tells all.
    """
    return eye is None or brief.seen_by(eye)


class Fought(msgspec.Struct, frozen=True):
    """A battle that is fought where a reader cannot look.   place, sides: what they are called."""

    place: str
    sides: tuple[str, ...]


def fought(table: Table, eye: Eye, lang: str, names: Names) -> list[Fought]:
    """The open battles whose fields a reader may not look at."""
    book = Book(table.game.system, lang, names)
    return [
        Fought(book.name(brief.place), tuple([book.name(side.seat) for side in brief.sides]))
        for brief in open_briefs(table.game.runner)
        if not sees_battle(brief, eye)
    ]


def _fields(runner: Runner, eye: Eye) -> Iterator[Runner]:
    """The game, and the battles inside it at whose fields a reader may look."""
    yield runner
    for brief, inner in runner.branches:
        if sees_battle(brief, eye):
            yield from _fields(inner, eye)


def boards(table: Table, eye: Eye, lang: str, names: Names) -> list[Placed]:
    """The board of the game and of every battle open inside it, as one seat sees them."""
    at = (table.count, eye, lang, tuple(sorted(names.get("seat", {}).items())))
    memory: OrderedDict[Any, list[Placed]] = table.memory.setdefault("boards", OrderedDict())
    if at not in memory:
        memory[at] = [
            Placed(runner.path, runner.system.name, seen)
            for number, runner in enumerate(_fields(table.game.runner, eye))
            if (seen := _board(runner, runner.state, eye, lang, names, f"b{number}-")) is not None
        ]
        while len(memory) > KEPT:
            memory.popitem(last=False)
    return memory[at]


def _board(
    runner: Runner, state: Any, eye: Eye, lang: str, names: Names, prefix: str
) -> SeenBoard | None:
    view = runner.system.view(state, eye or "")
    inside = names
    if runner.path and runner.system.names is not None:
        own = runner.system.names(state, lang)
        inside = {**names, **{family: own[family] for family in own if family != "seat"}}
    return seen_board(runner.system.name, view, lang, inside, prefix=prefix)


def past_board(table: Table, turn: int, eye: Eye, lang: str, names: Names) -> SeenBoard | None:
    """The board as a turn that has ended left it.  Raises KeyError on one that has not."""
    state = turns(table)[turn]
    return _board(table.game.runner, state, eye, lang, names, "b-")


def turns(table: Table) -> dict[int, Any]:
    """Turn -> the state in which it left the game; the running turn is not among them."""
    return table.turns.ends()


# The story ---------------------------------------------------------------------------------------


def story(
    campaign: Campaign, table: Table, eye: Eye, lang: str,
    *, only: int | None = None,
) -> Document:  # fmt: skip
    """The chronicle as one reader may read it.

    only: that period alone, without front matter and without the sums at the end.
    """
    memory: OrderedDict[Any, Document] = table.memory.setdefault("story", OrderedDict())
    names = called(campaign)
    at = (table.count, eye, lang, only, tuple(sorted(names["seat"].items())))
    if at not in memory:
        game, told = table.game, table.told
        if only is None:
            memory[at] = chronicle(
                game.header, told, lang, names, eye, acts=game.entries, state=game.state
            )
        else:
            some = [event for event in told if _outer(event) == only]
            memory[at] = episode(game.header, some, lang, names, eye, state=game.state)
        while len(memory) > KEPT:
            memory.popitem(last=False)
    return memory[at]


def _outer(event: Event) -> int:
    """The period of the whole game in which an event happened."""
    return int(event.path.partition("-")[0]) if event.path else event.period


def own_sheet(campaign: Campaign, table: Table, seat: str, lang: str) -> Document | None:
    """The seat's own campaign sheet, where its system has them."""
    game = table.game
    if not has_sheets(game.header.system):
        return None
    return sheets(game.header, game.state, lang, called(campaign), seat, period=game.runner.period)
