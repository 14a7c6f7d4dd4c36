"""The checker: each fault with its line, its rule and what would be legal."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import get_args

import pytest

from polemarque.kernel.errors import Refusal
from polemarque.kernel.files.findings import Finding, hint, reason
from polemarque.kernel.game import Game, new_header
from polemarque.report.labels import catalogue_of
from polemarque.systems.promiterra.setup.opening import check
from polemarque.systems.promiterra.tables import DATA

GOOD = """\
[board]
id = "field"
name = { fr = "Le champ", en = "The field" }
shape = "square"
terrain = '''
. . . .
. . w .
. . . .
. . . .
'''
legend = { "." = "plain", w = "light_forest" }
marks.fortification = { c3 = 2 }

[[armies]]
army = "aurora_league"
holds = ["c3"]
troops = [
  { unit = "phalanx", units = 20, cell = "a1", leader = "Ann", others = ["Al"] },
  { unit = "dawn_guard", units = 4, cell = "b1", leader = "Abe" },
]

[[armies]]
army = "carn_kingdom"
commander = "Bea"
troops = [
  { unit = "axes", units = 20, cell = "a4", leader = "Bob" },
  { unit = "slingers", units = 20, leader = "Bea" },
]
"""

FAULTS = [
    ("w = ", "x = ", 7, "board.character"),
    ("light_forest", "jungle", 11, "board.terrain"),
    ("c3 = 2", "c3 = 7", 12, "promiterra.fort"),
    ("c3 = 2", "z3 = 2", 12, "board.cell"),
    ('holds = ["c3"]', 'holds = ["a1"]', 16, "promiterra.holds"),
    ("units = 4", "units = 40", 17, "promiterra.special_share"),
    ("units = 20, cell", "units = 10, cell", 17, "promiterra.special_share"),
    ('cell = "b1"', 'cell = "a1"', 19, "promiterra.two_in_cell"),
    ('cell = "a4"', 'cell = "a9"', 26, "promiterra.off_board"),
    ("axes", "knights", 26, "promiterra.no_kind"),
    ('commander = "Bea"', 'commander = "Cid"', 24, "promiterra.no_commander"),
    ('commander = "Bea"', 'commander = ["Bea", "Bob"]', 24, "promiterra.setup"),
    ('["Al"]', '["Abe"]', 19, "promiterra.same_name"),
    ('["Al"]', '[{ name = "Al", career = "cook" }]', 18, "promiterra.no_career"),
    ('["Al"]', '[{ name = "Al", actions = ["cook"] }]', 18, "promiterra.no_action"),
    ('army = "carn_kingdom"', 'army = "carn"', 23, "promiterra.no_list"),
    ('commander = "Bea"', 'alliance = "A"', 14, "promiterra.one_side"),
    ('commander = "Bea"', 'alliance = "nobody"', 24, "promiterra.alliance"),
    ('commander = "Bea"', 'zone = ["z1"]', 24, "promiterra.zone"),
    ('commander = "Bea"', 'zone = ["a4"]', 0, "promiterra.room"),
    ("units = 4", 'units = "four"', 19, "promiterra.setup"),
    ("units = 4", "units = 0", 19, "promiterra.setup"),
    ('commander = "Bea"', "colour = 3", 22, "promiterra.setup"),
]  # fmt: skip


def looked_at(text: str, folder: Path, name: str = "war.toml") -> tuple[Finding, ...]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    found = check(path)
    assert found is not None
    return found


def test_a_good_set_up_is_good(tmp_path: Path) -> None:
    assert not looked_at(GOOD, tmp_path)
    assert Game(new_header("promiterra", setup=tomllib.loads(GOOD), seed=1))


@pytest.mark.parametrize(("old", "new", "line", "code"), FAULTS, ids=[f[1] for f in FAULTS])
def test_a_fault_is_named_where_it_stands(
    old: str, new: str, line: int, code: str, tmp_path: Path
) -> None:
    assert old in GOOD
    bad = GOOD.replace(old, new, 1)
    found = looked_at(bad, tmp_path)
    assert code in [finding.code for finding in found]
    finding = next(each for each in found if each.code == code)
    assert not line or finding.line == line, finding
    words = catalogue_of("promiterra")
    if code.startswith("promiterra."):
        for lang in ("fr", "en"):
            assert reason(finding, words, lang)
            assert hint(finding, words, lang)
    with pytest.raises(Refusal):
        Game(new_header("promiterra", setup=tomllib.loads(bad), seed=1, options=variant(code)))


def variant(code: str) -> dict[str, str]:
    return {"special_share": "value"} if code.endswith("share") else {}


def test_all_faults_are_named_at_once(tmp_path: Path) -> None:
    bad = GOOD.replace('"a4"', '"a9"').replace('["Al"]', '["Abe"]').replace("axes", "knights")
    assert len(looked_at(bad, tmp_path)) == 3


def test_a_catalogue_is_looked_at(tmp_path: Path) -> None:
    text = (DATA / "armies.toml").read_text(encoding="utf-8")
    assert not looked_at(text, tmp_path, "lists.toml")
    bad = text.replace('key = "slingers"', 'key = "slings"').replace("attack = 5", "attack = 7", 1)
    found = looked_at(bad, tmp_path, "lists.toml")
    assert [finding.code for finding in found] == ["promiterra.beyond", "promiterra.no_kind"]
    assert all(finding.line for finding in found)


def test_war_actions_are_looked_at(tmp_path: Path) -> None:
    text = (DATA / "war_actions.toml").read_text(encoding="utf-8")
    assert not looked_at(text, tmp_path, "acts.toml")
    found = looked_at(text.replace('["aimed_volley"]', '["song"]'), tmp_path, "acts.toml")
    assert [finding.code for finding in found] == ["promiterra.no_action"]


def test_other_files_are_none_of_ours(tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    for text in ("", "x = 1", "[army]\nkey = 1", GOOD.split("[[armies]]", maxsplit=1)[0]):
        path.write_text(text, encoding="utf-8")
        assert check(path) is None


@pytest.mark.parametrize("path", sorted(DATA.glob("scenarios/*.toml")), ids=lambda path: path.stem)
def test_shipped_scenarios_keep_every_rule(path: Path) -> None:
    assert check(path) == ()


def test_there_are_eight_armies_of_four_types_each() -> None:
    from polemarque.systems.promiterra.setup.catalogue import TroopType, shipped

    armies = shipped().army
    assert len(armies) >= 8
    for army in armies:
        assert [kind.type for kind in army.unit] == list(get_args(TroopType))
        assert army.sample


def test_one_scenario_has_more_than_fifty_thousand_units() -> None:
    raw = tomllib.loads((DATA / "scenarios/hosts.toml").read_text(encoding="utf-8"))
    assert all(sum(t["units"] for t in army["troops"]) > 50_000 for army in raw["armies"])
