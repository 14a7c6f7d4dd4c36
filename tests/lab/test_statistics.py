"""The figures of a study, from games written by hand: what they come to was reckoned on paper."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from polemarque.lab.games import Played
from polemarque.lab.intervals import Z, gap_of_means, gap_of_shares, needed, share, spread
from polemarque.lab.statistics import changes, decided_at, figures, leader

A, B, LEVEL = (("A",), ("B",)), (("B",), ("A",)), (("A", "B"),)


def game(seed: int, winners: str, *places: tuple[tuple[str, ...], ...], **more: object) -> Played:
    """A game of as many turns as it has standings, in which nothing else happens."""
    none = (0,) * (len(places) + 1)
    known = {"questions": {"A": none, "B": none}, "battles": none, "entries": 0, **more}
    return Played(
        seed=seed, digest="", turns=len(places), winners=tuple(winners), places=places, **known
    )  # type: ignore[arg-type]


GAMES = [
    game(0, "A", LEVEL, A, B, A),  # B leads in between: decided by the end only
    game(1, "A", A, A, A),
    game(2, "B", A, B, B, B),
    game(3, "B", LEVEL, LEVEL, B),
    game(4, "", A, A),  # a draw: won by nobody, whoever leads
]


def test_a_game_is_decided_from_the_turn_on_after_which_only_its_winner_leads() -> None:
    assert [decided_at(each) for each in GAMES[:4]] == [4, 1, 2, 3]
    assert decided_at(game(0, "AB", A, LEVEL, LEVEL)) == 1  # A leads, and wins with B
    assert decided_at(game(0, "A", LEVEL, LEVEL, LEVEL)) == 3
    assert decided_at(game(0, "A", A)) == 1
    assert decided_at(game(0, "A", (), (), A)) == 3


def test_nobody_leads_alone_where_the_first_place_is_shared() -> None:
    assert [leader(GAMES[0], turn) for turn in (1, 2, 3)] == [None, "A", "B"]


def test_the_curve_counts_games_that_go_on_and_that_somebody_leads_alone() -> None:
    found = figures(GAMES, ("A", "B"))
    leads = [(turn.games, turn.lead.hits, turn.lead.of) for turn in found.by_turn]
    # turn 1: games 1 (A, wins), 2 (A, loses) and 4 (A, nobody wins); turn 2: games 0, 1 and 2;
    # turn 3: games 0 and 2, of which 0 is led by B and won by A; turn 4 ends whatever is left.
    assert leads == [(5, 1, 3), (5, 3, 3), (4, 1, 2), (2, 0, 0)]
    assert [turn.equal for turn in found.by_turn] == pytest.approx([1 / 3, 0.5, 0.5, 0])
    assert (found.games, found.won, found.shared, found.ranked) == (5, 4, 0, True)
    assert found.decided is not None
    assert (found.decided.n, found.decided.mean) == (4, 2.5)
    assert (found.early.hits, found.early.of) == (2, 4)  # 1 of 3, 2 of 4


def test_a_lead_that_means_nothing_does_not_help_where_many_games_are_drawn() -> None:
    drawn = [game(n, ("A", "B", "", "")[n % 4], A, A) for n in range(80)]
    (turn, _) = figures(drawn, ("A", "B")).by_turn
    assert (turn.lead.part, turn.equal) == (0.25, 0.25)
    assert not turn.lead.excludes(turn.equal)


def test_seats_are_compared_with_an_equal_share_of_what_was_won() -> None:
    found = figures(GAMES, ("A", "B"))
    assert found.equal == 0.4  # four victories, five games, two seats
    assert [(s.won.hits, s.verdict) for s in found.seats] == [(2, "open"), (2, "open")]
    assert [seat.needed for seat in found.seats] == [None, None]
    many = [game(n, "A" if n % 10 else "B", A) for n in range(40)]
    assert [s.verdict for s in figures(many, ("A", "B")).seats] == ["favoured", "disadvantaged"]


def test_an_allied_victory_counts_for_each_who_won() -> None:
    found = figures([game(0, "AB", A), game(1, "A", A)], ("A", "B"))
    assert (found.equal, found.shared) == (0.75, 1)
    assert [seat.won.hits for seat in found.seats] == [2, 1]


def test_questions_and_battles_are_counted_by_turn() -> None:
    played = [
        game(0, "A", A, A, questions={"A": (2, 1, 3), "B": (4, 1, 1), "umpire": (0, 1, 0)},
             battles=(0, 2, 1), out=((), ("B",))),
        game(1, "A", A, questions={"A": (0, 5), "B": (0, 1)}, battles=(0, 0), out=((),)),
    ]  # fmt: skip
    found = figures(played, ("A", "B"))
    assert found.before == 1.5  # 2, 4, 0 and 0
    assert found.umpire == pytest.approx(1 / 3)
    assert found.battles is not None
    assert (found.battles.n, found.battles.mean, found.battles.most) == (3, 1, 2)
    assert found.asked is not None
    assert (found.asked.n, found.asked.mean) == (6, 2)  # 1 3 1 1 5 1
    assert [seat.asked for seat in found.seats] == [3, 1]
    assert [seat.out for seat in found.seats] == [0, 1]
    turns = [(turn.battles, turn.asked, turn.out) for turn in found.by_turn]
    assert turns == [(1, 2, 0), (1, 2, 1)]


def test_a_system_that_ranks_nobody_has_no_curve() -> None:
    found = figures([game(0, "A", (), (), A)], ("A", "B"))
    assert not found.ranked
    assert found.decided is None
    assert found.early.of == 0


def test_no_games_have_no_figures_and_no_fault() -> None:
    found = figures([], ("A", "B"))
    assert (found.games, found.turns, found.by_turn) == (0, None, ())
    assert changes([], [], ("A", "B")) == ()


# What they are worth -----------------------------------------------------------------------------


@pytest.mark.parametrize(("hits", "of"), [(0, 10), (10, 10), (1, 3), (51, 200), (500, 1000)])
def test_the_interval_is_where_the_score_test_does_not_reject(hits: int, of: int) -> None:
    """Wilson's limits are the chances q at which |p − q| is z standard deviations of q."""
    found = share(hits, of)
    for limit in (found.low, found.high):
        if 1e-9 < limit < 1 - 1e-9:
            away = abs(hits / of - limit) / math.sqrt(limit * (1 - limit) / of)
            assert away == pytest.approx(Z)
    assert 0 <= found.low <= hits / of <= found.high <= 1
    assert (share(0, 0).low, share(0, 0).high, share(0, 0).part) == (0, 1, 0)


