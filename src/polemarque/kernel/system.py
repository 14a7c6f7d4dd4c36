"""What a rule system says of itself; the kernel, the terminal and the pages know nothing else.

What is written between systems, as bridges are, is a `Rulebook`: a ledger and texts, and no game.

A system is a plugin: ours are found by the same entry point (group ``polemarque.systems``) as a
stranger's, by name, and only when asked for.
"""

from __future__ import annotations

import collections.abc
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from inspect import signature
from itertools import permutations
from math import factorial
from pathlib import Path
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    NamedTuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec

from polemarque.kernel.agenda import Call, Item, Procedure, Rule, age_of
from polemarque.kernel.errors import LONGEST_PART, KernelFault, NotUnderstood, Refusal
from polemarque.kernel.events import Event, Thrown
from polemarque.kernel.files.plugins import OURS, Plugins, entry_points, finding, look_again

if TYPE_CHECKING:
    from polemarque.kernel.battle_brief import BriefWords
    from polemarque.kernel.files.findings import Finding

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
    since:   the edition that brought it, if not the first; a game of an earlier one that does not
             name it is played without: by what the state has for it.
    """

    name: str
    rule: str
    offered: tuple[Any, ...] | Callable[[], tuple[Any, ...]]
    default: Any
    number: bool = False
    since: str = ""

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


class Wishes(NamedTuple):
    """What a seat can wish for of a rule, in words.   single: a new wish replaces another one."""

    words: tuple[str, ...]
    single: bool = False


class Chances(NamedTuple):
    """An exact law: value -> weight, what weights add up to, and by value the mean of a tally
    (a sum and what it is divided by, in any terms)."""

    weights: Mapping[Any, int]
    scale: int
    means: Mapping[Any, tuple[int, int]]


class Part(NamedTuple):
    """One of several results of a rule that are independent of each other.

    result: its key; ``losses[0]``, ``losses[1]``… are together the list of the key ``losses``.
    tally:  key of the one that is counted with it, "" for none.
    law:    a procedure, of whose value both are fields; or what finds their law otherwise; or
            several of these, of which the result is the sum, `most` at most, without a tally.
    fields: those two.   size: how many values the result has, where that is known in advance.
    places: what gives each place of a list of which there are too many: they depend on each other.
    """

    result: str
    tally: str
    law: Call | Callable[[], Chances] | tuple[Call | Callable[[], Chances], ...]
    fields: tuple[str, str] = ("", "")
    size: int = 1
    most: int = 0
    places: Callable[[], Sequence[Part]] | None = None


def any_order(of: Sequence[str]) -> Part:
    """The part of a result ``order`` in which nobody is favoured: all orders are as likely."""
    size = factorial(len(of))

    def law() -> Chances:
        return Chances(dict.fromkeys(permutations(of), 1), size, {})

    def places() -> Sequence[Part]:
        alone = Chances(dict.fromkeys(of, 1), len(of), {})
        return [Part(f"order[{place}]", "", lambda: alone) for place in range(len(of))]

    return Part("order", "", law, size=size, places=places)


Count = Annotated[int, msgspec.Meta(ge=0)]
"""A whole number from 0, as an input of a question."""


class Inputs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An input of a question that has fields of its own: nothing unknown is accepted."""


class Question(msgspec.Struct, frozen=True):
    """A rule that can be asked alone.

    ask:     what answers: a procedure, or a function whose value is a mapping of result keys, a
             Struct whose fields are those keys, a `Call` of a procedure that gives one, or a
             generator that ends in any of these.  Its parameters are the inputs, their defaults
             and bounds (``Annotated``) those of the rule; one called ``options`` is given the
             options of the game instead.
    tallies: names of result keys that are tallies.
    example: inputs of the example shown to who asks with something missing.
    dice:    which dice are rolled, in order, as a text key ("" for none).
    counted: the input that says how many dice are rolled: where they are typed, and it is not
             given, it is their number ("" for none).
    parts:   what gives the independent parts of the result, from the same inputs; it may ask what
             is chosen on the way, and rolls nothing.
    choices: names under which `inputs.choices` may answer what somebody chooses on the way: the
             subjects of those questions, and the rules that put them.
    """

    rule: str
    ask: Procedure[..., Any] | Callable[..., Any]
    tallies: tuple[str, ...] = ()
    example: Mapping[str, Any] = {}
    dice: str = ""
    counted: str = ""
    parts: Callable[..., Sequence[Part] | Rule[Sequence[Part]]] | None = None
    choices: tuple[str, ...] = ()

    @property
    def inputs(self) -> type[msgspec.Struct]:
        """A Struct whose fields are the inputs."""
        return _inputs_of(self.ask.run if isinstance(self.ask, Procedure) else self.ask)


