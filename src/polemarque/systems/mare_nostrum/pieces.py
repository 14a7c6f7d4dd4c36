"""The pieces of a campaign: armies, fleets, specialists, trade, treaties, bands; and orders.

All are frozen values; `state` says how they change.  Ids are the owner's code and a number of his
own: army "A3", fleet "AF4", specialist "AS5", caravan "AC6"; bands are "b1", "b2"…
"""

from __future__ import annotations

from typing import Literal

import msgspec

from polemarque.api import always

STANDS = 12
"""Stands of an army, the Sacred Guard not counted (MN-2.2)."""

OWN, LOST = "own", "lost"
"""A stand of the army's own list, and the place of one that is lost."""


class Army(msgspec.Struct, frozen=True, omit_defaults=True):
    """An army.

    list:      key of the army list it was raised with; its 12 places are those of `stands`.
    stands:    one word a place: OWN, LOST, or the kind of mercenaries that stand there (MN-3.3).
    base:      province where it was raised (MN-F4).
    place:     province where it stands, or the id of the fleet that carries it.
    created:   turn in which it was raised; 0 for a starting army, which moves on turn 1 (MN-4.1).
    exhausted: marker 0, I or II (MN-7.1).
    bore:      whether it bore a marker when orders were revealed (MN-7.3).
    came:      where it came from by this turn's movement, "" if it stayed.
    guest:     province where it is by leave this turn, as all entered; "" if none (MN-4.4).
    away:      consecutive turns in campaign, kept by the administrative phase (MN-F4, MN-F7).
    """

    id: str
    owner: str
    list: str
    base: str
    place: str
    stands: tuple[str, ...] = always((OWN,) * STANDS)
    created: int = 0
    exhausted: int = 0
    bore: bool = False
    came: str = ""
    guest: str = ""
    away: int = 0

    @property
    def by_leave(self) -> bool:
        """Whether it is by leave, this turn, where it stands (MN-4.4)."""
        return self.guest == self.place

    @property
    def strength(self) -> int:
        """Stands present, the Sacred Guard not counted."""
        return STANDS - self.stands.count(LOST)


class Fleet(msgspec.Struct, frozen=True, omit_defaults=True):
    """A war fleet.

    base:  sea zone where it appeared (MN-F4).   place: sea zone where it is.
    came, created, away: as of an army.
    """

    id: str
    owner: str
    base: str
    place: str
    created: int = 0
    came: str = ""
    away: int = 0


Piece = Army | Fleet
"""What moves and fights."""


class Specialist(msgspec.Struct, frozen=True, omit_defaults=True):
    """A priest, an engineer or a diplomat (MN-2.9, MN-F5).

    god:   a priest's god, by domain: "war", "commerce"…
    joins: id of the army or caravan he is with; "" if he waits.
    place: province where he waits; "" while he is with somebody.
    """

    id: str
    owner: str
    kind: Literal["priest", "engineer", "diplomat"]
    god: str = ""
    joins: str = ""
    place: str = ""


class Siege(msgspec.Struct, frozen=True, omit_defaults=True):
    """A siege: whose, and the turn of its marker (MN-6.4)."""

    by: str
    begun: int


