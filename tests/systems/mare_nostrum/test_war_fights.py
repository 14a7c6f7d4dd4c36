"""Who meets whom, briefs and reports, and what always holds of a war (MN-4.3, MN-7, MN-8, MN-B)."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from polemarque.kernel.battle_brief import Loss, Report
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.request import Fact
from polemarque.kernel.run import Runner
from polemarque.odds.consult import consult_odds
from polemarque.odds.enumeration import law
from polemarque.odds.rolls import TooLarge
from polemarque.systems.mare_nostrum import SYSTEM, faults
from polemarque.systems.mare_nostrum.army_stands import GUARD, after_losses, units
from polemarque.systems.mare_nostrum.chapters.battle import brief, defeat_rule
from polemarque.systems.mare_nostrum.chapters.engagement_order import (
    borders,
    fighters,
    next_duel,
    side_by_side,
    starters,
)
from polemarque.systems.mare_nostrum.pieces import LOST, OWN, Army, Field, Orders, Siege
from polemarque.systems.mare_nostrum.setup.atlas import TERRAINS, load_atlas
from polemarque.systems.mare_nostrum.tables import local_market
from tests.systems.mare_nostrum.realms import fleet, owning, realm, specialist, treaty
from tests.systems.mare_nostrum.stage import Stage


def met(place="dax", *seats, **fights):
    """Armies of these seats in one province, who have decided to fight."""
    campaign = realm("".join(seats))
    for seat in seats:
        campaign = campaign.army_changed(f"{seat}1", place=place, came="borea")
    return replace(campaign, fields={place: Field(wishes=fights)})


def pair(campaign, *duel):
    """Two pieces that fight, attacker first."""
    attacker, defender = duel
    return campaign.piece(attacker), campaign.piece(defender)


# Who meets whom ----------------------------------------------------------------------------------


def test_a_fight_needs_one_who_wants_it():
    assert starters(met("dax", "A", "B"), "dax", "A", "B") == ()
    assert starters(met("dax", "A", "B", A=("B",)), "dax", "A", "B") == ("A",)


def test_owner_and_invader_fight_whatever_they_wish():
    campaign = met("dax", "A", "B").land_changed("dax", owner="B")
    assert starters(campaign, "dax", "A", "B") == ("A", "B")
    assert starters(treaty(campaign, "alliance", "A", "B"), "dax", "A", "B") == ()
    assert starters(treaty(campaign, "passage", "B", "A"), "dax", "A", "B") == ()


def test_a_guest_who_attacks_is_an_invader():
    campaign = met("dax", "A", "B").land_changed("dax", owner="B").army_changed("A1", came="")
    campaign = treaty(campaign, "passage", "B", "A")
    assert starters(campaign, "dax", "A", "B") == ()
    elsewhere = replace(campaign, orders={"A": Orders(attacks={"A1": "borea"})})
    assert starters(elsewhere, "dax", "A", "B") == ()
    campaign = replace(campaign, orders={"A": Orders(attacks={"A1": "dax"})})
    assert starters(campaign, "dax", "A", "B") == ("A", "B")


def test_an_ally_who_enters_relieves_a_siege():
    campaign = met("dax", "A", "B", "C").land_changed("dax", owner="C", siege=Siege("A", 1))
    campaign = treaty(campaign, "alliance", "B", "C")
    assert starters(campaign, "dax", "A", "B") == ("A", "B")
    stood = campaign.army_changed("B1", came="")
    assert starters(stood, "dax", "A", "B") == ()


def test_the_exhausted_start_nothing_but_are_attacked():
    campaign = met("dax", "A", "B", A=("B",))
    worn = campaign.army_changed("A1", exhausted=1)
    assert fighters(worn, "dax") == ()
    attacked = campaign.army_changed("B1", exhausted=1)
    attacked = attacked.field_changed("dax", line=("B", "A"))
    attacker, defender = next_duel(attacked, "dax")
    assert (attacker.id, defender.id) == ("A1", "B1")


def test_the_line_goes_from_the_lowest_and_the_victor_meets_the_next():
    campaign = met("dax", "A", "B", "C", A=("B", "C"), C=("B",))
    campaign = campaign.field_changed("dax", line=("B", "A", "C"))
    assert [piece.id for piece in next_duel(campaign, "dax")] == ["B1", "A1"]
    beaten = campaign.without_army("B1")
    assert [piece.id for piece in next_duel(beaten, "dax")] == ["A1", "C1"]
    assert next_duel(beaten.without_army("C1"), "dax") is None


@pytest.mark.parametrize("players", ["AB", "ABC", "ABCD"])
def test_every_order_of_a_line_is_as_likely_as_the_dice_make_it(players):
    whole = law("MN-7.5", (tuple(players),))
    assert {outcome.p for outcome in whole.outcomes} == {Fraction(1, factorial(len(players)))}
    asked = consult_odds("MN-7.5", {"players": list(players)})
    orders = [tuple(chance.result["order"]) for chance in asked.outcomes]
    assert orders == sorted(permutations(players))
    assert {chance.p for chance in asked.outcomes} == {f"1/{factorial(len(players))}"}


def test_the_odds_of_a_long_line_are_listed_up_to_seven_players():
    assert len(consult_odds("MN-7.5", {"players": list("ABCDEFG")}).outcomes) == 5040
    with pytest.raises(TooLarge):
        consult_odds("MN-7.5", {"players": list("ABCDEFGH")})


def test_what_has_been_settled_is_not_fought_again():
    campaign = met("dax", "A", "B", A=("B",))
    settled = campaign.field_changed("dax", line=("A", "B"), settled=(("B1", "A1"),))
    assert next_duel(settled, "dax") is None
    more = settled.with_army(Army("B2", "B", "roman", "faro", "dax", came="borea"))
    assert {piece.id for piece in next_duel(more, "dax")} == {"A1", "B2"}


def test_a_border_is_crossed_both_ways_by_enemies():
    campaign = realm("AC").army_changed("A1", place="borea", came="corva")
    assert borders(campaign) == ()
    assert borders(campaign.army_changed("C1", place="corva", came="borea")) == ("borea|corva",)


def test_MN_6_11_a_siege_whose_relief_is_turned_back_on_the_border_ends():
    campaign = realm("ABC", turn=3).land_changed("gaza", owner="B", siege=Siege("A", 1))
    campaign = campaign.army_changed("A1", place="gaza", came="helos")
    campaign = campaign.army_changed("C1", place="helos", came="gaza")
    stage = Stage(campaign, ("MN-B.3", "gaza|helos", "A1", "C1", Report("b1", None, ())))
    assert stage.event("MN-6.11", "siege_ends").data == {"seat": "A", "place": "gaza"}
    assert stage.campaign.lands["gaza"].siege is None and not faults(stage.campaign)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_battles_fought_at_once_cannot_touch(data):
    atlas = load_atlas()
    ids = list(atlas.by_id)
    fields = data.draw(st.lists(st.sampled_from(ids), unique=True, min_size=1, max_size=12))
    fields.sort(key=ids.index)
    campaign = replace(realm(), own_atlas=None)
    chosen = side_by_side(campaign, fields)
    assert chosen[0] == fields[0]
    for one in chosen:
        for other in chosen:
            near = set(atlas.around[one]) & set(atlas.around[other])
            assert one == other or not (near or atlas.adjacent(one, other))
    for late in set(fields) - set(chosen):  # who waits, waits for one before him
        before = fields[: fields.index(late)]
        assert any(atlas.surroundings[late] & atlas.surroundings[p] for p in before)


def invaded(*pairs):
    """A campaign in which A marches into provinces of B, each defended."""
    armies, lands = {}, {}
    for number, (start, place) in enumerate(pairs, 1):
        armies |= {f"A{number}": {"place": start}, f"B{number}": {"place": place}}
        lands[place] = {"owner": "B"}
    setup = {"phase": "military", "armies": armies, "lands": lands, "specialists": {}}
    options = {"resolver": "tabletop"}
    game = Game(new_header("mare_nostrum", seats=2, seed=1, setup=setup, options=options))
    request = game.requests()[0]
    moves = {f"move.A{number}": place for number, (_, place) in enumerate(pairs, 1)}
    said = request.options("A").quiet()
    kept = {part: word for part, word in said.items() if part == "resolver"}
    game.answer("A", {**kept, **moves})
    game.absent("B")
    return game


@pytest.mark.parametrize(("other", "asked"), [("agreed", True), ("none", False)])
def test_MN_B_1_orders_name_another_way_unless_the_campaign_rules_it_out(other, asked):
    game = Game(new_header("mare_nostrum", seats=2, seed=1, setup={"phase": "military"},
                           options={"other_resolver": other}))  # fmt: skip
    assert ("resolver" in game.requests()[0].options("A").quiet()) is asked


def test_battles_that_cannot_touch_are_open_at_once_and_saved_together():
    game = invaded(("latium", "campania"), ("macedonia", "thessalia"))
    assert [request.path for request in game.requests()] == ["1-b1", "1-b2"]
    saved = encode_position(game.position)
    assert encode_position(Runner(decode_position(saved)).position) == saved


def test_neighbours_are_settled_one_after_the_other_in_the_map_s_order():
    game = invaded(("latium", "campania"), ("latium", "samnium"))
    assert [request.path for request in game.requests()] == ["1-b1"]
    assert [piece.id for piece in next_duel(game.state, "campania")] == ["A1", "B1"]


# Briefs and reports ------------------------------------------------------------------------------


def test_the_brief_counts_every_stand_once():
    campaign = specialist(realm("AB"), "A", "priest", god="war", joins="A1")
    campaign = specialist(campaign, "A", "engineer", joins="A1", number=9)
    campaign = campaign.army_changed("A1", stands=(OWN,) * 9 + ("celts", "celts", LOST))
    campaign = campaign.army_changed("B1", place="alba", came="borea")
    handed = brief(campaign, "alba", pair(campaign, "B1", "A1"), 4)
    attacker, defender = handed.sides
    assert (handed.id, handed.place, handed.fortress) == ("b4", "alba", True)
    assert handed.terrain == "hills"
    assert sum(unit.figures for unit in attacker.units) == 12
    assert sum(unit.figures for unit in defender.units) == 12  # one lost, the guard present
    assert {unit.id: unit.figures for unit in defender.units}["hired_celts"] == 2
    assert defender.rights["once"] == ["war_priest"]
    assert defender.rights["engineer"] and defender.rights["guard"]
    assert defender.rights["mercenaries"] == ["celts", "celts"]
    assert attacker.rights["once"] == []


def test_the_brief_says_what_land_it_is():
    campaign = realm("AB").army_changed("B1", place="dax", came="borea")
    inland = pair(campaign, "B1", "A1")
    assert brief(campaign, "dax", inland, 1).terrain == ""  # the map does not say
    assert brief(campaign, "alba|borea", inland, 1).terrain == ""
    sea = fleet(fleet(realm(), "A", "west"), "B", "west")
    assert brief(sea, "west", pair(sea, "AF7", "BF7"), 1).terrain == "sea"
    assert {province.terrain for province in load_atlas().provinces} == set(TERRAINS)


def test_losses_come_off_the_units_that_had_them():
    campaign = realm()
    army = campaign.army_changed("A1", stands=(OWN,) * 11 + ("celts",)).armies["A1"]
    first = units(campaign, army)[0]
    after = after_losses(campaign, army, {first.id: first.figures, "hired_celts": 1, GUARD: 1})
    assert after.stands.count(LOST) == first.figures + 1
    assert after.strength == 12 - first.figures - 1


def test_a_report_takes_stands_and_rights_and_the_loser():
    campaign = specialist(realm("AB"), "B", "priest", god="war", joins="B1")
    campaign = campaign.army_changed("B1", place="alba", came="borea")
    unit = units(campaign, campaign.armies["B1"])[0].id
    report = Report("b1", 0, (Loss(f"B.{unit}", 1),), spent=("B.war_priest",))
    stage = Stage(campaign, ("MN-B.3", "alba", "B1", "A1", report))
    assert list(stage.campaign.armies) == ["B1"]
    assert sum([unit.figures for unit in units(stage.campaign, stage.campaign.armies["B1"])]) == 11
    assert stage.campaign.specialists == {}
    assert stage.campaign.seats["B"].year.victories == 1
    assert stage.told("MN-6.7")[0]["by"] == "MN-6.2"


def besieger(campaign):
    """A1 besieges dax, which is C's."""
    campaign = campaign.land_changed("dax", owner="C", siege=Siege("A", 1))
    return campaign.army_changed("A1", place="dax")


