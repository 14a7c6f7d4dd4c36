"""Chapter AT-6: convoys let through, and what an army without supply does (AT-6.1 to AT-6.4)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from polemarque.kernel.dice import Scripted
from polemarque.odds.run_once import run_procedure
from polemarque.systems.atlantide.chapters.provisions import Want, effect_of, want_of_supply
from polemarque.systems.atlantide.strength import force_total
from polemarque.systems.atlantide.supply import is_supplied
from polemarque.systems.atlantide.troops import Duty
from tests.systems.atlantide.table import Table
from tests.systems.atlantide.wars import (
    agreed,
    army,
    chosen,
    hero,
    owned,
    slingers,
    spearmen,
    war,
)

ROWS = {
    0: (-1, 1, False), 1: (-1, 1, False), 2: (-1, 0, False), 3: (-1, 1, True), 4: (0, 1, True),
    5: (0, 1, True), 6: (0, 0, True), 7: (0, 0, True),
}  # fmt: skip


def asked(earlier, loot, *dice, variant="earlier"):
    return run_procedure(lambda: want_of_supply.run(earlier, loot, variant), Scripted(dice)).value


@pytest.mark.parametrize(("total", "row"), ROWS.items())
def test_AT_6_3_the_table(total, row):
    ld, desert, moves = row
    earlier, loot = max(0, 3 - total), max(0, total - 3) * 50
    want = asked(earlier, loot, *((3, 5) if desert else (3,)))
    assert want == Want(ld, 5 * desert, moves)


def test_AT_5_6_per_full_50():
    assert asked(0, 99, 5) == Want(0, 0, True)
    assert asked(0, 49, 5, 2) == Want(0, 2, True)


def test_AT_6_3_variant_including_counts_this_turn():
    assert asked(0, 0, 6, 4, variant="including") == Want(0, 4, True)
    assert asked(0, 0, 6) == Want(0, 0, True)


def hungry(**more):
    """A's army far from home, past land that nobody holds."""
    force = army("h2", spearmen(), slingers(), **more)
    return replace(owned(war(A=force, B="a2"), None, "m3"), phase="supply")


def test_AT_6_1_a_supplied_army_is_told_to_all_with_its_chain():
    table = Table(war(A="m2", B="a3"), ("AT-6/phase",))
    assert table.over
    assert table.told("AT-6.1", "supplied") == [
        {"seat": "A", "chain": ("m2", "m1")}, {"seat": "B", "chain": ("a3", "a2", "a1")},
    ]  # fmt: skip
    assert table.war.row("A").supplied is True


def test_AT_6_1_supply_ends_the_count_of_turns_without():
    table = Table(war(A=army("m2", unsupplied=3, supplied=False), B="a2"), ("AT-6/phase",))
    assert table.war.army("A").unsupplied == 0 and table.war.army("A").supplied


def test_AT_6_3_loot_that_the_umpire_has_taken_away_is_not_spent():
    """It was set aside while another army's deserters were still to be chosen."""
    poor = hungry()
    poor = poor.paying("A", poor.loot("A") - 20)
    table = Table(poor, ("AT-6.3", "A", 50), dice=(6,))
    assert table.told("AT-6.3")[0]["spent"] == 20
    assert table.war.loot("A") == 0


def test_AT_6_3_the_variant_that_counts_this_turn_holds_in_a_campaign():
    state = hungry()
    state = replace(state, options=replace(state.options, supply_count="including"))
    table = Table(state, ("AT-6.3", "A", 0), dice=(6, 2))  # 6 - 1: a D6 desert
    assert [told["deserters"] for told in table.told("AT-6.3")] == [2]
    table = Table(hungry(), ("AT-6.3", "A", 0), dice=(6,))
    assert [told["deserters"] for told in table.told("AT-6.3")] == [0]


def test_AT_6_3_an_army_that_reorganised_stays_however_the_die_falls():
    table = Table(hungry(may_move=False), ("AT-6.3", "A", 0), dice=(6,))
    assert not table.war.army("A").may_move
    assert Table(hungry(), ("AT-6.3", "A", 0), dice=(6,)).war.army("A").may_move


def test_AT_6_3_loot_is_named_before_the_die_in_fifties():
    table = Table(hungry(), ("AT-6/phase",), dice=(5,))
    assert table.request.seats == ("A",)
    refusal = table.refused("A", 60)
    assert (refusal.code, refusal.rule) == ("loot.fifties", "AT-5.6")
    assert table.refused("A", 300).rule == "AT-5.5"
    table.say("A", 50)
    assert table.over and table.war.loot("A") == 200
    after = table.war.army("A")
    assert not after.supplied and after.unsupplied == 1 and after.may_move
    event = table.event("AT-6.3", "none")
    assert [(m.amount, m.reason) for m in event.modifiers] == [(1, "bargain")]
    assert event.audience is None


def test_AT_6_3_all_the_hungry_are_asked_at_once():
    state = owned(owned(war(A="h2", B="h1"), None, "m3"), None, "a3")
    table = Table(state, ("AT-6/phase",), dice=(6, 6))
    assert table.request.seats == ("A", "B")
    assert table.silent().over


