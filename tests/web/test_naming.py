"""An umpire who is silent for fourteen days, and another whom the seats name."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from polemarque.club.campaigns.lobby import begin, sit_down
from polemarque.club.campaigns.session import read_lock
from polemarque.club.campaigns.visibility import hides_readiness, known_entries
from polemarque.club.models import COMMANDER, MEMBER, Invitation, Naming, Umpire, Voice, Watcher
from polemarque.club.orders.answers import seal
from polemarque.club.orders.taking_back import take_back
from polemarque.club.people.invitations import may_invite
from polemarque.club.people.roles import visit_of
from polemarque.club.people.umpire_vote import (
    SILENCE,
    give_voice,
    nameable,
    seats_of_people,
    silent_since,
    voices_of,
    wanted,
)
from polemarque.kernel.errors import NotAllowed, NotUnderstood
from polemarque.kernel.records.record import Looked
from tests.web.people import said, way
from tests.web.world import World, answers_to, open_key, person, sealed, world

pytestmark = pytest.mark.django_db


def silent(days: int = 14, *, third: bool = False, **more: Any) -> World:
    """A campaign whose umpires were last seen so many days ago; C is a person's too, or not."""
    there = world(**({"begun": not third} | more))
    if third:
        sit_down(there.campaign, "C", person("third"))
        there.people["third"] = person("third")
        begin(there.campaign)
    Umpire.objects.update(seen=timezone.now() - timedelta(days=days))
    there.campaign.refresh_from_db()
    return there


def voice(there: World, role: str, seat: str, named: str) -> bool:
    visit = visit_of(there.fresh(), there.people[role])
    return give_voice(visit, seat, there.people[named].pk)


def umpires(there: World) -> list[str]:
    rows = there.campaign.umpires.order_by("pk").select_related("person")
    return [row.person.username for row in rows]


# Silence -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("days", "so"), [(13, False), (14, True), (30, True)])
def test_after_fourteen_days(days: int, so: bool) -> None:
    there = silent(days)
    assert (silent_since(there.fresh()) is not None) == so
    shown = said(there.browser("commander").get(way("people", there.campaign)))
    assert ("Name another umpire" in shown) == so
    told = said(there.browser("commander").get(way("seat", there.campaign, seat="A")))
    assert ("the seats may name another" in told) == so
    if not so:
        with pytest.raises(NotAllowed, match="not_silent"):
            voice(there, "commander", "A", "watcher")


def test_all_umpires_have_to_be_silent() -> None:
    there = silent()
    Umpire.objects.create(campaign=there.campaign, person=person("another"))
    assert silent_since(there.fresh()) is None


def test_only_where_it_is_played() -> None:
    assert silent_since(silent(begun=False).fresh()) is None


def test_where_nobody_umpires_since_it_was_made() -> None:
    there = silent()
    Umpire.objects.all().delete()
    assert silent_since(there.fresh()) is None
    there.campaign.made = timezone.now() - SILENCE
    there.campaign.save(update_fields=["made"])
    assert voice(there, "commander", "A", "watcher") is False
    assert voice(there, "rival", "B", "watcher") is True
    assert umpires(there) == ["watcher"]


def test_a_page_that_he_opens_ends_it() -> None:
    there = silent()
    voice(there, "commander", "A", "watcher")
    there.browser("umpire").get(way("chronicle", there.campaign))
    assert not Voice.objects.exists()
    assert silent_since(there.fresh()) is None
    with pytest.raises(NotAllowed, match="not_silent"):
        voice(there, "rival", "B", "watcher")
    assert umpires(there) == ["umpire"]


def test_a_page_that_only_stands_open_does_not() -> None:
    there = silent()
    there.browser("umpire").get(way("desk", there.campaign), headers={"X-Live": "1"})
    assert silent_since(there.fresh()) is not None
    there.browser("umpire").get(reverse("home"))
    assert silent_since(there.fresh()) is not None
    there.browser("stranger").get(way("desk", there.campaign))
    there.browser("commander").get(way("seat", there.campaign, seat="A"))
    assert silent_since(there.fresh()) is not None


