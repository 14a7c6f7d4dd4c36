"""What somebody may read of a campaign: everything here is told through one seat's eyes.

An *eye* is a seat's code, "" for what everybody may see, or None for an umpire who plays no seat.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import takewhile
from typing import Any

import msgspec

from polemarque.club.campaigns.session import SEALED, LiveCampaign
from polemarque.club.clock.deadlines import away, late
from polemarque.club.clock.models import Absence
from polemarque.club.orders.forced_answers import readiness_untold, spared_seats
from polemarque.club.orders.physical_dice import open_throws, sees_throw, throws_for
from polemarque.club.people.roles import Called, Visit
from polemarque.kernel.battle_brief import Brief
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Answer, Entry, digest
from polemarque.kernel.request import UMPIRE, Key
from polemarque.kernel.run import Runner
from polemarque.report.boards.board_view import SeenBoard, seen_board
from polemarque.report.chronicle import UMPIRES, chronicle, episode, sentences_about, summary
from polemarque.report.documents.document import Document
from polemarque.report.labels import Book, Names, catalogue_of, names_of
from polemarque.report.pictures import board_seen
from polemarque.report.sheets import has_sheets, sheets
from polemarque.report.tabletop_dossier import open_briefs

IDLE, WAITING, LATE, READY, HIDDEN = "idle", "waiting", "late", "ready", "hidden"
AFTER, THINKING = "after", "thinking"
"""How a seat stands: nothing is asked of it; its answer is awaited, in time or late; it has sealed;
the reader may not know.  Of one that a program plays: it answers once people have; it thinks."""

Eye = str | None

NAMES, BOARDS, STORIES = 8, 24, 64
"""At most this many readings of a table's names, boards, and story and sheets are kept."""


class Standing(msgspec.Struct, frozen=True):
    """How one seat stands.

    name: what its system calls it.   who: its person, or "".   bot: the program that plays it,
    or "".   mine: it is the reader's.   away: when its commander is away next.
    """

    seat: str
    name: str
    state: str
    who: str = ""
    bot: str = ""
    mine: bool = False
    away: Absence | None = None


class Placed(msgspec.Struct, frozen=True):
    """A board on a page.   path: "" for the game's own, or that of a battle inside it."""

    path: str
    system: str
    board: SeenBoard


def public_names(table: LiveCampaign, lang: str, people: Called) -> Names:
    """What readers call seats, places and pieces as the game stands."""
    game = table.game
    at = (table.moment, lang, seats_in(people))
    return table.once("names", at, lambda: names_of(game.system, game.state, lang, people), NAMES)


def readiness(visit: Visit, table: LiveCampaign, lang: str) -> list[Standing]:
    """Who is awaited and who has sealed; an umpire who plays learns it after sealing."""
    game = table.game
    names = seat_names(game, lang)
    requests = game.course.requests()
    bots = dict(visit.campaign.seats.values_list("code", "bot"))
    states = {seat: READY for request in requests for seat in request.answered}
    asked = [request.keys[seat] for request in requests for seat in request.missing]
    overdue = late(visit.campaign, [*asked, *[throw.key for throw in open_throws(table)]])
    states |= _awaited(visit, table, {seat for seat in bots if bots[seat]}, overdue)
    states |= _to_throw(visit, table, overdue)
    if hides_readiness(visit, table):
        told = set() if awaited_first(visit, table) else {LATE}
        states = {
            seat: state if seat in visit.seats or state in told else HIDDEN
            for seat, state in states.items()
        }
    people, absences = visit.people["player"], away(visit)
    return [
        Standing(
            seat, names.get(seat, seat), states.get(seat, IDLE), people.get(seat, ""),
            bots.get(seat, ""), seat in visit.seats, absences.get(seat),
        )
        for seat in game.header.seats
    ]  # fmt: skip


def umpire_awaited(visit: Visit, table: LiveCampaign) -> list[Key]:
    """The questions that wait for an umpire, as far as a reader may know of them; nobody waits
    where nobody umpires."""
    if not visit.umpire and awaited_first(visit, table):
        return []
    asked = [request.keys[UMPIRE] for request in table.game.requests(UMPIRE)]
    return asked if asked and visit.campaign.umpires.exists() else []


def _awaited(
    visit: Visit, table: LiveCampaign, programs: set[str], overdue: Collection[Key]
) -> dict[str, str]:
    """How the seats stand that have yet to answer.  Programs begin where nobody else is awaited
    (`bots.play.next_question`), nor dice that people throw.

    A seat that has nothing to decide is told so; for the umpire it is as if it had sealed.
    """
    states: dict[str, str] = {}
    requests = table.game.course.requests()
    seats = spared_seats(visit.campaign) if any(r.ask.spares for r in requests) else ()
    for request in requests:
        begun = programs.issuperset(request.missing) and not table.dice_awaited
        spared = request.spared(seats)
        for seat in request.missing:
            if seat in spared:
                states.setdefault(seat, IDLE if seat in visit.seats else READY)
                continue
            if seat in programs:
                state = THINKING if begun else AFTER
            else:
                state = LATE if request.keys[seat] in overdue else WAITING
            if states.get(seat) not in {THINKING, LATE}:
                states[seat] = state
    return states


