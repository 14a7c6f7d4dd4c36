"""An answer that may hurt is asked once more: at the terminal, and of a form that came by post."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemarque.cli.common import REFUSED
from polemarque.kernel.records.record import Answer
from tests.cli.desk import polemarque
from tests.cli.test_orders import filled_by_hand, game_in

CLASH = ("thucidide", "clash", "--seed", 4, "--seat", "A=Ana")


def before_activation(path: Path) -> Path:
    """A battle in which Ana is about to name whom she activates."""
    polemarque("play", *CLASH, "--save", path, typist="absent\nquit\nquit\n")
    (request,) = game_in(path).requests("A")
    assert request.rule == "TH-2.2"
    return path


def activated(path: Path) -> list[str]:
    """What Ana has answered about her first leader."""
    return [
        entry.value["leader.1"]
        for entry in game_in(path).entries
        if isinstance(entry, Answer) and (entry.key.rule, entry.key.seat) == ("TH-2.2", "A")
    ]


@pytest.mark.parametrize(
    ("said", "given"), [("yes", ["none"]), ("y", ["none"]), ("no", []), ("", [])]
)
def test_at_the_terminal_only_yes_sends_it(tmp_path: Path, said: str, given: list[str]) -> None:
    path = before_activation(tmp_path / "g.json")
    done = polemarque("play", "--resume", path, typist=f"none\n1\n\n{said}\nquit\nquit\n")
    assert "You activate nobody this turn." in done.out
    assert activated(path)[:1] == given


def test_a_form_that_came_by_post_is_entered_if_it_is_meant(tmp_path: Path) -> None:
    path = before_activation(tmp_path / "g.json")
    game = game_in(path)
    (request,) = game.requests("A")
    paper = polemarque("orders", path, "--seat", "A").out
    post = tmp_path / "post.txt"
    post.write_text(filled_by_hand(game, request, "A", paper, request.absent("A")), "utf-8")
    done = polemarque("orders", path, "--seat", "A", "--read", post)
    assert done.status == REFUSED
    assert "You activate nobody this turn." in done.out and "--sure" in done.err
    assert activated(path) == []
    assert polemarque("orders", path, "--seat", "A", "--read", post, "--sure").status == 0
    assert activated(path)[0] == "none"
