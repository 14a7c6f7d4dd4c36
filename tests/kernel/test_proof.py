"""What `prove` says of exports: what is proved, not checkable yet, false; where one is altered."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Callable, Iterator

import msgspec
import pytest

from polemarque.kernel.errors import NotUnderstood, OutOfDate
from polemarque.kernel.game import Game
from polemarque.kernel.records.export import Everybody, OneSeat, Operator, Reader, read_export
from polemarque.kernel.records.keyed_dice import Receipt
from polemarque.kernel.records.proof import prove, prove_entries, read_receipt
from polemarque.kernel.records.record import Answer, Moved, Shown, write_entry, write_record
from polemarque.kernel.request import DICE, Key
from tests.kernel.spies import DAY, READERS, busy, made, over, say, started

# What `prove` says -------------------------------------------------------------------------------


def test_what_follows_from_something_hidden_is_not_checkable_yet() -> None:
    game = say(started(), *DAY, *DAY, ("B", "march"))
    rolls = 2 * 4
    public = prove(made(game, Everybody()))
    assert public.holds and public.reader == "public" and not public.rolls["proved"]
    assert public.rolls["unshown"] == 2 and public.replayed == 3, "the words"
    mine = prove(made(game, OneSeat("A")))
    assert mine.holds and mine.rolls["unshown"] == 4 and mine.hidden > public.replayed
    full = prove(made(game, Operator()))
    assert full.holds and full.hidden == 1 and full.replayed == full.entries - 1
    assert full.rolls["proved"] == 2 and full.rolls["unshown"] == rolls - 2, "seats' own seeds"


def rechained(raw: bytes, change: Callable[[int, bytes], bytes]) -> bytes:
    """An export with some of its lines changed (from 1) and all its links made right again.

    Written from docs/record.md alone, not with the code under test.
    """
    first, *lines, _, _ = raw.split(b"\n")
    game = re.search(rb'"game":(.*),"entries":\[$', first)
    assert game
    sha = hashlib.sha256
    link = sha(b'{"polemarque":2,"game":%b,"entries":[' % game[1]).digest()
    out = [re.sub(rb'"link":"[0-9a-f]+"', b'"link":"%b"' % link.hex().encode(), first)]
    for number, line in enumerate(lines, 1):
        shown = change(number, line[68:-2])
        entry = msgspec.json.decode(shown)
        body = shown
        if isinstance(entry, dict) and entry["type"] in {"adjust", "replace"} and "salt" in entry:
            cover = {"type": "cover", "of": entry["type"], "line": sha(shown).hexdigest(),
                     "reason": entry["reason"]}  # fmt: skip
            cover |= {"date": entry["date"]} if "date" in entry else {}
            body = msgspec.json.encode(cover)
        known = bytes.fromhex(entry) if isinstance(entry, str) else sha(body).digest()
        link = sha(link + known).digest()
        out.append(b'["%b",%b],' % (link.hex().encode(), shown))
    whole = b"\n".join(out) + b"\n"
    last = (len(lines), link.hex().encode(), sha(whole).hexdigest().encode())
    return whole + b'{"end":{"entries":%d,"head":"%b","sum":"%b"}}]}\n' % last


def test_the_form_is_as_documented() -> None:
    for game in (busy(), over()):
        for reader in READERS:
            raw = made(game, reader)
            assert rechained(raw, lambda _, shown: shown) == raw


def sky(game: Game) -> list[int]:
    """Numbers, from 1, of the rolls in the open."""
    return [n for n, e in enumerate(game.entries, 1)
            if isinstance(e, Answer) and e.key.seat == DICE and e.key.rule == "SPY-3"]  # fmt: skip


def fallen_otherwise(at: int) -> Callable[[int, bytes], bytes]:
    def change(number: int, shown: bytes) -> bytes:
        if number != at:
            return shown
        row = msgspec.json.decode(shown)
        row[3] = "12" if row[3] == "11" else "11"
        return msgspec.json.encode(row)

    return change


def test_a_die_that_does_not_follow_is_named_where_nothing_hidden_bears_on_it() -> None:
    game = say(started(), *DAY, *DAY, ("B", "march"))
    at = sky(game)[1]
    proof = prove(rechained(made(game, Operator()), fallen_otherwise(at)))
    assert proof.altered == at and proof.rolls["false"] == 1
    assert proof.reason is not None and proof.reason.code == "verify.faces"
    public = prove(rechained(made(game, Everybody()), fallen_otherwise(at)))
    assert public.holds and public.head != game.digest, "its head is not the one that all know"
    for reader in READERS:
        ended = prove(rechained(made(over(), reader), fallen_otherwise(at)))
        assert ended.altered == at and ended.rolls["false"] == 1


@pytest.mark.parametrize("reader", READERS, ids=lambda each: each.name)
def test_nothing_is_hidden_once_the_game_is_over(reader: Reader) -> None:
    """Else whoever hides one answer could have all dice after it fall as he likes."""
    ended = made(over(), reader)
    at = next(
        n for n, part in enumerate(read_export(ended).parts, 1)
        if isinstance(part, Answer) and part.key.seat != DICE
    )  # fmt: skip
    forged = rechained(ended, lambda n, line: b'"%b"' % (b"ab" * 32) if n == at else line)
    assert prove(ended).holds and not prove(forged).holds
    assert prove(forged).altered == at


def test_a_false_seed_is_named_in_every_kind() -> None:
    game = busy()
    at = next(n for n, entry in enumerate(game.entries, 1) if isinstance(entry, Shown))
    false = write_entry(Shown(1, "ab" * 32))
    for reader in READERS:
        raw = rechained(made(game, reader), lambda n, shown: false if n == at else shown)
        proof = prove(raw)
        assert proof.altered == at and proof.reason is not None
        assert proof.reason.code == "verify.seed"


def test_an_answer_that_could_not_be_given_is_named_after_something_hidden() -> None:
    game = say(started(), ("B", "march"), *DAY)
    at = next(n for n, e in enumerate(game.entries, 1) if isinstance(e, Answer) and e.value == 3)

    def change(number: int, shown: bytes) -> bytes:
        return shown.replace(b",3,", b",6,") if number == at else shown

    raw = made(game, Operator())
    assert prove(raw).hidden == 1 and prove(raw).holds
    assert prove(rechained(raw, change)).altered == at


def places(raw: bytes, rng: random.Random) -> Iterator[tuple[int, int]]:
    """Twenty places in an export, each with the number of its line, from 0."""
    for _ in range(20):
        at = rng.randrange(len(raw) - 1)
        while raw[at] == 10:
            at += 1
        yield at, raw[:at].count(b"\n")


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
@pytest.mark.parametrize("ended", [False, True])
def test_an_altered_byte_is_known_and_its_entry_named(reader: Reader, *, ended: bool) -> None:
    game = over() if ended else busy()
    raw = made(game, reader)
    rng = random.Random(reader.name)
    named = 0
    for at, line in places(raw, rng):
        byte = rng.choice([b for b in (*range(32, 127), 10, 200) if b != raw[at]])
        proof = prove(raw[:at] + bytes([byte]) + raw[at + 1 :])
        assert not proof.holds
        entry = line if line <= len(game.entries) else 0
        assert proof.altered == entry, raw[at - 20 : at + 20]
        named += bool(entry)
    assert named > 10
    for at in [n for n, byte in enumerate(raw) if byte == 10]:
        assert not prove(raw[:at] + b" " + raw[at + 1 :]).holds
        assert not prove(raw[:at]).holds


def test_a_digest_in_capitals_is_known() -> None:
    raw = made(busy(), Everybody())
    line = next(line for line in raw.split(b"\n") if re.fullmatch(rb'\["\w{64}","\w{64}"\],', line))
    proof = prove(raw.replace(line, line[:68] + line[68:].upper()))
    assert not proof.holds and proof.altered == raw.split(b"\n").index(line)


def test_an_export_for_another_is_known() -> None:
    raw = made(busy(), OneSeat("A")).replace(b'"seat:A"', b'"seat:B"', 1)
    assert not prove(raw).holds
    with pytest.raises(OutOfDate):
        read_export(raw)


@pytest.mark.parametrize("raw", [
    b'{"polemarque_export":', b'{"polemarque_export":3}\n', b"", b"\xff\n",
    b'{"polemarque_export":1,"for":"public","link":"","game":{},"entries":[\n',
])  # fmt: skip
def test_what_is_no_export_is_refused(raw: bytes) -> None:
    assert not prove(raw).holds
    with pytest.raises(NotUnderstood):
        read_export(raw)


def test_another_version_is_refused() -> None:
    raw = made(started(), Everybody()).replace(b'{"polemarque_export":1', b'{"polemarque_export":3')
    with pytest.raises(OutOfDate, match=r"record\.version"):
        read_export(raw)


# Receipts ----------------------------------------------------------------------------------------


def test_a_receipt_holds_against_a_hidden_line() -> None:
    game = say(started(), ("B", "march"))
    kept = game.receipt(game.entries[-1])
    again = read_receipt(msgspec.json.encode(kept))
    assert again == kept
    say(game, *DAY[:1])
    for reader in READERS:
        assert prove(made(game, reader), [kept]).receipts == ("",)
    assert prove(write_record(game.header, game.entries), [kept]).receipts == ("",)
    say(game, ("C", "hold"))
    for reader in READERS:
        assert prove(made(game, reader), [kept]).receipts == ("",)


@pytest.mark.parametrize("by", ["", "absent", "standing", "post"])
def test_a_receipt_holds_whoever_brought_the_answer(by: str) -> None:
    game = started()
    game.answer("B", "march", by=by)
    kept = game.receipt(game.entries[-1])
    public = made(game, Everybody())
    assert b"march" not in public
    assert prove(public, [kept]).receipts == ("",)


def false_receipts(game: Game, kept: Receipt) -> Iterator[tuple[Receipt, str]]:
    replaced = msgspec.structs.replace
    other_salt = Answer(kept.key, kept.answer, salt="0" * 64)
    yield game.receipt(other_salt), "answer"
    yield game.receipt(Answer(kept.key, "hold", salt=kept.salt)), "answer"
    yield game.receipt(Answer(Key(9, "", "SPY-1", "B"), kept.answer, salt=kept.salt)), "answer"
    yield replaced(kept, head="ab" * 32), "head"
    yield replaced(kept, digest="ab" * 32), "digest"
    yield replaced(kept, campaign="another"), "digest"


def test_a_false_receipt_is_seen_in_every_kind() -> None:
    game = say(started(), ("B", "march"))
    kept = game.receipt(game.entries[-1])
    files = [made(game, reader) for reader in READERS]
    files.append(write_record(game.header, game.entries))
    for receipt, fault in false_receipts(game, kept):
        for raw in files:
            proof = prove(raw, [kept, receipt])
            assert proof.receipts == ("", fault) and not proof.holds


# Who holds the seeds -----------------------------------------------------------------------------


def test_whoever_holds_the_seeds_proves_rolls_before_they_are_shown() -> None:
    game = say(started(), *DAY, *DAY, ("B", "march"))
    seeds = game.chains
    assert seeds is not None
    assert prove(game.record).rolls["unshown"]
    known = prove(game.record, seeds=seeds)
    assert known.holds and not known.rolls["unshown"]
    last = max(n for n, e in enumerate(game.entries) if isinstance(e, Answer) and is_roll(e))
    fell = game.entries[last]
    assert isinstance(fell, Answer)
    other = msgspec.structs.replace(fell, value=tuple([face % 6 + 1 for face in fell.value]))
    entries = [*game.entries[:last], other]
    assert prove_entries(game.header, entries).holds, "its seed is not shown yet"
    false = prove_entries(game.header, entries, seeds=seeds)
    assert (false.holds, false.altered) == (False, last + 1)


def is_roll(answer: Answer) -> bool:
    return answer.key.seat == DICE


@pytest.mark.parametrize("what", ["taken", "brought", "recalled"])
def test_everybody_reads_that_a_game_was_taken_elsewhere(what: str) -> None:
    game = say(started(), *DAY)
    before, state = game.requests(), game.state
    game.enter(Moved(what, "2026-11-23"))
    assert (game.requests(), game.state) == (before, state)
    for reader in READERS:
        assert read_export(made(game, reader)).parts[-1] == Moved(what, "2026-11-23")
    assert prove(game.record).holds
    with pytest.raises(NotUnderstood):
        game.enter(Moved("lost"))


COVERED = b'{"type":"cover","of":"adjust","line":"%b","reason":"so"}' % (b"ab" * 32)


@pytest.mark.parametrize("line", [b'"%b"' % (b"ab" * 32), COVERED], ids=["hidden", "cover"])
def test_one_hidden_line_after_the_end_does_not_make_the_game_go_on(line: bytes) -> None:
    """Else whoever lost could leave out the seats' seeds, and no roll of theirs were checked."""
    game = over()
    last = max(n for n, e in enumerate(game.entries) if not isinstance(e, Shown)) + 1
    cut = rechained(made(game, Everybody()), lambda _, shown: shown).split(b"\n")
    cut = [*cut[: last + 1], b'["%b",%b],' % (b"0" * 64, line), *cut[-2:]]
    proof = prove(rechained(b"\n".join(cut), lambda _, shown: shown))
    assert proof.over and not proof.holds and proof.altered == last + 1
    assert proof.reason is not None and proof.reason.code == "verify.withheld"


def unchained(raw: bytes) -> bytes:
    """An export relabelled as one without chain."""
    first, *lines, _, _ = raw.split(b"\n")
    first = re.sub(rb'"link":"[0-9a-f]+"', b'"link":""', first)
    first = first.replace(b'_export":1', b'_export":2')
    whole = b"\n".join([first, *[b'["",' + line[68:] for line in lines]]) + b"\n"
    last = (len(lines), hashlib.sha256(whole).hexdigest().encode())
    return whole + b'{"end":{"entries":%d,"head":"","sum":"%b"}}]}\n' % last


def test_a_chain_is_not_left_out_where_nothing_is_hidden() -> None:
    raw = unchained(made(over(), Everybody()))
    proof = prove(raw)
    assert not proof.holds and proof.reason is not None and proof.reason.code == "record.changed"
