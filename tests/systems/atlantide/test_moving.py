"""Chapter AT-7 as it is played: the order of movement, marches, and duties to go."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.systems.atlantide.movement import battles_due
from polemarque.systems.atlantide.state import SheetRow, Waiting, War
from polemarque.systems.atlantide.troops import Duty, Toll
from tests.systems.atlantide.table import Table
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

PHASE = ("AT-7/phase",)
STAY = {"act": "move", "way": ()}


def move(*way: str) -> dict:
    return {"act": "move", "way": way}


def last(*way: str) -> dict:
    """What the last one to move answers: nobody is left to let go first."""
    return {"way": way}


def numbers(table: Table) -> list[tuple[str, int]]:
    return [(e["seat"], e["number"]) for e in table.told("AT-7.1", "rolled")]


# Initiative (AT-7.1) -----------------------------------------------------------------------------


def test_AT_7_1_initiative_and_two_dice_and_spies():
    state = war(A=army("m2", roll_change=-1), B=army("a2", spearmen(), slingers()))
    table = Table(state, PHASE, dice=(3, 4, 1, 1))
    # A: Ld 8, 80 + 7 - 1.  B: 80 + 20 for the skirmishers + 2.
    assert numbers(table) == [("A", 86), ("B", 102)]
    assert table.request.seats == ("B",)
    rolled = table.events[0]
    assert [(m.amount, m.reason) for m in rolled.modifiers] == [(80, "initiative"), (-1, "spies")]


def test_AT_7_1_all_roll_again_if_any_two_are_equal():
    table = Table(
        war(A="m2", B="a2", C="e1"), PHASE, dice=(3, 4, 1, 6, 6, 6, 2, 2, 3, 3, 1, 2)
    )  # A 87, B 87, C 92: all again: A 84, B 86, C 83
    assert numbers(table)[3:] == [("A", 84), ("B", 86), ("C", 83)]
    assert table.told("AT-7.1", "tied") == [{"seats": ("A", "B"), "variant": "all"}]
    assert table.request.seats == ("B",)


def test_AT_7_1_variant_only_the_tied_roll_again_below_nobody_they_beat():
    state = chosen(war(A="m2", B="a2", C="e1"), initiative_ties="tied")
    table = Table(state, PHASE, dice=(3, 4, 1, 6, 2, 3, 1, 1, 6, 6))
    # A 87, B 87, C 85; again A 82, B 92: B comes first, and A still before C.
    assert [e["seat"] for e in table.told("AT-7.1", "rerolled")] == ["A", "B"]
    for seat in ("B", "A"):
        assert table.request.seats == (seat,)
        table.say(seat, STAY)
    assert table.request.seats == ("C",)


def test_AT_7_1_variant_whoever_is_still_level_rolls_again_among_themselves():
    state = chosen(war(A="m2", B="a2", C="e1"), initiative_ties="tied")
    table = Table(state, PHASE, dice=(3, 4, 1, 6, 2, 5, 4, 5, 1, 6, 3, 4, 1, 1, 2, 1))
    # 87 each; again A 89, B 87, C 87; B and C again: B 82, C 83.
    assert [e["seat"] for e in table.told("AT-7.1", "rerolled")] == ["A", "B", "C", "B", "C"]
    for seat in "AC":
        assert table.request.seats == (seat,)
        table.say(seat, STAY)
    assert table.request.seats == ("B",)


def test_AT_2_4_an_absent_player_rolls_no_initiative_and_stays():
    table = Table(war(A="m2", B="a2").changed("A", absent=True), PHASE, dice=(3, 4))
    assert numbers(table) == [("B", 87)]
    table.say("B", last("a1"))
    assert table.over
    assert table.war.army("A").place == "m2"
    assert table.told("AT-7.3", "stays") == [{"seat": "A", "place": "m2"}]
    assert table.war.row("A").arrived == "m2"


# Holding back (AT-7.2) ---------------------------------------------------------------------------


def test_AT_7_2_he_who_lowers_acts_after_all_whose_own_number_it_is():
    table = Table(war(A="m2", B="a2", C="e1"), PHASE, dice=(6, 6, 3, 4, 1, 1))  # 92, 87, 82
    table.say("A", {"act": "lower", "number": 87})
    assert table.told("AT-7.2", "lowered") == [{"seat": "A", "number": 87, "before": 92}]
    assert table.request.seats == ("B",)
    table.say("B", STAY)
    assert table.request.seats == ("A",)
    table.say("A", STAY)
    assert table.request.seats == ("C",)


def test_AT_7_2_several_at_one_number_act_in_the_order_in_which_they_lowered():
    table = Table(war(A="m2", B="a2", C="e1"), PHASE, dice=(6, 6, 3, 4, 1, 1))
    table.say("A", {"act": "lower", "number": 80}).say("B", {"act": "lower", "number": 80})
    assert table.request.seats == ("C",)
    table.say("C", STAY)
    assert table.request.seats == ("A",)
    table.say("A", {"act": "lower", "number": 70})  # he may lower again
    assert table.request.seats == ("B",)


def test_AT_7_2_not_to_a_number_as_great_nor_when_nobody_is_left():
    table = Table(war(A="m2", B="a2"), PHASE, dice=(6, 6, 3, 4))
    assert table.refused("A", {"act": "lower", "number": 92}).code == "answer.amount"
    table.say("A", STAY)
    assert table.refused("B", STAY).code == "answer.part_unknown"
    table.say("B", last())
    assert table.over


# Marches (AT-7.3 to AT-7.5) ----------------------------------------------------------------------


def test_AT_7_3_two_steps_on_own_land_and_what_the_sheet_says():
    table = Table(war(A="m1", B="a2"), PHASE, dice=(6, 6, 3, 4))
    table.say("A", move("m2", "m3"))
    assert table.told("AT-7.3", "moves") == [
        {"seat": "A", "start": "m1", "place": "m3", "via": ("m2",)}
    ]
    force = table.war.army("A")
    assert (force.place, force.start, force.entered) == ("m3", "m1", 1)
    assert (table.war.row("A").left, table.war.row("A").arrived) == ("m1", "m3")


def test_AT_7_3_one_step_into_foreign_land_which_ends_the_move():
    table = Table(war(A="m2", B="a2"), PHASE, dice=(6, 6, 3, 4))
    assert table.refused("A", move("e2", "e1")).code == "answer.no_way"
    assert table.refused("A", move("m3", "h2")).code == "answer.no_way"
    table.say("A", move("e2"))
    assert table.war.army("A").place == "e2"


def test_AT_7_3_refusing_to_move_is_public_and_nobody_is_asked():
    state = war(A=army("m2", may_move=False), B="a2").noted("A", supply="refusal")
    table = Table(state, PHASE, dice=(6, 6, 3, 4))
    assert table.request.seats == ("B",)
    assert table.war.row("A").arrived == "m2"


def test_AT_2_3_who_reorganises_is_asked_like_the_others():
    state = war(A=army("m1", may_move=False), B="a2")
    table = Table(state, PHASE, dice=(6, 6, 3, 4))
    assert table.request.seats == ("A",)
    assert table.refused("A", move("m2")).code == "answer.no_way"
    table.say("A", STAY).say("B", last())
    assert table.over


def test_AT_3_3_slaves_join_where_the_army_ends_its_move_supplied_or_not():
    slaves = slingers(20, 11, 11)
    state = war(A=army("m1", supplied=False), B="a2")
    state = state.changed("A", waiting=(Waiting("slaves", 1, "m3", (slaves,)),), next_id=21)
    passed = Table(state, PHASE, dice=(6, 6, 3, 4)).say("A", move("m2"))
    assert len(passed.war.army("A").units) == 1
    joined = Table(state, PHASE, dice=(6, 6, 3, 4)).say("A", move("m2", "m3"))
    assert joined.war.army("A").units[1:] == (slaves,)
    assert joined.war.seats["A"].waiting == ()
    assert joined.event("AT-3.3", "join").audience == ("A",)


def test_AT_7_4_a_passage_is_told_to_its_parties_alone():
    state = agreed(war(A="m3", B="a2", C="e1"), "passage", "B", "A", "a3")
    state = owned(state, "B", "h2")
    state = agreed(state, "passage", "B", "A", "h2")
    table = Table(state, PHASE, dice=(6, 6, 3, 4, 1, 1)).say("A", move("h2"))
    assert table.event("AT-7.4", "passing").audience == ("A", "B")
    assert table.war.army("A").passing
    again = Table(table.war.next_turn(), PHASE, dice=(6, 6, 3, 4, 1, 1))
    assert again.refused("A", STAY).code == "answer.no_way"


def test_AT_7_5_two_armies_at_most():
    state = war(A="m2", B="e2", C="e2")
    table = Table(state, PHASE, dice=(6, 6, 3, 4, 1, 1))
    assert table.refused("A", move("e2")).code == "answer.no_way"


def test_AT_4_3_variant_agreements_may_be_broken_after_any_move():
    state = agreed(war(A="m2", B="a2"), "stationing", "B", "A", "a1", last_turn=9)
    state = chosen(replace(state, talked=True), breaking="any_time")
    table = Table(state, PHASE, dice=(6, 6, 3, 4)).say("A", move("m3"))
    assert table.request.rule == "AT-4.3/after_move"
    table.silent().say("B", last())
    assert table.over  # who stays has not moved


# Duties (AT-7.6, AT-7.7, AT-8.8) -----------------------------------------------------------------


def beaten(place: str, start: str | None, **more) -> War:
    """A beaten in battle, its start where it is said; B far away."""
    return war(A=army(place, start=start, duty=Duty("beaten"), **more), B="a1")


def test_AT_7_6_a_a_beaten_army_retreats_to_its_start_or_beside_on_its_own_land():
    table = Table(beaten("e2", "e1"), PHASE, dice=(6, 6, 3, 4))
    assert table.refused("A", STAY).code == "answer.no_way"
    assert table.refused("A", move("e3")).code == "answer.no_way"
    for goal in ("e1", "m2"):
        done = Table(beaten("e2", "e1"), PHASE, dice=(6, 6, 3, 4)).say("A", move(goal))
        assert done.war.army("A").place == goal
        assert done.war.army("A").duty is None
        assert done.told("AT-7.6", "beaten") == [{"seat": "A", "start": "e2", "place": goal}]


def test_AT_7_6_neither_a_refusal_to_move_nor_absence_stops_the_duty():
    state = beaten("e2", "m2", may_move=False).noted("A", supply="refusal")
    assert Table(state, PHASE, dice=(6, 6, 3, 4)).request.seats == ("A",)
    gone = Table(state.changed("A", absent=True), PHASE, dice=(3, 4))
    gone.say("B", {"act": "move", "way": ()})  # 87, before the 80 that A never rolled for
    assert gone.over
    assert gone.war.army("A").place == "m2"


def test_AT_7_6_an_absent_army_goes_where_nobody_stands_first_of_all_to_its_start():
    state = war(A=army("m2", start="e2", duty=Duty("leave")), B="e2").changed("A", absent=True)
    gone = Table(state, PHASE, dice=(3, 4)).say("B", {"act": "move", "way": ()})
    assert gone.war.army("A").place == "m1"  # B stands on its start; its own land is near


def test_AT_7_6_b_crushed_back_to_the_start_or_anywhere_beside_if_that_is_closed():
    state = war(A=army("h2", start="m3", duty=Duty("crushed")), B="a1")
    table = Table(state, PHASE, dice=(6, 6, 3, 4))
    assert table.refused("A", move("h1")).code == "answer.no_way"
    assert table.say("A", move("m3")).told("AT-7.6", "crushed")
    closed = state.army_changed("A", start_closed=True)
    table = Table(closed, PHASE, dice=(6, 6, 3, 4)).say("A", move("h1"))
    assert table.war.army("A").place == "h1"


def test_AT_7_6_c_driven_off_any_legal_move_but_not_staying():
    state = war(A=army("e2", start="m2", duty=Duty("leave")), B="a1")
    table = Table(state, PHASE, dice=(6, 6, 3, 4))
    assert table.refused("A", STAY).code == "answer.no_way"
    table.say("A", move("e3"))
    assert table.told("AT-7.6", "leave")


def test_AT_8_8_without_retreat_it_is_destroyed_and_half_the_survivors_get_home():
    # Battle: of 20 spearmen 8 killed, 4 left the table, 8 stood: 2 + 2 came back, 12 figures.
    toll = Toll(1, 8, 4, 8, 12)
    force = army("h1", spearmen(figures=12), start="h2", start_closed=True,
                 duty=Duty("beaten", (toll,)))  # fmt: skip
    force = replace(force, characters=(general(), hero()))
    table = Table(war(A=force, B="a1"), PHASE, dice=(6, 6, 3, 4))
    assert table.told("AT-8.8", "destroyed") == [{"seat": "A", "place": "h1"}]
    assert table.war.army("A") is None
    (back,) = table.war.seats["A"].waiting
    # 0% of 8, 25% of 4, 50% of 8: 0 + 1 + 4.
    assert [u.figures for u in back.units] == [5]
    assert [c.id for c in back.characters] == [9, 8]
    assert (back.cause, back.due) == ("returned", 2)
    assert table.told("AT-8.8", "remnant") == [{"seat": "A", "figures": 7}]
    assert table.war.row("A") == SheetRow(1, left="h1", arrived="")


def test_AT_8_8_the_remnant_is_in_the_capital_at_the_start_of_the_turn_after():
    force = army("h1", start="h2", start_closed=True, duty=Duty("beaten"))
    lost = Table(war(A=force, B="a1"), PHASE, dice=(6, 6, 3, 4)).war
    assert Table(lost, ("AT-10.2", "A")).war.army("A") is None  # not in this turn's phase 8
    table = Table(lost.next_turn(), ("AT-1.14", "A"))
    assert table.war.army("A").place == "m1"
    assert [u.figures for u in table.war.army("A").units] == [10]
    assert table.war.army("A").duty is None


def test_AT_8_8_nothing_comes_back_to_a_player_without_territory():
    force = army("h1", start="h2", start_closed=True, duty=Duty("beaten"))
    state = owned(war(A=force, B="a1"), "B", "m1", "m2", "m3")
    table = Table(state, PHASE, dice=(6, 6, 3, 4))
    assert table.war.seats["A"].waiting == ()
    assert not table.told("AT-8.8", "remnant")


def test_AT_7_7_an_agreement_opens_the_way_back_to_where_another_army_stands():
    state = war(A=army("e2", start="e1", duty=Duty("beaten")), B="e1")
    state = owned(state, None, "m1", "m2", "m3")
    assert Table(state, PHASE, dice=(6, 6, 3, 4)).told("AT-8.8", "destroyed")
    state = agreed(state, "passage", "B", "A", "e1")
    table = Table(state, PHASE, dice=(6, 6, 3, 4)).say("A", move("e1"))
    assert table.war.army("A").place == "e1"


def test_AT_7_4_variant_land_that_is_opened_counts_as_own_for_moving():
    state = owned(war(A="m2", B="a2"), "B", "m3", "h2")
    state = agreed(state, "passage", "B", "A", "m3", "h2")
    table = Table(state, PHASE, dice=(6, 6, 3, 4))
    assert table.refused("A", move("m3", "h2")).code == "answer.no_way"
    table = Table(chosen(state, passage="through"), PHASE, dice=(6, 6, 3, 4))
    table.say("A", move("m3", "h2"))
    assert table.war.army("A").place == "h2"


def test_AT_4_3_broken_after_the_battle_phase_they_fight_after_the_next_movement():
    state = war(A=army("m2", entered=2), B=army("m2", entered=1))
    assert battles_due(agreed(state, "stationing", "A", "B", "m2")) == ()
    assert battles_due(state) == (("m2", "A", "B"),)
