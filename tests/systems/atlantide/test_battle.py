"""Chapter AT-8 up to the fight: who meets whom, guests, strategies, scenarios, resolvers."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from polemarque.kernel.battle_brief import Brief
from polemarque.kernel.game import Game, new_header
from polemarque.systems.atlantide import names
from polemarque.systems.atlantide.battle_brief import brief, forces, guest_troops, hired
from polemarque.systems.atlantide.chapters.battle import SCENARIOS, STRATEGIES
from polemarque.systems.atlantide.chapters.divine import runaway_slaves
from polemarque.systems.atlantide.setup.catalogue import Catalogue, load_catalogue
from polemarque.systems.atlantide.state import Battle, Guest, War
from polemarque.systems.atlantide.strength import army_force
from tests.systems.atlantide.field import Field
from tests.systems.atlantide.wars import agreed, army, chosen, hero, owned, spearmen, war

PHASE = ("AT-8/phase",)
ATLANTEANS, SAVAGES = "atlantean_mercenaries", "mountain_savages"


def met(**options) -> War:
    """B stood in m2, A has come last; nobody else is near."""
    state = war(A=army("m2", entered=2), B=army("m2", entered=1))
    return chosen(state, **options) if options else state


def plans(field: Field, a: str, b: str) -> Field:
    """Both strategies, once everything before has been left to the rules."""
    return field.until("AT-8.1").say("A", a).say("B", b)


# Who fights (AT-7.5, AT-4.3, AT-8.11) ------------------------------------------------------------


def test_AT_7_5_two_armies_together_fight_and_the_attacker_entered_last():
    field = Field(met(), PHASE)
    assert field.told("AT-7.5", "meet") == [{"place": "m2", "attacker": "A", "defender": "B"}]
    assert field.war.battles[0].sides == ("A", "B")


def test_AT_7_5_an_agreement_between_the_two_keeps_them_apart():
    for kind in ("passage", "stationing"):
        assert Field(agreed(met(), kind, "A", "B", "m2"), PHASE).over
    assert not Field(agreed(met(), "passage", "A", "B", "m3"), PHASE).over


def test_AT_4_3_an_agreement_broken_as_the_battle_phase_begins_lets_them_fight():
    state = replace(agreed(met(), "stationing", "A", "B", "m2"), talked=True)
    field = Field(state, ("AT-2.1/phase", "battles"))
    assert field.request.rule == "AT-4.3"
    field.say("A", ("break.1.battles",)).silent("B")
    assert field.told("AT-7.5", "meet")


def test_a_battle_a_territory_side_by_side():
    state = war(A=army("m2", entered=2), B=army("m2", entered=1), C="e1")
    assert len(Field(state, PHASE).war.battles) == 1


# Strategies and scenarios (AT-8.1 to AT-8.3) -----------------------------------------------------

MATRIX = """
         frontal          defence         rapid       flank      wait
