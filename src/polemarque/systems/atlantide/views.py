"""What a seat may see (AT-2.3), built from nothing else.

Public: the map, owners, fortresses, where armies stand, results of events and supply, sums of
battles and conquests.  Private: lists, points, loot, waiting units, sealed strategies, secret
agreements.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from polemarque.systems.atlantide.agreements import Agreement, Proposal
from polemarque.systems.atlantide.journal import Battle, JournalEntry, SheetRow
from polemarque.systems.atlantide.setup.catalogue import Catalogue
from polemarque.systems.atlantide.setup.island import Board
from polemarque.systems.atlantide.setup.options import Options
from polemarque.systems.atlantide.state import Land, Seat, War
from polemarque.systems.atlantide.strength import force_total, initiative_total
from polemarque.systems.atlantide.troops import army_points


class Camp(msgspec.Struct, frozen=True, omit_defaults=True):
    """An army as everybody sees it: where it is, where it came from, how it fares.

    duty:  "beaten", "crushed" or "leave", "" without a duty to go (AT-7.6).
    general_ld, army_ld, roll_change: what events and want of supply change this turn.
    """

    place: str
    start: str | None = None
    start_closed: bool = False
    duty: str = ""
    supplied: bool = True
    unsupplied: int = 0
    entered: int = 0
    general_ld: int = 0
    army_ld: int = 0
    roll_change: int = 0
    negotiated: bool = False
    attacked: bool = False


class Rival(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player as everybody sees him."""

    people: str
    catalogue: str
    kingdom: str
    camp: Camp | None = None
    absent: bool = False
    eliminated: int = 0
    returned: bool = False
    given_up: bool = False


class View(msgspec.Struct, frozen=True, omit_defaults=True):
    """The campaign as one seat knows it.

    rivals:     every seat, one's own included, as all see it.
    own:        all of one's own; None for a spectator or the umpire's guests.
    agreements: one's own, and those that are public.
    proposals:  offered by oneself or to oneself.
    sheets:     one's own campaign sheet.
    catalogue:  the army catalogue given in the set-up, as in `War`.
    """

    seat: str
    turn: int
    phase: str
    options: Options
    board: Board
    lands: dict[str, Land]
    rivals: dict[str, Rival]
    own: Seat | None = None
    agreements: tuple[Agreement, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    battles: tuple[Battle, ...] = ()
    sheets: tuple[SheetRow, ...] = ()
    journal: tuple[JournalEntry, ...] = ()
    talked: bool = False
    ending: bool = False
    over: bool = False
    winners: tuple[str, ...] = ()
    catalogue: Catalogue | None = None


def view(war: War, seat: str) -> View:
    """What `seat` may see (AT-2.3); a code that is no seat sees what is public."""
    return View(
        seat=seat,
        turn=war.turn,
        phase=war.phase,
        options=war.options,
        board=war.board,
        lands=war.lands,
        rivals={code: _rival(holder) for code, holder in war.seats.items()},
        own=war.seats.get(seat),
        agreements=tuple([a for a in war.agreements if a.public or seat in a.parties]),
        proposals=tuple([p for p in war.proposals if seat in p.agreement.parties]),
        battles=tuple([_battle(battle, seat) for battle in war.battles]),
        sheets=war.sheets.get(seat, ()),
        journal=war.journal,
        talked=war.talked,
        ending=war.ending,
        over=war.over,
        winners=war.winners,
        catalogue=war.catalogue,
    )


def _battle(battle: Battle, seat: str) -> Battle:
    """Who met whom and how; what it cost unit by unit is known to the two sides only."""
    report = battle.report if seat in battle.sides else None
    return replace(battle, report=report, counted=())


def _rival(holder: Seat) -> Rival:
    return Rival(
        holder.people, holder.catalogue, holder.kingdom, _camp(holder), holder.absent,
        holder.eliminated, holder.returned, holder.given_up,
    )  # fmt: skip


def _camp(holder: Seat) -> Camp | None:
    army = holder.army
    if army is None:
        return None
    return Camp(
        army.place, army.start, army.start_closed, army.duty.kind if army.duty else "",
        army.supplied, army.unsupplied, army.entered, army.general_ld, army.army_ld,
        army.roll_change, army.negotiated, army.attacked,
    )  # fmt: skip


class SheetHeader(msgspec.Struct, frozen=True):
    """The head of a player's campaign sheet (AT-11.1), as it stands; without army 0 and 0."""

    people: str
    catalogue: str
    kingdom: str
    loot: int
    army_points: int
    combat_force: int
    initiative: int
    territories: tuple[str, ...]


def sheet_header(war: War, seat: str) -> SheetHeader:
    """The head of a seat's campaign sheet."""
    holder = war.seats[seat]
    army = holder.army
    return SheetHeader(
        holder.people, holder.catalogue, holder.kingdom, holder.loot,
        army_points(army) if army else 0, force_total(army) if army else 0,
        initiative_total(army) if army else 0, war.lands_of(seat),
    )  # fmt: skip
