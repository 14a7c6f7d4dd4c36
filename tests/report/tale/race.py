"""The race (TA-1, TA-2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from polemarque.kernel.agenda import Rule, ask, explain, roll, script, tell
from polemarque.kernel.dice import D6, total
from polemarque.kernel.events import bonus
from polemarque.kernel.request import Amount


class Race(msgspec.Struct, frozen=True):
    day: int
    last: int
    mud: str


class Setup(msgspec.Struct, frozen=True):
    pass


def begin(setup: Setup, seats: tuple[str, ...], options: Mapping[str, Any]) -> Any:
    return Race(1, options["days"], options["mud"]), [("TA-1.1", seat) for seat in seats]


@script("TA-1.1")
def runs(race: Race, seat: str) -> Rule[Any]:
    """He spends breath, rolls, and runs."""
    breath = yield from ask(seat, Amount(0, 3), absent=0)
    yield from tell("TA-1.1", "breath", to=(seat,), seat=seat, breath=breath)
    yield from explain(
        bonus("TA-1.2", breath, "breath") + bonus("TA-1.2", -1 if race.mud == "deep" else 0, "mud")
    )
    speed = yield from roll(2, D6, read=total, why="run", whom=(seat, "Philon"))
    yield from tell("TA-1.1", "runs", seat=seat, speed=speed + breath, place="spring")
    return race, [("TA-2.1",)] if seat == "B" else []


@script("TA-2.1")
def night(race: Race) -> Rule[Any]:
    """Night falls."""
    yield from tell("TA-2.1", "night", days=race.last - race.day)
    after = msgspec.structs.replace(race, day=race.day + 1)
    return after, [("TA-1.1", "A"), ("TA-1.1", "B")] if after.day <= race.last else []
