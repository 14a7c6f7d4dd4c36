"""The figures of a study, from games written by hand: what they come to was reckoned on paper."""

from __future__ import annotations

import math
from random import Random

import pytest

from polemarque.kernel.game import new_header
from polemarque.lab.comparisons import changes
from polemarque.lab.games import Played, StudyPlan
from polemarque.lab.intervals import Z, gap_of_means, gap_of_pairs, share, spread
from polemarque.lab.statistics import StudyFigures, all_figures, decided_at, leader, swings
from polemarque.lab.statistics import rows as rows_of

HEADER = new_header("batailles")
PLAN = StudyPlan(HEADER, dict.fromkeys(HEADER.seats, "steady"))
A, B, LEVEL = (("A",), ("B",)), (("B",), ("A",)), (("A", "B"),)


def game(seed: int, winners: str, *places: tuple[tuple[str, ...], ...], **more: object) -> Played:
    """A game of as many turns as it has standings, in which nothing else happens."""
    none = (0,) * (len(places) + 1)
    known = {"questions": {"A": none, "B": none}, "battles": none, "entries": 0, **more}
    return Played(
        seed=seed, digest="", turns=len(places), winners=tuple(winners), places=places, **known
    )  # type: ignore[arg-type]


def figures(games: list[Played], plan: StudyPlan) -> StudyFigures:
    """Those of a single set-up."""
    return all_figures([games], [plan])[0]


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
    found = figures(GAMES, PLAN)
    leads = [(turn.games, turn.lead.hits, turn.lead.of) for turn in found.by_turn]
    # turn 1: games 1 (A, wins), 2 (A, loses) and 4 (A, nobody wins); turn 2: games 0, 1 and 2;
    # turn 3: games 0 and 2, of which 0 is led by B and won by A; turn 4 ends whatever is left.
    assert leads == [(5, 1, 3), (5, 3, 3), (4, 1, 2), (2, 0, 0)]
    assert (found.games, found.won, found.shared, found.ranked) == (5, 4, 0, True)
    assert found.decided is not None
    assert (found.decided.n, found.decided.mean) == (4, 2.5)


