"""The options with which `run`, `play` and `study` begin games, and how they become a header."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from pathlib import Path
from typing import Any, Final, Literal, TypeVar

import msgspec
import rich_click as click
from msgspec.structs import replace

from polemarque.cli.common import lang, refusal_text
from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.files.findings import CheckFailed, Finding, Lines, Step, read_toml
from polemarque.kernel.files.validation_messages import misread_at
from polemarque.kernel.game import new_header
from polemarque.kernel.new_game import opening
from polemarque.kernel.records.record import COMMITTED, FREE, TYPED, Header
from polemarque.kernel.system import TURN_LIMIT, System, find_system, system_names
from polemarque.report.house_rules import set_up

T = TypeVar("T")

ROLLED: Final = "rolled"
"""The program rolls: with the seed that is given, or without one."""

DiceBy = Literal["rolled", "typed", "committed"]
"""Where dice come from: from the program, from the table, from seeds that can be checked."""

MOST_FAULTS = 3
"""Faults of files that one refusal tells."""


class GameOptions(msgspec.Struct, frozen=True):
    """What was typed of the game to begin; `chosen` holds its options, each NAME=VALUE."""

    system: str = ""
    scenario: str = ""
    seats: int | None = None
    seed: int | None = None
    turns: int | None = None
    chosen: tuple[str, ...] = ()


def game_options(command: Callable[..., T]) -> Callable[..., T]:
    """SYSTEM, SCENARIO, --seats, --seed, --turns, --option: given to the command as `typed`."""

    @wraps(command)
    def wrapped(**given: Any) -> T:
        typed = {name: given.pop(name) for name in GameOptions.__struct_fields__}
        return command(typed=GameOptions(**typed), **given)

    for wrap in (
        click.option("--option", "chosen", multiple=True, metavar="NAME=VALUE", help="game.option"),
        click.option("--turns", type=click.IntRange(min=1), metavar="N", help="game.turns"),
        click.option("--seed", type=int, metavar="N", help="game.seed"),
        click.option("--seats", type=int, metavar="N", help="game.seats"),
        click.argument("scenario", required=False, default=""),
        click.argument("system", required=False, default=""),
    ):
        wrapped = wrap(wrapped)
    return wrapped


def seating_options(command: Callable[..., T]) -> Callable[..., T]:
    """--seat (`given`), --people, --bots, --dice and --save of a new game."""
    for wrap in (
        click.option("--save", type=click.Path(path_type=Path), metavar="FILE", help="play.save"),
        click.option(
            "--dice", type=click.Choice([ROLLED, TYPED, COMMITTED]), help="play.dice_by"
        ),
        click.option("--bots", default="", metavar="NAME,…", help="play.bots"),
        click.option("--people", type=int, metavar="N", help="play.people"),
        click.option("--seat", "given", multiple=True, metavar="SEAT=NAME", help="play.seat"),
    ):  # fmt: skip
        command = wrap(command)
    return command


def header_of(typed: GameOptions, *, limited: bool, dice: DiceBy = ROLLED) -> Header:
    """The header of the game asked for.

    The scenario is a shipped one (see `_scenario`), or a TOML file: house rules (which name their
    system) or a set-up.  Options typed one by one go over those of the house.
    limited: whether a system that sets no end is given its default number of turns.
    dice:    "rolled" by the program, "typed" from real dice, or "committed" (see `commit`).
    Raises NotUnderstood or NotAllowed; what a file holds is refused with its line.
    """
    rules, scenario = _playable(typed.system), typed.scenario
    if dice != ROLLED and typed.seed is not None:
        raise NotAllowed(f"game.{dice}_seed", part=typed.seed)
    setup = None
    options = options_of(rules, typed.chosen)
    if scenario.endswith(".toml"):
        path = Path(scenario)
        try:
            setup, house = set_up(path, typed.system)
        except CheckFailed as failed:
            raise faults_of(path, failed) from None
        options, scenario = {**house, **options}, ""
    elif scenario:
        scenario = _scenario(rules, scenario)
    known = [choice.name for choice in rules.options]
    if typed.turns is not None:
        if TURN_LIMIT not in known:
            raise NotAllowed("game.turns", part=typed.turns, system=rules.name)
        options[TURN_LIMIT] = typed.turns
    elif limited:
        options = rules.limited(options, scenario)
    header = new_header(
        typed.system, seats=typed.seats, setup=setup, scenario=scenario, options=options,
        seed=typed.seed, dice="" if dice == ROLLED else dice,
    )  # fmt: skip
    if setup is not None:
        try:
            opening(replace(header, dice=FREE, seed=""))
        except Refusal as refusal:
            path = Path(typed.scenario)
            told = in_file(path, refusal)
            # What the system's rules refuse has its line where its own check finds it.
            found = rules.check(path) if rules.check and not told.data["line"] else None
            raise faults_of(path, CheckFailed(found)) if found else told from None
    return header


def in_file(path: Path, refusal: Refusal, *steps: Step) -> NotUnderstood:
    """A refusal of what a TOML file holds, told with the file and, where it is known, the line.

    steps: where the fault stands, if the refusal itself does not say it.
    """
    if refusal.code == "setup.field":
        steps = (refusal.part,)
    elif "misread" in refusal.data:
        steps = (*steps, *misread_at(str(refusal.data["misread"])))
    read = read_toml(path)
    line = 0 if isinstance(read, Finding) else Lines(read[1]).of(*steps)
    return NotUnderstood("file.holds", part=path, line=line, fault=refusal_text(refusal))


def _scenario(rules: System, typed: str) -> str:
    """A shipped scenario by its name, its title, or a beginning of either that fits one alone.

    Raises NotUnderstood naming those there are.
    """
    from polemarque.kernel.files.sentence_templates import plainly
    from polemarque.report.labels import scenario_title

    titles = {name: scenario_title(rules, name, lang()) for name in rules.scenarios}
    wanted = plainly(typed)
    called = {name: (plainly(name), plainly(title)) for name, title in titles.items()}
    found = [name for name, names in called.items() if wanted in names] or [
        name for name, names in called.items() if any([each.startswith(wanted) for each in names])
    ]
    if len(found) != 1:
        legal = [f"{name} ({title})" for name, title in titles.items()]
        raise NotUnderstood("scenario.unknown", part=typed, legal=legal)
    return found[0]


def faults_of(path: Path, failed: CheckFailed) -> NotUnderstood:
    """What is wrong with files, refused in the words of `check`."""
    from polemarque.cli.commands.check import all_words, told

    faults = list(told(failed.findings[:MOST_FAULTS], cache(all_words)))
    more = len(failed.findings) - len(faults)
    return NotUnderstood("setup.faults", part=path, faults=" ".join(faults), more=more)


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
