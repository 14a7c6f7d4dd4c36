"""Who is a guest, an invader or at home where he stands (MN-2.2, MN-4.3, MN-4.4, MN-6.11)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from polemarque.kernel.battle_brief import Loss, Report
from polemarque.systems.mare_nostrum.adjust import adjust
from polemarque.systems.mare_nostrum.army_stands import GUARD, has_guard
from polemarque.systems.mare_nostrum.chapters.battle import brief
from polemarque.systems.mare_nostrum.chapters.engagement_order import (
    entered,
    intrudes,
    land_fields,
    next_duel,
    starters,
)
from polemarque.systems.mare_nostrum.pieces import Army, Field, Orders
from tests.systems.mare_nostrum.realms import owning, realm, treaty
from tests.systems.mare_nostrum.stage import Stage

BORDER = "alba|borea"


# Guests (MN-4.4) ---------------------------------------------------------------------------------


def guest(**options):
    """A1 marches into dax, which is B's, by his leave; B's army stands there."""
    campaign = treaty(owning(realm("AB", **options), "B", "dax"), "passage", "B", "A")
    campaign = campaign.army_changed("A1", place="borea").army_changed("B1", place="dax")
    orders = {"A": Orders(moves={"A1": "dax"}), "B": Orders()}
    return Stage(replace(campaign, orders=orders), ("MN-4.1",)).campaign


def test_MN_4_4_leave_is_judged_on_entry():
    campaign = guest()
    assert campaign.armies["A1"].by_leave
    lapsed = campaign.hostile("A", "B")
    assert not lapsed.treaties
    assert not intrudes(lapsed, lapsed.armies["A1"])
    assert starters(lapsed, "dax", "A", "B") == ()
    assert Stage(lapsed, ("MN-7.7",)).campaign.owner("dax") == "B"


def test_MN_4_4_from_the_next_turn_on_a_guest_is_as_any_army_without_leave():
    lapsed = guest().hostile("A", "B")
    stage = Stage(lapsed, ("MN-2.7",)).silent()
    assert not stage.campaign.armies["A1"].by_leave
    assert starters(stage.campaign, "dax", "A", "B") == ("A", "B")


def test_MN_4_4_leave_is_for_the_province_that_was_entered():
    campaign = guest().army_changed("A1", place="faro")
    assert not campaign.armies["A1"].by_leave


def test_MN_4_4_who_enters_his_own_land_is_nobody_s_guest():
    campaign = owning(realm("AB"), "A", "borea")
    campaign = replace(campaign, orders={"A": Orders(moves={"A1": "borea"})})
    assert not Stage(campaign, ("MN-4.1",)).campaign.armies["A1"].by_leave


@pytest.mark.parametrize("kind", ["passage", "non_aggression", "alliance"])
def test_MN_4_4_leave_of_who_stays_is_judged_with_everybody_s(kind):
    campaign = treaty(owning(realm("AB"), "B", "dax"), kind, "B", "A")
    campaign = campaign.army_changed("A1", place="dax").army_changed("B1", place="dax")
    campaign = replace(campaign, orders={"A": Orders(), "B": Orders()})
    lapsed = Stage(campaign, ("MN-4.1",)).campaign.hostile("A", "B")
    assert starters(lapsed, "dax", "A", "B") == ()
    stranger = Stage(replace(campaign, treaties=()), ("MN-4.1",)).campaign
    assert starters(stranger, "dax", "A", "B") == ("A", "B")


def test_MN_5_4_an_order_to_attack_counts_only_where_it_was_given():
    campaign = owning(realm("AB"), "B", "dax").army_changed("A1", place="dax")
    ordered = replace(campaign, orders={"A": Orders(attacks={"A1": "dax"})})
    army = ordered.armies["A1"]
    assert intrudes(ordered, army) and entered(ordered, army)
    gone = ordered.army_changed("A1", place="borea")
    assert not intrudes(gone, gone.armies["A1"]) and not entered(gone, gone.armies["A1"])
    assert land_fields(ordered) == ("dax",) and land_fields(gone) == ()


# The Sacred Guard (MN-2.2, MN-B.4) ---------------------------------------------------------------


def two_at_home(**options):
    """A1, which has the Sacred Guard, and A2 stand in alba; B1 has entered."""
    campaign = realm("AB", **options).with_army(Army("A2", "A", "roman", "alba", "alba"))
    return campaign.changed("A", guard="A1").army_changed("B1", place="alba", came="borea")


@pytest.mark.parametrize("lost", [(), (Loss(f"A.{GUARD}", 1),)])
def test_MN_B_4_the_guard_falls_with_its_army_and_no_other_has_one(lost):
    items = ("MN-B.3", "alba", "B1", "A1", Report("b1", 0, lost))
    after = Stage(two_at_home(), items).campaign
    assert list(after.armies) == ["A2", "B1"]
    assert not has_guard(after, after.armies["A2"])
    back = Stage(after, ("MN-B.4",)).campaign
    assert has_guard(back, back.armies["A2"])


@pytest.mark.parametrize(
    "item", [("MN-5.3", "A1", "alba", "borea", 1, ()), ("MN-6.7", "A1", "MN-6.2")]
)
def test_MN_B_4_whatever_destroys_the_army_at_home(item):
    after = Stage(two_at_home(), item).campaign
    assert list(after.armies) == ["A2", "B1"]
    assert not has_guard(after, after.armies["A2"])


def test_MN_B_4_an_exhausted_army_that_breaks_up_at_home_takes_the_guard_along():
    campaign = two_at_home().army_changed("A1", bore=True)
    after = Stage(campaign, ("MN-7.2/attacked", "alba", "B1", "A1"), dice=(1,)).campaign
    assert after.seats["A"].guard_lost


def test_MN_2_2_variant_first_only_the_starting_army_and_only_at_home():
    campaign = two_at_home(sacred_guard="first")
    assert has_guard(campaign, campaign.armies["A1"])
    assert not has_guard(campaign, campaign.armies["A2"])
    away = owning(campaign, "A", "borea").army_changed("A1", place="borea")
    assert not has_guard(away, away.armies["A1"])
    assert not has_guard(away, away.armies["A2"])


@pytest.mark.parametrize(("rule", "guard"), [("first", "A1"), ("territory", "A1"), ("home", "A2")])
def test_MN_2_2_once_it_goes_with_the_starting_army_no_other_keeps_it(rule, guard):
    campaign = two_at_home().army_changed("A2", created=1).changed("A", guard="A2")
    after = Stage(adjust(campaign, "option.sacred_guard", rule), ("MN-F1",)).campaign
    assert [army.id for army in after.armies.values() if has_guard(after, army)][:1] == [guard]
    fallen = campaign.without_army("A1")
    alone = Stage(adjust(fallen, "option.sacred_guard", rule), ("MN-F1",)).campaign
    assert has_guard(alone, alone.armies["A2"]) == (rule == "home")


# On a border (MN-4.3) ----------------------------------------------------------------------------


def on_the_border(**options):
    """A1 marches home to alba, B1 out of it."""
    campaign = realm("AB", **options).army_changed("A1", place="alba", came="borea")
    return campaign.army_changed("B1", place="borea", came="alba").changed("A", guard="A1")


def handed_over(campaign):
    """The brief of the battle on the border."""
    return brief(campaign, BORDER, (campaign.armies["B1"], campaign.armies["A1"]), 1)


@pytest.mark.parametrize("guard", ["home", "first", "territory"])
def test_MN_4_3_on_a_border_nobody_is_at_home(guard):
    handed = handed_over(on_the_border(sacred_guard=guard))
    assert [sum(unit.figures for unit in side.units) for side in handed.sides] == [12, 12]
    assert not handed.sides[1].rights["guard"]
    assert (handed.place, handed.facts["capital"]) == ("alba", False)


def test_MN_7_2_on_a_border_nobody_has_the_bonus_of_home():
    worn = on_the_border().army_changed("A1", bore=True)
    stage = Stage(worn, ("MN-7.2/attacked", BORDER, "B1", "A1"), dice=(3,))
    assert stage.told("MN-7.2", "destroyed")
    assert not stage.campaign.seats["A"].guard_lost


def test_MN_7_2_on_a_border_an_exhausted_army_without_a_way_leaves_the_guard_at_home():
    worn = owning(on_the_border(), "B", "corva", "dax").army_changed("A1", bore=True)
    stage = Stage(worn, ("MN-7.2/attacked", BORDER, "B1", "A1"), dice=(4,))
    assert stage.event("MN-5.3", "no_refuge").data["place"] == "borea"
    assert not stage.campaign.seats["A"].guard_lost


def test_MN_7_2_on_a_border_it_retreats_from_where_it_came():
    worn = owning(on_the_border(), "B", "dax").army_changed("A1", bore=True)
    stage = Stage(worn, ("MN-7.2/attacked", BORDER, "B1", "A1"), dice=(4,))
    gone = stage.event("MN-5.3", "retreats").data
    assert (gone["start"], gone["place"], gone["level"]) == ("borea", "corva", 2)


def test_MN_4_3_an_army_that_falls_on_the_border_leaves_the_guard_at_home():
    campaign = on_the_border().with_army(Army("A2", "A", "roman", "alba", "alba"))
    after = Stage(campaign, ("MN-B.3", BORDER, "B1", "A1", Report("b1", 0, ()))).campaign
    assert has_guard(after, after.armies["A2"])


def test_MN_B_4_the_guard_at_home_saves_no_army_that_lost_all_on_the_border():
    campaign = on_the_border()
    lost = tuple(
        Loss(f"A.{unit.id}", unit.figures) for unit in handed_over(campaign).sides[1].units
    )
    stage = Stage(campaign, ("MN-B.3", BORDER, "B1", "A1", Report("b1", 1, lost)))
    assert stage.told("MN-B.4", "no_stands")


# A besieger beaten by a third player (MN-6.11) ---------------------------------------------------


def test_MN_6_11_an_ally_s_victory_over_the_besieger_is_no_invasion():
    campaign = owning(realm("ABC", turn=3), "C", "gaza").besieged("gaza", "A")
    for seat in "AB":
        campaign = campaign.army_changed(f"{seat}1", place="gaza")
    won = ("MN-B.3", "gaza", "B1", "A1", Report("b1", 0, ()))
    beaten = Stage(campaign, won).campaign
    assert intrudes(beaten, beaten.armies["B1"])
    for kind in ("alliance", "non_aggression", "passage"):
        friend = Stage(treaty(campaign, kind, "C", "B"), won).campaign
        assert not intrudes(friend, friend.armies["B1"])
    entering = campaign.army_changed("B1", came="helos", guest="gaza")
    by_leave = Stage(entering, won).campaign
    assert not intrudes(by_leave, by_leave.armies["B1"])


@pytest.mark.parametrize("die", [3, 4])
def test_MN_6_11_to_drive_an_exhausted_besieger_off_is_to_beat_him(die):
    campaign = owning(realm("ABC", turn=3), "C", "gaza").besieged("gaza", "A")
    campaign = owning(campaign, "A", "helos").army_changed("A1", place="gaza", bore=True)
    campaign = campaign.army_changed("B1", place="gaza")
    campaign = replace(campaign, fields={"gaza": Field(line=("A", "B"))})
    attacked = ("MN-7.2/attacked", "gaza", "B1", "A1")
    beaten = Stage(campaign, attacked, dice=(die,)).campaign
    assert beaten.lands["gaza"].siege is None
    assert intrudes(beaten, beaten.armies["B1"])
    friend = Stage(treaty(campaign, "non_aggression", "C", "B"), attacked, dice=(die,)).campaign
    assert not intrudes(friend, friend.armies["B1"])
    stood = Stage(campaign, attacked, dice=(6,)).campaign
    assert not intrudes(stood, stood.armies["B1"])


def test_MN_7_7_nobody_duels_a_guest_whom_nobody_ordered_to_fight():
    lapsed = guest().hostile("A", "B")
    line = replace(lapsed, fields={"dax": Field(line=("A", "B"))})
    assert next_duel(line, "dax") is None