def test_his_last_sign_is_kept_to_the_hour() -> None:
    there = silent(0)
    before = timezone.now() - timedelta(minutes=10)
    Umpire.objects.update(seen=before)
    there.browser("umpire").get(way("desk", there.campaign))
    assert Umpire.objects.get().seen == before
    Umpire.objects.update(seen=timezone.now() - timedelta(minutes=61))
    there.browser("umpire").get(way("desk", there.campaign))
    assert timezone.now() - Umpire.objects.get().seen < timedelta(minutes=5)


# Voices ------------------------------------------------------------------------------------------


def test_more_than_half_of_the_seats_that_people_hold() -> None:
    there = silent(third=True)
    assert list(seats_of_people(there.fresh())) == ["A", "B", "C"]
    assert wanted(there.fresh()) == 2
    page = way("name_umpire", there.campaign, seat="A")
    sent = {"person": str(there.people["watcher"].pk)}
    told = said(there.browser("commander").post(page, sent, follow=True))
    assert "This voice is given" in told and "names Watcher" in told
    assert voice(there, "rival", "B", "rival") is False
    assert umpires(there) == ["umpire"]
    page = way("name_umpire", there.campaign, seat="B")
    told = said(there.browser("rival").post(page, sent, follow=True))
    assert "The seats have named another umpire" in told
    assert umpires(there) == ["watcher"]


def test_programs_have_no_voice() -> None:
    there = silent()
    assert list(seats_of_people(there.fresh())) == ["A", "B"]
    assert wanted(there.fresh()) == 2
    assert voice(there, "commander", "A", "watcher") is False
    assert umpires(there) == ["umpire"]


def test_one_alone_names_nobody_in_the_place_of_an_umpire_who_plays() -> None:
    there = silent(playing=True)
    assert wanted(there.fresh()) == 2
    assert voice(there, "rival", "B", "rival") is False
    assert umpires(there) == ["umpire"]


def test_one_voice_a_seat_that_may_be_changed() -> None:
    there = silent(third=True)
    voice(there, "commander", "A", "rival")
    voice(there, "commander", "A", "watcher")
    assert voices_of(there.fresh()) == {"A": there.people["watcher"].pk}
    assert voice(there, "rival", "B", "rival") is False
    assert voice(there, "third", "C", "watcher") is True


def test_the_voice_of_who_commands_the_seat_no_more_does_not_count() -> None:
    there = silent()
    voice(there, "commander", "A", "watcher")
    there.campaign.seats.get(code="A").holders.filter(role=COMMANDER).update(
        person=there.people["stranger"]
    )
    assert voices_of(there.fresh()) == {}
    assert voice(there, "rival", "B", "watcher") is False


def test_who_has_none() -> None:
    there = silent()
    for role, seat in (
        ("adviser", "A"), ("watcher", "A"), ("rival", "A"), ("stranger", "B"), ("commander", "C"),
    ):  # fmt: skip
        with pytest.raises(NotAllowed, match="not_yours"):
            voice(there, role, seat, "watcher")
        page = way("name_umpire", there.campaign, seat=seat)
        assert there.browser(role).post(page, {"person": "1"}).status_code == 404
    assert not Voice.objects.exists()


def test_who_can_be_named() -> None:
    there = silent()
    assert {one.username for one in nameable(there.fresh())} == {"commander", "rival", "watcher"}
    for role in ("adviser", "stranger", "umpire"):
        with pytest.raises(NotUnderstood, match="nobody"):
            voice(there, "commander", "A", role)
    told = there.browser("commander").post(
        way("name_umpire", there.campaign, seat="A"), {"person": "nonsense"}, follow=True
    )
    assert "cannot be named" in said(told)
    there.campaign.plan["dice"] = "typed"
    assert [one.username for one in nameable(there.campaign)] == ["watcher"]


def test_who_commands_two_seats_cannot() -> None:
    there = silent()
    seat = there.campaign.seats.get(code="C")
    seat.bot = ""
    seat.save()
    seat.holders.create(person=there.people["rival"])
    assert {one.username for one in nameable(there.fresh())} == {"commander", "watcher"}


# What follows ------------------------------------------------------------------------------------


