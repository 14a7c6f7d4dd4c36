"""What a planned answer of Mare Nostrum may be tied to: own pieces, and who is beside them."""

from __future__ import annotations

from typing import Any

from polemarque.kernel.game import Game, new_header
from polemarque.kernel.rehearsal import Planned, Rehearsal, moment
from polemarque.systems.mare_nostrum.views import conditions, view
from tests.systems.mare_nostrum.realms import realm


def test_a_condition_sees_whose_pieces_stand_there_and_beside():
    campaign = realm("AB").army_changed("A1", place="alba").army_changed("B1", place="dax")

    def seen(**places: str) -> dict[str, Any]:
        moved = campaign
        for army, place in places.items():
            moved = moved.army_changed(army, place=place)
        return conditions(view(moved, "A"), "A")

    far, beside, with_it = seen(), seen(B1="borea"), seen(B1="alba")
    assert "borea" in campaign.atlas.around["alba"] and "dax" not in campaign.atlas.around["alba"]
    assert beside["army"] == far["army"] and beside["around"] != far["around"]
    assert with_it["army"] != far["army"]
    assert seen(A1="borea")["army"] != far["army"]


def test_a_whole_turn_is_asked_from_orders_to_administration():
    game = Game(new_header("mare_nostrum", seats=2, seed=1))
    game.settle()
    begin, plan = moment(game, "A"), []
    assert begin is not None
    while True:
        rehearsal = Rehearsal(game, "A", begin, plan)
        step, request = rehearsal.open, rehearsal.request
        if step is None or request is None:
            break
        plan.append(Planned(step.key, request.options("A").quiet()))
    rules = [step.key.rule for step in rehearsal.steps]
    assert rules[0] == "MN-2.7" and rules[-1] == "MN-F5/phase"
    left = [step.leave() for step in rehearsal.answered]
    assert {each.until for each in left} == {1}
