"""The report in words: what is said where, in both languages, and what is left out."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from polemarque.kernel.game import new_header
from polemarque.lab.games import Played, StudyPlan
from polemarque.lab.report import Findings, curve, report
from polemarque.lab.statistics import changes, figures
from polemarque.report.documents.writers import write
from tests.lab.test_statistics import A, B, game

HEADER = new_header("batailles")
PLAN = StudyPlan(HEADER, dict.fromkeys(HEADER.seats, "steady"))


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
        tuple(plans), "leuctra", 4, tuple([figures(one, HEADER.seats) for one in each]),
        changes(games, second, HEADER.seats) if second is not None else (),
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
        ("fr", "n’en montrent aucun d’avantagé", "Siège avantagé : Thèbes (A) avec 100 %",
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
    # as turn 2 of 4 ends: B leads, and wins every second game; A leads, and wins all
    assert "Nothing shows that leading" in words(told(EVEN, "en"))
    assert "wins 50% of the time (between 30% and 70%; equal share 50%; 20 games)" in words(
        told(EVEN, "en")
    )
    assert "wins more often than not" in words(told(ONE_SIDED, "en"))
    assert "decided in turn 1" in words(told(ONE_SIDED, "en"))


def test_the_lead_of_one_among_many_and_where_the_end_was_set() -> None:
    header = new_header("atlantide", options={"turn_limit": 4})
    none = dict.fromkeys(header.seats, (0,) * 5)
    alone = (("A",), ("B", "C", "D"))
    won = [game(n, "A", *[alone] * 4, questions=none) for n in range(40)]
    some = [*won[:20], *[replace(each, winners=("B",)) for each in won[20:]]]

    def text(games: list[Played], limit: int) -> str:
        cut = replace(header, options={**header.options, "turn_limit": limit})
        plan = StudyPlan(cut, dict.fromkeys(cut.seats, "steady"))
        found = Findings((plan,), "", 0, (figures(games, cut.seats),), ())
        return words(write(report(found, "en"), "text"))

    assert "wins more often than not" in text(won, 4)
    assert "Leading half-way helps, and does not decide" in text(some, 4)  # 35 % to 65 %
    assert "The end is set by turn_limit=4 at the latest" in text(won, 4)
    assert "The end is set" not in text(won, 0)
    assert "The end is set" not in text(won, 12)


def test_what_is_not_known_is_said_or_left_out() -> None:
    unranked = [game(n, "A", (), (), A) for n in range(20)]
    text = words(told(unranked, "en"))
    assert "the seats are not ranked before the end" in text
    assert "leads alone" not in text
    assert "attles" not in text.replace("Classical battles", "")
    assert "eliminated" not in text
    assert curve(findings(unranked), "en") is None
    assert "No game has come to its end" in told([], "en")


def test_both_set_ups_stand_beside_each_other() -> None:
    text = words(told(EVEN, "fr", ONE_SIDED))
    assert "avec rout=zero" in text
    assert "victoires, Thèbes (A) 50 % 100 % +50 pts" in text
    assert "victoires, Sparte (B) 50 % 0 % −50 pts" in text
    assert "durée en tours 4,00 4,00 0,00 0,00 à 0,00 –" in text
    same = words(told(EVEN, "en", EVEN))
    assert "Nothing changes by more than chance explains" in same


def test_the_curve_stops_where_games_are_too_few() -> None:
    drawn = curve(findings(ONE_SIDED), "fr")
    assert drawn is not None
    assert "qui mène gagne" in drawn and "part égale" in drawn
    assert drawn.count("<circle") == 2 * 3  # turns 1 to 3, the end is none
    assert curve(findings(ONE_SIDED[:9]), "fr") is None
    both = curve(findings(EVEN, ONE_SIDED), "en")
    assert both is not None and "first" in both and "second" in both


def test_of_a_long_game_only_some_turns_are_rows() -> None:
    long = [game(n, "A", *[A] * 90) for n in range(3)]
    table = told(long, "en").split("Turn by turn")[1]
    rows = re.findall(r"^ +(\d+) +3 ", table, re.MULTILINE)
    assert rows == [str(turn) for turn in range(1, 91, 5)]
