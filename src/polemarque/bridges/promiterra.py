"""The resolver `promiterra` (PA-4): stands and units become troops, and come back as survivors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

import msgspec

from polemarque.api import NotUnderstood
from polemarque.api.battle import (
    Brief,
    Fate,
    Loss,
    Position,
    Report,
    Resolver,
    Side,
    register_resolver,
)
from polemarque.bridges.house import (
    Group,
    Piece,
    Priest,
    bodyguard,
    figures_of,
    grouped,
    guests_of,
    index_of,
    lost_by_piece,
    opened,
    pieces_of,
    reported,
    rounded_up,
    together,
    worth_of,
)
from polemarque.bridges.pairs import (
    Fault,
    Grounds,
    edge_rows,
    figures_for,
    form_of,
    kind_faults,
    on_land,
    with_marks,
)
from polemarque.systems.promiterra import SYSTEM
from polemarque.systems.promiterra.chapters.other_actions import origins_of
from polemarque.systems.promiterra.ground import COSTS
from polemarque.systems.promiterra.setup.catalogue import (
    Ability,
    ArmyList,
    Catalogue,
    Kind,
    TroopType,
)
from polemarque.systems.promiterra.setup.opening import begin
from polemarque.systems.promiterra.setup.set_up_rules import ArmySetup, Setup, TroopSetup
from polemarque.systems.promiterra.state import FORTS, NOBODY, Troop, War
from polemarque.systems.promiterra.stats import LIMITS, STATS

NAME = "promiterra"

FATES = {"dead": "killed", "captured": "captured"}
"""What a leader's fate of PR-8.3 is to a campaign; a leader who is not here lives."""