@cache
def _inputs_of(run: Callable[..., Any]) -> type[msgspec.Struct]:
    hints = get_type_hints(run, include_extras=True)
    fields = [
        (name, hints[name], msgspec.NODEFAULT if each.default is each.empty else each.default)
        for name, each in signature(run).parameters.items()
        if name != "options"
    ]
    return msgspec.defstruct(run.__name__, fields, frozen=True, forbid_unknown_fields=True)


@dataclass(frozen=True, kw_only=True)
class Rulebook:
    """Rules with their ledger and their texts: a system's, or such as stand between systems.

    name:    code name.   titles: by language.
    data:    folder of texts and other data; the ledger lies beside it.
    options: the ledger's variants.
    phases:  the sequence of play, as rule ids; see `System.phase`.
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

    @cached_property
    def package(self) -> str:
        """The package in which the rules are written: the one whose folder holds the data.

        Rule ids belong to it.  Without such a folder it is the `module` alone.
        """
        file = getattr(sys.modules.get(self.module), "__file__", None)
        root = self.data.resolve().parent
        if not file or not self.data.parts or root not in Path(file).resolve().parents:
            return self.module
        inside = Path(file).resolve().relative_to(root).with_suffix("").parts
        parts = self.module.split(".")
        left = len(parts) - len(inside) + (inside[-1] == "__init__")
        return ".".join(parts[:left]) if left > 0 else self.module


class Premise(msgspec.Struct, frozen=True):
    """What a seat may suppose of others (`System.premises`).

    before: the agenda item before which it comes about.
    begins: or the items that run where it comes about once the turn is over.
    """

    before: Item | None = None
    begins: tuple[Item, ...] = ()


@dataclass(frozen=True, kw_only=True)
class System(Rulebook):
    """The descriptor of one rule system.

    edition:  the newest.
    seats:    codes of all seats, in order; a game uses the first n.
    least:    fewest seats of a game.
    state:    type of the state, for the codec.
    begin:    (set-up, seats, options) -> (state, agenda).  Raises Refusal on a bad set-up.
    setup:    type of the set-up (a frozen Struct with a default for everything).
    scenarios: scenario name -> set-up as plain data; the first is the default.  Beside the set-up
              it may say how many `seats` and how many `turns` there are if nobody chooses.
    period:   the period of a state, for request keys: campaign turn, side's turn or phase.
    phase:    the phase of a state, one of `phases`, or "" for none: every event says in which phase
              it happened.
    opening:  whether a state whose period is not 0 is still before the first one begins; readers
              are then told what the system calls its opening.
    view:     (state, seat) -> what that seat may see, built from nothing else.
    standing: how a state stands.
    adjust:   (state, name, value) -> state: what an umpire may adjust; checked by `faults`.
    faults:   what is wrong with a state, as texts; empty if it is sound.
    questions: the rules that can be asked alone.
    own_names: (state, seat, language, public names) -> further families for that seat's questions:
              what only it may know, such as its units by number.
    asked_with: (state, script, what it was begun with, language) -> data of the text that asks
              (``ask.<rule>``): everybody who is asked reads it.
    stakes:   what can be at stake for a seat in its windows (`Ask.tags`), each with its text
              (family "stake"): a seat may pass until then.
    wishes:   (state, seat, edition) -> rule -> what the seat can wish for now, which that rule
              will read (`agenda.wished`); each word has its name (family "wish").
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
    phase: Callable[[Any], str] = lambda _: ""
    opening: Callable[[Any], bool] = lambda _: False
    adjust: Callable[[Any, str, Any], Any] | None = None
    faults: Callable[[Any], Sequence[str]] = lambda _: ()
    questions: tuple[Question, ...] = ()
    names: Callable[[Any, str], Mapping[str, Mapping[str, str]]] | None = None
    own_names: (
        Callable[[Any, str, str, Mapping[str, Mapping[str, str]]], Mapping[str, Mapping[str, str]]]
        | None
    ) = None
    asked_with: Callable[[Any, str, tuple[Any, ...], str], Mapping[str, Any]] | None = None
    thrower: Callable[[Event, Thrown], str] | None = None
    """(event, roll it shows) -> the seat that threw, where neither names it; "" for none.

    "a" and "b" stand for the first and the second side."""
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
    supposed: Callable[[Any, str, Mapping[str, Any]], Any] | None = None
    """(view, seat, premises) -> a whole state that looks to this seat as the real one does.

    Premises are what the seat supposes beside that, of those in `premises`.  Nothing else may guess
    what a seat cannot see: rehearsals and searching bots begin here."""
    premises: Mapping[str, Premise] = field(default_factory=dict)
    """What a seat may suppose of others, by name (family "premise")."""
    conditions: Callable[[Any, str, str], Mapping[str, Any]] | None = None
    """(view, seat, subject) -> what a condition of an answer left in advance may look at, as plain
    data; subject: what its question is about, as its key says.

    Each has its text (family "condition"); a condition is that one is as it was foreseen."""
    public_items: frozenset[str] = frozenset()
    """Rules whose agenda items, arguments and all, every seat may know, or "*" for all of them; see
    `public_course`."""
    wishes: Callable[[Any, str, str], Mapping[str, Wishes]] | None = None
    bots: tuple[str, ...] = ()
    """Modules whose ``BOTS``, name -> bot, can play it.  Other packages register theirs."""
    drawings: tuple[str, ...] = ()
    """Modules that register its boards, charts and sheets when they are imported."""
    kernels: str = ""
    """Module whose ``KERNELS``, rule -> how a kernel plays it, make samples of its rules quick."""
    alternates: bool = False
    """True where no two seats are ever asked at once, sealed."""
    ends_at_once: bool = True
    """False where something may still follow an end that an umpire has declared."""
    turns: int = 0
    """Number of turns of a default run, where the rules set no end (0: they do)."""
    endless: bool = False
    """True where players could go on for ever, as long as no option limits the turns."""

    @property
    def module(self) -> str:
        """See Rulebook."""
        return self.begin.__module__

    def names_inside(self, state: Any, lang: str) -> dict[str, Mapping[str, str]]:
        """The names of a battle inside a campaign: seats are called as the campaign calls them."""
        families = self.names(state, lang) if self.names is not None else {}
        return {family: codes for family, codes in families.items() if family != "seat"}

    def settled(self, scenario: str) -> dict[str, Any]:
        """The options that a scenario settles if nobody chooses: its number of turns, if any."""
        turns = self.scenarios.get(scenario, {}).get("turns")
        return {} if turns is None else {TURN_LIMIT: turns}

    def limited(self, given: Mapping[str, Any], scenario: str = "") -> dict[str, Any]:
        """Options that end a default run: with a limit of turns, where nothing else sets an end."""
        given = {**self.settled(scenario), **given}
        if self.turns and any(choice.name == TURN_LIMIT for choice in self.options):
            return {TURN_LIMIT: self.turns, **given}
        return given

    def never_ends(self, options: Mapping[str, Any]) -> bool:
        """Whether bots that play on would never come to an end under these options."""
        return self.endless and not options.get(TURN_LIMIT)

    def options_from(self, given: Mapping[str, Any], edition: str = "") -> dict[str, Any]:
        """All options of an edition, by default the newest, with their values.

        Raises NotUnderstood on an unknown name or value.
        """
        age = age_of(edition or self.edition)
        known = {choice.name: choice for choice in self.options}
        for name in given:
            if name not in known:
                raise NotUnderstood("option.unknown", part=name, legal=known)
        return {
            name: choice.take(given[name]) if name in given else choice.default
            for name, choice in known.items()
            if name in given or age_of(choice.since) <= age
        }


