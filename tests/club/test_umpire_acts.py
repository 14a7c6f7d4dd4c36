"""What the desk does to a game, below its pages."""

from __future__ import annotations

from datetime import timedelta
from threading import Thread
from typing import Any

import pytest
from django.utils import timezone

from polemarque.bridges.tabletop import blank
from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, sit_down
from polemarque.club.campaigns.session import COURSE, SEALED, LiveCampaign, live_campaign, read_lock
from polemarque.club.campaigns.visibility import readiness
from polemarque.club.clock.deadlines import overdue
from polemarque.club.models import Campaign, Given, Holder, Pulse, Receipt
from polemarque.club.orders.answers import seal
from polemarque.club.orders.physical_dice import enter_dice, open_throws
from polemarque.club.people.roles import Visit, visit_of
from polemarque.club.umpire import acts
from polemarque.club.umpire.acts import (
    act_of,
    adjustable,
    as_then,
    confirm,
    drop,
    foresee,
    foreseen,
    newer_editions,
    propose,
    standing_answers,
)
from polemarque.club.umpire.dashboard import Owing, absent_question, answer_absent, owing
from polemarque.kernel.dice import Scripted
from polemarque.kernel.errors import DiceRefused, NotAllowed, OutOfDate, Refusal
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.proof import prove
from polemarque.kernel.records.record import Adjust, Adopt, Answer, Replace
from polemarque.kernel.request import DICE, UMPIRE
from tests.club.people import asked, battle_on_the_table, campaign, kept, person, some_answer
from tests.kernel import toy

pytestmark = pytest.mark.django_db

assert toy.DUEL  # the system of that name


def zoe(made: Campaign) -> Visit:
    return visit_of(made, person("zoe"))


def answered(made: Campaign, seat: str, number: int = 0) -> Any:
    key, value = asked(made, seat), some_answer(made, seat, number)
    seal(made, person(seat.lower()), seat, key, value, once=f"{key}{number}")
    return key


# The absent --------------------------------------------------------------------------------------


def test_what_the_rules_answer_for_the_absent_is_put_down_with_its_giver_and_no_receipt() -> None:
    made = campaign("atlantide", seats=3)
    with read_lock(made) as table:
        request = table.game.requests("B")[0]
        key, before = request.keys["B"], table.count
    assert request.sealed
    answer_absent(zoe(made), key, "one")
    given = Given.objects.get(campaign=made, once="one")
    assert given.person == person("zoe") and given.entry.number == before + 1
    assert not Receipt.objects.exists(), "the seat has sealed nothing"


# Differences -------------------------------------------------------------------------------------


def test_what_is_foreseen_is_what_happens() -> None:
    made = campaign("atlantide", seats=3)
    act = Adjust("loot.B", 33, "so", "2026-01-01")
    proposal = propose(zoe(made), act, "one")
    found = foresee(proposal)
    assert [s for s, each in found.effect.changes.items() if each] == ["B"]
    assert {each.after for each in found.effect.changes["B"]} == {33}
    confirm(zoe(made), proposal, found.number)
    with read_lock(made) as table:
        assert table.game.state.seats["B"].loot == 33
    assert Given.objects.get(entry__number=found.number + 1).person == person("zoe")


def test_the_table_is_free_while_a_difference_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made = campaign("atlantide", seats=3)
    proposal = propose(zoe(made), Adjust("loot.B", 33, "so"), "one")
    free: list[bool] = []

    def tried() -> None:
        lock = live_campaign(made).lock
        free.append(lock.acquire(timeout=5))
        if free[-1]:
            lock.release()

    def watched(*args: Any) -> Any:
        thread = Thread(target=tried)
        thread.start()
        thread.join()
        return foreseen(*args)

    monkeypatch.setattr(acts, "foreseen", watched)
    foresee(proposal)
    foresee(proposal)
    assert free == [True], "it was made once, and nobody waited for it"


