"""Chapter AT-5: taxes, fortresses, purchases, reorganisation (AT-5.1 to AT-5.6)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from polemarque.systems.atlantide.chapters.taxes_and_purchases import MOST_LINES, _sheet
from polemarque.systems.atlantide.setup.catalogue import load_catalogue
from polemarque.systems.atlantide.troops import Army, Duty, army_points
from tests.systems.atlantide.table import Table
from tests.systems.atlantide.wars import agreed, army, general, hero, owned, slingers, spearmen, war

NONE = {"buy.1": "end"}
MYCENAEANS = load_catalogue().peoples["mycenaeans"]


def two(a="m2", b="a2", **seat):
    state = war(A=a, B=b, C=None)
    for code in ("A", "B", "C"):
        state = state.changed(code, catalogue="mycenaeans")
    state = replace(state, turn=2, phase="loot").changed("C", eliminated=1)
    return state.changed("A", **seat) if seat else state


def bought(sheet, state=None):
    table = Table(state or two(), ("AT-5.2",)).say("A", sheet)
    return table.silent("B")


def sheet(**parts):
    """A sheet of A's, which stands in a plain territory and has three places to fortify."""
    return {"fortresses": (), "buy.1": "end", **{k.replace("_", "."): v for k, v in parts.items()}}


# Taxes -------------------------------------------------------------------------------------------


def test_AT_5_1_taxes_come_before_anything_is_bought_and_are_private():
    table = Table(two(), ("AT-5/phase",))
    event = next(e for e in table.events if e.rule == "AT-5.1" and e.data["seat"] == "A")
    assert event.data["loot"] == 45 == sum(m.amount for m in event.modifiers)
    assert event.audience == ("A",) and table.war.loot("A") == 295
    assert table.war.row("A").taxes == 45
    assert table.request.seats == ("A", "B")


def test_AT_5_1_there_are_none_on_the_first_turn():
    table = Table(replace(two(), turn=1), ("AT-5.1",))
    assert table.over and not table.events and table.war.loot("A") == 250


def test_AT_5_1_an_enemy_army_keeps_them_unless_it_tolerates_them():
    state = two(b="m1")
    assert Table(state, ("AT-5.1",)).told("AT-5.1", "taxes")[0]["loot"] == 20
    tolerant = agreed(state, "tax", "B", "A", "m1")
    assert Table(tolerant, ("AT-5.1",)).told("AT-5.1", "taxes")[0]["loot"] == 45


def test_AT_5_1_an_absent_player_collects_too():
    assert Table(two(absent=True), ("AT-5.1",)).war.loot("A") == 295


# Fortresses --------------------------------------------------------------------------------------


def test_AT_5_3_fortresses_are_built_at_once_and_seen_by_all():
    table = bought({"fortresses": ("m1", "m2"), "fortresses_more": ("m2",), "buy.1": "end"})
    lands = table.war.lands
    assert (lands["m1"].fortresses, lands["m2"].fortresses) == (1, 2)
    assert table.war.loot("A") == 100
    assert [e.audience for e in table.events if e.rule == "AT-5.3"] == [None] * 3
    assert table.war.row("A").fortresses == ("m1", "m2", "m2")


def test_AT_5_3_two_at_most_on_own_land_without_enemy_army():
    state = two(b="m1").fortified("m2").fortified("m2")
    table = Table(state, ("AT-5.2",))
    for place in ("m1", "m2", "a1"):
        refusal = table.refused("A", sheet(fortresses=(place,)))
        assert refusal.data["in_part"] == "fortresses"


def test_AT_5_5_an_order_that_overspends_is_refused_whole():
    table = Table(two(loot=120), ("AT-5.2",))
    assert table.refused("A", sheet(fortresses=("m1", "m2", "m3"))).data["in_part"] == "fortresses"
    state = two(a=army("m2", spearmen(figures=10)), loot=30)
    refusal = Table(state, ("AT-5.2",)).refused("A", {"refill.1": 5, "buy.1": "end"})
    assert (refusal.code, refusal.rule) == ("loot.overspent", "AT-5.5")
    assert refusal.legal == ("0-3",)


# Purchases ---------------------------------------------------------------------------------------


def test_AT_5_2_whole_units_wait_for_phase_8():
    table = bought(sheet() | {"buy.1": "mycenaean_slingers", "figures.1": 10, "buy.2": "end"})
    (waiting,) = table.war.seats["A"].waiting
    assert (waiting.cause, waiting.place, waiting.due) == ("bought", None, 2)
    assert waiting.units[0].figures == 10 and waiting.units[0].id == 10
    assert table.war.loot("A") == 210 and table.war.seats["A"].next_id == 11
    assert table.event("AT-5.2", "bought").audience == ("A",)
    assert table.war.row("A").spent == 40


