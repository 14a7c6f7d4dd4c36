"""Bots against each other: `make bots` plays the matches and writes the tables of docs/bots.md.

A game's seed is its number, so a table can be played again; sides change with every game.  A draw
counts as half a win where shares are given, as no win where a bot has to beat another.  Intervals
are Wilson's, at 95 %.
"""

from __future__ import annotations

import argparse
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec

from polemarque.bots.play import play_game
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import find_system
from polemarque.lab.intervals import wilson

DOCS = Path(__file__).parent.parent / "docs" / "bots.md"
SYSTEMS = ("promiterra", "thucidide")
SEARCH = "mcts:200"
SMALLEST = {"promiterra": ("skirmish", "colossus"), "thucidide": ("ford", "crossing")}
"""Where the bot that searches is measured."""

FAIR = (0.35, 0.65)
"""What a side's share has to be within for a scenario to be balanced."""

BEATS_RANDOM, BEATS_STEADY = 0.95, 0.6


class Match(msgspec.Struct, frozen=True):
    """One game: a bot for each side, in the order of the sides."""

    system: str
    scenario: str
    bots: tuple[str, ...]
    seed: int


class Outcome(msgspec.Struct, frozen=True):
    """Which side won, None for a draw; how the game ended, after how many turns."""

    side: int | None
    cause: str
    turns: int


def sides_of(game: Game) -> list[tuple[str, ...]]:
    """The seats of each side: of each alliance, where a system knows any."""
    alliance = getattr(game.state, "alliance_of", str)
    sides: dict[str, list[str]] = {}
    for seat in game.header.seats:
        sides.setdefault(alliance(seat), []).append(seat)
    return [tuple(seats) for seats in sides.values()]


def played(match: Match) -> Outcome:
    """Play one game."""
    game = Game(new_header(match.system, scenario=match.scenario, seed=match.seed))
    sides = sides_of(game)
    play_game(game, {s: b for seats, b in zip(sides, match.bots, strict=True) for s in seats})
    winners = game.system.standing(game.state).winners
    side = next((n for n, seats in enumerate(sides) if set(seats) & set(winners)), None)
    return Outcome(side, game.state.ending.cause, game.runner.period)


def per_cent(share: float) -> str:
    """A share as it is printed."""
    return f"{100 * share:.1f} %"


def interval(won: float, games: int) -> str:
    """The interval as it is printed."""
    low, high = wilson(won / games, games)
    return f"{100 * low:.1f}–{100 * high:.1f} %"


Play = Callable[[list[Match]], Iterator[Outcome]]


def contest(play: Play, system: str, scenario: str, pair: tuple[str, str], games: int) -> str:
    """A row: how often the first of two bots beats the other, sides swapped."""
    matches = [Match(system, scenario, pair if n % 2 else pair[::-1], n) for n in range(games)]
    mine = [0 if match.bots == pair else 1 for match in matches]
    found = list(play(matches))
    won = sum(outcome.side == side for outcome, side in zip(found, mine, strict=True))
    drawn = sum(outcome.side is None for outcome in found)
    return (
        f"| `{system}` | `{scenario}` | {games} | {won} | {drawn} | {per_cent(won / games)}"
        f" | {interval(won, games)} |"
    )


def balance(play: Play, system: str, scenario: str, games: int) -> str:
    """A row: how the sides of a scenario fare when the steady bot plays both."""
    found = list(play([Match(system, scenario, ("steady", "steady"), n) for n in range(games)]))
    count = Counter(outcome.side for outcome in found)
    share = (count[0] + count[None] / 2) / games
    turns = sum(outcome.turns for outcome in found) / games
    causes = ", ".join(f"{cause} {n}" for cause, n in Counter(o.cause for o in found).most_common())
    mark = "" if FAIR[0] <= share <= FAIR[1] else " **!**"
    return (
        f"| `{system}` | `{scenario}` | {games} | {count[0]} | {count[1]} | {count[None]}"
        f" | {per_cent(share)}{mark} | {interval(share * games, games)} | {turns:.1f} | {causes} |"
    )


CONTEST = (
    "| system | scenario | games | won | drawn | share | interval |\n|---|---|---|---|---|---|---|"
)
BALANCE = (
    "| system | scenario | games | first side | second side | drawn | share of the first"
    " | interval | turns | endings |\n|---|---|---|---|---|---|---|---|---|---|"
)


def tables(play: Play, args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The tables that were asked for, by name."""
    every = [(system, name) for system in args.systems for name in find_system(system).scenarios
             if not args.scenarios or name in args.scenarios]  # fmt: skip
    if "random" in args.tables:
        yield (
            "random",
            rows(
                CONTEST,
                [partial(contest, play, *one, ("steady", "random"), args.games) for one in every],
            ),
        )
    if "balance" in args.tables:
        yield "balance", rows(BALANCE, [partial(balance, play, *one, args.even) for one in every])
    if "search" in args.tables:
        small = [one for one in every if one[1] in SMALLEST[one[0]]]
        yield (
            "search",
            rows(
                CONTEST,
                [
                    partial(contest, play, *one, (args.search, "steady"), args.games)
                    for one in small
                ],
            ),
        )


def rows(head: str, makers: list[Callable[[], str]]) -> str:
    """A table, printed row by row as it is played."""
    print(head, flush=True)
    lines = [head]
    for make in makers:
        lines.append(make())
        print(lines[-1], flush=True)
    print()
    return "\n".join(lines)


def written(name: str, table: str) -> None:
    """Put a table in its place in the page, with the day on which it was played."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    day = datetime.now(UTC).date().isoformat()
    page = DOCS.read_text(encoding="utf-8")
    new = f"{begin}\n{table}\n\nPlayed on {day}.\n{end}"
    page = re.sub(f"{begin}.*?{end}", lambda _: new, page, flags=re.DOTALL)
    DOCS.write_text(page, encoding="utf-8")


def main() -> None:
    """Play what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", nargs="*", default=["random", "balance", "search"])
    parser.add_argument("--systems", nargs="*", default=list(SYSTEMS))
    parser.add_argument("--scenarios", nargs="*", default=[])
    parser.add_argument("--games", type=int, default=100, help="of a contest of two bots")
    parser.add_argument("--even", type=int, default=200, help="of steady against itself")
    parser.add_argument("--search", default=SEARCH, help="the bot that is to beat steady")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--write", action="store_true", help="put the tables into docs/bots.md")
    args = parser.parse_args()
    with ProcessPoolExecutor(args.jobs) as pool:
        for name, table in tables(lambda matches: pool.map(played, matches, chunksize=4), args):
            if args.write:
                written(name, table)


if __name__ == "__main__":
    main()
