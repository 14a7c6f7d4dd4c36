"""The figures of one bridge: a campaign, a battle system, and a data file for the two (PA-3 to 5).

A file ``<campaign>_<resolver>.toml`` says what the battle system makes of that campaign's armies.
It lies beside the bridge or in the campaign's own data folder, so that either may bring it.
Its form is the resolver's, registered by `form_of`; what it has to speak of, kinds of units and
terrains, the campaign's descriptor says (`System.brief_words`).  `check` finds what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from polemarque.api import NotUnderstood, convert, find_system, system_names
from polemarque.api.battle import LAND, Brief, BriefWords, resolver, resolvers
from polemarque.api.boards import Cell, Grid, grid
from polemarque.api.checkers import board_faults
from polemarque.api.files import CheckFailed, Datum, Finding, Lines, Step, in_order, read_toml
from polemarque.api.texts import LANGUAGES
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


def on_land(resolver: str, campaign: str) -> tuple[str, ...]:
    """Where a resolver can fight a campaign's battles: on land, if the two have a file."""
    return (LAND,) if pair_file(campaign, resolver) is not None else ()


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


SECTORS_ACROSS = 3
"""Sectors 1-2-3 lie over 4-5-6 (AT-8.4)."""

SLOTS = 6
"""Elements that a sector has room for."""

OPEN = "open"
"""The ground of a place of which nothing is known."""


class Grounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Boards of one size.

    shape:    "hex" or "square".
    ground:   terrain, or kind of field ("border"), -> rows from the north, a character a cell.
    legend:   character -> terrain of the battle system; the first is bare ground.
    elements: what players may lay in sectors (AT-8.5) -> character.
    edge:     rows along the two edges that nothing is laid in: armies deploy there.
    """

    shape: str
    ground: dict[str, str]
    legend: dict[str, str]
    elements: dict[str, str] = {}
    edge: int = 2

    def board(self, brief: Brief) -> dict[str, Any]:
        """The table of the board on which a brief's battle is fought."""
        wanted = brief.terrain or str(brief.facts.get("ground", OPEN))
        sectors = brief.facts.get("sectors") or ()
        rows = [list(row) for row in _rows(self.ground.get(wanted, self.ground[OPEN]))]
        if sectors:  # nothing lies there but what players have laid (AT-8.5)
            bare = next(iter(self.legend))
            rows = [[bare] * len(row) for row in rows]
            self._lay(rows, sectors)
        return {
            "id": brief.place,
            "name": brief.names or dict.fromkeys(LANGUAGES, brief.place),
            "shape": self.shape,
            "terrain": "\n".join(["".join(row) for row in rows]),
            "legend": dict(self.legend),
        }

    def grid(self) -> Grid:
        """The cells of these boards."""
        rows = _rows(self.ground[OPEN])
        return grid("hex" if self.shape == "hex" else "square", len(rows[0]), len(rows))

    def _lay(self, rows: list[list[str]], sectors: Collection[Collection[str]]) -> None:
        for number, elements in enumerate(sectors):
            cells = self._sector(len(rows), len(rows[0]), number)
            for slot, element in enumerate(list(elements)[:SLOTS]):
                if element in self.elements:
                    part = cells[slot * len(cells) // SLOTS : (slot + 1) * len(cells) // SLOTS]
                    for row, column in part:
                        rows[row][column] = self.elements[element]

    def _sector(self, rows: int, columns: int, number: int) -> list[tuple[int, int]]:
        """The cells of a sector, counted from 0, row by row from the north-west."""
        down, across = divmod(number, SECTORS_ACROSS)
        inner = rows - 2 * self.edge
        top, bottom = [self.edge + inner * n // 2 for n in (down, down + 1)]
        west, east = [columns * n // SECTORS_ACROSS for n in (across, across + 1)]
        return [(row, column) for row in range(top, bottom) for column in range(west, east)]

    def faults(self, places: Collection[str], words: Collection[str]) -> Iterator[Fault]:
        """What is wrong with them: boards that are missing or unreadable, elements without a word.

        places: terrains of the campaign.   words: terrains of the battle system.
        """
        missing = [place for place in (OPEN, *places) if place not in self.ground]
        yield from [Fault(("grounds", "ground"), "board", place, place) for place in missing]
        if OPEN in missing:
            return
        sizes = {key: [len(row) for row in _rows(text)] for key, text in self.ground.items()}
        for key, text in self.ground.items():
            table = {"id": key, "name": {"fr": key, "en": key}, "shape": self.shape,
                     "terrain": text, "legend": dict(self.legend)}  # fmt: skip
            # The legend serves all grounds: a character need not stand in each.
            used = {char: word for char, word in self.legend.items() if char in text}
            wrong = board_faults({"board": {**table, "legend": used}}, terrains=tuple(words))
            if wrong or sizes[key] != sizes[OPEN]:
                part = wrong[0].code if wrong else f"{sizes[key]}"
                yield Fault(("grounds", "ground", key), "board", part, f"{sizes[OPEN]}")
        for element, char in self.elements.items():
            if char not in self.legend:
                where = ("grounds", "elements", element)
                yield Fault(where, "word", char, ", ".join(self.legend))


def _rows(text: str) -> list[str]:
    return ["".join(row.split()) for row in text.splitlines() if row.strip()]


def edge_rows(cells: Grid, *, north: bool, deep: int) -> tuple[Cell, ...]:
    """The cells of so many rows along the north or the south edge, nearest to it first."""
    rows = range(cells.rows, cells.rows - deep, -1) if north else range(1, deep + 1)
    return tuple(
        [cells.cell(column, row) for row in rows for column in range(1, cells.columns + 1)]
    )


def with_marks(
    board: Mapping[str, Any], kind: str, cells: Collection[Cell], n: int
) -> dict[str, Any]:
    """A board whose cells bear a mark."""
    return {**board, "marks": {kind: dict.fromkeys(cells, n)}} if cells and n else dict(board)
