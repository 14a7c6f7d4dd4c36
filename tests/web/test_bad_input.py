"""Whatever is sent: never a fault, nothing typed lost, nothing changed that was not meant."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse

from polemarque.club.campaigns import session
from polemarque.club.campaigns.question_keys import key_text
from polemarque.club.campaigns.session import read_lock
from polemarque.club.models import COMMANDER, Draft, Entry, Given, Holder, Proposal, Receipt
from polemarque.kernel.records.entries import Looked
from polemarque.web.forms import posted_of as typed
from polemarque.web.questions import named
from polemarque.web.urls import urlpatterns
from tests.web.asked import WORDS
from tests.web.browser import sent
from tests.web.desks import entries
from tests.web.people import page, said
from tests.web.test_matrix import addresses, waiting_act
from tests.web.world import ROLES, World, answers_to, open_key, play_on, sealed, world

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(300)]

Fields = dict[str, Any]


def way(there: World, name: str, seat: str = "A") -> str:
    return reverse(name, kwargs={"code": there.campaign.code, "seat": seat})


def form(there: World, client: Client, seat: str = "A") -> Fields:
    """What a browser sends of the first question's form, as the page of a seat shows it now."""
    answer = way(there, "answer", seat)
    forms = page(client.get(way(there, "seat", seat))).all("form")
    found = next(each for each in forms if each.attrs.get("action") == answer)
    return {**sent(found), "do": "seal"}


def filled(there: World, blank: Fields, number: int, seat: str = "A") -> Fields:
    """A form with one of several answers typed in."""
    key = open_key(there, seat)
    value = answers_to(there, key, number + 1)[number]
    with read_lock(there.campaign) as table:
        _, request = table.game.runner.find(key)
        options = request.options(seat)  # type: ignore[union-attr]
    name = named(key_text(key))
    kept = {field: value for field, value in blank.items() if not field.startswith(name)}
    return {**kept, **typed(options, value, WORDS, name)}


def standing(there: World, seat: str = "A") -> Any:
    """The answer of a seat that stands."""
    with read_lock(there.campaign) as table:
        (request,) = [r for r in table.game.course.requests() if seat in r.seats]
        return request.answered.get(seat)


# The same question twice -------------------------------------------------------------------------


def test_a_double_click_is_one_answer() -> None:
    there = world()
    client = there.browser("commander")
    fields = filled(there, form(there, client), 0)
    before = Entry.objects.count()
    first, again = [client.post(way(there, "answer"), fields) for _ in range(2)]
    assert (first.status_code, again.status_code) == (303, 303)
    assert first["Location"] == again["Location"]
    assert (Entry.objects.count(), Given.objects.count()) == (before + 1, 1)
    assert "not counted twice" in said(client.get(again["Location"]))


def test_two_tabs_do_not_replace_each_other_unseen() -> None:
    there = world()
    client = there.browser("commander")
    one, other = form(there, client), form(there, client)
    values = answers_to(there, open_key(there, "A"), 2)
    assert client.post(way(there, "answer"), filled(there, one, 0)).status_code == 303
    late = client.post(way(there, "answer"), filled(there, other, 1))
    assert late.status_code == 409
    assert standing(there) == values[0]
    assert Receipt.objects.count() == 1
    # What was typed is in the form that comes back, and sealing it now replaces what stands.
    kept = form(there, client)
    assert client.post(way(there, "answer"), kept).status_code == 303
    assert standing(there) == values[1]
    assert list(Receipt.objects.values_list("replaced", flat=True)) == [True, False]


def test_two_people_of_a_seat_do_not_replace_each_other_unseen() -> None:
    there = world()
    Holder.objects.create(
        seat=there.campaign.seats.get(code="A"), person=there.people["stranger"], role=COMMANDER
    )
    one, other = there.browser("commander"), there.browser("stranger")
    typed_by_one, typed_by_other = form(there, one), form(there, other)
    values = answers_to(there, open_key(there, "A"), 2)
    assert one.post(way(there, "answer"), filled(there, typed_by_one, 0)).status_code == 303
    answer = other.post(way(there, "answer"), filled(there, typed_by_other, 1))
    assert answer.status_code == 409
    assert standing(there) == values[0]
    assert other.post(way(there, "answer"), form(there, other)).status_code == 303
    assert standing(there) == values[1]


def test_what_was_changed_after_going_back_is_not_taken_for_the_same() -> None:
    there = world()
    client = there.browser("commander")
    blank = form(there, client)
    values = answers_to(there, open_key(there, "A"), 2)
    client.post(way(there, "answer"), filled(there, blank, 0))
    back = client.post(way(there, "answer"), filled(there, blank, 1))
    assert back.status_code == 409
    assert standing(there) == values[0]
    assert client.post(way(there, "answer"), form(there, client)).status_code == 303
    assert standing(there) == values[1]
    # And the first form of all does not bring the first answer back unseen.
    assert client.post(way(there, "answer"), filled(there, blank, 0)).status_code == 409
    assert standing(there) == values[1]


