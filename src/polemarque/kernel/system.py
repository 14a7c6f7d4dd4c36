"""What a rule system says of itself; the kernel, the terminal and the pages know nothing else.

What is written between systems, as bridges are, is a `Rulebook`: a ledger and texts, and no game.

A system is a plugin: ours are found by the same entry point (group ``polemarque.systems``) as a
stranger's, by name, and only when asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import factorial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from polemarque.kernel.agenda import Call, Item
from polemarque.kernel.errors import LONGEST_PART, KernelFault, NotUnderstood
from polemarque.kernel.plugins import entry_points, load

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

    from polemarque.kernel.battle import BriefWords
    from polemarque.kernel.checks import Finding

T = TypeVar("T")

GROUP = "polemarque.systems"

RULEBOOKS = "polemarque.rulebooks"
"""Entry points of rules that are no system's own."""


TURN_LIMIT = "turn_limit"
"""The option by which a system that sets no end of its own is given one."""


class Choice(msgspec.Struct, frozen=True):
    """An option of a system: one of the ledger's variants, default first.

    name:    identifier.   rule: id of the rule whose reading it is.
    offered: words, or for a number its least and greatest value as (least, greatest); or what
             gives the words when somebody looks, where they depend on what is installed.
    """

    name: str
    rule: str
    offered: tuple[Any, ...] | Callable[[], tuple[Any, ...]]
    default: Any
    number: bool = False

    @property
    def values(self) -> tuple[Any, ...]:
        """The words that may be chosen, or the least and the greatest number."""
        return self.offered() if callable(self.offered) else self.offered

    def take(self, value: Any) -> Any:
        """The value in its canonical form; raises NotUnderstood naming what is legal."""
        if self.number:
            low, high = self.values
            whole = isinstance(value, int) and not isinstance(value, bool)
            typed = isinstance(value, str) and value.isdecimal() and len(value) < LONGEST_PART
            if not whole and not typed:
                raise self.refusal(value)
            number = int(value)
            if not low <= number <= high:
                raise self.refusal(value)
            return number
        if value not in self.values:
            raise self.refusal(value)
        return value

    def refusal(self, value: Any) -> NotUnderstood:
        """What is answered to a value that it does not take: which ones it does."""
        legal = ("-".join(map(str, self.values)),) if self.number else self.values
        return NotUnderstood(
            "option.value", rule=self.rule, part=value, legal=legal, name=self.name
        )


class Standing(msgspec.Struct, frozen=True):
    """How a game stands: over or not, its winners (several, or none), and the order of seats.

    places: the seats by place, the first first (see `by_place`); empty where nobody is ranked.
    out:    the seats that are eliminated; None where the rules know no such thing.
    """

    over: bool
    winners: tuple[str, ...] = ()
    places: tuple[tuple[str, ...], ...] = ()
    out: tuple[str, ...] | None = None

    @property
    def ranking(self) -> tuple[str, ...]:
        """All seats of `places` in one line."""
        return tuple([seat for place in self.places for seat in place])


