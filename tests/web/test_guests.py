"""Guests of one battle: they answer what it asks of a lent side, and have no other part."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from polemarque.club.campaigns.lobby import UMPIRE_ROLE, accept, token_of
from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import read_lock, write_lock
from polemarque.club.models import (
    COMMANDER,
    GUEST,
    MEMBER,
    SUCCESSOR,
    Given,
    Guest,
    Invitation,
    Person,
    Receipt,
    Seat,
)
from polemarque.club.orders.answers import seal
from polemarque.club.people.guests import battle_of, battles, may_lend
from polemarque.club.people.invitations import doors_of, entrusted, invite_to, may_renew
from polemarque.club.people.roles import visit_of
from polemarque.club.people.seat_handover import give_to_program
from polemarque.kernel.errors import NotAllowed, Refusal
from polemarque.kernel.game import Game
from polemarque.kernel.records.record import Answer, Leave, Looked, Replace
from polemarque.kernel.request import Key
from polemarque.web import stream
from polemarque.web.urls import urlpatterns
from tests.web.lent import (
    battle_key,
    fighting,
    lent,
    link_by,
    page_of,
    path_of,
    to_battle,
    unused,
)
from tests.web.people import PASSWORD, browser, link, said, way
from tests.web.test_matrix import ROWS, addresses, undone
from tests.web.world import World, answers_to, invitation, open_key, person, play_on, world

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(300)]


def entered(there: World) -> list[Any]:
    with read_lock(there.campaign) as table:
        return list(table.game.entries)


def answered(there: World, who: str, number: int = 0) -> Receipt | None:
    """Have somebody answer what the battle asks of A, by the service."""
    key = battle_key(there)
    value = answers_to(there, key, number + 1)[number]
    return seal(there.campaign, there.people[who], "A", key, value, once=f"{who}{number}")


def form(there: World, key: Key, client: Client, page: str) -> dict[str, str]:
    """The form of a question as its page proposes it."""
    from tests.web.served import Forms

    shown = Forms(said(client.get(page)))
    for _, fields in shown.forms:
        found = dict(fields)
        if found.get("key") == key_text(key):
            return found | {"do": "seal"}
    raise AssertionError("the page does not ask that")


# Coming ------------------------------------------------------------------------------------------


def test_a_newcomer_takes_a_link_and_fights_one_battle() -> None:
    there = fighting()
    host = there.browser("commander")
    shown = said(host.get(way("people", there.campaign)))
    assert "Lend a side: " in shown
    fields = {"seat": "A", "role": GUEST, "path": path_of(there)}
    assert link(token_of(unused_after(there, host, fields))) in said(
        host.get(way("people", there.campaign))
    )
    new = browser()
    door = link(token_of(unused(there)))
    assert "command a side, for one battle" in said(new.get(door))
    came = new.post(door, {"called": "Solon", "username": "solon", "password": PASSWORD})
    assert (came.status_code, came["Location"]) == (303, page_of(there))
    page = said(new.get(page_of(there)))
    assert "Battle: " in page and "What is asked of you" in page and "<svg" in page
    key, before = battle_key(there), len(entered(there))
    sent = new.post(page_of(there, "guest_answer"), form(there, key, new, page_of(there)))
    assert sent.status_code == 303
    answer = entered(there)[before]
    assert isinstance(answer, Answer)
    assert (answer.key, answer.by) == (key, ""), "the record knows the seat alone"
    given = Given.objects.get(campaign=there.campaign, entry__number=before + 1)
    assert given.person == Person.objects.get(username="solon")


def unused_after(there: World, host: Client, fields: dict[str, str]) -> Invitation:
    assert host.post(way("invite", there.campaign), fields).status_code == 303
    return unused(there)


def test_everybody_is_told_who_is_a_guest_while_the_battle_is_fought() -> None:
    there = fighting()
    lent(there)
    for role in ("commander", "rival", "watcher"):
        told = said(there.browser(role).get(way("people", there.campaign)))
        assert "(guest of a battle: Guest)" in told, role
    for role, offers in (("commander", True), ("umpire", True), ("rival", False)):
        told = said(there.browser(role).get(way("people", there.campaign)))
        assert ("Take this side back from Guest" in told) == offers, role
    seat = said(there.browser("commander").get(way("seat", there.campaign, seat="A")))
    assert "Guest commands your side there" in seat
    assert "Guest commands" not in said(
        there.browser("adviser").get(way("seat", there.campaign, seat="A"))
    )


def test_the_guest_finds_his_battle_and_what_it_asks_on_the_first_page() -> None:
    there = fighting()
    lent(there)
    home = said(there.browser("guest").get(reverse("home")))
    assert page_of(there) in home and "Your turn" in home
    assert way("campaign", there.campaign) + '"' not in home


# What he may do ----------------------------------------------------------------------------------


def test_no_other_page_of_the_campaign_is_there_for_him() -> None:
    there = fighting()
    digest = sealed_elsewhere(there)
    lent(there)
    ways = addresses(there, digest) | {
        name: page_of(there, name) for name in ("guest", "guest_answer", "guest_dice")
    }
    of_campaign = [p.name for p in urlpatterns if "code" in p.pattern.converters]
    found = {}
    for name in of_campaign:
        for method in ("get", "post"):
            with undone():
                status = getattr(there.browser("guest"), method)(ways[name]).status_code
            if status not in {404, 405}:
                found[name, method] = status
    assert found == {
        ("guest", "get"): 200,
        ("guest_answer", "get"): 303,
        ("guest_answer", "post"): 422,
        ("guest_dice", "post"): 303,
        ("events", "get"): 200,
    }
    assert {name for name, _ in found} <= set(ROWS)


def sealed_elsewhere(there: World) -> str:
    """The digest of a receipt of the seat, of an earlier turn."""
    with write_lock(there.campaign) as table:
        key = Key(1, "", "AT-4.1", "A")
        return Receipt.objects.create(
            campaign=there.campaign, seat="A", key=key_text(key), digest="a" * 64,
            body=b"{}", number=table.count,
        ).digest  # fmt: skip


def test_receipts_of_the_seat_are_not_his() -> None:
    there = fighting(resolver="batailles")
    other = sealed_elsewhere(there)
    lent(there)
    mine = answered(there, "guest")
    assert mine is not None
    client = there.browser("guest")
    assert client.get(page_of(there, "guest_receipt", digest=mine.digest)).status_code == 200
    assert client.get(page_of(there, "guest_receipt", digest=other)).status_code == 404
    shown = said(client.get(f"{page_of(there)}?receipt={mine.digest}"))
    assert page_of(there, "guest_receipt", digest=mine.digest) in shown
    assert "<dd>A</dd>" not in shown  # the seat by its name
    assert 'class="receipt"' not in said(client.get(f"{page_of(there)}?receipt={other}"))


def test_a_drawn_battle_is_told_in_words_beside_its_picture() -> None:
    there = fighting(resolver="batailles")
    lent(there)
    page = said(there.browser("guest").get(page_of(there)))
    told = page.partition('class="plate-words"')[2].partition("</pre>")[0]
    assert "Before the first phase" in told


def test_a_question_of_the_seat_elsewhere_is_not_there() -> None:
    there = fighting()
    lent(there)
    client, asked = there.browser("guest"), battle_key(there)
    elsewhere = [
        Key(asked.period, "", "AT-8.1", "A", asked.subject),
        Key(asked.period, f"{asked.path}~2", asked.rule, "A", asked.subject),
        Key(asked.period, asked.path, asked.rule, "B", asked.subject),
    ]
    before = len(entered(there))
    for key in elsewhere:
        for name in ("guest_answer", "guest_dice"):
            sent = client.post(page_of(there, name), {"key": key_text(key), "do": "seal"})
            if (name, key.seat) != ("guest_dice", "B"):  # a throw is nobody's
                assert sent.status_code == 404, (name, key)
    assert len(entered(there)) == before


def test_he_leaves_nothing_in_advance() -> None:
    there = fighting()
    lent(there)
    client, key = there.browser("guest"), battle_key(there)
    assert 'name="term"' not in said(client.get(page_of(there)))
    assert 'name="term"' in said(
        there.browser("commander").get(way("seat", there.campaign, seat="A"))
    )
    fields = form(there, key, client, page_of(there)) | {"term": "always"}
    assert client.post(page_of(there, "guest_answer"), fields).status_code == 303
    assert not [each for each in entered(there) if isinstance(each, Leave)]


def test_who_commands_the_seat_may_answer_and_neither_replaces_the_other_unseen() -> None:
    there = fighting(resolver="batailles")
    lent(there)
    guest, host = there.browser("guest"), there.browser("commander")
    key, seat = battle_key(there), way("seat", there.campaign, seat="A")
    stale = form(there, key, guest, page_of(there))
    sent = form(there, key, host, seat)
    assert host.post(way("answer", there.campaign, seat="A"), sent).status_code == 303
    assert guest.post(page_of(there, "guest_answer"), stale).status_code == 409
    seen = form(there, key, guest, page_of(there))
    assert seen["standing"]
    assert guest.post(page_of(there, "guest_answer"), seen | {"once": "2"}).status_code == 303
    last = [each for each in entered(there) if isinstance(each, Answer) and each.key == key]
    assert len(last) == 2


def test_an_answer_that_is_refused_changes_nothing_and_is_kept() -> None:
    there = fighting()
    lent(there)
    client, key = there.browser("guest"), battle_key(there)
    before = len(entered(there))
    sent = client.post(page_of(there, "guest_answer"), {"key": key_text(key), "do": "seal"})
    assert sent.status_code == 422
    assert len(entered(there)) == before


# Going -------------------------------------------------------------------------------------------


def battle_over(game: Game) -> bool:
    return not game.runner.branches


def test_his_part_ends_with_the_battle_and_he_reads_how_it_went() -> None:
    there = fighting()
    lent(there)
    client, page = there.browser("guest"), page_of(there)
    key = battle_key(there)
    play_on(there, battle_over)
    shown = said(client.get(page))
    assert "This battle is over" in shown and "What happened there" in shown
    assert "What is asked of you" not in shown and "data-stream" not in shown
    sent = client.post(page + "answer/", {"key": key_text(key), "do": "seal"})
    assert sent.status_code == 409
    with read_lock(there.campaign) as table:
        told = [e for e in table.told if e.path == path_in(page) and e.seen_by("A")]
        assert told
        assert not list(battles(table.game, "A"))
    assert page in said(client.get(reverse("home")))
    assert "guest of a battle" not in said(
        there.browser("commander").get(way("people", there.campaign))
    )


def path_in(page: str) -> str:
    return page.rstrip("/").rpartition("/")[2]


def test_after_a_correction_he_is_told_nothing_that_might_be_of_another_battle() -> None:
    there = fighting()
    lent(there)
    page = page_of(there)
    with write_lock(there.campaign) as table:
        orders = [e for e in table.game.effective if isinstance(e, Answer) and e.key.seat == "A"]
        mine = [e for e in orders if e.key.path == path_in(page)]
        last = (mine or orders)[-1]
        table.game.enter(Replace(last.key, "he meant another", value=last.value))
    play_on(there, battle_over)
    shown = said(there.browser("guest").get(page))
    assert "This battle is over" in shown and "What happened there" not in shown


def test_a_battle_elsewhere_at_the_same_path_is_not_his() -> None:
    there = fighting()
    lent(there)
    Guest.objects.update(place="nowhere")  # as where a correction has given the path to another
    shown = said(there.browser("guest").get(page_of(there)))
    assert "This battle is over" in shown and "<svg" not in shown.partition("<main")[2]
    with read_lock(there.campaign) as table:
        assert battle_of(table.game, Guest.objects.get()) is None
    assert page_of(there) not in said(there.browser("commander").get(way("people", there.campaign)))


@pytest.mark.parametrize("by", ["commander", "umpire"])
def test_the_side_is_taken_back_at_any_moment(by: str) -> None:
    there = fighting()
    lent(there)
    page, row = page_of(there), Guest.objects.get()
    parts = {"number": str(row.pk)}
    for role in ("rival", "adviser", "guest", "watcher"):
        there.browser(role).post(way("send_home", there.campaign, **parts))
        assert Guest.objects.exists(), role
    done = there.browser(by).post(way("send_home", there.campaign, **parts), follow=True)
    assert "This side is taken back" in said(done)
    client = there.browser("guest")
    assert client.get(page).status_code == 404
    assert client.post(page + "answer/", {}).status_code == 404
    assert client.get(reverse("events", kwargs={"code": there.campaign.code})).status_code == 404
    again = there.browser(by).post(way("send_home", there.campaign, **parts))
    assert again.status_code == 303


def test_a_program_that_takes_the_seat_takes_the_battle_too() -> None:
    there = fighting()
    lent(there)
    give_to_program(visit_of(there.fresh(), there.people["umpire"]), "A", "steady")
    assert not Guest.objects.exists()
    with pytest.raises(NotAllowed, match=r"guest\.program"):
        link_by(there, "umpire")


def test_a_guest_to_whom_the_whole_seat_is_given_is_its_guest_no_more() -> None:
    there = fighting()
    guest = lent(there)
    host = visit_of(there.fresh(), there.people["commander"])
    accept(token_of(invite_to(host, "A", SUCCESSOR)), guest)
    assert visit_of(there.fresh(), guest).seats == {"A": COMMANDER}
    assert not Guest.objects.exists()


# Who may -----------------------------------------------------------------------------------------


def test_who_lends_a_side() -> None:
    there = fighting()
    may = {
        role: [seat for seat in ("A", "B") if may_lend(visit_of(there.fresh(), someone), seat)]
        for role, someone in there.people.items()
    }
    nobody: list[str] = []
    assert may == {
        "stranger": nobody, "watcher": nobody, "adviser": nobody, "commander": ["A"],
        "rival": ["B"], "umpire": ["A", "B"], "guest": nobody,
    }  # fmt: skip
    for role, seat in (("rival", "A"), ("adviser", "A"), ("commander", "B")):
        sent = there.browser(role).post(
            way("invite", there.campaign), {"seat": seat, "role": GUEST, "path": path_of(there)}
        )
        assert sent.status_code in {303, 404}
    assert not Invitation.objects.filter(role=GUEST).exists()


def test_an_umpire_who_plays_lends_his_own_side_only() -> None:
    there = fighting(playing=True)
    visit = visit_of(there.fresh(), there.people["umpire"])
    assert [seat for seat in ("A", "B") if may_lend(visit, seat)] == ["A"]
    lent(there, by="umpire")
    assert [each.what for each in entered(there) if isinstance(each, Looked)] == []


def test_an_umpire_who_plays_no_seat_lends_it_for_one_who_is_away_and_that_is_entered() -> None:
    there = fighting()
    lent(there, by="umpire")
    assert [each.what for each in entered(there) if isinstance(each, Looked)] == ["account"]
    assert there.browser("guest").get(page_of(there)).status_code == 200


def test_what_is_sealed_there_is_read_by_nobody_whom_an_umpire_lets_in() -> None:
    there = fighting(resolver="batailles")
    token = link_by(there, "umpire")
    answered(there, "commander")
    with pytest.raises(NotAllowed, match=r"guest\.sealed"):
        accept(token, person("guest"))
    accept(link_by(there, "commander"), person("guest"))
    assert visit_of(there.fresh(), person("guest")).guest


def test_an_umpire_has_no_link_that_the_commander_made() -> None:
    there = fighting(resolver="batailles")
    host = visit_of(there.fresh(), there.people["commander"])
    made = [
        unused_link(link_by(there, "commander")),
        invite_to(host, "A", SUCCESSOR), invite_to(host, "A", MEMBER),
    ]  # fmt: skip
    umpire = visit_of(there.fresh(), there.people["umpire"])
    assert not {door.pk for door in doors_of(umpire)} & {door.pk for door in made}
    assert {door.pk for door in doors_of(host)} == {door.pk for door in made}
    for door in made:
        other = invite_to(umpire, "A", door.role, door.path)
        assert other.pk != door.pk
        assert door.pk in {each.pk for each in doors_of(host)}
        assert other.pk in {each.pk for each in doors_of(host)}, "its commander may withdraw it"


def unused_link(token: str) -> Invitation:
    return Invitation.objects.get(role=GUEST, used=None)


def test_there_is_one_guest_a_side_and_he_is_on_no_other() -> None:
    there = fighting()
    lent(there)
    with pytest.raises(NotAllowed, match=r"guest\.taken"):
        link_by(there, "commander")
    with pytest.raises(NotAllowed, match=r"invitation\.party"):
        accept(link_by(there, "rival", "B"), there.people["guest"])
    for role in ("umpire", "rival"):
        with pytest.raises(NotAllowed, match=r"invitation\.party"):
            accept(made_before(there), there.people[role])
    with pytest.raises(NotAllowed, match=r"seat\.yours"):
        accept(made_before(there), there.people["commander"])
    with pytest.raises(NotAllowed, match=r"guest\.taken"):
        accept(made_before(there), there.people["stranger"])


def made_before(there: World) -> str:
    """A link to A's side as one that was made while it was free."""
    with read_lock(there.campaign) as table:
        brief, inner = next(battles(table.game, "A"))
    return token_of(
        Invitation.objects.create(
            campaign=there.campaign,
            by=there.people["commander"],
            seat="A",
            role=GUEST,
            path=inner.path,
            place=brief.place,
        )
    )


