"""Speed beside peers, measured side by side: `make bench` prints the table of docs/bench.md.

Every ratio is the median of alternations (peer, ours, peer, ours…) in one process pinned to one
core, each in its idiomatic form, fresh seeds each time.  Absolute figures belong to the machine;
only the ratios are goals.  C-ratios compare different games: C3, per order, is the one to quote.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import before
import naive
import ours
import parallel
import peers

from polemarque.odds.batailles import battle

FLOORS = {"C1": 20, "C2": 30, "C3": 3, "C6": 1000, "C7 time": 10, "C7 size": 5, "C8": 5}
TARGETS = {"C1": 100, "C2": 150, "C3": 10, "C6": 10_000, "C7 time": 50, "C7 size": 20, "C8": 20}
FLOORS |= {"C4": 1.5, "C5": 0.5, "S1": 1 / 1.5, "S2": 1 / 20}
TARGETS |= {"C4": 5, "C5": 1.5, "S1": 1, "S2": 1 / 10}
FLOORS |= {"C10": 10, "D1": 0.1, "D2": 0.1, "E5 icepool": 1000, "E5 dyce": 100, "E6": 80}
TARGETS |= {"C10": 40, "D1": 0.5, "D2": 0.5, "E5 icepool": 3500, "E5 dyce": 300, "E6": 180}
FLOORS |= {"O 50v20": 12, "O 5000v3000 cut": 10, "O BC-2.1": 5, "O AT-8.11": 5, "O AT-9.5": 5}
FLOORS |= {"F icepool": 300, "F dyce": 25}
TARGETS |= {"F icepool": 500, "F dyce": 45}
FLOORS |= {"M1": 120, "M3": 60, "M4": 60, "M5": 0.3, "S3": 1 / 4}
TARGETS |= {"M1": 270, "M3": 130, "M4": 135, "M5": 0.6, "S3": 1 / 2.5}
FLOORS |= {"P pool": 0.75, "P dask": 0.75}
TARGETS |= {"P pool": 0.95, "P dask": 0.95}
BESIDE = [*before.SYSTEMS, "study", "study parallel", "page", "answer"]
FLOORS |= {f"G {name}": 0.9 for name in BESIDE}
MUST = ["C3", "C6", "C7 time", "C7 size", "C8", "P pool", "P dask"]
MUST += [f"G {name}" for name in BESIDE if before.counted()]
"""Ratios whose floor is a gate; the others are reported.  Of G, counted instructions alone are."""
CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)

GAMES = 200
"""Games of steady bots of each system."""

rows: list[tuple[str, str, float, float, float]] = []


def note(name: str, what: str, ratios: list[float]) -> None:
    """Keep one line of the table."""
    rows.append((name, what, statistics.median(ratios), min(ratios), max(ratios)))
    print(
        f"{name:8} {statistics.median(ratios):12,.1f}x  ({min(ratios):,.1f}–{max(ratios):,.1f})  {what}"
    )


def seconds(work: Callable[[], object], least: float = 0.1) -> float:
    """Seconds of processor time a call, the call repeated until `least` of them have passed."""
    done, start = 0, time.process_time()
    while True:
        work()
        done += 1
        passed = time.process_time() - start
        if passed >= least:
            return passed / done


def alternate(rounds: int, peer: Callable[[], float], our: Callable[[], float]) -> list[float]:
    """peer / ours, round by round."""
    peer(), our()
    return [peer() / our() for _ in range(rounds)]


def campaigns(rounds: int) -> None:
    """C1 to C3: whole random campaigns beside diplomacy's, order by order checked and logged."""
    games, phases, orders = [], [], []
    for number in range(rounds):
        theirs = peers.diplomacy_game(number)
        mine = [ours.campaign(1000 * number + n) for n in range(20)]
        took = statistics.median(game.seconds for game in mine)
        games.append(theirs.seconds / took)
        phases.append(
            statistics.median(g.phases / g.seconds for g in mine) * theirs.seconds / theirs.phases
        )
        orders.append(
            statistics.median(g.orders / g.seconds for g in mine) * theirs.seconds / theirs.orders
        )
    print(
        f"         ours: {1 / took:,.0f} games/s, {mine[-1].orders / mine[-1].seconds:,.0f} orders/s"
    )
    note("C1", "whole campaign, random play: games/s beside diplomacy", games)
    note("C2", "phases/s beside diplomacy", phases)
    note("C3", "orders/s beside diplomacy (every order checked and logged)", orders)


