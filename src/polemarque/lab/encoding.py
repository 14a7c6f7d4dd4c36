"""Views and questions as vectors of a fixed size, for programs that learn.

Systems are plugins, so nothing here knows what a view holds.  Its leaves are *hashed*: the path of
a leaf says which number of the vector it adds to, and with which sign (feature hashing: Weinberger
et al. 2009).  A word at a path counts 1, a number the logarithm of its size.  Two leaves may fall
on one number, and zero looks like nothing; anyone who wants to lose nothing reads the view itself,
which is in the environments' ``info``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from math import copysign, log1p
from typing import Any, TypedDict

import msgspec
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray

from polemarque.kernel.files.decoding import from_json
from polemarque.kernel.position import encode
from polemarque.kernel.request import Key
from polemarque.lab.answer_menus import Menu

LIMIT = 32.0
"""No number of an observation is beyond it, on either side of zero."""

MARKS = 16
"""Numbers that tell one choice: the sizes of its two ends, then signs by their names."""

Vector = NDArray[np.float32]
Numbers = NDArray[np.float64]


class Observation(TypedDict):
    """What an agent is given: the vector, and 1 for each action that can be taken, else 0."""

    observation: Vector
    action_mask: NDArray[np.int8]


class Encoding(msgspec.Struct, frozen=True):
    """How much room there is for what.

    choices:  actions, that is, things to pick from at a time (2 or more).
    view:     numbers for the view.
    question: numbers for the question and the parts of the answer that are given.

    The vector is the view's numbers, the question's, then `MARKS` for each choice.
    """

    choices: int = 64
    view: int = 1024
    question: int = 256

    def __post_init__(self) -> None:
        """Raises ValueError on sizes by which nothing could be picked or seen."""
        if self.choices < 2 or self.view < 1 or self.question < 1:
            raise ValueError(f"2 choices at least, 1 number for view and question: {self}")

    def actions(self) -> Discrete:
        """A space of actions."""
        return Discrete(self.choices)

    def space(self) -> Dict:
        """A space of observations."""
        size = self.view + self.question + self.choices * MARKS
        return Dict(
            {
                "observation": Box(-LIMIT, LIMIT, (size,), np.float32),
                "action_mask": Box(0, 1, (self.choices,), np.int8),
            }
        )

    def seen(self, view: bytes) -> Vector:
        """The numbers of a view, given as canonical JSON."""
        return _hashed(view, self.view, 2)

    def observation(self, seen: Vector, key: Key, menu: Menu | None) -> Observation:
        """A question put to a seat that has `seen` so much; without a menu nothing can be picked.

        Of a seat that is not asked, `key` holds its name and nothing else.
        """
        asked: dict[str, Any] = {
            "seat": key.seat, "rule": key.rule, "subject": key.subject, "period": key.period,
            "battle": bool(key.path), "number": key.number,
        }  # fmt: skip
        marks = np.zeros((self.choices, MARKS), np.float32)
        mask = np.zeros(self.choices, np.int8)
        if menu is not None:
            asked |= {"parts": menu.parts, "said": menu.said}
            mask[: len(menu.choices)] = 1
            for index, (first, last) in enumerate(menu.choices):
                marks[index] = _marks(encode(first), encode(last))
        question = _hashed(encode(asked), self.question, 1)
        return {
            "observation": np.concatenate((seen, question, marks.ravel())),
            "action_mask": mask,
        }


def _hashed(data: bytes, size: int, depth: int) -> Vector:
    """The numbers of a JSON text.   depth: how far down its parts are remembered one by one."""
    places, numbers = _leaves("", data, size, depth)
    summed = np.bincount(places, numbers, minlength=size)
    return summed.clip(-LIMIT, LIMIT).astype(np.float32)


@lru_cache(maxsize=2**14)  # from one question to the next most of a view stays as it was
def _leaves(path: str, data: bytes, size: int, depth: int) -> tuple[NDArray[np.intp], Numbers]:
    """The places that the leaves of a JSON text add to, and what each adds, in the text's order."""
    if depth and data[:1] in (b"{", b"["):
        within = [
            _leaves(f"{path}/{name}", bytes(each), size, depth - 1) for name, each in _parts(data)
        ]
        if within:
            places, numbers = zip(*within, strict=True)
            return np.concatenate(places), np.concatenate(numbers)
    marks = [
        (_place(leaf, size), number) for leaf, number in _walk(msgspec.json.decode(data), path)
    ]
    return (
        np.array([at for (at, _), _ in marks], np.intp),
        np.array([sign * number for (_, sign), number in marks], np.float64),
    )


def _parts(data: bytes) -> Iterable[tuple[str | int, msgspec.Raw]]:
    """What an object or a list holds, each part as it is written."""
    if data.startswith(b"{"):
        return from_json(data, dict[str, msgspec.Raw]).items()
    return enumerate(from_json(data, list[msgspec.Raw]))


def _walk(value: Any, path: str) -> Iterator[tuple[str, float]]:
    """Where there is what in plain data."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _walk(each, f"{path}/{name}")
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _walk(each, f"{path}/{index}")
    elif isinstance(value, str):
        yield f"{path}={value}", 1.0
    elif value is not None:
        yield path, _size(value)


def _size(number: float) -> float:
    """How a number counts: 1 for True, else its sign times the logarithm of 1 + its size."""
    return float(number) if isinstance(number, bool) else copysign(log1p(abs(number)), number)


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


@lru_cache(maxsize=2**17)
def _place(path: str, size: int) -> tuple[int, int]:
    """Which number of the vector a leaf adds to, and with which sign."""
    index, odd = divmod(_digest(path), 2)
    return index % size, 1 if odd else -1


@lru_cache(maxsize=2**14)
def _marks(first: bytes, last: bytes) -> Vector:
    """The two ends of what a choice stands for, as JSON: their sizes, then the mean of signs."""
    ends = [msgspec.json.decode(end) for end in (first, last)]
    sizes = [_size(end) if isinstance(end, (int, float)) else 0.0 for end in ends]
    signs = (_signs(first) + _signs(last)) / 2
    return np.concatenate((np.array(sizes, np.float32).clip(-LIMIT, LIMIT), signs))


def _signs(name: bytes) -> Vector:
    """One for each bit of a name's digest: no two names look alike but by a rare chance."""
    bits = _digest(name.decode())
    return np.array([1 if bits >> at & 1 else -1 for at in range(MARKS - 2)], np.float32)
