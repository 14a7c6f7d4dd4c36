"""The luck report: faces against expectation, and nobody called out for nothing."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from polemarque.bots.play import play_game
from polemarque.kernel.events import Event, Thrown
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Answer, Replace, write_record
from polemarque.kernel.request import DICE
from polemarque.report import luck as luck_of
from polemarque.report.luck import Luck, dice_of, luck, luck_told, of_nobody
from polemarque.report.narrator import begins_battle
from tests.cli.desk import polemarque
from tests.kernel import toy

assert toy.TOY


def judged(faces: list[int], among: int = 4, sides: int = 6) -> Luck:
    return luck_of._judged("A", [(sides, face, "A") for face in faces], among)


def test_few_dice_say_nothing_whatever_they_show() -> None:
    found = judged([6] * 29)
    (kind,) = found.kinds
    assert (found.verdict, found.chance) == ("few", None)
    assert (kind.dice, kind.total, kind.expected) == (29, 174, Fraction(203, 2))


@pytest.mark.parametrize(
    ("faces", "verdict"),
    [
        ([1, 2, 3, 4, 5, 6] * 20, "chance"),
        ([6] * 20 + [1, 2, 3, 4, 5, 6] * 5, "high"),
        ([1] * 20 + [1, 2, 3, 4, 5, 6] * 5, "low"),
        ([4] * 60, "chance"),
    ],
)
def test_a_seat_is_called_out_only_where_chance_hardly_explains_it(
    faces: list[int], verdict: str
) -> None:
    assert judged(faces).verdict == verdict


def test_dice_of_several_kinds_weigh_alike() -> None:
    """Thirty low D6 are not drowned by ten D100 that fell high by less."""
    d6, d100 = [(6, 1, "A")] * 30, [(100, 60, "A")] * 10
    found = luck_of._judged("A", [*d6, *d100], 1)
    assert [(kind.sides, kind.dice, kind.total) for kind in found.kinds] == [
        (6, 30, 30),
        (100, 10, 600),
    ]
    assert found.verdict == "low"
    # By the sum of all faces (630 where 610 is expected) it would have been high.
    assert sum(kind.total for kind in found.kinds) > sum(kind.expected for kind in found.kinds)


def test_the_more_seats_the_more_one_of_them_departs_by_chance() -> None:
    faces = [1, 2, 3, 4, 5, 6] * 8 + [6] * 15
    chances = [judged(faces, among).chance for among in (1, 2, 9)]
    assert chances == sorted(chances) and chances[0] < Fraction(1, 100) < chances[2]


def test_every_die_in_force_is_counted_once_and_its_seat_known() -> None:
    game = Game(new_header("atlantide", seats=2, seed=3, options={"turn_limit": 3}))
    for _ in range(400):
        game.settle()
        if game.over:
            break
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.absent(seat), request.keys[seat])
    fallen = list(dice_of(game.header, game.entries))
    rolls = [e.value for e in game.effective if isinstance(e, Answer) and e.key.seat == DICE]
    assert len(fallen) == sum(len(faces) for faces in rolls)
    assert {seat for _, _, seat in fallen} <= {"", "A", "B"}
    everything, *seats = luck(game.header, game.entries)
    assert everything.dice == len(fallen) >= sum(each.dice for each in seats)
    nobodys = of_nobody([everything, *seats])
    assert sum(kind.dice for kind in nobodys) == sum(not seat for *_, seat in fallen) > 0
    assert sum(kind.total for kind in nobodys) == sum(face for _, face, seat in fallen if not seat)


def test_what_a_correction_left_aside_is_not_counted() -> None:
    game = Game(new_header("toy", seats=2, seed=5))
    for seat, value in (("A", "storm"), ("B", "wait"), ("A", "cry"), ("A", 0)):
        game.answer(seat, value)
    game.settle()
    assert list(dice_of(game.header, game.entries))
    game.enter(Replace(game.entries[0].key, "he waited", value="wait"))
    assert not list(dice_of(game.header, game.entries))


def test_it_is_read_at_the_terminal_in_both_languages(tmp_path: Path) -> None:
    path = tmp_path / "g.json"
    game = Game(new_header("toy", seats=2, seed=5))
    path.write_bytes(write_record(game.header, game.entries))
    assert "All dice: no dice" in polemarque("luck", path).out
    run = ("run", "batailles", "--seed", 3, "--out", tmp_path, "--json")
    assert polemarque(*run).status == 0
    said = polemarque("luck", tmp_path / "game.json", "--lang", "fr").out
    assert "Tous les dés" in said and "," in said
    raw = msgspec.json.decode(polemarque("luck", tmp_path / "game.json", "--json").out)
    assert raw["dice"] == "seeded" and raw["luck"][0]["seat"] is None


def test_dice_that_are_no_seat_s_have_a_line_of_their_own(tmp_path: Path) -> None:
    assert polemarque("run", "mare_nostrum", "--seed", 3, "--out", tmp_path).status == 0
    said = polemarque("luck", tmp_path / "game.json", "--lang", "fr").out.splitlines()
    assert said[-1].startswith("Jetés pour personne (événements, dieux, ")
    said = polemarque("luck", tmp_path / "game.json").out.splitlines()
    assert said[-1].startswith("Thrown for nobody (events, the gods, ")
    raw = msgspec.json.decode(polemarque("luck", tmp_path / "game.json", "--json").out)
    every, *seats = raw["luck"]
    assert raw["nobody"], "the program's readers have it too"
    counted = sum(kind["dice"] for kind in raw["nobody"]) + sum(seat["dice"] for seat in seats)
    assert counted == every["dice"]


def test_the_odds_of_each_decision_are_read_at_the_terminal(tmp_path: Path) -> None:
    assert polemarque("run", "thucidide", "clash", "--seed", 3, "--out", tmp_path).status == 0
    record = tmp_path / "game.json"
    raw = msgspec.json.decode(polemarque("luck", record, "--odds", "--json").out)
    assert raw["rarity"]["decisions"] == len(raw["decisions"]) > 5
    assert all(Fraction(each["p"]) <= Fraction(each["tail"]) <= 1 for each in raw["decisions"])
    said = polemarque("luck", record, "--odds", "--lang", "fr").out
    assert f"{raw['rarity']['rare']}, pour" in said
    lines = said.splitlines()
    (head,) = [n for n, line in enumerate(lines) if line.startswith("Toutes, dans l’ordre")]
    assert len(lines[head + 1 :]) == len(raw["decisions"])
    assert all(" %" in line for line in lines[head + 1 :])


@pytest.mark.parametrize("system", ["batailles", "thucidide", "promiterra"])
def test_dice_of_a_battle_are_of_whoever_threw_them(system: str) -> None:
    told: list[Event] = []
    game = Game(new_header(system, seed=3), publish=told.append)
    play_game(game, {"A": "steady", "B": "steady"})
    everything, *seats = luck(game.header, game.entries)
    assert luck_told(game.header, told) == (everything, *seats)
    assert {each.seat for each in seats} == {"A", "B"}
    known = sum(each.dice for each in seats)
    assert known >= everything.dice * 9 // 10
    if system == "thucidide":
        own = [t for e in told if e.data.get("seat") == "A" for t in e.dice]
        assert sum(len(t.faces) for t in own) == seats[0].dice
    if system == "batailles":
        own = [t for e in told if e.data.get("side") == "b" for t in e.dice]
        assert sum(len(t.faces) for t in own) == seats[1].dice


def test_hits_and_ripostes_of_one_clash_are_of_the_troops_that_strike() -> None:
    data = {"attacker": "A3", "target": "B1"}
    rolls = {"attack_hits": "A", "attack_saves": "B", "riposte_hits": "B", "riposte_saves": "A"}
    for why, seat in rolls.items():
        event = Event(rule="PR-5.6", kind="fought", data=data, dice=(Thrown(6, (4,) * 40, why),))
        _, only = luck_told(new_header("promiterra", seed=3), [event])
        assert (only.seat, only.dice) == (seat, 40)


CLASH = {"attack_hits": "attacker", "riposte_saves": "attacker", "attack_saves": "target",
         "riposte_hits": "target"}  # fmt: skip
"""Whose troop throws in a clash of Promiterra (PR-5.6)."""


def threw(event: Event, thrown: Thrown, sides: tuple[str, str]) -> str:
    """The seat whose unit an event of a battle names for a roll; "" where it names none.

    Units and troops of a battle are called by their seat's letter; sides are attacker and defender.
    """
    if event.rule.startswith("BC-"):
        return sides["ab".index(event.data["side"])]
    teller = "unit" if event.rule == "TH-F2" else CLASH.get(thrown.why, "")
    return str(event.data.get(teller, ""))[:1]


@pytest.mark.parametrize("resolver", ["batailles", "thucidide", "promiterra"])
def test_dice_of_a_battle_inside_a_campaign_are_of_the_side_that_threw_them(resolver: str) -> None:
    told: list[Event] = []
    header = new_header("atlantide", scenario="duel", seed=1, options={"resolver": resolver})
    game = Game(header, publish=told.append)
    play_game(game, dict.fromkeys("AB", "steady"), stop=lambda game: bool(game.runner.branches))
    brief, _ = game.runner.branches[0]
    attacker, defender = [side.seat for side in brief.sides]
    assert (attacker, defender) == ("B", "A"), "so that sides are no seats in their order"
    before = len(told)
    play_game(game, dict.fromkeys("AB", "steady"), stop=lambda game: not game.runner.branches)
    opened = [event for event in told if begins_battle(event)]
    counted = dict.fromkeys("AB", 0)
    for event in told[before:]:
        for roll in event.dice if event.path else ():
            if seat := threw(event, roll, (attacker, defender)):
                alone = msgspec.structs.replace(event, dice=(roll,))
                _, only = luck_told(header, [*opened, alone])
                assert (only.seat, only.dice) == (seat, len(roll.faces)), (event, roll)
                counted[seat] += only.dice
    assert min(counted.values()) > 5
    assert luck(header, game.entries) == luck_told(header, told)
