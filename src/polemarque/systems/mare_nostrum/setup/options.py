"""The variants of the Mare Nostrum ledger as options of a campaign: names, values, defaults.

`CHOICES` is what the system's descriptor shows, `Options` what the state carries.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from polemarque.api import Choice
from polemarque.api.battle import SEA, resolvers_for

CAMPAIGN = "mare_nostrum"
"""The code name of the campaign in its briefs."""

USUAL = "batailles"
"""The resolver of MN-B.1: the default, and at sea in place of any that knows no fleets (PA-3)."""


AHEAD = "yes"
"""Of `orders_ahead`: the sealed sheet says what else is decided as it happens."""


def ways() -> tuple[str, ...]:
    """Ways of fighting a battle, the default first: every resolver that is installed for it."""
    return resolvers_for(CAMPAIGN, first=(USUAL,))


def for_fleets(*wanted: str) -> str:
    """Who resolves a battle at sea: the first of those wanted that knows fleets (PA-3)."""
    able = resolvers_for(CAMPAIGN, ground=SEA)
    return next((name for name in wanted if name in able), USUAL)


class Options(msgspec.Struct, frozen=True):
    """The readings a campaign is played by; every default is the ledger's first.

    sacred_guard:      MN-2.2, which army has the Sacred Guard, and where.
    hire:              MN-3.1, whether mercenaries are offered once or each turn.
    treaties:          MN-4.4, whether hostile orders against a partner are refused or end it.
    orders_ahead:      MN-5.2, whether orders say what else is decided as it happens:
                       whom to fight, to take or pillage, to besiege or not.
    rescue_fleet:      MN-5.3, whose war fleet may take a beaten army aboard.
    beaten_defender:   MN-6.2, what becomes of a defending army that is beaten.
    siege_count:       MN-6.4, whether the turn of the marker counts.
    exhausted_retreat: MN-7.2, where an exhausted army may retreat to.
    recovery:          MN-7.3, how much exhaustion comes off at once.
    exhausted_when:    MN-7.3, when a marker weighs in the combats.
    contest_loser:     MN-7.7, what becomes of the loser in a contested province.
    resolver:          MN-B.1, who resolves battles, by name.
    other_resolver:    MN-B.1, whether players may agree on another in their orders.
    stand_losses:      MN-B.4, whether lost stands come back by themselves.
    talk:              MN-F6, whether players may write without a mission.
    sudden_win:        MN-F8, from when a treasury can win at once.
    years:             MN-F1, how many years of four turns.
    turn_limit:        MN-F1, the last turn, where the campaign is to be shorter (0: none).
    """

    sacred_guard: Literal["home", "first", "territory"] = "home"
    hire: Literal["opening", "each_turn"] = "opening"
    treaties: Literal["binding", "honour"] = "binding"
    orders_ahead: Literal["no", "yes"] = "no"
    rescue_fleet: Literal["own", "any"] = "own"
    beaten_defender: Literal["destroyed", "retreats"] = "destroyed"
    siege_count: Literal["elapsed", "including"] = "elapsed"
    exhausted_retreat: Literal["any", "controlled"] = "any"
    recovery: Literal["level", "all"] = "level"
    exhausted_when: Literal["entry", "letter"] = "entry"
    contest_loser: Literal["destroyed", "retreats"] = "destroyed"
    resolver: str = USUAL
    other_resolver: Literal["agreed", "none"] = "agreed"
    stand_losses: Literal["refill", "keep"] = "refill"
    talk: Literal["free", "mission"] = "free"
    sudden_win: Literal["year_2", "any_year"] = "year_2"
    years: int = 10
    turn_limit: int = 0


CHOICES = (
    Choice("sacred_guard", "MN-2.2", ("home", "first", "territory"), "home"),
    Choice("hire", "MN-3.1", ("opening", "each_turn"), "opening"),
    Choice("treaties", "MN-4.4", ("binding", "honour"), "binding"),
    Choice("orders_ahead", "MN-5.2", ("no", AHEAD), "no", since="2026-11.2"),
    Choice("rescue_fleet", "MN-5.3", ("own", "any"), "own"),
    Choice("beaten_defender", "MN-6.2", ("destroyed", "retreats"), "destroyed"),
    Choice("siege_count", "MN-6.4", ("elapsed", "including"), "elapsed"),
    Choice("exhausted_retreat", "MN-7.2", ("any", "controlled"), "any"),
    Choice("recovery", "MN-7.3", ("level", "all"), "level"),
    Choice("exhausted_when", "MN-7.3", ("entry", "letter"), "entry"),
    Choice("contest_loser", "MN-7.7", ("destroyed", "retreats"), "destroyed"),
    Choice("resolver", "MN-B.1", ways, USUAL),
    Choice("other_resolver", "MN-B.1", ("agreed", "none"), "agreed"),
    Choice("stand_losses", "MN-B.4", ("refill", "keep"), "refill"),
    Choice("talk", "MN-F6", ("free", "mission"), "free"),
    Choice("sudden_win", "MN-F8", ("year_2", "any_year"), "year_2"),
    Choice("years", "MN-F1", (1, 50), 10, number=True),
    Choice("turn_limit", "MN-F1", (0, 200), 0, number=True),
)
"""What the descriptor offers, in the ledger's order."""
