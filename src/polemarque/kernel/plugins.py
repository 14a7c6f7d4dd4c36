"""Entry points, read from the folders of the module path as `importlib.metadata` would.

The standard library's reader takes longer to import than a short command takes to answer.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib import import_module
from typing import Any

INSTALLED = (".dist-info", ".egg-info")


@cache
def entry_points(group: str) -> dict[str, str]:
    """Name -> "module:attribute" of every installed entry point of a group."""
    found: dict[str, str] = {}
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 (pathlib is not needed otherwise)
        except OSError:
            continue
        for name in sorted(names):
            if name.endswith(INSTALLED):
                for point, target in _read(os.path.join(folder, name), group):  # noqa: PTH118
                    found.setdefault(point, target)
    return found


def load(target: str) -> Any:
    """The object that an entry point names."""
    module, _, attributes = target.partition(":")
    found: Any = import_module(module)
    for attribute in filter(None, attributes.split(".")):
        found = getattr(found, attribute)
    return found


def _read(folder: str, group: str) -> list[tuple[str, str]]:
    """The entry points of one installed package."""
    try:
        with open(f"{folder}/entry_points.txt", encoding="utf-8") as file:  # noqa: PTH123
            text = file.read()
    except OSError:
        return []
    found, inside = [], False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            inside = line == f"[{group}]"
        elif inside and "=" in line and not line.startswith(("#", ";")):
            name, _, target = line.partition("=")
            found.append((name.strip(), target.partition("[")[0].strip()))
    return found
