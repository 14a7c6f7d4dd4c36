"""Committed dice: words, seeds, salts and receipts, and what they refuse."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from polemarque.kernel import run
from polemarque.kernel.agenda import Rule, ask, roll, script, tell
from polemarque.kernel.dice import D6, MOST_DICE, Roll, faces
from polemarque.kernel.errors import KernelFault, NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.game import Game, committed_game, new_header, replay
from polemarque.kernel.position import encode_position
from polemarque.kernel.records.commitment import OPEN, Chains, Committed, ShownSeeds
from polemarque.kernel.records.keyed_dice import (
    Seeded,
    leads_back,
    receipt_digest,
    seed_chain,
    walked_back,
)
from polemarque.kernel.records.record import (
    Adjust,
    Answer,
    Replace,
    Shown,
    Word,
    read_record,
    write_record,
)
from polemarque.kernel.request import DICE, Key, OneOf
from polemarque.kernel.run import Runner
from tests.kernel import toy

CHAINS = Chains({owner: f"secret of {owner}".encode() for owner in (OPEN, "A", "B", "umpire")}, 20)


def started(umpire: str = "", **more: Any) -> Game:
    """A committed game of two, before any word."""
    header = msgspec.structs.replace(new_header("toy", seats=2, **more), umpire=umpire)
    return committed_game(header, CHAINS)


def worded(**more: Any) -> Game:
    game = started(**more)
    for seat in "AB":
        game.enter(Word(seat, f"word of {seat}"))
    game.settle()
    return game


def say(game: Game, *said: tuple[str, Any]) -> None:
    for seat, value in said:
        game.answer(seat, value)
    game.settle()


STORM = (("A", "storm"), ("B", "wait"), ("A", "cry"), ("A", 0))


def to_day(game: Game, day: int, seed: int = 2) -> None:
    """Play at random until that day begins (or the game is over)."""
    rng = random.Random(seed)
    while not game.over and game.state.day < day:
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()


def dice(game: Game) -> list[Answer]:
    return [e for e in game.effective if isinstance(e, Answer) and e.key.seat == DICE]


def shown(game: Game) -> list[Shown]:
    return [entry for entry in game.entries if isinstance(entry, Shown)]


@pytest.mark.timeout(10)
@pytest.mark.parametrize("count", [MOST_DICE + 1, 10**18])
def test_more_dice_than_anybody_can_throw_are_not_rolled(count: int) -> None:
    with pytest.raises(KernelFault):
        Seeded(1).throw(Roll(count, D6, faces, "test"), Key(1, "A", "X", "", "", 1), ())


def test_a_rule_that_asks_for_too_many_dice_breaks_off_before_they_are_rolled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Game(new_header("toy", seats=2, seed=1))
    monkeypatch.setattr(run, "MOST_DICE", 0)
    with pytest.raises(KernelFault, match="dice at once"):
        to_day(game, 3)


# Words -------------------------------------------------------------------------------------------


def test_nothing_is_answered_before_every_seat_has_given_a_word() -> None:
    game = started()
    game.enter(Word("A", "owl"))
    with pytest.raises(OutOfDate, match=r"word\.awaited") as refused:
        game.answer("A", "storm")
    assert refused.value.legal == ("B",)
    game.enter(Word("A", "eagle"))
    game.enter(Word("B", "bull"))
    game.answer("A", "storm")
    with pytest.raises(OutOfDate, match=r"word\.too_late"):
        game.enter(Word("B", "goat"))
    assert game.commitment.words == {"A": "eagle", "B": "bull"}


def test_words_change_before_a_period_opens() -> None:
    game = worded()
    to_day(game, 2)
    game.enter(Word("B", "wolf"))
    game.answer("A", "wait")
    with pytest.raises(OutOfDate, match=r"word\.too_late"):
        game.enter(Word("A", "fox"))


def test_a_playing_umpire_gives_his_word_first_and_for_good() -> None:
    game = started(umpire="B")
    with pytest.raises(NotAllowed, match=r"word\.umpire_first"):
        game.enter(Word("A", "owl"))
    game.enter(Word("B", "bull"))
    with pytest.raises(NotAllowed, match=r"word\.final"):
        game.enter(Word("B", "goat"))
    game.enter(Word("A", "owl"))
    game.enter(Word("A", "eagle"))


def test_a_word_is_a_short_text_of_a_seat() -> None:
    game = started()
    with pytest.raises(NotUnderstood):
        game.enter(Word("Z", "owl"))
    with pytest.raises(NotAllowed, match="text_long"):
        game.enter(Word("A", "x" * 101))
    assert not game.entries


def test_every_word_bears_on_every_die() -> None:
    def rolled(word: str) -> list[Any]:
        game = committed_game(msgspec.structs.replace(new_header("toy", seats=2), campaign="c"),
                              CHAINS)  # fmt: skip
        game.enter(Word("A", "owl"))
        game.enter(Word("B", word))
        for seat, value in STORM:
            key = next(r.keys[seat] for r in game.requests(seat))
            game.enter(Answer(key, value, salt="5a"))
        game.settle()
        return [e.value for e in dice(game)]

    assert rolled("bull") == rolled("bull")
    assert len({str(rolled(f"bull {n}")) for n in range(12)}) > 1


# Seeds -------------------------------------------------------------------------------------------


def test_seeds_are_shown_as_periods_end_and_all_at_the_end() -> None:
    game = worded()
    say(game, *STORM)
    assert dice(game) and not shown(game)
    to_day(game, 2)
    assert shown(game) == [CHAINS.shown(OPEN, 1)]
    to_day(game, 9)
    assert [(s.seat, s.period) for s in shown(game)] == [
        ("", 1), ("", 2), ("", 3), ("A", 3), ("B", 3), ("umpire", 3),
    ]  # fmt: skip
    again = replay(game.header, read_record(write_record(game.header, game.entries)).entries)
    assert encode_position(again.position) == encode_position(game.position)


def test_no_period_opens_before_the_last_seed_is_shown() -> None:
    game = worded()
    game.chains = None  # whoever holds the seeds is away
    while game.state.day == 1:
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.absent(seat), request.keys[seat])
    with pytest.raises(OutOfDate, match=r"seed\.awaited"):
        game.answer("A", "wait")
    for false in ("junk", CHAINS.shown(OPEN, 2).seed):
        with pytest.raises(NotAllowed, match=r"seed\.false"):
            game.enter(Shown(1, false))
    for early in (CHAINS.shown(OPEN, 2), CHAINS.shown("A", 1)):
        with pytest.raises(OutOfDate, match=r"seed\.too_early"):
            game.enter(early)
    game.enter(CHAINS.shown(OPEN, 1))
    game.answer("A", "wait")


def test_only_the_seeds_of_the_header_are_held() -> None:
    other = Chains(dict.fromkeys((OPEN, "A", "B", "umpire"), b"another"), 20)
    with pytest.raises(NotAllowed, match=r"seed\.other_chains"):
        worded().hold(other)


def test_a_chain_ends() -> None:
    with pytest.raises(OutOfDate, match="chain_ended"):
        CHAINS.seed(OPEN, 21)


def test_a_seed_leads_back_to_its_anchor_and_to_no_other() -> None:
    chain = seed_chain(b"last", 9)
    assert walked_back(chain[5], 5) == chain[0]
    assert leads_back(chain[5].hex(), 5, chain[0].hex())
    assert leads_back(chain[5].hex(), 3, chain[2].hex())
    for seed, steps in ((chain[5], 4), (chain[4], 5), (b"x", 5), (chain[4], -1)):
        assert not leads_back(seed.hex(), steps, chain[0].hex())


def test_earlier_seeds_follow_from_later_ones() -> None:
    known = ShownSeeds([CHAINS.shown("A", 7)])
    assert known.seed("A", 3) == CHAINS.seed("A", 3)
    assert known.seed("A", 8) is None and known.seed(OPEN, 1) is None


# A roll that only its owner may see ---------------------------------------------------------------


@script("TOY-30")
def looks_in_secret(day: toy.Day) -> Rule[Any]:
    seen = yield from roll(4, D6, read=faces, why="spy", owner="A")
    yield from tell("TOY-30", "spied", to=("A",), faces=list(seen))
    yield from roll(4, D6, read=faces, why="open")
    yield from ask("A", OneOf(("yes",)), absent="yes")
    return day, []


def test_a_roll_that_some_may_not_see_comes_from_its_owners_seed() -> None:
    game = worded()
    position = msgspec.structs.replace(game.position, agenda=(("TOY-30",),), frames=(), asked=())
    game.runner = Runner(position)
    pending = game.throws()[0]
    game.settle()
    own, in_the_open = (e.value for e in game.entries if isinstance(e, Answer))
    others = ShownSeeds([CHAINS.shown(OPEN, 1)])
    where = (pending.roll, pending.key, (pending.decision, (), ()))
    assert Committed(game.commitment, others).throw(*where) == (), "no open seed makes it"
    words = tuple(sorted(game.commitment.words.items()))
    mine = Committed(game.commitment, ShownSeeds([CHAINS.shown("A", 1)]))
    assert mine.throw(pending.roll, pending.key, (pending.decision, words, ())) == own
    assert in_the_open != own


# After a correction ------------------------------------------------------------------------------


def test_a_roll_made_new_by_a_correction_uses_the_seed_of_the_running_period() -> None:
    game = worded(scenario="long")
    say(game, *STORM)
    first = dice(game)[0]
    to_day(game, 3)
    assert game.commitment.last == 2 and not first.by
    bribe = next(e for e in game.effective if isinstance(e, Answer) and e.value == 0)
    game.enter(Replace(bribe.key, "he paid", value=1))
    game.settle()
    anew = next(e for e in dice(game) if e.key == first.key)
    assert anew.by == "3", "the record names the period whose seed was used"
    twin = replay(game.header, game.entries)
    assert encode_position(twin.position) == encode_position(game.position)


def test_an_umpires_act_neither_shifts_a_die_nor_buys_one() -> None:
    def rolled(*acts: Adjust) -> list[Any]:
        header = msgspec.structs.replace(new_header("toy", seats=2), campaign="c")
        game = committed_game(header, CHAINS)
        for seat in "AB":
            game.enter(Word(seat, "w"))
        for act in acts:
            game.enter(act)
        for seat, value in STORM:
            key = next(r.keys[seat] for r in game.requests(seat))
            game.enter(Answer(key, value, salt="5a"))
        game.settle()
        return [e.value for e in dice(game)]

    assert rolled() == rolled(Adjust("gold.B", 3, "a fine"))


# Sealed answers ----------------------------------------------------------------------------------


def test_sealed_answers_are_salted_and_their_receipt_holds() -> None:
    game = worded()
    game.answer("A", "storm")
    sealed = game.entries[-1]
    assert isinstance(sealed, Answer) and len(sealed.salt) == 64
    kept = game.receipt(sealed)
    assert kept.head == game.digest
    assert kept.digest == receipt_digest(game.header.campaign, sealed.key, sealed.salt, "storm")
    game.answer("B", "wait")
    assert set(game.course.salts[""]) == {"A", "B"}
    game.answer("A", "cry")
    assert len(game.entries[-1].salt) == 64 and len(game.course.salts[""]) == 2
    assert game.entries[-1].salt not in game.course.salts[""].values(), "it enters no die"


def test_the_sealed_answer_of_a_playing_umpire_is_final() -> None:
    game = started(umpire="B")
    for seat in "BA":
        game.enter(Word(seat, "w"))
    game.answer("B", "wait")
    for take_back in (lambda: game.answer("B", "storm"), lambda: game.undo("B")):
        with pytest.raises(NotAllowed, match=r"answer\.final"):
            take_back()
    game.answer("A", "storm")


def test_a_die_without_faces_is_a_fault() -> None:
    for count, sides in ((1, 0), (0, 6)):
        with pytest.raises(KernelFault):
            Seeded(1).throw(Roll(count, sides, faces, "why"), "key", ())


@pytest.mark.parametrize("sides", [256, 257, 276, 65_536, 65_537])
def test_large_dice_take_more_bytes_and_show_every_part_of_their_faces(sides: int) -> None:
    fell = [Seeded(seed).throw(Roll(1, sides, faces, "why"), "key", ())[0] for seed in range(200)]
    assert all(1 <= face <= sides for face in fell)
    quarters = {(face - 1) * 4 // sides for face in fell}
    assert quarters == {0, 1, 2, 3} and len(set(fell)) > 100
