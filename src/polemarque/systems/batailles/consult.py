"""The rules that can be asked alone, answered by the procedures that play them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from polemarque.api import (
    Call,
    Count,
    Inputs,
    Modifier,
    Question,
    Rule,
    Sum,
    call,
    convert,
    explain,
)
from polemarque.systems.batailles.options import Options
from polemarque.systems.batailles.outcome import GAP, morale_change, players_roll, still_counts
from polemarque.systems.batailles.outcome import winner_loss as lost_by_winner
from polemarque.systems.batailles.phase import engagement
from polemarque.systems.batailles.phase_values import (
    SIDES,
    Force,
    SideCode,
    inflicted,
    out_of_action,
    winner_cap,
)


class SideInput(Inputs, frozen=True):
    """A side: its PM, total morale, command, and its other players (their number, or names)."""

    pm: int
    morale: int
    command: int
    players: Count | tuple[str, ...]

    @property
    def force(self) -> Force:
        """The side as it goes into a phase: with all its PM."""
        named = self.players if isinstance(self.players, tuple) else ()
        return Force(
            pm=self.pm,
            engaged=self.pm,
            morale=self.morale,
            command=self.command,
            players=self.players if isinstance(self.players, int) else len(named),
            names=named,
        )


def ask_phase(
    a: SideInput,
    b: SideInput,
    previous_winner: Literal["a", "b", "none"] = "none",
    winner_loss: int | None = None,
    *,
    options: Mapping[str, Any],
) -> Call:
    """BC-2.1: one phase, from its dice to what it costs.

    previous_winner: of the phase before, if that win is still unpaired (BC-3.2).
    winner_loss:     by `winner_losses=umpire`, what the winner loses before the caps.
    """
    figures = a.force, b.force, convert(options, Options), previous_winner, winner_loss
    return Call(engagement.rule, figures)


def ask_morale(base: int, bonuses: tuple[int, ...] = (), change: int = 0) -> Rule[dict[str, Any]]:
    """BC-1.2: total morale."""
    parts = [Modifier(base, "base_morale", "BC-1.2")]
    parts += [Modifier(bonus, "unit_bonuses", "BC-1.2") for bonus in bonuses]
    parts += [Modifier(change, "won_and_lost", "BC-1.2")] if change else []
    morale = Sum(tuple(parts))
    yield from explain(morale)
    return {"morale": morale.total}


def ask_players(players: Count | tuple[str, ...]) -> Call:
    """BC-2.2: what the players' dice add, and the feats of arms among them."""
    named = players if isinstance(players, tuple) else ()
    count = players if isinstance(players, int) else len(named)
    return Call(players_roll.rule, ("a", count, "", named))


def ask_gap(gap: Count) -> dict[str, Any]:
    """BC-2.3 to BC-2.6: the outcome of a gap, and its losses before the caps.

    winner_varies: whether the winner's loss is rolled or chosen, and not a single number.
    """
    row = GAP.row(gap)
    won = row.outcome != "tie"
    return {
        "outcome": row.outcome,
        "loser_loss": row.loser,
        "winner_least": row.winner_least if won else None,
        "winner_most": row.winner_most if won else None,
        "winner_varies": won and row.winner_least < row.winner_most,
    }


def ask_winner(
    outcome: Literal["narrow", "clear", "crushing"],
    winner_loss: int | None = None,
    *,
    options: Mapping[str, Any],
) -> Rule[dict[str, Any]]:
    """BC-2.7: what the winner loses before the caps."""
    row = next(band.row for band in GAP.bands if band.row.outcome == outcome)
    lost = yield from call(
        lost_by_winner, row.winner_least, row.winner_most, options["winner_losses"],
        winner_loss,
    )  # fmt: skip
    return {"loss": lost}


def ask_inflicted(engaged: Count) -> dict[str, Any]:
    """BC-2.8: the most an army inflicts."""
    return {"inflicts": inflicted(engaged)}


def ask_winner_cap(engaged: Count) -> dict[str, Any]:
    """BC-2.9: the most a loser of so many PM takes from the winner."""
    return {"inflicts": inflicted(engaged), "winner_most": winner_cap(engaged)}


def ask_streak(
    winners: tuple[Literal["a", "b", "tie"], ...], options: Mapping[str, Any]
) -> Rule[dict[str, Any]]:
    """BC-3.2: what a run of phases does to the morale of both sides, BC-2.3 and BC-3.1 included."""
    readings = convert(options, Options)
    change: dict[SideCode, int] = {"a": 0, "b": 0}
    previous = "none"
    for word in winners:
        winner: SideCode | None = None if word == "tie" else word
        for side in SIDES:
            part = morale_change(side, winner, previous, readings)
            yield from explain(part)
            change[side] += part.total
        previous = still_counts(winner, previous, readings)
    return {"morale_a": change["a"], "morale_b": change["b"]}


def ask_out(pm: int) -> dict[str, Any]:
    """BC-3.3: whether an army is out of action."""
    return {"out": out_of_action(pm)}


TALLIES = ("score_a", "score_b", "gap", "feats_a", "feats_b")

_LOSS = ("winner_loss", "BC-2.7")
"""What an umpire chooses by `winner_losses=umpire`."""

_EXAMPLE = {
    "a": {"pm": 60, "morale": 10, "command": 3, "players": 1},
    "b": {"pm": 50, "morale": 12, "command": 2, "players": 0},
}

QUESTIONS = (
    Question("BC-1.2", ask_morale, example={"base": 10, "bonuses": (2, 1)}),
    Question(
        "BC-2.1", ask_phase, TALLIES, example=_EXAMPLE, dice="phase", choices=_LOSS
    ),
    Question(
        "BC-2.2", ask_players, ("feats",), example={"players": 3}, dice="players"
    ),
    Question("BC-2.3", ask_gap, example={"gap": 7}),
    Question(
        "BC-2.7", ask_winner, example={"outcome": "narrow"}, dice="winner_loss",
        choices=_LOSS,
    ),
    Question("BC-2.8", ask_inflicted, example={"engaged": 50}),
    Question("BC-2.9", ask_winner_cap, example={"engaged": 50}),
    Question("BC-3.2", ask_streak, example={"winners": ("a", "a", "b")}),
    Question("BC-3.3", ask_out, example={"pm": 2}),
)  # fmt: skip
"""Every rule of the ledger that rolls, reads a table or computes a figure."""
