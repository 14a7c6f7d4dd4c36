"""The options with which `run` and `play` begin a game, and how they become its header."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

import rich_click as click

from polemarque.kernel.checks import CheckFailed
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.game import new_header
from polemarque.kernel.record import Header
from polemarque.kernel.system import TURN_LIMIT, System, find_system, system_names
from polemarque.report.house import set_up

F = TypeVar("F", bound=Callable[..., Any])

ROLLED: Final = "rolled"
"""The program rolls: with the seed that is given, or without one."""

DiceBy = Literal["rolled", "typed", "committed"]
"""Where dice come from: from the program, from the table, from seeds that can be checked."""

MOST_FAULTS = 3
"""Faults of files that one refusal tells."""


def game_options(command: F) -> F:
    """SYSTEM, SCENARIO, --seats, --seed, --turns and --option."""
    for wrap in (
        click.option("--option", "chosen", multiple=True, metavar="NAME=VALUE", help="game.option"),
        click.option("--turns", type=click.IntRange(min=1), metavar="N", help="game.turns"),
        click.option("--seed", type=int, metavar="N", help="game.seed"),
        click.option("--seats", type=int, metavar="N", help="game.seats"),
        click.argument("scenario", required=False, default=""),
        click.argument("system", required=False, default=""),
    ):
        command = wrap(command)
    return command


def header_of(
    system: str,
    scenario: str,
    seats: int | None,
    seed: int | None,
    turns: int | None,
    chosen: Sequence[str],
    *,
    limited: bool,
    dice: DiceBy = ROLLED,
) -> Header:
    """The header of the game asked for.

    scenario: the name of a shipped one, or a TOML file: house rules (it names its system) or a
              set-up.  Options given one by one go over those of the house.
    limited:  whether a system that sets no end is given its default number of turns.
    dice:     "rolled" by the program, "typed" from real dice, or "committed" (see `seeds.commit`).
    Raises NotUnderstood or NotAllowed.
    """
    rules = _playable(system)
    if dice != ROLLED and seed is not None:
        raise NotAllowed(f"game.{dice}_seed", part=seed)
    setup = None
    options = options_of(rules, chosen)
    if scenario.endswith(".toml"):
        setup, house = _set_up(Path(scenario), system)
        options, scenario = {**house, **options}, ""
    known = [choice.name for choice in rules.options]
    if turns is not None:
        if TURN_LIMIT not in known:
            raise NotAllowed("game.turns", part=turns, system=rules.name)
        options[TURN_LIMIT] = turns
    elif limited:
        options = rules.limited(options)
    return new_header(
        system, seats=seats, setup=setup, scenario=scenario, options=options, seed=seed,
        dice="" if dice == ROLLED else dice,
    )  # fmt: skip


def _set_up(path: Path, system: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """See `set_up`; what is wrong with the files is refused in the words of `check`."""
    try:
        return set_up(path, system)
    except CheckFailed as failed:
        from polemarque.cli.check import all_words, told

        faults = list(told(failed.findings[:MOST_FAULTS], all_words))
        more = len(failed.findings) - len(faults)
        raise NotUnderstood("setup.faults", part=path, faults=" ".join(faults), more=more) from None


def playable_names() -> tuple[str, ...]:
    """Names of the systems that can be played by themselves."""
    return tuple(name for name in system_names() if find_system(name).playable)


def _playable(name: str) -> System:
    if not name:
        raise NotUnderstood("game.no_system", legal=playable_names())
    if name not in system_names() or not find_system(name).playable:
        raise NotUnderstood("system.unknown", part=name, legal=playable_names())
    return find_system(name)


def options_of(rules: System, chosen: Sequence[str]) -> dict[str, Any]:
    """Options from NAME=VALUE; the system checks names and values.  Raises NotUnderstood."""
    options: dict[str, Any] = {}
    known = {choice.name: choice for choice in rules.options}
    for each in chosen:
        name, equals, value = each.partition("=")
        if not equals:
            raise NotUnderstood("option.form", part=each, legal=known)
        choice = known.get(name)
        values: Mapping[str, Any] = {}
        if choice is not None and not choice.number:
            values = {str(v).lower() if isinstance(v, bool) else str(v): v for v in choice.values}
        options[name] = values.get(value, value)
    return options
