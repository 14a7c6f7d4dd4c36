"""How many armies of Atlantide refuse to move for want of supply, turn by turn (AT-6.3).

`python bench/supply.py 4 6 --games 100 --seed 19 --option supply_city=own` plays the very games of
`polemarque study atlantide --seats 4 --games 100 --seed 19`, which tells who leads and wins; with
`--scenario wave` those of `polemarque study atlantide wave`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from polemarque.bots.play import play_game
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.system import TURN_LIMIT, find_system

THIRD = 3


def played(
    options: dict[str, str], scenario: str, seats: int, seed: int
) -> list[tuple[int, int, int]]:
    """Of each turn of a game: its armies, those cut off, those that refuse to move."""
    armies, cut_off, refusing = Counter[int](), Counter[int](), Counter[int]()

    def told(event: Event) -> None:
        if event.rule == "AT-6.1" and event.kind in ("supplied", "unsupplied"):
            armies[event.period] += 1
            cut_off[event.period] += event.kind == "unsupplied"
        elif event.rule == "AT-6.3":
            refusing[event.period] += not event.data["moves"]

    limited = find_system("atlantide").limited(options, scenario)
    header = new_header("atlantide", scenario=scenario, seats=seats, options=limited, seed=seed)
    game = Game(header, publish=told)
    play_game(game, dict.fromkeys(header.seats, "steady"))
    turns = range(1, header.options[TURN_LIMIT] + 1)
    return [(armies[turn], cut_off[turn], refusing[turn]) for turn in turns]


def main() -> None:
    """Play them, and print the shares."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("seats", type=int, nargs="+")
    words.add_argument("--games", type=int, default=100)
    words.add_argument("--seed", type=int, default=19)
    words.add_argument("--scenario", default="")
    words.add_argument("--option", action="append", default=[])
    asked = words.parse_args()
    options = dict(each.split("=") for each in asked.option)
    for seats in asked.seats:
        seeds = [1_000_000 * asked.seed + number for number in range(asked.games)]
        with ProcessPoolExecutor() as pool:
            games = list(
                pool.map(partial(played, options, asked.scenario, seats), seeds, chunksize=5)
            )
        print(f"{seats} seats, {asked.games} games, {options or 'defaults'}")
        for turn, each in enumerate(zip(*games, strict=True), 1):
            there, hungry, still = (sum(n) for n in zip(*each, strict=True))
            many = sum(THIRD * refusing > armies > 0 for armies, _, refusing in each)
            print(
                f"turn {turn:2}: {there} armies, {hungry / there:4.0%} cut off, {still / there:6.1%}"
                f" refuse; more than a third in {many} games"
            )


if __name__ == "__main__":
    main()
