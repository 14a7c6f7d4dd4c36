"""The figures of one bridge: a campaign, a battle system, and a data file for the two (PA-3 to 5).

A file ``<campaign>_<resolver>.toml`` says what the battle system makes of that campaign's armies.
Its form is the resolver's; `forms` knows which, and `check` finds what is wrong with a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeVar, get_args

import msgspec

from polemarque.bridges.house import DATA
from polemarque.kernel.battle import Brief
from polemarque.kernel.checks import CheckFailed, Datum, Finding, Lines, Step, in_order, read_toml
from polemarque.kernel.errors import NotUnderstood

RULES = {"batailles": "PA-3", "promiterra": "PA-4", "thucidide": "PA-5"}
"""Resolvers that have data files, and the rule of each."""


class Fault(msgspec.Struct, frozen=True):
    """One thing wrong with a file: where, its code after ``bridge.``, what, and what would do."""

    steps: tuple[Step, ...]
    code: str
    part: str
    legal: str = ""


class Form(Protocol):
    """The figures of one resolver, as its data files have them."""

    def faults(self, kinds: tuple[str, ...], terrains: tuple[str, ...]) -> Iterator[Fault]:
        """What is wrong with them; kinds and terrains are those of the campaign."""
        ...


F = TypeVar("F", bound=Form)

_FORMS: dict[str, type[Any]] = {}


def form_of(resolver: str) -> Callable[[type[F]], type[F]]:
    """Register the form of a resolver's data files."""

    def keep(form: type[F]) -> type[F]:
        _FORMS[resolver] = form
        return form

    return keep


def forms() -> Mapping[str, type[Any]]:
    """The form of every resolver that has data files."""
    for name in RULES:
        import_module(f"polemarque.bridges.{name}")
    return _FORMS


def figures_for(brief: Brief, resolver: str) -> Any:
    """The figures by which a resolver reads a brief.

    Raises NotUnderstood naming the campaigns that it knows.
    """
    path = DATA / f"{brief.campaign}_{resolver}.toml"
    if not brief.campaign or not path.is_file():
        known = [
            found.stem.removesuffix(f"_{resolver}") for found in DATA.glob(f"*_{resolver}.toml")
        ]
        rule = RULES[resolver]
        raise NotUnderstood("battle.pair", rule=rule, part=brief.campaign, legal=sorted(known))
    return _read(path)


@cache
def _read(path: Path) -> Any:
    """The figures of a file.  Raises CheckFailed, with everything that is wrong with it."""
    read = read_toml(path)
    found = (read,) if isinstance(read, Finding) else examined(path, *read)
    if found or isinstance(read, Finding):
        raise CheckFailed(found)
    return _converted(read[0])


def _converted(raw: Mapping[str, Any]) -> Any:
    fields = {name: value for name, value in raw.items() if name not in ("campaign", "resolver")}
    return msgspec.convert(fields, forms()[raw["resolver"]])


# Checking ----------------------------------------------------------------------------------------


def check(path: Path) -> tuple[Finding, ...] | None:
    """Everything that is wrong with the file of a bridge; None for a file of another kind."""
    read = read_toml(path)
    if isinstance(read, Finding) or not {"campaign", "resolver"} <= read[0].keys():
        return None
    return examined(path, *read)


def examined(path: Path, raw: Mapping[str, Any], text: str) -> tuple[Finding, ...]:
    """The findings about a file that names a campaign and a resolver.

    Codes: bridge.campaign, bridge.resolver (nobody knows them), bridge.form (message), bridge.kind
    (a kind of units without a row, or a row for none), bridge.word (the battle system has no such
    thing), bridge.rows (rows that do not ascend), bridge.board (a board that cannot be read).
    """
    lines, file = Lines(text), str(path)

    def finding(code: str, *steps: Step, **data: Datum) -> Finding:
        return Finding(file, lines.of(*steps), ".".join(map(str, steps)), code, data)

    campaign, resolver = str(raw["campaign"]), str(raw["resolver"])
    if campaign not in KINDS:
        return (finding("bridge.campaign", "campaign", part=campaign, legal=", ".join(KINDS)),)
    if resolver not in forms():
        return (finding("bridge.resolver", "resolver", part=resolver, legal=", ".join(forms())),)
    try:
        figures = _converted(raw)
    except msgspec.ValidationError as wrong:
        return (finding("bridge.form", message=str(wrong)),)
    codes = {"kind": "bridge.kind", "word": "bridge.word", "rows": "bridge.rows",
             "board": "bridge.board"}  # fmt: skip
    return in_order(
        finding(codes[fault.code], *fault.steps, part=fault.part, legal=fault.legal)
        for fault in figures.faults(KINDS[campaign](), TERRAINS[campaign]())
    )


def kind_faults(rows: Mapping[str, tuple[Step, ...]], kinds: tuple[str, ...]) -> Iterator[Fault]:
    """Kinds of a campaign's units without a row, and rows for kinds that it has not.

    rows: kind -> where its row stands.
    """
    yield from [Fault((), "kind", kind, ", ".join(rows)) for kind in kinds if kind not in rows]
    for kind, steps in rows.items():
        if kind not in kinds:
            yield Fault(steps, "kind", kind, ", ".join(kinds))


def _stands() -> tuple[str, ...]:
    from polemarque.systems.mare_nostrum.army_lists import load_lists

    return tuple(load_lists().element)


def _warriors() -> tuple[str, ...]:
    from polemarque.systems.atlantide.troops import Kind

    return get_args(Kind)


def _provinces() -> tuple[str, ...]:
    from polemarque.systems.mare_nostrum.atlas import TERRAINS as LANDS

    return LANDS


def _territories() -> tuple[str, ...]:
    from polemarque.systems.atlantide.board import Terrain

    return get_args(Terrain)


TERRAINS: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "atlantide": _territories,
    "mare_nostrum": _provinces,
}
"""Terrains of each campaign's places."""

KINDS: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "atlantide": _warriors,
    "mare_nostrum": _stands,
}
"""Kinds of units of each campaign that bridges lead from."""
