"""The server is ended with Ctrl-C, by people in a hurry too."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.web.served import PATIENCE, Server


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_ends_it_without_a_word_of_the_program(tmp_path: Path, presses: int) -> None:
    server = Server(tmp_path, "--no-demo").start()
    assert server.process is not None
    for _ in range(presses):
        server.process.send_signal(signal.SIGINT)
    assert server.process.wait(PATIENCE) == 0
    said = server.log.read_text().splitlines()
    assert [line for line in said if line.startswith(("The club is open", "Ctrl-C"))]
    assert not [line for line in said if "Traceback" in line or "ERROR" in line]
