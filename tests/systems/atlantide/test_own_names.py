"""What a seat's own questions call things: prices beside what is for sale, and what it has."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from polemarque.kernel.battle_brief import Report
from polemarque.kernel.files.sentence_templates import curved
from polemarque.kernel.files.texts import Catalogue
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.request import UMPIRE, Purse
from polemarque.report.game_words import Words
from polemarque.systems.atlantide import SYSTEM
from polemarque.systems.atlantide.chapters.taxes_and_purchases import _sheet
from polemarque.systems.atlantide.setup.catalogue import Profile
from polemarque.systems.atlantide.setup.lists import END, _worth, sold
from polemarque.systems.atlantide.state import Battle, Guest, War
from polemarque.systems.atlantide.tables import DATA
from polemarque.systems.atlantide.troops import Army
from polemarque.systems.atlantide.views import Families, asked_with, own_names
from tests.systems.atlantide.wars import army, spearmen, war


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
def test_whatever_is_for_sale_tells_its_price(lang: str) -> None:
    words = Words(new_header("atlantide", seats=2), lang)
    peoples = Game(new_header("atlantide", seats=2)).state.lists.peoples
    assert peoples
    for people in peoples.values():
        told = sold(people)
        assert told(END) is None
        for profile in people.units:
            fact = told(profile.key)
            assert fact is not None
            assert words.fact(fact) == price(profile, lang)
            assert words.label("profile", profile.key) == curved(getattr(profile, lang))


def test_who_is_asked_what_to_buy_is_told_what_he_has_and_nobody_else_is() -> None:
    war = Game(new_header("atlantide", seats=2)).state
    for code, loot in (("A", 75), ("B", 410)):
        war = war.with_seat(replace(war.seats[code], loot=loot))
    purse = _sheet(war, "A").purse
    assert purse is not None
    assert purse() == Purse("loot", 75)


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
            _, _, lines = said.partition(":")
            for entry in sample.units:
                assert curved(getattr(people.by_key[entry.profile], lang)) in lines
        for number, sample in enumerate(people.sample, 1):
            fact = _worth(people, f"sample_{number}")
            assert fact is not None
            assert fact.data == {"points": state.lists.points(sample.units)}
    # Two units of one kind are one line: all their figures, and how many units they are.
    palace = told["list.mycenaeans"]["sample_1"]
    assert {"fr": "Lanciers (86, 3 unités)", "en": "Spearmen (86, 3 units)"}[lang] in palace
    armed = state.changed("B", army=Army((), (), "m2"))
    assert not [family for family in called(armed, "B", lang) if family.startswith("list.")]


@pytest.mark.parametrize(
    ("lang", "asked"),
    [
        ("fr", "3 figurines tombent à l'assaut, sur 60 dans l'armée\N{NO-BREAK SPACE}: lesquelles"),
        ("en", "3 figures fall in the assault, of the 60 in the army: which?"),
    ],
)
def test_who_loses_figures_is_told_how_many_and_of_how_many(lang: str, asked: str) -> None:
    state = war(A=army("m2", spearmen(1), spearmen(2), spearmen(3), lead=False))
    data = asked_with(state, "AT-3.2", ("A", 3, "conquest"), lang)
    assert Catalogue.load(DATA).say(lang, "ask.AT-3.2.conquest", **data).startswith(curved(asked))


def test_who_pays_for_a_battle_is_told_what_it_costs() -> None:
    """Two sides of a battle that the book's own table decided, in points (AT-8.11)."""
    report = Report("1-1", 0, facts={"decided": "table", "points": (35, 50)})
    state = war(A=army("m2", spearmen(1), lead=False), B=army("m2", spearmen(1), lead=False))
    state = replace(state, battles=(Battle("m2", "A", "B", report=report),))
    for seat, points in (("A", 35), ("B", 50)):
        data = asked_with(state, "AT-8.7/losses", (0, seat, "loser", False), "en")
        assert data == {"points": points, "army": 20}


@pytest.mark.parametrize("rule", ["AT-1.13", "AT-8.1", "AT-8.5", "AT-8.10/resolver"])
def test_a_question_about_a_battle_says_which(rule: str) -> None:
    state = replace(
        Game(new_header("atlantide", seats=3)).state, battles=(Battle("halia", "A", "B"),)
    )
    told = asked_with(state, rule, (0,), "fr")
    assert told == {"place": "halia", "attacker": "A", "defender": "B"}
    assert asked_with(state, "AT-7.2", (0,), "fr") == {}
