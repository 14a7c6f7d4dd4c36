"""Rehearsals: a seat's turn played forward in the head, from what the seat may know.

The others stand still: the rules answer for them as for absent players.  Dice fall the likeliest
way, or otherwise as the seat wishes.  Every question to the seat comes as it would come; what it
answers is kept as answers left in advance (`Leave`).

A rehearsal begins in a supposed state (`System.supposed`) at what everybody may know of the agenda.
It reads nothing else of the game: what is hidden from a seat changes nothing in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from polemarque.kernel.agenda import Item
from polemarque.kernel.dice import LONG, Faces, Roll, counted
from polemarque.kernel.errors import Refusal
from polemarque.kernel.game import Game
from polemarque.kernel.position import Branch, Position, encode
from polemarque.kernel.records.keyed_dice import Seeded
from polemarque.kernel.records.record import Leave
from polemarque.kernel.request import UMPIRE, Key, Request
from polemarque.kernel.run import Runner
from polemarque.kernel.standing_orders import lasts, means, withdrawal
from polemarque.kernel.system import find_system

MOST_ANSWERS = 60
"""A plan holds at most so many answers."""


class Planned(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer of a plan.

    key:     of the question in the rehearsal.   premise: under which it came, "" for none.
    when:    the conditions that must be as they were foreseen (`System.conditions`).
    otherwise: as of a `Leave`.
    """

    key: Key
    value: Any
    premise: str = ""
    when: tuple[str, ...] = ()
    otherwise: Literal["", "absent"] = ""


class Step(msgspec.Struct, frozen=True):
    """A question of a rehearsal, and what stands as its answer.

    conditions: what a condition may look at, as it is foreseen.   planned: None where it is open.
    """

    key: Key
    premise: str
    conditions: Mapping[str, Any]
    planned: Planned | None = None

    @property
    def name(self) -> tuple[str, str, int]:
        """Rule, subject and number of what is left in advance to the question.

        Under a premise nobody knows where it will come about: an answer holds for any subject.
        """
        return self.key.rule, "*" if self.premise else self.key.subject, self.key.number

    def meets(self, left: Leave) -> bool:
        """Whether it is the question for which an answer was left in advance."""
        rule, subject, number = self.name
        named = (left.rule, left.number, left.path) == (rule, number, self.key.path)
        return named and left.subject in ("*", subject)

    def leave(self) -> Leave:
        """The answer as it is left in advance, up to the end of its period.  It must have one."""
        planned = self.planned
        assert planned is not None
        rule, subject, number = self.name
        when = {name: self.conditions[name] for name in planned.when if name in self.conditions}
        return Leave(
            self.key.seat, rule, planned.value, subject, self.key.period, number=number,
            when=when, otherwise=planned.otherwise, path=self.key.path,
        )  # fmt: skip


class Likeliest:
    """Dice that fall as evenly as they can; a roll that is repeated falls at random, always alike.

    luck: 0 for that; any other number makes all rolls fall at random, each number in its own way.
    """

    def __init__(self, luck: int = 0) -> None:
        self.luck = luck

    def throw(self, roll: Roll, where: Any, decision: Any = None) -> Faces:
        """See Source."""
        key: Key = where
        if self.luck or key.number > 1:
            return Seeded(self.luck, "rehearsal").throw(roll, key, ())
        shown = tuple(_even(roll.count, roll.sides))
        return shown if roll.count <= LONG else counted(shown, roll.sides)


def _even(count: int, sides: int) -> Iterator[int]:
    """Faces spread evenly over a die: their sum is the likeliest, and so is any other reading."""
    carried = 0.0
    for number in range(count):
        exact = (number + 0.5) * sides / count + 0.5 + carried
        face = min(max(int(exact + 0.5), 1), sides)
        carried = exact - face
        yield face


def moment(game: Game, seat: str) -> Position | None:
    """Where a seat's rehearsal begins: a whole position made of what the seat may know.

    While battles are fought, it begins in one of the seat's own: one that asks it, if any.
    None where it cannot begin: the system supposes nothing, the game is being set up or is over,
    others' battles are being fought, or the seat is in the middle of something.
    """
    runner = game.runner
    if game.over or seat not in game.header.seats:
        return None
    outer = _supposed(runner, seat, game.header.seats)
    if outer is None or not runner.branches:
        return outer
    own = [
        (brief, inner)
        for brief, inner in runner.branches
        if any(side.seat == seat for side in brief.sides)
    ]
    own.sort(key=lambda battle: not _asks(battle[1], seat))
    real = runner.position
    if not own or real.frames[0].given or not _public(runner, real.frames[0].rule):
        return None
    brief, battle = own[0]
    sides = tuple(
        [msgspec.structs.replace(x, units=(), leaders=(), rights={}) for x in brief.sides]
    )
    inner = _supposed(battle, seat, [side.seat for side in sides])
    if inner is None:
        return None
    told = msgspec.structs.replace(brief, sides=sides, facts={})
    branch = Branch(told, battle.path, inner)
    return msgspec.structs.replace(outer, frames=real.frames, told=real.told, branches=(branch,))


