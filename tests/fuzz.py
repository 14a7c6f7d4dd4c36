"""Random games until the time is up: ``python -m tests.fuzz --seconds 60 [--system atlantide]``.

Each game takes a random scenario, random options and seats, and random bots; on the way seats undo,
are absent, leave answers in advance and withdraw them, umpires correct, adjust and move to newer
editions, and the position goes through JSON.  Whatever breaks is saved as a record that
``polemarque replay --at N`` opens (not past a move to an edition, of which there is but one
outside), and the program ends with status 1.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from polemarque.api.bots import Asked
from polemarque.bots.registry import bot
from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.events import Event, EventLog
from polemarque.kernel.game import Game, committed_game, new_header, replay
from polemarque.kernel.new_game import opening, source_of
from polemarque.kernel.position import decode_position, encode, encode_position
from polemarque.kernel.records.commitment import new_chains
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import (
    Answer,
    Leave,
    Replace,
    Withdraw,
    Word,
    read_record,
    write_record,
)
from polemarque.kernel.request import DICE, Request, Sheet
from polemarque.kernel.run import Runner
from polemarque.kernel.system import find_system, system_names
from tests import chance
from tests.fuzz_acts import later_editions, umpires_act
from tests.kernel import toy

CRASHES = Path("crashes")
EACH = 2
"""How many crashes of one kind are saved."""

MOST = 4000
"""Answers after which a game is let go: a random campaign may have no end of its own."""

SHORT = {"turn_limit": 5}
"""Options of the games whose rules set no end."""


class Fault(AssertionError):
    """Something that must never happen has happened."""


def demand(holds: bool, said: str) -> None:
    """Raise Fault unless it holds."""
    if not holds:
        raise Fault(said)


def random_game(system: str, rng: Random) -> tuple[Game, EventLog]:
    """A new game of a system, everything about it at random, and where it keeps what it tells."""
    rules = find_system(system)
    scenario = rng.choice(list(rules.scenarios) or [""])
    options = {
        choice.name: _option(choice, rng) for choice in rules.options if rng.random() < 0.6
    } | {name: n for name, n in SHORT.items() if name in {c.name for c in rules.options}}
    seats = rng.choice([None, *range(rules.least, len(rules.seats) + 1)])
    try:
        header = new_header(
            system, scenario=scenario, seats=seats, seed=rng.randrange(10**6), options=options
        )
        opening(header)
    except Refusal:  # a scenario for another number of seats
        header = new_header(system, scenario=scenario, seed=1, options=options)
    told = EventLog()
    dice = rng.random()
    if dice < 0.6:
        return Game(header, publish=told.append, withdraw=told.withdraw), told
    if dice < 0.8:  # with faces that an umpire may replace
        source = source_of(header)
        free = header.freed
        return Game(free, source, publish=told.append, withdraw=told.withdraw), told
    chains = new_chains(header.seats)
    game = committed_game(header, chains, publish=told.append, withdraw=told.withdraw)
    for seat in header.seats:
        game.enter(Word(seat, "w"))
    return game, told


def _option(choice: Any, rng: Random) -> Any:
    if choice.number:
        low, high = choice.values
        return rng.choice([low, min(high, low + 3), choice.default])
    return rng.choice(choice.values)


class Play:
    """One random game being played."""

    def __init__(self, game: Game, told: EventLog, rng: Random) -> None:
        self.game = game
        self.told = told
        self.rng = rng
        self.steps: Counter[str] = Counter()
        self.bots = {seat: bot(rng.choice(("random", "random", "steady")), game.header.system)
                     for seat in game.header.seats}  # fmt: skip
        self.restarts = rng.random() < 0.3
        self.corrects = rng.random() < 0.2
        self.acts = rng.choice((0.0, 0.01, 0.1))

    def to_the_end(self) -> None:
        """Play, then hold the record against its replay."""
        self._settle()
        while not self.game.over and len(self.game.entries) < MOST:
            demand(bool(self.game.requests()), "nobody is asked and the game is not over")
            self.step()
            self._settle()
        self.check_record()

    def _settle(self) -> None:
        before = len(self.game.entries)
        self.game.settle()
        self.steps["settled"] += len(self.game.entries) - before

    def step(self) -> None:
        """One random thing that a seat may do."""
        rng, game = self.rng, self.game
        request = rng.choice(game.requests())
        seat = rng.choice(request.missing)
        dice = rng.random()
        if dice < 0.06:
            self.undo(rng.choice(game.header.seats))
        elif dice < 0.09:
            self.count("absent")
            game.enter(Answer(request.keys[seat], request.absent(seat), "absent"))
        elif dice < 0.11:
            self.stand(request, seat)
        elif dice < 0.12 and game.standing_orders:
            left = rng.choice(game.standing_orders)
            self.count("withdraw")
            game.enter(Withdraw(left.seat, left.rule, left.subject))
        elif dice < 0.14:
            self.nonsense(request, seat)
        elif dice < 0.16 and request.sealed:
            self.seal_twice(request, seat)
        elif dice < 0.165 and self.corrects:
            self.correct()
        elif rng.random() < self.acts:
            self.act()
        else:
            self.answer(request, seat)
        if self.restarts and rng.random() < 0.2:
            self.through_json()

    def count(self, what: str) -> None:
        """Note what was done, for the report."""
        self.steps[what] += 1

    def answer(self, request: Request, seat: str) -> None:
        """An answer by the seat's bot (the umpire's at random)."""
        self.count("answer")
        runner, _ = self.game.runner.find(request.keys[seat])
        options = request.options(seat)
        player = self.bots.get(seat)
        if player is None or runner.system.name != self.game.header.system:
            value = options.sample(self.rng)
        else:
            asked = Asked(request.keys[seat], lambda: request.absent(seat))
            value = player.choose(runner.system.view(runner.state, seat), options, asked, self.rng)
        self.game.answer(seat, value, request.keys[seat])

    def undo(self, seat: str) -> None:
        """An undo is refused, changing nothing, or takes back that seat's own last answer."""
        game = self.game
        before, position = list(game.effective), encode_position(game.position)
        entries = len(game.entries)
        waiting = {r.keys[seat] for r in open_requests(game) if seat in r.answered}
        try:
            game.undo(seat)
        except NotAllowed:
            self.count("undo refused")
            demand(len(game.entries) == entries, "a refused undo was written down")
            demand(encode_position(game.position) == position, "a refused undo changed the game")
            return
        self.count("undo")
        taken = _lost(before, list(game.effective))
        demand(isinstance(taken, Answer), "an undo took back something that is no answer")
        demand(taken.key.seat == seat, f"{seat} took back an answer of {taken.key.seat}")
        at = before.index(taken)
        after = before[at + 1 :]
        if taken.key not in waiting:  # what is still sealed may be taken back at any time
            demand(not after, "an undo crossed a die, or another's answer")
            demand(not revealed(before, taken, game), "an undo crossed a reveal")
        demand(not [e for e in after if e.key.seat == DICE and e.key.path == taken.key.path],
               "an undo crossed a die of its own path")  # fmt: skip
        again = [r for r in open_requests(game) if r.keys.get(seat) == taken.key]
        demand(bool(again), "an undo did not ask again")

    def stand(self, request: Request, seat: str) -> None:
        """Leave an answer in advance, then see that the seat's next one is legal."""
        self.count("standing")
        options = request.options(seat)
        if seat not in self.game.header.seats:
            return
        value = options.sample(self.rng)
        subject = self.rng.choice(("*", request.keys[seat].subject))
        self.game.enter(
            Leave(seat, request.rule, value, subject, unless=self.rng.choice(((), ("loss",))))
        )
        demand(isinstance(options, Sheet) or options.take(value) == value, "a sample is refused")

    def nonsense(self, request: Request, seat: str) -> None:
        """What is no option is refused and changes nothing."""
        before, entries = encode_position(self.game.position), len(self.game.entries)
        for value in (None, "no such word", -7, {"no": "part"}, ["x", "x"], 1.5):
            try:
                request.options(seat).take(value)
            except (NotAllowed, NotUnderstood) as refusal:
                demand(bool(refusal.code), "a refusal without a code")
                try:
                    self.game.answer(seat, value, request.keys[seat])
                except (NotAllowed, NotUnderstood):
                    self.count("nonsense")
                else:
                    raise Fault(f"{value!r} was refused by the options and taken by the game")
        demand(encode_position(self.game.position) == before, "a refused answer changed the game")
        demand(len(self.game.entries) == entries, "a refused answer was written down")

    def seal_twice(self, request: Request, seat: str) -> None:
        """A sealed answer may be replaced while it waits."""
        self.answer(request, seat)
        if any(r.keys.get(seat) == request.keys[seat] for r in open_requests(self.game)):
            self.count("replaced")
            again = request.options(seat).sample(self.rng)
            self.game.answer(seat, again, request.keys[seat])

    def correct(self) -> None:
        """The umpire annuls an answer: dice whose question and decision stay keep their faces."""
        answers = [e for e in self.game.effective if isinstance(e, Answer) and e.key.seat != DICE]
        if not answers:
            return
        self.count("correction")
        self.game.enter(Replace(self.rng.choice(answers).key, "a mistake", annul=True))

    def act(self) -> None:
        """An act of the umpire's, with a value: what is refused changes nothing."""
        game = self.game
        act = umpires_act(game, self.rng)
        if act is None:
            return
        kind = type(act).__name__.lower()
        before, entries, done = encode_position(game.position), len(game.entries), [*game.effective]
        try:
            game.enter(act)
        except Refusal as refusal:
            self.count(f"{kind} refused")
            demand(bool(refusal.code), "a refusal without a code")
            demand(encode_position(game.position) == before, f"a refused {kind} changed the game")
            demand(len(game.entries) == entries, f"a refused {kind} was written down")
            demand(game.effective == done, f"a refused {kind} changed what is in force")
        else:
            self.count(kind)
            demand(len(game.entries) == entries + 1, f"a {kind} was not written down")
            demand(not game.system.faults(game.state), f"a {kind} left an unsound game")

    def through_json(self) -> None:
        """The game goes on from its position as JSON, as if nothing had been."""
        self.count("restart")
        saved = encode_position(self.game.position)
        decoded = decode_position(saved)
        demand(encode_position(decoded) == saved, "a position changed by JSON")
        fresh = Runner(decoded, self.game.runner.publish)
        demand(encode_position(fresh.position) == saved, "a restart stands elsewhere")
        self.game.runner = fresh

    def check_record(self) -> None:
        """The record, through its file, gives the same game."""
        game = self.game
        raw = write_record(game.header, game.entries)
        record = read_record(raw)
        demand(record.head == game.digest, "the digest is not the chain's head")
        demand(write_record(record.header, record.entries) == raw, "a record changed by reading")
        twin = replay(record.header, record.entries)
        demand(encode(twin.state) == encode(game.state), "a replay ends elsewhere")
        demand(
            encode_position(twin.position) == encode_position(game.position),
            "a replay stands elsewhere",
        )
        straight: list[Event] = []
        replay(game.header.freed, game.effective, publish=straight.append)
        demand(straight == self.told, "what was told is not what has happened")
        demand(not game.over or game.system.standing(game.state).over, "over, and not over")
        proof = prove(game.record)
        demand(proof.holds, f"its own record does not hold: {proof.reason}")


