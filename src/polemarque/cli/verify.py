"""`polemarque verify`: what a record proves, and the first entry that somebody has altered."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import rich_click as click

from polemarque.cli.common import (
    DONE,
    NO,
    Command,
    json_option,
    lang_option,
    print_json,
    refusal_text,
    say,
)
from polemarque.cli.progress import progress
from polemarque.cli.proof import Proof, prove


@click.command(cls=Command, help="verify.help")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--receipt", "receipts", multiple=True, metavar="FILE", help="verify.receipt")
@json_option
@lang_option
def command(file: Path, receipts: Sequence[str], as_json: bool) -> int:
    """Check a record."""
    with progress(say("verify.checking"), shown=not as_json) as tick:
        proof = prove(file, receipts, tick)
    if as_json:
        _print(proof)
    else:
        _show(proof)
    if not proof.holds:
        print(_fault(proof), file=sys.stderr)
    return DONE if proof.holds else NO


def _print(proof: Proof) -> None:
    print_json(
        {
            "holds": proof.holds,
            "entries": proof.entries,
            "head": proof.head,
            "rolls": proof.rolls,
            "altered": proof.altered or None,
            "reason": _fault(proof) if not proof.holds else None,
            "receipts": [
                {"receipt": name, "fault": fault or None} for name, fault in proof.receipts
            ],
        }
    )


def _show(proof: Proof) -> None:
    """What could be checked, a line each."""
    if proof.reason is None:
        print(say("verify.chain", entries=proof.entries, head=proof.head))
        print(say("verify.replay"))
    for verdict, count in proof.rolls.items():
        if count:
            print(say(f"verify.rolls.{verdict}", count=count))
    for name, fault in proof.receipts:
        print(say(f"verify.receipts.{fault or 'held'}", receipt=name))


def _fault(proof: Proof) -> str:
    """Why a record does not hold, in one line."""
    if proof.reason is None:
        false = [name for name, fault in proof.receipts if fault]
        return say("verify.receipt_false", receipts=false)
    return say("verify.false", altered=proof.altered, reason=refusal_text(proof.reason))
