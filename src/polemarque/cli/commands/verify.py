"""`polemarque verify`: what a record or an export proves, and the first entry altered."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import rich_click as click

from polemarque.cli.common import DONE, NO, Command, json_option, print_json, refusal_text, say
from polemarque.cli.progress import progress
from polemarque.cli.records import read_bytes
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.records.keyed_dice import Receipt
from polemarque.kernel.records.proof import LATER, RECORD, Proof, prove, read_receipt
from polemarque.kernel.records.verifier import PROVED


@click.command(cls=Command, help="verify.help")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--receipt", "receipts", multiple=True, metavar="FILE...", help="verify.receipt")
@click.argument("more", nargs=-1, metavar="")
@json_option
def command(file: Path, receipts: Sequence[str], more: Sequence[str], as_json: bool) -> int:
    """Check a record or an export.

    more: what stands behind a --receipt, so that a shell's pattern can name several.
    """
    if more and not receipts:
        raise NotUnderstood("cli.extra", part=more[0], command="polemarque verify")
    receipts = (*receipts, *more)
    raw = read_bytes(file)
    kept = [_receipt(name) for name in receipts]
    with progress(say("verify.checking"), shown=not as_json) as tick:
        proof = prove(raw, kept, tick)
    verdicts = tuple(zip(receipts, proof.receipts, strict=False))
    if as_json:
        _print(proof, verdicts)
    else:
        _show(proof, verdicts)
    if not proof.holds:
        print(_fault(proof, verdicts), file=sys.stderr)
    return DONE if proof.holds else NO


Verdicts = Sequence[tuple[str, str]]
"""Each receipt's file and its fault, "" where it holds."""


def _receipt(name: str) -> Receipt:
    """A receipt from its file.  Raises NotUnderstood."""
    raw = read_bytes(Path(name))
    try:
        return read_receipt(raw)
    except NotUnderstood as refusal:
        refusal.part = name
        raise


def _print(proof: Proof, verdicts: Verdicts) -> None:
    print_json(
        {
            "holds": proof.holds,
            "over": proof.over,
            "reader": proof.reader,
            "entries": proof.entries,
            "hidden": proof.hidden,
            "replayed": proof.replayed,
            "head": proof.head or None,
            "rolls": proof.rolls,
            "altered": proof.altered or None,
            "reason": _fault(proof, verdicts) if not proof.holds else None,
            "receipts": [{"receipt": name, "fault": fault or None} for name, fault in verdicts],
        }
    )


def _show(proof: Proof, verdicts: Verdicts) -> None:
    """What could be checked, a line each."""
    if proof.reason is None:
        print(say("verify.over" if proof.over else "verify.running", n=proof.rolls[PROVED]))
        chain = "so_far" if proof.reader == RECORD and not proof.over else "chain"
        chain = chain if proof.head else "unlinked"
        print(say(f"verify.{chain}", entries=proof.entries, head=proof.head))
        if proof.hidden:
            print(say("verify.hidden" if proof.head else "verify.blank", hidden=proof.hidden))
            print(say("verify.partly", replayed=proof.replayed, entries=proof.entries))
        else:
            print(say("verify.replay"))
        if proof.reader == RECORD and not proof.over and not verdicts:
            print(say("verify.unpinned"))
    for verdict, count in proof.rolls.items():
        if count:
            print(say(f"verify.rolls.{verdict}", count=count))
    for name, fault in verdicts:
        print(say(f"verify.receipts.{fault or 'held'}", receipt=name))


def _fault(proof: Proof, verdicts: Verdicts) -> str:
    """Why a record does not hold, in one line."""
    if proof.reason is None:
        false = [name for name, fault in verdicts if fault not in ("", LATER)]
        return say("verify.receipt_false", receipts=false)
    return say("verify.false", altered=proof.altered, reason=refusal_text(proof.reason))
