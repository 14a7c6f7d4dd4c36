"""Proofs of files that anybody may hand in, made in a process apart."""

from __future__ import annotations

from collections.abc import Sequence

from polemarque.club.server.subprocesses import LIMIT, apart
from polemarque.kernel.errors import NotUnderstood, Refusal, shortened
from polemarque.kernel.records.keyed_dice import Receipt
from polemarque.kernel.records.proof import Proof, prove, read_receipt

File = tuple[str, bytes]
"""What a file is called, and what it holds."""


def prove_apart(raw: bytes, receipts: Sequence[File] = (), limit: float = LIMIT) -> Proof:
    """The proof of a record or an export, and of receipts.

    Raises NotUnderstood on a receipt that is none and on what no proof can be made of, NotAllowed
    if it would take too long, or while another is made.
    """
    return apart("verify", proved, raw, tuple(receipts), limit=limit)


def proved(raw: bytes, receipts: Sequence[File]) -> Proof | Refusal:
    """The proof, or its refusal: a stranger's bytes may say anything, and are told so."""
    try:
        return prove(raw, [_receipt(*file) for file in receipts])
    except Refusal as refusal:
        return refusal
    except Exception as fault:  # noqa: BLE001 - whatever it is, it is said
        return NotUnderstood("verify.unproved", part=repr(fault))


def _receipt(name: str, raw: bytes) -> Receipt:
    """A receipt from its file.  Raises NotUnderstood, naming it."""
    try:
        return read_receipt(raw)
    except NotUnderstood as refusal:
        refusal.part = shortened(name)
        raise
