"""Chances beside targets and orders: counted here face by face."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from msgspec.structs import replace

from polemarque.kernel.agenda import rules_of
from polemarque.kernel.files.decoding import convert
from polemarque.odds.beside_options import exact
from polemarque.odds.consult import consult_odds
from polemarque.systems.thucidide import SYSTEM
from polemarque.systems.thucidide.chapters.attack import told_with
from polemarque.systems.thucidide.chapters.combat import attack_told
from polemarque.systems.thucidide.combat_dice import dice_of
from polemarque.systems.thucidide.orders import NONE
from polemarque.systems.thucidide.setup.opening import begin
from polemarque.systems.thucidide.state import Battle, Fight
from polemarque.systems.thucidide.targets import is_influenced, is_supported

RULES = rules_of(SYSTEM.package, SYSTEM.edition)
FLAG, ADVANTAGE = 4, 6


def in_combat() -> Battle:
    """The veterans, with Marcus beside them, attack foot: no order is in force."""
    setup = convert(dict(SYSTEM.scenarios["clash"]), SYSTEM.setup)
    battle = begin(setup, ("A", "B"), {})[0]
    return replace(battle, fight=Fight(attacker="A2", target="B02"))


def counted(battle: Battle, dice: int, hit: set[int], ignored: int) -> dict[str, Fraction]:
    """What so many dice come to, all faces counted."""
    elements = battle.units["B02"].elements
    found = dict.fromkeys(("destroyed", "back", "hits"), Fraction(0))
    each = Fraction(1, 6**dice)
    for faces in product(range(1, 7), repeat=dice):
        hits = sum(face in hit for face in faces)
        gone = hits >= elements
        found["destroyed"] += each * gone
        found["back"] += each * (not gone and faces.count(FLAG) > ignored)
        found["hits"] += each * hits
    return found


def told(battle: Battle, code: str = NONE) -> dict[str, Fraction]:
    fact = told_with(battle, battle.units["A2"])(code)
    assert fact is not None
    return {name: exact(fact.data[name], RULES) for name in ("destroyed", "back", "hits")}


def figures(battle: Battle) -> tuple[int, set[int], int]:
    """Dice, faces that hit, flags that may be ignored."""
    assert battle.fight is not None
    attacker, target = battle.units["A2"], battle.units["B02"]
    arm = target.figures.arm
    own = {"infantry": 1, "artillery": 3, "elephants": 3}.get(arm, 2)
    hit = {own, ADVANTAGE} if is_supported(battle, attacker) else {own}
    ignored = is_supported(battle, target) + is_influenced(battle, target)
    return dice_of(battle, battle.fight).total, hit, ignored


def test_TH_F2_what_an_attack_may_come_to() -> None:
    battle = in_combat()
    dice, hit, ignored = figures(battle)
    assert told(battle) == counted(battle, dice, hit, ignored)


@pytest.mark.parametrize(("order", "more"), [("allant", 1), ("berserks", 2)])
def test_TH_6_an_order_that_adds_dice(order: str, more: int) -> None:
    battle = in_combat()
    dice, hit, ignored = figures(battle)
    assert told(battle, order) == counted(battle, dice + more, hit, ignored)


def test_TH_6_3_a_charge_supports_and_so_makes_advantages_hit() -> None:
    battle = in_combat()
    dice, hit, ignored = figures(battle)
    assert told(battle, "charge") == counted(battle, dice, hit | {ADVANTAGE}, ignored)


def test_TH_7_4_who_holds_his_position_is_not_driven_back() -> None:
    battle = in_combat().marked("B02", orders=("tenir",))
    assert told(battle)["back"] == 0
    assert told(battle)["hits"] == told(in_combat())["hits"]


def test_TH_7_6_from_an_ambush_the_dice_of_the_answer_come_first() -> None:
    battle = in_combat()
    assert battle.fight is not None
    attacker, unit = battle.units["A2"], battle.units["B02"]
    fact = told_with(battle, unit)("embuscade")
    assert fact is not None and fact.key == "ambush"
    inputs = {
        "target": attacker.figures.arm, "supported": is_supported(battle, unit), "kind": "riposte",
        "count": dice_of(battle, replace(battle.fight, throw="ambush")).total,
    }  # fmt: skip
    assert 0 < inputs["count"] != dice_of(battle, battle.fight).total
    ignored = is_supported(battle, attacker) + is_influenced(battle, attacker)
    wanted = dict.fromkeys(("destroyed", "back", "hits"), Fraction(0))
    for each in consult_odds("TH-F2", inputs).outcomes:
        gone = each.result["hits"] >= attacker.elements
        wanted["destroyed"] += Fraction(each.p) * gone
        wanted["back"] += Fraction(each.p) * (not gone and each.result["flags"] > ignored)
        wanted["hits"] += Fraction(each.p) * each.result["hits"]
    assert {name: exact(figure, RULES) for name, figure in fact.data.items()} == wanted


def hand_to_hand() -> Battle:
    """The same, come up to each other."""
    battle = in_combat()
    near = battle.board.grid.neighbours(battle.units["B02"].cell)
    free = next(cell for cell in near if cell not in battle.by_cell())
    return battle.unit("A2", cell=free)


def test_TH_F5_beside_an_attack_stands_what_the_riposte_costs_if_the_target_holds() -> None:
    battle = hand_to_hand()
    attacker, unit = battle.units["A2"], battle.units["B02"]
    assert battle.fight is not None and is_supported(battle, unit)
    fact = attack_told(battle, battle.fight)
    assert fact is not None and fact.key == "fought"
    inputs = {
        "target": attacker.figures.arm, "supported": True, "kind": "riposte",
        "count": dice_of(battle, replace(battle.fight, throw="riposte")).total,
    }  # fmt: skip
    ignored = is_supported(battle, attacker) + is_influenced(battle, attacker)
    wanted = dict.fromkeys(("riposte_destroyed", "riposte_back"), Fraction(0))
    for each in consult_odds("TH-F2", inputs).outcomes:
        gone = each.result["hits"] >= attacker.elements
        wanted["riposte_destroyed"] += Fraction(each.p) * gone
        wanted["riposte_back"] += Fraction(each.p) * (not gone and each.result["flags"] > ignored)
    assert {name: exact(fact.data[name], RULES) for name in wanted} == wanted
    assert wanted["riposte_back"] > 0


@pytest.mark.parametrize("change", ["from afar", "harmless", "answered"])
def test_TH_F5_who_does_not_riposte_is_told_none(change: str) -> None:
    battle = hand_to_hand()
    assert battle.fight is not None
    fight = replace(battle.fight, shooting=change == "from afar", riposted=change == "answered")
    if change == "harmless":
        unit = battle.units["B02"]
        battle = battle.unit("B02", figures=replace(unit.figures, melee=0))
    fact = attack_told(battle, fight)
    assert fact is not None and fact.key == "attack"


def test_nothing_is_said_where_the_dice_cost_something_else() -> None:
    battle = in_combat()
    assert battle.fight is not None
    assert attack_told(battle, replace(battle.fight, answers=("embuscade",))) is None
    assert attack_told(battle.marked("B02", orders=("sacrifice",)), battle.fight) is None
    assert attack_told(battle.side("A", rerolls=1), battle.fight) is None
