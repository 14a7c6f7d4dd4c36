"""The rules that can be asked alone, answered by the procedures that play them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from polemarque.kernel.agenda import Rule, call, explain
from polemarque.kernel.events import Modifier, Sum
from polemarque.kernel.system import Question
from polemarque.systems.batailles.figures import SIDES, Engagement, Force, SideCode
from polemarque.systems.batailles.losses import inflicted, out_of_action, winner_cap
from polemarque.systems.batailles.options import Options
from polemarque.systems.batailles.outcome import GAP, morale_change, still_counts, winner_loss
from polemarque.systems.batailles.phase import engagement
from polemarque.systems.batailles.score import Shown, players_roll

Count = Annotated[int, msgspec.Meta(ge=0)]


class SideInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


class PhaseInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole phase.

    previous_winner: of the phase before, if that win is still unpaired (BC-3.2).
    winner_loss:     by `winner_losses=umpire`, what the winner loses before the caps.
    """

    a: SideInput
    b: SideInput
    previous_winner: Literal["a", "b", "none"] = "none"
    winner_loss: int | None = None


def ask_phase(inputs: PhaseInput, options: Mapping[str, Any]) -> Rule[Engagement]:
    """BC-2.1: one phase, from its dice to what it costs."""
    fought = yield from call(
        engagement, inputs.a.force, inputs.b.force, Options.of(options), inputs.previous_winner,
        inputs.winner_loss,
    )  # fmt: skip
    return fought


# Smaller questions -------------------------------------------------------------------------------


class MoraleInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base morale, the bonus of each unit, and what phases have changed."""

    base: int
    bonuses: tuple[int, ...] = ()
    change: int = 0


def ask_morale(inputs: MoraleInput, _: Mapping[str, Any]) -> Rule[dict[str, Any]]:
    """BC-1.2: total morale."""
    parts = [Modifier(inputs.base, "base_morale", "BC-1.2")]
    parts += [Modifier(bonus, "unit_bonuses", "BC-1.2") for bonus in inputs.bonuses]
    parts += [Modifier(inputs.change, "won_and_lost", "BC-1.2")] if inputs.change else []
    morale = Sum(tuple(parts))
    yield from explain(morale)
    return {"morale": morale.total}


class PlayersInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Players beside the commander: their number, or their names."""

    players: Count | tuple[str, ...]


def ask_players(inputs: PlayersInput, _: Mapping[str, Any]) -> Rule[Shown]:
    """BC-2.2: what the players' dice add, and the feats of arms among them."""
    named = inputs.players if isinstance(inputs.players, tuple) else ()
    count = inputs.players if isinstance(inputs.players, int) else len(named)
    return (yield from call(players_roll, "a", count, "", named))


class GapInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The gap of two scores."""

    gap: Count


def ask_gap(inputs: GapInput, _: Mapping[str, Any]) -> dict[str, Any]:
    """BC-2.3 to BC-2.6: the outcome of a gap, and its losses before the caps.

    winner_varies: whether the winner's loss is rolled or chosen, and not a single number.
    """
    row = GAP.row(inputs.gap)
    won = row.outcome != "tie"
    return {
        "outcome": row.outcome,
        "loser_loss": row.loser,
        "winner_least": row.winner_least if won else None,
        "winner_most": row.winner_most if won else None,
        "winner_varies": won and row.winner_least < row.winner_most,
    }


class WinnerInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An outcome with a winner; `winner_loss` as in BC-2.1."""

    outcome: Literal["narrow", "clear", "crushing"]
    winner_loss: int | None = None


def ask_winner(inputs: WinnerInput, options: Mapping[str, Any]) -> Rule[dict[str, Any]]:
    """BC-2.7: what the winner loses before the caps."""
    row = next(band.row for band in GAP.bands if band.row.outcome == inputs.outcome)
    lost = yield from call(
        winner_loss, row.winner_least, row.winner_most, options["winner_losses"],
        inputs.winner_loss,
    )  # fmt: skip
    return {"loss": lost}


class EngagedInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """PM that an army puts into a phase."""

    engaged: Count


def ask_inflicted(inputs: EngagedInput, _: Mapping[str, Any]) -> dict[str, Any]:
    """BC-2.8: the most an army inflicts."""
    return {"inflicts": inflicted(inputs.engaged)}


def ask_winner_cap(inputs: EngagedInput, _: Mapping[str, Any]) -> dict[str, Any]:
    """BC-2.9: the most a loser of so many PM takes from the winner."""
    return {"inflicts": inflicted(inputs.engaged), "winner_most": winner_cap(inputs.engaged)}


class PhasesInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who won each phase so far, in order."""

    winners: tuple[Literal["a", "b", "tie"], ...]


def ask_streak(inputs: PhasesInput, options: Mapping[str, Any]) -> Rule[dict[str, Any]]:
    """BC-3.2: what a run of phases does to the morale of both sides, BC-2.3 and BC-3.1 included."""
    readings = Options.of(options)
    change: dict[SideCode, int] = {"a": 0, "b": 0}
    previous = "none"
    for word in inputs.winners:
        winner: SideCode | None = None if word == "tie" else word
        for side in SIDES:
            part = morale_change(side, winner, previous, readings)
            yield from explain(part)
            change[side] += part.total
        previous = still_counts(winner, previous, readings)
    return {"morale_a": change["a"], "morale_b": change["b"]}


class PmInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """PM of an army after a phase."""

    pm: int


def ask_out(inputs: PmInput, _: Mapping[str, Any]) -> dict[str, Any]:
    """BC-3.3: whether an army is out of action."""
    return {"out": out_of_action(inputs.pm)}


TALLIES = ("score_a", "score_b", "gap", "feats_a", "feats_b")

_LOSS = ("winner_loss", "BC-2.7")
"""What an umpire chooses by `winner_losses=umpire`."""

_EXAMPLE = {
    "a": {"pm": 60, "morale": 10, "command": 3, "players": 1},
    "b": {"pm": 50, "morale": 12, "command": 2, "players": 0},
}

QUESTIONS = (
    Question("BC-1.2", MoraleInput, ask_morale, example={"base": 10, "bonuses": (2, 1)}),
    Question(
        "BC-2.1", PhaseInput, ask_phase, TALLIES, example=_EXAMPLE, dice="phase", choices=_LOSS
    ),
    Question(
        "BC-2.2", PlayersInput, ask_players, ("feats",), example={"players": 3}, dice="players"
    ),
    Question("BC-2.3", GapInput, ask_gap, example={"gap": 7}),
    Question(
        "BC-2.7", WinnerInput, ask_winner, example={"outcome": "narrow"}, dice="winner_loss",
        choices=_LOSS,
    ),
    Question("BC-2.8", EngagedInput, ask_inflicted, example={"engaged": 50}),
    Question("BC-2.9", EngagedInput, ask_winner_cap, example={"engaged": 50}),
    Question("BC-3.2", PhasesInput, ask_streak, example={"winners": ("a", "a", "b")}),
    Question("BC-3.3", PmInput, ask_out, example={"pm": 2}),
)  # fmt: skip
"""Every rule of the ledger that rolls, reads a table or computes a figure."""