def states(rounds: int) -> None:
    """C6 to C8: fork, save and memory beside diplomacy."""
    twenty, long = peers.diplomacy_game(1, 20).game, peers.diplomacy_game(3).game
    half, whole = ours.played(7, turns=7), ours.played(7)
    note("C6", "fork of a mid-campaign state beside deepcopy at 20 phases",
         alternate(rounds, lambda: seconds(lambda: peers.fork(twenty)), lambda: seconds(lambda: ours.fork(half))))  # fmt: skip
    note("C7 time", "write and read a complete saved game beside diplomacy",
         alternate(rounds, lambda: seconds(lambda: peers.write_and_read(long)), lambda: seconds(lambda: ours.write_and_read(whole))))  # fmt: skip
    note("C7 size", "bytes of a saved game, game by game",
         [len(peers.saved(peers.diplomacy_game(n).game)) / len(ours.saved(ours.played(n))) for n in range(2 * rounds + 1)])  # fmt: skip
    note("C8", "memory of a finished game with its log",
         [peers.memory(3 + n) / ours.memory(3 + n) for n in range(3)])  # fmt: skip


def engines(rounds: int) -> None:
    """C4, C5: one checked and logged answer beside boardgame.io and OpenSpiel's Python games."""
    note("C5", "answers/s beside OpenSpiel python_tic_tac_toe moves/s",
         [ours.answers_per_second(n) / peers.openspiel_moves(n) for n in range(rounds)])  # fmt: skip
    if (moves := peers.boardgame_moves()) is None:
        print("C4       left out: boardgame.io is not installed (npm)")
        return
    note("C4", "answers/s beside boardgame.io reducer moves/s (back to back)",
         [ours.answers_per_second(50 + n) / moves for n in range(rounds)])  # fmt: skip


def others(rounds: int) -> None:
    """C10, D1, D2: the other systems, every answer checked and logged."""
    ratios = []
    for number in range(rounds):
        theirs = peers.diplomacy_game(number).seconds
        ratios.append(theirs / statistics.median(ours.mare_nostrum(9 * number + n) for n in range(9)))  # fmt: skip
    note("C10", "whole Mare Nostrum campaign, random play: games/s beside diplomacy", ratios)
    for name, system in (("D1", "promiterra"), ("D2", "thucidide")):
        note(name, f"{system}: random decisions/s beside OpenSpiel python_tic_tac_toe moves/s",
             [ours.decisions_per_second(system, n) / peers.openspiel_moves(n) for n in range(rounds)])  # fmt: skip


def odds(rounds: int) -> None:
    """E5, E6: exact losses of one attack of 50 units on 20 and its riposte, no compiled extra."""
    fifty = (50, 20)
    ours_joint = ours.clash(*fifty)
    joint = {
        (there, back): Fraction(weight, ours_joint.scale)
        for there, row in enumerate(ours_joint.weights)
        for back, weight in enumerate(row)
        if weight
    }
    theirs = peers.icepool_clash(*fifty)
    assert joint == {pair: Fraction(theirs.probability(pair)) for pair in joint}, "not the same law"
    for name, peer in (("icepool", peers.icepool_strikes), ("dyce", peers.dyce_strikes)):
        note(f"E5 {name}", f"PR-5.3 at 50v20, two laws apart, beside {name} thinned by hand",
             alternate(rounds, lambda: seconds(lambda: peer(*fifty)), lambda: seconds(lambda: ours.strikes(*fifty))))  # fmt: skip  # noqa: B023
    note("E6", "PR-5.3 at 50v20, joint law, beside icepool",
         alternate(rounds, lambda: seconds(lambda: peers.icepool_clash(*fifty)), lambda: seconds(lambda: ours.clash(*fifty))))  # fmt: skip


