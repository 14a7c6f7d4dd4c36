"""Proofs in a process apart: a long record, or one made to do harm, holds no page up for long.

One is made at a time, so that whoever checks files leaves the server to those who play.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock

from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal, shortened
from polemarque.kernel.proof import Proof, prove, read_receipt
from polemarque.kernel.trust import Receipt
from polemarque.odds.worker import spare_memory

LIMIT = 20.0
"""Seconds within which a proof must be made; `polemarque verify` takes as long as it takes."""

WAIT = 0.3
"""Seconds for which a file waits while another is checked: pages have few threads."""

File = tuple[str, bytes]
"""What a file is called, and what it holds."""

_one = Lock()


def prove_apart(
    raw: bytes, receipts: Sequence[File] = (), limit: float = LIMIT, wait: float = WAIT
) -> Proof:
    """The proof of a record or an export, and of receipts.

    Raises NotUnderstood on a receipt that is none and on what no proof can be made of, NotAllowed
    if it would take too long or others are waiting.
    """
    if not _one.acquire(timeout=wait):
        raise NotAllowed("verify.busy")
    try:
        answer = _asked(raw, tuple(receipts), limit)
    finally:
        _one.release()
    if isinstance(answer, Refusal):
        raise answer
    return answer


def _asked(raw: bytes, receipts: tuple[File, ...], limit: float) -> Proof | Refusal:
    # Threads may hold anything when a process is forked: this one begins anew.
    context = get_context("spawn")
    line, theirs = context.Pipe()
    process = context.Process(target=_answer, args=(theirs, raw, receipts), daemon=True)
    process.start()
    theirs.close()
    try:
        if not line.poll(limit):
            return NotAllowed("verify.too_slow", part=f"{limit:g}")
        answer: Proof | Refusal = line.recv()
        return answer
    except EOFError:  # it has ended, for want of memory for instance
        return NotAllowed("verify.too_slow", part=f"{limit:g}")
    finally:
        line.close()
        process.kill()
        process.join()


def _answer(line: Connection, raw: bytes, receipts: tuple[File, ...]) -> None:
    """Prove, and send what came of it.  Runs in the process apart."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    spare_memory()
    line.send(proved(raw, receipts))


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
