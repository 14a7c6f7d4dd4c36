"""Checks of an army catalogue file: every fault, each with its file, line and place.

Codes: those of `read_toml`, and

catalogue.unknown_field, catalogue.missing_field, catalogue.type   the form of an entry
catalogue.word           a word that is none of those allowed (kind, group, warband, mount, source)
catalogue.twice          a key used twice
catalogue.name           a name left empty in one language
catalogue.stat           a statistic out of range
catalogue.points         figures that cost nothing, or a command group that pays
catalogue.size           a least size below 1 or above the greatest
catalogue.character      a character that is no single person, or a rank given to a unit
catalogue.share          a share that is no percentage, or of a group that can have none
catalogue.no_general, catalogue.no_core, catalogue.no_sample       what a people must have
catalogue.no_list        1500 points cannot make a legal list
catalogue.unknown_unit   a list that names a unit the file (or the people) has not
catalogue.sample         a ready list that is illegal, with the code of the refusal
catalogue.leader         a mercenary leader who is no character
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec

from polemarque.api import convert
from polemarque.api.files import Finding, Lines, Step, in_order, read_toml
from polemarque.systems.atlantide.setup.catalogue import (
    SHARED_OUT,
    Entry,
    Group,
    Mercenaries,
    People,
    Profile,
    Sample,
)
from polemarque.systems.atlantide.setup.lists import army_faults, offers
from polemarque.systems.atlantide.troops import Kind, Warband

POINTS = 1500
"""What a ready list may cost (AT-1.1)."""

STATS = ("M", "WS", "BS", "S", "T", "W", "I", "A", "Ld")
_RANGES = {"M": (1, 16), "T": (1, 10), "W": (1, 10), "Ld": (2, 10)}
_TOP = ("units", "people", "mercenaries")
_WORDS: dict[str, tuple[str, ...]] = {
    "kind": get_args(Kind),
    "group": get_args(Group),
    "warband": get_args(Warband),
    "mount": ("foot", "horse", "chariot", "camel", "elephant"),
    "source": ("book", "ours"),
}

At = tuple[Step, ...]


class Unshared(msgspec.Struct, frozen=True):
    """The facts of a people as the file gives them, its units apart."""

    key: str
    fr: str
    en: str
    units: list[Any]
    core: int = 0
    most: dict[str, int] = {}
    shared: list[str] = []
    sample: list[Any] = []
    governor: dict[str, str] = {}


def check_catalogue(path: Path | str) -> tuple[Finding, ...]:
    """Every fault of a catalogue file, in its order; none if it can be played with."""
    read = read_toml(path)
    if isinstance(read, Finding):
        return (read,)
    raw, text = read
    return in_order(_Checker(str(path), raw, Lines(text)).findings())


def content_faults(
    content: Mapping[str, Any], file: str = "", text: str = "", within: At = ()
) -> tuple[Finding, ...]:
    """Every fault of a catalogue given as plain data, as a set-up may.

    file, text, within: the file that holds it, its text, and where in it; none: without lines.
    """
    return in_order(_Checker(file, content, Lines(text), within).findings())


class _Checker:
    def __init__(
        self, file: str, raw: Mapping[str, Any], lines: Lines, within: At = ()
    ) -> None:  # fmt: skip
        self.file, self.raw, self.lines, self.within = file, raw, lines, within
        self.seen: dict[str, At] = {}
        self.profiles: dict[str, Profile | None] = {}
        """Every unit key of the file; None where its entry cannot be read."""

    def fault(self, at: At, place: str, code: str, **data: str | int) -> Finding:
        return Finding(self.file, self.line(*at), place, f"catalogue.{code}", data)

    def line(self, *at: Step) -> int:
        return self.lines.of(*self.within, *at)

    def findings(self) -> Iterator[Finding]:
        for name in self.raw:
            if name not in _TOP:
                yield self.fault((name,), name, "unknown_field", field=name)
        yield from self._units((), self.raw)
        peoples = list(self._tables((), self.raw, "people"))
        for at, said in peoples:
            yield from self._people(at, said)
        for at, said in self._tables((), self.raw, "mercenaries"):
            yield from self._mercenaries(at, said)
        for name in _TOP:
            yield from self._not_tables((), self.raw, name)

    def _tables(
        self, at: At, said: Mapping[str, Any], name: str
    ) -> Iterator[tuple[At, Mapping[str, Any]]]:
        """The entries of a list of tables, with where they stand; strangers are left out."""
        value = said.get(name, [])
        for number, entry in enumerate(value if isinstance(value, list) else []):
            if isinstance(entry, dict):
                yield (*at, name, number), entry

    def _not_tables(self, at: At, said: Mapping[str, Any], name: str) -> Iterator[Finding]:
        value = said.get(name, [])
        try:
            convert(value, list[dict[str, Any]])
        except msgspec.ValidationError as error:
            yield self.fault((*at, name), name, "type", field=name, misread=str(error))

    def _form(
        self, at: At, place: str, said: Mapping[str, Any], shape: type[msgspec.Struct]
    ) -> Iterator[Finding]:
        """Fields too many, too few, or of a wrong type; and empty names."""
        fields = {field.encode_name: field for field in msgspec.structs.fields(shape)}
        for name in said:
            if name not in fields:
                yield self.fault((*at, name), place, "unknown_field", field=name)
        for name, field in fields.items():
            if name not in said:
                if field.required:
                    yield self.fault(at, place, "missing_field", field=name)
                continue
            if name in _WORDS and isinstance(said[name], str):
                if said[name] not in _WORDS[name]:
                    legal = ", ".join(_WORDS[name])
                    yield self.fault(
                        (*at, name), place, "word", field=name, word=said[name], legal=legal
                    )
                continue
            try:
                convert(said[name], field.type)
            except msgspec.ValidationError as error:
                yield self.fault((*at, name), place, "type", field=name, misread=str(error))
            if name in {"key", "fr", "en"} and said[name] == "":
                yield self.fault((*at, name), place, "name", field=name)

    def _once(self, at: At, family: str, said: Mapping[str, Any]) -> Iterator[Finding]:
        key = f"{family} {said.get('key')}"
        if "key" in said:
            if key in self.seen:
                first = self.line(*self.seen[key])
                yield self.fault((*at, "key"), key, "twice", key=str(said["key"]), first=first)
            self.seen.setdefault(key, at)

    def _units(self, at: At, said: Mapping[str, Any]) -> Iterator[Finding]:
        for where, entry in self._tables(at, said, "units"):
            place = f"unit {entry.get('key', where[-1])}"
            form = list(self._form(where, place, entry, Profile))
            yield from form
            yield from self._once(where, "unit", entry)
            key = str(entry.get("key", ""))
            if form:
                self.profiles.setdefault(key, None)
                continue
            profile = convert(entry, Profile)
            faults = list(self._sense(where, place, profile))
            yield from faults
            if self.profiles.get(key) is None:
                self.profiles[key] = None if faults else profile

    def _sense(self, at: At, place: str, profile: Profile) -> Iterator[Finding]:
        for name, value in zip(STATS, profile.stats, strict=True):
            low, high = _RANGES.get(name, (0, 10))
            if not low <= value <= high:
                legal = f"{low}-{high}"
                yield self.fault((*at, "stats"), place, "stat", stat=name, value=value, legal=legal)
        if not (profile.save == 0 or 2 <= profile.save <= 6):
            yield self.fault(
                (*at, "save"), place, "stat", stat="save", value=profile.save, legal="0, 2-6"
            )
        if profile.points < 1 or profile.command < 0:
            field = "points" if profile.points < 1 else "command"
            yield self.fault((*at, field), place, "points", field=field)
        least, most = profile.size
        if not 1 <= least <= most or profile.at_most < 0:
            field = "at_most" if 1 <= least <= most else "size"
            yield self.fault((*at, field), place, "size", least=least, most=most)
        ranked = profile.group in {"general", "hero"}
        if profile.is_character and (profile.size != (1, 1) or profile.command):
            yield self.fault((*at, "size"), place, "character", kind=profile.kind)
        elif profile.is_character != ranked and profile.group != "ally":
            yield self.fault((*at, "group"), place, "character", kind=profile.kind)

    def _people(self, at: At, said: Mapping[str, Any]) -> Iterator[Finding]:
        place = f"people {said.get('key', at[-1])}"
        form = list(self._form(at, place, said, Unshared))
        yield from form
        yield from self._once(at, "people", said)
        yield from self._units(at, said)
        yield from self._not_tables(at, said, "units")
        if form:
            return
        facts = convert(said, Unshared)
        yield from self._shares(at, place, facts)
        own = [str(entry.get("key")) for _, entry in self._tables(at, said, "units")]
        named = [*own, *facts.shared]
        for number, key in enumerate(facts.shared):
            if key not in self.profiles:
                yield self.fault((*at, "shared", number), place, "unknown_unit", unit=key)
        units = tuple([p for p in map(self.profiles.get, named) if p is not None])
        whole = len(units) == len(named)
        people = People(facts.key, facts.fr, facts.en, units, facts.core, facts.most)
        if whole:
            yield from self._can_muster(at, place, people)
        if not facts.sample:
            yield self.fault(at, place, "no_sample")
        for where, entry in self._tables(at, said, "sample"):
            yield from self._sample(where, place, entry, people, named, whole=whole)

    def _shares(self, at: At, place: str, facts: Unshared) -> Iterator[Finding]:
        if not 0 <= facts.core <= 100:
            yield self.fault((*at, "core"), place, "share", group="core", share=facts.core)
        for group, share in facts.most.items():
            if group not in SHARED_OUT or not 0 <= share <= 100:
                yield self.fault((*at, "most", group), place, "share", group=group, share=share)

    def _can_muster(self, at: At, place: str, people: People) -> Iterator[Finding]:
        lacking = []
        if not any(unit.group == "general" for unit in people.units):
            lacking.append(self.fault(at, place, "no_general"))
        # A list is filled with core units, so one of them must be there without limit.
        if not any(unit.group == "core" and not unit.at_most for unit in people.units):
            lacking.append(self.fault(at, place, "no_core"))
        yield from lacking
        if not lacking and not offers(people, (), POINTS).lines:
            yield self.fault(at, place, "no_list", points=POINTS)

    def _unknown(
        self, at: At, place: str, entries: Iterable[Entry], known: Iterable[str]
    ) -> Iterator[Finding]:
        names = tuple(known)
        for number, entry in enumerate(entries):
            if entry.profile not in names:
                yield self.fault((*at, "units", number), place, "unknown_unit", unit=entry.profile)

    def _sample(
        self,
        at: At,
        place: str,
        said: Mapping[str, Any],
        people: People,
        named: list[str],
        *,
        whole: bool,
    ) -> Iterator[Finding]:
        form = list(self._form(at, place, said, Sample))
        yield from form
        if form:
            return
        sample = convert(said, Sample)
        unknown = list(self._unknown(at, place, sample.units, named))
        yield from unknown
        if unknown or not whole:
            return
        for refusal in army_faults(people, sample.units, POINTS):
            line = refusal.data.get("line")
            where: At = (*at, "units") if line is None else (*at, "units", line - 1)
            yield self.fault(
                where, place, "sample", refusal=refusal.code, part=refusal.part,
                legal=", ".join(refusal.legal), **refusal.data,
            )  # fmt: skip

    def _mercenaries(self, at: At, said: Mapping[str, Any]) -> Iterator[Finding]:
        place = f"mercenaries {said.get('key', at[-1])}"
        form = list(self._form(at, place, said, Mercenaries))
        yield from form
        yield from self._once(at, "mercenaries", said)
        if form:
            return
        force = convert(said, Mercenaries)
        yield from self._unknown(at, place, force.units, self.profiles)
        leader = self.profiles.get(force.leader)
        if force.leader not in self.profiles:
            yield self.fault((*at, "leader"), place, "unknown_unit", unit=force.leader)
        elif leader is not None and not leader.is_character:
            yield self.fault((*at, "leader"), place, "leader", unit=force.leader)
