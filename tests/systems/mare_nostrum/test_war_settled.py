"""How fights and provinces are settled: retreats, losers, lines, besiegers (MN-6, MN-7)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from polemarque.kernel.battle_brief import Report
from polemarque.systems.mare_nostrum.chapters.engagement_order import next_duel
from polemarque.systems.mare_nostrum.chapters.order_sheet import garrison_duties
from polemarque.systems.mare_nostrum.chapters.purchases import muster_places
from polemarque.systems.mare_nostrum.chapters.turn import eliminated
from polemarque.systems.mare_nostrum.pieces import Army, Band, Field, Orders, Siege
from polemarque.systems.mare_nostrum.reach import refuges
from polemarque.systems.mare_nostrum.views import view
from tests.systems.mare_nostrum.realms import (
    at_war,
    caravan,
    fleet,
    owning,
    realm,
    specialist,
    treaty,
)
from tests.systems.mare_nostrum.stage import Stage


def over(campaign, place, attacker, defender, winner):
    """The stage after a battle in a province, won by 0, 1 or None."""
    return Stage(campaign, ("MN-B.3", place, attacker, defender, Report("b1", winner, ())))


# Retreats: never to where the attacker came from (MN-1.3) ----------------------------------------


def test_MN_1_3_the_beaten_do_not_fall_back_to_where_the_attacker_came_from():
    campaign = owning(realm("AB", beaten_defender="retreats"), "B", "borea", "corva", "dax")
    campaign = campaign.army_changed("A1", place="borea", came="corva")
    campaign = campaign.army_changed("B1", place="borea")
    stage = over(campaign, "borea", "A1", "B1", 0)
    assert stage.campaign.armies["B1"].place == "dax"


def test_MN_1_3_nor_do_those_whom_nobody_has_beaten():
    campaign = owning(realm("AB"), "A", "corva")
    campaign = campaign.army_changed("A1", place="borea", came="alba")
    campaign = campaign.army_changed("B1", place="borea", came="corva")
    stage = over(campaign, "borea", "A1", "B1", None)
    assert stage.campaign.armies["A1"].place == "alba"
    assert stage.event("MN-5.3", "no_refuge").data["piece"] == "B1"


def test_MN_1_3_nor_the_exhausted():
    campaign = realm("AB").army_changed("A1", place="borea", came="corva")
    campaign = campaign.army_changed("B1", place="borea", bore=True)
    campaign = replace(campaign, fields={"borea": Field(line=("A", "B"))})
    stage = Stage(campaign, ("MN-7.2/attacked", "borea", "A1", "B1"), dice=(4,))
    assert stage.campaign.armies["B1"].place == "dax"


def test_MN_1_3_nor_aboard_where_he_landed_from():
    campaign = fleet(realm("AB").army_changed("A1", place="borea"), "A", "mid")
    assert refuges(campaign, campaign.armies["A1"], barred="mid") == ("alba",)


# Losers and survivors (MN-6.7, MN-6.11, MN-7.2, MN-B.3) ------------------------------------------

SPARED = {"contest_loser": "retreats", "beaten_defender": "retreats"}


def besieged(**options):
    """A1 besieges gaza, which is B's; B1 has come to relieve it; A has a way out to helos."""
    campaign = owning(realm("AB", turn=3, **options), "B", "gaza").besieged("gaza", "A")
    campaign = owning(campaign, "A", "helos").army_changed("A1", place="gaza")
    return campaign.army_changed("B1", place="gaza", came="faro")


def test_MN_6_11_the_loser_is_destroyed_by_whatever_variant():
    for winner, loser in ((0, "A1"), (1, "B1")):
        gone = (
            over(besieged(**SPARED), "gaza", "B1", "A1", winner).event("MN-6.7", "destroyed").data
        )
        assert (gone["piece"], gone["by"]) == (loser, "MN-6.11")


def test_MN_6_7_the_invader_is_destroyed_by_whatever_variant():
    campaign = owning(realm("AB", **SPARED), "A", "borea").land_changed("dax", owner="B")
    campaign = campaign.army_changed("A1", place="dax", came="borea").army_changed(
        "B1", place="dax"
    )
    gone = over(campaign, "dax", "A1", "B1", 1).event("MN-6.7", "destroyed").data
    assert (gone["piece"], gone["by"]) == ("A1", "MN-6.7")


