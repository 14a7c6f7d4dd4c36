"""Inputs of a rule asked alone: from what was typed to the rule's own Struct, refused precisely."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import msgspec

from polemarque.kernel.errors import LONGEST_PART, DiceRefused, NotUnderstood
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.system import Question, System

CHOICES = "choices"
"""The input that answers choices met on the way, by subject or rule id."""


def read_inputs(question: Question, raw: Any) -> tuple[msgspec.Struct, dict[str, Any]]:
    """The inputs of a rule and the choices given with them.

    Raises NotUnderstood naming what is missing, unknown or of another kind.
    """
    rule = question.rule
    if not isinstance(raw, Mapping):
        raise NotUnderstood("consult.object", rule=rule, part="inputs")
    given = dict(raw)
    choices = {}
    names = question.inputs.__struct_encode_fields__
    if CHOICES in given and CHOICES not in names:
        choices = given.pop(CHOICES)
        if not isinstance(choices, Mapping):
            raise NotUnderstood("consult.object", rule=rule, part=CHOICES)
        for name in choices:
            if name not in question.choices:
                raise NotUnderstood(
                    "consult.unknown_choice", rule=rule, part=name, legal=question.choices
                )
    for name in given:
        if name not in names:
            raise NotUnderstood("consult.unknown_input", rule=rule, part=name, legal=names)
    missing = [name for name in _required(question.inputs) if name not in given]
    if missing:
        raise NotUnderstood("consult.missing", **_listed(missing), **wanted(question))
    try:
        inputs = convert(given, question.inputs)
    except msgspec.ValidationError as fault:
        _refuse(question, str(fault))
    for place in _strange(inputs, given, ""):
        _refuse_field(question, "unknown_part", place)
    return inputs, dict(choices)


def check_numbers(system: System, options: Any) -> None:
    """See that options which are numbers came as numbers, where everything is read strictly.

    A system takes them as texts too, from forms and house rules.  Raises NotUnderstood.
    """
    if not isinstance(options, Mapping):
        return
    for choice in system.options:
        value = options.get(choice.name)
        if choice.number and isinstance(value, str):
            raise choice.refusal(msgspec.json.encode(value).decode())


def _required(inputs: type[msgspec.Struct]) -> list[str]:
    """Names of the fields without a default (defaults stand for the last fields)."""
    names, defaults = inputs.__struct_encode_fields__, inputs.__struct_defaults__
    needed = len(names) - len(defaults)
    some = [n for n, d in zip(names[needed:], defaults, strict=True) if d is msgspec.NODEFAULT]
    return [*names[:needed], *some]


def _listed(names: list[str]) -> dict[str, str]:
    """Names in a row, as many as a refusal repeats, and an ellipsis if there are more."""
    said = ", ".join(names)
    if len(said) <= LONGEST_PART:
        return {"part": said}
    return {"part": said[: LONGEST_PART + 1].rpartition(", ")[0], "more": "…"}


def _strange(read: Any, raw: Any, place: str) -> Iterator[str]:
    """Places of `raw` that reading it left out."""
    if isinstance(read, msgspec.Struct) and isinstance(raw, Mapping):
        known = dict(zip(read.__struct_encode_fields__, read.__struct_fields__, strict=True))
        for name, part in raw.items():
            within = f"{place}.{name}" if place else name
            if name in known:
                yield from _strange(getattr(read, known[name]), part, within)
            else:
                yield within
    elif isinstance(read, (list, tuple)) and isinstance(raw, (list, tuple)):
        for number, (one, part) in enumerate(zip(read, raw, strict=False)):
            yield from _strange(one, part, f"{place}[{number}]")


def echo(inputs: msgspec.Struct, choices: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs as plain data, defaults filled in; what is None by default is left out."""
    said = {}
    for shown, name in zip(inputs.__struct_encode_fields__, inputs.__struct_fields__, strict=True):
        value = getattr(inputs, name)
        if value is not None and value is not msgspec.UNSET:
            said[shown] = msgspec.to_builtins(value)
    return {**said, CHOICES: dict(choices)} if choices else said