def test_a_correction_keeps_what_still_holds_and_lists_what_is_asked_again() -> None:
    made = campaign("batailles")
    key = answered(made, "A")
    answered(made, "B")
    proposal = propose(zoe(made), Replace(key, "so", annul=True), "one")
    found = foresee(proposal)
    assert key in found.effect.asked
    confirm(zoe(made), proposal, found.number)
    assert asked(made, "A") == key
    assert not Receipt.objects.filter(seat="A", replaced=False).exists(), "its receipt is void"
    assert Receipt.objects.filter(seat="B", replaced=False).exists()
    seal(made, person("a"), "A", key, some_answer(made, "A"), once="again")
    assert Receipt.objects.filter(seat="A", replaced=False).count() == 1


def test_an_answer_put_in_the_place_of_another_holds_and_the_record_is_proved() -> None:
    from polemarque.club.trust.proofs import exported

    made = campaign("batailles")
    key = answered(made, "A")
    answered(made, "B")
    then = as_then(zoe(made), key)
    request = then.asked
    from random import Random

    other = next(
        value
        for number in range(99)
        if (value := request.options("A").sample(Random(number))) != then.given.value  # type: ignore[union-attr]
    )
    proposal = propose(zoe(made), Replace(key, "so", value=other), "one")
    confirm(zoe(made), proposal, foresee(proposal).number)
    with read_lock(made) as table:
        stands = next(e for e in table.game.effective if isinstance(e, Answer) and e.key == key)
        assert (stands.value, stands.by) == (other, "umpire")
        assert prove(exported(zoe(made), "full")).holds


def test_an_act_that_is_gone_past_is_not_entered() -> None:
    made = campaign("atlantide", seats=3)
    proposal = propose(zoe(made), Adjust("loot.B", 33, "so"), "one")
    number = foresee(proposal).number
    answered(made, "A")
    with pytest.raises(OutOfDate, match="gone_on"):
        confirm(zoe(made), proposal, number)
    again = foresee(proposal)
    assert again.number == number + 1 and again.refusal is not None
    assert again.refusal.code == "act.not_between_items"


def test_the_same_form_proposes_once() -> None:
    made = campaign("atlantide", seats=3)
    first = propose(zoe(made), Adjust("loot.B", 33, "so"), "one")
    assert propose(zoe(made), Adjust("loot.B", 33, "so"), "one") == first
    assert propose(zoe(made), Adjust("loot.B", 33, "so", "2026-01-01"), "one") == first
    assert made.proposals.count() == 1


def test_a_form_that_is_filled_in_otherwise_after_going_back_proposes_what_it_says_now() -> None:
    made = campaign("atlantide", seats=3)
    first = propose(zoe(made), Adjust("loot.B", 77, "so"), "one")
    second = propose(zoe(made), Adjust("loot.B", 7, "so"), "one")
    assert second != first and act_of(second) == Adjust("loot.B", 7, "so")
    drop(second)
    third = propose(zoe(made), Adjust("loot.B", 8, "so"), "one")
    assert third.done is None and act_of(third) == Adjust("loot.B", 8, "so")
    confirm(zoe(made), third, foresee(third).number)
    with read_lock(made) as table:
        assert table.game.state.seats["B"].loot == 8


# Answers that stand ------------------------------------------------------------------------------


def test_sealed_answers_are_in_no_list_until_all_are_in() -> None:
    made = campaign("batailles")
    key = answered(made, "A")
    with read_lock(made) as table:
        assert standing_answers(zoe(made), table) == []
    with pytest.raises(OutOfDate):
        as_then(zoe(made), key)
    answered(made, "B")
    with read_lock(made) as table:
        assert key in [each.key for each in standing_answers(zoe(made), table)]
        assert all(each.key.seat != DICE for each in standing_answers(zoe(made), table))


# What can be adjusted ----------------------------------------------------------------------------

SYSTEMS = ("atlantide", "batailles", "mare_nostrum", "promiterra", "thucidide")


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_says_what_can_be_adjusted_and_the_pages_explain_it(system: str) -> None:
    from polemarque.web.pages.umpire.acts import explained

    runner = Game(new_header(system, seed=1)).runner
    names = adjustable(runner).names
    assert names
    for lang in ("fr", "en"):
        assert [name for name in names if not explained(system, name, lang)] == []
    assert adjustable(runner, "end").values


