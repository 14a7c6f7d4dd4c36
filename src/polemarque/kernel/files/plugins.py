"""Plugins: what is installed under an entry point, what of it can be used, and why the rest cannot.

Entry points are read from the folders of the module path as `importlib.metadata` would: the
standard library's reader takes longer to import than a short command takes to answer.

A package of somebody else's is loaded in a thread of its own and has `LIMIT` seconds.  One that
raises, takes longer, has a name that another has, or is not what it says, is left out of every
list and told by `broken`; nothing else is touched.  It runs in the program's own process all the
same: what ends the process, or never lets go of the interpreter, cannot be held off here.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from polemarque.kernel.errors import LONGEST_REASON, NotUnderstood, shortened

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

    from polemarque.kernel.files.findings import Finding
    from polemarque.kernel.files.texts import Catalogue

T = TypeVar("T")

INSTALLED = (".dist-info", ".egg-info")

OURS = "polemarque"
"""The package whose own plugins are taken first, and are not loaded in order to be listed."""

LIMIT = 10.0
"""Seconds that a stranger's plugin has to load."""


class Point(NamedTuple):
    """An entry point.

    package: the package that is installed.   target: "module:attribute".
    """

    package: str
    name: str
    target: str


class Broken(NamedTuple):
    """A plugin that cannot be used, and why not."""

    group: str
    name: str
    findings: tuple[Finding, ...]

    def why(self, speaker: Catalogue, lang: str) -> str:
        """The first reason, as a sentence, or its code where a stranger's has no words."""
        from polemarque.kernel.files.findings import reason
        from polemarque.kernel.files.texts import MissingText

        try:
            return reason(self.findings[0], speaker, lang)
        except MissingText:
            return self.findings[0].code


_KEPT: list[Callable[[], None]] = []


def kept(found: Callable[..., T]) -> _lru_cache_wrapper[T]:
    """Keep what a function has found in a plugin, until one is added."""
    keeping = cache(found)
    _KEPT.append(keeping.cache_clear)
    return keeping


def look_again() -> None:
    """A plugin was added, perhaps in place of another: forget everything that was found."""
    for forget in _KEPT:
        forget()


# What is installed -------------------------------------------------------------------------------


@kept
def _installed(path: tuple[str, ...]) -> dict[str, str]:
    """What each installed package says of its entry points, in the order of a module path."""
    found: dict[str, str] = {}
    for folder in path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 (pathlib is not needed otherwise)
        except OSError:
            continue
        for name in sorted(names):
            if name.endswith(INSTALLED):
                package = re.sub(r"[-_.]+", "-", name.partition("-")[0]).lower()
                if package not in found:  # a second copy further down the path is never imported
                    found[package] = _text(f"{folder or '.'}/{name}/entry_points.txt")
    return found


def _text(path: str) -> str:
    """A file's text, none where it cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123
            return file.read()
    except (OSError, UnicodeDecodeError):
        return ""


@kept
def points(group: str) -> tuple[Point, ...]:
    """Every installed entry point of a group, ours first, then in the order of the module path."""
    found = [
        Point(package, *each)
        for package, text in _installed(tuple(sys.path)).items()
        if group in text
        for each in _read(text, group)
    ]
    return tuple(sorted(found, key=lambda point: point.package != OURS))


@kept
def entry_points(group: str) -> dict[str, str]:
    """Name -> "module:attribute" of every installed entry point of a group."""
    found: dict[str, str] = {}
    for point in points(group):
        found.setdefault(point.name, point.target)
    return found


def load(target: str) -> Any:
    """The object that an entry point names."""
    module, _, attributes = target.partition(":")
    found: Any = import_module(module)
    for attribute in filter(None, attributes.split(".")):
        found = getattr(found, attribute)
    return found


def _read(text: str, group: str) -> list[tuple[str, str]]:
    """The entry points of one installed package."""
    found, inside = [], False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            inside = line == f"[{group}]"
        elif inside and "=" in line and not line.startswith(("#", ";")):
            name, _, target = line.partition("=")
            found.append((name.strip(), target.partition("[")[0].strip()))
    return found


# What can be used --------------------------------------------------------------------------------


class Plugins:
    """The plugins of one group of entry points.

    faults: (name, what was loaded) -> what is wrong with it, none if it is what it should be.
    """

    def __init__(self, group: str, faults: Callable[[str, Any], Iterable[Finding]]) -> None:
        self.group = group
        self._faults = faults
        self._tried = kept(self._try)
        _GROUPS.append(self)

    def names(self) -> tuple[str, ...]:
        """Names of those that can be used, sorted.  Ours are not loaded for that."""
        ours = {point.name for point in points(self.group) if point.package == OURS}
        strangers = [name for name in entry_points(self.group) if name not in ours]
        return tuple(sorted([*ours, *[name for name in strangers if not self._tried(name)[1]]]))

    def package(self, name: str) -> str:
        """The package whose plugin has that name, "" if there is none."""
        found = [point.package for point in points(self.group) if point.name == name]
        return found[0] if found else ""

    def find(self, name: str) -> Any:
        """The plugin of that name, None if none is installed.

        Raises NotUnderstood if it cannot be used.
        """
        if name not in entry_points(self.group):
            return None
        found, findings = self._tried(name)
        if findings:
            raise NotUnderstood("plugin.broken", part=name)
        return found

    def broken(self) -> Iterator[Broken]:
        """Those that cannot be used; a name that two packages claim is the first one's."""
        for name in sorted(entry_points(self.group)):
            findings = self._tried(name)[1]
            if findings:
                yield Broken(self.group, name, findings)
        for point in points(self.group):
            holder = self.package(point.name)
            if point.package != holder:
                data = {"package": point.package, "holder": holder}
                yield Broken(self.group, point.name, (finding(point.name, "taken", **data),))

    def _try(self, name: str) -> tuple[Any, tuple[Finding, ...]]:
        """What was loaded, and what is wrong with it."""
        target = entry_points(self.group)[name]
        if self.package(name) == OURS:
            return load(target), ()  # tests hold it to what it should be

        def run() -> tuple[Any, tuple[Finding, ...]]:
            found = load(target)
            return found, tuple(self._faults(name, found))

        return _held(name, run)


