"""What a campaign writes down: battles of the turn, campaign sheets, the journal (AT-8, AT-11)."""

from __future__ import annotations

from typing import Literal

import msgspec

from polemarque.api import always
from polemarque.api.battle import Report


class Guest(msgspec.Struct, frozen=True, omit_defaults=True):
    """Mercenaries at one battle (AT-1.13): the side they join, their force, leader or not, D3s."""

    side: str
    force: str
    leader: bool = True
    dice: tuple[int, ...] = ()


class Battle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A battle of this turn: the attacker is the army that entered last (AT-8.11).

    deputies: who plays the part of the attacker, of the defender, while he is absent (AT-2.4).
    resolver: who resolves it, if both agreed on another than the campaign's (AT-8.10, PA-2).
    previous: the strategies that led to no battle, and refused: how often running (AT-8.3).
    sectors:  elements of terrain, sector by sector (AT-8.5).
    report:   once the battle has been fought; counted: the sides that have taken their losses.
    """

    place: str
    attacker: str
    defender: str
    strategies: tuple[str, str] | None = None
    scenario: str = ""
    by: str | None = None
    walls: str | None = None
    formations: bool = True
    deputies: tuple[str, str] = always(("", ""))
    resolver: str = ""
    guests: tuple[Guest, ...] = ()
    previous: tuple[str, str] | None = None
    refused: int = 0
    sectors: tuple[tuple[str, ...], ...] = ()
    report: Report | None = None
    counted: tuple[str, ...] = ()

    @property
    def sides(self) -> tuple[str, str]:
        """Attacker and defender."""
        return self.attacker, self.defender

    def turned(self) -> Battle:
        """The same battle with attacker and defender in each other's place (AT-8.11)."""
        return msgspec.structs.replace(
            self, attacker=self.defender, defender=self.attacker,
            strategies=self.strategies and self.strategies[::-1],
            previous=self.previous and self.previous[::-1], deputies=self.deputies[::-1],
        )  # fmt: skip


Conquered = Literal["", "taken", "beaten", "crushed", "destroyed", "passage", "withdrawn", "stays"]
"""How an army fared on foreign land (AT-9); nothing where it was on its own."""


class SheetRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """One turn of a player's campaign sheet (AT-11.1), in words of the text catalogues.

    diplomacy:    "agreed:<kind>:<other party>" and "broken:<kind>:<who broke it>".
    taxes, spent: loot collected, and loot spent on reinforcements.   supply: effect of AT-6.3.
    """

    turn: int
    event: str = ""
    diplomacy: tuple[str, ...] = ()
    taxes: int = 0
    spent: int = 0
    fortresses: tuple[str, ...] = ()
    supplied: bool | None = None
    supply: str = ""
    left: str = ""
    arrived: str = ""
    strategy: str = ""
    scenario: str = ""
    result: str = ""
    conquest: str = ""
    conquest_result: Conquered = ""
    notes: str = ""


class JournalEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the campaign's journal (AT-11.2): who wrote it, and what."""

    turn: int
    author: str
    text: str
