"""The rest of a seat's turn on one order form: what is to come stands below what is asked now.

The questions are those of a rehearsal (`kernel.rehearsal`), in which what is asked now, and all
that comes after, is answered as the form proposes, and those that come of other answers, as far as
some tries find them.  Each has a frame of its own, with two lines more: when the answer holds, and
what happens otherwise.  A frame that is left empty leaves its question as it is.  What is filled in
becomes an answer left in advance, as a plan's.

A form is read in the turn as it comes with the answers that it gives: what does not fit there is
told line by line, and the rest is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal

import msgspec

from polemarque.kernel.errors import Refusal
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Header, Leave
from polemarque.kernel.rehearsal import Planned, Rehearsal, Step, moment, planned_by
from polemarque.kernel.request import Key, OneOf, Request
from polemarque.report.documents.document import Block, Document, Verbatim, paragraph
from polemarque.report.game_words import Words
from polemarque.report.order_forms.form import (
    At,
    OrderForm,
    Part,
    campaign_code,
    filled,
    form_of,
    proposal,
)
from polemarque.report.order_forms.paper import frame
from polemarque.report.order_forms.read_back import (
    PROPOSED,
    WRITTEN,
    Fault,
    FilledForm,
    Frame,
    check_frame,
    read_order,
    tell,
    tell_fault,
)
from polemarque.report.order_forms.told_answers import told

MOST_FORMS, MOST_LINES = 12, 200
"""Questions to come that a form holds, and lines of their frames."""

TRIES = 20
"""Other answers to each question that are tried for what comes of them."""

WHEN: At = ("plan_when",)
OTHERWISE: At = ("plan_otherwise",)
LAPSED: At = ("plan_lapsed",)
"""Parts beside a question: when its answer holds, and what happens where it does not, or (where
there is no condition) where it is not legal any more."""

ANYWHERE = "anywhere"
"""The premise under which a question comes that only other answers lead to."""

ANY, ASK = "any", "ask"
ABSENT: Literal["absent"] = "absent"
"""Words of those parts that are no condition of a system."""

NOT_ASKED, BLANK = "orders.not_asked", "orders.blank"
"""Refusals: of a line about a part that is not asked (the rest of its frame is kept), and of a part
that is left blank."""

_What = tuple[str, str]
"""A rule and what it asks about, "*" for anything."""

See = Callable[[Rehearsal, Step, Request], Planned | None]


class RestRead(msgspec.Struct, frozen=True):
    """The rest of a turn as it was read.

    ahead:  what is left in advance.   told: it in words, with its conditions.
    unused: what cannot be used, line by line.   warned: why what is left may hurt its seat.
    """

    ahead: tuple[Leave, ...]
    told: tuple[str, ...]
    unused: tuple[str, ...]
    warned: tuple[str, ...]


def foreseen(
    game: Game, seat: str, given: Mapping[Key, Any], see: See, more: See | None = None,
    left: Sequence[Leave] | None = None,
) -> bool:  # fmt: skip
    """Play the turn forward; whether it can be rehearsed now.

    given: answers to what is asked now, those that are missing as they are proposed.
    see:   called with each question to come; where it gives no answer the plan's is taken, else the
           one that is proposed.
    more:  called once with each question that comes only of other answers, as far as chance finds.
    left:  what stands of an earlier plan, None for all that the seat has left of one.
    """
    begin = moment(game, seat)
    if begin is None:
        return False
    now = {each.keys[seat]: _proposed(each, seat) for each in game.requests(seat)}
    left = planned_by(game, seat) if left is None else left
    known: set[_What] = set()
    found: set[str] = set()
    tried = [(each.keys[seat], _tries(each, seat)) for each in game.requests(seat) if more]

    def watch(rehearsal: Rehearsal, step: Step, request: Request) -> Planned | None:
        known.add(step.name[:2])
        if more and not step.premise and step.key.path == rehearsal.path:
            tried.append((step.key, _tries(request, seat)))
        answer = see(rehearsal, step, request) if step.key.path == rehearsal.path else None
        return answer or _as_proposed(step, request)

    Rehearsal(game, seat, begin, left=left, given={**now, **given}, watch=watch)
    for key, values in tried:
        for number, value in enumerate(values):
            chance = _Drawn(f"{key}|{number}")
            other = _Otherwise(key, value, chance, known, found, more or see, passed=key in now)
            asked = {**now, key: value} if key in now else now
            Rehearsal(game, seat, begin, left=left, given=asked, watch=other)
    return True


def _as_proposed(step: Step, request: Request) -> Planned | None:
    """The proposed answer to a question, None where a plan has another."""
    if step.planned is not None:
        return None
    return Planned(step.key, _proposed(request, step.key.seat), step.premise)


def _tries(request: Request, seat: str) -> list[Any]:
    """Other answers to a question, drawn always alike."""
    options, key = request.options(seat), request.keys[seat]
    return [options.sample(_Drawn(f"{number}|{key}")) for number in range(TRIES)]


class _Drawn:
    """Chooses at random, always alike for one name: a form is read as it was written."""

    def __init__(self, name: str) -> None:
        self._name, self._drawn = name, 0

    def randrange(self, start: int, stop: int, step: int = 1, /) -> int:
        """See Chooser."""
        self._drawn += 1
        drawn = int.from_bytes(sha256(f"{self._name}|{self._drawn}".encode()).digest())
        return range(start, stop, step)[drawn % len(range(start, stop, step))]

    def choice(self, seq: Sequence[Any], /) -> Any:
        """See Chooser."""
        return seq[self.randrange(0, len(seq))]


class _Otherwise:
    """One question answered otherwise, and what comes of it up to the next that is known anyway.

    What is new there is shown to `more`, once a rule, and answered by chance.

    known, found: what comes anyway, and the rules that were shown.   passed: whether the question
    is behind.
    """

    def __init__(
        self, key: Key, value: Any, chance: _Drawn, known: set[_What], found: set[str], more: See,
        *, passed: bool,
    ) -> None:  # fmt: skip
        self._key, self._value, self._chance, self._passed = key, value, chance, passed
        self._known, self._found, self._more = known, found, more

    def __call__(self, rehearsal: Rehearsal, step: Step, request: Request) -> Planned | None:
        """See `Rehearsal.watch`."""
        rule = step.key.rule
        if step.key == self._key:
            self._passed = True
            return Planned(step.key, self._value)
        if not self._known.isdisjoint([step.name[:2], (rule, "*")]):
            return None if self._passed else _as_proposed(step, request)
        if rule not in self._found and step.key.path == rehearsal.path:
            self._more(rehearsal, msgspec.structs.replace(step, premise=ANYWHERE), request)
            self._found.add(rule)
        value = request.options(step.key.seat).sample(self._chance)
        return Planned(step.key, value, step.premise)


def _proposed(request: Request, seat: str) -> Any:
    """What a form proposes, whole."""
    options, absent = request.options(seat), request.absent(seat)
    return filled(options, lambda at, inner: proposal(inner, absent, at))


def form_ahead(header: Header, step: Step, request: Request, words: Words) -> OrderForm:
    """The form of a question to come.   words: as of `order_form`."""
    beside = tuple([_beside(*each) for each in conditions_of(step)])
    return form_of(header, request, step.key.seat, words, beside)


def conditions_of(step: Step) -> list[tuple[At, OneOf]]:
    """What is asked beside a question to come: when its answer holds, and what if it does not."""
    otherwise = OneOf((ASK, ABSENT), "otherwise")
    if step.premise:
        return [(LAPSED, otherwise)]
    return [(WHEN, OneOf((ANY, *step.conditions), "condition")), (OTHERWISE, otherwise)]


def planned(step: Step, value: Any, beside: Mapping[At, Any]) -> Planned:
    """An answer of a plan.   beside: what was answered to `conditions_of`."""
    when = beside.get(WHEN, ANY)
    rules: Literal["", "absent"] = ABSENT if ABSENT in beside.values() else ""
    return Planned(step.key, value, step.premise, () if when == ANY else (when,), rules)


def _beside(at: At, options: OneOf) -> Part:
    words = options.words
    return Part(at, options, words, least=0, most=0, proposed=words[0], after=None)


def _title(step: Step, words: Words) -> str:
    """The question, behind its rule's title and, if any, what it is supposed to come of."""
    return words.say(
        "orders.later_asked", rule=step.key.rule.partition("/")[0],
        title=words.title(step.key.rule),
        premise=words.label("premise", step.premise) if step.premise else "",
        where=words.whose("place", step.key.subject) if step.premise == ANYWHERE else "",
        said=words.question(step.key).partition("\n")[0],
    )  # fmt: skip


