"""Records cut or changed anywhere are refused with a reason, or are records still."""

from __future__ import annotations

from random import Random

import pytest

from polemarque.kernel.errors import Refusal
from polemarque.kernel.game import Game, committed_game, new_header, replay
from polemarque.kernel.records.commitment import new_chains
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import Word, read_record, write_record
from polemarque.kernel.system import system_names
from tests.kernel import toy

SYSTEMS = [name for name in system_names() if name != toy.DUEL.name]
PLACES = 120
BYTES = b'0123456789"{}[],:-e.ntfAB\\ \n\x00\xff'


def begun(system: str, *, committed: bool) -> bytes:
    """The record of the first answers of a game."""
    header, rng = new_header(system, seed=None if committed else 5), Random(5)
    if committed:
        game = committed_game(header, new_chains(header.seats))
        for seat in game.header.seats:
            game.enter(Word(seat, "owl"))
    else:
        game = Game(header)
    game.settle()
    for _ in range(12):
        if game.over:
            break
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
    return write_record(game.header, game.entries)


def torn(raw: bytes, rng: Random) -> bytes:
    """A record cut, or with bytes changed, lost, repeated or lines exchanged; half at its head."""
    at = rng.randrange(rng.choice((len(raw), min(len(raw), 2_000))))
    some = rng.randrange(1, 40)
    lines = raw.split(b"\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return rng.choice(
        (
            raw[:at],
            raw[:at] + bytes([raw[at] ^ (1 << rng.randrange(8))]) + raw[at + 1 :],
            raw[:at] + bytes([rng.choice(BYTES)]) + raw[at + 1 :],
            raw[:at] + raw[at + some :],
            raw[:at] + raw[at : at + some] + raw[at:],
            b"\n".join(lines),
        )
    )


def sealed_again(raw: bytes) -> bytes:
    """The same with a chain that fits, as a forger would leave it; or as it is, if it is none."""
    try:
        record = read_record(raw[: raw.rfind(b'{"end"')], interrupted=True)
    except Refusal:
        return raw
    return write_record(record.header, record.entries)


def opened(raw: bytes, *, interrupted: bool) -> Game | None:
    """The game of a record; None where it is refused."""
    try:
        record = read_record(raw, interrupted=interrupted)
        return replay(record.header, record.entries)
    except Refusal:
        return None


NO_END = "verify.no_end"
"""What is wrong with a record that is whole, of a game that is not over."""


def fault_of(raw: bytes) -> str | None:
    """What is wrong with a file, by the code of its refusal; None where nothing is."""
    reason = prove(raw).reason
    return None if reason is None else reason.code


@pytest.mark.parametrize("committed", [False, True], ids=["seeded", "committed"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_it_is_refused_or_opens(system: str, committed: bool) -> None:
    raw, rng = begun(system, committed=committed), Random(system)
    game = opened(raw, interrupted=False)
    assert game is not None
    assert fault_of(raw) == (None if game.over else NO_END)
    for _ in range(PLACES):
        changed = torn(raw, rng)
        if changed == raw:
            continue
        if fault_of(changed) is None:
            assert raw.startswith(changed) and changed.endswith(b"\n"), "it is taken for running"
        assert fault_of(changed) != fault_of(raw) or changed in raw, "it is taken for whole"
        assert opened(changed, interrupted=False) is None
        opened(changed, interrupted=True)
        forged = sealed_again(changed)
        prove(forged)
        opened(forged, interrupted=False)
