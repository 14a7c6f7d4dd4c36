"""Text catalogues: everything a reader is told, in French and in English, as data.

A folder holds ``texts.fr.toml`` and ``texts.en.toml``.  Tables in tables give dotted keys: under
``["AT-9.5"]``, ``taken = "…"`` is the text ``AT-9.5.taken``.  How a text names its figures is
described in `templates`.  Curved apostrophes and French spacing are put in when a text is first
said: files are written with plain ones.

A text that is missing is an error, in tests and at the table alike: `say` raises `MissingText`.
`check_texts` finds such gaps in advance, so that no reader ever meets one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from polemarque.kernel.files.findings import CheckFailed, Finding, Lines, in_order, read_toml
from polemarque.kernel.files.sentence_templates import (
    Template,
    TemplateFault,
    as_it_is,
    curved,
    parse,
    typographic,
)

LANGUAGES = ("fr", "en")
"""The languages of every catalogue, French first."""

KERNEL_TEXTS = Path(__file__).parents[1] / "data"
"""The kernel's own texts: refusals and findings."""


class MissingText(KeyError):
    """A text that no catalogue has, or a figure that was not given to it.

    name: the blank without a figure, or "" where the text itself is missing.
    """

    def __init__(self, lang: str, key: str, name: str = "") -> None:
        super().__init__(lang, key, name)
        self.lang, self.key, self.name = lang, key, name

    def __str__(self) -> str:
        lacking = f"nothing was given for {{{self.name}}}" if self.name else "no such text"
        return f"{self.key} ({self.lang}): {lacking}"


class TextsRefused(CheckFailed):
    """Catalogue files that cannot be used.  `findings` say why."""


class Catalogue:
    """The texts of one or several folders, in every language."""

    def __init__(self, texts: Mapping[str, Mapping[str, str]]) -> None:
        """Texts by language and key, as written (see `typographic`)."""
        self._texts = {lang: texts.get(lang, {}) for lang in LANGUAGES}
        # Read when first said: a command says a few dozen texts out of many hundreds.
        self._read: dict[tuple[str, str], Template] = {}
        self._names: Mapping[str, Template] = {}

    @classmethod
    def load(cls, *folders: Path | str) -> Catalogue:
        """The texts of these folders; a later folder replaces what an earlier one says.

        That is how a club puts a text in words of its own.  Raises TextsRefused on a file that
        is missing or cannot be read.
        """
        texts: dict[str, dict[str, str]] = {lang: {} for lang in LANGUAGES}
        findings: list[Finding] = []
        for folder in folders:
            for page in _pages(folder):
                texts[page.lang].update(page.texts)
                findings += page.findings
        if findings:
            raise TextsRefused(findings)
        return cls(texts)

    def say(self, lang: str, key: str, /, **data: Any) -> str:
        """The text `key` in `lang`, its blanks filled from `data`.

        Raises MissingText on an unknown language, key or label and on a figure not given;
        TypeError on a value that cannot be said in words; TemplateFault on a malformed text.
        """
        template = self._template(lang, key)
        try:
            # Words that are looked up have no blanks of their own: they are said as they stand.
            return template.fill(lang, data, lambda word: self.say(lang, word))
        except MissingText:
            raise
        except KeyError as lacking:
            raise MissingText(lang, key, str(lacking.args[0])) from None
        except TypeError as error:
            error.add_note(f"in the text {key} ({lang})")
            raise

    def naming(self, names: Mapping[str, Mapping[str, str]]) -> Catalogue:
        """The same texts, with names of their own for some codes: family -> code -> name.

        They are looked up as the texts ``family.code`` are, in every language, and go over them.
        A name is said as it is, whatever signs it holds; its apostrophes alone are curved.
        """
        words = {
            f"{family}.{code}": as_it_is(curved(name))
            for family, codes in names.items()
            for code, name in codes.items()
        }
        catalogue = Catalogue({})
        # Names are many, and change with the game: the texts below them are shared, not copied.
        catalogue._texts, catalogue._read = self._texts, self._read
        catalogue._names = {**self._names, **words}
        return catalogue

    def has(self, lang: str, key: str) -> bool:
        """Whether there is a text `key` in `lang`."""
        return lang in self._texts and (key in self._names or key in self._texts[lang])

    def keys(self, lang: str) -> tuple[str, ...]:
        """All keys in `lang`, sorted."""
        if lang not in self._texts:
            return ()
        return tuple(sorted({*self._texts[lang], *self._names}))

    def names(self, lang: str, key: str) -> frozenset[str]:
        """The figures that a text asks for.  Raises MissingText."""
        return self._template(lang, key).names()

    def labels(self, lang: str, key: str) -> frozenset[str]:
        """The families of texts in which a text looks its words up.  Raises MissingText."""
        return self._template(lang, key).labels()

    def _template(self, lang: str, key: str) -> Template:
        named = self._names.get(key)
        if named is not None and lang in self._texts:
            return named
        template = self._read.get((lang, key))
        if template is None:
            try:
                text = self._texts[lang][key]
            except KeyError:
                raise MissingText(lang, key) from None
            try:
                template = self._read[lang, key] = parse(typographic(text, lang))
            except TemplateFault as fault:
                fault.add_note(f"in the text {key} ({lang})")
                raise
        return template


