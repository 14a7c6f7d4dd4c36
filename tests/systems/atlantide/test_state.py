"""The state of a campaign: copies, land, armies, agreements, sheets (AT-1.14 to AT-1.16, AT-11)."""

import msgspec
import pytest
from hypothesis import given
from msgspec.structs import replace

from polemarque.kernel.files.decoding import convert
from polemarque.kernel.position import encode
from polemarque.systems.atlantide.setup.options import CHOICES, Options
from polemarque.systems.atlantide.state import Battle, Guest, Land, Waiting, War
from polemarque.systems.atlantide.troops import Army, Duty
from tests.systems.atlantide.islands import wars
from tests.systems.atlantide.wars import (
    agreed,
    army,
    chosen,
    general,
    hero,
    owned,
    slingers,
    spearmen,
    war,
)


@given(wars())
def test_a_war_goes_through_json_and_stays_itself(state) -> None:
    raw = encode(state)
    again = msgspec.json.decode(raw, type=War)
    assert again == state
    assert encode(again) == raw
    assert [again.lands_of(seat) for seat in again.seats] == [
        state.lands_of(seat) for seat in state.seats
    ]


def test_nothing_is_changed_in_place() -> None:
    state = war(A="m1", B="a1")
    before = encode(state)
    after = state.paying("A", 50).earning("B", 50).moved("A", "m2").taken("a1", "A")
    after = after.fortified("m1").noted("A", taxes=5).journalled("A", "x").abandoned("B")
    assert encode(state) == before
    assert encode(after) != before


def test_options_are_the_ledger_s_variants_default_first() -> None:
    offered = CHOICES
    defaults = {choice.name: choice.default for choice in offered if not choice.since}
    assert convert(defaults, Options) == Options()
    before = {"purchases": "free", "refuge": "since"}  # what 2026-11 played by, before they came
    assert msgspec.to_builtins(Options()) == defaults | before
    for choice in offered:
        if not choice.number:
            assert choice.values[0] == choice.default
            for value in choice.values:
                convert({choice.name: value}, Options)


# Loot (AT-5.5) ------------------------------------------------------------------------------------


def test_loot_never_goes_below_zero() -> None:
    state = war(A="m1", B="a1")
    assert state.loot("A") == 250
    assert state.paying("A", 250).loot("A") == 0
    with pytest.raises(ValueError, match=r"AT-5\.5"):
        state.paying("A", 251)


# Armies ------------------------------------------------------------------------------------------


def test_a_move_remembers_where_it_began() -> None:
    state = war(A=army("m1", duty=Duty("leave"), start="e1", start_closed=True), B="a1")
    moved = state.moved("A", "m3").army("A")
    assert (moved.place, moved.start, moved.start_closed, moved.duty) == ("m3", "m1", False, None)
    assert state.moved("A", "m1") == state  # staying keeps its start (AT-7.7)


def test_later_entries_have_higher_numbers() -> None:
    state = war(A="m1", B="a1").moved("B", "a2").moved("A", "m2")
    assert state.army("A").entered > state.army("B").entered > 0


def test_an_army_without_figures_is_gone() -> None:
    state = war(A="m1", B="a1")
    assert state.with_army("A", Army((), (), "m1")).army("A") is None
    assert state.army_changed("A", may_move=False).army("A").may_move is False
    with pytest.raises(ValueError, match=r"AT-1\.14"):
        war(A=None, B="a1").moved("A", "m2")


def test_a_destroyed_army_sends_half_of_everybody_home_for_the_next_turn() -> None:
    force = Army((spearmen(1, 15), slingers(2, 1)), (general(), hero()), "e2", duty=Duty("leave"))
    state = war(A=force, B="a1").destroyed("A")
    assert state.army("A") is None
    (back,) = state.seats["A"].waiting
    assert (back.cause, back.due, back.place) == ("returned", 2, None)
    assert [(unit.id, unit.figures) for unit in back.units] == [(1, 7)]
    assert len(back.characters) == 2


def test_with_no_territory_left_they_are_lost() -> None:
    state = owned(war(A="e2", B="a1"), "B", "m1", "m2", "m3").destroyed("A")
    assert state.seats["A"].waiting == ()


def test_enemy_armies_are_those_of_others_that_are_not_beaten() -> None:
    state = war(A="m1", B="m1", C=army("m1", duty=Duty("beaten")))
    assert state.armies_at("m1") == ("A", "B", "C")
    assert state.enemies_at("m1", "A") == ("B",)
    assert state.enemies_at("m1", "C") == ("A", "B")


