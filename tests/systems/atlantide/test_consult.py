"""Every row of the contract for consult (chapters of Atlantide), odd combinations included."""

from __future__ import annotations

from fractions import Fraction

import pytest

from polemarque.kernel.errors import Refusal
from polemarque.odds.consult import consult, consult_odds, questions

NAMED = (
    "AT-1.5", "AT-1.8", "AT-3.1", "AT-5.1", "AT-6.3", "AT-8.2", "AT-8.4", "AT-8.9", "AT-8.11",
    "AT-9.2", "AT-9.5",
)  # fmt: skip
"""Rules whose names the contract fixes."""


def ask(rule, dice=(), options=None, **inputs):
    return consult(rule, inputs, list(dice), options, lang="fr").result


def refused(rule, dice=(), options=None, **inputs) -> str:
    with pytest.raises(Refusal) as refusal:
        consult(rule, inputs, list(dice), options)
    return refusal.value.kind


def line(kind, ws=None, warband="no", count=1):
    given = {"kind": kind, "warband": warband, "count": count}
    return given if ws is None else {**given, "ws": ws}


# The example of the book (AT-1.7)
MYCENAEANS = [
    {"kind": "character", "count": 2}, {"kind": "light_chariot"},
    {"kind": "infantry", "ws": 3, "warband": "yes"},
    {"kind": "infantry", "ws": 3, "warband": "yes"},
    {"kind": "light_infantry", "ws": 3}, {"kind": "light_infantry", "ws": 3},
    {"kind": "skirmishers"},
]  # fmt: skip


def test_every_rule_of_the_contract_can_be_asked_and_its_example_answers_in_both_languages():
    known = {q.rule: q for s, q in questions() if s.name == "atlantide"}
    assert set(NAMED) <= set(known)
    for rule, question in known.items():
        for lang in ("fr", "en"):
            answer = consult(rule, question.example, lang=lang)
            assert answer.text
            assert "{" not in answer.text


# Strength (AT-1.5, AT-1.8) -----------------------------------------------------------------------


def test_AT_1_7_the_example_of_the_book():
    assert ask("AT-1.5", (1, 3), units=MYCENAEANS, general_ld=8) == {"combat_force": 10}
    # Archers and javelinmen are light infantry, and one unit of slingers.
    assert ask("AT-1.8", units=MYCENAEANS, general_ld=8) == {"initiative": 120}


@pytest.mark.parametrize(
    ("given", "worth"),
    [
        (line("infantry", 4), 3), (line("infantry", 5), 3), (line("infantry", 3), 2),
        (line("infantry", 2), 1), (line("infantry", 1), 1), (line("light_infantry", 4), 2),
        (line("light_infantry", 3), 1), (line("light_infantry", 1), 1),
        (line("cavalry", 4), 3), (line("cavalry", 3), 2), (line("light_cavalry"), 1),
        (line("heavy_chariot"), 3), (line("light_chariot"), 2), (line("elephant"), 2),
        (line("elephant", count=3), 6), (line("artillery", count=2), 4), (line("character"), 1),
        (line("skirmishers", count=2), 0), (line("skirmishers", count=3), 1),
        (line("skirmishers", count=8), 2), (line("infantry", 3, count=0), 0),
        (line("character", warband="yes"), 1),
    ],
)  # fmt: skip
def test_AT_1_5_what_each_kind_adds(given, worth):
    assert ask("AT-1.5", units=[given], general_ld=8) == {"combat_force": worth}


@pytest.mark.parametrize(
    ("ld", "worth"), [("none", -2), (1, -1), (7, -1), (8, 0), (9, 1), (10, 2), (12, 2)]
)
def test_AT_1_5_the_general_and_a_force_that_may_be_negative(ld, worth):
    assert ask("AT-1.5", units=[], general_ld=ld) == {"combat_force": worth}


def test_AT_1_5_skirmishers_are_counted_over_the_whole_list():
    units = [line("skirmishers"), line("infantry", 3), line("skirmishers", count=2)]
    assert ask("AT-1.5", units=units, general_ld=8) == {"combat_force": 3}