def test_an_answer_taken_back_is_not_given_again_unseen() -> None:
    there = world()
    client = there.browser("commander")
    fields = filled(there, form(there, client), 0)
    client.post(way(there, "answer"), fields)
    assert client.post(way(there, "undo")).status_code == 303
    assert standing(there) is None
    assert client.post(way(there, "answer"), fields).status_code == 409
    assert standing(there) is None
    assert client.post(way(there, "answer"), form(there, client)).status_code == 303
    assert standing(there) == answers_to(there, open_key(there, "A"), 1)[0]


def test_an_answer_to_a_question_of_yesterday_changes_nothing() -> None:
    there = world()
    client = there.browser("commander")
    fields = filled(there, form(there, client), 0)
    play_on(there, lambda game: not any("AT-1.1" in r.rule for r in game.requests()))
    head = there.head
    late = client.post(way(there, "answer"), fields)
    assert late.status_code == 409
    assert there.head == head
    assert not Given.objects.exists()


def test_nobody_but_its_commander_answers_for_a_seat() -> None:
    there = world()
    fields = filled(there, form(there, there.browser("commander")), 0)
    head = there.head
    for role in ROLES[:-1]:
        if role != "commander":
            status = there.browser(role).post(way(there, "answer"), fields).status_code
            assert status == (302 if role == "anonymous" else 404), role
    # The same form at the door of one's own seat.
    assert there.browser("rival").post(way(there, "answer", "B"), fields).status_code == 404
    assert there.head == head


# Half-filled and wrong ---------------------------------------------------------------------------


def test_what_was_typed_is_there_again() -> None:
    there = world()
    client = there.browser("commander")
    blank = form(there, client)
    (name,) = [n for n in blank if n.endswith("/catalogue")]
    wrong = {**blank, name: "no such people", "do": "seal"}
    answer = client.post(way(there, "answer"), wrong)
    assert answer.status_code == 422
    (field,) = [e for e in page(answer).all("select", "fieldset") if e.attrs.get("id") == name]
    assert "aria-invalid" in field.attrs or f"{name}-error" in said(answer)
    assert Draft.objects.get().fields[name] == ["no such people"]
    half = {**blank, name: "hittites", "do": "work"}
    assert client.post(way(there, "answer"), half).status_code == 200
    assert form(there, client)[name] == ["hittites"]
    assert form(there, there.browser("commander"))[name] == ["hittites"]
    assert not Receipt.objects.exists()


