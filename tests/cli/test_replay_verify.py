"""`replay` and `verify`: whole records hold; cut, changed and foreign ones are refused."""

from __future__ import annotations

import hashlib
from pathlib import Path
from random import Random

import msgspec
import pytest

from polemarque.cli.records import load, replayed
from polemarque.kernel.records.export import Everybody, OneSeat, Operator, export
from polemarque.kernel.records.keyed_dice import receipt_digest
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import Answer, Shown, write_entry, write_record
from polemarque.kernel.request import DICE
from tests.cli.desk import polemarque
from tests.kernel.spies import DAY, over, started
from tests.kernel.spies import say as answered


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seeded")
    done = polemarque("run", "toy", "ford", "--seed", 7, "--bots", "random", "--out", folder)
    assert done.status == 0, done
    return folder / "game.json"


def test_a_seeded_record_verifies_and_every_roll_is_proved(record: Path) -> None:
    done = polemarque("verify", record, "--json")
    assert done.status == 0
    said = msgspec.json.decode(done.out)
    rolls = sum(e.key.seat == DICE for e in load(record).entries)
    assert said["holds"]
    assert said["rolls"]["proved"] == rolls > 3
    assert said["altered"] is None
    assert said["reason"] is None
    assert said["head"] == load(record).head


def test_replay_prints_the_object_that_run_printed(record: Path, tmp_path: Path) -> None:
    ran = polemarque(
        "run", "toy", "ford", "--seed", 7, "--bots", "random", "--out", tmp_path, "--json"
    )
    again = polemarque("replay", tmp_path / "game.json", "--json")
    assert again.status == 0
    assert again.out == ran.out
    said = msgspec.json.decode(ran.out)
    assert list(said) == ["system", "digest", "turns", "entries", "events", "winner", "ranking"]
    assert (tmp_path / "game.json").read_bytes() == record.read_bytes()


def test_replay_stops_at_an_entry_and_shows_what_is_open(record: Path) -> None:
    entries = load(record).entries
    for at in range(len(entries) + 1):
        done = polemarque("replay", record, "--at", at, "--json")
        said = msgspec.json.decode(done.out)
        assert done.status == 0
        assert said["entries"] == at
        if at < len(entries):
            assert str(entries[at].key) in said["open"]
    assert polemarque("replay", record, "--at", 3).out.count("Awaits") >= 1
    assert polemarque("replay", record, "--at", len(entries) + 1).status == 2


def refused(path: Path) -> None:
    """Both commands say no, in one line, and the program does not stumble."""
    for command in ("replay", "verify"):
        done = polemarque(command, path)
        assert done.status == 1, (command, done)
        assert len(done.err.strip().splitlines()) == 1
        assert len(done.err) > 10
        as_json = polemarque(command, path, "--json")
        assert as_json.status == 1
        assert msgspec.json.decode(as_json.out)


def test_a_record_cut_anywhere_is_refused(record: Path, tmp_path: Path) -> None:
    raw = record.read_bytes()
    path = tmp_path / "cut.json"
    ends = [n + 1 for n, byte in enumerate(raw) if byte == 10]
    rng = Random(1)
    for size in {
        0,
        1,
        ends[-2],
        *(n - 1 for n in ends),
        *(rng.randrange(len(raw)) for _ in range(20)),
    }:
        path.write_bytes(raw[:size])
        refused(path)
    for lost in range(len(ends)):
        lines = raw.splitlines(keepends=True)
        del lines[lost]
        path.write_bytes(b"".join(lines))
        refused(path)


def test_a_game_that_goes_on_is_no_damaged_one(record: Path, tmp_path: Path) -> None:
    raw, path = record.read_bytes(), tmp_path / "running.json"
    ends = [n + 1 for n, byte in enumerate(raw) if byte == 10]
    for size in ends[:-2]:
        path.write_bytes(raw[:size])
        done = polemarque("verify", path, "--json")
        proof = msgspec.json.decode(done.out)
        assert done.status == 0 and proof["holds"] and proof["over"] is False, done
    said = polemarque("verify", path, "--lang", "en").out
    assert f"still running: {proof['rolls']['proved']} rolls are proved so far" in said
    assert "Cette partie dure encore" in polemarque("verify", path, "--lang", "fr").out
    assert "Without a receipt" in said
    whole = polemarque("verify", record, "--lang", "en").out
    assert "The game is over." in whole and "Without a receipt" not in whole
    lines = path.read_bytes().splitlines(keepends=True)
    lines[-1] = lines[-1].replace(b'"A"', b'"Q"').replace(b'"dice"', b'"A"')
    path.write_bytes(b"".join(lines))
    assert polemarque("verify", path).status == 1