class Land(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """What can change about a province.

    owner:        seat that controls it; None: independent.
    improvements: arsenal, fortress, temple…, each as often as it was built.
    siege:        the siege laid to its capital.
    pillaged, taxed_off, cut: marks for the next commercial phase (MN-1.2): pillaged in garrison or
                  by an invader; no local-market tax (MN-8.3); trade routes cut (MN-6.10, MN-8.3).
                  The commercial phase takes them off when it has paid.
    people:       how much events have changed its demographic factor (MN-F5).
    """

    owner: str | None = None
    improvements: tuple[str, ...] = ()
    siege: Siege | None = None
    pillaged: bool = False
    taxed_off: bool = False
    cut: bool = False
    people: int = 0

    @property
    def fortress(self) -> bool:
        """Whether its capital has a fortress."""
        return "fortress" in self.improvements

    @property
    def marked(self) -> bool:
        """Whether the military phase bears on its next income."""
        return self.pillaged or self.taxed_off or self.cut


class Caravan(msgspec.Struct, frozen=True, omit_defaults=True):
    """A caravan on its way to open a trade route (MN-F3).

    origin: province of the resource.   place: province or zone where it is.
    destination: where it is to open a route; "" before it has been told.
    hires:  whether it hires mercenaries there rather than sell its goods (MN-3.1).
    """

    id: str
    owner: str
    resource: str
    origin: str
    destination: str
    place: str
    hires: bool = False


class Route(msgspec.Struct, frozen=True, omit_defaults=True):
    """An open trade route: it pays the base value of its resource every turn (MN-F3).

    opened: turn.   hires: whether it gave mercenaries instead of income when it was opened.
    """

    id: str
    owner: str
    resource: str
    origin: str
    destination: str
    opened: int
    hires: bool = False


class Treaty(msgspec.Struct, frozen=True, omit_defaults=True):
    """A treaty between two parties (MN-F6).

    kind:   commercial, non_aggression, alliance, or passage (granted by `one` to `other`).
    other:  a seat; for a commercial treaty also an independent province.
    """

    kind: Literal["commercial", "non_aggression", "alliance", "passage"]
    one: str
    other: str
    since: int = 0


class Mission(msgspec.Struct, frozen=True, omit_defaults=True):
    """A diplomat sent to a seat or an independent city (MN-F6).

    diplomat: id.   to: seat or province.
    aim:    what he asks for: a kind of treaty; of a city also a key of the missions' thresholds.
    ransom: PO that the receiving seat wants for him, 0 if he is not held.
    """

    diplomat: str
    owner: str
    to: str
    aim: str
    ransom: int = 0


class Band(msgspec.Struct, frozen=True, omit_defaults=True):
    """Brigands on land, pirates at sea (MN-9).

    owner: the seat that an event named, or "".
    still: it was intercepted this turn and does not move in the administrative phase.
    """

    id: str
    kind: Literal["brigands", "pirates"]
    place: str
    owner: str = ""
    still: bool = False


class Year(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat did since the year began, for its acclamation (MN-F7).

    treasury: when the year began.   omens: points of happiness that events brought.
    """

    treasury: int = 0
    victories: int = 0
    provinces: int = 0
    routes: int = 0
    omens: int = 0


STAY = "stay"
"""The order of an army or fleet that stays where it is."""


EVERYWHERE = ""
"""In the edition 2026-11, the one place for which an order to fight was given."""

Wishes = dict[str, tuple[str, ...]]
"""By place, or by seat: the seats whom somebody would fight."""


class Orders(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's movement orders of one turn (MN-2.7), revealed with everybody's.

    moves:     piece -> where it goes: a province, a zone, or the fleet it embarks on.
    pillages:  armies that would rather pillage than take control or lay siege (MN-5.2, MN-6.3),
               where that is ordered in advance.
    attacks:   army -> the province where it stays and that it attacks (MN-5.4).
    plunders, cuts: army -> the province where it is in garrison, and goes on pillaging or cuts the
               trade routes (MN-6.10).
    fights:    place -> seats whom he fights if he meets them there or on its border (MN-7.5), where
               that is ordered in advance; `EVERYWHERE` in the edition 2026-11.
    lines:     place -> his armies or fleets there in the order in which they fight (MN-7.4).
    chases:    armies and fleets that try to intercept the bands they meet (MN-9.1).
    blockades: fleet -> port (MN-8.3).
    joins:     specialist -> army he joins, or "" to leave his (MN-2.9).
    guard:     army that has the Sacred Guard at home; "": as before (MN-2.2).
    resolver:  how he would have this turn's battles fought (PA-2).
    """

    moves: dict[str, str] = {}
    pillages: tuple[str, ...] = ()
    attacks: dict[str, str] = {}
    plunders: dict[str, str] = {}
    cuts: dict[str, str] = {}
    fights: Wishes = {}
    lines: dict[str, tuple[str, ...]] = {}
    chases: tuple[str, ...] = ()
    blockades: dict[str, str] = {}
    joins: dict[str, str] = {}
    guard: str = ""
    resolver: str = ""


HOLD = Orders()
"""The orders of who says nothing: stay, defend, buy nothing (MN-1.3)."""


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place where combats are going on (MN-7.7): a province, a zone, or a border "a|b".

    wishes:  seat -> those whom it has decided to fight there (MN-7.5).
    line:    the seats that fight there, first to fight first (MN-7.5); None before the first meet.
    settled: pairs of pieces that have fought already and both stayed (MN-B.3).
    steady:  exhausted pieces that have found the strength to fight this time (MN-7.2).
    victors: armies that have won there without leave, and stand as invaders (MN-7.7).
    """

    wishes: Wishes = {}
    line: tuple[str, ...] | None = None
    settled: tuple[tuple[str, str], ...] = ()
    steady: tuple[str, ...] = ()
    victors: tuple[str, ...] = ()


UNTOUCHED = Field()
"""A place where nobody has met yet."""
