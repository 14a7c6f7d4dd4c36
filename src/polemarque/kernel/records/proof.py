"""What a record or an export proves: its chain, its course, its dice and its receipts.

Of an export in which something is hidden, the course is played as far as it can be known: to the
first entry that follows from a hidden one.  As long as the question that an entry answers is open,
nothing hidden bears on it, so up to there a false die is as certainly false as in a whole record.
Beyond, no more is said than *not checkable yet*; the chain still holds every entry to what it was.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

import msgspec

from polemarque.kernel.errors import NotUnderstood, OutOfDate, Refusal
from polemarque.kernel.files.decoding import from_json
from polemarque.kernel.position import plain
from polemarque.kernel.records.commitment import Seeds
from polemarque.kernel.records.export import FIRST, Hidden, Part, digest_of, read_export
from polemarque.kernel.records.keyed_dice import Receipt, receipt_digest
from polemarque.kernel.records.record import (
    ONLY,
    Answer,
    Chain,
    Cover,
    Entry,
    Header,
    Shown,
    changed,
    digest,
    read_entry,
    read_record,
    write_entry,
)
from polemarque.kernel.records.verifier import FALSE, FAULTS, VERDICTS, Trial

Step = Callable[[int, int], None]
"""Called with (entries done, entries in all)."""

LATER = "later"
"""Of a receipt that nothing bears out yet: the export has no chain."""

RECORD = "record"
"""What a proof is of, where it is no export."""

_BY = ("", "absent", "standing", ONLY, "umpire", "post")
"""Who can have given the answer of a receipt."""


class Proof(msgspec.Struct, frozen=True):
    """The verdict on a record or an export.

    rolls:    how many rolls are proved, typed, free, unshown or false (see `trial`).
    altered:  number of the first entry that is not what it should be, from 1; 0 where none is, or
              none can be named.
    reason:   why it does not hold; None if it does.
    receipts: of each receipt its fault (digest, campaign, answer or head), "" where it holds, or
              `LATER` where that cannot be said yet.
    reader:   whom an export is for ("public", "seat:A", "full"), or "record".
    head:     of the chain; "" of an export that has none.
    hidden:   how many entries stand in it as their digest or their cover only.
    replayed: how many entries could be played again.
    over:     whether the game has ended; None where that could not be found out.
    awaited:  the owners of seeds that the end of a game is to show and that are not there.
    """

    header: Header | None
    entries: int
    head: str
    rolls: dict[str, int]
    altered: int = 0
    reason: Refusal | None = None
    receipts: tuple[str, ...] = ()
    reader: str = RECORD
    hidden: int = 0
    replayed: int = 0
    over: bool | None = None
    awaited: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether everything that can be checked is as it should be."""
        return self.reason is None and not set(self.receipts) - {"", LATER}


def prove(
    raw: bytes,
    receipts: Sequence[Receipt] = (),
    on_step: Step | None = None,
    seeds: Seeds | None = None,
) -> Proof:
    """Check everything that a record or an export allows; whatever is wrong is in the proof.

    seeds: of a record's committed dice, where the one who checks has them; None for those shown.

    A record without its last line is that of a game that goes on: nothing is missing then.
    """
    exported = raw.startswith(FIRST)
    try:
        return _proof_of_export(raw, receipts, on_step) if exported else _proof_of_record(
            raw, receipts, on_step, seeds
        )  # fmt: skip
    except Refusal as refusal:
        if not exported:
            return _altered_record(raw, refusal)
        return Proof(None, 0, "", {}, refusal.data.get("entry", 0), refusal)


def _proof_of_record(
    raw: bytes, receipts: Sequence[Receipt], on_step: Step | None, seeds: Seeds | None
) -> Proof:
    record = read_record(raw, interrupted=True)
    if not record.complete and not raw.endswith(b"\n"):
        raise _cut(raw)  # in the middle of a line
    proof = prove_entries(record.header, record.entries, receipts, on_step, seeds, record.head)
    if proof.over and not record.complete:
        raise _cut(raw)
    return _ended(proof, claimed=record.complete)


