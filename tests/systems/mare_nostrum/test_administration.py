"""The administrative phase (MN-F4, MN-F5, MN-6.13): maintenance, purchases, bands, events."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from polemarque.systems.mare_nostrum.caravans import TRADE, start_of, with_caravan
from polemarque.systems.mare_nostrum.chapters.acclamation import happiness_of
from polemarque.systems.mare_nostrum.chapters.administrative import buildable
from polemarque.systems.mare_nostrum.chapters.dice import EVENTS
from polemarque.systems.mare_nostrum.chapters.event_effects import WORKS
from polemarque.systems.mare_nostrum.pieces import Army, Band, Caravan, Siege
from polemarque.systems.mare_nostrum.reach import distance_of, dues
from polemarque.systems.mare_nostrum.tables import FIGURES, maintenance
from tests.systems.mare_nostrum.realms import caravan, fleet, owning, realm, rich, route, specialist
from tests.systems.mare_nostrum.stage import Stage

PHASE = ("MN-F5/phase",)
QUIET = (52, 52)
"""Two players' events that bring nothing."""


def event(campaign, *dice):
    return Stage(campaign, ("MN-F5/event", "A"), dice=dice)


# Maintenance -------------------------------------------------------------------------------------


@given(distance=st.integers(0, 40), siege=st.booleans())
def test_the_scale_never_falls_and_a_siege_always_costs_ten(distance, siege):
    here, beyond = maintenance(distance, siege), maintenance(distance + 1, siege)
    assert here.total <= beyond.total <= 30
    assert here.total == maintenance(distance, siege=False).total + 10 * siege


def test_an_army_at_its_base_costs_nothing():
    assert dues(realm(), "A") == ()


def test_an_army_in_campaign_is_paid_and_its_turns_are_counted():
    state = realm().army_changed("A1", place="dax")
    stage = Stage(state, PHASE, dice=QUIET).silent()
    assert stage.event("MN-F4", "paid").data["money"] == 10
    assert stage.campaign.seats["A"].treasury == 40
    assert stage.campaign.armies["A1"].away == 1
    assert stage.over


def test_back_at_its_base_the_count_begins_again():
    state = realm().army_changed("A1", away=5)
    assert Stage(state, PHASE, dice=QUIET).silent().campaign.armies["A1"].away == 0


def test_an_army_aboard_counts_from_the_zone_of_its_fleet():
    state = fleet(realm(), "A", "mid").army_changed("A1", place="AF7")
    assert distance_of(state, "A1") == 2
    assert distance_of(state, "AF7") == 0


def test_fleets_count_zones_only():
    assert distance_of(fleet(realm(), "A", "east", base="west"), "AF7") == 2


def test_a_siege_costs_ten_more():
    state = realm().army_changed("A1", place="faro").land_changed("faro", siege=Siege("A", 1))
    assert [due.cost.total for due in dues(state, "A")] == [20]


def test_unanswered_the_cheapest_units_are_paid_first():
    state = rich(realm(), A=12).army_changed("A1", place="corva")  # 2 away: 10
    state = fleet(state, "A", "east", base="west")  # 2 away: 10
    stage = Stage(state, PHASE, dice=QUIET).silent()
    assert stage.event("MN-F4", "paid").data["pieces"] == ["A1"]
    assert "AF7" not in stage.campaign.fleets
    assert stage.campaign.seats["A"].treasury == 2


def test_the_owner_names_which_units_are_paid():
    state = fleet(rich(realm(), A=12).army_changed("A1", place="corva"), "A", "east", base="west")
    stage = Stage(state, PHASE, dice=QUIET)
    assert stage.refused("A", upkeep_A1="pay", upkeep_AF7="pay").code == "answer.one_of"
    stage.say("A", upkeep_A1="disband", upkeep_AF7="pay").silent("B")
    assert "A1" not in stage.campaign.armies
    assert "AF7" in stage.campaign.fleets


def test_a_fleet_disbanded_at_sea_takes_its_army_with_it():
    state = fleet(rich(realm(), A=0), "A", "east", base="west").army_changed("A1", place="AF7")
    stage = Stage(state, PHASE, dice=QUIET).silent()
    assert not stage.campaign.fleets
    assert "A1" not in stage.campaign.armies


