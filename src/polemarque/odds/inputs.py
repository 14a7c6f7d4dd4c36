"""Inputs of a rule asked alone: from what was typed to the rule's own Struct, refused precisely."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import msgspec

from polemarque.kernel.conversion import convert
from polemarque.kernel.errors import LONGEST_PART, DiceRefused, NotUnderstood
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
