"""Absences and replies on the pages: announced in the settings, told to whom they concern."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from polemarque.club.clock.deadlines import announce
from polemarque.club.clock.models import Absence
from polemarque.club.models import Watcher
from tests.club.people import campaign, person
from tests.web.desks import forms_to, played, seal_for, seal_for_zoe, table_text
from tests.web.people import browser, by_id, led_to, said, way

pytestmark = pytest.mark.django_db

AWAY = "/settings/away/"


def in_days(days: int) -> str:
    return (timezone.localdate() + timedelta(days=days)).isoformat()


def test_an_absence_is_announced_and_taken_back() -> None:
    ann = browser(person("ann"))
    done = ann.post(AWAY, {"do": "away", "since": in_days(2), "until": in_days(6)}, follow=True)
    assert "Your absence is announced" in said(done) and "away from" in said(done)
    assert Absence.objects.get().person == person("ann")
    (form, *_) = forms_to(done, AWAY)
    number = next(e.attrs["value"] for e in form.all("input") if e.attrs["name"] == "number")
    ben = browser(person("ben"))
    ben.post(AWAY, {"do": "back", "number": number})
    assert Absence.objects.exists(), "another's"
    assert "Noted" in said(ann.post(AWAY, {"do": "back", "number": number}, follow=True))
    assert not Absence.objects.exists()
    assert ann.post(AWAY, {"do": "back", "number": "nonsense"}).status_code == 303


def test_what_was_typed_of_days_that_cannot_be_is_there_again() -> None:
    ann = browser(person("ann"))
    for since, until in (("", ""), ("soon", in_days(3)), (in_days(3), in_days(2))):
        wrong = ann.post(AWAY, {"do": "away", "since": since, "until": until})
        assert wrong.status_code == 422 and by_id(wrong, "since-error")
        assert led_to(wrong) == ["since"]
        values = [by_id(wrong, name)[0].attrs["value"] for name in ("since", "until")]
        assert values == [since, until]
        assert by_id(wrong, "called")[0].attrs["value"] == person("ann").called
    assert not Absence.objects.exists()


def test_the_others_and_the_umpire_read_until_when() -> None:
    made = campaign("atlantide", seats=3)
    made.public = True
    made.save()
    Watcher.objects.create(campaign=made, person=person("eve"))
    before = {name: said(browser(person(name)).get(way("campaign", made))) for name in ("eve", "x")}
    announce(person("b"), timezone.localdate(), timezone.localdate() + timedelta(days=3))
    assert "away until" in said(browser(person("a")).get(way("seat", made, seat="A")))
    assert "away until" in table_text(browser(person("zoe")).get(way("desk", made)))
    for name in before:
        assert "away until" not in said(browser(person(name)).get(way("campaign", made)))


def test_a_blind_umpire_reads_no_figure_that_others_answers_change() -> None:
    made = played()
    zoe = browser(person("zoe"))
    seal_for(made, "B")
    assert "Who answers in time" not in said(zoe.get(way("desk", made)))
    seal_for_zoe(made, "A")
    shown = said(zoe.get(way("desk", made)))
    assert "Who answers in time" in shown and "one without a limit" in shown