def _holds(planned: Planned, words: Words) -> str:
    """When a planned answer holds, as the page of plans says it."""
    when = ", ".join([words.label("condition", one) for one in planned.when])
    premise = words.label("premise", planned.premise) if planned.premise else ""
    return words.say(
        "plan.holds_for", premise=premise, when=when, always=not premise and not when,
        rules=bool(planned.otherwise),
    )  # fmt: skip


# Writing -----------------------------------------------------------------------------------------


def rest_paper(
    game: Game, seat: str, words: Words, left: Sequence[Leave] | None = None
) -> tuple[Document, tuple[str, ...]] | None:
    """The form of the rest of a seat's turn, and the codes of its frames; None if nothing comes.

    left: see `foreseen`.
    Only what the seat may see stands in it.
    """
    blocks: list[Block] = []
    codes: list[str] = []
    more: list[str] = []
    known: set[At] = set()
    lines = 0

    def see(rehearsal: Rehearsal, step: Step, request: Request) -> None:
        nonlocal lines
        words.turn_to(rehearsal.game, step.key)
        form = form_ahead(game.header, step, request, words)
        shown = frame(form, words, known=known)
        if len(codes) >= MOST_FORMS or lines + len(shown) > MOST_LINES:
            more.append(words.title(step.key.rule) or step.key.rule)
            return
        lines += len(shown)
        codes.append(form.code)
        known.update([part.at for part in form.beside])
        blocks.append(paragraph(_title(step, words), "strong"))
        blocks.extend([paragraph(each) for each in words.question(step.key).split("\n")[1:]])
        if step.planned is not None:
            stands = told(request.options(seat), step.planned.value, words).rstrip(".")
            holds = _holds(msgspec.structs.replace(step.planned, premise=step.premise), words)
            blocks.append(paragraph(words.say("orders.later_stands", said=stands, holds=holds)))
        blocks.append(Verbatim(tuple(shown)))

    if not foreseen(game, seat, {}, see, see, left) or not codes:
        return None
    words.turn_to_seat(game, seat)
    if more:
        left_out = words.say("orders.later_more", what=list(dict.fromkeys(more)))
        blocks.append(paragraph(left_out))
    title = words.say("orders.later", who=words.who(seat))
    how = paragraph(words.say("orders.later_how"), "em")
    return Document(title, words.lang, (how, *blocks)), tuple(codes)