def _to_throw(visit: Visit, table: LiveCampaign, overdue: Collection[Key]) -> dict[str, str]:
    """The seats whose dice of the table are awaited, as far as a reader may know of the throw."""
    return {
        seat: LATE if throw.key in overdue else WAITING
        for throw in open_throws(table)
        if visit.eye is None or sees_throw(table, throw, visit.eye)
        for seat in table.game.header.seats
        if throws_for(table, throw, seat)
    }


def seat_names(game: Game, lang: str) -> dict[str, str]:
    """What the system of a game calls its seats."""
    texts, own = catalogue_of(game.header.system), names_of(game.system, game.state, lang)
    said = {
        seat: texts.say(lang, f"seat.{seat}") if texts.has(lang, f"seat.{seat}") else seat
        for seat in game.header.seats
    }
    return {**said, **own.get("seat", {})}


def awaited_first(visit: Visit, table: LiveCampaign) -> set[str]:
    """The seats that have to seal before a reader learns who is ready.

    They are those of an umpire who plays, for that umpire and for all who are in no other seat, a
    second umpire too: such a reader may be let in by the first, or be the same.
    """
    seats = playing_seats(visit, table)
    if visit.neutral or (not visit.umpire and visit.seats.keys() - seats):
        return set()
    if visit.umpire and visit.seats:
        seats = set(visit.seats)
    return {seat for seat in seats if table.game.requests(seat)}


def playing_seats(visit: Visit, table: LiveCampaign) -> set[str]:
    """The seats that seal first: that of the record's umpire who plays, and of one named since."""
    return {table.game.header.umpire, *visit.umpired} - {""}


def hides_readiness(visit: Visit, table: LiveCampaign) -> bool:
    """Whether who is ready is kept from a reader: see `awaited_first`; and while something is open
    in which some may have nothing to decide, as who has sealed it has decided (`forced_answers`).
    """
    return bool(awaited_first(visit, table)) or _untold(visit, table)


def _untold(visit: Visit, table: LiveCampaign) -> bool:
    return not visit.neutral and readiness_untold(visit.campaign, table, visit.seats)


def known_entries(visit: Visit, table: LiveCampaign) -> int:
    """How many entries of the record a reader may know of.

    An umpire who plays and has yet to seal knows of none from the first sealed answer on to a
    question that is put to them too: their number and the head of their chain would tell that
    somebody was ready.  So it is for all from whom `hides_readiness` keeps it.
    """
    awaited, untold = awaited_first(visit, table), _untold(visit, table)
    keys = {
        key
        for request in table.game.course.requests()
        if request.sealed and (awaited & {*request.missing} or (untold and request.ask.spares))
        for key in request.keys.values()
    }
    if not keys:
        return table.count
    given = enumerate(table.game.entries)
    return next((n for n, e in given if isinstance(e, Answer) and e.key in keys), table.count)


def known_head(visit: Visit, table: LiveCampaign) -> str:
    """The head of the chain of the entries that a reader may know of."""
    count = known_entries(visit, table)
    if count == table.count:
        return table.head
    heads: dict[int, str] = table.memory.setdefault("heads", {})
    if count not in heads:
        heads[count] = digest(table.game.header, table.game.entries[:count])
    return heads[count]


def heard(visit: Visit, table: LiveCampaign) -> int:
    """The mark of the newest pulse that a reader may have heard, 0 where there is none."""
    pulses = visit.pulses
    if hides_readiness(visit, table) or visit.within:
        pulses = pulses.exclude(kind=SEALED)
    newest = pulses.first()
    return newest.mark if newest is not None else 0


def period_shown(game: Game) -> int:
    """The period that readers are told a game is in, 0 for its opening."""
    return 0 if game.system.opening(game.state) else game.runner.period


# Boards ------------------------------------------------------------------------------------------


def sees_battle(brief: Brief, eye: Eye) -> bool:
    """Whether a reader may look at the field of a battle that is fought inside a campaign.

    All whom the campaign admits may, and an umpire who plays no seat.  Others know that it is
    fought, and what the chronicle tells all.
    """
    return eye is None or brief.seen_by(eye)


class Fought(msgspec.Struct, frozen=True):
    """A battle that is fought where a reader cannot look.   place, sides: what they are called."""

    place: str
    sides: tuple[str, ...]


