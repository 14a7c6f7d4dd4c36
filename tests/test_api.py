"""The names that authors import: all of them are in docs/api.md, and none is lost or changed."""

from __future__ import annotations

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemarque import api

PAPER = (Path(__file__).resolve().parent.parent / "docs" / "api.md").read_text(encoding="utf-8")
MODULES = [
    "polemarque.api", *(f"polemarque.api.{name}" for name in api.SUBMODULES), "polemarque.testing",
]  # fmt: skip
SIMPLE = (str, int, bool, type(None))
ROW = re.compile(r"^- `(\w+)(.*?)`: (\S.*?[.])(?: Members: (.*)[.])?$", re.MULTILINE)
"""A name of the paper: its name, its signature, what it does, and its public members."""


def public(module: str) -> dict[str, Any]:
    found = importlib.import_module(module)
    return {name: getattr(found, name) for name in found.__all__}


def form(value: Any) -> str:
    """The parameters of a name as the paper has them: their names, order, kinds and defaults."""
    if not callable(value) or not getattr(value, "__module__", "").startswith("polemarque"):
        return ""
    raised = isinstance(value, type) and issubclass(value, Exception)
    if raised or getattr(value, "_is_protocol", False):
        return ""
    if isinstance(value, type) and issubclass(value, msgspec.Struct):
        # Its types are not looked at: some are named for checkers of types alone.
        defaults = value.__struct_defaults__
        without = [msgspec.NODEFAULT] * (len(value.__struct_fields__) - len(defaults))
        fields = zip(value.__struct_fields__, (*without, *defaults), strict=True)
        return f"({', '.join(name + default_of(default) for name, default in fields)})"
    said, starred = [], False
    for each in inspect.signature(value).parameters.values():
        name = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "") + each.name
        if each.kind is each.KEYWORD_ONLY and not starred:
            said.append("*")
        starred = starred or each.kind in (each.KEYWORD_ONLY, each.VAR_POSITIONAL)
        if each.default is not each.empty:
            name += default_of(each.default)
        said.append(name)
    return f"({', '.join(said)})"


def default_of(default: Any) -> str:
    """A default as the paper has it; "=…" for any that is not written in a word."""
    if default is msgspec.NODEFAULT:
        return ""
    return f"={default!r}" if type(default) in SIMPLE else "=…"


def members(value: Any) -> str:
    """Public methods and properties of a class, fields left out: those are its parameters."""
    if not isinstance(value, type) or not value.__module__.startswith("polemarque"):
        return ""
    fields = {*getattr(value, "__struct_fields__", ()), *getattr(value, "__dataclass_fields__", ())}
    fields |= {*getattr(value, "_fields", ())}
    inherited = [vars(base) for base in value.__mro__ if base.__module__.startswith("polemarque")]
    names = {name for each in inherited for name in each if name[0] != "_"} - fields
    return ", ".join(f"`{name}`" for name in sorted(names))


def chapter(module: str) -> str:
    return PAPER.split(f"\n## `{module}`\n")[1].split("\n## `")[0]


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_in_the_paper_as_it_is(module: str) -> None:
    """Where this fails, a system that somebody else wrote would fail too.

    A new name, parameter or member gets its row in docs/api.md.  To remove or change one before
    1.0, say so in CHANGELOG.md under Authors, and mend the row; after 1.0 keep the old one as well.
    """
    rows = [(name, shape, told or "") for name, shape, _, told in ROW.findall(chapter(module))]
    wanted = [(name, form(value), members(value)) for name, value in public(module).items()]
    assert rows == wanted


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_an_example_which_a_test_of_the_papers_runs(module: str) -> None:
    (example,) = re.findall(r"^```python\n(.*?)^```$", chapter(module), re.MULTILINE | re.DOTALL)
    assert "assert" in example and f"from {module} import" in example


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_says_what_it_is_for(module: str) -> None:
    for name, value in public(module).items():
        if getattr(value, "__module__", "").startswith("polemarque") and form(value):
            said = inspect.getdoc(value) or ""
            assert said and not said.startswith(f"{name}("), name
            assert not re.search(r"\b(he|his|him|anew|whoever|thereof)\b", said), name


def test_no_name_is_that_of_a_submodule() -> None:
    """Importing the submodule would put itself in its place."""
    assert not {*api.__all__} & {*api.SUBMODULES}
    folder = Path(str(api.__file__)).parent
    assert {path.stem for path in folder.glob("*.py")} == {"__init__", *api.SUBMODULES}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Onof", "names like it:.* api.OneOf"),
        ("Board", "import it from polemarque.api.boards"),
        ("Xylophone", "docs/api.md lists all names"),
    ],
)
def test_a_name_that_is_not_there_is_answered_with_what_would_be_right(
    name: str, said: str
) -> None:
    with pytest.raises(AttributeError, match=said):
        getattr(api, name)
    with pytest.raises(ImportError, match=said):
        exec(f"from polemarque.api import {name}")
    assert not hasattr(api, name)


def test_the_core_loads_no_map_and_no_position() -> None:
    program = "import polemarque.api, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert "polemarque.kernel.agenda" in loaded
    assert not loaded & {"polemarque.maps", "polemarque.kernel.position", "polemarque.kernel.run"}
