"""Data nested beyond measure is refused at every door of the kernel, and at once."""

from __future__ import annotations

import msgspec
import pytest

from polemarque.kernel.errors import Refusal
from polemarque.kernel.game import Game, committed_game, new_header, replay
from polemarque.kernel.records.commitment import new_chains
from polemarque.kernel.records.export import Everybody, export
from polemarque.kernel.records.proof import prove, read_receipt
from polemarque.kernel.records.record import Word, read_record, write_record
from tests.cli.desk import polemarque
from tests.kernel import toy

assert toy.TOY

DEPTHS = [7, 90, 110, 480, 500, 990, 2_000, 100_000]
OPENED = {"list": (b"[", b"]"), "object": (b'{"a":', b"}")}


@pytest.fixture(scope="module")
def game() -> Game:
    header = new_header("toy", seats=2, setup={"gold": 9})
    game = committed_game(header, new_chains(header.seats))
    for seat in "AB":
        game.enter(Word(seat, "owl"))
    for seat, intent in zip("AB", ("storm", "wait"), strict=True):
        game.answer(seat, intent)
    game.settle()
    game.answer("A", "hurrah")
    return game


def nested(depth: int, kind: str) -> bytes:
    before, after = OPENED[kind]
    return before * depth + b"1" + after * depth


def places(game: Game, deep: bytes) -> dict[str, bytes]:
    """A record with something deep in each of its places."""
    raw = write_record(game.header, game.entries)  # with a last line, although the game goes on
    lines = raw.split(b"\n")
    answer = lines[3]
    return {
        "version": raw.replace(b'"polemarque":2', b'"polemarque":' + deep),
        "system": raw.replace(b'"system":"toy"', b'"system":' + deep),
        "setup": raw.replace(b'"gold":9', b'"gold":' + deep),
        "option": raw.replace(b'"sesame"', deep),
        "answer": raw.replace(b'"storm"', deep),
        "left": raw.replace(answer, b'{"type":"leave","rule":"T","seat":"A","value":%b},' % deep),
        "adjusted": raw.replace(
            answer, b'{"type":"adjust","name":"gold.A","reason":"x","value":%b},' % deep
        ),
        "unknown": raw.replace(answer, b'{"type":"x","y":%b},' % deep),
        "end": raw.replace(b'"end":{', b'"end":{"x":%b,' % deep),
    }


def played(raw: bytes, *, interrupted: bool = False) -> Game:
    record = read_record(raw, interrupted=interrupted)
    return replay(record.header, record.entries)


@pytest.mark.parametrize("kind", OPENED)
@pytest.mark.parametrize("depth", DEPTHS)
def test_no_record_is_read_that_holds_it(game: Game, depth: int, kind: str) -> None:
    for place, raw in places(game, nested(depth, kind)).items():
        assert raw not in {game.record, write_record(game.header, game.entries)}, place
        assert not prove(raw).holds, place
        with pytest.raises(Refusal):
            played(raw)
        if place != "end":
            with pytest.raises(Refusal):
                played(raw[: raw.rfind(b'{"end"')], interrupted=True)


@pytest.mark.parametrize("kind", OPENED)
@pytest.mark.parametrize("depth", DEPTHS)
def test_no_export_is_read_that_holds_it(game: Game, depth: int, kind: str) -> None:
    raw = export(game.header, game.entries, Everybody())
    deep = nested(depth, kind)
    for line in raw.split(b"\n")[1:-2]:
        assert not prove(raw.replace(line, b"[%b]," % deep)).holds
    assert not prove(raw.replace(b'"sesame"', deep)).holds


@pytest.mark.parametrize("kind", OPENED)
@pytest.mark.parametrize("depth", DEPTHS)
def test_no_receipt_is_read_that_holds_it(game: Game, depth: int, kind: str) -> None:
    kept = {"key": [1, "", "TOY-1", "A"], "salt": "", "answer": "DEEP", "digest": ""}
    raw = msgspec.json.encode(kept)
    assert read_receipt(raw).answer == "DEEP"
    with pytest.raises(Refusal):
        read_receipt(raw.replace(b'"DEEP"', nested(depth, kind)))


@pytest.mark.parametrize("kind", OPENED)
@pytest.mark.parametrize("depth", [7, 110, 480, 100_000])
def test_a_command_refuses_it_in_one_line(
    game: Game, tmp_path_factory: pytest.TempPathFactory, depth: int, kind: str
) -> None:
    folder = tmp_path_factory.mktemp("deep")
    deep = nested(depth, kind)
    for place, raw in places(game, deep).items():
        path = folder / f"{place}.json"
        path.write_bytes(raw)
        for words in (("verify", path), ("replay", path), ("chronicle", path),
                      ("amend", path, "--adjust", "gold.A", 3, "--reason", "x")):  # fmt: skip
            done = polemarque(*words)
            assert done.status in {1, 2}, (place, done)
            assert len(done.err) < 500 and "Traceback" not in done.err
    batch = folder / "batch"
    batch.write_bytes(b'{"rule":"AT-9.2","inputs":{"loot":%b,"general_ld":8}}\n' % deep * 3)
    done = polemarque("consult", "--batch", batch)
    assert done.status == 0 and done.out.count('"not_understood"') == 3