def called(rounds: int) -> None:
    """O: the same at the public call, `consult_odds`, until every outcome and its p has been read."""

    def troop(units: int, defence: int) -> dict[str, int]:
        return {"units": units, "attack": 3, "defence": defence}

    def exchange(units: int, against: int) -> dict[str, object]:
        return {"attacker": troop(units, 2), "defender": troop(against, 3)}

    side = {"morale": 10, "command": 3, "players": 3}
    ground = {"terrain": "forest", "capital": False, "capital_conquered": False,
              "atlantis": False, "player_held": False, "fortresses": 0, "loot": 0}  # fmt: skip
    forces = {"attacker_force": 10, "defender_force": 8, "defender_absent": False}
    asked: list[tuple[str, tuple[object, ...], Callable[[], object], Callable[[dict[str, Any]], object]]] = [
        ("50v20", ("PR-5.3", exchange(50, 20), {"dice": "all"}), lambda: peers.icepool_clash(50, 20),
         lambda r: (r["defender_losses"], r["attacker_losses"])),
        ("50v20 cut", ("PR-5.3", exchange(50, 20)), lambda: peers.icepool_cut_clash(50, 20),
         lambda r: (r["defender_losses"], r["attacker_losses"])),
        ("5000v3000 cut", ("PR-5.3", exchange(5000, 3000)), lambda: peers.icepool_cut_clash(5000, 3000),
         lambda r: (r["defender_losses"], r["attacker_losses"])),
        ("BC-2.1", ("BC-2.1", {"a": {"pm": 80, **side}, "b": {"pm": 70, **side}}), lambda: peers.icepool_phase(11, 10),
         lambda r: (r["outcome"], r["winner"] or "")),
        ("AT-8.11", ("AT-8.11", forces), lambda: peers.icepool_simulation(2),
         lambda r: r["difference"] * (1 if r["winner"] == "attacker" else -1)),
        ("AT-9.5", ("AT-9.5", {"combat_force": 13, **ground}), lambda: peers.icepool_assault(13, 8),
         lambda r: (r["result"], max(r["loot"], 0))),
    ]  # fmt: skip
    for name, question, peer, key in asked:
        law: dict[object, Fraction] = {}
        for result, p in ours.odds(*question):
            law[key(result)] = law.get(key(result), Fraction(0)) + Fraction(p)
        theirs = dict(peers.outcomes(peer()))
        assert law == theirs, f"{name}: not the same law"
        note(f"O {name}", "consult_odds, exact, read to the end, beside icepool",
             alternate(rounds, lambda: seconds(lambda: deque(peers.outcomes(peer()), 0)), lambda: seconds(lambda: deque(ours.odds(*question), 0))))  # fmt: skip  # noqa: B023

    for name, strikes in (("icepool", peers.icepool_strikes), ("dyce", peers.dyce_strikes)):

        def laws() -> list[dict[int, float]]:
            return [
                {lost: n / scale for lost, n in law.items()}
                for law in strikes(50, 20)  # noqa: B023
                for scale in (sum(law.values()),)
            ]

        for law, mine in zip(laws(), ours.exchanged(50, 20), strict=True):
            assert all(abs(mine.get(lost, 0) - p) < 1e-12 for lost, p in law.items()), (
                "not the same law"
            )
        note(f"F {name}", f"odds.promiterra.exchange at 50v20, floats, read to the end, beside {name} thinned by hand",
             alternate(rounds, lambda: seconds(laws), lambda: seconds(lambda: ours.exchanged(50, 20))))  # fmt: skip


PLAYS = 1_000_000
"""What one samples."""


