"""How seats are asked: nobody waits for an absent player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from polemarque.api import QUIET, Fact, OneOf, Rule, Sheet, ask, ask_each
from polemarque.systems.mare_nostrum.state import Campaign


def choose(
    campaign: Campaign, seat: str, words: tuple[str, ...], label: str, subject: str = "",
    facts: Mapping[str, Fact] = {},
) -> Rule[Any]:  # fmt: skip
    """One of these words; the first, if there is no other or if the player is absent (MN-1.3).

    facts: what is known beside some of them.
    """
    if len(words) == 1 or campaign.seats[seat].absent:
        return words[0]
    return (
        yield from ask(seat, OneOf(words, label, fact=facts.get), absent=words[0], subject=subject)
    )


def sheets_of(
    campaign: Campaign,
    seats: Iterable[str],
    sheet: Callable[[str], Sheet],
    absent: Callable[[str], dict[str, Any]] | None = None,
) -> Rule[dict[str, dict[str, Any]]]:
    """The sealed sheets of these seats; those of absent players are filled in by the rules.

    absent: how, if not as quietly as can be.
    """
    asked, filled_in = tuple(seats), absent or (lambda seat: sheet(seat).quiet())
    present = [seat for seat in asked if not campaign.seats[seat].absent]
    filled = yield from ask_each(present, sheet, absent=absent or QUIET)
    return {seat: filled[seat] if seat in filled else filled_in(seat) for seat in asked}
