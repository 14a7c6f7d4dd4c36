"""The language in which rules are written: scripts, procedures, and what they may say.

A rule of the book is one short generator, registered under its rule id:

* a **procedure** knows figures only: plain arguments in, a plain value out, dice and choices on the
  way, no state.  Consult asks it alone, odds enumerate it, fast kernels twin it;
* a **script** gets the state and its arguments, and returns the new state and the items that come
  next: ``return war, [("AT-9.2", seat)]``.

Both speak with ``yield from``: `ask`, `ask_each`, `roll`, `call`, `tell`, `explain`, `tally`,
`battles`.  Both are pure: no clock, no random source, no globals, nothing changed in place, so that
one can be restarted at any moment from its arguments and the answers it has had.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeAlias, TypeVar, get_type_hints

import msgspec

from polemarque.kernel.dice import Reading, Roll
from polemarque.kernel.errors import KernelFault
from polemarque.kernel.events import EVERYBODY, Sum
from polemarque.kernel.request import Ask, OneOf, OptionsFor

if TYPE_CHECKING:
    from polemarque.kernel.battle import Brief, Report

T = TypeVar("T")
P = ParamSpec("P")

Rule: TypeAlias = Generator[Any, Any, T]
"""What a procedure or script is: a generator that ends in a value of type T."""

Item: TypeAlias = tuple[Any, ...]
"""An agenda item: a rule id and the plain arguments of its script."""


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


class Registered(msgspec.Struct, frozen=True):
    """A script or procedure as the register keeps it."""

    rule: str
    edition: str
    run: Callable[..., Any]
    procedure: bool


@cache
def age_of(edition: str) -> tuple[tuple[int, int, str], ...]:
    """What editions are put in order by: numbers in them count as numbers, so that 10 follows 9.

    "" comes before all of them, "~" after all.
    """
    parts = re.findall("[0-9]+|[^0-9]+", edition)
    return tuple([(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts])


class Rules(dict[str, Registered]):
    """The rules of one edition by their id, each looked up in the register when first asked for."""

    def __init__(self, edition: str) -> None:
        super().__init__()
        self.edition = edition

    def __missing__(self, rule: str) -> Registered:
        for entry in reversed(_REGISTER.get(rule, ())):
            if age_of(entry.edition) <= age_of(self.edition):
                self[rule] = entry
                return entry
        raise KernelFault(f"no script or procedure is registered for {rule}")


_REGISTER: dict[str, list[Registered]] = {}
_EDITIONS: dict[str, Rules] = {}


def _register(rule: str, edition: str, run: Callable[..., Any], *, procedure: bool) -> None:
    known = _REGISTER.setdefault(rule, [])
    for old in [old for old in known if old.edition == edition]:
        if old.procedure != procedure or not _is_same(old.run, run, script=not procedure):
            raise KernelFault(f"{rule} is registered twice (edition {edition or 'first'})")
        known.remove(old)
    known.append(Registered(rule, edition, run, procedure))
    known.sort(key=lambda entry: age_of(entry.edition))
    for rules in _EDITIONS.values():
        rules.pop(rule, None)


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
    """What a script's first argument is said to be."""
    first = next(iter(run.__annotations__.values()), "")
    return getattr(first, "__name__", str(first))


def rules_of(edition: str) -> Rules:
    """The rules of an edition: of each the newest script or procedure that is not newer.

    One that nobody has written raises KernelFault when it is looked up.
    """
    rules = _EDITIONS.get(edition)
    if rules is None:
        rules = _EDITIONS[edition] = Rules(edition)
    return rules


def registered(rule: str, edition: str = "~") -> Registered:
    """The newest script or procedure of `rule` that is not newer than `edition`.

    Raises KernelFault if there is none: an agenda names a rule that nobody has written.
    """
    return rules_of(edition)[rule]


def registered_rules() -> tuple[str, ...]:
    """All registered rule ids, sorted."""
    return tuple(sorted(_REGISTER))


def script(rule: str, *, edition: str = "") -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Register a script under its rule id: `(state, *arguments) -> Rule[(state, items)]`.

    It returns the new state, and the items to do next, first one first.  A script that asks
    nothing may be a plain function that returns the same.  A further script of the same paragraph
    takes the id with a word after it: "AT-8.1/reveal".
    """

    def keep(run: Callable[P, T]) -> Callable[P, T]:
        _register(rule, edition, run, procedure=False)
        return run

    return keep


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


def procedure(rule: str, *, edition: str = "") -> Callable[[Callable[P, Rule[T]]], Procedure[P, T]]:
    """Register a procedure under its rule id: `(*figures) -> Rule[value]`."""

    def keep(run: Callable[P, Rule[T]]) -> Procedure[P, T]:
        _register(rule, edition, run, procedure=True)
        return Procedure(rule, run)

    return keep


def result_type(rule: str, edition: str = "~") -> Any:
    """The type of a procedure's value, read from its annotation: for the codec and consult."""
    returned = get_type_hints(registered(rule, edition).run)["return"]
    return returned.__args__[2]


def argument_types(rule: str, edition: str = "~") -> tuple[Any, ...]:
    """The types of a rule's arguments in order (a script's state left out), for the codec."""
    entry = registered(rule, edition)
    hints = get_type_hints(entry.run)
    hints.pop("return", None)
    return tuple(hints.values())[0 if entry.procedure else 1 :]


# What a script or procedure may say ---------------------------------------------------------


def ask(
    seat: str, options: OptionsFor, *, absent: Any, subject: str = "", tags: tuple[str, ...] = ()
) -> Rule[Any]:
    """Ask one seat.  Gives the answer."""
    return (yield Ask((seat,), options, absent, subject, True, tags))


def ask_each(
    seats: Iterable[str], options: OptionsFor, *, absent: Any, subject: str = ""
) -> Rule[dict[str, Any]]:
    """Ask several seats at once, sealed until all have answered.  Gives seat -> answer."""
    asked = tuple(seats)
    if len(set(asked)) != len(asked):
        raise KernelFault(f"a seat is asked twice at once: {asked}")
    if not asked:
        return {}
    return (yield Ask(asked, options, absent, subject, False))  # type: ignore[no-any-return]


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
    reveals: whether it shows somebody what he did not know: no undo goes behind it.
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
"""The word of who lets a moment go by."""


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