class Scale(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A statistic read from one of the campaign's.

    of:   name of the campaign's figure.
    rows: [up to, is], ascending; above the last the last holds.  None: as it stands.
    """

    of: str
    rows: tuple[tuple[int, int], ...] = ()

    def read(self, figures: Mapping[str, Any]) -> int:
        """The statistic of a unit; a figure that the campaign does not give reads as 0."""
        given = figures.get(self.of, 0)
        if not self.rows:
            return int(given)
        return next((worth for most, worth in self.rows if given <= most), self.rows[-1][1])


class TroopConversion(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a kind of the campaign's units is here; a statistic left out is read from scales."""

    kind: str
    fr: str
    en: str
    type: TroopType
    range: int = 1
    movement: int | None = None
    attack: int | None = None
    defence: int | None = None
    loyalty: int | None = None
    value: int | None = None
    fear: bool = False


@form_of(NAME, "PA-4")
class Conversion(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How armies of the campaign become armies of Promiterra.

    units:   of one figure.   apart: each figure is a troop of its own.
    least:   a figure whose units are fewer is lost; 0: units lost are divided among figures.
    most:    troops of a side.   limit: rounds.
    fort, capital, engineer: levels of a fortress, of one in a home or capital, what an engineer
             takes off.
    leaders: what troops' leaders are called, in turn for both sides.
    """

    units: int
    apart: bool = False
    least: int = 0
    most: int
    limit: int
    fort: int
    capital: int
    engineer: int
    priest: Priest = Priest()
    leaders: tuple[str, ...]
    scales: dict[str, tuple[Scale, ...]] = {}
    row: tuple[TroopConversion, ...]
    grounds: Grounds

    @property
    def rows(self) -> dict[str, TroopConversion]:
        """Rows by kind."""
        return {row.kind: row for row in self.row}

    def faults(self, kinds: tuple[str, ...], terrains: tuple[str, ...]) -> Iterator[Fault]:
        """What is wrong with them."""
        places: dict[str, tuple[str | int, ...]] = {
            row.kind: ("row", number) for number, row in enumerate(self.row)
        }
        yield from kind_faults(places, kinds)
        for stat, scales in self.scales.items():
            if stat not in STATS:
                yield Fault(("scales", stat), "word", stat, ", ".join(STATS))
            for number, scale in enumerate(scales):
                ups = [most for most, _ in scale.rows]
                if ups != sorted(set(ups)):
                    yield Fault(("scales", stat, number, "rows"), "rows", str(ups))
        for number, row in enumerate(self.row):
            for stat in STATS:
                given = getattr(row, stat)
                if given is None and stat not in self.scales:
                    yield Fault(("row", number, stat), "word", stat, ", ".join(self.scales))
                if given is not None and not LIMITS[stat].allows(given):
                    yield Fault(("row", number, stat), "word", str(given), str(LIMITS[stat]))
        yield from self.grounds.faults(terrains, tuple(COSTS))


def groups(figures: Conversion, side: Side) -> tuple[Group, ...]:
    """The troops of a side in the order in which they are enlisted, the commander's first."""
    known = figures.rows.keys() - {"character"}
    guests = [guest for guest in guests_of(side) if guest.kind in known]
    kind = attrgetter("kind" if figures.apart else "name")
    pieces = pieces_of(side, guests, kind, apart=figures.apart)
    if not pieces:
        pieces = [bodyguard(one, attrgetter("name")) for one in side.leaders]
    joined = grouped(pieces, figures.most)
    first = max(range(len(joined)), key=lambda n: (worth_of(joined[n]), -n))
    return (joined[first], *joined[:first], *joined[first + 1 :])


def kind_of(figures: Conversion, piece: Piece) -> Kind:
    """The kind of troop that a piece is.  Raises NotUnderstood where the file has no row for it."""
    unit = piece.source
    row = figures.rows.get(unit.kind)
    if row is None:
        raise NotUnderstood("battle.kind", rule="PA-4", part=unit.kind, legal=figures.rows)
    worth = unit.points // max(1, unit.figures)
    read = {**unit.profile, "points": worth}
    stats = {stat: _stat(figures, row, stat, read) for stat in STATS if stat != "range"}
    return Kind(
        key=piece.kind, fr=row.fr, en=row.en, type=row.type, range=row.range,
        ability=Ability(fear=row.fear), **stats,
    )  # fmt: skip


def _stat(figures: Conversion, row: TroopConversion, stat: Any, read: Mapping[str, Any]) -> int:
    given: int | None = getattr(row, stat)
    if given is None:
        given = sum([scale.read(read) for scale in figures.scales[stat]])
    return LIMITS[stat].within(given)


def kinds_of(figures: Conversion, troops: Sequence[Group]) -> list[Kind]:
    """The kind of each troop.

    Those of one profile whose statistics differ are kinds apart: an army that lacks supply fights
    with less Leadership, its mercenaries do not (AT-6.4).
    """
    found: list[Kind] = []
    apart: dict[str, list[Kind]] = {}
    for group in troops:
        kind = kind_of(figures, group[0])
        alike = apart.setdefault(kind.key, [])
        if kind not in alike:
            alike.append(kind)
        number = alike.index(kind)
        found.append(msgspec.structs.replace(kind, key=f"{kind.key}~{number}") if number else kind)
    return found


def army_setup(figures: Conversion, brief: Brief, side: Side) -> tuple[ArmySetup, ArmyList]:
    """An army, and the list that it is made from."""
    number = brief.sides.index(side)
    troops = groups(figures, side)
    kinds = kinds_of(figures, troops)
    called = side.names or {"fr": side.seat, "en": side.seat}
    listed = {kind.key: kind for kind in kinds}
    own = ArmyList(
        key=f"side_{number}", fr=called["fr"], en=called["en"], unit=tuple(listed.values())
    )
    people = leaders(figures, number, len(troops) + len(side.leaders))
    extra = tuple(people[len(troops) : len(troops) + max(0, len(side.leaders) - len(troops))])
    setup = ArmySetup(
        army=own.key,
        troops=tuple(
            TroopSetup(
                unit=kinds[n].key, units=figures_of(group) * figures.units,
                leader=people[n], others=extra if n == 0 else (),
            )
            for n, group in enumerate(troops)
        ),
        commander=people[0],
        name=called,
        zone="north" if number else "south",
        holds=fortress_cells(figures, brief) if number else (),
        rerolls=figures.priest.with_side(side) * figures.priest.rerolls,
    )  # fmt: skip
    return setup, own


def leaders(figures: Conversion, number: int, count: int) -> list[str]:
    """What so many leaders of side 0 or 1 are called, no two alike."""
    own = figures.leaders[number::2]
    return [
        own[n % len(own)] + (f" {n // len(own) + 1}" if n >= len(own) else "") for n in range(count)
    ]


def fortress_level(figures: Conversion, brief: Brief) -> int:
    """The level of the defender's two rows: 0 without a fortress; an engineer lowers it."""
    if not brief.fortress:
        return 0
    level = figures.capital if brief.facts.get("capital") else figures.fort
    return level - (figures.engineer if brief.sides[0].rights.get("engineer") else 0)


def fortress_cells(figures: Conversion, brief: Brief) -> tuple[str, ...]:
    """The cells that the fortress covers: the defender's rows."""
    if not fortress_level(figures, brief):
        return ()
    return edge_rows(figures.grounds.grid(), north=True, deep=figures.grounds.edge)


def setup_of(figures: Conversion, brief: Brief) -> Setup:
    """The set-up of a brief's battle, its armies in the order of their seats."""
    made = {side.seat: army_setup(figures, brief, side) for side in brief.sides}
    board = with_marks(
        figures.grounds.board(brief), FORTS, fortress_cells(figures, brief),
        fortress_level(figures, brief),
    )  # fmt: skip
    ordered = [made[seat] for seat in sorted(made)]
    return Setup(
        board=board,
        armies=tuple([army for army, _ in ordered]),
        catalogue=Catalogue(army=tuple([own for _, own in ordered])),
    )


def open_battle(brief: Brief) -> Position:
    """The war of a brief before anybody has deployed."""
    figures = figures_for(brief, NAME)
    seats = tuple(sorted([side.seat for side in brief.sides]))
    options = SYSTEM.options_from({"turn_limit": figures.limit}, brief.edition)
    state, agenda = begin(setup_of(figures, brief), seats, options)
    return opened(brief, SYSTEM, state, agenda)


def families(war: War, seat: str) -> list[tuple[tuple[str, ...], tuple[Troop, ...]]]:
    """The troops of an army that divisions and mergers have mixed, with the first ones' ids."""
    found: list[tuple[tuple[str, ...], tuple[Troop, ...]]] = []
    for troop in war.roster:
        if troop.army != seat:
            continue
        ids: tuple[str, ...] = origins_of(troop)
        members: tuple[Troop, ...] = (troop,)
        kept = []
        for other_ids, others in found:
            if set(ids) & set(other_ids):
                ids, members = tuple(dict.fromkeys((*other_ids, *ids))), (*others, *members)
            else:
                kept.append((other_ids, others))
        found = [*kept, (ids, members)]
    return found


def losses_of(figures: Conversion, side: Side, war: War) -> list[Loss]:
    """What became of a side's figures: dead by attacks, dispersed, or still there."""
    by_id = {f"{side.seat}{n}": group for n, group in enumerate(groups(figures, side), 1)}
    losses: list[Loss] = []
    for ids, troops in families(war, side.seat):
        pieces = tuple([piece for troop in ids for piece in by_id[troop]])
        lost = sum([troop.lost for troop in troops])
        fled = sum([troop.units for troop in troops if troop.fate == "fled"])
        losses += lost_by_piece(side.seat, pieces, *toll(figures, figures_of(pieces), lost, fled))
    return together(losses)


def toll(figures: Conversion, there: int, lost: int, fled: int) -> tuple[int, int]:
    """Figures killed and figures that left the table, of so many, from units lost and dispersed.

    A stand is lost or not, by the units that are left; else both are divided and rounded up.
    """
    if figures.least:
        left = there * figures.units - lost
        spared = (left + figures.units - figures.least) // figures.units
        return there - min(there, spared), 0
    killed = min(there, rounded_up(lost, figures.units))
    return killed, min(there - killed, rounded_up(fled, figures.units))


def fates_of(figures: Conversion, brief: Brief, side: Side, war: War) -> Iterator[Fate]:
    """What became of a campaign's characters: the general leads the first troop, others follow."""
    number = brief.sides.index(side)
    troops = groups(figures, side)
    people = leaders(figures, number, len(troops) + len(side.leaders))
    by_name = {person.name: person for person in war.people if person.army == side.seat}
    ranked = sorted(side.leaders, key=lambda one: one.rank != "general")
    for one, name in zip(ranked, people, strict=False):
        fate = FATES.get(by_name[name].fate, "alive")
        yield Fate(f"{side.seat}.{one.id}", fate)


def report(brief: Brief, war: War) -> Report:
    """What the war gives back to the campaign."""
    figures = figures_for(brief, NAME)
    losses = [one for side in brief.sides for one in losses_of(figures, side, war)]
    fates = [one for side in brief.sides for one in fates_of(figures, brief, side, war)]
    spent = figures.priest.spent(brief, {seat: army.rerolls for seat, army in war.armies.items()})
    winner = war.ending.winner if war.ending else NOBODY
    return reported(brief, index_of(brief, winner), losses, fates, spent)


PROMITERRA = register_resolver(
    Resolver(NAME, open=open_battle, report=report, system=NAME, grounds=partial(on_land, NAME))
)
"""The resolver, as the entry point names it."""
