"""One game of a study: bots play it to its end, and what a study wants of it is taken down.

Nothing here knows a system: places come from `System.standing`, questions from the entries, and
battles from the paths that the kernel gives them.
"""

from __future__ import annotations

from collections import Counter

import msgspec
from msgspec.structs import replace

from polemarque.bots.play import Question, play_game
from polemarque.kernel.errors import KernelFault
from polemarque.kernel.events import Event
from polemarque.kernel.files.decoding import always
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import SEEDED, Answer, Entry, Header
from polemarque.kernel.request import DICE, UMPIRE, Key, Options
from polemarque.lab.answer_menus import bits
from polemarque.lab.significance import MOST
from polemarque.report.luck import Throwers

MOST_ENTRIES = 500_000
"""A game with more entries than these has no end that anybody would wait for."""

BETWEEN = MOST
"""How far apart the games of two studies' seeds are: a study has at most as many."""

EVERY = 5
"""Of one game in so many it is counted how much choice its questions leave: that takes a while."""

NOBODY = "-"
"""Whose dice they were that were no seat's."""

Places = tuple[tuple[str, ...], ...]
"""Seats by place, the first first; see `Standing.places`."""


class StudyPlan(msgspec.Struct, frozen=True):
    """What is played: the header of its games, without a seed, and the bot of each seat.

    bots: those of a study's first game.  From game to game each goes on to the next seat, so that
          no figure of a seat is that of its bot.
    """

    header: Header
    bots: dict[str, str]

    @property
    def rounds(self) -> int:
        """After so many games every bot has had each of its seats; 1 where all are the same."""
        line = list(self.bots.values())
        return next(n for n in range(1, len(line) + 1) if line[n:] + line[:n] == line)

    def seated(self, seed: int) -> dict[str, str]:
        """Seat -> its bot in the game of that seed."""
        line = list(self.bots.values())
        on = seed % BETWEEN % self.rounds
        return dict(zip(self.bots, line[len(line) - on :] + line[: len(line) - on], strict=True))


