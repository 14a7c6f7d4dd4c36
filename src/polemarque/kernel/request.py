"""Questions and what may be answered to them.

Options are structured values, never a flat list of moves: one of, several of, an amount, a path,
a text, or a *sheet* of parts where each part's options follow from the parts before.  The same
options feed page, terminal, bot, fuzzer and replay, and `take` checks every answer at the door.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from typing import Any, ParamSpec, Protocol

import msgspec

from polemarque.kernel.errors import OBEYED, NotAllowed, NotUnderstood, Refusal

DICE = "dice"
"""The seat of chance."""

UMPIRE = "umpire"
"""The seat of the umpire, for questions that the rules put to the umpire."""


class Chooser(Protocol):
    """What a program that samples answers needs of a random source (`random.Random` has it)."""

    def randrange(self, start: int, stop: int, step: int = 1, /) -> int:
        """A whole number from start up to, not including, stop."""
        ...

    def choice(self, seq: Sequence[Any], /) -> Any:
        """One of a non-empty sequence."""
        ...


class Options(Protocol):
    """What may be answered to one question."""

    def take(self, value: Any) -> Any:
        """The answer in its canonical form.  Raises NotUnderstood or NotAllowed."""
        ...

    def sample(self, chooser: Chooser) -> Any:
        """One legal answer, uniform among the options (of a sheet: part by part)."""
        ...

    def quiet(self) -> Any:
        """The quietest answer: the first word, else the least there is (of a sheet: part by part).

        It is legal; rules put first the word that stands for who says nothing.
        """
        ...

    def describe(self) -> dict[str, Any]:
        """The options as plain data, for pages, terminals and messages."""
        ...


class Fact(msgspec.Struct, frozen=True):
    """What is told beside an option before it is chosen: its price, or its chance.

    key:   the system's text, below ``fact``, or one that all systems share.
    data:  its figures, all of them known to the seat that is asked.
    costs: what the option takes from the purse of its sheet.
    group: a word of the family ``group``: a page sets a long list in groups.   "": in none.
    rank:  where its group has it in a long list, the least first.
    """

    key: str
    data: Mapping[str, Any] = {}
    costs: int = 0
    group: str = ""
    rank: int | Fraction = 0


def price(costs: int) -> Fact:
    """The fact that an option costs so much of the sheet's purse (text ``fact.price``)."""
    return Fact("price", {"price": costs}, costs)


def each_at(costs: int) -> Callable[[int], Fact | None]:
    """The fact of an amount of which each one costs so much; none of none."""
    return lambda count: price(count * costs) if count else None


class WithFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Options of which something may be told.

    fact: of one word, amount or way, what is told beside it, or None.  It decides nothing, no
          record holds it, and it is called only where somebody reads the options.
    """

    fact: Callable[[Any], Fact | None] | None = None


class OneOf(WithFacts, frozen=True):
    """One word out of a non-empty list; `label` is the family of texts that translates them."""

    words: tuple[Any, ...]
    label: str = ""

    def take(self, value: Any) -> Any:
        """See Options."""
        for word in self.words:
            if word is value:
                return word
            if word == value and type(word) is type(value):  # True is not 1, nor 1.0
                return word
        raise NotAllowed("answer.one_of", part=value, legal=self.words)

    def sample(self, chooser: Chooser) -> Any:
        """See Options."""
        return chooser.choice(self.words)

    def quiet(self) -> Any:
        """See Options."""
        return self.words[0]

    def describe(self) -> dict[str, Any]:
        """See Options."""
        return {"type": "one_of", "words": list(self.words), "label": self.label}


class Reasoned(OneOf, frozen=True, kw_only=True):
    """One of several words; of some of the others `why` knows the reason that forbids them.

    why: the refusal of a word that is not in the list, or None; `take` adds what would be legal.
    """

    why: Callable[[str], NotAllowed | None]

    def take(self, value: Any) -> Any:
        """See Options."""
        if isinstance(value, str) and value not in self.words:
            refusal = self.why(value)
            if refusal is not None:
                raise refusal.about(value, self.words)
        return super().take(value)


class SeveralOf(WithFacts, frozen=True):
    """From `least` to `most` different words of a list; answered in the list's own order.

    limit: a word of the family ``limit`` of the texts: why no more than `most`; it decides nothing.
    """

    words: tuple[Any, ...]
    least: int = 0
    most: int | None = None
    label: str = ""
    limit: str = ""

    def take(self, value: Any) -> tuple[Any, ...]:
        """See Options."""
        if not isinstance(value, (list, tuple)):
            raise NotUnderstood("answer.list", part=value, legal=self.words)
        strange = [word for word in value if word not in self.words]
        if strange or len(set(value)) != len(value):
            raise NotAllowed("answer.several_of", part=strange or value, legal=self.words)
        top = len(self.words) if self.most is None else self.most
        if not self.least <= len(value) <= top:
            raise NotAllowed(
                "answer.how_many", part=len(value), legal=(f"{self.least}-{top}",),
                least=self.least, most=top,
            )  # fmt: skip
        return tuple([word for word in self.words if word in value])

    def sample(self, chooser: Chooser) -> tuple[Any, ...]:
        """See Options."""
        top = len(self.words) if self.most is None else min(self.most, len(self.words))
        wanted = chooser.randrange(self.least, top + 1)
        words = self.words
        left = list(range(len(words)))
        picked = [left.pop(chooser.randrange(0, len(left))) for _ in range(wanted)]
        return tuple([words[index] for index in sorted(picked)])

    def quiet(self) -> tuple[Any, ...]:
        """See Options."""
        return self.words[: self.least]

    def describe(self) -> dict[str, Any]:
        """See Options."""
        return {
            "type": "several_of", "words": list(self.words), "label": self.label,
            "least": self.least, "most": len(self.words) if self.most is None else self.most,
        }  # fmt: skip


class Amount(WithFacts, frozen=True):
    """A whole number from `least` to `most`, in steps of `step` from `least`."""

    least: int
    most: int
    step: int = 1
    unit: str = ""

    def take(self, value: Any) -> int:
        """See Options."""
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.refused(NotUnderstood, "answer.number", value)
        if not self.least <= value <= self.most or (value - self.least) % self.step:
            raise self.refused(NotAllowed, "answer.amount", value)
        return value

    def refused(self, kind: type[Refusal], code: str, part: object) -> Refusal:
        """A refusal of something that is no such number, with its bounds."""
        legal = f"{self.least}-{self.most}" + (f" /{self.step}" if self.step > 1 else "")
        return kind(
            code, part=part, legal=(legal,), least=self.least, most=self.most, step=self.step
        )

    def sample(self, chooser: Chooser) -> int:
        """See Options."""
        return chooser.randrange(self.least, self.most + 1, self.step)

    def quiet(self) -> int:
        """See Options."""
        return self.least

    def describe(self) -> dict[str, Any]:
        """See Options."""
        return {
            "type": "amount", "least": self.least, "most": self.most, "step": self.step,
            "unit": self.unit,
        }  # fmt: skip


class Path(WithFacts, frozen=True):
    """A way on a map: the places entered, in order; empty means to stay (if `stay`).

    ways:  reachable places, each with one cheapest path to it (the last step is the place itself).
    legal: accepts any other legal path; None where the listed ones are all there is.
    note:  what a way leads to, as a word of the family ``way`` of the texts, "" for nothing: it is
           shown beside the way and decides nothing.
    """

    ways: Mapping[str, tuple[str, ...]]
    stay: bool = True
    legal: Callable[[tuple[str, ...]], bool] | None = None
    note: Callable[[tuple[str, ...]], str] | None = None

    def take(self, value: Any) -> tuple[str, ...]:
        """See Options.  A place alone is understood as the cheapest path to it."""
        if isinstance(value, str) and value in self.ways:
            return self.ways[value]
        if not isinstance(value, (list, tuple)):
            raise NotUnderstood("answer.path", part=value, legal=self.ways)
        way = tuple(value)
        if not all(isinstance(place, str) for place in way):
            raise NotUnderstood("answer.path", part=value, legal=self.ways)
        if not way and self.stay:
            return way
        if way and way == self.ways.get(way[-1]):
            return way
        if way and self.legal is not None and self.legal(way):
            return way
        raise NotAllowed("answer.no_way", part=" ".join(map(str, way)) or "-", legal=self.ways)

    def sample(self, chooser: Chooser) -> tuple[str, ...]:
        """See Options: uniform among the places (staying counts as one)."""
        ways: list[tuple[str, ...]] = list(self.ways.values())
        if self.stay:
            ways.append(())
        return chooser.choice(ways)  # type: ignore[no-any-return]

    def quiet(self) -> tuple[str, ...]:
        """See Options: to stay, or the first of the ways."""
        return () if self.stay else next(iter(self.ways.values()))

    def describe(self) -> dict[str, Any]:
        """See Options."""
        return {
            "type": "path",
            "ways": {k: list(v) for k, v in self.ways.items()},
            "stay": self.stay,
        }


class Text(msgspec.Struct, frozen=True):
    """Free words of at most `most` characters; they never decide anything, nor enter a die."""

    most: int = 2000

    def take(self, value: Any) -> str:
        """See Options."""
        if not isinstance(value, str):
            raise NotUnderstood("answer.text", part=value)
        if len(value) > self.most:
            raise NotAllowed("answer.text_long", part=len(value), legal=(f"0-{self.most}",))
        try:
            value.encode()
        except UnicodeEncodeError:  # half of a surrogate pair: no record could hold it
            raise NotUnderstood("answer.text", part=ascii(value)) from None
        return OBEYED.sub("", value)  # nobody sees them, but others' terminals would obey

    def sample(self, chooser: Chooser) -> str:
        """See Options."""
        return ""

    def quiet(self) -> str:
        """See Options."""
        return ""

    def describe(self) -> dict[str, Any]:
        """See Options."""
        return {"type": "text", "most": self.most}


class Purse(msgspec.Struct, frozen=True):
    """What pays for a sheet: it is counted down where the sheet is read, and decides nothing.

    named: a word of the family ``purse`` of the system's texts.
    holds: what is in it before.   due: what is owed of it this turn, paid first or later.
    """

    named: str
    holds: int
    due: int = 0


Filling = Generator[tuple[str, Options], Any, None]
"""A sheet being filled: it yields (part, options) and is sent that part's answer."""


