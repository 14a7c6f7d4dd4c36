"""`polemarque study`: a set-up played many times by bots, and what that says of its balance."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import rich_click as click
from msgspec.structs import replace

from polemarque.cli.common import (
    BROKEN,
    INTERRUPTED,
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
    from polemarque.lab.executor import Job, Outcome
    from polemarque.lab.games import Failed
    from polemarque.lab.report import Findings
    from polemarque.lab.study_file import Lines, Study

OUT = Path("out")
REPORT, FIGURES = "study.md", "study.json"

MOST_NAMED = 5
"""Seeds of games that failed, named at most."""


@click.command(cls=Command, help="study.help")
@game_options
@click.option("--games", type=click.IntRange(1, 1_000_000), metavar="N", help="study.games")
@click.option("--against", multiple=True, metavar="NAME=VALUE", help="study.against")
@click.option("--bots", default="", metavar="NAME,…", help="study.bots")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="study.workers")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="study.out")
@click.option("--resume", is_flag=True, help="study.resume")
@json_option
def command(
    typed: GameOptions,
    games: int | None,
    against: Sequence[str],
    bots: str,
    workers: int | None,
    out: Path | None,
    resume: bool,
    as_json: bool,
) -> int:
    """Play a set-up many times, and report."""
    from polemarque.lab.significance import recommended
    from polemarque.lab.study_file import NAME

    study = _study(typed, against, bots)
    games = study.whole(games or recommended(len(study.plans[0].header.seats)))
    folder = out or OUT / f"study-{typed.system}"
    lines = _open(folder / NAME, study, resume=resume)
    try:
        failed, stopped = _play(
            study, games, workers or os.cpu_count() or 1, lines, shown=not as_json
        )
    except OSError as fault:
        reason = reason_of(fault)
        raise NotAllowed("file.unwritable", part=folder / NAME, reason=reason) from None
    finally:
        lines.close()
    if stopped:
        kept = len([job for job in study.jobs(games) if job in lines.games])
        print(say("study.interrupted", done=kept, file=str(folder / NAME)), file=sys.stderr)
        return INTERRUPTED
    scenario = Path(typed.scenario).name
    names = (scenario or say("study.first"), " ".join(against)) if against else ()
    _report(study, lines, games, failed, scenario, names, folder, as_json=as_json)
    return _tell_failed(typed.system, failed) if failed else 0


def _study(typed: GameOptions, against: Sequence[str], bots: str) -> Study:
    """What is to be played.  Raises Refusal on all that `run` would refuse."""
    from polemarque.kernel.new_game import opening
    from polemarque.lab.games import StudyPlan
    from polemarque.lab.study_file import Study

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
    return Study(tuple(plans), typed.seed or 0)


def _open(path: Path, study: Study, *, resume: bool) -> Lines:
    """The file of the study.  Raises NotAllowed, NotUnderstood or OutOfDate."""
    from polemarque.lab.study_file import begin
    from polemarque.lab.study_file import resume as take_up

    make_folder(path.parent)
    try:
        return (take_up if resume else begin)(path, study)
    except OSError as fault:
        raise NotAllowed("file.unwritable", part=path, reason=reason_of(fault)) from None


def _play(
    study: Study, games: int, workers: int, lines: Lines, *, shown: bool
) -> tuple[list[Failed], bool]:
    """Play the games that are missing; those that failed, and whether some were left undone."""
    from polemarque.lab.executor import play_all
    from polemarque.lab.games import Played

    jobs = study.jobs(games)
    missing = [job for job in jobs if job not in lines.games]
    failed: list[Failed] = []
    done: list[Job] = []
    with Interruptible() as wish, progress(say("study.playing"), shown=shown) as tick:

        def take(job: Job, outcome: Outcome) -> None:
            if isinstance(outcome, Played):
                lines.add(job, outcome)
            else:
                failed.append(outcome)
            done.append(job)
            tick(len(jobs) - len(missing) + len(done), len(jobs))

        play_all(study.plans, missing, min(workers, len(missing)) or 1, take, lambda: wish.asked)
    return failed, wish.asked and len(done) < len(missing)


def _report(
    study: Study, lines: Lines, games: int, failed: Sequence[Failed], scenario: str,
    names: tuple[str, ...], folder: Path, *, as_json: bool,
) -> None:  # fmt: skip
    """Write the papers of the study, and say what it found."""
    from polemarque.lab.report import CURVE, Findings, curve, report
    from polemarque.lab.statistics import changes, figures
    from polemarque.lab.study_file import digest, of_plan
    from polemarque.report.documents.writers import write

    seats = study.plans[0].header.seats
    played = [of_plan(lines.games, n, study.seeds(games)) for n in range(len(study.plans))]
    told = [figures(each, plan) for each, plan in zip(played, study.plans, strict=True)]
    found = Findings(
        study.plans, scenario, study.seed, tuple(told), changes(played, seats), names
    )  # fmt: skip
    plain = _plain(found, digest(lines.games, study.jobs(games)))
    plain["failed"] = sorted({each.seed for each in failed})
    document, svg = report(found, lang()), curve(found, lang())
    put(folder / FIGURES, msgspec.json.format(msgspec.json.encode(plain), indent=1), public=True)
    put(folder / REPORT, write(document, "md"), public=True)
    if svg is not None:
        put(folder / CURVE, svg, public=True)
    if as_json:
        print_json(plain)
        return
    print(write(document, "text"))
    written = [FIGURES, REPORT, *([CURVE] if svg is not None else [])]
    print(say("run.files", files=[str(folder / name) for name in written]))


def _plain(found: Findings, made: str) -> dict[str, Any]:
    """All figures as `study.json` and `--json` have them."""
    header = found.plans[0].header
    return {
        "study": 1,
        "system": header.system,
        "scenario": found.scenario,
        "seats": header.seats,
        "seed": found.seed,
        "digest": made,
        "setups": [
            {"options": plan.header.options, "bots": plan.bots, "figures": figures}
            for plan, figures in zip(found.plans, found.figures, strict=True)
        ],
        "changes": found.changes,
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
