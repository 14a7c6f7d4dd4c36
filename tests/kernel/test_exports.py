"""Exports: who sees what, under which head, and what cannot be guessed."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest

from polemarque.kernel.errors import NotUnderstood, OutOfDate
from polemarque.kernel.game import Game, committed_game, new_header, replay
from polemarque.kernel.position import encode
from polemarque.kernel.records.commitment import new_chains
from polemarque.kernel.records.export import (
    Everybody,
    Hidden,
    OneSeat,
    Operator,
    Reader,
    export,
    parts_for,
    read_export,
    reader_of,
)
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import (
    Adjust,
    Adopt,
    Answer,
    Chain,
    Cover,
    Leave,
    Replace,
    Withdraw,
    Word,
    digest,
    read_record,
    write_entry,
    write_record,
)
from polemarque.kernel.request import DICE, Key
from tests.kernel import toy
from tests.kernel.spies import CHAINS, DAY, ORDERS, READERS, busy, made, over, salts, say, started

assert toy.TOY


def names(parts: Sequence[Any]) -> list[str]:
    return [type(part).__name__ for part in parts]


# Who sees what -----------------------------------------------------------------------------------


def owner_of(entry: Answer) -> str:
    """Who alone may see an answer or a roll, by the rules of the spies; "" everybody."""
    if entry.key.seat != DICE:
        return entry.key.seat
    return entry.key.subject.removeprefix("spy of ") if entry.key.rule == "SPY-2" else ""


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_what_a_reader_gets_of_every_kind_of_entry(reader: Reader) -> None:
    game = busy()
    mine = reader.seat if isinstance(reader, OneSeat) else ""
    full = isinstance(reader, Operator)
    waiting = [e for e in game.entries[-4:] if isinstance(e, Answer)]
    seen = set()
    for entry, part in zip(game.entries, parts_for(game.header, game.entries, reader), strict=True):
        if isinstance(entry, Answer):
            shown = owner_of(entry) in ("", mine) or (full and entry not in waiting)
        elif isinstance(entry, (Leave, Withdraw)):
            shown = entry.seat == mine
        elif isinstance(entry, (Replace, Adjust)):
            shown = full or (isinstance(entry, Replace) and entry.key.seat == mine)
        else:
            shown = True
        expected = Cover if isinstance(entry, (Replace, Adjust)) else Hidden
        assert (part == entry) if shown else isinstance(part, expected), entry
        seen.add(type(entry).__name__)
    assert seen == {"Word", "Leave", "Withdraw", "Answer", "Adjust", "Replace", "Undo", "Shown"}


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_every_export_has_the_head_of_its_record(reader: Reader) -> None:
    for game in (started(), busy(), over()):
        raw = made(game, reader)
        read = read_export(raw)
        assert read.head == game.digest == read_record(
            write_record(game.header, game.entries)).head  # fmt: skip
        assert (read.header, read.reader) == (game.header, reader)
        assert made(game, reader) == raw
        assert len(msgspec.json.decode(raw)["entries"]) == len(game.entries) + 1


def test_when_the_game_is_over_everybody_has_everything() -> None:
    game = over()
    for reader in READERS:
        read = read_export(made(game, reader))
        assert read.parts == tuple(game.entries) and not read.hidden
        assert replay(
            read.header, [p for p in read.parts if not isinstance(p, (Hidden, Cover))]
        ).over
        proof = prove(made(game, reader))
        assert proof.holds and proof.replayed == len(game.entries)
        assert proof.rolls["proved"] == 12 and not proof.rolls["unshown"]


def test_no_export_holds_what_it_hides() -> None:
    game = busy()
    (owners,) = CHAINS.last
    unshown = [CHAINS.seed(owner, period).hex() for owner in owners for period in range(1, 9)
               if owner or period > 2]  # fmt: skip
    for reader in READERS:
        raw = made(game, reader)
        for entry, part in zip(game.entries, read_export(raw).parts, strict=True):
            if isinstance(part, (Hidden, Cover)):
                assert entry.salt and entry.salt.encode() not in raw
                assert write_entry(entry) not in raw
        assert not [seed for seed in unshown if seed.encode() in raw]


def blind(raw: bytes) -> list[Any]:
    """An export without its digests, links and head."""
    return re.sub(rb'"[0-9a-f]{64}"', b'"#"', raw).split(b"\n")


def test_another_seats_secrets_change_nothing_but_digests() -> None:
    one, other = busy(), busy(bribe=5, order="sail")
    seen = [
        [e.value for e in game.entries if isinstance(e, Answer) and owner_of(e) == "B"]
        for game in (one, other)
    ]
    assert seen[0] != seen[1] and len(seen[0]) == len(seen[1])
    for reader in (Everybody(), OneSeat("A"), OneSeat("C")):
        assert made(one, reader) != made(other, reader)
        assert blind(made(one, reader)) == blind(made(other, reader))
    assert blind(made(one, OneSeat("B"))) != blind(made(other, OneSeat("B")))


OTHERS = (Everybody(), OneSeat("A"), OneSeat("C"), Operator())
"""Who reads an export that B does not get."""


@pytest.mark.parametrize("reader", OTHERS, ids=lambda reader: reader.name)
def test_an_order_changes_no_export_of_others_but_once_revealed_the_whole(reader: Reader) -> None:
    waiting, revealed = [], []
    for order in ORDERS:
        game = say(started(), *DAY, ("B", order))
        waiting.append(blind(made(game, reader)))
        revealed.append(blind(made(say(game, ("A", "hold"), ("C", "hold")), reader)))
    assert waiting[0] == waiting[1] == waiting[2]
    assert (revealed[0] == revealed[1]) is (reader != Operator())


def test_a_secret_cannot_be_guessed_from_its_digest() -> None:
    game = busy()
    raw = made(game, Everybody())
    salts = [entry.salt for entry in game.entries if getattr(entry, "salt", "")]
    assert len(set(salts)) == len(salts)
    tried = 0
    for entry in game.entries:
        if isinstance(entry, Answer) and entry.key.seat != DICE:
            guesses: list[Any] = [*ORDERS, *range(6)]
        elif isinstance(entry, Answer):
            guesses = [(face,) for face in range(1, 7)]
        else:
            continue
        for value in guesses:
            for by in ("", "absent", "standing", "umpire", "post"):
                for salt in ("", "0" * 64):
                    line = write_entry(Answer(entry.key, value, by, salt))
                    shown = isinstance(entry, Answer) and write_entry(entry) in raw
                    assert shown or hashlib.sha256(line).hexdigest().encode() not in raw
                    tried += 1
    assert tried > 1000
    for bribe in range(6):
        act = Adjust("gold.B", bribe, "a find", date="day 2")
        for at in [None, *(e.key for e in game.entries if isinstance(e, Answer))]:
            line = write_entry(msgspec.structs.replace(act, at=at))
            assert hashlib.sha256(line).hexdigest().encode() not in raw


def test_a_cover_says_that_the_umpire_acted_when_and_why() -> None:
    game = started()
    game.enter(Adjust("gold.B", 3, "a find", date="day 1"))
    say(game, ("A", "march"), ("B", "hold"))
    game.enter(Replace(game.entries[-1].key, "misheard", value="sail"))
    public = made(game, Everybody())
    adjusted, replaced = (p for p in read_export(public).parts if isinstance(p, Cover))
    assert (adjusted.of, adjusted.reason, adjusted.date) == ("adjust", "a find", "day 1")
    assert (replaced.of, replaced.reason) == ("replace", "misheard")
    assert b"gold" not in public and b"sail" not in public
    full = read_export(made(game, Operator()))
    assert isinstance(full.parts[-1], Cover), "it stands for a sealed answer"
    assert isinstance(full.parts[3], Adjust)


def test_an_edition_adopted_is_told_to_everybody_but_not_what_was_asked() -> None:
    game = started(edition="1")
    game.enter(Adopt("2", "to the letter"))
    last = read_export(made(game, Everybody())).parts[-1]
    assert isinstance(last, Cover)
    assert (last.of, last.edition, last.reason) == ("adopt", "2", "to the letter")
    assert isinstance(game.entries[-1], Adopt) and game.entries[-1].at is not None


# Sealed answers ----------------------------------------------------------------------------------


def test_a_sealed_answer_is_hidden_from_whoever_runs_the_game_until_it_is_revealed() -> None:
    game = say(started(), ("B", "march"), ("B", "sail"), ("A", "hold"))
    assert names(parts_for(game.header, game.entries, Operator())[3:]) == ["Hidden"] * 3
    assert names(parts_for(game.header, game.entries, OneSeat("B"))[3:]) == [
        "Answer", "Answer", "Hidden"]  # fmt: skip
    say(game, ("C", "hold"))
    shown = parts_for(game.header, game.entries, Operator())[3:]
    assert names(shown) == ["Hidden", "Answer", "Answer", "Answer"], "the first was never in force"


def test_what_was_sealed_and_taken_back_is_never_shown() -> None:
    game = say(started(), ("B", "march"))
    game.undo("B")
    say(game, *DAY)
    shown = parts_for(game.header, game.entries, Operator())[3:]
    assert names(shown[:5]) == ["Hidden", "Undo", "Answer", "Answer", "Answer"]


def test_a_playing_umpire_does_not_learn_who_has_sealed_before_him() -> None:
    game = say(started(umpire="A"), *DAY, ("B", "march"), ("C", "hold"))
    before = len(game.entries) - 2
    for reader in (Everybody(), OneSeat("A"), OneSeat("umpire"), Operator()):
        read = read_export(made(game, reader))
        assert len(read.parts) == before
        assert read.head == digest(game.header, game.entries[:before])
        assert prove(made(game, reader)).holds
    assert len(read_export(made(game, OneSeat("B"))).parts) == before + 2
    nobody = say(started(umpire="A"), *DAY)
    assert made(game, Operator()) == made(nobody, Operator())
    say(game, ("A", "hold"))
    assert len(read_export(made(game, OneSeat("A"))).parts) == len(game.entries)


# Salts -------------------------------------------------------------------------------------------


def test_whatever_somebody_may_not_see_is_salted_and_nothing_else() -> None:
    for entry in busy().entries:
        in_the_open = (
            isinstance(entry, Answer) and entry.key.seat == DICE and entry.key.rule == "SPY-3"
        )
        salted = isinstance(entry, (Answer, Leave, Withdraw, Adjust, Replace)) and not in_the_open
        assert bool(getattr(entry, "salt", "")) is salted, entry


def test_only_sealed_salts_enter_faces() -> None:
    def faces(seed: str, sealed: str) -> list[Any]:
        game = started()
        game.salt_secrets(salts(seed))
        for seat, value in DAY:
            game.answer(seat, value, salt=sealed * 64 if isinstance(value, str) else "")
            game.settle()
        return [e.value for e in game.entries if isinstance(e, Answer) and e.key.seat == DICE]

    assert faces("aa", "1") == faces("bb", "1")
    assert faces("aa", "1") != faces("aa", "2")


@pytest.mark.parametrize("salt", ["0" * 63, "0" * 65, "A" * 64, "0" * 62 + " 0", "salt"])
def test_a_salt_is_sixty_four_hexadecimal_digits(salt: str) -> None:
    game = started()
    with pytest.raises(NotUnderstood, match=r"answer\.salt"):
        game.answer("A", "march", salt=salt)
    game.answer("A", "march", salt="0a" * 32)
    assert isinstance(game.entries[-1], Answer) and game.entries[-1].salt == "0a" * 32


def guesses_of(game: Game) -> Iterator[bytes]:
    """Whatever somebody would look for who tries out all that could be hidden: digests, links."""
    for seed in ("", *map(str, range(10))):
        header = msgspec.structs.replace(game.header, seed=seed)
        chain = Chain(header)
        yield chain.head.encode()
        for entry in game.entries:
            chain.add(write_entry(entry))
            yield chain.head.encode()
    for order in ORDERS:
        for entry in game.entries:
            if isinstance(entry, Answer):
                line = write_entry(msgspec.structs.replace(entry, value=order))
                yield hashlib.sha256(line).hexdigest().encode()


def test_nothing_is_hidden_that_could_be_guessed() -> None:
    game = Game(new_header("spies", seats=2))
    assert read_export(made(game, Everybody())).parts == ()
    game.answer("A", "march")
    for reader in (Everybody(), OneSeat("B"), Operator()):
        raw = made(game, reader)
        read = read_export(raw)
        assert read.parts == (Hidden(""),) and not read.head and not read.links
        assert not [guess for guess in guesses_of(game) if guess in raw]
        proof = prove(raw)
        assert proof.holds and proof.over is False and proof.hidden == 1
    assert read_export(made(game, OneSeat("A"))).parts == tuple(game.entries)
    salted = Game(new_header("spies", seats=2, dice="typed"))
    salted.salt_secrets()
    salted.answer("A", "march")
    assert names(read_export(made(salted, Everybody())).parts) == ["Hidden"]
    assert read_export(made(salted, Everybody())).head == salted.digest


def test_a_seed_for_all_dice_to_come_is_in_no_export_but_the_full_one() -> None:
    game = Game(new_header("spies", seats=2, seed=1))
    game.salt_secrets()
    game.answer("A", "march")
    for reader in (Everybody(), OneSeat("A")):
        raw = made(game, reader)
        assert b'"seed"' not in raw
        assert not [guess for guess in guesses_of(game) if guess in raw]
        assert prove(raw).holds
    assert names(read_export(made(game, Operator())).parts) == ["Hidden"]
    assert read_export(made(game, Operator())).header.seed == "1"


def test_the_dice_of_a_seed_that_is_left_out_are_said_to_be_checkable_later() -> None:
    game = Game(new_header("spies", seats=2, seed=1))
    game.salt_secrets()
    say(game, ("A", "march"), ("B", "hold"), ("A", 1), ("B", 2))
    rolls = [e for e in game.entries if isinstance(e, Answer) and e.key.seat == DICE]
    open_rolls = [e for e in rolls if not owner_of(e)]
    assert open_rolls and not game.over
    proof = prove(made(game, Everybody()))
    assert proof.holds and proof.rolls == dict.fromkeys(proof.rolls, 0) | {
        "unshown": len(open_rolls)
    }
    assert prove(made(game, Operator())).rolls["proved"] == len(rolls)
    given = next(e for e in game.entries if isinstance(e, Answer) and e.key.seat == "A")
    proof = prove(made(game, Everybody()), [game.receipt(given)])
    assert proof.receipts == ("later",) and proof.holds
    other = Game(new_header("spies", seats=2, seed=2))
    other.salt_secrets()
    other.answer("A", "march")
    false = msgspec.structs.replace(game.receipt(given), answer="sail")
    assert prove(made(other, Everybody()), [false]).receipts == ("digest",)


def test_an_export_without_chain_is_refused_where_it_is_damaged() -> None:
    game = Game(new_header("spies", seats=2, seed=1))
    game.answer("A", "march")
    raw = made(game, Everybody())
    for old, new in (
        (b'["",""]', b'["","%b"]' % (b"0" * 64)),
        (b'"public"', b'"seat:A"'),
        (b'"polemarque_export":2', b'"polemarque_export":1'),
        (b'["",""],\n', b""),
    ):
        assert old in raw
        with pytest.raises(OutOfDate):
            read_export(raw.replace(old, new, 1))


def without_chain(raw: bytes) -> bytes:
    """An export as a forger writes it who would have nothing of it checked."""
    raw = raw.replace(b'"polemarque_export":1', b'"polemarque_export":2', 1)
    raw = re.sub(rb'"link":"\w{64}"', b'"link":""', raw, count=1)
    raw = re.sub(rb'^\["\w{64}"', b'[""', raw, flags=re.M)
    raw = re.sub(rb'^\["","\w{64}"\]', b'["",""]', raw, flags=re.M)
    lines = re.sub(rb'"line":"\w{64}"', b'"line":""', raw).splitlines(keepends=True)
    whole = b"".join(lines[:-1])
    end = {"entries": len(lines) - 2, "head": "", "sum": hashlib.sha256(whole).hexdigest()}
    return whole + b'{"end":%b}]}\n' % encode(end)


def salted_without_seed() -> Game:
    """A game of the club whose dice are typed, in which A has answered twice."""
    game = Game(new_header("spies", seats=2, dice="typed"))
    game.salt_secrets()
    return say(game, ("A", "march"), ("B", "hold"), ("A", 1))


@pytest.mark.parametrize("game", [busy, salted_without_seed], ids=["committed", "typed"])
@pytest.mark.parametrize("reader", [OneSeat("A"), OneSeat("B"), Operator()])
def test_an_export_that_has_a_chain_is_refused_without_it(game: Any, reader: Reader) -> None:
    raw = made(game(), reader)
    assert prove(raw).holds and read_export(raw).head
    with pytest.raises(OutOfDate) as refused:
        read_export(without_chain(raw))
    assert refused.value.data["at"] == "header"
    assert not prove(without_chain(raw)).holds


def test_nor_is_one_for_everybody_where_dice_are_committed() -> None:
    raw = made(busy(), Everybody())
    assert prove(raw).holds and not prove(without_chain(raw)).holds


def test_salted_acts_are_played_again_and_have_the_same_chain() -> None:
    game = busy()
    record = read_record(write_record(game.header, game.entries))
    again = replay(record.header, record.entries)
    assert again.digest == record.head == game.digest and again.state == game.state


@pytest.mark.parametrize("name", ["seat:Z", "everybody", "", "seat:"])
def test_there_is_no_other_reader(name: str) -> None:
    header = started().header
    with pytest.raises(NotUnderstood, match=r"export\.reader") as refused:
        reader_of(name, header)
    assert "seat:A" in refused.value.legal
    for reader in READERS:
        assert reader_of(reader.name, header) == reader
    with pytest.raises(NotUnderstood):
        export(header, (), OneSeat("Z"))


# A real campaign ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["atlantide", "thucidide", "mare_nostrum"])
def test_the_systems_can_be_exported_at_any_moment(name: str) -> None:
    header = new_header(name, seats=2)
    game = committed_game(header, new_chains(header.seats))
    for seat in header.seats:
        game.enter(Word(seat, f"word of {seat}"))
    game.settle()
    rng = random.Random(4)
    for number in range(90):
        if game.over:
            break
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
        if number % 20 == 19 and not game.over:
            check(game)
    assert number > 40


def check(game: Game) -> None:
    secrets = 0
    for reader in (Everybody(), OneSeat("B"), Operator()):
        raw = made(game, reader)
        proof = prove(raw)
        assert proof.holds, proof
        assert proof.head == game.digest and not proof.rolls["false"]
        for entry, part in zip(game.entries, read_export(raw).parts, strict=True):
            if isinstance(part, Hidden):
                assert isinstance(entry, Answer) and entry.salt.encode() not in raw
                secrets += 1
            elif isinstance(part, Answer) and isinstance(reader, OneSeat):
                assert part.key.seat in {reader.seat, DICE}
    assert secrets > 20


@pytest.mark.parametrize("name", ["toy", "atlantide", "mare_nostrum"])
def test_a_sealed_answer_of_another_changes_nothing_but_digests(name: str) -> None:
    header = new_header(name, seats=3, scenario="long" if name == "toy" else "")
    game = committed_game(msgspec.structs.replace(header, campaign="c"), CHAINS)
    game.salt_secrets(salts("5a17"))
    for seat in header.seats:
        game.enter(Word(seat, f"word of {seat}"))
    game.settle()
    rng = random.Random(7)
    compared = 0
    while not game.over and compared < 4:
        request = game.requests()[0]
        seat = request.missing[0]
        first, second = (request.options(seat).sample(rng) for _ in range(2))
        if request.sealed and len(request.missing) > 1 and first != second:
            one, other = (sealed(game, request.keys[seat], value) for value in (first, second))
            for reader in (Everybody(), Operator(), *map(OneSeat, header.seats)):
                same = blind(made(one, reader)) == blind(made(other, reader))
                assert same is (reader != OneSeat(seat))
            compared += 1
        game.answer(seat, first, request.keys[seat])
        game.settle()
    assert compared == 4


def sealed(game: Game, key: Key, value: Any) -> Game:
    """The game with one more answer, its salt always the same."""
    twin = replay(game.header, game.entries)
    twin.answer(key.seat, value, key, salt="5a17" * 16)
    return twin
