"""The commercial phase (MN-F2, MN-F3, MN-3.1, MN-3.2, MN-8.2, MN-9.2)."""

from __future__ import annotations

from fractions import Fraction

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from polemarque.api.texts import texts_in
from polemarque.systems.mare_nostrum.caravans import (
    NEVER,
    TRADE,
    Welcome,
    closed_zones,
    destinations,
    market,
    next_step,
    opening_turns,
    sources,
    threshold,
    welcome,
)
from polemarque.systems.mare_nostrum.chapters.commercial import route_pays
from polemarque.systems.mare_nostrum.pieces import Band, Fleet, Siege
from polemarque.systems.mare_nostrum.tables import CULTURES, DATA, RESOURCES
from tests.systems.mare_nostrum.realms import (
    at_war,
    caravan,
    fleet,
    owning,
    realm,
    rich,
    route,
    specialist,
    treaty,
)
from tests.systems.mare_nostrum.stage import Stage

PHASE = ("MN-F2/phase",)
BESIEGED = Siege("B", 1)
TEXTS = texts_in(DATA)


# Figures -----------------------------------------------------------------------------------------


FLAGS = ("already", "war_with_ally", "at_war", "own", "treaty", "republic", "commerce_priest")


@given(
    base=st.integers(-50, 150),
    flags=st.fixed_dictionaries({name: st.booleans() for name in FLAGS}),
    racial=st.integers(-30, 30),
)
def test_a_threshold_is_the_sum_of_all_that_applies(base, flags, racial):
    expected = base + racial + sum(getattr(TRADE, name) for name, on in flags.items() if on)
    assert threshold(base, Welcome(**flags, racial=racial)).total == expected


def test_racial_factors_are_the_same_both_ways_and_within_bounds():
    assert CULTURES.rows == CULTURES.columns
    for one in CULTURES.rows:
        for other in CULTURES.columns:
            factor = CULTURES.cell(one, other)
            assert factor == CULTURES.cell(other, one)
            assert -TRADE.racial <= factor <= TRADE.racial


def test_a_market_counts_a_good_as_often_as_it_stands():
    assert market(("wheat", "wheat")).total == 2 * RESOURCES["wheat"].value


@pytest.mark.parametrize(("steps", "percent"), [(0, 100), (1, 50), (3, 25), (2, 140)])
def test_the_turns_to_a_route_are_those_of_the_way_and_of_the_trials(steps, percent):
    p, left, mean = min(percent, 100) / 100, 1.0, 0.0
    for trial in range(2000):
        mean += left * p * (max(steps, 1) + trial)
        left *= 1 - p
    assert float(opening_turns(steps, percent)) == pytest.approx(mean)
    assert opening_turns(steps, 0) is None


def test_destinations_stand_by_the_turns_that_their_route_takes_and_by_whose_they_are():
    state = at_war(owning(caravan(realm(), "A", "alba"), "A", "borea"), "A", "B")
    part, options = next(Stage(state, PHASE).request.options("A").fill())
    facts = {place: options.fact(place) for place in options.words if place != "stay"}
    assert part == "to.AC9" and options.fact("stay") is None
    assert facts["borea"].group == "mine"
    assert {fact.group for place, fact in facts.items() if place != "borea"} <= {"near", "far"}
    for place, fact in facts.items():
        tried = fact.data["opens"].call.args
        needed = threshold(*tried).total
        turns = opening_turns(state.atlas.distance("alba", place), needed)
        assert abs(fact.data["turns"] - (turns or 0)) <= Fraction(1, 2)
        assert (turns or 0) + Fraction(1, 2) != fact.data["turns"] + 1, "a half counts as more"
        assert fact.rank == (NEVER if turns is None else turns)


