"""Data made what they are to be, by several threads at once.

msgspec works out what a type holds when that is first asked for.  Another thread that asks before
it is done finds it half made, and ends the whole process (msgspec 0.22: a segmentation fault).  So
one thread at a time has a new type worked out, and everybody comes through here for it.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any, TypeVar, overload

import msgspec

T = TypeVar("T")


def always(default: T) -> T:
    """The default of a field that is written even where it holds.

    Structs leave out what *is* a field's default, the very object (msgspec's omit_defaults); an
    equal one that was made elsewhere is written.  Of a word of several letters, a tuple or a
    Struct there can be several, and equal values would be written otherwise: those say this.
    """
    return msgspec.field(default_factory=lambda: default)


_lock = RLock()
_worked_out: set[Any] = set()


def _prepared(wanted: T) -> T:
    """A type of which all is known that it holds."""
    if wanted not in _worked_out:
        with _lock:
            msgspec.json.Decoder(wanted)
            _worked_out.add(wanted)
    return wanted


Hook = Callable[[type, Any], Any]
"""(type, value) -> the value, for types of our own."""


@overload
def convert(value: Any, wanted: type[T], hook: Hook | None = None) -> T: ...
@overload
def convert(value: Any, wanted: Any, hook: Hook | None = None) -> Any: ...
def convert(value: Any, wanted: Any, hook: Hook | None = None) -> Any:
    """Plain data as the type that is wanted.  Raises msgspec.ValidationError."""
    if hook is None:  # to name none takes msgspec longer than a small type
        return msgspec.convert(value, _prepared(wanted))
    return msgspec.convert(value, _prepared(wanted), dec_hook=hook)


@overload
def decoder(wanted: type[T]) -> msgspec.json.Decoder[T]: ...
@overload
def decoder(wanted: Any) -> msgspec.json.Decoder[Any]: ...
def decoder(wanted: Any) -> msgspec.json.Decoder[Any]:
    """Reads JSON as the type that is wanted, again and again."""
    return msgspec.json.Decoder(_prepared(wanted))


@overload
def from_json(raw: bytes | str, wanted: type[T]) -> T: ...
@overload
def from_json(raw: bytes | str, wanted: Any) -> Any: ...
def from_json(raw: bytes | str, wanted: Any) -> Any:
    """JSON as the type that is wanted.  Raises msgspec.DecodeError."""
    return msgspec.json.decode(raw, type=_prepared(wanted))


def from_toml(raw: bytes | str, wanted: type[T]) -> T:
    """TOML as the type that is wanted.  Raises msgspec.DecodeError."""
    return msgspec.toml.decode(raw, type=_prepared(wanted))


def as_read(content: dict[str, Any]) -> dict[str, Any]:
    """A file's content as it was read, for its checks: a record gives its lists back as tuples."""
    plain = msgspec.json.encode(content, order="deterministic")
    read: dict[str, Any] = msgspec.json.decode(plain)
    return read
