"""What umpires read of others' secrets is entered for everybody to see."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.club.campaigns.session import forget, read_lock
from polemarque.club.models import Campaign, Umpire
from polemarque.club.people.roles import visit_of
from polemarque.club.trust.proofs import acts
from polemarque.club.umpire.secrets_read import ANSWERS, STORY, look, look_as_umpire
from polemarque.kernel.errors import NotUnderstood, OutOfDate
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.export import Everybody, parts_for
from polemarque.kernel.records.proof import prove_entries
from polemarque.kernel.records.record import Looked, read_record, write_record
from tests.club.people import campaign, person
from tests.kernel import toy

assert toy.TOY
pytestmark = pytest.mark.django_db


def looks(made: Campaign) -> list[Looked]:
    with read_lock(made) as table:
        return [entry for entry in table.game.entries if isinstance(entry, Looked)]


def test_a_reading_is_entered_once_a_turn_kind_and_person() -> None:
    made = campaign("atlantide", seats=3)
    zoe = visit_of(made, person("zoe"))
    for _ in range(3):
        look(zoe, ANSWERS)
    assert [(each.what, each.period) for each in looks(made)] == [(ANSWERS, 1)]
    assert looks(made)[0].date
    Umpire.objects.create(campaign=made, person=person("yann"))
    for _ in range(2):
        look(visit_of(made, person("yann")), ANSWERS)
    assert len(looks(made)) == 2
    with read_lock(made) as table:
        told = [(each.kind, each.what, each.who.lower()) for each in acts(zoe, table)]
    assert told == [("looked", ANSWERS, "zoe"), ("looked", ANSWERS, "yann")]


def test_whoever_reads_as_a_seat_or_what_all_may_know_leaves_nothing() -> None:
    made = campaign("atlantide", seats=3)
    look(visit_of(made, person("a")), ANSWERS, STORY)
    assert looks(made) == []
    open_table = campaign("promiterra")
    look(visit_of(open_table, person("zoe")), ANSWERS, STORY)
    assert looks(open_table) == [], "all lies on that table for everybody to see"


def test_what_his_office_shows_to_an_umpire_who_plays_is_entered_too() -> None:
    made = campaign("atlantide", seats=3)
    look_as_umpire(visit_of(made, person("a")), ANSWERS)
    assert [each.what for each in looks(made)] == [ANSWERS]


def test_everybody_may_read_it_and_the_record_holds() -> None:
    made = campaign("atlantide", seats=3)
    look(visit_of(made, person("zoe")), ANSWERS)
    made.refresh_from_db()
    forget(made)
    with read_lock(made) as table:
        header, entries = table.game.header, tuple(table.game.entries)
        assert (table.head, table.count) == (made.head, len(entries))
    assert isinstance(parts_for(header, entries, Everybody())[-1], Looked)
    raw = write_record(header, entries)
    assert read_record(raw).entries == entries and prove_entries(header, entries).holds


@pytest.mark.parametrize(
    ("entry", "refusal"),
    [(Looked("letters", 1), NotUnderstood), (Looked("story", 7), OutOfDate)],
)
def test_only_what_there_is_is_taken_down_and_in_its_own_turn(entry: Any, refusal: Any) -> None:
    game = Game(new_header("toy", seats=2))
    with pytest.raises(refusal, match="looked"):
        game.enter(entry)
    assert not game.entries


def test_it_changes_nothing_in_the_game() -> None:
    game = Game(new_header("toy", seats=2, dice="free"))
    game.answer("A", "wait")
    before = game.position
    game.enter(Looked("story", 1, "2026-11-22"))
    assert game.position == before
    game.undo("A")
    assert game.requests("A"), "what A has just said can still be taken back"
