"""Sentences with blanks: the small language in which the text catalogues are written.

========================  =========================================================================
``{name}``                the value: a text, a whole number, a fraction, or a list of these;
                          where a file is meant, with its keys: ``{frame.trade.own}``
``{place:territory}``     the text ``territory.<value>`` (a truth value reads ``.true`` or
                          ``.false``, nothing at all ``.none``)
``{+amount}``             a number with its sign: +2, −1, 0
``{^name}``               the same with a capital first letter
``{#name:label}``         a list whose equal members are said once: archers (3)
``{de~name}``             the word before it, elided or contracted as the language wants:
                          d’Hésiode, de Solon, du bois; in English a sword, an army
``{n|perte|pertes}``      singular or plural (French: below 2 is singular; English: 1 alone);
                          of a list, by its length
``{n|none|one|many}``     the same with a form of its own for 0
``{?winner|yes|no}``      the first if there is a value (not None, 0, "", False, or an empty
                          list), else the second, which may be left out
========================  =========================================================================

Forms may hold blanks in turn.  Lists are joined: "a, b et c", "a, b and c".  A brace, a bar
inside a blank, or a backslash is written with a backslash before it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, NoReturn

from polemarque.kernel.errors import harmless

Look = Callable[[str], str]
"""Gives the text of a key, for blanks with a label; raises on an unknown one."""

AND = {"fr": "et", "en": "and"}
"""The word before the last of a list."""

SINGULAR: Mapping[str, Callable[[int | Fraction], bool]] = {
    "fr": lambda n: -2 < n < 2,
    "en": lambda n: n in {-1, 1},
}
"""Which numbers take the singular; a minus sign changes nothing."""


class TemplateFault(ValueError):
    """A text that cannot be read: ``texts.braces`` (unbalanced) or ``texts.blank`` (malformed).

    near: the text from the fault on, cut short.
    """

    def __init__(self, code: str, near: str) -> None:
        super().__init__(code, near)
        self.code = code
        self.near = near


@dataclass(frozen=True, slots=True)
class _Literal:
    text: str

    def fill(self, lang: str, data: Mapping[str, Any], look: Look) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class _Blank:
    name: str
    label: str
    flag: str
    word: str

    def fill(self, lang: str, data: Mapping[str, Any], look: Look) -> str:
        value = data[self.name]
        if isinstance(value, (list, tuple)):
            each_said = [self._one(each, lang, look) for each in value]
            said = join(counted(each_said) if self.flag == "#" else each_said, lang)
        else:
            said = self._one(value, lang, look)
        return said[:1].upper() + said[1:] if self.flag == "^" else said

    def _one(self, value: Any, lang: str, look: Look) -> str:
        if isinstance(value, Enum):
            value = value.value
        if self.label:
            said = look(f"{self.label}.{_word(value)}")
        elif isinstance(value, str):
            said = harmless(value)
        elif isinstance(value, (int, Fraction)) and not isinstance(value, bool):
            said = signed(value) if self.flag == "+" else figure(value)
        else:
            _refuse(self.name, value)
        return attach(self.word, said, lang) if self.word else said


@dataclass(frozen=True, slots=True)
class _Plural:
    name: str
    forms: tuple[Template, ...]

    def fill(self, lang: str, data: Mapping[str, Any], look: Look) -> str:
        value = data[self.name]
        count = len(value) if isinstance(value, (list, tuple)) else value
        if not isinstance(count, (int, Fraction)) or isinstance(count, bool):
            _refuse(self.name, value)
        if count == 0 and len(self.forms) == 3:
            form = self.forms[0]
        else:
            form = self.forms[-2 if SINGULAR[lang](count) else -1]
        return form.fill(lang, data, look)


@dataclass(frozen=True, slots=True)
class _Optional:
    name: str
    forms: tuple[Template, ...]

    def fill(self, lang: str, data: Mapping[str, Any], look: Look) -> str:
        return self.forms[0 if data[self.name] else -1].fill(lang, data, look)


_Part = _Literal | _Blank | _Plural | _Optional


@dataclass(frozen=True, slots=True)
class Template:
    """A text that was read once and can be filled many times."""

    parts: tuple[_Part, ...]

    def fill(self, lang: str, data: Mapping[str, Any], look: Look) -> str:
        """The text with its blanks filled.

        Raises KeyError if `data` lacks a name, TypeError if a value cannot be said in words.
        """
        return "".join([part.fill(lang, data, look) for part in self.parts])

    def names(self) -> frozenset[str]:
        """Names that the blanks ask for, those of every form included."""
        return frozenset(p.name for p in self._all() if not isinstance(p, _Literal))

    def labels(self) -> frozenset[str]:
        """Prefixes of the keys that blanks look up."""
        return frozenset(p.label for p in self._all() if isinstance(p, _Blank) and p.label)

    def _all(self) -> Iterator[_Part]:
        for part in self.parts:
            yield part
            if isinstance(part, (_Plural, _Optional)):
                for form in part.forms:
                    yield from form._all()


def parse(text: str) -> Template:
    """Read a text.  Raises TemplateFault."""
    template, _ = _read(text, 0, inside=False)
    return template


def as_it_is(text: str) -> Template:
    """A text that says itself, whatever signs it holds."""
    return Template((_Literal(text),))


def join(words: Sequence[str], lang: str) -> str:
    """A list in words: "a", "a et b", "a, b et c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {AND[lang]} {words[-1]}"