def open_requests(game: Game) -> list[Request]:
    """All open questions to seats, those they have answered included."""
    return [pending for _, pending in game.runner.open() if isinstance(pending, Request)]


def revealed(before: list[Any], taken: Answer, game: Game) -> bool:
    """Whether the answer that was taken back had opened the sealed ones of others."""
    asked = next(r for r in open_requests(game) if r.keys.get(taken.key.seat) == taken.key)
    others = {key for seat, key in asked.keys.items() if seat != taken.key.seat}
    return bool(others) and others <= {e.key for e in before if isinstance(e, Answer)}


def _lost(before: list[Any], after: list[Any]) -> Any:
    """The one element that `after` lacks."""
    demand(len(after) == len(before) - 1, "an undo took back more than one answer")
    for n, (one, two) in enumerate(zip(before, after, strict=False)):
        if one is not two and one != two:
            demand(before[n + 1 :] == after[n:], "an undo changed other answers")
            return one
    return before[-1]


def saved(game: Game, fault: BaseException, number: int) -> Path:
    """The crash as a record; what was wrong stands beside it."""
    CRASHES.mkdir(exist_ok=True)
    path = CRASHES / f"{game.header.system}-{number}.json"
    path.write_bytes(write_record(game.header, game.entries))
    path.with_suffix(".txt").write_text(
        "".join(traceback.format_exception(fault)), encoding="utf-8"
    )
    return path