def read_dice(raw: Any) -> tuple[int, ...]:
    """Typed faces.  Raises DiceRefused naming what is no face."""
    if not isinstance(raw, (list, tuple)):
        raise NotUnderstood("consult.dice_list", part=raw)
    for face in raw:
        if type(face) is not int:
            raise DiceRefused("consult.face", part=msgspec.json.encode(face).decode())
    return tuple(raw)


def wanted(question: Question) -> dict[str, Any]:
    """What a rule wants, as data of the refusal ``consult.missing``."""
    return {
        "rule": question.rule,
        "wants": " ".join(shapes(question.inputs)),
        "dice": question.dice,
        "example": example(question),
    }


def example(question: Question) -> str:
    """The command line of a rule's example."""
    values = [f"{name}={_typed(value)}" for name, value in question.example.items()]
    return " ".join(["polemarque", "consult", question.rule, *values])


def _typed(value: Any) -> str:
    if isinstance(value, str):
        return value
    text = msgspec.json.encode(value).decode()
    return f"'{text}'" if isinstance(value, (list, tuple, dict)) else text


# Shapes: what an input looks like ------------------------------------------------------------


def shapes(inputs: type[msgspec.Struct]) -> list[str]:
    """Each input as it is typed: ``loot=N``, ``capital=true|false``, optional ones in brackets."""
    found = []
    for name, required, kind in _fields(inputs):
        shape = f"{name}={shape_of(kind)}"
        found.append(shape if required else f"[{shape}]")
    return found


def _fields(inputs: type[msgspec.Struct]) -> Iterator[tuple[str, bool, Any]]:
    import msgspec.inspect

    described = msgspec.inspect.type_info(inputs)
    assert isinstance(described, msgspec.inspect.StructType)
    for field in described.fields:
        yield field.encode_name, field.required, field.type


def shape_of(kind: Any) -> str:
    """A type in the notation of a command line: N is a whole number."""
    import msgspec.inspect as it

    if isinstance(kind, it.Metadata):
        return shape_of(kind.type)
    if isinstance(kind, it.IntType):
        return number_shape(kind)
    if isinstance(kind, it.BoolType):
        return "true|false"
    if isinstance(kind, it.StrType):
        return '"…"'
    if isinstance(kind, it.LiteralType):
        return "|".join(map(str, kind.values))
    if isinstance(kind, it.EnumType):
        return "|".join(str(member.value) for member in kind.cls)
    if isinstance(kind, it.UnionType):
        parts = [part for part in kind.types if not isinstance(part, it.NoneType)]
        return "|".join(map(shape_of, parts))
    if isinstance(kind, it.StructType):
        within = [f'"{f.encode_name}": {shape_of(f.type)}' for f in kind.fields]
        return "{" + ", ".join(within) + "}"
    if isinstance(kind, (it.ListType, it.VarTupleType)):
        return f"[{shape_of(kind.item_type)}, …]"
    return "…"


def number_shape(kind: Any) -> str:
    """A whole number, with its bounds if it has any: ``N``, ``0..6``."""
    low = kind.ge if kind.ge is not None else kind.gt + 1 if kind.gt is not None else None
    high = kind.le if kind.le is not None else kind.lt - 1 if kind.lt is not None else None
    if low is None and high is None:
        return "N"
    return f"{'' if low is None else low}..{'' if high is None else high}"


# Refusals --------------------------------------------------------------------------------------

_PLACE = re.compile(r"(?P<what>.*?)(?: - at `\$?\.?(?P<place>.*)`)?", re.DOTALL)
_FIELD = re.compile(r"Object (?P<how>missing required|contains unknown) field `(?P<name>.+)`")


