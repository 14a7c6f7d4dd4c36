"""Types are worked out by one thread at a time."""

from __future__ import annotations

import subprocess
import sys

AT_ONCE = """
import threading, time
from msgspec import Struct
from polemarque.kernel.conversion import convert, decoder, from_json, from_toml

def leisurely():
    time.sleep(0.2)
    return int

class Inner(Struct):
    depth: "leisurely()"

class Outer(Struct):
    inner: Inner
    width: int

plain, json = {"inner": {"depth": 1}, "width": 2}, '{"inner":{"depth":1},"width":2}'
toml = "width = 2\\ninner.depth = 1"
ways = [lambda: convert(plain, Outer), lambda: from_json(json, Outer),
        lambda: from_toml(toml, Outer), lambda: decoder(Outer).decode(json)]
found = []
threads = [threading.Thread(target=lambda way=way: found.append(way())) for way in ways]
for each in threads:
    each.start()
for each in threads:
    each.join()
print(len(found), {(each.inner.depth, each.width) for each in found})
"""


def test_several_threads_may_ask_for_a_new_type_at_once() -> None:
    """While one waits for what `Inner` holds, `Outer` is half made: to read it ends the process."""
    done = subprocess.run(
        [sys.executable, "-c", AT_ONCE], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "4 {(1, 2)}\n"), done.stderr
