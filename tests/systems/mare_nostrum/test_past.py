"""A campaign of edition 2026-11 replays as it was played, and can be moved to the newest."""

from __future__ import annotations

from pathlib import Path

from polemarque.kernel.editions import changes
from polemarque.kernel.events import EventLog
from polemarque.kernel.game import replay
from polemarque.kernel.records.record import Adopt, read_record
from polemarque.systems.mare_nostrum import SYSTEM

RECORD = Path(__file__).parents[2] / "records" / "edition-2026-11-mare_nostrum.json"

HEAD = "13d9a6b54eb5cb8950d7b0924c8f86305edb1912ca016141382dcd18cd6844b7"
"""The head of the record, as it was made: A fights C wherever they meet, pillages Etruria as he
ordered before the die, and leaves Pannonia to nobody with B, two turns running.
"""


def test_a_campaign_of_the_first_edition_replays_by_its_rules():
    record, told = read_record(RECORD.read_bytes()), EventLog()
    game = replay(record.header, record.entries, publish=told.append)
    assert record.head == game.digest == HEAD
    assert {"MN-7.5/meeting", "MN-5.2", "MN-6.3"}.isdisjoint(
        [entry.key.rule for entry in record.entries]
    )
    happened = [(event.rule, event.kind) for event in told]
    assert happened.count(("MN-7.7", "nobody")) == 2
    assert ("MN-2.7", "fights") in happened and ("MN-5.2", "pillaged") in happened


def test_moved_to_the_newest_edition_it_asks_at_each_meeting():
    record = read_record(RECORD.read_bytes())
    rules = [entry.key.rule for entry in record.entries]
    second = rules.index("MN-2.7", rules.index("MN-2.6"))
    game = replay(record.header, record.entries[:second])
    assert "fights" in game.requests()[0].options("A").quiet()
    act = Adopt(SYSTEM.edition, "as it happens")
    assert changes(game.runner, act) == ("MN-2.7", "MN-5.2", "MN-6.2", "MN-6.3", "MN-7.5/meeting")
    game.enter(act)
    (request,) = game.requests()
    for seat in request.missing:
        sheet = request.options(seat).quiet()
        assert not {"fights", f"aim.{seat}1"} & {*sheet}
        game.answer(seat, sheet)
    assert [(r.rule, r.missing) for r in game.requests()] == [("MN-7.5/meeting", ("A", "B"))]