def _refuse(question: Question, message: str) -> NoReturn:
    """Say what msgspec found, naming the place as it is typed."""
    found = _PLACE.fullmatch(message)
    assert found is not None
    what, place = found["what"], found["place"] or ""
    field = _FIELD.fullmatch(what)
    if field:
        code = "missing_part" if field["how"].startswith("missing") else "unknown_part"
        _refuse_field(question, code, f"{place}.{field['name']}" if place else field["name"])
    shape = _shape_at(question.inputs, place)
    raise NotUnderstood(
        "consult.value", rule=question.rule, part=place, shape=shape, what=what
    ) from None


def _refuse_field(question: Question, code: str, place: str) -> NoReturn:
    shape = _shape_at(question.inputs, place.rpartition(".")[0])
    raise NotUnderstood(f"consult.{code}", rule=question.rule, part=place, shape=shape) from None


def _shape_at(inputs: type[msgspec.Struct], place: str) -> str:
    """What belongs at a place such as ``units[0].ws``; "" if it is not clear."""
    import msgspec.inspect as it

    kind: Any = it.type_info(inputs)
    for step in re.findall(r"[A-Za-z_]\w*|\[", place):
        while isinstance(kind, it.Metadata):
            kind = kind.type
        ways = kind.types if isinstance(kind, it.UnionType) else (kind,)
        if step == "[":
            inside = [getattr(way, "item_type", None) for way in ways]
        else:
            fields = [field for way in ways for field in getattr(way, "fields", ())]
            inside = [field.type for field in fields if field.encode_name == step]
        kind = next(filter(None, inside), None)
        if kind is None:
            return ""
    return shape_of(kind)


# What is typed -----------------------------------------------------------------------------------

LONGEST = 18
"""Digits of the longest whole number that is read as one."""

MOST_FACES = 100_000
"""More faces than this are not typed at once."""

_WHOLE = re.compile(r"[-+−]?[0-9]+", re.ASCII)
_FACES = re.compile(r"(?:(?P<times>[0-9]+)x)?(?P<face>-?[0-9]+)", re.ASCII)


def is_whole(typed: str) -> bool:
    """Whether a whole number is typed, of a length that can be meant."""
    return bool(_WHOLE.fullmatch(typed)) and len(typed) <= LONGEST + 1


def whole(typed: str) -> int:
    """A whole number that `is_whole`."""
    return int(typed.replace("−", "-"))


def read_value(name: str, typed: str) -> Any:
    """A whole number, true or false, a JSON list, object, text or null, or else a word.

    name: what it is typed for.  Raises NotUnderstood on JSON that cannot be read.
    """
    if is_whole(typed) and typed[0] not in "+−":
        return int(typed)
    if typed in {"true", "false"}:
        return typed == "true"
    if typed[:1] in {"[", "{", '"'} or typed == "null":
        try:
            return msgspec.json.decode(typed)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise NotUnderstood("consult.json", part=name) from None
    return typed


def faces_typed(typed: str) -> list[int]:
    """Faces in order: ``4 2 6``, ``[4, 2, 6]``; ``10x1`` is ten ones.  Raises DiceRefused."""
    inside = typed.strip().removeprefix("[").removesuffix("]")
    faces: list[int] = []
    for word in inside.replace(",", " ").split():
        read = _FACES.fullmatch(word)
        if read is None or len(word) > LONGEST:
            raise DiceRefused("consult.face", part=word[:40])
        times = int(read["times"] or 1)
        if times + len(faces) > MOST_FACES:
            raise DiceRefused("consult.most_dice", part=times, legal=(f"0-{MOST_FACES}",))
        faces += [int(read["face"])] * times
    return faces


def faces_to_type(faces: list[int] | tuple[int, ...]) -> str:
    """Faces as `faces_typed` reads them, equal ones in a row put together."""
    words: list[str] = []
    at = 0
    while at < len(faces):
        end = at
        while end < len(faces) and faces[end] == faces[at]:
            end += 1
        times = end - at
        words += [f"{times}x{faces[at]}"] if times > 2 else [str(faces[at])] * times
        at = end
    return " ".join(words)


# All faults at once ------------------------------------------------------------------------------

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
