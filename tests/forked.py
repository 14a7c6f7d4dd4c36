"""Programs of ours in processes of their own, forked from one that has loaded all modules.

To load them takes a second of work a process, and the tests begin hundreds.  What people start is
started as they do it by `cli/test_install.py` and `cli/test_main.py`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock
from types import ModuleType

ROOT = Path(__file__).parents[1]

_context = get_context("forkserver")
_context.set_forkserver_preload(["tests.preloaded"])


class Forked:
    """`python -c PROGRAM WORD…`, with the methods of `subprocess.Popen` that tests use.

    out, err: files to which its output is added; given: what it reads, nothing without.
    """

    def __init__(
        self, program: str, *words: str, env: Mapping[str, str], out: Path, err: Path,
        given: bytes = b"", cwd: Path = ROOT,
    ) -> None:  # fmt: skip
        told = (program, words, dict(env), str(cwd), str(out), str(err), given)
        self._process: BaseProcess = _context.Process(target=_run, args=told)
        with _no_main():
            self._process.start()
        self.pid = self._process.pid or 0
        self.returncode: int | None = None
        self._asks = Lock()
        """The fork server tells a status once: of two threads that ask, one would hear 255."""

    def poll(self) -> int | None:
        if self._asks.acquire(blocking=False):  # or another thread waits: it runs
            try:
                self.returncode = self._process.exitcode
            finally:
                self._asks.release()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        with self._asks:
            self._process.join(timeout)
            self.returncode = self._process.exitcode
        if self.returncode is None:
            raise subprocess.TimeoutExpired("forked", timeout or 0)
        return self.returncode

    def send_signal(self, which: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, which)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@contextmanager
def _no_main() -> Iterator[None]:
    """Nothing of the program that asks is run again in the process that is forked."""
    main, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def run(
    program: str, *words: str, env: Mapping[str, str], given: bytes = b"", cwd: Path = ROOT,
    timeout: float | None = None,
) -> subprocess.CompletedProcess[str]:  # fmt: skip
    """What `subprocess.run` of ``python -c PROGRAM WORD…`` gives, its output captured as text."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        process = Forked(program, *words, env=env, out=out, err=err, given=given, cwd=cwd)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        said = [each.read_text(encoding="utf-8") for each in (out, err)]
        return subprocess.CompletedProcess([program, *words], status, *said)


def _run(
    program: str, words: tuple[str, ...], env: dict[str, str], cwd: str, out: str, err: str,
    given: bytes,
) -> None:  # fmt: skip
    """The program, in the forked process: its folder, surroundings and streams are those asked."""
    for file, stream in ((out, 1), (err, 2)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), stream)
    with tempfile.TemporaryFile() as read:
        read.write(given)
        read.seek(0)
        os.dup2(read.fileno(), 0)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = ["-c", *words]
    _forget_settings()
    exec(program, {"__name__": "__main__"})


def _forget_settings() -> None:
    """Django reads its settings, and opens its database, when they are next asked for."""
    from django.conf import settings
    from django.db import connections
    from django.utils.functional import empty

    sys.modules.pop("polemarque.web.settings", None)
    settings._wrapped = empty
    del connections["default"]
    connections.__dict__.pop("settings", None)
    connections._settings = None
