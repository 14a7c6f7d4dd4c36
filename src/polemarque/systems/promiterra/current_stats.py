"""What a troop is worth as it stands: statistics with all their changes, fighters, values."""

from __future__ import annotations

from polemarque.api import Sum
from polemarque.systems.promiterra.chapters.strikes import Fighter
from polemarque.systems.promiterra.state import Troop, War
from polemarque.systems.promiterra.stats import (
    NO_CHANGE,
    Change,
    Source,
    StatName,
    Stats,
    current,
    reasons,
)

REFUSED = Change(loyalty=-1)
"""What a refused duel costs (PR-7.6)."""


def changes(war: War, troop: Troop) -> list[tuple[Source, Change]]:
    """Everything that changes a troop's statistics: PR-1.9, PR-1.10, PR-3.2, PR-7.6."""
    found: list[tuple[Source, Change]] = []
    if troop.ability.change != NO_CHANGE:
        found.append(("ability", troop.ability.change))
    mastery = war.persons[troop.leader].mastery
    if mastery != NO_CHANGE:
        found.append(("mastery", mastery))
    acts = [effect.action for effect in war.effects if effect.troop == troop.id]
    found += [("war_action", war.actions[action].change) for action in acts]
    if troop.refused:
        found.append(("refused_duel", REFUSED))
    return found


def stats(war: War, troop: Troop) -> Stats:
    """Statistics as they count now (PR-1.6)."""
    return current(troop.base, changes(war, troop), war.options.war_actions)


def stat_reasons(war: War, troop: Troop, name: StatName) -> Sum:
    """One statistic in its parts."""
    return reasons(name, troop.base, changes(war, troop), war.options.war_actions)


def fighter(war: War, troop: Troop) -> Fighter:
    """A troop as it fights."""
    now = stats(war, troop)
    return Fighter(troop.units, now.attack, now.defence, war.fort(troop.cell))


def value_of(war: War, seats: tuple[str, ...]) -> int:
    """Value × present units of these armies together (PR-1.7)."""
    return sum([stats(war, t).value * t.units for t in war.present if t.army in seats])


def riposte_denied(attacker: Troop, defender: Troop) -> str:
    """The rule by which a melee attack is not answered, "" if it is (PR-1.4, PR-1.10)."""
    if attacker.ability.no_riposte:
        return "PR-1.10"
    return "PR-1.4" if attacker.type == "mounted" and defender.type == "missile" else ""
