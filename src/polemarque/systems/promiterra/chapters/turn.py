"""Chapter « Déroulement » (PR-3.1, PR-3.2): rounds, turns of armies, and war actions."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.api import (
    QUIET,
    Filling,
    Modifier,
    Next,
    OneOf,
    Step,
    Sum,
    ask,
    explain,
    item,
    script,
    sheet_parts,
    tell,
    then,
)
from polemarque.api.adjusting import in_force
from polemarque.systems.promiterra.chapters.ending import war_ends
from polemarque.systems.promiterra.current_stats import stats, value_of
from polemarque.systems.promiterra.state import (
    NOBODY,
    Effect,
    Ending,
    Person,
    Troop,
    War,
    while_fighting,
)

STEPS = ("PR-3.2", "PR-4.2", "PR-3.3", "PR-3.3/move", "PR-5.5", "PR-5.7", "PR-5.6", "PR-7")
"""The steps of an army's turn, in order."""


@script("PR-1.1")
def armies_meet(war: War) -> Step[War]:
    """What each army brings to the field, abilities for the umpire included (PR-1.10)."""
    for seat, army in war.armies.items():
        troops = war.troops_of(seat)
        yield from explain(value_reasons(war, troops))
        yield from tell(
            "PR-1.1", "army", seat=seat, alliance=army.alliance, troops=len(troops),
            units=sum([troop.units for troop in troops]), value=value_of(war, (seat,)),
            leader=army.commander, allied=war.alliances[army.alliance] != army.names,
        )  # fmt: skip
        for troop in troops:
            if troop.ability.text:
                yield from tell("PR-1.10", "ability", troop=troop.id)
    return war, []


def value_reasons(war: War, troops: tuple[Troop, ...]) -> Sum:
    """The value of an army, troop by troop (PR-1.7)."""
    values = [stats(war, troop).value * troop.units for troop in troops]
    return Sum(tuple([Modifier(value, "troop_value", "PR-1.7") for value in values]))


@script("PR-3.1/next")
def next_turn(war: War) -> Next[War]:
    """The next army that has troops plays; when all have, a round has ended."""
    if not war.fighting:
        return war, [then(war_ends)]
    queue = tuple([seat for seat in war.queue if war.troops_of(seat)])
    if not queue:
        war = _round_ended(war)
        if war.ending:
            return war, [then(war_ends)]
        queue = tuple([seat for seat in war.order if war.troops_of(seat)])
    seat, *rest = queue
    war = replace(
        war, queue=tuple(rest), playing=seat, turn=war.turn + 1, orders=(), moved=(), attacked=(),
    )  # fmt: skip
    return war, [then(turn_begins)]


def _round_ended(war: War) -> War:
    """A new round begins, unless the last one was the war's last (PR-8.5)."""
    limit = war.options.turn_limit
    quiet = 0 if war.stirred or not war.round else war.quiet + 1
    if limit and war.round >= limit:
        return replace(war, ending=Ending(NOBODY, "turn_limit"))
    if quiet >= war.options.quiet_limit:
        return replace(war, ending=Ending(NOBODY, "quiet"))
    return replace(war, round=war.round + 1, quiet=quiet, stirred=False)


@script("PR-3.1")
@while_fighting
def turn_begins(war: War) -> Step[War]:
    """An army's turn: changes of options begin, its barricades are left (PR-7.1), and its steps
    follow.
    """
    seat = war.playing
    yield from tell("PR-3.1", "turn", seat=seat, round=war.round, turn=war.turn)
    options = yield from in_force("PR-3.1", war.options, war.coming)
    war = replace(war, options=options, coming={})
    behind = [troop for troop in war.troops_of(seat) if troop.barricaded]
    if behind:
        war = war.with_troops(*[replace(troop, barricaded=False) for troop in behind])
    return war, [*map(item, STEPS), then(next_turn)]


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


@sheet_parts
def action_sheet(war: War, seat: str, people: tuple[Person, ...]) -> Filling:
    """At most two different actions for each person; the same one once on a troop."""
    troops = tuple([troop.id for troop in war.troops_of(seat)])
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
