"""What an umpire may adjust, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.kernel.errors import NotAllowed, NotUnderstood, Refusal
from polemarque.kernel.events import EventLog
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Adjust
from polemarque.systems.promiterra.adjust import adjust, faults
from polemarque.systems.promiterra.state import War
from tests.systems.promiterra.wars import field, game_of, setup, troop, war_of

GIVEN = setup(
    [troop("light", 9, "Ann", "c3", others=["Al"]), troop("bows", 4, "Abe", "d3")],
    [troop("light", 7, "Bob", "c6")],
    board=field(6, fortification={"e5": 2}),
)


@pytest.mark.parametrize(
    ("name", "value", "path", "wanted"),
    [
        ("units.A1", 5, "units", 5),
        ("start.A1", 30, "start", 30),
        ("cell.A1", "e1", "cell", "e1"),
        ("fate.A1", "fled", "fate", "fled"),
        ("units.A1", 0, "fate", "annihilated"),
        ("unwell.A1", True, "unwell", True),
        ("barricaded.A1", True, "barricaded", True),
        ("refused.A1", True, "refused", True),
        ("leader.A1", "A-2", "leader", "A-2"),
    ],
)
def test_a_troop_is_adjusted(name: str, value: Any, path: str, wanted: Any) -> None:
    war = adjust(war_of(GIVEN), name, value)
    assert getattr(war.troops["A1"], path) == wanted
    assert not faults(war)


def test_other_things_are_adjusted() -> None:
    war = war_of(GIVEN)
    assert adjust(war, "attack.A1", 4).troops["A1"].base.attack == 4
    assert adjust(war, "commander.A", "A-3").armies["A"].commander == "A-3"
    assert adjust(war, "holder.e5", "B").holders == {"e5": "B"}
    assert adjust(war, "option.dice", "all").coming == {"dice": "all"}
    ended = adjust(war, "end", "nobody").ending
    assert ended is not None and ended.winner == "nobody"


def test_a_troop_that_is_moved_leaves_its_barricade() -> None:
    war = adjust(adjust(war_of(GIVEN), "cell.A1", "e5"), "barricaded.A1", True)
    assert adjust(war, "cell.A1", "e5").troops["A1"].barricaded
    assert not adjust(war, "cell.A1", "e4").troops["A1"].barricaded


def test_a_troop_holds_a_fort_from_when_it_is_back_not_before() -> None:
    war = adjust(adjust(war_of(GIVEN), "holder.e5", "B"), "fate.A1", "fled")
    war = adjust(war, "cell.A1", "e5")
    assert war.holders == {"e5": "B"}
    back = adjust(war, "fate.A1", "present")
    assert (back.holders, back.standing_on["e5"].id) == ({"e5": "A"}, "A1")


@pytest.mark.parametrize("name", ["units.A2", "cell.A2", "fate.A2", "attack.A2", "leader.A2"])
def test_nothing_is_changed_of_a_troop_that_is_part_of_another(name: str) -> None:
    war = war_of(GIVEN).changed("A2", fate="merged", units=0, cell="")
    with pytest.raises(NotAllowed) as refused:
        adjust(war, name, 3)
    assert (refused.value.code, refused.value.rule) == ("promiterra.merged", "PR-7.8")
    assert refused.value.legal == ("A1", "B1")


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("gold.A", 3, NotUnderstood),
        ("units.Z9", 3, NotUnderstood),
        ("units.A1", -1, NotUnderstood),
        ("units.A1", 10**9, NotUnderstood),
        ("units.A1", True, NotUnderstood),
        ("cell.A1", "z9", NotUnderstood),
        ("cell.A1", "c6", NotAllowed),
        ("attack.A1", 7, NotUnderstood),
        ("leader.A1", "B-1", NotUnderstood),
        ("commander.Z", "A-1", NotUnderstood),
        ("commander.A", "B-1", NotUnderstood),
        ("holder.a1", "B", NotUnderstood),
        ("holder.e5", "Z", NotUnderstood),
        ("fate.A1", "asleep", NotUnderstood),
        ("unwell.A1", "yes", NotUnderstood),
        ("option.grid", "hex", NotUnderstood),
        ("option.dice", "some", NotUnderstood),
        ("end", "Z", NotUnderstood),
    ],
)
def test_what_cannot_be_adjusted_is_refused(name: str, value: Any, kind: type[Refusal]) -> None:
    with pytest.raises(kind) as refused:
        adjust(war_of(GIVEN), name, value)
    assert refused.value.legal or kind is NotAllowed


def test_a_taken_cell_is_refused_with_the_free_ones_beside_it() -> None:
    with pytest.raises(NotAllowed) as refused:
        adjust(war_of(GIVEN).placed("A2", "b6"), "cell.A1", "c6")
    assert set(refused.value.legal) == {"d6", "b5", "c5", "d5"}


def test_an_unsound_war_is_named() -> None:
    war = war_of(GIVEN)
    broken = war.changed("A1", units=0).changed("A2", cell="c3").changed("B1", leader="A-1")
    rules = [fault.split("(")[1] for fault in faults(broken)]
    assert rules == ["PR-5.8)", "PR-2.2)", "PR-1.2)"]


def test_an_option_changes_with_the_next_turn() -> None:
    told = EventLog()
    game = Game(game_of(GIVEN).header, publish=told.append, withdraw=told.withdraw)
    game.enter(Adjust("option.dice", "all", "all dice, please"))
    war: War = game.state
    assert war.options.dice == "cut"
    game.absent("A")
    assert (game.state.options.dice, game.state.coming) == ("all", {})
    at = next(n for n, event in enumerate(told) if event.kind == "option")
    assert (told[at].data, told[at].period) == ({"name": "dice", "value": "all"}, game.state.turn)
    assert (told[at - 1].kind, told[at - 1].period) == ("turn", game.state.turn)


def test_a_war_that_is_declared_over_asks_nobody_to_deploy() -> None:
    game = Game(new_header("promiterra", seed=1))
    game.settle()
    assert [request.rule for request in game.requests()] == ["PR-2.4/deploy"]
    game.enter(Adjust("end", "nobody", "it rains"))
    game.settle()
    assert game.over


def test_a_war_that_is_declared_over_fights_no_duel_any_more() -> None:
    game = game_of(GIVEN)
    game.absent("A")
    quiet = {"end": "fight_on", "move.B1": (), "plan": "confirm"}
    game.answer("B", {**quiet, "act.B1": "duel", "challenged.B1": "A1"})
    assert [request.rule for request in game.requests()] == ["PR-7.6/challenge"]
    game.enter(Adjust("end", "A", "night falls"))
    assert {request.rule for request in game.requests()} == {"PR-8.1/decide"}
    assert game.state.troops["A1"].fate == "present"


def test_nobody_deploys_what_the_umpire_has_placed() -> None:
    game = Game(new_header("promiterra", seed=1))
    game.settle()
    (first,) = game.requests()[0].missing
    for number in range(1, len(game.state.troops_of(first)) + 1):
        game.enter(Adjust(f"cell.{first}{number}", f"{'abcdefgh'[number]}4", "as in the play"))
    assert [request.missing for request in game.requests()] == [({"A": "B", "B": "A"}[first],)]