def test_a_sheet_holds_though_a_fleet_that_is_not_paid_has_taken_an_army_along():
    """B's army sinks with A's fleet, so that B owes less than he reckoned with: what he would not
    pay is disbanded all the same, for the money is spent.
    """
    state = fleet(rich(realm(rescue_fleet="any"), A=0, B=30), "A", "west", base="east")
    state = state.army_changed("B1", place="AF7")
    state = state.with_army(Army("B2", "B", "roman", "faro", "corva"))
    state = state.land_changed("corva", siege=Siege("B", 1))
    owed = {due.piece: due.cost.total for due in dues(state, "B")}
    assert sum(owed.values()) > 30 >= owed["B2"] and owed["B1"] + 20 <= 30
    stage = Stage(state, PHASE, dice=QUIET).silent("A")
    stage.say("B", upkeep_B1="pay", upkeep_B2="disband", caravans=0, priests=1, god_1="war")
    assert not stage.campaign.armies_of("B")
    assert stage.campaign.seats["B"].treasury == 30 - 20
    assert [one.god for one in stage.campaign.specialists_of("B")] == ["war"]


def test_the_specialists_of_a_disbanded_army_come_home():
    state = specialist(rich(realm(), A=0), "A", "engineer", joins="A1")
    state = state.army_changed("A1", place="dax")
    stage = Stage(state, PHASE, dice=QUIET).silent()
    assert stage.campaign.specialists["AS6"].place == "alba"


# Purchases ---------------------------------------------------------------------------------------


def test_special_troops_and_where_they_appear():
    stage = Stage(rich(realm(), A=200), PHASE, dice=QUIET)
    stage.say(
        "A", caravans=1, origin_1="alba", goods_1="wine", diplomat=1, engineer=1, priests=1,
        god_1="sea", sites=(),
    )  # fmt: skip
    stage.silent("B")
    state = stage.campaign
    assert state.seats["A"].treasury == 200 - 10 - 25 - 30 - 20
    (bought,) = state.caravans.values()
    assert (bought.resource, bought.origin, bought.place) == ("wine", "alba", "alba")
    kinds = [(one.kind, one.god, one.place) for one in state.specialists.values()]
    assert kinds == [("diplomat", "", "alba"), ("engineer", "", "alba"), ("priest", "sea", "alba")]


@pytest.mark.parametrize(("origin", "good"), [("alba", "wine"), ("dax", "iron")])
def test_goods_tell_of_the_destination_that_their_caravan_is_offered_first(origin, good):
    """Where there is a choice of them, and where the province has no other."""
    state = owning(route(rich(realm(), A=40), "A", "borea"), "A", origin)
    filling = Stage(state, PHASE, dice=QUIET).request.options("A").fill()
    offered, told = next(filling), {}
    while offered[0] != "diplomat":
        name, options = offered
        said = {"caravans": 1, "origin.1": origin, "goods.1": good}[name]
        told = options.fact and options.fact(said).data
        offered = filling.send(said)
    start = start_of(state, "A", origin)
    bought = with_caravan(state, Caravan("AC9", "A", good, origin, "", start))
    _, options = next(Stage(bought, ("MN-F3/orders",)).request.options("A").fill())
    facts = {place: fact for place in options.words if (fact := options.fact(place))}
    first = min(facts, key=lambda place: facts[place].rank)
    assert told["place"] == first
    for figure in ("steps", "turns", "mercenaries"):
        assert told[figure] == facts[first].data[figure]
    assert told["opens"].call == facts[first].data["opens"].call


def test_a_priest_tells_what_his_god_is_good_for():
    filling = Stage(rich(realm(), A=40), PHASE, dice=QUIET).request.options("A").fill()
    name, options = next(filling)
    while name != "god.1":
        name, options = filling.send(1 if name == "priests" else options.quiet())
    keys = {god: options.fact(god).key for god in options.words}
    assert keys.pop("war") == "god_war" and keys.pop("commerce") == "god_commerce"
    assert {*keys.values()} == {"god_idle"}, "no rule gives the others anything to do"
    assert options.fact("war").data == {"least": -FIGURES.war_priest}
    assert options.fact("commerce").data == {"more": TRADE.commerce_priest}


