"""Chapter AT-3: what the gods send, and who pays for it (AT-3.1, AT-3.2, AT-3.3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from polemarque.kernel.dice import Scripted
from polemarque.odds.run_once import run_procedure
from polemarque.systems.atlantide import losses
from polemarque.systems.atlantide.chapters.divine import EVENTS, divine_event
from polemarque.systems.atlantide.strength import force_total, initiative_total
from polemarque.systems.atlantide.troops import (
    loss_of_figures,
    loss_of_points,
)
from tests.systems.atlantide.oracle import fault_in_figures, fault_in_points
from tests.systems.atlantide.table import Table
from tests.systems.atlantide.wars import army, general, hero, owned, slingers, spearmen, war

TABLE = {
    2: "eruption", 3: "bad_omen", 4: "enemy_spy", 5: "enemy_spy", 6: "none", 7: "none", 8: "none",
    9: "our_spy", 10: "our_spy", 11: "good_omen", 12: "slaves",
}  # fmt: skip


def armed(**more):
    units = (spearmen(), slingers())
    return war(A=army("m2", *units, **more), B="a2")


def played(dice, seat="A", state=None):
    return Table(state or armed(), ("AT-3.1", seat), dice=dice)


@pytest.mark.parametrize(("total", "event"), TABLE.items())
def test_AT_3_1_the_table_of_events(total, event):
    assert EVENTS.row(total).event == event


@pytest.mark.parametrize(
    ("dice", "event", "figures"),
    [((1, 1, 5), "eruption", 5), ((1, 2), "bad_omen", 0), ((6, 6, 1), "slaves", 11),
     ((6, 6, 6), "slaves", 16), ((3, 4), "none", 0)],
)  # fmt: skip
def test_AT_3_1_a_die_says_how_many_figures(dice, event, figures):
    ran = run_procedure(divine_event.run, Scripted(dice), rule="AT-3.1")
    assert (ran.value.event, ran.value.figures) == (event, figures)


@pytest.mark.parametrize(("dice", "change"), [((1, 2), -1), ((5, 6), 1)])
def test_AT_3_3_an_omen_moves_leadership_initiative_and_force(dice, change):
    before = armed().army("A")
    after = played(dice).war.army("A")
    assert after.leadership == before.leadership + change
    assert initiative_total(after) == initiative_total(before) + 10 * change
    assert force_total(after) == force_total(before) + change
    assert after.new_turn().leadership == before.leadership


def test_AT_3_3_the_event_says_what_the_omen_does_to_the_initiative():
    event = played((5, 6)).event("AT-3.1", "good_omen")
    assert [(m.amount, m.reason, m.rule) for m in event.modifiers] == [
        (1, "leadership", "AT-3.1"), (10, "initiative", "AT-3.3"),
    ]  # fmt: skip
    assert event.audience is None


@pytest.mark.parametrize("dice", [(1, 2), (5, 6)])
def test_AT_3_3_an_omen_without_a_general_changes_nothing_and_says_nothing_of_it(dice):
    state = armed(lead=False)
    table = played(dice, state=state)
    assert table.told("AT-3.1") and not [m for e in table.events for m in e.modifiers]
    assert initiative_total(table.war.army("A")) == initiative_total(state.army("A"))


@pytest.mark.parametrize(("dice", "change"), [((2, 2), -1), ((4, 5), 1)])
def test_AT_3_1_spies_change_initiative_rolls(dice, change):
    table = played(dice)
    assert table.war.army("A").roll_change == change
    assert table.war.army("A").leadership == armed().army("A").leadership


def test_AT_11_1_the_event_is_on_the_campaign_sheet():
    assert played((5, 6)).war.row("A").event == "good_omen"


def test_AT_3_2_the_owner_chooses_who_dies():
    table = played((1, 1, 4))
    assert table.request.seats == ("A",) and table.over is False
    table.say("A", {"unit.2": 1, "unit.1": 2})
    units = {unit.id: unit.figures for unit in table.war.army("A").units}
    assert units == {2: 9, 1: 18} and table.war.army("A").general is None
    assert table.event("AT-3.2", "eruption").audience == ("A",)


def test_AT_3_2_by_default_the_cheapest_go_first():
    table = played((1, 1, 4)).silent()
    units = {unit.id: unit.figures for unit in table.war.army("A").units}
    assert units == {2: 6, 1: 20} and table.war.army("A").general


def test_AT_3_2_nobody_is_asked_where_there_is_one_way_only():
    lonely = war(A=army("m2", spearmen(figures=3), lead=False), B="a2")
    table = played((1, 1, 2), state=lonely)
    assert table.over and table.war.army("A").units[0].figures == 1
    gone = played((1, 1, 3), state=lonely)
    assert gone.over and gone.war.army("A") is None
    assert gone.told("AT-1.15", "gone")


def test_AT_2_4_an_absent_player_rolls_and_loses_his_cheapest():
    state = armed().changed("A", absent=True)
    table = played((1, 1, 4), state=state)
    assert table.over and table.war.army("A").figures_of(2) == 6
    slaves = played((6, 6, 2), state=state)
    assert slaves.over


def test_AT_3_1_without_an_army_only_slaves_mean_anything():
    state = war(A=None, B="a2")
    for dice in ((1, 1, 6), (1, 2), (2, 2), (5, 6)):
        assert played(dice, state=state).over
    table = played((6, 6, 3), state=state).say("A", "m3")
    assert table.war.seats["A"].waiting[0].units[0].figures == 13


def test_AT_3_3_slaves_join_where_the_army_stands_and_wait_elsewhere():
    here = played((6, 6, 2)).say("A", "m2").war
    fresh = here.army("A").units[-1]
    assert (fresh.profile, fresh.figures, fresh.points, fresh.kind) == (
        "runaway_slaves", 12, 60, "skirmishers",
    )  # fmt: skip
    assert fresh.traits == ("hatred",) and (fresh.ws, fresh.toughness, fresh.ld) == (2, 3, 5)
    assert here.seats["A"].waiting == () and here.seats["A"].next_id == 11
    there = played((6, 6, 2)).say("A", "m1").war
    assert there.seats["A"].waiting[0].place == "m1" and len(there.army("A").units) == 2


def test_AT_3_3_without_territory_the_event_is_void():
    state = owned(armed(), None, "m1", "m2", "m3")
    table = played((6, 6, 2), state=state)
    assert table.over and table.told("AT-3.3", "void")


def test_AT_3_3_where_slaves_hide_is_a_secret():
    event = played((6, 6, 2)).say("A", "m1").event("AT-3.3", "appear")
    assert event.audience == ("A",)


def test_AT_3_a_player_who_is_out_rolls_nothing():
    state = armed().changed("B", eliminated=1)
    table = Table(state, ("AT-3/phase",), dice=(3, 4))
    assert table.over and not table.told("AT-3.1", "")[1:]


# Sharing a loss out ------------------------------------------------------------------------------


@st.composite
def armies(draw):
    units = tuple(
        draw(st.sampled_from((spearmen, slingers)))(
            number, figures=draw(st.integers(1, 9)), full=10, points=draw(st.integers(10, 300))
        )
        for number in range(1, draw(st.integers(0, 5)) + 1)
    )
    heroes = tuple(
        hero(20 + n, points=draw(st.integers(20, 90))) for n in range(draw(st.integers(0, 2)))
    )
    lead = (general(30),) if draw(st.booleans()) or not (units or heroes) else ()
    return replace(army("m2"), units=units, characters=(*heroes, *lead))


@given(armies(), st.integers(1, 40), st.data())
def test_AT_3_2_every_way_through_the_sheet_is_a_legal_loss(force, count, data):
    loss = _random_loss(losses.share_of_figures(force, count), data)
    assert not fault_in_figures(force, count, loss)


@given(armies(), st.integers(1, 500), st.data())
def test_AT_8_11_every_way_through_the_sheet_is_a_legal_loss_in_points(force, points, data):
    loss = _random_loss(losses.share_of_points(force, points), data)
    assert not fault_in_points(force, points, loss)


def _random_loss(share, data):
    try:
        _, amount = next(share)
        while True:
            assert 0 <= amount.least < amount.most
            _, amount = share.send(data.draw(st.integers(amount.least, amount.most)))
    except StopIteration as end:
        return end.value


@given(armies(), st.integers(1, 400))
def test_AT_3_2_the_default_can_be_said_on_the_sheet(force, count):
    for share, cheapest in (
        (losses.share_of_figures, loss_of_figures(force, count)),
        (losses.share_of_points, loss_of_points(force, count)),
    ):
        lost = {losses.part_of(member): number for member, number in cheapest}
        _, loss = losses.gone_through(
            share(force, count), lambda part, lost=lost: lost.get(part, 0)
        )
        assert loss == cheapest