@pytest.mark.parametrize(("seat", "role"), [("B", MEMBER), ("B", SUCCESSOR), ("", UMPIRE_ROLE)])
def test_a_guest_changes_no_side_while_his_battle_is_fought(seat: str, role: str) -> None:
    there = fighting()
    guest = lent(there)
    with pytest.raises(NotAllowed, match=r"invitation\.party"):
        accept(invitation(there, seat, role), guest)
    accept(invitation(there), guest)  # he may watch


def test_an_adviser_is_a_guest_of_his_own_seat() -> None:
    there = fighting()
    accept(link_by(there, "commander"), there.people["adviser"])
    assert there.browser("adviser").get(page_of(there)).status_code == 200
    shown = there.browser("adviser").get(way("seat", there.campaign, seat="A"))
    assert "only the commander of this seat can answer" in said(shown)


def test_a_link_of_a_battle_that_is_over_opens_nothing() -> None:
    there = fighting()
    token = link_by(there, "commander")
    play_on(there, battle_over)
    with pytest.raises(NotAllowed, match=r"guest\.over"):
        accept(token, person("guest"))
    sent = browser(person("guest")).post(link(token))
    assert sent.status_code == 422 and "or it is over" in said(sent)


def test_there_is_nothing_to_lend_where_no_battle_is_fought_here() -> None:
    there = fighting()
    visit = visit_of(there.fresh(), there.people["commander"])
    for path in ("", "1-nowhere", path_of(there) + "~2"):
        with pytest.raises(NotAllowed, match=r"guest\.over"):
            invite_to(visit, "A", GUEST, path)
    table = world(seats=2, options={"resolver": "tabletop"})
    to_battle(table, reached=lambda game: bool(game.runner.branches))
    with read_lock(table.campaign) as held:
        paths = [(inner.path, brief.sides) for brief, inner in held.game.runner.branches]
        fights = [seat for seat in "AB" if list(battles(held.game, seat))]
    assert paths and not fights