def test_a_siege_that_ends_with_its_besieger_is_told():
    campaign = besieger(realm("ABC", turn=2)).changed("A", treasury=0)
    stage = Stage(campaign, ("MN-F5/phase",), dice=(52, 52, 52)).silent()
    assert stage.told("MN-F4", "army_disbanded")
    assert stage.event("MN-6.11", "siege_ends").data == {"seat": "A", "place": "dax"}
    lost = besieger(realm("ABC", turn=2)).land_changed("alba", owner="B")
    stage = Stage(lost, ("MN-6.12",))
    assert stage.told("MN-6.12", "eliminated")
    assert stage.event("MN-6.11", "siege_ends").data["place"] == "dax"


def test_by_which_rule_a_beaten_army_goes():
    campaign = realm("ABC").land_changed("dax", owner="C")
    assert defeat_rule(campaign, "dax", "A", "C") == "MN-6.2"
    assert defeat_rule(campaign, "dax", "C", "A") == "MN-6.7"
    assert defeat_rule(campaign, "dax", "A", "B") == "MN-7.7"
    besieged = campaign.land_changed("dax", siege=Siege("A", 1))
    assert defeat_rule(besieged, "dax", "C", "A") == "MN-6.11"
    assert defeat_rule(besieged, "dax", "B", "A") == "MN-7.7"
    allied = treaty(besieged, "alliance", "B", "C")
    assert defeat_rule(allied, "dax", "B", "A") == "MN-6.11"


