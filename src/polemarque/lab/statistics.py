"""The figures of a study: seats, bots, the worth of a lead, length, questions, battles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from polemarque.kernel.request import UMPIRE
from polemarque.lab.games import Played, StudyPlan
from polemarque.lab.intervals import Share, Spread, share, spread
from polemarque.lab.significance import (
    LEVEL,
    advantaged,
    agreement,
    binomial_p,
    games_for,
    holm,
    power,
    questions,
    together,
)

FEW_GAMES = 30
"""Games with a row, and without it, below which nothing is told of it."""

Verdict = Literal["favoured", "disadvantaged", "open"]


class Seat(msgspec.Struct, frozen=True):
    """One seat.

    won:     games that it won, alone or with others.
    p:       how rarely equal seats make such a share, corrected for all seats of all set-ups.
    verdict: "open" where p is above 0.05: then nothing is shown.
    needed:  games that would show the advantage or disadvantage in 80 studies of 100, if it is what
             it seems; None where there is none to show, or it is shown.
    asked:   questions that it was asked in a game's turns, the mean of a turn.
    out:     games at whose end it was eliminated; None where the system knows no such thing.
    """

    seat: str
    won: Share
    p: float
    verdict: Verdict
    needed: int | None
    asked: float
    out: int | None


class BotFigures(msgspec.Struct, frozen=True):
    """One bot, on all the seats that it had, of games that were won by some and lost by others.

    won:     of these, those in which a seat of its own won.
    equal:   as often it would have won, were all bots as good.
    p:       how rarely equal bots make such a share, corrected for all bots.
    verdict: "open" where p is above 0.05.
    """

    bot: str
    won: Share
    equal: float
    p: float
    verdict: Verdict


class Found(msgspec.Struct, frozen=True):
    """What the study could have found, had it been there.

    part:  the share of a seat with odds half as good again as the equal share's: 0.6 of two.
    power: in so many studies of as many won games such a seat is found.
    games: as many games it takes until that is 0.8, where as many are won as here.
    """

    part: float
    power: float
    games: int


class Row(msgspec.Struct, frozen=True):
    """What a rule that rolls came out as, and how winning went with it.

    least:    so often, at least, in a game for a seat: the least number that half of them or fewer
              have.
    won:      of the seats of all games that had it so often, those that won.
    seats:    how often they would have, if it meant nothing: because these seats win that often.
    p:        how rarely chance makes such a gap, corrected for all rows.
    """

    rule: str
    kind: str
    least: int
    won: Share
    seats: float
    p: float


class Choice(msgspec.Struct, frozen=True):
    """How much a seat is left to choose, of the games in which that was counted.

    free:    of the questions to seats, the part that leaves more than one answer.
    answers: that such a question leaves, the geometric mean.
    """

    free: float
    answers: float
    games: int


class Turn(msgspec.Struct, frozen=True):
    """One turn, over all games that came to it.

    games:   those that came to it.
    lead:    of games that went on after it and that one seat led alone as it ended, how often that
             seat won in the end.
    seats:   how often it would have, if leading meant nothing: because these seats win that often.
    p:       how rarely chance makes such a gap; None where the seats explain all there is.
    decided: of games with a winner, those that were decided as it ended.
    battles: begun in it, the mean of a game.
    asked:   questions that a seat was asked in it, the mean of a seat.
    """

    turn: int
    games: int
    lead: Share
    seats: float
    p: float | None
    decided: int
    battles: float
    asked: float


class StudyFigures(msgspec.Struct, frozen=True):
    """All figures of one plan.

    games:   that were played.   won: those that have a winner.   shared: those that have several.
    equal:   the equal share: how often each seat would win if all won as often.
    found:   what the study could find; None of games that nobody won, or everybody.
    bots:    where there are several.
    turns:   how long the games lasted.
    decided: of games with a winner, the turn from whose end on the leader won: as that turn ended,
             and each later one, nobody was first who did not win.  None without standings.
    swings:  how often the lead went from one seat to another in a game; None without standings.
    ranked:  whether any game ranks the seats before its end.
    battles: in a turn of a game, all turns of all games; asked: of a seat in such a turn.
    before:  questions to a seat before the first turn, the mean of a seat.
    umpire:  questions to the umpire in a turn, the mean.
    choice:  how much there is to choose; None where it was not counted.
    rows:    that go with winning or losing, those first that chance makes least.
    """

    games: int
    won: int
    shared: int
    equal: float
    found: Found | None
    seats: tuple[Seat, ...]
    bots: tuple[BotFigures, ...]
    turns: Spread | None
    by_turn: tuple[Turn, ...]
    ranked: bool
    decided: Spread | None
    swings: Spread | None
    battles: Spread | None
    asked: Spread | None
    before: float
    umpire: float
    choice: Choice | None
    rows: tuple[Row, ...]


def all_figures(
    played: Sequence[Sequence[Played]], plans: Sequence[StudyPlan]
) -> tuple[StudyFigures, ...]:
    """The figures of each plan's games; what is said of seats is corrected for all seats of all."""
    won = [victories(games, plan.header.seats) for games, plan in zip(played, plans, strict=True)]
    ps = together([[each.p(seat) for seat in each.hits] for each in won])
    return tuple([_figures(*each, len(plans)) for each in zip(played, plans, won, ps, strict=True)])


