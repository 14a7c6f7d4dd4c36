"""Promiterra shows what is decided about: the figures of troops, and the skills of leaders."""

from __future__ import annotations

import re

import pytest

from polemarque.bots.play import play_game
from polemarque.kernel.game import Game, new_header
from polemarque.report.game_words import Words
from polemarque.report.labels import Names, names_of
from polemarque.report.pictures import board_seen, board_told

GUARD = {
    "en": "special, 12 of 12 units, movement 2, range 1, attack 4, defence 3, loyalty 10, value 22,"
    " ability: loyalty +1, no riposte to its melee attacks, led by Arété (skill in a duel 0)",
    "fr": "spéciale, 12 unités sur 12, mouvement 2, portée 1, attaque 4, défense 3, loyauté 10,"
    " valeur 22, habileté\N{NO-BREAK SPACE}: loyauté +1, pas de riposte à ses attaques de"
    " corps-à-corps, sous Arété (talent au duel 0)",
}
MASTERED = {
    "en": "led by Théandre (skill in a duel 2, adds loyalty +1)",
    "fr": "sous Théandre (talent au duel 2, apporte loyauté +1)",
}


def called(game: Game, lang: str) -> Names:
    return names_of(game.system, game.state, lang)


def asked(game: Game, lang: str, rule: str) -> str:
    """The question that is open, as it is put."""
    (request,) = game.requests()
    assert request.rule == rule
    words = Words(game.header, lang)
    key = request.keys[request.missing[0]]
    words.turn_to(game, key)
    return words.question(key)


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_one_deploys_with_all_figures_before_ones_eyes(lang: str) -> None:
    game = Game(new_header("promiterra", scenario="skirmish", seed=2))
    game.settle()
    seat = game.requests()[0].missing[0]
    said = asked(game, lang, "PR-2.4/deploy")
    told = board_told("promiterra", game.view(seat), lang, called(game, lang))
    assert told is not None
    for text in (said, told.rest):
        assert GUARD[lang] in text
        assert MASTERED[lang] in text


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_board_shows_the_figures_as_they_count_now(lang: str) -> None:
    game = Game(new_header("promiterra", scenario="skirmish", seed=2))
    play_game(game, {"A": "steady", "B": "steady"}, stop=lambda now: now.state.round > 0)
    view = game.view("A")
    names = called(game, lang)
    told = board_told("promiterra", view, lang, names)
    seen = board_seen("promiterra", view, lang, names)
    assert told is not None
    assert seen is not None
    for text in (told.rest, " ".join(seen.labels.values())):
        assert GUARD[lang] in text
        assert MASTERED[lang] in text


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_challenge_names_both_skills(lang: str) -> None:
    for seed in range(40):
        game = Game(new_header("promiterra", scenario="siege", seed=seed))
        play_game(
            game, {"A": "steady", "B": "steady"},
            stop=lambda now: any(r.rule == "PR-7.6/challenge" for r in now.requests()),
        )  # fmt: skip
        if not game.over:
            break
    (request,) = game.requests()
    war = game.state
    ours = war.troops[next(iter(request.keys.values())).subject]
    (order,) = [one for one in war.orders if one.act == "duel" and one.target == ours.id]
    said = asked(game, lang, "PR-7.6/challenge")
    for troop in (ours, war.troops[order.troop]):
        person = war.persons[troop.leader]
        assert re.search(rf"{person.name}\s?: {person.skill}\b", said)