def test_a_sunk_fleet_takes_its_army_and_its_specialists_along():
    campaign = fleet(realm("AB"), "A", "west").army_changed("A1", place="AF7")
    campaign = specialist(campaign, "A", "engineer", joins="A1")
    sunk = campaign.without_fleet("AF7")
    assert list(sunk.armies) == ["B1"] and not sunk.fleets and not sunk.specialists


# The umpire between two fields -------------------------------------------------------------------


def two_fields(**options):
    """A1 invades corva, C's; in gaza D1 is exhausted, attacked by B1, and may retreat two ways."""
    campaign = owning(realm("ABCD", resolver="tabletop", **options), "D", "helos")
    campaign = campaign.land_changed("faro", owner=None).army_changed("B1", place="gaza")
    campaign = campaign.army_changed("D1", place="gaza", exhausted=1, bore=True)
    return campaign.army_changed("A1", place="corva", came="borea")


def fought(campaign, **more):
    """The stage of the provinces, once B has decided to fight whom he meets in gaza."""
    return Stage(campaign, ("MN-7.7",), **more).say("B", fight_gaza=["D"])


GIVES_WAY, TAKEN = 5, 10
"""The exhausted army's die, by which it retreats (MN-7.2), and the one that wins gaza (MN-5.1)."""


