"""The language in which rules are written: scripts, procedures, and what they may say.

A rule of the book is one short generator, registered under its rule id:

* a **procedure** knows figures only: plain arguments in, a plain value out, dice and choices on the
  way, no state.  Consult asks it alone, odds enumerate it, fast kernels twin it;
* a **script** gets the state and its arguments, and returns the new state and the items that come
  next: ``return war, [then(army_negotiates, seat, bribe)]``.

Both speak with ``yield from``: `ask`, `ask_each`, `roll`, `call`, `tell`, `explain`, `tally`,
`battles`.  Both are pure: no clock, no random source, no globals, nothing changed in place, so that
one can be restarted at any moment from its arguments and the answers it has had.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Mapping
from functools import cache
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    ParamSpec,
    TypeAlias,
    TypeVar,
    get_type_hints,
)

import msgspec

from polemarque.kernel.dice import Reading, Roll
from polemarque.kernel.errors import KernelFault
from polemarque.kernel.events import EVERYBODY, Sum
from polemarque.kernel.request import UMPIRE, Ask, OneOf, OptionsFor, Quiet, Warns

if TYPE_CHECKING:
    from typing_extensions import TypeVar as DefaultedTypeVar

    from polemarque.kernel.battle_brief import Brief, Report

    S = DefaultedTypeVar("S", bound=msgspec.Struct, default=Any)

T = TypeVar("T")
P = ParamSpec("P")

Rule: TypeAlias = Generator[Any, Any, T]
"""What a procedure or script is: a generator that ends in a value of type T."""

Item: TypeAlias = tuple[Any, ...]
"""An agenda item: a rule id and the plain arguments of its script."""

Next: TypeAlias = tuple[T, list[Item]]
"""What a script that asks nothing returns: the new state, and the items that come next."""

Step: TypeAlias = Rule[Next[T]]
"""What a script is that asks: a generator that ends in the new state and what comes next."""

Untyped: TypeAlias = (
    Quiet | str | int | tuple[Any, ...] | dict[str, Any] | Callable[[str], Any] | None
)
"""What may be answered for an absent player, where its type is not that of the answers."""


# What a rule says is plain data, never part of a circle: the garbage collector need not watch it.


class Call(msgspec.Struct, frozen=True, gc=False):
    """Run a procedure and give its value back; it counts as one answer of the caller."""

    rule: str
    args: tuple[Any, ...]


class Tell(msgspec.Struct, frozen=True, gc=False):
    """Tell an event; the kernel adds the dice and modifiers since the last one told."""

    rule: str
    kind: str
    data: dict[str, Any]
    audience: tuple[str, ...] | None
    reveals: bool = False


class Explain(msgspec.Struct, frozen=True, gc=False):
    """Modifiers that the next event will show."""

    sum: Sum


class Tally(msgspec.Struct, frozen=True, gc=False):
    """Sums that no later step reads."""

    sums: dict[str, Any]


Statement: TypeAlias = tuple[Tell | Explain | Tally, ...]
"""What a rule says without waiting for an answer: there is nothing to hear, so no generator."""


class Battles(msgspec.Struct, frozen=True):
    """Open battles, side by side, and wait for all their reports."""

    briefs: tuple[Brief, ...]


class Again(msgspec.Struct, frozen=True, gc=False):
    """The end of one round of a procedure, and the arguments of the next."""

    args: tuple[Any, ...]


ClosedForm: TypeAlias = tuple[Iterable[tuple[Any, int, Mapping[str, tuple[int, int]]]], int]
"""Each value with its weight and the means of its tallies; and what weights add up to.

