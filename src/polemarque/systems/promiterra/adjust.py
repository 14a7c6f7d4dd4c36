"""What an umpire may adjust between two steps of a war, and what a sound war is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.systems.promiterra.options import CHOICES
from polemarque.systems.promiterra.state import NOBODY, Ending, Troop, War
from polemarque.systems.promiterra.stats import LIMITS, STATS

SETTLED = ("special_share", "grid")
"""Options that a war is made by: they cannot change while it is played."""

FATES = ("present", "fled", "annihilated")

LEGAL = (
    "units.TROOP", "start.TROOP", "cell.TROOP", "fate.TROOP", "unwell.TROOP", "barricaded.TROOP",
    "refused.TROOP", "STATISTIC.TROOP", "leader.TROOP", "commander.ARMY", "holder.CELL", "end",
    "option.NAME",
)  # fmt: skip


def adjust(war: War, name: str, value: Any) -> War:
    """The war with one thing adjusted; `faults` has the last word.

    `<figure>.<troop>` changes a troop: units, start, cell, fate, unwell, barricaded, refused,
    leader, or one of its statistics before changes; `commander.<army>` says who commands;
    `holder.<cell>` which alliance defends a fortified cell; `end` declares an alliance the winner,
    or nobody; `option.<name>` changes an option from the next army's turn on.
    Raises NotUnderstood on an unknown name or value, NotAllowed where a rule is against it.
    """
    what, _, whom = name.partition(".")
    act = ADJUSTABLE.get(what)
    if act is None:
        raise NotUnderstood("promiterra.adjust", part=name, legal=LEGAL)
    return act(war, what, whom, value)


# Reading -----------------------------------------------------------------------------------------


def _troop(war: War, whom: str) -> Troop:
    if whom not in war.troops:
        raise NotUnderstood("promiterra.adjust", part=whom, legal=war.troops)
    return war.troops[whom]


def _refuse(name: str, value: Any, legal: Sequence[Any], rule: str = "") -> NotUnderstood:
    return NotUnderstood("promiterra.adjust_value", rule=rule, part=value, legal=legal, name=name)


def _number(name: str, value: Any, least: int, most: int | None = None) -> int:
    beyond = not isinstance(value, int) or isinstance(value, bool)
    if beyond or value < least or (most is not None and value > most):
        raise _refuse(name, value, (f"{least}-{'' if most is None else most}",))
    return int(value)


def _word(name: str, value: Any, words: Sequence[str]) -> Any:
    if value not in words:
        raise _refuse(name, value, words)
    return value


# Adjusting ---------------------------------------------------------------------------------------


def _units(war: War, what: str, whom: str, value: Any) -> War:
    """Units, or starting units; a troop at 0 units is annihilated (PR-5.8)."""
    _troop(war, whom)
    number = _number(what, value, 0)
    if what == "start":
        return war.changed(whom, start=number)
    war = war.changed(whom, units=number)
    return war if number else war.left_by(whom, "annihilated")


def _cell(war: War, what: str, whom: str, value: Any) -> War:
    """Where a troop stands: on a free cell of the board (PR-2.2)."""
    troop = _troop(war, whom)
    if not isinstance(value, str) or value not in war.board.grid:
        raise _refuse(what, value, war.board.grid.cells, "PR-2.2")
    if value in war.standing_on and war.standing_on[value].id != whom:
        raise NotAllowed(
            "promiterra.two_in_cell", rule="PR-2.2", part=value, troop=whom,
            other=war.standing_on[value].id,
        )  # fmt: skip
    return war.placed(troop.id, value)


def _fate(war: War, what: str, whom: str, value: Any) -> War:
    """Whether a troop is present; one that comes back needs a cell."""
    _troop(war, whom)
    fate = _word(what, value, FATES)
    if fate == "present":
        return war.changed(whom, fate=fate)
    return war.left_by(whom, fate)


def _flag(war: War, what: str, whom: str, value: Any) -> War:
    _troop(war, whom)
    if not isinstance(value, bool):
        raise _refuse(what, value, ("true", "false"))
    return war.changed(whom, **{what: value})


def _stat(war: War, what: str, whom: str, value: Any) -> War:
    """A statistic before changes, within its limits (PR-1.6)."""
    troop = _troop(war, whom)
    limit = LIMITS[next(name for name in STATS if name == what)]
    number = _number(what, value, limit.least, limit.most)
    return war.changed(whom, base=replace(troop.base, **{what: number}))


def _leader(war: War, what: str, whom: str, value: Any) -> War:
    """Who leads a troop: one of those who stand in it (PR-1.2)."""
    _troop(war, whom)
    inside = [person.id for person in war.people if person.troop == whom]
    leader = war.persons[_word(what, value, inside)]
    return war.changed(whom, leader=leader.id).with_persons([replace(leader, led=True)])


def _commander(war: War, what: str, whom: str, value: Any) -> War:
    if whom not in war.armies:
        raise NotUnderstood("promiterra.adjust", part=whom, legal=war.armies)
    people = [person.id for person in war.people if person.army == whom]
    return war.with_army(whom, commander=_word(what, value, people))


def _holder(war: War, what: str, whom: str, value: Any) -> War:
    if not war.fort(whom):
        raise NotUnderstood("promiterra.adjust", part=whom, legal=LEGAL)
    sides = tuple(dict.fromkeys([army.alliance for army in war.armies.values()]))
    return replace(war, holders={**war.holders, whom: _word(what, value, sides)})


def _end(war: War, what: str, _: str, value: Any) -> War:
    sides = tuple(dict.fromkeys([army.alliance for army in war.armies.values()]))
    return replace(war, ending=Ending(_word(what, value, (NOBODY, *sides)), "declared"))


def _option(war: War, _: str, whom: str, value: Any) -> War:
    known = {choice.name: choice for choice in CHOICES if choice.name not in SETTLED}
    if whom not in known:
        raise NotUnderstood("option.unknown", part=whom, legal=known)
    return replace(war, coming={**war.coming, whom: known[whom].take(value)})


ADJUSTABLE: dict[str, Callable[[War, str, str, Any], War]] = {
    "units": _units,
    "start": _units,
    "cell": _cell,
    "fate": _fate,
    "unwell": _flag,
    "barricaded": _flag,
    "refused": _flag,
    **dict.fromkeys(STATS, _stat),
    "leader": _leader,
    "commander": _commander,
    "holder": _holder,
    "end": _end,
    "option": _option,
}


# What must hold ----------------------------------------------------------------------------------


def faults(war: War) -> list[str]:
    """What is wrong with a war, with the rule that it breaks."""
    found = []
    cells: dict[str, str] = {}
    for troop in war.present:
        if troop.units < 1:
            found.append(f"units.{troop.id} < 1 (PR-5.8)")
        if war.turn and not troop.cell:
            found.append(f"cell.{troop.id} (PR-2.2)")
        if troop.cell and troop.cell in cells:
            found.append(f"cell.{troop.id} = cell.{cells[troop.cell]} (PR-2.2)")
        cells[troop.cell] = troop.id
        if war.persons[troop.leader].troop != troop.id:
            found.append(f"leader.{troop.id} (PR-1.2)")
    return found
