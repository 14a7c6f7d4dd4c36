"""Ours beside ours: what games, studies and pages cost beside an older commit, in a worktree.

Each piece is a program of its own, run there and here in turn with the same packages.  What it
costs are the instructions that it executes, where the machine has counters that `perf` may read:
they hardly differ from run to run.  Elsewhere it is processor time, which is no gate.

    python bench/before.py games SYSTEM N      one piece, as one of the two runs it, in the
                                               folder of a worktree with its src in PYTHONPATH
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

COMMIT = "c45c549"
ROOT = Path(__file__).parents[1]
SYSTEMS = ("atlantide", "batailles", "mare_nostrum", "promiterra", "thucidide")
SHORT = {"atlantide": {"turn_limit": 12}, "mare_nostrum": {"turn_limit": 12}}
PEOPLE = {seat: f"at-{seat}" for seat in "ABCDEFGHI"}
WAR = {"system": "atlantide", "seats": 9, "people": PEOPLE}
EVENT = "instructions:u"


# What is compared: run there and here ------------------------------------------------------------


def games(system: str, many: int) -> None:
    """So many games of steady bots, seeds 0, 1, 2…"""
    from polemarque.bots.play import play_game
    from polemarque.kernel import game

    if not hasattr(game, "new_header"):  # as it was then
        from polemarque.kernel import opening

        game.new_header = opening.new_header
    for seed in range(many):
        one = game.Game(game.new_header(system, seed=seed, options=SHORT.get(system, {})))
        play_game(one, dict.fromkeys(one.header.seats, "steady"))


def studies(workers: int, many: int) -> None:
    """A study of so many games of each system, by so many workers."""
    with tempfile.TemporaryDirectory() as out:
        for system in SYSTEMS:
            words = ["--games", str(many), "--workers", str(workers), "--out", f"{out}/{system}"]
            study = [sys.executable, "-m", "polemarque", "study", system, *words, "--json"]
            subprocess.run(study, check=True, stdout=subprocess.DEVNULL)


def pages(many: int) -> None:
    """What a seat's page and a sealed answer cost the server of a club; prints both."""
    from tests.web import served

    with tempfile.TemporaryDirectory() as folder:
        surroundings = (
            served.environment
        )  # the server is that of this folder, not the installed one
        served.environment = lambda data: {
            **surroundings(data), "PYTHONPATH": os.environ["PYTHONPATH"]}  # fmt: skip
        made = served.fill(Path(folder), WAR, WAR, WAR)
        with served.serving(Path(folder), "--no-demo") as server:
            visitors = {seat: served.Visitor(server, made["people"][who])
                        for seat, who in PEOPLE.items()}  # fmt: skip
            sealed = []
            for code in made["campaigns"]:
                for seat, visitor in [*visitors.items()][1:]:  # the last answer moves the game on
                    door = f"/c/{code}/seat/{seat}/"
                    forms = served.Forms(visitor.get(door)[1]).forms
                    fields = [fields for action, fields in forms if action.endswith("/answer/")]
                    fresh = next(one for one in fields if not dict(one).get("standing"))
                    sealed.append((visitor, f"{door}answer/", [*fresh, ("do", "seal")]))

            def look() -> None:
                for _ in range(many):
                    assert visitors["A"].get(f"/c/{made['campaigns'][0]}/seat/A/")[0] == 200

            def seal() -> None:
                for visitor, path, fields in sealed:
                    assert visitor.post(path, fields)[0] == 303

            look()  # what is drawn once for all is drawn
            pid = server.process.pid
            print(json.dumps([of_process(pid, look) / many, of_process(pid, seal) / len(sealed)]))


# How it is measured ------------------------------------------------------------------------------


@cache
def counted() -> bool:
    """Whether instructions can be counted here."""
    if not shutil.which("perf"):
        return False
    said = subprocess.run(
        ["perf", "stat", "-x,", "-e", EVENT, "true"], check=False, capture_output=True, text=True
    )
    return said.returncode == 0 and said.stderr[:1].isdigit()


def of_process(pid: int, work: Callable[[], None]) -> float:
    """What a process spends while something is done: instructions, else seconds."""

    def seconds() -> float:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    if not counted():
        before = seconds()
        work()
        return seconds() - before
    counter = subprocess.Popen(
        ["perf", "stat", "-x,", "-e", EVENT, "-p", str(pid)], stderr=subprocess.PIPE, text=True
    )
    work()
    counter.send_signal(signal.SIGINT)
    return float(counter.communicate()[1].split(",")[0])


def of_command(home: Path, *words: str) -> tuple[float, str]:
    """What a command and its children spend, run in a worktree, and what it prints."""
    paths = f"{home / 'src'}{os.pathsep}{home}"
    ours = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, __file__, *words]
    if counted():
        command = ["perf", "stat", "-x,", "-e", EVENT, *command]
    before = os.times()
    done = subprocess.run(command, check=False, cwd=home, env=ours, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    after = os.times()
    if counted():
        return float(done.stderr.splitlines()[-1].split(",")[0]), done.stdout
    spent = after.children_user + after.children_system - before.children_user
    return spent - before.children_system, done.stdout


class NoCommit(Exception):
    """The older commit is not there: a shallow copy, or one without history."""


@contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """The files of a commit of this repository, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "before"
        git = ("git", "-C", str(ROOT), "worktree")
        add = [*git, "add", "--detach", str(home), commit]
        if subprocess.run(add, check=False, capture_output=True).returncode:
            raise NoCommit
        try:
            yield home
        finally:
            subprocess.run([*git, "remove", "--force", str(home)], check=True, capture_output=True)


def beside(rounds: int, many: int, cores: int) -> Iterator[tuple[str, str, list[float]]]:
    """Name, what it is and its ratios (before / now): the greater, the less it costs now."""
    with worktree(COMMIT) as there:
        for home in (there, ROOT):  # what is compiled once is compiled before
            of_command(home, "studies", "1", "1")

        def ratios(*words: str) -> list[float]:
            return [
                of_command(there, *words)[0] / of_command(ROOT, *words)[0] for _ in range(rounds)
            ]

        for system in SYSTEMS:
            yield (
                system,
                f"{many} games of steady bots, {system}",
                ratios("games", system, str(many)),
            )
        for name, workers in (("study", 1), ("study parallel", cores)):
            what = f"a study of {many} games of each system, {workers} workers"
            yield name, what, ratios("studies", str(workers), str(many))
        shown = [[json.loads(of_command(home, "pages", "40")[1]) for home in (there, ROOT)]
                 for _ in range(rounds)]  # fmt: skip
        for at, name, what in (
            (0, "page", "a seat's page, asked for again"),
            (1, "answer", "a sealed answer"),
        ):
            yield (
                name,
                f"{what}: what it costs the server",
                [old[at] / new[at] for old, new in shown],
            )


if __name__ == "__main__":
    sys.path.insert(0, str(Path.cwd()))
    kind, *rest, many = sys.argv[1:]
    {"games": games, "studies": lambda n, m: studies(int(n), m), "pages": pages}[kind](
        *rest, int(many)
    )
