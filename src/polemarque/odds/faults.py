"""Everything that is wrong with the inputs of a rule, for a form that tells it all at once.

What is refused is put right by the least that its kind allows, and read again: what is still wrong
is the next fault.  A rule's own refusals, of figures that do not go together, are not among them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.system import Question
from polemarque.odds.inputs import read_inputs

MOST = 100
"""At most this many are told."""


def faults_of(question: Question, raw: Mapping[str, Any]) -> list[NotUnderstood]:
    """What `read_inputs` would refuse, one after the other, each once; of what is missing each."""
    found: list[NotUnderstood] = []
    seen: set[str] = set()
    try:
        mended = msgspec.json.decode(msgspec.json.encode(raw))
    except (RecursionError, UnicodeEncodeError):
        return found  # no form is as deep, or has such letters: what refuses it is told alone
    while len(found) < MOST:
        try:
            read_inputs(question, mended)
        except NotUnderstood as refusal:
            places = str(refusal.part).split(", ")
            if seen.issuperset(places):  # it cannot be put right: what follows is not known
                break
            seen.update(places)
            found.append(refusal)
            for place in places:
                _mend(question, mended, place, gone="unknown" in refusal.code)
        else:
            break
    return found


def _mend(question: Question, raw: Any, place: str, *, gone: bool) -> None:
    """Put something good at a place such as ``units[0].ws``, or take away what has none."""
    if place in raw:  # a name that is none may look like a place
        steps: list[str | int] = [place]
    else:
        steps = [
            int(word[1:-1]) if word[:1] == "[" else word
            for word in re.findall(r"\[\d+\]|[^.\[]+", place) or [place]
        ]
    *above, last = steps
    try:
        for step in above:
            raw = raw[step]
        if gone:
            del raw[last]
        else:
            raw[last] = _least(_kind_at(question, [*above, last]))
    except (KeyError, IndexError, TypeError):
        return  # there is no such place: it is told, and nothing more


def _kind_at(question: Question, steps: list[str | int]) -> Any:
    """What belongs at a place, as msgspec describes it; None if it is not clear."""
    import msgspec.inspect as it

    kind: Any = it.type_info(question.inputs)
    for step in steps:
        ways = [_bare(way) for way in getattr(_bare(kind), "types", (kind,))]
        if isinstance(step, int):
            inside = [getattr(way, "item_type", None) for way in ways]
        else:
            fields = [field for way in ways for field in getattr(way, "fields", ())]
            inside = [field.type for field in fields if field.encode_name == step]
        kind = next(filter(None, inside), None)
    return kind


def _bare(kind: Any) -> Any:
    import msgspec.inspect as it

    while isinstance(kind, it.Metadata):
        kind = kind.type
    return kind


def _least(kind: Any) -> Any:
    """A value of a kind, the plainest."""
    import msgspec.inspect as it

    kind = _bare(kind)
    if isinstance(kind, it.UnionType):
        nothing = any(isinstance(way, it.NoneType) for way in kind.types)
        return None if nothing else _least(kind.types[0])
    if isinstance(kind, it.IntType):
        low = kind.ge if kind.ge is not None else kind.gt + 1 if kind.gt is not None else None
        high = kind.le if kind.le is not None else kind.lt - 1 if kind.lt is not None else None
        return low if low is not None else min(0, high) if high is not None else 0
    if isinstance(kind, it.BoolType):
        return False
    if isinstance(kind, it.LiteralType):
        return kind.values[0]
    if isinstance(kind, it.EnumType):
        return next(iter(kind.cls)).value
    if isinstance(kind, it.StructType):
        return {f.encode_name: _least(f.type) for f in kind.fields if f.required}
    if isinstance(kind, (it.ListType, it.VarTupleType)):
        return [_least(kind.item_type)] * (getattr(kind, "min_length", None) or 0)
    return ""