def counted(words: Iterable[str]) -> list[str]:
    """A list without repetitions: "archers (3)" where archers stand three times."""
    return [f"{word} ({n})" if n > 1 else word for word, n in Counter(words).items()]


def attach(word: str, said: str, lang: str) -> str:
    """`word` before `said`: elided or contracted (French), a or an (English)."""
    if lang == "en":
        an = word.lower() == "a" and _WANTS_AN.match(said.lower())
        return f"{word}{'n' if an else ''} {said}"
    article, _, rest = said.partition(" ")
    contracted = _CONTRACTED.get((word.lower(), article))
    if contracted and rest:
        return f"{contracted.capitalize() if word[:1].isupper() else contracted} {rest}"
    if word.lower() in _ELIDED and _starts_with_vowel(said):
        return f"{word[:-1]}\u2019{said}"
    return f"{word} {said}"


def figure(number: int | Fraction) -> str:
    """A number as it is printed, with a minus sign (U+2212) and no hyphen.  It is for readers:
    what is typed, and what programs read, has the hyphen."""
    return str(number).replace("-", "\u2212")


def signed(number: int | Fraction) -> str:
    """A number as it is printed, with its sign: +2, −1, 0."""
    return f"+{number}" if number > 0 else figure(number)


def curved(text: str) -> str:
    """A text with curved apostrophes (U+2019) behind letters and blanks."""
    return _APOSTROPHE.sub("\u2019", text) if "'" in text else text


def plainly(text: str) -> str:
    """A word without accents, capitals, and with one kind of apostrophe, dash and blank."""
    bare = unicodedata.normalize("NFD", text.casefold().translate(_ALIKE))
    return " ".join(
        "".join(c for c in bare if not unicodedata.combining(c)).replace("_", " ").split()
    )


def unbroken(text: str) -> str:
    """A text in which no line ends between a number and its unit: points of gold, or of power."""
    return _UNIT.sub("\u00a0", text)


def in_line(said: Iterable[str], lang: str) -> str:
    """Several remarks on one line, parted by semicolons as a language prints them."""
    return ("\u202f; " if lang == "fr" else "; ").join(said)


def typographic(text: str, lang: str) -> str:
    """A text as it is printed: with curved apostrophes, and French with its spacing.

    Narrow spaces (U+202F) stand before ; ! and ?, full ones (U+00A0) before : and % and inside
    « ».  A space is only ever replaced, except inside « », where one is put if it is lacking:
    times, addresses and formulas stay as they are.  Applying it twice changes nothing more.
    """
    text = curved(text)
    if lang != "fr":
        return text
    text = _NARROW.sub("\u202f", text)
    text = _FULL.sub("\u00a0", text)
    text = _OPENING.sub("«\u00a0", text)
    return _CLOSING.sub("\u00a0»", text)


_ALIKE = str.maketrans({"’": "'", "−": "-", "–": "-", "—": "-"})
"""What keyboards and forums write in place of one another."""

_UNIT = re.compile(r"(?<=\d) (?=(?:P[OM]|gp)\b|%)|(?<=≈) (?=\d)")
_APOSTROPHE = re.compile(r"(?<=[^\W\d_]|\})'")
# Not before what is glued to the sign: "!=", ":x", "?page=2" are no punctuation.
_NARROW = re.compile(r"[ \u00a0\u202f](?=[;!?][;!?:]*(?![\w=/;!?:-]))")
_FULL = re.compile(r"[ \u00a0\u202f](?=(?::[;!?:]*(?![\w=/;!?:-])|%(?!\w)))")
_OPENING = re.compile(r"«[ \u00a0\u202f]*")
_CLOSING = re.compile(r"[ \u00a0\u202f]*»")

