"""The store: what is acknowledged is on the disk, once; what is in memory follows from it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from polemarque.club.campaigns import session
from polemarque.club.campaigns.bot_turns import let_play
from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, sit_down
from polemarque.club.campaigns.session import (
    Turns,
    forget,
    live_campaign,
    played_again,
    read_lock,
    write_lock,
)
from polemarque.club.campaigns.visibility import turns
from polemarque.club.models import (
    OVER,
    AppendOnly,
    Campaign,
    Entry,
    Given,
    Pulse,
    Receipt,
    Seeds,
)
from polemarque.club.orders.answers import answers_of, seal
from polemarque.club.orders.taking_back import take_back
from polemarque.club.server.backup import health
from polemarque.kernel.errors import NotAllowed, OutOfDate, Refusal
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Answer, Replace
from polemarque.kernel.request import DICE
from tests.club.people import asked, campaign, person, some_answer

pytestmark = pytest.mark.django_db


def test_a_commit_waits_for_the_disk() -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous")
        assert cursor.fetchone() == (2,)
        cursor.execute("PRAGMA foreign_keys")
        assert cursor.fetchone() == (1,)


def test_the_record_in_memory_is_the_record_on_the_disk() -> None:
    made = campaign("atlantide", seats=3)
    for seat in ("A", "B"):
        seal(made, person(seat), seat, asked(made, seat), some_answer(made, seat), once=seat)
    with read_lock(made) as table:
        digest, count = table.game.digest, table.count
        assert table.head == digest
    made.refresh_from_db()
    assert (made.head, made.count) == (digest, count) == (digest, Entry.objects.count())
    forget(made)
    with read_lock(made) as again:
        assert again.game.digest == digest
        assert again.game.position == table.game.position
        assert again.told == table.told
    assert not health().faults


def test_a_filled_form_sent_twice_is_taken_once() -> None:
    made = campaign("atlantide", seats=3)
    key, value = asked(made, "A"), some_answer(made, "A")
    first = seal(made, person("a"), "A", key, value, once="form")
    again = seal(made, person("a"), "A", key, value, once="form")
    assert first is not None
    assert again == first
    assert Given.objects.count() == Receipt.objects.count() == 1


def test_two_people_of_a_seat_do_not_replace_each_other_unseen() -> None:
    made = campaign("atlantide", seats=3)
    key = asked(made, "A")
    values = [some_answer(made, "A", number) for number in range(2)]
    first = seal(made, person("a"), "A", key, values[0], once="one")
    assert first is not None
    with pytest.raises(OutOfDate) as late:
        seal(made, person("a2"), "A", key, values[1], once="two")
    assert late.value.code == "page.answered_meanwhile"
    assert Receipt.objects.count() == 1
    seal(made, person("a2"), "A", key, values[1], once="three", standing=first.digest)
    first.refresh_from_db()
    assert first.replaced


def test_a_refused_answer_changes_nothing() -> None:
    made = campaign("atlantide", seats=3)
    key = asked(made, "A")
    before = made.head
    with pytest.raises(Refusal):
        seal(made, person("a"), "A", key, {"nonsense": 1}, once="x")
    made.refresh_from_db()
    assert made.head == before
    assert not Given.objects.exists()
    with read_lock(made) as table:
        assert table.head == before == table.game.digest


def test_what_breaks_off_in_the_middle_leaves_nothing_behind() -> None:
    made = campaign("atlantide", seats=3)
    before, count = made.head, Entry.objects.count()
    key, value = asked(made, "A"), some_answer(made, "A")

    def answer_and_break() -> None:
        with write_lock(made) as table:
            table.game.answer("A", value, key)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        answer_and_break()
    made.refresh_from_db()
    assert (made.head, Entry.objects.count()) == (before, count)
    with read_lock(made) as table:
        assert table.game.digest == before


def test_another_process_s_entries_are_read_before_anything_is_said() -> None:
    made = campaign("atlantide", seats=3)
    ours = live_campaign(made)
    del session._tables[made.pk]
    seal(made, person("a"), "A", asked(made, "A"), some_answer(made, "A"), once="theirs")
    theirs = live_campaign(made).head
    session._tables[made.pk] = ours
    with read_lock(made) as table:
        assert table is ours
        assert table.head == theirs == table.game.digest


def test_entries_are_only_ever_added() -> None:
    campaign()
    entry = Entry.objects.first()
    assert entry is not None
    with pytest.raises(AppendOnly):
        entry.save()
    with pytest.raises(AppendOnly):
        entry.delete()


def test_a_taken_back_answer_makes_its_receipt_void() -> None:
    made = campaign("atlantide", seats=3)
    seal(made, person("a"), "A", asked(made, "A"), some_answer(made, "A"), once="x")
    take_back(made, "A")
    receipt = Receipt.objects.get()
    assert receipt.replaced
    assert asked(made, "A").seat == "A"
    with pytest.raises(NotAllowed):
        take_back(made, "A")


def test_open_pages_hear_that_there_is_something_and_not_what() -> None:
    made = campaign("atlantide", seats=3)
    before = Pulse.objects.count()
    seal(made, person("a"), "A", asked(made, "A"), some_answer(made, "A"), once="x")
    assert list(Pulse.objects.values_list("kind", flat=True))[before:] == ["ready"]
    assert {field.name for field in Pulse._meta.get_fields()} == {"id", "campaign", "kind", "at"}


def test_a_campaign_that_has_ended_says_so() -> None:
    made = campaign("batailles", held=0, umpired=False)
    while let_play(made):
        pass
    assert Campaign.objects.get().stage == "over"
    assert not health().faults


def test_a_changed_entry_is_found() -> None:
    made = campaign("batailles")
    entry = Entry.objects.first()
    assert entry is not None
    body = bytes(entry.body).replace(b'"', b"'", 1)
    with connection.cursor() as cursor:  # somebody who means to
        cursor.execute("DROP TRIGGER append_only_club_entry_kept")
    Entry.objects.filter(pk=entry.pk).update(body=body)
    assert health().faults == (("append_only", ""), ("chain", made.title))


def test_the_database_itself_refuses_to_change_or_delete() -> None:
    made = campaign("atlantide", seats=3)
    seal(made, person("a"), "A", asked(made, "A"), some_answer(made, "A"), once="x")
    take_back(made, "A")
    changes: list[tuple[Any, dict[str, Any]]] = [
        (Entry, {"body": b"{}"}), (Entry, {"number": 99}), (Given, {"once": "other"}),
        (Given, {"person": person("b")}), (Receipt, {"digest": "0" * 64}),
        (Receipt, {"replaced": False}), (Receipt, {"body": b"{}"}),
    ]  # fmt: skip
    for model, change in changes:
        with pytest.raises(IntegrityError, match="append_only"), transaction.atomic():
            model.objects.all().update(**change)
    for model in (Entry, Given, Receipt):
        rows = model.objects.all()
        with pytest.raises(IntegrityError, match="append_only"), transaction.atomic():
            rows._raw_delete(rows.db)
    line = "SELECT id, number, '{}', at, campaign_id FROM club_entry"
    with (
        pytest.raises(IntegrityError, match="append_only"), transaction.atomic(),
        connection.cursor() as cursor,
    ):  # fmt: skip
        cursor.execute(f"REPLACE INTO club_entry (id, number, body, at, campaign_id) {line}")
    assert not health().faults


def test_who_has_gone_leaves_what_he_gave() -> None:
    made = campaign("atlantide", seats=3)
    seal(made, person("a"), "A", asked(made, "A"), some_answer(made, "A"), once="x")
    person("a").delete()
    assert Given.objects.get().person is None
    assert not health().faults


@pytest.mark.parametrize("system", ["batailles", "mare_nostrum"])
def test_an_answer_that_leads_to_typed_dice_is_taken(system: str) -> None:
    plan = CampaignPlan(system, dice="typed")
    made = make("A test", plan, person("zoe"))
    for seat in plan.header().seats:
        sit_down(made, seat, person(seat.lower()))
    begin(made)
    for number in range(40):
        with read_lock(made) as table:
            if table.dice_awaited:
                break
            seat = table.game.requests()[0].missing[0]
        seal(
            made, person(seat.lower()), seat, asked(made, seat), some_answer(made, seat),
            once=str(number),
        )  # fmt: skip
    with read_lock(made) as table:
        assert table.dice_awaited
        assert table.count == made.entries.count() > len(plan.header().seats) - 1
        assert not [e for e in table.game.entries if isinstance(e, Answer) and e.key.seat == DICE]


def test_a_second_click_takes_back_no_second_answer() -> None:
    made = campaign("thucidide")
    with read_lock(made) as table:
        seat = table.game.requests()[0].missing[0]
    given = 0
    while given < 2:
        with read_lock(made) as table:
            asked_now = [s for r in table.game.requests() for s in r.missing]
        assert asked_now == [seat]
        seal(
            made, person(seat.lower()), seat, asked(made, seat), some_answer(made, seat),
            once=str(given),
        )  # fmt: skip
        given += 1
    with read_lock(made) as table:
        known = answers_of(table.game, seat)
    assert known == 2
    take_back(made, seat, known)
    with pytest.raises(OutOfDate):
        take_back(made, seat, known)
    with read_lock(made) as table:
        assert answers_of(table.game, seat) == 1
    take_back(made, seat, 1)


def test_the_last_turn_is_there_once_the_game_has_ended() -> None:
    made = campaign("batailles", held=0, umpired=False)
    more = True
    while more:
        with read_lock(made) as table:
            turns(table)
        more = let_play(made, 0.01)
    made.refresh_from_db()
    assert made.stage == OVER
    with read_lock(made) as table:
        kept = turns(table)
        assert table.game.runner.period in kept
        assert kept == again(table.game)
    forget(made)
    with read_lock(made) as table:
        assert kept == turns(table)


def again(game: Game) -> dict[int, Any]:
    """How each turn left a game, found by playing it again."""
    ends = played_again(game)
    found = {turn: end for turn, end in ends.items() if turn > 0}
    return {**found, game.runner.period: game.state} if game.over else found


def test_turns_are_noted_as_they_are_played_and_found_again_after_a_correction() -> None:
    made = campaign("atlantide", seats=3, held=0, umpired=False)
    more, period = True, 0
    while more and period <= 3:
        more = let_play(made, 0.0)
        with read_lock(made) as table:
            period = table.game.runner.period
    with read_lock(made) as table:
        ends = turns(table)
        assert set(ends) == set(range(1, table.game.runner.period))
        assert ends == again(table.game)
        last = next(e for e in reversed(table.game.effective) if isinstance(e, Answer)
                    and e.key.seat == "A" and e.key.period == 2)  # fmt: skip
    with write_lock(made) as table:
        table.game.enter(Replace(last.key, reason="a slip", annul=True))
    with read_lock(made) as table:
        assert turns(table) == again(table.game)


def test_a_turn_that_is_taken_back_has_not_ended() -> None:
    made = campaign("batailles")
    with read_lock(made) as table:
        noted = Turns(table.game)
        noted._period, noted._ends = 3, {1: "one", 2: "two"}
        noted.follow()
        assert noted.ends() == {}


# Further chains of seeds -------------------------------------------------------------------------


def anchor_next(made: Campaign, *, breaking_off: bool = False) -> None:
    with write_lock(made) as table:
        assert table.game.chains is not None
        table.game.enter(table.game.chains.further(2))
        if breaking_off:
            raise ZeroDivisionError


def test_a_further_chain_is_on_the_disk_with_the_entry_that_anchors_it() -> None:
    made = campaign("atlantide", seats=3)
    anchor_next(made)
    kept = Seeds.objects.get(campaign=made)
    with read_lock(made) as table:
        assert kept.chains.anchors == table.game.commitment.anchors
        assert len(kept.further) == 1 and kept.further[0] != kept.last
    forget(made)
    with read_lock(made) as again:
        assert again.game.chains is not None
        assert again.game.chains.seed("A", 1001) == kept.chains.seed("A", 1001)


def test_a_further_chain_whose_entry_broke_off_was_never_there() -> None:
    made = campaign("atlantide", seats=3)
    with pytest.raises(ZeroDivisionError):
        anchor_next(made, breaking_off=True)
    assert Seeds.objects.get(campaign=made).further == []
    anchor_next(made)
    assert not health().faults


def test_another_process_s_further_chain_is_held_too() -> None:
    made = campaign("atlantide", seats=3)
    with read_lock(made):
        mine = session._tables.pop(made.pk)
    anchor_next(made)
    theirs = session._tables.pop(made.pk)
    session._tables[made.pk] = mine
    with read_lock(made) as table:
        assert table is mine
        assert mine.game.chains is not None and theirs.game.chains is not None
        assert mine.game.chains.seed("B", 1001) == theirs.game.chains.seed("B", 1001)
