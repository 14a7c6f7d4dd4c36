"""Chapter AT-2: phases in order, who acts first, absent players (AT-2.1, AT-2.2, AT-2.4)."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from polemarque.kernel.agenda import registered
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Adjust
from polemarque.systems.atlantide.chapters.turn import ENTRIES
from polemarque.systems.atlantide.state import PHASES
from polemarque.systems.atlantide.troops import Duty
from tests.systems.atlantide.table import Table
from tests.systems.atlantide.wars import army, slingers, spearmen, war


def test_AT_2_1_a_turn_has_eight_phases_in_order():
    assert tuple(ENTRIES) == PHASES
    script = registered("AT-2.1").run(war(A="m2", B="a2"))
    next(script)
    with pytest.raises(StopIteration) as end:
        next(script)
    items = end.value.value[1]
    assert [item[1] for item in items if item[0] == "AT-2.1/phase"] == list(PHASES)
    assert items[-1] == ("AT-1.10",)


def test_AT_2_1_a_phase_ends_for_all_before_the_next_begins():
    game = Game(new_header("atlantide", seats=3, seed=4, options={"turn_limit": 4}))
    game.settle()
    rng = random.Random(4)
    chapters = []
    while not game.over:
        request = game.requests()[0]
        chapters.append((game.state.turn, game.state.phase))
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
    known = ("", *PHASES)
    order = [(turn, known.index(phase)) for turn, phase in chapters]
    assert order == sorted(order)


def test_AT_2_2_decreasing_initiative_and_those_without_army_last():
    quick = army("m2", spearmen(), slingers())
    state = war(A="e1", B=None, C=quick)
    state = replace(state, seats={**state.seats})
    table = Table(state, ("AT-2.2", "AT-1.5", ("A", "C")))
    assert table.war.order == ("C", "A")


def test_AT_2_2_ties_roll_a_die_and_equal_dice_roll_again():
    table = Table(war(A="m2", B="a2", C="e2"), ("AT-2.2", "AT-1.5", ("A", "B", "C")),
                  dice=(4, 2, 4, 3, 5))  # fmt: skip
    assert table.war.order == ("C", "A", "B")
    assert table.told("AT-2.2", "order") == [{"seats": ("C", "A", "B")}]
    assert len(table.event("AT-2.2", "order").dice) == 2


def test_AT_2_2_only_those_concerned_roll():
    table = Table(war(A="m2", B="a2", C="e2"), ("AT-2.2", "AT-1.5", ("A",)))
    assert table.over and table.war.order == ("A",)


def test_AT_2_2_this_turns_leadership_counts():
    state = war(A=army("m2", general_ld=-1), B="a2")
    assert Table(state, ("AT-2.2", "AT-1.5", ("A", "B"))).war.order == ("B", "A")


def test_AT_2_1_options_ordered_by_the_umpire_hold_from_the_next_turn():
    state = replace(war(A="m2", B="a2"), ordered={"passage": "through", "return": "none"})
    table = Table(state, ("AT-2.1",), dice=(3, 4, 3, 4))
    assert table.war.options.passage == "through" and table.war.options.return_ == "none"
    assert table.war.ordered == {} and len(table.told("AT-2.1", "option")) == 2


def test_AT_2_4_an_absent_player_is_never_asked():
    game = Game(new_header("atlantide", seats=3, seed=9, options={"turn_limit": 3}))
    game.settle()
    rng = random.Random(1)
    while not game.over:
        request = game.requests()[0]
        if game.state.phase and not game.state.seats["B"].absent and game.runner.fresh:
            game.enter(Adjust("absent.B", True, "holidays"))
            game.settle()
            continue
        seat = request.missing[0]
        assert seat != "B" or not game.state.seats["B"].absent
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()


def test_AT_2_4_absence_lasts_for_the_turn():
    state = war(A="m2", B="a2").changed("A", absent=True)
    table = Table(state, ("AT-1.10",), dice=(3, 4, 3, 4))
    assert not table.war.seats["A"].absent and table.war.turn == 2


def test_AT_2_4_an_absent_player_spends_nothing_and_all_are_told():
    state = war(A="m2", B="a2").changed("A", absent=True, catalogue="mycenaeans")
    state = state.changed("B", catalogue="trojans")
    table = Table(replace(state, phase="loot"), ("AT-5.2",))
    assert table.request.seats == ("B",) and table.told("AT-2.4", "absent") == [{"seat": "A"}]


def test_a_beaten_army_keeps_its_duty_over_the_turn():
    state = war(A=army("m2", duty=Duty("beaten")), B="a2")
    assert Table(state, ("AT-1.10",), dice=(3, 4, 3, 4)).war.army("A").beaten
