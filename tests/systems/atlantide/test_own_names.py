"""What a seat's own questions call things: prices beside what is for sale, and what it has."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import UMPIRE
from polemarque.kernel.templates import curved
from polemarque.systems.atlantide import SYSTEM
from polemarque.systems.atlantide.catalogue import Profile
from polemarque.systems.atlantide.own_names import Families, own_names
from polemarque.systems.atlantide.records import Battle, Guest
from polemarque.systems.atlantide.state import War
from polemarque.systems.atlantide.troops import Army


def called(war: War, seat: str, lang: str) -> Families:
    assert SYSTEM.names is not None
    return own_names(war, seat, lang, SYSTEM.names(war, lang))


def price(profile: Profile, lang: str) -> str:
    """What its price is said to be, in words of our own."""
    each, chiefs = {
        "fr": (" par figurine", "et {} pour ses chefs"),
        "en": (" a figure", "and {} for its command group"),
    }[lang]
    said = f"{profile.points}{each if profile.size[1] > 1 else ''}"
    return f"{said} {chiefs.format(profile.command)}" if profile.command else said


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_whatever_is_for_sale_is_called_with_its_price(lang: str) -> None:
    war = Game(new_header("atlantide", seats=2)).state
    said = called(war, "A", lang)["for_sale"]
    assert war.lists.peoples
    for people in war.lists.peoples.values():
        for profile in people.units:
            name = curved(getattr(profile, lang))
            assert said[profile.key] == f"{name}, {price(profile, lang)}"
    assert said["end"] == {"fr": "rien de plus", "en": "nothing more"}[lang]


def test_who_is_asked_what_to_buy_is_told_what_he_has_and_nobody_else_is() -> None:
    war = Game(new_header("atlantide", seats=2)).state
    for code, loot in (("A", 75), ("B", 410)):
        war = war.with_seat(replace(war.seats[code], loot=loot))
    assert called(war, "A", "en")["ask"]["AT-5.2"].startswith("You have 75 loot:")
    assert "410" not in str(called(war, "A", "en"))
    assert not called(war, UMPIRE, "en")["ask"]


@pytest.mark.parametrize("seat", ["A", "B", UMPIRE])
def test_mercenaries_of_a_battle_are_called_by_name_on_its_return_sheet(seat: str) -> None:
    war = Game(new_header("atlantide", seats=3)).state
    battle = Battle("halia", "A", "B", guests=(Guest("B", "atlantean_mercenaries"),))
    said = called(replace(war, battles=(battle,)), seat, "en")["member"]
    assert said["B.guest_1"].startswith("Atlantean") and "(no. 1)" in said["B.guest_1"]
    assert "B.guest_1" not in called(replace(war, battles=(battle,)), "C", "en")["member"]


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_who_has_no_army_is_told_what_is_in_each_list_ready_to_play(lang: str) -> None:
    state = Game(new_header("atlantide", seats=2)).state
    told = called(state, "B", lang)
    for people in state.lists.people:
        lists = told[f"list.{people.key}"]
        assert list(lists) == [*[f"sample_{n + 1}" for n in range(len(people.sample))], "own"]
        for sample, said in zip(people.sample, lists.values(), strict=False):
            assert said.startswith(curved(getattr(sample, lang)))
            head, _, lines = said.partition(":")
            assert str(state.lists.points(sample.units)) in head
            for entry in sample.units:
                assert curved(getattr(people.by_key[entry.profile], lang)) in lines
    # Two units of one kind are one line: all their figures, and how many units they are.
    palace = told["list.mycenaeans"]["sample_1"]
    assert {"fr": "Lanciers (86, 3 unités)", "en": "Spearmen (86, 3 units)"}[lang] in palace
    armed = state.changed("B", army=Army((), (), "m2"))
    assert not [family for family in called(armed, "B", lang) if family.startswith("list.")]