def test_AT_1_5_a_die_a_warband_unit_in_list_order():
    units = [
        line("infantry", 3, "yes", 2), line("skirmishers", warband="fanatic"),
        line("character", warband="fanatic"), line("cavalry", 4, "fanatic"),
    ]  # fmt: skip
    # 2x2 + (1 + 3 - 4); 0 + 2 - 1; 1; 3 + 1 - 1
    answer = consult("AT-1.5", {"units": units, "general_ld": 8}, [1, 3, 2, 1], lang="en")
    assert answer.result == {"combat_force": 4 + 0 + 1 + 1 + 3 + 0}
    assert [(d.die, d.face) for d in answer.dice] == [("D3", 1), ("D3", 3), ("D3", 2), ("D3", 1)]
    assert sum(part["amount"] for part in answer.modifiers) == 9


def test_AT_1_5_refusals():
    assert refused("AT-1.5", units=[{"kind": "infantry"}], general_ld=8) == "not_understood"
    assert refused("AT-1.5", units=[{"kind": "knight"}], general_ld=8) == "not_understood"
    assert refused("AT-1.5", units=[], general_ld="great") == "not_understood"
    assert refused("AT-1.5", units=[]) == "not_understood"
    assert refused("AT-1.5", units=[line("cavalry", 3, count=-1)], general_ld=8) == "not_understood"
    assert refused("AT-1.5", (4,), units=[line("infantry", 3, "yes")], general_ld=8) == "dice"
    assert refused("AT-1.5", units=[line("infantry", 3, "yes")], general_ld=8) == "dice"
    assert refused("AT-1.5", (1,), units=[line("infantry", 3)], general_ld=8) == "dice"
    assert refused("AT-1.5", units=[], general_ld=8, luck=1) == "not_understood"


def test_AT_1_8_initiative():
    units = [
        line("light_infantry", 3, count=2), line("light_cavalry"), line("skirmishers", count=3),
    ]  # fmt: skip
    assert ask("AT-1.8", units=units, general_ld=9) == {"initiative": 90 + 20 + 20 + 60}
    assert ask("AT-1.8", units=[], general_ld="none") == {"initiative": 50}
    assert ask("AT-1.8", units=[], general_ld="none", best_character_ld=7) == {"initiative": 70}
    assert ask("AT-1.8", units=[], general_ld=6, best_character_ld=9) == {"initiative": 60}
    warband = [line("infantry", 3, "yes")]
    assert ask("AT-1.8", units=warband, general_ld=8) == {"initiative": 80}  # no dice
    assert refused("AT-1.8", (1,), units=[], general_ld=8) == "dice"


# Events, taxes, supply (AT-3.1, AT-5.1, AT-6.3) --------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "event", "figures"),
    [
        ((1, 1, 4), "eruption", 4), ((1, 2), "bad_omen", 0), ((2, 2), "enemy_spy", 0),
        ((1, 4), "enemy_spy", 0), ((3, 3), "none", 0), ((3, 4), "none", 0), ((4, 4), "none", 0),
        ((3, 6), "our_spy", 0), ((5, 5), "our_spy", 0), ((5, 6), "good_omen", 0),
        ((6, 6, 3), "slaves", 13),
    ],
)  # fmt: skip
def test_AT_3_1_events(dice, event, figures):
    assert ask("AT-3.1", dice) == {"event": event, "figures": figures}


def test_AT_3_1_refusals():
    assert refused("AT-3.1", (1, 1)) == "dice"
    assert refused("AT-3.1", (3, 4, 5)) == "dice"
    assert refused("AT-3.1", (7, 1)) == "dice"


def test_AT_5_1_taxes():
    land = [
        {"terrain": "mountains", "city": "atlantis"},  # 35
        {"terrain": "river_plains", "city": "royal"},  # 25
        {"terrain": "river_plains"},  # 15
        {"terrain": "plains", "enemy": False},  # 10
        {"terrain": "forest"},  # 5
        {"terrain": "mountains"},  # 5
        {"terrain": "plains", "city": "royal", "enemy": True},  # 0
    ]
    assert ask("AT-5.1", territories=land) == {"taxes": 95}
    assert ask("AT-5.1", territories=[]) == {"taxes": 0}
    two = [{"terrain": "plains", "city": "atlantis"}, {"terrain": "forest", "city": "atlantis"}]
    assert ask("AT-5.1", territories=two) == {"taxes": 70}
    assert refused("AT-5.1", territories=[{"city": "royal"}]) == "not_understood"
    assert refused("AT-5.1", territories=[{"terrain": "sea"}]) == "not_understood"


