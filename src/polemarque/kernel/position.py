"""Positions: a game at one moment, as plain immutable data.

A position is the state, the agenda still to come, the script that is running (and the procedures
it has called) with the answers each has had since it began, the sealed answers waiting, and the
live battles open inside it.  A save in the middle of a reaction is ordinary JSON; a copy shares
references and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cache, lru_cache
from typing import Any, TypeAlias

import msgspec

from polemarque.kernel.agenda import Item, Rules, argument_types, result_type, rules_of
from polemarque.kernel.battle_brief import Brief, Report, resolver
from polemarque.kernel.dice import Counts, Faces
from polemarque.kernel.errors import KernelFault, NotUnderstood
from polemarque.kernel.events import Modifier, Thrown
from polemarque.kernel.files.decoding import always, convert, decoder, from_json
from polemarque.kernel.request import Key


class Evidence(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """Dice and modifiers that no event has shown yet, and how many events have been told."""

    dice: tuple[Thrown, ...] = ()
    reasons: tuple[Modifier, ...] = ()
    told: int = 0


class OneAnswer(msgspec.Struct, frozen=True, gc=False, array_like=True, tag="a"):
    """One seat's answer; `decides` is what of it may bear on dice (True: all of it)."""

    value: Any
    decides: Any = True


class Answers(msgspec.Struct, frozen=True, gc=False, array_like=True, tag="e"):
    """Answers of several seats, revealed together; `decides` as in `OneAnswer`."""

    value: dict[str, Any]
    decides: Any = True


class RolledFaces(msgspec.Struct, frozen=True, gc=False, array_like=True, tag="d"):
    """Dice that fell."""

    value: Any


class Returned(msgspec.Struct, frozen=True, gc=False, array_like=True, tag="c"):
    """The value of a procedure that was called, with what it rolled and worked out."""

    rule: str
    value: Any
    evidence: Evidence = Evidence()


class BattleReports(msgspec.Struct, frozen=True, array_like=True, tag="r"):
    """The reports of battles."""

    value: tuple[Report, ...]


Given = OneAnswer | Answers | RolledFaces | Returned | BattleReports
"""Anything a script or procedure is given in answer to what it yielded."""


class Frame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A running script or procedure: what it began with and what it has been given since.

    tallies, evidence: of a procedure's earlier rounds (those ended by `again`).
    """

    rule: str
    args: tuple[Any, ...]
    given: tuple[Given, ...] = ()
    tallies: dict[str, Any] = {}
    evidence: Evidence = always(Evidence())


class Branch(msgspec.Struct, frozen=True):
    """A live battle: its brief and its own position; it is over when that position has no item."""

    brief: Brief
    path: str
    position: Position


class Position(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game at one moment.

    frames:   the running script first, then the procedures it is inside.
    asked:    keys of the open question: rules that would ask another one are refused on a restart.
    waiting:  sealed answers of the seats that have answered it.
    told:     how many events of the running script have been published.
    numbers:  how often each request name was used in this period.
    absent:   seats whose questions the rules answer, each with its absent default.
    editions: by resolver, the edition of the battles that are opened from here.
    judges:   seats that settle what is put to the umpire, where the umpire plays.
    """

    system: str
    edition: str
    state: Any
    agenda: tuple[Item, ...] = ()
    frames: tuple[Frame, ...] = ()
    asked: tuple[Key, ...] = ()
    waiting: dict[str, Any] = {}
    branches: tuple[Branch, ...] = ()
    told: int = 0
    period: int = 0
    numbers: tuple[tuple[str, str, str, int], ...] = ()
    absent: tuple[str, ...] = ()
    editions: dict[str, str] = {}
    judges: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether nothing is left to do."""
        return not self.agenda and not self.frames


DEEPEST = 100
"""Levels of plain data that are read: no set-up has ten, and what is deeper costs stack."""


def plain(value: Any, levels: int = DEEPEST) -> Any:
    """JSON data with every list made a tuple, as answers and arguments are kept.

    Raises RecursionError on data of more levels, as who reads or writes JSON does.
    """
    if not levels:
        raise RecursionError("data of too many levels")
    kind, less = type(value), levels - 1
    if kind is list:
        return tuple([part if type(part) in SIMPLE else plain(part, less) for part in value])
    if kind is dict:
        return {
            name: part if type(part) in SIMPLE else plain(part, less)
            for name, part in value.items()
        }
    return value


Simple: TypeAlias = bool | int | float | str | None
_One: TypeAlias = Simple | tuple[Simple, ...] | dict[str, Simple]
_Two: TypeAlias = Simple | tuple[_One, ...] | dict[str, _One]
_Three: TypeAlias = Simple | tuple[_Two, ...] | dict[str, _Two]
_Four: TypeAlias = Simple | tuple[_Three, ...] | dict[str, _Three]
_Five: TypeAlias = Simple | tuple[_Four, ...] | dict[str, _Four]
Plain: TypeAlias = Simple | tuple[_Five, ...] | dict[str, _Five]
"""What an answer can be: six levels, where a sheet in a sheet with lists of pairs takes four.

