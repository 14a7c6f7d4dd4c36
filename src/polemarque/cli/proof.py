"""What `verify` proves of a record: its chain, its replay, its dice and its receipts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from polemarque.cli.records import Step, read_bytes
from polemarque.kernel.commitment import Commitment, Committed, ShownSeeds
from polemarque.kernel.errors import KernelFault, NotUnderstood, OutOfDate, Refusal
from polemarque.kernel.game import Game
from polemarque.kernel.live import Throw
from polemarque.kernel.position import plain
from polemarque.kernel.record import (
    Answer,
    Chain,
    Entry,
    Header,
    Record,
    Shown,
    Word,
    read_entry,
    read_record,
    write_entry,
)
from polemarque.kernel.request import DICE
from polemarque.kernel.trust import Receipt, receipt_digest

PROVED, TYPED, FREE, UNSHOWN, FALSE = "proved", "typed", "free", "unshown", "false"
"""What can be said of a roll: it follows from its seed; a person typed it; nothing can be checked;
its seed is not shown yet; it does not follow from its seed."""

FAULTS = (Refusal, KernelFault, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What playing a record that somebody has altered can end in."""


class Proof(msgspec.Struct, frozen=True):
    """The verdict on a record.

    rolls:    how many rolls are proved, typed, free, unshown or false.
    altered:  number of the first entry that is not what it should be, from 1; 0 where none is, or
              none can be named.
    reason:   why the record does not hold; None if it does.
    receipts: one (receipt's name, fault) each; the fault is "" where it holds.
    """

    header: Header | None
    entries: int
    head: str
    rolls: dict[str, int]
    altered: int = 0
    reason: Refusal | None = None
    receipts: tuple[tuple[str, str], ...] = ()

    @property
    def holds(self) -> bool:
        """Whether everything that can be checked is as it should be."""
        return self.reason is None and not any(fault for _, fault in self.receipts)


def prove(path: Path, receipts: Sequence[str] = (), on_step: Step | None = None) -> Proof:
    """Check everything that a record allows.  Raises NotUnderstood if a file cannot be opened."""
    raw = read_bytes(path)
    kept = [(name, read_receipt(name)) for name in receipts]
    try:
        record = read_record(raw)
    except Refusal as refusal:
        return _of_altered(raw, refusal)
    proof = _replayed(record.header, record.entries, record.head, on_step)
    verdicts = tuple((name, _fault(receipt, record)) for name, receipt in kept)
    return msgspec.structs.replace(proof, receipts=verdicts)


def read_receipt(name: str) -> Receipt:
    """A receipt from its file.  Raises NotUnderstood."""
    try:
        return msgspec.json.decode(read_bytes(Path(name)), type=Receipt)
    except (msgspec.DecodeError, msgspec.ValidationError) as fault:
        raise NotUnderstood("receipt.unreadable", part=name, reason=str(fault)) from None


def _fault(receipt: Receipt, record: Record) -> str:
    """What is wrong with a receipt (digest, campaign, answer, head), or nothing."""
    answer = plain(receipt.answer)
    if receipt.digest != receipt_digest(receipt.campaign, receipt.key, receipt.salt, answer):
        return "digest"
    if receipt.campaign != record.header.campaign:
        return "campaign"
    given = [e.value for e in record.entries if isinstance(e, Answer) and e.key == receipt.key]
    if answer not in given:
        return "answer"
    if receipt.head and receipt.head not in _links(record):
        return "head"
    return ""


def _links(record: Record) -> set[str]:
    """Every link of a record's chain: the heads that a receipt may hold."""
    chain = Chain(record.header)
    links = {chain.head}
    for entry in record.entries:
        chain.add(write_entry(entry, record.header.version))
        links.add(chain.head)
    return links


# Dice ------------------------------------------------------------------------------------------


