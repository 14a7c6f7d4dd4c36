"""Letters on the pages."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail

from polemarque.club.messages.models import Complaint, Letter
from polemarque.club.models import MEMBER, Campaign, Holder
from tests.club.people import campaign, person
from tests.web.desks import forms_to
from tests.web.people import browser, by_id, said, way

pytestmark = pytest.mark.django_db


@pytest.fixture
def made() -> Campaign:
    return campaign("atlantide", seats=4, held=3)


def write(made: Campaign, name: str, text: str = "Two legions.", **more: Any) -> Any:
    sheet = {"as": name.upper(), "to": ["B"], "text": text, "once": f"{name}{text}", **more}
    return browser(person(name)).post(way("letter_write", made), sheet, follow=True)


def test_a_letter_goes_from_page_to_page(made: Campaign) -> None:
    shown = browser(person("a")).get(way("letters", made))
    (form,) = forms_to(shown, way("letter_write", made))
    to = [e.attrs["value"] for e in form.all("input") if e.attrs["name"] == "to"]
    assert to == ["B", "C", "umpire"]
    done = write(made, "a", "One\nTwo <b>")
    assert "Your letter is sent." in said(done) and "One<br>Two &lt;b&gt;" in said(done)
    ben = browser(person("b"))
    assert "Letters (1 new)" in said(ben.get(way("seat", made, seat="B")))
    assert "a new letter" in said(ben.get("/"))
    assert "new letter" not in said(browser(person("c")).get("/"))
    there = ben.get(way("letters", made))
    assert "<strong>1 new</strong>" in said(there)
    read = ben.get(way("exchange", made, among="A,B"))
    assert "One<br>Two" in said(read) and "(1 new)" not in said(ben.get(way("letters", made)))
    (answer,) = forms_to(read, way("letter_write", made))
    fields = [(e.attrs["name"], e.attrs.get("value", "")) for e in answer.all("input")]
    data: dict[str, Any] = {"to": [v for n, v in fields if n == "to"], "text": "No."}
    data |= {n: v for n, v in fields if n not in {"to", "csrfmiddlewaretoken"}}
    ben.post(way("letter_write", made), data)
    assert [(row.voice, row.among) for row in Letter.objects.all()] == [("A", "A,B"), ("B", "A,B")]


def test_what_was_typed_is_there_again(made: Campaign) -> None:
    for more, field in (({"to": []}, "as"), ({"text": ""}, "as"), ({"as": "B"}, "as")):
        wrong = write(made, "a", **{"text": "Two legions.", **more})
        assert wrong.status_code == 422 and by_id(wrong, "letter-error"), field
    wrong = write(made, "a", "Two legions.", to=["D"])
    assert "Two legions.</textarea>" in said(wrong)
    assert "You can write to: " in said(wrong)
    assert not Letter.objects.exists()


def test_nobody_else_hears_of_a_letter(made: Campaign) -> None:
    Holder.objects.create(seat=made.seats.get(code="C"), person=person("ada"), role=MEMBER)
    pages = [(name, page) for name in ("c", "ada") for page in ("letters", "people", "chronicle")]
    pages += [("zoe", page) for page in ("letters", "people", "desk")]

    def read() -> list[str]:
        found = []
        for name, page in pages:
            body = said(browser(person(name)).get(way(page, made)))
            found.append("".join(line for line in body.splitlines() if "csrf" not in line))
        return found

    def plain(bodies: list[str]) -> list[list[str]]:
        return [
            [w for w in body.split() if not w.startswith(("value=", "nonce="))] for body in bodies
        ]

    before = plain(read())
    write(made, "a")
    assert plain(read()) == before
    for name in ("c", "ada", "zoe"):
        assert browser(person(name)).get(way("exchange", made, among="A,B")).status_code == 404


def test_a_mail_tells_that_a_letter_waits_and_not_what_it_says(
    made: Campaign, settings: Any
) -> None:
    settings.MAIL, settings.ADDRESS = True, "https://club.example.org"
    ben = person("b")
    ben.email, ben.lang = "ben@example.org", "fr"
    ben.save()
    write(made, "a", "Secret")
    write(made, "a", "Another")
    (sent,) = mail.outbox
    assert sent.to == ["ben@example.org"] and "une lettre pour vous" in sent.subject
    assert "Secret" not in sent.body
    assert f"https://club.example.org{way('letters', made)}" in sent.body


def test_a_letter_is_shown_to_the_umpires_and_struck(made: Campaign) -> None:
    write(made, "a", "Insult.")
    letter = Letter.objects.get()
    ben, zoe = browser(person("b")), browser(person("zoe"))
    show = way("letter_show", made, number=str(letter.pk))
    assert show in said(ben.get(way("exchange", made, among="A,B")))
    assert show not in said(browser(person("a")).get(way("exchange", made, among="A,B")))
    assert "The umpires see this letter" in said(ben.post(show, follow=True))
    desk = zoe.get(way("letters", made))
    assert "Insult." in said(desk)
    number = Complaint.objects.get().pk
    zoe.post(way("letter_order", made), {"do": "strike", "number": str(number)})
    for name in ("a", "b"):
        read = said(browser(person(name)).get(way("exchange", made, among="A,B")))
        assert "Insult." not in read and "An umpire has struck this letter." in read
    for name in ("a", "eve"):
        order = browser(person(name)).post(way("letter_order", made), {"do": "close"})
        assert order.status_code == 404


def test_umpires_close_the_letters_between_seats(made: Campaign) -> None:
    zoe = browser(person("zoe"))
    zoe.post(way("letter_order", made), {"do": "close"})
    told = said(browser(person("a")).get(way("letters", made)))
    assert "The umpires have closed the letters between seats" in told
    assert write(made, "a").status_code == 422
    assert write(made, "a", "Help", to=["umpire"]).status_code == 200
    zoe.post(way("letter_order", made), {"do": "open"})
    assert write(made, "a", "Peace").status_code == 200


def test_a_door_is_shut_and_opened_on_the_page(made: Campaign) -> None:
    ben = browser(person("b"))
    door = {"seat": "B", "against": "A"}
    done = ben.post(way("letter_doors", made), {**door, "do": "shut"}, follow=True)
    assert "You refuse letters from " in said(done)
    refused = write(made, "a")
    assert refused.status_code == 422 and "takes no letters from you" in said(refused)
    done = ben.post(way("letter_doors", made), {**door, "do": "open"}, follow=True)
    assert "You refuse letters from " not in said(done)
    assert write(made, "a").status_code == 200


def test_where_a_program_has_taken_over_nobody_answers(made: Campaign) -> None:
    write(made, "a")
    made.seats.filter(code="B").update(bot="steady")
    read = said(browser(person("a")).get(way("exchange", made, among="A,B")))
    assert "Nobody answers for" in read and 'name="text"' not in read


def test_an_adviser_reads_and_does_not_write(made: Campaign) -> None:
    Holder.objects.create(seat=made.seats.get(code="B"), person=person("ada"), role=MEMBER)
    write(made, "a")
    ada = browser(person("ada"))
    read = said(ada.get(way("exchange", made, among="A,B")))
    assert "Two legions." in read and 'name="text"' not in read
    assert 'class="slip mine"' not in read, "it is another's letter"
    assert 'class="slip mine"' in said(browser(person("a")).get(way("exchange", made, among="A,B")))
    assert "The person who commands the seat writes" in read
    assert (
        ada.post(way("letter_write", made), {"as": "B", "to": ["A"], "text": "x"}).status_code
        == 422
    )
