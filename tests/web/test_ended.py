"""The server is ended with Ctrl-C, by people in a hurry too."""

from __future__ import annotations

import http.client
import signal
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.web.served import PATIENCE, Server, fill

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_ends_it_without_a_word_of_the_program(tmp_path: Path, presses: int) -> None:
    fill(tmp_path)
    server = Server(tmp_path, "--no-demo").start()
    assert server.process is not None
    for _ in range(presses):
        server.process.send_signal(signal.SIGINT)
    assert server.process.wait(PATIENCE) == 0
    said = server.log.read_text().splitlines()
    assert [line for line in said if line.startswith(("The club is open", "Ctrl-C"))]
    assert not [line for line in said if "Traceback" in line or "ERROR" in line]


def test_a_page_that_listens_does_not_hold_it(tmp_path: Path) -> None:
    made: Any = fill(tmp_path, {"system": "batailles", "people": {"A": "ann"}})
    server = Server(tmp_path, "--no-demo").start()
    assert server.process is not None
    session = made["people"]["ann"]["sessionid"]
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)) as page:
        way = f"/events/{made['campaigns'][0]}/"
        page.request("GET", way, headers={"Cookie": f"sessionid={session}"})
        with page.getresponse() as stream:
            assert stream.status == 200 and stream.readline() == b"retry: 2000\n"
            server.process.send_signal(signal.SIGINT)
            assert stream.read().strip() == b""  # it ends as it should, not by being cut
    assert server.process.wait(PATIENCE) == 0
    assert "ERROR" not in server.log.read_text()
