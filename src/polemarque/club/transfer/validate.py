"""What a file from the hall proves: all of it played again, in a process apart.

That process knows nothing of the database, and this module nothing of it either.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import msgspec

from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.transfer.package import Cargo, KeptReceipt
from polemarque.kernel.errors import OutOfDate, Refusal
from polemarque.kernel.files.decoding import convert
from polemarque.kernel.position import plain
from polemarque.kernel.records.commitment import OPEN, Chains
from polemarque.kernel.records.proof import prove_entries, read_receipt
from polemarque.kernel.records.record import (
    Anchored,
    Answer,
    Chain,
    Entry,
    Header,
    read_entry,
    write_entry,
)
from polemarque.kernel.records.verifier import UNSHOWN

log = logging.getLogger(__name__)


def proved(cargo: Cargo) -> Refusal | None:
    """Nothing if all of a cargo holds together, else why it does not."""
    try:
        _prove(cargo)
    except Refusal as refusal:
        return refusal
    except Exception as fault:  # noqa: BLE001 - whatever it is, it is said
        log.warning("what came back cannot be played: %r", fault)
        return OutOfDate("hall.false", part=0)
    return None


def _prove(cargo: Cargo) -> None:
    header = convert(plain(msgspec.json.decode(cargo.header)), Header)
    entries = [_read(number, line, header) for number, line in enumerate(cargo.lines, 1)]
    chains = None
    if cargo.seeds is not None:
        every = [
            {owner: bytes.fromhex(seed) for owner, seed in last.items()}
            for last in (cargo.seeds, *cargo.further)
        ]
        chains = Chains(every[0], further=every[1:])
        _check_anchors(header, entries, chains)
    receipts = [read_receipt(kept.body.encode()) for kept in cargo.receipts]
    proof = prove_entries(header, entries, receipts, seeds=chains)
    if proof.reason is not None or proof.rolls.get(UNSHOWN):
        raise OutOfDate("hall.false", part=proof.altered)
    for kept, body, fault in zip(cargo.receipts, receipts, proof.receipts, strict=True):
        if fault or not _is_of(kept, entries) or body.digest != kept.digest:
            raise OutOfDate("hall.receipt", part=kept.number)


def _read(number: int, line: str, header: Header) -> Entry:
    entry = read_entry(line.encode(), header.version)
    if write_entry(entry, header.version) != line.encode():
        raise OutOfDate("hall.false", part=number)
    return entry


def _check_anchors(header: Header, entries: Sequence[Entry], chains: Chains) -> None:
    further = [{OPEN: e.anchor, **e.anchors} for e in entries if isinstance(e, Anchored)]
    if chains.anchors != [{OPEN: header.anchor, **header.anchors}, *further]:
        raise OutOfDate("hall.seeds")


def _is_of(kept: KeptReceipt, entries: Sequence[Entry]) -> bool:
    """Whether a receipt is kept with the entry and the seat that it is of."""
    given = entries[kept.number - 1] if 0 < kept.number <= len(entries) else None
    return isinstance(given, Answer) and (key_text(given.key), given.key.seat) == (
        kept.key,
        kept.seat,
    )


def head_of(cargo: Cargo) -> str:
    """The head of the chain of a cargo's record."""
    chain = Chain(convert(plain(msgspec.json.decode(cargo.header)), Header))
    chain.add(*[line.encode() for line in cargo.lines])
    return chain.head