# What is wrong with a descriptor -----------------------------------------------------------------


def _descriptor_faults(name: str, found: Any, kind: type[Rulebook]) -> Iterator[Finding]:
    """What a descriptor says otherwise than its class promises."""
    if not isinstance(found, kind):
        given = type(found).__name__
        yield finding(name, "contract", field=kind.__name__, given=given, wanted=kind.__name__)
        return
    types = {"BriefWords": Any, "Finding": Any}  # they stand inside callables, which are not called
    wanted = get_type_hints(kind, localns=types)
    for field_name, hint in wanted.items():
        value = getattr(found, field_name)
        if not _fits(value, hint):
            words = kind.__annotations__.get(field_name) or Rulebook.__annotations__[field_name]
            yield finding(name, "contract", field=field_name, given=repr(value)[:80], wanted=words)
            return
    yield from _value_faults(name, found)


def _value_faults(name: str, found: Rulebook) -> Iterator[Finding]:
    """Values that have the right type, and cannot be."""
    from polemarque.kernel.files.texts import LANGUAGES, Catalogue

    claims = [
        ("name", found.name, name, found.name == name),
        ("titles", ", ".join(found.titles), ", ".join(LANGUAGES), {*LANGUAGES} <= {*found.titles}),
    ]
    if isinstance(found, System):
        most = len(found.seats)
        claims.append(("least", str(found.least), f"1-{most}", 1 <= found.least <= most))
    for field_name, given, wanted, holds in claims:
        if not holds:
            yield finding(name, "contract", field=field_name, given=given, wanted=wanted)
    for choice in found.options:
        try:
            if not callable(choice.offered):
                choice.take(choice.default)
        except Refusal as refusal:
            said = {"given": str(choice.default), "wanted": ", ".join(refusal.legal)}
            yield finding(name, "contract", field=f"options.{choice.name}", **said)
    if not found.module.startswith(f"{OURS}.") and any(found.data.glob("texts.*.toml")):
        Catalogue.load(found.data)  # raises what is wrong with it


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is what a field of a descriptor is declared to be."""
    origin = get_origin(hint) or hint
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in get_args(hint))
    if origin is Any:
        return True
    if origin is collections.abc.Callable:
        return callable(value)
    if origin is tuple:
        return isinstance(value, tuple) and all(_fits(one, get_args(hint)[0]) for one in value)
    return isinstance(value, origin)


def _book_faults(name: str, found: Any) -> Iterator[Finding]:
    if name in entry_points(GROUP):
        yield finding(name, "taken", package=BOOKS.package(name), holder=SYSTEMS.package(name))
    yield from _descriptor_faults(name, found, Rulebook)


SYSTEMS = Plugins(GROUP, lambda name, found: _descriptor_faults(name, found, System))
BOOKS = Plugins(RULEBOOKS, _book_faults)


# Which there are ---------------------------------------------------------------------------------


def find_system(name: str) -> System:
    """The system of that name.

    Raises NotUnderstood: naming those that are installed, or saying that this one cannot be used.
    """
    found: System | None = _ADDED.get(name) or SYSTEMS.find(name)
    if found is None:
        raise NotUnderstood("system.unknown", part=name, legal=system_names())
    return found


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
    look_again()
    return system


def forget_system(package: str) -> None:
    """Forget the systems of a package that `add_system` has made known."""
    for name, system in list(_ADDED.items()):
        if f"{system.module}.".startswith(f"{package}."):
            del _ADDED[name]


def system_names(*, hidden: bool = False) -> tuple[str, ...]:
    """Names of all systems that can be used, sorted.

    hidden: those that only resolve battles inside others included.
    """
    added = {name for name, system in _ADDED.items() if system.playable or hidden}
    return tuple(sorted({*SYSTEMS.names(), *added}))


# Rules between systems ---------------------------------------------------------------------------


def find_rulebook(name: str) -> Rulebook:
    """The rules of that name, a system's or others.  Raises NotUnderstood as `find_system` does."""
    if name in system_names(hidden=True):
        return find_system(name)
    found: Rulebook | None = BOOKS.find(name)
    if found is None and name not in entry_points(GROUP):
        raise NotUnderstood("system.unknown", part=name, legal=rulebook_names())
    return found or find_system(name)


def rulebook_names() -> tuple[str, ...]:
    """Names of all rules that can be used: those of every system, then the others."""
    systems = system_names()
    return (*systems, *sorted({*BOOKS.names()} - {*systems}))
