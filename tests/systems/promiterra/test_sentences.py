"""Sentences whose words agree with their figures, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.kernel.errors import Refusal
from polemarque.kernel.events import Event
from polemarque.kernel.game import Game
from polemarque.kernel.system import find_system
from polemarque.odds.consult import consult
from polemarque.odds.wording import catalogue_of, refusal_text
from tests.systems.promiterra.wars import field, game_of, setup, troop

TEXTS = catalogue_of(find_system("promiterra"))
LEAST = {"movement": 2, "range": 1, "attack": 3, "defence": 3, "loyalty": 8, "value": 10}
ONE = {"units": 1, "attack": 1, "defence": 1}


def worth(value: int) -> dict[str, Any]:
    return {"troops": [{"units": 1, "value": value}]}


def merged(units: int) -> dict[str, Any]:
    return {"a": LEAST, "b": LEAST, "units_a": units, "units_b": 0}


@pytest.mark.parametrize(
    ("rule", "inputs", "fr", "en"),
    [
        ("PR-1.7", worth(0), "vaut 0 pièce d’or.", "worth 0 pieces of gold."),
        ("PR-1.7", worth(1), "vaut 1 pièce d’or.", "worth 1 piece of gold."),
        ("PR-1.7", worth(2), "vaut 2 pièces d’or.", "worth 2 pieces of gold."),
        ("PR-7.8", merged(0), "Aucune unité\u202f; mouvement", "No unit; movement"),
        ("PR-7.8", merged(1), "Une unité\u202f; mouvement", "One unit; movement"),
        ("PR-7.8", merged(2), "2 unités\u202f; mouvement", "2 units; movement"),
        ("BC-2.8", {"engaged": 0}, "0 PM engagé inflige", "0 PM engaged inflict "),
        ("BC-2.8", {"engaged": 1}, "1 PM engagé inflige", "1 PM engaged inflicts"),
        ("BC-2.8", {"engaged": 20}, "20 PM engagés infligent", "20 PM engaged inflict "),
        ("BC-2.3", {"gap": 7}, "le vainqueur 5, avant", "the winner 5, before"),
        ("BC-2.3", {"gap": 2}, "le vainqueur de 0 à 5,", "the winner 0 to 5,"),
        ("BC-2.3", {"gap": 0}, "Chacun perd 10 PM,", "Each side loses 10 PM,"),
    ],
)
def test_words_agree_with_figures(rule: str, inputs: Any, fr: str, en: str) -> None:
    assert fr in consult(rule, inputs, lang="fr").text
    assert en in consult(rule, inputs, lang="en").text


def test_an_attack_without_riposte_does_not_tell_one() -> None:
    given = {"attacker": ONE, "defender": ONE}
    fr = "Aucune touche, la cible perd zéro unité. "
    mute = {**given, "riposte": False}
    assert consult("PR-5.3", mute, [6], lang="fr").text == f"{fr}Pas de riposte."
    assert consult("PR-5.3", mute, [6], lang="en").text.endswith("no unit. No riposte.")
    told = consult("PR-5.3", given, [6, 6], lang="fr").text
    assert told == f"{fr}Riposte\u00a0: aucune touche, l’attaquant perd zéro unité."


@pytest.mark.parametrize(
    ("rule", "inputs", "fr", "en"),
    [
        ("PR-7.9", {"start": 5, "units": 1, "part": 1}, "avoir 1 unité.", "have 1 unit."),
        ("PR-7.9", {"start": 5, "units": 1, "part": 0}, "avoir 0 unité.", "have 0 units."),
        (
            "PR-7.9", {"start": 5, "units": 3, "part": 3},
            "avoir 3 unités, mais 1-2.", "have 3 units, but 1-2.",
        ),
        (
            "PR-6.3", {"hits": 1, "saved": 2},
            "2 dés réussis, c’est trop\u00a0: contre 1 touche on lance 1 dé.",
            "2 dice cannot succeed: against 1 hit 1 die is rolled.",
        ),
    ],
)  # fmt: skip
def test_refusals_agree_with_figures(rule: str, inputs: Any, fr: str, en: str) -> None:
    with pytest.raises(Refusal) as refused:
        consult(rule, inputs)
    assert refusal_text(TEXTS, "fr", refused.value).endswith(fr)
    assert refusal_text(TEXTS, "en", refused.value).endswith(en)


def test_the_chronicle_counts_the_lost() -> None:
    texts = TEXTS.naming({"seat": {"A": "les Rouges"}, "troop": {"A1": "les archers"}})
    ends = dict.fromkeys(
        ("horrible_death", "glorious_death", "permanent_wound", "serious_wound", "light_wound"), 0
    )

    def report(lang: str, dispersed: int, lost: int) -> str:
        told = texts.say(lang, "PR-8.1.report", seat="A", units=0, dispersed=dispersed, lost=lost)
        return told.partition(", ")[2]

    def conditions(lang: str, lost: int) -> str:
        told = texts.say(
            lang, "PR-8.4.conditions", troop="A1", lost=lost, back_at_once=lost, **ends
        )
        return told.partition("archers")[0]

    assert report("fr", 0, 0) == "aucune en fuite, aucune perdue."
    assert report("fr", 1, 1) == "une en fuite, une perdue."
    assert report("fr", 2, 3) == "2 en fuite, 3 perdues."
    assert report("en", 0, 1) == "none fled, one lost."
    assert conditions("fr", 1) == "De l’unité perdue par les "
    assert conditions("fr", 2) == "Des 2 unités perdues par les "
    assert conditions("en", 1) == "Of the unit lost by les "


def test_a_war_action_shows_what_it_takes_with_a_minus_sign() -> None:
    from polemarque.systems.promiterra.setup.catalogue import WarAction
    from polemarque.systems.promiterra.stats import Change
    from polemarque.systems.promiterra.views import with_effect

    fury = WarAction("fury", "furie", "fury", Change(attack=2, defence=-1))
    assert with_effect(fury, "fr") == "furie (attaque +2, défense −1)"
    assert with_effect(fury, "en") == "fury (attack +2, defence −1)"


@pytest.mark.parametrize(("given", "missing"), [("start", "units"), ("army_value", "enemy_value")])
def test_half_a_comparison_is_refused_by_the_name_of_the_other_half(
    given: str, missing: str
) -> None:
    with pytest.raises(Refusal) as refused:
        consult("PR-4.2", {given: 20})
    assert f"Il manque {missing}. Seul, {given} ne" in refusal_text(TEXTS, "fr", refused.value)
    assert f"Missing: {missing}. {given} alone" in refusal_text(TEXTS, "en", refused.value)


@pytest.mark.parametrize(
    ("sides", "named", "called"),
    [
        (("us", "them", "us"), {}, ["le camp de l'armée", "l'armée"]),
        (("us", "", ""), {"us": {"fr": "l'Entente"}}, ["l'Entente", "l'armée", "l'armée"]),
    ],
)
def test_an_alliance_of_several_is_not_named_like_one_of_its_armies(
    sides: tuple[str, ...], named: Any, called: list[str]
) -> None:
    places = {"A": "a1", "B": "b3", "C": "h8"}
    given = setup(
        *[[troop("light", 5, seat, cell)] for seat, cell in places.items()], board=field()
    )
    codes = {seat: side or seat for seat, side in zip(places, sides, strict=True)}
    for army, side in zip(given["armies"], codes.values(), strict=True):
        army["alliance"] = side
    told: list[Event] = []
    game = Game(game_of({**given, "alliances": named}).header, publish=told.append)
    assert list(game.state.alliances) == list(dict.fromkeys(codes.values()))
    assert [each["fr"] for each in game.state.alliances.values()] == called
    allied = [event.data["allied"] for event in told if event.kind == "army"]
    assert allied == [sides.count(side) > 1 or side in named for side in codes.values()]
