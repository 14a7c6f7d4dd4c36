"""Mails about the date of a battle: to whom it concerns, in his language, each once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django.utils import timezone

from polemarque.club.clock.battle_dates import agree, propose_date
from polemarque.club.clock.models import (
    STALE,
    Meeting,
    Notice,
    put_back,
    put_out,
    take_out,
    waiting,
)
from polemarque.club.models import Campaign, Holder, Person, Watcher
from polemarque.club.people.roles import visit_of
from polemarque.web import mails
from tests.club.people import battle_on_the_table, kept, person
from tests.club.test_battle_dates import path
from tests.web.people import browser, way
from tests.web.test_battles import fields, form, sent, sides, typed

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(settings: Any) -> Campaign:
    settings.MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    found = kept(battle_on_the_table(4))
    Watcher.objects.create(campaign=found, person=person("eve"))
    for one in Person.objects.all():
        one.email = f"{one.username}@example.org"
        one.save()
    return found


def players(made: Campaign) -> tuple[Person, Person]:
    one, other = sides(made)
    return person(one.lower()), person(other.lower())


def told() -> list[tuple[list[str], str]]:
    return [(one.to, one.subject) for one in mail.outbox]


def test_a_date_is_told_to_whose_word_it_waits_for_and_once_agreed_to_the_other(
    made: Campaign,
) -> None:
    ana, ben = players(made)
    Person.objects.filter(pk=ana.pk).update(lang="en")
    Person.objects.filter(pk=ben.pk).update(lang="fr")
    sent(browser(ana), made, "propose", at=typed(), where="The club hall")
    proposed = "A test\xa0: une date pour une bataille"
    assert told() == [([ben.email], proposed)]
    body = mail.outbox[0].body
    assert way("battles", made) in body and "The club hall" in body and "est proposée" in body
    meeting = Meeting.objects.get()
    assert str(timezone.localtime(meeting.at).year) in body
    sent(browser(ben), made, "agree")
    assert told()[1:] == [([ana.email], "A test: the date of a battle is agreed on")]


def test_a_form_that_is_sent_twice_tells_nobody_twice(made: Campaign) -> None:
    ana, ben = players(made)
    at = typed()
    for _ in range(2):
        sent(browser(ana), made, "propose", at=at)
    assert len(told()) == 1
    given = {**fields(form(browser(ben), made, "agree")), "do": "agree"}
    for _ in range(2):
        browser(ben).post(way("book", made), given)
    assert len(told()) == 2


def test_the_same_is_told_once_whoever_sends_it_and_nothing_of_it_is_kept(made: Campaign) -> None:
    ana, ben = players(made)
    visit = visit_of(made, ana)
    propose_date(visit, path(made), timezone.now() + timedelta(days=3), "my door")
    (notice,) = waiting(made)
    assert take_out(notice) and not take_out(notice), "two that send at once"
    put_back(notice)
    assert not waiting(made), "not at once"
    Notice.objects.update(after=timezone.now())
    for _ in range(2):
        mails.send_waiting(None, visit, "en")
    assert [to for to, _ in told()] == [[ben.email]]
    assert "my door" not in str(Notice.objects.values())
    with transaction.atomic():
        put_out(made, [ben], notice.text, notice.key)
    assert not waiting(made), "of the same thing there is no second one"


def test_what_was_not_sent_is_sent_the_next_time_but_no_old_news(
    made: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, _ = players(made)
    with monkeypatch.context() as broken:
        broken.setattr(mails, "send_mail", lambda *_, **__: 0)
        sent(browser(ana), made, "propose", at=typed())
    assert not told() and not waiting(made)
    assert Notice.objects.get().why == "SMTP"
    Notice.objects.update(after=timezone.now())
    assert len(waiting(made)) == 1
    Notice.objects.update(at=timezone.now() - STALE)
    assert not waiting(made)
    Notice.objects.update(at=timezone.now())
    mails.send_waiting(None, visit_of(made, ana), "en")
    assert len(told()) == 1


def test_who_has_no_address_gets_none_and_waits_for_none(made: Campaign) -> None:
    ana, ben = players(made)
    Person.objects.filter(pk=ben.pk).update(email="")
    sent(browser(ana), made, "propose", at=typed())
    assert not told() and not waiting(made)


def test_an_umpire_is_told_where_nobody_commands_the_other_side(made: Campaign) -> None:
    ana, ben = players(made)
    Holder.objects.filter(person=ben).delete()
    put = propose_date(
        visit_of(made, ana), path(made), timezone.now() + timedelta(days=3), "my door"
    )
    zoe = person("zoe")
    assert [one.person for one in waiting(made)] == [zoe]
    agree(visit_of(made, zoe), path(made), put.pk)
    assert {one.person for one in waiting(made)} == {zoe, ana}