@pytest.mark.parametrize(("part", "chance"), [("3/10", "1/4"), ("1/5", "1/4"), ("3/5", "1/2")])
def test_as_many_games_as_are_needed_show_it_and_one_step_fewer_do_not(
    part: str, chance: str
) -> None:
    p, q = Fraction(part), Fraction(chance)
    n = needed(float(p), float(q))
    assert n is not None
    whole = -(-n // p.denominator) * p.denominator  # as many games as give that share exactly
    assert share(int(p * whole), whole).excludes(float(q))
    fewer = whole - p.denominator
    assert not share(int(p * fewer), fewer).excludes(float(q))
    assert needed(0.25, 0.25) is None


def test_a_spread_is_read_off_the_sorted_line() -> None:
    found = spread([5, 1, 3, 2, 4, 8, 7, 6])
    assert found is not None
    assert (found.least, found.low, found.middle, found.high, found.most) == (1, 2, 4, 6, 8)
    assert found.mean == 4.5
    assert found.error == pytest.approx(math.sqrt(6 / 8))  # variance 42/7
    assert spread([]) is None


def test_a_gap_is_told_only_where_chance_hardly_makes_it() -> None:
    same = gap_of_shares(share(25, 100), share(25, 100))
    assert same.value == 0 and not same.told
    # Newcombe (1998), table II, 56/70 against 48/80: from 0.0524 to 0.3339.
    gap = gap_of_shares(share(48, 80), share(56, 70))
    assert (round(gap.low, 4), round(gap.high, 4)) == (0.0524, 0.3339)
    assert gap.told
    one, other = spread([1, 2, 3]), spread([11, 12, 13])
    assert one is not None and other is not None
    means = gap_of_means(one, other)
    assert means.value == 10 and means.told
    assert not gap_of_means(one, one).told


def test_what_a_second_set_up_changes_is_told_figure_by_figure() -> None:
    first = [game(n, "A" if n % 2 else "B", A, A, B, A) for n in range(40)]
    second = [game(n, "A", A, A, A, A) for n in range(40)]
    found = {(c.what, c.seat, c.turn): c for c in changes(first, second, ("A", "B"))}
    assert found["seat", "A", 0].gap.value == 0.5
    assert found["seat", "A", 0].gap.told and found["seat", "B", 0].gap.told
    assert (found["lead", "", 2].first, found["lead", "", 2].second) == (0.5, 1)
    assert (found["decided", "", 0].first, found["decided", "", 0].second) == (3.5, 1)
    assert found["turns", "", 0].gap.value == 0 and not found["turns", "", 0].gap.told
    single = changes([game(0, "A", A, A)], [game(0, "A", A)], ("A", "B"))
    assert {change.what for change in single} == {"seat"}
