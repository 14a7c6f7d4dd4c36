"""Scenario files and what an umpire may adjust: every fault is named, with its line."""

from __future__ import annotations

import copy
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.events import EventLog
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Adjust
from polemarque.systems.thucidide.adjust import adjust, faults
from polemarque.systems.thucidide.setup.opening import SCENARIOS, begin, check, scenarios
from polemarque.systems.thucidide.setup.scenario import Setup
from polemarque.systems.thucidide.state import Battle

SEATS = ("A", "B")
FILES = sorted(SCENARIOS.glob("*.toml"))
CROSSING = SCENARIOS / "crossing.toml"

ODD = '[kind.odd]\nname = { fr = "x", en = "x" }\narm = "infantry"\nweight = "light"\n'
"""The beginning of a kind that a scenario describes itself."""

BROKEN = (
    ('at = "e2"', 'at = "z2"', "cell", "TH-F1"),
    ('kind = "hoplites", at = "f2"', 'kind = "hoplites", at = "e2"', "taken", "TH-F1"),
    ('kind = "peltasts"', 'kind = "dragons"', "kind", "TH-F3"),
    ('{ rank = "general", at = "f2" },\n', "", "generals", "TH-1.1"),
    ('rank = "sub_general", at = "d3"', 'rank = "general", at = "d3"', "generals", "TH-1.1"),
    ("tokens = 4", "tokens = -1", "tokens", "TH-3.1"),
    ("level = 4", "level = 0", "level", "TH-3.1"),
    ('edge = "north"', 'edge = "south"', "edges", "TH-F1"),
    ("limit = 12", "limit = 0", "limit", "TH-F1"),
    ('kind = "cavalry", at = "i2"', 'kind = "elephants", at = "i2", elements = 0', "elements",
     "TH-F3"),
    ('kind = "archers", at = "h4"', 'kind = "archers", at = "h4", formation = "wedge"',
     "formation", "TH-5.1"),
    ('kind = "cavalry", at = "i2"', 'kind = "light_chariots", at = "c3"', "closed", "TH-F9"),
    ('kind = "archers", at = "h4"', 'kind = "archers", at = "h4", contingent = "allies"',
     "contingent", "TH-F13"),
    ('rank = "officer", at = "i2"', 'rank = "officer", at = "i2", prices = { dance = 2 }', "order",
     "TH-1.4"),
    ('rank = "officer", at = "i2"', 'rank = "officer", at = "i2", prices = { charge = 0 }', "price",
     "TH-3.4"),
    ("level = 4\n", 'level = 4\nactivations = [3, 0]\n', "activations", "TH-2.1"),
    ("level = 4\n", 'level = 4\nvictory = [{ kind = "hold" }]\n', "goal", "TH-F1"),
    ("level = 4\n", 'level = 4\nvictory = [{ kind = "exit", cells = ["a1"], units = 0 }]\n', "goal",
     "TH-F1"),
    ('rank = "officer", at = "i2"', 'rank = "officer", at = "i2", command = -2', "figure",
     "TH-1.2"),
    ('rank = "officer", at = "i2"', 'rank = "officer", at = "i2", influence = -1', "figure",
     "TH-1.2"),
    *[("limit = 12\n", f"limit = 12\n{ODD}{name} = {value}\n", code, "TH-F3")
      for name, value, code in (
          ("elements", 0, "elements"), ("shooting", -1, "figure"), ("reach", -1, "figure"),
          ("assault", -3, "figure"), ("melee", -2, "figure"),
      )],
    ("limit = 12\n", 'limit = 12\n[options]\nriposte = "never"\n', "option", "TH-F5"),
)  # fmt: skip


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_shipped_scenario_is_sound(path: Path) -> None:
    assert check(path) == ()
    battle, agenda = begin(msgspec.convert(tomllib.loads(path.read_text()), Setup), SEATS, {})
    assert not faults(battle)
    assert agenda == [("TH-F1",)]


@pytest.mark.parametrize(("old", "new", "code", "rule"), BROKEN, ids=[row[2] for row in BROKEN])
def test_each_fault_is_found_with_its_line_and_refused(
    tmp_path: Path, old: str, new: str, code: str, rule: str
) -> None:
    text = CROSSING.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "broken.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    found = check(path)
    assert found
    (finding,) = found
    assert finding.code == f"thucidide.{code}"
    assert finding.data["rule"] == rule
    assert finding.line > 0
    with pytest.raises(NotAllowed) as refused:
        begin(msgspec.convert(tomllib.loads(path.read_text()), Setup), SEATS, {})
    assert refused.value.code == f"thucidide.{code}"
    assert refused.value.rule == rule
    assert refused.value.part