def fought(table: LiveCampaign, eye: Eye, lang: str, names: Names) -> list[Fought]:
    """The open battles whose fields a reader may not look at."""
    briefs = [brief for brief in open_briefs(table.game.runner) if not sees_battle(brief, eye)]
    if not briefs:
        return []
    book = Book(table.game.system, lang, names)
    return [
        Fought(book.name(brief.place), tuple([book.name(side.seat) for side in brief.sides]))
        for brief in briefs
    ]


def _fields(runner: Runner, eye: Eye) -> Iterator[Runner]:
    """The game, and the battles inside it at whose fields a reader may look."""
    yield runner
    for brief, inner in runner.branches:
        if sees_battle(brief, eye):
            yield from _fields(inner, eye)


def boards(table: LiveCampaign, eye: Eye, lang: str, names: Names) -> list[Placed]:
    """The board of the game and of every battle open inside it, as one seat sees them."""

    def drawn() -> list[Placed]:
        return [
            Placed(runner.path, runner.system.name, seen)
            for number, runner in enumerate(_fields(table.game.runner, eye))
            if (seen := _played(table, runner, eye, lang, names, f"b{number}-")) is not None
        ]

    return table.once("boards", (table.moment, eye, lang, seats_in(names)), drawn, BOARDS)


def map_alone(table: LiveCampaign, eye: Eye, lang: str, names: Names) -> str:
    """The board of the game as a drawing that needs nothing around it, "" where there is none."""
    runner = table.game.runner
    opening = 0 if runner.system.opening(runner.state) else None
    view = runner.system.view(runner.state, eye or "")
    seen = board_seen(runner.system.name, view, lang, names, opening)
    return seen.drawn.on_paper() if seen else ""


def foreseen_board(game: Game, path: str, eye: Eye, lang: str, names: Names) -> list[Placed]:
    """The board of a game that is played in the head, or of its battle, as one seat foresees it."""
    runner = game.runner.at(path) or game.runner
    seen = _board(runner, runner.state, eye, lang, names, "b0-")
    return [Placed(runner.path, runner.system.name, seen)] if seen is not None else []


def battle_boards(
    table: LiveCampaign, path: str, eye: Eye, lang: str, names: Names
) -> list[Placed]:
    """The board of one open battle alone, as one seat sees it."""
    return [each for each in boards(table, eye, lang, names) if each.path == path]


def seats_in(names: Names) -> tuple[tuple[str, str], ...]:
    """What seats and people are called: of a game's names all that does not follow from how it
    stands."""
    return tuple(
        sorted([item for kind in ("seat", "player") for item in names.get(kind, {}).items()])
    )


def _played(
    table: LiveCampaign, runner: Runner, eye: Eye, lang: str, names: Names, prefix: str
) -> SeenBoard | None:
    """A board as it stands, with what its reader may know of pieces and of what others did last."""
    since = runner.period - len(table.game.header.seats)  # a turn of each
    here = (event for event in reversed(table.told) if event.path == runner.path)
    lately = takewhile(lambda event: event.period > since, here)
    newest = (event for event in lately if eye is None or event.seen_by(eye))
    return _board(runner, runner.state, eye, lang, names, prefix, seat=eye or "", newest=newest)


def _board(
    runner: Runner, state: Any, eye: Eye, lang: str, names: Names, prefix: str,
    period: int | None = None, **more: Any,
) -> SeenBoard | None:  # fmt: skip
    view = runner.system.view(state, eye or "")
    inside = {**names, **runner.system.names_inside(state, lang)} if runner.path else names
    shown = 0 if period is None and runner.system.opening(state) else period
    return seen_board(runner.system.name, view, lang, inside, prefix=prefix, period=shown, **more)


def past_board(
    table: LiveCampaign, turn: int, eye: Eye, lang: str, names: Names
) -> SeenBoard | None:
    """The board as a turn that has ended left it.  Raises KeyError on one that has not."""
    state = turns(table)[turn]
    return _board(table.game.runner, state, eye, lang, names, "b-", turn)


def turns(table: LiveCampaign) -> dict[int, Any]:
    """Turn -> the state in which it left the game; the running turn is not among them."""
    return table.turns.ends()


# The story ---------------------------------------------------------------------------------------


def story(table: LiveCampaign, eye: Eye, lang: str, people: Called) -> Document:
    """The chronicle as one reader may read it."""
    return _of_all(table, eye, lang, people, chronicle)


def summary_of(
    table: LiveCampaign, eye: Eye, lang: str, people: Called, turn: int | None = None
) -> Document:
    """What the chronicle says of the whole game, without its story.

    turn: up to the end of that turn, which is over; None up to this moment.
    """
    return _of_all(table, eye, lang, people, summary, turn)


