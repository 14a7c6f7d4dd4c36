"""`polemarque export`: a record as one reader may have it, whole or while the game goes on."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from polemarque.cli.common import Command, json_option, print_json, say
from polemarque.cli.records import begins, export_reader, for_option, load, make_folder, put
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.records.export import FIRST, export, read_export
from polemarque.kernel.records.record import SEEDED


@click.command(cls=Command, help="export.help")
@click.argument("file", type=click.Path(path_type=Path))
@for_option
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), metavar="FILE", help="export.out"
)
@json_option
def command(file: Path, reader: str, out: Path, as_json: bool) -> int:
    """Write an export."""
    record = load(file, interrupted=True)
    raw = export(record.header, record.entries, export_reader(reader, record.header))
    if out.exists() and not begins(out, FIRST):
        raise NotAllowed("export.exists", part=out)
    make_folder(out.parent)
    put(out, raw.decode())
    made = read_export(raw)
    figures = {"entries": len(made.parts), "hidden": made.hidden, "head": made.head or None}
    if as_json:
        print_json({"file": str(out), "for": made.reader.name, **figures})
    else:
        print(say("export.done", file=str(out), **figures))
        if record.header.dice == SEEDED and not made.head:
            print(say("export.by_trying"))
    return 0