def _kind(fault: BaseException) -> str:
    """Crashes of one kind: the same complaint from the same line."""
    frame = traceback.extract_tb(fault.__traceback__)[-1]
    return f"{type(fault).__name__}: {fault} ({Path(frame.filename).name}:{frame.lineno})"


def fuzz(systems: list[str], seconds: float, seed: int) -> tuple[int, Counter[str], Counter[str]]:
    """Play until the time is up: how many games, what was done in them, and crashes by kind."""
    done: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    until = time.monotonic() + seconds
    games = 0
    while games == 0 or time.monotonic() < until:
        rng = Random(f"{seed}/{games}")
        chance.begin(f"{seed}/{games}")
        play = Play(*random_game(systems[games % len(systems)], rng), rng)
        games += 1
        try:
            play.to_the_end()
        except Exception as fault:  # noqa: BLE001  (whatever it is, it is a crash to save)
            kind = _kind(fault)
            kinds[kind] += 1
            if kinds[kind] <= EACH:
                path = saved(play.game, fault, games)
                print(f"{path}: {kind}", file=sys.stderr)
        done += play.steps
    return games, done, kinds


def main(arguments: list[str] | None = None) -> int:
    """The program: 1 on any crash."""
    words = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__)
    words.add_argument("--seconds", type=float, default=60)
    words.add_argument("--system", action="append")
    words.add_argument("--seed", type=int, default=time.time_ns() % 10**6)
    given = words.parse_args(arguments)
    chance.fix("")
    playable = [n for n in system_names() if find_system(n).playable and n != toy.DUEL.name]
    systems = given.system or playable
    with later_editions():
        games, done, crashes = fuzz(systems, given.seconds, given.seed)
    doings = ", ".join(f"{count} {what}" for what, count in sorted(done.items()))
    print(f"{games} games of {', '.join(systems)} (seed {given.seed}): {doings}")
    for kind, times in crashes.most_common():
        print(f"{times} × {kind}")
    print(f"{crashes.total()} crashes" + (f", see {CRASHES}/" if crashes else ""))
    return 1 if crashes else 0


if __name__ == "__main__":
    sys.exit(main())
