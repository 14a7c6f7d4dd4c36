"""An order form is taken from a seat's page and pasted back: it fills a form and seals nothing."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.test import Client

from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import Draft, Receipt
from tests.web.browser import sent
from tests.web.order_forms import asked_form, filled_paper, form_in, offering, papers_of
from tests.web.people import page, said, way
from tests.web.test_ahead import clockless
from tests.web.world import World, answers_to, open_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def there() -> World:
    return offering()


def papers(client: Client, there: World, **more: Any) -> str:
    return papers_of(client.get(way("orders", there.campaign, seat="A"), more))


def paste(client: Client, there: World, post: str, **more: Any) -> Any:
    return client.post(way("orders", there.campaign, seat="A"), {"post": post}, **more)


@pytest.mark.parametrize("form", ["bbcode", "md", "text"])
def test_a_pasted_form_fills_the_ordinary_one_which_seals_what_it_said(
    there: World, form: str
) -> None:
    client = there.browser("commander")
    key = open_key(there, "A")
    value = answers_to(there, key, 3)[2]
    post = "[quote]" + filled_paper(there, papers(client, there, format=form), value) + "[/quote]"
    head = there.head
    answer = paste(client, there, post)
    assert answer.status_code == 303 and answer.url == way("seat", there.campaign, seat="A")
    assert there.head == head and not Receipt.objects.exists()
    shown = client.get(answer.url)
    assert "Read over and seal" in said(shown)
    with read_lock(there.campaign) as table:
        assert table.game.requests("A")[0].answered == {}
    (asked,) = [each for each in page(shown).all("form") if each.attrs.get("class") == "question"]
    done = client.post(way("answer", there.campaign, seat="A"), {**sent(asked), "do": "seal"})
    assert done.status_code == 303
    with read_lock(there.campaign) as table:
        _, request = table.game.runner.find(key)
        assert request.answered["A"] == value  # type: ignore[union-attr]


def test_what_is_refused_is_said_line_by_line_and_nothing_typed_is_lost(there: World) -> None:
    client = there.browser("commander")
    code = asked_form(there).code
    post = f"=== Polémarque {code} · en ===\n1: go on\n2: nobody\nhello\n=== {code} ==="
    answer = paste(client, there, post)
    told = said(answer)
    assert answer.status_code == 422 and 'role="alert"' in told
    assert "Line 3" in told and "Line 4" in told and "hello\n" in told
    assert not Draft.objects.exists()


@pytest.mark.parametrize(
    "post", ["", "hello", "=== Polémarque ZZZZ-000000 · en ===\n1: 1", "x" * 100_001]
)
def test_what_is_no_form_of_this_question_is_refused_with_the_reason(
    there: World, post: str
) -> None:
    answer = paste(there.browser("commander"), there, post)
    assert answer.status_code == 422 and 'role="alert"' in said(answer)
    assert not Draft.objects.exists()


def wished(there: World, seat: str = "A") -> set[str]:
    with read_lock(there.campaign) as table:
        return {left.subject for left in table.game.standing_orders if left.seat == seat}


def test_wishes_come_by_post_stand_when_left_blank_and_go_with_a_dash(there: World) -> None:
    client = there.browser("commander")
    with read_lock(there.campaign) as table:
        request = table.game.wish_request("A")
        assert request is not None
        form = form_in(table.game, request, "A")
    (frame,) = [each for each in papers(client, there).split("\n\n") if form.code in each]
    assert "arrive." not in frame, "wishes are named in words"
    other = way("seat", there.campaign, seat="B")
    before = clockless(said(there.browser("rival").get(other)))
    for answer, count in (("2", 1), ("", 1), ("-", 0)):
        post = f"=== Polémarque {form.code} · en ===\n1: {answer}\n=== {form.code} ==="
        assert paste(client, there, post).status_code == 303
        assert len(wished(there)) == count
    post = f"=== Polémarque {form.code} · en ===\n1: 1; 2\n=== {form.code} ==="
    refused = paste(client, there, post)
    assert refused.status_code == 422 and "keep one" in said(refused) and not wished(there)
    assert clockless(said(there.browser("rival").get(other))) == before


def test_the_seat_s_page_leads_there_and_a_form_of_another_seat_is_refused(there: World) -> None:
    client = there.browser("commander")
    assert way("orders", there.campaign, seat="A") in said(
        client.get(way("seat", there.campaign, seat="A"))
    )
    adviser = there.browser("adviser")
    assert way("orders", there.campaign, seat="A") not in said(
        adviser.get(way("seat", there.campaign, seat="A"))
    )
    theirs = asked_form(there, "B")
    head = f"=== Polémarque {theirs.code} · en · {theirs.key} ==="
    answer = paste(client, there, f"{head}\nthe rest as proposed: yes")
    assert answer.status_code == 422 and "seat B" in said(answer)


def test_a_whole_turn_is_pasted_at_once_its_rest_left_in_advance(
    there: World,
) -> None:
    client, key = there.browser("commander"), open_key(there, "A")
    paper = papers(client, there, format="text")
    assert "the questions to come" in paper
    at = paper.rindex("=== Polémarque", 0, paper.index("+1/AT-7.2"))
    march = paper[at : paper.index("\n===", at)].replace(
        "where to march: ____", "where to march: -"
    )
    march = march.replace("(yes): ____", "(yes): yes") + paper[paper.index("\n===", at) :]
    value = answers_to(there, key, 1)[0]
    done = paste(client, there, filled_paper(there, paper[:at], value) + march)
    assert done.status_code == 303 and Draft.objects.get().key == key_text(key)
    shown = unescape(said(client.get(done.url)))
    assert "One answer is left in advance for the rest of the turn." in shown
    with read_lock(there.campaign) as table:
        assert table.game.requests("A")[0].answered == {}
        assert [left.rule for left in table.game.standing_orders] == ["AT-7.2"]
