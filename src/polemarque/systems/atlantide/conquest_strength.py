"""The ground of a conquest, and what attacks it (AT-9.2 to AT-9.4, AT-9.7, AT-9.8)."""

from __future__ import annotations

import msgspec

from polemarque.api import Modifier, Sum, bonus
from polemarque.systems.atlantide.agreements import forbids_attack
from polemarque.systems.atlantide.setup.board import Terrain
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.strength import general_part
from polemarque.systems.atlantide.supply import STEP

DEFENCE, ATTACK, PASSAGE = "AT-9.4", "AT-9.3", "AT-9.2"
BASE = 6
_TERRAIN: dict[Terrain, int] = {"plains": 0, "river_plains": 0, "forest": 1, "mountains": 2}


class Ground(msgspec.Struct, frozen=True):
    """What defends a territory, its dice apart (AT-9.4).

    capital:           the territory is its kingdom's capital.
    capital_conquered: no +1 for the kingdom's capital: on Atlantean land because a player holds it,
                       on a player's land by the variant `capital_bonus`.
    atlantis:          it belongs to the kingdom of Atlantis.
    player_held:       a player's land; fortresses count there only.
    """

    terrain: Terrain
    capital: bool = False
    capital_conquered: bool = False
    atlantis: bool = False
    player_held: bool = False
    fortresses: int = 0

    @property
    def defence(self) -> Sum:
        """The defence beyond its 2D6, with its reasons."""
        parts = (
            (not self.capital_conquered, "capital_not_conquered"),
            (self.capital, "capital"),
            (2 * self.atlantis, "kingdom_of_atlantis"),
            (_TERRAIN[self.terrain], self.terrain),
            (self.fortresses * self.player_held, "fortresses"),
        )
        base = (Modifier(BASE, "base", DEFENCE),)
        rest = [Modifier(int(amount), reason, DEFENCE) for amount, reason in parts if amount]
        return Sum(base + tuple(rest))

    @property
    def strength(self) -> int:
        """The defence beyond its 2D6, in points."""
        return (
            BASE + (not self.capital_conquered) + self.capital + 2 * self.atlantis
            + _TERRAIN[self.terrain] + self.fortresses * self.player_held
        )  # fmt: skip


def ground_of(war: War, place: str, attacker: str) -> Ground:
    """The ground of a territory as `attacker` finds it."""
    board, land = war.board, war.lands[place]
    capital = board.capitals.get(board.by_id[place].kingdom, "")
    holder = war.lands[capital].owner if capital else None
    if land.owner is None:
        conquered = holder is not None
    elif war.options.capital_bonus == "attacker":
        conquered = holder == attacker
    else:
        conquered = holder != land.owner
    return Ground(
        land.terrain,
        capital=place == capital,
        capital_conquered=conquered,
        atlantis=board.in_heart(place),
        player_held=land.owner is not None,
        fortresses=land.fortresses,
    )


def attack_force(force: Sum, bribe: int) -> Sum:
    """What an army brings to the first round: combat force, +1 per full 50 loot (AT-9.3)."""
    return force + bonus(ATTACK, bribe // STEP, "bribe")


def passage_modifiers(bribe: int, general_ld: int | None) -> Sum:
    """What is added to the die of a negotiation; 5 or more succeeds (AT-9.2)."""
    return bonus(PASSAGE, bribe // STEP, "bribe") + Sum((general_part(general_ld, PASSAGE),))


def conquest_refusal(war: War, seat: str) -> str:
    """Why a seat's army may not attack where it stands (AT-9.7, AT-9.8, AT-8.8); "" if it may."""
    army = war.seats[seat].army
    if army is None:
        return "conquest.no_army"
    owner = war.owner(army.place)
    if owner == seat:
        return "conquest.own_land"
    if army.beaten:
        return "conquest.beaten"
    if army.attacked:
        return "conquest.once"
    if owner is None:
        return ""
    if owner in war.enemies_at(army.place, seat):
        return "conquest.army_there"
    return "conquest.agreement" if forbids_attack(war, owner, seat, army.place) else ""


def negotiates(war: War, seat: str) -> bool:
    """Whether a seat's army may negotiate a passage: on Atlantean land, not beaten (AT-9.1)."""
    army = war.seats[seat].army
    return army is not None and not army.beaten and war.owner(army.place) is None
