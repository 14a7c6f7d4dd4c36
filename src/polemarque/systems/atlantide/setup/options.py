"""The variants of the Atlantide ledger as options of a campaign: names, values, defaults.

`CHOICES` is what the system's descriptor shows, `Options` what the state carries.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from polemarque.api import Choice
from polemarque.api.battle import resolvers_for

CAMPAIGN = "atlantide"
"""The code name of the campaign in its briefs."""

SEATS = tuple("ABCDEFGHI")
"""Codes of the seats: one for each kingdom that a player can choose (AT-1.1)."""

TABLE = "table"
"""The way of AT-8.10 that is the book's own table (AT-8.11)."""


def ways() -> tuple[str, ...]:
    """Who can resolve battles: the table, then every resolver that is installed for them (PA-2).

    The rule names no default.  The table comes first because it needs nobody at a table: a campaign
    that bots play, or that nobody configured, runs to its end.
    """
    return (TABLE, *resolvers_for(CAMPAIGN))


class Options(msgspec.Struct, frozen=True, rename={"return_": "return"}):
    """The readings a campaign is played by.

    `CHOICES` has the defaults; of what a later edition brought, that of the first stands here.

    terrain:          AT-1.3, roll each territory's terrain or take the map's.
    return_:          AT-1.12, whether an eliminated player may come back ("return" in a record).
    breaking:         AT-4.3, when an agreement may be broken.
    atlantis_tax:     AT-5.1, 35 for the city's territory or for the five of its kingdom.
    purchases:        AT-5.2, whether the limits of the army list bind what is bought.
    supply_city:      AT-6.1, any royal city held, and the richest territory without one; royal
                      cities only; or the starting kingdom's alone.
    supply_count:     AT-6.3, whether the present turn counts.
    initiative_ties:  AT-7.1, who re-rolls.
    refuge:           AT-7.7, whether what another player holds can be a start to go back to.
    passage:          AT-7.4, whether opened land counts as own land for moving.
    contested:        AT-8.7, whether the winner gains the loser's land at once.
    capital_bonus:    AT-9.4, whose holding of the capital counts on player-held land.
    fortress_capture: AT-9.7, what becomes of fortresses in a conquered territory.
    no_battle_limit:  AT-8.3, "no battle" in a row before a pitched battle; 0: never.
    resolver:         AT-8.10, who resolves battles, by name.
    other_resolver:   AT-8.10, whether the two players may agree on another for one battle.
    guests:           AT-1.13, whether the umpire is asked for guests at each battle.
    turn_limit:       AT-1.10, last turn of the campaign; 0: none.
    """

    terrain: Literal["rolled", "map"] = "rolled"
    return_: Literal["colony", "none"] = "colony"
    breaking: Literal["phase_start", "any_time"] = "phase_start"
    atlantis_tax: Literal["city", "kingdom"] = "city"
    purchases: Literal["list", "free"] = "free"
    supply_city: Literal["capital", "any", "own"] = "capital"
    supply_count: Literal["earlier", "including"] = "earlier"
    initiative_ties: Literal["all", "tied"] = "all"
    refuge: Literal["held", "since"] = "since"
    passage: Literal["one", "through"] = "one"
    contested: Literal["gained", "conquest"] = "gained"
    capital_bonus: Literal["defender", "attacker"] = "defender"
    fortress_capture: Literal["stay", "razed"] = "stay"
    no_battle_limit: int = 5
    resolver: str = TABLE
    other_resolver: Literal["agreed", "none"] = "agreed"
    guests: Literal["asked", "none"] = "asked"
    turn_limit: int = 0


CHOICES = (
    Choice("terrain", "AT-1.3", ("rolled", "map"), "rolled"),
    Choice("return", "AT-1.12", ("colony", "none"), "colony"),
    Choice("breaking", "AT-4.3", ("phase_start", "any_time"), "phase_start"),
    Choice("atlantis_tax", "AT-5.1", ("city", "kingdom"), "city"),
    Choice("purchases", "AT-5.2", ("list", "free"), "list", since="2026-11.2"),
    Choice("supply_city", "AT-6.1", ("capital", "any", "own"), "capital"),
    Choice("supply_count", "AT-6.3", ("earlier", "including"), "earlier"),
    Choice("initiative_ties", "AT-7.1", ("all", "tied"), "all"),
    Choice("passage", "AT-7.4", ("one", "through"), "one"),
    Choice("refuge", "AT-7.7", ("held", "since"), "held", since="2026-11.2"),
    Choice("contested", "AT-8.7", ("gained", "conquest"), "gained"),
    Choice("capital_bonus", "AT-9.4", ("defender", "attacker"), "defender"),
    Choice("fortress_capture", "AT-9.7", ("stay", "razed"), "stay"),
    Choice("no_battle_limit", "AT-8.3", (0, 100), 5, number=True),
    Choice("resolver", "AT-8.10", ways, TABLE),
    Choice("other_resolver", "AT-8.10", ("agreed", "none"), "agreed"),
    Choice("guests", "AT-1.13", ("asked", "none"), "asked"),
    Choice("turn_limit", "AT-1.10", (0, 1000), 0, number=True),
)
"""What the descriptor offers, in the ledger's order."""