A mean is a sum and what it is divided by, in any terms."""


class Registered(msgspec.Struct, frozen=True):
    """A script or procedure as the register keeps it.

    odds: the figures for which its odds are worked out in place of those it is called with.
    law:  its law in closed form, see `procedure`.
    """

    rule: str
    edition: str
    run: Callable[..., Any]
    procedure: bool
    odds: Callable[..., tuple[Any, ...]] | None = None
    law: Callable[..., ClosedForm | None] | None = None


@cache
def age_of(edition: str) -> tuple[tuple[int, int, str], ...]:
    """What editions are put in order by: numbers in them count as numbers, so that 10 follows 9.

    "" comes before all of them, "~" after all.
    """
    parts = re.findall("[0-9]+|[^0-9]+", edition)
    return tuple([(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts])


class Rules(dict[str, Registered]):
    """The rules of one system in one edition by their id, each looked up when first asked for.

    package: the package in which they are written.  A rule that is not written there is looked for
             elsewhere; "" looks everywhere.
    """

    def __init__(self, package: str, edition: str) -> None:
        super().__init__()
        self.key = package, edition

    def __missing__(self, rule: str) -> Registered:
        package, edition = self.key
        entries = _REGISTER.get(rule, [])
        entries = [each for each in entries if _is_within(each, package)] or entries
        found = [each for each in entries if age_of(each.edition) <= age_of(edition)]
        if not found:
            raise KernelFault(f"no script or procedure is registered for {rule}")
        if sum(each.edition == found[-1].edition for each in found) > 1:
            modules = ", ".join(each.run.__module__ for each in found)
            raise KernelFault(f"{rule} is registered twice ({modules})")
        self[rule] = found[-1]
        return found[-1]


def _is_within(entry: Registered, package: str) -> bool:
    return f"{entry.run.__module__}.".startswith(f"{package}.")


_REGISTER: dict[str, list[Registered]] = {}
_EDITIONS: dict[tuple[str, str], Rules] = {}


def _register(
    rule: str, edition: str, run: Callable[..., Any], *, procedure: bool,
    odds: Callable[..., tuple[Any, ...]] | None = None,
    law: Callable[..., ClosedForm | None] | None = None,
) -> None:  # fmt: skip
    known = _REGISTER.setdefault(rule, [])
    home = _home(run)
    for old in [old for old in known if (old.edition, _home(old.run)) == (edition, home)]:
        if old.procedure != procedure or not _is_same(old.run, run, script=not procedure):
            raise KernelFault(f"{rule} is registered twice (edition {edition or 'first'})")
        known.remove(old)
    known.append(Registered(rule, edition, run, procedure, odds, law))
    known.sort(key=lambda entry: age_of(entry.edition))
    for rules in _EDITIONS.values():
        rules.pop(rule, None)


def _home(run: Callable[..., Any]) -> str:
    """The package of a rule's module: two packages may have rules of the same id."""
    return run.__module__.rpartition(".")[0] or run.__module__


def _is_same(old: Callable[..., Any], new: Callable[..., Any], *, script: bool) -> bool:
    """Whether one function was defined again, as when a cell of a notebook is run twice.

    Such a cell keeps the names, of the rule as of the state that a script is given; once edited it
    counts as another file, so that two rules in different lines of one file are two.
    """
    was, now = getattr(old, "__code__", None), getattr(new, "__code__", None)
    return (
        was is not None
        and now is not None
        and (old.__module__, old.__qualname__) == (new.__module__, new.__qualname__)
        and (not script or _state_of(old) == _state_of(new))
        and (was.co_filename != now.co_filename or was.co_firstlineno == now.co_firstlineno)
    )


def _state_of(run: Callable[..., Any]) -> str:
    first = next(iter(run.__annotations__.values()), "")
    return getattr(first, "__name__", str(first))


def rules_of(package: str, edition: str) -> Rules:
    """A system's rules in an edition: of each the newest script or procedure that is not newer.

    package: as `Rulebook.package` names it.
    One that nobody has written raises KernelFault when it is looked up.
    """
    rules = _EDITIONS.get((package, edition))
    if rules is None:
        rules = _EDITIONS[package, edition] = Rules(package, edition)
    return rules


ANY_RULES = rules_of("", "~")
"""Every rule that only one package has, in its newest edition."""


def registered(rule: str, edition: str = "~") -> Registered:
    """The newest script or procedure of `rule` that is not newer than `edition`.

    Raises KernelFault if there is none, or two packages have one.
    """
    return rules_of("", edition)[rule]


def forget_rules(package: str) -> None:
    """Forget every rule that is written in a package."""
    for rule, entries in list(_REGISTER.items()):
        left = [each for each in entries if not _is_within(each, package)]
        if len(left) < len(entries):
            _REGISTER[rule] = left
            for rules in _EDITIONS.values():
                rules.pop(rule, None)
        if not left:
            del _REGISTER[rule]


def registered_rules(package: str = "") -> tuple[str, ...]:
    """All registered rule ids, sorted; those of one package if it is given."""
    return tuple(
        sorted(
            rule
            for rule, entries in _REGISTER.items()
            if not package or any(_is_within(entry, package) for entry in entries)
        )
    )


def rule_of(run: Any) -> str:
    """The rule whose procedure a generator is.  Raises KernelFault if it is none's."""
    for rule, entries in _REGISTER.items():
        if any(getattr(entry.run, "__code__", None) is run.gi_code for entry in entries):
            return rule
    raise KernelFault(f"{run!r} ends in again(...), and is no registered procedure: call one")


