"""The file of a study: what is played in its first line, then one game a line, as it comes in.

A process that is killed leaves at most a torn last line, which is cut off when the study goes on.
Games that failed have no line: they are played again.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from polemarque.kernel.errors import NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.files.decoding import from_json
from polemarque.lab.executor import Job
from polemarque.lab.games import BETWEEN, Played, StudyPlan

FORM = 2
"""Version of the form of such a file."""

NAME = "games.jsonl"


class Study(msgspec.Struct, frozen=True):
    """What is played: one plan, or two that are compared; game n has the same seed in both."""

    plans: tuple[StudyPlan, ...]
    seed: int

    def whole(self, games: int) -> int:
        """So many games or a few more, in which every bot has each of its seats as often."""
        rounds = math.lcm(*[plan.rounds for plan in self.plans])
        return min(-(-games // rounds) * rounds, BETWEEN)

    def jobs(self, games: int) -> list[Job]:
        """So many games of each plan."""
        return [Job(plan, seed) for seed in self.seeds(games) for plan in range(len(self.plans))]

    def seeds(self, games: int) -> range:
        """The seeds of its games: 0, 1, 2… of the study of seed 0."""
        return range(self.seed * BETWEEN, self.seed * BETWEEN + games)


class _Head(msgspec.Struct, frozen=True):
    """The first line."""

    polemarque_study: int
    study: Study


class _Line(msgspec.Struct, frozen=True):
    """Any other line."""

    plan: int
    game: Played


Games = dict[Job, Played]


class Lines:
    """The file of a study, open to be written on: at its end, no matter who else writes on it.

    games: those that are in it.
    """

    def __init__(self, path: Path, games: Games) -> None:
        # Unbuffered, so that closing it after a full disk has nothing left to write.
        self._file = path.open("ab", buffering=0)
        self.games = games

    def add(self, job: Job, game: Played) -> None:
        """Write a game down.  Raises OSError."""
        line = msgspec.json.encode(_Line(job.plan, game)) + b"\n"
        while line:
            line = line[self._file.write(line) :]
        self.games[job] = game

    def close(self) -> None:
        """Nothing more is written."""
        self._file.close()


def begin(path: Path, study: Study) -> Lines:
    """Begin the file of a new study.  Raises NotAllowed if there is one already; OSError."""
    try:
        with path.open("xb") as file:
            file.write(_first_line(study) + b"\n")
    except FileExistsError:
        raise NotAllowed("study.exists", part=path) from None
    return Lines(path, {})


def resume(path: Path, study: Study) -> Lines:
    """Go on with the file of a study, its torn last line cut off; begin it if there is none.

    Raises NotUnderstood (study.no_study, study.line) on a file that is no study's or has a line
    that cannot be read; OutOfDate (study.form) on one of another form; NotAllowed (study.other) on
    one of another set-up; OSError.
    """
    if not path.exists():
        return begin(path, study)
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if not whole and _first_line(study).startswith(content):  # killed in its first line
        path.unlink()
        return begin(path, study)
    games = _read(path, whole, study)
    if len(whole) < len(content):
        os.truncate(path, len(whole))
    return Lines(path, games)


def _read(path: Path, whole: bytes, study: Study) -> Games:
    first, *rest = whole.splitlines() or [b""]
    _same(path, first, study)
    games: Games = {}
    for number, line in enumerate(rest, 2):
        try:
            read = from_json(line, _Line)
        except (msgspec.DecodeError, msgspec.ValidationError):
            raise NotUnderstood("study.line", part=path, line=number) from None
        games.setdefault(Job(read.plan, read.game.seed), read.game)
    return games


def _same(path: Path, first: bytes, study: Study) -> None:
    """Raises as `resume` does if a file's first line is not that of this study."""
    try:
        form = from_json(first, dict[str, object]).get("polemarque_study")
    except (msgspec.DecodeError, msgspec.ValidationError):
        form = None
    if form is None:
        raise NotUnderstood("study.no_study", part=path)
    if form != FORM:
        raise OutOfDate("study.form", part=path)
    if first == _first_line(study):
        return
    try:
        there = from_json(first, _Head).study.plans
    except (msgspec.DecodeError, msgspec.ValidationError):
        there = ()
    if not there:
        raise NotUnderstood("study.no_study", part=path)
    raise NotAllowed("study.other", part=path, parts=_differing(first, _first_line(study)))


def _differing(there: bytes, here: bytes) -> list[str]:
    """What is not the same in two first lines: by name, that of the header's field for most."""
    one, other = _flat(there), _flat(here)
    return sorted([name for name in {*one, *other} if one.get(name) != other.get(name)])


def _flat(line: bytes) -> dict[str, object]:
    study = msgspec.json.decode(line)["study"]
    first, *others = study["plans"]
    return {**first["header"], "bots": first["bots"], "seed": study["seed"], "setups": others}


def _first_line(study: Study) -> bytes:
    return msgspec.json.encode(_Head(FORM, study), order="deterministic")


def digest(games: Mapping[Job, Played], jobs: Iterable[Job]) -> str:
    """SHA-256 of the games in order: the same for the same study, no matter who played which."""
    whole = hashlib.sha256()
    for job in jobs:
        if job in games:
            whole.update(msgspec.json.encode(games[job], order="deterministic") + b"\n")
    return whole.hexdigest()


def of_plan(games: Mapping[Job, Played], plan: int, seeds: Sequence[int]) -> list[Played]:
    """The games of one plan, in the order of their seeds."""
    return [games[job] for job in (Job(plan, seed) for seed in seeds) if job in games]