def _asks(runner: Runner, seat: str) -> bool:
    return isinstance(runner.pending, Request) and seat in runner.pending.seats


def _supposed(runner: Runner, seat: str, seats: Sequence[str]) -> Position | None:
    """What a seat may know of a game or of a battle in it, where a turn of it can be rehearsed."""
    system = runner.system
    if system.supposed is None or system.conditions is None or runner.over:
        return None
    if not runner.period or system.opening(runner.state):
        return None
    real, asked = runner.position, _asks(runner, seat)
    agenda = tuple([item for item in real.agenda if _public(runner, item[0])])
    if asked and (len(real.frames) > 1 or real.frames[0].given):
        return None
    here: Item = (runner.asking[0], *runner.asking[1])
    whole = len(real.frames) == 1 and not real.frames[0].given and not real.branches
    if asked or (whole and _public(runner, here[0])):
        agenda = (here, *agenda)
    return Position(
        system=system.name,
        edition=runner.edition,
        state=system.supposed(system.view(runner.state, seat), seat, {}),
        agenda=agenda,
        period=runner.period,
        numbers=tuple([(r, s, x, n) for r, s, x, n in real.numbers if s == seat]),
        absent=(*[other for other in seats if other != seat], UMPIRE),
        editions=real.editions,
        judges=real.judges,
    )


def turn_of(begin: Position) -> tuple[str, int]:
    """Which turn is rehearsed from there: the path of its battle, "" for none, and its number."""
    for branch in begin.branches:
        return branch.path, branch.position.period
    return "", begin.period


def _public(runner: Runner, rule: str) -> bool:
    system = runner.system
    return system.public_course or not system.public_items.isdisjoint(("*", rule))


Watch = Callable[["Rehearsal", Step, Request], "Planned | None"]


