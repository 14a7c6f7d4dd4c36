"""Battle brief and battle report: all that a campaign and a battle know of each other (PA-1).

A campaign hands over a `Brief`; a resolver, found by name, opens it as a position of its own
system inside the campaign's position, and reads a `Report` off its end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from polemarque.kernel.errors import KernelFault, NotAllowed, NotUnderstood
from polemarque.kernel.events import EVERYBODY, Audience, may_see
from polemarque.kernel.files.plugins import Plugins, finding
from polemarque.kernel.system import find_system

if TYPE_CHECKING:
    from polemarque.kernel.files.findings import Finding
    from polemarque.kernel.files.texts import Catalogue
    from polemarque.kernel.position import Position

GROUP = "polemarque.resolvers"
"""Entry points of resolvers."""

LAND, SEA = "land", "sea"
"""Where battles are fought, as far as it matters to who can fight them."""


class BriefWords(NamedTuple):
    """The words of a campaign's briefs that conversions read.

    kinds: of its units.   terrains: of its places.
    """

    kinds: tuple[str, ...]
    terrains: tuple[str, ...]


class BriefUnit(msgspec.Struct, frozen=True, omit_defaults=True):
    """One unit of a side.

    figures: models (or stands) present now.   points: what the whole unit present is worth.
    profile: figures of the campaign's own (ws, toughness, ld, …) for conversion tables.
    names:   what readers call it, by language.
    """

    id: str
    name: str
    kind: str
    figures: int
    points: int
    profile: dict[str, Any] = {}
    names: dict[str, str] = {}


class BriefLeader(msgspec.Struct, frozen=True, omit_defaults=True):
    """A general or character; `names` by language."""

    id: str
    name: str
    rank: str
    points: int
    profile: dict[str, Any] = {}
    names: dict[str, str] = {}


class Side(msgspec.Struct, frozen=True, omit_defaults=True):
    """One side: the seat that answers for it, its list, its rights, whether it is absent.

    rights: `once` names those that are spent when they are used; `guests` are mercenaries of one
            battle, units that are in no list and lose nothing; others are the campaign's own.
    names:  what readers call it, by language.
    """

    seat: str
    name: str
    units: tuple[BriefUnit, ...]
    leaders: tuple[BriefLeader, ...]
    rights: dict[str, Any] = {}
    absent: bool = False
    names: dict[str, str] = {}


class Brief(msgspec.Struct, frozen=True, omit_defaults=True):
    """A battle handed over: who, where, under which circumstances, and who resolves it.

    sides: attacker first.   facts: scenario, strategies, sector terrain and whatever else the
    campaign wants on the printed dossier.   campaign: code name of the system that hands it over.
    edition: of the battle's system, as the campaign pinned it; the kernel writes it here.
    witnesses: seats that may see how it goes besides its two sides; None for everybody, where all
    that a brief holds is known anyway.
    names: what readers call the place, by language; empty for its id.
    """

    id: str
    resolver: str
    place: str
    sides: tuple[Side, Side]
    terrain: str = ""
    fortress: bool = False
    season: str = ""
    facts: dict[str, Any] = {}
    campaign: str = ""
    edition: str = ""
    witnesses: Audience = ()
    names: dict[str, str] = {}

    @property
    def audience(self) -> Audience:
        """Who may see how it goes: nothing of it is told to others, or shown."""
        if self.witnesses is None:
            return EVERYBODY
        return tuple(dict.fromkeys([*[side.seat for side in self.sides], *self.witnesses]))

    def seen_by(self, seat: str) -> bool:
        """Whether `seat` may see how it goes."""
        return may_see(self.audience, seat)


class Loss(msgspec.Struct, frozen=True):
    """What a unit ("seat.unit") lost: figures killed, and figures that left the field."""

    unit: str
    killed: int = 0
    left: int = 0


class Fate(msgspec.Struct, frozen=True):
    """The fate of a leader ("seat.leader"): alive, killed, killed in a "duel", fled, captured."""

    leader: str
    fate: str


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a battle gives back.

    winner: index of the winning side (0 attacker, 1 defender), or None.
    facts:  counts that the campaign reads itself (quarters, standards), and how it was decided.
    log:    reference of the battle's own log: its path inside the record.
    """

    brief: str
    winner: int | None
    losses: tuple[Loss, ...] = ()
    fates: tuple[Fate, ...] = ()
    spent: tuple[str, ...] = ()
    facts: dict[str, Any] = {}
    log: str = ""


def anywhere(_: str) -> Collection[str]:
    """The `grounds` of a resolver that can fight any campaign's battles, on land and at sea."""
    return LAND, SEA


class Resolver(msgspec.Struct, frozen=True):
    """A way of fighting battles.

    open:   the position in which the battle begins, from its brief; its scripts ask the seats that
            the brief names.
    report: the report, read off the brief and the state at the battle's end.
    system: name of the system that its battles are fought by.
    grounds: (campaign's code name) -> where it can fight that campaign's battles: `LAND`, `SEA`,
            both; empty where it has no conversion for it.  It is in the lists of those campaigns;
            one that serves none may still be named by a campaign that brings it along.
    """

    name: str
    open: Callable[[Brief], Position]
    report: Callable[[Brief, Any], Report]
    system: str
    grounds: Callable[[str], Collection[str]] = lambda _: ()


