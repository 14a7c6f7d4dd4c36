"""The army catalogue (AT-1.9): peoples, their units, and what a list may hold.

The shipped catalogue is `data/catalogue.toml`, which describes its own form; a club may write one
of its own in the same form.  A file with any fault is refused whole, with every fault named.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from polemarque.api import always, convert
from polemarque.api.files import CheckFailed, Finding, read_toml
from polemarque.systems.atlantide.troops import Character, Kind, Unit, Warband

SHIPPED = Path(__file__).parents[1] / "data" / "catalogue.toml"

Group = Literal["general", "hero", "core", "special", "elite", "ally"]
"""What the limits of a list tell apart; "ally" belongs to no people's own list."""

SHARED_OUT: tuple[Group, ...] = ("hero", "special", "elite")
"""Groups that can have a greatest share of the points; the general and core units have none."""


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a unit or character of the catalogue is.

    stats:   M, WS, BS, S, T, W, I, A, Ld, as printed.   save: armour save, 0 for none.
    points:  army points of one figure.   command: of leader, musician and standard, once a unit.
    size:    least and most figures of a unit.
    at_most: units of this profile in a list; 0: no limit.
    traits:  words without effect in the program.   mount: of a character.
    source:  "book" for the book's own profiles, else "ours".
    """

    key: str
    fr: str
    en: str
    kind: Kind
    group: Group
    stats: tuple[int, int, int, int, int, int, int, int, int]
    points: int
    save: int = 0
    command: int = 0
    size: tuple[int, int] = always((1, 1))
    at_most: int = 0
    warband: Warband = always("no")
    mount: Literal["foot", "horse", "chariot", "camel", "elephant"] = always("foot")
    traits: tuple[str, ...] = ()
    source: Literal["book", "ours"] = always("ours")

    @property
    def is_character(self) -> bool:
        """Whether it is one person, not a unit."""
        return self.kind == "character"

    def cost(self, figures: int) -> int:
        """Army points of a unit of that many figures, command group included."""
        return self.points * figures + self.command

    def unit(self, number: int, figures: int, die: int = 0) -> Unit:
        """A whole unit of this profile, under a number of its seat's (see `Unit`)."""
        _, ws, _, _, toughness, _, _, _, ld = self.stats
        band = "" if self.warband == "no" else self.warband
        return Unit(
            number, self.key, self.kind, figures, figures, band, die, self.traits,
            ws=ws, toughness=toughness, ld=ld, points=self.cost(figures),
        )  # fmt: skip

    def character(self, number: int) -> Character:
        """A character of this profile; a general if its group says so."""
        _, ws, _, _, toughness, _, _, _, ld = self.stats
        general = self.group == "general"
        return Character(
            number, self.key, general, self.mount,
            ws=ws, toughness=toughness, ld=ld, points=self.cost(1),
        )  # fmt: skip


class Entry(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One line of an army list: a profile's key, and figures (1 for a character)."""

    profile: str
    count: int = 1


ArmyList = tuple[Entry, ...]
"""An army list as a player writes it."""


class Sample(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A list ready to play."""

    fr: str
    en: str
    units: ArmyList

    def called(self, lang: str) -> str:
        """Its name in a language."""
        return self.fr if lang == "fr" else self.en


class People(msgspec.Struct, frozen=True, dict=True, omit_defaults=True):
    """A people that a player can lead.

    core:   least share of the list's points, in percent, that core units take.
    most:   greatest share of a group, in percent.
    units:  what it can field, shared profiles included, in the order of the file.
    sample: lists ready to play, of at most 1500 points.
    governor: by language, what its player is called who gives his people no name.
    """

    key: str
    fr: str
    en: str
    units: tuple[Profile, ...]
    core: int = 0
    most: dict[str, int] = {}
    sample: tuple[Sample, ...] = ()
    governor: dict[str, str] = {}

    @cached_property
    def by_key(self) -> dict[str, Profile]:
        """Profile by key."""
        return {profile.key: profile for profile in self.units}

    @cached_property
    def for_sale(self) -> tuple[tuple[Profile, int], ...]:
        """What loot buys whole, with its least price: units, and a general (AT-5.2, AT-1.14)."""
        return tuple(
            (profile, profile.cost(profile.size[0]))
            for profile in self.units
            if not profile.is_character or profile.group == "general"
        )


class Mercenaries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A force of guests for one battle (AT-1.13).

    leader: profile of its allied general or chieftain, left out where the other side has the guest.
    """

    key: str
    fr: str
    en: str
    leader: str
    units: ArmyList


class Catalogue(msgspec.Struct, frozen=True, dict=True, omit_defaults=True):
    """A whole catalogue: loose profiles, peoples, mercenary forces."""

    units: tuple[Profile, ...] = ()
    people: tuple[People, ...] = ()
    mercenaries: tuple[Mercenaries, ...] = ()

    @cached_property
    def profiles(self) -> dict[str, Profile]:
        """Every profile by its key."""
        everybody = [*self.units, *(unit for people in self.people for unit in people.units)]
        return {profile.key: profile for profile in everybody}

    @cached_property
    def peoples(self) -> dict[str, People]:
        """Every people by its key, in the order of the file."""
        return {people.key: people for people in self.people}

    @cached_property
    def forces(self) -> dict[str, Mercenaries]:
        """Every mercenary force by its key."""
        return {force.key: force for force in self.mercenaries}

    def mercenary_list(self, force: str, *, leader: bool) -> ArmyList:
        """A mercenary force as a list, its leader first if he is there (AT-1.13)."""
        hired = self.forces[force]
        return (Entry(hired.leader), *hired.units) if leader else hired.units

    def points(self, entries: ArmyList) -> int:
        """Army points of a list whose profiles are all known."""
        return sum([self.profiles[entry.profile].cost(entry.count) for entry in entries])


def build(raw: Mapping[str, Any]) -> Catalogue:
    """A catalogue from what its file says.  Raises msgspec.ValidationError or KeyError on a fault
    of form; `catalogue_checks` finds all of them, and those of sense.
    """
    loose = convert(raw.get("units", []), tuple[Profile, ...])
    shared = {profile.key: profile for profile in loose}
    peoples = []
    for said in raw.get("people", []):
        own = convert(said.get("units", []), tuple[Profile, ...])
        units = own + tuple([shared[key] for key in said.get("shared", [])])
        facts = {name: value for name, value in said.items() if name not in {"units", "shared"}}
        peoples.append(convert({**facts, "units": units}, People))
    mercenaries = convert(raw.get("mercenaries", []), tuple[Mercenaries, ...])
    return Catalogue(loose, tuple(peoples), mercenaries)


def load_catalogue(path: Path | str | None = None) -> Catalogue:
    """The shipped catalogue, or that of a file.

    Read once, and again only when the file has changed.  Raises CheckFailed with every fault of
    the file; the shipped one is checked by the tests and by `polemarque check` instead.
    """
    if path is None:
        return _shipped()
    stat = Path(path).stat() if Path(path).is_file() else None
    return _loaded(str(path), stat.st_mtime_ns if stat else 0, stat.st_size if stat else 0)


@cache
def _shipped() -> Catalogue:
    read = read_toml(SHIPPED)
    if isinstance(read, Finding):
        raise CheckFailed([read])
    return build(read[0])


@cache
def _loaded(path: str, _changed: int, _size: int) -> Catalogue:
    from polemarque.systems.atlantide.setup.catalogue_checks import check_catalogue

    findings = check_catalogue(path)
    read = read_toml(path)
    if findings or isinstance(read, Finding):
        raise CheckFailed(findings)
    return build(read[0])