def test_MN_7_5_and_5_2_the_force_that_is_met_and_what_is_to_be_won_stand_beside_the_choice():
    stage = Stage(two_fields(), ("MN-7.7",), dice=(GIVES_WAY, TAKEN))
    part, whom = next(stage.request.options("B").fill())
    assert (part, whom.words) == ("fight.gaza", ("D",))
    assert whom.fact("D") == Fact("force", {"pieces": ["D1"], "stands": 12})
    stage.say("B", fight_gaza=["D"]).act("place.A1", "alba").answer("D", "faro")
    market = local_market(stage.campaign.atlas, "gaza")
    won = {word: stage.request.options("B").fact(word) for word in ("take", "pillage")}
    assert won == {
        "take": Fact("yields", {"value": market}), "pillage": Fact("once", {"value": market})
    }  # fmt: skip


def test_MN_7_4_who_was_to_fight_and_is_moved_by_the_umpire_does_not():
    stage = fought(two_fields(), dice=(GIVES_WAY, TAKEN))
    assert [piece.id for piece in next_duel(stage.campaign, "corva")] == ["A1", "C1"]
    stage.act("place.A1", "alba").answer("D", "faro")
    assert stage.campaign.armies["A1"].place == "alba" and not stage.told("MN-B.1")
    assert stage.campaign.owner("corva") == "C"
    assert stage.answer("B", "take").over