@pytest.mark.parametrize(
    ("turns", "loot", "dice", "result"),
    [
        (0, 0, (1, 6), (-1, 6, False)), (1, 0, (1, 2), (-1, 2, False)),
        (0, 0, (2,), (-1, 0, False)),
        (0, 0, (3, 4), (-1, 4, True)), (0, 0, (4, 1), (0, 1, True)), (0, 0, (5, 5), (0, 5, True)),
        (0, 0, (6,), (0, 0, True)), (0, 50, (5,), (0, 0, True)), (0, 99, (5,), (0, 0, True)),
        (2, 149, (2,), (-1, 0, False)), (9, 1000, (1,), (0, 0, True)),
    ],
)  # fmt: skip
def test_AT_6_3_want_of_supply(turns, loot, dice, result):
    found = ask("AT-6.3", dice, earlier_turns=turns, loot=loot)
    assert found == dict(zip(("ld", "deserters", "moves"), result, strict=True))


def test_AT_6_3_variant_this_turn_counts():
    including = {"supply_count": "including"}
    found = ask("AT-6.3", (3,), including, earlier_turns=0, loot=0)
    assert found == {"ld": -1, "deserters": 0, "moves": False}
    assert refused("AT-6.3", (3,), {"supply_count": "all"}, earlier_turns=0, loot=0)
    assert refused("AT-6.3", (3,), earlier_turns=-1, loot=0) == "not_understood"


# Battle (AT-8) -----------------------------------------------------------------------------------


def test_AT_8_2_scenarios():
    for a, b, scenario, by, walls, formations in (
        ("frontal", "frontal", "pitched_battle", None, None, True),
        ("frontal", "defence", "pitched_battle", None, "b", True),
        ("defence", "frontal", "pitched_battle", None, "a", True),
        ("defence", "defence", "skirmish", None, None, False),
        ("defence", "wait", "skirmish_surprise_attack", "b", None, False),
        ("wait", "rapid", "breakthrough", "b", None, True),
        ("frontal", "wait", "last_stand", "a", None, True),
        ("flank", "rapid", "ambush", "a", None, True),
        ("flank", "wait", "none", None, None, True),
    ):
        assert ask("AT-8.2", a=a, b=b) == {
            "scenario": scenario, "by": by, "walls": walls, "formations": formations,
        }  # fmt: skip
    assert refused("AT-8.2", a="frontal") == "not_understood"
    assert refused("AT-8.2", a="frontal", b="charge") == "not_understood"
    assert refused("AT-8.2", (1,), a="frontal", b="wait") == "dice"


def test_AT_8_4_elements():
    for sector, counts in ((1, (0, 0, 1, 1, 2, 2)), (5, (0, 0, 0, 0, 1, 1))):
        for die, elements in enumerate(counts, 1):
            assert ask("AT-8.4", (die,), sector=sector) == {"elements": elements}
    assert refused("AT-8.4", (1,), sector=7) == "not_understood"
    assert refused("AT-8.4", (1,), sector=0) == "not_understood"


def test_AT_8_9_recovery():
    assert ask("AT-8.9", (4,), toughness=4, duel=False) == {"recovered": True}
    assert ask("AT-8.9", (5,), toughness=4, duel=False) == {"recovered": False}
    assert ask("AT-8.9", toughness=6, duel=True) == {"recovered": False}
    assert refused("AT-8.9", (1,), toughness=6, duel=True) == "dice"
    assert ask("AT-8.9", (6,), toughness=9, duel=False) == {"recovered": True}


def test_AT_8_11_simulated_battle():
    def battle(dice, a, d, absent):
        return ask("AT-8.11", dice, attacker_force=a, defender_force=d, defender_absent=absent)

    assert battle((3, 4, 3, 3), 10, 10, False) == {
        "winner": "attacker", "difference": 1, "winner_loss": 35, "loser_loss": 50,
    }  # fmt: skip
    # 8 + 2 against 12 + 12 - 5: the defender by 9
    assert battle((1, 1, 6, 6), 8, 12, True) == {
        "winner": "defender", "difference": 9, "winner_loss": 0, "loser_loss": 300,
    }  # fmt: skip
    # a tie, again: 7 + 5 against 9 + 8 - 5, then 7 + 4 against 9 + 2 - 5
    assert battle((2, 3, 4, 4, 2, 2, 1, 1), 7, 9, True)["difference"] == 5
    # forces may be negative, and differ by more than any table has rows
    assert battle((1, 1, 6, 6), 300, -3, True) == {
        "winner": "attacker", "difference": 298, "winner_loss": 0, "loser_loss": 400,
    }  # fmt: skip
    assert refused("AT-8.11", (2, 3, 2, 3), attacker_force=1, defender_force=1,
                   defender_absent=False) == "dice"  # fmt: skip