def test_a_lead_is_told_apart_from_the_seat_that_has_it() -> None:
    # A always leads: that it wins three games of four is its seat's doing, or nobody's to tell
    always = [game(n, "AAAB"[n % 4], A, A) for n in range(80)]
    (turn, _) = figures(always, PLAN).by_turn
    assert (turn.lead.part, turn.seats, turn.p) == (0.75, 0.75, None)
    # A leads three games of four and wins three of four, whoever leads: 9/16 + 1/16
    drawn = [game(n, "AAAB"[n % 4], (B if n // 4 % 4 == 0 else A), A) for n in range(160)]
    (turn, _) = figures(drawn, PLAN).by_turn
    assert (turn.lead.part, turn.seats) == (0.625, 0.625)
    assert turn.p == 1
    # the same leads, and who leads wins
    worth = [game(n, "B" if n % 4 == 0 else "A", (B if n % 4 == 0 else A), A) for n in range(80)]
    (turn, _) = figures(worth, PLAN).by_turn
    assert (turn.lead.part, turn.seats) == (1, 0.625)
    assert turn.p is not None and turn.p < 1e-9


def test_bots_are_told_apart_from_seats_by_changing_them() -> None:
    plan = StudyPlan(HEADER, {"A": "strong", "B": "weak"})
    assert [plan.seated(n)["A"] for n in (0, 1, 2_000_002, 3)] == [
        "strong", "weak", "strong", "weak",
    ]  # fmt: skip
    assert (plan.rounds, PLAN.rounds) == (2, 1)
    mixed = StudyPlan(new_header("atlantide"), dict(zip("ABCD", "xyxy", strict=True)))
    assert (mixed.rounds, mixed.seated(1)) == (2, dict(zip("ABCD", "yxyx", strict=True)))
    one = StudyPlan(mixed.header, dict(zip("ABCD", "xyyy", strict=True)))
    assert (one.rounds, one.seated(3)) == (4, dict(zip("ABCD", "yyyx", strict=True)))
    # the strong bot wins three games of four on either seat
    games = [game(n, "ABABABBA"[n % 8], A) for n in range(80)]
    found = figures(games, plan)
    assert [seat.verdict for seat in found.seats] == ["open", "open"]
    bots = [(bot.bot, bot.won.part, bot.equal, bot.verdict) for bot in found.bots]
    assert bots == [("strong", 0.75, 0.5, "favoured"), ("weak", 0.25, 0.5, "disadvantaged")]
    assert figures(games, PLAN).bots == ()


def test_seats_are_compared_with_an_equal_share_of_what_was_won() -> None:
    found = figures(GAMES, PLAN)
    assert found.equal == 0.4  # four victories, five games, two seats
    assert [(s.won.hits, s.verdict) for s in found.seats] == [(2, "open"), (2, "open")]
    assert [seat.needed for seat in found.seats] == [None, None]
    many = [game(n, "A" if n % 10 else "B", A) for n in range(40)]
    assert [s.verdict for s in figures(many, PLAN).seats] == ["favoured", "disadvantaged"]


def test_an_allied_victory_counts_for_each_who_won() -> None:
    found = figures([game(0, "AB", A), game(1, "A", A)], PLAN)
    assert (found.equal, found.shared) == (0.75, 1)
    assert [seat.won.hits for seat in found.seats] == [2, 1]


def test_questions_and_battles_are_counted_by_turn() -> None:
    played = [
        game(0, "A", A, A, questions={"A": (2, 1, 3), "B": (4, 1, 1), "umpire": (0, 1, 0)},
             battles=(0, 2, 1), out=((), ("B",))),
        game(1, "A", A, questions={"A": (0, 5), "B": (0, 1)}, battles=(0, 0), out=((),)),
    ]  # fmt: skip
    found = figures(played, PLAN)
    assert found.before == 1.5  # 2, 4, 0 and 0
    assert found.umpire == pytest.approx(1 / 3)
    assert found.battles is not None
    assert (found.battles.n, found.battles.mean, found.battles.most) == (3, 1, 2)
    assert found.asked is not None
    assert (found.asked.n, found.asked.mean) == (6, 2)  # 1 3 1 1 5 1
    assert [seat.asked for seat in found.seats] == [3, 1]
    assert [seat.out for seat in found.seats] == [0, 1]
    turns = [(turn.battles, turn.asked) for turn in found.by_turn]
    assert turns == [(1, 2), (1, 2)]


def test_what_is_decided_when_and_how_often_the_lead_changes_hands() -> None:
    assert [swings(each) for each in GAMES] == [2, 0, 1, 0, 0]
    assert swings(game(0, "A", A, LEVEL, A, (), B)) == 1  # what nobody leads alone lies between
    found = figures(GAMES, PLAN)
    assert [turn.decided for turn in found.by_turn] == [1, 1, 1, 1]  # of the four that were won
    assert found.swings is not None and found.swings.mean == 0.6


def test_how_much_there_is_to_choose_is_told_of_the_games_in_which_it_was_counted() -> None:
    asked = {"A": (1, 2), "B": (0, 1), "umpire": (9, 9)}
    played = [
        game(0, "A", A, questions=asked, free=3, bits=6.0),
        game(1, "B", A, questions=asked, free=1, bits=2.0),
        game(2, "B", A, questions=asked),
    ]
    choice = figures(played, PLAN).choice
    assert choice is not None
    assert (choice.free, choice.answers, choice.games) == (0.5, 4, 2)
    assert figures(played[2:], PLAN).choice is None


def test_rows_that_go_with_winning_are_told_apart_from_the_seats_that_have_them() -> None:
    """A wins three games of four, and has the omen in most; only the storm changes anything."""
    seats, chance = ("A", "B"), Random(4)
    played = []
    for n in range(400):
        rows = {}
        if chance.random() < 0.8:
            rows["A AT-3.1 omen"] = 1
        if chance.random() < 0.2:
            rows["B AT-3.1 omen"] = 1
        storm = "AB"[n % 2] if n % 4 < 2 else ""
        if storm:
            rows[f"{storm} AT-3.1 storm"] = 2
        wins_a = chance.random() < {"": 0.75, "A": 0.6, "B": 0.9}[storm]
        rows["- AT-1.3 terrain"] = 1
        rows[f"{'A' if n < 29 else '-'} AT-3.1 seldom"] = 1
        played.append(game(n, "A" if wins_a else "B", A, rows=rows))
    found = {row.kind: row for row in rows_of(played, seats)}
    assert set(found) == {"omen", "storm"}  # too seldom, or nobody's
    storm, omen = found["storm"], found["omen"]
    assert storm.p <= 0.05
    assert storm.seats == pytest.approx(0.5)  # both seats have it as often
    assert storm.won.low < 0.35 < storm.won.high < 0.5  # 0.6 with A, 0.1 with B
    assert (storm.least, storm.won.of) == (1, 200)
    assert omen.won.part > 0.6 and omen.seats > 0.6  # because A has it
    assert omen.p > 0.05 and omen.won.low < omen.seats < omen.won.high


@pytest.mark.parametrize(
    ("seats", "chances", "rates"),
    [("AB", (7, 3), (0.2, 0.4, 0.9)), ("ABCDEF", (10, 4, 2, 2, 1, 1), (0.05, 0.07, 0.1))],
)
def test_rows_that_mean_nothing_are_told_in_five_studies_of_100_at_most(
    seats: str, chances: tuple[int, ...], rates: tuple[float, ...]
) -> None:
    """Rare rows and common ones, which the first seat has more often, whoever wins."""
    chance, studies, alarms = Random(11), 200, 0
    names = {f"{seat} AT-3.1 {kind}{rate}": rate * (1.1 if seat == "A" else 1)
             for seat in seats for rate in rates for kind in "xyz"}  # fmt: skip
    for _ in range(studies):
        winners = chance.choices(seats, chances, k=120)
        played = [game(n, won, A, rows={name: chance.randrange(1, 5) for name, rate in names.items()
                                        if chance.random() < rate})
                  for n, won in enumerate(winners)]  # fmt: skip
        found = rows_of(played, tuple(seats))
        assert len(found) >= 6
        alarms += found[0].p <= 0.05
    assert 0 < alarms <= 0.05 * studies


def test_of_a_row_that_everybody_has_the_more_frequent_half_is_told() -> None:
    played = [
        game(n, "AB"[n % 2], A, rows={"A AT-3.1 omen": 5 + n % 2, "B AT-3.1 omen": 6 - n % 2})
        for n in range(60)
    ]
    (row,) = rows_of(played, ("A", "B"))
    assert (row.least, row.won.part, row.seats) == (6, 0, 0.5)
    assert row.p < 1e-9
    assert rows_of(played[:29], ("A", "B")) == ()


def test_a_system_that_ranks_nobody_has_no_curve() -> None:
    found = figures([game(0, "A", (), (), A)], PLAN)
    assert not found.ranked
    assert found.decided is None


def test_no_games_have_no_figures_and_no_fault() -> None:
    found = figures([], PLAN)
    assert (found.games, found.turns, found.by_turn) == (0, None, ())
    assert changes([[], []], ("A", "B")) == ((),)


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


def test_a_spread_is_read_off_the_sorted_line() -> None:
    found = spread([5, 1, 3, 2, 4, 8, 7, 6])
    assert found is not None
    assert (found.least, found.low, found.middle, found.high, found.most) == (1, 2, 4, 6, 8)
    assert found.mean == 4.5
    assert found.error == pytest.approx(math.sqrt(6 / 8))  # variance 42/7
    assert spread([]) is None


def test_the_interval_of_a_gap_is_that_of_its_pairs() -> None:
    # Agresti and Min (2005), the cells 0.5 more each: (b - c) / (n + 2) and its Wald interval.
    gap = gap_of_pairs(30, 10, 100)
    middle, error = 20 / 102, math.sqrt(41 - 20**2 / 102) / 102
    assert gap.value == 0.2
    assert (gap.low, gap.high) == pytest.approx((middle - Z * error, middle + Z * error))
    same = gap_of_pairs(0, 0, 200)  # not one differs, yet some of the next 200 may
    assert (same.value, same.high) == (0, pytest.approx(Z / 202))
    assert same.low == -same.high
    found = spread([9, 10, 11])
    assert found is not None
    means = gap_of_means(found)  # Student's quantile of two degrees is 4.3027
    assert means.value == 10
    assert means.high - 10 == pytest.approx(4.3027 / math.sqrt(3), rel=1e-4)


def test_what_a_second_set_up_changes_is_told_figure_by_figure() -> None:
    first = [game(n, "A" if n % 2 else "B", A, A, B, A) for n in range(40)]
    second = [game(n, "A", A, A, A, A) for n in range(40)]
    (told,) = changes([first, second], ("A", "B"))
    found = {(c.what, c.seat, c.turn): c for c in told}
    seat = found["seat", "A", 0]
    assert (seat.gap.value, seat.pairs, seat.differing) == (0.5, 40, 20)
    assert seat.told and found["seat", "B", 0].told
    assert seat.p == pytest.approx(6 * 2 * 0.5**20)  # the second least of seven
    assert (found["lead", "", 2].first, found["lead", "", 2].second) == (0.5, 1)
    assert (found["decided", "", 0].first, found["decided", "", 0].second) == (3.5, 1)
    assert found["turns", "", 0].gap.value == 0 and not found["turns", "", 0].told
    single = changes([[game(0, "A", A, A)], [game(0, "A", A)]], ("A", "B"))
    assert {change.what for change in single[0]} == {"seat"}


def test_pairs_show_what_two_lots_of_games_would_not() -> None:
    """Of 100 seeds A wins 50 in the one set-up, and the same 50 and ten more in the other."""
    first = [game(n, "A" if n < 50 else "B", A) for n in range(100)]
    second = [game(n, "A" if n < 60 else "B", A) for n in range(100)]
    (told,) = changes([first, second], ("A", "B"))
    assert (told[0].gap.value, told[0].differing, told[0].told) == (0.1, 10, True)
    moved = [game(n, "A" if n >= 40 else "B", A) for n in range(100)]  # 60 others
    (told,) = changes([first, moved], ("A", "B"))
    assert (told[0].gap.value, told[0].differing, told[0].told) == (0.1, 90, False)


def test_comparisons_of_all_set_ups_are_corrected_together() -> None:
    first = [game(n, "A" if n < 50 else "B", A) for n in range(100)]
    second = [game(n, "A" if n < 60 else "B", A) for n in range(100)]
    one, many = changes([first, second], ("A", "B")), changes([first] + [second] * 9, ("A", "B"))
    assert one[0][0].told and not many[0][0].told
    assert len(many) == 9