def test_AT_6_4_leadership_falls_for_everybody_and_the_army_refuses_to_move():
    state = hungry(unsupplied=1)
    before = state.army("A")
    table = Table(state, ("AT-6/phase",), dice=(2, 3)).silent("A").say("A", {"unit.2": 3})
    after = table.war.army("A")
    assert table.over and (after.army_ld, after.may_move, after.unsupplied) == (-1, False, 2)
    assert after.leadership == before.leadership - 1
    assert force_total(after) == force_total(before) - 1
    assert after.figures_of(2) == 7
    assert table.told("AT-6.4", "leadership") == [{"seat": "A", "ld": -1}]
    assert table.war.row("A").supply == "mutiny" and table.war.row("A").supplied is False


def test_AT_3_3_omen_and_hunger_add_up():
    table = Table(hungry(general_ld=-1), ("AT-6/phase",), dice=(2,)).silent()
    assert table.war.army("A").leadership == 6


def test_AT_6_4_without_general_the_characters_feel_it():
    force = replace(army("h2", lead=False), characters=(hero(ld=8),))
    state = owned(war(A=force, B="a2"), None, "m3")
    table = Table(state, ("AT-6/phase",), dice=(2,)).silent()
    assert table.war.army("A").army_ld == -1


def test_AT_2_4_an_absent_player_rolls_without_spending():
    table = Table(hungry().changed("A", absent=True), ("AT-6/phase",), dice=(4, 2))
    assert table.over and table.war.loot("A") == 250 and table.war.army("A").figures_of(2) == 8


def test_AT_6_2_a_supply_passage_must_be_declared_in_public():
    state = owned(hungry(), "B", "m3")
    state = replace(agreed(state, "supply", "B", "A", "m3"), talked=True)
    held = Table(state, ("AT-6/phase",), dice=(6,)).silent("A").say("B", ("hold.1",)).silent()
    assert held.told("AT-6.1", "unsupplied") and not held.told("AT-6.2")
    table = Table(state, ("AT-6/phase",)).silent("A", "B")
    assert table.over and table.told("AT-6.1", "supplied")[0]["chain"] == ("h2", "m3", "m2", "m1")
    assert table.event("AT-6.2", "declared").audience is None
    assert is_supplied(table.war, "A")
    assert not is_supplied(table.war.next_turn(), "A")


def test_AT_6_2_only_who_grants_it_holds_it_back():
    state = replace(agreed(owned(hungry(), "B", "m3"), "supply", "B", "A", "m3"), talked=True)
    assert Table(state, ("AT-6/phase",)).refused("A", ("hold.1",)).code == "answer.several_of"


def test_AT_6_2_a_passage_that_no_army_needs_stays_secret():
    state = agreed(owned(hungry(), "B", "m3"), "supply", "A", "B", "m2")
    table = Table(replace(state, talked=True), ("AT-6/phase",), dice=(6,)).silent("A", "B")
    assert not table.told("AT-6.2")


def test_AT_6_2_nobody_is_asked_while_all_are_supplied_or_nobody_has_talked():
    state = agreed(war(A="m2", B="a2"), "supply", "B", "A", "a2")
    assert Table(replace(state, talked=True), ("AT-6/phase",)).over
    table = Table(hungry(), ("AT-6/phase",), dice=(6,))
    assert table.request.rule == "AT-6.1"


def test_AT_6_1_a_beaten_army_blocks_nothing():
    state = war(A="m3", B=army("m2", duty=Duty("beaten")))
    assert Table(state, ("AT-6.1",), dice=(6,)).told("AT-6.1", "supplied")[0]["seat"] == "A"


def test_AT_6_1_variant_any_city():
    state = owned(war(A="a2", B="m3"), "A", "a1", "a2", "a3")
    state = owned(state, "B", "m1")
    told = Table(chosen(state, supply_city="any"), ("AT-6.1",), dice=(6,)).told(
        "AT-6.1", "supplied"
    )
    assert told[0] == {"seat": "A", "chain": ("a2", "a1")}
    own = Table(chosen(state, supply_city="own"), ("AT-6.1",), dice=(6, 6))
    assert "A" in own.request.seats


@pytest.mark.parametrize(
    ("want", "effect"),
    [(Want(-1, 3, False), "mutiny"), (Want(-1, 0, False), "refusal"), (Want(-1, 2, True), "anger"),
     (Want(0, 2, True), "desertion"), (Want(0, 0, True), "none")],
)  # fmt: skip
def test_AT_6_3_each_effect_has_its_word(want, effect):
    assert effect_of(want) == effect


def test_AT_6_3_an_army_can_desert_to_the_last_man():
    state = owned(war(A=army("h2", spearmen(figures=3), lead=False), B="a2"), None, "m3")
    table = Table(state, ("AT-6/phase",), dice=(1, 5)).silent()
    assert table.over and table.war.army("A") is None and table.told("AT-1.15", "gone")


def test_AT_6_1_nothing_for_food_is_asked_once_more_of_who_could_pay():
    rich = Table(hungry(), ("AT-6.1",)).request
    assert (rich.warning("A", 0), rich.warning("A", 50)) == ("hungry", "")
    poor = hungry()
    poor = poor.paying("A", poor.loot("A"))
    assert Table(poor, ("AT-6.1",)).request.warning("A", 0) == ""
