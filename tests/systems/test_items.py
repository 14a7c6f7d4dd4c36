"""What comes next in a game is written by `then`, which mypy checks, or by `item`, checked here."""

from __future__ import annotations

import ast
from inspect import signature
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemarque.api import KernelFault, convert, find_system, item, then
from polemarque.bridges.house import BRIDGES
from polemarque.kernel.agenda import argument_types, registered_rules, rules_of
from polemarque.systems.thucidide.chapters.combat import combat_is_declared

SOURCE = Path(__file__).resolve().parents[2] / "src"
SYSTEMS = [path.parent.name for path in SOURCE.glob("polemarque/systems/*/ledger.toml")]
PACKAGES = [BRIDGES.package, *[find_system(name).package for name in sorted(SYSTEMS)]]


def fault(package: str, call: ast.Call) -> str:
    """What is wrong with an item of a package: its script, or an argument that is written out."""
    rule, *args = call.args
    if not isinstance(rule, ast.Constant) or any(isinstance(arg, ast.Starred) for arg in args):
        return ""
    if rule.value not in registered_rules(package):
        return "no rule"
    entry = rules_of(package, "~")[rule.value]
    if entry.procedure:
        return "no script"
    try:
        signature(entry.run).bind("state", *args)
        for arg, kind in zip(args, argument_types(entry), strict=False):
            if isinstance(arg, ast.Constant):
                convert(arg.value, kind)
    except (TypeError, msgspec.ValidationError) as misfit:
        return str(misfit)
    return ""


def written(package: str, kind: type[ast.AST]) -> list[tuple[str, Any]]:
    """Everything of one kind that is written in a package, each with its place."""
    folder = SOURCE / package.replace(".", "/")
    return [
        (f"{path.relative_to(SOURCE)}:{getattr(node, 'lineno', 0)}", node)
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, kind)
    ]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_item_names_a_script_and_brings_what_it_takes(package: str) -> None:
    items = [
        (place, call)
        for place, call in written(package, ast.Call)
        if isinstance(call.func, ast.Name) and call.func.id == "item"
    ]
    faults = {place: fault(package, call) for place, call in items}
    assert {place: said for place, said in faults.items() if said} == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_no_item_is_a_bare_tuple(package: str) -> None:
    known = set(registered_rules(package))
    lists = [node.value for _, node in written(package, ast.Return) if node.value is not None]
    bare = [
        f"{package}:{each.lineno}"
        for returned in lists
        for listed in ast.walk(returned)
        if isinstance(listed, (ast.List, ast.ListComp))
        for each in ast.walk(listed)
        if isinstance(each, ast.Tuple) and each.elts and isinstance(each.elts[0], ast.Constant)
        and each.elts[0].value in known
    ]  # fmt: skip
    assert bare == []


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('item("TH-F5/nothing")', "no rule"),
        ('item("TH-F2", 3)', "no script"),
        ('item("TH-F5")', "missing a required argument: 'leader'"),
        ('item("TH-F5", "one", "two")', "too many positional arguments"),
        ('item("TH-F5", 3)', "Expected `str`, got `int`"),
        ('item("TH-F5", "one")', ""),
        ('item("TH-F5", unit.code)', ""),
    ],
)
def test_a_wrong_item_is_found(written: str, said: str) -> None:
    call = ast.parse(written, mode="eval").body
    assert isinstance(call, ast.Call)
    assert fault(find_system("thucidide").package, call) == said


def test_both_ways_write_the_same_item() -> None:
    args = ("A1", "B2", False)
    assert then(combat_is_declared, *args) == item("TH-F5/declare", *args)


def test_a_script_is_begun_with_positional_figures() -> None:
    with pytest.raises(KernelFault, match="TH-F5/declare"):
        then(combat_is_declared, attacker="A1", target="B2", pursuit=False)