def sampled(rounds: int) -> None:
    """M1, M3 to M5: samples at the public call beside plain Python that does the same, all dice thrown."""
    a, b = ({"pm": pm, "morale": 10, "command": 3, "players": 3} for pm in (80, 70))
    dice = 50 + 50 / 2 + 20 + 20 / 2  # thrown in an exchange, on average: half of them hit
    asked: list[tuple[str, Callable[[], object], Callable[[int, int], dict[object, float]]]] = [
        ("M1", lambda: naive.exchange(50, 20),
         lambda n, seed: {(r["defender_losses"], r["attacker_losses"]): share for r, share in shares(n, seed, *EXCHANGE)}),
        ("M3", lambda: naive.assault(8),
         lambda n, seed: {(r["result"], r["loot"]): share for r, share in shares(n, seed, *ASSAULT)}),
        ("M4", lambda: naive.battle(a, b), lambda n, seed: dict(battle(a, b, sample=n, seed=seed))),
    ]  # fmt: skip
    seeds = iter(range(1, 10_000))
    for name, one, many in asked:
        alike([one() for _ in range(20_000)], many(PLAYS, next(seeds)))
        ratios = alternate(rounds, lambda: seconds(one), lambda: seconds(lambda: many(PLAYS, next(seeds))) / PLAYS)  # fmt: skip  # noqa: B023
        note(name, "plays/s of a sample of a million beside naive Python", ratios)
    long = 50_000_000
    note("M5", "dice/s of M1 beside the generator's, in one long roll",
         alternate(rounds, lambda: seconds(lambda: ours.long_roll(long, next(seeds))) / long,
                   lambda: seconds(lambda: asked[0][2](PLAYS, next(seeds))) / PLAYS / dice))  # fmt: skip


GROUND = {"terrain": "forest", "capital": False, "capital_conquered": False, "atlantis": False,
          "player_held": False, "fortresses": 0, "loot": 0}  # fmt: skip
ASSAULT = ("AT-9.5", {"combat_force": 16, **GROUND}, {})
EXCHANGE = (
    "PR-5.3",
    {name: {"units": units, "attack": 3, "defence": defence}
     for name, units, defence in (("attacker", 50, 2), ("defender", 20, 3))},
    {"dice": "all"},
)  # fmt: skip


def shares(plays: int, seed: int, *question: object) -> list[tuple[dict[str, Any], float]]:
    """Every outcome of a rule with its share, read to the end."""
    return [(r, float(Fraction(p))) for r, p in ours.sampled(*question, plays=plays, seed=seed)]


def alike(theirs: list[object], of: dict[object, float]) -> None:
    """Whether plays have these shares, each within five of its errors."""
    n = len(theirs)
    for end in {*theirs, *of}:
        share = of.get(end, 0.0)
        error = 5 * ((share * (1 - share) + 1 / n) / n) ** 0.5
        assert abs(theirs.count(end) / n - share) < error, f"{end}: not the same rule"


def starts(rounds: int) -> None:
    """S1 to S3: fresh processes."""

    compiled = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # ours too, as if pip had put it there

    def process(*words: str) -> float:
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, *words], check=True, stdout=subprocess.DEVNULL, env=compiled
        )
        return time.perf_counter() - start

    bare = ("-c", "pass")
    note("S1", "import polemarque beside import icepool (fresh process)",
         alternate(rounds, lambda: process("-c", "import icepool"), lambda: process("-c", "import polemarque.kernel.game")))  # fmt: skip
    odds = (
        "-c",
        "from polemarque.cli import main; main()",
        "consult",
        "AT-9.2",
        "loot=0",
        "general_ld=8",
        "--odds",
        "--json",
    )
    note("S2", "bare Python beside the first exact answer of a cold command",
         alternate(rounds, lambda: process(*bare), lambda: process(*odds)))  # fmt: skip
    first = (*odds[:3], "AT-8.11", "attacker_force=10", "defender_force=8", "defender_absent=false", "--odds", "--sample", "1000")  # fmt: skip
    note("S3", "import numba beside the first sample of a cold command, compiled before",
         alternate(rounds, lambda: process("-c", "import numba"), lambda: process(*first)))  # fmt: skip


