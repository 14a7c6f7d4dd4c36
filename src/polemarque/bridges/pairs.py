"""The figures of one bridge: a campaign, a battle system, and a data file for the two (PA-3 to 5).

A file ``<campaign>_<resolver>.toml`` says what the battle system makes of that campaign's armies.
It lies beside the bridge or in the campaign's own data folder, so that either may bring it.
Its form is the resolver's, registered by `form_of`; what it has to speak of, kinds of units and
terrains, the campaign's descriptor says (`System.brief_words`).  `check` finds what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from polemarque.api import NotUnderstood, convert, find_system, system_names
from polemarque.api.battle import Brief, BriefWords, resolver, resolvers
from polemarque.api.files import CheckFailed, Datum, Finding, Lines, Step, in_order, read_toml
from polemarque.bridges.house import DATA


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


class Registered(NamedTuple):
    """The form of a resolver's files, the rule they carry out, the folder of those it brings."""

    form: type[Any]
    rule: str
    folder: Path


F = TypeVar("F", bound=Form)

_FORMS: dict[str, Registered] = {}


def form_of(resolver: str, rule: str, folder: Path = DATA) -> Callable[[type[F]], type[F]]:
    """Register the form of a resolver's data files, its rule, and the folder of those it brings."""

    def keep(form: type[F]) -> type[F]:
        _FORMS[resolver] = Registered(form, rule, folder)
        return form

    return keep


def forms() -> Mapping[str, Registered]:
    """The form of every resolver that has data files."""
    for name in resolvers():
        if name not in _FORMS:
            resolver(name)
    return _FORMS


_FOUND: dict[tuple[Path, str, str], Path | None] = {}
"""Files that were found, and None for those that are not there; of a campaign that is not known
yet, what was not found is looked for again.
"""


def pair_file(campaign: str, resolver: str) -> Path | None:
    """The file of a campaign and a resolver: the resolver's own, else the campaign's, else None.

    None too where no campaign is named (""): its file is not even looked for.
    """
    if not campaign:
        return None
    place = (_FORMS[resolver].folder, campaign, resolver)
    if place not in _FOUND:
        name = f"{campaign}_{resolver}.toml"
        data = _data_of(campaign)
        files = [folder / name for folder in (place[0], *data)]
        found = next((file for file in files if file.is_file()), None)
        if found is None and not data:
            return None
        _FOUND[place] = found
    return _FOUND[place]


def _data_of(campaign: str) -> tuple[Path, ...]:
    try:
        data = find_system(campaign).data
    except NotUnderstood:
        return ()
    return (data,) if data.parts else ()


def figures_of(campaign: str, resolver: str) -> Any:
    """The figures by which a resolver reads a campaign's briefs, None where there is no file.

    Raises CheckFailed, with everything that is wrong with the file.
    """
    path = pair_file(campaign, resolver)
    return None if path is None else _read(path)


def figures_for(brief: Brief, resolver: str) -> Any:
    """The figures by which a resolver reads a brief.

    Raises NotUnderstood naming the campaigns that it knows.
    """
    figures = figures_of(brief.campaign, resolver)
    if figures is None:
        known = [name for name in system_names() if pair_file(name, resolver) is not None]
        rule = _FORMS[resolver].rule
        raise NotUnderstood("battle.pair", rule=rule, part=brief.campaign, legal=known)
    return figures


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
    return convert(fields, forms()[raw["resolver"]].form)


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
    words = _words_of(campaign)
    if words is None:
        legal = ", ".join(campaigns())
        return (finding("bridge.campaign", "campaign", part=campaign, legal=legal),)
    if resolver not in forms():
        return (finding("bridge.resolver", "resolver", part=resolver, legal=", ".join(forms())),)
    try:
        figures = _converted(raw)
    except msgspec.ValidationError as wrong:
        return (finding("bridge.form", misread=str(wrong)),)
    codes = {"kind": "bridge.kind", "word": "bridge.word", "rows": "bridge.rows",
             "board": "bridge.board"}  # fmt: skip
    return in_order(
        finding(codes[fault.code], *fault.steps, part=fault.part, legal=fault.legal)
        for fault in figures.faults(words.kinds, words.terrains)
    )


def kind_faults(rows: Mapping[str, tuple[Step, ...]], kinds: tuple[str, ...]) -> Iterator[Fault]:
    """Kinds of a campaign's units without a row, and rows for kinds that it has not.

    rows: kind -> where its row stands.
    """
    yield from [Fault((), "kind", kind, ", ".join(rows)) for kind in kinds if kind not in rows]
    for kind, steps in rows.items():
        if kind not in kinds:
            yield Fault(steps, "kind", kind, ", ".join(kinds))


# Campaigns ---------------------------------------------------------------------------------------


def campaigns() -> tuple[str, ...]:
    """Names of the systems whose battles can be converted."""
    return tuple([name for name in system_names() if _words_of(name) is not None])


def _words_of(campaign: str) -> BriefWords | None:
    """What a campaign's briefs may hold; None if it is no campaign, or not here."""
    try:
        words = find_system(campaign).brief_words
    except NotUnderstood:
        return None
    return words() if words is not None else None
