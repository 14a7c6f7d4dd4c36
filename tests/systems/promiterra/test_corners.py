"""Corners of the rules that ordinary play seldom comes to."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.kernel.agenda import Call, registered
from polemarque.systems.promiterra.chapters.declaring import agreed_outcome
from polemarque.systems.promiterra.chapters.deployment import open_cells
from polemarque.systems.promiterra.chapters.ending import can_be_pursued, situation
from polemarque.systems.promiterra.chapters.fighting import can_shoot, can_strike, having_attacked
from polemarque.systems.promiterra.chapters.loyalty import causes, values_compared
from polemarque.systems.promiterra.chapters.turn import able
from polemarque.systems.promiterra.current_stats import fighter, stats, value_of
from polemarque.systems.promiterra.ground import targets
from polemarque.systems.promiterra.setup.catalogue import WarAction
from polemarque.systems.promiterra.state import Effect, Ending, Order, War
from polemarque.systems.promiterra.stats import Change
from tests.systems.promiterra.wars import field, ran, setup, troop, war_of

BOARD = field(fortification={"a1": 2, "b1": 2, "c1": 2, "e8": 1})

THREE = setup(
    [troop("light", 10, "Ann", "c3", others=["Al"]), troop("bows", 10, "Abe", "b3")],
    [troop("light", 20, "Bob", "c4"), troop("beast", 5, "Bea", "d4")],
    [troop("light", 20, "Cid", "h8"), troop("light", 1, "Coe", "h7")],
    board=BOARD,
)
"""Three armies, each alone."""


def at_war(**alliances: str) -> War:
    """A's first turn; alliances: of some armies, with another."""
    war = replace(war_of(THREE), playing="A", turn=1, order=("A", "B", "C"))
    for seat, side in alliances.items():
        war = war.with_army(seat, alliance=side)
    return war


def helped(war: War, code: str, action: str, **change: int) -> War:
    """The war with a war action in force on a troop."""

    known = WarAction(action, action, action, Change(**change))
    effect = Effect(war.troops[code].army, war.troops[code].leader, action, code)
    return replace(
        war, actions={**war.actions, action: known}, effects=(*war.effects, effect)
    )  # fmt: skip


# Statistics and values ---------------------------------------------------------------------------


def test_PR_1_9_mastery_counts_while_one_leads() -> None:

    war = at_war()
    master = replace(war.persons["A-2"], mastery=Change(attack=2))
    war = war.with_persons([master])
    assert stats(war, war.troops["A1"]).attack == 2
    leads = war.changed("A1", leader="A-2")
    assert stats(leads, leads.troops["A1"]).attack == 4


def test_PR_1_7_the_value_of_an_army_is_that_of_its_troops_as_they_stand() -> None:
    war = at_war()
    assert value_of(war, ("A",)) == 200
    assert value_of(helped(war, "A1", "gilding", value=5), ("A",)) == 250
    assert value_of(war.changed("A1", units=4), ("A",)) == 140
    assert value_of(war.left_by("A1", "fled"), ("A",)) == 100


def test_PR_1_6_changed_statistics_fight() -> None:
    war = helped(at_war(), "B1", "shields", defence=2, attack=-1)
    fights = fighter(war, war.troops["B1"])
    assert (fights.attack, fights.defence) == (1, 4)


def test_PR_4_2_an_army_is_compared_with_all_hostile_armies_together() -> None:
    assert values_compared(at_war(), "A") == (200, 510)
    assert values_compared(at_war(C="A"), "A") == (200, 300)
    war = replace(at_war(), options=replace(at_war().options, value_sides="alliance"))
    war = war.with_army("C", alliance="A")
    assert values_compared(war, "A") == (410, 300)
    shrunk = at_war().changed("A1", units=1).changed("A2", units=9)
    assert "outvalued" in causes(shrunk, "A")["A1"]  # neither enemy alone has three times 100
    assert values_compared(shrunk, "A") == (100, 510)


def test_PR_4_2_only_hostile_creatures_frighten() -> None:
    assert causes(at_war(), "A") == {"A1": ("fear",)}
    assert causes(at_war(B="A"), "A") == {}


# Attacks -----------------------------------------------------------------------------------------


def test_PR_5_5_a_range_lengthened_by_a_war_action_reaches_further() -> None:
    war = at_war().changed("C2", cell="b8")
    archers, target = war.troops["A2"], war.troops["C2"]
    assert not can_shoot(war, archers, target)
    assert can_shoot(helped(war, "A2", "aim", range=1), archers, target)


def test_PR_7_1_a_barricade_stops_missiles_alone() -> None:
    war = at_war().changed("B1", barricaded=True)
    assert "B1" in targets(war, "A", "c3", 4)
    assert can_strike(war, Order("A1", target="B1"))
    war = war.changed("B1", cell="c5")
    assert "B1" not in targets(war, "A", "c3", 4)
    assert not can_shoot(war, war.troops["A2"], war.troops["B1"])


# Deployment and forts ----------------------------------------------------------------------------


def test_PR_2_4_forts_of_others_are_closed_to_deployment() -> None:
    war = replace(at_war(), holders={"a1": "B", "b1": "A"})
    war = war.with_army("A", zone=("a1", "b1", "c1", "a2", "c3"))
    assert open_cells(war, "A") == ("b1", "c1", "a2")  # c1 is nobody's, on c3 somebody stands