_ELIDED = frozenset(
    ["ce", "de", "je", "jusque", "la", "le", "lorsque", "me", "ne", "puisque", "que", "se", "te"]
)
_CONTRACTED = {
    ("de", "le"): "du",
    ("de", "les"): "des",
    ("à", "le"): "au",
    ("à", "les"): "aux",
}
# Words before which nothing is elided though they begin with a vowel or an h.
_ASPIRATED = re.compile(
    r"h(?:ache|aie|aine|allebard|alte|ameau|ampe|anche|angar|arangu|arass|arcel|ardi|arnach"
    r"|arnais|arp[ei]|asard|at(?:e|if|iv)|aut|avre|eaume|eraut|eros\b|eriss|erse|eurt|ideu"
    r"|ierarch|isser|onte|orde|ors|otte|oue|ourra|uit|uns?\b|url|utte)|onz|oui\b|uhlan"
)
_VOWEL = re.compile(r"[aeiouœæh]|y[^aeiouy]")
_WANTS_AN = re.compile(r"(?!eu|one\b|once\b|uni|us[eu]|uti)[aeiou]|hour|honou?r|heir")


def _starts_with_vowel(said: str) -> bool:
    plain = unicodedata.normalize("NFD", said.lower())
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return bool(_VOWEL.match(plain)) and not _ASPIRATED.match(plain)


def _word(value: Any) -> str:
    """The last part of a label's key."""
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _refuse(name: str, value: Any) -> NoReturn:
    raise TypeError(f"{{{name}}} cannot say {value!r}: give a text, a number, or use a label")


_SPECIAL = re.compile(r"[{}|\\]")
_HEAD = re.compile(
    r"(?P<asks>\?)?(?P<flag>[+^#])?(?:(?P<word>[^\W\d]+)~)?"
    r"(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_-]+)*)(?::(?P<label>[A-Za-z0-9_.-]+))?(?=[}|])"
)


def _read(text: str, at: int, *, inside: bool) -> tuple[Template, int]:
    """The text from `at` on; inside a blank, up to the bar or brace that ends this form."""
    parts: list[_Part] = []
    literal = ""
    while found := _SPECIAL.search(text, at):
        mark, start = found.group(), found.start()
        literal += text[at:start]
        at = found.end()
        if mark == "\\":
            literal += text[at : at + 1] or mark
            at += 1
        elif mark == "{":
            parts += [_Literal(literal)] if literal else []
            literal = ""
            part, at = _blank(text, at)
            parts.append(part)
        elif inside:
            parts += [_Literal(literal)] if literal else []
            return Template(tuple(parts)), start
        elif mark == "|":
            literal += mark
        else:
            raise TemplateFault("texts.braces", _near(text, start))
    literal += text[at:]
    if inside:
        raise TemplateFault("texts.braces", _near(text, at))
    parts += [_Literal(literal)] if literal else []
    return Template(tuple(parts)), len(text)


def _blank(text: str, at: int) -> tuple[_Part, int]:
    """One blank, from after its opening brace to after its closing one."""
    start = at - 1
    head = _HEAD.match(text, at)
    if not head:
        # Without any closing brace the missing brace is the better thing to say.
        code = "texts.blank" if "}" in text[at:] else "texts.braces"
        raise TemplateFault(code, _near(text, start))
    at = head.end()
    forms: list[Template] = []
    while text[at] == "|":
        form, at = _read(text, at + 1, inside=True)
        forms.append(form)
    return _meaning(head, forms, _near(text, start)), at + 1


def _meaning(head: re.Match[str], forms: list[Template], near: str) -> _Part:
    """What a blank is, from its head and its forms."""
    name, label = head["name"], head["label"] or ""
    flag, word = head["flag"] or "", head["word"] or ""
    plain = not (label or flag or word)
    if head["asks"] and plain and len(forms) in {1, 2}:
        both = forms if len(forms) == 2 else [*forms, Template(())]
        return _Optional(name, tuple(both))
    if not head["asks"] and plain and len(forms) in {2, 3}:
        return _Plural(name, tuple(forms))
    if not head["asks"] and not forms and not (flag == "+" and (label or word)):
        return _Blank(name, label, flag, word)
    raise TemplateFault("texts.blank", near)


def _near(text: str, at: int) -> str:
    return text[max(0, at) :][:30] or text[-30:]
