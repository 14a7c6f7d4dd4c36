"""What a command writes by default can be posted: nobody's secret is in it, now or at the end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from polemarque.cli import records
from polemarque.kernel.events import EVERYBODY, EventLog
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import UMPIRE
from polemarque.report.sheets import has_sheets
from polemarque.testing.random_games import new_game, played, step
from tests.cli import tales
from tests.cli.desk import polemarque
from tests.contract.secrets import OPEN, SEALS, SECRETS
from tests.report import tale
from tests.report.test_battle_dossier import in_battle

TOLD = ("chronicle", "luck")
KEEPING = sorted(set(SECRETS) - {"toy"})
"""The systems of ours that keep secrets; the toy has no words for its story."""


@pytest.fixture(autouse=True)
def _spring() -> Iterator[None]:
    with tale.told_of():
        yield


def kept(folder: Path, game: Game, name: str = "game.json") -> Path:
    path = folder / name
    path.write_bytes(game.record)
    return path


def said(*words: object) -> str:
    done = polemarque(*words, "--lang", "en")
    assert done.status == 0, done
    return done.out


def part_way(name: str) -> Game:
    """A game in which something was done, and that goes on."""
    game, rng = new_game(name, 5), random.Random(5)
    while len(game.entries) < 60 and not game.over:
        step(game, rng)
    assert not game.over
    return game


def ended(name: str) -> Game:
    """A game of two that is over."""
    seed = next(n for n in range(9) if len(new_game(name, n).header.seats) == 2)
    return played(name, seed)


def other_secrets(game: Game, rng: random.Random) -> Any:
    """Another state that looks the same to everybody; of a game that is over, who won included."""
    before = game.system.standing(game.state)
    for _ in range(500):
        state = SECRETS[game.system.name](game.state, "", rng)
        if not game.over or game.system.standing(state) == before:
            return state
    raise AssertionError("no other secret leads to that end")


def papers(path: Path, *, battles: bool = False) -> list[str]:
    """Everything that is written of a game where nobody says for whom."""
    game, _ = records.replayed(records.load(path, interrupted=True))
    words: list[tuple[object, ...]] = [
        ("chronicle", path, "--format", "bbcode"),
        ("chronicle", path, "--turn", game.runner.period),
        ("luck", path),
    ]
    if has_sheets(game.header.system):
        words += [
            ("sheet", path),
            ("sheet", path, "--format", "md", "--at", len(game.entries) // 2),
        ]
    if battles:
        words.append(("sheet", path, "--battles"))
    return [said(*each) for each in words]


@pytest.mark.parametrize("name", KEEPING)
@pytest.mark.parametrize("end", ["running", "over", "in battle"])
def test_another_secret_is_the_same_paper(
    name: str, end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    battles = end == "in battle"
    game = in_battle() if battles else ended(name) if end == "over" else part_way(name)
    path = kept(tmp_path, game)
    plain = papers(path, battles=battles)
    whole = said("chronicle", path, "--for", UMPIRE)
    true, rng = records.replayed, random.Random(1)
    changed = 0

    def other(*given: Any, **more: Any) -> tuple[Game, EventLog]:
        """The game with other secrets: what is told to some says and throws something else."""
        nonlocal changed
        found, told = true(*given, **more)
        found.runner.state = other_secrets(found, rng)
        lies = EventLog()
        for event in told:
            if event.audience is not EVERYBODY:
                changed += 1
                event = replace(event, modifiers=(), dice=event.dice * 2)
                if rng.random() < 0.5:
                    continue
            lies.append(event)
        return found, lies

    monkeypatch.setattr(records, "replayed", other)
    assert papers(path, battles=battles) == plain
    assert changed, "this game had no secret"
    assert said("chronicle", path, "--for", UMPIRE) != whole


@pytest.mark.parametrize("name", sorted(SEALS - {"toy"}))
def test_a_sealed_answer_is_in_no_paper_before_all_are_in(name: str, tmp_path: Path) -> None:
    game, rng = new_game(name, 6), random.Random(6)
    while not (waits := [r for r in game.requests() if r.sealed and r.missing == r.seats]):
        step(game, rng)
    request, told = waits[0], []
    seat = request.seats[0]
    for _ in range(4):
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        told.append(papers(kept(tmp_path, game)))
        game.undo(seat)
    assert all(each == told[0] for each in told)


def test_every_system_with_secrets_is_tried() -> None:
    assert {*KEEPING, "toy", *OPEN} == {*SECRETS, *OPEN}


# By name -----------------------------------------------------------------------------------------


def test_an_edition_is_named_and_the_umpires_says_what_it_is(tmp_path: Path) -> None:
    path = tales.record(tmp_path)
    public, umpires = said("chronicle", path), said("chronicle", path, "--for", UMPIRE)
    assert public == said("chronicle", path, "--for", "public")
    assert "B keeps" not in public and "B keeps" in umpires
    assert "For the umpire only" in umpires.splitlines()[0]
    assert "umpire" not in public.splitlines()[0]
    french = polemarque("chronicle", path, "--for", UMPIRE, "--lang", "fr").out
    assert "Pour l’arbitre seul" in french.splitlines()[0]
    mine = said("chronicle", path, "--for", "A")
    assert "Hésiode keeps" in mine and "B keeps" not in mine


@pytest.mark.parametrize("command", ["chronicle", "sheet", "export", "luck"])
def test_an_unknown_reader_is_refused(command: str, tmp_path: Path) -> None:
    path, out = tales.record(tmp_path), ("--out", tmp_path / "x.json")
    more = out if command == "export" else ()
    done = polemarque(command, path, *more, "--seat", "A", "--lang", "en")
    assert done.status == 2 and "--seat" in done.err
    done = polemarque(command, path, *more, "--for", "C", "--lang", "en")
    assert done.status == 2 and "public" in done.err and UMPIRE in done.err


def test_a_state_that_is_shown_whole_says_whom_it_is_for(tmp_path: Path) -> None:
    path = tales.record(tmp_path)
    assert said("replay", path, "--at", 2).startswith("For the umpire only")
    assert "umpire" not in said("replay", path)
    assert polemarque("replay", path, "--at", 2, "--lang", "fr").out.startswith("Pour l’arbitre")


def test_one_turn_is_told_alone(tmp_path: Path) -> None:
    path = tales.record(tmp_path)
    first, second = (said("chronicle", path, "--turn", n, "--for", UMPIRE) for n in (1, 2))
    assert "Day 1" in first and "Day 2" not in first
    assert "Day 2" in second and "Day 1" not in second
    assert "For the umpire only" in first.splitlines()[0]
    assert "As Hésiode" in said("chronicle", path, "--turn", 1, "--for", "A")
    done = polemarque("chronicle", path, "--turn", 9, "--lang", "en")
    assert done.status == 2 and "no turn 9" in done.err


def test_a_public_sheet_says_what_the_map_shows(tmp_path: Path) -> None:
    path = kept(tmp_path, part_way("atlantide"))
    public, umpires = said("sheet", path), said("sheet", path, "--for", UMPIRE)
    assert "Territories owned" in public and "Journal" in public
    assert "Current loot" not in public and "Current loot" in umpires
    assert "For the umpire only" in umpires.splitlines()[0]
    assert said("sheet", path, "--for", "A").count("Current loot") == 1


def test_a_public_dossier_says_where_and_who(tmp_path: Path) -> None:
    path = kept(tmp_path, in_battle())
    public, umpires = (
        said("sheet", path, "--battles", "--for", reader) for reader in ("public", UMPIRE)
    )
    assert "Attacker" in public and "Return sheet" not in public
    assert "Return sheet" in umpires and "For the umpire only" in umpires.splitlines()[0]


def test_the_papers_of_a_run_say_whose_they_are(tmp_path: Path) -> None:
    for system in ("atlantide", "thucidide"):
        out = tmp_path / system
        given = ("run", system, "--seed", 3, *(("--turns", 1) * (system == "atlantide")))
        assert polemarque(*given, "--out", out, "--lang", "fr").status == 0
        first = (out / "chronicle.md").read_text(encoding="utf-8").splitlines()[0]
        assert "Pour l’arbitre seul" in first
        public = (out / "chronicle.public.md").read_text(encoding="utf-8")
        assert public.replace("\\", "") == polemarque(
            "chronicle", out / "game.json", "--format", "md", "--lang", "fr"
        ).out.replace("\\", "")
    page = (tmp_path / "thucidide" / "replay.html").read_text(encoding="utf-8")
    assert "<h1>Pour l’arbitre seul" in page


def test_an_export_is_told_of_once_nothing_is_hidden_in_it(tmp_path: Path) -> None:
    out = tmp_path / "export.json"
    path = tales.record(tmp_path)
    said("export", path, "--out", out)
    assert said("chronicle", out) == said("chronicle", path)
    assert "B keeps" in said("chronicle", out, "--for", UMPIRE)
    game = part_way("atlantide")
    said("export", kept(tmp_path, game), "--out", out)
    done = polemarque("chronicle", out, "--lang", "en")
    assert done.status == 2 and "Ask the person who runs the game" in done.err
    assert "Demandez une chronique" in polemarque("chronicle", out, "--lang", "fr").err


def test_a_seed_and_an_answer_leave_no_trace_in_the_export_of_a_game_that_goes_on(
    tmp_path: Path,
) -> None:
    made = []
    for seed in (3, 4):
        game = Game(new_header("atlantide", seats=2, seed=seed))
        rng = random.Random(seed)
        game.settle()
        before = len(game.entries)
        while game.entries[before:] == []:
            request = game.requests()[0]
            seat = request.missing[0]
            game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        out = tmp_path / "export.json"
        said("export", kept(tmp_path, game), "--out", out)
        hidden = game.entries[before]
        lines = out.read_bytes().splitlines()
        made.append((hidden, (lines[0], lines[before + 1])))
    assert made[0][0] != made[1][0] and made[0][1] == made[1][1]