def test_a_file_that_says_it_is_over_holds_all_of_its_game(record: Path, tmp_path: Path) -> None:
    whole, path = load(record), tmp_path / "short.json"
    for most in range(len(whole.entries)):
        path.write_bytes(write_record(whole.header, whole.entries[:most]))
        done = polemarque("verify", path, "--lang", "en")
        assert done.status == 1 and "is over, and it is not" in done.err
    path.write_bytes(write_record(whole.header, whole.entries))
    assert polemarque("verify", path).status == 0


def test_a_game_that_is_over_shows_the_seeds_of_its_seats(tmp_path: Path) -> None:
    game, path = over(), tmp_path / "short.json"
    seats = {e.seat for e in game.entries if isinstance(e, Shown) and e.seat}
    assert len(seats) > 1
    for seat in seats:
        kept = [e for e in game.entries if not (isinstance(e, Shown) and e.seat == seat)]
        for raw in (write_record(game.header, kept), export(game.header, kept, Everybody())):
            path.write_bytes(raw)
            done = polemarque("verify", path, "--lang", "en")
            assert done.status == 1 and "seeds that its end shows are missing" in done.err, done
            assert seat in done.err
    for raw in (game.record, export(game.header, game.entries, Everybody())):
        path.write_bytes(raw)
        done = polemarque("verify", path, "--lang", "en")
        assert done.status == 0 and "The game is over." in done.out
    last = max(n for n, entry in enumerate(game.entries) if isinstance(entry, Answer))
    cut = game.entries[:last]
    path.write_bytes(export(game.header, cut, Operator()))
    assert "still running" in polemarque("verify", path, "--lang", "en").out


def test_a_record_with_one_changed_byte_is_refused(record: Path, tmp_path: Path) -> None:
    raw = record.read_bytes()
    path = tmp_path / "changed.json"
    rng = Random(2)
    for _ in range(150):
        at = rng.randrange(len(raw))
        byte = rng.choice([b for b in (*range(32, 127), 10, 0, 200) if b != raw[at]])
        path.write_bytes(raw[:at] + bytes([byte]) + raw[at + 1 :])
        refused(path)
    for extra in (b"\n", b"x", b"{}\n"):
        path.write_bytes(raw + extra)
        refused(path)


def rewritten(record: Path, path: Path, old: bytes, new: bytes) -> None:
    """Another first line, with the chain made right again."""
    raw = record.read_bytes()
    first, *lines, _, _ = raw.replace(old, new, 1).split(b"\n")
    link = hashlib.sha256(first).digest()
    for line in lines:
        link = hashlib.sha256(link + hashlib.sha256(line[:-1]).digest()).digest()
    last = b'{"end":{"entries":%d,"head":"%s"}}]}\n' % (len(lines), link.hex().encode())
    path.write_bytes(b"\n".join([first, *lines, last]))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b'{"polemarque":2,', b'{"polemarque":3,', "version"),
        (b'"edition":"1"', b'"edition":"2"', "edition"),
        (b'"edition":"1"', b'"edition":"0"', "edition"),
        (b'"system":"toy"', b'"system":"chess"', "chess"),
        (b'"password":"sesame"', b'"password":"swordfish"', "swordfish"),
        (b'"password"', b'"passphrase"', "passphrase"),
    ],
)
def test_a_record_of_another_version_edition_or_system_is_refused_with_the_reason(
    record: Path, tmp_path: Path, old: bytes, new: bytes, said: str
) -> None:
    path = tmp_path / "other.json"
    rewritten(record, path, old, new)
    refused(path)
    assert said in polemarque("replay", path).err
    rewritten(record, path, b"", b"")
    assert polemarque("verify", path).status == 0


def forged(record: Path, path: Path, at: int, entry: object) -> None:
    whole = load(record)
    entries = list(whole.entries)
    entries[at] = entry
    path.write_bytes(write_record(whole.header, entries))


def test_a_forged_die_is_named_though_the_chain_was_made_right(
    record: Path, tmp_path: Path
) -> None:
    path = tmp_path / "forged.json"
    entries = load(record).entries
    at = next(n for n, e in enumerate(entries) if e.key.seat == DICE)
    face = entries[at].value[0]
    forged(record, path, at, Answer(entries[at].key, (face % 6 + 1,)))
    done = polemarque("verify", path, "--json")
    said = msgspec.json.decode(done.out)
    assert done.status == 1
    assert said["altered"] == at + 1
    assert f"Entry {at + 1} " in done.err


