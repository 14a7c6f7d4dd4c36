"""The end: who is out, who has won, who returns (AT-1.10, AT-1.11, AT-1.12, AT-1.14, AT-1.16)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from polemarque.kernel.errors import NotAllowed
from polemarque.kernel.request import UMPIRE
from polemarque.systems.atlantide import standing
from polemarque.systems.atlantide.adjust import adjust
from polemarque.systems.atlantide.state import Waiting
from polemarque.systems.atlantide.troops import army_points
from tests.systems.atlantide.field import Field
from tests.systems.atlantide.table import Table
from tests.systems.atlantide.wars import agreed, army, chosen, general, owned, spearmen, war


def ended(state, dice=()):
    return Table(state, ("AT-1.10",), dice=dice)


def last(**armies):
    return chosen(war(**armies), turn_limit=1)


def test_AT_1_10_a_turn_ends_and_another_begins():
    table = ended(war(A="m2", B="a2"), dice=(3, 4, 3, 4))
    assert table.war.turn == 2 and not table.war.over
    assert table.told("AT-2.1", "turn") == [{"turn": 2}]


def test_AT_1_10_the_turn_limit():
    state = chosen(war(A="m2", B="a2"), turn_limit=1)
    table = ended(owned(state, "A", "e1"))
    assert table.over and table.war.over and table.war.winners == ("A",)
    assert table.told("AT-1.10", "turn_limit") and standing(table.war).over


def test_AT_1_10_one_player_holds_everything():
    state = war(A="m2", B="a2")
    table = ended(owned(state, "A", *state.board.ids))
    assert table.war.winners == ("A",) and table.told("AT-1.10", "all_land")


def test_AT_1_10_one_player_alone_is_still_in():
    state = owned(war(A="m2", B=None), None, "a1", "a2", "a3")
    table = ended(state)
    assert table.told("AT-1.12", "eliminated") == [{"seat": "B"}]
    assert table.war.winners == ("A",) and table.told("AT-1.10", "alone")


@pytest.mark.parametrize("votes", [("end", "end"), ("end", "continue")])
def test_AT_1_10_a_vote_must_be_unanimous(votes):
    state = replace(war(A="m2", B="a2"), ending=True)
    state = owned(state, "B", "e1")
    table = ended(state)
    table.left = [3, 4, 3, 4]
    table.say("A", votes[0]).say("B", votes[1])
    assert table.war.over == (votes == ("end", "end"))
    assert table.told("AT-1.10", "vote" if table.war.over else "goes_on")
    assert table.war.over or not table.war.ending


def test_AT_2_4_an_absent_player_keeps_the_campaign_going():
    state = replace(war(A="m2", B="a2"), ending=True).changed("B", absent=True)
    table = ended(state)
    table.left = [3, 4, 3, 4]
    table.say("A", "end")
    assert not table.war.over


# Who has won -------------------------------------------------------------------------------------


def test_AT_1_11_most_territories():
    table = ended(owned(last(A="m2", B="a2"), "B", "e1"))
    assert table.war.winners == ("B",) and table.told("AT-1.11", "won")[0]["by"] == "territories"


def test_AT_1_11_then_the_city_of_atlantis():
    state = owned(owned(last(A="m2", B="a2"), "A", "h1"), "B", "h2")
    assert ended(state).told("AT-1.11", "won")[0] | {"points": 0} == {
        "seat": "A", "by": "atlantis", "territories": 4, "points": 0,
    }  # fmt: skip


def test_AT_1_11_then_loot_and_army_points():
    state = last(A="m2", B="a2").changed("B", loot=251)
    table = ended(state)
    assert table.war.winners == ("B",) and table.told("AT-1.11", "won")[0]["by"] == "points"


def test_AT_10_3_waiting_units_count():
    waiting = Waiting("bought", 1, None, (spearmen(5),))
    assert ended(last(A="m2", B="a2").changed("B", waiting=(waiting,))).war.winners == ("B",)


def test_AT_1_11_then_a_roll_off_equal_dice_again():
    table = ended(last(A="m2", B="a2", C="e2"))
    assert table.request.seats == (UMPIRE,) and table.told("AT-1.11", "tied")
    table.left = [5, 2, 5, 3, 3, 1, 6]
    table.silent()
    assert table.over and table.war.winners == ("C",)
    assert table.told("AT-1.11", "won")[0]["by"] == "roll_off"


def test_AT_1_11_or_a_game_whose_winner_is_entered():
    table = ended(last(A="m2", B="a2")).say(UMPIRE, "B")
    assert table.over and table.war.winners == ("B",)
    assert table.told("AT-1.11", "won")[0]["by"] == "game"


def test_AT_1_11_nobody_left_nobody_wins():
    state = owned(war(A=None, B=None), None, "m1", "m2", "m3", "a1", "a2", "a3")
    table = ended(state)
    assert table.over and table.war.winners == () and table.told("AT-1.11", "nobody")


# Who is out --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lands", "force", "waiting", "out"),
    [
        ((), None, (), True),
        (("a1",), None, (), False),
        ((), army("a2"), (), False),
        ((), None, (Waiting("returned", 2, None, (), (general(),)),), False),
    ],
)
def test_AT_1_14_out_is_who_has_no_land_no_army_and_none_to_come(lands, force, waiting, out):
    state = owned(war(A="m2", B=force, C="e2"), None, "a1", "a2", "a3")
    state = chosen(owned(state, "B", *lands).changed("B", waiting=waiting), turn_limit=1)
    table = Table(state, ("AT-1.10",))
    assert bool(table.war.seats["B"].eliminated) == out


def test_AT_4_5_agreements_lapse_when_a_party_is_out():
    state = owned(war(A="m2", B=None, C="e2"), None, "a1", "a2", "a3")
    state = agreed(agreed(state, "tax", "B", "A", "m1", last_turn=9), "tax", "C", "A", "m1",
                   last_turn=9)  # fmt: skip
    table = ended(state, dice=(3, 4, 3, 4))
    assert [a.grantor for a in table.war.agreements] == ["C"]


# Who returns -------------------------------------------------------------------------------------


def out(**options):
    """B is out since turn 1; Azues is Atlantean again but for a3, which C has."""
    state = owned(chosen(war(A="m2", B=None, C="e2"), **options), None, "a1", "a2")
    state = owned(state, "C", "a3").changed("B", eliminated=1, loot=30)
    return replace(state, turn=3)


def returned(state):
    table = Table(state, ("AT-1.12",)).say("B", {"city": "a1", "list": "sample_1"})
    assert table.over
    return table


def test_AT_1_12_he_comes_back_as_an_atlantean_general():
    table = returned(out())
    seat = table.war.seats["B"]
    assert (seat.eliminated, seat.returned, seat.loot, seat.kingdom) == (0, True, 0, "azues")
    assert table.war.lands_of("B") == ("a1", "a2") and seat.army.place == "a1"
    assert seat.catalogue == "atlanteans" and 1400 < army_points(seat.army) <= 1500
    assert table.told("AT-1.12", "returns")[0]["kingdom"] == "azues"


def test_AT_4_5_agreements_about_the_land_of_his_new_colony_lapse():
    table = returned(agreed(out(), "passage", "A", "C", "a2", "e1", last_turn=9))
    assert [agreement.territories for agreement in table.war.agreements] == [("e1",)]
    assert not table.told("AT-4.5", "lapsed")
    table = returned(agreed(out(), "passage", "A", "C", "a2", last_turn=9))
    assert table.war.agreements == () and table.event("AT-4.5", "lapsed").audience == ("A", "C")


def test_AT_1_12_he_may_wait():
    table = Table(out(), ("AT-1.12",)).silent()
    assert table.over and table.war.seats["B"].eliminated == 1


def test_AT_1_12_once_a_player():
    assert Table(out().changed("B", returned=True), ("AT-1.12",)).over


def test_AT_1_12_variant_none():
    assert Table(out(return_="none"), ("AT-1.12",)).over


@pytest.mark.parametrize("place", ["a1", "h1"])
def test_AT_1_12_the_city_must_be_atlantean_free_of_armies_and_not_atlantis(place):
    state = out()
    busy = state.with_army("A", army("a1"))
    assert Table(busy, ("AT-1.12",)).over
    assert Table(owned(state, "C", "a1"), ("AT-1.12",)).over
    assert Table(state, ("AT-1.12",)).refused("B", {"city": "h1"}).legal == ("wait", "a1")


def test_AT_1_12_the_earliest_first_then_a_d100():
    state = out().changed("A", army=None, eliminated=1)
    state = owned(state, None, "m1", "m2", "m3")
    table = Table(state, ("AT-1.12",), dice=(17, 64))
    assert table.told("AT-1.12", "order") == [{"seats": ("B", "A")}]
    assert table.request.seats == ("B",)
    table.say("B", {"city": "m1", "list": "sample_2"})
    assert table.request.seats == ("A",) and table.refused("A", {"city": "m1"}).legal == (
        "wait",
        "a1",
    )
    earlier = Table(state.changed("A", eliminated=2), ("AT-1.12",))
    assert earlier.request.seats == ("B",) and not earlier.told("AT-1.12", "order")


# Given up ----------------------------------------------------------------------------------------


def test_AT_1_16_a_seat_given_up_leaves_atlantean_land():
    state = agreed(war(A="m2", B="a2").fortified("a1"), "tax", "B", "A", "m1", last_turn=9)
    after = adjust(state, "given_up.B", True)
    assert after.lands_of("B") == () and after.army("B") is None and after.agreements == ()
    assert after.lands["a1"].fortresses == 0 and after.in_play() == ("A",)
    with pytest.raises(NotAllowed) as refusal:
        adjust(after, "given_up.B", True)
    assert refusal.value.rule == "AT-1.16"


@pytest.mark.parametrize("counted", [(), ("A", "B")])
def test_AT_1_16_not_while_battles_are_fought(counted):
    field = Field(war(A="m2", B=army("m2", entered=1), C="e2"), ("AT-8/phase",))
    battles = tuple([replace(each, counted=counted) for each in field.war.battles])
    fighting = replace(field.war, phase="battles", battles=battles)
    with pytest.raises(NotAllowed) as refusal:
        adjust(fighting, "given_up.B", True)
    assert (refusal.value.code, refusal.value.rule) == ("act.battles_first", "AT-1.16")
    assert adjust(fighting, "given_up.C", True).seats["C"].given_up