@pytest.mark.parametrize("there", [(), ("temple:sea",), ("temple:war",), ("temple:war", "school")])
def test_MN_F7_a_temple_tells_what_it_really_adds_to_happiness(there):
    """Beside temples of the realm, and beside those that the same sheet builds."""
    state = rich(owning(realm(), "A", "borea", "dax"), A=500)
    state = state.land_changed("borea", improvements=there)
    filling = Stage(state, PHASE, dice=QUIET).request.options("A").fill()
    name, options = next(filling)
    answers = {"sites": ("alba", "dax"), "build.alba": "temple", "build.dax": "temple"}
    while name != "temple.alba":
        if name == "build.alba":
            due = "" if "temple:war" in there else "war"
            assert options.fact("temple").data["god"] == due
        name, options = filling.send(answers.get(name, options.quiet()))
    for place in ("alba", "dax"):
        assert name == f"temple.{place}"
        old = happiness_of(state, "A").total
        for god in options.words:
            built = (*state.lands[place].improvements, f"temple:{god}")
            new = happiness_of(state.land_changed(place, improvements=built), "A").total
            assert options.fact(god).data["happiness"] == new - old
        if place == "alba":
            improvements = (*state.lands["alba"].improvements, "temple:war")
            state = state.land_changed("alba", improvements=improvements)
            name, options = filling.send("war")
            while name != "temple.dax":
                name, options = filling.send(answers.get(name, options.quiet()))


def test_nothing_beyond_the_treasury_can_be_bought():
    stage = Stage(rich(realm(), A=30), PHASE, dice=QUIET)
    assert stage.refused("A", caravans=4).code == "answer.amount"
    refused = stage.refused("A", caravans=1, origin_1="alba", goods_1="wine", diplomat=1, priests=0)
    assert refused.code == "answer.part_unknown"


def test_improvements_one_a_province_and_turn():
    state = rich(owning(realm(), "A", "borea"), A=200)
    stage = Stage(state, PHASE, dice=QUIET)
    stage.say(
        "A", caravans=0, diplomat=0, engineer=0, priests=0, sites=("alba", "borea"),
        build_alba="temple", temple_alba="war", build_borea="arsenal",
    )  # fmt: skip
    stage.silent("B")
    lands = stage.campaign.lands
    assert "temple:war" in lands["alba"].improvements
    assert lands["borea"].improvements == ("arsenal",)
    assert stage.campaign.seats["A"].treasury == 200 - 30 - 60


def test_what_can_be_built_where():
    state = owning(realm(), "A", "dax")
    assert "arsenal" not in buildable(state, "dax", 1000)  # no port
    assert "arsenal" not in buildable(state, "alba", 1000)  # has one
    assert buildable(state, "dax", 35) == ("temple", "school")
    every = tuple(f"temple:{god}" for god in ("war", "commerce", "wisdom", "sea", "harvest"))
    state = state.land_changed("dax", improvements=(*every, "temple:arts", "temple:sky"))
    assert "temple" not in buildable(state, "dax", 1000)


def test_nothing_is_built_under_siege():
    state = rich(realm(), A=500).land_changed("alba", siege=Siege("B", 1))
    stage = Stage(state, PHASE, dice=QUIET)
    assert stage.refused("A", diplomat=0, engineer=0, priests=0, sites=()).code


def test_a_government_may_return_to_its_first_city():
    state = owning(rich(realm(), A=0), "A", "borea").changed("A", home="borea")
    stage = Stage(state, PHASE, dice=QUIET).say("A", government="yes").silent()
    assert stage.campaign.seats["A"].home == "alba"


# Bands -------------------------------------------------------------------------------------------


def test_a_band_moves_at_random_and_keeps_to_its_element():
    state = replace(realm(), bands={"b1": Band("b1", "brigands", "borea")})
    assert Stage(state, ("MN-F5/band", "b1"), dice=(3,)).campaign.bands["b1"].place == "dax"
    state = replace(realm(), bands={"b1": Band("b1", "pirates", "west")})
    assert Stage(state, ("MN-F5/band", "b1")).campaign.bands["b1"].place == "mid"


def test_an_intercepted_band_stays_once():
    state = replace(realm(), bands={"b1": Band("b1", "brigands", "borea", still=True)})
    stage = Stage(state, ("MN-F5/band", "b1"))
    assert stage.campaign.bands["b1"] == Band("b1", "brigands", "borea")


def test_a_band_on_an_island_stays():
    state = replace(realm(), bands={"b1": Band("b1", "brigands", "ilva")})
    assert Stage(state, ("MN-F5/band", "b1")).campaign == state


# Events ------------------------------------------------------------------------------------------


def test_the_table_has_at_least_25_events_over_1_to_100_and_every_effect_works():
    assert EVENTS.span == (1, 100)
    rows = [band.row for band in EVENTS.bands]
    assert len({row.event for row in rows}) >= 25
    assert {row.effect for row in rows} == set(WORKS)


