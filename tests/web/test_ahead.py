"""Answers left in advance: from the form beside an answer to the next time that is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import read_lock, write_lock
from polemarque.club.campaigns.visibility import known_entries
from polemarque.club.models import Campaign, Receipt
from polemarque.club.orders.answers import seal
from polemarque.club.orders.standing_orders import Lasting, left_by, settle
from polemarque.club.orders.taking_back import take_back
from polemarque.club.people.roles import visit_of
from polemarque.kernel.errors import NotUnderstood
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Answer, Leave
from polemarque.kernel.request import Key, Request
from polemarque.web.questions import named
from tests.web.asked import again
from tests.web.people import said, way
from tests.web.world import World, open_key, play_on, world

pytestmark = pytest.mark.django_db

OFFERS = "AT-4.1"
"""What agreements a seat offers: sealed, and asked of every seat each turn."""


def sealed_question(seat: str) -> Callable[[Game], bool]:
    """Whether a seat is asked what it offers."""
    return lambda game: any(r.rule == OFFERS for r in game.requests(seat))


def repeated(game: Game) -> list[Answer]:
    """The answers to what is asked that were given in advance, wishes apart."""
    given = [e for e in game.entries if isinstance(e, Answer) and e.by == "standing"]
    return [answer for answer in given if answer.key.rule == OFFERS]


def entries_of(there: World) -> list[Any]:
    with read_lock(there.campaign) as table:
        return list(table.game.entries)


def quiet(there: World, key: Key) -> Any:
    with read_lock(there.campaign) as table:
        _, request = table.game.runner.find(key)
        assert isinstance(request, Request)
        return request.options(key.seat).quiet()


def leave_quietly(there: World, seat: str = "A", who: str = "commander", **more: Any) -> Key:
    """A seat seals the quietest answer to what it is asked, and leaves it."""
    play_on(there, sealed_question(seat))
    with read_lock(there.campaign) as table:
        key = next(r.keys[seat] for r in table.game.requests(seat) if r.rule == OFFERS)
    value = quiet(there, key)
    lasting = Lasting(**more)
    seal(there.campaign, there.people[who], seat, key, value, once=f"left {seat}", lasting=lasting)
    return key


def test_it_is_left_behind_the_answer_and_answers_the_next_time() -> None:
    there = world(turns=1)
    key = leave_quietly(there)
    answer, left = entries_of(there)[-2:]
    assert isinstance(answer, Answer) and answer.key == key
    assert isinstance(left, Leave)
    assert (left.seat, left.rule, left.subject) == ("A", key.rule, key.subject)
    play_on(there, lambda game: bool(repeated(game)))
    with read_lock(there.campaign) as table:
        (given,) = repeated(table.game)
    assert (given.key.rule, given.key.seat) == (OFFERS, "A")
    assert given.key.outer_period == key.outer_period + 1
    assert given.value == answer.value


def test_for_this_turn_it_has_lapsed_in_the_next() -> None:
    there = world(turns=1)
    with read_lock(there.campaign) as table:
        now = table.game.runner.period
    key = leave_quietly(there, until=now)
    play_on(there, now + 1)
    play_on(there, sealed_question("A"))
    with read_lock(there.campaign) as table:
        assert not left_by(table.game, "A")
        assert key.outer_period < table.game.runner.period
        assert not repeated(table.game)


def test_what_it_seals_leaves_a_receipt() -> None:
    there = world(turns=1)
    leave_quietly(there)
    play_on(there, lambda game: bool(repeated(game)))
    with write_lock(there.campaign) as table:
        settle(there.campaign, table)
        settle(there.campaign, table)
        now = repeated(table.game)[0].key
    (kept,) = Receipt.objects.filter(campaign=there.campaign, seat="A", key=key_text(now))
    entry = entries_of(there)[kept.number - 1]
    assert isinstance(entry, Answer)
    assert (entry.key, entry.by) == (now, "standing")


def test_who_takes_his_answer_back_is_asked_again() -> None:
    there = world(turns=1)
    key = leave_quietly(there)
    take_back(there.campaign, "A")
    with read_lock(there.campaign) as table:
        assert not left_by(table.game, "A")
        assert key in [r.keys["A"] for r in table.game.requests("A")]


def test_a_stake_that_no_rule_knows_is_refused_and_nothing_is_taken() -> None:
    there = world(turns=1)
    play_on(there, sealed_question("A"))
    key, before = open_key(there, "A"), entries_of(there)
    with pytest.raises(NotUnderstood) as refused:
        seal(there.campaign, there.people["commander"], "A", key, quiet(there, key), once="x",
             lasting=Lasting(unless=("sunshine",)))  # fmt: skip
    assert refused.value.code == "leave.stake"
    assert entries_of(there) == before
    assert not Receipt.objects.filter(campaign=there.campaign, seat="A").exists()


def test_an_umpire_who_plays_learns_nothing_of_what_another_leaves() -> None:
    there = world(turns=1, playing=True)
    play_on(there, sealed_question("B"))
    campaign = Campaign.objects.get(pk=there.campaign.pk)
    visit = visit_of(campaign, there.people["playing"])
    with read_lock(campaign) as table:
        before = known_entries(visit, table)
    leave_quietly(there, "B", "rival")
    with read_lock(campaign) as table:
        assert table.count > before
        assert known_entries(visit, table) == before


# On the page -------------------------------------------------------------------------------------

NOTHING = "has left nothing in advance"


def seal_on_the_page(there: World, **more: Any) -> Any:
    """The commander of A posts his answer as the page proposes it."""
    play_on(there, sealed_question("A"))
    key = open_key(there, "A")
    text = key_text(key)
    fields = {"key": text, "once": "once", "do": "seal", **quiet_fields(there, key), **more}
    return there.browser("commander").post(way("answer", there.campaign, seat="A"), fields)


def quiet_fields(there: World, key: Key) -> dict[str, Any]:
    """What the page's form holds as it is first shown."""
    page = there.browser("commander").get(way("seat", there.campaign, seat="A"))
    form = page.context["questions"][0].form
    assert form.name == named(key_text(key))
    return again(form)