def test_MN_7_4_another_army_of_his_takes_the_place_of_one_that_the_umpire_has_moved():
    campaign = two_fields()
    second = replace(campaign.armies["A1"], id="A2")
    stage = fought(campaign.with_army(second), dice=(GIVES_WAY,))
    stage.act("place.A1", "alba").answer("D", "faro")
    assert [told["place"] for told in stage.told("MN-B.1", "land")] == ["corva"]
    ((brief, _),) = stage.runner.branches
    assert [side.rights["army"] for side in brief.sides] == ["A2", "C1"]


def test_MN_7_2_an_army_that_the_umpire_has_exhausted_reacts_before_it_fights():
    stage = fought(two_fields(), dice=(GIVES_WAY, 1, TAKEN))
    stage.act("exhausted.C1", 1).answer("D", "faro")
    assert [told["piece"] for told in stage.told("MN-7.2", "destroyed")] == ["C1"]
    assert not stage.told("MN-B.1")


def test_a_victor_whom_the_umpire_puts_aboard_before_his_victory_is_told_has_left():
    campaign = fleet(two_fields(contest_loser="retreats"), "C", "east")
    report = Report("b1", 1)
    campaign = campaign.army_changed("C1", place="CF7")
    stage = Stage(campaign, ("MN-B.3", "corva", "A1", "C1", report))
    assert stage.told("MN-B.1", "won")[0]["seat"] == "C"
    assert not stage.campaign.fields["corva"].victors


# Retreats ----------------------------------------------------------------------------------------


def pillager_by_a_foreign_fleet():
    """A1 has pillaged helos, far from home; B's fleet lies off the coast, and is at peace."""
    campaign = fleet(realm("ABD", rescue_fleet="any"), "B", "east")
    campaign = treaty(campaign, "non_aggression", "A", "B")
    return campaign.army_changed("A1", place="helos", came="gaza").without_army("D1")


FALLS_BACK = ("MN-6.3/falls_back", "A1", "helos", ())


def test_a_pillager_embarks_on_another_s_fleet_by_the_variant():
    stage = Stage(pillager_by_a_foreign_fleet(), FALLS_BACK).answer("B", "yes")
    army = stage.campaign.armies["A1"]
    assert (army.place, army.exhausted) == ("BF7", 1)


