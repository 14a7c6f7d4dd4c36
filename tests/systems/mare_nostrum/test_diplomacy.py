"""The diplomatic phase (MN-F6) and the treaties it makes (MN-4.4)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from msgspec.structs import replace

from polemarque.kernel.agenda import rules_of
from polemarque.odds.beside_options import exact
from polemarque.odds.consult import consult_odds
from polemarque.systems.mare_nostrum import SYSTEM
from polemarque.systems.mare_nostrum.chapters.diplomacy import in_force, may_write
from polemarque.systems.mare_nostrum.pieces import Siege
from tests.systems.mare_nostrum.realms import at_war, fleet, owning, realm, rich, specialist, treaty
from tests.systems.mare_nostrum.stage import Stage

PHASE = ("MN-F6/phase",)


def embassy(campaign=None, aim="alliance", to="B"):
    """A sends its one diplomat."""
    state = specialist(campaign or realm("ABC"), "A", "diplomat")
    return Stage(state, PHASE).say("A", missions=1, host_1="seat", seat_1=to, request_1=aim)


RULES = rules_of(SYSTEM.package, SYSTEM.edition)


def city(*dice, aim="commercial", to="dax", campaign=None):
    """A sends its one diplomat to a free city."""
    state = specialist(campaign or realm(), "A", "diplomat")
    stage = Stage(state, PHASE, dice=dice)
    return stage.say("A", missions=1, host_1="city", city_1=to, request_1=aim)


def test_nobody_is_asked_who_has_nothing_to_say():
    assert Stage(realm(), PHASE).over


def test_a_mission_needs_a_diplomat_and_thirty_po():
    assert Stage(specialist(rich(realm(), A=29), "A", "diplomat"), PHASE).over
    assert embassy().campaign.seats["A"].treasury == 20


def test_received_and_agreed():
    stage = embassy().say("B", envoy_A="agree")
    assert stage.campaign.allies("A", "B")
    assert stage.campaign.specialists["AS6"].place == "alba"
    assert stage.over


def test_the_nearest_city_comes_first_and_what_it_grants_tells_its_chance():
    stage = Stage(specialist(realm(), "A", "diplomat"), PHASE)
    filling = stage.request.options("A").fill()
    part, options = next(filling)
    cities = aims = None
    while aims is None:
        said = {"missions": 1, "host.1": "city", "city.1": "dax"}.get(part, options.quiet())
        part, options = filling.send(said)
        cities = options if part == "city.1" else cities
        aims = options if part == "request.1" else aims
    ranks = {place: cities.fact(place).rank for place in cities.words}
    assert ranks == {place: realm().atlas.distance("alba", place) for place in cities.words}
    for aim in aims.words:
        outcomes = consult_odds("MN-F6", {"mission": aim}).outcomes
        granted = sum(Fraction(each.p) for each in outcomes if each.result["success"])
        assert exact(aims.fact(aim).data["chance"], RULES) == granted > 0


@pytest.mark.parametrize("said", ["decline", "send_back"])
def test_declined_or_sent_back_the_envoy_comes_home(said):
    stage = embassy().say("B", envoy_A=said)
    assert not stage.campaign.treaties
    assert "AS6" in stage.campaign.specialists


def test_executed():
    assert not embassy().say("B", envoy_A="execute").campaign.specialists


def test_held_to_ransom_and_paid():
    stage = embassy(rich(realm("ABC"), A=70))
    assert stage.refused("B", envoy_A="ransom", price_A=51).code == "answer.amount"
    stage.say("B", envoy_A="ransom", price_A=40).say("A", captive_B="pay")
    assert (stage.campaign.seats["A"].treasury, stage.campaign.seats["B"].treasury) == (0, 90)
    assert "AS6" in stage.campaign.specialists
    assert stage.campaign.missions == ()


def test_a_ransom_beyond_the_treasury_cannot_be_paid():
    stage = embassy().say("B", envoy_A="ransom", price_A=21)
    assert stage.refused("A", captive_B="pay").code == "answer.one_of"
    assert not stage.silent().campaign.specialists


def test_an_absent_player_sends_envoys_back():
    assert embassy().silent("B").event("MN-F6", "sent_back").data["other"] == "A"


def test_any_treaty_ends_a_war():
    stage = embassy(at_war(realm("ABC"), "A", "B"), "passage").say("B", envoy_A="agree")
    assert not stage.campaign.at_war("A", "B")
    assert stage.campaign.passage("B", "A")
    assert not stage.campaign.passage("A", "B")


def test_envoys_who_cross_with_the_same_offer_make_one_treaty():
    state = specialist(specialist(realm(), "A", "diplomat"), "B", "diplomat")
    stage = Stage(state, PHASE)
    stage.say("A", missions=1, host_1="seat", seat_1="B", request_1="alliance")
    stage.say("B", missions=1, host_1="seat", seat_1="A", request_1="alliance")
    stage.say("A", envoy_B="agree").say("B", envoy_A="agree")
    assert len(stage.campaign.treaties) == 1


def test_what_is_in_force_cannot_be_asked_for_again():
    state = specialist(treaty(realm(), "alliance", "A", "B"), "A", "diplomat")
    stage = Stage(state, PHASE)
    refused = stage.refused(
        "A", denounce=(), missions=1, host_1="seat", seat_1="B", request_1="alliance"
    )
    assert refused.code == "answer.one_of"


def test_one_embassy_a_turn_to_the_same_host():
    state = specialist(specialist(rich(realm(), A=60), "A", "diplomat"), "A", "diplomat", number=5)
    stage = Stage(state, PHASE)
    refused = stage.refused(
        "A", missions=2, host_1="seat", seat_1="B", request_1="alliance", host_2="seat"
    )
    assert refused.code == "answer.one_of"


def test_denouncing():
    state = treaty(treaty(realm(), "alliance", "A", "B"), "commercial", "B", "A")
    stage = Stage(state, PHASE).say("A", denounce=("B",), denounced_B=("alliance",)).silent()
    assert [t.kind for t in stage.campaign.treaties] == ["commercial"]
    assert not stage.campaign.at_war("A", "B")


def test_both_may_denounce_at_once_and_it_is_told_once():
    stage = Stage(treaty(realm(), "alliance", "A", "B"), PHASE)
    stage.say("A", denounce=("B",)).say("B", denounce=("A",))
    assert len(stage.told("MN-F6", "denounced_seat")) == 1
    assert not stage.campaign.treaties


def test_fleets_let_caravans_through_until_their_owner_says_otherwise():
    stage = Stage(fleet(realm("ABC"), "A", "west"), PHASE).say("A", convoys=("C",))
    assert stage.campaign.seats["A"].lets_pass == ("C",)
    assert Stage(stage.campaign, PHASE).silent().campaign.seats["A"].lets_pass == ("C",)


# Free cities -------------------------------------------------------------------------------------


def test_a_city_grants_on_its_threshold():
    assert in_force(city(60).campaign, "commercial", "dax", "A")
    stage = city(61)
    assert not stage.campaign.treaties
    assert stage.event("MN-F6", "refused").data["threshold"] == 60
    assert stage.over


def test_a_city_grants_passage_mercenaries_or_allegiance():
    assert city(45, aim="passage").campaign.passage("dax", "A")
    assert city(35, aim="mercenaries").campaign.seats["A"].mercenaries == ("celts",)
    stage = city(10, aim="allegiance")
    assert stage.campaign.owner("dax") == "A"
    assert stage.campaign.seats["A"].year.provinces == 1


def test_a_city_without_mercenaries_is_not_asked_for_them():
    state = specialist(realm(), "A", "diplomat")
    refused = Stage(state, PHASE).refused(
        "A", missions=1, host_1="city", city_1="gaza", request_1="mercenaries"
    )
    assert refused.code == "answer.one_of"


def test_a_city_under_an_army_offers_no_allegiance():
    state = specialist(realm().army_changed("B1", place="dax"), "A", "diplomat")
    refused = Stage(state, PHASE).refused(
        "A", missions=1, host_1="city", city_1="dax", request_1="allegiance"
    )
    assert refused.code == "answer.one_of"


def test_two_envoys_for_one_city_the_second_may_come_too_late():
    state = specialist(specialist(realm(), "A", "diplomat"), "B", "diplomat")
    stage = Stage(state, PHASE, dice=(1,))
    for seat in "AB":
        stage.say(seat, missions=1, host_1="city", city_1="dax", request_1="allegiance")
    assert stage.event("MN-F6", "too_late").data["seat"] == "B"
    assert stage.over


def test_a_treaty_raises_the_sieges_between_its_parties():
    state = owning(realm("ABC"), "B", "dax").army_changed("A1", place="dax")
    state = at_war(state.land_changed("dax", siege=Siege("A", 1)), "A", "B")
    after = embassy(state).say("B", envoy_A="agree")
    assert after.campaign.lands["dax"].siege is None and not after.campaign.wars
    assert after.event("MN-F6", "siege_raised").data["place"] == "dax"


# Who may write -----------------------------------------------------------------------------------


def test_by_default_everybody_may_write():
    assert may_write(realm("ABC"), "A") == ("B", "C")


def test_by_the_variant_a_received_mission_opens_the_channel():
    state = realm("ABC", talk="mission")
    assert may_write(state, "A") == ()
    declined = embassy(state).say("B", envoy_A="decline").campaign
    assert (may_write(declined, "A"), may_write(declined, "B")) == (("B",), ("A",))
    assert may_write(embassy(state).say("B", envoy_A="send_back").campaign, "A") == ()


def test_an_eliminated_player_is_no_host():
    state = owning(realm("ABC"), "C", "dax").changed("B", eliminated=1)
    stage = Stage(specialist(state, "A", "diplomat"), PHASE)
    assert stage.refused("A", missions=1, host_1="seat", seat_1="B").code == "answer.one_of"


def test_missions_are_over_when_the_phase_is():
    assert replace(embassy().silent().campaign).missions == ()