class Rehearsal:
    """One turn of a seat as it may go.

    plan: answers that it has given so far; those that no longer fit are left out.
    luck: how dice fall (see `Likeliest`).
    left: what stands of an earlier plan, for questions that this one has no answer to.
    watch: called with each step while the game in the head stands at its question; an answer that
           it gives stands in place of the plan's.
    given: answers that the seat gives to what it is asked at this moment; they are no steps.

    steps: the questions that came, in order, each with its answer; the last one may be open.
    path, period: of the battle that is rehearsed, if it is one inside the game, and of its turn.
    game:  the game in the head, standing at the open question.
    broken: whether the rules could not go on with what is supposed; nothing more is foreseen then.
    """

    broken = False

    def __init__(
        self, game: Game, seat: str, begin: Position, plan: Sequence[Planned] = (), luck: int = 0,
        watch: Watch | None = None, left: Sequence[Leave] = (),
        given: Mapping[Key, Any] | None = None,
    ) -> None:  # fmt: skip
        self.seat = seat
        self._left = left
        self._watch = watch
        self.steps: list[Step] = []
        self.path, self.period = turn_of(begin)
        self._outer = begin
        self._system = find_system(begin.branches[0].position.system if self.path else begin.system)
        self._plan = {(each.premise, each.key): each for each in plan}
        self._sealed = {**_sealed_by(game, seat), **(given or {})}
        self.game = Game(game.header.freed, Likeliest(luck))
        self.game.standing_orders = [  # the seat's own, and no part of an earlier plan of this turn
            left for left in game.standing_orders if left.seat == seat and not planned_ahead(left)
        ]
        self._run(begin.branches[0].position if self.path else begin)

    @property
    def open(self) -> Step | None:
        """The question that is to be answered next; None where all have been."""
        last = self.steps[-1] if self.steps else None
        return last if last is not None and last.planned is None else None

    @property
    def full(self) -> bool:
        """Whether no more can be planned: what comes after these questions is asked as it comes."""
        return len(self.steps) >= MOST_ANSWERS

    @property
    def request(self) -> Request | None:
        """The open question as the game in the head asks it."""
        step = self.open
        if step is None:
            return None
        found = self.game.runner.find(step.key)[1]
        assert isinstance(found, Request)
        return found

    @property
    def answered(self) -> list[Step]:
        """The steps that have an answer."""
        return [step for step in self.steps if step.planned is not None]

    def standing(self, game: Game) -> list[Leave]:
        """What stays of an earlier plan once this one is left."""
        return [
            left
            for left in self._earlier(game)
            if (left.subject == "*" or self.open) and not any(s.meets(left) for s in self.steps)
        ]

    def _earlier(self, game: Game) -> list[Leave]:
        return [left for left in planned_by(game, self.seat) if left.path == self.path]

    def leave(self, game: Game, ahead: Iterable[Step]) -> None:
        """Leave answers of this plan in advance, in place of an earlier one.

        Of that one stays what holds wherever its question comes, and did not come here; and what
        is behind the question that is open.
        """
        stands = self.standing(game)
        for left in self._earlier(game):
            if left not in stands:
                game.enter(withdrawal(left))
        for step in ahead:
            game.enter(step.leave())

    # Playing -----------------------------------------------------------------------------------

    def _run(self, begin: Position) -> None:
        """The turn as it is foreseen; then once more from where each premise comes about."""
        splits = {}
        position = begin
        for premise, each in self._system.premises.items():
            at = begin.agenda.index(each.before) if each.before in begin.agenda else -1
            if at < 0:
                continue
            if at:
                position = self._play(
                    msgspec.structs.replace(position, agenda=position.agenda[:at]), ""
                )
                if self.open is not None or self.broken or not position.over:
                    return
                position = msgspec.structs.replace(position, agenda=begin.agenda[at:])
            splits[premise] = position
            break  # one premise a turn is all that any system has
        ended = self._play(position, "")
        for premise, each in self._system.premises.items():
            if each.begins and not ended.over:
                splits[premise] = msgspec.structs.replace(ended, agenda=each.begins, numbers=())
        suppose, view = self._system.supposed, self._system.view
        for premise, start in splits.items():
            if self.open is not None or self.broken or suppose is None:
                return
            state = suppose(view(start.state, self.seat), self.seat, {premise: True})
            if encode(state) != encode(start.state):
                period = self._system.period(state)
                self._play(msgspec.structs.replace(start, state=state, period=period), premise)

    def _play(self, position: Position, premise: str) -> Position:
        """Play on to the next open question, or to the end of the period or of the position."""
        try:
            return self._played(position, premise)
        except Exception:  # noqa: BLE001 - a guess may be one that no rule was written for
            here = self.game.runner.at(self.path)
            self.broken = here is not None and not here.over  # what a battle comes to is not read
            return msgspec.structs.replace(position, agenda=())

    def _played(self, position: Position, premise: str) -> Position:
        game = self.game
        game.runner = Runner(self._whole(position))
        while True:
            game.settle()
            here = game.runner.at(self.path)
            if here is None or here.over or here.period != position.period:
                break
            if game.spare((self.seat,)):
                continue
            requests = game.requests(self.seat)
            if not requests or not self._answered(requests[0], premise):
                break
        over = here is None or here.over
        agenda = (
            ()
            if here is None or over
            else ((here.asking[0], *here.asking[1]), *here.position.agenda)
        )
        state = position.state if here is None else here.state
        return msgspec.structs.replace(position, state=state, agenda=agenda)

    def _whole(self, position: Position) -> Position:
        """A position of the game that is rehearsed: of a battle, with the game around it."""
        if not self.path:
            return position
        (branch,) = self._outer.branches
        inside = msgspec.structs.replace(branch, position=position)
        return msgspec.structs.replace(self._outer, branches=(inside,))

    def _answered(self, request: Request, premise: str) -> bool:
        """Answer a question by the plan; False where the seat is to say."""
        key = request.keys[self.seat]
        if key in self._sealed and not premise:
            self.game.answer(self.seat, self._sealed[key], key)
            return True
        if request.ask.once or self.full or self._foreseen(key, premise):
            self.game.absent(self.seat)
            return True
        step = Step(key, premise, dict(self.game.conditions(key)))
        planned = self._fitting(step, request)
        step = msgspec.structs.replace(step, planned=planned)
        if self._watch is not None:
            planned = self._watch(self, step, request) or planned
            step = msgspec.structs.replace(step, planned=planned)
        self.steps.append(step)
        if planned is not None:
            self.game.answer(self.seat, planned.value, key)
        return planned is not None

    def _fitting(self, step: Step, request: Request) -> Planned | None:
        """What the plan says to a question, as its options take it; None if it does not fit."""
        planned = self._plan.get((step.premise, step.key)) or self._left_for(step)
        try:
            value = planned and request.options(self.seat).take(planned.value)
        except Refusal:
            return None
        return planned and msgspec.structs.replace(planned, value=value)

    def _left_for(self, step: Step) -> Planned | None:
        """What was left in advance for a question, as an answer of a plan."""
        left = next((each for each in self._left if step.meets(each)), None)
        if left is None:
            return None
        return Planned(step.key, left.value, step.premise, tuple(left.when), left.otherwise)

    def _foreseen(self, key: Key, premise: str) -> bool:
        """Whether such a question of a premise has come already."""
        return bool(premise) and any(
            step.key.rule == key.rule and (step.premise != premise or step.key != key)
            for step in self.steps
        )


def _sealed_by(game: Game, seat: str) -> dict[Key, Any]:
    """What the seat itself has sealed and others have not answered yet."""
    return {
        request.keys[seat]: request.answered[seat]
        for request in game.course.requests()
        if seat in request.answered
    }


def planned_by(game: Game, seat: str) -> list[Leave]:
    """What stands of the plan that a seat has left for this turn."""
    return [
        left
        for left in game.standing_orders
        if left.seat == seat and planned_ahead(left) and game.stands(left)
    ]


def planned_for(game: Game, key: Key) -> Leave | None:
    """What a sealed plan has for a question whose condition fails, or that no longer allows it."""
    return next(
        (
            left
            for left in game.standing_orders
            if left.seat == key.seat and planned_ahead(left)
            and means(left, key) and lasts(left, key)
        ), None,
    )  # fmt: skip


def planned_ahead(left: Leave) -> bool:
    """Whether an answer left in advance comes from a plan of a turn."""
    return bool(left.number)
