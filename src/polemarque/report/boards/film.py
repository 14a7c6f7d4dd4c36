"""Films: a game on a board, step by step, each with its line of the chronicle and its reasons.

A system's drawings register a function that makes its film, as in
`polemarque.report.pictures`, in a module that the system names (`System.drawings`)::

    @films("skirmish")
    def skirmish(header, steps, voice):
        scene = Scene(steps[0].before.board, sides=("Blues", "Reds"))
        return Film(scene, frames_told(steps, voice, pieces, arrows))

where ``pieces(state)`` gives what stands on the board and ``arrows(step)`` what moved or struck.
A film shows everything: it is the umpire's edition, or that of a game without secrets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, replay
from polemarque.kernel.records.record import Entry, Header
from polemarque.kernel.system import find_system
from polemarque.report.boards.pieces import Arrow, Piece, Scene
from polemarque.report.labels import Book, Names
from polemarque.report.narrator import Voice, figures
from polemarque.report.pictures import Registry, held


class Step(msgspec.Struct, frozen=True):
    """One event of a game, with the state it was told in and the one that stands after it."""

    event: Event
    before: Any
    after: Any


class Frame(msgspec.Struct, frozen=True):
    """One picture of a film.

    line:    what happened, as in the chronicle.
    why:     where its numbers come from, one sentence each.
    pieces:  what stands on the board afterwards.
    arrows:  what moved or struck.
    heading: the part of the story it belongs to ("Turn 3"); "" for none.
    """

    line: str
    why: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    heading: str = ""


class Film(msgspec.Struct, frozen=True):
    """A game to look at.

    scene:  the board and its sides; its pieces are those before the first frame.
    """

    scene: Scene
    frames: tuple[Frame, ...]


Filming: TypeAlias = Callable[[Header, Sequence[Step], Voice], "Film | None"]
"""(header, steps, the voice of the game) -> its film, or None for a game that cannot be shown."""

films = Registry[Filming]()
"""Register how a system's games are filmed."""


def film(
    header: Header, entries: Iterable[Entry], lang: str, names: Names | None = None
) -> Film | None:
    """The film of a record, or None where its system has none."""
    has_film = films.of(header.system) is not None
    return filmed(header, steps_of(header, entries), lang, names) if has_film else None


def filmed(
    header: Header, steps: Sequence[Step], lang: str, names: Names | None = None
) -> Film | None:
    """The film of a game whose steps are known, or None where its system has none, or it fails."""
    make = films.of(header.system)
    if make is None:
        return None
    voice = Voice(header, lang, names, steps[-1].after if steps else None)
    return held(header.system, lambda: make(header, steps, voice))


def steps_of(header: Header, entries: Iterable[Entry]) -> tuple[Step, ...]:
    """A game as it stands, event by event; what was undone or corrected is left out.

    A script gives its new state when it ends: of several events that one script tells, all but
    the last still show the state before it.
    """
    course = replay(header, entries).course
    told: list[tuple[Event, Any]] = []
    games: list[Game] = []
    begun = course.start.state

    def witness(event: Event) -> None:
        told.append((event, games[0].state if games else begun))

    # The faces stand in the record: dice need not be proved once more.
    games.append(Game(header.freed, publish=witness))
    for entry in course.effective:
        games[0].enter(entry)
    states = [*(state for _, state in told), games[0].state]
    return tuple(
        Step(event, state, states[number]) for number, (event, state) in enumerate(told, 1)
    )


def turns_of(header: Header, steps: Sequence[Step]) -> dict[int, Any]:
    """The last state of each turn, campaign turn or player's, as `System.period` counts them."""
    period = find_system(header.system).period
    return {period(state): state for step in steps for state in (step.before, step.after)}


def frames_told(
    steps: Iterable[Step],
    voice: Voice,
    pieces: Callable[[Any], Sequence[Piece]],
    arrows: Callable[[Step], Sequence[Arrow]],
) -> tuple[Frame, ...]:
    """A frame for each event: its sentence, its reasons, and the board after it.

    Raises MissingText where the system has no sentence.
    """
    frames: list[Frame] = []
    seen: Any = None
    standing: tuple[Piece, ...] = ()
    heads = _Headings(voice.own)
    for step in steps:
        if step.after is not seen or not frames:
            seen, standing = step.after, tuple(pieces(step.after))
        frames.append(
            Frame(
                line=voice.sentence(step.event),
                why=voice.why(step.event).sentences(),
                pieces=standing,
                arrows=tuple(arrows(step)),
                heading=heads.over(step.event),
            )
        )
    return tuple(frames)


class _Headings:
    """The chapters of the chronicle, as the story comes to them."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._cut = book.tells("chapter")
        self._heading = book.say("chronicle.opening") if self._cut else ""

    def over(self, event: Event) -> str:
        """The heading under which an event is told."""
        for family in ("chapter", "before"):
            key = f"{family}.{event.rule}.{event.kind}"
            if self.book.has(key) and not event.path:
                self._heading = self.book.say(key, **figures(event, self.book))
                return self._heading
        if not self._cut:
            period = event.period
            self._heading = self.book.say("chronicle.period", period=period) if period else ""
        return self._heading


def moves_between(before: Sequence[Piece], after: Sequence[Piece]) -> tuple[Arrow, ...]:
    """An arrow for each piece that stands elsewhere than it stood; leaders in a unit have none."""
    stood = {piece.id: piece.cell for piece in before}
    gone = [piece for piece in after if stood.get(piece.id, piece.cell) != piece.cell]
    led = {piece.cell for piece in gone if not piece.leader}
    return tuple(
        Arrow((stood[piece.id], piece.cell), piece.side)
        for piece in gone
        if not piece.leader or piece.cell not in led
    )


def filmed_field(
    scene: Scene,
    steps: Sequence[Step],
    voice: Voice,
    pieces: Callable[[Any], tuple[Piece, ...]],
    struck: Callable[[Step], tuple[Arrow, ...]],
) -> Film:
    """A field event by event: an arrow where one strikes, else where pieces went."""

    def arrows(step: Step) -> tuple[Arrow, ...]:
        return struck(step) or moves_between(pieces(step.before), pieces(step.after))

    title = f"{voice.own.system_title} · {scene.board.names[voice.lang]}"
    return Film(replace(scene, title=title), frames_told(steps, voice, pieces, arrows))
