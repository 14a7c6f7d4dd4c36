"""Chapter AT-10, and the army that forms anew (AT-1.14, AT-1.6, AT-3.3)."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.systems.atlantide.state import Waiting, War
from polemarque.systems.atlantide.troops import Duty
from tests.systems.atlantide.field import Field
from tests.systems.atlantide.wars import (
    agreed,
    army,
    general,
    hero,
    owned,
    slingers,
    spearmen,
    war,
)

PHASE = ("AT-10/phase",)


def waiting(state: War, *waits: Waiting, seat: str = "A") -> War:
    return state.changed(seat, waiting=waits, next_id=30)


def bought(*units, place: str | None = None, **more) -> Waiting:
    return Waiting("bought", 1, place, tuple(units), **more)


# Arrival (AT-10.1) -------------------------------------------------------------------------------


def test_AT_10_1_reinforcements_arrive_where_their_player_has_wished_buyer_or_not():
    state = waiting(war(A="m2", B="a1"), bought(slingers(20)))
    field = Field(state, PHASE)
    assert field.request.seats == ("A", "B") and field.request.ask.wish
    assert field.refused("A", ("arrive.e2",)).code == "answer.several_of"
    field.say("A", ("arrive.m3",)).say("B", ("arrive.a2",))
    told = field.event("AT-10.1", "arrive")
    assert (told.data, told.audience) == ({"seat": "A", "place": "m3"}, ("A",))


def test_AT_10_1_without_a_wish_they_arrive_in_the_city_or_where_he_has_land():
    state = waiting(war(A="m2", B="a1"), bought(slingers(20)))
    field = Field(state, PHASE).silent()
    assert field.told("AT-10.1", "arrive")[0]["place"] == "m1"
    field = Field(owned(state, None, "m1", "m3"), PHASE).silent()
    assert field.told("AT-10.1", "arrive")[0]["place"] == "m2"


def test_AT_2_4_an_absent_players_units_arrive_in_his_royal_city():
    state = waiting(war(A="h1", B="a1").changed("A", absent=True), bought(slingers(20)))
    field = Field(state, PHASE).silent()
    assert field.told("AT-10.1", "arrive")[0]["place"] == "m1"
    lost = owned(state, None, "m1")
    assert Field(lost, PHASE).silent().told("AT-10.1", "arrive")[0]["place"] == "m2"


def test_AT_10_3_without_territory_nothing_arrives_until_he_has_one():
    state = waiting(war(A="e1", B="a1"), bought(slingers(20)))
    state = owned(state, None, "m1", "m2", "m3")
    field = Field(state, PHASE).silent()
    assert not field.told("AT-10.1")
    assert field.war.seats["A"].waiting == (bought(slingers(20)),)
    field = Field(owned(field.war, "A", "e1"), PHASE).silent()
    assert field.told("AT-10.1", "arrive")[0]["place"] == "e1"


# Joining (AT-10.2, AT-10.3) ----------------------------------------------------------------------


def test_AT_10_2_they_join_a_supplied_army_wherever_it_is():
    state = waiting(war(A="e2", B="a1"), bought(slingers(20), place="m1"))
    field = Field(state, ("AT-10.2", "A"))
    assert [u.id for u in field.war.army("A").units] == [1, 20]
    assert field.war.seats["A"].waiting == ()
    told = field.event("AT-10.2", "join")
    assert (told.data["figures"], told.audience) == (10, ("A",))


def test_AT_10_2_supply_is_looked_at_anew():
    # Cut off by B in m2, although the supply phase had found it supplied; and the other way round.
    state = waiting(war(A=army("e2", supplied=True), B="m2"), bought(slingers(20), place="m1"))
    field = Field(state, ("AT-10.2", "A"))
    assert field.event("AT-10.3", "wait").audience == ("A",)
    assert len(field.war.army("A").units) == 1
    freed = field.war.changed("B", army=army("m2", duty=Duty("beaten")))
    freed = freed.army_changed("A", supplied=False)
    assert len(Field(freed, ("AT-10.2", "A")).war.army("A").units) == 2


def test_AT_10_2_whoever_waited_joins_with_the_others():
    state = war(A="m2", B="a1")
    state = waiting(state, bought(slingers(20), place="m1"), bought(slingers(21), place="m3"))
    field = Field(state, ("AT-10.2", "A"))
    assert [u.id for u in field.war.army("A").units] == [1, 20, 21]


def test_AT_10_2_single_figures_fill_their_unit_and_what_is_too_many_makes_another():
    state = war(A=army("m2", spearmen(1, 15)), B="a1")
    state = waiting(state, bought(spearmen(1, 8), place="m1"))
    field = Field(state, ("AT-10.2", "A"))
    units = field.war.army("A").units
    assert [(u.id, u.figures) for u in units] == [(1, 20), (30, 3)]
    assert field.war.seats["A"].next_id == 31


def test_AT_10_3_if_their_territory_is_lost_they_go_to_another_if_none_they_are_lost():
    state = waiting(war(A="e2", B="m2"), bought(slingers(20), place="m3"))
    moved = state.taken("m3", "B")
    assert moved.seats["A"].waiting[0].place == "m1"
    lost = owned(state, "B", "m1", "m2").taken("m3", "B")
    assert lost.seats["A"].waiting == ()


# Warbands (AT-1.6) -------------------------------------------------------------------------------


def warband(number: int, figures: int = 20, die: int = 0):
    return spearmen(number, figures, warband="yes", die=die)


def test_AT_1_6_a_warband_rolls_when_it_enters_play_and_keeps_its_die():
    state = waiting(
        war(A=army("m2", warband(1, die=3)), B="a1"),
        bought(warband(20), warband(21), place="m1"),
    )
    field = Field(state, ("AT-10.2", "A"), dice=(1, 2))
    assert [u.die for u in field.war.army("A").units] == [3, 1, 2]
    assert field.event("AT-1.6", "rolled").audience == ("A",)


def test_AT_1_6_figures_for_a_warband_that_lives_share_its_die():
    state = war(A=army("m2", warband(1, 12, die=3)), B="a1")
    state = waiting(state, bought(warband(1, 5, die=3), place="m1"))
    field = Field(state, ("AT-10.2", "A"))
    assert [(u.figures, u.die) for u in field.war.army("A").units] == [(17, 3)]


def test_AT_1_6_figures_for_a_warband_that_has_died_are_a_new_one():
    state = waiting(war(A="m2", B="a1"), bought(warband(5, 5, die=3), place="m1"))
    field = Field(state, ("AT-10.2", "A"), dice=(1,))
    assert [u.die for u in field.war.army("A").units] == [0, 1]


def test_AT_1_6_what_comes_back_of_a_destroyed_army_keeps_its_die():
    state = waiting(war(A=None, B="a1"), Waiting("returned", 1, None, (warband(1, 8, die=3),)))
    field = Field(state, ("AT-1.14", "A"))
    assert field.over
    assert field.war.army("A").units[0].die == 3


# A new army (AT-1.14) ----------------------------------------------------------------------------


def test_AT_1_14_bought_units_form_an_army_in_the_royal_city_no_supply_asked():
    leader = bought(spearmen(20), place="m3", characters=(general(21),))
    state = waiting(war(A=None, B="m2"), leader)  # B cuts every road
    field = Field(state, ("AT-10.2", "A"))
    force = field.war.army("A")
    assert (force.place, force.general.id, force.start, force.entered) == ("m1", 21, None, 1)
    assert field.told("AT-1.14", "musters") == [{"seat": "A", "place": "m1"}]
    assert field.war.moves == 1


def test_AT_1_14_without_his_city_where_he_likes():
    state = owned(waiting(war(A=None, B="a1"), bought(spearmen(20), place="m2")), "B", "m1")
    field = Field(state, ("AT-10.2", "A"))
    assert field.refused("A", "m1").code == "answer.one_of"
    field.say("A", "m3")
    assert field.war.army("A").place == "m3"
    absent = state.changed("A", absent=True)
    assert Field(absent, ("AT-10.2", "A")).war.army("A").place == "m2"


def test_AT_1_14_where_an_enemy_stands_or_two_armies_are_they_wait():
    state = waiting(war(A=None, B="m1"), bought(spearmen(20), place="m2"))
    field = Field(state, ("AT-10.2", "A"))
    assert field.over
    assert field.war.army("A") is None
    assert field.war.seats["A"].waiting
    beaten = state.army_changed("B", duty=Duty("beaten"))
    field = Field(beaten, ("AT-10.2", "A"))
    assert field.war.army("A").place == "m1"
    assert field.war.army("A").entered > field.war.army("B").entered  # it came last
    pair = war(A=None, B=army("m1", duty=Duty("beaten")), C=army("m1", duty=Duty("beaten")))
    pair = waiting(pair, bought(spearmen(20), place="m2"))
    assert Field(pair, ("AT-10.2", "A")).war.army("A") is None


def test_AT_1_14_with_no_territory_left_they_are_lost():
    state = waiting(war(A=None, B="a1"), bought(spearmen(20)))
    state = owned(state, "B", "m1", "m2", "m3")
    field = Field(state, PHASE).silent()
    assert field.war.seats["A"].waiting == ()
    assert field.event("AT-1.14", "lost").audience == ("A",)
    over = Field(field.war, ("AT-1.10",))
    assert over.told("AT-1.12", "eliminated") == [{"seat": "A"}]


def test_AT_8_8_who_comes_back_forms_an_army_with_what_was_bought():
    back = Waiting("returned", 1, None, (spearmen(1, 5),), (hero(8),))
    state = waiting(war(A=None, B="a1"), bought(slingers(20), place="m3"), back)
    field = Field(state, ("AT-1.14", "A"))
    assert [(u.id, u.figures) for u in field.war.army("A").units] == [(20, 10), (1, 5)]
    assert [c.id for c in field.war.army("A").characters] == [8]


def test_AT_8_8_not_before_the_turn_after():
    back = Waiting("returned", 2, None, (spearmen(1, 5),))
    state = waiting(war(A=None, B="a1"), back)
    assert Field(state, ("AT-10.2", "A")).war.army("A") is None
    assert Field(replace(state, turn=2), ("AT-1.14", "A")).war.army("A").place == "m1"


def test_AT_8_8_who_comes_back_to_an_army_that_has_formed_meanwhile_joins_it_in_the_city():
    back = Waiting("returned", 1, None, (spearmen(1, 5),))
    state = waiting(war(A=army("m1", slingers(20)), B="a1"), back)
    assert len(Field(state, ("AT-1.14", "A")).war.army("A").units) == 2
    gone = waiting(war(A=army("m3", slingers(20)), B="a1"), back)
    assert len(Field(gone, ("AT-1.14", "A")).war.army("A").units) == 1
    assert len(Field(gone, ("AT-10.2", "A")).war.army("A").units) == 2  # phase 8, supplied


# Slaves (AT-3.3) ---------------------------------------------------------------------------------


def test_AT_3_3_slaves_form_no_army_but_join_one_that_forms_where_they_are():
    slaves = Waiting("slaves", 1, "m1", (slingers(20, 11, 11),))
    state = waiting(war(A=None, B="a1"), slaves)
    assert Field(state, ("AT-10.2", "A")).war.army("A") is None
    both = waiting(state, slaves, bought(spearmen(21), place="m3"))
    assert [u.id for u in Field(both, ("AT-10.2", "A")).war.army("A").units] == [21, 20]


def test_AT_3_3_they_do_not_wait_for_supply():
    state = war(A="m3", B="m2")  # cut off
    slaves = Waiting("slaves", 1, "m3", (slingers(20, 11, 11),))
    field = Field(waiting(state, slaves), ("AT-10.2", "A"))
    assert len(field.war.army("A").units) == 2


# Secrets (AT-2.3) --------------------------------------------------------------------------------


def test_AT_2_3_who_has_bought_is_not_told_by_what_is_asked():
    plain = war(A="m2", B="a1")
    buyer = waiting(plain, bought(slingers(20)))
    assert Field(plain, PHASE).seen_by("B") == Field(buyer, PHASE).seen_by("B")
    done = [Field(state, PHASE).silent().seen_by("B") for state in (plain, buyer)]
    assert done[0] == done[1]


def test_a_convoy_let_through_supplies_in_this_phase_too():
    state = waiting(war(A="e2", B="m2"), bought(slingers(20), place="m1"))
    assert not Field(state, ("AT-10.2", "A")).told("AT-10.2", "join")
    let = agreed(state, "supply", "B", "A", "m2", declared=1)
    assert Field(let, ("AT-10.2", "A")).told("AT-10.2", "join")


def test_AT_6_2_a_convoy_is_let_through_when_supply_is_looked_at_anew():
    state = waiting(war(A="e2", B="m2"), bought(slingers(20), place="m1"))
    state = replace(agreed(state, "supply", "B", "A", "m2"), talked=True)
    held = Field(state, PHASE).silent("A").say("B", ("hold.1",)).silent()
    assert not held.told("AT-6.2", "declared") and not held.told("AT-10.2", "join")
    let = Field(state, PHASE).silent().silent()
    assert let.told("AT-6.2", "declared") and let.told("AT-10.2", "join")
