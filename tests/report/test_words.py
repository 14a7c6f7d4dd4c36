"""The words of a game: shared ones, a door's own, and those of its system."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.files.plugins import entry_points
from polemarque.kernel.files.texts import MissingText
from polemarque.kernel.game import Game, new_header
from polemarque.kernel.records.record import Answer
from polemarque.kernel.request import Amount
from polemarque.kernel.system import GROUP
from polemarque.report.game_words import Words, _terms, refusal_text


@pytest.fixture
def game() -> Game:
    game = Game(new_header("mare_nostrum", seed=1))
    game.settle()
    return game


def test_a_door_brings_its_own_words(game: Game, tmp_path: Path) -> None:
    for lang, said in (("fr", "Entrez"), ("en", "Come in")):
        (tmp_path / f"texts.{lang}.toml").write_text(f'door = "{said}"\n', encoding="utf-8")
    assert Words(game.header, "fr", (tmp_path,)).say("door") == "Entrez"
    assert Words(game.header, "fr").say("ask.stay") == "rester"
    with pytest.raises(MissingText):
        Words(game.header, "fr").say("door")


def test_a_part_says_what_it_is_about(game: Game) -> None:
    words = Words(game.header, "fr")
    words.turn_to(game, next(iter(game.requests()[0].keys.values())))
    seat = game.header.seats[1]
    name = words.label("seat", seat)
    assert name != seat
    assert words.whose("aim", seat) == name
    assert words.whose("aim", "…") == ""
    assert name in words.part(f"price.{seat}")
    assert "…" in words.part("price.…")


def test_terms_of_a_text_are_found_in_any_number_and_explained(game: Game) -> None:
    words = Words(game.header, "fr")
    known = dict(
        words.terms("Vos AMBASSADEURS, des droits de passage ; la cité offre son allégeance.")
    )
    assert {*known} == {"ambassadeur", "allégeance", "droit de passage"}
    assert known["droit de passage"] == words.rule_text("MN-4.4")
    assert known["allégeance"].startswith("La cité libre")
    assert not words.terms("Le passage est long, et la fêteuse chante.")
    english = dict(Words(game.header, "en").terms("Two embassies."))
    assert english == {"embassies": Words(game.header, "en").rule_text("MN-F6")}


@pytest.mark.parametrize("system", sorted(entry_points(GROUP)))
def test_every_term_of_a_system_is_explained(system: str) -> None:
    for lang in ("fr", "en"):
        words = Words(new_header(system, seed=1), lang)
        names = [each for _, all_ in _terms(system, lang) for each in all_]
        assert names and len(names) == len(set(names))
        for name in names:
            assert all(told for _, told in words.terms(name)), name


def test_a_refusal_of_any_system_has_its_words() -> None:
    refusal = NotAllowed("loot.overspent", rule="AT-5.5", part=9, legal=("4",))
    assert "AT-5.5" in refusal_text(refusal, "fr")
    assert refusal_text(refusal, "en") != refusal_text(refusal, "fr")


def at_battle(resolver: str) -> Game:
    """A campaign in which the armies of A and B have met, and are to fight by that resolver."""
    setup = {"players": {"A": {"home": "latium"}, "B": {"home": "campania"}}}
    game = Game(new_header("mare_nostrum", setup=setup, options={"resolver": resolver}, seed=1))
    game.settle()
    while not (asked := game.requests()[0]).keys[asked.seats[0]].path:
        for seat in asked.missing:
            given = asked.absent(seat)
            if asked.rule == "MN-2.7" and seat == "A":
                given = {**given, "move.A1": "campania"}
            game.enter(Answer(asked.keys[seat], given))
        game.settle()
    return game


def test_a_battles_pieces_go_over_pieces_of_the_campaign_with_their_ids() -> None:
    game = at_battle("promiterra")
    asked = game.requests()[0]
    for lang, swords in (("fr", "la ligne d’épées"), ("en", "the line of swordsmen")):
        words = Words(game.header, lang)
        words.turn_to(game, next(iter(asked.keys.values())))
        assert swords in words.part("place.A3")
        assert "A1" not in words.part("place.A1")


def test_a_return_sheet_calls_units_as_the_campaign_does() -> None:
    game = at_battle("tabletop")
    asked = game.requests()[0]
    for lang, swords in (
        ("fr", "infanterie lourde à l’épée"),
        ("en", "heavy swordsmen"),
    ):
        words = Words(game.header, lang, people={"seat": {"A": "Bob"}})
        words.turn_to(game, next(iter(asked.keys.values())))
        assert words.part("killed.A.blades").endswith(f"{swords} (Bob)")


@pytest.mark.parametrize(
    ("lang", "one", "stepped"),
    [
        ("fr", "de \u221220 à 20.", "de 0 à 100, de 10 en 10."),
        ("en", "from \u221220 to 20.", "from 0 to 100, in steps of 10."),
    ],
)
def test_a_number_out_of_bounds_is_told_the_bounds(lang: str, one: str, stepped: str) -> None:
    for options, value, told in ((Amount(-20, 20), -25, one), (Amount(0, 100, 10), 75, stepped)):
        with pytest.raises(NotAllowed) as refused:
            options.take(value)
        assert refusal_text(refused.value, lang).endswith(told)
        assert refusal_text(refused.value, lang).startswith(str(value).replace("-", "\u2212"))
        with pytest.raises(NotUnderstood) as unread:
            options.take("many")
        assert refusal_text(unread.value, lang).endswith(told)


def test_a_list_of_at_most_one_speaks_of_no_others() -> None:
    words = Words(new_header("thucidide", seed=1), "fr")
    assert words.say("ask.several", least=1, most=1) == "Un seul."
