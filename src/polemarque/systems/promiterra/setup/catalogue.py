"""Army lists, war actions and careers, as data (PR-1.3, PR-1.8 to PR-1.10).

A catalogue is a TOML file with any of ``[[army]]``, ``[[action]]`` and ``[[career]]``; the shipped
ones, `data/armies.toml` and `data/war_actions.toml`, explain every field.  A set-up may bring one
of its own, whose entries go over ours of the same key.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal

import msgspec

from polemarque.api import always, from_toml
from polemarque.systems.promiterra.stats import NO_CHANGE, Change, Stats
from polemarque.systems.promiterra.tables import DATA

FILES = ("armies.toml", "war_actions.toml")
"""The shipped catalogue."""

MASTERY = 12
"""Points of experience with which a leader masters his career (PR-1.9)."""

TroopType = Literal["melee", "missile", "mounted", "special"]


Some = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
"""Units of a troop."""

Many = msgspec.Meta(max_length=1000)
"""More than any catalogue has of anything."""


class Ability(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What special troops can do (PR-1.10).

    change:     to their own statistics, always.
    no_riposte: their melee attacks suffer no riposte.
    fear:       they are a source of fear to their enemies (PR-4.2d).
    text:       what the umpire has to apply, by language.
    """

    change: Change = always(NO_CHANGE)
    no_riposte: bool = False
    fear: bool = False
    text: dict[str, str] = {}


NO_ABILITY = Ability()


class Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of unit of an army list."""

    key: str
    fr: str
    en: str
    type: TroopType
    movement: int
    range: int = 1
    attack: int
    defence: int
    loyalty: int
    value: int
    ability: Ability = NO_ABILITY

    @property
    def stats(self) -> Stats:
        """Its statistics before anything changes them."""
        return Stats(self.movement, self.range, self.attack, self.defence, self.loyalty, self.value)


class Sample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A troop of the sample army of a list: the first one's leader commands it."""

    unit: str
    units: Some
    leader: str


class ArmyList(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An army: its kinds of units, of which one is special, and an army ready to play."""

    key: str
    fr: str
    en: str
    unit: Annotated[tuple[Kind, ...], Many]
    sample: Annotated[tuple[Sample, ...], msgspec.Meta(max_length=100)] = ()

    def kind(self, key: str) -> Kind | None:
        """A kind by its key."""
        return next((kind for kind in self.unit if kind.key == key), None)


class WarAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A war action: what it adds to the statistics of one troop (PR-1.8)."""

    key: str
    fr: str
    en: str
    change: Change


class Career(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A career: the war actions it teaches, and what full mastery gives a troop (PR-1.9)."""

    key: str
    fr: str
    en: str
    actions: tuple[str, ...] = ()
    mastery: Change = NO_CHANGE


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything an army is made from."""

    army: Annotated[tuple[ArmyList, ...], Many] = ()
    action: Annotated[tuple[WarAction, ...], Many] = ()
    career: Annotated[tuple[Career, ...], Many] = ()

    @property
    def armies(self) -> Mapping[str, ArmyList]:
        """Army lists by key."""
        return {army.key: army for army in self.army}

    @property
    def actions(self) -> Mapping[str, WarAction]:
        """War actions by key."""
        return {action.key: action for action in self.action}

    @property
    def careers(self) -> Mapping[str, Career]:
        """Careers by key."""
        return {career.key: career for career in self.career}

    def over(self, other: Catalogue) -> Catalogue:
        """This catalogue over another: entries of the same key are replaced."""
        return Catalogue(
            tuple({**other.armies, **self.armies}.values()),
            tuple({**other.actions, **self.actions}.values()),
            tuple({**other.careers, **self.careers}.values()),
        )


@cache
def shipped() -> Catalogue:
    """Our own catalogue."""
    whole = Catalogue()
    for name in FILES:
        whole = from_toml((DATA / name).read_bytes(), Catalogue).over(whole)
    return whole
