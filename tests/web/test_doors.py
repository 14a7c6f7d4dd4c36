"""The two doors of the server: neither who listens nor who sends slowly takes a page's place."""

from __future__ import annotations

import asyncio
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from polemarque.web import request_body
from polemarque.web.i18n import say
from tests.web.served import PATIENCE, Server, Visitor, fill, serving

pytestmark = pytest.mark.slow

WATCHERS = 20
OWN = 9
"""Threads and files that a server may open meanwhile for what it does beside."""

SLOW = 6
"""More than there are threads for pages."""


@pytest.fixture
def club(tmp_path: Path) -> dict[str, Any]:
    made = fill(tmp_path, {"system": "batailles", "people": {"A": "ann"}})
    return {"data": tmp_path, **made}


def connected(server: Server, request: str) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
    line.sendall(request.replace("\n", "\r\n").encode())
    return line


def held(server: Server) -> tuple[int, int]:
    """Threads and open files of the server."""
    assert server.process is not None
    here = Path(f"/proc/{server.process.pid}")
    return len(list((here / "task").iterdir())), len(list((here / "fd").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_a_stream_takes_no_thread_and_leaves_nothing_behind(club: dict[str, Any]) -> None:
    cookie = club["people"]["ann"]["sessionid"]
    stream = f"GET /events/{club['campaigns'][0]}/?since=0 HTTP/1.1\nHost: x\n"
    with (
        serving(club["data"], "--no-demo") as server,
        connected(server, f"{stream}Cookie: sessionid={cookie}\n\n") as first,
    ):
        assert b"event-stream" in first.recv(4096)
        before = held(server)
        lines = [
            connected(server, f"{stream}Cookie: sessionid={cookie}\n\n") for _ in range(WATCHERS)
        ]
        for line in lines:
            assert b"event-stream" in line.recv(4096)
        threads, files = held(server)
        assert threads <= before[0] + OWN
        assert files <= before[1] + WATCHERS + OWN
        for line in lines:
            line.close()
        until = time.monotonic() + PATIENCE
        while held(server)[1] > before[1] + OWN and time.monotonic() < until:
            time.sleep(0.05)
        assert held(server)[1] <= before[1] + OWN


def test_who_sends_slowly_holds_no_page_up(club: dict[str, Any]) -> None:
    """A form that names its own token is read before anybody looks whether it is a forged one."""
    token = "csrftoken=" + "a" * 32
    form = "POST /preferences/ HTTP/1.1\nHost: x\nContent-Length: 1000\n"
    kind = "Content-Type: application/x-www-form-urlencoded\n"
    with serving(club["data"], "--no-demo") as server:
        lines = [connected(server, f"{form}{kind}Cookie: {token}\n\na=") for _ in range(SLOW)]
        assert Visitor(server, {}).get("/health/")[0] == 200
        for line in lines:
            line.close()


def test_what_is_no_request_is_refused_in_our_words(tmp_path: Path) -> None:
    fill(tmp_path)
    with serving(tmp_path, "--no-demo") as server, connected(server, "GET /a b HTTP/x\n\n") as line:
        got = b""
        while more := line.recv(4096):
            got += more
    head, _, body = got.decode().partition("\r\n\r\n")
    assert head.startswith("HTTP/1.1 400 ") and f"content-length: {len(body.encode())}" in head
    assert all(say(lang, "fault.400_told") in body for lang in ("fr", "en"))
    assert "Invalid HTTP" not in body


class Line:
    """A request as it comes, and what is answered."""

    def __init__(self, *parts: bytes, said: int | None = None) -> None:
        length = [] if said is None else [(b"content-length", str(said).encode())]
        self.scope = {"type": "http", "headers": length}
        self.messages = [
            {"type": "http.request", "body": part, "more_body": number < len(parts)}
            for number, part in enumerate(parts, 1)
        ]
        self.sent: list[dict[str, Any]] = []

    async def receive(self) -> dict[str, Any]:
        if not self.messages:
            await asyncio.sleep(60)
        return self.messages.pop(0)

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    def read(self, most: int = 10) -> bytes | None:
        async def all_of_it() -> bytes | None:
            given = await request_body.whole(self.scope, self.receive, self.send, most)
            if given is None:
                return None
            message = await given()
            assert not message["more_body"] or given == self.receive
            body: bytes = message["body"]
            return body

        return asyncio.run(all_of_it())


def test_a_body_that_comes_in_parts_is_given_whole() -> None:
    line = Line(b"one", b"", b"two")
    assert line.read() == b"onetwo"
    assert not line.sent


def test_a_body_that_never_ends_is_refused() -> None:
    line = Line(b"123456", b"7890ab", b"and more")
    assert line.read() is None
    assert line.sent[0]["status"] == 413
    assert len(line.messages) == 1  # not read


def test_a_body_that_is_said_to_be_too_long_is_left_to_the_pages() -> None:
    assert Line(b"123456", b"7890ab", said=12).read() == b"123456"


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_body, "PATIENCE", 0.05)
    line = Line()
    assert line.read() is None
    assert line.sent[0]["status"] == 408


def test_who_is_gone_is_not_answered() -> None:
    line = Line()
    line.messages = [{"type": "http.disconnect"}]
    assert line.read() is None
    assert not line.sent
