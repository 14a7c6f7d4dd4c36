"""The return sheet of a battle on the table, its form laid out as one table a side (PA-2).

It is the form of the sheet's own options, field for field: here they only find their places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from polemarque.bridges.house import guests_of
from polemarque.bridges.tabletop import RESULTS, ReturnedSheet
from polemarque.kernel.battle_brief import Brief, Side
from polemarque.kernel.run import Runner
from polemarque.report.game_words import Words
from polemarque.web.forms import Form
from polemarque.web.forms.fields import Field, Group, Item, Number, Told, Within
from polemarque.web.forms.input_names import part_name
from polemarque.web.forms.whole_numbers import whole
from polemarque.web.i18n import say

COLUMNS = ("killed", "left", "broken")
"""The parts of a sheet that stand in a unit's row."""


class Row(msgspec.Struct, frozen=True):
    """A unit, with a field for each column or None; or somebody else with one field.

    number: as the dossier has it.   figures: with which it began.   remaining: still on the table.
    """

    name: str
    number: str = ""
    figures: int = 0
    cells: tuple[Field | None, ...] = ()
    remaining: int = 0

    @property
    def remarks(self) -> list[Field]:
        """The fields of which something is said."""
        return [cell for cell in self.cells if cell and (cell.error or cell.note)]


class ReturnTable(Group, frozen=True, kw_only=True):
    """One side of a battle.   columns: headings.   others: rows of one field each."""

    template: ClassVar[str] = "battles/_return_table.html"
    css: ClassVar[str] = "part returns"

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    others: tuple[Row, ...]
    totals: tuple[int | str, ...]


def laid_out(form: Form, runner: Runner, words: Words) -> Form:
    """The form of a return sheet with a table for each side; any other form as it is."""
    if not isinstance(runner.state, ReturnedSheet):
        return form
    brief, fields = runner.state.brief, {field.name: field for field in fields_of(form.items)}
    columns = [each for each in COLUMNS if any(f"/{each}." in name for name in fields)]
    tables = [_table(form.name, side, brief, columns, fields, words) for side in brief.sides]
    at = {item.name: table for table in tables for item in table.items}
    items: dict[str, Item] = {}
    for name, field in fields.items():
        item: Item = at.get(name, field)
        items.setdefault(item.name, item)
    return msgspec.structs.replace(form, items=tuple(items.values()))


def _table(
    sheet: str, side: Side, brief: Brief, columns: Sequence[str], fields: dict[str, Field],
    words: Words,
) -> ReturnTable:  # fmt: skip
    def row(one: str, said: str, *parts: str, figures: int = 0) -> Row:
        named = [part_name(sheet, f"{part}.{side.seat}.{one}") for part in parts]
        cells = tuple([fields.get(name) for name in named])
        number = one if one.isdecimal() else ""
        return Row(said, number, figures, cells, max(0, figures - sum(map(_number, cells))))

    own, lang = words.voice.own, words.lang
    units = [
        row(one.id, one.names.get(lang, one.name), *columns, figures=one.figures)
        for one in side.units
    ]
    units += [row(one.id, one.names.get(lang, one.name), *columns) for one in guests_of(side)]
    others = [row(one.id, one.names.get(lang, one.name), "fate") for one in side.leaders]
    for right in side.rights.get("once", ()):
        said = own.say("dossier.spent", right=own.say(f"dossier.right.{right}"))
        others.append(row(right, said, "spent"))
    units, others = ([each for each in rows if any(each.cells)] for rows in (units, others))
    role = own.say("dossier." + ("attacker" if side is brief.sides[0] else "defender"))
    losses = [sum([_number(each.cells[n]) for each in units]) for n in range(len(columns))]
    return ReturnTable(
        name=f"{sheet}-{side.seat}", said="", opened=True, rows=tuple(units), others=tuple(others),
        legend=own.say("dossier.side", seat=words.label("seat", side.seat), role=role),
        items=tuple([cell for each in (*units, *others) for cell in each.cells if cell]),
        columns=tuple([say(lang, f"desk.sheet.{each}") for each in columns]),
        totals=(
            sum([each.figures for each in units]),
            *["" if column == "broken" else n for column, n in zip(columns, losses, strict=True)],
            sum([each.remaining for each in units]),
        ),
    )  # fmt: skip


def _number(field: Field | None) -> int:
    """The figures in a field, as far as there can be so many."""
    if isinstance(field, Number):
        return min(whole(field.typed.strip()) or 0, field.most)
    return int(field.values[0]) if isinstance(field, Told) and field.values[0].isdecimal() else 0


def fields_of(items: Iterable[Item]) -> Iterator[Field]:
    """All fields, those in groups and in sheets within too."""
    for item in items:
        if isinstance(item, (Group, Within)):
            yield from fields_of(item.items)
        else:
            yield item


def told(brief: Brief, sheet: Mapping[str, Any], words: Words) -> str:
    """A return sheet in an umpire's words: who won, and what it cost each side."""
    seats = [words.label("seat", side.seat) for side in brief.sides]
    winner = dict(zip(RESULTS, seats, strict=False)).get(sheet["result"], "")
    place = words.label("place", brief.place)
    said = [say(words.lang, "desk.sheet.won", place=place, winner=winner,
                points=sheet["result"] == "points")]  # fmt: skip
    for side, seat in zip(brief.sides, seats, strict=True):
        fates = [
            say(words.lang, "desk.part", label=one.names.get(words.lang, one.name),
                value=words.label("fate", fate))
            for one in side.leaders
            if (fate := sheet[f"fate.{side.seat}.{one.id}"]) != "alive"
        ]  # fmt: skip
        lost, gone = [_counted(side, sheet, part, words) for part in ("killed", "left")]
        said.append(
            say(words.lang, "desk.sheet.lost", seat=seat, lost=lost, gone=gone, fates=fates)
        )
    return " ".join([each[:1].upper() + each[1:] for each in said])


def _counted(side: Side, sheet: Mapping[str, Any], part: str, words: Words) -> list[str]:
    """Figures by the name of their units: nine spearmen, of whichever unit."""
    figures: Counter[str] = Counter()
    for unit in side.units:
        name = unit.names.get(words.lang, unit.name)
        figures[name[:1].lower() + name[1:]] += sheet.get(f"{part}.{side.seat}.{unit.id}", 0)
    return [f"{n} {unit}" for unit, n in figures.items() if n]