def test_a_name_leads_on_until_it_is_whole() -> None:
    runner = Game(new_header("atlantide", seed=1)).runner
    assert "loot.A" in adjustable(runner, "loot").names
    assert "loot.A" in adjustable(runner, "loot.").names
    assert adjustable(runner, "loot.A").values == ("0-1000000",)
    assert adjustable(runner, "end").several
    nowhere = adjustable(runner, "nonsense")
    assert not nowhere.names and not nowhere.values
    war = Game(new_header("promiterra", seed=1)).runner
    troop = adjustable(war, "units.").names[0]
    assert adjustable(war, troop).values == ("0-1000000",)


# Editions ----------------------------------------------------------------------------------------


def test_a_newer_edition_is_offered_and_adopted() -> None:
    import msgspec

    import tests.kernel.spies  # the system of that name

    assert tests.kernel.spies.ORDERS
    header = msgspec.structs.replace(new_header("spies", seats=2, seed=1), edition="1")
    made = kept(Game(header))
    with read_lock(made) as table:
        assert newer_editions(table) == [("", "2")]
    proposal = propose(zoe(made), Adopt("2", "the new printing"), "one")
    found = foresee(proposal)
    assert found.refusal is None
    confirm(zoe(made), proposal, found.number)
    with read_lock(made) as table:
        assert table.game.runner.edition == "2" and newer_editions(table) == []
    with pytest.raises(NotAllowed, match="edition"):
        propose(zoe(made), Adopt("2", "again"), "two")


# Dice of the table -------------------------------------------------------------------------------


def typed() -> Campaign:
    """A battle whose dice are thrown on a table, and wait for the first of them."""
    plan = CampaignPlan("batailles", "ford", dice="typed")
    made = make("A test", plan, person("zoe"), bots={"B": "steady"})
    sit_down(made, "A", person("a"))
    begin(made)
    made.refresh_from_db()
    for number in range(9):
        with read_lock(made) as table:
            if open_throws(table):
                return made
            seat = next(s for s in ("A", UMPIRE) if table.game.requests(s))
        key, value = asked(made, seat), some_answer(made, seat)
        seal(made, person("a"), seat, key, value, once=f"{number}")
    raise AssertionError("no dice")


def test_dice_are_typed_once_and_the_program_plays_on() -> None:
    made = typed()
    with read_lock(made) as table:
        throw = open_throws(table)[0]
        faces = (1,) * throw.roll.count
    with pytest.raises(DiceRefused):
        enter_dice(zoe(made), throw.key, (throw.roll.sides + 1,) * throw.roll.count, "bad")
    for _ in range(2):
        enter_dice(zoe(made), throw.key, faces, "one")
    with read_lock(made) as table:
        rolled = [e for e in table.game.entries if isinstance(e, Answer) and e.key.seat == DICE]
        assert [(e.key, e.value) for e in rolled] == [(throw.key, faces)]
        assert table.game.header.dice == "typed"
    with pytest.raises(OutOfDate):
        enter_dice(zoe(made), throw.key, faces, "two")


def test_typed_dice_are_corrected_as_answers_are() -> None:
    made = typed()
    with read_lock(made) as table:
        throw = open_throws(table)[0]
    enter_dice(zoe(made), throw.key, (1,) * throw.roll.count, "one")
    then = as_then(zoe(made), throw.key)
    assert then.asked.key == throw.key  # type: ignore[union-attr]
    act = Replace(throw.key, "misread", value=(2,) * throw.roll.count)
    proposal = propose(zoe(made), act, "fix")
    confirm(zoe(made), proposal, foresee(proposal).number)
    with read_lock(made) as table:
        stands = next(e for e in table.game.effective if getattr(e, "key", None) == throw.key)
        assert isinstance(stands, Answer) and stands.value == (2,) * throw.roll.count
    made.refresh_from_db()
    from polemarque.club.campaigns.session import forget

    forget(made)
    with read_lock(made) as again:
        assert again.head == made.head, "what is on the disk says the same"