@pytest.mark.parametrize(
    ("goal", "fr", "en"),
    [
        ("stay", "AC9 n'a pas d'ordre.", "AC9 has no order."),
        (
            "borea",
            "AC9 est déjà à destination et y tente d'ouvrir la route.",
            "AC9 is already there and tries to open the route.",
        ),
        ("ilva", "", ""),
    ],
)
def test_a_caravan_without_an_order_or_at_its_goal_is_named_before_sealing(goal, fr, en):
    sheet = Stage(caravan(realm(), "A", "borea"), PHASE).request.options("A")
    told = [*sheet.remarks({"to.AC9": goal})]
    texts = TEXTS.naming({"order": {"AC9": "AC9"}})
    for lang, wanted in (("fr", fr), ("en", en)):
        said = [texts.say(lang, f"fact.{one.key}", **one.data) for one in told]
        said = [one.translate({0x202F: " ", 0xA0: " ", 0x2019: "'"}) for one in said]
        assert said == ([wanted] if wanted else [])


# Local markets -----------------------------------------------------------------------------------


def test_every_market_pays_its_owner():
    stage = Stage(owning(realm(), "A", "dax"), PHASE)
    assert stage.campaign.seats["A"].treasury == 50 + 3 + 4 + 4  # wheat, wine; iron
    assert stage.campaign.seats["B"].treasury == 50 + 3
    assert stage.over


@pytest.mark.parametrize(
    "marks", [{"siege": BESIEGED}, {"pillaged": True}, {"taxed_off": True}]
)  # fmt: skip
def test_a_market_closed_by_the_war_pays_nothing(marks):
    stage = Stage(realm().land_changed("alba", **marks), PHASE)
    assert stage.campaign.seats["A"].treasury == 50
    assert stage.told("MN-F2")[0]["shut"] == ["alba"]


def test_marks_come_off_when_they_have_been_felt_but_a_siege_stays():
    before = realm().land_changed("alba", pillaged=True, taxed_off=True, cut=True, siege=BESIEGED)
    after = Stage(before, PHASE).campaign.lands["alba"]
    assert not after.marked
    assert after.siege == BESIEGED


# Routes ------------------------------------------------------------------------------------------


def test_a_route_pays_every_turn():
    stage = Stage(route(realm(), "A", "borea"), PHASE)
    assert stage.campaign.seats["A"].treasury == 50 + 7 + RESOURCES["wine"].value


@pytest.mark.parametrize("marks", [{"siege": BESIEGED}, {"cut": True}])
def test_a_route_from_a_besieged_or_cut_province_pays_nothing(marks):
    state = route(realm(), "A", "borea").land_changed("alba", **marks)
    assert not route_pays(state, state.routes["AR8"])
    stage = Stage(state, PHASE)
    assert stage.told("MN-F3", "routes")[0] == {"seat": "A", "money": 0, "cut": ["alba"]}


def test_a_pillaged_province_keeps_its_routes():
    state = route(realm(), "A", "borea").land_changed("alba", pillaged=True)
    assert route_pays(state, state.routes["AR8"])


def test_a_route_whose_source_is_lost_closes():
    state = route(realm(), "A", "borea", "timber", origin="corva")
    stage = Stage(state, PHASE)
    assert not stage.campaign.routes
    assert stage.event("MN-F3", "closed").data["origin"] == "corva"


def test_a_commercial_treaty_keeps_the_source_open():
    state = route(realm("ABC"), "A", "borea", origin="corva")
    state = treaty(state, "commercial", "A", "C")
    assert Stage(state, PHASE).campaign.routes


# Caravans ----------------------------------------------------------------------------------------


def test_a_caravan_goes_one_place_a_turn():
    stage = Stage(caravan(realm(), "A", "alba"), PHASE).say("A", to_AC9="corva")
    assert stage.campaign.caravans["AC9"].place == "borea"
    assert stage.over


def test_it_opens_a_route_on_its_threshold_and_is_used_up():
    # wine 65, republic +5, Latin among Celts -20
    stage = Stage(caravan(realm(), "A", "alba"), PHASE, dice=(50,)).say("A", to_AC9="borea")
    opened = stage.event("MN-F3", "opened")
    assert opened.data["threshold"] == 50
    assert opened.data["money"] == 4
    assert not stage.campaign.caravans
    assert [r.destination for r in stage.campaign.routes.values()] == ["borea"]
    assert stage.campaign.seats["A"].treasury == 50 + 7 + 4
    assert stage.campaign.seats["A"].year.routes == 1
    assert stage.over