def test_AT_5_2_single_figures_fill_a_unit_up():
    state = two(a=army("m2", spearmen(figures=18, full=20)))
    table = bought({"fortresses": (), "refill.1": 2, "buy.1": "end"}, state)
    (waiting,) = table.war.seats["A"].waiting
    assert (waiting.units[0].id, waiting.units[0].figures) == (1, 2)
    assert table.war.loot("A") == 250 - 16  # 2 × 155/20, rounded up
    assert (
        Table(state, ("AT-5.2",))
        .refused("A", {"fortresses": (), "refill.1": 3, "buy.1": "end"})
        .code
        == "answer.amount"
    )


def test_AT_5_2_a_unit_is_of_his_people_and_of_its_size():
    table = Table(two(), ("AT-5.2",))
    assert table.refused("A", sheet(buy_1="trojan_levy")).data["in_part"] == "buy.1"
    small = sheet() | {"buy.1": "mycenaean_slingers", "figures.1": 7, "buy.2": "end"}
    assert table.refused("A", small).legal == ("8-20",)


def test_AT_1_14_a_general_is_bought_for_an_army_to_come_only():
    table = Table(two(), ("AT-5.2",))
    assert table.refused("A", sheet(buy_1="mycenaean_lawagetas")).data["in_part"] == "buy.1"
    dead = two(a=army("m2", lead=False))
    assert (
        "mycenaean_lawagetas" not in Table(dead, ("AT-5.2",)).refused("A", sheet(buy_1="?")).legal
    )
    state = two(a=None)
    table = Table(state, ("AT-5.2",))
    table.say("A", sheet() | {"buy.1": "mycenaean_lawagetas", "buy.2": "end"}).silent("B")
    assert table.war.seats["A"].waiting[0].characters[0].general
    again = Table(table.war, ("AT-5.2",))
    legal = again.refused("A", sheet(buy_1="?")).legal
    assert "mycenaean_lawagetas" not in legal


def test_AT_2_3_what_is_bought_is_a_secret():
    rich = bought(sheet() | {"buy.1": "mycenaean_slingers", "figures.1": 10, "buy.2": "end"})
    poor = bought(sheet())
    assert rich.seen_by("B") == poor.seen_by("B") and rich.seen_by("A") != poor.seen_by("A")


def test_silence_buys_nothing():
    table = Table(two(a=army("m1", spearmen(figures=9))), ("AT-5.2",)).silent()
    assert table.over and table.war.loot("A") == 250 and not table.war.seats["A"].waiting


# Reorganisation ----------------------------------------------------------------------------------


def reorganising(force, **parts):
    table = Table(two(a=force), ("AT-5.2",))
    return table, {"reorganise": "yes", "fortresses": (), "buy.1": "end", **parts}


def test_AT_5_4_a_list_is_rebuilt_within_its_points_and_does_not_move():
    band = slingers(2, figures=10, full=10, warband="yes", die=3)
    table, order = reorganising(army("m1", spearmen(), band))
    order |= {"keep": (2,), "new.1": "mycenaean_archers", "new_figures.1": 10, "new.2": "end"}
    table.say("A", order).silent("B")
    after = table.war.army("A")
    assert [unit.profile for unit in after.units] == ["slingers", "mycenaean_archers"]
    assert after.units[0].die == 3 and after.units[1].id == 10
    assert not after.may_move and after.general and table.war.loot("A") == 250
    assert army_points(after) <= army_points(army("m1", spearmen(), band))
    assert table.event("AT-5.4", "reorganised").audience == ("A",)


def test_AT_5_4_broken_units_that_stay_count_exactly():
    """General 120, 19 figures of 7 3/4, a whole unit of 155: 422 in all, and 422 again."""
    force = army("m1", spearmen(1, 19), spearmen(2, 20))
    assert army_points(force) == 422
    table, order = reorganising(force)
    order |= {"keep": (1,), "new.1": "mycenaean_spearmen", "new_figures.1": 20, "refill.1": 0}
    table.say("A", order).silent("B")
    assert army_points(table.war.army("A")) == 422
    table, order = reorganising(force)
    order |= {"keep": (1,), "new.1": "mycenaean_spearmen", "new_figures.1": 21}
    assert table.refused("A", order).code == "answer.amount"


