"""What the source says by text key: read from its syntax trees, for the tests of the languages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import polemarque
from polemarque.kernel.files.texts import LANGUAGES, Catalogue

PACKAGE = Path(polemarque.__file__).parent

ANY = "*"
"""Stands in a word for whatever only a running game knows."""

REFUSALS = {"Refusal", "NotUnderstood", "NotAllowed", "NotYourTurn", "OutOfDate", "DiceRefused"}


@dataclass(frozen=True)
class Use:
    """A word of the source, and where; it may hold `ANY`."""

    word: str
    place: str

    @property
    def exact(self) -> bool:
        return ANY not in self.word


def fitting(uses: Iterable[Use]) -> re.Pattern[str]:
    """What one of these words may be."""
    return re.compile("|".join(sorted({re.escape(u.word).replace(r"\*", ".+") for u in uses})))


@dataclass(frozen=True)
class Call:
    """A call of a function by its bare name."""

    name: str
    node: ast.Call
    path: Path

    @property
    def place(self) -> str:
        return f"{self.path.relative_to(PACKAGE)}:{self.node.lineno}"

    def words(self, position: int, keyword: str = "") -> list[str]:
        """The words an argument may be; [] if it is not given."""
        for given in self.node.keywords:
            if keyword and given.arg == keyword:
                return words_of(given.value, self.path)
        if position < len(self.node.args):
            return words_of(self.node.args[position], self.path)
        return []


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def modules(folder: Path = PACKAGE) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def calls(folder: Path, *names: str) -> Iterator[Call]:
    """Every call of these functions below a folder."""
    for path in modules(folder):
        for name in names:
            yield from calls_in(path).get(name, ())


@cache
def calls_in(path: Path) -> dict[str, list[Call]]:
    """Every call of a module, by the name of what is called."""
    found: dict[str, list[Call]] = {}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            named = node.func
            name = named.id if isinstance(named, ast.Name) else getattr(named, "attr", "")
            found.setdefault(name, []).append(Call(name, node, path))
    return found


def words_of(node: ast.expr, path: Path) -> list[str]:
    """The words an expression may be, as far as the source says; else `ANY`."""
    if isinstance(node, ast.Constant):
        return [node.value] if isinstance(node.value, str) else []
    if isinstance(node, ast.IfExp):
        return [*words_of(node.body, path), *words_of(node.orelse, path)]
    if isinstance(node, ast.JoinedStr):
        parts = [str(part.value) if isinstance(part, ast.Constant) else ANY for part in node.values]
        return ["".join(parts)]
    if isinstance(node, ast.Name):
        return [*_global(path, node.id), *_local(path, node)] or [ANY]
    return [ANY]


def _global(path: Path, name: str) -> list[str]:
    """A constant of the module, its own or imported."""
    dotted = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    found = getattr(import_module(dotted.removesuffix(".__init__")), name, None)
    return [found] if isinstance(found, str) else []


def _local(path: Path, name: ast.Name) -> list[str]:
    """What a name is given by a simple assignment in the function around it."""
    for function in ast.walk(tree(path)):
        if isinstance(function, ast.FunctionDef) and name in ast.walk(function):
            given = [
                node.value
                for node in ast.walk(function)
                if isinstance(node, ast.Assign)
                and any(isinstance(t, ast.Name) and t.id == name.id for t in node.targets)
            ]
            return [word for value in given for word in words_of(value, path)]
    return []


def told_events(folder: Path) -> Iterator[Use]:
    """`<rule>.<kind>` of everything that is told."""
    for call in calls(folder, "tell", "Tell"):
        for rule in call.words(0, "rule"):
            for kind in call.words(1, "kind"):
                yield Use(f"{rule}.{kind}", call.place)


def roll_words(folder: Path) -> Iterator[Use]:
    """`roll.<why>` of every roll."""
    for call in calls(folder, "roll"):
        yield from (Use(f"roll.{word}", call.place) for word in call.words(9, "why"))


def reasons(folder: Path) -> Iterator[Use]:
    """`modifier.<reason>` of every part of a sum."""
    for name, position in (("bonus", 2), ("Modifier", 1)):
        for call in calls(folder, name):
            for word in call.words(position, "reason"):
                yield Use(f"modifier.{word.partition('@')[0]}", call.place)


def error_codes(folder: Path) -> Iterator[Use]:
    """`error.<code>` of every refusal."""
    for call in calls(folder, *REFUSALS):
        yield from (Use(f"error.{word}", call.place) for word in call.words(0, "code"))


def finding_codes(folder: Path) -> Iterator[Use]:
    """`check.<code>` of every finding."""
    for name, position in (("Finding", 3), ("fault", 0), ("_fault", 0)):
        for call in calls(folder, name):
            for word in call.words(position, "code"):
                if "." in word and word != ANY:
                    yield Use(f"check.{word}", call.place)


def literals(folder: Path = PACKAGE) -> tuple[frozenset[str], list[Use]]:
    """Every string of the source, and every pattern of an f-string that names a key."""
    whole: set[str] = set()
    patterns: list[Use] = []
    for path in modules(folder):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                whole.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                (word,) = words_of(node, path)
                if re.fullmatch(r"[A-Za-z*][\w*-]*(\.[\w*-]+)+", word) and word[0] != ANY:
                    patterns.append(Use(word, str(path)))
    return frozenset(whole) | templates(folder), patterns


def templates(folder: Path) -> frozenset[str]:
    """Every word in double quotes that the templates of pages and letters hold."""
    found = [path for kind in ("*.html", "*.txt") for path in sorted(folder.rglob(kind))]
    return frozenset(
        word for path in found for word in re.findall(r'"([\w.-]+)"', path.read_text("utf-8"))
    )


def lacking(uses: Iterable[Use], keys: Iterable[str]) -> list[str]:
    """Uses that no key fits, each with its place; a use that may be any word fits something."""
    known = frozenset(keys)
    return [
        f"{use.place}: {use.word}"
        for use in uses
        if not (use.word in known if use.exact else any(map(fitting([use]).fullmatch, known)))
    ]


def unused_keys(catalogue: Catalogue, used: Iterable[str]) -> tuple[str, ...]:
    """Keys that nothing says, sorted.

    used: keys that are said; one that ends in ``.*`` stands for all keys beginning so.  Words
    that a used text looks up by a label count as used.
    """
    texts = {key for lang in LANGUAGES for key in catalogue.keys(lang)}
    used = set(used)
    said = {key for key in texts if key in used or _under(key, used)}
    for lang in LANGUAGES:
        labels = {
            f"{label}.*"
            for key in sorted(said)
            if catalogue.has(lang, key)
            for label in catalogue.labels(lang, key)
        }
        said |= {key for key in texts if _under(key, labels)}
    return tuple(sorted(texts - said))


def _under(key: str, families: set[str]) -> bool:
    parts = key.split(".")
    return any(".".join(parts[:n]) + ".*" in families for n in range(1, len(parts)))
