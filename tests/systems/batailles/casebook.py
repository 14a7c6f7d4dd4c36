"""Reading and running the case files of this folder.

A case begins at the margin with its id and title; below it, indented, a line a word:

  ask      the rule to consult; its inputs are the sides, or ``given name value, …``
  a, b     a side: ``60 PM, morale 10, command 3, players 2`` (or their names), and for a battle
           ``unit NAME PM +BONUS``, ``ally NAME PM +BONUS LEADER``, ``ordered``, ``bonus 1``…
  option   ``name=value``
  dice     faces in the order in which they are asked for; ``10x1`` is ten ones
  answers  ``SEAT word word, …`` in order; the words of a sheet are its parts
  expect   ``key value, …`` of the result;   refused  the kind of refusal
  tells    ``RULE kind name value name value; …``: events that must be told, in this order
  ends     a, b, nobody, or open;   then  ``a.pm 20, …`` as the view shows it

Without ``ask`` it is a battle.  What follows # is for the reader.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from polemarque.kernel.dice import Scripted
from polemarque.kernel.errors import Refusal
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import Options, Sheet, Text
from polemarque.odds.consult import consult

OUTSIDE = r"{}(?![^[]*\])"
"""A separator that is not inside square brackets."""

CASES = Path(__file__).parent / "cases"
KEYS = (
    "ask", "given", "a", "b", "option", "dice", "answers",
    "expect", "refused", "tells", "ends", "then",
)  # fmt: skip


class Case:
    """One case as written: its lines by their first word."""

    def __init__(self, name: str, title: str) -> None:
        self.name, self.title = name, title
        self.lines: dict[str, list[str]] = {}

    def words(self, key: str, sep: str = ",") -> list[str]:
        """What stands behind a word, cut at `sep`."""
        parts = re.split(OUTSIDE.format(sep), f"{sep} ".join(self.lines.get(key, ())))
        return [part.strip() for part in parts if part.strip()]


def cases_of(path: Path) -> Iterator[Case]:
    case, key = None, ""
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].rstrip()
        if not text:
            continue
        if not text.startswith(" "):
            name, _, title = line.partition(" ")
            if case is not None:
                yield case
            case = Case(name, title.strip())
            continue
        assert case is not None
        if text.startswith("   "):
            rest = text
        else:
            key, _, rest = text.strip().partition(" ")
            assert key in KEYS, f"{path.name}: {case.name}: {key}?"
        case.lines.setdefault(key, []).append(rest.strip())
    if case is not None:
        yield case


def all_cases() -> list[Case]:
    return [case for path in sorted(CASES.glob("*.case")) for case in cases_of(path)]


def value(word: str) -> Any:
    """A word of a case: a number, true, false, none, JSON, or itself."""
    if word == "none":
        return None
    try:
        return json.loads(word)
    except ValueError:
        return word


def pairs(words: list[str]) -> dict[str, Any]:
    return {name: value(rest.strip()) for name, _, rest in (word.partition(" ") for word in words)}


def faces(case: Case) -> list[int] | None:
    if "dice" not in case.lines:
        return None
    found: list[int] = []
    for word in " ".join(case.lines["dice"]).split():
        times, _, face = word.rpartition("x")
        found += [int(face)] * int(times or 1)
    return found


def options(case: Case) -> dict[str, str]:
    return dict(word.split("=") for word in case.words("option", " "))


def bare(words: list[str]) -> dict[str, Any]:
    """A side for consult."""
    side = {"players": 0}
    for word in words:
        if word.endswith(" PM"):
            side["pm"] = int(word.split()[0])
        else:
            side |= pairs([word])
    return side


def figures(words: list[str]) -> tuple[int, int, int]:
    """PM and bonus at the end of a unit's line, and how many words they are."""
    return (int(words[-2]), int(words[-1]), 2) if words[-1][0] in "+-" else (int(words[-1]), 0, 1)