def test_AT_5_4_only_in_a_city_he_owns_and_not_under_a_duty():
    refused = {"reorganise": "yes"}
    for state in (
        two(a="m2"),
        owned(two(a="m1"), "B", "m1"),
        two(a=army("m1", duty=Duty("leave"))),
    ):
        parts = Table(state, ("AT-5.2",)).refused("A", refused)
        assert parts.code == "answer.part_missing"


def test_AT_5_4_a_new_general_only_if_the_old_one_died():
    table, order = reorganising(army("m1", spearmen()))
    order |= {"keep": (), "new.1": "mycenaean_lawagetas"}
    assert table.refused("A", order).data["in_part"] == "new.1"
    table, order = reorganising(army("m1", spearmen(), lead=False))
    assert table.refused("A", order | {"keep": ()}).data["in_part"] == "keep"
    dead = army("m1", spearmen(), slingers(), lead=False)
    table, order = reorganising(dead)
    order |= {"keep": (2,), "new.1": "mycenaean_lawagetas"}
    table.say("A", order).silent("B")
    assert table.war.army("A").general.profile == "mycenaean_lawagetas"
    assert army_points(table.war.army("A")) <= army_points(dead)


def test_AT_5_4_no_more_than_the_present_points():
    table, order = reorganising(army("m1", spearmen()))
    order |= {"keep": (), "new.1": "mycenaean_archers", "new_figures.1": 22}
    assert table.refused("A", order).data["in_part"] == "new_figures.1"


def test_AT_1_6_new_warbands_roll_their_die():
    table, order = reorganising(army("m1", spearmen(), spearmen(2)))
    order |= {"keep": (1,), "new.1": "mycenaean_tribesmen", "new_figures.1": 20}
    table.left = [2]
    table.say("A", order).silent("B")
    assert table.over and table.war.army("A").units[1].die == 2


@st.composite
def reorganisations(draw):
    """An army of the catalogue after losses, in its city, and a random way through the sheet."""
    profiles = [p for p in MYCENAEANS.units if not p.is_character]
    units = []
    for number in range(1, draw(st.integers(1, 7)) + 1):
        profile = draw(st.sampled_from(profiles))
        full = draw(st.integers(*profile.size))
        units.append(replace(profile.unit(number, full), figures=draw(st.integers(1, full))))
    heroes = (hero(60),) * draw(st.integers(0, 1))
    lead = (general(61),) * draw(st.integers(0, 1))
    state = two(a=Army(tuple(units), (*heroes, *lead), "m1"), loot=draw(st.integers(0, 600)))
    return state.changed("A", next_id=70), draw(st.randoms(use_true_random=False))


@settings(max_examples=60)
@given(reorganisations())
def test_AT_5_4_every_way_through_keeps_the_points_and_the_budget(drawn):
    state, rng = drawn
    before = state.army("A")
    table = Table(state, ("AT-5.2",))
    answer = table.request.options("A").sample(rng)
    table.left = [2] * 20
    table.say("A", answer).silent("B")
    after, seat = table.war.army("A"), table.war.seats["A"]
    assert army_points(after) <= army_points(before)
    assert sum(c.general for c in after.characters) <= 1 and not after.gone
    assert bool(after.general) >= bool(before.general)
    spent = state.loot("A") - seat.loot
    assert 0 <= spent <= state.loot("A")
    ids = [m.id for m in (*after.units, *after.characters)]
    ids += [u.id for w in seat.waiting for u in w.units if u.id >= 70]
    assert len(set(ids)) == len(ids) and max(ids) < seat.next_id
    assert after.may_move == (answer.get("reorganise") != "yes")


def test_a_long_purse_buys_no_more_lines_than_the_sheet_has():
    state = two(loot=5000)
    parts = [part for part, _ in _last_way(_sheet(state, "A").fill())]
    assert parts[-1].startswith(("buy.", "figures.")) and f"buy.{MOST_LINES + 1}" not in parts


def _last_way(filling):
    """A sheet filled with the last word of each choice and the least of each amount."""
    part, options = next(filling)
    try:
        while True:
            yield part, options
            words = getattr(options, "words", None)
            value = options.least if words is None else words[-1]
            part, options = filling.send(() if part.startswith("fort") else value)
    except StopIteration:
        return


@pytest.mark.parametrize("turn", [2, 5])
def test_AT_4_3_a_tolerance_broken_at_the_start_of_the_phase_costs_the_taxes(turn):
    state = agreed(two(b="m1"), "tax", "B", "A", "m1", last_turn=9)
    state = replace(state, turn=turn, talked=True, phase="loot")
    table = Table(state, ("AT-4.3",), ("AT-5.1",)).say("B", ("break.1.loot",))
    assert table.silent("A").told("AT-5.1", "taxes")[0]["loot"] == 20
