"""A game of more periods than one chain of seeds has: the next one is anchored before it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate, Refusal
from polemarque.kernel.game import Game, committed_game, new_header, replay
from polemarque.kernel.records.commitment import OPEN, Chains, ShownSeeds, new_chains
from polemarque.kernel.records.export import Everybody, export
from polemarque.kernel.records.keyed_dice import CHAIN_LENGTH, chain_of
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import (
    Anchored,
    Answer,
    Entry,
    Header,
    Shown,
    Word,
    write_record,
)
from polemarque.kernel.request import DICE
from tests.kernel import toy

DAYS = CHAIN_LENGTH + 5
assert toy.TOY


class Long:
    """A game of 1,005 days, and its seeds."""

    def __init__(self) -> None:
        setup = {"days": DAYS}
        self.chains = new_chains(("A", "B"))
        self.kept: list[int] = []
        self.chains.journal = lambda chains: self.kept.append(len(chains.last))
        self.game = committed_game(new_header("toy", seats=2, setup=setup), self.chains)
        for seat in "AB":
            self.game.enter(Word(seat, f"word of {seat}"))
        self.game.settle()

    def play(self, until: Callable[[Game], bool]) -> None:
        game = self.game
        while not game.over and not until(game):
            request = game.requests()[0]
            seat = request.missing[0]
            storms = request.rule == "TOY-1" and game.runner.period % 100 < 8
            value = "storm" if storms else request.absent(seat)
            game.answer(seat, value, request.keys[seat])
            game.settle()


@pytest.fixture(scope="module")
def long() -> Long:
    made = Long()
    made.play(lambda game: False)
    assert made.game.over
    return made


def anchored(entries: list[Entry]) -> tuple[int, Anchored]:
    ((at, entry),) = [(n, e) for n, e in enumerate(entries) if isinstance(e, Anchored)]
    return at, entry


def verdict(header: Header, entries: list[Entry]) -> Any:
    return prove(write_record(header, entries))


def test_the_next_chain_is_anchored_before_the_last_one_ends(long: Long) -> None:
    entries = long.game.entries
    at, entry = anchored(entries)
    before = [e.key.outer_period for e in entries[:at] if isinstance(e, Answer)]
    assert entry.chain == 2 and max(before) <= CHAIN_LENGTH
    assert [OPEN, *entry.anchors] == [OPEN, *long.game.header.anchors]
    assert entry.anchor != long.game.header.anchor
    assert long.kept == [2], "the new seeds are kept when they are made"


def test_every_die_of_both_chains_is_proved(long: Long) -> None:
    game = long.game
    thrown = [e.key.outer_period for e in game.effective if isinstance(e, Answer)
              and e.key.seat == DICE]  # fmt: skip
    assert {chain_of(period) for period in thrown} == {1, 2}
    proof = verdict(game.header, game.entries)
    assert proof.holds and proof.rolls["proved"] == len(thrown)
    assert prove(export(game.header, game.entries, Everybody())).holds


def test_of_each_chain_every_seed_follows_from_those_shown(long: Long) -> None:
    shown = [entry for entry in long.game.entries if isinstance(entry, Shown)]
    own = [entry.period for entry in shown if entry.seat == "A"]
    assert own == [CHAIN_LENGTH, DAYS]
    known = ShownSeeds(shown)
    for period in (1, CHAIN_LENGTH, CHAIN_LENGTH + 1, DAYS):
        for owner in (OPEN, "A", "B"):
            assert known.seed(owner, period) == long.chains.seed(owner, period)
    first = ShownSeeds([each for each in shown if each.period != CHAIN_LENGTH])
    assert first.seed("A", CHAIN_LENGTH) is None, "the second chain says nothing of the first"


def test_no_period_opens_without_its_chain(long: Long) -> None:
    game = long.game
    at, _ = anchored(game.entries)
    with pytest.raises(OutOfDate, match=r"anchor\.awaited"):
        replay(game.header, [*game.entries[:at], *game.entries[at + 1 :]])


@pytest.mark.parametrize("which", ["anchor", "anchors"])
def test_another_anchor_is_found_out(long: Long, which: str) -> None:
    game = long.game
    at, entry = anchored(game.entries)
    false = "ab" * 32
    changed = (
        msgspec.structs.replace(entry, anchor=false)
        if which == "anchor"
        else msgspec.structs.replace(entry, anchors={**entry.anchors, "A": false})
    )
    proof = verdict(game.header, [*game.entries[:at], changed, *game.entries[at + 1 :]])
    assert not proof.holds and proof.altered > at + 1
    assert isinstance(game.entries[proof.altered - 1], (Shown, Answer))


def refused(game: Game, entry: Entry) -> Refusal:
    before = len(game.entries)
    with pytest.raises(Refusal) as caught:
        game.enter(entry)
    assert len(game.entries) == before
    return caught.value


def test_anchors_that_are_not_the_next_ones_are_refused(long: Long) -> None:
    _, entry = anchored(long.game.entries)
    new = Long()
    for wrong in (3, 1, 0, -2):
        refusal = refused(new.game, msgspec.structs.replace(entry, chain=wrong))
        assert isinstance(refusal, NotAllowed) and refusal.code == "anchor.other"
    for bad in (
        msgspec.structs.replace(entry, anchor="xy"),
        msgspec.structs.replace(entry, anchors={}),
        msgspec.structs.replace(entry, anchors={**entry.anchors, "A": "AB" * 32}),
    ):
        refusal = refused(new.game, bad)
        assert isinstance(refusal, NotUnderstood) and refusal.code == "anchor.unreadable"
    free = Game(new_header("toy", seats=2))
    assert refused(free, entry).code == "anchor.other"


def test_anchors_that_come_when_the_last_chain_has_ended_are_refused(long: Long) -> None:
    entries = long.game.entries
    at, entry = anchored(entries)
    game = Game(long.game.header)
    without = [*entries[:at], *entries[at + 1 :]]
    stuck = next(n for n, e in enumerate(without)
                 if isinstance(e, Answer) and e.key.outer_period > CHAIN_LENGTH)  # fmt: skip
    for each in without[:stuck]:
        game.enter(each)
    assert refused(game, without[stuck]).code == "anchor.awaited"
    assert game.runner.period == CHAIN_LENGTH + 1
    assert refused(game, entry).code == "anchor.late"


def test_a_holder_who_was_stopped_before_he_anchored_a_chain_anchors_that_one(long: Long) -> None:
    at, entry = anchored(long.game.entries)
    game = replay(long.game.header, long.game.entries[:at])
    first, second = long.chains.last
    again = Chains(first, further=[second])
    game.hold(again)
    game.settle()
    assert anchored(game.entries)[1] == entry
    other = Chains(first, further=[first])
    with pytest.raises(NotAllowed, match=r"seed\.other_chains"):
        replay(long.game.header, long.game.entries).hold(other)


# A record whose dice are said to be others -------------------------------------------------------


@pytest.mark.parametrize("dice", ["free", "typed", "seeded"])
def test_anchors_that_are_left_over_are_complained_of(dice: str) -> None:
    game = committed_game(new_header("toy", seats=2), new_chains(("A", "B")))
    for forged in (
        msgspec.structs.replace(game.header, dice=dice),
        msgspec.structs.replace(game.header, dice=dice, anchor=""),
        msgspec.structs.replace(game.header, anchor="", anchors={}),
    ):
        proof = verdict(forged, [])
        assert not proof.holds
        assert proof.reason is not None and proof.reason.code == "anchor.left"


def test_words_that_are_left_over_are_complained_of_too() -> None:
    header = new_header("toy", seats=2)
    proof = verdict(header, [Word("A", "lost")])
    assert (proof.holds, proof.altered) == (False, 1)
    assert proof.reason is not None and proof.reason.code == "word.none"