def prove_entries(
    header: Header, entries: Sequence[Entry], receipts: Sequence[Receipt] = (),
    on_step: Step | None = None, seeds: Seeds | None = None, head: str = "",
) -> Proof:  # fmt: skip
    """The proof of a record's entries, whether its game is over or goes on; see `prove`.

    head: of their chain, where it is known.
    """
    proof = _tried(header, entries, head or digest(header, entries), on_step, seeds)
    links = _links(header, entries)
    faults = tuple([_fault(kept, header, entries, links) for kept in receipts])
    return msgspec.structs.replace(proof, receipts=faults)


def _proof_of_export(raw: bytes, receipts: Sequence[Receipt], on_step: Step | None) -> Proof:
    export = read_export(raw)
    linked = bool(export.links)
    tried = _tried(export.header, export.parts, export.head, on_step, linked=linked)
    proof = _ended(tried)
    shown = proof.reason is None or proof.reason.code == "verify.no_seeds"
    if shown and (withheld := _withheld(export.parts, over=bool(proof.over))):
        refusal = OutOfDate("verify.withheld", part=withheld)
        proof = msgspec.structs.replace(proof, altered=withheld, reason=refusal)
    if proof.reason is None and proof.over and not linked:  # a game that is over has its chain
        proof = msgspec.structs.replace(proof, reason=changed(1, at="header"))
    faults = [
        _fault(kept, export.header, export.parts, export.links if linked else None)
        for kept in receipts
    ]
    return msgspec.structs.replace(
        proof, receipts=tuple(faults), reader=export.reader.name, hidden=export.hidden
    )


def _cut(raw: bytes) -> OutOfDate:
    return OutOfDate("record.cut", part=raw.count(b"\n") + 1)


def _ended(proof: Proof, *, claimed: bool = False) -> Proof:
    """The proof, which does not hold where something of the game's end is missing.

    claimed: the file says by its last line that the game is over.
    """
    if proof.reason is not None:
        return proof
    if claimed and proof.over is False:
        return msgspec.structs.replace(proof, reason=OutOfDate("verify.no_end"))
    if proof.awaited:
        seats = [owner for owner in proof.awaited if owner]
        refusal = OutOfDate("verify.no_seeds", seats=seats)
        return msgspec.structs.replace(proof, reason=refusal)
    return proof


def _withheld(parts: Sequence[Part], *, over: bool) -> int:
    """The first entry that is hidden although the game is over, and so open to all; 0 for none.

    over: it was played to its end.  Seeds of seats are shown when it is over, and not before.
    """
    if not over and not any(isinstance(part, Shown) and part.seat for part in parts):
        return 0
    hidden = (n for n, part in enumerate(parts, 1) if isinstance(part, (Hidden, Cover)))
    return next(hidden, 0)


def _tried(
    header: Header, parts: Sequence[Part], head: str, on_step: Step | None = None,
    seeds: Seeds | None = None, *, linked: bool = True,
) -> Proof:  # fmt: skip
    """Replay entry by entry, each roll compared with what its seed gives."""
    rolls = dict.fromkeys(VERDICTS, 0)
    try:
        trial = Trial(header, parts, seeds, linked=linked)
    except FAULTS as fault:
        return Proof(header, len(parts), head, rolls, 0, _refusal(fault))
    altered, reason, over = 0, None, None
    for number, part in enumerate(parts, 1):
        try:
            verdict = trial.verdict(part)
            if verdict:
                rolls[verdict] += 1
            if verdict == FALSE and not altered:
                altered, reason = number, _false(part)
            trial.take(part, verdict)
        except FAULTS as fault:
            altered, reason = altered or number, reason or _refusal(fault)
            break
        if on_step is not None:
            on_step(number, len(parts))
    else:
        over = trial.over
        if replaced := trial.replaced_words():
            altered = replaced[0]
            reason = OutOfDate("verify.word", part=", ".join(map(str, replaced)))
    return Proof(
        header, len(parts), head, rolls, altered, reason, replayed=trial.replayed, over=over,
        awaited=tuple(trial.seeds_awaited()),
    )  # fmt: skip


