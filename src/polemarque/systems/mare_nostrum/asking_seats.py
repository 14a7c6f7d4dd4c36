"""How seats are asked: nobody waits for an absent player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
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
    sheet: Callable[[Campaign, str], Sheet],
    absent: Callable[[Campaign, str], dict[str, Any]] | None = None,
) -> Rule[dict[str, dict[str, Any]]]:
    """The sealed sheets of these seats; those of absent players are filled in by the rules.

    absent: how, if not as quietly as can be.
    """
    asked, blank = tuple(seats), partial(sheet, campaign)
    usual = partial(absent, campaign) if absent else None
    present = [seat for seat in asked if not campaign.seats[seat].absent]
    filled = yield from ask_each(present, blank, absent=usual or QUIET)
    for seat in asked:
        if seat not in filled:
            filled[seat] = usual(seat) if usual else blank(seat).quiet()
    return {seat: filled[seat] for seat in asked}
