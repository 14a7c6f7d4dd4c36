"""What programs fetch: the feed of a public chronicle, and a person's own calendar."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree as Xml

import pytest
from django.utils import timezone
from msgspec.structs import replace

from polemarque.club.campaigns.session import write_lock
from polemarque.club.campaigns.visibility import turns
from polemarque.club.clock.battle_dates import agree, propose_date
from polemarque.club.models import Campaign, Person
from polemarque.club.people.roles import visit_of
from polemarque.kernel.records.record import Adjust
from polemarque.web.calendars import WIDTH
from polemarque.web.i18n import say
from polemarque.web.pages.campaign.feed import ATOM
from tests.club.people import battle_on_the_table, campaign, kept, person
from tests.club.test_battle_dates import path
from tests.web.people import browser, page, said, way
from tests.web.test_battles import sides
from tests.web.world import World, play_on

pytestmark = pytest.mark.django_db


def entries(answer: Any) -> list[Xml.Element]:
    return list(Xml.fromstring(answer.content).iter(f"{{{ATOM}}}entry"))


def test_a_feed_is_there_for_anybody_once_the_umpire_has_opened_it() -> None:
    made = campaign("atlantide", seats=3)
    play_on(World(made), 3)
    nobody = browser()
    assert nobody.get(way("feed", made)).status_code == 404
    Campaign.objects.filter(pk=made.pk).update(feed=True, name="Sea & <Land>\x0b")
    answer = nobody.get(way("feed", made))
    assert answer["Content-Type"].startswith("application/atom+xml")
    titles = [entry.findtext(f"{{{ATOM}}}title") for entry in entries(answer)]
    assert titles and titles[0] == "Turn 2"
    assert Xml.fromstring(answer.content).findtext(f"{{{ATOM}}}title") == "Sea & <Land>"
    french = said(browser(lang="fr").get(way("feed", made)))
    assert "Tour 2" in french
    assert nobody.get(way("feed", campaign("batailles"))).status_code == 404


def test_a_feed_holds_nothing_that_a_seat_alone_knows_and_no_player() -> None:
    made = campaign("atlantide", seats=3)
    Person.objects.filter(username="a").update(called="Xanthippos")
    play_on(World(made), 3)
    Campaign.objects.filter(pk=made.pk).update(feed=True)
    before = said(browser().get(way("feed", made)))
    assert "Xanthippos" not in before
    with write_lock(made) as table:
        secret = [event for event in table.told if event.audience is not None]
        for event in secret:
            table.told.remove(event)
        table.memory.clear()
    assert secret and said(browser().get(way("feed", made))) == before


def test_anybody_follows_a_campaign_that_is_opened_by_its_page() -> None:
    made = campaign("atlantide", seats=3)
    Person.objects.filter(username="a").update(called="Xanthippos")
    nobody = browser(lang="fr")
    Campaign.objects.filter(pk=made.pk).update(feed=True)
    first = said(nobody.get(way("public", made)))
    assert say("fr", "table.none_over") in first
    play_on(World(made), 3)
    answer = nobody.get(way("public", made))
    latest = said(answer)
    assert answer["Cache-Control"] == "no-cache"
    assert "Tour 2" in latest and "<svg" in latest and way("feed", made) in latest
    assert "Xanthippos" not in latest and "/seat/" not in latest
    assert "Tour 2" in said(nobody.get(way("public_turn", made, number="2")))
    assert "Tour 1" in said(nobody.get(way("public_turn", made, number="1")))
    with write_lock(made) as table:  # the turn that runs has not yet ended
        war = turns(table)[2]
        lands = {place: replace(land, owner="A") for place, land in war.lands.items()}
        table.turns._ends[2] = replace(war, lands=lands)
        table.memory.clear()
    shown = page(nobody.get(way("public_turn", made, number="2")))
    (stand,) = [each for each in shown.all("table") if "La campagne n’est pas finie" in each.said]
    assert str(len(lands)) in stand.said, "as that turn left it"
    Campaign.objects.filter(pk=made.pk).update(feed=False)
    for gone in (way("public", made), way("public_turn", made, number="1")):
        assert nobody.get(gone).status_code == 404


def test_the_page_of_a_turn_lists_the_umpires_acts_up_to_its_end() -> None:
    made = campaign("atlantide", seats=3)
    Campaign.objects.filter(pk=made.pk).update(feed=True)
    there, reasons = World(made), ("Miscounted tolls", "Lost chest", "Found chest")
    for turn, reason in enumerate(reasons, 1):
        play_on(there, turn)
        with write_lock(made) as table:
            table.game.enter(Adjust("loot.A", 10 * turn, reason))
    play_on(there, 4)
    for turn in (1, 2, 3):
        shown = said(browser().get(way("public_turn", made, number=str(turn))))
        assert [reason in shown for reason in reasons] == [n < turn for n in range(3)]
    with write_lock(made) as table:
        table.game.enter(Adjust("end", ("A",), "Weary of war"))
    assert "Weary of war" in said(browser().get(way("public", made)))


def unsigned(page: str) -> str:
    """A page without what is new with each answer: what lets its styles and its forms in."""
    return re.sub('nonce="[^"]+"|value="[A-Za-z0-9]{64}"', "", page)


def test_a_public_page_is_the_same_whatever_the_seats_keep_secret() -> None:
    made = campaign("atlantide", seats=3)
    play_on(World(made), 3)
    Campaign.objects.filter(pk=made.pk).update(feed=True)
    before = unsigned(said(browser().get(way("public", made))))
    with write_lock(made) as table:
        secret = [event for event in table.told if event.audience is not None]
        for event in secret:
            table.told.remove(event)
        for ended in turns(table).values():
            for seat, own in ended.seats.items():
                ended.seats[seat] = replace(own, loot=own.loot + 77)
        table.memory.clear()
    assert secret and unsigned(said(browser().get(way("public", made)))) == before


def calendar(who: Person) -> str:
    who.refresh_from_db()
    return f"/calendar/{who.calendar}.ics"


def test_a_calendar_has_an_address_that_can_be_changed_and_taken_away() -> None:
    made = campaign("atlantide", seats=3)
    Campaign.objects.filter(pk=made.pk).update(pace=24, name="Sea, land; and\\air " + "é" * 60)
    who = person("a")
    mine, nobody = browser(who), browser()
    assert nobody.get("/calendar/.ics").status_code == 404
    mine.post("/settings/calendar/", {"do": "open"})
    first = calendar(who)
    assert first in said(mine.get("/settings/"))
    told = said(nobody.get(first))
    assert told.startswith("BEGIN:VCALENDAR\r\n") and told.endswith("END:VCALENDAR\r\n")
    assert "Sea\\, land\\; and\\\\air" in told.replace("\r\n ", "")
    assert all(len(line.encode()) <= WIDTH + 1 for line in told.split("\r\n"))
    assert told.count("BEGIN:VEVENT") == told.count("DTSTART:") == 1
    mine.post("/settings/calendar/", {"do": "open"})
    assert nobody.get(first).status_code == 404 != nobody.get(calendar(who)).status_code
    second = calendar(who)
    mine.post("/settings/calendar/", {"do": "close"})
    assert nobody.get(second).status_code == 404
    assert nobody.get(calendar(who)).status_code == 404


def test_the_date_of_a_battle_says_where_to_its_sides_alone() -> None:
    made = kept(battle_on_the_table(4))
    one, other = sides(made)
    put = propose_date(
        visit_of(made, person(one.lower())),
        path(made),
        timezone.now() + timedelta(days=3),
        "my door",
    )
    agree(visit_of(made, person(other.lower())), path(made), put.pk)
    third = next(seat for seat in "ABCD" if seat not in (one, other))
    told = {}
    for seat in (one, third):
        browser(person(seat.lower())).post("/settings/calendar/", {"do": "open"})
        told[seat] = said(browser().get(calendar(person(seat.lower()))))
        assert "Battle: " in told[seat] or "Bataille" in told[seat]
    assert "LOCATION:my door" in told[one] and "my door" not in told[third]
