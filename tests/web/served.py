"""The real server, as a process of its own on a free port, and people who visit it by HTTP."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from html.parser import HTMLParser
from pathlib import Path

from polemarque.web.server import KEY
from tests.chance import running
from tests.forked import ROOT, Forked, run

PATIENCE = 60
PREPARED = "TESTS_PREPARED"
"""The variable that names the folder of prepared clubs, which all workers of a run share."""
FILL = "from tests.web.filling import told; told()"
RUN = "from polemarque.cli import main; main()"
COLD = (
    "import sys, types; sys.modules['polemarque.club.server.prewarm'] = types.SimpleNamespace("
    "warm=lambda: None)"
)
"""A server of a test does nothing before it is asked for: nobody waits for its maps and processes.
That of test_install.py does as others' do."""


_held: list[socket.socket] = []


def free_port() -> int:
    """A port that nobody else is given before a server of ours opens it, nor while it is killed.

    A socket holds it until the tests end.  It does not listen and says that its address may be
    used again, so that Linux lets a server listen there; elsewhere the port is left free.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    port: int = holder.getsockname()[1]
    if sys.platform == "linux":
        _held.append(holder)
    else:
        holder.close()
    return port


def environment(data: Path) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DJANGO_", "POLEMARQUE_"))}
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    return {**kept, "POLEMARQUE_DATA": str(data), "PYTHONPATH": path}


def fill(data: Path, *campaigns: Mapping[str, object]) -> dict[str, object]:
    """Put campaigns and people into a folder that no server uses yet; see `filling.py`.

    In a run of tests each club is made once and copied from then on, for all its workers; without
    campaigns it is one in which nothing is yet, and a server has no tables to make.
    """
    wanted = json.dumps(campaigns)
    name = hashlib.sha256(wanted.encode()).hexdigest()[:16]
    if PREPARED not in os.environ:
        return _make(data, name, wanted)
    kept = Path(os.environ[PREPARED]) / name
    if not kept.exists():
        scratch = kept.with_name(f"{name}.{os.getpid()}")
        told = _make(scratch / "club", name, wanted)
        (scratch / "made.json").write_text(json.dumps(told))
        with suppress(OSError):  # another worker has made it meanwhile
            scratch.rename(kept)
    shutil.copytree(kept / "club", data, dirs_exist_ok=True)
    made: dict[str, object] = json.loads((kept / "made.json").read_text())
    return made


def _make(club: Path, name: str, wanted: str) -> dict[str, object]:
    if wanted != "[]":  # on the tables of an empty club, with a key of its own
        fill(club)
        (club / KEY).unlink()
    done = run(FILL, str(club), name, wanted, env=environment(club))
    assert done.returncode == 0, done.stderr
    made: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return made


class Server:
    """`polemarque serve` on a folder.   told: what its surroundings tell it besides."""

    def __init__(self, data: Path, *options: str) -> None:
        self.data, self.options = data, options
        self.told: dict[str, str] = {}
        self.port = free_port()
        self.starts = 0
        self.process: Forked | None = None
        self.log = data / "log.txt"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> Server:
        """Start it, and wait until it answers."""
        self.starts += 1
        program = running(f"{self.data.name} {self.starts}", f"{COLD}; {RUN}")
        words = ("--port", str(self.port), "--data", str(self.data), *self.options)
        told = {**environment(self.data), **self.told}
        self.process = Forked(program, "serve", *words, env=told, out=self.log, err=self.log)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            status = self.process.poll()
            assert status is None, f"it ended with {status}: {self.log.read_text()}"
            try:
                with urllib.request.urlopen(f"{self.address}/health/", timeout=PATIENCE) as answer:
                    assert answer.status == 200
                    return self
            except urllib.error.HTTPError as fault:
                raise AssertionError(self.log.read_text()) from fault
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self.process is not None
        status = self.process.poll()
        assert status is None, f"it had ended with {status}: {self.log.read_text()}"
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self) -> None:
        """End it as an umpire would."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


@contextmanager
def serving(data: Path, *options: str) -> Iterator[Server]:
    server = Server(data, *options).start()
    try:
        yield server
    finally:
        server.end()


class Visitor:
    """Somebody with a session: fetches pages and sends forms, following no redirection."""

    def __init__(self, server: Server, cookies: Mapping[str, str]) -> None:
        self.server, self.cookies = server, dict(cookies)
        self._opener = urllib.request.build_opener(_Stay)

    def get(self, path: str) -> tuple[int, str, Mapping[str, str]]:
        return self._ask(urllib.request.Request(self.server.address + path))

    def post(
        self, path: str, fields: Sequence[tuple[str, str]]
    ) -> tuple[int, str, Mapping[str, str]]:
        body = urllib.parse.urlencode(fields).encode()
        request = urllib.request.Request(self.server.address + path, body)
        request.add_header("Referer", self.server.address + path)
        return self._ask(request)

    def _ask(self, request: urllib.request.Request) -> tuple[int, str, Mapping[str, str]]:
        request.add_header("Cookie", "; ".join(f"{k}={v}" for k, v in self.cookies.items()))
        try:
            answer = self._opener.open(request, timeout=PATIENCE)
        except urllib.error.HTTPError as refused:
            answer = refused
        with answer:
            for header in answer.headers.get_all("Set-Cookie") or ():
                name, _, value = header.partition(";")[0].partition("=")
                self.cookies[name] = value
            return answer.status, answer.read().decode(), answer.headers


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


class Forms(HTMLParser):
    """The forms of a page: where each goes, and what a browser without scripts would send."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, list[tuple[str, str]]]] = []
        self._select: tuple[str, list[tuple[str, bool]]] | None = None
        self._area = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append((has.get("action", ""), []))
        elif not self.forms:
            return
        elif tag == "input" and has.get("name"):
            quiet = has.get("type") in {"radio", "checkbox"} and "checked" not in has
            if not quiet:
                self.forms[-1][1].append((has["name"], has.get("value", "")))
        elif tag == "select":
            self._select = (has.get("name", ""), [])
        elif tag == "option" and self._select:
            self._select[1].append((has.get("value", ""), "selected" in has))
        elif tag == "textarea":
            self._area = has.get("name", "")
            self.forms[-1][1].append((self._area, ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self._select and self.forms:
            name, options = self._select
            chosen = [v for v, on in options if on] or [v for v, _ in options[:1]]
            self.forms[-1][1].extend((name, value) for value in chosen)
            self._select = None
        elif tag == "textarea":
            self._area = ""

    def handle_data(self, data: str) -> None:
        if self._area:
            name, said = self.forms[-1][1].pop()
            self.forms[-1][1].append((name, said + data))