def test_an_answer_that_could_not_be_given_is_named(record: Path, tmp_path: Path) -> None:
    path = tmp_path / "forged.json"
    entries = load(record).entries
    for at, entry in enumerate(entries):
        if entry.key.rule == "TOY-1":
            forged(record, path, at, Answer(entry.key, "surrender"))
            assert prove(path.read_bytes()).altered == at + 1
            assert polemarque("replay", path).status == 1


def test_the_first_altered_line_of_a_broken_chain_is_named(record: Path, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    raw = record.read_bytes()
    lines = raw.split(b"\n")
    at = next(n for n, e in enumerate(load(record).entries) if e.key.seat == DICE)
    line = lines[at + 1]
    path.write_bytes(raw.replace(line, line.replace(b'"]', b'x"]'), 1))
    assert prove(path.read_bytes()).altered == at + 1
    digit = line[-3:-2]
    other = b"1" if digit != b"1" else b"2"
    path.write_bytes(raw.replace(line, line[:-3] + other + line[-2:], 1))
    assert prove(path.read_bytes()).altered == at + 1


def test_dice_that_cannot_be_checked_are_said_to_be_so(tmp_path: Path) -> None:
    done = polemarque("run", "toy", "long", "--bots", "random", "--out", tmp_path)
    assert done.status == 0
    record = load(tmp_path / "game.json")
    assert not record.header.seed
    assert record.header.dice == "free"
    done = polemarque("verify", tmp_path / "game.json")
    assert done.status == 0
    assert "nothing can check" in done.out


def receipt(record: Path, **changes: object) -> dict[str, object]:
    whole = load(record)
    entry = next(e for e in whole.entries if e.key.rule == "TOY-1")
    kept = {
        "key": entry.key, "salt": "5a17", "answer": entry.value, "campaign": "", "head": whole.head,
    } | changes  # fmt: skip
    if "digest" not in kept:
        kept["digest"] = receipt_digest(kept["campaign"], kept["key"], kept["salt"], kept["answer"])
    return kept


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, 0),
        ({"head": ""}, 0),
        ({"head": "ab" * 32}, 1),
        ({"answer": "sing"}, 1),
        ({"digest": "00"}, 1),
        ({"campaign": "another"}, 1),
    ],
)
def test_receipts_are_held_against_the_record(
    record: Path, tmp_path: Path, changes: dict[str, object], status: int
) -> None:
    path = tmp_path / "receipt.json"
    path.write_bytes(msgspec.json.encode(receipt(record, **changes)))
    done = polemarque("verify", record, "--receipt", path)
    assert done.status == status, done
    assert str(path) in done.out
    assert bool(done.err) == bool(status)
    path.write_text("{}")
    assert polemarque("verify", record, "--receipt", path).status == 2


def test_one_word_announces_all_receipts_that_follow(record: Path, tmp_path: Path) -> None:
    held, false = tmp_path / "held.json", tmp_path / "false.json"
    held.write_bytes(msgspec.json.encode(receipt(record)))
    false.write_bytes(msgspec.json.encode(receipt(record, digest="00")))
    done = polemarque("verify", record, "--receipt", held, false, "--json")
    assert done.status == 1
    assert msgspec.json.decode(done.out)["receipts"] == [
        {"receipt": str(held), "fault": None},
        {"receipt": str(false), "fault": "digest"},
    ]
    assert polemarque("verify", record, held).status == 2


def test_events_of_an_undone_answer_are_not_counted(tmp_path: Path, record: Path) -> None:
    game, _ = replayed(load(record), most=0)
    told: list[object] = []
    game = type(game)(game.header, publish=told.append)
    rng = Random(3)
    undone = False
    game.settle()
    while not game.over:
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        if request.rule == "TOY-4" and not undone:
            undone = True
            game.undo(seat)
            game.answer(seat, request.options(seat).sample(rng))
        game.settle()
    assert undone
    path = tmp_path / "undone.json"
    path.write_bytes(write_record(game.header, game.entries))
    twin, events = replayed(load(path))
    assert len(events) == len(told) - 1
    assert twin.state == game.state
    assert write_entry(game.entries[0])


# Exports -----------------------------------------------------------------------------------------


@pytest.fixture
def running(tmp_path: Path) -> Path:
    """The record of a game that goes on, with B's order sealed."""
    game = answered(started(), *DAY, *DAY, ("B", "march"))
    path = tmp_path / "game.json"
    path.write_bytes(write_record(game.header, game.entries))
    receipt = msgspec.json.encode(game.receipt(game.entries[-1]))
    (tmp_path / "receipt.json").write_bytes(receipt)
    return path