def side(words: list[str]) -> dict[str, Any]:
    """A side for a battle."""
    given: dict[str, Any] = {"units": [], "allies": []}
    for word in words:
        head, *rest = word.split()
        if word.endswith(" PM"):
            given["pm"] = int(head)
        elif head == "unit":
            pm, bonus, length = figures(rest)
            given["units"].append({"name": " ".join(rest[:-length]), "pm": pm, "bonus": bonus})
        elif head == "ally":
            name, *army = rest
            ally = {"name": name, "pm": int(army[0])}
            if len(army) > 1:
                ally |= {"unit_bonus": int(army[1]), "leader": army[2]}
            given["allies"].append(ally)
        elif head == "players":
            given["players"] = rest
        elif head == "ordered":
            given["ordered"] = True
        else:
            given[head] = value(" ".join(rest))
    return given


def fill(legal: Options, words: list[str]) -> Any:
    """An answer from its words: of a sheet, a word a part."""
    left = list(words)

    def part(inner: Options) -> Any:
        word = left.pop(0)
        return word if isinstance(inner, Text) else value(word)

    if not isinstance(legal, Sheet):
        return part(legal)
    filled = {}
    filling = legal.fill()
    name, inner = next(filling)
    while left:
        filled[name] = part(inner)
        try:
            name, inner = filling.send(filled[name])
        except StopIteration:
            break
    assert not left, f"words left: {left}"
    return filled


class Fought:
    """A battle that was played as a case says."""

    def __init__(self, case: Case) -> None:
        self.events: list[Event] = []
        setup = {code: side(case.words(code)) for code in ("a", "b")}
        header = new_header("batailles", setup=setup, options=options(case))
        dice = Scripted(faces(case) or [])
        self.game = Game(header, dice, publish=self.events.append)
        self.game.settle()
        for each in case.words("answers"):
            seat, *words = each.split()
            request = self.game.requests(seat)[0]
            self.game.answer(seat, fill(request.options(seat), words), request.keys[seat])
            self.game.settle()
        dice.finish()

    @property
    def ended(self) -> str:
        ending = self.game.state.ending
        if ending is None:
            return "open"
        assert self.game.over
        return ending.winner or "nobody"

    def shown(self, place: str) -> Any:
        """A figure of a side as everybody sees it: ``a.pm``."""
        code, name = place.split(".")
        return self.game.view("A")["sides"][code][name]

    def told(self, wanted: str, after: int) -> int:
        """The first event from `after` on that fits ``RULE kind name value …``; else -1."""
        rule, kind, *rest = wanted.split()
        data = {name: value(word) for name, word in zip(rest[::2], rest[1::2], strict=True)}
        for place, event in enumerate(self.events[after:], after):
            if (event.rule, event.kind) == (rule, kind) and data.items() <= event.data.items():
                return place
        return -1


def run(case: Case) -> None:
    """Run a case and check all it expects."""
    play = _consulted if "ask" in case.lines else _fought
    if "refused" in case.lines:
        with pytest.raises(Refusal) as refused:
            play(case)
        assert refused.value.kind == case.lines["refused"][0]
    else:
        play(case)


def _consulted(case: Case) -> None:
    inputs = pairs(case.words("given"))
    inputs |= {code: bare(case.words(code)) for code in ("a", "b") if code in case.lines}
    dice = faces(case)
    answer = consult(case.lines["ask"][0], inputs, [] if dice is None else dice, options(case))
    wanted = pairs(case.words("expect"))
    assert wanted or "refused" in case.lines
    assert {name: answer.result[name] for name in wanted} == wanted


def _fought(case: Case) -> None:
    fought = Fought(case)
    after = 0
    for wanted in case.words("tells", ";"):
        place = fought.told(wanted, after)
        assert place >= 0, f"not told, or not in this order: {wanted}"
        after = place + 1
    if "ends" in case.lines:
        assert fought.ended == case.lines["ends"][0]
    for name, wanted in pairs(case.words("then")).items():
        assert fought.shown(name) == wanted, name
