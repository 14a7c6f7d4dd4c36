"""`polemarque export`: a record as one reader may have it, whole or while the game goes on."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from polemarque.cli.common import Command, json_option, lang_option, print_json, say
from polemarque.cli.records import begins, load, make_folder, put
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.export import FIRST, export, read_export, reader_of


@click.command(cls=Command, help="export.help")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--for", "reader", required=True, metavar="public|seat:A|full", help="export.reader")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), metavar="FILE", help="export.out"
)
@json_option
@lang_option
def command(file: Path, reader: str, out: Path, as_json: bool) -> int:
    """Write an export."""
    record = load(file, interrupted=True)
    raw = export(record.header, record.entries, reader_of(reader, record.header))
    if out.exists() and not begins(out, FIRST):
        raise NotAllowed("export.exists", part=out)
    make_folder(out.parent)
    put(out, raw.decode())
    made = read_export(raw)
    figures = {"entries": len(made.parts), "hidden": made.hidden, "head": made.head}
    if as_json:
        print_json({"file": str(out), "for": reader, **figures})
    else:
        print(say("export.done", file=str(out), **figures))
    return 0
