"""Types are worked out by one thread at a time, and equal values are written alike."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import encode_position
from polemarque.kernel.records.record import digest, write_record
from polemarque.kernel.system import find_system, system_names
from tests.kernel import toy

assert toy.TOY

AT_ONCE = """
import threading, time
from msgspec import Struct
from polemarque.kernel.files.decoding import convert, decoder, from_json, from_toml

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


def structs(of: type[msgspec.Struct] = msgspec.Struct) -> Iterator[type[msgspec.Struct]]:
    """Every type of data there is in what is loaded."""
    for each in of.__subclasses__():
        yield each
        yield from structs(each)


def is_one_object(value: Any) -> bool:
    """Whether Python has this value once only: then what equals it is it."""
    if isinstance(value, bool) or value in (None, "", ()):
        return True
    if isinstance(value, str):
        return len(value) == 1 and ord(value) < 256
    return isinstance(value, int) and -5 <= value <= 256


def test_what_is_left_out_where_it_is_the_default_is_left_out_where_it_equals_it() -> None:
    for name in (*system_names(hidden=True), "toy"):
        find_system(name)
    found = [
        f"{each.__module__}.{each.__qualname__}.{field.name}"
        for each in structs()
        if each.__module__.startswith("polemarque.") and each.__struct_config__.omit_defaults
        for field in msgspec.structs.fields(each)
        if field.default is not msgspec.NODEFAULT and not is_one_object(field.default)
    ]
    # A record's first line says no dice that are free: `Header` sees to that itself.
    assert found == ["polemarque.kernel.records.record.Header.dice"], (
        "write the default with `always`"
    )


@pytest.mark.parametrize("name", [name for name in system_names() if name != "duel"])
def test_a_position_from_another_process_is_written_in_the_same_bytes(name: str) -> None:
    game, rng = Game(new_header(name, seed=3)), Random(3)
    for _ in range(60):
        game.settle()
        if game.over:
            break
        request = rng.choice(game.requests())
        seat = rng.choice(request.missing)
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        sent = pickle.loads(pickle.dumps(game.position))
        assert sent == game.position and encode_position(sent) == encode_position(game.position)


def test_a_header_from_another_process_begins_the_same_record() -> None:
    for header in (new_header("toy"), new_header("toy", seed=1)):
        sent = pickle.loads(pickle.dumps(header))
        typed = msgspec.structs.replace(header, dice="".join([*header.dice]))  # type: ignore[arg-type]
        assert write_record(sent, ()) == write_record(typed, ()) == write_record(header, ())
        assert digest(sent, ()) == digest(header, ())
