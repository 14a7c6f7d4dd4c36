"""Movement (AT-7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemarque.kernel.errors import NotAllowed
from polemarque.systems.atlantide.movement import (
    Mover,
    battles_due,
    is_legal_way,
    lower,
    moves,
    next_mover,
    retreats,
    start_open,
    way_refusal,
)
from polemarque.systems.atlantide.troops import Duty
from tests.systems.atlantide.islands import SEATS, wars
from tests.systems.atlantide.wars import agreed, army, chosen, owned, war

# Ordinary moves (AT-7.3) --------------------------------------------------------------------------


def test_two_territories_of_one_s_own_one_of_others() -> None:
    allowed = moves(war(A="m1", B="a1"), "A")
    assert allowed.stay
    assert not allowed.duty
    assert allowed.ways == {"m2": ("m2",), "m3": ("m2", "m3")}  # e2 is Atlantean, two steps away


def test_the_land_left_need_not_be_one_s_own() -> None:
    allowed = moves(war(A="e2", B="a1"), "A")
    assert allowed.ways == {
        "m2": ("m2",), "e1": ("e1",), "e3": ("e3",), "m1": ("m2", "m1"), "m3": ("m2", "m3"),
    }  # fmt: skip


def test_entering_foreign_land_ends_the_move() -> None:
    state = war(A="m3", B="a1")
    assert "h2" in moves(state, "A").ways
    assert way_refusal(state, "A", ("h2", "h1")) == "move.foreign_land"
    assert way_refusal(state, "A", ("h2", "a3")) == "move.foreign_land"


@pytest.mark.parametrize(
    ("way", "code"),
    [
        ((), ""),
        (("m2",), ""),
        (("m2", "m3"), ""),
        (("m3",), "move.not_adjacent"),
        (("m2", "m1"), "move.same_place"),
        (("m2", "e2"), "move.foreign_land"),
        (("m2", "m3", "m2"), "move.too_far"),
        (("zz",), "move.not_adjacent"),
    ],
)
def test_why_a_way_is_refused(way, code) -> None:
    state = war(A="m1", B="a1")
    assert way_refusal(state, "A", way) == code
    assert is_legal_way(state, "A", way) is (code == "")


def test_two_steps_over_land_gained_since() -> None:
    state = owned(war(A="e2", B="a1"), "A", "e3", "a1")
    assert moves(state, "A").ways["a1"] == ("e3", "a1")


def test_an_army_that_refuses_to_move_stays() -> None:
    state = war(A=army("m1", may_move=False), B="a1")
    assert moves(state, "A").ways == {}
    assert moves(state, "A").stay
    assert way_refusal(state, "A", ("m2",)) == "move.closed"


def test_an_absent_player_s_army_stays() -> None:
    assert moves(war(A="m1", B="a1").changed("A", absent=True), "A").ways == {}


def test_a_seat_without_army_has_no_moves() -> None:
    state = war(A=None, B="a1")
    assert moves(state, "A").stay
    assert not moves(state, "A").doomed
    assert way_refusal(state, "A", ("m2",)) == "move.no_army"


# Crowds (AT-7.5) ----------------------------------------------------------------------------------


def test_an_army_may_pass_own_land_where_one_enemy_stands_but_not_two() -> None:
    assert "m3" in moves(war(A="m1", B="m2"), "A").ways
    crowded = war(A="m1", B="m2", C="m2")
    assert moves(crowded, "A").ways == {}
    assert way_refusal(crowded, "A", ("m2",)) == "move.two_armies"
    assert way_refusal(crowded, "A", ("m2", "m3")) == "move.two_armies"


def test_a_second_step_ends_in_no_crowd_either() -> None:
    crowded = war(A="m1", B="m3", C="m3")
    assert moves(crowded, "A").ways == {"m2": ("m2",)}
    assert way_refusal(crowded, "A", ("m2", "m3")) == "move.two_armies"


def test_an_army_may_enter_where_one_stands() -> None:
    assert "e2" in moves(war(A="m2", B="e2"), "A").ways


# Passage (AT-7.4) ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["passage", "stationing"])
def test_opened_land_counts_as_own_by_the_variant_only(kind) -> None:
    state = agreed(war(A="m2", C="e1"), kind, "C", "A", "e2")
    assert "e3" not in moves(state, "A").ways
    through = chosen(state, passage="through")
    assert "e3" not in moves(through, "A").ways  # e3 is not opened
    both = chosen(agreed(state, kind, "C", "A", "e3"), passage="through")
    assert moves(both, "A").ways["e3"] == ("e2", "e3")


def test_passage_obliges_to_leave_at_the_next_move() -> None:
    state = agreed(war(A="m2", C="e1"), "passage", "C", "A", "e2", last_turn=2)
    there = state.moved("A", "e2")
    assert there.army("A").passing
    assert not moves(there, "A").stay
    assert not moves(there, "A").duty
    assert way_refusal(there, "A", ()) == "move.must_go"
    # A stationing right, or the land becoming his own, makes up for it.
    assert moves(agreed(there, "stationing", "C", "A", "e2"), "A").stay
    assert moves(owned(there, "A", "e2"), "A").stay
    assert not there.moved("A", "m2").army("A").passing


def test_who_is_obliged_to_leave_and_cannot_stays_unharmed() -> None:
    state = owned(war(A=army("h1", passing=True), B="h2", C="h2"), "B", "h1")
    allowed = moves(state, "A")
    assert allowed.ways == {}
    assert allowed.stay
    assert not allowed.doomed


# Duties to go (AT-7.6, AT-7.7, AT-8.8) ------------------------------------------------------------


def duty(place, kind, **more):
    return army(place, duty=Duty(kind), **more)


def test_a_beaten_army_goes_to_its_start_or_to_adjacent_own_land() -> None:
    state = war(A=duty("e2", "beaten", start="e1"), B="a1")
    assert retreats(state, "A") == ("e1", "m2")
    assert moves(state, "A").ways == {"e1": ("e1",), "m2": ("m2",)}
    assert not moves(state, "A").stay
    assert way_refusal(state, "A", ("m2", "m1")) == "move.closed"


def test_going_back_to_the_start_ignores_distance() -> None:
    assert retreats(war(A=duty("e3", "beaten", start="m1"), B="a1"), "A") == ("m1",)


def test_a_closed_start() -> None:
    far = duty("e3", "beaten", start="m1")
    assert not start_open(war(A=duty("e3", "beaten"), B="a1"), "A")  # it has none
    assert not start_open(war(A=far, B="m1"), "A")
    assert start_open(agreed(war(A=far, B="m1"), "stationing", "A", "B", "m1"), "A")
    friends = war(A=far, B="m1", C="m1")
    friends = agreed(agreed(friends, "passage", "A", "B", "m1"), "passage", "A", "C", "m1")
    assert not start_open(friends, "A")  # two armies are there
    assert not start_open(war(A=far, B="a1").taken("m1", "B"), "A")


def test_a_start_conquered_and_won_back_is_open() -> None:
    state = war(A=duty("e3", "beaten", start="m1"), B="a1").taken("m1", "B")
    assert start_open(state.taken("m1", "A"), "A")
    assert not start_open(state, "A")


def test_an_enemy_start_that_nobody_conquered_since_is_open() -> None:
    assert start_open(war(A=duty("a3", "beaten", start="a2"), B="a1"), "A")


def test_a_beaten_army_does_not_meet_anybody_on_its_retreat() -> None:
    state = war(A=duty("e2", "beaten"), B="m2")
    assert retreats(state, "A") == ()
    assert moves(state, "A").doomed
    assert retreats(agreed(state, "passage", "A", "B", "m2"), "A") == ("m2",)


def test_a_crushed_army_goes_to_its_start_or_else_anywhere_adjacent() -> None:
    assert retreats(war(A=duty("e2", "crushed", start="m2"), B="a1"), "A") == ("m2",)
    assert retreats(war(A=duty("e2", "crushed"), B="a1"), "A") == ("m2", "e1", "e3")
    blocked = war(A=duty("e2", "crushed", start="m2"), B="m2", C="e1")
    assert retreats(blocked, "A") == ("e3",)


def test_an_army_that_must_leave_makes_any_legal_move() -> None:
    state = war(A=duty("e2", "leave", start="m1"), B="m2")
    allowed = moves(state, "A")
    assert not allowed.stay
    assert list(allowed.ways) == ["m2", "e1", "e3", "m1", "m3"]
    assert way_refusal(state, "A", ()) == "move.must_go"


@pytest.mark.parametrize("kind", ["beaten", "crushed", "leave"])
def test_neither_refusal_nor_absence_stops_a_duty(kind) -> None:
    state = war(A=duty("e2", kind, may_move=False), B="a1").changed("A", absent=True)
    assert "m2" in moves(state, "A").ways


def test_nowhere_to_go_is_the_end_of_an_army_under_a_duty() -> None:
    state = war(A=duty("h1", "leave"), B="h2", C="h2")
    assert moves(state, "A").doomed


def test_a_retreat_is_a_move() -> None:
    state = war(A=duty("e2", "beaten", start="e1"), B="a1").moved("A", "m2")
    assert state.army("A").duty is None
    assert state.army("A").start == "e2"


# Battles (AT-7.5, AT-8.11) ------------------------------------------------------------------------


def test_two_armies_together_fight_and_the_last_to_enter_attacks() -> None:
    state = war(A="m2", B="a1", C="e1").moved("C", "e2").moved("A", "e2")
    assert battles_due(state) == (("e2", "A", "C"),)
    assert battles_due(war(A="m2", B="a1")) == ()


def test_battles_come_in_the_board_s_order() -> None:
    state = war(A="m1", B="m2", C="e1")
    assert battles_due(state.moved("B", "m1")) == (("m1", "B", "A"),)


def test_an_agreement_of_the_two_that_covers_the_place_prevents_it() -> None:
    state = war(A="m2", B="a1", C="e1").moved("A", "e2").moved("C", "e2")
    assert battles_due(agreed(state, "passage", "C", "A", "e2")) == ()
    assert battles_due(agreed(state, "stationing", "A", "C", "e2")) == ()
    assert len(battles_due(agreed(state, "stationing", "C", "A", "e1"))) == 1
    assert len(battles_due(agreed(state, "stationing", "C", "B", "e2"))) == 1


# The order of movement (AT-7.2) -------------------------------------------------------------------


def play(queue, lowerings=()):
    """Who moves in which order; lowerings: (seat, to) taken when that seat's turn comes first."""
    wishes, order = list(lowerings), []
    while queue:
        mover = next_mover(queue)
        if wishes and wishes[0][0] == mover.seat:
            queue = lower(queue, *wishes.pop(0))
            continue
        order.append(mover.seat)
        queue = tuple([m for m in queue if m != mover])
    return "".join(order)


