"""Dice thrown on a table: nobody's own word is enough."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.club.campaigns import visibility as reading_of
from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, sit_down
from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import IDLE, WAITING, readiness
from polemarque.club.models import COMMANDER, Campaign, Holder, Pulse, Seat, TypedDice
from polemarque.club.orders.answers import seal
from polemarque.club.orders.physical_dice import (
    Witnessed,
    confirm_dice,
    contest_dice,
    enter_dice,
    faces_of,
    may_confirm,
    open_throws,
    throws_for,
    type_dice,
    typed_for,
    witnessed,
)
from polemarque.club.orders.taking_back import take_back
from polemarque.club.people.roles import Visit, visit_of
from polemarque.club.umpire.acts import confirm, propose
from polemarque.kernel.dice import Roll
from polemarque.kernel.errors import DiceRefused, NotAllowed, OutOfDate
from polemarque.kernel.interpreter import RollRequest
from polemarque.kernel.records.record import Answer, Replace
from polemarque.kernel.request import UMPIRE
from tests.club.people import asked, person, some_answer

pytestmark = pytest.mark.django_db


def visit(made: Campaign, name: str) -> Visit:
    return visit_of(made, person(name))


def begun(plan: CampaignPlan) -> Campaign:
    """A campaign of two people; zoe umpires and plays no seat."""
    made = make("A test", plan, person("zoe"))
    for seat in "AB":
        sit_down(made, seat, person(seat.lower()))
    begin(made)
    made.refresh_from_db()
    return made


def battle() -> tuple[Campaign, RollRequest]:
    """A battle of two people whose first dice are awaited."""
    made = begun(CampaignPlan("batailles", "ford", dice="typed"))
    for number in range(9):
        with read_lock(made) as table:
            if waiting := open_throws(table):
                return made, waiting[0]
            seat = next(s for s in ("A", "B") if table.game.requests(s))
        key, value = asked(made, seat), some_answer(made, seat)
        seal(made, person(seat.lower()), seat, key, value, once=f"{number}")
    raise AssertionError("no dice")


def war_of_three() -> tuple[Campaign, RollRequest]:
    """A campaign of three people that begins with dice."""
    made = make("A test", CampaignPlan("atlantide", seats=3, dice="typed"), person("zoe"))
    for seat in "ABC":
        sit_down(made, seat, person(seat.lower()))
    begin(made)
    with read_lock(made) as table:
        (throw,) = open_throws(table)
    return made, throw


def faces(throw: RollRequest, face: int = 2) -> tuple[int, ...]:
    return (face,) * throw.roll.count


def standing(made: Campaign, throw: RollRequest) -> Answer | None:
    with read_lock(made) as table:
        done = [e for e in table.game.effective if isinstance(e, Answer) and e.key == throw.key]
    return done[0] if done else None


def typed_by_a(made: Campaign, throw: RollRequest) -> TypedDice:
    type_dice(visit(made, "a"), "A", throw.key, faces(throw), "typed by a")
    found = typed_for(made, throw.key)
    assert found is not None
    return found


def test_what_a_seat_types_takes_effect_when_its_opponent_confirms_it() -> None:
    made, throw = battle()
    kept = typed_by_a(made, throw)
    assert standing(made, throw) is None and faces_of(kept) == faces(throw)
    for _ in range(2):  # the very same form twice
        confirm_dice(visit(made, "b"), "B", throw.key, kept.pk, "yes")
    given = standing(made, throw)
    assert given is not None and (given.value, given.by) == (faces(throw), "B")
    assert typed_for(made, throw.key) is None
    with read_lock(made) as table:
        assert witnessed(table) == [Witnessed("B", 1)]


def test_nobody_confirms_his_own_dice() -> None:
    made, throw = battle()
    kept = typed_by_a(made, throw)
    with pytest.raises(NotAllowed, match="not_your_dice"):
        confirm_dice(visit(made, "a"), "A", throw.key, kept.pk, "yes")
    both = Seat.objects.get(campaign=made, code="B")
    Holder.objects.create(seat=both, person=person("a"), role=COMMANDER)
    with pytest.raises(NotAllowed, match="not_your_dice"):
        confirm_dice(visit(made, "a"), "B", throw.key, kept.pk, "yes")
    assert standing(made, throw) is None


def test_an_opponent_is_one_whom_the_throw_names_where_it_names_several() -> None:
    made, throw = war_of_three()
    kept = TypedDice(campaign=made, seat="A", person=person("a"), faces="1")

    def confirming(**more: Any) -> list[str]:
        named = RollRequest(_of(throw, **more), throw.key, ())
        visits = {seat: visit(made, seat.lower()) for seat in "ABC"}
        with read_lock(made) as table:
            return [s for s, who in visits.items() if may_confirm(who, table, kept, named, s)]

    assert confirming(whom=("A", "B")) == ["B"]
    assert confirming(whom=("A", "B", "C")) == ["B", "C"]
    assert confirming(whom=("A", "A")) == confirming(whom=()) == ["B", "C"]
    assert confirming(whom=("A",), owner="A") == [], "nobody else sees them"


def test_an_umpire_who_is_no_party_confirms_or_types_himself() -> None:
    made, throw = battle()
    kept = typed_by_a(made, throw)
    with read_lock(made) as table:
        assert not may_confirm(visit(made, "b"), table, kept, throw, UMPIRE)
    confirm_dice(visit(made, "zoe"), UMPIRE, throw.key, kept.pk, "yes")
    given = standing(made, throw)
    assert given is not None and given.by == UMPIRE
    with read_lock(made) as table:
        then = open_throws(table)[0]
    enter_dice(visit(made, "zoe"), then.key, faces(then), "direct")
    with read_lock(made) as table:
        assert witnessed(table) == [Witnessed("", 2)]


def test_dice_that_are_contested_are_typed_anew() -> None:
    made, throw = battle()
    kept = typed_by_a(made, throw)
    with pytest.raises(NotAllowed, match="typed_already"):
        type_dice(visit(made, "b"), "B", throw.key, faces(throw, 3), "another")
    contest_dice(visit(made, "b"), "B", throw.key, kept.pk)
    assert typed_for(made, throw.key) is None and standing(made, throw) is None
    type_dice(visit(made, "a"), "A", throw.key, faces(throw, 4), "again")
    with pytest.raises(OutOfDate, match="typed_anew"):
        confirm_dice(visit(made, "b"), "B", throw.key, kept.pk, "yes")
    again = typed_for(made, throw.key)
    assert again is not None
    contest_dice(visit(made, "a"), "A", throw.key, again.pk)  # he has misread them himself
    assert typed_for(made, throw.key) is None


def test_typing_is_taken_once_and_open_pages_hear_of_it() -> None:
    made, throw = battle()
    before = Pulse.objects.count()
    with pytest.raises(DiceRefused):
        type_dice(visit(made, "a"), "A", throw.key, faces(throw, 7), "bad")
    assert Pulse.objects.count() == before
    for _ in range(2):
        type_dice(visit(made, "a"), "A", throw.key, faces(throw), "one")
    assert TypedDice.objects.count() == 1 and Pulse.objects.count() == before + 1
    with pytest.raises(NotAllowed, match="typed_first"):  # the page was gone back to
        type_dice(visit(made, "a"), "A", throw.key, faces(throw, 3), "one")
    assert faces_of(TypedDice.objects.get()) == faces(throw)


def test_a_throw_that_names_seats_is_for_them_to_make() -> None:
    made, throw = war_of_three()
    with read_lock(made) as table:
        named = [seat for seat in "ABC" if seat in throw.roll.whom]
        may = [seat for seat in "ABC" if throws_for(table, throw, seat)]
        assert may == (named or ["A", "B", "C"])
        secret = RollRequest(_of(throw, owner="A", whom=("A",)), throw.key, ())
        assert [s for s in "ABC" if throws_for(table, secret, s)] == ["A"]
        other = RollRequest(_of(throw, whom=("B",)), throw.key, ())
        assert [s for s in "ABC" if throws_for(table, other, s)] == ["B"]


def _of(throw: RollRequest, **more: Any) -> Roll:
    return replace(throw.roll, **more)


def test_who_is_ready_names_the_seats_whose_dice_are_awaited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, throw = battle()

    def states(who: str) -> dict[str, str]:
        with read_lock(made) as table:
            found = readiness(visit(made, who), table, "en")
            return {each.seat: each.state for each in found}

    def awaited(**more: Any) -> None:
        roll = replace(throw.roll, **more)
        other = RollRequest(roll, throw.key, throw.decision)
        monkeypatch.setattr(reading_of, "open_throws", lambda _: [other])

    assert states("zoe") == {"A": WAITING, "B": WAITING}, "whoever likes throws them"
    awaited(whom=("A",))
    for who in ("a", "b", "zoe"):
        assert states(who) == {"A": WAITING, "B": IDLE}, who
    awaited(whom=("A",), owner="A")  # dice that one seat alone may see are no other's business
    assert states("a") == states("zoe") == {"A": WAITING, "B": IDLE}
    assert states("b") == {"A": IDLE, "B": IDLE}


def judged() -> tuple[Campaign, RollRequest, str]:
    """A battle in which somebody's own decision has led to dice that are awaited; and who he is."""
    made = begun(CampaignPlan("thucidide", dice="typed"))
    for number in range(200):
        with read_lock(made) as table:
            last = table.game.effective[-1] if table.game.effective else None
            waiting = open_throws(table)
            own = isinstance(last, Answer) and table.game.course.has_own(last.key.seat)
            request = next(iter(table.game.requests()), None)
        if waiting and own and isinstance(last, Answer):
            return made, waiting[0], last.key.seat
        if waiting:
            enter_dice(visit(made, "zoe"), waiting[0].key, faces(waiting[0]), f"dice {number}")
            continue
        assert request is not None
        seat = request.missing[0]
        value = request.options(seat).sample(Random(number))
        seal(made, person(seat.lower()), seat, request.keys[seat], value, once=f"{number}")
    raise AssertionError("nobody's answer alone led to dice")


def test_an_answer_is_not_taken_back_once_its_dice_are_typed() -> None:
    made, throw, seat = judged()
    who = visit(made, seat.lower())
    type_dice(who, seat, throw.key, faces(throw), "bad luck")
    with pytest.raises(NotAllowed, match=r"undo\.die"):
        take_back(made, seat)
    kept = typed_for(made, throw.key)
    assert kept is not None
    contest_dice(who, seat, throw.key, kept.pk)
    take_back(made, seat)
    with read_lock(made) as table:
        assert table.game.requests(seat)


def test_an_act_of_the_umpire_lets_no_typed_dice_stand() -> None:
    made, throw, seat = judged()
    type_dice(visit(made, seat.lower()), seat, throw.key, faces(throw), "bad luck")
    umpire = visit(made, "zoe")
    with read_lock(made) as table:
        given = next(e for e in table.game.effective if isinstance(e, Answer))
        count = table.count
    act = Replace(given.key, "a mistake", value=given.value)
    confirm(umpire, propose(umpire, act, "form"), count)
    assert not TypedDice.objects.exists()
