"""What an umpire does between two items, and what it changes: adjust, correct, adopt an edition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from polemarque.kernel.editions import changes, check_adoption
from polemarque.kernel.errors import KernelFault, NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.records.record import Act, Adjust, Adopt, Answer, Replace
from polemarque.kernel.request import DICE, Key
from polemarque.kernel.run import Runner

if TYPE_CHECKING:
    from polemarque.kernel.game import Game

UmpireAct = Replace | Adjust | Adopt
"""What an umpire does to a game."""


def path_of(act: Act) -> str:
    """The open battle that an act is done in, or "" for the game itself."""
    return act.path if isinstance(act, Adjust) else ""


def prepared(game: Runner, act: Act) -> Callable[[], None]:
    """What an act will do, ready to be done.

    Raises OutOfDate if this is not the moment, NotAllowed or NotUnderstood if the system of the
    game, or of the battle that it is addressed to, does not allow it.
    """
    runner = game.at(path_of(act))
    if runner is None or (runner is not game and runner.over):
        open_now = [each.path for each in game.within() if each is not game and not each.over]
        raise OutOfDate("act.no_battle", part=path_of(act), legal=open_now)
    what = act.name if isinstance(act, Adjust) else act.edition
    if not runner.fresh:
        raise OutOfDate("act.not_between_items", part=what)
    return _adjusted(runner, act) if isinstance(act, Adjust) else _adopted(runner, act)


def _adjusted(runner: Runner, act: Adjust) -> Callable[[], None]:
    system = runner.system
    if system.adjust is None:
        raise NotAllowed("act.nothing_adjustable", part=act.name)
    state = system.adjust(runner.state, act.name, act.value)
    faults = system.faults(state)
    if faults:
        raise NotAllowed("act.unsound", part=act.name, legal=faults)
    return lambda: runner.change(state)


def _adopted(runner: Runner, act: Adopt) -> Callable[[], None]:
    """Battles that are opened later, or the game itself from its stored position on.

    Raises NotAllowed if the rules of that edition cannot read the position.
    """
    check_adoption(runner, act)
    if not act.resolver:
        moved = msgspec.structs.replace(runner.position, edition=act.edition)
        try:
            decode_position(encode_position(moved))
        except (NotUnderstood, KernelFault) as fault:
            raise NotAllowed("act.edition_unfit", part=act.edition, reason=str(fault)) from None
    return lambda: runner.adopt(act.edition, act.resolver)


# What an act changes; a preview does it in a copy of the game ------------------------------------


class Difference(msgspec.Struct, frozen=True):
    """One figure that changed.

    place: where it stands, dotted; None as a value: not there at all.
    path:  the battle in whose view it stands, or "" for the game's own.
    """

    place: str
    before: Any
    after: Any
    path: str = ""


def differences(before: Any, after: Any, path: str = "") -> list[Difference]:
    """Every figure that differs between two views, in the order of the first.

    A figure that has its usual value is told where it had another, or gets one: not where what it
    belongs to comes or goes as a whole.
    """
    old, new = _Flat(before), _Flat(after)
    places = [*old.figures, *(place for place in new.figures if place not in old.figures)]
    return [
        Difference(place, old.figures.get(place), new.figures.get(place), path)
        for place in places
        if old.figures.get(place) != new.figures.get(place)
        and not (place in old.usual and place not in new.figures)
        and not (place in new.usual and place not in old.figures)
    ]


def changed_views(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Difference]:
    """What differs between two times a seat's views, by path; what is in one only is all new."""
    return [
        each
        for path in dict.fromkeys((*before, *after))
        for each in differences(before.get(path), after.get(path), path)
    ]


class _Flat:
    """Every figure of a view under its dotted place.   usual: the places of those left at that."""

    def __init__(self, view: Any) -> None:
        self.figures: dict[str, Any] = {}
        self.usual: set[str] = set()
        if view is not None:
            self._walk("", view, usual=False)

    def _walk(self, place: str, value: Any, *, usual: bool) -> None:
        steps: list[tuple[Any, Any, bool]] = []
        if isinstance(value, msgspec.Struct) and not value.__struct_config__.array_like:
            told = msgspec.to_builtins(value)  # without what is as usual, where that is left out
            names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
            steps = [(name, getattr(value, field), name not in told) for name, field in names]
        elif isinstance(value, Mapping):
            steps = [(name, part, False) for name, part in value.items()]
        elif isinstance(value, (list, tuple)):
            steps = [(number, part, False) for number, part in enumerate(value)]
        for name, part, left in steps:
            self._walk(f"{place}.{name}" if place else str(name), part, usual=usual or left)
        if not steps:
            self.figures[place] = msgspec.to_builtins(value)
            if usual:
                self.usual.add(place)


class Effect(msgspec.Struct, frozen=True):
    """What an act changes.

    changes: by seat, what it sees otherwise.
    left:    answers that it has left over.   asked: what it asks of seats.
    rolls:   throws for which it waits.   over: the game has ended.
    rules:   those that an edition changes.
    """

    changes: dict[str, list[Difference]] = {}
    left: Sequence[Key] = ()
    asked: Sequence[Key] = ()
    rolls: Sequence[Key] = ()
    over: bool = False
    rules: Sequence[str] = ()


def enact(game: Game, act: UmpireAct, seats: Sequence[str] | None = None) -> Effect:
    """Do an act, and say what it has changed.  Raises Refusal, changing nothing.

    seats: those whose views are told; None for all.
    """
    eyes = game.header.seats if seats is None else seats
    rules = changes(game.runner, act) if isinstance(act, Adopt) else ()
    before = {seat: game.views(seat) for seat in eyes}
    were_open, were_left = set(game.runner.open_keys()), list(game.left_over)
    game.enter(act)
    new = [key for key in game.runner.open_keys() if key not in were_open]
    return Effect(
        {seat: changed_views(was, game.views(seat)) for seat, was in before.items()},
        [e.key for e in game.left_over if isinstance(e, Answer) and e not in were_left],
        [key for key in new if key.seat != DICE],
        [key for key in new if key.seat == DICE], game.over, rules,
    )  # fmt: skip