def test_AT_8_11_modifiers_are_said_once_even_after_ties():
    inputs = {"attacker_force": 7, "defender_force": 9, "defender_absent": True}
    answer = consult("AT-8.11", inputs, [2, 3, 4, 4, 2, 2, 1, 1])
    assert [part["amount"] for part in answer.modifiers] == [7, 9, -5]
    assert len(answer.dice) == 8


# Conquest (AT-9) ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loot", "ld", "die", "passage"),
    [(0, 8, 5, True), (0, 8, 4, False), (49, 8, 4, False), (50, 8, 4, True), (99, 8, 3, False),
     (0, 10, 3, True), (0, 7, 5, False), (0, "none", 6, False), (50, "none", 6, True)],
)  # fmt: skip
def test_AT_9_2_passage(loot, ld, die, passage):
    assert ask("AT-9.2", (die,), loot=loot, general_ld=ld) == {"passage": passage}


def storm(dice, force=10, **more):
    facts = {
        "combat_force": force, "loot": 0, "terrain": "plains", "capital": False,
        "capital_conquered": True, "atlantis": False, "player_held": False, "fortresses": 0,
    }  # fmt: skip
    found = ask("AT-9.5", dice, **{**facts, **more})
    assert set(found) == {"result", "rounds", "loot", "figures_lost"}
    return found["result"], found["rounds"], found["loot"], found["figures_lost"]


@pytest.mark.parametrize(
    ("dice", "more", "outcome"),
    [
        # The defence is 6 + dice; an attack of 11 against 6, 7, 8…
        ((1, 1), {"force": 13}, ("taken", 1, 200, 0)),
        ((1, 1, 3), {"force": 12}, ("taken", 1, 100, 3)),
        ((1, 1, 3), {"force": 11}, ("taken", 1, 100, 3)),
        ((1, 1, 4), {"force": 5}, ("beaten", 1, 0, 4)),
        ((1, 1, 4), {"force": 4}, ("beaten", 1, 0, 4)),
        ((1, 1, 4, 6), {"force": 3}, ("crushed", 1, 0, 10)),
        ((1, 1, 4), {"force": 3, "player_held": True}, ("crushed", 1, -50, 4)),
        ((1, 1, 4, 6), {"force": -30}, ("crushed", 1, 0, 10)),
        # undecided rounds change the attack: 10 against 8: 2, +1; 11 against 8: 3
        ((1, 1, 2, 1, 1, 1), {"force": 10}, ("taken", 2, 100, 3)),
        # 8 against 8: 0; 8 against 9: -1; 7 against 9: -2; 6 against 9: -3
        ((1, 1, 1, 1, 2, 1, 1, 2, 1, 1, 2, 5), {"force": 8}, ("beaten", 4, 0, 8)),
    ],
)
def test_AT_9_5_the_rows_and_the_rounds(dice, more, outcome):
    assert storm(dice, **more) == outcome


@pytest.mark.parametrize(
    ("ground", "strength"),
    [
        ({}, 6), ({"terrain": "river_plains"}, 6), ({"terrain": "forest"}, 7),
        ({"terrain": "mountains"}, 8), ({"capital_conquered": False}, 7), ({"capital": True}, 7),
        ({"capital": True, "capital_conquered": False}, 8),
        ({"capital": True, "capital_conquered": True}, 7),  # no real game, and yet an answer
        ({"atlantis": True}, 8), ({"atlantis": True, "terrain": "plains"}, 8),
        ({"fortresses": 2}, 6), ({"fortresses": 2, "player_held": True}, 8),
        ({"terrain": "mountains", "capital": True, "capital_conquered": False, "atlantis": True,
          "player_held": True, "fortresses": 2}, 14),
    ],
)  # fmt: skip
def test_AT_9_4_each_fact_of_the_ground_is_read_by_itself(ground, strength):
    # Against dice of 7 an attack of strength + 12 takes it at 5, one of strength + 11 at 4.
    assert storm((3, 4), force=strength + 12, **ground)[:3] == ("taken", 1, 200)
    assert storm((3, 4, 1), force=strength + 11, **ground)[:3] == ("taken", 1, 100)


