"""The chances report: how many rare decisions a game should have, and what is made of it."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from polemarque.bots.play import play_game
from polemarque.kernel.events import Event, EventLog
from polemarque.kernel.game import Game, new_header
from polemarque.odds.decisions import Odds
from polemarque.report.dice_odds import Chances, Weighed, headline, narrator, numbers
from polemarque.report.dice_odds import weighed as reckoned


def weighed(
    tail: Fraction, rare: Fraction = Fraction(1, 10), told: tuple[int, ...] = ()
) -> Weighed:
    return Weighed("X-1", "", (), told, told, Odds(tail, tail, rare))


RARE, PLAIN = weighed(Fraction(1, 20)), weighed(Fraction(1, 2))


def test_numbers_of_independent_events_against_listing_them() -> None:
    chances = [0.1, 0.25, 0.5, 0.0, 1.0]
    by_hand = [0.0] * 6
    for ends in product((0, 1), repeat=5):
        p = prod(c if e else 1 - c for c, e in zip(chances, ends, strict=True))
        by_hand[sum(ends)] += p
    assert numbers(chances) == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("rare", "plain", "verdict"),
    [(20, 0, "few"), (4, 36, "chance"), (12, 28, "high"), (0, 40, "chance"), (0, 80, "low")],
)
def test_dice_are_called_out_only_where_chance_hardly_explains_them(
    rare: int, plain: int, verdict: str
) -> None:
    found = Chances((RARE,) * rare + (PLAIN,) * plain, ()).rarity
    assert (found.rare, found.expected) == (rare, Fraction(rare + plain, 10))
    assert found.verdict == verdict
    assert (found.chance is None) == (verdict == "few")


def test_the_rarest_come_first_and_only_rare_ones() -> None:
    rarer, none = weighed(Fraction(1, 100)), Weighed("X-2", "", (), (), (), None)
    assert Chances((RARE, PLAIN, none, rarer), ()).rarest == (rarer, RARE)


def test_a_seat_is_shown_what_it_was_told_whole() -> None:
    events = (Event("X-1", "a"), Event("X-1", "b", audience=("A",)))
    some = [weighed(Fraction(1, 2), told=told) for told in ((0,), (1,), (0, 1), ())]
    found = Chances(tuple(some), events)
    assert found.seen_by("A").weighed == tuple(some[:3])
    assert found.seen_by("B").weighed == (some[0],)
    assert found.seen_by("").weighed == (some[0],)


def test_a_seat_that_saw_the_dice_and_not_what_they_came_to_is_shown_nothing() -> None:
    events = (Event("X-1", "a"), Event("X-1", "b", audience=("A",)))
    dice_alone = Weighed("X-1", "", (), (0,), (1,), None)
    found = Chances((dice_alone,), events)
    assert found.seen_by("A").weighed == (dice_alone,) and not found.seen_by("B").weighed


@pytest.mark.parametrize(
    ("lang", "winner", "loses"),
    [("en", r"The side of \w+ (wins|gains|crushes).*? gap of \d+",
      r"The side of \w+ loses (?:\d+ PM|nothing)"),
     ("fr", r"Le camp .*? points? d’écart", r"Le camp de .*? perd (?:\d+ PM|rien)")],
)  # fmt: skip
def test_beside_the_odds_of_a_phase_stand_who_won_it_by_how_much_and_both_losses(
    lang: str, winner: str, loses: str
) -> None:
    game = Game(new_header("batailles", seed=3), publish=(told := EventLog()).append)
    play_game(game, dict.fromkeys(game.header.seats, "steady"), seed=3)
    found = Chances(reckoned(game), told)
    assert len(found.weighed) == game.state.phase
    for each in found.weighed:
        (said,) = headline(found, each, narrator(game.header, lang, found)).spans
        assert re.match(winner, said.text), said.text
        assert len(re.findall(loses, said.text)) == 2
        assert {"BC-2.3", "BC-2.4", "BC-2.5", "BC-2.6"} & {e.rule for e in found.told(each)}
