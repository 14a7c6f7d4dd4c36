"""The table of simulated battles (AT-8.11)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from polemarque.systems.atlantide.chapters.simulation import LOSSES, SYSTEM
from polemarque.systems.atlantide.state import Battle
from tests.systems.atlantide.field import Field
from tests.systems.atlantide.wars import army, hero, slingers, spearmen, war

PHASE = ("AT-8/phase",)
TABLE = {
    1: (35, 50), 2: (30, 100), 3: (25, 125), 4: (20, 150), 5: (15, 175),
    6: (10, 200), 7: (5, 225), 8: (0, 250), 9: (0, 300), 10: (0, 400), 11: (0, 400), 99: (0, 400),
}  # fmt: skip


@pytest.mark.parametrize("difference", TABLE)
def test_AT_8_11_the_table_of_losses(difference):
    row = LOSSES.row(difference)
    assert (row.winner, row.loser) == TABLE[difference]


def fought(state, *dice: int) -> Field:
    """A battle by the table up to what it asks of the sides' losses."""
    field = Field(state, PHASE, dice=dice)
    while field.request.rule != "AT-8.1":
        field.silent()
    for seat in field.request.missing:
        field.say(seat, "frontal")
    return field


def both(**more):
    return war(A=army("m2", entered=2), B=army("m2", entered=1), **more)


def test_AT_8_11_both_there_no_indisposed_general_and_a_tie_rolls_again():
    # Forces 2 and 2: 7 against 7, a tie; then 9 against 6: A by 3.
    field = fought(both(), 3, 4, 1, 6, 4, 5, 2, 4)
    assert field.told("AT-8.11", "decided") == [
        {"place": "m2", "winner": "A", "loser": "B", "difference": 3,
         "winner_loss": 25, "loser_loss": 125}
    ]  # fmt: skip
    event = field.event("AT-8.11", "decided")
    assert [(m.amount, m.reason) for m in event.modifiers] == [
        (2, "combat_force@A"), (2, "combat_force@B"),
    ]  # fmt: skip
    assert [thrown.faces for thrown in event.dice] == [(3, 4), (1, 6), (4, 5), (2, 4)]


def test_AT_8_11_an_absent_player_defends_with_5_less():
    field = fought(both().changed("A", absent=True), 1, 1, 3, 3, 6)
    # B attacks: 2 + 2 = 4; A defends: 2 + 6 - 5 = 3.
    event = field.event("AT-8.11", "decided")
    assert event.data["winner"] == "B"
    assert event.data["difference"] == 1
    assert (-5, "indisposed@A") in [(m.amount, m.reason) for m in event.modifiers]


def gone_at_the_strategies(state, seat: str, *dice: int, absent: bool = True) -> Field:
    """Somebody goes, or comes back, while the strategies are asked; then they fight."""
    field = Field(state, PHASE).until("AT-8.1")
    field.runner.change(field.war.changed(seat, absent=absent))
    field.left += dice
    return field.to_the_end()


def test_AT_8_11_the_5_are_those_of_who_is_absent_when_they_fight():
    # A attacks and goes: B attacks instead, 2 + 4; A defends, 2 + 8 - 5.
    field = gone_at_the_strategies(both(), "A", 2, 2, 4, 4)
    event = field.event("AT-8.11", "decided")
    assert [(m.amount, m.reason) for m in event.modifiers] == [
        (2, "combat_force@B"), (2, "combat_force@A"), (-5, "indisposed@A"),
    ]  # fmt: skip
    assert (event.data["winner"], event.data["winner_loss"]) == ("B", 35)
    losses = {e["seat"]: e["points"] for e in field.told("AT-8.11", "losses")}
    assert losses == {"A": 50, "B": 35}
    assert field.war.army("A").beaten


def test_AT_8_11_who_comes_back_before_they_fight_attacks_if_he_entered_last():
    field = gone_at_the_strategies(both().changed("A", absent=True), "A", 4, 4, 2, 2, absent=False)
    event = field.event("AT-8.11", "decided")
    assert [m.reason for m in event.modifiers] == ["combat_force@A", "combat_force@B"]
    assert event.data["winner"] == "A"


def test_AT_8_11_a_battle_turned_round_keeps_what_each_side_has_said():
    battle = Battle("m2", "A", "B", ("rapid", "wait"), "breakthrough", by="A", deputies=("C", ""))
    turned = battle.turned()
    assert (turned.sides, turned.strategies) == (("B", "A"), ("wait", "rapid"))
    assert (turned.by, turned.deputies, turned.previous) == ("A", ("", "C"), None)
    assert turned.turned() == battle


