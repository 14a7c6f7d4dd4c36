"""The sentence that tells the answer of a rule asked alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from polemarque.odds.words import catalogue_of

if TYPE_CHECKING:
    from polemarque.kernel.system import System
    from polemarque.odds.consult import ConsultAnswer


def sentence(system: System, answer: ConsultAnswer, asked: Mapping[str, Any], lang: str) -> str:
    """The answer in words: the system's text ``consult.<rule>``, else its figures in a row.

    The text is given the results by name, then the inputs by name, and as `given_<name>` where a
    result has the same; parts of objects are `<object>_<part>`.
    """
    texts = catalogue_of(system)
    key = f"consult.{answer.rule}"
    if not texts.has(lang, key):
        facts = [f"{name} = {_shown(value)}" for name, value in answer.result.items()]
        return texts.say(lang, "consult.generic", rule=answer.rule, facts=facts)
    inputs = dict(_flat(asked))
    data = {f"given_{name}": value for name, value in inputs.items()}
    data |= inputs | dict(_flat(answer.result))
    lacking = dict.fromkeys(texts.names(lang, key) - set(data))
    return texts.say(lang, key, **data, **lacking)


def _flat(named: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in named.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}_")
        else:
            yield f"{above}{name}", value


def _shown(value: Any) -> str:
    """A figure as JSON writes it, a word as it is."""
    import msgspec

    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
