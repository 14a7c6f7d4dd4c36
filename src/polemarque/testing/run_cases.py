"""Running cases: one rule asked alone, or a game played step by step (see `case_files`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from polemarque.kernel.dice import Faces, Roll
from polemarque.kernel.errors import DiceRefused, Refusal, shortened
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import encode_position, plain
from polemarque.kernel.records.keyed_dice import Seeded
from polemarque.kernel.records.record import Adjust, Withdraw
from polemarque.odds.consult import Asked
from polemarque.odds.outcomes import parted
from polemarque.odds.run_once import run_procedure
from polemarque.report.case_files import (
    CONSULT,
    HEADER,
    Case,
    CaseError,
    CaseFailed,
    Step,
    faces_of,
    pairs,
    read_cases,
    split,
    value_of,
)

__all__ = [
    "Case",
    "CaseError",
    "CaseFailed",
    "read_cases",
    "run_case",
    "split",
]

NOTHING = object()


# Dice --------------------------------------------------------------------------------------------


class CaseDice:
    """Faces of a case, in order; `more` rolls what they leave open."""

    def __init__(self, given: Sequence[tuple[str, int]], more: Any = None) -> None:
        self.left = list(given)
        self.more = more

    def throw(self, roll: Roll, where: Any, decision: Any) -> Faces:
        """The next faces."""
        if not self.left and self.more is not None:
            thrown: Faces = self.more.throw(roll, where, decision)
            return thrown
        taken, self.left = self.left[: roll.count], self.left[roll.count :]
        fell: Faces = roll.check(tuple(face for _, face in taken))
        for why, _ in taken:
            if why not in {"", roll.why}:
                raise DiceRefused("case.why", part=why, legal=(roll.why,))
        return fell

    def finish(self) -> None:
        """No face may be left."""
        if self.left:
            raise DiceRefused("dice.left_over", part=[face for _, face in self.left])


# Running -----------------------------------------------------------------------------------------


def run_case(case: Case) -> None:
    """Run a case.  Raises CaseFailed, or CaseError."""
    if case.played:
        _Played(case).run()
    else:
        _ask(case)


def _refused_as(step: Step, refusal: Refusal, words: Sequence[str]) -> None:
    """Whether a refusal is the one expected: its kind, and its code if one is named."""
    kind, *code = words
    if refusal.kind != kind or (code and refusal.code != code[0]):
        raise step.failed("case.refused_otherwise", refusal=refusal)


def _ask(case: Case) -> None:
    """A consult case."""
    steps = {verb: [s for s in case.steps if s.verb == verb] for verb in CONSULT}
    given = {k: v for step in steps["given"] for k, v in pairs(step, step.words).items()}
    options = {k: v for step in steps["option"] for k, v in pairs(step, step.words).items()}
    dice = CaseDice([face for step in steps["dice"] for face in faces_of(step)])
    rule = steps["asks"][0].words[0] if steps["asks"] else case.rule
    first = (steps["refused"] or case.steps)[0]
    try:
        asked = Asked(rule, given, options, [face for _, face in dice.left] or None)
        ran = run_procedure(asked.begin, dice, rule=rule, rules=asked.rules, choices=asked.choices)
        dice.finish()
    except Refusal as refusal:
        if not steps["refused"]:
            raise first.failed("case.refused", refusal=refusal) from refusal
        _refused_as(first, refusal, first.words)
        return
    if steps["refused"]:
        raise first.failed("case.answered", value=msgspec.to_builtins(ran.value))
    named, tallies = parted(ran.value, ran.sums, asked.question.tallies)
    result = msgspec.to_builtins(named | tallies)
    reasons: dict[str, int] = {}
    for part in ran.modifiers:
        reasons[part.reason] = reasons.get(part.reason, 0) + part.amount
    for step in steps["expect"]:
        modifiers = step.words[0] == "modifier"
        for name, wanted in pairs(step, step.words[modifiers:]).items():
            found = reasons.get(name, 0) if modifiers else reach(result, name)
            _same(step, name, wanted, found)


def _same(step: Step, name: str, wanted: Any, found: Any) -> None:
    found = msgspec.to_builtins(found) if found is not NOTHING else NOTHING
    if found is NOTHING:
        raise step.failed("case.lacking", name=name)
    if plain(found) != plain(wanted) or isinstance(found, bool) != isinstance(wanted, bool):
        raise step.failed("case.differs", name=name, found=found, wanted=wanted)


def reach(value: Any, path: str) -> Any:
    """What a dotted path leads to, or NOTHING."""
    for name in path.split("."):
        if isinstance(value, msgspec.Struct):
            # Field by field, since a default is left out of plain data.
            shown = value.__struct_encode_fields__
            if name in shown:
                value = getattr(value, value.__struct_fields__[shown.index(name)])
            elif isinstance(getattr(type(value), name, None), property):
                value = getattr(value, name)
            else:
                return NOTHING
        elif isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, (list, tuple)) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return NOTHING
    return value


def _asks(rule: str, asking: Sequence[str]) -> bool:
    """Whether a rule is among those that ask, AT-1.4 for AT-1.4/place too."""
    return any(name.partition("/")[0] == rule or name == rule for name in asking)


def _put(tree: dict[str, Any], path: str, value: Any) -> None:
    """Write a value at a dotted path of nested dictionaries."""
    *above, last = path.split(".")
    for name in above:
        tree = tree.setdefault(name, {})
    tree[last] = value


class _Played:
    """A played case in motion."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.events: list[Event] = []
        self.after = 0
        """Where among the events the next one that is expected may be."""
        self.dice = CaseDice([])
        begun = self._begun()
        if begun is not None:
            self.game = begun

    def _begun(self) -> Game | None:
        """The game, or None if it cannot begin, as expected."""
        settings: dict[str, Any] = {"options": {}}
        for step in self.case.steps:
            if step.verb == "option":
                settings["options"] |= pairs(step, step.words)
            elif step.verb == "setup" and not step.words[0].startswith("{"):
                for path, value in pairs(step, step.words).items():
                    _put(settings.setdefault("setup", {}), path, value)
            elif step.verb in HEADER:
                settings[step.verb] = value_of(step.words[0], step)
        seed, plays = settings.pop("seed", None), settings.pop("plays", "")
        if seed is not None:
            self.dice.more = Seeded(seed)
        first, last = self.case.steps[0], self.case.steps[-1]
        try:
            header = msgspec.structs.replace(new_header(**settings), umpire=plays)
            game = Game(header, self.dice, publish=self.events.append)
        except Refusal as refusal:
            if last.verb != "refused":
                raise first.failed("case.cannot_begin", refusal=refusal) from refusal
            _refused_as(last, refusal, last.words)
            return None
        if last.verb == "refused":
            raise last.failed("case.not_refused")
        return game

    def run(self) -> None:
        """Every step in order; rolls take their faces as soon as there are some."""
        step = self.case.steps[-1]
        if step.verb == "refused":
            return
        for step in self.case.steps:
            if step.verb in HEADER:
                continue
            if step.verb == "dice":
                self.dice.left += faces_of(step)
            else:
                self._settle(step)
                self._take(step)
            self._settle(step)
        try:
            self.dice.finish()
        except DiceRefused as refusal:
            raise step.failed("case.dice_left", faces=refusal.part) from refusal
        if self._wanted() and (step.verb, step.words[:1]) != ("expect", ("dice",)):
            # A game that stands still keeps all that is not expected from happening.
            raise step.failed("case.dice_open", dice=self._wanted())

    def _wanted(self) -> list[str]:
        return [throw.roll.why for throw in self.game.throws()]

    def _settle(self, step: Step) -> None:
        try:
            while self.game.heed_wishes() or (
                self.game.throws() and (self.dice.left or self.dice.more)
            ):
                for throw in self.game.throws()[:1] if self.dice.left or self.dice.more else ():
                    self.game.enter(self.game.rolled(throw))
        except Refusal as refusal:
            raise step.failed("case.dice_unfit", refusal=refusal) from refusal

    def _take(self, step: Step) -> None:
        if step.verb == "expect":
            self._expect(step)
        elif step.words[0] == "refused":
            self._refused(step, step.words[2:], lambda: self._answer(step))
        elif step.words[0] == "answers":
            self._act(step, lambda: self._answer(step))
        else:
            act = {
                "absent": self._absent,
                "all": self._all_absent,
                "until": self._until,
                "undo": self._undo,
                "adjust": self._adjust,
                "wish": self._wish,
            }[step.verb]
            if "refused" in step.words[1:]:
                kind = step.words.index("refused") + 1
                self._refused(step, step.words[kind:], lambda: act(step))
            else:
                self._act(step, lambda: act(step))

    # What people do ------------------------------------------------------------------------------

    def _answer(self, step: Step) -> None:
        if len(step.words) < 2:
            raise step.wrong("case.no_answer", word=step.verb)
        # One word before a refusal's kind; what is simply answered may be several.
        text = step.words[1] if step.words[0] == "refused" else " ".join(step.words[1:])
        self.game.answer(step.verb, plain(value_of(text, step)))

    def _absent(self, step: Step) -> None:
        self.game.absent(step.words[0])

    def _all_absent(self, step: Step) -> None:
        """All who are asked now answer what the rules say for an absent player."""
        if step.words != ("absent",):
            raise step.wrong("case.all_absent")
        for seat in [seat for request in self.game.requests() for seat in request.missing]:
            self.game.absent(seat)

    def _until(self, step: Step) -> None:
        """Nobody says anything until that rule asks, and the state is so."""
        rules = [word for word in step.words if "=" not in word]
        wanted = pairs(step, [word for word in step.words if "=" in word])
        while not self._reached(rules, wanted):
            self._settle(step)
            if self._reached(rules, wanted):
                return
            missing = [seat for request in self.game.requests() for seat in request.missing]
            if not missing:
                raise step.failed("case.never_reached", dice=self._wanted())
            self.game.absent(missing[0])

    def _reached(self, rules: Sequence[str], wanted: dict[str, Any]) -> bool:
        asking = [request.rule for request in self.game.requests()]
        return all(_asks(rule, asking) for rule in rules) and all(
            plain(reach(self.game.state, path)) == plain(value) for path, value in wanted.items()
        )

    def _undo(self, step: Step) -> None:
        self.game.undo(step.words[0])

    def _adjust(self, step: Step) -> None:
        words = step.words[: step.words.index("refused")] if "refused" in step.words else step.words
        for name, value in pairs(step, words).items():
            self.game.enter(Adjust(name, plain(value), self.case.id))

    def _wish(self, step: Step) -> None:
        """A seat wishes for something that a rule will read, or takes it back: « wish B AT-4.3 X »,
        with « no » behind it."""
        seat, rule, word = step.words[:3]
        if step.words[3:4] == ("no",):
            self.game.enter(Withdraw(seat, rule, word))
        else:
            self.game.wish(seat, rule, word)

    def _act(self, step: Step, act: Callable[[], None]) -> None:
        try:
            act()
        except Refusal as refusal:
            raise step.failed("case.refused", refusal=refusal) from refusal

    def _refused(self, step: Step, words: Sequence[str], act: Callable[[], None]) -> None:
        """The act is refused as expected, and nothing has changed."""
        if not words:
            raise step.wrong("case.no_kind")
        before = encode_position(self.game.position)
        try:
            act()
        except Refusal as refusal:
            _refused_as(step, refusal, words)
        else:
            raise step.failed("case.not_refused")
        if encode_position(self.game.position) != before:
            raise step.failed("case.changed")

    # What is expected ----------------------------------------------------------------------------

    def _expect(self, step: Step) -> None:
        what, *words = step.words
        known: dict[str, Callable[[Step, list[str]], None]] = {
            "event": self._expect_event,
            "no": self._expect_no_event,
            "told": self._expect_told,
            "untold": self._expect_untold,
            "state": self._expect_state,
            "view": self._expect_view,
            "asked": self._expect_asked,
            "dice": self._expect_dice,
            "over": self._expect_over,
        }
        if what not in known:
            raise step.wrong("case.never_expected", word=what, known=[*known])
        known[what](step, words)

    def _matching(self, step: Step, words: Sequence[str]) -> Iterator[int]:
        if len(words) < 2:
            raise step.wrong("case.no_event_named")
        rule, kind, *rest = words
        wanted = pairs(step, rest)
        for number, event in enumerate(self.events):
            data = msgspec.to_builtins(event.data)
            if (event.rule, event.kind) == (rule, kind) and all(
                plain(reach(data, name)) == plain(value) for name, value in wanted.items()
            ):
                yield number

    def _expect_event(self, step: Step, words: list[str]) -> None:
        found = [*self._matching(step, words)]
        for number in found:
            if number >= self.after:
                self.after = number + 1
                return
        told = [
            f"{e.rule} {e.kind} {shortened(msgspec.to_builtins(e.data))}" for e in self.events[-12:]
        ]
        code = "case.event_earlier" if found else "case.no_event"
        raise step.failed(code, told="\n  ".join(["", *told]))

    def _expect_no_event(self, step: Step, words: list[str]) -> None:
        if words[:1] != ["event"]:
            raise step.wrong("case.only_no_event")
        for number in self._matching(step, words[1:]):
            raise step.failed("case.event_told", data=msgspec.to_builtins(self.events[number].data))

    def _expect_told(self, step: Step, words: list[str]) -> None:
        seat, *event = words or [""]
        if not any(self.events[number].seen_by(seat) for number in self._matching(step, event)):
            raise step.failed("case.untold", seat=seat)

    def _expect_untold(self, step: Step, words: list[str]) -> None:
        """It happened, but this seat does not hear of it."""
        seat, *event = words or [""]
        found = [self.events[number] for number in self._matching(step, event)]
        if not found:
            raise step.failed("case.no_event", told="")
        if any(event.seen_by(seat) for event in found):
            raise step.failed("case.told", seat=seat)

    def _expect_state(self, step: Step, words: list[str]) -> None:
        for path, wanted in pairs(step, words).items():
            _same(step, path, wanted, reach(self.game.state, path))

    def _expect_view(self, step: Step, words: list[str]) -> None:
        seat, *rest = words or [""]
        view = self.game.view(seat)
        for path, wanted in pairs(step, rest).items():
            _same(step, path, wanted, reach(view, path))

    def _expect_asked(self, step: Step, words: list[str]) -> None:
        seat, *rules = words or [""]
        asked = [request.rule for request in self.game.requests(seat)]
        if not asked or (rules and not _asks(rules[0], asked)):
            open_ones = [f"{r.rule} ({', '.join(r.missing)})" for r in self.game.requests()]
            raise step.failed("case.not_asked", seat=seat, asked=asked, questions=open_ones)

    def _expect_dice(self, step: Step, words: list[str]) -> None:
        if not words or self._wanted() != words:
            raise step.failed("case.dice_wanted", dice=self._wanted())

    def _expect_over(self, step: Step, words: list[str]) -> None:
        if not self.game.over:
            raise step.failed("case.goes_on")
