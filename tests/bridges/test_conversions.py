"""Figures of PA-3, PA-4 and PA-5, typed here once more: what armies become, and what comes back."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.bridges import batailles, promiterra, thucidide
from polemarque.bridges.house import Piece, figures_of, grouped, lost_by_piece, shared_out
from polemarque.bridges.pairs import figures_for
from polemarque.kernel.battle_brief import (
    Brief,
    BriefLeader,
    BriefUnit,
    Fate,
    Loss,
    Report,
    fitted,
    resolver,
)
from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.run import Runner
from polemarque.systems.batailles.adjust import adjust as adjusted
from polemarque.systems.batailles.state import Ending as ClassicalEnding
from polemarque.systems.promiterra.state import Ending as WarEnding
from polemarque.systems.thucidide.state import Ending as HexEnding
from tests.bridges.wars import (
    HOMES,
    at_sea,
    atlantide,
    invaded,
    mare_nostrum,
    met,
    with_priest,
)


def begun(brief: Brief) -> Any:
    """The state in which a battle begins."""
    return Runner(resolver(brief.resolver).open(brief)).state


def reported(brief: Brief, state: Any) -> Report:
    return fitted(brief, resolver(brief.resolver).report(brief, state))


def guarded(name: str, *, engineer: bool = False) -> Brief:
    """An invasion of a capital with a fortress and the Sacred Guard, with or without engineer."""
    brief = mare_nostrum(name)
    assert brief.fortress and brief.facts["capital"] and brief.sides[1].rights["guard"]
    rights = {**brief.sides[0].rights, "engineer": engineer}
    return replace(brief, sides=(replace(brief.sides[0], rights=rights), brief.sides[1]))


# PA-3 --------------------------------------------------------------------------------------------


def test_PA_3_a_stand_is_worth_five_and_the_guard_helps_to_command() -> None:
    battle = begun(mare_nostrum("batailles"))
    assert (battle.a.pm, battle.a.morale.total, battle.a.command) == (60, 10, 2)
    assert (battle.b.pm, battle.b.morale.total, battle.b.command) == (65, 10, 3)
    assert not battle.a.players and not battle.b.players


def test_PA_3_a_fleet_is_worth_sixty() -> None:
    battle = begun(at_sea("batailles"))
    assert [(s.pm, s.morale.total, s.command) for s in (battle.a, battle.b)] == [(60, 10, 2)] * 2


@pytest.mark.parametrize("name", ["promiterra", "thucidide"])
def test_PA_3_at_sea_another_default_falls_back(name: str) -> None:
    assert at_sea(name).resolver == "batailles"
    assert at_sea("tabletop").resolver == "tabletop"


def test_PA_3_army_points_make_power_and_the_general_morale() -> None:
    brief = atlantide("batailles")
    battle = begun(brief)
    for side, given in zip((battle.a, battle.b), brief.sides, strict=True):
        points = sum(u.points for u in given.units) + sum(c.points for c in given.leaders)
        general = next(c for c in given.leaders if c.rank == "general").profile["ld"]
        assert side.pm == points // 20
        assert side.morale.total == general
        assert side.command == 2 + {7: -1, 8: 0, 9: 1, 10: 2}[general]


def test_PA_3_without_a_general_morale_is_five_and_command_nothing() -> None:
    state = met()
    army = state.seats["A"].army
    assert army is not None
    state = state.with_army("A", replace(army, characters=()))
    battle = begun(atlantide("batailles", state))
    assert (battle.a.morale.total, battle.a.command) == (5, 0)


def test_PA_3_a_priest_is_a_die_or_a_point_but_not_both() -> None:
    brief = mare_nostrum("batailles", with_priest(invaded(resolver="batailles"), "A"))
    battle = begun(brief)
    assert (battle.a.rerolls, battle.a.bonus, battle.a.priests) == (1, 1, 1)
    assert (battle.b.rerolls, battle.b.bonus) == (0, 0)
    blessed = battle.a.spending(bonus=1)
    assert (blessed.rerolls, blessed.bonus, blessed.priests) == (0, 0, 0)
    over = replace(battle, ending=ClassicalEnding("a", "withdrawal"))
    assert reported(brief, over).spent == ()
    assert reported(brief, replace(over, a=blessed)).spent == ("A.war_priest",)


@pytest.mark.parametrize("name", ["b.rerolls", "b.bonus"])
def test_PA_3_whom_an_umpire_gives_a_die_or_a_point_has_a_priest_for_it(name: str) -> None:
    battle = adjusted(begun(mare_nostrum("batailles")), name, 2)
    assert battle.b.priests == 2
    once = battle.b.spending(**{name.removeprefix("b."): 1})
    assert sorted((once.rerolls, once.bonus)) == [0, 1] and once.priests == 1


def test_PA_3_a_priest_whom_an_umpire_gives_back_is_not_spent_one_he_takes_away_is() -> None:
    brief = mare_nostrum("batailles", with_priest(invaded(resolver="batailles"), "A"))
    battle = begun(brief)
    over = replace(battle, ending=ClassicalEnding("a", "withdrawal"))
    back = adjusted(replace(over, a=over.a.spending(rerolls=1)), "a.rerolls", 1)
    assert reported(brief, back).spent == ()
    dieless = adjusted(over, "a.rerolls", 0)
    assert reported(brief, dieless).spent == ()
    assert reported(brief, adjusted(dieless, "a.bonus", 0)).spent == ("A.war_priest",)


def test_PA_3_losses_come_back_in_proportion_rounded_down() -> None:
    brief = mare_nostrum("batailles")
    battle = begun(brief)
    first, second, *_ = brief.sides[0].units
    a = battle.a.losing(first.figures * 5 + 7)
    report = reported(brief, replace(battle, a=a, ending=ClassicalEnding("b", "withdrawal")))
    assert report.winner == 1
    assert report.losses == (Loss(f"A.{first.id}", first.figures), Loss(f"A.{second.id}", 1))


def test_PA_3_whoever_lost_any_power_lost_a_stand() -> None:
    brief = mare_nostrum("batailles")
    battle = begun(brief)
    ended = replace(battle, a=battle.a.losing(1), ending=ClassicalEnding(None, "agreement"))
    report = reported(brief, ended)
    assert report.winner is None
    assert [loss.killed for loss in report.losses] == [1]


# PA-4 --------------------------------------------------------------------------------------------


def test_PA_4_a_stand_is_a_troop_of_forty_and_the_guard_a_thirteenth() -> None:
    war = begun(mare_nostrum("promiterra"))
    troops = {seat: [t for t in war.roster if t.army == seat] for seat in "AB"}
    assert [len(troops[seat]) for seat in "AB"] == [12, 13]
    assert {troop.units for troop in war.roster} == {40}
    assert (war.board.grid.columns, war.board.grid.rows) == (16, 12)
    assert war.options.turn_limit == 12


@pytest.mark.parametrize(("engineer", "level"), [(False, 3), (True, 2)])
def test_PA_4_a_fortress_covers_two_rows(engineer: bool, level: int) -> None:
    war = begun(guarded("promiterra", engineer=engineer))
    marks = war.board.marks["fortification"]
    assert len(marks) == 32 and set(marks.values()) == {level}
    assert {cell[1:] for cell in marks} == {"11", "12"}
    assert {war.holders[cell] for cell in marks} == {"B"}


def test_PA_4_elsewhere_a_fortress_is_of_level_two() -> None:
    brief = guarded("promiterra")
    brief = replace(brief, facts={**brief.facts, "capital": False})
    assert set(begun(brief).board.marks["fortification"].values()) == {2}
    assert not begun(replace(brief, fortress=False)).board.marks


def test_PA_4_a_fortress_never_covers_an_intruder_against_its_owner() -> None:
    """B defends in what was his home; A, who attacks, owns it."""
    lost = invaded(resolver="promiterra").land_changed(HOMES["B"], owner="A")
    assert mare_nostrum("promiterra").fortress and not mare_nostrum("promiterra", lost).fortress


def test_PA_4_figures_are_ten_and_the_profile_is_read() -> None:
    brief = atlantide("promiterra")
    war = begun(brief)
    units = {unit.id: unit for unit in brief.sides[0].units}
    assert sorted(t.units for t in war.roster if t.army == "A") == sorted(
        unit.figures * 10 for unit in units.values()
    )
    spears = next(t for t in war.roster if t.kind == "mycenaean_spearmen").base
    # WS 3, T 3 and a save of 6, M 4, Ld 7, 7 points a figure and 15 for its command group
    assert (spears.attack, spears.defence, spears.movement, spears.loyalty) == (3, 2, 2, 7)
    assert war.persons[war.armies["A"].commander].troop == "A1"


@pytest.mark.parametrize(
    ("stands", "lost", "killed"), [(1, 0, 0), (1, 20, 0), (1, 21, 1), (2, 21, 1), (2, 60, 1)]
)
def test_PA_4_a_stand_is_lost_under_twenty_of_its_forty(
    stands: int, lost: int, killed: int
) -> None:
    figures = figures_for(mare_nostrum("promiterra"), "promiterra")
    assert promiterra.toll(figures, stands, lost, 0) == (killed, 0)


@pytest.mark.parametrize(
    ("lost", "fled", "toll"),
    [(0, 0, (0, 0)), (1, 0, (1, 0)), (30, 0, (3, 0)), (31, 99, (4, 10)), (195, 5, (20, 0))],
)
def test_PA_4_units_are_divided_by_ten_and_rounded_up(
    lost: int, fled: int, toll: tuple[int, int]
) -> None:
    figures = figures_for(atlantide("promiterra"), "promiterra")
    assert promiterra.toll(figures, 20, lost, fled) == toll


def test_PA_4_leaders_dead_or_captured_and_the_winner() -> None:
    brief = atlantide("promiterra")
    war = begun(brief)
    general = next(c for c in brief.sides[0].leaders if c.rank == "general")
    commander = war.persons[war.armies["A"].commander]
    other = next(p for p in war.people if p.army == "A" and p.id != commander.id)
    war = war.with_persons([replace(commander, fate="dead"), replace(other, fate="captured")])
    report = reported(brief, replace(war, ending=WarEnding("B", "alone", done=True)))
    fates = {fate.leader: fate.fate for fate in report.fates}
    assert report.winner == 1
    assert fates[f"A.{general.id}"] == "killed"
    assert sorted(fate for leader, fate in fates.items() if leader[0] == "A")[-2:] == [
        "captured", "killed",
    ]  # fmt: skip
    assert {fates[f"B.{one.id}"] for one in brief.sides[1].leaders} == {"alive"}


def test_PA_4_divisions_and_mergers_lose_the_troops_they_came_from() -> None:
    brief = atlantide("promiterra")
    war = begun(brief)
    first, second = war.troops["A1"], war.troops["A2"]
    new = replace(first, id="A-1-1", units=50, start=50, origins=("A1",))
    war = war.with_troops(replace(first, units=first.units - 50, start=first.start - 50), new)
    mixed = replace(war.troops["A-1-1"], units=0, lost=50, fate="annihilated", origins=("A1", "A2"))
    war = war.with_troops(mixed, replace(second, fate="fled"))
    report = reported(brief, replace(war, ending=WarEnding("nobody", "quiet", done=True)))
    killed = sum(loss.killed for loss in report.losses)
    left = sum(loss.left for loss in report.losses)
    assert (killed, left) == (5, second.units // 10)


def test_PA_4_a_priest_has_one_roll() -> None:
    brief = mare_nostrum("promiterra", with_priest(invaded(resolver="promiterra"), "A"))
    war = begun(brief)
    assert (war.armies["A"].rerolls, war.armies["B"].rerolls) == (1, 0)
    war = replace(war, ending=WarEnding("nobody", "quiet", done=True))
    assert reported(brief, war).spent == ()
    assert reported(brief, war.with_army("A", rerolls=0)).spent == ("A.war_priest",)


# PA-5 --------------------------------------------------------------------------------------------


def test_PA_5_each_stand_is_a_unit_of_its_type() -> None:
    battle = begun(mare_nostrum("thucidide"))
    assert [len(battle.units_of(seat)) for seat in "AB"] == [12, 13]
    assert (battle.board.grid.columns, battle.board.grid.rows) == (12, 9)
    assert (battle.limit, battle.at_limit) == (15, "nobody")
    assert {side.level for side in battle.sides.values()} == {3}
    ranks = [one.rank for one in battle.leaders_of("A")]
    # TH-1.4: one general, one sub-general per 8 units, one officer per 4
    assert sorted(ranks) == ["general", "officer", "officer", "officer", "sub_general"]
    roman = [unit.figures.kind for unit in battle.units_of("A")]
    # the list of alba: two cavalry, six blades, two spears, two skirmishers
    counted = {kind: roman.count(kind) for kind in roman}
    assert counted == {"cavalry": 2, "legionaries": 6, "hoplites": 2, "skirmishers": 2}


def test_PA_5_a_fortress_is_a_town_unless_an_engineer_comes() -> None:
    battle = begun(guarded("thucidide"))
    walls = battle.sides["B"].walls
    assert len(walls) == 24 and {cell[1:] for cell in walls} == {"8", "9"}
    assert not battle.sides["A"].walls
    assert not begun(guarded("thucidide", engineer=True)).sides["B"].walls


def test_PA_5_leaders_follow_the_general_and_leadership() -> None:
    brief = atlantide("thucidide")
    battle = begun(brief)
    for side in brief.sides:
        lds = {c.id: c.profile["ld"] for c in side.leaders if c.rank != "general"}
        wanted = ["sub_general" if ld >= 8 else "officer" for ld in lds.values()]
        ranks = [one.rank for one in battle.leaders_of(side.seat)]
        assert sorted(ranks) == sorted(["general", *wanted])
        general = next(c for c in side.leaders if c.rank == "general").profile["ld"]
        assert battle.sides[side.seat].level == 3 + {7: -1, 8: 0, 9: 1, 10: 2}[general]


def piece(unit: str, kind: str, figures: int) -> Piece:
    return Piece(unit, kind, figures, figures, BriefUnit(unit, unit, kind, figures, figures))


def test_PA_5_the_smallest_joins_the_next_of_its_type() -> None:
    line = [piece("1", "a", 20), piece("2", "b", 3), piece("3", "a", 10), piece("4", "b", 9)]
    joined = grouped(line, 3)
    assert sorted([sorted(p.unit for p in group) for group in joined]) == [["1"], ["2", "4"], ["3"]]
    assert len(grouped(line, 1)) == 1
    assert sum(figures_of(group) for group in grouped(line, 2)) == 42


def test_PA_5_no_side_has_more_than_sixteen() -> None:
    units = tuple(BriefUnit(str(n), "x", "infantry", 10 + n, 90, {"ws": 3}) for n in range(22))
    brief = atlantide("thucidide")
    side = replace(brief.sides[0], units=units)
    battle = begun(replace(brief, sides=(side, brief.sides[1])))
    assert len(battle.units_of("A")) == 16


@pytest.mark.parametrize(
    ("elements", "broken", "toll"),
    [(4, 0, (0, 0)), (3, 0, (5, 0)), (1, 0, (15, 0)), (0, 2, (15, 5)), (0, 4, (10, 10)),
     (0, 1, (18, 2))],
)  # fmt: skip
def test_PA_5_elements_share_the_figures(elements: int, broken: int, toll: tuple[int, int]) -> None:
    brief = atlantide("thucidide")
    figures = figures_for(brief, "thucidide")
    unit = next(u for u in begun(brief).units.values() if u.start == 4)
    fate: Any = "" if elements else "destroyed"
    unit = replace(unit, elements=elements, broken=broken, fate=fate)
    assert thucidide.toll(figures, 20, unit) == toll


def test_PA_5_a_stand_is_lost_with_its_unit_only() -> None:
    brief = mare_nostrum("thucidide")
    battle = begun(brief)
    first, second, *_ = battle.units.values()
    battle = battle.unit(first.code, elements=1)
    battle = battle.unit(second.code, elements=0, cell="", fate="destroyed", broken=1)
    report = reported(brief, replace(battle, ending=HexEnding(None, "limit")))
    assert report.winner is None
    assert [loss.killed for loss in report.losses] == [1]


def test_PA_5_captured_or_committed_leaders_count_as_killed() -> None:
    brief = atlantide("thucidide")
    battle = begun(brief)
    general = next(c for c in brief.sides[0].leaders if c.rank == "general")
    battle = battle.leader("AG", cell="", fate="captured")
    report = reported(brief, replace(battle, ending=HexEnding("B", "general")))
    assert report.winner == 1
    assert Fate(f"A.{general.id}", "killed") in report.fates


def test_PA_5_a_priest_has_one_die() -> None:
    brief = mare_nostrum("thucidide", with_priest(invaded(resolver="thucidide"), "A"))
    assert [side.rerolls for side in begun(brief).sides.values()] == [1, 0]


# Arithmetic and fit ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("total", "weights", "shares"),
    [(0, [3, 4], [0, 0]), (7, [3, 4], [3, 4]), (3, [1, 1, 1, 1], [0, 1, 1, 1]), (5, [0, 9], [0, 5]),
     (2, [], [])],
)  # fmt: skip
def test_a_number_is_shared_out_whole(total: int, weights: list[int], shares: list[int]) -> None:
    assert shared_out(total, weights) == shares


def test_losses_of_a_group_are_shared_and_guests_lose_nothing() -> None:
    group = (piece("1", "a", 10), piece("", "a", 10), piece("2", "a", 20))
    assert lost_by_piece("A", group, 8, 4) == [Loss("A.1", 2, 1), Loss("A.2", 4, 2)]


LEADER = BriefLeader("9", "king", "general", 10)


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (Report("b1", 2), "battle.winner"),
        (Report("b1", None, (Loss("A.x", 1),)), "battle.unit"),
        (Report("b1", None, (Loss("A.spears", 99),)), "battle.losses"),
        (Report("b1", None, (Loss("A.spears", -1),)), "battle.losses"),
        (Report("b1", None, (), (Fate("A.9", "alive"),)), "battle.leader"),
        (Report("b1", None, (), (Fate("B.9", "asleep"),)), "battle.fate"),
        (Report("b1", None, (), (), ("A.war_priest",)), "battle.right"),
    ],
)
def test_PA_1_a_report_that_does_not_fit_is_refused(report: Report, code: str) -> None:
    brief = mare_nostrum("tabletop")
    units = (BriefUnit("spears", "spears", "spears", 8, 40),)
    a, b = [replace(side, units=units) for side in brief.sides]
    brief = replace(brief, sides=(a, replace(b, leaders=(LEADER,))))
    with pytest.raises(NotAllowed) as refused:
        fitted(brief, report)
    assert refused.value.code == code


def test_PA_3_where_its_own_rules_name_no_winner_nobody_has_won_by_being_left() -> None:
    brief = mare_nostrum("batailles")
    gone = tuple(Loss(f"A.{unit.id}", unit.figures) for unit in brief.sides[0].units)
    for winner in (None, 1):
        assert fitted(brief, Report(brief.id, winner, gone)).winner is winner
    state = begun(brief)
    ended = replace(state, a=state.a.losing(60), ending=ClassicalEnding(None, "agreement"))
    assert batailles.report(brief, ended).winner is None
    assert HOMES["B"] == brief.place