frontal  pitched          pitched/walls-b surprise/a  -          camp/a
defence  pitched/walls-a  skirmish/loose  -           flanked/b  scouts/b/loose
rapid    surprise/b       -               meeting     ambush/b   through/a
flank    -                flanked/a       ambush/a    -          -
wait     camp/b           scouts/a/loose  through/b   -          -
"""
SHORT = {
    "pitched": "pitched_battle", "surprise": "surprise_attack", "camp": "last_stand",
    "skirmish": "skirmish", "scouts": "skirmish_surprise_attack", "flanked": "flank_attack",
    "meeting": "meeting_engagement", "ambush": "ambush", "through": "breakthrough", "-": "none",
}  # fmt: skip


def squares():
    head, *rows = [line.split() for line in MATRIX.strip().splitlines()]
    return [(row[0], b, cell) for row in rows for b, cell in zip(head, row[1:], strict=True)]


@pytest.mark.parametrize(("a", "b", "said"), squares())
def test_AT_8_2_the_matrix(a, b, said):
    name, *more = said.split("/")
    cell = SCENARIOS.cell(a, b)
    assert cell.scenario == SHORT[name]
    assert cell.by == next((m for m in more if m in {"a", "b"}), None)
    assert cell.walls == next((m[-1] for m in more if m.startswith("walls")), None)
    assert cell.formations == ("loose" not in more)


def test_AT_8_2_the_matrix_is_symmetric():
    other = {"a": "b", "b": "a", None: None}
    for a in STRATEGIES:
        for b in STRATEGIES:
            one, two = SCENARIOS.cell(a, b), SCENARIOS.cell(b, a)
            assert (one.scenario, one.formations) == (two.scenario, two.formations)
            assert (one.by, one.walls) == (other[two.by], other[two.walls])


def test_AT_8_1_strategies_are_sealed_and_revealed_together():
    field = Field(met(), PHASE).until("AT-8.1")
    before = field.seen_by("B")
    field.say("A", "rapid")
    assert field.seen_by("B") == before
    field.say("B", "frontal")
    # A is the attacker, hence side a of the table: rapid against frontal, B surprises.
    revealed = field.event("AT-8.1", "revealed")
    assert revealed.audience is None
    assert revealed.data["strategies"] == ["rapid", "frontal"]
    told = field.event("AT-8.2", "surprise_attack")
    assert (told.data["by"], told.data["walls"], told.data["formations"]) == ("B", "", True)
    assert (field.war.row("A").strategy, field.war.row("B").strategy) == ("rapid", "frontal")
    assert field.war.row("A").scenario == "surprise_attack"


def test_AT_8_2_walls_and_loose_order_are_kept():
    field = plans(Field(met(resolver="tabletop"), PHASE), "frontal", "defence")
    assert (field.war.battles[0].walls, field.war.battles[0].formations) == ("B", True)
    field = plans(Field(met(resolver="tabletop"), PHASE), "wait", "defence")
    battle = field.war.battles[0]
    assert (battle.scenario, battle.by, battle.formations) == (
        "skirmish_surprise_attack", "A", False,
    )  # fmt: skip


def test_AT_8_3_no_battle_both_choose_something_else():
    field = plans(Field(met(), PHASE), "flank", "frontal")
    assert field.told("AT-8.3", "again")
    assert field.refused("A", "flank").code == "answer.one_of"
    assert field.refused("B", "frontal").code == "answer.one_of"
    field.say("A", "frontal").say("B", "flank")  # what was barred was his own only
    assert len(field.told("AT-8.3", "again")) == 2
    assert field.refused("A", "frontal").code == "answer.one_of"


def refuse_battle(field: Field, times: int) -> Field:
    """So often running they do not find each other."""
    for time in range(times):
        plans(field, *(("flank", "flank"), ("wait", "wait"))[time % 2])
    return field


def test_AT_8_3_after_five_in_a_row_a_pitched_battle_without_walls():
    field = refuse_battle(Field(met(resolver="tabletop"), PHASE), 4)
    assert field.request.rule == "AT-8.1"
    refuse_battle(field, 1)
    assert field.told("AT-8.3", "limit") == [{"place": "m2", "times": 5}]
    battle = field.war.battles[0]
    assert (battle.scenario, battle.walls, battle.formations) == ("pitched_battle", None, True)
    assert field.war.row("B").scenario == "pitched_battle"


def test_AT_8_3_the_limit_is_an_option_and_0_is_none():
    assert refuse_battle(Field(met(no_battle_limit=1), PHASE, dice=(6, 6, 1, 1)), 1).told(
        "AT-8.3", "limit"
    )
    field = refuse_battle(Field(met(no_battle_limit=0), PHASE), 12)
    assert field.request.rule == "AT-8.1"
    assert not field.told("AT-8.3", "limit")


def test_AT_8_3_who_does_not_answer_defends_then_attacks():
    field = Field(met(), PHASE).until("AT-8.1")
    assert field.request.absent("A") == "defence"
    field.silent("A").say("B", "rapid")  # defence against rapid: no battle
    assert field.request.absent("A") == "frontal"
    assert field.request.absent("B") == "defence"


# Mercenaries (AT-1.13) ---------------------------------------------------------------------------


def test_AT_1_13_the_two_forces_cost_274_and_without_their_leader_214_or_200():
    state = met()
    assert forces(state) == (ATLANTEANS, SAVAGES)
    points = {}
    for force in forces(state):
        for leader in (True, False):
            battle = Battle("m2", "A", "B", guests=(Guest("A", force, leader),))
            points[force, leader] = sum(each.points for each in hired(state, battle, "A"))
    assert points == {
        (ATLANTEANS, True): 274, (ATLANTEANS, False): 214,
        (SAVAGES, True): 274, (SAVAGES, False): 200,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("force", "leader", "dice", "added"),
    [
        (ATLANTEANS, True, (), 4),  # general 1, spearmen 2, archers 1, one unit of skirmishers 0
        (ATLANTEANS, False, (), 3),
        (SAVAGES, True, (3, 1), 3),  # chieftain 1, warriors 2 + 1, slingers 0 - 1
        (SAVAGES, False, (1, 2), 1),  # warriors 2 - 1, slingers 0 + 0
    ],
)
def test_AT_1_13_they_count_in_combat_force(force, leader, dice, added):
    state = met()
    battle = Battle("m2", "A", "B", guests=(Guest("A", force, leader, dice),))
    own = state.army("A")
    with_guests = army_force(own, guest_troops(state, battle, "A"))
    assert with_guests.total - army_force(own).total == added
    assert guest_troops(state, battle, "B") == ()


def test_AT_1_13_with_one_guest_the_other_side_has_no_leader():
    field = Field(met(), PHASE, dice=(3, 1, 4, 4, 4, 3)).until("AT-1.13")
    assert field.request.seats == ("umpire",)
    field.say("umpire", "defender")
    field.say("A", SAVAGES).say("B", ATLANTEANS)
    assert field.war.battles[0].guests == (
        Guest("A", SAVAGES, leader=False, dice=(3, 1)), Guest("B", ATLANTEANS),
    )  # fmt: skip
    plans(field, "frontal", "frontal")
    # A: 2 + warriors 2 + 1, slingers -1 = 4; B: 2 + 4 = 6.
    assert [e["force"] for e in field.told("AT-8.10", "force")] == [4, 6]
    # 4 + 8 against 6 + 7: B wins by one, and A pays 50 points of its own troops only.
    assert field.told("AT-8.11", "decided")[0]["difference"] == 1
    field.to_the_end()
    assert field.war.army("A").units == (spearmen(figures=13),)  # 7 figures of 7 3/4 points


def test_AT_1_13_a_guest_a_side_and_nobody():
    field = Field(met(), PHASE).until("AT-1.13").say("umpire", "both").silent()
    assert [guest.leader for guest in field.war.battles[0].guests] == [True, True]
    field = Field(met(), PHASE).until("AT-1.13").say("umpire", "none")
    assert field.war.battles[0].guests == ()
    assert field.request.rule == "AT-8.1"


# Absent players (AT-2.4) -------------------------------------------------------------------------


def test_AT_2_4_another_player_not_the_opponent_plays_the_absent_ones_part():
    state = war(A=army("m2", entered=2), B=army("m2", entered=1), C="e1").changed("A", absent=True)
    field = Field(state, PHASE, dice=(6, 6, 1, 1))
    assert field.told("AT-2.4", "deputy") == [{"seat": "A", "deputy": "C", "place": "m2"}]
    assert field.war.battles[0].sides == ("B", "A")  # the absent player defends
    field.silent()
    assert field.request.rule == "AT-8.1"
    assert set(field.request.seats) == {"B", "C"}
    field.say("C", "wait").say("B", "frontal")
    assert field.told("AT-8.2", "last_stand")[0]["by"] == "B"
    assert field.war.row("A").strategy == "wait"


def test_AT_2_4_the_umpire_names_the_deputy_where_there_are_several():
    state = war(A=army("m2", entered=2), B=army("m2", entered=1), C="e1").changed("A", absent=True)
    seats = {**state.seats, "D": replace(state.seats["C"], code="D", army=None)}
    field = Field(replace(state, seats=seats), PHASE)
    assert (field.request.rule, field.request.seats) == ("AT-2.4/deputy", ("umpire",))
    assert field.refused("umpire", "B").code == "answer.one_of"
    field.say("umpire", "D").until("AT-8.1")
    assert set(field.request.seats) == {"B", "D"}


def test_AT_2_4_with_nobody_left_the_rules_answer():
    field = Field(met().changed("B", absent=True), PHASE).until("AT-8.1")
    assert field.request.seats == ("A",)
    field.say("A", "rapid")  # against defence, no battle; then B takes the frontal attack
    field.say("A", "defence")
    assert field.told("AT-8.1", "revealed")[1]["strategies"] == ["defence", "frontal"]
    assert field.told("AT-8.2", "pitched_battle")[0]["walls"] == "A"


def test_AT_2_4_both_absent_each_has_a_deputy_of_his_own():
    state = war(A=army("m2", entered=2), B=army("m2", entered=1), C="e1")
    state = state.changed("A", absent=True).changed("B", absent=True)
    field = Field(state, PHASE, dice=(6, 6, 1, 1)).until("AT-8.1")
    assert field.request.seats == ("C",)  # for A; nobody is left for B
    assert field.war.battles[0].deputies == ("C", "")


# Who resolves it (AT-8.10) -----------------------------------------------------------------------


def test_AT_8_10_the_option_decides_unless_both_agree_on_another():
    for a, b, wanted in (
        ("table", "table", ""), ("tabletop", "table", ""), ("table", "tabletop", ""),
        ("tabletop", "tabletop", "tabletop"),
    ):  # fmt: skip
        field = Field(met(), PHASE).until("AT-8.10/resolver").say("A", a).say("B", b)
        assert field.war.battles[0].resolver == wanted
        assert bool(field.told("AT-8.10", "agreed")) == bool(wanted)
    field = Field(met(resolver="tabletop"), PHASE).until("AT-8.10/resolver")
    field.say("A", "table").say("B", "table")
    assert field.war.battles[0].resolver == "table"


@pytest.mark.parametrize(("other", "first"), [("agreed", "AT-8.10/resolver"), ("none", "AT-1.13")])
def test_AT_8_10_nobody_is_asked_where_the_campaign_rules_it_out(other, first):
    for usual in ("table", "tabletop"):
        field = Field(met(resolver=usual, other_resolver=other), PHASE)
        assert field.request.rule == first


def test_AT_8_10_a_record_of_before_there_was_that_option_plays_as_it_did():
    header = new_header("atlantide", seats=2)
    older = {name: value for name, value in header.options.items() if name != "other_resolver"}
    game = Game(replace(header, options=older))
    assert game.state.options.other_resolver == "agreed"


def test_AT_8_10_with_an_absent_player_it_is_the_table():
    state = met(resolver="tabletop").changed("B", absent=True)
    field = Field(state, PHASE, dice=(6, 6, 1, 1)).until("AT-8.1")
    field.say("A", "frontal")
    assert field.told("AT-8.11", "decided")


def test_AT_2_3_combat_forces_are_told_where_they_decide_only():
    field = plans(Field(met(), PHASE, dice=(6, 6, 1, 1)), "frontal", "frontal")
    assert len(field.told("AT-8.10", "force")) == 2
    field = Field(met(resolver="tabletop"), PHASE, dice=(1, 1, 1, 1, 1, 1, 1))
    plans(field, "frontal", "frontal").to_the_end()
    assert field.told("AT-8.13", "nobody")
    assert not field.told("AT-8.10", "force")


def test_PA_3_without_a_general_the_best_character_is_obeyed():
    for heroes, obeyed in ((), 5), ((hero(ld=7), hero(7, ld=6)), 7):
        state = met(resolver="tabletop")
        state = state.with_army("A", replace(state.army("A"), characters=heroes))
        field = plans(Field(state, PHASE, dice=(1,) * 7), "frontal", "defence")
        field.until("PA-2/return_sheet")
        ((brief, _),) = field.runner.branches
        rights = brief.sides[0].rights
        assert (rights["leadership"], rights["command"]) == (obeyed, -2)


def fought_over(state: War, a: str = "A", b: str = "B") -> Brief:
    """The brief of a battle in m2."""
    return brief(state, Battle("m2", a, b, scenario="pitched_battle"), "tabletop")


def test_PA_4_a_fortress_covers_its_owner_and_nobody_who_stays_on_his_land():
    state = met().fortified("m2")
    for owner, sides, covered in (
        ("B", "AB", True), ("A", "AB", False), ("A", "BA", True), ("C", "AB", False),
    ):  # fmt: skip
        assert fought_over(owned(state, owner, "m2"), *sides).fortress is covered
    assert not fought_over(owned(met(), "B", "m2")).fortress


def test_AT_6_4_units_and_characters_go_to_battle_with_this_turns_leadership():
    tired = army("m2", spearmen(), army_ld=-1, general_ld=1)
    tired = replace(tired, characters=(*tired.characters, hero(ld=7)))
    side = fought_over(met().with_army("A", tired)).sides[0]
    assert [unit.profile["ld"] for unit in side.units] == [6]
    assert [leader.profile["ld"] for leader in side.leaders] == [8, 6]  # an omen is the general's
    assert side.rights["leadership"] == 8


def test_AT_3_1_runaway_slaves_are_known_where_a_club_lists_none():
    clubs = Catalogue(people=load_catalogue().people)
    assert "runaway_slaves" not in clubs.profiles
    slaves = army("m2", spearmen(), runaway_slaves(3, 12))
    state = replace(met().with_army("A", slaves), catalogue=clubs)
    unit = fought_over(state).sides[0].units[1]
    assert (unit.profile["move"], unit.profile["ld"]) == (5, 5)
    assert unit.names == {"fr": "Esclaves en fuite", "en": "Runaway slaves"}
    assert names(state, "fr")["profile"]["runaway_slaves"] == "Esclaves en fuite"


def test_the_brief_says_everything_that_the_table_needs():
    state = owned(met(resolver="tabletop").fortified("m2"), "B", "m2")
    field = plans(Field(state, PHASE, dice=(1, 1, 1, 1, 1, 1, 1)), "frontal", "defence")
    field.until("PA-2/return_sheet")
    ((brief, _),) = field.runner.branches
    assert (brief.id, brief.place, brief.terrain, brief.fortress) == ("m2", "m2", "plains", True)
    assert [side.seat for side in brief.sides] == ["A", "B"]
    (unit,), (leader,) = brief.sides[0].units, brief.sides[0].leaders
    assert (unit.id, unit.kind, unit.figures, unit.points) == ("1", "infantry", 20, 155)
    assert (leader.id, leader.rank, leader.points) == ("9", "general", 120)
    assert brief.facts["scenario"] == "pitched_battle"
    assert (brief.facts["walls"], brief.facts["formations"]) == ("B", True)
    rights = {"force": 2, "leadership": 8, "command": 0, "points": 275, "guests": []}
    assert brief.sides[0].rights == rights  # Leadership 8: no modifier (AT-1.5)
    assert brief.campaign == "atlantide" and not brief.facts["capital"]