@cache
def texts_in(folder: Path) -> Catalogue:
    """The texts of one folder, read once; see `Catalogue.load`."""
    return Catalogue.load(folder)


def check_texts(
    folder: Path | str, *others: Path | str, named: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """Everything that is wrong with a folder's catalogue.

    others: folders loaded together with it, whose words it may look up.
    named:  families of names that are known only at the table, such as "seat" (see `naming`).

    Codes, with their data: ``file.*`` and ``toml.*``; ``texts.not_text`` (key),
    ``texts.repeated`` (key: two tables make the same one), ``texts.empty`` (key),
    ``texts.braces`` and ``texts.blank`` (key, near), ``texts.missing`` (key, language: the
    one that lacks it), ``texts.names`` (key, fr, en: the blanks that only one language has),
    ``texts.label`` (key, label: no text of that family anywhere).
    """
    pages = list(_pages(folder))
    findings = [finding for page in pages for finding in page.findings]
    readable = [page for page in pages if not page.unreadable]
    known = {key for other in others for page in _pages(other) for key in page.texts}
    known |= {key for page in readable for key in page.texts}
    known |= {f"{family}.*" for family in named}
    templates: dict[str, dict[str, Template]] = {}
    for page in readable:
        templates[page.lang], faults = _templates(page, known)
        findings += faults
    if len(readable) == len(LANGUAGES):
        findings += _differences(readable, templates)
    return in_order(findings)


class _Page:
    """One file of a catalogue: its texts by key, where each stands, and what is wrong so far."""

    def __init__(self, path: Path, lang: str) -> None:
        self.file, self.lang = str(path), lang
        self.texts: dict[str, str] = {}
        self.findings: list[Finding] = []
        self._steps: dict[str, tuple[str, ...]] = {}
        read = read_toml(path)
        self.unreadable = isinstance(read, Finding)
        if isinstance(read, Finding):
            self.findings.append(read)
            return
        content, text = read
        self._lines = Lines(text)
        for steps, value in _flat(content, ()):
            key = ".".join(steps)
            if key in self._steps:
                self.findings.append(self.fault("texts.repeated", key, steps))
                continue
            self._steps[key] = steps
            if isinstance(value, str):
                self.texts[key] = value
            else:
                self.findings.append(self.fault("texts.not_text", key))

    def fault(
        self, code: str, key: str, steps: tuple[str, ...] | None = None, /, **data: str
    ) -> Finding:
        """A finding about the text `key`, put where it stands."""
        line = self._lines.of(*(steps or self._steps[key]))
        return Finding(self.file, line, key, code, {"key": key, **data})


def _pages(folder: Path | str) -> Iterator[_Page]:
    for lang in LANGUAGES:
        yield _Page(Path(folder) / f"texts.{lang}.toml", lang)


def _flat(
    table: Mapping[str, Any], above: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, (*above, key))
        else:
            yield (*above, key), value


def _templates(page: _Page, known: set[str]) -> tuple[dict[str, Template], list[Finding]]:
    """The texts of a page that can be read, and what is wrong with each text by itself."""
    families = {".".join(key.split(".")[:n]) for key in known for n in range(1, key.count(".") + 1)}
    templates, findings = {}, []
    for key, text in page.texts.items():
        if not text.strip():
            findings.append(page.fault("texts.empty", key))
            continue
        try:
            template = templates[key] = parse(text)
        except TemplateFault as fault:
            findings.append(page.fault(fault.code, key, near=fault.near))
            continue
        findings += [
            page.fault("texts.label", key, label=label)
            for label in sorted(template.labels() - families)
        ]
    return templates, findings


def _differences(pages: list[_Page], templates: dict[str, dict[str, Template]]) -> list[Finding]:
    """Where two languages do not say the same thing."""
    findings = []
    for page, other in (pages, pages[::-1]):
        findings += [
            page.fault("texts.missing", key, language=other.lang)
            for key in page.texts
            if key not in other.texts
        ]
    french, english = templates["fr"], templates["en"]
    for key in french:
        if key in english and french[key].names() != english[key].names():
            only_fr = ", ".join(sorted(french[key].names() - english[key].names()))
            only_en = ", ".join(sorted(english[key].names() - french[key].names()))
            findings.append(pages[0].fault("texts.names", key, fr=only_fr, en=only_en))
    return findings
