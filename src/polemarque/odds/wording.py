"""Refusals, figures and answers of rules in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polemarque.kernel.errors import Refusal
from polemarque.kernel.files.findings import Finding, hint, reason
from polemarque.kernel.files.sentence_templates import in_line
from polemarque.kernel.files.validation_messages import misread

if TYPE_CHECKING:
    from fractions import Fraction

    from polemarque.kernel.files.texts import Catalogue
    from polemarque.kernel.system import System
    from polemarque.odds.consult import ConsultAnswer

DATA = Path(__file__).parent / "data"
"""The texts of consult and of the odds."""

_CATALOGUES: dict[str, Catalogue] = {}


def catalogue_of(system: System | None = None) -> Catalogue:
    """The kernel's texts and those of the odds, with a system's own; kept once read."""
    name = system.name if system else ""
    if name not in _CATALOGUES:
        from polemarque.kernel.files.texts import KERNEL_TEXTS, Catalogue

        own = [system.data] if system and (system.data / "texts.fr.toml").exists() else []
        _CATALOGUES[name] = Catalogue.load(KERNEL_TEXTS, DATA, *own)
    return _CATALOGUES[name]


MORE = "…"
"""What ends a list of choices that is told by its beginning."""


def refusal_text(catalogue: Catalogue, lang: str, refusal: Refusal) -> str:
    """A refusal as one sentence: the text ``error.<code>``, its rule before it."""
    key = f"error.{refusal.code}"
    if not catalogue.has(lang, key):
        return str(refusal)
    given = {
        name: _fault(catalogue, lang, value) if isinstance(value, Finding) else sayable(value)
        for name, value in refusal.data.items()
    }
    if "misread" in given:
        given["misread"] = misread(given["misread"], catalogue, lang)
    part = re.sub(r"^-(?=[0-9]+$)", "\N{MINUS SIGN}", refusal.part)  # a number as it is printed
    legal: Any = list(refusal.legal)
    if any(["," in one or one == MORE for one in legal]):
        legal = in_line(legal, lang)  # set apart, and each told whole
    data = {"rule": refusal.rule, "part": part, "legal": legal, **given}
    if "dice" in given:
        data["dice"] = word(catalogue, lang, "dice", given["dice"])
    lacking = dict.fromkeys(catalogue.names(lang, key) - set(data), "")
    said = re.sub(rf"{MORE}\.(?!\w)", MORE, catalogue.say(lang, key, **data, **lacking))
    if refusal.rule and refusal.rule not in said:
        return catalogue.say(lang, "refusal.by_rule", rule=refusal.rule, said=said)
    return said


def _fault(catalogue: Catalogue, lang: str, finding: Finding) -> str:
    """What is wrong with plain data, and what to do; without words for it, the bare finding."""
    if not catalogue.has(lang, f"check.{finding.code}.reason"):
        return str(finding)
    return f"{reason(finding, catalogue, lang)} {hint(finding, catalogue, lang)}"


def sayable(value: Any) -> Any:
    """A value as texts take it: a text, a number, or a list of these."""
    if isinstance(value, (list, tuple)):
        return [sayable(part) for part in value]
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else str(value)


def word(catalogue: Catalogue, lang: str, family: str, name: str, **data: Any) -> str:
    """The text ``family.name``, or the name itself, readable, where no catalogue has it."""
    key = f"{family}.{name}"
    if not catalogue.has(lang, key):
        return name.replace("_", " ")
    return catalogue.say(lang, key, **data)


def percent(p: float | Fraction, lang: str) -> str:
    """A probability from 0 to 1 in whole percents, more exact below 10 % and above 99 %."""
    part = float(100 * p)
    if p and part < 0.01:
        said = "< 0.01"
    elif p < 1 and part > 99.99:
        said = "> 99.99"
    else:
        places = 2 if part < 1 or part > 99.9 else 1 if part < 9.95 or part > 99 else 0
        said = f"{part:.{places}f}".removesuffix(".00")
    return f"{said.replace('.', ',')} %" if lang == "fr" else f"{said}%"


def whole_percent(p: float | Fraction, lang: str) -> str:
    """A probability from 0 to 1 in whole percents; 0 and 100 are said of certainties alone."""
    part = round(100 * p)
    said = "< 1" if p and part < 1 else "> 99" if p < 1 and part > 99 else f"{part}"
    return f"{said} %" if lang == "fr" else f"{said}%"


def decimal(n: float | Fraction, lang: str) -> str:
    """A number to two places, without those of a whole number."""
    return mean(n, lang).removesuffix(",00").removesuffix(".00")


def mean(n: float | Fraction, lang: str, places: int = 2) -> str:
    """A number to so many places."""
    said = f"{float(n):.{places}f}".replace("-", "−")
    return said.replace(".", ",") if lang == "fr" else said


# Sentences ---------------------------------------------------------------------------------------


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