@pytest.mark.parametrize(("loot", "plus"), [(0, 0), (49, 0), (50, 1), (149, 2), (1000, 20)])
def test_AT_9_3_loot_that_is_no_multiple_of_fifty_rounds_down(loot, plus):
    assert storm((3, 4), force=18 - plus, loot=loot) == ("taken", 1, 200, 0)
    assert storm((3, 4, 1), force=17 - plus, loot=loot) == ("taken", 1, 100, 1)


def test_AT_9_5_refusals():
    facts = {
        "combat_force": 10, "loot": 0, "terrain": "plains", "capital": False,
        "capital_conquered": True, "atlantis": False, "player_held": False, "fortresses": 0,
    }  # fmt: skip
    for name in facts:
        lacking = {key: value for key, value in facts.items() if key != name}
        assert refused("AT-9.5", (1, 1, 1), **lacking) == "not_understood"
    for name, value in (
        ("loot", -50), ("combat_force", "strong"), ("terrain", "swamp"), ("capital", "yes"),
        ("fortresses", -1), ("capital", 1),
    ):  # fmt: skip
        assert refused("AT-9.5", (1, 1, 1), **{**facts, name: value}) == "not_understood"
    assert refused("AT-9.5", (1,), **facts) == "dice"
    assert refused("AT-9.5", (1, 1), **facts) == "dice"
    assert refused("AT-9.5", (1, 1, 4), **facts) == "dice"  # a D3 has no 4
    assert refused("AT-9.5", (6, 6, 1, 1, 1), **facts) == "dice"
    assert refused("AT-9.5", (1, 1, 1), {"luck": "good"}, **facts) == "not_understood"


def test_AT_9_5_exact_odds_sum_to_one_and_carry_the_means_of_their_tallies():
    facts = {
        "combat_force": 12, "loot": 0, "terrain": "plains", "capital": False,
        "capital_conquered": True, "atlantis": False, "player_held": False, "fortresses": 0,
    }  # fmt: skip
    odds = consult_odds("AT-9.5", facts)
    assert sum(Fraction(outcome.p) for outcome in odds.outcomes) == 1
    assert [Fraction(o.p) for o in odds.outcomes] == sorted(
        [Fraction(o.p) for o in odds.outcomes], reverse=True
    )
    for outcome in odds.outcomes:
        assert set(outcome.result) == {"result", "loot"}
        assert set(outcome.means) == {"rounds", "figures_lost"}


# The rest, under names of our own ----------------------------------------------------------------


def test_the_other_rules():
    assert ask("AT-1.3", (1,), royal_city=True) == {"terrain": "plains"}
    assert ask("AT-1.3", (4,), royal_city=False) == {"terrain": "forest"}
    assert ask("AT-1.3", (4,), royal_city=True) == {"terrain": "river_plains"}
    assert ask("AT-1.3", royal_city=True, atlantis=True) == {"terrain": "mountains"}
    half = {"points": 155, "full": 20, "figures": 13}  # 100.75
    assert ask("AT-1.15", units=[half]) == {"army_points": 100}
    assert ask("AT-1.15", units=[half, half, {"points": 120}]) == {"army_points": 321}
    assert ask("AT-5.2", points=155, full=20, figures=3) == {"loot": 24}  # 23.25
    assert ask("AT-7.1", (2, 3), initiative=120, spies=-1) == {"movement_initiative": 124}
    assert ask("AT-8.6", units=[155, 40], characters=[70], general=120, quarters=2, standards=1,
               army_standard=True) == {"victory_points": 985}  # fmt: skip
    assert ask("AT-8.6") == {"victory_points": 0}
    assert ask("AT-8.7", figures=20, killed=5, left=3) == {"figures": 17, "back": 5}
    assert ask("AT-8.8", figures=20, killed=8, left=4) == {
        "figures": 12, "back": 4, "if_destroyed": 5,
    }  # fmt: skip
    assert ask("AT-8.13", figures=20, killed=8, left=4) == {"figures": 12, "back": 4}
    assert ask("AT-8.7", figures=3, killed=8, left=4) == {"figures": 8, "back": 8}
    assert ask("AT-9.3", combat_force=-2, loot=120) == {"attack": 0}
    assert ask("AT-9.3", combat_force=13, loot=50, modifier=-2) == {"attack": 12}
    assert ask("AT-9.4", (3, 4), terrain="forest", capital=False, capital_conquered=False,
               atlantis=False, player_held=False, fortresses=0) == {"defence": 15}  # fmt: skip
    assert ask("AT-11.2", (5,)) == {"die": 5}
