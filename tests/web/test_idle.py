"""A connection is kept between two requests for longer than whoever sends them waits."""

from __future__ import annotations

import time
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from polemarque.web.server import IDLE
from tests.web.served import PATIENCE, Server, fill, serving

pytestmark = pytest.mark.slow

LONGEST_WAIT = 60
"""Seconds after which browsers and proxies send nothing more on a connection."""

WITHOUT = 5
"""Seconds after which the server would close it if it were not told otherwise."""


def test_a_quiet_connection_is_still_there_for_the_next_request(tmp_path: Path) -> None:
    assert IDLE > LONGEST_WAIT
    fill(tmp_path)
    with serving(tmp_path, "--no-demo") as server, connected(server) as line:
        assert asked(line)
        held = line.sock
        time.sleep(WITHOUT + 2)
        assert asked(line) and line.sock is held, "closed while it was quiet"


def connected(server: Server) -> closing[HTTPConnection]:
    return closing(HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE))


def asked(line: HTTPConnection) -> bool:
    """Whether a request on this connection is answered; a closed one is not opened again."""
    line.request("GET", "/health/")
    answer = line.getresponse()
    answer.read()
    return answer.status == 200
