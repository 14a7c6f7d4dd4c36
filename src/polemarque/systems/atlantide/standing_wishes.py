"""What a seat can wish for at any moment (AT-4.3, AT-6.2, AT-10.1)."""

from __future__ import annotations

from collections.abc import Mapping

from polemarque.api import Wishes
from polemarque.systems.atlantide.chapters.broken_agreements import wishes_to_break
from polemarque.systems.atlantide.chapters.provisions import convoys_to_hold
from polemarque.systems.atlantide.chapters.reinforcements import arrivals
from polemarque.systems.atlantide.chapters.turn import WINDOWS
from polemarque.systems.atlantide.state import War

ASKING = "2026-11"
"""The edition that asks instead."""


def wishes(war: War, seat: str, edition: str) -> Mapping[str, Wishes]:
    """What a seat in play can wish for, by the rule that will read it."""
    if edition == ASKING or war.opening or seat not in war.in_play():
        return {}
    found = {
        "AT-4.3": Wishes(wishes_to_break(war, seat, ("next", *WINDOWS))),
        "AT-6.2": Wishes(convoys_to_hold(war, seat)),
        "AT-10.1": Wishes(arrivals(war, seat), single=True),
    }
    return {rule: each for rule, each in found.items() if each.words}