class Sheet:
    """A form of named parts, in order; each part's options are computed from the parts before.

    `fill` is a generator function: budgets are its local variables, so every way through the
    sheet is legal and none is a dead end.  The answer is a mapping part -> answer.

    purse: what its parts are paid with; called only where somebody reads the sheet.
    remarks: what is told of a full sheet before it is sent, as of an option: what it leaves out,
             what it risks.  It decides nothing, and is called where a purse is.
    where:   the place of the map where what a part is about stands, "" for none: readers are told
             parts of one kind place by place.
    proposes: whether a form proposes the quiet answer to a part that nobody has answered: where it
             hurts nobody who overlooks the part.
    """

    __slots__ = ("fill", "purse", "remarks", "proposes", "where", "worded", "_own")

    def __init__(
        self, fill: Callable[[], Filling], purse: Callable[[], Purse] | None = None,
        remarks: Callable[[Mapping[str, Any]], Iterable[Fact]] = lambda _: (),
        *, proposes: bool = False, where: Callable[[str], str] = lambda _: "",
    ) -> None:  # fmt: skip
        self.fill = fill
        self.purse = purse
        self.remarks = remarks
        self.where = where
        self.proposes = proposes
        self._own: dict[str, Any] | None = None
        """The last answer that the sheet made itself: it needs no second check."""
        self.worded: dict[str, Options] = {}
        """Parts of the last answer seen that are, or may hold, free texts."""

    def take(self, value: Any) -> dict[str, Any]:
        """See Options.  A missing or superfluous part is named."""
        if not isinstance(value, dict):
            raise NotUnderstood("answer.sheet", part=value)
        if self._own is not None and value == self._own:
            return dict(self._own)
        filled: dict[str, Any] = {}
        self._own, self.worded = None, {}
        part, options, filling = "", None, self.fill()
        try:
            part, options = next(filling)
            while True:
                if part not in value:
                    legal = [str(options.describe())]
                    raise NotUnderstood("answer.part_missing", part=part, legal=legal)
                if type(options) in WORDED:
                    self.worded[part] = options
                filled[part] = taken = options.take(value[part])
                part, options = filling.send(taken)
        except StopIteration:
            pass
        except (NotUnderstood, NotAllowed) as refusal:
            refusal.data.setdefault("in_part", part)
            raise
        if len(filled) < len(value):
            strange = [part for part in value if part not in filled]
            raise NotUnderstood("answer.part_unknown", part=", ".join(strange), legal=filled)
        return filled

    def sample(self, chooser: Chooser) -> dict[str, Any]:
        """See Options: part by part."""
        return self._filled(lambda _, options: options.sample(chooser))

    def quiet(self) -> dict[str, Any]:
        """See Options: part by part."""
        return self._filled(lambda _, options: options.quiet())

    def _filled(self, answer: Callable[[str, Options], Any]) -> dict[str, Any]:
        """The sheet, each part answered in turn by `answer`, which gives what is legal."""
        filled: dict[str, Any] = {}
        filling = self.fill()
        following = filling.send
        self._own, self.worded = None, {}
        try:
            part, options = next(filling)
            while True:
                if type(options) in WORDED:
                    self.worded[part] = options
                filled[part] = value = answer(part, options)
                part, options = following(value)
        except StopIteration:
            self._own = dict(filled)
            return filled

    def filled(self, answer: Callable[[str, Options], Any]) -> dict[str, Any]:
        """The sheet, each part in turn with what `answer(part, options)` gives, if it is legal."""
        return self._filled(lambda part, options: options.take(answer(part, options)))

    def answered(self, parts: msgspec.Struct) -> dict[str, Any]:
        """The sheet, each part that it asks for answered by the field of that name."""
        return self.filled(lambda part, _: getattr(parts, part))

    def quietly(self) -> Iterator[tuple[str, Options]]:
        """The parts that it asks for, and their options, where each has its quietest answer."""
        filling = self.fill()
        try:
            part, options = next(filling)
            while True:
                yield part, options
                part, options = filling.send(options.quiet())
        except StopIteration:
            return

    def forced(self) -> bool:
        """Whether no part of the sheet leaves a choice."""
        return all(forced(options) for _, options in self.quietly())

    def structured(self, value: dict[str, Any]) -> dict[str, Any]:
        """The answer just taken, without its free texts."""
        if not self.worded:
            return value
        kept = {}
        for part, said in value.items():
            options = self.worded.get(part)
            if type(options) is Sheet:
                kept[part] = options.structured(said)
            elif options is None:
                kept[part] = said
        return kept

    def describe(self) -> dict[str, Any]:
        """See Options: only the first part is known before anything is answered."""
        for part, options in self.fill():
            return {"type": "sheet", "first": part, "options": options.describe()}
        return {"type": "sheet", "first": None}