def house(rounds: int) -> None:
    """B, T1: pieces of ours beside simpler ones of ours; no floor, so that a jump is seen."""
    for system in ("atlantide", "mare_nostrum", "promiterra", "thucidide"):
        note(f"B {system}", "a decision of random bots beside one of steady bots, with what the rules then do",
             [1 / ours.steady_beside_random(system, n) for n in range(rounds)])  # fmt: skip
    totals = dict.fromkeys(range(2, 13))
    note("T1", "rows/s of a table beside a dictionary's values/s",
         [ours.lookups_per_second() / ours.lookups_per_second(totals.get) for _ in range(rounds)])  # fmt: skip


def unpinned() -> None:
    """All cores, for what several processes do."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, CORES)


def parallels(rounds: int) -> None:
    """P: games by as many workers as there are cores; and by hundreds, by a simulated clock."""
    unpinned()
    for name, what, ratios in parallel.efficiencies(min(rounds, 3), GAMES, len(CORES)):
        note(f"P {name}", what, ratios)
    cost = parallel.handing_over()
    for workers in (100, 200, 300):
        note(f"P {workers}", f"simulated: chunks dealt out in {1000 * cost:.1f} ms each, per worker",
             [parallel.simulated(workers, cost)])  # fmt: skip


def befores(rounds: int) -> None:
    """G: ours beside an older commit of ours."""
    unpinned()
    print(f"G        what it cost at {before.COMMIT} beside what it costs now, in "
          f"{'instructions' if before.counted() else 'processor time: no gate'}")  # fmt: skip
    try:
        for name, what, ratios in before.beside(min(rounds, 3), GAMES, len(CORES)):
            note(f"G {name}", what, ratios)
    except before.NoCommit:
        print(f"G        left out: {before.COMMIT} is not in this copy of the repository")


PARTS = {
    "campaigns": campaigns, "states": states, "engines": engines, "others": others,
    "odds": odds, "called": called, "sampled": sampled, "starts": starts, "house": house,
    "parallel": parallels, "before": befores,
}  # fmt: skip


def report(path: Path) -> bool:
    """Write the table; whether every gate holds."""
    held = True
    lines = ["| # | goal | measured (min–max) | floor | target |", "|---|---|---|---|---|"]
    for name, what, middle, low, high in rows:
        floor, target = (f"{of[name]:,.2f}x" if name in of else "" for of in (FLOORS, TARGETS))
        held &= name not in MUST or middle >= FLOORS[name]
        lines.append(
            f"| {name} | {what} | {middle:,.2f}x ({low:,.2f}–{high:,.2f}) | {floor} | {target} |"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    path.with_suffix(".json").write_text(json.dumps(rows) + "\n", encoding="utf-8")
    return held


def versions() -> str:
    """What is compared, in one line."""
    found = [f"Python {platform.python_version()}"]
    for name in ("polemarque", "diplomacy", "open_spiel", "icepool", "numba"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} missing")
    return ", ".join(found)


def main() -> int:
    """Run what is asked for; 1 if a gate is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=tuple(PARTS))
    parser.add_argument("--games", type=int, default=GAMES, help="of each system, in P and G")
    parser.add_argument("--out", type=Path, default=Path("out/bench.md"))
    asked = parser.parse_args()
    globals()["GAMES"] = asked.games
    warnings.simplefilter("ignore")
    print(versions(), "; node" if shutil.which("node") else "", sep="")
    for name, part in PARTS.items():
        if asked.only in (None, name):
            if hasattr(os, "sched_setaffinity"):
                os.sched_setaffinity(0, {max(CORES)})
            part(asked.rounds)
    return 0 if report(asked.out) else 1


if __name__ == "__main__":
    sys.exit(main())