def test_MN_B_3_with_no_winner_the_besieger_falls_back_as_if_he_had_entered():
    stage = over(besieged(), "gaza", "B1", "A1", None)
    assert [told["piece"] for told in stage.told("MN-5.3", "retreats")] == ["B1", "A1"]
    assert stage.campaign.lands["gaza"].siege is None


def test_MN_7_2_an_exhausted_army_rolls_each_time_that_it_is_attacked():
    campaign = realm("AB").land_changed("dax", owner="B").army_changed("B1", place="dax", bore=True)
    campaign = campaign.with_army(Army("A2", "A", "roman", "alba", "dax", came="borea"))
    campaign = campaign.army_changed("A1", place="dax", came="borea")
    here = Field(line=("A", "B"), steady=("B1",))
    campaign = replace(campaign, fields={"dax": here})
    report = Report("b1", 1, ())
    stage = Stage(campaign, ("MN-B.3", "dax", "A1", "B1", report), ("MN-7.4", "dax"), dice=(6,))
    assert stage.event("MN-7.2", "fights").data["piece"] == "B1"


# Lines and contenders (MN-7.7) -------------------------------------------------------------------


def three(place="dax"):
    """A1, B1 and C1 have come to one province; C would fight both others."""
    campaign = realm("ABC")
    for seat in "ABC":
        campaign = campaign.army_changed(f"{seat}1", place=place, came="borea")
    return campaign.field_changed(place, wishes={"C": ("A", "B")})


def test_MN_7_7_each_meets_those_before_him_in_the_order_of_the_line():
    line = three().field_changed("dax", line=("A", "B", "C"))
    assert {piece.id for piece in next_duel(line, "dax")} == {"A1", "C1"}
    line = three().field_changed("dax", line=("B", "A", "C"))
    assert {piece.id for piece in next_duel(line, "dax")} == {"B1", "C1"}


def test_MN_4_3_who_marches_the_same_way_is_not_met_on_the_border():
    campaign = three().army_changed("B1", place="borea", came="dax")
    field, wishes = "borea|dax", {"C": ("A", "B")}
    campaign = campaign.field_changed(field, line=("A", "B", "C"), wishes=wishes)
    assert {piece.id for piece in next_duel(campaign, field)} == {"B1", "C1"}


def test_MN_7_7_the_owner_defends_even_if_he_has_just_come():
    for line in ("AB", "BA"):
        campaign = three().land_changed("dax", owner="B").field_changed("dax", line=tuple(line))
        assert [piece.id for piece in next_duel(campaign, "dax")] == ["A1", "B1"]


def test_MN_7_7_an_absent_contender_agrees_to_nobody():
    campaign = three().without_army("C1").changed("B", absent=True)
    stage = Stage(campaign, ("MN-6.2", "dax")).answer("A", "A")
    assert stage.event("MN-7.7", "nobody").data["seats"] == ("A", "B")
    assert stage.campaign.owner("dax") is None


def test_MN_6_11_who_does_not_fight_the_besieger_gets_nothing():
    campaign = realm("ABC", turn=3).land_changed("gaza", owner="C", siege=Siege("A", 1))
    campaign = campaign.army_changed("A1", place="gaza")
    campaign = campaign.army_changed("B1", place="gaza", came="helos")
    stage = Stage(campaign, ("MN-6.2", "gaza"))
    assert stage.over and not stage.events


def test_MN_7_5_what_is_decided_elsewhere_shows_nowhere_before_all_have_decided():
    campaign = realm("ABCD")
    for seat, place in zip("ABCD", ("dax", "dax", "borea", "borea"), strict=True):
        campaign = campaign.army_changed(f"{seat}1", place=place, came="corva")

    def known_to_a(**decided):
        stage = Stage(campaign, ("MN-7.7",))
        for seat, foes in decided.items():
            stage.say(seat, fight_borea=foes)
        options = stage.request.options("A").describe()
        return options, view(stage.campaign, "A"), list(stage.events)

    assert known_to_a() == known_to_a(C=["D"]) == known_to_a(C=[], D=["C"])


# A fortress before the victor (MN-6.3) -----------------------------------------------------------


def before_gaza(*pillagers, orders_ahead="yes"):
    """A1 with an engineer and A2 have won before gaza, which is B's; helos is A's."""
    campaign = owning(owning(realm("AB", orders_ahead=orders_ahead), "B", "gaza"), "A", "helos")
    campaign = campaign.with_army(Army("A2", "A", "roman", "alba", "gaza", came="helos"))
    campaign = specialist(campaign, "A", "engineer", joins="A1")
    campaign = campaign.army_changed("A1", place="gaza", came="helos")
    return replace(campaign, orders={"A": Orders(pillages=pillagers)})


