"""The inputs of a rule as the fields of a form, read off the Struct that the rule declares.

A form gives each field a name: ``combat_force``, ``a.pm`` for a part of an object, ``units.0.ws``
for a part of the first of a list.  `spread` and `gather` lead from values to typed texts under such
names, and back.  Nothing is refused here but JSON that cannot be read: what a value must be is for
`inputs` to say, which knows the place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from polemarque.kernel.system import Question
from polemarque.odds.inputs import is_whole, number_shape, read_value, shape_of, whole

Kind = Literal["number", "flag", "word", "text", "free", "list", "rows", "group"]


class Field(msgspec.Struct, frozen=True):
    """One input, or one part of an input.

    kind:    a whole number; true or false; one of `words`; a text; what the command line reads,
             where several kinds are good; a list of such things in one line; a list of objects,
             each with the fields `within`; or one object.
    shape:   what may be typed, in the notation of a command line.
    default: what stands for nothing typed, UNSET where something must be.
    """

    name: str
    kind: Kind
    shape: str = ""
    words: tuple[str, ...] = ()
    default: Any = msgspec.UNSET
    within: tuple[Field, ...] = ()
    item: Literal["number", "text", "free"] = "free"

    @property
    def required(self) -> bool:
        """Whether something must be typed."""
        return self.default is msgspec.UNSET


def fields_of(question: Question) -> tuple[Field, ...]:
    """The inputs of a rule, in its own order."""
    return _fields(question.inputs)


@cache
def _fields(inputs: type[msgspec.Struct]) -> tuple[Field, ...]:
    import msgspec.inspect as it

    described = it.type_info(inputs)
    assert isinstance(described, it.StructType)
    return tuple(_field(part) for part in described.fields)


def _field(part: Any) -> Field:
    import msgspec.inspect as it

    kind = _bare(part.type)
    field = Field(part.encode_name, "free", shape_of(kind), default=_default(part))
    if isinstance(kind, it.IntType):
        return msgspec.structs.replace(field, kind="number", shape=number_shape(kind))
    if isinstance(kind, it.BoolType):
        return msgspec.structs.replace(field, kind="flag")
    if isinstance(kind, (it.LiteralType, it.EnumType)):
        values = kind.values if isinstance(kind, it.LiteralType) else [m.value for m in kind.cls]
        return msgspec.structs.replace(field, kind="word", words=tuple(map(str, values)))
    if isinstance(kind, it.StrType):
        return msgspec.structs.replace(field, kind="text")
    if isinstance(kind, it.StructType):
        return msgspec.structs.replace(field, kind="group", within=_fields(kind.cls))
    if isinstance(kind, (it.ListType, it.VarTupleType)):
        item = _bare(kind.item_type)
        if isinstance(item, it.StructType):
            return msgspec.structs.replace(field, kind="rows", within=_fields(item.cls))
        return msgspec.structs.replace(field, kind="list", item=_item(item))
    return field


def _default(part: Any) -> Any:
    if part.default is not msgspec.NODEFAULT:
        return msgspec.to_builtins(part.default)
    if part.default_factory is not msgspec.NODEFAULT:
        return msgspec.to_builtins(part.default_factory())
    return msgspec.UNSET


def _bare(kind: Any) -> Any:
    """A type without its bounds where they do not matter, and without "or nothing"."""
    import msgspec.inspect as it

    while isinstance(kind, it.Metadata):
        kind = kind.type
    if isinstance(kind, it.UnionType):
        ways = [way for way in kind.types if not isinstance(way, it.NoneType)]
        if len(ways) == 1:
            return _bare(ways[0])
    return kind


def _item(kind: Any) -> Literal["number", "text", "free"]:
    import msgspec.inspect as it

    if isinstance(kind, it.IntType):
        return "number"
    return "text" if isinstance(kind, (it.StrType, it.LiteralType, it.EnumType)) else "free"


# From what was typed to values -------------------------------------------------------------------


def gather(fields: Sequence[Field], typed: Mapping[str, str]) -> dict[str, Any]:
    """The values of what was typed, in its order; what is blank is left out.

    A name that is no field's is kept, so that it is refused as unknown and not overlooked.
    Raises NotUnderstood on JSON that cannot be read.
    """
    return _gather(fields, {name: text for name, text in typed.items() if text.strip()}, "")


def _gather(fields: Sequence[Field], typed: Mapping[str, str], above: str) -> dict[str, Any]:
    known = {field.name: field for field in fields}
    values: dict[str, Any] = {}
    for name, text in typed.items():
        head, dot, _ = name.partition(".")
        field = known.get(head)
        if field is None or (dot and field.kind not in {"rows", "group"}):
            values[name] = read_value(f"{above}{name}", text.strip())
        elif not dot:
            values[head] = _value(field, text.strip(), f"{above}{head}")
        elif head not in values:
            parts = _under(typed, head)
            if field.kind == "group":
                values[head] = _gather(field.within, parts, f"{above}{head}.")
            else:
                values[head] = list(_rows(field, parts, f"{above}{head}"))
    return values


def _under(typed: Mapping[str, str], head: str) -> dict[str, str]:
    start = f"{head}."
    return {name[len(start) :]: text for name, text in typed.items() if name.startswith(start)}


def _rows(field: Field, typed: Mapping[str, str], above: str) -> Iterator[dict[str, Any]]:
    """The objects of a list, those that are not blank, by their numbers."""
    numbers = {name.partition(".")[0] for name in typed}
    for place, number in enumerate(sorted(numbers, key=lambda n: (len(n), n))):
        yield _gather(field.within, _under(typed, number), f"{above}.{place}.")


def _value(field: Field, text: str, name: str) -> Any:
    """What was typed into one field; what cannot be meant stays a text, to be refused as one."""
    if text[:1] in {"[", "{"} and field.kind in {"list", "rows", "group", "free"}:
        return read_value(name, text)
    if field.kind == "number":
        return whole(text) if is_whole(text) else text
    if field.kind == "flag":
        return text == "true" if text in {"true", "false"} else text
    if field.kind == "list":
        words = [word.strip() for word in text.split(",")] if "," in text else text.split()
        return [_item_value(field.item, word, name) for word in words if word]
    return read_value(name, text) if field.kind == "free" else text


def _item_value(kind: str, word: str, name: str) -> Any:
    if kind == "number":
        return whole(word) if is_whole(word) else word
    return word if kind == "text" else read_value(name, word)


# From values to what is typed --------------------------------------------------------------------


def spread(fields: Sequence[Field], values: Mapping[str, Any]) -> dict[str, str]:
    """Values as they would be typed: `gather` gives them back."""
    known = {field.name: field for field in fields}
    typed: dict[str, str] = {}
    for name, value in values.items():
        field = known.get(name)
        if field is not None and field.kind == "group" and _objects([value]):
            inside = spread(field.within, value)
            typed.update({f"{name}.{part}": text for part, text in inside.items()})
        elif field is not None and field.kind == "rows" and _objects(value):
            for number, one in enumerate(value):
                inside = spread(field.within, one)
                typed.update({f"{name}.{number}.{part}": text for part, text in inside.items()})
        elif field is not None and field.kind == "list" and _plain_list(value):
            typed[name] = ", ".join(map(_text, value))
        else:
            typed[name] = _text(value)
    return typed


def _objects(value: Any) -> bool:
    """Whether a list can be typed row by row: an empty one, or an empty row, would be lost."""
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return all(isinstance(one, Mapping) and one for one in value)


def _plain_list(value: Any) -> bool:
    """Whether a list can be typed without brackets: words without blanks, commas or quotes."""
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return all(
        (isinstance(one, int) and not isinstance(one, bool))
        or (isinstance(one, str) and one != "" and not set(one) & set(' ,[]{}"\t\n'))
        for one in value
    )


def _text(value: Any) -> str:
    """A value as `read_value` reads it."""
    if isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()
