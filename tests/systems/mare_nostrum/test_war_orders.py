"""Movement orders: what is offered, what is refused and why, what silence means (MN-2, MN-4)."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.request import OneOf
from polemarque.systems.mare_nostrum.chapters.order_sheet import (
    conditions,
    garrison_duties,
    order_sheet,
    orders_of,
)
from polemarque.systems.mare_nostrum.chapters.purchases import muster_places, shipyards
from polemarque.systems.mare_nostrum.pieces import HOLD, STAY, Army, Siege
from polemarque.systems.mare_nostrum.reach import (
    army_refusal,
    army_ways,
    havens,
    invades,
    refuges,
    wilds,
)
from polemarque.systems.mare_nostrum.tables import maintenance
from tests.systems.mare_nostrum.realms import fleet, owning, realm, specialist, treaty
from tests.systems.mare_nostrum.stage import Stage

WAYS = ("tabletop",)


def filled(campaign, seat="A", **parts):
    """The orders of a sheet with some parts said, and the first word of all others."""
    sheet = order_sheet(campaign, seat, WAYS)
    wanted = {part.replace("_", ".", 1): value for part, value in parts.items()}
    said, filling, answer = {}, sheet.fill(), None
    while True:
        try:
            part, options = filling.send(answer)
        except StopIteration:
            return orders_of(campaign, sheet.take(said))
        first = options.words[0] if isinstance(options, OneOf) else ()
        answer = said[part] = options.take(wanted.get(part, first))


def why_not(campaign, army, place):
    """The code and the rule that keep an army from a place."""
    refusal = army_refusal(campaign, army, place)
    return refusal.code, refusal.rule


def test_who_says_nothing_holds():
    campaign = fleet(realm(), "A", "west")
    assert filled(campaign) == HOLD


@pytest.mark.parametrize(
    ("when", "recovery", "marker", "may"),
    [
        ("entry", "level", 0, True), ("entry", "all", 1, False), ("letter", "level", 1, True),
        ("letter", "level", 2, False), ("letter", "all", 2, True),
    ],
)  # fmt: skip
def test_who_is_fresh_again_in_the_combats_may_attack_where_he_stands(when, recovery, marker, may):
    campaign = realm(exhausted_when=when, recovery=recovery).land_changed("dax", owner="B")
    campaign = campaign.army_changed("A1", place="dax", exhausted=marker)
    assert ("attack" in garrison_duties(campaign, campaign.armies["A1"], {})) is may


def test_an_army_goes_to_neighbours_and_aboard_its_own_empty_fleets():
    campaign = fleet(fleet(realm(), "A", "west"), "B", "west")
    army = campaign.armies["A1"]
    assert army_ways(campaign, army) == ("borea", "AF7")
    assert why_not(campaign, army, "BF7") == ("order.foreign_fleet", "MN-4.2")
    assert why_not(campaign, army, "helos") == ("order.far", "MN-4.1")
    laden = campaign.with_army(Army("A2", "A", "roman", "alba", "AF7"))
    assert army_ways(laden, army) == ("borea",)
    assert why_not(laden, army, "AF7") == ("order.fleet_full", "MN-4.2")


def test_an_army_aboard_lands_where_its_fleet_stands():
    campaign = fleet(realm(), "A", "mid").army_changed("A1", place="AF7")
    assert army_ways(campaign, campaign.armies["A1"]) == ("borea", "gaza", "ilva")
    worn = campaign.army_changed("A1", exhausted=1)
    assert why_not(worn, worn.armies["A1"], "gaza") == ("order.exhausted", "MN-8.4")


def test_a_besieger_leaves_only_for_what_is_his_even_exhausted():
    campaign = realm("AC").army_changed("A1", place="borea", exhausted=2)
    campaign = campaign.land_changed("borea", owner="C", siege=Siege("A", 1))
    assert army_ways(campaign, campaign.armies["A1"]) == ("alba",)
    assert why_not(campaign, campaign.armies["A1"], "dax") == ("order.besieging", "MN-6.5")


def test_two_armies_do_not_board_one_fleet():
    campaign = fleet(realm(), "A", "west").with_army(Army("A2", "A", "roman", "alba", "alba"))
    with pytest.raises(NotAllowed) as refused:
        filled(campaign, move_A1="AF7", move_A2="AF7")
    assert (refused.value.code, refused.value.rule) == ("order.fleet_full", "MN-4.2")


def test_a_treaty_closes_a_province_and_honour_opens_it():
    campaign = treaty(realm("AB").army_changed("A1", place="gaza"), "non_aggression", "A", "B")
    with pytest.raises(NotAllowed) as refused:
        filled(campaign, move_A1="faro")
    assert refused.value.code == "order.treaty"
    honour = replace(campaign, options=replace(campaign.options, treaties="honour"))
    assert filled(honour, move_A1="faro").moves == {"A1": "faro"}
    assert invades(honour, "A", "faro")
    friend = treaty(campaign, "passage", "B", "A")
    assert not invades(friend, "A", "faro")
    assert filled(friend, move_A1="faro").moves == {"A1": "faro"}


def test_one_specialist_of_each_kind_goes_with_an_army():
    campaign = specialist(specialist(realm(), "A", "engineer"), "A", "engineer", number=9)
    assert filled(campaign, join_AS6="A1").joins == {"AS6": "A1"}
    parts = order_sheet(campaign, "A", WAYS).quiet()
    assert [part for part in parts if part.startswith("join")] == ["join.AS6", "join.AS9"]


@pytest.mark.parametrize("seed", range(40))
def test_every_way_through_a_sheet_is_legal(seed):
    rng = random.Random(seed)
    campaign = realm("ABCD", turn=3, treaties=rng.choice(["binding", "honour"]))
    for seat in "ABCD":
        place = rng.choice(campaign.atlas.provinces).id
        campaign = campaign.army_changed(f"{seat}1", place=place, exhausted=rng.randrange(3))
        campaign = fleet(campaign, seat, rng.choice(("west", "mid", "east")))
        campaign = specialist(campaign, seat, "engineer")
        campaign = campaign.with_army(Army(f"{seat}2", seat, "roman", place, place))
    wishes = rng.choice([None, conditions])
    for seat in "ABCD":
        sheet = order_sheet(campaign, seat, WAYS, wishes)
        for _ in range(20):
            said = sheet.sample(rng)
            assert order_sheet(campaign, seat, WAYS, wishes).take(said) == said


def test_MN_7_5_only_who_may_be_there_can_be_named_in_a_conditional_order():
    campaign = realm("ABC").army_changed("A1", place="borea").army_changed("C1", place="dax")
    parts = dict(order_sheet(campaign, "A", WAYS, conditions).quiet())
    assert "meet.borea" in parts and "fight.borea" not in parts
    sheet = order_sheet(campaign, "A", WAYS, conditions)
    assert sheet.take({**parts, "meet.borea": ["C"]})["meet.borea"] == ("C",)
    with pytest.raises(NotAllowed):
        sheet.take({**parts, "meet.borea": ["B"]})
    friends = treaty(campaign, "non_aggression", "A", "C")
    assert "meet.borea" not in order_sheet(friends, "A", WAYS, conditions).quiet()


# Retreats ----------------------------------------------------------------------------------------


def test_nobody_retreats_to_an_enemy_nor_to_where_the_attacker_came_from():
    campaign = realm("AC").army_changed("A1", place="borea").land_changed("dax", owner="A")
    army = campaign.armies["A1"]
    assert havens(campaign, army) == ("alba", "dax")
    assert havens(campaign, army, barred="alba") == ("dax",)
    enemy = campaign.army_changed("C1", place="dax")
    assert havens(enemy, army) == ("alba",)
    ally = treaty(enemy, "alliance", "A", "C")
    assert havens(ally, army) == ("alba", "dax")


def test_fleets_take_beaten_armies_unless_an_enemy_fleet_is_there():
    campaign = fleet(realm("AC").army_changed("A1", place="borea"), "A", "mid")
    army = campaign.armies["A1"]
    assert refuges(campaign, army) == ("alba", "AF7")
    assert refuges(fleet(campaign, "C", "mid"), army) == ("alba",)


def test_by_the_variant_any_owner_of_a_fleet_is_asked_but_another_enemy_s_closes_the_zone():
    campaign = realm("ABC", rescue_fleet="any").army_changed("A1", place="borea")
    campaign = fleet(campaign, "B", "mid")
    army = campaign.armies["A1"]
    assert refuges(campaign, army) == ("alba", "BF7")
    assert refuges(treaty(campaign, "non_aggression", "A", "B"), army) == ("alba", "BF7")
    assert refuges(fleet(campaign, "C", "mid"), army) == ("alba",)


def test_the_exhausted_go_anywhere_without_strangers():
    campaign = realm("AC").army_changed("A1", place="borea")
    assert wilds(campaign, campaign.armies["A1"]) == ("alba", "dax")  # corva is C's


# Purchases ---------------------------------------------------------------------------------------


def test_where_armies_and_fleets_are_raised():
    campaign = realm("AC").land_changed("borea", owner="A").land_changed("ilva", owner="A")
    assert muster_places(campaign, "A") == ("alba", "borea", "ilva")
    assert shipyards(campaign, "A") == ("alba",)
    built = campaign.land_changed("borea", improvements=("arsenal",))
    assert shipyards(built, "A") == ("alba", "borea")
    assert muster_places(built.army_changed("C1", place="borea"), "A") == ("alba", "ilva")
    besieged = built.land_changed("alba", siege=Siege("C", 1))
    assert muster_places(besieged, "A") == ("borea", "ilva")


def test_mercenaries_of_the_garrison_are_used_once():
    campaign = realm().changed("A", treasury=100, mercenaries=("celts", "celts"))
    stage = Stage(campaign, ("MN-2.6",))
    stage.say("A", armies=2, army_1="alba", hired_1=("celts.2",), army_2="alba", hired_2=("celts",))
    stage.silent("B")
    armies = stage.campaign.armies
    assert [armies[one].stands.count("celts") for one in ("A2", "A3")] == [1, 1]
    assert stage.campaign.seats["A"].mercenaries == ()


def test_MN_F4_orders_that_change_what_units_cost_say_so_before_they_are_sealed():
    campaign = fleet(owning(realm(), "A", "borea", "corva"), "A", "west")
    campaign = campaign.with_army(Army("A2", "A", "roman", "alba", "borea"))

    def costs(**moves):
        sheet = {part.replace("_", ".", 1): goal for part, goal in moves.items()}
        remarks = order_sheet(campaign, "A", WAYS).remarks(sheet)
        return [one.data for one in remarks if one.key == "upkeep_there"]

    one = maintenance(1, siege=False).total
    assert one == maintenance(2, siege=False).total > 0
    assert costs() == costs(move_A1=STAY, move_A2="corva") == []
    assert costs(move_A1="borea") == [{"money": 2 * one, "now": one}]
    assert costs(move_A2="alba") == [{"money": 0, "now": one}]
    # The army aboard counts to the zone of its fleet, the fleet from its own base.
    assert costs(move_A1="AF7", move_AF7="mid") == [{"money": 3 * one, "now": one}]
