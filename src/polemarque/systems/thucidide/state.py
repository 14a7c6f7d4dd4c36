"""The whole state of a battle, and how it changes: always into a new `Battle`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from polemarque.api import always
from polemarque.api.boards import Board, Cell
from polemarque.systems.thucidide.setup.options import Options, Stops
from polemarque.systems.thucidide.tables import AtLimit, Edge, Phase, Rank, UnitFigures

Throw = Literal["attack", "riposte", "ambush"]
"""Which dice of a combat are thrown: the attacker's, the defender's answer, or, from an ambush,
that answer before the attack (TH-7.6)."""


class Fight(msgspec.Struct, frozen=True, omit_defaults=True):
    """One combat: one unit against one.

    attacker, target: codes of the two units, no matter who throws.
    shooting:  it is fought from afar.   pursuit: it is a pursuit (TH-F7).
    assault:   the attacker throws his assault figure, not his melee figure (TH-F3).
    ordered:   he has given his attack order (TH-6);   orders: attack orders in force.
    answered:  the defender has given his defence order (TH-7);   answers: those in force.
    committed, returned: leaders given for dice of the attack, of the answer (TH-8.2).
    throw:     whose dice are on the table;   stood: where the unit they hit stood.
    hits, flags: what they show, `sure` being the flags of a hit that was evaded (TH-7.1).
    evaded:    hits of the attack that were evaded.
    paid:      tokens that the attacker has paid for his attack order.
    spared:    losses that leaders take upon themselves (TH-8.2).
    pushed:    a unit of this combat has had to fall back, whether it could or not (TH-F6).
    riposted:  the defender has had his riposte.
    emptied:   the hex that the defender left, pushed back or destroyed; "" if he holds it.
    """

    attacker: str
    target: str
    shooting: bool = False
    pursuit: bool = False
    assault: bool = False
    ordered: bool = False
    orders: tuple[str, ...] = ()
    answered: bool = False
    answers: tuple[str, ...] = ()
    committed: int = 0
    returned: int = 0
    throw: Throw = always("attack")
    stood: str = ""
    hits: int = 0
    flags: int = 0
    sure: int = 0
    evaded: int = 0
    paid: int = 0
    spared: int = 0
    pushed: bool = False
    riposted: bool = False
    emptied: str = ""

    @property
    def roller(self) -> str:
        """The unit that throws."""
        return self.attacker if self.throw == "attack" else self.target

    @property
    def struck(self) -> str:
        """The unit at which dice are thrown."""
        return self.target if self.throw == "attack" else self.attacker


class Marks(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a unit has done and been given in the present player-turn; wiped at its end.

    by:      code of the leader with whom it acts; "" if it is not activated (TH-2.2).
    moved:   its movement is over, or its leader's moment to move it is past.
    hexes:   how many it entered by its own movement.   start: where it stood before the first.
    fights:  whether it may still fight after its movement (TH-F8).
    fought:  its combat is over, or its leader's moment to fight with it is past.
    steps:   movement steps paid for mounting, formations and ranks (TH-5.1).
    further: hexes added by Marche forcée or En avant marche ! (TH-5.2, TH-5.3).
    orders:  orders in force to the end of the player-turn (codes of data/orders.toml).
    """

    by: str = ""
    moved: bool = False
    hexes: int = 0
    start: Cell = ""
    fights: bool = True
    fought: bool = False
    steps: int = 0
    further: int = 0
    orders: tuple[str, ...] = ()