def test_AT_8_11_both_absent_no_general_is_indisposed():
    state = both().changed("A", absent=True).changed("B", absent=True)
    field = Field(state, PHASE, dice=(3, 3, 2, 2)).to_the_end()
    event = field.event("AT-8.11", "decided")
    assert event.data["winner"] == "A"  # it entered last, so it attacks: 8 against 6
    assert event.data["difference"] == 2
    assert len(event.modifiers) == 2


def test_AT_8_11_losses_are_net_and_of_the_owners_choice():
    mixed = army("m2", spearmen(1), slingers(2), entered=2)
    state = war(A=mixed, B=army("m2", entered=1))
    field = fought(state, 4, 5, 2, 4)  # A by 3: 25 and 125
    # Figures of 7 3/4 and of 4 points: the cheapest first would be 7 slingers.
    assert field.request.seats == ("A",)
    assert field.request.absent("A") == {"unit.2": 7}
    field.say("A", {"unit.2": 0})
    assert [u.figures for u in field.war.army("A").units] == [16, 10]  # 4 of 7 3/4 make 31
    field.to_the_end()
    assert [u.figures for u in field.war.army("B").units] == [3]  # 17 of 7 3/4 make 131 3/4
    losses = field.told("AT-8.11", "losses")
    assert [(e["points"], e["figures"]) for e in losses] == [(25, 4), (125, 17)]
    assert not field.told("AT-8.7", "back")


def test_AT_8_11_the_owner_chooses_among_characters_too():
    few = army("m2", spearmen(1, 3, 20), entered=1)
    few = replace(few, characters=(*few.characters, hero(8)))
    state = war(A=army("m2", entered=2), B=few)
    # A by 1, 2 + 6 against 3 + 4: of B's 50 points three figures make 23 1/4; then a hero of 70
    # or the general of 120 pays the rest.
    field = fought(state, 3, 3, 2, 2, 4)
    assert field.request.seats == ("B",) and field.request.absent("B") == {"unit.8": 1}
    field.say("B", {"unit.8": 0}).to_the_end()
    assert [(e.kind, e.data["name"]) for e in field.events if e.rule == "AT-8.9"] == [
        ("back", "general")
    ]


def test_AT_8_11_losses_of_one_side_are_not_told_to_the_other():
    field = fought(both(), 4, 5, 2, 4).to_the_end()
    audiences = [e.audience for e in field.events if e.kind == "losses"]
    assert audiences == [("A",), ("B",)]
    assert field.event("AT-8.11", "decided").audience is None  # the sums are for everybody


def test_AT_8_9_characters_lost_to_the_table_roll_for_their_life():
    small = army("m2", spearmen(1, 3, 20), entered=1)
    small = replace(small, characters=(*small.characters, hero(8)))
    state = war(A=army("m2", entered=2), B=small)
    # B has 3 figures (23 points), a hero (70) and a general (120): a loss of 250 takes all.
    # A: 2 + 12; B: 3 + 3 = 6: by 8.  The general, toughness 4, rolls 4 and lives; the hero 5.
    field = fought(state, 6, 6, 1, 2, 4, 5).to_the_end()
    assert field.told("AT-8.11", "decided")[0]["loser_loss"] == 250
    assert [(e.kind, e.data["name"]) for e in field.events if e.rule == "AT-8.9"] == [
        ("back", "general"), ("dead", "hero"),
    ]  # fmt: skip
    left = field.war.army("B")
    assert (left.units, [c.id for c in left.characters]) == ((), [9])
    assert left.beaten
    assert all(e.audience == ("B",) for e in field.events if e.rule == "AT-8.9")


def test_AT_8_11_an_army_that_dies_to_the_last_man_is_gone():
    lone = army("m2", spearmen(1, 3, 20), lead=False, entered=1)
    field = fought(war(A=army("m2", entered=2), B=lone), 6, 6, 1, 2).to_the_end()
    assert field.war.army("B") is None
    assert field.told("AT-8.7", "annihilated") == [{"seat": "B", "place": "m2"}]
    assert not field.told("AT-8.8", "must_retreat")
    assert field.war.seats["B"].waiting == ()


def test_AT_8_11_who_wins_with_his_last_men_takes_the_land_all_the_same():
    last_man = army("m2", spearmen(1, 1, 20), entered=2)
    last_man = replace(last_man, characters=())
    state = war(A=last_man, B=army("m2", entered=1))
    state = state.with_land("m2", replace(state.lands["m2"], owner="B"))
    # A: 2 - 2 + 12 = 12; B: 2 + 9 = 11: A by 1, who loses 35 points and has 7.
    field = fought(state, 6, 6, 4, 5).to_the_end()
    assert field.war.army("A") is None
    assert field.war.owner("m2") == "A"


def test_the_table_shows_nobody_the_lists():
    field = Field(both(), PHASE).until("AT-8.1").say("A", "frontal").say("B", "frontal")
    ((_, runner),) = field.runner.branches
    assert SYSTEM.view(runner.state, "A") == {"place": "m2"}
