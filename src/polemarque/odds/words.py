"""Words: refusals, figures and reasons in the reader's language."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from polemarque.kernel.checks import Finding, hint, reason
from polemarque.kernel.errors import Refusal

if TYPE_CHECKING:
    from polemarque.kernel.system import System
    from polemarque.kernel.texts import Catalogue

DATA = Path(__file__).parent / "data"
"""The texts of consult and of the odds."""

_CATALOGUES: dict[str, Catalogue] = {}


def catalogue_of(system: System | None = None) -> Catalogue:
    """The kernel's texts and those of the odds, with a system's own; kept once read."""
    name = system.name if system else ""
    if name not in _CATALOGUES:
        from polemarque.kernel.texts import KERNEL_TEXTS, Catalogue

        own = [system.data] if system and (system.data / "texts.fr.toml").exists() else []
        _CATALOGUES[name] = Catalogue.load(KERNEL_TEXTS, DATA, *own)
    return _CATALOGUES[name]


def refusal_text(catalogue: Catalogue, lang: str, refusal: Refusal) -> str:
    """A refusal as one sentence: the text ``error.<code>``, its rule before it."""
    key = f"error.{refusal.code}"
    if not catalogue.has(lang, key):
        return str(refusal)
    given = {
        name: _fault(catalogue, lang, value) if isinstance(value, Finding) else sayable(value)
        for name, value in refusal.data.items()
    }
    data = {"rule": refusal.rule, "part": refusal.part, "legal": list(refusal.legal), **given}
    if "dice" in given:
        data["dice"] = word(catalogue, lang, "dice", given["dice"])
    lacking = dict.fromkeys(catalogue.names(lang, key) - set(data), "")
    said = catalogue.say(lang, key, **data, **lacking)
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