def named(there: World, who: str) -> None:
    assert voice(there, "commander", "A", who) is False
    assert voice(there, "rival", "B", who) is True


def test_it_is_told_to_everybody_and_kept_and_no_matter_of_the_record() -> None:
    there = silent()
    head = there.head
    named(there, "watcher")
    assert there.head == head
    for role in ("commander", "adviser", "rival", "watcher", "umpire"):
        shown = said(there.browser(role).get(way("people", there.campaign)))
        assert "Watcher was named umpire by the seats" in shown, role
        assert "in the place of Umpire" in shown
        assert "Umpire: Watcher." in shown
    seat = way("seat", there.campaign, seat="A")
    assert "New umpire: Watcher" in said(there.browser("commander").get(seat))
    Naming.objects.update(at=timezone.now() - SILENCE - timedelta(minutes=1))
    assert "New umpire: Watcher" not in said(there.browser("commander").get(seat))
    assert "Watcher was named umpire" in said(
        there.browser("commander").get(way("people", there.campaign))
    )


def test_the_old_one_watches_and_umpires_no_more() -> None:
    there = silent()
    Invitation.objects.create(campaign=there.campaign, by=there.people["umpire"], seat="A",
                              role=MEMBER)  # fmt: skip
    named(there, "watcher")
    old = visit_of(there.fresh(), there.people["umpire"])
    assert (old.umpire, old.watches) == (False, True)
    assert there.browser("umpire").get(way("desk", there.campaign)).status_code == 404
    assert not Invitation.objects.filter(used=None).exists(), "what he handed out opens nothing"
    new = visit_of(there.fresh(), there.people["watcher"])
    assert new.neutral and not Watcher.objects.filter(person=there.people["watcher"]).exists()
    assert there.browser("watcher").get(way("corrections", there.campaign)).status_code == 200
    with read_lock(there.campaign) as table:
        looks = [entry.what for entry in table.game.entries if isinstance(entry, Looked)]
    assert looks == ["answers"], "what he reads of others' secrets is entered"


def test_a_player_who_is_named_has_the_limits_of_an_umpire_who_plays() -> None:
    there = silent()
    named(there, "rival")
    visit = visit_of(there.fresh(), there.people["rival"])
    assert visit.umpire and not visit.neutral and visit.plays == "B"
    assert not may_invite(visit, "A", MEMBER)
    sealed(there, "A", "commander")
    with read_lock(there.campaign) as table:
        assert hides_readiness(visit, table), "he learns who is ready when he has sealed"
        assert known_entries(visit, table) < table.count
        watching = visit_of(there.fresh(), there.people["watcher"])
        assert hides_readiness(watching, table), "and so does who might be the same"
        assert not hides_readiness(visit_of(there.fresh(), there.people["commander"]), table)


def test_his_sealed_answer_is_final() -> None:
    there = silent(third=True)
    named(there, "rival")
    first = sealed(there, "B", "rival")
    key = open_key(there, "B")
    other = answers_to(there, key, 2)[1]
    with pytest.raises(NotAllowed, match="final"):
        seal(there.campaign, there.people["rival"], "B", key, other, once="again",
             standing=first.digest)  # fmt: skip
    with pytest.raises(NotAllowed, match="final"):
        take_back(there.campaign, "B")
    sealed(there, "A", "commander")
    take_back(there.campaign, "A")


def test_the_old_one_is_told_before(settings: Any) -> None:
    settings.MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    there = silent()
    old = there.people["umpire"]
    old.email = "umpire@club.example.org"
    old.save()
    sent = {"person": str(there.people["watcher"].pk)}
    for _ in range(2):
        there.browser("commander").post(way("name_umpire", there.campaign, seat="A"), sent)
    assert [one.to for one in mail.outbox] == [[old.email]], "once"
    assert way("campaign", there.campaign) in mail.outbox[0].body
    assert "open the campaign to say that you are there" in said(
        there.browser("umpire").get(reverse("home"))
    )
    there.browser("rival").post(way("name_umpire", there.campaign, seat="B"), sent)
    assert len(mail.outbox) == 2 and "have named another umpire" in mail.outbox[1].body
