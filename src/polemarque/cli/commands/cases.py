"""`polemarque cases SYSTEM|FILE…`: run the cases of a system, or of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import rich_click as click

from polemarque.cli.common import DONE, NO, Command, lang, say

if TYPE_CHECKING:
    from polemarque.report.case_files import CaseFault


@click.command(cls=Command, help="cases.help")
@click.argument("words", nargs=-1, required=True, metavar="SYSTEM|FILE...")
def command(words: tuple[str, ...]) -> int:
    """Run each case, and say whether it holds."""
    from polemarque.testing.run_cases import CaseError, CaseFailed, read_cases, run_case

    held = failed = 0
    for file in [file for word in words for file in _files(word)]:
        try:
            cases = read_cases(file, _text(file))
        except CaseError as fault:
            failed += 1
            click.echo(say("cases.unread", file=str(file), reason=_reason(fault)))
            continue
        for case in cases:
            try:
                run_case(case)
            except (CaseError, CaseFailed) as fault:
                failed += 1
                why = _reason(fault)
                click.echo(say("cases.fails", case=case.id, title=case.title, reason=why))
            else:
                held += 1
                click.echo(say("cases.holds", case=case.id, title=case.title))
    click.echo(say("cases.summary", held=held, failed=failed))
    return NO if failed else DONE


def _reason(fault: CaseFault) -> str:
    return say("cases.reason", place=fault.place, said=fault.said(lang()))


def _files(word: str) -> Iterator[Path]:
    """The case files that a word names.  Raises NotUnderstood."""
    from polemarque.kernel.errors import NotUnderstood
    from polemarque.kernel.files.rule_ledger import CASES
    from polemarque.kernel.system import find_rulebook
    from polemarque.report.rulebook import case_files

    if word.endswith(CASES):
        yield Path(word)
        return
    found = case_files(find_rulebook(word).name)
    if not found:
        raise NotUnderstood("cases.none", part=word)
    yield from found


def _text(file: Path) -> str:
    """What stands in a file.  Raises NotUnderstood."""
    from polemarque.cli.records import read_bytes
    from polemarque.kernel.errors import NotUnderstood

    try:
        return read_bytes(file).decode()
    except UnicodeDecodeError as fault:
        raise NotUnderstood("file.unreadable", part=file, reason=str(fault)) from None