QUEUE = (Mover("A", 95), Mover("B", 120), Mover("C", 90))


def test_armies_move_in_decreasing_order() -> None:
    assert play(QUEUE) == "BAC"


def test_a_lowered_number_acts_after_its_own_holder() -> None:
    assert play(QUEUE, [("B", 95)]) == "ABC"
    assert play(QUEUE, [("B", 90)]) == "ACB"
    assert play(QUEUE, [("B", 91)]) == "ABC"


def test_several_at_one_number_act_as_they_lowered() -> None:
    assert play(QUEUE, [("B", 90), ("A", 90)]) == "CBA"
    assert play(QUEUE, [("B", 92), ("A", 90), ("B", 90)]) == "CAB"


def test_a_number_can_only_be_lowered() -> None:
    for number in (95, 96):
        with pytest.raises(NotAllowed, match=r"move\.lower"):
            lower(QUEUE, "A", number)


# The same by brute force --------------------------------------------------------------------------


def places_by_the_book(state, seat):
    """Where an ordinary move can end, and by which ways, read off AT-7.3 to AT-7.5."""
    here = state.army(seat).place
    touching = {place.id: place.neighbours for place in state.board.places}

    def others(place):
        return [
            s for s in state.seats.values()
            if s.code != seat and s.army is not None and s.army.place == place
        ]  # fmt: skip

    def own(place):
        owner = state.lands[place].owner
        opened = state.options.passage == "through" and any(
            a.kind in ("passage", "stationing") and a.grantor == owner
            and a.beneficiary == seat and place in a.territories
            for a in state.agreements
        )  # fmt: skip
        return owner == seat or (owner is not None and opened)

    ways = [(a,) for a in touching[here]]
    ways += [(a, b) for a in touching[here] for b in touching[a] if own(a) and own(b)]
    return [way for way in ways if way[-1] != here and all(len(others(place)) < 2 for place in way)]


