"""What is worked out once and kept for readers is what each would be told anew, at every moment."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from polemarque.bots.play import Chance, answer_of, next_question
from polemarque.club.campaigns import visibility as told_by
from polemarque.club.campaigns.session import LiveCampaign, forget, read_lock, write_lock
from polemarque.club.campaigns.visibility import boards, public_names, story_of
from polemarque.club.models import Campaign
from polemarque.club.people.roles import called
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Answer, Replace
from polemarque.report.chronicle import episode
from polemarque.web.templatetags.polemarque import told
from tests.club.people import campaign
from tests.web.people import browser, said, way

pytestmark = pytest.mark.django_db

SEATS = ("A", "B", "C")

RANDOM = re.compile(r'(name="(?:csrfmiddlewaretoken|once)" value="|nonce=")[^"]*')
"""What no two pages have in common."""


def people(made: Campaign) -> dict[str, Client]:
    """Address -> whose page it is, in both languages."""
    held = {each.seat.code: each.person for seat in made.seats.all() for each in seat.holders.all()}
    found = {
        way("seat", made, seat=seat): browser(held[seat], "en" if seat == "A" else "fr")
        for seat in SEATS
    }
    return {**found, way("desk", made): browser(made.umpires.get().person)}


def pages(readers: dict[str, Client]) -> dict[str, str]:
    shown = {where: said(client.get(where)) for where, client in readers.items()}
    return {where: RANDOM.sub(r"\1", page) for where, page in shown.items()}


def play_on(game: Game, chance: Chance) -> None:
    """Give one answer, as a steady player would."""
    game.settle()
    question = next_question(game.runner, frozenset(SEATS))
    assert question is not None
    game.enter(answer_of(question, "steady", chance))
    game.settle()


def until_turn(made: Campaign, turn: int) -> Chance:
    chance = Chance(7)
    with write_lock(made) as table:
        while table.game.runner.period < turn:
            play_on(table.game, chance)
    return chance


def corrected(game: Game) -> None:
    """Annul the last answer of a seat that is in force."""
    given = [each for each in game.effective if isinstance(each, Answer) and each.key.seat in SEATS]
    last = given[-1]
    game.enter(Replace(last.key, reason="a slip", annul=True))
    game.settle()


@pytest.mark.slow
def test_a_page_is_the_same_whatever_was_kept_before() -> None:
    made = campaign("atlantide", seats=len(SEATS))
    chance, readers = until_turn(made, 2), people(made)
    steps: list[Callable[[Game], None]] = [lambda game: play_on(game, chance)] * 5
    pages(readers)
    for number, step in enumerate([*steps, corrected, steps[0]]):
        with write_lock(made) as table:
            step(table.game)
        kept = pages(readers)
        forget(made)
        told.cache_clear()
        assert pages(readers) == kept, number


def test_a_sealed_answer_takes_no_effect_and_the_last_one_does() -> None:
    made = campaign("atlantide", seats=len(SEATS))
    chance = until_turn(made, 2)
    with write_lock(made) as table:
        while len(table.game.requests()[0].missing) < len(SEATS):
            play_on(table.game, chance)
        moments, missing = [table.moment], table.game.requests()[0].missing
        for _ in missing:
            play_on(table.game, chance)
            moments.append(table.moment)
        assert moments[0] == moments[1] == moments[2] != moments[3]
        corrected(table.game)
        assert table.moment not in moments


def test_a_seat_is_told_its_own_secrets_and_no_other_s() -> None:
    made = campaign("atlantide", seats=len(SEATS))
    until_turn(made, 3)
    with read_lock(made) as table:
        game, names = table.game, called(made)
        secret = {event.audience for event in table.told if event.audience}
        assert {("A",), ("B",)} <= secret
        for eye in ("A", "B", None, "", "A"):
            for turn in (1, 2):
                events = [event for event in table.told if event.period == turn and not event.path]
                alone = episode(game.header, events, "en", names, eye, state=game.state)
                assert story_of(table, turn, eye, "en", names) == alone
        assert story_of(table, 2, "A", "en", names) != story_of(table, 2, "B", "en", names)


def test_a_turn_that_has_ended_is_told_once_for_all_who_know_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = campaign("atlantide", seats=len(SEATS))
    chance = until_turn(made, 3)
    telling: list[Any] = []

    def counted(*given: Any, **more: Any) -> Any:
        telling.append(given)
        return episode(*given, **more)

    monkeypatch.setattr(told_by, "episode", counted)
    with write_lock(made) as table:
        names = called(made)
        first = story_of(table, 2, "A", "en", names)
        moment = table.moment
        while table.moment == moment:
            play_on(table.game, chance)
        assert story_of(table, 2, "A", "en", names) is first
        assert len(telling) == 1
        assert story_of(table, 2, "A", "fr", names) != first
        renamed = {**names, "seat": {"B": "Somebody else"}}
        assert story_of(table, 2, "A", "en", renamed) != first


def test_a_board_is_put_together_once_for_all_who_see_the_same() -> None:
    made = campaign("atlantide", seats=len(SEATS))
    until_turn(made, 2)
    with read_lock(made) as table:
        names = public_names(table, "fr", called(made))
        (one,), (other,), (mine,) = (boards(table, eye, "fr", names) for eye in ("", "", "A"))
    assert one.board.svg is other.board.svg
    assert one.board.told != mine.board.told


def test_only_what_was_asked_for_last_is_kept() -> None:
    made = campaign("batailles")
    with read_lock(made) as table:
        assert kept(table, "abac") == ["a", "b", "c"]
        assert kept(table, "ab") == ["b"]  # it had made room for c


def kept(table: LiveCampaign, asked: str) -> list[str]:
    """What is made of the letters that are asked for, where two are kept."""
    made: list[str] = []

    def make(letter: str) -> Callable[[], str]:
        def made_once() -> str:
            made.append(letter)
            return letter

        return made_once

    for letter in asked:
        assert table.once("letters", letter, make(letter), 2) == letter
    return made