class Unit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A unit (TH-F3).

    seat:       whose it is.
    names:      what readers call it, by language; {} for the name of its kind.
    elements:   those it still has; `start` those it began with.
    cell:       where it stands, "" once it is out of the battle.
    fate:       "" while it stands, "destroyed", or "left" by an edge (TH-F10).
    exit:       the hex by which it has left, "" for a unit that has not.
    broken:     elements it had before the blow that destroyed it.
    contingent: whose leaders it obeys, "" for the army's (TH-F13).
    other:      what it becomes by mounting or dismounting, or None.
    mounted:    whether it is mounted, for a unit that can be both.
    formations: special formations it can take;  formation: the one it is in, "" for none.
    loose:      whether its ranks are loosened (TH-5.1).
    """

    code: str
    seat: str
    figures: UnitFigures
    elements: int
    start: int
    cell: Cell
    names: dict[str, str] = {}
    fate: Literal["", "destroyed", "left"] = ""
    exit: Cell = ""
    broken: int = 0
    contingent: str = ""
    other: UnitFigures | None = None
    mounted: bool = False
    formations: tuple[str, ...] = ()
    formation: str = ""
    loose: bool = False
    marks: Marks = always(Marks())

    @property
    def stands(self) -> bool:
        """Whether it is on the board."""
        return not self.fate


class Leader(msgspec.Struct, frozen=True, omit_defaults=True):
    """A leader (TH-1).  He is with the friendly unit of his hex, else alone.

    command, influence: his ranges in hexes, the unit's hex counted and his own not (TH-1.2).
    prices:    what single orders cost with him, instead of the list's price (TH-1.4).
    cell:      where he is, "" once he is out of the battle.
    fate:      "" while he is there, "committed" (TH-8.2), "captured" (TH-F11).
    activates: number of the activation he makes this turn, from 1; 0 for none (TH-2.2).
    by:        the leader who activated him alone, or himself; "" for none (TH-2.4).
    moved:     he has moved this turn, alone or with a unit, or his moment is past.
    louder:    hexes that Gueulante adds to his command range this turn (TH-4.3).
    """

    code: str
    seat: str
    rank: Rank
    command: int
    influence: int
    cell: Cell
    names: dict[str, str] = {}
    contingent: str = ""
    prices: dict[str, int] = {}
    fate: Literal["", "committed", "captured"] = ""
    activates: int = 0
    by: str = ""
    moved: bool = False
    louder: int = 0

    @property
    def present(self) -> bool:
        """Whether he is on the board."""
        return not self.fate

    @property
    def reach(self) -> int:
        """Command range at this moment, in hexes."""
        return self.command + self.louder


class Goal(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to win (TH-F1, TH-F10).

    destroyed: `part` of `of` of the enemy's starting units, rounded up.
    hold:      all `cells` held by one's own units at the end of one's own turn.
    exit:      `units` of one's own have left the board by `cells`.
    general:   the enemy's general captured.
    last:      the turn limit reached without the enemy's having won.
    """

    kind: Literal["destroyed", "hold", "exit", "general", "last"] = always("destroyed")
    part: int = 1
    of: int = 3
    cells: tuple[Cell, ...] = ()
    units: int = 1


class Side(msgspec.Struct, frozen=True, omit_defaults=True):
    """One side as it stands.

    edge:        its own table edge.
    level:       its command level (TH-3.1, TH-4.1).
    tokens:      order tokens it has.
    start:       its units when the battle began.
    activations: sizes of its activations in a turn, in order (TH-2.1).
    goals:       ways to win; any one is enough.
    stops:       at which moments it is asked about commitments (TH-8.3).
    manoeuvred:  it has given its manoeuvre order this turn (TH-3.5).
    scouting:    it has ordered a Reconnaissance: one unit only this turn (TH-4.1).
    further:     leaders that Assaut or Assaut général lets activate this turn (TH-4.4, TH-4.5).
    headless:    its general is captured; the highest leader left takes his place (TH-F12).
    walls:       hexes in which its units fight and are shot at as in a town (PA-5).
    rerolls:     combat dice that its priests can still have rolled again (PA-5).
    """

    seat: str
    edge: Edge
    level: int
    tokens: int
    start: int
    activations: tuple[int, ...]
    goals: tuple[Goal, ...] = always((Goal(),))
    names: dict[str, str] = {}
    stops: Stops = always("losses")
    manoeuvred: bool = False
    scouting: bool = False
    further: int = 0
    headless: bool = False
    walls: tuple[Cell, ...] = ()
    rerolls: int = 0