def script(rule: str, *, edition: str = "") -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Register a script under its rule id: `(state, *arguments) -> Step[state]`.

    It returns the new state, and the items to do next, first one first.  A script that asks
    nothing may be a plain function that returns the same.  A further script of the same paragraph
    takes the id with a word after it: "AT-8.1/reveal".
    """

    def keep(run: Callable[P, T]) -> Callable[P, T]:
        _register(rule, edition, run, procedure=False)
        run.rule = rule  # type: ignore[attr-defined]
        return run

    return keep


def then(script: Callable[Concatenate[Any, P], Any], *args: P.args, **kwargs: P.kwargs) -> Item:
    """An agenda item: this script, with these arguments after the state."""
    if kwargs:
        raise KernelFault(f"{script.rule}: scripts are begun with positional figures")  # type: ignore[attr-defined]
    return (script.rule, *args)  # type: ignore[attr-defined]


def item(rule: str, *args: Any) -> Item:
    """An agenda item by its rule id, where `then` would make modules import each other."""
    return (rule, *args)


class Procedure(Generic[P, T]):
    """A registered procedure: call it by `yield from call(procedure, ...)`."""

    def __init__(self, rule: str, run: Callable[P, Rule[T]]) -> None:
        self.rule = rule
        self.run = run
        self.__doc__ = run.__doc__
        self.__name__ = run.__name__
        self.__module__ = run.__module__
        self.__wrapped__ = run

    def __repr__(self) -> str:
        return f"<procedure {self.rule} {self.__name__}>"


def procedure(
    rule: str,
    *,
    edition: str = "",
    odds: Callable[..., tuple[Any, ...]] | None = None,
    law: Callable[..., ClosedForm | None] | None = None,
) -> Callable[[Callable[P, Rule[T]]], Procedure[P, T]]:
    """Register a procedure under its rule id: `(*figures) -> Rule[value]`.

    odds: what figures its odds are worked out for, where those of a call would take too long: they
          may leave out what hardly ever comes about, which then has no odds.
    law:  its exact law from its figures, where there is a shorter way to it than through all its
          dice; None where there is not.  It raises OverflowError naming what is too much even for
          that.  A test holds it against the enumeration of the procedure.
    """

    def keep(run: Callable[P, Rule[T]]) -> Procedure[P, T]:
        _register(rule, edition, run, procedure=True, odds=odds, law=law)
        return Procedure(rule, run)

    return keep


def result_type(entry: Registered) -> Any:
    """The type of a procedure's value, read from its annotation: for the codec and consult."""
    returned = get_type_hints(entry.run)["return"]
    return returned.__args__[2]


def argument_types(entry: Registered) -> tuple[Any, ...]:
    """The types of a rule's arguments in order (a script's state left out), for the codec."""
    hints = get_type_hints(entry.run)
    hints.pop("return", None)
    return tuple(hints.values())[0 if entry.procedure else 1 :]


# What a script or procedure may say ---------------------------------------------------------


def ask(
    seat: str,
    options: OptionsFor,
    *,
    absent: S | Untyped,
    subject: str = "",
    tags: tuple[str, ...] = (),
    warns: Warns | None = None,
    proposes: dict[str, Any] | None = None,
) -> Rule[S]:
    """Ask one seat.  Gives the answer.

    absent: what is answered for a player who is absent; `QUIET` for the quietest answer.  For a
           sheet it may be a frozen Struct whose fields have the names of the parts: then the
           answer is one too, and parts that the sheet does not ask for have their defaults.
    warns: (seat, answer) -> a word where the answer may hurt; people are asked once more, in the
           words of the text ``warn.<rule>.<word>``.  It decides nothing and enters no record.
    proposes: what a form proposes for parts that the absent player's answer does not have: a value,
           or what gives it from the part's options.
    """
    proposed = proposes or {}
    put = Ask((seat,), options, absent, subject, tags=tags, warns=warns, proposes=proposed)
    return _typed((yield put), absent)


def ask_umpire(
    options: OptionsFor,
    *,
    absent: S | Untyped,
    touches: Iterable[str] = (),
    otherwise: S | Untyped = None,
    subject: str = "",
    warns: Warns | None = None,
) -> Rule[S]:
    """Ask the umpire; where the umpire plays, the seats that it touches.  Gives the answer.

    Those seats are asked at once, sealed; equal answers hold.  It is no seat's to settle alone.
    touches:   two seats or more; all of the game, or of the battle, by default.
    otherwise: what holds where they do not agree, a legal answer; `absent` by default.
    """
    fallback = absent if otherwise is None else otherwise
    said = yield Ask(
        (UMPIRE,), options, absent, subject, touches=tuple(touches), otherwise=fallback, warns=warns
    )
    return _typed(said, absent)


