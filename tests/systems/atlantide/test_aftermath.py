"""After the battle (AT-8.6 to AT-8.9, AT-8.12, AT-8.13), fought on the table."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.bridges.tabletop import blank
from polemarque.kernel.battle_brief import Loss, Report
from polemarque.kernel.errors import NotAllowed
from polemarque.systems.atlantide.adjust import adjust
from polemarque.systems.atlantide.battle_brief import hired
from polemarque.systems.atlantide.chapters.aftermath import victory_points
from polemarque.systems.atlantide.state import Battle, Guest, War
from polemarque.systems.atlantide.troops import Duty, Toll
from tests.systems.atlantide.field import Field
from tests.systems.atlantide.table import Table
from tests.systems.atlantide.wars import (
    army,
    chosen,
    general,
    hero,
    owned,
    slingers,
    spearmen,
    war,
)

PHASE = ("AT-8/phase",)


def forces(place: str = "m2") -> War:
    """A of spearmen, slingers, a hero and a general has entered last; B likewise was there."""
    a = army(place, spearmen(1), slingers(2), entered=2, start="m3")
    b = army(place, spearmen(1), slingers(2), entered=1, start="e2")
    state = war(A=replace(a, characters=(general(), hero())), B=b)
    return chosen(state, resolver="tabletop")


def at_the_table(state: War) -> tuple[Field, dict[str, Any]]:
    """A battle on the table up to its return sheet, and that sheet while it is blank."""
    field = Field(state, PHASE, dice=(1, 1, 1, 1, 1, 1, 1))
    field.until("AT-8.1").say("A", "frontal").say("B", "frontal").until("PA-2/return_sheet")
    ((brief, _),) = field.runner.branches
    return field, blank(brief)


def returned(field: Field, sheet: dict[str, Any], *dice: int) -> Field:
    """Both return the same sheet; what is wiped out has nobody who left."""
    sheet = {
        name: value
        for name, value in sheet.items()
        if not (name.startswith("left.") and value is None)
    }
    field.left += dice
    return field.say("A", sheet).say("B", sheet)


def fought(state: War, *dice: int, **counted: Any) -> Field:
    """A battle fought to its end; parts of the sheet are written with _ for their dots."""
    field, sheet = at_the_table(state)
    return returned(
        field, sheet | {name.replace("_", "."): value for name, value in counted.items()}, *dice
    )


def figures(field: Field, seat: str) -> list[int]:
    return [unit.figures for unit in field.war.army(seat).units]


# Victory points (AT-8.6) -------------------------------------------------------------------------


def test_AT_8_6_the_table_of_victory_points():
    mine = army("m2", spearmen(1, 20), spearmen(2, 10), slingers(3))
    mine = replace(mine, characters=(general(points=120), hero(points=70)))
    counts = {
        "broken.B.1": "yes", "broken.B.2": "yes", "broken.B.3": "no",
        "quarters.A": 3, "standards.A": 2, "army_standard.A": "yes",
        "quarters.B": 1, "broken.A.1": "yes",
    }  # fmt: skip
    fates = {"B.9": "fled", "B.8": "killed", "A.9": "duel"}
    points = victory_points("A", "B", mine, counts, fates)
    assert [(m.amount, m.reason) for m in points.parts] == [
        (155, "unit_broken"),
        (77, "unit_broken"),  # 10 figures of 7 3/4
        (70, "character_lost"),
        (220, "general_lost"),  # 120 and 100
        (300, "quarters"),
        (200, "unit_standards"),
        (200, "army_standard"),
    ]
    assert points.total == 1222


def test_AT_8_6_broken_units_are_worth_together_what_they_are_exactly_worth():
    """Two halves of a unit are one: rounded down once, not each (AT-1.15)."""
    halves = army("m2", spearmen(1, 10), spearmen(2, 10), spearmen(3, 10))
    broken = {"broken.B.1": "yes", "broken.B.2": "yes", "broken.B.3": "yes"}
    points = victory_points("A", "B", halves, broken, {})
    assert [m.amount for m in points.parts] == [77, 78, 77]
    assert victory_points("A", "B", halves, {**broken, "broken.B.3": "no"}, {}).total == 155


def test_AT_8_6_mercenaries_broken_are_worth_their_points_to_the_enemy():
    state = forces()
    battle = Battle("m2", "A", "B", guests=(Guest("B", "atlantean_mercenaries"),))
    guests = hired(state, battle, "B")
    counts = {"broken.B.guest_1": "yes", "broken.B.guest_3": "yes"}
    points = victory_points("A", "B", army("m2"), counts, {}, guests)
    assert [(m.amount, m.reason) for m in points.parts] == [
        (53, "unit_broken"), (60, "character_lost"),
    ]  # fmt: skip


def counted(state: War, **more: Any) -> Field:
    """A battle to be decided by its counts."""
    field, sheet = at_the_table(state)
    sheet["result"] = "points"
    for seat in "AB":
        sheet |= dict.fromkeys((f"broken.{seat}.1", f"broken.{seat}.2"), "no")
        sheet |= {f"quarters.{seat}": 0, f"standards.{seat}": 0, f"army_standard.{seat}": "no"}
    return returned(field, sheet | {k.replace("_", "."): v for k, v in more.items()})


def test_AT_8_6_the_counts_decide():
    field = counted(forces(), broken_B_1="yes", quarters_A=1, quarters_B=2)
    assert [(e["seat"], e["points"]) for e in field.told("AT-8.6", "points")] == [
        ("A", 255), ("B", 200),
    ]  # fmt: skip
    assert field.told("AT-8.6", "won")[0] == {
        "place": "m2", "winner": "A", "scenario": "pitched_battle",
    }  # fmt: skip


def test_AT_8_13_equal_points_are_a_battle_without_a_winner():
    field = counted(forces(), broken_B_1="yes", broken_A_1="yes")
    assert field.told("AT-8.13", "nobody")
    assert not field.told("AT-8.6", "won")
    assert field.war.row("A").result == field.war.row("B").result == "draw"


def test_AT_8_6_a_declared_winner_needs_no_counts():
    field = fought(forces(), result="defender")
    assert field.told("AT-8.6", "won")[0]["winner"] == "B"
    assert not field.told("AT-8.6", "points")
    assert (field.war.row("A").result, field.war.row("B").result) == ("loser", "winner")


def test_AT_8_6_points_decide_even_for_whom_they_have_cost_everybody():
    gone = {
        "killed_A_1": 20, "left_A_1": None, "killed_A_2": 10, "left_A_2": None,
        "fate_A_9": "killed", "fate_A_8": "killed", "broken_A_1": "yes", "broken_A_2": "yes",
    }  # fmt: skip
    held = {"broken_B_1": "yes", "broken_B_2": "yes", "standards_A": 2, "quarters_A": 3}
    field = counted(forces(), **gone, **held)
    assert [(e["seat"], e["points"]) for e in field.told("AT-8.6", "points")] == [
        ("A", 155 + 40 + 300 + 200), ("B", 155 + 40 + 70 + 220),
    ]  # fmt: skip
    assert field.told("AT-8.6", "won")[0]["winner"] == "A"


# Who comes back (AT-8.7, AT-8.8) -----------------------------------------------------------------

LOSSES = {
    "killed_A_1": 5, "left_A_1": 3, "killed_A_2": 1, "left_A_2": 1,
    "killed_B_1": 7, "left_B_1": 5, "killed_B_2": 10, "left_B_2": None,
}  # fmt: skip
"""Of 20 spearmen and 10 slingers a side."""


def test_AT_8_7_and_8_8_part_of_the_fallen_come_back():
    field = fought(forces(), result="attacker", **LOSSES)
    # A wins: 12 + 5//2 + 3 = 17 spearmen, 8 + 0 + 1 = 9 slingers.
    assert figures(field, "A") == [17, 9]
    # B loses: 8 + 7//4 + 5//2 = 11 spearmen; of 10 slingers 2 come back.
    assert figures(field, "B") == [11, 2]
    back = {e["seat"]: (e["lost"], e["figures"]) for e in field.told("AT-8.7", "back")}
    back |= {e["seat"]: (e["lost"], e["figures"]) for e in field.told("AT-8.8", "back")}
    assert back == {"A": (10, 6), "B": (22, 5)}
    assert field.war.army("A").duty is None
    assert field.war.army("B").duty == Duty("beaten", (Toll(1, 7, 5, 8, 11), Toll(2, 10, 0, 0, 2)))
    assert field.told("AT-8.8", "must_retreat") == [{"seat": "B", "place": "m2"}]


def test_AT_8_13_without_a_winner_both_get_back_as_losers_and_the_last_to_come_leaves():
    field = fought(forces(), result="none", **LOSSES)
    assert figures(field, "A") == [12 + 5 // 4 + 3 // 2, 8 + 0 + 0]
    assert figures(field, "B") == [11, 2]
    assert field.war.army("A").beaten
    assert field.war.army("B").duty is None
    assert field.told("AT-8.8", "must_retreat") == [{"seat": "A", "place": "m2"}]
    assert field.war.owner("m2") == "A"


# Characters (AT-8.9) -----------------------------------------------------------------------------


def test_AT_8_9_killed_he_rolls_killed_in_a_duel_he_is_dead():
    state = forces()
    for die, alive in ((4, [9]), (5, [])):
        field = fought(state, die, result="attacker", fate_A_9="killed", fate_A_8="duel")
        assert [c.id for c in field.war.army("A").characters] == alive
    kinds = [(e.kind, e.data["name"]) for e in field.events if e.rule == "AT-8.9"]
    assert kinds == [("dead", "general"), ("duel", "hero")]
    assert field.event("AT-8.9", "dead").audience == ("A", "B")


def test_AT_8_9_who_fled_is_back():
    field = fought(forces(), result="defender", fate_A_9="fled")
    assert not field.told("AT-8.9")
    assert len(field.war.army("A").characters) == 2


# The land (AT-8.7) -------------------------------------------------------------------------------


def test_AT_8_7_the_winner_gains_the_losers_land():
    field = fought(owned(forces(), "B", "m2"), result="attacker")
    assert field.war.owner("m2") == "A"
    assert field.told("AT-8.7", "gained") == [{"seat": "A", "place": "m2", "loser": "B"}]


def test_AT_8_7_not_that_of_the_atlanteans_or_of_a_third_player():
    for owner in (None, "C"):
        state = war(A=army("m2", entered=2), B=army("m2", entered=1), C="e1")
        state = owned(chosen(state, resolver="tabletop"), owner, "m2")
        field = fought(state, result="attacker")
        assert field.war.owner("m2") == owner


def test_AT_8_7_a_winner_on_his_own_land_gains_nothing():
    field = fought(forces(), result="attacker")
    assert not field.told("AT-8.7", "gained")
    assert field.war.owner("m2") == "A"


def test_AT_8_7_variant_the_land_is_still_to_be_conquered():
    state = chosen(owned(forces(), "B", "m2"), contested="conquest")
    field = fought(state, result="attacker")
    assert field.war.owner("m2") == "B"
    attack = Field(field.to_the_end().war, ("AT-9/phase",))
    assert attack.request.seats == ("A",)  # the beaten army of B does not hinder it


def test_AT_7_7_whoever_started_where_land_changes_hands_finds_it_closed():
    state = owned(war(A=army("e2", entered=2), B=army("e2", entered=1), C=army("e1", start="e2")),
                  "B", "e2")  # fmt: skip
    field = fought(chosen(state, resolver="tabletop"), result="attacker")
    assert field.war.owner("e2") == "A"
    assert field.war.army("C").start_closed
    assert not field.war.army("A").start_closed


# Nobody left -------------------------------------------------------------------------------------


def bare(place: str = "m2") -> War:
    """A of four spearmen has come last to B of three; nobody leads."""
    a = army(place, spearmen(1, 4, 20), lead=False, entered=2)
    b = army(place, spearmen(1, 3, 20), lead=False, entered=1)
    return chosen(war(A=a, B=b), resolver="tabletop")


def wiped(state: War, result: str, a: int = 4) -> Field:
    """Everybody on the table was killed."""
    field, _ = at_the_table(state)
    return returned(field, {"result": result, "killed.A.1": a, "killed.B.1": 3})


def test_AT_8_7_a_loser_of_whom_nobody_comes_back_is_gone():
    field = wiped(owned(bare(), "B", "m2"), "attacker")
    assert figures(field, "A") == [2]  # half of 4
    assert field.war.army("B") is None  # a quarter of 3
    assert field.told("AT-8.7", "annihilated") == [{"seat": "B", "place": "m2"}]


def test_AT_8_13_without_a_winner_the_last_to_come_leaves_even_if_he_is_alone():
    field = wiped(owned(bare(), "B", "m2"), "none")
    assert figures(field, "A") == [1]
    assert field.war.army("A").beaten
    assert field.war.army("B") is None
    assert field.war.owner("m2") == "B"


def test_both_armies_can_be_gone():
    state = owned(bare(), "B", "m2").army_changed("A", units=(spearmen(1, 1, 20),))
    field = wiped(state, "attacker", a=1)
    assert field.runner.over  # nobody is left to write down what he has learnt
    assert (field.war.army("A"), field.war.army("B")) == (None, None)
    assert field.war.owner("m2") == "A"


# The umpire meanwhile (AT-11.2) ------------------------------------------------------------------


REPORT = Report("m2", 0, (Loss("A.1", 5), Loss("B.1", 6, 2)), facts={"decided": "scenario"})


def reported(*counted: str) -> War:
    """The battle is fought and its report is in; some sides have taken their losses."""
    fought = Battle("m2", "A", "B", report=REPORT, counted=counted)
    return replace(forces(), phase="battles", battles=(fought,))


def test_AT_8_7_the_umpire_leaves_a_unit_the_figures_that_its_report_says_it_lost():
    state = reported("A")
    for figures_left in (7, 0):
        with pytest.raises(NotAllowed) as refusal:
            adjust(state, "figures.B.1", figures_left)
        assert (refusal.value.code, refusal.value.rule) == ("act.dead_due", "AT-8.7")
        assert refusal.value.legal == ("8-20",)
    assert adjust(state, "figures.A.1", 1).army("A").figures_of(1) == 1  # his are counted
    assert adjust(state, "figures.B.2", 1).army("B").figures_of(2) == 1  # nothing happened to it
    table = Table(adjust(state, "figures.B.1", 8), ("AT-8.7/losses", 0, "B", "loser", True))
    assert table.over and table.war.army("B").figures_of(1) == 6 * 25 // 100 + 2 * 50 // 100
    assert table.war.battles[0].counted == ("A", "B")
    assert adjust(table.war, "figures.B.2", 1)


def test_AT_7_5_an_army_stays_in_its_battle_until_its_losses_are_counted():
    met = at_the_table(forces())[0].war
    met = replace(met, phase="battles")
    for state, held in ((met, "AB"), (reported("A"), "B")):
        for seat in held:
            with pytest.raises(NotAllowed) as refusal:
                adjust(state, f"place.{seat}", "e3")
            assert (refusal.value.code, refusal.value.rule) == ("act.in_battle", "AT-7.5")
    assert adjust(reported("A"), "place.A", "e3").army("A").place == "e3"
    assert adjust(replace(met, phase="conquest"), "place.A", "e3").army("A").place == "e3"


# Experience (AT-8.12) ----------------------------------------------------------------------------


def test_AT_8_12_owners_write_what_was_learnt_and_nobody_else_reads_it():
    field = fought(forces(), result="attacker")
    assert field.request.rule == "AT-8.12"
    field.say("A", {"learnt": (1, 9), "note.1": "steady", "note.9": "lost an eye"})
    field.say("B", {"learnt": ()})
    mine = field.war.army("A")
    assert [unit.note for unit in mine.units] == ["steady", ""]
    assert [c.note for c in mine.characters] == ["lost an eye", ""]
    assert field.event("AT-8.12", "noted").audience == ("A",)
    assert b"lost an eye" not in field.seen_by("B")