P = ParamSpec("P")


def sheet_parts(fill: Callable[P, Filling]) -> Callable[P, Sheet]:
    """A function that makes a sheet, from one that yields its parts."""

    @wraps(fill)
    def made(*args: P.args, **kwargs: P.kwargs) -> Sheet:
        return Sheet(lambda: fill(*args, **kwargs))

    return made


def forced(options: Options) -> bool:
    """Whether there is one legal answer and no other, the quiet one; words leave a choice."""
    if isinstance(options, OneOf):
        return len(options.words) == 1
    if isinstance(options, SeveralOf):
        return options.most == 0 or options.least >= len(options.words)
    if isinstance(options, Amount):
        return options.least + options.step > options.most
    if isinstance(options, Path):
        closed = options.legal is None or not options.ways
        return closed and len(options.ways) + options.stay == 1
    return isinstance(options, Sheet) and options.forced()


WORDED = frozenset((Text, Sheet))
"""Options whose answers are, or may hold, free texts."""


class Key(msgspec.Struct, frozen=True, array_like=True, order=True, gc=False):
    """The stable name of one request: an answer is found by it when a game is run again.

    period:  campaign turn, side's turn or phase.
    path:    "" for the campaign, or the live battle inside it ("3-b1", nested "3-b1.1-b2").
    subject: whom or what the question concerns.
    number:  1 for the first request of that very name, then 2, 3...
    """

    period: int
    path: str
    rule: str
    seat: str
    subject: str = ""
    number: int = 1

    @property
    def outer_period(self) -> int:
        """The period of the whole game: of a live battle, the one in which it was opened."""
        return int(self.path.partition("-")[0]) if self.path else self.period

    def __str__(self) -> str:
        named = "/".join(p for p in (str(self.period), self.path, self.rule, self.subject) if p)
        return f"{named}:{self.seat}#{self.number}"


