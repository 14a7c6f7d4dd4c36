"""What all bridges have in common: their texts, their ledger, and how a battle is told to begin."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from polemarque.kernel.agenda import Item, Rule, script, tell
from polemarque.kernel.battle import Brief, Fate, Loss, Report
from polemarque.kernel.checks import Finding
from polemarque.kernel.position import Position
from polemarque.kernel.system import Rulebook, System
from polemarque.kernel.texts import LANGUAGES, Catalogue

DATA = Path(__file__).parent / "data"
"""Texts, and one file of figures for each pair of a campaign and a battle system."""

EDITION = "2026-11"

Called = dict[str, dict[str, dict[str, str]]]
"""What readers call units, leaders and troops of one battle: by language, family and code."""


def no_set_up(*_: Any) -> Any:
    """Bridges and tables are opened from a brief, never from a set-up."""
    raise NotImplementedError("a battle of a campaign is opened from its brief")


def _checked(path: Path) -> Sequence[Finding] | None:
    """What is wrong with the file of a bridge."""
    from polemarque.bridges.pairs import check

    return check(path)


BRIDGES = Rulebook(
    name="bridges",
    titles={"fr": "Passerelles", "en": "Bridges"},
    data=DATA,
    check=_checked,
    written=__name__,
)
"""Where the words and the rules of PA are found."""


# How a battle begins -----------------------------------------------------------------------------


@script("PA-6/opened")
def battle_opens(
    state: Any, rule: str, system: str, place: str, attacker: str, defender: str, called: Called
) -> Rule[tuple[Any, list[Item]]]:
    """A battle of a campaign begins: who, where, by which rules, and what readers call its units.

    Whoever tells the campaign's story has these names from nowhere else.
    """
    yield from tell(
        rule, "opened", system=system, place=place, attacker=attacker, defender=defender,
        called=called,
    )  # fmt: skip
    return state, []


HANDED_OVER, LIVE = "PA-1", "PA-6"
"""By which rule a battle begins: it is handed over to the table, or opens on a board of its own."""


def opened(
    brief: Brief, system: System, state: Any, agenda: Sequence[Item], rule: str = LIVE
) -> Position:
    """The position in which a battle begins; the rules answer for a side that is absent."""
    attacker, defender = brief.sides
    first = ("PA-6/opened", rule, system.name, brief.place, attacker.seat, defender.seat)
    return Position(
        system.name,
        system.edition,
        state,
        ((*first, _called(system, state)), *agenda),
        absent=tuple([side.seat for side in brief.sides if side.absent]),
    )


@cache
def _texts() -> Catalogue:
    return Catalogue.load(DATA)


def _called(system: System, state: Any) -> Called:
    """Names of the battle's own, and of its system where no text has it."""
    called: Called = {}
    for lang in LANGUAGES:
        called[lang] = {f: dict(c) for f, c in system.names_inside(state, lang).items()}
        if not _texts().has(lang, f"battle_system.{system.name}"):
            called[lang]["battle_system"] = {system.name: system.titles.get(lang, system.name)}
    return called if system.names is not None or any(called.values()) else {}


# How it ends -------------------------------------------------------------------------------------


def reported(
    brief: Brief, winner: int | None, losses: Sequence[Loss], fates: Sequence[Fate] = (),
    spent: Sequence[str] = (),
) -> Report:  # fmt: skip
    """The report of a battle that has ended: nobody has won it but whom its own rules say."""
    return Report(
        brief.id, winner, tuple(losses), tuple(fates), tuple(spent), {"decided": "declared"}
    )


def index_of(brief: Brief, seat: str | None) -> int | None:
    """The side of a seat, 0 or 1; None for nobody."""
    return next((n for n, side in enumerate(brief.sides) if side.seat == seat), None)
