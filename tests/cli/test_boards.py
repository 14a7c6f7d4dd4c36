"""The terminal shows the board when it has changed, and all that a seat has on demand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.desk import polemarque

RIM = "     a     b     c     d"
"""How the rims of a board of hexes begin."""


def played(folder: Path, system: str, scenario: str, typed: str) -> str:
    path = folder / f"{len(list(folder.iterdir()))}.json"
    words = ("play", system, scenario, "--seed", 5, "--save", path, "--lang", "fr")
    done = polemarque(*words, typist=typed)
    return done.out.replace("\u00a0", " ").replace("\u202f", " ")


def test_a_board_is_shown_again_only_when_it_has_changed(tmp_path: Path) -> None:
    out = played(tmp_path, "thucidide", "tutorial", "1\n1\n1 2 3\n1\n\n")
    assert out.count(RIM) == 2
    out = played(tmp_path, "thucidide", "tutorial", "1\n1\n1 2 3\n1\n\n1\n1\nd5\n\n")
    assert out.count(RIM) == 4
    assert out.count("Pions, camp par camp") == 1


@pytest.mark.parametrize(
    ("system", "scenario", "shown"),
    [
        ("thucidide", "tutorial", "Pions, camp par camp"),
        ("promiterra", "skirmish", "Pions, camp par camp"),
        ("mare_nostrum", "duel", "Feuille de campagne : Rome (A)"),
        ("atlantide", "duel", "Feuille de campagne"),
    ],
)
def test_a_seat_can_look_at_all_it_has(
    tmp_path: Path, system: str, scenario: str, shown: str
) -> None:
    before = played(tmp_path, system, scenario, "")
    after = played(tmp_path, system, scenario, ":voir\n")
    assert after.count(shown) == before.count(shown) + 1


@pytest.mark.parametrize("typed", ["9", "peut-être"])
def test_a_sheet_is_sent_by_yes_and_nothing_else_sends_or_drops_it(
    tmp_path: Path, typed: str
) -> None:
    filled = "1\n1\n1 2 3\n1\n"
    out = played(tmp_path, "thucidide", "tutorial", f"{filled}{typed}\noui\n")
    assert f"« {typed} » n’est pas un choix permis. Choix possibles : oui et non." in out
    assert "se mettent en branle" in out


def test_long_lists_of_cells_stand_in_columns(tmp_path: Path) -> None:
    out = played(tmp_path, "promiterra", "skirmish", "")
    assert " 1  a2    2  b2    3  c2 " in out
    assert "Avant la bataille · PR-2.4" in out