Read at once with this type, lists are tuples from the start.
"""

SIMPLE = frozenset((str, int, bool, float, type(None)))
"""JSON data that holds no other."""


@lru_cache(maxsize=1024)
def _digits(raw: str) -> tuple[int, ...]:
    return tuple([int(digit) for digit in raw])


def faces_of_record(raw: Any) -> Faces:
    """Dice from a record: digits for dice of at most nine faces, a list, or counts.

    Raises NotUnderstood.
    """
    if isinstance(raw, str) and raw.isascii() and raw.isdecimal():
        return _digits(raw)
    if isinstance(raw, (list, tuple)) and all(type(face) is int for face in raw):
        return tuple(raw)
    if isinstance(raw, dict) and set(raw) == {"of"}:
        with suppress(msgspec.ValidationError):
            return convert(raw, Counts)
    raise NotUnderstood("record.faces", part=raw)


def record_of_faces(fell: Faces) -> Any:
    """Dice for a record: digits where every face is one digit, else a list, or counts."""
    return {"of": fell.of} if isinstance(fell, Counts) else _in_digits(fell)


@lru_cache(maxsize=1024)
def _in_digits(fell: tuple[int, ...]) -> str | tuple[int, ...]:
    return "".join(map(str, fell)) if fell and max(fell) <= 9 else fell


_encoder = msgspec.json.Encoder(order="deterministic")


def encode(value: Any) -> bytes:
    """Canonical JSON: the same value always gives the same bytes."""
    return _encoder.encode(value)


def encode_lines(values: Iterable[Any]) -> bytes:
    """Canonical JSON of several values, each with a line end: there is none inside."""
    return _encoder.encode_lines(values)


def encode_position(position: Position) -> bytes:
    """A position as canonical JSON."""
    return encode(position)


def decode_position(raw: bytes) -> Position:
    """A position from its JSON; raises NotUnderstood naming the place that cannot be read."""
    try:
        return _typed(_decoder().decode(raw))
    except (msgspec.ValidationError, msgspec.DecodeError, KeyError, TypeError) as fault:
        raise NotUnderstood("position.unreadable", part=fault) from None


class _Saved(msgspec.Struct):
    """A position as its JSON is read; parts whose types hang on its rules are read after it."""

    system: str
    edition: str
    state: msgspec.Raw
    agenda: list[list[Any]] = []
    frames: list[dict[str, Any]] = []
    asked: tuple[Key, ...] = ()
    waiting: dict[str, Any] = {}
    branches: list[_SavedBranch] = []
    told: int = 0
    period: int = 0
    numbers: tuple[tuple[str, str, str, int], ...] = ()
    absent: tuple[str, ...] = ()
    editions: dict[str, str] = {}
    judges: tuple[str, ...] = ()


class _SavedBranch(msgspec.Struct):
    """A live battle as its JSON is read."""

    brief: Brief
    path: str
    position: _Saved


@cache
def _decoder() -> msgspec.json.Decoder[_Saved]:
    return decoder(_Saved)


def _typed(saved: _Saved) -> Position:
    """Give every part of a decoded position its type."""
    from polemarque.kernel.system import find_system  # the register of systems imports positions

    system = find_system(saved.system)
    rules = rules_of(system.package, saved.edition)
    return Position(
        system=saved.system,
        edition=saved.edition,
        state=from_json(saved.state, system.state),
        agenda=tuple([(rule, *_arguments(rule, args, rules)) for rule, *args in saved.agenda]),
        frames=tuple([_frame(frame, rules) for frame in saved.frames]),
        asked=saved.asked,
        waiting=plain(saved.waiting),
        branches=tuple([_branch(branch) for branch in saved.branches]),
        told=saved.told,
        period=saved.period,
        numbers=saved.numbers,
        absent=saved.absent,
        editions=saved.editions,
        judges=saved.judges,
    )


def _branch(saved: _SavedBranch) -> Branch:
    resolver(saved.brief.resolver)  # the battle's system is known once its resolver is loaded
    return Branch(saved.brief, saved.path, _typed(saved.position))


def _frame(raw: dict[str, Any], rules: Rules) -> Frame:
    rule = raw["rule"]
    return Frame(
        rule=rule,
        args=_arguments(rule, raw["args"], rules),
        given=tuple(_given(given, rules) for given in raw.get("given", ())),
        tallies=raw.get("tallies", {}),
        evidence=convert(raw.get("evidence", []), Evidence),
    )


def _arguments(rule: str, raw: list[Any], rules: Rules) -> tuple[Any, ...]:
    """The arguments of a script or procedure, each of the type that it declares."""
    types = argument_types(rules[rule])
    if len(raw) > len(types):
        raise KernelFault(f"{rule} declares no type for some of its arguments")
    return tuple([convert(plain(a), t) for a, t in zip(raw, types, strict=False)])


def _given(raw: list[Any], rules: Rules) -> Given:
    tag, *rest = raw
    if tag == "a":
        return OneAnswer(*plain(rest))
    if tag == "e":
        return Answers(*plain(rest))
    if tag == "d":
        return RolledFaces(faces_of_record(rest[0]))
    if tag == "r":
        return BattleReports(convert(rest[0], tuple[Report, ...]))
    rule, value, *evidence = rest
    return Returned(
        rule,
        convert(value, result_type(rules[rule])),
        convert(evidence[0], Evidence) if evidence else Evidence(),
    )