class Ending(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a battle ended: the winner's seat or None, and what decided.

    cause: kind of the goal reached, "leaderless" (TH-F12), "limit" (TH-F1), "declared".
    """

    winner: str | None
    cause: str


class Battle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A battle as it stands.

    active:  whose turn it is.
    turn:    the player-turn being played, from 1.
    acting:  leaders who have activated this turn, in order (TH-2.3).
    second:  the second command phase of TH-5.5 is being played.
    fight:   the combat that is being fought.
    limit:   player-turns of each side (TH-F1);  at_limit: who has won then.
    coming:  options that change with the next turn.
    """

    board: Board
    sides: dict[str, Side]
    units: dict[str, Unit]
    leaders: dict[str, Leader]
    options: Options
    active: str
    turn: int = 1
    phase: Phase = always("command")
    acting: tuple[str, ...] = ()
    second: bool = False
    fight: Fight | None = None
    limit: int = 30
    at_limit: AtLimit = always("counted")
    ending: Ending | None = None
    coming: dict[str, Any] = {}

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.ending is not None

    @property
    def passive(self) -> str:
        """The seat whose turn it is not."""
        return self.enemy_of(self.active)

    def enemy_of(self, seat: str) -> str:
        """The other seat."""
        a, b = self.sides
        return b if seat == a else a

    def units_of(self, seat: str) -> list[Unit]:
        """Units of a side that stand, in order."""
        return [unit for unit in self.units.values() if unit.seat == seat and unit.cell]

    def leaders_of(self, seat: str) -> list[Leader]:
        """Leaders of a side who are on the board, in order."""
        return [one for one in self.leaders.values() if one.seat == seat and one.cell]

    def by_cell(self) -> dict[Cell, Unit]:
        """Which unit stands where; made once a question, not once a hex."""
        return {unit.cell: unit for unit in self.units.values() if unit.cell}

    def unit_at(self, cell: Cell) -> Unit | None:
        """The unit of a hex."""
        return next((unit for unit in self.units.values() if unit.cell == cell), None)

    def leaders_at(self, cell: Cell) -> list[Leader]:
        """The leaders of a hex, in order."""
        return [one for one in self.leaders.values() if one.cell == cell]

    def general_of(self, seat: str) -> Leader | None:
        """The general of a side, or None while it has none (TH-F12)."""
        return next((one for one in self.leaders_of(seat) if one.rank == "general"), None)

    def lost(self, seat: str) -> int:
        """How many units of a side are destroyed."""
        return len([u for u in self.units.values() if u.seat == seat and u.fate == "destroyed"])

    def with_units(self, *units: Unit) -> Battle:
        """The battle with these units in place of what they were."""
        return replace(self, units={**self.units, **{unit.code: unit for unit in units}})

    def with_leaders(self, *leaders: Leader) -> Battle:
        """The battle with these leaders in place of what they were."""
        return replace(self, leaders={**self.leaders, **{one.code: one for one in leaders}})

    def with_side(self, side: Side) -> Battle:
        """The battle with a side in place of what it was."""
        return replace(self, sides={**self.sides, side.seat: side})

    def unit(self, code: str, **fields: Any) -> Battle:
        """The battle with fields of a unit replaced."""
        return self.with_units(replace(self.units[code], **fields))

    def marked(self, code: str, **marks: Any) -> Battle:
        """The battle with marks of a unit replaced."""
        unit = self.units[code]
        return self.with_units(replace(unit, marks=replace(unit.marks, **marks)))

    def leader(self, code: str, **fields: Any) -> Battle:
        """The battle with fields of a leader replaced."""
        return self.with_leaders(replace(self.leaders[code], **fields))

    def side(self, seat: str, **fields: Any) -> Battle:
        """The battle with fields of a side replaced."""
        return self.with_side(replace(self.sides[seat], **fields))

    def paying(self, seat: str, tokens: int) -> Battle:
        """The battle after a side has paid (or, below 0, gained) tokens (TH-3.1)."""
        return self.side(seat, tokens=self.sides[seat].tokens - tokens) if tokens else self