DEEP = "[" * 50_000
ODD = {
    "nothing": "", "nul": "\0", "blank": " \t\n", "deep": DEEP, "object": "{" * 3000,
    "long": "é" * 300_000, "number": "9" * 5000, "minus": "-1", "float": "1e400", "nan": "NaN",
    "surrogate": '"\\ud800"', "markup": "<script>alert(1)</script>", "list": "[[],[]]",
    "key": '[7,"","AT-1.1","A"]', "huge_key": '[99999999999999999999999,"","AT-1.1","A"]',
    "path": '[1,"x-y","AT-1.1","A"]', "other": '[1,"","AT-1.1","B"]', "words": '["a","b","c","d"]',
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("field", ["key", "once", "standing", "salt", "do", "a part", "all parts"])
def test_odd_things_in_any_field(field: str) -> None:
    there = world()
    client = there.browser("commander")
    good = filled(there, form(there, client), 0)
    parts = [name for name in good if name.startswith(named(key_text(open_key(there, "A"))))]
    names = {"a part": [n for n in parts if n.endswith("/catalogue")], "all parts": parts}.get(
        field, [field]
    )
    head = there.head
    for odd, value in ODD.items():
        with transaction.atomic():
            answer = client.post(way(there, "answer"), {**good, **dict.fromkeys(names, value)})
            assert answer.status_code < 500, odd
            harmless = field in {"once", "salt", "standing"}
            assert harmless or answer.status_code != 303, odd
            assert harmless or there.head == head, odd
            assert "<script>alert" not in said(answer)
            transaction.set_rollback(True)
        session._tables.clear()


def test_bytes_that_are_no_text() -> None:
    there = world()
    client = there.browser("commander")
    head = there.head
    kind = "application/x-www-form-urlencoded"
    for raw in (b"key=%ED%A0%80", b"key=%00%ff&do=seal", b"\xff\xfe=\xff", b"&&&=;", b"%=%&%u=1"):
        answer = client.post(way(there, "answer"), raw, content_type=kind)
        assert answer.status_code == 422, raw
    for kind in ("application/json", "multipart/form-data", "multipart/form-data; boundary=x", "x"):
        answer = client.post(way(there, "answer"), b'--x\r\n{"key": 1}', content_type=kind)
        assert 400 <= answer.status_code < 500, kind
    assert there.head == head


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_too_much_is_refused_with_a_sentence(lang: str) -> None:
    there = world(begun=False)
    client = there.browser("commander", lang=lang)
    many = {f"f{n}": "x" for n in range(10_000)}
    files = {f"f{n}": SimpleUploadedFile("x", b"x") for n in range(200)}
    long = {"key": "x" * (6 * 2**20)}
    too_long = {"fr": "Trop long", "en": "Too long"}[lang]
    unreadable = {"fr": "pas lisible", "en": "cannot be read"}[lang]
    for fields, status, words in (
        (many, 400, unreadable), (files, 400, unreadable), (long, 413, too_long),
    ):  # fmt: skip
        answer = client.post(reverse("settings"), fields)
        assert answer.status_code == status
        assert words in said(answer)


# Anything, by anybody, anywhere ------------------------------------------------------------------

TAKES_ANYTHING = frozenset({"undo"})
"""Pages whose whole form is one button: what comes with it is not looked at."""


def acted(before: list[Any], after: list[Any]) -> list[Any]:
    """What has been entered beside the note that an umpire has been shown a form again."""
    assert after[: len(before)] == before
    return [each for each in after[len(before) :] if not isinstance(each, Looked)]


def garbage(chance: Random, there: World) -> Fields:
    """A form as nobody would send it, with some of what a real one has."""
    known = ["key", "once", "standing", "salt", "do", "seat", "role", "number", "value", "reason",
             "name", "path", "word", "program", "title", "setup", "seats", "faces", "dice",
             "called", "lang", "theme", "next", "username", "password", "login"]  # fmt: skip
    keys = [key_text(open_key(there, seat)) for seat in ("A", "B")]
    values = [*ODD.values(), *keys, "A", "B", "umpire", "seal", "work", "fr", "1", "0" * 64]
    fields: Fields = {"do": chance.choice(["seal", "work", "confirm", ""])}
    for _ in range(chance.randrange(1, 9)):
        name = chance.choice([*known, f"{named(keys[0])}/x", named(keys[0])])
        fields[name] = [chance.choice(values) for _ in range(chance.randrange(1, 3))]
    if chance.random() < 0.2:
        fields[chance.choice(["record", "receipts", "file"])] = SimpleUploadedFile(
            "x", chance.randbytes(200)
        )
    return fields


@pytest.mark.parametrize("seed", range(4))
def test_garbage_changes_nothing(seed: int) -> None:
    chance, there = Random(seed), world()
    digest = sealed(there, "A", "commander").digest
    ways = addresses(there, digest)
    before = entries(there.campaign)
    posts = [p.name for p in urlpatterns if p.name != "verify"]
    for _ in range(60):
        name, role = chance.choice(posts), chance.choice(ROLES[:-1])
        fields = garbage(chance, there)
        with transaction.atomic():
            answer = there.browser(role).post(ways[name], fields)
            told = json.dumps(fields, default=str)[:300]
            assert answer.status_code < 500, (name, role, told)
            after = entries(there.campaign)
            assert name in TAKES_ANYTHING or acted(before, after) == [], (name, role, told)
            transaction.set_rollback(True)
        session._tables.clear()


# Too much, and forged --------------------------------------------------------------------------


def test_more_than_a_form_holds_is_refused_and_not_kept() -> None:
    there = world()
    client = there.browser("commander")
    fields = form(there, client)
    name = named(str(fields["key"][-1]))
    answer = client.post(way(there, "answer"), {**fields, "do": "work", f"{name}x": "x" * 300_000})
    assert answer.status_code == 422
    assert "This form is too long" in said(answer)
    assert not Draft.objects.exists()


def test_a_forged_mark_of_a_form_is_nobody_s_act() -> None:
    there = world()
    act = waiting_act(there)
    desk = {"code": there.campaign.code}
    client = there.browser("umpire")
    entry = Entry.objects.order_by("number").first()
    assert entry is not None  # somebody has sent it before, with a form of another kind
    Given.objects.create(campaign=there.campaign, entry=entry, once=f"act-{act}")
    done = {"do": "confirm", "number": str(there.fresh().count)}
    sent_there = client.post(reverse("act", kwargs={**desk, "number": act}), done)
    assert sent_there.status_code == 303
    assert Proposal.objects.get().entered