def test_it_is_left_listed_and_revoked_on_the_page() -> None:
    there = world(turns=1)
    client, seat = there.browser("commander"), way("seat", there.campaign, seat="A")
    assert seal_on_the_page(there, term="always").status_code == 303
    page = client.get(seat)
    (left,) = page.context["left"]
    assert 'aria-labelledby="left-title"' in said(page)
    assert not left.until
    for role, other in (("rival", "B"), ("umpire", "")):
        address = way("seat", there.campaign, seat=other) if other else way("desk", there.campaign)
        assert 'aria-labelledby="left-title"' not in said(there.browser(role).get(address))
    fields = {"rule": left.left.rule, "subject": left.left.subject}
    client.post(way("revoke", there.campaign, seat="A"), fields)
    assert not client.get(seat).context["left"]
    before = entries_of(there)
    answer = client.post(way("revoke", there.campaign, seat="A"), fields, follow=True)
    assert NOTHING in said(answer)
    assert entries_of(there) == before


def clockless(page: str) -> str:
    """A page without what is random in it, and the head of the chain."""
    return re.sub(r'nonce="[^"]*"|value="[A-Za-z0-9]{32,64}"|[0-9a-f]{64}', "", page)


def test_a_wish_is_left_listed_and_taken_back_on_the_page() -> None:
    there = world(turns=1)
    play_on(there, sealed_question("A"))
    client, seat = there.browser("commander"), way("seat", there.campaign, seat="A")
    rival = way("seat", there.campaign, seat="B")
    before = clockless(said(there.browser("rival").get(rival)))
    offered = client.get(seat).context["wishes"]
    assert offered and all(value.startswith("AT-10.1 arrive.") for value, _ in offered)
    client.post(way("wish", there.campaign, seat="A"), {"wish": offered[0][0]})
    page = client.get(seat)
    (left,) = page.context["left"]
    assert left.said == offered[0][1] and offered[0] not in page.context["wishes"]
    assert clockless(said(there.browser("rival").get(rival))) == before
    fields = {"rule": left.left.rule, "subject": left.left.subject}
    client.post(way("revoke", there.campaign, seat="A"), fields)
    assert not client.get(seat).context["left"]
    standing = entries_of(there)
    client.post(way("wish", there.campaign, seat="A"), {"wish": "AT-10.1 arrive.nowhere"})
    assert entries_of(there) == standing


def test_a_term_that_no_form_has_is_refused_and_nothing_is_taken() -> None:
    there = world(turns=1)
    play_on(there, sealed_question("A"))
    before = entries_of(there)
    response = seal_on_the_page(there, term="forever")
    assert response.status_code == 422 and "“forever”" in said(response)
    assert entries_of(there) == before


def test_once_leaves_nothing() -> None:
    there = world(turns=1)
    seal_on_the_page(there, term="once")
    assert not there.browser("commander").get(way("seat", there.campaign, seat="A")).context["left"]