def _replayed(
    header: Header, entries: Sequence[Entry], head: str, on_step: Step | None = None
) -> Proof:
    """Replay entry by entry, each roll compared with what its seed gives."""
    rolls = dict.fromkeys((PROVED, TYPED, FREE, UNSHOWN, FALSE), 0)
    altered, reason = 0, None
    try:
        game = Game(header)
        judge = _Judge(header, game, entries)
    except FAULTS as fault:
        return Proof(header, len(entries), head, rolls, 0, _refusal(fault))
    words = _Words()
    for number, entry in enumerate(entries, 1):
        try:
            verdict = judge.verdict(entry)
            words.note(number, entry, verdict)
            if verdict:
                rolls[verdict] += 1
            if verdict == FALSE and not altered:
                altered, reason = number, _false(entry)
            game.enter(entry)
        except FAULTS as fault:
            return Proof(header, len(entries), head, rolls, altered or number,
                         reason or _refusal(fault))  # fmt: skip
        if on_step is not None:
            on_step(number, len(entries))
    replaced = words.replaced()
    if replaced:
        altered = replaced[0]
        reason = OutOfDate("verify.word", part=", ".join(map(str, replaced)))
    return Proof(header, len(entries), head, rolls, altered, reason)


class _Judge:
    """What can be said of each entry that is a roll or a shown seed."""

    def __init__(self, header: Header, game: Game, entries: Sequence[Entry]) -> None:
        self._dice = header.dice
        self._game = game
        shown = [entry for entry in entries if isinstance(entry, Shown)]
        self._false_seeds = _false_seeds(header, shown) if header.dice == "committed" else []
        if header.dice == "committed":
            true = [entry for entry in shown if entry not in self._false_seeds]
            game.source = Committed(game.commitment, ShownSeeds(true))

    def verdict(self, entry: Entry) -> str:
        """PROVED, TYPED, FREE, UNSHOWN or FALSE; "" of an entry that is neither."""
        if isinstance(entry, Shown) and entry in self._false_seeds:
            return FALSE
        if not isinstance(entry, Answer) or entry.key.seat != DICE:
            return ""
        if self._dice not in {"seeded", "committed"}:
            return TYPED if self._dice == "typed" else FREE
        _, throw = self._game.runner.find(entry.key)
        if not isinstance(throw, Throw):
            return FALSE
        rolled = self._game.rolled(throw)
        if not rolled.value:
            return UNSHOWN
        return PROVED if (rolled.value, rolled.by) == (entry.value, entry.by) else FALSE


def _false_seeds(header: Header, shown: Sequence[Shown]) -> list[Shown]:
    """The seeds that do not lead back to their anchor, or to an earlier one that does."""
    public = Commitment(header)
    false = []
    for each in shown:
        try:
            public.check_shown(each, each.period, over=True)
            public.show(each)
        except Refusal:
            false.append(each)
    return false


class _Words:
    """Which seats' words the faces bear out.

    If most of the rolls made with the same words are false, somebody has replaced a word: a few of
    them still come out right by chance.  If most are proved, so are the words.
    """

    def __init__(self) -> None:
        self._given: dict[str, int] = {}
        """seat -> number of the entry in which it gave its word."""
        self._rolls: dict[tuple[int, ...], list[str]] = {}

    def note(self, number: int, entry: Entry, verdict: str) -> None:
        """Take one more entry and what was said of it."""
        if isinstance(entry, Word):
            self._given[entry.seat] = number
        elif isinstance(entry, Answer) and verdict in {PROVED, FALSE}:
            words = tuple(sorted(self._given.values()))
            self._rolls.setdefault(words, []).append(verdict)

    def replaced(self) -> list[int]:
        """Numbers of the entries among which a replaced word is; empty if there is none."""
        sound: set[int] = set()
        for words, verdicts in self._rolls.items():
            if len(verdicts) > 1 and verdicts.count(FALSE) * 2 > len(verdicts):
                return [number for number in words if number not in sound]
            sound.update(words)
        return []


def _false(entry: Entry) -> Refusal:
    if isinstance(entry, Answer):
        return OutOfDate("verify.faces", rule=entry.key.rule, part=entry.key)
    return OutOfDate("verify.seed", part=getattr(entry, "period", ""))


def _refusal(fault: Exception) -> Refusal:
    return fault if isinstance(fault, Refusal) else OutOfDate("verify.fault", part=fault)


# A record that does not hold together --------------------------------------------------------


def _of_altered(raw: bytes, refusal: Refusal) -> Proof:
    """The verdict on a file that is cut or changed, with the first altered entry if one shows.

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
    found = _replayed(header, entries, "")
    altered = found.altered or broken
    return msgspec.structs.replace(found, entries=len(entries), altered=altered, reason=refusal)
