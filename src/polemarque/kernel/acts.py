"""What the umpire does between two items: he adjusts, declares, or moves the game to an edition."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from polemarque.kernel.editions import check_adoption
from polemarque.kernel.errors import KernelFault, NotAllowed, NotUnderstood, OutOfDate
from polemarque.kernel.position import decode_position, encode_position
from polemarque.kernel.record import Act, Adjust, Adopt
from polemarque.kernel.run import Runner


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