@pytest.mark.parametrize(
    ("name", "reader"), [("public", Everybody()), ("seat:B", OneSeat("B")), ("full", Operator())]
)
def test_an_export_is_written_and_verified(running: Path, name: str, reader: object) -> None:
    out = running.with_name("export.json")
    record = load(running)
    for _ in range(2):  # an older one gives way
        done = polemarque("export", running, "--for", name, "--out", out, "--json")
        assert done.status == 0, done
    raw = out.read_bytes()
    assert raw == export(record.header, record.entries, reader)
    said = msgspec.json.decode(done.out)
    assert said["head"] == record.head and said["entries"] == len(record.entries)
    assert raw.count(b'"') and said["for"] == name and said["file"] == str(out)
    done = polemarque("verify", out, "--receipt", running.with_name("receipt.json"), "--json")
    proof = msgspec.json.decode(done.out)
    assert done.status == 0 and proof["holds"] and proof["reader"] == name
    assert proof["hidden"] == said["hidden"] and proof["head"] == record.head
    assert (proof["hidden"] > 0) is (name != "seat:B") or proof["hidden"] > 5
    out.write_bytes(raw.replace(b'"SPY-3"', b'"SPY-4"', 1))
    done = polemarque("verify", out, "--json")
    first = 1 + next(
        n for n, e in enumerate(record.entries) if getattr(e, "key", None) and e.key.rule == "SPY-3"
    )
    assert done.status == 1 and msgspec.json.decode(done.out)["altered"] == first


@pytest.mark.parametrize(
    ("lang", "hidden", "partly", "unshown"),
    [("en", "Hidden: 19 entries", "sound for 3 of 26", "not checkable yet"),
     ("fr", "19 entrées, dont", "juste pour 3 entrées sur 26", "pas encore vérifiables")],
)  # fmt: skip
def test_what_is_hidden_is_said(
    running: Path, lang: str, hidden: str, partly: str, unshown: str
) -> None:
    out = running.with_name("export.json")
    done = polemarque("export", running, "--for", "public", "--out", out, "--lang", lang)
    assert done.status == 0 and "19" in done.out and str(out) in done.out
    told = polemarque("verify", out, "--lang", lang).out
    assert hidden in told and partly in told and unshown in told


def test_an_export_is_refused_with_the_reason(record: Path, running: Path) -> None:
    out = running.with_name("export.json")
    for name, reason in (("seat:Z", "seat:A"), ("nobody", "public"), ("seat:D", "seat:C")):
        done = polemarque("export", running, "--for", name, "--out", out)
        assert done.status == 2 and reason in done.err and not out.exists()
    done = polemarque("export", running, "--for", "public", "--out", running)
    assert done.status == 2 and "no export" in done.err and load(running).complete
    done = polemarque("export", record, "--for", "public", "--out", out)
    assert done.status == 0, "that game is over"


@pytest.mark.parametrize("dice", ["seeded", "typed"])
@pytest.mark.parametrize(
    ("lang", "why", "later", "tried"),
    [("en", "without chain", "checkable once the game is over", "found by trying"),
     ("fr", "sans chaîne", "Elle se vérifie la partie finie", "se trouve par essais")],
)  # fmt: skip
def test_a_game_that_goes_on_has_a_public_edition_whatever_its_dice(
    record: Path, tmp_path: Path, dice: str, lang: str, why: str, later: str, tried: str
) -> None:
    cut, out, path = load(record), tmp_path / "export.json", tmp_path / "running.json"
    seed = cut.header.seed if dice == "seeded" else ""
    header = msgspec.structs.replace(cut.header, dice=dice, seed=seed)
    path.write_bytes(write_record(header, cut.entries[:8]).rpartition(b'{"end"')[0])
    done = polemarque("export", path, "--out", out, "--lang", lang)
    assert done.status == 0 and why in done.out, done
    assert (tried in done.out) is (dice == "seeded"), "typed dice follow from no seed"
    assert tried in polemarque("export", "--help", "--lang", lang).out
    raw = out.read_bytes()
    assert b'"seed"' not in raw and b'"for":"public"' in raw
    assert b'"dice"' in raw, "a roll in the open is shown"
    done = polemarque("verify", out, "--lang", lang)
    assert done.status == 0 and later in done.out
    proof = msgspec.json.decode(polemarque("verify", out, "--json").out)
    assert (proof["holds"], proof["over"], proof["head"]) == (True, False, None)
    assert not proof["rolls"]["proved"] and not proof["rolls"]["false"]


def test_an_interrupted_game_can_be_exported(running: Path) -> None:
    out = running.with_name("export.json")
    whole = running.read_bytes()
    running.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    done = polemarque("export", running, "--for", "seat:A", "--out", out)
    assert done.status == 0 and load(running, interrupted=True).head in done.out
