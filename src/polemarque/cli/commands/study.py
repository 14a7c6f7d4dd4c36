"""`polemarque study`: a set-up played many times by bots, and what that says of its balance."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec
import rich_click as click
from msgspec.structs import replace

from polemarque.cli.common import (
    BROKEN,
    DONE,
    INTERRUPTED,
    NO,
    Command,
    Fault,
    json_option,
    lang,
    print_json,
    reason_of,
    refuse,
    say,
)
from polemarque.cli.new_game import GameOptions, game_options, header_of
from polemarque.cli.progress import Interruptible, progress
from polemarque.cli.records import make_folder, put
from polemarque.cli.seating import bots_of
from polemarque.kernel.errors import NotAllowed, shortened
from polemarque.kernel.system import TURN_LIMIT

if TYPE_CHECKING:
    from polemarque.cli.study_design import Design
    from polemarque.lab.executor import Job, Opener, Outcome
    from polemarque.lab.games import Failed, Played
    from polemarque.lab.levelling import Level
    from polemarque.lab.report import Findings
    from polemarque.lab.study_file import Games, Lines, Study

OUT = Path("out")
FIGURES = "study.json"

MOST_NAMED = 5
"""Seeds of games that failed, named at most."""

LONG = 4 * 3600
"""Seconds of a study that says how long it takes, and goes on only when asked again."""

OFFERED = 3600
"""Seconds of the smaller study that is offered instead."""

HEARD = 5
"""Seconds of playing after which it is known how long the whole takes."""


@click.command(cls=Command, help="study.help")
@game_options
@click.option("--games", type=click.IntRange(1, 1_000_000), metavar="N", help="study.games")
@click.option("--against", multiple=True, metavar="NAME=VALUE", help="study.against")
@click.option("--bots", default="", metavar="NAME,…", help="study.bots")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="study.workers")
@click.option(
    "--executor", type=click.Choice(("pool", "dask")), default="pool", help="study.executor"
)
@click.option("--scheduler", default="", metavar="ADDRESS", help="study.scheduler")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="study.out")
@click.option("--resume", is_flag=True, help="study.resume")
@json_option
def command(
    typed: GameOptions,
    games: int | None,
    against: Sequence[str],
    bots: str,
    workers: int | None,
    executor: str,
    scheduler: str,
    out: Path | None,
    resume: bool,
    as_json: bool,
) -> int:
    """Play a set-up many times, and report."""
    from polemarque.lab.significance import recommended
    from polemarque.lab.study_file import NAME, begin
    from polemarque.lab.study_file import resume as take_up

    design = _design(typed, against, bots)
    study = design.study
    games = study.whole(games or design.games or recommended(len(study.plans[0].header.seats)))
    folder = out or OUT / f"study-{Path(typed.system).stem}"
    make_folder(folder)
    try:
        with (
            _opened(executor, scheduler, workers or os.cpu_count() or 1) as opener,
            closing((take_up if resume else begin)(folder / NAME, study)) as lines,
        ):
            players = _Players(study, games, opener, lines,
                               wary=0 if resume else design.tries, shown=not as_json)  # fmt: skip
            level = _level(design, players, games) if design.level else None
            if not design.level:
                players.play(study.jobs(games))
    except OSError as fault:
        raise NotAllowed("file.unwritable", part=folder / NAME, reason=reason_of(fault)) from None
    except Stopped:
        kept = len(lines.games)
        print(say("study.interrupted", done=kept, file=str(folder / NAME)), file=sys.stderr)
        return INTERRUPTED
    _report(design, lines.games, games, players.failed, level, folder, as_json=as_json)
    if players.failed:
        return _tell_failed(study.plans[0].header.system, players.failed)
    return NO if level is not None and level.verdict in ("flat", "outside") else DONE


def _design(typed: GameOptions, against: Sequence[str], bots: str) -> Design:
    """What is to be played.  Raises Refusal on all that `run` would refuse."""
    from polemarque.cli.study_design import Design, read_design
    from polemarque.kernel.new_game import opening
    from polemarque.lab.games import StudyPlan
    from polemarque.lab.study_file import Study

    if typed.system.endswith(".toml"):
        if against or bots or replace(typed, system="", seed=None) != GameOptions():
            raise NotAllowed("study.in_file", part=typed.system)
        return read_design(Path(typed.system), typed.seed)
    setups = [replace(typed, seed=None)]
    if against:
        ended = any(each.partition("=")[0] == TURN_LIMIT for each in against)
        turns = None if ended else typed.turns
        setups.append(replace(setups[0], turns=turns, chosen=(*typed.chosen, *against)))
    plans = []
    for setup in setups:
        header = header_of(setup, limited=True)
        opening(header)  # refused here, if at all
        plans.append(StudyPlan(header, bots_of(header.seats, bots, header.system)))
    if len(plans) > 1 and plans[0] == plans[1]:
        raise NotAllowed("study.same", part=" ".join(against))
    scenario = Path(typed.scenario).name
    names = (scenario or say("study.first"), " ".join(against)) if against else ()
    return Design(Study(tuple(plans), typed.seed or 0), names, scenario, None)


@contextmanager
def _opened(executor: str, scheduler: str, workers: int) -> Iterator[Opener]:
    """Who plays.  Raises NotAllowed on a cluster that is not there, or cannot play."""
    from polemarque.lab.executor import dask, in_process, pool

    if executor == "dask":
        with dask(workers, scheduler) as opener:
            yield opener
    elif scheduler:
        raise NotAllowed("study.scheduler_of", part=scheduler)
    else:
        yield in_process if workers == 1 else partial(pool, workers)


class Stopped(Exception):
    """Somebody wishes to stop, or not one game of a set-up comes to its end."""


class _Players:
    """Who plays the games of a study that are missing.

    wary: how many set-ups are to be played, until it is known that this does not take too long.
    """

    def __init__(
        self, study: Study, games: int, opener: Opener, lines: Lines, *, wary: int, shown: bool
    ) -> None:
        self.failed: list[Failed] = []
        self.lines = lines
        self._study, self._games, self._opener = study, games, opener
        self._wary, self._shown = wary, shown
        self._began: list[float] = []
        self._each = 0.0
        """Seconds for a game of every set-up, if all together take too long."""

    def play(self, jobs: Sequence[Job], what: str = "") -> None:
        """Play those that are missing.

        Raises Stopped where some are left undone; NotAllowed (study.long) as soon as it shows that
        all set-ups take too long, with a smaller study and what that would find; OSError.
        """
        from polemarque.lab.executor import play_all
        from polemarque.lab.games import Played

        lines = self.lines
        missing = {job for job in jobs if job not in lines.games}
        with (
            Interruptible() as wish,
            progress(what or say("study.playing"), shown=self._shown) as tick,
        ):

            def take(job: Job, outcome: Outcome) -> None:
                if isinstance(outcome, Played):
                    lines.add(job, outcome)
                else:
                    self.failed.append(outcome)
                missing.discard(job)
                tick(len(jobs) - len(missing), len(jobs))
                if self._wary:
                    self._measure()

            todo = [job for job in jobs if job in missing]
            play_all(
                self._study.plans, todo, self._opener, take, lambda: wish.asked or self._each > 0
            )
        if self._each:
            raise self._long()
        if wish.asked and missing:
            raise Stopped

    def _measure(self) -> None:
        """How long all games take, from the first one that came back on: processes begin slowly."""
        self._began.append(monotonic())
        spent = self._began[-1] - self._began[0]
        if spent >= HEARD:
            each = spent / (len(self._began) - 1) * self._wary
            self._each = each if each * self._games > LONG else 0.0
            self._wary = 0

    def _long(self) -> NotAllowed:
        """That it takes too long, and what could be played instead."""
        from polemarque.lab.significance import LEVEL, advantaged, power, questions

        fewer = self._study.whole(max(1, int(OFFERED / self._each)))
        seats = max(len(self._study.plans[0].header.seats), 2)
        part, level = advantaged(1 / seats), LEVEL / questions(seats)
        found, less = (round(100 * power(part, 1 / seats, n, level)) for n in (self._games, fewer))
        return NotAllowed(
            "study.long", part=self._games, hours=math.ceil(self._each * self._games / 3600),
            games=fewer, minutes=math.ceil(self._each * fewer / 60), power=found, less=less,
            share=round(100 * part), equal=round(100 / seats),
        )  # fmt: skip


def _level(design: Design, players: _Players, games: int) -> Level:
    """Look for the value that is level; only the values that are tried are played."""
    from polemarque.lab.executor import Job
    from polemarque.lab.levelling import find_level
    from polemarque.lab.study_file import of_plan

    study, grid = design.study, design.grid
    assert grid is not None
    seeds = study.seeds(games)

    def games_at(at: int) -> list[Played]:
        what = say("study.trying", value=grid.values[at])
        players.play([Job(at, seed) for seed in seeds], what)
        played = of_plan(players.lines.games, at, seeds)
        if not played:
            raise Stopped
        return played

    seats = study.plans[0].header.seats
    return find_level(grid.values, grid.seat or seats[0], seats, games_at)


def _report(
    design: Design, made: Games, games: int, failed: Sequence[Failed], level: Level | None,
    folder: Path, *, as_json: bool,
) -> None:  # fmt: skip
    """Write the papers of the study, and say what it found."""
    from polemarque.lab.report import csv_of, picture_of, report
    from polemarque.lab.study_file import digest
    from polemarque.report.documents.pdf import pdf, printable
    from polemarque.report.documents.writers import write

    study = design.study
    found = _findings(design, made, study.seeds(games), level)
    plain = _plain(found, digest(made, study.jobs(games)))
    plain["failed"] = sorted({each.seed for each in failed})
    document, drawn = report(found, lang()), picture_of(found, lang())
    papers: dict[str, str | bytes] = {
        FIGURES: msgspec.json.format(msgspec.json.encode(plain), indent=1),
        "study.csv": csv_of(found),
        "study.html": write(document, "html"),
        "study.md": write(document, "md"),
    }
    if drawn is not None:
        svg, file = drawn
        papers[file] = svg
    if printable():
        papers["study.pdf"] = pdf(document)
    for name, paper in papers.items():
        put(folder / name, paper, public=True)
    if as_json:
        print_json(plain)
        return
    print(write(document, "text"))
    print(say("run.files", files=[str(folder / name) for name in papers]))


def _findings(design: Design, made: Games, seeds: range, level: Level | None) -> Findings:
    """What the games say; of a level, those of the values that were tried."""
    from polemarque.lab.comparisons import changes, steps
    from polemarque.lab.report import Findings
    from polemarque.lab.statistics import all_figures
    from polemarque.lab.study_file import of_plan

    study, grid = design.study, design.grid
    played = {n: of_plan(made, n, seeds) for n in range(len(study.plans))}
    if level is not None:
        played = {n: games for n, games in played.items() if games}
    plans, by = tuple([study.plans[n] for n in played]), [*played.values()]
    seats = plans[0].header.seats
    seat = (grid and grid.seat) or seats[0]
    return Findings(
        plans, design.scenario, study.seed, all_figures(by, plans),
        changes(by, seats) if grid is None and not design.grades else (),
        tuple([design.names[n] for n in played]) if design.names else (),
        grid.figure if grid else "", steps(by, seat) if grid and all(by) else (), level,
        design.grades,
    )  # fmt: skip


def _plain(found: Findings, made: str) -> dict[str, Any]:
    """All figures as `study.json` and `--json` have them."""
    header = found.plans[0].header
    names = found.names or ("",) * len(found.plans)
    return {
        "study": 2,
        "system": header.system,
        "scenario": found.scenario,
        "seats": header.seats,
        "seed": found.seed,
        "digest": made,
        "figure": found.figure,
        "setups": [
            {"name": name, "options": plan.header.options, "bots": plan.bots, "figures": figures}
            for name, plan, figures in zip(names, found.plans, found.figures, strict=True)
        ],
        "changes": found.changes,
        "steps": found.steps,
        "level": found.level,
    }


def _tell_failed(system: str, failed: Sequence[Failed]) -> int:
    """Say which games failed, and why the first of them did."""
    seeds = sorted({each.seed for each in failed})
    first = min(failed, key=lambda each: each.seed)
    refuse(
        Fault(
            "study.failed", n=len(failed), seeds=[str(seed) for seed in seeds[:MOST_NAMED]],
            more=max(len(seeds) - MOST_NAMED, 0), reason=shortened(first.reason, 300),
            system=system, seed=first.seed,
        )
    )  # fmt: skip
    return BROKEN