def _of_all(
    table: LiveCampaign, eye: Eye, lang: str, people: Called, tell: Callable[..., Document],
    turn: int | None = None,
) -> Document:  # fmt: skip
    game = table.game

    def told() -> Document:
        events = [each for each in table.told if turn is None or each.outer_period <= turn]
        state = game.state if turn is None else turns(table)[turn]
        acts = game.entries if turn is None else _entries_to(game, turn)
        return tell(game.header, events, lang, people, eye, acts=acts, state=state)

    at = (tell.__name__, turn, table.moment, _acts(table), eye, lang, seats_in(people))
    return table.once("story", at, told, STORIES)


def _entries_to(game: Game, turn: int) -> Sequence[Entry]:
    """The entries up to the last answer of a turn that is over; all, of the turn that ended the
    game."""
    if game.over and turn == game.runner.period:
        return game.entries
    answers = [(n, e.key) for n, e in enumerate(game.entries, 1) if isinstance(e, Answer)]
    return game.entries[: max([n for n, key in answers if key.outer_period <= turn], default=0)]


def _acts(table: LiveCampaign) -> int:
    """How many acts of the umpire are told.

    To have looked is one, though it takes no effect.  Other entries do not count: what is sealed,
    or left in advance, must not be known by how long a page takes.
    """
    return sum([isinstance(entry, UMPIRES) for entry in table.game.entries])


def periods_told(table: LiveCampaign, eye: Eye) -> list[int]:
    """The periods of which a reader is told anything, in order."""
    seen = {event.outer_period for event in table.told if eye is None or event.seen_by(eye)}
    return sorted(seen)


def story_of(table: LiveCampaign, period: int, eye: Eye, lang: str, people: Called) -> Document:
    """The chronicle of one period alone, without front matter and without the sums at the end."""
    return _told_of(
        table, eye, lang, people, ("period", period), lambda event: event.outer_period == period
    )


def since_answer(
    table: LiveCampaign, seat: str, first: int, lang: str, people: Called
) -> list[str]:
    """What befell a seat from event number `first` on, as it may know it, a sentence each."""

    def told() -> list[str]:
        header, state = table.game.header, table.game.state
        return sentences_about(header, table.told, first, lang, people, seat, state=state)

    at = ("since", first, table.moment, seat, lang, seats_in(people))
    return table.once("story", at, told, STORIES)


SECRETS = 20
"""At most so many of the things that not everybody may know are told at once, the latest."""


def secrets_of(table: LiveCampaign, seat: str, lang: str, people: Called, before: int) -> Document:
    """What a seat heard before some period and not everybody may know, as it happened."""

    def secret(event: Event) -> bool:
        return event.audience is not None and event.outer_period < before

    return _told_of(table, seat, lang, people, ("secrets", before), secret, SECRETS)


def battle_story(table: LiveCampaign, path: str, eye: Eye, lang: str, people: Called) -> Document:
    """What was told of one battle inside the game, and of nothing else."""
    return _told_of(table, eye, lang, people, ("battle", path), lambda event: event.path == path)


def _told_of(
    table: LiveCampaign,
    eye: Eye,
    lang: str,
    people: Called,
    which: tuple[str, object],
    of_it: Callable[[Event], bool],
    most: int = 0,
) -> Document:
    """What a reader may know of some events; at most the last `most`, or all.   which: its name."""

    def told() -> Document:
        seen = tuple([
            number for number, event in enumerate(table.told)
            if of_it(event) and (eye is None or event.seen_by(eye))
        ])  # fmt: skip
        return _told(table, seen[-most:], lang, people)

    at = (*which, table.moment, eye, lang, seats_in(people))
    return table.once("story", at, told, STORIES)


def _told(table: LiveCampaign, seen: tuple[int, ...], lang: str, people: Called) -> Document:
    """Some events, by their numbers, as a reader who has seen just these is told them.

    A turn that has ended is told as before for as long as everybody is called as before.
    """
    names = public_names(table, lang, people)
    known = tuple([(family, *sorted(codes.items())) for family, codes in sorted(names.items())])

    def told() -> Document:
        events, game = [table.told[number] for number in seen], table.game
        return episode(game.header, events, lang, people, state=game.state)

    return table.once("told", (table.retold, seen, lang, known), told, STORIES)


def own_sheet(table: LiveCampaign, seat: str, lang: str, people: Called) -> Document | None:
    """The seat's own campaign sheet, where its system has them."""
    game = table.game
    if not has_sheets(game.header.system):
        return None

    def filled() -> Document:
        return sheets(game.header, game.state, lang, people, seat, period=game.runner.period)

    at = ("sheet", table.moment, seat, lang, seats_in(people))
    return table.once("story", at, filled, STORIES)
