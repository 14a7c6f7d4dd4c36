"""What a question calls pieces and places, what purchases cost, and which army it is about."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import polemarque.systems.mare_nostrum
from polemarque.kernel.game import new_header
from polemarque.kernel.request import Amount, Fact
from polemarque.report.game_words import Words
from polemarque.report.order_forms.typed_answers import facts_of_amount
from polemarque.systems.mare_nostrum.chapters.administrative import (
    CHEAPEST_SITE,
    PRICES,
    administrative_sheet,
    brings,
)
from polemarque.systems.mare_nostrum.chapters.diplomacy import diplomacy_sheet
from polemarque.systems.mare_nostrum.chapters.purchases import purchase_sheet
from polemarque.systems.mare_nostrum.state import Campaign
from polemarque.systems.mare_nostrum.tables import FIGURES
from polemarque.systems.mare_nostrum.views import asked_with, names, own_names
from tests.systems.mare_nostrum.realms import at_war, caravan, realm, specialist

DATA = Path(polemarque.systems.mare_nostrum.__file__).parent / "data"


def said(campaign: Campaign, seat: str, family: str) -> dict[str, str]:
    return dict(own_names(campaign, seat, "en", names(campaign, "en"))[family])


def test_MN_5_1_orders_tell_what_an_army_meets() -> None:
    campaign = realm()
    places = names(campaign, "en")["place"]
    free = next(place for place in campaign.lands if campaign.owner(place) is None)
    goals = said(campaign, "A", "order")
    assert goals[free].startswith(f"{places[free]} (free city, resistance ")
    assert goals["faro"].startswith(f"{places['faro']} (") and "free city" not in goals["faro"]


@pytest.mark.parametrize(
    ("lang", "others"),
    [("en", ("upkeep", "independent", "classiques")), ("fr", ("indépendante",))],
)
def test_a_thing_has_one_word_in_the_texts_of_mare_nostrum(
    lang: str, others: tuple[str, ...]
) -> None:
    """MN-F4, MN-5.1: maintenance, free city, phases by the name that the rules call them."""
    texts = tomllib.loads((DATA / f"texts.{lang}.toml").read_text("utf-8"))
    sections = [section for section in texts.values() if isinstance(section, dict)]
    said = [text for section in sections for text in section.values() if isinstance(text, str)]
    assert len(said) > 900
    assert [one for one in said if any(word in one.lower() for word in others)] == []
    phases = {name.lower() for rule, name in texts["phase"].items() if "MN-" in rule}
    assert set(texts["phase_name"].values()) <= phases


@pytest.mark.parametrize(
    ("lang", "unit", "none"),
    [("en", "gp", "you have none"), ("fr", "PO", "vous n’en avez pas")],
)
def test_MN_2_6_a_sheet_without_fleets_tells_what_one_needs(
    lang: str, unit: str, none: str
) -> None:
    yard = realm()
    bare = yard.land_changed("alba", improvements=())
    shut = at_war(yard, "A", "B").army_changed("B1", place="alba")
    rich = yard.earning("A", FIGURES.fleet_price)
    told = [[*purchase_sheet(one, "A").remarks({})] for one in (yard, bare, shut, rich)]
    price = FIGURES.fleet_price
    assert told == [
        [Fact("fleet_dear", {"price": price})],
        [Fact("no_fleet", {"price": price, "barred": []})],
        [Fact("no_fleet", {"price": price, "barred": ["alba"]})],
        [],
    ]
    said = Words(new_header("mare_nostrum"), lang).fact(told[1][0])
    assert f"{price}\u00a0{unit}" in said and none in said


def test_MN_F3_a_caravan_is_told_by_its_goods() -> None:
    campaign = caravan(realm(), "A", "alba", good="wine")
    assert "wine" in said(campaign, "A", "member")["AC9"]


@pytest.mark.parametrize("sheet", [purchase_sheet, administrative_sheet])
def test_MN_F4_purchases_are_asked_with_the_treasury_of_who_buys(sheet: Any) -> None:
    rich = realm().earning("A", 27)
    purses = [sheet(rich, seat).purse() for seat in ("A", "B")]
    assert purses[0].holds == 77 != purses[1].holds


def test_MN_2_6_what_is_bought_tells_its_price() -> None:
    campaign = realm()
    for sheet, part, price in (
        (purchase_sheet, "armies", 50), (administrative_sheet, "caravans", 10)
    ):  # fmt: skip
        first, options = next(sheet(campaign, "A").fill())
        assert first == part
        assert isinstance(options, Amount) and options.fact is not None
        assert options.fact(2) == Fact("price", {"price": 2 * price}, 2 * price)


def test_MN_F4_a_purchase_out_of_the_upkeep_tells_what_it_lacks() -> None:
    campaign = realm().changed("A", treasury=100).army_changed("A1", place="faro")
    due = purchase_sheet(campaign, "A").purse().due
    assert due > 0
    remarks = {n: [*purchase_sheet(campaign, "A").remarks({"armies": n})] for n in (0, 1, 2)}
    later = Fact("later_costs", {**PRICES, "site": CHEAPEST_SITE})
    assert remarks == {0: [], 1: [later], 2: [Fact("upkeep_short", {"money": due}), later]}


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("theatre", "40\u00a0PO\u202f; +5 au bonheur"),
        ("sanitary_works", "40\u00a0PO\u202f; +5 au bonheur, une seule fois"),
        (
            # Nobody rolls for the resistance of a player's province (MN-5.1): a fortress makes
            # a siege necessary there (MN-6.3).
            "fortress",
            (
                "80\u00a0PO\u202f; l’ennemi ne prend la province que par un siège\u202f; "
                "+5 au bonheur, une seule fois"
            ),
        ),
    ],
)
def test_MN_F5_an_improvement_says_what_it_brings(kind: str, said: str) -> None:
    words = Words(new_header("mare_nostrum", scenario="quartet", seed=1), "fr")
    assert words.fact(brings(kind)) == said


def test_MN_F5_a_temple_says_that_its_god_is_asked_next_and_what_the_protectors_brings() -> None:
    words = Words(new_header("mare_nostrum", scenario="quartet", seed=1), "fr")
    asked, each = "vous choisissez ensuite le dieu", "+5 au bonheur, sauf pour votre premier temple"
    for god, own in (("sea", "+15 de plus pour votre protecteur, le dieu de la Mer"), ("", "")):
        said = words.fact(brings("temple", god)).replace("\u202f", " ")
        parts = [part for part in (asked, each, own) if part]
        assert said.partition(" ; ")[2] == " ; ".join(parts)


def test_MN_F6_an_embassy_is_paid_beside_the_upkeep_of_the_turn() -> None:
    campaign = specialist(realm(), "A", "diplomat").army_changed("A1", place="faro")
    account = diplomacy_sheet(campaign, "A").purse()
    assert (account.holds, account.due) == (50, 10)


UNPAID = "l’entretien (10\u00a0PO) n’est plus payé"


@pytest.mark.parametrize(
    ("money", "told"),
    [
        (110, ["50\u00a0PO l’unité"]),
        (
            100,
            [
                "50\u00a0PO l’unité",
                f"2\u00a0: 100\u00a0PO\u202f; au-delà de 1, {UNPAID}",
            ],
        ),
        (
            50,
            [
                "50\u00a0PO l’unité",
                f"1\u00a0: 50\u00a0PO\u202f; {UNPAID}",
            ],
        ),
    ],
)
def test_MN_F4_the_most_that_can_be_bought_tells_how_many_the_upkeep_allows(
    money: int, told: list[str]
) -> None:
    campaign = realm().changed("A", treasury=money).army_changed("A1", place="faro")
    assert purchase_sheet(campaign, "A").purse().due == 10
    words = Words(new_header("mare_nostrum"), "fr")
    _, options = next(purchase_sheet(campaign, "A").fill())
    assert isinstance(options, Amount)
    assert facts_of_amount(options, words) == told


def test_MN_5_3_a_question_names_the_army_and_the_province() -> None:
    campaign = realm()
    about = {"piece": "A1", "place": "alba"}
    assert asked_with(campaign, "MN-5.3", ("A1", "alba", "", 1, ()), "en") == about
    assert asked_with(campaign, "MN-5.2", ("alba", "A1"), "en") == about
    assert asked_with(campaign, "MN-F5/phase", (), "en") == {"piece": "", "place": ""}
