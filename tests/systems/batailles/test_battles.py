"""Battles played step by step: seals, orders, questions, priests, umpire's acts, set-ups."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from polemarque.kernel.errors import NotAllowed, NotUnderstood, NotYourTurn, OutOfDate
from polemarque.kernel.events import Modifier
from polemarque.kernel.files.texts import Catalogue
from polemarque.kernel.game import new_header, opening, replay
from polemarque.kernel.position import encode
from polemarque.kernel.records.record import Adjust
from polemarque.kernel.request import UMPIRE
from polemarque.kernel.system import find_system
from polemarque.report.game_words import Words
from polemarque.systems.batailles.after import field_is_left
from polemarque.systems.batailles.setup import distinct
from polemarque.systems.batailles.tables import DATA
from polemarque.systems.batailles.views import asked_with, names
from tests.systems.batailles.fields import EVEN, Played

SMALL = {"pm": 20, "morale": 6, "command": 2}
NARROW = (1, 1, 1, 1, 1)
"""SMALL against EVEN: 10 against 9; a loses nothing, b 2 PM and 2 morale."""

# Seals -------------------------------------------------------------------------------------------


def test_choices_are_sealed_until_both_are_in() -> None:
    played = Played(SMALL, EVEN, NARROW)
    before = encode(played.game.view("B"))
    count = len(played.events)
    played.say("A", {"choice": "strategy", "words": "night attack"})
    assert encode(played.game.view("B")) == before
    assert len(played.events) == count
    assert played.game.requests("B")[0].rule == "BC-3.4"
    played.say("A", {"choice": "withdraw"})  # he may still think again
    played.say("B", {"choice": "continue"})
    assert played.state.ending.winner == "b"
    assert not [e for e in played.events if "night" in str(e.data)]


def test_engaged_power_is_sealed_too() -> None:
    played = Played(SMALL, EVEN, (1, 1, 1, 1), engage="chosen")
    before = encode(played.game.view("B"))
    played.say("A", 20)
    assert encode(played.game.view("B")) == before
    played.say("B", 15)
    assert [e.data["engaged"] for e in played.told("BC-2.8", "engaged")] == [20, 15]


def test_who_is_absent_fights_on_with_everything_and_refuses_to_treat() -> None:
    played = Played(SMALL, EVEN, (1, 1, 1, 1, 1, 1, 1, 1, 1), engage="chosen")
    for seat in ("A", "B"):
        played.game.absent(seat)
    played.game.settle()
    assert [e.data["held"] for e in played.told("BC-2.8")] == [0, 0]
    played.say("A", {"choice": "negotiate"})
    played.game.absent("B")
    played.game.absent("B")
    assert played.told("BC-3.4", "refuse")
    played.game.absent("A")
    played.game.settle()
    assert played.state.phase == 2


# Dice and names ----------------------------------------------------------------------------------


def test_each_players_die_is_shown_by_name() -> None:
    a = {**SMALL, "players": ["Ana", "Bion", "Ana"]}
    played = Played(a, EVEN, (1, 1, 6, 3, 5, 1, 1, 1))
    event = played.told("BC-2.2")[0]
    assert [(d.whom, d.faces) for d in event.dice] == [(("Ana", "Bion", "Ana 2"), (6, 3, 5))]
    assert event.data["feats"] == 1
    power = played.told("BC-2.1", "power")[0]
    assert [(d.whom, d.faces) for d in power.dice] == [((), (1, 1))]


@pytest.mark.parametrize(("lang", "said"), [("en", "power (Sparta)"), ("fr", "puissance (Sparta)")])
def test_dice_are_asked_of_a_side_by_its_name(lang: str, said: str) -> None:
    played = Played({**SMALL, "name": "Sparta"}, EVEN, NARROW)
    texts = Catalogue.load(DATA).naming(names(played.state, lang))
    assert texts.say(lang, "roll.power_a") == said
    assert (
        texts.say(lang, "roll.power_b")
        == {"en": "power of side B", "fr": "puissance du camp B"}[lang]
    )


def test_every_die_of_a_phase_stands_in_an_event() -> None:
    played = Played(SMALL, EVEN, NARROW)
    shown = [face for e in played.events for thrown in e.dice for face in thrown.faces]
    assert shown == list(NARROW)


def test_losses_carry_what_they_were_before_the_caps_and_why() -> None:
    played = Played({**SMALL, "command": 30}, EVEN, (1, 1, 1, 1, 6))
    ours, theirs = played.told("BC-3.5", "losses")
    parts = [(m.amount, m.reason, m.rule) for m in ours.modifiers]
    assert parts == [
        (10, "crushing", "BC-2.6"), (-8, "inflict_cap", "BC-2.8"), (-1, "winner_cap", "BC-2.9"),
    ]  # fmt: skip
    parts = [(m.amount, m.reason, m.rule) for m in theirs.modifiers]
    assert parts == [(15, "crushing", "BC-2.6"), (-13, "inflict_cap", "BC-2.8")]


# The order of losses -----------------------------------------------------------------------------

LISTED = {
    "morale": 6, "command": 2,
    "units": [
        {"name": "Guard", "pm": 10, "bonus": 1}, {"name": "Foot", "pm": 6},
        {"name": "Horse", "pm": 4},
    ],
}  # fmt: skip


def test_the_owner_orders_his_units_once_both_have_answered() -> None:
    played = Played(LISTED, LISTED, (1,) * 4)
    played.say("A", {"order": "chosen", "1": "Horse", "2": "Guard"})
    assert not played.told("BC-1.3")
    played.say("B", {"order": "listed"})
    orders = [e.data["units"] for e in played.told("BC-1.3", "order")]
    assert orders == [("Horse", "Guard", "Foot"), ("Guard", "Foot", "Horse")]


def test_an_order_names_each_unit_once() -> None:
    played = Played(LISTED, EVEN)
    with pytest.raises(NotAllowed) as refused:
        played.say("A", {"order": "chosen", "1": "Horse", "2": "Horse"})
    assert refused.value.legal == ("Guard", "Foot")
    with pytest.raises(NotUnderstood):
        played.say("A", {"order": "chosen", "1": "Horse"})


def test_nobody_is_asked_where_there_is_nothing_to_order() -> None:
    played = Played({**LISTED, "ordered": True}, EVEN, NARROW)
    assert played.game.requests()[0].rule == "BC-3.4"


# Negotiation and strategy ------------------------------------------------------------------------


def test_a_negotiation_is_answered_by_the_other_side_alone() -> None:
    played = Played(SMALL, EVEN, NARROW).choose("continue", "negotiate")
    with pytest.raises(NotYourTurn):
        played.say("B", "accept")
    with pytest.raises(NotAllowed):
        played.say("A", "withdraw")
    played.say("A", "accept")
    assert played.state.ending.winner is None
    assert played.state.ending.cause == "agreement"
    assert played.game.over


def test_the_other_sides_change_of_strategy_stands_after_a_refused_negotiation() -> None:
    dice = (*NARROW, 1, 1, 1, 1)
    played = Played(SMALL, EVEN, dice)
    played.say("A", {"choice": "negotiate"})
    played.say("B", {"choice": "strategy", "words": "to the hill"})
    played.say("B", "refuse")
    played.say("A", {"choice": "strategy", "words": "wait"})
    assert played.game.requests(UMPIRE)[0].ask.subject == "A"
    played.say(UMPIRE, {"modifier": 0})
    played.say(UMPIRE, {"modifier": -3, "reason": "marsh"})
    score = played.told("BC-2.1", "score")[-1]
    assert (score.data["side"], score.data["score"]) == ("b", 1 + 4 + 1 - 3)
    assert Modifier(-3, "strategy", "BC-3.4") in score.modifiers
    assert [e.data["words"] for e in played.told("BC-3.4", "strategy")] == ["to the hill", "wait"]


def test_free_words_never_enter_a_die() -> None:
    def faces(words: str) -> list[Any]:
        header = new_header("batailles", scenario="ford", seed=4)
        game = replay(header, [])
        game.settle()
        game.answer("A", {"choice": "strategy", "words": words})
        game.answer("B", {"choice": "continue"})
        game.answer(UMPIRE, {"modifier": 1, "reason": words})
        game.settle()
        return [e.value for e in game.entries if e.key.seat == "dice"]

    assert faces("left") == faces("right, and far")


def test_a_strategy_serves_one_score_only() -> None:
    dice = (*NARROW, 1, 1, 1, 1, 1, 1, 1, 1)
    played = Played(SMALL, EVEN, dice)
    played.say("A", {"choice": "strategy", "words": ""}).say("B", {"choice": "continue"})
    played.say(UMPIRE, {"modifier": 2, "reason": ""})
    played.choose("continue", "continue")
    scores = [e.data["score"] for e in played.told("BC-2.1", "score") if e.data["side"] == "a"]
    assert scores == [10, 12, 12]  # the third has the morale of two wins running instead


# The end -----------------------------------------------------------------------------------------


def test_when_both_are_out_nobody_holds_the_field() -> None:
    state = Played(SMALL, EVEN, NARROW).state
    leaving = {"a": "BC-3.3", "b": "BC-3.3"}
    run = field_is_left(state, leaving)
    kinds = []
    try:
        while True:
            kinds.append(run.send(None).kind)
    except StopIteration as end:
        ended, items = end.value
    assert kinds[0] == "nobody"
    assert not items
    assert ended.ending.winner is None
    assert ended.ending.left == leaving


def test_a_battle_that_is_over_asks_nothing() -> None:
    played = Played(SMALL, EVEN, NARROW).choose("withdraw", "continue")
    assert played.game.over
    assert not played.game.requests()
    with pytest.raises((NotYourTurn, OutOfDate)):
        played.say("A", {"choice": "continue"})
    assert played.game.system.standing(played.state).winners == ("B",)
    assert played.game.system.standing(played.state).ranking == ("B", "A")


def test_refusals_change_nothing() -> None:
    played = Played(SMALL, EVEN, NARROW)
    before, count = encode(played.game.position), len(played.game.entries)
    for wrong in ("continue", {"choice": "flee"}, {"choice": "continue", "words": "x"}, {}):
        with pytest.raises((NotAllowed, NotUnderstood)) as refused:
            played.say("A", wrong)
        assert refused.value.rule == "BC-3.4"
    assert encode(played.game.position) == before
    assert len(played.game.entries) == count


# War priests (PA-3) ------------------------------------------------------------------------------


def test_a_priest_has_one_die_of_either_side_rolled_again_after_the_dice() -> None:
    b = {**EVEN, "rerolls": 1}
    played = Played({**SMALL, "players": ["Ana"]}, b, (1, 5, 6, 1, 1, 2, 1))
    request = played.game.requests("B")[0]
    assert request.rule == "BC-2.1/reroll"
    played.say("B", {"use": "reroll", "of": "a", "dice": "players", "player": "Ana"})
    event = played.told("PA-3", "reroll")[0]
    assert (event.data["old"], event.data["new"], event.data["player"]) == (6, 2, "Ana")
    fate = played.state.last
    assert (fate.score_a, fate.feats_a) == (1 + 5 + 2 + 6 + 2, 0)
    assert played.state.b.rerolls == 0


def test_a_priest_who_keeps_the_dice_is_there_in_the_next_phase() -> None:
    played = Played({**SMALL, "rerolls": 1}, EVEN, (*NARROW, 1, 1, 1, 4, 1))
    played.say("A", {"use": "keep"}).choose("continue", "continue")
    with pytest.raises(NotAllowed) as refused:
        played.say("A", {"use": "reroll", "of": "b", "dice": "power", "face": 6})
    assert refused.value.legal == ("1",)
    played.say("A", {"use": "reroll", "of": "b", "dice": "power", "face": 1})
    assert played.state.last.score_b == 4 + 4 + 1
    assert played.state.a.rerolls == 0


def test_a_priests_points_serve_the_phase_before_whose_dice_they_are_spent() -> None:
    played = Played({**SMALL, "bonus": 2}, EVEN, (*NARROW, 1, 1, 1, 1))
    assert played.game.requests("A")[0].rule == "BC-2.1/bonus"
    played.say("A", 1).choose("continue", "continue").say("A", 0)
    scores = [e.data["score"] for e in played.told("BC-2.1", "score") if e.data["side"] == "a"]
    assert scores == [11, 10]
    assert played.state.a.bonus == 1
    parts = [m.rule for m in played.told("BC-2.1", "score")[0].modifiers]
    assert parts == ["BC-1.2", "BC-2.1", "PA-3"]


# Set-ups -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", find_system("batailles").scenarios)
def test_every_scenario_begins(name: str) -> None:
    state = opening(new_header("batailles", scenario=name)).state
    assert all(side.pm > 2 and side.name for _, side in state.sides())
    assert not find_system("batailles").faults(state)


def test_a_setup_is_refused_where_it_makes_no_sense() -> None:
    for wrong in ({"pm": -1}, {"pm": "many"}, {"power": 3}, {"units": [{"pm": 3}]}):
        with pytest.raises(NotUnderstood):
            Played(wrong)
    for wrong in ({"pm": 2}, {"pm": 9, "units": [{"name": "Foot", "pm": 9}]}, {"pm": 0}):
        with pytest.raises(NotAllowed) as refused:
            Played(EVEN, wrong)
        assert refused.value.rule in {"BC-3.3", "BC-1.1"}


def test_names_that_come_twice_are_numbered() -> None:
    assert distinct(["Foot", "Foot", "Foot 2", "Foot"]) == ("Foot", "Foot 3", "Foot 2", "Foot 4")


def test_options_are_the_ledgers_variants_default_first() -> None:
    system = find_system("batailles")
    assert {c.name: c.default for c in system.options} == {
        "rout": "none", "pm_dice": "floor", "tie_morale": 1, "winner_losses": "dice",
        "engage": "all", "no_wipeout": "intent", "streak": "pairs", "strategy": "umpire",
    }  # fmt: skip
    assert all(c.number or c.values[0] == c.default for c in system.options)
    with pytest.raises(NotUnderstood):
        system.options_from({"tie_morale": 3})


# Umpire's acts -----------------------------------------------------------------------------------


def adjusted(name: str, value: Any) -> Played:
    played = Played(LISTED | {"ordered": True}, EVEN, NARROW)
    played.game.enter(Adjust(name, value, "a test"))
    return played


def test_the_umpire_adjusts_figures_between_two_steps() -> None:
    assert adjusted("a.pm", 12).state.a.units[0].pm == 2  # taken as losses are
    assert adjusted("a.pm", 25).state.a.units[2].pm == 9  # given to the last unit
    assert adjusted("a.morale", 3).state.a.morale.total == 3
    assert adjusted("b.command", 7).state.b.command == 7
    assert adjusted("a.unit.Foot", 9).state.a.pm == 23
    assert adjusted("b.strategy", 2).state.b.strategy == 2
    assert adjusted("a.order", ["Horse"]).state.a.units[0].name == "Horse"
    assert adjusted("previous", "b").state.previous == "b"


def test_an_adjusted_figure_serves_the_next_phase() -> None:
    played = Played(SMALL, EVEN, (*NARROW, 1, 1, 1, 1))
    played.game.enter(Adjust("b.morale", 5, "a forgotten standard"))
    played.choose("continue", "continue")
    assert played.told("BC-2.1", "score")[-1].data["score"] == 1 + 5 + 1


def test_the_umpire_declares_an_end() -> None:
    played = adjusted("end", "b")
    assert played.game.over
    assert played.game.system.standing(played.state).winners == ("B",)
    assert adjusted("end", "nobody").game.system.standing(played.state).over
    assert replay(played.game.header, played.game.entries).state == played.state


def test_an_option_changes_from_the_next_phase_on() -> None:
    played = Played(SMALL, {**EVEN, "pm": 29}, (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))
    played.game.enter(Adjust("option.pm_dice", "ceil", "agreed by both"))
    assert played.state.options.pm_dice == "floor"
    played.choose("continue", "continue")
    assert played.state.options.pm_dice == "ceil"
    assert played.state.coming == {}
    (told,) = played.told("BC-3.5", "option")
    assert (told.data, told.period) == ({"name": "pm_dice", "value": "ceil"}, 2)
    assert played.events[played.events.index(told) - 1].kind == "phase"
    assert [e.data["n"] for e in played.told("BC-2.1", "power")] == [2, 2, 2, 3]


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("a.pm", 2, NotAllowed), ("a.unit.Foot", -1, NotAllowed), ("a.rerolls", -1, NotAllowed),
        ("a.pm", 10**9, NotAllowed),
        ("a.pm", "many", NotUnderstood), ("a.luck", 3, NotUnderstood), ("c.pm", 3, NotUnderstood),
        ("a.unit.Fleet", 3, NotUnderstood), ("a.order", ["Fleet"], NotAllowed),
        ("a.order", 3, NotUnderstood), ("end", "c", NotUnderstood), ("previous", 1, NotUnderstood),
        ("option.luck", 1, NotUnderstood), ("option.streak", "none", NotUnderstood),
    ],
)  # fmt: skip
def test_an_act_that_makes_no_sense_is_refused_and_changes_nothing(
    name: str, value: Any, kind: type[Exception]
) -> None:
    played = Played(LISTED | {"ordered": True}, EVEN, NARROW)
    before = encode(played.game.position)
    with pytest.raises(kind):
        played.game.enter(Adjust(name, value, "a test"))
    assert encode(played.game.position) == before


# Files -------------------------------------------------------------------------------------------


def test_a_file_of_set_ups_is_checked(tmp_path: Path) -> None:
    check = find_system("batailles").check
    assert check is not None
    path = tmp_path / "mine.toml"

    def found(text: str) -> list[tuple[int, str, str]] | None:
        path.write_text(text, encoding="utf-8")
        findings = check(path)
        return None if findings is None else [(f.line, f.place, f.code) for f in findings]

    assert check(find_system("batailles").data / "scenarios.toml") == ()
    assert found("[a]\npm = 9\n[b]\npm = 9") == []
    assert found("[a]\npm = 9\n[b]\npm = 2") == [(3, "b", "batailles.out_of_action")]
    assert found("[hill.a]\npm = 9\n[hill.b]\nluck = 2") == [(1, "hill", "batailles.setup")]
    listed = '[hill.a]\npm = 9\n[[hill.a.units]]\nname = "Foot"\npm = 9'
    assert found(listed) == [(1, "hill.a", "batailles.listed_or_totals")]
    assert found("rule = 3") is None
    assert found("a = [") is None


@pytest.mark.parametrize(("lang", "who"), [("fr", "Le camp des Doriens"), ("en", "The side of")])
def test_who_judges_a_strategy_reads_whose_it_is_and_its_words(lang: str, who: str) -> None:
    side = {**EVEN, "name": "les Doriens"}
    played = Played(SMALL, side, NARROW)
    played.say("A", {"choice": "continue"})
    played.say("B", {"choice": "strategy", "words": "ambush in the woods"})
    key = played.game.requests(UMPIRE)[0].keys[UMPIRE]
    words = Words(played.game.header, lang)
    words.turn_to(played.game, key)
    assert who in words.question(key) and "ambush in the woods" in words.question(key)


def test_a_retreat_and_a_strategy_without_words_are_asked_once_more() -> None:
    played = Played(SMALL, EVEN, NARROW)
    asked = played.game.requests("A")[0]
    words = Words(played.game.header, "fr")
    words.turn_to(played.game, asked.keys["A"])
    for choice in ({"choice": "withdraw"}, {"choice": "strategy", "words": " "}):
        assert words.warning(asked.rule, asked.warning("A", choice))
    assert not asked.warning("A", {"choice": "strategy", "words": "ambush"})


# What a phase can cost, told before it is chosen (BC-2.8) -----------------------------------------


@pytest.mark.parametrize(("pm_a", "pm_b", "most_a", "most_b"), [
    (62, 74, 7, 6), (400, 9, 0, 9), (20, 400, 15, 2),
])  # fmt: skip
def test_the_most_that_a_phase_can_cost_is_the_worst_defeat_by_its_caps(
    pm_a: int, pm_b: int, most_a: int, most_b: int
) -> None:
    header = new_header("batailles", setup={"a": {"pm": pm_a}, "b": {"pm": pm_b}})
    battle: Any = opening(header).state
    told = asked_with(battle, "BC-3.4", (), "")
    assert (told["most_a"], told["most_b"]) == (most_a, most_b)
