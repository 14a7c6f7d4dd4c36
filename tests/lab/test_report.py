"""The report in words: what is said where, in both languages, and what is left out."""

from __future__ import annotations

import csv
import io
import re

import pytest
from msgspec.structs import replace

from polemarque.kernel.game import new_header
from polemarque.lab.comparisons import changes
from polemarque.lab.games import Played, StudyPlan
from polemarque.lab.report import Findings, csv_of, curve, report
from polemarque.lab.statistics import all_figures
from polemarque.report.documents.writers import write
from tests.lab.test_statistics import HEADER, PLAN, A, B, figures, game


def told(games: list[Played], lang: str, second: list[Played] | None = None) -> str:
    return write(report(findings(games, second), lang), "text").replace("\u00a0", " ")


def findings(games: list[Played], second: list[Played] | None = None) -> Findings:
    plans, each = [PLAN], [games]
    if second is not None:
        plans.append(
            StudyPlan(replace(HEADER, options={**HEADER.options, "rout": "zero"}), PLAN.bots)
        )
        each.append(second)
    return Findings(
        tuple(plans), "leuctra", 4, tuple([figures(one, PLAN) for one in each]),
        changes(each, HEADER.seats), ("leuctra", "rout=zero") if second is not None else (),
    )  # fmt: skip


def words(text: str) -> str:
    return re.sub(r"\s+", " ", text)


EVEN = [game(n, "AB"[n % 2], A, B, A, B) for n in range(20)]
ONE_SIDED = [game(n, "A", A, A, A, A) for n in range(20)]


def test_how_long_it_lasts() -> None:
    assert "All games last 4 turns (20 games)." in words(told(EVEN, "en"))
    early = [game(n, "A", A, A) for n in range(4)]
    assert "mostly lasts 4 turns, all of them between 2 and 4 (24 games)" in words(
        told(EVEN + early, "en")
    )
    half = [game(n, "A", A, A) for n in range(20)]
    assert "lasts 2 turns (half of them between 2 and 4, all between 2 and 4; 40 games)" in words(
        told(EVEN + half, "en")
    )


@pytest.mark.parametrize(
    ("lang", "level", "favoured", "honest"),
    [
        ("fr", "ne montrent aucun siège avantagé", "Siège avantagé : Thèbes (A) avec 100 %",
         "des robots qui ont joué, non des gens"),
        ("en", "show no seat to be favoured", "Favoured: Thebes (A) with 100%",
         "Bots played these games, not people"),
    ],
)  # fmt: skip
def test_a_seat_is_called_favoured_only_where_the_interval_says_so(
    lang: str, level: str, favoured: str, honest: str
) -> None:
    even, uneven = words(told(EVEN, lang)), words(told(ONE_SIDED, lang))
    assert level in even and favoured not in even
    assert favoured in uneven and level not in uneven
    assert honest in even and "20" in even and "leuctra" in even


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_one_game_is_told_in_the_singular(lang: str) -> None:
    text = words(told([game(0, "AB", A, A)], lang))
    assert not re.search(r"\b1 (games|parties|turns|tours)\b", text)


def test_what_a_lead_is_worth() -> None:
    def half_way(pairs: str) -> str:
        """Leader and winner of games of four turns, ten times."""
        led = [(B if pair[0] == "B" else A, pair[1]) for pair in pairs.split() * 10]
        return words(told([game(n, won, by, by, by, A) for n, (by, won) in enumerate(led)], "en"))

    assert "Nothing shows that leading half-way helps" in half_way("AA AB BA BB")
    assert (
        "wins 50% of the time (between 35% and 65%; 40 games); no matter who leads, these seats win"
        " 50% of the games" in half_way("AA AB BA BB")
    )
    assert "wins more often than not" in half_way("AA BB")
    assert "wins less often than their seat does" in half_way("AB BA AB BA AA")
    # the seat that leads always, or wins always, may owe it to itself
    assert "cannot be told from the seats" in half_way("AA AA AB")
    assert "cannot be told from the seats" in half_way("AA BA")
    assert "decided in turn 1" in words(told(ONE_SIDED, "en"))


def test_the_lead_of_one_among_many_and_where_the_end_was_set() -> None:
    header = new_header("atlantide", options={"turn_limit": 4})
    none = dict.fromkeys(header.seats, (0,) * 5)
    led = {"A": (("A",), ("B", "C", "D")), "B": (("B",), ("A", "C", "D"))}
    pairs = [("A", "A"), ("A", "C"), ("A", "D"), ("B", "B"), ("B", "C"), ("B", "D")] * 10
    some = [game(n, won, *[led[by]] * 4, questions=none) for n, (by, won) in enumerate(pairs)]

    def text(limit: int) -> str:
        cut = replace(header, options={**header.options, "turn_limit": limit})
        plan = StudyPlan(cut, dict.fromkeys(cut.seats, "steady"))
        found = Findings((plan,), "", 0, (figures(some, plan),))
        return words(write(report(found, "en"), "text"))

    assert "Leading half-way helps, and does not decide" in text(4)  # a third, not a sixth
    assert "The option turn_limit=4 ended some games" in text(4)
    assert "The option turn_limit=" not in text(0)
    assert "The option turn_limit=" not in text(12)


