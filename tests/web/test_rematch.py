"""A duel that is over is played once more, with the sides swapped."""

from __future__ import annotations

from typing import Any

import pytest

from polemarque.club.campaigns.lobby import CampaignPlan, begin, make, plan_of, sit_down
from polemarque.club.campaigns.session import write_lock
from polemarque.club.models import MEMBER, RUNNING, Campaign, Holder, Person, Watcher
from polemarque.club.people.roles import playing_umpire
from polemarque.kernel.records.record import Adjust
from tests.web.people import browser, person, said, way

pytestmark = pytest.mark.django_db

BUTTON = "Rematch, sides swapped"


@pytest.fixture
def ana() -> Person:
    return person("ana")


@pytest.fixture
def ben() -> Person:
    return person("ben")


def duel(ana: Person, ben: Person | None, **more: Any) -> Campaign:
    """A duel that has begun: Ana made it and plays A; B is Ben's, or a bot's."""
    plan = CampaignPlan("batailles", "ford")
    made = make("At the ford", plan, ana, own=["A"], bots={"B": "steady"}, **more)
    if ben is not None:
        sit_down(made, "B", ben)
    begin(made)
    return made


def over(campaign: Campaign) -> Campaign:
    with write_lock(campaign) as table:
        table.game.enter(Adjust("end", "b", "enough"))
    campaign.refresh_from_db()
    return campaign


def press(campaign: Campaign, who: Person | None) -> Any:
    return browser(who).post(way("rematch", campaign))


def seated(campaign: Campaign) -> dict[str, str]:
    held = Holder.objects.filter(seat__campaign=campaign)
    return dict(held.values_list("seat__code", "person__username"))


def test_either_player_gets_the_same_duel_with_the_sides_swapped(ana: Person, ben: Person) -> None:
    first = over(duel(ana, ben, pace=48))
    answer = press(first, ben)
    second = Campaign.objects.exclude(pk=first.pk).get()
    assert answer["Location"] == way("seat", second, seat="A")
    assert seated(second) == {"A": "ben", "B": "ana"} and second.stage == RUNNING
    assert plan_of(second) == plan_of(first) and second.pace == 48
    assert second.title == "At the ford (2)" and playing_umpire(second) == "B"
    line = browser(ana).get("/").context["mine"][0]
    assert line.campaign == second and "your" in line.due.lower(), line


def test_both_who_press_twice_come_to_one_rematch(ana: Person, ben: Person) -> None:
    first = over(duel(ana, ben))
    addresses = [press(first, who)["Location"] for who in (ana, ben, ana, ben)]
    second = Campaign.objects.exclude(pk=first.pk).get()
    assert addresses == [way("seat", second, seat=seat) for seat in "BABA"]
    press(over(second), ben)
    third = Campaign.objects.exclude(pk__in=[first.pk, second.pk]).get()
    assert seated(third) == {"A": "ana", "B": "ben"} and third.title == "At the ford (3)"


def test_a_bot_takes_the_other_side(ana: Person) -> None:
    first = over(duel(ana, None))
    press(first, ana)
    second = Campaign.objects.exclude(pk=first.pk).get()
    assert seated(second) == {"B": "ana"}
    assert dict(second.seats.values_list("code", "bot")) == {"A": "steady", "B": ""}


def test_the_button_stands_where_it_is_over_for_those_who_played(ana: Person, ben: Person) -> None:
    running, first = duel(ana, ben), over(duel(ana, ben))
    watcher = person("watcher")
    Watcher.objects.create(campaign=first, person=watcher)
    for who, seat in ((ana, "A"), (ben, "B")):
        assert BUTTON in said(browser(who).get(way("seat", first, seat=seat)))
        assert BUTTON not in said(browser(who).get(way("seat", running, seat=seat)))
    assert BUTTON in said(browser(ana).get(way("campaign", first)))
    assert BUTTON not in said(browser(watcher).get(way("campaign", first)))


def test_nobody_else_asks_for_one(ana: Person, ben: Person) -> None:
    first = over(duel(ana, ben))
    watcher, adviser = person("watcher"), person("adviser")
    Watcher.objects.create(campaign=first, person=watcher)
    Holder.objects.create(seat=first.seats.get(code="A"), person=adviser, role=MEMBER)
    for who in (watcher, adviser, person("stranger")):
        assert press(first, who).status_code == 404
    press(first, None)
    assert Campaign.objects.get() == first


def test_a_duel_that_runs_or_has_lost_a_player_has_none(ana: Person, ben: Person) -> None:
    running = duel(ana, ben)
    client = browser(ana)
    client.post(way("rematch", running))
    assert "needs a duel that is over" in said(client.get(way("campaign", running)))
    first = over(running)
    ben.delete()
    assert press(first, ana)["Location"] == way("campaign", first)
    assert BUTTON not in said(client.get(way("campaign", first)))
    assert Campaign.objects.get() == first
