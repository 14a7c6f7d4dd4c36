"""Views and questions as vectors: what differs shows, within bounds, the same on any machine."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import msgspec
import numpy as np
import pytest

from polemarque.kernel.position import encode
from polemarque.kernel.request import Key
from polemarque.lab.answer_menus import Menu
from polemarque.lab.encoding import LIMIT, MARKS, Encoding

VIEW: dict[str, Any] = {
    "turn": 3,
    "ended": False,
    "armies": {f"A{n}": {"place": f"p{n}", "strength": n + 1, "tired": True} for n in range(40)},
    "order": ["B", "A"],
}
KEY = Key(3, "", "AT-8.1", "A", "A7")
MENU = Menu(("way",), {"army": "A7", "bid": 3}, ((None, None), ("p1", "p1"), (1, 9)))


def seen(view: Any, encoding: Encoding | None = None) -> Any:
    return (encoding or Encoding()).seen(encode(view))


def observed(key: Key = KEY, menu: Menu | None = MENU) -> Any:
    encoding = Encoding()
    return encoding.observation(encoding.seen(encode(VIEW)), key, menu)["observation"]


@pytest.mark.parametrize("size", [{"choices": 1}, {"view": 0}, {"question": 0}])
def test_sizes_by_which_nothing_could_be_picked_or_seen_are_refused(size: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least"):
        Encoding(**size)


def test_every_leaf_shows() -> None:
    before = seen(VIEW)
    others = [
        {**VIEW, "turn": 4}, {**VIEW, "ended": True}, {**VIEW, "order": ["A", "B"]},
        {**VIEW, "armies": {}},
    ]  # fmt: skip
    for name in VIEW["armies"]:
        for changed in ({"place": "p99"}, {"strength": 77}, {"tired": False}):
            army = {**VIEW["armies"][name], **changed}
            others.append({**VIEW, "armies": {**VIEW["armies"], name: army}})
    for other in others:
        assert not np.array_equal(seen(other), before)
    # More than half of 123 leaves have a number of their own, even where there are but 256.
    assert np.count_nonzero(seen(VIEW, Encoding(view=256))) > 62


def test_every_part_of_a_question_shows() -> None:
    before = observed()
    keys = [
        msgspec.structs.replace(KEY, **{name: value})
        for name, value in (
            ("period", 4), ("path", "3-b1"), ("rule", "AT-8.2"), ("seat", "B"), ("subject", "A8"),
            ("number", 2),
        )
    ]  # fmt: skip
    menus = [
        msgspec.structs.replace(MENU, **{name: value})
        for name, value in (
            ("parts", ("other",)), ("said", {"army": "A7", "bid": 4}), ("said", {}),
            ("choices", MENU.choices[:2]), ("choices", MENU.choices[::-1]),
            ("choices", (*MENU.choices[:2], (1, 10))),
        )
    ]  # fmt: skip
    for other in [observed(key=key) for key in keys] + [observed(menu=menu) for menu in menus]:
        assert not np.array_equal(other, before)
    assert not np.array_equal(observed(menu=None), before)


def test_choices_stand_where_their_actions_do() -> None:
    encoding = Encoding(choices=5)
    given = encoding.observation(encoding.seen(b"{}"), KEY, MENU)
    assert encoding.space().contains(given)
    assert given["action_mask"].tolist() == [1, 1, 1, 0, 0]
    marks = given["observation"][-5 * MARKS :].reshape(5, MARKS)
    assert [bool(row.any()) for row in marks] == [True, True, True, False, False]
    assert marks[2, :2].tolist() == [np.float32(np.log(2)), np.float32(np.log(10))]


def test_nothing_is_out_of_bounds() -> None:
    encoding = Encoding(view=2)
    huge = {str(n): 10**300 for n in range(50)} | {"low": -(10**300)}
    given = encoding.observation(
        encoding.seen(encode(huge)), KEY, Menu((), huge, ((-(10**300), 10**300), (0.5, True)))
    )
    assert encoding.space().contains(given)
    assert np.abs(given["observation"]).max() == LIMIT


def test_another_process_makes_the_same_of_it() -> None:
    code = (
        "from tests.lab.test_encoding import observed; import hashlib;"
        "print(hashlib.sha256(observed().tobytes()).hexdigest())"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": salt},
        ).stdout
        for salt in ("1", "2")
    }  # fmt: skip
    assert len(made) == 1
