"""Ctrl-C, a kill and a closed terminal at any moment: the record resumes, no answer is lost."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from codecs import getincrementaldecoder
from pathlib import Path
from random import Random

import pytest

from polemarque.cli.common import INTERRUPTED
from polemarque.cli.prompts import WIPE
from polemarque.cli.records import load
from tests.cli.desk import MAIN, ROOT, Done, polemarque, started

pytestmark = pytest.mark.slow

PATIENCE = 120
"""Seconds that a command is given on a busy machine."""

LONG = "seats = 3\ndays = 150\n"


@pytest.fixture
def setup(tmp_path: Path) -> Path:
    path = tmp_path / "long.toml"
    path.write_text(LONG)
    return path


def ended(process: subprocess.Popen[str]) -> Done:
    out, err = process.communicate(timeout=PATIENCE)
    return Done(process.returncode, out, err)


def until_written(path: Path, size: int, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if process.poll() is not None or (path.exists() and path.stat().st_size > size):
            return
        time.sleep(0.001)
    raise AssertionError("nothing is written")


@pytest.mark.parametrize("which", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_stopped_resumes_to_the_same_end(
    tmp_path: Path, setup: Path, which: signal.Signals
) -> None:
    new = ("run", "toy", setup, "--seed", 4, "--bots", "random")
    whole = tmp_path / "whole"
    assert polemarque(*new, "--out", whole).status == 0
    size = (whole / "game.json").stat().st_size
    out = tmp_path / "out"
    path = out / "game.json"
    resume = (*new, "--out", out)
    stopped = 0
    for part in (0.01, 0.4, 0.8):
        process = started(*resume)
        until_written(path, int(size * part), process)
        process.send_signal(which)
        done = ended(process)
        resume = ("run", "--resume", path)
        if done.status == 0 or load(path, interrupted=True).complete:
            continue  # it was faster
        stopped += 1
        if which == signal.SIGKILL:
            assert done.status == -signal.SIGKILL
        else:
            assert done.status == INTERRUPTED
            assert "Traceback" not in done.err
            assert f"--resume {path}" in done.err
        assert not load(path, interrupted=True).complete
        assert polemarque("replay", path).status == 1
    assert stopped
    done = ended(started("run", "--resume", path))
    assert done.status == 0, done
    assert path.read_bytes() == (whole / "game.json").read_bytes()


def test_a_run_stopped_while_it_starts_leaves_nothing_half_done(
    tmp_path: Path, setup: Path
) -> None:
    begun = 0
    for number in range(4):
        path = tmp_path / str(number) / "game.json"
        process = started("run", "toy", setup, "--seed", 4, "--out", path.parent)
        moment = Random(number).uniform(0.15, 0.6)
        if number % 2:  # soon after the file is there, however slow the machine
            until_written(path, 0, process)
            moment /= 10
        time.sleep(moment)
        process.send_signal(signal.SIGKILL)
        ended(process)
        if path.exists():
            begun += 1
            assert load(path, interrupted=True).header.seed == "4"
    assert begun >= 2


KEYS = {"ctrl-c": b"\x03", "ctrl-d": b"\x04"}


class Screen:
    """A command whose keyboard and screen are a pseudo terminal, as a person has it."""

    def __init__(self, *words: object) -> None:
        self.master, slave = pty.openpty()
        environ = {**os.environ, "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT), "TERM": "xterm"}
        self.process = subprocess.Popen(
            [sys.executable, str(MAIN), *map(str, words)], env=environ,
            stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            preexec_fn=lambda: _take_terminal(slave),  # noqa: PLW1509
        )  # fmt: skip
        os.close(slave)
        self.seen = ""
        self.at = 0
        self._decoder = getincrementaldecoder("utf-8")()  # a read may end amid a letter

    def until(self, text: str) -> str:
        """What is shown from where one has read so far until `text` comes."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.seen[self.at :]:
            assert time.monotonic() < deadline, self.seen
            self.read()
        start, self.at = self.at, self.seen.index(text, self.at) + len(text)
        return self.seen[start : self.at]

    def read(self) -> bool:
        ready, _, _ = select.select([self.master], [], [], 0.2)
        if not ready:
            return True
        try:
            more = os.read(self.master, 65536)
        except OSError:
            return False
        self.seen += self._decoder.decode(more)
        return bool(more)

    def type(self, line: str) -> None:
        os.write(self.master, f"{line}\n".encode())

    def end(self) -> int:
        while self.process.poll() is None:
            self.read()
        while self.read() and select.select([self.master], [], [], 0)[0]:
            pass
        os.close(self.master)
        return self.process.returncode


def _take_terminal(slave: int) -> None:
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)


def at_the_table(path: Path) -> Screen:
    return Screen(
        "play", "toy", "--seats", 2, "--seed", 5, "--seat", "A=Alice", "--seat", "B=Bob",
        "--save", path,
    )  # fmt: skip


def sealed(screen: Screen) -> None:
    """Alice storms, Bob waits, Alice shouts: three answers, acknowledged by the next question."""
    screen.until("Enter")
    screen.type("")
    screen.until("> ")
    screen.type("storm")
    screen.until("Hand the machine to Bob")
    screen.type("")
    screen.until("> ")
    screen.type("2")
    screen.until("Hand the machine to Alice")
    screen.type("")
    screen.until("> ")
    screen.type("for the ford")
    screen.until("> ")


@pytest.mark.parametrize("how", ["ctrl-c", "ctrl-d", "kill", "hang up"])
def test_play_left_in_any_way_keeps_every_acknowledged_answer(tmp_path: Path, how: str) -> None:
    path = tmp_path / "g.json"
    screen = at_the_table(path)
    sealed(screen)
    if how in KEYS:
        os.write(screen.master, KEYS[how])
    elif how == "kill":
        screen.process.kill()
    else:
        os.close(screen.master)
        screen.process.wait(PATIENCE)
    if how != "hang up":
        status = screen.end()
        assert status == (-signal.SIGKILL if how == "kill" else INTERRUPTED)
        assert "Traceback" not in screen.seen
    record = load(path, interrupted=True)
    assert [e.value for e in record.entries if e.key.seat != "dice"] == [
        "storm",
        "wait",
        "for the ford",
    ]
    again = Screen("play", "--resume", path)
    again.until("Alice")
    again.type("")
    again.until("TOY-3")
    again.until("> ")
    again.type("0")
    again.until("\n")
    again.type("quit")
    again.end()
    kept = load(path, interrupted=True).entries
    assert kept[: len(record.entries)] == record.entries
    assert kept[len(record.entries)].value == 0


def test_the_screen_is_wiped_before_the_machine_changes_hands(tmp_path: Path) -> None:
    screen = at_the_table(tmp_path / "g.json")
    sealed(screen)
    os.write(screen.master, b"\x1b[A\x1b[A\n")  # arrow keys bring nothing back
    screen.type("quit")
    screen.end()
    for hand in screen.seen.split("Hand the machine to")[:-1]:
        assert hand.endswith(WIPE), hand[-80:]
    last = screen.seen.split(WIPE)[-1]
    assert "wait" not in last.split("for the ford")[-1]
