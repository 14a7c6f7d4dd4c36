"""The end (AT-1.10 to AT-1.12): who is out, whether it is over, who has won, who returns."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from polemarque.api import (
    D6,
    D100,
    Filling,
    OneOf,
    Rule,
    Step,
    again,
    ask,
    ask_each,
    ask_umpire,
    bonus,
    call,
    explain,
    procedure,
    script,
    sheet_parts,
    tell,
    then,
)
from polemarque.systems.atlantide.chapters.broken_agreements import lapses, present
from polemarque.systems.atlantide.chapters.reinforcements import warbands_roll
from polemarque.systems.atlantide.chapters.turn import (
    Groups,
    Order,
    all_parted,
    campaign_points,
    end_reached,
    is_out,
    leaders,
    may_return,
    part_first,
    return_cities,
    rolled_off,
    turn_begins,
)
from polemarque.systems.atlantide.setup.lists import list_parts, listed
from polemarque.systems.atlantide.setup.opening import enlisted_for
from polemarque.systems.atlantide.state import POINTS_AT_START, War
from polemarque.systems.atlantide.troops import Army

ATLANTEANS = "atlanteans"
"""The people of the catalogue whose general an eliminated player becomes."""


@script("AT-1.10")
def turn_ends(war: War) -> Step[War]:
    """Who is out; whether the campaign is over; else another turn."""
    for code in war.in_play():
        if is_out(war, code):
            yield from tell("AT-1.12", "eliminated", seat=code)
            war = yield from lapses(war, war.eliminated(code))
    why = end_reached(war)
    if not why and war.ending:
        why = yield from _voted(war)
    if why:
        yield from tell("AT-1.10", why, turn=war.turn)
        return war, [then(campaign_is_won)]
    return (yield from _another_turn(war)), [then(turn_begins)]


def _voted(war: War) -> Rule[str]:
    """All wished for the end: now that the turn has been played all are asked once more.

    It takes everybody who is in play; an absent player agrees to nothing (AT-2.4).
    """
    votes = yield from ask_each(present(war), OneOf(("continue", "end"), "vote"), absent="continue")
    if len(votes) == len(war.in_play()) and set(votes.values()) == {"end"}:
        return "vote"
    yield from tell("AT-1.10", "goes_on")
    return ""


def _another_turn(war: War) -> Rule[War]:
    """The next turn: agreements that end with this one lapse, absent players are expected again."""
    war = yield from lapses(war, replace(war.next_turn(), ending=False))
    for code, seat in war.seats.items():
        if seat.absent:
            war = war.changed(code, absent=False)
    return war


@procedure("AT-1.11/roll_off")
def last_roll_off(groups: Groups) -> Rule[Order]:
    """The last of the tie-breaks: a D6 each, the highest wins, equal dice roll again."""
    if len(groups[0]) == 1:
        return Order(groups[0])
    groups = yield from part_first(groups, D6, "roll_off")
    return again(groups[:1])  # type: ignore[no-any-return]


@script("AT-1.11", edition="2026-11.2")
def campaign_is_won(war: War) -> Step[War]:
    """The umpire says how a tie is broken; if the umpire plays, those who are level do."""
    return (yield from won(war, ask_umpire))


def won(war: War, asks: Callable[..., Rule[str]]) -> Step[War]:
    """Territories; the city of Atlantis; loot and army points; a roll-off, or a game instead."""
    found = leaders(war)
    winners = found.seats
    by = found.by
    if len(winners) > 1:
        yield from tell("AT-1.11", "tied", seats=winners)
        word = yield from asks(
            OneOf(("roll", *winners), "roll_off"),
            absent="roll",
            subject="roll_off",
            touches=[seat for seat in winners if not war.seats[seat].absent] or winners,
        )
        if word == "roll":
            winners = (yield from call(last_roll_off, (winners,))).seats
        else:
            winners, by = (word,), "game"
    for seat in winners:
        yield from explain(bonus("AT-1.11", len(war.lands_of(seat)), "territories"))
        yield from tell(
            "AT-1.11", "won", seat=seat, by=by, territories=len(war.lands_of(seat)),
            points=campaign_points(war.seats[seat]),
        )  # fmt: skip
    if not winners:
        yield from tell("AT-1.11", "nobody")
    return replace(war, over=True, winners=winners), []


@procedure("AT-1.12/order")
def order_of_return(groups: Groups) -> Rule[Order]:
    """Players eliminated on the same turn roll D100 for who chooses first."""
    return (yield from rolled_off(groups, D100, "return"))


@script("AT-1.12")
def who_may_return(war: War) -> Step[War]:
    """Eliminated players, the earliest first, if a royal city is Atlantean and free of armies."""
    seats = tuple([seat for seat in may_return(war) if not war.seats[seat].absent])
    if not seats or not return_cities(war):
        return war, []
    turns = sorted({war.seats[seat].eliminated for seat in seats})
    groups = tuple([tuple([s for s in seats if war.seats[s].eliminated == t]) for t in turns])
    if not all_parted(groups):
        seats = (yield from call(order_of_return, groups)).seats
        yield from tell("AT-1.12", "order", seats=seats)
    return war, [then(player_returns, seat) for seat in seats]


@script("AT-1.12/return")
def player_returns(war: War, seat: str) -> Step[War]:
    """He picks a kingdom: what is still Atlantean in it is his, and an army stands in its city."""
    cities = return_cities(war)
    if not cities:
        return war, []
    sheet = yield from ask(
        seat, lambda _: _return_sheet(war, cities), absent={"city": "wait"}, subject="return"
    )
    city = sheet["city"]
    if city == "wait":
        return war, []
    kingdom = war.board.by_id[city].kingdom
    for place in war.board.kingdoms[kingdom]:
        if war.owner(place) is None:
            war = yield from lapses(war, war.colonised(place, seat))
    people = _people(war)
    war = war.changed(
        seat, kingdom=kingdom, catalogue=people, loot=0, eliminated=0, returned=True, waiting=()
    )
    war = enlisted_for(war, seat, listed(war.lists.peoples[people], sheet))
    mustered = war.seats[seat].waiting[0]
    army = Army(mustered.units, mustered.characters, city)
    war = war.changed(seat, army=army, waiting=())
    yield from tell("AT-1.12", "returns", seat=seat, kingdom=kingdom, place=city)
    return war, [then(warbands_roll, seat)]


def _people(war: War) -> str:
    """The Atlanteans; in a club's catalogue without them, the last people of the file."""
    peoples = war.lists.peoples
    return ATLANTEANS if ATLANTEANS in peoples else list(peoples)[-1]


@sheet_parts
def _return_sheet(war: War, cities: tuple[str, ...]) -> Filling:
    city = yield "city", OneOf(("wait", *cities), "territory")
    if city != "wait":
        yield from list_parts(war.lists.peoples[_people(war)], POINTS_AT_START)
