"""The end of a year: acclamation (MN-F7) and victory (MN-F8)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from polemarque.systems.mare_nostrum.chapters.acclamation import Past, happiness_of, index
from polemarque.systems.mare_nostrum.chapters.turn import (
    Score,
    points,
    ranking,
    standings,
    sudden_winner,
)
from polemarque.systems.mare_nostrum.pieces import Army, Year
from tests.systems.mare_nostrum.realms import owning, realm, rich, specialist
from tests.systems.mare_nostrum.stage import Stage

PHASE = ("MN-F7/phase",)


# The index ---------------------------------------------------------------------------------------


def indexed(**past):
    return index(Past(**past)).total


def test_the_index_of_a_quiet_year_is_100():
    assert indexed() == 100


def test_what_is_worth_what():
    assert indexed(profit=149) == 104
    assert indexed(profit=-500) == 100
    assert indexed(victories=2, provinces=1, routes=3) == 100 + 30 + 10 + 30
    assert indexed(campaigns=3, long_campaigns=1) == 100 - 10 - 10 - 15
    assert indexed(omens=-10, regime=5) == 95


def test_improvements_each_once_or_each_further():
    assert indexed(improvements={"school": 3, "theatre": 2, "arena": 2}) == 100 + 15 + 10 + 20
    assert indexed(improvements={"philosophy_school": 4}) == 105
    assert indexed(improvements={"temple": 3}) == 110
    assert indexed(improvements={"temple": 1}, protector=True) == 115
    assert indexed(improvements={"arsenal": 2, "fortress": 3, "sanitary_works": 1}) == 115


def test_a_realm_is_read_from_the_campaign():
    state = rich(realm(), A=170).changed("A", year=Year(50, victories=1, routes=2, omens=-5))
    state = state.land_changed("alba", improvements=("temple:war", "temple:sea", "school"))
    state = state.with_army(Army("A8", "A", "roman", "alba", "dax", away=8))  # two years, not more
    state = state.army_changed("A1", place="dax", away=9)
    # profit 120: +4; victory +15; routes +20; temple +5, protector +15, school +5; -10 -15; -5
    assert happiness_of(state, "A").total == 100 + 4 + 15 + 20 + 5 + 15 + 5 - 10 - 15 - 5


# The people --------------------------------------------------------------------------------------


def unhappy(campaign, seat="A", points=-40):
    year = campaign.seats[seat].year
    return campaign.changed(seat, year=Year(year.treasury, omens=points - 10))  # arsenal, fortress


def test_above_75_nothing_is_asked_or_rolled():
    stage = Stage(unhappy(realm(), points=-24), PHASE)
    assert stage.over
    assert stage.campaign.seats["A"].happiness == 76


def test_at_75_the_people_are_asked_and_a_roll_of_the_index_is_quiet():
    stage = Stage(unhappy(realm(), points=-25), PHASE, dice=(75,)).silent()
    assert {"seat": "A", "index": 75} in stage.told("MN-F7", "quiet")
    assert stage.over
    assert stage.campaign.seats["A"].treasury == 50


def test_above_the_index_the_government_falls():
    state = specialist(unhappy(rich(realm(), A=51)), "A", "priest", god="war", joins="A1")
    stage = Stage(state, PHASE, dice=(61,)).silent()
    after = stage.campaign
    assert after.seats["A"].treasury == 26
    assert "A1" not in after.armies
    assert after.specialists["AS6"].place == "alba"
    assert after.seats["A"].year == Year(26)


def test_only_the_garrison_of_the_capital_disbands():
    state = unhappy(realm()).army_changed("A1", place="dax")
    assert "A1" in Stage(state, PHASE, dice=(61,)).silent().campaign.armies


def test_of_several_armies_in_the_capital_the_oldest_disbands():
    state = unhappy(realm("A")).army_changed("A1", place="dax")
    for number in ("A10", "A2"):
        state = state.with_army(Army(number, "A", "roman", "alba", "alba"))
    after = Stage(state, PHASE, dice=(61,)).silent().campaign
    assert set(after.armies) == {"A1", "A10"}


def test_festivities_can_be_bought_once_the_index_is_known():
    state = unhappy(owning(rich(realm(), A=46), "A", "dax"))
    stage = Stage(state, PHASE, dice=(83,))
    assert stage.refused("A", festivity=9).code == "answer.amount"
    stage.say("A", festivity=8, feast="yes")
    assert stage.event("MN-F7", "celebrates").data["index"] == 60 + 8 + 15
    assert stage.campaign.seats["A"].treasury == 0
    assert not stage.told("MN-F7", "falls")


def test_a_new_year_begins_for_everybody():
    stage = Stage(rich(realm(), B=77), PHASE)
    assert stage.campaign.seats["B"].year == Year(77)


# Victory -----------------------------------------------------------------------------------------


def ended(campaign):
    return Stage(campaign, ("MN-F8",)).campaign


def test_the_last_one_wins_at_once():
    state = ended(realm("ABC").changed("B", eliminated=1).changed("C", eliminated=1))
    assert (state.over, state.winners) == (True, ("A",))


def test_the_greatest_treasury_wins_at_the_end_of_the_second_year():
    state = rich(realm("ABC", turn=8), A=100, B=60, C=40)
    assert ended(state).winners == ("A",)
    assert not ended(rich(realm("ABC", turn=7), A=100, B=0, C=0)).over
    assert not ended(rich(realm("ABC", turn=4), A=100, B=60, C=40)).over
    assert ended(rich(realm("ABC", turn=4, sudden_win="any_year"), A=100, B=1, C=1)).over


def test_two_who_qualify_both_miss():
    assert not ended(rich(realm(turn=8), A=60, B=60)).over
    assert sudden_winner({"A": 50, "B": 50, "C": 0}) == ""


@given(st.dictionaries(st.sampled_from("ABCDEFGH"), st.integers(0, 999), min_size=2))
def test_a_sudden_winner_has_at_least_all_the_others_together(treasuries):
    winner = sudden_winner(treasuries)
    if winner:
        assert treasuries[winner] >= sum(treasuries.values()) - treasuries[winner]


def test_points_of_the_last_year():
    assert points(Score(4, 2, 3, 90), (50, 20)).total == 4 + 2 + 3 + 10
    assert points(Score(0, 0, 0, 50), (90, 20)).total == 5
    assert points(Score(0, 0, 0, 20), (90, 50)).total == 0


def test_ties_of_treasuries():
    assert points(Score(0, 0, 0, 90), (90, 20)).total == 10
    assert points(Score(0, 0, 0, 20), (90, 90)).total == 0  # tied first: nobody has the 5
    assert points(Score(0, 0, 0, 50), (90, 50)).total == 5


def test_tied_points_go_by_provinces_then_treasury_then_are_shared():
    one, two = Score(3, 1, 0, 20), Score(2, 2, 0, 20)
    assert ranking({"A": two, "B": one}) == (("B",), ("A",))
    assert ranking({"A": one, "B": one}) == (("A", "B"),)
    poor, rich_one = Score(7, 0, 0, 10), Score(2, 0, 0, 90)  # 7 + 5 and 2 + 10
    assert ranking({"A": rich_one, "B": poor}) == (("B",), ("A",))
    treasuries = {"A": 40, "B": 90, "C": 20, "D": 60}  # A and C have no points for theirs
    scores = {seat: Score(1, 1, 0, treasury) for seat, treasury in treasuries.items()}
    assert ranking(scores) == (("B",), ("D",), ("A",), ("C",))


def test_the_last_year_counts():
    state = rich(owning(realm("ABC", turn=40), "B", "dax", "borea", "gaza"), A=55, B=50, C=50)
    after = ended(state)
    assert after.over
    # A has 14 points, B 12 with most provinces, C 8 with as much money as B
    assert after.winners == ("A",)
    assert standings(after) == (("A",), ("B",), ("C",))


def test_the_standings_put_the_eliminated_last():
    state = realm("ABC").changed("A", eliminated=3).changed("C", eliminated=9)
    assert standings(state) == (("B",), ("C",), ("A",))
