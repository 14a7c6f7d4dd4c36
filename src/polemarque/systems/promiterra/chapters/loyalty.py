"""Chapter « Loyauté » (PR-4): who must test, why, and who disperses."""

from __future__ import annotations

from typing import Literal

from polemarque.api import Next, Step, bonus, call, explain, script, tell, then
from polemarque.systems.promiterra.chapters.trials import loyalty_test
from polemarque.systems.promiterra.current_stats import stat_reasons, stats, value_of
from polemarque.systems.promiterra.state import FEAR, Troop, War, while_fighting

Cause = Literal["outvalued", "decimated", "leaderless", "fear", "unwell"]
"""Why a troop tests, PR-4.2 (a) to (e), in the order in which it does."""

THIRD = 3
"""A test is asked below a third: of the enemy's value, of the starting units."""


Compared = tuple[tuple[Cause, int, int], ...]
"""What was compared for a test: own value and the enemies', units and starting units."""


def below_a_third(part: int, whole: int) -> bool:
    """Whether a part is less than a third of a whole."""
    return part * THIRD < whole


def values_compared(war: War, seat: str) -> tuple[int, int]:
    """The value of an army, or by the variant of its whole alliance, and that of its enemies."""
    side = war.alliance_of(seat)
    enemies = tuple([code for code in war.armies if war.hostile(code, seat)])
    allied = tuple([code for code in war.armies if war.alliance_of(code) == side])
    own = (seat,) if war.options.value_sides == "army" else allied
    return value_of(war, own), value_of(war, enemies)


def leaderless(war: War, seat: str) -> bool:
    """Whether the troop in which the commander stands is no longer on the field."""
    commander = war.persons[war.armies[seat].commander]
    return war.present_troop(commander.troop) is None


def frightened(war: War, troop: Troop) -> bool:
    """Whether a troop stands beside a source of fear: a hostile creature, or a marked cell."""
    cells = war.board.marks.get(FEAR, {})
    if troop.cell in cells:
        return True
    for cell in war.board.grid.neighbours(troop.cell):
        if cell in cells:
            return True
        other = war.standing_on.get(cell)
        if other and other.ability.fear and war.hostile(other.army, troop.army):
            return True
    return False


def causes(war: War, seat: str) -> dict[str, tuple[Cause, ...]]:
    """The tests that each troop of an army owes, as things stand; troops without any left out."""
    common: list[Cause] = []
    if below_a_third(*values_compared(war, seat)):
        common.append("outvalued")
    headless = leaderless(war, seat)
    found: dict[str, tuple[Cause, ...]] = {}
    for troop in war.troops_of(seat):
        own = list(common)
        if below_a_third(troop.units, troop.start):
            own.append("decimated")
        if headless:
            own.append("leaderless")
        if frightened(war, troop):
            own.append("fear")
        if troop.unwell:
            own.append("unwell")
        if own:
            found[troop.id] = tuple(own)
    return found


@script("PR-4.2")
@while_fighting
def loyalty_step(war: War) -> Next[War]:
    """The conditions are read once, before the first test."""
    values = values_compared(war, war.playing)
    return war, [
        then(troop_is_tested, code, why, compared(war.troops[code], why, values))
        for code, why in causes(war, war.playing).items()
    ]


def compared(troop: Troop, why: tuple[Cause, ...], values: tuple[int, int]) -> Compared:
    """The figures behind those causes of a test that have any."""
    figures: dict[Cause, tuple[int, int]] = {
        "outvalued": values,
        "decimated": (troop.units, troop.start),
    }
    return tuple([(cause, *pair) for cause, pair in figures.items() if cause in why])


@script("PR-4.1/troop")
def troop_is_tested(
    war: War, troop: str, why: tuple[Cause, ...], figures: Compared = ()
) -> Step[War]:
    """One test for each cause, until one fails: then the troop disperses.

    figures: what was compared when the causes were read.
    """
    was = war.present_troop(troop)
    if was is None:
        return war, []
    loyalty = stats(war, was).loyalty
    known = {cause: (part, whole) for cause, part, whole in figures}
    for cause in why:
        holds = yield from call(loyalty_test, loyalty)
        yield from explain(bonus("PR-4.2", 1, cause))
        yield from explain(stat_reasons(war, was, "loyalty"))
        kind = "holds" if holds else "disperses"
        part, whole = known.get(cause, (0, 0))
        yield from tell(
            "PR-4.1", kind, troop=troop, cause=cause, loyalty=loyalty, part=part, whole=whole
        )
        if not holds:
            return war.left_by(troop, "fled"), []
    return war, []