def test_above_the_threshold_it_waits_and_may_try_again():
    stage = Stage(caravan(realm(), "A", "alba"), PHASE, dice=(51,)).say("A", to_AC9="borea")
    waiting = stage.campaign.caravans["AC9"]
    assert (waiting.place, waiting.destination) == ("borea", "borea")
    again = Stage(stage.campaign, PHASE, dice=(1,)).silent("A")
    assert again.campaign.routes


def test_its_own_origin_is_no_destination():
    state = caravan(realm(), "A", "alba")
    assert "alba" not in destinations(state, state.caravans["AC9"])


def test_a_caravan_that_is_told_to_stay_stays():
    stage = Stage(caravan(realm(), "A", "borea", "corva"), PHASE).say("A", to_AC9="stay")
    assert stage.campaign.caravans["AC9"].place == "borea"
    assert stage.campaign.caravans["AC9"].destination == ""


def test_a_caravan_that_waits_opens_no_route_even_where_it_was_sent():
    stage = Stage(caravan(realm(), "A", "borea", "borea"), PHASE).say("A", to_AC9="stay")
    assert stage.over and stage.told("MN-F3") == []
    assert [TEXTS.say(lang, "place.stay") for lang in ("fr", "en")] == [
        "attendre sans ouvrir de route", "wait without opening a route",
    ]  # fmt: skip


def test_MN_8_2_a_destination_behind_a_foreign_fleet_is_told_as_such_and_comes_last():
    """An island of the zone that the fleet holds; round the zone the way is longer."""
    state = fleet(caravan(realm("ABC"), "B", "faro"), "C", "west")
    facts = _offered(state, "B")
    assert not any(fact.data["shut"] for fact in facts.values())
    assert facts["alba"].data["steps"] == 4 > state.atlas.distance("faro", "alba")

    behind = fleet(caravan(realm(), "A", "alba"), "B", "mid")
    facts = _offered(behind, "A")
    assert [place for place, fact in facts.items() if fact.data["shut"]] == ["ilva"]
    assert facts["ilva"].rank == NEVER and facts["ilva"].data["turns"] == 0
    told = facts["ilva"].data | {"opens": 70, "mercenaries": ""}
    assert "mer fermée par une flotte" in TEXTS.say("fr", "fact.steps", **told)
    let = behind.changed("B", lets_pass=("A",))
    assert not _offered(let, "A")["ilva"].data["shut"]


def _offered(state, seat):
    """Destinations of a seat's only caravan, with what is told of each."""
    _, options = next(Stage(state, PHASE).request.options(seat).fill())
    return {place: fact for place in options.words if (fact := options.fact(place))}


def test_an_enemy_fleet_closes_its_zone_to_caravans():
    state = fleet(caravan(realm(), "A", "west", "ilva"), "B", "mid")
    assert closed_zones(state, "A") == ("mid",)
    assert closed_zones(state, "B") == ()
    assert next_step(state, state.caravans["AC9"]) == ""
    told = Stage(state, ("MN-F3/caravans", ("AC9",))).event("MN-8.2", "no_way")
    assert told.data["place"] == "west"


def test_a_fleet_lets_through_whom_its_owner_names():
    state = fleet(caravan(realm(), "A", "west", "ilva"), "B", "mid").changed("B", lets_pass=("A",))
    assert next_step(state, state.caravans["AC9"]) == "mid"


def test_a_caravan_goes_round_a_closed_zone():
    state = caravan(realm("ABC"), "B", "faro", "borea")
    eastward = next_step(fleet(state, "C", "west"), state.caravans["BC9"])
    westward = next_step(fleet(state, "C", "mid"), state.caravans["BC9"])
    assert (eastward, westward) == ("gaza", "west")