@pytest.mark.parametrize(
    "item",
    [
        ("MN-5.3", "A1", "dax", "", 1, ()),
        ("MN-7.2/retreat", "A1", "dax", ""),
        ("MN-6.3/falls_back", "A1", "dax", ()),
    ],
)
@pytest.mark.parametrize("place", ["AF7", "borea"])
def test_MN_5_3_an_army_that_the_umpire_has_moved_has_left_already(item, place):
    campaign = fleet(realm("AB"), "A", "west").army_changed("A1", place=place)
    stage = Stage(campaign, item)
    assert stage.over and stage.campaign == campaign and not stage.events


def test_MN_5_3_an_army_that_retreats_again_is_no_fresher():
    campaign = realm("AB").army_changed("A1", place="borea", exhausted=2)
    stage = Stage(campaign, ("MN-5.3", "A1", "borea", "", 1, ()))
    assert stage.told("MN-5.3", "retreats")
    assert (stage.campaign.armies["A1"].place, stage.campaign.armies["A1"].exhausted) == ("alba", 2)


def test_a_pillager_whom_nobody_takes_aboard_stays():
    stage = Stage(pillager_by_a_foreign_fleet(), FALLS_BACK).answer("B", "no")
    army = stage.campaign.armies["A1"]
    assert (army.place, army.exhausted) == ("helos", 1)
    assert stage.told("MN-6.3", "stays")


# Garrisons ---------------------------------------------------------------------------------------


def test_a_province_is_pillaged_once_a_turn_and_the_second_garrison_is_told():
    campaign = realm("ABC").land_changed("dax", owner="C")
    for seat in "AB":
        campaign = campaign.army_changed(f"{seat}1", place="dax")
    orders = {seat: Orders(plunders={f"{seat}1": "dax"}) for seat in "AB"}
    stage = Stage(replace(campaign, orders=orders), ("MN-6.10",))
    assert stage.event("MN-6.10", "plundered").data["seat"] == "A"
    assert stage.event("MN-6.10", "bare").data["seat"] == "B"


# What always holds -------------------------------------------------------------------------------

GONE = {
    "MN-6.7.destroyed", "MN-7.2.destroyed", "MN-5.3.no_refuge", "MN-B.4.no_stands",
    "MN-F4.army_disbanded",
}  # fmt: skip
"""Events that name an army that is no more."""

ELSEWHERE = {"MN-8.1.sunk", "MN-F4.fleet_disbanded", "MN-F5.storm", "MN-F7.falls"}
"""Events by which armies go that they name otherwise, or not at all."""


@pytest.mark.parametrize("seed", range(8))
def test_no_army_comes_or_goes_untold_and_no_stand_is_made_or_lost_for_nothing(seed):
    rng = random.Random(seed)
    options = {c.name: rng.choice(c.values) for c in SYSTEM.options if not c.number}
    setup = {"players": {code: {"treasury": 600} for code in "ABCD"}}
    header = new_header("mare_nostrum", seats=4, seed=seed, setup=setup, options=options)
    events = []
    game = Game(header, publish=events.append)
    game.settle()
    known = set(game.state.armies)
    for _ in range(250):
        if game.over or not game.requests():
            break
        names = Counter(f"{event.rule}.{event.kind}" for event in events)
        for event in events:
            name = f"{event.rule}.{event.kind}"
            if name == "MN-2.6.army":
                known.add(event.data["piece"])
            elif name in GONE:
                known.discard(event.data["piece"])
            elif name == "MN-6.12.eliminated":
                known = {army for army in known if army[0] != event.data["seat"]}
        if ELSEWHERE & set(names):
            known &= set(game.state.armies)
        events.clear()
        assert set(game.state.armies) == known
        assert not faults(game.state)
        for army in game.state.armies.values():
            assert len(army.stands) == 12
            if game.state.phase != "military" and options["stand_losses"] == "refill":
                assert LOST not in army.stands
        for seat in game.state.seats.values():
            assert game.state.phase == "military" or not seat.guard_lost
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
