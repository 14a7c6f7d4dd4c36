"""The whole state of a war, and how it changes: always into a new `War`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache, wraps
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from polemarque.api import always
from polemarque.api.boards import Board, Cell
from polemarque.systems.promiterra.setup.catalogue import NO_ABILITY, Ability, TroopType, WarAction
from polemarque.systems.promiterra.setup.options import Options
from polemarque.systems.promiterra.stats import NO_CHANGE, Change, Stats

Fate = Literal["present", "fled", "annihilated", "merged"]
"""How a troop stands.  "fled": dispersed by loyalty, a duel or flight (PR-8.2); "merged": it is
part of another one now (PR-7.8)."""

Act = Literal[
    "none", "attack", "barricade", "invasion", "flight", "duel", "division", "merger"
]  # fmt: skip
"""What a troop does beside its move (PR-3.3)."""

FORTS, FEAR = "fortification", "fear"
"""The marks of a board that count: levels of fortification (PR-2.3), sources of fear (PR-4.2)."""

NOBODY = "nobody"
"""The outcome of a war without a winner (PR-8.5)."""


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """A leader or another character.

    troop:   the troop he stands in, or stood in last.
    skill:   added to his die in a duel (PR-7.6).
    actions: the war actions that he knows.
    mastery: what he adds to a troop that he leads (PR-1.9).
    led:     whether he has led a troop in this war (PR-8.2).
    fate:    how he came out of it, once the war is over (PR-8.3).
    """

    id: str
    name: str
    army: str
    troop: str
    skill: int = 0
    actions: tuple[str, ...] = ()
    mastery: Change = always(NO_CHANGE)
    career: str = ""
    led: bool = False
    fate: str = ""


class Troop(msgspec.Struct, frozen=True, omit_defaults=True):
    """A troop.

    names:      by language.     base: statistics before changes.
    start:      its starting units (PR-4.2b, PR-7.9).
    leader:     the person who leads it.
    cell:       where it stands; "" off the field, or not deployed yet.
    unwell:     it has health problems (PR-4.2e).
    lost:       units removed by attacks, ripostes and pursuit.
    bled:       whether its people have seen such a loss, before a division too (PR-8.3).
    origins:    the first troops whose units it may hold, after divisions and mergers; (): its own.
    refused:    its leader refused a duel (PR-7.6).
    barricaded: until its army's next turn (PR-7.1).
    """

    id: str
    army: str
    kind: str
    names: dict[str, str]
    type: TroopType
    base: Stats
    units: int
    start: int
    leader: str
    cell: str = ""
    ability: Ability = always(NO_ABILITY)
    unwell: bool = False
    fate: Fate = always("present")
    lost: int = 0
    bled: bool = False
    origins: tuple[str, ...] = ()
    refused: bool = False
    barricaded: bool = False


class Army(msgspec.Struct, frozen=True, omit_defaults=True):
    """An army.

    names:     by language.   kind: key of its army list.
    alliance:  those of one alliance are no enemies.
    commander: the person whose troop its loyalty hangs on (PR-4.2c).
    wish:      the outcome with which it would end the war: an alliance, `NOBODY`, or "" for none
               (PR-8.1).
    zone:      where it may deploy (PR-2.4).
    rerolls:   rolls that its priests can still have made again (PA-4).
    """

    seat: str
    names: dict[str, str]
    kind: str
    alliance: str
    commander: str
    wish: str = ""
    zone: tuple[Cell, ...] = ()
    rerolls: int = 0


class Effect(msgspec.Struct, frozen=True):
    """A war action in force (PR-3.2)."""

    army: str
    person: str
    action: str
    troop: str


class Order(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a troop has declared (PR-3.3).

    path:   cells to enter.
    target: troop that is attacked, challenged or merged with.
    cell:   that is invaded, or taken by the new or the merged troop.
    units:  of the new troop.   leader: of the new or the merged troop.
    named:  troop whose name the merged one bears, where both are equally large.
    """

    troop: str
    path: tuple[Cell, ...] = ()
    act: Act = always("none")
    target: str = ""
    cell: Cell = ""
    units: int = 0
    leader: str = ""
    named: str = ""