def by_place(merits: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Seats by place, the greatest merit first; equal ones share a place, in the order given."""
    places: dict[Any, list[str]] = {}
    for seat, merit in merits.items():
        places.setdefault(merit, []).append(seat)
    return tuple([tuple(places[merit]) for merit in sorted(places, reverse=True)])


class Chances(NamedTuple):
    """An exact law: value -> weight, what weights add up to, and by value the mean of a tally."""

    weights: Mapping[Any, int]
    scale: int
    means: Mapping[Any, Fraction]


class Part(NamedTuple):
    """One of several results of a rule that are independent of each other.

    result: its key.   tally: key of the one that is counted with it, "" for none.
    law:    a procedure, of whose value both are fields; or what finds their law otherwise.
    fields: those two.   size: how many values the result has, where that is known beforehand.
    """

    result: str
    tally: str
    law: Call | Callable[[], Chances]
    fields: tuple[str, str] = ("", "")
    size: int = 1


def any_order(of: Sequence[str]) -> Part:
    """The part of a result ``order`` in which nobody is favoured: all orders are as likely."""
    size = factorial(len(of))

    def law() -> Chances:
        return Chances(dict.fromkeys(permutations(of), 1), size, {})

    return Part("order", "", law, size=size)


class Question(msgspec.Struct, frozen=True):
    """A rule that can be asked alone.

    inputs:  a frozen Struct; its fields are the inputs, their defaults those of the rule.
    ask:     (inputs, options) -> the generator that answers; its value is a mapping of result keys
             or a Struct whose fields are those keys.
    tallies: names of result keys that are tallies.
    example: inputs of the example shown to who asks with something missing.
    dice:    which dice are rolled, in order, as a text key ("" for none).
    counted: the input that says how many dice are rolled: where they are typed, and it is not
             given, it is their number ("" for none).
    choices: names under which `inputs.choices` may answer what somebody chooses on the way: the
             subjects of those questions, and the rules that put them.
    """

    rule: str
    inputs: type[msgspec.Struct]
    ask: Callable[[Any, Mapping[str, Any]], Any]
    tallies: tuple[str, ...] = ()
    example: Mapping[str, Any] = {}
    dice: str = ""
    counted: str = ""
    parts: Callable[[Any, Mapping[str, Any]], Sequence[Part]] | None = None
    choices: tuple[str, ...] = ()


def _nothing(*_: Any) -> tuple[str, ...]:
    return ()


def _never(_: Any) -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class Rulebook:
    """Rules with their ledger and their texts: a system's, or such as stand between systems.

    name:    code name.   titles: by language.
    data:    folder of texts and other data; the ledger lies beside it.
    options: the ledger's variants.
    phases:  the sequence of play, as rule ids.
    check:   (path) -> findings: the checks of a file of its own kinds, or None for another file.
    written: name of a module of the package in which the rules are written.
    """

    name: str
    titles: Mapping[str, str]
    data: Path
    options: tuple[Choice, ...] = ()
    phases: tuple[str, ...] = ()
    check: Callable[[Path], Sequence[Finding] | None] | None = None
    written: str = ""

    @property
    def module(self) -> str:
        """Name of a module of the package in which the rules are written."""
        return self.written


@dataclass(frozen=True, kw_only=True)
class System(Rulebook):
    """The descriptor of one rule system.

    edition:  the newest.
    seats:    codes of all seats, in order; a game uses the first n.
    least:    fewest seats of a game.
    state:    type of the state, for the codec.
    begin:    (set-up, seats, options) -> (state, agenda).  Raises Refusal on a bad set-up.
    setup:    type of the set-up (a frozen Struct with a default for everything).
    scenarios: scenario name -> set-up as plain data; the first is the default.
    period:   the period of a state, for request keys: campaign turn, side's turn or phase.
    opening:  whether a state whose period is not 0 is still before the first one begins; readers
              are then told what the system calls its opening.
    view:     (state, seat) -> what that seat may see, built from nothing else.
    standing: how a state stands.
    adjust:   (state, name, value) -> state: what an umpire may adjust; checked by `faults`.
    faults:   what is wrong with a state, as texts; empty if it is sound.
    questions: the rules that can be asked alone.
    own_names: (state, seat, language, public names) -> further families for that seat's questions:
              what only it may know, such as its units by number.
    stakes:   what can be at stake for a seat in its windows (`Ask.tags`), each with its text
              (family "stake"): a seat may pass until then.
    names:    (state, language) -> family ("seat", "place"…) -> code -> what readers call it: the
              public names that belong to this game and not to the text catalogue.
    """

    edition: str
    seats: tuple[str, ...]
    least: int
    state: type[Any]
    setup: type[Any]
    begin: Callable[[Any, tuple[str, ...], Mapping[str, Any]], tuple[Any, Sequence[Item]]]
    period: Callable[[Any], int]
    view: Callable[[Any, str], Any]
    standing: Callable[[Any], Standing]
    scenarios: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    opening: Callable[[Any], bool] = _never
    adjust: Callable[[Any, str, Any], Any] | None = None
    faults: Callable[[Any], Sequence[str]] = _nothing
    questions: tuple[Question, ...] = ()
    names: Callable[[Any, str], Mapping[str, Mapping[str, str]]] | None = None
    own_names: (
        Callable[[Any, str, str, Mapping[str, Mapping[str, str]]], Mapping[str, Mapping[str, str]]]
        | None
    ) = None
    playable: bool = True
    """False for a system that only resolves battles inside others: it is in no list."""
    public_course: bool = False
    """True where every seat may know what runs, what it was answered, and what the agenda holds:
    such arguments and answers keep no secret, whatever the state does."""
    past: tuple[str, ...] = ()
    """Earlier editions whose games still play as they began, newest first."""
    resolvers: tuple[str, ...] = ()
    """Names of resolvers that may fight its battles whatever they say they serve, its own above
    all; a game pins the edition of each."""
    brief_words: Callable[[], BriefWords] | None = None
    """Of a campaign whose battles any resolver may fight that serves it: what its briefs may hold,
    for conversions to be checked against.  A game pins the editions of those as well."""
    stakes: tuple[str, ...] = ()
    turns: int = 0
    """Number of turns of a default run, where the rules set no end (0: they do)."""

    @property
    def module(self) -> str:
        """See Rulebook."""
        return self.begin.__module__

    def names_inside(self, state: Any, lang: str) -> dict[str, Mapping[str, str]]:
        """The names of a battle inside a campaign: seats are called as the campaign calls them."""
        families = self.names(state, lang) if self.names is not None else {}
        return {family: codes for family, codes in families.items() if family != "seat"}

    def limited(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Options that end a default run: with a limit of turns, where nothing else sets an end."""
        if self.turns and any(choice.name == TURN_LIMIT for choice in self.options):
            return {TURN_LIMIT: self.turns, **given}
        return {**given}

    def options_from(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values; raises NotUnderstood on an unknown name or value."""
        known = {choice.name: choice for choice in self.options}
        for name in given:
            if name not in known:
                raise NotUnderstood("option.unknown", part=name, legal=known)
        return {
            name: choice.take(given[name]) if name in given else choice.default
            for name, choice in known.items()
        }


_KEPT: list[Callable[[], None]] = []


def kept(found: Callable[..., T]) -> _lru_cache_wrapper[T]:
    """Keep what a function has found in a system, until one is added."""
    keeping = cache(found)
    _KEPT.append(keeping.cache_clear)
    return keeping


def _forget() -> None:
    """A system was added, perhaps in place of another: look for everything anew."""
    for forget in _KEPT:
        forget()


@kept
def find_system(name: str) -> System:
    """The system of that name.  Raises NotUnderstood naming those that are installed."""
    installed = entry_points(GROUP)
    if name in installed:
        found: System = load(installed[name])
        return found
    if name in _ADDED:
        return _ADDED[name]
    raise NotUnderstood("system.unknown", part=name, legal=system_names())


_ADDED: dict[str, System] = {}


def add_system(system: System) -> System:
    """Make a system known without an entry point (a tinkerer's, or a test's).

    The same cell of a notebook may be run again: its system takes the place of the one before.
    Raises KernelFault on a name that an installed system has, or one of another module.
    """
    before = _ADDED.get(system.name, system)
    if system.name in entry_points(GROUP) or before.module != system.module:
        raise KernelFault(f"there is another system called {system.name}")
    _ADDED[system.name] = system
    _forget()
    return system


def system_names(*, hidden: bool = False) -> tuple[str, ...]:
    """Names of all systems there are, sorted.

    hidden: those that only resolve battles inside others included.
    """
    added = {name for name, system in _ADDED.items() if system.playable or hidden}
    return tuple(sorted(set(entry_points(GROUP)) | added))


# Rules between systems ---------------------------------------------------------------------------

_BOOKS: dict[str, Rulebook] = {}


def add_rulebook(book: Rulebook) -> Rulebook:
    """Make rules known that are no system's own, without an entry point."""
    _BOOKS[book.name] = book
    _forget()
    return book


@kept
def find_rulebook(name: str) -> Rulebook:
    """The rules of that name, a system's or others.  Raises NotUnderstood naming all there are."""
    installed = entry_points(RULEBOOKS)
    if name in installed:
        found: Rulebook = load(installed[name])
        return found
    if name in _BOOKS:
        return _BOOKS[name]
    try:
        return find_system(name)
    except NotUnderstood:
        raise NotUnderstood("system.unknown", part=name, legal=rulebook_names()) from None


def rulebook_names() -> tuple[str, ...]:
    """Names of all rules there are: those of every system, then the others."""
    return (*system_names(), *sorted(set(entry_points(RULEBOOKS)) | set(_BOOKS)))