class Played(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of one game; a line of the file of a study.

    seed:      of the game; `polemarque run` plays the same game with it.
    digest:    of the game's record.
    turns:     the last period reached.
    places:    how the seats stood as each turn ended, from the first turn on; the last is the end.
    out:       who was out then; None where the system knows no elimination.
    questions: by seat, the umpire's included, how many it was asked in each period from 0 on: what
               is asked before the first turn stands at 0, what a battle asks in its own turn.
    battles:   how many battles began in each period from 0 on.
    entries:   of the record, dice included.
    rows:      "SEAT RULE KIND" -> how often a rule that rolls came out like that for a seat, or by
               its dice; the seat is "-" where they were nobody's.  The last turn does not count:
               what is rolled there mostly follows from who has won.
    free:      questions to seats that left a choice.   bits: the sum, over these, of the logarithm
               to base 2 of how many answers each left.  Both are taken of one game in `EVERY`.
    """

    seed: int
    digest: str
    turns: int
    winners: tuple[str, ...]
    places: tuple[Places, ...]
    questions: dict[str, tuple[int, ...]]
    battles: tuple[int, ...]
    entries: int
    out: tuple[tuple[str, ...], ...] | None = None
    rows: dict[str, int] = {}
    free: int = 0
    bits: float = always(0.0)


class Failed(msgspec.Struct, frozen=True):
    """A game that could not be played to its end; reason: "" if its process died."""

    seed: int
    reason: str


def header_with(plan: StudyPlan, seed: int) -> Header:
    """The header of one game: that of `polemarque run … --seed`."""
    return replace(plan.header, dice=SEEDED, seed=str(seed))


def play(plan: StudyPlan, seed: int) -> Played:
    """Play one game to its end.  Raises KernelFault if it comes to none."""
    clerk = _Recorder(plan.header)
    game = Game(header_with(plan, seed), publish=clerk.told)
    clerk.follow(game)
    asked = clerk.asked if seed % EVERY == 0 else None
    play_game(
        game, plan.seated(seed), stop=lambda one: len(one.entries) > MOST_ENTRIES, on_question=asked
    )
    if not game.over:
        raise KernelFault(f"no end after {len(game.entries)} entries")
    return clerk.played(seed)


def attempt(plan: StudyPlan, seed: int) -> Played | Failed:
    """The same; whatever goes wrong is told with the seed, so that other games go on."""
    try:
        return play(plan, seed)
    except Exception as fault:  # noqa: BLE001 - rules and bots may be strangers', and fail in any way
        return Failed(seed, f"{type(fault).__name__}: {fault}")


class _Recorder:
    """Takes down what is seen of one game while it is played.

    A turn's standing is that before the first entry of the next one, a die's included: nothing has
    been answered in the new turn yet.
    """

    def __init__(self, header: Header) -> None:
        self._game: Game
        self._seats = header.seats
        self._throwers = Throwers(header)
        self._rows: Counter[tuple[int, str]] = Counter()
        self._options: dict[Key, Options] = {}
        self._free = 0
        self._bits = 0.0
        self._asked: Counter[tuple[str, int]] = Counter()
        self._battles: set[str] = set()
        self._places: list[Places] = []
        self._out: list[tuple[str, ...] | None] = []

    def follow(self, game: Game) -> None:
        """Take down every entry from now on."""
        self._game = game
        game.journal = self._entered

    def told(self, event: Event) -> None:
        """An event: of a battle, its path shows that there is one."""
        if event.path:
            self._battles.add(_outermost(event.path))
        elif event.dice:
            seat = event.data.get("seat")
            if seat not in self._seats:
                first = event.dice[0]
                one = len({*first.whom}) < 2  # a roll of several seats is no seat's
                seat = (one and self._throwers.whose(event, first, 0)) or NOBODY
            self._rows[event.period, f"{seat} {event.rule} {event.kind}"] += 1

    def asked(self, question: Question) -> None:
        """A question that is about to be answered."""
        if question.seat != UMPIRE:
            key = question.request.keys[question.seat]
            self._options[key] = question.request.options(question.seat)

    def _entered(self, entry: Entry) -> None:
        self._stand(self._game.runner.period - 1)
        if isinstance(entry, Answer):
            self._count(entry.key)
            options = self._options.pop(entry.key, None)
            free = bits(options, entry.value) if options is not None else 0.0
            self._free += free > 0
            self._bits += free

    def _count(self, key: Key) -> None:
        if key.path:
            self._battles.add(_outermost(key.path))
        if key.seat != DICE:
            self._asked[key.seat, key.outer_period] += 1

    def _stand(self, ended: int) -> None:
        """How it stands, for all turns up to `ended` that have not been taken down yet."""
        if ended > len(self._places):
            standing = self._game.system.standing(self._game.state)
            missing = ended - len(self._places)
            self._places += [standing.places] * missing
            self._out += [standing.out] * missing

    def played(self, seed: int) -> Played:
        """What there is to say of the game, which is over."""
        game = self._game
        turns = game.runner.period
        self._stand(turns)
        standing = game.system.standing(game.state)
        periods = range(turns + 1)
        begun = Counter([int(path.partition("-")[0]) for path in self._battles])
        asked = sorted({*game.header.seats, *[seat for seat, _ in self._asked]})
        out = [seats for seats in self._out if seats is not None]
        rows: Counter[str] = Counter()
        for (turn, row), times in self._rows.items():
            if turn < turns:
                rows[row] += times
        return Played(
            seed=seed, digest=game.digest, turns=turns, winners=standing.winners,
            places=tuple(self._places),
            questions={seat: tuple([self._asked[seat, p] for p in periods]) for seat in asked},
            battles=tuple([begun[p] for p in periods]), entries=len(game.entries),
            out=tuple(out) if len(out) == len(self._out) else None,
            rows=dict(sorted(rows.items())), free=self._free, bits=round(self._bits, 3),
        )  # fmt: skip


def _outermost(path: str) -> str:
    return path.partition(".")[0]
