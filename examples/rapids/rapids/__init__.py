"""The rapids: two captains lead their men across a river before night."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace
from polemarque.api import (
    D6,
    Amount,
    Choice,
    Next,
    Question,
    Rule,
    Shelf,
    Standing,
    Step,
    System,
    ask_each,
    bonus,
    by_place,
    call,
    explain,
    procedure,
    roll,
    script,
    tell,
    then,
    total,
)

DATA = Path(__file__).parent / "data"
TABLES = Shelf(DATA)
HOURS = 6

# What is true ------------------------------------------------------------------------------------


class Captain(msgspec.Struct, frozen=True):
    """One seat's men and ropes."""

    men: int
    rope: int
    across: bool = False


class March(msgspec.Struct, frozen=True):
    """The state: all that the rules know."""

    captains: dict[str, Captain]
    water: int
    hour: int = 1


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a set-up may change."""

    men: int = 10
    rope: int = 4


# The rules ---------------------------------------------------------------------------------------


class Row(msgspec.Struct, frozen=True):
    """A row of the table."""

    outcome: Literal["across", "waits", "swept"]
    lost: int = 0


CROSSING = TABLES.table("RAPIDS-2", Row)


@procedure("RAPIDS-2")
def crossing(water: int = 3, rope: int = 0) -> Rule[Row]:
    """One try.  It knows figures only, so it can be consulted, and its odds are exact."""
    reasons = bonus("RAPIDS-2", rope, "rope") + bonus("RAPIDS-2", -water, "water")
    yield from explain(reasons)
    die = yield from roll(1, D6, read=total, why="crossing")
    return CROSSING.row(die + reasons.total)


@script("RAPIDS-1")
def hour_strikes(march: March) -> Step[March]:
    """Captains who are not across say how many ropes they use; their tries come next."""
    waiting = [seat for seat, captain in march.captains.items() if not captain.across]
    used = yield from ask_each(waiting, lambda seat: Amount(0, march.captains[seat].rope), absent=0)
    return march, [*(then(captain_tries, seat, used[seat]) for seat in waiting), then(hour_ends)]


@script("RAPIDS-2/try")
def captain_tries(march: March, seat: str, rope: int) -> Step[March]:
    """A captain tries; the ropes are spent either way."""
    row = yield from call(crossing, march.water, rope)
    yield from tell("RAPIDS-2", row.outcome, seat=seat, lost=row.lost)
    mine = march.captains[seat]
    after = Captain(max(mine.men - row.lost, 0), mine.rope - rope, row.outcome == "across")
    return replace(march, captains={**march.captains, seat: after}), []


@script("RAPIDS-3")
def hour_ends(march: March) -> Step[March]:
    """The next hour, or night."""
    march = replace(march, hour=march.hour + 1)
    if standing(march).over:
        yield from tell("RAPIDS-3", "night")
        return march, []
    yield from tell("RAPIDS-3", "hour", hour=march.hour)
    return march, [then(hour_strikes)]


# What Polémarque is told of them -----------------------------------------------------------------


def begin(setup: Setup, seats: tuple[str, ...], options: Mapping[str, Any]) -> Next[March]:
    """The first state, and what comes first."""
    water = 5 if options["rain"] == "storm" else 3
    captains = {seat: Captain(setup.men, setup.rope) for seat in seats}
    return March(captains, water), [then(hour_strikes)]


def view(march: March, seat: str) -> dict[str, Any]:
    """What a seat sees: ropes are secret.  It is built of that, never cut down from the whole."""
    captains = march.captains
    seen: dict[str, Any] = {
        "hour": march.hour,
        "water": march.water,
        "captains": {
            code: {"men": captain.men, "across": captain.across}
            for code, captain in captains.items()
        },
    }
    return {**seen, "rope": captains[seat].rope} if seat in captains else seen


def standing(march: March) -> Standing:
    """How it stands: across before not across, then more men."""
    captains = march.captains
    across = [captain.across for captain in captains.values()]
    merits = {code: (each.across, each.men) for code, each in captains.items()}
    places = by_place(merits)
    return Standing(all(across) or march.hour > HOURS, places[0] if any(across) else (), places)


SYSTEM = System(
    name="rapids",
    edition="1",
    titles={"fr": "Les rapides", "en": "The rapids"},
    seats=("A", "B"),
    least=2,
    options=(Choice("rain", "RAPIDS-1", ("none", "storm"), "none"),),
    state=March,
    setup=Setup,
    begin=begin,
    period=lambda march: march.hour,
    view=view,
    standing=standing,
    data=DATA,
    questions=(Question("RAPIDS-2", crossing),),
)
