"""The whole state of an Atlantide campaign, and how it changes: always into a new `War`.

Territories and seats are small dictionaries that are copied, never changed in place.  Whatever
lists territories does so in the board's order, whatever lists seats in the order of their codes:
a state read back from its JSON then behaves as the one that was written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from polemarque.api import always
from polemarque.api.battle import Report
from polemarque.api.maps import Holdings, Latest
from polemarque.systems.atlantide.agreements import Agreement, Proposal, in_passage
from polemarque.systems.atlantide.chapters.casualty_recovery import remnant
from polemarque.systems.atlantide.setup.catalogue import Catalogue, Profile, load_catalogue
from polemarque.systems.atlantide.setup.island import Board, Terrain, shipped_board
from polemarque.systems.atlantide.setup.options import Options
from polemarque.systems.atlantide.troops import Army, Character, Unit


class Guest(msgspec.Struct, frozen=True, omit_defaults=True):
    """Mercenaries at one battle (AT-1.13): the side they join, their force, leader or not, D3s."""

    side: str
    force: str
    leader: bool = True
    dice: tuple[int, ...] = ()


class Battle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A battle of this turn: the attacker is the army that entered last (AT-8.11).

    deputies: who plays the part of the attacker, of the defender, while he is absent (AT-2.4).
    resolver: who resolves it, if both agreed on another than the campaign's (AT-8.10, PA-2).
    previous: the strategies that led to no battle, and refused: how often running (AT-8.3).
    sectors:  elements of terrain, sector by sector (AT-8.5).
    report:   once the battle has been fought; counted: the sides that have taken their losses.
    """

    place: str
    attacker: str
    defender: str
    strategies: tuple[str, str] | None = None
    scenario: str = ""
    by: str | None = None
    walls: str | None = None
    formations: bool = True
    deputies: tuple[str, str] = always(("", ""))
    resolver: str = ""
    guests: tuple[Guest, ...] = ()
    previous: tuple[str, str] | None = None
    refused: int = 0
    sectors: tuple[tuple[str, ...], ...] = ()
    report: Report | None = None
    counted: tuple[str, ...] = ()

    @property
    def sides(self) -> tuple[str, str]:
        """Attacker and defender."""
        return self.attacker, self.defender

    def turned(self) -> Battle:
        """The same battle with attacker and defender in each other's place (AT-8.11)."""
        return msgspec.structs.replace(
            self, attacker=self.defender, defender=self.attacker,
            strategies=self.strategies and self.strategies[::-1],
            previous=self.previous and self.previous[::-1], deputies=self.deputies[::-1],
        )  # fmt: skip


Conquered = Literal["", "taken", "beaten", "crushed", "destroyed", "passage", "withdrawn", "stays"]
"""How an army fared on foreign land (AT-9); nothing where it was on its own."""


class SheetRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """One turn of a player's campaign sheet (AT-11.1), in words of the text catalogues.

    diplomacy:    "agreed:<kind>:<other party>" and "broken:<kind>:<who broke it>".
    taxes, spent: loot collected, and loot spent on reinforcements.   supply: effect of AT-6.3.
    """

    turn: int
    event: str = ""
    diplomacy: tuple[str, ...] = ()
    taxes: int = 0
    spent: int = 0
    fortresses: tuple[str, ...] = ()
    supplied: bool | None = None
    supply: str = ""
    left: str = ""
    arrived: str = ""
    strategy: str = ""
    scenario: str = ""
    result: str = ""
    conquest: str = ""
    conquest_result: Conquered = ""
    notes: str = ""


class JournalEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the campaign's journal (AT-11.2): who wrote it, and what."""

    turn: int
    author: str
    text: str


PHASES = (
    "events", "diplomacy", "loot", "supply", "movement", "battles", "conquest", "reinforcements"
)  # fmt: skip
"""The phases of a turn, in order (AT-2.1)."""

