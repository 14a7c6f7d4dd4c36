"""What a question calls pieces, places and purchases, and which army it is about."""

from __future__ import annotations

import pytest

from polemarque.systems.mare_nostrum.names import asked_with, names, own_names
from polemarque.systems.mare_nostrum.state import Campaign
from tests.systems.mare_nostrum.realms import caravan, realm


def said(campaign: Campaign, seat: str, family: str) -> dict[str, str]:
    return dict(own_names(campaign, seat, "en", names(campaign, "en"))[family])


def test_MN_5_1_orders_tell_what_an_army_meets() -> None:
    campaign = realm()
    places = names(campaign, "en")["place"]
    free = next(place for place in campaign.lands if campaign.owner(place) is None)
    goals = said(campaign, "A", "order")
    assert goals[free].startswith(f"{places[free]} (independent, resistance ")
    assert goals["faro"].startswith(f"{places['faro']} (") and "independent" not in goals["faro"]


def test_MN_F3_a_caravan_is_told_by_its_goods() -> None:
    campaign = caravan(realm(), "A", "alba", good="wine")
    assert "wine" in said(campaign, "A", "member")["AC9"]


@pytest.mark.parametrize("rule", ["MN-2.6", "MN-F5/phase"])
def test_MN_F4_purchases_are_asked_with_the_treasury_of_who_buys(rule: str) -> None:
    campaign = realm()
    rich = campaign.earning("A", 27)
    assert "77 PO" in said(rich, "A", "ask")[rule]
    assert "77" not in said(rich, "B", "ask")[rule]
    assert "umpire" not in rich.seats and said(rich, "umpire", "ask") == {}


def test_MN_2_6_the_number_of_a_purchase_is_asked_with_its_price() -> None:
    parts = said(realm(), "A", "part")
    assert "50 PO" in parts["armies"]
    assert "10 PO" in parts["caravans"]


def test_MN_5_3_a_question_names_the_army_and_the_province() -> None:
    campaign = realm()
    about = {"piece": "A1", "place": "alba"}
    assert asked_with(campaign, "MN-5.3", ("A1", "alba", "", 1, ()), "en") == about
    assert asked_with(campaign, "MN-5.2", ("alba", "A1"), "en") == about
    assert asked_with(campaign, "MN-F5/phase", (), "en") == {"piece": "", "place": ""}
