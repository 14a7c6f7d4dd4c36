"""The chances that a system declares for an option, as figures in the reader's language."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from polemarque.kernel.agenda import Call, Rules
from polemarque.kernel.option_chances import ChanceOf, MeanOf
from polemarque.odds.wording import mean, whole_percent

if TYPE_CHECKING:
    from polemarque.odds.enumeration import Law
    from polemarque.odds.outcomes import Spread

KEPT = 4_000
"""About so many laws are kept; then all are forgotten."""

_LAWS: dict[Hashable, Law] = {}

_KNOWN: dict[Hashable, dict[Hashable, Spread]] = {}
"""By rules, what situations lead to; the laws of a list of options mostly share them."""


def figures_told(data: Mapping[str, Any], rules: Rules, lang: str) -> dict[str, Any]:
    """The figures of a fact, its chances and means as they are told.

    rules: those by which the system that asks plays.   Raises TooLarge on a law that takes too
    long.
    """
    return {name: _told(value, rules, lang) for name, value in data.items()}


def _told(value: Any, rules: Rules, lang: str) -> Any:
    if isinstance(value, ChanceOf):
        return whole_percent(exact(value, rules), lang)
    return mean(exact(value, rules), lang, 1) if isinstance(value, MeanOf) else value


def exact(figure: ChanceOf | MeanOf, rules: Rules) -> Fraction:
    """A chance, from 0 to 1, or a mean, exactly.  Raises TooLarge."""
    found = _law(figure.call, rules)
    if isinstance(figure, ChanceOf):
        return found.p(figure.when)
    if isinstance(figure.figure, str):
        return found.mean(figure.figure)
    return sum((o.p * figure.figure(o.value) for o in found.outcomes), Fraction(0))


def _law(call: Call, rules: Rules) -> Law:
    """The law of a call; those worked out lately are kept."""
    from polemarque.odds.enumeration import law
    from polemarque.odds.outcomes import frozen

    at = (rules.key, call.rule, frozen(call.args))
    found = _LAWS.get(at)
    if found is None:
        known = _KNOWN.setdefault(rules.key, {})
        found = law(call.rule, call.args, rules=rules, known=known)
        if len(_LAWS) >= KEPT or len(known) >= KEPT:
            _LAWS.clear()
            _KNOWN.clear()
        _LAWS[at] = found
    return found