def test_an_unknown_terrain_and_an_unknown_field_are_found(tmp_path: Path) -> None:
    text = CROSSING.read_text(encoding="utf-8")
    path = tmp_path / "broken.toml"
    path.write_text(text.replace('w = "wood"', 'w = "jungle"'), encoding="utf-8")
    assert [finding.code for finding in check(path) or ()] == ["board.terrain"]
    path.write_text(text.replace("level = 4", "level = 4\nhats = 3"), encoding="utf-8")
    assert [finding.code for finding in check(path) or ()] == ["thucidide.setup"]


def test_files_of_other_kinds_are_not_ours(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("[a]\nlevel = 3\n")
    assert check(other) is None
    assert check(tmp_path / "missing.toml") is None


def test_a_set_up_that_says_nothing_is_the_first_scenario() -> None:
    given, _ = begin(Setup(), SEATS, {})
    first = next(iter(scenarios().values()))
    assert given == begin(msgspec.convert(first, Setup), SEATS, {})[0]


# What an umpire adjusts --------------------------------------------------------------------------


def battle() -> Battle:
    return begin(Setup(), SEATS, {})[0]


def test_tokens_level_elements_and_places_are_adjusted() -> None:
    after = battle()
    changes: dict[str, Any] = {
        "A.tokens": 9, "B.level": 2, "unit.A1.elements": 2, "unit.B2.cell": "a9",
        "leader.AO1.cell": "e2", "option.riposte": "adjacent",
    }  # fmt: skip
    for name, value in changes.items():
        after = adjust(after, name, value)
        assert not faults(after)
    assert after.sides["A"].tokens == 9
    assert after.sides["B"].level == 2
    assert after.units["A1"].elements == 2
    assert after.units["B2"].cell == "a9"
    assert after.leaders["AO1"].cell == "e2"
    assert after.coming == {"riposte": "adjacent"}


def test_a_unit_is_destroyed_and_brought_back() -> None:
    gone = adjust(battle(), "unit.A1.elements", 0)
    assert (gone.units["A1"].fate, gone.lost("A")) == ("destroyed", 1)
    with pytest.raises(NotAllowed):
        adjust(gone, "unit.A1.elements", 3)
    back = adjust(gone, "unit.A1.cell", "e2")
    assert (back.units["A1"].fate, back.units["A1"].elements) == ("", 1)
    assert not faults(back)


def test_an_end_is_declared() -> None:
    ended = adjust(battle(), "end", "B").ending
    drawn = adjust(battle(), "end", "nobody").ending
    assert ended is not None
    assert drawn is not None
    assert (ended.winner, drawn.winner) == ("B", None)


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("A.tokens", -1, NotAllowed), ("A.tokens", "many", NotUnderstood),
        ("A.level", 0, NotAllowed),
        ("unit.A1.elements", 5, NotAllowed), ("unit.A1.cell", "e8", NotAllowed),
        ("leader.AG.cell", "e8", NotAllowed), ("unit.A1.hats", 1, NotUnderstood),
        ("nothing", 1, NotUnderstood), ("end", "C", NotAllowed), ("option.hats", 1, NotUnderstood),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(name: str, value: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        adjust(battle(), name, value)


def test_faults_see_what_no_rule_would_bring_about() -> None:
    sound = battle()
    two = sound.unit("A1", cell=sound.units["A2"].cell)
    assert faults(two)
    assert faults(sound.unit("A1", elements=9))
    assert faults(sound.side("A", tokens=-1))
    assert faults(sound.leader("AG", cell=sound.units["B1"].cell))
    assert faults(sound.unit("A1", cell=""))
    assert not faults(copy.deepcopy(sound))


def test_an_option_changes_with_the_next_player_turn_which_is_told_first() -> None:
    told = EventLog()
    game = Game(new_header("thucidide", seed=1), publish=told.append, withdraw=told.withdraw)
    game.settle()
    game.enter(Adjust("option.riposte", "adjacent", "as at our table"))
    while not any(event.kind == "option" for event in told):
        assert game.state.options.riposte == "held"
        for seat in game.requests()[0].missing:
            game.absent(seat)
        game.settle()
    assert (game.state.options.riposte, game.state.coming) == ("adjacent", {})
    at = next(n for n, event in enumerate(told) if event.kind == "option")
    assert (told[at - 1].kind, told[at - 1].period) == ("turn", told[at].period)