_RESOLVERS: dict[str, Resolver] = {}


def register_resolver(resolver: Resolver) -> Resolver:
    """Make a resolver known by its name; the same cell of a notebook may be run again.

    Raises KernelFault on a second one of that name.
    """
    before = _RESOLVERS.get(resolver.name, resolver)
    same = (before.open.__module__, before.system) == (resolver.open.__module__, resolver.system)
    if not same:
        raise KernelFault(f"resolver {resolver.name} is registered twice")
    _RESOLVERS[resolver.name] = resolver
    return resolver


def forget_resolvers(package: str) -> None:
    """Forget the resolvers of a package that `register_resolver` has made known."""
    for name, known in list(_RESOLVERS.items()):
        if f"{known.open.__module__}.".startswith(f"{package}."):
            del _RESOLVERS[name]


def resolver(name: str) -> Resolver:
    """The resolver of that name, loaded by its entry point if nobody has loaded it yet.

    Raises NotUnderstood naming those there are.
    """
    found: Resolver | None = _RESOLVERS.get(name) or RESOLVERS.find(name)
    if found is None:
        raise NotUnderstood("battle.resolver", part=name, legal=resolvers())
    return _RESOLVERS.setdefault(name, found)


def resolvers() -> tuple[str, ...]:
    """Names of all resolvers that can be used, sorted."""
    return tuple(sorted({*RESOLVERS.names(), *_RESOLVERS}))


def _resolver_faults(name: str, found: Any) -> Iterator[Finding]:
    given = getattr(found, "name", type(found).__name__)
    if not isinstance(found, Resolver) or given != name:
        yield finding(name, "contract", field="name", given=str(given), wanted=f"Resolver {name}")


RESOLVERS = Plugins(GROUP, _resolver_faults)


def resolvers_for(
    campaign: str, *, first: Sequence[str] = (), ground: str = LAND
) -> tuple[str, ...]:
    """Names of the resolvers that can fight a campaign's battles on such a ground.

    Those named `first` come first whatever they serve, then those that serve every campaign, then
    the others by name.
    """
    found = [resolver(name) for name in resolvers()]
    able = [each for each in found if ground in each.grounds(campaign)]
    able.sort(key=lambda each: (not each.grounds(""), each.name))
    return tuple(dict.fromkeys([*first, *[each.name for each in able]]))


def untold_titles(campaign: str, texts: Catalogue, lang: str) -> dict[str, str]:
    """By name, what to call those resolvers of a campaign that its texts have no word for.

    Their words are ``option.resolver.<name>``; a stranger's is called as its system is.
    """
    return {
        name: find_system(resolver(name).system).titles.get(lang, name)
        for name in resolvers_for(campaign)
        if not texts.has(lang, f"option.resolver.{name}")
    }


# Does it fit? ------------------------------------------------------------------------------------

FATES = ("alive", "killed", "duel", "fled", "captured")
"""What may become of a leader."""


def due_winner(left: tuple[int, int]) -> int | None:
    """Who wins a battle on the table that nobody else has won: the one side that still has figures,
    if only one has (PA-2).

    left: figures that each side still has on the field.
    """
    if all(left) or not any(left):
        return None
    return 0 if left[0] else 1


def fitted(brief: Brief, report: Report) -> Report:
    """The report, if it fits its brief (PA-1).

    Raises NotAllowed: battle.winner (a side that there is not), battle.unit, battle.losses,
    battle.leader, battle.fate, battle.right.
    """
    _losses_fit(brief, report)
    if report.winner not in (None, 0, 1):
        raise _unfit("battle.winner", report.winner, ("0", "1", "none"))
    leaders = [f"{side.seat}.{leader.id}" for side in brief.sides for leader in side.leaders]
    for fate in report.fates:
        if fate.leader not in leaders:
            raise _unfit("battle.leader", fate.leader, leaders)
        if fate.fate not in FATES:
            raise _unfit("battle.fate", fate.fate, FATES)
    rights = [f"{side.seat}.{r}" for side in brief.sides for r in side.rights.get("once", ())]
    for right in report.spent:
        if right not in rights:
            raise _unfit("battle.right", right, rights)
    return report


def _losses_fit(brief: Brief, report: Report) -> None:
    """Nobody loses what they have not.  Raises NotAllowed as `fitted` does."""
    there = {f"{side.seat}.{unit.id}": unit.figures for side in brief.sides for unit in side.units}
    for loss in report.losses:
        if loss.unit not in there:
            raise _unfit("battle.unit", loss.unit, tuple(there))
        if min(loss.killed, loss.left) < 0 or loss.killed + loss.left > there[loss.unit]:
            raise _unfit("battle.losses", loss.unit, (f"0-{there[loss.unit]}",))
        there[loss.unit] -= loss.killed + loss.left


def _unfit(code: str, part: object, legal: tuple[object, ...] | list[str]) -> NotAllowed:
    return NotAllowed(code, rule="PA-1", part=part, legal=legal)
