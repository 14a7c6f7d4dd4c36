"""An army from a sound set-up (PR-1.2 to PR-1.10): its troops, its people, its commander."""

from __future__ import annotations

from polemarque.systems.promiterra.setup.catalogue import MASTERY, ArmyList, Catalogue, Kind
from polemarque.systems.promiterra.setup.set_up_rules import sample_of
from polemarque.systems.promiterra.setup.setup_file import ArmySetup, PersonSetup, TroopSetup
from polemarque.systems.promiterra.state import Army, Person, Troop
from polemarque.systems.promiterra.stats import NO_CHANGE

LANGUAGES = ("fr", "en")


class Muster:
    """The troops and the people of one army; what could be wrong, `scrutiny` has looked at."""

    def __init__(self, lists: Catalogue, seat: str, given: ArmySetup) -> None:
        self.lists = lists
        self.seat = seat
        self.list = lists.armies[given.army]
        self.troops: list[Troop] = []
        self.persons: list[Person] = []
        for troop in given.troops or sample_of(self.list):
            self._enlist(troop)
        self.troops = _numbered(self.troops)
        commander = {person.name: person.id for person in self.persons}.get(given.commander)
        self.army = Army(
            seat=seat,
            names={**_both(self.list), **given.name},
            kind=self.list.key,
            alliance=given.alliance or seat,
            commander=commander or self.troops[0].leader,
            rerolls=given.rerolls,
        )

    def _enlist(self, given: TroopSetup) -> None:
        """One troop with its people."""
        kind = self.list.kind(given.unit)
        assert kind is not None
        troop = f"{self.seat}{len(self.troops) + 1}"
        leader = self._person(given.leader, troop, led=True)
        for other in given.others:
            self._person(other, troop, led=False)
        self.troops.append(
            Troop(
                id=troop,
                army=self.seat,
                kind=kind.key,
                names={**_both(kind), **given.name},
                type=kind.type,
                base=kind.stats,
                units=given.units,
                start=given.units,
                leader=leader,
                cell=given.cell,
                ability=kind.ability,
                unwell=given.unwell,
            )
        )

    def _person(self, given: str | PersonSetup, troop: str, *, led: bool) -> str:
        """One person; gives his id."""
        one = PersonSetup(given) if isinstance(given, str) else given
        career = self.lists.careers.get(one.career)
        learnt = career.actions if career else ()
        masters = career is not None and one.experience >= MASTERY
        person = Person(
            id=f"{self.seat}-{len(self.persons) + 1}",
            name=one.name,
            army=self.seat,
            troop=troop,
            skill=one.skill,
            actions=tuple(dict.fromkeys((*learnt, *one.actions))),
            mastery=career.mastery if career and masters else NO_CHANGE,
            career=one.career,
            led=led,
        )
        self.persons.append(person)
        return person.id


def _both(named: ArmyList | Kind) -> dict[str, str]:
    return {lang: getattr(named, lang) for lang in LANGUAGES}


def _numbered(troops: list[Troop]) -> list[Troop]:
    """Troops of one name are numbered, in every language."""
    for lang in LANGUAGES:
        names = [troop.names[lang] for troop in troops]
        for at, troop in enumerate(troops):
            if names.count(names[at]) > 1:
                troop.names[lang] = f"{names[at]} ({names[: at + 1].count(names[at])})"
    return troops
