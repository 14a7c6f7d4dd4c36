"""Chapter AT-9: passages, assaults, and what they leave behind."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from polemarque.kernel.agenda import Call, rules_of
from polemarque.odds.decisions import Decision, Reckoner
from polemarque.odds.enumeration import law
from polemarque.systems.atlantide.chapters.conquest import CONQUEST, FEW, Assault
from polemarque.systems.atlantide.state import Waiting, War
from polemarque.systems.atlantide.strength import ground_of
from polemarque.systems.atlantide.troops import Duty
from tests.systems.atlantide.field import Field as Table
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

PHASE = ("AT-9/phase",)
PASSAGE = {"act": "passage", "bribe": 0}


def attack(bribe: int = 0) -> dict:
    return {"act": "attack", "bribe": bribe}


def before(place: str = "e2", **more) -> War:
    """A before a territory, from m2; B far away."""
    return war(A=army(place, start="m2", entered=1, **more), B="a1")


# Negotiate or attack (AT-9.1, AT-9.8) ------------------------------------------------------------


def test_AT_9_1_on_atlantean_land_negotiate_or_attack():
    table = Table(before(), PHASE)
    assert table.request.seats == ("A",)
    for act in ("stay", "withdraw"):
        assert table.refused("A", {"act": act, "bribe": 0}).code == "answer.one_of"
    assert table.say("A", attack()).told("AT-9.3", "force")


def test_AT_9_1_nobody_on_his_own_land_is_asked():
    assert Table(war(A="m2", B="a1"), PHASE).over


def test_AT_9_8_on_a_players_land_without_his_army_attack_or_stay():
    state = owned(before(), "B", "e2")
    table = Table(state, PHASE)
    assert table.refused("A", PASSAGE).code == "answer.one_of"
    table.say("A", {"act": "stay"})
    assert table.over
    assert table.told("AT-9.8", "stays") == [{"seat": "A", "place": "e2"}]
    assert Table(state, PHASE).say("A", attack()).told("AT-9.3", "force")


def test_AT_9_7_not_where_the_owners_army_stands_unless_it_is_beaten():
    state = war(A=army("e2", entered=2), B=army("e2", entered=1))
    state = agreed(owned(state, "B", "e2"), "stationing", "B", "A", "e2")
    assert Table(state, PHASE).over
    state = state.army_changed("B", duty=Duty("beaten"))
    assert Table(state, PHASE).say("A", attack()).told("AT-9.3", "force")


def test_AT_9_8_an_agreement_may_forbid_attacking_and_the_question_does_not_tell_of_it():
    plain = owned(before(), "B", "e2")
    bound = agreed(plain, "stationing", "B", "A", "e2", peace=True)
    for state in (plain, bound):
        assert Table(state, PHASE).request.seats == ("A",)
    refusal = Table(bound, PHASE).refused("A", attack())
    assert (refusal.code, refusal.rule) == ("conquest.agreement", "AT-9.8")
    assert Table(bound, PHASE).say("A", {"act": "stay"}).over


def test_AT_8_8_a_beaten_army_neither_negotiates_nor_conquers():
    assert Table(before(duty=Duty("beaten")), PHASE).over


def test_AT_9_8_in_order_of_initiative_and_land_gained_is_its_new_owners():
    quick = army("e2", spearmen(), slingers(), start="m2", entered=2)
    slow = army("e2", start="e1", entered=1)
    state = owned(war(A=quick, B="a1", C=slow), None, "e2")
    state = agreed(state, "stationing", "C", "A", "e2")
    table = Table(state, PHASE).say("A", attack(250))
    assert table.war.order == ("A", "C")
    # 2 + 5 = 7 against 6 + 2, for Euamon's capital is C's: -1; 6 against 8: -2; 5: -3, beaten.
    table.roll(1, 1, 1, 1, 1, 1, 1, 1, 6)
    assert table.told("AT-9.5", "beaten")[0]["rounds"] == 3
    table.silent()
    assert table.request.seats == ("C",)
    table.say("C", attack())
    assert [e["seat"] for e in table.told("AT-9.3", "force")] == ["A", "C"]


def test_AT_9_8_land_gained_earlier_in_the_phase_is_an_armys_land_now():
    quick = army("e2", spearmen(), slingers(), start="m2", entered=2)
    state = owned(war(A=quick, B="a1", C=army("e2", start="e1", entered=1)), None, "e2", "e1")
    state = agreed(state, "stationing", "C", "A", "e2").changed("A", loot=800)
    table = Table(state, PHASE, dice=(1, 1)).say("A", attack(800))
    # 2 + 16 against 7 + 2: taken at 9.  C stands on land with an army of its owner: not asked.
    assert table.war.owner("e2") == "A"
    assert table.over


def test_AT_2_4_an_absent_player_negotiates_without_bribe_withdraws_and_never_attacks_a_player():
    state = before().changed("A", absent=True)
    table = Table(state, PHASE, dice=(5,))
    assert table.told("AT-9.2", "granted")[0]["bribe"] == 0
    table = Table(state, PHASE, dice=(4,))
    assert table.war.army("A").place == "m2"
    closed = state.army_changed("A", start_closed=True)
    table = Table(closed, PHASE, dice=(4, 6, 6, 1, 1))
    assert table.told("AT-9.3", "force")[0]["bribe"] == 0
    table = Table(owned(state, "B", "e2"), PHASE)
    assert table.told("AT-9.8", "stays")


# Passage (AT-9.2) --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ld", "bribe", "die", "granted"),
    [(8, 0, 5, True), (8, 0, 4, False), (7, 0, 5, False), (7, 0, 6, True), (9, 0, 4, True),
     (9, 0, 3, False), (10, 0, 3, True), (11, 0, 2, False), (8, 50, 4, True), (8, 200, 1, True),
     (8, 150, 1, False), (None, 0, 6, False), (None, 100, 5, True)],
)  # fmt: skip
def test_AT_9_2_the_die_the_bribe_and_the_general(ld, bribe, die, granted):
    leaders = (general(ld=ld),) if ld else ()
    state = before()
    state = state.army_changed("A", characters=leaders)
    table = Table(state, PHASE, dice=(die,)).say("A", {"act": "passage", "bribe": bribe})
    if not granted:
        table.say("A", {"act": "withdraw"})
    assert bool(table.told("AT-9.2", "granted")) == granted
    assert table.war.loot("A") == 250 - bribe
    assert table.war.army("A").negotiated == granted


def test_AT_3_3_this_turns_leadership_counts():
    state = before(general_ld=1)
    assert Table(state, PHASE, dice=(4,)).say("A", PASSAGE).told("AT-9.2", "granted")
    state = before(general_ld=1, army_ld=-1)
    assert Table(state, PHASE, dice=(4,)).say("A", PASSAGE).told("AT-9.2", "refused")


def test_AT_5_6_bribes_are_full_fifties_of_what_he_has():
    table = Table(before().changed("A", loot=130), PHASE, dice=(3,))
    for bribe, code in ((30, "loot.fifties"), (150, "loot.overspent")):
        assert table.refused("A", {"act": "passage", "bribe": bribe}).code == code
    table.say("A", {"act": "passage", "bribe": 100})
    assert table.war.loot("A") == 30


def test_AT_9_2_granted_it_stays_this_turn_and_negotiates_again_the_next():
    table = Table(before(), PHASE, dice=(6,)).say("A", PASSAGE)
    assert table.over
    assert (table.war.army("A").place, table.war.owner("e2")) == ("e2", None)
    assert table.war.row("A").conquest_result == "passage"
    later = Table(table.war.next_turn(), PHASE)
    assert not later.war.army("A").negotiated
    assert later.request.options("A").take(PASSAGE)
    assert later.say("A", attack()).told("AT-9.3", "force")


def test_AT_9_2_refused_withdraw_or_attack():
    table = Table(before(), PHASE, dice=(4,)).say("A", {"act": "passage", "bribe": 0})
    assert table.request.rule == "AT-9.2"
    assert table.refused("A", PASSAGE).code == "answer.one_of"
    table.say("A", {"act": "withdraw"})
    assert table.war.army("A").place == "m2"
    assert table.told("AT-9.2", "withdraws") == [{"seat": "A", "place": "m2"}]
    table = Table(before(), PHASE, dice=(4,)).say("A", PASSAGE).say("A", attack(50))
    assert table.told("AT-9.3", "force")[0]["force"] == 3


@pytest.mark.parametrize("why", ["none", "conquered", "army", "crowd"])
def test_AT_9_2_it_must_attack_if_it_cannot_withdraw(why):
    state = before()
    if why == "none":
        state = state.army_changed("A", start=None)
    elif why == "conquered":
        state = state.taken("m2", "B")
    elif why == "army":
        state = owned(state.changed("B", army=army("m2")), "B", "m2")
    else:
        state = owned(state.changed("B", army=army("m2")), "B", "m2")
        seats = {**state.seats, "C": replace(state.seats["B"], code="C")}
        seats["C"] = replace(seats["C"], army=army("m2", attacked=True))
        state = agreed(replace(state, seats=seats), "passage", "B", "A", "m2")
    table = Table(state, PHASE, dice=(4,)).say("A", PASSAGE)
    assert table.refused("A", {"act": "withdraw"}).code == "answer.one_of"
    assert table.request.absent("A") == attack()


def test_AT_3_3_slaves_join_where_it_withdraws_to():
    state = before().changed(
        "A", waiting=(Waiting("slaves", 1, "m2", (slingers(20, 11, 11),)),), next_id=21
    )
    table = Table(state, PHASE, dice=(4,)).say("A", PASSAGE).say("A", {"act": "withdraw"})
    assert [u.id for u in table.war.army("A").units] == [1, 20]


# Assault (AT-9.3 to AT-9.5) ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("difference", "outcome", "loot", "modifier", "losses"),
    [
        (40, "taken", 200, 0, ""), (5, "taken", 200, 0, ""),
        (4, "taken", 100, 0, "D3"), (3, "taken", 100, 0, "D3"),
        (2, "undecided", 0, 1, "D3"), (1, "undecided", 0, 1, "D3"),
        (0, "undecided", 0, 0, "D3"),
        (-1, "undecided", 0, -1, "D3"), (-2, "undecided", 0, -1, "D3"),
        (-3, "beaten", 0, 0, "D6"), (-4, "beaten", 0, 0, "D6"),
        (-5, "crushed", 0, 0, "2D6"), (-40, "crushed", 0, 0, "2D6"),
    ],
)  # fmt: skip
def test_AT_9_5_the_table(difference, outcome, loot, modifier, losses):
    row = CONQUEST.row(difference)
    assert (row.outcome, row.loot, row.modifier, row.losses) == (outcome, loot, modifier, losses)


def strong(place: str = "e2", **more) -> War:
    """A with a force of 11 before a territory: four units of spearmen, two heroes, a general."""
    force = army(place, *[spearmen(n) for n in (1, 2, 3, 4)], start="m2", entered=1, **more)
    heroes = (general(ld=9), hero(7), hero(8))
    return war(A=replace(force, characters=heroes), B="a1")


def test_AT_9_5_taken_with_its_sum_its_loot_and_its_losses():
    # 11 + 1 for 50 loot = 12 against 6 + 1 (Euamon's capital is free) + 2 = 9: taken at 3.
    table = Table(strong(), PHASE, dice=(1, 1, 2)).say("A", attack(50))
    force = table.event("AT-9.3", "force")
    assert (force.data["force"], sum(m.amount for m in force.modifiers)) == (12, 12)
    result = table.event("AT-9.5", "taken")
    assert [(m.amount, m.reason) for m in result.modifiers] == [
        (6, "base"), (1, "capital_not_conquered"),
    ]  # fmt: skip
    table.say("A", {"unit.1": 0, "unit.2": 0, "unit.3": 0, "unit.4": 2})
    assert [u.figures for u in table.war.army("A").units] == [20, 20, 20, 18]
    assert table.war.owner("e2") == "A"
    assert table.war.loot("A") == 250 - 50 + 100
    assert table.told("AT-9.6", "loot")[0]["loot"] == 100
    assert table.told("AT-9.7", "taken") == [{"seat": "A", "place": "e2", "loser": ""}]
    assert table.war.army("A").attacked


def test_AT_2_3_what_an_army_counts_for_is_its_player_s_to_read_its_sum_everybody_s():
    table = Table(strong(), PHASE, dice=(1, 1, 2)).say("A", attack(50))
    counted, force = table.event("AT-1.5", "force"), table.event("AT-9.3", "force")
    assert counted.audience == ("A",)
    assert [m.amount for m in counted.modifiers] == [2, 2, 2, 2, 2, 1]
    assert force.audience is None
    assert [(m.amount, m.reason) for m in force.modifiers] == [(11, "combat_force"), (1, "bribe")]


def test_AT_9_5_undecided_rounds_change_the_attack_and_not_the_force_lost_on_the_way():
    # 11 against 7 + 5 = 12: -1, attack 10; against 7 + 3 = 10: 0; against 7 + 2 = 9: 1, attack 11;
    # against 7 + 2 = 9: 2, attack 12; against 7 + 2 = 9: 3, taken.
    dice = (2, 3, 3, 1, 2, 3, 1, 1, 3, 1, 1, 3, 1, 1, 3)
    table = Table(strong(), PHASE, dice=dice).say("A", attack())
    result = table.event("AT-9.5", "taken")
    assert (result.data["rounds"], result.data["figures"]) == (5, 15)
    assert [m.amount for m in result.modifiers if m.reason == "undecided"] == [-1, 1, 1]


def test_AT_9_5_beaten_it_must_leave_next_turn():
    state = owned(strong(), "B", "e1")
    state = state.army_changed("A", units=(spearmen(1),))  # 2 + 2 + 1 = 5
    # Euamon's capital is B's: 5 against 6 + 2 = 8: -3.
    table = Table(state, PHASE, dice=(1, 1, 5)).say("A", attack())
    assert table.told("AT-9.5", "beaten")
    table.silent()
    force = table.war.army("A")
    assert (force.duty, force.place) == (Duty("leave"), "e2")
    assert sum(u.figures for u in force.units) == 15
    assert table.war.owner("e2") is None


def test_AT_9_5_crushed_on_atlantean_land_2d6_figures():
    table = Table(before(), PHASE, dice=(6, 6, 6, 3)).say("A", attack())
    assert table.told("AT-9.5", "crushed")[0]["figures"] == 9
    table.silent()
    assert table.war.army("A").duty == Duty("crushed")
    assert sum(u.figures for u in table.war.army("A").units) == 11
    assert table.war.loot("A") == 250


@pytest.mark.parametrize(("loot", "left"), [(250, 200), (50, 0), (30, 0), (0, 0)])
def test_AT_9_5_crushed_on_a_players_land_one_die_and_fifty_loot_or_what_he_has(loot, left):
    state = owned(before(), "B", "e2").changed("A", loot=loot)
    table = Table(state, PHASE, dice=(6, 6, 4)).say("A", attack())
    assert table.told("AT-9.5", "crushed")[0]["figures"] == 4
    table.silent()
    assert table.war.loot("A") == left
    assert table.war.loot("B") == 250
    assert table.war.army("A").duty == Duty("crushed")


def test_AT_9_5_a_bribe_paid_first_may_leave_less_than_fifty():
    state = owned(before(), "B", "e2").changed("A", loot=80)
    table = Table(state, PHASE, dice=(6, 6, 4)).say("A", attack(50)).silent()
    assert table.war.loot("A") == 0


def test_AT_9_6_loot_is_never_the_defenders():
    state = owned(strong(), "B", "e2").changed("B", loot=70)
    # 11 + 2 against 6 + 2: B does not hold Euamon's capital.  Taken at 5.
    table = Table(state, PHASE, dice=(1, 1)).say("A", attack(100))
    assert table.told("AT-9.6", "loot")[0]["loot"] == 200
    assert (table.war.loot("A"), table.war.loot("B")) == (350, 70)


@pytest.mark.parametrize("figures", [2, 3])
def test_AT_9_5_an_army_without_figures_is_gone_and_the_conquest_fails(figures):
    few = army("e2", spearmen(1, figures, 20), lead=False, start="m2", entered=1)
    state = war(A=few, B="a1").changed("A", loot=1000)
    # 2 - 2 + 15 = 15 against 7 + 4 = 11: taken at 4, three figures lost of two or of three.
    table = Table(state, PHASE, dice=(2, 2, 3)).say("A", attack(750))
    assert table.war.army("A") is None
    (told,) = table.told("AT-9.5", "destroyed")
    assert (told["seat"], told["place"], told["paid"]) == ("A", "e2", False)
    assert not table.told("AT-9.5", "taken")
    assert table.war.owner("e2") is None
    assert table.war.loot("A") == 250  # nothing found
    assert table.war.row("A").conquest_result == "destroyed"


def test_AT_9_5_gone_and_crushed_he_still_loses_fifty():
    few = army("e2", spearmen(1, 1, 20), lead=False, start="m2", entered=1)
    table = Table(owned(war(A=few, B="a1"), "B", "e2"), PHASE, dice=(6, 6, 4)).say("A", attack())
    assert table.war.army("A") is None
    assert table.told("AT-9.5", "destroyed")[0]["paid"]
    assert table.war.loot("A") == 200


@pytest.mark.parametrize(("figures", "dice"), [(2, (5, 4, 2)), (3, (5, 4, 1, 5, 4, 2))])
def test_AT_9_5_an_undecided_assault_ends_with_the_last_figure(figures, dice):
    few = army("e2", spearmen(1, figures, 20), lead=False, start="m2", entered=1)
    state = owned(war(A=few, B="a1"), "B", "e2").changed("A", loot=1000)
    # 2 - 2 + 15 = 15 against 6 + 9 = 15: undecided, and nothing changes.
    table = Table(state, PHASE, dice=dice).say("A", attack(750))
    assert table.over  # no further die is wanted, none is left
    assert table.war.army("A") is None
    (told,) = table.told("AT-9.5", "destroyed")
    assert (told["rounds"], told["paid"]) == (len(dice) // 3, False)
    assert table.war.loot("A") == 250
    assert table.war.owner("e2") == "B"


def test_AT_9_5_a_large_army_is_counted_down_as_well():
    many = army("e2", spearmen(1, 40, 40), lead=False, start="m2", entered=1)
    state = owned(war(A=many, B="a1"), "B", "e2").changed("A", loot=1000)
    table = Table(state, PHASE, dice=(5, 4, 3) * 14).say("A", attack(750))  # 13 x 3 leave one
    assert table.over
    assert table.war.army("A") is None
    assert table.told("AT-9.5", "destroyed")[0]["rounds"] == 14


def test_AT_9_5_the_odds_of_a_large_army_leave_out_what_hardly_ever_happens():
    ground = ground_of(war(A=army("e2", start="m2")), "e2", "A")
    outcomes = law("AT-9.5", (ground.strength + 7, ground, 200)).outcomes
    assert outcomes == law("AT-9.5", (ground.strength + 7, ground)).outcomes
    exact = law("AT-9.5", (ground.strength + 7, ground, FEW))
    assert 0 < exact.p(lambda end: end.result == "destroyed") < Fraction(1, 4999)
    rules = rules_of("polemarque.systems.atlantide", "2026-11.2").key
    call = Call("AT-9.5", (ground.strength + 7, ground, 40))
    reckoner = Reckoner()
    first, last = outcomes[0].value, Assault("destroyed")
    taken, gone = (Decision("AT-9.5", "", rules, call, end, ()) for end in (first, last))
    assert reckoner.odds(taken).p == outcomes[0].p
    assert reckoner.odds(gone) is None


def test_AT_9_5_a_figure_that_is_left_goes_on():
    few = army("e2", spearmen(1, 3, 20), lead=False, start="m2", entered=1)
    state = war(A=few, B="a1").changed("A", loot=1000)
    table = Table(state, PHASE, dice=(4, 4, 2, 1, 1)).say("A", attack(750))
    (told,) = table.told("AT-9.5", "taken")
    assert (told["rounds"], told["figures"]) == (2, 2)


def test_AT_9_5_the_odds_of_a_small_army_know_that_it_may_be_destroyed():
    ground = ground_of(war(A=army("e2", start="m2")), "e2", "A")
    odds = law("AT-9.5", (ground.strength + 7, ground, 1))
    undecided = Fraction(4 + 5 + 6 + 5 + 4, 36)  # 5 to 9; any loss is the last figure
    assert odds.p(lambda end: end.result == "destroyed") == undecided
    assert odds.mean("rounds") == 1


def test_AT_3_2_figures_are_lost_by_the_owners_choice_and_told_to_nobody():
    table = Table(strong(), PHASE, dice=(1, 1, 2)).say("A", attack(50))
    assert table.request.rule == "AT-3.2"
    assert table.request.seats == ("A",)
    assert "unit.1" in table.request.absent("A")


# Whose land (AT-9.7) -----------------------------------------------------------------------------


def taken(state: War) -> War:
    """A takes e2 with all its loot and lucky dice."""
    table = Table(state, PHASE, dice=(1, 1)).say("A", attack(250))
    assert table.told("AT-9.5", "taken")
    return table.war


def test_AT_9_7_a_players_land_joins_the_colony_with_or_without_its_fortresses():
    state = owned(strong(), "B", "e2")
    state = state.with_land("e2", replace(state.lands["e2"], fortresses=2))
    for variant, left in (("stay", 2), ("razed", 0)):
        land = taken(chosen(state, fortress_capture=variant)).lands["e2"]
        assert (land.owner, land.fortresses) == ("A", left)


def test_AT_9_7_one_conquest_a_turn():
    assert Table(before(attacked=True), PHASE).refused("A", attack())


def test_AT_9_7_a_beaten_army_of_the_owner_does_not_hinder_and_its_start_closes():
    state = owned(strong(), "B", "e2")
    state = state.changed("B", army=army("e2", start="a1", duty=Duty("beaten")))
    state = state.changed("A", army=state.army("A"))
    after = taken(state)
    assert after.owner("e2") == "A"
    assert after.army("B").beaten


def test_AT_7_7_conquering_where_another_came_from_closes_his_way_back():
    state = strong().changed("B", army=army("e1", start="e2"))
    assert taken(state).army("B").start_closed


# Ground (AT-9.4) ---------------------------------------------------------------------------------


def test_AT_9_4_the_capital_counts_while_it_is_atlantean_under_attack_too():
    state = war(A="m2", B="a1")
    assert ground_of(state, "e2", "A").strength == 7
    assert ground_of(state, "e1", "A").strength == 8
    assert ground_of(owned(state, "A", "e1"), "e2", "A").strength == 6
    assert ground_of(state, "h1", "A").strength == 6 + 1 + 1 + 2 + 2
    assert ground_of(state, "h2", "A").strength == 6 + 1 + 2 + 2


@pytest.mark.parametrize(
    ("variant", "holder", "plus"),
    [("defender", "B", 1), ("defender", "A", 0), ("defender", "C", 0), ("defender", None, 0),
     ("attacker", "B", 1), ("attacker", "A", 0), ("attacker", "C", 1), ("attacker", None, 1)],
)  # fmt: skip
def test_AT_9_4_variants_of_the_capital_on_a_players_land(variant, holder, plus):
    state = owned(war(A="m2", B="a1", C=None), "B", "e2")
    state = chosen(owned(state, holder, "e1"), capital_bonus=variant)
    state = state.with_land("e2", replace(state.lands["e2"], fortresses=2))
    assert ground_of(state, "e2", "A").strength == 6 + plus + 2
