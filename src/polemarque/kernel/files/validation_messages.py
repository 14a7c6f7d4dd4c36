"""What msgspec says of data of another form than is wanted, in the reader's language.

Its messages are English prose; each of its forms is a text ``misread.<form>`` here.  One that is
not known is told by a plain sentence with the field's path.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polemarque.kernel.files.texts import Catalogue

KINDS = frozenset({"int", "float", "str", "bool", "null", "array", "object", "bytes", "datetime"})
"""What msgspec calls the kinds of data, as the texts ``misread.kind`` do; else ``other``."""

# Patterns are compiled when a fault is told: each program loads them, and few meet a fault.
_AT = r" - at (?:`key` in )?`\$?\.?(?P<path>[^`]*)`$"

_KIND = r"`(?P<kind>[^`]+)`"
_FORMS = {
    "kind": rf"Expected {_KIND}, got `(?P<found>[^`]+)`",
    "least": r"Expected `(?:int|float)` >=? (?P<bound>\S+)",
    "most": r"Expected `(?:int|float)` <=? (?P<bound>\S+)",
    "multiple": r"Expected `int` that's a multiple of (?P<bound>\d+)",
    "size": rf"Expected {_KIND} of length (?P<bound>\d+)(?:, got \d+)?",
    "longer": rf"Expected {_KIND} of (?:length >=|at least length) (?P<bound>\d+)(?:, got \d+)?",
    "shorter": rf"Expected {_KIND} of (?:length <=|at most length) (?P<bound>\d+)(?:, got \d+)?",
    "pattern": r"Expected `str` matching regex (?P<bound>.+)",
    "missing": r"Object missing required field `(?P<bound>[^`]+)`",
    "unknown": r"Object contains unknown field `(?P<bound>[^`]+)`",
    "word": r"(?s)Invalid (?:enum )?value (?P<bound>.+)",
    "range": r"(?:Integer value|Number) out of range",
}


def misread(message: str, speaker: Catalogue, lang: str) -> str:
    """A message of msgspec as sentences in `lang`, the place of the fault first."""
    at = re.search(_AT, message)
    path = at["path"].replace("[...]", "") if at else ""
    bare = re.sub(_AT, "", message)
    for form, pattern in _FORMS.items():
        if found := re.fullmatch(pattern, bare):
            said = found.groupdict()
            data = {name: _kinds(said[name], speaker, lang) for name in ("kind", "found")
                    if said.get(name)}  # fmt: skip
            bound = (said.get("bound") or "").strip("'")
            return speaker.say(lang, f"misread.{form}", path=path, bound=bound, **data)
    return speaker.say(lang, "misread.other", path=path)


def misread_at(message: str) -> tuple[str | int, ...]:
    """Where in the data a message of msgspec finds its fault, as `findings.Lines` takes steps."""
    at = re.search(_AT, message)
    path = at["path"].partition("[...]")[0] if at else ""
    found = re.findall(r"\[(\d+)\]|([^.\[\]]+)", path)
    steps = [int(number) if number else name for number, name in found]
    unknown = re.fullmatch(_FORMS["unknown"], re.sub(_AT, "", message))
    return (*steps, unknown["bound"]) if unknown else tuple(steps)


def _kinds(said: str, speaker: Catalogue, lang: str) -> str:
    """Kinds of data in words: of `int | null`, "a whole number or nothing"."""
    kinds = [kind if kind in KINDS else "other" for kind in said.split(" | ")]
    told = [speaker.say(lang, f"misread.kind_of.{kind}") for kind in dict.fromkeys(kinds)]
    return speaker.say(lang, "misread.or").join(told)
