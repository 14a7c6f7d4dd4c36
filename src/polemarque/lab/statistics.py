"""The figures of a study: chances of seats, the worth of a lead, length, questions, battles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from polemarque.kernel.request import UMPIRE
from polemarque.lab.games import Played
from polemarque.lab.intervals import (
    Gap,
    Share,
    Spread,
    gap_of_means,
    gap_of_shares,
    needed,
    share,
    spread,
)

Verdict = Literal["favoured", "disadvantaged", "open"]


class Seat(msgspec.Struct, frozen=True):
    """One seat.

    won:     games that it won, alone or with others.
    verdict: "open" where its interval holds the equal share: then nothing is shown.
    needed:  games that would show the advantage or disadvantage, if it is what it seems; None where
             there is none to show, or it is shown.
    asked:   questions that it was asked in a game's turns, the mean of a turn.
    out:     games at whose end it was eliminated; None where the system knows no such thing.
    """

    seat: str
    won: Share
    verdict: Verdict
    needed: int | None
    asked: float
    out: int | None


class Turn(msgspec.Struct, frozen=True):
    """One turn, over all games that came to it.

    games:   those that came to it.
    lead:    of games that went on after it and that one seat led alone as it ended, how often that
             seat won in the end.   equal: the equal share of those games.
    battles: begun in it, the mean of a game.
    asked:   questions that a seat was asked in it, the mean of a seat.
    out:     seats out as it ended, the mean of a game; None where the system knows no such thing.
    """

    turn: int
    games: int
    lead: Share
    equal: float
    battles: float
    asked: float
    out: float | None


class StudyFigures(msgspec.Struct, frozen=True):
    """All figures of one plan.

    games:   that were played.   won: those that have a winner.   shared: those that have several.
    equal:   the equal share: how often each seat would win if all won as often.
    turns:   how long the games lasted.
    decided: of games with a winner, the turn from whose end on the leader won: as that turn ended,
             and each later one, nobody was first who did not win.  None without standings.
    early:   of those, how many were decided in the first half of their turns.
    ranked:  whether any game ranks the seats before its end.
    battles: in a turn of a game, all turns of all games; asked: of a seat in such a turn.
    before:  questions to a seat before the first turn, the mean of a seat.
    umpire:  questions to the umpire in a turn, the mean.
    """

    games: int
    won: int
    shared: int
    equal: float
    seats: tuple[Seat, ...]
    turns: Spread | None
    by_turn: tuple[Turn, ...]
    ranked: bool
    decided: Spread | None
    early: Share
    battles: Spread | None
    asked: Spread | None
    before: float
    umpire: float


def figures(games: Sequence[Played], seats: Sequence[str]) -> StudyFigures:
    """The figures of these games."""
    won = [game for game in games if game.winners]
    wins = {seat: sum([seat in game.winners for game in games]) for seat in seats}
    equal = _equal(games, seats)
    turns = [game.turns for game in games]
    ends = [(decided_at(game), game.turns) for game in won]
    ranked = any(any(game.places[:-1]) for game in games)
    return StudyFigures(
        games=len(games),
        won=len(won),
        shared=sum([len(game.winners) > 1 for game in won]),
        equal=equal,
        seats=tuple([_seat(seat, games, wins[seat], equal) for seat in seats]),
        turns=spread(turns),
        by_turn=tuple([_turn(turn, games, seats) for turn in range(1, max(turns, default=0) + 1)]),
        ranked=ranked,
        decided=spread([turn for turn, _ in ends]) if ranked else None,
        early=share(sum([2 * turn <= of for turn, of in ends]), len(ends) if ranked else 0),
        battles=spread([n for game in games for n in game.battles[1:]]),
        asked=spread([n for game in games for seat in seats for n in game.questions[seat][1:]]),
        before=_mean([game.questions[seat][0] for game in games for seat in seats]),
        umpire=_mean([n for g in games for n in g.questions.get(UMPIRE, (0,) * (g.turns + 1))[1:]]),
    )


def decided_at(game: Played) -> int:
    """The turn from whose end on nobody was first who did not win; the last at the latest."""
    turn = game.turns
    while turn > 1:
        first = _first(game, turn - 1)
        if not first or not set(first) <= set(game.winners):
            break
        turn -= 1
    return turn


def leader(game: Played, turn: int) -> str | None:
    """Who alone was first as a turn ended."""
    first = _first(game, turn)
    return first[0] if len(first) == 1 else None


def _first(game: Played, turn: int) -> tuple[str, ...]:
    places = game.places[turn - 1]
    return places[0] if places else ()


def _seat(seat: str, games: Sequence[Played], wins: int, equal: float) -> Seat:
    won = share(wins, len(games))
    verdict: Verdict = "open"
    if games and won.excludes(equal):
        verdict = "favoured" if won.part > equal else "disadvantaged"
    knows = [game.out for game in games if game.out is not None]
    return Seat(
        seat,
        won,
        verdict,
        needed(won.part, equal) if verdict == "open" and 0 < equal < 1 else None,
        _mean([n for game in games for n in game.questions[seat][1:]]),
        sum([seat in out[-1] for out in knows if out]) if knows else None,
    )


def _turn(turn: int, games: Sequence[Played], seats: Sequence[str]) -> Turn:
    there = [game for game in games if game.turns >= turn]
    alone = [game for game in there if game.turns > turn and leader(game, turn)]
    out = [len(game.out[turn - 1]) for game in there if game.out is not None]
    return Turn(
        turn,
        len(there),
        share(sum([leader(game, turn) in game.winners for game in alone]), len(alone)),
        _equal(alone, seats),
        _mean([game.battles[turn] for game in there]),
        _mean([game.questions[seat][turn] for game in there for seat in seats]),
        _mean(out) if out else None,
    )


def _equal(games: Sequence[Played], seats: Sequence[str]) -> float:
    """How often each seat would win these games if all won as often."""
    # One division, so that it is the very number of a seat that has won just as often.
    return sum([len(game.winners) for game in games]) / (len(games) * len(seats)) if games else 0.0


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


# Two set-ups beside each other -------------------------------------------------------------------


class Change(msgspec.Struct, frozen=True):
    """One figure of both set-ups.

    what: "seat" (a share, of `seat`), "lead" (a share, as turn `turn` ended), or one of the means
          of games "decided", "turns", "battles" and "asked" (the latter two of a turn).
    """

    what: Literal["seat", "lead", "decided", "turns", "battles", "asked"]
    first: float
    second: float
    gap: Gap
    seat: str = ""
    turn: int = 0


def changes(
    first: Sequence[Played], second: Sequence[Played], seats: Sequence[str]
) -> tuple[Change, ...]:
    """What the second set-up changes, game for game of the same seeds; () without games."""
    one, other = figures(first, seats), figures(second, seats)
    found = [
        Change("seat", a.won.part, b.won.part, gap_of_shares(a.won, b.won), a.seat)
        for a, b in zip(one.seats, other.seats, strict=True)
        if a.won.of and b.won.of
    ]
    half = half_way(one, other)
    if half:
        a, b = one.by_turn[half - 1].lead, other.by_turn[half - 1].lead
        if a.of and b.of:
            found.append(Change("lead", a.part, b.part, gap_of_shares(a, b), turn=half))
    if one.ranked and other.ranked:
        found += _means(
            "decided", [[decided_at(g) for g in games if g.winners] for games in (first, second)]
        )
    found += _means("turns", [[g.turns for g in games] for games in (first, second)])
    found += _means("battles", [[_mean(g.battles[1:]) for g in games] for games in (first, second)])
    asked = [
        [_mean([n for seat in seats for n in g.questions[seat][1:]]) for g in games]
        for games in (first, second)
    ]
    return (*found, *_means("asked", asked))


def half_way(*those: StudyFigures) -> int:
    """The turn in the middle of a median game, the shorter of some studies'; 0 without one."""
    medians = [each.turns.middle for each in those if each.turns is not None]
    return int(min(medians, default=0)) // 2


def _means(
    what: Literal["decided", "turns", "battles", "asked"], values: Sequence[Sequence[float]]
) -> list[Change]:
    first, second = (spread(each) for each in values)
    if first is None or second is None or min(first.n, second.n) < 2:
        return []  # of a single game nobody knows how far chance goes
    return [Change(what, first.mean, second.mean, gap_of_means(first, second))]
