"""The page of deadlines: set by the umpire, read by everybody, voted on by the seats."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from polemarque.club.clock.deadlines import paused
from polemarque.club.clock.timetable import Clock, clock_of
from polemarque.club.models import Campaign
from tests.club.people import campaign, person
from tests.web.desks import fields, forms_to, played
from tests.web.people import browser, said, way

pytestmark = pytest.mark.django_db


def fresh(made: Campaign) -> Campaign:
    return Campaign.objects.get(pk=made.pk)


def filled(made: Campaign, who: str = "zoe", **given: Any) -> dict[str, Any]:
    """The form as a browser sends it, with some fields changed."""
    (form,) = forms_to(browser(person(who)).get(way("clock", made)), way("clock_set", made))
    return {**fields(form), **given}


def sent(made: Campaign, lang: str = "en", **given: Any) -> Any:
    zoe = browser(person("zoe"), lang=lang)
    return zoe.post(way("clock_set", made), filled(made, **given), follow=True)


def test_tuesdays_and_fridays_at_nine_in_paris() -> None:
    made = campaign("atlantide", seats=3)
    told = sent(
        made, limit="dates", day=["1", "4"], hour="21:00", zone="Europe/Paris", remind="24",
        off="25/12/2026, 2027-01-01", weekends="1", law="1", grace="12",
    )  # fmt: skip
    for words in (
        "Answers are due: Tuesday and Friday, at 21:00 (Europe/Paris).",
        "A reminder is sent 24 hours before the deadline.",
        "12 hours after the deadline the rules answer for the absent.",
    ):
        assert words in said(told)
    assert clock_of(fresh(made)) == Clock(
        (1, 4), "21:00", "Europe/Paris", (date(2026, 12, 25), date(2027, 1, 1)), True,
        remind=24, grace=12, law=True,
    )  # fmt: skip
    french = said(browser(person("a"), lang="fr").get(way("clock", made)))
    assert "mardi et vendredi, à 21:00 (Europe/Paris)." in french
    assert not forms_to(browser(person("a")).get(way("clock", made)), way("clock_set", made))
    sent(made, limit="hours", pace="48", day=[])
    assert (fresh(made).pace, clock_of(fresh(made)).days) == (48, ())


@pytest.mark.parametrize(
    "wrong",
    [
        {"limit": "dates", "day": []}, {"limit": "dates", "day": ["9"]}, {"limit": "soon"},
        {"limit": "hours", "pace": "-1"}, {"limit": "hours", "pace": "soon"}, {"zone": "Ys"},
        {"hour": "9 pm"}, {"off": "Christmas"}, {"grace": "x"}, {"remind": "99999"},
        {"limit": "dates", "day": ["5"], "weekends": "1"},
    ],
)  # fmt: skip
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_no_time_is_refused_with_what_was_typed(wrong: dict[str, Any], lang: str) -> None:
    made = campaign("batailles")
    told = sent(made, lang, **wrong)
    assert told.status_code == 422 and 'role="alert"' in said(told)
    assert (fresh(made).pace, fresh(made).clock) == (0, {})
    for name in ("zone", "hour", "off"):
        if name in wrong:
            assert f'value="{wrong[name]}"' in said(told)


def test_an_umpire_who_plays_adds_no_date_and_has_nobody_answered_for() -> None:
    made = played(pace=200)
    for wrong in ({"limit": "dates", "day": ["1"]}, {"law": "1"}, {"turn": "1"}):
        assert sent(made, **wrong).status_code == 422
    assert fresh(made).clock == {}
    assert sent(made, weekends="1", grace="5", pace="300").status_code == 200
    assert sent(made, weekends="", grace="0").status_code == 422
    Campaign.objects.filter(pk=made.pk).update(clock={"days": [1, 4], "law": True})
    assert sent(made, limit="dates", day=["4"], law="").status_code == 200
    for wrong in ({"hour": "09:00"}, {"day": ["4", "6"]}, {"limit": "hours"}, {"law": "1"}):
        assert sent(made, **{"limit": "dates", "day": ["4"], "law": "", **wrong}).status_code == 422


def test_a_pause_is_said_on_the_page_and_by_votes_too() -> None:
    made = campaign("atlantide", seats=3)
    zoe = browser(person("zoe"))
    told = zoe.post(way("pause", made), {"do": "pause"}, follow=True)
    assert "The umpire has paused the campaign" in said(told) and paused(made)
    for seat in "AB":
        told = browser(person(seat.lower())).post(
            way("vote", made, seat=seat), {"what": "resume"}, follow=True
        )
    assert "It is decided." in said(told) and not paused(made)
    told = zoe.post(way("pause", made), {"do": "resume"}, follow=True)
    assert "It is so already." in said(told)
    told = browser(person("a")).post(way("vote", made, seat="A"), {"what": "war"}, follow=True)
    assert "no vote on that" in said(told)