def test_MN_6_3_all_his_armies_fall_back_after_a_pillage():
    stage = Stage(before_gaza("A1", "A2"), ("MN-6.2/won", "gaza", "A"))
    assert [told["piece"] for told in stage.told("MN-6.3", "falls_back")] == ["A1", "A2"]


def test_MN_6_3_the_engineer_of_an_army_that_pillages_lays_no_siege():
    stage = Stage(before_gaza("A1"), ("MN-6.2/won", "gaza", "A"))
    assert stage.told("MN-6.3", "pillaged") and not stage.told("MN-6.3", "siege")
    stage = Stage(before_gaza("A2"), ("MN-6.2/won", "gaza", "A"))
    assert stage.told("MN-6.3", "siege") and not stage.told("MN-6.3", "pillaged")


def test_MN_6_3_a_pillager_who_stays_is_no_fresher():
    campaign = realm("AB").army_changed("A1", place="gaza", exhausted=2)
    stage = Stage(campaign, ("MN-6.3/falls_back", "A1", "gaza", ()))
    assert stage.told("MN-6.3", "stays") and stage.campaign.armies["A1"].exhausted == 2


# Garrisons (MN-6.10) -----------------------------------------------------------------------------


@pytest.mark.parametrize("treaties", ["binding", "honour"])
@pytest.mark.parametrize("land", [{"owner": "A"}, {"owner": "C", "siege": Siege("B", 1)}])
def test_MN_6_10_a_garrison_does_nothing_where_its_owner_or_a_besieger_now_is(land, treaties):
    campaign = realm("ABC", treaties=treaties).army_changed("A1", place="dax")
    campaign = campaign.army_changed("B1", place="dax")
    orders = {"A": Orders(plunders={"A1": "dax"}, cuts={"A1": "dax"})}
    campaign = replace(campaign.land_changed("dax", **land), orders=orders)
    stage = Stage(campaign, ("MN-6.10",))
    assert [event.kind for event in stage.events] == ["void_garrison"]


def test_MN_4_4_nobody_attacks_what_a_partner_besieges():
    campaign = realm("ABC").land_changed("gaza", owner="C", siege=Siege("B", 1))
    campaign = campaign.army_changed("A1", place="gaza").army_changed("B1", place="gaza")
    campaign = specialist(campaign, "A", "engineer", joins="A1")
    joins = {"AS6": "A1"}
    assert "attack" in garrison_duties(campaign, campaign.armies["A1"], joins)
    partner = treaty(campaign, "non_aggression", "A", "B")
    assert "attack" not in garrison_duties(partner, partner.armies["A1"], joins)


# Around the war (MN-2.8, MN-4.4, MN-6.12) --------------------------------------------------------


def test_MN_2_8_a_partner_s_army_hinders_no_levy():
    campaign = owning(realm("AC"), "A", "borea").army_changed("C1", place="borea")
    assert muster_places(campaign, "A") == ("alba",)
    assert muster_places(treaty(campaign, "alliance", "A", "C"), "A") == ("alba", "borea")


def test_MN_4_4_war_voids_whatever_treaties_there_were():
    campaign = realm("ABC")
    for kind in ("commercial", "non_aggression", "passage"):
        campaign = treaty(campaign, kind, "A", "B")
    campaign = treaty(campaign, "alliance", "A", "C")
    after = campaign.hostile("A", "B")
    assert [(one.kind, one.other) for one in after.treaties] == [("alliance", "C")]
    assert after.wars == (("A", "B"),)


def test_MN_6_12_caravans_and_wars_of_the_eliminated_go():
    campaign = caravan(caravan(realm("ABC"), "A", "borea"), "B", "faro")
    campaign = at_war(at_war(campaign, "A", "B"), "B", "C")
    after = eliminated(campaign, "A")
    assert list(after.caravans) == ["BC9"] and after.wars == (("B", "C"),)


def test_MN_6_12_bands_that_an_eliminated_player_led_are_nobody_s():
    bands = {seat: Band(seat, "brigands", "borea", owner=seat) for seat in "AB"}
    after = eliminated(replace(realm("ABC"), bands=bands), "A")
    assert {code: band.owner for code, band in after.bands.items()} == {"A": "", "B": "B"}
