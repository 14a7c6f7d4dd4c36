"""News by mail: each once, to its reader alone, in their language, as things stand."""

from __future__ import annotations

from datetime import timedelta
from smtplib import SMTPConnectError
from types import SimpleNamespace
from typing import Any

import pytest
from django.core import mail, signing
from django.core.mail import EmailMessage
from django.utils import timezone

from polemarque.club.clock.clockwork import QUIET
from polemarque.club.clock.models import STALE, Notice, put_out
from polemarque.club.clock.news import BEGUN, MAILED, REVEAL, TURN, tell
from polemarque.club.models import OVER, Campaign, Person
from polemarque.club.orders.answers import seal
from polemarque.web import notices
from polemarque.web.notices import deliver, stop_token
from tests.club.people import asked, campaign, person, some_answer
from tests.web.desks import seal_for
from tests.web.people import browser, said, way

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(settings: Any) -> Campaign:
    settings.MAIL, settings.ADDRESS = True, "https://club.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    found = campaign("atlantide", seats=3)
    for one in Person.objects.all():
        one.email, one.lang = f"{one.username}@example.org", "en"
        one.save()
    return asked_before(found)


def asked_before(made: Campaign) -> Campaign:
    """Its questions have been open for a while."""
    then = timezone.now() - 2 * QUIET
    Campaign.objects.filter(pk=made.pk).update(asked=then, opened={}, pace=72)
    made.refresh_from_db()
    return made


def to(name: str) -> list[Any]:
    return [one for one in mail.outbox if one.to == [f"{name}@example.org"]]


def round_of(made: Campaign) -> None:
    tell(made)
    deliver()


def test_everybody_is_told_once_what_is_asked_until_when_and_where(made: Campaign) -> None:
    Person.objects.filter(username="b").update(lang="fr")
    for _ in range(3):
        round_of(made)
    assert sorted(one.to[0][0] for one in mail.outbox) == ["a", "b", "c", "z"]
    (english,), (french,) = to("a"), to("b")
    assert english.subject == "A test: the campaign begins"
    assert "It is your turn to answer" in english.body and "before" in english.body
    assert f"https://club.example.org{way('seat', made, seat='A')}" in english.body
    assert "À vous de répondre" in french.body and "avant le" in french.body
    assert "your turn" not in to("zoe")[0].body, "who umpires is asked nothing"
    assert set(Notice.objects.values_list("text", flat=True)) == {BEGUN, TURN}


def test_what_may_have_been_sent_is_sent_again_by_itself_under_its_own_name(
    made: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_: Notice) -> None:
        raise Killed

    tell(made)
    with monkeypatch.context() as broken:
        broken.setattr(notices, "forget", killed)
        with pytest.raises(Killed):
            deliver()
    (first,) = mail.outbox
    name = first.to[0].partition("@")[0]
    put_out(made, [person(name)], MAILED, "mailed.1", lines=["It is new."], seat="A")
    Notice.objects.update(after=timezone.now())
    deliver()
    _, again, new = to(name)
    assert again.extra_headers["Message-ID"] == first.extra_headers["Message-ID"]
    assert again.extra_headers["Message-ID"] != new.extra_headers["Message-ID"]
    assert "It is new." in new.body and "It is new." not in again.body