LOOT_AT_START = 250
POINTS_AT_START = 1500


class Land(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What can change about a territory.

    owner:      seat that holds it, None while it is Atlantean.
    fortresses: 0 to 2 (AT-5.3).
    """

    terrain: Terrain
    owner: str | None = None
    fortresses: int = 0


class Waiting(msgspec.Struct, frozen=True, omit_defaults=True):
    """Units on their way to the army; they neither fight nor block (AT-10.3).

    cause: "bought" (AT-5.2), "slaves" (AT-3.1, join where the army stands), or "returned" from a
           destroyed army (AT-8.8).
    due:   first turn on which they can join.
    place: territory where they wait, None while they have not arrived.
    A unit with the number of one in the army fills it up again.
    """

    cause: Literal["bought", "slaves", "returned"]
    due: int
    place: str | None = None
    units: tuple[Unit, ...] = ()
    characters: tuple[Character, ...] = ()


class Seat(msgspec.Struct, frozen=True, omit_defaults=True):
    """One player.

    code:       "A" to "I".         people:    the name he gave his people (AT-1.1).
    catalogue:  key of the people in the army catalogue whose units he fields.
    kingdom:    his starting kingdom, "" until he has chosen one.
    loot:       never below 0 (AT-5.5).
    next_id:    number of the next unit or character that enters play.
    absent:     his player does not play this turn (AT-2.4).
    eliminated: turn on which he was eliminated, 0 if he is in play.
    returned:   he came back once (AT-1.12).
    given_up:   nobody took his seat over (AT-1.16).
    """

    code: str
    people: str = ""
    catalogue: str = ""
    kingdom: str = ""
    loot: int = LOOT_AT_START
    army: Army | None = None
    waiting: tuple[Waiting, ...] = ()
    next_id: int = 1
    absent: bool = False
    eliminated: int = 0
    returned: bool = False
    given_up: bool = False


def _playing(seats: dict[str, Seat]) -> tuple[str, ...]:
    return tuple([s.code for s in seats.values() if not s.eliminated and not s.given_up])


def _camps(seats: dict[str, Seat]) -> dict[str, tuple[str, ...]]:
    """Seats whose army stands in a territory, by territory."""
    found: dict[str, tuple[str, ...]] = {}
    for code, seat in seats.items():
        if seat.army is not None:
            place = seat.army.place
            found[place] = (*found.get(place, ()), code)
    return found


_HOLDINGS, _PLAYING, _CAMPS = Holdings(), Latest(_playing), Latest(_camps)


class War(msgspec.Struct, frozen=True, omit_defaults=True):
    """The campaign as it stands.

    turn, phase:  from 1; one of `PHASES`, or "" before the first.
    lands, seats: by territory, by seat code.
    order:        seats in the order in which they act this phase (AT-2.2).
    moves:        how many times an army has entered a territory so far.
    agreed:       how many agreements have been made so far.
    sheets:       each seat's campaign sheet, one row per turn.
    winners:      once it is over, who won.
    own_board:    the island given in the set-up; None: the first shipped one (see `board`).
    catalogue:    the army catalogue given in the set-up; None: the shipped one (see `lists`).
    proposals:    agreements offered and not answered yet (AT-4.1).
    talked:       whether anybody has ever offered one; all see that, not who nor what.
    ending:       everybody wishes to end the campaign with this turn (AT-1.10).
    ordered:      options that the umpire has changed from the next turn on.
    disputes:     what the gods are to judge when the next phase begins (AT-11.2).
    """

    options: Options
    lands: dict[str, Land]
    seats: dict[str, Seat]
    own_board: Board | None = None
    turn: int = 1
    phase: str = ""
    order: tuple[str, ...] = ()
    agreements: tuple[Agreement, ...] = ()
    battles: tuple[Battle, ...] = ()
    sheets: dict[str, tuple[SheetRow, ...]] = {}
    journal: tuple[JournalEntry, ...] = ()
    moves: int = 0
    agreed: int = 0
    over: bool = False
    winners: tuple[str, ...] = ()
    catalogue: Catalogue | None = None
    proposals: tuple[Proposal, ...] = ()
    talked: bool = False
    ending: bool = False
    ordered: dict[str, Any] = {}
    disputes: tuple[str, ...] = ()

    # What is true ------------------------------------------------------------------------------

    @property
    def board(self) -> Board:
        """The island this campaign is played on (AT-1.2)."""
        return self.own_board or shipped_board()

    @property
    def lists(self) -> Catalogue:
        """The army catalogue this campaign is played with (AT-1.9)."""
        return load_catalogue() if self.catalogue is None else self.catalogue

    def profile(self, key: str) -> Profile | None:
        """The profile of a unit or character; shipped where a club's catalogue leaves it out.

        Runaway slaves are in no people's list (AT-3.1).
        """
        return self.lists.profiles.get(key) or load_catalogue().profiles.get(key)

    def loot(self, seat: str) -> int:
        """A seat's loot."""
        return self.seats[seat].loot

    def army(self, seat: str) -> Army | None:
        """A seat's army, if it has one."""
        return self.seats[seat].army

    def army_of(self, seat: str) -> Army:
        """The army of a seat that has one.  Raises ValueError on one that has none."""
        army = self.seats[seat].army
        if army is None:
            raise ValueError(f"AT-1.14: {seat} has no army")
        return army

    def owner(self, place: str) -> str | None:
        """The seat that holds a territory; None: Atlantean."""
        return self.lands[place].owner

    def lands_of(self, seat: str | None) -> tuple[str, ...]:
        """Territories a seat holds (None: the Atlanteans), in the board's order."""
        return _HOLDINGS.of(self.board.ids, self.lands).get(seat, ())

    @property
    def opening(self) -> bool:
        """Whether the campaign is being set up (AT-1.1 to AT-1.9)."""
        return self.turn == 1 and not self.phase

    def in_play(self) -> tuple[str, ...]:
        """Seats neither eliminated nor given up."""
        return _PLAYING.of(self.seats)

    def armies_at(self, place: str) -> tuple[str, ...]:
        """Seats whose army stands in a territory, beaten ones included."""
        return _CAMPS.of(self.seats).get(place, ())

    def enemies_at(self, place: str, seat: str) -> tuple[str, ...]:
        """Enemy armies there as AT-5.1 means them: any other player's that is not beaten."""
        there = _CAMPS.of(self.seats).get(place, ())
        return tuple([code for code in there if code != seat and not self.army_of(code).beaten])

    def royal_cities(self, seat: str) -> tuple[str, ...]:
        """The royal cities he holds (AT-6.1); by the variant `own`, that of his kingdom alone."""
        capitals, lands = self.board.capitals, self.lands
        if self.options.supply_city != "own":
            return tuple([city for city in capitals.values() if lands[city].owner == seat])
        own = capitals.get(self.seats[seat].kingdom)
        return (own,) if own is not None and lands[own].owner == seat else ()

    # Seats and armies --------------------------------------------------------------------------

    def with_seat(self, seat: Seat) -> War:
        """The war with a seat in place of what it was."""
        return replace(self, seats={**self.seats, seat.code: seat})

    def changed(self, seat: str, **fields: Any) -> War:
        """The war with fields of a seat replaced."""
        seats = self.seats
        return replace(self, seats={**seats, seat: replace(seats[seat], **fields)})

    def paying(self, seat: str, loot: int) -> War:
        """The war after a seat spent loot.  Raises ValueError below 0 (AT-5.5): ask before."""
        left = self.seats[seat].loot - loot
        if left < 0:
            raise ValueError(f"AT-5.5: {seat} lacks {-left} loot")
        return self.changed(seat, loot=left) if loot else self

    def earning(self, seat: str, loot: int) -> War:
        """The war after a seat got loot."""
        return self.changed(seat, loot=self.seats[seat].loot + loot) if loot else self

    def with_army(self, seat: str, army: Army | None) -> War:
        """The war with a seat's army replaced; an army without figures is gone (AT-9.5)."""
        return self.changed(seat, army=None if army is None or army.gone else army)

    def army_changed(self, seat: str, **fields: Any) -> War:
        """The war with fields of a seat's army replaced.  The seat must have one."""
        return self.with_army(seat, replace(self.army_of(seat), **fields))

    def moved(self, seat: str, place: str) -> War:
        """The war after an army entered a territory, by a move, a retreat or a withdrawal.

        Its start is the territory it left (AT-7.7), its duty is done, and it is `passing` where
        only a passage right lets it be (AT-7.4).
        """
        army = self.army_of(seat)
        if army.place == place:
            return self
        entered = self.moves + 1
        after = replace(
            army, place=place, start=army.place, start_closed=False, duty=None,
            passing=in_passage(self, seat, place), entered=entered,
        )  # fmt: skip
        return replace(self.with_army(seat, after), moves=entered)

    def destroyed(self, seat: str) -> War:
        """The war after an army perished for want of a retreat (AT-7.6, AT-8.8).

        What is left of it is back in the capital at the start of the next turn.
        """
        army = self.army_of(seat)
        back = Waiting("returned", self.turn + 1, None, remnant(army), army.characters)
        waiting = self.seats[seat].waiting
        if back.units or back.characters:
            waiting = (*waiting, back)
        return self.changed(seat, army=None, waiting=waiting if self.lands_of(seat) else ())

    def next_turn(self) -> War:
        """The war at the start of the next turn: what lasted for one turn is over (AT-2.1, AT-4.5).

        Absence, votes and the order of play are the scripts' to set again.
        """
        turn = self.turn + 1
        seats = {
            code: seat if seat.army is None else replace(seat, army=seat.army.new_turn())
            for code, seat in self.seats.items()
        }
        kept = tuple([a for a in self.agreements if a.last_turn >= turn])
        return replace(self, turn=turn, phase="", seats=seats, agreements=kept, battles=())

    # Land --------------------------------------------------------------------------------------

    def with_land(self, place: str, land: Land) -> War:
        """The war with a territory's facts replaced."""
        return replace(self, lands={**self.lands, place: land})

    def fortified(self, place: str) -> War:
        """The war with one fortress more in a territory (AT-5.3)."""
        land = self.lands[place]
        return self.with_land(place, replace(land, fortresses=land.fortresses + 1))

    def taken(self, place: str, seat: str) -> War:
        """The war after a seat gained a territory, by conquest or by battle (AT-9.7, AT-8.7).

        By the variant `razed` its fortresses go.  Agreements lapse there (AT-4.5), those who
        started from it find it closed (AT-7.7), and units waiting there move on or are lost
        (AT-10.3).
        """
        land = self.lands[place]
        if land.owner == seat:
            return self
        razed = self.options.fortress_capture == "razed"
        land = replace(land, owner=seat, fortresses=0 if razed else land.fortresses)
        war = self.with_land(place, land)._lapsed_at(place)
        for code, other in self.seats.items():
            if other.army is not None and other.army.start == place:
                war = war.army_changed(code, start_closed=code != seat)
            if code != seat and other.waiting:
                war = war.changed(code, waiting=war._moved_on(other, place))
        return war

    def colonised(self, place: str, seat: str) -> War:
        """A territory is given to a seat that returns; agreements lapse there (AT-1.12)."""
        return self.with_land(place, replace(self.lands[place], owner=seat))._lapsed_at(place)

    def freed(self, place: str) -> War:
        """The war with a territory Atlantean again, by the umpire's word; its fortresses go."""
        war = self.with_land(place, Land(self.lands[place].terrain))._lapsed_at(place)
        for code, seat in self.seats.items():
            if seat.waiting:
                war = war.changed(code, waiting=war._moved_on(seat, place))
        return war

    def eliminated(self, seat: str) -> War:
        """The war once a seat has no territory, no army and none to come (AT-1.12, AT-4.5)."""
        war = self.changed(seat, eliminated=self.turn, waiting=())
        return war._without_agreements(seat)

    def abandoned(self, seat: str) -> War:
        """The war after a seat was given up: its land Atlantean, fortresses razed (AT-1.16).

        Its agreements are void, and so are those of others about its land (AT-4.5).
        """
        lands = {
            place: Land(land.terrain) if land.owner == seat else land
            for place, land in self.lands.items()
        }
        gone = replace(self.seats[seat], army=None, waiting=(), given_up=True)
        war = replace(self, lands=lands).with_seat(gone)._without_agreements(seat)
        for place in self.lands_of(seat):
            war = war._lapsed_at(place)
        return war

    # Agreements, sheets, journal ---------------------------------------------------------------

    def agreeing(self, agreement: Agreement) -> War:
        """The war with one agreement more, its price paid (AT-4.4).

        It keeps its number if it has one, so that none tells how many others there are (AT-2.3).
        """
        number = agreement.id or self.agreed + 1
        other = agreement.grantor if agreement.payer != agreement.grantor else agreement.beneficiary
        war = self.paying(agreement.payer, agreement.price).earning(other, agreement.price)
        kept = (*self.agreements, replace(agreement, id=number))
        return replace(war, agreements=kept, agreed=self.agreed + 1)

    def broken(self, numbers: Iterable[int]) -> War:
        """The war without the agreements of those numbers; payments stay made (AT-4.5)."""
        ended = tuple(numbers)
        kept = tuple([a for a in self.agreements if a.id not in ended])
        return replace(self, agreements=kept) if ended else self

    def row(self, seat: str) -> SheetRow:
        """This turn's row of a seat's campaign sheet."""
        rows = self.sheets.get(seat, ())
        return rows[-1] if rows and rows[-1].turn == self.turn else SheetRow(self.turn)

    def noted(self, seat: str, **fields: Any) -> War:
        """The war with fields of this turn's row of a campaign sheet written (AT-11.1)."""
        rows = self.sheets.get(seat, ())
        if rows and rows[-1].turn == self.turn:
            rows = (*rows[:-1], replace(rows[-1], **fields))
        else:
            rows = (*rows, SheetRow(self.turn, **fields))
        return replace(self, sheets={**self.sheets, seat: rows})

    def journalled(self, author: str, text: str) -> War:
        """The war with one line more in its journal (AT-11.2)."""
        return replace(self, journal=(*self.journal, JournalEntry(self.turn, author, text)))

    # Helpers -----------------------------------------------------------------------------------

    def _without_agreements(self, seat: str) -> War:
        return self.broken([a.id for a in self.agreements if seat in a.parties])

    def _lapsed_at(self, place: str) -> War:
        """Agreements that name a territory name it no more; one that named no other is over."""
        kept = []
        for agreement in self.agreements:
            if place in agreement.territories:
                left = tuple([other for other in agreement.territories if other != place])
                if not left:
                    continue
                agreement = replace(agreement, territories=left)
            kept.append(agreement)
        return replace(self, agreements=tuple(kept)) if self.agreements else self

    def _moved_on(self, seat: Seat, place: str) -> tuple[Waiting, ...]:
        """A seat's waiting units once `place` is lost (AT-3.3, AT-10.3, AT-1.14)."""
        held = self.royal_cities(seat.code) or self.lands_of(seat.code)
        if not held and seat.army is None and not self.opening:  # nobody has land before it
            return ()
        kept = []
        for waiting in seat.waiting:
            if waiting.place == place:
                if waiting.cause == "slaves" or not held:
                    continue
                waiting = replace(waiting, place=held[0])
            kept.append(waiting)
        return tuple(kept)