def test_nothing_is_typed_where_the_server_rolls() -> None:
    game = Game(new_header("batailles", seats=2, seed=1), Scripted([]))
    made = kept(game)
    with read_lock(made) as table:
        assert open_throws(table) == []


# Battles -----------------------------------------------------------------------------------------


def test_the_result_of_a_battle_on_the_table_is_declared() -> None:
    made = kept(battle_on_the_table())
    with read_lock(made) as table:
        ((brief, runner),) = table.game.runner.branches
        path = runner.path
        assert adjustable(runner).names == ("result",)
    sheet = blank(brief) | {"result": "attacker"}
    proposal = propose(zoe(made), Adjust("result", sheet, "seen by all", path=path), "one")
    found = foresee(proposal)
    assert found.refusal is None
    confirm(zoe(made), proposal, found.number)
    with read_lock(made) as table:
        assert table.game.runner.at(path) is None
    with pytest.raises(Refusal):
        propose(zoe(made), Adjust("result", sheet, "again", path=path), "two")


# Who owes what -----------------------------------------------------------------------------------


def owed(made: Campaign, table: LiveCampaign) -> list[Owing]:
    """What is owed by seats that have questions to answer."""
    rows = owing(zoe(made), table, readiness(zoe(made), table, "en"))
    return [row for row in rows if row.questions]


def test_since_when_is_since_the_questions_were_put() -> None:
    made = campaign("batailles")
    first = made.asked
    answered(made, "A")
    made.refresh_from_db()
    assert made.asked == first, "the same question is open"
    before = timezone.now()
    answered(made, "B")
    made.refresh_from_db()
    assert made.asked >= before > first, "the next one is"
    with read_lock(made) as table:
        rows = owed(made, table)
    assert rows
    assert all(row.since is not None and before <= row.since <= timezone.now() for row in rows)


def two_duels(seed: int) -> Campaign:
    """Two duels side by side, of A with B and of C with D."""
    game = Game(new_header("toy", seats=4, seed=seed))
    for seat in "ABCD":
        game.answer(seat, "duel")
    return kept(game)


def test_what_is_done_in_one_battle_makes_nobody_less_late_in_another() -> None:
    long_ago = timezone.now() - timedelta(days=9)
    for seed in range(100):
        made = two_duels(seed)
        Holder.objects.create(seat=made.seats.get(code="C"), person=person("zoe"))
        Campaign.objects.filter(pk=made.pk).update(pace=24, asked=long_ago)
        left_alone = asked(made, "D")
        answered(made, "C")
        now = timezone.now()
        for seat in "AB":
            answered(made, seat)
        with read_lock(made) as table:
            if table.game.requests("A"):  # a tie: the first duel has a second bout
                break
    else:
        raise AssertionError("no bout was a tie")
    assert made.asked == long_ago and overdue(made, [left_alone])
    with read_lock(made) as table:
        since = {row.seat: row.since for row in owed(made, table)}
        assert since["D"] == long_ago and min(since["A"], since["B"]) >= now
        assert absent_question(zoe(made), table, left_alone)
        with pytest.raises(NotAllowed, match="not_late"):
            absent_question(zoe(made), table, table.game.requests("A")[0].keys["A"])
    answered(made, "D")
    assert made.asked >= now, "what was late has been answered: the oldest is of today"


@pytest.mark.parametrize(("system", "kind"), [("batailles", SEALED), ("thucidide", COURSE)])
def test_open_pages_hear_what_is_answered_for_the_absent_as_what_they_answer(
    system: str, kind: str
) -> None:
    made = campaign(system)
    heard = Pulse.objects.count()
    with read_lock(made) as table:
        request = table.game.requests()[0]
    assert request.sealed == (kind == SEALED)
    answer_absent(zoe(made), request.keys[request.missing[0]], "form")
    kinds = Pulse.objects.order_by("pk").values_list("kind", flat=True)
    assert [*kinds[heard:]] == [kind]
