"""Chances beside options: those of the very procedures, in whole percents."""

from __future__ import annotations

from fractions import Fraction

import pytest

from polemarque.kernel.agenda import Call, rules_of
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.option_chances import ChanceOf, MeanOf
from polemarque.kernel.request import Fact
from polemarque.kernel.system import find_system
from polemarque.odds.beside_options import exact, figures_told
from polemarque.odds.consult import consult_odds
from polemarque.odds.wording import whole_percent
from polemarque.report.game_words import Words

SEA = find_system("mare_nostrum")
RULES = rules_of(SEA.package, SEA.edition)
INVADED = Call("MN-5.1", (3, True, False, False))
SUCCESS = ChanceOf(INVADED, lambda fate: fate.success)


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (Fraction(0), "0%"), (Fraction(1, 1000), "< 1%"), (Fraction(1, 100), "1%"),
        (Fraction(1, 3), "33%"), (Fraction(99, 100), "99%"), (Fraction(999, 1000), "> 99%"),
        (Fraction(1), "100%"),
    ],
)  # fmt: skip
def test_nothing_but_certainties_is_said_to_be_certain(p: Fraction, said: str) -> None:
    assert whole_percent(p, "en") == said
    assert whole_percent(p, "fr") == said.replace("%", " %")


def test_a_chance_is_that_of_consult() -> None:
    inputs = {"demographic": 3, "fortress": True, "engineer": False, "war_priest": False}
    odds = consult_odds("MN-5.1", inputs)
    wanted = sum(Fraction(each.p) for each in odds.outcomes if each.result["success"])
    assert exact(SUCCESS, RULES) == wanted
    assert 0 < wanted < 1


def test_a_mean_is_of_a_figure_or_of_a_tally() -> None:
    island = find_system("atlantide")
    rules = rules_of(island.package, island.edition)
    want = Call("AT-6.3/table", (0, 0, "earlier"))  # 4 and 5 of a D6: a D6 deserts, as on 1 to 3
    deserters = MeanOf(want, lambda fate: fate.deserters)
    outcomes = consult_odds("AT-6.3", {"earlier_turns": 0, "loot": 0}).outcomes
    told = [(Fraction(each.p), each.result["deserters"]) for each in outcomes]
    assert exact(deserters, rules) == sum(p * n for p, n in told)
    figures = {"lost": deserters, "place": "latium"}
    assert set(figures_told(figures, rules, "fr")) == {"lost", "place"}
    assert figures_told(figures, rules, "fr")["place"] == "latium"


def test_a_law_too_large_is_left_out() -> None:
    game = Game(new_header("promiterra", seed=1))
    game.settle()
    words = Words(game.header, "en")
    words.turn_to(game, next(iter(game.requests()[0].keys.values())))
    huge = Call("PR-8.4", (500,))
    fact = Fact("any", {"p": ChanceOf(huge, lambda fate: True)})
    assert words.fact(fact) == ""
