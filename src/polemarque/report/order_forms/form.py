"""Order forms: what is asked of a seat, part by part, to be filled in away from the program.

The form is made of the very options that page and terminal show.  A part of a sheet may be there
only as others are answered: the sheet is therefore filled in many ways, and every part met stands
in the form, with all the words met for it under one number each.  Parts that are asked once more
for another seat, or another time, share the number of the first (3, then 3/B or 3/2).  What a
filled form says is checked part by part when it comes back (`read_back`).
"""

from __future__ import annotations

import hashlib
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from polemarque.kernel.errors import Refusal
from polemarque.kernel.game import Game
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import Header
from polemarque.kernel.request import (
    Amount,
    Key,
    OneOf,
    Options,
    Path,
    Request,
    SeveralOf,
    Sheet,
    forced,
)
from polemarque.report.order_forms.told_answers import Speaker, by_place

MOST_WAYS = 200
"""A sheet is filled in at most so many ways to find its parts."""

MOST_TRIED = 14
"""At most so many answers of one part are tried for what follows from them."""

CAMPAIGN_SIGNS, QUESTION_SIGNS = 4, 6
"""Letters and figures of a form's code: those of the campaign, then those of the question."""

_SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Those of a code: none that is read as another."""

At = tuple[str, ...]
"""Where a part stands: its name below those of the sheets it is in; () for what is no sheet."""


class Part(msgspec.Struct, frozen=True):
    """One part of an order form.

    options:  what may be answered, as the part was first met.
    words:    of a list or a way, every word or place that has a number in the form.
    least, most: of an amount, over all the ways in which it was met.
    proposed: what the rules propose: the absent player's answer, else the quietest one.
    after:    the answer without which the part was not met, or None.
    number:   its number in the form.
    again:    what tells it from the part whose number it shares (a seat, a count), or "".
    like:     the number of the part whose words and numbers these are, "" for its own.
    lacking:  those of them that were never met for this part.   shared: how many are that one's.
    """

    at: At
    options: Options
    words: tuple[Any, ...]
    least: int
    most: int
    proposed: Any
    after: After | None
    number: str = ""
    again: str = ""
    like: str = ""
    lacking: tuple[Any, ...] = ()
    shared: int = 0

    @property
    def family(self) -> str:
        """The family of texts that names its words."""
        return self.options.label if isinstance(self.options, (OneOf, SeveralOf)) else "place"


class After(msgspec.Struct, frozen=True):
    """An answer that leads to a part: where it stands, its options and itself.

    values: of one choice, all the words that were seen to lead there.
    """

    at: At
    options: Options
    value: Any
    values: tuple[Any, ...] = ()


class OrderForm(msgspec.Struct, frozen=True):
    """The form of one open question of a seat.

    code:    what a form that comes back is known by: the campaign, then the question with all that
             may be answered to it.
    options: the question's own.   absent: what its rules answer for an absent player.
    beside:  of a question that is still to come: when the answer holds, and what happens otherwise.
    """

    key: Key
    code: str
    options: Options
    absent: Any
    parts: tuple[Part, ...]
    beside: tuple[Part, ...] = ()


def order_form(game: Game, request: Request, seat: str, words: Speaker) -> OrderForm:
    """The form of an open question, from what `seat` may see and nothing else.

    words: turned to the question; its parts go by the names of places in their language, and so do
           their numbers.
    """
    return form_of(game.header, request, seat, words)


def form_of(
    header: Header, request: Request, seat: str, words: Speaker, beside: tuple[Part, ...] = ()
) -> OrderForm:  # fmt: skip
    """The form of a question in a game of that header.   words: as of `order_form`.   beside: see
    `OrderForm`."""
    key, options, absent = request.keys[seat], request.options(seat), request.absent(seat)
    parts = tuple(_met(options, absent, header.seats, words))
    known = [
        (part.at, part.options.describe(), part.words, part.number) for part in (*parts, *beside)
    ]
    question = _signs(encode((str(key), known)), QUESTION_SIGNS)
    return OrderForm(key, f"{campaign_code(header)}-{question}", options, absent, parts, beside)


def campaign_code(header: Header) -> str:
    """The signs of a code that tell one campaign from others."""
    return _signs(encode(header), CAMPAIGN_SIGNS)


def _signs(data: bytes, count: int) -> str:
    digest = int.from_bytes(hashlib.sha256(data).digest())
    return "".join(_SIGNS[digest >> 5 * place & 31] for place in range(count))


# Ways through a question ------------------------------------------------------------------------


def filled(options: Options, answer: Callable[[At, Options], Any], at: At = ()) -> Any:
    """A question answered part by part by `answer(at, options)`, which gives what is legal."""
    if not isinstance(options, Sheet):
        return answer(at, options)
    return options.filled(lambda part, inner: filled(inner, answer, (*at, part)))


def proposal(options: Options, absent: Any, at: At) -> Any:
    """What the form proposes for a part: the absent player's answer if it is legal there, else the
    quietest one."""
    proposed = absent
    for name in at:
        proposed = proposed.get(name) if isinstance(proposed, Mapping) else None
    if proposed is not None:
        with suppress(Refusal):
            return options.take(proposed)
    return options.quiet()


def only_answer(options: Options) -> tuple[Any, ...]:
    """The one answer that is possible, alone in a tuple; nothing where there is a choice."""
    return () if isinstance(options, Sheet) or not forced(options) else (options.quiet(),)


def lone_answer(part: Part) -> tuple[Any, ...]:
    """The one answer that a part had on every way on which it was met, alone in a tuple."""
    lone = only_answer(part.options)
    same = part.least == part.most if isinstance(part.options, Amount) else len(part.words) < 2
    return lone if same else ()


def needed(form: OrderForm, part: Part) -> After | None:
    """The earlier answer, other than that it comes after, without which a part has words that have
    no number in the form; None if there is none."""
    after = part.after
    if after is None:
        return None
    for earlier in form.parts:
        if earlier.at == after.at:
            break
        others = _others(earlier.options, earlier.proposed)
        if isinstance(earlier.options, OneOf) and (other := next(others, None)) is not None:
            there = _offered(form, part.at, {earlier.at: other, after.at: after.value})
            if not {*there} <= {*part.words}:
                return After(earlier.at, earlier.options, earlier.proposed)
    return None


def _offered(form: OrderForm, wanted: At, forced: Mapping[At, Any]) -> Sequence[Any]:
    """The words of a part, with some answers where they are legal."""
    found: list[Sequence[Any]] = []

    def answer(at: At, options: Options) -> Any:
        if at == wanted and isinstance(options, (OneOf, SeveralOf)):
            found.append(options.words)
        with suppress(Refusal, KeyError):
            return options.take(forced[at])
        return proposal(options, form.absent, at)

    filled(form.options, answer)
    return found[0] if found else ()


def _met(options: Options, absent: Any, seats: Sequence[str], words: Speaker) -> Sequence[Part]:
    """Every part met on the ways through a question, in the order in which pages tell them."""
    search = _Search(absent)
    for _ in range(MOST_WAYS):
        if not search.ways:
            break
        search.go(options)
    order = search.order
    if isinstance(options, Sheet):
        told = by_place(options, dict.fromkeys([at[0] for at in order]), words)
        order = sorted(order, key=lambda at: told.index(at[0]))
    return _sharing(_numbered([search.part(at) for at in order], frozenset(seats)))


def _numbered(parts: Iterable[Part], seats: frozenset[str]) -> Iterator[Part]:
    """Parts with their numbers: one that is asked once more after some answers has that of the
    first, and what tells it from that."""
    first: dict[tuple[At, ...], Part] = {}
    count = 0
    for part in parts:
        places = list(_counted(part.at, seats)) if part.after else []
        again = next(((place, tag) for place, tag in places if _same(first.get(place), part)), None)
        if again:
            place, tag = again
            number = f"{first[place].number}/{tag}"
            yield msgspec.structs.replace(part, number=number, again=tag)
            continue
        count += 1
        part = msgspec.structs.replace(part, number=str(count))
        for place, _ in places if not lone_answer(part) else ():
            first.setdefault(place, part)
        yield part


def _counted(at: At, seats: frozenset[str]) -> Iterator[tuple[tuple[At, ...], str]]:
    """Where a part stands, without one of the counts or seats in it, and which that is."""
    names = tuple([tuple(name.split(".")) for name in at])
    for n, name in enumerate(names):
        for m, word in enumerate(name):
            if word.isdecimal() or word in seats:
                bare = (*name[:m], "", *name[m + 1 :])
                yield (*names[:n], bare, *names[n + 1 :]), word


def _same(one: Part | None, other: Part) -> bool:
    return one is not None and type(one.options) is type(other.options)


def _sharing(parts: Iterable[Part]) -> Sequence[Part]:
    """Parts that offer much the same words have them under the numbers of the first of them."""
    lists: list[Part] = []
    for part in parts:
        shared = min(lists, key=lambda one: _dearer(one, part), default=None)
        if shared is not None and _dearer(shared, part) < len(part.words):
            new = [word for word in part.words if word not in shared.words]
            lacking = tuple([word for word in shared.words if word not in part.words])
            part = msgspec.structs.replace(
                part,
                words=(*shared.words, *new),
                like=shared.number,
                lacking=lacking,
                shared=len(shared.words),
            )
        lists.append(part)
    return lists


def _dearer(one: Part, other: Part) -> float:
    """How much there is to tell of a list if it is told by another one, in words."""
    if min(len(one.words), len(other.words)) < 2 or one.like or one.family != other.family:
        return math.inf
    both = len({*one.words} & {*other.words})
    if 2 * both < len(other.words):
        return math.inf
    return len(other.words) - both + (len(one.words) - both) / 3


class _Search:
    """Ways through a question, gone one by one.

    The first is the one proposed; each further one changes one answer of a way already gone.
    """

    def __init__(self, absent: Any) -> None:
        self.met: dict[At, Part] = {}
        self.order: list[At] = []
        self.ways: deque[tuple[dict[At, Any], After | None]] = deque([({}, None)])
        """What is answered on a way that is still to be gone, and which answer is the new one."""
        self._absent = absent
        self._tried: set[tuple[At, bytes]] = set()
        self._forced: Mapping[At, Any] = {}
        self._after: After | None = None
        self._given: dict[At, Any] = {}
        self._gone: list[dict[At, Any]] = []

    def go(self, options: Options) -> None:
        """Go the next way; raises IndexError if there is none."""
        self._forced, self._after = self.ways.popleft()
        self._given = {}
        filled(options, self._answer)
        self._gone.append(self._given)

    def part(self, at: At) -> Part:
        """A part as it was met, what leads to it told as its own part tells it."""
        part = self.met[at]
        if part.after is None or not isinstance(part.after.options, OneOf):
            return part
        before = part.after.at
        led = [way[before] for way in self._gone if at in way and before in way]
        values = tuple([word for word in self.met[before].words if word in led])
        options = self.met[before].options
        after = msgspec.structs.replace(part.after, options=options, values=values)
        return msgspec.structs.replace(part, after=after)

    def _answer(self, at: At, options: Options) -> Any:
        forced = at in self._forced
        value = self._forced[at] if forced else proposal(options, self._absent, at)
        if at not in self.met:
            before = next(reversed(self._given), None)
            place = 0 if before is None else self.order.index(before) + 1
            self.order.insert(place, at)
            self.met[at] = _first(at, options, value, self._after)
        self.met[at] = _wider(self.met[at], options)
        if _plainer(self._after, self.met[at].after):
            self.met[at] = msgspec.structs.replace(self.met[at], after=self._after)
        for other in () if forced else _others(options, value):
            if (at, encode(other)) not in self._tried:
                self._tried.add((at, encode(other)))
                self.ways.append(({**self._given, at: other}, After(at, options, other)))
        self._given[at] = value
        return value


def _others(options: Options, value: Any) -> Iterator[Any]:
    """Other answers to a part that may lead to other parts after it."""
    offered: list[Any] = []
    if isinstance(options, OneOf):
        offered = list(options.words)
    elif isinstance(options, SeveralOf):
        most = len(options.words) if options.most is None else options.most
        one_each = [(word,) for word in options.words[: MOST_TRIED - 1]]
        offered = [options.words[:most], *(one_each if options.least <= 1 <= most else [])]
    elif isinstance(options, Amount):
        span = (options.most - options.least) // options.step
        offered = [options.least + options.step * span, options.least]
    elif isinstance(options, Path):
        offered = [*list(options.ways.values())[:1], *([()] if options.stay else [])]
    yield from [other for other in offered if other != value][:MOST_TRIED]


def _plainer(after: After | None, than: After | None) -> bool:
    """Whether an answer says shorter what another of the same part says: by fewer words."""
    if after is None or than is None or after.at != than.at or not isinstance(after.value, tuple):
        return False
    return 0 < len(after.value) < len(than.value)


def _first(at: At, options: Options, value: Any, after: After | None) -> Part:
    least, most = (options.least, options.most) if isinstance(options, Amount) else (0, 0)
    return Part(at, options, (), least, most, value, after)


def _common(options: OneOf, label: str) -> OneOf:
    """Options under the family that both labels narrow: of A3 and of A4, that of both.  What was
    told beside the words of one is not told of the other's."""
    if options.label == label:
        return options
    return msgspec.structs.replace(options, label=options.label.partition(".")[0], fact=None)


def _wider(part: Part, options: Options) -> Part:
    """A part with what may be answered to it on one more way."""
    if isinstance(options, Amount):
        least, most = min(part.least, options.least), max(part.most, options.most)
        return msgspec.structs.replace(part, least=least, most=most)
    words: Sequence[Any] = ()
    if isinstance(options, (OneOf, SeveralOf)):
        words = options.words
    elif isinstance(options, Path):
        words = tuple(options.ways)
    if isinstance(options, OneOf) and isinstance(part.options, OneOf):
        part = msgspec.structs.replace(part, options=_common(part.options, options.label))
    new = [word for word in words if word not in part.words]
    return msgspec.structs.replace(part, words=(*part.words, *new)) if new else part