# Land (AT-9.7, AT-8.7) ----------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "left"), [("stay", 2), ("razed", 0)])
def test_fortresses_of_conquered_land(variant, left) -> None:
    state = chosen(war(A="m1", B="a1").fortified("a2").fortified("a2"), fortress_capture=variant)
    assert state.taken("a2", "A").lands["a2"] == Land("plains", "A", left)
    assert state.taken("a2", "B") == state


def test_agreements_lapse_where_land_changes_hands() -> None:
    state = agreed(war(A="m1", B="a1", C="e1"), "passage", "B", "A", "a1", "a2")
    state = agreed(state, "stationing", "A", "C", "a2")
    state = agreed(state, "text", "A", "C", text="brothers")
    after = state.taken("a2", "C")
    assert [(a.kind, a.territories) for a in after.agreements] == [
        ("passage", ("a1",)), ("text", ()),
    ]  # fmt: skip


def test_waiting_units_move_on_and_slaves_are_lost() -> None:
    waiting = (
        Waiting("bought", 1, "m2", (spearmen(),)),
        Waiting("slaves", 1, "m2", (slingers(),)),
        Waiting("slaves", 1, "m3", (slingers(3),)),
        Waiting("bought", 1, None, (spearmen(4),)),
    )
    state = war(A="e1", B="a1").changed("A", waiting=waiting)
    after = state.taken("m2", "B").seats["A"].waiting
    assert [(w.cause, w.place) for w in after] == [
        ("bought", "m1"),
        ("slaves", "m3"),
        ("bought", None),
    ]
    # With the city lost too, to the first territory he has; with none, only what has not arrived.
    state = state.taken("m1", "B").taken("m2", "B")
    assert [w.place for w in state.seats["A"].waiting] == ["m3", "m3", None]
    assert [w.place for w in state.taken("m3", "B").seats["A"].waiting] == [None]
    begun = replace(state.with_army("A", None), phase="conquest")
    assert begun.taken("m3", "B").seats["A"].waiting == ()


def test_a_seat_given_up_leaves_atlantean_land() -> None:
    state = war(A="m1", B="a1", C="e1").fortified("m1")
    state = agreed(state, "passage", "A", "B", "a1")
    after = agreed(state, "stationing", "B", "C", "m2").abandoned("A")
    assert after.lands_of("A") == ()
    assert after.lands["m1"] == Land("plains")
    assert after.army("A") is None
    assert after.agreements == ()
    assert after.in_play() == ("B", "C")


# Turns, agreements, sheets ------------------------------------------------------------------------


def test_what_lasts_for_a_turn_ends_with_it() -> None:
    tired = army("m1", general_ld=1, army_ld=-1, roll_change=1, may_move=False, negotiated=True)
    state = war(A=replace(tired, attacked=True, unsupplied=3), B="a1")
    state = agreed(agreed(state, "passage", "A", "B", "m1"), "tax", "A", "B", "a1", last_turn=2)
    state = replace(state, battles=(Battle("m1", "A", "B"),), phase="conquest").next_turn()
    assert (state.turn, state.phase, state.battles) == (2, "", ())
    assert state.army("A") == army("m1", unsupplied=3)
    assert [a.kind for a in state.agreements] == ["tax"]


def test_a_price_is_paid_when_the_agreement_is_made_and_stays_paid() -> None:
    state = agreed(war(A="m1", B="a1"), "passage", "A", "B", "m1", price=40, public=True)
    assert (state.loot("A"), state.loot("B")) == (290, 210)
    (made,) = state.agreements
    after = state.broken([made.id])
    assert after.agreements == ()
    assert after.loot("A") == 290
    gift = agreed(state, "loot", "A", "B", price=90)
    assert (gift.loot("A"), gift.loot("B")) == (200, 300)
    assert [a.id for a in gift.agreements] == [1, 2]


def test_the_campaign_sheet_has_one_row_a_turn() -> None:
    state = war(A="m1", B="a1").noted("A", event="none").noted("A", taxes=45)
    state = state.next_turn().noted("A", event="slaves")
    rows = state.sheets["A"]
    assert [(row.turn, row.event, row.taxes) for row in rows] == [(1, "none", 45), (2, "slaves", 0)]
    assert state.row("B").turn == 2
    assert "B" not in state.sheets


def test_the_journal_keeps_turn_author_and_words() -> None:
    state = war(A="m1", B="a1").journalled("umpire", "a D6 for the gods")
    assert [(line.turn, line.author) for line in state.journal] == [(1, "umpire")]


def test_a_battle_names_its_sides_and_guests() -> None:
    battle = Battle("m1", "A", "B", guests=(Guest("A", "mountain_savages"),))
    assert battle.sides == ("A", "B")
    assert battle.guests[0].leader