def _false(part: Part) -> Refusal:
    if isinstance(part, Answer):
        return OutOfDate("verify.faces", rule=part.key.rule, part=part.key)
    return OutOfDate("verify.seed", part=getattr(part, "period", ""))


def _refusal(fault: Exception) -> Refusal:
    return fault if isinstance(fault, Refusal) else OutOfDate("verify.fault", part=fault)


# Receipts ----------------------------------------------------------------------------------------


def read_receipt(raw: bytes) -> Receipt:
    """A receipt as its seat kept it.  Raises NotUnderstood."""
    try:
        return from_json(raw, Receipt)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise NotUnderstood("receipt.unreadable", reason=str(fault)) from None


def _fault(
    receipt: Receipt, header: Header, parts: Sequence[Part], links: Iterable[str] | None
) -> str:
    """What is wrong with a receipt (digest, campaign, answer, head), nothing, or `LATER`.

    links: of the chain; None where there is none.
    """
    answer = plain(receipt.answer)
    if receipt.digest != receipt_digest(receipt.campaign, receipt.key, receipt.salt, answer):
        return "digest"
    if receipt.campaign != header.campaign:
        return "campaign"
    if not any(_is_of(receipt, answer, part) for part in parts):
        if links is None and any(isinstance(part, (Hidden, Cover)) for part in parts):
            return LATER
        if not _hides(receipt, parts, header):
            return "answer"
    if links is None:
        return LATER if receipt.head else ""
    if receipt.head and receipt.head not in links:
        return "head"
    return ""


def _is_of(receipt: Receipt, answer: object, part: Part) -> bool:
    """Whether an entry that is shown is the one that a receipt was given for."""
    return (
        isinstance(part, Answer)
        and part.key == receipt.key
        and part.value == answer
        and part.salt in ("", receipt.salt)
    )


def _hides(receipt: Receipt, parts: Sequence[Part], header: Header) -> bool:
    """Whether the line made of what a receipt says is one of those that are hidden."""
    answer = plain(receipt.answer)
    given = [Answer(receipt.key, answer, by, receipt.salt) for by in _BY]
    lines = [write_entry(answer, header.version) for answer in given]
    digests = {hashlib.sha256(line).hexdigest() for line in lines}
    return any(isinstance(part, Hidden) and part.digest in digests for part in parts)


def _links(header: Header, entries: Sequence[Entry]) -> set[str]:
    """Every link of a record's chain: the heads that a receipt may hold."""
    chain = Chain(header)
    links = {chain.head}
    for entry in entries:
        chain.add_digest(digest_of(entry, header.version))
        links.add(chain.head)
    return links


# What does not hold together ---------------------------------------------------------------------


def _altered_record(raw: bytes, refusal: Refusal) -> Proof:
    """The verdict on a record that is cut or changed, with the first altered entry if one shows.

    A chain tells that something was changed; which entry it was is seen where a line cannot be
    read, where an answer is none that could be given, or where faces do not follow from the seed.
    """
    none = Proof(None, 0, "", {}, 0, refusal)
    if "line" not in refusal.data:
        return none
    lines = raw.split(b"\n")
    try:
        header = read_record(lines[0] + b"\n", interrupted=True).header
    except Refusal:
        return none
    entries: list[Entry] = []
    broken = 0
    for number, line in enumerate(lines[1:-2], 1):
        try:
            entry = read_entry(line.removesuffix(b","), header.version)
        except Refusal:
            broken = number
            break
        if not line.endswith(b",") or write_entry(entry, header.version) + b"," != line:
            broken = number
            break
        entries.append(entry)
    found = _tried(header, entries, "")
    altered = found.altered or broken
    return msgspec.structs.replace(found, entries=len(entries), altered=altered, reason=refusal)
