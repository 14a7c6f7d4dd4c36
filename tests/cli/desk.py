"""The command line under test: in this process, in another one, or with somebody typing."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

from polemarque.api.bots import fill
from polemarque.cli import common
from polemarque.cli.records import load, replayed
from polemarque.kernel.dice import Roll
from polemarque.kernel.request import Amount, OneOf, SeveralOf, Sheet
from polemarque.kernel.request import Path as Way
from tests.kernel import toy

assert toy.TOY

ROOT = Path(__file__).resolve().parents[2]
MAIN = Path(__file__).with_name("toy_main.py")


class Done(NamedTuple):
    """How a command ended and what it said."""

    status: int
    out: str
    err: str


class Paper(io.TextIOWrapper):
    """What is written to it can be read."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", newline="\n", write_through=True)

    def getvalue(self) -> str:
        """Everything so far."""
        self.flush()
        written: bytes = self.buffer.getvalue()
        return written.decode()


def polemarque(*words: object, typist: Any = None) -> Done:
    """Run a command line in this process; `typist` is its standard input."""
    out, err = Paper(), Paper()
    source = typist if typist is not None else io.StringIO("")
    if isinstance(typist, str):
        source = io.StringIO(typist)
    if isinstance(source, Typist):
        source.screen = out
    environ = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    with (
        patch.object(sys, "stdin", source),
        patch.dict(os.environ, environ),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        status = common.run([str(word) for word in words])
    return Done(status, out.getvalue(), err.getvalue())


def started(*words: object, **more: Any) -> subprocess.Popen[str]:
    """Begin a command line in another process, which knows the toy system too."""
    environ = {**os.environ, "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, str(MAIN), *map(str, words)]
    return subprocess.Popen(
        command, env=environ, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more
    )


HEAD = re.compile(r"^(.+?) · [^·\n]+ · [A-Z]+-", re.MULTILINE)


SURE = re.compile(r"\((yes|oui) [^\n]*\) $")
"""The end of the question whether an answer that may hurt is meant."""


class Typist(io.TextIOBase):
    """Somebody at the keyboard: answers whatever is asked, the same way for the same question.

    path:  the record of the game, where he reads what is asked.
    most:  how many questions he answers before he quits (None: all).
    seats: name of the person -> seats.
    """

    def __init__(self, path: Path, seats: dict[str, str], most: int | None = None) -> None:
        self.path = path
        self.seats = seats
        self.most = most
        self.screen = Paper()
        self.waiting: list[str] = []
        self.answered = 0
        self.leave_with = "quit"

    def readline(self, size: int | None = -1, /) -> str:
        """What is typed next."""
        if self.waiting:
            return self.waiting.pop(0) + "\n"
        said = self.screen.getvalue()
        if sure := SURE.search(said):
            return f"{sure[1]}\n"
        if not said.endswith("> "):
            return "\n"  # the machine is handed over, or a sheet confirmed
        if self.answered == self.most:
            return f"{self.leave_with}\n" if self.leave_with else ""
        self.answered += 1
        self.waiting = self._answer(said)
        return self.waiting.pop(0) + "\n"

    def _answer(self, said: str) -> list[str]:
        game, _ = replayed(load(self.path, interrupted=True))
        if game.throws():
            throw = game.throws()[0]
            return [typed_dice(throw.roll, Random(str(throw.key)))]
        seat = self.seats[HEAD.findall(said)[-1].partition(" (")[0]]
        request = game.requests(seat)[0]
        rng = Random(str(request.keys[seat]))
        options = request.options(seat)
        if isinstance(options, Sheet):
            lines: list[str] = []

            def part(name: str, inner: Any) -> Any:
                value = inner.sample(rng)
                lines.append(typed(inner, value))
                return value

            filled = fill(options, part)
            return [*lines, ""] if len(filled) > 1 else lines
        return [typed(options, options.sample(rng))]


def typed_dice(roll: Roll, rng: Random) -> str:
    """Faces as somebody types them."""
    return " ".join(str(rng.randrange(1, roll.sides + 1)) for _ in range(roll.count))


def typed(options: Any, value: Any) -> str:
    """An answer as somebody types it."""
    if isinstance(options, Way):
        return " > ".join(value) or "-"
    if isinstance(options, SeveralOf):
        return ", ".join(map(str, value)) or "-"
    assert isinstance(options, (OneOf, Amount)) or isinstance(value, str)
    return str(value)