_GROUPS: list[Plugins] = []


def broken() -> tuple[Broken, ...]:
    """Every installed plugin that cannot be used, of those groups that have been imported."""
    modules = [Broken("", *each) for each in _MODULES.items() if each[1]]
    return (*[each for group in _GROUPS for each in group.broken()], *modules)


_MODULES: dict[str, tuple[Finding, ...]] = {}
_KEPT.append(_MODULES.clear)


@kept
def companion(module: str) -> Any:
    """A module that a descriptor names, imported when it is first needed.

    None if it cannot be used; then `broken` says why.
    """

    def run() -> tuple[Any, tuple[Finding, ...]]:
        return import_module(module), ()

    found, findings = run() if module.startswith(f"{OURS}.") else _held(module, run)
    _MODULES[module] = findings
    return found


def failed(name: str, fault: Exception) -> bool:
    """Have `broken` tell what a module raised when it was used; whether that is new."""
    findings = _findings(name, fault)
    new = _MODULES.get(name) != findings
    _MODULES[name] = findings
    return new


def finding(plugin: str, code: str, **data: str | int) -> Finding:
    """A fault of a plugin."""
    from polemarque.kernel.files.findings import Finding

    return Finding(plugin, 0, "", f"plugin.{code}", data)


def _held(
    name: str, run: Callable[[], tuple[Any, tuple[Finding, ...]]]
) -> tuple[Any, tuple[Finding, ...]]:
    """What a stranger's code comes to, whatever it raises and however long it takes."""
    from threading import Thread

    done: list[tuple[Any, tuple[Finding, ...]]] = []

    def held() -> None:
        try:
            done.append(run())
        except BaseException as fault:  # noqa: BLE001 (it may raise anything, SystemExit too)
            done.append((None, _findings(name, fault)))

    thread = Thread(target=held, name=f"loading {name}", daemon=True)
    thread.start()
    thread.join(LIMIT)
    if done:
        return done[0]
    _stop(thread.ident)
    return None, (finding(name, "slow", seconds=round(LIMIT)),)


def _stop(thread: int | None) -> None:
    """Have a thread that runs in circles give up, so that it does not slow down the others."""
    import ctypes

    ident, fault = ctypes.c_ulong(thread or 0), ctypes.py_object(SystemExit)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, fault)


def _findings(name: str, fault: BaseException) -> tuple[Finding, ...]:
    """Why a plugin could not be loaded, and where in it."""
    from traceback import extract_tb

    from msgspec.structs import replace

    from polemarque.kernel.files.findings import CheckFailed

    if isinstance(fault, CheckFailed):
        return fault.findings
    said, file, line = str(fault), "", 0
    frames = [each for each in extract_tb(fault.__traceback__) if os.path.exists(each.filename)]  # noqa: PTH110
    if isinstance(fault, SyntaxError) and fault.filename:
        said, file, line = fault.msg, fault.filename, fault.lineno or 0
    elif frames and frames[-1].filename != __file__:
        file, line = frames[-1].filename, frames[-1].lineno or 0
    message = shortened(f"{type(fault).__name__}: {said}", LONGEST_REASON)
    found = finding(name, "broken", message=message)
    return (replace(found, file=file, line=line, place=name) if file else found,)