def test_who_has_the_key_to_an_account_reads_what_it_reads() -> None:
    there = fighting(resolver="batailles")
    guest = lent(there)
    umpire = visit_of(there.fresh(), there.people["umpire"])
    assert may_renew(umpire, guest)
    answered(there, "guest")
    with pytest.raises(Refusal, match="sealed"):
        entrusted(umpire, guest)
    other = fighting()
    assert not may_renew(visit_of(other.fresh(), other.people["commander"]), guest)


def test_a_seat_of_a_program_is_lent_to_nobody() -> None:
    there = fighting()
    Seat.objects.filter(campaign=there.campaign, code="A").update(bot="steady")
    shown = said(there.browser("umpire").get(way("people", there.campaign)))
    assert "Lend a side: " in shown  # B's
    assert f'id="battle-A-{path_of(there)}"' not in shown
    with pytest.raises(NotAllowed, match=r"guest\.program"):
        accept(made_before(there), person("guest"))


# What he hears -----------------------------------------------------------------------------------


def test_he_hears_that_something_took_effect_and_not_that_a_seat_has_sealed() -> None:
    there = fighting(resolver="batailles")
    visit = visit_of(there.fresh(), lent(there))
    assert stream._may_hear(visit, "course")
    assert not stream._may_hear(visit, "ready")
    marks = {stream._missed(visit, 0)[1]}
    answered(there, "commander")
    marks.add(stream._missed(visit, 0)[1])
    assert len(marks) == 1
    assert stream._missed(visit_of(there.fresh(), there.people["rival"]), 0)[1] not in marks


def test_a_form_sent_after_signing_out_leads_back_to_his_battle() -> None:
    there = fighting()
    lent(there)
    sent = browser().post(page_of(there, "guest_answer"), {})
    assert sent.status_code == 302
    assert page_of(there) in sent["Location"]


def test_his_drafts_are_his_own() -> None:
    there = fighting()
    lent(there)
    key = open_key(there, "A")
    there.browser("commander").post(
        way("answer", there.campaign, seat="A"), {"key": key_text(key), "do": "work"}
    )
    assert there.people["commander"].drafts.exists()
    assert not there.people["guest"].drafts.exists()
