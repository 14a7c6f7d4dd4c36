"""What a seat may see, in view, question and event (AT-2.3), and its campaign sheet (AT-11.1)."""

from __future__ import annotations

import random

import msgspec
from msgspec.structs import replace

from polemarque.kernel.game import Game, new_header
from polemarque.kernel.position import encode
from polemarque.kernel.request import Sheet
from polemarque.kernel.run import Runner
from polemarque.systems.atlantide.agreements import Agreement, Proposal
from polemarque.systems.atlantide.troops import army_points
from polemarque.systems.atlantide.views import sheet_header, view
from tests.contract.secrets import atlantide as changed
from tests.systems.atlantide.wars import agreed, army, slingers, war


def test_AT_2_3_public_are_map_owners_fortresses_armies():
    state = war(A="m2", B="a2").fortified("a1")
    seen = view(state, "A")
    assert seen.lands["a1"].owner == "B" and seen.lands["a1"].fortresses == 1
    assert seen.rivals["B"].camp.place == "a2" and seen.board == state.board
    assert not hasattr(seen.rivals["B"].camp, "units") and not hasattr(seen.rivals["B"], "loot")


def test_AT_2_3_private_are_list_loot_waiting_units():
    state = war(A="m2", B="a2")
    assert view(state, "A").own == state.seats["A"]
    for other in (state.changed("B", loot=3), state.with_army("B", army("a2", slingers()))):
        assert encode(view(other, "A")) == encode(view(state, "A"))
        assert encode(view(other, "B")) != encode(view(state, "B"))


def test_AT_2_3_secret_agreements_and_offers_are_known_to_both_parties():
    state = agreed(war(A="m2", B="a2", C="e2"), "tax", "A", "B", "m1")
    state = agreed(state, "tax", "A", "B", "m2", public=True)
    state = replace(state, proposals=(Proposal("A", Agreement(7, "text", "A", "B", 1)),))
    assert [len(view(state, seat).agreements) for seat in "ABC"] == [2, 2, 1]
    assert [len(view(state, seat).proposals) for seat in "ABC"] == [1, 1, 0]


def test_AT_2_3_a_spectator_sees_what_is_public():
    seen = view(agreed(war(A="m2", B="a2"), "tax", "A", "B", "m1"), "umpire")
    assert seen.own is None and seen.agreements == () and seen.sheets == ()


def test_AT_2_3_no_secret_in_any_view_or_option_of_a_whole_campaign():
    rng = random.Random(11)
    game = Game(new_header("atlantide", seats=4, seed=11, options={"turn_limit": 4}))
    game.settle()
    compared = 0
    while not game.over:
        request = game.requests()[0]
        for seat in request.missing:
            if seat not in game.state.seats or not game.runner.fresh or not game.state.phase:
                continue
            other = changed(game.state, seat, rng)
            assert encode(view(game.state, seat)) == encode(view(other, seat))
            twin = Runner(replace(game.position, state=other, frames=(), agenda=(_item(game),)))
            if getattr(twin.pending, "seats", ()) and seat in twin.pending.seats:
                mine = _ways(request.options(seat))
                assert mine == _ways(twin.pending.options(seat)), request
                compared += 1
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
    assert compared > 50


def _item(game):
    frame = game.position.frames[0]
    return (frame.rule, *frame.args)


def _ways(options):
    """An option as bytes; a sheet by some random ways through it."""
    if not isinstance(options, Sheet):
        return encode(options.describe())
    return [encode(options.sample(random.Random(seed))) for seed in range(5)]


def test_AT_11_1_the_head_of_the_campaign_sheet():
    state = war(A=army("m2"), B=None)
    head = sheet_header(state, "A")
    assert (head.loot, head.kingdom, head.territories) == (250, "mestor", ("m1", "m2", "m3"))
    assert head.army_points == army_points(state.army("A"))
    assert (head.combat_force, head.initiative) == (2, 80)
    assert sheet_header(state, "B").army_points == 0


def test_AT_11_1_every_turn_has_a_row_on_every_sheet():
    rng = random.Random(5)
    game = Game(new_header("atlantide", seats=3, seed=5, options={"turn_limit": 3}))
    game.settle()
    while not game.over:
        request = game.requests()[0]
        seat = request.missing[0]
        game.answer(seat, request.options(seat).sample(rng), request.keys[seat])
        game.settle()
    for seat in "ABC":
        rows = game.state.sheets[seat]
        assert [row.turn for row in rows] == list(range(1, game.state.turn + 1))
        assert all(row.event for row in rows)
        assert msgspec.json.encode(view(game.state, seat).sheets) == msgspec.json.encode(rows)