def _figures(
    games: Sequence[Played], plan: StudyPlan, told: Victories, ps: Sequence[float], among: int
) -> StudyFigures:
    """Those of one plan of so many."""
    seats = plan.header.seats
    level = LEVEL / questions(len(seats)) / among
    won = [game for game in games if game.winners]
    equal = sum([len(game.winners) for game in games]) / (len(games) * len(seats)) if games else 0.0
    turns = [game.turns for game in games]
    decided = [decided_at(game) for game in won]
    umpired = [game.questions.get(UMPIRE, (0,) * (game.turns + 1))[1:] for game in games]
    ranked = any(any(game.places[:-1]) for game in games)
    return StudyFigures(
        games=len(games),
        won=len(won),
        shared=sum([len(game.winners) > 1 for game in won]),
        equal=equal,
        found=_found(told, level),
        seats=tuple(_seats(games, told, ps, level)),
        bots=_bots(games, plan),
        turns=spread(turns),
        by_turn=tuple(
            [
                _turn(turn, games, seats, decided.count(turn))
                for turn in range(1, max(turns, default=0) + 1)
            ]
        ),
        ranked=ranked,
        decided=spread(decided) if ranked else None,
        swings=spread([swings(game) for game in games]) if ranked else None,
        battles=spread([n for game in games for n in game.battles[1:]]),
        asked=spread([n for game in games for seat in seats for n in game.questions[seat][1:]]),
        before=mean_of([game.questions[seat][0] for game in games for seat in seats]),
        umpire=mean_of([n for each in umpired for n in each]),
        choice=_choice(games, seats),
        rows=rows(games, seats),
    )  # fmt: skip


def decided_at(game: Played) -> int:
    """The turn from whose end on nobody was first who did not win; the last at the latest."""
    turn = game.turns
    while turn > 1:
        first = _first(game, turn - 1)
        if not first or not set(first) <= set(game.winners):
            break
        turn -= 1
    return turn


def swings(game: Played) -> int:
    """How often another seat took the lead than the one that had it alone last."""
    leads = [first for turn in range(1, game.turns + 1) if (first := leader(game, turn))]
    return sum([one != other for one, other in pairwise(leads)])


def leader(game: Played, turn: int) -> str | None:
    """Who alone was first as a turn ended."""
    first = _first(game, turn)
    return first[0] if len(first) == 1 else None


def _first(game: Played, turn: int) -> tuple[str, ...]:
    places = game.places[turn - 1]
    return places[0] if places else ()


class Victories(NamedTuple):
    """Those of each seat, in the games that tell seats apart: won by some, and not by all.

    of: such games, of all those that were played.  chance: of equal seats to win one of them.
    Where more seats win some of them than others, or bots change seats, the victories of equal
    seats lie closer together than the test assumes (W. Hoeffding, *On the distribution of the
    number of successes in independent trials*, 1956): it finds fault less often still.
    """

    hits: dict[str, int]
    of: int
    played: int
    chance: float

    def p(self, seat: str) -> float:
        """How rarely an equal seat has so few of them, or so many."""
        return binomial_p(self.hits[seat], self.of, self.chance)

    def games_for(self, part: float, level: float) -> int | None:
        """How many games show that part, where as many tell seats apart as here; see there."""
        least = games_for(part, self.chance, level) if self.of else None
        return math.ceil(least * self.played / self.of) if least else None


def victories(games: Sequence[Played], seats: Sequence[str]) -> Victories:
    """Those of the games that tell seats apart."""
    told = contested(games, seats)
    hits = {seat: sum([seat in game.winners for game in told]) for seat in seats}
    due = sum([len(game.winners) for game in told]) / len(seats)
    return Victories(hits, len(told), len(games), due / len(told) if told else 1 / len(seats))


def contested(games: Sequence[Played], seats: Sequence[str]) -> list[Played]:
    """The games that tell seats apart."""
    return [game for game in games if 0 < len(game.winners) < len(seats)]


def _found(told: Victories, level: float) -> Found | None:
    part = advantaged(told.chance)
    least = told.games_for(part, level)
    return Found(part, power(part, told.chance, told.of, level), least) if least else None


def _seats(
    games: Sequence[Played], told: Victories, ps: Sequence[float], level: float
) -> Iterator[Seat]:
    """Each seat with its verdict."""
    knows = [game.out[-1] for game in games if game.out]
    for (seat, hits), p in zip(told.hits.items(), ps, strict=True):
        found = verdict(hits - told.of * told.chance, p)
        yield Seat(
            seat,
            share(sum([seat in game.winners for game in games]), len(games)),
            p,
            found,
            told.games_for(hits / told.of, level) if told.of and found == "open" else None,
            mean_of([n for game in games for n in game.questions[seat][1:]]),
            sum([seat in out for out in knows]) if knows else None,
        )