def test_PR_2_4_what_one_alliance_has_claimed_is_not_anothers() -> None:
    armies = [
        {**army, "troops": [troop("light", 5, name)], **zone}
        for army, name, zone in zip(
            THREE["armies"],
            ("Ann", "Bob", "Cid"),
            ({"zone": "west"}, {"zone": "south"}, {"zone": "south", "alliance": "A"}),
            strict=True,
        )
    ]
    war = war_of({**THREE, "armies": armies})
    mine, other, allied = (set(war.armies[seat].zone) for seat in "ABC")
    assert "a1" in mine and "h1" in other
    assert not mine & other
    assert mine & allied and not allied & other


@pytest.mark.parametrize(
    ("first", "order"), [("A", ["A", "B", "C"]), ("B", ["B", "C", "A"]), ("C", ["C", "A", "B"])]
)
def test_PR_2_4_three_alliances_follow_the_one_that_is_given_first(
    first: str, order: list[str]
) -> None:
    said = next(registered("PR-2.4/order").run(replace(at_war(), first=first)))
    assert (said.kind, list(said.data["alliances"])) == ("given", order)


def test_PR_7_4_who_stands_in_a_fort_holds_it_whoever_is_named() -> None:
    armies = [dict(army) for army in THREE["armies"]]
    armies[0] = {**armies[0], "troops": [troop("light", 5, "Ann", "a1")]}
    armies[1] = {**armies[1], "holds": ["a1", "b1"]}
    assert war_of({**THREE, "armies": armies}).holders == {"a1": "A", "b1": "B"}


# The end -----------------------------------------------------------------------------------------


def ended(war: War, winner: str, cause: Any = "alone", **more: Any) -> War:
    """The war at its end."""
    return replace(war, ending=Ending(winner, cause, **more))


@pytest.mark.parametrize(
    ("fate", "winner", "cause", "where"),
    [
        ("fled", "A", "alone", "winner_fled"),
        ("annihilated", "A", "alone", "winner_annihilated"),
        ("present", "A", "alone", "winner_present"),
        ("present", "B", "agreed", "loser_fled"),
        ("present", "nobody", "quiet", "winner_present"),
        ("fled", "nobody", "quiet", "loser_fled"),
        ("annihilated", "nobody", "turn_limit", "loser_annihilated"),
    ],
)
def test_PR_8_2_situations_of_leaders(fate: Any, winner: str, cause: str, where: str) -> None:
    war = at_war() if fate == "present" else at_war().left_by("A1", fate)
    war = ended(war, winner, cause)
    assert situation(war, war.persons["A-1"]) == where


def test_PR_8_2_who_lost_command_by_a_merger_rolls_as_well() -> None:
    war = at_war().changed("A2", type="melee")
    merger = Order("A2", act="merger", target="A1", leader="A-3", cell="c3", named="A1")
    after, _, _ = ran("PR-7.8", war, merger)
    for code in ("B1", "B2", "C1", "C2"):
        after = after.left_by(code, "fled")
    _, items, _ = ran("PR-8.1/end", after)
    rolling = [item[1] for item in items if item[0] == "PR-8.2"]
    assert {"A-1", "A-3"} < set(rolling)
    assert "A-2" not in rolling, "he has led nobody"


@pytest.mark.parametrize(("lost", "bled"), [(0, True), (3, False)])
def test_PR_8_3_the_star_looks_at_what_a_troop_has_seen(lost: int, bled: bool) -> None:
    war = ended(at_war().changed("A1", lost=lost, bled=bled), "A")
    called = next(registered("PR-8.2").run(war, "A-1"))
    assert isinstance(called, Call)
    assert called.args == ("winner_present", int(bled), "weak")


def test_PR_8_1_the_winners_own_troops_are_not_pursued() -> None:
    war = at_war(C="A").left_by("A1", "fled").left_by("B1", "fled").left_by("B2", "annihilated")
    assert [each.id for each in can_be_pursued(ended(war, "A"))] == ["B1"]
    assert [each.id for each in can_be_pursued(ended(war, "nobody", "agreed"))] == []


def test_PR_8_1_all_armies_on_the_field_must_agree_and_no_others() -> None:
    war = at_war().with_army("A", wish="B").with_army("B", wish="B")
    assert agreed_outcome(war) == ""
    assert agreed_outcome(war.with_army("C", wish="A")) == ""
    assert agreed_outcome(war.with_army("C", wish="B")) == "B"
    assert agreed_outcome(war.left_by("C1", "fled").left_by("C2", "fled")) == "B"


def test_PR_8_5_attacks_and_leaving_are_no_quiet() -> None:
    war = replace(at_war(), stirred=False)
    assert having_attacked(war, "A1").stirred
    assert war.left_by("A1", "fled").stirred
    assert war.placed("A1", "c2").stirred


def test_PR_3_2_who_is_off_the_field_does_no_war_action() -> None:

    war = at_war()
    people = [replace(war.persons[code], actions=("cry",)) for code in ("A-1", "A-3", "B-1")]
    war = war.with_persons(people)
    assert [person.id for person in able(war, "A")] == ["A-1", "A-3"]
    assert [person.id for person in able(war.left_by("A1", "fled"), "A")] == ["A-3"]


def test_PR_1_1_armies_without_troops_are_passed_over() -> None:
    war = at_war().left_by("B1", "fled").left_by("B2", "fled")
    after, _ = registered("PR-3.1/next").run(replace(war, queue=("B", "C"), round=1))
    assert (after.playing, after.queue) == ("C", ())


def test_PR_2_1_changed_movement_carries_a_troop_further() -> None:
    order = Order("A2", path=("a3", "a4", "a5"))
    war = replace(at_war(), orders=(order,))
    for moved, place in ((war, "a4"), (helped(war, "A2", "haste", movement=1), "a5")):
        after, _, _ = ran("PR-3.3/move", moved)
        assert after.troops["A2"].cell == place
