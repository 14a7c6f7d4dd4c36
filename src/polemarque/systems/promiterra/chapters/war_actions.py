"""Chapter « Actions de guerre » (PR-3.2): what characters do for their troops."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.api import QUIET, Filling, OneOf, Sheet, Step, ask, script, tell
from polemarque.systems.promiterra.state import Effect, Person, War, while_fighting

SLOTS = ("first", "second")
"""A character does at most two different war actions a turn."""


def able(war: War, seat: str) -> tuple[Person, ...]:
    """The characters of an army who stand on the field and know a war action."""
    troops = {troop.id for troop in war.troops_of(seat)}
    return tuple([person for person in war.people if person.actions and person.troop in troops])


@script("PR-3.2")
@while_fighting
def war_actions(war: War) -> Step[War]:
    """The army declares its war actions; those of its last turn end."""
    seat = war.playing
    others = tuple([effect for effect in war.effects if effect.army != seat])
    war = replace(war, effects=others) if len(others) < len(war.effects) else war
    people = able(war, seat)
    if not people:
        return war, []
    declared = yield from ask(seat, action_sheet(war, seat, people), absent=QUIET)
    chosen = []
    for person in people:
        for slot in SLOTS:
            action = declared.get(f"{slot}.{person.id}", "none")
            if action != "none":
                troop = declared[f"{slot}_on.{person.id}"]
                chosen.append(Effect(seat, person.id, action, troop))
                yield from tell("PR-3.2", "action", person=person.id, action=action, troop=troop)
    return replace(war, effects=(*war.effects, *chosen)), []


def action_sheet(war: War, seat: str, people: tuple[Person, ...]) -> Sheet:
    """At most two different actions for each person; the same one once on a troop."""
    troops = tuple([troop.id for troop in war.troops_of(seat)])

    def fill() -> Filling:
        used: set[tuple[str, str]] = set()
        for person in people:
            done = ""
            for slot in SLOTS:
                left = {
                    action: tuple([troop for troop in troops if (action, troop) not in used])
                    for action in person.actions
                    if action != done
                }
                words = tuple([action for action, on in left.items() if on])
                if not words:
                    break
                done = yield f"{slot}.{person.id}", OneOf(("none", *words), "war_action")
                if done == "none":
                    break
                troop = yield f"{slot}_on.{person.id}", OneOf(left[done], "troop")
                used.add((done, troop))

    return Sheet(fill)