class Ending(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the war ended (PR-8.1, PR-8.5).

    winner:  an alliance, or `NOBODY`.
    cause:   "alone" on the field, "agreed", "turn_limit", "quiet", or "declared" by the umpire.
    pursued: the armies that decided to pursue.
    done:    whether all that follows has been settled.
    """

    winner: str
    cause: Literal["alone", "agreed", "turn_limit", "quiet", "declared"]
    pursued: tuple[str, ...] = ()
    done: bool = False


@lru_cache(maxsize=4096)
def rank(code: str) -> tuple[str, int, tuple[int, ...]]:
    """The place of a troop or a person in its order: A2 before A10, and A-1-1 after all of them.

    A saved war gives its keys back in alphabetical order, so that theirs cannot be relied on.
    """
    numbers = tuple([int(number) for number in code[1:].split("-") if number])
    return code[0], len(numbers), numbers


class War(msgspec.Struct, frozen=True, omit_defaults=True, dict=True):
    """A war as it stands.

    holders:  the alliance that defends a fortified cell: named at first, or last there (PR-7.4).
    order:    seats in the order in which they play.   queue: those still to play this round.
    turn:     the army's turn that is being played, from 1; 0 before the first.
    playing:  whose it is.   round: from 1.
    first:    the alliance that plays first, "" until it is known.
    effects:  war actions in force.
    orders:   declared and confirmed, in the order in which troops move.
    moved, attacked: troops that did so this turn.
    stirred:  whether anything has changed on the field this round: a place, a troop, an attack.
    quiet:    rounds in a row in which nothing has.
    coming:   options that change with the next turn.
    """

    board: Board
    armies: dict[str, Army]
    troops: dict[str, Troop]
    persons: dict[str, Person]
    actions: dict[str, WarAction]
    options: Options
    alliances: dict[str, dict[str, str]] = {}
    holders: dict[Cell, str] = {}
    order: tuple[str, ...] = ()
    queue: tuple[str, ...] = ()
    turn: int = 0
    round: int = 0
    playing: str = ""
    first: str = ""
    effects: tuple[Effect, ...] = ()
    orders: tuple[Order, ...] = ()
    moved: tuple[str, ...] = ()
    attacked: tuple[str, ...] = ()
    stirred: bool = False
    quiet: int = 0
    ending: Ending | None = None
    coming: dict[str, Any] = {}

    @cached_property
    def roster(self) -> tuple[Troop, ...]:
        """All troops there have been, in order: as listed, then those that divisions made."""
        return tuple([self.troops[code] for code in sorted(self.troops, key=rank)])

    @cached_property
    def people(self) -> tuple[Person, ...]:
        """All leaders and characters, in order."""
        return tuple([self.persons[code] for code in sorted(self.persons, key=rank)])

    @cached_property
    def present(self) -> tuple[Troop, ...]:
        """The troops that have not left the war, in their order."""
        return tuple([troop for troop in self.roster if troop.fate == "present"])

    @cached_property
    def standing_on(self) -> dict[Cell, Troop]:
        """Who stands where."""
        return {troop.cell: troop for troop in self.present if troop.cell}

    def troops_of(self, seat: str) -> tuple[Troop, ...]:
        """The troops of an army that are present."""
        return tuple([troop for troop in self.present if troop.army == seat])

    def alliance_of(self, seat: str) -> str:
        """The alliance of an army."""
        return self.armies[seat].alliance

    def hostile(self, a: str, b: str) -> bool:
        """Whether two armies are enemies."""
        return self.armies[a].alliance != self.armies[b].alliance

    def enemies_of(self, seat: str) -> tuple[Troop, ...]:
        """The hostile troops that are present."""
        side = self.armies[seat].alliance
        armies = self.armies
        return tuple([troop for troop in self.present if armies[troop.army].alliance != side])

    @cached_property
    def sides_present(self) -> tuple[str, ...]:
        """The alliances that have troops on the field, each once."""
        return tuple(dict.fromkeys([self.armies[troop.army].alliance for troop in self.present]))

    @property
    def fighting(self) -> bool:
        """Whether the war still goes on."""
        return self.ending is None and len(self.sides_present) > 1

    @property
    def over(self) -> bool:
        """Whether everything is settled."""
        return self.ending is not None and self.ending.done

    def fort(self, cell: Cell) -> int:
        """The level of fortification of a cell, 0 for none."""
        return self.board.mark(FORTS, cell) if cell else 0

    def present_troop(self, troop: str) -> Troop | None:
        """A troop, if it has not left the war."""
        found = self.troops[troop]
        return found if found.fate == "present" else None

    def with_troops(self, *troops: Troop) -> War:
        """The war with these troops in place of what they were."""
        return replace(self, troops={**self.troops, **{troop.id: troop for troop in troops}})

    def with_persons(self, persons: Iterable[Person]) -> War:
        """The war with these persons in place of what they were."""
        return replace(self, persons={**self.persons, **{each.id: each for each in persons}})

    def changed(self, troop: str, **fields: Any) -> War:
        """The war with fields of a troop replaced."""
        return self.with_troops(replace(self.troops[troop], **fields))

    def with_army(self, seat: str, **fields: Any) -> War:
        """The war with fields of an army replaced."""
        return replace(self, armies={**self.armies, seat: replace(self.armies[seat], **fields)})

    def left_by(self, troop: str, fate: Fate) -> War:
        """The war after a troop has left the field."""
        war = self.changed(troop, fate=fate, cell="", barricaded=False)
        return replace(war, stirred=True)

    def placed(self, troop: str, cell: Cell) -> War:
        """The war with a troop in a cell; a fortified one is its alliance's from now on.

        A troop that goes elsewhere leaves its barricade behind (PR-7.1).
        """
        was = self.troops[troop]
        stays = was.barricaded and was.cell == cell
        war = replace(self.changed(troop, cell=cell, barricaded=stays), stirred=True)
        if self.board.mark(FORTS, cell):
            side = self.armies[self.troops[troop].army].alliance
            war = replace(war, holders={**self.holders, cell: side})
        return war

    def losing(self, troop: str, units: int) -> War:
        """The war after a troop has lost units to an attack, a riposte or pursuit; at most all."""
        was = self.troops[troop]
        units = min(units, was.units)
        if not units:
            return self
        return self.changed(troop, units=was.units - units, lost=was.lost + units, bled=True)


def while_fighting(run: Any) -> Any:
    """Let a script do nothing once the war has ended: what follows is PR-8's business."""

    @wraps(run)
    def guarded(war: War, *args: Any) -> Any:
        return run(war, *args) if war.fighting else (war, ())

    return guarded