# Reading -----------------------------------------------------------------------------------------


def read_rest(
    game: Game, seat: str, found: Sequence[Frame], given: Mapping[Key, Any], words: Words,
    speak: Callable[[str], Words], left: Sequence[Leave] | None = None,
) -> RestRead:  # fmt: skip
    """Read the frames of questions to come, among others.

    given: what is answered to those that are asked now.   words: of the reader who is told.
    speak: the words of a language, "" for the reader's, in which a frame is written.
    left: as the form was written with it (see `foreseen`).
    """
    reader = _Reader(game, seat, found, words, speak)
    if foreseen(game, seat, {}, reader.know, None, left):
        foreseen(game, seat, given, reader.see, None, left)
    if reader.frames:
        foreseen(game, seat, {}, lambda *_: None, reader.find, left)
    reader.refuse_left()
    return RestRead(
        tuple(reader.ahead), tuple(reader.told), tuple(reader.unused), tuple(reader.warned)
    )


_Name = tuple[str, str, str, int]


def _name(step: Step) -> _Name:
    """By what a question is known again in another rehearsal of the same turn."""
    return step.premise, *step.name


class _Reader:
    """Reads the frames as the turn is played forward, twice: as it was when the form was written,
    for its numbers, and with the answers that are given."""

    def __init__(
        self, game: Game, seat: str, found: Sequence[Frame], words: Words,
        speak: Callable[[str], Words],
    ) -> None:  # fmt: skip
        self._game, self._seat, self._words, self._speak = game, seat, words, speak
        self.frames = {each.code: each for each in found if each.ahead}
        self._forms: list[OrderForm] = []
        self._papers: dict[_Name, tuple[OrderForm, Frame, str]] = {}
        """Forms that a frame is of, with the question in words."""
        self.ahead: list[Leave] = []
        self.told: list[str] = []
        self.unused: list[str] = []
        self.warned: list[str] = []

    def know(self, rehearsal: Rehearsal, step: Step, request: Request) -> None:
        """Find the form that a frame is of."""
        for lang in {each.lang: None for each in self.frames.values()}:
            theirs = self._speak(lang)
            theirs.turn_to(rehearsal.game, step.key)
            form = form_ahead(self._game.header, step, request, theirs)
            self._forms.append(form)
            if form.code in self.frames:
                self._words.turn_to(rehearsal.game, step.key)
                what = _title(step, self._words)
                self._papers[_name(step)] = form, self.frames.pop(form.code), what

    def find(self, rehearsal: Rehearsal, step: Step, request: Request) -> None:
        """Read at once the frame of a question that comes of other answers."""
        self.know(rehearsal, step, request)
        self.see(rehearsal, step, request)

    def refuse_left(self) -> None:
        """Say of each frame whose question does not come why it cannot be used."""
        self._words.turn_to_seat(self._game, self._seat)
        for *_, what in self._papers.values():
            self.unused.append(self._words.say("orders.later_gone", what=what))
        for each in self.frames.values():
            try:
                check_frame(each, self._forms, campaign_code(self._game.header), self._seat)
            except Refusal as refusal:
                self.unused.append(tell_fault(Fault(each.number, each.head, refusal), self._words))

    def see(self, rehearsal: Rehearsal, step: Step, request: Request) -> Planned | None:
        """Read the frame of a question: its answer, or what is wrong with it."""
        paper = self._papers.pop(_name(step), None)
        if paper is None:
            return None
        form, frame, _ = paper
        seat, key, words = self._seat, step.key, self._words
        theirs = self._speak(frame.lang)
        theirs.turn_to(rehearsal.game, key)
        options, absent = request.options(seat), request.absent(seat)
        here = msgspec.structs.replace(form, key=key, options=options, absent=absent)
        read = read_order(here, frame, theirs)
        words.turn_to(rehearsal.game, key)
        what, lines = _title(step, words), tell(read, words)
        if _left_to_rules(read):
            value = options.take(absent)
            read, lines = msgspec.structs.replace(read, value=value, faults=()), []
        lost = [fault for fault in read.faults if fault.refusal.code != NOT_ASKED]
        self.unused += [words.say("orders.later_unused", what=what)] if lost else []
        self.unused += [tell_fault(fault, words) for fault in read.faults]
        if lost:
            return None
        meant = planned(step, read.value, read.beside)
        holds = _holds(meant, words) if lines else words.say("orders.later_rules")
        self.told += [words.say("orders.later_kept", what=what, holds=holds), *lines]
        warning = words.warning(key.rule, request.warning(seat, read.value))
        self.warned += [warning] if warning else []
        answered = msgspec.structs.replace(step, planned=meant)
        self.ahead.append(answered.leave())
        return meant


def _left_to_rules(read: FilledForm) -> bool:
    """Whether nothing is filled in but that the rules are to answer."""
    blank = all(fault.refusal.code == BLANK for fault in read.faults)
    written = any(each.how in {WRITTEN, PROPOSED} for each in read.understood)
    return ABSENT in read.beside.values() and blank and not written
