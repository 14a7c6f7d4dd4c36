"""The ground of a conquest (AT-9.2 to AT-9.4, AT-9.7, AT-9.8)."""

import itertools

import pytest
from msgspec.structs import replace

from polemarque.systems.atlantide.strength import (
    Ground,
    army_force,
    attack_force,
    conquest_refusal,
    ground_of,
    negotiates,
    passage_modifiers,
)
from polemarque.systems.atlantide.troops import Duty
from tests.systems.atlantide.wars import agreed, army, chosen, owned, spearmen, war


@pytest.mark.parametrize(
    ("ground", "strength"),
    [
        (Ground("plains", capital_conquered=True), 6),
        (Ground("plains"), 7),  # the case of the sample: 6, +1 capital not conquered
        (Ground("forest"), 8),
        (Ground("mountains"), 9),
        (Ground("plains", capital=True), 8),  # a capital under attack: +1 and +1
        (Ground("mountains", atlantis=True), 11),
        (Ground("mountains", capital=True, atlantis=True), 12),
        (Ground("plains", fortresses=2), 7),  # Atlantean land: fortresses do not count
        (Ground("plains", capital_conquered=True, player_held=True, fortresses=2), 8),
    ],
)
def test_each_modifier(ground, strength) -> None:
    assert ground.strength == strength


def test_the_strength_and_its_reasons_never_part() -> None:
    flags = (False, True)
    for terrain in ("plains", "river_plains", "forest", "mountains"):
        for a, b, c, d in itertools.product(flags, repeat=4):
            for forts in range(3):
                ground = Ground(terrain, a, b, c, d, forts)
                assert ground.strength == ground.defence.total
                assert ground.defence.parts[0].amount == 6


def test_atlantean_land_is_stronger_while_the_capital_is_atlantean() -> None:
    state = war(A="m1", B="a1")
    assert ground_of(state, "e2", "A") == Ground("plains")
    assert ground_of(state, "e1", "A") == Ground("plains", capital=True)
    taken = owned(state, "B", "e1")
    assert ground_of(taken, "e2", "A") == Ground("plains", capital_conquered=True)
    assert ground_of(state, "h1", "A") == Ground("mountains", capital=True, atlantis=True)
    assert ground_of(state, "h2", "A") == Ground("mountains", atlantis=True)


@pytest.mark.parametrize(
    ("holder", "variant", "conquered"),
    [
        ("B", "defender", False),  # the defender holds the capital: +1
        ("A", "defender", True),
        (None, "defender", True),
        ("B", "attacker", False),
        ("A", "attacker", True),  # the attacker holds it: no +1
        (None, "attacker", False),
    ],
)
def test_on_a_player_s_land_the_variant_says_whose_capital_counts(
    holder, variant, conquered
) -> None:
    state = chosen(owned(war(A="m1", B="a1"), holder, "a1"), capital_bonus=variant)
    state = state.fortified("a2")
    ground = ground_of(state, "a2", "A")
    assert ground.capital_conquered is conquered
    assert ground.strength == 6 + (not conquered) + 1


def test_bribes_count_by_full_fifties() -> None:
    force = army_force(army("m1", spearmen()))  # 2, general of Ld 8
    assert [attack_force(force, loot).total for loot in (0, 49, 50, 99, 150)] == [2, 2, 3, 3, 5]
    assert attack_force(force, 100).parts[-1].rule == "AT-9.3"


@pytest.mark.parametrize(
    ("loot", "ld", "added"), [(0, None, -2), (0, 8, 0), (100, 9, 3), (50, 7, 0), (49, 10, 2)]
)
def test_what_is_added_to_a_negotiation(loot, ld, added) -> None:
    told = passage_modifiers(loot, ld)
    assert told.total == added
    assert {part.rule for part in told.parts} == {"AT-9.2"}


# Who may attack ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("force", "code"),
    [
        (None, "conquest.no_army"),
        (army("m2"), "conquest.own_land"),
        (army("e2"), ""),
        (army("a2"), ""),
        (army("a1"), "conquest.army_there"),
        (army("e2", attacked=True), "conquest.once"),
        (army("e2", duty=Duty("beaten")), "conquest.beaten"),
    ],
)
def test_where_an_army_may_attack(force, code) -> None:
    assert conquest_refusal(war(A=force, B="a1"), "A") == code


def test_a_beaten_owner_s_army_does_not_protect_his_land() -> None:
    state = war(A="a1", B=army("a1", duty=Duty("beaten")))
    assert conquest_refusal(state, "A") == ""


def test_a_third_player_s_army_does_not_protect_it_either() -> None:
    assert conquest_refusal(war(A="a2", B="a1", C="a2"), "A") == ""


def test_an_agreement_can_forbid_it() -> None:
    state = agreed(war(A="a2", B="a1"), "stationing", "B", "A", "a2", peace=True)
    assert conquest_refusal(state, "A") == "conquest.agreement"
    assert conquest_refusal(replace(state, turn=2), "A") == ""


def test_passage_is_negotiated_on_atlantean_land_by_an_unbeaten_army() -> None:
    assert negotiates(war(A="e2", B="a1"), "A")
    assert not negotiates(war(A="a2", B="a1"), "A")
    assert not negotiates(war(A=army("e2", duty=Duty("beaten")), B="a1"), "A")
    assert not negotiates(war(A=None, B="a1"), "A")
