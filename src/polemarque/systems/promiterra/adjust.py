"""What an umpire may adjust between two steps of a war, and what a sound war is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from polemarque.api import NotAllowed, NotUnderstood
from polemarque.api.adjusting import formed, number, ordered, truth, word
from polemarque.systems.promiterra.setup.options import CHOICES
from polemarque.systems.promiterra.state import NOBODY, Ending, Troop, War
from polemarque.systems.promiterra.stats import LIMITS, STATS

SETTLED = ("special_share", "grid")
"""Options that a war is made by: they cannot change while it is played."""

FATES = ("present", "fled", "annihilated")

LEGAL = (
    "units.TROOP", "start.TROOP", "cell.TROOP", "fate.TROOP", "unwell.TROOP", "barricaded.TROOP",
    "refused.TROOP", *(f"{stat}.TROOP" for stat in STATS), "leader.TROOP", "commander.ARMY",
    "holder.CELL", "end", "option.NAME",
)  # fmt: skip


def adjust(war: War, name: str, value: Any) -> War:
    """The war with one thing adjusted; `faults` has the last word.

    `<figure>.<troop>` changes a troop: units, start, cell, fate, unwell, barricaded, refused,
    leader, or one of its statistics before changes; `commander.<army>` says who commands;
    `holder.<cell>` which alliance defends a fortified cell; `end` declares an alliance the winner,
    or nobody; `option.<name>` changes an option from the next army's turn on.
    Raises NotUnderstood on an unknown name or value, NotAllowed where a rule is against it.
    """
    what, _, whom = formed(name, LEGAL).partition(".")
    act = ADJUSTABLE.get(what)
    if act is None:
        raise NotUnderstood("act.unknown", part=name, legal=LEGAL)
    return act(war, what, whom, value)


def _troop(war: War, whom: str) -> Troop:
    """A troop by its code; one that is part of another now is no more (PR-7.8)."""
    if whom not in war.troops:
        raise NotUnderstood("act.unknown", part=whom, legal=war.troops)
    troop = war.troops[whom]
    if troop.fate == "merged":
        left = [other.id for other in war.roster if other.fate != "merged"]
        raise NotAllowed("promiterra.merged", rule="PR-7.8", part=whom, legal=left)
    return troop


def _units(war: War, what: str, whom: str, value: Any) -> War:
    """Units, or starting units; a troop at 0 units is annihilated (PR-5.8).

    Those taken away are lost, those given back no longer (PR-8.4).
    """
    troop = _troop(war, whom)
    count = number(value, 0, 1_000_000, name=what)
    if what == "start":
        return war.changed(whom, start=count)
    war = war.changed(whom, units=count, lost=max(0, troop.lost + troop.units - count))
    return war if count else war.left_by(whom, "annihilated")


def _cell(war: War, what: str, whom: str, value: Any) -> War:
    """Where a troop stands, or will once it is back: on a free cell of the board (PR-2.2)."""
    troop = _troop(war, whom)
    word(value, war.board.grid.cells, name=what, rule="PR-2.2")
    if value in war.standing_on and war.standing_on[value].id != whom:
        near = war.board.grid.neighbours(value)
        free = [cell for cell in near if cell not in war.standing_on]
        raise NotAllowed("promiterra.two_in_cell", rule="PR-2.2", part=value, legal=free)
    if troop.fate != "present":  # it holds no fortification before it is there (PR-7.4)
        return war.changed(whom, cell=value)
    return war.placed(whom, value)


def _fate(war: War, what: str, whom: str, value: Any) -> War:
    """Whether a troop is present; one that comes back needs a cell, and units (PR-5.8)."""
    troop = _troop(war, whom)
    fate = word(value, FATES, name=what)
    if fate == "present":
        war = war.changed(whom, fate=fate)
        return war.placed(whom, troop.cell) if troop.cell else war
    if fate == "annihilated":
        return _units(war, "units", whom, 0)
    return war.left_by(whom, fate)


def _flag(war: War, what: str, whom: str, value: Any) -> War:
    _troop(war, whom)
    return war.changed(whom, **{what: truth(value, name=what)})


def _stat(war: War, what: str, whom: str, value: Any) -> War:
    """A statistic before changes, within its limits (PR-1.6)."""
    troop = _troop(war, whom)
    limit = LIMITS[next(name for name in STATS if name == what)]
    figure = number(value, limit.least, limit.most, name=what)
    return war.changed(whom, base=replace(troop.base, **{what: figure}))


def _leader(war: War, what: str, whom: str, value: Any) -> War:
    """Who leads a troop: one of those who stand in it (PR-1.2)."""
    _troop(war, whom)
    inside = [person.id for person in war.people if person.troop == whom]
    leader = war.persons[word(value, inside, name=what)]
    return war.changed(whom, leader=leader.id).with_persons([replace(leader, led=True)])


def _commander(war: War, what: str, whom: str, value: Any) -> War:
    if whom not in war.armies:
        raise NotUnderstood("act.unknown", part=whom, legal=war.armies)
    people = [person.id for person in war.people if person.army == whom]
    return war.with_army(whom, commander=word(value, people, name=what))


def _holder(war: War, what: str, whom: str, value: Any) -> War:
    if not war.fort(whom):
        raise NotUnderstood("act.unknown", part=whom, legal=LEGAL)
    sides = tuple(dict.fromkeys([army.alliance for army in war.armies.values()]))
    return replace(war, holders={**war.holders, whom: word(value, sides, name=what)})


def _end(war: War, what: str, _: str, value: Any) -> War:
    sides = tuple(dict.fromkeys([army.alliance for army in war.armies.values()]))
    return replace(war, ending=Ending(word(value, (NOBODY, *sides), name=what), "declared"))


def _option(war: War, _: str, whom: str, value: Any) -> War:
    open_still = [choice for choice in CHOICES if choice.name not in SETTLED]
    return replace(war, coming=ordered(war.coming, open_still, whom, value))


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
