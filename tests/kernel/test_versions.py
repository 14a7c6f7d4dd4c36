"""Records of every past version of the form: read, proved, played again, written on as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemarque.kernel.editions import changes
from polemarque.kernel.errors import NotUnderstood, OutOfDate
from polemarque.kernel.game import Game, new_header, replay
from polemarque.kernel.records.entries import VERSION, VERSIONS, read_entry, write_entry
from polemarque.kernel.records.proof import prove, read_receipt
from polemarque.kernel.records.record import (
    Adopt,
    Answer,
    Entry,
    Journal,
    Undo,
    read_record,
    write_record,
)
from polemarque.kernel.request import DICE, UMPIRE, Key
from polemarque.kernel.system import find_system
from tests.kernel import toy

assert toy.TOY

RECORDS = Path(__file__).parent.parent / "records"
HEADS = {1: "9c2f5fe400762ee93762ca28cf80277fca764ad361c0b7d5134d37c72359fb41"}
"""By version, the head of the record that was written when it was the newest."""

ANSWERS = [
    (Answer(Key(4, "", "AT-6.2", "A"), {}), b'[4,"AT-6.2","A",{}]'),
    (Answer(Key(4, "", "AT-9.5", DICE, "defence"), (6, 5)), b'[4,"AT-9.5","dice","65","defence"]'),
    (Answer(Key(4, "", "AT-7.2", "D", "", 2), ()), b'[4,"AT-7.2","D",[],"",2]'),
    (Answer(Key(1, "3-d1", "DUEL-1", "B"), 2), b'[1,"DUEL-1","B",2,"",1,"3-d1"]'),
    (Answer(Key(4, "", "AT-6.2", "A"), {}, "absent"), b'[4,"AT-6.2","A",{},"",1,"","absent"]'),
    (Answer(Key(1, "", "TOY-1", "A"), "", "", "s"), b'[1,"TOY-1","A","","",1,"","","s"]'),
    (Undo("A"), b'{"type":"undo","seat":"A"}'),
]


@pytest.mark.parametrize("version", sorted(HEADS))
def test_a_record_of_a_past_version_leads_to_the_same_game(version: int) -> None:
    raw = (RECORDS / f"version-{version}.json").read_bytes()
    record = read_record(raw)
    game = replay(record.header, record.entries)
    assert record.head == game.digest == HEADS[version]
    assert game.over
    assert write_record(game.header, game.entries) == raw


@pytest.mark.parametrize("version", sorted(HEADS))
def test_a_record_of_a_past_version_is_proved_with_its_receipts(version: int) -> None:
    path = RECORDS / f"version-{version}.json"
    receipt = read_receipt(path.with_suffix(".receipt.json").read_bytes())
    proof = prove(path.read_bytes(), [receipt])
    assert proof.holds
    assert proof.rolls["proved"] >= 3 and not proof.rolls["false"]


@pytest.mark.parametrize("version", sorted(HEADS))
def test_a_game_of_a_past_version_is_written_on_in_its_own_form(
    version: int, tmp_path: Path
) -> None:
    raw = (RECORDS / f"version-{version}.json").read_bytes()
    lines = raw.splitlines(keepends=True)
    record = read_record(b"".join(lines[:9]), interrupted=True)
    journal = Journal(tmp_path / "game.json", record.header, record.entries, sync=False)
    for entry in read_record(raw).entries[len(record.entries) :]:
        journal.add(entry)
    journal.close()
    assert (tmp_path / "game.json").read_bytes() == raw


def test_every_past_version_has_its_record_and_a_new_game_the_newest() -> None:
    assert {*HEADS, VERSION} == set(VERSIONS)
    assert new_header("toy", seats=2).version == VERSION == max(VERSIONS)
    assert Game(new_header("toy", seats=2)).header.version == VERSION


@pytest.mark.parametrize(("entry", "line"), ANSWERS)
def test_the_last_parts_of_a_line_are_left_out_where_they_say_nothing(
    entry: Entry, line: bytes
) -> None:
    assert write_entry(entry) == line
    assert read_entry(line) == entry


@pytest.mark.parametrize(
    "line", [b'[4,"AT-6.2","A",{},""]', b'[4,"AT-6.2","A",{},"",1]', b'[4,"AT-6.2","dice",[6,5]]']
)
def test_a_line_with_a_part_that_says_nothing_is_not_written_as_we_write_it(line: bytes) -> None:
    header = new_header("toy", seats=2)
    raw = write_record(header, ()).replace(b'{"end"', line + b',\n{"end"')
    assert read_entry(line)
    with pytest.raises(OutOfDate, match=r"record\.changed") as refused:
        read_record(raw)
    assert refused.value.data["line"] == 2


@pytest.mark.parametrize("line", [b'[4,"AT-6.2","A"]', b'[4,"","AT-6.2","A","",1,{}]', b"1,2", b""])
def test_what_is_no_line_of_the_version_is_not_understood(line: bytes) -> None:
    with pytest.raises(NotUnderstood):
        read_entry(line)


def test_an_unknown_version_is_refused_by_number() -> None:
    raw = write_record(new_header("toy", seats=2), ())
    with pytest.raises(OutOfDate, match=r"record\.version") as refused:
        read_record(raw.replace(b'{"polemarque":2,', b'{"polemarque":3,'))
    assert refused.value.part == "3"
    assert refused.value.legal == tuple(map(str, VERSIONS))


def test_dice_that_nobody_knows_are_refused() -> None:
    game = Game(new_header("toy", seats=2, seed=1))
    raw = write_record(game.header, game.entries)
    with pytest.raises(NotUnderstood, match="not_one"):
        read_record(raw.replace(b'"dice":"seeded"', b'"dice":"loaded"'))


EDITIONS = {
    "batailles": "9debb5ed017b4b3a688a8d52460a2bd900e264493d540cf6729eb10aa6d1d5c2",
    "atlantide": "db032a7b65237dc0fdf38988066ddd4923d110a2cd507a319c504331c409fd26",
}
"""By system, the head of a record of edition 2026-11 whose umpire plays seat A, as it was made."""


@pytest.mark.parametrize("system", sorted(EDITIONS))
def test_a_game_of_a_past_edition_goes_on_by_its_rules(system: str) -> None:
    raw = (RECORDS / f"edition-2026-11-{system}.json").read_bytes()
    record = read_record(raw)
    game = replay(record.header, record.entries)
    assert record.head == game.digest == EDITIONS[system]
    judged = [
        done.value
        for done in game.effective
        if isinstance(done, Answer) and done.key.seat == UMPIRE
    ]
    assert judged == [
        {"modifier": -20, "reason": "so there"} if system == "batailles" else "attacker"
    ]


@pytest.mark.parametrize("system", sorted(EDITIONS))
def test_a_game_of_a_past_edition_can_be_moved_to_the_newest(system: str) -> None:
    """From then on an umpire who plays decides nothing alone."""
    raw = (RECORDS / f"edition-2026-11-{system}.json").read_bytes()
    record = read_record(raw)
    at = next(
        n for n, e in enumerate(record.entries) if isinstance(e, Answer) and e.key.seat == UMPIRE
    )
    game = replay(record.header, record.entries[:at])
    assert [r.seats for r in game.requests()] == [(UMPIRE,)]
    newest = find_system(system).edition
    act = Adopt(newest, "fair play")
    assert (
        "".join(changes(game.runner, act)).count("BC-3.4" if system == "batailles" else "AT-1.13")
        == 1
    )
    game.enter(act)
    (request,) = game.requests()
    assert request.rule == record.entries[at].key.rule and len(request.seats) == 2
    assert UMPIRE not in request.seats
