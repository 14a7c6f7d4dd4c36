"""Games in worker processes: the same whoever plays them, and one that kills takes no other."""

from __future__ import annotations

from collections import Counter
from math import log2
from pathlib import Path

import pytest
from msgspec.structs import replace

from polemarque.bots.play import Question, play_game
from polemarque.cli.new_game import GameOptions, header_of
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import OneOf
from polemarque.lab.executor import Job, Outcome, play_all
from polemarque.lab.games import Failed, Played, StudyPlan, attempt, header_with, play

pytestmark = pytest.mark.slow

BOT = '''
"""A bot that breaks off now and then: by a fault, or with the whole process."""
import os

from polemarque.api.bots import usual


class Deadly:
    def choose(self, view, options, asked, chooser):
        if os.environ["DEADLY"] == "always" or chooser.randrange(0, 30) == 0:
            if os.environ["DEADLY"] == "raise":
                raise RuntimeError("deadly")
            os._exit(9)
        return usual(options, asked, chooser)


BOT = Deadly()
'''


def plan(system: str = "batailles", bot: str = "steady", **options: object) -> StudyPlan:
    header = new_header(system, options=options)
    return StudyPlan(header, dict.fromkeys(header.seats, bot))


def outcomes(plans: list[StudyPlan], games: int, workers: int) -> dict[Job, Outcome]:
    found: dict[Job, Outcome] = {}
    jobs = [Job(number, seed) for seed in range(games) for number in range(len(plans))]
    play_all(plans, jobs, workers, found.__setitem__, lambda: False)
    assert sorted(found) == sorted(jobs)
    return found


def test_games_are_the_same_whoever_plays_them() -> None:
    plans = [plan(), plan(rout="zero"), plan("atlantide", turn_limit=2)]
    here, there = outcomes(plans, 6, 1), outcomes(plans, 6, 2)
    assert here == there
    assert all(isinstance(each, Played) for each in here.values())


def test_a_game_is_that_of_run_with_its_seed() -> None:
    typed = GameOptions("atlantide", "duel", turns=3)
    header = header_of(typed, limited=True)
    game = play(StudyPlan(header, dict.fromkeys(header.seats, "steady")), 17)
    assert header_with(StudyPlan(header, {}), 17) == header_of(
        replace(typed, seed=17), limited=True
    )
    assert (game.turns, game.seed) == (3, 17)


def test_an_interrupted_study_begins_no_further_game() -> None:
    for workers in (1, 2):
        found: dict[Job, Outcome] = {}
        play_all(
            [plan()], [Job(0, n) for n in range(500)], workers, found.__setitem__,
            lambda found=found: len(found) >= 3,
        )  # fmt: skip
        assert 3 <= len(found) < 500


def test_a_game_that_fails_is_told_with_its_seed() -> None:
    failed = attempt(plan(bot="nobody"), 5)
    assert isinstance(failed, Failed)
    assert failed.seed == 5
    assert failed.reason.startswith("NotUnderstood: ")


@pytest.fixture
def deadly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StudyPlan:
    """A plan whose bot is installed where worker processes find it."""
    (tmp_path / "deadly_bot.py").write_text(BOT)
    installed = tmp_path / "deadly_bot-1.dist-info"
    installed.mkdir()
    (installed / "entry_points.txt").write_text(
        "[polemarque.bots]\nbatailles.deadly = deadly_bot:BOT\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return plan(bot="deadly")


def test_a_process_that_dies_takes_no_other_game_with_it(
    deadly: StudyPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEADLY", "raise")
    told = outcomes([deadly], 12, 2)
    fatal = {job for job, outcome in told.items() if isinstance(outcome, Failed)}
    assert 0 < len(fatal) < 12
    assert {told[job] for job in fatal} == {
        Failed(job.seed, "RuntimeError: deadly") for job in fatal
    }
    monkeypatch.setenv("DEADLY", "exit")
    died = outcomes([deadly], 12, 2)
    assert {job: died[job] for job in fatal} == {job: Failed(job.seed, "") for job in fatal}
    assert {j: o for j, o in died.items() if j not in fatal} == {
        j: o for j, o in told.items() if j not in fatal
    }


def test_where_no_process_lives_no_game_is_left_out_in_silence(
    deadly: StudyPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEADLY", "always")
    died = outcomes([deadly], 30, 2)
    assert died == {job: Failed(job.seed, "") for job in died}


# What is taken down of a game --------------------------------------------------------------------


def test_choices_and_rows_are_those_of_the_game() -> None:
    """Looked at from outside: events as they were told, answers with the options that they had."""
    made = plan("atlantide", turn_limit=4)
    told: list[Event] = []
    sizes: list[int] = []

    def asked(question: Question) -> None:
        if question.seat != "umpire" and isinstance(
            options := question.request.options(question.seat), OneOf
        ):
            sizes.append(len(options.words))

    game = Game(header_with(made, 5), publish=told.append)
    play_game(game, made.bots, on_question=asked)
    played = play(made, 5)
    assert played.digest == game.digest
    omens = Counter(
        f"{event.data['seat']} AT-3.1 {event.kind}"
        for event in told
        if event.rule == "AT-3.1" and event.dice and event.period < 4
    )
    assert omens
    assert {row: n for row, n in played.rows.items() if " AT-3.1 " in row} == omens
    assert sum(size > 1 for size in sizes) <= played.free
    assert played.bits > sum(map(log2, sizes)) - 0.01
    uncounted = play(made, 6)
    assert (uncounted.free, uncounted.bits) == (0, 0) and uncounted.rows


def test_standings_questions_and_battles_are_those_of_the_game() -> None:
    """Looked at from outside: battles as their paths name them, answers as the record has them."""
    made = plan("atlantide", turn_limit=9, resolver="batailles")
    seed = 0
    played = play(made, seed)
    paths: set[str] = set()
    game = Game(header_with(made, seed), publish=lambda event: paths.add(event.path.split(".")[0]))
    play_game(game, made.bots)
    assert played.digest == game.digest
    assert played.entries == len(game.entries)
    assert played.winners == game.system.standing(game.state).winners
    battles = [int(path.split("-")[0]) for path in paths if path]
    assert battles
    assert list(played.battles) == [battles.count(turn) for turn in range(played.turns + 1)]
    asked = [entry.key for entry in game.entries if entry.key.seat == "B"]  # type: ignore[union-attr]
    assert sum(played.questions["B"]) == len(asked)
    assert any(key.path and key.period != key.outer_period for key in asked)
    for turn in range(10):
        there = [key for key in asked if key.outer_period == turn]
        assert played.questions["B"][turn] == len(there)
    assert len(played.places) == played.turns == 9
    assert played.places[-1] == game.system.standing(game.state).places
    assert played.out is not None and len(played.out) == 9