@given(st.data())
def test_a_caravan_takes_a_shortest_way_that_no_fleet_closes(data):
    atlas = realm().atlas
    start = data.draw(st.sampled_from(atlas.ids))
    goal = data.draw(st.sampled_from([place for place in atlas.ids if place != start]))
    zones = data.draw(st.sets(st.sampled_from(tuple(atlas.zone_by_id))))
    fleets = {f"CF{zone}": Fleet(f"CF{zone}", "C", zone, zone) for zone in zones}
    state = replace(caravan(realm("ABC"), "B", start, goal), fleets=fleets)
    seas = nx.Graph((a, b) for a, near in atlas.around.items() for b in near)
    seas.remove_nodes_from(zones)
    step = next_step(state, state.caravans["BC9"])
    if not nx.has_path(seas, start, goal):
        assert step == ""
    else:
        rest = nx.shortest_path_length(seas, start, goal) - 1
        nearer = [
            near
            for near in atlas.around[start]
            if near in seas and nx.shortest_path_length(seas, near, goal) == rest
        ]
        assert step == nearer[0]


def test_bands_lie_in_wait_each_with_a_die():
    bands = {n: Band(n, "brigands", "borea") for n in ("b1", "b2")}
    leaving = replace(caravan(realm(), "A", "borea", "corva"), bands=bands)
    assert not Stage(leaving, ("MN-F3/caravans", ("AC9",)), dice=(100,)).told("MN-9.2")
    held = replace(caravan(realm(), "A", "borea"), bands=bands)
    assert Stage(held, ("MN-F3/caravans", ("AC9",)), dice=(4, 6)).campaign.caravans
    lost = Stage(held, ("MN-F3/caravans", ("AC9",)), dice=(4, 3))
    assert not lost.campaign.caravans
    assert lost.event("MN-9.2", "lost").data["place"] == "borea"


def test_each_caravan_rolls_before_the_next_one_sets_out():
    state = realm()
    for seat, number, goal in (("A", "AC1", "borea"), ("A", "AC2", ""), ("B", "BC3", "borea")):
        state = caravan(state, seat, "alba" if seat == "A" else "faro", goal)
        one = replace(state.caravans[f"{seat}C9"], id=number)
        state = replace(state, caravans={**state.caravans, number: one})
    state = replace(state, bands={"b1": Band("b1", "brigands", "alba")})
    numbers = ("AC1", "AC2", "BC3")
    stage = Stage(state, ("MN-F3/caravans", numbers), dice=(100, 6))
    told = [(event.kind, event.data.get("piece")) for event in stage.events]
    assert told == [("travels", "AC1"), ("fails", None), ("unharmed", "AC2"), ("travels", "BC3")]


def test_a_band_spares_nobody():
    state = replace(
        caravan(realm(), "A", "borea"), bands={"b1": Band("b1", "brigands", "borea", "A")}
    )
    assert not Stage(state, ("MN-F3/caravans", ("AC9",)), dice=(3,)).campaign.caravans


def test_a_priest_of_commerce_helps_and_comes_home():
    state = specialist(caravan(realm(), "A", "alba"), "A", "priest", god="commerce")
    stage = Stage(state, PHASE, dice=(60,)).say("A", to_AC9="borea", priest_AC9="yes")
    assert stage.event("MN-F3", "opened").data["threshold"] == 60
    priest = stage.campaign.specialists["AS6"]
    assert (priest.joins, priest.place) == ("", "alba")


def test_a_priest_is_lost_with_his_caravan():
    state = specialist(caravan(realm(), "A", "borea"), "A", "priest", god="commerce", joins="AC9")
    state = replace(state, bands={"b1": Band("b1", "brigands", "borea")})
    assert not Stage(state, ("MN-F3/caravans", ("AC9",)), dice=(1,)).campaign.specialists


@pytest.mark.parametrize(
    ("marks", "pays"),
    [({}, 4), ({"siege": BESIEGED}, 0), ({"cut": True}, 0), ({"owner": "B"}, 0),
     ({"pillaged": True}, 4)],
)  # fmt: skip
def test_MN_6_6_a_route_that_opens_pays_only_if_its_source_delivers(marks, pays):
    state = caravan(realm(), "A", "borea", "borea").land_changed("alba", **marks)
    stage = Stage(state, ("MN-F3/caravans", ("AC9",)), dice=(1,))
    assert stage.event("MN-F3", "opened").data["money"] == pays
    assert stage.campaign.seats["A"].treasury == 50 + pays
    assert len(stage.campaign.routes) == 1 and not stage.campaign.caravans


