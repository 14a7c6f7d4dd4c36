"""What a player of Atlantide supposes of the others, and what he plans on it."""

from __future__ import annotations

from msgspec.structs import replace

from polemarque.bots.play import play_game
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.rehearsal import Planned, Rehearsal, moment
from polemarque.systems.atlantide.state import Battle
from polemarque.systems.atlantide.supposed_state import ATTACKED, conditions, supposed
from polemarque.systems.atlantide.views import view


def turn_of(number: int) -> Game:
    """A campaign whose seats are all about to make offers in that turn."""
    options = {"turn_limit": 6, "guests": "none"}
    game = Game(new_header("atlantide", options=options, seed=3))
    bots = dict.fromkeys(game.header.seats, "steady")
    play_game(game, bots, stop=lambda g: any(_offers(g, number, r) for r in g.requests()))
    return game


def _offers(game: Game, turn: int, request: object) -> bool:
    return game.state.turn == turn and getattr(request, "rule", "") == "AT-4.1"


def planned_quietly(game: Game, seat: str) -> Rehearsal:
    begin = moment(game, seat)
    assert begin is not None
    plan: list[Planned] = []
    while True:
        rehearsal = Rehearsal(game, seat, begin, plan)
        step, request = rehearsal.open, rehearsal.request
        if step is None or request is None:
            return rehearsal
        plan.append(Planned(step.key, request.options(seat).quiet(), step.premise))


def test_a_whole_turn_is_asked_and_the_battle_that_may_come() -> None:
    rehearsal = planned_quietly(turn_of(2), "D")
    foreseen = [step.key.rule for step in rehearsal.steps if not step.premise]
    assert foreseen[:2] == ["AT-4.1", "AT-5.2"] and "AT-7.2" in foreseen
    attacked = [step.key.rule for step in rehearsal.steps if step.premise == ATTACKED]
    assert "AT-8.1" in attacked and not set(attacked) & set(foreseen)
    left = {each.key.rule: each.leave() for each in rehearsal.answered}
    assert left["AT-8.1"].subject == "*", "who attacks, and where, is not known yet"
    assert left["AT-7.2"].subject == "" and left["AT-7.2"].until == 2


def test_the_nearest_army_attacks_and_nobody_joins_two_that_fight() -> None:
    war = turn_of(2).state
    here = war.army_of("A").place
    for foe in ("B", "C"):
        near = war.army_changed(foe, place=war.board.neighbours[here][0])
        attacked = supposed(view(near, "A"), "A", {ATTACKED: True})
        assert attacked.armies_at(here) == ("A", foe)
        again = view(attacked, "A")
        assert supposed(again, "A", {ATTACKED: True}) == supposed(again, "A", {})


def test_a_condition_sees_who_comes_near_and_not_what_they_are() -> None:
    war = turn_of(2).state
    here = war.army_of("A").place
    beside = war.board.neighbours[here][0]
    before = conditions(view(war, "A"), "A")
    stronger = war.army_changed("B", units=war.army_of("B").units[:1])
    assert conditions(view(stronger, "A"), "A") == before
    near = war.army_changed("B", place=beside)
    assert f"B:{beside}" in conditions(view(near, "A"), "A")["around"]
    with_it = conditions(view(war.army_changed("B", place=here), "A"), "A")
    assert with_it["army"] != before["army"] and "B" in with_it["army"]
    alone = replace(war, seats={**war.seats, "A": replace(war.seats["A"], army=None)})
    assert conditions(view(alone, "A"), "A") == {"army": (), "around": ()}


def test_others_battles_are_supposed_to_have_cost_nothing() -> None:
    war = turn_of(2).state
    fought = replace(war, phase="battles", battles=(Battle("aithe", "B", "C"),))
    guessed = supposed(view(fought, "A"), "A", {})
    assert guessed.battles[0].report is not None and guessed.battles[0].report.winner is None
    assert view(guessed, "A") == view(fought, "A")
    assert supposed(view(fought, "B"), "B", {}).battles == fought.battles