OptionsFor = Options | Callable[[str], Options]
"""Options, or a function of the seat that builds them when they are looked at."""


class Quiet:
    """The type of `QUIET`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "QUIET"


QUIET = Quiet()
"""Says of an absent player that the quietest answer is given, as `Options.quiet` has it."""


Warns = Callable[[str, Any], str]
"""Says why an answer of a seat may hurt it, in a word, or ""."""


class Ask(msgspec.Struct, frozen=True):
    """A question as a script puts it; with several seats the answers are sealed until all are in.

    absent:  the absent player's answer (or a function of the seat); `QUIET`, the quietest.  Of a
             sheet it may be a Struct whose fields are named as the parts: those that the sheet asks
             for are the answer.
    subject: whom or what the question concerns, for its key.
    tags:    what is at stake, for a seat that passes until it happens.
    touches: of a question to the umpire, the seats that settle it where the umpire plays, () for
             all; None for a question that nobody else settles.
    otherwise: what holds where they do not agree; it is legal.
    agree:   whether the seats settle it: equal answers hold, else `otherwise`.
    warns:   of an answer that may hurt its seat, a word for why; "" for any other.
    undecided: parts of a sheet for which a form proposes nothing, as a default would hurt.
    proposes: what a form proposes for parts that the absent player's answer does not have.
    wish:    nobody is asked: each seat has wished in advance for some of the words, or for none.
    once:    whether an answer may put the question again: none that is left in advance is taken.
    spares:  whether it is put to seats that may have nothing to decide, so that nobody learns which
             of them have: those can be spared it, and others are not told who has answered.
    """

    seats: tuple[str, ...]
    options: OptionsFor
    absent: Any
    subject: str = ""
    single: bool = True
    tags: tuple[str, ...] = ()
    touches: tuple[str, ...] | None = None
    otherwise: Any = None
    agree: bool = False
    warns: Warns | None = None
    undecided: tuple[str, ...] = ()
    once: bool = False
    proposes: dict[str, Any] = {}
    spares: bool = False
    wish: bool = False

    def options_of(self, seat: str) -> Options:
        """What `seat` may answer, built again."""
        return self.options(seat) if callable(self.options) else self.options

    def absent_of(self, seat: str) -> Any:
        """What is answered for `seat` when its player is absent."""
        return self._absent_of(seat, self.options_of)

    def _absent_of(self, seat: str, options_of: Callable[[str], Options]) -> Any:
        absent = self.absent(seat) if callable(self.absent) else self.absent
        if isinstance(absent, Quiet):
            return options_of(seat).quiet()
        if isinstance(absent, msgspec.Struct):
            sheet = options_of(seat)
            assert isinstance(sheet, Sheet), f"{type(absent).__name__} answers no sheet"
            return sheet.answered(absent)
        return absent

    def put_to(self, judges: tuple[str, ...]) -> Ask:
        """The question as it is put where the umpire plays.

        judges: those seats that settle what is put to the umpire; none where the umpire is neutral.
        """
        if self.touches is None or not judges:
            return self
        return msgspec.structs.replace(
            self, seats=self.touches or judges, absent=self.otherwise, single=False, agree=True
        )

    def outcome(self, value: Any, decides: Any = True) -> Any:
        """What the script is given for the answers to its question.

        decides: the answers without their free texts, where they have any: those need not be equal.
        A seat that is asked alone settles nothing.
        """
        if not self.agree:
            return value
        said = [*(value if decides is True else decides).values()]
        agreed = len(said) > 1 and all(each == said[0] for each in said)
        return value[self.seats[0]] if agreed else self.otherwise


class Request(msgspec.Struct, eq=False):
    """A question as seats see it: who is asked what, under which key, and what is legal.

    missing:  those whose answer is still awaited.
    answered: answers given so far; sealed until all are in.
    worded:   of answers with free texts, what may bear on dice: all but those texts.
    built:    options are built when first looked at, seat by seat, and kept.
    """

    ask: Ask
    rule: str
    path: str
    keys: Mapping[str, Key]
    missing: tuple[str, ...]
    answered: dict[str, Any] = {}
    worded: dict[str, Any] = {}
    built: dict[str, Options] = {}

    @property
    def seats(self) -> tuple[str, ...]:
        """Everybody who is asked, those who have answered included."""
        return self.ask.seats

    def put(self, seat: str, value: Any) -> None:
        """Keep the answer of a seat, just taken by its options, in place of an earlier one."""
        if self.missing == (seat,):
            self.missing = ()
        elif seat not in self.answered:
            self.missing = tuple([other for other in self.missing if other != seat])
        self.answered[seat] = value
        options = self.built.get(seat)
        if type(options) is Sheet:
            if options.worded:
                self.worded[seat] = options.structured(value)
            elif self.worded:
                self.worded.pop(seat, None)
        elif type(options) is Text:
            self.worded[seat] = None

    @property
    def sealed(self) -> bool:
        """Whether answers stay hidden until all are in."""
        return len(self.ask.seats) > 1

    def options(self, seat: str) -> Options:
        """What `seat` may answer."""
        built = self.built.get(seat)
        if built is None:
            self.built[seat] = built = self.ask.options_of(seat)
        return built

    def spared(self, seats: Collection[str]) -> list[str]:
        """Those of `seats` whose answer is awaited though there is no other than one."""
        if not self.ask.spares:
            return []
        return [seat for seat in self.missing if seat in seats and forced(self.options(seat))]

    def absent(self, seat: str) -> Any:
        """What is answered for `seat` when its player is absent."""
        return self.ask._absent_of(seat, self.options)

    def otherwise(self, seat: str) -> Any:
        """What holds if the seats do not agree, or nobody decides, as `seat` would answer it."""
        value, options = self.ask.otherwise, self.options(seat)
        if isinstance(value, msgspec.Struct) and isinstance(options, Sheet):
            return options.answered(value)
        return value

    def proposed(self, seat: str) -> Any:
        """What a form proposes: the absent player's answer, but for parts left open."""
        absent = self.absent(seat)
        if self.ask.proposes:
            absent = {**self.ask.proposes, **absent}
        undecided = self.ask.undecided
        if not undecided:
            return absent
        return {part: value for part, value in absent.items() if part not in undecided}

    def warning(self, seat: str, value: Any) -> str:
        """A word for why a legal answer of `seat` may hurt it: a door asks once more; or ""."""
        return self.ask.warns(seat, value) if self.ask.warns is not None else ""

    def __repr__(self) -> str:
        return f"<{self.rule} asks {', '.join(self.missing)}>"