# How it is received ------------------------------------------------------------------------------


def received(state):
    return welcome(state, state.caravans["AC9"])


def test_already_received():
    state = route(caravan(realm(), "A", "alba", "borea"), "B", "borea")
    assert received(state).already
    assert not received(route(caravan(realm(), "A", "alba", "borea"), "B", "borea", "iron")).already


def test_war_with_the_owner_and_with_his_ally():
    state = owning(caravan(realm("ABC"), "A", "alba", "borea"), "B", "borea")
    assert received(at_war(state, "A", "B")).at_war
    allied = treaty(at_war(state, "A", "C"), "alliance", "B", "C")
    assert received(allied).war_with_ally
    assert not received(allied).at_war
    assert not received(treaty(at_war(state, "A", "C"), "non_aggression", "B", "C")).war_with_ally
    both = at_war(allied, "A", "B")
    assert (received(both).at_war, received(both).war_with_ally) == (True, True)


def test_own_land_and_treaties():
    state = caravan(realm(), "A", "alba", "borea")
    assert received(owning(state, "A", "borea")).own
    assert received(treaty(state, "commercial", "borea", "A")).treaty
    bought = owning(treaty(state, "commercial", "A", "B"), "B", "borea")
    assert received(bought).treaty
    assert not received(owning(treaty(state, "commercial", "borea", "A"), "B", "borea")).treaty


def test_goods_of_partners_and_free_cities_can_be_loaded():
    state = realm("ABC")
    assert sources(state, "A") == ("alba",)
    assert sources(treaty(state, "commercial", "C", "A"), "A") == ("alba", "corva")
    assert sources(treaty(state, "commercial", "dax", "A"), "A") == ("alba", "dax")
    assert sources(state.land_changed("alba", siege=BESIEGED), "A") == ()


# Mercenaries -------------------------------------------------------------------------------------


def test_whoever_hires_cashes_nothing_and_has_the_route():
    stage = Stage(caravan(realm(), "A", "borea"), PHASE, dice=(1,))
    stage.say("A", to_AC9="dax", deal_AC9="hire")
    assert stage.campaign.seats["A"].mercenaries == ("celts",)
    assert stage.campaign.seats["A"].treasury == 50 + 7
    assert len(stage.campaign.routes) == 1
    assert stage.over


def test_nobody_is_asked_about_mercenaries_where_there_are_none():
    stage = Stage(caravan(realm(), "A", "alba"), PHASE)
    refused = stage.refused("A", to_AC9="borea", deal_AC9="hire")
    assert refused.code == "answer.part_unknown"


def test_by_default_a_route_hires_only_once():
    stage = Stage(route(realm(), "A", "dax"), PHASE)
    assert stage.over
    assert stage.campaign.seats["A"].treasury == 50 + 7 + 4


def test_by_the_variant_it_may_hire_each_turn():
    stage = Stage(route(realm(hire="each_turn"), "A", "dax"), PHASE).say("A", route_AR8="hire")
    assert stage.campaign.seats["A"].mercenaries == ("celts",)
    assert stage.campaign.seats["A"].treasury == 50 + 7
    sold = Stage(route(realm(hire="each_turn"), "A", "dax"), PHASE).silent()
    assert sold.campaign.seats["A"].treasury == 50 + 7 + 4


def test_a_cut_route_hires_nobody():
    state = route(realm(hire="each_turn"), "A", "dax").land_changed("alba", cut=True)
    assert Stage(state, PHASE).over


def test_mercenaries_in_garrison_are_without_limit():
    state = realm().changed("A", mercenaries=("celts",) * 40)
    stage = Stage(caravan(rich(state, A=0), "A", "borea"), PHASE, dice=(1,))
    stage.say("A", to_AC9="dax", deal_AC9="hire")
    assert len(stage.campaign.seats["A"].mercenaries) == 41