def settled(state, seat, place):
    """Whether nobody without an agreement, and fewer than two armies, are met there."""
    met = [
        s.code for s in state.seats.values()
        if s.code != seat and s.army is not None and s.army.place == place
    ]  # fmt: skip

    def friends(code):
        return any(
            a.kind in ("passage", "stationing") and place in a.territories
            and {a.grantor, a.beneficiary} == {seat, code}
            for a in state.agreements
        )  # fmt: skip

    return len(met) < 2 and all(map(friends, met))


def retreats_by_the_book(state, seat):
    force = state.army(seat)
    start = force.start
    owner = state.owner(start) if start else None
    foreign = owner not in (None, seat) and not any(
        a.kind in ("passage", "stationing") and start in a.territories
        and (a.grantor, a.beneficiary) == (owner, seat)
        for a in state.agreements
    )  # fmt: skip
    closed = foreign if state.options.refuge == "held" else force.start_closed
    home = [start] if start and not closed and settled(state, seat, start) else []
    beside = [
        place for place in state.board.by_id[force.place].neighbours if settled(state, seat, place)
    ]
    if force.duty.kind == "crushed":
        return home or beside
    return home + [p for p in beside if state.lands[p].owner == seat and p not in home]


@given(wars())
def test_moves_are_the_book_s(state) -> None:
    for seat in SEATS:
        holder = state.seats[seat]
        if holder.army is None:
            continue
        allowed = moves(state, seat)
        duty = holder.army.duty
        if duty is not None and duty.kind != "leave":
            assert sorted(allowed.ways) == sorted(retreats_by_the_book(state, seat))
        elif duty is None and (holder.absent or not holder.army.may_move):
            assert allowed.ways == {}
        else:
            ways = places_by_the_book(state, seat)
            assert set(allowed.ways) == {way[-1] for way in ways}
            for place, way in allowed.ways.items():
                assert len(way) == min(len(w) for w in ways if w[-1] == place)
            assert all(is_legal_way(state, seat, way) for way in ways)
        assert allowed.duty is (duty is not None)
        assert allowed.stay or allowed.ways or allowed.doomed


@given(wars(), st.data())
def test_no_other_way_is_legal(state, data) -> None:
    for seat in SEATS:
        holder = state.seats[seat]
        if holder.army is None or holder.army.duty is not None:
            continue
        way = tuple(data.draw(st.lists(st.sampled_from(state.board.ids), min_size=1, max_size=3)))
        free = not holder.absent and holder.army.may_move
        expected = free and way in places_by_the_book(state, seat)
        assert is_legal_way(state, seat, way) is expected


@given(wars())
def test_every_listed_way_can_be_gone_and_leaves_at_most_two_armies(state) -> None:
    for seat in SEATS:
        for place, way in moves(state, seat).ways.items():
            assert is_legal_way(state, seat, way)
            after = state.moved(seat, way[-1])
            assert after.army(seat).place == place
            assert len(after.armies_at(place)) <= 2
