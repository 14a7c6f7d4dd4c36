"""Chances of Atlantide for other programs: how an assault ends and what it costs, in floats.

    conquest(combat_force=13, loot=0, terrain="forest", capital=False, capital_conquered=False,
             atlantis=False, player_held=False, fortresses=0)

Exact fractions, with the mean of the figures lost, are `consult_odds("AT-9.5", …)`'s.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from polemarque.kernel.agenda import Again
from polemarque.odds.consult import Asked
from polemarque.odds.enumeration import one_round
from polemarque.odds.sampling import Played, by_total
from polemarque.systems.atlantide.chapters.conquest import (
    CONQUEST,
    DESTROYED,
    UNDECIDED,
    Assault,
    assault,
)
from polemarque.systems.atlantide.chapters.simulation import INDISPOSED, decided
from polemarque.systems.atlantide.strength import Ground, attack_force, bare

LEFT, LEAST = 1e-15, 1e-20
"""Assaults that are undecided are let go with no more chance than this, all together and each."""


def conquest(**inputs: Any) -> dict[tuple[str, int], float]:
    """How an assault ends (AT-9.5), with the inputs of consult.

    Gives {(result, figures lost): p}; result is "taken", "beaten" or "crushed", and figures lost
    are those of all rounds, not capped by what the army has.  Probabilities are right to 1e-12;
    an assault can last for ever, so what is less likely than that may be left out.
    Raises NotUnderstood naming an input that is missing, unknown or of another kind.
    """
    attack, ground = _sides(Asked("AT-9.5", inputs))
    found: dict[tuple[str, int], float] = defaultdict(float)
    undecided, left = {(attack, 0): 1.0}, 1.0
    known: dict[int, list[tuple[Any, int, float]]] = {}
    while left > LEFT:
        onward: dict[tuple[int, int], float] = defaultdict(float)
        for (force, lost), p in undecided.items():
            if force not in known:
                known[force] = one_round(assault.rule, (force, ground), "figures_lost")
            for end, figures, chance in known[force]:
                if isinstance(end, Again):
                    onward[end.args[0], lost + figures] += p * chance
                else:
                    found[end.result, lost + figures] += p * chance
        undecided = {end: p for end, p in onward.items() if p > LEAST}
        left = sum(undecided.values())
    return dict(sorted(found.items()))


def _sides(asked: Asked) -> tuple[int, Ground]:
    """The attack of an assault, and its ground."""
    given: Any = asked.inputs
    ground = Ground(**{name: getattr(given, name) for name in Ground.__struct_fields__})
    return attack_force(bare(given.combat_force), given.loot).total, ground


# Samples -----------------------------------------------------------------------------------------


def assaults(attack: int, ground: Ground, left: int | None = None) -> Played:
    """An assault as a kernel plays it; figures as of the procedure."""
    cells: list[int] = []
    for band in CONQUEST.bands:
        decides = band.row.outcome != UNDECIDED
        cells += (decides, band.row.modifier, *band.row.losses_on(ground))

    def ended(number: int) -> Assault:
        if number < 0:
            return Assault(DESTROYED)
        row = CONQUEST.bands[number].row
        return Assault(row.outcome, loot=row.loot_on(ground))

    figures = [attack - ground.strength, -1 if left is None else left]
    return Played(
        "assaults", [figures, by_total(CONQUEST), cells], ended, ("rounds", "figures_lost")
    )


def _simulations(asked: Asked) -> Played:
    """AT-8.11."""
    given: Any = asked.inputs
    absence = INDISPOSED if given.defender_absent else 0
    ahead = given.attacker_force - (given.defender_force + absence)
    return Played("simulations", [[ahead]], decided)


KERNELS = {
    "AT-8.11": _simulations,
    "AT-9.5": lambda asked: assaults(*_sides(asked)),
}
"""Rules that a kernel plays, and how."""
