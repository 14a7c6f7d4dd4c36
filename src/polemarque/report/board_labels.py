"""Two or three letters by which a piece is known on a board, from what readers call it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

LETTERS = 3

_SMALL = {
    "le", "la", "les", "l", "de", "du", "des", "d", "à", "au", "aux", "et",
    "the", "of", "a", "an", "and", "on", "with",
}  # fmt: skip
"""Words that tell nothing apart, in either language."""

_BODIES = {
    "aile", "bande", "batterie", "carré", "clan", "cohorte", "compagnie", "corps", "escadron",
    "garde", "groupe", "ligne", "troupe",
    "band", "battery", "company", "group", "guard", "line", "squadron", "square",
    "troop", "wing",
}  # fmt: skip
"""Words for a body of men, which tell less than the word for the men."""

_WORD = re.compile(r"[^\W_]+")


def short_labels(names: Mapping[str, str]) -> dict[str, str]:
    """A label for each code: the code itself if the name ends with it, else letters of the name.

    Letters are those of the first word that no other name has; where letters clash all the same,
    two of them and a number.
    """
    words = {code: _telling(name) for code, name in names.items()}
    borne = Counter(word for own in words.values() for word in set(own))
    labels = {}
    for code, own in words.items():
        if len(code) <= LETTERS and names[code].endswith(code):
            labels[code] = code
        else:
            alone = next((word for word in own if borne[word] == 1), own[0] if own else code)
            labels[code] = alone[:LETTERS].capitalize()
    return _apart(labels)


def _telling(name: str) -> list[str]:
    """The words of a name, the most telling first."""
    words = [word for word in map(str.lower, _WORD.findall(name)) if not word.isdigit()]
    return sorted((word for word in words if word not in _SMALL), key=_BODIES.__contains__)


def _apart(labels: Mapping[str, str]) -> dict[str, str]:
    """Labels that clash, numbered in their order."""
    borne = Counter(labels.values())
    seen: Counter[str] = Counter()
    apart = {}
    for code, label in labels.items():
        if borne[label] > 1:
            seen[label] += 1
            number = str(seen[label])
            label = label[: LETTERS - len(number)] + number
        apart[code] = label
    return apart