def test_a_turn_brings_the_map_as_its_reader_sees_it_where_it_can_be_drawn(
    made: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    round_of(made)
    drawn = {name: to(name)[0].attachments for name in "abc"}
    for ((name, raw, kind),) in drawn.values():
        assert name == f"{made.code}.png" and kind == "image/png"
        assert raw.startswith(b"\x89PNG") and 10_000 < len(raw) < 600_000
    put_out(made, [person("a")], MAILED, "mailed.1", lines=["It is kept."], seat="A")
    deliver()
    assert not to("a")[1].attachments

    def fails(_: str) -> bytes:
        raise ValueError

    for name, other in (("png", fails), ("printable", lambda: False)):
        monkeypatch.setattr(notices, name, other)
        Notice.objects.all().delete()
        mail.outbox.clear()
        round_of(made)
        assert not to("a")[0].attachments and way("seat", made, seat="A") in to("a")[0].body


def test_a_question_that_is_answered_by_then_is_told_of_no_more(made: Campaign) -> None:
    tell(made)
    Notice.objects.filter(text=BEGUN).delete()
    seal_for(made, "A")
    deliver()
    assert not to("a") and to("c")
    assert not Notice.objects.filter(sent=None).exists()


def test_who_answers_soon_is_told_nothing_of_questions(made: Campaign) -> None:
    Campaign.objects.filter(pk=made.pk).update(asked=timezone.now(), opened={})
    made.refresh_from_db()
    tell(made)
    assert not Notice.objects.filter(text=TURN).exists()


def test_sealed_answers_that_are_shown_are_told_to_all_but_the_last(made: Campaign) -> None:
    for seat in "ABC":
        assert not Notice.objects.filter(text=REVEAL).exists()
        seal_for(made, seat)
        made.refresh_from_db()
        tell(made)
    told = Notice.objects.filter(text=REVEAL).values_list("person__username", flat=True)
    assert sorted(told) == ["a", "b"]


def test_what_some_are_spared_is_not_told_as_shown(made: Campaign) -> None:
    """Who has answered it had something to decide."""
    for seat in "ABC":
        seal_for(made, seat)
    made.receipts.update(untold=True)
    made.refresh_from_db()
    tell(made)
    assert not Notice.objects.filter(text=REVEAL).exists()


def test_a_reminder_is_sent_once_before_the_deadline(made: Campaign) -> None:
    Campaign.objects.filter(pk=made.pk).update(pace=5, clock={"remind": 6})
    made.refresh_from_db()
    for _ in range(2):
        round_of(made)
    assert Notice.objects.filter(text="reminder").count() == 3 and len(mail.outbox) == 4


def test_the_end_is_told_once(made: Campaign) -> None:
    round_of(made)
    mail.outbox.clear()
    Campaign.objects.filter(pk=made.pk).update(stage=OVER)
    made.refresh_from_db()
    for _ in range(2):
        round_of(made)
    assert {one.subject for one in mail.outbox} == {"A test: the campaign is over"}
    assert len(mail.outbox) == 4


def test_no_mail_holds_what_another_seat_has_sealed_or_hears(
    made: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever B has sealed, A is sent the same at the same moment."""
    moment = timezone.now() + timedelta(minutes=1)
    monkeypatch.setattr(timezone, "now", lambda: moment)
    monkeypatch.setattr(signing, "time", SimpleNamespace(time=moment.timestamp))
    bodies, key, digest = [], asked(made, "B"), ""
    values = [some_answer(made, "B", number) for number in range(9)]
    for value in (values[0], next(each for each in values if each != values[0])):
        receipt = seal(made, person("b"), "B", key, value, once=digest or "first", standing=digest)
        assert receipt is not None
        digest = receipt.digest
        Notice.objects.all().delete()
        mail.outbox.clear()
        asked_before(made)
        round_of(made)
        bodies.append([(one.subject, one.body, one.attachments) for one in to("a")])
    assert bodies[0] == bodies[1]


# Faults ------------------------------------------------------------------------------------------


class Killed(BaseException):
    """As if the process had been ended."""


@pytest.mark.parametrize("after", [False, True], ids=["before it is sent", "just after"])
def test_killed_in_the_middle_every_notice_is_sent_and_none_has_two_names(
    made: Campaign, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    tell(made)
    real, left = EmailMessage.send, [2]

    def send(message: EmailMessage, **more: Any) -> int:
        left[0] -= 1
        if left[0] == 0:
            if after:
                real(message, **more)
            raise Killed
        return real(message, **more)

    monkeypatch.setattr(EmailMessage, "send", send)
    with pytest.raises(Killed):
        deliver()
    deliver()
    Notice.objects.filter(sent=None).update(after=timezone.now())  # two minutes later
    deliver()
    deliver()
    names = {one.extra_headers["Message-ID"]: one.to for one in mail.outbox}
    assert len(names) == 4 and len({tuple(who) for who in names.values()}) == 4
    assert len(mail.outbox) == (5 if after else 4)


def test_a_mail_server_that_is_down_for_a_week(
    made: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(made)
    tries, now = [0], timezone.now()
    clock = [now]
    monkeypatch.setattr(timezone, "now", lambda: clock[0])
    real = EmailMessage.send

    def down(*_: Any, **__: Any) -> int:
        tries[0] += 1
        raise SMTPConnectError(421, "no")

    monkeypatch.setattr(EmailMessage, "send", down)
    while clock[0] < now + STALE - timedelta(hours=7):
        deliver()
        clock[0] += timedelta(hours=1)
    assert 20 < tries[0] < 4 * 60, "later each time, and not for each of them"
    desk = said(browser(person("zoe")).get(way("desk", made)))
    assert "SMTPConnectError" in desk and "News wait to be sent" in desk
    monkeypatch.setattr(EmailMessage, "send", real)
    clock[0] = now + STALE - timedelta(minutes=1)
    deliver()
    assert len(mail.outbox) == 4 and not Notice.objects.filter(sent=None).exists()


def test_one_mail_that_cannot_be_written_stops_no_other(
    made: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell(made)
    real = notices._send

    def send(who: Person, rows: Any) -> None:
        if who.username == "a":
            raise ValueError("broken")
        real(who, rows)

    monkeypatch.setattr(notices, "_send", send)
    deliver()
    assert len(mail.outbox) == 3


# How somebody wants them -------------------------------------------------------------------------


def test_the_link_in_a_mail_stops_them_without_signing_in(made: Campaign) -> None:
    round_of(made)
    (told,) = to("a")
    link = (
        told.extra_headers["List-Unsubscribe"].strip("<>").removeprefix("https://club.example.org")
    )
    assert link in told.body
    nobody = browser(enforce_csrf_checks=True)
    assert "Stop the mails" in said(nobody.get(link))
    assert person("a").mails == "", "a mail program only looks"
    assert "are stopped" in said(nobody.post(link, {"List-Unsubscribe": "One-Click"}))
    assert person("a").mails == "none"
    assert nobody.post(link[:-2] + "x/").status_code == 404
    assert nobody.post(f"/mails/{stop_token(person('b'))[:-1]}A/").status_code == 404
    Notice.objects.all().delete()
    mail.outbox.clear()
    round_of(made)
    assert not to("a") and to("b")
    given = {"called": "", "lang": "en", "theme": "", "mails": "daily"}
    browser(person("a")).post("/settings/", given)
    assert person("a").mails == "daily"


def test_one_mail_a_day_holds_all_campaigns(
    made: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    Person.objects.filter(username="a").update(mails="daily")
    other = asked_before(campaign("batailles"))
    morning = timezone.localtime().replace(hour=6, minute=50) + timedelta(days=1)
    tell(made)
    tell(other)
    monkeypatch.setattr(timezone, "now", lambda: morning)
    deliver()
    assert not to("a")
    monkeypatch.setattr(timezone, "now", lambda: morning + timedelta(minutes=15))
    for _ in range(2):
        deliver()
    (told,) = to("a")
    assert told.subject == "Polémarque: news of 2 campaigns"
    for each in (made, other):
        assert way("seat", each, seat="A") in told.body