@pytest.mark.parametrize("die", range(1, 101))
def test_every_event_leaves_a_sound_campaign_rich_or_poor(die):
    poor = rich(realm(), A=0)
    full = rich(owning(realm(), "A", "borea", "ilva"), A=100)
    full = fleet(caravan(route(full, "A", "dax"), "A", "west", "ilva"), "A", "west")
    for state in (poor, full):
        dice = (die, *(3,) * EVENTS.row(die).dice)
        target = Stage(state, ("MN-F5/event", "A"), dice=(*dice, 1, 1))
        after = target.campaign
        assert after.seats["A"].treasury >= 0
        assert set(after.armies) <= set(state.armies)
        (told,) = target.told("MN-F5")
        assert told["seat"] == "A"


def test_money_events_are_told_with_what_they_change():
    assert event(realm(), 86).campaign.seats["A"].treasury == 70
    lost = event(rich(realm(), A=3), 39, 6, 6)
    assert lost.campaign.seats["A"].treasury == 0
    assert lost.told("MN-F5", "embezzlement")[0]["amount"] == 3


def test_a_drought_is_felt_at_the_next_market():
    stage = event(realm(), 10)
    assert stage.campaign.lands["alba"].taxed_off


def test_no_harvest_is_sold_under_siege():
    campaign = owning(realm("AB", turn=3), "A", "gaza")
    for place, sold in (("alba", "gaza"), ("gaza", "alba")):
        besieged = campaign.army_changed("B1", place=place).besieged(place, "B")
        stage = Stage(besieged, ("MN-F5/event", "A"), dice=(71,))
        assert stage.event("MN-F5", "harvest").data["place"] == sold
    alone = realm("AB", turn=3).army_changed("B1", place="alba").besieged("alba", "B")
    stage = Stage(alone, ("MN-F5/event", "A"), dice=(71,))
    assert stage.event("MN-F5", "harvest").data["amount"] == 0
    assert stage.campaign.seats["A"].treasury == 50


def test_plague_and_newcomers_change_the_demographic_factor_within_bounds():
    assert event(realm(), 2).campaign.demographic("alba") == 10
    state = event(realm().land_changed("alba", people=7), 90).campaign  # 19 and 2
    assert state.demographic("alba") == 20
    assert event(state, 2).campaign.demographic("alba") == 18


def test_a_storm_sinks_a_fleet_with_its_army_on_a_low_die():
    state = fleet(realm(), "A", "west").army_changed("A1", place="AF7")
    assert event(state, 19, 3).campaign.fleets
    sunk = event(state, 19, 2).campaign
    assert not sunk.fleets
    assert "A1" not in sunk.armies


def test_a_fire_destroys_one_improvement():
    stage = event(realm(), 7, 2)  # alba has an arsenal and a fortress
    assert stage.campaign.lands["alba"].improvements == ("arsenal",)
    assert stage.told("MN-F5", "fire")[0]["what"] == "fortress"


def test_bands_appear_with_or_without_a_master():
    (band,) = event(realm(), 33).campaign.bands.values()
    assert (band.kind, band.place, band.owner) == ("pirates", "west", "")
    (band,) = event(realm(), 100).campaign.bands.values()
    assert (band.kind, band.place, band.owner) == ("brigands", "borea", "A")


def test_a_manhunt_finds_a_band_on_his_land_or_coasts_but_his_own():
    bands = {n: Band(n, "pirates", "west", o) for n, o in (("b1", "A"), ("b2", ""))}
    bands["b3"] = Band("b3", "pirates", "east")
    stage = event(replace(realm(), bands=bands), 35)
    assert set(stage.campaign.bands) == {"b1", "b3"}


def test_those_who_come_to_serve():
    state = event(realm(), 97, 2).campaign
    assert state.seats["A"].mercenaries == ("balearic_slingers",)
    (priest,) = event(realm(), 95).campaign.specialists.values()
    assert (priest.kind, priest.god) == ("priest", "war")


# Absent players ----------------------------------------------------------------------------------


def test_an_absent_player_is_not_asked_and_pays_the_cheapest_first():
    state = rich(realm(), A=12).army_changed("A1", place="corva").changed("A", absent=True)
    state = fleet(state, "A", "east", base="west")
    stage = Stage(state, PHASE, dice=QUIET)
    assert stage.request.missing == ("B",)
    stage.silent()
    assert stage.event("MN-F4", "paid").data["pieces"] == ["A1"]
    assert not stage.campaign.fleets


def test_his_caravans_go_on():
    state = caravan(realm(), "A", "borea", "corva").changed("A", absent=True)
    assert Stage(state, ("MN-F3/orders",), dice=(100,)).campaign.caravans["AC9"].place == "corva"