def verdict(more: float, p: float) -> Verdict:
    """What is said of something that wins so much more than its equal, by its p."""
    if p > LEVEL:
        return "open"
    return "favoured" if more > 0 else "disadvantaged"


def _bots(games: Sequence[Played], plan: StudyPlan) -> tuple[BotFigures, ...]:
    """Each bot beside what it would win if all were as good; () of a single one."""
    names = list(dict.fromkeys(plan.bots.values()))
    if len(names) < 2:
        return ()
    told = [(game, plan.seated(game.seed)) for game in contested(games, plan.header.seats)]
    found, places = [], len(plan.bots)
    for name in names:
        own = [*plan.bots.values()].count(name)
        hits = sum([seated[seat] == name for game, seated in told for seat in game.winners])
        # Of several winners as many can be its own as it has seats.
        of = sum([min(own, len(game.winners)) for game, _ in told])
        due = sum([own * len(game.winners) / places for game, _ in told])
        equal = due / of if of else own / places
        found.append((name, hits, of, equal, binomial_p(hits, of, equal)))
    together = holm([p for *_, p in found]) if len(names) > 2 else [p for *_, p in found]
    return tuple(
        [
            BotFigures(name, share(hits, of), equal, p, verdict(hits / of - equal if of else 0, p))
            for (name, hits, of, equal, _), p in zip(found, together, strict=True)
        ]
    )


def _choice(games: Sequence[Played], seats: Sequence[str]) -> Choice | None:
    counted = [game for game in games if game.free]
    if not counted:
        return None
    asked = sum([sum(game.questions[seat]) for game in counted for seat in seats])
    free = sum([game.free for game in counted])
    return Choice(free / asked, 2 ** (sum([g.bits for g in counted]) / free), len(counted))


def rows(games: Sequence[Played], seats: Sequence[str]) -> tuple[Row, ...]:
    """What rules that roll came out as, and whether it goes with winning.

    A row is told of where it came, and did not come, in `FEW_GAMES` games each.  It need not be the
    cause: who wins may also be the one who rolls that rule more often.
    """
    times: dict[tuple[str, str], dict[tuple[int, str], int]] = {}
    for number, game in enumerate(games):
        for name, count in game.rows.items():
            seat, rule, kind = name.split(" ", 2)
            if seat in seats:
                times.setdefault((rule, kind), {})[number, seat] = count
    found = [row for name, came in times.items() if (row := _row(*name, came, games, seats))]
    ps = holm([row.p for row in found])
    told = [replace(row, p=p) for row, p in zip(found, ps, strict=True)]
    return tuple(sorted(told, key=lambda row: (row.p, row.rule, row.kind)))


def _row(
    rule: str, kind: str, came: Mapping[tuple[int, str], int], games: Sequence[Played],
    seats: Sequence[str],
) -> Row | None:  # fmt: skip
    line, half = sorted(came.values(), reverse=True), len(games) * len(seats) // 2
    least = line[half] + 1 if len(line) > half else 1
    had = [[seat for seat in seats if came.get((number, seat), 0) >= least]
           for number in range(len(games))]  # fmt: skip
    without = [number for number, having in enumerate(had) if len(having) < len(seats)]
    if min(sum(map(bool, had)), len(without)) < FEW_GAMES:
        return None
    beyond = agreement([(having, game.winners) for having, game in zip(had, games, strict=True)])
    if beyond.p is None:
        return None
    won = [seat in game.winners for having, game in zip(had, games, strict=True) for seat in having]
    return Row(rule, kind, least, share(sum(won), len(won)), beyond.expected, beyond.p)


def _turn(turn: int, games: Sequence[Played], seats: Sequence[str], decided: int) -> Turn:
    there = [game for game in games if game.turns >= turn]
    led = [(leader(game, turn), game) for game in there if game.turns > turn]
    alone = [(seat, game.winners) for seat, game in led if seat]
    beyond = agreement([((seat,), winners) for seat, winners in alone])
    return Turn(
        turn,
        len(there),
        share(sum([seat in won for seat, won in alone]), len(alone)),
        beyond.expected,
        beyond.p,
        decided,
        mean_of([game.battles[turn] for game in there]),
        mean_of([game.questions[seat][turn] for game in there for seat in seats]),
    )


def mean_of(values: Sequence[float]) -> float:
    """Their mean; 0 of none."""
    return sum(values) / len(values) if values else 0.0


def half_way(found: StudyFigures) -> int:
    """The turn in the middle of a median game; 0 without one."""
    return int(found.turns.middle) // 2 if found.turns is not None else 0
