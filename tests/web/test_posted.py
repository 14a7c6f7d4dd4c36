"""Orders by post or mail: an umpire who plays no seat pastes them, reads them over, enters them."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import msgspec
import pytest
from django.test import Client

from polemarque.club.campaigns.session import read_lock, write_lock
from polemarque.club.clock.models import Notice
from polemarque.club.clock.news import MAILED
from polemarque.club.models import Receipt, Seat
from polemarque.club.orders.answers import seal
from polemarque.kernel.records.record import Answer, Leave, Looked
from polemarque.kernel.request import Key
from polemarque.report.game_words import Words
from polemarque.report.order_forms.rest_of_turn import foreseen, form_ahead
from polemarque.web.pages.umpire import postal_orders
from tests.web.browser import sent
from tests.web.order_forms import filled_paper, form_in, offering, papers_of
from tests.web.people import page, said, way
from tests.web.world import World, answers_to, open_key, play_on, world

pytestmark = pytest.mark.django_db


@pytest.fixture
def there() -> World:
    return offering()


def address(there: World) -> str:
    return way("desk_orders", there.campaign, seat="A")


def reply(there: World, client: Client, value: Any) -> str:
    """What a player sends back: the form that the desk gave out, filled in."""
    return filled_paper(there, papers_of(client.get(address(there))), value)


def answered(there: World, key: Key) -> Any:
    """The sealed answer that stands, or None."""
    with read_lock(there.campaign) as table:
        _, request = table.game.runner.find(key)
        return request.answered.get("A")  # type: ignore[union-attr]


def entries(there: World) -> list[Any]:
    with read_lock(there.campaign) as table:
        return list(table.game.entries)


def seal_himself(there: World, key: Key, value: Any) -> None:
    """The player of seat A seals on his own page, knowing what was entered for him."""
    standing = Receipt.objects.filter(campaign=there.campaign, seat="A", replaced=False).first()
    known = standing.digest if standing else ""
    seal(there.campaign, there.people["commander"], "A", key, value, once="own", standing=known)


def confirm(shown: Any) -> dict[str, str]:
    """The form by which what was read over is entered."""
    forms = [sent(each) for each in page(shown).all("form")]
    (fields,) = [each for each in forms if "once" in each]
    return {**fields, "do": "enter"}


def test_what_a_player_posted_is_read_over_and_entered_with_his_receipt(there: World) -> None:
    client, key = there.browser("umpire"), open_key(there, "A")
    value = answers_to(there, key, 3)[2]
    post = f"> Bonjour !\n{reply(there, client, value)}\nBien à vous"
    before = entries(there)
    shown = client.post(address(there), {"post": post})
    assert shown.status_code == 200 and "What was understood" in said(shown)
    assert entries(there) == before, "nothing is answered before it was read over"
    fields = confirm(shown)
    for _ in range(2):  # pressed twice it is entered once
        done = client.post(address(there), fields)
        assert done.status_code in {303, 422}
    given = [e for e in entries(there)[len(before) :] if isinstance(e, Answer) and e.key == key]
    assert [(each.value, each.by) for each in given] == [(value, "post")]
    (kept,) = Receipt.objects.filter(campaign=there.campaign, seat="A", replaced=False)
    assert entries(there)[kept.number - 1] == given[0]
    seat = said(there.browser("commander").get(way("seat", there.campaign, seat="A")))
    assert kept.digest in seat or "Sealed" in seat


def test_wishes_that_were_posted_are_entered_beside_the_orders(there: World) -> None:
    client, key = there.browser("umpire"), open_key(there, "A")
    value = answers_to(there, key, 3)[2]
    with read_lock(there.campaign) as table:
        request = table.game.wish_request("A")
        assert request is not None
        code, words = form_in(table.game, request, "A").code, request.options("A").words  # type: ignore[attr-defined]
    wishes = f"=== Polémarque {code} · en ===\n1: 2\n=== {code} ==="
    shown = client.post(address(there), {"post": f"{reply(there, client, value)}\n{wishes}"})
    assert shown.status_code == 200 and "What was understood" in said(shown)
    assert client.post(address(there), confirm(shown)).status_code == 303
    assert answered(there, key) == value
    with read_lock(there.campaign) as table:
        assert [left.subject for left in table.game.standing_orders] == [words[1]]
    shown = client.post(address(there), {"post": wishes.replace("1: 2", "1: 1")})
    assert "One answer is left" in said(client.post(address(there), confirm(shown), follow=True))
    with read_lock(there.campaign) as table:
        assert [left.subject for left in table.game.standing_orders] == [words[0]], "corrected"


def test_the_desk_neither_shows_nor_takes_back_what_a_player_has_wished(there: World) -> None:
    client = there.browser("umpire")
    with write_lock(there.campaign) as table:
        request = table.game.wish_request("A")
        assert request is not None
        words = request.options("A").words  # type: ignore[attr-defined]
        table.game.wish_for("A", words[:1])
        desk = table.game.wish_request("A", ())
        assert desk is not None
        code = form_in(table.game, desk, "A").code
    papers = papers_of(client.get(address(there)))
    frame = papers[papers.index(code) : papers.rindex(code)]
    assert re.search(r"\*- nothing", frame), "what stands is not told"
    for answer in ("-", "", "2"):
        wishes = f"=== Polémarque {code} · en ===\n1: {answer}\n=== {code} ==="
        shown = client.post(address(there), {"post": wishes})
        assert shown.status_code == 200
        done = said(client.post(address(there), confirm(shown), follow=True))
        assert ("Not entered: a wish" if answer == "2" else "Nothing is entered") in done
        with read_lock(there.campaign) as table:
            assert [left.subject for left in table.game.standing_orders] == [words[0]], answer


def test_that_the_umpire_reads_a_players_orders_is_entered(there: World) -> None:
    there.browser("umpire").get(address(there))
    assert [entry.what for entry in entries(there) if isinstance(entry, Looked)] == ["answers"]


def test_a_second_post_takes_the_place_of_the_first_and_the_player_of_both(there: World) -> None:
    client, key = there.browser("umpire"), open_key(there, "A")
    _, second, third = answers_to(there, key, 3)
    for value in (third, second):
        client.post(address(there), confirm(client.post(
            address(there), {"post": reply(there, client, value)})))  # fmt: skip
        assert answered(there, key) == value
    assert Receipt.objects.filter(campaign=there.campaign, seat="A", replaced=False).count() == 1
    seal_himself(there, key, third)
    assert answered(there, key) == third
    assert "readonly" not in said(client.get(address(there))), "he has sealed himself"


def test_what_a_seat_has_sealed_itself_no_umpire_replaces(there: World) -> None:
    client, key = there.browser("umpire"), open_key(there, "A")
    first, second, _ = answers_to(there, key, 3)
    shown = client.post(address(there), {"post": reply(there, client, second)})
    fields = confirm(shown)
    seal_himself(there, key, first)
    before = entries(there)
    refused = client.post(address(there), fields)
    assert refused.status_code == 422 and answered(there, key) == first
    assert entries(there) == before


def test_what_is_wrong_is_said_line_by_line_and_nothing_is_entered(there: World) -> None:
    client, key = there.browser("umpire"), open_key(there, "A")
    post = reply(there, client, answers_to(there, key, 1)[0]).replace("1.", "1. nonsense", 1)
    before = entries(there)
    for fields in ({"post": post}, {"post": post, "do": "enter", "once": "x" * 32}, {"post": "no"}):
        shown = client.post(address(there), fields)
        assert shown.status_code == 422 and 'role="alert"' in said(shown)
        assert fields["post"].splitlines()[0] in unescape(said(shown))
        assert entries(there) == before


def test_of_several_forms_those_before_a_refused_one_stand_and_it_is_said(
    there: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, key = there.browser("umpire"), open_key(there, "A")
    value = answers_to(there, key, 1)[0]
    closed = msgspec.structs.replace(key, number=key.number + 7)
    given = [(key, value), (closed, value)]
    monkeypatch.setattr(postal_orders, "_read", lambda *_: ([], given, ()))
    done = client.post(address(there), {"do": "enter", "once": "z" * 32, "post": "-"}, follow=True)
    assert "The answer is entered" in said(done) and "awaits no answer" in said(done)
    assert answered(there, key) == value


def test_an_umpire_who_plays_reads_nobodys_orders() -> None:
    made = world(turns=1, playing=True)
    play_on(made, lambda game: bool(game.requests("B")))
    head = made.head
    client = made.browser("umpire")
    for method in (client.get, client.post):
        answer = method(way("desk_orders", made.campaign, seat="B"))
        assert answer.status_code == 303 and answer.url == way("desk", made.campaign)
    assert made.head == head
    assert "Orders by mail" not in said(client.get(way("desk", made.campaign)))


def test_nobody_brings_the_orders_of_a_program(there: World) -> None:
    Seat.objects.filter(campaign=there.campaign, code="A").update(bot="steady")
    answer = there.browser("umpire").get(address(there), follow=True)
    assert "A bot plays this seat." in said(answer)


def test_a_player_posts_his_whole_turn_and_the_umpire_learns_and_replaces_no_plan(
    there: World,
) -> None:
    client, key = there.browser("umpire"), open_key(there, "A")
    value = answers_to(there, key, 1)[0]
    paper = papers_of(client.get(address(there)))
    assert "the questions to come" in paper and "+1/AT-7.2:A#1" in paper
    own = Leave("A", "AT-5.2", {"x": 1}, "", key.period, number=1)
    with write_lock(there.campaign) as table:
        table.game.enter(own)
    assert papers_of(client.get(address(there))) == paper, "a seat's own plan is not shown"
    at = paper.rindex("=== Polémarque", 0, paper.index("+1/AT-5.2"))
    end = paper.index("+1/AT-8.10")
    rest = paper[at:end].replace("(yes): ____", "(yes): yes")
    rest = rest.replace("where to march: ____", "where to march: -")
    post = filled_paper(there, paper[:at], value) + rest + paper[end:]
    shown = client.post(address(there), {"post": post})
    assert shown.status_code == 200 and "Planned · AT-7.2" in said(shown)
    client.post(address(there), confirm(shown))
    assert answered(there, key) == value
    (told,) = Notice.objects.filter(campaign=there.campaign, text=MAILED)
    assert told.person == there.people["commander"] and told.data["seat"] == "A"
    assert "1 answer entered, 1 answer left in advance" in told.data["lines"][0]
    left = {e.rule: e for e in entries(there) if isinstance(e, Leave)}
    assert left["AT-5.2"].value == own.value and "AT-7.2" in left


def test_a_corrected_turn_takes_the_place_of_what_was_brought_and_of_nothing_of_the_seat_s(
    there: World,
) -> None:
    client = there.browser("umpire")

    def frame(rule: str, *lines: str) -> str:
        found = {}
        with read_lock(there.campaign) as table:

            def see(_: Any, step: Any, request: Any) -> None:
                header = table.game.header
                form = form_ahead(header, step, request, Words(header, "en"))
                found.setdefault(step.key.rule, form.code)

            foreseen(table.game, "A", {}, see, see, ())
        code = found[rule]
        return "\n".join([f"=== Polémarque {code} · en · +1/{rule} ===", *lines, f"=== {code} ==="])

    def enter(post: str) -> str:
        shown = client.post(address(there), {"post": post})
        assert shown.status_code == 200
        return unescape(said(client.post(address(there), confirm(shown), follow=True)))

    def stands() -> list[tuple[str, Any]]:
        with read_lock(there.campaign) as table:
            return [(left.rule, left.value) for left in table.game.standing_orders]

    told = enter(frame("AT-8.1", "1: 1"))
    assert "One answer is left in advance" in told and "has the receipt" not in told
    first = stands()
    assert "One answer is left in advance" in enter(frame("AT-8.1", "1: 2"))
    second = stands()
    assert len(first) == len(second) == 1 and first != second, "the corrected mail counts"
    seat = there.browser("commander").get(way("seat", there.campaign, seat="A"))
    assert "An umpire has brought it." in said(seat)
    with write_lock(there.campaign) as table:
        (left,) = table.game.standing_orders
        table.game.enter(left)  # its own now, with the same words
    told = enter(frame("AT-8.1", "1: 1"))
    assert "Not entered: " in told and "that stands" in told
    assert "left in advance. The record" not in told and stands() == second
    seat = there.browser("commander").get(way("seat", there.campaign, seat="A"))
    assert "An umpire has brought it." not in said(seat)
