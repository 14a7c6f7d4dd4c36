"""Our short reader of entry points agrees with the standard library's."""

from __future__ import annotations

import sys
from importlib import metadata

import pytest

from polemarque.kernel.battle_brief import RESOLVERS
from polemarque.kernel.files.plugins import OURS, Plugins, entry_points, load, look_again
from polemarque.kernel.system import BOOKS, GROUP, SYSTEMS


def test_entry_points_are_those_of_the_standard_library():
    for group in (GROUP, "console_scripts", "pytest11", "nobody"):
        theirs = {point.name: point.value for point in metadata.entry_points(group=group)}
        assert entry_points(group) == theirs


def test_a_package_anywhere_on_the_path_is_found(tmp_path, monkeypatch):
    folder = tmp_path / "mine-1.0.dist-info"
    folder.mkdir()
    (folder / "entry_points.txt").write_text(
        "[other]\na = x:Y\n\n[polemarque.strange]\n# mine\nmine = os.path:join.__name__ [extra]\n"
    )
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path), str(tmp_path / "nowhere")])
    assert entry_points("polemarque.strange") == {"mine": "os.path:join.__name__"}
    assert load("os.path:join.__name__") == "join"
    look_again()


@pytest.mark.parametrize("group", [SYSTEMS, BOOKS, RESOLVERS], ids=lambda g: g.group)
def test_ours_are_what_those_of_others_have_to_be(group: Plugins) -> None:
    ours = [name for name in group.names() if group.package(name) == OURS]
    assert ours
    for name in ours:
        assert [*group._faults(name, group.find(name))] == []
