"""How often players visit, and how many days a turn takes, with whole turns planned and without.

Six steady bots stand for players who look once a day, each at an hour of chance.  On a visit a
player answers all that is asked until nothing is; with plans it also plans the rest of the turn
(`kernel.rehearsal`), and what is planned answers by itself where its condition holds.  Only visits
on which something was asked count.  Set-up is left out.

In a battle (`python bench/visits.py thucidide --scenario tutorial --seats 2 --turns 99`) the exchanges
of the whole battle, those of both sides, are told too.

`python bench/visits.py atlantide --games 20 --turns 6` prints a row for each way of playing:

never    nothing is planned
post     nothing is planned, and a visit is one form (`polemarque orders`) that is sent back: what is
         asked next waits for the next day
sheet    the same with the rest of the turn on the form, filled in as it is written: not knowing what
         comes of other answers than those proposed; conditions as for careful
careful  orders to march hold if nothing has changed beside one's armies, an assault (Mare Nostrum: an
         invasion) if nothing has changed for one's own
brisk    every answer holds in any case

Losses are left to the rules where they fall otherwise than foreseen.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations, count
from random import Random
from statistics import median, quantiles
from typing import Any, NamedTuple

from polemarque.api.bots import Asked
from polemarque.bots.registry import STEADY, bot
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import Answer, Leave
from polemarque.kernel.rehearsal import Planned, Rehearsal, Step, moment
from polemarque.kernel.request import UMPIRE, Key, Request
from polemarque.kernel.system import TURN_LIMIT, find_system
from polemarque.report.game_words import Words
from polemarque.report.order_forms.form import filled
from polemarque.report.order_forms.paper import AHEAD, NAMED, RULE, listed, part_code
from polemarque.report.order_forms.read_back import frames
from polemarque.report.order_forms.rest_of_turn import (
    WHEN,
    foreseen,
    form_ahead,
    read_rest,
    rest_paper,
)
from polemarque.report.order_forms.typed_answers import answer_typed

WAYS = ("never", "post", "sheet", "careful", "brisk")

CAREFUL = {
    "AT-7.2": "around", "AT-9.1": "army", "AT-9.2": "army", "MN-2.7": "around", "MN-5.2": "army",
    "TH-F8": "near", "TH-F5": "near", "PR-3.3": "near", "PR-7/instead": "army",
}  # fmt: skip
"""Which condition a careful player ties which answer to."""

LOSSES = ("AT-3.2", "AT-8.7/losses", "AT-9.3", "AT-8.12", "TH-F6")
"""What is left to the rules where it comes otherwise than foreseen."""

OPTIONS: dict[str, dict[str, Any]] = {
    "atlantide": {"guests": "none", "resolver": "table", "other_resolver": "agreed"},
    "mare_nostrum": {},
    "thucidide": {}, "promiterra": {}, "batailles": {},
}  # fmt: skip

AT_WAR = list(combinations("ABCDEFGH", 2))
"""Mare Nostrum begins with everybody at war with everybody."""

BATTLES = {("AT-7.5", "meet"), ("MN-B.1", "land"), ("MN-B.1", "sea"), ("MN-B.1", "border")}
"""Events by which a battle is known."""


class Turn(NamedTuple):
    """One turn: visits by seat, days it took, and whether a battle was fought in it."""

    visits: tuple[int, ...]
    days: float
    fought: bool


class Played(NamedTuple):
    """A campaign: its turns, how many answers seats gave, how many a plan gave, how many of these
    the player would have given otherwise, by rule, and what seats were asked, by rule."""

    turns: list[Turn]
    answers: int
    planned: int
    changed: Counter[str]
    asked: Counter[str]


class Table:
    """A campaign whose seats are all such players."""

    def __init__(
        self, system: str, scenario: str, seats: int, turns: int, way: str, seed: int
    ) -> None:  # fmt: skip
        rules = find_system(system)
        limit = {TURN_LIMIT: turns} if TURN_LIMIT in {each.name for each in rules.options} else {}
        options = {**rules.limited(limit), **OPTIONS[system]}
        wars = [pair for pair in AT_WAR if {*pair} <= {*find_system(system).seats[:seats]}]
        setup = {"wars": wars} if system == "mare_nostrum" else {}
        header = new_header(
            system, scenario=scenario, seats=seats, options=options, seed=seed, setup=setup
        )
        self.way, self.seed, self.last = way, seed, turns
        self.game = Game(header, journal=self._written, publish=self._told)
        self.answers = self.planned = 0
        self.changed, self.asked = Counter[str](), Counter[str]()
        self.fights: set[int] = set()
        self.chance = Random(f"hours {seed}")

    def _told(self, event: Any) -> None:
        if (event.rule, event.kind) in BATTLES:
            self.fights.add(event.period)

    def _written(self, entry: Any) -> None:
        """Count an answer that is about to be taken; ask the player about one that was planned."""
        if not isinstance(entry, Answer) or entry.key.seat not in self.game.header.seats:
            return
        request = self.game.runner.find(entry.key)[1]
        assert isinstance(request, Request)
        if request.ask.wish or entry.by not in ("", "standing"):
            return
        self.answers += 1
        self.asked[entry.key.rule] += not entry.by
        if entry.by:
            self.planned += 1
            if encode(self.says(self.game, request, entry.key)) != encode(entry.value):
                self.changed[entry.key.rule] += 1

    def says(self, game: Game, request: Request, key: Key) -> Any:
        """What the player answers; its own chance is the same in a plan as when it is asked."""
        runner = game.runner.at(key.path) or game.runner
        asked = Asked(key, lambda: request.absent(key.seat))
        chance = Random(f"{self.seed}|{key.period}|{key.rule}|{key.seat}")
        player = bot(STEADY, runner.system.name)
        options = request.options(key.seat)
        view = runner.system.view(runner.state, key.seat)
        return options.take(player.choose(view, options, asked, chance))

    def settle(self) -> None:
        """Let chance, plans, the umpire and what leaves no choice answer."""
        game = self.game
        while True:
            game.settle()
            if game.spare(game.header.seats):
                continue
            if not any(UMPIRE in request.missing for request in game.requests()):
                return
            game.absent(UMPIRE)

    def visit(self, seat: str) -> bool:
        """Whether anything was asked of the seat: all of it is answered, the rest planned."""
        if self.way in {"post", "sheet"}:
            return self.exchange(seat)
        came = False
        while not self.game.over and (asked := self.game.requests(seat)):
            came = True
            key = asked[0].keys[seat]
            self.game.answer(seat, self.says(self.game, asked[0], key), key)
            if self.way != "never":
                self.plan(seat)
            self.settle()
        return came

    def exchange(self, seat: str) -> bool:
        """Whether anything was asked of the seat: its form is filled in and sent back, once."""
        game = self.game
        given = {
            each.keys[seat]: self.says(game, each, each.keys[seat]) for each in game.requests(seat)
        }
        if not given:
            return False
        ahead: Sequence[Leave] = ()
        if self.way == "sheet" and (paper := rest_paper(game, seat, self.words(""))) is not None:
            codes, typed = paper[1], list[str]()
            fill_in = partial(self.fill_in, typed, codes)
            foreseen(game, seat, {}, fill_in, fill_in)
            read = read_rest(
                game, seat, frames("\n".join(typed)), given, self.words(""), self.words
            )
            ahead = read.ahead
        for key, value in given.items():
            game.answer(seat, value, key)
        for left in ahead:
            game.enter(left)
        self.settle()
        return True

    def words(self, lang: str) -> Words:
        """What the forms are written in."""
        return Words(self.game.header, lang or "en", state=self.game.state)

    def fill_in(
        self, typed: list[str], codes: Sequence[str], head: Rehearsal, step: Step, request: Request
    ) -> None:
        """Fill in the frame of a question to come, where the form has one."""
        form = form_ahead(self.game.header, step, request)
        if form.code not in codes:
            return
        key, rule, words = step.key, step.key.rule, self.words("")
        words.turn_to(head.game, key)
        numbers = {part.at: part for part in form.parts}
        value = self.says(head.game, request, key)

        def write(at: Any, options: Any) -> Any:
            said, part = value, numbers.get(at)
            for name in at:
                said = said[name]
            line = answer_typed(options, said, words, listed(part, words) if part else ())
            typed.append(f"{part.number if part else part_code(at)}: {line}".replace("\n", "\n| "))
            return said

        typed.append(f"{RULE} {NAMED} {form.code} · en · {AHEAD}{key} {RULE}")
        if rule not in LOSSES:
            filled(request.options(key.seat), write)
        for part in form.beside:
            word = (
                CAREFUL.get(rule, "any")
                if part.at == WHEN
                else "absent"
                if rule in LOSSES
                else "ask"
            )
            typed.append(f"{part_code(part.at)}: {part.words.index(word) + 1}")
        typed.append(f"{RULE} {form.code} {RULE}")

    def plan(self, seat: str) -> None:
        """Plan the rest of the turn, in place of an earlier plan."""
        begin = moment(self.game, seat)
        if begin is None:
            return
        plan: list[Planned] = []
        while True:
            rehearsal = Rehearsal(self.game, seat, begin, plan)
            step, request = rehearsal.open, rehearsal.request
            if step is None or request is None:
                assert not rehearsal.broken
                break
            rule = step.key.rule
            when = CAREFUL.get(rule, "") if self.way == "careful" else ""
            value = self.says(rehearsal.game, request, step.key)
            otherwise: Any = "absent" if rule in LOSSES else ""
            plan.append(Planned(step.key, value, step.premise, (when,) if when else (), otherwise))
        rehearsal.leave(self.game, rehearsal.answered)

    def hours(self) -> Iterator[tuple[float, str]]:
        """Who looks when, in days: everybody once a day."""
        for day in count():
            yield from sorted((day + self.chance.random(), seat) for seat in self.game.header.seats)


def played(system: str, scenario: str, seats: int, turns: int, way: str, seed: int) -> Played:
    """One campaign."""
    table = Table(system, scenario, seats, turns, way, seed)
    game, found = table.game, list[Turn]()
    table.settle()
    while not (game.runner.period and not game.system.opening(game.state)):  # the set-up
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, table.says(game, request, request.keys[seat]), request.keys[seat])
        table.settle()
    table.answers = 0
    table.asked.clear()
    visits, began, turn = Counter[str](), 0.0, game.runner.period
    for at, seat in table.hours():
        if table.visit(seat):
            visits[seat] += 1
        if game.over or game.runner.period != turn:
            own = tuple([visits[code] for code in game.header.seats])
            found.append(Turn(own, at - began, turn in table.fights))
            visits, began, turn = Counter[str](), at, game.runner.period
        if game.over or turn > turns:
            break
    return Played(found, table.answers, table.planned, table.changed, table.asked)


def of(numbers: list[float]) -> str:
    """Median and nine in ten."""
    if not numbers:
        return "none"
    most = quantiles(numbers, n=10)[-1] if len(numbers) > 1 else numbers[0]
    return f"{median(numbers):.1f} ({most:.1f})"


def main() -> None:
    """Play them, and print a row a way."""
    words = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    words.add_argument("system", choices=OPTIONS)
    words.add_argument("--games", type=int, default=20)
    words.add_argument("--turns", type=int, default=6)
    words.add_argument("--seats", type=int, default=6)
    words.add_argument("--scenario", default="")
    words.add_argument("--ways", default=",".join(WAYS))
    given = words.parse_args()
    print("| way | visits a seat and turn | days a turn | days with a battle | planned | changed"
          " | exchanges a game | days a game |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|")
    for way in given.ways.split(","):
        play = partial(played, given.system, given.scenario, given.seats, given.turns, way)
        with ProcessPoolExecutor(2) as pool:
            games = list(pool.map(play, range(given.games)))
        turns = [turn for game in games for turn in game.turns]
        fought = [turn for turn in turns if turn.fought]
        changed = sum((game.changed for game in games), Counter[str]())
        asked = sum((game.asked for game in games), Counter[str]())
        planned = sum(game.planned for game in games)
        share = planned / sum(game.answers for game in games)
        print(
            f"| {way} | {of([float(n) for turn in turns for n in turn.visits])}"
            f" | {of([turn.days for turn in turns if not turn.fought])} | {of([t.days for t in fought])}"
            f" | {share:.0%} | {changed.total() / planned if planned else 0:.1%}"
            f" | {of([float(sum(map(sum, (t.visits for t in game.turns)))) for game in games])}"
            f" | {of([sum(t.days for t in game.turns) for game in games])} |"
            f" <!-- {len(turns)} turns, {len(fought)} with a battle; changed {dict(changed.most_common())}; asked {dict(asked.most_common())} -->",
            flush=True,
        )


if __name__ == "__main__":
    main()