def test_a_verdict_says_what_could_have_been_seen() -> None:
    """199 games of two seats find 60:40 in 80 studies of 100; see test_significance."""
    many = [game(n, "AB"[n % 2], A) for n in range(199)]
    assert "A study of this size finds a seat with 60% instead of 50% 80% of the time" in (
        words(told(many, "en"))
    )
    few = words(told(many[:60], "fr"))
    assert "60 % au lieu de 50 % dans 26 % des cas ; une étude de 199 parties, dans 80 %" in few


def test_what_is_not_known_is_said_or_left_out() -> None:
    unranked = [game(n, "A", (), (), A) for n in range(20)]
    text = words(told(unranked, "en"))
    assert "the seats are not ranked before the end" in text
    assert "leads alone" not in text
    assert "attles" not in text.replace("Classical battles", "")
    assert "eliminated" not in text
    assert curve(findings(unranked), "en") is None
    assert "No game has come to its end" in told([], "en")


@pytest.mark.parametrize("games", [
    [], [game(0, "A", A, A)], [game(n, "", A, A) for n in range(20)],
    [game(n, "AB", A, A) for n in range(20)], ONE_SIDED,
], ids=["none", "one", "all drawn", "all shared", "one seat wins all"])  # fmt: skip
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_whatever_comes_out_there_is_a_page(games: list[Played], lang: str) -> None:
    graded = StudyPlan(HEADER, {"A": "random", "B": "steady"})
    skill = Findings((graded,), "", 0, (figures(games, graded),), names=("x",), grades=True)
    for found in (findings(games), findings(games, games), skill):
        page = write(report(found, lang), "text")
        assert "{" not in page and "None" not in page and "nan" not in page
        assert csv_of(found).count("\n") > len(found.figures)
    seats = [(seat.p, seat.verdict) for seat in findings(games).figures[0].seats]
    if games != ONE_SIDED:
        assert seats == [(1, "open")] * 2
    else:
        assert [verdict for _, verdict in seats] == ["favoured", "disadvantaged"]


def test_both_set_ups_stand_beside_each_other() -> None:
    text = words(told(EVEN, "fr", ONE_SIDED))
    assert "avec les mêmes graines : rout=zero" in text
    assert "victoires, Thèbes (A) 50 % 100 % +50 pts change" in text
    assert "victoires, Sparte (B) 50 % 0 % −50 pts change" in text
    assert "durée en tours 4,00 4,00 0,00 – 0,00 à 0,00 0 sur 20 1,000" in text
    # the 20 of each set-up are too few to accuse the first, and enough for the second
    assert "leuctra. Ces parties ne montrent aucun" in text
    assert "rout=zero. Siège avantagé : Thèbes (A) avec 100 %" in text
    assert "leuctra 20 50 % 50 % 0 4,00" in text and "rout=zero 20 100 % 0 % 0 4,00" in text
    same = words(told(EVEN, "en", EVEN))
    assert "Nothing changes by more than chance explains" in same


def test_seats_of_different_scenarios_are_told_by_their_own_names() -> None:
    other = StudyPlan(new_header("batailles", scenario="cannae"), PLAN.bots)
    found = Findings(
        (PLAN, other), "", 0, all_figures([EVEN, ONE_SIDED], [PLAN, other]),
        changes([EVEN, ONE_SIDED], HEADER.seats), ("leuctra", "cannae"),
    )  # fmt: skip
    text = words(write(report(found, "en"), "text"))
    assert "cannae. Favoured: Carthage (A) with 100%" in text
    assert "victories, A 50% 100%" in text
    assert "Rome (B) 0 0%" in text and "Sparta (B) 10 50%" in text


def test_the_curve_stops_where_games_are_too_few() -> None:
    drawn = curve(findings(ONE_SIDED), "fr")
    assert drawn is not None
    assert "le premier gagne" in drawn and "par siège" in drawn
    assert drawn.count("<circle") == 2 * 3  # turns 1 to 3, the end is none
    assert curve(findings(ONE_SIDED[:9]), "fr") is None
    both = curve(findings(EVEN, ONE_SIDED), "en")
    assert both is not None and "leuctra" in both and "rout=zero" in both


def test_figures_as_a_table_for_other_programs() -> None:
    rows = [*csv.DictReader(io.StringIO(csv_of(findings(EVEN, ONE_SIDED))))]
    found = {(row["setup"], row["figure"], row["of"]): row for row in rows}
    assert found["leuctra", "won", "A"]["value"] == "0.5"
    assert found["rout=zero", "won", "B"]["value"] == "0"
    assert found["rout=zero", "change_seat", "A"] == {
        "setup": "rout=zero", "figure": "change_seat", "of": "A", "value": "0.5",
        "low": found["rout=zero", "change_seat", "A"]["low"],
        "high": found["rout=zero", "change_seat", "A"]["high"], "games": "20",
        "p": f"{6 * 2 * 0.5**10:.6g}",
    }  # fmt: skip
    assert found["leuctra", "turns", ""]["value"] == "4"
    assert all(len(row) == 8 and None not in row.values() for row in rows)


def test_of_a_long_game_only_some_turns_are_rows() -> None:
    long = [game(n, "A", *[A] * 90) for n in range(3)]
    table = told(long, "en").split("Turn by turn")[1]
    rows = re.findall(r"^ +(\d+) +3 ", table, re.MULTILINE)
    assert rows == [str(turn) for turn in range(1, 91, 5)]
