"""Chapter « Fin de la guerre » (PR-8): the winner, pursuit, leaders' fates, lost units."""

from __future__ import annotations

from msgspec.structs import asdict, replace

from polemarque.api import OneOf, Step, ask_each, bonus, call, explain, script, tell, then
from polemarque.systems.promiterra.chapters.trials import (
    THROWS,
    Situation,
    conditions,
    leaders_fate,
    pursuit,
)
from polemarque.systems.promiterra.state import NOBODY, Ending, Person, Troop, War


@script("PR-8.1/end")
def war_ends(war: War) -> Step[War]:
    """Who has won; then pursuit, the fates of leaders, and what became of lost units."""
    if war.ending is None:
        war = replace(war, ending=Ending((*war.sides_present, NOBODY)[0], "alone"))
    ending = war.ending
    assert ending is not None
    if ending.winner == NOBODY:
        yield from tell("PR-8.5", "nobody", cause=ending.cause)
    else:
        yield from tell("PR-8.1", "won", winner=ending.winner, cause=ending.cause)
    leaders = [then(leader_ends, person.id) for person in war.people if person.led]
    return war, [then(pursuit_is_decided), *leaders, then(conditions_on_request), then(war_is_over)]


def winners(war: War) -> tuple[str, ...]:
    """The armies that have won, none where nobody has."""
    ending = war.ending
    if ending is None or ending.winner == NOBODY:
        return ()
    return tuple([seat for seat in war.armies if war.alliance_of(seat) == ending.winner])


def can_be_pursued(war: War) -> tuple[Troop, ...]:
    """Beaten troops that have fled, or stand on the field at an agreed end."""
    won = winners(war)
    return tuple(
        troop
        for troop in war.roster
        if won and troop.army not in won and troop.fate in {"fled", "present"}
    )


@script("PR-8.1/decide")
def pursuit_is_decided(war: War) -> Step[War]:
    """Each winning army decides; one that pursues is enough, and each troop suffers it once."""
    beaten = can_be_pursued(war)
    if not beaten:
        return war, []
    wanted = yield from ask_each(
        winners(war), OneOf(("spare", "pursue"), "pursuit"), absent="spare"
    )
    pursuers = tuple([seat for seat, wish in wanted.items() if wish == "pursue"])
    if not pursuers:
        yield from tell("PR-8.1", "spared", seats=list(wanted))
        return war, []
    yield from tell("PR-8.1", "pursued", seats=list(pursuers))
    assert war.ending is not None
    war = replace(war, ending=replace(war.ending, pursued=pursuers))
    return war, [then(troop_is_pursued, troop.id) for troop in beaten]


@script("PR-8.1/troop")
def troop_is_pursued(war: War, troop: str) -> Step[War]:
    """1D6 tenths of its units."""
    units = war.troops[troop].units
    lost = yield from call(pursuit, units)
    yield from tell("PR-8.1", "caught", troop=troop, losses=lost, left=units - lost)
    return war.losing(troop, lost), []


def situation(war: War, person: Person) -> Situation:
    """How a leader left the war (PR-8.2); without a winner, who still stands there rolls as a
    winner present, others as losers not pursued (PR-8.5).
    """
    ending = war.ending
    assert ending is not None
    fate = war.troops[person.troop].fate
    if person.army in winners(war):
        won: dict[str, Situation] = {"annihilated": "winner_annihilated", "fled": "winner_fled"}
        return won.get(fate, "winner_present")
    if fate == "annihilated":
        return "loser_annihilated"
    if ending.winner == NOBODY and fate == "present":
        return "winner_present"
    return "loser_pursued" if ending.pursued else "loser_fled"


@script("PR-8.2")
def leader_ends(war: War, person: str) -> Step[War]:
    """One roll for each leader who took part."""
    leader = war.persons[person]
    troop = war.troops[leader.troop]
    where = situation(war, leader)
    fate = yield from call(leaders_fate, where, int(troop.bled), war.options.captured)
    yield from explain(bonus("PR-8.2", THROWS[where].plus, where))
    yield from tell(
        "PR-8.3", fate.fate, person=person, seat=leader.army, situation=where, score=fate.score,
        also_weak=fate.also_weak, bonus=fate.bonus,
    )  # fmt: skip
    return war.with_persons([replace(leader, fate=fate.fate)]), []


def with_losses(war: War, seat: str) -> tuple[Troop, ...]:
    """The troops of an army that have lost units."""
    return tuple([t for t in war.roster if t.army == seat and t.lost])


@script("PR-8.4/asked")
def conditions_on_request(war: War) -> Step[War]:
    """Who wants to know rolls for each unit that he has lost."""
    asked = [seat for seat in war.armies if with_losses(war, seat)]
    wanted = yield from ask_each(asked, OneOf(("no", "yes"), "conditions"), absent="no")
    return war, [
        then(lost_units, troop.id)
        for seat, wish in wanted.items()
        if wish == "yes"
        for troop in with_losses(war, seat)
    ]


@script("PR-8.4/troop")
def lost_units(war: War, troop: str) -> Step[War]:
    """What became of the units that one troop has lost."""
    lost = war.troops[troop].lost
    found = yield from call(conditions, lost)
    yield from tell("PR-8.4", "conditions", troop=troop, lost=lost, **asdict(found))
    return war, []


@script("PR-8.5")
def war_is_over(war: War) -> Step[War]:
    """The last word: what each army has left."""
    assert war.ending is not None
    for seat in war.armies:
        troops = [troop for troop in war.roster if troop.army == seat]
        yield from tell(
            "PR-8.1", "report", seat=seat, units=sum([t.units for t in war.troops_of(seat)]),
            dispersed=sum([t.units for t in troops if t.fate == "fled"]),
            lost=sum([troop.lost for troop in troops]),
        )  # fmt: skip
    return replace(war, ending=replace(war.ending, done=True)), []