def ask_each(
    seats: Iterable[str],
    options: OptionsFor,
    *,
    absent: S | Untyped,
    subject: str = "",
    warns: Warns | None = None,
    undecided: tuple[str, ...] = (),
    once: bool = False,
    proposes: dict[str, Any] | None = None,
    spares: bool = False,
) -> Rule[dict[str, S]]:
    """Ask several seats at once, sealed until all have answered.  Gives seat -> answer.

    absent, warns: as `ask` has them.
    undecided: parts of a sheet for which a form proposes nothing, as a default would hurt.
    once:      whether an answer may put the question again: none is left in advance for it.
    proposes:  what a form proposes for parts that the absent player's answer does not have.
    spares:    whether some may have nothing to decide: they can be spared the question, and nobody
               is told who has answered.
    """
    asked = tuple(seats)
    if len(set(asked)) != len(asked):
        raise KernelFault(f"a seat is asked twice at once: {asked}")
    if not asked:
        return {}
    said: dict[str, Any] = yield Ask(
        asked, options, absent, subject, False, warns=warns, undecided=undecided, once=once,
        proposes=proposes or {}, spares=spares,
    )  # fmt: skip
    return {seat: _typed(answer, absent) for seat, answer in said.items()}


def _typed(said: Any, absent: S | Untyped) -> S:
    """An answer, of the type that the absent player's has where that is a Struct."""
    typed: S = said
    if not isinstance(absent, msgspec.Struct) or isinstance(said, msgspec.Struct):
        return typed
    try:
        return type(absent)(**said)
    except TypeError as fault:
        raise KernelFault(f"no {type(absent).__name__} has the parts {', '.join(said)}") from fault


def wished(seats: Iterable[str], options: OptionsFor) -> Rule[dict[str, tuple[str, ...]]]:
    """What each seat has wished for, of the words of its `SeveralOf`.  Nobody is asked now.

    A wish is left at any moment (`Leave`, with the word as its subject) and stands until it is
    taken back or its word is offered no more.  Every seat answers, whether it has wished or not, so
    that nothing tells of a wish before the rule acts on it.
    """
    asked = tuple(seats)
    if not asked:
        return {}
    said: dict[str, tuple[str, ...]] = yield Ask(asked, options, (), "", False, wish=True)
    return said


def roll(
    count: int,
    sides: int,
    *,
    read: Reading[T],
    why: str,
    whom: tuple[str, ...] = (),
    owner: str = "",
) -> Rule[T]:
    """Roll dice and give the value of the reading.  A roll of no dice asks chance nothing."""
    if count == 0:
        return read.zero
    return (yield Roll(count, sides, read, why, whom, owner))  # type: ignore[no-any-return]


def call(procedure: Procedure[P, T], *args: P.args, **kwargs: P.kwargs) -> Rule[T]:
    """Run a procedure and give its value, its tallies filled into the fields of their names."""
    if kwargs:
        raise KernelFault(f"{procedure.rule}: procedures are called with positional figures")
    return (yield Call(procedure.rule, args))  # type: ignore[no-any-return]


def tell(
    rule: str,
    kind: str,
    *,
    to: Iterable[str] | None = EVERYBODY,
    reveals: bool = False,
    **data: Any,
) -> Statement:
    """Tell what happened: `kind` says which outcome of the rule, `data` its figures.

    to:      the seats that may see it; everybody by default.
    reveals: whether it shows somebody what they did not know: no undo goes behind it.
    """
    return (Tell(rule, kind, data, None if to is None else tuple(to), reveals),)


def explain(reasons: Sum) -> Statement:
    """Show these modifiers with the next event."""
    return (Explain(reasons),) if reasons.parts else ()


def tally(**sums: Any) -> Statement:
    """Add to sums that no later step reads; they come back with the procedure's value."""
    return (Tally(sums),)


def again(*args: Any) -> Any:
    """End this round of a procedure and begin the next: ``return again(new arguments)``."""
    return Again(args)


def battles(*briefs: Brief) -> Rule[tuple[Report, ...]]:
    """Have battles fought, all at once; gives their reports in the order of the briefs."""
    if not briefs:
        return ()
    return (yield Battles(briefs))  # type: ignore[no-any-return]


PASS = "pass"
"""The word of a seat that lets a moment go by."""


def window(
    seats: Iterable[str],
    playable: Callable[[str], Iterable[str]],
    *,
    moment: str,
    label: str = "",
    stakes: Callable[[str], tuple[str, ...]] = lambda _: (),
) -> Rule[tuple[str, str] | None]:
    """A reaction window: offer each seat in turn what it can play now, until somebody plays.

    playable: the words a seat can play, none where public facts leave it nothing: it is not asked.
    moment:   the window's name; it stands in the key, so a seat can pass it in advance.
    label:    the family of texts that translates the words.
    stakes:   what is at stake for a seat (`Ask.tags`), so that it can pass until then.
    Gives who has played what, None if all have passed.  Whether that opens the window again is for
    the script to say, by its items.
    """
    for seat in seats:
        words = (PASS, *playable(seat))
        if len(words) > 1:
            options = OneOf(words, label)
            said = yield from ask(seat, options, absent=PASS, subject=moment, tags=stakes(seat))
            if said != PASS:
                return seat, said
    return None
